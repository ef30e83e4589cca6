package machine_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// estimated reckons 16 nodes at 4 switches that are all joined, under rules of
// length. The ports of the nodes are at the rear, those of the switches where face
// says. Switches stand with their nodes, or in a row of their own.
func estimated(t *testing.T, place, face, cabling string) *cost.Estimate {
	t.Helper()
	spec, err := machine.Parse("machine.yaml", []byte(`
topology: {family: hyperx, dims: [4], terminals: 4}
packaging:
  node: {part: blade, per_rack: 4}
  switch: {part: box, per_rack: 1, place: `+place+`}
parts:
  - {id: blade, kind: node, units: 1, ports: [{count: 1, connector: qsfp112, rate: 400G}]}
  - {id: box, kind: switch, units: 1, ports: [{count: 32, connector: qsfp112, rate: 400G, face: `+face+`}]}
cabling: `+cabling+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := machine.Estimate(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What a machine file adds to lengths is added to those of an estimate, too, by
// the same rules.
func TestEstimatesHaveTheSlackOfPlans(t *testing.T) {
	const none = `{slack: {fixed: 0, in_rack: 0}}`
	const width, depth = 0.6, 1.2 // of the default rack
	base := estimated(t, "in-rack", "rear", none)
	inside, between := float64(base.Levels[0].Mean), float64(base.Length.Max)
	if base.Racks != 4 || base.Levels[0].Max != base.Levels[0].Mean || between < 2*inside {
		t.Fatalf("%d racks, levels of %+v", base.Racks, base.Levels)
	}
	for _, c := range []struct {
		cabling             string
		moreInside, further float64
	}{
		{`{slack: {fixed: 2.5, in_rack: 0}}`, 0, 2.5},
		{`{slack: {fixed: 0, in_rack: 0.7}}`, 0.7, 0},
		{`{slack: {fixed: 0, in_rack: 0, loop: 0.4}}`, 0, 0.8}, // at both ends
		{`{slack: {fixed: 0, in_rack: 0, percent: 10}}`, 0.1 * inside, 0.1 * between},
		{`{slack: {fixed: 2.5, in_rack: 0, percent: 10}}`, 0.1 * inside, 2.5 + 0.1*between}, // of the way alone
		{`{slack: {fixed: 0, in_rack: 0}, manager: left}`, width / 2, width},                // in place of half a width
		{`{slack: {fixed: 0, in_rack: 0}, door: left}`, width / 2, width},
		{`{slack: {fixed: 0, in_rack: 0}, manager: nearest}`, width * (2./3 - 1./2), width / 2},
		{`{slack: {fixed: 0, in_rack: 0}, crossing: 3 m}`, 0, 0}, // all ports are at the rear
	} {
		e := estimated(t, "in-rack", "rear", c.cabling)
		if got := float64(e.Levels[0].Mean) - inside; math.Abs(got-c.moreInside) > 2e-4 {
			t.Errorf("%s: %.4f m more in a rack, want %.4f", c.cabling, got, c.moreInside)
		}
		if got := float64(e.Length.Max) - between; math.Abs(got-c.further) > 2e-4 {
			t.Errorf("%s: %.4f m more between racks, want %.4f", c.cabling, got, c.further)
		}
	}
	for cabling, way := range map[string]float64{none: depth, `{slack: {fixed: 0, in_rack: 0}, crossing: 3 m}`: 3} {
		rear, front := estimated(t, "network-row", "rear", cabling), estimated(t, "network-row", "front", cabling)
		if got := float64(front.Levels[0].Mean - rear.Levels[0].Mean); math.Abs(got-way) > 2e-4 {
			t.Errorf("%s: %.4f m through the rack, want %v", cabling, got, way)
		}
		if front.Levels[1].Mean != rear.Levels[1].Mean {
			t.Errorf("%s: switches are joined front to front: %+v, %+v", cabling, front.Levels[1], rear.Levels[1])
		}
	}
}

func TestEstimatesRoundUp(t *testing.T) {
	base := estimated(t, "in-rack", "rear", "{}")
	e := estimated(t, "in-rack", "rear", "{round_up: 0.5}")
	up := func(l units.Length) units.Length { return units.Length(math.Ceil(float64(l)/0.5-1e-9) * 0.5) }
	if want := up(base.Length.Max); e.Length.Max != want || e.Levels[0].Mean != up(base.Levels[0].Mean) {
		t.Errorf("up to %v m, in racks %v m; want %v and %v", e.Length.Max, e.Levels[0].Mean, want,
			up(base.Levels[0].Mean))
	}
	if steps := float64(e.Length.Total) / 0.5; steps != math.Trunc(steps) || e.Length.Total <= base.Length.Total {
		t.Errorf("%v m in all, %v m before", e.Length.Total, base.Length.Total)
	}
	if !strings.Contains(e.Layout, ", rounded up to multiples of 0.5 m (") || strings.Contains(base.Layout, "rounded") {
		t.Errorf("%q and %q", e.Layout, base.Layout)
	}
}
