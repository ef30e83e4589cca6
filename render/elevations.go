package render

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/elevation"
)

// elevationColumns are the columns of rack elevations in comma-separated values.
var elevationColumns = []string{"rack", "row", "top_unit", "lowest_unit", "units", "what", "part", "boxes", "face"}

// Elevations writes what stands in each rack as comma-separated values, from its top down: a row for every box, chassis
// and panel, and for every run of free units. Boxes beside the units have none.
func Elevations(ctx context.Context, w io.Writer, r *machine.Result) error {
	out := csvtable.NewWriter(ctx, w, elevationColumns)
	var at []byte
	for e := range elevation.Each(r) {
		at = append(csvtable.AppendText(at[:0], e.Name), ',')
		at = append(csvtable.AppendText(at, e.Row), ',')
		err := out.Rows(len(e.Stack), func(b []byte) []byte {
			for i := range e.Stack {
				b = appendMounted(append(b, at...), &e.Stack[i])
			}
			return b
		})
		if err != nil {
			return err
		}
	}
	return out.Flush()
}

// appendMounted appends what a row has behind the rack.
func appendMounted(b []byte, m *elevation.Mounted) []byte {
	if m.Unit > 0 {
		b = append(strconv.AppendInt(b, int64(m.Top()), 10), ',')
		b = strconv.AppendInt(b, int64(m.Unit), 10)
	} else {
		b = append(b, ',')
	}
	b = append(strconv.AppendInt(append(b, ','), int64(m.Units), 10), ',')
	b = append(csvtable.AppendText(b, m.What), ',')
	b = append(csvtable.AppendText(b, m.Part), ',')
	b = append(strconv.AppendInt(b, int64(m.Boxes), 10), ',')
	return append(csvtable.AppendText(b, m.Face), csvtable.RowEnd...)
}

// ElevationBook writes the racks as they are seen from the front and from the rear, a page for each, as a PDF.
func ElevationBook(ctx context.Context, w io.Writer, r *machine.Result) error {
	return elevation.Book(ctx, w, r, elevation.Options{})
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
	var listed []*elevation.Rack
	all := elevation.Count(b.r)
	for rack := range elevation.Each(b.r) {
		if listed = append(listed, rack); len(listed) == mostElevations {
			break
		}
	}
	if all == 0 {
		g.add(text("This machine stands in containers, not in racks.").as(note))
		return g
	}
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
			names = append(names, racks[i].Name)
			cells[i] = make([]string, units+1)
			for _, m := range racks[i].Stack {
				switch {
				case m.Unit == 0:
					beside++
				case m.Kind != elevation.Free:
					for u := m.Unit; u < min(m.Unit+m.Units, units+1); u++ {
						cells[i][u] = "  |"
					}
					if top := m.Unit + m.Units - 1; top <= units {
						cells[i][top] = m.What
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
		for _, m := range listed[i].Stack {
			wide = max(wide, len([]rune(m.What))+2)
		}
	}
	g.fitted = append([]float64{5}, slices.Repeat([]float64{float64(min(wide, 24))}, min(racksAcross, len(listed)))...)
	if len(listed) < all {
		g.add(text(fmt.Sprintf("All %s racks are in elevations.csv.", grouped(int64(all)))).as(note))
	}
	return g
}
