package machine

import (
	"testing"

	"pgregory.net/rapid"
)

// TestLeastWireIsBelowThePlan holds that what cables take at least, with what routers take at least, is below the mean
// delay that is measured, and above a fifth of what cables take.
func TestLeastWireIsBelowThePlan(t *testing.T) {
	for _, topology := range []string{
		"{family: torus, dims: [6, 5, 4]}",
		"{family: hypercube, dims: 7}",
		"{family: random-regular, nodes: 96, degree: 5}",
		"{family: random-regular, terminals: 4, nodes: 32, degree: 6}",
		"{family: dragonfly, p: 3, a: 4, h: 2}",
		"{family: fat-tree, nodes: 128, radix: 16}",
		"{family: hyperx, dims: [4, 6], terminals: 4}",
		"{family: random-regular, terminals: 1, nodes: 40, degree: 3}",
		"{family: torus, dims: [4, 4], terminals: 2}",
	} {
		for _, rest := range []string{
			"room: {racks_per_row: 5}", "room: {racks_per_row: 3}\nembedding: {strategy: random}",
			"room: {racks_per_row: 9}\ncabling: {slack: {percent: 0}}",
		} {
			s, err := Parse("machine.yaml", []byte("topology: "+topology+"\n"+rest+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			least, err := LeastOf(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			bound := 0.0
			r, err := PlanWith(t.Context(), s, Options{Summary: true, Paths: true, Cabled: func(r *Result) {
				bound = float64(r.LeastWire(least.Hops))
			}})
			if err != nil {
				t.Fatal(err)
			}
			wire := float64(r.Delay.LeastMean) - float64(least.Delay)
			if bound > wire || bound < 0.2*wire {
				t.Errorf("%s, %s: cables take %.2f ns of %.2f by the bound", topology, rest, bound, wire)
			}
			if w := r.LeastWire(least.Hops); w != 0 {
				t.Errorf("%s: %v of a plan whose delays are measured", topology, w)
			}
		}
	}
}

// TestMeanApart holds the mean distance of values against that of every pair.
func TestMeanApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-50, 50), 2, 20).Draw(t, "values")
		sum := 0.0
		for i, a := range values {
			for _, b := range values[:i] {
				sum += max(a-b, b-a)
			}
		}
		want := 2 * sum / float64(len(values)*(len(values)-1))
		if got := meanApart(values); got < want-1e-9 || got > want+1e-9 {
			t.Fatalf("%v, not %v", got, want)
		}
	})
}
