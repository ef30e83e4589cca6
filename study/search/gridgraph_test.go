package search

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The lower bounds that the ODP library (github.com/mnakao/ODP) prints for its grids.
func TestGridBoundsAreThoseOfODP(t *testing.T) {
	for _, c := range []struct {
		side, degree, longest int
		mean                  string
		diameter              int
	}{
		{10, 4, 2, "3.8206", 9},
		{10, 6, 3, "2.8388", 6},
		{10, 8, 4, "2.3511", 5},
		{20, 4, 2, "7.0216", 19},
		{20, 6, 3, "4.8940", 13},
		{20, 8, 4, "3.8804", 10},
	} {
		mean, diameter := GridBound(c.side, c.side, c.degree, c.longest)
		if got := fmt.Sprintf("%.4f", mean); got != c.mean || diameter != c.diameter {
			t.Errorf("%d x %d, degree %d, length %d: %s, %d", c.side, c.side, c.degree, c.longest, got, diameter)
		}
	}
}

// The bound ends for every grid, degree and length: it is infinite where no graph joins all points, below the mean of
// all possible links otherwise, and no higher with longer links.
func TestGridBoundsOfAnyGrid(t *testing.T) {
	extremes := []int{math.MinInt, math.MaxInt/2 + 1, math.MaxInt}
	lengths := rapid.OneOf(rapid.IntRange(-2, 12), rapid.SampledFrom(extremes))
	rapid.Check(t, func(t *rapid.T) {
		columns, rows := rapid.IntRange(1, 5).Draw(t, "columns"), rapid.IntRange(1, 5).Draw(t, "rows")
		nodes := columns * rows
		degree, longest := rapid.IntRange(0, nodes+1).Draw(t, "degree"), lengths.Draw(t, "longest")
		mean, diameter := GridBound(columns, rows, degree, longest)
		switch {
		case nodes == 1:
			if mean != 0 || diameter != 0 {
				t.Fatalf("one point: %g, %d", mean, diameter)
			}
			return
		case longest < 1 || degree == 0 || degree == 1 && nodes > 2:
			if !math.IsInf(mean, 1) || diameter != -1 {
				t.Fatalf("%d links of %d steps at each of %d points: %g, %d", degree, longest, nodes, mean, diameter)
			}
			return
		}
		least, hops := GridBound(columns, rows, degree, max(longest, columns+rows))
		if mean < least || diameter < hops {
			t.Fatalf("%g, %d; with longer links %g, %d", mean, diameter, least, hops)
		}
		if degree < nodes-1 {
			return
		}
		var edges [][2]int32
		for v, near := range newGrid(columns, rows, degree, longest, 1).near {
			for _, w := range near {
				edges = append(edges, [2]int32{int32(v), w})
			}
		}
		sum, hops, _ := slowDistances(nodes, edges)
		if most := float64(sum) / float64(nodes*(nodes-1)); mean > most+1e-9 || diameter > hops {
			t.Fatalf("%g, %d; all possible links give %g, %d", mean, diameter, most, hops)
		}
	})
}

// slowDistances is the sum over ordered pairs and the greatest distance, a search from one vertex after the other.
func slowDistances(nodes int, edges [][2]int32) (sum int64, diameter int, connected bool) {
	near := make([][]int32, nodes)
	for _, e := range edges {
		near[e[0]] = append(near[e[0]], e[1])
		near[e[1]] = append(near[e[1]], e[0])
	}
	connected = true
	for v := range int32(nodes) {
		hops := make([]int, nodes)
		queue := []int32{v}
		for i := 0; i < len(queue); i++ {
			for _, w := range near[queue[i]] {
				if w != v && hops[w] == 0 {
					hops[w] = hops[queue[i]] + 1
					queue = append(queue, w)
				}
			}
		}
		for w, h := range hops {
			if int32(w) != v && h == 0 {
				h, connected = nodes, false
			} else {
				diameter = max(diameter, h)
			}
			sum += int64(h)
		}
	}
	return sum, diameter, connected
}

func drawGrid(t *rapid.T) *grid {
	columns := rapid.IntRange(1, 19).Draw(t, "columns")
	rows := rapid.IntRange(1, 19).Draw(t, "rows")
	symmetries := []int{1, 2}
	if rapid.Bool().Draw(t, "square") {
		rows, symmetries = columns, []int{4}
	}
	return newGrid(columns, rows, rapid.IntRange(1, 8).Draw(t, "degree"), rapid.IntRange(1, 6).Draw(t, "longest"),
		rapid.SampledFrom(symmetries).Draw(t, "symmetry"))
}

// Sums of searches from one vertex of every orbit are those from all vertices one by one; a limit cuts off exactly
// what is above it. Every change keeps the limits of degree and length, the symmetry and the number of links, and can
// be taken back.
func TestAnnealedGridsKeepTheirLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGrid(t)
		a := &gridAnnealer{
			grid: g, distances: newGridDistances(g), neighbours: make([]int32, g.nodes*g.degree),
			random: rapid.Uint64().Draw(t, "seed"),
		}
		a.draw()
		links := 0
		for range 5 {
			for range 20 {
				before := append([]int32(nil), a.neighbours...)
				changed := a.change()
				if changed && rapid.Bool().Draw(t, "back") {
					a.back()
					changed = false
				}
				if got := (&annealed{neighbours: before}).edges(g); !changed &&
					!reflect.DeepEqual(got, (&annealed{neighbours: a.neighbours}).edges(g)) {
					t.Fatal("a change that was refused or taken back has changed the graph")
				}
			}
			edges := (&annealed{neighbours: a.neighbours}).edges(g)
			checkGridGraph(t, g, edges)
			if len(edges) < links {
				t.Fatalf("%d links became %d", links, len(edges))
			}
			links = len(edges)
			sum, diameter, connected := slowDistances(g.nodes, edges)
			got, hops := a.distances.sum(a.neighbours, math.MaxInt64)
			if got != sum || connected && hops != diameter || connected != a.isConnected(a.neighbours) {
				t.Fatalf("%d, %d; the slow search says %d, %d", got, hops, sum, diameter)
			}
			if at, _ := a.distances.sum(a.neighbours, sum); at != sum {
				t.Fatalf("the limit %d cuts off %d", sum, at)
			}
			if below, _ := a.distances.sum(a.neighbours, sum-1); below < sum {
				t.Fatalf("a sum of %d passes as %d", sum, below)
			}
		}
	})
}

type failer interface{ Fatalf(string, ...any) }

// checkGridGraph checks degrees, lengths and symmetry.
func checkGridGraph(t failer, g *grid, edges [][2]int32) {
	degrees := make([]int, g.nodes)
	known := map[[2]int32]bool{}
	for _, e := range edges {
		if known[e] || g.length(e[0], e[1]) > g.longest || e[0] >= e[1] {
			t.Fatalf("link %v: twice, of length %d, or out of order", e, g.length(e[0], e[1]))
		}
		known[e] = true
		for _, v := range e {
			if degrees[v]++; degrees[v] > g.degree {
				t.Fatalf("vertex %d has %d links", v, degrees[v])
			}
		}
	}
	for _, e := range edges {
		for i := range g.symmetry {
			v, w := g.orbits[e[0]][i], g.orbits[e[1]][i]
			if !known[[2]int32{min(v, w), max(v, w)}] {
				t.Fatalf("link %v has no image at turn %d", e, i)
			}
		}
	}
}

// All graphs of up to 17 possible links are tried.
func TestSmallGridGraphsAreOptimal(t *testing.T) {
	for _, q := range []GridQuery{
		{Columns: 3, Rows: 2, Degree: 3, Longest: 3},
		{Columns: 3, Rows: 2, Degree: 2, Longest: 2},
		{Columns: 4, Rows: 2, Degree: 3, Longest: 2},
		{Columns: 3, Rows: 3, Degree: 3, Longest: 1},
		{Columns: 6, Rows: 1, Degree: 3, Longest: 3},
		{Columns: 2, Rows: 1, Degree: 1, Longest: 1},
	} {
		g := newGrid(q.Columns, q.Rows, q.Degree, q.Longest, 1)
		var possible [][2]int32
		for v := range int32(g.nodes) {
			for _, w := range g.near[v] {
				if v < w {
					possible = append(possible, [2]int32{v, w})
				}
			}
		}
		least := int64(math.MaxInt64)
	graphs:
		for set := range uint(1) << len(possible) {
			if bits.OnesCount(set) < g.nodes-1 {
				continue
			}
			var edges [][2]int32
			degrees := make([]int, g.nodes)
			for i, e := range possible {
				if set>>i&1 == 0 {
					continue
				}
				edges = append(edges, e)
				if degrees[e[0]]++; degrees[e[0]] > q.Degree {
					continue graphs
				}
				if degrees[e[1]]++; degrees[e[1]] > q.Degree {
					continue graphs
				}
			}
			if sum, _, connected := slowDistances(g.nodes, edges); connected {
				least = min(least, sum)
			}
		}
		q.Steps, q.Symmetry = 5000, 1
		r, err := GridGraph(t.Context(), q)
		want := float64(least) / float64(g.nodes*(g.nodes-1))
		if err != nil || r.HopsMean != want || r.Bound > want {
			t.Errorf("%+v: %+v, %v; the least is %.4f", q, r, err, want)
		}
	}
}

// The same seed and steps give the same graph, of a mean that a search of so few steps should reach.
func TestGridGraphsAreTheSameOnAnyNumberOfCores(t *testing.T) {
	q := GridQuery{Columns: 10, Rows: 10, Degree: 4, Longest: 2, Steps: 20_000, Starts: 3, Seed: 7}
	old := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(old)
	one, err := GridGraph(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(3)
	three, err := GridGraph(t.Context(), q)
	if err != nil || !reflect.DeepEqual(one, three) {
		t.Errorf("%+v\n%+v, %v", one, three, err)
	}
	if one.HopsMean > 4.06 || one.Diameter != 9 || len(one.Edges) != 200 || one.Steps != 60_000 {
		t.Errorf("mean %.4f, diameter %d, %d links, %d steps", one.HopsMean, one.Diameter, len(one.Edges), one.Steps)
	}
	g := newGrid(10, 10, 4, 2, 4)
	checkGridGraph(t, g, one.Edges)
	if sum, diameter, _ := slowDistances(100, one.Edges); float64(sum)/9900 != one.HopsMean ||
		diameter != one.Diameter {
		t.Errorf("mean %.4f, diameter %d", float64(sum)/9900, diameter)
	}
	q.Seed = 8
	if other, err := GridGraph(t.Context(), q); err != nil || reflect.DeepEqual(one.Edges, other.Edges) {
		t.Errorf("another seed makes the same graph, %v", err)
	}
}

func TestGridQueriesThatCannotBeAnswered(t *testing.T) {
	_, err := GridGraph(t.Context(), GridQuery{Columns: 100, Rows: 100, Symmetry: 3, Starts: -1})
	for _, want := range []string{
		"grid: must have from 2 to 4096", "degree: ", "longest: ", "symmetry: ",
		"seconds: ",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	_, err = GridGraph(t.Context(), GridQuery{Columns: 3, Rows: 1, Degree: 1, Longest: 1, Steps: 10})
	if err == nil || !strings.Contains(err.Error(), "degree: no connected graph") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = GridGraph(ctx, GridQuery{Columns: 3, Rows: 3, Degree: 2, Longest: 1, Steps: 1 << 40}); err == nil {
		t.Error("a search that was cancelled has a result")
	}
}
