package embed

import (
	"context"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// optimizeTree fills containers by each of Problem.candidates, takes the best, and moves boxes between containers.
// These are single slots if there are at most mostSites, else the smallest containers of which there are at most so
// many.
func optimizeTree(ctx context.Context, p *Problem) (*Placement, error) {
	o := &optimizer{ctx: ctx, p: p, o: p.Optimizer}
	n := topology.Vertices(p.Graph)
	pl := &Placement{Layout: p.Tree.Layout()}
	var first error
	for _, s := range p.candidates() {
		q := *p
		q.Strategy = s
		slots, err := treeSlots(&q, n)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if o.goal == nil {
			if o.goal, err = o.o.Goal(&Placement{Layout: pl.Layout, Slot: slots}); err != nil {
				return nil, err
			}
		}
		if score := o.score(slots); pl.Slot == nil || o.better(score, o.out.Start) {
			o.noteStart(s, score, pl.Slot == nil)
			pl.Slot = slots
		}
	}
	if pl.Slot == nil {
		return nil, first
	}
	size := 1 // slots of a container
	for level := len(p.Tree.Levels) - 1; level >= 0 && p.Tree.Cells(0)/size > mostSites; level-- {
		size = p.Tree.Cells(level)
	}
	for _, e := range efforts(o.o.Effort) {
		slots, err := o.containers(pl, size, e)
		if err != nil {
			return nil, err
		}
		if slots == nil || !o.better(o.score(slots), o.score(pl.Slot)) {
			continue
		}
		pl.Slot = slots
	}
	o.out.After = o.score(pl.Slot)
	if size == 1 {
		if err := o.boundSlots(pl); err != nil {
			return nil, err
		}
	}
	o.noteGiven()
	pl.Optimized = &o.out
	return pl, nil
}

// containers returns the slots of vertices after moving boxes between containers of size slots each; nil if nothing
// can be moved. A box that stays in its container keeps its slot; the others take the container's free slots in order.
func (o *optimizer) containers(pl *Placement, size int, effort mapping.Effort) ([]int32, error) {
	total := o.p.Tree.Cells(0)
	n := len(pl.Slot)
	if total/size < 2 || n < 2 {
		return nil, nil
	}
	middle := make([]int32, 0, total/size)
	for s := size / 2; s < total; s += size {
		middle = append(middle, int32(s))
	}
	costs, err := o.tables(middle, func(s int32) layout.Point { return pl.Layout.Position(s) })
	if costs == nil {
		return nil, err
	}
	body := make([]int32, n)
	for v := range body {
		body[v] = int32(v)
	}
	edges := o.edges(body)
	if edges == nil {
		return nil, nil
	}
	m := &mapping.Problem{
		Costs: costs, Capacity: slices.Repeat([]int64{int64(size)}, len(middle)),
		Pinned: make([]int32, n),
	}
	if m.Graph, err = mapping.NewGraph(n, edges); err != nil {
		return nil, err
	}
	start := make([]int32, n)
	for v, s := range pl.Slot {
		start[v], m.Pinned[v] = s/int32(size), -1
	}
	for _, pin := range o.p.Pins {
		if pin.Locked {
			m.Pinned[pin.Vertex] = start[pin.Vertex]
		}
	}
	if size == 1 && o.out.BoundMethod == "" {
		bound, err := mapping.LowerBound(m)
		if err != nil {
			return nil, err
		}
		o.out.Bound, o.out.BoundMethod = bound.Value, bound.Method
	}
	found, err := o.solve(m, start, effort)
	if err != nil {
		return nil, err
	}
	taken := make([]bool, total)
	out := slices.Clone(pl.Slot)
	for v, c := range found {
		if c == start[v] {
			taken[out[v]] = true
		}
	}
	next := make([]int, len(middle))
	for v, c := range found {
		if c == start[v] {
			continue
		}
		for taken[int(c)*size+next[c]] {
			next[c]++
		}
		out[v] = c*int32(size) + int32(next[c])
		next[c]++
	}
	return out, nil
}

// boundSlots computes a lower bound of the sum of link costs over all assignments of boxes to slots, and keeps it if it
// is higher than the bound so far.
func (o *optimizer) boundSlots(pl *Placement) error {
	total, n := o.p.Tree.Cells(0), len(pl.Slot)
	sites := slices.Clone(pl.Slot)
	taken := make([]bool, total)
	for _, s := range sites {
		taken[s] = true
	}
	for s := range int32(total) {
		if !taken[s] {
			sites = append(sites, s)
		}
	}
	body := make([]int32, n)
	for v := range body {
		body[v] = int32(v)
	}
	locked := make([]bool, n)
	for _, pin := range o.p.Pins {
		locked[pin.Vertex] = pin.Locked
	}
	bound, methods, err := o.boundOrder(sites, body, make([]int, total), locked, pl.Layout.Position)
	if len(methods) > 0 && bound > o.out.Bound {
		o.out.Bound, o.out.BoundMethod = bound, strings.Join(methods, " and ")
	}
	return err
}
