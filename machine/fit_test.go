package machine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// cubes is a torus in cubes in cubes; LEVELS are the outer two.
const cubes = `
topology: {family: torus, dims: [8, 8, 8]}
packaging: {node: {part: cube-node}}
room:
  containers:
LEVELS
    - {name: cube, count: 2, pitch: 0.3 m}
`

func planLevels(t *testing.T, levels ...string) *machine.Result {
	t.Helper()
	return planText(t, strings.Replace(cubes, "LEVELS", "    - "+strings.Join(levels, "\n    - "), 1))
}

// Fitted levels go with others in any order; what was chosen is in the spec, and planned again it is the same.
func TestFittedPitches(t *testing.T) {
	for _, levels := range [][]string{
		{"{name: machine, count: 2, pitch: fit}", "{name: room, count: 2, pitch: fit}"},
		{"{name: machine, count: 2, pitch: 2 m}", "{name: room, count: 2, pitch: fit}"},
		{"{name: machine, count: 2, pitch: fit}", "{name: room, count: 2, gap: 10 cm}"},
		{
			"{name: machine, count: [2, 2, 2], pitch: [fit, 1.5 m, fit]}",
			"{name: room, count: [2, 2, 2], pitch: [0.7, 0.7, fit]}",
		},
		{"{name: machine, count: [2, 4], pitch: [fit, fit]}", "{name: room, count: 2, pitch: fit, fill: 1.5}"},
	} {
		r := planLevels(t, levels...)
		gaps := r.Report().Gaps
		if gaps == nil || len(gaps.Levels) != 2 {
			t.Fatalf("%v: %+v", levels, gaps)
		}
		for i, l := range gaps.Levels {
			if (l.Fitted != nil) != strings.Contains(levels[i], "fit") {
				t.Errorf("%v: fitted %v", levels[i], l.Fitted)
			}
			for axis := range 3 {
				if l.Fitted != nil && l.Fitted[axis] && l.Pitch[axis] != l.Fits[axis] {
					t.Errorf("%v: pitch %v, %v would do", levels[i], l.Pitch, l.Fits)
				}
			}
		}
		if slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "settle") }) {
			t.Errorf("%v: %q", levels, r.Notes)
		}
		if r.Spec.Fitted() >= 0 {
			t.Errorf("%v: the spec has %+v", levels, r.Spec.Room.Containers)
		}
		text, err := r.Spec.YAML()
		if err != nil {
			t.Fatal(err)
		}
		again := planText(t, string(text))
		if a, b := withoutFit(r.Report()), withoutFit(again.Report()); a != b {
			t.Errorf("%v: planned again, %v, not %v", levels, b, a)
		}
	}
}

// withoutFit is what a plan and the one of its finished spec have in common.
func withoutFit(p *report.Plan) any {
	l := p.Gaps.Levels[0]
	l.Fitted = nil
	return [...]any{l.Pitch, l.Overfull, *l.Max, p.Length, p.Cost.Total}
}

// A fitted pitch is the least: a tenth of a millimetre less breaks the rule.
func TestFittedPitchIsTheSmallest(t *testing.T) {
	r := planLevels(t, "{name: machine, count: 2, pitch: fit}", "{name: room, count: 2, gap: 10 cm}")
	pitch := r.Spec.Room.Containers[0].Pitch
	if n := r.Violations.Errors(); n > 0 || len(r.Violations.List()) > 0 {
		t.Fatalf("%+v", r.Violations.List())
	}
	for axis := range 3 {
		own := *r.Spec
		own.Room.Containers = slices.Clone(own.Room.Containers)
		less := slices.Clone(pitch)
		less[axis] = spec.Pitch((units.Length(less[axis]) - 1e-4).Round4())
		own.Room.Containers[0].Pitch = less
		smaller, err := machine.Plan(context.Background(), &own)
		if err != nil {
			t.Fatal(err)
		}
		if len(smaller.Violations.List()) != 1 {
			t.Errorf("at %v the cables fit, at the fitted %v", less, pitch)
		}
	}
}

// Cables that become thinner where they are longer may settle at no pitch. Then the cables fit all the same, or the
// plan says that they do not.
func TestFittedPitchesThatDoNotSettle(t *testing.T) {
	r := planText(t, `
topology: {family: torus, dims: [2]}
packaging: {node: {part: n}}
room:
  containers:
    - {name: machine, count: [2, 1, 1], pitch: fit}
    - {name: box, count: 1, pitch: 0.1 m}
cabling: {media: [{longest: 0.4, use: [thick]}, {use: [thin]}], slack: {fixed: 0}}
parts:
  - {id: n, kind: node, units: 1, ports: [{count: 8, connector: qsfp28, rate: 100G}]}
  - {id: thick, kind: cable, cable: {propagation: 4.5 ns/m, medium: passive-copper, connector: qsfp28, rate: 100G,
     lengths: [0.4], diameter: 200 mm}}
  - {id: thin, kind: cable, cable: {propagation: 4.5 ns/m, medium: passive-copper, connector: qsfp28, rate: 100G,
     lengths: [5], diameter: 1 mm}}
`)
	l := r.Report().Gaps.Levels[0]
	if l.Overfull > 0 || l.Pitch[0] <= l.Fits[0] {
		t.Errorf("%+v", l)
	}
	if want := "fitted pitches do not settle in 8 plans"; !strings.Contains(strings.Join(r.Notes, "\n"), want) {
		t.Errorf("no %q in %q", want, r.Notes)
	}
}

// What cannot be fitted is refused, at its place.
func TestPitchesThatCannotBeFitted(t *testing.T) {
	for _, c := range []struct{ levels, want string }{
		{
			"{name: machine, count: 4, gap: 1 m}\n    - {name: room, count: 1, pitch: fit, gap: 1 m}",
			"room.containers[1].gap: cannot be combined with a pitch",
		},
		{"{name: machine, count: 4, pitch: fitt}", `m.yaml:6:40: room.containers[0].pitch[0]: "fitt" is not a length`},
		{"{name: machine, count: 4, pitch: fit, fill: 101}", "room.containers[0].fill: 101 is not a share"},
		{
			"{name: machine, count: 2, pitch: 1.2 m}\n    - {name: room, count: 2, pitch: fit}",
			"room.containers: container machine: pitch 1.2 m is less than the 1.",
		},
	} {
		s, err := machine.Parse("m.yaml", []byte(strings.Replace(cubes, "LEVELS", "    - "+c.levels, 1)))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.levels, err, c.want)
		}
	}
	inner := strings.Replace(strings.Replace(cubes, "LEVELS", "    - {name: machine, count: 4}", 1), "0.3 m", "fit", 1)
	want := "room.containers[1].pitch: the innermost level holds boxes"
	if _, err := machine.Parse("m.yaml", []byte(inner)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	text := strings.Replace(cubes, "LEVELS", "    - {name: m, count: 4, pitch: fit}", 1)
	s, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, err = machine.Place(context.Background(), s, nil)
	if want := "m.yaml:6:27: room.containers[0].pitch: a placement alone plans no cables"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	e, err := machine.Estimate(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Report(); float64(e.Length.Total) != float64(r.Length.Total) || *e.Cost.Bill != r.Cost.Total {
		t.Errorf("an estimate has %v m for %v, the plan %v m for %v", e.Length.Total, *e.Cost.Bill, r.Length.Total,
			r.Cost.Total)
	}
}
