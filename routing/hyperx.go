package routing

import "fmt"

// hyperX is the adaptive functions of HyperX and flattened butterflies: Min-AD
// and DAL (J. H. Ahn et al., "HyperX: topology, routing, and packaging of
// efficient large-scale networks", SC 2009, section 2.2), and minimal adaptive
// routing of other lattices without rings.
//
// Min-AD takes any channel that aligns an offset dimension. DAL may besides take
// one hop in each offset dimension that does not align it, if no other channel is
// free.
//
// No deadlock under virtual cut-through: a packet may always go on by dimension
// order in a class of its own, which has no cycle; where it arrives it may be
// adaptive again. Hops are few: one for each dimension, two with DAL.
type hyperX struct {
	steady
	*lattice
	deroutes bool
}

func newMinAD(n *Network, _ Options) (Function, error) { return newHyperX(n, false) }
func newDAL(n *Network, _ Options) (Function, error)   { return newHyperX(n, true) }

func newHyperX(n *Network, deroutes bool) (Function, error) {
	l, err := newLattice(n)
	if err != nil {
		return nil, err
	}
	if !l.full() {
		return nil, fmt.Errorf("%s is not fully joined in its dimensions", n.Graph.Family())
	}
	if len(l.dims) > 32 {
		return nil, fmt.Errorf("a lattice of %d dimensions; 32 at most", len(l.dims))
	}
	return &hyperX{lattice: l, deroutes: deroutes}, nil
}

func (f *hyperX) Name() string {
	if f.deroutes {
		return "dal"
	}
	return "min-ad"
}

func (f *hyperX) Classes() int { return 2 }
func (f *hyperX) spare() int   { return 1 }

func (f *hyperX) Next(h *Header, at int32, look *Look, hops []Hop) []Hop {
	escape, ok := f.next(h, at, false)
	escape.Escape, escape.Tier = true, 2
	a, b := f.at(at), f.at(h.Goal)
	for d := range a {
		if a[d] == b[d] {
			continue
		}
		c, width := f.step(at, d, a[d], b[d], false)
		for w := range width {
			if f.net.Works(c + w) {
				hops = append(hops, Hop{Channel: c + w, Class: 1})
			}
		}
	}
	if f.deroutes {
		for d := range a {
			if a[d] != b[d] && h.Marks>>d&1 == 0 {
				hops = f.deroute(hops, at, d, a[d], b[d])
			}
		}
	}
	if ok {
		hops = append(hops, escape)
	}
	return hops
}

// deroute appends the hops in a dimension that do not align it.
func (f *hyperX) deroute(hops []Hop, at int32, d int, from, to uint16) []Hop {
	for i := range uint16(f.dims[d]) {
		if i == from || i == to {
			continue
		}
		c, width := f.step(at, d, from, i, false)
		for w := range width {
			if f.net.Works(c + w) {
				hops = append(hops, Hop{Channel: c + w, Class: 1, Tier: 1, Mark: 1 << d})
			}
		}
	}
	return hops
}

// newClosAD is Clos-AD (J. Kim, W. J. Dally and D. Abts, "Flattened butterfly",
// ISCA 2007, section 3.1): at the source it compares queues and goes either by
// dimension order or, by dimension order too, to a random intermediate, which
// differs from the source in dimensions up to the highest offset one only, as a
// lowest common ancestor in the folded Clos network would.
func newClosAD(n *Network, opt Options) (Function, error) {
	l, err := newLattice(n)
	if err != nil {
		return nil, err
	}
	if !l.full() {
		return nil, fmt.Errorf("%s is not fully joined in its dimensions", n.Graph.Family())
	}
	inner := &dimOrder{lattice: l, classes: 1}
	f := &twoPhase{name: "clos-ad", net: n, inner: inner, choose: ugalLocal, looks: true, threshold: opt.Threshold}
	f.via = func(h *Header, look *Look) int32 {
		a, b := l.at(h.Src), l.at(h.Dst)
		top := len(a) - 1
		for top >= 0 && a[top] == b[top] {
			top--
		}
		via := h.Src
		for d := range top + 1 {
			via += (int32(look.draw(l.dims[d])) - int32(a[d])) * l.stride[d]
		}
		return via
	}
	return f, nil
}
