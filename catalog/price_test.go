package catalog

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/units"
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

// The custom prices of Perseus: a line for each kind of cable, and a quarter on
// top.
func TestPublishedPerseusCustomPrices(t *testing.T) {
	c := Default()
	set := c.PriceSet("perseus-2011")
	for id, line := range map[string][2]float64{
		"custom-10g-sfp+-copper": {6, 40},
		"custom-40g-qsfp-copper": {16, 40},
		"custom-40g-qsfp-fibre":  {5, 376},
	} {
		part := c.Part(id)
		for need := units.Length(0.25); need <= part.Cable.MadeToMeasure; need += 0.5 {
			length, ok := part.Stock(need)
			want := units.MoneyOf((line[0]*float64(length) + line[1]) * 1.25)
			if q := set.Quote(part, length); !ok || !q.Priced || q.Unit != want {
				t.Errorf("%s for %v: %v %+v, published %v", id, need, length, q, want)
			}
		}
	}
}

// REWIRE's prices of switches, and of cables by class.
func TestPublishedREWIREPrices(t *testing.T) {
	c := Default()
	set := c.PriceSet("rewire-2012")
	for id, want := range map[string]float64{
		"generic-switch-48x1g-4x10g": 5000, "generic-switch-24x10g": 6000,
		"generic-switch-48x10g": 10000,
	} {
		if q := set.Quote(c.Part(id), 0); q.Unit != units.MoneyOf(want) || q.Confidence != Paper {
			t.Errorf("%s: %+v, published %v", id, q, want)
		}
	}
	for _, id := range []string{"dac-10g-sfp+", "aoc-10g-sfp+"} {
		for _, l := range c.Part(id).Cable.Lengths {
			q := set.Quote(c.Part(id), l)
			if !q.Priced || !slices.Contains([]units.Money{6000, 12000, 25000}, q.Unit) || q.Confidence != Estimate {
				t.Errorf("%s of %v: %+v", id, l, q)
			}
		}
	}
}

// A range goes through to the quote; where none is stated, the set's spread does.
func TestQuoteCarriesRanges(t *testing.T) {
	c := Default()
	q := c.PriceSet("slimfly-2014").Quote(c.Part("aoc-40g-qsfp"), 20)
	low, high := units.MoneyOf((0.0919*20+2.7452)*40), units.MoneyOf((0.0919*20+7.2745)*40)
	if q.Low != low || q.Unit != high || q.High != high {
		t.Errorf("the two intercepts give %v to %v, want %v to %v", q.Low, q.High, low, high)
	}
	q = c.PriceSet("estimate-2025").Quote(c.Part("nvidia-qm9700"), 0)
	if q.Unit != 2800000 || q.Low != 1680000 || q.High != 4480000 {
		t.Errorf("the spread gives %v to %v for %v", q.Low, q.High, q.Unit)
	}
	q = c.PriceSet("perseus-2011").Quote(c.Part("dac-40g-qsfp"), 3)
	if q.Low != q.Unit || q.High != q.Unit {
		t.Errorf("a price without a range has %v to %v", q.Low, q.High)
	}
}

// A converted set quotes the converted price, rounded once, and says so.
func TestSetInAnotherCurrency(t *testing.T) {
	c := Default()
	x := &Exchange{Currency: "EUR", Rates: map[string]float64{"USD": 0.92}, Date: "2025-06-01"}
	for _, name := range c.PriceSets() {
		set := c.PriceSet(name)
		in := set.In(x)
		for _, p := range c.Parts() {
			lengths := []units.Length{0}
			if p.Cable != nil {
				lengths = p.Cable.Lengths
			}
			for _, l := range lengths {
				a, b := set.Quote(&p, l), in.Quote(&p, l)
				if a.Priced != b.Priced || a.Priced && math.Abs(b.Unit.Float()-a.Unit.Float()*0.92) > 0.0101 {
					t.Errorf("%s: %s of %v: %v USD, %v EUR", name, p.ID, l, a.Unit, b.Unit)
				}
				if b.Priced && !strings.HasSuffix(b.Source, "; USD at 0.92 EUR, 2025-06-01") {
					t.Errorf("%s: %s: source %q", name, p.ID, b.Source)
				}
			}
		}
		if want := units.MoneyOf(set.Labour.InRack.Float() * 0.92); in.Labour.InRack != want || in.Currency != "EUR" {
			t.Errorf("%s: labour at %v %s", name, in.Labour.InRack, in.Currency)
		}
		if set.Currency != "USD" || strings.Contains(set.Source, "EUR") {
			t.Errorf("%s changed", name)
		}
		if set.In(&Exchange{Currency: "USD"}) != set || set.In(&Exchange{Currency: "GBP"}) != nil {
			t.Errorf("%s in its own currency, or in one without a rate", name)
		}
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

// The estimates price all that is bought for an interconnect, at every length.
func TestEstimateIsComplete(t *testing.T) {
	c := Default()
	for _, p := range c.Parts() {
		lengths := []units.Length{0}
		if p.Cable != nil {
			lengths = append(p.Cable.Lengths, p.Cable.MadeToMeasure)
		}
		for _, l := range lengths {
			for _, name := range []string{"estimate-2025", "estimate-2026"} {
				q := c.PriceSet(name).Quote(&p, l)
				if bought := p.Kind != KindNode; q.Priced != bought || bought && q.Unit <= 0 {
					t.Errorf("%s of %v: %+v", p.ID, l, q)
				}
				if q.Priced && q.Confidence != Estimate {
					t.Errorf("%s: confidence %q", p.ID, q.Confidence)
				}
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
		{"x", 0, Quote{100, 100, 100, true, "drawn", "the set", Paper, Order{}}},
		{"ab-x", 0, Quote{200, 200, 200, true, "drawn", "the price", User, Order{}}},
		{"ab-ce", 0, Quote{300, 300, 300, true, "drawn", "the set", Paper, Order{}}},
		{"ab-cd", 0, Quote{400, 400, 400, true, "drawn", "the set", Paper, Order{}}},
		{"ab-cde", 0, Quote{300, 300, 300, true, "drawn", "the set", Paper, Order{}}},
		{"by", 3 + 5e-10, Quote{500, 500, 500, true, "drawn", "the set", Paper, Order{}}},
		{"by", 4, Quote{}},
		{"line", 3, Quote{133, 133, 133, true, "drawn", "the set", Paper, Order{}}}, // 1.332, not three of 0.33
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
