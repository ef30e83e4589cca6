package mapping

import "slices"

// hops proposes by how many columns and rows a vertex of a grid goes. A distance
// is proposed in proportion to how often it is taken, so that hops become shorter
// as it gets colder.
type hops struct {
	table [1 << 11]hop
	// Proposals of each distance, or of the kinds after them, and how many were
	// taken; the older ones count less.
	tried, taken [faraway + 1]int64
	aside        uint64 // of 256 proposals, how many go near a neighbour
}

type hop struct{ x, y int8 }

const (
	nearby    = 0 // kind of a proposal near a neighbour
	maxHop    = 8
	faraway   = maxHop + 1
	tuneEvery = 1 << 16 // steps between two looks at what is taken
	anywhere  = 4       // of 256 proposals, how many go to any place
)

// tune draws up the proposals.
func (h *hops) tune(width, height int) {
	var weight [maxHop + 1]int64 // of a hop of each distance
	most, local, localTaken := int64(1), int64(1), int64(1)
	for d := 1; d <= maxHop; d++ {
		weight[d] = (h.taken[d] + 1) << 20 / (h.tried[d] + 1)
		most = max(most, weight[d])
		local += h.tried[d]
		localTaken += h.taken[d]
	}
	sum := int64(0)
	weigh := func(x, y int) int64 {
		d := max(x, -x) + max(y, -y)
		if d == 0 || d > maxHop {
			return 0
		}
		return weight[d] + most>>12 + 1
	}
	reachX, reachY := min(maxHop, width-1), min(maxHop, height-1)
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
				h.table[i] = hop{int8(x), int8(y)}
				i++
			}
		}
	}
	near, here := (h.taken[nearby]+1)<<20/(h.tried[nearby]+1), localTaken<<20/local
	near, here = near*near>>20, here*here>>20
	h.aside = uint64(min(200, max(4, 256*near*near/(near*near+here*here+1))))
	for d := range h.tried {
		h.tried[d] /= 2
		h.taken[d] /= 2
	}
}

// gridWalk is what a walker needs for steps on a grid, where costs are distances
// and vertices are alike. It keeps place up to date, and nothing else of the
// state.
type gridWalk struct {
	*lines
	hops
	free     []int32 // vertices that may move; they take turns
	turn     int
	stale    int // steps since hops were tuned
	place    []int32
	fixed    []bool // nil if none is
	near     []int32
	reach    int
	capacity []int32 // of each place
	count    []int32
	seats    []int32 // who stands on place p, from p*row on
	row      int
	seat     []int32 // of each vertex, in seats
	rng      random
	sum      int64
	rises    int64
}

// onGrid tells whether a gridWalk can take the steps: where costs are distances on
// a grid, vertices are alike, and counts and lists are of a size that pays.
func (t *task) onGrid() bool {
	const most = 128 // whose hops fit an int8
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
	return w*h*t.longestRow() <= 8*n+1<<10
}

// longestRow is the most that stand on one place.
func (t *task) longestRow() int {
	return int(min(int64(t.g.Vertices()), slices.Max(t.capacity[:t.costs.places])))
}

func newGridWalk(s *state, near []int32, reach int, seed uint64) *gridWalk {
	n := s.g.Vertices()
	g := &gridWalk{
		lines: newLines(s.task, s.place), free: s.free, place: s.place, near: near, reach: reach,
		row: s.longestRow(), rng: random(seed), sum: s.sum,
	}
	for _, c := range s.capacity[:s.costs.places] {
		g.capacity = append(g.capacity, int32(min(c, int64(n))))
	}
	g.count = make([]int32, s.costs.places)
	g.seats = make([]int32, s.costs.places*g.row)
	g.seat = make([]int32, n)
	if s.pinned != nil {
		g.fixed = make([]bool, n)
	}
	for v, p := range s.place {
		g.enter(int32(v), p)
		if s.pinned != nil {
			g.fixed[v] = s.pinned[v] >= 0
		}
	}
	g.tune(g.width, g.height)
	return g
}

// step tries one step: a vertex hops, or goes near a neighbour where that is taken
// as often, and changes places with a vertex there unless there is room.
func (g *gridWalk) step(temperature float64) {
	if g.turn++; g.turn >= len(g.free) {
		g.turn = 0
		if g.stale += len(g.free); g.stale >= tuneEvery {
			g.tune(g.width, g.height)
			g.stale = 0
		}
	}
	v := g.free[g.turn]
	bits := g.rng.next()
	limit := temperature * exponentials[bits>>52]
	ax, ay := g.at(v)
	var bx, by, kind int
	switch k := bits & 0xff; {
	case k < g.aside && g.first[v] < g.first[v+1]:
		to := g.neighbours(v)
		u := to[bits>>8&0xffff*uint64(len(to))>>16]
		p := int(g.near[int(g.place[u])*g.reach+int(bits>>40&0xfff)*g.reach>>12])
		bx, by, kind = p%g.width, p/g.width, nearby
	case k >= 256-anywhere:
		p := g.rng.below(len(g.count))
		bx, by, kind = p%g.width, p/g.width, faraway
	default:
		d := g.table[bits>>40&uint64(len(g.table)-1)]
		bx, by, kind = ax+int(d.x), ay+int(d.y), length(int(d.x), int(d.y))
		if uint(bx) >= uint(g.width) || uint(by) >= uint(g.height) {
			return
		}
	}
	if bx == ax && by == ay {
		return
	}
	g.tried[kind]++
	b := int32(by*g.width + bx)
	d := g.delta(v, ax, ay, bx, by)
	count := int(g.count[b])
	if count < int(g.capacity[b]) {
		if float64(d) < limit || d <= 0 {
			g.leave(v, g.place[v])
			g.enter(v, b)
			g.shift(v, ax, ay, bx, by)
			g.took(kind, d)
		}
		return
	}
	if count == 0 {
		return
	}
	seat := int(b)*g.row + int(bits>>24&0xffff*uint64(count)>>16)
	u := g.seats[seat]
	d += g.delta(u, bx, by, ax, ay)
	if float64(d) >= limit && d > 0 || g.fixed != nil && g.fixed[u] {
		return
	}
	// An edge between the two keeps its length.
	for _, x := range g.neighbours(v) {
		if x == u {
			d += 2 * length(ax-bx, ay-by)
		}
	}
	if float64(d) >= limit && d > 0 {
		return
	}
	g.seats[g.seat[v]], g.seats[seat] = u, v
	g.seat[v], g.seat[u] = int32(seat), g.seat[v]
	g.place[v], g.place[u] = b, g.place[v]
	g.shift(v, ax, ay, bx, by)
	g.shift(u, bx, by, ax, ay)
	g.took(kind, d)
}

func (g *gridWalk) took(kind, delta int) {
	g.taken[kind]++
	g.sum += int64(delta)
	if delta > 0 {
		g.rises++
	}
}

// length is that of a hop.
func length(x, y int) int { return max(x, -x) + max(y, -y) }

// leave takes v away from place a.
func (g *gridWalk) leave(v, a int32) {
	g.count[a]--
	last := int(a)*g.row + int(g.count[a])
	u := g.seats[last]
	g.seats[g.seat[v]] = u
	g.seat[u] = g.seat[v]
}

// enter puts v on place b.
func (g *gridWalk) enter(v, b int32) {
	g.seat[v] = b*int32(g.row) + g.count[b]
	g.seats[g.seat[v]] = v
	g.count[b]++
	g.place[v] = b
}
