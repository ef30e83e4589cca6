package topology_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

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
		if (err != nil) != (tt.want == "") || err == nil && fmt.Sprint(topology.Spec{Params: got[0]}) != tt.want {
			t.Errorf("R=%d N=%d beta=%g: %v, %v, want %s", tt.ports, tt.nodes, tt.beta, got, err, tt.want)
		}
	}
}

// slowHyperX goes through all products of sides and keeps the best.
func slowHyperX(nodes, ports int, beta float64, regular bool) (best []topology.HyperX) {
	if nodes <= ports {
		return []topology.HyperX{{Dims: topology.Ints{1}, Terminals: nodes}}
	}
	type cost struct{ switches, channels int }
	var least cost
	var extend func(dims topology.Ints, switches int)
	extend = func(dims topology.Ints, switches int) {
		if len(dims) > 0 && (!regular || dims[0] == dims[len(dims)-1]) {
			terminals := (nodes + switches - 1) / switches
			p := topology.HyperX{Dims: append(topology.Ints(nil), dims...), Terminals: terminals}
			used := terminals
			for _, side := range dims {
				width := max(1, int(math.Ceil(2*beta*float64(terminals)/float64(side)-1e-9)))
				p.Widths = append(p.Widths, width)
				used += width * (side - 1)
			}
			if slices.Max(p.Widths) == 1 {
				p.Widths = nil
			}
			c := cost{switches, switches * (used - terminals)}
			switch {
			case used > ports:
			case best == nil || c.switches < least.switches,
				c.switches == least.switches && c.channels < least.channels:
				least, best = c, []topology.HyperX{p}
			case c == least:
				best = append(best, p)
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
	extend(nil, 1)
	slices.SortFunc(best, func(a, b topology.HyperX) int {
		return cmp.Or(cmp.Compare(len(a.Dims), len(b.Dims)), slices.Compare(a.Dims, b.Dims))
	})
	return best
}

func TestSmallestHyperXIsSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 3000).Draw(t, "nodes")
		ports := rapid.IntRange(1, 40).Draw(t, "ports")
		beta := rapid.SampledFrom([]float64{.01, .1, .25, .5, .75, 1, 3}).Draw(t, "beta")
		regular := rapid.Bool().Draw(t, "regular")
		search := topology.SmallestHyperX
		if regular {
			search = topology.SmallestRegularHyperX
		}
		want := slowHyperX(nodes, ports, beta, regular)
		got, err := search(nodes, ports, beta)
		if (err == nil) != (want != nil) || !slices.EqualFunc(got, want, equalHyperX) {
			t.Fatalf("%v, %v, expected %v", got, err, want)
		}
		for _, p := range got {
			g, err := topology.New(p)
			if err != nil {
				t.Fatal(err)
			}
			if d := measure.RouterDegrees(g); d.Ports > ports || topology.Count(g).Nodes < nodes {
				t.Fatalf("%v: %d ports, %d nodes", p, d.Ports, topology.Count(g).Nodes)
			}
		}
	})
}

func equalHyperX(a, b topology.HyperX) bool {
	return slices.Equal(a.Dims, b.Dims) && slices.Equal(a.Widths, b.Widths) && a.Terminals == b.Terminals
}

// TestSmallestHyperXOfAnyNodes searches up to the largest networks. What is
// found must do, and no cube may be smaller.
func TestSmallestHyperXOfAnyNodes(t *testing.T) {
	for _, ports := range []int{4, 16, 31, 32, 64, 128, 512, 4096, 65535} {
		for _, beta := range []float64{.05, .5, 1, 10} {
			for nodes := 1000; nodes < math.MaxInt32/7; nodes *= 7 {
				best, err := topology.SmallestHyperX(nodes, ports, beta)
				if err != nil {
					continue
				}
				got := best[0]
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
	best, err := topology.SmallestHyperX(4096, 48, 0.5)
	if err != nil {
		panic(err)
	}
	for _, p := range best {
		fmt.Println(topology.Spec{Params: p})
	}
	// Output: {family: hyperx, dims: [16, 16], terminals: 16}
}
