package render

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/route"
)

// uprights are the cables on the floor that run across the rows, as boxes in the picture: words in racks and aisles
// keep clear of them. Those along the rows are beside the words.
type uprights struct {
	boxes   []pen.Box // by their middles, from the left
	widest  float64
	slanted bool // cables run neither along nor across the rows
}

// crossing are the uprights of a drawing, found once.
func (d *roomDrawing) crossing() *uprights {
	if d.across != nil {
		return d.across
	}
	u := &uprights{}
	d.across = u
	if d.cables == nil {
		return u
	}
	add := func(x0, y0, x1, y1, wide float64) {
		switch {
		case y0 == y1:
		case x0 != x1:
			u.slanted = true
		default:
			u.boxes = append(u.boxes, pen.Rect(x0-wide/2, min(y0, y1), x0+wide/2, max(y0, y1)))
			u.widest = max(u.widest, wide)
		}
	}
	if lanes := d.cableLanes(); lanes != nil {
		for i := range d.cables.Runs {
			line := d.lane(&d.cables.Runs[i], lanes[i])
			for k := 1; k < len(line); k++ {
				add(line[k-1][0], line[k-1][1], line[k][0], line[k][1], lanePitch)
			}
		}
	} else {
		sums := d.cables.Stretches()
		most, widest := route.MostOn(sums), route.Widest(d.Scale)
		for i := range sums {
			all := 2 * bandEdge
			for _, w := range sums[i].Widths(most, widest) {
				all += w
			}
			x0, y0, x1, y1 := d.bandEnds(&sums[i], most, widest)
			add(x0, y0, x1, y1, all)
		}
	}
	slices.SortFunc(u.boxes, func(a, b pen.Box) int { return cmp.Compare(a.X0+a.X1, b.X0+b.X1) })
	return u
}

// over are the uprights that overlap a box, from the left.
func (u *uprights) over(b pen.Box) []pen.Box {
	var out []pen.Box
	first, _ := slices.BinarySearchFunc(u.boxes, b.X0-u.widest/2, func(k pen.Box, x float64) int {
		return cmp.Compare((k.X0+k.X1)/2, x)
	})
	for _, k := range u.boxes[first:] {
		if (k.X0+k.X1)/2 > b.X1+u.widest/2 {
			break
		}
		if k.Overlaps(b) {
			out = append(out, k)
		}
	}
	return out
}

// clear is the widest part of a box in which no upright is, the left one of two that are about as wide; empty if there
// is none.
func (u *uprights) clear(b pen.Box) pen.Box {
	const alike = 4 // pixels
	taken := u.over(b)
	slices.SortFunc(taken, func(a, b pen.Box) int { return cmp.Compare(a.X0, b.X0) })
	best, from := pen.Rect(b.X0, b.Y0, b.X0, b.Y1), b.X0
	for _, k := range append(taken, pen.Rect(b.X1, b.Y0, b.X1, b.Y1)) {
		if k.X0-from > best.Width() && (best.Width() == 0 || k.X0-from > best.Width()+alike) {
			best = pen.Rect(from, b.Y0, k.X0, b.Y1)
		}
		from = max(from, k.X1)
	}
	return best
}

// wordAt is where the middle of a word of a width is within a box: as near to its middle as the uprights let it be.
// Fits is false where they leave too little; the word is in the middle of the box then.
func (u *uprights) wordAt(b pen.Box, wide float64) (x float64, fits bool) {
	const beside = 3 // pixels
	x = (b.X0 + b.X1) / 2
	if len(u.over(pen.Rect(x-wide/2-beside, b.Y0, x+wide/2+beside, b.Y1))) == 0 {
		return x, true
	}
	c := u.clear(b)
	if c.Width() < wide+2*beside {
		return x, false
	}
	return max(c.X0+wide/2+beside, min(x, c.X1-wide/2-beside)), true
}
