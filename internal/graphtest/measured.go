package graphtest

import (
	"context"
	"math"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// BruteHops counts the ordered pairs of ends by their distance in hops, each end with itself included (0 hops), and the
// pairs without a path. It is the slow twin of measure.Hops: a breadth-first search from every end.
func BruteHops(g topology.Graph, ends measure.Ends) (histogram []uint64, unreachable uint64) {
	kinds := g.Kinds()
	roles := make([]topology.Role, topology.Vertices(g))
	for v := range roles {
		roles[v] = kinds[topology.KindOf(kinds, v)].Role
	}
	role := func(v int) topology.Role { return roles[v] }
	isEnd := func(v int) bool {
		if ends == measure.Routers {
			return role(v) != topology.Terminal
		}
		return role(v) != topology.Switch
	}
	c := topology.NewCSR(g)
	dist, queue := make([]int, c.Vertices()), make([]int, 0, c.Vertices())
	for s := range c.Vertices() {
		if !isEnd(s) {
			continue
		}
		for v := range dist {
			dist[v] = -1
		}
		dist[s] = 0
		queue = append(queue[:0], s)
		for i := 0; i < len(queue); i++ {
			v := queue[i]
			if v != s && role(v) == topology.Terminal {
				continue
			}
			for _, w := range c.Neighbours(v) {
				if dist[w] < 0 {
					dist[w] = dist[v] + 1
					queue = append(queue, int(w))
				}
			}
		}
		for v, d := range dist {
			if !isEnd(v) {
				continue
			}
			if d < 0 {
				unreachable++
				continue
			}
			for len(histogram) <= d {
				histogram = append(histogram, 0)
			}
			histogram[d]++
		}
	}
	return histogram, unreachable
}

// Hops returns the statistics of measure.Hops, and fails the test on an error.
func Hops(t T, g topology.Graph, ends measure.Ends) *measure.HopStats {
	t.Helper()
	s, err := measure.Hops(context.Background(), g, ends, measure.HopOptions{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

// CheckHops fails the test if measure.Hops differs from BruteHops, for routers or for terminals as ends.
func CheckHops(t T, g topology.Graph) {
	t.Helper()
	for _, ends := range []measure.Ends{measure.Routers, measure.Terminals} {
		want, unreachable := BruteHops(g, ends)
		got := Hops(t, g, ends)
		if len(want) == 0 {
			want = []uint64{0}
		}
		if diff := cmp.Diff(want, got.Histogram); diff != "" || got.Unreachable != unreachable {
			t.Fatalf("%v: unreachable %d, expected %d; histogram -want +got:\n%s", ends, got.Unreachable, unreachable,
				diff)
		}
		pairs, sum, squares := 0.0, 0.0, 0.0
		for h, c := range want {
			for range c {
				pairs++
				sum += float64(h)
				squares += float64(h) * float64(h)
			}
		}
		if pairs > 0 {
			Near(t, "mean with self", got.MeanWithSelf, sum/pairs)
			Near(t, "std", got.Std, math.Sqrt(max(0, squares/pairs-sum/pairs*sum/pairs)))
		}
		if pairs > float64(want[0]) {
			Near(t, "mean", got.Mean, sum/(pairs-float64(want[0])))
		}
		if got.Diameter != len(want)-1 || !got.Exact || uint64(got.Count) != want[0] {
			t.Fatalf("diameter %d of %d ends, expected %d of %d", got.Diameter, got.Count, len(want)-1, want[0])
		}
	}
}

// Bisect returns the bounds of measure.Bisect, and fails the test on an error.
func Bisect(t T, g topology.Graph, ends measure.Ends) *measure.Bisection {
	t.Helper()
	b, err := measure.Bisect(context.Background(), g, ends, measure.BisectionOptions{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return b
}
