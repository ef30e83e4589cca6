package measure

import (
	"context"
	"iter"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/topology"
)

// Failed is a graph without some of its links and vertices. Vertices keep
// their numbers: one that failed has no links left. It implements none of the
// optional interfaces of Graph, which hold for the whole graph only.
type Failed struct {
	topology.Graph
	Vertex []bool // failed vertices, nil for none
	Link   []bool // failed links in the order of Links, nil for none
}

// Links yields the links that are left.
func (f *Failed) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		i := 0
		for l := range f.Graph.Links() {
			lost := f.Link != nil && f.Link[i] || f.Vertex != nil && (f.Vertex[l.A] || f.Vertex[l.B])
			i++
			if !lost && !yield(l) {
				return
			}
		}
	}
}

// FailRandomly draws links and routers that fail, each with the given
// probability. Terminals and their links do not fail by themselves. The generator
// must have a source, as one of rand.New has.
func FailRandomly(g topology.Graph, links, routers float64, rng *rand.Rand) *Failed {
	role := roles(g)
	f := &Failed{Graph: g, Vertex: make([]bool, len(role))}
	for v, r := range role {
		if r != topology.Terminal {
			f.Vertex[v] = rng.Float64() < routers
		}
	}
	for l := range g.Links() {
		f.Link = append(f.Link, role[l.A] != topology.Terminal && role[l.B] != topology.Terminal &&
			rng.Float64() < links)
	}
	return f
}

// FailureStats says what is left of a graph, on average over several draws.
type FailureStats struct {
	Draws int `json:"draws"` // times that failures were drawn
	// Connected is the share of the ordered pairs of different ends, all there were, that still have a path.
	Connected float64 `json:"pairs_connected"`
	Whole     float64 `json:"draws_whole"` // the share of the draws in which all of them have
	// Mean is hops of the pairs that have one, mean over the pairs of all draws.
	Mean     float64 `json:"hops_mean"`
	Diameter int     `json:"diameter"` // the most hops between two of them in any draw
}

// UnderFailures measures the hops of g between ends with random links and routers
// failing, each with the given probability. Failed vertices remain ends, without
// paths. Without draws, or without pairs that have a path, the figures are 0. The
// error is that of ctx.
func UnderFailures(ctx context.Context, g topology.Graph, ends Ends, links, routers float64, draws int,
	rng *rand.Rand,
) (*FailureStats, error) {
	s := &FailureStats{Draws: draws}
	var pairs, reached, hops float64
	for range draws {
		h, err := Hops(ctx, FailRandomly(g, links, routers, rng), ends, HopOptions{})
		if err != nil {
			return nil, err
		}
		all := float64(h.Count) * float64(h.Count-1)
		left := all - float64(h.Unreachable)
		pairs += all
		reached += left
		hops += float64(h.Mean * left)
		s.Diameter = max(s.Diameter, h.Diameter)
		if h.Unreachable == 0 {
			s.Whole += 1 / float64(draws)
		}
	}
	if pairs > 0 {
		s.Connected = reached / pairs
	}
	if reached > 0 {
		s.Mean = hops / reached
	}
	return s, nil
}
