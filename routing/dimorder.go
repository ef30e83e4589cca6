package routing

import "fmt"

// dimOrder moves in dimension after dimension of a lattice, the first first: in a
// ring always the shorter way round, of two ways as short the one drawn at the
// source, and in a fully joined dimension in one hop.
//
// No deadlock: channels of a dimension are waited for by packets in it or in
// earlier ones only, so a cycle would lie in one ring. There packets that will
// cross the link which closes the ring use one class and the others another. A
// minimal path that crosses it leaves out the channel opposite, a path that does
// not leaves out the crossing itself, so neither class has a cycle (W. J. Dally
// and C. L. Seitz, IEEE Trans. Computers C-36 (5), 1987, with the class fixed on
// entering the ring). Where nothing wraps there is one class.
type dimOrder struct {
	*lattice
	moves   *moves // a table of what next finds; nil with bubbles, and for a lattice too large for one
	classes int
	bubble  bool
}

func newDimOrder(n *Network, _ Options) (Function, error) {
	l, err := newLattice(n)
	if err != nil {
		return nil, err
	}
	return dimOrderOn(l), nil
}

// dimOrderOn returns dimension order on a lattice, without bubbles.
func dimOrderOn(l *lattice) *dimOrder {
	return &dimOrder{lattice: l, moves: newMoves(l), classes: l.ringClasses()}
}

// ringClasses returns how many classes dimension order takes without bubbles: 2 if any dimension is a ring, else 1.
func (l *lattice) ringClasses() int {
	for _, w := range l.wraps {
		if w {
			return 2
		}
	}
	return 1
}

// newBubble returns dimension order in one class under bubble flow control: a packet
// may enter a ring only if it leaves room for another packet in the buffer that
// it enters, so a ring never fills up and its packets can always move (V.
// Puente, R. Beivide, J. A. Gregorio, J. M. Prellezo, J. Duato and C. Izu,
// "Adaptive bubble router: a design to improve performance in torus networks",
// ICPP 1999). It needs virtual cut-through and buffers of two packets, which the
// simulator checks. A lattice without rings is an error.
func newBubble(n *Network, _ Options) (Function, error) {
	l, err := newLattice(n)
	if err != nil {
		return nil, err
	}
	if l.ringClasses() == 1 {
		return nil, fmt.Errorf("%s has no rings", n.Graph.Family())
	}
	return &dimOrder{lattice: l, classes: 1, bubble: true}, nil
}

func (f *dimOrder) Name() string {
	if f.bubble {
		return "bubble"
	}
	return "dor"
}
func (f *dimOrder) Classes() int { return f.classes }

// BubbleFlow implements the interface of that name.
func (f *dimOrder) BubbleFlow() bool { return f.bubble }

// SinglePath implements the interface of that name.
func (f *dimOrder) SinglePath() bool { return true }

// SourceDecided implements the interface of that name.
func (f *dimOrder) SourceDecided() bool { return true }

// Arrive draws, at the source, a direction for each dimension.
func (f *dimOrder) Arrive(h *Header, _ int32, state *State) {
	if h.Last < 0 {
		h.Marks = state.bits()
	}
}

// Next implements Function: it appends one hop, or none where next finds none.
func (f *dimOrder) Next(h *Header, at int32, state *State, hops []Hop) []Hop {
	c, class, room := f.Step(h, at)
	if c < 0 {
		return hops
	}
	return append(hops, Hop{Channel: c, Class: class, Room: room})
}

// Step implements Stepper.
func (f *dimOrder) Step(h *Header, at int32) (channel int32, class, room uint8) {
	if f.moves != nil {
		channel, class = f.moves.next(h, at)
		return channel, class, 0
	}
	hop, ok := f.next(h, at, f.bubble)
	if !ok {
		return -1, 0, 0
	}
	return hop.Channel, hop.Class, hop.Room
}

// parallelChannel returns which of `width` parallel channels a packet to `goal` takes.
func parallelChannel(goal, width int32) int32 { return int32(uint32(goal)*2654435761>>8) % width }

// next returns the hop of dimension order towards h.Goal, under bubble flow control if bubble is true. It reports false
// at the goal, and where the channel has failed.
func (l *lattice) next(h *Header, at int32, bubble bool) (Hop, bool) {
	a, b := l.at(at), l.at(h.Goal)
	d := 0
	for d < len(a) && a[d] == b[d] {
		d++
	}
	if d == len(a) {
		return Hop{}, false
	}
	up, tie := l.way(d, a[d], b[d])
	if tie {
		up = h.Marks>>(d&31)&1 == 0
	}
	c, width := l.step(at, d, a[d], b[d], up)
	if width > 1 { // spread over parallel channels
		c += parallelChannel(h.Goal, width)
	}
	if c < 0 || !l.net.Works(c) {
		return Hop{}, false
	}
	hop := Hop{Channel: c}
	if l.wraps[d] {
		inside := h.Last >= 0 && l.net.Level[h.Last] == l.net.Level[c]
		switch {
		case bubble && !inside:
			hop.Room = 2
		case bubble:
		case inside:
			hop.Class = h.Class
		case crosses(a[d], b[d], up):
			hop.Class = 1
		}
	}
	return hop, true
}
