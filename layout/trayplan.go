package layout

import (
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/graph/simple"

	"github.com/plenum-planner/plenum/units"
)

// trayPlan is a level as seen from above.
type trayPlan struct {
	crosses []int32 // stops
	paths   []int   // indices of TrayNetwork.paths
	// What stands in the way of trays; nil where nothing does.
	section []int32 // by row and stop: stops of a row between which nothing is in the way have the same
	closed  []bool  // pieces of cross trays
	detours []trayDetour
	// Junctions are numbered row by row along the rows; first[row] is the first
	// of a row, and stopAt the stop of each.
	first     []int32
	stopAt    []int32
	rowOf     []int32
	edges     [][]trayEdge // of each junction
	near      [][2]int32   // of each free rack position: the first and the last junction next to it on its row's tray
	grid      *trayGrid    // nil where ways have to be searched for
	distances []atomic.Pointer[[]units.Length]
}

// trayEdge is a tray to a neighbouring junction: pieces From to To of the level.
type trayEdge struct {
	to     int32
	length units.Length
	pieces TrayLeg
}

// plan builds the plan of a level, or finds that of an earlier level like it.
func (t *TrayNetwork) plan(level int, crosses []units.Length) *trayPlan {
	p := &trayPlan{}
	for _, x := range crosses {
		p.crosses = append(p.crosses, t.stopNear(x))
	}
	slices.Sort(p.crosses)
	p.crosses = slices.Compact(p.crosses)
	for i := range t.paths {
		if on := t.paths[i].Levels; on == nil || slices.Contains(on, level) {
			p.paths = append(p.paths, i)
		}
	}
	t.obstruct(p, level)
	for _, q := range t.plans {
		if p.like(q) {
			return q
		}
	}
	t.junctions(p)
	t.join(p)
	p.near = make([][2]int32, len(t.room.Places))
	for i := range t.room.Places {
		row, stop := t.room.Places[i].Row, t.placeStop[i]
		first := p.first[row]
		n, found := slices.BinarySearch(p.stopAt[first:p.first[row+1]], stop)
		if !found {
			n--
		}
		reached := func(j int32) bool {
			return j >= first && j < p.first[row+1] && p.joined(len(t.Stops), row, p.stopAt[j], stop)
		}
		near := [2]int32{first + int32(n), first + int32(n) + 1}
		if !reached(near[0]) {
			near[0]++
		}
		if !reached(near[1]) {
			near[1]--
		}
		p.near[i] = near
	}
	if p.grid = t.grid(p); p.grid == nil {
		p.distances = make([]atomic.Pointer[[]units.Length], len(p.stopAt))
	}
	return p
}

// like tells whether two plans have the same trays.
func (p *trayPlan) like(q *trayPlan) bool {
	return slices.Equal(p.crosses, q.crosses) && slices.Equal(p.paths, q.paths) && slices.Equal(p.section, q.section) &&
		slices.Equal(p.closed, q.closed) && slices.Equal(p.detours, q.detours)
}

// junctions numbers the junctions of a plan.
func (t *TrayNetwork) junctions(p *trayPlan) {
	ends := map[int][]int32{} // of paths, by row
	for _, i := range p.paths {
		for _, end := range []Position{t.paths[i].From, t.paths[i].To} {
			ends[end.Row] = append(ends[end.Row], t.stopOf[end.Number-1])
		}
	}
	for i := range p.detours {
		d := &p.detours[i]
		ends[d.row] = append(ends[d.row], d.from, d.to)
	}
	for row := range t.room.Rows {
		p.first = append(p.first, int32(len(p.stopAt)))
		stops := p.crosses
		if more := ends[row]; more != nil {
			stops = append(slices.Clone(stops), more...)
			slices.Sort(stops)
			stops = slices.Compact(stops)
		}
		for _, s := range stops {
			p.stopAt = append(p.stopAt, s)
			p.rowOf = append(p.rowOf, int32(row))
		}
	}
	p.first = append(p.first, int32(len(p.stopAt)))
}

// junction finds the junction at a stop of a row.
func (p *trayPlan) junction(row int, stop int32) int32 {
	n, _ := slices.BinarySearch(p.stopAt[p.first[row]:p.first[row+1]], stop)
	return p.first[row] + int32(n)
}

// join lists the edges of a plan.
func (t *TrayNetwork) join(p *trayPlan) {
	p.edges = make([][]trayEdge, len(p.stopAt))
	edge := func(a, b int32, length units.Length, pieces TrayLeg) {
		p.edges[a] = append(p.edges[a], trayEdge{b, length, pieces})
		p.edges[b] = append(p.edges[b], trayEdge{a, length, pieces.reversed()})
	}
	rows := t.room.Rows
	for row := range rows {
		for j := p.first[row] + 1; j < p.first[row+1]; j++ {
			if !p.joined(len(t.Stops), row, p.stopAt[j-1], p.stopAt[j]) {
				continue
			}
			edge(j-1, j, t.Stops[p.stopAt[j]]-t.Stops[p.stopAt[j-1]], t.along(row, p.stopAt[j-1], p.stopAt[j]))
		}
		if g := t.gap[row]; g >= 0 {
			for c, stop := range p.crosses {
				if p.closed != nil && p.closed[c*t.gaps+int(g)] {
					continue
				}
				piece := t.crossPiece(c, g)
				edge(p.junction(row, stop), p.junction(row+1, stop), rows[row+1].Y-rows[row].Y, TrayLeg{piece, piece})
			}
		}
	}
	for k, i := range p.paths {
		path := &t.paths[i]
		piece := t.pathPiece(p, k)
		end := func(at Position) int32 { return p.junction(at.Row, t.stopOf[at.Number-1]) }
		edge(end(path.From), end(path.To), t.pathLength(path), TrayLeg{piece, piece})
	}
	for i := range p.detours {
		d := &p.detours[i]
		edge(p.junction(d.row, d.from), p.junction(d.row, d.to), t.detourLength(d), t.detour(p, i))
	}
}

// SamePlan tells whether two levels have the same trays as seen from above, so that
// ways on them are equally long.
func (t *TrayNetwork) SamePlan(a, b int) bool { return t.plans[a] == t.plans[b] }

// Graph returns a level as a gonum graph: its nodes are the junctions, its
// weights the metres of tray between neighbours.
func (t *TrayNetwork) Graph(level int) *simple.WeightedUndirectedGraph {
	g := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
	for a, edges := range t.plans[level].edges {
		if g.Node(int64(a)) == nil {
			g.AddNode(simple.Node(a))
		}
		for _, e := range edges {
			if w, ok := g.Weight(int64(a), int64(e.to)); !ok || float64(e.length) < w {
				g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(a), simple.Node(e.to), float64(e.length)))
			}
		}
	}
	return g
}
