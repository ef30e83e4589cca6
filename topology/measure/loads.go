package measure

import (
	"context"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/topology"
)

// LoadOptions says how much to follow.
type LoadOptions struct {
	// Work bounds the arcs that are followed; if all sources take more, as many
	// as it allows are drawn, at least 16. Zero means 2e9.
	Work int64
	// Seed selects the sources drawn.
	Seed uint64
	// ByChannels counts a link as as many paths as it has channels, which share its load.
	ByChannels bool
}

// loadParts is the number of parts in which the sources are searched: it does
// not depend on the cores, so that sums are the same on any number of them.
const loadParts = 4

// LinkLoads returns the load of every link, in the order of Links, both ways
// together, if every vertex that injects sends one unit to every other over its
// paths with the fewest hops, every path with the same share (U. Brandes, "A
// faster algorithm for betweenness centrality", J. Math. Sociology 25 (2),
// 2001). Parallel channels of a link count as one path, unless opt says otherwise, and share its load. The
// mean distance that a unit travels is the sum of loads times lengths by the
// number of units; units without a path are left out. Where sources are drawn,
// loads are scaled to all. The error is that of ctx.
func LinkLoads(ctx context.Context, g topology.Graph, opt LoadOptions) ([]float64, error) {
	if opt.Work == 0 {
		opt.Work = 2e9
	}
	role := roles(g)
	c := topology.NewCSR(g)
	var sources []int32
	for v, r := range role {
		if r != topology.Switch {
			sources = append(sources, int32(v))
		}
	}
	links := 0
	var channels []float64
	levels := g.Levels()
	for l := range g.Links() {
		if opt.ByChannels {
			channels = append(channels, float64(l.Channels(levels)))
		}
		links++
	}
	scale := 1.0
	if most := max(opt.Work/int64(len(c.To)+len(role)+1), 16); int64(len(sources)) > most {
		rng := rand.New(rand.NewPCG(opt.Seed, 5))
		rng.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
		scale = float64(len(sources)) / float64(most)
		sources = sources[:most]
	}
	parts := make([][]float64, loadParts)
	searches := make([]*loadSearch, parallel.Cores(loadParts))
	for i := range searches {
		searches[i] = newLoadSearch(c, role, channels)
	}
	err := parallel.With(ctx, searches, loadParts, func(ctx context.Context, s *loadSearch, i int) error {
		parts[i] = make([]float64, links)
		for j := i; j < len(sources) && ctx.Err() == nil; j += loadParts {
			s.from(sources[j], parts[i])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	loads := parts[0]
	for i := range loads {
		for _, p := range parts[1:] {
			loads[i] += p[i]
		}
		loads[i] *= scale
	}
	return loads, nil
}

// loadSearch sends units from one source after the other.
type loadSearch struct {
	c        *topology.CSR
	role     []topology.Role
	channels []float64 // of each link, as paths; nil for one each
	dist     []int32
	paths    []float64 // from the source
	need     []float64 // units that enter, for the vertex and what lies beyond
	queue    []int32
}

func newLoadSearch(c *topology.CSR, role []topology.Role, channels []float64) *loadSearch {
	n := c.Vertices()
	return &loadSearch{
		c: c, role: role, channels: channels,
		dist: make([]int32, n), paths: make([]float64, n), need: make([]float64, n),
	}
}

// over returns the paths that the link of an arc is.
func (s *loadSearch) over(arc int64) float64 {
	if s.channels == nil {
		return 1
	}
	return s.channels[s.c.Link[arc]]
}

// from adds to the loads of links what a vertex sends to each end, divided evenly among all shortest paths.
func (s *loadSearch) from(source int32, loads []float64) {
	for v := range s.dist {
		s.dist[v], s.paths[v], s.need[v] = -1, 0, 0
	}
	s.dist[source], s.paths[source] = 0, 1
	s.queue = append(s.queue[:0], source)
	for i := 0; i < len(s.queue); i++ {
		v := s.queue[i]
		if v != source && s.role[v] == topology.Terminal {
			continue
		}
		for e := s.c.First[v]; e < s.c.First[v+1]; e++ {
			w := s.c.To[e]
			if s.dist[w] < 0 {
				s.dist[w] = s.dist[v] + 1
				s.queue = append(s.queue, w)
			}
			if s.dist[w] == s.dist[v]+1 {
				s.paths[w] += float64(s.paths[v] * s.over(e))
			}
		}
	}
	for i := len(s.queue) - 1; i >= 0; i-- {
		v := s.queue[i]
		if s.role[v] != topology.Switch && v != source {
			s.need[v]++
		}
		if v != source && s.role[v] == topology.Terminal {
			continue
		}
		for e := s.c.First[v]; e < s.c.First[v+1]; e++ {
			if w := s.c.To[e]; s.dist[w] == s.dist[v]+1 {
				x := float64(s.need[w] * (s.paths[v] * s.over(e)) / s.paths[w])
				s.need[v] += x
				loads[s.c.Link[e]] += x
			}
		}
	}
}
