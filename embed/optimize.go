package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Optimizer improves a placement: it exchanges racks, then boxes between
// racks, or the boxes of containers, under a goal handed in. What it returns is never worse for the goal than the
// structured placement.
type Optimizer struct {
	Effort mapping.Effort
	// Goal makes the goal for links among the sites of a placement. Sites are
	// rack positions, or slots in containers.
	Goal func(*Placement) (Goal, error)
	// Objective says how the costs of links become one figure.
	Objective mapping.Objective
	// Stop, when done, ends the search; the best placement so far counts.
	Stop context.Context
	// Progress, if set, receives the steps taken and to come, and of the best figure so far.
	Progress func(done, total, best int64)
}

// Goal is what a placement should make small: a sum over links.
type Goal interface {
	// Terms appends what the i-th link of the graph counts for.
	Terms(terms []Term, i int, l *topology.Link) []Term
	// Classes is the number of classes of terms, at most 128.
	Classes() int
	// Cost is what a link from site a to site b costs by the class of a term.
	// Calls may run side by side.
	Cost(class int, a, b int32) int64
}

// Term is a part of what a link costs: Weight times the cost of its class. The
// weight is at least 1.
type Term struct {
	Class  int
	Weight int64
}

// Optimized tells how a placement was improved. Scores are by the goal, with
// every box at the site's middle.
type Optimized struct {
	Strategy Strategy // of the start: the best that fits where none was chosen
	Given    bool     // the start's places all came from a table instead
	// Before is that of the strategy that goes without optimising (the first of
	// those that could place everything), Start that of Strategy.
	Before, Start, After mapping.Score
	// Bound is a lower bound of the sum, wherever racks of such contents or boxes
	// stand in this room; BoundMethod is empty where none was worked out.
	Bound       int64
	BoundMethod string
	// RackBound is a lower bound of the sum over all ways to stand the racks,
	// filled as they are; RackBoundMethods is empty where none was worked out.
	RackBound        int64
	RackBoundMethods []string
	Steps            int64
	Interrupted      bool
	Notes            []string // what was left out, and why
}

// Limits of what is optimised.
const (
	mostTableBytes = 1 << 30 // of costs between sites, for all classes
	mostSites      = 4096
	mostEdges      = 1 << 23
)

// optimizer is one run of an Optimizer.
type optimizer struct {
	ctx  context.Context
	p    *Problem
	o    *Optimizer
	goal Goal
	out  Optimized
}

// cost is that of a link, as far as tables can hold it.
func (o *optimizer) cost(class int, a, b int32) int32 {
	return int32(min(max(o.goal.Cost(class, a, b), 0), math.MaxInt32))
}

// score works out the goal of a placement.
func (o *optimizer) score(site []int32) mapping.Score {
	var s mapping.Score
	var terms []Term
	i := 0
	for l := range topology.Cables(o.p.Graph) {
		terms = o.goal.Terms(terms[:0], i, &l)
		for _, t := range terms {
			c := int64(o.cost(t.Class, site[l.A], site[l.B]))
			s.Sum += c * t.Weight
			switch {
			case c > s.Longest:
				s.Longest, s.AtLongest = c, 1
			case c == s.Longest:
				s.AtLongest++
			}
		}
		i++
	}
	return s
}

// better reports whether a score is less than another.
func (o *optimizer) better(s, t mapping.Score) bool {
	if v, w := o.o.Objective.Value(s), o.o.Objective.Value(t); v != w {
		return v < w
	}
	return o.o.Objective.LongestFirst && (s.AtLongest < t.AtLongest || s.AtLongest == t.AtLongest && s.Sum < t.Sum)
}

// noteStart notes the best strategy to start from so far.
func (o *optimizer) noteStart(s Strategy, score mapping.Score, first bool) {
	o.out.Strategy, o.out.Start = s, score
	if first {
		o.out.Before = score
	}
}

// tables makes the costs between sites, nil if they would be too large.
func (o *optimizer) tables(sites []int32, at func(site int32) layout.Point) (*mapping.Costs, error) {
	n, classes := len(sites), o.goal.Classes()
	if classes == 0 {
		return nil, nil // no links, nothing to weigh
	}
	if n > mostSites || n*n*4*classes > mostTableBytes {
		o.note("%d positions are more than the optimiser can weigh against each other", n)
		return nil, nil
	}
	tables := make([][]int32, classes)
	for c := range tables {
		tables[c] = make([]int32, n*n)
	}
	err := parallel.Each(context.Background(), n, func(_ context.Context, i int) error {
		for c, t := range tables {
			for j, b := range sites {
				t[i*n+j] = o.cost(c, sites[i], b)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	costs, err := mapping.Tables(n, tables...)
	if err != nil {
		return nil, err
	}
	x, y := make([]int32, n), make([]int32, n)
	for i, s := range sites {
		p := at(s)
		x[i], y[i] = millimetres(p.X), millimetres(p.Y)
	}
	return costs.WithPositions(x, y), nil
}

// millimetres is a length to the nearest of them.
func millimetres(l units.Length) int32 { return int32(math.Round(float64(l) * 1000)) }

// noteGiven finishes the account of a placement that came from a table.
func (o *optimizer) noteGiven() {
	if len(o.p.Pins) < topology.Vertices(o.p.Graph) {
		return
	}
	o.out.Given = true
	if !slices.ContainsFunc(o.p.Pins, func(p Pin) bool { return !p.Locked }) {
		o.note("every box is locked where its placement has it, so nothing could be improved: embedding.lock: none " +
			"frees them")
	}
}

func (o *optimizer) note(format string, args ...any) {
	n := fmt.Sprintf(format, args...)
	if !slices.Contains(o.out.Notes, n) {
		o.out.Notes = append(o.out.Notes, n)
	}
}

// edges sums up the links between bodies, as -1 for those that belong to none;
// nil if there are too many.
func (o *optimizer) edges(body []int32) []mapping.Edge {
	var list []mapping.Edge
	var terms []Term
	i := 0
	for l := range topology.Cables(o.p.Graph) {
		if a, b := body[l.A], body[l.B]; a != b {
			terms = o.goal.Terms(terms[:0], i, &l)
			for _, t := range terms {
				list = append(list, mapping.Edge{A: a, B: b, Class: uint8(t.Class), Weight: t.Weight})
			}
			if len(list) >= mostEdges {
				if list = mergeEdges(list); len(list) > mostEdges/2 {
					o.note("more than %d links between boxes: only whole racks were exchanged", mostEdges/2)
					return nil
				}
			}
		}
		i++
	}
	return mergeEdges(list)
}

// mergeEdges adds up the edges between the same two bodies.
func mergeEdges(list []mapping.Edge) []mapping.Edge {
	slices.SortFunc(list, func(a, b mapping.Edge) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Class, b.Class))
	})
	out := list[:0]
	for _, e := range list {
		if n := len(out); n > 0 && out[n-1].A == e.A && out[n-1].B == e.B && out[n-1].Class == e.Class {
			out[n-1].Weight += e.Weight
		} else {
			out = append(out, e)
		}
	}
	return out
}

// solve maps a graph on sites, from a start, with some effort, and returns where
// everything stands; nil if nothing is to be gained.
func (o *optimizer) solve(m *mapping.Problem, start []int32, effort mapping.Effort) ([]int32, error) {
	m.Objective = o.o.Objective
	opt := mapping.Options{Effort: effort, Seed: o.p.Seed, Starts: [][]int32{start}}
	if o.o.Progress != nil {
		done := o.out.Steps
		opt.Progress = func(p mapping.Progress) {
			o.o.Progress(done+p.Steps, done+p.Total, o.o.Objective.Value(p.Best))
		}
	}
	ctx := o.ctx
	if o.o.Stop != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(o.o.Stop, cancel)()
	}
	r, err := mapping.Map(ctx, m, opt)
	switch {
	case errors.Is(err, mapping.ErrInfeasible):
		return nil, diag.Fieldf("Optimizer", "%v", err)
	case err != nil:
		return nil, err
	}
	o.out.Steps += r.Steps
	o.out.Interrupted = o.out.Interrupted || r.Interrupted
	if err := o.ctx.Err(); err != nil {
		return nil, err
	}
	return r.Place, nil
}

// efforts lists those that lead up to one.
func efforts(e mapping.Effort) []mapping.Effort {
	switch e {
	case mapping.Quick:
		return []mapping.Effort{mapping.Quick}
	case mapping.Normal:
		return []mapping.Effort{mapping.Quick, mapping.Normal}
	}
	return []mapping.Effort{mapping.Quick, mapping.Normal, mapping.Thorough}
}
