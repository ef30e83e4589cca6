package qap

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// stages is how many temperatures an annealing has, each for an equal part of its steps.
const stages = 40

// cooling is how an annealing cools down.
type cooling struct {
	from, to float64 // its first temperature and its last one, as costs
	steps    int64
}

// at is the temperature of a stage; all have the same ratio to the one before.
func (c *cooling) at(stage int) float64 {
	t := c.from * math.Pow(c.to/c.from, float64(stage)/(stages-1))
	return float64(float32(t)) // the same on all processors
}

// annealingResult is the result of an annealing.
type annealingResult struct {
	taken  int64
	lowest float64         // the temperature at which it found the best
	means  [stages]float64 // of the costs after the sweeps of a stage
}

// anneal does a simulated annealing. It tries the exchanges one after the other: it makes those that do not raise the
// cost, and others with a probability that falls with the cost that they add (D. T. Connolly, "An improved annealing
// scheme for the QAP", European J. of Operational Research 46 (1), 1990, who found such an order to be better than one
// drawn). Every exchange made counts as a step, and so does every pass over all of them.
func (t *tabu) anneal(ctx context.Context, c cooling) annealingResult {
	seen := annealingResult{lowest: c.from}
	for stage := range stages {
		temperature, end := c.at(stage), c.steps*int64(stage+1)/stages
		sum, sweeps := 0.0, 0
		for seen.taken < end {
			if ctx.Err() != nil {
				return seen
			}
			before := t.bestCost
			steps := 1 + t.sweep(ctx, temperature, end-seen.taken)
			seen.taken += steps
			if t.bestCost < before {
				seen.lowest = temperature
			}
			t.took(steps)
			sum += float64(t.current)
			sweeps++
		}
		if seen.means[stage] = float64(t.current); sweeps > 0 {
			seen.means[stage] = sum / float64(sweeps)
		}
	}
	return seen
}

// likely divides exchanges by their cost in units of the temperature. Those that cost less are examined in every sweep;
// each of the others only with probability exp(-likely), which saves the time of examining all of them.
const likely = 6

// between is the mean of an exponential distribution. Draws from it, rounded down, are the numbers of costly exchanges
// that are skipped between two that are examined.
var between = -1 / math.Log1p(-math.Exp(-likely))

// heed is the number of exchanges between two checks of the context.
const heed = 32

// sweep goes through all exchanges once, from where the last one ended, at a temperature, and returns how many it made.
// It ends early when it has made as many as it may, and when the context is done.
func (t *tabu) sweep(ctx context.Context, temperature float64, most int64) int64 {
	limit, made := int64(min(math.Ceil(likely*temperature), infinite)), int64(0)
	chosen := 0 // the row of the next one that is tried at any cost
	heard, ended := int64(0), false
	for u := t.row; ; u++ {
		for chosen < t.movable && t.trials[chosen+1] <= t.next {
			chosen++
		}
		if u < t.movable {
			u = min(t.deltas.nextRow(u, t.movable, limit), chosen)
		}
		if u >= t.movable {
			t.next = max(0, t.next-t.trials[t.movable])
			t.row = 0
			return made
		}
		made += t.sweepRow(ctx, u, limit, temperature, most-made)
		if made-heard >= heed {
			heard = made
			ended = ctx.Err() != nil
		}
		if ended || made >= most {
			t.row = u + 1
			if rest := t.trials[u+1]; t.next < rest {
				t.next = rest + t.wait()
			}
			return made
		}
	}
}

// sweepRow goes through the exchanges of a row: those that cost less than limit, and those whose turn it is.
func (t *tabu) sweepRow(ctx context.Context, u int, limit int64, temperature float64, most int64) int64 {
	made := int64(0)
	t.entries = t.deltas.below(t.entries[:0], u, limit)
	for i := 0; ; {
		v, turn := u, int(t.next-t.trials[u])+t.begin[u]
		if i < len(t.entries) {
			v = t.entries[i].column
			i++
		}
		if turn < u && turn <= v {
			if turn < v && v < u {
				i--
			}
			v = turn
			t.next += 1 + t.wait()
		}
		if v == u {
			return made
		}
		cost := t.deltas.entry(u, v)
		above := float64(cost)
		if cost >= limit {
			above -= float64(likely * temperature)
		}
		if above > 0 && above >= temperature*t.draw() {
			continue
		}
		t.move(u, v)
		if made++; made >= most || made%heed == 0 && ctx.Err() != nil {
			return made
		}
		t.entries = t.deltas.below(t.entries[:0], u, limit)
		for i = 0; i < len(t.entries) && t.entries[i].column <= v; {
			i++
		}
	}
}

// exponential are numbers of the exponential distribution with mean 1, each as likely as any other.
var exponential = sync.OnceValue(func() []float64 {
	out := make([]float64, 1<<12)
	for i := range out {
		out[i] = float64(float32(-math.Log((float64(i) + 0.5) / float64(len(out)))))
	}
	return out
})

// draw draws one of exponential.
func (t *tabu) draw() float64 { return t.exponential[t.random.Uint64()>>52] }

// wait draws how many exchanges to skip before the next costly one that is examined.
func (t *tabu) wait() int64 { return int64(t.draw() * between) }

// rmsExchange returns the root mean square of the costs of all exchanges.
func (t *tabu) rmsExchange() float64 {
	sum, number := 0.0, 0
	for u := range t.movable {
		for _, e := range t.deltas.below(nil, u, infinite) {
			sum += float64(float64(e.cost) * float64(e.cost))
			number++
		}
	}
	return math.Sqrt(sum / float64(max(number, 1)))
}

// annealing is the state of the annealings of a search. They run in rounds: the first one, from far above to far below,
// finds where the mean cost falls steepest with the temperature; the others stay around the temperatures at which those
// of the round before were at their best, and take twice as long as they did, up to a limit.
type annealing struct {
	best    member
	round   int
	planned int64   // steps of the rounds so far
	centre  float64 // of the temperatures of the next round; 0 where nothing changes the cost
}

// perRound is how many annealings a round has, which run in parallel.
const perRound = 4

// longest is the round from which on none is longer than the one before. At normal effort it comes to two sevenths of
// all steps, and those before it to as many, so that annealings that do not lead have one such round as well.
const longest = 5

// length is how many steps each annealing of the next round takes.
func (s *search) length() int64 {
	return max(1, s.normal/14>>max(0, longest-s.heat.round))
}

// annealNext reports whether a round of annealings of so many steps is next. Annealings and the population share the
// steps; whichever has found the better permutation gets more.
func (s *search) annealNext(steps int64) bool {
	h := &s.heat
	if h.round > 0 && h.centre == 0 {
		return false
	}
	share := 0.5
	if h.best.p != nil && s.bred.p != nil {
		ahead := float64(s.bred.cost-h.best.cost) / max(1, math.Abs(float64(s.bred.cost)))
		switch {
		case ahead > 1./4000:
			share = 8
		case ahead > -1./1000:
			share = 2
		case ahead < -1./100:
			share = 1. / 8
		}
	}
	return float64(h.planned+steps) <= share*float64(s.planned-h.planned)
}

// anneal runs a round of annealings, each from a random permutation, and a tabu search from the best of each.
func (s *search) anneal(ctx context.Context) {
	h, steps := &s.heat, s.length()
	h.planned += perRound * steps
	s.planned += perRound * steps
	starts := make([][]int32, perRound)
	generators := make([]*rand.PCG, perRound)
	for i := range starts {
		generators[i] = rand.NewPCG(s.seed, 1<<62+uint64(h.round*perRound+i))
		starts[i] = s.randomPermutation(generators[i])
	}
	c := cooling{h.centre * 1.07, h.centre * 0.91, steps}
	if h.round == 0 {
		s.workers[0].start(starts[0], generators[0])
		spread := s.workers[0].rmsExchange()
		c.from, c.to = spread/2, spread/50
	}
	h.round++
	if c.from == 0 {
		return
	}
	seen, found := make([]annealingResult, perRound), make([]member, perRound)
	// A search that is interrupted keeps what it has found.
	_ = parallel.With(ctx, s.workers, perRound, func(ctx context.Context, w *tabu, i int) error {
		w.start(starts[i], generators[i])
		seen[i] = w.anneal(ctx, c)
		w.start(slices.Clone(w.best), generators[i])
		seen[i].taken += w.run(ctx, s.steps)
		found[i] = member{slices.Clone(w.best), w.bestCost}
		return nil
	})
	h.centre = 0
	for i, m := range found {
		s.taken += seen[i].taken
		h.centre += seen[i].lowest / perRound
		if m.p != nil && (h.best.p == nil || m.cost < h.best.cost) {
			h.best = m
		}
	}
	if h.round == 1 {
		h.centre = c.steepest(seen)
	}
	if h.best.p != nil && h.best.cost < s.best.cost {
		s.best = h.best
	}
	s.state.steps = 0
}

// steepest returns the temperature at which the mean cost of annealings falls steepest with the temperature.
func (c *cooling) steepest(seen []annealingResult) float64 {
	const apart = 3 // stages
	mean := func(stage int) float64 {
		sum := 0.0
		for i := range seen {
			sum += seen[i].means[stage]
		}
		return sum / float64(len(seen))
	}
	at, most := 0.0, 0.0
	for k := range stages - apart {
		high, low := c.at(k), c.at(k+apart)
		if slope := (mean(k) - mean(k+apart)) / (high - low); slope > most {
			at, most = (high+low)/2, slope
		}
	}
	return at
}
