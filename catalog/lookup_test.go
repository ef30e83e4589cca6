package catalog

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

func ids(parts []*Part) []string {
	var ids []string
	for _, p := range parts {
		ids = append(ids, p.ID)
	}
	return ids
}

func TestLookups(t *testing.T) {
	c := Default()
	for _, test := range []struct {
		name string
		got  []*Part
		want []string
	}{
		{"cables of QDR", c.Cables("qsfp", 40), []string{
			"aoc-40g-qsfp", "custom-40g-qsfp-copper",
			"custom-40g-qsfp-fibre", "dac-40g-qsfp", "oracle-qdr-copper", "oracle-qdr-optical",
		}},
		{
			"cables at 400G", c.Cables("qsfp112", 400),
			[]string{"acc-400g-qsfp112", "aoc-400g-qsfp112", "dac-400g-qsfp112"},
		},
		{
			"a faster cable serves a slower port", c.Cables("qsfp56", 100),
			[]string{"aoc-200g-qsfp56", "dac-200g-qsfp56"},
		},
		{"a slower cable does not serve a faster port", c.Cables("qsfp28", 200), nil},
		{"fibre is not a direct-attach cable", c.Cables("mpo12-apc", 0), nil},
		{
			"optics of an NDR switch", c.Optics("osfp", 400),
			[]string{
				"nvidia-mma4z00-ns", "nvidia-mms4x00-nm", "nvidia-mms4x00-ns", "nvidia-mms4x50-nm",
				"nvidia-mms4x90-nr", "optic-400g-osfp-dr4", "optic-400g-osfp-fr4", "optic-400g-osfp-sr8",
			},
		},
		{
			"optics of a DGX H100", c.Optics("osfp-flat", 400),
			[]string{"nvidia-mma4z00-ns-flt", "nvidia-mms4x00-ns-flt"},
		},
		{"optics at another rate", c.Optics("osfp", 200), nil},
		{"single-mode fibre", c.Fibres("mpo12-apc", "mpo12-apc", SingleMode), []string{"fibre-sm-mpo12-apc"}},
		{"multimode fibre", c.Fibres("mpo12-apc", "mpo12-apc", Multimode), []string{"fibre-mm-mpo12-apc"}},
		{
			"twins and splitters are not ordinary cables", c.Cables("osfp", 400),
			[]string{
				"acc-1600g-osfp", "acc-400g-osfp", "acc-800g-osfp", "aec-1600g-osfp", "aec-800g-osfp", "aoc-400g-osfp",
				"dac-1600g-osfp", "dac-400g-osfp", "dac-800g-osfp",
			},
		},
		{
			"twin copper between NDR switches", c.Twins("osfp", "osfp", 400, 2),
			[]string{"acc-2x400g-osfp", "lacc-2x800g-osfp", "nvidia-mca4k50", "nvidia-mcp4y10"},
		},
		{"twin copper to a single port", c.Twins("osfp", "osfp-rhs", 400, 2), nil},
		{
			"splitters of a cage of Slingshot", c.Splitters("qsfp-dd"),
			[]string{"dac-2x200g-qsfp-dd-2x200g-qsfp56", "nvidia-mcp7f80"},
		},
		{"splitters of fibre", c.Splitters("mpo16-apc"), []string{"fibre-sm-mpo16-apc-8x-lc"}},
		{
			"trunks of single-mode fibre", c.Trunks("mpo12-apc", SingleMode),
			[]string{
				"trunk-sm-12x-mpo12-apc", "trunk-sm-12x-mpo12-apc-base8", "trunk-sm-6x-mpo12-apc",
				"trunk-sm-6x-mpo12-apc-base8",
			},
		},
		{"panels of multimode fibre", c.Panels("mpo12-apc", Multimode), []string{"panel-1u-mm-mpo12-apc"}},
		{"copper is not a fibre", c.Fibres("qsfp", "qsfp", PassiveCopper), nil},
	} {
		if got := ids(test.got); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Every pair of cages of the SuperPOD finds an optic at each end that agrees on
// the standard and the fibre, and holds as many links as the cage.
func TestSuperPODEndsAgree(t *testing.T) {
	c := Default()
	for _, node := range []string{"nvidia-dgx-h100", "nvidia-connectx-7"} {
		near, far := c.Part("nvidia-qm9700").Ports[0], c.Part(node).Ports[0]
		var standards []string
		for _, a := range c.Optics(near.Connector, near.Rate) {
			if a.Optic.Ports != near.PerCage {
				continue // for cages of one port
			}
			for _, b := range c.Optics(far.Connector, far.Rate) {
				if b.Optic.Ports != max(1, far.PerCage) {
					continue // for cages of as many ports
				}
				if a.Optic.Standard == b.Optic.Standard && a.Optic.Plug == b.Optic.Plug &&
					a.Optic.Fibre == b.Optic.Fibre {
					standards = append(standards, a.Optic.Standard)
				}
			}
		}
		if want := []string{"sr4", "dr4", "dr4"}; !slices.Equal(standards, want) {
			t.Errorf("%s: common standards %v, want %v", node, standards, want)
		}
	}
}

func TestStock(t *testing.T) {
	stocked := &Part{Cable: &Cable{Lengths: []units.Length{1, 2, 5}}}
	made := &Part{Cable: &Cable{MadeToMeasure: 8.6}}
	both := &Part{Cable: &Cable{Lengths: []units.Length{1, 5}, MadeToMeasure: 20, Step: 0.5}}
	sum := units.Length(0.1) + 0.2 // 0.30000000000000004
	for _, test := range []struct {
		name string
		part *Part
		need units.Length
		want units.Length
		ok   bool
	}{
		{"exact", stocked, 2, 2, true},
		{"next", stocked, 2.01, 5, true},
		{"within the tolerance", stocked, 2 + 5e-10, 2, true},
		{"beyond the tolerance", stocked, 2 + 2e-9, 5, true},
		{"too long", stocked, 5.1, 0, false},
		{"nothing needed", stocked, 0, 1, true},
		{"made, whole metres", made, 2.3, 3, true},
		{"made, exact", made, 3, 3, true},
		{"made, at the limit", made, 8.3, 8.6, true},
		{"made, too long", made, 8.7, 0, false},
		{"made, nothing needed", made, 0, 1, true},
		{"made is shorter than stocked", both, 1.2, 1.5, true},
		{"stocked is as short as made", both, 4.7, 5, true},
		{"only made", both, 7.1, 7.5, true},
		{"last bits of a sum", &Part{Cable: &Cable{MadeToMeasure: 1, Step: 0.1}}, sum, 0.3, true},
		{"no cable", &Part{}, 1, 0, false},
	} {
		if got, ok := test.part.Stock(test.need); got != test.want || ok != test.ok {
			t.Errorf("%s: Stock(%v) = %v, %v, want %v, %v", test.name, test.need, got, ok, test.want, test.ok)
		}
	}
}

// A length in stock covers the need, is the shortest of all that do, and never
// shrinks as the need grows.
func TestStockAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cable := &Cable{Step: units.Length(rapid.IntRange(0, 40).Draw(t, "step")) / 10}
		for _, l := range rapid.SliceOfDistinct(rapid.IntRange(1, 300), rapid.ID).Draw(t, "lengths") {
			cable.Lengths = append(cable.Lengths, units.Length(l)/10)
		}
		slices.Sort(cable.Lengths)
		cable.MadeToMeasure = units.Length(rapid.IntRange(0, 400).Draw(t, "limit")) / 10
		part := &Part{Cable: cable}

		a := units.Length(rapid.Float64Range(0, 45).Draw(t, "a"))
		b := a + units.Length(rapid.Float64Range(0, 10).Draw(t, "more"))
		short, ok := part.Stock(a)
		if want, wantOK := bruteStock(cable, a); short != want || ok != wantOK {
			t.Fatalf("Stock(%v) = %v, %v, want %v, %v", a, short, ok, want, wantOK)
		}
		long, longOK := part.Stock(b)
		if longOK && (!ok || long < short) {
			t.Fatalf("Stock(%v) = %v, %v but Stock(%v) = %v", a, short, ok, b, long)
		}
	})
}

// bruteStock tries every length the family can have.
func bruteStock(c *Cable, need units.Length) (best units.Length, ok bool) {
	all := slices.Clone(c.Lengths)
	if c.MadeToMeasure > 0 {
		step := c.Step
		if step == 0 {
			step = 1
		}
		for n := 1; ; n++ {
			l := (units.Length(n) * step).Round4()
			if l >= c.MadeToMeasure {
				break
			}
			all = append(all, l)
		}
		all = append(all, c.MadeToMeasure)
	}
	for _, l := range all {
		if l+1e-9 >= need && (!ok || l < best) {
			best, ok = l, true
		}
	}
	return best, ok
}

// Splitters of two, four and eight have the plugs that their makers list.
func TestSplittersHaveTheirEnds(t *testing.T) {
	c := Default()
	for _, test := range []struct {
		id, near, far string
		links, plugs  int
		rate          units.Rate
	}{
		{"nvidia-mcp7y00", "osfp", "osfp-rhs", 2, 2, 400},
		{"nvidia-mcp7y10", "osfp", "qsfp112", 2, 2, 400},
		{"nvidia-mcp7y50", "osfp", "osfp-rhs", 4, 4, 200},
		{"nvidia-mcp7y60", "osfp", "qsfp56", 2, 2, 200},
		{"nvidia-mcp7y70", "osfp", "qsfp56", 4, 4, 100},
		{"nvidia-mcp7f80", "qsfp-dd", "sfp56", 8, 8, 50},
		{"dac-100g-qsfp28-4x25g-sfp28", "qsfp28", "sfp28", 4, 4, 25},
		{"fibre-sm-mpo12-apc-2x", "mpo12-apc", "mpo12-apc", 2, 2, 0},
		{"nvidia-mcp4y10", "osfp", "osfp", 2, 1, 400},
		{"dac-400g-qsfp112", "qsfp112", "qsfp112", 0, 1, 400},
	} {
		got := c.Part(test.id).Cable
		if got.Connector != test.near || got.FarConnector() != test.far || got.Links != test.links ||
			got.FarPlugs() != test.plugs || got.Rate != test.rate {
			t.Errorf("%s: %+v far %+v", test.id, got, got.Far)
		}
		if got.Ordinary() != (test.links == 0) {
			t.Errorf("%s is ordinary: %v", test.id, got.Ordinary())
		}
	}
}

// No lookup for ordinary cables yields one that holds several links or has
// unlike ends.
func TestOrdinaryLookupsYieldOrdinaryCables(t *testing.T) {
	c := Default()
	for _, p := range c.Parts() {
		if p.Cable == nil {
			continue
		}
		for _, q := range append(c.Cables(p.Cable.Connector, 0), c.Fibres(p.Cable.Connector, p.Cable.Connector,
			p.Cable.Medium)...) {
			if !q.Cable.Ordinary() {
				t.Errorf("%s is found as an ordinary cable for %s", q.ID, p.Cable.Connector)
			}
		}
	}
}
