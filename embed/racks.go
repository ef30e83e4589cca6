package embed

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// mostKinds is the highest number of kinds of boxes in a room.
const mostKinds = 64

// mostChassisKinds is the highest number of kinds of chassis in a room.
const mostChassisKinds = 4

// spot is the place of a vertex in the racks that are being filled.
type spot struct {
	rack    int32 // number of the rack in the order of filling
	unit    int16 // lowest rack unit
	chassis int32 // number of the chassis in filler.chassis, -1 for none
	cell    int32 // in the chassis, from 0
	rear    bool  // the front of the box is at the rear of the rack
}

// chassisSpot is a chassis in a rack that is being filled.
type chassisSpot struct {
	kind   int
	rack   int32 // -1 for a chassis that has been removed
	unit   int16
	number int // among those of its kind in the rack, from 1
}

// filledRack is a rack after filling, before it has a place on the floor.
type filledRack struct {
	home    home
	state   rackState
	first   int32                   // the first vertex in it, whose groups are those of the rack; -1 for none
	chassis [mostChassisKinds]int   // the highest chassisSpot.number of each kind of chassis
	open    [mostChassisKinds]int32 // of each kind of chassis, the one being filled: index in filler.chassis
}

// filler fills racks one after the other.
type filler struct {
	p       *Problem
	kinds   []topology.Kind
	spots   []spot // of each vertex
	chassis []chassisSpot
	racks   []filledRack
	home    home // of the racks being filled
	// reserved has, for each kind, the fixed units of the other kinds in the same racks.
	reserved     []layout.UnitSet
	antiAffinity antiAffinity
	dealt        []dealRecord // for Placement.Notes

	rack   rackState    // the rack being filled
	open   bool         // the last of racks is being filled
	tried  rackState    // the rack after the last trial
	trial  []assignment // the boxes of the last trial
	supply *supply      // positions left for racks of each type; nil if all racks are of one type
}

// assignment is the spot of a vertex in a trial. The number of its rack and chassis is set once the trial is kept.
type assignment struct {
	vertex int32
	spot   spot
	// fresh is the kind of the chassis that is added for this vertex, -1 for none.
	fresh int
}

// newFiller returns a filler without racks.
func newFiller(p *Problem) *filler {
	f := &filler{p: p, kinds: p.Graph.Kinds(), antiAffinity: p.newAntiAffinity()}
	f.spots = make([]spot, topology.Vertices(p.Graph))
	if p.Room != nil && len(p.Room.Types) > 0 {
		if room, err := newRoom(*p.Room); err == nil { // floor.arrange returns the error
			f.supply = newSupply(room)
		}
	}
	f.reserved = make([]layout.UnitSet, len(p.Kinds))
	for i := range p.Kinds {
		for other := range p.Kinds {
			if o := &p.Kinds[other]; other != i && o.home() == p.Kinds[i].home() {
				for _, u := range o.Units {
					f.reserved[i].Add(u, o.Box.Units)
				}
			}
		}
		for _, s := range f.seatsBeside(i) {
			f.reserved[i].Add(s.Unit, p.Kinds[s.Kind].Box.Units)
		}
	}
	return f
}

// seatsBeside returns the seats of the template whose racks the boxes of a kind share, if the template itself does not
// hold the kind; nil otherwise.
func (f *filler) seatsBeside(kind int) []Seat {
	if t := f.p.templateOf(f.p.Kinds[kind].home()); t != nil && !t.holds(kind) {
		return t.Seats
	}
	return nil
}

// check returns an error about rack types, templates, or numbers that the filler's arrays of fixed size cannot hold.
func (f *filler) check() error {
	if err := f.checkTypes(); err != nil {
		return err
	}
	if err := f.checkTemplates(); err != nil {
		return err
	}
	switch tallest := f.p.Room.Tallest(); {
	case tallest > layout.MaxUnits:
		return diag.Fieldf("Room.Rack", "a rack of %d units; at most %d are supported", tallest, layout.MaxUnits)
	case len(f.kinds) > len(f.rack.count):
		return diag.Fieldf("Kinds", "%d kinds of boxes; at most %d are supported", len(f.kinds), mostKinds)
	case len(f.p.Chassis) > mostChassisKinds:
		return diag.Fieldf("Chassis", "%d kinds of chassis; at most %d are supported", len(f.p.Chassis),
			mostChassisKinds)
	}
	return nil
}

// tryGroup adds order[lo:hi] to a copy of the rack, and reports whether all fit. If so, tried is the copy and trial
// the assignments, which keep makes final.
func (f *filler) tryGroup(r *rackState, s *sequence, lo, hi int) bool {
	f.trial = f.trial[:0]
	f.tried = *r
	for i := lo; i < hi; i++ {
		a, ok := f.put(&f.tried, s.order[i], s.seal != nil && s.seal[i])
		if !ok {
			return false
		}
		f.trial = append(f.trial, a)
	}
	return true
}

// keep makes the last successful trial final in the open rack.
func (f *filler) keep() {
	f.keepIn(int32(len(f.racks) - 1))
	f.rack = f.tried
}

// keepIn makes the last successful trial, of a copy of a rack, final in the rack.
func (f *filler) keepIn(rack int32) {
	for _, a := range f.trial {
		f.seat(&a, rack)
		f.spots[a.vertex] = a.spot
		if f.racks[rack].state.boxes == 0 && f.racks[rack].first < 0 {
			f.racks[rack].first = a.vertex
		}
	}
	f.racks[rack].state = f.tried
}

// seat sets the rack and, for a box in a chassis, the chassis of an assignment, and adds the chassis if it is new.
func (f *filler) seat(a *assignment, rack int32) {
	a.spot.rack = rack
	kind := f.p.Kinds[topology.KindOf(f.kinds, int(a.vertex))].chassis()
	if kind < 0 {
		return
	}
	r := &f.racks[rack]
	if a.fresh >= 0 {
		r.chassis[kind]++
		r.open[kind] = int32(len(f.chassis))
		f.chassis = append(f.chassis, chassisSpot{kind, rack, a.spot.unit, r.chassis[kind]})
	}
	a.spot.chassis = r.open[kind]
}

// newRack opens a rack of the next type, unless an empty rack is open.
func (f *filler) newRack() {
	if f.open && f.rack.boxes == 0 {
		return
	}
	f.openRack(f.nextTypes(f.home)[0])
}

// openRack opens a rack of a type. If an empty rack is open, it changes the type of that rack instead.
func (f *filler) openRack(of int) {
	if f.open && f.rack.boxes == 0 {
		f.giveBack(f.rack.of)
	} else {
		f.racks = append(f.racks, filledRack{home: f.home, first: -1})
	}
	f.rack = rackState{of: of}
	f.racks[len(f.racks)-1].state.of = of
	f.takePlace(of)
	f.open = true
}

// fill puts the vertices of a sequence into new racks of a home.
func (f *filler) fill(s sequence, at home) error {
	f.home = at
	f.open = false
	return f.group(&s, 0, len(s.order), len(s.groupings))
}

// group places order[lo:hi]: in one rack if a rack can hold it, else divided into its subgroups. It is one group of
// s.groupings[level], or everything if level is len(s.groupings), or a single vertex if level is -1.
func (f *filler) group(s *sequence, lo, hi, level int) error {
	if lo == hi {
		return nil
	}
	if level == len(s.groupings) && slices.ContainsFunc(s.groupings, func(n groupLevel) bool { return n.own }) {
		return f.split(s, lo, hi, level)
	}
	hard, own := false, false
	if level >= 0 && level < len(s.groupings) {
		hard, own = s.groupings[level].hard, s.groupings[level].own
	}
	if f.open && !hard && !own {
		if f.tryGroup(&f.rack, s, lo, hi) {
			f.keep()
			return nil
		}
	}
	if hi-lo == 1 && f.open && f.placeInEarlierRack(s.order[lo]) {
		return nil
	}
	for _, of := range f.nextTypes(f.home) {
		if f.tryGroup(&rackState{of: of}, s, lo, hi) {
			f.openRack(of)
			f.keep()
			return nil
		}
	}
	if level < 0 || hi-lo == 1 {
		return f.tooLarge(s.order[lo])
	}
	if hard {
		return diag.Fieldf("Blocks.rack", "%d boxes do not fit into one rack", hi-lo)
	}
	if len(s.groupings) > 0 {
		f.newRack()
	}
	return f.split(s, lo, hi, level)
}

// placeInEarlierRack places a vertex that the anti-affinity rules do not allow in the open rack in the first earlier
// rack of the same home with room for it, and reports whether there is one. Otherwise every such vertex would start a
// new rack.
func (f *filler) placeInEarlierRack(v int32) bool {
	if f.antiAffinity.takes(&f.rack, v) {
		return false
	}
	last := len(f.racks) - 1
	for rack := range f.racks[:last] {
		if f.racks[rack].home == f.home && f.into(int32(rack), v) {
			return true
		}
	}
	return false
}

// split places a group that no rack can hold, subgroup by subgroup (vertex by vertex at level 0). A group of a level is
// distributed evenly over the racks that it needs; everything (level len(s.groupings)) fills one rack after the other.
func (f *filler) split(s *sequence, lo, hi, level int) error {
	quota := hi - lo
	if grouped := level < len(s.groupings); grouped || f.p.ByPlace {
		racks := f.racksInTurn(s, lo, hi)
		if level == 0 && f.deal(s, lo, hi, racks) {
			return nil
		}
		if grouped {
			quota = arith.CeilDiv(hi-lo, racks)
		}
	}
	for i := lo; i < hi; {
		j := i + 1
		if level > 0 {
			of := s.groupings[level-1].of
			for j < hi && of[j] == of[i] {
				j++
			}
		}
		if f.rack.boxes >= quota {
			f.newRack()
		}
		if err := f.group(s, i, j, level-1); err != nil {
			return err
		}
		i = j
	}
	return nil
}

// racksInTurn returns the number of racks that order[lo:hi] takes if each is filled up before the next one is started.
func (f *filler) racksInTurn(s *sequence, lo, hi int) int {
	racks := 1
	next := func(v int32) rackState {
		return rackState{of: f.typesLeft(f.p.Kinds[topology.KindOf(f.kinds, int(v))].types())[0]}
	}
	r := next(s.order[lo])
	for i := lo; i < hi; i++ {
		sealed := s.seal != nil && s.seal[i]
		if _, ok := f.put(&r, s.order[i], sealed); !ok {
			racks++
			r = next(s.order[i])
			f.put(&r, s.order[i], sealed)
		}
	}
	return racks
}

// distribute places vertices without a group evenly in the n racks that are filled already, from number first on: the
// j-th of m vertices in rack first+j*n/m, or in the next rack with room. When no rack has room, the rest goes to new
// racks.
func (f *filler) distribute(vs []int32, first int) error {
	n := len(f.racks) - first
	for j, v := range vs {
		placed := false
		for k := 0; k < n && !placed; k++ {
			rack := int32(first + (j*n/len(vs)+k)%n)
			placed = f.into(rack, v)
		}
		if !placed {
			f.open = false
			return f.fill(sequence{order: vs[j:]}, f.home)
		}
	}
	return nil
}

// byKind divides vertices by their kinds, which are in the order of their first vertices in vs.
func (f *filler) byKind(vs []int32) [][]int32 {
	var out [][]int32
	var kinds []int
	for _, v := range vs {
		kind := topology.KindOf(f.kinds, int(v))
		i := slices.Index(kinds, kind)
		if i < 0 {
			i = len(kinds)
			kinds, out = append(kinds, kind), append(out, nil)
		}
		out[i] = append(out[i], v)
	}
	return out
}

// into adds a vertex to a rack by its number, and reports whether there is room.
func (f *filler) into(rack, v int32) bool {
	state := f.racks[rack].state
	a, ok := f.put(&state, v, false)
	if !ok {
		return false
	}
	f.seat(&a, rack)
	f.spots[v] = a.spot
	f.racks[rack].state = state
	if f.racks[rack].first < 0 {
		f.racks[rack].first = v
	}
	return true
}

// share places the boxes of all kinds of a home, kind after kind (by packTallest, the tallest first), each
// box in the first rack of the home that has room for it, else in a new rack.
func (f *filler) share(at home) error {
	f.home = at
	first, template := int32(f.firstOf(at)), f.p.templateOf(at)
	kinds := make([]int, len(f.kinds))
	for i := range kinds {
		kinds[i] = i
	}
	if f.p.packing == packTallest {
		slices.SortStableFunc(kinds, f.compareHeights)
	}
	for _, i := range kinds {
		if f.p.Kinds[i].home() != at || f.p.hasTemplate(i) {
			continue
		}
		rack := first // racks before it have no room for boxes of this kind
		for _, v := range f.ofKind(i).order {
			to := rack
			for int(to) < len(f.racks) && (f.racks[to].home != at || !f.into(to, v)) {
				if to++; f.antiAffinity.of == nil { // with such rules, a rack may have room for another box of the kind
					rack = to
				}
			}
			if int(to) < len(f.racks) {
				continue
			}
			if template != nil {
				return f.noRoom(template, i)
			}
			stands := false
			f.open = false
			for _, of := range f.nextTypes(at) { // openRack changes the type of the empty rack
				if f.openRack(of); f.into(int32(len(f.racks)-1), v) {
					stands = true
					break
				}
			}
			if f.open = false; !stands {
				return f.tooLarge(v)
			}
		}
	}
	return nil
}

// noRoom returns the error about racks of a template that have too few free units left for another kind of boxes.
func (f *filler) noRoom(t *Template, kind int) error {
	return diag.Fieldf(diag.Elem("Kinds", kind)+".Racks",
		"the racks %s have no free units left for %s: their boxes and power leave no more\n"+
			"have fewer, more racks %s, or let them stand in other racks", t.Name,
		english.Count(f.kinds[kind].Count, "box")+" of kind "+f.kinds[kind].Name, t.Name)
}

// shares reports whether a rack has a name, or holds a (pinned) box of a kind that belongs into racks of the name.
func (f *filler) shares(r *filledRack, name string) bool {
	if r.home.name == name {
		return true
	}
	for i := range f.kinds {
		if k := &f.p.Kinds[i]; k.Racks == name && k.Class != Beside && r.state.count[i] > 0 {
			return true
		}
	}
	return false
}

// beside places the boxes of class Beside that are not pinned, kind after kind, kinds with named racks first. Each rack
// with other boxes takes as many as Kind.PerRack states, in the order of filling, except that a kind without named
// racks takes racks named for another kind of the class last. A rack holds boxes of one kind of the class only. If last
// is true, the last rack takes all that remain: before pinned boxes are placed, there may be fewer racks than after it.
// pinned has the index of the pin of each vertex, nil if none is placed yet.
func (f *filler) beside(pinned []int32, last bool) error {
	var upright []int
	for i := range f.kinds {
		if f.p.Kinds[i].Class == Beside {
			upright = append(upright, i)
		}
	}
	slices.SortStableFunc(upright, func(i, j int) int {
		return cmp.Compare(min(len(f.p.Kinds[j].Racks), 1), min(len(f.p.Kinds[i].Racks), 1))
	})
	for _, i := range upright {
		if f.p.hasTemplate(i) {
			continue
		}
		k, kind := &f.p.Kinds[i], f.kinds[i]
		each, racks := max(k.PerRack, 1), 0
		var room, others []int32 // racks with room, once for each box that they take; others are named for other kinds
		for r := range f.racks {
			state := &f.racks[r].state
			other := slices.ContainsFunc(upright, func(j int) bool { return j != i && state.count[j] > 0 })
			if other || state.boxes == 0 || k.Racks != "" && !f.shares(&f.racks[r], k.Racks) {
				continue
			}
			racks++
			into := &room
			if name := f.racks[r].home.name; k.Racks == "" && slices.ContainsFunc(upright, func(j int) bool {
				return name != "" && f.p.Kinds[j].Racks == name
			}) {
				into = &others
			}
			for range each - int(state.count[i]) {
				*into = append(*into, int32(r))
			}
		}
		room = append(room, others...)
		var loose []int32
		for v := int32(kind.First); v < int32(kind.First+kind.Count); v++ {
			if pinned == nil || pinned[v] < 0 {
				loose = append(loose, v)
			}
		}
		if f.p.Sizing && len(room) == 0 { // only the size of the room is wanted
			room = append(room, 0)
		}
		left := len(loose) - len(room)
		if left > 0 && (!last || len(room) == 0) {
			return diag.Fieldf(diag.Elem("Kinds", i)+".Count",
				"%d of the %d of kind %s stand nowhere: there is room beside the units of %s, for %d each\n"+
					"let more stand in a rack (per_rack), or have fewer",
				left, kind.Count, kind.Name, english.Count(racks, "rack"), each)
		}
		for j, v := range loose {
			r := room[min(j, len(room)-1)]
			f.spots[v] = spot{
				rack: r, unit: int16((f.p.Room.Type(f.racks[r].state.of).Units + 1) / 2),
				chassis: -1, rear: true,
			}
			f.add(&f.racks[r].state, v, i)
		}
	}
	return nil
}

// ofKind returns the boxes of a kind in the order of the topology's groups, but without these groups.
func (f *filler) ofKind(kind int) sequence {
	k := &f.kinds[kind]
	s := byHierarchy(f.p.Graph, func(v int32) bool { return int(v) >= k.First && int(v) < k.First+k.Count })
	s.groupings = nil // switches that are not in the racks of their nodes are packed densely
	return s
}

// tooLarge returns the error about a box that does not fit into any rack.
func (f *filler) tooLarge(v int32) error {
	kind := topology.KindOf(f.kinds, int(v))
	k := &f.p.Kinds[kind]
	t := f.p.Room.Type(k.types()[0])
	path := diag.Elem("Kinds", kind)
	units, power, weight, what := 0, k.Power, k.Weight, "a box"
	if k.chassis() >= 0 {
		c := &f.p.Chassis[k.chassis()]
		units = c.Units
		if c.Power > 0 || c.Weight > 0 {
			power, weight, what = power+c.Power, weight+c.Weight, "a box with its chassis"
		}
	} else {
		units = k.Box.Units
	}
	switch {
	case units > t.Units:
		return diag.Fieldf(path, "a box of %d rack units does not fit into a rack of %d", units, t.Units)
	case units > f.p.unitsFor(t) && len(k.Units) == 0:
		return diag.Fieldf("FreeUnits", "a box of %d rack units does not fit into a rack of %d, %d of which stay free",
			units, t.Units, f.p.FreeUnits)
	case t.Power > 0 && power > t.Power:
		return diag.Fieldf(path+".Power", "%s of %v is more than the %v of a rack", what, power, t.Power)
	case t.Weight > 0 && weight > t.Weight:
		return diag.Fieldf(path+".Weight", "%s of %v is more than the %v of a rack", what, weight, t.Weight)
	}
	if len(k.Units) == 0 { // the fixed units of other kinds leave no place in an empty rack
		return diag.Fieldf(path, "no free place for %d rack units in a rack of %d, in which other boxes have fixed "+
			"units",
			units, t.Units)
	}
	return diag.Fieldf(path+".Units", "no free place in an empty rack of %d units", t.Units)
}

// capacity returns the number of routers, each with its terminals, that an empty rack can hold. Vertices that are not
// wanted take no room.
func (f *filler) capacity(l topology.Lattice, want wanted) int {
	t := l.TerminalsPerRouter()
	first := l.Kinds()[0].First
	routers := product(l.Dims())
	r := rackState{of: f.typesOf(home{})[0]}
	for n := range routers {
		var vs []int32
		for k := range t {
			vs = append(vs, int32(routers+n*t+k))
		}
		vs = append(vs, int32(first+n))
		for _, v := range vs {
			if want(v) {
				if _, ok := f.put(&r, v, false); !ok {
					return n
				}
			}
		}
	}
	return routers
}
