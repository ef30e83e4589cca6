package machine_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func estimate(t testing.TB, model string, s topology.Params) *cost.Estimate {
	t.Helper()
	e, err := machine.Estimate(context.Background(),
		&spec.Spec{Topology: topology.Spec{Params: s}, Prices: spec.Prices{Model: model}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Table 6 of Navaridas et al., Parallel Computing 36, 2010: the costs of trees of
// the same size, (a) 64 nodes, (b) 512 nodes.
func TestThinTreeCostsOfTable6(t *testing.T) {
	for _, table := range []struct {
		levels     int
		cC, cL, cQ [8]int64
	}{
		{
			2,
			[8]int64{9, 10, 11, 12, 13, 14, 15, 16},
			[8]int64{81, 100, 121, 144, 169, 196, 225, 256},
			[8]int64{729, 1000, 1331, 1728, 2197, 2744, 3375, 4096},
		},
		{
			3,
			[8]int64{73, 84, 97, 112, 129, 148, 169, 192},
			[8]int64{657, 840, 1067, 1344, 1677, 2072, 2535, 3072},
			[8]int64{5913, 8400, 11737, 16128, 21801, 29008, 38025, 49152},
		},
	} {
		for i := range 8 {
			e := estimate(t, cost.ModelThinTree, topology.Spec{Params: topology.ThinTree{
				Down: 8, Up: i + 1,
				Levels: table.levels,
			}})
			if *e.Constant != table.cC[i] || *e.Linear != table.cL[i] || *e.Quadratic != table.cQ[i] {
				t.Errorf("8:%d,%d-tree: %d %d %d, published %d %d %d", i+1, table.levels, *e.Constant, *e.Linear,
					*e.Quadratic, table.cC[i], table.cL[i], table.cQ[i])
			}
		}
	}
}

// The Slim Fly preset gives 2.8 W x radix x routers / endpoints for any direct
// network (Besta and Hoefler, SC 2014).
func TestSlimFlyPowerOfDirectNetworks(t *testing.T) {
	for _, c := range []struct {
		spec                      topology.Params
		radix, routers, endpoints float64
	}{
		{topology.SlimFly{Q: 19, Terminals: 15}, 44, 722, 10830},
		{topology.SlimFly{Q: 5, Terminals: 4}, 11, 50, 200},
		{topology.SlimFly{Q: 5}, 7, 50, 50},
		{topology.Dragonfly{P: 4, A: 8, H: 4}, 15, 264, 1056},
		{topology.Torus{Dims: []int{8, 8, 8}}, 6, 512, 512},
		{topology.HyperX{Dims: []int{12, 8}, Terminals: 7}, 25, 96, 672},
		{topology.FlattenedButterfly{Dims: []int{4, 4}, Terminals: 4}, 10, 16, 64},
		{topology.Hypercube{Dims: []int{9}}, 9, 512, 512},
		{topology.PolarFly{Q: 7, Terminals: 4}, 12, 57, 228},
	} {
		g, err := topology.New(c.spec)
		if err != nil {
			t.Fatalf("%+v: %v", c.spec, err)
		}
		e := estimate(t, cost.ModelSlimFly, c.spec)
		want := 2.8 * c.radix * c.routers / c.endpoints
		if c.spec.Family() == "polarfly" {
			// Quadrics have one neighbour fewer; the paper's formula takes the radix
			// of the largest for all.
			want = 2.8 * float64(g.Kinds()[0].Ports) * c.routers / c.endpoints
		}
		if math.Abs(float64(*e.PowerPerNode)-want) > 1e-4 || float64(e.Routers) != c.routers ||
			float64(e.Nodes) != c.endpoints {
			t.Errorf("%+v: %v W a node of %d on %d routers, want %v", c.spec, *e.PowerPerNode, e.Nodes, e.Routers, want)
		}
		routers := units.MoneyOf(350.4*float64(g.Kinds()[0].Ports)-892.3) * units.Money(c.routers)
		if e.Cost.Switches != routers {
			t.Errorf("%+v: routers cost %v, want %v", c.spec, e.Cost.Switches, routers)
		}
		copper, fibre := units.Money(0), units.Money(0)
		for _, l := range e.Levels {
			if l.Max > 1 {
				fibre += *l.Cost
			} else if l.Cost != nil {
				copper += *l.Cost
			}
		}
		if copper+fibre != e.Cost.Cables {
			t.Errorf("%+v: levels cost %v, all cables %v", c.spec, copper+fibre, e.Cost.Cables)
		}
	}
}

// A cable in a rack is of copper at its line, any other of fibre at its own: Slim
// Fly, SC 2014, section VI.
func TestSlimFlyCableLines(t *testing.T) {
	// 80 nodes are two racks: 78 links inside, 2 between neighbouring racks.
	e := estimate(t, cost.ModelSlimFly, topology.Mesh{Dims: []int{80}})
	copper, fibre := units.MoneyOf((0.4079*1+0.5771)*40), units.MoneyOf((0.0919*3+7.2745)*40)
	if want := 78*copper + fibre; e.Racks != 2 || e.Cost.Cables != want {
		t.Errorf("%d racks, cables %v, want %v", e.Racks, e.Cost.Cables, want)
	}
}

// Perseus: stock prices at every stocked length, $500 a port, $2.50 and $6.25 to install (HP, USENIX ATC 2011).
func TestPerseusStock(t *testing.T) {
	set := catalog.Default().PriceSet("perseus-2011")
	for part, ladder := range map[string]map[units.Length]units.Money{
		"dac-10g-sfp+": {1: 45, 2: 52, 3: 66, 5: 74, 10: 101, 12: 117},
		"dac-40g-qsfp": {1: 55, 2: 74, 3: 87, 5: 116},
		"aoc-40g-qsfp": {10: 418, 15: 448, 20: 465, 30: 508, 50: 618, 100: 883},
	} {
		p := catalog.Default().Part(part)
		for length, want := range ladder {
			got, ok := p.Stock(length)
			if q := set.Quote(p, length); !ok || got != length || !q.Priced || q.Unit != want*100 {
				t.Errorf("%s of %v: stocked %v, %+v, want %v", part, length, got, q, want)
			}
		}
		for _, l := range p.Cable.Lengths {
			if _, listed := ladder[l]; listed != set.Quote(p, l).Priced {
				t.Errorf("%s of %v: listed %v", part, l, listed)
			}
		}
	}
	// Two cabinets side by side: 2 m inside, 4.6 m between.
	e := estimate(t, cost.ModelPerseus, topology.Mesh{Dims: []int{80}})
	c := e.Cost
	if c.Switches != 158*500_00 || c.Cables != 78*74_00+116_00 || c.Labour != 78*250+625 {
		t.Errorf("%+v of %d racks", c, e.Racks)
	}
	// Rows of cabinets 2.1 m apart: fibre, as no copper reaches; from 10 m.
	e = estimate(t, cost.ModelPerseus, topology.Torus{Dims: []int{32, 32}})
	want := units.Money(0)
	for _, l := range e.Levels {
		want += *l.Cost
	}
	if e.Length.Max <= 5.2 || e.Length.Max > 10 || e.Cost.Cables != want {
		t.Errorf("%d racks, longest %v, cables %v", e.Racks, e.Length.Max, e.Cost.Cables)
	}
}

// Ports are counted as the exascale paper counts them: those of a node, whose
// router is on its chip (Li, Huang and Jacob, MEMSYS 2016).
func TestPortsOfTheExascalePaper(t *testing.T) {
	for _, c := range []struct {
		spec  topology.Params
		nodes int
		ports int
	}{
		{topology.Torus{Dims: []int{10, 10, 10}}, 1000, 6},
		{topology.FlyingFish{Side: 7, Variant: "lite"}, 2450, 13},
		{topology.FlyingFish{Side: 7}, 4802, 26},
	} {
		e := estimate(t, cost.ModelPorts, c.spec)
		if e.Nodes != c.nodes || *e.NetworkPorts != c.ports || *e.AllNetworkPorts != 2*e.Links {
			t.Errorf("%+v: %d nodes of %d ports, %d in all", c.spec, e.Nodes, *e.NetworkPorts, *e.AllNetworkPorts)
		}
	}
}

// TestEstimatesOfExamples holds them to their plans.
func TestEstimatesOfExamples(t *testing.T) {
	names, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, path := range names {
		if testing.Short() && strings.Contains(path, "4096") || os.Getenv("PLENUM_LONG") != "1" &&
			(strings.Contains(path, "mrc-8-planes") || strings.Contains(path, "fugaku")) { // seconds each
			continue
		}
		s, err := machine.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		e, err := machine.Estimate(context.Background(), s)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		r, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ofPlan(r), ofEstimate(e)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}
