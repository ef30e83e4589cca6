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
	racksAcross = 10
	// mostElevations is the most racks on that sheet.
	mostElevations = 600
	// Widths of its columns, in characters: numbers of units, racks, and what is between racks.
	unitsWidth, rackWidth, gapWidth = 5.0, 20.0, 1.2
)

// elevationSheet draws the racks as they are seen from the front, a line for every unit, some beside each other on a
// page: boxes are cells of their height in the colour of their kind.
func (b *book) elevationSheet() *grid {
	g := &grid{name: elevationsSheet}
	b.rackDrawn = map[string]string{}
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
	kinds := map[elevation.Kind]bool{}
	for first := 0; first < len(listed); first += racksAcross {
		if first > 0 {
			g.breaks = append(g.breaks, g.next())
		}
		b.drawRacks(g, listed[first:min(first+racksAcross, len(listed))], units, kinds)
	}
	legend := []cell{{}}
	for kind := elevation.Free; kind <= elevation.Panel; kind++ {
		if kinds[kind] {
			legend = append(legend, text(kind.String()).as(unitFree+style(kind)), cell{})
		}
	}
	g.add(legend...)
	g.fitted = []float64{unitsWidth}
	for range min(racksAcross, len(listed)) {
		g.fitted = append(g.fitted, rackWidth, gapWidth)
	}
	wide := unitsWidth + (rackWidth+gapWidth)*float64(min(racksAcross, len(listed)))
	high := float64(units + 3) // with names, remark and legend
	g.scale = uint(100 * min(1, turnedWide/(pointsPerCharacter*wide), turnedHigh/(lineHeight*high)))
	g.scale = max(g.scale, 10) // the least that spreadsheets take
	if len(listed) < all {
		g.add(text(fmt.Sprintf("All %s racks are in elevations.csv.", grouped(int64(all)))).as(note))
	}
	return g
}

// drawRacks draws some racks beside each other, and notes which kinds of boxes they have.
func (b *book) drawRacks(g *grid, racks []*elevation.Rack, units int, kinds map[elevation.Kind]bool) {
	top := g.next() + 1 // the row of the highest unit
	names := []cell{text("U").as(head)}
	rows := make([][]cell, units) // from the top down
	for i := range rows {
		rows[i] = []cell{whole(int64(units - i))}
	}
	beside := 0
	for _, rack := range racks {
		column := len(names) + 1
		b.rackDrawn[rack.Name] = linkTo(elevationsSheet, column, g.next())
		names = append(names, text(rack.Name).as(head), cell{})
		drawn := make([]cell, units)
		for i := range drawn {
			if units-i <= rack.Units {
				drawn[i] = text("").as(unitFree)
				kinds[elevation.Free] = true
			}
		}
		holder := make([]int, units) // of each unit: the row of the box's text, from 1; 0 where it is free
		for _, m := range rack.Stack {
			if m.Unit == 0 {
				beside++
			}
			if m.Unit == 0 || m.Kind == elevation.Free || m.Top() > units {
				continue
			}
			from, to := units-m.Top(), units-m.Unit // rows
			if i := slices.IndexFunc(holder[from:to+1], func(h int) bool { return h > 0 }); i >= 0 {
				behind := &drawn[holder[from+i]-1] // another box in the same unit, at the other face
				behind.value = behind.value.(string) + " | " + m.What
				continue
			}
			kinds[m.Kind] = true
			look := unitFree + style(m.Kind)
			if to > from {
				look = tallFree + style(m.Kind)
				g.merged = append(g.merged, [2]string{ref(column, top+from), ref(column, top+to)})
			}
			for row := from; row <= to; row++ {
				drawn[row], holder[row] = text("").as(look), from+1
			}
			drawn[from].value = m.What
		}
		for i := range rows {
			rows[i] = append(rows[i], drawn[i], cell{})
		}
	}
	g.add(names...)
	for _, row := range rows {
		g.add(row...)
	}
	if beside > 0 {
		g.add(text(fmt.Sprintf("beside the units: %s, in elevations.csv", plural(int64(beside), "box"))).as(note))
	}
}
