package layout

import (
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/graph/simple"

	"github.com/plenum-planner/plenum/units"
)

// trayPlan is the trays of a level as seen from above. Levels with the same trays share it.
type trayPlan struct {
	crosses []units.Length // x of each cross tray
	// over has, by cross tray and space between rows, the row at which the piece ends that begins at the row before the
	// space, -1 for none; nil if every cross tray connects all rows of a hall.
	over       []int32
	paths      []int // indices of TrayNetwork.paths
	pathPieces int   // their pieces together
	// Obstacles; the following are nil where there are none.
	section []int32 // by row and stop: stops of a row have the same number if no obstacle is between them
	closed  []bool  // by cross tray and space between rows: an obstacle blocks the piece
	detours []trayDetour
	// Junctions are numbered row by row, along the rows.
	first  []int32      // number of the first junction of each row, and the number of all junctions
	stopAt []int32      // stop of each junction
	rowOf  []int32      // row of each junction
	edges  [][]trayEdge // of each junction
	// near has, for each of Room.Places, the first and the last junction next to it on its row's tray.
	near [][2]int32
	grid *trayGrid // nil if routes need a search
	// distances has the distances from each junction to all others, nil until they are needed.
	distances []atomic.Pointer[[]units.Length]
}

// trayEdge is a tray to a neighbouring junction, with its pieces, numbered within the level.
type trayEdge struct {
	to     int32
	length units.Length
	pieces TrayLeg
}

// plan returns the plan of a level: that of an earlier level with the same trays, or a new one.
func (t *TrayNetwork) plan(level int, crosses []units.Length) *trayPlan {
	p := &trayPlan{}
	p.crosses = slices.Clone(crosses)
	slices.Sort(p.crosses)
	p.crosses = slices.CompactFunc(p.crosses, func(a, b units.Length) bool { return (a - b).Abs() < stopTolerance })
	t.cross(p)
	for i := range t.paths {
		if on := t.paths[i].Levels; on == nil || slices.Contains(on, level) {
			p.paths = append(p.paths, i)
			p.pathPieces += t.courses[i].pieces()
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
			return j >= first && j < p.first[row+1] && t.areJoined(p, row, p.stopAt[j], stop)
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

// cross sets over, if rows are listed and may not extend equally far.
func (t *TrayNetwork) cross(p *trayPlan) {
	if t.room.Spec.List == nil {
		return
	}
	p.over = make([]int32, len(p.crosses)*t.gaps)
	for row, g := range t.gap {
		for c := range p.crosses {
			if g >= 0 {
				p.over[c*t.gaps+int(g)] = int32(t.room.nextAcross(row, p.crosses[c]))
			}
		}
	}
}

// across returns the next row that a cross tray connects to a row, -1 if there is none or an obstacle is between them.
func (t *TrayNetwork) across(p *trayPlan, cross, row int) int {
	g := t.gap[row]
	if g < 0 || p.closed != nil && p.closed[cross*t.gaps+int(g)] {
		return -1
	}
	if p.over == nil {
		return row + 1
	}
	return int(p.over[cross*t.gaps+int(g)])
}

// meetingStops lists the stops of a row at which cross trays meet it.
func (t *TrayNetwork) meetingStops(p *trayPlan, row int) []int32 {
	var out []int32
	for _, x := range p.crosses {
		if t.room.Rows[row].reaches(x) {
			out = append(out, t.rows[row].near(x))
		}
	}
	return out
}

// like reports whether two plans have the same trays. Only what precedes first in trayPlan is compared.
func (p *trayPlan) like(q *trayPlan) bool {
	return slices.Equal(p.crosses, q.crosses) && slices.Equal(p.paths, q.paths) && slices.Equal(p.section, q.section) &&
		slices.Equal(p.over, q.over) && slices.Equal(p.closed, q.closed) && slices.Equal(p.detours, q.detours)
}

// junctions numbers the junctions of a plan.
func (t *TrayNetwork) junctions(p *trayPlan) {
	ends := map[int][]int32{} // of paths, by row
	for _, i := range p.paths {
		for _, end := range t.courses[i].ends {
			ends[end.row] = append(ends[end.row], end.stop)
		}
	}
	for i := range p.detours {
		d := &p.detours[i]
		ends[d.row] = append(ends[d.row], d.from, d.to)
	}
	var met []int32 // stops at which cross trays meet the row
	for row := range t.room.Rows {
		p.first = append(p.first, int32(len(p.stopAt)))
		if row == 0 || t.room.Spec.List != nil {
			met = t.meetingStops(p, row)
		}
		stops := met
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

// junction returns the junction at a stop of a row.
func (p *trayPlan) junction(row int, stop int32) int32 {
	n, _ := slices.BinarySearch(p.stopAt[p.first[row]:p.first[row+1]], stop)
	return p.first[row] + int32(n)
}

// join sets the edges of a plan.
func (t *TrayNetwork) join(p *trayPlan) {
	p.edges = make([][]trayEdge, len(p.stopAt))
	edge := func(a, b int32, length units.Length, pieces TrayLeg) {
		p.edges[a] = append(p.edges[a], trayEdge{b, length, pieces})
		p.edges[b] = append(p.edges[b], trayEdge{a, length, pieces.reverse()})
	}
	rows := t.room.Rows
	for row := range rows {
		for j := p.first[row] + 1; j < p.first[row+1]; j++ {
			if !t.areJoined(p, row, p.stopAt[j-1], p.stopAt[j]) {
				continue
			}
			edge(j-1, j, t.stopAt(row, p.stopAt[j])-t.stopAt(row, p.stopAt[j-1]),
				t.along(row, p.stopAt[j-1], p.stopAt[j]))
		}
		if g := t.gap[row]; g >= 0 {
			for c, x := range p.crosses {
				to := t.across(p, c, row)
				if to < 0 {
					continue
				}
				piece := t.crossPiece(c, g)
				edge(p.junction(row, t.rows[row].near(x)), p.junction(to, t.rows[to].near(x)), rows[to].Y-rows[row].Y,
					TrayLeg{piece, piece})
			}
		}
	}
	first := t.firstOfPaths(p)
	for _, i := range p.paths {
		c := &t.courses[i]
		end := func(e *pathEnd) int32 { return p.junction(e.row, e.stop) }
		edge(end(&c.ends[0]), end(&c.ends[1]), c.length(), TrayLeg{first, first + int32(c.pieces()) - 1})
		first += int32(c.pieces())
	}
	for i := range p.detours {
		d := &p.detours[i]
		edge(p.junction(d.row, d.from), p.junction(d.row, d.to), t.detourLength(d), t.detour(p, i))
	}
}

// SamePlan reports whether two levels have the same trays as seen from above, so that routes on them have the same
// length.
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
