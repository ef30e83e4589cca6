package topology

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/arith"
)

// fatClique is cliques on three heights (M. Zhang, R. Niranjan Mysore, S. Supittayapornpong and R. Govindan,
// "Understanding Lifecycle Management Complexity of Datacenter Topologies", NSDI 2019, section 4): a sub-block is s_c
// fully joined switches, a block is s_b sub-blocks with as many links between every two of them, and the network is
// blocks with as many links between every two of them. A switch has p_c ports for other sub-blocks of its block and p_b
// for other blocks; the source asks for more of all these ports than nodes on it, a fat edge.
//
// Between two sub-blocks there are floor(s_c p_c/(s_b-1)) channels, between two blocks floor(s_c s_b p_b/(blocks-1)),
// which leaves a remainder of ports free. What the source does with the remainder, and which switches the channels
// join, is not known here: they are arranged as the global channels of a dragonfly are, so that every switch has its
// share.
//
// Without terminals the only kind is "node"; otherwise the kinds are "switch" and "node". The levels are terminal, if
// any, local (in a sub-block), block (between sub-blocks) and global; the groupings are "unit", a switch with its
// nodes, "subblock" and "block". Terminals are on the first ports, then come the local ports in ascending order of the
// switches, those for other sub-blocks and those for other blocks.
type fatClique struct {
	of        FatClique // its parameters
	terminals int
	inner     dragonfly // a block, whose groups are the sub-blocks
	outer     dragonfly // the network, whose groups are the blocks
	kinds     []Kind
	levels    []Level
}

var (
	_ Counted     = (*fatClique)(nil)
	_ Growable    = (*fatClique)(nil)
	_ UsualRouter = (*fatClique)(nil)
	_ Placeable   = (*fatClique)(nil)
)

var fatCliqueFamily = Family{
	Name: "fat-clique",
	Doc:  "cliques of switches in cliques of sub-blocks in a clique of blocks",
	Source: "M. Zhang et al., Understanding Lifecycle Management Complexity of Datacenter Topologies, NSDI 2019, " +
		"section 4",
	Params: []Param{
		{Name: "s_c", Doc: "the number of switches in a sub-block, at least 1", Required: true},
		{Name: "s_b", Doc: "the number of sub-blocks in a block, at least 1", Required: true},
		{Name: "blocks", Doc: "the number of blocks, at least 1", Required: true},
		{Name: "p_c", Doc: "the ports of a switch for other sub-blocks of its block; given if s_b is above 1"},
		{Name: "p_b", Doc: "the number of ports of a switch for other blocks; given if blocks is above 1"},
		optionalTerminals,
	},
	Zero:  FatClique{},
	Sizes: fatCliqueSizes,
	SizesDoc: "6 to 8 switches in a sub-block, a quarter of the ports for nodes, 1/16 to 1/4 for other sub-blocks, " +
		"1, 2, 3 or 6 links between two of these, any number of blocks",
}

// FatClique is cliques of switches in cliques of sub-blocks in a clique of blocks.
type FatClique struct {
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`

	Switches  int `yaml:"s_c,omitempty" json:"s_c,omitempty"`       // of a sub-block
	SubBlocks int `yaml:"s_b,omitempty" json:"s_b,omitempty"`       // of a block
	Blocks    int `yaml:"blocks,omitempty" json:"blocks,omitempty"` // of the network
	// of a switch for other sub-blocks of its block
	SubBlockPorts int `yaml:"p_c,omitempty" json:"p_c,omitempty"`
	BlockPorts    int `yaml:"p_b,omitempty" json:"p_b,omitempty"` // of a switch for other blocks
}

// Family is "fat-clique".
func (FatClique) Family() string { return "fat-clique" }

// Build makes the cliques.
func (p FatClique) Build(m *Mistakes) Graph {
	m.Within("s_c", p.Switches, 1, MaxPorts)
	m.Within("s_b", p.SubBlocks, 1, MaxVertices)
	m.Within("blocks", p.Blocks, 1, MaxVertices)
	m.Within("p_c", p.SubBlockPorts, 1, MaxPorts)
	m.Within("p_b", p.BlockPorts, 1, MaxPorts)
	m.Within("terminals", p.Terminals, 1, MaxPorts)
	for _, k := range []struct {
		param, of    string
		ports, parts int
	}{{"p_c", "s_b", p.SubBlockPorts, p.SubBlocks}, {"p_b", "blocks", p.BlockPorts, p.Blocks}} {
		if k.parts == 1 && k.ports > 0 {
			m.Add(k.param, "joins nothing where %s is 1; leave it out", k.of)
		}
	}
	m.Ports("p_c", int64(p.Terminals)+int64(p.Switches-1)+int64(p.SubBlockPorts)+int64(p.BlockPorts))
	switches := arith.Times(arith.Times(int64(p.Switches), int64(p.SubBlocks)), int64(p.Blocks))
	m.Vertices("blocks", arith.Times(switches, int64(1+p.Terminals)))
	if !m.None() {
		return nil
	}
	g := &fatClique{of: p, terminals: p.Terminals}
	g.inner = dragonfly{
		p: p.Terminals, a: p.Switches, groups: p.SubBlocks,
		perPair: p.channels("p_c", "sub-block", p.Switches, p.SubBlockPorts, p.SubBlocks, m),
	}
	g.outer = dragonfly{
		a: p.Switches * p.SubBlocks, groups: p.Blocks,
		perPair: p.channels("p_b", "block", p.Switches*p.SubBlocks, p.BlockPorts, p.Blocks, m),
	}
	if !m.None() {
		return nil
	}
	first := p.Terminals + p.Switches - 1 + arith.CeilDiv(g.inner.channels(), g.inner.a) // port for other blocks
	g.outer.p = first - (g.outer.a - 1)
	ports := first + arith.CeilDiv(g.outer.channels(), g.outer.a) - p.Terminals
	g.kinds, g.levels = routerKinds(int(switches), p.Terminals, ports, "local", "block", "global")
	return g
}

// channels returns the number of channels between every two of several parts, with the given numbers of switches in a
// part and of ports of a switch for other parts; 0 for a single part. It reports ports that do not suffice.
func (p FatClique) channels(param, part string, switches, ports, parts int, m *Mistakes) int {
	if parts == 1 {
		return 0
	}
	n := switches * ports / (parts - 1)
	if n < 1 {
		m.Add(param, "%s of a %s with %s each are too few for a link to each of %s",
			plural(switches, "switch"), part, plural(ports, "port"), plural(parts-1, "other "+part))
	}
	return n
}

func (g *fatClique) Family() string  { return "fat-clique" }
func (g *fatClique) Kinds() []Kind   { return g.kinds }
func (g *fatClique) Levels() []Level { return g.levels }

func (g *fatClique) Groupings() []Grouping {
	router := func(v int) int {
		r, _ := routerOf(g.kinds, g.terminals, v)
		return r
	}
	var groupings []Grouping
	if g.terminals > 0 {
		groupings = append(groupings, Grouping{
			Name: "unit", Count: g.kinds[0].Count, Of: func(v int) int32 { return int32(router(v)) },
		})
	}
	return append(groupings,
		Grouping{Name: "subblock", Count: g.inner.groups * g.outer.groups, Of: func(v int) int32 {
			return int32(router(v) / g.inner.a)
		}},
		Grouping{Name: "block", Count: g.outer.groups, Of: func(v int) int32 { return int32(router(v) / g.outer.a) }})
}

// Label is the block, the sub-block in it and the switch in that, or those of a node's switch and the node's port
// there: "(4,0,2)", "(4,0,2):5".
func (g *fatClique) Label(v int) string {
	r, suffix := routerOf(g.kinds, g.terminals, v)
	return fmt.Sprintf("(%d,%d,%d)%s", r/g.outer.a, r%g.outer.a/g.inner.a, r%g.inner.a, suffix)
}

// Links yields the terminals, block by block the links in and between its sub-blocks, and the links between blocks.
func (g *fatClique) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		none := int32(1) // the level of links that terminals do not have
		if g.terminals > 0 {
			none = 0
			if !terminalLinks(g.kinds[0].Count, g.terminals, yield) {
				return
			}
		}
		// from shifts links of a dragonfly to the first switch of what it arranges, and counts levels from its own.
		from := func(first, level int) func(l Link) bool {
			return func(l Link) bool {
				l.A, l.B, l.Level = l.A+int32(first), l.B+int32(first), l.Level+int32(level)-none
				return yield(l)
			}
		}
		for first := 0; first < g.kinds[0].Count; first += g.outer.a {
			for sub := first; sub < first+g.outer.a; sub += g.inner.a {
				if !g.clique(from(sub, 1)) {
					return
				}
			}
			if g.inner.groups > 1 && !g.inner.global(from(first, 0)) {
				return
			}
		}
		if g.outer.groups > 1 {
			g.outer.global(from(0, 1))
		}
	}
}

// clique joins the switches of a sub-block, counted from 0.
func (g *fatClique) clique(yield func(Link) bool) bool {
	for i := range g.inner.a {
		for j := i + 1; j < g.inner.a; j++ {
			if !yield(Link{
				A: int32(i), B: int32(j), PortA: int32(g.terminals + j - 1), PortB: int32(g.terminals + i), Width: 1,
			}) {
				return false
			}
		}
	}
	return true
}

// LevelChannels has all pairs of a sub-block, and as many channels for all pairs of sub-blocks, and of blocks.
func (g *fatClique) LevelChannels() []int64 {
	pairs := func(n int) int64 { return int64(n) * int64(n-1) / 2 }
	blocks := int64(g.outer.groups)
	var out []int64
	if g.terminals > 0 {
		out = append(out, int64(g.kinds[0].Count)*int64(g.terminals))
	}
	return append(out,
		blocks*int64(g.inner.groups)*pairs(g.inner.a),
		blocks*pairs(g.inner.groups)*int64(g.inner.perPair),
		pairs(g.outer.groups)*int64(g.outer.perPair))
}

// UsualRouting is any minimal path: the source names none.
func (g *fatClique) UsualRouting() string { return "min-adaptive" }

// PlacementGroups are the blocks.
func (g *fatClique) PlacementGroups() (strategy string, grouping int) {
	return "groups", len(g.Groupings()) - 1
}

// Grown has more blocks, with fewer links between every two of them.
func (g *fatClique) Grown(nodes int) (Graph, error) {
	p := g.of
	p.Blocks += arith.CeilDiv(nodes, g.outer.a*max(g.terminals, 1))
	return New(p)
}

// fatCliqueSizes offers switches all of whose ports have a use, a quarter of them for nodes: with 6 to 8 switches in a
// sub-block, 1/16 to 1/4 of the ports for other sub-blocks, and 1, 2, 3 or 6 channels between two of these without a
// remainder, as in the networks that the authors of the source publish with A Throughput-Centric View of the
// Performance of Datacenter Topologies (SIGCOMM 2021); any number of blocks. Without a limit of ports switches have 32,
// 36, 40, 48, 64 or 128.
func fatCliqueSizes(s *SizeSearch) {
	radices, _ := s.Ends()
	for _, radix := range radices {
		for switches := 6; switches <= 8; switches++ {
			for sixteenths := 1; sixteenths <= 4; sixteenths++ {
				for _, perPair := range []int{1, 2, 3, 6} {
					p := FatClique{
						Terminals: radix / 4, Switches: switches, SubBlockPorts: radix * sixteenths / 16, Blocks: 1,
					}
					all := switches * p.SubBlockPorts
					others := radix - p.Terminals - (switches - 1) - p.SubBlockPorts
					if p.Terminals < 1 || all < perPair || all%perPair > 0 || others < 1 {
						continue
					}
					p.SubBlocks = all/perPair + 1
					block := p.Terminals * switches * p.SubBlocks // nodes
					for ; p.Blocks*block <= s.MaxNodes && p.Blocks-1 <= switches*p.SubBlocks*others; p.Blocks++ {
						if p.Blocks > 1 {
							p.BlockPorts = others
						}
						if g := p.Build(&Mistakes{}); g != nil {
							s.Add(sixteenths, g.(*fatClique).size())
						}
					}
				}
			}
		}
	}
}

// size returns the size of a network with terminals.
func (g *fatClique) size() Size {
	z := Size{Spec: Spec{Params: g.of}, Switches: g.kinds[0].Count, Terminals: g.terminals, Diameter: -1}
	z.Nodes, z.Ports = g.kinds[1].Count, g.kinds[0].Ports
	for _, n := range g.LevelChannels() {
		z.Links += n
	}
	return z
}
