package cabling

import (
	"math"

	"plenum/layout"
	"plenum/units"
)

// Mode is how the length of a cable is measured.
type Mode string

// The modes.
const (
	Direct    Mode = "direct"    // the straight line between the ports
	Manhattan Mode = "manhattan" // along the axes between the ports
	Tray      Mode = "tray"      // up to the trays, along them, and down again
)

// Slack is what is added to a route.
type Slack struct {
	Fixed   units.Length // cables between racks (in nested containers: every cable)
	InRack  units.Length // cables inside one rack
	Percent float64      // of the route
}

// Piece is one named part of a cable's length.
type Piece struct {
	Name   string
	Length units.Length
}

// router measures routes on a layout.
type router struct {
	mode   Mode
	slack  Slack
	layout *layout.Layout
}

// end is one end of a segment: the slot of the box and where the port is.
type end struct {
	slot int32
	port layout.Point // relative to the slot
}

// inRack tells whether a common container of this level lies inside a rack.
func (r *router) inRack(common int) bool {
	return r.layout.Room != nil && common >= layout.RackLevel
}

// length returns the length of the cable from a to b, slack included. It is
// the sum of pieces(a, b, common) without building them.
func (r *router) length(a, b end, common int) units.Length {
	pa, pb := r.layout.At(a.slot, a.port), r.layout.At(b.slot, b.port)
	var route units.Length
	inRack := r.inRack(common)
	switch {
	case r.mode == Direct:
		route = pa.Distance(pb)
	case r.mode == Manhattan || inRack:
		route = pa.Manhattan(pb)
	default:
		t := r.layout.Room.Trays
		rack := func(slot int32) int32 { return r.layout.Container(layout.RackLevel, slot) }
		route = units.Length(math.Abs(t.Height-pa.Z)) + t.Distance(rack(a.slot), rack(b.slot)) + units.Length(math.Abs(t.Height-pb.Z))
	}
	slack := r.slack.Fixed
	if inRack {
		slack = r.slack.InRack
	}
	return (route + units.Length(float64(route)*r.slack.Percent/100) + slack).Round4()
}

// trace returns the length of a board or midplane trace: along the axes, no
// slack.
func (r *router) trace(a, b end) units.Length {
	return r.layout.Position(a.slot).Manhattan(r.layout.Position(b.slot)).Round4()
}

// pieces returns the named pieces of the length of the cable from a to b.
func (r *router) pieces(a, b end, common int) []Piece {
	pa, pb := r.layout.At(a.slot, a.port), r.layout.At(b.slot, b.port)
	var out []Piece
	add := func(name string, l units.Length) {
		if l != 0 {
			out = append(out, Piece{name, l})
		}
	}
	inRack := r.inRack(common)
	switch {
	case r.mode == Direct:
		add("straight line", pa.Distance(pb))
	case r.mode == Manhattan || inRack:
		add("along x", units.Length(math.Abs(pa.X-pb.X)))
		add("along y", units.Length(math.Abs(pa.Y-pb.Y)))
		add("along z", units.Length(math.Abs(pa.Z-pb.Z)))
	default:
		t := r.layout.Room.Trays
		add("rise", units.Length(math.Abs(t.Height-pa.Z)))
		for _, s := range t.Way(r.layout.Container(layout.RackLevel, a.slot), r.layout.Container(layout.RackLevel, b.slot)) {
			add("tray "+s.Name, s.Length)
		}
		add("drop", units.Length(math.Abs(t.Height-pb.Z)))
	}
	route := units.Length(0)
	for _, p := range out {
		route += p.Length
	}
	add("slack in proportion", units.Length(float64(route)*r.slack.Percent/100))
	if inRack {
		add("slack in the rack", r.slack.InRack)
	} else {
		add("slack", r.slack.Fixed)
	}
	return out
}

// InRack tells whether links whose lowest common container is of layout level
// common stay inside one rack.
func (s *Schedule) InRack(common int) bool { return s.router.inRack(common) }
