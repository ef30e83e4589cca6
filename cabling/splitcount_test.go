package cabling_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// counted holds the counts of a schedule with shuffles against its segments: transceivers by cage, links and metres by
// link, adapters by plug, and cords by cable.
func counted(t *rapid.T, w *wires) {
	s := w.s
	cages := map[[2]int]bool{}
	links, overPanels := int64(0), int64(0)
	metres, longest := 0.0, 0.0
	cables := map[int32]bool{}
	for i := range s.Segments {
		seg := &s.Segments[i]
		for _, e := range []struct {
			v    int32
			port uint16
		}{{seg.A, seg.PortA}, {seg.B, seg.PortB}} {
			if s.Panel(e.v) < 0 {
				box := s.Boxes[topology.KindOf(s.Kinds, int(e.v))]
				cages[[2]int{int(e.v), box.Ports[e.port].Cage}] = true
			}
		}
		if s.Panel(seg.A) < 0 {
			links++
			if s.Panel(seg.B) >= 0 {
				overPanels++
			}
		}
		cables[seg.Cable] = true
		if p := s.Product(seg); p.Length < seg.Length-1e-9 {
			t.Fatalf("%s needs %v and has %v", s.Label(seg.A, seg.PortA), seg.Length, p.Length)
		}
		run := float64(seg.Length)
		if s.Panel(seg.B) >= 0 {
			run += float64(s.Segments[i+1].Length)
		}
		if s.Panel(seg.A) < 0 {
			metres, longest = metres+run, max(longest, run)
		}
	}
	optics, tallied, all, bought := int64(0), int64(0), units.Length(0), int64(0)
	most := units.Length(0)
	for _, row := range s.Tallies {
		for i := range row {
			for _, n := range row[i].Optics {
				optics += n
			}
			for _, n := range row[i].Product {
				bought += n
			}
			tallied += row[i].Links
			all += row[i].Metres
			most = max(most, row[i].Longest)
		}
	}
	if optics != int64(len(cages)) || tallied != links || bought != int64(len(cables)) ||
		math.Abs(float64(all)-metres) > 1e-3*float64(links) || math.Abs(float64(most)-longest) > 1e-3 {
		t.Fatalf("%d transceivers in %d cages, %d of %d links, %v of %.4f m, the longest %v of %.4f m, %d of %d cables",
			optics, len(cages), tallied, links, all, metres, most, longest, bought, len(cables))
	}
	if s.Patching == nil {
		return
	}
	if s.Patching.Links != overPanels {
		t.Fatalf("%d links over panels, want %d", s.Patching.Links, overPanels)
	}
	plugs := map[int32]int{}
	for at := range w.plug {
		plugs[at[0]]++
		if panel := s.Patching.Panels[at[0]]; at[1] < 0 || int(at[1]) >= panel.Part.Panel.Ports {
			t.Fatalf("adapter %d of a panel of %d", at[1], panel.Part.Panel.Ports)
		}
	}
	inUse, linked := map[int32]int{}, int64(0)
	for _, m := range s.Patching.Shuffles {
		inUse[m.Panel] += int(m.Near) + int(m.Far)
		linked += int64(m.Links)
	}
	for i := range s.Patching.Panels {
		if n := plugs[int32(i)]; n == 0 || inUse[int32(i)] != n || int(s.Patching.Panels[i].Links) != n {
			t.Fatalf("panel %d has %d plugs, %d adapters in use, %d cords", i, n, inUse[int32(i)],
				s.Patching.Panels[i].Links)
		}
	}
	if linked != overPanels {
		t.Fatalf("shuffles lead %d links, want %d", linked, overPanels)
	}
}

// between holds the positions of a strand at every end of its cables: cords are reversed, and a shuffle leads what
// comes by the fibre of a transmitter to that of one.
func between(t *rapid.T, way []cabling.Segment, at []int, fibres int) {
	if len(at) != 2*len(way) {
		t.Fatalf("%d positions of a way of %d cables", len(at), len(way))
	}
	for i := range way {
		if at[2*i]+at[2*i+1] != fibres+1 {
			t.Fatalf("%v: cable %d of %d fibres is not reversed", at, i+1, fibres)
		}
	}
}

// splitMachine is a machine of four planes with two transceivers that fit its cages, at prices and with reaches.
func splitMachine(perRack int, a, b float64, reachA, reachB units.Length) string {
	text := fmt.Sprintf(`
boxes: [{name: node, count: 8, part: box, per_rack: %d, breakout: {net: 4}}]
fabrics:
`, perRack)
	for p := range 4 {
		text += fmt.Sprintf("  - {name: p%d, topology: {family: leaf-spine, nodes: 8, leaves: 2, up: 4, spines: 2}, "+
			"ends: [{boxes: node, ports: net/%d}], switches: {switch: {part: switch, breakout: 4}}}\n", p+1, p+1)
	}
	text += fmt.Sprintf(splitParts, 1, "standard: dr8, plug: mpo16-test, rate: 800G, ports: 1")
	text += fmt.Sprintf(`
  - {id: reaching-a, kind: optic, source: x, confidence: user, power: 15 W, optic: {form: cage, fibre: single-mode,
     reach: %g m, end: 10 ns, loss: 3 dB, standard: dr8, plug: mpo16-test, rate: 800G, ports: 1}}
  - {id: reaching-b, kind: optic, source: x, confidence: user, power: 15 W, optic: {form: cage, fibre: single-mode,
     reach: %g m, end: 10 ns, loss: 3 dB, standard: dr4, plug: mpo12-test, rate: 400G, ports: 2}}
`, float64(reachA), float64(reachB))
	return text + panelParts() + fmt.Sprintf("prices: {unit: {optic: 1000000, reaching-a: %g, reaching-b: %g, box: 1, "+
		"switch: 1, cord-12: 1, cord-16: 1}}\n", a, b)
}

// TestCheapestTransceiverThatReaches has two kinds of transceivers of which one costs less or reaches farther.
func TestCheapestTransceiverThatReaches(t *testing.T) {
	used := func(text string) string {
		spec, err := machine.Parse("split.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		r, err := machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
		if err != nil {
			t.Fatal(err)
		}
		var one *catalog.Part
		if r.Schedule.Patching == nil {
			t.Fatal("no shuffles")
		}
		for i := range r.Schedule.Segments {
			if r.Schedule.Segments[i].Product < 0 {
				return "none"
			}
			for _, o := range []*catalog.Part{
				r.Schedule.Products[r.Schedule.Segments[i].Product].OpticA,
				r.Schedule.Products[r.Schedule.Segments[i].Product].OpticB,
			} {
				if o != nil {
					if one != nil && o != one {
						t.Fatalf("%s and %s", one.ID, o.ID)
					}
					one = o
				}
			}
		}
		return one.ID
	}
	const far = 500
	for _, c := range []struct {
		a, b           float64
		reachA, reachB units.Length
		want           string
	}{
		{100, 200, far, far, "reaching-a"},
		{200, 100, far, far, "reaching-b"},
		{150, 100, far, far, "reaching-b"}, // for a cage, with both of its plugs
		{100, 200, 9, far, "reaching-b"},   // nothing is as near as that with the detour
		{200, 100, far, 9, "reaching-a"},
	} {
		if got := used(splitMachine(4, c.a, c.b, c.reachA, c.reachB)); got != c.want {
			t.Errorf("at %g and %g, reaching %v and %v: %s, want %s", c.a, c.b, c.reachA, c.reachB, got, c.want)
		}
	}
}
