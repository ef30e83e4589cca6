package racklist

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
)

// touching is how far racks may reach into each other and beyond walls, in metres: less than anybody measures.
const touching = 1e-3

// footprint is the floor that a rack takes.
type footprint struct {
	rack int
	orb.Bound
}

// Check refuses racks that stand on each other, beyond the walls of the room or where something is in the way. The room
// is one that the list was laid out in. The error is a diag.List.
func (l *List) Check(s *layout.RoomSpec) error {
	room := s.Survey()
	var floor []footprint
	var found diag.List
	for i, row := range l.rows {
		for p, rack := range row {
			at := room.At(i, p+1)
			f := footprint{rack, at.Footprint(*s.Type(at.Type))}
			if floor = append(floor, f); s.Width > 0 {
				l.within(s, &f, &found)
			}
		}
	}
	for _, lost := range room.Lost {
		if lost.Why == layout.Reserved {
			continue
		}
		rack := l.rows[lost.Row][lost.Number-1]
		if l.Racks[rack].Reserved || s.Width > 0 && beyond(s, floor, rack) {
			continue
		}
		found.Addf(l.Place(rack, Name), "rack %s stands %s%s\nmove it, or reserve its position", l.Racks[rack].Name,
			where[lost.Why], layer(lost.Layer))
	}
	l.overlaps(floor, &found)
	if len(found) == 0 {
		l.rowsFit(s, &found)
	}
	found.Sort()
	return found.Err()
}

// where is where a rack stands at which something is in the way.
var where = [layout.Causes]string{
	layout.Column: "on a column", layout.DoorZone: "on the floor before a door", layout.KeptFree: "on a keep-out",
	layout.Walled: "at a wall or beyond it",
}

func layer(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (layer %s of the drawing)", name)
}

// outside reports whether a part of the floor leaves a room between walls.
func outside(s *layout.RoomSpec, b *orb.Bound) bool {
	return b.Min[0] < -touching || b.Min[1] < -touching || b.Max[0] > float64(s.Width)+touching ||
		b.Max[1] > float64(s.Depth)+touching
}

// beyond reports whether a rack leaves the room.
func beyond(s *layout.RoomSpec, floor []footprint, rack int) bool {
	i := slices.IndexFunc(floor, func(f footprint) bool { return f.rack == rack })
	return outside(s, &floor[i].Bound)
}

// within refuses a rack that leaves the room.
func (l *List) within(s *layout.RoomSpec, f *footprint, found *diag.List) {
	if !outside(s, &f.Bound) {
		return
	}
	c := X
	if f.Min[0] > -touching && f.Max[0] < float64(s.Width)+touching {
		c = Y
	}
	found.Addf(l.Place(f.rack, c), "rack %s takes the floor from x %.2f m, y %.2f m to x %.2f m, y %.2f m; "+
		"the room is %v wide and %v deep", l.Racks[f.rack].Name, f.Min[0], f.Min[1], f.Max[0], f.Max[1],
		s.Width, s.Depth)
}

// overlaps refuses racks that stand on the floor of another, each once.
func (l *List) overlaps(floor []footprint, found *diag.List) {
	slices.SortFunc(floor, func(a, b footprint) int {
		return cmp.Or(cmp.Compare(a.Min[0], b.Min[0]), cmp.Compare(a.rack, b.rack))
	})
	told := make([]bool, len(l.Racks))
	for i := range floor {
		a := &floor[i]
		for j := i + 1; j < len(floor) && floor[j].Min[0] < a.Max[0]-touching && !found.Full(); j++ {
			b := &floor[j]
			if b.Min[1] >= a.Max[1]-touching || a.Min[1] >= b.Max[1]-touching {
				continue
			}
			first, second := min(a.rack, b.rack), max(a.rack, b.rack)
			if told[second] {
				continue
			}
			told[second] = true
			found.Addf(l.Place(second, Name), "rack %s stands on the floor of rack %s of line %d: "+
				"from x %.2f m to %.2f m, y %.2f m to %.2f m", l.Racks[second].Name, l.Racks[first].Name,
				l.Racks[first].line, max(a.Min[0], b.Min[0]), min(a.Max[0], b.Max[0]),
				max(a.Min[1], b.Min[1]), min(a.Max[1], b.Max[1]))
		}
	}
}

var listed = regexp.MustCompile(`^List\[([0-9]+)\]`)

// rowsFit refuses rows that reach across each other, as layouts do.
func (l *List) rowsFit(s *layout.RoomSpec, found *diag.List) {
	_, err := s.Fit()
	for _, e := range diag.Fields(err) {
		at := diag.Position{File: l.File}
		if m := listed.FindStringSubmatch(e.Path); m != nil {
			n, _ := strconv.Atoi(m[1])
			at = l.Place(l.rows[n][0], Row)
		}
		found.Addf(at, "%s\n%s", e.Message, e.Suggestion)
	}
}
