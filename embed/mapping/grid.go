package mapping

import "slices"

// displacements proposes by how many columns and rows a vertex of a grid moves. Every displacement is proposed about in
// proportion to the share of proposals of its Manhattan distance that were accepted, so that moves become shorter as
// the temperature falls.
type displacements struct {
	table [1 << 11]displacement // a proposal is a random element
	// Proposals of each kind, and how many were accepted; adapt halves them, so that older ones count less.
	proposed, accepted [toAnyPlace + 1]int64
	neighbourShare     uint64 // of 256 proposals, how many go near a neighbour; from 4 to 200
}

// displacement is a number of columns and of rows.
type displacement struct{ x, y int8 }

// The kinds of proposals: the Manhattan distances from 1 to farthest, and two more.
const (
	toNeighbour   = 0 // a place near that of a neighbour in the graph
	farthest      = 8
	toAnyPlace    = farthest + 1 // any place of the grid
	adaptEvery    = 1 << 16      // steps between two calls of adapt, rounded up to whole turns of all free vertices
	anyPlaceShare = 4            // of 256 proposals, how many go to any place
)

// adapt fills table and neighbourShare from what was accepted, for a grid of this size, and halves the counts. A
// distance that is never accepted is still proposed, seldom.
func (h *displacements) adapt(width, height int) {
	var weight [farthest + 1]int64 // of a move over each distance
	most, local, localAccepted := int64(1), int64(1), int64(1)
	for d := 1; d <= farthest; d++ {
		weight[d] = (h.accepted[d] + 1) << 20 / (h.proposed[d] + 1)
		most = max(most, weight[d])
		local += h.proposed[d]
		localAccepted += h.accepted[d]
	}
	sum := int64(0)
	weigh := func(x, y int) int64 {
		d := max(x, -x) + max(y, -y)
		if d == 0 || d > farthest {
			return 0
		}
		return weight[d] + most>>12 + 1
	}
	reachX, reachY := min(farthest, width-1), min(farthest, height-1)
	for y := -reachY; y <= reachY; y++ {
		for x := -reachX; x <= reachX; x++ {
			sum += weigh(x, y)
		}
	}
	i, passed := 0, int64(0)
	for y := -reachY; y <= reachY; y++ {
		for x := -reachX; x <= reachX; x++ {
			passed += weigh(x, y)
			for i < len(h.table) && int64(i)*sum < passed*int64(len(h.table)) {
				h.table[i] = displacement{int8(x), int8(y)}
				i++
			}
		}
	}
	near, here := (h.accepted[toNeighbour]+1)<<20/(h.proposed[toNeighbour]+1), localAccepted<<20/local
	near, here = near*near>>20, here*here>>20
	h.neighbourShare = uint64(min(200, max(4, 256*near*near/(near*near+here*here+1))))
	for d := range h.proposed {
		h.proposed[d] /= 2
		h.accepted[d] /= 2
	}
}

// gridAnnealer takes the steps of an annealer on a grid, where an edge costs the Manhattan distance between its ends
// and vertices are alike (see onGrid). Place p is in column p modulo width and row p/width; the grid does not wrap
// around. It shares place with the state that it was made from and keeps it up to date; the rest of that state is not.
type gridAnnealer struct {
	displacements
	width, height int
	first         []int64 // of the graph
	to            []int32 // of the graph
	positions     *positions
	free          []int32 // vertices that may move; they take turns
	turn          int     // index in free of the vertex that moved last
	sinceAdapted  int     // steps since adapt, without those of the present turn of all
	place         []int32 // of each vertex
	fixed         []bool  // by vertex; nil if no vertex is fixed
	near          []int32 // places near place p, itself first, from p*neighbourhood on
	neighbourhood int
	capacity      []int32 // vertices that each place has room for
	count         []int32 // vertices on each place
	occupants     []int32 // vertices on place p: count[p] elements from p*perPlace on
	perPlace      int
	index         []int32 // of each vertex, in occupants
	rng           random
	sum           int64 // cost of all edges
	uphill        int64 // accepted steps that raised sum
}

// onGrid reports whether a gridAnnealer can take the steps of the instance: the places are a grid of at most 128
// columns and rows in the order of their numbers, an edge costs the Manhattan distance between its ends, edges have
// weight 1, each vertex takes one of a single resource, and there are no rules but pins. For tables of a reasonable
// size, vertices have at most 255 neighbours, and all places together seats for 8 times the vertices and 1024 more, at
// most.
func (t *instance) onGrid() bool {
	const most = 128 // columns or rows
	w, h := t.costs.grid()
	if w == 0 || w > most || h > most || !t.simple || t.g.Weight != nil {
		return false
	}
	n := t.g.Vertices()
	for v := range int32(n) {
		if t.g.degree(v) > 255 {
			return false
		}
	}
	return w*h*t.mostOnOnePlace() <= 8*n+1<<10
}

// mostOnOnePlace returns an upper bound of the vertices on one place of a simple instance: the greatest capacity of a
// place, or the number of vertices if that is less.
func (t *instance) mostOnOnePlace() int {
	return int(min(int64(t.g.Vertices()), slices.Max(t.capacity[:t.costs.places])))
}

// newGridAnnealer returns a gridAnnealer for the placement of s, whose instance is onGrid. near has, for each place,
// `size` places near it, itself first (see nearPlaces). seed is that of the random numbers.
func newGridAnnealer(s *state, near []int32, size int, seed uint64) *gridAnnealer {
	n := s.g.Vertices()
	g := &gridAnnealer{
		first: s.g.First, to: s.g.To, free: s.free, place: s.place, near: near, neighbourhood: size,
		perPlace: s.mostOnOnePlace(), rng: random(seed), sum: s.sum, positions: newPositions(s.instance, s.place),
	}
	g.width, g.height = s.costs.grid()
	for _, c := range s.capacity[:s.costs.places] {
		g.capacity = append(g.capacity, int32(min(c, int64(n))))
	}
	g.count = make([]int32, s.costs.places)
	g.occupants = make([]int32, s.costs.places*g.perPlace)
	g.index = make([]int32, n)
	if s.pinned != nil {
		g.fixed = make([]bool, n)
	}
	for v, p := range s.place {
		g.enter(int32(v), p)
		if s.pinned != nil {
			g.fixed[v] = s.pinned[v] >= 0
		}
	}
	g.adapt(g.width, g.height)
	return g
}

// step tries one step with the next free vertex. Of 256 proposals, anyPlaceShare are any place of the grid,
// neighbourShare (for a vertex with neighbours) a place near that of a random neighbour, and the others a displacement
// of its own place. If the proposed place is full, the vertex changes places with a random one there.
//
// A step that raises the sum by d is accepted if d is less than the temperature, which has the unit of the sum, times a
// random number of the exponential distribution; others are always accepted. Nothing changes if the proposed place is
// the present one, outside the grid or of capacity 0, or if the other vertex is fixed.
func (g *gridAnnealer) step(temperature float64) {
	if g.turn++; g.turn >= len(g.free) {
		g.turn = 0
		if g.sinceAdapted += len(g.free); g.sinceAdapted >= adaptEvery {
			g.adapt(g.width, g.height)
			g.sinceAdapted = 0
		}
	}
	v := g.free[g.turn]
	bits := g.rng.next()
	limit := temperature * exponentialQuantiles[bits>>52]
	a := g.place[v]
	ax, ay := g.positions.of(v)
	var bx, by, kind int
	switch k := bits & 0xff; {
	case k < g.neighbourShare && g.first[v] < g.first[v+1]:
		to := g.neighbours(v)
		u := to[bits>>8&0xffff*uint64(len(to))>>16]
		p := int(g.near[int(g.place[u])*g.neighbourhood+int(bits>>40&0xfff)*g.neighbourhood>>12])
		bx, by, kind = p%g.width, p/g.width, toNeighbour
	case k >= 256-anyPlaceShare:
		p := g.rng.below(len(g.count))
		bx, by, kind = p%g.width, p/g.width, toAnyPlace
	default:
		d := g.table[bits>>40&uint64(len(g.table)-1)]
		bx, by, kind = ax+int(d.x), ay+int(d.y), manhattan(int(d.x), int(d.y))
		if uint(bx) >= uint(g.width) || uint(by) >= uint(g.height) {
			return
		}
	}
	if bx == ax && by == ay {
		return
	}
	g.proposed[kind]++
	b := int32(by*g.width + bx)
	u, seat := int32(-1), 0
	if count := g.count[b]; count >= g.capacity[b] {
		if count == 0 {
			return
		}
		seat = int(b)*g.perPlace + int(bits>>24&0xffff*uint64(count)>>16)
		u = g.occupants[seat]
	}
	d := g.positions.delta(v, u, ax, ay, bx, by)
	if float64(d) >= limit && d > 0 {
		return
	}
	if u < 0 {
		g.vacate(v, a)
		g.enter(v, b)
	} else {
		if g.fixed != nil && g.fixed[u] {
			return
		}
		// positions.delta took each end for moving alone, though an edge between the two keeps its length.
		for _, x := range g.neighbours(v) {
			if x == u {
				d += 2 * manhattan(ax-bx, ay-by)
			}
		}
		if float64(d) >= limit && d > 0 {
			return
		}
		g.positions.put(u, ax, ay)
		g.occupants[g.index[v]], g.occupants[seat] = u, v
		g.index[v], g.index[u] = int32(seat), g.index[v]
		g.place[v], g.place[u] = b, a
	}
	g.positions.put(v, bx, by)
	g.accept(kind, d)
}

// neighbours returns the neighbours of v, one for each edge.
func (g *gridAnnealer) neighbours(v int32) []int32 { return g.to[g.first[v]:g.first[v+1]] }

// accept counts an accepted step of a kind and adds delta to the sum.
func (g *gridAnnealer) accept(kind, delta int) {
	g.accepted[kind]++
	g.sum += int64(delta)
	if delta > 0 {
		g.uphill++
	}
}

// manhattan returns the Manhattan distance over x columns and y rows, which may be negative.
func manhattan(x, y int) int { return max(x, -x) + max(y, -y) }

// vacate removes vertex v from the occupants of place a; place[v] stays until enter.
func (g *gridAnnealer) vacate(v, a int32) {
	g.count[a]--
	last := int(a)*g.perPlace + int(g.count[a])
	u := g.occupants[last]
	g.occupants[g.index[v]] = u
	g.index[u] = g.index[v]
}

// enter adds v to the occupants of place b, which must have room, and sets place[v].
func (g *gridAnnealer) enter(v, b int32) {
	g.index[v] = b*int32(g.perPlace) + g.count[b]
	g.occupants[g.index[v]] = v
	g.count[b]++
	g.place[v] = b
}
