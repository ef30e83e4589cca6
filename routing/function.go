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
	h.Cross(hop.Channel, hop.Class)
	h.Marks |= hop.Mark
	h.Escaped = h.Escaped || hop.Escape
}

// Cross is Take of a hop that marks nothing and is not of an escape network.
func (h *Header) Cross(channel int32, class uint8) {
	h.Last, h.Class = channel, class
	h.Hops++
}

// HasArrived reports whether the packet is at its end at a router.
func (h *Header) HasArrived(at int32) bool { return at == h.Dst && h.Goal == h.Dst }

// Hop is a step that a packet may take.
type Hop struct {
	Channel int32
	Mark    uint32 // bits that Take sets in Header.Marks
	Class   uint8  // of the virtual channels to use
	Tier    uint8  // 0 first
	Room    uint8  // packets for which the next buffer must have room; 0 counts as 1
	Escape  bool   // of the escape network: what a packet waits for
}

// State is what a router knows of the network at a time. A nil State is of an idle
// network, and ties are then decided the same way each time.
type State struct {
	// Wait is the number of packets that wait for each channel; nil if loads are not
	// known.
	Wait []int32
	// Sent is the number of packets sent over each channel whose room is not known to
	// be free again, less those of a round trip: a channel in full use behind which
	// nothing waits has that many under way, more the longer it is.
	Sent []int32
	// Seen is the loads of channels as other routers know them: those from before what happens at this time, so that
	// it does not matter which router is looked at first. If nil, they are those of Wait and Sent.
	Seen []int32
	Rand *rand.Rand
	hops []Hop // room for those of a path that is only considered
	next []Hop // room for those of a router on a path that is followed
}

// hasLoads reports whether loads are known.
func (s *State) hasLoads() bool { return s != nil && s.Wait != nil }

// load is the number of packets ahead on a channel: those that wait for it, and
// those beyond its round trip that wait behind it.
func (s *State) load(channel int32) int {
	if !s.hasLoads() || channel < 0 {
		return 0
	}
	return int(s.Wait[channel] + max(s.Sent[channel], 0))
}

// loadSeen returns the load of a channel of another router.
func (s *State) loadSeen(channel int32) int {
	if !s.hasLoads() || s.Seen == nil {
		return s.load(channel)
	}
	return int(s.Seen[channel])
}

// scratch is an empty list of hops, to be given back with keep.
func (s *State) scratch() []Hop {
	if s == nil {
		return nil
	}
	return s.hops[:0]
}

// keep takes back a list of scratch, which may have grown.
func (s *State) keep(hops []Hop) {
	if s != nil {
		s.hops = hops
	}
}

// draw is a random number below n; 0 without a source.
func (s *State) draw(n int) int {
	if s == nil || s.Rand == nil || n < 2 {
		return 0
	}
	return int(s.Rand.Uint32N(uint32(n)))
}

// bits are random; 0 without a source.
func (s *State) bits() uint32 {
	if s == nil || s.Rand == nil {
		return 0
	}
	return s.Rand.Uint32()
}

// Function is a routing function on one network. It is not changed by use: many goroutines may call it at once, each
// with a State of its own. What else it can say of itself is in the interfaces of one method of this package, such as
// SinglePath.
type Function interface {
	// Name is its name in the list of Functions; it may differ from the name that New was asked for.
	Name() string
	// Classes is the number of classes of virtual channels that it needs.
	Classes() int
	// Arrive takes the decisions of a packet that has come to a router; at the
	// source too, where h.Hops is 0. It is called once at each router.
	Arrive(h *Header, at int32, state *State)
	// Next appends the hops that the packet may take from a router that is not
	// its end. None means that it cannot be delivered.
	Next(h *Header, at int32, state *State, hops []Hop) []Hop
}

// undecided is embedded in functions that decide nothing on arrival.
type undecided struct{}

func (undecided) Arrive(*Header, int32, *State) {}
func (undecided) SourceDecided() bool           { return true }
func (undecided) Undecided() bool               { return true }

// Range is virtual channels From ... To-1.
type Range struct{ From, To int }

// Split shares vcs virtual channels among the classes of f, in the order of classes: one each and the rest to the
// adaptive class if there is one, evenly otherwise. It returns nil if there are fewer channels than classes.
func Split(f Function, vcs int) []Range {
	classes := f.Classes()
	if vcs < classes {
		return nil
	}
	out := make([]Range, classes)
	adaptive := -1
	if a, ok := f.(AdaptiveClass); ok {
		adaptive = a.AdaptiveClass()
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
