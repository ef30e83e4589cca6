package clusters

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/trees"
	"github.com/plenum-planner/plenum/topology"
)

// leafPair is ends that are on both switches of a pair, which are linked to each other and act as one (multi-chassis
// link aggregation, IEEE 802.1AX), as in the small networks of NVIDIA's DGX BasePOD (RA-11127-001 V5, 2025).
//
// Node i is on pair i div (nodes of a pair): its first links lead to the first switch, as many to the second. The last
// pair that has nodes may be partly filled. Pairs are not joined to each other.
//
// The kinds are "leaf" and "node"; the levels are terminal and peer; the grouping is "pair", two leaves with their
// nodes. The ports of nodes come first on a leaf, all that are kept for them, then those to the peer.
type leafPair struct {
	nodes, links int // links of a node to either switch
	perPair      int // nodes
	pairs, peer  int
	peerPort     int // the first port to the peer
	kinds        []topology.Kind
	levels       []topology.Level
}

var (
	_ topology.Symmetric   = (*leafPair)(nil)
	_ topology.Formulas    = (*leafPair)(nil)
	_ topology.Counted     = (*leafPair)(nil)
	_ topology.UpDown      = (*leafPair)(nil)
	_ topology.UsualRouter = (*leafPair)(nil)
	_ topology.Placeable   = (*leafPair)(nil)
)

var leafPairFamily = topology.Family{
	Name: "leaf-pair",
	Doc:  "nodes on both switches of a pair, which are linked to each other",
	Source: "NVIDIA DGX BasePOD reference architecture RA-11127-001 V5, 2025, Table 4.2; IEEE 802.1AX (link " +
		"aggregation)",
	Params: []topology.Param{
		{Name: "nodes", Doc: "the number of nodes, at least 1", Required: true},
		{Name: "links", Doc: "the ports of a node on each switch of its pair; 1 when left out"},
		{Name: "down", Doc: "the ports of a switch for nodes; as many as the nodes need when left out"},
		{Name: "pairs", Doc: "the number of pairs; the fewest that have the ports when left out"},
		{Name: "peer_links", Doc: "the links between the switches of a pair; as taper says, or none, when left out"},
		{
			Name: "taper",
			Doc: "the ports of a switch for nodes to a link to its peer: 1 for as many links as ports, 2 for half of " +
				"them",
		},
	},
	Zero: LeafPair{},
}

// LeafPair is nodes on both switches of a pair.
type LeafPair struct {
	Down  int `yaml:"down,omitempty" json:"down,omitempty"`   // ports of a switch for nodes
	Nodes int `yaml:"nodes,omitempty" json:"nodes,omitempty"` // the ends
	// ports of a switch for nodes to a link to its peer
	Taper float64 `yaml:"taper,omitempty" json:"taper,omitempty"`
	// of a node to each switch of its pair, 1 when left out
	Links int `yaml:"links,omitempty" json:"links,omitempty"`
	Pairs int `yaml:"pairs,omitempty" json:"pairs,omitempty"` // the fewest that have the ports when left out
	// between the switches of a pair, as Taper says, or none, when left out
	PeerLinks int `yaml:"peer_links,omitempty" json:"peer_links,omitempty"`
}

// Family is "leaf-pair".
func (LeafPair) Family() string { return "leaf-pair" }

// ShortName has the nodes and their ports: "leaf-pair 8x2".
func (p LeafPair) ShortName() string {
	return fmt.Sprintf("leaf-pair %dx%d", p.Nodes, 2*max(p.Links, 1))
}

// Build attaches the nodes.
func (p LeafPair) Build(m *topology.Mistakes) topology.Graph {
	m.Within("nodes", p.Nodes, 1, topology.MaxVertices)
	m.Within("links", p.Links, 1, topology.MaxPorts/2)
	m.Within("down", p.Down, 1, topology.MaxPorts)
	m.Within("pairs", p.Pairs, 1, topology.MaxVertices/2)
	m.Within("peer_links", p.PeerLinks, 1, topology.MaxPorts)
	switch {
	case p.Taper != 0 && !(p.Taper > 0 && p.Taper <= topology.MaxPorts):
		m.Add("taper", "must be above 0 and at most %d, not %v", topology.MaxPorts, p.Taper)
	case p.Taper != 0 && p.PeerLinks != 0:
		m.Add("taper", "follows from peer_links; leave one of them out")
	}
	if !m.None() {
		return nil
	}
	g := &leafPair{nodes: p.Nodes, links: max(p.Links, 1), pairs: max(p.Pairs, 1), peer: p.PeerLinks}
	if p.Down == 0 {
		g.perPair = arith.CeilDiv(g.nodes, g.pairs)
	} else {
		g.perPair = p.Down / g.links
		if g.perPair < 1 {
			m.Add("down", "%s are too few for the %s of a node", english.Count(p.Down, "port"),
				english.Count(g.links, "link"))
			return nil
		}
		least := arith.CeilDiv(g.nodes, g.perPair)
		if p.Pairs == 0 {
			g.pairs = least
		} else if p.Pairs < least {
			m.Add("pairs", "%s need at least %s, %s each, not %d", english.Count(g.nodes, "node"),
				english.Count(least, "pair"), english.Count(g.perPair, "node"), p.Pairs)
		}
	}
	g.perPair = min(g.perPair, g.nodes)
	down := max(int64(g.perPair)*int64(g.links), int64(p.Down))
	if p.Taper > 0 {
		g.peer = trees.UpPorts(int(down), p.Taper)
	}
	ports := int64(g.perPair) * int64(g.links)
	g.levels = []topology.Level{{Name: "terminal"}}
	if g.peer > 0 {
		g.levels = append(g.levels, topology.Level{Name: "peer"})
		g.peerPort = int(down)
		ports = down + int64(g.peer)
	}
	m.Ports("nodes", ports)
	m.Vertices("nodes", 2*int64(g.pairs)+int64(g.nodes))
	if !m.None() {
		return nil
	}
	g.kinds = []topology.Kind{
		{Name: "leaf", Count: 2 * g.pairs, Role: topology.Switch, Ports: int(ports)},
		{Name: "node", First: 2 * g.pairs, Count: g.nodes, Role: topology.Terminal, Ports: 2 * g.links},
	}
	return g
}

func (g *leafPair) Family() string         { return leafPairFamily.Name }
func (g *leafPair) Kinds() []topology.Kind { return g.kinds }

func (g *leafPair) Levels() []topology.Level { return g.levels }

// Groupings are the pairs, those without nodes too.
func (g *leafPair) Groupings() []topology.Grouping {
	return []topology.Grouping{{Name: "pair", Count: g.pairs, Of: func(v int) int32 {
		if v < 2*g.pairs {
			return int32(v / 2)
		}
		return int32((v - 2*g.pairs) / g.perPair)
	}}}
}

// Coordinates is the side of a leaf in its pair.
func (g *leafPair) Coordinates() []topology.Coordinate {
	return []topology.Coordinate{{Name: "side", Of: func(v int) int32 {
		if v < 2*g.pairs {
			return int32(v % 2)
		}
		return -1
	}}}
}

// Label is the pair and side of a switch, or the number of a node: "p3.a", "n17".
func (g *leafPair) Label(v int) string {
	if v < 2*g.pairs {
		return fmt.Sprintf("p%d.%c", v/2, 'a'+v%2)
	}
	return fmt.Sprintf("n%d", v-2*g.pairs)
}

// Links yields the terminals node after node, then the links of the pairs.
func (g *leafPair) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for n := range g.nodes {
			for side := range 2 {
				if !yield(topology.Link{
					A: int32(n/g.perPair*2 + side), PortA: int32(n % g.perPair * g.links),
					B: int32(2*g.pairs + n), PortB: int32(side * g.links), Width: int32(g.links),
				}) {
					return
				}
			}
		}
		if g.peer == 0 {
			return
		}
		port := int32(g.peerPort)
		for pair := range g.pairs {
			a := int32(2 * pair)
			if !yield(topology.Link{A: a, B: a + 1, PortA: port, PortB: port, Level: 1, Width: int32(g.peer)}) {
				return
			}
		}
	}
}

// Orbits are the switches of full pairs, of one that is partly filled, and of those without nodes.
func (g *leafPair) Orbits() []topology.Orbit {
	var out []topology.Orbit
	add := func(pair, count int) {
		if count > 0 {
			out = append(out, topology.Orbit{Vertex: 2 * pair, Size: 2 * count})
		}
	}
	full, used := g.nodes/g.perPair, arith.CeilDiv(g.nodes, g.perPair)
	add(0, full)
	add(full, used-full)
	add(used, g.pairs-used)
	return out
}

// LevelChannels: all ports of all nodes, and the links of the pairs.
func (g *leafPair) LevelChannels() []int64 {
	out := []int64{2 * int64(g.links) * int64(g.nodes), int64(g.peer) * int64(g.pairs)}
	return out[:len(g.Levels())]
}

// ClosedForms has distances only where all nodes are on one pair.
func (g *leafPair) ClosedForms() topology.ClosedForms {
	c := noForms()
	if g.peer > 0 && g.peerPort > g.perPair*g.links {
		return c // ports for nodes stay empty: those of the kind are not the channels of a switch
	}
	c.SingleLinks = g.links == 1 && g.peer <= 1
	c.DegreeMin, c.DegreeMax = len(g.Levels())-1, len(g.Levels())-1
	if g.perPair >= g.nodes {
		c.Diameter, c.MeanHops = star(g.nodes)
	}
	return c
}

// TurnsOnce holds as two nodes of a pair share both of its switches.
func (g *leafPair) TurnsOnce() bool { return true }

// UsualRouting goes up to either switch and down to the node.
func (g *leafPair) UsualRouting() string { return "tree" }

// PlacementGroups are the pairs.
func (g *leafPair) PlacementGroups() (strategy string, grouping int) { return "pods", 0 }
