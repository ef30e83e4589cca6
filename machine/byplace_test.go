package machine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// racked is a machine with access switches in some of the racks, into which boxes are plugged by where they stand.
const racked = `
boxes:
- {name: pc, count: 48, part: generic-server-1u, per_rack: 8}
- {name: helper, count: 48, role: service, part: generic-server-1u, per_rack: 8}
fabrics:
- name: data
  topology: {family: leaf-spine, down: 8, up: 2, spines: 2}
  ends: [{boxes: pc, ports: "1"}]
  switches: {switch: {part: nvidia-sn4600c}}
- name: oob
  topology: {family: access, down: 32}
  ends: [{boxes: pc, ports: bmc}, {boxes: helper, ports: bmc}]
  switches: {switch: {part: nvidia-sn2201}}
room: {rows: 3, racks_per_row: 7, rack: rack-48u}
rules: {suppress: [{rule: redundancy, reason: a test}]}
embedding: {effort: none}
`

// TestBillBeforeOptimisingByPlace: the bill without optimising is that of the plan without it, in which boxes are
// plugged in by where they stand; that of the optimised places is no more.
func TestBillBeforeOptimisingByPlace(t *testing.T) {
	plain := buy(t, racked)
	for _, effort := range []string{"quick", "normal"} {
		best := buy(t, strings.Replace(racked, "effort: none", "effort: "+effort, 1))
		o := best.Report().Placement
		if o.CostBefore == nil || *o.CostBefore != plain.Bill.Total {
			t.Errorf("%s: %v before, and the plan without optimising comes to %v", effort, o.CostBefore,
				plain.Bill.Total)
		}
		if o.CostAfter != best.Bill.Total || o.CostAfter > plain.Bill.Total {
			t.Errorf("%s: %v after, the bill is %v", effort, o.CostAfter, best.Bill.Total)
		}
		if effort == "normal" && o.CostAfter >= plain.Bill.Total {
			t.Error("the search, which weighs cables as they are plugged in, has found nothing")
		}
	}
}

// TestPlacePlugsByPlace: the library function that only places boxes has them stand and plugged in as the plan does.
func TestPlacePlugsByPlace(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(racked))
	if err != nil {
		t.Fatal(err)
	}
	placed, err := machine.Place(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan := buy(t, racked)
	links := func(g topology.Graph) []topology.Link { return slices.Collect(g.Links()) }
	if !slices.Equal(links(placed.Graph), links(plan.Graph)) {
		t.Error("boxes are plugged in elsewhere")
	}
	if !slices.Equal(placed.Placement.Slot, plan.Placement.Slot) {
		t.Error("boxes stand elsewhere")
	}
}

// TestGrowthWithinFabrics: levels of different fabrics are not set against each other.
func TestGrowthWithinFabrics(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(racked))
	if err != nil {
		t.Fatal(err)
	}
	placed, err := machine.Place(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := placed.Report()
	for _, l := range r.Levels {
		if first := strings.HasSuffix(l.Level, "/terminal"); first != (l.Growth == nil) {
			t.Errorf("%s grows by %v", l.Level, l.Growth)
		}
	}
	if r.GrowthMean != nil {
		t.Errorf("over all fabrics, lengths grow by %v", *r.GrowthMean)
	}
}
