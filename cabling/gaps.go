package cabling

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Gaps are the gaps between neighbouring containers of a tree, with the cables
// that cross them.
//
// A cable runs along x at its end A, then along y, then along z to its end B, as
// Manhattan lengths are measured (those of route direct cross the same gaps). It
// crosses a gap of a container that holds one of its ends, or both, where it goes
// from one cell of that container to the next. Containers that hold neither of
// its ends it passes in the gaps around them, and crosses none of theirs. Traces
// cross no gap. Cells of the innermost level are slots, between which no gap is
// known.
//
// That the cables which leave a cube need room, and that its side then grows by
// the square root of the number of nodes, is footnote 16 of C. Lenzen and R.
// Wattenhofer, "CLEX: Yet Another Supercomputer Architecture?", arXiv:1607.00298,
// section III.
type Gaps struct {
	Tree *layout.Tree
	fill []float64 // of each level but the innermost
	// loads[level][axis] has the gap beyond each cell along the axis, by the number of the cell among the containers of
	// the next level. Until sum, differences from cell to cell.
	loads [][3][]GapLoad
	bare  []int64 // of each level: cables in its gaps that state no diameter
	path  gapPath // of the cable at hand
}

// GapLoad is what crosses one gap.
type GapLoad struct {
	Cables int64 // jackets, those without a product too
	Copper int64 // of them
	Bare   int64 // of them, without a product or of parts that state no diameter: with any, Area is a lower bound
	area   int64
}

// Area is the sum of the cross-sections of the cables, those of Bare left out.
func (l *GapLoad) Area() units.Area { return inArea(l.area) }

func (l *GapLoad) add(m *GapLoad, sign int64) {
	l.Cables += sign * m.Cables
	l.Copper += sign * m.Copper
	l.Bare += sign * m.Bare
	l.area += sign * m.area
}

// gapPath is where the ends of a cable are: the index of their cells in the
// containers of each level, and the outermost level where they differ along
// each axis.
type gapPath struct {
	at     [2][][3]int
	differ [3]int
}

// newGaps prepares to count cables. Fill is as Problem.GapFill has it.
func newGaps(t *layout.Tree, fill []float64) *Gaps {
	n := len(t.Levels) - 1
	g := &Gaps{Tree: t, fill: make([]float64, n), loads: make([][3][]GapLoad, n), bare: make([]int64, n)}
	for level := range n {
		g.fill[level] = DefaultTrayFill
		if level < len(fill) && fill[level] > 0 {
			g.fill[level] = fill[level]
		}
		for axis, count := range t.Levels[level].Count {
			if count > 1 {
				g.loads[level][axis] = make([]GapLoad, t.Cells(0)/t.Cells(level+1))
			}
		}
	}
	for end := range g.path.at {
		g.path.at[end] = make([][3]int, len(t.Levels))
	}
	return g
}

// find finds the path between two slots.
func (p *gapPath) find(t *layout.Tree, a, b int32) {
	p.differ = [3]int{len(t.Levels), len(t.Levels), len(t.Levels)}
	for level := len(t.Levels) - 1; level >= 0; level-- {
		p.at[0][level], p.at[1][level] = t.Index(level, int(a)), t.Index(level, int(b))
		for axis := range p.differ {
			if p.at[0][level][axis] != p.at[1][level][axis] {
				p.differ[axis] = level
			}
		}
	}
}

// add has a cable, or one of its jackets, cross the gaps between two slots; it has
// no strand without a product.
func (g *Gaps) add(a, b int32, s *strand) {
	load := GapLoad{Cables: 1, Bare: 1}
	if s != nil {
		load = GapLoad{Cables: 1, Copper: int64(s.copper), Bare: int64(s.bare), area: s.area}
	}
	p := &g.path
	p.find(g.Tree, a, b)
	for level := range g.loads {
		crossed := false
		for axis := range 3 {
			if p.differ[axis] <= level && g.loads[level][axis] != nil {
				crossed = g.cross(level, axis, a, b, &load) || crossed
			}
		}
		if crossed {
			g.bare[level] += load.Bare
		}
	}
}

// cross has the cable at hand cross the gaps of one level on its way along one
// axis. Along the axes before, it is where B is already, along those after still
// where A is. It reports whether it crosses any.
func (g *Gaps) cross(level, axis int, a, b int32, load *GapLoad) bool {
	p := &g.path
	from, to := p.at[0][level], p.at[1][level]
	inA, inB := true, true // whether the containers on the way hold A, or B
	for other := range 3 {
		if other < axis {
			inA = inA && p.differ[other] >= level
		}
		if other > axis {
			inB = inB && p.differ[other] >= level
		}
	}
	cell := from // with what it is along the other axes
	for other := range axis {
		cell[other] = to[other]
	}
	first := p.differ[axis] // where the way along the axis leads from one cell to others
	if level == first {
		switch {
		case inA:
			return g.run(level, axis, a, cell, from[axis], to[axis], load)
		case inB:
			return g.run(level, axis, b, cell, from[axis], to[axis], load)
		}
		return false
	}
	last := g.Tree.Levels[level].Count[axis] - 1
	out, in := last, 0 // the cells at which it leaves the container of A and enters that of B
	if p.at[0][first][axis] > p.at[1][first][axis] {
		out, in = 0, last
	}
	left := inA && g.run(level, axis, a, cell, from[axis], out, load)
	entered := inB && g.run(level, axis, b, cell, in, to[axis], load)
	return left || entered
}

// run crosses the gaps from one cell to another along an axis, in the container
// that holds a slot.
func (g *Gaps) run(level, axis int, slot int32, cell [3]int, from, to int, load *GapLoad) bool {
	if from == to {
		return false
	}
	count := g.Tree.Levels[level].Count
	number := func(i int) int {
		cell[axis] = i
		return (int(slot)/g.Tree.Cells(level)*count[2]+cell[2])*count[1]*count[0] + cell[1]*count[0] + cell[0]
	}
	loads := g.loads[level][axis]
	loads[number(min(from, to))].add(load, 1)
	loads[number(max(from, to))].add(load, -1)
	return true
}

// sum makes the differences from cell to cell the loads.
func (g *Gaps) sum() {
	for level := range g.loads {
		count := g.Tree.Levels[level].Count
		step := 1
		for axis, loads := range g.loads[level] {
			for i := range loads {
				if i/step%count[axis] > 0 {
					loads[i].add(&loads[i-step], 1)
				}
			}
			step *= count[axis]
		}
	}
}

// GapLevel sums up the gaps of one level.
type GapLevel struct {
	Level    int
	Width    [3]units.Length // along x, y and z
	Limit    float64         // share that cables may take
	Gaps     int64
	Overfull int64
	Bare     int64 // cables in any of them without a diameter
	// Pitch is the smallest at which these cables fit, in metres: the size of a cell and the gap that they need, which
	// is rounded up to a tenth of a millimetre.
	Pitch [3]units.Length
	// Fullest is the gap in which the largest share is taken, with what is in it: beyond a cell along an axis. Cell is
	// -1 where the level has no gaps.
	Fullest GapLoad
	Axis    int
	Cell    int32
	// Greatest and Mean are the shares of the cross-section that are taken, infinite where cables cross a gap without
	// width.
	Greatest, Mean float64
}

// Levels sums up the gaps of every level that has some, outermost first.
func (g *Gaps) Levels() []GapLevel {
	var out []GapLevel
	for level := range g.loads {
		if l := g.level(level); l.Gaps > 0 {
			out = append(out, l)
		}
	}
	return out
}

func (g *Gaps) level(level int) GapLevel {
	out := GapLevel{
		Level: level, Width: g.Tree.Gap(level), Limit: g.fill[level], Bare: g.bare[level], Cell: -1,
	}
	size := g.Tree.Size(level + 1)
	needed := g.requiredWidth(level, size)
	for axis := range 3 {
		out.Pitch[axis] = (size[axis] + needed[axis]).Round4()
		side := shorter(size, axis)
		sum := 0.0
		g.each(level, axis, func(cell int, load *GapLoad) {
			fill := load.share(out.Width[axis], side)
			if load.width(side, out.Limit) > out.Width[axis]+1e-9 {
				out.Overfull++
			}
			if out.Cell < 0 || fill > out.Greatest || fill == out.Greatest && load.area > out.Fullest.area {
				out.Greatest, out.Fullest, out.Axis, out.Cell = fill, *load, axis, int32(cell)
			}
			sum += fill
			out.Gaps++
		})
		out.Mean += sum
	}
	if out.Gaps > 0 {
		out.Mean /= float64(out.Gaps)
	}
	return out
}

// each calls visit for the gap beyond every cell along an axis but the last ones.
func (g *Gaps) each(level, axis int, visit func(cell int, load *GapLoad)) {
	count := g.Tree.Levels[level].Count
	step := 1
	for _, c := range count[:axis] {
		step *= c
	}
	loads := g.loads[level][axis]
	for i := range loads {
		if i/step%count[axis] < count[axis]-1 {
			visit(i, &loads[i])
		}
	}
}

// requiredWidth is how wide the gaps of a level have to be along x, y and z for the
// cables that cross them, between containers of a size.
func (g *Gaps) requiredWidth(level int, size [3]units.Length) (width [3]units.Length) {
	for axis := range width {
		g.each(level, axis, func(_ int, load *GapLoad) {
			width[axis] = max(width[axis], load.width(shorter(size, axis), g.fill[level]))
		})
	}
	return width
}

// Fit completes levels of a tree, as layout.NewTree takes them: along the axes
// for which fit is set, it gives them the smallest pitches at which the cables
// fit that cross the gaps now, and gaps of at least the widths of the tree if
// grow is set. Sides of containers grow with the gaps inside them. Pitches that are
// left out are filled in, and counts are those of the tree.
func (g *Gaps) Fit(levels []layout.TreeLevel, fit [][3]bool, grow bool) []layout.TreeLevel {
	out := slices.Clone(levels)
	last := len(out) - 1
	out[last] = g.Tree.Levels[last]
	size := g.Tree.Size(last)
	for level := last - 1; level >= 0; level-- {
		l := &out[level]
		l.Count = g.Tree.Levels[level].Count
		width, needed := g.Tree.Gap(level), g.requiredWidth(level, size)
		for axis := range size {
			gap := needed[axis]
			switch {
			case !fit[level][axis]:
				gap = l.Gap
			case grow:
				gap = max(gap, width[axis])
			}
			pitch := l.Pitch[axis]
			if pitch == 0 {
				pitch = size[axis] + gap
			}
			if tenths := pitch.Round4(); (tenths - pitch).Abs() < 1e-9 {
				pitch = tenths
			}
			l.Pitch[axis] = pitch
			size[axis] += units.Length(float64(l.Count[axis]-1) * float64(pitch))
		}
	}
	return out
}

// shorter is the shorter side of the faces of a container across an axis.
func shorter(size [3]units.Length, axis int) units.Length {
	return min(size[(axis+1)%3], size[(axis+2)%3])
}

// share is what the cables take of a gap of a width, between faces whose shorter
// side is given.
func (l *GapLoad) share(width, side units.Length) float64 {
	if l.area == 0 {
		return 0
	}
	return float64(l.area) * areaUnit / (float64(width) * float64(side))
}

// width is the least width of a gap, rounded up to a tenth of a millimetre, of which the cables take no more than a
// share.
func (l *GapLoad) width(side units.Length, share float64) units.Length {
	exact := float64(l.area) * areaUnit / (float64(side) * share)
	return units.Length(math.Ceil(exact*1e4-1e-6) / 1e4)
}

// Where names the fullest gap of a level by the containers beside it: "cube4-1.0.0
// and cube4-2.0.0".
func (g *Gaps) Where(l *GapLevel) string {
	if l.Cell < 0 {
		return ""
	}
	step := int32(1)
	for _, c := range g.Tree.Levels[l.Level].Count[:l.Axis] {
		step *= int32(c)
	}
	return g.Tree.Name(l.Level+1, l.Cell) + " and " + g.Tree.Name(l.Level+1, l.Cell+step)
}

// report adds a violation for every level some of whose gaps are too full.
func (g *Gaps) report(v *Violations) {
	for _, l := range g.Levels() {
		if l.Overfull == 0 {
			continue
		}
		tree := &g.Tree.Levels[l.Level]
		width := l.Width[l.Axis]
		taken := "have no gap to run in"
		if width > 0 {
			area := float64(width) * float64(shorter(g.Tree.Size(l.Level+1), l.Axis))
			taken = fmt.Sprintf("take %.1f %% of %.0f mm2, more than the limit of %g %%", 100*l.Greatest, area*1e6,
				units.Length(100*l.Limit).Round4())
		}
		var pitch []string
		for axis := range 3 {
			pitch = append(pitch, max(l.Pitch[axis], tree.Pitch[axis]).Number())
		}
		v.Add(RuleGapFill, tree.Name, "between %s, %d cables of %.0f mm2 %s; %d of %d gaps are too full; with a pitch "+
			"of %s m these cables fit", g.Where(&l), l.Fullest.Cables, l.Fullest.Area(), taken, l.Overfull, l.Gaps,
			strings.Join(pitch, " x "))
	}
}
