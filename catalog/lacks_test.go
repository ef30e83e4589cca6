package catalog

import (
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/units"
)

// TestLacks takes the figures of complete parts away one by one: each is missed by its key, and nothing else is.
func TestLacks(t *testing.T) {
	box := Part{ID: "b", Kind: KindSwitch, Width: 1, Depth: 1, Power: 1, Weight: 1, Hop: 1}
	for _, c := range []struct {
		kind Kind
		with func(*Part)
		want []string
	}{
		{KindSwitch, func(*Part) {}, nil},
		{KindSwitch, func(p *Part) { p.Width = 0 }, []string{"width"}},
		{KindSwitch, func(p *Part) { p.Depth = 0 }, []string{"depth"}},
		{KindSwitch, func(p *Part) { p.Power, p.Hop = 0, 0 }, []string{"power", "hop"}},
		{KindNode, func(p *Part) { p.Hop = 0 }, nil},
		{KindNode, func(p *Part) { p.Weight = 0 }, []string{"weight"}},
		{KindAdapter, func(p *Part) { p.Width, p.Weight, p.Hop, p.Power = 0, 0, 0, 0 }, []string{"power"}},
		{KindChassis, func(p *Part) { p.Power = 0 }, nil},
		{KindTray, func(p *Part) { p.Depth = 0 }, nil},
		{KindRack, func(*Part) {}, []string{"height", "rack.power", "rack.weight", "rack.base"}},
		{KindRack, func(p *Part) { p.Height, p.Rack = 2, &RackSpec{Power: 1, Weight: 1, Base: 1} }, nil},
		{KindOptic, func(p *Part) { p.Optic = &Optic{End: 1} }, []string{"loss"}},
		{KindPanel, func(p *Part) { p.Panel = &Panel{} }, []string{"loss"}},
		{
			KindCable, func(p *Part) { p.Power, p.Cable = 0, &Cable{Medium: SingleMode, Bend: 1, Diameter: 1} },
			[]string{"attenuation"},
		},
		{
			KindCable, func(p *Part) { p.Power, p.Cable = 0, &Cable{Medium: ActiveCopper, Diameter: 1} },
			[]string{"power", "bend", "end"},
		},
	} {
		part := box
		part.Kind = c.kind
		c.with(&part)
		for _, priced := range []bool{false, true} {
			cat, want := newSorted([]Part{part}, nil), c.want
			if priced {
				set := PriceSet{Name: "s", Prices: []Price{{Part: "b", Unit: Exactly(units.Price(2))}}}
				cat = newSorted([]Part{part}, []PriceSet{set})
			} else {
				want = append(slices.Clone(want), "price")
			}
			if got := cat.Lacks(&part); !slices.Equal(got.Missing, want) || got.Part != "b" || got.Kind != c.kind {
				t.Errorf("%s, priced %v: %+v, want %v", c.kind, priced, got, want)
			}
		}
	}
	own := box
	own.Estimated = []string{"hop"}
	if got := Default().Lacks(&own); !slices.Equal(got.Estimated, own.Estimated) {
		t.Errorf("%+v", got)
	}
	own.Confidence = Estimate
	if got := Default().Lacks(&own); !slices.Equal(got.Estimated, []string{"all"}) {
		t.Errorf("%+v", got)
	}
}
