package machine_test

import (
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
)

// Links that no product makes cost nothing in a plan, which is a machine where the rule against them is suppressed.
func TestTheLeastCostKnowsSuppressedRules(t *testing.T) {
	given, whole := spec.Read("torus.yaml", []byte(`
topology: {family: torus, dims: [8, 8]}
room: {racks_per_row: 1, cold_aisle: 9 m}
packaging: {node: {per_rack: 4}}
cabling: {media: [{use: copper}]}
prices: {unit: {rack-42u: 0, tray-ladder: 0, install-in-rack: 0, install-between-racks: 0}}
rules: {suppress: [{rule: reach, reason: not yet bought}]}
`))
	if err := given.Locate(nil); err != nil || !whole {
		t.Fatal(err)
	}
	p, err := machine.Plan(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	least, err := machine.LeastOf(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	if p.Violations.Errors() > 0 || least.Money > p.Bill.Total {
		t.Errorf("%d violations; bounded by %v and planned with %v", p.Violations.Errors(), least.Money, p.Bill.Total)
	}
}
