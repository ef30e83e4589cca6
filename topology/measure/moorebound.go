package measure

import (
	"math"

	"github.com/plenum-planner/plenum/topology"
)

// MooreBound returns the most vertices that a graph of a degree and a diameter can
// have: 1 + d (1 + (d-1) + ... + (d-1)^(D-1)), math.MaxInt64 if that is larger; 1
// for a degree below 1.
func MooreBound(degree, diameter int) int64 {
	switch {
	case degree < 1:
		return 1
	case degree == 2: // without a loop of as many turns as a long ring has
		return 1 + 2*int64(diameter)
	}
	n, ring := int64(1), int64(degree)
	for range diameter {
		if ring > math.MaxInt64-n {
			return math.MaxInt64
		}
		n += ring
		switch {
		case degree == 1:
			return n
		case ring > math.MaxInt64/int64(degree-1):
			ring = math.MaxInt64
		default:
			ring *= int64(degree - 1)
		}
	}
	return n
}

// largestKnown is the vertices of the largest graphs known of diameters 2, 3 and 4, from degree 3 on: column "Real" of
// Table 1 of S. Li, P.-C. Huang and B. Jacob, "Low latency, high bisection-bandwidth networks for exascale memory
// systems", MEMSYS 2016, which takes them from the list of the degree-diameter problem as it was then.
var largestKnown = [][3]int64{
	{10, 20, 38},
	{15, 41, 96},
	{24, 72, 210},
	{32, 110, 390},
	{50, 168, 672},
	{57, 253, 1100},
	{74, 585, 1550},
	{91, 650, 2286},
	{104, 715, 3200},
	{133, 786, 4680},
	{162, 851, 6560},
	{183, 916, 8200},
	{186, 1215, 11712},
	{198, 1600, 14640},
}

// LargestKnown is the most vertices of any graph of a degree and a diameter that was known in 2016, 0 outside degrees 3
// to 16 and diameters 2 to 4, for which Table 1 of Li, Huang and Jacob (MEMSYS 2016) lists them.
func LargestKnown(degree, diameter int) int64 {
	if degree < 3 || degree-3 >= len(largestKnown) || diameter < 2 || diameter > 4 {
		return 0
	}
	return largestKnown[degree-3][diameter-2]
}

// MeanHopsBound is the least mean distance between different vertices of any
// graph of n vertices and a degree: that of a tree which is full but for its
// last ring (V. G. Cerf et al., "A lower bound on the average shortest path
// length in regular graphs", Networks 4, 1974). It is infinite if no such graph
// hangs together.
func MeanHopsBound(n, degree int) float64 {
	left := float64(n - 1)
	if left <= 0 {
		return 0
	}
	sum, ring := 0., float64(degree)
	for hops := 1.; left > 0; hops++ {
		if ring <= 0 {
			return math.Inf(1)
		}
		if degree == 2 {
			// Rings of two: without a loop of n/2 turns.
			full := math.Floor(left / 2)
			sum = full*(full+1) + (left-2*full)*(full+1)
			break
		}
		reached := min(ring, left)
		sum += reached * hops
		left -= reached
		ring *= float64(degree - 1)
	}
	return sum / float64(n-1)
}

// Degrees counts the links of the vertices which forward, those to terminals
// left out; parallel channels of a link count as one, a simplex link at both its
// ends.
type Degrees struct {
	Min, Max int
	Mean     float64
	// Ports is the ports in use at a router with the most, those to terminals with
	// them.
	Ports int
	// Channels is the ports in use at all routers together, those to terminals with
	// them.
	Channels int64
}

// RouterDegrees counts the degrees and ports of the vertices that forward in one
// walk over the links of g; zeros if there are none.
func RouterDegrees(g topology.Graph) Degrees {
	role := roles(g)
	degree := make([]int, len(role))
	ports := topology.NewPortUse(g)
	for l := range topology.Cables(g) {
		if role[l.B] != topology.Terminal {
			degree[l.A]++
		}
		if role[l.A] != topology.Terminal {
			degree[l.B]++
		}
		ports.Add(&l)
	}
	d := Degrees{Min: math.MaxInt}
	routers := 0
	for v, r := range role {
		if r == topology.Terminal {
			continue
		}
		routers++
		d.Min = min(d.Min, degree[v])
		d.Max = max(d.Max, degree[v])
		d.Mean += float64(degree[v])
		d.Ports = max(d.Ports, ports.At(v))
		d.Channels += int64(ports.At(v))
	}
	if routers == 0 {
		return Degrees{}
	}
	d.Mean /= float64(routers)
	return d
}
