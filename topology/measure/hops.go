package measure

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// Ends says between which vertices hops are counted.
type Ends uint8

const (
	// Routers are the vertices that forward: nodes and switches.
	Routers Ends = iota
	// Terminals are the vertices that inject: terminals, and nodes that
	// forward as well. A path from terminal to terminal counts both terminal
	// links, and no path leads through a terminal.
	Terminals
)

func (e Ends) String() string { return [...]string{"routers", "terminals"}[e] }

// HopEnds returns the ends between which the literature counts the hops of a
// graph like g: the routers of a direct network, the terminals of a tree. A
// network is direct if every switch carries an injecting vertex, and if some
// switches are linked to each other.
func HopEnds(g topology.Graph) Ends {
	carries := make([]bool, topology.Vertices(g))
	kinds := g.Kinds()
	switches, injectors := 0, 0
	for _, k := range kinds {
		if k.Role == topology.Switch {
			switches += k.Count
			continue
		}
		injectors += k.Count
	}
	if switches == 0 || injectors == 0 {
		return Routers
	}
	role := roles(g)
	linked := false
	for l := range g.Links() {
		linked = linked || role[l.A] != topology.Terminal && role[l.B] != topology.Terminal
		for _, x := range [][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if v := x[0]; role[v] == topology.Switch && role[x[1]] == topology.Terminal && !carries[v] {
				carries[v] = true
				switches--
			}
		}
	}
	if switches > 0 || !linked {
		return Terminals
	}
	return Routers
}

// HopStats is the distribution of hop distances over all ordered pairs of
// ends. Means and deviation are over the pairs that have a path.
type HopStats struct {
	Ends  Ends
	Count int // number of ends
	// Histogram[h] is the number of ordered pairs that are h hops apart; entry
	// 0 is the pairs of an end with itself.
	Histogram    []uint64
	Unreachable  uint64 // ordered pairs without a path
	Diameter     int    // the longest distance; without pairs 0
	Mean         float64
	MeanWithSelf float64 // counting the pairs of an end with itself, at distance 0
	Std          float64 // population standard deviation, with self pairs

	// Exact is false if the figures are estimated from sources drawn at
	// random. The histogram then counts the pairs that begin at a drawn source,
	// the diameter is a lower bound, and StdErr the standard error of Mean.
	Exact   bool
	Sources int // searches made
	StdErr  float64
}

// HopOptions says how to measure.
type HopOptions struct {
	// MaxSources is the most sources that are searched one and all; of more,
	// SampleSize are drawn. Zero means 2^20. Symmetry lessens the sources.
	MaxSources int
	// SampleSize is the number of sources drawn; zero means 64.
	SampleSize int
	// Seed selects the sources drawn.
	Seed uint64
}

// Hops measures the distances between the ends of g exactly, up to the limits
// of opt: by searches from all ends, from one of each orbit where g is Symmetric,
// or by the closed form of a graph with HopCounts. The result is the same whatever the number of cores. The error is
// that of ctx.
//
// Searches for 512 sources run together, bit by bit (M. Then et al., "The more
// the merrier: efficient multi-source graph traversal", PVLDB 8 (4), 2014,
// doi:10.14778/2735496.2735507), so that memory is about 200 bytes per vertex
// and core, besides the arcs.
func Hops(ctx context.Context, g topology.Graph, ends Ends, opt HopOptions) (*HopStats, error) {
	if s := closedHops(g, ends); s != nil {
		return s, nil
	}
	n := newHopNet(g, ends)
	if opt.MaxSources == 0 {
		opt.MaxSources = 1 << 20
	}
	if opt.SampleSize == 0 {
		opt.SampleSize = 64
	}
	if len(n.sources) > opt.MaxSources && opt.SampleSize < len(n.sources) {
		return n.sample(ctx, opt)
	}
	found, err := n.search(ctx)
	if err != nil {
		return nil, err
	}
	s := &HopStats{Ends: n.ends, Count: int(n.members), Exact: true, Sources: len(n.sources)}
	s.Histogram = n.histogram(found, n.members, n.twins)
	s.summarize(n.members)
	return s, nil
}

// closedHops is the distances of a graph that states them, between routers; nil
// for others.
func closedHops(g topology.Graph, ends Ends) *HopStats {
	counts, ok := g.(topology.HopCounts)
	if !ok {
		return nil
	}
	for _, k := range g.Kinds() {
		if ends == Terminals && k.Role != topology.Node {
			return nil
		}
	}
	histogram := counts.HopCounts()
	if histogram == nil {
		return nil
	}
	routers := 0
	for _, k := range g.Kinds() {
		if k.Role != topology.Terminal {
			routers += k.Count
		}
	}
	s := &HopStats{Ends: ends, Count: routers, Exact: true, Histogram: histogram}
	s.summarize(uint64(routers))
	return s
}

// summarize derives the figures from the histogram; sources counts the sources
// of the pairs, with their weights.
func (s *HopStats) summarize(sources uint64) {
	var pairs, sum, squares float64
	reached := uint64(0)
	for h, c := range s.Histogram {
		reached += c
		pairs += float64(c)
		sum += float64(c) * float64(h)
		squares += float64(c) * float64(h) * float64(h)
	}
	s.Unreachable = sources*uint64(s.Count) - reached
	s.Diameter = max(len(s.Histogram)-1, 0)
	if pairs == 0 {
		return
	}
	s.MeanWithSelf = sum / pairs
	s.Std = math.Sqrt(max(squares/pairs-float64(s.MeanWithSelf*s.MeanWithSelf), 0))
	if others := pairs - float64(s.Histogram[0]); others > 0 {
		s.Mean = sum / others
	}
}

// hopNet is what is searched. Its vertices are the routers of a graph and,
// where terminals do not all have a single duplex link, two for each group of
// terminals with the same links: one that is only left and one that is only
// entered, so that no path leads through.
type hopNet struct {
	ends    Ends
	out, in *arcs       // in is out if every arc has its opposite
	sources []hopSource // in the order of their weights
	// weights of the vertices entered: nil if all count once.
	weights []uint64
	members uint64 // number of ends
	twins   uint64 // ordered pairs of different ends that no search meets, at distance 2
	shift   int    // what a search leaves out of each distance: the terminal links
}

// hopSource stands for weight ends.
type hopSource struct {
	from   int32 // where the search begins
	self   int32 // where it would find itself again
	weight uint64
}

// arcs is an adjacency without links. Beyond the length of to there is room
// for pullAhead more, which are 0.
type arcs struct {
	first []int64
	to    []int32
}

func (a *arcs) of(v int32) []int32 { return a.to[a.first[v]:a.first[v+1]] }

// newArcs collects the arcs that walk yields twice in the same order.
func newArcs(vertices int, walk func(add func(a, b int32))) *arcs {
	x := &arcs{first: make([]int64, vertices+2)}
	walk(func(a, _ int32) { x.first[a+2]++ })
	for v := range vertices {
		x.first[v+2] += x.first[v+1]
	}
	x.to = make([]int32, x.first[vertices+1], x.first[vertices+1]+pullAhead)
	walk(func(a, b int32) {
		x.to[x.first[a+1]] = b
		x.first[a+1]++
	})
	x.first = x.first[:vertices+1]
	return x
}

// roles returns the role of every vertex.
func roles(g topology.Graph) []topology.Role {
	out := make([]topology.Role, 0, topology.Vertices(g))
	for _, k := range g.Kinds() {
		for range k.Count {
			out = append(out, k.Role)
		}
	}
	return out
}

func newHopNet(g topology.Graph, ends Ends) *hopNet {
	role := roles(g)
	b := &hopBuilder{g: g, role: role, router: make([]int32, len(role))}
	b.ends = ends
	for v, r := range role {
		b.router[v] = -1
		if r != topology.Terminal {
			b.router[v] = b.vertices
			b.vertices++
		}
	}
	switch {
	case ends == Routers || b.vertices == int32(len(role)):
		b.routers()
	case b.singleHomed():
		b.fold()
	default:
		b.split()
	}
	return b.finish()
}

// hopBuilder makes a hopNet.
type hopBuilder struct {
	hopNet
	g        topology.Graph
	role     []topology.Role
	router   []int32 // vertex of the net for each router, -1 for terminals
	vertices int32   // of the net
	extra    [][2]int32
}

// routers makes the routers the ends; of nodes and switches, for ends that
// inject, only the nodes.
func (b *hopBuilder) routers() {
	all := true
	for _, r := range b.role {
		all = all && (r != topology.Switch || b.ends == Routers)
	}
	if !all {
		b.weights = make([]uint64, b.vertices)
	}
	for v, r := range b.role {
		if r == topology.Terminal || r == topology.Switch && b.ends == Terminals {
			continue
		}
		b.members++
		if !all {
			b.weights[b.router[v]] = 1
		}
	}
	b.sourcesAt(func(v int32) uint64 {
		if b.weights == nil {
			return 1
		}
		return b.weights[v]
	})
}

// sourcesAt makes a source of every router that stands for some ends, or of
// one of each orbit. The vertices of an orbit carry the same terminals.
func (b *hopBuilder) sourcesAt(ends func(router int32) uint64) {
	add := func(r int32, times uint64) {
		if w := ends(r) * times; w > 0 {
			b.sources = append(b.sources, hopSource{r, r, w})
		}
	}
	if sym, ok := b.g.(topology.Symmetric); ok {
		for _, o := range sym.Orbits() {
			add(b.router[o.Vertex], uint64(o.Size))
		}
		return
	}
	for r := range b.vertices {
		add(r, 1)
	}
}

// singleHomed tells whether every terminal has one duplex link, to a router,
// and nothing else injects.
func (b *hopBuilder) singleHomed() bool {
	links := make([]uint8, len(b.role))
	for l := range b.g.Links() {
		for _, v := range [2]int32{l.A, l.B} {
			if b.role[v] == topology.Terminal {
				links[v]++
				if links[v] > 1 || l.Simplex {
					return false
				}
			}
		}
		if b.router[l.A] < 0 && b.router[l.B] < 0 {
			return false
		}
	}
	for v, r := range b.role {
		if r == topology.Node || r == topology.Terminal && links[v] == 0 {
			return false
		}
	}
	return true
}

// fold lets every router stand for its terminals.
func (b *hopBuilder) fold() {
	b.weights = make([]uint64, b.vertices)
	for l := range b.g.Links() {
		for _, x := range [2][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if b.router[x[0]] < 0 {
				b.weights[b.router[x[1]]]++
				b.members++
			}
		}
	}
	for _, w := range b.weights {
		b.twins += w * (w - min(w, 1))
	}
	b.shift = 2
	b.sourcesAt(func(r int32) uint64 { return b.weights[r] })
}

// split adds the terminals as vertices of the net, one pair for all terminals
// that have duplex links to the same routers and no others.
func (b *hopBuilder) split() {
	type home struct {
		routers []int32
		alone   bool
	}
	homes := make([]home, len(b.role))
	for l := range b.g.Links() {
		for _, x := range [2][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if t, v := x[0], x[1]; b.router[t] < 0 {
				homes[t].alone = homes[t].alone || l.Simplex || b.router[v] < 0
				homes[t].routers = append(homes[t].routers, b.router[v])
			}
		}
	}
	groups := make(map[string]int32) // index in sources
	at := make([]int32, len(b.role)) // the same, for each terminal
	for t, h := range homes {
		switch {
		case b.role[t] == topology.Node:
			b.sources = append(b.sources, hopSource{b.router[t], b.router[t], 1})
			b.members++
		case b.role[t] == topology.Terminal:
			b.members++
			slices.Sort(h.routers)
			h.routers = slices.Compact(h.routers)
			key := make([]byte, 0, 4*len(h.routers))
			for _, r := range h.routers {
				key = binary.LittleEndian.AppendUint32(key, uint32(r))
			}
			i, ok := groups[string(key)]
			if ok = ok && !h.alone && len(h.routers) > 0; !ok {
				i = int32(len(b.sources))
				b.sources = append(b.sources, hopSource{b.vertices, b.vertices + 1, 0})
				b.vertices += 2
				if !h.alone && len(h.routers) > 0 {
					groups[string(key)] = i
					for _, r := range h.routers {
						b.extra = append(b.extra, [2]int32{b.sources[i].from, r}, [2]int32{r, b.sources[i].self})
					}
				}
			}
			b.twins += 2 * b.sources[i].weight
			b.sources[i].weight++
			at[t] = i
		}
	}
	from := func(v int32) int32 {
		if r := b.router[v]; r >= 0 {
			return r
		}
		return b.sources[at[v]].from
	}
	self := func(v int32) int32 {
		if r := b.router[v]; r >= 0 {
			return r
		}
		return b.sources[at[v]].self
	}
	for l := range b.g.Links() {
		if b.router[l.A] >= 0 && b.router[l.B] >= 0 || !homes[l.A].alone && !homes[l.B].alone {
			continue
		}
		b.extra = append(b.extra, [2]int32{from(l.A), self(l.B)})
		if !l.Simplex {
			b.extra = append(b.extra, [2]int32{from(l.B), self(l.A)})
		}
	}
	b.weights = make([]uint64, b.vertices)
	for _, s := range b.sources {
		b.weights[s.self] = s.weight
	}
}

// finish makes the arcs, and renumbers the vertices so that neighbours are
// near each other in memory.
func (b *hopBuilder) finish() *hopNet {
	directed := len(b.extra) > 0
	for l := range b.g.Links() {
		directed = directed || l.Simplex
		if directed {
			break
		}
	}
	walk := func(add func(a, b int32)) {
		for l := range b.g.Links() {
			u, v := b.router[l.A], b.router[l.B]
			if u < 0 || v < 0 {
				continue
			}
			add(u, v)
			if !l.Simplex {
				add(v, u)
			}
		}
		for _, x := range b.extra {
			add(x[0], x[1])
		}
	}
	plain := newArcs(int(b.vertices), walk)
	order := plain.nearOrder()
	b.out = plain.renumbered(order)
	b.in = b.out
	if directed {
		b.in = b.out.reversed()
	}
	for i := range b.sources {
		s := &b.sources[i]
		s.from, s.self = order[s.from], order[s.self]
	}
	slices.SortFunc(b.sources, func(x, y hopSource) int {
		return cmp.Or(cmp.Compare(x.weight, y.weight), cmp.Compare(x.from, y.from))
	})
	if b.weights != nil {
		w := make([]uint64, len(b.weights))
		for v, to := range order {
			w[to] = b.weights[v]
		}
		b.weights = w
		if !slices.ContainsFunc(w, func(x uint64) bool { return x != 1 }) {
			b.weights = nil
		}
	}
	net := b.hopNet
	return &net
}

// nearOrder numbers the vertices in the order of breadth-first searches; the
// result is the new number of each.
func (a *arcs) nearOrder() []int32 {
	n := len(a.first) - 1
	order := make([]int32, n)
	for v := range order {
		order[v] = -1
	}
	queue := make([]int32, 0, n)
	for root := range n {
		if order[root] >= 0 {
			continue
		}
		order[root] = int32(len(queue))
		queue = append(queue, int32(root))
		for i := len(queue) - 1; i < len(queue); i++ {
			for _, w := range a.of(queue[i]) {
				if order[w] < 0 {
					order[w] = int32(len(queue))
					queue = append(queue, w)
				}
			}
		}
	}
	return order
}

func (a *arcs) renumbered(order []int32) *arcs {
	n := len(order)
	x := &arcs{first: make([]int64, n+1), to: make([]int32, len(a.to), len(a.to)+pullAhead)}
	back := make([]int32, n)
	for v, to := range order {
		back[to] = int32(v)
	}
	at := int64(0)
	for v, old := range back {
		x.first[v] = at
		for _, w := range a.of(old) {
			x.to[at] = order[w]
			at++
		}
	}
	x.first[n] = at
	return x
}

func (a *arcs) reversed() *arcs {
	return newArcs(len(a.first)-1, func(add func(a, b int32)) {
		for v := range int32(len(a.first) - 1) {
			for _, w := range a.of(v) {
				add(w, v)
			}
		}
	})
}

// histogram adds to what searches found the pairs that they leave out.
func (n *hopNet) histogram(found []uint64, self, twins uint64) []uint64 {
	h := append(make([]uint64, n.shift), found...)
	if len(h) == 0 {
		h = []uint64{0}
	}
	h[0] = self
	if twins > 0 {
		for len(h) < 3 {
			h = append(h, 0)
		}
		h[2] += twins
	}
	for len(h) > 1 && h[len(h)-1] == 0 {
		h = h[:len(h)-1]
	}
	return h
}

// sample searches from sources drawn at random, one by one. Every end is as
// likely as any other: a source is drawn with its weight.
func (n *hopNet) sample(ctx context.Context, opt HopOptions) (*HopStats, error) {
	rng := rand.New(rand.NewPCG(opt.Seed, 0x9e3779b97f4a7c15))
	upTo := make([]uint64, len(n.sources)) // ends of the sources up to each
	total := uint64(0)
	for i, s := range n.sources {
		total += s.weight
		upTo[i] = total
	}
	s := &HopStats{Ends: n.ends, Count: int(n.members), Sources: opt.SampleSize}
	w := newHopWorker(n)
	var means []float64
	var histogram []uint64
	for range opt.SampleSize {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i, _ := slices.BinarySearch(upTo, rng.Uint64N(total)+1)
		source := n.sources[i]
		own := uint64(1)
		if n.weights != nil {
			own = n.weights[source.self]
		}
		source.weight = 1
		w.found = w.found[:0]
		w.plain(source)
		h := n.histogram(w.found, 1, 0)
		if own > 1 {
			h = n.histogram(w.found, 1, own-1)
		}
		one := HopStats{Count: s.Count, Histogram: h}
		one.summarize(1)
		means = append(means, one.Mean)
		histogram = addCounts(histogram, h)
	}
	s.Histogram = histogram
	s.summarize(uint64(opt.SampleSize))
	mean, squares := 0.0, 0.0
	for _, m := range means {
		mean += m / float64(len(means))
	}
	for _, m := range means {
		squares += float64((m - mean) * (m - mean))
	}
	if k := float64(len(means)); k > 1 {
		s.StdErr = math.Sqrt(squares / (k - 1) / k)
	}
	return s, nil
}

// addCounts adds histograms of any lengths.
func addCounts(to, more []uint64) []uint64 {
	for len(to) < len(more) {
		to = append(to, 0)
	}
	for i, c := range more {
		to[i] += c
	}
	return to
}
