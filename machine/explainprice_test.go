package machine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// TestExplainedPriceIsThatOfTheBill: what explain says that a cable with its transceivers costs is the sum of the unit
// costs of the bill, regardless of what prices by quantity, spares, packs and pieces in stock there are.
func TestExplainedPriceIsThatOfTheBill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.csv")
	rapid.Check(t, func(t *rapid.T) {
		var quote strings.Builder
		quote.WriteString("part,min qty,unit price,currency,date,pack\nrack-42u,1,900,USD,2026-01-01,1\n")
		for _, part := range []string{
			"optic-400g-qsfp112-sr4", "fibre-mm-mpo12-apc@3 m", "fibre-mm-mpo12-apc@5 m", "fibre-mm-mpo12-apc@7 m",
			"optic-400g-qsfp112-dr4", "fibre-mm-mpo12-apc", "aoc-400g-qsfp112",
		} {
			price, qty := rapid.IntRange(50, 1500).Draw(t, "price"), 1
			for range rapid.IntRange(0, 3).Draw(t, "breaks of "+part) {
				fmt.Fprintf(&quote, "%s,%d,%d,USD,2026-01-01,%d\n", part, qty, price,
					rapid.SampledFrom([]int{1, 1, 3}).Draw(t, "pack"))
				qty += rapid.IntRange(1, 12).Draw(t, "more")
				price = price * rapid.IntRange(20, 100).Draw(t, "per cent") / 100
			}
		}
		if err := os.WriteFile(path, []byte(quote.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`
topology: {family: leaf-spine, nodes: 8, down: 8, up: 2, spines: 1}
packaging: {node: {per_rack: 4}, leaf: {place: network-row}, spine: {place: network-row}}
room: {rows: 1, racks_per_row: 6}
cabling: {media: [{use: [fibre, active-optical]}]%s}
prices: {set: estimate-2025, quote: %s, spares: {optic: %d, cable: %d}}
%s`, rapid.SampledFrom([]string{"", ", consolidate: {most: 1}"}).Draw(t, "consolidate"), path,
			rapid.IntRange(0, 100).Draw(t, "optics"), rapid.IntRange(0, 100).Draw(t, "cables"),
			rapid.SampledFrom([]string{"", `stock: [{part: "fibre-mm-mpo12-apc@6 m", quantity: 3}]`}).Draw(t, "stock"))
		s, err := machine.Parse("m.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%s\n%s\n%v", text, quote.String(), err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		unit := map[string]units.Money{}
		for i := range r.Bill.Rows {
			if u := r.Bill.Rows[i].UnitCost; u != nil {
				unit[r.Bill.Rows[i].Item.String()] = *u
			}
		}
		cable := fmt.Sprintf("C%04d", rapid.Int64Range(1, r.Schedule.Cables).Draw(t, "cable"))
		doc, err := r.ExplainCable(context.Background(), cable)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range doc.Options {
			if o.Verdict != cabling.Chosen || doc.FromStock {
				continue
			}
			if o.Product != doc.Product {
				t.Errorf("%s is chosen, and %s bought", o.Product, doc.Product)
			}
			want := unit[o.Product]
			for _, optic := range o.Optics {
				want += unit[optic]
			}
			if o.Cost == nil || *o.Cost != want {
				t.Errorf("%s: %v, want %v by the bill\n%s", o.Product, o.Cost, want, quote.String())
			}
		}
		for _, p := range doc.Prices {
			if item, err := catalog.ParseItem(p.Part); err != nil || p.Unit != nil && *p.Unit != unit[item.String()] {
				t.Errorf("%s: %v, want %v by the bill", p.Part, *p.Unit, unit[p.Part])
			}
		}
	})
}

// TestExplainCountsBreaks is a case by hand: of nine transceivers each costs 500, of six or fewer 1,000; half of one
// belongs to a link.
func TestExplainCountsBreaks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.csv")
	if err := os.WriteFile(path, []byte("part,min qty,unit price,currency,date\n"+
		"nvidia-mma4z00-ns,1,1000,USD,2026-01-01\nnvidia-mma4z00-ns,7,500,USD,2026-01-01\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := buy(t, `
topology: {family: leaf-spine, nodes: 8, down: 8, up: 2, spines: 1}
packaging: {node: {part: n, per_rack: 4}, leaf: {part: nvidia-qm9700, place: network-row},
  spine: {part: nvidia-qm9700, place: network-row}}
parts: [{id: n, kind: node, units: 1, ports: [{count: 1, connector: osfp-rhs, rate: 400G}]}]
room: {rows: 1, racks_per_row: 6}
cabling: {media: [{use: [multimode]}]}
prices: {set: estimate-2025, quote: `+path+`, spares: {optic: 50}}
`)
	doc, err := r.ExplainCable(context.Background(), "C0001")
	if err != nil {
		t.Fatal(err)
	}
	// 82.50 for the cable, 800 for the node's transceiver
	if o := doc.Options[0]; o.Verdict != cabling.Chosen || *o.Cost != 113250 {
		t.Errorf("%+v at %v, want 1132.50", o, *o.Cost)
	}
}
