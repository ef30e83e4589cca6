package machine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// edits change one thing of a machine, as a person at an editor does.
var edits = []func(t *rapid.T, s *spec.Spec){
	func(*rapid.T, *spec.Spec) {},
	func(t *rapid.T, s *spec.Spec) { s.Cabling.Slack.Percent = rapid.Float64Range(0, 20).Draw(t, "percent") },
	func(t *rapid.T, s *spec.Spec) {
		s.Cabling.Slack.Loop = units.Length(rapid.IntRange(0, 2).Draw(t, "loop"))
	},
	func(t *rapid.T, s *spec.Spec) {
		s.Prices.Contingency = rapid.Float64Range(0, 20).Draw(t, "contingency")
	},
	func(t *rapid.T, s *spec.Spec) {
		s.Room.Trays.Height = units.Length(rapid.Float64Range(2.4, 3).Draw(t, "height")).Round4()
	},
	func(t *rapid.T, s *spec.Spec) { s.Embedding.Seed = uint64(rapid.IntRange(1, 3).Draw(t, "seed")) },
	func(t *rapid.T, s *spec.Spec) {
		s.Embedding.Effort = rapid.SampledFrom([]string{spec.NoEffort, "quick"}).Draw(t, "effort")
	},
	func(t *rapid.T, s *spec.Spec) { s.Delay.Samples = rapid.IntRange(1, 5).Draw(t, "samples") },
	func(t *rapid.T, s *spec.Spec) { s.Delay.ExactLimit = rapid.IntRange(1, 60).Draw(t, "exact limit") },
	func(t *rapid.T, s *spec.Spec) {
		s.Delay.Hop = map[string]units.Time{spec.AllSwitches: units.Time(rapid.IntRange(80, 90).Draw(t, "hop"))}
	},
	func(t *rapid.T, s *spec.Spec) {
		all := []string{spec.OwnRouting, spec.NoRouting, "valiant"}
		s.Delay.Routing = []string{rapid.SampledFrom(all).Draw(t, "routing")}
	},
	func(t *rapid.T, s *spec.Spec) { s.Topology.Params = drawTopology(t, s.Topology.Family()) },
	func(t *rapid.T, s *spec.Spec) { *s = *drawSpec(t, s.Topology.Family()) },
}

// samePlan holds a plan against one that was made anew.
func samePlan(t interface{ Fatalf(string, ...any) }, got, want *machine.Result, at any) {
	if diff := cmp.Diff(want.Report(), got.Report(), cmpopts.IgnoreUnexported(spec.Spec{})); diff != "" {
		t.Fatalf("%s\nreport: %s", at, diff)
	}
	if !slices.Equal(want.Placement.Slot, got.Placement.Slot) {
		t.Fatalf("%s\nplaces are %v, were to be %v", at, got.Placement.Slot, want.Placement.Slot)
	}
	if diff := cmp.Diff(want.Schedule.Segments, got.Schedule.Segments); diff != "" {
		t.Fatalf("%s\nschedule: %s", at, diff)
	}
	for i, n := range append([]*machine.Network{&want.Network}, want.Fabrics...) {
		of := append([]*machine.Network{&got.Network}, got.Fabrics...)[i]
		if diff := cmp.Diff([]any{n.Delay, n.Stretch, n.Routed, n.Alpha, n.Beta, n.HopUnstated},
			[]any{of.Delay, of.Stretch, of.Routed, of.Alpha, of.Beta, of.HopUnstated}); diff != "" {
			t.Fatalf("%s\ndelays of %q: %s", at, n.Name, diff)
		}
	}
}

// unordered is the text of an error whose mistakes, in a spec that comes from no file, stand in any order.
func unordered(err error) string {
	lines := strings.Split(fmt.Sprint(err), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// written is a spec that is written out where it is printed only, which takes as long as a small plan.
type written struct{ spec *spec.Spec }

func (w written) String() string {
	text, err := w.spec.YAML()
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// What a Planner plans after other plans, some of which were refused or ended, is what a plan made anew is.
func TestReplanningIsPlanningAnew(t *testing.T) {
	graphtest.FewerDraws(t, 15)
	eachFamily(t, func(t *testing.T, family string) {
		rapid.Check(t, func(t *rapid.T) {
			var p machine.Planner
			s := drawSpec(t, family)
			for range rapid.IntRange(2, 3).Draw(t, "plans") {
				at := written{s}
				if rapid.IntRange(0, 3).Draw(t, "ended") == 0 {
					ended, end := context.WithCancel(context.Background())
					when := rapid.SampledFrom([]string{"placing boxes", "measuring delays", "measuring stretch"}).
						Draw(t, "when")
					_, _ = p.PlanWith(ended, s, machine.Options{Progress: func(stage string, _, _ int) {
						if stage == when {
							end()
						}
					}})
					end()
				}
				got, err := p.PlanWith(context.Background(), s, machine.Options{})
				want, wrong := machine.Plan(context.Background(), s)
				if unordered(err) != unordered(wrong) {
					t.Fatalf("%s\n%v, were to be %v", at, err, wrong)
				}
				if wrong == nil {
					samePlan(t, got, want, at)
					if d := got.Delay; d != nil && len(d.Histogram.Pairs) > 0 {
						// What its reader does with it stays there.
						d.HopsMean, d.Histogram.Pairs[0], got.Stretch.Mean = -1, -1, -1
					}
				}
				changed := *s
				s = &changed
				rapid.SampledFrom(edits).Draw(t, "edit")(t, s)
			}
		})
	})
}

// optimized are small machines whose places are optimised, for each objective, and what is changed of them.
const optimized = `
topology: {family: hyperx, dims: [3, 2], terminals: 2}
packaging: {node: {part: generic-node-1u, per_rack: 4}, switch: {part: own}}
room: {rows: 2, racks_per_row: %d}
parts:
  - {id: own, kind: switch, units: 1, power: 400 W, hop: %d ns, source: %q,
     ports: [{count: 8, connector: qsfp112, rate: 400G}]}
prices: {contingency: %g, freight: %d, unit: {own: %d, "dac-400g-qsfp112@1 m": %d}, spares: {switch: %d, cable: %d}}
delay: {hop: {switch: %d ns}, propagation: {any: %d ns/m}}
embedding: {effort: quick, objective: %s, seed: %d}
operation: {tariff: %g}
`

// Places are optimised once where only what they do not depend on changes, and plans are those of places that are
// optimised anew, at any change.
func TestReplanningOptimisesWhatHasChanged(t *testing.T) {
	graphtest.FewerDraws(t, 3)
	type change struct {
		name     string
		values   []int
		searched func(objective string, values []int) bool // places depend on it
	}
	never := func(string, []int) bool { return false }
	always := func(string, []int) bool { return true }
	const freight = 4
	changes := []change{
		{"racks a row", []int{6, 7}, always},
		{"hop of the part", []int{100, 300}, never},
		{"source", []int{1, 2}, never},
		{"contingency", []int{0, 7}, never},
		{"freight", []int{0, 3}, always},
		{"price of the switch", []int{9000, 9001}, func(_ string, v []int) bool { return v[freight] > 0 }},
		{"price of a cable", []int{40, 400}, always},
		{"spare switches", []int{0, 20}, func(_ string, v []int) bool { return v[freight] > 0 }},
		{"spare cables", []int{0, 30}, always},
		{"hop", []int{50, 500}, never},
		{"propagation", []int{4, 9}, func(objective string, _ []int) bool { return objective == "delay" }},
		{"seed", []int{1, 2}, always},
		{"tariff", []int{1, 2}, never},
	}
	rapid.Check(t, func(t *rapid.T) {
		objective := rapid.SampledFrom(spec.Objectives()).Draw(t, "objective")
		values := make([]int, len(changes))
		for i, c := range changes {
			values[i] = rapid.SampledFrom(c.values).Draw(t, c.name)
		}
		var p machine.Planner
		seen := map[string]bool{}
		for range rapid.IntRange(2, 5).Draw(t, "plans") {
			key := objective
			for i, c := range changes {
				if c.searched(objective, values) {
					key += fmt.Sprint(" ", values[i])
				}
			}
			v := values
			text := fmt.Sprintf(optimized, v[0], v[1], fmt.Sprint(v[2]), float64(v[3]), v[4], v[5], v[6], v[7], v[8],
				v[9], v[10], objective, v[11], float64(v[12])/10)
			s, err := machine.Parse("m.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			searched := false
			got, err := p.PlanWith(context.Background(), s, machine.Options{Progress: func(stage string, _, _ int) {
				searched = searched || stage == machine.Optimising
			}})
			if err != nil {
				t.Fatalf("%s%v", text, err)
			}
			if searched == seen[key] {
				t.Fatalf("%splaces were optimised: %v, the same were before: %v", text, searched, seen[key])
			}
			seen[key] = true
			want, err := machine.Plan(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			samePlan(t, got, want, text)
			i := rapid.IntRange(0, len(changes)-1).Draw(t, "changed")
			values = slices.Clone(values)
			values[i] = rapid.SampledFrom(changes[i].values).Draw(t, changes[i].name)
		}
	})
}

// Optimised places depend on the content of the files that a machine names.
func TestReplanningReadsFilesAnew(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = `
topology: {family: file, path: net.edges}
packaging: {node: {part: generic-torus-node-1u, per_rack: 1}}
room: {rows: 1, racks_per_row: 8}
embedding: {effort: quick}
`
	var p machine.Planner
	for i, e := range []struct {
		edges    string
		searched bool
	}{
		{"0 1\n1 2\n2 3\n", true},
		{"0 1\n1 2\n2 3\n", false},
		{"0 3\n3 1\n1 2\n", true},
	} {
		if err := os.WriteFile("net.edges", []byte(e.edges), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := machine.Parse("m.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		searched := false
		got, err := p.PlanWith(context.Background(), s, machine.Options{Progress: func(stage string, _, _ int) {
			searched = searched || stage == machine.Optimising
		}})
		if err != nil {
			t.Fatal(err)
		}
		if searched != e.searched {
			t.Errorf("%d: places were optimised: %v", i, searched)
		}
		want, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		samePlan(t, got, want, e.edges)
	}
}

// superpod is a machine of four fabrics, in whose file a text is another.
func superpod(t testing.TB, from, to string) *spec.Spec {
	t.Helper()
	text, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), from, to, 1)
	if from != "" && changed == string(text) {
		t.Fatalf("no %q in the file", from)
	}
	s, err := machine.Parse("superpod.yaml", []byte(changed))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Delays are measured where something has changed that they depend on, of that fabric only, and nowhere else.
func TestReplanningMeasuresWhatHasChanged(t *testing.T) {
	var p machine.Planner
	const fabrics = 4
	for _, e := range []struct {
		from, to string
		measured int // fabrics
	}{
		{"", "", fabrics},
		{"", "", 0},
		{"set: estimate-2025", "set: estimate-2025\n  unit: {nvidia-qm9700: 31000}", 0},
		{"reason: rails", "reason: these rails", 0},
		{"fixed: 2 m", "fixed: 2.1 m", fabrics},
		{"", "", 0}, // those of earlier plans are kept
		{"{family: access, switches: 8}", "{family: access, switches: 8}\n    delay: {hop: {leaf: 2 us}}", 1},
	} {
		measured := 0
		s := superpod(t, e.from, e.to)
		got, err := p.PlanWith(context.Background(), s, machine.Options{Progress: func(stage string, done, total int) {
			if stage == "measuring stretch" && done == total {
				measured++
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if measured != e.measured {
			t.Errorf("%q: %d fabrics measured, were to be %d", e.to, measured, e.measured)
		}
		want, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		samePlan(t, got, want, e.to)
	}
}

// Packets are followed along a routing function where the network, its cables or the function have changed.
func TestReplanningFollowsPacketsAnew(t *testing.T) {
	var p machine.Planner
	for _, e := range []struct {
		dims, routing, more string
		followed            int // functions
	}{
		{"[6, 4]", "[dor, valiant]", "", 2},
		{"[6, 4]", "[dor, valiant]", "prices: {contingency: 5}", 0},
		{"[6, 4]", "[valiant, dor]", "prices: {contingency: 6}", 0},
		{"[6, 4]", "[dor, valiant]", "cabling: {slack: {fixed: 3 m}}", 2},
		{"[6, 4]", "[dor]", "cabling: {slack: {fixed: 3 m}}", 0},
		{"[6, 4]", "[dor, valiant]", "cabling: {slack: {fixed: 3 m}}", 0}, // those of earlier plans are kept
		{"[4, 6]", "[dor, valiant]", "cabling: {slack: {fixed: 3 m}}", 2},
	} {
		text := fmt.Sprintf("topology: {family: torus, dims: %s}\ndelay: {routing: %s}\n%s\n", e.dims, e.routing,
			e.more)
		s, err := machine.Parse("m.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		followed := 0
		got, err := p.PlanWith(context.Background(), s, machine.Options{Progress: func(stage string, done, total int) {
			if stage == "following packets" && done == total {
				followed++
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if followed != e.followed {
			t.Errorf("%s%d functions followed, were to be %d", text, followed, e.followed)
		}
		want, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		samePlan(t, got, want, text)
		got.Routed[0].Mean = -1 // what its reader does with it stays there
	}
}

// A plan that is refused or ended leaves the delays of those before.
func TestReplanningAfterFailures(t *testing.T) {
	var p machine.Planner
	ctx := context.Background()
	s := superpod(t, "", "")
	if _, err := p.PlanWith(ctx, s, machine.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.PlanWith(ctx, superpod(t, "rows: 5", "rows: 1"), machine.Options{}); err == nil {
		t.Fatal("a room that is too small was planned")
	}
	ended, end := context.WithCancel(ctx)
	_, err := p.PlanWith(ended, superpod(t, "fixed: 2 m", "fixed: 2.2 m"), machine.Options{
		Progress: func(stage string, _, _ int) {
			if stage == "measuring stretch" {
				end()
			}
		},
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, was to be ended", err)
	}
	_, err = p.PlanWith(ctx, s, machine.Options{Progress: func(stage string, _, _ int) {
		if stage == "measuring stretch" {
			t.Error("delays are measured again")
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// Many plan with one Planner at a time.
func TestReplanningAtOnce(t *testing.T) {
	var p machine.Planner
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			s, err := machine.Parse("m.yaml", fmt.Appendf(nil, "topology: {family: torus, dims: [4, %d]}", 2+i%3))
			if err != nil {
				t.Error(err)
				return
			}
			for range 3 {
				got, err := p.PlanWith(context.Background(), s, machine.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				if n := topology.Vertices(got.Graph); got.Delay.Injectors != n {
					t.Errorf("delays of %d nodes, were to be of %d", got.Delay.Injectors, n)
				}
			}
		})
	}
	all.Wait()
}
