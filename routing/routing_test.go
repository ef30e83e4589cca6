package routing

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
)

// graphOf builds a topology from the notation of the tests: "torus 4 4".
func network(t testing.TB, spec topology.Params) *Network {
	t.Helper()
	g, err := topology.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	n, err := NewNetwork(g)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var small = map[string]topology.Params{
	"ring":       topology.Torus{Dims: topology.Ints{7}},
	"torus":      topology.Torus{Dims: topology.Ints{4, 5, 3}},
	"evenTorus":  topology.Torus{Dims: topology.Ints{6, 4}},
	"thinTorus":  topology.Torus{Dims: topology.Ints{2, 5, 1}},
	"openTorus":  topology.Torus{Dims: topology.Ints{4, 3, 4}, Wrap: []bool{false, true, true}},
	"doubled":    topology.Torus{Dims: topology.Ints{5, 2, 2}, Wrap: []bool{true, true, false}, DoubledSides: true},
	"hosted":     topology.Torus{Dims: topology.Ints{4, 3}, Terminals: 2},
	"hostedCube": topology.Hypercube{Dims: topology.Ints{3}, Terminals: 1},
	"hostedClex": topology.CLEX{Clique: 3, Levels: 3, Bundled: true, Terminals: 2},
	"hostedMore": topology.Moore{Graph: "petersen", Terminals: 2},
	"mesh":       topology.Mesh{Dims: topology.Ints{4, 3, 2}},
	"cube":       topology.Hypercube{Dims: topology.Ints{4}},
	"hyperx":     topology.HyperX{Dims: topology.Ints{4, 3, 2}, Terminals: 1},
	"wide":       topology.HyperX{Dims: topology.Ints{3, 3}, Widths: topology.Ints{2, 1}, Terminals: 2},
	"butterfly":  topology.FlattenedButterfly{Dims: topology.Ints{4, 4}, Terminals: 2},
	"tree":       topology.KAryNTree{Down: 3, Levels: 3},
	"thinTree":   topology.ThinTree{Down: 4, Up: 2, Levels: 3},
	"fatTree":    topology.FatTree{Nodes: 32, Radix: 8},
	"fatTree3":   topology.FatTree{Nodes: 16, Radix: 4, Tiers: 3, PodUnits: 2},
	"rails":      topology.FatTree{Nodes: 16, Radix: 8, Rails: 2},
	"clos":       topology.FoldedClos{Nodes: 40, Radix: 6},
	"dragonfly":  topology.Dragonfly{P: 1, A: 4, H: 1},
	"dragonfly2": topology.Dragonfly{P: 1, A: 4, H: 2, Groups: 4, LinksPerPair: 2},
	"direct":     topology.Dragonfly{LocalPorts: 3},
	"plus":       topology.DragonflyPlus{P: 1, A: 2, H: 2},
	"moore":      topology.Moore{Graph: "petersen"},
	"slimfly":    topology.SlimFly{Q: 3},
	"random":     topology.RandomRegular{Nodes: 14, Degree: 3, Seed: 5},
	"railOnly":   clusters.RailOnly{Nodes: 6, Rails: 2, Radix: 8},
	"bcube":      clusters.BCube{Radix: 3, Levels: 2},
	"zcube":      clusters.ZCube{Side: 3, Links: 2},
	"hexagonal":  clusters.HexagonalTorus{Dims: topology.Ints{4, 3}},
	"triads":     clusters.HexagonalTorus{Dims: topology.Ints{2, 3}, Triads: true},
	"access":     clusters.Access{Nodes: 6, Down: 6, Uplinks: 2},
	"pair":       clusters.LeafPair{Nodes: 6, Links: 2, PeerLinks: 2},
	"leafSpine":  clusters.LeafSpine{Nodes: 12, Down: 3, Up: 3, Spines: 4, Planes: 2},
	"cray":       clusters.CrayDragonfly{Dims: topology.Ints{3}, Terminals: 1, Groups: 4, LinksPerPair: 2},
	"cray2": clusters.CrayDragonfly{
		Dims: topology.Ints{3, 3}, Widths: topology.Ints{1, 2}, Terminals: 1, Groups: 4, LinksPerPair: 3,
		Arrangement: "absolute",
	},
	"circulant": clusters.CrayDragonfly{
		Dims: topology.Ints{2, 3}, Terminals: 1, Groups: 5, LinksPerPair: 2, Arrangement: "circulant",
	},
	"kinds": clusters.CrayDragonfly{
		Dims: topology.Ints{3, 2}, Terminals: 1, Groups: 3, OtherGroups: topology.Ints{2},
		OtherDims: topology.Ints{2, 1}, PairLinks: topology.Ints{1, 2, 1},
	},
	"cores": clusters.LeafSpine{
		Nodes: 16, Down: 2, Up: 2, Pods: 4, Spines: 8, SpineUp: 2, Cores: 4,
	},
	"directors":  clusters.LeafSpine{Nodes: 12, Down: 2, Up: 2, Spines: 2, Director: topology.Ints{3, 2, 2}},
	"clex":       topology.CLEX{Clique: 3, Levels: 3},
	"bundled":    topology.CLEX{Clique: 3, Levels: 3, Bundled: true},
	"localTorus": topology.CLEX{Clique: 4, Levels: 3, Bundled: true, Local: local4},
	"localFull":  topology.CLEX{Clique: 4, Levels: 3, Local: local4},
	"localHyperX": topology.CLEX{Clique: 6, Levels: 2, Bundled: true, Terminals: 1, Local: localNetwork(
		topology.HyperX{Dims: topology.Ints{3, 2}, Widths: topology.Ints{1, 2}})},
	"localGroups": topology.Dragonfly{P: 1, A: 6, H: 1, Groups: 4, LinksPerPair: 2, Local: localNetwork(
		topology.Mesh{Dims: topology.Ints{3, 2}})},
	"localDirect": topology.Dragonfly{LocalPorts: 3, Local: local4},
	"ibt":         topology.IBT{Dims: topology.Ints{8, 8}, BypassDims: 2, BypassLengths: topology.Ints{4}},
	"debruijn":    topology.DeBruijn{Base: 2, Digits: 4},
}

// local4 is a ring of four nodes.
var local4 = localNetwork(topology.Torus{Dims: topology.Ints{4}})

func localNetwork(p topology.Params) *topology.Local {
	return &topology.Local{Spec: topology.Spec{Params: p}}
}

// oneWay reports whether some links carry one way only, so that updown does not fit.
func oneWay(spec topology.Params) bool {
	s, ok := spec.(topology.CLEX)
	return ok && !s.Bundled
}

// fits lists which functions there should be for a member of a family.
func fits(spec topology.Params) []string {
	family := spec.Family()
	if s, ok := spec.(clusters.LeafSpine); ok && s.Director == nil {
		family = "fat-tree"
	}
	all := []string{"fastest", "fastest-minimal", "minimal", "min-adaptive", "updown", "valiant", "ugal-l", "ugal-g"}
	switch family {
	case "torus":
		all = append(all, "dor", "bubble")
	case "mesh", "hypercube":
		all = append(all, "dor")
	case "hyperx", "flattened-butterfly":
		all = append(all, "dor", "min-ad", "clos-ad", "clos-ad-random", "dal", "dal-hops", "safety-vector",
			"safety-vector-any", "safety-vector-escape")
	case "k-ary-n-tree", "thin-tree", "fat-tree", "folded-clos", "access", "leaf-pair":
		all = append(all, "tree")
	case "cray-dragonfly":
		if s := spec.(clusters.CrayDragonfly); len(s.OtherGroups) == 0 {
			all = append(all, "par")
		}
	case "dragonfly", "dragonfly-plus":
		all = append(all, "par")
	case "clex":
		all = append(all, "clex", "clex-recursive")
	}
	return all
}

func TestNoCycleOfWaits(t *testing.T) {
	for name, spec := range small {
		n := network(t, spec)
		for _, fn := range fits(spec) {
			if oneWay(spec) && fn == "updown" {
				continue
			}
			t.Run(name+"/"+fn, func(t *testing.T) {
				f, err := New(n, fn, Options{})
				if err != nil {
					t.Fatal(err)
				}
				draws := 3
				if strings.Contains("valiant ugal-l ugal-g par clos-ad clos-ad-random clex-recursive", fn) {
					draws = 12
				}
				if err := CheckDependencies(n, f, draws); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// oneRing is dimension order without its two classes, which the check must find
// out.
type oneRing struct{ dimOrder }

func (f *oneRing) Classes() int { return 1 }
func (f *oneRing) Next(h *Header, at int32, state *State, hops []Hop) []Hop {
	hop, _ := f.next(h, at, false)
	hop.Class = 0
	return append(hops, hop)
}

func TestCheckFindsTheCycleOfARing(t *testing.T) {
	n := network(t, small["ring"])
	f, err := newDimOrder(n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = CheckDependencies(n, &oneRing{*f.(*dimOrder)}, 1)
	if err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("a ring in one class: %v", err)
	}
}

// Without a draw nothing would be checked, and a cycle would pass.
func TestCheckWantsADraw(t *testing.T) {
	n := network(t, small["ring"])
	f, err := newDimOrder(n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, draws := range []int{-1, 0} {
		if err := CheckDependencies(n, f, draws); err == nil || !strings.Contains(err.Error(), "at least 1") {
			t.Errorf("%d draws: %v", draws, err)
		}
	}
	if err := CheckDependencies(n, f, 1); err != nil {
		t.Error(err)
	}
}

// TestFollowAgrees holds the paths of idle networks against the check of all that packets may do.
func TestFollowAgrees(t *testing.T) {
	for name, spec := range small {
		n := network(t, spec)
		f, err := New(n, "minimal", Options{})
		if err != nil {
			t.Fatal(err)
		}
		ends := len(homes(n))
		if pairs, err := Follow(n, f, 1<<30, nil); err != nil || pairs != ends*(ends-1) {
			t.Errorf("%s: %d pairs of %d ends: %v", name, pairs, ends, err)
		}
		if pairs, err := Follow(n, f, ends, nil); err != nil || pairs > 2*ends {
			t.Errorf("%s: %d pairs of %d ends, where %d are asked for: %v", name, pairs, ends, ends, err)
		}
		dead := n.Fail(nil, []int32{n.Vertex[n.Home[0]]})
		if _, err := Follow(dead, f, 1<<30, nil); err == nil != (CheckDependencies(dead, f, 1) == nil) {
			t.Errorf("%s with a failed router: %v", name, err)
		}
	}
	n := network(t, small["ring"])
	f, err := newDimOrder(n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Follow(n, &oneRing{*f.(*dimOrder)}, 1<<30, nil)
	if err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("a ring in one class: %v", err)
	}
	none := func(int32, int32) bool { return false }
	if pairs, err := Follow(n, f, 1<<30, none); err != nil || pairs != 0 {
		t.Errorf("no pair is joined: %d, %v", pairs, err)
	}
}

// TestMinimalPathsAreShortest compares the lengths of paths with a search.
func TestMinimalPathsAreShortest(t *testing.T) {
	for name, spec := range small {
		n := network(t, spec)
		c := topology.NewCSR(n.Graph)
		dist := make([]int32, c.Vertices())
		for _, fn := range []string{
			"dor", "bubble", "minimal", "min-adaptive", "min-ad", "dal", "dal-hops", "tree",
			"safety-vector",
		} {
			if !slices.Contains(fits(spec), fn) {
				continue
			}
			if strings.Contains(spec.Family(), "dragonfly") {
				continue // minimal there is over one global channel
			}
			f, err := New(n, fn, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, src := range homes(n) {
				want := searchFrom(n, src, dist)
				for _, dst := range homes(n) {
					path, err := Path(n, f, src, dst, 1, nil)
					if err != nil {
						t.Fatalf("%s %s: %v", name, fn, err)
					}
					if len(path) != int(want[dst]) {
						t.Fatalf("%s %s: %d hops from %s to %s, %d suffice", name, fn, len(path), n.Label(src),
							n.Label(dst), want[dst])
					}
				}
			}
		}
	}
}

// searchFrom is a plain breadth-first search over routers.
func searchFrom(n *Network, src int32, _ []int32) []int32 {
	dist := make([]int32, n.Routers())
	for r := range dist {
		dist[r] = -1
	}
	dist[src] = 0
	queue := []int32{src}
	for i := 0; i < len(queue); i++ {
		r := queue[i]
		if n.Ends != nil && n.Ends[r] && r != src {
			continue
		}
		for c := n.First[r]; c < n.First[r+1]; c++ {
			if to := n.To[c]; dist[to] < 0 && n.Works(c) {
				dist[to] = dist[r] + 1
				queue = append(queue, to)
			}
		}
	}
	return dist
}

// TestPathsArriveOverExistingChannels follows every function on every network,
// from channel to channel.
func TestPathsArriveOverExistingChannels(t *testing.T) {
	for name, spec := range small {
		n := network(t, spec)
		for _, fn := range fits(spec) {
			if oneWay(spec) && fn == "updown" {
				continue
			}
			f, err := New(n, fn, Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, src := range homes(n) {
				for _, dst := range homes(n) {
					path, err := Path(n, f, src, dst, 7, nil)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					at := src
					for _, c := range path {
						if n.From[c] != at {
							t.Fatalf("%s %s: a path that jumps", name, fn)
						}
						at = n.To[c]
					}
					if at != dst {
						t.Fatalf("%s %s: ends at %s", name, fn, n.Label(at))
					}
				}
			}
		}
	}
}

// TestDistancesOfDirectedGraphs holds the table of simplex links against a search.
func TestNearerChannelsAgainstSearch(t *testing.T) {
	for name, spec := range small {
		n := network(t, spec)
		d, err := newDistances(n, homes(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, dst := range homes(n) {
			for at := range int32(n.Routers()) {
				from := searchFrom(n, at, nil)
				if n.Ends != nil && n.Ends[at] && at != dst && from[dst] < 0 {
					continue
				}
				var want []int32
				for c := n.First[at]; c < n.First[at+1]; c++ {
					next := n.To[c]
					if n.Ends != nil && n.Ends[next] && next != dst {
						continue
					}
					if x := searchFrom(n, next, nil)[dst]; at != dst && x >= 0 && x == from[dst]-1 {
						want = append(want, c)
					}
				}
				if at == dst {
					continue
				}
				if got := d.channels(at, dst, nil); !slices.Equal(got, want) {
					t.Fatalf("%s: from %s to %s by %v, expected %v", name, n.Label(at), n.Label(dst), got, want)
				}
			}
		}
	}
}

// TestFailures: with failed links, what claims to deliver every connected pair
// does, in legal paths, and the safety vectors keep their guarantee.
func TestFailures(t *testing.T) {
	for _, name := range []string{
		"torus", "hyperx", "butterfly", "dragonfly", "thinTree", "fatTree3", "random",
		"rails",
	} {
		whole := network(t, small[name])
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 3))
			n := whole.Fail(drawLinks(whole, rng, 0.15), nil)
			for _, fn := range []string{"updown", "minimal", "min-adaptive", "safety-vector-escape"} {
				if fn == "safety-vector-escape" && !strings.Contains("hyperx butterfly", name) {
					continue
				}
				f, err := New(n, fn, Options{})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for _, src := range homes(n) {
					dist := searchFrom(n, src, nil)
					for _, dst := range homes(n) {
						path, err := Path(n, f, src, dst, 1, nil)
						if (err == nil) != (dist[dst] >= 0) {
							t.Fatalf("%s %s: %s to %s: %v, though the distance is %d", name, fn, n.Label(src),
								n.Label(dst), err, dist[dst])
						}
						for _, c := range path {
							if n.Dead[c] {
								t.Fatalf("%s %s: over a failed channel", name, fn)
							}
						}
					}
				}
			}
		}
	}
}

func drawLinks(n *Network, rng *rand.Rand, share float64) []int32 {
	var out []int32
	seen := map[int32]bool{}
	for _, l := range n.Link {
		if !seen[l] {
			seen[l] = true
			if rng.Float64() < share {
				out = append(out, l)
			}
		}
	}
	return out
}

// TestSafetyVectorsGuarantee: bit k of a router promises a minimal path to all
// routers k dimensions away (I. Snir, "HyperX", 2021, section 5.3).
func TestSafetyVectorsGuarantee(t *testing.T) {
	for _, dims := range []topology.Ints{{4, 3, 3, 3}, {2, 2, 2, 2}, {5, 4, 3}} {
		whole := network(t, topology.HyperX{Dims: dims, Terminals: 1})
		for seed := range uint64(6) {
			n := whole.Fail(drawLinks(whole, rand.New(rand.NewPCG(seed, 9)), 0.02*float64(seed)), nil)
			f, err := newSafety(n, false, false)
			if err != nil {
				t.Fatal(err)
			}
			s := f.(*safety)
			promised := 0
			for src := range int32(n.Routers()) {
				for dst := range int32(n.Routers()) {
					k := s.HopCount(src, dst)
					if k == 0 || s.vectors[src]>>k&1 == 0 {
						continue
					}
					promised++
					path, err := Path(n, f, src, dst, 1, nil)
					if err != nil || len(path) != k {
						t.Fatalf("%v: %s promises %s in %d hops: %d, %v", dims, n.Label(src), n.Label(dst), k,
							len(path), err)
					}
				}
			}
			if promised == 0 {
				t.Errorf("%v, seed %d: no promise was tried", dims, seed)
			}
		}
	}
}

func TestSplit(t *testing.T) {
	n := network(t, small["hyperx"])
	for _, c := range []struct {
		fn   string
		vcs  int
		want string
	}{
		{"dal", 4, "[{0 1} {1 4}]"},
		{"dal", 1, "[]"},
		{"dor", 3, "[{0 3}]"},
		{"valiant", 5, "[{0 2} {2 5}]"},
	} {
		f, err := New(n, c.fn, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(Split(f, c.vcs)); got != c.want {
			t.Errorf("%s with %d: %s, expected %s", c.fn, c.vcs, got, c.want)
		}
	}
}

func TestUnfitFunctionsAreRefused(t *testing.T) {
	for name, spec := range small {
		n := network(t, spec)
		for _, info := range Functions() {
			_, err := New(n, info.Name, Options{})
			fit := slices.Contains(fits(spec), info.Name) && !(oneWay(spec) && info.Name == "updown")
			if fit && err != nil {
				t.Errorf("%s %s: %v", name, info.Name, err)
			}
			if !fit && err == nil {
				t.Errorf("%s takes %s", name, info.Name)
			}
		}
	}
	if _, err := New(network(t, small["ring"]), "dorr", Options{}); err == nil ||
		!strings.Contains(err.Error(), "dor") {
		t.Errorf("a misspelt name: %v", err)
	}
}

// TestTablesOfManyRouters compares the table of 4,096 routers with searches from
// some of them.
func TestTablesOfManyRouters(t *testing.T) {
	n := network(t, topology.RandomRegular{Nodes: 4096, Degree: 16, Seed: 1})
	d, err := newDistances(n, homes(n))
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []int32{0, 17, 4095} {
		for to, want := range searchFrom(n, from, nil) {
			if got := d.HopCount(from, int32(to)); got != int(want) {
				t.Fatalf("%d hops from %d to %d, expected %d", got, from, to, want)
			}
		}
	}
}

func BenchmarkTable(b *testing.B) {
	for _, routers := range []int{4096, 32768} {
		b.Run(strconv.Itoa(routers), func(b *testing.B) {
			n := network(b, topology.RandomRegular{Nodes: routers, Degree: 16, Seed: 1})
			for b.Loop() {
				if _, err := newDistances(n, homes(n)); err != nil {
					b.Fatal(err)
				}
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
		})
	}
}
