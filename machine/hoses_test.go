package machine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/units"
)

// hosed is the machine of cooled with a loop of the given keys and a hose of the given lengths.
func planHoses(t *testing.T, loop, lengths, prices string) *Result {
	t.Helper()
	text := fmt.Sprintf(cooled, 6, 10, "loops: [{name: x, cdus: cdu, count: 3"+loop+"}]", 1e9, 1e6, 1000, 80) +
		"  - {id: pipe, kind: hose, supplier: Acme, hose: {inside: 25 mm, connector: uqd08, bend: 150 mm, " + lengths +
		"}}\n" + prices
	s, err := Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rowsOfHoses are the lines of the bill of kind hose, by item.
func rowsOfHoses(r *Result) map[string]cost.Row {
	out := map[string]cost.Row{}
	for _, row := range r.Bill.Rows {
		if row.Kind == catalog.KindHose {
			out[row.Item.String()] = row
		}
	}
	return out
}

// TestHosesInBill counts the hoses anew from where racks and units stand: two for each rack, in the shortest length
// that is sold and covers the distance and the slack. Pieces, deliveries and money follow.
func TestHosesInBill(t *testing.T) {
	const slack = 1.5
	stocked := []float64{2, 3, 4.5, 6, 9, 14, 20}
	r := planHoses(t, ", hose: pipe, hose_slack: 1.5 m", "lengths: [2 m, 3 m, 4.5 m, 6 m, 9 m, 14 m, 20 m]",
		"prices: {unit: {pipe: 80, pipe@3 m: 101, pipe@4.5 m: 77}, spares: {hose: 10}}\n")
	room := r.Room()
	want, ofRack := map[string]int64{}, map[int32]string{}
	racks := 0
	for i := range r.Placement.Racks {
		rack := &r.Placement.Racks[i]
		if rack.Name != "pod" {
			continue
		}
		racks++
		near := math.Inf(1)
		for j := range r.Placement.Racks {
			if other := &r.Placement.Racks[j]; other.Name == "cool" {
				a, b := room.Places[rack.Place], room.Places[other.Place]
				near = min(near, math.Abs(float64(a.X-b.X))+math.Abs(float64(a.Y-b.Y)))
			}
		}
		for _, l := range stocked {
			if l+1e-6 >= near+slack {
				ofRack[rack.Place] = catalog.Item{Part: "pipe", Length: units.Length(l)}.String()
				want[ofRack[rack.Place]] += 2
				break
			}
		}
	}
	rows := rowsOfHoses(r)
	if racks != 6 || len(rows) != len(want) || len(want) < 2 {
		t.Fatalf("lines %v, want %v of %d racks", rows, want, racks)
	}
	price := map[string]units.Money{"pipe@3 m": 10100, "pipe@4.5 m": 7700}
	sum := units.Money(0)
	for item, n := range want {
		row := rows[item]
		spares := int64(math.Ceil(float64(n) / 10))
		unit := price[item]
		if unit == 0 {
			unit = 8000
		}
		cost := units.Money(int64(unit) * (n + spares))
		sum += cost
		if row.Qty != n || row.Spares != spares || row.Buy != n+spares || row.Supplier != "Acme" ||
			row.UnitCost == nil || *row.UnitCost != unit || *row.Cost != cost {
			t.Errorf("%s: %+v, want %d and %d spares at %v", item, row, n, spares, unit)
		}
	}
	doc := r.Report()
	if doc.Cost.Hoses != sum || sum == 0 {
		t.Errorf("hoses cost %v, want %v", doc.Cost.Hoses, sum)
	}
	delivered := map[string]int64{}
	for _, d := range r.Deliveries() {
		if d.Item.Part == "pipe" && d.Rack != NoRack {
			if ofRack[d.Rack] != d.Item.String() || d.Pieces != 2 {
				t.Errorf("%+v, want 2 of %s", d, ofRack[d.Rack])
			}
			delivered[d.Item.String()] += d.Pieces
		}
	}
	for _, l := range doc.Cooling.Loops {
		for _, rack := range l.Racks {
			delivered[rack.Product.String()] -= 2
		}
	}
	for item, n := range delivered {
		if n != 0 {
			t.Errorf("%s: %d more are delivered than the loops have", item, n)
		}
	}
	if slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "not in the bill") }) ||
		r.Violations.Count(cabling.RuleCooling) != 0 {
		t.Errorf("notes %q", r.Notes)
	}
	e, err := Estimate(context.Background(), r.Spec)
	if err != nil {
		t.Fatal(err)
	}
	estimated := 0
	for _, row := range e.BOM {
		if row.Kind == catalog.KindHose {
			estimated++
			if row.Qty != want[row.Item.String()] {
				t.Errorf("the estimate has %d of %v", row.Qty, row.Item)
			}
		}
	}
	if estimated != len(want) || *e.Cost.Bill != r.Bill.Total {
		t.Errorf("the estimate has %d lines of hoses and %v, the plan %v", estimated, *e.Cost.Bill, r.Bill.Total)
	}
}

// TestHosesOutOfBill: hoses without a part, and those that are too long for it, are counted beside the bill; a part
// without a price has a line and no cost.
func TestHosesOutOfBill(t *testing.T) {
	noted := func(r *Result, text string) bool {
		return slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, text) })
	}
	r := planHoses(t, "", "lengths: [30 m]", "")
	length := r.Cooling.Loops[0].Hoses().Round4()
	if len(rowsOfHoses(r)) != 0 || !noted(r, fmt.Sprintf("12 hoses for coolant (%v over the floor", length)) {
		t.Errorf("no part: %v, notes %q", rowsOfHoses(r), r.Notes)
	}
	r = planHoses(t, ", hose: pipe", "lengths: [30 m]", "")
	row := rowsOfHoses(r)["pipe@30 m"]
	if row.Qty != 12 || row.Cost != nil || !slices.Contains(r.Bill.Unpriced, row.Item) ||
		!noted(r, "hose_slack of the loop adds rises and slack") || noted(r, "not in the bill") {
		t.Errorf("no price: %+v, notes %q", row, r.Notes)
	}
	r = planHoses(t, ", hose: pipe, hose_slack: 1 m", "made_to_measure: 4 m, step: 0.25 m", "")
	left := 12
	for item, row := range rowsOfHoses(r) {
		if row.Item.Length > 4 {
			t.Errorf("%s is not sold", item)
		}
		left -= int(row.Qty)
	}
	if n := r.Violations.Count(cabling.RuleCooling); left == 0 || left == 12 || 2*n != left ||
		!noted(r, fmt.Sprintf("%d hoses for coolant", left)) {
		t.Errorf("%d hoses are too long, %d violations, notes %q", left, n, r.Notes)
	}
	for loop, want := range map[string]string{
		", hose: pip":                 `room.loops[0].hose: there is no part "pip"`,
		", hose: cooler":              `room.loops[0].hose: part "cooler" is of kind node, not hose`,
		", hose_slack: 1 m":           "room.loops[0].hose_slack: the loop names no part for its hoses",
		", hose: pipe, hose_slack: x": "hose_slack",
	} {
		text := fmt.Sprintf(cooled, 2, 4, "loops: [{name: x, cdus: cdu"+loop+"}]", 1e6, 100.0, 1000, 50) +
			"  - {id: pipe, kind: hose, hose: {inside: 25 mm, lengths: [9 m]}}\n"
		s, err := Parse("m.yaml", []byte(text))
		if err == nil {
			_, err = Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", loop, err, want)
		}
	}
}
