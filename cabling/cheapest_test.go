package cabling

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// TestCheapestLengthIsBought: regardless of what lengths cost, a need takes the one that costs the least of those that
// cover it, in reach of the optics, as long as the media rule lets it be, and no more than the excess longer than the
// shortest.
func TestCheapestLengthIsBought(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := &catalog.Part{ID: "cable", Kind: catalog.KindCable, Cable: &catalog.Cable{
			Medium: catalog.Multimode, Connector: "x", Lengths: []units.Length{1, 2, 3, 5, 7, 10, 15},
		}}
		prices := map[units.Length]catalog.Quote{}
		for _, l := range part.Cable.Lengths {
			prices[l] = catalog.Quote{
				Unit:   units.Money(rapid.IntRange(1, 9).Draw(t, "price")),
				Priced: rapid.IntRange(0, 4).Draw(t, "priced") > 0,
			}
		}
		b := &buyer{quote: func(_ *catalog.Part, l units.Length) catalog.Quote { return prices[l] }}
		c := candidate{part: part, reach: units.Length(rapid.SampledFrom([]int{0, 2, 6, 10}).Draw(t, "reach"))}
		most := units.Length(rapid.SampledFrom([]int{0, 3, 6, 12}).Draw(t, "longest"))
		need := units.Length(rapid.Float64Range(0.1, 15).Draw(t, "need"))
		if most > 0 {
			need = min(need, most)
		}
		if rapid.Bool().Draw(t, "excess") {
			b.excess = &Excess{
				Share:  float64(rapid.IntRange(0, 20).Draw(t, "tenths")) / 10,
				Length: units.Length(rapid.IntRange(0, 5).Draw(t, "metres")),
			}
		}
		shortest := units.Length(0)
		got, ok := b.offerFor(&c, need, most, &linkClass{})
		want := units.Length(0)
		for _, l := range part.Cable.Lengths {
			switch {
			case l < need || c.reach > 0 && l > c.reach:
			case want == 0:
				want, shortest = l, l
			case b.excess != nil && l > shortest*units.Length(1+b.excess.Share)+b.excess.Length+1e-9:
			case most > 0 && l > most || !prices[want].Priced:
			case prices[l].Priced && prices[l].Unit < prices[want].Unit:
				want = l
			}
		}
		if ok != (want > 0) || ok && (got.length != want || got.priced != prices[want].Priced) {
			t.Fatalf("%v takes %v (%v), not %v: %v", need, got.length, ok, want, prices)
		}
	})
}
