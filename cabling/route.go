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

// Parts is what a cable's length is made of. On trays, Rise and Drop are the
// ways between the ports and the tray, and Run is along the trays; otherwise Run
// is the whole route.
type Parts struct{ Rise, Run, Drop, Slack units.Length }

// Total is the length.
func (p Parts) Total() units.Length { return (p.Rise + p.Run + p.Drop + p.Slack).Round4() }

// parts measures the cable from a to b.
func (r *router) parts(a, b end, common int) Parts {
	rackA, rackB := int32(-1), int32(-1)
	if r.layout.Room != nil {
		rackA, rackB = r.layout.Container(layout.RackLevel, a.slot), r.layout.Container(layout.RackLevel, b.slot)
	}
	return r.measure(r.layout.At(a.slot, a.port), r.layout.At(b.slot, b.port), rackA, rackB, common)
}

// measure measures from point to point; rackA and rackB are the rack positions
// that they are in.
func (r *router) measure(pa, pb layout.Point, rackA, rackB int32, common int) Parts {
	var p Parts
	inRack := r.inRack(common)
	switch {
	case r.mode == Direct:
		p.Run = pa.Distance(pb)
	case r.mode == Manhattan || inRack:
		p.Run = pa.Manhattan(pb)
	default:
		t := r.layout.Room.Trays
		p.Rise = units.Length(math.Abs(t.Height - pa.Z))
		p.Run = t.Distance(rackA, rackB)
		p.Drop = units.Length(math.Abs(t.Height - pb.Z))
	}
	p.Slack = r.slack.Fixed
	if inRack {
		p.Slack = r.slack.InRack
	}
	p.Slack += units.Length(float64(p.Rise+p.Run+p.Drop) * r.slack.Percent / 100)
	return p
}

// trace returns the length of a board or midplane trace: along the axes, no
// slack.
func (r *router) trace(a, b end) units.Length {
	return r.layout.Position(a.slot).Manhattan(r.layout.Position(b.slot)).Round4()
}

// pieces names what the parts are made of: the pieces of the length of the cable from a to b.
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
