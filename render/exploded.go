package render

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render/isometric"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Sizes of the exploded view, in pixels.
const (
	explodedMargin, explodedHead = 40.0, 120.0
	explodedSide                 = 520.0 // of a drawing of a level
	explodedGap                  = 60.0
	explodedLine                 = 26.0
	explodedLane                 = 4.0 // between the lines of two levels
)

// mostExploded is the most containers or boxes that are drawn in one container, all with their links.
const mostExploded = 4096

// levelView is a container of a level of packaging, drawn apart from those round it, with the links between what it
// holds.
type levelView struct {
	name, inner string // of the level, and of what it holds
	level       *layout.TreeLevel
	containers  int // that hold boxes
	// joined counts, by topology level, the links between two cells of the first container.
	joined []map[[2]int]int64
	links  []int64 // of all containers of the level, by topology level
	cables int64   // of these links, in all containers: traces of boards and midplanes are none
	length report.MeanMax[units.Length]
	filled []bool // the cells of the first container that hold a box
}

// Exploded draws a container of each level of packaging of a machine in containers, the outermost first, with the links
// between what it holds, those of a level of the topology in one colour. A machine in racks is refused.
func Exploded(ctx context.Context, r *machine.Result) (*pen.Canvas, error) {
	tree := r.Placement.Layout.Tree
	if tree == nil {
		return nil, errors.New("a machine in racks has no containers to draw apart\n" +
			"--format floor draws its room")
	}
	views := explodedViews(r, tree)
	for _, v := range views {
		if n := len(v.filled); n > mostExploded {
			return nil, fmt.Errorf("%s holds %s places; a drawing has %s at most", v.name, english.Grouped(int64(n)),
				english.Grouped(mostExploded))
		}
	}
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	l.Spare = pen.Spare
	lines, most := 0, int64(1)
	for _, v := range views {
		_, heaviest := v.weights()
		most = max(most, heaviest)
		lines = max(lines, len(v.words(r.Graph.Levels())))
	}
	n := float64(len(views))
	width := 2*explodedMargin + n*explodedSide + (n-1)*explodedGap
	height := explodedHead + explodedSide + explodedLine*float64(lines+3) + explodedMargin
	c := pen.New(l, width, height)
	title := r.Spec.Name
	if title == "" {
		title = r.Graph.Family()
	}
	about := "Levels of packaging, each drawn apart: a line joins what has links, thicker the more there are."
	c.Scene.Name, c.Scene.About = title, about
	c.Layer("title")
	c.Text(l.Fit(title, pen.Letter{Size: 30, Bold: true}, width-2*explodedMargin), pen.Letter{Size: 30, Bold: true},
		explodedMargin, explodedMargin, 0, palette.Ink)
	c.Text(l.Fit(about, pen.Letter{Size: 17}, width-2*explodedMargin), pen.Letter{Size: 17}, explodedMargin,
		explodedMargin+34, 0, palette.Faint)
	for i, v := range views {
		c.Layer(v.name)
		v.draw(ctx, c, explodedMargin+float64(i)*(explodedSide+explodedGap), i, r.Graph.Levels(), most)
	}
	return c, ctx.Err()
}

// explodedViews counts the links between the cells of the first container of every level, and of all.
func explodedViews(r *machine.Result, tree *layout.Tree) []*levelView {
	levels := r.Graph.Levels()
	var views []*levelView
	for i := range tree.Levels {
		l := &tree.Levels[i]
		v := &levelView{
			name: l.Name, inner: "box", level: l,
			joined: make([]map[[2]int]int64, len(levels)), links: make([]int64, len(levels)),
			filled: make([]bool, l.Count[0]*l.Count[1]*l.Count[2]),
		}
		if i+1 < len(tree.Levels) {
			v.inner = tree.Levels[i+1].Name
		}
		for k := range v.joined {
			v.joined[k] = map[[2]int]int64{}
		}
		for _, of := range r.Report().LayoutLevels {
			if of.Level == l.Name {
				v.length, v.cables = of.Length, of.Cables
			}
		}
		views = append(views, v)
	}
	cell := func(level, slot int) (container, cell int) {
		each := tree.Cells(level) / len(views[level].filled)
		return slot / tree.Cells(level), slot % tree.Cells(level) / each
	}
	used := make([][]bool, len(views))
	for i := range views {
		used[i] = make([]bool, tree.Cells(0)/tree.Cells(i))
	}
	for v := range topology.Vertices(r.Graph) {
		for i := range views {
			at, c := cell(i, int(r.Placement.Slot[v]))
			if at == 0 {
				views[i].filled[c] = true
			}
			if !used[i][at] {
				used[i][at] = true
				views[i].containers++
			}
		}
	}
	for link := range topology.Cables(r.Graph) {
		a, b := int(r.Placement.Slot[link.A]), int(r.Placement.Slot[link.B])
		for i, v := range views {
			inA, cellA := cell(i, a)
			inB, cellB := cell(i, b)
			if inA != inB || cellA == cellB {
				continue
			}
			v.links[link.Level] += int64(link.Width)
			if inA == 0 {
				v.joined[link.Level][[2]int{min(cellA, cellB), max(cellA, cellB)}] += int64(link.Width)
			}
			break
		}
	}
	return views
}

// viewLine is a line below a view, with the topology level that it is of, or -1.
type viewLine struct {
	text  string
	level int
}

// words are the lines below a view.
func (v *levelView) words(levels []topology.Level) (lines []viewLine) {
	add := func(level int, text string) { lines = append(lines, viewLine{text, level}) }
	for k, n := range v.links {
		if n == 0 {
			continue
		}
		here := int64(0)
		for _, x := range v.joined[k] {
			here += x
		}
		text := fmt.Sprintf("%s: %s", levels[k].Name, english.Count(here, "link"))
		if v.containers > 1 {
			text += fmt.Sprintf(" here, %s in all", english.Grouped(n))
		}
		add(k, text)
	}
	if len(lines) == 0 {
		add(-1, "no links between what it holds")
		return lines
	}
	bought := english.Count(v.cables, "cable") + " in all"
	if v.cables == 0 {
		bought += ": the links are traces"
	}
	add(-1, bought)
	least, most := v.weights()
	line := fmt.Sprintf("a line: %s", english.Count(most, "link"))
	if least < most {
		line = fmt.Sprintf("a line: %s to %s", english.Grouped(least), english.Count(most, "link"))
	}
	add(-1, line)
	add(-1, fmt.Sprintf("length: mean %.2f m, longest %.2f m", float64(v.length.Mean), float64(v.length.Max)))
	return lines
}

// weights are the fewest and the most links of a line; 0 where there is none.
func (v *levelView) weights() (least, most int64) {
	for _, joined := range v.joined {
		for _, n := range joined {
			if least == 0 || n < least {
				least = n
			}
			most = max(most, n)
		}
	}
	return least, most
}

// passesOver reports whether the line between two cells runs over another one: along a row of cells.
func passesOver(a, b int, count [3]int) bool {
	at := func(cell int) [3]int {
		return [3]int{cell % count[0], cell / count[0] % count[1], cell / (count[0] * count[1])}
	}
	x, y := at(a), at(b)
	apart, axes := 0, 0
	for i := range 3 {
		if d := max(x[i]-y[i], y[i]-x[i]); d > 0 {
			apart, axes = d, axes+1
		}
	}
	return axes == 1 && apart > 1
}

// bowed is a line that leaves its middle by a share of its length, so that it is seen beside what lies between its
// ends.
func bowed(a, b [2]float64) [][2]float64 {
	const steps, share = 12, 0.09
	dx, dy := b[0]-a[0], b[1]-a[1]
	out := make([][2]float64, steps+1)
	for i := range out {
		t := float64(i) / steps
		off := 4 * t * (1 - t) * share
		out[i] = [2]float64{a[0] + t*dx - off*dy, a[1] + t*dy + off*dx}
	}
	return out
}

// besideLine moves a line to its side: to the same one for all directions along it.
func besideLine(a, b [2]float64, aside float64) (from, to [2]float64) {
	dx, dy := b[0]-a[0], b[1]-a[1]
	length := math.Hypot(dx, dy)
	if length == 0 {
		return a, b
	}
	if dx < 0 || dx == 0 && dy < 0 {
		dx, dy = -dx, -dy
	}
	x, y := -dy/length*aside, dx/length*aside
	return [2]float64{a[0] + x, a[1] + y}, [2]float64{b[0] + x, b[1] + y}
}

// draw draws a view with its left edge at x; lines are as wide as their share of most links.
func (v *levelView) draw(
	ctx context.Context, c *pen.Canvas, x float64, shade int, levels []topology.Level, most int64,
) {
	own := *v.level // as if it held boxes, further apart than they are
	own.Gap = 0
	tree, err := layout.NewTree([]layout.TreeLevel{own})
	if err != nil {
		return // the machine's own tree has such a level
	}
	w, h, corner := isometric.Extent(tree)
	d := &isometric.Drawing{
		Tree: tree, Scale: explodedSide / max(w, h), All: true, Inset: 0.3,
		Shade: func(int) color.RGBA { return palette.Container(shade) },
		Box: func(slot int) (color.RGBA, bool) {
			if v.inner == "box" {
				return boxCols[boxOfNode], v.filled[slot]
			}
			return palette.Container(shade + 1), v.filled[slot]
		},
	}
	d.X = x + (explodedSide-w*d.Scale)/2
	top := explodedHead + (explodedSide-h*d.Scale)/2
	d.Y = top + (h-corner)*d.Scale
	d.Draw(ctx, c)
	middle := func(cell int) [2]float64 {
		n := own.Count
		at := [3]int{cell % n[0], cell / n[0] % n[1], cell / (n[0] * n[1])}
		var p [3]float64
		for a := range 3 {
			p[a] = (float64(at[a]) + 0.5) * float64(own.Pitch[a])
		}
		return d.Point(p)
	}
	lanes, lane := 0, 0 // of levels, side by side
	for _, joined := range v.joined {
		if len(joined) > 0 {
			lanes++
		}
	}
	for k, joined := range v.joined {
		if len(joined) == 0 {
			continue
		}
		aside := explodedLane * (float64(lane) - float64(lanes-1)/2)
		lane++
		pairs := slices.SortedFunc(maps.Keys(joined), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		for _, pair := range pairs {
			a, b := besideLine(middle(pair[0]), middle(pair[1]), aside)
			wide := 0.8 + 3.2*math.Sqrt(float64(joined[pair])/float64(most))
			if passesOver(pair[0], pair[1], own.Count) {
				c.Polyline(bowed(a, b), wide, palette.Series(k))
			} else {
				c.Line(a[0], a[1], b[0], b[1], wide, palette.Series(k))
			}
		}
	}
	y := explodedHead + explodedSide + explodedLine
	heading := v.name
	if v.containers > 1 {
		heading += fmt.Sprintf(", one of %s", english.Grouped(int64(v.containers)))
	}
	c.Text(c.Fit(heading, pen.Letter{Size: 20, Bold: true}, explodedSide), pen.Letter{Size: 20, Bold: true}, x, y, 0,
		palette.Ink)
	n := own.Count
	held := fmt.Sprintf("%d × %d × %d places for %s", n[0], n[1], n[2], v.inner)
	if v.inner == "box" {
		held = fmt.Sprintf("%d × %d × %d places for boxes", n[0], n[1], n[2])
	}
	y += explodedLine
	c.Text(c.Fit(held, pen.Letter{Size: 16}, explodedSide), pen.Letter{Size: 16}, x, y, 0, palette.Ink)
	for _, line := range v.words(levels) {
		y += explodedLine
		left := x
		if line.level >= 0 {
			c.Line(x, y, x+28, y, 4, palette.Series(line.level))
			left += 38
		}
		c.Text(c.Fit(line.text, pen.Letter{Size: 16}, explodedSide-38), pen.Letter{Size: 16}, left, y, 0, palette.Ink)
	}
}
