package catalog

import (
	"strings"
	"testing"
)

// TestBaseOfASet prices by a set and its base, in two currencies, and refuses bases that are not there.
func TestBaseOfASet(t *testing.T) {
	parts := []Part{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	old := PriceSet{
		Name: "old", Currency: "USD", Prices: []Price{{Part: "a", Unit: Exactly(1)}, {Part: "b", Unit: Exactly(2)}},
	}
	young := PriceSet{Name: "young", Currency: "USD", Base: "old", Prices: []Price{{Part: "a", Unit: Exactly(5)}}}
	c := newSorted(parts, []PriceSet{old, young})
	for _, x := range []*Exchange{{Currency: "USD"}, {Currency: "EUR", Rates: map[string]float64{"USD": 0.5}}} {
		rate, _ := x.Rate("USD")
		set := c.PriceSet("young").In(x)
		for id, want := range map[string]float64{"a": 5, "b": 2} {
			from := map[string]string{"a": "young", "b": "old"}[id]
			if q := set.Quote(c.Part(id), 0); !q.Priced || q.Unit.Float() != want*rate || q.From != from {
				t.Errorf("%s in %s: %+v, want %v from %s", id, x.Currency, q, want*rate, from)
			}
		}
		if q := set.Quote(c.Part("c"), 0); q.Priced {
			t.Errorf("c has a price: %+v", q)
		}
	}
	if c.PriceSet("young").In(&Exchange{Currency: "EUR"}) != nil {
		t.Error("a set without a rate was converted")
	}
	older := old
	older.Currency = "CHF"
	c = newSorted(parts, []PriceSet{older, young})
	if c.PriceSet("young").In(&Exchange{Currency: "USD"}) != nil {
		t.Error("a set whose base has no rate was converted")
	}
	for base, want := range map[string]string{
		"odl":   `there is no other price set "odl" | did you mean "old"?`,
		"third": `there is no other price set "third" | it is one of old, young`,
		"young": "",
		"":      "",
	} {
		third := PriceSet{Name: "third", Currency: "USD", Date: "2026", Source: "x", Confidence: User, Base: base}
		k := checker{catalog: newSorted(parts, []PriceSet{old, young, third})}
		k.checkSet(k.catalog.PriceSet("third"))
		var got []string
		for _, err := range k.faults {
			f := err.(*Fault)
			got = append(got, f.Message+" | "+f.Suggestion)
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("base %q: %q, want %q", base, text, want)
		}
	}
	// Two sets may have each other; what neither prices has no price.
	old.Base = "young"
	c = newSorted(parts, []PriceSet{old, young})
	for _, name := range []string{"old", "young"} {
		set := c.PriceSet(name).In(&Exchange{Currency: "EUR", Rates: map[string]float64{"USD": 2}})
		if q := set.Quote(c.Part("b"), 0); q.Unit.Float() != 4 || q.From != "old" {
			t.Errorf("b by %s: %+v", name, q)
		}
		if q := set.Quote(c.Part("c"), 0); q.Priced {
			t.Errorf("c by %s: %+v", name, q)
		}
	}
}

// TestPortsWithOpticsInside refuses ports that no fibre fits, and takes those of co-packaged switches.
func TestPortsWithOpticsInside(t *testing.T) {
	good := PortOptic{Standard: "dr4", Fibre: SingleMode, Reach: 500}
	for _, c := range []struct {
		connector string
		with      func(*PortOptic)
		want      string
	}{
		{"mpo12-apc", func(*PortOptic) {}, ""},
		{"mmc12-apc", func(*PortOptic) {}, ""},
		{"mmc12-apc", func(o *PortOptic) { o.Fibre = Multimode }, `no multimode cable ends in "mmc12-apc"`},
		{"osfp", func(*PortOptic) {}, `no single-mode cable ends in "osfp"`},
		{"mpo12-apc", func(o *PortOptic) { o.Standard = "" }, "missing"},
		{"mpo12-apc", func(o *PortOptic) { o.Reach = 0 }, "must be stated and greater than 0"},
		{"mpo12-apc", func(o *PortOptic) { o.Loss = -1 }, "must not be negative or infinite"},
		{"mpo12-apc", func(o *PortOptic) { o.End = -1 }, "must not be negative or infinite"},
	} {
		o := good
		c.with(&o)
		k := checker{catalog: Default()}
		k.checkPorts("ports[0]", &PortGroup{Count: 1, Connector: c.connector, Rate: 800, Optic: &o})
		if got := said(k.faults); got != c.want {
			t.Errorf("%s, %+v: %q, want %q", c.connector, o, got, c.want)
		}
		for _, err := range k.faults {
			if path := err.(*Fault).Path; !strings.HasPrefix(path, "ports[0].optic") {
				t.Errorf("%v is at %s", err, path)
			}
		}
	}
}
