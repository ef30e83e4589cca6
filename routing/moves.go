package routing

import "math/bits"

// moves is where dimension order goes from one coordinate of a dimension to another, for all of them: what way, step
// and crosses tell, without asking.
type moves struct {
	net    *Network
	packed []uint64 // coordinates of each router, 16 bits a dimension
	dims   [4]dimMoves
	to     []move
}

// dimMoves is where those of a dimension are.
type dimMoves struct {
	first int32 // the one from*side + to is in first + that
	side  int32
}

// A move is a step in one dimension. Of two ways as short, the mark of the packet tells which: otherwise both are the
// same.
type move struct {
	port  [2]int32 // by the mark: the first port
	width int32    // parallel channels
	class [2]uint8 // by the mark: 1 if the way leads over the link that closes the ring
	ring  bool     // whether the dimension is one
}

// mostMoves is the most moves of a dimension that are kept, some 1 MB.
const mostMoves = 1 << 16

// newMoves returns nil where there are too many dimensions, or too many coordinates in one.
func newMoves(l *lattice) *moves {
	m := &moves{net: l.net, packed: make([]uint64, l.net.Routers())}
	if len(l.dims) > len(m.dims) {
		return nil
	}
	for d, side := range l.dims {
		if side*side > mostMoves {
			return nil
		}
		m.dims[d] = dimMoves{int32(len(m.to)), int32(side)}
		for from := range side {
			for goal := range side {
				m.to = append(m.to, l.move(d, uint16(from), uint16(goal)))
			}
		}
	}
	for r := range m.packed {
		for d, x := range l.at(int32(r)) {
			m.packed[r] |= uint64(x) << (16 * d)
		}
	}
	return m
}

// move is the step from one coordinate of a dimension towards another.
func (l *lattice) move(d int, from, to uint16) move {
	m := move{ring: l.wraps[d]}
	for mark := range m.port {
		up, tie := l.way(d, from, to)
		if tie {
			up = mark == 0
		}
		port, width := l.port(d, from, to, up)
		m.port[mark], m.width = port, width
		if m.ring && crosses(from, to, up) {
			m.class[mark] = 1
		}
	}
	return m
}

// next is lattice.next, without bubbles: a channel, -1 if there is none, and the class.
func (m *moves) next(h *Header, at int32) (channel int32, class uint8) {
	here, goal := m.packed[at], m.packed[h.Goal]
	if here == goal {
		return -1, 0
	}
	d := bits.TrailingZeros64(here^goal) >> 4 & 3
	from, to := int32(uint16(here>>(16*d))), int32(uint16(goal>>(16*d)))
	dim := &m.dims[d]
	step := &m.to[dim.first+from*dim.side+to]
	mark := h.Marks >> d & 1
	n := m.net
	c := n.Out(at, step.port[mark])
	if step.width > 1 {
		c += parallelChannel(h.Goal, step.width)
	}
	if c < 0 || !n.Works(c) {
		return -1, 0
	}
	turned := uint32(step.class[mark])
	if step.ring {
		// Whether a packet has come in the same dimension cannot be foreseen: no jump here waits for it.
		source := h.Last >> 31
		own := uint32(h.Class)
		if n.Level[h.Last&^source]^n.Level[c]|source == 0 {
			turned = own
		}
	}
	return c, uint8(turned)
}
