// Package diagram draws topologies without their room: small ones as a graph, its vertices by kind and its links by
// level, large ones as a map of how many channels join which groups, such as racks.
package diagram

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/topology"
)

// Subject is what is drawn.
type Subject struct {
	Name  string
	Graph topology.Graph
	// Label is the name of a vertex.
	Label func(v int) string
	// Groups are the names of groups in their order, called Word each, and Of is that of a vertex; -1 is in none.
	// Without groups, those that the topology has are taken.
	Groups []string
	Word   string
	Of     func(v int) int32
	// Notes are sentences below the drawing.
	Notes []string
	side  float64 // of a panel; 0 of a drawing by itself
	alike int     // further fabrics with the same drawing
}

// across is how wide the drawing is, without its margins.
func (s *Subject) across() float64 { return cmp.Or(s.side, body) }

// MostVertices is the most vertices that are drawn one by one.
const MostVertices = 500

// Sizes, in pixels.
const (
	margin, headHeight = 40, 80
	body               = 1400.0 // side of a drawing by itself
	lineHeight         = 28
	swatch             = 36
)

var (
	nameLetter  = pen.Letter{Size: 30, Bold: true}
	panelLetter = pen.Letter{Size: 24, Bold: true}
	aboutLetter = pen.Letter{Size: 18}
	textLetter  = pen.Letter{Size: 16}
	smallLetter = pen.Letter{Size: 12}
)

// leastSize is that of names that are long: 6.4 points.
const leastSize = 8.5

// Draw draws a topology. A subject without a graph is refused.
func Draw(ctx context.Context, s *Subject) (*pen.Canvas, error) {
	if s.Graph == nil {
		return nil, errors.New("diagram: no graph to draw")
	}
	l, err := newLetters()
	if err != nil {
		return nil, err
	}
	return draw(ctx, l, s)
}

// newLetters are the letters of drawings, with room for readers whose own are wider.
func newLetters() (*pen.Letters, error) {
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	l.Spare = pen.Spare
	return l, nil
}

// isMap reports whether a topology has too many vertices to be drawn one by one.
func (s *Subject) isMap() bool { return topology.Vertices(s.Graph) > MostVertices }

// draw draws a graph, or a map of a large one.
func draw(ctx context.Context, l *pen.Letters, s *Subject) (*pen.Canvas, error) {
	if s.isMap() {
		return drawMap(ctx, l, s)
	}
	return drawGraph(ctx, l, s)
}

// begin begins a drawing of a size with its title.
func begin(l *pen.Letters, s *Subject, width, height float64, about string) *pen.Canvas {
	c := pen.New(l, width, height)
	c.Scene.Name, c.Scene.About = s.Name, about
	c.Layer("title")
	letter := nameLetter
	if s.side > 0 {
		letter = panelLetter
	}
	c.Text(l.Fit(s.Name, letter, width-2*margin), letter, margin, margin+18, 0, palette.Ink)
	c.Text(l.Fit(about, aboutLetter, width-2*margin), aboutLetter, margin, margin+54, 0, palette.Faint)
	return c
}

// counted says how many of something there are.
func counted(n int64, of string) string { return english.Grouped(n) + " " + of }

// graphDrawing is a graph with a place for every vertex.
type graphDrawing struct {
	*Subject
	*pen.Canvas
	kinds  []topology.Kind
	at     [][2]float64 // in pixels
	label  [][2]float64 // where a name begins, beside its vertex, or has its middle where align is 0.5
	align  float64
	room   float64 // how wide a name may be
	radial bool    // names run away from the middle of a circle
	radius float64
	bend   bool // links that pass by others are bent
	near   float64
	high   float64 // of the drawing, at most body
}

// drawGraph draws all vertices and links.
func drawGraph(ctx context.Context, l *pen.Letters, s *Subject) (*pen.Canvas, error) {
	d := &graphDrawing{Subject: s, kinds: s.Graph.Kinds(), high: s.across()}
	levels := s.Graph.Levels()
	links := make([]int64, len(levels))
	paths := make([][][2][2]float64, len(levels))
	d.place()
	for link := range topology.Cables(s.Graph) {
		links[link.Level] += int64(link.Width)
		paths[link.Level] = append(paths[link.Level], [2][2]float64{d.at[link.A], d.at[link.B]})
	}
	var items []pen.Item
	for i, k := range d.kinds {
		items = append(items, pen.Item{
			Text: k.Name + ": " + english.Grouped(int64(k.Count)), Swatch: func(c *pen.Canvas, b pen.Box) {
				c.Disc((b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 7, d.colour(i))
				c.Ring((b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 7, 1, palette.Ink)
			},
		})
	}
	for i, level := range levels {
		items = append(items, pen.Item{
			Text: level.Name + ": " + english.Count(links[i], "channel"),
			Swatch: func(c *pen.Canvas, b pen.Box) {
				c.Dash = dash(i)
				c.Line(b.X0, (b.Y0+b.Y1)/2, b.X1, (b.Y0+b.Y1)/2, 3, palette.Series(i))
				c.Dash = nil
			},
		})
	}
	widths := make([]float64, len(items))
	for i := range items {
		widths[i] = swatch + 10 + l.Width(items[i].Text, textLetter)
	}
	lines := pen.Flow(widths, s.across(), 34)
	width := s.across() + 2*margin
	notes := s.wrapNotes(l, s.across())
	foot := headHeight + margin + d.high + margin
	d.Canvas = begin(l, s, width, foot+float64(lineHeight*(len(lines)+len(notes)))+margin, d.about())
	d.links(paths)
	d.vertices()
	d.Layer("legend")
	for i, line := range lines {
		x, y := float64(margin), foot+float64(lineHeight*i)
		for _, k := range line {
			items[k].Swatch(d.Canvas, pen.Rect(x, y, x+swatch, y+lineHeight))
			d.Text(items[k].Text, textLetter, x+swatch+10, y+lineHeight/2, 0, palette.Ink)
			x += widths[k] + 34
		}
	}
	writeNotes(d.Canvas, notes, margin, foot+float64(lineHeight*len(lines)))
	return d.Canvas, ctx.Err()
}

// wrapNotes are the lines of the notes in a width.
func (s *Subject) wrapNotes(l *pen.Letters, width float64) []string {
	var lines []string
	for _, note := range s.Notes {
		lines = append(lines, l.Wrap(note, textLetter, width, 4)...)
	}
	return lines
}

// writeNotes writes lines of notes, the first of them below y.
func writeNotes(c *pen.Canvas, lines []string, x, y float64) {
	for i, line := range lines {
		c.Text(line, textLetter, x, y+lineHeight*(float64(i)+0.5), 0, palette.Ink)
	}
}

// about says what a drawing is of.
func (d *graphDrawing) about() string {
	return fmt.Sprintf("%s: %s", d.Graph.Family(), counted(int64(len(d.at)), "vertices"))
}

// dash tells levels beyond the eighth from those of the same colour.
func dash(level int) []float64 {
	if palette.Round(level) == 0 {
		return nil
	}
	return []float64{float64(8 * palette.Round(level)), 4}
}

// colour is that of a kind: nodes have theirs, switches a lighter one from kind to kind.
func (d *graphDrawing) colour(kind int) color.RGBA {
	if d.kinds[kind].Role != topology.Switch {
		return palette.Nodes
	}
	before := 0
	for i := range kind {
		if d.kinds[i].Role == topology.Switch {
			before++
		}
	}
	return palette.Tint(palette.Switches, math.Pow(0.65, float64(before)))
}

// links draws the links, level by level.
func (d *graphDrawing) links(paths [][][2][2]float64) {
	total := 0
	for _, p := range paths {
		total += len(p)
	}
	width := max(0.5, min(2.5, 40/math.Sqrt(float64(total)+1)))
	names := d.Graph.Levels()
	for level, p := range paths {
		if len(p) == 0 {
			continue
		}
		d.Layer("links-" + strings.ReplaceAll(names[level].Name, " ", "-"))
		c := palette.Series(level)
		d.Dash = dash(level)
		for _, ends := range p {
			d.Polyline(d.curve(ends[0], ends[1]), width, c)
		}
		d.Dash = nil
	}
}

// curve is the line of a link: an arc where it would run over other vertices.
func (d *graphDrawing) curve(a, b [2]float64) [][2]float64 {
	x, y := b[0]-a[0], b[1]-a[1]
	long := math.Hypot(x, y)
	if !d.bend || long < d.near {
		return [][2]float64{a, b}
	}
	const pieces = 24
	high := min(0.12*long, 70) // of the arc
	if x < -1e-9 || math.Abs(x) <= 1e-9 && y < 0 {
		high = -high // the same side, whichever end comes first
	}
	var out [][2]float64
	for i := range pieces + 1 {
		t := float64(i) / pieces
		up := 4 * t * (1 - t) * high
		out = append(out, [2]float64{a[0] + t*x + up*y/long, a[1] + t*y - up*x/long})
	}
	return out
}

// vertices draws the vertices with their names, where these fit.
func (d *graphDrawing) vertices() {
	d.Layer("vertices")
	for i, k := range d.kinds {
		radius := d.radius
		if k.Role == topology.Terminal {
			radius *= 0.7
		}
		for v := k.First; v < k.First+k.Count; v++ {
			d.Disc(d.at[v][0], d.at[v][1], radius, d.colour(i))
			if radius > 2.5 {
				d.Ring(d.at[v][0], d.at[v][1], radius, max(0.5, radius/8), palette.Ink)
			}
		}
	}
	if d.label == nil {
		return
	}
	d.Layer("names")
	letter, widest := smallLetter, 0.0
	for v, p := range d.label {
		if p != [2]float64{} {
			widest = max(widest, d.Width(d.Label(v), letter))
		}
	}
	if widest > d.room {
		letter.Size = max(leastSize, 0.98*letter.Size*d.room/widest) // letters do not shrink evenly
	}
	for v, p := range d.label {
		if p == [2]float64{} {
			continue
		}
		name := d.FitName(d.Label(v), letter, d.room)
		if d.radial {
			d.outwards(name, letter, p)
			continue
		}
		w := d.Width(name, letter)
		x := p[0] - d.align*w
		d.Fill(pen.Rect(x-2, p[1]-7, x+w+2, p[1]+7), color.NRGBA{0xff, 0xff, 0xff, 0xd0}) // lines run behind names
		d.Text(name, letter, p[0], p[1], d.align, palette.Ink)
	}
}

// outwards writes a name from a point of a circle away from its middle, so that it is read from below or the right.
func (d *graphDrawing) outwards(name string, k pen.Letter, from [2]float64) {
	x, y := from[0]-(margin+d.across()/2), from[1]-(headHeight+margin+d.across()/2)
	angle, align := math.Atan2(y, x), 0.0
	if x < -1e-6 {
		angle, align = math.Atan2(-y, -x), 1
	}
	d.Add(scene.Turn{Angle: angle, X: from[0], Y: from[1]})
	d.Text(name, k, from[0], from[1], align, palette.Ink)
	d.Add(scene.End{})
}
