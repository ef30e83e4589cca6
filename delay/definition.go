package delay

import (
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Count is what D multiplies by alpha: the hops of a path, as in the CLEX paper, or the routers that it traverses, as
// in the delays of a plan.
type Count string

// Values of Count.
const (
	Hops    Count = "hops"
	Routers Count = "routers"
)

// Counts lists the values of Count.
func Counts() []Count { return []Count{Routers, Hops} }

// Words returns the name of what is counted, for texts.
func (c Count) Words() string {
	if c == Hops {
		return string(Hops)
	}
	return "routers traversed"
}

// Reach has the figures from which the delay D of the CLEX paper follows (arXiv:1607.00298, section II-A): the mean and
// the maximum of the hops and of the path lengths of messages. In place of hops there may be routers traversed; see
// WithTraversedRouters.
type Reach struct {
	HopsMean, HopsMax float64
	PathMean, PathMax units.Length
}

// Reach returns the hops and lengths of the hop-minimal paths.
func (r *Result) Reach() Reach {
	return Reach{r.HopsMean, float64(r.HopsMax), r.PathMean, r.PathMax}
}

// WithTraversedRouters returns r with the routers that paths traverse in place of their hops
// (topology.TraversedRouters), in a network with vertices of the given kinds. Every injecting vertex is equally often a
// source and a destination, so that the mean follows from the numbers of nodes and terminals. If there are both, the
// maximum is that of paths between nodes, which is an upper bound.
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

// D returns alpha*hops + beta*distance, average and maximal. As in the paper, the maximum combines the
// most hops and the longest path of any messages, which may be different ones.
func (r Reach) D(alpha units.Time, beta units.Propagation) (mean, most units.Time) {
	return units.Time(r.HopsMean)*alpha + beta.Over(r.PathMean), units.Time(r.HopsMax)*alpha + beta.Over(r.PathMax)
}

// Typical returns one hop delay and one propagation delay in place of those of a model: the mean hop delay of entering
// a vertex over a link, without terminals, and the mean propagation delay per metre of link, without the delays of its
// ends.
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

// passes counts the ends of links at vertices that forward messages, by kind of vertex.
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
