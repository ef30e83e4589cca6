// Package circulant adds a family of topologies to Plenum from outside: circulant graphs, in
// which n nodes stand in a ring and every node is joined to those a given number of places
// on, in both directions (J.-C. Bermond, F. Comellas and D. F. Hsu, "Distributed loop computer
// networks: a survey", Journal of Parallel and Distributed Computing 24 (1), 1995).
//
// Importing the package registers the family, as importing an image format does. Machine files
// then say {family: circulant, nodes: 64, strides: [1, 8]}.
package circulant

import (
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/topology"
)

func init() {
	topology.Register(topology.Family{
		Name: "circulant",
		Doc:  "a ring of nodes, each joined to those a given number of places on",
		Source: "J.-C. Bermond, F. Comellas and D. F. Hsu, Distributed loop computer networks: a survey, JPDC 24 " +
			"(1), 1995",
		Params: []topology.Param{
			{Name: "nodes", Doc: "the number of nodes, at least 3", Required: true},
			{Name: "strides", Doc: "how many places on the neighbours are, each below half the nodes", Required: true},
		},
		Zero:     Circulant{},
		Sizes:    sizes,
		SizesDoc: "the most nodes for each diameter k with two strides, k and k+1",
	})
}

// Circulant is the parameters of the family.
type Circulant struct {
	Nodes   int           `yaml:"nodes,omitempty" json:"nodes,omitempty"`
	Strides topology.Ints `yaml:"strides,omitempty" json:"strides,omitempty"` // from nearest to farthest
}

// Family is "circulant".
func (Circulant) Family() string { return "circulant" }

// ShortName is as in the literature: C64(1,8).
func (p Circulant) ShortName() string {
	name := "C" + strconv.Itoa(p.Nodes) + "("
	for i, s := range p.Strides {
		if i > 0 {
			name += ","
		}
		name += strconv.Itoa(s)
	}
	return name + ")"
}

// Build makes the graph, or reports every mistake in the parameters.
func (p Circulant) Build(m *topology.Mistakes) topology.Graph {
	m.Within("nodes", p.Nodes, 3, topology.MaxVertices)
	m.Ports("strides", 2*int64(len(p.Strides)))
	common, last := p.Nodes, 0
	for i, s := range p.Strides {
		if s <= last || 2*s >= p.Nodes {
			m.AddAt("strides", i, "must be above %d and below half of the %d nodes, not %d", last, p.Nodes, s)
		}
		common, last = gcd(common, s), s
	}
	if m.None() && common > 1 {
		m.Add("strides", "reach only every %d-th node", common)
	}
	if !m.None() {
		return nil
	}
	g := &graph{nodes: p.Nodes, strides: append([]int(nil), p.Strides...)}
	for _, s := range p.Strides {
		g.levels = append(g.levels, topology.Level{Name: fmt.Sprintf("stride%d", s)})
	}
	return g
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// graph is a circulant graph. Port 2i of a node leads strides[i] places on, port 2i+1 as many
// back. The levels are the strides.
type graph struct {
	nodes   int
	strides []int
	levels  []topology.Level
}

// What the graph knows of itself. Each of these is optional.
var (
	_ topology.Symmetric      = (*graph)(nil)
	_ topology.Formulas       = (*graph)(nil)
	_ topology.Counted        = (*graph)(nil)
	_ topology.LevelSymmetric = (*graph)(nil)
	_ topology.UsualRouter    = (*graph)(nil)
	_ topology.Placeable      = (*graph)(nil)
	_ topology.WorstCase      = (*graph)(nil)
)

func (g *graph) Family() string           { return "circulant" }
func (g *graph) Levels() []topology.Level { return g.levels }
func (g *graph) Label(v int) string       { return strconv.Itoa(v) }

func (g *graph) Kinds() []topology.Kind {
	return []topology.Kind{{Name: "node", Count: g.nodes, Role: topology.Node, Ports: 2 * len(g.strides)}}
}

// Groupings are the turns: as many nodes one after another as the longest stride spans.
func (g *graph) Groupings() []topology.Grouping {
	turn := g.strides[len(g.strides)-1]
	return []topology.Grouping{{
		Name: "group", Count: (g.nodes + turn - 1) / turn, Of: func(v int) int32 { return int32(v / turn) },
	}}
}

// Links yields one stride after the other.
func (g *graph) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for i, s := range g.strides {
			for v := range g.nodes {
				if !yield(topology.Link{
					A: int32(v), B: int32((v + s) % g.nodes), PortA: int32(2 * i), PortB: int32(2*i + 1),
					Level: int32(i), Width: 1,
				}) {
					return
				}
			}
		}
	}
}

// Orbits is one: turning the ring takes any node to any other.
func (g *graph) Orbits() []topology.Orbit { return []topology.Orbit{{Vertex: 0, Size: g.nodes}} }

// ClosedForms has the degree only.
func (g *graph) ClosedForms() topology.ClosedForms {
	degree := 2 * len(g.strides)
	return topology.ClosedForms{
		DegreeMin: degree, DegreeMax: degree, Diameter: -1, MeanHops: math.NaN(), Bisection: math.NaN(),
	}
}

// LevelChannels has a link of every stride for every node.
func (g *graph) LevelChannels() []int64 {
	out := make([]int64, len(g.strides))
	for i := range out {
		out[i] = int64(g.nodes)
	}
	return out
}

// SameLevels holds as turning the ring takes a link to all others of its stride.
func (g *graph) SameLevels() bool { return true }

// UsualRouting is any minimal path.
func (g *graph) UsualRouting() string { return "min-adaptive" }

// PlacementGroups are the turns.
func (g *graph) PlacementGroups() (strategy string, nest int) { return "groups", 0 }

// WorstCaseTraffic sends every message to the turn after its own.
func (g *graph) WorstCaseTraffic() string { return "next-group" }

// sizes offers the largest circulant graphs with two strides: 2k^2 + 2k + 1 nodes at diameter
// k, reached by the strides k and k+1 (see the survey above).
func sizes(s *topology.SizeSearch) {
	nodes := func(k int) int { return 2*k*k + 2*k + 1 }
	for k := 1; nodes(k) <= s.MaxNodes; k++ {
		s.Add(0, topology.Size{
			Spec:  topology.Spec{Params: Circulant{Nodes: nodes(k), Strides: topology.Ints{k, k + 1}}},
			Nodes: nodes(k), Ports: 4, Links: 2 * int64(nodes(k)), Diameter: k,
		})
	}
}
