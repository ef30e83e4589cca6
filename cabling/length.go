package cabling

import (
	"math"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Side is a side of a rack as seen from the face at which a cable's port is.
type Side string

// The sides at which cables run up and down a rack.
const (
	AnySide Side = ""        // no manager: the way to the side is not measured
	Nearest Side = "nearest" // the side that is nearer; in a rack, the one that makes the shorter way
	Left    Side = "left"
	Right   Side = "right"
)

// Slack says how the length of a cable follows from the distance of its ports. The ways of Crossing and Manager belong
// to the route, of which Percent is a share; Fixed, InRack and Loop come on top of it, and RoundUp comes last.
type Slack struct {
	Fixed   units.Length // cables between racks (in containers: every cable)
	InRack  units.Length // cables inside one rack
	Percent float64      // of the route
	// Loop is coiled up at each end of a cable that leaves its rack, so that the
	// plug can be moved to another port.
	Loop units.Length
	// Crossing is the way through a rack for a cable on trays that joins a port at
	// the front with one at the rear.
	Crossing units.Length
	// Manager is the side of the rack at which cables run up and down; the way
	// from the port to it and back is part of the length.
	Manager Side
	// RoundUp makes every length a multiple of it; 0 for none.
	RoundUp units.Length
}

// Piece is one named part of a cable's length.
type Piece struct {
	Name   string
	Length units.Length
}

// Parts is what a cable's length is made of, in metres; all but Beyond are rounded to a tenth of a millimetre. On
// trays, Rise and Drop are the ways between the ports at A and B and the tray, and Run is along the trays; otherwise
// Rise and Drop are 0, and Run is the whole way from port to port.
type Parts struct {
	Rise, Run, Drop units.Length
	Beyond          units.Length // on from the boxes, out of the room; Box.Beyond
	Manager         units.Length // between the ports and the side of the rack, both ends
	Crossing        units.Length // through a rack, from front to rear
	Slack           units.Length // fixed and in proportion to the route
	Loop            units.Length // coiled up, both ends
	Rounding        units.Length // up to a whole multiple
}

// List returns the parts in the order of the fields; what is beyond the room counts as run.
func (p *Parts) List() [8]units.Length {
	return [8]units.Length{p.Rise, p.Run + p.Beyond, p.Drop, p.Manager, p.Crossing, p.Slack, p.Loop, p.Rounding}
}

// Total is the sum of all parts, rounded to a tenth of a millimetre.
func (p Parts) Total() units.Length {
	return (p.Rise + p.Run + p.Beyond + p.Drop + p.Manager + p.Crossing + p.Slack + p.Loop + p.Rounding).Round4()
}

// route is the way of the cable, without what is added to it.
func (p *Parts) route() units.Length {
	return p.Rise + p.Run + p.Beyond + p.Drop + p.Manager + p.Crossing
}

// Extend sets Slack, Loop and Rounding of a cable whose other parts are known; inRack says that it stays inside a rack,
// where it has InRack in place of Fixed and no loops.
func (s *Slack) Extend(p *Parts, inRack bool) {
	p.Slack = s.Fixed
	if inRack {
		p.Slack = s.InRack
	} else {
		p.Loop = (2 * s.Loop).Round4()
	}
	p.Slack = (p.Slack + s.proportional(p.route())).Round4()
	if s.RoundUp > 0 {
		bare := p.Total()
		steps := math.Ceil(float64((bare - 1e-9) / s.RoundUp))
		p.Rounding = (units.Length(steps)*s.RoundUp - bare).Round4()
	}
}

// proportional is the slack in proportion to a route.
func (s *Slack) proportional(route units.Length) units.Length {
	return units.Length(float64(route) * s.Percent / 100)
}

// detour is how much longer a route may become while Extend makes the cable at
// most spare longer, however its length is rounded.
func (s *Slack) detour(spare units.Length) units.Length {
	return units.Length(float64(spare-s.RoundUp) / (1 + s.Percent/100))
}

// face is where a port is in its rack.
type face struct {
	x     units.Length // from the middle of the rack, to the right as seen from the port's face
	front bool
}

// faceOf finds where a point is in the rack at a place of the room.
func faceOf(room *layout.Room, rack int32, p layout.Point) face {
	at := room.Places[rack]
	dx, dy := p.X-at.X, p.Y-at.Y
	if at.Turned {
		dx, dy = -dx, -dy
	}
	if dy <= 0 {
		return face{dx, true}
	}
	return face{-dx, false}
}

// toSide is the way from a port to a side of its rack.
func (f face) toSide(s Side, width units.Length) units.Length {
	half := width / 2
	left, right := half+f.x, half-f.x
	switch s {
	case Left:
		return max(left, 0)
	case Right:
		return max(right, 0)
	}
	return max(min(left, right), 0)
}

// manager is the way of an in-rack cable to the side of the rack and back: to one
// side, which for ports at different faces is the same side of the rack.
func manager(a, b face, s Side, width units.Length) units.Length {
	both := func(s Side) units.Length {
		other := s
		if a.front != b.front { // what is left from the front is right from the rear
			other = Left
			if s == Left {
				other = Right
			}
		}
		return a.toSide(s, width) + b.toSide(other, width)
	}
	if s == Nearest {
		return min(both(Left), both(Right))
	}
	return both(s)
}
