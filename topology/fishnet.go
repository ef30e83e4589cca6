package topology

import (
	"fmt"
	"iter"
	"slices"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/galois"
)

// fishnet is copies of one regular graph of n nodes and p ports, the subnet,
// every two of them joined through the neighbours of a node (S. Li et al., "Low
// latency, high bisection-bandwidth networks for exascale memory systems",
// MEMSYS 2016, section 1, Fishnet: Angelfish and Flying Fish). Over a graph of
// diameter 2 the network has diameter 4 in the full variant and 5 in the lite.
//
// There are n+1 subnets. The nodes of subnet j have the labels 0 ... n without
// j: node u of the subnet's graph has label u, or u+1 from j on. In the lite
// variant node i of subnet j is joined to node j of subnet i: p+1 ports. In the
// full variant the p neighbours of node i in subnet j are joined, one to one in
// ascending order, to those of node j in subnet i: 2p ports.
//
// The variants mesh and l-mesh are named and plotted in the paper but not
// defined. Our reading: (n+1)^2 subnets in n+1 columns and n+1 rows, every row
// and every column joined as a network of n+1 subnets, full (mesh, 3p ports) or
// lite (l-mesh, p+2 ports).
//
// The only kind is "node"; the levels are local, within a subnet, and global, or in the mesh row and column. The
// groupings are those of the subnet's graph, "subnet" and in the mesh "row". The ports of a node's subnet come first,
// in ascending order of the neighbours. In the lite variant the next port leads to the other subnet; in the full
// variant port p+k serves the node's kth neighbour. The ports of a column follow those of a row.
//
// In an Angelfish the subnet is a Moore or McKay-Miller-Siran graph, numbered as
// in moore and slimFly; in a Flying Fish Lite it is a square in which the nodes
// of a row and of a column are fully joined. The size and diameter do not depend
// on the numbering, the mean distance does.
type fishnet struct {
	family string
	base   *subnet
	full   bool
	mesh   bool
	kinds  []Kind
	levels []Level
}

var (
	_ Formulas  = (*fishnet)(nil)
	_ Placeable = (*fishnet)(nil)
)

// subnet is a regular graph in memory.
type subnet struct {
	n, p      int
	to        []int32 // neighbour k of v is to[v p + k], in ascending order
	back      []int32 // v is neighbour back[v p + k] of it
	groupings []Grouping
	label     func(int) string
}

var angelfishFamily = Family{
	Name:   "angelfish",
	Doc:    "copies of a diameter-2 graph, joined through the neighbours of their nodes",
	Source: exascaleSource + ", Fishnet: Angelfish and Flying Fish",
	Params: []Param{
		{Name: "q", Doc: "a prime power: the subnet is the McKay-Miller-Siran graph of 2 q^2 nodes; this or subnet"},
		{Name: "subnet", Doc: "the subnet's graph: pentagon, petersen or hoffman-singleton; this or q"},
		{Name: "variant", Doc: "full (default), lite, or in our reading mesh or l-mesh"},
		optionalTerminals,
	},
	Zero:     Angelfish{},
	Sizes:    angelfishSizes,
	SizesDoc: "all",
}

// Angelfish is copies of a graph of diameter 2, of which either Q or Subnet tells.
type Angelfish struct {
	// nodes on each switch; 0 where it is a node itself
	Terminals int    `yaml:"terminals,omitempty" json:"terminals,omitempty"`
	Q         int    `yaml:"q,omitempty" json:"q,omitempty"`           // a prime power: a McKay-Miller-Siran graph
	Subnet    string `yaml:"subnet,omitempty" json:"subnet,omitempty"` // a Moore graph
	// how subnets are joined: full (default), lite, mesh or l-mesh
	Variant string `yaml:"variant,omitempty" json:"variant,omitempty"`
}

// Family is "angelfish".
func (Angelfish) Family() string { return "angelfish" }

// Build makes the copies and joins them.
func (p Angelfish) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p Angelfish) routers(m *Mistakes) Graph {
	switch {
	case p.Q == 0 && p.Subnet == "":
		m.Add("q", "is missing, and so is subnet: give one of them")
	case p.Q != 0 && p.Subnet != "":
		m.Add("subnet", "is given, and so is q: give one of them")
	case p.Q != 0:
		m.primePower("q", p.Q, 3)
	}
	m.OneOf("subnet", p.Subnet, mooreNames)
	m.OneOf("variant", p.Variant, []string{"full", "lite", "mesh", "l-mesh"})
	if !m.None() {
		return nil
	}
	g := &fishnet{
		family: "angelfish",
		full:   p.Variant == "" || p.Variant == "full" || p.Variant == "mesh",
		mesh:   p.Variant == "mesh" || p.Variant == "l-mesh",
	}
	param, n := "subnet", 0
	if p.Q != 0 {
		param, n = "q", 2*p.Q*p.Q
	} else {
		n = newMoore(p.Subnet).kinds[0].Count
	}
	m.Vertices(param, g.nodes(n))
	if !m.None() {
		return nil
	}
	if p.Q != 0 {
		g.base = newSubnet(newSlimFly(SlimFly{Q: p.Q}, m))
	} else {
		g.base = newSubnet(newMoore(p.Subnet))
	}
	g.describe()
	return g
}

// nodes is the number of nodes of the network of subnets of n nodes.
func (g *fishnet) nodes(n int) int64 {
	nodes := arith.Times(int64(n), int64(n+1))
	if g.mesh {
		nodes = arith.Times(nodes, int64(n+1))
	}
	return nodes
}

// describe sets the kinds and levels.
func (g *fishnet) describe() {
	ports := g.base.p + g.globalPorts()
	g.levels = []Level{{Name: "local"}, {Name: "global"}}
	if g.mesh {
		ports += g.globalPorts()
		g.levels = []Level{{Name: "local"}, {Name: "row"}, {Name: "column"}}
	}
	g.kinds = []Kind{{Name: "node", Count: int(g.nodes(g.base.n)), Role: Node, Ports: ports}}
}

// globalPorts is a node's ports for the links among the subnets of one row.
func (g *fishnet) globalPorts() int {
	if g.full {
		return g.base.p
	}
	return 1
}

// newSubnet stores the links of a regular graph. Its vertices are all of one kind, and no two links join the same two.
func newSubnet(g Graph) *subnet {
	c := NewCSR(g)
	s := &subnet{n: c.Vertices(), p: int(c.First[1]), to: c.To, groupings: g.Groupings(), label: g.Label}
	s.back = make([]int32, len(s.to))
	for v := range s.n {
		slices.Sort(c.Neighbours(v))
	}
	seen := make([]int32, s.n) // neighbours of w below v
	for v := range s.n {
		for k, w := range c.Neighbours(v) {
			s.back[v*s.p+k] = seen[w]
			seen[w]++
		}
	}
	return s
}

// index is the node with the given label in the subnet numbered own.
func index(label, own int) int {
	if label > own {
		return label - 1
	}
	return label
}

func (g *fishnet) Family() string  { return g.family }
func (g *fishnet) Kinds() []Kind   { return g.kinds }
func (g *fishnet) Levels() []Level { return g.levels }

// subnets is the number of subnets in a row.
func (g *fishnet) subnets() int { return g.base.n + 1 }

func (g *fishnet) Groupings() []Grouping {
	n := g.base.n
	all := g.kinds[0].Count / n
	var out []Grouping
	for _, inner := range g.base.groupings {
		out = append(out, Grouping{Name: inner.Name, Count: inner.Count * all, Of: func(v int) int32 {
			return int32(v/n*inner.Count) + inner.Of(v%n)
		}})
	}
	out = append(out, Grouping{Name: "subnet", Count: all, Of: func(v int) int32 { return int32(v / n) }})
	if g.mesh {
		row := n * g.subnets()
		out = append(out, Grouping{Name: "row", Count: g.subnets(), Of: func(v int) int32 { return int32(v / row) }})
	}
	return out
}

// Label is the subnet and the node's label in it: "(0,7)"; in the mesh the
// column and row of the subnet, and the node in it from 0: "(0,3,7)".
func (g *fishnet) Label(v int) string {
	n := g.base.n
	u, s := v%n, v/n
	if g.mesh {
		return fmt.Sprintf("(%d,%d,%d)", s%g.subnets(), s/g.subnets(), u)
	}
	if u >= s {
		u++
	}
	return fmt.Sprintf("(%d,%d)", s, u)
}

func (g *fishnet) ClosedForms() ClosedForms {
	m := g.subnets()
	ports := g.kinds[0].Ports
	c := ClosedForms{
		DegreeMin: ports, DegreeMax: ports, Diameter: -1, MeanHops: -1,
		Bisection: float64(m / 2 * (m - m/2) * g.globalPorts()),
		BisectionSource: "links per pair x floor(M/2) ceil(M/2), between halves of the M subnets; about n^2/4 links " +
			"in place of that product in " + exascaleSource,
	}
	switch {
	case g.mesh:
		c.Bisection *= float64(m)
		c.BisectionSource = "links per pair x M floor(M/2) ceil(M/2), between halves of the columns of M x M " +
			"subnets; our reading"
	case g.base.n == 5: // over a pentagon the bounds below are not reached
	case g.full:
		c.Diameter = 4
	default:
		c.Diameter = 5
	}
	return c
}

// Links yields the subnets one after the other, then the links between them,
// rows before columns.
func (g *fishnet) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if !g.local(yield) {
			return
		}
		n, m := g.base.n, g.subnets()
		if !g.mesh {
			g.join(0, n, Link{PortA: int32(g.base.p), Level: 1}, yield)
			return
		}
		for row := range m {
			if !g.join(row*m*n, n, Link{PortA: int32(g.base.p), Level: 1}, yield) {
				return
			}
		}
		port := int32(g.base.p + g.globalPorts())
		for column := range m {
			if !g.join(column*n, n*m, Link{PortA: port, Level: 2}, yield) {
				return
			}
		}
	}
}

func (g *fishnet) local(yield func(Link) bool) bool {
	b := g.base
	for first := 0; first < g.kinds[0].Count; first += b.n {
		for v := range b.n {
			for k := range b.p {
				w := b.to[v*b.p+k]
				if int(w) < v {
					continue
				}
				if !yield(Link{
					A: int32(first + v), B: int32(first) + w,
					PortA: int32(k), PortB: b.back[v*b.p+k], Width: 1,
				}) {
					return false
				}
			}
		}
	}
	return true
}

// join links every two of the subnets that start at vertices first, first +
// stride, ...; from tells the level and the first port of the links.
func (g *fishnet) join(first, stride int, from Link, yield func(Link) bool) bool {
	b := g.base
	port := from.PortA
	l := Link{PortA: port, PortB: port, Level: from.Level, Width: 1}
	for j := range g.subnets() {
		for i := j + 1; i < g.subnets(); i++ {
			inJ, inI := index(i, j), index(j, i)
			firstJ, firstI := int32(first+j*stride), int32(first+i*stride)
			if !g.full {
				l.A, l.B = firstJ+int32(inJ), firstI+int32(inI)
				if !yield(l) {
					return false
				}
				continue
			}
			for k := range b.p {
				a, c := inJ*b.p+k, inI*b.p+k
				l.A, l.B = firstJ+b.to[a], firstI+b.to[c]
				l.PortA, l.PortB = port+b.back[a], port+b.back[c]
				if !yield(l) {
					return false
				}
			}
		}
	}
	return true
}

// PlacementGroups are the subnets.
func (g *fishnet) PlacementGroups() (strategy string, grouping int) {
	return "groups", groupingNamed(g.Groupings(), "subnet")
}

// groupingNamed is the number of the grouping of a name, -1 for none.
func groupingNamed(groupings []Grouping, name string) int {
	return slices.IndexFunc(groupings, func(n Grouping) bool { return n.Name == name })
}

// angelfishSizes offers all variants over every subnet, mesh and l-mesh after
// full and lite.
func angelfishSizes(s *SizeSearch) {
	offer := func(params Angelfish, n, p int) {
		for rank, variant := range []string{"full", "lite", "mesh", "l-mesh"} {
			params.Variant = variant
			g := fishnet{base: &subnet{n: n, p: p}, full: rank%2 == 0, mesh: rank >= 2}
			g.describe()
			nodes := g.nodes(n)
			if nodes > int64(s.MaxNodes) {
				continue
			}
			diameter := 4 + rank
			if n == 5 || g.mesh {
				diameter = -1
			}
			s.Add(rank/2, regularSize(params, int(nodes), g.kinds[0].Ports, diameter))
		}
	}
	for _, name := range mooreNames {
		g := newMoore(name)
		offer(Angelfish{Subnet: name}, g.kinds[0].Count, g.kinds[0].Ports)
	}
	for q := 3; arith.Times(arith.Times(2, int64(q)*int64(q)), int64(q)*int64(q)) <= int64(s.MaxNodes); q++ {
		if p, _ := galois.PrimePower(q); p != 0 {
			offer(Angelfish{Q: q}, 2*q*q, slimFlyDegree(q))
		}
	}
}
