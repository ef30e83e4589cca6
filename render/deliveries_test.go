package render

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// TestDeliveriesAreWhatIsBought plans drawn machines with spares, packs, colours, stock and patch panels: the
// deliveries of a line of the bill are its pieces to buy, those of a rack what stands in it, and deliveries.csv and
// orders.csv have the same pieces.
func TestDeliveriesAreWhatIsBought(t *testing.T) {
	left := 8
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		nodes := rapid.IntRange(2, 20).Draw(rt, "nodes")
		stock := rapid.IntRange(1, nodes+2).Draw(rt, "nodes in stock")
		text := fmt.Sprintf(`
name: deliveries
boxes: [{name: node, count: %d, part: node, per_rack: 3}]
fabrics:
  - name: compute
    topology: {family: leaf-spine, down: 8, up: 4, spines: 2}
    ends: [{boxes: node, ports: compute}]
    switches: {switch: {part: nvidia-sn5610, place: network-row}}
    media: [{use: [%s]}]
  - name: oob
    topology: {family: access, down: 48}
    ends: [{boxes: node, ports: bmc}]
    switches: {leaf: {part: nvidia-sn2201}}
room: {rows: 3, racks_per_row: 6}
cabling: {colours: {fabrics: {compute: aqua%s}}%s}
prices: {set: estimate-2026, spares: {cable: %d, optic: %d}}
stock: [{part: node, quantity: %d}, {part: rack-42u, quantity: 1}]
parts:
  - {id: node, kind: node, units: 8, ports: [{name: compute, count: 1, connector: osfp, rate: 800G},
     {name: bmc, count: 1, connector: rj45, rate: 1G}]}
`, nodes, rapid.SampledFrom([]string{"multimode", "any"}).Draw(rt, "media"),
			rapid.SampledFrom([]string{"", ", oob: blue"}).Draw(rt, "colours"),
			rapid.SampledFrom([]string{"", ", structured: {}"}).Draw(rt, "structured"),
			rapid.IntRange(0, 30).Draw(rt, "cables"), rapid.IntRange(0, 30).Draw(rt, "optics"), stock)
		r := planText(t, text)
		type key struct{ part, colour string }
		sum, racked := map[key]int64{}, map[key]int64{}
		atRack := map[int32]int64{} // nodes
		for _, d := range r.Deliveries() {
			k := key{d.Item.String(), d.Colour}
			sum[k] += d.Pieces
			if d.Pieces <= 0 {
				rt.Fatalf("%+v", d)
			}
			if d.Rack != machine.NoRack {
				racked[k] += d.Pieces
			}
			if d.Item.Part == "node" {
				atRack[d.Rack] += d.Pieces
			}
		}
		for i := range r.Bill.Rows {
			row := &r.Bill.Rows[i]
			switch row.Kind {
			case catalog.KindTray, catalog.KindLabour:
				continue
			}
			want := map[string][2]int64{"": {row.Buy, row.Qty - row.FromStock}}
			if row.Colours != nil {
				want = map[string][2]int64{}
				for _, c := range row.Colours {
					want[c.Colour] = [2]int64{c.Buy, c.Qty - c.FromStock}
				}
			}
			for colour, n := range want {
				k := key{row.Item.String(), colour}
				if sum[k] != n[0] || racked[k] != max(n[1], 0) {
					rt.Fatalf("%v: %d and %d for racks, want %v", k, sum[k], racked[k], n)
				}
			}
		}
		in, l := map[int32]int64{}, r.Placement.Layout
		for v := range r.Graph.Kinds()[0].Count {
			in[l.Container(layout.RackLevel, r.Placement.Slot[r.Graph.Kinds()[0].First+v])]++
		}
		for rack, n := range atRack {
			if n > in[rack] {
				rt.Fatalf("%d nodes for rack %d of %d", n, rack, in[rack])
			}
		}
		file := map[key]int64{}
		rows := map[key]map[string]int64{}
		for _, row := range readTable(t, r, Deliveries) {
			n, err := strconv.ParseInt(row["quantity"], 10, 64)
			if err != nil || (row["rack"] == "") != (row["row"] == "") || !strings.HasPrefix(row["rack"], row["row"]) {
				rt.Fatal(row, err)
			}
			k := key{row["part"], row["colour"]}
			file[k] += n
			if rows[k] == nil {
				rows[k] = map[string]int64{}
			}
			rows[k][row["row"]] += n
		}
		for k, n := range sum {
			if file[k] != n {
				rt.Fatalf("%v: %d in deliveries.csv of %d", k, file[k], n)
			}
		}
		for _, row := range readTable(t, r, Orders) {
			k := key{row["part"], row["colour"]}
			for word := range strings.SplitSeq(row["deliver_to"], ", ") {
				name, pieces, _ := strings.Cut(strings.TrimPrefix(word, "row "), ": ")
				if name == "spare" {
					name = ""
				}
				if n := rows[k][name]; word != "" && strconv.FormatInt(n, 10) != pieces {
					rt.Fatalf("%v: %q, %d in deliveries.csv", k, row["deliver_to"], n)
				}
			}
			if row["deliver_to"] == "" && sum[k] > 0 {
				rt.Fatalf("%v goes nowhere", k)
			}
		}
	})
}
