package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Limits of the changes to cross trays that the user has not stated: a cross tray is moved by a few racks to avoid
// obstacles, and cross trays are added where an obstacle cuts off a part of a row.
const (
	mostAside = 4  // racks by which a cross tray is moved
	mostAdded = 16 // cross trays
)

// newTrayNetwork lays out the trays of a room. It returns an error if they do not connect all positions at which racks
// can be, unless no cable runs on them.
func newTrayNetwork(r *Room) (*TrayNetwork, error) {
	s := &r.Spec.Trays
	after := s.Cross
	if s.Movable {
		after = r.clearCrosses()
	}
	cross, err := r.boundaries(after, "Trays.Cross")
	if err != nil {
		return nil, err
	}
	if s.Movable {
		cross = r.crossesAtEnds(cross)
	}
	t, err := layTrays(r, cross)
	if err != nil {
		return nil, err
	}
	cut := t.cutOff()
	for range mostAdded {
		if len(cut) == 0 || !s.Movable {
			break
		}
		x, ok := t.joiningCross(cross, cut)
		if !ok {
			break
		}
		cross = append(slices.Clone(cross), x)
		slices.Sort(cross)
		if t, err = layTrays(r, cross); err != nil {
			return nil, err
		}
		cut = t.cutOff()
	}
	if len(cut) == 0 || s.Unused {
		return t, nil
	}
	advice := "add a cross tray there (room.trays.cross), a level of trays above what is in the way, or a path, or " +
		"keep racks from there (room.keep_outs)"
	why := "columns and other obstacles cut off"
	if r.Spec.List != nil {
		why = "cross trays, which run straight across the rows, do not reach"
		advice += "; a path joins rows that none runs across"
	}
	return nil, diag.Fieldf("Trays", "%s %s: no tray leads there\n%s", why, r.listPlaces(cut), advice)
}

// listPlaces lists the names of places by row, such as "row B (B07 to B12)". places is sorted.
func (r *Room) listPlaces(places []int32) string {
	const most = 6
	var out []string
	for i := 0; i < len(places); {
		j := i + 1
		for j < len(places) && r.Places[places[j]].Row == r.Places[places[i]].Row {
			j++
		}
		row := &r.Rows[r.Places[places[i]].Row]
		var runs []string
		for a := i; a < j; {
			b := a
			for b+1 < j && places[b+1] == places[b]+1 {
				b++
			}
			run := r.Name(int(places[a]))
			if b > a {
				run += " to " + r.Name(int(places[b]))
			}
			runs = append(runs, run)
			a = b + 1
		}
		if len(runs) > most {
			runs = append(runs[:most], fmt.Sprintf("%d more stretches", len(runs)-most))
		}
		out = append(out, fmt.Sprintf("row %s (%s)", row.Name, strings.Join(runs, ", ")))
		i = j
	}
	if len(out) > most {
		out = append(out[:most], english.Count(len(out)-most, "further row"))
	}
	return english.List(out)
}

// clearCrosses returns TraySpec.Cross after moving cross trays that would run through an obstacle to the nearest rack
// position where they do not or, if there is none near, to the one where they are interrupted between the fewest rows.
func (r *Room) clearCrosses() []int {
	s := &r.Spec
	levels := s.Trays.Levels
	if len(levels) == 0 {
		levels = []TrayLevel{{Height: s.Trays.Height, Width: s.Trays.Width}}
	}
	t := &TrayNetwork{room: r, Levels: levels}
	var all obstacles
	half := units.Length(0)
	for i := range r.KeepOuts {
		k := &r.KeepOuts[i]
		if slices.ContainsFunc(levels, func(l TrayLevel) bool { return k.blocks(l.Height) }) {
			all = append(all, k)
		}
	}
	for i := range levels {
		half = max(half, t.halfWidth(i))
	}
	if len(all) == 0 {
		return s.Trays.Cross
	}
	hits := func(after int) int { // number of spaces between rows in which an obstacle interrupts a cross tray
		x, n := r.boundary(r.longest(), after), 0
		for row := range r.Rows {
			if to := r.nextAcross(row, x); to >= 0 && t.isClosed(row, to, x, all, half) {
				n++
			}
		}
		return n
	}
	var out []int
	for _, c := range s.Trays.Cross {
		best, fewest := c, hits(c)
		for aside := 1; aside <= mostAside && fewest > 0; aside++ {
			for _, other := range []int{c + aside, c - aside} {
				if other < 0 || other > s.PerRow || slices.Contains(out, other) {
					continue
				}
				if n := hits(other); n < fewest {
					best, fewest = other, n
				}
			}
		}
		out = append(out, best)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// crossesAtEnds adds cross trays, in rooms whose rows do not all have the same ends, at ends of rows that are far from
// the nearest cross tray, if the tray of another row reaches there.
func (r *Room) crossesAtEnds(cross []units.Length) []units.Length {
	const racks = 3 // of the longest run from an end to a cross tray
	first := &r.Rows[0]
	if !slices.ContainsFunc(r.Rows, func(o Row) bool { return o.X0 != first.X0 || o.X1 != first.X1 }) {
		return cross
	}
	far := racks * r.Spec.Rack.Width
	for i := range r.Rows {
		for _, x := range []units.Length{r.Rows[i].X0, r.Rows[i].X1} {
			near := func(c units.Length) bool { return r.Rows[i].reaches(c) && (c-x).Abs() < far }
			joins := r.nextAcross(i, x) >= 0 || slices.ContainsFunc(r.Rows[:i], func(o Row) bool {
				return o.Hall == r.Rows[i].Hall && o.reaches(x)
			})
			if joins && !slices.ContainsFunc(cross, near) {
				cross = append(slices.Clone(cross), x)
			}
		}
	}
	slices.Sort(cross)
	return cross
}

// islands are the connected components of a plan, as a union-find structure.
type islands struct {
	of       []int32            // parent of each element: the junctions, then stretches of rows without a junction
	sections map[[2]int32]int32 // element of each stretch of a row
}

// find returns the component of element i.
func (s *islands) find(i int32) int32 {
	for s.of[i] != i {
		s.of[i] = s.of[s.of[i]]
		i = s.of[i]
	}
	return i
}

// join unites the components of two elements.
func (s *islands) join(a, b int32) {
	if a, b = s.find(a), s.find(b); a != b {
		s.of[max(a, b)] = min(a, b)
	}
}

// islands returns the connected components of a plan: junctions connected by edges, and stretches of rows without a
// junction.
func (t *TrayNetwork) islands(p *trayPlan) *islands {
	out := &islands{of: make([]int32, len(p.stopAt)), sections: map[[2]int32]int32{}}
	for i := range out.of {
		out.of[i] = int32(i)
	}
	for a, edges := range p.edges {
		for _, e := range edges {
			out.join(int32(a), e.to)
		}
	}
	for j, stop := range p.stopAt {
		out.sections[t.stretch(p, int(p.rowOf[j]), stop)] = int32(j)
	}
	for i := range t.room.Places {
		key := t.stretch(p, t.room.Places[i].Row, t.placeStop[i])
		if _, ok := out.sections[key]; !ok {
			out.sections[key] = int32(len(out.of))
			out.of = append(out.of, int32(len(out.of)))
		}
	}
	return out
}

// stretch returns a key of the part of a row, between obstacles, that a stop is on.
func (t *TrayNetwork) stretch(p *trayPlan, row int, stop int32) [2]int32 {
	if p.section == nil {
		return [2]int32{int32(row), 0}
	}
	return [2]int32{int32(row), p.section[t.rows[row].first+stop]}
}

// cutOff lists the rack positions that the trays do not connect to the rest of their hall, on the level that connects
// the most positions. It sets torn if there are any on some level.
func (t *TrayNetwork) cutOff() []int32 {
	if !slices.ContainsFunc(t.plans, func(p *trayPlan) bool { return p.section != nil || p.over != nil }) {
		return nil
	}
	var cut []int32
	best := make([][]int32, t.halls())
	for i, p := range t.plans {
		apart := t.apart(p)
		for hall, list := range apart {
			t.torn = t.torn || len(list) > 0
			if i == 0 || len(list) < len(best[hall]) {
				best[hall] = list
			}
		}
	}
	for _, list := range best {
		cut = append(cut, list...)
	}
	return cut
}

// halls returns the number of halls.
func (t *TrayNetwork) halls() int { return t.room.Rows[len(t.room.Rows)-1].Hall + 1 }

// apart lists, for each hall, the rack positions outside the largest connected component of a plan.
func (t *TrayNetwork) apart(p *trayPlan) [][]int32 {
	parts := t.islands(p)
	on := func(place int32) int32 {
		return parts.find(parts.sections[t.stretch(p, t.room.Places[place].Row, t.placeStop[place])])
	}
	size := make([]map[int32]int, t.halls())
	for i := range t.room.Places {
		hall := t.room.Rows[t.room.Places[i].Row].Hall
		if size[hall] == nil {
			size[hall] = map[int32]int{}
		}
		size[hall][on(int32(i))]++
	}
	largest := make([]int32, len(size))
	for hall, sizes := range size {
		most := 0
		for part, n := range sizes {
			if n > most || n == most && part < largest[hall] {
				largest[hall], most = part, n
			}
		}
	}
	out := make([][]int32, len(size))
	for i := range t.room.Places {
		if hall := t.room.Rows[t.room.Places[i].Row].Hall; on(int32(i)) != largest[hall] {
			out[hall] = append(out[hall], int32(i))
		}
	}
	return out
}

// besides lists the x of possible cross trays at the edges of rack positions, at most 64 of them, evenly chosen.
func (t *TrayNetwork) besides(places []int32) []units.Length {
	const most = 64
	var out []units.Length
	for _, place := range places {
		p := &t.room.Places[place]
		out = append(out, t.room.boundary(p.Row, p.Number-1), t.room.boundary(p.Row, p.Number))
	}
	slices.Sort(out)
	out = slices.Compact(out)
	every := (len(out) + most - 1) / most
	for i := range out {
		if i*every >= len(out) {
			return out[:i]
		}
		out[i] = out[i*every]
	}
	return out
}

// joiningCross returns the x of the cross tray, beside a position that is cut off, that would connect the most
// components of the first level; false if none would connect any.
func (t *TrayNetwork) joiningCross(cross []units.Length, cut []int32) (x units.Length, found bool) {
	p := t.plans[0]
	parts := t.islands(p)
	half := t.halfWidth(0)
	all := t.obstaclesOf(0)
	near := make([]obstacles, len(t.room.Rows)) // between each row and the next
	for row, g := range t.gap {
		if g >= 0 {
			near[row] = all.between(t.room.Rows[row].Y, t.room.Rows[row+1].Y)
		}
	}
	part := func(row int, x units.Length) (int32, bool) {
		stop := t.rows[row].near(x)
		if t.stopAt(row, stop)-x > stopTolerance && !t.areJoined(p, row, stop-1, stop) {
			return 0, false // an obstacle is there
		}
		i, ok := parts.sections[t.stretch(p, row, stop)]
		return i, ok
	}
	best := 0
	for _, c := range t.besides(cut) {
		if slices.ContainsFunc(cross, func(x units.Length) bool { return (x - c).Abs() < stopTolerance }) {
			continue
		}
		trial := islands{of: slices.Clone(parts.of)}
		joins := 0
		for row := range t.room.Rows {
			to := t.room.nextAcross(row, c)
			if to < 0 {
				continue
			}
			a, okA := part(row, c)
			b, okB := part(to, c)
			between := near[row]
			if to > row+1 {
				between = all.between(t.room.Rows[row].Y, t.room.Rows[to].Y)
			}
			if !okA || !okB || trial.find(a) == trial.find(b) ||
				between.meets(strip(FloorPoint(c, t.room.Rows[row].Y), FloorPoint(c, t.room.Rows[to].Y), half)) {
				continue
			}
			trial.join(a, b)
			joins++
		}
		if joins > best {
			best, x = joins, c
		}
	}
	return x, best > 0
}
