package measure

import (
	"context"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// greatestLoad returns the greatest load of a channel, both ways together, if
// every end sends a unit to every other over its shortest paths, split evenly at
// each vertex by the number of shortest paths (U. Brandes, "A faster algorithm
// for betweenness centrality", J. Math. Sociology 25 (2), 2001). It returns false
// if that would follow more than work arcs, if the graph is in pieces, and when
// ctx is done.
//
// Where the links of a level all look the same, one end's units tell. In a torus
// or mesh units go dimension by dimension, which spreads them better.
func (p *cutGraph) greatestLoad(ctx context.Context, g topology.Graph, work int64) (float64, bool) {
	if l, ok := g.(topology.DimensionOrdered); ok && !topology.HasCapacity(g) {
		return l.OrderedLoad(), true
	}
	same, ok := g.(topology.LevelSymmetric)
	one := ok && p.unit && same.SameLevels()
	n := p.vertices()
	// Ends with a single neighbour bring the same loads as the others there,
	// but to their own channels.
	times := slices.Clone(p.weight)
	first := make(map[int32]int)
	sources := 0
	for v, w := range p.weight {
		if w == 0 {
			continue
		}
		if p.first[v+1]-p.first[v] == 1 {
			at := p.to[p.first[v]]
			if twin, ok := first[at]; ok {
				times[v] = 0
				times[twin] += w
				continue
			}
			first[at] = v
		}
		sources++
	}
	if one {
		sources = 1
	}
	if int64(sources)*int64(len(p.to)+n) > work {
		return 0, false
	}
	f := p.newFlood()
	for s, w := range times {
		if w == 0 || s > 0 && one {
			continue
		}
		if ctx.Err() != nil || !f.from(int32(s), float64(w)) {
			return 0, false
		}
	}
	load := f.load
	if one {
		return p.levelLoad(g, load, float64(p.total)), true
	}
	// Paths go back the way they came: the other way carries as much.
	most := 0.0
	for v := range n {
		for k := p.first[v]; k < p.first[v+1]; k++ {
			x := load[k]
			if p.first[v+1]-p.first[v] == 1 && p.weight[v] > 0 {
				x = float64(p.weight[v]*(p.total-p.weight[v])) / float64(p.width[k])
			} else if u := p.to[k]; p.first[u+1]-p.first[u] == 1 && p.weight[u] > 0 {
				x = 0 // as much as the way back
			}
			most = max(most, 2*x)
		}
	}
	return most, true
}

// hubLoad returns the greatest load of a channel, both ways together, if every
// vertex of a kind sends a unit to every end. It returns false as greatestLoad does.
// In an even tree one vertex tells.
func (p *cutGraph) hubLoad(ctx context.Context, g topology.Graph, hubs topology.Kind, work int64) (float64, bool) {
	if t, ok := g.(topology.EvenTree); ok && t.EvenTiers() {
		f := p.newFlood()
		if !f.from(int32(hubs.First), 1) {
			return 0, false
		}
		return p.levelLoad(g, f.load, float64(hubs.Count)), true
	}
	if int64(hubs.Count)*int64(len(p.to)+p.vertices()) > work {
		return 0, false
	}
	f := p.newFlood()
	for v := hubs.First; v < hubs.First+hubs.Count; v++ {
		if ctx.Err() != nil || !f.from(int32(v), 1) {
			return 0, false
		}
	}
	most := 0.0
	for v := range p.vertices() {
		for k := p.first[v]; k < p.first[v+1]; k++ {
			x := f.load[k]
			if x+f.most <= most { // even with the most on the way back
				continue
			}
			u := p.to[k]
			for j := p.first[u]; j < p.first[u+1]; j++ {
				if p.to[j] == int32(v) { // parallel links share the load evenly
					x += f.load[j]
					break
				}
			}
			most = max(most, x)
		}
	}
	return most, true
}

// flood sends units over shortest paths and adds up what the arcs carry.
type flood struct {
	p     *cutGraph
	load  []float64 // of one channel of each arc
	most  float64   // greatest load
	dist  []int32
	paths []float64
	need  []float64
	queue []int32
}

func (p *cutGraph) newFlood() *flood {
	n := p.vertices()
	return &flood{
		p: p, load: make([]float64, len(p.to)),
		dist: make([]int32, n), paths: make([]float64, n), need: make([]float64, n),
	}
}

// from sends w units from s to every end, split evenly over the channels by the
// number of shortest paths; false if some end is out of reach.
func (f *flood) from(s int32, w float64) bool {
	p := f.p
	for v := range f.dist {
		f.dist[v], f.paths[v], f.need[v] = -1, 0, float64(p.weight[v])
	}
	f.dist[s], f.paths[s] = 0, 1
	f.queue = append(f.queue[:0], s)
	met := p.weight[s]
	for i := 0; i < len(f.queue); i++ {
		v := f.queue[i]
		for k := p.first[v]; k < p.first[v+1]; k++ {
			u := p.to[k]
			if f.dist[u] < 0 {
				f.dist[u] = f.dist[v] + 1
				f.queue = append(f.queue, u)
				met += p.weight[u]
			}
			if f.dist[u] == f.dist[v]+1 {
				f.paths[u] += float64(f.paths[v] * float64(p.width[k]))
			}
		}
	}
	if met < p.total {
		return false
	}
	for i := len(f.queue) - 1; i >= 0; i-- {
		v := f.queue[i]
		for k := p.first[v]; k < p.first[v+1]; k++ {
			if u := p.to[k]; f.dist[u] == f.dist[v]+1 {
				one := f.paths[v] / f.paths[u] * f.need[u] // over one channel
				f.load[k] += float64(one * w)
				f.most = max(f.most, f.load[k])
				f.need[v] += float64(one * float64(p.width[k]))
			}
		}
	}
	return true
}

// levelLoad returns the greatest load of a channel, both ways together, if the
// load that the units of one source bring to a level, times the sources, is
// spread evenly over the channels of the level.
func (p *cutGraph) levelLoad(g topology.Graph, load []float64, sources float64) float64 {
	sum := make([]float64, len(g.Levels()))
	channels := make([]float64, len(sum))
	next := make([]int64, p.vertices())
	copy(next, p.first)
	levels := g.Levels()
	for l := range g.Links() {
		if p.unit && (p.weight[l.A] == 0 || p.weight[l.B] == 0) { // to a terminal
			continue
		}
		n := float64(l.Channels(levels))
		sum[l.Level] += float64((load[next[l.A]] + load[next[l.B]]) * n)
		channels[l.Level] += n
		next[l.A]++
		next[l.B]++
	}
	most := 0.0
	for level, n := range channels {
		if n > 0 {
			most = max(most, sum[level]*sources/n)
		}
	}
	return most
}
