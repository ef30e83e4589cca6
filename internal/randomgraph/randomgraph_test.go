package randomgraph

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A set of pairs tells what a map does.
func TestPairsAreASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 40).Draw(t, "most")
		set, slow := newPairs(most), map[[2]int32]bool{}
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			a := rapid.Int32Range(0, 12).Draw(t, "a")
			b := rapid.Int32Range(a+1, 13).Draw(t, "b")
			pair := [2]int32{a, b}
			if set.has(b, a) != slow[pair] {
				t.Fatalf("%v: %v", pair, slow[pair])
			}
			switch {
			case slow[pair]:
				set.remove(b, a)
				delete(slow, pair)
			case len(slow) < most:
				if !set.add(a, b) || set.add(b, a) {
					t.Fatalf("%v is added twice or not at all", pair)
				}
				slow[pair] = true
			}
		}
	})
}

// Edges come in ascending order, as one sort by both ends leaves them.
func TestEdgesAreInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		n := 1 + rng.IntN(50)
		edges := make([][2]int32, rng.IntN(200))
		for i := range edges {
			edges[i] = [2]int32{rng.Int32N(int32(n)), rng.Int32N(int32(n))}
		}
		slow := slices.SortedFunc(slices.Values(edges), func(a, b [2]int32) int {
			return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
		})
		if got := orderByEnd(orderByEnd(edges, n, 1), n, 0); !slices.Equal(got, slow) {
			t.Fatalf("%v, not %v", got, slow)
		}
	}
}

func BenchmarkRegular(b *testing.B) {
	for _, size := range []struct {
		name string
		n, d int
	}{{"32768 of 8", 32768, 8}, {"44266 of 192", 44266, 192}, {"9253 of 1976", 9253, 1976}} {
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				Regular(size.n, size.d, 0)
			}
		})
	}
}
