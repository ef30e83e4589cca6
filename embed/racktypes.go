package embed

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
)

// types returns the rack types that boxes of a kind may be in.
func (k *Kind) types() []int {
	if k.Types == nil {
		return []int{0}
	}
	return k.Types
}

// typesOf returns the rack types that racks of a home may have.
func (f *filler) typesOf(at home) []int {
	if t := f.p.templateOf(at); t != nil {
		return t.types()
	}
	var out []int
	for i := range f.p.Kinds {
		if k := &f.p.Kinds[i]; k.Class != Beside && k.home() == at {
			for _, of := range k.types() {
				if !slices.Contains(out, of) {
					out = append(out, of)
				}
			}
		}
	}
	if out == nil {
		return []int{0}
	}
	return out
}

// mayStandIn reports whether boxes of a kind may be in a rack of a type.
func (f *filler) mayStandIn(kind, of int) bool {
	return len(f.p.Room.Types) == 0 || slices.Contains(f.p.Kinds[kind].types(), of)
}

// commonTypes returns the rack types that boxes of all given kinds may be in.
func (f *filler) commonTypes(kinds []int) []int {
	out := slices.Clone(f.p.Kinds[kinds[0]].types())
	return slices.DeleteFunc(out, func(of int) bool {
		return slices.ContainsFunc(kinds, func(k int) bool { return !f.mayStandIn(k, of) })
	})
}

// supply has the rack positions of a room with several rack types. Racks take the positions of a type in order.
type supply struct {
	places [][]int32 // positions of each type, along the rows
	taken  []int     // number of racks of each type so far; may exceed the positions
}

// newSupply lists the positions of a room by type.
func newSupply(room *layout.Room) *supply {
	n := len(room.Spec.Types) + 1
	s := &supply{places: make([][]int32, n), taken: make([]int, n)}
	for i, p := range room.Places {
		s.places[p.Type] = append(s.places[p.Type], int32(i))
	}
	return s
}

// next returns the first position that is left for racks of a type, false if there is none.
func (s *supply) next(of int) (int32, bool) {
	if s.taken[of] >= len(s.places[of]) {
		return 0, false
	}
	return s.places[of][s.taken[of]], true
}

// nextTypes returns the rack types of a home that have positions left, as typesLeft does.
func (f *filler) nextTypes(at home) []int { return f.typesLeft(f.typesOf(at)) }

// typesLeft returns those of some rack types that have positions left, in the order of their first free positions along
// the rows; the first of the types if none has any.
func (f *filler) typesLeft(types []int) []int {
	if f.supply == nil || len(types) == 1 {
		return types
	}
	var out []int
	for _, of := range types {
		if _, left := f.supply.next(of); left {
			out = append(out, of)
		}
	}
	if out == nil {
		return types[:1]
	}
	slices.SortFunc(out, func(a, b int) int {
		i, _ := f.supply.next(a)
		j, _ := f.supply.next(b)
		return cmp.Compare(i, j)
	})
	return out
}

// takePlace counts a rack of a type, which takes the first position left for the type.
func (f *filler) takePlace(of int) {
	if f.supply != nil {
		f.supply.taken[of]++
	}
}

// giveBack undoes takePlace.
func (f *filler) giveBack(of int) {
	if f.supply != nil {
		f.supply.taken[of]--
	}
}

// byType divides racks by their type. The types are in the order of their first racks.
func (fl *floor) byType(racks []int32) [][]int32 {
	var out [][]int32
	for _, r := range racks {
		of := fl.f.racks[r].state.of
		i := slices.IndexFunc(out, func(part []int32) bool { return fl.f.racks[part[0]].state.of == of })
		if i < 0 {
			i = len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// networkRows chooses rows in the middle of a room whose rows differ in length: the smallest number of rows that hold
// the network racks, if the other rows hold the other racks. If there is no such choice, needed is more than the number
// of rows. racks is the number of all racks.
func networkRows(room *layout.Room, network, racks int) (first, needed int) {
	free := make([]int, len(room.Rows))
	for i := range room.Places {
		free[room.Places[i].Row]++
	}
	for needed = 1; needed < len(free); needed++ {
		first, have := (len(free)-needed)/2, 0
		for _, n := range free[first : first+needed] {
			have += n
		}
		if have >= network && len(room.Places)-have >= racks-network {
			return first, needed
		}
	}
	return 0, len(free) + 1
}

// typesAhead returns the rack types that the next n racks have, each of one of the given types.
func (f *filler) typesAhead(types []int, n int) []int {
	empty := f.open && f.rack.boxes == 0
	if empty { // openRack gives it another type
		f.giveBack(f.rack.of)
	}
	var out []int
	for range n {
		of := f.typesLeft(types)[0]
		f.takePlace(of)
		out = append(out, of)
	}
	for _, of := range out {
		f.giveBack(of)
	}
	if empty {
		f.takePlace(f.rack.of)
	}
	return out
}

// checkTypes returns an error about requests that cannot be combined with several rack types.
func (f *filler) checkTypes() error {
	if len(f.p.Room.Types) > 0 && f.p.Fill != FillByGroups {
		return diag.Fieldf("Fill", "cannot be combined with %s, which cannot move up\nleave one of them out",
			f.ofTypes())
	}
	for i := range f.p.Kinds {
		if k := &f.p.Kinds[i]; len(f.p.Contiguous) > 0 && k.Class != Beside && len(k.types()) > 1 {
			return diag.Fieldf(diag.Elem("Kinds", i), "rows of their own for some boxes need one type of racks for "+
				"each kind of box, and these may stand in %d (%s)\nsay with for which type is for which boxes, or "+
				"leave out the rows of their own", len(k.types()), f.ofTypes())
		}
	}
	sorts := (len(f.p.Room.Types) + 1) * (len(f.p.Contiguous) + 1)
	if len(f.p.Room.Types) > 0 && f.antiAffinity.wide() && sorts > mostSorts {
		return diag.Fieldf("AntiAffinity", "rules for domains larger than a rack are kept for up to %d types of racks "+
			"times boxes with rows of their own, and there are %d (%s)\nkeep boxes apart by racks (within: rack), "+
			"or have fewer types", mostSorts, sorts, f.ofTypes())
	}
	return nil
}

// ofTypes names the keys of the machine file that give a room several rack types.
func (f *filler) ofTypes() string {
	if f.p.Room.Names != nil {
		return "racks of several types or limits (room.rack_list)"
	}
	return "types of racks (room.rack_types)"
}

// distributeRacks gives racks positions at the ends or in the middle of rows, type by type. It reports whether there
// was room for all.
func (fl *floor) distributeRacks(s *spreader, racks []int32, middle bool) bool {
	for _, part := range fl.byType(racks) {
		if !s.distributeType(part, middle, fl.f.racks[part[0]].state.of) {
			return false
		}
	}
	return true
}
