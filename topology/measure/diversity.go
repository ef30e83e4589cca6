package measure

import (
	"context"
	"math/big"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/topology"
)

// PathDiversity sums up the paths between routers, over ordered pairs.
type PathDiversity struct {
	Pairs int `json:"pairs"` // ordered pairs of routers that were looked at
	// Exact is whether these are all that have a path; if not, some drawn at random.
	Exact           bool   `json:"exact"`
	Minimal         Spread `json:"minimal"`               // paths with the fewest hops, of a pair
	MinimalDisjoint Spread `json:"minimal_link_disjoint"` // the most of these that share no link
	LinkDisjoint    Spread `json:"link_disjoint"`         // the most paths of any length that share no link
	// NodeDisjoint is the most paths of any length that share no router but their ends.
	NodeDisjoint Spread `json:"node_disjoint"`
}

// Spread is the least, the mean and the greatest of some numbers.
type Spread struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

// add counts x so many times; Mean is the sum until the end.
func (s *Spread) add(x float64, times int, first bool) {
	if first {
		s.Min, s.Max = x, x
	}
	s.Min, s.Max = min(s.Min, x), max(s.Max, x)
	s.Mean += float64(x * float64(times))
}

// PathOptions says how much to look at.
type PathOptions struct {
	// Work bounds the arcs that are followed, roughly; of more pairs, as many
	// are drawn, and at least 16. Zero means 2e8.
	Work float64
	// Seed selects the pairs drawn.
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

// PathsBetween counts the paths from a vertex to another of c, through
// vertices that forward (nil means all). Both vertices must be of c.
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

// MeasurePaths counts the paths between routers. Every router of an orbit has
// the same, so one of each begins them where the graph knows its orbits. The
// error is that of ctx.
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
