package mapping

// Problem asks for a place for every vertex of a graph.
type Problem struct {
	Graph *Graph
	Costs *Costs

	// Resources names what places offer and vertices take, for messages: "rack
	// units", "power (mW)"; one resource "vertices" when nil.
	Resources []string
	// Capacity is how much of resource r place p offers, at p*len(Resources) + r.
	Capacity []int64
	// Size is how much of resource r vertex v takes, at v*len(Resources) + r;
	// 1 of everything when nil.
	Size []int64
	// Layers are further ways to divide the places, each part with a capacity of
	// its own: rows, rooms, power feeds.
	Layers []Layer

	// Pinned is the place where a vertex must stand, negative where it may move.
	// Nil when all may.
	Pinned []int32
	// Vertex v may only stand on places of the classes whose bits are set in
	// Allowed[v]; the class of a place is below 64. Nil when all may stand
	// everywhere.
	Allowed    []uint64
	PlaceClass []uint8
	// Together lists groups of vertices that share a place. A vertex is in one group at most.
	Together [][]int32
	// AntiAffinity lists groups of vertices with anti-affinity.
	AntiAffinity []AntiAffinity

	Objective Objective
}

// Layer divides the places into domains.
type Layer struct {
	Of []int32 // domain of each place, counting from 0
	// Capacity is how much of resource r domain d offers, at d*len(Resources) +
	// r; nil when there is no limit.
	Capacity []int64
}

// AntiAffinity is a group of which no more than AtMost may stand in one place, or in one domain of a layer.
type AntiAffinity struct {
	Vertices []int32
	Times    []int32 // how many each of Vertices counts for, at least 1; nil where each counts for one
	AtMost   int     // at least 1
	Layer    int     // 0 for places, otherwise 1 + index into Layers
}

// Objective is what is minimised: Sum, the cost of all edges times their weight,
// plus Lambda times the cost of the longest edge; or with LongestFirst the cost
// of the longest edge, then the number of edges that cost as much, then the sum. With LongestFirst, Lambda is not used.
type Objective struct {
	Lambda       int64
	LongestFirst bool
}

// Score is what a placement costs.
type Score struct {
	Sum       int64 // cost times weight over all edges
	Longest   int64 // cost of the costliest edge, weight left out
	AtLongest int64 // edges that cost as much
}

// Value is the figure that an objective minimises first.
func (o Objective) Value(s Score) int64 {
	if o.LongestFirst {
		return s.Longest
	}
	return s.Sum + o.Lambda*s.Longest
}

// less reports whether s is better than t.
func (o Objective) less(s, t Score) bool {
	if v, w := o.Value(s), o.Value(t); v != w || !o.LongestFirst {
		return v < w
	}
	if s.AtLongest != t.AtLongest {
		return s.AtLongest < t.AtLongest
	}
	return s.Sum < t.Sum
}

// ScoreOf computes the score of a placement, whether or not it keeps the rules. place has the place of each vertex.
func ScoreOf(g *Graph, c *Costs, place []int32) Score {
	var s Score
	for v := range g.Vertices() {
		for k := g.First[v]; k < g.First[v+1]; k++ {
			class := g.class(k)
			u := g.To[k]
			if class&1 == 1 || g.Class == nil && int(u) < v {
				continue // from the other end
			}
			d := c.arc(class, place[v], place[u])
			s.Sum += d * g.weight(k)
			switch {
			case d > s.Longest:
				s.Longest, s.AtLongest = d, 1
			case d == s.Longest:
				s.AtLongest++
			}
		}
	}
	return s
}

// EdgeCut is the weight of the edges between different places.
func EdgeCut(g *Graph, place []int32) int64 {
	cut := int64(0)
	for v := range g.Vertices() {
		for k := g.First[v]; k < g.First[v+1]; k++ {
			if place[v] != place[g.To[k]] {
				cut += g.weight(k)
			}
		}
	}
	return cut / 2
}
