package qap

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// Effort says how many steps a search takes.
type Effort string

// The efforts. Each takes the steps of the lesser one and more.
const (
	Quick    Effort = "quick"
	Normal   Effort = "normal"
	Thorough Effort = "thorough"
)

// Efforts are all efforts, the least first.
func Efforts() []Effort { return []Effort{Quick, Normal, Thorough} }

// Options say how to search.
type Options struct {
	Effort Effort // Normal when empty
	Seed   uint64
	// Start is a permutation to start from; the result is never worse. Nil for
	// none.
	Start []int
	// Bound ends the search when a permutation costs no more; a lower bound, if
	// one is known. Nil for none.
	Bound *int64
	// Progress is called now and then, within long batches of searches too, by one
	// goroutine at a time; nil for silence.
	Progress func(Progress)

	steps int64 // of each tabu search; 0 for what suits
}

// Progress is how far a search has come.
type Progress struct {
	Steps, Total int64
	Cost         int64 // of the best permutation so far
}

// Result is what a search found.
type Result struct {
	Permutation []int // the location of every object
	Cost        int64
	Steps       int64 // exchanges made
	// Interrupted says that the context ended the search.
	Interrupted bool
}

// patience is the number of batches without a new member after which a population
// is given up.
const patience = 10

// meeting is how many populations begin anew, each by itself, until the best of all
// so far make up one.
const meeting = 3

// plan is how a search spends its steps.
type plan struct {
	children   int   // tabu searches of a batch, which run in parallel
	population int   // most members: two batches
	steps      int64 // of each tabu search
	normal     int64 // of all at normal effort
	total      int64 // of all
}

// plan keeps the work of a search about the same from 60 objects on: some 110 s of
// one core at normal effort.
func (m *model) plan(opt *Options) plan {
	n := int64(max(m.movable, 2))
	p := plan{children: 8, steps: min(2*n+500_000/n, 10_000)}
	switch {
	case n > 600:
		p.children = 2
	case n > 250:
		p.children = 4
	}
	p.population = 2 * p.children
	total := 165_000_000_000 / (n*n + 50*n)
	switch {
	case m.narrow:
		total = 1_200_000_000_000 / (n*n + 145*n)
	case m.sparse():
		total = 850_000_000_000 / (n*n + 145*n)
	}
	few := min(n, 100) // where less will do
	total = min(total, max(12_000*n*n, few*few*few*few*few*few/170))
	if opt.steps > 0 {
		total = total / p.steps * opt.steps
		p.steps = opt.steps
	}
	p.normal = total
	switch opt.Effort {
	case Quick:
		total /= 20
	case Thorough:
		total *= 10
	}
	p.total = max(total, 1)
	return p
}

// search is a memetic search: a population of permutations, of which tabu
// searches improve the children (U. Benlic and J.-K. Hao, "Memetic search for
// the quadratic assignment problem", Expert Systems with Applications 42 (1),
// 2015). Beside it there are annealings, which end lower where entries are
// random, and the more steps are left to them the better they do.
type search struct {
	*model
	plan
	seed     uint64
	random   *rand.PCG
	workers  []*tabu
	members  []member // the best first
	best     member   // of all
	bred     member   // of those of the population, now and before
	heat     annealing
	elite    []member // the best of each population given up
	batch    int
	iterated int     // children of a batch that are searched by iterate
	lead     float64 // of these children over the others, the last batches counting most
	toFill   int     // members that are to be added before some are crossed
	// withoutGain is the number of batches since the population has changed.
	withoutGain int
	planned     int64 // steps of the batches and rounds so far
	taken       int64 // of these
	state       batchState
}

// batchState is the progress of a batch so far.
type batchState struct {
	sync.Mutex
	steps int64
	cost  int64 // the least
}

// reportProgress calls progress after more steps of a batch, with the lowest cost found so far.
func (s *search) reportProgress(progress func(Progress), steps, cost int64) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.steps += steps
	s.state.cost = min(s.state.cost, cost)
	progress(Progress{min(s.taken+s.state.steps, s.total), s.total, s.state.cost})
}

// Solve looks for a permutation of least cost. When the context ends, the best
// so far is the result, and no error.
func Solve(ctx context.Context, q *Instance, opt Options) (*Result, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if opt.Effort == "" {
		opt.Effort = Normal
	}
	if !slices.Contains(Efforts(), opt.Effort) {
		return nil, fmt.Errorf("qap: there is no effort %q", opt.Effort)
	}
	if opt.Start != nil {
		if err := q.Allows(opt.Start); err != nil {
			return nil, err
		}
	}
	m := newModel(q)
	s := &search{model: m, plan: m.plan(&opt), seed: opt.Seed, random: rand.NewPCG(opt.Seed, 0)}
	for range min(s.children, runtime.GOMAXPROCS(0)) {
		s.workers = append(s.workers, newTabu(m))
	}
	if opt.Progress != nil {
		for _, w := range s.workers {
			w.tell = func(steps, cost int64) { s.reportProgress(opt.Progress, steps, cost) }
		}
	}
	s.evolve(ctx, &opt)
	return &Result{m.fromModel(s.best.p), s.best.cost, s.taken, ctx.Err() != nil}, nil
}

// evolve searches batch by batch, or a round of annealings instead. What either does depends on those before it
// alone, so that a longer search begins like a shorter one.
func (s *search) evolve(ctx context.Context, opt *Options) {
	first := s.randomPermutation(s.random)
	if opt.Start != nil {
		first = s.toModel(opt.Start)
	}
	s.best = member{first, s.cost(first)}
	s.members = []member{s.best}
	s.iterated = s.children / 2
	s.state.cost = s.best.cost
	s.toFill = s.population
	for s.planned < s.total {
		if ctx.Err() != nil || s.movable == 0 || opt.Bound != nil && s.best.cost <= *opt.Bound {
			return
		}
		switch round := perRound * s.length(); {
		case !s.annealNext(round):
			s.breed(ctx, opt, first)
		case s.planned+round > s.total:
			return // a longer search would go on with it
		default:
			s.anneal(ctx)
		}
		if opt.Progress != nil {
			s.reportProgress(opt.Progress, 0, s.best.cost)
		}
	}
}

// breed searches a batch of children.
//
// Of the first batches half of the children are searched by one tabu search, half
// by an iterated one; from then on nearly all by what has ended lower of late. On
// matrices without structure long searches find more, on clustered ones they lose.
func (s *search) breed(ctx context.Context, opt *Options, first []int32) {
	starts := make([][]int32, s.children)
	for i := range starts {
		if s.toFill == 0 {
			starts[i] = s.crossover()
			continue
		}
		switch {
		case s.batch+i == 0:
			starts[i] = slices.Clone(first)
		case s.toFill%2 == 1 && opt.Start != nil:
			starts[i] = slices.Clone(s.best.p)
			s.mutate(starts[i], s.movable/3+1)
		default:
			starts[i] = s.randomPermutation(s.random)
		}
		s.toFill--
	}
	changed := false
	children := s.improve(ctx, starts)
	for _, m := range children {
		if m.p == nil {
			continue // interrupted
		}
		if s.insert(m) {
			changed = true
		}
		if s.bred.p == nil || m.cost < s.bred.cost {
			s.bred = m
		}
	}
	if s.bred.p != nil && s.bred.cost < s.best.cost {
		s.best = s.bred
	}
	s.batch++
	s.planned += s.steps * int64(s.children)
	s.divide(children)
	if s.withoutGain++; changed {
		s.withoutGain = 0
	}
	if s.withoutGain == patience {
		s.withoutGain, s.toFill = 0, s.renew()
	}
}

// renew gives the population up, and returns how many are to be added to what comes after it: nobody or, now and then,
// the best of those given up. A population that began with the best would soon be as it was.
func (s *search) renew() int {
	s.elite = append(s.elite, s.members[0])
	s.members = nil
	if len(s.elite)%meeting == 0 {
		for _, m := range s.elite {
			s.insert(m)
		}
	}
	return max(s.children, s.population-len(s.members))
}

// halved is the number of batches of which half of the children are searched by iterate.
const halved = 4

// divide says how many children of the next batch are searched by iterate, after those of a batch.
func (s *search) divide(children []member) {
	mean := func(of []member) float64 {
		sum := 0.0
		for _, m := range of {
			sum += float64(m.cost)
		}
		return sum / float64(len(of))
	}
	if s.children < 2 {
		return
	}
	ahead := mean(children[s.iterated:]) - mean(children[:s.iterated])
	s.lead = float64(s.lead*0.8) + ahead
	switch {
	case s.batch < halved:
	case s.lead > 0:
		s.iterated = s.children - 1
	default:
		s.iterated = 1
	}
}

// improve runs a tabu search from every start.
func (s *search) improve(ctx context.Context, starts [][]int32) []member {
	out := make([]member, len(starts))
	var taken atomic.Int64
	// A search that is interrupted keeps what it has found.
	_ = parallel.With(ctx, s.workers, len(starts), func(ctx context.Context, w *tabu, i int) error {
		w.start(starts[i], rand.NewPCG(s.seed, uint64(1+s.batch<<8+i)))
		if i < s.iterated {
			taken.Add(w.iterate(ctx, s.steps))
		} else {
			taken.Add(w.run(ctx, s.steps))
		}
		out[i] = member{slices.Clone(w.best), w.bestCost}
		return nil
	})
	s.taken += taken.Load()
	s.state.steps = 0
	return out
}
