package diagram

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/topology"
)

// mostGroups is the most groups that have a row of their own in a map: two pixels each.
const mostGroups = 600

// heat is how many channels join which groups.
type heat struct {
	names  []string
	word   string
	merged int     // groups in a row of the map
	counts []int64 // of each pair, row by row
	most   int64
	total  int64
	beyond int64 // channels of vertices in no group
}

// count counts the channels of a topology between groups, both ways round.
func count(ctx context.Context, s *Subject) *heat {
	names, word, of := s.Groups, s.Word, s.Of
	if len(names) == 0 {
		names, word, of = grouped(s.Graph)
	}
	h := &heat{word: word, merged: (len(names) + mostGroups - 1) / mostGroups}
	for i := 0; i < len(names); i += h.merged {
		h.names = append(h.names, names[i])
	}
	n := len(h.names)
	h.counts = make([]int64, n*n)
	seen := 0
	for l := range topology.Cables(s.Graph) {
		if seen++; seen%4096 == 0 && ctx.Err() != nil {
			break
		}
		a, b := int(of(int(l.A))), int(of(int(l.B)))
		if a < 0 || b < 0 {
			h.beyond += int64(l.Width)
			continue
		}
		a, b = a/h.merged, b/h.merged
		h.total += int64(l.Width)
		h.counts[a*n+b] += int64(l.Width)
		if a != b {
			h.counts[b*n+a] += int64(l.Width)
		}
	}
	if len(h.counts) > 0 {
		h.most = slices.Max(h.counts)
	}
	return h
}

// grouped are the groups of a topology: the finest that it has, so that a map has them all, or equal shares of its
// vertices.
func grouped(g topology.Graph) (names []string, word string, of func(int) int32) {
	for _, nest := range g.Groupings() {
		if nest.Count > 1 && nest.Count <= mostGroups {
			for i := range nest.Count {
				names = append(names, fmt.Sprint(i))
			}
			return names, nest.Name, nest.Of
		}
	}
	n := topology.Vertices(g)
	each := (n + 255) / 256
	for v := 0; v < n; v += each {
		names = append(names, g.Label(v))
	}
	return names, fmt.Sprintf("%d vertices", each), func(v int) int32 { return int32(v / each) }
}

// drawMap draws a topology as a map of its channels between groups.
func drawMap(ctx context.Context, l *pen.Letters, s *Subject) (*pen.Canvas, error) {
	h := count(ctx, s)
	n := len(h.names)
	cell := max(2, math.Floor(min(24, s.across()/float64(max(n, 1)))))
	side := cell * float64(n)
	wide := 0.0 // of the names
	for _, name := range h.names {
		wide = max(wide, min(160, l.Width(name, smallLetter)))
	}
	x0, y0 := margin+wide+14, headHeight+margin+wide+14
	width := max(x0+max(side, scaleLong+scaleGap+l.Width(scaleText, textLetter))+margin, 900)
	notes := s.wrapNotes(l, width-x0-margin)
	foot := y0 + side + 30
	what := h.word
	if h.merged > 1 {
		what = fmt.Sprintf("of %d: %s", h.merged, h.word)
	}
	about := fmt.Sprintf("%s: %s, %s; every row and column is one %s", s.Graph.Family(),
		counted(int64(topology.Vertices(s.Graph)), "vertices"), english.Count(h.total, "channel"), what)
	if h.beyond > 0 {
		about += fmt.Sprintf("; %s of vertices in no %s are left out",
			english.Count(h.beyond, "channel"), h.word)
	}
	c := begin(l, s, width, foot+90+float64(lineHeight*len(notes)), about)
	c.Layer("map")
	c.Fill(pen.Rect(x0, y0, x0+side, y0+side), palette.Ground)
	for i := range n {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		h.row(c, i, x0, y0+float64(i)*cell, cell)
	}
	c.Frame(pen.Rect(x0-1, y0-1, x0+side+1, y0+side+1), 1, palette.Outline)
	c.Layer("names")
	step := max(1, int(math.Ceil(14/cell)))
	for i := 0; i < n; i += step {
		at := (float64(i) + 0.5) * cell
		name := l.FitName(h.names[i], smallLetter, 160)
		c.Text(name, smallLetter, x0-8, y0+at, 1, palette.Ink)
		c.Turned(name, smallLetter, x0+at, y0-8-l.Width(name, smallLetter)/2, palette.Ink)
	}
	c.Layer("legend")
	h.legend(c, x0, foot)
	writeNotes(c, notes, x0, foot+50)
	return c, nil
}

// shades is how many colours a map has.
const shades = 32

// shade is that of a number of channels, by its logarithm; -1 for none.
func (h *heat) shade(n int64) int {
	if n == 0 {
		return -1
	}
	if h.most == 1 {
		return shades - 1
	}
	return int(math.Round((shades - 1) * math.Log(float64(n)) / math.Log(float64(h.most))))
}

// row draws a row of a map, what is alike as one.
func (h *heat) row(c *pen.Canvas, i int, x0, y, cell float64) {
	n := len(h.names)
	for from := 0; from < n; {
		shade := h.shade(h.counts[i*n+from])
		to := from + 1
		for to < n && h.shade(h.counts[i*n+to]) == shade {
			to++
		}
		if shade >= 0 {
			c.Fill(pen.Rect(x0+float64(from)*cell, y, x0+float64(to)*cell, y+cell), palette.Heat(heatOf(shade)))
		}
		from = to
	}
}

// heatOf is the share of a shade: one channel differs from none.
func heatOf(shade int) float64 { return 0.08 + 0.92*float64(shade)/(shades-1) }

// The scale of the colours and what stands beside it.
const (
	scaleLong, scaleGap = 480.0, 70
	scaleText           = "channels between two, or within one; logarithmic"
)

// legend explains the colours.
func (h *heat) legend(c *pen.Canvas, x, y float64) {
	if h.most == 0 {
		c.Text("no channels", textLetter, x, y+10, 0, palette.Ink)
		return
	}
	const long, high = scaleLong, 18.0
	for i := range shades {
		c.Fill(pen.Rect(x+long*float64(i)/shades, y, x+long*float64(i+1)/shades, y+high), palette.Heat(heatOf(i)))
	}
	c.Frame(pen.Rect(x, y, x+long, y+high), 1, palette.Outline)
	c.Text(scaleText, textLetter, x+long+scaleGap, y+high/2, 0, palette.Ink)
	last := math.Inf(-1)
	tick := func(n int64, always bool) {
		at := x
		if h.most > 1 {
			at += long * math.Log(float64(n)) / math.Log(float64(h.most))
		}
		label := english.Grouped(n)
		w := c.Width(label, smallLetter)
		if !always && (at-w/2 < last+8 || at+w > x+long-30) {
			return
		}
		last = at + w/2
		c.Line(at, y+high, at, y+high+5, 1, palette.Ink)
		c.Text(label, smallLetter, at, y+high+16, 0.5, palette.Ink)
	}
	tick(1, true)
	for n := int64(10); n < h.most; n *= 10 {
		tick(n, false)
	}
	if h.most > 1 {
		tick(h.most, true)
	}
}
