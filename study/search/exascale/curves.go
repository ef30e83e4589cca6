package exascale

import (
	"fmt"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// curves are the networks of up to a number of nodes, a list for each curve. What section 1.1 of the paper lists is
// here, in its order.
func curves(maxNodes int64) [][]candidate {
	var out [][]candidate
	out = append(out, grids("torus", "%dD torus", 3, maxNodes, func(dims topology.Ints) topology.Params {
		return topology.Torus{Dims: dims}
	})...)
	out = append(out, hypercubes(maxNodes))
	out = append(out, grids("flattened butterfly", "%dD flattened butterfly", 2, maxNodes,
		func(dims topology.Ints) topology.Params { return topology.FlattenedButterfly{Dims: dims, Terminals: 1} })...)
	out = append(out, mooreBounds(maxNodes)...)
	out = append(out, dragonflies(maxNodes)...)
	return append(out, fishnets(maxNodes)...)
}

// maxDims is the most dimensions of tori (Figure 12) and, here, of flattened butterflies.
const maxDims = 10

// grids are the networks of 2 to 10 dimensions with equal sides. A torus of side 2 is a hypercube.
func grids(group, curve string, from int, maxNodes int64, params func(topology.Ints) topology.Params) [][]candidate {
	var out [][]candidate
	for d := 2; d <= maxDims; d++ {
		var list []candidate
		for n := from; power(n, d) <= maxNodes; n++ {
			dims := make(topology.Ints, d)
			for i := range dims {
				dims[i] = n
			}
			list = append(list, candidate{
				group: group, curve: fmt.Sprintf(curve, d), nodes: power(n, d), params: params(dims),
			})
		}
		out = append(out, list)
	}
	return out
}

func hypercubes(maxNodes int64) []candidate {
	var out []candidate
	for d := 2; power(2, d) <= maxNodes; d++ {
		out = append(out, candidate{
			group: "torus", curve: "hypercube", nodes: power(2, d), params: topology.Hypercube{Dims: topology.Ints{d}},
		})
	}
	return out
}

// mooreBounds are of diameters 2 to 6 (section 3, Figure 11).
func mooreBounds(maxNodes int64) [][]candidate {
	var out [][]candidate
	for d := 2; d <= 6; d++ {
		var list []candidate
		for p := 3; measure.MooreBound(p, d) <= maxNodes; p++ {
			list = append(list, candidate{
				group: "Moore bound", curve: fmt.Sprintf("Moore bound of diameter %d", d),
				nodes: measure.MooreBound(p, d), ports: p, hops: d,
			})
		}
		out = append(out, list)
	}
	return out
}

// dragonflies are p+2 groups of p+1 nodes with 1, 2, 4, ... 128 links between two groups (section 3.2), and with p+1,
// so that every node is joined to every group: the dragonfly limit, of diameter 2.
func dragonflies(maxNodes int64) [][]candidate {
	var out [][]candidate
	for s := 1; s <= 128; s *= 2 {
		var list []candidate
		for p := max(s-1, 2); int64(p+1)*int64(p+2) <= maxNodes && p+s <= MaxPorts; p++ {
			list = append(list, dragonfly(p, s, fmt.Sprintf("dragonfly, %d links", s)))
		}
		out = append(out, list)
	}
	var limit []candidate
	for p := 2; int64(p+1)*int64(p+2) <= maxNodes && 2*p+1 <= MaxPorts; p++ {
		limit = append(limit, dragonfly(p, p+1, "dragonfly limit"))
	}
	return append(out, limit)
}

func dragonfly(p, s int, curve string) candidate {
	if s == 1 {
		curve = "dragonfly"
	}
	return candidate{
		group: "dragonfly", curve: curve, nodes: int64(p+1) * int64(p+2),
		params: topology.Dragonfly{LocalPorts: p, LinksPerPair: s},
	}
}

// fishnets are copies of Moore graphs and McKay-Miller-Siran graphs (Angelfish) and of squares of fully joined rows and
// columns (Flying Fish). Angelfish meshes are in the reading of package topology.
func fishnets(maxNodes int64) [][]candidate {
	var out [][]candidate
	for _, kind := range []struct{ variant, curve string }{
		{"full", "Angelfish"}, {"lite", "Angelfish Lite"}, {"mesh", "Angelfish Mesh"}, {"l-mesh", "Angelfish L-Mesh"},
	} {
		nodes := func(n int64) int64 {
			if kind.variant == "full" || kind.variant == "lite" {
				return n * (n + 1)
			}
			return n * (n + 1) * (n + 1)
		}
		var list []candidate
		add := func(n int64, p topology.Angelfish) {
			if p.Variant = kind.variant; nodes(n) <= maxNodes {
				list = append(list, candidate{group: "Angelfish", curve: kind.curve, nodes: nodes(n), params: p})
			}
		}
		add(5, topology.Angelfish{Subnet: "pentagon"})
		add(10, topology.Angelfish{Subnet: "petersen"})
		add(50, topology.Angelfish{Subnet: "hoffman-singleton"})
		for _, q := range primePowers(maxNodes) {
			if q != 5 { // as Hoffman-Singleton
				add(2*int64(q)*int64(q), topology.Angelfish{Q: q})
			}
		}
		out = append(out, list)
	}
	for _, kind := range []struct {
		variant, curve string
		nodes          func(n int64) int64
	}{
		{"full", "Flying Fish", func(n int64) int64 { return 2 * n * n * n * n }},
		{"lite", "Flying Fish Lite", func(n int64) int64 { return n * n * (n*n + 1) }},
	} {
		var list []candidate
		for n := 2; kind.nodes(int64(n)) <= maxNodes; n++ {
			list = append(list, candidate{
				group: "Flying Fish", curve: kind.curve, nodes: kind.nodes(int64(n)),
				params: topology.FlyingFish{Side: n, Variant: kind.variant},
			})
		}
		out = append(out, list)
	}
	return out
}

// primePowers are those from 3 on whose graphs of 2 q^2 nodes make networks of up to a number of nodes.
func primePowers(maxNodes int64) []int {
	var out []int
	for q := 3; 4*power(q, 4) <= maxNodes; q++ {
		p := 2
		for q%p != 0 {
			p++
		}
		r := q
		for r%p == 0 {
			r /= p
		}
		if r == 1 {
			out = append(out, q)
		}
	}
	return out
}

func power(n, exponent int) int64 {
	out := int64(1)
	for range exponent {
		out *= int64(n)
	}
	return out
}
