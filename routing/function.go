package routing

import "math/rand/v2"

// Header is what a packet carries for its routing.
type Header struct {
	Src, Dst int32  // routers
	Goal     int32  // router that it is sent to now: Dst, or an intermediate
	Last     int32  // channel by which it came, -1 at the source
	Marks    uint32 // bits of the function
	Hops     uint16 // made so far
	Turn     uint16 // of them, those made before it reached its intermediate
	Class    uint8  // of the last hop
	Phase    uint8  // of the function
	Escaped  bool   // it has taken an escape hop
}

// NewHeader is the header of a packet at its source.
func NewHeader(src, dst int32) Header {
	return Header{Src: src, Dst: dst, Goal: dst, Last: -1}
}

// Take records a hop.
func (h *Header) Take(hop Hop) {
	h.Last, h.Class = hop.Channel, hop.Class
	h.Marks |= hop.Mark
	h.Hops++
	h.Escaped = h.Escaped || hop.Escape
}

// Arrived tells whether the packet is at its end at a router.
func (h *Header) Arrived(at int32) bool { return at == h.Dst && h.Goal == h.Dst }

// Hop is a step that a packet may take.
type Hop struct {
	Channel int32
	Mark    uint32 // bits that Take sets in Header.Marks
	Class   uint8  // of the virtual channels to use
	Tier    uint8  // 0 first
	Room    uint8  // packets for which the next buffer must have room; 0 counts as 1
	Escape  bool   // of the escape network: what a packet waits for
}

// Look is what a router sees of the network's state. A nil Look is of an idle
// network, and ties are then decided the same way each time.
type Look struct {
	// Wait is the number of packets that wait for each channel; nil if loads are not
	// known.
	Wait []int32
	// Sent is the number of packets sent over each channel whose room is not known to
	// be free again, less those of a round trip: a channel in full use behind which
	// nothing waits has that many under way, more the longer it is.
	Sent []int32
	Rand *rand.Rand
	hops []Hop // room for those of a path that is only considered
}

// loaded tells whether loads are known.
func (l *Look) loaded() bool { return l != nil && l.Wait != nil }

// load is the number of packets ahead on a channel: those that wait for it, and
// those beyond its round trip that wait behind it.
func (l *Look) load(channel int32) int {
	if !l.loaded() || channel < 0 {
		return 0
	}
	return int(l.Wait[channel] + max(l.Sent[channel], 0))
}

// scratch is an empty list of hops, to be given back with keep.
func (l *Look) scratch() []Hop {
	if l == nil {
		return nil
	}
	return l.hops[:0]
}

func (l *Look) keep(hops []Hop) {
	if l != nil {
		l.hops = hops
	}
}

// draw is a random number below n; 0 without a source.
func (l *Look) draw(n int) int {
	if l == nil || l.Rand == nil || n < 2 {
		return 0
	}
	return int(l.Rand.Uint32N(uint32(n)))
}

func (l *Look) bits() uint32 {
	if l == nil || l.Rand == nil {
		return 0
	}
	return l.Rand.Uint32()
}

// Function is a routing function on one network. It is not changed by use: many
// goroutines may call it at once.
type Function interface {
	// Name is that by which New knows it.
	Name() string
	// Classes is the number of classes of virtual channels that it needs.
	Classes() int
	// Arrive takes the decisions of a packet that has come to a router; at the
	// source too, where h.Hops is 0. It is called once at each router.
	Arrive(h *Header, at int32, look *Look)
	// Next appends the hops that the packet may take from a router that is not
	// its end. None means that it cannot be delivered.
	Next(h *Header, at int32, look *Look, hops []Hop) []Hop
}

// steady is embedded in functions that decide nothing on arrival.
type steady struct{}

func (steady) Arrive(*Header, int32, *Look) {}
func (steady) decidesAtSource()             {}

// single is a Function that offers one hop at most, which does not depend on
// the state of the network once Arrive has been called.
type single interface{ single() bool }

// Single tells whether f offers at most one hop everywhere, which does not
// change while the packet waits.
func Single(f Function) bool {
	s, ok := f.(single)
	return ok && s.single()
}

// Looks tells whether the loads of channels matter to f.
func Looks(f Function) bool {
	t, ok := f.(*twoPhase)
	return ok && t.looks || Watches(f)
}

// Watches tells whether the hops that f offers to a packet change with the loads of
// channels while it waits.
func Watches(f Function) bool {
	x, ok := f.(*hyperX)
	return ok && x.deroutes
}

// LooksFar tells whether f looks at loads of channels of other routers than the one
// that it decides for.
func LooksFar(f Function) bool {
	t, ok := f.(*twoPhase)
	return ok && t.far
}

// decidesAtSource is a Function whose Arrive does nothing but at the source.
type decidesAtSource interface{ decidesAtSource() }

// AtSourceOnly tells whether Arrive need be called at the source only.
func AtSourceOnly(f Function) bool {
	_, ok := f.(decidesAtSource)
	return ok
}

// spare is a Function with a class that takes all the virtual channels which
// the others do not need.
type spare interface{ spare() int }

// Range is virtual channels From ... To-1.
type Range struct{ From, To int }

// Split shares vcs virtual channels among the classes of f: one each and the rest
// to the adaptive class if there is one, evenly otherwise. It returns nil if there
// are too few.
func Split(f Function, vcs int) []Range {
	classes := f.Classes()
	if vcs < classes {
		return nil
	}
	out := make([]Range, classes)
	adaptive := -1
	if s, ok := f.(spare); ok {
		adaptive = s.spare()
	}
	at := 0
	for c := range out {
		n := 1
		switch {
		case adaptive < 0:
			n = (c+1)*vcs/classes - c*vcs/classes
		case c == adaptive:
			n = vcs - classes + 1
		}
		out[c] = Range{at, at + n}
		at += n
	}
	return out
}

// counter is a Function that knows how many hops its minimal paths have.
type counter interface {
	hops(from, to int32) int
}
