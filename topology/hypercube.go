package topology

import "iter"

// hypercube joins 2^n nodes whose numbers differ in exactly one of n bits (W.
// J. Dally and B. Towles, Principles and Practices of Interconnection
// Networks, Morgan Kaufmann 2004, section 5.1: the binary n-cube).
//
// The only kind is "node"; the levels are dim1 ... dimN, dim1 for the lowest bit; there are no groupings. Port d leads
// to the node that differs in bit d.
type hypercube struct {
	dims   []int
	kinds  []Kind
	levels []Level
}

var (
	_ Symmetric      = (*hypercube)(nil)
	_ Formulas       = (*hypercube)(nil)
	_ PlainLattice   = (*hypercube)(nil)
	_ Counted        = (*hypercube)(nil)
	_ LevelSymmetric = (*hypercube)(nil)
	_ UsualRouter    = (*hypercube)(nil)
)

// maxCube is the largest n for which 2^n vertices can be numbered.
const maxCube = 30

var hypercubeFamily = Family{
	Name:   "hypercube",
	Doc:    "2^n nodes, joined where their binary numbers differ in one bit",
	Source: "W. J. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004, section 5.1",
	Params: []Param{
		{
			Name: "dims", Doc: "one number, the number of dimensions, from 1 to 30", Required: true,
		},
		optionalTerminals,
	},
	Zero:     Hypercube{},
	Sizes:    hypercubeSizes,
	SizesDoc: "all",
}

// Hypercube is 2^n nodes, joined where their binary numbers differ in one bit.
type Hypercube struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // one number, n
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "hypercube".
func (Hypercube) Family() string { return "hypercube" }

// ShortName has the sides.
func (p Hypercube) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the hypercube.
func (p Hypercube) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p Hypercube) routers(m *Mistakes) Graph {
	switch {
	case len(p.Dims) > 1:
		m.Add("dims", "a hypercube takes one number, the number of its dimensions, not %d numbers", len(p.Dims))
	case len(p.Dims) == 1 && (p.Dims[0] < 1 || p.Dims[0] > maxCube):
		m.AddAt("dims", 0, "a hypercube has from 1 to %d dimensions, not %d", maxCube, p.Dims[0])
	}
	if !m.None() {
		return nil
	}
	n := p.Dims[0]
	g := &hypercube{
		dims:   make([]int, n),
		kinds:  []Kind{{Name: "node", Count: 1 << n, Role: Node, Ports: n}},
		levels: appendLevels(nil, n),
	}
	for d := range g.dims {
		g.dims[d] = 2
	}
	return g
}

func (g *hypercube) Family() string          { return hypercubeFamily.Name }
func (g *hypercube) Kinds() []Kind           { return g.kinds }
func (g *hypercube) Levels() []Level         { return g.levels }
func (g *hypercube) Groupings() []Grouping   { return nil }
func (g *hypercube) Dims() []int             { return g.dims }
func (g *hypercube) Wraps(int) bool          { return false }
func (g *hypercube) TerminalsPerRouter() int { return 0 }
func (g *hypercube) Orbits() []Orbit         { return []Orbit{{0, g.kinds[0].Count}} }

// ClosedForms are those of a torus with sides of 2.
func (g *hypercube) ClosedForms() ClosedForms {
	n, nodes := len(g.dims), g.kinds[0].Count
	return ClosedForms{
		DegreeMin: n, DegreeMax: n, Diameter: n, MeanHops: withoutSelf(float64(n)/2, nodes),
		SingleLinks: true, Bisection: float64(nodes / 2),
		BisectionSource: "2^(n-1): W. J. Dally and B. Towles, 2004, chapter 5; n^(D-1) for n = 2 in " +
			exascaleSource,
	}
}

// Label is the number of v in binary, the highest dimension first.
func (g *hypercube) Label(v int) string {
	bits := make([]byte, len(g.dims))
	for d := range bits {
		bits[len(bits)-1-d] = '0' + byte(v>>d&1)
	}
	return string(bits)
}

// Links yields one dimension after the other, and in each the links by their
// lower end.
func (g *hypercube) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for d := range g.dims {
			l := Link{PortA: int32(d), PortB: int32(d), Level: int32(d), Width: 1}
			bit := 1 << d
			for plane := 0; plane < g.kinds[0].Count; plane += 2 * bit {
				for a := plane; a < plane+bit; a++ {
					l.A, l.B = int32(a), int32(a+bit)
					if !yield(l) {
						return
					}
				}
			}
		}
	}
}

// SameLevels holds as all bits of a number may be turned over.
func (g *hypercube) SameLevels() bool { return true }

// DimensionPorts is port d, whichever of the two points it is.
func (g *hypercube) DimensionPorts(d int) DimensionPorts {
	return DimensionPorts{Next: d, Previous: d}
}

// UsualRouting is dimension order.
func (g *hypercube) UsualRouting() string { return "dor" }

// LevelChannels: half the vertices in each dimension.
func (g *hypercube) LevelChannels() []int64 {
	out := make([]int64, len(g.levels))
	for d := range out {
		out[d] = int64(g.kinds[0].Count) / 2
	}
	return out
}

// hypercubeSizes offers all hypercubes.
func hypercubeSizes(s *SizeSearch) {
	s.Powers(2, 1, func(n, nodes int) {
		if n <= maxCube {
			s.Add(0, Size{
				Spec:  Spec{Params: Hypercube{Dims: Ints{n}}},
				Nodes: nodes, Ports: n, Links: int64(n) * int64(nodes) / 2, Diameter: n,
			})
		}
	})
}
