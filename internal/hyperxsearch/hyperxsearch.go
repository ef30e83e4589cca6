// Package hyperxsearch finds the HyperX with the fewest switches.
package hyperxsearch

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/internal/arith"
)

// The limits of what is searched: vertices of a network, and dimensions.
const (
	maxVertices   = math.MaxInt32
	maxDimensions = 30
)

// Network is a HyperX.
type Network struct {
	Dims      []int // sides, ascending
	Widths    []int // channels between any two switches of a line, by dimension
	Terminals int   // on every switch
}

// Smallest finds all HyperX with the fewest switches, and of those with the fewest channels, of the
// given number of ports that carry at least the given number of nodes, more than a single switch has
// ports, with a relative bisection of at least beta. They come in the order of the number of
// dimensions, then in ascending order of sides; there are none if no such network exists.
func Smallest(nodes, ports int, beta float64) []Network {
	s := &search{nodes: nodes, ports: ports, beta: beta, switches: maxVertices - nodes}
	for n := 1; n <= maxDimensions; n++ { // a good one first makes the search short
		s.cubes(n)
	}
	for n := 1; n <= maxDimensions; n++ {
		s.dimensions(n)
	}
	return s.networks()
}

// SmallestRegular is Smallest among the networks all of whose sides, and with them widths, are equal.
func SmallestRegular(nodes, ports int, beta float64) []Network {
	s := &search{nodes: nodes, ports: ports, beta: beta, switches: maxVertices - nodes}
	for n := 1; n <= maxDimensions; n++ {
		dims := make([]int, n)
		for side := 2; side <= ports; side++ {
			switches := int64(1)
			for d := range dims {
				dims[d] = side
				switches = arith.Times(switches, int64(side))
			}
			if switches > int64(s.switches) || s.try(dims, int(switches)) {
				break
			}
		}
	}
	return s.networks()
}

// search is the search and the best network that it has found.
type search struct {
	nodes, ports int
	beta         float64

	best     [][]int // the sides of the best, each ascending; none if none has been found
	switches int
	channels int64 // twice those between switches; terminals are equally many
}

// networks is what has been found.
func (s *search) networks() []Network {
	slices.SortFunc(s.best, func(a, b []int) int { return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b)) })
	var out []Network
	for _, dims := range slices.CompactFunc(s.best, slices.Equal[[]int]) {
		n := Network{Dims: dims, Widths: make([]int, len(dims)), Terminals: arith.CeilDiv(s.nodes, s.switches)}
		for d, side := range dims {
			n.Widths[d] = s.width(side, n.Terminals)
		}
		out = append(out, n)
	}
	return out
}

// width is the fewest channels of a dimension that make the bisection.
func (s *search) width(side, terminals int) int {
	// The margin keeps rounding errors from adding a channel.
	return max(1, int(math.Ceil(2*s.beta*float64(terminals)/float64(side)-1e-9)))
}

// try takes sides with no more switches than the best if they are feasible and
// as good, and reports whether they are feasible.
func (s *search) try(dims []int, switches int) bool {
	terminals := arith.CeilDiv(s.nodes, switches)
	used := int64(0) // ports to other switches
	for _, side := range dims {
		used += int64(s.width(side, terminals)) * int64(side-1)
		if used+int64(terminals) > int64(s.ports) {
			return false
		}
	}
	if int64(switches)*int64(1+terminals) > maxVertices {
		return false
	}
	channels := used * int64(switches)
	switch {
	case len(s.best) == 0 || switches < s.switches || switches == s.switches && channels < s.channels:
		s.best, s.switches, s.channels = [][]int{slices.Clone(dims)}, switches, channels
	case switches == s.switches && channels == s.channels:
		s.best = append(s.best, slices.Clone(dims))
	}
	return true
}

// cubes tries sides that differ by one at most.
func (s *search) cubes(n int) {
	dims := make([]int, n)
	for side := 2; side <= s.ports; side++ {
		for longer := range n {
			switches := int64(1)
			for d := range dims {
				dims[d] = side
				if d >= n-longer {
					dims[d]++
				}
				switches = arith.Times(switches, int64(dims[d]))
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
func (s *search) dimensions(n int) {
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
				product = arith.Times(product, int64(side))
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
func (s *search) terminals() float64 {
	return float64(arith.CeilDiv(s.nodes, s.switches))
}

// leastPorts is the fewest ports that a side takes up.
func (s *search) leastPorts(side, terminals float64) float64 {
	return max(side-1, 2*s.beta*terminals*(1-1/side))
}

// fewest is a number of switches that n dimensions cannot go below: it is
// infinite if they cannot do at all. P switches have nodes/P terminals each, at
// least n (P^(1/n) - 1) ports for neighbours, and n beta nodes/P for the
// bisection.
func (s *search) fewest(n int) float64 {
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
