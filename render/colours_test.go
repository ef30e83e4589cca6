package render

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// TestColoursAgree plans drawn machines with colours by fabric and rail, packs and spares, and holds schedule, bill,
// orders and workbook together: every cable has the colour of its fabric, or of its rail, and every piece of the bill
// is ordered in one colour.
func TestColoursAgree(t *testing.T) {
	left := 6 // each takes a second
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		rails := rapid.SampledFrom([]int{1, 2, 4}).Draw(rt, "rails")
		colours := []string{"aqua", "violet", ""}
		a := rapid.SampledFrom(colours[:2]).Draw(rt, "compute")
		byRail := rapid.SliceOfN(rapid.SampledFrom(colours), 0, 4).Draw(rt, "by rail")
		percent, least := rapid.IntRange(0, 30).Draw(rt, "spares"), rapid.IntRange(1, 5).Draw(rt, "least")
		structured := rapid.SampledFrom([]string{"", ", structured: {}"}).Draw(rt, "structured")
		var list []string
		for _, c := range byRail {
			list = append(list, fmt.Sprintf("%q", c))
		}
		text := fmt.Sprintf(`
name: colours
boxes: [{name: node, count: %d, part: node}]
fabrics:
  - name: compute
    topology: {family: leaf-spine, rails: %d, down: 8, up: 4, spines: 2}
    ends: [{boxes: node, ports: compute}]
    switches: {switch: {part: nvidia-sn5610}}
    media: [{use: [multimode]}]
  - name: oob
    topology: {family: access, down: 48}
    ends: [{boxes: node, ports: bmc}]
    switches: {leaf: {part: nvidia-sn2201}}
room: {rows: 2, racks_per_row: 12}
cabling: {colours: {fabrics: {compute: %s, oob: blue}, rails: [%s]}%s}
prices: {set: estimate-2026, spares: {cable: %d}, least_spares: {cable: %d}}
parts:
  - {id: node, kind: node, units: 8, ports: [{name: compute, count: %d, connector: osfp, rate: 800G},
     {name: bmc, count: 1, connector: rj45, rate: 1G}]}
`, rapid.IntRange(2, 20).Draw(rt, "nodes"), rails, a, strings.Join(list, ", "), structured, percent, least, rails)
		r := planText(t, text)
		counted := map[[2]string]int64{} // cables by product and colour
		cables := readCables(t, r)
		leg := func(row []string) bool { return row[cableLeg] == "1" }
		for _, row := range cables {
			want := ""
			switch fabric, _, _ := strings.Cut(row[1], "/"); {
			case strings.HasPrefix(row[10], "PP") && strings.HasPrefix(row[15], "PP"):
			case fabric == "oob":
				want = "blue"
			default:
				want = a
			}
			if want == a && a != "" && len(byRail) > 0 { // by rail, where that has a colour
				if got := row[cableColour]; got != a && got != "aqua" && got != "violet" {
					rt.Fatalf("%v", row)
				}
			} else if row[cableColour] != want {
				rt.Fatalf("colour %q, want %q: %v", row[cableColour], want, row)
			}
			if leg(row) && row[3] != "" {
				counted[[2]string{row[3], row[cableColour]}]++
			}
		}
		ordered := map[string]int64{}
		for _, row := range readTable(t, r, Orders) {
			n, err := strconv.ParseInt(row["quantity"], 10, 64)
			if err != nil {
				rt.Fatal(err)
			}
			ordered[row["part"]] += n
		}
		for i := range r.Schedule.Segments {
			seg := &r.Schedule.Segments[i]
			v, port := seg.A, int(seg.PortA)
			if topology.KindOf(r.Schedule.Kinds, int(v)) != 0 || r.Schedule.Panel(v) >= 0 {
				v, port = seg.B, int(seg.PortB)
			}
			if r.Schedule.Panel(v) >= 0 || topology.KindOf(r.Schedule.Kinds, int(v)) != 0 || port >= rails {
				continue // port r of a node is on rail r
			}
			want := a
			if port < len(byRail) && byRail[port] != "" {
				want = byRail[port]
			}
			if got := r.Schedule.Colour(seg); got != want {
				rt.Fatalf("rail %d: %q, want %q", port, got, want)
			}
		}
		checkColourRows(rt, r, counted, ordered, percent, least)
		checkOrderSheets(t, rt, r, ordered)
	})
}

// checkColourRows holds the rows of a bill against cables counted by product and colour, and orders by product.
func checkColourRows(
	rt *rapid.T, r *machine.Result, counted map[[2]string]int64, ordered map[string]int64, percent, least int,
) {
	for i := range r.Bill.Rows {
		row := &r.Bill.Rows[i]
		if row.Kind == catalog.KindLabour {
			continue
		}
		if ordered[row.Item.String()] != row.Buy {
			rt.Fatalf("%v: %d ordered of %d", row.Item, ordered[row.Item.String()], row.Buy)
		}
		if row.Kind != catalog.KindCable {
			continue
		}
		if want := max((row.Qty*int64(percent)+99)/100, int64(least)); row.Spares != want {
			rt.Fatalf("%v: %d spares of %d, want %d", row.Item, row.Spares, row.Qty, want)
		}
		qty, spares, buy := int64(0), int64(0), int64(0)
		for _, c := range row.Colours {
			if n := counted[[2]string{row.Item.String(), c.Colour}]; n != c.Qty {
				rt.Fatalf("%v in %q: %d in the schedule, %d in the bill", row.Item, c.Colour, n, c.Qty)
			}
			qty, spares, buy = qty+c.Qty, spares+c.Spares, buy+c.Buy
			if low := row.Spares * c.Qty / row.Qty; c.Spares != low && c.Spares != low+1 {
				rt.Fatalf("%v in %q: %d of %d spares for %d of %d", row.Item, c.Colour, c.Spares, row.Spares,
					c.Qty, row.Qty)
			}
		}
		if row.Colours != nil && (qty != row.Qty || spares != row.Spares || buy != row.Buy) {
			rt.Fatalf("%v: %d + %d, %d to buy by colour, %+v", row.Item, qty, spares, buy, row)
		}
	}
}

// checkOrderSheets holds the quantities of the order sheets against those of orders.csv.
func checkOrderSheets(t *testing.T, rt *rapid.T, r *machine.Result, ordered map[string]int64) {
	t.Helper()
	f := workbook(t, r)
	got := map[string]int64{}
	for _, name := range f.GetSheetList() {
		if !strings.HasPrefix(name, "Order ") {
			continue
		}
		rows, err := f.GetRows(name, excelize.Options{RawCellValue: true})
		if err != nil {
			rt.Fatal(err)
		}
		for _, row := range rows[4:] {
			if len(row) > 5 && row[2] != "" {
				n, err := strconv.ParseInt(row[5], 10, 64)
				if err != nil {
					rt.Fatal(row, err)
				}
				got[row[2]] += n
			}
		}
	}
	for part, n := range ordered {
		if got[part] != n {
			rt.Fatalf("%s: %d in the sheets, %d in orders.csv", part, got[part], n)
		}
	}
}

// TestColoursThatNothingStates: a colour that the part states is known to exist, one that a quote states too, and any
// other is noted and ordered all the same.
func TestColoursThatNothingStates(t *testing.T) {
	r := planText(t, `
name: colours
boxes: [{name: node, count: 6, part: node}]
fabrics:
  - name: oob
    topology: {family: access, down: 48}
    ends: [{boxes: node, ports: bmc}]
    switches: {leaf: {part: nvidia-sn2201}}
    media: [{use: [cord]}]
room: {rows: 1, racks_per_row: 4}
cabling: {colours: {fabrics: {oob: blue}}}
prices: {set: estimate-2026, unit: {cord: 2}}
parts:
  - {id: node, kind: node, units: 1, ports: [{name: bmc, count: 1, connector: rj45, rate: 1G}]}
  - {id: cord, kind: cable, pack: 4, cable: {medium: passive-copper, connector: rj45, rate: 1G, lengths: [3 m, 10 m],
     reach: 100 m, propagation: 5 ns/m, diameter: 6 mm, colours: [grey]}, source: test, confidence: user}
`)
	if notes := strings.Join(r.Bill.Notes, "\n"); !strings.Contains(notes, "says that cord is made in blue") {
		t.Fatalf("%q", notes)
	}
	blue := 0
	for _, row := range readTable(t, r, Orders) {
		if row["colour"] == "blue" && row["colour_stated_by"] == "" && strings.HasPrefix(row["part"], "cord@") {
			blue++
		}
	}
	if blue == 0 {
		t.Fatal("no blue cords are ordered")
	}
	for i := range r.Bill.Rows {
		if row := &r.Bill.Rows[i]; row.Item.Part == "cord" && (row.Colours[0].StatedBy != "" || row.Buy%4 != 0) {
			t.Fatalf("%+v", row)
		}
	}
	var none strings.Builder
	if err := OrdersBy(context.Background(), &none, r, map[string]string{"nvidia-sn2201": "2027-01-02"}); err != nil ||
		strings.Count(none.String(), "2027-01-02") != 1 {
		t.Fatal(none.String(), err)
	}
}
