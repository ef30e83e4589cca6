package flow

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
)

// whole is the share of a message that all of it has. Shares are whole numbers, so that
// their sums are exact.
const whole = int64(1) << 40

// use is the share of a message that takes a resource: a channel, or the link to or
// from a terminal.
type use struct {
	resource int32
	share    int64
}

// route is what a message takes between two routers, ordered by resource.
type route struct {
	uses []use
	// delay is the cycles of a first phit from the first router to the last, mean over
	// the shares, and hops the channels on the way.
	delay, hops float64
}

// Bounds of routes.
const (
	mostDraws  = 16
	mostStates = 1 << 14 // of a packet between two routers
	mostKept   = 1 << 23 // uses of all routes that are kept
	mostHops   = 1 << 14
)

// router finds routes.
type router struct {
	cfg  packet.Config
	over []int32 // cycles of each channel
	kept map[[2]int32]*route
	size int

	// Of paths that are decided at the source.
	draws  source
	state  routing.State
	paths  [mostDraws][]int32
	shares map[int32]int64
}

// source is random numbers, and how many have been drawn.
type source struct {
	rand.PCG
	drawn int
}

// Uint64 implements rand.Source.
func (s *source) Uint64() uint64 {
	s.drawn++
	return s.PCG.Uint64()
}

func newRouter(cfg packet.Config) *router {
	n := cfg.Network
	r := &router{
		cfg: cfg, over: make([]int32, n.Channels()), kept: map[[2]int32]*route{}, shares: map[int32]int64{},
	}
	r.state.Rand = rand.New(&r.draws)
	for c := range r.over {
		r.over[c] = r.latency(n.Link[c])
	}
	return r
}

// latency is the cycles of a link, as in package packet.
func (r *router) latency(link int32) int32 {
	if r.cfg.Latency == nil {
		return 1
	}
	return max(r.cfg.Latency[link], 1)
}

// between is the route from one router to another.
func (r *router) between(src, dst int32) (*route, error) {
	key := [2]int32{src, dst}
	if found := r.kept[key]; found != nil {
		return found, nil
	}
	found, err := r.find(src, dst)
	if err != nil {
		return nil, err
	}
	if r.size+len(found.uses) <= mostKept {
		r.size += len(found.uses)
		r.kept[key] = found
	}
	return found, nil
}

// state is a packet at a router.
type state struct {
	routing.Header
	at int32
}

// find follows all packets that the function may send, by shares.
func (r *router) find(src, dst int32) (*route, error) {
	if routing.IsSinglePath(r.cfg.Routing) && routing.IsSourceDecided(r.cfg.Routing) {
		return r.drawPaths(src, dst)
	}
	begin := map[state]int64{}
	for draw := range int64(mostDraws) {
		s := state{routing.NewHeader(src, dst), src}
		r.cfg.Routing.Arrive(&s.Header, src, r.drawn(src, dst, uint64(draw)))
		begin[s] += whole / mostDraws
	}
	shares := map[int32]int64{}
	level := ordered(begin)
	idle := r.drawn(src, dst, mostDraws)
	for hops := 0; len(level) > 0; hops++ {
		if hops > mostHops || len(level) > mostStates {
			return nil, fmt.Errorf("flow: %s has too many paths from %s to %s", r.cfg.Routing.Name(),
				r.cfg.Network.Label(src), r.cfg.Network.Label(dst))
		}
		next := map[state]int64{}
		for _, x := range level {
			if err := r.step(x, hops > 0, idle, shares, next); err != nil {
				return nil, err
			}
		}
		level = ordered(next)
	}
	return r.sum(shares), nil
}

// sum is the route of shares of channels.
func (r *router) sum(shares map[int32]int64) *route {
	out := &route{}
	for _, c := range slices.Sorted(maps.Keys(shares)) {
		out.uses = append(out.uses, use{c, shares[c]})
		part := float64(shares[c]) / float64(whole)
		out.hops += part
		out.delay += float64(part * float64(int64(r.cfg.Pipeline)+int64(r.over[c])))
	}
	return out
}

// drawPaths is find where a packet has no choice on its way: what is drawn at the source
// decides. If nothing is drawn, or the first half of the draws are the same path, it is
// the only one.
func (r *router) drawPaths(src, dst int32) (*route, error) {
	n, f := r.cfg.Network, r.cfg.Routing
	count, same := 0, true
	for count < mostDraws {
		r.draws.Seed(r.cfg.Seed^uint64(count)<<48, uint64(src)<<32|uint64(uint32(dst)))
		r.draws.drawn = 0
		path, err := routing.PathFrom(n, f, src, dst, &r.state, r.paths[count][:0])
		if err != nil {
			return nil, err
		}
		r.paths[count] = path
		same = same && slices.Equal(path, r.paths[0])
		count++
		if same && (r.draws.drawn == 0 || count == mostDraws/2) {
			count = 1
			break
		}
	}
	if count == 1 {
		return r.only(r.paths[0]), nil
	}
	clear(r.shares)
	for _, path := range r.paths[:count] {
		for _, c := range path {
			r.shares[c] += whole / int64(count)
		}
	}
	return r.sum(r.shares), nil
}

// only is the route of a path that all packets take.
func (r *router) only(path []int32) *route {
	out := &route{uses: make([]use, 0, len(path)), hops: float64(len(path))}
	for _, c := range path {
		out.uses = append(out.uses, use{c, whole})
		out.delay += float64(int64(r.cfg.Pipeline) + int64(r.over[c]))
	}
	slices.SortFunc(out.uses, func(a, b use) int { return cmp.Compare(a.resource, b.resource) })
	return out
}

// drawn is an idle network, with random numbers of a pair of routers.
func (r *router) drawn(src, dst int32, draw uint64) *routing.State {
	seed := r.cfg.Seed ^ draw<<48
	return &routing.State{Rand: rand.New(rand.NewPCG(seed, uint64(src)<<32|uint64(uint32(dst))))}
}

// shared is a state with the share of the message that is in it.
type shared struct {
	state
	share int64
}

// ordered lists states in an order that does not depend on the map.
func ordered(states map[state]int64) []shared {
	out := make([]shared, 0, len(states))
	for s, share := range states {
		out = append(out, shared{s, share})
	}
	slices.SortFunc(out, func(a, b shared) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Last, b.Last), cmp.Compare(a.Goal, b.Goal),
			cmp.Compare(a.Marks, b.Marks), cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Class, b.Class),
			cmp.Compare(a.Turn, b.Turn))
	})
	return out
}

// step splits what is at a router evenly over the hops of the first tier.
func (r *router) step(x shared, arrived bool, idle *routing.State, shares map[int32]int64, next map[state]int64) error {
	s := x.state
	if arrived && !routing.IsSourceDecided(r.cfg.Routing) {
		r.cfg.Routing.Arrive(&s.Header, s.at, idle)
	}
	if s.Arrived(s.at) {
		return nil
	}
	var space [64]routing.Hop
	hops := r.cfg.Routing.Next(&s.Header, s.at, idle, space[:0])
	if len(hops) == 0 {
		n := r.cfg.Network
		return fmt.Errorf("flow: %s has no way from %s to %s at %s", r.cfg.Routing.Name(), n.Label(s.Src),
			n.Label(s.Dst), n.Label(s.at))
	}
	tier := hops[0].Tier
	for _, h := range hops[1:] {
		tier = min(tier, h.Tier)
	}
	hops = slices.DeleteFunc(hops, func(h routing.Hop) bool { return h.Tier != tier })
	for i, h := range hops {
		share := x.share / int64(len(hops))
		if i == 0 {
			share += x.share % int64(len(hops)) // so that nothing is lost
		}
		to := s
		to.Take(h)
		to.at = r.cfg.Network.To[h.Channel]
		shares[h.Channel] += share
		next[to] += share
	}
	return nil
}
