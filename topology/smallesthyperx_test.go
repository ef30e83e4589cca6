package topology_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// TestSmallestHyperX holds the published results of the search (J. H. Ahn et
// al., SC 2009), and cases at the edge.
func TestSmallestHyperX(t *testing.T) {
	tests := []struct {
		ports, nodes int
		beta         float64
		want         string
	}{
		{32, 4096, .5, "{family: hyperx, dims: [8, 8, 8], terminals: 8}"},
		{48, 4096, .5, "{family: hyperx, dims: [16, 16], terminals: 16}"},
		{64, 65536, .5, "{family: hyperx, dims: [16, 16, 16], terminals: 16}"},
		{64, 131072, .5, "{family: hyperx, dims: [7, 7, 14, 14], widths: [2, 2, 1, 1], terminals: 14}"},
		{64, 64, .5, "{family: hyperx, dims: [1], terminals: 64}"},
		{64, 65, .5, "{family: hyperx, dims: [2], widths: [17], terminals: 33}"},
		{2, 4, .5, ""},
		{3, 4, .5, "{family: hyperx, dims: [2], terminals: 2}"},
	}
	for _, tt := range tests {
		got, err := topology.SmallestHyperX(tt.nodes, tt.ports, tt.beta)
		if (err != nil) != (tt.want == "") || err == nil && fmt.Sprint(topology.Spec{Params: got}) != tt.want {
			t.Errorf("R=%d N=%d beta=%g: %v, %v, want %s", tt.ports, tt.nodes, tt.beta, got, err, tt.want)
		}
	}
}

// slowHyperX goes through all products of sides and keeps the best.
func slowHyperX(nodes, ports int, beta float64) (best topology.HyperX, found bool) {
	type cost struct{ switches, channels, dimensions int }
	var least cost
	var extend func(dims topology.Ints, switches int)
	extend = func(dims topology.Ints, switches int) {
		if len(dims) > 0 {
			terminals := (nodes + switches - 1) / switches
			used := terminals
			var widths topology.Ints
			for _, side := range dims {
				width := max(1, int(math.Ceil(2*beta*float64(terminals)/float64(side)-1e-9)))
				widths = append(widths, width)
				used += width * (side - 1)
			}
			c := cost{switches, switches * (used - terminals), len(dims)}
			better := !found || c.switches < least.switches || c.switches == least.switches &&
				(c.channels < least.channels || c.channels == least.channels && c.dimensions < least.dimensions)
			if used <= ports && better {
				least, found = c, true
				best = topology.HyperX{Dims: append(topology.Ints(nil), dims...), Terminals: terminals, Widths: widths}
			}
		}
		first := 2
		if len(dims) > 0 {
			first = dims[len(dims)-1]
		}
		// some switches may have no node that was asked for
		for side := first; side <= ports && switches*side <= 4*nodes; side++ {
			extend(append(dims[:len(dims):len(dims)], side), switches*side)
		}
	}
	if nodes <= ports {
		return topology.HyperX{Dims: topology.Ints{1}, Terminals: nodes}, true
	}
	extend(nil, 1)
	for _, w := range best.Widths {
		if w > 1 {
			return best, found
		}
	}
	best.Widths = nil
	return best, found
}

func TestSmallestHyperXIsSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 3000).Draw(t, "nodes")
		ports := rapid.IntRange(1, 40).Draw(t, "ports")
		beta := rapid.SampledFrom([]float64{.01, .1, .25, .5, .75, 1, 3}).Draw(t, "beta")
		want, found := slowHyperX(nodes, ports, beta)
		got, err := topology.SmallestHyperX(nodes, ports, beta)
		if (err == nil) != found {
			t.Fatalf("%v, expected %v (%t)", err, want, found)
		}
		if !found {
			return
		}
		if !cmp.Equal(got, want) {
			t.Fatalf("%v, expected %v", got, want)
		}
		g, err := topology.New(got)
		if err != nil {
			t.Fatal(err)
		}
		if d := measure.RouterDegrees(g); d.Ports > ports || topology.Count(g).Nodes < nodes {
			t.Fatalf("%v: %d ports, %d nodes", got, d.Ports, topology.Count(g).Nodes)
		}
	})
}

// TestSmallestHyperXOfAnyNodes searches up to the largest networks. What is
// found must do, and no cube may be smaller.
func TestSmallestHyperXOfAnyNodes(t *testing.T) {
	for _, ports := range []int{4, 16, 31, 32, 64, 128, 512, 4096, 65535} {
		for _, beta := range []float64{.05, .5, 1, 10} {
			for nodes := 1000; nodes < math.MaxInt32/7; nodes *= 7 {
				got, err := topology.SmallestHyperX(nodes, ports, beta)
				if err != nil {
					continue
				}
				switches, used, relative := 1, got.Terminals, math.Inf(1)
				for d, side := range got.Dims {
					width := 1
					if len(got.Widths) > 0 {
						width = got.Widths[d]
					}
					switches *= side
					used += width * (side - 1)
					relative = min(relative, float64(width*side)/float64(2*got.Terminals))
				}
				if used > ports || switches*got.Terminals < nodes || switches > 1 && relative < beta-1e-9 {
					t.Errorf("%d nodes, %d ports, beta %g: %v has %d nodes, %d ports, beta %g",
						nodes, ports, beta, got, switches*got.Terminals, used, relative)
				}
				for n := 1; n < 12; n++ {
					side := max(1, int(math.Pow(float64(switches-1), 1/float64(n))))
					cube := int(math.Pow(float64(side), float64(n)))
					terminals := (nodes + cube - 1) / cube
					width := max(1, int(math.Ceil(2*beta*float64(terminals)/float64(side)-1e-9)))
					if side > 1 && cube < switches && terminals+n*width*(side-1) <= ports {
						t.Errorf("%d nodes, %d ports, beta %g: %v, but %d^%d", nodes, ports, beta, got, side, n)
					}
				}
			}
		}
	}
}

func TestSmallestHyperXMistakes(t *testing.T) {
	_, err := topology.SmallestHyperX(0, 1<<20, math.NaN())
	if found := diag.Fields(err); len(found) != 3 {
		t.Errorf("%v", err)
	}
	if _, err := topology.SmallestHyperX(math.MaxInt32, 16, .5); err == nil {
		t.Error("more vertices than can be numbered")
	}
}

func ExampleSmallestHyperX() {
	p, err := topology.SmallestHyperX(4096, 48, 0.5)
	if err != nil {
		panic(err)
	}
	fmt.Println(topology.Spec{Params: p})
	// Output: {family: hyperx, dims: [16, 16], terminals: 16}
}
