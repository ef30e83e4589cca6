package render

import (
	"maps"
	"strconv"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
	"github.com/plenum-planner/plenum/topology/names"
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

// Label is the name of the box, where somebody has given it one.
func (g *plannedGraph) Label(v int) string { return g.plan.Names.NameOrAddress(v) }

// Named is a graph whose labels are the names of its boxes, where somebody has given them.
func Named(g topology.Graph, called *names.Names) graphio.Attributed { return &namedGraph{g, called} }

type namedGraph struct {
	topology.Graph
	names *names.Names
}

func (g *namedGraph) Label(v int) string { return g.names.NameOrAddress(v) }

// EdgeAttributes is what the graph has.
func (g *namedGraph) EdgeAttributes(link int) map[string]string {
	if kept, ok := g.Graph.(graphio.Attributed); ok {
		return kept.EdgeAttributes(link)
	}
	return nil
}

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
