package racklist

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// MaxKinds is the most kinds of racks of a list: types with limits of their own.
const MaxKinds = 128

// Known is a type that racks of a list may have.
type Known struct {
	Name string
	layout.RackType
	// Taken tells that only some kinds of boxes stand in its racks.
	Taken bool
}

// Kind is a type of racks with limits of their own.
type Kind struct {
	Of int // of the known types
	layout.RackType
}

// Kinds finds the kinds of racks of the list, and that of each of its racks. The first of the known types is that of
// racks that state none. The first kind is the one of which there are most racks that any box may stand in. The error
// is a diag.List.
func (l *List) Kinds(known []Known) (kinds []Kind, of []int, err error) {
	type key struct {
		of     int
		power  units.Power
		weight units.Mass
		units  int
	}
	var found diag.List
	names := make([]string, len(known))
	at := map[string]int{}
	for i := len(known) - 1; i >= 0; i-- {
		names[i], at[known[i].Name] = known[i].Name, i
	}
	numbers := map[key]int{}
	var count []int
	of = make([]int, len(l.Racks))
	for i := range l.Racks {
		r := &l.Racks[i]
		k := key{power: r.Power, weight: r.Weight, units: r.Units}
		if r.Type != "" {
			base, ok := at[r.Type]
			if !ok && !l.netbox { // NetBox has types of its own
				found.Addf(l.Place(i, Type), "there is no type of racks %q\n%s", clip(r.Type),
					diag.Suggest(r.Type, names, "it is one of "))
				continue
			}
			k.of = base
		}
		base := &known[k.of]
		if wrong := l.outerMismatch(i, base); wrong != "" {
			found.Addf(l.Place(i, Name), "rack %s is %s\nname a type of this size: the room's rack, or one in a "+
				"column rack_type",
				r.Name, wrong)
		}
		if r.Units > base.Units {
			found.Addf(l.Place(i, Units), "a %s has %d units, not %d", base.Name, base.Units, r.Units)
		}
		if k.power == base.Power {
			k.power = 0
		}
		if k.weight == base.Weight {
			k.weight = 0
		}
		if k.units == base.Units {
			k.units = 0
		}
		n, ok := numbers[k]
		if !ok {
			if n = len(kinds); n == MaxKinds {
				found.Addf(l.Place(i, Name), "more than %d kinds of racks by type, power, weight and units\n"+
					"round what the racks supply and bear", MaxKinds)
				return nil, nil, found
			}
			numbers[k] = n
			kinds, count = append(kinds, l.kind(i, k.of, base)), append(count, 0)
		}
		if of[i] = n; !r.Reserved {
			count[n]++
		}
	}
	if err := found.Err(); err != nil {
		return nil, nil, err
	}
	first := -1
	for n := range kinds {
		if !known[kinds[n].Of].Taken && (first < 0 || count[n] > count[first]) {
			first = n
		}
	}
	if first < 0 { // every type is for some boxes: others have no racks
		kinds = append(kinds, Kind{RackType: known[0].RackType})
		first = len(kinds) - 1
	}
	kinds[0], kinds[first] = kinds[first], kinds[0]
	for i := range of {
		switch of[i] {
		case 0:
			of[i] = first
		case first:
			of[i] = 0
		}
	}
	return kinds, of, nil
}

// kind is that of rack i, of a known type.
func (l *List) kind(i, of int, base *Known) Kind {
	r := &l.Racks[i]
	k := Kind{Of: of, RackType: base.RackType}
	k.Listed = base.Name
	var limits []string
	if r.Units > 0 {
		k.Units = r.Units
	}
	if r.Power > 0 {
		k.Power = r.Power
	}
	if r.Weight > 0 {
		k.Weight = r.Weight
	}
	if k.Units != base.Units {
		limits = append(limits, fmt.Sprintf("%d units", k.Units))
	}
	if k.Power != base.Power {
		limits = append(limits, k.Power.String())
	}
	if k.Weight != base.Weight {
		limits = append(limits, k.Weight.String())
	}
	k.Name = base.Name
	if limits != nil {
		k.Name += " (" + strings.Join(limits, ", ") + ")"
	}
	return k
}

// called has the names of the positions of a list that is laid out, row by row.
func (l *List) called() *layout.RackNames {
	var out [][]layout.RackName
	for _, row := range l.rows {
		names := make([]layout.RackName, len(row))
		for i, rack := range row {
			r := &l.Racks[rack]
			names[i] = layout.RackName{Name: r.Name, Number: cmp.Or(r.Position, i+1)}
		}
		out = append(out, names)
	}
	return layout.NewRackNames(out)
}
