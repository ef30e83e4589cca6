package cost_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// TestSparesAreBoughtInLengthsOnSale: the store may have lengths that nobody sells. Spares of them come from the store,
// and what it lacks is bought in the next length that is sold.
func TestSparesAreBoughtInLengthsOnSale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		percent := rapid.IntRange(1, 120).Draw(t, "spares")
		lengths := rapid.SliceOfNDistinct(rapid.IntRange(5, 110), 1, 4, rapid.ID[int]).Draw(t, "tenths of a metre")
		stock := map[catalog.Item]int64{}
		var store []string
		for _, l := range lengths {
			n := rapid.IntRange(1, 9).Draw(t, "pieces")
			item := catalog.Item{Part: "fibre-mm-mpo12-apc", Length: (units.Length(l) / 10).Round4()}
			stock[item] = int64(n)
			store = append(store, fmt.Sprintf(`{part: "%v", quantity: %d}`, item, n))
		}
		text := fmt.Sprintf(`
topology: {family: leaf-spine, nodes: 8, down: 8, up: 2, spines: 1}
packaging: {node: {per_rack: 4}, leaf: {place: network-row}, spine: {place: network-row}}
room: {rows: 1, racks_per_row: 6}
cabling: {media: [{use: [multimode]}]}
prices: {set: estimate-2025, spares: {cable: %d}}
stock: [%s]
`, percent, strings.Join(store, ", "))
		r := plan(t, text)
		part := r.Catalog.Part("fibre-mm-mpo12-apc")
		qty := map[catalog.Item]int64{}
		for _, tallies := range r.Schedule.Tallies {
			for i := range tallies {
				for p, n := range tallies[i].Product {
					qty[r.Schedule.Products[p].Item()] += n
				}
			}
		}
		spares := map[catalog.Item]int64{}
		for item, n := range qty {
			need := (n*int64(percent) + 99) / 100
			if slices.Contains(part.Cable.Lengths, item.Length) {
				spares[item] += need
				continue
			}
			own := min(need, stock[item]-n)
			spares[item] += own
			next := slices.IndexFunc(part.Cable.Lengths, func(l units.Length) bool { return l > item.Length })
			spares[part.Item(part.Cable.Lengths[next])] += need - own
		}
		for _, row := range r.Bill.Rows {
			if row.Item.Part != part.ID {
				continue
			}
			if row.Qty != qty[row.Item] || row.Spares != spares[row.Item] {
				t.Errorf("%v: %d and %d spares, want %d and %d", row.Item, row.Qty, row.Spares, qty[row.Item],
					spares[row.Item])
			}
			if want := max(row.Qty+row.Spares-stock[row.Item], 0); row.Buy != want {
				t.Errorf("%v: buys %d, want %d", row.Item, row.Buy, want)
			}
			if row.Buy > 0 && !part.Sells(row.Item) {
				t.Errorf("buys %d of %v, which nobody sells", row.Buy, row.Item)
			}
			delete(spares, row.Item)
		}
		for item, n := range spares {
			if n > 0 {
				t.Errorf("no line for %d spares of %v", n, item)
			}
		}
	})
}

// TestSparesOfAFabricInLengthsOnSale: those of a fabric are listed in the length in which they are bought, and a length
// that nobody sells, nor a longer one, is not bought.
func TestSparesOfAFabricInLengthsOnSale(t *testing.T) {
	const text = `
boxes: [{name: n, count: 8, part: generic-node-1u, per_rack: 4}]
fabrics:
- name: data
  topology: {family: leaf-spine, down: 8, up: 2, spines: 1}
  ends: [{boxes: n}]
  switches: {leaf: {place: network-row}, spine: {place: network-row}}
  media: [{use: [FAMILY]}]
  spares: {cable: 30}
room: {rows: 1, racks_per_row: 6}
stock: [{part: "FAMILY@6 m", quantity: 11}]
parts:
- {id: short, kind: cable,
   cable: {medium: active-optical, connector: qsfp112, rate: 400G, lengths: [3, 5], reach: 8 m,
   propagation: 5 ns/m}}
`
	r := plan(t, strings.ReplaceAll(text, "FAMILY", "fibre-mm-mpo12-apc"))
	// All ten links take pieces of 6 m, and one is left of the three spares.
	six, seven := row(t, r.Bill, "fibre-mm-mpo12-apc@6 m"), row(t, r.Bill, "fibre-mm-mpo12-apc@7 m")
	if six.Qty != 10 || six.Spares != 1 || six.Buy != 0 || seven.Qty != 0 || seven.Spares != 2 || seven.Buy != 2 {
		t.Errorf("%+v\n%+v", six, seven)
	}
	var of []string
	for _, s := range r.Bill.FabricSpares[0] {
		of = append(of, fmt.Sprintf("%d %v at %v", s.Qty, s.Item, *s.Cost))
	}
	want := []string{"1 fibre-mm-mpo12-apc@6 m at 80.00", "2 fibre-mm-mpo12-apc@7 m at 165.00"}
	if !slices.Equal(of, want) {
		t.Errorf("spares of the fabric %q, want %q", of, want)
	}
	long := plan(t, strings.ReplaceAll(text, "FAMILY", "short"))
	b := long.Bill
	if six := row(t, b, "short@6 m"); six.Spares != 1 || six.Buy != 0 || !slices.Contains(b.Notes,
		"short is not sold in 6 m or more: 2 spares of it cannot be bought") {
		t.Errorf("%+v %q", row(t, b, "short@6 m"), long.Bill.Notes)
	}
}
