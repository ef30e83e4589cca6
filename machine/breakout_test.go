package machine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// TestBreakout runs 800G ports as two of 400G: splitters to the nodes, twin-port
// cables to the spines, half as many cables as links.
func TestBreakout(t *testing.T) {
	spec, err := machine.Parse("x.yaml", []byte(`
topology: {family: fat-tree, nodes: 100, radix: 64, down: 32, up: 16, spines: 4}
packaging:
  node: {part: generic-node-1u}
  leaf: {part: nvidia-sn5600, breakout: 2}
  spine: {part: nvidia-sn5600, breakout: 2}
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	rep := r.Report()
	if rep.Links != 164 || rep.Cables != 82 || r.Broken() || rep.Ports.Total != 8*2*64+100 {
		t.Errorf("%d links on %d cables, %d ports, %v", rep.Links, rep.Cables, rep.Ports.Total, rep.Violations)
	}
	splitters := int64(0)
	for _, m := range rep.Media {
		if strings.HasPrefix(m.Product, "nvidia-mcp7y10@") {
			splitters += m.Qty
		}
	}
	if splitters != 50 {
		t.Errorf("%d splitters for 100 nodes", splitters)
	}
	if _, err := machine.Parse("x.yaml", []byte("topology: {family: fat-tree, nodes: 8, radix: 8}\n"+
		"packaging: {leaf: {breakout: 3}}\n")); err == nil ||
		!strings.Contains(err.Error(), "x.yaml:2:30: packaging.leaf.breakout: a port is broken out into 2, 4 or 8, "+
			"not 3") {
		t.Error(err)
	}
}
