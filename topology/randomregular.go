package topology

import (
	"iter"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/randomgraph"
)

// randomRegular is a random connected graph with the same number of links on
// every switch (A. Singla, C.-Y. Hong, L. Popa and P. B. Godfrey, "Jellyfish:
// networking data centers randomly", NSDI 2012, section 3).
//
// Without terminals the only kind is "node"; otherwise the kinds are "switch" and "node". The levels are terminal, if
// any, and random; the grouping is "block", a switch with its nodes. Terminals are on the first ports, the links follow
// in ascending order of the neighbours.
type randomRegular struct {
	terminals, degree int
	seed              uint64
	edges             [][2]int32 // in ascending order, the lower end first
	kinds             []Kind
	levels            []Level
}

var (
	_ Formulas = (*randomRegular)(nil)
	_ Growable = (*randomRegular)(nil)
)

// maxRandomLinks bounds the memory and time that a random graph may take.
const maxRandomLinks = 1 << 24

var randomRegularFamily = Family{
	Name:   "random-regular",
	Doc:    "a random graph with the same number of links on every switch (Jellyfish)",
	Source: "A. Singla et al., Jellyfish: networking data centers randomly, NSDI 2012, section 3",
	Params: []Param{
		{
			Name: "nodes", Doc: "the number of switches, which are nodes themselves unless terminals is given",
			Required: true,
		},
		{
			Name: "degree", Doc: "the number of links on each to others, below nodes; nodes x degree is even",
			Required: true,
		},
		{Name: "seed", Doc: "selects one of the graphs; 0 when left out"},
		optionalTerminals,
	},
	Zero:  RandomRegular{},
	Sizes: randomRegularSizes,
	SizesDoc: "4, 5, 6 and 7 times powers of two, and the ends of the range; 3, 4, 6, 8, 12, ... 128 links with " +
		"none, half and as many nodes; with --ports a quarter, a third and half of the ports for nodes",
}

// RandomRegular is a random graph with the same number of links on every switch.
type RandomRegular struct {
	// nodes on each switch; 0 where it is a node itself
	Terminals int    `yaml:"terminals,omitempty" json:"terminals,omitempty"`
	Nodes     int    `yaml:"nodes,omitempty" json:"nodes,omitempty"`   // switches
	Degree    int    `yaml:"degree,omitempty" json:"degree,omitempty"` // links of each switch to others
	Seed      uint64 `yaml:"seed,omitempty" json:"seed,omitempty"`     // selects one of the graphs
}

// Family is "random-regular".
func (RandomRegular) Family() string { return "random-regular" }

// Build draws the graph.
func (p RandomRegular) Build(m *Mistakes) Graph {
	p.check(m)
	if !m.None() {
		return nil
	}
	n, d := p.Nodes, p.Degree
	g := &randomRegular{terminals: p.Terminals, degree: d, seed: p.Seed, edges: randomgraph.Regular(n, d, p.Seed)}
	g.kinds, g.levels = routerKinds(n, p.Terminals, d, "random")
	return g
}

// check reports every mistake in the parameters.
func (p RandomRegular) check(m *Mistakes) {
	m.Within("nodes", p.Nodes, 2, MaxVertices)
	m.Within("degree", p.Degree, 1, MaxPorts)
	m.Within("terminals", p.Terminals, 1, MaxPorts)
	if !m.None() {
		return
	}
	n, d := p.Nodes, p.Degree
	switch links := arith.Times(int64(n), int64(d)) / 2; {
	case d >= n:
		m.Add("degree", "must be below the number of nodes, %d, not %d", n, d)
	case n%2 == 1 && d%2 == 1:
		m.Add("degree", "%d nodes of %d ports leave a port over: one of the two must be even", n, d)
	case d == 1 && n > 2:
		m.Add("degree", "1 link on each cannot connect %d nodes", n)
	case links > maxRandomLinks:
		m.Add("degree", "leads to %d links; the most that can be drawn is %d", links, maxRandomLinks)
	}
	m.Ports("terminals", int64(p.Terminals)+int64(d))
	m.Vertices("terminals", arith.Times(int64(n), int64(1+p.Terminals)))
}

func (g *randomRegular) Family() string        { return "random-regular" }
func (g *randomRegular) Kinds() []Kind         { return g.kinds }
func (g *randomRegular) Levels() []Level       { return g.levels }
func (g *randomRegular) Groupings() []Grouping { return routerBlocks(g.kinds, g.terminals) }

// Label is the number of a switch, or that of a node's switch and the node's
// port there: "17", "17:3".
func (g *randomRegular) Label(v int) string {
	r, suffix := routerOf(g.kinds, g.terminals, v)
	return strconv.Itoa(r) + suffix
}

func (g *randomRegular) ClosedForms() ClosedForms {
	return ClosedForms{DegreeMin: g.degree, DegreeMax: g.degree, Diameter: -1, MeanHops: -1, Bisection: -1}
}

// Links yields the terminals, then the links in ascending order of their ends.
func (g *randomRegular) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		l := Link{Width: 1}
		if g.terminals > 0 {
			if !terminalLinks(g.kinds[0].Count, g.terminals, yield) {
				return
			}
			l.Level = 1
		}
		next := make([]int32, g.kinds[0].Count)
		for v := range next {
			next[v] = int32(g.terminals)
		}
		for _, e := range g.edges {
			l.A, l.B = e[0], e[1]
			l.PortA, l.PortB = next[l.A], next[l.B]
			next[l.A]++
			next[l.B]++
			if !yield(l) {
				return
			}
		}
	}
}

// Grown returns a graph with more switches. Each takes the place in links of others, drawn at random, as often as it
// has two ports left: the link between two switches gives way to one from each of them to the new switch (A. Singla et
// al., NSDI 2012, section 3). Of an odd number of ports, one joins two new switches.
func (g *randomRegular) Grown(nodes int) (Graph, error) {
	more := arith.CeilDiv(nodes, max(g.terminals, 1))
	if g.degree%2 == 1 {
		more += more % 2
	}
	p := RandomRegular{Terminals: g.terminals, Nodes: g.kinds[0].Count + more, Degree: g.degree, Seed: g.seed}
	m := &Mistakes{family: p.Family()}
	p.check(m)
	if !m.None() {
		return nil, m.err()
	}
	edges, ok := randomgraph.Extend(g.edges, g.kinds[0].Count, p.Nodes, p.Degree, p.Seed)
	if !ok {
		m.Add("degree", "a new switch finds no %s between switches that it has no link to", plural(p.Degree/2, "link"))
		return nil, m.err()
	}
	out := &randomRegular{terminals: p.Terminals, degree: p.Degree, seed: p.Seed, edges: edges}
	out.kinds, out.levels = routerKinds(p.Nodes, p.Terminals, p.Degree, "random")
	return out, nil
}

// randomRegularSizes offers graphs, which exist for nearly all numbers of switches, of 4, 5, 6
// or 7 times a power of two, and of the numbers at which the range begins and ends;
// 3, 4, 6, 8, 12, ... 128 links on a switch, with no terminals, half as many and
// as many as links. With a limit of ports it first offers switches whose ports
// are all used, a quarter, a third and half of them for terminals.
func randomRegularSizes(s *SizeSearch) {
	var full []int // terminals of switches whose ports are all used
	for _, share := range []int{4, 3, 2} {
		if terminals := s.Radix / share; terminals > 0 && s.Radix-terminals >= 3 && !slices.Contains(full, terminals) {
			randomRegulars(s, 0, s.Radix-terminals, terminals)
			full = append(full, terminals)
		}
	}
	for degree := 3; degree <= 128; {
		for _, terminals := range []int{degree / 2, degree, 0} {
			if degree+terminals != s.Radix || !slices.Contains(full, terminals) {
				randomRegulars(s, 1, degree, terminals)
			}
		}
		if degree&(degree-1) == 0 {
			degree += degree / 2
		} else {
			degree += degree / 3
		}
	}
}

// randomRegulars offers the graphs of switches with `degree` links and the given terminals, if they have more than
// degree + 1 switches.
func randomRegulars(s *SizeSearch, rank, degree, terminals int) {
	each := max(terminals, 1) // nodes
	if each > s.MaxNodes {
		return
	}
	first, last := arith.CeilDiv(s.MinNodes, each), s.MaxNodes/each
	if degree%2 == 1 {
		first, last = first+first%2, last-last%2
	}
	var numbers []int
	add := func(n int) {
		if n >= first && n <= last && n > degree+1 && n*degree%2 == 0 && n*degree/2 <= maxRandomLinks {
			numbers = append(numbers, n)
		}
	}
	for power := 1; power <= last; power *= 2 {
		for quarter := 4; quarter < 8; quarter++ {
			if power*quarter%4 == 0 {
				add(power * quarter / 4)
			}
		}
	}
	add(first)
	add(last)
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		z := Size{
			Spec:  Spec{Params: RandomRegular{Nodes: n, Degree: degree, Terminals: terminals}},
			Nodes: n, Terminals: terminals, Ports: degree + terminals, Links: int64(n) * int64(degree) / 2,
			Diameter: -1,
		}
		if terminals > 0 {
			z.Nodes, z.Switches = n*terminals, n
			z.Links += int64(z.Nodes)
		}
		s.Add(rank, z)
	}
}
