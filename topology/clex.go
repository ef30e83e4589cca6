package topology

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/internal/arith"
)

// clex is CLEX C(l) over cliques of n1 nodes (C. Lenzen and R. Wattenhofer,
// "CLEX: yet another supercomputer architecture?", arXiv:1607.00298, definition
// II.3). A node has l digits to the base n1, written (i_l, ..., i_1); its vertex
// number has i_1 as its lowest digit. On level 1, the nodes that differ in i_1
// only are a clique. On level k > 1, a node with digits i = i_k and j = i_1 has
// directed edges to the n1 nodes that have j in place of i_k and any digit in
// place of i_1.
//
// # What is a link
//
// A link joins two distinct nodes and serves both directions if both edges
// exist. The edge from (..., i, ..., j) to (..., j, ..., i) has its opposite: the
// two are one link. The others are simplex links, in all n (n1 - 1) - n (n1 -
// 1)/(2 n1) links on each level above the first. Edges with j = i lead into the
// node's own clique, parallel to level 1: they are capacity, not links. The
// paper's degree, l n1, counts these and loops; the degree in distinct links
// runs from (n1 - 1) l to (n1 - 1)(2l - 1). Hops follow the directed edges.
//
// # Bundled
//
// The bundled form has one link on each level above the first, of capacity n1
// and duplex, between (..., i, ..., j) and (..., j, ..., i); none where j = i. This
// is what the paper prefers for a real system. The link has width 1 and takes one
// port of a vertex; n1 is the Capacity of its level, which may be set to another.
//
// # Ports
//
// A node of the full form has l n1 ports, each a lane to transmit and a lane to
// receive, which may lead to different nodes. On level 1, port c leads to the
// node of the clique with i_1 = c (the node's own, the loop, is not used). On
// level k > 1, of node (..., i, ..., j), port (k-1) n1 + (c - i mod n1) transmits
// to the node with i_1 = c, and port (k-1) n1 + (r - j mod n1) receives from the
// node with i_k = r. So the first port of a level, with c = i and r = j, is
// duplex and no lane is used twice.
//
// A node of the bundled form has n1 - 1 ports to its clique, in ascending order
// of i_1 without its own, and then one for each level.
//
// The only kind is "node"; the levels are level1 ... levelL; the nests copy1
// ... copy(L-1) are the copies of C(1), the cliques, to C(L-1).
//
// Renaming the digits in all places alike keeps the graph, as does permuting the
// places of i_2 ... i_l: an orbit is the nodes that agree but for these.
type clex struct {
	clique, count int // n1, l
	bundled       bool
	kinds         []Kind
	levels        []Level
}

var (
	_ Symmetric    = (*clex)(nil)
	_ Formulas     = (*clex)(nil)
	_ HopCounts    = (*clex)(nil)
	_ CliqueGraph  = (*clex)(nil)
	_ FloodBounded = (*clex)(nil)
	_ UsualRouter  = (*clex)(nil)
)

var clexFamily = Family{
	Name:   "clex",
	Doc:    "cliques of nodes, joined recursively so that every clique reaches all others of its copy at once",
	Source: "C. Lenzen and R. Wattenhofer, CLEX: yet another supercomputer architecture?, arXiv:1607.00298",
	Params: []Param{
		{Name: "clique", Doc: "the number of nodes of a clique, from 2 to 65535", Required: true},
		{Name: "levels", Doc: "the number of levels, from 1 to 30", Required: true},
		{Name: "bundled", Doc: "true for one link of many times the capacity on each level above the first; the full " +
			"form when left out"},
	},
	Zero:     CLEX{},
	Sizes:    clexSizes,
	SizesDoc: "two levels or more, bundled and full",
}

// CLEX is cliques of nodes, joined recursively.
type CLEX struct {
	Clique int `yaml:"clique,omitempty" json:"clique,omitempty"` // nodes of a clique: n1
	// one link of many times the capacity in place of many links
	Bundled bool `yaml:"bundled,omitempty" json:"bundled,omitempty"`
	Levels  int  `yaml:"levels,omitempty" json:"levels,omitempty"` // levels of links: l
}

// Family is "clex".
func (CLEX) Family() string { return "clex" }

// Build makes the graph, full or bundled.
func (p CLEX) Build(m *Mistakes) Graph {
	m.Within("clique", p.Clique, 2, MaxPorts)
	m.Within("levels", p.Levels, 1, 30)
	if !m.None() {
		return nil
	}
	nodes := int64(1)
	for range p.Levels {
		nodes = arith.Times(nodes, int64(p.Clique))
	}
	m.Vertices("levels", nodes)
	ports := p.Levels * p.Clique
	if p.Bundled {
		ports = p.Clique - 1 + p.Levels - 1
	}
	m.Ports("clique", int64(ports))
	if !m.None() {
		return nil
	}
	g := &clex{
		clique: p.Clique, count: p.Levels, bundled: p.Bundled,
		kinds: []Kind{{Name: "node", Count: int(nodes), Role: Node, Ports: ports}},
	}
	for k := range p.Levels {
		l := Level{Name: "level" + strconv.Itoa(k+1)}
		if p.Bundled && k > 0 {
			l.Capacity = int32(p.Clique)
		}
		g.levels = append(g.levels, l)
	}
	return g
}

func (g *clex) Family() string  { return clexFamily.Name }
func (g *clex) Kinds() []Kind   { return g.kinds }
func (g *clex) Levels() []Level { return g.levels }

func (g *clex) Nests() []Nest {
	var nests []Nest
	for k, size := 1, g.clique; k < g.count; k, size = k+1, size*g.clique {
		nests = append(nests, Nest{
			Name: "copy" + strconv.Itoa(k), Count: g.kinds[0].Count / size,
			Of: func(v int) int32 { return int32(v / size) },
		})
	}
	return nests
}

// Label is (i_l,...,i_1).
func (g *clex) Label(v int) string {
	b := []byte{'('}
	for place := g.kinds[0].Count / g.clique; place > 0; place /= g.clique {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(v/place%g.clique), 10)
	}
	return string(append(b, ')'))
}

// Links yields one level after the other: the cliques, then for each level the
// edges by the node they lead from, duplex links from the lower node only.
func (g *clex) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if !g.cliques(yield) {
			return
		}
		stride := 1
		for k := 2; k <= g.count; k++ {
			stride *= g.clique
			for block := 0; block < g.kinds[0].Count; block += stride * g.clique {
				for at := block; at < block+stride; at += g.clique {
					if !g.fan(k, at, stride, yield) {
						return
					}
				}
			}
		}
	}
}

func (g *clex) cliques(yield func(Link) bool) bool {
	l := Link{Width: 1}
	for first := 0; first < g.kinds[0].Count; first += g.clique {
		for i := range g.clique {
			l.A = int32(first + i)
			l.PortB = int32(i)
			for j := i + 1; j < g.clique; j++ {
				l.B = int32(first + j)
				l.PortA = int32(j)
				if g.bundled {
					l.PortA--
				}
				if !yield(l) {
					return false
				}
			}
		}
	}
	return true
}

// fan yields the links of level k between n1 cliques that differ in digit k
// only, the first node of which is at.
func (g *clex) fan(k, at, stride int, yield func(Link) bool) bool {
	n1 := g.clique
	if g.bundled {
		l := Link{PortA: int32(n1 - 3 + k), PortB: int32(n1 - 3 + k), Level: int32(k - 1), Width: 1}
		for i := range n1 {
			for j := i + 1; j < n1; j++ {
				l.A, l.B = int32(at+i*stride+j), int32(at+j*stride+i)
				if !yield(l) {
					return false
				}
			}
		}
		return true
	}
	base := int32((k - 1) * n1)
	duplex := Link{PortA: base, PortB: base, Level: int32(k - 1), Width: 1}
	l := duplex
	l.Simplex = true
	for i := range n1 {
		for j := range n1 {
			if i == j {
				continue
			}
			l.A = int32(at + i*stride + j)
			to := at + j*stride
			if i < j {
				duplex.A, duplex.B = l.A, int32(to+i)
				if !yield(duplex) {
					return false
				}
			}
			// From c = i + 1 on round to i - 1: the transmitting port counts up.
			// The receiver (j, ..., c) numbers its ports from its own last digit
			// c, and this node has digit i.
			l.PortA, l.PortB = base, base+int32(n1)
			for c := i + 1; c < n1; c++ {
				l.B = int32(to + c)
				l.PortA++
				l.PortB--
				if !yield(l) {
					return false
				}
			}
			for c := range i {
				l.B = int32(to + c)
				l.PortA++
				l.PortB--
				if !yield(l) {
					return false
				}
			}
		}
	}
	return true
}

// Orbits lists one node for every way in which digits may be equal, the places
// from i_2 on taken in any order: i_1 = 0 occurs so often, and other digits 1,
// 2, ... ever less often.
func (g *clex) Orbits() []Orbit {
	var orbits []Orbit
	var parts []int // how often 1, 2, ... occur
	var extend func(left int)
	extend = func(left int) {
		if left == 0 {
			orbits = append(orbits, g.orbit(parts))
			return
		}
		most := left
		if len(parts) > 0 {
			most = min(left, parts[len(parts)-1])
		}
		if len(parts) == g.clique-1 {
			return
		}
		for n := most; n > 0; n-- {
			parts = append(parts, n)
			extend(left - n)
			parts = parts[:len(parts)-1]
		}
	}
	for zeros := g.count - 1; zeros >= 0; zeros-- {
		extend(g.count - 1 - zeros)
	}
	return orbits
}

// orbit is that of the node whose i_1 and other places are 0 but for parts of
// 1, 2, ....
func (g *clex) orbit(parts []int) Orbit {
	v, place := 0, g.clique
	ways, left := 1, g.count-1 // places that digits may take
	names := g.clique          // digits that they may be
	size := g.clique
	for i, n := range parts {
		for range n {
			v += (i + 1) * place
			place *= g.clique
		}
		ways *= arith.Binomial(left, n)
		left -= n
		names--
		size *= names
		if same := i + 1 - slices.Index(parts, n); same > 1 {
			ways /= same // parts of equal size have no order
		}
	}
	return Orbit{Vertex: v, Size: size * ways}
}

// ClosedForms states distances of the directed graph. Every hop sets i_1 at
// will and may first copy it to one other place. So if d of the places from i_2
// on differ, a message takes d hops if its own i_1 is wanted in one of them, and
// d + 1 if not. The paper's 2^l - 1 is a bound; in the bundled form, each of l - 1
// places takes two hops and i_1 takes one, and from (0, ..., 0) to (1, ..., 1) no
// fewer do.
func (g *clex) ClosedForms() ClosedForms {
	n1, l := g.clique, g.count
	c := ClosedForms{
		DegreeMin: (n1 - 1) * l, DegreeMax: (n1 - 1) * (2*l - 1),
		Diameter: l, MeanHops: math.NaN(), Bisection: math.NaN(),
	}
	if g.bundled {
		c.DegreeMin, c.DegreeMax, c.Diameter = n1-1, n1-1+l-1, 2*l-1
		if l == 1 {
			c.MeanHops = 1
		}
		return c
	}
	nodes := float64(g.kinds[0].Count)
	one := 1 / float64(n1)
	q := 1 - one
	withSelf := float64(l-1)*q + math.Pow(q*q+one, float64(l-1)) - 1/nodes
	c.MeanHops = withSelf * nodes / (nodes - 1)
	return c
}

// HopCounts counts by the number d of places from i_2 on in which two nodes
// differ, and by whether the first node's i_1 is what the second wants in one of
// them: see ClosedForms. The bundled form has no closed form here.
func (g *clex) HopCounts() []uint64 {
	if g.bundled {
		return nil
	}
	n1, places := uint64(g.clique), g.count-1
	nodes := uint64(g.kinds[0].Count)
	counts := make([]uint64, g.count+1)
	counts[0], counts[1] = nodes, nodes*(n1-1)
	for d := 1; d <= places; d++ {
		ways := uint64(arith.Binomial(places, d)) * n1 * n1
		all, far := ways, ways
		for range d {
			all *= n1 * (n1 - 1)
			far *= (n1 - 1) * (n1 - 1)
		}
		for range places - d {
			all *= n1
			far *= n1
		}
		counts[d] += all - far
		counts[d+1] += far
	}
	return counts
}

// Cliques are the n1 nodes of a clique and the l levels.
func (g *clex) Cliques() (size, levels int, bundled bool) { return g.clique, g.count, g.bundled }

// UsualRouting is the paper's direct route.
func (g *clex) UsualRouting() string { return "clex" }

// FloodBound is a link of every level above the first, and links of the first for what else
// there is of depth (arXiv:1607.00298, section II-C).
func (g *clex) FloodBound(depth int) []LevelHops {
	var out []LevelHops
	for k := 1; k < g.count; k++ {
		out = append(out, LevelHops{Level: k, Hops: 1})
	}
	return append(out, LevelHops{Level: 0, Hops: max(depth-g.count+1, 0)})
}

// clexSizes offers the networks of at least two levels, the full form after
// the bundled one.
func clexSizes(s *SizeSearch) {
	for clique := 2; clique*clique <= s.MaxNodes; clique++ {
		s.Powers(clique, 2, func(levels, nodes int) {
			n, c, above := int64(nodes), int64(clique), int64(levels-1)
			z := Size{
				Spec:  Spec{Params: CLEX{Clique: clique, Levels: levels, Bundled: true}},
				Nodes: nodes, Ports: clique - 1 + levels - 1,
				Links: n*(c-1)/2 + above*(n/c*(c-1)/2), Diameter: 2*levels - 1,
			}
			s.Add(0, z)
			z.Spec = Spec{Params: CLEX{Clique: clique, Levels: levels}}
			z.Ports = levels*clique - 1
			z.Links = n*(c-1)/2 + above*(n*(c-1)-n/c*(c-1)/2)
			z.Diameter = levels
			s.Add(1, z)
		})
	}
}
