package route

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/render/palette"
)

// Faults is where what is cabled differs from a plan, to be drawn on its floor.
type Faults struct {
	// Count is how many differences there are, Unknown how many planned links nobody has seen.
	Count, Unknown int
	// Kinds are the kinds that there may be, each with a colour of its own, in the order of the legend.
	Kinds []string
	// Racks counts, by rack position, the differences of which a port is in it.
	Racks map[int32]int
	Lines []FaultLine
}

// FaultLine is links of one kind of difference between two racks, or within one.
type FaultLine struct {
	Kind string // one of Faults.Kinds
	// Planned is where links belong; otherwise it is where they are.
	Planned bool
	A, B    int32 // rack positions
	Links   int
}

// Colour is that of a kind of difference.
func (f *Faults) Colour(kind string) color.RGBA {
	all := [...]color.RGBA{
		palette.Vermillion, palette.Blue, palette.Green, palette.Purple, palette.Black, palette.Sky, palette.Grey,
		palette.Orange, palette.MiddleFill,
	}
	return all[max(slices.Index(f.Kinds, kind), 0)%len(all)]
}

// street is what lines have in common that would lie on each other: a row or a column of racks, or two racks.
type street struct {
	across, up bool
	at         float64
	pair       [2]int32
}

// Lanes are the lines of the differences, by kind, and the lanes, from 0, of those that would lie on each other; most
// is how many lanes there are beside a line. At tells where the middle of a rack position is in a drawing.
func (f *Faults) Lanes(at func(place int32) (x, y float64)) (lines []FaultLine, lanes, most []int) {
	lines = slices.Clone(f.Lines)
	slices.SortStableFunc(lines, func(a, b FaultLine) int {
		return cmp.Or(cmp.Compare(slices.Index(f.Kinds, a.Kind), slices.Index(f.Kinds, b.Kind)),
			cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	lanes, most = make([]int, len(lines)), make([]int, len(lines))
	streets := make([]street, len(lines))
	ends := map[street][]float64{} // of each lane, where its last line ends
	spans := make([][2]float64, len(lines))
	order := make([]int, len(lines))
	for i, l := range lines {
		x0, y0 := at(l.A)
		x1, y1 := at(l.B)
		order[i] = i
		switch {
		case l.A != l.B && math.Abs(y0-y1) < 1:
			streets[i], spans[i] = street{across: true, at: math.Round(y0)}, [2]float64{min(x0, x1), max(x0, x1)}
		case l.A != l.B && math.Abs(x0-x1) < 1:
			streets[i], spans[i] = street{up: true, at: math.Round(x0)}, [2]float64{min(y0, y1), max(y0, y1)}
		default:
			streets[i] = street{pair: [2]int32{l.A, l.B}}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(spans[a][0], spans[b][0]) })
	for _, i := range order {
		full := ends[streets[i]]
		lane := slices.IndexFunc(full, func(end float64) bool { return end < spans[i][0] })
		if lane < 0 {
			lane = len(full)
			full = append(full, 0)
		}
		full[lane] = spans[i][1]
		ends[streets[i]], lanes[i] = full, lane
	}
	for i := range lines {
		most[i] = len(ends[streets[i]])
	}
	return lines, lanes, most
}
