package routing

import "math/rand/v2"

// NewUnloaded returns f as Path follows it: a packet takes the path of an idle network, with random numbers drawn from
// the seed for its pair of routers, independent of other packets. Where Path fails, the packet gets no hop from there
// on. It remembers the path of one packet: unlike other functions, it is for one packet at a time and one goroutine.
func NewUnloaded(n *Network, f Function, seed uint64) Function {
	return &unloaded{Function: f, net: n, seed: seed}
}

type unloaded struct {
	Function
	net   *Network
	seed  uint64
	path  []Hop   // from every router of the path but the last
	goals []int32 // Header.Goal at every router
}

// Arrive implements Function.
func (u *unloaded) Arrive(h *Header, _ int32, _ *State) {
	if h.Hops == 0 {
		u.follow(h.Src, h.Dst)
	}
	h.Goal = u.goals[h.Hops]
}

// follow is Path, with what the packet is sent to on its way. Where there is no way on, the path ends.
func (u *unloaded) follow(src, dst int32) {
	u.path, u.goals = u.path[:0], u.goals[:0]
	if src == dst {
		u.goals = append(u.goals, dst)
		return
	}
	state := &State{Rand: rand.New(rand.NewPCG(u.seed, uint64(src)<<32|uint64(uint32(dst))))}
	h := NewHeader(src, dst)
	for at := src; ; {
		u.Function.Arrive(&h, at, state)
		u.goals = append(u.goals, h.Goal)
		if h.HasArrived(at) {
			return
		}
		hop, err := firstHop(u.net, u.Function, &h, at, state)
		if err != nil {
			return
		}
		h.Take(hop)
		hop.Tier = 0
		u.path = append(u.path, hop)
		at = u.net.To[hop.Channel]
	}
}

// Next implements Function.
func (u *unloaded) Next(h *Header, _ int32, _ *State, hops []Hop) []Hop {
	if int(h.Hops) < len(u.path) {
		hops = append(hops, u.path[h.Hops])
	}
	return hops
}

// AdaptiveClass implements AdaptiveClass.
func (u *unloaded) AdaptiveClass() int {
	if a, ok := u.Function.(AdaptiveClass); ok {
		return a.AdaptiveClass()
	}
	return -1
}

// BubbleFlow implements BubbleFlow.
func (u *unloaded) BubbleFlow() bool { return IsBubbleFlow(u.Function) }
