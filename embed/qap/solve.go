package qap

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
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
	// Progress is called now and then, by one goroutine at a time; nil for
	// silence.
	Progress func(Progress)

	steps int64 // of a round of tabu search, for tests; 0 for what suits
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

var (
	paramP     = env("QP", 16)
	paramTau   = env("QTAU", 0)
	paramStall = env("QSTALL", 10)
	paramNear  = env("QNEAR", 0.1)
	paramMut   = env("QMUT", 2)
	paramW     = env("QW", 4e10)
)

func env(s string, d float64) float64 {
	if v, err := strconv.ParseFloat(os.Getenv(s), 64); err == nil {
		return v
	}
	return d
}

// plan is how a search spends its steps.
type plan struct {
	children    int // searched at a time
	population  int
	steps       int64 // of each tabu search
	generations int64
}

func (m *model) plan(effort Effort) plan {
	n := int64(max(m.free, 2))
	p := plan{children: 8, population: int(paramP), steps: 2*n + 500_000/n}
	if n < 60 {
		p.steps = min(p.steps, 10_000)
	}
	if paramTau > 0 {
		p.steps = int64(paramTau)
	}
	total := min(int64(paramW)/(n*n), 4_000_000)
	switch effort {
	case Quick:
		total /= 20
	case Thorough:
		total *= 10
	}
	p.generations = max(1, total/(p.steps*int64(p.children)))
	return p
}

// member is a permutation of a population.
type member struct {
	p    []int32
	cost int64
}

// search is a memetic search.
type search struct {
	*model
	plan
	seed    uint64
	batch   uint64
	workers []*tabu
	random  *rand.PCG
	members []member // the best first
	steps   int64
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
	s := &search{model: m, plan: m.plan(opt.Effort), seed: opt.Seed, random: rand.NewPCG(opt.Seed, 0)}
	for range min(s.children, runtime.GOMAXPROCS(0)) {
		s.workers = append(s.workers, newTabu(m))
	}
	if opt.steps > 0 {
		s.plan.steps = opt.steps
	}
	s.evolve(ctx, &opt)
	best := s.members[0]
	return &Result{m.outside(best.p), best.cost, s.steps, ctx.Err() != nil}, nil
}

func (s *search) evolve(ctx context.Context, opt *Options) {
	starts := make([][]int32, s.population)
	for i := range starts {
		starts[i] = make([]int32, s.n)
		for k := range starts[i] {
			starts[i][k] = int32(k)
		}
		s.shuffle(starts[i])
	}
	if opt.Start != nil {
		starts[0] = s.inside(opt.Start)
	}
	for lo := 0; lo < len(starts); lo += s.children {
		for _, m := range s.improve(ctx, starts[lo:min(lo+s.children, len(starts))]) {
			s.insert(m)
		}
	}
	stall, strength := 0, 0
	total := s.generations * int64(s.children) * s.steps1()
	for g := int64(s.population / s.children); g < s.generations; g++ {
		if opt.Progress != nil {
			opt.Progress(Progress{s.steps, total, s.members[0].cost})
		}
		if ctx.Err() != nil || s.free == 0 || opt.Bound != nil && s.members[0].cost <= *opt.Bound {
			break
		}
		before := s.members[0].cost
		if stall < int(paramStall) {
			children := make([][]int32, s.children)
			for i := range children {
				children[i] = s.child()
			}
			changed := false
			for _, m := range s.improve(ctx, children) {
				changed = s.insert(m) || changed
			}
			if changed {
				stall = 0
			} else {
				stall++
			}
		} else {
			stall = 0
			strength++
			old := s.members
			s.members = old[:1:1]
			for lo := 1; lo < len(old); lo += s.children {
				var starts [][]int32
				for _, m := range old[lo:min(lo+s.children, len(old))] {
					p := slices.Clone(m.p)
					if len(starts)%2 == 0 {
						s.shuffle(p)
					} else {
						s.shake(p, s.free/3+1)
					}
					starts = append(starts, p)
				}
				for _, m := range s.improve(ctx, starts) {
					s.insert(m)
				}
				g++
			}
		}
		_ = before
	}
}

func (s *search) steps1() int64 { return s.plan.steps }

// improve runs a tabu search from every start.
func (s *search) improve(ctx context.Context, starts [][]int32) []member {
	out := make([]member, len(starts))
	var next, steps atomic.Int64
	var group sync.WaitGroup
	for _, w := range s.workers {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(starts) {
					return
				}
				w.start(starts[i], rand.NewPCG(s.seed, 1+s.batch<<8+uint64(i)))
				steps.Add(w.iterate(ctx, s.plan.steps))
				out[i] = member{slices.Clone(w.best), w.cost}
			}
		})
	}
	group.Wait()
	s.batch++
	s.steps += steps.Load()
	return out
}

// insert takes a member into the population: in the place of the one it is much
// like, if it is better, or else of the worst. Without the first rule all would
// soon be like the best.
func (s *search) insert(m member) bool {
	for i, e := range s.members {
		if s.distance(e.p, m.p) > int(paramNear*float64(s.free)) {
			continue
		}
		if e.cost <= m.cost {
			return false
		}
		s.members = slices.Delete(s.members, i, i+1)
		break
	}
	i, _ := slices.BinarySearchFunc(s.members, m.cost, func(e member, cost int64) int {
		if e.cost <= cost {
			return -1
		}
		return 1
	})
	if i >= s.population {
		return false
	}
	s.members = slices.Insert(s.members, i, m)
	if len(s.members) > s.population {
		s.members = s.members[:s.population]
	}
	return true
}

func (s *search) distance(a, b []int32) int {
	d := 0
	for i, k := range a {
		if k != b[i] {
			d++
		}
	}
	return d
}

// tournament picks a member.
func (s *search) tournament() int {
	return min(below(s.random, len(s.members)), below(s.random, len(s.members)))
}

// child makes a permutation of two: what they share, and of the rest what
// either has where the location is still free.
func (s *search) child() []int32 {
	i := s.tournament()
	j := s.tournament()
	a, b := s.members[i].p, s.members[j].p
	out := make([]int32, s.n)
	if i == j {
		copy(out, a)
		s.shake(out, max(2, s.free/int(4)))
		return out
	}
	taken := make([]bool, s.n)
	differ := 0
	for k := range out {
		out[k] = -1
		if a[k] == b[k] {
			out[k] = a[k]
			taken[a[k]] = true
		} else {
			differ++
		}
	}
	order := make([]int32, s.free)
	for k := range order {
		order[k] = int32(k)
	}
	s.shuffleAll(order)
	for _, k := range order {
		if out[k] >= 0 {
			continue
		}
		first, second := a[k], b[k]
		if s.random.Uint64()>>63 == 0 {
			first, second = second, first
		}
		if !taken[first] {
			out[k] = first
		} else if !taken[second] {
			out[k] = second
		}
		if out[k] >= 0 {
			taken[out[k]] = true
		}
	}
	for _, k := range order {
		if out[k] >= 0 {
			continue
		}
		// a free location of the class, drawn
		b, e := s.begin[k], s.end[k]
		l := b + below(s.random, e-b)
		for taken[l] {
			if l++; l == e {
				l = b
			}
		}
		out[k], taken[l] = int32(l), true
	}
	if differ < int(paramMut)*s.free/100 {
		s.shake(out, max(2, s.free/4))
	}
	return out
}

// shuffle puts the objects of every class in any order.
func (s *search) shuffle(p []int32) {
	for i := range s.free {
		j := i + below(s.random, s.end[i]-i)
		p[i], p[j] = p[j], p[i]
	}
}

func (s *search) shuffleAll(p []int32) {
	for i := range p {
		j := i + below(s.random, len(p)-i)
		p[i], p[j] = p[j], p[i]
	}
}

// shake moves about k objects.
func (s *search) shake(p []int32, k int) {
	if s.free == 0 {
		return
	}
	for range (k + 1) / 2 {
		i := below(s.random, s.free)
		j := s.begin[i] + below(s.random, s.end[i]-s.begin[i])
		p[i], p[j] = p[j], p[i]
	}
}
