package layout

import (
	"math"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// unreachable is the distance between points that no tray connects.
var unreachable = units.Length(math.Inf(1))

// Distance returns the length of the shortest route along the trays from above one rack position to above another, on
// any level; infinite if no level connects them.
func (t *TrayNetwork) Distance(a, b int32) units.Length {
	best := unreachable
	for i, p := range t.plans {
		if !slices.Contains(t.plans[:i], p) {
			best = min(best, t.DistanceOn(i, a, b))
		}
	}
	return best
}

// DistanceOn returns the distance on one level.
func (t *TrayNetwork) DistanceOn(level int, a, b int32) units.Length {
	d, _, _ := t.shortest(t.plans[level], a, b)
	return d
}

// shortest returns the distance and the junctions at which the shortest route leaves the row of a and enters the row of
// b; -1 if it stays on one row's tray.
func (t *TrayNetwork) shortest(p *trayPlan, a, b int32) (d units.Length, ja, jb int32) {
	pa, pb := &t.room.Places[a], &t.room.Places[b]
	d, ja, jb = unreachable, -1, -1
	if pa.Row == pb.Row && t.areJoined(p, pa.Row, t.placeStop[a], t.placeStop[b]) {
		d = (pa.X - pb.X).Abs()
		if len(p.paths) == 0 {
			return d, ja, jb
		}
	}
	for ca := p.near[a][0]; ca <= p.near[a][1]; ca++ {
		da := (pa.X - t.stopAt(pa.Row, p.stopAt[ca])).Abs()
		from := p.source(ca)
		for cb := p.near[b][0]; cb <= p.near[b][1]; cb++ {
			if x := da + from.to(cb) + (pb.X - t.stopAt(pb.Row, p.stopAt[cb])).Abs(); x < d-1e-6 {
				d, ja, jb = x, ca, cb
			}
		}
	}
	return d, ja, jb
}

// traySource has the distances from one junction to all junctions.
type traySource struct {
	all  []units.Length // nil on a grid
	grid *trayGrid
	at   gridPoint
}

// source returns the distances from a junction.
func (p *trayPlan) source(j int32) traySource {
	if p.grid != nil {
		return traySource{grid: p.grid, at: p.grid.points[j]}
	}
	return traySource{all: p.from(j)}
}

// to returns the distance to a junction, infinite if no tray leads there.
func (s *traySource) to(j int32) units.Length {
	if s.grid == nil {
		return s.all[j]
	}
	return s.at.distance(&s.grid.points[j])
}

// from returns the distances from junction j to all junctions, which it computes only once.
func (p *trayPlan) from(j int32) []units.Length {
	if d := p.distances[j].Load(); d != nil {
		return *d
	}
	d := p.dijkstra(j)
	p.distances[j].Store(&d)
	return d
}

// dijkstra returns the distances from junction j, to a tenth of a millimetre.
func (p *trayPlan) dijkstra(j int32) []units.Length {
	d := make([]units.Length, len(p.edges))
	for i := range d {
		d[i] = unreachable
	}
	d[j] = 0
	queue := junctionQueue[units.Length]{{j, 0}}
	for len(queue) > 0 {
		at := queue.pop()
		if at.cost > d[at.at] {
			continue
		}
		for _, e := range p.edges[at.at] {
			if x := at.cost + e.length; x < d[e.to]-1e-9 {
				d[e.to] = x
				queue.push(reached[units.Length]{e.to, x})
			}
		}
	}
	for i := range d {
		d[i] = d[i].Round4()
	}
	return d
}

// Route returns the pieces of the shortest route on a level from above rack position a to above b; nil if there is none
// or a is b. The route from b to a has the same pieces in reverse order.
func (t *TrayNetwork) Route(level int, a, b int32) []TrayLeg {
	if a > b {
		return ReverseRoute(t.Route(level, b, a))
	}
	p := t.plans[level]
	pa, pb := &t.room.Places[a], &t.room.Places[b]
	d, ja, jb := t.shortest(p, a, b)
	if d == unreachable || a == b {
		return nil
	}
	w := routeBuilder{base: t.base[level]}
	if ja < 0 {
		w.add(t.along(pa.Row, t.placeStop[a], t.placeStop[b]))
		return w.legs
	}
	if t.placeStop[a] != p.stopAt[ja] {
		w.add(t.along(pa.Row, t.placeStop[a], p.stopAt[ja]))
	}
	toB := p.source(jb)
	for j := ja; j != jb; {
		e := p.towards(j, &toB)
		w.add(e.pieces)
		j = e.to
	}
	if t.placeStop[b] != p.stopAt[jb] {
		w.add(t.along(pb.Row, p.stopAt[jb], t.placeStop[b]))
	}
	return w.legs
}

// towards returns the edge from junction j to the next junction on a shortest route; of several, the one to the
// junction with the lowest number. target has the distances to the end of the route.
func (p *trayPlan) towards(j int32, target *traySource) *trayEdge {
	best, found := unreachable, (*trayEdge)(nil)
	for i := range p.edges[j] {
		e := &p.edges[j][i]
		if x := e.length + target.to(e.to); found == nil || x < best-1e-6 || (x < best+1e-6 && e.to < found.to) {
			best, found = min(x, best), e
		}
	}
	return found
}

// routeBuilder collects the legs of a route. It merges legs whose pieces have consecutive numbers.
type routeBuilder struct {
	base int32 // number of the level's first piece
	legs []TrayLeg
}

// add appends a leg, whose pieces are numbered within the level.
func (w *routeBuilder) add(g TrayLeg) {
	g.From, g.To = g.From+w.base, g.To+w.base
	if k := len(w.legs) - 1; k >= 0 {
		l := &w.legs[k]
		up, down := l.From <= l.To && g.From <= g.To, l.From >= l.To && g.From >= g.To
		if (up && g.From == l.To+1) || (down && g.From == l.To-1) {
			l.To = g.To
			return
		}
	}
	w.legs = append(w.legs, g)
}
