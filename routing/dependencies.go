package routing

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// CheckDependencies builds the graph of waits of f on its network: an edge from a (channel, class) to another if a
// packet that holds the first waits for the second, for every pair of routers with terminals and the given number of
// draws of random numbers and loads, of which one is enough for functions that use neither. It returns an error that
// names a cycle, a class that is out of range, or a packet that finds no way on; and one for less than one draw, with
// which nothing would be checked.
//
// Hops under bubble flow control inside a ring are not edges: see Hop.Room.
func CheckDependencies(n *Network, f Function, draws int) error {
	if draws < 1 {
		return fmt.Errorf("%s: the dependencies of %d draws check nothing; use at least 1", f.Name(), draws)
	}
	w := &waits{net: n, f: f, classes: f.Classes(), seen: make(map[visit]bool)}
	w.edges = make([]map[int32]bool, n.Channels()*w.classes)
	ends := homes(n)
	loads := drawLoads(n, f, draws)
	for _, src := range ends {
		for _, dst := range ends {
			for i := range draws {
				state := &State{Rand: rand.New(rand.NewPCG(uint64(i), uint64(src)<<32|uint64(uint32(dst))))}
				if loads != nil {
					state.Wait, state.Sent = loads[i], loads[i]
				}
				if err := w.explore(visit{at: src, h: NewHeader(src, dst)}, state); err != nil {
					return err
				}
			}
		}
	}
	return w.cycle()
}

// drawLoads draws loads of channels for functions that decide by them on arrival.
// Those that watch them offer all of their hops where loads are not known.
func drawLoads(n *Network, f Function, draws int) [][]int32 {
	if use := LoadUseOf(f); !use.Read || use.Waiting {
		return nil
	}
	rng := rand.New(rand.NewPCG(1, 2))
	loads := make([][]int32, draws)
	for i := range loads {
		loads[i] = make([]int32, n.Channels())
		for c := range loads[i] {
			loads[i][c] = rng.Int32N(20)
		}
	}
	return loads
}

type visit struct {
	at int32
	h  Header
}

type waits struct {
	net     *Network
	f       Function
	classes int
	edges   []map[int32]bool
	seen    map[visit]bool
}

func (w *waits) key(channel int32, class uint8) int32 {
	return channel*int32(w.classes) + int32(class)
}

// explore follows all that a packet may do. Paths are loop-free in (place,
// header), as headers count hops.
func (w *waits) explore(s visit, state *State) error {
	w.f.Arrive(&s.h, s.at, state)
	if s.h.HasArrived(s.at) || w.seen[s] {
		return nil
	}
	w.seen[s] = true
	hops := w.f.Next(&s.h, s.at, state, nil)
	if len(hops) == 0 {
		return fmt.Errorf("%s: no way from %s to %s at %s", w.f.Name(), w.net.Label(s.h.Src), w.net.Label(s.h.Dst),
			w.net.Label(s.at))
	}
	escapes := false
	for _, hop := range hops {
		escapes = escapes || hop.Escape
		if int(hop.Class) >= w.classes {
			return fmt.Errorf("%s: class %d of %d", w.f.Name(), hop.Class, w.classes)
		}
		if w.net.From[hop.Channel] != s.at {
			return fmt.Errorf("%s: a hop that does not start at %s", w.f.Name(), w.net.Label(s.at))
		}
	}
	bubble := IsBubbleFlow(w.f)
	for _, hop := range hops {
		if s.h.Last >= 0 && (hop.Escape || !escapes) && (!bubble || hop.Room > 1) {
			from := w.key(s.h.Last, s.h.Class)
			if w.edges[from] == nil {
				w.edges[from] = make(map[int32]bool)
			}
			w.edges[from][w.key(hop.Channel, hop.Class)] = true
		}
		next := s
		next.h.Take(hop)
		next.at = w.net.To[hop.Channel]
		if next.h.Hops > maxHops {
			return fmt.Errorf("%s: more than %d hops from %s to %s", w.f.Name(), maxHops, w.net.Label(s.h.Src),
				w.net.Label(s.h.Dst))
		}
		if err := w.explore(next, state); err != nil {
			return err
		}
	}
	return nil
}

// cycle looks for one, by depth-first search.
func (w *waits) cycle() error {
	const open, done = 1, 2
	mark := make([]uint8, len(w.edges))
	type frame struct {
		node int32
		next []int32
	}
	for root := range w.edges {
		if mark[root] != 0 {
			continue
		}
		stack := []frame{{int32(root), targets(w.edges[root])}}
		mark[root] = open
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.next) == 0 {
				mark[top.node] = done
				stack = stack[:len(stack)-1]
				continue
			}
			to := top.next[0]
			top.next = top.next[1:]
			switch mark[to] {
			case open:
				return fmt.Errorf("%s: channels that wait for each other in a cycle through %s -> %s, class %d",
					w.f.Name(),
					w.net.Label(w.net.From[to/int32(w.classes)]), w.net.Label(w.net.To[to/int32(w.classes)]),
					to%int32(w.classes))
			case 0:
				mark[to] = open
				stack = append(stack, frame{to, targets(w.edges[to])})
			}
		}
	}
	return nil
}

// targets are sorted, so that of several cycles always the same is named.
func targets(m map[int32]bool) []int32 { return slices.Sorted(maps.Keys(m)) }
