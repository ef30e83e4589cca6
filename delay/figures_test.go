package delay

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// exact is a number as a fraction, so that nothing is rounded.
func exact(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// roundedUp is the smallest whole number that is not below a fraction, which is not negative.
func roundedUp(x *big.Rat) int64 {
	n := new(big.Int).Add(x.Num(), new(big.Int).Sub(x.Denom(), big.NewInt(1)))
	return n.Div(n, x.Denom()).Int64()
}

// TestCyclesAreRoundedAsSaid computes cycles of drawn machines in fractions: of a kind of vertex the whole cycles of
// its hop delay, of a link those of its wire and of half of what the hop delays at both ends have beyond whole cycles,
// rounded up, at least one. All numbers are eighths or the like, so that those of the package are exact, too.
func TestCyclesAreRoundedAsSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8)))
		eighths := func(name string, most int) float64 { return float64(rapid.IntRange(0, most).Draw(t, name)) / 8 }
		m := Model{Media: []Medium{
			{"copper", units.Propagation(eighths("copper", 80)), 0},
			{"optic", units.Propagation(eighths("optic", 80)), units.Time(eighths("end", 80))},
		}}
		for range g.Kinds() {
			m.Hop = append(m.Hop, units.Time(eighths("hop", 2000)))
		}
		clock := units.Frequency(rapid.IntRange(1, 24).Draw(t, "clock")) / 8
		var l Links
		for range g.links {
			l.Add(units.Length(eighths("length", 400)), uint8(rapid.IntRange(0, 1).Draw(t, "medium")))
		}
		cycles := func(time *big.Rat) *big.Rat { return new(big.Rat).Mul(time, exact(float64(clock))) }
		c := m.Cycles(g, l, clock)
		rest := make([]*big.Rat, len(m.Hop))
		pipeline := int64(0)
		for i, hop := range m.Hop {
			all := cycles(exact(float64(hop)))
			whole := new(big.Int).Div(all.Num(), all.Denom()).Int64()
			rest[i] = new(big.Rat).Sub(all, new(big.Rat).SetInt64(whole))
			if int64(c.Vertex[i]) != whole {
				t.Fatalf("kind %d takes %d cycles, want %d", i, c.Vertex[i], whole)
			}
			if k := g.kinds[i]; k.Count > 0 && k.Role != topology.Terminal {
				pipeline = max(pipeline, whole)
			}
		}
		if int64(c.Pipeline) != pipeline || len(c.Link) != len(g.links) {
			t.Fatalf("a pipeline of %d, want %d; %d links", c.Pipeline, pipeline, len(c.Link))
		}
		for i, link := range g.links {
			length, medium := l.At(i)
			x := m.Media[medium]
			wire := new(big.Rat).Mul(exact(float64(x.Propagation)), exact(float64(length)))
			wire.Add(wire, exact(2*float64(x.End)))
			a, b := topology.KindOf(g.kinds, int(link.A)), topology.KindOf(g.kinds, int(link.B))
			ends := new(big.Rat).Add(rest[a], rest[b])
			sum := cycles(wire)
			sum.Add(sum, ends.Mul(ends, big.NewRat(1, 2)))
			if want := max(roundedUp(sum), 1); int64(c.Link[i]) != want {
				t.Fatalf("link %d takes %d cycles, want %d (%v)", i, c.Link[i], want, sum)
			}
		}
	})
}

// TestCyclesOfOne computes cycles by hand: at 1.5 GHz a hop of 90.5 ns takes 135.75 cycles, 135 of them whole. 4 m at
// 5 ns/m and two ends of 2.5 ns take 25 ns, 37.5 cycles; with 2 * 0.75 / 2 cycles that is 38.25, so 39.
func TestCyclesOfOne(t *testing.T) {
	g := new(listed).kind(topology.Switch, 2).kind(topology.Terminal, 0)
	g.link(0, 1, 0)
	var l Links
	l.Add(4, 0)
	m := Model{Media: []Medium{{"optic", 5, 2.5}}, Hop: []units.Time{90.5, 1e6}}
	c := m.Cycles(g, l, 1.5)
	if c.Link[0] != 39 || c.Vertex[0] != 135 || c.Pipeline != 135 {
		t.Errorf("%+v", c)
	}
	// What is too long is bounded, and a clock that does not fit is refused.
	m.Media[0].Propagation, m.Hop[0] = 1e9, 1e9
	if c = m.Cycles(g, l, 1000); c.Link[0] != mostLinkCycles || c.Vertex[0] != mostRouterCycles {
		t.Errorf("%+v", c)
	}
	for clock, want := range map[units.Frequency]bool{
		0: false, -1: false, 1e-9: true, mostClock: true, mostClock * 1.001: false, units.Frequency(math.NaN()): false,
	} {
		if err := CheckClock(clock); (err == nil) != want {
			t.Errorf("%v: %v", clock, err)
		}
	}
}

// TestRecorderCountsByLevel holds what is recorded against sums channel by channel: of a link with several channels the
// first is kept, each channel counts, and levels may have hop delays of their own.
func TestRecorderCountsByLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
		g := randomGraph(rng)
		m := model(g)
		r := NewRecorder(g, m.Hop, 3)
		if r.Keep = rapid.Bool().Draw(t, "keep"); rapid.Bool().Draw(t, "hops of levels") {
			for range g.Levels() {
				r.HopOf = append(r.HopOf, []units.Time{units.Time(rng.IntN(99)), units.Time(rng.IntN(99)), 7})
			}
		}
		numbers := []uint8{r.Medium(m.Media[0]), r.Medium(m.Media[1]), r.Medium(m.Media[0])}
		if !slices.Equal(numbers, []uint8{0, 1, 0}) {
			t.Fatal(numbers)
		}
		type sums struct {
			count     int64
			sum, most float64
		}
		level, within := make([]sums, len(g.Levels())), make([]sums, 3)
		kept := 0
		for i, link := range g.links {
			for channel := range 1 + rng.IntN(3) {
				c := Channel{
					Link: int32(i), A: link.A, B: link.B, Level: uint8(link.Level), Within: uint8(rng.IntN(3)),
					Length: units.Length(rng.IntN(80)) / 8, Medium: uint8(rng.IntN(2)),
				}
				r.Add(&c)
				hop := m.Hop
				if r.HopOf != nil {
					hop = r.HopOf[link.Level]
				}
				x := m.Media[c.Medium]
				d := float64(x.Propagation)*float64(c.Length) + float64(x.End) + float64(x.End)
				for _, v := range []int32{c.A, c.B} {
					d += float64(hop[topology.KindOf(g.kinds, int(v))]) / 2
				}
				for _, s := range []*sums{&level[c.Level], &within[c.Within]} {
					s.count, s.sum, s.most = s.count+1, s.sum+d, max(s.most, d)
				}
				if channel == 0 && r.Keep {
					if length, medium := r.Links.At(kept); length != c.Length || medium != int(c.Medium) {
						t.Fatalf("link %d is kept as %v m of %d", kept, length, medium)
					}
					kept++
				}
			}
		}
		if r.Links.Count() != kept || r.Err() != nil {
			t.Fatalf("%d links of %d, %v", r.Links.Count(), kept, r.Err())
		}
		for _, of := range []struct {
			got  []Class
			want []sums
		}{{r.Level, level}, {r.Within, within}} {
			for i, s := range of.want {
				c := &of.got[i]
				if c.Channels != s.count || !near(float64(c.MaxDelay), s.most) ||
					!near(float64(c.MeanDelay())*float64(max(s.count, 1)), s.sum) {
					t.Fatalf("%d: %d channels, mean %v, most %v; want %+v", i, c.Channels, c.MeanDelay(), c.MaxDelay, s)
				}
			}
		}
	})
	r := NewRecorder(torus(2), nil, 1)
	for i := range 257 {
		if r.Medium(Medium{Name: fmt.Sprint(i)}); (r.Err() == nil) != (i < 256) {
			t.Fatalf("%d media: %v", i+1, r.Err())
		}
	}
}

// TestTypicalIsTheMean computes the mean hop delay of entering a router, and the mean propagation delay of a metre, end
// by end and link by link.
func TestTypicalIsTheMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 10))
		g := randomGraph(rng)
		m, l := model(g), lengths(g, rng, 9)
		var hops, entered, wire, metres float64
		for i, link := range g.links {
			for _, v := range []int32{link.A, link.B} {
				if k := topology.KindOf(g.kinds, int(v)); g.kinds[k].Role != topology.Terminal {
					hops, entered = hops+float64(m.Hop[k]), entered+1
				}
			}
			wire += float64(m.Media[l.medium[i]].Propagation) * float64(l.length[i])
			metres += float64(l.length[i])
		}
		alpha, beta := m.Typical(g, l)
		if !near(float64(alpha)*entered, hops) || !near(float64(beta)*metres, wire) {
			t.Fatalf("%v and %v; want %v of %v and %v of %v", alpha, beta, hops, entered, wire, metres)
		}
	})
}

// TestTraversingCountsRouters: between nodes that are routers a path of h links has h + 1 routers, between terminals
// h - 1; where both inject, the mean is by their shares and the most that of nodes.
func TestTraversingCountsRouters(t *testing.T) {
	r := Reach{HopsMean: 3.25, HopsMax: 6, PathMean: 10, PathMax: 20}
	kinds := func(nodes, terminals int) []topology.Kind {
		return new(listed).kind(topology.Node, nodes).kind(topology.Switch, 5).kind(topology.Terminal, terminals).kinds
	}
	for _, c := range []struct {
		nodes, terminals int
		mean, most       float64
	}{{4, 0, 4.25, 7}, {0, 4, 2.25, 5}, {1, 3, 2.75, 7}, {0, 0, 3.25, 6}} {
		got := r.WithTraversedRouters(kinds(c.nodes, c.terminals))
		if want := (Reach{c.mean, c.most, 10, 20}); got != want {
			t.Errorf("%d nodes, %d terminals: %+v, want %+v", c.nodes, c.terminals, got, want)
		}
	}
	if got := (&Result{HopsMean: 1, HopsMax: 2, PathMean: 3, PathMax: 4}).Reach(); got != (Reach{1, 2, 3, 4}) {
		t.Errorf("%+v", got)
	}
	// 3.25 * 100 + 10 * 5 and 6 * 100 + 20 * 5.
	if mean, most := r.D(100, 5); mean != 375 || most != 700 {
		t.Errorf("%v, %v", mean, most)
	}
}

// TestCrossings compares pairs of machines. The first has 2 hops and 30 m, the second 5 hops and 12 m: 2 a + 30 b is
// 5 a + 12 b where a / b is 6 m. At most it is 3 and 40, 7 and 20: 5 m.
func TestCrossings(t *testing.T) {
	few := &Reach{HopsMean: 2, HopsMax: 3, PathMean: 30, PathMax: 40}
	near := &Reach{HopsMean: 5, HopsMax: 7, PathMean: 12, PathMax: 20}
	worse := &Reach{HopsMean: 6, HopsMax: 8, PathMean: 31, PathMax: 41}
	got := Crossings([]*Reach{few, nil, near, worse})
	var text []string
	for _, c := range got {
		text = append(text, fmt.Sprint(c.A, c.B, c.Mean, c.Max, c.MoreHops))
	}
	want := []string{
		"0 2 {6 m true} {5 m true} 2", "0 3 {NaN m false} {NaN m false} 3", "2 3 {NaN m false} {NaN m false} 3",
	}
	if !slices.Equal(text, want) {
		t.Errorf("%q", text)
	}
	if got := Crossings([]*Reach{near, few}); len(got) != 1 || got[0].MoreHops != 0 {
		t.Errorf("%+v", got)
	}
}
