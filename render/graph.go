package render

import (
	"maps"
	"strconv"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// Graph is the topology of a plan, or of one of its fabrics, with what the plan says of every link, for the
// formats of graphs: length_m, medium, and latency in cycles of c, which holds for
// either direction. What a file said of the length and latency of its links is
// replaced. A summary, whose Cycles are nil, has no such graph.
func Graph(n *machine.Network, c *delay.Cycles) graphio.Attributed {
	return &plannedGraph{n.Graph, n, c}
}

type plannedGraph struct {
	topology.Graph
	plan   *machine.Network
	cycles *delay.Cycles
}

var _ graphio.Attributed = (*plannedGraph)(nil)

func (g *plannedGraph) EdgeAttributes(link int) map[string]string {
	attrs := make(map[string]string)
	if own, ok := g.Graph.(graphio.Attributed); ok {
		maps.Copy(attrs, own.EdgeAttributes(link))
	}
	for _, key := range []string{"length_m", "length_m_back", "latency_back", "medium_back"} {
		delete(attrs, key)
	}
	length, medium := g.plan.Links.At(link)
	attrs["length_m"] = length.Number()
	attrs["medium"] = g.plan.Model.Media[medium].Name
	attrs["latency"] = strconv.Itoa(int(g.cycles.Link[link]))
	return attrs
}
