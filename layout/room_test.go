package layout

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

// drawRoom draws a room of a few rows with gaps, cross trays and keep-outs.
func drawRoom(t *rapid.T) RoomSpec {
	s := RoomSpec{
		Rows:      rapid.IntRange(1, 5).Draw(t, "rows"),
		PerRow:    rapid.IntRange(1, 9).Draw(t, "perRow"),
		Rack:      RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2},
		Cold:      units.Length(rapid.Float64Range(0.5, 2).Draw(t, "cold")),
		Hot:       units.Length(rapid.Float64Range(0.5, 2).Draw(t, "hot")),
		Alternate: rapid.Bool().Draw(t, "alternate"),
		Margin:    1.2,
		Trays:     TraySpec{Height: 2.3},
	}
	for p := 1; p < s.PerRow; p++ {
		if rapid.IntRange(0, 3).Draw(t, "gap") == 0 {
			s.Gaps = append(s.Gaps, Gap{After: p, Width: 1.2})
		}
	}
	for p := 0; p <= s.PerRow; p++ {
		if rapid.Bool().Draw(t, "cross") {
			s.Trays.Cross = append(s.Trays.Cross, p)
		}
	}
	if rapid.Bool().Draw(t, "keepOut") {
		x, y := rapid.Float64Range(0, 6).Draw(t, "x"), rapid.Float64Range(0, 8).Draw(t, "y")
		area := orb.Bound{Min: orb.Point{x, y}, Max: orb.Point{x + 0.9, y + 0.7}}
		s.KeepOuts = append(s.KeepOuts, KeepOut{Area: area.ToPolygon()})
	}
	return s.Complete()
}

func TestRacksStandClear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawRoom(t)
		r, err := NewRoom(s)
		if err != nil {
			t.Fatal(err)
		}
		free := 0
		for i, a := range r.Places {
			box := a.Footprint(s.Rack)
			if !contains(r.Bound, box) {
				t.Fatalf("rack %s stands outside the room", r.Name(i))
			}
			for _, k := range s.KeepOuts {
				if overlap(box, k.Area.Bound()) {
					t.Fatalf("rack %s stands in a keep-out", r.Name(i))
				}
			}
			for j := range i {
				if overlap(box, r.Places[j].Footprint(s.Rack)) {
					t.Fatalf("racks %s and %s overlap", r.Name(i), r.Name(j))
				}
			}
			for _, aisle := range r.Aisles {
				if overlap(box, aisle.Bound) {
					t.Fatalf("rack %s stands in an aisle", r.Name(i))
				}
			}
			free++
		}
		for _, row := range r.Rows {
			for p, place := range row.Position {
				if place >= 0 && r.Places[place].Number != p+1 {
					t.Fatalf("row %s position %d holds rack number %d", row.Name, p, r.Places[place].Number)
				}
			}
		}
	})
}

func contains(outer, inner orb.Bound) bool {
	return outer.Contains(inner.Min) && outer.Contains(inner.Max)
}

// overlap reports whether two bounds share some floor, not just an edge.
func overlap(a, b orb.Bound) bool {
	const eps = 1e-9
	return a.Min[0] < b.Max[0]-eps && b.Min[0] < a.Max[0]-eps && a.Min[1] < b.Max[1]-eps && b.Min[1] < a.Max[1]-eps
}

// TestFacing checks that rows face each other across cold aisles and turn
// their backs to hot ones.
func TestFacing(t *testing.T) {
	r, err := NewRoom(RoomSpec{
		Rows: 4, PerRow: 2, Rack: RackType{Units: 42, Width: 0.6, Depth: 1.2}, Cold: 1.2, Hot: 0.9, Alternate: true,
		Trays: TraySpec{Height: 2.3, Cross: []int{0}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, aisle := range r.Aisles {
		below, above := r.Rows[i], r.Rows[i+1]
		frontsIn := below.Turned && !above.Turned // below faces +y, above faces -y
		if aisle.Cold != frontsIn {
			t.Errorf("aisle %d: cold %v, fronts inside %v", i, aisle.Cold, frontsIn)
		}
		want := map[bool]float64{true: 1.2, false: 0.9}[aisle.Cold]
		if width := aisle.Bound.Max[1] - aisle.Bound.Min[1]; math.Abs(width-want) > 1e-9 {
			t.Errorf("aisle %d is %v wide", i, aisle.Bound)
		}
	}
}

// slowTray is the shortest way by relaxing a graph of every rack and junction
// until nothing changes.
func slowTray(r *Room, a, b int32) float64 {
	type node struct{ x, y units.Length }
	type edge struct {
		u, v   int
		length float64
	}
	var nodes []node
	var edges []edge
	cross := r.Trays.Crosses(0)
	for i, row := range r.Rows {
		first := len(nodes)
		for _, x := range cross {
			nodes = append(nodes, node{x, row.Y})
		}
		for _, p := range r.Places {
			if p.Row == i {
				nodes = append(nodes, node{p.X, p.Y})
			}
		}
		for u := first; u < len(nodes); u++ { // one straight ladder
			for v := first; v < u; v++ {
				edges = append(edges, edge{u, v, math.Abs(float64(nodes[u].x - nodes[v].x))})
			}
		}
	}
	at := func(row, c int) int {
		for i, n := range nodes {
			if n.y == r.Rows[row].Y && n.x == cross[c] {
				return i
			}
		}
		return -1
	}
	for c := range cross {
		for row := 1; row < len(r.Rows); row++ {
			edges = append(edges, edge{at(row-1, c), at(row, c), float64(r.Rows[row].Y - r.Rows[row-1].Y)})
		}
	}
	find := func(p Place) int {
		for i, n := range nodes {
			if n.x == p.X && n.y == p.Y {
				return i
			}
		}
		return -1
	}
	dist := make([]float64, len(nodes))
	for i := range dist {
		dist[i] = math.Inf(1)
	}
	dist[find(r.Places[a])] = 0
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			u, v := e.u, e.v
			for range 2 {
				if d := dist[u] + e.length; d < dist[v]-1e-12 {
					dist[v], changed = d, true
				}
				u, v = v, u
			}
		}
	}
	return dist[find(r.Places[b])]
}

func TestTrayDistanceIsShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawRoom(t)
		r, err := NewRoom(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Places) == 0 {
			t.Skip("no free place")
		}
		pick := rapid.Int32Range(0, int32(len(r.Places)-1))
		a, b := pick.Draw(t, "a"), pick.Draw(t, "b")
		got, want := float64(r.Trays.Distance(a, b)), slowTray(r, a, b)
		if math.Abs(got-want) > 1e-3 {
			t.Fatalf("%s to %s: %.4f, want %.4f", r.Name(int(a)), r.Name(int(b)), got, want)
		}
		followWay(t, r, 0, a, b, r.Trays.Route(0, a, b), got)
	})
}

// TestJunctionDistances compares the distances between junctions with gonum's
// Dijkstra on the same graph.
func TestJunctionDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, err := NewRoom(drawRoom(t))
		if err != nil {
			t.Fatal(err)
		}
		graph := r.Trays.Graph(0)
		for j := range r.Trays.plans[0].edges {
			tree := path.DijkstraFrom(simple.Node(j), graph)
			from := r.Trays.plans[0].source(int32(j))
			for i := range r.Trays.plans[0].edges {
				got := from.to(int32(i))
				if want := tree.WeightTo(int64(i)); math.Abs(float64(got)-want) > 1e-4 {
					t.Fatalf("junctions %d to %d: %v, want %g m", j, i, got, want)
				}
			}
		}
	})
}

func TestRowNames(t *testing.T) {
	for i, want := range map[int]string{
		0: "A", 25: "Z", 26: "AA", 27: "AB", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA",
	} {
		if got := RowName(i); got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
	}
}

func TestRoomRefusesNonsense(t *testing.T) {
	good := RoomSpec{
		Rows: 2, PerRow: 2, Rack: RackType{Units: 42, Width: 0.6, Depth: 1.2}, Trays: TraySpec{Cross: []int{0}},
	}
	for name, change := range map[string]func(*RoomSpec){
		"no rows":         func(s *RoomSpec) { s.Rows = 0 },
		"too many places": func(s *RoomSpec) { s.Rows, s.PerRow = 1<<20, 1<<20 },
		"cross outside":   func(s *RoomSpec) { s.Trays.Cross = []int{3} },
		"rows apart":      func(s *RoomSpec) { s.Trays.Cross = nil },
	} {
		s := good
		change(&s)
		if _, err := NewRoom(s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
