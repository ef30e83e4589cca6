package spec

import (
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
)

// numberVisit is called with a figure that means nothing below least, and what it is of.
type numberVisit = func(path, what string, v, least float64)

// some is the least of figures that are more than 0.
const some = math.SmallestNonzeroFloat64

func numberText(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// partNumbers visits the counts, sizes and shares of a part that are not 0: a part leaves out what it does not have or
// state. at is the path of the part.
func partNumbers(at string, p *catalog.Part, visit numberVisit) {
	visit(at+".pack", "the pieces of a pack", float64(p.Pack), 1)
	visit(at+".width", "the width of a part", float64(p.Width), some)
	visit(at+".depth", "the depth of a part", float64(p.Depth), some)
	visit(at+".height", "the height of a part", float64(p.Height), some)
	visit(at+".weight", "the weight of a part", float64(p.Weight), some)
	for i := range p.Ports {
		g, at := &p.Ports[i], diag.Elem(at+".ports", i)
		visit(at+".per_cage", "the ports of a cage", float64(g.PerCage), 1)
		visit(at+".rows", "the rows of ports", float64(g.Rows), 1)
	}
	if s := p.Supply; s != nil {
		visit(at+".supply.volts", "the voltage of a supply", float64(s.Volts), some)
		visit(at+".supply.phases", "the phases of a supply", float64(s.Phases), 1)
		visit(at+".supply.breaker", "the breaker of a supply", float64(s.Breaker), some)
		visit(at+".supply.power", "the power of a supply", float64(s.Power), some)
		visit(at+".supply.efficiency", "the efficiency of a supply", float64(s.Efficiency), some)
	}
	if c := p.Cooling; c != nil {
		visit(at+".cooling.flow", "the flow of a coolant distribution unit", float64(c.Flow), some)
	}
	if c := p.Cable; c != nil {
		visit(at+".cable.links", "the links of a cable", float64(c.Links), 1)
		visit(at+".cable.legs", "the legs of a cable", float64(c.Legs), 1)
		visit(at+".cable.fibres", "the fibres of a cable", float64(c.Fibres), 1)
		visit(at+".cable.diameter", "the diameter of a cable", float64(c.Diameter), some)
		visit(at+".cable.bend", "the bend radius of a cable", float64(c.Bend), some)
		visit(at+".cable.reach", "the reach of a cable", float64(c.Reach), some)
		visit(at+".cable.step", "the step of lengths", float64(c.Step), some)
		visit(at+".cable.made_to_measure", "the longest piece", float64(c.MadeToMeasure), some)
		if c.Far != nil {
			visit(at+".cable.far.plugs", "the plugs of an end", float64(c.Far.Plugs), 1)
		}
	}
	if o := p.Optic; o != nil {
		visit(at+".optic.ports", "the ports of an optic", float64(o.Ports), 1)
	}
	if n := p.Panel; n != nil && n.Cassette != nil {
		visit(at+".panel.cassette.rears", "the plugs behind a cassette", float64(n.Cassette.Rears), 1)
		visit(at+".panel.cassette.fibres", "the fibres of a cassette", float64(n.Cassette.Fibres), 1)
	}
	if h := p.Hose; h != nil {
		visit(at+".hose.inside", "the inside of a hose", float64(h.Inside), some)
		visit(at+".hose.bend", "the bend radius of a hose", float64(h.Bend), some)
		visit(at+".hose.step", "the step of lengths", float64(h.Step), some)
		visit(at+".hose.made_to_measure", "the longest piece", float64(h.MadeToMeasure), some)
	}
	if r := p.Rack; r != nil {
		visit(at+".rack.power", "the power of a rack", float64(r.Power), some)
		visit(at+".rack.weight", "the weight that a rack bears", float64(r.Weight), some)
		if r.Busbar != nil {
			visit(at+".rack.busbar.bars", "the bars of a busbar", float64(r.Busbar.Bars), 1)
		}
		for i := range r.Openings {
			o, at := &r.Openings[i], diag.Elem(at+".rack.openings", i)
			visit(at+".count", "the openings of a rack", float64(o.Count), 1)
			visit(at+".fill", "the share of an opening that cables fill", float64(o.Fill), some)
			visit(at+".bend", "the bend radius of an opening", float64(o.Bend), some)
		}
	}
}

// roomNumbers visits the limits and shares of the room and of cabling that are not 0.
func (s *Spec) roomNumbers(visit numberVisit) {
	r := &s.Room
	visit("room.row_power", "the power of a row", float64(r.RowPower), some)
	visit("room.row_weight", "the weight of a row", float64(r.RowWeight), some)
	visit("room.floor_load", "the load that a floor bears", float64(r.FloorLoad), some)
	visit("room.row_air", "the heat that the air of a row takes", float64(r.RowAir), some)
	for i := range r.RackTypes {
		at := diag.Elem("room.rack_types", i)
		visit(at+".power", "the power of a rack", float64(r.RackTypes[i].Power), some)
		visit(at+".weight", "the weight that a rack bears", float64(r.RackTypes[i].Weight), some)
	}
	for i := range r.Feeds {
		f, at := &r.Feeds[i], diag.Elem("room.feeds", i)
		visit(at+".volts", "the voltage of a feed", float64(f.Volts), some)
		visit(at+".breaker", "the breaker of a feed", float64(f.Breaker), some)
		visit(at+".row_power", "the power that a feed gives a row", float64(f.RowPower), some)
	}
	for i := range r.Loops {
		visit(diag.Elem("room.loops", i)+".flow_per_kw", "the flow for a kilowatt", float64(r.Loops[i].FlowPerKW), some)
	}
	visit("room.trays.height", "the height of trays", float64(r.Trays.Height), some)
	visit("room.trays.fill", "the share of a tray that cables fill", r.Trays.Fill, some)
	for i := range r.Trays.Levels {
		visit(diag.Elem("room.trays.levels", i)+".fill", "the share of a tray that cables fill",
			r.Trays.Levels[i].Fill, some)
	}
	for i := range r.Trays.Paths {
		p, at := &r.Trays.Paths[i], diag.Elem("room.trays.paths", i)
		visit(at+".width", "the width of a path of trays", float64(p.Width), some)
		visit(at+".height", "the height of a path of trays", float64(p.Height), some)
		visit(at+".length", "the length of a path of trays", float64(p.Length), some)
	}
	for i := range r.Containers {
		visit(diag.Elem("room.containers", i)+".fill", "the share of a gap that cables fill", r.Containers[i].Fill,
			some)
	}
	if d := r.Drawing; d != nil {
		visit("room.drawing.pixel", "the size of a pixel", float64(d.Pixel), some)
	}
	visit("cabling.round_up", "the step that lengths are rounded up to", float64(s.Cabling.RoundUp), some)
	media := func(path string, rules []MediaRule) {
		for i := range rules {
			visit(diag.Elem(path, i)+".longest", "the longest cable of a rule", float64(rules[i].Longest), some)
		}
	}
	media("cabling.media", s.Cabling.Media)
	for i := range s.Fabrics {
		media(diag.Elem("fabrics", i)+".media", s.Fabrics[i].Media)
	}
	if o := s.Operation; o != nil {
		visit("operation.years", "the years of operation", o.Years, some)
	}
}
