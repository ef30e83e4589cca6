package topology

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/galois"
)

// slimFly is the McKay-Miller-Siran graph of a prime power q = 4w + d, d being
// -1, 0 or 1, with any number of terminals on each vertex (B. D. McKay, M.
// Miller and J. Siran, "A note on large graphs of diameter two and given
// maximum degree", Journal of Combinatorial Theory B 74, 1998; M. Besta and T.
// Hoefler, "Slim Fly: a cost effective low-diameter network topology", SC 2014,
// section II.B).
//
// The 2 q^2 routers are (0,x,y) and (1,m,c) over GF(q). With a primitive
// element e, exponents modulo q-1, the sets are
//
//	d =  1, 0:  X = {e^0, e^2, ..., e^(4w-2)}, X' = e X
//	d = -1:     X = {e^(2i)} and {e^(2w-1+2i)} for i < w, X' = e X
//
// and (0,x,y) is joined to (0,x,y') if y-y' is in X, (1,m,c) to (1,m,c') if
// c-c' is in X', and (0,x,y) to (1,m,c) if y = m x + c. That makes (3q-d)/2
// links on each and diameter 2. The translations (x,c) -> (x+a, c-m a), (m,y)
// -> (m+b, y+b x) and (y,c) -> (y+k, c+k) take each half to itself in every
// way, so there are two orbits; with d = 1, (0,x,y) -> (1,-e x,e y), (1,m,c) ->
// (0,m,e c) exchanges the halves (P. R. Hafner, "Geometric realisation of the
// graphs of McKay-Miller-Siran", Journal of Combinatorial Theory B 90, 2004).
//
// Without terminals the only kind is "node"; otherwise the kinds are "switch" and "node". The levels are terminal, if
// any, local (X and X') and global; the groupings are "block", a switch with its nodes, "line", the q routers with the
// same half and x or m, and "group", the lines of x and m = x. Terminals are on the first ports; then come the local
// ports in the order of X or X', then the global ports by m or x.
type slimFly struct {
	q, terminals int
	field        *galois.Field
	sets         [2][]int // X and X'
	kinds        []Kind
	levels       []Level
}

var (
	_ Symmetric = (*slimFly)(nil)
	_ Formulas  = (*slimFly)(nil)
	_ Counted   = (*slimFly)(nil)
	_ Placeable = (*slimFly)(nil)
	_ WorstCase = (*slimFly)(nil)
)

// optionalTerminals is a parameter of families whose routers may be nodes.
var optionalTerminals = Param{
	Name: "terminals", Doc: "the number of nodes on each switch; node and switch are one vertex when left out",
}

var slimFlyFamily = Family{
	Name:   "slim-fly",
	Doc:    "the McKay-Miller-Siran graph: the most routers known for their ports at diameter 2",
	Source: "M. Besta and T. Hoefler, Slim Fly: a cost effective low-diameter network topology, SC 2014, section II.B",
	Params: []Param{
		{Name: "q", Doc: "a prime power of at least 3, which makes 2 q^2 routers", Required: true},
		optionalTerminals,
	},
	Zero:     SlimFly{},
	Sizes:    slimFlySizes,
	SizesDoc: "every prime power, with half as many nodes as links on a router, one fewer, one more, and none",
}

// SlimFly is a McKay-Miller-Siran graph with any number of nodes on each router.
type SlimFly struct {
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
	Q         int `yaml:"q,omitempty" json:"q,omitempty"` // a prime power
}

// Family is "slim-fly".
func (SlimFly) Family() string { return "slim-fly" }

// Build makes the graph.
func (p SlimFly) Build(m *Mistakes) Graph {
	if g := newSlimFly(p, m); g != nil {
		return g
	}
	return nil
}

func newSlimFly(p SlimFly, m *Mistakes) *slimFly {
	m.primePower("q", p.Q, 3)
	m.Within("terminals", p.Terminals, 1, MaxPorts)
	if !m.None() {
		return nil
	}
	sets := slimFlyDegree(p.Q)
	routers := 2 * int64(p.Q) * int64(p.Q)
	m.Ports("terminals", int64(p.Terminals)+int64(sets))
	m.Vertices("q", arith.Times(routers, int64(1+p.Terminals)))
	if !m.None() {
		return nil
	}
	g := &slimFly{q: p.Q, terminals: p.Terminals, field: galois.New(p.Q)}
	g.kinds, g.levels = routerKinds(int(routers), p.Terminals, sets, "local", "global")
	g.generators()
	return g
}

// slimFlyDegree is the number of links of a router to others.
func slimFlyDegree(q int) int { return (3*q - slimFlyDelta(q)) / 2 }

// slimFlyDelta is d in q = 4w + d.
func slimFlyDelta(q int) int { return (q+1)%4 - 1 }

// generators sets X and X'.
func (g *slimFly) generators() {
	d := slimFlyDelta(g.q)
	w := (g.q - d) / 4
	for set := range g.sets {
		for i := range 2 * w {
			e := 2 * i
			if d == -1 && i >= w {
				e = 2*w - 1 + 2*(i-w)
			}
			g.sets[set] = append(g.sets[set], g.field.Power(e+set))
		}
	}
}

// primePower reports v if it is not a prime power from lo to galois.MaxOrder. 0 was left out, which checkGiven judges.
func (m *Mistakes) primePower(param string, v, lo int) {
	m.Within(param, v, lo, galois.MaxOrder)
	if v < lo || v > galois.MaxOrder {
		return
	}
	if p, _ := galois.PrimePower(v); p == 0 {
		m.Add(param, "must be a power of a prime, not %d", v)
	}
}

// routerKinds is the kinds and levels of a direct network of n routers with
// ports links to others: routers that are nodes themselves if terminals is 0.
func routerKinds(n, terminals, ports int, levels ...string) ([]Kind, []Level) {
	var named []Level
	if terminals > 0 {
		named = append(named, Level{Name: "terminal"})
	}
	for _, l := range levels {
		named = append(named, Level{Name: l})
	}
	if terminals == 0 {
		return []Kind{{Name: "node", Count: n, Role: Node, Ports: ports}}, named
	}
	return []Kind{
		{Name: "switch", Count: n, Role: Switch, Ports: terminals + ports},
		{Name: "node", First: n, Count: n * terminals, Role: Terminal, Ports: 1},
	}, named
}

// routerBlocks is the grouping of routers with their terminals, if there are any.
func routerBlocks(kinds []Kind, terminals int) []Grouping {
	if terminals == 0 {
		return nil
	}
	return []Grouping{blocks(kinds[0].Count, terminals)}
}

// routerOf returns the router of a terminal with the terminal's port as a label writes it, ":5"; of a router itself and
// "".
func routerOf(kinds []Kind, terminals, v int) (router int, suffix string) {
	n := kinds[0].Count
	if v < n {
		return v, ""
	}
	return (v - n) / terminals, fmt.Sprintf(":%d", (v-n)%terminals)
}

func (g *slimFly) Family() string  { return "slim-fly" }
func (g *slimFly) Kinds() []Kind   { return g.kinds }
func (g *slimFly) Levels() []Level { return g.levels }

func (g *slimFly) Groupings() []Grouping {
	line := Grouping{Name: "line", Count: 2 * g.q, Of: func(v int) int32 {
		r, _ := routerOf(g.kinds, g.terminals, v)
		return int32(r / g.q)
	}}
	group := Grouping{Name: "group", Count: g.q, Of: func(v int) int32 { return line.Of(v) % int32(g.q) }}
	return append(routerBlocks(g.kinds, g.terminals), line, group)
}

// Label is the half and coordinates of a router, or those of a node's router
// and the node's port there: "(1,3,0)", "(1,3,0):5".
func (g *slimFly) Label(v int) string {
	r, suffix := routerOf(g.kinds, g.terminals, v)
	q := g.q
	return fmt.Sprintf("(%d,%d,%d)%s", r/(q*q), r/q%q, r%q, suffix)
}

func (g *slimFly) Orbits() []Orbit {
	half := g.q * g.q
	if slimFlyDelta(g.q) == 1 {
		return []Orbit{{0, 2 * half}}
	}
	return []Orbit{{0, half}, {half, half}}
}

// diameter2 returns the closed forms of a regular graph of n vertices, degree links
// on each and diameter 2: every vertex that is not a neighbour is 2 hops away. The bisection is an approximation by the
// source; it is unknown for 2 links or fewer.
func diameter2(n, degree int) ClosedForms {
	c := ClosedForms{
		DegreeMin: degree, DegreeMax: degree, Diameter: 2,
		MeanHops: 2 - float64(degree)/float64(n-1), Bisection: -1,
	}
	if degree > 2 {
		c.Bisection = float64(degree-2) * float64(n) / 4
		c.BisectionSource = "about (p-2) N/4 for N nodes of p ports: " + exascaleSource
	}
	return c
}

const exascaleSource = "S. Li et al., Low latency, high bisection-bandwidth networks for exascale memory systems, " +
	"MEMSYS 2016"

func (g *slimFly) ClosedForms() ClosedForms {
	return diameter2(g.kinds[0].Count, slimFlyDegree(g.q))
}

// Links yields the terminals, then the local links of either half by the
// difference of their ends, then the global links by the product m x.
func (g *slimFly) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		level := int32(0)
		if g.terminals > 0 {
			if !terminalLinks(g.kinds[0].Count, g.terminals, yield) {
				return
			}
			level = 1
		}
		row := make([]int32, g.q)
		_ = g.local(level, row, yield) && g.global(level+1, row, yield)
	}
}

// local yields the links within the columns of both halves. row has room for q numbers, which it overwrites.
func (g *slimFly) local(level int32, row []int32, yield func(Link) bool) bool {
	q := int32(g.q)
	for half, set := range g.sets {
		index := make(map[int]int, len(set))
		for i, e := range set {
			index[e] = i
		}
		first := int32(half) * q * q
		for i, e := range set {
			back := index[g.field.Neg(e)]
			if back < i {
				continue
			}
			g.field.AddAll(e, row)
			l := Link{PortA: int32(g.terminals + i), PortB: int32(g.terminals + back), Level: level, Width: 1}
			for base := first; base < first+q*q; base += q {
				for y, sum := range row {
					if back == i && sum < int32(y) { // e = -e: each pair comes twice
						continue
					}
					l.A, l.B = base+int32(y), base+sum
					if !yield(l) {
						return false
					}
				}
			}
		}
	}
	return true
}

// global yields the links between the halves, as local does those within them.
func (g *slimFly) global(level int32, row []int32, yield func(Link) bool) bool {
	q := int32(g.q)
	port := int32(g.terminals + len(g.sets[0]))
	l := Link{Level: level, Width: 1}
	join := func(x, m int) bool { // y = m x + c: row holds the sums
		l.PortA, l.PortB = port+int32(m), port+int32(x)
		a, b := int32(x)*q, q*q+int32(m)*q
		for c, y := range row {
			l.A, l.B = a+y, b+int32(c)
			if !yield(l) {
				return false
			}
		}
		return true
	}
	for product := range g.q {
		g.field.AddAll(product, row)
		for x := range g.q {
			switch {
			case product == 0 && x == 0:
				for m := range g.q {
					if !join(0, m) {
						return false
					}
				}
			case product == 0:
				if !join(x, 0) {
					return false
				}
			case x > 0:
				if !join(x, g.field.Mul(product, g.field.Inv(x))) {
					return false
				}
			}
		}
	}
	return true
}

// LevelChannels: q columns of each half are Cayley graphs of X and X'; q^3 links join
// the halves.
func (g *slimFly) LevelChannels() []int64 {
	q := int64(g.q)
	var out []int64
	if g.terminals > 0 {
		out = append(out, 2*q*q*int64(g.terminals))
	}
	return append(out, q*q*int64(len(g.sets[0])+len(g.sets[1]))/2, q*q*q)
}

// WorstCaseTraffic is that of M. Besta and T. Hoefler, SC 2014, section V-C, for graphs of
// diameter 2.
func (g *slimFly) WorstCaseTraffic() string { return "two-hop-paths" }

// PlacementGroups are the routers (0,x,*) with the routers (1,x,*), a pair of racks (M. Besta
// and T. Hoefler, SC 2014, section VI.A).
func (g *slimFly) PlacementGroups() (strategy string, grouping int) {
	return "rack-pairs", len(g.Groupings()) - 1
}

// slimFlySizes offers every prime power, with half as many terminals as links
// on each router, rounded up, as the source recommends, then with one fewer or
// more and without.
func slimFlySizes(s *SizeSearch) {
	for q := 3; q <= galois.MaxOrder && 2*q*q <= s.MaxNodes; q++ {
		if p, _ := galois.PrimePower(q); p != 0 {
			links := slimFlyDegree(q)
			routersOfDiameter2(s, func(terminals int) Params { return SlimFly{Q: q, Terminals: terminals} }, 2*q*q,
				links,
				int64(q)*int64(q)*int64(links))
		}
	}
}

// routersOfDiameter2 offers n routers of diameter 2, each with as many terminals as half its ports to others, rounded
// up; with one fewer, one more, and none. links are those between routers.
func routersOfDiameter2(s *SizeSearch, params func(terminals int) Params, n, ports int, links int64) {
	half := arith.CeilDiv(ports, 2)
	for rank, terminals := range []int{half, half - 1, half + 1, 0} {
		if rank > 0 && terminals == 0 && rank < 3 {
			continue
		}
		z := Size{
			Spec: Spec{Params: params(terminals)}, Nodes: n, Terminals: terminals,
			Ports: ports + terminals, Links: links, Diameter: 2,
		}
		if terminals > 0 {
			z.Nodes, z.Switches = n*terminals, n
			z.Links += int64(z.Nodes)
		}
		s.Add(rank, z)
	}
}
