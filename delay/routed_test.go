package delay

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// follow is one path from terminal a to terminal b as a packet takes it: the
// its source, and links with the vertices they enter, added up.
func follow(t *testing.T, n *routing.Network, f routing.Function, m Model, l Links, a, b int, via int32) way {
	t.Helper()
	kinds := n.Graph.Kinds()
	sum := way{time: float64(m.Hop[topology.KindOf(kinds, int(n.Terminal[a]))])}
	over := func(link, to int32) {
		length, medium := l.At(int(link))
		sum.add(way{1, float64(m.Arc(length, medium, topology.KindOf(kinds, int(to)))), float64(length)}, 1)
	}
	if n.TerminalLink[a] >= 0 {
		over(n.TerminalLink[a], n.Vertex[n.Home[a]])
	}
	stops := []int32{n.Home[a], via, n.Home[b]}
	if via < 0 {
		stops = []int32{n.Home[a], n.Home[b]}
	}
	for i := range stops[1:] {
		channels, err := routing.Path(n, f, stops[i], stops[i+1], 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range channels {
			over(n.Link[c], n.Vertex[n.To[c]])
		}
	}
	if n.TerminalLink[b] >= 0 {
		over(n.TerminalLink[b], n.Terminal[b])
	}
	return sum
}

// Every family's own routing and Valiant's, terminal by terminal and
// intermediate by intermediate.
func TestRoutedEqualsFollowingEveryPacket(t *testing.T) {
	for i, spec := range smallDuplex(t) {
		g, err := topology.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(i), 8))
		m := exactModel(g, 96, 112)
		_, l := scattered(g, rng)
		n, err := routing.NewNetwork(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"", Valiant} {
			if name == Valiant && len(n.Home) > 32 {
				continue // pairs times intermediates
			}
			f, err := routing.New(n, name, routing.Options{})
			if err != nil {
				t.Fatalf("%v: %v", spec, err)
			}
			homes := len(slices.Compact(slices.Sorted(slices.Values(n.Home))))
			vias := []int32{-1}
			if leg, ok := routing.ViaAny(f); ok {
				f = leg
				vias = nil
				seen := map[int32]bool{}
				for _, r := range n.Home {
					if !seen[r] {
						seen[r] = true
						vias = append(vias, r)
					}
				}
			}
			var sum, most way
			var pairMax, pairs float64
			for a := range n.Home {
				for b := range n.Home {
					if a == b {
						continue
					}
					var mean way
					between := vias
					if n.Home[a] == n.Home[b] {
						between = []int32{-1}
					}
					for _, via := range between {
						p := follow(t, n, f, m, l, a, b, via)
						mean.add(p, 1/float64(len(between)))
						most.raise(p)
					}
					sum.add(mean, 1)
					pairMax = max(pairMax, mean.time)
					pairs++
				}
			}
			got, err := MeasureRouted(context.Background(), g, name, m, l, Options{Seed: 3})
			if err != nil {
				t.Errorf("%v, %q: %v", spec, name, err)
				continue
			}
			if !got.Exact || got.Pairs != int64(pairs) || !near(got.HopsMean, sum.hops/pairs) ||
				!near(float64(got.Mean), sum.time/pairs) ||
				!near(float64(got.PathMean), sum.length/pairs) || !near(float64(got.Max), most.time) ||
				got.HopsMax != int(most.hops) || !near(float64(got.PathMax), most.length) ||
				!near(float64(got.PairMax), pairMax) || got.Sources != homes || got.Undelivered != 0 {
				t.Errorf("%s, %s: %+v; want %g hops, %g ns, %g m, at most %+v, a pair %g ns, %g pairs",
					spec.Family(), got.Routing, got, sum.hops/pairs, sum.time/pairs, sum.length/pairs, most,
					pairMax, pairs)
			}
			least := measured(t, g, m, l, Options{})
			if got.HopsMean < least.HopsMean-1e-9 || float64(got.Mean) < float64(least.FastestMean)-1e-6 {
				t.Errorf("%s, %s: shorter or faster than the shortest and fastest paths", spec.Family(), got.Routing)
			}
		}
	}
}

func TestRoutedSample(t *testing.T) {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{8, 8}})
	if err != nil {
		t.Fatal(err)
	}
	m := exactModel(g, 96, 112)
	_, l := scattered(g, rand.New(rand.NewPCG(1, 8)))
	exact, err := MeasureRouted(context.Background(), g, "", m, l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	some, err := MeasureRouted(context.Background(), g, "", m, l, Options{Limit: 10, Sources: 16})
	if err != nil {
		t.Fatal(err)
	}
	if some.Exact || some.StdErr <= 0 || math.Abs(float64(some.Mean-exact.Mean)) > 5*float64(some.StdErr) ||
		some.Max > exact.Max {
		t.Errorf("%+v of %+v", some, exact)
	}
	for _, c := range []struct{ routing, want string }{{"tree", "does not fit"}, {"nonsense", "no routing"}} {
		if _, err := MeasureRouted(context.Background(), g, c.routing, m, l, Options{}); err == nil {
			t.Errorf("%s: no error", c.routing)
		}
	}
	if _, err := MeasureRouted(context.Background(), g, Valiant, m, l, Options{Limit: 10}); err == nil {
		t.Error("Valiant over more routers than the limit")
	}
}

// The sample means scatter about the exact mean as the standard error says, which vanishes as the sample grows to all.
func TestRoutedStandardError(t *testing.T) {
	g := graphtest.New(t, topology.Dragonfly{P: 2, A: 4, H: 2})
	m := exactModel(g, 96, 112)
	_, l := scattered(g, rand.New(rand.NewPCG(2, 8)))
	measure := func(opt Options) *Routed {
		r, err := MeasureRouted(context.Background(), g, "", m, l, opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	exact := measure(Options{})
	for _, sources := range []int{4, exact.Sources * 3 / 4} {
		var squares, variances float64
		for seed := range uint64(300) {
			r := measure(Options{Limit: 1, Sources: sources, Seed: seed})
			squares += math.Pow(float64(r.Mean-exact.Mean), 2)
			variances += math.Pow(float64(r.StdErr), 2)
		}
		if ratio := squares / variances; ratio < 0.7 || ratio > 1.4 {
			t.Errorf("%d of %d sources: the squared error is %.2f times the squared standard error", sources,
				exact.Sources, ratio)
		}
	}
}

// Between nodes of one switch alone, a packet goes up and down: from the longest link to the longest but one at most.
func TestRoutedWithinOneSwitch(t *testing.T) {
	g := graphtest.New(t, topology.HyperX{Dims: topology.Ints{1}, Terminals: 4})
	m := exactModel(g, 96, 112)
	var l Links
	for _, x := range []units.Length{1, 8, 2, 5} {
		l.Add(x, 0)
	}
	r, err := MeasureRouted(context.Background(), g, "", m, l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Nodes at 0 ns, a switch of 112 ns, copper at 4.25 ns/m.
	if r.HopsMean != 2 || r.HopsMax != 2 || r.PathMax != 13 || r.PathMean != 8 || r.Pairs != 12 ||
		!near(float64(r.Mean), 112+8*4.25) || !near(float64(r.Max), 112+13*4.25) || r.PairMax != r.Max {
		t.Errorf("%+v", r)
	}
}
