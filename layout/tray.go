package layout

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/graph/simple"

	"plenum/units"
)

// TraySpec describes the overhead trays: a ladder above the centre line of
// every row, and cross trays that join all rows.
type TraySpec struct {
	Height units.Length
	// Cross lists the rack positions after which a cross tray runs, ascending;
	// 0 is before the first rack.
	Cross []int
}

// TrayNetwork is the network of trays of a room. Its junctions are the places
// where a row ladder meets a cross tray; junction row*len(crosses)+cross.
//
// Distances between junctions are shortest paths, computed once for each
// junction that a cable needs; Graph hands the network to gonum's algorithms.
type TrayNetwork struct {
	Height  float64
	Crosses []float64 // x of each cross tray, ascending

	room  *Room
	edges [][]trayEdge // of each junction
	dist  []atomic.Pointer[[]float64]
	left  []int32 // of each rack: the last cross at or before it, -1 for none
}

func newTrayNetwork(r *Room, offset []float64) (*TrayNetwork, error) {
	s := &r.Spec
	t := &TrayNetwork{Height: float64(s.Trays.Height), room: r}
	for _, c := range s.Trays.Cross {
		if c < 0 || c > s.PerRow {
			return nil, &FieldError{"trays.cross", fmt.Sprintf("a cross tray after rack position %d: a row has %d positions", c, s.PerRow)}
		}
		t.Crosses = append(t.Crosses, s.cross(c, offset))
	}
	slices.Sort(t.Crosses)
	t.Crosses = slices.Compact(t.Crosses)
	n := len(t.Crosses)
	if n == 0 && s.Rows > 1 {
		return nil, &FieldError{"trays.cross", fmt.Sprintf("%d rows need at least one cross tray between them", s.Rows)}
	}
	t.dist = make([]atomic.Pointer[[]float64], n*s.Rows)
	t.edges = make([][]trayEdge, n*s.Rows)
	edge := func(a, b int, length float64) {
		t.edges[a] = append(t.edges[a], trayEdge{b, length})
		t.edges[b] = append(t.edges[b], trayEdge{a, length})
	}
	for row := range s.Rows {
		for c := range n {
			if c > 0 {
				edge(row*n+c-1, row*n+c, t.Crosses[c]-t.Crosses[c-1])
			}
			if row > 0 {
				edge((row-1)*n+c, row*n+c, r.Rows[row].Y-r.Rows[row-1].Y)
			}
		}
	}
	t.left = make([]int32, len(r.Places))
	for i, p := range r.Places {
		at, found := slices.BinarySearch(t.Crosses, p.X)
		if !found {
			at--
		}
		t.left[i] = int32(at)
	}
	return t, nil
}

// cross is the x of a cross tray after rack position c: the middle of the gap
// there, or the boundary between two racks.
func (s *RoomSpec) cross(c int, offset []float64) float64 {
	if c == 0 {
		return float64(s.Margin)
	}
	end := offset[c-1] + float64(s.Rack.Width)
	if c == s.PerRow {
		return end
	}
	return (end + offset[c]) / 2
}

// from returns the distances from junction j to all junctions.
func (t *TrayNetwork) from(j int) []float64 {
	if d := t.dist[j].Load(); d != nil {
		return *d
	}
	d := t.dijkstra(j)
	t.dist[j].Store(&d)
	return d
}

// Graph returns the network as a gonum graph: its nodes are the junctions, its
// weights the metres of tray between neighbours.
func (t *TrayNetwork) Graph() *simple.WeightedUndirectedGraph {
	g := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
	for a, edges := range t.edges {
		if g.Node(int64(a)) == nil {
			g.AddNode(simple.Node(a))
		}
		for _, e := range edges {
			g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(a), simple.Node(e.to), e.length))
		}
	}
	return g
}

// trayEdge is a piece of tray to a neighbouring junction.
type trayEdge struct {
	to     int
	length float64
}

// dijkstra returns the distances from junction j, to a tenth of a millimetre.
func (t *TrayNetwork) dijkstra(j int) []float64 {
	d := make([]float64, len(t.edges))
	for i := range d {
		d[i] = math.Inf(1)
	}
	d[j] = 0
	queue := trayQueue{{j, 0}}
	for len(queue) > 0 {
		at := heap.Pop(&queue).(trayEdge)
		if at.length > d[at.to] {
			continue
		}
		for _, e := range t.edges[at.to] {
			if x := at.length + e.length; x < d[e.to]-1e-9 {
				d[e.to] = x
				heap.Push(&queue, trayEdge{e.to, x})
			}
		}
	}
	for i := range d {
		d[i] = math.Round(d[i]*1e4) / 1e4
	}
	return d
}

// trayQueue is a heap of junctions by distance.
type trayQueue []trayEdge

func (q trayQueue) Len() int           { return len(q) }
func (q trayQueue) Less(i, j int) bool { return q[i].length < q[j].length }
func (q trayQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *trayQueue) Push(x any)        { *q = append(*q, x.(trayEdge)) }
func (q *trayQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// Distance returns the length of the shortest way along the trays from above
// one rack position to above another.
func (t *TrayNetwork) Distance(a, b int32) units.Length {
	d, _, _ := t.shortest(a, b)
	return units.Length(d)
}

// shortest returns the distance and the junctions at which the way leaves the
// row of a and enters that of b; -1 where it stays on one row's ladder.
func (t *TrayNetwork) shortest(a, b int32) (d float64, ja, jb int) {
	pa, pb := &t.room.Places[a], &t.room.Places[b]
	if pa.Row == pb.Row {
		return math.Abs(pa.X - pb.X), -1, -1
	}
	n := len(t.Crosses)
	d, ja, jb = math.Inf(1), -1, -1
	for ca := max(t.left[a], 0); ca <= min(t.left[a]+1, int32(n-1)); ca++ {
		da := math.Abs(pa.X - t.Crosses[ca])
		row := t.from(pa.Row*n + int(ca))
		for cb := max(t.left[b], 0); cb <= min(t.left[b]+1, int32(n-1)); cb++ {
			j := pb.Row*n + int(cb)
			if x := da + row[j] + math.Abs(pb.X-t.Crosses[cb]); x < d {
				d, ja, jb = x, pa.Row*n+int(ca), j
			}
		}
	}
	return d, ja, jb
}

// Segment is a straight piece of a way along the trays.
type Segment struct {
	Name     string // "row C", "cross 2"
	From, To Point
	Length   units.Length
}

// Way returns the pieces of the shortest way between two rack positions; their
// lengths add up to Distance.
func (t *TrayNetwork) Way(a, b int32) []Segment {
	pa, pb := &t.room.Places[a], &t.room.Places[b]
	at := Point{pa.X, pa.Y, t.Height}
	var out []Segment
	move := func(name string, to Point) {
		if d := at.Manhattan(to); d > 0 {
			if k := len(out) - 1; k >= 0 && out[k].Name == name {
				out[k].To, out[k].Length = to, out[k].Length+d
			} else {
				out = append(out, Segment{name, at, to, d})
			}
		}
		at = to
	}
	rowName := func(row int) string { return "row " + t.room.Rows[row].Name }
	_, ja, jb := t.shortest(a, b)
	if ja >= 0 {
		n := len(t.Crosses)
		junction := func(j int) Point { return Point{t.Crosses[j%n], t.room.Rows[j/n].Y, t.Height} }
		move(rowName(pa.Row), junction(ja))
		toB := t.from(jb)
		for j := ja; j != jb; {
			next := t.towards(j, toB)
			name := rowName(j / n)
			if next/n != j/n {
				name = fmt.Sprintf("cross %d", j%n+1)
			}
			move(name, junction(next))
			j = next
		}
	}
	move(rowName(pb.Row), Point{pb.X, pb.Y, t.Height})
	return out
}

// towards returns the neighbour of junction j on a shortest way, the lowest
// numbered of several; dist are the distances to the target.
func (t *TrayNetwork) towards(j int, dist []float64) int {
	best, found := math.Inf(1), -1
	for _, e := range t.edges[j] {
		if x := e.length + dist[e.to]; x < best-1e-6 || (x < best+1e-6 && e.to < found) {
			best, found = min(x, best), e.to
		}
	}
	return found
}

// Length returns the total length of trays.
func (t *TrayNetwork) Length() units.Length {
	total := 0.0
	for _, row := range t.room.Rows {
		total += row.X1 - row.X0
	}
	if k := len(t.room.Rows); k > 1 {
		total += float64(len(t.Crosses)) * (t.room.Rows[k-1].Y - t.room.Rows[0].Y)
	}
	return units.Length(total)
}
