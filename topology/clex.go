package topology

import (
	"iter"
	"math"
	"strconv"
	"sync"

	"github.com/plenum-planner/plenum/internal/arith"
)

// clex is CLEX C(l) over cliques of n1 nodes (C. Lenzen and R. Wattenhofer,
// "CLEX: yet another supercomputer architecture?", arXiv:1607.00298, definition
// II.3). A node has l digits to the base n1, written (i_l, ..., i_1); its vertex
// number has i_1 as its lowest digit. The nodes that agree in the digits above
// i_k are a copy of C(k). On level 1, a copy of C(1) is a clique. On level k > 1, a
// node has directed edges within its copy of C(k), of which the lowest k digits
// are written here: from (i, v_(k-1), ..., v_2, j) to (j, e, v_(k-1), ..., v_2) for
// every digit e. So its last digit names the copy of C(k-1) that all of its edges
// lead to, and e one of the n1 copies of C(k-2) there. On level 2 this is from (i, j)
// to (j, e).
//
// # Why these edges
//
// The formula of the edges is lost from the copies of the paper that could be had.
// Its text asks for n1 edges more on each level; for the edges of a node on a level
// to lead to the same copy; for 1/n1 of the nodes of each copy to have edges to a
// given copy; and that a single link in place of the n1 edges of a node leaves every
// node with exactly one incoming link. Its tables ask for edges that choose between
// the copies of C(k-2), and its section II-C for trees most of whose links are of
// level 1. The edges here meet all of these; the authors have not confirmed them.
// docs/internals/reproduction.md has the sentences one by one.
//
// # What is a link
//
// A link joins two distinct nodes and serves both directions if both edges exist,
// which is so for n1 (n1 - 1)/2 pairs of each copy of C(k): (i, j, i, j, ..., i, j)
// and (j, i, ..., j, i) for even k, (i, i, j, ..., i, j) and (j, j, i, ..., j, i) for
// odd k. The others are simplex links. Of the n1^(k+1) edges of a copy, n1^2 stay
// inside a clique, parallel to level 1, or are loops. The graph has no links for these,
// though the paper's degree, l n1, counts them as capacity. In the full form hops follow the
// directed edges.
//
// # Bundled
//
// The bundled form has one link in place of the n1 edges of a node: that with e = i,
// from (i, v_(k-1), ..., v_2, j) to (j, i, v_(k-1), ..., v_2), so that the lowest k
// digits rotate by one place. No link starts at a node with j = i, and one at every other
// node; at most one ends at a node. The links are duplex, as in the paper's model: packets
// take them both ways. So a node has two ports on a level, and
// one on level 2, on which (i, j) and (j, i) lead to each other. The paper prefers this
// form for a real system. A link has width 1; its level has the Capacity n1, in units of
// the rate of a port, unless the key capacity of the machine file sets another.
//
// # Ports
//
// A node of the full form has l n1 ports, each a lane to transmit and a lane to
// receive, which may lead to different nodes. On level 1, port c leads to the
// node of the clique with i_1 = c (the node's own, the loop, is not used). On
// level k > 1, of node (i, ..., j), port (k-1) n1 + ((e - s) mod n1) transmits over edge
// e, where s is i for even k and j for odd k, and port (k-1) n1 + ((r - j) mod n1)
// receives from the copy with i_k = r; mod is from 0 to n1 - 1. So the first port of a
// level is that of the duplex link, if there is one, and no lane is used twice. A simplex
// link uses the transmitting lane of one port and the receiving lane of another.
//
// A node of the bundled form has n1 - 1 ports to its clique, in ascending order of
// i_1 without its own, one for level 2, and then for each level one for the link that
// starts at the node and one for the link that ends there. Two nodes that are each the
// start of the other's link have one link, in the first of the two ports.
//
// The only kind is "node"; the levels are level1 ... levelL; the groupings copy1 ... copy(L-1) are the copies of C(1),
// the cliques, to C(L-1).
//
// Renaming the digits in all places alike keeps the graph: an orbit is the nodes
// that have equal digits in the same places.
//
// All of this is of the network of cliques of nodes. With CLEX.Terminals the nodes are
// switches with terminals (WithTerminals), with CLEX.Local other networks replace the
// cliques (withLocal).
type clex struct {
	clique, count int // n1, l
	bundled       bool
	kinds         []Kind
	levels        []Level
	hopCounts     func() []uint64
}

var (
	_ Symmetric   = (*clex)(nil)
	_ Formulas    = (*clex)(nil)
	_ HopCounts   = (*clex)(nil)
	_ CliqueGraph = (*clex)(nil)
	_ UsualRouter = (*clex)(nil)
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
		optionalTerminals,
		localParam,
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
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
	// the network in place of each clique; nil for cliques
	Local *Local `yaml:"local,omitempty" json:"local,omitempty"`
}

// Family is "clex".
func (CLEX) Family() string { return "clex" }

// Build makes the graph, full or bundled. It returns nil if a parameter is out of range, there are too many vertices
// or ports, or Local does not fit, which it reports to m. Local goes with both forms and with Terminals.
func (p CLEX) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals; nil after a mistake.
func (p CLEX) routers(m *Mistakes) Graph {
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
		ports = bundledPorts(p.Clique, p.Levels)
	}
	m.Ports("clique", int64(ports))
	if !m.None() {
		return nil
	}
	g := &clex{
		clique: p.Clique, count: p.Levels, bundled: p.Bundled,
		kinds: []Kind{{Name: "node", Count: int(nodes), Role: Node, Ports: ports}},
	}
	g.hopCounts = sync.OnceValue(g.searchHops)
	for k := range p.Levels {
		l := Level{Name: "level" + strconv.Itoa(k+1)}
		if p.Bundled && k > 0 {
			l.Capacity = int32(p.Clique)
		}
		g.levels = append(g.levels, l)
	}
	return withLocal(g, p.Local, m)
}

// bundledPorts is the number of ports that a node of the bundled form has; where some are never used,
// bundledDegree is less.
func bundledPorts(clique, levels int) int {
	if levels == 1 {
		return clique - 1
	}
	return clique + 2*(levels-2)
}

// bundledDegree returns the highest number of ports in use at a node of the bundled form.
func bundledDegree(clique, levels int) int {
	if clique == 2 && levels > 2 { // no digit differs from two others
		return 3 + 3*(levels-3)/2
	}
	return bundledPorts(clique, levels)
}

func (g *clex) Family() string  { return clexFamily.Name }
func (g *clex) Kinds() []Kind   { return g.kinds }
func (g *clex) Levels() []Level { return g.levels }

func (g *clex) Groupings() []Grouping {
	var groupings []Grouping
	for k, size := 1, g.clique; k < g.count; k, size = k+1, size*g.clique {
		groupings = append(groupings, Grouping{
			Name: "copy" + strconv.Itoa(k), Count: g.kinds[0].Count / size,
			Of: func(v int) int32 { return int32(v / size) },
		})
	}
	return groupings
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
		_ = g.cliques(yield) && g.otherLinks(yield)
	}
}

// otherLinks yields the links above level 1.
func (g *clex) otherLinks(yield func(Link) bool) bool {
	fan := g.fan
	if g.bundled {
		fan = g.bundle
	}
	stride := 1
	for k := 2; k <= g.count; k++ {
		stride *= g.clique
		for v := range g.kinds[0].Count {
			if !fan(k, v, stride, yield) {
				return false
			}
		}
	}
	return true
}

// cliqueForm describes the copies of C(1).
func (g *clex) cliqueForm() cliqueForm {
	f := cliqueForm{param: "clique", size: g.clique, ports: g.clique, router: func(v int) int { return v }}
	if g.bundled {
		f.ports--
	}
	return f
}

// firstEnd is the node that edge 0 of a node leads to on level k, whose stride, n1^(k-1),
// is the step of vertex numbers by digit i_k. Edge e leads to firstEnd + e stride/n1.
func (g *clex) firstEnd(v, stride int) int {
	n1 := g.clique
	return v - v%(stride*n1) + v%n1*stride + v%stride/n1
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

// fan yields the links of level k of the full form that lead from node v, by e; duplex
// links from their lower node only. It reports whether yield asks for more.
func (g *clex) fan(k, v, stride int, yield func(Link) bool) bool {
	n1 := g.clique
	i, j, step := v/stride%n1, v%n1, stride/n1
	to := g.firstEnd(v, stride)
	base := int32((k - 1) * n1)
	same := j // the edge that may have its opposite
	if k%2 == 0 {
		same = i
	}
	l := Link{A: int32(v), Level: int32(k - 1), Width: 1, Simplex: true}
	for e := range n1 {
		l.B = int32(to + e*step)
		l.PortA, l.PortB = base+int32(e-same), base+int32(i-int(l.B)%n1)
		if e < same {
			l.PortA += int32(n1)
		}
		if l.PortB < base {
			l.PortB += int32(n1)
		}
		if i == j {
			if int(l.B)/n1 == v/n1 {
				continue
			}
		} else if e == same && g.isOpposite(k, v, int(l.B), stride) {
			if v < int(l.B) {
				duplex := l
				duplex.Simplex = false
				if !yield(duplex) {
					return false
				}
			}
			continue
		}
		if !yield(l) {
			return false
		}
	}
	return true
}

// isOpposite reports whether, on level k, the only edge of node w that can be half of a
// duplex link leads to v.
func (g *clex) isOpposite(k, v, w, stride int) bool {
	same := w % g.clique
	if k%2 == 0 {
		same = w / stride % g.clique
	}
	return g.firstEnd(w, stride)+same*(stride/g.clique) == v
}

// bundle yields the link of level k of the bundled form that starts at node v, if there is
// one; of two nodes that start each other's, the lower has it. It reports whether yield
// asks for more.
func (g *clex) bundle(k, v, stride int, yield func(Link) bool) bool {
	n1 := g.clique
	i, j := v/stride%n1, v%n1
	if i == j {
		return true
	}
	to := g.rotated(v, stride)
	out := int32(n1 - 1)
	if k > 2 {
		out = int32(n1 + 2*(k-3))
	}
	l := Link{A: int32(v), B: int32(to), PortA: out, PortB: out + 1, Level: int32(k - 1), Width: 1}
	if g.rotated(to, stride) == v {
		if v > to {
			return true
		}
		l.PortB = out
	}
	return yield(l)
}

// rotated is the node whose lowest k digits are those of v, rotated by one place: the end
// of v's bundled link if the digits i_k and i_1 of v differ. If they are equal v has no
// bundled link, and the result means nothing.
func (g *clex) rotated(v, stride int) int {
	return g.firstEnd(v, stride) + v/stride%g.clique*(stride/g.clique)
}

// Orbits lists one node for every way in which digits may be equal, with the number of
// nodes of that orbit: i_1 is 0, and from there on a digit that has not occurred is the
// lowest such.
func (g *clex) Orbits() []Orbit {
	var orbits []Orbit
	var extend func(v, place, names, size, left int)
	extend = func(v, place, names, size, left int) {
		if left == 0 {
			orbits = append(orbits, Orbit{Vertex: v, Size: size})
			return
		}
		for d := range min(names+1, g.clique) {
			if d == names {
				extend(v+d*place, place*g.clique, names+1, size*(g.clique-names), left-1)
			} else {
				extend(v+d*place, place*g.clique, names, size, left-1)
			}
		}
	}
	extend(0, 1, 0, 1, g.count)
	return orbits
}

// ClosedForms states degrees and distances of the directed graph. The node all of
// whose digits are equal has the fewest links. A message that sets its highest wrong
// digit k needs a hop in its clique, to the node whose i_1 is the digit wanted, and one
// of level k, which sets the next digit too and moves the rest down: two hops for two
// digits, l at most. The paper's 2^l - 1 is a bound. In the bundled form a hop of
// level 1 sets one digit and no other hop sets any, so that it takes l of these from
// (0, ..., 0) to (1, ..., 1) and l - 1 between them.
func (g *clex) ClosedForms() ClosedForms {
	n1, l := g.clique, g.count
	c := ClosedForms{
		DegreeMin: n1 - 1, DegreeMax: n1 - 1,
		Diameter: l, MeanHops: math.NaN(), Bisection: math.NaN(),
	}
	switch {
	case l == 1:
	case g.bundled:
		c.Diameter = 2*l - 1
		c.DegreeMax = bundledDegree(n1, l)
	default:
		c.DegreeMin = 2 * (n1 - 1) * (l - 1)
		c.DegreeMax = 3*(n1-1) + 2*n1*(l-2)
		if n1 == 2 && l > 2 {
			c.DegreeMax--
		}
	}
	if g.bundled && l == 1 {
		c.MeanHops = 1
	}
	if counts := g.HopCounts(); counts != nil {
		sum, pairs := 0.0, 0.0
		for h, n := range counts[1:] {
			sum += float64(h+1) * float64(n)
			pairs += float64(n)
		}
		c.MeanHops = sum / pairs
	}
	return c
}

// HopCounts returns the ordered pairs of nodes by distance, entry 0 the pairs of a node
// with itself. It searches a smaller graph once; nil if that would take more than
// maxHopSearch steps, and for the bundled form.
func (g *clex) HopCounts() []uint64 { return g.hopCounts() }

// maxHopSearch is the most steps that searchHops takes, about a second of time.
const maxHopSearch = 5e8

// searchHops counts pairs by their distance. Renaming digits, several to one name
// too, takes every edge to an edge or a loop. So a distance depends only on which of
// the 2 l digits of two nodes are equal, and it is the same in the graph over cliques
// of 2 l nodes, or of n1 if these are fewer. There it is searched from one node of each
// orbit; a node whose digits are not all those of the source stands for all ways to
// name the others.
func (g *clex) searchHops() []uint64 {
	if g.bundled {
		return nil
	}
	l := g.count
	small := &clex{clique: min(g.clique, 2*l), count: l}
	n1, nodes := small.clique, int64(1)
	for range l {
		nodes = arith.Times(nodes, int64(n1))
	}
	patterns := make([]float64, n1+1) // of the digits read so far, by how many differ
	patterns[1] = 1
	for range l - 1 {
		for b := n1; b > 0; b-- {
			patterns[b] = patterns[b]*float64(b) + patterns[b-1]
		}
	}
	steps := 0.0
	for _, n := range patterns {
		steps += n * float64(nodes) * float64(l)
	}
	if steps > maxHopSearch {
		return nil
	}
	small.kinds = []Kind{{Count: int(nodes)}}
	counts := make([]uint64, l+1)
	s := newCLEXSearch(small)
	for _, o := range small.Orbits() {
		names, size := small.stands(o.Vertex, 0, g.clique)
		for w, d := range s.from(o.Vertex) {
			if _, ways := small.stands(w, names, g.clique); ways > 0 {
				counts[d] += size * ways
			}
		}
	}
	return counts
}

// stands counts the nodes that v stands for when the digits below known keep their value
// and all others may be renamed to any of the n1 digits that are not in use. It returns
// the number of digits in use, known ones included, and the number of such nodes. Both are
// 0 if new digits do not occur in v in ascending order, from i_1 on: then another node
// stands for v.
func (g *clex) stands(v, known, n1 int) (names int, ways uint64) {
	names, ways = known, 1
	for range g.count {
		d := v % g.clique
		v /= g.clique
		switch {
		case d > names:
			return 0, 0
		case d == names:
			ways *= uint64(n1 - names)
			names++
		}
	}
	return names, ways
}

// clexSearch finds the distances of all nodes from one, in the full form, along directed
// edges.
type clexSearch struct {
	g     *clex
	dist  []int8
	queue []int32
	// seen says, for every level, which sets of n1 nodes have been reached as a whole, by
	// their first node: cliques, or the ends of a node's edges.
	seen [][]bool
}

func newCLEXSearch(g *clex) *clexSearch {
	s := &clexSearch{g: g, dist: make([]int8, g.kinds[0].Count)}
	for range g.count {
		s.seen = append(s.seen, make([]bool, len(s.dist)))
	}
	return s
}

// from returns the distances from a node by vertex, in hops. The next call overwrites them.
func (s *clexSearch) from(v int) []int8 {
	for w := range s.dist {
		s.dist[w] = -1
	}
	for _, seen := range s.seen {
		clear(seen)
	}
	s.dist[v] = 0
	s.queue = append(s.queue[:0], int32(v))
	n1 := s.g.clique
	for i := 0; i < len(s.queue); i++ {
		v := int(s.queue[i])
		s.reach(v, 0, v-v%n1, 1)
		for k, stride := 1, n1; k < s.g.count; k, stride = k+1, stride*n1 {
			s.reach(v, k, s.g.firstEnd(v, stride), stride/n1)
		}
	}
	return s.dist
}

// reach visits the n1 nodes first, first + step, ... that v reaches in a hop of a level, which
// counts from 0 here, unless they have been reached from another node.
func (s *clexSearch) reach(v, level, first, step int) {
	if s.seen[level][first] {
		return
	}
	s.seen[level][first] = true
	for e := range s.g.clique {
		s.visit(v, first+e*step)
	}
}

func (s *clexSearch) visit(v, w int) {
	if s.dist[w] < 0 {
		s.dist[w] = s.dist[v] + 1
		s.queue = append(s.queue, int32(w))
	}
}

// Cliques returns n1, l and whether the form is bundled.
func (g *clex) Cliques() (size, levels int, bundled bool) { return g.clique, g.count, g.bundled }

// UsualRouting is "clex", the name in package routing of the paper's direct route.
func (g *clex) UsualRouting() string { return "clex" }

// clexSizes offers the networks of at least two levels, the full form after
// the bundled one.
func clexSizes(s *SizeSearch) {
	for clique := 2; clique*clique <= s.MaxNodes; clique++ {
		s.Powers(clique, 2, func(levels, nodes int) {
			z := Size{
				Spec:  Spec{Params: CLEX{Clique: clique, Levels: levels, Bundled: true}},
				Nodes: nodes, Ports: bundledDegree(clique, levels), Diameter: 2*levels - 1,
				Links: clexLinks(clique, levels, true),
			}
			s.Add(0, z)
			z.Spec = Spec{Params: CLEX{Clique: clique, Levels: levels}}
			z.Ports = levels*clique - 1
			z.Links = clexLinks(clique, levels, false)
			z.Diameter = levels
			s.Add(1, z)
		})
	}
}

// clexLinks returns the number of links of the network over cliques.
func clexLinks(clique, levels int, bundled bool) int64 {
	n1 := int64(clique)
	links, size := n1*(n1-1)/2, n1 // of a copy of C(k), and its nodes
	for k := 2; k <= levels; k++ {
		edges := (size - 1) * n1 * n1
		if bundled {
			edges = size * (n1 - 1)
		}
		if !bundled || k%2 == 0 {
			edges -= n1 * (n1 - 1) / 2 // two edges are one link
		}
		links, size = n1*links+edges, n1*size
	}
	return links
}
