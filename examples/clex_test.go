package examples_test

import (
	"context"
	"testing"

	"github.com/plenum-planner/plenum/sim/rounds"
	"github.com/plenum-planner/plenum/topology"
)

// A clique is a chassis, whose links are traces; a link above has the capacity of 16 of them and takes two cables.
func TestCLEXCliquesAreChassis(t *testing.T) {
	for _, name := range []string{"clex-4096.yaml", "clex-4096-racks.yaml"} {
		e := plan(t, name)
		for level, want := range map[string][2]int64{
			"level1": {256 * 16 * 15 / 2, 0}, "level2": {2 * 4096 * 15 / 16 / 2, 2 * 1920},
			"level3": {2 * 4096 * 15 / 16, 2 * 3840},
		} {
			if got := e.links(level); got != want {
				t.Errorf("%s: %s has %d links and cables, want %d", name, level, got, want)
			}
		}
		if e.report.Delay.HopsMax != 5 {
			t.Errorf("%s: diameter %d; the bundled form has 5", name, e.report.Delay.HopsMax)
		}
	}
	if racks := plan(t, "clex-4096-racks.yaml").report.Racks; racks != 32 {
		t.Errorf("%d racks, want 32", racks)
	}
}

// Tori take the place of cliques: three links for each node within a torus, one between any two tori, a torus a rack.
// Packets make at most 6 hops in either torus and one between them.
func TestCLEXOfTori(t *testing.T) {
	e := plan(t, "clex-torus.yaml")
	for level, want := range map[string]int64{
		"local_dim1": 4096, "local_dim2": 4096, "local_dim3": 4096, "level2": 64 * 63 / 2,
	} {
		if got := e.links(level)[0]; got != want {
			t.Errorf("%s has %d links, want %d", level, got, want)
		}
	}
	if d := e.report.Delay; e.report.Racks != 64 || d.HopsMax > 13 {
		t.Errorf("%d racks, want 64; %d hops, at most 13", e.report.Racks, d.HopsMax)
	}
}

// Every message between live nodes is delivered or counted, on the planned
// lengths, with up to 5 % of nodes and links failed and messages lost.
func TestCLEXDeliversOnPlannedLengths(t *testing.T) {
	for _, name := range []string{"clex-4096.yaml", "clex-4096-racks.yaml"} {
		p := plan(t, name).Result
		links := p.Model.Wires(p.Links)
		clex := p.Spec.Topology.Params.(topology.CLEX)
		wire, err := rounds.BundledWire(clex, links)
		if err != nil {
			t.Fatal(err)
		}
		for _, failed := range []float64{0, .02, .05} {
			for _, loss := range []float64{0, .01} {
				r, err := rounds.Run(context.Background(), rounds.Options{
					Topology: clex, Load: 3, Seed: 1, Alpha: p.Model.NodeHop(p.Graph.Kinds()), Wire: wire,
					FailNodes: failed, FailLinks: failed, Loss: loss, Retries: 3,
				})
				if err != nil {
					t.Fatal(err)
				}
				if r.Delivered+r.Lost+r.Undeliverable != r.Messages || r.Messages != 3*4096 {
					t.Errorf("%s: %d messages, %d delivered, %d lost, %d undeliverable", name, r.Messages, r.Delivered,
						r.Lost, r.Undeliverable)
				}
				if failed == 0 && loss == 0 && r.Delivered != r.Messages ||
					r.Undeliverable-r.DeadEnds > r.Messages/100 {
					t.Errorf("%s, %g failed, loss %g: %d of %d delivered, %d dead ends", name, failed, loss,
						r.Delivered, r.Messages, r.DeadEnds)
				}
				if r.Delay.Propagation <= 0 ||
					float64(r.Delay.Mean) < float64(r.Delay.Propagation)+float64(p.Model.NodeHop(p.Graph.Kinds())) {
					t.Errorf("%s: mean delay %v with propagation %v", name, r.Delay.Mean, r.Delay.Propagation)
				}
			}
		}
	}
}
