package asbuilt

import (
	"encoding/binary"
	"slices"
)

// connectivity holds which pairs of ends of a network have at least a given number of edge-disjoint paths between them
// in one state of the network's links.
//
// Devices that forward packets are divided into classes: any two of a class have that many paths. No cut of fewer links
// divides a class, so each class is contracted to one vertex, which leaves a small graph. For two ends that do not
// forward, a maximum flow over this graph, between the classes that they are plugged into, gives their number of paths.
// Two ends with that many paths to the same class, a hub, have as many to each other: a cut of fewer links between them
// would separate one of them from the hub.
type connectivity struct {
	paths  int
	class  forest            // of devices that forward packets
	number []int32           // by root: the number of its class among the vertices of the contracted graph
	links  [][2]int32        // of the contracted graph, by the numbers of classes
	first  []int32           // by class: where its links begin in at
	at     []int32           // links by class
	hubs   []int32           // the largest classes
	sig    []int32           // by end: its signature
	sigs   []signature       // each once
	meets  map[[2]int32]bool // by pair of signatures: whether flow has found the paths

	flow   []int8  // by link: 1 from its first class to its second, -1 back
	seen   []int32 // by class: the last search that reached it
	via    []int32 // by class: the link by which that search reached it, -1 where it began
	search int32   // number of the last search
	queue  []int32
	used   []int32 // links with flow, to be reset
	work   int64   // links that were looked at
	over   bool    // more than mostFlowWork
}

// signature is what an end is plugged into.
type signature struct {
	own    int32    // the class of an end that forwards packets, -1 of others
	to     []socket // in the order of their classes
	direct []int32  // links to other ends that do not forward
	degree int      // links in all
	hubs   uint8    // bit h is set if it has the paths to connectivity.hubs[h]
}

// socket is a class that an end is plugged into, and the number of links between them.
type socket struct{ class, links int32 }

// mostHubs is how many of the largest classes are tried as hubs.
const mostHubs = 4

// connectivityOf finds the pairs that have at least that many paths over the links for which up is true.
func (n *network) connectivityOf(links []link, up func(i int32) bool, paths int) *connectivity {
	c := &connectivity{paths: paths, class: newForest(len(n.forward)), meets: map[[2]int32]bool{}}
	var inner []int32 // links between devices that forward
	for _, i := range n.links {
		if n.forward[links[i].a] && n.forward[links[i].b] && up(i) {
			inner = append(inner, i)
		}
	}
	for c.contract(links, inner) {
	}
	c.buildGraph(n, links, inner)
	c.joinByFlow(n, links, inner)
	c.findSignatures(n, links, up)
	return c
}

// contract joins the classes at the two ends of a link if the link proves that they have the paths, and reports whether
// it joined any. It divides links among paths-1 forests, each link into the first that it closes no cycle in. A link
// that no forest takes has a path between its ends in every forest; with the link itself, that makes the paths (H.
// Nagamochi and T. Ibaraki, Algorithmica 7, 1992).
func (c *connectivity) contract(links []link, inner []int32) bool {
	trees := make([]forest, c.paths-1)
	for k := range trees {
		trees[k] = newForest(len(c.class))
	}
	more := false
	for _, i := range inner {
		a, b := c.class.root(links[i].a), c.class.root(links[i].b)
		if a == b || slices.ContainsFunc(trees, func(f forest) bool { return f.join(a, b) }) {
			continue
		}
		c.class.join(a, b)
		more = true
	}
	return more
}

// buildGraph makes the contracted graph: a vertex for each class, and the links between classes.
func (c *connectivity) buildGraph(n *network, links []link, inner []int32) {
	c.number = make([]int32, len(c.class))
	var size []int32
	for v := range c.class {
		if !n.forward[v] {
			continue
		}
		if r := c.class.root(int32(v)); r == int32(v) {
			c.number[v] = int32(len(size))
			size = append(size, 0)
		}
	}
	for v := range c.class {
		if n.forward[v] {
			size[c.classOf(int32(v))]++
		}
	}
	c.links, c.first = c.links[:0], make([]int32, len(size)+1)
	for _, i := range inner {
		if a, b := c.classOf(links[i].a), c.classOf(links[i].b); a != b {
			c.links = append(c.links, [2]int32{a, b})
			c.first[a+1]++
			c.first[b+1]++
		}
	}
	for v := range size {
		c.first[v+1] += c.first[v]
	}
	next := slices.Clone(c.first)
	c.at = make([]int32, 2*len(c.links))
	for i, l := range c.links {
		for _, v := range l {
			c.at[next[v]] = int32(i)
			next[v]++
		}
	}
	c.flow, c.seen, c.via = make([]int8, len(c.links)), make([]int32, len(size)), make([]int32, len(size))
	c.search = 0
	all := make([]int32, len(size))
	for i := range all {
		all[i] = int32(i)
	}
	slices.SortStableFunc(all, func(a, b int32) int { return int(size[b] - size[a]) })
	c.hubs = all[:min(mostHubs, len(all))]
}

// classOf returns the number of the class of a device that forwards.
func (c *connectivity) classOf(v int32) int32 { return c.number[c.class.root(v)] }

// joinByFlow joins the classes that have the paths although no single link proves it to contract: each flow either
// joins two of them, or finds a cut that divides none.
func (c *connectivity) joinByFlow(n *network, links []link, inner []int32) {
	var all []int32
	for v := range len(c.first) - 1 {
		if int(c.first[v+1]-c.first[v]) >= c.paths {
			all = append(all, int32(v))
		}
	}
	root := make([]int32, len(c.first)-1)
	for v := range c.class {
		if n.forward[v] {
			root[c.classOf(int32(v))] = c.class.root(int32(v))
		}
	}
	joined := false
	for sets := [][]int32{all}; len(sets) > 0; {
		set := sets[len(sets)-1]
		sets = sets[:len(sets)-1]
		if len(set) < 2 {
			continue
		}
		s, t := set[0], set[1]
		most := int32(c.paths)
		if c.hasFlow([]socket{{s, most}}, []socket{{t, most}}, c.paths) {
			c.class.join(root[s], root[t])
			joined = true
			sets = append(sets, append([]int32{s}, set[2:]...))
			continue
		}
		var near, far []int32 // on the side of s of the cut, and beyond
		for _, v := range set {
			if c.seen[v] == c.search {
				near = append(near, v)
			} else {
				far = append(far, v)
			}
		}
		sets = append(sets, near, far)
	}
	if joined {
		c.buildGraph(n, links, inner)
	}
}

// findSignatures finds what every end is plugged into.
func (c *connectivity) findSignatures(n *network, links []link, up func(i int32) bool) {
	to := make(map[int32][]int32, len(n.ends))
	direct := map[int32][]int32{}
	for plug, i := range n.plugs(links, up) {
		if v, w := plug[0], plug[1]; n.forward[w] {
			to[v] = append(to[v], c.classOf(w))
		} else {
			direct[v] = append(direct[v], i)
		}
	}
	index := map[string]int32{}
	for _, v := range n.ends {
		s := signature{own: -1, direct: direct[v], degree: len(direct[v]) + len(to[v])}
		if n.forward[v] {
			s = signature{own: c.classOf(v), to: []socket{{c.classOf(v), int32(c.paths)}}, degree: c.paths}
		}
		slices.Sort(to[v])
		for _, class := range to[v] {
			if k := len(s.to); k > 0 && s.to[k-1].class == class {
				s.to[k-1].links = min(s.to[k-1].links+1, int32(c.paths))
			} else {
				s.to = append(s.to, socket{class, 1})
			}
		}
		key := binary.LittleEndian.AppendUint32(nil, uint32(s.own))
		for _, t := range s.to {
			key = binary.LittleEndian.AppendUint64(key, uint64(t.class)<<32|uint64(t.links))
		}
		for _, i := range s.direct {
			key = binary.LittleEndian.AppendUint64(key, uint64(i)|1<<63)
		}
		k, ok := index[string(key)]
		if !ok {
			k = int32(len(c.sigs))
			index[string(key)] = k
			for h, hub := range c.hubs {
				if s.own == hub || s.own < 0 && c.reaches(&s, hub) {
					s.hubs |= 1 << h
				}
			}
			c.sigs = append(c.sigs, s)
		}
		c.sig = append(c.sig, k)
	}
}

// reaches reports whether an end that does not forward has the paths to a class.
func (c *connectivity) reaches(s *signature, class int32) bool {
	for _, t := range s.to {
		if t.class == class && int(t.links) >= c.paths {
			return true
		}
	}
	return s.degree-len(s.direct) >= c.paths && c.hasFlow(s.to, []socket{{class, int32(c.paths)}}, c.paths)
}

// areConnected reports whether two different ends, one of each signature, have the paths.
func (c *connectivity) areConnected(a, b int32) bool {
	x, y := &c.sigs[a], &c.sigs[b]
	switch {
	case x.hubs&y.hubs != 0:
		return true
	case x.degree < c.paths || y.degree < c.paths:
		return false
	case x.own >= 0 && y.own >= 0:
		return x.own == y.own
	}
	key := [2]int32{min(a, b), max(a, b)}
	is, ok := c.meets[key]
	if !ok {
		need := c.paths
		for _, i := range x.direct {
			if slices.Contains(y.direct, i) {
				need--
			}
		}
		is = need <= 0 || c.hasFlow(x.to, y.to, need)
		c.meets[key] = is
	}
	return is
}

// hasFlow reports whether need edge-disjoint paths lead from one set of sockets to another. If not, the classes that
// the last search has reached are one side of a cut of fewer links, the side of from.
func (c *connectivity) hasFlow(from, to []socket, need int) bool {
	from, to = slices.Clone(from), slices.Clone(to)
	c.used = c.used[:0]
	n := 0
	for n < need && c.augment(from, to) {
		n++
	}
	for _, i := range c.used {
		c.flow[i] = 0
	}
	return n >= need
}

// augment adds one path to the flow and uses up one link of the socket at either end. It reports whether there was one.
func (c *connectivity) augment(from, to []socket) bool {
	c.search++
	c.queue = c.queue[:0]
	for _, s := range from {
		if s.links > 0 && c.seen[s.class] != c.search {
			c.seen[s.class], c.via[s.class] = c.search, -1
			c.queue = append(c.queue, s.class)
		}
	}
	for head := 0; head < len(c.queue); head++ {
		v := c.queue[head]
		if k := slices.IndexFunc(to, func(s socket) bool { return s.class == v && s.links > 0 }); k >= 0 {
			to[k].links--
			v = c.push(v)
			from[slices.IndexFunc(from, func(s socket) bool { return s.class == v })].links--
			return true
		}
		c.work += int64(c.first[v+1] - c.first[v] + 1)
		if c.work > mostFlowWork {
			c.over = true
			return false
		}
		for _, i := range c.at[c.first[v]:c.first[v+1]] {
			w, along := c.links[i][1], int8(1)
			if w == v {
				w, along = c.links[i][0], -1
			}
			if c.seen[w] == c.search || c.flow[i] == along {
				continue
			}
			c.seen[w], c.via[w] = c.search, i
			c.queue = append(c.queue, w)
		}
	}
	return false
}

// push sends one unit along the path that the search has found to a class, and returns the class where it begins.
func (c *connectivity) push(v int32) int32 {
	for c.via[v] >= 0 {
		i := c.via[v]
		from, along := c.links[i][0], int8(1)
		if c.links[i][1] != v {
			from, along = c.links[i][1], -1
		}
		c.flow[i] += along
		c.used = append(c.used, i)
		v = from
	}
	return v
}
