package asbuilt

import (
	"context"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Wire is a link between two ports, of boxes that a plan has or that it does not have.
type Wire struct {
	A, B  Socket
	Level int // of the topology of the plan: the level that the link is counted at
}

// Socket is a port of a box.
type Socket struct {
	// Box is a vertex of the plan; from the number of its vertices on, a box that it does not have.
	Box int32
	// Port tells the ports of a box apart.
	Port int32
}

// Wiring is what is cabled where a plan has it otherwise.
type Wiring struct {
	Stay  []Wire // links of the plan that are as planned, or taken to be
	Found []Wire // links that are not planned
	Lack  []Wire // links of the plan that are not there
}

// Rewire finds the steps from what is cabled to the plan. Steps have links of w.Found to disconnect, by their index,
// and of w.Lack to plug in; nothing is moved. The faults are demands that no steps could keep.
func Rewire(ctx context.Context, plan *machine.Result, w Wiring, opt Options) (steps []Step, faults []string,
	err error,
) {
	if err := opt.check(); err != nil {
		return nil, nil, err
	}
	t := &transition{levels: newNames(), products: newNames(), pairs: &pairing{}}
	for v := range topology.Vertices(plan.Graph) {
		b := box(plan, int32(v))
		b.From, b.OldPart, b.Fate = b.To, b.Part, Kept
		t.boxes = append(t.boxes, b)
	}
	var levels []int32
	for _, l := range plan.Graph.Levels() {
		levels = append(levels, t.levels.of(l.Name))
	}
	for _, l := range w.Stay {
		level := levels[l.Level]
		t.links = append(t.links, link{l.A.Box, l.B.Box, [2]int32{level, level}})
		t.changeOf = append(t.changeOf, -1)
	}
	for side, wires := range [2][]Wire{w.Found, w.Lack} {
		t.inv[side] = &inventory{plan: plan, s: plan.Schedule}
		t.pairs.of[side] = make([]fate, len(wires))
		t.pairs.other[side] = slices.Repeat([]int32{-1}, len(wires))
		for i, l := range wires {
			t.wire(side, int32(i), l, levels[l.Level])
		}
	}
	t.networks = networks([2]*machine.Result{plan, plan}, t.boxes, t.links, t.levels)
	if steps, faults, err = planSteps(ctx, t, opt); err != nil {
		return nil, nil, err
	}
	if err := t.walk(steps); err != nil {
		return nil, nil, fmt.Errorf("asbuilt: the steps do not mend what is cabled: %w", err)
	}
	return steps, faults, nil
}

// wire adds a link that is found and not planned, side 0, or planned and not there, as a cable of its own.
func (t *transition) wire(side int, i int32, l Wire, level int32) {
	inv := t.inv[side]
	ports := []end{l.A.end(), l.B.end()}
	inv.cables = append(inv.cables, cable{ports: ports, units: []int32{i}})
	inv.units = append(inv.units, unit{cables: []int32{i}})
	c := change{unit: i, cables: []int32{i}, links: []int32{int32(len(t.links))}, boxes: []int32{l.A.Box, l.B.Box}}
	slices.Sort(c.boxes)
	c.boxes = slices.Compact(c.boxes)
	t.changes[side] = append(t.changes[side], c)
	of := [2]int32{none, none}
	of[side] = level
	t.links = append(t.links, link{l.A.Box, l.B.Box, of})
	t.changeOf = append(t.changeOf, i)
}

func (s Socket) end() end { return end(s.Box)<<32 | end(s.Port) }
