package topology_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// searchable lists the families that have sizes.
func searchable() []string {
	var out []string
	for _, f := range topology.Families() {
		if topology.SizesDoc(f.Name) != "" {
			out = append(out, f.Name)
		}
	}
	return out
}

func sizes(t graphtest.T, family string, q topology.SizeQuery) topology.SizeList {
	t.Helper()
	list, err := topology.Sizes(family, q)
	if err != nil {
		t.Fatalf("%s, %+v: %v", family, q, err)
	}
	return list
}

// checkSize compares a size with the graph that New makes of its Spec, links
// and, of small graphs, distances included.
func checkSize(t graphtest.T, z topology.Size) {
	t.Helper()
	g, err := topology.New(z.Spec)
	if err != nil {
		t.Fatalf("%v: %v", z.Spec, err)
	}
	counts := topology.Count(g)
	carried := make(map[int32]int) // terminals of a router
	n := topology.Vertices(g)
	kinds := g.Kinds()
	for l := range g.Links() {
		for _, x := range [][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if kinds[topology.KindOf(kinds, int(x[1]))].Role == topology.Terminal {
				carried[x[0]]++
			}
		}
	}
	most := 0
	for _, c := range carried {
		most = max(most, c)
	}
	got := topology.Size{
		Spec: z.Spec, Nodes: counts.Nodes, Switches: counts.Switches, Terminals: most,
		Ports: measure.RouterDegrees(g).Ports, Links: counts.Links, Diameter: z.Diameter,
	}
	if z.Diameter >= 0 && n <= 2500 {
		ends := measure.HopEnds(g)
		if g.Family() == "rail-only" {
			ends = measure.Terminals
		}
		h, err := measure.Hops(context.Background(), g, ends, measure.HopOptions{})
		if err != nil {
			t.Fatalf("%v: %v", z.Spec, err)
		}
		if got.Diameter = h.Diameter; h.Unreachable > 0 {
			t.Fatalf("%v: %d pairs have no path", z.Spec, h.Unreachable)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(z) {
		t.Fatalf("%v:\nlisted %+v\nbuilt  %+v", z.Spec, z, got)
	}
}

// checkList checks what holds for every list.
func checkList(t graphtest.T, q topology.SizeQuery, list topology.SizeList) {
	t.Helper()
	limit := cmp.Or(q.Limit, 50)
	if len(list.Sizes) > limit || list.LeftOut < 0 || list.LeftOut > 0 && len(list.Sizes) < limit {
		t.Fatalf("%+v: %d sizes, %d left out", q, len(list.Sizes), list.LeftOut)
	}
	seen := make(map[string]bool)
	for i, z := range list.Sizes {
		if z.Nodes < q.MinNodes || z.Nodes > cmp.Or(q.MaxNodes, topology.MaxVertices) ||
			z.Ports > cmp.Or(q.MaxPorts, topology.MaxPorts) {
			t.Fatalf("%+v: outside: %+v", q, z)
		}
		if seen[z.Spec.String()] {
			t.Fatalf("%+v: twice: %v", q, z.Spec)
		}
		seen[z.Spec.String()] = true
		if i == 0 {
			continue
		}
		before := list.Sizes[i-1]
		if cmp.Or(cmp.Compare(before.Nodes, z.Nodes), cmp.Compare(before.Switches, z.Switches),
			cmp.Compare(before.Links, z.Links)) > 0 {
			t.Fatalf("%+v: not in order: %+v, %+v", q, before, z)
		}
	}
}

// TestSizesAreReal builds all small members that are listed.
func TestSizesAreReal(t *testing.T) {
	for _, family := range searchable() {
		t.Run(family, func(t *testing.T) {
			built := make(map[string]bool)
			for _, q := range []topology.SizeQuery{
				{MaxNodes: 130, Limit: 10_000},
				{MinNodes: 900, MaxNodes: 1030, Limit: 12},
				{MinNodes: 777, MaxNodes: 777},
				{MinNodes: 100, MaxNodes: 2000, MaxPorts: 7},
				{MinNodes: 40, MaxNodes: 2000, MaxPorts: 16},
				{MinNodes: 400, MaxNodes: 2000, MaxPorts: 36, Limit: 15},
			} {
				list := sizes(t, family, q)
				checkList(t, q, list)
				for _, z := range list.Sizes {
					if s := z.Spec.String(); !built[s] && z.Links < 200_000 {
						built[s] = true
						checkSize(t, z)
					}
				}
			}
			if len(built) < 3 {
				t.Errorf("only %d sizes", len(built))
			}
		})
	}
}

// TestSizesOfAnyQuery checks lists of random queries, and that a list without
// a limit holds those of a list with one, and as many as the other left out.
func TestSizesOfAnyQuery(t *testing.T) {
	families := searchable()
	rapid.Check(t, func(t *rapid.T) {
		family := rapid.SampledFrom(families).Draw(t, "family")
		node := rapid.Custom(func(t *rapid.T) int {
			return int(math.Pow(10, rapid.Float64Range(0, 6).Draw(t, "exponent")))
		})
		q := topology.SizeQuery{
			MinNodes: node.Draw(t, "a"), MaxNodes: node.Draw(t, "b"),
			MaxPorts: rapid.SampledFrom([]int{0, 3, 6, 16, 33, 64, 500}).Draw(t, "ports"),
			Limit:    rapid.SampledFrom([]int{0, 1, 2, 7, 100, 150}).Draw(t, "limit"),
		}
		if q.MinNodes > q.MaxNodes {
			q.MinNodes, q.MaxNodes = q.MaxNodes, q.MinNodes
		}
		list := sizes(t, family, q)
		checkList(t, q, list)
		for _, z := range list.Sizes {
			if family == "random-regular" || family == "angelfish" {
				continue // New draws or stores a graph
			}
			g, err := topology.New(z.Spec)
			if err != nil {
				t.Fatalf("%v: %v", z.Spec, err)
			}
			nodes, switches := 0, 0
			for _, k := range g.Kinds() {
				if k.Role == topology.Switch {
					switches += k.Count
				} else {
					nodes += k.Count
				}
			}
			if nodes != z.Nodes || switches != z.Switches {
				t.Fatalf("%v: %d nodes and %d switches, listed %+v", z.Spec, nodes, switches, z)
			}
		}
		whole := q
		whole.Limit = 10_000
		all := sizes(t, family, whole)
		if family == "hyperx" && q.MaxPorts > 0 {
			return // searches at the steps, which differ
		}
		if len(all.Sizes)+all.LeftOut != len(list.Sizes)+list.LeftOut {
			t.Fatalf("%+v: %d in all, but %d without a limit", q, len(list.Sizes)+list.LeftOut,
				len(all.Sizes)+all.LeftOut)
		}
		if all.LeftOut > 0 {
			return
		}
		known := make(map[string]bool)
		for _, z := range all.Sizes {
			known[z.Spec.String()] = true
		}
		for _, z := range list.Sizes {
			if !known[z.Spec.String()] {
				t.Fatalf("%+v: %v is not listed without a limit", q, z.Spec)
			}
		}
	})
}

// specs lists the specs of a list in order of their text.
func specs(list topology.SizeList) []string {
	var out []string
	for _, z := range list.Sizes {
		out = append(out, z.Spec.String())
	}
	slices.Sort(out)
	return out
}

// TestSizesMissNone compares lists with slow enumerations of what the families
// promise to regard.
func TestSizesMissNone(t *testing.T) {
	const low, high = 100, 1500
	inside := func(nodes int) bool { return nodes >= low && nodes <= high }
	tests := []struct {
		family string
		ports  int
		slow   func(add func(s topology.Params))
	}{
		{"torus", 0, func(add func(topology.Params)) {
			nearCubic(high, 6, inside, func(dims topology.Ints) { add(topology.Torus{Dims: dims}) })
		}},
		{"mesh", 0, func(add func(topology.Params)) {
			nearCubic(high, 6, inside, func(dims topology.Ints) { add(topology.Mesh{Dims: dims}) })
		}},
		{"torus", 6, func(add func(topology.Params)) {
			nearCubic(high, 6, inside, func(dims topology.Ints) {
				ports := 0
				for _, side := range dims {
					ports += min(side-1, 2)
				}
				if ports <= 6 {
					add(topology.Torus{Dims: dims})
				}
			})
		}},
		{"thin-tree", 0, func(add func(topology.Params)) {
			for down := 2; down <= high; down++ {
				for levels, nodes := 2, down*down; nodes <= high; levels, nodes = levels+1, nodes*down {
					for up := 1; up < down && inside(nodes); up++ {
						add(topology.ThinTree{Down: down, Up: up, Levels: levels})
					}
				}
			}
		}},
		{"hammingmesh", 24, func(add func(topology.Params)) {
			for _, a := range []int{2, 4, 8} {
				for x := 2; x <= high; x++ {
					for y := x; y <= 2*x && y <= 12; y++ {
						if inside(x * y * a * a) {
							add(clusters.HammingMesh{Dims: topology.Ints{x, y}, Board: topology.Ints{a, a}})
						}
					}
				}
			}
		}},
		{"dragonfly", 11, func(add func(topology.Params)) {
			for h := 1; h < 11; h++ {
				for a := 2; a <= 4*h; a++ {
					for p := 1; p <= 2*h; p++ {
						if 2*p >= h && a >= h && inside(p*a*(a*h+1)) && p+a-1+h <= 11 {
							add(topology.Dragonfly{P: p, A: a, H: h})
						}
					}
				}
				for links := 2; links <= 2*h*h && 4*h-1 <= 11; links++ {
					if groups := 2*h*h/links + 1; 2*h*h%links == 0 && inside(2*h*h*groups) {
						add(topology.Dragonfly{P: h, A: 2 * h, H: h, Groups: groups, LinksPerPair: links})
					}
				}
			}
			for local := 1; local <= 11; local++ {
				for links := 1; links <= local+1 && local+links <= 11; links++ {
					if inside((local + 1) * (local + 2)) {
						s := topology.Dragonfly{LocalPorts: local}
						if links > 1 {
							s.LinksPerPair = links
						}
						add(s)
					}
				}
			}
		}},
		{"ibt", 0, func(add func(topology.Params)) {
			for n := 2; n <= 4; n++ {
				for side := 2; side <= high; side++ {
					for last := side; last <= 2*side; last++ {
						dims := slices.Repeat(topology.Ints{side}, n)
						dims[n-1] = last
						nodes := 1
						for _, d := range dims {
							nodes = min(nodes*d, high+1)
						}
						if !inside(nodes) {
							continue
						}
						for m := 1; m <= n; m++ {
							for a := 1; a <= side/2; a++ {
								for b := a; b <= side/2; b++ {
									lengths := slices.Compact(topology.Ints{a, b})
									s := topology.IBT{Dims: dims, BypassDims: m, BypassLengths: lengths}
									if lengths[len(lengths)-1] > 12*m*len(lengths) {
										continue
									}
									if _, err := topology.New(s); err == nil {
										add(s)
									}
								}
							}
						}
					}
				}
			}
		}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %d", tt.family, tt.ports), func(t *testing.T) {
			q := topology.SizeQuery{MinNodes: low, MaxNodes: high, MaxPorts: tt.ports, Limit: 10_000}
			got := specs(sizes(t, tt.family, q))
			var want []string
			tt.slow(func(s topology.Params) {
				want = append(want, topology.Spec{Params: s}.String())
			})
			slices.Sort(want)
			if len(want) < 20 {
				t.Fatalf("only %d", len(want))
			}
			for _, s := range want {
				if _, found := slices.BinarySearch(got, s); !found {
					t.Errorf("missing: %s", s)
				}
			}
			for _, s := range got {
				if _, found := slices.BinarySearch(want, s); !found {
					t.Errorf("too many: %s", s)
				}
			}
		})
	}
}

// nearCubic lists ascending sides of which the last is at most twice the first.
func nearCubic(most, dimensions int, inside func(int) bool, add func(dims topology.Ints)) {
	var extend func(dims topology.Ints, points int)
	extend = func(dims topology.Ints, points int) {
		if len(dims) > 1 && inside(points) {
			add(slices.Clone(dims))
		}
		if len(dims) == dimensions {
			return
		}
		for side := 2; points*side <= most; side++ {
			if len(dims) == 0 || side >= dims[len(dims)-1] && side <= 2*dims[0] {
				extend(append(slices.Clone(dims), side), points*side)
			}
		}
	}
	extend(nil, 1)
}

// TestSizesSpread checks which sizes a limit lists: of every step the most
// regular, then the one with the fewest hops.
func TestSizesSpread(t *testing.T) {
	list := sizes(t, "hypercube", topology.SizeQuery{MaxNodes: 1 << 12, Limit: 4}) // steps of 8.0
	var dims []int
	for _, z := range list.Sizes {
		dims = append(dims, z.Spec.Params.(topology.Hypercube).Dims[0])
	}
	if !slices.Equal(dims, []int{1, 4, 7, 10}) || list.LeftOut != 8 {
		t.Errorf("hypercubes of %v, %d left out", dims, list.LeftOut)
	}
	list = sizes(t, "torus", topology.SizeQuery{MinNodes: 1000, MaxNodes: 99_999, MaxPorts: 6, Limit: 10})
	step := 0
	for _, z := range list.Sizes {
		if d := z.Spec.Params.(topology.Torus).Dims; len(d) != 3 || d[0] != d[2] {
			t.Errorf("%v is not a cube", z.Spec)
		}
		if at := int(10 * math.Log(float64(z.Nodes)/1000) / math.Log(100)); at != step {
			t.Errorf("%v is in step %d, not %d", z.Spec, at, step)
		}
		step++
	}
	if step != 10 {
		t.Errorf("%d steps", step)
	}
}

// TestSizesPublished looks for configurations of the literature.
func TestSizesPublished(t *testing.T) {
	tests := []struct {
		name   string
		family string
		query  topology.SizeQuery
		want   string
	}{
		{"Kim et al. 2008, a dragonfly of 256K nodes with 64 ports", "dragonfly", topology.SizeQuery{
			MinNodes: 262_656,
			MaxNodes: 262_656, MaxPorts: 64,
		}, "{family: dragonfly, p: 16, a: 32, h: 16} 262656 16416 63"},
		{"Besta and Hoefler 2014, Slim Fly of 10,830 nodes", "slim-fly", topology.SizeQuery{
			MinNodes: 10_000,
			MaxNodes: 11_000,
		}, "{family: slim-fly, terminals: 15, q: 19} 10830 722 44"},
		{"three-tier fat tree of 48 ports, 27,648 nodes", "fat-tree", topology.SizeQuery{
			MinNodes: 27_000,
			MaxNodes: 28_000, MaxPorts: 48,
		}, "{family: fat-tree, nodes: 27648, radix: 48, tiers: 3} 27648 2880 48"},
		{"Li et al. 2016, Angelfish over q = 23", "angelfish", topology.SizeQuery{
			MinNodes: 1_000_000,
			MaxNodes: 1_200_000,
		}, "{family: angelfish, q: 23, variant: full} 1120422 0 70"},
		{
			"Zhang et al. 2011, Table 1, iBT(32^3; L=2; <4>)", "ibt",
			topology.SizeQuery{MinNodes: 32_768, MaxNodes: 32_768, Limit: 1000},
			"{family: ibt, dims: [32, 32, 32], bypass_dims: 2, bypass_lengths: [4]} 32768 0 8",
		},
		{
			"Ahn et al. 2009, HyperX for R=64 N=131072 beta=.5", "hyperx",
			topology.SizeQuery{MinNodes: 131_072, MaxNodes: 140_000, MaxPorts: 64},
			"{family: hyperx, dims: [7, 7, 14, 14], widths: [2, 2, 1, 1], terminals: 14} 134456 9604 64",
		},
		{
			"Guo et al. 2009, BCube_3 of 8-port switches", "bcube",
			topology.SizeQuery{MinNodes: 4096, MaxNodes: 4096},
			"{family: bcube, levels: 4, radix: 8} 4096 2048 8",
		},
		{"Guo et al. 2008, DCell_3 of 6 servers: 3,263,442", "dcell", topology.SizeQuery{
			MinNodes: 3_263_442,
			MaxNodes: 3_263_442,
		}, "{family: dcell, levels: 4, radix: 6} 3263442 543907 6"},
		{
			"a fat tree of any number of nodes", "fat-tree",
			topology.SizeQuery{MinNodes: 1001, MaxNodes: 1001},
			"{family: fat-tree, nodes: 1001, radix: 64} 1001 48 64",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := sizes(t, tt.family, tt.query)
			for _, z := range list.Sizes {
				if fmt.Sprint(z.Spec, z.Nodes, z.Switches, z.Ports) == tt.want {
					return
				}
			}
			t.Errorf("not listed: %s\namong %v", tt.want, specs(list))
		})
	}
}

// TestSizesOfEveryFamily holds for families to come as well.
func TestSizesOfEveryFamily(t *testing.T) {
	// Their parameters say every count.
	asBuilt := []string{"file", "access", "leaf-pair", "leaf-spine", "cray-dragonfly", "ocs-torus"}
	for _, f := range topology.Families() {
		if has := topology.SizesDoc(f.Name) != ""; has == slices.Contains(asBuilt, f.Name) {
			t.Errorf("%s: sizes are documented: %t", f.Name, has)
		}
	}
}

// TestSizesOfFewPorts asks every family for switches with fewer ports than it may take.
func TestSizesOfFewPorts(t *testing.T) {
	for _, family := range searchable() {
		for ports := range 4 {
			for _, q := range []topology.SizeQuery{
				{},
				{MaxNodes: 1},
				{MaxNodes: 10},
				{MinNodes: 2, MaxNodes: 3},
				{MinNodes: 777, MaxNodes: 777},
				{MinNodes: 1 << 20},
				{MinNodes: topology.MaxVertices},
			} {
				if wide := cmp.Or(q.MaxNodes, topology.MaxVertices)-q.MinNodes > 1000; wide && ports != 3 &&
					os.Getenv("PLENUM_LONG") != "1" {
					continue // takes a fraction of a second each
				}
				q.MaxPorts = ports
				checkList(t, q, sizes(t, family, q))
			}
		}
	}
}

func TestSizesMistakes(t *testing.T) {
	tests := []struct {
		family string
		query  topology.SizeQuery
		want   []string
	}{
		{"tours", topology.SizeQuery{}, []string{`family: there is no family "tours"; did you mean "torus"?`}},
		{"", topology.SizeQuery{}, []string{"family: is missing; the families are torus"}},
		{"file", topology.SizeQuery{}, []string{"family: the size of a file is what its parameters say"}},
		{
			"torus",
			topology.SizeQuery{MinNodes: 9, MaxNodes: 8},
			[]string{"nodes: the range ends at 8, before it begins at 9"},
		},
		{
			"x",
			topology.SizeQuery{MinNodes: -1, MaxPorts: 1 << 20, Limit: -3},
			[]string{
				"family: there is no", "nodes: must be from 1 to 2147483647, not -1 to",
				"ports: must be from 1 to 65535", "limit: must be from 1 to 10000",
			},
		},
	}
	for _, tt := range tests {
		_, err := topology.Sizes(tt.family, tt.query)
		found := diag.Fields(err)
		if len(found) != len(tt.want) {
			t.Fatalf("%q %+v: %v", tt.family, tt.query, err)
		}
		for i, want := range tt.want {
			if !strings.HasPrefix(found[i].Error(), want) {
				t.Errorf("%v, want %s", found[i], want)
			}
		}
	}
}

// The widest ranges take a fraction of a second and little memory.
func BenchmarkSizes(b *testing.B) {
	for _, family := range []string{"torus", "ibt", "thin-tree", "dragonfly", "hyperx", "fat-tree"} {
		b.Run(family, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := topology.Sizes(family, topology.SizeQuery{MaxPorts: 64}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
