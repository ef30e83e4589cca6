package delay

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func flooded(t *testing.T, spec topology.Params, opt FloodOptions) *Flood {
	t.Helper()
	g, err := topology.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	f, err := MeasureFlood(context.Background(), g, opt)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Lenzen and Wattenhofer, section II-C: dimension by dimension, the torus is
// bandwidth-optimal up to factor three. Every message crosses n1 - 1 links of
// the first dimension, n1 (n2 - 1) of the second and n1 n2 (n3 - 1) of the third,
// of which a node has two each way.
func TestTorusFloodsWithinThree(t *testing.T) {
	for _, k := range []int{3, 4, 6, 8, 9} {
		f := flooded(t, topology.Torus{Dims: topology.Ints{k, k, k}}, FloodOptions{})
		n := float64(k * k * k)
		for d, l := range f.Levels {
			if want := math.Pow(float64(k), float64(d)) * float64(k-1) / 2; !near(l.Mean, want) ||
				float64(l.Max) < want || float64(l.Max) > want+math.Pow(float64(k), float64(d)) {
				t.Errorf("side %d, dimension %d: loads %g and %d; want %g", k, d+1, l.Mean, l.Max, want)
			}
		}
		if want := 6 * math.Ceil(float64(k*k*(k-1))/2) / (n - 1); f.FactorUniform > 3 || f.FactorUniform < want-1e-9 {
			t.Errorf("side %d: factor %g; want %g at least, 3 at most", k, f.FactorUniform, want)
		}
		if f.HopsMax != 3*(k/2) {
			t.Errorf("side %d: %d hops", k, f.HopsMax)
		}
	}
}

// The same section: in CLEX, with low levels preferred, level 1 has most of the load
// (up to three levels; at four it has half of it), about within the number of levels if
// all links have the same bandwidth (loops and edges into the own clique, which the
// paper counts, carry nothing here), and within two if every level has the bandwidth
// that its load asks for. The bundled form is within two as well then; its upper levels
// have the capacity of a clique's links, most of which flooding does not use.
func TestCLEXFloodsWithinTwo(t *testing.T) {
	for _, s := range []topology.CLEX{
		{Clique: 8, Levels: 2},
		{Clique: 16, Levels: 2},
		{Clique: 6, Levels: 3},
		{Clique: 8, Levels: 3},
		{Clique: 8, Levels: 2, Bundled: true},
		{Clique: 8, Levels: 3, Bundled: true},
	} {
		f := flooded(t, s, FloodOptions{})
		if !s.Bundled && f.HopsMax != s.Levels {
			t.Errorf("%v: %d hops", s, f.HopsMax)
		}
		if s.Levels == 3 && f.Levels[0].Share < 0.5 {
			t.Errorf("%v: level 1 has %.3f of the load", s, f.Levels[0].Share)
		}
		if !s.Bundled && f.FactorUniform > 1.25*float64(s.Levels) || f.FactorByLoad > 2.2 || f.FactorByLoad < 1 {
			t.Errorf("%v: factors %g, %g by load", s, f.FactorUniform, f.FactorByLoad)
		}
		var shares []float64
		for _, l := range f.Levels {
			shares = append(shares, 7*l.Share)
		}
		if same := flooded(t, s, FloodOptions{Shares: shares}); !near(same.Factor, f.FactorByLoad) {
			t.Errorf("%v: factor %g for shares by load, %g", s, same.Factor, f.FactorByLoad)
		}
	}
}

// Section III-A: bandwidth by the hops of point-to-point messages on each level
// serves all-to-all of three levels within two as well, where cliques are not small.
func TestCLEXFloodsWithinTwoByTheHopsOfMessages(t *testing.T) {
	for _, s := range []topology.CLEX{
		{Clique: 12, Levels: 3},
		{Clique: 12, Levels: 3, Bundled: true},
		{Clique: 8, Levels: 3, Bundled: true},
	} {
		if f := flooded(t, s, FloodOptions{Shares: []float64{5.3, 2, 1}}); f.Factor > 2 || f.Factor < 1 {
			t.Errorf("%v: factor %g", s, f.Factor)
		}
	}
}

// TestCLEXOf16Floods: in C(3) of 16, 78.6 % of the links of the trees are of level 1.
// With bandwidth by the hops of messages the busiest level takes 1.31 times the least
// time if its channels share its load evenly, the busiest channel 1.49 times.
func TestCLEXOf16Floods(t *testing.T) {
	if os.Getenv("PLENUM_LONG") != "1" {
		t.Skip("4,096 trees over 188,160 channels; set PLENUM_LONG=1")
	}
	hops := []float64{5.29, 2, 1}
	f := flooded(t, topology.CLEX{Clique: 16, Levels: 3}, FloodOptions{Shares: hops})
	even := 0.0
	for i, l := range f.Levels {
		even = max(even, l.Share*(hops[0]+hops[1]+hops[2])/hops[i])
	}
	if math.Abs(f.Levels[0].Share-0.786) > 0.001 || math.Abs(even-1.31) > 0.01 || math.Abs(f.Factor-1.485) > 0.01 {
		t.Errorf("level 1 has %.4f of the load, factor %.3f, of even loads %.3f", f.Levels[0].Share, f.Factor, even)
	}
}

// Every path of the trees is in the delays, none of them beats the fastest path
// or passes the bound, and their hops are the fewest.
func TestFloodDelays(t *testing.T) {
	for i, spec := range []topology.Params{
		topology.Torus{Dims: topology.Ints{4, 5}},
		topology.CLEX{Clique: 4, Levels: 3, Bundled: true},
		topology.Hypercube{Dims: topology.Ints{5}},
		topology.CLEX{Clique: 6, Levels: 1},
		topology.Torus{Dims: topology.Ints{1}},
	} {
		g, err := topology.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		m := exactModel(g, 96, 112)
		_, l := scattered(g, rand.New(rand.NewPCG(uint64(i), 5)))
		f := flooded(t, spec, FloodOptions{Model: m, Links: l})
		r := measured(t, g, m, l, Options{})
		if f.HopsMax != r.HopsMax || !near(f.HopsMean, r.HopsMean) ||
			float64(f.DelayMean) < float64(r.LeastMean)-1e-6 || f.DelayMax < r.LeastMax-1e-6 {
			t.Errorf("%v: %+v; the shortest paths have %g hops, %d most, %v mean, %v most", spec, f, r.HopsMean,
				r.HopsMax, r.LeastMean, r.LeastMax)
		}
		if known := spec.Family() == "torus" && f.HopsMax > 0; known != (f.BoundMax > 0) {
			t.Errorf("%v: bound %v", spec, f.BoundMax)
		}
		if f.BoundMax > 0 && f.DelayMax > f.BoundMax+units.Time(1e-6) {
			t.Errorf("%v: delays of %v pass the bound %v", spec, f.DelayMax, f.BoundMax)
		}
		var messages float64
		for _, level := range f.Levels {
			messages += level.Mean * float64(level.Channels)
		}
		if n := float64(topology.Vertices(g)); !near(messages, n*(n-1)) {
			t.Errorf("%v: %g crossings; a tree of every node has %g links in all", spec, messages, n*(n-1))
		}
	}
}

func TestFloodRefuses(t *testing.T) {
	for _, c := range []struct {
		spec topology.Params
		opt  FloodOptions
		want string // the fields
	}{
		{topology.HyperX{Dims: topology.Ints{3}, Terminals: 2}, FloodOptions{}, "Graph"},
		{topology.Torus{Dims: topology.Ints{4}}, FloodOptions{Shares: []float64{1, 2}}, "Shares"},
		{topology.Torus{Dims: topology.Ints{4}}, FloodOptions{Shares: []float64{0}, Prefer: 7}, "Prefer Shares[0]"},
		{topology.Torus{Dims: topology.Ints{64, 64, 64}}, FloodOptions{}, "Graph"},
	} {
		g, err := topology.New(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		_, err = MeasureFlood(context.Background(), g, c.opt)
		var got []string
		for _, e := range diag.Fields(err) {
			got = append(got, e.Path)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v, %+v: %v; want a mistake in %s", c.spec, c.opt, err, c.want)
		}
	}
}

// Each tree that is built counts in the progress; a plan that is given up ends at the next; nodes that no message
// reaches are named with their number.
func TestFloodTellsHowFarItIs(t *testing.T) {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{3, 2}})
	if err != nil {
		t.Fatal(err)
	}
	var steps []int
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt := FloodOptions{Progress: func(done, total int) {
		steps = append(steps, done)
		if total != 6 {
			t.Errorf("%d trees; want 6", total)
		}
		if done == 4 {
			cancel()
		}
	}}
	if _, err := MeasureFlood(ctx, g, opt); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancellation", err)
	}
	if want := []int{1, 2, 3, 4}; !slices.Equal(steps, want) {
		t.Errorf("progress %v; want %v", steps, want)
	}
	apart := new(listed).kind(topology.Node, 6)
	for _, l := range [][2]int{{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}} {
		apart.link(l[0], l[1], 0)
	}
	if _, err := MeasureFlood(context.Background(), apart, FloodOptions{}); err == nil ||
		!strings.Contains(err.Error(), "3 nodes are not reached from 0") {
		t.Errorf("a network in two parts: %v", err)
	}
	m, l := model(g), lengths(g, rand.New(rand.NewPCG(3, 8)), 3)
	l.length, l.medium = l.length[:4], l.medium[:4]
	if _, err := MeasureFlood(context.Background(), g, FloodOptions{Model: m, Links: l}); err == nil ||
		!strings.Contains(err.Error(), "4 lengths are too few") {
		t.Errorf("too few lengths: %v", err)
	}
}
