package topology_test

import (
	"math"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// histogram counts the vertices at each distance from v.
func histogram(c *topology.CSR, v int, dist, queue []int32) (counts []int64, space []int32) {
	queue = topology.HopDistances(c, v, dist, queue)
	for _, w := range queue {
		for int(dist[w]) >= len(counts) {
			counts = append(counts, 0)
		}
		counts[dist[w]]++
	}
	return counts, queue
}

// An arc leads from a vertex to another on a level.
type arc struct{ from, to, level int }

// checkArcs compares the arcs of the links of g with those that definition
// gives for each vertex: it may give an arc twice, and the arcs of a duplex link
// from either end or from both.
func checkArcs(t graphtest.T, g topology.Graph, directed bool, definition func(v int, add func(to, level int))) {
	t.Helper()
	got, want := make(map[arc]bool), make(map[arc]bool)
	for l := range g.Links() {
		got[arc{int(l.A), int(l.B), int(l.Level)}] = true
		if !l.Simplex {
			got[arc{int(l.B), int(l.A), int(l.Level)}] = true
		}
	}
	for v := range topology.Vertices(g) {
		definition(v, func(to, level int) {
			if to == v {
				return
			}
			want[arc{v, to, level}] = true
			if !directed {
				want[arc{to, v, level}] = true
			}
		})
	}
	for a := range want {
		if !got[a] {
			t.Fatalf("no arc from %s to %s on level %d", g.Label(a.from), g.Label(a.to), a.level)
		}
	}
	for a := range got {
		if !want[a] {
			t.Fatalf("arc from %s to %s on level %d", g.Label(a.from), g.Label(a.to), a.level)
		}
	}
}

// hops is the distribution of the distances from one vertex of each orbit,
// weighted by the size of the orbit.
type hops struct {
	mean, deviation float64 // over ordered pairs with self pairs
	diameter        int
	counts          []int64
}

func hopsOf(t testing.TB, g topology.Graph) hops {
	t.Helper()
	n := topology.Vertices(g)
	var orbits []topology.Orbit
	if s, ok := g.(topology.Symmetric); ok {
		orbits = s.Orbits()
	} else {
		for v := range n {
			orbits = append(orbits, topology.Orbit{Vertex: v, Size: 1})
		}
	}
	c := topology.NewCSR(g)
	dist := make([]int32, n)
	var queue []int32
	var h hops
	for _, o := range orbits {
		var counts []int64
		counts, queue = histogram(c, o.Vertex, dist, queue)
		for len(h.counts) < len(counts) {
			h.counts = append(h.counts, 0)
		}
		for d, count := range counts {
			h.counts[d] += count * int64(o.Size)
		}
	}
	pairs, sum, squares := 0.0, 0.0, 0.0
	for d, count := range h.counts {
		pairs += float64(count)
		sum += float64(count) * float64(d)
		squares += float64(count) * float64(d) * float64(d)
	}
	if pairs != float64(n)*float64(n) {
		t.Fatalf("%.0f pairs of %d vertices", pairs, n)
	}
	h.mean = sum / pairs
	h.deviation = math.Sqrt(squares/pairs - h.mean*h.mean)
	h.diameter = len(h.counts) - 1
	return h
}
