package embed

import (
	"math"
	"slices"

	"github.com/plenum-planner/plenum/embed/qap"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// mostBoundSteps limits the estimated work of boundOrder: the cube of the number of sites for each class of terms.
const mostBoundSteps = 500_000_000

// boundRacks computes a lower bound of the sum of link costs over all assignments of the racks, with their present
// contents, to the positions of the room.
func (o *optimizer) boundRacks(r *filled) error {
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
	body := make([]int32, len(r.f.spots))
	for v, s := range r.f.spots {
		body[v] = s.rack
	}
	class := make([]int, len(sites))
	for i := range r.f.racks {
		class[i] = int(r.f.racks[i].home.class)
	}
	var err error
	o.out.RackBound, o.out.RackBoundMethods, err = o.boundOrder(sites, body, class, r.f.lockedRacks(), r.position)
	return err
}

// boundOrder computes a lower bound of the sum of link costs over all assignments of bodies to sites, at most one body
// to a site, and each to a site of its class. body has the body of each vertex. Body i is at site i at present, and
// stays there if it is locked; sites beyond the last body are free. The result is the sum of the bounds of one
// quadratic assignment problem for each class of terms, and the methods of these bounds. Without methods there is no
// bound: there are too many sites, or ctx ended, which is not an error here.
func (o *optimizer) boundOrder(
	sites, body []int32, class []int, locked []bool, at func(int32) layout.Point,
) (bound int64, methods []string, err error) {
	size, classes := len(sites), o.goal.Classes()
	if size < 2 || float64(size)*float64(size)*float64(size)*float64(classes) > mostBoundSteps {
		return 0, nil, nil
	}
	costs, err := o.tables(sites, at)
	if costs == nil {
		return 0, nil, err
	}
	flows, bound := o.flows(sites, body)
	q := qap.Instance{
		N: size, B: make([]int64, size*size), Pins: make([]int, size), ObjectClass: class,
		LocationClass: class,
	}
	for i := range size {
		q.Pins[i] = -1
		if i < len(locked) && locked[i] {
			q.Pins[i] = i
		}
	}
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
		part, err := qap.LowerBound(o.ctx, &q)
		if err != nil {
			if o.ctx.Err() != nil {
				return 0, nil, nil
			}
			return 0, nil, err
		}
		if symmetric {
			part.Value = (part.Value + 1) / 2
		}
		bound += max(part.Value, 0)
		if !slices.Contains(methods, part.Method) {
			methods = append(methods, part.Method)
		}
	}
	slices.Sort(methods)
	return bound, methods, nil
}

// flows returns, for each class of terms, the weights of the links from each body to each other as a matrix, nil for
// classes without any, and a lower bound of the cost of the links within bodies.
func (o *optimizer) flows(sites, body []int32) (flows [][]int64, inside int64) {
	size := len(sites)
	flows = make([][]int64, o.goal.Classes())
	within := make([]int64, len(flows))
	var terms []Term
	i := 0
	for l := range topology.Cables(o.p.Graph) {
		a, b := int(body[l.A]), int(body[l.B])
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
