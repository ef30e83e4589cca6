package layout

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/graph/path"
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
// Distances between junctions are shortest paths on a gonum graph, computed
// once for each junction that a cable needs.
type TrayNetwork struct {
	Height  float64
	Crosses []float64 // x of each cross tray, ascending

	room  *Room
	graph *simple.WeightedUndirectedGraph
	dist  []atomic.Pointer[[]float64]
	left  []int32 // of each rack: the last cross at or before it, -1 for none
}

func newTrayNetwork(r *Room) (*TrayNetwork, error) {
	s := &r.Spec
	t := &TrayNetwork{Height: float64(s.Trays.Height), room: r}
	for _, c := range s.Trays.Cross {
		if c < 0 || c > s.PerRow {
			return nil, fmt.Errorf("cross tray after rack position %d: a row has %d positions", c, s.PerRow)
		}
		t.Crosses = append(t.Crosses, s.cross(c))
	}
	slices.Sort(t.Crosses)
	t.Crosses = slices.Compact(t.Crosses)
	n := len(t.Crosses)
	if n == 0 && s.Rows > 1 {
		return nil, fmt.Errorf("%d rows need at least one cross tray between them", s.Rows)
	}
	t.graph = simple.NewWeightedUndirectedGraph(0, math.Inf(1))
	t.dist = make([]atomic.Pointer[[]float64], n*s.Rows)
	edge := func(a, b int, length float64) {
		t.graph.SetWeightedEdge(t.graph.NewWeightedEdge(simple.Node(a), simple.Node(b), length))
	}
	for row := range s.Rows {
		for c := range n {
			if row == 0 && c == 0 {
				t.graph.AddNode(simple.Node(0))
			}
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
		t.left[i] = -1
		for c, x := range t.Crosses {
			if x <= p.X {
				t.left[i] = int32(c)
			}
		}
	}
	return t, nil
}

// cross is the x of a cross tray after rack position c: the middle of the gap
// there, or the boundary between two racks.
func (s *RoomSpec) cross(c int) float64 {
	if c == 0 {
		return float64(s.Margin)
	}
	end := s.offset(c-1) + float64(s.Rack.Width)
	if c == s.PerRow {
		return end
	}
	return (end + s.offset(c)) / 2
}

// from returns the distances from junction j to all junctions.
func (t *TrayNetwork) from(j int) []float64 {
	if d := t.dist[j].Load(); d != nil {
		return *d
	}
	tree := path.DijkstraFrom(simple.Node(j), t.graph)
	d := make([]float64, len(t.dist))
	for i := range d {
		d[i] = math.Round(tree.WeightTo(int64(i))*1e4) / 1e4
	}
	t.dist[j].Store(&d)
	return d
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
	n := len(t.Crosses)
	for _, k := range [...]int{j - n, j - 1, j + 1, j + n} {
		if k < 0 || k >= len(dist) || (k/n != j/n && k%n != j%n) {
			continue
		}
		w, _ := t.graph.Weight(int64(j), int64(k))
		if x := w + dist[k]; x < best-1e-6 {
			best, found = x, k
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
