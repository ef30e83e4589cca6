package topology

import (
	"iter"
	"math"
	"strconv"
)

// hybridFatTree is a fat tree whose nodes are its switches, of N = 2^n nodes
// and 2N - 3 links (A. Harwood and H. Shen, "A low cost hybrid fat-tree
// interconnection network", PDPTA 1998). In each aligned block of 2^k nodes from
// b on there are the links
//
//	k = 1   b ~ b + 1
//	k > 1   b ~ b + 2^(k-1),  b ~ b + 3 x 2^(k-2),  b + 2^(k-2) ~ b + 2^(k-1)
//
// No text of the source was at hand: this definition was constructed to fit, and
// does so exactly, the figures for 32,768 nodes in Table 1 of P. Zhang, R.
// Powell and Y. Deng, IEEE TPDS 22(2), 2011.
//
// The only kind is "node"; the levels are tier1 ... tierN, tier k for the links of blocks of 2^k; the groupings block1
// ... block(N-1) are the blocks of 2, 4, ... nodes. Port 0 leads to the other node of a pair; tier k has ports 2k-3 and
// 2k-2, the first for the link between halves and for the ends that have one link only.
type hybridFatTree struct {
	n      int
	kinds  []Kind
	levels []Level
}

var _ Formulas = (*hybridFatTree)(nil)

var hybridFatTreeFamily = Family{
	Name: "hybrid-fat-tree",
	Doc:  "a tree of 2^n nodes without switches, whose node degree grows towards the first node of each block",
	Source: "A. Harwood and H. Shen, A low cost hybrid fat-tree interconnection network, PDPTA 1998 (construction " +
		"fitted to published figures)",
	Params:   []Param{nodesPowerParam, optionalTerminals},
	Zero:     HybridFatTree{},
	Sizes:    hybridFatTreeSizes,
	SizesDoc: "all",
}

// HybridFatTree is a tree whose nodes are its switches.
type HybridFatTree struct {
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
	Nodes     int `yaml:"nodes,omitempty" json:"nodes,omitempty"` // a power of two
}

// Family is "hybrid-fat-tree".
func (HybridFatTree) Family() string { return "hybrid-fat-tree" }

// Build makes the tree.
func (p HybridFatTree) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p HybridFatTree) routers(m *Mistakes) Graph {
	n := m.nodesPower(p.Nodes)
	if !m.None() {
		return nil
	}
	g := &hybridFatTree{n: n, kinds: []Kind{{Name: "node", Count: 1 << n, Role: Node, Ports: 2*n - 1}}}
	for k := range n {
		g.levels = append(g.levels, Level{Name: "tier" + strconv.Itoa(k+1)})
	}
	return g
}

func (g *hybridFatTree) Family() string     { return hybridFatTreeFamily.Name }
func (g *hybridFatTree) Kinds() []Kind      { return g.kinds }
func (g *hybridFatTree) Levels() []Level    { return g.levels }
func (g *hybridFatTree) Label(v int) string { return strconv.Itoa(v) }

func (g *hybridFatTree) Groupings() []Grouping {
	var groupings []Grouping
	for k := 1; k < g.n; k++ {
		groupings = append(groupings, Grouping{
			Name: "block" + strconv.Itoa(k), Count: 1 << (g.n - k),
			Of: func(v int) int32 { return int32(v >> k) },
		})
	}
	return groupings
}

// Links yields one tier after the other, block by block.
func (g *hybridFatTree) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		nodes := int32(g.kinds[0].Count)
		pair := Link{Width: 1}
		for b := int32(0); b < nodes; b += 2 {
			pair.A, pair.B = b, b+1
			if !yield(pair) {
				return
			}
		}
		for k := 2; k <= g.n; k++ {
			quarter := int32(1) << (k - 2)
			one, two := int32(2*k-3), int32(2*k-2)
			halves := Link{Level: int32(k - 1), PortA: one, PortB: one, Width: 1}
			outer, inner := halves, halves
			outer.PortA, inner.PortB = two, two
			for b := int32(0); b < nodes; b += 4 * quarter {
				halves.A, halves.B = b, b+2*quarter
				outer.A, outer.B = b, b+3*quarter
				inner.A, inner.B = b+quarter, b+2*quarter
				if !yield(halves) || !yield(outer) || !yield(inner) {
					return
				}
			}
		}
	}
}

// ClosedForms states what the construction implies.
func (g *hybridFatTree) ClosedForms() ClosedForms {
	c := ClosedForms{
		DegreeMin: 2, DegreeMax: 2*g.n - 1,
		Diameter: g.n, MeanHops: math.NaN(),
		Bisection:  3,
		CostDegree: 4, // the paper's, about the mean 4 - 6/N
		BisectionSource: "the links between the halves of the nodes; as in Table 1 of Zhang et al., IEEE TPDS 22(2), " +
			"2011",
	}
	if g.n == 1 {
		c.DegreeMin, c.Bisection = 1, 1
	}
	return c
}

// hybridFatTreeSizes offers all hybrid fat trees.
func hybridFatTreeSizes(s *SizeSearch) {
	s.Powers(2, 1, func(n, nodes int) {
		s.Add(0, Size{
			Spec:  Spec{Params: HybridFatTree{Nodes: nodes}},
			Nodes: nodes, Ports: 2*n - 1, Links: 2*int64(nodes) - 3, Diameter: n,
		})
	})
}
