package topology

import "math"

// MooreBound is the most vertices that a graph of a degree and a diameter can
// have: 1 + d (1 + (d-1) + ... + (d-1)^(D-1)). It stops at the largest number.
func MooreBound(degree, diameter int) int64 {
	if degree < 1 {
		return 1
	}
	n, ring := int64(1), int64(degree)
	for range diameter {
		if ring > math.MaxInt64-n {
			return math.MaxInt64
		}
		n += ring
		if ring = times(ring, int64(degree-1)); ring == 0 {
			break
		}
	}
	return n
}

// Degrees counts the links of the vertices which forward, those to terminals
// left out; parallel channels count as one, a simplex link at both its ends.
type Degrees struct {
	Min, Max int
	Mean     float64
	// Ports is the channels at a router with the most, those to terminals with
	// them.
	Ports int
}

// RouterDegrees walks the links of g once.
func RouterDegrees(g Graph) Degrees {
	role := roles(g)
	degree := make([]int, len(role))
	ports := make([]int, len(role))
	entered := make([]int, len(role))
	for l := range g.Links() {
		if role[l.B] != Terminal {
			degree[l.A]++
		}
		if role[l.A] != Terminal {
			degree[l.B]++
		}
		ports[l.A] += int(l.Width)
		if l.Simplex {
			entered[l.B] += int(l.Width)
		} else {
			ports[l.B] += int(l.Width)
			entered[l.A] += int(l.Width)
			entered[l.B] += int(l.Width)
		}
	}
	d := Degrees{Min: math.MaxInt}
	routers := 0
	for v, r := range role {
		if r == Terminal {
			continue
		}
		routers++
		d.Min = min(d.Min, degree[v])
		d.Max = max(d.Max, degree[v])
		d.Mean += float64(degree[v])
		d.Ports = max(d.Ports, ports[v], entered[v])
	}
	if routers == 0 {
		return Degrees{}
	}
	d.Mean /= float64(routers)
	return d
}
