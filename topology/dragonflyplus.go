package topology

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/divisors"
	"github.com/plenum-planner/plenum/internal/trees"
)

// dragonflyPlus is groups of leaf and spine switches, every leaf of a group
// joined to every spine of it, with nodes on the leaves and global links
// between the spines of every two groups (A. Shpiner, Z. Haramaty, S. Eliad, V.
// Zdornov, B. Gafni and E. Zahavi, "Dragonfly+: low cost topology for scaling
// datacenters", HiPINEB 2017). The Megafly of M. Flajslik, E. Borch and M. A.
// Parker, "Megafly: a topology for exascale systems", ISC High Performance 2018,
// is of the same form.
//
// The global channels are those of a dragonfly whose switches are the spines.
//
// The kinds are "leaf", "spine" and "node"; the levels are terminal, local and global; the groupings are "block", a
// leaf with its nodes, and "group". A leaf has its nodes on the first ports, then the spines; a spine has the leaves on
// the first ports, then the global channels. Local links may be several channels wide. Groups of several kinds are
// those of mixedDragonflyPlus.
type dragonflyPlus struct {
	nodes, leaves, spines int // on a leaf, in a group, in a group
	width                 int // of a local link
	core                  *dragonfly
	kinds                 []Kind
	levels                []Level
}

var (
	_ Symmetric   = (*dragonflyPlus)(nil)
	_ Formulas    = (*dragonflyPlus)(nil)
	_ Grouped     = (*dragonflyPlus)(nil)
	_ UsualRouter = (*dragonflyPlus)(nil)
	_ Placeable   = (*dragonflyPlus)(nil)
	_ WorstCase   = (*dragonflyPlus)(nil)
)

var dragonflyPlusFamily = Family{
	Name:   "dragonfly-plus",
	Doc:    "groups of leaves and spines, with global links between the spines of every two groups",
	Source: "A. Shpiner et al., Dragonfly+: low cost topology for scaling datacenters, HiPINEB 2017",
	Params: []Param{
		{Name: "p", Doc: "the number of nodes on each leaf, at least 1", Required: true},
		{Name: "a", Doc: "the number of leaves in a group, at least 1", Required: true},
		{Name: "h", Doc: "the number of ports for global links on each spine, at least 1", Required: true},
		{Name: "spines", Doc: "the number of spines in a group; as many as leaves when left out"},
		{Name: "groups", Doc: "the number of groups; as many as the global ports allow (spines*h + 1 with one link " +
			"per pair) when left out"},
		{Name: "links_per_pair", Doc: "the number of global links between two groups; 1 when left out"},
		{Name: "local_width", Doc: "the parallel links between a leaf and a spine of its group; 1 when left out"},
		arrangementParam,
		{Name: "other_groups", Doc: "the numbers of groups of further kinds, behind the first"},
		{Name: "other_p", Doc: "the nodes on each leaf of each further kind; as p when left out"},
		{Name: "other_a", Doc: "the leaves of a group of each further kind; as a when left out"},
		{Name: "other_spines", Doc: "the spines of a group of each further kind; as spines when left out"},
		{Name: "other_local_width", Doc: "the parallel links between a leaf and a spine of each further kind; as " +
			"local_width when left out"},
		{Name: "pair_links", Doc: "in place of links_per_pair, the global links between two groups by their kinds: " +
			"of the first with itself and each further one, then of the second with itself and on"},
	},
	Zero:  DragonflyPlus{},
	Sizes: dragonflyPlusSizes,
	SizesDoc: "k leaves, k spines and k global ports, k/2 to 2k nodes on a leaf, as many groups as there can be; " +
		"with k nodes also fewer",
}

// DragonflyPlus is groups of leaves and spines, the spines of every two groups joined.
type DragonflyPlus struct {
	// of a group, as many as leaves when left out
	Spines int `yaml:"spines,omitempty" json:"spines,omitempty"`
	P      int `yaml:"p,omitempty" json:"p,omitempty"` // nodes on each leaf
	A      int `yaml:"a,omitempty" json:"a,omitempty"` // leaves of a group
	// ports for global links on each spine
	H int `yaml:"h,omitempty" json:"h,omitempty"`
	// as many as the global ports allow when left out
	Groups int `yaml:"groups,omitempty" json:"groups,omitempty"`
	// global links between two groups, 1 when left out
	LinksPerPair int `yaml:"links_per_pair,omitempty" json:"links_per_pair,omitempty"`
	// parallel links between a leaf and a spine of its group, 1 when left out
	LocalWidth int `yaml:"local_width,omitempty" json:"local_width,omitempty"`
	// Arrangement of global links: one of Arrangements, RelativeArrangement when empty.
	Arrangement string `yaml:"arrangement,omitempty" json:"arrangement,omitempty"`
	// numbers of groups of further kinds
	OtherGroups Ints `yaml:"other_groups,omitempty" json:"other_groups,omitempty"`
	// nodes on each leaf of each further kind
	OtherP Ints `yaml:"other_p,omitempty" json:"other_p,omitempty"`
	// leaves of a group of each further kind
	OtherA Ints `yaml:"other_a,omitempty" json:"other_a,omitempty"`
	// spines of a group of each further kind
	OtherSpines Ints `yaml:"other_spines,omitempty" json:"other_spines,omitempty"`
	// parallel links between a leaf and a spine of each further kind
	OtherLocalWidth Ints `yaml:"other_local_width,omitempty" json:"other_local_width,omitempty"`
	// global links between two groups by their kinds
	PairLinks Ints `yaml:"pair_links,omitempty" json:"pair_links,omitempty"`
}

// Family is "dragonfly-plus".
func (DragonflyPlus) Family() string { return "dragonfly-plus" }

// Build makes the groups.
func (p DragonflyPlus) Build(m *Mistakes) Graph {
	m.Within("p", p.P, 1, MaxPorts)
	m.Within("a", p.A, 1, MaxPorts)
	m.Within("spines", p.Spines, 1, MaxPorts)
	m.Within("local_width", p.LocalWidth, 1, MaxPorts)
	p.checkKinds(m)
	if p.Spines == 0 {
		p.Spines = p.A
	}
	width := max(p.LocalWidth, 1)
	if m.None() { // the rest is as in a dragonfly of spines, of one node each
		m.Ports("p", int64(p.P)+int64(p.Spines)*int64(width))
		m.Ports("a", int64(p.A)*int64(width)+int64(p.H))
	}
	several := len(p.OtherGroups) > 0 || len(p.PairLinks) > 0
	if several && p.Arrangement != "" {
		m.Add("arrangement", "is for groups of one kind, without other_groups and pair_links")
	}
	if !m.None() || several {
		m.Within("h", p.H, 1, MaxPorts)
		m.Within("groups", p.Groups, 1, MaxVertices)
		m.Within("links_per_pair", p.LinksPerPair, 1, MaxVertices)
		if !m.None() {
			return nil
		}
		return p.newMixed(m)
	}
	inner := newDragonfly(Dragonfly{
		P: 1, A: p.Spines, H: p.H, Groups: p.Groups, LinksPerPair: p.LinksPerPair,
		Arrangement: p.Arrangement,
	}, m)
	if inner == nil {
		return nil
	}
	groups := int64(inner.groups)
	leaves, spines := arith.Times(groups, int64(p.A)), arith.Times(groups, int64(p.Spines))
	m.Vertices("groups", arith.Times(leaves, int64(1+p.P))+spines)
	if !m.None() {
		return nil
	}
	return &dragonflyPlus{
		nodes: p.P, leaves: p.A, spines: p.Spines, width: width, core: inner, levels: dragonflyLevels(),
		kinds: []Kind{
			{Name: "leaf", Count: int(leaves), Role: Switch, Ports: p.P + p.Spines*width},
			{
				Name: "spine", First: int(leaves), Count: int(spines), Role: Switch,
				Ports: p.A*width + arith.CeilDiv(inner.channels(), p.Spines),
			},
			{Name: "node", First: int(leaves + spines), Count: int(leaves) * p.P, Role: Terminal, Ports: 1},
		},
	}
}

func (g *dragonflyPlus) Family() string  { return "dragonfly-plus" }
func (g *dragonflyPlus) Kinds() []Kind   { return g.kinds }
func (g *dragonflyPlus) Levels() []Level { return g.levels }

// leafOf returns the leaf of a node, a leaf itself, and -1 for a spine.
func (g *dragonflyPlus) leafOf(v int) int {
	switch {
	case v < g.kinds[1].First:
		return v
	case v < g.kinds[2].First:
		return -1
	}
	return (v - g.kinds[2].First) / g.nodes
}

func (g *dragonflyPlus) Groupings() []Grouping {
	return []Grouping{
		{Name: "block", Count: g.kinds[0].Count, Of: func(v int) int32 { return int32(g.leafOf(v)) }},
		{Name: "group", Count: g.core.groups, Of: func(v int) int32 {
			if leaf := g.leafOf(v); leaf >= 0 {
				return int32(leaf / g.leaves)
			}
			return int32((v - g.kinds[1].First) / g.spines)
		}},
	}
}

// Orbits are all leaves, and the spines with the same number in their groups; in the absolute arrangement, the leaves
// of each group, and each spine.
func (g *dragonflyPlus) Orbits() []Orbit {
	out := []Orbit{{0, g.kinds[0].Count}}
	if g.core.absolute { // groups differ
		out = nil
		for group := range g.core.groups {
			out = append(out, Orbit{group * g.leaves, g.leaves})
		}
	}
	for _, o := range g.core.Orbits() {
		out = append(out, Orbit{g.kinds[1].First + o.Vertex, o.Size})
	}
	return out
}

// ClosedForms are over terminals: any leaf reaches any other of its group by a spine, and one of another group by the
// two spines of a global link. The bisection is not known, nor are the degrees if there are more channels between two
// groups than spines in a group.
func (g *dragonflyPlus) ClosedForms() ClosedForms {
	c := ClosedForms{DegreeMin: -1, DegreeMax: -1, Bisection: -1}
	n := g.kinds[2].Count
	c.Diameter, c.MeanHops = trees.Distances(n,
		[]trees.Tier{{Size: g.nodes, Hops: 2}, {Size: g.nodes * g.leaves, Hops: 4}, {Size: n, Hops: 5}})
	if g.core.perPair <= g.spines { // no two channels between the same spines
		global := g.core.channels()
		c.DegreeMin = min(g.spines, g.leaves+global/g.spines)
		c.DegreeMax = max(g.spines, g.leaves+arith.CeilDiv(global, g.spines))
	}
	return c
}

// Label is the group and number of a leaf or spine, or those of a node's leaf
// and the node's port there: "(32,7)", "(32,7):3".
func (g *dragonflyPlus) Label(v int) string {
	leaf := g.leafOf(v)
	switch {
	case leaf < 0:
		v -= g.kinds[1].First
		return fmt.Sprintf("(%d,%d)", v/g.spines, v%g.spines)
	case v < g.kinds[1].First:
		return fmt.Sprintf("(%d,%d)", leaf/g.leaves, leaf%g.leaves)
	}
	return fmt.Sprintf("(%d,%d):%d", leaf/g.leaves, leaf%g.leaves, (v-g.kinds[2].First)%g.nodes)
}

// Links yields the terminals, the local links group by group, and the global
// links.
func (g *dragonflyPlus) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		_ = g.terminal(yield) && g.local(yield) && g.global(yield)
	}
}

func (g *dragonflyPlus) terminal(yield func(Link) bool) bool {
	v := g.kinds[2].First
	for leaf := range g.kinds[0].Count {
		for t := range g.nodes {
			if !yield(Link{A: int32(leaf), B: int32(v), PortA: int32(t), Width: 1}) {
				return false
			}
			v++
		}
	}
	return true
}

func (g *dragonflyPlus) local(yield func(Link) bool) bool {
	for leaf := range g.kinds[0].Count {
		first := g.kinds[1].First + leaf/g.leaves*g.spines
		for spine := range g.spines {
			if !yield(Link{
				A: int32(leaf), B: int32(first + spine),
				PortA: int32(g.nodes + spine*g.width), PortB: int32(leaf % g.leaves * g.width), Level: 1,
				Width: int32(g.width),
			}) {
				return false
			}
		}
	}
	return true
}

func (g *dragonflyPlus) global(yield func(Link) bool) bool {
	first := int32(g.kinds[1].First)
	shift := int32(g.leaves*g.width - g.core.p - g.core.a + 1) // of the global ports
	return g.core.global(func(l Link) bool {
		l.A, l.B = l.A+first, l.B+first
		l.PortA, l.PortB = l.PortA+shift, l.PortB+shift
		return yield(l)
	})
}

// RoutingGroups are the groups, every two of which are joined.
func (g *dragonflyPlus) RoutingGroups() Grouping {
	groupings := g.Groupings()
	return groupings[len(groupings)-1]
}

// UsualRouting is UGAL by the queues of the source.
func (g *dragonflyPlus) UsualRouting() string { return "ugal-l" }

// PlacementGroups are the groups.
func (g *dragonflyPlus) PlacementGroups() (strategy string, grouping int) {
	return "groups", len(g.Groupings()) - 1
}

// WorstCaseTraffic sends all traffic of a group to the next one (J. Kim et al., ISCA 2008,
// section 4.2).
func (g *dragonflyPlus) WorstCaseTraffic() string { return "next-group" }

// dragonflyPlusSizes offers groups of k leaves and k spines with k global ports
// on each spine and k/2 to 2k nodes on each leaf, in as many groups as there can
// be. Those with k nodes come first; these also with fewer groups, where several
// links to each other group use all global ports.
func dragonflyPlusSizes(s *SizeSearch) {
	for k := 1; 2*k <= s.MaxPorts &&
		arith.Times(int64(k)*int64(arith.CeilDiv(k, 2)), int64(k*k+1)) <= int64(s.MaxNodes); k++ {
		groups, few := k*k+1, arith.CeilDiv(k, 2)
		step := groups * k
		rank := func(p int) int { return 1000 * arith.Abs(p-k) / k }
		size := func(p int) Size { return dragonflyPlusSize(p, k, groups, 1) }
		s.AddFittingRun(k+1, k*step, step, func(i int) int { return rank(k + i) },
			func(i int) Size { return size(k + i) })
		s.AddFittingRun(k-few, (k-1)*step, -step, func(i int) int { return rank(k - 1 - i) },
			func(i int) Size { return size(k - 1 - i) })
	}
	for k := 2; 2*k <= s.MaxPorts && 2*k*k <= s.MaxNodes; k++ {
		for _, others := range divisors.OfSquare(1, k) {
			if perPair := k * k / others; perPair > 1 {
				s.Add(10_000+perPair, dragonflyPlusSize(k, k, others+1, perPair))
			}
		}
	}
}

func dragonflyPlusSize(p, k, groups, perPair int) Size {
	params := DragonflyPlus{P: p, A: k, H: k}
	if perPair > 1 {
		params.Groups, params.LinksPerPair = groups, perPair
	}
	z := Size{
		Spec:      Spec{Params: params},
		Nodes:     p * k * groups,
		Switches:  2 * k * groups,
		Terminals: p,
		Ports:     k + max(p, k),
		Diameter:  5,
	}
	g := int64(groups)
	z.Links = int64(z.Nodes) + g*int64(k)*int64(k) + int64(perPair)*(g*(g-1)/2)
	return z
}
