package stock

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

// worth is what an allotment is judged by, the weightiest first: prices found, money saved, pieces used, length not
// wasted.
type worth [4]int64

func (w worth) plus(v worth) worth { return worth{w[0] + v[0], w[1] + v[1], w[2] + v[2], w[3] + v[3]} }

// brute tries every piece, and none, for every cable.
func brute(piles []Pile, classes []Class) worth {
	type cable struct {
		class *Class
		need  units.Length
	}
	var cables []cable
	for i := range classes {
		for _, n := range classes[i].Needs {
			for range n.Cables {
				cables = append(cables, cable{&classes[i], n.Length})
			}
		}
	}
	left := make([]int64, len(piles))
	for i := range piles {
		left[i] = piles[i].Quantity
	}
	var best func(at int) worth
	best = func(at int) worth {
		if at == len(cables) {
			return worth{}
		}
		out := best(at + 1)
		for _, u := range cables[at].class.Uses {
			for i, p := range piles {
				if left[i] == 0 || p.Family != u.Family || p.Length < u.From-tolerance ||
					u.Upto > 0 && p.Length > u.Upto+tolerance {
					continue
				}
				left[i]--
				w := worth{
					u.Saves.Unpriced, u.Saves.Cost, 1,
					tenths(cables[at].need) - tenths(p.Length),
				}.plus(best(at + 1))
				left[i]++
				if slices.Compare(w[:], out[:]) > 0 {
					out = w
				}
			}
		}
		return out
	}
	return best(0)
}

// judge adds an allotment up and fails if it uses what is not there or does not serve.
func judge(t *rapid.T, piles []Pile, classes []Class, shares [][]Share) worth {
	var out worth
	left := slices.Clone(piles)
	for i := range classes {
		var needs []units.Length
		for _, n := range classes[i].Needs {
			for range n.Cables {
				needs = append(needs, n.Length)
			}
		}
		slices.Sort(needs)
		slices.Reverse(needs)
		for _, s := range shares[i] {
			u, p := classes[i].Uses[s.Use], &left[s.Pile]
			if p.Quantity -= s.Cables; p.Quantity < 0 {
				t.Fatalf("pile %d is overdrawn", s.Pile)
			}
			if p.Family != u.Family || p.Length < u.From || u.Upto > 0 && p.Length > u.Upto {
				t.Fatalf("pile %v does not serve %+v", *p, u)
			}
			for range s.Cables {
				if len(needs) == 0 {
					t.Fatalf("class %d gets more than it needs", i)
				}
				out = out.plus(worth{u.Saves.Unpriced, u.Saves.Cost, 1, tenths(needs[0]) - tenths(p.Length)})
				needs = needs[1:]
			}
		}
	}
	return out
}

func TestAllotEqualsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.Custom(func(t *rapid.T) units.Length { return units.Length(rapid.IntRange(1, 6).Draw(t, "m")) })
		var piles []Pile
		for range rapid.IntRange(1, 4).Draw(t, "piles") {
			piles = append(piles, Pile{
				rapid.IntRange(0, 1).Draw(t, "family"), length.Draw(t, "length"),
				int64(rapid.IntRange(0, 2).Draw(t, "pieces")),
			})
		}
		var classes []Class
		left := 5
		for range rapid.IntRange(1, 3).Draw(t, "classes") {
			var c Class
			longest := units.Length(0)
			for range rapid.IntRange(1, 2).Draw(t, "needs") {
				n := min(left, rapid.IntRange(0, 3).Draw(t, "cables"))
				left -= n
				need := length.Draw(t, "need") - 0.5
				longest = max(longest, need)
				c.Needs = append(c.Needs, Need{need, int64(n)})
			}
			for range rapid.IntRange(0, 2).Draw(t, "uses") {
				u := Use{
					Family: rapid.IntRange(0, 1).Draw(t, "of"), From: longest,
					Saves: Saving{
						int64(rapid.IntRange(-1, 1).Draw(t, "unpriced")),
						int64(rapid.IntRange(-2, 3).Draw(t, "saves")),
					},
				}
				if rapid.Bool().Draw(t, "bounded") {
					u.Upto = length.Draw(t, "upto")
				}
				c.Uses = append(c.Uses, u)
			}
			classes = append(classes, c)
		}
		got := judge(t, piles, classes, Allot(piles, classes))
		want := brute(piles, classes)
		if got != want {
			t.Fatalf("worth %v, by brute force %v", got, want)
		}
	})
}

// large is as many cables in as many lengths as asked for, each need of its own, against stocked lengths of two
// families.
func large(cables, lengths int) ([]Pile, []Class) {
	var piles []Pile
	for i := range lengths {
		piles = append(piles, Pile{i % 2, units.Length(1+i/2) * 0.5, int64(cables / lengths)})
	}
	classes := make([]Class, lengths)
	for i := range cables {
		need := units.Length((i*7919)%(lengths*250)) / 1000
		k := min(int(need*4), lengths-1)
		classes[k].Needs = append(classes[k].Needs, Need{need, 1})
	}
	for i := range classes {
		longest := units.Length(i+1) / 4
		classes[i].Uses = []Use{
			{0, longest, 0, Saving{Cost: int64(100 + i)}}, {1, longest, 9, Saving{Cost: int64(120 - i)}},
		}
	}
	return piles, classes
}

func BenchmarkAllot(b *testing.B) {
	for _, n := range []int{2_000, 20_000} {
		piles, classes := large(n, 40)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Allot(piles, classes)
			}
		})
	}
}

func TestAllotServesAllItCan(t *testing.T) {
	piles, classes := large(2_000, 40)
	got := int64(0)
	for _, shares := range Allot(piles, classes) {
		for _, s := range shares {
			got += s.Cables
		}
	}
	if got < 1_500 || got > 2_000 {
		t.Errorf("%d of 2,000 cables are served", got)
	}
}
