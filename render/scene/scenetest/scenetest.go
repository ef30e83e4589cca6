// Package scenetest checks a drawing as a reader sees it: from the marks of its scene, not from what drew them. Tests
// of all kinds of drawings use it.
package scenetest

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Limits are what a drawing has to keep.
type Limits struct {
	// Points is the least size of a text on paper; 6 where it is 0. A point is 1/72 of an inch.
	Points float64
	// Contrast is the least contrast of a text with what is behind it, as the Web Content Accessibility Guidelines
	// define it; 4.5, their level AA, where it is 0.
	Contrast float64
}

// Text is a text as it stands on the page.
type Text struct {
	scene.Text
	// Corners are those of its box, from its left end below, against the clock as seen in the direction of reading.
	Corners [4][2]float64
	// Behind is the colour of the last opaque area drawn under its middle before it, white if there is none. Areas are
	// rectangles, and circles and paths that are filled: lines, texts and transparent colours do not count.
	Behind color.NRGBA
	// Covered reports whether an opaque area is drawn over its middle after it.
	Covered bool
	clip    *scene.Box
}

// Check fails a test for every fault of a scene.
func Check(t testing.TB, s *scene.Scene, l Limits) {
	t.Helper()
	for _, fault := range Faults(s, l) {
		t.Error(fault)
	}
}

// Faults lists what is wrong with a scene: texts that overlap, leave the page or the innermost group that clips them,
// are too small on paper, are hard to tell from what is behind them, or are covered. An error of Texts is the only
// fault.
func Faults(s *scene.Scene, l Limits) (out []string) {
	if l.Points == 0 {
		l.Points = 6
	}
	if l.Contrast == 0 {
		l.Contrast = 4.5
	}
	fault := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	texts, err := Texts(s)
	if err != nil {
		return []string{err.Error()}
	}
	page := scene.Box{X1: s.W, Y1: s.H}
	for i, t := range texts {
		if points := t.Size * s.Millimetres() / 25.4 * 72; points < l.Points-1e-6 {
			fault("%q has %.2f points, below %g", t.Text.Text, points, l.Points)
		}
		if !holds(page, t.Corners) {
			fault("%q is beyond the page of %g x %g: %.1f", t.Text.Text, s.W, s.H, t.Corners)
		}
		if t.clip != nil && !holds(*t.clip, t.Corners) {
			fault("%q is cut off by %v: %.1f", t.Text.Text, *t.clip, t.Corners)
		}
		if c := palette.Contrast(opaque(t.Color), opaque(t.Behind)); c < l.Contrast {
			fault("%q has a contrast of %.2f with what is behind it, below %g", t.Text.Text, c, l.Contrast)
		}
		if t.Covered {
			fault("%q is covered", t.Text.Text)
		}
		for _, u := range texts[:i] {
			if overlap(t.Corners, u.Corners) {
				fault("%q and %q overlap: %.1f, %.1f", u.Text.Text, t.Text.Text, u.Corners, t.Corners)
			}
		}
	}
	return out
}

// opaque returns a colour without its transparency.
func opaque(c color.NRGBA) color.RGBA { return color.RGBA{c.R, c.G, c.B, 0xff} }

// above and below the baseline are what letters take, as shares of their size: Go's have capitals of 0.72, and
// descenders of 0.21.
const above, below = 0.74, 0.21

// turn is a group that is turned.
type turn struct {
	sin, cos, x, y float64
}

func (g turn) at(p [2]float64) [2]float64 {
	x, y := p[0]-g.x, p[1]-g.y
	return [2]float64{g.x + float64(g.cos*x) - float64(g.sin*y), g.y + float64(g.sin*x) + float64(g.cos*y)}
}

// Texts returns the texts of a scene that have a width, in the order of their marks, with their boxes in the letters of
// pictures and PDF. The error is that of the letters, or of a mark that ends a group where none is open.
func Texts(s *scene.Scene) ([]Text, error) {
	letters, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	var out []Text
	var turns []turn
	var clips []scene.Box
	var groups []bool // whether each is turned
	place := func(p [2]float64) [2]float64 {
		for i := len(turns) - 1; i >= 0; i-- {
			p = turns[i].at(p)
		}
		return p
	}
	for at, m := range s.Marks {
		switch m := m.(type) {
		case scene.Turn:
			sin, cos := math.Sincos(m.Angle)
			turns, groups = append(turns, turn{sin, cos, m.X, m.Y}), append(groups, true)
		case scene.Clip:
			clips, groups = append(clips, m.Box), append(groups, false)
		case scene.End:
			if len(groups) == 0 {
				return nil, fmt.Errorf("mark %d ends no group", at)
			}
			if groups[len(groups)-1] {
				turns = turns[:len(turns)-1]
			} else {
				clips = clips[:len(clips)-1]
			}
			groups = groups[:len(groups)-1]
		case scene.Text:
			wide := letters.Width(m.Text, pen.Letter{Size: m.Size, Bold: m.Bold})
			if wide == 0 {
				continue
			}
			x0 := m.X - float64(m.Align*wide)
			y0, y1 := m.Y+below*m.Size, m.Y-above*m.Size
			t := Text{Text: m, Behind: color.NRGBA{0xff, 0xff, 0xff, 0xff}}
			for i, p := range [4][2]float64{{x0, y0}, {x0 + wide, y0}, {x0 + wide, y1}, {x0, y1}} {
				t.Corners[i] = place(p)
			}
			if n := len(clips); n > 0 {
				t.clip = &clips[n-1]
			}
			x, y := middle(t.Corners)
			for i, other := range s.Marks {
				if c, ok := paints(other, x, y); ok && i < at {
					t.Behind = c
				} else if ok && i > at {
					t.Covered = true
				}
			}
			out = append(out, t)
		}
	}
	return out, nil
}

// middle returns the middle of the corners of a text.
func middle(c [4][2]float64) (x, y float64) { return (c[0][0] + c[2][0]) / 2, (c[0][1] + c[2][1]) / 2 }

// paints reports whether a mark is an opaque area that hides what is behind it at a point, and with which colour. It
// ignores groups: drawings turn texts and lines only, and an area counts beyond the box that clips it.
func paints(m scene.Mark, x, y float64) (color.NRGBA, bool) {
	switch m := m.(type) {
	case scene.Fill:
		return m.Color, m.Color.A == 0xff && x >= m.X0 && x <= m.X1 && y >= m.Y0 && y <= m.Y1
	case scene.Circle:
		return m.Color, m.Color.A == 0xff && m.Width == 0 && math.Hypot(x-m.X, y-m.Y) <= m.Radius
	case scene.Path:
		if !m.Filled || m.Color.A != 0xff {
			return m.Color, false
		}
		in := false // an odd number of edges are to the right
		for _, line := range m.Lines {
			for i, p := range line {
				q := line[(i+1)%len(line)]
				if (p[1] > y) != (q[1] > y) && x < p[0]+(q[0]-p[0])*(y-p[1])/(q[1]-p[1]) {
					in = !in
				}
			}
		}
		return m.Color, in
	}
	return color.NRGBA{}, false
}

// holds reports whether a box holds a text, to a thousandth of a unit.
func holds(b scene.Box, corners [4][2]float64) bool {
	const near = 1e-3
	for _, p := range corners {
		if p[0] < b.X0-near || p[0] > b.X1+near || p[1] < b.Y0-near || p[1] > b.Y1+near {
			return false
		}
	}
	return true
}

// overlap reports whether two rectangles that may be turned share more than an edge: no line along a side of either is
// between them.
func overlap(a, b [4][2]float64) bool {
	const near = 1e-3
	for _, sides := range [2][4][2]float64{a, b} {
		for i := range 2 {
			dx, dy := sides[i+1][0]-sides[i][0], sides[i+1][1]-sides[i][1]
			length := math.Hypot(dx, dy)
			lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
			for k, c := range [2][4][2]float64{a, b} {
				for _, p := range c {
					v := (p[0]*dx + p[1]*dy) / length
					lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
				}
			}
			if hi[0] <= lo[1]+near || hi[1] <= lo[0]+near {
				return false
			}
		}
	}
	return true
}
