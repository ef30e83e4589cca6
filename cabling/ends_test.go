package cabling_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// endsMachine joins 16 nodes of eight ports to eight leaves, and these to four spines by two links each.
const endsMachine = `
topology: {family: leaf-spine, nodes: 16, rails: 8, leaves: 8, spines: 4, up: 8}
packaging: {node: {part: nvidia-dgx-b300, per_rack: 4}, leaf: {part: %[1]s}, spine: {part: %[1]s}}
cabling: {media: [%[2]s {use: [single-mode]%[3]s}]}
delay: {routing: none}
prices: {set: estimate-2026}
`

// TestEndsByKind holds the ends of a bill against those that the ports of a machine have: 128 links from nodes to
// leaves, 64 from leaves to spines, and switches with two links in a cage or with their optics inside.
func TestEndsByKind(t *testing.T) {
	const up = "{levels: [%s], use: [single-mode], ends: [%s]},"
	for _, c := range []struct {
		part, rule, last string
		want             map[catalog.EndKind]int64
		failures         float64
		unknown          int64
	}{
		{"nvidia-q3400", "", ", ends: [dsp]", map[catalog.EndKind]int64{"dsp": 128 + 64 + 64}, 256 * 0.0022, 0},
		{"nvidia-q3400", "lro", ", ends: [dsp]", map[catalog.EndKind]int64{"dsp": 192, "lro": 64}, 192 * 0.0022, 64},
		{
			"nvidia-q3400", "lpo", ", ends: [dsp]",
			map[catalog.EndKind]int64{"dsp": 192, "lpo": 64},
			192*0.0022 + 64*0.0024, 0,
		},
		{"nvidia-q3450", "", "", map[catalog.EndKind]int64{"dsp": 128, "cpo": 256}, 128*0.0022 + 256*0.0034, 0},
		{"nvidia-sn6810", "cpo", "", map[catalog.EndKind]int64{"dsp": 128, "cpo": 256}, 128*0.0022 + 256*0.0034, 0},
	} {
		rule := ""
		if c.rule != "" {
			rule = fmt.Sprintf(up, "up", c.rule)
		}
		r := planEnds(t, c.part, rule, c.last)
		got, failures, unknown := map[catalog.EndKind]int64{}, 0.0, int64(0)
		watts, cost := units.Power(0), units.Money(0)
		for _, e := range r.Bill.Ends {
			got[e.Kind], failures, unknown = e.Count, failures+e.Failures, unknown+e.FailuresUnknown
			watts, cost = watts+e.Power, cost.Plus(e.Cost)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || math.Abs(failures-c.failures) > 1e-9 || unknown != c.unknown {
			t.Errorf("%s %s: %v, %v failures a year, %d not known; want %v, %v, %d", c.part, c.rule, got, failures,
				unknown, c.want, c.failures, c.unknown)
		}
		if watts != r.Bill.Power.Optics+r.Bill.Power.Cables || cost != r.Bill.ByKind[catalog.KindOptic] {
			t.Errorf("%s %s: %v and %v, the bill has %v and %v", c.part, c.rule, watts, cost, r.Bill.Power.Optics,
				r.Bill.ByKind[catalog.KindOptic])
		}
	}
}

func planEnds(t *testing.T, part, rule, last string) *machine.Result {
	t.Helper()
	text := fmt.Sprintf(endsMachine, part, rule, last)
	levels := func(text string) *machine.Result {
		spec, err := machine.Parse("ends.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	plain := levels(fmt.Sprintf(endsMachine, part, "", ""))
	name := ""
	for l := range topology.Cables(plain.Graph) {
		name = plain.Graph.Levels()[l.Level].Name // the last one is above the leaves
	}
	r := levels(strings.Replace(text, "levels: [up]", "levels: ["+name+"]", 1))
	if r.Schedule.Violations.Errors() > 0 {
		t.Fatalf("%v\n%s", r.Schedule.Violations.List(), text)
	}
	return r
}
