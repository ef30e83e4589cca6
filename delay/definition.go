package delay

import (
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Count says what D counts: the hops of a path, as the CLEX paper does, or the routers that it traverses, as the delays
// of a plan do.
type Count string

// Values of Count.
const (
	Hops    Count = "hops"
	Routers Count = "routers"
)

// Counts lists the values of Count.
func Counts() []Count { return []Count{Routers, Hops} }

// Words is what is counted in words.
func (c Count) Words() string {
	if c == Hops {
		return string(Hops)
	}
	return "routers traversed"
}

// Reach is what the CLEX paper's delay is made of (arXiv:1607.00298, section
// II-A): hops and metres that a message travels, on average and at most. In
// place of hops there may be routers traversed; see Traversing.
type Reach struct {
	HopsMean, HopsMax float64
	PathMean, PathMax units.Length
}

// Reach is that of the hop-minimal paths.
func (r *Result) Reach() Reach {
	return Reach{r.HopsMean, float64(r.HopsMax), r.PathMean, r.PathMax}
}

// WithTraversedRouters returns r with the routers that paths traverse in place of their hops
// (topology.TraversedRouters), in a network with vertices of the given kinds. Every vertex that injects is as often a
// source and a destination as any other, so that the mean follows from the shares of the roles. Where both roles
// inject, the most is that between nodes that are routers, an upper bound.
func (r Reach) WithTraversedRouters(kinds []topology.Kind) Reach {
	count := map[topology.Role]float64{}
	for _, k := range kinds {
		count[k.Role] += float64(k.Count)
	}
	nodes, terminals := count[topology.Node], count[topology.Terminal]
	if nodes+terminals == 0 {
		return r
	}
	between := func(links float64, role topology.Role) float64 { return topology.TraversedRouters(links, role, role) }
	mean := (nodes*between(r.HopsMean, topology.Node) + terminals*between(r.HopsMean, topology.Terminal)) /
		(nodes + terminals)
	role := topology.Terminal
	if nodes > 0 {
		role = topology.Node
	}
	// Networks with the same routers have the same mean to the last digit.
	r.HopsMean, r.HopsMax = math.Round(mean*1e9)/1e9, between(r.HopsMax, role)
	return r
}

// D is alpha*hops + beta*distance, average and maximal. The maximum takes the
// most hops and the longest way of any message, which need not be the same, as
// the paper does.
func (r Reach) D(alpha units.Time, beta units.Propagation) (mean, most units.Time) {
	return units.Time(r.HopsMean)*alpha + beta.Over(r.PathMean), units.Time(r.HopsMax)*alpha + beta.Over(r.PathMax)
}

// Typical is one hop delay and one propagation delay in place of all of a model:
// the mean hop delay of entering a vertex over a link, terminals left out, and the
// mean propagation delay of a metre of link, ends left out.
func (m Model) Typical(g topology.Graph, l Links) (alpha units.Time, beta units.Propagation) {
	var hops, metres, time, wire float64
	for kind, n := range passes(g) {
		hops += float64(n)
		time += float64(n) * float64(m.Hop[kind])
	}
	for i, length := range l.length {
		metres += float64(length)
		wire += float64(length) * float64(m.Media[l.medium[i]].Propagation)
	}
	if hops > 0 {
		alpha = units.Time(time / hops)
	}
	if metres > 0 {
		beta = units.Propagation(wire / metres)
	}
	return alpha, beta
}

// passes counts, by kind of vertex, the ends of links at vertices that pass
// messages on.
func passes(g topology.Graph) []int64 {
	kinds := g.Kinds()
	out := make([]int64, len(kinds))
	for l := range g.Links() {
		for _, v := range [2]int32{l.A, l.B} {
			if kind := topology.KindOf(kinds, int(v)); kinds[kind].Role != topology.Terminal {
				out[kind]++
			}
		}
	}
	return out
}
