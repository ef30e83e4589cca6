package topology

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/galois"
)

// polarFly is the Erdos-Renyi polarity graph ER_q of a prime power q: the points
// of the projective plane over GF(q), two of them joined if their coordinates
// have the product 0 (K. Lakhotia, M. Besta, L. Monroe, K. Isham, P. Iff, T.
// Hoefler and F. Petrini, "PolarFly: a cost-effective and flexible low-diameter
// topology", SC 2022). It has q^2 + q + 1 routers and diameter 2;
// the q+1 quadrics, points whose product with themselves is 0, have q links and
// the others q+1.
//
// Points are written with a first coordinate other than 0 that is 1: (1,y,z) is
// router y q + z, then come (0,1,z) and (0,0,1). For odd q the quadrics, their
// neighbours, and the other points are the orbits; for even q the quadrics lie
// on a line, and they, the point (1,1,1) that all of them are joined to, and the
// other points are the orbits (M. Bachraty and J. Siran, "Polarity graphs
// revisited", Ars Mathematica Contemporanea 8, 2015).
//
// Without terminals the only kind is "node"; otherwise the kinds are "switch" and "node". The levels are terminal, if
// any, and polar; the grouping is "block", a switch with its nodes. Terminals are on the first ports; the next q+1
// stand for the points of the router's line, by a coordinate: a quadric leaves its own unused.
type polarFly struct {
	q, terminals int
	plane        *galois.Plane
	kinds        []Kind
	levels       []Level
}

var (
	_ Symmetric = (*polarFly)(nil)
	_ Formulas  = (*polarFly)(nil)
	_ WorstCase = (*polarFly)(nil)
)

var polarFlyFamily = Family{
	Name:   "polarfly",
	Doc:    "the points of a projective plane, joined where their product is 0: diameter 2",
	Source: "K. Lakhotia et al., PolarFly: a cost-effective and flexible low-diameter topology, SC 2022",
	Params: []Param{
		{Name: "q", Doc: "a prime power of at least 2, which makes q^2 + q + 1 routers", Required: true},
		optionalTerminals,
	},
	Zero:     PolarFly{},
	Sizes:    polarFlySizes,
	SizesDoc: "every prime power, with half as many nodes as links on a router, one fewer, one more, and none",
}

// PolarFly is an Erdos-Renyi polarity graph with any number of nodes on each router.
type PolarFly struct {
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
	Q         int `yaml:"q,omitempty" json:"q,omitempty"` // a prime power
}

// Family is "polarfly".
func (PolarFly) Family() string { return "polarfly" }

// Build makes the graph.
func (p PolarFly) Build(m *Mistakes) Graph {
	m.primePower("q", p.Q, 2)
	m.Within("terminals", p.Terminals, 1, MaxPorts)
	if !m.None() {
		return nil
	}
	q := int64(p.Q)
	m.Ports("terminals", int64(p.Terminals)+q+1)
	m.Vertices("q", arith.Times(q*q+q+1, int64(1+p.Terminals)))
	if !m.None() {
		return nil
	}
	g := &polarFly{q: p.Q, terminals: p.Terminals, plane: galois.NewPlane(p.Q)}
	g.kinds, g.levels = routerKinds(int(q*q+q+1), p.Terminals, p.Q+1, "polar")
	return g
}

func (g *polarFly) Family() string        { return "polarfly" }
func (g *polarFly) Kinds() []Kind         { return g.kinds }
func (g *polarFly) Levels() []Level       { return g.levels }
func (g *polarFly) Groupings() []Grouping { return routerBlocks(g.kinds, g.terminals) }

// Label is the coordinates of a router, or those of a node's router and the
// node's port there: "(1,3,0)", "(1,3,0):5".
func (g *polarFly) Label(v int) string {
	r, suffix := routerOf(g.kinds, g.terminals, v)
	x, y, z := g.plane.Point(r)
	return fmt.Sprintf("(%d,%d,%d)%s", x, y, z, suffix)
}

// Links yields the terminals, then the links router by router.
func (g *polarFly) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		l := Link{Width: 1}
		if g.terminals > 0 {
			if !terminalLinks(g.kinds[0].Count, g.terminals, yield) {
				return
			}
			l.Level = 1
		}
		for v := range g.kinds[0].Count {
			if !g.plane.Neighbours(v, func(w int) bool {
				if w <= v {
					return true
				}
				l.A, l.B = int32(v), int32(w)
				l.PortA, l.PortB = int32(g.terminals+g.plane.Port(v, w)), int32(g.terminals+g.plane.Port(w, v))
				return yield(l)
			}) {
				return
			}
		}
	}
}

func (g *polarFly) Orbits() []Orbit {
	q := g.q
	sizes := [3]int{q + 1, q * (q + 1) / 2, q * (q - 1) / 2}
	if g.q%2 == 0 {
		sizes = [3]int{q + 1, 1, q*q - 1}
	}
	var out []Orbit
	for class, size := range sizes {
		v := 0
		for g.plane.Class(v) != class {
			v++
		}
		out = append(out, Orbit{v, size})
	}
	return out
}

func (g *polarFly) ClosedForms() ClosedForms {
	n := float64(g.kinds[0].Count)
	return ClosedForms{
		DegreeMin: g.q, DegreeMax: g.q + 1, Diameter: 2,
		MeanHops: 2 - float64(g.q+1)/n, Bisection: -1,
	}
}

// WorstCaseTraffic is that of M. Besta and T. Hoefler, SC 2014, section V-C, for graphs of
// diameter 2.
func (g *polarFly) WorstCaseTraffic() string { return "two-hop-paths" }

// polarFlySizes offers every prime power with terminals as slimFlySizes does.
func polarFlySizes(s *SizeSearch) {
	for q := 2; q <= galois.MaxOrder && q*q <= s.MaxNodes; q++ {
		if p, _ := galois.PrimePower(q); p != 0 {
			routersOfDiameter2(s, func(terminals int) Params { return PolarFly{Q: q, Terminals: terminals} }, q*q+q+1,
				q+1,
				int64(q)*int64(q+1)*int64(q+1)/2)
		}
	}
}
