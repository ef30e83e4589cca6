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

// mostKinds is how many kinds of boxes a room may have.
const mostKinds = 64

// mostChassisKinds is how many kinds of chassis a room may have.
const mostChassisKinds = 4

// spot is where a vertex stands within the racks that are being filled.
type spot struct {
	rack    int32 // number of the rack in the order of filling
	unit    int16 // lowest rack unit
	chassis int32 // number of the chassis in filler.chassis, -1 for none
	cell    int32 // of the chassis
	rear    bool  // the front is at the rear of the rack
}

// chassisSpot is a chassis that stands in a rack being filled.
type chassisSpot struct {
	kind   int
	rack   int32 // -1 for one that has been taken away
	unit   int16
	number int // among those of its kind in the rack, from 1
}

// rackState is what a rack holds so far. It is a value: trying out a group
// works on a copy.
type rackState struct {
	used        layout.UnitSet
	power       float64
	plugged     float64 // power of what is plugged into the boxes, at most
	weight      float64
	boxes       int
	of          int              // type of the rack
	count       [mostKinds]int16 // boxes of each kind
	groupCounts []groupCount     // of the groups with anti-affinity; never changed in place
	// Of each kind of chassis: how many stand here, the open one and its
	// filled cells.
	chassis [mostChassisKinds]struct {
		count  int16
		open   int32
		filled int32
	}
}

// filledRack is a rack after filling, before it has a place on the floor.
type filledRack struct {
	home    home
	state   rackState
	first   int32                   // the first vertex in it, which tells the rack's groups
	chassis [mostChassisKinds]int   // of each kind, the highest number
	open    [mostChassisKinds]int32 // of each kind, the chassis that is being filled
}

// filler fills racks one after the other.
type filler struct {
	p       *Problem
	kinds   []topology.Kind
	spots   []spot // of each vertex
	chassis []chassisSpot
	racks   []filledRack
	home    home
	// reserved is, of each kind, the fixed units of the other kinds that stand in the same racks.
	reserved     []layout.UnitSet
	antiAffinity antiAffinity
	dealt        []dealt // for the note

	rack   rackState
	open   bool      // the last of racks is being filled
	tried  rackState // of the trial
	supply *supply   // of places for the racks so far; nil where all racks are of one type
	trial  []assignment
}

type assignment struct {
	vertex int32
	spot   spot
	// fresh is the kind of chassis to set up for this vertex, -1 for none.
	fresh int
}

func newFiller(p *Problem) *filler {
	f := &filler{p: p, kinds: p.Graph.Kinds(), antiAffinity: p.newAntiAffinity()}
	f.spots = make([]spot, topology.Vertices(p.Graph))
	if p.Room != nil && len(p.Room.Types) > 0 {
		if room, err := newRoom(*p.Room); err == nil { // what is wrong with it is said where racks are arranged
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

// seatsBeside are the seats of the template whose racks other boxes of a kind share.
func (f *filler) seatsBeside(kind int) []Seat {
	if t := f.p.templateOf(f.p.Kinds[kind].home()); t != nil && !t.holds(kind) {
		return t.Seats
	}
	return nil
}

// check refuses what the filler's fixed-size state cannot hold.
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

// put tries to stand a vertex in the rack and returns where. A sealed vertex
// starts a new chassis.
func (f *filler) put(r *rackState, v int32, sealed bool) (assignment, bool) {
	kind := topology.KindOf(f.kinds, int(v))
	k := &f.p.Kinds[kind]
	t := f.p.Room.Type(r.of)
	a := assignment{vertex: v, spot: spot{chassis: -1}, fresh: -1}
	var fresh *layout.Chassis // that is set up for this vertex
	if k.chassis() >= 0 {
		state := &r.chassis[k.chassis()]
		if c := &f.p.Chassis[k.chassis()]; sealed || state.count == 0 || int(state.filled) == c.Cells() {
			fresh = c
		}
	}
	if !f.bears(r, v, kind, fresh) {
		return a, false
	}
	if k.chassis() >= 0 {
		c := &f.p.Chassis[k.chassis()]
		state := &r.chassis[k.chassis()]
		if fresh != nil {
			if c.PerRack > 0 && int(state.count) >= c.PerRack {
				return a, false
			}
			taken := r.used.Union(&f.reserved[kind])
			u, ok := taken.Free(c.Units, t.Units, false)
			if !ok {
				return a, false
			}
			r.used.Add(u, c.Units)
			r.addChassis(c)
			state.count++
			state.filled = 0
			state.open = int32(u)
			a.fresh = k.chassis()
		}
		a.spot.unit = int16(state.open)
		a.spot.cell = state.filled
		state.filled++
	} else {
		u, ok := f.unit(r, kind, k)
		if !ok {
			return a, false
		}
		r.used.Add(u, k.Box.Units)
		a.spot.unit = int16(u)
	}
	f.add(r, v, kind)
	return a, true
}

// add counts a box of a kind in a rack.
func (f *filler) add(r *rackState, v int32, kind int) {
	k := &f.p.Kinds[kind]
	f.antiAffinity.add(r, v)
	r.count[kind]++
	r.boxes++
	r.power += float64(k.Power)
	r.plugged += float64(k.Plugged)
	r.weight += float64(k.Weight)
}

// addChassis counts a chassis without boxes in a rack.
func (r *rackState) addChassis(c *layout.Chassis) {
	r.power += float64(c.Power)
	r.weight += float64(c.Weight)
}

// bears reports whether a rack with what it holds may take another box of a kind, and the chassis that is set up for
// it, nil for none, by number, power and weight, and anti-affinity. A box that draws too much only with its opticsto it
// gets a rack to itself.
func (f *filler) bears(r *rackState, v int32, kind int, fresh *layout.Chassis) bool {
	k, t := &f.p.Kinds[kind], f.p.Room.Type(r.of)
	power, weight := float64(k.Power)+r.power, float64(k.Weight)+r.weight
	if fresh != nil {
		power += float64(fresh.Power)
		weight += float64(fresh.Weight)
	}
	if r.boxes > 0 {
		power += float64(k.Plugged) + r.plugged
	}
	switch {
	case k.PerRack > 0 && int(r.count[kind]) >= k.PerRack,
		t.Power > 0 && power > float64(t.Power)+1e-9,
		t.Weight > 0 && weight > float64(t.Weight)+1e-9:
		return false
	}
	return f.antiAffinity.takes(r, v)
}

// unit finds the lowest unit for a box: its fixed one, else the lowest free
// one for nodes and the highest for switches.
func (f *filler) unit(r *rackState, kind int, k *Kind) (int, bool) {
	t := f.p.Room.Type(r.of)
	if len(k.Units) > 0 {
		i := int(r.count[kind])
		if i >= len(k.Units) {
			return 0, false
		}
		u := k.Units[i]
		return u, u+k.Box.Units-1 <= t.Units && !r.used.Overlaps(u, k.Box.Units)
	}
	taken := r.used.Union(&f.reserved[kind])
	return taken.Free(k.Box.Units, t.Units, f.kinds[kind].Role == topology.Switch)
}

// tryGroup stands order[lo:hi] in a copy of the rack; on success the copy and
// the assignments are to be kept.
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
	rack := int32(len(f.racks) - 1)
	for _, a := range f.trial {
		f.seat(&a, rack)
		f.spots[a.vertex] = a.spot
		if f.racks[rack].state.boxes == 0 && f.racks[rack].first < 0 {
			f.racks[rack].first = a.vertex
		}
	}
	f.rack = f.tried
	f.racks[rack].state = f.tried
}

// seat completes an assignment with its rack and, in a chassis, the chassis,
// which is set up if need be.
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

// newRack opens a rack of the type that comes next, if none is open that is empty.
func (f *filler) newRack() {
	if f.open && f.rack.boxes == 0 {
		return
	}
	f.openRack(f.nextTypes(f.home)[0])
}

// openRack opens a rack of a type. One that is open and empty is made one of that type.
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

// fill stands the vertices of a sequence in new racks.
func (f *filler) fill(s sequence, at home) error {
	f.home = at
	f.open = false
	return f.group(&s, 0, len(s.order), len(s.nests))
}

// group stands order[lo:hi], which is one group of nest level (or everything,
// or a single vertex at level -1): together if one rack can hold it.
func (f *filler) group(s *sequence, lo, hi, level int) error {
	if lo == hi {
		return nil
	}
	if level == len(s.nests) && slices.ContainsFunc(s.nests, func(n grouping) bool { return n.own }) {
		return f.split(s, lo, hi, level)
	}
	hard, own := false, false
	if level >= 0 && level < len(s.nests) {
		hard, own = s.nests[level].hard, s.nests[level].own
	}
	if f.open && !hard && !own {
		if f.tryGroup(&f.rack, s, lo, hi) {
			f.keep()
			return nil
		}
	}
	if hi-lo == 1 && f.open && f.besideOthers(s.order[lo]) {
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
	if len(s.nests) > 0 {
		f.newRack()
	}
	return f.split(s, lo, hi, level)
}

// besideOthers tries to stand a vertex, for which too many of its group are in the open rack, in an earlier one of the
// same home, the first with room: each that must stand apart would begin a rack otherwise.
func (f *filler) besideOthers(v int32) bool {
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

// split stands a group that no rack can hold, subgroup by subgroup (single
// vertices at level 0). One that lies in a coarser group is spread evenly over
// the racks it needs; everything together fills rack after rack.
func (f *filler) split(s *sequence, lo, hi, level int) error {
	quota := hi - lo
	if grouped := level < len(s.nests); grouped || f.p.ByPlace {
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
			of := s.nests[level-1].of
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

// racksInTurn returns how many racks order[lo:hi] takes if each is filled up before the next is begun.
func (f *filler) racksInTurn(s *sequence, lo, hi int) int {
	racks := 1
	of := f.nextTypes(f.home)[0]
	r := rackState{of: of}
	for i := lo; i < hi; i++ {
		sealed := s.seal != nil && s.seal[i]
		if _, ok := f.put(&r, s.order[i], sealed); !ok {
			racks++
			r = rackState{of: of}
			f.put(&r, s.order[i], sealed)
		}
	}
	return racks
}

// distribute stands vertices that belong to no group evenly in the racks that
// are filled already, from a first one on: the j-th of m in rack j*n/m of n, or in the next one with
// room; in new racks where no rack has any.
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

// byKind parts vertices by their kinds, in the order in which the kinds first come.
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

// into tries to stand a vertex in a rack, whichever is being filled.
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

// share fills the racks of one name with the kinds that share them, kind after kind: every box stands in the first that
// has room for it.
func (f *filler) share(at home) error {
	f.home = at
	first, template := int32(f.firstOf(at)), f.p.templateOf(at)
	for i := range f.kinds {
		if f.p.Kinds[i].home() != at || f.p.hasTemplate(i) {
			continue
		}
		rack := first // those before have no room for boxes of this kind
		for _, v := range f.ofKind(i).order {
			to := rack
			for int(to) < len(f.racks) && (f.racks[to].home != at || !f.into(to, v)) {
				if to++; f.antiAffinity.of == nil { // else another box may stand where this one may not
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
			for _, of := range f.nextTypes(at) { // a rack that does not take the box is made one of the next type
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

// noRoom says that the racks of a template have no free units left for another kind of boxes.
func (f *filler) noRoom(t *Template, kind int) error {
	return diag.Fieldf(diag.Elem("Kinds", kind)+".Racks",
		"the racks %s have no free units left for %s: their boxes and power leave no more\n"+
			"have fewer, more racks %s, or let them stand in other racks", t.Name,
		english.Count(f.kinds[kind].Count, "box")+" of kind "+f.kinds[kind].Name, t.Name)
}

// shares reports whether a rack is one of a name, or holds a pinned box of those that share the racks of the name.
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

// beside stands the boxes that take no units and are not pinned, in the racks that the others have filled: kind after
// kind, those for racks of a name first, as many as a rack takes, in the order of filling, but racks of the names of
// other such kinds last. Racks with such boxes of another kind are passed over. Where last is set, as before pinned
// boxes stand in their racks, the racks may be fewer than they will be, and
// the last one takes what is left.
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
		var room, others []int32 // the racks that take boxes of the kind, once for each box
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
		if f.p.Sizing && len(room) == 0 { // only their number is wanted
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

// ofKind is the boxes of a kind, in the order of the topology's groups.
func (f *filler) ofKind(kind int) sequence {
	k := &f.kinds[kind]
	s := byHierarchy(f.p.Graph, func(v int32) bool { return int(v) >= k.First && int(v) < k.First+k.Count })
	s.nests = nil // switches apart from their nodes are packed densely
	return s
}

// tooLarge says why a box fits into no rack.
func (f *filler) tooLarge(v int32) error {
	kind := topology.KindOf(f.kinds, int(v))
	k := &f.p.Kinds[kind]
	t := f.p.Room.Type(f.typesOf(k.home())[0])
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
	case t.Power > 0 && power > t.Power:
		return diag.Fieldf(path+".Power", "%s of %v is more than the %v of a rack", what, power, t.Power)
	case t.Weight > 0 && weight > t.Weight:
		return diag.Fieldf(path+".Weight", "%s of %v is more than the %v of a rack", what, weight, t.Weight)
	}
	if len(k.Units) == 0 { // only fixed units of others leave no place in an empty rack
		return diag.Fieldf(path, "no free place for %d rack units in a rack of %d, in which other boxes have fixed "+
			"units",
			units, t.Units)
	}
	return diag.Fieldf(path+".Units", "no free place in an empty rack of %d units", t.Units)
}

// capacity returns how many routers, each with its terminals, an empty rack
// can take.
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
