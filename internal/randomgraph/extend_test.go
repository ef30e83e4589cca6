package randomgraph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A graph that is extended is regular, simple and connected, keeps most links, and comes in ascending order.
func TestExtendedGraphIsRegular(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 40).Draw(t, "n")
		d := rapid.IntRange(2, n/2).Draw(t, "d")
		more := rapid.IntRange(1, 20).Draw(t, "more")
		if d%2 == 1 {
			n, more = n+n%2, more+more%2
		}
		old := Regular(n, d, rapid.Uint64().Draw(t, "seed"))
		edges, ok := Extend(old, n, n+more, d, 7)
		if !ok {
			t.Fatalf("%d more of %d with %d links", more, n, d)
		}
		degree, reached := make([]int, n+more), []int32{0}
		for i, e := range edges {
			degree[e[0]]++
			degree[e[1]]++
			if e[0] >= e[1] || i > 0 && slices.Compare(edges[i-1][:], e[:]) >= 0 {
				t.Fatalf("%v after %v", e, edges[max(i-1, 0)])
			}
		}
		for v, k := range degree {
			if k != d {
				t.Fatalf("%d links on %d, not %d", k, v, d)
			}
		}
		for i := 0; i < len(reached); i++ {
			for _, e := range edges {
				for _, next := range [2][2]int32{e, {e[1], e[0]}} {
					if next[0] == reached[i] && !slices.Contains(reached, next[1]) {
						reached = append(reached, next[1])
					}
				}
			}
		}
		if len(reached) != n+more {
			t.Fatalf("%d of %d are connected", len(reached), n+more)
		}
		gone := 0
		for _, e := range old {
			if !slices.Contains(edges, e) {
				gone++
			}
		}
		if gone > more*(d/2) || gone == 0 {
			t.Fatalf("%d links gone, %d switches of %d links are new", gone, more, d)
		}
		again, _ := Extend(old, n, n+more, d, 7)
		if !slices.Equal(again, edges) {
			t.Fatal("drawn otherwise the second time")
		}
	})
}
