package solid

import (
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Sizes of what a plan states no size of, in metres.
const (
	slab      = 0.05 // of a floor
	wallThick = 0.1
	marked    = 0.005 // of what is painted on the floor
	overhead  = 0.5   // from the highest rack or tray to the end of walls and columns
	storey    = 3.0   // the least height of walls
)

// rooms adds floors, walls, columns and keep-outs.
func (b *builder) rooms() {
	room := b.r.Room()
	rooms := b.group("rooms", -1)
	for hall := range max(1, len(room.Spec.Halls)) {
		bound, z := floorOf(room, hall)
		name := "floor"
		if len(room.Spec.Halls) > 0 && room.Spec.Halls[hall].Name != "" {
			name = "floor of " + room.Spec.Halls[hall].Name
		}
		w, d := bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1]
		at := layout.Point{X: units.Length(bound.Min[0]), Y: units.Length(bound.Min[1]), Z: z}
		b.Storeys = append(b.Storeys, Storey{
			Name: strings.TrimPrefix(name, "floor of "), At: at, Height: units.Length(topOf(room)) - z,
			Size: [2]units.Length{units.Length(w), units.Length(d)},
		})
		b.add(Solid{
			Kind: Floor, Name: name, Shape: b.shape(block(Floor, 0, 0, -slab, w, d, 0)), In: rooms,
			Storey: int32(hall), At: at,
			Facts: []Fact{metres("width_m", units.Length(w)), metres("depth_m", units.Length(d))},
		})
	}
	top := topOf(room)
	b.walls(rooms, top)
	for i := range room.KeepOuts {
		b.keepOut(rooms, &room.KeepOuts[i], top)
	}
}

// floorOf is the floor of a hall: all of the room where it is the only one.
func floorOf(room *layout.Room, hall int) (orb.Bound, units.Length) {
	if len(room.Spec.Halls) < 2 {
		return room.Bound, room.Rows[0].Z
	}
	if floors := room.Spec.Floors(); floors != nil {
		return floors[hall].Bound, room.Spec.Halls[hall].Floor
	}
	bound, z, first := room.Bound, units.Length(0), true
	for i := range room.Rows {
		row := &room.Rows[i]
		if row.Hall != hall {
			continue
		}
		lo, hi := float64(row.Y0-room.Spec.Margin), float64(row.Y1+room.Spec.Margin)
		if first {
			bound.Min[1], bound.Max[1], z, first = lo, hi, row.Z, false
		}
		bound.Min[1], bound.Max[1] = min(bound.Min[1], lo), max(bound.Max[1], hi)
	}
	return bound, z
}

// topOf is how high walls and columns are drawn, above the lowest floor.
func topOf(room *layout.Room) float64 {
	top := storey - overhead
	for i := range room.Rows {
		z := room.Rows[i].Z
		top = max(top, float64(z+room.Spec.Rack.Height))
		for t := range room.Spec.Types {
			top = max(top, float64(z+room.Spec.Types[t].Height))
		}
		if room.Trays != nil {
			for _, l := range room.Trays.Levels {
				top = max(top, float64(z+l.Height))
			}
		}
	}
	return top + overhead
}

// walls adds those of a room that has any, open where its doors are.
func (b *builder) walls(in int32, top float64) {
	s := &b.r.Room().Spec
	floors := s.Floors()
	for i := range floors {
		f := &floors[i]
		at, of := layout.Point{X: units.Length(f.Bound.Min[0]), Y: units.Length(f.Bound.Min[1])}, ""
		if len(s.Halls) > 0 {
			of, at.Z = " of "+s.Halls[f.Hall].Name, s.Halls[f.Hall].Floor
		}
		b.wallsOf(in, f, at, of, top-float64(at.Z)) // walls of all halls end alike
	}
}

// wallsOf adds the walls around a floor, whose south-western corner is at a point; of is the end of their names.
func (b *builder) wallsOf(in int32, f *layout.Floor, corner layout.Point, of string, top float64) {
	w, d := f.Bound.Max[0]-f.Bound.Min[0], f.Bound.Max[1]-f.Bound.Min[1]
	for wall, name := range layout.WallNames {
		along := w
		if layout.Wall(wall) == layout.East || layout.Wall(wall) == layout.West {
			along = d
		}
		var parts []Part
		piece := func(from, to float64) {
			if to <= from {
				return
			}
			switch layout.Wall(wall) {
			case layout.South:
				parts = append(parts, block(Wall, from, -wallThick, 0, to, 0, top))
			case layout.North:
				parts = append(parts, block(Wall, from, d, 0, to, d+wallThick, top))
			case layout.West:
				parts = append(parts, block(Wall, -wallThick, from, 0, 0, to, top))
			case layout.East:
				parts = append(parts, block(Wall, w, from, 0, w+wallThick, to, top))
			}
		}
		at := 0.0
		doors := slices.Clone(f.Doors)
		slices.SortStableFunc(doors, func(x, y layout.Door) int {
			switch {
			case x.At < y.At:
				return -1
			case x.At > y.At:
				return 1
			}
			return 0
		})
		for i := range doors {
			if doors[i].Wall == layout.Wall(wall) {
				piece(at, float64(doors[i].At))
				at = max(at, float64(doors[i].At+doors[i].Width))
			}
		}
		piece(at, along)
		if len(parts) > 0 {
			b.add(Solid{
				Kind: Wall, Name: name + " wall" + of, Shape: b.shape(parts...), In: in, Storey: int32(f.Hall),
				At: corner,
			})
		}
	}
}

// keepOut adds what no rack may stand on. Floor beyond the walls is left out, as no floor is drawn there that could be
// taken for free.
func (b *builder) keepOut(in int32, k *layout.KeepOut, top float64) {
	kind, z0, z1, name := KeepOut, 0.0, marked, k.Name
	switch k.Why {
	case layout.DoorZone:
		kind = Door
	case layout.Column:
		kind, z1 = Column, top
	case layout.Walled:
		kind, z1 = Wall, top
	case layout.KeptFree, layout.Reserved:
		z1 = max(z1, float64(k.Height))
	}
	if name == "" {
		name = kind.String()
	}
	ring := corners(k.Area[0])
	if k.Why == layout.Walled {
		const thin = 0.01
		if math.Abs(planar.Area(k.Area[0])) >= thin*planar.Length(k.Area[0])/2 {
			return
		}
		ring = wallOf(k.Area[0])
	}
	if len(ring) < 3 {
		return
	}
	b.add(Solid{
		Kind: kind, Name: name, In: in,
		Shape: b.shape(Part{Kind: kind, Lo: [3]float64{2: z0}, Hi: [3]float64{2: z1}, Ring: ring}),
	})
}

// corners are those of a ring, anticlockwise, each once.
func corners(ring orb.Ring) [][2]float64 {
	var out [][2]float64
	for _, p := range ring {
		if q := [2]float64(p); len(out) == 0 || out[len(out)-1] != q {
			out = append(out, q)
		}
	}
	for len(out) > 1 && out[0] == out[len(out)-1] {
		out = out[:len(out)-1]
	}
	if ring.Orientation() == orb.CW {
		slices.Reverse(out)
	}
	return out
}

// wallOf is a wall on the line that a ring without area draws.
func wallOf(ring orb.Ring) [][2]float64 {
	if len(ring) < 2 {
		return nil
	}
	a, z := ring[0], ring[1]
	length := math.Hypot(z[0]-a[0], z[1]-a[1])
	if length == 0 {
		return nil
	}
	x, y := -(z[1]-a[1])/length*wallThick/2, (z[0]-a[0])/length*wallThick/2
	return [][2]float64{{a[0] - x, a[1] - y}, {z[0] - x, z[1] - y}, {z[0] + x, z[1] + y}, {a[0] + x, a[1] + y}}
}
