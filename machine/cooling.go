package machine

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// CoolingPlan is which coolant distribution units (CDUs) serve which racks.
type CoolingPlan struct {
	Loops []CoolingLoop // those of room.loops first, then those of units that serve their own rack
	// Unserved are the racks with heat to liquid that no loop serves, by rack position.
	Unserved []int32
}

// CoolingLoop is units that cool racks together.
type CoolingLoop struct {
	Name     string
	Boxes    []int32 // the units, by vertex
	Away     int     // how many of them stand in other halls than the racks of the loop
	Spare    int     // how many of them do not count
	Capacity units.Power
	MostFlow units.Flow // 0 where a unit does not state its flow
	// PerKW is the flow that a kilowatt needs; 0 where it is not stated.
	PerKW units.Flow
	// Each is the most heat that one unit takes from the liquid, by its capacity and by its flow.
	Each  units.Power
	Heat  units.Power // to liquid, of all racks
	Racks []CooledRack
	// Part is of the hoses, nil where the machine file names none. Slack is the part of the length of each that is for
	// rises and slack.
	Part  *catalog.Part
	Slack units.Length

	ownRack bool // units that are in no loop of the room, and serve the rack that they stand in
}

// CooledRack is a rack that a loop serves and that has heat to liquid.
type CooledRack struct {
	Place int32 // in Layout.Room.Places
	CDU   int32 // the unit of the loop that its hoses lead to, by vertex
	Heat  units.Power
	// Hose is the length of each of its two hoses, supply and return: over the floor between the middles of the racks,
	// along the axes, and CoolingLoop.Slack. 0 inside a rack, and where the unit stands in another hall.
	Hose      units.Length
	OtherHall bool // the unit stands in another hall: the way of hoses is not known
	// Piece is the length in which each of the hoses is bought; 0 where they are not in the bill, see
	// CoolingLoop.Pieces.
	Piece units.Length
}

// HosesOfRack is how many hoses lead to a rack: supply and return.
const HosesOfRack = 2

// Pieces returns the item of the hoses of a rack and how many are bought: none inside a rack, from another hall,
// without a part, and where the part is not sold so long.
func (l *CoolingLoop) Pieces(rack *CooledRack) (item catalog.Item, pieces int) {
	if rack.Piece == 0 {
		return catalog.Item{}, 0
	}
	return l.Part.Item(rack.Piece), HosesOfRack
}

// Flow is the coolant that so much heat needs on the loop, 0 where that is not known.
func (l *CoolingLoop) Flow(heat units.Power) units.Flow {
	return units.Flow(float64(heat) / 1000 * float64(l.PerKW))
}

// Hoses is the length of all hoses.
func (l *CoolingLoop) Hoses() units.Length {
	sum := units.Length(0)
	for i := range l.Racks {
		sum += HosesOfRack * l.Racks[i].Hose
	}
	return sum.Round4()
}

// hasCDUs reports whether some box is a coolant distribution unit.
func (r *resolved) hasCDUs() bool {
	return slices.ContainsFunc(r.boxes, func(b *cabling.Box) bool { return b != nil && b.Part.Cooling != nil })
}

// loops checks the boxes of loops of coolant.
func (r *resolver) loops() {
	words, kinds := r.wordsOfKinds(), r.graph.Kinds()
	taken := map[int]int{}
	for i := range r.spec.Room.Loops {
		l, at := &r.spec.Room.Loops[i], diag.Elem("room.loops", i)
		kind := slices.Index(words, l.CDUs)
		switch {
		case kind < 0 && r.maybe(l.CDUs):
			continue
		case kind < 0:
			r.fault(at+".cdus", "there are no boxes %q\n%s", l.CDUs, diag.Suggest(l.CDUs, words, "there are "))
			continue
		case r.boxes[kind] == nil: // refused elsewhere
			continue
		case r.boxes[kind].Part.Cooling == nil:
			r.fault(at+".cdus", "%s states no cooling\nwrite it in the part, such as cooling: {capacity: 450 kW}",
				r.boxes[kind].Part.ID)
		}
		if !r.sureOf(kind) {
			continue
		}
		if n := kinds[kind].Count; l.Count == 0 && l.Spare >= n {
			r.fault(at+".spare", "%d of %d are to spare, so that none cools\nwrite fewer, or more boxes", l.Spare, n)
		}
		taken[kind] += max(l.Count, 1)
		if have := kinds[kind].Count; taken[kind] > have {
			r.fault(at+".count", "there are %d boxes %s, and loops take %d so far\n"+
				"write a smaller count, or more boxes", have, l.CDUs, taken[kind])
		}
	}
	for i := range r.spec.Racks {
		t, n := &r.spec.Racks[i], 0
		for j := range t.Holds {
			kind := slices.IndexFunc(words, t.Holds[j].Names)
			if kind >= 0 && r.boxes[kind] != nil && r.boxes[kind].Part.Cooling != nil {
				n += t.Holds[j].Places(r.boxes[kind].Part.Units)
			}
		}
		if t.CoolingSpare > 0 && t.CoolingSpare >= n && !slices.ContainsFunc(t.Holds, func(h spec.Held) bool {
			_, word := h.Word()
			return r.maybe(word)
		}) {
			r.fault(diag.Elem("racks", i)+".cooling_spare", "%d to spare, and the racks hold %s\n"+
				"write fewer, so that some cool", t.CoolingSpare, english.Count(n, "CDU"))
		}
	}
}

// hoses lists the hoses of loops that name a part for them, two for each rack.
func (r *resolved) hoses(pl *embed.Placement, s *cabling.Schedule) []cost.Hose {
	if !slices.ContainsFunc(r.spec.Room.Loops, func(l spec.Loop) bool { return l.Hose != "" }) ||
		pl.Layout.Room == nil {
		return nil
	}
	each, _, _ := r.boxHeat(s)
	var out []cost.Hose
	p := r.coolingPlan(pl, s, r.rackHeat(pl, s, each, r.powerPlan(pl, s)))
	for i := range p.Loops {
		l := &p.Loops[i]
		for j := range l.Racks {
			if _, n := l.Pieces(&l.Racks[j]); n > 0 {
				out = append(out, cost.Hose{Part: l.Part, Length: l.Racks[j].Piece, Count: n})
			}
		}
	}
	return out
}

// coolingPlan says which units serve which racks; nil without units, and for containers.
func (r *resolved) coolingPlan(pl *embed.Placement, s *cabling.Schedule, heat []report.HeatSplit) *CoolingPlan {
	room := pl.Layout.Room
	if room == nil || !r.hasCDUs() {
		return nil
	}
	out := &CoolingPlan{}
	kinds := r.graph.Kinds()
	loopOf := r.loopsOfRacks(pl)
	add := func(l CoolingLoop, part *catalog.Part) {
		n := max(0, len(l.Boxes)-l.Spare)
		l.Capacity = part.Cooling.Capacity * units.Power(n)
		l.MostFlow = part.Cooling.Flow * units.Flow(n)
		l.Each = part.Cooling.Capacity
		if part.Cooling.Flow > 0 && l.PerKW > 0 {
			l.Each = min(l.Each, units.Power(float64(part.Cooling.Flow)/float64(l.PerKW)*1000))
		}
		out.Loops = append(out.Loops, l)
	}
	exist := r.existing.findCooled(room)
	inLoop := map[int32]bool{}
	for i, d := range r.dealUnits(pl, loopOf, heat, exist) {
		of := &r.spec.Room.Loops[i]
		for _, v := range d.units {
			inLoop[v] = true
		}
		add(CoolingLoop{
			Name: of.Name, Boxes: d.units, Away: d.away(), Spare: of.Spare, PerKW: of.FlowPerKW,
			Part: r.catalog.Part(of.Hose), Slack: of.HoseSlack,
		}, r.boxes[d.kind].Part)
	}
	spare := r.coolingSpares(pl)
	for kind := range kinds {
		if r.boxes[kind] == nil || r.boxes[kind].Part.Cooling == nil {
			continue
		}
		var order []int32 // rack positions
		in := map[int32][]int32{}
		for v := int32(kinds[kind].First); v < int32(kinds[kind].First+kinds[kind].Count); v++ {
			if inLoop[v] {
				continue
			}
			place := pl.Layout.Container(layout.RackLevel, pl.Slot[v])
			if in[place] == nil {
				order = append(order, place)
			}
			in[place] = append(in[place], v)
		}
		for _, place := range order {
			if _, served := loopOf[place]; !served {
				loopOf[place] = len(out.Loops)
			}
			l := CoolingLoop{Name: s.Device(in[place][0]), Boxes: in[place], Spare: spare[place], ownRack: true}
			if len(l.Boxes) > 1 {
				l.Name = "of rack " + room.Name(int(place))
			}
			add(l, r.boxes[kind].Part)
		}
	}
	for i := range pl.Racks {
		place := pl.Racks[i].Place
		if heat[place].Liquid <= 0 {
			continue
		}
		n, served := loopOf[place]
		if !served {
			out.Unserved = append(out.Unserved, place)
			continue
		}
		l := &out.Loops[n]
		l.Heat += heat[place].Liquid
		l.Racks = append(l.Racks, CooledRack{Place: place, CDU: -1, Heat: heat[place].Liquid})
	}
	for i := range out.Loops {
		out.Loops[i].hang(pl, exist)
	}
	return out
}

// loopsOfRacks finds the loop of the room of each rack position, the first that serves its rack.
func (r *resolved) loopsOfRacks(pl *embed.Placement) map[int32]int {
	out := map[int32]int{}
	for i := range r.spec.Room.Loops {
		for j := range pl.Racks {
			rack := &pl.Racks[j]
			if _, served := out[rack.Place]; !served && r.serves(&r.spec.Room.Loops[i], pl.Layout.Room, rack) {
				out[rack.Place] = i
			}
		}
	}
	return out
}

// coolingSpares are the units of each rack position that do not count by its template.
func (r *resolved) coolingSpares(pl *embed.Placement) map[int32]int {
	out := map[int32]int{}
	for i := range pl.Racks {
		for j := range r.spec.Racks {
			if t := &r.spec.Racks[j]; t.Name == pl.Racks[i].Name && t.CoolingSpare > 0 {
				out[pl.Racks[i].Place] = t.CoolingSpare
			}
		}
	}
	return out
}

// serves reports whether a loop of the room serves a rack: the loop that its template names, else one that has
// the rack.
func (r *resolved) serves(l *spec.Loop, room *layout.Room, rack *embed.Rack) bool {
	for i := range r.spec.Racks {
		if t := &r.spec.Racks[i]; t.Name == rack.Name && t.Cooling != "" {
			return t.Cooling == l.Name
		}
	}
	return len(l.Racks) == 0 || slices.ContainsFunc(l.Racks, func(entry string) bool {
		return entry == rack.Name && entry != "" || r.hasPlace(room, entry, rack.Place)
	})
}

// checkCooling holds heat to liquid against the loops, and heat to air against what rows take.
func (r *resolved) checkCooling(v *cabling.Violations, p *CoolingPlan, room *layout.Room, heat []report.HeatSplit) {
	if p != nil {
		for i := range p.Loops {
			l := &p.Loops[i]
			l.checkHoses(v, room)
			racks := english.Count(len(l.Racks), "rack")
			if l.Heat > l.Capacity+1e-6 {
				whole, more := cabling.Overshoot(l.Heat, l.Capacity, "W")
				v.Add(cabling.RuleCooling, "loop "+l.Name, "%s of heat to liquid in %s, %s %v: %s too much", whole,
					racks, l.takes("take", "takes"), l.Capacity, more)
			}
			if flow := l.Flow(l.Heat); l.MostFlow > 0 && flow > l.MostFlow+1e-6 {
				whole, more := cabling.Overshoot(flow, l.MostFlow, "l/min")
				v.Add(cabling.RuleCooling, "loop "+l.Name, "%s in need of %s, %s %v: %s too much", racks, whole,
					l.takes("pump", "pumps"), l.MostFlow, more)
			}
		}
		for _, place := range p.Unserved {
			v.Add(cabling.RuleCooling, room.Name(int(place)), "%v of heat to liquid, and no loop of coolant has the "+
				"rack", heat[place].Liquid)
		}
	}
	most := r.spec.Room.RowAir
	if most == 0 {
		return
	}
	for row, h := range rowHeat(room, heat) {
		air := h.Air + h.Unstated
		if air <= most+1e-6 {
			continue
		}
		whole, more := cabling.Overshoot(air, most, "W")
		of := ""
		if h.Unstated > 0 {
			of = fmt.Sprintf(" (%v of it of what does not state where it goes)", h.Unstated)
		}
		v.Add(cabling.RuleCooling, "row "+room.Rows[row].Name, "%s of heat to air%s, the row takes %v: %s too much",
			whole, of, most, more)
	}
}

// checkHoses finds racks with longer hoses than the part of the loop is sold.
func (l *CoolingLoop) checkHoses(v *cabling.Violations, room *layout.Room) {
	for i := range l.Racks {
		rack := &l.Racks[i]
		if l.Part == nil || rack.Hose == 0 || rack.Piece > 0 {
			continue
		}
		sold, _ := l.Part.Lengths()
		v.Add(cabling.RuleCooling, room.Name(int(rack.Place)), "hoses of %v to loop %s, %s is sold up to %v: they are "+
			"not in the bill", rack.Hose, l.Name, l.Part.ID, sold.Longest())
	}
}

// takes names the units that count, with what they do.
func (l *CoolingLoop) takes(several, one string) string {
	n := max(0, len(l.Boxes)-l.Spare)
	verb := several
	if n == 1 {
		verb = one
	}
	if l.Spare > 0 {
		return fmt.Sprintf("%d of its %d CDUs %s", n, len(l.Boxes), verb)
	}
	return english.Count(n, "CDU") + " " + verb
}

// coolingNotes say what is not known of the cooling, and what is not bought.
func (r *resolved) coolingNotes(p *CoolingPlan, s *cabling.Schedule) []string {
	if p == nil {
		return nil
	}
	var unknown []string
	hoses, length := 0, units.Length(0) // not in the bill
	var apart, flat []string
	for i := range p.Loops {
		l := &p.Loops[i]
		if len(l.Racks) > 0 && (l.PerKW == 0 || l.MostFlow == 0) {
			unknown = append(unknown, l.Name)
		}
		for j := range l.Racks {
			rack := &l.Racks[j]
			if rack.Hose > 0 && rack.Piece == 0 {
				hoses += 2
				length += 2 * rack.Hose
			}
			if rack.Piece > 0 && l.Slack == 0 && !slices.Contains(flat, l.Name) {
				flat = append(flat, l.Name)
			}
			if rack.OtherHall && !slices.Contains(apart, l.Name) {
				apart = append(apart, l.Name)
			}
		}
	}
	var out []string
	if unknown != nil {
		const most = 5
		if n := len(unknown); n > most {
			unknown = append(unknown[:most], fmt.Sprintf("%d more", n-most))
		}
		out = append(out, "cooling does not check the flow of "+english.List(unknown)+": flow_per_kw of the loop and "+
			"cooling.flow of the part state it")
	}
	out = append(out, p.unitNotes(s)...)
	if apart != nil {
		out = append(out, "hoses of "+english.List(apart)+" lead to units in another hall: their lengths are not known")
	}
	if hoses > 0 {
		out = append(out, fmt.Sprintf("%s for coolant (%v over the floor and with hose_slack) are not in the bill: "+
			"their loop names no part for them (hose), or none that is sold so long", english.Count(hoses, "hose"),
			length.Round4()))
	}
	if flat != nil {
		out = append(out, "hoses of "+english.List(flat)+" are bought for the distance over the floor alone: "+
			"hose_slack of the loop adds rises and slack")
	}
	return out
}

// cooling reports the loops of a plan.
func (p *Result) cooling() *report.Cooling {
	if p.Cooling == nil {
		return nil
	}
	room, s := p.Room(), p.Schedule
	out := &report.Cooling{Loops: []report.CoolingLoop{}, Unserved: []string{}}
	for i := range p.Cooling.Loops {
		l := &p.Cooling.Loops[i]
		to := report.CoolingLoop{
			Name: l.Name, CDUs: []string{}, Spare: l.Spare, Capacity: report.Round(l.Capacity),
			Heat: report.Round(l.Heat), Flow: report.Round(l.Flow(l.Heat)), MostFlow: report.Round(l.MostFlow),
			Hoses: l.Hoses(), Racks: []report.CooledRack{},
		}
		for _, v := range l.Boxes {
			to.CDUs = append(to.CDUs, s.Device(v))
		}
		for j := range l.Racks {
			rack := &l.Racks[j]
			item, _ := l.Pieces(rack)
			to.Racks = append(to.Racks, report.CooledRack{
				Rack: room.Name(int(rack.Place)), CDU: s.Device(rack.CDU), Heat: report.Round(rack.Heat),
				Flow: report.Round(l.Flow(rack.Heat)), Hose: rack.Hose, OtherHall: rack.OtherHall,
				Product: item,
			})
		}
		out.Loops = append(out.Loops, to)
	}
	for _, place := range p.Cooling.Unserved {
		out.Unserved = append(out.Unserved, room.Name(int(place)))
	}
	return out
}
