package embed

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// Pin is a vertex with its place.
type Pin struct {
	Vertex int32
	Locked bool // the Optimizer may not move it
	Line   int  // of the table that it comes from, 0 for none
	// Label is the name of the box in the table, "" for none.
	Label string
	// Renumbered is true if label and number in the table are of different vertices; Vertex is the one of the label.
	Renumbered bool

	Slot int32 // in containers

	// In a room:
	Row, Rack int  // the row from 0, the position in the row from 1
	Unit      int  // lowest rack unit of the box, or of its chassis, from 1
	Rear      bool // the front of the box is at the rear of the rack
	Chassis   int  // kind, -1 for none
	Number    int  // of the chassis among those of its kind in the rack, from 1
	Cell      int  // in the chassis, from 0
}

// pinsByVertex returns the index in Pins of the pin of every vertex, -1 for none.
func (p *Problem) pinsByVertex() []int32 {
	out := make([]int32, topology.Vertices(p.Graph))
	for v := range out {
		out[v] = -1
	}
	for i := range p.Pins {
		out[p.Pins[i].Vertex] = int32(i)
	}
	return out
}

// pinSlots moves the pinned vertices to their slots in containers. The vertex that had the slot takes the old slot of
// the pinned one.
func (p *Problem) pinSlots(slots []int32) {
	if len(p.Pins) == 0 {
		return
	}
	holder := make([]int32, p.Tree.Cells(0))
	for s := range holder {
		holder[s] = -1
	}
	for v, s := range slots {
		holder[s] = int32(v)
	}
	for _, pin := range p.Pins {
		from, to := slots[pin.Vertex], pin.Slot
		other := holder[to]
		holder[from], holder[to] = other, pin.Vertex
		if other >= 0 {
			slots[other] = from
		}
		slots[pin.Vertex] = to
	}
}

// pin moves the pinned vertices to their places. Boxes in their way move to the nearest rack of their home with room
// for them, or to a new rack. Limits of power, weight and number are not applied to pinned boxes. It returns the
// positions of the racks, which may be more than before and may include empty ones, and the room, which gets more rows
// if it needs them and their number is not given.
func (f *filler) pin(room *layout.Room, places []int32) (*layout.Room, []int32, error) {
	if len(f.p.Pins) == 0 {
		return room, places, nil
	}
	s := &pinner{filler: f, room: room, places: places, rackAt: make([]int32, len(room.Places))}
	for i := range s.rackAt {
		s.rackAt[i] = -1
	}
	for r, place := range places {
		s.rackAt[place] = int32(r)
	}
	if err := s.inside(); err != nil {
		return nil, nil, err
	}
	s.align()
	s.claim()
	displaced := s.displace()
	s.rehome()
	for i := range f.p.Pins {
		s.setSpot(i)
	}
	displaced = append(displaced, s.strangers()...)
	for i := range f.chassis {
		f.chassis[i].rack = -1
	}
	for v := range f.spots { // a chassis is where its boxes are
		if sp := &f.spots[v]; sp.rack >= 0 && sp.chassis >= 0 {
			f.chassis[sp.chassis].rack = sp.rack
		}
	}
	s.count()
	for _, d := range displaced {
		if !s.relocate(d) {
			return nil, nil, diag.Fieldf("Pins",
				"no rack has room for %s %s, which has to give way to the listed boxes",
				f.kinds[topology.KindOf(f.kinds, int(d.vertex))].Name, f.p.vertexNames().Name(int(d.vertex)))
		}
	}
	return s.room, s.places, f.beside(f.p.pinsByVertex(), f.p.Sizing)
}

// pinner moves pinned vertices to their places, and displaced ones to others.
type pinner struct {
	*filler
	room   *layout.Room
	places []int32
	rackAt []int32 // rack at each place, -1 for none

	rackOf    []int32          // rack of each pin
	chassisOf map[[3]int]int32 // chassis by rack, kind and number
	cells     []map[int]bool   // taken cells of each chassis
}

// displaced is a vertex whose place a pinned box takes, and the position of the rack that it was in.
type displaced struct {
	vertex int32
	place  int32
	// stranger is true if the rack is one of another home now: the vertex then prefers racks with boxes of its kind,
	// and new ones, to racks of its home with other boxes.
	stranger bool
}

// inside returns an error about a pin at a position that is outside the room or kept free; nil if there is none.
func (s *pinner) inside() error {
	for _, pin := range s.p.Pins {
		if pin.Row >= len(s.room.Rows) || pin.Rack > len(s.room.Rows[pin.Row].Position) {
			return diag.Fieldf("Pins", "line %d: position %d of row %s is outside the room", pin.Line, pin.Rack,
				s.room.Spec.RowName(pin.Row))
		}
		row := &s.room.Rows[pin.Row]
		place := row.Position[pin.Rack-1]
		if place < 0 {
			return diag.Fieldf("Pins", "line %d: position %d of row %s is kept free of racks", pin.Line, pin.Rack,
				row.Name)
		}
	}
	return nil
}

// claim finds the rack of every pin, and adds a rack where there is none at its position. It indexes the chassis.
func (s *pinner) claim() {
	s.chassisOf = map[[3]int]int32{}
	for i, c := range s.chassis {
		s.chassisOf[[3]int{int(c.rack), c.kind, c.number}] = int32(i)
	}
	for _, pin := range s.p.Pins {
		place := s.room.Rows[pin.Row].Position[pin.Rack-1]
		r := s.rackAt[place]
		if r < 0 {
			r = s.newRackAt(place, s.p.Kinds[topology.KindOf(s.kinds, int(pin.Vertex))].home())
		}
		s.rackOf = append(s.rackOf, r)
	}
}

// newRackAt adds an empty rack at a position and returns its number.
func (s *pinner) newRackAt(place int32, at home) int32 {
	r := int32(len(s.racks))
	s.racks = append(s.racks, filledRack{home: at, first: -1, state: rackState{of: s.room.Places[place].Type}})
	s.places = append(s.places, place)
	s.rackAt[place] = r
	return r
}

// displace removes the pinned boxes from their present places, and the boxes that stand in the places of the pinned
// ones, which it returns. It adds the chassis of pinned boxes that do not exist yet.
func (s *pinner) displace() []displaced {
	wanted := make([]layout.UnitSet, len(s.racks)) // units of pinned boxes and chassis
	inChassis := map[int32]map[int]bool{}          // cells of pinned boxes
	for i := range s.p.Pins {
		pin := &s.p.Pins[i]
		r := s.rackOf[i]
		if pin.Chassis < 0 {
			wanted[r].Add(pin.Unit, s.height(pin))
			continue
		}
		wanted[r].Add(pin.Unit, s.p.Chassis[pin.Chassis].Units)
		key := [3]int{int(r), pin.Chassis, pin.Number}
		c, ok := s.chassisOf[key]
		if !ok {
			c = int32(len(s.chassis))
			s.chassis = append(s.chassis, chassisSpot{kind: pin.Chassis, rack: r, number: pin.Number})
			s.chassisOf[key] = c
			s.racks[r].chassis[pin.Chassis] = max(s.racks[r].chassis[pin.Chassis], pin.Number)
		}
		s.chassis[c].unit = int16(pin.Unit)
		if inChassis[c] == nil {
			inChassis[c] = map[int]bool{}
		}
		inChassis[c][pin.Cell] = true
	}
	pinned := s.p.pinsByVertex()
	beside := s.besideSeats()
	var out []displaced
	for v := range s.spots {
		sp := &s.spots[v]
		if pinned[v] >= 0 {
			sp.rack = -1
			continue
		}
		kind := topology.KindOf(s.kinds, v)
		k := &s.p.Kinds[kind]
		if k.Class == Beside && !s.p.hasTemplate(kind) { // placed anew by filler.beside, as the racks change
			sp.rack = -1
			continue
		}
		if k.Class == Beside { // displaced if pinned boxes take all seats of its kind in the rack
			key := seatsOf{sp.rack, kind}
			left, pinnedHere := beside[key]
			if !pinnedHere {
				continue
			}
			if beside[key]--; left > 0 {
				continue
			}
			out = append(out, displaced{vertex: int32(v), place: s.places[sp.rack]})
			sp.rack = -1
			continue
		}
		height := k.Box.Units
		if sp.chassis >= 0 {
			cells, claimed := inChassis[sp.chassis]
			if claimed && !cells[int(sp.cell)] {
				sp.unit = s.chassis[sp.chassis].unit
				continue
			}
			height = s.p.Chassis[s.chassis[sp.chassis].kind].Units
			if !claimed && !wanted[sp.rack].Overlaps(int(sp.unit), height) {
				continue
			}
		} else if !wanted[sp.rack].Overlaps(int(sp.unit), height) {
			continue
		}
		out = append(out, displaced{vertex: int32(v), place: s.places[sp.rack]})
		sp.rack = -1
	}
	return out
}

// seatsOf is a rack and a kind of class Beside that has seats in it.
type seatsOf struct {
	rack int32
	kind int
}

// besideSeats counts the seats of class Beside in racks of templates that pinned boxes leave free. It has no entry for
// a kind in a rack without pinned boxes of the kind.
func (s *pinner) besideSeats() map[seatsOf]int {
	left := map[seatsOf]int{}
	for i := range s.p.Pins {
		kind, r := topology.KindOf(s.kinds, int(s.p.Pins[i].Vertex)), s.rackOf[i]
		t := s.p.templateOf(s.racks[r].home)
		if t == nil || s.p.Kinds[kind].Class != Beside {
			continue
		}
		key := seatsOf{r, kind}
		if _, known := left[key]; !known {
			left[key] = t.seats(kind)
		}
		left[key]--
	}
	return left
}

// rehome changes the home of racks with nothing but pinned boxes in their units to the home of these boxes.
func (s *pinner) rehome() {
	others := make([]bool, len(s.racks))
	for v, sp := range s.spots { // pinned boxes have no rack at this time
		if sp.rack >= 0 && s.p.Kinds[topology.KindOf(s.kinds, v)].Class != Beside {
			others[sp.rack] = true
		}
	}
	named := make([]bool, len(s.racks))
	for i := range s.p.Pins {
		k, r := &s.p.Kinds[topology.KindOf(s.kinds, int(s.p.Pins[i].Vertex))], s.rackOf[i]
		if s.sitsIn(s.p.Pins[i].Vertex, s.racks[r].home) { // of several templates that hold the kind, this one
			named[r] = true
			continue
		}
		if k.Class != Beside && !others[r] && (!named[r] || k.Class < s.racks[r].home.class) {
			s.racks[r].home, named[r] = k.home(), true
		}
	}
}

// height returns the rack units that the box of a pin takes.
func (s *pinner) height(pin *Pin) int {
	return s.p.Kinds[topology.KindOf(s.kinds, int(pin.Vertex))].Box.Units
}

// setSpot puts the vertex of pin i at its place.
func (s *pinner) setSpot(i int) {
	pin := &s.p.Pins[i]
	sp := spot{rack: s.rackOf[i], unit: int16(pin.Unit), rear: pin.Rear, chassis: -1}
	if pin.Chassis >= 0 {
		sp.chassis = s.chassisOf[[3]int{int(sp.rack), pin.Chassis, pin.Number}]
		sp.cell = int32(pin.Cell)
	}
	s.spots[pin.Vertex] = sp
	if k := s.p.Kinds[topology.KindOf(s.kinds, int(pin.Vertex))].home(); k.class < s.racks[sp.rack].home.class &&
		!s.sitsIn(pin.Vertex, s.racks[sp.rack].home) {
		s.racks[sp.rack].home = k // nodes among switches make it a rack of nodes
	}
}

// strangers removes boxes from racks that pinned boxes made racks of another home, such as switches from the middle of
// a row where the servers that exist extend to, and returns them. A chassis keeps its boxes.
func (s *pinner) strangers() []displaced {
	pinned := s.p.pinsByVertex()
	var out []displaced
	for v := range s.spots {
		sp := &s.spots[v]
		kind := topology.KindOf(s.kinds, v)
		if sp.rack < 0 || pinned[v] >= 0 || sp.chassis >= 0 || s.p.Kinds[kind].Class == Beside ||
			s.sitsIn(int32(v), s.racks[sp.rack].home) {
			continue
		}
		out = append(out, displaced{vertex: int32(v), place: s.places[sp.rack], stranger: true})
		sp.rack = -1
	}
	return out
}

// count computes the contents of all racks and the taken cells of all chassis from the spots of vertices.
func (s *pinner) count() {
	s.recount()
	s.cells = make([]map[int]bool, len(s.chassis))
	for _, sp := range s.spots {
		if sp.rack >= 0 && sp.chassis >= 0 {
			s.markCell(sp.chassis, int(sp.cell))
		}
	}
}

// markCell marks a cell of a chassis as taken.
func (s *pinner) markCell(chassis int32, cell int) {
	if s.cells[chassis] == nil {
		s.cells[chassis] = map[int]bool{}
	}
	s.cells[chassis][cell] = true
}

// relocate moves a displaced vertex to the nearest rack of its home with room for it, else to a new rack at the nearest
// free position. A stranger takes other racks than those with boxes of its kind only if no position is free, and stays
// in the rack that it was in if there is nothing else. It returns false if there is no place.
func (s *pinner) relocate(d displaced) bool {
	kind := topology.KindOf(s.kinds, int(d.vertex))
	s.home = s.p.Kinds[kind].home()
	away := func(place int32) float64 { return math.Round(float64(s.room.Trays.Distance(d.place, place)) * 1e6) }
	var near []int32
	for r := range s.racks {
		if at := s.racks[r].home; s.sitsIn(d.vertex, at) && slices.Contains(s.typesOf(at), s.racks[r].state.of) {
			near = append(near, int32(r))
		}
	}
	slices.SortStableFunc(near, func(a, b int32) int { return cmp.Compare(away(s.places[a]), away(s.places[b])) })
	join := func(suits func(r int32) bool) bool {
		return slices.ContainsFunc(near, func(r int32) bool { return suits(r) && s.insert(r, d.vertex, kind) })
	}
	if join(func(r int32) bool { return !d.stranger || s.racks[r].state.count[kind] > 0 }) {
		return true
	}
	for {
		best := int32(-1)
		for place, r := range s.rackAt {
			of := s.room.Places[place].Type
			if !slices.Contains(s.typesOf(s.home), of) || !s.mayStandIn(kind, of) {
				continue
			}
			empty := r < 0 || d.stranger && s.racks[r].state.boxes == 0
			if empty && (best < 0 || away(int32(place)) < away(best)) {
				best = int32(place)
			}
		}
		if best >= 0 && s.rackAt[best] >= 0 {
			s.racks[s.rackAt[best]].home = s.home
			return s.insert(s.rackAt[best], d.vertex, kind)
		}
		if best >= 0 {
			return s.insert(s.newRackAt(best, s.home), d.vertex, kind)
		}
		if !s.grow() {
			return d.stranger && (join(func(int32) bool { return true }) ||
				s.insert(s.rackAt[d.place], d.vertex, kind))
		}
	}
}

// grow adds a row to a room whose number of rows is not given, and reports whether it could. Existing positions keep
// their numbers.
func (s *pinner) grow() bool {
	spec := s.room.Spec
	spec.Rows++
	if s.p.Room.Rows > 0 || spec.Rows > mostRow {
		return false
	}
	room, err := newRoom(spec)
	if err != nil {
		return false
	}
	for range len(room.Places) - len(s.rackAt) {
		s.rackAt = append(s.rackAt, -1)
	}
	s.room = room
	return true
}

// insert puts a vertex into a rack, and reports whether there is room.
func (s *pinner) insert(r, v int32, kind int) bool {
	k, state := &s.p.Kinds[kind], &s.racks[r].state
	if s.p.hasTemplate(kind) {
		seat, ok := s.seatIn(r, kind)
		if ok {
			s.sit(r, v, seat)
		}
		return ok
	}
	if !s.bears(state, v, kind, nil) {
		return false
	}
	sp := spot{rack: r, chassis: -1}
	if k.chassis() >= 0 {
		c, cell, ok := s.freeCell(r, k.chassis(), v, kind)
		if !ok {
			return false
		}
		s.markCell(c, cell)
		sp.chassis, sp.cell, sp.unit = c, int32(cell), s.chassis[c].unit
	} else {
		u, ok := s.freeUnit(state, kind, k)
		if !ok {
			return false
		}
		state.used.Add(u, k.Box.Units)
		sp.unit = int16(u)
	}
	s.spots[v] = sp
	s.add(state, v, kind)
	return true
}

// freeUnit returns the lowest rack unit of a free place for a box: one of the fixed units of its kind or, if it has
// none, any.
func (s *pinner) freeUnit(state *rackState, kind int, k *Kind) (int, bool) {
	for _, u := range k.Units {
		if u+k.Box.Units-1 <= s.p.Room.Type(state.of).Units && !state.used.Overlaps(u, k.Box.Units) {
			return u, true
		}
	}
	if len(k.Units) > 0 {
		return 0, false
	}
	taken := state.used.Union(&s.reserved[kind])
	return taken.Free(k.Box.Units, s.p.unitsFor(s.p.Room.Type(state.of)), s.kinds[kind].Role == topology.Switch)
}

// freeCell returns a free cell in a chassis of the rack, which it adds if there is none with a free cell.
func (s *pinner) freeCell(r int32, kind int, v int32, vertexKind int) (chassis int32, cell int, ok bool) {
	c := &s.p.Chassis[kind]
	count := 0
	for i := range s.chassis {
		if s.chassis[i].rack != r || s.chassis[i].kind != kind {
			continue
		}
		count++
		for cell := range c.Cells() {
			if !s.cells[i][cell] {
				return int32(i), cell, true
			}
		}
	}
	taken := s.racks[r].state.used.Union(&s.reserved[vertexKind])
	u, found := taken.Free(c.Units, s.p.unitsFor(s.p.Room.Type(s.racks[r].state.of)), false)
	if !found || c.PerRack > 0 && count >= c.PerRack || !s.bears(&s.racks[r].state, v, vertexKind, c) {
		return 0, 0, false
	}
	s.racks[r].state.used.Add(u, c.Units)
	s.racks[r].state.addChassis(c)
	s.racks[r].chassis[kind]++
	s.chassis = append(s.chassis, chassisSpot{kind, r, int16(u), s.racks[r].chassis[kind]})
	s.cells = append(s.cells, nil)
	return int32(len(s.chassis) - 1), 0, true
}

// recount computes the state of every rack from the spots of the vertices.
func (f *filler) recount() {
	for i := range f.racks {
		f.racks[i].state = rackState{of: f.racks[i].state.of}
	}
	for _, c := range f.chassis {
		if c.rack >= 0 {
			kind := &f.p.Chassis[c.kind]
			f.racks[c.rack].state.used.Add(int(c.unit), kind.Units)
			f.racks[c.rack].state.addChassis(kind)
		}
	}
	for v, sp := range f.spots {
		if sp.rack < 0 {
			continue
		}
		kind := topology.KindOf(f.kinds, v)
		k, r := &f.p.Kinds[kind], &f.racks[sp.rack].state
		if sp.chassis < 0 {
			r.used.Add(int(sp.unit), k.Box.Units)
		}
		f.add(r, int32(v), kind)
	}
}

// lockedRacks reports, for each rack, whether it holds a vertex that may not be moved.
func (f *filler) lockedRacks() []bool {
	out := make([]bool, len(f.racks))
	for _, pin := range f.p.Pins {
		if pin.Locked {
			out[f.spots[pin.Vertex].rack] = true
		}
	}
	return out
}
