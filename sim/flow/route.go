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
	share    int64
	resource int32
	// from is the resource by which it comes, fromSource or fromSeveral.
	from int32
	// fork is the router at which it is left to chance what share comes here, or certain.
	fork int32
	// inputs are those by which a message comes whose packets choose their way, where from is fromSeveral.
	inputs *[]input
}

// several is the inputs of a message whose packets choose their way, if it comes by several.
func (u *use) several() []input {
	if u.inputs == nil {
		return nil
	}
	return *u.inputs
}

// input is a channel, and the share of what comes to a router that comes by it.
type input struct {
	resource int32
	share    float64
}

// Values of use.from and use.fork that are neither a resource nor a router.
const (
	fromSource  int32 = -1 // its terminal
	fromSeveral int32 = -2 // several channels
	certain     int32 = -1
)

// route is what a message takes between two routers, ordered by resource.
type route struct {
	uses []use
	// delay is the cycles of a first phit from the first router to the last, mean over
	// the shares, and hops the channels on the way.
	delay, hops float64
	chosen      bool // packets choose on their way
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
	over []int64 // cycles of each channel, with the router that it leaves
	kept map[[2]int32]*fork
	size int

	forks map[int32]int32   // of the channels of the route that is followed: use.fork
	into  map[int32][]input // of routers on it

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

func newRouter(cfg packet.Config, charges routing.Charges[int32]) *router {
	n := cfg.Network
	r := &router{
		cfg: cfg, over: make([]int64, n.Channels()), kept: map[[2]int32]*fork{}, shares: map[int32]int64{},
		forks: map[int32]int32{}, into: map[int32][]input{},
	}
	r.state.Rand = rand.New(&r.draws)
	for c := range r.over {
		r.over[c] = int64(charges.Router[n.From[c]]) + int64(r.latency(n.Link[c]))
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

// fork is what packets choose from on their way.
type fork struct {
	route *route // of a message whose packets take all ways
	// The rest is of ways on which packets choose more than once.
	chooses bool
	begin   state
	before  []int32 // channels on the way to begin
	ways    []way   // once they have been asked for
}

// way is a hop from a fork, and what comes behind it.
type way struct {
	channel int32
	next    *fork
}

// between is the ways from one router to another.
func (r *router) between(src, dst int32) (*fork, error) {
	key := [2]int32{src, dst}
	if found := r.kept[key]; found != nil {
		return found, nil
	}
	found, err := r.find(src, dst)
	if err != nil {
		return nil, err
	}
	if n := len(found.route.uses); r.size+n <= mostKept {
		r.size += n
		r.kept[key] = found
	}
	return found, nil
}

// state is a packet at a router.
type state struct {
	routing.Header
	at int32
	// passed is the routers at which it chose. A hop without a choice takes the last of them away: that is where it
	// was decided that the packet comes over this channel, and not over one beside it.
	passed [mostPassed]int32
	depth  int8
}

// mostPassed bounds the choices of a packet that are remembered. Of more, the first ones are.
const mostPassed = 6

// takeHop goes over a hop, of several or the only one. It returns use.fork of the channel.
func (s *state) takeHop(h routing.Hop, to int32, several bool) int32 {
	from := s.at
	s.Take(h)
	s.at = to
	switch {
	case several && s.depth < mostPassed:
		s.passed[s.depth] = from
		s.depth++
	case !several && s.depth > 0:
		s.depth--
		last := s.passed[s.depth]
		s.passed[s.depth] = 0
		return last
	}
	return certain
}

// find follows all packets that the function may send.
func (r *router) find(src, dst int32) (*fork, error) {
	if routing.IsSinglePath(r.cfg.Routing) && routing.IsSourceDecided(r.cfg.Routing) {
		only, err := r.drawPaths(src, dst)
		return &fork{route: only}, err
	}
	begin := map[state]int64{}
	var first state
	for draw := range int64(mostDraws) {
		first = state{Header: routing.NewHeader(src, dst), at: src}
		r.cfg.Routing.Arrive(&first.Header, src, r.drawState(src, dst, uint64(draw)))
		begin[first] += whole / mostDraws
	}
	return r.follow(begin, first, nil)
}

// follow splits a message that has come over channels, from a state or several, evenly at all that are ahead.
func (r *router) follow(begin map[state]int64, first state, before []int32) (*fork, error) {
	shares := map[int32]int64{}
	for _, c := range before {
		shares[c] += whole
	}
	clear(r.forks)
	level := orderStates(begin)
	idle := r.drawState(first.Src, first.Dst, mostDraws)
	choices := 0
	for hops := 0; len(level) > 0; hops++ {
		if hops > mostHops || len(level) > mostStates {
			return nil, fmt.Errorf("flow: %s has too many paths from %s to %s", r.cfg.Routing.Name(),
				r.cfg.Network.Label(first.Src), r.cfg.Network.Label(first.Dst))
		}
		next := map[state]int64{}
		chose := false
		for _, x := range level {
			several, err := r.step(x, hops+len(before) > 0, idle, shares, next)
			if err != nil {
				return nil, err
			}
			chose = chose || several
		}
		if chose {
			choices++
		}
		level = orderStates(next)
	}
	return &fork{
		route: r.sum(shares, choices > 0 || len(before) > 0), chooses: choices > 1 && len(begin) == 1, begin: first,
		before: before,
	}, nil
}

// split is the ways that packets choose from at a fork.
func (r *router) split(f *fork) ([]way, error) {
	if f.ways != nil {
		return f.ways, nil
	}
	s, before := f.begin, slices.Clone(f.before)
	idle := r.drawState(s.Src, s.Dst, mostDraws)
	for {
		hops, err := r.hops(&s, len(before) > 0, idle)
		if err != nil {
			return nil, err
		}
		if len(hops) == 1 {
			s.takeHop(hops[0], r.cfg.Network.To[hops[0].Channel], false)
			before = append(before, hops[0].Channel)
			continue
		}
		var ways []way
		for _, h := range hops {
			to := s
			to.takeHop(h, r.cfg.Network.To[h.Channel], true)
			next, err := r.follow(map[state]int64{to: whole}, to, append(slices.Clone(before), h.Channel))
			if err != nil {
				return nil, err
			}
			ways = append(ways, way{h.Channel, next})
			r.size += len(next.route.uses)
		}
		if r.size <= mostKept {
			f.ways = ways
		}
		return ways, nil
	}
}

// sum is the route of shares of channels, between which packets choose or that are drawn.
func (r *router) sum(shares map[int32]int64, chosen bool) *route {
	out := &route{chosen: chosen}
	for _, c := range slices.Sorted(maps.Keys(shares)) {
		fork, ok := r.forks[c]
		if !ok {
			fork = certain
		}
		out.uses = append(out.uses, use{resource: c, fork: fork, share: shares[c]})
		part := float64(shares[c]) / float64(whole)
		out.hops += part
		out.delay += float64(part * float64(r.over[c]))
	}
	r.inputs(out.uses, out.chosen)
	return out
}

// inputs finds use.from and use.inputs, of packets that choose on their way or that do not.
func (r *router) inputs(uses []use, chosen bool) {
	n := r.cfg.Network
	clear(r.into)
	for _, u := range uses {
		to := n.To[u.resource]
		r.into[to] = append(r.into[to], input{u.resource, u.part()})
	}
	for i := range uses {
		uses[i].comes(r.into[n.From[uses[i].resource]], chosen)
	}
}

// comes takes note of the channels by which a message comes. The parts of one that is drawn at its source do not
// change: they wait for each other, and count as one input.
func (u *use) comes(by []input, chosen bool) {
	switch len(by) {
	case 0:
		u.from = fromSource
		return
	case 1:
		u.from = by[0].resource
		return
	}
	u.from = fromSeveral
	if !chosen {
		return
	}
	sum := 0.0
	for _, x := range by {
		sum += x.share
	}
	inputs := make([]input, len(by))
	for i, x := range by {
		inputs[i] = input{x.resource, x.share / sum}
	}
	u.inputs = &inputs
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
	clear(r.forks)
	clear(r.shares)
	for _, path := range r.paths[:count] {
		for _, c := range path {
			r.shares[c] += whole / int64(count)
		}
	}
	return r.sum(r.shares, false), nil
}

// only is the route of a path that all packets take.
func (r *router) only(path []int32) *route {
	out := &route{uses: make([]use, 0, len(path)), hops: float64(len(path))}
	for _, c := range path {
		out.uses = append(out.uses, use{resource: c, fork: certain, share: whole})
		out.delay += float64(r.over[c])
	}
	slices.SortFunc(out.uses, func(a, b use) int { return cmp.Compare(a.resource, b.resource) })
	r.inputs(out.uses, false)
	return out
}

// drawState returns an idle network, with random numbers of a pair of routers.
func (r *router) drawState(src, dst int32, draw uint64) *routing.State {
	seed := r.cfg.Seed ^ draw<<48
	return &routing.State{Rand: rand.New(rand.NewPCG(seed, uint64(src)<<32|uint64(uint32(dst))))}
}

// shared is a state with the share of the message that is in it.
type shared struct {
	state
	share int64
}

// orderStates lists states in an order that does not depend on the map.
func orderStates(states map[state]int64) []shared {
	out := make([]shared, 0, len(states))
	for s, share := range states {
		out = append(out, shared{s, share})
	}
	slices.SortFunc(out, func(a, b shared) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Last, b.Last), cmp.Compare(a.Goal, b.Goal),
			cmp.Compare(a.Marks, b.Marks), cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Class, b.Class),
			cmp.Compare(a.Turn, b.Turn), slices.Compare(a.passed[:], b.passed[:]))
	})
	return out
}

// step splits what is at a router evenly over its hops. It reports whether there are several.
func (r *router) step(x shared, arrived bool, idle *routing.State, shares map[int32]int64, next map[state]int64) (
	bool, error,
) {
	s := x.state
	hops, err := r.hops(&s, arrived, idle)
	for i, h := range hops {
		share := x.share / int64(len(hops))
		if i == 0 {
			share += x.share % int64(len(hops)) // so that nothing is lost
		}
		to := s
		if fork := to.takeHop(h, r.cfg.Network.To[h.Channel], len(hops) > 1); fork != certain {
			r.forks[h.Channel] = fork
		}
		shares[h.Channel] += share
		next[to] += share
	}
	return len(hops) > 1, err
}

// hops are those of the first tier, none for a packet that has arrived.
func (r *router) hops(s *state, arrived bool, idle *routing.State) ([]routing.Hop, error) {
	if arrived && !routing.IsSourceDecided(r.cfg.Routing) {
		r.cfg.Routing.Arrive(&s.Header, s.at, idle)
	}
	if s.HasArrived(s.at) {
		return nil, nil
	}
	hops := r.cfg.Routing.Next(&s.Header, s.at, idle, nil)
	if len(hops) == 0 {
		n := r.cfg.Network
		return nil, fmt.Errorf("flow: %w from %s to %s: %s ends at %s", routing.ErrNoWay, n.Label(s.Src),
			n.Label(s.Dst), r.cfg.Routing.Name(), n.Label(s.at))
	}
	tier := hops[0].Tier
	for _, h := range hops[1:] {
		tier = min(tier, h.Tier)
	}
	return slices.DeleteFunc(hops, func(h routing.Hop) bool { return h.Tier != tier }), nil
}
