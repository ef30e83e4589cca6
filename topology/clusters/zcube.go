package clusters

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/topology"
)

// zcube is n^2 accelerators on two sides of n switches, A and B: accelerator g is on switch g div n of A and on switch
// g mod n of B, and every switch of A is linked with every switch of B (ZCube(n,2) in the ATOP paper, SIGCOMM 2025,
// Table 7). It is BCube(n,2) with links between its switches, so that accelerators need not forward.
//
// The kinds are "leaf", the switches of A, "spine", those of B, and "node": so A stands with its nodes and B in a row
// of its own if nothing else is said. The levels are terminal and cross; the grouping is "block", a switch of A with
// its nodes. Port 0 of a node leads to A and port 1 to B. The nodes of a switch come before the switches of the other
// side on its ports.
type zcube struct {
	n, links int
	kinds    []topology.Kind
	levels   []topology.Level
}

var (
	_ topology.Symmetric      = (*zcube)(nil)
	_ topology.Formulas       = (*zcube)(nil)
	_ topology.Counted        = (*zcube)(nil)
	_ topology.LevelSymmetric = (*zcube)(nil)
	_ topology.UsualRouter    = (*zcube)(nil)
)

var zcubeFamily = topology.Family{
	Name: "zcube",
	Doc: "accelerators on a switch of each of two sides, every switch of one side linked with every one of the " +
		"other",
	Source: "ATOP, SIGCOMM 2025, Table 7: ZCube(n,2)",
	Params: []topology.Param{
		{
			Name: "side", Doc: "the number of switches on each side, and of nodes on each switch (n in the paper)",
			Required: true,
		},
		{Name: "links", Doc: "the parallel links between two switches; 1 when left out"},
	},
	Zero:     ZCube{},
	Sizes:    zcubeSizes,
	SizesDoc: "one link between two switches",
}

// ZCube is accelerators on a switch of each of two sides that are linked with each other.
type ZCube struct {
	Side  int `yaml:"side,omitempty" json:"side,omitempty"`   // switches of a side, nodes of a switch: n
	Links int `yaml:"links,omitempty" json:"links,omitempty"` // between two switches, 1 when left out
}

// Family is "zcube".
func (ZCube) Family() string { return "zcube" }

// ShortName is as in the paper: ZCube(32,2).
func (p ZCube) ShortName() string {
	if p.Links > 1 {
		return fmt.Sprintf("ZCube(%d,2) of %d links", p.Side, p.Links)
	}
	return fmt.Sprintf("ZCube(%d,2)", p.Side)
}

// Build makes the switches and nodes.
func (p ZCube) Build(m *topology.Mistakes) topology.Graph {
	m.Within("side", p.Side, 1, topology.MaxPorts)
	m.Within("links", p.Links, 1, topology.MaxPorts)
	if !m.None() {
		return nil
	}
	links := max(p.Links, 1)
	m.Ports("side", int64(p.Side)*int64(1+links))
	m.Vertices("side", arith.Times(int64(p.Side), int64(p.Side))+2*int64(p.Side))
	if !m.None() {
		return nil
	}
	levels := []topology.Level{{Name: "terminal"}, {Name: "cross"}}
	return &zcube{n: p.Side, links: links, levels: levels, kinds: []topology.Kind{
		{Name: "leaf", Count: p.Side, Role: topology.Switch, Ports: p.Side * (1 + links)},
		{Name: "spine", First: p.Side, Count: p.Side, Role: topology.Switch, Ports: p.Side * (1 + links)},
		{Name: "node", First: 2 * p.Side, Count: p.Side * p.Side, Role: topology.Terminal, Ports: 2},
	}}
}

func (g *zcube) Family() string         { return "zcube" }
func (g *zcube) Kinds() []topology.Kind { return g.kinds }

func (g *zcube) Levels() []topology.Level { return g.levels }

func (g *zcube) Groupings() []topology.Grouping {
	return []topology.Grouping{{Name: "block", Count: g.n, Of: func(v int) int32 {
		switch {
		case v < g.n:
			return int32(v)
		case v < 2*g.n:
			return -1
		}
		return int32((v - 2*g.n) / g.n)
	}}}
}

// Label is the side and number of a switch, or the numbers of a node's switches: "A3", "B0", "(3,0)".
func (g *zcube) Label(v int) string {
	switch {
	case v < g.n:
		return fmt.Sprintf("A%d", v)
	case v < 2*g.n:
		return fmt.Sprintf("B%d", v-g.n)
	}
	return fmt.Sprintf("(%d,%d)", (v-2*g.n)/g.n, (v-2*g.n)%g.n)
}

// Links yields those to A, those to B and those between them.
func (g *zcube) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for side := range 2 {
			for a := range g.n {
				for b := range g.n {
					l := topology.Link{
						A: int32(a), B: int32(2*g.n + a*g.n + b), PortA: int32(b), PortB: int32(side), Width: 1,
					}
					if side == 1 {
						l.A, l.PortA = int32(g.n+b), int32(a)
					}
					if !yield(l) {
						return
					}
				}
			}
		}
		for a := range g.n {
			for b := range g.n {
				if !yield(topology.Link{
					A: int32(a), B: int32(g.n + b), PortA: int32(g.n + b*g.links), PortB: int32(g.n + a*g.links),
					Level: 1, Width: int32(g.links),
				}) {
					return
				}
			}
		}
	}
}

// Orbits is one: the switches of a side may be exchanged, and the sides.
func (g *zcube) Orbits() []topology.Orbit { return []topology.Orbit{{Vertex: 0, Size: 2 * g.n}} }

// SameLevels holds for the same reason.
func (g *zcube) SameLevels() bool { return true }

// ClosedForms has the distances between switches: one link to the other side, two to the same.
func (g *zcube) ClosedForms() topology.ClosedForms {
	c := topology.ClosedForms{
		DegreeMin: g.n, DegreeMax: g.n, Diameter: min(g.n, 2), Bisection: -1, SingleLinks: g.links == 1,
	}
	c.MeanHops = (3*float64(g.n) - 2) / (2*float64(g.n) - 1)
	return c
}

// LevelChannels: two ports of every node, and the links between the sides.
func (g *zcube) LevelChannels() []int64 {
	nodes := int64(g.n) * int64(g.n)
	return []int64{2 * nodes, nodes * int64(g.links)}
}

// UsualRouting is any minimal path.
func (g *zcube) UsualRouting() string { return "min-adaptive" }

// zcubeSizes offers all with single links.
func zcubeSizes(s *topology.SizeSearch) {
	for n := 2; n*n <= s.MaxNodes && 2*n <= s.MaxPorts; n++ {
		s.Add(0, topology.Size{
			Spec:  topology.Spec{Params: ZCube{Side: n}},
			Nodes: n * n, Switches: 2 * n, Terminals: n, Ports: 2 * n, Links: 3 * int64(n) * int64(n), Diameter: 2,
		})
	}
}
