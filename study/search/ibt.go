package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/topology"
)

// IBTQuery says which tori with interlaced bypass rings are wanted.
type IBTQuery struct {
	MinNodes, MaxNodes int // the range, both included, at most 1,048,576
	// Degree is that of a node, 2n + 2 in n dimensions: 4, 6, 8, 10 or 12. Where a bypass length is
	// half a side, the two bypass links of a node are one; as in the source, they count as two.
	Degree int
	// Most bypass lengths; zero means any number.
	MaxLengths int
	// Top is how many configurations are wanted, from 1 to 1000; zero means 1.
	Top int
	// Progress receives how many of the configurations that are left have been measured. It may be nil.
	Progress func(what string, done, total int)
}

// The limits of IBTQuery.
const (
	maxIBTNodes   = 1 << 20
	maxIBTDegree  = 12
	maxIBTTop     = 1000
	maxIBTLengths = 64
	defaultTop    = 1
	maxCandidates = 4_000_000 // that are kept; some 100 bytes each
)

// IBTResult is the best configurations.
type IBTResult struct {
	// Best is in ascending order of mean distance, then of diameter, then with more nodes first. No
	// configuration in the range that is left out has a lower mean distance than the last one.
	Best []FoundIBT
	// Regarded is the configurations that were set up, without counting orders of the same sides and
	// lengths, as far as bounds on whole classes of them did not leave them out; Measured those, in
	// every order that makes a difference, whose distances were computed.
	Regarded, Measured int
}

// FoundIBT is a configuration.
type FoundIBT struct {
	IBT      topology.IBT
	Nodes    int
	HopsMean float64 // over pairs of different nodes
	Diameter int
}

// IBTs finds the tori with interlaced bypass rings (P. Zhang, R. Powell and Y. Deng, IEEE TPDS 22(2),
// 2011) that have the lowest mean distance between nodes: of all sides of at least 3 whose product is
// in the range, all numbers of dimensions with bypass rings and all bypass lengths in any order.
//
// The network is the product of the torus of its dimensions without bypasses and of the network of
// those with, the core; distances add up. A core's mean distance is at least
//
//   - the bound that the number of nodes within every number of hops allows, and
//   - the sum over its dimensions of the mean distances on a ring with chords of all the lengths at
//     every point.
//
// Configurations are measured in ascending order of that bound, until it exceeds the last of the best.
//
// The error joins a *diag.FieldError for every mistake (nodes, degree, lengths, top), or is that of ctx.
func IBTs(ctx context.Context, q IBTQuery) (*IBTResult, error) {
	if q.Top == 0 {
		q.Top = defaultTop
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	s := &ibtSearch{
		q: q, sets: map[string][]chordSet{}, chords: map[string]float64{}, cores: map[string]coreDistances{},
		balls: map[int]ball{},
	}
	// Bounds need something to be compared with, which nobody knows beforehand: everything with a
	// bound up to a limit is looked at, and the limit raised until it is enough.
	for limit := 1.0; ; limit *= 1.05 {
		last := limit > float64(q.MaxNodes) // no distance is as great
		done, err := s.upTo(ctx, limit)
		switch {
		case err != nil:
			return nil, err
		case len(s.best) == 0 && last:
			return nil, diag.Fieldf("nodes", "no torus with bypass rings of degree %d has %d to %d nodes", q.Degree,
				q.MinNodes, q.MaxNodes)
		case done || last:
			return &IBTResult{Best: s.best, Regarded: s.regarded, Measured: len(s.cores)}, nil
		}
	}
}

func (q IBTQuery) check() error {
	var wrong diag.FieldErrors
	add := func(path, format string, args ...any) {
		wrong = append(wrong, &diag.FieldError{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	switch {
	case q.MinNodes < 1 || q.MaxNodes > maxIBTNodes:
		add("nodes", "must be from 1 to %d, not %d to %d", maxIBTNodes, q.MinNodes, q.MaxNodes)
	case q.MinNodes > q.MaxNodes:
		add("nodes", "the range ends at %d, before it begins at %d", q.MaxNodes, q.MinNodes)
	}
	if q.Degree < 4 || q.Degree > maxIBTDegree || q.Degree%2 != 0 {
		add("degree", "must be an even number from 4 to %d, as n dimensions with bypass rings have 2n + 2, not %d",
			maxIBTDegree, q.Degree)
	}
	if q.MaxLengths < 0 || q.MaxLengths > maxIBTLengths {
		add("lengths", "must be from 1 to %d, not %d", maxIBTLengths, q.MaxLengths)
	}
	if q.Top < 0 || q.Top > maxIBTTop {
		add("top", "must be from 1 to %d, not %d", maxIBTTop, q.Top)
	}
	return wrong.Err()
}

// ibtSearch is a search and what it has worked out.
type ibtSearch struct {
	q        IBTQuery
	sets     map[string][]chordSet    // by sides and number of lengths
	chords   map[string]float64       // mean distances on rings with chords
	cores    map[string]coreDistances // by sides and lengths, NaN for those that are not among the best
	balls    map[int]ball             // by dimensions
	best     []FoundIBT
	regarded int
}

// An ibtCandidate is sides and lengths, each in ascending order, which stand for all orders of those.
type ibtCandidate struct {
	core, plain, lengths []int
	bound                float64 // of the mean distance between different nodes
}

// chordSet is the lengths of a core, and the sum of the mean distances on its rings with such chords.
type chordSet struct {
	lengths []int
	sum     float64
}

// coreDistances is a mean over all pairs of nodes, also of a node with itself, and the diameter.
type coreDistances struct {
	mean     float64 // NaN where it is above a limit
	above    float64 // that limit
	diameter int
}

// worst is the mean distance of the last of the best.
func (s *ibtSearch) worst() float64 {
	if len(s.best) < s.q.Top {
		return math.Inf(1)
	}
	return s.best[len(s.best)-1].HopsMean
}

// upTo looks at all configurations with a bound up to limit, and reports whether nothing beyond can be among the best.
func (s *ibtSearch) upTo(ctx context.Context, limit float64) (bool, error) {
	candidates, err := s.candidates(ctx, min(limit, s.worst()))
	if err != nil {
		return false, err
	}
	slices.SortFunc(candidates, func(a, b ibtCandidate) int {
		return cmp.Or(cmp.Compare(a.bound, b.bound), slices.Compare(a.core, b.core), slices.Compare(a.plain, b.plain),
			slices.Compare(a.lengths, b.lengths))
	})
	s.regarded = len(candidates)
	const batch = 64 // measured before what was found counts, on any number of cores
	for done := 0; done < len(candidates) && candidates[done].bound <= s.worst(); {
		if s.q.Progress != nil {
			s.q.Progress("configurations measured", done, len(candidates))
		}
		end := done
		for end < len(candidates) && end < done+batch && candidates[end].bound <= s.worst() {
			end++
		}
		if err := s.measure(ctx, candidates[done:end]); err != nil {
			return false, err
		}
		for _, c := range candidates[done:end] {
			for _, p := range c.orders() {
				if f := s.newFound(c, p); f.HopsMean <= s.worst() {
					s.add(f)
				}
			}
		}
		done = end
	}
	return s.worst() <= limit, nil
}

// add keeps a configuration among the best.
func (s *ibtSearch) add(f FoundIBT) {
	at, known := slices.BinarySearchFunc(s.best, f, func(a, b FoundIBT) int {
		return cmp.Or(cmp.Compare(a.HopsMean, b.HopsMean), cmp.Compare(a.Diameter, b.Diameter),
			cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.IBT.BypassDims, b.IBT.BypassDims),
			slices.Compare(a.IBT.Dims, b.IBT.Dims), slices.Compare(a.IBT.BypassLengths, b.IBT.BypassLengths))
	})
	if !known {
		s.best = slices.Insert(s.best, at, f)
	}
	s.best = s.best[:min(s.q.Top, len(s.best))]
}

// newFound returns a configuration in one order, whose core has been measured.
func (s *ibtSearch) newFound(c ibtCandidate, order topology.IBT) FoundIBT {
	d := s.cores[coreKey(order.Dims, order.BypassLengths)]
	f := FoundIBT{
		IBT: topology.IBT{
			Dims: append(slices.Clone(order.Dims), c.plain...), BypassDims: len(c.core),
			BypassLengths: order.BypassLengths,
		},
		Nodes: 1, HopsMean: d.mean, Diameter: d.diameter,
	}
	for _, side := range f.IBT.Dims {
		f.Nodes *= side
	}
	for _, side := range c.plain {
		f.HopsMean += ringMean(side)
		f.Diameter += side / 2
	}
	f.HopsMean *= float64(f.Nodes) / float64(f.Nodes-1)
	return f
}

// measure measures the cores of candidates, in all orders.
func (s *ibtSearch) measure(ctx context.Context, candidates []ibtCandidate) error {
	type job struct {
		core         topology.IBT
		bound, limit float64 // of the core's mean distance
	}
	var jobs []job
	at := map[string]int{} // the job of a core
	for _, c := range candidates {
		nodes, plain := 1.0, 0.0
		for _, side := range slices.Concat(c.core, c.plain) {
			nodes *= float64(side)
		}
		for _, side := range c.plain {
			plain += ringMean(side)
		}
		own := (nodes - 1) / nodes // of means between different nodes
		limit := s.worst()*own*(1+1e-12) - plain
		for _, p := range c.orders() {
			key := coreKey(p.Dims, p.BypassLengths)
			if d, ok := s.cores[key]; ok && (!math.IsNaN(d.mean) || limit <= d.above) {
				continue
			}
			// A core that was given up may do with other sides beside it, where more is left for it.
			if i, ok := at[key]; ok {
				jobs[i].limit = max(jobs[i].limit, limit)
				continue
			}
			at[key] = len(jobs)
			jobs = append(jobs, job{p, c.bound*own - plain, limit})
		}
	}
	out := make([]coreDistances, len(jobs))
	err := parallel.Each(ctx, len(jobs), func(ctx context.Context, i int) error {
		d, whole := measureCore(jobs[i].core, jobs[i].bound, jobs[i].limit)
		if !whole {
			d = coreDistances{mean: math.NaN(), above: jobs[i].limit}
		}
		out[i] = d
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for i, j := range jobs {
		s.cores[coreKey(j.core.Dims, j.core.BypassLengths)] = out[i]
	}
	return nil
}

func coreKey(dims, lengths []int) string { return fmt.Sprint(dims, lengths) }
