package cabling

import (
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Mode is how the length of a cable is measured.
type Mode string

// The modes.
const (
	Direct    Mode = "direct"    // the straight line between the ports
	Manhattan Mode = "manhattan" // along the axes between the ports
	Tray      Mode = "tray"      // up to the trays, along them, and down again
)

// router measures routes on a layout.
type router struct {
	mode   Mode
	slack  Slack
	layout *layout.Layout
	racks  int         // the level of the racks; that after the last where no level is a rack
	trays  *trayRouter // nil where cables do not run on trays
	// fixed and loops are what the slack adds to every cable between racks, and inside what it adds to every one in a
	// rack on any route.
	fixed, loops, inside units.Length
	crossing             units.Length // the way through a rack
}

func newRouter(mode Mode, slack Slack, l *layout.Layout) router {
	racks := l.LevelOf(layout.RoleRack)
	if racks < 0 {
		racks = len(l.Levels)
	}
	return router{
		mode: mode, slack: slack, layout: l, racks: racks,
		fixed: slack.Fixed.Round4(), loops: (2 * slack.Loop).Round4(), inside: slack.InRack.Round4(),
		crossing: slack.Crossing.Round4(),
	}
}

// end is one end of a segment: the slot of the box and where the port is.
type end struct {
	slot int32
	port layout.Point // relative to the slot
	// beyond is how much longer a cable is that ends there: Box.Beyond
	beyond units.Length
}

// inRack reports whether a common container of this level lies inside a rack.
func (r *router) inRack(common int) bool { return common >= r.racks }

// onTrays reports whether cables whose lowest common container is of this level run
// on trays, if any tray joins their racks.
func (r *router) onTrays(common int) bool { return r.trays != nil && !r.inRack(common) }

// rack returns the rack position of a slot, -1 where there are no racks.
func (r *router) rack(slot int32) int32 {
	if r.layout.Room == nil {
		return -1
	}
	return r.layout.Container(layout.RackLevel, slot)
}

// extend is Slack.Extend. Where nothing depends on the route, as on most machines, nothing is worked out.
func (r *router) extend(p *Parts, inRack bool) {
	switch {
	case r.slack.Percent != 0 || r.slack.RoundUp != 0:
		r.slack.Extend(p, inRack)
	case inRack:
		p.Slack = r.inside
	default:
		p.Slack, p.Loop = r.fixed, r.loops
	}
}

// parts measures the cable from a to b, which lies on no tray.
func (r *router) parts(a, b end, common int) (p Parts) {
	p.Beyond = a.beyond + b.beyond
	r.measure(&p, r.layout.At(a.slot, a.port), r.layout.At(b.slot, b.port), r.rack(a.slot), common)
	return p
}

// trayParts measures the cable from a to b, whose way along the trays of a level
// is run long.
func (r *router) trayParts(a, b end, level int32, run units.Length) (p Parts) {
	pa, pb := r.layout.At(a.slot, a.port), r.layout.At(b.slot, b.port)
	rackA, rackB := r.rack(a.slot), r.rack(b.slot)
	p.Beyond = a.beyond + b.beyond
	r.beside(&p, pa, pb, rackA, rackB)
	r.along(&p, pa, pb, rackA, rackB, level, run)
	return p
}

// beside measures what a cable on trays has besides the way up, along and down:
// the way to the sides of the racks and through one of them. What p has is kept.
func (r *router) beside(p *Parts, pa, pb layout.Point, rackA, rackB int32) {
	if r.slack.Manager == AnySide && r.slack.Crossing == 0 {
		return
	}
	room := r.layout.Room
	a, b := faceOf(room, rackA, pa), faceOf(room, rackB, pb)
	if r.slack.Manager != AnySide {
		p.Manager = (a.toSide(r.slack.Manager, room.Type(rackA).Width) +
			b.toSide(r.slack.Manager, room.Type(rackB).Width)).Round4()
	}
	if a.front != b.front {
		p.Crossing = r.crossing
	}
}

// along completes the parts of a cable on the trays of a level.
func (r *router) along(p *Parts, pa, pb layout.Point, rackA, rackB, level int32, run units.Length) {
	p.Rise = r.trays.rise(level, rackA, pa.Z).Round4()
	p.Run = run.Round4()
	p.Drop = r.trays.rise(level, rackB, pb.Z).Round4()
	r.extend(p, false)
}

// total is the length of a cable whose way along the trays of a level is run long, in tenths of a millimetre: what
// along makes of the same parts, added up in the same order. Where nothing depends on the sum of the route, as on most
// machines, nothing else is worked out.
func (r *router) total(sp *span, level int, run units.Length) units.Length {
	if r.slack.Percent == 0 && r.slack.RoundUp == 0 {
		route := sp.rise[level] + run + sp.beyond + sp.drop[level] + sp.manager + sp.crossing
		return (route + r.fixed + r.loops).Round4()
	}
	p := Parts{
		Rise: sp.rise[level], Run: run, Drop: sp.drop[level], Beyond: sp.beyond, Manager: sp.manager,
		Crossing: sp.crossing,
	}
	r.slack.Extend(&p, false)
	return p.Total()
}

// measure measures from point to point off the trays; rack is the rack position that both are in, if they share one.
// What p has is kept.
func (r *router) measure(p *Parts, pa, pb layout.Point, rack int32, common int) {
	inRack := r.inRack(common)
	p.Run, p.Manager = r.straight(pa, pb, rack, inRack)
	r.extend(p, inRack)
}

// straight is the way from point to point off the trays, and that to the side of the rack and back.
func (r *router) straight(pa, pb layout.Point, rack int32, inRack bool) (run, side units.Length) {
	switch {
	case r.mode == Direct:
		run = pa.Distance(pb)
	case inRack && r.mode == Tray && r.slack.Manager != AnySide:
		room := r.layout.Room
		run = (pa.Y - pb.Y).Abs() + (pa.Z - pb.Z).Abs()
		side = manager(faceOf(room, rack, pa), faceOf(room, rack, pb), r.slack.Manager, room.Type(rack).Width)
	default: // in mode Tray, inside a rack and where no tray joins two
		run = pa.Manhattan(pb)
	}
	if side != 0 {
		side = side.Round4()
	}
	return run.Round4(), side
}

// bare is the length of what measure measures. Where nothing depends on the sum of the route, as on most machines,
// nothing else is worked out.
func (r *router) bare(pa, pb layout.Point, rack int32, common int, beyond units.Length) units.Length {
	inRack := r.inRack(common)
	run, side := r.straight(pa, pb, rack, inRack)
	switch {
	case r.slack.Percent != 0 || r.slack.RoundUp != 0:
		p := Parts{Run: run, Manager: side, Beyond: beyond}
		r.slack.Extend(&p, inRack)
		return p.Total()
	case inRack:
		return (run + beyond + side + r.inside).Round4()
	}
	return (run + beyond + side + r.fixed + r.loops).Round4()
}

// trace returns the length of a board or midplane trace: along the axes, no
// slack.
func (r *router) trace(a, b end) units.Length {
	return r.layout.Position(a.slot).Manhattan(r.layout.Position(b.slot)).Round4()
}

// pieces names what the parts are made of: the pieces of the length of the cable
// from a to b, of the given parts, which add up to it. Trays are those that it
// lies on; nil for one that lies on none.
func (r *router) pieces(a, b end, common int, p Parts, trays []Piece) []Piece {
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
		add("straight line", p.Run)
	case trays == nil:
		axes := []Piece{
			{"along x", (pa.X - pb.X).Abs()},
			{"along y", (pa.Y - pb.Y).Abs()},
			{"along z", (pa.Z - pb.Z).Abs()},
		}
		if inRack && r.mode == Tray && r.slack.Manager != AnySide {
			axes = axes[1:]
		}
		out = append(out, split(axes)...)
		add("to the side of the rack and back", p.Manager)
	default:
		add("rise", p.Rise)
		out = append(out, split(trays)...)
		add("drop", p.Drop)
		add("to the sides of the racks", p.Manager)
		add("through the rack, front to rear", p.Crossing)
	}
	add("beyond the room", p.Beyond)
	proportion := r.slack.proportional(p.route()).Round4()
	add("slack in proportion", proportion)
	name, slack := "slack", (p.Slack - proportion).Round4()
	if inRack {
		name = "slack in the rack"
	}
	if trays != nil {
		wayA, wayB := r.toMiddles(a, b, slack)
		add("port to the middle of the rack, end A", wayA)
		add("port to the middle of the rack, end B", wayB)
		slack = (slack - wayA - wayB).Round4()
	}
	add(name, slack)
	add("service loops", p.Loop)
	add("rounding", p.Rounding)
	return out
}

// toMiddles returns the ways from the ports of a cable on trays to the middles of their racks: rise and drop are
// vertical, and trays run over the middle of racks. Both are 0 where the slack does not cover them.
func (r *router) toMiddles(a, b end, slack units.Length) (wayA, wayB units.Length) {
	wayA = r.toMiddle(a.slot, r.layout.At(a.slot, a.port)).Round4()
	wayB = r.toMiddle(b.slot, r.layout.At(b.slot, b.port)).Round4()
	if (slack - wayA - wayB).Round4() < 0 {
		return 0, 0
	}
	return wayA, wayB
}

// toMiddle is the horizontal way from a port to the middle of its rack, across the row: slack has to cover it.
func (r *router) toMiddle(slot int32, port layout.Point) units.Length {
	return (port.Y - r.layout.Room.Places[r.rack(slot)].Y).Abs()
}

// split rounds the pieces of one part to tenths of a millimetre such that their
// sum is that of the part.
func split(pieces []Piece) []Piece {
	var out []Piece
	exact, given := units.Length(0), units.Length(0)
	for _, p := range pieces {
		exact += p.Length
		if l := (exact.Round4() - given).Round4(); l != 0 {
			out = append(out, Piece{p.Name, l})
			given += l
		}
	}
	return out
}

// InRack reports whether links whose lowest common container is of layout level
// common stay inside one rack.
func (s *Schedule) InRack(common int) bool { return s.router.inRack(common) }
