package measure

import (
	"math"
	"math/big"

	"github.com/plenum-planner/plenum/topology"
)

// BoundedPaths counts the paths between two vertices that have at most so many hops: the shortest and the almost
// shortest paths of I. Snir, "HyperX: topology, routing, and packaging of efficient large-scale networks", 2021,
// section 3.2.2, where the bound is one hop more than the fewest.
type BoundedPaths struct {
	Hops int `json:"hops"` // the bound
	// Paths is how many there are; null where the bound is more than one hop above the fewest, for then walks may
	// pass a vertex twice and counting them does not count paths.
	Paths *big.Int `json:"paths"`
	// LinkDisjointLower is the paths found that have at most so many hops and share no link.
	LinkDisjointLower int `json:"link_disjoint_lower"`
	// LinkDisjointUpper is a bound: no more of them share no link.
	LinkDisjointUpper int `json:"link_disjoint_upper"`
}

// PathsWithin counts the paths of at most hops hops from a vertex to another of c, through vertices that forward (nil
// means all). Both vertices must be of c. All counts are 0 if there are none, and from a vertex to itself. Paths is nil
// if the bound is more than one hop above the fewest. Parallel arcs of c are paths of their own.
//
// How many of them share no link is bracketed, as finding the most is NP-hard for a bound of five hops and more (A.
// Itai, Y. Perl and Y. Shiloach, "The complexity of finding maximum disjoint paths with length constraints", Networks
// 12, 1982). Only arcs on walks within the bound are kept. Among them, k paths that share no link and have the fewest
// hops together come from a flow of least cost (R. G. Busacker and P. J. Gowen, 1961): where that takes more than k
// times the bound, no k such paths exist. What the flow is divided into, shortest paths first, is the bound from below.
func PathsWithin(c *topology.CSR, from, to, hops int, forward func(v int) bool) BoundedPaths {
	p := BoundedPaths{Hops: hops, Paths: new(big.Int)}
	there, back := hopsThrough(c, from, forward), hopsThrough(reverseCSR(c), to, forward)
	least := int(there[to])
	if from == to || least < 0 || least > hops {
		return p
	}
	f := &leastCostFlow{vertices: c.Vertices(), from: int32(from), to: int32(to)}
	f.first = make([][]int32, c.Vertices())
	for v := range int32(c.Vertices()) {
		if there[v] < 0 || int(v) != from && forward != nil && !forward(int(v)) {
			continue
		}
		for _, w := range c.Neighbours(int(v)) {
			if w != v && back[w] >= 0 && int(there[v]+1+back[w]) <= hops {
				f.add(v, w)
			}
		}
	}
	p.Paths = f.count(there, hops-least)
	for total := 0; ; {
		length, ok := f.augment()
		if total += length; !ok || total > (p.LinkDisjointUpper+1)*hops {
			break
		}
		p.LinkDisjointUpper++
		p.LinkDisjointLower = max(p.LinkDisjointLower, f.pathsWithin(hops))
	}
	return p
}

// hopsThrough returns the hops from a vertex to all others through vertices that forward, -1 without a path.
func hopsThrough(c *topology.CSR, from int, forward func(v int) bool) []int32 {
	dist := make([]int32, c.Vertices())
	for v := range dist {
		dist[v] = -1
	}
	dist[from] = 0
	queue := []int32{int32(from)}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		if int(v) != from && forward != nil && !forward(int(v)) {
			continue
		}
		for _, w := range c.Neighbours(int(v)) {
			if dist[w] < 0 {
				dist[w] = dist[v] + 1
				queue = append(queue, w)
			}
		}
	}
	return dist
}

// leastCostFlow is a flow over arcs of capacity and cost one. Arcs stand in pairs: e^1 goes back along e.
type leastCostFlow struct {
	vertices int
	from, to int32
	first    [][]int32 // arcs of each vertex
	heads    []int32
	used     []bool // whether the flow takes the arc; of an arc back, whether it cannot be taken
}

func (f *leastCostFlow) add(v, w int32) {
	e := int32(len(f.heads))
	f.heads = append(f.heads, w, v)
	f.used = append(f.used, false, true)
	f.first[v] = append(f.first[v], e)
	f.first[w] = append(f.first[w], e+1)
}

// count is the paths with at most extra hops more than the fewest, nil for an extra above one. A walk with one hop more
// than the fewest passes no vertex twice: what it walked in between could be left out, which saves two hops or more.
func (f *leastCostFlow) count(there []int32, extra int) *big.Int {
	if extra > 1 {
		return nil
	}
	// Walks to a vertex with as many hops as it is away, and with one more.
	walks := [2][]*big.Int{make([]*big.Int, f.vertices), make([]*big.Int, f.vertices)}
	walks[0][f.from] = big.NewInt(1)
	add := func(sum *big.Int, x *big.Int) *big.Int {
		if x == nil {
			return sum
		}
		if sum == nil {
			sum = new(big.Int)
		}
		return sum.Add(sum, x)
	}
	rings := make([][]int32, there[f.to]+2) // vertices by their hops
	for v, arcs := range f.first {
		if h := int(there[v]); len(arcs) > 0 && h < len(rings) {
			rings[h] = append(rings[h], int32(v))
		}
	}
	for _, ring := range rings {
		for longer := range extra + 1 {
			if longer == 1 { // along the ring: from walks of the fewest hops, which are all known
				for _, v := range ring {
					for _, e := range f.first[v] {
						if w := f.heads[e]; e%2 == 0 && there[w] == there[v] {
							walks[1][w] = add(walks[1][w], walks[0][v])
						}
					}
				}
			}
			for _, v := range ring {
				for _, e := range f.first[v] {
					if w := f.heads[e]; e%2 == 0 && there[w] == there[v]+1 {
						walks[longer][w] = add(walks[longer][w], walks[longer][v])
					}
				}
			}
		}
	}
	sum := new(big.Int)
	for longer := range extra + 1 {
		sum = add(sum, walks[longer][f.to])
	}
	return sum
}

// augment sends one unit more at the least cost, by a search in a queue that takes vertices in anew (E. F. Moore,
// 1957), and returns what that adds to the cost.
func (f *leastCostFlow) augment() (cost int, ok bool) {
	const far = math.MaxInt32
	dist, by := make([]int32, f.vertices), make([]int32, f.vertices)
	waits := make([]bool, f.vertices)
	for v := range dist {
		dist[v] = far
	}
	dist[f.from] = 0
	queue := []int32{f.from}
	for len(queue) > 0 {
		v := queue[0]
		queue, waits[v] = queue[1:], false
		for _, e := range f.first[v] {
			step := 1 - 2*(e%2) // an arc back takes its hop back
			if w := f.heads[e]; !f.used[e] && dist[v]+step < dist[w] {
				dist[w], by[w] = dist[v]+step, e
				if !waits[w] {
					queue, waits[w] = append(queue, w), true
				}
			}
		}
	}
	if dist[f.to] == far {
		return 0, false
	}
	for v := f.to; v != f.from; v = f.heads[by[v]^1] {
		f.used[by[v]], f.used[by[v]^1] = true, false
	}
	return int(dist[f.to]), true
}

// pathsWithin divides the flow into paths, the shortest of what is left first, and counts those within the bound.
func (f *leastCostFlow) pathsWithin(hops int) int {
	taken := make([]bool, len(f.heads))
	by := make([]int32, f.vertices)
	dist := make([]int, f.vertices)
	for paths := 0; ; paths++ {
		for v := range dist {
			dist[v] = -1
		}
		dist[f.from] = 0
		queue := []int32{f.from}
		for i := 0; i < len(queue) && dist[f.to] < 0; i++ {
			for _, e := range f.first[queue[i]] {
				if w := f.heads[e]; e%2 == 0 && f.used[e] && !taken[e] && dist[w] < 0 {
					dist[w], by[w] = dist[queue[i]]+1, e
					queue = append(queue, w)
				}
			}
		}
		if dist[f.to] < 0 || dist[f.to] > hops {
			return paths
		}
		for v := f.to; v != f.from; v = f.heads[by[v]^1] {
			taken[by[v]] = true
		}
	}
}
