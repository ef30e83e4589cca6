package cabling_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
)

// TestEntries counts the cables that leave each rack anew, cable by cable, and holds them against openings that take
// them by a hair and others that do not.
func TestEntries(t *testing.T) {
	plan := func(t *testing.T, nodes int, below bool, openings string) *machine.Result {
		height := "2.6 m"
		if below {
			height = "-0.3 m"
		}
		s, err := machine.Parse("m.yaml", []byte(fmt.Sprintf(`
topology: {family: leaf-spine, nodes: %d, down: 16, up: 8, spines: 2}
packaging: {node: {per_rack: 4}, leaf: {place: network-row}, spine: {place: network-row}}
room:
  rows: 2
  racks_per_row: 16
  rack: own
  trays: {levels: [{name: data, height: %s}]}
parts:
  - {id: own, kind: rack, units: 42, width: 600 mm, depth: 1200 mm, height: 2 m, rack: {%s}}
`, nodes, height, openings)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	left := 6
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		nodes, below := rapid.IntRange(8, 40).Draw(rt, "nodes"), rapid.Bool().Draw(rt, "below")
		at := "top"
		if below {
			at = "bottom"
		}
		// mostArea is the greatest area of the cables that leave a rack, each of which is counted.
		mostArea := func(s *cabling.Schedule) float64 {
			area, cables := map[int32]float64{}, map[int32]int{}
			s.Each(func(_ int64, seg *cabling.Segment) bool {
				l, slot := s.Placement.Layout, s.Placement.Slot
				a, b := l.Container(l.Stands(), slot[seg.A]), l.Container(l.Stands(), slot[seg.B])
				if a != b && seg.Product >= 0 {
					d := float64(s.Products[seg.Product].Part.Cable.Diameter)
					for _, rack := range []int32{a, b} {
						area[rack] += math.Pi / 4 * d * d * 1e6 // mm²
						cables[rack]++
					}
				}
				return true
			})
			most := 0.0
			for _, e := range s.Entries() {
				off := math.Abs(float64(e.Area) - area[e.Rack])
				if string(e.At) != at || e.Cables != cables[e.Rack] || off > 0.01*float64(e.Cables) {
					t.Fatalf("%+v, counted %d of %v mm²", e, cables[e.Rack], area[e.Rack])
				}
				most = max(most, float64(e.Area))
				delete(cables, e.Rack)
			}
			if len(cables) > 0 || most == 0 {
				t.Fatalf("not among the entries: %v", cables)
			}
			return most
		}
		most := mostArea(plan(t, nodes, below, "").Schedule)
		for _, place := range []string{at, "manager"} {
			for _, share := range []float64{1.001, 0.999, 0.1} { // openings that just fit, that do not, far too small
				side := most / 2 / 0.4 / 50 * share // of two openings, 50 mm deep, of which cables take 40 %
				open := fmt.Sprintf("openings: [{at: %s, width: %.4f mm, depth: 50 mm, count: 2, fill: 40 %%}]",
					place, side)
				r := plan(t, nodes, below, open)
				// Where the openings do not suffice, switches stand in more racks, which may mend it.
				fits := mostArea(r.Schedule) <= most*share
				if got := r.Violations.Count(cabling.RuleEntry); (got == 0) != fits || share > 1 && !fits {
					t.Fatalf("%s: %d violations", open, got)
				}
			}
		}
		other := strings.NewReplacer("top", "bottom", "bottom", "top").Replace(at)
		if n := plan(t, nodes, below, "openings: [{at: "+other+", width: 1 mm, depth: 1 mm}]").Violations.Count(
			cabling.RuleEntry); n != 0 {
			t.Fatalf("%d violations at the side where no cable leaves", n)
		}
	})
}

// TestEntryBend holds the least bend radius of the cables that leave a rack against openings that bend them just so far
// and a little further; unknown radii are not checked.
func TestEntryBend(t *testing.T) {
	plan := func(openings string) *machine.Result {
		s, err := machine.Parse("m.yaml", []byte(fmt.Sprintf(`
topology: {family: leaf-spine, nodes: 16, down: 8, up: 4, spines: 2}
packaging: {node: {per_rack: 4}, leaf: {place: network-row}, spine: {place: network-row}}
room: {rows: 2, racks_per_row: 16, rack: own}
parts:
  - {id: own, kind: rack, units: 42, width: 600 mm, depth: 1200 mm, height: 2 m, rack: {openings: [%s]}}
`, openings)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := plan("")
	bends := map[int32]float64{} // by rack, in millimetres
	l, slot := r.Placement.Layout, r.Placement.Slot
	r.Schedule.Each(func(_ int64, seg *cabling.Segment) bool {
		a, b := l.Container(l.Stands(), slot[seg.A]), l.Container(l.Stands(), slot[seg.B])
		if a != b && seg.Product >= 0 {
			bend := 1000 * float64(r.Schedule.Products[seg.Product].Part.Cable.Bend)
			bends[a], bends[b] = max(bends[a], bend), max(bends[b], bend)
		}
		return true
	})
	for _, c := range []struct {
		opening string
		bend    float64 // -1 for an unknown one
	}{
		{"{at: top, width: 0.6 m, depth: 1 m}", -1},
		{"{at: top, width: 0.6 m, depth: 1 m, bend: 30 mm}", 30},
		{"{at: top, width: 0.6 m, depth: 1 m, bend: 31.75 mm}", 31.75},
		{"{at: top, width: 0.6 m, depth: 1 m, bend: 54.9 mm}", 54.9},
		{"{at: top, width: 0.6 m, depth: 1 m, bend: 55 mm}", 55},
		{"{at: top, width: 0.6 m, depth: 1 m, bend: 9 mm}, {at: top, width: 0.6 m, depth: 1 m}", -1},
		{"{at: top, width: 0.6 m, depth: 1 m, bend: 9 mm}, {at: top, width: 0.6 m, depth: 1 m, bend: 50 mm}", 50},
		{"{at: bottom, width: 0.6 m, depth: 1 m, bend: 9 mm}", -1},
		{"{at: manager, width: 25 mm, depth: 50 mm, count: 900}", -1},
		{"{at: manager, width: 0.6 m, depth: 1 m, bend: 20 mm}", 20},
	} {
		want := 0
		for _, bend := range bends {
			if c.bend >= 0 && bend > c.bend+1e-6 {
				want++
			}
		}
		if got := plan(c.opening).Violations.Count(cabling.RuleEntry); got != want {
			t.Errorf("%s: %d violations, want %d of %v", c.opening, got, want, bends)
		}
	}
}
