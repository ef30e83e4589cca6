package clusters

import (
	"fmt"
	"iter"
	"math"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// access is ends on access switches, which are not joined to each other: the lowest tier of a network whose upper tiers
// are another's, such as the management ports of a cluster on the switches of their racks. An end has a port or
// several, each on a switch of its own.
//
// In blocks, a unit is as many switches as an end has ports and `down` ends: port j of an end goes to switch j of its
// unit, end m of the unit is on port m of all of them, and the last unit that has ends may be partly filled. Spread,
// the ports of all ends, in order, are dealt out to the switches in turn.
//
// The graph is in as many pieces as there are units, or as the dealing makes.
//
// The kinds are "leaf" and "node"; the level is terminal; the grouping is "unit" where ends stand in blocks.
type access struct {
	nodes, uplinks int
	down           int // ends of a unit, or 0 where they are spread
	switches       int
	kinds          []topology.Kind
	levels         []topology.Level
}

var (
	_ topology.Counted     = (*access)(nil)
	_ topology.Formulas    = (*access)(nil)
	_ topology.UpDown      = (*access)(nil)
	_ topology.UsualRouter = (*access)(nil)
	_ topology.Placeable   = (*access)(nil)
)

var accessFamily = topology.Family{
	Name:   "access",
	Doc:    "nodes on access switches that are not joined to each other",
	Source: "NVIDIA DGX BasePOD reference architecture RA-11127-001 V5, 2025: out-of-band management",
	Params: []topology.Param{
		{Name: "nodes", Doc: "the number of nodes, at least 1", Required: true},
		{Name: "down", Doc: "the ports of a switch for nodes; as many as the nodes need on the given switches when " +
			"left out"},
		{Name: "switches", Doc: "the number of switches; the fewest that have the ports when left out"},
		{Name: "uplinks", Doc: "the ports of a node, each on a switch of its own; 1 when left out"},
		{Name: "spread", Doc: "deals the ports of the nodes out to the switches in turn; without it the first nodes " +
			"are " +
			"on the first switch, the next on the next"},
	},
	Zero: Access{},
}

// Access is nodes on access switches that are not joined to each other.
type Access struct {
	Down     int `yaml:"down,omitempty" json:"down,omitempty"`         // ports of a switch for nodes
	Nodes    int `yaml:"nodes,omitempty" json:"nodes,omitempty"`       // the ends
	Switches int `yaml:"switches,omitempty" json:"switches,omitempty"` // the fewest that have the ports when left out
	// ports of a node, each on a switch of its own, 1 when left out
	Uplinks int  `yaml:"uplinks,omitempty" json:"uplinks,omitempty"`
	Spread  bool `yaml:"spread,omitempty" json:"spread,omitempty"` // in turn, not in blocks
}

// Family is "access".
func (Access) Family() string { return "access" }

// ShortName has the nodes and their ports: "access 48x1".
func (p Access) ShortName() string { return fmt.Sprintf("access %dx%d", p.Nodes, max(p.Uplinks, 1)) }

// Build attaches the nodes.
func (p Access) Build(m *topology.Mistakes) topology.Graph {
	m.Within("nodes", p.Nodes, 1, topology.MaxVertices)
	m.Within("down", p.Down, 1, topology.MaxPorts)
	m.Within("switches", p.Switches, 1, topology.MaxVertices)
	m.Within("uplinks", p.Uplinks, 1, topology.MaxPorts)
	if p.Down == 0 && p.Switches == 0 {
		m.Add("down", "is missing: give the ports of a switch for nodes, or the number of switches")
	}
	if !m.None() {
		return nil
	}
	g := &access{nodes: p.Nodes, uplinks: max(p.Uplinks, 1), switches: p.Switches}
	g.levels = []topology.Level{{Name: "terminal"}}
	if p.Spread {
		g.deal(p, m)
	} else {
		g.fill(p, m)
	}
	m.Vertices("nodes", int64(g.switches)+int64(g.nodes))
	if !m.None() {
		return nil
	}
	ports := min(g.down, g.nodes)
	if p.Spread {
		ports = arith.CeilDiv(g.nodes*g.uplinks, g.switches)
	}
	g.kinds = []topology.Kind{
		{Name: "leaf", Count: g.switches, Role: topology.Switch, Ports: ports},
		{Name: "node", First: g.switches, Count: g.nodes, Role: topology.Terminal, Ports: g.uplinks},
	}
	return g
}

// fill finds the units of nodes in blocks.
func (g *access) fill(p Access, m *topology.Mistakes) {
	if p.Switches%g.uplinks != 0 {
		m.Add("switches", "nodes with %s are on as many switches together, and %d is not a multiple of that",
			english.Count(g.uplinks, "uplink"), p.Switches)
		return
	}
	if g.down = p.Down; g.down == 0 {
		g.down = arith.CeilDiv(g.nodes, p.Switches/g.uplinks)
		m.Ports("switches", int64(g.down))
	}
	needed := arith.Times(int64(arith.CeilDiv(g.nodes, g.down)), int64(g.uplinks))
	if p.Switches == 0 {
		m.Vertices("nodes", needed)
		g.switches = int(needed)
	} else if int64(p.Switches) < needed {
		m.Add("switches", "%s with %s each need at least %d switches of %s, not %d", english.Count(g.nodes, "node"),
			english.Count(g.uplinks, "uplink"), needed, english.Count(g.down, "port"), p.Switches)
	}
}

// deal finds the switches of nodes that are spread.
func (g *access) deal(p Access, m *topology.Mistakes) {
	if p.Switches != 0 && p.Switches < g.uplinks {
		m.Add("switches", "the %d uplinks of a node are on different switches, of which there are %d", g.uplinks,
			p.Switches)
		return
	}
	ports := arith.Times(int64(g.nodes), int64(g.uplinks))
	if p.Switches == 0 {
		least := (ports + int64(p.Down) - 1) / int64(p.Down)
		m.Vertices("nodes", least)
		g.switches = int(max(least, int64(g.uplinks)))
		return
	}
	most := (ports + int64(p.Switches) - 1) / int64(p.Switches)
	m.Ports("switches", most)
	if p.Down != 0 && most > int64(p.Down) {
		m.Add("switches", "%s with %s each take %d ports of a switch, not %d", english.Count(g.nodes, "node"),
			english.Count(g.uplinks, "uplink"), most, p.Down)
	}
}

func (g *access) Family() string           { return accessFamily.Name }
func (g *access) Kinds() []topology.Kind   { return g.kinds }
func (g *access) Levels() []topology.Level { return g.levels }

// Groupings are the units, those without nodes too.
func (g *access) Groupings() []topology.Grouping {
	if g.down == 0 {
		return nil
	}
	return []topology.Grouping{{Name: "unit", Count: g.switches / g.uplinks, Of: func(v int) int32 {
		if v < g.switches {
			return int32(v / g.uplinks)
		}
		return int32((v - g.switches) / g.down)
	}}}
}

// Label is the number of a switch or node: "s3", "n17".
func (g *access) Label(v int) string {
	if v < g.switches {
		return fmt.Sprintf("s%d", v)
	}
	return fmt.Sprintf("n%d", v-g.switches)
}

// Links yields node after node.
func (g *access) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for n := range g.nodes {
			for j := range g.uplinks {
				l := topology.Link{B: int32(g.switches + n), PortB: int32(j), Width: 1}
				if g.down > 0 {
					l.A, l.PortA = int32(n/g.down*g.uplinks+j), int32(n%g.down)
				} else {
					i := n*g.uplinks + j
					l.A, l.PortA = int32(i%g.switches), int32(i/g.switches)
				}
				if !yield(l) {
					return
				}
			}
		}
	}
}

// LevelChannels: every uplink of every node.
func (g *access) LevelChannels() []int64 { return []int64{int64(g.nodes) * int64(g.uplinks)} }

// ClosedForms has distances only where all nodes share a switch.
func (g *access) ClosedForms() topology.ClosedForms {
	c := noForms()
	c.SingleLinks = true
	c.DegreeMin, c.DegreeMax = 0, 0
	if one := g.down >= g.nodes || g.switches == g.uplinks; one {
		c.Diameter, c.MeanHops = star(g.nodes)
	}
	return c
}

// noForms states nothing.
func noForms() topology.ClosedForms {
	return topology.ClosedForms{
		DegreeMin: -1, DegreeMax: -1, Diameter: -1, MeanHops: math.NaN(), Bisection: math.NaN(),
	}
}

// star is the distances of n ends that share a switch.
func star(n int) (diameter int, mean float64) {
	if n < 2 {
		return 0, math.NaN()
	}
	return 2, 2
}

// TurnsOnce holds as the nodes are all that is on a switch.
func (g *access) TurnsOnce() bool { return true }

// UsualRouting goes up to a switch and down to the node.
func (g *access) UsualRouting() string { return "tree" }

// PlacementGroups are the units.
func (g *access) PlacementGroups() (strategy string, grouping int) {
	return "pods", len(g.Groupings()) - 1
}
