package mapping

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// search is the state of one call of Map.
type search struct {
	ctx      context.Context
	problem  *Problem
	instance *instance
	options  Options

	starts     [][]int32 // of the instance's vertices, rules held
	startScore *Score

	mu         sync.Mutex // guards what follows while several runs are under way
	best       []int32    // of the problem's vertices
	contracted []int32    // of the instance's vertices
	score      Score
	steps      int64
	total      int64
}

// addStart adds start i of the caller, after legalise if it breaks a rule, and records it. It returns an error if the
// start has another length, or places that do not exist, or if legalise fails.
func (s *search) addStart(i int, start []int32) error {
	t := s.instance
	if len(start) != s.problem.Graph.Vertices() {
		return fmt.Errorf("start %d has %d places; there are %d vertices", i, len(start), s.problem.Graph.Vertices())
	}
	contracted := make([]int32, t.g.Vertices())
	for v, p := range start {
		if p < 0 || int(p) >= t.costs.places {
			return fmt.Errorf("start %d puts vertex %d on place %d; there are %d", i, v, p, t.costs.places)
		}
		w := int32(v)
		if t.vertexOf != nil {
			w = t.vertexOf[v]
		}
		contracted[w] = p
	}
	held := slices.Equal(t.expand(contracted), start) && t.feasible(contracted)
	if !held {
		var err error
		if contracted, err = t.legalise(contracted, newRandom(s.options.Seed, 1<<40)); err != nil {
			return err
		}
	}
	s.starts = append(s.starts, contracted)
	s.record(contracted)
	if i == 0 && held {
		score := ScoreOf(s.problem.Graph, s.problem.Costs, start)
		s.startScore = &score
	}
	return nil
}

// record computes the exact score of a placement, and keeps the placement if it is the best so far.
func (s *search) record(contracted []int32) {
	place := s.instance.expand(contracted)
	score := ScoreOf(s.problem.Graph, s.problem.Costs, place)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.best == nil || s.problem.Objective.less(score, s.score) {
		s.best, s.contracted, s.score = place, slices.Clone(contracted), score
		s.report()
	}
}

// countSteps adds steps to those of the search.
func (s *search) countSteps(steps int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps += steps
	s.report()
}

// report reports the progress.
func (s *search) report() {
	if s.options.Progress != nil && s.best != nil {
		s.options.Progress(Progress{Steps: s.steps, Total: max(s.steps, s.total), Best: s.score})
	}
}

// runEffort runs the search of one level of effort; Map runs the levels below it first. number distinguishes the random
// numbers of levels.
func (s *search) runEffort(e Effort, number uint64) error {
	p := s.plan(e)
	seed := s.options.Seed*4 + number
	candidates, err := s.minimise(s.instance, p, seed)
	if err != nil {
		return err
	}
	for _, c := range candidates {
		s.record(c)
	}
	if s.problem.Objective != (Objective{}) {
		s.minimiseLongest(p, seed)
	}
	return nil
}

// minimise returns placements with small sums: the best of each annealing, in no particular order. It anneals the best
// starts, given ones and those of makeStarts in turn. The error says why there are no starts.
func (s *search) minimise(t *instance, p plan, seed uint64) ([][]int32, error) {
	var made [][]int32
	var err error
	if !s.options.OnlyStarts || len(s.starts) == 0 {
		made, err = s.makeStarts(t, p, seed)
	}
	given := slices.Clone(s.starts)
	if s.contracted != nil {
		given = append(given, s.contracted)
	}
	if len(made)+len(given) == 0 {
		return nil, err
	}
	t.sortBySum(made)
	t.sortBySum(given)
	// The best starts of either origin in turn, so that one given does not keep
	// those made from being worked on.
	var starts [][]int32
	for i := range max(len(made), len(given)) {
		starts = append(starts, made[min(i, len(made)):min(i+1, len(made))]...)
		starts = append(starts, given[min(i, len(given)):min(i+1, len(given))]...)
	}
	for _, contracted := range starts[:min(2, len(starts))] {
		s.record(contracted)
	}
	if len(given) > 0 && len(made) > 0 {
		p.warm++
	}
	return s.annealAll(t, p, starts, seed), nil
}

// makeStarts returns the placements by recursive bipartitioning that could be made to keep the rules. The error is that
// of the first one that could not, even if others could; nil if all could.
func (s *search) makeStarts(t *instance, p plan, seed uint64) ([][]int32, error) {
	made, failed := make([][]int32, p.starts), make([]error, p.starts)
	onCores(p.starts, func(i int) {
		if s.ctx.Err() != nil && i > 0 {
			return
		}
		stream := uint64(i) << 20
		preferred := t.recursiveBipartitioning(s.ctx, p.bisections, newRandom(seed, stream).next())
		made[i], failed[i] = t.legalise(preferred, newRandom(seed, stream|1))
	})
	return slices.DeleteFunc(made, func(own []int32) bool { return own == nil }), cmp.Or(failed...)
}

// annealAll runs the annealings of a plan, from the starts in turn, and returns the best placement of each.
func (s *search) annealAll(t *instance, p plan, starts [][]int32, seed uint64) [][]int32 {
	near := t.nearPlaces(neighbourhood)
	curve := s.energyCurve(t, starts[0], near, p.steps/10, newRandom(seed, 2))
	out := make([][]int32, p.warm+p.hot)
	onCores(len(out), func(i int) {
		i = len(out) - 1 - i // hot ones take longest, so they go first
		if s.ctx.Err() != nil {
			return
		}
		from := starts[i%len(starts)]
		c := curve.fromHot(p.hotSteps)
		if i < p.warm {
			c = curve.fromWarm(t.sumOf(from), p.steps)
		}
		w := newAnnealer(newState(t, from), near, neighbourhood, newRandom(seed, 3+uint64(i)))
		s.anneal(w, c)
		out[i] = w.best
	})
	return slices.DeleteFunc(out, func(best []int32) bool { return best == nil })
}

// onCores calls f for 0 ... n-1 on all cores. It does not stop when the context ends: f has to check that, as the first
// start is made in any case.
func onCores(n int, f func(i int)) {
	_ = parallel.Each(context.Background(), n, func(_ context.Context, i int) error { // which never fails
		f(i)
		return nil
	})
}

// sortBySum sorts placements by their sums, the smallest first; those with equal sums keep their order.
func (t *instance) sortBySum(placements [][]int32) {
	sums := make([]int64, len(placements))
	order := make([]int, len(placements))
	onCores(len(placements), func(i int) { sums[i], order[i] = t.sumOf(placements[i]), i })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[a], sums[b]) })
	sorted := make([][]int32, len(placements))
	for i, k := range order {
		sorted[i] = placements[k]
	}
	copy(placements, sorted)
}

// anneal runs an annealing schedule and counts its steps.
func (s *search) anneal(w *annealer, c schedule) {
	s.countSteps(w.anneal(s.ctx, c))
}

// sumOf returns the sum of a placement of the vertices of the instance.
func (t *instance) sumOf(place []int32) int64 {
	sum := int64(0)
	for v := range t.g.Vertices() {
		for k := t.g.First[v]; k < t.g.First[v+1]; k++ {
			sum += t.costs.arc(t.g.class(k), place[v], place[t.g.To[k]]) * t.g.weight(k)
		}
	}
	sum /= 2
	for v := range t.loops {
		for _, e := range t.loops[v] {
			sum += t.costs.arc(e.class, place[v], place[v]) * e.weight
		}
	}
	return sum
}
