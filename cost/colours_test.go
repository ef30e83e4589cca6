package cost_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
)

// colouredCords is a machine with two fabrics in different colours, whose links take the same cords.
const colouredCords = `
boxes: [{name: n, count: %d, part: node, per_rack: 8}]
fabrics:
- name: oob
  topology: {family: access, down: 48}
  ends: [{boxes: n, ports: bmc}]
  switches: {leaf: {part: nvidia-sn2201, place: network-row}}
  media: [{use: [cord]}]
- name: console
  topology: {family: access, down: 48}
  ends: [{boxes: n, ports: serial}]
  switches: {leaf: {part: nvidia-sn2201, place: network-row}}
  media: [{use: [cord]}]
room: {rows: 1, racks_per_row: 8}
cabling: {colours: {fabrics: {oob: blue%s}}}
prices: {set: estimate-2026, quote: [%s], spares: {cable: %d}}
stock: [%s]
parts:
- {id: node, kind: node, units: 1, ports: [{name: bmc, count: 1, connector: rj45, rate: 1G},
   {name: serial, count: 1, connector: rj45, rate: 1G}]}
- {id: cord, kind: cable, cable: {medium: passive-copper, connector: rj45, rate: 1G, lengths: [10 m, 20 m],
   reach: 100 m, propagation: 5 ns/m, diameter: 6 mm}, source: test, confidence: user}
`

// TestSparesKeepTheirColours: spares of a length that nobody sells are bought in the next one, in the colours of the
// cables that they replace.
func TestSparesKeepTheirColours(t *testing.T) {
	left := 20
	rapid.Check(t, func(t *rapid.T) {
		if left--; left < 0 {
			return
		}
		nodes, percent := rapid.IntRange(1, 24).Draw(t, "nodes"), rapid.IntRange(1, 90).Draw(t, "spares")
		kept := rapid.IntRange(0, 3).Draw(t, "pieces left in stock")
		console := rapid.SampledFrom([]string{"red", ""}).Draw(t, "colour")
		stated := ""
		if console != "" {
			stated = ", console: " + console
		}
		r := plan(t, fmt.Sprintf(colouredCords, nodes, stated, "", percent,
			fmt.Sprintf(`{part: "cord@15 m", quantity: %d}`, 2*nodes+kept)))
		stocked, bought := row(t, r.Bill, "cord@15 m"), (*cost.Row)(nil)
		for i := range r.Bill.Rows {
			if r.Bill.Rows[i].Item.String() == "cord@20 m" {
				bought = &r.Bill.Rows[i]
			}
		}
		want := int64((2*nodes*percent+99)/100 - kept)
		if stocked.Qty != int64(2*nodes) || stocked.Buy != 0 {
			t.Fatalf("%+v", stocked)
		}
		if want <= 0 {
			if bought != nil {
				t.Fatalf("%+v", bought)
			}
			return
		}
		if bought == nil || bought.Qty != 0 || bought.Spares != want || bought.Buy != want {
			t.Fatalf("%d spares wanted: %+v", want, bought)
		}
		sum := int64(0)
		for _, c := range bought.Colours {
			if c.Qty != 0 || c.Spares != c.Buy || c.Spares != want/2 && c.Spares != (want+1)/2 ||
				c.Colour != "blue" && c.Colour != console {
				t.Fatalf("%d of %+v", want, bought)
			}
			sum += c.Buy
		}
		if sum != want {
			t.Fatalf("%d pieces by colour of %d", sum, want)
		}
	})
}

// TestPriceBreaksCountPacksOfColours: packs of single colours may take more pieces than the machine needs, and the
// price is that of the pieces that are bought.
func TestPriceBreaksCountPacksOfColours(t *testing.T) {
	quote := "part,min qty,unit price,currency,date,pack\n"
	for _, p := range []string{"cord@10 m", "cord@20 m"} {
		quote += fmt.Sprintf("%s,,3,USD,2026-01-01,10\n%s,20,2,USD,2026-01-01,10\n", p, p)
	}
	r := planColoured(t, fmt.Sprintf(colouredCords, 5, ", console: red", "q.csv", 0, ""), quote)
	pieces := int64(0)
	for i := range r.Bill.Rows {
		b := &r.Bill.Rows[i]
		if b.Item.Part != "cord" {
			continue
		}
		pieces += b.Buy
		want := "3.00"
		if b.Buy >= 20 {
			want = "2.00"
		}
		sum := int64(0)
		for _, c := range b.Colours {
			sum += c.Buy
		}
		if b.UnitCost.Decimal() != want || *b.Cost != b.UnitCost.Times(b.Buy) || sum != b.Buy {
			t.Errorf("%d pieces at %s, want %s: %+v", b.Buy, b.UnitCost.Decimal(), want, b)
		}
	}
	if pieces != 20 || !slices.ContainsFunc(r.Bill.Rows, func(b cost.Row) bool { return b.Buy == 20 }) {
		t.Errorf("%d pieces: ten cords of one length in two colours take two packs of ten", pieces)
	}
}

func planColoured(t *testing.T, text, quote string) *machine.Result {
	t.Helper()
	s, err := load(t, t.TempDir(), text, map[string]string{"q.csv": quote})
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
