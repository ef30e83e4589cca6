package cost_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// TestEstimatesOfATorusByHand: 12 x 10 nodes stand in 2 x 2 cabinets of 6 x 5. Of the 120 links of the first dimension,
// 10 rings of 12, each ring crosses twice between cabinets that are neighbours: 20 links; of the second, 12 rings of
// 10,
// 24 links do. The other 196 stay inside.
func TestEstimatesOfATorusByHand(t *testing.T) {
	for _, c := range []struct {
		model                             string
		total, longest                    units.Length
		switches, cables, labour, perNode units.Money
		watts                             float64
	}{
		// 196 x 2 m + 20 x (4 + 0.6) m + 24 x (4 + 2 x 0.6) m = 392 + 92 + 124.8
		// 480 ports at 500; 196 of 2 m at 74, 20 of 5 m at 116, 24 of 10 m fibre at 418: 14504 + 2320 + 10032
		// 196 at 2.50 and 44 at 6.25; 267,621 / 120
		{cost.ModelPerseus, 608.8, 5.2, 240_000_00, 26_856_00, 765_00, 2_230_18, 0},
		// 196 x 1 m + 44 x (2 + 1) m
		// (350.4 x 4 - 892.3) x 120; copper (0.4079 + 0.5771) x 40 = 39.40, fibre (0.0919 x 3 + 7.2745) x 40 = 302.01
		// 196 x 39.40 + 44 x 302.01 = 7,722.40 + 13,288.44; 82,126.84 / 120; 2.8 W x 480
		{cost.ModelSlimFly, 328, 3, 61_116_00, 21_010_84, 0, 684_39, 1344},
	} {
		s, err := machine.Parse("m.yaml",
			[]byte("topology: {family: torus, dims: [12, 10]}\nprices: {model: "+c.model+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		e, err := machine.Estimate(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if e.Racks != 4 || e.Links != 240 || e.Cables != 240 || e.Ports != 480 || e.PortsTotal != 480 ||
			e.Nodes != 120 ||
			e.Routers != 120 || e.Switches != 0 || e.Radix != 4 {
			t.Errorf("%s: %+v", c.model, e)
		}
		if math.Abs(float64(e.Length.Total-c.total)) > 1e-9 || math.Abs(float64(e.Length.Max-c.longest)) > 1e-9 ||
			math.Abs(float64(e.Length.Mean-c.total/240)) > 5e-5 {
			t.Errorf("%s: lengths %+v, expected %v in all, at most %v", c.model, e.Length, c.total, c.longest)
		}
		if e.Cost.Switches != c.switches || e.Cost.Cables != c.cables || e.Cost.Labour != c.labour ||
			e.Cost.Total != c.switches+c.cables+c.labour || e.Cost.PerNode != c.perNode {
			t.Errorf("%s: %+v, expected %+v", c.model, e.Cost, c)
		}
		if c.watts > 0 && (float64(*e.Power) != c.watts || float64(*e.PowerPerNode) != c.watts/120) {
			t.Errorf("%s: %v W, %v for each node, expected %v", c.model, *e.Power, *e.PowerPerNode, c.watts)
		}
	}
}

// pieces counts the cables and optics of some topology levels by their items, and the boxes of some kinds.
func pieces(r *machine.Result, levels, kinds func(i int) bool) map[catalog.Item]int64 {
	out := map[catalog.Item]int64{}
	for level, tallies := range r.Schedule.Tallies {
		if !levels(level) {
			continue
		}
		for i := range tallies {
			for p, n := range tallies[i].Product {
				if n > 0 {
					out[r.Schedule.Products[p].Item()] += n
				}
			}
			for optic, n := range tallies[i].Optics {
				out[optic.Item(0)] += n
			}
		}
	}
	for i, k := range r.Schedule.Kinds {
		if kinds(i) && k.Count > 0 {
			out[r.Schedule.Boxes[i].Part.Item(0)] += int64(k.Count)
		}
	}
	return out
}

// sparesOf is a percentage of some pieces in whole pieces, the next above.
func sparesOf(n int64, percent float64) int64 {
	whole := int64(0)
	for float64(whole)*100 < float64(n)*percent-1e-6 {
		whole++
	}
	return whole
}

// TestBillsAddUp recomputes, on all machines of testdata, what follows from quantities and unit costs: spares, those of
// fabrics by what they have for themselves, whole packs, costs of rows, sums by kind, the network, freight and
// contingency, and the power of cables and optics.
func TestBillsAddUp(t *testing.T) {
	for _, path := range machines(t) {
		r, err := machine.Plan(context.Background(), readMachine(t, path))
		if err != nil {
			t.Fatal(err)
		}
		b, prices := r.Bill, r.Spec.Prices
		all := pieces(r, func(int) bool { return true }, func(int) bool { return true })
		spares := map[catalog.Item]int64{}
		rest := map[catalog.Item]int64{}
		kind := map[catalog.Item]catalog.Kind{}
		qty := map[catalog.Item]int64{}
		for i := range b.Rows {
			kind[b.Rows[i].Item], qty[b.Rows[i].Item] = b.Rows[i].Kind, b.Rows[i].Qty
			rest[b.Rows[i].Item] = b.Rows[i].Qty
		}
		for item, n := range all {
			if qty[item] != n {
				t.Errorf("%s: %d of %v, expected %d", path, qty[item], item, n)
			}
		}
		for i := range r.Spec.Fabrics {
			f := &r.Spec.Fabrics[i]
			own := pieces(r, func(level int) bool {
				return strings.HasPrefix(r.Schedule.Graph.Levels()[level].Name, f.Name+"/")
			}, func(k int) bool { return slices.Contains(r.Fabrics[i].SwitchKinds(), k) })
			asked := map[catalog.Item]int64{}
			for item, n := range own {
				if percent, ok := f.Spares[string(kind[item])]; ok {
					asked[item] = sparesOf(n, percent)
					spares[item] += asked[item]
					rest[item] -= n
				}
			}
			got := b.FabricSpares[i]
			for k, s := range got {
				unit := row(t, b, s.Item.String()).UnitCost
				if s.Qty != asked[s.Item] || unit != nil && *s.Cost != *unit*units.Money(s.Qty) ||
					k > 0 && got[k-1].Item.Compare(s.Item) >= 0 {
					t.Errorf("%s: %s has %+v, expected %d", path, f.Name, s, asked[s.Item])
				}
				delete(asked, s.Item)
			}
			for item, n := range asked {
				if n > 0 {
					t.Errorf("%s: %s lacks %d spares of %v", path, f.Name, n, item)
				}
			}
		}
		var total, network, parts units.Money
		byKind := map[catalog.Kind]units.Money{}
		var optics, cables units.Power
		for i := range b.Rows {
			line := &b.Rows[i]
			part := r.Catalog.Part(line.Item.Part)
			switch line.Kind {
			case catalog.KindFreight:
				if want := units.MoneyOf(parts.Float() * prices.Freight / 100); *line.Cost != want ||
					*line.Of != parts {
					t.Errorf("%s: freight %v of %v, expected %v of %v", path, *line.Cost, *line.Of, want, parts)
				}
			case catalog.KindContingency:
				if want := units.MoneyOf(total.Float() * prices.Contingency / 100); *line.Cost != want ||
					*line.Of != total {
					t.Errorf("%s: contingency %v of %v, expected %v of %v", path, *line.Cost, *line.Of, want, total)
				}
			case catalog.KindLabour:
				if line.Spares != 0 {
					t.Errorf("%s: spares of %v", path, line.Item)
				}
			case catalog.KindCable:
				cables += units.Power(float64(part.CablePower()) * float64(line.Qty))
			case catalog.KindOptic:
				optics += units.Power(float64(part.Power) * float64(line.Qty))
			}
			if part != nil && (part.Cable == nil || part.Sells(line.Item)) && !strings.Contains(path, "store") {
				want := spares[line.Item] + sparesOf(rest[line.Item], prices.Spares[string(line.Kind)])
				if line.Spares != want {
					t.Errorf("%s: %d spares of %v, expected %d", path, line.Spares, line.Item, want)
				}
			}
			pack := max(line.Pack, 1)
			lacks := line.Qty + line.Spares - line.FromStock
			if line.Buy%pack != 0 || line.Buy < lacks || line.Buy >= lacks+pack ||
				line.FromStock > line.Qty+line.Spares {
				t.Errorf("%s: %+v", path, line)
			}
			if line.Cost == nil {
				continue
			}
			if line.Buy > 0 && *line.Cost != *line.UnitCost*units.Money(line.Buy) || line.Buy == 0 && *line.Cost != 0 {
				t.Errorf("%s: %+v", path, line)
			}
			total += *line.Cost
			byKind[line.Kind] += *line.Cost
			if line.Kind != catalog.KindLabour {
				parts += *line.Cost
			}
			if slices.Contains(cost.NetworkKinds, line.Kind) {
				network += *line.Cost
			}
		}
		for k, m := range b.ByKind {
			if byKind[k] != m {
				t.Errorf("%s: %v of %s, expected %v", path, m, k, byKind[k])
			}
		}
		if total != b.Total || network != b.Network {
			t.Errorf("%s: %v in all, %v of the network, expected %v and %v", path, b.Total, b.Network, total, network)
		}
		if math.Abs(float64(b.Power.Cables-cables)) > 1e-6 || math.Abs(float64(b.Power.Optics-optics)) > 1e-6 {
			t.Errorf("%s: cables draw %v and optics %v, expected %v and %v", path, b.Power.Cables, b.Power.Optics,
				cables,
				optics)
		}
	}
}

// TestGrownMachineByHand: four nodes with a leaf are added to eight. Their four cables in the rack and two to spines
// are
// installed, the two of fibre terminated; 12 pieces, of which 8 are there, take 3 spares (20 % of 12).
func TestGrownMachineByHand(t *testing.T) {
	r, err := machine.Plan(context.Background(), readMachine(t, "testdata/machines/grown.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]cost.Row{
		"install-in-rack":        {Qty: 4, Buy: 4},
		"install-in-row":         {Qty: 2, Buy: 2},
		"terminate-fibre":        {Qty: 2, Buy: 2},
		"dac-400g-qsfp112@2.5 m": {Qty: 12, Spares: 3, FromStock: 8, Buy: 7},
		"fibre-mm-mpo12-apc@3 m": {Qty: 4, Spares: 1, FromStock: 4, Buy: 1},
		"fibre-mm-mpo12-apc@5 m": {Qty: 2, Spares: 1, Buy: 3},
		"optic-400g-qsfp112-sr4": {Qty: 12, Spares: 4, FromStock: 8, Buy: 8},
		"generic-switch-64x400g": {Qty: 5, FromStock: 4, Buy: 1},
		"rack-42u":               {Qty: 4, FromStock: 3, Buy: 1},
		"adapter-400g-qsfp112":   {Qty: 12, FromStock: 8, Buy: 4},
		"tray-ladder":            {Qty: 2, FromStock: 2},
	} {
		got := row(t, r.Bill, part)
		if got.Qty != want.Qty || got.Spares != want.Spares || got.FromStock != want.FromStock || got.Buy != want.Buy {
			t.Errorf("%+v, expected %+v", got, want)
		}
	}
	// Two fibres of 5 m at 77.50 and the four optics at 700 that are not there yet; four copper cables at 285.
	for level, want := range []units.Money{1140_00, 2955_00} {
		sum := units.Money(0)
		for _, m := range r.Bill.LevelCost[level] {
			sum += m
		}
		if sum != want {
			t.Errorf("level %d costs %v, expected %v", level, sum, want)
		}
	}
}

// TestOpticsInStoreServeLevelsInTurn: eight nodes on two leaves with two cables up each light 2 x 8 optics at the first
// level and 2 x 4 at the second. What is in stock serves the first level first; the rest is bought at 700 a piece.
func TestOpticsInStoreServeLevelsInTurn(t *testing.T) {
	for stock, want := range map[int][2]int64{1: {15, 8}, 10: {6, 8}, 16: {0, 8}, 19: {0, 5}, 30: {0, 0}} {
		r := plan(t, fmt.Sprintf(`
topology: {family: leaf-spine, nodes: 8, down: 4, up: 2, spines: 2}
cabling: {media: [{use: [multimode]}]}
prices: {set: estimate-2025, unit: {fibre-mm-mpo12-apc: 0}}
stock: [{part: optic-400g-qsfp112-sr4, quantity: %d}]
`, stock))
		for level, n := range want {
			sum := units.Money(0)
			for _, m := range r.Bill.LevelCost[level] {
				sum += m
			}
			if sum != units.Money(n)*700_00 {
				t.Errorf("%d in stock: level %d costs %v, expected %d optics at 700", stock, level, sum, n)
			}
		}
	}
}
