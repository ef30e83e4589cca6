package topology

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/words"
)

// deBruijn is the undirected de Bruijn graph DG(d, n) (M. R. Samatham and D. K.
// Pradhan, "The de Bruijn multiprocessor network: a versatile parallel
// processing and sorting network for VLSI", IEEE Trans. Comput. 38(4), 1989):
// the vertices are the words of n digits to the base d, and a word is joined to
// those that result from dropping its first digit and appending another, v to
// (d v + a) mod d^n. It is taken as a simple graph: no loops at words of equal
// digits, and one link between two words of alternating digits, abab and baba.
//
// The only kind is "node"; the only level is shift; there are no groupings. Port a, below d, leads to the word with a
// appended; port d + a to the word from which dropping a led here.
//
// Exchanging digits throughout and reversing the words keep the graph: its
// orbits are the words that agree but for these.
type deBruijn struct {
	base, digits int
	kinds        []Kind
	levels       []Level
}

var (
	_ Symmetric = (*deBruijn)(nil)
	_ Formulas  = (*deBruijn)(nil)
)

var deBruijnFamily = Family{
	Name: "de-bruijn",
	Doc: "all words of some digits, joined where dropping the first and appending another digit leads from one to " +
		"the other",
	Source: "M. R. Samatham and D. K. Pradhan, The de Bruijn multiprocessor network, IEEE Trans. Comput. 38(4), 1989",
	Params: []Param{
		{Name: "base", Doc: "the number of different digits, from 2 to 32767", Required: true},
		{Name: "digits", Doc: "the number of digits of a word, from 1 to 30", Required: true},
		optionalTerminals,
	},
	Zero:     DeBruijn{},
	Sizes:    deBruijnSizes,
	SizesDoc: "two digits or more",
}

// DeBruijn is the undirected de Bruijn graph DG(d, n).
type DeBruijn struct {
	Base   int `yaml:"base,omitempty" json:"base,omitempty"`     // different digits: d
	Digits int `yaml:"digits,omitempty" json:"digits,omitempty"` // digits of a word: n
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "de-bruijn".
func (DeBruijn) Family() string { return "de-bruijn" }

// Build makes the graph.
func (p DeBruijn) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p DeBruijn) routers(m *Mistakes) Graph {
	m.Within("base", p.Base, 2, MaxPorts/2)
	m.Within("digits", p.Digits, 1, 30)
	if !m.None() {
		return nil
	}
	nodes := int64(1)
	for range p.Digits {
		nodes = arith.Times(nodes, int64(p.Base))
	}
	m.Vertices("digits", nodes)
	if !m.None() {
		return nil
	}
	return &deBruijn{
		base: p.Base, digits: p.Digits,
		kinds:  []Kind{{Name: "node", Count: int(nodes), Role: Node, Ports: 2 * p.Base}},
		levels: []Level{{Name: "shift"}},
	}
}

func (g *deBruijn) Family() string        { return deBruijnFamily.Name }
func (g *deBruijn) Kinds() []Kind         { return g.kinds }
func (g *deBruijn) Levels() []Level       { return g.levels }
func (g *deBruijn) Groupings() []Grouping { return nil }

// Label is the digits of a word, separated by dots if the base exceeds 10:
// "0312", "0.11.4".
func (g *deBruijn) Label(v int) string {
	var b []byte
	for place := g.kinds[0].Count / g.base; place > 0; place /= g.base {
		if g.base > 10 && len(b) > 0 {
			b = append(b, '.')
		}
		b = strconv.AppendInt(b, int64(v/place%g.base), 10)
	}
	return string(b)
}

// Links yields the links from each word to those with a digit appended, and
// one that leads both ways from the lower word.
func (g *deBruijn) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		nodes := g.kinds[0].Count
		top := nodes / g.base
		l := Link{Width: 1}
		for v := range nodes {
			l.A = int32(v)
			first := v / top
			rest := v % top * g.base
			l.PortB = int32(g.base + first)
			for a := range g.base {
				w := rest + a
				if w == v || w < v && w%top == v/g.base {
					continue
				}
				l.B, l.PortA = int32(w), int32(a)
				if !yield(l) {
					return
				}
			}
		}
	}
}

// Orbits lists the words in which new digits appear in ascending order, less
// those whose reversal, so renamed, is lower.
func (g *deBruijn) Orbits() []Orbit {
	var orbits []Orbit
	word := make([]int, g.digits)
	var extend func(i, used, size int)
	extend = func(i, used, size int) {
		if i == g.digits {
			back := words.RenamedReversal(word)
			switch compare := slices.Compare(back, word); {
			case compare == 0:
				orbits = append(orbits, Orbit{g.vertex(word), size})
			case compare > 0:
				orbits = append(orbits, Orbit{g.vertex(word), 2 * size})
			}
			return
		}
		for a := range used {
			word[i] = a
			extend(i+1, used, size)
		}
		if used < g.base {
			word[i] = used
			extend(i+1, used+1, size*(g.base-used))
		}
	}
	extend(0, 0, 1)
	return orbits
}

func (g *deBruijn) vertex(word []int) int {
	v := 0
	for _, a := range word {
		v = v*g.base + a
	}
	return v
}

// ClosedForms has the diameter from 00...0 to 11...1: each hop brings one new
// digit.
func (g *deBruijn) ClosedForms() ClosedForms {
	c := ClosedForms{
		DegreeMin: 2*g.base - 2, DegreeMax: 2 * g.base,
		Diameter: g.digits, MeanHops: math.NaN(), Bisection: math.NaN(),
	}
	switch g.digits {
	case 1:
		c.DegreeMin, c.DegreeMax, c.MeanHops = g.base-1, g.base-1, 1
	case 2:
		c.DegreeMax--
	}
	if g.base%2 == 0 && g.digits > 1 {
		c.Bisection = float64(g.base/2) * float64(g.kinds[0].Count)
		c.BisectionSource = "d^(n+1)/2, the arcs between first digits below and above d/2, as in Table 1 of Zhang " +
			"et al., IEEE TPDS 22(2), 2011 (2N for DG(4,n)); d^2/4 of the links of the simple graph are counted twice"
	}
	return c
}

// deBruijnSizes offers the graphs of at least two digits; with one, all nodes
// are joined. d + d (d-1)/2 of the d^(n+1) arcs are loops, or the second of two
// between words of alternating digits.
func deBruijnSizes(s *SizeSearch) {
	for base := 2; base <= MaxPorts/2 && base*base <= s.MaxNodes; base++ {
		s.Powers(base, 2, func(digits, nodes int) {
			d := int64(base)
			z := Size{
				Spec:  Spec{Params: DeBruijn{Base: base, Digits: digits}},
				Nodes: nodes, Ports: 2 * base, Links: d*int64(nodes) - d - d*(d-1)/2, Diameter: digits,
			}
			if digits == 2 {
				z.Ports--
			}
			s.Add(0, z)
		})
	}
}
