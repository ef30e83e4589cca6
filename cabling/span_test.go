package cabling

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// drawTrayed draws a machine whose cables run on trays of one or two levels, with boxes of odd sizes in racks that are
// turned in every other row, some of them in chassis.
func drawTrayed(t *rapid.T) *Problem {
	nodes := rapid.IntRange(20, 80).Draw(t, "nodes")
	g, err := topology.New(topology.FatTree{Nodes: nodes, Radix: 16})
	if err != nil {
		t.Fatal(err)
	}
	width := units.Length(rapid.SampledFrom([]float64{0.6, 0.8, 0.60005, 0.7239}).Draw(t, "width"))
	p, err := machineOf(g, switchParts, func(e *embed.Problem) {
		e.Room.Rack.Width = width
		e.Room.PerRow = rapid.IntRange(2, 6).Draw(t, "per row")
		e.Room.Gaps = []layout.Gap{{After: 1, Width: 1}}
		if rapid.Bool().Draw(t, "levels") {
			e.Room.Trays.Levels = []layout.TrayLevel{
				{Name: "low", Height: 2.3}, {Name: "high", Height: 2.65, Cross: []int{1}},
			}
		}
		if rapid.Bool().Draw(t, "chassis") {
			e.Chassis = []layout.Chassis{{Name: "sled", Slots: [3]int{2, 2, 1}, Units: 4}}
			e.Kinds[0].Chassis = 1
		}
		for i := range e.Kinds {
			e.Kinds[i].PerRack = rapid.IntRange(1, 9).Draw(t, "per rack")
		}
	})
	if err != nil {
		t.Skip("does not fit:", err)
	}
	p.Slack = Slack{
		Fixed: units.Length(rapid.Float64Range(0, 2).Draw(t, "slack")), InRack: 0.25,
		Loop:     units.Length(rapid.Float64Range(0, 2).Draw(t, "loop")),
		Crossing: units.Length(rapid.Float64Range(0, 2).Draw(t, "crossing")),
		Manager:  rapid.SampledFrom([]Side{AnySide, Nearest, Left, Right}).Draw(t, "manager"),
		RoundUp:  units.Length(rapid.SampledFrom([]float64{0, 0, 0.25}).Draw(t, "round up")),
		Percent:  rapid.SampledFrom([]float64{0, 0, 7.5}).Draw(t, "percent"),
	}
	for i, b := range p.Boxes {
		b.Beyond = units.Length(i) * 0.33333
	}
	return p
}

// TestLengthsOnTrays compares the lengths of cables on trays, put together from what was found for other boxes that
// stand alike and for other cables between the same racks, with those that are measured for each by itself, to the last
// bit.
func TestLengthsOnTrays(t *testing.T) {
	fast := 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawTrayed(t)
		w, err := start(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		r := &w.s.router
		w.channels(func(c *channel, _, _ *Port) {
			if !r.onTrays(c.common) {
				return
			}
			a, b := w.ends(c)
			slow := *w.between(a, b)
			got := *w.across(c)
			if w.mountings.at(w, c.a, c.link.A, c.portA) >= 0 && w.mountings.at(w, c.b, c.link.B, c.portB) >= 0 {
				fast++
			}
			if got != slow {
				t.Fatalf("%+v\n%+v of %+v", got, slow, c)
			}
			runs := w.pairs.runsOf(got.pair)
			for level := range r.trays.height {
				run := r.trays.net.DistanceOn(level, got.rackA, got.rackB)
				if runs[level] != run.Round4() {
					t.Fatalf("%v along level %d, want %v", runs[level], level, run)
				}
				if math.IsInf(float64(run), 1) {
					continue
				}
				want := r.trayParts(a, b, int32(level), run).Total()
				if total := r.total(&got, level, runs[level]); total != want {
					t.Fatalf("%v on level %d, want %v", total, level, want)
				}
			}
		})
	})
	if fast == 0 {
		t.Error("no cable was put together")
	}
}

// TestManyPoses keeps no mountings of boxes that stand in more ways than there may be.
func TestManyPoses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawTrayed(t)
		w, err := start(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		w.mountings.all = make([]mounting, 1<<16+2*topology.Vertices(p.Graph)) // as if others had taken the room
		w.channels(func(c *channel, _, _ *Port) {
			if !w.s.router.onTrays(c.common) {
				return
			}
			slow := *w.between(w.ends(c))
			if got := *w.across(c); got != slow {
				t.Fatalf("%+v, want %+v", got, slow)
			}
			if w.mountings.at(w, c.a, c.link.A, c.portA) >= 0 {
				t.Fatal("a mounting was kept")
			}
		})
	})
}
