package cabling

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// bruteKeep tries every set of rungs that may be kept.
func bruteKeep(rungs []rung, most int) float64 {
	best := math.Inf(1)
	for set := range 1 << len(rungs) {
		kept, cost := 0, 0.0
		for i := range rungs {
			if set>>i&1 == 1 {
				kept++
			}
			to := i
			for to < len(rungs) && set>>to&1 == 0 {
				to++
			}
			if to == len(rungs) || rungs[i].reach > 0 && rungs[to].length > rungs[i].reach {
				cost = math.Inf(1)
				break
			}
			cost += float64(rungs[i].qty) * rungs[to].price
		}
		if kept <= most {
			best = min(best, cost)
		}
	}
	return best
}

func drawUse(t *rapid.T) ladderUse {
	u := ladderUse{}
	length := units.Length(0)
	for range rapid.IntRange(1, 7).Draw(t, "rungs") {
		length += units.Length(rapid.IntRange(1, 5).Draw(t, "more"))
		r := rung{
			length: length, qty: int64(rapid.IntRange(1, 50).Draw(t, "qty")),
			price: float64(rapid.IntRange(1, 30).Draw(t, "price")),
		}
		if rapid.IntRange(0, 3).Draw(t, "optics") == 0 {
			r.reach = length + units.Length(rapid.IntRange(0, 6).Draw(t, "reach"))
		}
		u.rungs = append(u.rungs, r)
	}
	return u
}

// TestConsolidateIsTheBest compares the dynamic programme with every set of
// lengths, for one family and for two that share a number.
func TestConsolidateIsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		uses := []ladderUse{drawUse(t), drawUse(t)}
		most := rapid.IntRange(1, 8).Draw(t, "most")
		cost := func(u *ladderUse, kept int) float64 {
			sum, seen := 0.0, map[int]bool{}
			for i, to := range u.keep(kept) {
				if to < i || u.rungs[i].reach > 0 && u.rungs[to].length > u.rungs[i].reach {
					t.Fatalf("rung %d is bought as %d", i, to)
				}
				seen[to] = true
				sum += float64(u.rungs[i].qty) * u.rungs[to].price
			}
			if len(seen) > kept {
				t.Fatalf("%d lengths kept, %d allowed", len(seen), kept)
			}
			return sum
		}
		one := uses[0]
		one.solve(most)
		want := bruteKeep(one.rungs, most)
		k := min(most, len(one.least))
		if math.IsInf(want, 1) != math.IsInf(one.least[k-1], 1) {
			t.Fatalf("least %v, want %v", one.least, want)
		}
		if !math.IsInf(want, 1) && cost(&one, k) != want {
			t.Fatalf("at most %d: costs %v, want %v: %+v", most, cost(&one, k), want, one.rungs)
		}
		kept, least := share(uses, most)
		limit := max(most, least)
		want = math.Inf(1)
		for first := 1; first < limit; first++ {
			want = min(want, bruteKeep(uses[0].rungs, first)+bruteKeep(uses[1].rungs, limit-first))
		}
		if got := cost(&uses[0], kept[0]) + cost(&uses[1], kept[1]); got != want || kept[0]+kept[1] > limit {
			t.Fatalf("at most %d of both: %v cost %v, want %v", limit, kept, got, want)
		}
		if least > 0 && limit > 2 && !math.IsInf(bruteTwo(uses, limit-1), 1) {
			t.Fatalf("%d products would do", limit-1)
		}
	})
}

func bruteTwo(uses []ladderUse, limit int) float64 {
	best := math.Inf(1)
	for first := 1; first < limit; first++ {
		best = min(best, bruteKeep(uses[0].rungs, first)+bruteKeep(uses[1].rungs, limit-first))
	}
	return best
}

// TestConsolidatedSchedule bounds the products of a machine: every cable is of
// the family that it was, at least as long, with the same optics, and the extra
// cost is the difference of the prices.
func TestConsolidatedSchedule(t *testing.T) {
	g := newGraph(t, topology.Dragonfly{P: 4, A: 8, H: 4})
	build := func(c *Consolidation) *Schedule {
		p, err := machineOf(g, switchParts, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Consolidate = c
		s, err := Run(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	quote := catalog.Default().PriceSet("estimate-2025").Quote
	count := func(s *Schedule) (products, families map[string]bool) {
		products, families = map[string]bool{}, map[string]bool{}
		s.Each(func(_ int64, seg *Segment) bool {
			products[s.Products[seg.Product].Item().String()] = true
			families[s.Products[seg.Product].Part.ID] = true
			return true
		})
		return products, families
	}
	before := build(nil)
	products, families := count(before)
	last := units.Money(math.MaxInt64)
	for _, c := range []Consolidation{
		{Most: 1, PerFamily: true},
		{Most: 2, PerFamily: true},
		{Most: 1},
		{Most: 6},
		{Most: 9},
		{Most: 1000},
	} {
		s := build(&c)
		got, _ := count(s)
		limit := c.Most
		if c.PerFamily {
			limit *= len(families)
		}
		if limit < len(families) {
			if limit = len(families); s.Consolidated.Least != limit {
				t.Errorf("%+v: least %d, want %d", c, s.Consolidated.Least, limit)
			}
		}
		if len(got) > limit || s.Consolidated.After != len(got) || s.Consolidated.Before != len(products) {
			t.Errorf("%+v: %d products, %d before; %+v", c, len(got), len(products), s.Consolidated)
		}
		var extra units.Money
		for i := range s.Segments {
			x, y := before.Products[before.Segments[i].Product], s.Products[s.Segments[i].Product]
			if x.Part != y.Part || x.OpticA != y.OpticA || x.OpticB != y.OpticB || y.Length < x.Length {
				t.Fatalf("%+v: %s in place of %s", c, y.Item(), x.Item())
			}
			extra += quote(y.Part, y.Length).Unit - quote(x.Part, x.Length).Unit
		}
		if extra != s.Consolidated.Extra {
			t.Errorf("%+v: %v more, the schedule says %v", c, extra, s.Consolidated.Extra)
		}
		if !c.PerFamily {
			if extra > last {
				t.Errorf("%+v costs more than fewer products", c)
			}
			last = extra
		}
	}
	if last != 0 || len(products) < 10 {
		t.Errorf("%v more for no bound, %d products", last, len(products))
	}
}
