package qap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Searches in numbers of 32 bits and of 64 take the same steps.
func TestNarrowTakesTheStepsOfWide(t *testing.T) {
	if !hasAVX2 {
		t.Skip("this processor has no kernels for numbers of 32 bits")
	}
	narrow := 0
	rapid.Check(t, func(t *rapid.T) {
		q := drawInstance(t, 40)
		q.ObjectClass, q.LocationClass = nil, nil
		m := newModel(q)
		if !m.narrow {
			return
		}
		narrow++
		p := m.toModel(drawAllowed(t, q))
		slow, fast := newTabu(m), newTabu(m)
		slow.deltas = newWide(m)
		fast.deltas = newNarrow(m)
		slow.start(p, rand.NewPCG(1, 2))
		fast.start(p, rand.NewPCG(1, 2))
		for step := range rapid.IntRange(0, 60).Draw(t, "steps") {
			if step == 20 {
				slow.deltas.save()
				fast.deltas.save()
				p = slices.Clone(slow.p)
			}
			r, s := slow.choose()
			x, y := fast.choose()
			if r != x || s != y {
				t.Fatalf("step %d: %d and %d, expected %d and %d", step, x, y, r, s)
			}
			if r < 0 {
				return
			}
			slow.forbid(r, s)
			fast.forbid(r, s)
			slow.swap(r, s)
			fast.swap(r, s)
			if slow.current != fast.current {
				t.Fatalf("step %d: %d, expected %d", step, fast.current, slow.current)
			}
			if step == 40 {
				for _, search := range []*tabu{slow, fast} {
					copy(search.p, p)
					search.current = m.cost(p)
					search.deltas.restore()
				}
			}
		}
	})
	if narrow == 0 && !testing.Short() { // twenty draws may have none
		t.Error("no instance was narrow")
	}
}
