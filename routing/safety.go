package routing

import "fmt"

// safety is fault-tolerant routing by safety vectors (J. Wu, "Adaptive
// fault-tolerant routing in cube-based multicomputers using safety vectors",
// IEEE TPDS 9 (4), 1998), generalised to HyperX (I. Snir, "HyperX", 2021, section
// 5, with the corrections of docs/internals/reproduction.md).
//
// Bit k of a router's vector says that every router k dimensions away is reached
// by a minimal path. Bit 0 is set; bit 1 is not at an end of a failed link; bit k
// is set unless at most L-k of the L dimensions are such that all neighbours in
// them have bit k-1 and working links. With H offset dimensions, a packet goes to a
// preferred neighbour (aligned in an offset dimension) with bit H-1; under way also
// to a semi-preferred one (another one in an offset dimension) with bit H; else to
// a spare one (in an aligned dimension) with bit H+1. If there is none it is
// undeliverable, or goes by any working neighbour, the nearest first, or up and down
// a spanning tree of what works, which delivers every pair that is connected.
//
// No deadlock: the class is the number of hops made; the spanning tree is an
// escape network in the last class.
type safety struct {
	undecided
	*lattice
	vectors []uint32 // bit k of each router
	any     bool
	tree    *upDown
	limit   int // hops by the vectors or by any neighbour
}

func newSafety(n *Network, any, escape bool) (Function, error) {
	l, err := newLattice(n)
	if err != nil {
		return nil, err
	}
	if !l.full() {
		return nil, fmt.Errorf("%s is not fully joined in its dimensions", n.Graph.Family())
	}
	if len(l.dims) > 31 {
		return nil, fmt.Errorf("a lattice of %d dimensions; 31 at most", len(l.dims))
	}
	f := &safety{lattice: l, any: any, limit: len(l.dims) + 2}
	if any {
		f.limit = 2*len(l.dims) + 2
	}
	if escape {
		if f.tree, err = buildUpDown(n, homes(n)); err != nil {
			return nil, err
		}
	}
	f.compute()
	return f, nil
}

func (f *safety) Name() string {
	switch {
	case f.any:
		return "safety-vector-any"
	case f.tree != nil:
		return "safety-vector-escape"
	}
	return "safety-vector"
}

func (f *safety) Classes() int {
	if f.tree != nil {
		return f.limit + 1
	}
	return f.limit
}

// compute exchanges the vectors for L-1 rounds.
func (f *safety) compute() {
	n, dims := f.net, len(f.dims)
	f.vectors = make([]uint32, n.Routers())
	for r := range int32(n.Routers()) {
		if n.DeadRouter != nil && n.DeadRouter[r] {
			continue
		}
		f.vectors[r] = 3
		for c := n.First[r]; c < n.First[r+1]; c++ {
			if !n.Works(c) {
				f.vectors[r] = 1
			}
		}
	}
	for k := 2; k <= dims; k++ {
		for r := range int32(n.Routers()) {
			if n.DeadRouter != nil && n.DeadRouter[r] {
				continue
			}
			good := 0
			for d := range dims {
				if f.allSafe(r, d, k-1) {
					good++
				}
			}
			if good > dims-k {
				f.vectors[r] |= 1 << k
			}
		}
	}
}

// allSafe reports whether all neighbours in a dimension are behind working links
// and have a bit: behind a failed link a vector counts as zero.
func (f *safety) allSafe(r int32, d, bit int) bool {
	from := f.at(r)[d]
	for to := range uint16(f.dims[d]) {
		if to == from {
			continue
		}
		if c := f.findWorking(r, d, from, to); c < 0 || !f.safe(c, bit) {
			return false
		}
	}
	return true
}

// findWorking returns a working channel from one coordinate to another, -1 if there is
// none.
func (f *safety) findWorking(r int32, d int, from, to uint16) int32 {
	c, width := f.step(r, d, from, to, false)
	for w := range width {
		if f.net.Works(c + w) {
			return c + w
		}
	}
	return -1
}

// safe reports whether the router that a channel enters has a bit.
func (f *safety) safe(c int32, bit int) bool { return f.vectors[f.net.To[c]]>>bit&1 != 0 }

func (f *safety) Next(h *Header, at int32, state *State, hops []Hop) []Hop {
	from := len(hops)
	if !h.Escaped && int(h.Hops) < f.limit {
		hops = f.byVectors(h, at, hops)
		if len(hops) == from && f.any {
			hops = f.byAny(h, at, hops)
		}
		if len(hops) > from {
			return hops
		}
	}
	if f.tree == nil {
		return hops
	}
	descending := h.Escaped && f.tree.descends(h.Last)
	if c := f.tree.channel(at, h.Goal, descending); c >= 0 {
		hops = append(hops, Hop{Channel: c, Class: uint8(f.limit), Escape: true})
	}
	return hops
}

// byVectors offers the hops of the best kind.
func (f *safety) byVectors(h *Header, at int32, hops []Hop) []Hop {
	a, b := f.at(at), f.at(h.Goal)
	offset := 0
	for d := range a {
		if a[d] != b[d] {
			offset++
		}
	}
	from := len(hops)
	class := uint8(h.Hops)
	for d := range a {
		if a[d] != b[d] {
			if c := f.findWorking(at, d, a[d], b[d]); c >= 0 && f.safe(c, offset-1) {
				hops = append(hops, Hop{Channel: c, Class: class})
			}
		}
	}
	if len(hops) > from {
		return hops
	}
	if h.Hops > 0 {
		for d := range a {
			if a[d] != b[d] {
				hops = f.neighbours(hops, h, at, d, b[d], offset)
			}
		}
		if len(hops) > from {
			return hops
		}
	}
	for d := range a {
		if a[d] == b[d] {
			hops = f.neighbours(hops, h, at, d, b[d], offset+1)
		}
	}
	return hops
}

// neighbours offers those in a dimension, but for coordinate not, that have a bit.
func (f *safety) neighbours(hops []Hop, h *Header, at int32, d int, not uint16, bit int) []Hop {
	from := f.at(at)[d]
	for to := range uint16(f.dims[d]) {
		if to == from || to == not {
			continue
		}
		if c := f.findWorking(at, d, from, to); c >= 0 && f.safe(c, bit) && !f.back(h, c) {
			hops = append(hops, Hop{Channel: c, Class: uint8(h.Hops)})
		}
	}
	return hops
}

// back reports whether a channel leads where the packet has just come from.
func (f *safety) back(h *Header, c int32) bool {
	return h.Last >= 0 && f.net.To[c] == f.net.From[h.Last]
}

// byAny offers working neighbours, the preferred ones first, then those in offset
// dimensions, then the others.
func (f *safety) byAny(h *Header, at int32, hops []Hop) []Hop {
	a, b := f.at(at), f.at(h.Goal)
	for tier := range 3 {
		from := len(hops)
		for d := range a {
			for to := range uint16(f.dims[d]) {
				kind := 2
				if a[d] != b[d] {
					kind = 1
					if to == b[d] {
						kind = 0
					}
				}
				if to == a[d] || kind != tier {
					continue
				}
				if c := f.findWorking(at, d, a[d], to); c >= 0 && !f.back(h, c) {
					hops = append(hops, Hop{Channel: c, Class: uint8(h.Hops)})
				}
			}
		}
		if len(hops) > from {
			return hops
		}
	}
	return hops
}
