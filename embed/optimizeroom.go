package embed

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// filled is a room with filled racks at positions in it.
type filled struct {
	f      *filler
	room   *layout.Room
	places []int32 // the rack position of each rack
}

// position returns the point on the floor of a rack position, in metres.
func (r *filled) position(site int32) layout.Point {
	p := r.room.Places[site]
	return layout.Point{X: p.X, Y: p.Y}
}

// site returns the rack position of every vertex.
func (r *filled) site() []int32 {
	out := make([]int32, len(r.f.spots))
	for v, s := range r.f.spots {
		out[v] = r.places[s.rack]
	}
	return out
}

// optimizeRoom places boxes by each of Problem.candidates, takes the best result that has the room of the first that
// fits (of equal ones the first), and improves it: for each effort, it exchanges racks, then boxes. Optimizer.Stop ends
// it with the best placement so far, ctx with an error. If no candidate fits, it returns the error of the first.
func optimizeRoom(ctx context.Context, p *Problem) (*Placement, error) {
	o := &optimizer{ctx: ctx, p: p, o: p.Optimizer}
	var best *filled
	var first error
	for _, s := range p.candidates() {
		q := *p
		q.Strategy = s
		r, err := q.fillRoom(ctx)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if best != nil && (r.room.Spec.Rows != best.room.Spec.Rows || r.room.Spec.PerRow != best.room.Spec.PerRow) {
			continue // the room was sized differently, so costs are not comparable
		}
		goal, err := o.o.Goal(r.f.placement(r.room, r.places))
		if err != nil {
			return nil, err
		}
		before := o.goal
		o.goal = goal
		if score := o.score(r.site()); best == nil || o.better(score, o.out.Start) {
			o.noteStart(s, score, best == nil)
			best = r
		} else {
			o.goal = before
		}
	}
	if best == nil {
		return nil, first
	}
	for _, e := range efforts(o.o.Effort) {
		if err := o.racks(best, e); err != nil {
			return nil, err
		}
		if err := o.boxes(best, e); err != nil {
			return nil, err
		}
	}
	o.out.After = o.score(best.site())
	if err := o.boundRoom(best); err != nil {
		return nil, err
	}
	if err := o.boundRacks(best); err != nil {
		return nil, err
	}
	o.noteGiven()
	pl := best.f.placement(best.room, best.places)
	pl.Optimized = &o.out
	return pl, nil
}

// rowLoads returns the power and weight of the racks of every row of the room.
func (r *filled) rowLoads() []rowLoad {
	loads := make([]rowLoad, len(r.room.Rows))
	for i := range r.f.racks {
		loads[r.room.Places[r.places[i]].Row].add(&r.f.racks[i].state)
	}
	return loads
}

// candidates lists the strategies to start from: the chosen one, or the one that Auto stands for. If Auto is chosen and
// nothing is pinned, all others that fit except Random follow.
func (p *Problem) candidates() []Strategy {
	if p.Strategy != Auto || len(p.Pins) > 0 {
		return []Strategy{p.EffectiveStrategy()}
	}
	list := []Strategy{p.EffectiveStrategy()}
	for _, s := range Strategies() {
		if s != Auto && s != Random && s != list[0] && s.Fits(p.Graph, p.Tree) == nil {
			list = append(list, s)
		}
	}
	return list
}

// racks improves r by exchanging whole racks. If Fill is FillByGroups it also moves racks to free positions, except in
// rows that exceed their limits already or belong to a block. It leaves r as it is, with a note, if there are more
// positions or links than the optimizer takes.
func (o *optimizer) racks(r *filled, effort mapping.Effort) error {
	n := len(r.f.racks)
	sites := slices.Clone(r.places)
	taken := make([]bool, len(r.room.Places))
	for _, s := range sites {
		taken[s] = true
	}
	if len(r.room.Places) <= mostSites && o.p.Fill == FillByGroups {
		loads, blocks := r.rowLoads(), r.blockOf()
		for s := range int32(len(r.room.Places)) {
			if !taken[s] && blocks[r.room.Places[s].Row] == 0 && loads[r.room.Places[s].Row].within(&r.room.Spec) {
				sites = append(sites, s)
			}
		}
	}
	if n < 2 {
		return nil
	}
	costs, err := o.tables(sites, r.position)
	if costs == nil {
		return err
	}
	body := make([]int32, len(r.f.spots))
	for v, s := range r.f.spots {
		body[v] = s.rack
	}
	edges := o.edges(body)
	if edges == nil {
		return nil
	}
	m := &mapping.Problem{
		Costs: costs, Allowed: make([]uint64, n), PlaceClass: make([]uint8, len(sites)),
		Pinned: make([]int32, n),
	}
	if m.Graph, err = mapping.NewGraph(n, edges); err != nil {
		return err
	}
	locked := r.f.lockedRacks()
	classes := placeClasses{first: (len(o.p.Contiguous) + 1) * int(Beside), of: map[[2]int]uint8{}}
	start := make([]int32, n)
	for i := range n {
		at := r.f.racks[i].home
		class := classes.number(at.block*int(Beside)+int(at.class), r.f.racks[i].state.of)
		m.Allowed[i] = 1 << class
		m.PlaceClass[i] = class
		start[i], m.Pinned[i] = int32(i), -1
		if locked[i] || class == lastClass || r.f.placedTemplate(int32(i)) != nil {
			m.Pinned[i] = int32(i)
		}
	}
	for i, s := range sites[n:] {
		m.PlaceClass[n+i] = classes.number(int(InRack), r.room.Places[s].Type)
	}
	m.Resources = []string{"racks"}
	m.Capacity = slices.Repeat([]int64{1}, len(sites))
	if s := &r.room.Spec; s.RowPower > 0 || s.RowWeight > 0 {
		rowLimits(m, r, sites, start)
	}
	r.f.rackRules(m, r.room, sites)
	found, err := o.solve(m, start, effort)
	if err != nil {
		return err
	}
	for i := range r.places {
		r.places[i] = sites[found[i]]
	}
	return nil
}

// placeClasses numbers the pairs of a class of racks (with its block) and a rack type. Racks may only exchange
// positions with racks of the same number.
type placeClasses struct {
	first int // the first number for types other than 0; classes of type 0 keep their numbers, which are lower
	of    map[[2]int]uint8
}

// lastClass is the number of all pairs beyond the first 63 (from 0), as a mapping problem distinguishes 64 classes.
// Their racks are not moved.
const lastClass = 63

// number returns the number of a class of racks of a type.
func (c *placeClasses) number(class, rackType int) uint8 {
	if rackType == 0 {
		return uint8(class)
	}
	key := [2]int{class, rackType}
	if _, ok := c.of[key]; !ok {
		c.of[key] = uint8(min(c.first+len(c.of), lastClass))
	}
	return c.of[key]
}

// rowLimits adds the limits of power and weight of rows to a mapping problem whose vertices are racks. A row that
// exceeds either limit already, as network rows and pinned boxes may, is limited to its present value of that. sites
// has the rack position of each site, start the present site of each rack.
func rowLimits(m *mapping.Problem, r *filled, sites, start []int32) {
	m.Resources = []string{"racks", "power (mW)", "weight (g)"}
	m.Capacity, m.Size = nil, nil
	for range sites {
		m.Capacity = append(m.Capacity, 1, 1<<50, 1<<50)
	}
	rows := mapping.Layer{Of: make([]int32, len(sites)), Capacity: make([]int64, 3*len(r.room.Rows))}
	for i, s := range sites {
		rows.Of[i] = int32(r.room.Places[s].Row)
	}
	for i := range r.f.racks {
		s := &r.f.racks[i].state
		power, weight := int64((s.power+s.plugged)*1000), int64(s.weight*1000)
		m.Size = append(m.Size, 1, power, weight)
		row := rows.Of[start[i]]
		rows.Capacity[3*row+1] += power
		rows.Capacity[3*row+2] += weight
	}
	limit := func(taken int64, x float64) int64 {
		if x <= 0 {
			return 1 << 50
		}
		return max(taken, int64(x*1000+.5))
	}
	for i := range r.room.Rows {
		of := rows.Capacity[3*i:]
		of[0], of[1], of[2] = 1<<50, limit(of[1], float64(r.room.Spec.RowPower)),
			limit(of[2], float64(r.room.Spec.RowWeight))
	}
	m.Layers = append(m.Layers, rows)
}

// boxBody is a box that is not in a chassis, or a chassis with its boxes: it moves from rack to rack as a whole. Bodies
// of the same sort may be exchanged.
type boxBody struct {
	sort  int32
	spot  spot  // of a box; of a chassis its rack and lowest unit, with the chassis's number in field cell
	first int32 // the first vertex in it
}

// beside reports whether a body is a box of class Beside, which takes no rack units. Such a body stays in its rack.
func (r *filled) beside(b *boxBody) bool {
	return r.f.p.Kinds[topology.KindOf(r.f.kinds, int(b.first))].Class == Beside
}

// bodies lists the bodies of all racks in the order of their first vertices, and returns the index of the body of every
// vertex and the number of sorts. Boxes are of the same sort if they are of one kind and face the same way, chassis if
// they are of one kind and hold as many boxes of each kind.
func (r *filled) bodies() (list []boxBody, of []int32, sorts int) {
	of = make([]int32, len(r.f.spots))
	chassis := make([]int32, len(r.f.chassis))
	contents := make([][]int, len(r.f.chassis)) // boxes of each kind in each chassis
	for i := range chassis {
		chassis[i] = -1
		contents[i] = make([]int, len(r.f.kinds))
	}
	for v, s := range r.f.spots {
		if s.chassis >= 0 {
			contents[s.chassis][topology.KindOf(r.f.kinds, v)]++
		}
	}
	index := map[string]int32{}
	number := func(key string) int32 {
		if _, ok := index[key]; !ok {
			index[key] = int32(len(index))
		}
		return index[key]
	}
	for v, s := range r.f.spots {
		if s.chassis >= 0 && chassis[s.chassis] >= 0 {
			of[v] = chassis[s.chassis]
			continue
		}
		of[v] = int32(len(list))
		b := boxBody{spot: s, first: int32(v)}
		var key strings.Builder
		if s.chassis >= 0 {
			chassis[s.chassis] = of[v]
			key.WriteString("chassis " + strconv.Itoa(r.f.chassis[s.chassis].kind))
			for _, n := range contents[s.chassis] {
				key.WriteString(" " + strconv.Itoa(n))
			}
			c := &r.f.chassis[s.chassis]
			b.spot.unit, b.spot.cell = c.unit, int32(c.number)
		} else {
			key.WriteString("box " + strconv.Itoa(topology.KindOf(r.f.kinds, v)))
			if s.rear {
				key.WriteString(" rear")
			}
		}
		b.sort = number(key.String())
		list = append(list, b)
	}
	return list, of, len(index)
}

// placesForSorts returns, for each sort, the words for its places in messages, such as "places for boxes of kind leaf".
func (r *filled) placesForSorts(list []boxBody, sorts int) []string {
	out := make([]string, sorts)
	for i := range list {
		b := &list[i]
		what := "boxes of kind " + r.f.kinds[topology.KindOf(r.f.kinds, int(b.first))].Name
		if b.spot.chassis >= 0 {
			what = "chassis with " + what
		}
		out[b.sort] = "places for " + what
	}
	return out
}

// boxes improves r by exchanging boxes and chassis of the same sort between racks, and by moving boxes to free units
// (see addFreeSpots). The limits of racks hold, as bodies of one sort have the same size, weight and power, and free
// units are offered only as far as the rack's limits hold with all of them taken; so do those of rows, as no free units
// are offered where rows have limits.
func (o *optimizer) boxes(r *filled, effort mapping.Effort) error {
	list, of, sorts := r.bodies()
	n := len(r.f.racks)
	if n < 2 || len(list) < 2 {
		return nil
	}
	costs, err := o.tables(r.places, r.position)
	if costs == nil {
		return err
	}
	edges := o.edges(of)
	if edges == nil {
		return nil
	}
	m := &mapping.Problem{
		Costs: costs, Capacity: make([]int64, n*sorts), Size: make([]int64, len(list)*sorts),
		Pinned: make([]int32, len(list)),
	}
	if m.Graph, err = mapping.NewGraph(len(list), edges); err != nil {
		return err
	}
	m.Resources = r.placesForSorts(list, sorts)
	start := make([]int32, len(list))
	spots := make([][]spot, n*sorts) // where boxes of each sort may stand in each rack
	for i := range list {
		b := &list[i]
		start[i], m.Pinned[i] = b.spot.rack, -1
		if r.beside(b) || r.f.p.hasTemplate(topology.KindOf(r.f.kinds, int(b.first))) {
			m.Pinned[i] = b.spot.rack
		}
		m.Size[i*sorts+int(b.sort)] = 1
		at := int(b.spot.rack)*sorts + int(b.sort)
		spots[at] = append(spots[at], b.spot)
	}
	r.addFreeSpots(list, sorts, spots)
	for i := range m.Capacity {
		m.Capacity[i] = int64(len(spots[i]))
	}
	for _, pin := range o.p.Pins {
		if pin.Locked {
			m.Pinned[of[pin.Vertex]] = start[of[pin.Vertex]]
		}
	}
	if err := o.addRules(m, r, of); err != nil {
		return err
	}
	found, err := o.solve(m, start, effort)
	if err != nil {
		return err
	}
	r.moveBodies(list, of, sorts, spots, found)
	return nil
}

// boundRoom sets Optimized.Bound to a lower bound of the sum of link costs over all placements in the room: every
// position may hold as many boxes of each sort as the rack with the most of them holds or could hold. It sets none if
// there are more positions or links than the optimizer takes.
func (o *optimizer) boundRoom(r *filled) error {
	list, of, sorts := r.bodies()
	sites := make([]int32, len(r.room.Places))
	for i := range sites {
		sites[i] = int32(i)
	}
	if len(sites) > mostSites {
		return nil
	}
	costs, err := o.tables(sites, r.position)
	if costs == nil {
		return err
	}
	edges := o.edges(of)
	if edges == nil {
		return nil
	}
	m := &mapping.Problem{Costs: costs, Size: make([]int64, len(list)*sorts)}
	if m.Graph, err = mapping.NewGraph(len(list), edges); err != nil {
		return err
	}
	spots := make([][]spot, len(r.f.racks)*sorts)
	for i, b := range list {
		m.Size[i*sorts+int(b.sort)] = 1
		at := int(b.spot.rack)*sorts + int(b.sort)
		spots[at] = append(spots[at], b.spot)
	}
	r.addFreeSpots(list, sorts, spots)
	most := make([]int64, sorts)
	for i := range spots {
		most[i%sorts] = max(most[i%sorts], int64(len(spots[i])))
	}
	m.Resources = r.placesForSorts(list, sorts)
	m.Capacity = slices.Repeat(most, len(sites))
	bound, err := mapping.LowerBound(m)
	o.out.Bound, o.out.BoundMethod = bound.Value, bound.Method
	return err
}

// addFreeSpots adds the free spots of every rack to spots, whose index is rack*sorts+sort: as many as the rack can hold
// besides its contents, one for each sort of boxes in turn. Chassis, boxes at the rear and those of a template get
// none, nor do racks of a block. It adds nothing where rows have limits or Fill is not FillByGroups.
func (r *filled) addFreeSpots(list []boxBody, sorts int, spots [][]spot) {
	if s := &r.room.Spec; s.RowPower > 0 || s.RowWeight > 0 || r.f.p.Fill != FillByGroups {
		return // a row may bear less than its racks together, and an emptied rack would leave a hole in its row
	}
	example := make([]int32, sorts) // a box of each sort, -1 for chassis
	for i := range example {
		example[i] = -1
	}
	for _, b := range list {
		if b.spot.chassis < 0 && !b.spot.rear && example[b.sort] < 0 {
			example[b.sort] = b.first
		}
	}
	for i := range r.f.racks {
		rack := &r.f.racks[i]
		if rack.home.block > 0 {
			continue // no row of a block may become empty
		}
		state := rack.state
		for more := true; more; {
			more = false
			for sort, v := range example {
				if v < 0 {
					continue
				}
				kind := topology.KindOf(r.f.kinds, int(v))
				if r.f.p.hasTemplate(kind) || r.f.p.Kinds[kind].home() != rack.home {
					continue
				}
				if a, ok := r.f.put(&state, v, false); ok {
					a.spot.rack = int32(i)
					spots[i*sorts+sort] = append(spots[i*sorts+sort], a.spot)
					more = true
				}
			}
		}
	}
}

// moveBodies moves every body to a spot in the rack found for it: found has the index of the rack by body, spots the
// spots by rack*sorts+sort. Bodies that stay in their rack keep their spot. It also changes list.
func (r *filled) moveBodies(list []boxBody, of []int32, sorts int, spots [][]spot, found []int32) {
	taken := map[spot]bool{}
	key := func(s spot) spot { return spot{rack: s.rack, unit: s.unit, rear: s.rear} }
	for i, b := range list {
		if found[i] == b.spot.rack && !r.beside(&b) {
			taken[key(b.spot)] = true
		}
	}
	next := make([]int, len(spots))
	for i := range list {
		b := &list[i]
		if found[i] == b.spot.rack {
			continue
		}
		at := int(found[i])*sorts + int(b.sort)
		for taken[key(spots[at][next[at]])] {
			next[at]++
		}
		s := spots[at][next[at]]
		next[at]++
		if c := b.spot.chassis; c >= 0 {
			to := &r.f.chassis[c]
			to.rack, to.unit, to.number = s.rack, s.unit, int(s.cell)
		}
		b.spot.rack, b.spot.unit, b.spot.rear = s.rack, s.unit, s.rear
	}
	for v := range r.f.spots {
		b := &list[of[v]]
		s := &r.f.spots[v]
		s.rack, s.unit, s.rear = b.spot.rack, b.spot.unit, b.spot.rear
	}
	r.f.recount()
}
