package embed

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// TestHilbertCurve checks what makes the curve: every point comes once, the next
// is a neighbour, and every block of half the side is walked through before the
// next.
func TestHilbertCurve(t *testing.T) {
	for axes := 2; axes <= 3; axes++ {
		for bits := 1; bits <= 4; bits++ {
			n := 1 << (axes * bits)
			along := make([][]uint32, n)
			for i := range n {
				x := make([]uint32, axes)
				for a := range x {
					x[a] = uint32(i >> (a * bits) & (1<<bits - 1))
				}
				at := hilbertIndex(slices.Clone(x), bits)
				if at >= uint64(n) || along[at] != nil {
					t.Fatalf("%d axes, %d bits: %v stands at %d", axes, bits, x, at)
				}
				along[at] = x
			}
			for i := 1; i < n; i++ {
				steps := 0
				for a := range axes {
					steps += abs(int(along[i][a]) - int(along[i-1][a]))
				}
				if steps != 1 {
					t.Fatalf("%d axes, %d bits: from %v to %v", axes, bits, along[i-1], along[i])
				}
				same := i%(n>>axes) != 0
				for a := range axes {
					if half := uint32(1) << (bits - 1); same && along[i][a]/half != along[i-1][a]/half {
						t.Fatalf("%d axes, %d bits: the block is left between %v and %v",
							axes, bits, along[i-1], along[i])
					}
				}
			}
		}
	}
}

// TestAlongHilbertKeepsGridNeighbours checks that a square grid of points is
// walked through from neighbour to neighbour.
func TestAlongHilbertKeepsGridNeighbours(t *testing.T) {
	items := make([]int32, 256)
	for i := range items {
		items[i] = int32(255 - i)
	}
	at := func(i int32) layout.Point {
		return layout.Point{X: 5 + units.Length(i%16)*0.7, Y: units.Length(i/16) * 0.7}
	}
	alongHilbert(items, at)
	for i := 1; i < len(items); i++ {
		if d := at(items[i]).Distance(at(items[i-1])); d > 0.71 {
			t.Fatalf("%v between %d and %d", d, items[i-1], items[i])
		}
	}
	sorted := slices.Clone(items)
	slices.Sort(sorted)
	for i := range sorted {
		if sorted[i] != int32(i) {
			t.Fatal("a point is missing")
		}
	}
}

// slowFrontal looks at every vertex in every step.
func slowFrontal(q *quotient) []int32 {
	n := len(q.first) - 1
	rank, reached := make([]int32, n), make([]int32, n)
	for v := range rank {
		rank[v], reached[v] = -1, -1
	}
	outside := func(v int32) int {
		n := 0
		for _, w := range q.neighbours(v) {
			if n++; rank[w] >= 0 {
				n -= 2
			}
		}
		return n
	}
	next, touched := int32(0), int32(0)
	for _, start := range q.ends() {
		for v := start; v >= 0; {
			rank[v] = next
			next++
			for _, w := range q.neighbours(v) {
				if reached[w] < 0 && rank[w] < 0 {
					reached[w] = touched
					touched++
				}
			}
			v = -1
			for w := range int32(n) {
				if rank[w] >= 0 || reached[w] < 0 {
					continue
				}
				if v < 0 || outside(w) < outside(v) || outside(w) == outside(v) && reached[w] < reached[v] {
					v = w
				}
			}
		}
	}
	return rank
}

// TestFrontal compares the order with its definition, on graphs in several
// pieces too.
func TestFrontal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "vertices")
		vertex := rapid.IntRange(0, n-1)
		to := make([][]int32, n)
		for range rapid.IntRange(0, 60).Draw(t, "links") {
			a, b := vertex.Draw(t, "a"), vertex.Draw(t, "b")
			if a != b && !slices.Contains(to[a], int32(b)) {
				to[a], to[b] = append(to[a], int32(b)), append(to[b], int32(a))
			}
		}
		q := &quotient{first: []int{0}}
		for _, list := range to {
			slices.Sort(list)
			q.to = append(q.to, list...)
			q.first = append(q.first, len(q.to))
		}
		got, want := q.frontalOrder(), slowFrontal(q)
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		sorted := slices.Clone(got)
		slices.Sort(sorted)
		for i := range sorted {
			if sorted[i] != int32(i) {
				t.Fatalf("%v is not an order", got)
			}
		}
	})
}

// betweenRacks is the mean way over the trays between the racks of linked boxes.
func betweenRacks(pl *Placement, g topology.Graph) float64 {
	sum, n := 0.0, 0.0
	for l := range g.Links() {
		a, b := pl.Layout.Container(layout.RackLevel, pl.Slot[l.A]), pl.Layout.Container(layout.RackLevel, pl.Slot[l.B])
		sum += float64(l.Width) * float64(pl.Layout.Room.Trays.Distance(a, b))
		n += float64(l.Width)
	}
	return sum / n
}

// TestHilbertShortensRandomGraphs compares the fallback with no layout at all.
func TestHilbertShortensRandomGraphs(t *testing.T) {
	for _, s := range []topology.Params{
		topology.RandomRegular{Nodes: 1024, Degree: 4},
		topology.RandomRegular{Nodes: 256, Degree: 8, Terminals: 4},
		topology.DeBruijn{Base: 2, Digits: 10},
	} {
		g := graph(t, s)
		p := problem(g)
		for i := range p.Kinds {
			p.Kinds[i].PerRack = 8
		}
		mean := map[Strategy]float64{}
		for _, p.Strategy = range []Strategy{Auto, Hilbert, Random} {
			mean[p.Strategy] = betweenRacks(place(t, p), g)
		}
		if mean[Hilbert] > 0.7*mean[Random] || mean[Auto] != mean[Hilbert] {
			t.Errorf("%s: %.2f m along the curve, %.2f m by auto, %.2f m at random",
				s.Family(), mean[Hilbert], mean[Auto], mean[Random])
		}
	}
}

// TestHilbertInContainers checks that neighbours in the order are neighbours in
// space.
func TestHilbertInContainers(t *testing.T) {
	g := graph(t, topology.Mesh{Dims: topology.Ints{512}})
	tree, err := layout.NewTree([]layout.TreeLevel{
		{Name: "a", Count: [3]int{4, 4, 4}},
		{Name: "b", Count: [3]int{2, 2, 2}, Pitch: [3]units.Length{1, 1, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := problem(g)
	p.Strategy, p.Room, p.Tree = Hilbert, nil, tree
	pl := place(t, p)
	for l := range g.Links() {
		if d := pl.Layout.Position(pl.Slot[l.A]).Distance(pl.Layout.Position(pl.Slot[l.B])); d > 1.001 {
			t.Fatalf("%d and %d stand %v apart", l.A, l.B, d)
		}
	}
}

// BenchmarkPlaceHilbert places 100,000 vertices with a million links.
func BenchmarkPlaceHilbert(b *testing.B) {
	g := graph(b, topology.RandomRegular{Nodes: 100_000, Degree: 20})
	p := problem(g)
	p.Strategy = Hilbert
	for b.Loop() {
		place(b, p)
	}
}
