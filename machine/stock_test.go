package machine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// starText is a switch with four nodes, cables of lengths and prices of its own, and what is in stock.
const starText = `
topology: {family: fat-tree, nodes: 4, radix: 8, down: 4, up: 2, spines: 1}
packaging: {node: {part: box}, switch: {part: hub}}
parts:
  - {id: box, kind: node, units: 9, confidence: estimate, source: test, ports: [{count: 1, connector: cage, rate: 1G}]}
  - {id: hub, kind: switch, units: 1, confidence: estimate, source: x, ports: [{count: 9, connector: cage, rate: 1G}]}
  - {id: cable-a, kind: cable, confidence: estimate, source: test,
     cable: {medium: passive-copper, connector: cage, rate: 1G, lengths: [1, 2, 3, 5], diameter: 5 mm, propagation: 5}}
  - {id: cable-b, kind: cable, confidence: estimate, source: test,
     cable: {medium: active-optical, connector: cage, rate: 1G, lengths: [2, 4], diameter: 3 mm, propagation: 5}}
prices: {unit: {"cable-a@1 m": 3, "cable-a@2 m": 5, "cable-a@3 m": 6, "cable-a@5 m": 9, cable-b: 7}}
`

func stocked(t testing.TB, text string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(context.Background(), s, machine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestStockEqualsBruteForce: what a plan saves by its store is the most that any way of handing out the pieces saves.
func TestStockEqualsBruteForce(t *testing.T) {
	graphtest.FewerDraws(t, 40)
	without := stocked(t, starText)
	type cable struct {
		need  units.Length
		price units.Money
	}
	var cables []cable
	prices := map[units.Length]units.Money{1: 300, 2: 500, 3: 600, 5: 900}
	for i := range without.Schedule.Segments {
		seg := &without.Schedule.Segments[i]
		p := without.Schedule.Products[seg.Product]
		if p.Part.ID != "cable-a" {
			t.Fatalf("%s is chosen", p.Part.ID)
		}
		cables = append(cables, cable{seg.Length, prices[p.Length]})
	}
	rapid.Check(t, func(r *rapid.T) {
		text := starText + "stock:\n"
		var pieces []units.Length
		for _, part := range []string{"cable-a", "cable-b"} {
			for range rapid.IntRange(1, 3).Draw(r, "entries") {
				l := rapid.IntRange(2, 8).Draw(r, "half metres")
				n := rapid.IntRange(1, 2).Draw(r, "pieces")
				text += fmt.Sprintf("  - {part: %s@%v m, quantity: %d}\n", part, float64(l)/2, n)
				pieces = append(pieces, slices.Repeat([]units.Length{units.Length(l) / 2}, n)...)
			}
		}
		slices.Sort(pieces)
		pieces = slices.Clip(pieces)
		var most func(at int, used uint) units.Money
		most = func(at int, used uint) units.Money {
			if at == len(cables) {
				return 0
			}
			best := most(at+1, used)
			for i, l := range pieces {
				if used>>i&1 == 0 && l >= cables[at].need-1e-9 && (i == 0 || pieces[i-1] != l || used>>(i-1)&1 == 1) {
					best = max(best, cables[at].price+most(at+1, used|1<<i))
				}
			}
			return best
		}
		plan := stocked(t, text)
		if got, want := without.Bill.Total-plan.Bill.Total, most(0, 0); got != want {
			r.Fatalf("%v saved, by brute force %v, with\n%s", got, want, text)
		}
		for _, row := range plan.Report().Stock.Rows {
			if row.Left < 0 {
				r.Fatalf("%s is overdrawn", row.Item)
			}
		}
	})
}

// withStock is an example with something put in, and a store.
func withStock(t *testing.T, name, stock string, replace ...string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		data, err = examples.Files.ReadFile(name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(replace...).Replace(string(data)) + "\nstock: " + stock + "\n"
}

// rowOf is a line of the bill.
func rowOf(t *testing.T, r *machine.Result, item string) (qty, stock, buy int64) {
	t.Helper()
	for _, row := range r.Bill.Rows {
		if row.Item.String() == item {
			return row.Qty, row.FromStock, row.Buy
		}
	}
	return 0, 0, 0
}

// fromStock counts the cables of a plan that its schedule says are from the store, by product, and fails where one is
// too short.
func fromStock(t *testing.T, r *machine.Result) map[catalog.Item]int64 {
	t.Helper()
	out := map[catalog.Item]int64{}
	seen := map[int32]bool{}
	r.Schedule.Each(func(_ int64, seg *cabling.Segment) bool {
		if seg.Product < 0 {
			return true
		}
		p := &r.Schedule.Products[seg.Product]
		if p.Stock && p.Length < seg.Length-1e-9 {
			t.Errorf("%v in stock for a need of %v", p.Length, seg.Length)
		}
		if p.Stock && !seen[seg.Cable] {
			seen[seg.Cable] = true
			out[p.Item()]++
		}
		return true
	})
	return out
}

// TestStockInMachines combines stock with everything else that changes orders.
func TestStockInMachines(t *testing.T) {
	const pod = "superpod-h100-compute.yaml"
	fibres := "{part: fibre-mm-mpo12-apc@30 m, quantity: 40}, {part: fibre-mm-mpo12-apc@7 m, quantity: 500}"
	for name, c := range map[string]struct {
		text  string
		check func(t *testing.T, r *machine.Result, p *report.Plan)
	}{
		"fewer lengths": {
			withStock(t, pod, "["+fibres+"]", "  route: tray\n", "  route: tray\n  consolidate: {most: 2}\n"),
			func(t *testing.T, r *machine.Result, p *report.Plan) {
				bought := map[string]int64{}
				for _, row := range r.Bill.Rows {
					if row.Kind == catalog.KindCable && row.Qty > row.FromStock {
						bought[row.Item.Part]++
					}
				}
				for part, n := range bought {
					if n > 2 {
						t.Errorf("%d lengths of %s are bought", n, part)
					}
				}
				if p.Consolidation == nil {
					t.Error("nothing is consolidated")
				}
			},
		},
		"optics, boxes and spares": {
			withStock(t, pod, "["+fibres+", {part: rack-48u, quantity: 3}, {part: nvidia-mma4z00-ns, quantity: 1550}]"),
			func(t *testing.T, r *machine.Result, _ *report.Plan) {
				for _, row := range r.Bill.Rows {
					if row.FromStock > 0 && (row.Buy != row.Need()-row.FromStock ||
						row.Cost != nil && row.UnitCost != nil && *row.Cost != *row.UnitCost*units.Money(row.Buy)) {
						t.Errorf("%+v", row)
					}
				}
			},
		},
		"patch panels": {
			withStock(t, "testdata/structured.yaml",
				"[{part: fibre-mm-mpo12-apc@3 m, quantity: 20}, {part: trunk-mm-12x-mpo12-apc@6 m, quantity: 30}, "+
					"{part: nvidia-mcp7y10@2.5 m, quantity: 50}]"),
			func(t *testing.T, r *machine.Result, _ *report.Plan) {
				for item, want := range map[string]int64{
					"fibre-mm-mpo12-apc@3 m": 20, "trunk-mm-12x-mpo12-apc@6 m": 21, "nvidia-mcp7y10@2.5 m": 50,
				} {
					if _, got, _ := rowOf(t, r, item); got != want {
						t.Errorf("%d of %s are from the store, want %d", got, item, want)
					}
				}
			},
		},
		"several fabrics": {
			withStock(t, "basepod.yaml",
				"[{part: fibre-mm-mpo12-apc@20 m, quantity: 30}, {part: cat6-rj45@7.5 m, quantity: 30}, "+
					"{part: nvidia-mcp4y10@1 m, quantity: 9}]"),
			func(t *testing.T, r *machine.Result, _ *report.Plan) {
				for item, want := range map[string]int64{
					"fibre-mm-mpo12-apc@20 m": 30, "cat6-rj45@7.5 m": 30, "nvidia-mcp4y10@1 m": 9,
				} {
					if _, got, _ := rowOf(t, r, item); got != want {
						t.Errorf("%d of %s are from the store, want %d", got, item, want)
					}
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := stocked(t, c.text)
			if k := r.Report().Stock; k.Used == 0 {
				t.Errorf("nothing is used: %+v", k)
			}
			agrees(t, r)
			if c.check != nil {
				c.check(t, r, r.Report())
			}
		})
	}
}

// agrees holds the schedule, the bill and the report of the store against each other.
func agrees(t *testing.T, r *machine.Result) {
	t.Helper()
	taken := fromStock(t, r)
	for _, row := range r.Report().Stock.Rows {
		part := r.Catalog.Part(row.Item.Part)
		if part.Cable != nil && taken[row.Item] != row.Used {
			t.Errorf("%s: %d in the schedule, %d by the report", row.Item, taken[row.Item], row.Used)
		}
		if row.Left < 0 || row.Used+row.Spares+row.Left != row.Qty {
			t.Errorf("%+v does not add up", row)
		}
	}
	lacking, bought := int64(0), int64(0)
	for _, l := range r.Report().Stock.Bought {
		lacking += l.Cables
	}
	for _, row := range r.Bill.Rows {
		if row.Kind == catalog.KindCable {
			bought += row.Qty - min(row.Qty, row.FromStock)
		}
	}
	if lacking != bought {
		t.Errorf("%d cables are lacking, %d are bought", lacking, bought)
	}
}

// TestStockByQuantity: the price of a quote from so many pieces on depends on the ordered quantity, not on the required
// one.
func TestStockByQuantity(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := strings.ReplaceAll(starText, `prices: {unit: {"cable-a@1 m": 3, "cable-a@2 m": 5, "cable-a@3 m": 6, `+
		`"cable-a@5 m": 9, cable-b: 7}}`, "prices: {quote: q.csv}\nstock: s.csv\n")
	write("m.yaml", text)
	write("q.csv", "part,length,min qty,unit price,currency,date\ncable-a,,1,10,USD,2025-01-01\n"+
		"cable-a,,5,6,USD,2025-01-01\n")
	for stock, want := range map[int]units.Money{1: 600, 5: 1000} {
		write("s.csv", fmt.Sprintf("part,qty,shelf\ncable-a@3 m,%d,7\n", stock))
		s, err := machine.Load(filepath.Join(dir, "m.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Bill.Rows {
			if row.Kind == catalog.KindCable && row.Buy > 0 && *row.UnitCost != want {
				t.Errorf("%d in stock: %d pieces of %s are bought at %v each", stock, row.Buy, row.Item, *row.UnitCost)
			}
		}
	}
}

// BenchmarkStockOf2000Cables: 2,000 cables and 40 lengths in stock take no more than moments.
func BenchmarkStockOf2000Cables(b *testing.B) {
	text := "topology: {family: dragonfly, p: 4, a: 8, h: 4}\nstock:\n"
	for i := range 20 {
		text += fmt.Sprintf("  - {part: dac-200g-qsfp56@%v m, quantity: 40}\n", 0.1*float64(i+1))
		text += fmt.Sprintf("  - {part: aoc-200g-qsfp56@%d m, quantity: 40}\n", i+1)
	}
	for b.Loop() {
		stocked(b, text)
	}
}

// TestPacks: what is sold in packs is bought in whole ones, those of the quote before those of the part, after what is
// in stock.
func TestPacks(t *testing.T) {
	text := strings.Replace(starText, "{id: cable-a, kind: cable,", "{id: cable-a, kind: cable, pack: 4,", 1)
	r := stocked(t, text+"stock: [{part: cable-a@2 m, quantity: 1}]\n")
	for _, row := range r.Bill.Rows {
		if row.Item.Part != "cable-a" {
			continue
		}
		if row.Buy%4 != 0 || row.Buy < row.Need()-row.FromStock || row.Buy >= row.Need()-row.FromStock+4 ||
			row.Pack != 4 {
			t.Errorf("%s: %d to buy of %d, %d in stock, packs of %d", row.Item, row.Buy, row.Need(), row.FromStock,
				row.Pack)
		}
		if *row.Cost != *row.UnitCost*units.Money(row.Buy) {
			t.Errorf("%s: %v for %d at %v", row.Item, *row.Cost, row.Buy, *row.UnitCost)
		}
	}
}

// TestOptimisedWithoutStock: a plan whose places were optimised by money says that pieces in stock had no part in it.
func TestOptimisedWithoutStock(t *testing.T) {
	const (
		file  = "topology: {family: torus, dims: [4, 4]}\n"
		stock = "stock: [{part: dac-400g-qsfp112@3 m, quantity: 4}]\n"
	)
	for text, want := range map[string]bool{
		file + "embedding: {effort: quick}\n" + stock:                    true,
		file + "embedding: {effort: quick, objective: length}\n" + stock: false,
		file + "embedding: {effort: quick}\n":                            false,
		file + stock:                                                     false,
	} {
		s, err := machine.Parse("m.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(r.Notes, "\n"), "as if all cables were bought"); got != want {
			t.Errorf("%s: noted %v; %q", text, got, r.Notes)
		}
	}
}
