package mapping

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// Effort is how many steps the optimiser takes.
type Effort string

const (
	Quick    Effort = "quick"    // a start or two and short annealings
	Normal   Effort = "normal"   // the default: what Quick does, and much more
	Thorough Effort = "thorough" // what Normal does, and several times as much again
)

// Efforts lists the efforts, the least first.
func Efforts() []Effort { return []Effort{Quick, Normal, Thorough} }

// Options tune a search. The zero value is normal effort from seed 0.
type Options struct {
	Effort Effort
	Seed   uint64
	// Starts are placements to start from, besides those that the optimiser makes
	// itself. Those that break a rule are mended first.
	Starts [][]int32
	// OnlyStarts leaves out the optimiser's own starts.
	OnlyStarts bool
	// Progress is told of every new best and from time to time, one call at a
	// time. It does not influence the result.
	Progress func(Progress)
}

// Progress is how far a search is.
type Progress struct {
	Steps, Total int64 // taken, and expected in all
	Best         Score // so far, among what was scored exactly
}

// Result is a placement and how it was found.
type Result struct {
	Place []int32
	Score Score
	// Start is the score of the first given start as it was, if it holds every
	// rule.
	Start *Score
	Steps int64 // proposals looked at
	// Interrupted says that the context ended the search early.
	Interrupted bool
}

// Map finds a place for every vertex. The result is never worse than a start
// given that holds every rule. For the same problem, seed and starts it depends
// on nothing else, cores least of all, and more effort never makes it worse:
// what takes more steps begins with all that takes fewer. When ctx ends, the
// best placement so far is returned, unless there is none.
func Map(ctx context.Context, p *Problem, o Options) (*Result, error) {
	t, err := newTask(p)
	if err != nil {
		return nil, err
	}
	s := &search{ctx: ctx, problem: p, task: t, options: o}
	for i, start := range o.Starts {
		if err := s.addStart(i, start); err != nil {
			return nil, err
		}
	}
	if o.Effort == "" {
		o.Effort = Normal
	}
	last := slices.Index(Efforts(), o.Effort)
	if last < 0 {
		return nil, fmt.Errorf("there is no effort %q", o.Effort)
	}
	levels := Efforts()[:last+1]
	for _, e := range levels {
		s.total += s.planned(e)
	}
	for i, e := range levels {
		if err := s.level(e, uint64(i)); err != nil {
			return nil, err
		}
	}
	return &Result{
		Place: s.best, Score: s.score, Start: s.startScore, Steps: s.steps, Interrupted: ctx.Err() != nil,
	}, nil
}

// search is one call of Map.
type search struct {
	ctx     context.Context
	problem *Problem
	task    *task
	options Options

	starts     [][]int32 // of the task's vertices, rules held
	startScore *Score

	mu    sync.Mutex // guards what follows while several runs are under way
	best  []int32    // of the problem's vertices
	own   []int32    // of the task's vertices
	score Score
	steps int64
	total int64
}

// addStart takes over a start that was given.
func (s *search) addStart(i int, start []int32) error {
	if len(start) != s.problem.Graph.Vertices() {
		return fmt.Errorf("start %d has %d places; there are %d vertices", i, len(start), s.problem.Graph.Vertices())
	}
	own := make([]int32, s.task.g.Vertices())
	whole := true
	for v, p := range start {
		if p < 0 || int(p) >= s.task.costs.places {
			return fmt.Errorf("start %d puts vertex %d on place %d; there are %d", i, v, p, s.task.costs.places)
		}
		if s.task.vertexOf == nil {
			own[v] = p
			continue
		}
		own[s.task.vertexOf[v]] = p
	}
	if s.task.vertexOf != nil {
		whole = slices.Equal(s.task.spread(own), start)
	}
	held := whole && s.task.holds(own)
	if !held {
		var err error
		if own, err = s.task.settle(own, newRandom(s.options.Seed, 1<<40)); err != nil {
			return err
		}
	}
	s.starts = append(s.starts, own)
	s.offer(own)
	if i == 0 && held {
		score := ScoreOf(s.problem.Graph, s.problem.Costs, start)
		s.startScore = &score
	}
	return nil
}

// holds tells whether a placement holds every rule.
func (t *task) holds(place []int32) bool {
	r := newRoom(t)
	for v, p := range place {
		if t.pinned != nil && t.pinned[v] >= 0 && t.pinned[v] != p || !r.fits(int32(v), p) {
			return false
		}
		r.add(int32(v), p)
	}
	return true
}

// offer scores a placement exactly and keeps it if it is the best.
func (s *search) offer(own []int32) {
	place := s.task.spread(own)
	score := ScoreOf(s.problem.Graph, s.problem.Costs, place)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.best == nil || s.problem.Objective.less(score, s.score) {
		s.best, s.own, s.score = place, slices.Clone(own), score
		s.report()
	}
}

// took counts steps.
func (s *search) took(steps int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps += steps
	s.report()
}

func (s *search) report() {
	if s.options.Progress != nil && s.best != nil {
		s.options.Progress(Progress{Steps: s.steps, Total: max(s.steps, s.total), Best: s.score})
	}
}

// onCores calls f for 0 ... n-1 on all cores. That a search is to end is for f to see: the first start is made even
// then.
func onCores(n int, f func(i int)) {
	_ = parallel.Each(context.Background(), n, func(_ context.Context, i int) error { // which never fails
		f(i)
		return nil
	})
}

// plan is what a level of effort does.
type plan struct {
	starts     int   // placements by recursive bipartitioning
	bisections int   // of which every cut is the best
	mild       int   // annealings that begin warm, from the best starts; one more if some are given
	hot        int   // annealings that forget their start
	steps      int64 // of each mild annealing
	hotSteps   int64 // of each hot one
	longest    int   // annealings towards a shorter longest edge

	longestSteps int64 // of each of these
}

func (s *search) plan(e Effort) plan {
	n := int64(s.task.g.Vertices())
	arcs := int64(len(s.task.g.To))
	few := func(most int64, size int64) int { // fewer for large graphs
		return int(max(1, min(most, most*size/(n+arcs/4))))
	}
	// An annealing that forgets its start needs many steps a vertex.
	hot := func(most int, largest int64) int {
		if n > largest {
			return 0
		}
		return most
	}
	quick := min(1200*n, 10e6+100*n) + 1<<14
	normal := min(25_000*n, 120e6+3000*n, 300e6) + 1<<18
	thorough := min(150_000*n, 600e6+4000*n) + 1<<21
	p := plan{}
	switch e {
	case Quick:
		p = plan{
			starts: few(4, 12_000), bisections: few(4, 20_000), mild: 1, hot: hot(1, 20_000), longest: 3,
			steps: quick, hotSteps: quick,
		}
	case Normal:
		p = plan{
			starts: few(24, 12_000), bisections: few(4, 50_000), mild: 1 + hot(1, 5000), hot: hot(1, 20_000) + hot(1, 5000) + hot(2, 2000), longest: 8,
			steps: normal, hotSteps: max(normal, min(60_000*n, 600e6)*int64(1-hot(1, 5000))),
		}
	default:
		p = plan{
			starts: few(64, 12_000), bisections: few(6, 50_000), mild: 4, hot: hot(6, 200_000), longest: 12,
			steps: thorough, hotSteps: max(thorough, min(120_000*n, 1200e6)),
		}
	}
	p.longestSteps = p.steps / 4
	if s.task.onGrid() { // steps take less than half the time
		p.steps, p.hotSteps = 2*p.steps, 2*p.hotSteps
		if n > 5000 && n <= 20_000 && e != Quick { // where a long annealing gives more than several
			p.hot = 2
			p.hotSteps = min(250_000*n, 2500e6)
			if e == Thorough {
				p.mild, p.hotSteps = 1, min(1_000_000*n, 10e9)
			}
		}
	}
	return p
}

func (s *search) planned(e Effort) int64 {
	p := s.plan(e)
	return int64(p.mild)*p.steps + int64(p.hot)*p.hotSteps + p.steps/10
}

// level does what a level of effort does, on top of those before.
func (s *search) level(e Effort, number uint64) error {
	p := s.plan(e)
	seed := s.options.Seed*4 + number
	candidates, err := s.minimise(s.task, p, seed)
	if err != nil {
		return err
	}
	for _, c := range candidates {
		s.offer(c)
	}
	if s.problem.Objective != (Objective{}) {
		s.shorten(p, seed)
	}
	return nil
}

// minimise finds placements of small sum.
func (s *search) minimise(t *task, p plan, seed uint64) ([][]int32, error) {
	var mu sync.Mutex
	var failed error
	made := make([][]int32, p.starts)
	if !s.options.OnlyStarts || len(s.starts) == 0 {
		onCores(p.starts, func(i int) {
			if s.ctx.Err() != nil && i > 0 {
				return
			}
			stream := uint64(i) << 20
			wish := t.recursive(s.ctx, p.bisections, newRandom(seed, stream).next())
			own, err := t.settle(wish, newRandom(seed, stream|1))
			if err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
				return
			}
			made[i] = own
		})
	}
	made = slices.DeleteFunc(made, func(own []int32) bool { return own == nil })
	given := slices.Clone(s.starts)
	if s.own != nil {
		given = append(given, s.own)
	}
	if len(made)+len(given) == 0 {
		return nil, failed
	}
	t.sortBySum(made)
	t.sortBySum(given)
	// The best starts of either origin in turn, so that one given does not keep
	// those made from being worked on.
	var found [][]int32
	for i := range max(len(made), len(given)) {
		found = append(found, made[min(i, len(made)):min(i+1, len(made))]...)
		found = append(found, given[min(i, len(given)):min(i+1, len(given))]...)
	}
	mild := p.mild
	if len(given) > 0 && len(made) > 0 {
		mild++
	}
	for _, own := range found[:min(2, len(found))] {
		s.offer(own)
	}
	near := t.nearPlaces(reach)
	heat := s.heat(t, found[0], near, p.steps/10, newRandom(seed, 2))
	out := make([][]int32, mild+p.hot)
	onCores(len(out), func(i int) {
		i = len(out) - 1 - i // hot ones take longest, so they go first
		if s.ctx.Err() != nil {
			return
		}
		from := found[i%len(found)]
		c := heat.hot(p.hotSteps)
		if i < mild {
			c = heat.mild(t.sumOf(from), p.steps)
		}
		w := newWalker(newState(t, from), near, reach, newRandom(seed, 3+uint64(i)))
		s.anneal(w, c)
		out[i] = w.best
	})
	out = slices.DeleteFunc(out, func(own []int32) bool { return own == nil })
	return out, nil
}

// sortBySum puts the placement of the least sum first, equals in their order.
func (t *task) sortBySum(placements [][]int32) {
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

// anneal runs a schedule and counts its steps.
func (s *search) anneal(w *walker, c cooling) {
	s.took(w.anneal(s.ctx, c))
}

// sumOf is the sum of a placement of the task's vertices.
func (t *task) sumOf(place []int32) int64 {
	sum := int64(0)
	for v := range t.g.Vertices() {
		for k := t.g.First[v]; k < t.g.First[v+1]; k++ {
			sum += t.costs.arc(t.g.class(k), place[v], place[t.g.To[k]]) * t.g.weight(k)
		}
	}
	sum /= 2
	for v := range t.self {
		for _, e := range t.self[v] {
			sum += t.costs.arc(e.class, place[v], place[v]) * e.weight
		}
	}
	return sum
}
