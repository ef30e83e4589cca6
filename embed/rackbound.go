package embed

import (
	"math"
	"slices"

	"plenum/embed/qap"
	"plenum/layout"
)

// mostBoundSteps bounds the work for a bound on the order of racks: the cube of
// the positions for each class of terms.
const mostBoundSteps = 500_000_000

// boundRacks bounds the sum from below over all ways to stand the racks, filled as
// they are, on the positions of the room. That is a quadratic assignment problem for
// each class of terms; a sum of bounds is a bound of the sum.
func (o *optimizer) boundRacks(r *filled) error {
	n := len(r.f.racks)
	if n < 2 {
		return nil
	}
	sites := slices.Clone(r.places)
	taken := make([]bool, len(r.room.Places))
	for _, s := range sites {
		taken[s] = true
	}
	for s := range int32(len(r.room.Places)) {
		if !taken[s] {
			sites = append(sites, s)
		}
	}
	size, classes := len(sites), o.goal.Classes()
	if steps := float64(size) * float64(size) * float64(size) * float64(classes); steps > mostBoundSteps {
		return nil
	}
	costs, err := o.tables(sites, func(s int32) layout.Point {
		p := r.room.Places[s]
		return layout.Point{X: p.X, Y: p.Y}
	})
	if costs == nil {
		return err
	}
	flows, sum := o.rackFlows(r, sites)
	locked := r.f.lockedRacks()
	q := qap.Instance{
		N: size, B: make([]int64, size*size), Pins: make([]int, size),
		ObjectClass: make([]int, size), LocationClass: make([]int, size),
	}
	for i := range size {
		q.Pins[i] = -1
		if i < n {
			q.ObjectClass[i] = int(r.f.racks[i].class)
			if locked[i] {
				q.Pins[i] = i
			}
		}
	}
	copy(q.LocationClass, q.ObjectClass)
	var methods []string
	for c, flow := range flows {
		if flow == nil {
			continue
		}
		symmetric := true
		for a := range size {
			for b := range size {
				q.B[a*size+b] = 0
				if a != b {
					q.B[a*size+b] = costs.At(uint8(c), a, b)
					symmetric = symmetric && costs.At(uint8(c), a, b) == costs.At(uint8(c), b, a)
				}
			}
		}
		q.A = flow
		if symmetric {
			for a := range size {
				for b := range a {
					both := flow[a*size+b] + flow[b*size+a]
					flow[a*size+b], flow[b*size+a] = both, both
				}
			}
		}
		bound, err := qap.LowerBound(o.ctx, &q)
		if err != nil {
			if o.ctx.Err() != nil {
				return nil
			}
			return err
		}
		if symmetric {
			bound.Value = (bound.Value + 1) / 2
		}
		sum += max(bound.Value, 0)
		if !slices.Contains(methods, bound.Method) {
			methods = append(methods, bound.Method)
		}
	}
	if len(methods) == 0 {
		return nil
	}
	slices.Sort(methods)
	o.out.RackBound, o.out.RackBoundMethods = sum, methods
	return nil
}

// rackFlows adds up what runs between racks for each class of terms, nil for
// classes without any, and the least that links inside racks can cost.
func (o *optimizer) rackFlows(r *filled, sites []int32) (flows [][]int64, inside int64) {
	size := len(sites)
	flows = make([][]int64, o.goal.Classes())
	within := make([]int64, len(flows))
	var terms []Term
	i := 0
	for l := range o.p.Graph.Links() {
		a, b := int(r.f.spots[l.A].rack), int(r.f.spots[l.B].rack)
		terms = o.goal.Terms(terms[:0], i, &l)
		i++
		for _, t := range terms {
			if a == b {
				within[t.Class] += t.Weight
				continue
			}
			if flows[t.Class] == nil {
				flows[t.Class] = make([]int64, size*size)
			}
			flows[t.Class][a*size+b] += t.Weight
		}
	}
	for c, weight := range within {
		if weight == 0 {
			continue
		}
		least := int64(math.MaxInt64)
		for _, s := range sites {
			least = min(least, int64(o.cost(c, s, s)))
		}
		inside += weight * least
	}
	return flows, inside
}
