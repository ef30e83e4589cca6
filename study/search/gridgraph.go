package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/parallel"
)

// GridQuery says over which floor a graph is wanted. Points are racks, one vertex each; the length of a link is the sum
// of the steps along columns and rows between its ends.
type GridQuery struct {
	Columns, Rows int // of racks; 2 to 4,096 in all
	Degree        int // most links at a rack, from 1 to 64
	Longest       int // the greatest length of a link, in steps from rack to rack
	// Symmetry is how many turns leave the graph as it is: 1, 2 (by half a turn) or 4 (by quarters, on square grids).
	// Zero means the most that the grid has.
	Symmetry int
	Seed     uint64
	// Starts is how many graphs are annealed independently, the best of which is found; zero means 4 with Steps, and
	// as many as there are cores with Time.
	Starts int
	// Steps is how many changes each start tries, and makes the result the same on any machine. Where it is zero,
	// Time is spent in all.
	Steps int64
	Time  time.Duration
	// Progress receives how many of a hundred parts of the work of the first start are done. It may be nil.
	Progress func(what string, done, total int)
}

// The limits of GridQuery.
const (
	maxGridNodes   = 4096
	maxGridDegree  = 64
	maxGridStarts  = 1024
	maxGridSteps   = 1 << 40
	maxGridTime    = 7 * 24 * time.Hour
	gridStepStarts = 4 // when a number of steps, and no number of starts, is given
)

// GridResult is the best graph that was found.
type GridResult struct {
	// Edges is in ascending order, the lower end first. Vertex x + Columns*y is the rack of column x and row y.
	Edges    [][2]int32
	HopsMean float64 // over pairs of different racks
	Diameter int
	// Bound and BoundDiameter are what no graph over the grid can be below (GridBound).
	Bound         float64
	BoundDiameter int
	Symmetry      int
	Starts        int
	Steps         int64 // changes tried, in all starts
}

// GridGraph looks for a graph over a grid with the least mean distance, then the least diameter, among those with up to
// Degree links at each rack, none longer than Longest. Every start anneals a random graph: two links exchange
// ends, together with their images under the symmetry, and the change stays by the rule of Metropolis.
//
// The error joins a *diag.FieldError for every mistake (grid, degree, longest, symmetry, starts, steps, seconds), or is
// that of ctx.
func GridGraph(ctx context.Context, q GridQuery) (*GridResult, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if q.Symmetry == 0 {
		q.Symmetry = 2
		if q.Columns == q.Rows {
			q.Symmetry = 4
		}
	}
	if q.Starts == 0 {
		q.Starts = gridStepStarts
		if q.Steps == 0 {
			q.Starts = parallel.Cores(maxGridStarts)
		}
	}
	g := newGrid(q.Columns, q.Rows, q.Degree, q.Longest, q.Symmetry)
	found := make([]annealed, q.Starts)
	cores := parallel.Cores(q.Starts)
	rounds := (q.Starts + cores - 1) / cores
	err := parallel.Each(ctx, q.Starts, func(ctx context.Context, i int) error {
		progress := q.Progress
		if i > 0 {
			progress = nil
		}
		found[i] = g.anneal(ctx, q.Seed, i, budget{steps: q.Steps, time: q.Time / time.Duration(rounds)}, progress)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	out := &GridResult{Symmetry: q.Symmetry, Starts: q.Starts}
	for _, f := range found {
		out.Steps += f.steps
	}
	best := slices.MinFunc(found, func(a, b annealed) int {
		return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.diameter, b.diameter))
	})
	if !best.connected {
		return nil, diag.Fieldf("degree", "no connected graph with up to %d links at each of %d racks was found",
			q.Degree, g.nodes)
	}
	out.Edges = best.edges(g)
	out.HopsMean = float64(best.sum) / float64(g.nodes) / float64(g.nodes-1)
	out.Diameter = best.diameter
	out.Bound, out.BoundDiameter = GridBound(q.Columns, q.Rows, q.Degree, q.Longest)
	return out, nil
}

// Check finds the mistakes in a query: a *diag.FieldError for each.
func (q GridQuery) Check() error {
	var wrong diag.FieldErrors
	add := func(path, format string, args ...any) {
		wrong = append(wrong, &diag.FieldError{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	within := func(path string, x, least, most int64) {
		if x < least || x > most {
			add(path, "must be from %d to %d, not %d", least, most, x)
		}
	}
	sized := q.Columns >= 1 && q.Rows >= 1 && q.Columns <= maxGridNodes && q.Rows <= maxGridNodes
	if nodes := q.Columns * q.Rows; !sized || nodes < 2 || nodes > maxGridNodes {
		add("grid", "must have from 2 to %d racks, not %dx%d", maxGridNodes, q.Columns, q.Rows)
	}
	within("degree", int64(q.Degree), 1, maxGridDegree)
	if q.Longest < 1 {
		add("longest", "must be at least 1, a step from rack to rack, not %d", q.Longest)
	}
	switch {
	case q.Symmetry != 0 && q.Symmetry != 1 && q.Symmetry != 2 && q.Symmetry != 4:
		add("symmetry", "must be 1, 2 or 4, not %d", q.Symmetry)
	case q.Symmetry == 4 && q.Columns != q.Rows:
		add("symmetry", "4 is for square grids, not %dx%d", q.Columns, q.Rows)
	}
	within("starts", int64(q.Starts), 0, maxGridStarts)
	within("steps", q.Steps, 0, maxGridSteps)
	if q.Steps == 0 && (q.Time <= 0 || q.Time > maxGridTime) {
		add("seconds", "must be above 0 and up to %d, not %g", int(maxGridTime.Seconds()), q.Time.Seconds())
	}
	return wrong.Err()
}

// grid is the points, what may be joined, and the symmetry.
type grid struct {
	columns, rows, degree, longest, symmetry, nodes int

	x, y   []int16
	near   [][]int32  // the points that a link may lead to
	orbits [][4]int32 // the images of a point under 0, 1, ... turns; only the first symmetry are used
}

// newGrid lists the images of every point under the symmetry, and the points that a link from it can reach.
func newGrid(columns, rows, degree, longest, symmetry int) *grid {
	g := &grid{
		columns: columns, rows: rows, degree: degree, longest: min(longest, columns+rows), symmetry: symmetry,
		nodes: columns * rows,
	}
	g.orbits = make([][4]int32, g.nodes)
	g.near = make([][]int32, g.nodes)
	for v := range g.nodes {
		x, y := v%columns, v/columns
		g.x, g.y = append(g.x, int16(x)), append(g.y, int16(y))
		for i := range symmetry {
			g.orbits[v][i] = int32(x + columns*y)
			if symmetry == 4 {
				x, y = columns-1-y, x
			} else {
				x, y = columns-1-x, rows-1-y
			}
		}
	}
	for v := range int32(g.nodes) {
		for w := range int32(g.nodes) {
			if v != w && g.length(v, w) <= g.longest {
				g.near[v] = append(g.near[v], w)
			}
		}
	}
	return g
}

// length is that of a link between two points.
func (g *grid) length(v, w int32) int {
	return abs(int(g.x[v])-int(g.x[w])) + abs(int(g.y[v])-int(g.y[w]))
}

// far is the field of a block with some sources.
func (g *grid) far(sources []int32) []int64 {
	apart := make([]int64, g.columns+g.rows) // pairs by the least number of hops
	for _, v := range sources {
		for w := range int32(g.nodes) {
			apart[(g.length(v, w)+g.longest-1)/g.longest]++
		}
	}
	out := make([]int64, len(apart)+1)
	var farther int64
	for h := len(apart) - 1; h > 0; h-- {
		farther += apart[h]
		out[h-1] = out[h] + farther
	}
	return out
}

// edges lists the links of a graph.
func (a *annealed) edges(g *grid) [][2]int32 {
	var out [][2]int32
	for v := range int32(g.nodes) {
		for _, w := range a.neighbours[int(v)*g.degree:][:g.degree] {
			if v < w {
				out = append(out, [2]int32{v, w})
			}
		}
	}
	slices.SortFunc(out, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
	return out
}
