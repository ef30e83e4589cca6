package machine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

func example(t *testing.T, name string) *spec.Spec {
	t.Helper()
	data, err := examples.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := machine.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func planned(t *testing.T, s *spec.Spec) *report.Plan {
	t.Helper()
	plan, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	return plan.Report()
}

// TestOptimisedPlaces plans an example under every objective: the figure that it
// is about is never worse than that of the structured placement, and what the
// optimiser tells is near the figures of the finished plan.
func TestOptimisedPlaces(t *testing.T) {
	const name = "tsubame2-hyperx.yaml"
	plain := planned(t, example(t, name))
	if plain.Placement != nil {
		t.Errorf("nothing was optimised, told %+v", plain.Placement)
	}
	for _, objective := range spec.Objectives() {
		t.Run(objective, func(t *testing.T) {
			s := example(t, name)
			s.Embedding.Effort, s.Embedding.Objective = "quick", objective
			r := planned(t, s)
			p := r.Placement
			if p.After > p.Before || p.LowerBound != nil && *p.LowerBound > p.After {
				t.Errorf("told %+v", p)
			}
			var before, after float64
			switch objective {
			case spec.Money:
				before, after = float64(plain.Cost.Total), float64(r.Cost.Total)
				told := float64(r.Cost.Cables+r.Cost.Optics+r.Cost.Labour) / 100
				if math.Abs(p.After/told-1) > .05 {
					t.Errorf("told %v, the plan's cables, optics and labour cost %v", p.After, told)
				}
			case spec.Length:
				before, after = float64(plain.Length.Total), float64(r.Length.Total)
				if math.Abs(p.After/after-1) > .05 {
					t.Errorf("told %v m, the plan has %v m", p.After, after)
				}
			case spec.Longest:
				before, after = float64(plain.Length.Max), float64(r.Length.Max)
				if math.Abs(p.After-after) > 2 {
					t.Errorf("told %v m, the plan's longest cable has %v m", p.After, after)
				}
			case spec.MeanNs:
				return
			}
			if after > before {
				t.Errorf("%v, without optimising %v", after, before)
			}
		})
	}
}

// TestMeanDelay optimises for the delay and measures it over the paths of all
// pairs.
func TestMeanDelay(t *testing.T) {
	const text = `
topology: {family: random-regular, nodes: 48, degree: 4, seed: 3, terminals: 2}
room: {rows: 4, racks_per_row: 6}
packaging: {switch: {per_rack: 2}}
embedding: {strategy: random, effort: EFFORT, OBJECTIVE}
prices: {set: estimate-2025}
`
	ns := func(effort, objective string) units.Time {
		s, err := machine.Parse("delay.yaml", []byte(strings.NewReplacer("EFFORT", effort, "OBJECTIVE",
			objective).Replace(text)))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Report().Delay.NsPathsMean
	}
	random, short := ns("none", "seed: 1"), ns("quick", "objective: delay")
	mixed := ns("quick", "weights: {delay: 1000, length: 1}")
	if short >= random || mixed >= random {
		t.Errorf("%v, optimised %v, with a weight on length %v", random, short, mixed)
	}
}

// TestStop ends the optimising at once: the plan is whole all the same.
func TestStop(t *testing.T) {
	s := example(t, "tsubame2-hyperx.yaml")
	s.Embedding.Effort = "thorough"
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	plan, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true, Stop: stopped})
	if err != nil {
		t.Fatal(err)
	}
	if r := plan.Report(); !r.Placement.Interrupted || r.Cables != 1536 {
		t.Errorf("%d cables, %+v", r.Cables, r.Placement)
	}
}

// TestObjectiveMistakes reads what cannot be weighed.
func TestObjectiveMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"{objective: money}":    "without an effort",
		"{weights: {money: 1}}": "without an effort",
		"{effort: quick, objective: money, weights: {length: 1}}":           "cannot be combined with an objective",
		"{effort: quick, weights: {mony: 1}}":                               "nothing that can be weighed",
		"{effort: quick, weights: {money: 0}}":                              "0 is not a weight",
		"{effort: quick, weights: {money: -1}}":                             "-1 is negative",
		"{effort: quick, weights: {money: 1, longest: 2}}":                  "against the length of all cables only",
		"{effort: quick, objective: price}":                                 "money",
		"{effort: much}":                                                    "thorough",
		"{effort: quick, weights: {length: 1, longest: 2, delay: .inf}}":    "not a plain decimal",
		"{effort: none, objective: length, weights: {length: 1, money: 1}}": "without an effort",
	} {
		_, err := machine.Parse("m.yaml", []byte("topology: {family: torus, dims: [4, 4]}\nembedding: "+text+"\n"))
		var d diag.List
		if !errors.As(err, &d) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
}

// TestOptimisedAgain plans twice, on one core and on more, and from the spec with
// its defaults filled in.
func TestOptimisedAgain(t *testing.T) {
	s := example(t, "tsubame2-hyperx.yaml")
	s.Embedding.Effort = "quick"
	first := planned(t, s)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again := planned(t, first.Spec)
	a, errA := json.Marshal(first)
	b, errB := json.Marshal(again)
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("planned again: %s\nfirst: %s", b, a)
	}
}

// TestTogetherAndApart reads off the places what the rules say.
func TestTogetherAndApart(t *testing.T) {
	const text = `
topology: {family: fat-tree, nodes: 48, radix: 16}
room: {rows: 4, racks_per_row: 6, rack: rack-42u}
packaging: {node: {per_rack: 8}, leaf: {place: in-rack, per_rack: 2}, spine: {place: in-rack, per_rack: 2}}
embedding: {strategy: random, effort: quick, objective: length, RULES}
prices: {set: estimate-2025}
`
	parse := func(rules string) (*spec.Spec, error) {
		return machine.Parse("rules.yaml", []byte(strings.Replace(text, "RULES", rules, 1)))
	}
	crowd := func(rules string) (racks, rows int) { // most spines in one
		given, err := parse(rules)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := machine.PlanWith(context.Background(), given, machine.Options{Summary: true})
		if err != nil {
			t.Fatal(err)
		}
		inRack, inRow := map[int32]int{}, map[int32]int{}
		for _, k := range plan.Graph.Kinds() {
			for v := k.First; k.Name == "spine" && v < k.First+k.Count; v++ {
				s := plan.Placement.Slot[v]
				inRack[plan.Placement.Layout.Container(layout.RackLevel, s)]++
				inRow[plan.Placement.Layout.Container(layout.RowLevel, s)]++
			}
		}
		for _, n := range inRack {
			racks = max(racks, n)
		}
		for _, n := range inRow {
			rows = max(rows, n)
		}
		return racks, rows
	}
	if racks, rows := crowd("seed: 1"); racks < 2 || rows < 3 {
		t.Skipf("without rules %d spines in a rack, %d in a row: nothing to tell apart", racks, rows)
	}
	if racks, _ := crowd("apart: [{of: spine}]"); racks != 1 {
		t.Errorf("%d spines in a rack", racks)
	}
	if _, rows := crowd("apart: [{of: spine, within: row, at_most: 2}]"); rows > 2 {
		t.Errorf("%d spines in a row", rows)
	}
	for rules, want := range map[string]string{
		"together: [blok]":                             `there is no "blok"`,
		"apart: [{of: spin, at_most: 2}]":              `there is no "spin"`,
		"apart: [{of: node, within: row, at_most: 1}]": "48 of node with at most 1 in a row need 48 rows",
	} {
		given, err := parse(rules)
		if err == nil {
			_, err = machine.Plan(context.Background(), given)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", rules, err, want)
		}
	}
}

// TestTogetherNamesTheGroup: a group that no rack holds is refused with its level, kind and sizes.
func TestTogetherNamesTheGroup(t *testing.T) {
	given, err := machine.Parse("rules.yaml", []byte(`
topology: {family: fat-tree, nodes: 48, radix: 16}
room: {rows: 4, racks_per_row: 6}
packaging: {node: {per_rack: 4}}
embedding: {effort: quick, together: [unit]}
`))
	if err != nil {
		t.Fatal(err)
	}
	const want = "rules.yaml:5:39: embedding.together[0]: a unit takes 8 places for boxes of kind node, and no rack " +
		"offers more than 4"
	if _, err = machine.Plan(context.Background(), given); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, expected %q", err, want)
	}
}
