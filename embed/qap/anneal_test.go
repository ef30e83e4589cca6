package qap

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// At a constant temperature, permutations come as often as physics says: with weights exp(-cost/temperature).
func TestAnnealingIsInEquilibrium(t *testing.T) {
	five := &Instance{N: 5, A: make([]int64, 25), B: make([]int64, 25)}
	random := rand.New(rand.NewPCG(7, 1))
	for i := range 5 {
		for j := range i {
			five.A[i*5+j], five.B[i*5+j] = random.Int64N(10), random.Int64N(10)
			five.A[j*5+i], five.B[j*5+i] = five.A[i*5+j], five.B[i*5+j]
		}
	}
	two := &Instance{N: 2, A: []int64{1, 0, 0, 0}, B: []int64{0, 0, 0, 80}} // 0 or 80
	for _, tt := range []struct {
		q            *Instance
		temperature  float64
		sweeps       int
		within, want float64
	}{
		{five, 200, 400_000, 0.01, 108.19},
		{five, 60, 400_000, 0.01, 77.22},
		{five, 20, 400_000, 0.02, 32.89},
		{five, 8, 400_000, 0.03, 5.906},
		{two, 20, 400_000, 0.03, 80 / (math.Exp(4) + 1)},
		{two, 10, 4_000_000, 0.1, 80 / (math.Exp(8) + 1)}, // more than is looked at whenever its turn comes
	} {
		var costs []float64
		permute(tt.q.N, func(p []int) { costs = append(costs, float64(tt.q.Cost(p))) })
		least := slices.Min(costs)
		weights, want := 0.0, 0.0
		for _, c := range costs {
			w := math.Exp((least - c) / tt.temperature)
			weights, want = weights+w, want+w*(c-least)
		}
		if want /= weights; math.Abs(want-tt.want) > 0.001*want {
			t.Errorf("at %g the mean ought to be %g above the least cost, not %g", tt.temperature, tt.want, want)
		}
		m := newModel(tt.q)
		s := newTabu(m)
		p := make([]int32, tt.q.N)
		for i := range p {
			p[i] = int32(i)
		}
		s.start(p, rand.NewPCG(1, 2))
		got := 0.0
		for range tt.sweeps {
			s.sweep(t.Context(), tt.temperature, infinite)
			got += (float64(s.current) - least) / float64(tt.sweeps)
		}
		if math.Abs(got-want) > tt.within*want {
			t.Errorf("at %g the mean is %g above the least cost, expected %g", tt.temperature, got, want)
		}
	}
}

// Annealings in numbers of 32 bits and of 64 are the same, end with what they say, and end no higher than they begin.
func TestAnnealingsAreTheSameInAnyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawInstance(t, 30)
		m := newModel(q)
		p := m.toModel(drawAllowed(t, q))
		temperature := rapid.Float64Range(0.1, 1e6).Draw(t, "temperature")
		c := cooling{temperature, temperature * rapid.Float64Range(0.01, 1).Draw(t, "of it"), 500}
		var seen [2]annealingResult
		var searches [2]*tabu
		for i := range searches {
			s := newTabu(m)
			if i == 0 {
				s.deltas = newWide(m)
			}
			s.start(p, rand.NewPCG(1, 2))
			seen[i] = s.anneal(t.Context(), c)
			searches[i] = s
			if s.current != m.cost(s.p) || s.bestCost != m.cost(s.best) || s.bestCost > m.cost(p) ||
				seen[i].taken < c.steps {
				t.Fatalf("%d and %d after %+v from %d", s.current, s.bestCost, seen[i], m.cost(p))
			}
		}
		if seen[0] != seen[1] || !slices.Equal(searches[0].p, searches[1].p) ||
			!slices.Equal(searches[0].best, searches[1].best) {
			t.Errorf("%+v, expected %+v", seen[1], seen[0])
		}
	})
}

// The first annealings find where a mean cost that is drawn falls steepest.
func TestSteepest(t *testing.T) {
	c := cooling{1000, 10, 0}
	for _, middle := range []float64{40, 150, 600} {
		var a annealingResult
		for stage := range stages {
			a.means[stage] = 5000 * math.Tanh((c.at(stage)-middle)/(middle/4))
		}
		if got := c.steepest([]annealingResult{a, a}); math.Abs(got-middle) > 0.12*middle {
			t.Errorf("steepest at %g, expected %g", got, middle)
		}
	}
	if got := c.steepest(make([]annealingResult, 2)); got != 0 {
		t.Errorf("costs that stay fall steepest at %g", got)
	}
}

// A sweep goes on where it had to end, and no further than it may.
func TestSweepGoesOn(t *testing.T) {
	m := newModel(randomInstance(40, 1))
	s := newTabu(m)
	p := make([]int32, m.n)
	for i := range p {
		p[i] = int32(i)
	}
	s.start(p, rand.NewPCG(1, 2))
	hot, rows := 10*s.rmsExchange(), 0
	for s.sweep(t.Context(), hot, 5) == 5 {
		if s.row <= rows {
			t.Fatalf("goes on in row %d after row %d", s.row, rows)
		}
		rows = s.row
	}
	if rows < 30 || s.row != 0 {
		t.Errorf("went on in row %d, then in row %d", rows, s.row)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if made := s.sweep(ctx, hot, infinite); made > 2*heed {
		t.Errorf("%d exchanges after the end of the context", made)
	}
}
