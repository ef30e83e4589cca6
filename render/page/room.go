package page

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/solid"
	"github.com/plenum-planner/plenum/units"
)

// tenths are the tenths of a millimetre of a length.
func tenths(l units.Length) int64 { return int64(math.Round(float64(l) * 1e4)) }

// bounds are the least and greatest coordinates of an area.
func bounds(b orb.Bound) [4]float64 { return [4]float64{b.Min[0], b.Min[1], b.Max[0], b.Max[1]} }

// reasons say why no rack stands in an area.
var reasons = [layout.Causes]string{
	layout.KeptFree: "keep-out", layout.DoorZone: "door", layout.Column: "column", layout.Walled: "wall",
	layout.Reserved: "reserved",
}

// racks fills in the floor and the columns of racks.
func (d *Data) racks(r *machine.Result) {
	room := r.Room()
	if room == nil {
		d.containers(r)
		return
	}
	d.Room = newRoom(room)
	n := len(room.Places)
	c := newRackColumns(n)
	for i := range room.Places {
		p := &room.Places[i]
		t := room.Type(int32(i))
		c.x[i], c.y[i], c.z[i] = float32(p.X), float32(p.Y), float32(room.Rows[p.Row].Z)
		c.width[i], c.depth[i], c.height[i] = float32(t.Width), float32(t.Depth), float32(t.Height)
		c.units[i], c.limit[i] = int16(t.Units), float32(t.Power)
		if p.Turned {
			c.turned[i] = 1
		}
	}
	for _, rack := range r.Placement.Racks {
		i := rack.Place
		c.boxes[i], c.used[i] = int32(rack.Boxes), int16(rack.Used)
		c.power[i], c.weight[i] = float32(rack.Power), float32(rack.Weight)
		switch rack.Class {
		case embed.EndOfRow:
			c.class[i] = endOfRow
		case embed.MiddleOfRow:
			c.class[i] = middleOfRow
		}
	}
	d.Racks = c.columns("rack", n, room.Name)
}

// rackColumns are the columns of Racks as they are filled.
type rackColumns struct {
	x, y, z, width, depth, height, power, limit, weight []float32
	units, used                                         []int16
	turned, class                                       []uint8
	boxes                                               []int32
}

func newRackColumns(n int) *rackColumns {
	f := func() []float32 { return make([]float32, n) }
	return &rackColumns{
		f(), f(), f(), f(), f(), f(), f(), f(), f(), make([]int16, n), make([]int16, n), make([]uint8, n),
		make([]uint8, n), make([]int32, n),
	}
}

func (c *rackColumns) columns(level string, n int, name func(i int) string) Racks {
	return Racks{
		Level: level, Count: n, Names: texts(n, name), X: column(c.x), Y: column(c.y), Z: column(c.z),
		Width: column(c.width), Depth: column(c.depth), Height: column(c.height), Units: column(c.units),
		Turned: column(c.turned), Boxes: column(c.boxes), Used: column(c.used), Class: column(c.class),
		Power: column(c.power), Limit: column(c.limit), Weight: column(c.weight),
	}
}

// containers takes the innermost level of containers of which a page can hold all.
func (d *Data) containers(r *machine.Result) {
	l := r.Schedule.Placement.Layout
	level := 0
	count := func(level int) int { return l.Slots() / max(l.Tree.Cells(level), 1) }
	for level+1 < len(l.Levels) && count(level+1) <= mostRacks {
		level++
	}
	n := count(level)
	if level+1 < len(l.Levels) {
		d.addLeft("racks", fmt.Sprintf("Of %d levels of containers, those down to level %q are drawn; the next "+
			"has more than %s.", len(l.Levels), l.Levels[level].Name, english.Grouped(mostRacks)))
	}
	c := newRackColumns(n)
	size := l.Tree.Size(level)
	for i := range n {
		at := l.Tree.Origin(level, int32(i))
		c.x[i], c.y[i], c.z[i] = float32(at.X+size[0]/2), float32(at.Y+size[1]/2), float32(at.Z)
		c.width[i], c.depth[i], c.height[i] = float32(size[0]), float32(size[1]), float32(size[2])
	}
	for _, slot := range r.Schedule.Placement.Slot {
		c.boxes[l.Container(level, slot)]++
	}
	d.Racks = c.columns(l.Levels[level].Name, n, func(i int) string { return l.ContainerName(level, int32(i)) })
	for i := range level + 1 {
		d.Nests = append(d.Nests, Nest{l.Levels[i].Name, l.Tree.Cells(i) / l.Tree.Cells(level)})
	}
	d.cords(r, level)
}

// cords fills the columns of cables between containers.
func (d *Data) cords(r *machine.Result, deepest int) {
	cords, first := solid.Cords(r, deepest, mostBends)
	if first <= deepest {
		d.addLeft("cords", fmt.Sprintf("The view in three dimensions has no cables between containers of level %q "+
			"and inside them: there are too many.", d.Nests[first].Name))
	}
	n := len(cords)
	if n == 0 {
		return
	}
	level, a, b := make([]uint8, n), make([]int32, n), make([]int32, n)
	cables, copper, thick := make([]int32, n), make([]int32, n), make([]float32, n)
	starts := make([]int32, 1, n+1)
	var points []float32
	for i, c := range cords {
		level[i], a[i], b[i] = uint8(c.Level), c.A, c.B
		cables[i], copper[i], thick[i] = int32(c.Cables), int32(c.Copper), float32(c.Diameter)
		for _, p := range c.Points {
			points = append(points, float32(p.X), float32(p.Y), float32(p.Z))
		}
		starts = append(starts, int32(len(points)/3))
	}
	d.Cords = &Cords{
		Count: n, Level: column(level), A: column(a), B: column(b), Cables: column(cables), Copper: column(copper),
		Diameter: column(thick), Starts: column(starts), Points: column(points),
	}
}

// newRoom describes the floor.
func newRoom(room *layout.Room) *Room {
	out := &Room{
		Bound: bounds(room.Bound), Walls: room.Spec.Width > 0, Doors: []Line{}, Rows: []Row{}, Aisle: []Aisle{},
		Kept: []Kept{},
	}
	floors := room.Spec.Floors()
	for i := range floors {
		f := &floors[i]
		if room.Spec.Width == 0 {
			out.Halls = append(out.Halls, bounds(f.Bound))
		}
		for j := range f.Doors {
			door := f.Opening(&f.Doors[j])
			out.Doors = append(out.Doors, Line{door[0][0], door[0][1], door[1][0], door[1][1]})
		}
	}
	for _, g := range room.HallOpenings() {
		gap := Gap{At: layout.FloorPoint(g.X, g.Y), Width: float64(g.Width)}
		if !g.InFloor {
			gap.Wall = layout.WallNames[g.Wall]
		}
		out.Gaps = append(out.Gaps, gap)
	}
	for i, b := range room.HallBounds() {
		out.HallNames = append(out.HallNames, HallName{room.Spec.Halls[i].Title(), bounds(b)})
	}
	for i := range room.Rows {
		row := &room.Rows[i]
		out.Rows = append(out.Rows, Row{row.Name, [4]float64{
			float64(row.X0), float64(row.Y0), float64(row.X1), float64(row.Y1),
		}, len(row.Position)})
	}
	for _, a := range room.AisleFloors() {
		out.Aisle = append(out.Aisle, Aisle{a.Cold, bounds(a.Bound)})
	}
	for i := range room.KeepOuts {
		k := &room.KeepOuts[i]
		kept := Kept{
			Name: k.Name, Why: reasons[k.Why], Rings: [][][2]float64{}, Height: float64(k.Height),
		}
		for _, ring := range k.Area {
			points := make([][2]float64, len(ring))
			for j, p := range ring {
				points[j] = p
			}
			kept.Rings = append(kept.Rings, points)
		}
		out.Kept = append(out.Kept, kept)
	}
	return out
}

// trays fills the columns of pieces of tray.
func (d *Data) trays(s *cabling.Schedule) {
	t := s.Trays
	if t == nil {
		return
	}
	out := &Trays{Levels: []string{}, Limits: []float64{}}
	for i := range t.Network.Levels {
		out.Levels = append(out.Levels, t.Network.Levels[i].Name)
		out.Limits = append(out.Limits, 100*t.Rules[i].Fill)
	}
	n := t.Network.Pieces()
	if n > mostTrays {
		d.addLeft("trays", fmt.Sprintf("The trays have %s pieces, which are not drawn; trays.csv has all with cables.",
			english.Grouped(int64(n))))
		return
	}
	var level []uint8
	var ends, fill []float32
	var cables []int32
	for piece := range int32(n) {
		if !t.Network.IsLaid(piece) {
			continue
		}
		p := t.Network.Piece(piece)
		level = append(level, uint8(p.Level))
		for _, at := range [...]layout.Point{p.From, p.To} {
			ends = append(ends, float32(at.X), float32(at.Y), float32(at.Z))
		}
		cables, fill = append(cables, int32(t.Loads[piece].Cables)), append(fill, float32(100*t.Fill(piece)))
	}
	out.Level, out.Ends, out.Cables, out.Fill = column(level), column(ends), column(cables), column(fill)
	d.Trays = out
}

// bundles fills the columns of bundles and of the ways that they run.
func (d *Data) bundles(s *cabling.Schedule, listed bool) {
	n := len(s.Bundles)
	if n == 0 {
		return
	}
	if !listed && n > mostBundles {
		d.addLeft("bundles", fmt.Sprintf("There are %s bundles between racks, which are not drawn; bundles.csv has "+
			"all.",
			english.Grouped(int64(n))))
		return
	}
	a, b, way := make([]int32, n), make([]int32, n), make([]int32, n)
	cables, copper, far := make([]int32, n), make([]int32, n), make([]float32, n)
	for i := range s.Bundles {
		t := &s.Bundles[i]
		a[i], b[i], way[i], cables[i], copper[i], far[i] = t.A, t.B, t.Way, t.Cables, t.Copper, float32(t.Longest)
	}
	d.Bundles = &Bundles{
		Count: n, A: column(a), B: column(b), Way: column(way), Cables: column(cables), Copper: column(copper),
		Far: column(far), TrayNames: []string{},
	}
	d.Bundles.ways(s)
}

// ways fills the columns of ways.
func (b *Bundles) ways(s *cabling.Schedule) {
	if s.Trays == nil || len(s.Ways) == 0 {
		return
	}
	starts, runs := make([]int32, 0, len(s.Ways)+1), make([]int32, 0, len(s.Ways)+1)
	level := make([]uint8, len(s.Ways))
	var points, lengths []float32
	var names []int32
	number := map[string]int32{}
	var corners []layout.Point
	for w := range s.Ways {
		way := &s.Ways[w]
		legs := s.WayLegs(int32(w))
		level[w] = way.Level
		starts, runs = append(starts, int32(len(points)/3)), append(runs, int32(len(names)))
		place := &s.Placement.Layout.Room.Places[way.A]
		corners = s.Trays.Network.Follow(corners[:0], legs, layout.Point{X: place.X, Y: place.Y})
		for _, p := range corners {
			points = append(points, float32(p.X), float32(p.Y), float32(p.Z))
		}
		for _, t := range s.Trays.Network.Describe(legs) {
			name := s.Trays.TrayName(int(way.Level), t.Name)
			i, known := number[name]
			if !known {
				i = int32(len(b.TrayNames))
				number[name] = i
				b.TrayNames = append(b.TrayNames, name)
			}
			names, lengths = append(names, i), append(lengths, float32(t.Length))
		}
	}
	starts, runs = append(starts, int32(len(points)/3)), append(runs, int32(len(names)))
	b.Starts, b.Points, b.Level = column(starts), column(points), column(level)
	b.Runs, b.RunNames, b.RunLength = column(runs), column(names), column(lengths)
}
