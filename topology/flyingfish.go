package topology

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/arith"
)

// flyingFish is 2 n^2 subnets of n x n nodes, the nodes of each row and of each
// column fully joined (S. Li et al., "Low latency, high bisection-bandwidth
// networks for exascale memory systems", MEMSYS 2016, section 1, Fishnet:
// Angelfish and Flying Fish). The subnets are bH and bV for every node b. In
// every subnet the nodes of the row of b are linked to bH and those of the
// column of b to bV: n links between two subnets, matched in ascending order.
// That makes 4n - 2 ports and diameter 4; a node whose row or column leads to
// its own subnet has one link less. The lite variant is a fishnet: n^2 + 1
// subnets, single links and diameter 5.
//
// The only kind is "node"; the levels are row, column and global; the groupings are "line", a row of a subnet, and
// "subnet": first all bH, then all bV. The first n-1 ports lead along the row, the next n-1 along the column, in
// ascending order of the neighbours. Then come n ports for the nodes b of the own row (bH) and n for those of the own
// column (bV).
type flyingFish struct {
	side   int
	kinds  []Kind
	levels []Level
}

var (
	_ Symmetric = (*flyingFish)(nil)
	_ Formulas  = (*flyingFish)(nil)
	_ Placeable = (*flyingFish)(nil)
)

var flyingFishFamily = Family{
	Name:   "flying-fish",
	Doc:    "squares of fully joined rows and columns, joined to each other by rows and columns",
	Source: exascaleSource + ", Fishnet: Angelfish and Flying Fish",
	Params: []Param{
		{Name: "side", Doc: "the number of nodes along a side of a subnet, at least 2", Required: true},
		{Name: "variant", Doc: "full (default) or lite"},
		optionalTerminals,
	},
	Zero:     FlyingFish{},
	Sizes:    flyingFishSizes,
	SizesDoc: "all",
}

// FlyingFish is squares of fully joined rows and columns.
type FlyingFish struct {
	Side int `yaml:"side,omitempty" json:"side,omitempty"` // nodes along a side of a subnet
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
	// Variant is how subnets are joined: full (default) or lite.
	Variant string `yaml:"variant,omitempty" json:"variant,omitempty"`
}

// Family is "flying-fish".
func (FlyingFish) Family() string { return "flying-fish" }

// Build makes the squares and joins them.
func (p FlyingFish) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p FlyingFish) routers(m *Mistakes) Graph {
	m.Within("side", p.Side, 2, MaxPorts)
	m.OneOf("variant", p.Variant, []string{"full", "lite"})
	if !m.None() {
		return nil
	}
	n := int64(p.Side)
	nodes := arith.Times(arith.Times(2, n*n), n*n)
	if p.Variant == "lite" {
		nodes = arith.Times(n*n, n*n+1)
	}
	m.Vertices("side", nodes)
	if !m.None() {
		return nil
	}
	if p.Variant == "lite" {
		square := &hyperX{
			dims: []int{p.Side, p.Side}, widths: []int{1, 1},
			kinds: []Kind{{Name: "node", Count: p.Side * p.Side}},
		}
		g := &fishnet{family: "flying-fish", base: newSubnet(square)}
		g.base.groupings = []Grouping{{Name: "line", Count: p.Side, Of: func(v int) int32 { return int32(v / p.Side) }}}
		g.describe()
		return g
	}
	return &flyingFish{
		side: p.Side, kinds: []Kind{{Name: "node", Count: int(nodes), Role: Node, Ports: 4*p.Side - 2}},
		levels: []Level{{Name: "row"}, {Name: "column"}, {Name: "global"}},
	}
}

func (g *flyingFish) Family() string { return "flying-fish" }
func (g *flyingFish) Kinds() []Kind  { return g.kinds }

func (g *flyingFish) Levels() []Level { return g.levels }

func (g *flyingFish) Groupings() []Grouping {
	n := g.side
	return []Grouping{
		{Name: "line", Count: 2 * n * n * n, Of: func(v int) int32 { return int32(v / n) }},
		{Name: "subnet", Count: 2 * n * n, Of: func(v int) int32 { return int32(v / (n * n)) }},
	}
}

// Orbits are by which of three numbers are equal: the row s of the subnet's node
// b, and the row r and column c of a node in it. Subnets bH of one row of b look
// the same from all others, the rows and columns may be permuted alike, and
// exchanging rows and columns takes bH to bV.
func (g *flyingFish) Orbits() []Orbit {
	n := g.side
	each := 2 * n * n // ways to choose s, the column of b, and H or V
	out := []Orbit{
		{0, each},               // s = r = c
		{1, each * (n - 1)},     // s = r
		{n, each * (n - 1)},     // s = c
		{n + 1, each * (n - 1)}, // r = c
	}
	if n > 2 {
		out = append(out, Orbit{n + 2, each * (n - 1) * (n - 2)})
	}
	return out
}

// Label is the subnet and the node's column and row in it: "16H(3,0)".
func (g *flyingFish) Label(v int) string {
	square := g.side * g.side
	u, s := v%square, v/square
	return fmt.Sprintf("%d%c(%d,%d)", s%square, "HV"[s/square], u%g.side, u/g.side)
}

func (g *flyingFish) ClosedForms() ClosedForms {
	n := g.side
	c := ClosedForms{
		DegreeMin: 4*n - 3, DegreeMax: 4*n - 2, Diameter: 4, MeanHops: -1,
		Bisection:       float64(n) * float64(n*n) * float64(n*n),
		BisectionSource: "n^5, between halves of the subnets: " + exascaleSource,
	}
	return c
}

// Links yields the rows and then the columns of every subnet, then the links
// between subnets.
func (g *flyingFish) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		_ = g.lines(0, 1, g.side, yield) && g.lines(1, g.side, 1, yield) && g.global(yield)
	}
}

// lines joins the nodes of every line of a level, which are step apart; lines
// are next apart.
func (g *flyingFish) lines(level, step, next int, yield func(Link) bool) bool {
	n := g.side
	l := Link{Level: int32(level), Width: 1}
	for first := 0; first < g.kinds[0].Count; first += n * n {
		for line := range n {
			for i := range n {
				l.PortB = int32(level*(n-1) + i)
				for j := i + 1; j < n; j++ {
					l.A, l.B = int32(first+line*next+i*step), int32(first+line*next+j*step)
					l.PortA = int32(level*(n-1) + j - 1)
					if !yield(l) {
						return false
					}
				}
			}
		}
	}
	return true
}

func (g *flyingFish) global(yield func(Link) bool) bool {
	n := g.side
	square := n * n
	for s := range 2 * square {
		for t := s + 1; t < 2*square; t++ {
			a, stepA, portA := g.line(t)
			b, stepB, portB := g.line(s)
			l := Link{
				A: int32(s*square + a), B: int32(t*square + b),
				PortA: int32(portA), PortB: int32(portB), Level: 2, Width: 1,
			}
			for range n {
				if !yield(l) {
					return false
				}
				l.A += int32(stepA)
				l.B += int32(stepB)
			}
		}
	}
	return true
}

// line is the nodes that every subnet links to subnet t: n of them, step apart,
// each by the given port.
func (g *flyingFish) line(t int) (first, step, port int) {
	n := g.side
	node := t % (n * n)
	if t < n*n {
		return node / n * n, 1, 2*(n-1) + node%n
	}
	return node % n, n, 3*n - 2 + node/n
}

// PlacementGroups are the subnets.
func (g *flyingFish) PlacementGroups() (strategy string, grouping int) {
	return "groups", groupingNamed(g.Groupings(), "subnet")
}

// flyingFishSizes offers both variants of every side.
func flyingFishSizes(s *SizeSearch) {
	for n := int64(2); n*n*n*n <= int64(s.MaxNodes); n++ {
		side := int(n)
		s.Add(0, Size{
			Spec:  Spec{Params: FlyingFish{Side: side, Variant: "full"}},
			Nodes: int(2 * n * n * n * n), Ports: 4*side - 2,
			Links: 2*n*n*n*n*(n-1) + n*n*n*(2*n*n-1), Diameter: 4,
		})
		s.Add(0, regularSize(FlyingFish{Side: side, Variant: "lite"}, int(n*n*(n*n+1)), 2*side-1, 5))
	}
}
