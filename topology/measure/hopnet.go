package measure

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

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
	// components is where the vertices that can reach each other begin, and the
	// number of all: if arcs lack their opposites, as if all were one component.
	components []int32
	// halves says that distances are symmetric and every vertex is a source that
	// counts once, so that half the pairs tell of the others.
	halves bool
}

// hopSource stands for weight ends.
type hopSource struct {
	from   int32 // where the search begins
	self   int32 // where it would find itself again
	weight uint64
}

// arcs is an adjacency without links. Beyond the length of to there is room
// for arcsAhead more, and beyond first for rowsAhead, all of places that exist.
type arcs struct {
	first []int64
	to    []int32
}

func (a *arcs) of(v int32) []int32 { return a.to[a.first[v]:a.first[v+1]] }

// newArcs collects the arcs that walk yields twice in the same order.
func newArcs(vertices int, walk func(add func(a, b int32))) *arcs {
	x := &arcs{first: make([]int64, vertices+2, vertices+2+rowsAhead)}
	walk(func(a, _ int32) { x.first[a+2]++ })
	for v := range vertices {
		x.first[v+2] += x.first[v+1]
	}
	x.to = make([]int32, x.first[vertices+1], x.first[vertices+1]+arcsAhead)
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

// newHopNet makes the net of a graph; the error is that of ctx.
func newHopNet(ctx context.Context, g topology.Graph, ends Ends) (*hopNet, error) {
	role := roles(g)
	b := &hopBuilder{g: g, walk: walk{g, ctx}, role: role, router: make([]int32, len(role))}
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
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b.finish()
}

// hopBuilder makes a hopNet.
type hopBuilder struct {
	hopNet
	g        topology.Graph
	walk     walk // over the links of g
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

// singleHomed reports whether every terminal has one duplex link, to a router,
// and nothing else injects.
func (b *hopBuilder) singleHomed() bool {
	links := make([]uint8, len(b.role))
	for l := range b.walk.Links() {
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
	for l := range b.walk.Links() {
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
	for l := range b.walk.Links() {
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
	for l := range b.walk.Links() {
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
// near each other in memory. The error is that of the context of the walk.
func (b *hopBuilder) finish() (*hopNet, error) {
	directed := len(b.extra) > 0
	collect := func(add func(a, b int32)) {
		for l := range b.walk.Links() {
			directed = directed || l.Simplex
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
	plain := newArcs(int(b.vertices), collect)
	order, err := b.nearOrder(plain)
	if err != nil {
		return nil, err
	}
	b.in = plain.renumberedBack(order)
	b.out = b.in
	if directed {
		b.out = b.in.reverse()
		b.components = []int32{0, b.vertices}
	}
	b.sortSources(order)
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
	b.halves = !directed && b.weights == nil && len(b.sources) == int(b.vertices) &&
		!slices.ContainsFunc(b.sources, func(s hopSource) bool { return s.weight != 1 })
	net := b.hopNet
	return &net, nil
}

// sortSources gives the sources the new numbers of vertices and puts them in order.
func (b *hopBuilder) sortSources(order []int32) {
	const no = -1
	at := make([]int32, len(order)) // the source at each vertex
	for v := range at {
		at[v] = no
	}
	for i, s := range b.sources {
		at[order[s.from]] = int32(i)
	}
	sorted := make([]hopSource, 0, len(b.sources))
	alike := true
	for v, i := range at {
		if i == no {
			continue
		}
		s := b.sources[i]
		s.from, s.self = int32(v), order[s.self]
		alike = alike && s.weight == b.sources[0].weight
		sorted = append(sorted, s)
	}
	if !alike {
		slices.SortStableFunc(sorted, func(x, y hopSource) int { return cmp.Compare(x.weight, y.weight) })
	}
	b.sources = sorted
}

// nearOrder numbers the vertices in the order of breadth-first searches, of which each
// begins a component; the result is the new number of each, the error that of the context.
func (b *hopBuilder) nearOrder(a *arcs) ([]int32, error) {
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
		b.components = append(b.components, int32(len(queue)))
		order[root] = int32(len(queue))
		queue = append(queue, int32(root))
		for i := len(queue) - 1; i < len(queue); i++ {
			if i%walkStride == 0 && b.walk.ctx.Err() != nil {
				return nil, b.walk.ctx.Err()
			}
			for _, w := range a.of(queue[i]) {
				if order[w] < 0 {
					order[w] = int32(len(queue))
					queue = append(queue, w)
				}
			}
		}
	}
	b.components = append(b.components, int32(n))
	return order, nil
}

// renumberedBack is the arcs the other way, between the new numbers; the tails of a vertex
// are in order.
func (a *arcs) renumberedBack(order []int32) *arcs {
	back := make([]int32, len(order))
	for v, to := range order {
		back[to] = int32(v)
	}
	x := &arcs{
		first: make([]int64, len(order)+2, len(order)+2+rowsAhead),
		to:    make([]int32, len(a.to), len(a.to)+arcsAhead),
	}
	for _, w := range a.to {
		x.first[order[w]+2]++
	}
	for v := range order {
		x.first[v+2] += x.first[v+1]
	}
	for v, old := range back {
		for _, w := range a.of(old) {
			at := &x.first[order[w]+1]
			x.to[*at] = int32(v)
			*at++
		}
	}
	x.first = x.first[:len(order)+1]
	return x
}

// reverse returns the arcs the other way.
func (a *arcs) reverse() *arcs {
	return newArcs(len(a.first)-1, func(add func(a, b int32)) {
		for v := range int32(len(a.first) - 1) {
			for _, w := range a.of(v) {
				add(w, v)
			}
		}
	})
}
