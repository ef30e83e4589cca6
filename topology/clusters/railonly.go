package clusters

import (
	"fmt"
	"iter"
	"math"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// railOnly is servers whose accelerators are joined inside the server, and for
// each rank of an accelerator a network of its own, the rail, that joins the
// accelerators of that rank in all servers and no others (W. Wang, M. Ghobadi,
// K. Shakeri, Y. Zhang and N. Hasani, "Rail-only: a low-cost high-performance
// network for training LLMs with trillion parameters", HOTI 2024, arXiv
// 2307.12169).
//
// A node is a server, the paper's high-bandwidth domain: its internal links are not links of this graph, and it has one
// port for each rail. A rail is one switch if it has enough ports, or a fat tree.
//
// The kinds are those of the rails, "leaf", and "spine" and "core" if they exist, and "node"; the levels are terminal,
// tier1, ... as in a fat tree; the grouping is "rail", the switches of one. Port r of a node is on rail r; the
// switches' ports are those of a fat tree.
type railOnly struct {
	rails  int
	nodes  int
	rail   railTree // nil for one switch
	kinds  []topology.Kind
	levels []topology.Level
}

// railTree is what is asked of the fat tree that is a rail.
type railTree interface {
	topology.Symmetric
	topology.Formulas
	topology.EvenTree
}

var (
	_ topology.Symmetric = (*railOnly)(nil)
	_ topology.Formulas  = (*railOnly)(nil)
	_ topology.EvenTree  = (*railOnly)(nil)
	_ topology.Railed    = (*railOnly)(nil)
)

var railOnlyFamily = topology.Family{
	Name: "rail-only",
	Doc:  "a separate network for each rank of the accelerators in a server",
	Source: "W. Wang et al., Rail-only: a low-cost high-performance network for training LLMs with trillion " +
		"parameters, HOTI 2024",
	Params: []topology.Param{
		{Name: "nodes", Doc: "the number of servers, which are high-bandwidth domains", Required: true},
		{Name: "rails", Doc: "the number of accelerators in a server, each on a rail of its own", Required: true},
		{Name: "radix", Doc: "the number of ports of every switch, at least 2", Required: true},
		{Name: "tiers", Doc: "the number of switch tiers of a rail, 1 to 3; the fewest that suffice when left out"},
		{Name: "taper", Doc: "the ratio of down to up ports of a switch below another; 1 when left out"},
	},
	Zero:  RailOnly{},
	Sizes: railOnlySizes,
	SizesDoc: "4, 8 and 16 rails; full rails of one to three tiers; of switches of --ports ports also any number " +
		"of leaves or pods; rails for the servers at both ends of the range",
}

// RailOnly is a separate network for each rank of the accelerators in a server.
type RailOnly struct {
	Nodes int     `yaml:"nodes,omitempty" json:"nodes,omitempty"` // servers
	Radix int     `yaml:"radix,omitempty" json:"radix,omitempty"` // ports of every switch
	Tiers int     `yaml:"tiers,omitempty" json:"tiers,omitempty"` // of switches in a rail, the fewest when left out
	Taper float64 `yaml:"taper,omitempty" json:"taper,omitempty"` // ratio of down to up ports of a switch below another
	Rails int     `yaml:"rails,omitempty" json:"rails,omitempty"` // accelerators of a server
}

// Family is "rail-only".
func (RailOnly) Family() string { return "rail-only" }

// Build makes the rails.
func (p RailOnly) Build(m *topology.Mistakes) topology.Graph {
	m.Within("nodes", p.Nodes, 1, topology.MaxVertices)
	m.Within("rails", p.Rails, 1, topology.MaxPorts)
	m.Within("radix", p.Radix, 2, topology.MaxPorts)
	m.Within("tiers", p.Tiers, 1, 3)
	if !m.None() {
		return nil
	}
	g := &railOnly{rails: p.Rails, nodes: p.Nodes}
	if p.Tiers == 1 || p.Tiers == 0 && p.Nodes <= p.Radix {
		return g.oneSwitch(p, m)
	}
	tiers := []int{p.Tiers}
	if p.Tiers == 0 {
		tiers = []int{2, 3}
	}
	var wrong error
	for _, t := range tiers {
		var rail topology.Graph
		rail, wrong = topology.New(topology.FatTree{Nodes: p.Nodes, Radix: p.Radix, Tiers: t, Taper: p.Taper})
		if wrong == nil {
			g.rail = rail.(railTree)
			break
		}
	}
	for _, f := range diag.Fields(wrong) {
		m.Add(f.Path, "%s", f.Message)
	}
	if wrong != nil {
		return nil
	}
	g.levels = g.rail.Levels()
	first := 0
	for _, k := range g.rail.Kinds() {
		if k.Role == topology.Terminal {
			k.Ports = p.Rails
		} else {
			k.Count *= p.Rails
		}
		k.First = first
		first += k.Count
		g.kinds = append(g.kinds, k)
	}
	m.Vertices("rails", int64(first))
	if !m.None() {
		return nil
	}
	return g
}

// oneSwitch makes rails of one switch.
func (g *railOnly) oneSwitch(p RailOnly, m *topology.Mistakes) topology.Graph {
	if p.Nodes > p.Radix {
		m.Add("tiers", "a rail of one switch with %d ports has no room for %s", p.Radix, english.Count(p.Nodes, "node"))
	}
	if p.Taper != 0 {
		m.Add("taper", "a rail of one switch has no ports to other switches")
	}
	m.Vertices("nodes", int64(p.Nodes)+int64(p.Rails))
	if !m.None() {
		return nil
	}
	g.levels = []topology.Level{{Name: "terminal"}}
	g.kinds = []topology.Kind{
		{Name: "leaf", Count: p.Rails, Role: topology.Switch, Ports: p.Nodes},
		{Name: "node", First: p.Rails, Count: p.Nodes, Role: topology.Terminal, Ports: p.Rails},
	}
	return g
}

func (g *railOnly) Family() string           { return "rail-only" }
func (g *railOnly) Kinds() []topology.Kind   { return g.kinds }
func (g *railOnly) Levels() []topology.Level { return g.levels }

// Rails is the number of rails, each with a port of every node.
func (g *railOnly) Rails() int { return g.rails }

func (g *railOnly) Groupings() []topology.Grouping {
	return []topology.Grouping{{Name: "rail", Count: g.rails, Of: func(v int) int32 {
		rail, _ := g.inRail(v)
		return int32(rail)
	}}}
}

// inRail is the rail of a switch and its number among the switches of its kind
// there; rail is -1 for a node.
func (g *railOnly) inRail(v int) (rail, i int) {
	k := g.kinds[topology.KindOf(g.kinds, v)]
	i = v - k.First
	if k.Role == topology.Terminal {
		return -1, i
	}
	each := k.Count / g.rails
	return i / each, i % each
}

// Orbits are those of a rail, as all rails are alike.
func (g *railOnly) Orbits() []topology.Orbit {
	if g.rail == nil {
		return []topology.Orbit{{Vertex: 0, Size: g.rails}}
	}
	inner := g.rail.Kinds()
	out := g.rail.Orbits()
	for i, o := range out {
		k := topology.KindOf(inner, o.Vertex)
		out[i] = topology.Orbit{Vertex: o.Vertex - inner[k].First + g.kinds[k].First, Size: o.Size * g.rails}
	}
	return out
}

// ClosedForms are those of a rail; halves of the nodes cut every rail.
func (g *railOnly) ClosedForms() topology.ClosedForms {
	if g.rail == nil {
		c := topology.ClosedForms{MeanHops: math.NaN(), Bisection: -1}
		if g.nodes > 1 {
			c.Diameter, c.MeanHops = 2, 2
		}
		return c
	}
	c := g.rail.ClosedForms()
	if c.Bisection >= 0 {
		c.Bisection *= float64(g.rails)
		c.BisectionSource += "; in every rail"
	}
	return c
}

// EvenTiers holds if it does for a rail.
func (g *railOnly) EvenTiers() bool { return g.rail == nil || g.rail.EvenTiers() }

// Label is the rail and number of a switch, or the number of a node: "(7,12)",
// "126".
func (g *railOnly) Label(v int) string {
	rail, i := g.inRail(v)
	if rail < 0 {
		return fmt.Sprint(i)
	}
	return fmt.Sprintf("(%d,%d)", rail, i)
}

// Links yields one rail after the other.
func (g *railOnly) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for rail := range g.rails {
			if g.rail == nil {
				for v := range g.nodes {
					if !yield(topology.Link{
						A: int32(rail), B: int32(g.rails + v),
						PortA: int32(v), PortB: int32(rail), Width: 1,
					}) {
						return
					}
				}
				continue
			}
			if !g.copy(rail, yield) {
				return
			}
		}
	}
}

// copy yields the links of a rail.
func (g *railOnly) copy(rail int, yield func(topology.Link) bool) bool {
	inner := g.rail.Kinds()
	shift := make([]int32, len(inner)) // from a vertex of the fat tree to one of the rail
	for i, k := range inner {
		shift[i] = int32(g.kinds[i].First - k.First)
		if k.Role != topology.Terminal {
			shift[i] += int32(rail * k.Count)
		}
	}
	terminal := int32(inner[len(inner)-1].First)
	for l := range g.rail.Links() {
		if l.A >= terminal {
			l.PortA = int32(rail)
		}
		if l.B >= terminal {
			l.PortB = int32(rail)
		}
		l.A += shift[topology.KindOf(inner, int(l.A))]
		l.B += shift[topology.KindOf(inner, int(l.B))]
		if !yield(l) {
			return false
		}
	}
	return true
}

// railOnlySizes offers servers with 4, 8 and 16 rails. Rails are full: of one
// switch, of two and of three tiers, of switches with any even number of ports.
// Of switches with as many ports as the limit, which come first, rails may also
// be of any number of full leaves or full pods. Rails for as many servers as the
// range begins and ends with are offered as in fatTreeSizes.
func railOnlySizes(s *topology.SizeSearch) {
	for _, rails := range []int{4, 8, 16} {
		for radix := 4; radix <= s.MaxPorts && radix <= s.MaxNodes; radix += 2 {
			for tiers := 1; tiers <= 3; tiers++ {
				if radix != s.Radix {
					s.Add(1, railOnlySize(rails, radix, tiers, radix))
				}
			}
		}
		partRails(s, rails)
		if s.Radix < 4 {
			continue
		}
		s.Add(0, railOnlySize(rails, s.Radix, 1, s.Radix))
		down := s.Radix / 2
		for tiers, nodes := 2, down; tiers <= 3; tiers, nodes = tiers+1, nodes*down {
			// Of two parts, the nodes fit into a tier less.
			s.AddFittingRun(s.Radix-2, 3*nodes, nodes, func(int) int { return 0 },
				func(i int) topology.Size { return railOnlySize(rails, s.Radix, tiers, 3+i) })
		}
	}
}

// partRails offers rails for as many servers as the range begins and ends with,
// in the fewest tiers that do without pods or leaves that not all reach, if these
// are not full leaves or pods.
func partRails(s *topology.SizeSearch, rails int) {
	radices, ends := s.Ends()
	for _, radix := range radices {
		if radix < 4 {
			continue
		}
		down := radix / 2
		for _, nodes := range ends {
			p := RailOnly{Nodes: nodes, Rails: rails, Radix: radix}
			switch {
			case nodes < 2:
				continue
			case nodes < radix:
				s.Add(2, topology.Size{
					Spec: topology.Spec{Params: p}, Nodes: nodes, Switches: rails, Terminals: nodes,
					Ports: nodes, Links: int64(rails) * int64(nodes), Diameter: 2,
				})
				continue
			case nodes == radix:
				continue
			}
			part := down
			for p.Tiers = 2; p.Tiers < 3 && nodes > radix*part; p.Tiers++ {
				part *= down
			}
			if nodes >= radix*part || radix == s.Radix && nodes%part == 0 {
				continue
			}
			if z, ok := (topology.FatTree{Nodes: nodes, Radix: radix, Tiers: p.Tiers}).Size(); ok {
				z.Spec = topology.Spec{Params: p}
				z.Switches *= rails
				z.Links *= int64(rails)
				s.Add(2, z)
			}
		}
	}
}

// railOnlySize is rails of one switch, or of a fat tree of two tiers with the given number of full leaves or of three
// with that of full pods.
func railOnlySize(rails, radix, tiers, parts int) topology.Size {
	p := RailOnly{Nodes: radix, Rails: rails, Radix: radix}
	rail := topology.Size{Switches: 1, Terminals: radix, Ports: radix, Links: int64(radix), Diameter: 2}
	if tiers > 1 {
		p.Nodes, p.Tiers = parts*(radix/2), tiers
		if tiers == 3 {
			p.Nodes *= radix / 2
		}
		var ok bool
		if rail, ok = (topology.FatTree{Nodes: p.Nodes, Radix: radix, Tiers: tiers}).Size(); !ok {
			rail.Switches = topology.MaxVertices // too large a tree to be built
		}
	}
	rail.Spec, rail.Nodes = topology.Spec{Params: p}, p.Nodes
	rail.Switches *= rails
	rail.Links *= int64(rails)
	return rail
}
