package topology_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plenum/topology"
)

func mustNew(t testing.TB, s topology.Spec) topology.Graph {
	t.Helper()
	g, err := topology.New(s)
	if err != nil {
		t.Fatalf("New(%+v): %v", s, err)
	}
	return g
}

// fatal is what checkGraph needs of a test; *testing.T and *rapid.T have it.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkGraph checks what the interface promises of every graph, and that the
// graph is connected.
func checkGraph(t fatal, g topology.Graph) {
	t.Helper()
	kinds, levels := g.Kinds(), g.Levels()
	checkKinds(t, g, kinds)
	checkNests(t, g)

	n := topology.Vertices(g)
	used := make([]map[int32]bool, n)
	type pair struct{ a, b, level int32 }
	pairs := make(map[pair]bool)
	union := make([]int, n)
	for v := range n {
		union[v] = v
	}
	find := func(v int) int {
		for union[v] != v {
			union[v] = union[union[v]]
			v = union[v]
		}
		return v
	}
	take := func(v, first int32, l topology.Link) {
		k := kinds[topology.KindOf(kinds, int(v))]
		if k.Role == topology.Terminal && levels[l.Level].Name != "terminal" {
			t.Fatalf("%+v touches terminal %d on level %s", l, v, levels[l.Level].Name)
		}
		if used[v] == nil {
			used[v] = make(map[int32]bool)
		}
		for p := first; p < first+l.Width; p++ {
			if p < 0 || int(p) >= k.Ports {
				t.Fatalf("%+v: port %d of %s %d, which has %d", l, p, k.Name, v, k.Ports)
			}
			if used[v][p] {
				t.Fatalf("%+v: port %d of %s %d is in use", l, p, k.Name, v)
			}
			used[v][p] = true
		}
	}
	var first []topology.Link
	for l := range g.Links() {
		if l.A < 0 || l.B < 0 || int(l.A) >= n || int(l.B) >= n || l.A == l.B {
			t.Fatalf("%+v: ends out of range", l)
		}
		if l.Level < 0 || int(l.Level) >= len(levels) || l.Width < 1 {
			t.Fatalf("%+v: level or width out of range", l)
		}
		p := pair{min(l.A, l.B), max(l.A, l.B), l.Level}
		if pairs[p] {
			t.Fatalf("%+v: the pair is listed twice", l)
		}
		pairs[p] = true
		take(l.A, l.PortA, l)
		take(l.B, l.PortB, l)
		union[find(int(l.A))] = find(int(l.B))
		first = append(first, l)
	}
	for v := range n {
		if find(v) != find(0) {
			t.Fatalf("vertex %d (%s) is not connected to vertex 0", v, g.Label(v))
		}
	}

	i := 0
	for l := range g.Links() {
		if l != first[i] {
			t.Fatalf("link %d is %+v, then %+v", i, first[i], l)
		}
		i++
	}
	if i != len(first) {
		t.Fatalf("%d links, then %d", len(first), i)
	}
	for range g.Links() {
		break // a generator that goes on after yield returns false panics
	}
}

func checkKinds(t fatal, g topology.Graph, kinds []topology.Kind) {
	t.Helper()
	next := 0
	for i, k := range kinds {
		if k.First != next || k.Count < 1 {
			t.Fatalf("kind %q covers %d vertices from %d, expected from %d", k.Name, k.Count, k.First, next)
		}
		next += k.Count
		labels := make(map[string]int)
		for v := k.First; v < next; v++ {
			if topology.KindOf(kinds, v) != i {
				t.Fatalf("vertex %d is of kind %d, expected %d", v, topology.KindOf(kinds, v), i)
			}
			if w, ok := labels[g.Label(v)]; ok {
				t.Fatalf("%s %d and %d both have the label %s", k.Name, w, v, g.Label(v))
			}
			labels[g.Label(v)] = v
		}
	}
}

func checkNests(t fatal, g topology.Graph) {
	t.Helper()
	nests := g.Nests()
	for i, nest := range nests {
		seen := make([]bool, nest.Count)
		outer := make([]int32, nest.Count)
		for v := range topology.Vertices(g) {
			of := nest.Of(v)
			if of < -1 || int(of) >= nest.Count {
				t.Fatalf("vertex %d is in %s %d of %d", v, nest.Name, of, nest.Count)
			}
			if of == -1 {
				continue
			}
			if i+1 < len(nests) {
				o := nests[i+1].Of(v)
				if o == -1 || seen[of] && o != outer[of] {
					t.Fatalf("%s %d is not inside one %s", nest.Name, of, nests[i+1].Name)
				}
				outer[of] = o
			}
			seen[of] = true
		}
		for group, ok := range seen {
			if !ok {
				t.Fatalf("%s %d is empty", nest.Name, group)
			}
		}
	}
}

// census is a graph in a few words: "leaf 32, spine 16, node 127; terminal
// 1016, tier1 1024", links counted as channels.
func census(g topology.Graph) string {
	s := ""
	for i, k := range g.Kinds() {
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%s %d", k.Name, k.Count)
	}
	sep := "; "
	for i, n := range topology.Count(g).ByLevel {
		s += fmt.Sprintf("%s%s %d", sep, g.Levels()[i].Name, n)
		sep = ", "
	}
	return s
}

// TestCensus holds published figures against the graphs.
func TestCensus(t *testing.T) {
	type spec = topology.Spec
	tests := []struct {
		name string
		spec spec
		want string
	}{
		{
			"NVIDIA DGX SuperPOD H100, 4 scalable units: 32 leaves, 16 spines",
			spec{Family: "fat-tree", Nodes: 127, Radix: 64, Rails: 8},
			"leaf 32, spine 16, node 127; terminal 1016, tier1 1024",
		},
		{
			"ATOP, SIGCOMM 2025, Table 7: rail-optimised 3-tier fat tree, 160 switches, 3072 fibres",
			spec{Family: "fat-tree", Nodes: 128, Radix: 32, Rails: 8, Tiers: 3},
			"leaf 64, spine 64, core 32, node 128; terminal 1024, tier1 1024, tier2 1024",
		},
		{
			"Oracle Exadata, eight racks of 22 servers: 16 leaves, 8 spines",
			spec{Family: "fat-tree", Nodes: 176, Radix: 36, Down: 22, Up: 8, Rails: 2, Spines: 8},
			"leaf 16, spine 8, node 176; terminal 352, tier1 128",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := mustNew(t, tt.spec)
			checkGraph(t, g)
			if diff := cmp.Diff(tt.want, census(g)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestSmall runs every graph of a few vertices that parameters can give.
func TestSmall(t *testing.T) {
	for _, f := range []string{"torus", "mesh"} {
		for a := 1; a < 5; a++ {
			for b := 1; b < 5; b++ {
				checkGraph(t, mustNew(t, topology.Spec{Family: f, Dims: topology.Ints{a, b, 3}}))
			}
		}
	}
}

// size keeps random graphs small enough to check quickly.
const size = 3000

func drawDims(t *rapid.T, sides, most int) topology.Ints {
	var dims topology.Ints
	for points := 1; len(dims) < sides && (len(dims) == 0 || rapid.Bool().Draw(t, "more")); {
		side := rapid.IntRange(1, min(9, most/points)).Draw(t, "side")
		dims, points = append(dims, side), points*side
	}
	return dims
}

// draws gives random parameters of every family; members that New refuses are
// passed over.
var draws = map[string]func(t *rapid.T) topology.Spec{
	"torus": func(t *rapid.T) topology.Spec {
		return topology.Spec{Dims: drawDims(t, 5, size)}
	},
	"mesh": func(t *rapid.T) topology.Spec {
		return topology.Spec{Dims: drawDims(t, 5, size)}
	},
	"hypercube": func(t *rapid.T) topology.Spec {
		return topology.Spec{Dims: topology.Ints{rapid.IntRange(1, 11).Draw(t, "n")}}
	},
	"hyperx": func(t *rapid.T) topology.Spec {
		s := topology.Spec{Dims: drawDims(t, 4, 300), Terminals: rapid.IntRange(1, 9).Draw(t, "terminals")}
		if rapid.Bool().Draw(t, "wide") {
			for range s.Dims {
				s.Widths = append(s.Widths, rapid.IntRange(1, 4).Draw(t, "width"))
			}
		}
		return s
	},
	"flattened-butterfly": func(t *rapid.T) topology.Spec {
		return topology.Spec{Dims: drawDims(t, 4, 300), Terminals: rapid.IntRange(1, 9).Draw(t, "terminals")}
	},
	"k-ary-n-tree": func(t *rapid.T) topology.Spec {
		return topology.Spec{Down: rapid.IntRange(2, 9).Draw(t, "down"), Levels: rapid.IntRange(1, 5).Draw(t, "levels")}
	},
	"thin-tree": func(t *rapid.T) topology.Spec {
		down := rapid.IntRange(2, 9).Draw(t, "down")
		return topology.Spec{
			Down:   down,
			Up:     rapid.IntRange(1, down).Draw(t, "up"),
			Levels: rapid.IntRange(1, 5).Draw(t, "levels"),
		}
	},
	"dragonfly": func(t *rapid.T) topology.Spec {
		s := topology.Spec{
			P: rapid.IntRange(1, 5).Draw(t, "p"),
			A: rapid.IntRange(1, 7).Draw(t, "a"),
			H: rapid.IntRange(1, 12).Draw(t, "h"),
		}
		s.Groups = rapid.IntRange(0, s.A*s.H+1).Draw(t, "groups")
		most := s.A * s.H
		if s.Groups > 1 {
			most /= s.Groups - 1
		}
		s.LinksPerPair = rapid.IntRange(0, most).Draw(t, "links per pair")
		return s
	},
	"fat-tree": func(t *rapid.T) topology.Spec {
		maybe := func(name string, most int) int {
			if !rapid.Bool().Draw(t, "give "+name) {
				return 0
			}
			return rapid.IntRange(1, most).Draw(t, name)
		}
		return topology.Spec{
			Nodes:    rapid.IntRange(1, 400).Draw(t, "nodes"),
			Radix:    rapid.IntRange(2, 40).Draw(t, "radix"),
			Tiers:    rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "tiers"),
			Taper:    rapid.SampledFrom([]float64{0, 0, 0, 1, 0.5, 1.1, 2, 3, 7.3}).Draw(t, "taper"),
			Down:     maybe("down", 20),
			Up:       maybe("up", 20),
			Rails:    maybe("rails", 8),
			Spines:   maybe("spines", 20),
			Cores:    maybe("cores", 20),
			PodUnits: maybe("pod_units", 8),
		}
	},
}

// TestProperties checks random members of every family.
func TestProperties(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := draws[f.Name](t)
				s.Family = f.Name
				g, err := topology.New(s)
				if err != nil {
					if len(topology.ParamErrors(err)) == 0 {
						t.Fatalf("%v has no ParamError", err)
					}
					t.Skip(err)
				}
				if topology.Vertices(g) > size {
					t.Skip("too large")
				}
				checkGraph(t, g)
			})
		})
	}
}
