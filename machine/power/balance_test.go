package power

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// TestPhasesAreBalanced: on one supply with enough outlets on each phase, the phases are at most the largest cord
// apart, and no less even than by giving each cord, the largest first, to the phase with the smallest load.
func TestPhasesAreBalanced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		watts := rapid.SliceOfN(rapid.IntRange(1, 900), 1, 9).Draw(t, "watts")
		var boxes []Box
		for _, w := range watts {
			boxes = append(boxes, Box{&catalog.Part{Inlets: map[string]int{"c14": 1}}, units.Power(w)})
		}
		supply := Supply{Supply: catalog.Supply{Volts: 415, Phases: 3, Outlets: []catalog.OutletGroup{
			{Type: "c13", Count: 27},
		}}}
		r := New(boxes, []Supply{supply}, nil)
		l := r.Without(NoFeed)
		if r.Uneven(0, l) {
			t.Fatalf("%v", l.Phases[0])
		}
		slices.SortFunc(watts, func(a, b int) int { return cmp.Compare(b, a) })
		var simple [3]float64
		for _, w := range watts {
			simple[slices.Index(simple[:], slices.Min(simple[:]))] += float64(w)
		}
		ours, theirs := 0.0, 0.0
		for i, w := range l.Phases[0] {
			ours, theirs = ours+float64(w)*float64(w), theirs+simple[i]*simple[i]
		}
		if ours > theirs+rounding {
			t.Fatalf("%v, %v when each cord goes to the phase with the smallest load", l.Phases[0], simple)
		}
	})
}

// TestBalanceKeepsLoads: after balancing, the loads of phases are those of the cords in the outlets of each.
func TestBalanceKeepsLoads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawn(t)
		loads := make([][3]units.Power, len(r.Supplies))
		l := r.Without(NoFeed)
		for c, cord := range r.Cords {
			if cord.Supply >= 0 {
				loads[cord.Supply][cord.Phase-1] += l.Cords[c]
			}
		}
		for s, want := range loads {
			spread := slices.Max(want[:]) - slices.Min(want[:])
			largest := units.Power(0)
			for c, cord := range r.Cords {
				if cord.Supply == s {
					largest = max(largest, l.Cords[c])
				}
			}
			if got := r.Uneven(s, l); got != (r.Supplies[s].Phases == 3 && spread > largest+rounding) {
				t.Fatalf("supply %d is uneven: %v, loads %v", s, got, want)
			}
		}
	})
}

// TestPinnedPhasesAreUneven: outlets that are all on one phase leave the others empty.
func TestPinnedPhasesAreUneven(t *testing.T) {
	for _, phase := range []int{0, 1} {
		supply := Supply{Supply: catalog.Supply{Volts: 415, Phases: 3, Outlets: []catalog.OutletGroup{
			{Type: "c19", Count: 12, Phase: phase},
		}}}
		boxes := slices.Repeat([]Box{{&catalog.Part{Inlets: map[string]int{"c20": 1}}, 1700}}, 6)
		r := New(boxes, []Supply{supply}, nil)
		if got := r.Uneven(0, r.Without(NoFeed)); got != (phase == 1) {
			t.Errorf("phase %d: uneven %v", phase, got)
		}
	}
}

// TestFeedsAreBalanced: where each of two supplies has one cord more on a phase, these are not on the same phase.
func TestFeedsAreBalanced(t *testing.T) {
	supply := Supply{Supply: catalog.Supply{Volts: 415, Phases: 3, Outlets: []catalog.OutletGroup{
		{Type: "c13", Count: 9},
	}}}
	boxes := slices.Repeat([]Box{{&catalog.Part{Inlets: map[string]int{"c14": 1}}, 100}}, 8)
	r := New(boxes, []Supply{supply, supply}, nil)
	sum := [3]units.Power{}
	for _, p := range r.Without(NoFeed).Phases {
		for i := range sum {
			sum[i] += p[i]
		}
	}
	if slices.Max(sum[:])-slices.Min(sum[:]) > 100+rounding {
		t.Errorf("%v", sum)
	}
}
