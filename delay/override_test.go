package delay

import (
	"math"
	"testing"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func TestOverrideRanges(t *testing.T) {
	for _, v := range []float64{-1, math.NaN(), math.Inf(1), 1.1e9} {
		hop, propagation := units.Time(v), units.Propagation(v)
		wrong := diag.Fields(Override{Hop: &hop, Propagation: &propagation}.Check())
		if len(wrong) != 2 || wrong[0].Path != "Hop" || wrong[1].Path != "Propagation" {
			t.Errorf("%g: %v", v, wrong)
		}
	}
	if err := (Override{Hop: new(units.Time(0)), Propagation: new(units.Propagation(1e9))}).Check(); err != nil {
		t.Error(err)
	}
	for _, clock := range []units.Frequency{0, -1, 1000.1, units.Frequency(math.NaN())} {
		if wrong := diag.Fields(CheckClock(clock)); len(wrong) != 1 || wrong[0].Path != "Clock" {
			t.Errorf("a clock of %g: %v", float64(clock), wrong)
		}
	}
	if err := CheckClock(1000); err != nil {
		t.Error(err)
	}
}

// The delay of a node is not that of a switch or a terminal, which may come first.
func TestNodeHop(t *testing.T) {
	m := Model{Media: []Medium{{Name: "x", Propagation: 5, End: 2}}, Hop: []units.Time{1, 2, 3}}
	kinds := []topology.Kind{{Role: topology.Terminal}, {Role: topology.Node}, {Role: topology.Switch}}
	if got := m.NodeHop(kinds); got != 2 {
		t.Errorf("%v", got)
	}
	if got := m.NodeHop(kinds[:1]); got != 0 {
		t.Errorf("%v without nodes", got)
	}
	other := m.With(kinds, Override{Hop: new(units.Time(7)), Propagation: new(units.Propagation(4))})
	if other.Hop[0] != 1 || other.Hop[2] != 7 {
		t.Errorf("hop delays %v: a terminal is not a router", other.Hop)
	}
	if got := other.NodeHop(kinds); got != 7 || other.Wire(3, 0) != 12 || m.Hop[1] != 2 || m.Wire(3, 0) != 19 {
		t.Errorf("%v a hop, %v on a wire; before %v and %v", got, other.Wire(3, 0), m.Hop[1], m.Wire(3, 0))
	}
}

// Least takes other delays in place of the model's.
func TestLeast(t *testing.T) {
	r := &Result{HopsMean: 3, LeastMean: 50, PathMean: 4}
	for _, c := range []struct {
		o         Override
		wire, all units.Time
	}{
		{Override{}, 10, 50}, // 4 routers on 3 links
		{Override{Hop: new(units.Time(1))}, 10, 14},
		{Override{Propagation: new(units.Propagation(5))}, 20, 60},
		{Override{Hop: new(units.Time(2)), Propagation: new(units.Propagation(1))}, 4, 12},
	} {
		if wire, all := r.Least(10, c.o); wire != c.wire || all != c.all {
			t.Errorf("%v and %v, want %v and %v", wire, all, c.wire, c.all)
		}
	}
}
