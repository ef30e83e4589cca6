package machine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// drawCluster draws a machine of one to three fabrics over boxes of two kinds, in a room or in containers, with the
// options that drawSpec draws; nil where its boxes have more ports than the topology takes.
func drawCluster(t *rapid.T) *spec.Spec {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	one := func(name string, texts ...string) string { return rapid.SampledFrom(texts).Draw(t, name) }
	text := fmt.Sprintf("boxes:\n"+
		"- {name: pc, count: %d, part: pc, per_rack: %d}\n"+
		"- {name: login, count: %d, role: %s, part: pc%s}\n", n("pcs", 1, 40), n("per rack", 1, 9), n("logins", 1, 5),
		one("role", "node", "service"), one("racks", "", ", racks: core", ", beyond: 20 m"))
	text += "fabrics:\n- {name: data, topology: " + one("topology", "{family: fat-tree, radix: 16}",
		"{family: fat-tree, radix: 16, rails: 2}", "{family: leaf-pair, down: 12}",
		"{family: hyperx, dims: [3, 2], terminals: 10}", "{family: access, down: 9}",
		"{family: dragonfly, p: 2, a: 4, h: 2, groups: 6}", "{family: torus, dims: [9, 5]}") +
		fmt.Sprintf(", ends: [{boxes: pc, ports: %s}, {boxes: login, ports: 1%s}], ",
			one("plane", "data-1", "data-2", "[data-1, data-2]"),
			one("second", "", "-2")) +
		"switches: {switch: {part: hub" + one("data place", "", ", place: network-row", ", racks: core") + "}}" +
		one("spares", "", ", spares: {switch: 10}") + one("media", "", ", media: [{use: [fibre]}]") + "}\n"
	if rapid.Bool().Draw(t, "management") {
		text += "- {name: oob, topology: " + one("access", "{family: access, down: 20}",
			"{family: hyperx, dims: [1], terminals: 40}") + ", order: " + one("order", "list", "place") +
			", ends: [{boxes: pc, ports: bmc}, {boxes: login, ports: bmc}, {boxes: pdu}], " +
			"switches: {switch: {part: nvidia-sn2201}}}\n"
	} else {
		text += "- {name: pdus, topology: {family: access, down: 20}, ends: [{boxes: pdu}], " +
			"switches: {switch: {part: nvidia-sn2201}}}\n"
	}
	text = text[:len("boxes:\n")] + "- {name: pdu, role: service, part: pdu" +
		one("pdus", "", ", count: 2") + "}\n" + text[len("boxes:\n"):]
	text += `parts:
- {id: pc, kind: node, units: 1, width: 440 mm, depth: 700 mm, power: 500 W, source: x, confidence: user,
   ports: [{name: data-1, count: 2, connector: qsfp112, rate: 400G}, {name: data-2, count: 2, connector: qsfp112,
           rate: 400G}, {name: bmc, count: 1, connector: rj45, rate: 1G, by_name: true, label: bmc}]}
- {id: pdu, kind: node, zero_u: true, width: 56 mm, depth: 60 mm, height: 1.8 m, power: 15 W, weight: 11 kg,
   ports: [{count: 1, connector: rj45, rate: 1G, label: net, at: [[28 mm, 0.9 m]]}]}
- {id: hub, kind: switch, units: 1, width: 440 mm, depth: 600 mm, power: 700 W, hop: 200 ns, source: x,
   confidence: user, ports: [{count: 32, connector: ` +
		one("plug", "qsfp112, rate: 400G", "osfp, rate: 400G, per_cage: 2") +
		"}]}\n"
	s, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		return nil
	}
	options := drawSpec(t, "torus")
	s.Room, s.Cabling, s.Prices, s.Rules, s.Embedding, s.Operation = options.Room, options.Cabling, options.Prices,
		options.Rules, options.Embedding, options.Operation
	s.Embedding.Fold = nil // the clusters are not grids
	s.Embedding.Strategy = embed.Strategy(one("strategy of fabrics", "", "hilbert", "random"))
	if n("room", 0, 1) == 0 {
		s.Room = spec.Room{}
	}
	return s
}

// drawStore adds what is in stock, sells some cables by quantity and has racks of two types.
func drawStore(t *rapid.T, s *spec.Spec) {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	if n("store", 0, 2) == 0 {
		s.Stock = []spec.InStore{
			{Part: rapid.SampledFrom([]string{
				"dac-400g-qsfp112@2 m", "optic-400g-qsfp112-sr4", "generic-switch-64x400g",
			}).Draw(t, "in stock"), Quantity: n("pieces", 1, 50)},
		}
	}
	if n("quote", 0, 2) == 0 {
		s.Prices.Unit = map[string]units.Money{"dac-400g-qsfp112@2 m": 100_00, "generic-node-1u": 5000_00}
	}
	if len(s.Room.Containers) == 0 && n("types", 0, 3) == 0 {
		s.Room.RackTypes = []spec.RackType{{Name: "tall", Part: "rack-48u"}}
		s.Room.RacksPerRow = 0
		s.Room.Rows = spec.Rows{List: []spec.Row{
			{Racks: 20},
			{
				Racks: 20, Types: []spec.RowType{{Positions: "2-9", Type: "tall"}},
				Reserved: []spec.Positions{"1"},
			},
		}}
	}
	if n("effort", 0, 9) == 0 {
		s.Embedding.Effort = "quick"
	}
}

// inventory is all that a plan and an estimate both count and price.
type inventory struct {
	Family, Currency                         string
	Nodes, Switches, Racks                   int
	Ports, PortsTotal, Links, Cables         int64
	Length                                   cost.EstimateLength
	Levels                                   []cost.EstimateLevel
	Fabrics                                  []cost.EstimateFabric
	BOM                                      []cost.Row
	Switch, Adapter, Cable, Panel, Pay, Bill units.Money
	Power                                    units.Power
}

func ofPlan(r *machine.Result) inventory {
	p := r.Report()
	levels := func(of []report.Level) []cost.EstimateLevel {
		var out []cost.EstimateLevel
		for _, l := range of {
			own := cost.EstimateLevel{
				Level: l.Level, Links: l.Links, Cables: l.Cables, Mean: l.Length.Mean, Max: l.Length.Max,
			}
			if l.Cost != 0 {
				own.Cost = &l.Cost
			}
			out = append(out, own)
		}
		return out
	}
	i := inventory{
		r.Graph.Family(), p.Currency, p.Nodes, p.Switches, p.Racks, p.Ports.Used, p.Ports.Total, p.Links, p.Cables,
		cost.EstimateLength(p.Length), levels(p.Levels), nil, p.BOM, p.Cost.Switches, p.Cost.Adapters,
		p.Cost.Cables + p.Cost.Optics, p.Cost.Panels, p.Cost.Labour, p.Cost.Total, p.Power,
	}
	for _, f := range p.Fabrics {
		i.Fabrics = append(i.Fabrics, cost.EstimateFabric{
			Name: f.Name, Topology: f.Topology, Nodes: f.Nodes, Ends: f.Ends, Switches: f.Switches, Links: f.Links,
			Cables: f.Cables, Levels: levels(f.Levels), Cost: &f.Cost,
		})
	}
	return i
}

func ofEstimate(e *cost.Estimate) inventory {
	fabrics := slices.Clone(e.Fabrics)
	for i := range fabrics {
		fabrics[i].Length = cost.EstimateLength{} // a plan has only that of all fabrics
	}
	return inventory{
		e.Family, e.Currency, e.Nodes, e.Switches, e.Racks, e.Ports, e.PortsTotal, e.Links, e.Cables, *e.Length,
		e.Levels, fabrics, e.BOM, e.Cost.Switches, e.Cost.Adapters, e.Cost.Cables, e.Cost.Panels, e.Cost.Labour,
		*e.Cost.Bill, *e.Power,
	}
}

// estimatesAgree compares the estimates of a machine with its plan: by its own parts in all, by the published models in
// what they count. What cannot be planned is refused likewise, and each refusal names a key of the file.
func estimatesAgree(t *rapid.T, s *spec.Spec) (planned bool) {
	ctx := context.Background()
	plan, wrong := machine.PlanWith(ctx, s, machine.Options{NoPaths: true})
	before := copyOf(t, s)
	e, err := machine.Estimate(ctx, s)
	if after := copyOf(t, s); before != after {
		t.Fatalf("estimating changed the spec:\n%s\n%s", before, after)
	}
	if wrong != nil || err != nil {
		if mistakes(wrong) != mistakes(err) {
			t.Fatalf("the plan says %v, the estimate %v\n%s", wrong, err, before)
		}
	} else if diff := cmp.Diff(ofPlan(plan), ofEstimate(e)); diff != "" {
		t.Fatalf("%s\n%s", before, diff)
	}
	for _, model := range cost.ModelNames() {
		own := *s
		own.Prices.Model = model
		m, err := machine.Estimate(ctx, &own)
		var faults diag.FieldErrors
		switch {
		case model == cost.ModelParts:
		case err != nil:
			var list diag.List // of a machine that was read from a file
			if !errors.As(err, &list) && (!errors.As(err, &faults) || len(faults) == 0 || faults[0].Path == "") {
				t.Fatalf("%s: %T: %v\n%s", model, err, err, before)
			}
		case wrong == nil:
			counted(t, model, m, plan)
		}
	}
	return wrong == nil
}

// mistakes returns the lines of an error, sorted: mistakes in a machine that was not read from a file have no order.
func mistakes(err error) string {
	if err == nil {
		return ""
	}
	lines := strings.Split(err.Error(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// counted compares what a published model counts with the plan.
func counted(t *rapid.T, model string, e *cost.Estimate, plan *machine.Result) {
	p := plan.Report()
	for _, l := range p.Levels {
		if l.Capacity > max(l.CablesPerLink, 1) {
			return // ports of parts are faster than those of the models, so that a link takes fewer
		}
	}
	if e.Nodes != p.Nodes || e.Switches != p.Switches || e.Links != p.Links || e.Ports != p.Ports.Used {
		t.Errorf("%s: %d nodes, %d switches, %d links, %d ports; the plan has %d, %d, %d, %d", model, e.Nodes,
			e.Switches, e.Links, e.Ports, p.Nodes, p.Switches, p.Links, p.Ports.Used)
	}
	if e.Ports > e.PortsTotal && plan.Violations.Errors() == 0 {
		t.Errorf("%s: %d ports used of %d", model, e.Ports, e.PortsTotal)
	}
	if model == cost.ModelCabinet && e.PortsTotal != p.Ports.Total {
		t.Errorf("%s: %d ports, the plan has %d", model, e.PortsTotal, p.Ports.Total)
	}
	if e.Length != nil && plan.Schedule.Patching == nil && e.Cables != plan.Schedule.Wired { // one segment a link
		t.Errorf("%s: %d cables, the plan has cables for %d links", model, e.Cables, plan.Schedule.Wired)
	}
	for i, l := range p.Levels {
		if e.Levels[i].Level != l.Level || e.Levels[i].Links != l.Links {
			t.Errorf("%s: %+v, the plan has %d links at %s", model, e.Levels[i], l.Links, l.Level)
		}
	}
	for i, f := range p.Fabrics {
		own := e.Fabrics[i]
		if own.Nodes != f.Nodes || own.Ends != f.Ends || own.Switches != f.Switches || own.Links != f.Links {
			t.Errorf("%s: %+v, the plan has %+v", model, own, f)
		}
	}
}

// TestEstimateEqualsPlan holds estimates of random machines of all families to their full plans.
func TestEstimateEqualsPlan(t *testing.T) {
	graphtest.FewerDraws(t, 5)
	planned := 0
	eachFamily(t, func(t *testing.T, family string) {
		rapid.Check(t, func(t *rapid.T) {
			s := drawSpec(t, family)
			drawStore(t, s)
			if estimatesAgree(t, s) {
				planned++
			}
		})
	})
	if planned == 0 {
		t.Error("no machine was planned")
	}
}

// TestEstimateOfClustersEqualsPlan does so with machines of several fabrics.
func TestEstimateOfClustersEqualsPlan(t *testing.T) {
	graphtest.FewerDraws(t, 20)
	planned, drawn := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		if drawn++; s == nil {
			return
		}
		drawStore(t, s)
		if estimatesAgree(t, s) {
			planned++
		}
	})
	if planned == 0 && drawn >= 100 {
		t.Error("no machine was planned")
	}
}

// TestPortsCountedByHand counts the ports of simplex links: n1 = 4 edges at each node and level, of which those to
// other nodes take ports.
func TestPortsCountedByHand(t *testing.T) {
	for _, g := range []topology.Params{
		topology.CLEX{Clique: 4, Levels: 2},
		topology.CLEX{Clique: 3, Levels: 3},
		topology.DeBruijn{Base: 3, Digits: 3},
		topology.Torus{Dims: []int{4, 2}, DoubledSides: true},
		topology.FatTree{Nodes: 20, Radix: 8},
	} {
		graph, err := topology.New(g)
		if err != nil {
			t.Fatal(err)
		}
		type lane struct {
			vertex int32
			out    bool
		}
		lanes := map[lane]int64{}
		for l := range graph.Links() {
			for range l.Width {
				lanes[lane{l.A, true}]++
				lanes[lane{l.B, false}]++
				if !l.Simplex {
					lanes[lane{l.A, false}]++
					lanes[lane{l.B, true}]++
				}
			}
		}
		want := int64(0)
		for v := range topology.Vertices(graph) {
			want += max(lanes[lane{int32(v), true}], lanes[lane{int32(v), false}])
		}
		e := estimate(t, cost.ModelPorts, g)
		if e.Ports != want || e.Ports > e.PortsTotal {
			t.Errorf("%+v: %d ports used of %d, want %d", g, e.Ports, e.PortsTotal, want)
		}
	}
}
