package topology

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// slowSelection is what a search lists of all sizes that it was offered, with
// everything at hand: it takes one size after the other from each step in turn.
func slowSelection(q SizeQuery, offered []rankedSize) (sizes []Size, leftOut int) {
	steps := min(q.Limit, maxSteps)
	step := func(nodes int) int {
		at := 0
		for i := 1; i < steps; i++ {
			if float64(nodes) >= math.Ceil(float64(q.MinNodes)*math.Pow(float64(q.MaxNodes+1)/float64(q.MinNodes),
				float64(i)/float64(steps))) {
				at = i
			}
		}
		return at
	}
	rows := make([][]rankedSize, steps)
	for _, r := range offered {
		if r.size.Nodes >= q.MinNodes && r.size.Nodes <= q.MaxNodes {
			i := step(r.size.Nodes)
			rows[i] = append(rows[i], r)
			leftOut++
		}
	}
	for _, r := range rows {
		slices.SortStableFunc(r, compareRanked)
	}
	for round := 0; len(sizes) < q.Limit && leftOut > 0; round++ {
		for _, r := range rows {
			if round < len(r) && len(sizes) < q.Limit {
				sizes = append(sizes, *r[round].size)
				leftOut--
			}
		}
	}
	slices.SortStableFunc(sizes, func(a, b Size) int {
		return cmp.Or(cmp.Compare(a.Nodes, b.Nodes), cmp.Compare(a.Switches, b.Switches), cmp.Compare(a.Links, b.Links))
	})
	return sizes, leftOut
}

// TestSizeSearch offers random sizes, one by one and in runs.
func TestSizeSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := SizeQuery{MinNodes: rapid.IntRange(1, 500).Draw(t, "min"), Limit: rapid.IntRange(1, 130).Draw(t, "limit")}
		q.MaxNodes = q.MinNodes + rapid.IntRange(0, 3000).Draw(t, "more")
		s := newSizeSearch("", q)
		var offered []rankedSize
		size := func(nodes int) Size {
			return Size{Nodes: nodes, Links: int64(len(offered)), Diameter: rapid.IntRange(1, 3).Draw(t, "diameter")}
		}
		for range rapid.IntRange(1, 40).Draw(t, "offers") {
			rank := rapid.IntRange(0, 5).Draw(t, "rank")
			base := rapid.IntRange(1, 4000).Draw(t, "base")
			if rapid.Bool().Draw(t, "single") {
				z := size(base)
				offered = append(offered, rankedSize{rank, &z})
				s.add(rank, z)
				continue
			}
			n := rapid.IntRange(0, 60).Draw(t, "n")
			slope := rapid.IntRange(-base/(n+1), 70).Draw(t, "slope")
			run := make([]Size, n)
			for i := range run {
				run[i] = size(base + slope*i)
				offered = append(offered, rankedSize{rank + i, &run[i]})
			}
			s.run(n, base, slope, func(i int) int { return rank + i }, func(i int) Size { return run[i] })
		}
		got := s.result()
		want, leftOut := slowSelection(q, offered)
		if fmt.Sprint(got.Sizes) != fmt.Sprint(want) || got.LeftOut != leftOut {
			t.Fatalf("%d and %d left out, expected %d and %d\n%v\n%v", len(got.Sizes), got.LeftOut, len(want), leftOut,
				got.Sizes, want)
		}
	})
}

func TestDivisorsOfSquare(t *testing.T) {
	for n := 1; n <= 400; n++ {
		for factor := 1; factor <= 2; factor++ {
			var got, want []int
			divisorsOfSquare(factor, n, func(d int) { got = append(got, d) })
			for d := 1; d <= factor*n*n; d++ {
				if factor*n*n%d == 0 {
					want = append(want, d)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d x %d^2: %v, expected %v", factor, n, got, want)
			}
		}
	}
}
