package mapping_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/embed/mapping"
)

// planted is a random graph of the same number of links on every vertex, about,
// inside of which lie groups of consecutive vertices: of the links of each, half
// lead to its group. The links are those of random pairings of ports.
func planted(t testing.TB, n, group, degree int, shuffled bool) *mapping.Graph {
	rng := rand.New(rand.NewPCG(1, 2))
	name := make([]int32, n)
	for v := range name {
		name[v] = int32(v)
	}
	if shuffled {
		rng.Shuffle(n, func(i, j int) { name[i], name[j] = name[j], name[i] })
	}
	var edges []mapping.Edge
	pair := func(first, count int) {
		for range degree / 2 {
			order := rng.Perm(count)
			for i := 0; i+1 < count; i += 2 {
				edges = append(edges, mapping.Edge{A: name[first+order[i]], B: name[first+order[i+1]]})
			}
		}
	}
	for first := 0; first < n; first += group {
		pair(first, min(group, n-first))
	}
	pair(0, n)
	g, err := mapping.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A large graph with planted groups, against the order of its vertices along a
// Hilbert curve: where the groups are consecutive, and where they are hidden.
func TestLarge(t *testing.T) {
	n, w, h, capacity := 4_000, 20, 20, int64(10)
	if long() {
		n, w, h, capacity = 100_000, 50, 50, 40
	}
	if testing.Short() {
		t.Skip("short")
	}
	for _, shuffled := range []bool{true, false} {
		if !shuffled && !long() {
			continue // nothing is known of how much shorter it can be
		}
		g := planted(t, n, 100, 20, shuffled)
		p := &mapping.Problem{Graph: g, Costs: mapping.Grid(w, h), Capacity: repeat(capacity, w*h)}
		hilbert := mapping.InOrder(n, mapping.Hilbert(w, h), p.Capacity)
		start := time.Now()
		o := mapping.Options{Effort: mapping.Quick, Starts: [][]int32{hilbert}}
		r, err := mapping.Map(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		before := sum(g, hilbert, w)
		t.Logf("hidden %v: %d links, from %d to %d: %.3f, in %.1f s, %d MB of the system",
			shuffled, len(g.To)/2, before, r.Score.Sum, float64(r.Score.Sum)/float64(before),
			time.Since(start).Seconds(), memory.Sys>>20)
		if float64(r.Score.Sum) > 0.85*float64(before) && shuffled || r.Score.Sum > before {
			t.Errorf("%d against %d", r.Score.Sum, before)
		}
	}
}
