package topology

// pecFamily is a network LIKE the packed exponential connections of W. W.
// Kirkman and D. Quammen ("Packed exponential connections - a hierarchy of 2-D
// meshes", IPPS 1991), of which no definition was at hand: a shifted torus (see
// shifted) of N = 2^n columns and N or N/2 rows with b = 3. A step of the
// number of rows leads back to the node itself and is left out.
//
// For 256 x 128 nodes it has the diameter (15) and the bisection (1920 links)
// that Table 1 of P. Zhang, R. Powell and Y. Deng, IEEE TPDS 22(2), 2011 gives
// for PEC, but a mean distance of 8.9016 and a deviation of 1.8574 where the
// table has 8.9068 and 1.8342.
var pecFamily = Family{
	Name: "pec",
	Doc: "PEC-like: a torus with bypass links of lengths 2, 4, 8, ... packed into its rows; not the published PEC " +
		"network, whose mean distance is 0.06 % longer",
	Source: "after W. W. Kirkman and D. Quammen, Packed exponential connections, IPPS 1991 (our construction)",
	Params: []Param{
		{
			Name: "dims", Doc: "two powers of two from 4 to 32768, the first equal to the second or twice it",
			Required: true,
		},
		optionalTerminals,
	},
	Zero:     PEC{},
	Sizes:    pecSizes,
	SizesDoc: "all",
}

// PEC is a torus with bypass links packed into its rows.
type PEC struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // columns and rows
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "pec".
func (PEC) Family() string { return "pec" }

// ShortName has the sides.
func (p PEC) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the torus with its bypass links.
func (p PEC) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p PEC) routers(m *Mistakes) Graph {
	n := m.twoPowers(p.Dims)
	if m.None() && p.Dims[0] != p.Dims[1] && p.Dims[0] != 2*p.Dims[1] {
		m.Add("dims", "the first side must be equal to the second or twice it, not %d to %d", p.Dims[0], p.Dims[1])
	}
	if !m.None() {
		return nil
	}
	return newShifted(p.Family(), p.Dims, n, 3)
}

// pecSizes offers all PEC-like networks.
func pecSizes(s *SizeSearch) {
	for n := 2; n <= 15; n++ {
		for rows := 1 << n; rows >= max(4, 1<<(n-1)); rows /= 2 {
			dims := Ints{1 << n, rows}
			s.Add(0, shiftedSize(PEC{Dims: dims}, n, dims))
		}
	}
}
