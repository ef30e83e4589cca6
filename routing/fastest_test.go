package routing

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
)

// drawnDelays are delays of links, of up to four lengths, and of kinds of vertices, some of them nothing.
func drawnDelays(t *rapid.T, n *Network) func(link, vertex int32) float64 {
	lengths := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 5, 17.25, 40, 333.5}), 1, 4).Draw(t, "lengths")
	links := int(topology.Count(n.Graph).Links)
	which := rapid.SliceOfN(rapid.IntRange(0, len(lengths)-1), links, links).Draw(t, "of links")
	kinds := n.Graph.Kinds()
	hops := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 10, 100, 500}), len(kinds), len(kinds)).Draw(t, "hops")
	return func(link, vertex int32) float64 {
		return lengths[which[link]] + hops[topology.KindOf(kinds, int(vertex))]
	}
}

// relaxed is the least delay and the fewest hops from every router to one, by Bellman and Ford, and the least delay
// over the fewest hops.
func relaxed(n *Network, dst int32, delay func(link, vertex int32) float64) (least, hops, minimal []float64) {
	add := func(better func(c, from, to int32) bool) {
		for changed := true; changed; {
			changed = false
			for c, to := range n.To {
				if n.Works(int32(c)) && (to == dst || n.Ends == nil || !n.Ends[to]) && better(int32(c), n.From[c], to) {
					changed = true
				}
			}
		}
	}
	far := slices.Repeat([]float64{math.Inf(1)}, n.Routers())
	least, hops, minimal = slices.Clone(far), slices.Clone(far), far
	least[dst], hops[dst], minimal[dst] = 0, 0, 0
	lower := func(v *float64, by float64) bool {
		if by < *v {
			*v = by
			return true
		}
		return false
	}
	over := func(c int32) float64 { return delay(n.Link[c], n.Vertex[n.To[c]]) }
	add(func(c, from, to int32) bool { return lower(&least[from], least[to]+over(c)) })
	add(func(_, from, to int32) bool { return lower(&hops[from], hops[to]+1) })
	add(func(c, from, to int32) bool {
		return hops[from] == hops[to]+1 && lower(&minimal[from], minimal[to]+over(c))
	})
	return least, hops, minimal
}

// fastest takes paths of the least delay, and fastest-minimal of the fewest hops, on every family and with failures, by
// what Bellman and Ford find; no channels wait for each other.
func TestFastestAgainstRelaxation(t *testing.T) {
	names := slices.Sorted(maps.Keys(small))
	rapid.Check(t, func(t *rapid.T) {
		g, err := topology.New(small[rapid.SampledFrom(names).Draw(t, "network")])
		if err != nil {
			t.Fatal(err)
		}
		n, err := NewNetwork(g)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "failures") {
			links := int32(topology.Count(n.Graph).Links)
			n = n.Fail(rapid.SliceOfN(rapid.Int32Range(0, links-1), 1, 3).Draw(t, "failed"), nil)
		}
		delay := drawnDelays(t, n)
		all, err := New(n, "fastest", Options{Delay: delay})
		if err != nil {
			t.Fatal(err)
		}
		few, err := New(n, "fastest-minimal", Options{Delay: delay})
		if err != nil {
			t.Fatal(err)
		}
		ends := homes(n)
		dst := rapid.SampledFrom(ends).Draw(t, "to")
		least, hops, minimal := relaxed(n, dst, delay)
		for _, src := range ends {
			for _, f := range []Function{all, few} {
				path, err := Path(n, f, src, dst, 1, nil)
				if math.IsInf(hops[src], 1) {
					if err == nil {
						t.Fatalf("%s: a path from %s to %s, where there is none", f.Name(), n.Label(src), n.Label(dst))
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				sum := 0.0
				for _, c := range path {
					sum += delay(n.Link[c], n.Vertex[n.To[c]])
				}
				if f == all && sum != least[src] ||
					f == few && (sum != minimal[src] || float64(len(path)) != hops[src]) {
					t.Fatalf("%s: %g over %d hops from %s to %s; %g suffices, %g over the fewest hops, %g",
						f.Name(), sum, len(path), n.Label(src), n.Label(dst), least[src], minimal[src], hops[src])
				}
			}
		}
		for _, f := range []Function{all, few} {
			reaches := func(src, dst int32) bool {
				_, err := Path(n, f, src, dst, 1, nil)
				return err == nil
			}
			if _, err := Follow(n, f, math.MaxInt, reaches); err != nil {
				t.Fatalf("%s: %v", f.Name(), err)
			}
		}
	})
}

// Of paths that are as fast, the pair decides: not all take the first.
func TestFastestSpreadsTies(t *testing.T) {
	n := network(t, small["fatTree"])
	f, err := New(n, "fastest-minimal", Options{})
	if err != nil {
		t.Fatal(err)
	}
	used := map[int32]bool{}
	ends := homes(n)
	for _, src := range ends {
		for _, dst := range ends {
			path, err := Path(n, f, src, dst, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range path {
				used[c] = true
			}
		}
	}
	if routers, channels := n.Routers(), n.Channels(); len(used) < channels*3/4 {
		t.Errorf("%d of %d channels between %d routers are used", len(used), channels, routers)
	}
	if c := f.Classes(); c != 1 {
		t.Errorf("%d classes in a tree", c)
	}
}

func TestDelaysOutOfRange(t *testing.T) {
	n := network(t, small["torus"])
	for _, d := range []float64{-1, math.NaN(), math.Inf(1), 1e300} {
		_, err := New(n, "fastest", Options{Delay: func(_, _ int32) float64 { return d }})
		if err == nil || !strings.Contains(err.Error(), "a delay of") {
			t.Errorf("%g: %v", d, err)
		}
	}
}
