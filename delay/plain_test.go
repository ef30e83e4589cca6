package delay

import (
	"cmp"
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// sameFigures tells how two results differ: no figure may but those of mean delays, which are rounded pair by pair.
func sameFigures(want, got *Result) string {
	means := cmpopts.IgnoreFields(Result{}, "AverageMean", "AverageStdErr", "AverageMax")
	return cmp.Or(gocmp.Diff(want, got, means), gocmp.Diff(want, got, close9))
}

// comparePlainly compares the method that a graph goes by with plain searches.
func comparePlainly(t interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}, g topology.Graph, m Model, l Links,
) *Result {
	csr := topology.NewCSR(g)
	n, err := newNetwork(g.Kinds(), csr, m, l, false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := n.measure(context.Background(), csr.Vertices(), n.methodFor(g), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := sameFigures(plainly(n), got); d != "" {
		t.Fatalf("one by one (-), measured (+):\n%s", d)
	}
	return got
}

// Every method equals plain searches, one source and one pair of ends at a time.
func TestMethodsEqualPlainSearches(t *testing.T) {
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
			comparePlainly(t, g, exactModel(g, hop, hop+1), l)
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
	comparePlainly(t, g, m, l)
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
		if d := gocmp.Diff(plainly(n), got, close9); d != "" {
			t.Errorf("%v: one by one (-), measured (+):\n%s", x.params, d)
		}
	}
}
