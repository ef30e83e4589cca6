package topology

import (
	"fmt"
	"iter"
	"sort"

	"github.com/plenum-planner/plenum/internal/arith"
)

// mixedDragonflyPlus is a Dragonfly+ whose groups are of several kinds, as the groups for accelerators, for processors
// and for storage of JUPITER are.
//
// Every two groups have as many global channels as their kinds say. Pairs of groups are taken in order, (0,1), (0,2),
// ..., (1,2), ..., and the channels of a pair lead from one spine after the other of either group, from where the pair
// before has left off, so that the spines of a group have equal numbers of channels or one more. Channels between the
// same two spines are one link, on consecutive ports at both ends.
//
// Kinds, levels, groupings and local ports are those of dragonflyPlus; nodes on a leaf, leaves, spines and the width of
// local links are by kind of group.
type mixedDragonflyPlus struct {
	parts  []plusPart
	groups int
	pairs  [][]int // global channels between two groups, by their kinds
	kinds  []Kind
	levels []Level
}

// plusPart is the groups of one kind.
type plusPart struct {
	nodes, leaves, spines int // on a leaf, in a group, in a group
	width                 int // of a local link
	count, first          int // of groups, the first of which has this number
	leaf, spine, node     int // the first vertices of the kind, counted from the first of their kind of vertex
}

var _ Placeable = (*mixedDragonflyPlus)(nil)

// mostGroupKinds is the most further kinds of groups.
const mostGroupKinds = 16

// checkKinds checks the parameters of further kinds of groups, each by itself.
func (p DragonflyPlus) checkKinds(m *Mistakes) {
	others := len(p.OtherGroups)
	if others > mostGroupKinds {
		m.Add("other_groups", "there may be %d further kinds, not %d", mostGroupKinds, others)
	}
	for _, list := range []struct {
		name       string
		values     Ints
		want, most int
	}{
		{"other_groups", p.OtherGroups, others, MaxVertices},
		{"other_p", p.OtherP, others, MaxPorts},
		{"other_a", p.OtherA, others, MaxPorts},
		{"other_spines", p.OtherSpines, others, MaxPorts},
		{"other_local_width", p.OtherLocalWidth, others, MaxPorts},
		{"pair_links", p.PairLinks, (others + 1) * (others + 2) / 2, MaxPorts},
	} {
		if n := len(list.values); n != 0 && n != list.want {
			m.Add(list.name, "has %s; %d are wanted", plural(n, "number"), list.want)
		}
		for i, v := range list.values {
			if v < 1 || v > list.most {
				m.AddAt(list.name, i, "must be from 1 to %d, not %d", list.most, v)
			}
		}
	}
	if len(p.PairLinks) > 0 && p.LinksPerPair != 0 {
		m.Add("links_per_pair", "follows from pair_links")
	}
	if p.Groups == 0 && (others > 0 || len(p.PairLinks) > 0) {
		m.Add("groups", "must be stated beside other_groups or pair_links")
	}
}

// newMixed makes groups of several kinds; the parameters are right by themselves.
func (p DragonflyPlus) newMixed(m *Mistakes) Graph {
	g := &mixedDragonflyPlus{levels: dragonflyLevels()}
	leaves, spines, nodes := int64(0), int64(0), int64(0)
	leafPorts, most := int64(0), int64(0)
	pick := func(list Ints, i, own int) int {
		if i == 0 || len(list) == 0 {
			return own
		}
		return list[i-1]
	}
	for i := range 1 + len(p.OtherGroups) {
		k := plusPart{
			nodes: pick(p.OtherP, i, p.P), leaves: pick(p.OtherA, i, p.A), spines: pick(p.OtherSpines, i, p.Spines),
			width: pick(p.OtherLocalWidth, i, max(p.LocalWidth, 1)), count: pick(p.OtherGroups, i, p.Groups),
			first: g.groups,
			leaf:  int(leaves), spine: int(spines), node: int(nodes),
		}
		ports := int64(k.nodes) + int64(k.spines)*int64(k.width)
		m.Ports("p", ports)
		m.Ports("a", int64(k.leaves)*int64(k.width)+int64(p.H))
		leafPorts, most = max(leafPorts, ports), max(most, int64(k.leaves)*int64(k.width))
		leaves += arith.Times(int64(k.count), int64(k.leaves))
		spines += arith.Times(int64(k.count), int64(k.spines))
		m.Vertices("groups", leaves+spines)
		if !m.None() {
			return nil
		}
		nodes += arith.Times(int64(k.count)*int64(k.leaves), int64(k.nodes))
		m.Vertices("groups", leaves+spines+nodes)
		if !m.None() {
			return nil
		}
		g.groups += k.count
		g.parts = append(g.parts, k)
	}
	g.addPairs(p)
	spinePorts := int64(0)
	for i, k := range g.parts {
		channels := g.channels(i)
		if channels > int64(k.spines)*int64(p.H) {
			param := "groups"
			if len(p.PairLinks) > 0 {
				param = "pair_links"
			}
			m.Add(param, "a group of kind %d has %s, too few for %d links to other groups",
				i+1, plural(k.spines*p.H, "global port"), channels)
		}
		global := (channels + int64(k.spines) - 1) / int64(k.spines)
		spinePorts = max(spinePorts, int64(k.leaves)*int64(k.width)+global)
	}
	if !m.None() {
		return nil
	}
	g.kinds = []Kind{
		{Name: "leaf", Count: int(leaves), Role: Switch, Ports: int(leafPorts)},
		{Name: "spine", First: int(leaves), Count: int(spines), Role: Switch, Ports: int(spinePorts)},
		{Name: "node", First: int(leaves + spines), Count: int(nodes), Role: Terminal, Ports: 1},
	}
	return g
}

// addPairs sets pairs: from p.PairLinks, if given, else p.LinksPerPair for all.
func (g *mixedDragonflyPlus) addPairs(p DragonflyPlus) {
	n := len(g.parts)
	g.pairs = make([][]int, n)
	for i := range g.pairs {
		g.pairs[i] = make([]int, n)
	}
	at := 0
	for i := range n {
		for j := i; j < n; j++ {
			links := max(p.LinksPerPair, 1)
			if len(p.PairLinks) > 0 {
				links = p.PairLinks[at]
			}
			g.pairs[i][j], g.pairs[j][i] = links, links
			at++
		}
	}
}

// channels is the number of global channels of a group of a kind.
func (g *mixedDragonflyPlus) channels(kind int) int64 {
	n := int64(0)
	for i, k := range g.parts {
		others := k.count
		if i == kind {
			others--
		}
		n += int64(others) * int64(g.pairs[kind][i])
	}
	return n
}

func (g *mixedDragonflyPlus) Family() string  { return "dragonfly-plus" }
func (g *mixedDragonflyPlus) Kinds() []Kind   { return g.kinds }
func (g *mixedDragonflyPlus) Levels() []Level { return g.levels }

// place returns the group of a vertex; the number in the group of its leaf, or of the spine that it is; the kind of the
// group; and whether the vertex is a spine.
func (g *mixedDragonflyPlus) place(v int) (group, in int, k *plusPart, isSpine bool) {
	find := func(first func(*plusPart) int) *plusPart {
		i := sort.Search(len(g.parts)-1, func(i int) bool { return v < first(&g.parts[i+1]) })
		return &g.parts[i]
	}
	switch {
	case v < g.kinds[1].First:
		k = find(func(k *plusPart) int { return k.leaf })
		v -= k.leaf
		return k.first + v/k.leaves, v % k.leaves, k, false
	case v < g.kinds[2].First:
		v -= g.kinds[1].First
		k = find(func(k *plusPart) int { return k.spine })
		v -= k.spine
		return k.first + v/k.spines, v % k.spines, k, true
	}
	v -= g.kinds[2].First
	k = find(func(k *plusPart) int { return k.node })
	leaf := (v - k.node) / k.nodes
	return k.first + leaf/k.leaves, leaf % k.leaves, k, false
}

// Groupings are the leaves with their nodes, and the groups.
func (g *mixedDragonflyPlus) Groupings() []Grouping {
	return []Grouping{
		{Name: "block", Count: g.kinds[0].Count, Of: func(v int) int32 {
			group, leaf, k, isSpine := g.place(v)
			if isSpine {
				return -1
			}
			return int32(k.leaf + (group-k.first)*k.leaves + leaf)
		}},
		{Name: "group", Count: g.groups, Of: func(v int) int32 {
			group, _, _, _ := g.place(v)
			return int32(group)
		}},
	}
}

// Label is the group and number of a leaf or spine, or those of a node's leaf and the node's port there: "(32,7)",
// "(32,7):3".
func (g *mixedDragonflyPlus) Label(v int) string {
	group, in, k, _ := g.place(v)
	name := fmt.Sprintf("(%d,%d)", group, in)
	if v >= g.kinds[2].First {
		name += fmt.Sprintf(":%d", (v-g.kinds[2].First-k.node)%k.nodes)
	}
	return name
}

// Links yields the terminals, the local links group by group, and the global links.
func (g *mixedDragonflyPlus) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		_ = g.terminal(yield) && g.local(yield) && g.global(yield)
	}
}

func (g *mixedDragonflyPlus) terminal(yield func(Link) bool) bool {
	v := g.kinds[2].First
	for _, k := range g.parts {
		for leaf := k.leaf; leaf < k.leaf+k.count*k.leaves; leaf++ {
			for port := range k.nodes {
				if !yield(Link{A: int32(leaf), B: int32(v), PortA: int32(port), Width: 1}) {
					return false
				}
				v++
			}
		}
	}
	return true
}

func (g *mixedDragonflyPlus) local(yield func(Link) bool) bool {
	for _, k := range g.parts {
		for leaf := range k.count * k.leaves {
			first := g.kinds[1].First + k.spine + leaf/k.leaves*k.spines
			for spine := range k.spines {
				if !yield(Link{
					A: int32(k.leaf + leaf), B: int32(first + spine), PortA: int32(k.nodes + spine*k.width),
					PortB: int32(leaf % k.leaves * k.width), Level: 1, Width: int32(k.width),
				}) {
					return false
				}
			}
		}
	}
	return true
}

// global yields the links between groups. Memory follows the spines: the channels of each so far.
func (g *mixedDragonflyPlus) global(yield func(Link) bool) bool {
	used := make([]int32, g.kinds[1].Count) // global ports of each spine
	taken := make([]int, g.groups)          // global channels of each group
	at := func(group int) (kind int) {
		return sort.Search(len(g.parts)-1, func(i int) bool { return group < g.parts[i+1].first })
	}
	for x := range g.groups {
		i := at(x)
		kx := &g.parts[i]
		for y := x + 1; y < g.groups; y++ {
			j := at(y)
			ky := &g.parts[j]
			channels := g.pairs[i][j]
			period := kx.spines / gcd(kx.spines, ky.spines) * ky.spines
			for q := range min(channels, period) {
				sx := kx.spine + (x-kx.first)*kx.spines + (taken[x]+q)%kx.spines
				sy := ky.spine + (y-ky.first)*ky.spines + (taken[y]+q)%ky.spines
				width := int32(arith.CeilDiv(channels-q, period))
				l := Link{
					A: int32(g.kinds[1].First + sx), PortA: int32(kx.leaves*kx.width) + used[sx],
					B: int32(g.kinds[1].First + sy), PortB: int32(ky.leaves*ky.width) + used[sy],
					Level: 2, Width: width,
				}
				used[sx], used[sy] = used[sx]+width, used[sy]+width
				if !yield(l) {
					return false
				}
			}
			taken[x], taken[y] = taken[x]+channels, taken[y]+channels
		}
	}
	return true
}

// gcd is the greatest common divisor of two positive numbers.
func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// PlacementGroups are the groups.
func (g *mixedDragonflyPlus) PlacementGroups() (strategy string, grouping int) {
	return "groups", len(g.Groupings()) - 1
}
