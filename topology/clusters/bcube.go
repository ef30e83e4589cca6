package clusters

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/topology"
)

// bcube is servers that forward, each with one port on a switch of every level
// (C. Guo, G. Lu, D. Li, H. Wu, X. Zhang, Y. Shi, C. Tian, Y. Zhang and S. Lu,
// "BCube: a high performance, server-centric network architecture for modular
// data centers", SIGCOMM 2009, section 3.1). With switches of n ports and
// levels 0 ... k there are n^(k+1) servers and n^k switches of each level:
// server a_k...a_0 is on port a_l of switch a_k...a_(l+1) a_(l-1)...a_0 of level
// l. The paper counts k+1 hops at most, a hop being two links here.
//
// The kinds are "switch", level by level, and "node"; the links of level l are level l of the graph, named level0,
// level1, ...; the groupings are "block", a switch of level 0 with its nodes, and "cube1", "cube2", ..., which the
// higher levels join. Port l of a node leads to level l.
type bcube struct {
	n, count int // ports of a switch, levels
	perLevel int // switches of a level
	kinds    []topology.Kind
	levels   []topology.Level
}

var (
	_ topology.Symmetric = (*bcube)(nil)
	_ topology.Formulas  = (*bcube)(nil)
)

var bcubeFamily = topology.Family{
	Name: "bcube",
	Doc:  "servers that forward, each on one switch of every level",
	Source: "C. Guo et al., BCube: a high performance, server-centric network architecture for modular data centers, " +
		"SIGCOMM 2009, section 3.1",
	Params: []topology.Param{
		{Name: "radix", Doc: "the number of ports of every switch (n in the paper), at least 2", Required: true},
		{
			Name: "levels", Doc: "the number of levels, which is the ports of a server (k+1 in the paper)",
			Required: true,
		},
	},
	Zero:     BCube{},
	Sizes:    bcubeSizes,
	SizesDoc: "two levels or more",
}

// BCube is servers that forward, each on one switch of every level.
type BCube struct {
	Levels int `yaml:"levels,omitempty" json:"levels,omitempty"` // ports of a server: k+1
	Radix  int `yaml:"radix,omitempty" json:"radix,omitempty"`   // ports of every switch: n
}

// Family is "bcube".
func (BCube) Family() string { return "bcube" }

// Build makes the servers and switches.
func (p BCube) Build(m *topology.Mistakes) topology.Graph {
	m.Within("radix", p.Radix, 2, topology.MaxPorts)
	m.Within("levels", p.Levels, 1, 31)
	if !m.None() {
		return nil
	}
	perLevel := int64(1)
	for range p.Levels - 1 {
		perLevel = arith.Times(perLevel, int64(p.Radix))
	}
	switches, nodes := arith.Times(perLevel, int64(p.Levels)), arith.Times(perLevel, int64(p.Radix))
	if nodes > topology.MaxVertices || switches > topology.MaxVertices-nodes {
		m.Vertices("levels", max(nodes, switches+min(nodes, topology.MaxVertices)))
		return nil
	}
	return &bcube{
		n: p.Radix, count: p.Levels, perLevel: int(perLevel), levels: numberedLevels(p.Levels),
		kinds: []topology.Kind{
			{Name: "switch", Count: int(switches), Role: topology.Switch, Ports: p.Radix},
			{Name: "node", First: int(switches), Count: int(nodes), Role: topology.Node, Ports: p.Levels},
		},
	}
}

func (g *bcube) Family() string           { return "bcube" }
func (g *bcube) Kinds() []topology.Kind   { return g.kinds }
func (g *bcube) Levels() []topology.Level { return g.levels }

// numberedLevels is level0, level1, ...
func numberedLevels(n int) []topology.Level {
	out := make([]topology.Level, n)
	for l := range out {
		out[l].Name = fmt.Sprintf("level%d", l)
	}
	return out
}

func (g *bcube) Groupings() []topology.Grouping {
	out := make([]topology.Grouping, max(1, g.count-1))
	below := 1 // switches of one level in a cube
	for i := range out {
		servers, switches, level := below*g.n, below, i
		name := fmt.Sprintf("cube%d", i)
		out[i] = topology.Grouping{Name: name, Count: g.kinds[1].Count / servers, Of: func(v int) int32 {
			if v >= g.kinds[1].First {
				return int32((v - g.kinds[1].First) / servers)
			}
			if v/g.perLevel > level {
				return -1
			}
			return int32(v % g.perLevel / switches)
		}}
		below *= g.n
	}
	out[0].Name = "block"
	return out
}

// Label is the digits of a server, the highest first, or the level and digits
// of a switch: "(1,0,3)", "<2,(1,0)>".
func (g *bcube) Label(v int) string {
	if v >= g.kinds[1].First {
		return g.digits(v-g.kinds[1].First, g.count)
	}
	return fmt.Sprintf("<%d,%s>", v/g.perLevel, g.digits(v%g.perLevel, g.count-1))
}

func (g *bcube) digits(v, count int) string {
	s := ""
	for range count {
		s = fmt.Sprintf("%d,%s", v%g.n, s)
		v /= g.n
	}
	return "(" + s[:max(0, len(s)-1)] + ")"
}

// Orbits are the switches and the servers: adding a number to a digit takes any
// server to any other, and exchanging digits any level to any other.
func (g *bcube) Orbits() []topology.Orbit {
	return []topology.Orbit{
		{Vertex: 0, Size: g.kinds[0].Count}, {Vertex: g.kinds[1].First, Size: g.kinds[1].Count},
	}
}

// ClosedForms has the distances between servers: two links for every digit in
// which they differ.
func (g *bcube) ClosedForms() topology.ClosedForms {
	n, others := float64(g.kinds[1].Count), float64(g.kinds[1].Count-1)
	return topology.ClosedForms{
		DegreeMin: min(g.n, g.count), DegreeMax: max(g.n, g.count),
		Diameter:  2 * g.count,
		MeanHops:  2 * float64(g.count) * float64(g.n-1) / float64(g.n) * n / others,
		Bisection: -1,
	}
}

// Links yields level by level, switch by switch.
func (g *bcube) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		stride := 1 // of digit l
		for level := range g.count {
			l := topology.Link{PortB: int32(level), Level: int32(level), Width: 1}
			for s := range g.perLevel {
				l.A = int32(level*g.perLevel + s)
				first := g.kinds[1].First + s/stride*stride*g.n + s%stride
				for port := range g.n {
					l.B, l.PortA = int32(first+port*stride), int32(port)
					if !yield(l) {
						return
					}
				}
			}
			stride *= g.n
		}
	}
}

// bcubeSizes offers the networks of at least two levels.
func bcubeSizes(s *topology.SizeSearch) {
	for n := 2; n*n <= s.MaxNodes; n++ {
		s.Powers(n, 2, func(levels, nodes int) {
			s.Add(0, topology.Size{
				Spec:  topology.Spec{Params: BCube{Radix: n, Levels: levels}},
				Nodes: nodes, Switches: nodes / n * levels, Ports: max(n, levels),
				Links: int64(nodes) * int64(levels), Diameter: 2 * levels,
			})
		})
	}
}
