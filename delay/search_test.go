package delay

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/units"
)

// plainly measures all pairs of ends one by one, from one source at a time.
func plainly(n *network) *Result {
	t := &tally{net: n, sources: n.everyEnd(), shift: n.binShift()}
	t.count()
	defer t.release()
	for from := range n.vertices() {
		if n.endsOf[from] == n.endsOf[from+1] {
			continue
		}
		hops, keys, means := plainLevels(n, uint32(from))
		fast := plainFastest(n, uint32(from))
		for i := n.endsOf[from]; i < n.endsOf[from+1]; i++ {
			var s sums
			var p peaks
			for to := range n.vertices() {
				if hops[to] < 0 {
					continue
				}
				for k := n.endsOf[to]; k < n.endsOf[to+1]; k++ {
					if i == k {
						continue
					}
					up, upLength := n.split(n.ends[i].up)
					down, downLength := n.split(n.ends[k].down)
					least, length := n.split(keys[to])
					quick, reach := n.split(fast[to])
					x := peaks{
						hops: n.ends[i].hops + uint64(hops[to]) + n.ends[k].hops, least: up + least + down,
						mean: up + means[to] + down, length: upLength + length + downLength, fast: up + quick + down,
						reach: upLength + reach + downLength,
					}
					s.pairs++
					s.hops += x.hops
					s.least += x.least
					s.mean += x.mean
					s.length += x.length
					s.fast += x.fast
					s.reach += x.reach
					if quick < least {
						s.detours++
					}
					p.raise(x)
					t.bins[x.least>>t.shift]++
				}
			}
			t.source(int(i), s, p, 1)
		}
	}
	return t.result()
}

// plainLevels is the fewest hops to every vertex, -1 for none, and over the paths with these the least key and the mean
// delay.
func plainLevels(n *network, from uint32) (hops []int, keys, means []uint64) {
	hops = slices.Repeat([]int{-1}, n.vertices())
	keys, means = make([]uint64, n.vertices()), make([]uint64, n.vertices())
	count, sum := make([]float64, n.vertices()), make([]float64, n.vertices())
	hops[from], count[from] = 0, 1
	for queue := []uint32{from}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		if sum[u] > 0 {
			means[u] = uint64(sum[u]/count[u] + 0.5)
		}
		if u >= n.forward && u != from {
			continue
		}
		for _, a := range n.arcs[n.first[u]:n.first[u+1]] {
			if hops[a.to] < 0 {
				hops[a.to], keys[a.to] = hops[u]+1, keys[u]+n.weights[a.weight].key
				queue = append(queue, a.to)
			}
			if hops[a.to] == hops[u]+1 {
				keys[a.to] = min(keys[a.to], keys[u]+n.weights[a.weight].key)
				count[a.to] += count[u]
				sum[a.to] += sum[u] + float64(count[u]*n.weights[a.weight].time)
			}
		}
	}
	return hops, keys, means
}

// plainFastest is the least key of any path to every vertex: it follows all arcs until none leads sooner.
func plainFastest(n *network, from uint32) []uint64 {
	keys := slices.Repeat([]uint64{1 << 63}, n.vertices())
	keys[from] = 0
	for again := true; again; {
		again = false
		for u := range uint32(n.vertices()) {
			if keys[u] == 1<<63 || u >= n.forward && u != from {
				continue
			}
			for _, a := range n.arcs[n.first[u]:n.first[u+1]] {
				if key := keys[u] + n.weights[a.weight].key; key < keys[a.to] {
					keys[a.to], again = key, true
				}
			}
		}
	}
	return keys
}

// searchesAgree compares searches from several sources at a time with plain ones.
func searchesAgree(t interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}, g topology.Graph, m Model, l Links,
) *Result {
	csr := topology.NewCSR(g)
	n, err := newNetwork(g.Kinds(), csr, m, l, false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := n.measure(context.Background(), csr.Vertices(), bySource{}, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := plainly(n)
	means := cmpopts.IgnoreFields(Result{}, "AverageMean", "AverageMax")
	if d := cmp.Diff(want, got, means); d != "" {
		t.Fatalf("one by one (-), together (+):\n%s", d)
	}
	if d := cmp.Diff(want, got, close9); d != "" {
		t.Fatalf("one by one (-), together (+):\n%s", d)
	}
	return got
}

// Trees of several ranks, with several links between parts, and with nodes that have several links.
var treed = []topology.Params{
	topology.KAryNTree{Down: 2, Levels: 5},
	topology.KAryNTree{Down: 3, Levels: 3},
	topology.KAryNTree{Down: 4, Levels: 3},
	topology.KAryNTree{Down: 24, Levels: 2},
	topology.ThinTree{Down: 3, Up: 2, Levels: 4},
	topology.ThinTree{Down: 5, Up: 1, Levels: 3},
	topology.FatTree{Nodes: 128, Radix: 8, Tiers: 3},
	topology.FatTree{Nodes: 16, Radix: 8, Tiers: 2, Rails: 2},
	topology.FatTree{Nodes: 48, Radix: 8, Tiers: 3, Rails: 2},
	topology.FoldedClos{Nodes: 54, Radix: 6},
}

// drawnTree is a tree of parts of several sizes: to each of them, as many links lead from every switch above it. It
// returns the vertices at its top.
func drawnTree(g *listed, rng *rand.Rand, rank int, role topology.Role) []int {
	if rank == 0 {
		g.kind(role, 1)
		return []int{topology.Vertices(g) - 1}
	}
	var below [][]int
	for range 1 + rng.IntN(4) {
		below = append(below, drawnTree(g, rng, rank-1, role))
	}
	g.kind(topology.Switch, 1+rng.IntN(5))
	n := topology.Vertices(g)
	var top []int
	for v := n - g.kinds[len(g.kinds)-1].Count; v < n; v++ {
		top = append(top, v)
	}
	for _, child := range below {
		degree := min(len(child), (len(child)-1)/len(top)+1+rng.IntN(2)) // every one of the child has a link up
		turn := 0
		for _, v := range top {
			for range degree {
				g.link(child[turn%len(child)], v, 0)
				turn++
			}
		}
	}
	return top
}

// cliqued is a graph of cliques that share vertices, some of whose links are missing or doubled, and of single links.
func cliqued(rng *rand.Rand) *listed {
	switches := 4 + rng.IntN(30)
	g := new(listed)
	if rng.IntN(2) == 0 {
		g.kind(topology.Node, switches)
	} else {
		g.kind(topology.Switch, switches)
	}
	terminals := rng.IntN(10)
	g.kind(topology.Terminal, terminals)
	seen := map[[3]int]bool{}
	join := func(a, b, level int) {
		link := [3]int{min(a, b), max(a, b), level}
		if a != b && !seen[link] {
			seen[link] = true
			g.link(a, b, level)
		}
	}
	missing := []float64{0, 0, 0.02, 0.2}[rng.IntN(4)]
	for range 1 + rng.IntN(8) {
		members := rng.Perm(switches)[:min(switches, 3+rng.IntN(8))]
		for i, a := range members {
			for _, b := range members[:i] {
				if rng.Float64() >= missing {
					join(a, b, 0)
				}
				if rng.IntN(20) == 0 {
					join(a, b, 1)
				}
			}
		}
	}
	for range rng.IntN(switches) {
		join(rng.IntN(switches), rng.IntN(switches), 2)
	}
	for t := range terminals {
		for range 1 + rng.IntN(3) {
			join(switches+t, rng.IntN(switches), 0)
		}
	}
	return g
}

// Hops that cost little make many detours, and lengths at random break the triangles of cliques.
func TestSearchesTogetherEqualPlainOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		var g *listed
		switch rng.IntN(3) {
		case 0:
			g = cliqued(rng)
		case 1:
			g = randomGraph(rng)
		default:
			g = new(listed)
			drawnTree(g, rng, 1+rng.IntN(4), []topology.Role{topology.Node, topology.Terminal}[rng.IntN(2)])
			for range rng.IntN(60) * rng.IntN(2) { // nodes at some of the leaves, each with a cable of its own
				g.kind(topology.Terminal, 1)
				leaf := rng.IntN(topology.Vertices(g) - 1)
				if g.kinds[topology.KindOf(g.kinds, leaf)].Role != topology.Terminal {
					g.link(leaf, topology.Vertices(g)-1, 0)
				}
			}
		}
		hop := units.Time([]float64{0, 2, 20, 200}[rng.IntN(4)])
		searchesAgree(t, g, exactModel(g, hop, hop+1), lengths(g, rng, 1+rng.IntN(100)))
	})
}

func TestSearchesTogetherEqualPlainOnesOnFamilies(t *testing.T) {
	larger := []topology.Params{
		topology.HyperX{Dims: topology.Ints{4, 5, 6}, Terminals: 1},
		topology.HyperX{Dims: topology.Ints{5, 4}, Widths: topology.Ints{3, 2}, Terminals: 3},
		topology.FlattenedButterfly{Dims: topology.Ints{6, 6}, Terminals: 2},
		topology.Dragonfly{P: 2, A: 8, H: 2},
		topology.Dragonfly{P: 2, A: 6, H: 3, Groups: 7},
		topology.Dragonfly{P: 1, A: 5, H: 4, Groups: 4, LinksPerPair: 5},
		topology.CLEX{Clique: 6, Levels: 3},
		topology.SlimFly{Q: 5, Terminals: 2},
		topology.PolarFly{Q: 5, Terminals: 1},
	}
	for _, order := range []string{"absolute", "relative", "circulant"} {
		larger = append(larger,
			clusters.CrayDragonfly{Dims: topology.Ints{4, 5}, H: 2, Terminals: 2, Groups: 9, Arrangement: order})
	}
	for i, spec := range append(append(larger, treed...), smallDuplex(t)...) {
		g, err := topology.New(spec)
		if err != nil {
			t.Fatalf("%v: %v", spec, err)
		}
		if topology.Vertices(g) > 600 && testing.Short() {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		_, l := scattered(g, rng)
		for _, hop := range []units.Time{1, 300} {
			searchesAgree(t, g, exactModel(g, hop, hop+1), l)
		}
	}
}

// Leaves in a row of their own, to which every node has a cable of another length: nothing is kept for a pair of
// leaves, and all pairs of nodes are counted in the bins that each has.
func TestLeavesApart(t *testing.T) {
	g, err := topology.New(topology.FatTree{Nodes: 1024, Radix: 32, Tiers: 3})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	m, l := exactModel(g, 0, 112), lengths(g, rng, 4000)
	searchesAgree(t, g, m, l)
	csr := topology.NewCSR(g)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Paths(context.Background(), g, csr, m, l, Options{}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 24<<20 {
		t.Errorf("%d bytes were taken for 1024 nodes", taken)
	}
}

// The torus that packets see through circuit switches goes row by row where it is not twisted, and equals searches.
func TestTorusThroughCircuits(t *testing.T) {
	for _, x := range []struct {
		params clusters.OCSTorus
		rows   bool
	}{
		{clusters.OCSTorus{Dims: topology.Ints{8, 4, 4}, Side: 4}, true},
		{clusters.OCSTorus{Dims: topology.Ints{8, 4, 4}, Side: 4, Twist: true}, false},
	} {
		made, err := topology.New(x.params)
		if err != nil {
			t.Fatal(err)
		}
		g := made.(topology.Optical).Logical()
		m, l := exactModel(g, 3, 0), lengths(g, rand.New(rand.NewPCG(3, 8)), 30)
		csr := topology.NewCSR(g)
		n, err := newNetwork(g.Kinds(), csr, m, l, false)
		if err != nil {
			t.Fatal(err)
		}
		by := n.methodFor(g)
		if _, rows := by.(*lattice); rows != x.rows {
			t.Errorf("%v goes by %T", x.params, by)
		}
		got, err := n.measure(context.Background(), csr.Vertices(), by, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(plainly(n), got, close9); d != "" {
			t.Errorf("%v: one by one (-), measured (+):\n%s", x.params, d)
		}
	}
}

// A search by itself, from any number of sources at a time, finds the same.
func TestLanesLeaveNoTrace(t *testing.T) {
	g := torus(5, 4, 3)
	m, l := model(g), lengths(g, rand.New(rand.NewPCG(3, 8)), 100)
	m.Hop[0] = 2
	n, err := newNetwork(g.Kinds(), topology.NewCSR(g), m, l, false)
	if err != nil {
		t.Fatal(err)
	}
	var first *Result
	for _, lanes := range []int{1, 3, 59, 60, 64} {
		groups := n.groupUp(n.everyEnd())
		got, err := n.searchAll(context.Background(), n.everyEnd(), groups, lanes, nil, nil, counted(bySource{}.worker))
		if err != nil {
			t.Fatal(err)
		}
		r := got.result()
		got.release()
		if first == nil {
			first = r
		}
		if d := cmp.Diff(first, r); d != "" {
			t.Errorf("one at a time (-), %d at a time (+):\n%s", lanes, d)
		}
	}
}

// Nodes have links of one length, as in racks.
func BenchmarkTree(b *testing.B) {
	g, err := topology.New(topology.KAryNTree{Down: 16, Levels: 4})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var l Links
	for link := range g.Links() {
		length := units.Length(2)
		if link.Level > 0 {
			length += units.Length(rng.IntN(400)) / 10
		}
		l.Add(length, 1)
	}
	m, c := exactModel(g, 0, 112), topology.NewCSR(g)
	for b.Loop() {
		if _, err := Paths(context.Background(), g, c, m, l, Options{Limit: 1 << 20}); err != nil {
			b.Fatal(err)
		}
	}
}
