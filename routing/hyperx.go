package routing

import (
	"fmt"
	"math"
)

// hyperX is the adaptive functions of HyperX and flattened butterflies: Min-AD
// and DAL (J. H. Ahn et al., "HyperX: topology, routing, and packaging of
// efficient large-scale networks", SC 2009, section 2.2), and minimal adaptive
// routing of other lattices without rings.
//
// Min-AD takes any channel that aligns an offset dimension. DAL may besides take
// one hop in each offset dimension that does not align it. The paper has it do so
// where the aligning hops are "blocked" and estimates delays for Clos-AD only; as a
// switch with buffers at its inputs sees a busy output, but hardly ever a full
// buffer behind one, DAL compares the same estimates here, anew while the packet
// waits, and by itself in a dimension: the least queue of an aligning channel with
// the packet itself, against twice that of another one, which takes two hops where
// one would do.
//
// No deadlock under virtual cut-through: a packet may always go on by dimension
// order in a class of its own, which has no cycle; where it arrives it may be
// adaptive again. Hops are few: one for each dimension, two with DAL.
//
// With byHops the class is the number of hops made, of two for each dimension, and
// no class is set apart. No deadlock under any switching: a packet waits for later
// classes only than those that it holds.
type hyperX struct {
	undecided
	*lattice
	deroutes  bool
	byHops    bool
	threshold int // packets times hops by which aligning hops are preferred
}

func newMinAD(n *Network, _ Options) (Function, error) { return newHyperX(n, hyperX{}) }

func newDAL(n *Network, opt Options) (Function, error) {
	return newHyperX(n, hyperX{deroutes: true, threshold: opt.Threshold})
}

func newDALByHops(n *Network, opt Options) (Function, error) {
	return newHyperX(n, hyperX{deroutes: true, byHops: true, threshold: opt.Threshold})
}

func newHyperX(n *Network, f hyperX) (Function, error) {
	l, err := newFull(n)
	if err != nil {
		return nil, err
	}
	if len(l.dims) > 32 {
		return nil, fmt.Errorf("a lattice of %d dimensions; 32 at most", len(l.dims))
	}
	f.lattice = l
	return &f, nil
}

// newFull is the lattice of a network that is fully joined in its dimensions.
func newFull(n *Network) (*lattice, error) {
	l, err := newLattice(n)
	if err == nil && !l.full() {
		err = fmt.Errorf("%s is not fully joined in its dimensions", n.Graph.Family())
	}
	return l, err
}

func (f *hyperX) Name() string {
	switch {
	case f.byHops:
		return "dal-hops"
	case f.deroutes:
		return "dal"
	}
	return "min-ad"
}

func (f *hyperX) Classes() int {
	if f.byHops {
		return 2 * len(f.dims)
	}
	return 2
}

// AdaptiveClass implements the interface of that name.
func (f *hyperX) AdaptiveClass() int {
	if f.byHops {
		return -1
	}
	return 1
}

// LoadUse implements LoadAware.
func (f *hyperX) LoadUse() LoadUse { return LoadUse{Waiting: f.deroutes} }

func (f *hyperX) Next(h *Header, at int32, state *State, hops []Hop) []Hop {
	from := len(hops)
	hops = f.align(h, at, hops)
	if f.deroutes {
		aside := len(hops)
		hops = f.deroute(h, at, hops)
		if state.hasLoads() {
			hops = f.weigh(state, hops, from, aside)
		}
	}
	if f.byHops {
		for i := from; i < len(hops); i++ {
			hops[i].Class = uint8(h.Hops)
		}
		return hops
	}
	escape, ok := f.next(h, at, false)
	if ok {
		escape.Escape, escape.Tier = true, 2
		hops = append(hops, escape)
	}
	return hops
}

// align appends the hops that align an offset dimension.
func (f *hyperX) align(h *Header, at int32, hops []Hop) []Hop {
	a, b := f.at(at), f.at(h.Goal)
	for d := range a {
		if a[d] != b[d] {
			hops = f.add(hops, at, d, a[d], b[d], Hop{Class: 1})
		}
	}
	return hops
}

// deroute appends the hops that do not align a dimension, in those that the packet
// has not derouted in yet.
func (f *hyperX) deroute(h *Header, at int32, hops []Hop) []Hop {
	a, b := f.at(at), f.at(h.Goal)
	for d := range a {
		if a[d] == b[d] || h.Marks>>d&1 != 0 {
			continue
		}
		for i := range uint16(f.dims[d]) {
			if i != a[d] && i != b[d] {
				hops = f.add(hops, at, d, a[d], i, Hop{Class: 1, Tier: 1, Mark: 1 << d})
			}
		}
	}
	return hops
}

// add appends the hops over the working channels to a coordinate.
func (f *hyperX) add(hops []Hop, at int32, d int, from, to uint16, hop Hop) []Hop {
	c, width := f.step(at, d, from, to, false)
	for w := range width {
		if f.net.Works(c + w) {
			hop.Channel = c + w
			hops = append(hops, hop)
		}
	}
	return hops
}

// weigh leaves, of the hops from a place on, those with the least queue that align a
// dimension or, if that seems faster, of those from aside on, which do not.
func (f *hyperX) weigh(state *State, hops []Hop, from, aside int) []Hop {
	group := hops[from:aside]
	queue := leastLoad(state, group)
	if other := hops[aside:]; len(other) > 0 {
		detour := leastLoad(state, other)
		if len(group) == 0 || queue+1 > 2*(detour+1)+f.threshold {
			group, queue = other, detour
		}
	}
	n := from
	for _, hop := range group {
		if state.load(hop.Channel) == queue {
			hop.Tier = 0
			hops[n] = hop
			n++
		}
	}
	return hops[:n]
}

func leastLoad(state *State, hops []Hop) int {
	least := math.MaxInt
	for _, hop := range hops {
		least = min(least, state.load(hop.Channel))
	}
	return least
}

// closAD finds the intermediates of Clos-AD: the lowest common ancestors in the folded
// Clos network that a flattened butterfly is made of, which differ from the source in
// dimensions up to the highest offset one only.
type closAD struct{ *lattice }

// newClosAD is Clos-AD as its authors have it (J. Kim, W. J. Dally and D. Abts,
// "Flattened butterfly", ISCA 2007, section 3.1): at the source it compares queues
// and goes either by dimension order or to an intermediate and, by dimension order
// again, from there. It gets to the intermediate as it would adaptively to the middle
// stage of the Clos network: in one dimension after the other by the channel with the
// shortest queue there. One of the ancestors in each dimension is the router itself,
// for which Kim has a dummy queue; here it has its turn by chance.
//
// With random the intermediate is drawn at the source, as in SC 2009, section 2.2: "a
// randomly chosen lowest common ancestor".
//
// No deadlock: either leg is by dimension order; see twoPhase.
func newClosAD(n *Network, opt Options, random bool) (Function, error) {
	l, err := newFull(n)
	if err != nil {
		return nil, err
	}
	x := closAD{l}
	f := &twoPhase{
		name: "clos-ad", net: n, inner: &dimOrder{lattice: l, classes: 1}, choose: ugal(localCosts),
		loads: LoadUse{Read: true}, threshold: opt.Threshold, via: x.ascend, climb: x.climb,
	}
	if random {
		f.name, f.via, f.climb = "clos-ad-random", x.draw, nil
	}
	return f, nil
}

// above is the number of dimensions up to the highest offset one of a packet.
func (x closAD) above(h *Header) int {
	a, b := x.at(h.Src), x.at(h.Dst)
	top := len(a)
	for top > 0 && a[top-1] == b[top-1] {
		top--
	}
	return top
}

// draw draws an ancestor.
func (x closAD) draw(h *Header, state *State) int32 {
	return x.rest(h.Src, 0, x.above(h), state)
}

// rest draws the coordinates of some dimensions of an intermediate, the others being
// those of a router.
func (x closAD) rest(at int32, from, to int, state *State) int32 {
	a, via := x.at(at), at
	for d := from; d < to; d++ {
		via += (int32(state.draw(x.dims[d])) - int32(a[d])) * x.stride[d]
	}
	return via
}

// ascend is an ancestor by the shortest queue of the first dimension that the packet
// moves in; it is drawn in those after it, until the packet gets there.
func (x closAD) ascend(h *Header, state *State) int32 { return x.from(h, h.Src, 0, state) }

func (x closAD) climb(h *Header, at int32, state *State) int32 {
	return x.from(h, at, x.dimension(h.Last)+1, state)
}

func (x closAD) from(h *Header, at int32, first int, state *State) int32 {
	top := x.above(h)
	a := x.at(at)
	for d := first; d < top; d++ {
		if state.draw(x.dims[d]) == 0 {
			continue // it stays
		}
		best, least, ties := a[d], math.MaxInt, 0
		for to := range uint16(x.dims[d]) {
			if to == a[d] {
				continue
			}
			c, _ := x.step(at, d, a[d], to, false)
			queue := state.load(c)
			if queue > least {
				continue
			}
			if queue < least {
				least, ties = queue, 0
			}
			if ties++; state.draw(ties) == 0 {
				best = to
			}
		}
		return x.rest(at, d+1, top, state) + (int32(best)-int32(a[d]))*x.stride[d]
	}
	return at
}
