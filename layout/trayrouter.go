package layout

import (
	"math"
	"slices"
)

// TrayRouter finds cheapest routes on a tray network by a price of each piece. It reuses its working memory, so each
// goroutine needs its own.
type TrayRouter struct {
	t     *TrayNetwork
	cost  []int64   // price of the cheapest route to each junction so far
	from  []int32   // of each junction that was reached: the previous junction, -1 for none
	leg   []TrayLeg // pieces from the previous junction; From is -1 for none
	queue junctionQueue[int64]
}

// NewRouter returns a router.
func (t *TrayNetwork) NewRouter() *TrayRouter { return &TrayRouter{t: t} }

// NoRoute is the price of a piece that may not be used, and of a route that does not exist.
const NoRoute = math.MaxInt64

// Route returns the cheapest route on a level from above rack position a to above b, and its price: nil and NoRoute if
// there is none. Prices must be positive. Of several cheapest routes, it always returns the same one.
func (r *TrayRouter) Route(level int, a, b int32, price func(piece int32) int64) ([]TrayLeg, int64) {
	t, p := r.t, r.t.plans[level]
	base := t.base[level]
	pa, pb := &t.room.Places[a], &t.room.Places[b]
	total := func(g TrayLeg) int64 {
		sum := int64(0)
		g.Pieces(func(piece int32) {
			if sum != NoRoute {
				sum = add(sum, price(base+piece))
			}
		})
		return sum
	}
	best, direct := int64(NoRoute), false
	if pa.Row == pb.Row && t.areJoined(p, pa.Row, t.placeStop[a], t.placeStop[b]) {
		best, direct = total(t.along(pa.Row, t.placeStop[a], t.placeStop[b])), true
	}
	r.start(len(p.stopAt))
	for j := p.near[a][0]; j <= p.near[a][1]; j++ {
		cost, leg := int64(0), TrayLeg{-1, -1}
		if t.placeStop[a] != p.stopAt[j] {
			leg = t.along(pa.Row, t.placeStop[a], p.stopAt[j])
			cost = total(leg)
		}
		r.reach(j, -1, leg, cost)
	}
	last, lastLeg := int32(-1), TrayLeg{-1, -1}
	for len(r.queue) > 0 {
		at := r.queue.pop()
		if at.cost >= best {
			break
		}
		if at.cost > r.cost[at.at] {
			continue
		}
		if at.at >= p.near[b][0] && at.at <= p.near[b][1] {
			end, leg := at.cost, TrayLeg{-1, -1}
			if t.placeStop[b] != p.stopAt[at.at] {
				leg = t.along(pb.Row, p.stopAt[at.at], t.placeStop[b])
				end = add(end, total(leg))
			}
			if end < best {
				best, direct, last, lastLeg = end, false, at.at, leg
			}
		}
		for i := range p.edges[at.at] {
			e := &p.edges[at.at][i]
			r.reach(e.to, at.at, e.pieces, add(at.cost, total(e.pieces)))
		}
	}
	switch {
	case best == NoRoute:
		return nil, NoRoute
	case direct:
		w := routeBuilder{base: base}
		w.add(t.along(pa.Row, t.placeStop[a], t.placeStop[b]))
		return w.legs, best
	}
	return r.trace(base, last, lastLeg), best
}

// add adds two prices; the sum is at most NoRoute.
func add(a, b int64) int64 {
	if a > NoRoute-b {
		return NoRoute
	}
	return a + b
}

// start prepares for a search.
func (r *TrayRouter) start(junctions int) {
	if len(r.cost) < junctions {
		r.cost = make([]int64, junctions)
		r.from = make([]int32, junctions)
		r.leg = make([]TrayLeg, junctions)
	}
	for i := range r.cost {
		r.cost[i] = NoRoute
	}
	r.queue = r.queue[:0]
}

// reach records a route to junction j if it is cheaper than those so far.
func (r *TrayRouter) reach(j, from int32, leg TrayLeg, cost int64) {
	if cost < r.cost[j] {
		r.cost[j], r.from[j], r.leg[j] = cost, from, leg
		r.queue.push(reached[int64]{j, cost})
	}
}

// trace returns the route that leaves junction `last` by lastLeg.
func (r *TrayRouter) trace(base, last int32, lastLeg TrayLeg) []TrayLeg {
	var back []TrayLeg // from the end
	if lastLeg.From >= 0 {
		back = append(back, lastLeg)
	}
	for j := last; j >= 0; j = r.from[j] {
		if r.leg[j].From >= 0 {
			back = append(back, r.leg[j])
		}
	}
	slices.Reverse(back)
	w := routeBuilder{base: base}
	for _, g := range back {
		w.add(g)
	}
	return w.legs
}
