package routing

// minimalLattice is minimal adaptive routing on tori, meshes and hypercubes: any
// channel towards the destination, in any dimension (J. Duato, IEEE TPDS 4 (12),
// 1993).
//
// No deadlock: a packet may always go on by dimension order in classes of its own,
// and then stays in them. In a ring these are two: one up to the link that closes
// the ring and another after it, as a packet may enter anywhere.
type minimalLattice struct {
	*lattice
	rings int // classes of the escape network
}

func newMinimalLattice(l *lattice) Function {
	return &minimalLattice{lattice: l, rings: l.ringClasses()}
}

func (f *minimalLattice) Name() string { return "min-adaptive" }
func (f *minimalLattice) Classes() int { return f.rings + 1 }

// AdaptiveClass implements the interface of that name.
func (f *minimalLattice) AdaptiveClass() int { return f.rings }

// SourceDecided implements the interface of that name.
func (f *minimalLattice) SourceDecided() bool { return true }

func (f *minimalLattice) Arrive(h *Header, _ int32, state *State) {
	if h.Last < 0 {
		h.Marks = state.bits()
	}
}

func (f *minimalLattice) Next(h *Header, at int32, state *State, hops []Hop) []Hop {
	if !h.Escaped {
		a, b := f.at(at), f.at(h.Goal)
		for d := range a {
			if a[d] == b[d] {
				continue
			}
			up, tie := f.way(d, a[d], b[d])
			hops = f.add(hops, at, d, a[d], b[d], up)
			if tie {
				hops = f.add(hops, at, d, a[d], b[d], !up)
			}
		}
	}
	escape, ok := f.next(h, at, false)
	if !ok {
		return hops
	}
	escape.Class = 0
	if d := f.dimension(escape.Channel); f.wraps[d] {
		from, to := f.at(at)[d], f.at(h.Goal)[d]
		up := f.up(at, escape.Channel, d)
		if !crosses(from, to, up) {
			escape.Class = 1
		}
	}
	escape.Escape, escape.Tier = true, 1
	return append(hops, escape)
}

func (f *minimalLattice) add(hops []Hop, at int32, d int, from, to uint16, up bool) []Hop {
	c, width := f.step(at, d, from, to, up)
	for i := range width {
		if c >= 0 && f.net.Works(c+i) {
			hops = append(hops, Hop{Channel: c + i, Class: uint8(f.rings)})
		}
	}
	return hops
}

// dimension is that of a channel.
func (l *lattice) dimension(c int32) int {
	a, b := l.at(l.net.From[c]), l.at(l.net.To[c])
	d := 0
	for a[d] == b[d] {
		d++
	}
	return d
}

// up reports whether a channel of a ring is the one to the next point.
func (l *lattice) up(at, c int32, d int) bool {
	first := l.net.Out(at, int32(l.ports[d].Next))
	return first >= 0 && c >= first && c < first+l.lanes[d]
}
