package render

import (
	"bytes"
	"context"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/elevation"
)

// written reads a file of a plan back.
func written(t *testing.T, r *machine.Result, write Writer) [][]string {
	t.Helper()
	var b bytes.Buffer
	if err := write(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// TestOrdersHaveWhatIsBought: every piece that is bought is on one purchase order, with its money.
func TestOrdersHaveWhatIsBought(t *testing.T) {
	r := plan(t, superPod())
	for i := range r.Bill.Rows {
		switch l := &r.Bill.Rows[i]; l.Kind {
		case catalog.KindCable:
			l.Supplier = "Zeta"
		case catalog.KindOptic:
			l.Supplier = "Acme"
		}
	}
	got, want := map[string]string{}, map[string]string{}
	last := ""
	for _, row := range written(t, r, Orders) {
		got[row[2]] = row[0] + " " + row[6] + " " + row[9]
		if row[0] < last && row[0] != "" {
			t.Errorf("%s comes after %s", row[0], last)
		}
		last = row[0]
	}
	for _, l := range r.Bill.Rows {
		switch l.Kind {
		case catalog.KindLabour, catalog.KindFreight, catalog.KindContingency:
			continue
		}
		money := ""
		if l.Cost != nil {
			money = l.Cost.Decimal()
		}
		want[l.Item.String()] = l.Supplier + " " + strconv.FormatInt(l.Buy, 10) + " " + money
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSheetNames(t *testing.T) {
	taken := map[string]bool{}
	for text, want := range map[string]string{
		"Order A/B: [C]?": "Order A-B- -C--", "Order " + strings.Repeat("x", 40): "Order " + strings.Repeat("x", 25),
	} {
		if got := sheetName(text, taken); got != want {
			t.Errorf("%q is called %q, want %q", text, got, want)
		}
	}
	if a, b := sheetName("Order a", taken), sheetName("ORDER A", taken); a != "Order a" || b != "ORDER A 2" {
		t.Errorf("%q and %q", a, b)
	}
}

// TestElevationsFillRacks: from the top of a rack to its bottom every unit is listed once.
func TestElevationsFillRacks(t *testing.T) {
	for _, r := range []*machine.Result{plan(t, superPod()), plan(t, torus(8, 8, 8))} {
		units := r.Room().Spec.Rack.Units
		racks := elevation.Of(r)
		if len(racks) != len(r.Placement.Racks) {
			t.Errorf("%d racks, %d in the placement", len(racks), len(r.Placement.Racks))
		}
		boxes := 0
		for _, e := range racks {
			next := units
			for _, m := range e.Stack {
				if m.Unit > 0 && m.Unit+m.Units-1 != next {
					t.Errorf("%s: %+v, and unit %d is next", e.Name, m, next)
				}
				if m.Unit > 0 {
					next = m.Unit - 1
				}
				boxes += m.Boxes
			}
			if next != 0 {
				t.Errorf("%s: units up to %d are missing", e.Name, next)
			}
		}
		if want := len(r.Placement.Slot); boxes != want {
			t.Errorf("%d boxes, want %d", boxes, want)
		}
	}
}

// TestPortsAgreeWithCables: every end of a cable at a box is on its port map, and nothing else.
func TestPortsAgreeWithCables(t *testing.T) {
	r := plan(t, superPod())
	got, want := map[string]string{}, map[string]string{}
	for _, row := range written(t, r, Ports) {
		if row[7] != "" {
			got[row[2]+" "+row[4]] = row[7] + " to " + row[9]
		}
	}
	for _, row := range readCables(t, r) {
		want[row[10]+" "+row[11]] = row[0] + " to " + row[12]
		want[row[15]+" "+row[16]] = row[0] + " to " + row[7]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestInstallCountsLabels: a label at every plug, and a panel over every free unit.
func TestInstallCountsLabels(t *testing.T) {
	r := plan(t, torus(4, 4, 4))
	lines := map[string]string{}
	for _, row := range written(t, r, Install) {
		lines[row[0]] = row[1]
	}
	free := 0
	for _, k := range r.Placement.Racks {
		free += r.Room().Spec.Rack.Units - k.Used
	}
	for what, n := range map[string]int64{
		"cable label": 2 * r.Schedule.Cables, "box label": 64, "blanking panel of 1 unit": int64(free),
	} {
		if got := lines[what]; got != strconv.FormatInt(n, 10) {
			t.Errorf("%s of %s, want %d", got, what, n)
		}
	}
}

// TestPolarityTurnsFibresOnce: on every way between two transceivers of MPO plugs an odd number of cables is reversed.
func TestPolarityTurnsFibresOnce(t *testing.T) {
	for _, method := range []string{"", "A", "B"} {
		s, err := machine.Load("../machine/testdata/structured.yaml")
		if err != nil {
			t.Fatal(err)
		}
		s.Cabling.Structured.Polarity = method
		r := plan(t, s)
		turned := map[string]int{}
		for _, row := range readCables(t, r) {
			switch row[cablePolarity] {
			case "B":
				turned[row[cableLeg-1]]++
			case "A":
				turned[row[cableLeg-1]] += 2
			}
		}
		if int64(len(turned)) != r.Schedule.Patching.Links {
			t.Errorf("method %s: %d links with MPO plugs, %d over panels", method, len(turned),
				r.Schedule.Patching.Links)
		}
		for link, n := range turned {
			if n%2 != 1 {
				t.Fatalf("method %s: link %s is not turned", method, link)
			}
		}
		if n := r.Violations.Count(cabling.RulePolarity); (n > 0) != (method == "B") {
			t.Errorf("method %s: %d violations of %s", method, n, cabling.RulePolarity.ID)
		}
	}
}

// TestNetworkIsASum: what the network costs is the sum of its kinds of parts, and no other.
func TestNetworkIsASum(t *testing.T) {
	r := plan(t, superPod())
	sum := r.Bill.Network
	for _, l := range r.Bill.Rows {
		for _, kind := range cost.NetworkKinds {
			if l.Kind == kind && l.Cost != nil {
				sum -= *l.Cost
			}
		}
	}
	if sum != 0 || r.Bill.Network <= 0 || r.Bill.Network >= r.Bill.Total {
		t.Errorf("%v of %v, %v more than its parts", r.Bill.Network, r.Bill.Total, sum)
	}
}
