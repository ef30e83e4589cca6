package measure

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// Bisection brackets the least number of channels between two halves of the
// ends of a graph. With n ends the halves have floor(n/2) and ceil(n/2).
//
// Of a direct network the routers are halved. Of a tree the terminals are
// halved and each switch stands on whichever side is better; a terminal may be
// cut off from its switch. A channel counts once, whichever way it carries.
type Bisection struct {
	Ends         Ends
	Count        int   // ends that are halved
	Lower, Upper int64 // channels
	// LowerMethod and UpperMethod say what gave the bounds.
	LowerMethod, UpperMethod string
	// Side is the side of every vertex in the partition that cuts Upper.
	Side []uint8
}

// BisectionOptions says how hard to try.
type BisectionOptions struct {
	Seed uint64
	// Runs is the number of multilevel partitions; zero means as many as the
	// size allows, from 2 to 16.
	Runs int
	// Work limits the arcs that each bound from loads may follow; zero means
	// 2e8.
	Work int64
}

// Bisect brackets the bisection of g.
//
// The lower bounds are
//   - spectral: with lambda the second smallest eigenvalue of the Laplacian,
//     weighted with the channels, halves of a and b routers have at least
//     lambda a b/n channels between them (B. Mohar, "The Laplacian spectrum of
//     graphs", 1991). Lambda comes from Lanczos iterations and counts less the
//     norm of the residual. Direct networks only.
//   - load: if every end sends a unit to every other over its shortest paths,
//     split evenly, and no channel carries more than c, then the 2ab units
//     between the halves need 2ab/c channels (F. T. Leighton, Introduction to
//     Parallel Algorithms and Architectures, 1992, section 1.9).
//   - hubs: if each of m switches sends a unit to every end over its shortest
//     paths, split evenly, and no channel carries more than c, then the cut has
//     m floor(n/2)/c channels: on whichever side a switch stands, that many ends
//     are on the other, and its units for them cross. The switches of one kind
//     are tried at a time; those of the top tier of a tree give its true
//     bisection where units spread evenly, of which the bound from loads finds
//     half, as it lets a switch stand on both sides.
//
// The upper bound is the best of several partitions: multilevel, with
// heavy-edge matching and refinement by C. M. Fiduccia and R. M. Mattheyses (G.
// Karypis and V. Kumar, "A fast and high quality multilevel scheme for
// partitioning irregular graphs", SIAM J. Sci. Comput. 20 (1), 1998), by the
// numbering of the vertices, across each dimension of a Lattice, and by the
// Fiedler vector, all refined.
func Bisect(ctx context.Context, g topology.Graph, ends Ends, opt BisectionOptions) (*Bisection, error) {
	if opt.Work == 0 {
		opt.Work = 2e8
	}
	p := newCutGraph(g, ends)
	b := &Bisection{Ends: ends, Count: int(p.total), LowerMethod: "none", UpperMethod: "none"}
	if p.total < 2 {
		b.Side = make([]uint8, topology.Vertices(g))
		return b, nil
	}
	x := float64(p.total/2) * float64(p.total-p.total/2)
	raise := func(bound float64, method string) {
		if l := int64(math.Ceil(bound - 1e-6*max(1, bound))); l > b.Lower {
			b.Lower, b.LowerMethod = l, method
		}
	}
	load, ok := p.greatestLoad(ctx, g, opt.Work)
	if ok && load > 0 {
		raise(2*x/load, "load")
	}
	for _, k := range g.Kinds() {
		if k.Role != topology.Switch || ends == Routers {
			continue
		}
		if load, ok := p.hubLoad(ctx, g, k, opt.Work); ok && load > 0 {
			raise(float64(k.Count)*float64(p.total/2)/load, "hubs")
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(opt.Seed, 1))
	best := int64(math.MaxInt64)
	try := func(side []uint8, method string) {
		p.balance(side)
		p.refine(side, p.slack())
		if cut := p.cut(side); p.balanced(side) && cut < best {
			best = cut
			b.Upper, b.UpperMethod, b.Side = cut, method, side
		}
	}
	for _, o := range p.orders(g) {
		try(p.firstHalf(o.key), o.name)
	}
	if p.unit && b.Lower < b.Upper {
		lambda, vector := p.fiedler(ctx)
		raise(lambda*x/float64(p.total), "spectral")
		if vector != nil {
			try(p.firstHalf(vector), "spectral")
		}
	}
	if opt.Runs == 0 {
		opt.Runs = int(min(16, max(2, 4e6/(1+len(p.to)))))
	}
	for range opt.Runs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if b.Upper == b.Lower {
			break
		}
		try(p.multilevel(rng), "multilevel")
	}
	return b, nil
}

// cutGraph is an undirected graph whose vertices and edges have weights.
type cutGraph struct {
	first  []int64
	to     []int32
	width  []int64
	weight []int64 // ends at each vertex
	total  int64
	unit   bool // every vertex weighs 1
}

func newCutGraph(g topology.Graph, ends Ends) *cutGraph {
	role := roles(g)
	p := &cutGraph{weight: make([]int64, len(role)), unit: true}
	for v, r := range role {
		if r == topology.Node || (r == topology.Terminal) == (ends == Terminals) {
			p.weight[v] = 1
		}
		p.total += p.weight[v]
		p.unit = p.unit && (p.weight[v] == 1 || r == topology.Terminal)
	}
	keep := func(l topology.Link) bool {
		return l.A != l.B && (ends == Terminals || role[l.A] != topology.Terminal && role[l.B] != topology.Terminal)
	}
	p.first = make([]int64, len(role)+2)
	for l := range g.Links() {
		if keep(l) {
			p.first[l.A+2]++
			p.first[l.B+2]++
		}
	}
	for v := range role {
		p.first[v+2] += p.first[v+1]
	}
	arcs := p.first[len(role)+1]
	p.to, p.width = make([]int32, arcs), make([]int64, arcs)
	add := func(a, b int32, width int64) {
		p.to[p.first[a+1]], p.width[p.first[a+1]] = b, width
		p.first[a+1]++
	}
	for l := range g.Links() {
		if keep(l) {
			add(l.A, l.B, int64(l.Width))
			add(l.B, l.A, int64(l.Width))
		}
	}
	p.first = p.first[:len(role)+1]
	return p
}

func (p *cutGraph) vertices() int { return len(p.first) - 1 }

func (p *cutGraph) cut(side []uint8) int64 {
	sum := int64(0)
	for v := range side {
		for i := p.first[v]; i < p.first[v+1]; i++ {
			if side[v] != side[p.to[i]] {
				sum += p.width[i]
			}
		}
	}
	return sum / 2
}

func (p *cutGraph) sideWeight(side []uint8) (w [2]int64) {
	for v, s := range side {
		w[s] += p.weight[v]
	}
	return w
}

func (p *cutGraph) balanced(side []uint8) bool {
	w := p.sideWeight(side)
	return max(w[0], w[1])-min(w[0], w[1]) <= p.total%2
}

// slack is how far from the half a side may be while vertices are moved: one
// vertex of the heaviest kind.
func (p *cutGraph) slack() int64 { return max(1, slices.Max(p.weight)) }

// order is a key by which vertices are cut in halves.
type order struct {
	name string
	key  []float64
}

// orders lists the plain ways to cut g.
func (p *cutGraph) orders(g topology.Graph) []order {
	n := p.vertices()
	number := make([]float64, n)
	for v := range number {
		number[v] = float64(v)
	}
	out := []order{{"numbering", number}}
	if l, ok := g.(topology.Lattice); ok && p.unit {
		stride := 1
		for _, side := range l.Dims() {
			key := make([]float64, n)
			for v := range key {
				key[v] = float64(v/stride%side)*float64(n) + float64(v)
			}
			out = append(out, order{"plane", key})
			stride *= side
		}
	}
	return out
}

// firstHalf puts the vertices with the least keys, up to half the ends, on
// side 0. Vertices without ends go where most of their channels lead.
func (p *cutGraph) firstHalf(key []float64) []uint8 {
	var list []int32
	for v, w := range p.weight {
		if w > 0 {
			list = append(list, int32(v))
		}
	}
	slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(key[a], key[b]), cmp.Compare(a, b)) })
	const unset = 2
	side := make([]uint8, p.vertices())
	for v := range side {
		side[v] = unset
	}
	sum := int64(0)
	for _, v := range list {
		side[v] = 1
		if sum < p.total/2 {
			side[v] = 0
		}
		sum += p.weight[v]
	}
	for left := true; left; {
		left = false
		progress := false
		for v := range side {
			if side[v] != unset {
				continue
			}
			var pull [3]int64
			for i := p.first[v]; i < p.first[v+1]; i++ {
				pull[side[p.to[i]]] += p.width[i]
			}
			if pull[0]+pull[1] == 0 {
				left = true
				continue
			}
			progress = true
			side[v] = 0
			if pull[1] > pull[0] {
				side[v] = 1
			}
		}
		if left && !progress {
			for v := range side {
				side[v] %= unset
			}
			break
		}
	}
	return side
}

// gains is the vertices of one side by the channels that moving them saves.
type gains struct {
	heap []int32
	at   []int32 // place in the heap, -1 outside
	gain []int64
}

func (h *gains) less(i, j int) bool {
	a, b := h.heap[i], h.heap[j]
	return h.gain[a] > h.gain[b] || h.gain[a] == h.gain[b] && a < b
}

func (h *gains) swap(i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	h.at[h.heap[i]], h.at[h.heap[j]] = int32(i), int32(j)
}

func (h *gains) fix(i int) {
	for i > 0 && h.less(i, (i-1)/2) {
		h.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
	for {
		c := 2*i + 1
		if c >= len(h.heap) {
			return
		}
		if c+1 < len(h.heap) && h.less(c+1, c) {
			c++
		}
		if !h.less(c, i) {
			return
		}
		h.swap(i, c)
		i = c
	}
}

func (h *gains) push(v int32) {
	h.at[v] = int32(len(h.heap))
	h.heap = append(h.heap, v)
	h.fix(len(h.heap) - 1)
}

func (h *gains) remove(v int32) {
	i := int(h.at[v])
	last := len(h.heap) - 1
	h.swap(i, last)
	h.heap = h.heap[:last]
	h.at[v] = -1
	if i < last {
		h.fix(i)
	}
}

// refine moves vertices between the sides, the most profitable first, each
// once a pass, and keeps the best partition that was met on the way. During a
// pass the sides may be slack off balance; what is kept is no less balanced
// than the start.
func (p *cutGraph) refine(side []uint8, slack int64) {
	n := p.vertices()
	gain := make([]int64, n)
	at := make([]int32, n)
	tries := max(50, min(n/20, 2000)) // moves without a gain
	for range 12 {
		w := p.sideWeight(side)
		off := func() int64 { return max(w[0], w[1]) - min(w[0], w[1]) }
		heaps := [2]*gains{{at: at, gain: gain}, {at: at, gain: gain}}
		for v := range n {
			gain[v], at[v] = 0, -1
			for i := p.first[v]; i < p.first[v+1]; i++ {
				if side[p.to[i]] == side[v] {
					gain[v] -= p.width[i]
				} else {
					gain[v] += p.width[i]
				}
			}
		}
		for v := range n {
			heaps[side[v]].push(int32(v))
		}
		var moved []int32
		start := max(off(), p.total%2)
		saved, best, kept := int64(0), int64(0), 0
		for len(moved)-kept < tries {
			from := -1
			for s, h := range heaps {
				if len(h.heap) == 0 {
					continue
				}
				v := h.heap[0]
				after := w[s] - p.weight[v] - (w[1-s] + p.weight[v])
				if after < 0 {
					after = -after
				}
				if p.weight[v] > 0 && after > off() && after > 2*slack {
					continue
				}
				if from < 0 || p.weight[v] > 0 && w[s] > w[1-s] && off() > p.total%2 || off() <= p.total%2 &&
					gain[v] > gain[heaps[from].heap[0]] {
					from = s
				}
			}
			if from < 0 {
				break
			}
			v := heaps[from].heap[0]
			heaps[from].remove(v)
			saved += gain[v]
			w[from] -= p.weight[v]
			w[1-from] += p.weight[v]
			side[v] = uint8(1 - from)
			moved = append(moved, v)
			for i := p.first[v]; i < p.first[v+1]; i++ {
				u := p.to[i]
				if at[u] < 0 {
					continue
				}
				if int(side[u]) == from {
					gain[u] += 2 * p.width[i]
				} else {
					gain[u] -= 2 * p.width[i]
				}
				heaps[side[u]].fix(int(at[u]))
			}
			if off() <= start && saved > best {
				best, kept = saved, len(moved)
			}
		}
		for _, v := range moved[kept:] {
			side[v] = 1 - side[v]
		}
		if best == 0 {
			return
		}
	}
}

// balance moves vertices from the heavier side until the halves are equal, the
// most profitable first; it needs vertices that weigh 1.
func (p *cutGraph) balance(side []uint8) {
	w := p.sideWeight(side)
	from := 0
	if w[1] > w[0] {
		from = 1
	}
	if w[from]-w[1-from] <= p.total%2 {
		return
	}
	h := &gains{at: make([]int32, p.vertices()), gain: make([]int64, p.vertices())}
	for v := range side {
		h.at[v] = -1
		for i := p.first[v]; i < p.first[v+1]; i++ {
			if side[p.to[i]] == side[v] {
				h.gain[v] -= p.width[i]
			} else {
				h.gain[v] += p.width[i]
			}
		}
	}
	for v, s := range side {
		if int(s) == from && p.weight[v] > 0 {
			h.push(int32(v))
		}
	}
	for len(h.heap) > 0 && w[from]-w[1-from] > p.total%2 {
		v := h.heap[0]
		h.remove(v)
		if w[from]-w[1-from]-2*p.weight[v] < -(p.total % 2) {
			continue
		}
		side[v] = uint8(1 - from)
		w[from] -= p.weight[v]
		w[1-from] += p.weight[v]
		for i := p.first[v]; i < p.first[v+1]; i++ {
			if u := p.to[i]; h.at[u] >= 0 {
				h.gain[u] += 2 * p.width[i]
				h.fix(int(h.at[u]))
			}
		}
	}
}

// multilevel partitions a coarser graph and refines what it gives.
func (p *cutGraph) multilevel(rng *rand.Rand) []uint8 {
	const coarsest = 60
	if p.vertices() > coarsest {
		if c, into := p.coarser(rng); c.vertices() < p.vertices()*19/20 {
			coarse := c.multilevel(rng)
			side := make([]uint8, p.vertices())
			for v, to := range into {
				side[v] = coarse[to]
			}
			p.balance(side)
			p.refine(side, p.slack())
			return side
		}
	}
	var best []uint8
	least := int64(math.MaxInt64)
	for range 8 {
		side := p.grow(rng)
		p.balance(side)
		p.refine(side, p.slack())
		if cut := p.cut(side); cut < least {
			best, least = side, cut
		}
	}
	return best
}

// grow collects half the ends around a random vertex, always the neighbour
// that adds the fewest channels to the cut.
func (p *cutGraph) grow(rng *rand.Rand) []uint8 {
	n := p.vertices()
	side := make([]uint8, n)
	h := &gains{at: make([]int32, n), gain: make([]int64, n)}
	for v := range side {
		side[v], h.at[v] = 1, -1
		for i := p.first[v]; i < p.first[v+1]; i++ {
			h.gain[v] -= p.width[i]
		}
	}
	for sum := int64(0); sum < p.total/2; {
		if len(h.heap) == 0 {
			v := rng.IntN(n)
			for side[v] == 0 {
				v = (v + 1) % n
			}
			h.push(int32(v))
		}
		v := h.heap[0]
		h.remove(v)
		side[v] = 0
		sum += p.weight[v]
		for i := p.first[v]; i < p.first[v+1]; i++ {
			u := p.to[i]
			if side[u] == 0 {
				continue
			}
			h.gain[u] += 2 * p.width[i]
			if h.at[u] < 0 {
				h.push(u)
			} else {
				h.fix(int(h.at[u]))
			}
		}
	}
	return side
}

// coarser merges each vertex with the neighbour that it shares most channels
// with, in random order. Vertices with a single neighbour join it whatever it
// is merged with.
func (p *cutGraph) coarser(rng *rand.Rand) (*cutGraph, []int32) {
	n := p.vertices()
	into := make([]int32, n)
	for v := range into {
		into[v] = -1
	}
	limit := max(1, p.total/20)
	var weight []int64
	single := func(v int32) bool { return p.first[v+1]-p.first[v] == 1 }
	for _, i := range rng.Perm(n) {
		v := int32(i)
		if into[v] >= 0 || single(v) {
			continue
		}
		best, most := int32(-1), int64(0)
		for i := p.first[v]; i < p.first[v+1]; i++ {
			if u := p.to[i]; into[u] < 0 && !single(u) && p.width[i] > most && p.weight[u]+p.weight[v] <= limit {
				best, most = u, p.width[i]
			}
		}
		into[v] = int32(len(weight))
		weight = append(weight, p.weight[v])
		if best >= 0 {
			into[best] = into[v]
			weight[into[v]] += p.weight[best]
		}
	}
	for v := range into {
		if into[v] >= 0 {
			continue
		}
		if to := into[p.to[p.first[v]]]; to >= 0 && weight[to]+p.weight[v] <= limit {
			into[v] = to
			weight[to] += p.weight[v]
			continue
		}
		into[v] = int32(len(weight))
		weight = append(weight, p.weight[v])
	}
	return p.merged(into, weight), into
}

// merged is the graph of the merged vertices, its parallel edges added up.
func (p *cutGraph) merged(into []int32, weight []int64) *cutGraph {
	m := len(weight)
	members := newArcs(m, func(add func(a, b int32)) {
		for v, to := range into {
			add(to, int32(v))
		}
	})
	c := &cutGraph{weight: weight, total: p.total, first: make([]int64, 1, m+1)}
	at := make([]int64, m) // place of the edge to each vertex, if not below the row's first
	for v := range at {
		at[v] = -1
	}
	for x := range int32(m) {
		begin := int64(len(c.to))
		for _, v := range members.of(x) {
			for i := p.first[v]; i < p.first[v+1]; i++ {
				y := into[p.to[i]]
				if y == x {
					continue
				}
				if at[y] < begin {
					at[y] = int64(len(c.to))
					c.to = append(c.to, y)
					c.width = append(c.width, 0)
				}
				c.width[at[y]] += p.width[i]
			}
		}
		c.first = append(c.first, int64(len(c.to)))
	}
	return c
}
