package machine

import (
	"cmp"
	"slices"
	"sort"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// three returns the numbers for three axes: a single one for all of them, else 1 for each axis that is left out.
func three(v []int) [3]int {
	out := [3]int{1, 1, 1}
	if len(v) == 1 {
		return [3]int{v[0], v[0], v[0]}
	}
	copy(out[:], v)
	return out
}

// place builds r.tree or r.room, fills in the defaults of the room and finds its rack parts. Mistakes are reported, and
// may leave both nil.
func (r *resolver) place() {
	room := &r.spec.Room
	if len(room.Containers) > 0 {
		r.containers()
		return
	}
	for i := range r.spec.Racks {
		room.Rack = cmp.Or(room.Rack, r.spec.Racks[i].Part)
	}
	if !r.spec.Unread("room.rack") {
		room.Rack = cmp.Or(room.Rack, DefaultRack)
	}
	room.ColdAisle = orDefault(room.ColdAisle, DefaultColdAisle)
	room.HotAisle = orDefault(room.HotAisle, DefaultHotAisle)
	room.Margin = orDefault(room.Margin, DefaultMargin)
	if r.rack = r.part(room.Rack, catalog.KindRack); r.rack == nil {
		return
	}
	r.rackTypes()
	list := r.listRacks()
	if room.RackList != "" && list == nil {
		return
	}
	r.typesOfTemplates()
	r.fits()
	r.makeTemplates()
	t := rackType(r.rack)
	t.Listed = r.rack.ID
	if len(room.Halls) > 0 {
		rows := 0
		for _, h := range room.Halls {
			rows += h.Rows
		}
		if room.Rows.List == nil {
			room.Rows.Count = rows
		}
	}
	named := r.spec.Named()
	s := &layout.RoomSpec{
		Rows: named.Rows, PerRow: room.RacksPerRow, Rack: t, List: named.List, Names: named.Names,
		Types: r.types(),
		Cold:  *room.ColdAisle, Hot: *room.HotAisle, Alternate: room.Facing != "same", Margin: *room.Margin,
		AisleClear: *orDefault(room.AisleClear, DefaultAisleClear),
		RowPower:   room.RowPower, RowWeight: room.RowWeight, FloorLoad: room.FloorLoad,
		Trays: r.layTrays(t), Halls: r.halls(),
	}
	for _, g := range room.Gaps {
		s.Gaps = append(s.Gaps, layout.Gap{After: g.After, Width: g.Width})
	}
	sort.SliceStable(s.Gaps, func(i, j int) bool { return s.Gaps[i].After < s.Gaps[j].After })
	s.KeepOuts = keptFree(room)
	if list != nil {
		s.Rack, s.Types = named.Rack, named.Types
	}
	if s.List != nil {
		s.PerRow = 0
		for i := range s.List {
			s.PerRow = max(s.PerRow, s.List[i].Racks)
			s.Spare = s.Spare || s.List[i].Spare
		}
	}
	r.build(s)
	r.walls(s)
	if list != nil && r.roomSound() {
		r.blame("room.rack_list", list.Check(s))
	}
	r.fitting(s)
	r.room = s
}

// keptFree are the columns and keep-outs that the file states.
func keptFree(room *spec.Room) []layout.KeepOut {
	var out []layout.KeepOut
	for _, c := range room.Columns {
		b := orb.Bound{Min: layout.FloorPoint(c.X, c.Y), Max: layout.FloorPoint(c.X+c.Width, c.Y+c.Depth)}
		out = append(out, layout.KeepOut{Why: layout.Column, Area: b.ToPolygon()})
	}
	for _, k := range room.KeepOuts {
		ring := make(orb.Ring, 0, len(k.Points)+1)
		for _, p := range k.Points {
			if len(p) == 2 {
				ring = append(ring, orb.Point{float64(p[0]), float64(p[1])})
			}
		}
		if len(ring) < 3 {
			continue // check has said so
		}
		if ring[0] != ring[len(ring)-1] {
			ring = append(ring, ring[0])
		}
		out = append(out, layout.KeepOut{
			Name: k.Name, Why: layout.KeptFree, Area: orb.Polygon{ring}, Height: k.Height,
		})
	}
	return out
}

// fitting refuses rows that the floor does not hold, and lays out as many rows and racks as fit between walls where
// they are left out.
func (r *resolver) fitting(s *layout.RoomSpec) {
	if !r.roomSound() {
		return // what has been found there may be why it does not fit
	}
	fitting, err := s.Fit()
	r.input(diag.Under("Room", err))
	*s = fitting
}

// roomSound reports whether nothing is wrong in what is said of where racks stand, and in their parts.
func (r *resolver) roomSound() bool {
	for i := range r.spec.Room.RackTypes {
		if r.part(r.spec.Room.RackTypes[i].Part, catalog.KindRack) == nil {
			return false
		}
	}
	return r.rack != nil &&
		r.sound("room", "floor_load", "row_power", "row_weight", "row_air", "feeds", "loops", "trays")
}

// walls sets the width and depth of a room where the file gives both, and adds the doors of the file to a room that has
// both, of the file or of a drawing.
func (r *resolver) walls(s *layout.RoomSpec) {
	room := &r.spec.Room
	if room.Width != nil && room.Depth != nil {
		s.Width, s.Depth = *room.Width, *room.Depth
	}
	if s.Width == 0 || s.Depth == 0 {
		return
	}
	room.Doors = slices.Clone(room.Doors)
	s.Doors = append(s.Doors, doorsIn(room.Doors)...)
}

// doorsIn returns doors in walls, and fills in how far the floor before them stays clear.
func doorsIn(doors []spec.Door) []layout.Door {
	var out []layout.Door
	for i := range doors {
		d := &doors[i]
		d.Clear = orDefault(d.Clear, d.Width)
		out = append(out, layout.Door{
			Name: d.Name, Wall: layout.Wall(slices.Index(layout.WallNames[:], d.Wall)), At: d.At, Width: d.Width,
			Clear: *d.Clear,
		})
	}
	return out
}

// rackTypes finds the parts of types of racks, and the types that each kind of box may stand in.
func (r *resolver) rackTypes() {
	r.racks = []*catalog.Part{r.rack}
	kinds := r.graph.Kinds()
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	r.typesOf = make([][]int, len(kinds))
	open := []int{0} // types for kinds that none names
	for i, t := range r.spec.Room.RackTypes {
		part := r.part(t.Part, catalog.KindRack)
		if part == nil {
			part = r.rack // CheckCatalog has said so
		}
		r.racks = append(r.racks, part)
		if t.For == nil {
			open = append(open, i+1)
		}
		for k, name := range t.For {
			at := slices.Index(names, name)
			switch {
			case at < 0 && r.maybe(name):
				continue
			case at < 0:
				r.fault(diag.Elem(diag.Elem("room.rack_types", i)+".for", k), "there is no kind of box %q\n%s", name,
					diag.Suggest(name, names, "the kinds are "))
				continue
			}
			r.typesOf[at] = append(r.typesOf[at], i+1)
		}
	}
	named := slices.Clone(r.typesOf)
	for i := range r.typesOf {
		if r.typesOf[i] == nil {
			r.typesOf[i] = open
		}
	}
	for i, f := range r.fabrics {
		if len(r.spec.Fabrics) == 0 || r.spec.Fabrics[i].Order != spec.ByPlace {
			continue
		}
		for _, at := range f.switches {
			if of := r.typesOfEnds(f); named[at.Kind] == nil && r.sharesRacksOfNodes(at.Kind) && of != nil {
				r.typesOf[at.Kind] = of
			}
		}
	}
}

// sharesRacksOfNodes reports whether boxes of a kind stand in the racks of the nodes.
func (r *resolver) sharesRacksOfNodes(kind int) bool {
	b := r.packs[kind]
	return b != nil && (b.Place == "" || b.Place == spec.InRack) && b.Racks == ""
}

// typesOfEnds are the types of racks that the boxes of a fabric may stand in together, of those in the racks of the
// nodes.
func (r *resolver) typesOfEnds(f *fabric) []int {
	var out []int
	for _, at := range f.attached {
		if r.sharesRacksOfNodes(at.Kind) {
			out = append(out, r.typesOf[at.Kind]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// rackTypesOf are the types of racks that a kind of box may stand in, nil in containers.
func (r *resolved) rackTypesOf(kind int) []int {
	if r.typesOf == nil {
		return nil
	}
	return r.typesOf[kind]
}

// types are the types of racks as a layout has them, beside that of the room's rack.
func (r *resolver) types() []layout.RackType {
	var out []layout.RackType
	for i, t := range r.spec.Room.RackTypes {
		l := rackType(r.racks[i+1])
		l.Name, l.Listed = t.Name, t.Name
		if t.Power > 0 {
			l.Power = t.Power
		}
		if t.Weight > 0 {
			l.Weight = t.Weight
		}
		out = append(out, l)
	}
	return out
}

// fits refuses boxes outside chassis that are wider or deeper than a rack that they may stand in, or beside its units
// and taller, and chassis whose slots need more than their own height or the narrowest and shallowest of all racks.
func (r *resolver) fits() {
	for i, b := range r.boxes {
		if b == nil || r.packs[i].Chassis != "" || !r.sound("room.rack_types") {
			continue
		}
		for _, k := range r.typesOf[i] {
			if t := r.racks[k]; b.Part.Width > t.Width || b.Part.Depth > t.Depth {
				r.fault(r.at[i]+".part", "%s is %v wide and %v deep, a %s only %v and %v", b.Part.ID, b.Part.Width,
					b.Part.Depth, t.ID, t.Width, t.Depth)
				break
			} else if b.Part.ZeroU && t.Height > 0 && b.Part.Height > t.Height {
				r.fault(r.at[i]+".part", "%s stands upright and is %v tall, a %s only %v", b.Part.ID, b.Part.Height,
					t.ID, t.Height)
				break
			}
		}
	}
	t := rackType(r.rack)
	for _, p := range r.racks {
		t.Width, t.Depth = min(t.Width, p.Width), min(t.Depth, p.Depth)
	}
	for _, c := range r.chassis {
		inside := [3]units.Length{t.Width, t.Depth, units.Length(c.Units) * units.RackUnit}
		for a, axis := range [3]string{"width", "depth", "height"} {
			if need := units.Length(c.Slots[a]-1) * c.Pitch[a]; need > inside[a] {
				r.fault(diag.Key("packaging.chassis", c.Name)+".pitch",
					"%d slots %v apart take more than the %v of its %s", c.Slots[a], c.Pitch[a], inside[a], axis)
			}
		}
	}
}

func setDefault[T ~float64 | ~int](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// orDefault points to a value that was given, even as zero, or to the default.
func orDefault[T any](given *T, value T) *T {
	if given != nil {
		return given
	}
	return &value
}

// containers builds r.tree from room.containers; counts that are left out are chosen and set in the spec.
func (r *resolver) containers() {
	choose := false
	for i := range r.spec.Room.Containers {
		choose = choose || r.spec.Room.Containers[i].Count == nil
	}
	if choose && len(r.unmade) > 0 {
		return
	}
	levels := levelsOfTree(r.spec)
	var t *layout.Tree
	var err error
	if choose {
		t, err = embed.NestCubes(r.graph, levels)
	} else {
		t, err = layout.NewTree(levels)
	}
	switch {
	case diag.Fields(err) != nil:
		r.input(err)
		return
	case err != nil:
		r.fault("room.containers", "%v", err)
		return
	}
	if choose {
		r.spec.Room.Containers = slices.Clone(r.spec.Room.Containers)
		for i := range t.Levels {
			r.spec.Room.Containers[i].Count = slices.Clone(t.Levels[i].Count[:])
		}
	}
	r.tree = t
}

// levelsOfTree are the containers of a machine file as layout.NewTree takes them, without counts that are left out.
// Pitches that are fitted to cables leave no gap.
func levelsOfTree(s *spec.Spec) []layout.TreeLevel {
	var levels []layout.TreeLevel
	for i := range s.Room.Containers {
		c := &s.Room.Containers[i]
		l := layout.TreeLevel{Name: c.Name, Is: c.Is, Gap: c.Gap, Traces: c.Links == "trace"}
		if c.Count != nil {
			l.Count = three(c.Count)
		}
		fit := c.Fitted()
		for a := range 3 {
			switch {
			case fit[a]:
			case len(c.Pitch) == 1:
				l.Pitch[a] = units.Length(c.Pitch[0])
			case a < len(c.Pitch):
				l.Pitch[a] = units.Length(c.Pitch[a])
			}
		}
		levels = append(levels, l)
	}
	return levels
}

// rackType converts a rack part to the type of racks of a layout, without names.
func rackType(p *catalog.Part) layout.RackType {
	t := layout.RackType{Units: p.Units, Width: p.Width, Depth: p.Depth, Height: p.Height}
	if p.Rack != nil {
		t.Base, t.Power, t.Weight = p.Rack.Base, p.Rack.Power, p.Rack.Weight
	}
	return t
}
