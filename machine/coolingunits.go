package machine

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// cooledBefore is what exists of the cooling: loops and hoses that stay as they are.
type cooledBefore struct {
	loop map[int32]string // of each unit, by vertex
	unit map[int32]int32  // of each rack position, by vertex
}

// findCooled finds the units and racks of the table of what exists in this machine.
func (own *existing) findCooled(room *layout.Room) cooledBefore {
	out := cooledBefore{map[int32]string{}, map[int32]int32{}}
	if own == nil || own.found == nil {
		return out
	}
	places := map[string]int32{}
	for place := range room.Places {
		places[room.Name(place)] = int32(place)
	}
	for i := range own.cooled {
		c := &own.cooled[i]
		v := own.found.Find(c.CDU)
		if v < 0 {
			continue
		}
		out.loop[v] = c.Loop
		if place, ok := places[c.Rack]; ok {
			out.unit[place] = v
		}
	}
	return out
}

// dealtLoop is a loop of the room with its units.
type dealtLoop struct {
	name  string
	kind  int  // of its units
	least int  // how many it takes, in other halls where those of its racks have too few
	more  bool // takes what is left in the halls of its racks as well
	racks []int32
	halls map[int]bool // of racks
	heat  units.Power  // to liquid
	units []int32      // by vertex

	room *layout.Room
	at   func(v int32) int32 // rack position of a unit
}

// has reports whether a unit stands in a hall of the racks of the loop.
func (l *dealtLoop) has(v int32) bool { return l.halls[hallOf(l.room, l.at(v))] }

// away is how many units stand in other halls than the racks.
func (l *dealtLoop) away() int {
	n := 0
	for _, v := range l.units {
		if len(l.racks) > 0 && !l.has(v) {
			n++
		}
	}
	return n
}

// distance is the mean distance from a unit to the racks of the loop in its hall.
func (l *dealtLoop) distance(v int32) units.Length {
	sum, n, at := units.Length(0), 0, l.at(v)
	for _, place := range l.racks {
		if hallOf(l.room, place) == hallOf(l.room, at) {
			sum += rackPoint(l.room, place).Manhattan(rackPoint(l.room, at))
			n++
		}
	}
	return (sum / units.Length(max(n, 1))).Round4()
}

// hallOf is the hall of a rack position.
func hallOf(room *layout.Room, place int32) int { return room.Rows[room.Places[place].Row].Hall }

// rackPoint is where a rack position is.
func rackPoint(room *layout.Room, place int32) layout.Point {
	p := &room.Places[place]
	return layout.Point{X: p.X, Y: p.Y, Z: room.Rows[p.Row].Z}
}

// dealUnits gives units to the loops of the room, in the order of the loops. A loop keeps those that it has had. Then
// those in the halls of its racks come before all others: in the order of their numbers or, where several loops have
// racks in a hall, the nearest. Last, what is left goes to loops that take more, by their heat for each unit.
func (r *resolved) dealUnits(
	pl *embed.Placement, loopOf map[int32]int, heat []report.HeatSplit, exist cooledBefore,
) []*dealtLoop {
	out := make([]*dealtLoop, len(r.spec.Room.Loops))
	words, byKind := r.wordsOfKinds(), map[int][]*dealtLoop{}
	at := func(v int32) int32 { return pl.Layout.Container(layout.RackLevel, pl.Slot[v]) }
	for i := range out {
		of := &r.spec.Room.Loops[i]
		kind := slices.Index(words, of.CDUs)
		out[i] = &dealtLoop{
			name: of.Name, kind: kind, least: max(of.Count, 1), more: of.TakesMore(),
			halls: map[int]bool{}, room: pl.Layout.Room, at: at,
		}
		byKind[kind] = append(byKind[kind], out[i])
	}
	dry := make([][]int32, len(out)) // racks without heat to liquid
	for i := range pl.Racks {
		place := pl.Racks[i].Place
		n, ok := loopOf[place]
		switch {
		case !ok:
		case heat[place].Liquid > 0:
			out[n].racks = append(out[n].racks, place)
			out[n].heat += heat[place].Liquid
		default:
			dry[n] = append(dry[n], place)
		}
	}
	for i, l := range out {
		if l.racks == nil {
			l.racks = dry[i]
		}
		for _, place := range l.racks {
			l.halls[hallOf(l.room, place)] = true
		}
	}
	for kind, k := range r.graph.Kinds() {
		if loops := byKind[kind]; loops != nil {
			d := &dealer{loops: loops, free: map[int32]bool{}}
			for v := int32(k.First); v < int32(k.First+k.Count); v++ {
				d.all = append(d.all, v)
				d.free[v] = true
			}
			d.deal(exist)
		}
	}
	for _, l := range out {
		slices.Sort(l.units)
	}
	return out
}

// dealer gives the units of a kind to its loops.
type dealer struct {
	loops []*dealtLoop
	all   []int32 // units
	free  map[int32]bool
}

// take gives a unit to a loop.
func (d *dealer) take(l *dealtLoop, v int32) {
	l.units = append(l.units, v)
	delete(d.free, v)
}

// deal gives out the units.
func (d *dealer) deal(exist cooledBefore) {
	for _, v := range d.all {
		for _, l := range d.loops {
			if name, ok := exist.loop[v]; ok && name == l.name && (l.more || len(l.units) < l.least) {
				d.take(l, v)
			}
		}
	}
	type choice struct {
		far  units.Length // 0 in a hall with the racks of one loop
		loop int
		unit int32
	}
	var choices []choice
	for _, v := range d.all {
		if !d.free[v] {
			continue
		}
		first := len(choices)
		for i, l := range d.loops {
			if len(l.units) < l.least && l.has(v) {
				choices = append(choices, choice{0, i, v})
			}
		}
		for i := first; i < len(choices) && len(choices) > first+1; i++ {
			choices[i].far = d.loops[choices[i].loop].distance(v)
		}
	}
	slices.SortFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.unit, b.unit), cmp.Compare(a.loop, b.loop))
	})
	for _, c := range choices {
		if l := d.loops[c.loop]; d.free[c.unit] && len(l.units) < l.least {
			d.take(l, c.unit)
		}
	}
	for _, l := range d.loops {
		for _, v := range d.all {
			if d.free[v] && len(l.units) < l.least {
				d.take(l, v)
			}
		}
	}
	for d.dealMore() {
	}
}

// dealMore gives a unit to the loop that takes more and has most heat for each of its units: the nearest that is left
// in the halls of its racks. It reports whether there is one.
func (d *dealer) dealMore() bool {
	var to *dealtLoop
	for _, l := range d.loops {
		if !l.more || l.heat <= 0 || to != nil &&
			float64(l.heat)*float64(len(to.units)) <= float64(to.heat)*float64(len(l.units)) {
			continue
		}
		if slices.ContainsFunc(d.all, func(v int32) bool { return d.free[v] && l.has(v) }) {
			to = l
		}
	}
	if to == nil {
		return false
	}
	best, least := int32(-1), units.Length(0)
	for _, v := range d.all {
		if !d.free[v] || !to.has(v) {
			continue
		}
		if far := to.distance(v); best < 0 || far < least {
			best, least = v, far
		}
	}
	d.take(to, best)
	return true
}

// hoseTo is a hose from a rack of a loop to a unit.
type hoseTo struct {
	rack, unit int // of CoolingLoop.Racks and CoolingLoop.Boxes
	length     units.Length
	otherHall  bool
}

// hang finds the unit of every rack of the loop. Racks that exist stay at their unit where that has room. Of the others
// those with the shortest hoses come first, within their hall before others, each at a unit with room; if that leaves
// some without, those with most heat. Racks that fit no unit hang on the one with most room.
func (l *CoolingLoop) hang(pl *embed.Placement, exist cooledBefore) {
	if len(l.Racks) == 0 || len(l.Boxes) == 0 {
		return
	}
	room := pl.Layout.Room
	hoses := make([]hoseTo, 0, len(l.Racks)*len(l.Boxes))
	for i := range l.Racks {
		for j, v := range l.Boxes {
			a, b := l.Racks[i].Place, pl.Layout.Container(layout.RackLevel, pl.Slot[v])
			hoses = append(hoses, hoseTo{
				i, j, rackPoint(room, a).Manhattan(rackPoint(room, b)).Round4(), hallOf(room, a) != hallOf(room, b),
			})
		}
	}
	nearest := func(a, b hoseTo) int {
		far := func(h *hoseTo) units.Length {
			if h.otherHall {
				return 1e9 + h.length
			}
			return h.length
		}
		return cmp.Or(cmp.Compare(far(&a), far(&b)), cmp.Compare(a.rack, b.rack), cmp.Compare(a.unit, b.unit))
	}
	slices.SortFunc(hoses, nearest)
	chosen, full := l.choose(hoses, exist)
	if full {
		hottest := slices.Clone(hoses)
		slices.SortStableFunc(hottest, func(a, b hoseTo) int {
			return cmp.Or(cmp.Compare(l.Racks[b.rack].Heat, l.Racks[a.rack].Heat), cmp.Compare(a.rack, b.rack))
		})
		if other, full := l.choose(hottest, exist); !full {
			chosen = other
		}
	}
	for i := range l.Racks {
		rack, hose := &l.Racks[i], chosen[i]
		rack.CDU, rack.OtherHall = l.Boxes[hose.unit], hose.otherHall
		if !rack.OtherHall && hose.length > 0 {
			rack.Hose = (hose.length + l.Slack).Round4()
		}
		if l.Part != nil && rack.Hose > 0 {
			rack.Piece, _ = l.Part.Stock(rack.Hose)
		}
	}
}

// choose chooses a hose for each rack of the loop, the first ones of a list for which units have room. Full reports
// whether some rack fits no unit.
func (l *CoolingLoop) choose(hoses []hoseTo, exist cooledBefore) (chosen []hoseTo, full bool) {
	left := make([]units.Power, len(l.Boxes))
	for j := range left {
		left[j] = l.Each
	}
	chosen, hung := make([]hoseTo, len(l.Racks)), make([]bool, len(l.Racks))
	try := func(h *hoseTo, over units.Power) { // by how much the unit may take more than it can
		if heat := l.Racks[h.rack].Heat; !hung[h.rack] && heat <= left[h.unit]+over {
			chosen[h.rack], hung[h.rack] = *h, true
			left[h.unit] -= heat
		}
	}
	const rounding = 1e-6
	for i := range hoses {
		if v, ok := exist.unit[l.Racks[hoses[i].rack].Place]; ok && v == l.Boxes[hoses[i].unit] {
			try(&hoses[i], rounding)
		}
	}
	for i := range hoses {
		try(&hoses[i], rounding)
	}
	without := map[int][]*hoseTo{} // hoses of racks that fit no unit
	for i := range hoses {
		if h := &hoses[i]; !hung[h.rack] {
			without[h.rack] = append(without[h.rack], h)
		}
	}
	for _, rack := range slices.Sorted(maps.Keys(without)) {
		best := without[rack][0]
		for _, h := range without[rack] {
			if left[h.unit] > left[best.unit]+rounding {
				best = h
			}
		}
		try(best, units.Power(math.Inf(1)))
	}
	return chosen, len(without) > 0
}

// Loads is the heat to liquid of the racks that hang on each unit, in the order of CoolingLoop.Boxes.
func (l *CoolingLoop) Loads() []units.Power {
	out := make([]units.Power, len(l.Boxes))
	for i := range l.Racks {
		out[slices.Index(l.Boxes, l.Racks[i].CDU)] += l.Racks[i].Heat
	}
	return out
}

// Idle are the units of a loop of the room on which no rack hangs.
func (l *CoolingLoop) Idle() []int32 {
	var out []int32
	for i, load := range l.Loads() {
		if load == 0 && !l.ownRack {
			out = append(out, l.Boxes[i])
		}
	}
	return out
}

// unitNotes say which loops have units in other halls than their racks, and which units take more than they can by
// themselves.
func (p *CoolingPlan) unitNotes(s *cabling.Schedule) []string {
	var out []string
	for i := range p.Loops {
		l := &p.Loops[i]
		if l.Away > 0 {
			out = append(out, fmt.Sprintf("loop %s has %d of its %s in other halls than its racks, whose halls have "+
				"too few", l.Name, l.Away, english.Count(len(l.Boxes), "CDU")))
		}
		if l.ownRack || l.Heat > l.Capacity+1e-6 || l.MostFlow > 0 && l.Flow(l.Heat) > l.MostFlow+1e-6 {
			continue // the units of a rack cool it together; the rule says the rest
		}
		var over []string
		for j, load := range l.Loads() {
			if load > l.Each+1e-6 {
				over = append(over, fmt.Sprintf("%s (%v)", s.Device(l.Boxes[j]), load))
			}
		}
		if over != nil {
			out = append(out, fmt.Sprintf("the racks of loop %s fit its CDUs together, not one by one: each takes %v, "+
				"and %s need a manifold that they share with the others", l.Name, l.Each, english.List(over)))
		}
	}
	return out
}
