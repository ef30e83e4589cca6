package topology_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// TestMooreTable is the column "Max" of Table 1 of Li et al., MEMSYS 2016.
func TestMooreTable(t *testing.T) {
	tests := []struct {
		ports int
		max   [3]int64 // at diameters 2, 3 and 4
	}{
		{3, [3]int64{10, 22, 46}},
		{4, [3]int64{17, 53, 161}},
		{5, [3]int64{26, 106, 426}},
		{6, [3]int64{37, 187, 937}},
		{7, [3]int64{50, 302, 1814}},
		{8, [3]int64{65, 457, 3201}},
		{9, [3]int64{82, 658, 5266}},
		{10, [3]int64{101, 911, 8201}},
		{11, [3]int64{122, 1222, 12222}},
		{12, [3]int64{145, 1597, 17569}},
		{13, [3]int64{170, 2042, 24506}},
		{14, [3]int64{197, 2563, 33321}},
		{15, [3]int64{226, 3166, 44326}}, // the last is printed as 4432
		{16, [3]int64{257, 3857, 57857}},
	}
	for _, tt := range tests {
		for i, want := range tt.max {
			t.Run(fmt.Sprintf("Li et al. 2016, Table 1, %d ports, diameter %d", tt.ports, i+2), func(t *testing.T) {
				graphtest.Equal(t, "bound", measure.MooreBound(tt.ports, i+2), want)
			})
		}
	}
}

// TestLargestKnownTable holds the column "Real" against the ratios that Table 1 prints in the column "Diff", two
// digits of bound over graph, and against families of the same degree and diameter.
func TestLargestKnownTable(t *testing.T) {
	diff := [][3]float64{
		{1, 1.1, 1.2},
		{1.1, 1.3, 1.7},
		{1.1, 1.5, 2.0},
		{1.2, 1.7, 2.4},
		{1, 1.8, 2.7},
		{1.1, 1.8, 2.9},
		{1.1, 1.1, 3.4},
		{1.1, 1.4, 3.6},
		{1.2, 1.7, 3.8},
		{1.1, 2.0, 3.8},
		{1.0, 2.4, 3.7},
		{1.1, 2.8, 4.1},
		{1.2, 2.6, 3.8},
		{1.3, 2.4, 4.0},
	}
	for i, row := range diff {
		for j, want := range row {
			ratio := float64(measure.MooreBound(i+3, j+2)) / float64(measure.LargestKnown(i+3, j+2))
			if math.Abs(ratio-want) > 0.051 {
				t.Errorf("degree %d, diameter %d: bound over largest graph %.3f, printed %g", i+3, j+2, ratio, want)
			}
		}
	}
	for _, outside := range [][2]int{{2, 2}, {17, 2}, {3, 1}, {3, 5}} {
		if n := measure.LargestKnown(outside[0], outside[1]); n != 0 {
			t.Errorf("degree %d, diameter %d: %d", outside[0], outside[1], n)
		}
	}
}

// TestMooreTableReal holds the entries of the column "Real" that Plenum can build
// against the graphs.
func TestMooreTableReal(t *testing.T) {
	for _, tt := range []struct {
		spec         topology.Params
		ports, nodes int
	}{
		{topology.Moore{Graph: "petersen"}, 3, 10},
		{topology.Moore{Graph: "hoffman-singleton"}, 7, 50},
		{topology.SlimFly{Q: 9}, 13, 162},
		{topology.PolarFly{Q: 7}, 8, 57},
		{topology.PolarFly{Q: 9}, 10, 91},
		{topology.PolarFly{Q: 11}, 12, 133},
		{topology.PolarFly{Q: 13}, 14, 183},
	} {
		t.Run(fmt.Sprintf("Li et al. 2016, Table 1, %d nodes of %d ports", tt.nodes, tt.ports), func(t *testing.T) {
			checkFormulas(t, tt.spec, formulas{nodes: tt.nodes, ports: tt.ports, latency: 2, bisection: math.NaN()})
		})
	}
}

// formulas are a network's figures by the formulas of the paper.
type formulas struct {
	nodes, ports, latency int
	bisection             float64 // NaN where the formula is not exact
}

func checkFormulas(t *testing.T, s topology.Params, want formulas) topology.Graph {
	t.Helper()
	g := graphtest.New(t, s)
	k := g.Kinds()[0]
	if k.Count != want.nodes {
		t.Errorf("%+v: %d nodes, expected %d", s, k.Count, want.nodes)
	}
	if d := measure.RouterDegrees(g); d.Max != want.ports {
		t.Errorf("%+v: %d ports, expected %d", s, d.Max, want.ports)
	}
	if k.Count <= 3000 {
		if d := graphtest.Hops(t, g, measure.Routers).Diameter; d != want.latency {
			t.Errorf("%+v: diameter %d, expected %d", s, d, want.latency)
		}
	}
	if got := g.(topology.Formulas).ClosedForms().Bisection; !math.IsNaN(want.bisection) && got != want.bisection {
		t.Errorf("%+v: bisection %v, expected %v", s, got, want.bisection)
	}
	return g
}

// TestExascaleFormulas holds the formulas of section 1.1 of Li et al., MEMSYS
// 2016, against graphs of a range of sizes.
func TestExascaleFormulas(t *testing.T) {
	sides := func(dims, side int) topology.Ints {
		out := make(topology.Ints, dims)
		for d := range out {
			out[d] = side
		}
		return out
	}
	most := 1 << 17 // nodes
	if graphtest.Long() {
		most = 1 << 20
	}
	t.Run("tori of 2 to 10 dimensions", func(t *testing.T) {
		for dims := 2; dims <= 10; dims++ {
			for n := 2; pow(n, dims) <= most; n++ {
				want := formulas{pow(n, dims), 2 * dims, dims * (n / 2), float64(2 * pow(n, dims-1))}
				if n == 2 {
					want.ports, want.bisection = dims, want.bisection/2
				}
				if n%2 == 1 { // 2 n^(D-1) halves no layer that is left over
					want.bisection = float64(2 * (pow(n, dims) - 1) / (n - 1))
				}
				checkFormulas(t, topology.Torus{Dims: sides(dims, n)}, want)
				if n > 16 && dims < 4 {
					n += 20
				}
			}
		}
	})
	t.Run("hypercubes", func(t *testing.T) {
		for dims := 2; dims <= 20; dims++ {
			checkFormulas(t, topology.Hypercube{Dims: topology.Ints{dims}},
				formulas{1 << dims, dims, dims, float64(int(1) << (dims - 1))})
		}
	})
	t.Run("flattened butterflies", func(t *testing.T) {
		for dims := 2; dims <= 4; dims++ {
			for n := 2; pow(n, dims) <= most/8 && dims*(n-1) <= 300; n += 1 + n/4 {
				want := formulas{pow(n, dims), dims * (n - 1), dims, float64(pow(n, dims-1) * (n / 2) * (n - n/2))}
				checkFormulas(t, topology.FlattenedButterfly{Dims: sides(dims, n), Terminals: 1}, want)
			}
		}
	})
	t.Run("flattened butterflies of section 3.2: 100,000 nodes at about 140 ports, half a million at about 240",
		func(t *testing.T) {
			for _, tt := range [][3]int{{47, 103823, 138}, {80, 512000, 237}} {
				g := graphtest.New(t, topology.FlattenedButterfly{Dims: sides(3, tt[0]), Terminals: 1})
				graphtest.Equal(t, "nodes", int64(g.Kinds()[0].Count), int64(tt[1]))
				graphtest.Equal(t, "ports", int64(g.Kinds()[0].Ports-1), int64(tt[2]))
			}
		})
	t.Run("Moore graphs", func(t *testing.T) {
		for p, name := range map[int]string{2: "pentagon", 3: "petersen", 7: "hoffman-singleton"} {
			bisection := float64((p-2)*(p*p+1)) / 4
			if p == 2 { // 0 is not a bisection of a ring
				bisection = -1
			}
			checkFormulas(t, topology.Moore{Graph: name}, formulas{p*p + 1, p, 2, bisection})
		}
	})
	t.Run("dragonflies", func(t *testing.T) {
		for p := 1; p <= 40; p++ {
			for s := 1; s <= p+1; s += 1 + s/3 {
				want := formulas{(p + 1) * (p + 2), p + s, 3, float64(s * ((p + 2) / 2) * ((p + 3) / 2))}
				if s == p+1 {
					want.latency = 2
				}
				if approx := float64(s*(p+2)*(p+2)) / 4; approx-want.bisection != float64(s*(p%2))/4 {
					t.Errorf("p = %d: %v by the formula of the paper, expected %v", p, approx, want.bisection)
				}
				checkFormulas(t, topology.Dragonfly{LocalPorts: p, LinksPerPair: s}, want)
			}
			checkFormulas(t, topology.Dragonfly{LocalPorts: p, LinksPerPair: p + 1},
				formulas{(p + 1) * (p + 2), 2*p + 1, 2, math.NaN()}) // the dragonfly limit
		}
	})
	t.Run("Angelfish and Angelfish Lite", func(t *testing.T) {
		for _, s := range []topology.Angelfish{
			{Subnet: "petersen"},
			{Subnet: "hoffman-singleton"},
			{Q: 3},
			{Q: 4},
			{Q: 5},
			{Q: 7},
			{Q: 8},
			{Q: 9},
			{Q: 11},
			{Q: 13},
		} {
			n, p := 2*s.Q*s.Q, map[int]int{3: 5, 4: 6, 5: 7, 7: 11, 8: 12, 9: 13, 11: 17, 13: 19}[s.Q]
			if s.Q == 0 {
				p = map[string]int{"petersen": 3, "hoffman-singleton": 7}[s.Subnet]
				n = p*p + 1
			}
			pairs := (n + 1) / 2 * ((n + 2) / 2) // about (p^2+1)^2/4 in the paper
			checkFormulas(t, s, formulas{n * (n + 1), 2 * p, 4, float64(p * pairs)})
			s.Variant = "lite"
			checkFormulas(t, s, formulas{n * (n + 1), p + 1, 5, float64(pairs)})
		}
	})
	t.Run("Flying Fish", func(t *testing.T) {
		for n := 2; n <= 14; n++ {
			checkFormulas(t, topology.FlyingFish{Side: n}, formulas{2 * pow(n, 4), 4*n - 2, 4, float64(pow(n, 5))})
		}
	})
	t.Run("Flying Fish Lite", func(t *testing.T) {
		for n := 2; n <= 14; n++ {
			m := n*n + 1
			checkFormulas(t, topology.FlyingFish{Side: n, Variant: "lite"},
				formulas{n * n * m, 2*n - 1, 5, math.Floor(float64(m*m) / 4)})
		}
	})
}

// TestAvailabilityTable is the table of section 2 of Li et al., MEMSYS 2016: node 0
// sends to node 2, and node 1 on the way fails.
func TestAvailabilityTable(t *testing.T) {
	type spec = topology.Params
	tests := []struct {
		name     string
		spec     spec
		from, to int
		failed   int
		want     measure.Detour
	}{
		{"2D torus", topology.Torus{Dims: topology.Ints{8, 8}}, 0, 2, 1, measure.Detour{Extra: 2, Routes: 2}},
		{"3D torus", topology.Torus{Dims: topology.Ints{8, 8, 8}}, 0, 2, 1, measure.Detour{Extra: 2, Routes: 4}},
		{"4D torus", topology.Torus{Dims: topology.Ints{8, 8, 8, 8}}, 0, 2, 1, measure.Detour{Extra: 2, Routes: 6}},
		{
			"flattened butterfly, one row",
			topology.FlattenedButterfly{Dims: topology.Ints{7, 7}, Terminals: 1},
			0, 2, 1,
			measure.Detour{Extra: 0, Routes: 1},
		},
		{"5-node Moore", topology.Moore{Graph: "pentagon"}, 0, 2, 1, measure.Detour{Extra: 1, Routes: 1}},
		{"10-node Petersen", topology.Moore{Graph: "petersen"}, 0, 2, 1, measure.Detour{Extra: 1, Routes: 2}},
	}
	for _, tt := range tests {
		t.Run("Li et al. 2016, section 2, "+tt.name, func(t *testing.T) {
			if got := measure.NodeDetour(graphtest.New(t, tt.spec), tt.from, tt.to, tt.failed); got != tt.want {
				t.Errorf("%+v, expected %+v", got, tt.want)
			}
		})
	}
}

// TestNoLeastCuts names the published bisections that are not a minimum cut: the
// bounds exclude them.
func TestNoLeastCuts(t *testing.T) {
	type spec = topology.Params
	tests := []struct {
		name  string
		spec  spec
		below bool // whether the formula is below the bounds, or above
	}{
		{"(p-2) N/4, Petersen", topology.Moore{Graph: "petersen"}, true},
		{"(p-2) N/4, MMS q = 13", topology.SlimFly{Q: 13}, false},
		{"halves of the subnets, Angelfish over Petersen", topology.Angelfish{Subnet: "petersen"}, false},
		{"n^5, Flying Fish 4x4", topology.FlyingFish{Side: 4}, false},
		{"3 N/2 - 2, barrel shifter", topology.BarrelShifter{Nodes: 256}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := graphtest.New(t, tt.spec)
			b := graphtest.Bisect(t, g, measure.Routers)
			c := g.(topology.Formulas).ClosedForms().Bisection
			if tt.below && c >= float64(b.Lower) || !tt.below && c <= float64(b.Upper) {
				t.Errorf("%v, bounds %d to %d", c, b.Lower, b.Upper)
			}
			t.Logf("%v, bounds %d to %d", c, b.Lower, b.Upper)
		})
	}
}
