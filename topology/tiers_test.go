package topology_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// TestGroupsByTier holds the tiers and groups of members of all families against a search that follows one tier after
// the other.
func TestGroupsByTier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		family := rapid.SampledFrom(topology.Families()).Draw(t, "family").Name
		if family == "file" {
			family = "fat-tree"
		}
		_, g := graphtest.Member(t, family, 200)
		n := topology.Vertices(g)
		kinds := g.Kinds()
		near := make([][]int, n)
		for l := range g.Links() {
			near[l.A], near[l.B] = append(near[l.A], int(l.B)), append(near[l.B], int(l.A))
		}
		reach := func(from int, may func(v int) bool) []int { // breadth first
			dist := slices.Repeat([]int{-1}, n)
			dist[from] = 0
			for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
				for _, to := range near[queue[0]] {
					if dist[to] < 0 && may(to) {
						dist[to] = dist[queue[0]] + 1
						queue = append(queue, to)
					}
				}
			}
			return dist
		}
		tiers := topology.Tiers(g)
		want := slices.Repeat([]int{-1}, n)
		for v := range n {
			if kinds[topology.KindOf(kinds, v)].Role == topology.Switch {
				continue
			}
			for w, d := range reach(v, func(int) bool { return true }) {
				if d >= 0 && (want[w] < 0 || d < want[w]) {
					want[w] = d
				}
			}
		}
		for v := range n {
			if int(tiers[v]) != want[v] {
				t.Fatalf("vertex %d is at tier %d, want %d", v, tiers[v], want[v])
			}
		}
		groups := topology.GroupsByTier(g)
		for i, of := range groups {
			if i > 0 && of.Count >= groups[i-1].Count {
				t.Fatal("tier", of.Tier, "joins nothing")
			}
			most := int32(-1)
			for v := range n {
				if (of.Of[v] < 0) != (tiers[v] < 0 || int(tiers[v]) > of.Tier) {
					t.Fatal(v, of.Of[v], tiers[v])
				}
				if most = max(most, of.Of[v]); of.Of[v] < 0 {
					continue
				}
				for w, d := range reach(v, func(w int) bool { return tiers[w] >= 0 && int(tiers[w]) <= of.Tier }) {
					if tiers[w] >= 0 && int(tiers[w]) <= of.Tier && (of.Of[v] == of.Of[w]) != (d >= 0) {
						t.Fatal(v, w, of.Of[v], of.Of[w], d)
					}
				}
			}
			if int(most)+1 != of.Count {
				t.Fatal(most, of.Count)
			}
		}
	})
}
