package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Cross trays that were not given are laid clear of what is in their way, a few racks further on if need be, and more
// of them where something cuts a part of a row off.
const (
	mostAside = 4  // racks by which a cross tray is moved
	mostAdded = 16 // cross trays
)

// newTrayNetwork lays the trays of a room. It refuses trays that do not join all positions at which racks can stand,
// unless no cable runs on them.
func newTrayNetwork(r *Room, offset []units.Length) (*TrayNetwork, error) {
	s := &r.Spec.Trays
	cross := s.Cross
	if s.Movable {
		cross = r.clearCrosses(offset)
	}
	t, err := layTrays(r, offset, cross)
	if err != nil {
		return nil, err
	}
	cut := t.cutOff()
	for range mostAdded {
		if len(cut) == 0 || !s.Movable {
			break
		}
		c, ok := t.joiningCross(offset, cross, cut)
		if !ok {
			break
		}
		cross = append(slices.Clone(cross), c)
		slices.Sort(cross)
		if t, err = layTrays(r, offset, cross); err != nil {
			return nil, err
		}
		cut = t.cutOff()
	}
	if len(cut) == 0 || s.Unused {
		return t, nil
	}
	advice := "add a cross tray there (room.trays.cross), a level of trays above what is in the way, or a path, or " +
		"keep racks from there (room.keep_outs)"
	return nil, diag.Fieldf("Trays", "columns and other obstacles cut off %s: no tray leads there\n%s",
		r.listPlaces(cut), advice)
}

// listPlaces names places by row: "row B (B07 to B12)". They are in order.
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

// clearCrosses moves cross trays that would run through something to the nearest rack position where they do not; where
// there is none near, to where the fewest rows are cut off from each other.
func (r *Room) clearCrosses(offset []units.Length) []int {
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
	hits := func(after int) int { // gaps between rows in which it runs into something
		x, n := s.cross(after, offset), 0
		for row := range len(r.Rows) - 1 {
			a, b := &r.Rows[row], &r.Rows[row+1]
			if a.Hall == b.Hall && all.between(a.Y, b.Y).meets(strip(FloorPoint(x, a.Y), FloorPoint(x, b.Y), half)) {
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

// islands are the parts of a plan that no tray joins, by number.
type islands struct {
	of       []int32 // each junction's; what it stands for is to be found by find
	sections map[[2]int32]int32
}

func (s *islands) find(i int32) int32 {
	for s.of[i] != i {
		s.of[i] = s.of[s.of[i]]
		i = s.of[i]
	}
	return i
}

func (s *islands) join(a, b int32) {
	if a, b = s.find(a), s.find(b); a != b {
		s.of[max(a, b)] = min(a, b)
	}
}

// islands finds the parts of a plan: junctions that edges join, and stretches of rows without a junction.
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
		out.sections[p.stretch(len(t.Stops), int(p.rowOf[j]), stop)] = int32(j)
	}
	for i := range t.room.Places {
		key := p.stretch(len(t.Stops), t.room.Places[i].Row, t.placeStop[i])
		if _, ok := out.sections[key]; !ok {
			out.sections[key] = int32(len(out.of))
			out.of = append(out.of, int32(len(out.of)))
		}
	}
	return out
}

// stretch names the part of a row that a stop is on.
func (p *trayPlan) stretch(stops, row int, stop int32) [2]int32 {
	if p.section == nil {
		return [2]int32{int32(row), 0}
	}
	return [2]int32{int32(row), p.section[row*stops+int(stop)]}
}

// cutOff lists the rack positions that no level of trays joins to the rest of their hall: those of the level that joins
// the most. It notes whether any level is torn.
func (t *TrayNetwork) cutOff() []int32 {
	if !slices.ContainsFunc(t.plans, func(p *trayPlan) bool { return p.section != nil }) {
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

func (t *TrayNetwork) halls() int { return t.room.Rows[len(t.room.Rows)-1].Hall + 1 }

// apart lists, for each hall, the rack positions outside of the largest part of a plan.
func (t *TrayNetwork) apart(p *trayPlan) [][]int32 {
	parts := t.islands(p)
	on := func(place int32) int32 {
		return parts.find(parts.sections[p.stretch(len(t.Stops), t.room.Places[place].Row, t.placeStop[place])])
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

// besides lists positions of cross trays beside rack positions: not all where there are very many.
func (t *TrayNetwork) besides(places []int32) []int {
	const most = 64
	var out []int
	for _, place := range places {
		number := t.room.Places[place].Number
		out = append(out, number-1, number)
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

// joiningCross finds the cross tray beside a position that is cut off that would join the most parts of the first
// level.
func (t *TrayNetwork) joiningCross(offset []units.Length, cross []int, cut []int32) (after int, found bool) {
	p := t.plans[0]
	parts := t.islands(p)
	half := t.halfWidth(0)
	var near []obstacles // by gap
	all := t.obstaclesOf(0)
	for row, g := range t.gap {
		if g >= 0 {
			near = append(near, all.between(t.room.Rows[row].Y, t.room.Rows[row+1].Y))
		}
	}
	part := func(row int, x units.Length) (int32, bool) {
		stop := t.stopNear(x)
		if t.Stops[stop]-x > stopTolerance && !p.joined(len(t.Stops), row, stop-1, stop) {
			return 0, false // something stands there
		}
		i, ok := parts.sections[p.stretch(len(t.Stops), row, stop)]
		return i, ok
	}
	type choice struct{ after, joins int }
	var best choice
	for _, c := range t.besides(cut) {
		if slices.Contains(cross, c) {
			continue
		}
		x := t.room.Spec.cross(c, offset)
		trial := islands{of: slices.Clone(parts.of)}
		joins := 0
		for row, g := range t.gap {
			if g < 0 {
				continue
			}
			a, okA := part(row, x)
			b, okB := part(row+1, x)
			if !okA || !okB || trial.find(a) == trial.find(b) ||
				near[g].meets(strip(FloorPoint(x, t.room.Rows[row].Y), FloorPoint(x, t.room.Rows[row+1].Y), half)) {
				continue
			}
			trial.join(a, b)
			joins++
		}
		if joins > best.joins {
			best = choice{c, joins}
		}
	}
	return best.after, best.joins > 0
}
