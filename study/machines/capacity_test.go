package machines_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// The machine of the example of ports, of 25 Gb/s with some uplinks of 100 Gb/s.
const portsMachine = `
room: {racks_per_row: 4}
packaging: {node: {part: server}}
parts:
  - id: server
    kind: node
    description: server with a port of 25 Gb/s
    source: our estimate
    confidence: estimate
    units: 1
    width: 440 mm
    depth: 700 mm
    power: 500 W
    ports: [{count: 1, connector: sfp28, rate: 25G}]
prices: {unit: {server: 4000}}
`

// Every choice of capacities of every configuration, planned by itself in full: those that carry the load within the
// delay and that no other of them beats are the front.
func TestChoiceOfPortsEqualsBruteForce(t *testing.T) {
	const load, delay, part = 0.8, 1300.0, "generic-switch-48x25g-8x100g"
	choices := map[string][]int{"dim1": {4, 1, 2}, "dim2": {1, 3}, "local": {1, 4}, "global": {2, 1}}
	text := "machine:" + strings.ReplaceAll(portsMachine, "\n", "\n  ") + "\nnodes: 40..42\n" +
		"families: [hyperx, dragonfly]\nswitches: " + part + fmt.Sprintf("\nload: %v\ndelay: %v ns\n", load, delay) +
		"capacity: {dim1: [4, 1, 2], dim2: [1, 3], local: [1, 4], global: [2, 1]}\n"
	found := run(t, text, machines.Options{})

	// The configurations without their capacities.
	bare := map[string]topology.Spec{}
	given := func(text string) *topology.Spec {
		s, whole := spec.Read("m.yaml", []byte("topology: "+text+"\n"))
		if !whole {
			t.Fatal(text)
		}
		return &s.Topology
	}
	add := func(text string) {
		s := *given(text)
		s.LevelCapacity = topology.LevelCapacity{}
		bare[s.String()] = s
	}
	for _, e := range found.Front {
		add(e.Topology)
	}
	for _, f := range found.Fallen {
		add(f.Topology)
	}
	type plan struct {
		topology    string
		cost, delay float64
	}
	var all []plan
	configurations, slow, heavy := 0, 0, 0
	for _, s := range bare {
		g, err := topology.New(s)
		if err != nil {
			t.Fatal(err)
		}
		variants := []map[string]int{{}}
		for _, l := range g.Levels() {
			var next []map[string]int
			for _, v := range variants {
				for _, n := range choices[l.Name] {
					with := map[string]int{l.Name: n}
					for k, x := range v {
						with[k] = x
					}
					next = append(next, with)
				}
			}
			if next != nil {
				variants = next
			}
		}
		for _, v := range variants {
			configurations++
			for level, n := range v {
				if n == 1 { // what the family gives it
					delete(v, level)
				}
			}
			if s.LevelCapacity.Capacity = v; len(v) == 0 {
				s.LevelCapacity.Capacity = nil
			}
			g, err := topology.New(s)
			if err != nil {
				t.Fatal(err)
			}
			if share, err := measure.EvenThroughput(t.Context(), g); err != nil || share < load {
				heavy++
				continue
			}
			packaging := "{node: {part: server}, switch: {part: " + part + "}}"
			if !slices.ContainsFunc(g.Kinds(), func(k topology.Kind) bool { return k.Role == topology.Switch }) {
				packaging = "{node: {part: server}}"
			}
			file := "topology: " + s.String() + strings.Replace(portsMachine, "{node: {part: server}}", packaging, 1)
			m, whole := spec.Read("m.yaml", []byte(file))
			if !whole {
				t.Fatal(file)
			}
			p, err := machine.Plan(t.Context(), m)
			if err != nil || p.Violations.Errors() > 0 {
				continue
			}
			d := p.Report()
			if float64(d.Delay.NsMean) > delay {
				slow++
				continue
			}
			all = append(all, plan{s.String(), d.Cost.Total.Float(), float64(d.Delay.NsMean)})
		}
	}
	var want, got []plan
	for _, p := range all {
		if !slices.ContainsFunc(all, func(q plan) bool {
			return q.cost <= p.cost && q.delay <= p.delay && (q.cost < p.cost || q.delay < p.delay)
		}) {
			want = append(want, p)
		}
	}
	for _, e := range found.Front {
		got = append(got, plan{e.Topology, e.Cost, e.Delay})
	}
	for _, list := range [][]plan{want, got} {
		slices.SortFunc(list, func(a, b plan) int {
			return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.topology, b.topology))
		})
	}
	if d := gocmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); d != "" {
		t.Error(d)
	}
	if configurations != found.Enumerated {
		t.Errorf("%d configurations are enumerated, %d by hand", found.Enumerated, configurations)
	}
	if len(all) < 4 || heavy == 0 || slow == 0 || len(found.Front) == 0 {
		t.Errorf("%d of %d can be planned, %d carry too little, %d are slow: the test shows nothing", len(all),
			configurations, heavy, slow)
	}
}

// The search of the examples chooses one port of 100 Gb/s for the links of both levels.
func TestPortsToLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("plans a dozen machines")
	}
	data, err := examples.Searches.ReadFile("searches/ports-to-levels.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, string(data), machines.Options{})
	if r.Best == nil {
		t.Fatal("nothing is found")
	}
	want := []machines.Level{
		{Level: "terminal", Links: 128, Capacity: 1, Ports: 1, Rate: 25},
		{Level: "local", Links: 12, Capacity: 4, Ports: 1, Rate: 100},
		{Level: "global", Links: 8, Capacity: 4, Ports: 1, Rate: 100},
	}
	if d := gocmp.Diff(want, r.Best.Levels); d != "" {
		t.Error(r.Best.Topology, d)
	}
	if math.Abs(r.Best.Load-127.0/128) > 1e-9 {
		t.Errorf("it carries %v", r.Best.Load)
	}
}
