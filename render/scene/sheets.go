package scene

import (
	"fmt"
	"image/color"
	"math"
)

const (
	// mostSheets is the most sheets that a drawing is split over.
	mostSheets = 40
	// sheetWidth and sheetMargin are the shorter side of an A0 sheet and the margin of sheets that share a drawing, in
	// millimetres.
	sheetWidth, sheetMargin = 841, 10
	// overlap is how much of the next sheets a sheet shows in its margin, so that short words at an edge are whole.
	overlap = 7
)

// tiles is how many sheets of at most A0 a drawing takes at some millimetres to a unit, and the part of it on one, in
// units.
func (s *Scene) tiles(mm float64) (across, down int, part Box) {
	if max(s.W, s.H)*mm <= sheetSide+1e-6 {
		return 1, 1, Box{X1: s.W, Y1: s.H}
	}
	try := func(w, h float64) (int, int, Box) {
		w, h = (w-2*sheetMargin)/mm, (h-2*sheetMargin)/mm
		a, d := math.Ceil(s.W/w), math.Ceil(s.H/h)
		return int(a), int(d), Box{X1: s.W / a, Y1: s.H / d}
	}
	across, down, part = try(sheetSide, sheetWidth)
	if a, d, upright := try(sheetWidth, sheetSide); a*d < across*down {
		return a, d, upright
	}
	return across, down, part
}

// Sheets are the pages of a drawing on paper: one, or several sheets where its letters would be too small on one.
func (s *Scene) Sheets() []Page {
	mm := s.Millimetres()
	across, down, part := s.tiles(mm)
	if across*down == 1 || s.Paper > 0 || s.Scale == 0 || across*down > mostSheets {
		return []Page{{Scene: s}}
	}
	s = s.Legible()
	margin := sheetMargin / mm
	var out []Page
	for row := range down {
		for column := range across {
			at := Box{
				float64(column) * part.X1, float64(row) * part.Y1,
				min(float64(column+1)*part.X1+overlap/mm, s.W), min(float64(row+1)*part.Y1+overlap/mm, s.H),
			}
			page := *s
			page.Paper, page.W, page.H = mm, part.X1+2*margin, part.Y1+2*margin
			page.X, page.Y = s.X-at.X0+margin, s.Y-at.Y0+margin
			page.Marks = s.Part(at, margin, margin)
			mark := fmt.Sprintf("Sheet %d of %d", len(out)+1, across*down)
			page.Marks = append(page.Marks, Layer("sheets"), Text{
				Text: fmt.Sprintf("%s: column %d of %d, row %d of %d", mark, column+1, across, row+1, down),
				X:    margin, Y: page.H - 0.5/mm, Size: 2.3 / mm, Color: color.NRGBA{0x40, 0x40, 0x40, 0xff},
			})
			out = append(out, Page{&page, mark})
		}
	}
	return out
}
