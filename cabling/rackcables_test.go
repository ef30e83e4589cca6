package cabling_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// TestCablesWeighInTheirRacks weighs every piece of cable anew: whole where both ends are in one rack, else at each end
// half of what the run along the trays, or between the racks, leaves of it.
func TestCablesWeighInTheirRacks(t *testing.T) {
	left := 8
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		nodes := rapid.IntRange(8, 40).Draw(rt, "nodes")
		route := rapid.SampledFrom([]string{"tray", "manhattan", "direct"}).Draw(rt, "route")
		panels := ""
		if route == "tray" && rapid.Bool().Draw(rt, "panels") {
			panels = ", structured: {levels: [tier1], beyond: rack}"
		}
		s, err := machine.Parse("m.yaml", []byte(fmt.Sprintf(`
topology: {family: leaf-spine, nodes: %d, down: 8, up: 4, spines: 2}
packaging: {node: {per_rack: 4}, leaf: {place: in-rack}, spine: {place: network-row}}
room: {rows: 2, racks_per_row: 16}
cabling: {route: %s%s, media: [{levels: [terminal], use: [copper, multimode]}, {use: [multimode]}]}
`, nodes, route, panels)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		sch := r.Schedule
		l, room := sch.Placement.Layout, sch.Placement.Layout.Room
		type sum struct {
			mass             float64
			cables, unstated int64
		}
		want := make([]sum, len(room.Places))
		legs, laid := sch.Legs(), map[int32]bool{}
		sch.Each(func(_ int64, seg *cabling.Segment) bool {
			// A trunk has a segment for each of its positions, and a jacket.
			trunk := sch.Panel(seg.A) >= 0 && sch.Panel(seg.B) >= 0
			if jacket := sch.Jacket(seg, legs.Next(seg)); seg.Product < 0 || trunk && laid[seg.Cable] ||
				!trunk && !jacket {
				return true
			}
			laid[seg.Cable] = true
			p := &sch.Products[seg.Product]
			a, b := l.Container(layout.RackLevel, sch.Placement.Slot[seg.A]),
				l.Container(layout.RackLevel, sch.Placement.Slot[seg.B])
			inside := p.Length
			if a != b {
				if way, _ := sch.WayOf(seg); way >= 0 {
					inside -= sch.Ways[way].Run
				} else {
					dx, dy := float64(room.Places[a].X-room.Places[b].X), float64(room.Places[a].Y-room.Places[b].Y)
					run := math.Abs(dx) + math.Abs(dy)
					if route == "direct" {
						run = math.Hypot(dx, dy)
					}
					inside -= units.Length(run)
				}
				inside /= 2
			}
			for i, rack := range []int32{a, b} {
				if i == 1 && a == b {
					break
				}
				w := &want[rack]
				w.cables++
				w.mass += float64(p.Part.Weight) * float64(inside)
				if p.Part.Weight == 0 {
					w.unstated++
				}
			}
			return true
		})
		total := 0.0
		for i, got := range sch.RackCables() {
			w := &want[i]
			if got.Cables != w.cables || got.Unweighed != w.unstated || math.Abs(float64(got.Weight)-w.mass) > 1e-5 {
				t.Fatalf("%s, %s: %+v, counted %+v", s.Cabling.Route, room.Name(i), got, *w)
			}
			total += w.mass
		}
		bare := map[int32]float64{}
		for _, rack := range sch.Placement.Racks {
			bare[rack.Place] = float64(rack.Weight)
		}
		if sch.Patching == nil {
			for _, rack := range sch.LoadedRacks() {
				if math.Abs(float64(rack.Weight)-bare[rack.Place]-want[rack.Place].mass) > 1e-5 {
					t.Fatalf("%v loaded: %v, boxes %v, cables %v", rack.Place, rack.Weight, bare[rack.Place],
						want[rack.Place].mass)
				}
			}
		}
		if total == 0 {
			t.Fatal("no cable weighs anything")
		}
	})
}
