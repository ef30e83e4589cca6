package topology

// NodeGroups is a division of the nodes: two are in the same group if switches of the lowest tiers connect them.
type NodeGroups struct {
	// Tier is the highest tier of these switches.
	Tier int
	// Count is the number of groups.
	Count int
	// Of is the group of every vertex, switches up to the tier included, from 0 in the order of their first vertices;
	// -1 for switches above the tier and for those that no node reaches.
	Of []int32
}

// Tiers returns for every vertex the fewest links from a vertex that injects to it: 0 for nodes and terminals, 1 for
// the switches that they are connected to, 2 for those above them; -1 if no path leads there.
func Tiers(g Graph) []int32 {
	n := Vertices(g)
	tiers := make([]int32, n)
	queue := make([]int32, 0, n)
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			if tiers[v] = -1; k.Role != Switch {
				tiers[v] = 0
				queue = append(queue, int32(v))
			}
		}
	}
	c := NewCSR(g)
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, to := range c.Neighbours(int(v)) {
			if tiers[to] < 0 {
				tiers[to] = tiers[v] + 1
				queue = append(queue, to)
			}
		}
	}
	return tiers
}

// GroupsByTier divides the nodes of a network by its tiers (Tiers), one division for each from tier 1 up: in the first
// the switches of tier 1 connect the nodes of a group, in the next those of tier 2 as well, and so on. In a tree these
// are the nodes of a leaf, of a pod, and all; if every node has ports on several leaves, the first has groups of nodes
// that share their leaves. Tiers that connect no more than the one below are left out. The groups of the last division
// are the connected parts of the network. The result is nil for a network without switches. Simplex links connect as
// duplex ones do.
func GroupsByTier(g Graph) []NodeGroups {
	tiers := Tiers(g)
	most := int32(0)
	for _, t := range tiers {
		most = max(most, t)
	}
	parent := make([]int32, len(tiers))
	for v := range parent {
		parent[v] = int32(v)
	}
	root := func(v int32) int32 {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	// Links by the higher of the tiers of their ends: those of a tier join what those below have left apart.
	by := make([][][2]int32, most+1)
	for l := range g.Links() {
		if a, b := tiers[l.A], tiers[l.B]; a >= 0 && b >= 0 {
			by[max(a, b)] = append(by[max(a, b)], [2]int32{l.A, l.B})
		}
	}
	var out []NodeGroups
	for t := range most + 1 {
		for _, l := range by[t] {
			a, b := root(l[0]), root(l[1])
			parent[max(a, b)] = min(a, b)
		}
		groups := NodeGroups{Tier: int(t), Of: make([]int32, len(tiers))}
		number := make(map[int32]int32)
		for v := range tiers {
			if groups.Of[v] = -1; tiers[v] < 0 || tiers[v] > t {
				continue
			}
			r := root(int32(v))
			if _, ok := number[r]; !ok {
				number[r] = int32(len(number))
			}
			groups.Of[v] = number[r]
		}
		groups.Count = len(number)
		if last := len(out) - 1; t > 0 && (last < 0 || groups.Count < out[last].Count) {
			out = append(out, groups)
		}
	}
	return out
}
