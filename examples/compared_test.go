package examples_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// The machines that docs/internals/reproduction.md compares, without their delays: nodes,
// cables, and for iBT what the paper says of its wiring (TPDS 22, 2011, sections 1
// and 4): as many cables a node as a 4-D torus, about half of a hypercube's. They
// are longer.
func TestComparedMachines(t *testing.T) {
	metres := map[string]float64{}
	for file, want := range map[string]struct {
		nodes  int
		cables int64
	}{
		"ibt/ibt.yaml":                   {32400, 4 * 32400},
		"ibt/torus-4d.yaml":              {32768, 4 * 32768},
		"ibt/hypercube.yaml":             {32768, 15 * 32768 / 2},
		"quarter-million/torus.yaml":     {262144, 3 * 262144},
		"quarter-million/mesh.yaml":      {262144, 3 * 63 * 64 * 64},
		"quarter-million/hypercube.yaml": {262144, 9 * 262144},
		"quarter-million/clex.yaml":      {262144, 262144*63/2 + 8*(262144*63/64/2+262144*63/64)},
		"quarter-million/hyperx.yaml":    {262144, 262144 + 32768*93/2},
	} {
		spec, err := machine.Load(filepath.FromSlash(file))
		if err != nil {
			t.Error(err)
			continue
		}
		p, err := machine.PlanWith(context.Background(), spec, machine.Options{Summary: true})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		r := p.Report()
		equal(t, file+": nodes", r.Nodes, want.nodes)
		equal(t, file+": cables", r.Cables, want.cables)
		if p.Broken() {
			t.Errorf("%s breaks design rules: %v", file, p.Violations.List())
		}
		metres[file] = float64(r.Length.Total) / float64(r.Nodes)
	}
	if ibt, torus, cube := metres["ibt/ibt.yaml"], metres["ibt/torus-4d.yaml"],
		metres["ibt/hypercube.yaml"]; ibt < 1.2*torus || ibt > 0.6*cube {
		t.Errorf("%.1f m of cable a node in iBT, %.1f in the torus, %.1f in the hypercube", ibt, torus, cube)
	}
}
