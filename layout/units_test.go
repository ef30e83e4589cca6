package layout

import (
	"testing"

	"pgregory.net/rapid"
)

// TestFreeUnits compares sets of units with a list of them, and the ways to find free units with trying all of them.
func TestFreeUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(1, MaxUnits).Draw(t, "units")
		var used UnitSet
		taken := make([]bool, MaxUnits+1)
		count := 0
		for range rapid.IntRange(0, 40).Draw(t, "boxes") {
			u := rapid.IntRange(1, units).Draw(t, "unit")
			n := rapid.IntRange(0, min(80, units-u+1)).Draw(t, "height")
			overlap := false
			for i := u; i < u+n; i++ {
				overlap = overlap || taken[i]
			}
			if used.Overlaps(u, n) != overlap {
				t.Fatalf("%d units from %d: overlap is not %v", n, u, overlap)
			}
			if overlap {
				continue
			}
			used.Add(u, n)
			count += n
			for i := u; i < u+n; i++ {
				taken[i] = true
			}
		}
		if used.Len() != count {
			t.Fatalf("%d units, want %d", used.Len(), count)
		}
		n := rapid.IntRange(1, units+1).Draw(t, "n")
		lowest, highest := 0, 0
		for u := 1; u+n-1 <= units; u++ {
			free := true
			for i := u; i < u+n; i++ {
				free = free && !taken[i]
			}
			if free && lowest == 0 {
				lowest = u
			}
			if free {
				highest = u
			}
		}
		for top, want := range map[bool]int{false: lowest, true: highest} {
			if u, ok := used.Free(n, units, top); u != want || ok != (want > 0) {
				t.Fatalf("%d of %d units, highest %v: at %d, %v; want %d", n, units, top, u, ok, want)
			}
		}
		var empty UnitSet
		if used.Union(&empty) != used || empty.Union(&used) != used {
			t.Fatal("the union with nothing is another set")
		}
	})
}

// TestUnitsBeyondTheRack checks that units that no rack has do no harm.
func TestUnitsBeyondTheRack(t *testing.T) {
	var s UnitSet
	s.Add(MaxUnits, 3)
	s.Add(MaxUnits+100, 5)
	s.Add(-2, 4)
	if !s.Overlaps(MaxUnits, 1) || !s.Overlaps(1, 1) || s.Len() != 2 {
		t.Errorf("%d units, want 1 and %d only", s.Len(), MaxUnits)
	}
}
