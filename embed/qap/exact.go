package qap

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// MaxExact is the largest number of objects without a fixed location that [Exact] accepts.
const MaxExact = 16

// Exact returns a permutation of minimum cost, by branch and bound with the bound of Gilmore and Lawler at every node.
// The error is that of Check or of ctx, or says that more than MaxExact objects can move. Twelve objects take a moment;
// each further one multiplies the time several times.
func Exact(ctx context.Context, q *Instance) (p []int, cost int64, err error) {
	if err := q.Check(); err != nil {
		return nil, 0, err
	}
	m := newModel(q)
	if m.movable > MaxExact {
		return nil, 0, fmt.Errorf("qap: %d objects can move; an exact solution takes at most %d", m.movable, MaxExact)
	}
	r, err := Solve(ctx, q, Options{Effort: Quick, steps: 500})
	if err != nil {
		return nil, 0, err
	}
	b := &branching{model: m, best: 2 * r.Cost, p: m.toModel(r.Permutation), at: make([]int32, m.n)}
	if err := b.branch(ctx, m.root()); err != nil {
		return nil, 0, err
	}
	return m.fromModel(b.p), b.best / 2, nil
}

// branching is the state of a branch and bound.
type branching struct {
	*model
	best int64 // twice the lowest cost found so far
	p    []int32
	at   []int32 // location of each object assigned so far
}

// branch searches below a node for a cost below best. It assigns objects from the highest number down, so that objects
// with a fixed location come first.
func (b *branching) branch(ctx context.Context, r *node) error {
	if len(r.objects) == 0 {
		if r.fixed < b.best {
			b.best = r.fixed
			copy(b.p, b.at)
		}
		return nil
	}
	bound, err := r.gilmoreLawler(ctx, flowsBoth)
	if err != nil || bound > b.best-2 { // all costs are even: an odd bound can be raised by 1
		return err
	}
	i := len(r.objects) - 1
	lo, hi := r.class(i)
	order := make([]int, 0, hi-lo)
	for j := lo; j < hi; j++ {
		order = append(order, j)
	}
	k := len(r.objects)
	costs := r.costs[i*k : (i+1)*k]
	slices.SortStableFunc(order, func(a, c int) int { return cmp.Compare(costs[a], costs[c]) })
	for _, j := range order {
		b.at[r.objects[i]] = r.locations[j]
		if err := b.branch(ctx, r.assign(i, j)); err != nil {
			return err
		}
	}
	return nil
}

// assign returns the child node in which the i-th free object is at the j-th free location.
func (r *node) assign(i, j int) *node {
	n, k := r.n, len(r.objects)
	o, l := int(r.objects[i]), int(r.locations[j])
	c := &node{
		model: r.model, fixed: r.fixed + r.linear[i*k+j],
		objects:   slices.Delete(slices.Clone(r.objects), i, i+1),
		locations: slices.Delete(slices.Clone(r.locations), j, j+1),
	}
	for s, os := range r.objects {
		if s == i {
			continue
		}
		for t, lt := range r.locations {
			if t == j {
				continue
			}
			d := r.a[int(os)*n+o] * r.b[int(lt)*n+l]
			if !r.symmetric {
				d += r.a[o*n+int(os)] * r.b[l*n+int(lt)]
			}
			c.linear = append(c.linear, r.linear[s*k+t]+2*d)
		}
	}
	return c
}
