package flow

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/plenum-planner/plenum/sim/packet"
)

// What is drawn has the mean and the variance of the distribution, and arbiters that do not draw leave nothing to it.
func TestArbitersDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range []float64{1, 2, 16, 512} {
		const draws = 40_000
		sum, squares := 0.0, 0.0
		for range draws {
			x := gamma(rng, shape)
			sum += x
			squares += x * x
		}
		mean := sum / draws
		variance := squares/draws - mean*mean
		if math.Abs(mean-1) > 0.02 || math.Abs(variance*shape-1) > 0.08 {
			t.Errorf("shape %g: mean %g, variance %g", shape, mean, variance)
		}
	}
	var p player
	first, other := p.draw(3, 16), p.draw(4, 16)
	if again := p.draw(3, 16); again != first || other == first {
		t.Errorf("%g and %g, and then %g", first, other, again)
	}
	for _, arbiter := range []packet.Arbiter{packet.RoundRobin, packet.Age} {
		p.cfg.Arbiter = arbiter
		if luck := p.draw(3, 16); luck != 1 {
			t.Errorf("%s draws %g", arbiter, luck)
		}
	}
}

// A last packet stays behind where others take both its input and its output, and nowhere else.
func TestLastPacketsStay(t *testing.T) {
	over := func(from, resource int32) []use {
		return []use{{resource: resource, from: from, fork: certain, share: whole}}
	}
	for name, c := range map[string]struct {
		others [][]use
		stays  bool
	}{
		"nothing":               {nil, false},
		"the output":            {[][]use{over(1, 2)}, false},
		"the input":             {[][]use{over(0, 3)}, false},
		"both":                  {[][]use{over(1, 2), over(0, 3)}, true},
		"both, by one stream":   {[][]use{over(0, 2)}, false},
		"the input for a third": {[][]use{over(1, 2), over(0, 3), over(1, 3), over(4, 3)}, false},
	} {
		p := player{rates: newRates(5, 1, true)}
		p.rates.begin(0, over(0, 2))
		for i, uses := range c.others {
			p.rates.begin(int32(i+1), uses)
		}
		if _, err := p.rates.settle(context.Background()); err != nil {
			t.Fatal(err)
		}
		if tail, stays := p.tail(0); stays != c.stays || stays && (tail.resource != 2 || tail.from != 0) {
			t.Errorf("others take %s: %v, %+v at rates %v", name, stays, tail, p.rates.rate)
		}
	}
}
