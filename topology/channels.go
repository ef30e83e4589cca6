package topology

var (
	_ Counted = (*grid)(nil)
	_ Counted = (*hypercube)(nil)
	_ Counted = (*hyperX)(nil)
	_ Counted = (*thinTree)(nil)
	_ Counted = (*fatTree)(nil)
	_ Counted = (*foldedClos)(nil)
	_ Counted = (*dragonfly)(nil)
	_ Counted = (*slimFly)(nil)
)

// Channels returns the number of channels of every level of g: as Count does, but
// from a closed form in the families that have one, whatever the size.
func Channels(g Graph) []int64 {
	if c, ok := g.(Counted); ok {
		if n := c.LevelChannels(); len(n) == len(g.Levels()) { // families that build on another add levels
			return n
		}
	}
	return Count(g).ByLevel
}

// LevelChannels: of every line of a dimension, its side if it wraps, else one fewer.
func (g *grid) LevelChannels() []int64 {
	var out []int64
	for d, side := range g.dims {
		links := side - 1
		if g.Wraps(d) {
			links = side
		}
		out = append(out, int64(g.kinds[0].Count/side)*int64(links))
	}
	return out
}

// LevelChannels: half the vertices in each dimension.
func (g *hypercube) LevelChannels() []int64 {
	out := make([]int64, len(g.levels))
	for d := range out {
		out[d] = int64(g.kinds[0].Count) / 2
	}
	return out
}

// LevelChannels: K_k S_k (S_k - 1)/2 for each line of dimension k.
func (g *hyperX) LevelChannels() []int64 {
	switches := int64(g.kinds[0].Count)
	out := []int64{switches * int64(g.terminals)}
	for d, side := range g.dims {
		out = append(out, switches/int64(side)*int64(g.widths[d])*int64(side)*int64(side-1)/2)
	}
	return out
}

// LevelChannels: every up port of a level but the highest, and every node.
func (t *thinTree) LevelChannels() []int64 {
	n := len(t.kinds) - 1
	out := []int64{int64(t.kinds[n].Count)}
	for i := range n - 1 {
		out = append(out, int64(t.kinds[i].Count)*int64(t.up))
	}
	return out
}

// LevelChannels: every up port of leaves and spines, and every rail of every node.
func (t *fatTree) LevelChannels() []int64 {
	all := []int64{int64(t.node.Count) * int64(t.rails), int64(t.leaf.Count) * int64(t.up), int64(t.spine.Count) * int64(t.spineUp)}
	return all[:len(t.levels)]
}

// LevelChannels: every up port of every tier but the highest, and every node.
func (g *foldedClos) LevelChannels() []int64 {
	out := []int64{int64(g.nodes().Count)}
	for j := range len(g.levels) - 1 {
		out = append(out, int64(g.kinds[j].Count)*int64(g.up[j]))
	}
	return out
}

// LevelChannels: p of every switch, all pairs of a group, perPair of all pairs of
// groups.
func (g *dragonfly) LevelChannels() []int64 {
	groups, a := int64(g.groups), int64(g.a)
	return []int64{int64(g.kinds[0].Count) * int64(g.p), groups * a * (a - 1) / 2, groups * (groups - 1) / 2 * int64(g.perPair)}
}

// LevelChannels: q columns of each half are Cayley graphs of X and X'; q^3 links join
// the halves.
func (g *slimFly) LevelChannels() []int64 {
	q := int64(g.q)
	var out []int64
	if g.terminals > 0 {
		out = append(out, 2*q*q*int64(g.terminals))
	}
	return append(out, q*q*int64(len(g.sets[0])+len(g.sets[1]))/2, q*q*q)
}
