package machine_test

import (
	"context"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// The machines of this file are such as people tried to buy.

// buy plans a machine that breaks no rule.
func buy(t *testing.T, text string) *machine.Result {
	t.Helper()
	spec, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Violations.List() {
		t.Errorf("%s: %s: %s", v.Rule, v.Where, v.Message)
	}
	return r
}

// TestSideOfTwoTakesOnePort: a node of a 4 x 4 x 2 torus has five links, so that five ports will do.
func TestSideOfTwoTakesOnePort(t *testing.T) {
	for _, topology := range []string{
		"{family: torus, dims: [4, 4, 2]}", "{family: mesh, dims: [3, 3, 2]}",
		"{family: ibt, dims: [8, 8], bypass_dims: 2, bypass_lengths: [4]}",
	} {
		r := buy(t, "topology: "+topology+`
parts:
- {id: five, kind: node, units: 1, width: 440 mm, depth: 800 mm, source: x, confidence: user,
   ports: [{count: 5, connector: qsfp112, rate: 400G}]}
packaging: {node: {part: five}}
`)
		if used, total := r.Schedule.PortsUsed.Node, int64(5*r.Graph.Kinds()[0].Count); used > total {
			t.Errorf("%s: %d of %d ports are used", topology, used, total)
		}
	}
}
