package routing

import (
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/internal/splitmix"
	"github.com/plenum-planner/plenum/topology"
)

// isDragonfly reports whether the functions of dragonflies fit: with failures, and
// where terminals have several channels, the generic ones take their place.
func isDragonfly(n *Network) bool {
	_, ok := n.Graph.(topology.Grouped)
	return ok && n.Dead == nil && n.Ends == nil
}

// dragonfly is minimal routing in a dragonfly: to a router of the group that has a
// channel to the other group, over it, and to the destination (J. Kim, W. J. Dally,
// S. Scott and D. Abts, "Technology-driven, highly-scalable dragonfly topology",
// ISCA 2008, section 4.1). A path of two global channels is never taken, even if it
// has fewer hops. In a dragonfly of leaves and spines the local hops lead up and
// down.
//
// No deadlock: the class is the number of global channels taken. Channels of the
// first class are waited for in the order local, global; those of the second are
// local ones. Where a leg has two local hops in a group, one leads up and the next
// down, or the level of the next is higher: in a group of two dimensions a packet
// goes along the first before the second.
//
// Where groups are local networks of a topology.Composed, the local hops are a minimal path of these, and the class is
// the number of global channels taken, times their diameter, and the hops made in the present group.
type dragonfly struct {
	undecided
	*groups
	net      *Network
	adaptive bool
	inner    *local // nil for groups of diameter 2 at most
}

// groups is what is known of the groups of a dragonfly.
type groups struct {
	count   int
	of      []int32 // group of each router
	place   []int32 // of each router in its group
	size    int     // routers of a group
	member  []int32 // router by group and place
	local   []int32 // channel from a router to the one at a place of its group, -1
	firstOf []int32 // global channels by pair of groups
	global  []int32
	ends    [][]int32 // routers with terminals, by group
}

func newGroups(n *Network, nest topology.Grouping) *groups {
	g := &groups{count: nest.Count, of: make([]int32, n.Routers()), place: make([]int32, n.Routers())}
	sizes := make([]int32, nest.Count)
	for r, v := range n.Vertex {
		g.of[r] = nest.Of(int(v))
		g.place[r] = sizes[g.of[r]]
		sizes[g.of[r]]++
	}
	g.size = int(sizes[0])
	g.member = make([]int32, nest.Count*g.size)
	g.local = make([]int32, n.Routers()*g.size)
	for r := range g.of {
		g.member[int(g.of[r])*g.size+int(g.place[r])] = int32(r)
	}
	for i := range g.local {
		g.local[i] = -1
	}
	g.firstOf = make([]int32, nest.Count*nest.Count+1)
	for c, to := range n.To {
		from := n.From[c]
		if g.of[from] == g.of[to] {
			g.local[int(from)*g.size+int(g.place[to])] = int32(c)
		} else {
			g.firstOf[g.pair(from, to)+1]++
		}
	}
	for i := range nest.Count * nest.Count {
		g.firstOf[i+1] += g.firstOf[i]
	}
	g.global = make([]int32, g.firstOf[len(g.firstOf)-1])
	next := append([]int32(nil), g.firstOf...)
	for c, to := range n.To {
		if from := n.From[c]; g.of[from] != g.of[to] {
			p := g.pair(from, to)
			g.global[next[p]] = int32(c)
			next[p]++
		}
	}
	g.ends = make([][]int32, nest.Count)
	seen := make([]bool, n.Routers())
	for _, r := range n.Home {
		if !seen[r] {
			seen[r] = true
			g.ends[g.of[r]] = append(g.ends[g.of[r]], r)
		}
	}
	return g
}

func (g *groups) pair(from, to int32) int { return int(g.of[from])*g.count + int(g.of[to]) }

// between lists the channels from one router's group to another's.
func (g *groups) between(from, to int32) []int32 {
	p := g.pair(from, to)
	return g.global[g.firstOf[p]:g.firstOf[p+1]]
}

// within is the channel to another router of the group, -1 if there is none.
func (g *groups) within(from, to int32) int32 { return g.local[int(from)*g.size+int(g.place[to])] }

func newDragonflyMinimal(n *Network, adaptive bool) (*dragonfly, error) {
	g, ok := n.Graph.(topology.Grouped)
	if !ok || !isDragonfly(n) {
		return nil, fmt.Errorf("%s is not a dragonfly without failures whose terminals have one channel each",
			n.Graph.Family())
	}
	f := &dragonfly{net: n, groups: newGroups(n, g.RoutingGroups()), adaptive: adaptive}
	var err error
	if f.inner, err = newLocal(n); err != nil {
		return nil, err
	}
	if c := f.Classes(); c > 255/3 {
		return nil, fmt.Errorf("paths through local networks of diameter %d need %d virtual channels for each leg; %d "+
			"at most", f.inner.diameter, c, 255/3)
	}
	return f, nil
}

func (f *dragonfly) Name() string {
	if f.adaptive {
		return "min-adaptive"
	}
	return "minimal"
}

func (f *dragonfly) Classes() int {
	if f.inner != nil {
		return 2 * f.inner.diameter
	}
	return 2
}

// SinglePath implements the interface of that name.
func (f *dragonfly) SinglePath() bool { return !f.adaptive }

func (f *dragonfly) Next(h *Header, at int32, state *State, hops []Hop) []Hop {
	var class uint8
	if h.Last >= 0 {
		class = h.Class
		switch global := f.of[f.net.From[h.Last]] != f.of[at]; {
		case global:
			class = uint8(f.Classes() / 2)
		case f.inner != nil:
			class++
		}
	}
	from := len(hops)
	if f.of[at] == f.of[h.Goal] {
		hops = f.inside(hops, at, h.Goal, class)
	} else {
		hops = f.appendGlobalHops(hops, at, h, class)
	}
	if found := hops[from:]; !f.adaptive && len(found) > 1 {
		found[0] = found[splitmix.First(uint64(at)<<32|uint64(uint32(h.Goal)))%uint64(len(found))]
		hops = hops[:from+1]
	}
	return hops
}

// nearer appends the hops of minimal paths in a local network that are not among those from a number on.
func (f *dragonfly) nearer(hops []Hop, from int, at, to int32, class uint8) []Hop {
	var space [64]int32
	for _, c := range f.inner.channels(at, to, space[:0]) {
		if !slices.ContainsFunc(hops[from:], func(h Hop) bool { return h.Channel == c }) {
			hops = append(hops, Hop{Channel: c, Class: class})
		}
	}
	return hops
}

// inside appends the hop to a router of the group, or those to routers next to it.
func (f *dragonfly) inside(hops []Hop, at, to int32, class uint8) []Hop {
	if f.inner != nil {
		return f.nearer(hops, len(hops), at, to, class)
	}
	if c := f.within(at, to); c >= 0 {
		return append(hops, Hop{Channel: c, Class: class})
	}
	for p := range f.size {
		c := f.local[int(at)*f.size+p]
		if c < 0 {
			continue
		}
		if next := f.within(f.net.To[c], to); next >= 0 && f.net.Level[c] <= f.net.Level[next] {
			hops = append(hops, Hop{Channel: c, Class: class})
		}
	}
	return hops
}

// appendGlobalHops appends the global channels to the group of a packet's goal, or else the hops to routers that have
// one or are next to one that has, those of the shortest paths.
func (f *dragonfly) appendGlobalHops(hops []Hop, at int32, h *Header, class uint8) []Hop {
	from, best, to := len(hops), math.MaxInt, h.Goal
	level := int32(-1) // below which a local hop would turn back to an earlier dimension
	if h.Last >= 0 && f.of[f.net.From[h.Last]] == f.of[at] {
		level = f.net.Level[h.Last]
	}
	for _, c := range f.between(at, to) {
		length := f.length(at, to, c)
		if length > best {
			continue
		}
		if length < best {
			hops, best = hops[:from], length
		}
		gate := f.net.From[c]
		if f.inner != nil {
			if gate != at {
				hops = f.nearer(hops, from, at, gate, class)
			} else {
				hops = append(hops, Hop{Channel: c})
			}
			continue
		}
		if gate != at {
			c = f.toward(at, gate)
			if c < 0 || f.net.Level[c] < level {
				continue
			}
		}
		if n := len(hops); n > from && hops[n-1].Channel == c {
			continue
		}
		hops = append(hops, Hop{Channel: c, Class: class})
	}
	return hops
}

// toward is the channel to a router of the group, or to the one from which a channel of a
// higher level leads there; -1 if there is none, as from leaf to leaf, where no global
// channel starts.
func (f *dragonfly) toward(at, gate int32) int32 {
	if c := f.within(at, gate); c >= 0 {
		return c
	}
	for p := range f.size {
		c := f.local[int(at)*f.size+p]
		if c < 0 {
			continue
		}
		if next := f.within(f.net.To[c], gate); next >= 0 && f.net.Level[c] < f.net.Level[next] {
			return c
		}
	}
	return -1
}

// length is that of the path over a global channel.
func (f *dragonfly) length(at, to, c int32) int {
	return f.inGroup(at, f.net.From[c]) + 1 + f.inGroup(f.net.To[c], to)
}

// inGroup is the distance of two routers of a group.
func (f *dragonfly) inGroup(a, b int32) int {
	switch {
	case f.inner != nil:
		return f.inner.hops(a, b)
	case a == b:
		return 0
	case f.within(a, b) >= 0:
		return 1
	}
	return 2
}

// HopCount implements HopCounter.
func (f *dragonfly) HopCount(from, to int32) int {
	if f.of[from] == f.of[to] {
		return f.inGroup(from, to)
	}
	best := math.MaxInt
	for _, c := range f.between(from, to) {
		best = min(best, f.length(from, to, c))
	}
	return best
}

// newDragonfly is the functions of a dragonfly that take an intermediate: Valiant,
// UGAL-L, UGAL-G, and PAR, which lets a packet on its minimal path choose again at
// every router of its group (J. Kim et al., ISCA 2008, section 4; N. Jiang, J.
// Kim and W. J. Dally, "Indirect adaptive routing on large scale interconnection
// networks", ISCA 2009: PAR). The intermediate is the router at which a random
// global channel enters a random other group, or the nearest with terminals.
func newDragonfly(n *Network, name string, opt Options) (Function, error) {
	inner, err := newDragonflyMinimal(n, name != "valiant")
	if err != nil {
		return nil, err
	}
	f := newTwoPhase(n, name, inner, inner.via, opt)
	if name == "par" {
		f.again = func(h *Header, at int32) bool {
			group := inner.of[at]
			return group == inner.of[h.Src] && group != inner.of[h.Dst] && len(inner.ends[group]) == inner.size
		}
	}
	return f, nil
}

// via draws an intermediate; the destination itself if there is no other group.
func (f *dragonfly) via(h *Header, state *State) int32 {
	from, to := f.of[h.Src], f.of[h.Dst]
	others := f.count - 2
	if from == to {
		others++
	}
	if others < 1 {
		return h.Dst
	}
	group := int32(state.draw(others))
	low, high := min(from, to), max(from, to)
	if group >= low {
		group++
	}
	if low != high && group >= high {
		group++
	}
	channels := f.between(h.Src, f.member[int(group)*f.size])
	gate := f.net.To[channels[state.draw(len(channels))]]
	ends := f.ends[group]
	if len(ends) < f.size { // it is a spine
		return ends[state.draw(len(ends))]
	}
	return gate
}
