package clusters

import (
	"fmt"
	"iter"
	"slices"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/topology"
)

// dcell is servers that forward, joined recursively (C. Guo, H. Wu, K. Tan, L.
// Shi, Y. Zhang and S. Lu, "DCell: a scalable and fault-tolerant network
// structure for data centers", SIGCOMM 2008, section 3.1). DCell_0 is n servers
// on a switch. DCell_k is one more DCell_(k-1) than each has servers, every two
// of them joined: server j-1 of copy i to server i of copy j, for i < j.
//
// The kinds are "switch" and "node"; the levels are level0, server to switch, level1, ...; the groupings are "block", a
// DCell_0, and "cell1", "cell2", ... Port l of a node carries its link of level l.
type dcell struct {
	n, count int   // ports of a switch, levels
	servers  []int // of a DCell_0, DCell_1, ...
	kinds    []topology.Kind
	levels   []topology.Level
}

var (
	_ topology.Symmetric = (*dcell)(nil)
	_ topology.Formulas  = (*dcell)(nil)
)

var dcellFamily = topology.Family{
	Name: "dcell",
	Doc:  "servers that forward, in cells that are fully joined to each other, recursively",
	Source: "C. Guo et al., DCell: a scalable and fault-tolerant network structure for data centers, SIGCOMM 2008, " +
		"section 3.1",
	Params: []topology.Param{
		{Name: "radix", Doc: "the number of servers on a switch (n in the paper), at least 2", Required: true},
		{
			Name: "levels", Doc: "the number of levels, which is the ports of a server (k+1 in the paper)",
			Required: true,
		},
	},
	Zero:     DCell{},
	Sizes:    dcellSizes,
	SizesDoc: "two levels or more",
}

// DCell is servers that forward, in cells that are fully joined, recursively.
type DCell struct {
	Levels int `yaml:"levels,omitempty" json:"levels,omitempty"` // ports of a server: k+1
	Radix  int `yaml:"radix,omitempty" json:"radix,omitempty"`   // servers on a switch: n
}

// Family is "dcell".
func (DCell) Family() string { return "dcell" }

// Build makes the cells.
func (p DCell) Build(m *topology.Mistakes) topology.Graph {
	m.Within("radix", p.Radix, 2, topology.MaxPorts)
	m.Within("levels", p.Levels, 1, 31)
	if !m.None() {
		return nil
	}
	g := &dcell{n: p.Radix, count: p.Levels, levels: numberedLevels(p.Levels), servers: []int{p.Radix}}
	for range p.Levels - 1 {
		t := int64(g.servers[len(g.servers)-1])
		next := arith.Times(t, t+1)
		m.Vertices("levels", next)
		if !m.None() {
			return nil
		}
		g.servers = append(g.servers, int(next))
	}
	nodes := g.servers[p.Levels-1]
	m.Vertices("levels", int64(nodes)+int64(nodes/g.n))
	if !m.None() {
		return nil
	}
	g.kinds = []topology.Kind{
		{Name: "switch", Count: nodes / g.n, Role: topology.Switch, Ports: g.n},
		{Name: "node", First: nodes / g.n, Count: nodes, Role: topology.Node, Ports: p.Levels},
	}
	return g
}

func (g *dcell) Family() string           { return "dcell" }
func (g *dcell) Kinds() []topology.Kind   { return g.kinds }
func (g *dcell) Levels() []topology.Level { return g.levels }

func (g *dcell) Groupings() []topology.Grouping {
	var out []topology.Grouping
	for i, servers := range g.servers[:max(1, g.count-1)] {
		name := "block"
		if i > 0 {
			name = fmt.Sprintf("cell%d", i)
		}
		out = append(out, topology.Grouping{Name: name, Count: g.kinds[1].Count / servers, Of: func(v int) int32 {
			if v < g.kinds[0].Count {
				return int32(v * g.n / servers)
			}
			return int32((v - g.kinds[0].Count) / servers)
		}})
	}
	return out
}

// Label is the copy of each cell that a server or switch is in, the largest
// cell first, and a server's number on its switch: "[3,0,1]", "[3,0]".
func (g *dcell) Label(v int) string {
	s, server := "", v-g.kinds[0].Count
	if v < g.kinds[0].Count {
		server = v * g.n
	} else {
		s = fmt.Sprintf("%d,", server%g.n)
	}
	for l := 1; l < g.count; l++ {
		s = fmt.Sprintf("%d,%s", server%g.servers[l]/g.servers[l-1], s)
	}
	return "[" + s[:max(0, len(s)-1)] + "]"
}

// Orbits are the switches and the servers with up to two levels: in DCell_1 the
// servers are the ordered pairs of copies, each linked to the reverse of its own,
// and any permutation of the copies is a symmetry. In larger cells every vertex
// stands alone.
func (g *dcell) Orbits() []topology.Orbit {
	if g.count > 2 {
		return alone(topology.Vertices(g))
	}
	return []topology.Orbit{
		{Vertex: 0, Size: g.kinds[0].Count}, {Vertex: g.kinds[1].First, Size: g.kinds[1].Count},
	}
}

// alone is n orbits of one vertex each.
func alone(n int) []topology.Orbit {
	out := make([]topology.Orbit, n)
	for v := range out {
		out[v] = topology.Orbit{Vertex: v, Size: 1}
	}
	return out
}

// ClosedForms has no more than the degrees of larger networks: the paper bounds
// their diameter, by 2^(k+1)-1 servers passed, and their bisection.
func (g *dcell) ClosedForms() topology.ClosedForms {
	c := topology.ClosedForms{
		DegreeMin: min(g.n, g.count), DegreeMax: max(g.n, g.count),
		Diameter: -1, MeanHops: -1, Bisection: -1, SingleLinks: true,
	}
	if g.count == 1 {
		c.Diameter, c.MeanHops = 2, 2
	}
	return c
}

// Links yields level by level, cell by cell.
func (g *dcell) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		switches, nodes := g.kinds[0].Count, g.kinds[1].Count
		for i := range nodes {
			if !yield(topology.Link{
				A: int32(i / g.n), B: int32(switches + i), PortA: int32(i % g.n), Width: 1,
			}) {
				return
			}
		}
		for level := 1; level < g.count; level++ {
			l := topology.Link{PortA: int32(level), PortB: int32(level), Level: int32(level), Width: 1}
			inner := g.servers[level-1]
			for first := switches; first < switches+nodes; first += g.servers[level] {
				for i := range inner + 1 {
					for j := i + 1; j <= inner; j++ {
						l.A, l.B = int32(first+i*inner+j-1), int32(first+j*inner+i)
						if !yield(l) {
							return
						}
					}
				}
			}
		}
	}
}

// LevelChannels: a port of every server on each level.
func (g *dcell) LevelChannels() []int64 {
	nodes := int64(g.kinds[1].Count)
	return append([]int64{nodes}, slices.Repeat([]int64{nodes / 2}, g.count-1)...)
}

// dcellSizes offers the networks of at least two levels.
func dcellSizes(s *topology.SizeSearch) {
	for n := 2; n*(n+1) <= s.MaxNodes; n++ {
		nodes := n * (n + 1)
		for levels := 2; nodes <= s.MaxNodes; levels++ {
			s.Add(0, topology.Size{
				Spec:  topology.Spec{Params: DCell{Radix: n, Levels: levels}},
				Nodes: nodes, Switches: nodes / n, Ports: max(n, levels),
				Links: int64(nodes) + int64(levels-1)*int64(nodes/2), Diameter: -1,
			})
			nodes *= nodes + 1
		}
	}
}
