package topology

import (
	"iter"
	"strconv"
)

// barrelShifter joins each of N = 2^n nodes on a ring to those 1, 2, 4, ...
// 2^(n-1) further on and back, the last two of which are one node (N. Chaki et
// al., "A new logical topology based on barrel shifter network over an all
// optical network", LCN 2003, as counted in Table 1 of P. Zhang, R. Powell and
// Y. Deng, IEEE TPDS 22(2), 2011).
//
// The only kind is "node"; the levels are shift1 ... shiftN, level k for links to the node 2^(k-1) further on; there
// are no groupings. Port 2k leads 2^k nodes on, port 2k+1 back; the last port, 2n-2, leads to the node half way round.
// All nodes are one orbit.
type barrelShifter struct {
	n      int
	kinds  []Kind
	levels []Level
}

var (
	_ Symmetric = (*barrelShifter)(nil)
	_ Formulas  = (*barrelShifter)(nil)
)

var barrelShifterFamily = Family{
	Name: "barrel-shifter",
	Doc:  "a ring of 2^n nodes, each joined to those 1, 2, 4, ... nodes away",
	Source: "N. Chaki et al., A new logical topology based on barrel shifter network over an all optical network, " +
		"LCN 2003",
	Params:   []Param{nodesPowerParam, optionalTerminals},
	Zero:     BarrelShifter{},
	Sizes:    barrelShifterSizes,
	SizesDoc: "all",
}

// BarrelShifter is a ring of nodes, each joined to those 1, 2, 4, ... away.
type BarrelShifter struct {
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
	Nodes     int `yaml:"nodes,omitempty" json:"nodes,omitempty"` // a power of two
}

// Family is "barrel-shifter".
func (BarrelShifter) Family() string { return "barrel-shifter" }

var nodesPowerParam = Param{
	Name: "nodes", Doc: "the number of nodes, a power of two from 2 to 1073741824", Required: true,
}

// nodesPower reports nodes unless it is a power of two, and returns its
// logarithm.
func (m *Mistakes) nodesPower(nodes int) int {
	n := 0
	for 1<<n < nodes && n < 30 {
		n++
	}
	if nodes != 0 && (n == 0 || nodes != 1<<n) {
		m.Add("nodes", "must be a power of two from 2 to 1073741824, not %d", nodes)
	}
	return n
}

// Build makes the ring.
func (p BarrelShifter) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p BarrelShifter) routers(m *Mistakes) Graph {
	n := m.nodesPower(p.Nodes)
	if !m.None() {
		return nil
	}
	g := &barrelShifter{n: n, kinds: []Kind{{Name: "node", Count: 1 << n, Role: Node, Ports: 2*n - 1}}}
	for k := range n {
		g.levels = append(g.levels, Level{Name: "shift" + strconv.Itoa(k+1)})
	}
	return g
}

func (g *barrelShifter) Family() string        { return barrelShifterFamily.Name }
func (g *barrelShifter) Kinds() []Kind         { return g.kinds }
func (g *barrelShifter) Levels() []Level       { return g.levels }
func (g *barrelShifter) Groupings() []Grouping { return nil }
func (g *barrelShifter) Label(v int) string    { return strconv.Itoa(v) }
func (g *barrelShifter) Orbits() []Orbit       { return []Orbit{{0, g.kinds[0].Count}} }

// Links yields one level after the other, by the node from which a link leads
// on.
func (g *barrelShifter) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		nodes := g.kinds[0].Count
		for k := range g.n {
			l := Link{PortA: int32(2 * k), PortB: int32(2*k + 1), Level: int32(k), Width: 1}
			from := nodes
			if k == g.n-1 {
				l.PortB, from = l.PortA, nodes/2
			}
			for a := range from {
				l.A, l.B = int32(a), int32((a+1<<k)&(nodes-1))
				if !yield(l) {
					return
				}
			}
		}
	}
}

// ClosedForms follows from the signed binary numbers with no two adjacent
// digits other than zero, which are the shortest: their mean weight modulo 2^n
// is n/3 + 1/9 - (-1)^n/(9 2^n).
func (g *barrelShifter) ClosedForms() ClosedForms {
	nodes := g.kinds[0].Count
	sum := (3*g.n+1)*nodes - 1 + g.n%2*2
	return ClosedForms{
		DegreeMin: 2*g.n - 1, DegreeMax: 2*g.n - 1,
		Diameter:  (g.n + 1) / 2,
		MeanHops:  float64(sum/9) / float64(nodes-1),
		Bisection: float64(3*nodes/2 - 2),
		BisectionSource: "3 x 2^(n-1) - 2, halves of the ring, as in Table 1 of Zhang et al., IEEE TPDS 22(2), 2011; " +
			"not the minimum cut: even against odd nodes cuts 2^n links",
	}
}

// barrelShifterSizes offers all barrel shifters.
func barrelShifterSizes(s *SizeSearch) {
	s.Powers(2, 1, func(n, nodes int) {
		s.Add(0, Size{
			Spec:  Spec{Params: BarrelShifter{Nodes: nodes}},
			Nodes: nodes, Ports: 2*n - 1, Links: int64(nodes) / 2 * int64(2*n-1), Diameter: (n + 1) / 2,
		})
	})
}
