package embed

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// deal places order[lo:hi], boxes of several kinds, in the smallest number of new racks such that each rack holds an
// equal share of every kind. The racks are of the types that all kinds may be in. It does so, and returns true, only if
// these are fewer racks than the parameter fewer: the racks that filling one by one takes, which closes a rack as soon
// as one kind has reached its limit (Kind.PerRack), however much room is left for the other kinds.
func (f *filler) deal(s *sequence, lo, hi, fewer int) bool {
	if slices.ContainsFunc(f.p.Kinds, func(k Kind) bool { return k.chassis() >= 0 }) {
		return false
	}
	kinds := f.byKind(s.order[lo:hi])
	var numbers []int
	for _, vs := range kinds {
		numbers = append(numbers, topology.KindOf(f.kinds, int(vs[0])))
	}
	types := f.commonTypes(numbers)
	if len(kinds) == 1 || len(types) == 0 {
		return false
	}
	least := 1
	for _, vs := range kinds {
		if most := f.p.Kinds[topology.KindOf(f.kinds, int(vs[0]))].PerRack; most > 0 {
			least = max(least, arith.CeilDiv(len(vs), most))
		}
	}
	for racks := least; racks < fewer; racks++ {
		of := f.typesAhead(types, racks)
		if !f.sharesFit(kinds, of) {
			continue
		}
		for rack := range racks {
			f.openRack(of[rack])
			for _, vs := range kinds {
				for _, v := range share(vs, rack, racks) {
					f.into(int32(len(f.racks)-1), v)
				}
			}
			f.rack = f.racks[len(f.racks)-1].state
		}
		d := dealRecord{racks: racks, fewer: fewer}
		for _, vs := range kinds {
			d.kinds = append(d.kinds, f.kinds[topology.KindOf(f.kinds, int(vs[0]))].Name)
		}
		f.dealt = append(f.dealt, d)
		return true
	}
	return false
}

// snapshotForDeal returns a copy of the filler, to return to if deal turns out to take fewer racks for the sequence
// than filling one by one; nil where deal is not to be tried. Switches that belong beside the nodes that they are
// linked to would be moved away from them by deal.
func (f *filler) snapshotForDeal(s *sequence) *filler {
	bound := slices.ContainsFunc(s.order, func(v int32) bool {
		kind := topology.KindOf(f.kinds, int(v))
		return f.kinds[kind].Role == topology.Switch && !f.p.Kinds[kind].ByPlace
	})
	limited := slices.ContainsFunc(s.order, func(v int32) bool {
		return f.p.Kinds[topology.KindOf(f.kinds, int(v))].PerRack > 0
	})
	if bound || !limited || f.p.EffectiveStrategy() != Hierarchy || len(f.kinds) == 1 {
		return nil
	}
	out := *f
	out.racks, out.spots, out.dealt = slices.Clone(f.racks), slices.Clone(f.spots), slices.Clone(f.dealt)
	if f.supply != nil {
		out.supply = &supply{places: f.supply.places, taken: slices.Clone(f.supply.taken)}
	}
	return &out
}

// dealRecord records that deal filled racks with kinds of boxes, and in place of how many racks.
type dealRecord struct {
	kinds []string
	racks int
	fewer int // racks that filling one by one would take; more than racks
}

// dealtNotes returns a note for each set of kinds that deal filled racks with.
func (f *filler) dealtNotes() []string {
	var out []string
	var of []dealRecord
	for _, d := range f.dealt {
		i := slices.IndexFunc(of, func(o dealRecord) bool { return slices.Equal(o.kinds, d.kinds) })
		if i < 0 {
			of = append(of, d)
			continue
		}
		of[i].racks += d.racks
		of[i].fewer += d.fewer
	}
	for _, d := range of {
		out = append(out, fmt.Sprintf("%s share %s: with racks that close when one kind reaches its per_rack they "+
			"would take %d", english.List(d.kinds), english.Count(d.racks, "rack"), d.fewer))
	}
	return out
}

// dealByTypes places boxes of several kinds, which were filled into more racks one by one, as deal does, each kind with
// those for the same types of racks. Kinds for more types than others, such as the switches of all racks, come last and
// go to all of these racks evenly. It reports whether these are fewer racks than the parameter fewer.
func (f *filler) dealByTypes(order []int32, fewer int) (bool, error) {
	var sets [][]int32 // boxes by the types of racks of their kinds
	typesOf := func(set []int32) []int { return f.p.Kinds[topology.KindOf(f.kinds, int(set[0]))].types() }
	for _, vs := range f.byKind(order) {
		i := slices.IndexFunc(sets, func(set []int32) bool { return slices.Equal(typesOf(set), typesOf(vs)) })
		if i < 0 {
			i = len(sets)
			sets = append(sets, nil)
		}
		sets[i] = append(sets[i], vs...)
	}
	if len(sets) == 1 {
		return f.deal(&sequence{order: order}, 0, len(order), fewer), nil
	}
	first := len(f.racks)
	var wide [][]int32
	for i, set := range sets {
		if slices.ContainsFunc(sets, func(other []int32) bool { return narrower(typesOf(other), typesOf(set)) }) {
			wide = append(wide, sets[i])
			continue
		}
		s := sequence{order: set}
		if f.open = false; f.deal(&s, 0, len(set), f.racksInTurn(&s, 0, len(set))) {
			continue
		}
		if err := f.fill(s, f.home); err != nil {
			return false, err
		}
	}
	for _, set := range wide {
		for _, vs := range f.byKind(set) {
			if err := f.distribute(vs, first); err != nil {
				return false, err
			}
		}
	}
	return len(f.racks)-first < fewer, nil
}

// narrower reports whether a has fewer types of racks than b, all of them among those of b.
func narrower(a, b []int) bool {
	return len(a) < len(b) && !slices.ContainsFunc(a, func(of int) bool { return !slices.Contains(b, of) })
}

// sharesFit reports whether each of the racks, whose types are given, can hold its share of every kind.
func (f *filler) sharesFit(kinds [][]int32, types []int) bool {
	racks := len(types)
	for rack, of := range types {
		r := rackState{of: of}
		for _, vs := range kinds {
			for _, v := range share(vs, rack, racks) {
				if _, ok := f.put(&r, v, false); !ok {
					return false
				}
			}
		}
	}
	return true
}

// share returns the part of vs that goes into one of `racks` racks. All parts have the same size, but the last ones may
// be smaller or empty.
func share(vs []int32, rack, racks int) []int32 {
	each := arith.CeilDiv(len(vs), racks)
	return vs[min(rack*each, len(vs)):min((rack+1)*each, len(vs))]
}

// holdsGroups reports whether an empty rack of the next rack type can hold each group of one level of the sequence.
func (f *filler) holdsGroups(s *sequence, grouping *groupLevel) bool {
	of := f.nextTypes(f.home)[0]
	r := rackState{of: of}
	for i, v := range s.order {
		if i > 0 && grouping.of[i] != grouping.of[i-1] {
			r = rackState{of: of}
		}
		if _, ok := f.put(&r, v, false); !ok {
			return false
		}
	}
	return true
}
