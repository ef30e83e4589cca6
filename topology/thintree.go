package topology

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/internal/trees"
)

// thinTree is a k:k'-ary n-thin-tree: n levels of switches with k down and k'
// up ports over k^n nodes (J. Navaridas, J. Miguel-Alonso, F. J. Ridruejo and
// W. Denzel, "Reducing complexity in tree-like computer interconnection
// networks", Parallel Computing 36, 2010, section 3.3). With k' = k it is a
// k-ary n-tree (F. Petrini and M. Vanneschi, "k-ary n-trees: high performance
// networks for massively parallel architectures", IPPS 1997; section 3.2 of
// the former).
//
// Level i has k'^i k^(n-1-i) switches. Node v is on switch floor(v/k) of level
// 0. Up port p of switch s of level i < n-1 goes to switch
//
//	p k'^i + (s mod k'^i) + floor(s/(k k'^i)) k'^(i+1)
//
// of level i+1, to its down port floor(s/k'^i) mod k. (The paper's formula has
// k^i and floor(k/k') in places of k'^i and k'; as printed it uses some ports
// twice.)
//
// The kinds are the levels of switches, "leaf", "spine" and "core" for up to three levels, "leaf", "tier2", "tier3",
// ... for more, then "node". The link levels are terminal, tier1 (switch levels 0 and 1), tier2, .... The grouping
// "block" is a leaf with its nodes, "subtree1" k leaves with the switches that reach no others and so on; the whole
// tree is not a grouping. Down ports come first, then the up ports; switches of the highest level use no up ports.
type thinTree struct {
	family string
	down   int
	up     int
	leaves []int // leaves[j]: leaves of a subtree that reaches up to level j
	copies []int // copies[i]: switches of level i that reach the same leaves
	kinds  []Kind
	levels []Level
}

var (
	_ Symmetric   = (*thinTree)(nil)
	_ Formulas    = (*thinTree)(nil)
	_ Counted     = (*thinTree)(nil)
	_ EvenTree    = (*thinTree)(nil)
	_ UpDown      = (*thinTree)(nil)
	_ UsualRouter = (*thinTree)(nil)
	_ Placeable   = (*thinTree)(nil)
)

var treeLevelsParam = Param{Name: "levels", Doc: "the number of levels of switches, at least 1", Required: true}

var kAryNTreeFamily = Family{
	Name: "k-ary-n-tree",
	Doc:  "levels of switches with as many up as down ports over down^levels nodes",
	Source: "F. Petrini and M. Vanneschi, k-ary n-trees: high performance networks for massively parallel " +
		"architectures, IPPS 1997",
	Params: []Param{
		{Name: "down", Doc: "the down ports of a switch (k), at least 2", Required: true},
		treeLevelsParam,
	},
	Zero:     KAryNTree{},
	Sizes:    kAryNTreeSizes,
	SizesDoc: "two levels or more",
}

// KAryNTree is a tree of switches with as many up as down ports.
type KAryNTree struct {
	Down   int `yaml:"down,omitempty" json:"down,omitempty"`     // ports of a switch towards the leaves: k
	Levels int `yaml:"levels,omitempty" json:"levels,omitempty"` // levels of switches: n
}

// Family is "k-ary-n-tree".
func (KAryNTree) Family() string { return "k-ary-n-tree" }

// ShortName is that of a thin tree.
func (p KAryNTree) ShortName() string { return p.thin().ShortName() }

// thin is the tree as a thin tree.
func (p KAryNTree) thin() ThinTree { return ThinTree{Down: p.Down, Up: p.Down, Levels: p.Levels} }

// Build makes the tree.
func (p KAryNTree) Build(m *Mistakes) Graph {
	return newThinTree(p.Family(), p.thin(), m)
}

var thinTreeFamily = Family{
	Name: "thin-tree",
	Doc:  "a k-ary n-tree with fewer up than down ports on every switch",
	Source: "J. Navaridas et al., Reducing complexity in tree-like computer interconnection networks, Parallel " +
		"Computing 36, 2010, section 3.3",
	Params: []Param{
		{Name: "down", Doc: "the down ports of a switch (k), at least 2", Required: true},
		{Name: "up", Doc: "the up ports of a switch (k'), from 1 to the down ports", Required: true},
		treeLevelsParam,
	},
	Zero:     ThinTree{},
	Sizes:    thinTreeSizes,
	SizesDoc: "two levels or more, fewer up than down ports",
}

// ThinTree is a k:k'-ary n-thin-tree.
type ThinTree struct {
	Down   int `yaml:"down,omitempty" json:"down,omitempty"`     // ports of a switch towards the leaves: k
	Up     int `yaml:"up,omitempty" json:"up,omitempty"`         // ports of a switch towards the top: k'
	Levels int `yaml:"levels,omitempty" json:"levels,omitempty"` // levels of switches: n
}

// Family is "thin-tree".
func (ThinTree) Family() string { return "thin-tree" }

// ShortName is k:k',n-tree: "4:2,3-tree".
func (p ThinTree) ShortName() string { return fmt.Sprintf("%d:%d,%d-tree", p.Down, p.Up, p.Levels) }

// Build makes the tree.
func (p ThinTree) Build(m *Mistakes) Graph { return newThinTree(p.Family(), p, m) }

// newThinTree returns the tree, nil if the parameters are wrong. A tree with too many vertices is returned together
// with a mistake in m.
func newThinTree(family string, p ThinTree, m *Mistakes) Graph {
	m.Within("down", p.Down, 2, MaxPorts)
	m.Within("levels", p.Levels, 1, MaxVertices)
	if p.Up != 0 && p.Down != 0 && (p.Up < 1 || p.Up > p.Down) {
		m.Add("up", "must be from 1 to the %d down ports, not %d", p.Down, p.Up)
	}
	if !m.None() {
		return nil
	}
	if p.Levels > 1 {
		m.Ports("down", int64(p.Down)+int64(p.Up))
	}
	nodes := int64(1)
	for range min(p.Levels, 64) { // down is at least 2
		nodes = arith.Times(nodes, int64(p.Down))
	}
	m.Vertices("levels", nodes)
	if !m.None() {
		return nil
	}

	t := &thinTree{family: family, down: p.Down, up: p.Up}
	t.addLevels(p.Levels, int(nodes))
	last := t.kinds[len(t.kinds)-1]
	m.Vertices("levels", int64(last.First)+int64(last.Count))
	return t
}

// addLevels fills in everything that has an entry for each level.
func (t *thinTree) addLevels(n, nodes int) {
	t.levels = []Level{{Name: "terminal"}}
	first, count, leaves, copies := 0, nodes/t.down, 1, 1
	for i := range n {
		k := Kind{Name: treeKind(i, n), First: first, Count: count, Role: Switch, Ports: t.down + t.up}
		if i == n-1 {
			k.Ports = t.down
		} else {
			t.levels = append(t.levels, Level{Name: "tier" + strconv.Itoa(i+1)})
		}
		t.kinds = append(t.kinds, k)
		t.leaves = append(t.leaves, leaves)
		t.copies = append(t.copies, copies)
		first += count
		count = count / t.down * t.up
		leaves *= t.down
		copies *= t.up
	}
	t.kinds = append(t.kinds, Kind{Name: "node", First: first, Count: nodes, Role: Terminal, Ports: 1})
}

// treeKind names level i of n levels of switches.
func treeKind(i, n int) string {
	if n <= 3 {
		return [...]string{"leaf", "spine", "core"}[i]
	}
	if i == 0 {
		return "leaf"
	}
	return "tier" + strconv.Itoa(i+1)
}

func (t *thinTree) Family() string  { return t.family }
func (t *thinTree) Kinds() []Kind   { return t.kinds }
func (t *thinTree) Levels() []Level { return t.levels }

func (t *thinTree) Groupings() []Grouping {
	groupings := []Grouping{t.subtrees("block", 0)}
	for j := 1; j < len(t.leaves)-1; j++ {
		groupings = append(groupings, t.subtrees("subtree"+strconv.Itoa(j), j))
	}
	return groupings
}

// subtrees is the grouping of the subtrees whose highest switches are of level j.
func (t *thinTree) subtrees(name string, j int) Grouping {
	return Grouping{Name: name, Count: t.kinds[0].Count / t.leaves[j], Of: func(v int) int32 {
		i := KindOf(t.kinds, v)
		v -= t.kinds[i].First
		switch {
		case i == len(t.kinds)-1: // node
			return int32(v / t.down / t.leaves[j])
		case i <= j:
			return int32(v / t.copies[i] / (t.leaves[j] / t.leaves[i]))
		}
		return -1
	}}
}

// Orbits is one for each level of switches.
func (t *thinTree) Orbits() []Orbit {
	out := make([]Orbit, len(t.leaves))
	for i := range out {
		out[i] = Orbit{t.kinds[i].First, t.kinds[i].Count}
	}
	return out
}

// ClosedForms are those of Table 1 in the source, and the distances that follow
// from it: 2(j+1) between nodes whose subtrees meet at level j.
func (t *thinTree) ClosedForms() ClosedForms {
	n := len(t.leaves)
	c := ClosedForms{
		SingleLinks: true, Bisection: float64(t.down) * float64(t.copies[n-1]) / 2,
		BisectionSource: "k k'^(n-1)/2, half the links to the highest switches: J. Navaridas et al., Parallel " +
			"Computing 36, 2010, Table 1 and equation 4",
	}
	var tiers []trees.Tier
	for j, leaves := range t.leaves {
		tiers = append(tiers, trees.Tier{Size: t.down * leaves, Hops: 2 * (j + 1)})
	}
	c.Diameter, c.MeanHops = trees.Distances(t.kinds[n].Count, tiers)
	if n > 1 {
		c.DegreeMin, c.DegreeMax = t.up, t.down
	}
	if n > 2 {
		c.DegreeMax += t.up
	}
	return c
}

// Label is the level and number of a switch, "(1,5)", or the number of a node.
func (t *thinTree) Label(v int) string {
	i := KindOf(t.kinds, v)
	v -= t.kinds[i].First
	if i == len(t.kinds)-1 {
		return strconv.Itoa(v)
	}
	return fmt.Sprintf("(%d,%d)", i, v)
}

// Links yields the terminals, then tier1 and so on.
func (t *thinTree) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if !t.terminals(yield) {
			return
		}
		for i := range t.levels[1:] {
			if !t.tier(i, yield) {
				return
			}
		}
	}
}

func (t *thinTree) terminals(yield func(Link) bool) bool {
	node := t.kinds[len(t.kinds)-1].First
	for leaf := range t.kinds[0].Count {
		for p := range t.down {
			if !yield(Link{A: int32(leaf), B: int32(node), PortA: int32(p), Width: 1}) {
				return false
			}
			node++
		}
	}
	return true
}

// tier yields the links from switch level i to level i+1. A switch of level i
// has the number (tree*k + port)*copies + c: it is copy c of the switches over
// the port-th subtree of a tree that reaches one level higher.
func (t *thinTree) tier(i int, yield func(Link) bool) bool {
	copies := t.copies[i]
	l := Link{A: int32(t.kinds[i].First), Level: int32(i + 1), Width: 1}
	for tree := range t.kinds[i].Count / (t.down * copies) {
		upper := t.kinds[i+1].First + tree*copies*t.up
		for port := range t.down {
			l.PortB = int32(port)
			for c := range copies {
				for p := range t.up {
					l.B = int32(upper + p*copies + c)
					l.PortA = int32(t.down + p)
					if !yield(l) {
						return false
					}
				}
				l.A++
			}
		}
	}
	return true
}

// EvenTiers holds as subtrees may be exchanged, and so may the up ports of all
// switches of a level.
func (t *thinTree) EvenTiers() bool { return true }

// LevelChannels: every up port of a level but the highest, and every node.
func (t *thinTree) LevelChannels() []int64 {
	n := len(t.kinds) - 1
	out := []int64{int64(t.kinds[n].Count)}
	for i := range n - 1 {
		out = append(out, int64(t.kinds[i].Count)*int64(t.up))
	}
	return out
}

// TurnsOnce holds as nodes are on leaves only.
func (t *thinTree) TurnsOnce() bool { return true }

// UsualRouting goes up by any port and down to the node.
func (t *thinTree) UsualRouting() string { return "tree" }

// PlacementGroups are the largest parts below the highest switches.
func (t *thinTree) PlacementGroups() (strategy string, grouping int) {
	return "pods", len(t.Groupings()) - 1
}

// kAryNTreeSizes offers the trees of at least two levels.
func kAryNTreeSizes(s *SizeSearch) {
	for k := 2; k*k <= s.MaxNodes; k++ {
		s.Powers(k, 2, func(n, nodes int) {
			s.Add(0, thinTreeSize(KAryNTree{Down: k, Levels: n}, k, k, n, nodes))
		})
	}
}

// thinTreeSizes offers the trees of at least two levels with fewer up than down
// ports, those with half as many first.
func thinTreeSizes(s *SizeSearch) {
	for k := 2; k*k <= s.MaxNodes; k++ {
		s.Powers(k, 2, func(n, nodes int) {
			half := max(1, k/2)
			rank := func(i int) int { return 1000 * i / k }
			size := func(up int) Size { return thinTreeSize(ThinTree{Down: k, Up: up, Levels: n}, k, up, n, nodes) }
			s.AddFittingRun(half, nodes, 0, rank, func(i int) Size { return size(half - i) })
			s.AddFittingRun(k-1-half, nodes, 0, func(i int) int { return rank(i + 1) },
				func(i int) Size { return size(half + 1 + i) })
		})
	}
}

func thinTreeSize(p Params, down, up, levels, nodes int) Size {
	z := Size{
		Spec:  Spec{Params: p},
		Nodes: nodes, Terminals: down, Ports: down + up, Links: int64(nodes), Diameter: 2 * levels,
	}
	count := nodes / down
	for i := range levels {
		z.Switches += count
		if i < levels-1 {
			z.Links += int64(count) * int64(up)
		}
		count = count / down * up
	}
	return z
}
