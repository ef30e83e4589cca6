package topology

import (
	"math"
	"slices"
)

// SmallestHyperX finds the HyperX with the fewest switches of the given number
// of ports that carries at least the given number of nodes with a relative
// bisection of at least beta, min K_k S_k/(2 T) (J. H. Ahn et al., SC 2009,
// section 2). Every switch has T = ceil(nodes/P) terminals, P being the number of
// switches, and every dimension the fewest channels K_k = max(1, ceil(2 beta T/
// S_k)) that make the bisection. Of networks with equally many switches it takes
// the one with the fewest channels, then the fewest dimensions, then the first
// in ascending order of sides. A single switch is one dimension of side 1.
//
// The error joins a *ParamError for every parameter out of range (nodes, ports,
// beta), or says that no such network exists.
func SmallestHyperX(nodes, ports int, beta float64) (HyperX, error) {
	m := &Mistakes{family: "hyperx"}
	if nodes < 1 || nodes > MaxVertices {
		m.Add("nodes", "must be from 1 to %d, not %d", MaxVertices, nodes)
	}
	if ports < 1 || ports > MaxPorts {
		m.Add("ports", "must be from 1 to %d, not %d", MaxPorts, ports)
	}
	if !(beta > 0 && beta <= MaxPorts) {
		m.Add("beta", "must be above 0 and at most %d, not %v", MaxPorts, beta)
	}
	if !m.None() {
		return HyperX{}, m.err()
	}
	if nodes <= ports {
		return HyperX{Dims: Ints{1}, Terminals: nodes}, nil
	}
	s := &hyperXSearch{nodes: nodes, ports: ports, beta: beta, switches: MaxVertices - nodes}
	for n := 1; n <= maxCube; n++ { // a good one first makes the search short
		s.cubes(n)
	}
	for n := 1; n <= maxCube; n++ {
		s.dimensions(n)
	}
	if s.dims == nil {
		m.Add("ports", "no HyperX of switches with %d ports has %d nodes at a relative bisection of %v", ports, nodes,
			beta)
		return HyperX{}, m.err()
	}
	p := HyperX{Dims: s.dims, Terminals: ceilDiv(nodes, s.switches)}
	widths := make(Ints, len(s.dims))
	for d, side := range s.dims {
		widths[d] = s.width(side, p.Terminals)
	}
	if slices.Max(widths) > 1 {
		p.Widths = widths
	}
	return p, nil
}

// hyperXSearch is the search and the best network that it has found.
type hyperXSearch struct {
	nodes, ports int
	beta         float64

	dims     Ints // ascending; nil if none has been found
	switches int
	channels int64 // twice those between switches; terminals are equally many
}

// width is the fewest channels of a dimension that make the bisection.
func (s *hyperXSearch) width(side, terminals int) int {
	// The margin keeps rounding errors from adding a channel.
	return max(1, int(math.Ceil(2*s.beta*float64(terminals)/float64(side)-1e-9)))
}

// try takes sides with no more switches than the best if they are feasible and
// better, and tells whether they are feasible.
func (s *hyperXSearch) try(dims []int, switches int) bool {
	terminals := ceilDiv(s.nodes, switches)
	used := int64(0) // ports to other switches
	for _, side := range dims {
		used += int64(s.width(side, terminals)) * int64(side-1)
		if used+int64(terminals) > int64(s.ports) {
			return false
		}
	}
	if int64(switches)*int64(1+terminals) > MaxVertices {
		return false
	}
	channels := used * int64(switches)
	better := switches < s.switches || s.dims == nil ||
		switches == s.switches && (channels < s.channels || channels == s.channels &&
			(len(dims) < len(s.dims) || len(dims) == len(s.dims) && slices.Compare(dims, s.dims) < 0))
	if better {
		s.dims, s.switches, s.channels = slices.Clone(dims), switches, channels
	}
	return true
}

// cubes tries sides that differ by one at most.
func (s *hyperXSearch) cubes(n int) {
	dims := make([]int, n)
	for side := 2; side <= s.ports; side++ {
		for longer := range n {
			switches := int64(1)
			for d := range dims {
				dims[d] = side
				if d >= n-longer {
					dims[d]++
				}
				switches = times(switches, int64(dims[d]))
			}
			if switches > int64(s.switches) {
				return
			}
			if s.try(dims, int(switches)) {
				return
			}
		}
	}
}

// dimensions tries all sides of n dimensions that may have no more switches
// than the best. It goes by lower bounds on the ports that a switch uses: with
// T terminals at least, a side S takes up K (S - 1), where K is the width for T,
// and a side that is not chosen yet max(S - 1, 2 beta T (1 - 1/S)), which rises
// with S.
func (s *hyperXSearch) dimensions(n int) {
	least := s.fewest(n)
	if least > float64(s.switches) {
		return
	}
	dims := make([]int, n)
	var extend func(d, switches int, used float64)
	extend = func(d, switches int, used float64) {
		left := n - d // dimensions to choose
		first := 2
		if d > 0 {
			first = dims[d-1]
		}
		if left == 1 {
			side := max(first, int(math.Ceil(least/float64(switches)-1e-6)))
			for ; int64(switches)*int64(side) <= int64(s.switches) && side <= s.ports; side++ {
				dims[d] = side
				if s.try(dims, switches*side) {
					return
				}
			}
			return
		}
		for side := first; ; side++ {
			product := int64(switches)
			for range left {
				product = times(product, int64(side))
			}
			terminals := s.terminals()
			use := s.leastPorts(float64(side), terminals)
			if product > int64(s.switches) || terminals+used+use*float64(left) > float64(s.ports)+1e-6 {
				return
			}
			dims[d] = side
			use = float64(s.width(side, int(terminals)) * (side - 1))
			rest := math.Pow(max(1, least/float64(switches*side)), 1/float64(left-1)) // mean of the other sides
			if terminals+used+use+float64(left-1)*(rest-1) <= float64(s.ports)+1e-6 {
				extend(d+1, switches*side, used+use)
			}
		}
	}
	extend(0, 1, 0)
}

// terminals is the fewest that each switch has if there are no more switches
// than in the best.
func (s *hyperXSearch) terminals() float64 {
	return float64(ceilDiv(s.nodes, s.switches))
}

// leastPorts is the fewest ports that a side takes up.
func (s *hyperXSearch) leastPorts(side, terminals float64) float64 {
	return max(side-1, 2*s.beta*terminals*(1-1/side))
}

// fewest is a number of switches that n dimensions cannot go below: it is
// infinite if they cannot do at all. P switches have nodes/P terminals each, at
// least n (P^(1/n) - 1) ports for neighbours, and n beta nodes/P for the
// bisection.
func (s *hyperXSearch) fewest(n int) float64 {
	nodes, ports, d := float64(s.nodes), float64(s.ports), float64(n)
	p := max(nodes*(1+d*s.beta)/ports, math.Pow(2, d))
	for range 100 {
		room := ports - d*(math.Pow(p, 1/d)-1)
		if room < 1 {
			return math.Inf(1)
		}
		next := nodes / room
		if next <= p*(1+1e-12) {
			break
		}
		p = next
	}
	return p * (1 - 1e-9)
}
