package traffic_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

func graph(t *testing.T, spec string) topology.Graph {
	t.Helper()
	var s topology.Spec
	if err := yaml.Unmarshal([]byte(spec), &s); err != nil {
		t.Fatal(err)
	}
	g, err := topology.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func pattern(t *testing.T, text string, g topology.Graph) traffic.Pattern {
	t.Helper()
	p, err := traffic.ParsePattern(text, g, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bit i of the destination in terms of the bits of the source, as in Dally and
// Towles 2004, table 3.1.
var bitRules = map[string]func(s func(i int) int, i, b int) int{
	"bit-complement": func(s func(int) int, i, _ int) int { return 1 - s(i) },
	"bit-reverse":    func(s func(int) int, i, b int) int { return s(b - 1 - i) },
	"bit-rotate":     func(s func(int) int, i, b int) int { return s((i + 1) % b) },
	"shuffle":        func(s func(int) int, i, b int) int { return s((i - 1 + b) % b) },
	"transpose":      func(s func(int) int, i, b int) int { return s((i + b/2) % b) },
}

func TestBitPatternsAreThoseOfDallyAndTowlesTable31(t *testing.T) {
	for name, rule := range bitRules {
		for _, nodes := range []int{4, 16, 64, 256} {
			p := pattern(t, name, graph(t, fmt.Sprintf("{family: torus, dims: [%d]}", nodes)))
			b := bits.Len(uint(nodes)) - 1
			for src := range nodes {
				want := 0
				for i := range b {
					want |= rule(func(i int) int { return src >> i & 1 }, i, b) << i
				}
				if got := p.Destination(int32(src), nil); int(got) != want {
					t.Fatalf("%s of %d nodes: %d sends to %d, expected %d", name, nodes, src, got, want)
				}
			}
		}
	}
}

func TestTransposeOfASquare(t *testing.T) {
	p := pattern(t, "transpose", graph(t, "{family: torus, dims: [5, 5]}"))
	if got := p.Destination(2+5*4, nil); got != 4+5*2 {
		t.Errorf("(2,4) sends to %d", got)
	}
}

func TestPatternsOnLattices(t *testing.T) {
	for _, c := range []struct {
		spec, pattern string
		from, to      int32
	}{
		{"{family: torus, dims: [8, 5]}", "tornado", 0, 3 + 8*2}, // ceil(8/2)-1 = 3, ceil(5/2)-1 = 2
		{"{family: torus, dims: [8, 5]}", "tornado", 7 + 8*4, 2 + 8*1},
		{"{family: torus, dims: [8, 5]}", "neighbour", 7 + 8*4, 0},
		{"{family: torus, dims: [8, 5]}", "neighbor", 0, 1 + 8},
		{"{family: torus, dims: [8, 5]}", "tornado:40", 0, 19},
		{"{family: hyperx, dims: [4, 6], terminals: 3}", "neighbour", 3*(3+4*5) + 2, 2},
		{"{family: hyperx, dims: [4, 6], terminals: 2}", "swap2", 2 * (1 + 4*1), 2 * (3 + 4*1)},
		{"{family: hyperx, dims: [4, 6], terminals: 2}", "swap2", 2*(1+4*1) + 1, 2*(1+4*4) + 1},
		{"{family: hyperx, dims: [4, 6, 8], terminals: 2}", "swap2:2,1", 0, 2 * 4 * 6 * 4},
	} {
		if got := pattern(t, c.pattern, graph(t, c.spec)).Destination(c.from, nil); got != c.to {
			t.Errorf("%s on %s: %d sends to %d, expected %d", c.pattern, c.spec, c.from, got, c.to)
		}
	}
}

func TestPermutationsArePermutations(t *testing.T) {
	for _, c := range []struct{ spec, pattern string }{
		{"{family: torus, dims: [64]}", "bit-complement"},
		{"{family: torus, dims: [7, 9]}", "bit-complement"},
		{"{family: torus, dims: [64]}", "bit-reverse"},
		{"{family: torus, dims: [64]}", "bit-rotate"},
		{"{family: torus, dims: [64]}", "shuffle"},
		{"{family: torus, dims: [9, 9]}", "transpose"},
		{"{family: torus, dims: [8, 5, 3]}", "tornado"},
		{"{family: torus, dims: [8, 5, 3]}", "neighbour"},
		{"{family: hyperx, dims: [4, 6, 8], terminals: 5}", "permutation"},
		{"{family: hyperx, dims: [4, 4], terminals: 3}", "swap2"},
		{"{family: hyperx, dims: [4, 4], terminals: 4}", "swap2"},
		{"{family: slim-fly, q: 5}", "worst-case"},
		{"{family: slim-fly, q: 7, terminals: 6}", "worst-case"},
	} {
		g := graph(t, c.spec)
		p := pattern(t, c.pattern, g)
		n := topology.Count(g).Nodes
		hit := make([]bool, n)
		for src := range n {
			dst := p.Destination(int32(src), nil)
			if dst < 0 || int(dst) >= n || hit[dst] {
				t.Fatalf("%s on %s: terminal %d sends to %d, outside or twice", c.pattern, c.spec, src, dst)
			}
			hit[dst] = true
		}
	}
}

func TestSwap2Exchanges(t *testing.T) {
	g := graph(t, "{family: hyperx, dims: [8, 8, 8], terminals: 8}")
	p := pattern(t, "swap2", g)
	for src := range int32(topology.Count(g).Nodes) {
		dst := p.Destination(src, nil)
		if back := p.Destination(dst, nil); back != src || dst == src {
			t.Fatalf("terminal %d sends to %d, which sends to %d", src, dst, back)
		}
		a, b, stride := src/8, dst/8, int32(1)
		if src%2 == 1 {
			stride = 8
		}
		if d := a - b; d != 4*stride && d != -4*stride {
			t.Fatalf("terminal %d on router %d sends to router %d", src, a, b)
		}
	}
}

func TestHotSpotShares(t *testing.T) {
	g := graph(t, "{family: torus, dims: [16]}")
	p := pattern(t, "hotspot:0.25@3,7", g)
	r := rand.New(rand.NewPCG(5, 6))
	const draws = 200000
	var count [16]int
	for range draws {
		count[p.Destination(0, r)]++
	}
	for dst, got := range count {
		want := 0.75 / 15 * draws
		switch dst {
		case 0:
			want = 0
		case 3, 7:
			want += 0.125 * draws
		}
		if math.Abs(float64(got)-want) > 5*math.Sqrt(want) {
			t.Errorf("%d messages to terminal %d, expected about %.0f", got, dst, want)
		}
	}
}

func TestDragonflyWorstCaseIsTheNextGroup(t *testing.T) {
	for _, spec := range []string{
		"{family: dragonfly, p: 2, a: 4, h: 2}",
		"{family: dragonfly-plus, p: 2, a: 3, h: 2}",
	} {
		g := graph(t, spec)
		p := pattern(t, "worst-case", g)
		n := topology.Count(g).Nodes
		nests := g.Groupings()
		group := nests[len(nests)-1]
		first := topology.Vertices(g) - n
		r := rand.New(rand.NewPCG(1, 1))
		reached := make(map[int32]bool)
		for src := range n {
			for range 20 {
				dst := p.Destination(int32(src), r)
				from, to := group.Of(first+src), group.Of(first+int(dst))
				if int(to) != (int(from)+1)%group.Count {
					t.Fatalf("%s: terminal %d of group %d sends to group %d", spec, src, from, to)
				}
				reached[dst] = true
			}
		}
		if len(reached) != n {
			t.Errorf("%s: %d of %d terminals are sent to", spec, len(reached), n)
		}
	}
}

// On most links that a path of the construction has in its middle, 2p flows of
// minimal routes meet (Besta and Hoefler 2014, section V-C). Here the flows are
// routed one by one.
func TestSlimFlyWorstLoadsLinksWithTwiceTheTerminals(t *testing.T) {
	g := graph(t, "{family: slim-fly, q: 11}")
	p := pattern(t, "worst-case", g)
	csr := topology.NewCSR(g)
	routers := g.Kinds()[0].Count
	n := topology.Count(g).Nodes
	per := n / routers
	load := make(map[[2]int32]int)
	dist := make([]int32, topology.Vertices(g))
	for src := range n {
		a, b := int32(src/per), p.Destination(int32(src), nil)/int32(per)
		topology.HopDistances(csr, int(b), dist, nil)
		var next []int32
		for _, v := range csr.Neighbours(int(a)) {
			if dist[v] == dist[a]-1 {
				next = append(next, v)
			}
		}
		if dist[a] == 2 && len(next) == 1 {
			load[[2]int32{a, next[0]}]++
			load[[2]int32{next[0], b}]++
		}
	}
	full := 0
	for link, l := range load {
		if l > 2*per {
			t.Fatalf("link %v carries %d flows with %d terminals a router", link, l, per)
		}
		if l == 2*per {
			full++
		}
	}
	// A path of four routers gives two such directed links.
	if full < routers/4 {
		t.Errorf("%d directed links carry 2p flows; %d routers could give %d", full, routers, routers/2)
	}
}

func TestParsePatternNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ spec, text, want string }{
		{"{family: torus, dims: [6]}", "unifrom", `did you mean "uniform"?`},
		{"{family: torus, dims: [6]}", "", "the name of the traffic pattern is missing"},
		{
			"{family: torus, dims: [6]}", "bit-reverse",
			"needs a power of two of terminals, not 6; 4 and 8 are the nearest",
		},
		{"{family: torus, dims: [6]}", "shuffle", "needs a power of two"},
		{"{family: torus, dims: [6]}", "bit-rotate", "needs a power of two"},
		{"{family: torus, dims: [6]}", "transpose", "needs a square number of terminals, not 6; 4 and 9"},
		{"{family: torus, dims: [6]}", "uniform:3", "takes no argument"},
		{"{family: torus, dims: [6]}", "hotspot:1.5", "a fraction from 0 to 1, not 1.5"},
		{"{family: torus, dims: [6]}", "hotspot:NaN", "a fraction from 0 to 1"},
		{"{family: torus, dims: [6]}", "hotspot@6", "no terminal 6: they count from 0 to 5"},
		{"{family: torus, dims: [6]}", "hotspot@x", `"x" is not the number of a terminal`},
		{"{family: torus, dims: [6]}", "tornado:4", "cannot be spread evenly"},
		{"{family: torus, dims: [6]}", "tornado:0x4", `"0" is not a side`},
		{"{family: torus, dims: [6]}", "tornado:99999x99999", "more than 2147483647 points"},
		{"{family: hypercube, dims: [4]}", "tornado", "every terminal sends to itself"},
		{"{family: k-ary-n-tree, down: 4, levels: 2}", "tornado", "is not a lattice"},
		{"{family: torus, dims: [6]}", "swap2", "no dimension 1"},
		{"{family: torus, dims: [4, 3]}", "swap2", "an even side in dimension 1, not 3"},
		{"{family: torus, dims: [4, 4]}", "swap2:1,1", "two different dimensions"},
		{"{family: torus, dims: [4, 4]}", "swap2:1", "not a pair of dimensions"},
		{"{family: torus, dims: [2, 2]}", "swap2", "which sends to"},
		{"{family: torus, dims: [4, 4]}", "worst-case", "not for torus"},
		{"{family: torus, dims: [4, 4]}", "next-group", "torus has no groups"},
		{"{family: torus, dims: [4, 4]}", "permutation:x", "is not a seed"},
	} {
		_, err := traffic.ParsePattern(c.text, graph(t, c.spec), 1)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q on %s: error %v, expected one with %q", c.text, c.spec, err, c.want)
		}
	}
}

func TestEveryListedPatternParses(t *testing.T) {
	specs := map[string]string{
		"next-group": "{family: dragonfly, p: 1, a: 2, h: 1}",
		"worst-case": "{family: slim-fly, q: 5}",
	}
	for _, info := range traffic.Patterns() {
		spec := specs[info.Name]
		if spec == "" {
			spec = "{family: torus, dims: [4, 4]}"
		}
		if !strings.HasPrefix(info.Syntax, info.Name) {
			t.Errorf("%s: syntax %q", info.Name, info.Syntax)
		}
		pattern(t, info.Name, graph(t, spec))
	}
}

func TestInjectionRates(t *testing.T) {
	for _, text := range []string{"bernoulli", "burst:1", "burst:8"} {
		for _, rate := range []float64{0.001, 0.02, 0.0625} {
			p, err := traffic.ParseInjection(text, rate, 16)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(3, 4))
			const messages = 200000
			cycles, within, sum := p.First(r), 0, 0.0
			for range messages {
				gap := p.Gap(r)
				if gap < 1 || p.Burst > 0 && gap < 16 {
					t.Fatalf("%s: gap of %d cycles", text, gap)
				}
				if gap == 16 {
					within++
				}
				cycles += gap
				sum += float64(gap) * float64(gap)
			}
			got := messages / float64(cycles)
			mean := float64(cycles) / messages
			deviation := math.Sqrt(sum/messages - mean*mean)
			if tolerance := 5 * deviation / mean / math.Sqrt(messages); math.Abs(got/rate-1) > tolerance+1e-4 {
				t.Errorf("%s: %v messages per cycle, expected %v", text, got, rate)
			}
			if p.Burst > 1 && rate < 0.05 {
				// All but one of the Burst messages follow the one before at once.
				if want := 1 - 1/p.Burst; math.Abs(float64(within)/messages-want) > 0.01 {
					t.Errorf("%s at %v: a share of %v inside bursts, expected %v", text, rate, float64(within)/messages,
						want)
				}
			}
		}
	}
}

func TestParseInjectionNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		text string
		rate float64
		want string
	}{
		{"bernouli", 0.1, `did you mean "bernoulli"?`},
		{"bernoulli:2", 0.1, "takes no argument"},
		{"burst", 0.01, "expected burst:N"},
		{"burst:0.5", 0.01, "expected burst:N"},
		{"burst:NaN", 0.01, "expected burst:N"},
		{"burst:4", 0.1, "cannot reach 0.1 messages per cycle"},
		{"bernoulli", 0, "above 0"},
		{"bernoulli", math.NaN(), "above 0"},
	} {
		_, err := traffic.ParseInjection(c.text, c.rate, 16)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, expected one with %q", c.text, err, c.want)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		text string
		mean float64
		most int32
	}{
		{"16", 16, 16},
		{"8-64", 36, 64},
		{"8*0.9,64*0.1", 13.6, 64},
		{"1-3*3,10", 4, 10},
		{"2147483647", 2147483647, 2147483647},
	} {
		s, err := traffic.ParseSizes(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.Mean()-c.mean) > 1e-9 || s.Max() != c.most {
			t.Errorf("%s: mean %v and largest %d, expected %v and %d", c.text, s.Mean(), s.Max(), c.mean, c.most)
		}
		r := rand.New(rand.NewPCG(1, 2))
		sum := 0.0
		for range 100000 {
			size := s.Draw(r)
			if size < 1 || size > c.most {
				t.Fatalf("%s: drew %d", c.text, size)
			}
			sum += float64(size)
		}
		if mean := sum / 100000; math.Abs(mean/c.mean-1) > 0.02 {
			t.Errorf("%s: drew sizes of mean %v, expected %v", c.text, mean, c.mean)
		}
	}
	for _, text := range []string{"", "0", "-1", "8-4", "x", "8*0", "8*x", "8,,9", "99999999999", "8*NaN", "8*Inf"} {
		if _, err := traffic.ParseSizes(text); err == nil {
			t.Errorf("sizes %q are accepted", text)
		}
	}
}
