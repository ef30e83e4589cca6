package render

import (
	"maps"
	"strconv"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
	"github.com/plenum-planner/plenum/units"
)

// Graph is the topology of a plan with what the plan says of every link, for the
// formats of graphs: length_m, medium, and latency in cycles of c, which holds for
// either direction. What a file said of the length and latency of its links is
// replaced. A summary, whose Cycles are nil, has no such graph.
func Graph(r *machine.Result, c *machine.Cycles) graphio.Attributed {
	return &plannedGraph{r.Graph, r, c}
}

type plannedGraph struct {
	topology.Graph
	plan   *machine.Result
	cycles *machine.Cycles
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
	links := &g.plan.Links
	attrs["length_m"] = units.Length(links.Length[link]).Number()
	attrs["medium"] = g.plan.Model.Media[links.Medium[link]].Name
	attrs["latency"] = strconv.Itoa(int(g.cycles.Link[link]))
	return attrs
}
