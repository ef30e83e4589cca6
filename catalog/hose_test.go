package catalog

import (
	"strings"
	"testing"
)

// TestHoses: a hose states its inside diameter or its connector, and lengths in which it is sold.
func TestHoses(t *testing.T) {
	for text, want := range map[string]string{
		"{inside: 25 mm, lengths: [1 m, 2.5 m], bend: 0.1 m}":    "",
		"{connector: uqd08, made_to_measure: 20 m, step: 0.5 m}": "",
		"{lengths: [1 m]}":                                        "hose.inside: neither the inside diameter",
		"{inside: 25 mm}":                                         "hose.lengths: neither lengths nor",
		"{inside: 25 mm, lengths: [2 m, 1 m]}":                    "hose.lengths: 1 m stands after 2 m",
		"{inside: 25 mm, made_to_measure: 9 m, step: 0.1 mm}":     "hose.step: more than 4096 lengths",
		"{inside: 25 mm, lengths: [1 m], bend: 1 m, length: 3 m}": "length",
	} {
		const begin = "parts: [{id: h, kind: hose, source: s, confidence: user, hose: "
		parts, sets, err := Parse([]byte(begin+text+"}]"), "m.yaml")
		if err == nil {
			_, err = New(parts, sets)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	c, err := New([]Part{{
		ID: "h", Kind: KindHose, Source: "s", Confidence: User,
		Hose: &Hose{Inside: 0.025, MadeToMeasure: 10, Step: 0.5},
	}}, []PriceSet{{
		Name: "p", Currency: "USD", Date: "2026-01-01", Source: "s", Confidence: User,
		Prices: []Price{{Part: "h", Unit: Exactly(30), PerMetre: Exactly(20)}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	h := c.Part("h")
	length, ok := h.Stock(3.2)
	if q := c.PriceSet("p").Quote(h, length); !ok || length != 3.5 || h.Item(length).String() != "h@3.5 m" ||
		!h.Sells(h.Item(length)) || h.Sells(h.Item(3.2)) || q.Unit != 10000 {
		t.Errorf("%v, %v, %+v", length, ok, q)
	}
	if _, ok := h.Stock(10.1); ok {
		t.Error("longer than is sold")
	}
	if c.Storable(h.Item(0)) == nil || c.Storable(h.Item(3.5)) != nil || c.Storable(h.Item(11)) == nil {
		t.Error("hoses in stock")
	}
}
