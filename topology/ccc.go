package topology

import (
	"iter"
	"math"
	"strconv"
)

// ccc is the network of cube-connected cycles (F. P. Preparata and J. Vuillemin,
// "The cube-connected cycles: a versatile network for parallel computation",
// Commun. ACM 24(5), 1981): a hypercube of n dimensions with a cycle of n nodes
// in place of each corner. Node (w, i), vertex w n + i, is joined to (w, i + 1)
// and (w, i - 1) on its cycle and to (w xor 2^i, i).
//
// The only kind is "node"; with terminals, WithTerminals makes these nodes switches. The levels are cycle and
// dim1 ... dimN, one for each dimension of the cube; the grouping "cycle" is the nodes of equal w. Port 0 leads to the
// next node of the cycle, port 1 to the previous one, port 2 to another cycle. All nodes are one orbit.
type ccc struct {
	n      int
	kinds  []Kind
	levels []Level
}

var (
	_ Symmetric = (*ccc)(nil)
	_ Formulas  = (*ccc)(nil)
)

// maxCCCDims is the largest n for which the n 2^n vertices can be numbered with an int32.
const maxCCCDims = 26

var cccFamily = Family{
	Name:   "ccc",
	Doc:    "cube-connected cycles: a hypercube with a cycle of nodes at each corner",
	Source: "F. P. Preparata and J. Vuillemin, The cube-connected cycles, Commun. ACM 24(5), 1981",
	Params: []Param{
		{
			Name:     "dims",
			Doc:      "one number, the number of dimensions of the hypercube and of nodes of a cycle, from 3 to 26",
			Required: true,
		},
		optionalTerminals,
	},
	Zero:     CCC{},
	Sizes:    cccSizes,
	SizesDoc: "all",
}

// CCC is a hypercube of n dimensions with a cycle of n nodes at each corner.
type CCC struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // one number, n
	// nodes on each switch; 0 if the switches are the nodes themselves
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "ccc".
func (CCC) Family() string { return "ccc" }

// ShortName is "ccc n".
func (p CCC) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build returns the network, with Terminals nodes on each switch if Terminals is not 0.
func (p CCC) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers returns the network without terminals.
func (p CCC) routers(m *Mistakes) Graph {
	switch {
	case len(p.Dims) > 1:
		m.Add("dims", "takes one number, the number of dimensions of the hypercube, not %d numbers", len(p.Dims))
	case len(p.Dims) == 1 && (p.Dims[0] < 3 || p.Dims[0] > maxCCCDims):
		m.AddAt("dims", 0, "cube-connected cycles have from 3 to %d dimensions, not %d", maxCCCDims, p.Dims[0])
	}
	if !m.None() {
		return nil
	}
	n := p.Dims[0]
	return &ccc{
		n:      n,
		kinds:  []Kind{{Name: "node", Count: n << n, Role: Node, Ports: 3}},
		levels: appendLevels([]Level{{Name: "cycle"}}, n),
	}
}

func (g *ccc) Family() string  { return cccFamily.Name }
func (g *ccc) Kinds() []Kind   { return g.kinds }
func (g *ccc) Levels() []Level { return g.levels }
func (g *ccc) Orbits() []Orbit { return []Orbit{{0, g.kinds[0].Count}} }

func (g *ccc) Groupings() []Grouping {
	return []Grouping{{Name: "cycle", Count: 1 << g.n, Of: func(v int) int32 { return int32(v / g.n) }}}
}

// Label returns "(w,i)".
func (g *ccc) Label(v int) string {
	return "(" + strconv.Itoa(v/g.n) + "," + strconv.Itoa(v%g.n) + ")"
}

// Links yields the cycles, then the cube, one dimension after the other.
func (g *ccc) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		l := Link{PortA: 0, PortB: 1, Width: 1}
		for first := 0; first < g.kinds[0].Count; first += g.n {
			for a := first; a < first+g.n-1; a++ {
				l.A, l.B = int32(a), int32(a+1)
				if !yield(l) {
					return
				}
			}
			l.A, l.B = int32(first+g.n-1), int32(first)
			if !yield(l) {
				return
			}
		}
		l.PortA, l.PortB = 2, 2
		for i := range g.n {
			l.Level = int32(1 + i)
			for w := range 1 << g.n {
				if w>>i&1 == 1 {
					continue
				}
				l.A, l.B = int32(w*g.n+i), int32((w|1<<i)*g.n+i)
				if !yield(l) {
					return
				}
			}
		}
	}
}

// cccDiameter returns the diameter in hops (I. Fris, I. Havel and P. Liebl, "The diameter of the cube-connected
// cycles", Inform. Process. Lett. 61(3), 1997).
func cccDiameter(n int) int {
	if n == 3 {
		return 6
	}
	return 2*n + n/2 - 2
}

// ClosedForms has the degree, the diameter and the bisection, and no mean distance.
func (g *ccc) ClosedForms() ClosedForms {
	return ClosedForms{
		DegreeMin: 3, DegreeMax: 3, Diameter: cccDiameter(g.n), MeanHops: math.NaN(),
		Bisection: float64(int(1) << (g.n - 1)),
		BisectionSource: "2^(n-1), the links of one dimension of the cube; as in Table 1 of Zhang et al., IEEE TPDS " +
			"22(2), 2011",
	}
}

// cccSizes offers the networks of all n whose routers are the nodes; none with terminals.
func cccSizes(s *SizeSearch) {
	for n := 3; n <= maxCCCDims; n++ {
		s.Add(0, Size{
			Spec:  Spec{Params: CCC{Dims: Ints{n}}},
			Nodes: n << n, Ports: 3, Links: int64(n<<n) / 2 * 3, Diameter: cccDiameter(n),
		})
	}
}
