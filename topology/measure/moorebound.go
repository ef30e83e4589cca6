package measure

import (
	"math"

	"github.com/plenum-planner/plenum/topology"
)

// MooreBound is the most vertices that a graph of a degree and a diameter can
// have: 1 + d (1 + (d-1) + ... + (d-1)^(D-1)). It stops at the largest number.
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
// left out; parallel channels count as one, a simplex link at both its ends.
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

// RouterDegrees walks the links of g once.
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
