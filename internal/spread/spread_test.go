package spread_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/spread"
)

// offered is a value with its rank and its point; number tells apart what is equal otherwise.
type offered struct{ rank, point, worth, number int }

func compare(a, b *offered) int { return cmp.Compare(a.worth, b.worth) }

// slowSelection is what is chosen of all values, with everything at hand: it takes one value
// after the other from each step in turn.
func slowSelection(first, last, limit int, all []offered) (chosen []offered, leftOut int) {
	steps := min(limit, 100)
	step := func(point int) int {
		at := 0
		for i := 1; i < steps; i++ {
			if float64(point) >= math.Ceil(float64(first)*math.Pow(float64(last+1)/float64(first),
				float64(i)/float64(steps))) {
				at = i
			}
		}
		return at
	}
	rows := make([][]offered, steps)
	for _, v := range all {
		if v.point >= first && v.point <= last {
			i := step(v.point)
			rows[i] = append(rows[i], v)
			leftOut++
		}
	}
	for _, r := range rows {
		slices.SortStableFunc(r, func(a, b offered) int {
			return cmp.Or(cmp.Compare(a.rank, b.rank), compare(&a, &b))
		})
	}
	for round := 0; len(chosen) < limit && leftOut > 0; round++ {
		for _, r := range rows {
			if round < len(r) && len(chosen) < limit {
				chosen = append(chosen, r[round])
				leftOut--
			}
		}
	}
	return chosen, leftOut
}

// TestSelection offers random values, one by one and in runs.
func TestSelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, limit := rapid.IntRange(1, 500).Draw(t, "first"), rapid.IntRange(1, 130).Draw(t, "limit")
		last := first + rapid.IntRange(0, 3000).Draw(t, "more")
		s := spread.New(first, last, limit, compare)
		var all []offered
		value := func(rank, point int) offered {
			v := offered{rank, point, rapid.IntRange(1, 3).Draw(t, "worth"), len(all)}
			all = append(all, v)
			return v
		}
		for range rapid.IntRange(1, 40).Draw(t, "offers") {
			rank := rapid.IntRange(0, 5).Draw(t, "rank")
			base := rapid.IntRange(1, 4000).Draw(t, "base")
			if rapid.Bool().Draw(t, "single") {
				s.Add(rank, base, value(rank, base))
				continue
			}
			n := rapid.IntRange(0, 60).Draw(t, "n")
			slope := rapid.IntRange(-base/(n+1), 70).Draw(t, "slope")
			run := make([]offered, n)
			for i := range run {
				run[i] = value(rank+i, base+slope*i)
			}
			s.AddRun(n, base, slope, func(i int) int { return rank + i }, func(i int) offered { return run[i] })
		}
		got, gotLeftOut := s.ChosenValues()
		want, leftOut := slowSelection(first, last, limit, all)
		byNumber := func(a, b offered) int { return cmp.Compare(a.number, b.number) }
		slices.SortFunc(got, byNumber)
		slices.SortFunc(want, byNumber)
		if !slices.Equal(got, want) || gotLeftOut != leftOut {
			t.Fatalf("%d and %d left out, expected %d and %d\n%v\n%v", len(got), gotLeftOut, len(want), leftOut, got,
				want)
		}
	})
}

// TestSteps: steps of equal ratio, none of them empty.
func TestSteps(t *testing.T) {
	if got := spread.New(1, 4095, 2, compare).Steps(); !slices.Equal(got, []int{1, 64}) {
		t.Errorf("steps at %v", got)
	}
	if got := spread.New(5, 7, 50, compare).Steps(); !slices.Equal(got, []int{5, 6, 7}) {
		t.Errorf("steps at %v", got)
	}
}
