package measure

import (
	"context"
	"math/big"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/topology"
)

// PathDiversity has statistics of the numbers of paths between routers, over ordered pairs that have a path.
type PathDiversity struct {
	Pairs int `json:"pairs"` // ordered pairs of routers with a path that were measured
	// Exact is true if the statistics are those of all pairs that have a path, if need be by symmetry from the pairs
	// measured; false if the pairs were drawn at random.
	Exact           bool   `json:"exact"`
	Minimal         Spread `json:"minimal"`               // paths with the fewest hops, of a pair
	MinimalDisjoint Spread `json:"minimal_link_disjoint"` // the most of these that share no link
	LinkDisjoint    Spread `json:"link_disjoint"`         // the most paths of any length that share no link
	// NodeDisjoint is the most paths of any length that share no router but their ends.
	NodeDisjoint Spread `json:"node_disjoint"`
}

// Spread is the minimum, the mean and the maximum of some numbers.
type Spread struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

// add counts a number x the given number of times. Mean holds the sum of all until MeasurePaths divides it.
func (s *Spread) add(x float64, times int, first bool) {
	if first {
		s.Min, s.Max = x, x
	}
	s.Min, s.Max = min(s.Min, x), max(s.Max, x)
	s.Mean += float64(x * float64(times))
}

// PathOptions bounds the work of MeasurePaths.
type PathOptions struct {
	// Work is about the number of arcs to follow at most; 0 stands for 2e8. If all pairs take more, as many pairs are
	// drawn at random as Work allows, at least 16.
	Work float64
	// Seed is that of the random numbers for drawing pairs.
	Seed uint64
}

// PairPaths counts the paths from one router to another. Parallel links between two vertices count as one link.
type PairPaths struct {
	Hops            int      `json:"hops"`                  // on a path with the fewest; -1 without a path
	Minimal         *big.Int `json:"minimal"`               // paths with the fewest hops
	MinimalDisjoint int      `json:"minimal_link_disjoint"` // the most of these that share no link
	LinkDisjoint    int      `json:"link_disjoint"`         // the most paths of any length that share no link
	// NodeDisjoint is the most paths of any length that share no vertex but their ends.
	NodeDisjoint int `json:"node_disjoint"`
}

// PathsBetween counts the paths in c from one vertex to another, through vertices for which forward is true (nil allows
// all). Both vertices must be of c. From a vertex to itself it counts one path of 0 hops and no disjoint ones.
func PathsBetween(c *topology.CSR, from, to int, forward func(v int) bool) PairPaths {
	var p PairPaths
	p.Minimal, p.Hops = MinimalPaths(c, from, to, forward)
	if p.Hops < 1 {
		return p
	}
	p.MinimalDisjoint = DisjointPaths(c, from, to, DisjointOptions{Minimal: true, Forward: forward})
	p.LinkDisjoint = DisjointPaths(c, from, to, DisjointOptions{Forward: forward})
	p.NodeDisjoint = DisjointPaths(c, from, to, DisjointOptions{Nodes: true, Forward: forward})
	return p
}

// MeasurePaths counts the paths between routers, which are the vertices that forward. If the graph knows its orbits,
// paths are counted from one router of each orbit only, as all its routers have the same numbers, unless pairs are
// drawn. All figures are 0 if no two routers have a path. The error is that of ctx.
func MeasurePaths(ctx context.Context, g topology.Graph, opt PathOptions) (*PathDiversity, error) {
	if opt.Work == 0 {
		opt.Work = 2e8
	}
	role := roles(g)
	var routers []int
	for v, r := range role {
		if r != topology.Terminal {
			routers = append(routers, v)
		}
	}
	p := &PathDiversity{}
	if len(routers) < 2 {
		p.Exact = true
		return p, nil
	}
	c := topology.NewCSR(g)
	forward := func(v int) bool { return role[v] != topology.Terminal }
	sources := representatives(g, role)
	all := len(sources) * (len(routers) - 1)
	mostDegree := 1
	for _, v := range routers {
		mostDegree = max(mostDegree, len(c.Neighbours(v)))
	}
	most := max(16, int(opt.Work/float64(len(c.To)+1)/float64(mostDegree+4)))
	p.Exact = all <= most
	weight := 0.
	add := func(from, to, times int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		x := PathsBetween(c, from, to, forward)
		if x.Hops < 0 {
			return nil
		}
		minimal, _ := new(big.Float).SetInt(x.Minimal).Float64()
		first := p.Pairs == 0
		p.Minimal.add(minimal, times, first)
		p.MinimalDisjoint.add(float64(x.MinimalDisjoint), times, first)
		p.LinkDisjoint.add(float64(x.LinkDisjoint), times, first)
		p.NodeDisjoint.add(float64(x.NodeDisjoint), times, first)
		p.Pairs++
		weight += float64(times)
		return nil
	}
	if p.Exact {
		for _, o := range sources {
			for _, to := range routers {
				if to == o.Vertex {
					continue
				}
				if err := add(o.Vertex, to, o.Size); err != nil {
					return nil, err
				}
			}
		}
	} else {
		rng := rand.New(rand.NewPCG(opt.Seed, 4))
		for range most {
			from := rng.IntN(len(routers))
			to := rng.IntN(len(routers) - 1)
			if to >= from {
				to++
			}
			if err := add(routers[from], routers[to], 1); err != nil {
				return nil, err
			}
		}
	}
	if weight > 0 {
		for _, s := range []*Spread{&p.Minimal, &p.MinimalDisjoint, &p.LinkDisjoint, &p.NodeDisjoint} {
			s.Mean /= weight
		}
	}
	return p, nil
}
