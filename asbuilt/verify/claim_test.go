package verify

import (
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/units"
)

// TestClaimsOfManyFacts: a link is as sure as the surest fact of it, and a fact as its less sure end; of what facts say
// differently, the least product and rate, the most errors and lanes, and the first place count, in any order.
func TestClaimsOfManyFacts(t *testing.T) {
	said := func(a, b spot, source string, l exchange.Link) fact {
		return fact{a: a, b: b, source: source, link: &l}
	}
	facts := []fact{
		said(spot{sure: Guess + 2}, spot{sure: Guess}, "y",
			exchange.Link{Product: "b", Lanes: 2, LaneRate: 50, Errors: 3, Line: 4}),
		said(spot{sure: Guess + 1}, spot{sure: Guess + 1}, "x",
			exchange.Link{Product: "a", Lanes: 4, LaneRate: 100, Errors: 1, Line: 9}),
		said(spot{sure: Guess}, spot{sure: Guess + 2}, "x", exchange.Link{Lanes: 1, LaneRate: 25, Line: 7}),
		said(spot{sure: Guess, chip: "c"}, spot{sure: Guess}, "z", exchange.Link{Lanes: 8, Line: 1}),
	}
	for range 2 {
		c := claim{sure: Guess, chips: map[string]int{}}
		for i := range facts {
			c.add(&facts[i], false)
		}
		if c.sure != Guess+1 || c.product != "a" || c.rate != units.Rate(25) || c.errors != 3 || c.source != "x" ||
			c.line != 7 || c.chips[""] != 4 || c.chips["c"] != 8 {
			t.Errorf("%+v", c)
		}
		slices.Reverse(facts)
	}
}
