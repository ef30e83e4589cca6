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

// Optimizer improves a placement by an objective that the caller supplies: it exchanges racks, then boxes between
// racks, or boxes between containers. The result is never worse by the objective than the placement that it starts
// from.
type Optimizer struct {
	Effort mapping.Effort
	// Goal returns the link costs for the sites of a placement. Sites are rack positions, or slots in containers.
	Goal func(*Placement) (Goal, error)
	// Objective combines the costs of all links into one figure, which is minimized.
	Objective mapping.Objective
	// Stop, when done, ends the search; the result is the best placement so far. Nil for no such end.
	Stop context.Context
	// Progress, if not nil, receives the steps of all searches so far, these with those that the present search still
	// has to do, and the best value of the objective in the present search. One search follows another, so that total
	// grows.
	Progress func(done, total, best int64)
}

// Goal has the costs of links that an Optimizer minimizes. A link costs the sum of its terms.
type Goal interface {
	// Terms appends the terms of the i-th link (in the order of topology.Cables) to terms.
	Terms(terms []Term, i int, l *topology.Link) []Term
	// Classes returns the number of classes of terms, at most 128.
	Classes() int
	// Cost returns the cost of a term of a class with weight 1, of a link from site a to site b. Costs below 0 count as
	// 0, those above the largest int32 as that. It may be called from several goroutines at once.
	Cost(class int, a, b int32) int64
}

// Term is a part of the cost of a link: Weight times the cost of its class. The weight is at least 1.
type Term struct {
	Class  int
	Weight int64
}

// Optimized describes how a placement was improved. Scores are by the Goal, with every box in the middle of its site.
type Optimized struct {
	Strategy Strategy // of the start; if the problem chooses none, the one with the best start
	Given    bool     // all places of the start came from a table, not from a strategy
	// Before is the score of the placement without an optimizer (by the first strategy that could place everything),
	// Start the score of Strategy's, After that of the result.
	Before, Start, After mapping.Score
	// Bound is a lower bound of the sum of link costs over all placements of the boxes in this room or these
	// containers; BoundMethod is "" if none was computed.
	Bound       int64
	BoundMethod string
	// RackBound is a lower bound of the sum over all exchanges of the racks, each with its final contents;
	// RackBoundMethods is empty if none was computed.
	RackBound        int64
	RackBoundMethods []string
	Steps            int64
	Interrupted      bool     // Optimizer.Stop ended the search
	Notes            []string // for the user: what was not optimized, and why
}

// Limits beyond which the optimizer leaves a part of its work out, with a note.
const (
	mostTableBytes = 1 << 30 // memory of the costs between all pairs of sites, for all classes
	mostSites      = 4096
	mostEdges      = 1 << 23 // before edges between the same bodies are added up; half as many after it
)

// optimizer is one run of an Optimizer.
type optimizer struct {
	ctx  context.Context
	p    *Problem
	o    *Optimizer
	goal Goal
	out  Optimized
}

// cost returns Goal.Cost limited to the range 0 to the largest int32, which tables can hold.
func (o *optimizer) cost(class int, a, b int32) int32 {
	return int32(min(max(o.goal.Cost(class, a, b), 0), math.MaxInt32))
}

// score returns the sum and the maximum of the link costs of a placement, given the site of each vertex.
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

// better reports whether score s is better than score t by the objective.
func (o *optimizer) better(s, t mapping.Score) bool {
	if v, w := o.o.Objective.Value(s), o.o.Objective.Value(t); v != w {
		return v < w
	}
	return o.o.Objective.LongestFirst && (s.AtLongest < t.AtLongest || s.AtLongest == t.AtLongest && s.Sum < t.Sum)
}

// noteStart records the best strategy to start from so far. first is true for the first strategy that fits, whose
// score is that of the placement without an optimizer.
func (o *optimizer) noteStart(s Strategy, score mapping.Score, first bool) {
	o.out.Strategy, o.out.Start = s, score
	if first {
		o.out.Before = score
	}
}

// tables returns the costs between all pairs of sites, nil if there are none or they would be too large. at returns
// the position of a site.
func (o *optimizer) tables(sites []int32, at func(site int32) layout.Point) (*mapping.Costs, error) {
	n, classes := len(sites), o.goal.Classes()
	if classes == 0 {
		return nil, nil // without costs of links, there is nothing to improve
	}
	if n > mostSites || n*n*4*classes > mostTableBytes {
		o.note("%d positions are more than the optimiser can handle: nothing was exchanged among them", n)
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

// millimetres converts a length to the nearest whole number of millimetres.
func millimetres(l units.Length) int32 { return int32(math.Round(float64(l) * 1000)) }

// noteGiven records whether all places of the start came from a table, with a note if all of these are locked.
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

// note adds a note for the user, once.
func (o *optimizer) note(format string, args ...any) {
	n := fmt.Sprintf(format, args...)
	if !slices.Contains(o.out.Notes, n) {
		o.out.Notes = append(o.out.Notes, n)
	}
}

// edges returns the links between bodies (racks, chassis or boxes that are exchanged as a whole) as edges, those
// between the same two added up; nil, with a note, if there are too many. body has the body of each vertex.
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

// mergeEdges adds up the weights of edges of the same class between the same two bodies. It reuses the slice.
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

// solve solves a mapping problem from a start and returns the site of every vertex of the problem. It adds to the
// steps of the result.
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

// efforts lists all efforts up to e, in the order in which the optimizer runs them: each continues from the result of
// the one before.
func efforts(e mapping.Effort) []mapping.Effort {
	switch e {
	case mapping.Quick:
		return []mapping.Effort{mapping.Quick}
	case mapping.Normal:
		return []mapping.Effort{mapping.Quick, mapping.Normal}
	}
	return []mapping.Effort{mapping.Quick, mapping.Normal, mapping.Thorough}
}
