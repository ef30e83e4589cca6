package mapping

import "slices"

// displacements proposes by how many columns and rows a vertex of a grid moves. A
// distance is proposed in proportion to how often it is accepted, so that moves
// become shorter as it gets colder.
type displacements struct {
	table [1 << 11]displacement
	// Proposals of each distance, or of the kinds besides, and how many were
	// accepted; the older ones count less.
	proposed, accepted [toAnyPlace + 1]int64
	neighbourShare     uint64 // of 256 proposals, how many go near a neighbour
}

// displacement is a number of columns and of rows.
type displacement struct{ x, y int8 }

const (
	toNeighbour   = 0 // the kind of a proposal near a neighbour; 1 to farthest are distances
	farthest      = 8
	toAnyPlace    = farthest + 1
	adaptEvery    = 1 << 16 // steps between two looks at what is accepted
	anyPlaceShare = 4       // of 256 proposals, how many go to any place
)

// adapt draws up the proposals.
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

// gridAnnealer is what an annealer needs for steps on a grid, where costs are
// distances and vertices are alike. It keeps place up to date, and nothing else of
// the state.
type gridAnnealer struct {
	displacements
	width, height int
	first         []int64 // of the graph
	to            []int32
	positions     *positions
	free          []int32 // vertices that may move; they take turns
	turn          int
	sinceAdapted  int // steps since displacements were adapted
	place         []int32
	fixed         []bool // nil if none is
	near          []int32
	neighbourhood int
	capacity      []int32 // of each place
	count         []int32
	occupants     []int32 // who stands on place p, from p*perPlace on
	perPlace      int
	index         []int32 // of each vertex, in occupants
	rng           random
	sum           int64
	uphill        int64
}

// onGrid reports whether a gridAnnealer can take the steps: where costs are distances on
// a grid, vertices are alike, and lists are of a size that pays.
func (t *instance) onGrid() bool {
	const most = 128 // whose displacements fit an int8
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

// mostOnOnePlace is the most that stand on one place.
func (t *instance) mostOnOnePlace() int {
	return int(min(int64(t.g.Vertices()), slices.Max(t.capacity[:t.costs.places])))
}

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

// step tries one step: a vertex moves by a displacement, or near a neighbour where
// that is accepted as often, and changes places with a vertex there unless there is
// room.
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
		// An edge between the two keeps its length.
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

func (g *gridAnnealer) neighbours(v int32) []int32 { return g.to[g.first[v]:g.first[v+1]] }

// accept counts an accepted step.
func (g *gridAnnealer) accept(kind, delta int) {
	g.accepted[kind]++
	g.sum += int64(delta)
	if delta > 0 {
		g.uphill++
	}
}

// manhattan is the Manhattan distance over so many columns and rows.
func manhattan(x, y int) int { return max(x, -x) + max(y, -y) }

// vacate removes vertex v from place a.
func (g *gridAnnealer) vacate(v, a int32) {
	g.count[a]--
	last := int(a)*g.perPlace + int(g.count[a])
	u := g.occupants[last]
	g.occupants[g.index[v]] = u
	g.index[u] = g.index[v]
}

// enter puts v on place b.
func (g *gridAnnealer) enter(v, b int32) {
	g.index[v] = b*int32(g.perPlace) + g.count[b]
	g.occupants[g.index[v]] = v
	g.count[b]++
	g.place[v] = b
}
