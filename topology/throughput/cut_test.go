package throughput

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/topology"
)

// halfOfVertices is a cut between the vertices that forward with the lower and with the higher numbers.
func halfOfVertices(g topology.Graph) []uint8 {
	side := make([]uint8, topology.Vertices(g))
	forwarding := 0
	for _, k := range g.Kinds() {
		if k.Role != topology.Terminal {
			forwarding += k.Count
		}
	}
	for v := forwarding / 2; v < forwarding; v++ {
		side[v] = 1
	}
	return side
}

// A halved HyperX 4 x 4 x 4 with four terminals a switch has 64 channels each way for the 128 terminals of a half. A
// ring of eight nodes has two for four.
func TestCutsByHand(t *testing.T) {
	for _, c := range []struct {
		params         topology.Params
		uniform, worst float64
		method         string
	}{
		{topology.HyperX{Dims: topology.Ints{4, 4, 4}, Terminals: 4}, 0, 64 / 128.0, ByCut},
		{topology.HyperX{Dims: topology.Ints{2, 2}, Terminals: 3}, 2.0 * 11 / 36, 2 / 6.0, ByLongestMatching},
		{topology.Torus{Dims: topology.Ints{8}}, 2.0 * 7 / 16, 0.5, ByLongestMatching},
		{topology.Mesh{Dims: topology.Ints{8}}, 7 / 16.0, 1 / 4.0, ByCut},
		// Nodes 0 to 3 in a row; the link in the middle has the capacity of two.
		{topology.CLEX{Clique: 2, Levels: 2, Bundled: true}, 8 / (4 * 20 / 12.0), 1, ByLongestMatching},
	} {
		g := build(t, c.params)
		b := of(t, g)
		b.Cut(g, halfOfVertices(g))
		if c.uniform > 0 && !near(b.Uniform, c.uniform) || !near(b.Worst, c.worst) || b.WorstMethod != c.method {
			t.Errorf("%s: uniform %v, worst %v by %s; by hand %v and %v by %s", g.Family(), b.Uniform, b.Worst,
				b.WorstMethod, c.uniform, c.worst, c.method)
		}
	}
}

// TestCutsOfDrawnNetworks counts channels and ports of drawn sides one by one, with terminals on every side that they
// could be on: the bounds are those of one of these assignments, and no larger than before.
func TestCutsOfDrawnNetworks(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 0))
	for range 300 {
		g := draw(r)
		n, err := newNetwork(t.Context(), g)
		if err != nil {
			continue // no terminal has a link
		}
		side := make([]uint8, topology.Vertices(g))
		for v := range g.kinds[0].Count {
			side[v] = uint8(r.IntN(2))
		}
		before := slices.Clone(side)
		b := &Bound{Ports: n.ports, Uniform: math.Inf(1), Worst: math.Inf(1)}
		b.Cut(g, side)
		if !slices.Equal(before, side) {
			t.Fatal("the caller's sides have changed")
		}
		leads := func(v, to int) (ports int64) {
			for _, l := range g.links {
				if int(l.A) == v && int(side[l.B]) == to {
					ports += int64(l.Width)
				}
			}
			return ports
		}
		var ports, channels [2]int64
		at := slices.Clone(side)
		for v := g.kinds[1].First; v < len(side); v++ {
			if leads(v, 1) > leads(v, 0) {
				at[v] = 1
			}
			ports[at[v]] += leads(v, 0) + leads(v, 1)
		}
		for _, l := range g.links {
			if at[l.A] != at[l.B] {
				channels[at[l.A]] += int64(l.Width)
				if !l.Simplex {
					channels[at[l.B]] += int64(l.Width)
				}
			}
		}
		least := float64(min(channels[0], channels[1]))
		uniform, worst := math.Inf(1), math.Inf(1)
		if ports[0] > 0 && ports[1] > 0 {
			uniform = least * float64(n.ports-1) / float64(ports[0]*ports[1])
			worst = least / float64(min(ports[0], ports[1]))
		}
		if b.Uniform != uniform || b.Worst != worst || b.Worst > b.Uniform {
			t.Fatalf("%v and %v, counted one by one %v and %v", b.Uniform, b.Worst, uniform, worst)
		}
	}
}
