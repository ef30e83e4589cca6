package measure_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// bruteFlow finds paths one after the other in the residual graph of
// capacities between the vertices.
func bruteFlow(capacity [][]int, from, to int) int {
	flow := 0
	for {
		before := make([]int, len(capacity))
		for v := range before {
			before[v] = -1
		}
		before[from] = from
		for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
			for w, c := range capacity[queue[0]] {
				if c > 0 && before[w] < 0 {
					before[w] = queue[0]
					queue = append(queue, w)
				}
			}
		}
		if before[to] < 0 {
			return flow
		}
		for v := to; v != from; v = before[v] {
			capacity[before[v]][v]--
			capacity[v][before[v]]++
		}
		flow++
	}
}

func TestPathsOfAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphtest.DrawGraph(t)
		c := topology.NewCSR(g)
		n := c.Vertices()
		from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
		if from == to {
			t.Skip("one vertex")
		}
		dist := make([]int32, n)
		topology.HopDistances(c, from, dist, nil)
		var walk func(v, hops int) int64
		walk = func(v, hops int) int64 {
			if v == to {
				return 1
			}
			sum := int64(0)
			for _, w := range c.Neighbours(v) {
				if int(dist[w]) == hops+1 && dist[w] <= dist[to] {
					sum += walk(int(w), hops+1)
				}
			}
			return sum
		}
		want := int64(0)
		if dist[to] >= 0 {
			want = walk(from, 0)
		}
		paths, hops := measure.MinimalPaths(c, from, to, nil)
		if paths.Int64() != want || hops != int(dist[to]) {
			t.Fatalf("%v minimal paths of %d hops, expected %d of %d", paths, hops, want, dist[to])
		}

		edges := make([][]int, n)
		nodes := make([][]int, 2*n)
		for v := range nodes {
			nodes[v] = make([]int, 2*n)
		}
		for v := range edges {
			edges[v] = make([]int, n)
			nodes[2*v][2*v+1] = 1
			for _, w := range c.Neighbours(v) {
				edges[v][w]++
				nodes[2*v+1][2*int(w)]++
			}
		}
		graphtest.Equal(t, "edge-disjoint paths", int64(measure.DisjointPaths(c, from, to, measure.DisjointOptions{})),
			int64(bruteFlow(edges, from, to)))
		graphtest.Equal(t, "node-disjoint paths",
			int64(measure.DisjointPaths(c, from, to, measure.DisjointOptions{Nodes: true})),
			int64(bruteFlow(nodes, 2*from+1, 2*to)))
	})
}

// TestHyperXPaths holds the path counts of Ahn et al., SC 2009, against the
// graph.
func TestHyperXPaths(t *testing.T) {
	g := graphtest.New(t, topology.HyperX{Dims: topology.Ints{3, 4, 3, 2}, Terminals: 1})
	c := topology.NewCSR(g)
	routers := func(v int) bool { return v < 72 }
	for to := 1; to < 72; to++ {
		delta := 0
		for v, side := to, 0; v > 0; side++ {
			dims := []int{3, 4, 3, 2}
			if v%dims[side] > 0 {
				delta++
			}
			v /= dims[side]
		}
		paths, hops := measure.MinimalPaths(c, 0, to, routers)
		disjoint := measure.DisjointPaths(c, 0, to,
			measure.DisjointOptions{Nodes: true, Minimal: true, Forward: routers})
		if hops != delta || paths.Cmp(measure.HyperXMinimalPaths(delta)) != 0 || disjoint != delta {
			t.Errorf("switch %s: %v minimal paths of %d hops, %d of them disjoint; delta %d", g.Label(to), paths, hops,
				disjoint, delta)
		}
	}
}

func TestDetours(t *testing.T) {
	torus := graphtest.New(t, topology.Torus{Dims: topology.Ints{5, 5}})
	if got, want := measure.LinkDetour(torus, 0), (measure.Detour{Extra: 2, Routes: 2}); got != want {
		t.Errorf("torus without a link: %+v, expected %+v", got, want)
	}
	if got, want := measure.NodeDetour(torus, 0, 2, 1), (measure.Detour{Extra: 1, Routes: 1}); got != want {
		t.Errorf("torus without a node: %+v, expected %+v", got, want)
	}
	line := graphtest.New(t, topology.Mesh{Dims: topology.Ints{3}})
	if got := measure.LinkDetour(line, 1); got.Extra != -1 {
		t.Errorf("line without a link: %+v", got)
	}
}

func TestUnderFailures(t *testing.T) {
	g := graphtest.New(t, topology.Hypercube{Dims: topology.Ints{6}})
	whole, err := measure.UnderFailures(context.Background(), g, measure.Routers, 0, 0, 2, newRand(1))
	if err != nil || whole.Connected != 1 || whole.Whole != 1 || whole.Diameter != 6 {
		t.Errorf("nothing fails: %+v, %v", whole, err)
	}
	graphtest.Near(t, "mean", whole.Mean, 3*64./63)
	some, err := measure.UnderFailures(context.Background(), g, measure.Routers, .2, .05, 10, newRand(1))
	if err != nil || some.Connected >= 1 || some.Connected < .7 || some.Mean <= 3 || math.IsNaN(some.Mean) {
		t.Errorf("a fifth of the links fails: %+v, %v", some, err)
	}
	for range measure.FailRandomly(g, 1, 0, newRand(1)).Links() {
		t.Fatal("all links failed, yet one is left")
	}
}
