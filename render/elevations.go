package render

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// elevationColumns are the columns of rack elevations in comma-separated values.
var elevationColumns = []string{"rack", "row", "top_unit", "lowest_unit", "units", "what", "part", "boxes", "face"}

// mounted is what takes some units of a rack: a box, a chassis with its boxes, a panel, or nothing.
type mounted struct {
	unit, units int // the lowest one and how many; a unit of 0 is beside the units
	what, part  string
	boxes       int
	face        string
}

// elevation is one rack, from its top down.
type elevation struct {
	rack, row string
	stack     []mounted
}

// freeUnits names units in which nothing stands.
const freeUnits = "free"

// elevations lists the racks in the order of their places, each from its top down, free units included.
func elevations(r *machine.Result) []elevation {
	room := r.Room()
	if room == nil {
		return nil
	}
	s := r.Schedule
	l := s.Placement.Layout
	at := make([][]mounted, len(room.Places))
	kinds := r.Graph.Kinds()
	chassis := map[string]int{} // place in its rack's list, from 1
	for v := range topology.Vertices(r.Graph) {
		slot := s.Placement.Slot[v]
		part := s.Boxes[topology.KindOf(kinds, v)].Part
		rack := l.Container(layout.RackLevel, slot)
		m := mounted{
			unit: l.Unit(slot), units: max(part.Units, 1), what: s.Device(int32(v)), part: part.ID, boxes: 1,
			face: "front",
		}
		if l.Rear(slot) {
			m.face = "rear"
		}
		if part.ZeroU {
			m.unit, m.units = 0, 0
		}
		if name := l.Innermost(slot); strings.Contains(name, "/") {
			if i := chassis[name]; i > 0 {
				c := &at[rack][i-1]
				c.boxes++
				first, _, _ := strings.Cut(c.what, " to ")
				c.what = first + " to " + m.what
				continue
			}
			chassis[name] = len(at[rack]) + 1
			_, inner, _ := strings.Cut(name, "/")
			m.units = max(r.Spec.Packaging.Chassis[strings.TrimRight(inner, "0123456789")].Units, 1)
			m.what = inner + ": " + m.what
		}
		at[rack] = append(at[rack], m)
	}
	if k := s.Patching; k != nil {
		for i, p := range k.Panels {
			at[p.Rack] = append(at[p.Rack], mounted{
				p.Unit, max(k.Part.Units, 1), s.Device(k.Vertex(int32(i))), k.Part.ID, 1, "front",
			})
		}
	}
	var out []elevation
	for place, stack := range at {
		if len(stack) == 0 {
			continue
		}
		out = append(out, elevation{
			room.Name(place), room.Rows[room.Places[place].Row].Name, stacked(stack, room.Type(int32(place)).Units),
		})
	}
	return out
}

// stacked puts a stack into order and names its free units.
func stacked(stack []mounted, units int) []mounted {
	slices.SortStableFunc(stack, func(x, y mounted) int { return cmp.Compare(y.unit, x.unit) })
	var out []mounted
	next := units // the highest unit that nothing above takes
	for _, m := range stack {
		if top := m.unit + m.units - 1; m.unit > 0 && top < next {
			out = append(out, mounted{unit: top + 1, units: next - top, what: freeUnits})
		}
		if m.unit == 0 && next > 0 {
			out = append(out, mounted{unit: 1, units: next, what: freeUnits})
			next = 0
		}
		out = append(out, m)
		if m.unit > 0 {
			next = min(next, m.unit-1)
		}
	}
	if next > 0 {
		out = append(out, mounted{unit: 1, units: next, what: freeUnits})
	}
	return out
}

// Elevations writes what stands in each rack as comma-separated values, from its top down: a row for every box, chassis
// and panel, and for every run of free units. Boxes beside the units have none.
func Elevations(ctx context.Context, w io.Writer, r *machine.Result) error {
	out := csvtable.NewWriter(ctx, w, elevationColumns)
	for _, e := range elevations(r) {
		for _, m := range e.stack {
			out.Texts(e.rack, e.row)
			if m.unit > 0 {
				out.Int(int64(m.unit + m.units - 1))
				out.Int(int64(m.unit))
			} else {
				out.Empty(2)
			}
			out.Int(int64(m.units))
			out.Texts(m.what, m.part)
			out.Int(int64(m.boxes))
			out.Text(m.face)
			if err := out.End(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

const (
	// racksAcross is how many racks the sheet of elevations has beside each other, as many as a page takes.
	racksAcross = 6
	// mostElevations is the most racks on that sheet.
	mostElevations = 600
)

// elevationSheet has the racks as they are seen, a line for every unit, some beside each other on a page.
func (b *book) elevationSheet() *grid {
	g := &grid{name: elevationsSheet, portrait: true}
	all := elevations(b.r)
	if len(all) == 0 {
		g.add(text("This machine stands in nested containers, not in racks.").as(note))
		return g
	}
	listed := all[:min(len(all), mostElevations)]
	units := b.r.Room().Spec.Tallest()
	for first := 0; first < len(listed); first += racksAcross {
		racks := listed[first:min(first+racksAcross, len(listed))]
		if first > 0 {
			g.breaks = append(g.breaks, g.next())
		}
		names := []string{"U"}
		cells := make([][]string, len(racks))
		beside := 0
		for i := range racks {
			names = append(names, racks[i].rack)
			cells[i] = make([]string, units+1)
			for _, m := range racks[i].stack {
				switch {
				case m.unit == 0:
					beside++
				case m.what != freeUnits:
					for u := m.unit; u < min(m.unit+m.units, units+1); u++ {
						cells[i][u] = "  |"
					}
					if top := m.unit + m.units - 1; top <= units {
						cells[i][top] = m.what
					}
				}
			}
		}
		g.add(heads(names...)...)
		for u := units; u > 0; u-- {
			row := []cell{whole(int64(u))}
			for i := range racks {
				row = append(row, text(cells[i][u]))
			}
			g.add(row...)
		}
		if beside > 0 {
			g.add(text(fmt.Sprintf("beside the units: %s, in elevations.csv", plural(int64(beside), "box"))).as(note))
		}
	}
	wide := 10
	for i := range listed {
		for _, m := range listed[i].stack {
			wide = max(wide, len([]rune(m.what))+2)
		}
	}
	g.fitted = append([]float64{5}, slices.Repeat([]float64{float64(min(wide, 24))}, min(racksAcross, len(listed)))...)
	if len(listed) < len(all) {
		g.add(text(fmt.Sprintf("All %s racks are in elevations.csv.", grouped(int64(len(all))))).as(note))
	}
	return g
}
