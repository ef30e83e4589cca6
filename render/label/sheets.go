package label

import (
	"context"
	"image/color"
	"io"
	"slices"

	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Most is the most labels of a PDF: some hundred sheets, or 25 MB.
const Most = 40_000

// Parts divides labels among PDF files of at most Most labels, each but the last one of full sheets.
func Parts(plugs []render.Plug, f *Format) [][]render.Plug {
	sheet := f.Columns * f.Rows
	return slices.Collect(slices.Chunk(plugs, Most/sheet*sheet))
}

// Sheets writes labels as a PDF, to be printed at its size without fitting it to the page: one of Parts.
func Sheets(ctx context.Context, w io.Writer, name string, plugs []render.Plug, f *Format) error {
	if err := Check(plugs, f); err != nil {
		return err
	}
	pages, err := drawn(ctx, plugs, f)
	if err != nil {
		return err
	}
	return scene.Book(ctx, w, name, "Labels of cables, "+f.About, pages)
}

// drawn draws the pages of labels.
func drawn(ctx context.Context, plugs []render.Plug, f *Format) ([]scene.Page, error) {
	letters, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	letters.Spare = 0 // the PDF has the letters in it
	side, err := f.beside(plugs, inLetters(letters))
	if err != nil {
		return nil, err
	}
	var pages []scene.Page
	for len(plugs) > 0 {
		n := min(len(plugs), f.Columns*f.Rows)
		s := &sheet{Format: f, Canvas: pen.New(letters, f.Page[0], f.Page[1]), codeSide: side}
		s.Scene.Bare = true
		s.Scene.Paper = 1
		for i := range n {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := s.label(&plugs[i], s.box(i)); err != nil {
				return nil, err
			}
		}
		pages = append(pages, scene.Page{Scene: s.Scene, Mark: Code(&plugs[0])})
		plugs = plugs[n:]
	}
	return pages, nil
}

// sheet draws labels on a page.
type sheet struct {
	*Format
	*pen.Canvas
	codeSide float64
}

// box is where the label of a number is, row by row.
func (s *sheet) box(i int) pen.Box {
	wide := float64(s.Columns)*(s.Width+s.GapX) - s.GapX
	x := (s.Page[0]-wide)/2 + float64(i%s.Columns)*(s.Width+s.GapX)
	y := (s.Page[1]-float64(s.Rows)*s.Height)/2 + float64(i/s.Columns)*s.Height
	return pen.Rect(x, y, x+s.Width, y+s.Height)
}

// label draws a label once, or on both sides of what goes around the cable.
func (s *sheet) label(p *render.Plug, b pen.Box) error {
	if s.Cut {
		cut := color.Gray{0xa0}
		s.Polyline([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}, {b.X0, b.Y0}}, 0.1, cut)
	}
	if s.Core == 0 {
		return s.half(p, b)
	}
	left, right := b, b
	left.X1 = (b.X0 + b.X1 - s.Core) / 2
	right.X0 = left.X1 + s.Core
	if err := s.half(p, left); err != nil {
		return err
	}
	return s.half(p, right)
}

// half draws the code and the lines beside it.
func (s *sheet) half(p *render.Plug, b pen.Box) error {
	top := (b.Y0+b.Y1)/2 - s.codeSide/2
	code := pen.Rect(b.X0+margin, top, b.X0+margin+s.codeSide, top+s.codeSide)
	if err := s.code(Code(p), code); err != nil {
		return err
	}
	x := code.X1 + margin/2
	plan := s.lay(p, s.codeSide, inLetters(s.Letters))
	y := (b.Y0+b.Y1)/2 - plan.pitch*float64(len(plan.lines)-1)/2
	for i, l := range plan.lines {
		k := pen.Letter{Size: plan.sizes[i], Bold: i == 0}
		s.Text(s.shortened(l, k, b.X1-margin-x), k, x, y+float64(i)*plan.pitch, 0, color.Black)
	}
	return nil
}

// shortened is a line in the width that there is.
func (s *sheet) shortened(l line, k pen.Letter, wide float64) string {
	if !l.tail || s.Letters.Width(l.text, k) <= wide {
		return s.Letters.Fit(l.text, k, wide)
	}
	text := []rune(l.text)
	text = text[max(0, len(text)-mostLetters):]
	for len(text) > 1 && s.Letters.Width("…"+string(text), k) > wide {
		text = text[1:]
	}
	return "…" + string(text)
}

// mostLetters is more than fit a line of any label, in letters of any size.
const mostLetters = 400

// code draws a code as one shape, so that no seams show between its modules.
func (s *sheet) code(text string, b pen.Box) error {
	rows, err := s.Kind.modules(text)
	if err != nil {
		return err
	}
	if err := s.fits(text, len(rows)); err != nil {
		return err
	}
	m := b.Width() / float64(len(rows)+2*quiet)
	shape := scene.Path{Filled: true, Color: pen.NRGBA(color.Black)}
	for _, r := range runs(rows) {
		x0, x1 := b.X0+float64(r.x0+quiet)*m, b.X0+float64(r.x1+quiet)*m
		y0, y1 := b.Y0+float64(r.y0+quiet)*m, b.Y0+float64(r.y1+quiet)*m
		shape.Lines = append(shape.Lines, [][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
	}
	s.Add(shape)
	return nil
}

// run is a rectangle of dark modules: columns x0 ... x1-1 of rows y0 ... y1-1.
type run struct{ x0, x1, y0, y1 int }

// runs returns the dark modules of a code as rectangles: the runs of each row, joined with equal ones of the row above.
func runs(rows [][]bool) []run {
	var out []run
	last := make([]int, len(rows)) // by column, how many rectangles there were when one was begun there
	for y, row := range rows {
		for x := 0; x < len(row); x++ {
			if !row[x] {
				continue
			}
			to := x
			for to < len(row) && row[to] {
				to++
			}
			if i := last[x] - 1; i >= 0 && out[i].x1 == to && out[i].y1 == y {
				out[i].y1++
			} else {
				out = append(out, run{x, to, y, y + 1})
				last[x] = len(out)
			}
			x = to
		}
	}
	return out
}
