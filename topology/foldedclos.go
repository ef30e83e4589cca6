package topology

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/trees"
)

// foldedClos is a folded Clos network of switches of one radix with as many tiers as the nodes need: the rival of
// HyperX in J. H. Ahn, N. Binkert, A. Davis, M. McLaren and R. S. Schreiber, "HyperX: topology, routing, and packaging
// of efficient large-scale networks", SC 2009 (C. Clos, "A study of non-blocking switching networks", Bell System
// Technical Journal 32, 1953; C. E. Leiserson, "Fat-trees", IEEE Trans. Computers C-34 (10), 1985).
//
// Tiers are numbered from 0, the leaves, to n-1, the highest switches. A single tier (n = 1) is one switch with all
// nodes. With more, each leaf has d nodes and u up ports: u = ceil(d/taper) and d is the greatest with d + u <= R, so
// that ports may stay free (trees.SplitRadix). Switches of tiers 1 ... n-2 have h = floor(R/2) down and h up ports.
//
// A subtree of tier 0 is a leaf with its nodes. A subtree of tier j, 0 < j < n-1, is h subtrees of tier j-1 and, over
// them, m(j) = u h^(j-1) switches, its own; m(0) = 1. Up port p of own switch c of a subtree of tier j-1 goes to own
// switch p m(j-1) + c of the subtree of tier j. The last subtree of each tier may be partly filled and has all its own
// switches.
//
// Up to R subtrees of tier n-2 are connected by the highest switches. These form m(n-2) sets of equal size: the own
// switches with number c of all subtrees are connected to set c. A set has as few switches as have enough ports; the up
// ports are dealt out on them in turn (roundRobin), and channels between the same two switches are one link.
//
// The taper narrows the leaves only, so it is the ratio of nodes to channels at every height; 1/taper is the relative
// bisection (beta) of the HyperX paper.
//
// The kinds are the tiers of switches from the leaves up, named as in a thinTree, then "node"; vertices of a tier are
// numbered subtree by subtree, nodes leaf by leaf. The levels of links are "terminal", "tier1" (switch tiers 0 and 1),
// "tier2", .... The groupings are "block", a leaf with its nodes, and "subtree1", ..., up to tier n-2. The down ports
// of a switch have the lowest numbers, then the up ports.
type foldedClos struct {
	down, up []int // by tier: ports of a switch
	tops     int   // highest switches of a set: over each own switch of a subtree of tier n-2; 0 for a single tier
	size     []int // by tier: nodes of a full subtree; all nodes for the highest tier
	copies   []int // by tier: own switches of a subtree; all switches for the highest tier
	kinds    []Kind
	levels   []Level
}

var (
	_ Symmetric   = (*foldedClos)(nil)
	_ Formulas    = (*foldedClos)(nil)
	_ Counted     = (*foldedClos)(nil)
	_ EvenTree    = (*foldedClos)(nil)
	_ UpDown      = (*foldedClos)(nil)
	_ UsualRouter = (*foldedClos)(nil)
	_ Placeable   = (*foldedClos)(nil)
	_ Advised     = (*foldedClos)(nil)
)

var foldedClosFamily = Family{
	Name: "folded-clos",
	Doc:  "as many tiers of equal switches as the nodes need, tapered at the leaves",
	Source: "C. Clos, A study of non-blocking switching networks, Bell System Technical Journal 32, 1953; J. H. Ahn " +
		"et al., HyperX: topology, routing, and packaging of efficient large-scale networks, SC 2009",
	Params: []Param{
		{Name: "nodes", Doc: "the number of nodes, at least 1", Required: true},
		{Name: "radix", Doc: "the number of ports of every switch, at least 2", Required: true},
		{Name: "tiers", Doc: "the number of tiers of switches; the fewest that have room for the nodes when left out"},
		{Name: "taper", Doc: "the ratio of down to up ports of a leaf, of no account to a single switch; 1 when left " +
			"out"},
	},
	Zero:  FoldedClos{},
	Sizes: foldedClosSizes,
	SizesDoc: "full networks of two tiers or more with tapers 1, 2 and 3, of switches with an even number of " +
		"ports; networks for the nodes at both ends of the range",
}

// FoldedClos is as many tiers of equal switches as the nodes need.
type FoldedClos struct {
	Nodes int     `yaml:"nodes,omitempty" json:"nodes,omitempty"` // the last subtree of each tier may be partly filled
	Radix int     `yaml:"radix,omitempty" json:"radix,omitempty"` // ports of every switch
	Tiers int     `yaml:"tiers,omitempty" json:"tiers,omitempty"` // of switches; 0: the fewest with room for Nodes
	Taper float64 `yaml:"taper,omitempty" json:"taper,omitempty"` // ratio of down to up ports of a leaf; 0: 1
}

// Family is "folded-clos".
func (FoldedClos) Family() string { return "folded-clos" }

// maxTiers is the highest number of tiers. It has room for MaxVertices nodes if each tier at least doubles the nodes.
const maxTiers = 31

// Build returns the network; nil if it adds mistakes to m: fields out of range, no room for the nodes with this radix,
// taper and number of tiers, or too many vertices. More tiers than the nodes need are allowed.
func (p FoldedClos) Build(m *Mistakes) Graph {
	if g := newFoldedClos(p, m); g != nil {
		return g
	}
	return nil
}

// newFoldedClos returns the network without its links, which Links generates; nil if it adds mistakes to m.
func newFoldedClos(p FoldedClos, m *Mistakes) *foldedClos {
	m.Within("nodes", p.Nodes, 1, MaxVertices)
	m.Within("radix", p.Radix, 2, MaxPorts)
	m.Within("tiers", p.Tiers, 1, maxTiers)
	if p.Taper != 0 && !(p.Taper > 0 && p.Taper <= MaxPorts) {
		m.Add("taper", "must be above 0 and at most %d, not %v", MaxPorts, p.Taper)
	}
	if !m.None() {
		return nil
	}
	taper := p.Taper
	if taper == 0 {
		taper = 1
	}
	d, u := trees.SplitRadix(p.Radix, taper)
	tiers := p.Tiers
	if tiers == 0 {
		for tiers = 1; tiers < maxTiers && trees.ClosNodes(tiers, p.Radix, d) < int64(p.Nodes); {
			tiers++
		}
	}
	switch {
	case tiers > 1 && d == 0:
		m.Add("taper", "leaves no down port on a leaf of %d ports", p.Radix)
	case trees.ClosNodes(tiers, p.Radix, d) >= int64(p.Nodes):
	case p.Tiers == 0:
		m.Add("radix", "%s cannot be joined by switches of %d ports at this taper, by any number of tiers",
			plural(p.Nodes, "node"), p.Radix)
	default:
		m.Add("tiers", "%s of switches with %d ports have room for %s, not %d",
			plural(tiers, "tier"), p.Radix, plural(int(trees.ClosNodes(tiers, p.Radix, d)), "node"), p.Nodes)
	}
	if !m.None() {
		return nil
	}
	g := &foldedClos{}
	if tiers == 1 {
		g.addTier(p.Nodes, 0, p.Nodes, 1)
	} else {
		g.addTier(d, u, d, 1)
	}
	m.Vertices("nodes", int64(p.Nodes)+g.addTiers(p.Nodes, p.Radix, tiers))
	if !m.None() {
		return nil
	}
	g.addKinds(p.Nodes)
	return g
}

// addTier adds a tier above the others: ports of a switch, nodes of a subtree and its own switches.
func (g *foldedClos) addTier(down, up, size, copies int) {
	g.down, g.up = append(g.down, down), append(g.up, up)
	g.size, g.copies = append(g.size, size), append(g.copies, copies)
}

// addTiers adds the tiers above the leaves and returns the number of switches of all tiers. If it is above MaxVertices,
// the result is a part of them and higher tiers may be missing.
func (g *foldedClos) addTiers(nodes, radix, tiers int) int64 {
	switches := int64(arith.CeilDiv(nodes, g.size[0]))
	for j := 1; j < tiers && switches <= MaxVertices; j++ {
		trees := arith.CeilDiv(nodes, g.size[j-1])
		if j == tiers-1 {
			g.tops = arith.CeilDiv(trees*g.up[j-1], radix)
			g.addTier(arith.CeilDiv(trees*g.up[j-1], g.tops), 0, nodes, g.copies[j-1]*g.tops)
			return switches + int64(g.copies[j])
		}
		h := radix / 2
		copies := arith.Times(int64(g.copies[j-1]), int64(g.up[j-1]))
		size := arith.Times(int64(g.size[j-1]), int64(h))
		g.addTier(h, h, int(size), int(copies))
		switches += arith.Times(int64(arith.CeilDiv(nodes, g.size[j])), copies)
	}
	return switches
}

// addKinds sets kinds and levels from the tiers.
func (g *foldedClos) addKinds(nodes int) {
	g.levels = []Level{{Name: "terminal"}}
	first := 0
	for j, size := range g.size {
		if j > 0 {
			g.levels = append(g.levels, Level{Name: "tier" + strconv.Itoa(j)})
		}
		k := Kind{
			Name: treeKind(j, len(g.size)), First: first, Count: arith.CeilDiv(nodes, size) * g.copies[j],
			Role: Switch, Ports: g.down[j] + g.up[j],
		}
		g.kinds = append(g.kinds, k)
		first += k.Count
	}
	g.kinds = append(g.kinds, Kind{Name: "node", First: first, Count: nodes, Role: Terminal, Ports: 1})
}

func (g *foldedClos) Family() string  { return foldedClosFamily.Name }
func (g *foldedClos) Kinds() []Kind   { return g.kinds }
func (g *foldedClos) Levels() []Level { return g.levels }

// nodes returns the kind of the nodes.
func (g *foldedClos) nodes() Kind { return g.kinds[len(g.kinds)-1] }

func (g *foldedClos) Groupings() []Grouping {
	var groupings []Grouping
	for j := range max(1, len(g.size)-1) {
		name := "block"
		if j > 0 {
			name = "subtree" + strconv.Itoa(j)
		}
		count := g.kinds[j].Count / g.copies[j]
		groupings = append(groupings, Grouping{Name: name, Count: count, Of: func(v int) int32 {
			i := KindOf(g.kinds, v)
			v -= g.kinds[i].First
			switch {
			case i == len(g.size):
				return int32(v / g.size[j])
			case i <= j:
				return int32(v / g.copies[i] / (g.size[j] / g.size[i]))
			}
			return -1
		}})
	}
	return groupings
}

// Orbits returns ranges of switches that are alike, except that their links to the highest switches may have other
// widths. Each tier j below the highest has the own switches of full subtrees of tier j that are in full subtrees of
// all tiers up to n-2, then those whose smallest partly filled subtree is of tier n-2, n-3, ... down to j; empty ranges
// are left out. The highest switches are one range.
func (g *foldedClos) Orbits() []Orbit {
	n := g.nodes().Count
	top := len(g.size) - 1
	var out []Orbit
	for j, k := range g.kinds[:top] {
		trees := func(tier int) int { // subtrees of tier j in full subtrees of a tier
			return n / g.size[tier] * (g.size[tier] / g.size[j])
		}
		add := func(from, to int) { // a range of subtrees of tier j
			if to > from {
				out = append(out, Orbit{k.First + from*g.copies[j], (to - from) * g.copies[j]})
			}
		}
		add(0, trees(top-1))
		for tier := top - 1; tier > j; tier-- {
			add(trees(tier), trees(tier-1))
		}
		add(trees(j), k.Count/g.copies[j])
	}
	return append(out, Orbit{g.kinds[top].First, g.kinds[top].Count})
}

// ClosedForms always has the diameter and the mean distance of nodes. It has the degrees if all subtrees are full, and
// the bisection if besides an even number of subtrees is below the highest switches, all with links of the same width:
// half the nodes, or half the channels above the leaves if those are fewer.
func (g *foldedClos) ClosedForms() ClosedForms {
	n, top := g.nodes().Count, len(g.size)-1
	if top == 0 {
		return starForms(n)
	}
	c := ClosedForms{DegreeMin: -1, DegreeMax: -1, Bisection: -1}
	var tiers []trees.Tier
	for j, size := range g.size {
		tiers = append(tiers, trees.Tier{Size: size, Hops: 2 * (j + 1)})
	}
	c.Diameter, c.MeanHops = trees.Distances(n, tiers)
	if n%g.size[top-1] != 0 {
		return c
	}
	c.DegreeMin = n / g.size[top-1]
	c.DegreeMax = c.DegreeMin
	for j := range top {
		degree := g.up[j]
		if j == top-1 {
			degree = g.tops
		}
		if j > 0 {
			degree += g.down[j]
		}
		c.DegreeMin, c.DegreeMax = min(c.DegreeMin, degree), max(c.DegreeMax, degree)
	}
	if n/g.size[top-1]%2 == 0 && g.up[top-1]%g.tops == 0 {
		c.Bisection = float64(min(n, n/g.size[0]*g.up[0])) / 2
		c.BisectionSource = "N/2, or half the channels above the leaves if those are fewer: J. Navaridas et al., " +
			"Parallel Computing 36, 2010, equation 4"
	}
	return c
}

// EvenTiers is true for a single switch, and if all subtrees are full and links to the highest switches equally wide.
func (g *foldedClos) EvenTiers() bool {
	top := len(g.size) - 1
	return top == 0 || g.nodes().Count%g.size[top-1] == 0 && g.up[top-1]%g.tops == 0
}

// Label returns the tier and the number in the tier of a switch, "(1,5)", or the number of a node, all from 0.
func (g *foldedClos) Label(v int) string {
	i := KindOf(g.kinds, v)
	v -= g.kinds[i].First
	if i == len(g.size) {
		return strconv.Itoa(v)
	}
	return fmt.Sprintf("(%d,%d)", i, v)
}

// Links yields the links of nodes, from the leaf (A) to the node (B), then those of tier1 and so on, from the lower
// switch to the higher.
func (g *foldedClos) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		nodes := g.nodes()
		for v := range nodes.Count {
			if !yield(Link{A: int32(v / g.size[0]), B: int32(nodes.First + v), PortA: int32(v % g.size[0]), Width: 1}) {
				return
			}
		}
		for j := range len(g.size) - 1 {
			if !g.linksAbove(j, yield) {
				return
			}
		}
	}
}

// linksAbove yields the links from the switches of tier j to those of tier j+1. It returns false if yield does.
func (g *foldedClos) linksAbove(j int, yield func(Link) bool) bool {
	k, copies := g.kinds[j], g.copies[j]
	if j == len(g.size)-2 {
		for c := range copies {
			d := roundRobin{
				lower: k.First + c, step: copies, lowers: k.Count / copies, up: g.up[j], lowerPort: g.down[j],
				upper: g.kinds[j+1].First + c*g.tops, uppers: g.tops, level: int32(j + 1),
			}
			if !d.links(yield) {
				return false
			}
		}
		return true
	}
	l := Link{A: int32(k.First), Level: int32(j + 1), Width: 1}
	for tree := range k.Count / copies {
		upper := g.kinds[j+1].First + tree/g.down[j+1]*g.copies[j+1]
		l.PortB = int32(tree % g.down[j+1])
		for c := range copies {
			for p := range g.up[j] {
				l.B = int32(upper + p*copies + c)
				l.PortA = int32(g.down[j] + p)
				if !yield(l) {
					return false
				}
			}
			l.A++
		}
	}
	return true
}

// LevelChannels returns the number of nodes, then the up ports of all switches of tier 0, 1, ..., n-2. A channel is one
// cable, for both directions.
func (g *foldedClos) LevelChannels() []int64 {
	out := []int64{int64(g.nodes().Count)}
	for j := range len(g.levels) - 1 {
		out = append(out, int64(g.kinds[j].Count)*int64(g.up[j]))
	}
	return out
}

// Advice says, for each of the tiers 1 ... n-2, how many down ports the own switches of the last subtree use if it has
// fewer subtrees below than ports for them, and how many nodes a network in which it is full has.
func (g *foldedClos) Advice() []string {
	var out []string
	nodes := g.nodes().Count
	for j := 1; j < len(g.size)-1; j++ {
		if below := arith.CeilDiv(nodes%g.size[j], g.size[j-1]); below > 0 && below < g.down[j] {
			full := arith.CeilDiv(nodes, g.size[j]) * g.size[j]
			out = append(out, fmt.Sprintf("the last subtree%d is partly filled and has all its switches: the %d of "+
				"kind %s use %d of their %d down ports each; nodes: %d would fill it", j, g.copies[j], g.kinds[j].Name,
				below, g.down[j], full))
		}
	}
	return out
}

// TurnsOnce is true, because nodes are on leaves only.
func (g *foldedClos) TurnsOnce() bool { return true }

// UsualRouting returns "tree": up by any port as far as needed, then down to the node.
func (g *foldedClos) UsualRouting() string { return "tree" }

// PlacementGroups returns "pods" and the highest grouping: the subtrees below the highest switches, or the one switch
// with its nodes.
func (g *foldedClos) PlacementGroups() (strategy string, grouping int) {
	return "pods", len(g.Groupings()) - 1
}

// foldedClosSizes offers the full networks of two tiers or more, with tapers 1, 2 and 3, of switches with any even
// number of ports from 4; those whose switches have s.Radix ports come first. It also offers networks with as many
// nodes as the range begins and ends with, if they are not full and need two tiers or more, of switches with the
// numbers of ports that s.Ends returns; these come last.
func foldedClosSizes(s *SizeSearch) {
	for taper := 1; taper <= 3; taper++ {
		for radix := 4; radix <= s.MaxPorts && radix <= s.MaxNodes; radix += 2 {
			rank := 2 + taper
			if radix == s.Radix {
				rank = taper - 1
			}
			down, _ := trees.SplitRadix(radix, float64(taper))
			for tiers := 2; tiers < maxTiers && trees.ClosNodes(tiers, radix, down) <= int64(s.MaxNodes); tiers++ {
				addFoldedClos(s, rank, int(trees.ClosNodes(tiers, radix, down)), radix, taper)
			}
		}
		radices, ends := s.Ends()
		for _, radix := range radices {
			down, _ := trees.SplitRadix(radix, float64(taper))
			for _, nodes := range ends {
				tiers := 1
				for tiers < maxTiers && trees.ClosNodes(tiers, radix, down) < int64(nodes) {
					tiers++
				}
				if tiers > 1 && trees.ClosNodes(tiers, radix, down) != int64(nodes) {
					addFoldedClos(s, 9+taper, nodes, radix, taper)
				}
			}
		}
	}
}

// addFoldedClos offers a network to a search at a rank (see SizeSearch.Add), with counts from its tiers. It offers none
// if there is no such network.
func addFoldedClos(s *SizeSearch, rank, nodes, radix, taper int) {
	p := FoldedClos{Nodes: nodes, Radix: radix}
	if taper > 1 {
		p.Taper = float64(taper)
	}
	g := newFoldedClos(p, &Mistakes{})
	if g == nil {
		return
	}
	z := Size{Spec: Spec{Params: p}, Nodes: nodes, Terminals: g.down[0], Links: int64(nodes), Diameter: 2 * len(g.size)}
	for j, k := range g.kinds[:len(g.size)] {
		z.Switches += k.Count
		z.Ports = max(z.Ports, k.Ports)
		z.Links += int64(k.Count) * int64(g.up[j])
	}
	s.Add(rank, z)
}
