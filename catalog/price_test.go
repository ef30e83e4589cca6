package catalog

import (
	"fmt"
	"math"
	"testing"

	"plenum/units"
)

// The stock prices of Perseus (HP, 2011) in dollars, by length in metres.
func TestPublishedPerseusPrices(t *testing.T) {
	c := Default()
	set := c.PriceSet("perseus-2011")
	published := map[string]map[units.Length]float64{
		"dac-10g-sfp+": {1: 45, 2: 52, 3: 66, 5: 74, 10: 101, 12: 117},
		"dac-40g-qsfp": {1: 55, 2: 74, 3: 87, 5: 116},
		"aoc-40g-qsfp": {10: 418, 15: 448, 20: 465, 30: 508, 50: 618, 100: 883},
	}
	for id, prices := range published {
		part := c.Part(id)
		if got := len(part.Cable.Lengths); got != len(prices) {
			t.Errorf("%s is stocked in %d lengths, published in %d", id, got, len(prices))
		}
		for _, length := range part.Cable.Lengths {
			q := set.Quote(part, length)
			if !q.Priced || q.Unit != units.MoneyOf(prices[length]) || q.Confidence != Paper || q.Source == "" {
				t.Errorf("%s of %v: %+v, published %v", id, length, q, prices[length])
			}
		}
	}
	if got := set.Quote(c.Part("voltaire-4036"), 0); got.Unit != units.MoneyOf(36*500) {
		t.Errorf("a switch of 36 ports costs %v, published $500 a port", got.Unit)
	}
	if set.Labour.InRack != units.MoneyOf(2.50) || set.Labour.BetweenRacks != units.MoneyOf(6.25) {
		t.Errorf("labour %+v, published $2.50 and $6.25", set.Labour)
	}
}

// The fitted lines of Besta and Hoefler, Slim Fly (SC 2014), for 40 Gb/s.
func TestPublishedSlimFlyLines(t *testing.T) {
	c := Default()
	set := c.PriceSet("slimfly-2014")
	for _, test := range []struct {
		id     string
		length units.Length
		want   float64
	}{
		{"generic-switch-36x40g", 0, 350.4*36 - 892.3},
		{"generic-switch-64x100g", 0, 350.4*64 - 892.3},
		{"dac-40g-qsfp", 5, (0.4079*5 + 0.5771) * 40},
		{"aoc-40g-qsfp", 20, (0.0919*20 + 7.2745) * 40},
	} {
		q := set.Quote(c.Part(test.id), test.length)
		if !q.Priced || math.Abs(q.Unit.Float()-test.want) > 0.005 {
			t.Errorf("%s of %v: %v, want %.4f", test.id, test.length, q.Unit, test.want)
		}
	}
}

// The estimate prices all that is bought for an interconnect, at every length.
func TestEstimateIsComplete(t *testing.T) {
	c := Default()
	set := c.PriceSet("estimate-2025")
	for _, p := range c.Parts() {
		lengths := []units.Length{0}
		if p.Cable != nil {
			lengths = append(p.Cable.Lengths, p.Cable.MadeToMeasure)
		}
		for _, l := range lengths {
			q := set.Quote(&p, l)
			if bought := p.Kind != KindNode; q.Priced != bought || bought && q.Unit <= 0 {
				t.Errorf("%s of %v: %+v", p.ID, l, q)
			}
			if q.Priced && q.Confidence != Estimate {
				t.Errorf("%s: confidence %q", p.ID, q.Confidence)
			}
		}
	}
}

// Everything made for QDR has a price of its time at every stocked length.
func TestPerseusPricesQDR(t *testing.T) {
	c := Default()
	for _, set := range []string{"perseus-2011", "slimfly-2014"} {
		for _, p := range c.Cables("qsfp", 40) {
			for _, l := range p.Cable.Lengths {
				if !c.PriceSet(set).Quote(p, l).Priced {
					t.Errorf("%s: %s of %v has no price", set, p.ID, l)
				}
			}
		}
		for _, id := range []string{"voltaire-4036", "sun-36-port-qdr", "generic-switch-36x40g"} {
			if !c.PriceSet(set).Quote(c.Part(id), 0).Priced {
				t.Errorf("%s: %s has no price", set, id)
			}
		}
	}
}

func TestQuoteChoosesTheNearestPattern(t *testing.T) {
	set := &PriceSet{
		Name: "drawn", Source: "the set", Confidence: Paper,
		Prices: []Price{
			{Part: "*", Unit: Exactly(1)},
			{Part: "ab-*", Unit: Exactly(2), Source: "the price", Confidence: User},
			{Part: "ab-c*", Unit: Exactly(3)},
			{Part: "ab-cd", Unit: Exactly(4)},
			{Part: "by", ByLength: map[string]Amount{"300 cm": Exactly(5), "5 m": Exactly(6)}},
			{Part: "line", Unit: Exactly(0.333), PerMetre: Exactly(0.333)},
			{Part: "radix", Unit: Exactly(-100), PerPort: Exactly(10)},
			{Part: "vast", Unit: Exactly(1e300)},
		},
	}
	for _, test := range []struct {
		id     string
		length units.Length
		want   Quote
	}{
		{"x", 0, Quote{100, 100, 100, true, "drawn", "the set", Paper}},
		{"ab-x", 0, Quote{200, 200, 200, true, "drawn", "the price", User}},
		{"ab-ce", 0, Quote{300, 300, 300, true, "drawn", "the set", Paper}},
		{"ab-cd", 0, Quote{400, 400, 400, true, "drawn", "the set", Paper}},
		{"ab-cde", 0, Quote{300, 300, 300, true, "drawn", "the set", Paper}},
		{"by", 3 + 5e-10, Quote{500, 500, 500, true, "drawn", "the set", Paper}},
		{"by", 4, Quote{}},
		{"line", 3, Quote{133, 133, 133, true, "drawn", "the set", Paper}}, // 1.332, not three roundings of 0.33
		{"radix", 0, Quote{}},
		{"vast", 0, Quote{}},
	} {
		if got := set.Quote(&Part{ID: test.id}, test.length); got != test.want {
			t.Errorf("%s of %v: %+v, want %+v", test.id, test.length, got, test.want)
		}
	}
	if got := (&PriceSet{}).Quote(&Part{ID: "x"}, 0); got.Priced {
		t.Errorf("an empty set quotes %+v", got)
	}
}

func ExamplePriceSet_Quote() {
	c := Default()
	cable := c.Part("dac-40g-qsfp")
	length, _ := cable.Stock(2.4)
	q := c.PriceSet("perseus-2011").Quote(cable, length)
	fmt.Println(length, q.Unit, q.Confidence)
	// Output: 3 m 87.00 paper
}
