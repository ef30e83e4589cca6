package topology_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// A property checks what holds for a family only.
type property func(graphtest.T, topology.Params, topology.Graph)

// propertyOf is the property of a family whose parameters are of type P.
func propertyOf[P topology.Params](check func(graphtest.T, P, topology.Graph)) property {
	return func(t graphtest.T, s topology.Params, g topology.Graph) { check(t, s.(P), g) }
}

var properties = map[string]property{
	"torus":               propertyOf(checkTorus),
	"mesh":                propertyOf(checkMesh),
	"hypercube":           propertyOf(checkHypercube),
	"ibt":                 propertyOf(checkIBT),
	"pec":                 propertyOf(checkPEC),
	"srt":                 propertyOf(checkSRT),
	"rdt":                 propertyOf(checkRDT),
	"ccc":                 propertyOf(checkCCC),
	"barrel-shifter":      propertyOf(checkBarrelShifter),
	"de-bruijn":           propertyOf(checkDeBruijn),
	"hybrid-fat-tree":     propertyOf(checkHybridFatTree),
	"clex":                propertyOf(checkCLEX),
	"hyperx":              propertyOf(checkHyperX),
	"flattened-butterfly": propertyOf(checkFlattenedButterfly),
	"k-ary-n-tree":        propertyOf(checkKAryNTree),
	"thin-tree":           propertyOf(checkThinTree),
	"fat-tree":            propertyOf(checkFatTree),
	"folded-clos":         propertyOf(checkFoldedClos),
	"dragonfly":           propertyOf(checkDragonfly),
	"file": propertyOf(func(t graphtest.T, _ graphio.File, g topology.Graph) {
		t.Helper()
		graphtest.Equal(t, "links", topology.Count(g).Links, int64(topology.Vertices(g)-1))
	}),
}

// TestProperties checks random members of every family.
func TestProperties(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			check := properties[f.Name]
			if check == nil {
				t.Fatalf("properties in topology/families_test.go has no check of the family %s; add one", f.Name)
			}
			rapid.Check(t, func(t *rapid.T) {
				s, g := graphtest.Member(t, f.Name, 3000)
				if g.Family() != f.Name {
					t.Fatalf("family %q", g.Family())
				}
				if pieces := graphtest.Pieces(t, g); pieces > 1 && !inPieces[f.Name] {
					t.Fatalf("%+v: in %d pieces", s, pieces)
				}
				if topology.Vertices(g) <= 700 {
					checkDeclared(t, g)
				}
				bare := withoutTerminals(s)
				if bare == nil {
					check(t, s, g)
					return
				}
				base, err := topology.New(bare)
				if err != nil {
					t.Fatal(err)
				}
				check(t, bare, base)
				checkTerminals(t, base, g)
			})
		})
	}
}

// withoutTerminals is the parameters of a direct network with nodes on its routers without these; nil for others.
func withoutTerminals(s topology.Params) topology.Params {
	v := reflect.New(reflect.TypeOf(s)).Elem()
	v.Set(reflect.ValueOf(s))
	n := v.FieldByName("Terminals")
	if !n.IsValid() || n.IsZero() {
		return nil
	}
	n.SetZero()
	bare := v.Interface().(topology.Params)
	if g, err := topology.New(bare); err != nil || g.Kinds()[0].Role != topology.Node {
		return nil
	}
	return bare
}

// checkTerminals holds a network with nodes on its routers against that without: the links of the routers, in the same
// order and on the same levels, and in most families on the same ports; every node on its switch.
func checkTerminals(t graphtest.T, base, g topology.Graph) {
	t.Helper()
	routers := topology.Vertices(base)
	kinds, levels := g.Kinds(), g.Levels()
	if kinds[0].Role != topology.Switch || kinds[0].Count != routers || kinds[1].Role != topology.Terminal {
		t.Fatalf("%+v are not %d switches and their nodes", kinds, routers)
	}
	each := kinds[1].Count / routers
	on := make([]int, routers)
	var between []topology.Link
	for l := range g.Links() {
		if levels[l.Level].Name != "terminal" {
			between = append(between, l)
			continue
		}
		if at := (int(l.B) - routers) / each; int(l.A) != at {
			t.Fatalf("node %s is on switch %d, not on %d", g.Label(int(l.B)), l.A, at)
		}
		if want := g.Label(int(l.A)) + fmt.Sprintf(":%d", on[l.A]); g.Label(int(l.B)) != want {
			t.Fatalf("label %s, expected %s", g.Label(int(l.B)), want)
		}
		on[l.A]++
	}
	i := 0
	for want := range base.Links() {
		l := between[i]
		if l.A != want.A || l.B != want.B || l.Width != want.Width || l.Simplex != want.Simplex ||
			levels[l.Level].Name != base.Levels()[want.Level].Name {
			t.Fatalf("link %d is %+v, without terminals %+v", i, l, want)
		}
		i++
	}
	if i != len(between) {
		t.Fatalf("%d links between switches, without terminals %d", len(between), i)
	}
	for v := range routers {
		if on[v] != each || g.Label(v) != base.Label(v) {
			t.Fatalf("switch %s has %d nodes, expected %s with %d", g.Label(v), on[v], base.Label(v), each)
		}
	}
}

// TestCensus holds published figures, and cases at the edge, against the
// graphs.
func TestCensus(t *testing.T) {
	type spec = topology.Params
	type ints = topology.Ints
	tests := []struct {
		name string
		spec spec
		want string
	}{
		{
			"TPU v4: 64 racks of 4x4x4, 3-D torus",
			topology.Torus{Dims: ints{16, 16, 16}},
			"node 4096; dim1 4096, dim2 4096, dim3 4096",
		},
		{
			"torus with sides of 2 and 1",
			topology.Torus{Dims: ints{2, 3, 1}},
			"node 6; dim1 3, dim2 6, dim3 0",
		},
		{"torus of one node", topology.Torus{Dims: ints{1}}, "node 1; dim1 0"},
		{"mesh", topology.Mesh{Dims: ints{2, 3}}, "node 6; dim1 3, dim2 4"},
		{"hypercube", topology.Hypercube{Dims: ints{3}}, "node 8; dim1 4, dim2 4, dim3 4"},

		{
			"HyperX, Ahn et al. 2009, R=32 N=4096 beta=.5: 8,8,8 T=8",
			topology.HyperX{Dims: ints{8, 8, 8}, Terminals: 8},
			"switch 512, node 4096; terminal 4096, dim1 1792, dim2 1792, dim3 1792",
		},
		{
			"HyperX, Ahn et al. 2009, R=48 N=4096 beta=.5: 16,16 T=16",
			topology.HyperX{Dims: ints{16, 16}, Terminals: 16},
			"switch 256, node 4096; terminal 4096, dim1 1920, dim2 1920",
		},
		{
			"HyperX, Ahn et al. 2009, R=64 N=65536 beta=.5: 16,16,16 T=16",
			topology.HyperX{Dims: ints{16, 16, 16}, Terminals: 16},
			"switch 4096, node 65536; terminal 65536, dim1 30720, dim2 30720, dim3 30720",
		},
		{
			"HyperX, Ahn et al. 2009, R=64 N=131072 beta=.5: 7,7,14,14 K=2,2,1,1 T=14",
			topology.HyperX{Dims: ints{7, 7, 14, 14}, Widths: ints{2, 2, 1, 1}, Terminals: 14},
			"switch 9604, node 134456; terminal 134456, dim1 57624, dim2 57624, dim3 62426, dim4 62426",
		},

		{
			"4-ary 3-tree, Navaridas et al. 2010, Fig. 1a",
			topology.KAryNTree{Down: 4, Levels: 3},
			"leaf 16, spine 16, core 16, node 64; terminal 64, tier1 64, tier2 64",
		},
		{
			"4:2-ary 3-thin-tree, Navaridas et al. 2010, Fig. 1b",
			topology.ThinTree{Down: 4, Up: 2, Levels: 3},
			"leaf 16, spine 8, core 4, node 64; terminal 64, tier1 32, tier2 16",
		},
		{
			"tree of one switch",
			topology.KAryNTree{Down: 3, Levels: 1},
			"leaf 1, node 3; terminal 3",
		},
		{
			"tree of four levels",
			topology.KAryNTree{Down: 2, Levels: 4},
			"leaf 8, tier2 8, tier3 8, tier4 8, node 16; terminal 16, tier1 16, tier2 16, tier3 16",
		},

		{
			"NVIDIA DGX SuperPOD H100, 4 scalable units: 32 leaves, 16 spines, 1024 leaf-spine cables",
			topology.FatTree{Nodes: 127, Radix: 64, Rails: 8},
			"leaf 32, spine 16, node 127; terminal 1016, tier1 1024",
		},
		{
			"ATOP, SIGCOMM 2025, Table 7, 1024 GPUs: rail-optimised 3-tier fat tree, 160 switches, 3072 fibres",
			topology.FatTree{Nodes: 128, Radix: 32, Rails: 8, Tiers: 3},
			"leaf 64, spine 64, core 32, node 128; terminal 1024, tier1 1024, tier2 1024",
		},
		{
			"Oracle Exadata, eight racks of 22 servers: 16 leaves, 8 spines, one link for each pair",
			topology.FatTree{Nodes: 176, Radix: 36, Down: 22, Up: 8, Rails: 2, Spines: 8},
			"leaf 16, spine 8, node 176; terminal 352, tier1 128",
		},
		{
			"largest 3-tier fat tree of radix 4: Al-Fares et al., SIGCOMM 2008, Fig. 3",
			topology.FatTree{Nodes: 16, Radix: 4, Tiers: 3},
			"leaf 8, spine 8, core 4, node 16; terminal 16, tier1 16, tier2 16",
		},
		{
			"largest 2-tier fat tree of radix 36",
			topology.FatTree{Nodes: 648, Radix: 36},
			"leaf 36, spine 18, node 648; terminal 648, tier1 648",
		},
		{
			"fat tree of one node",
			topology.FatTree{Nodes: 1, Radix: 2},
			"leaf 1, spine 1, node 1; terminal 1, tier1 1",
		},

		{
			"dragonfly, Kim et al. 2008, p=h=2 a=4",
			topology.Dragonfly{P: 2, A: 4, H: 2},
			"switch 36, node 72; terminal 72, local 54, global 36",
		},
		{
			"ATOP, SIGCOMM 2025, Table 7, 1024 GPUs: dragonfly a=2p=2h p=4, 264 switches, 1980 copper, 528 fibres",
			topology.Dragonfly{P: 4, A: 8, H: 4},
			"switch 264, node 1056; terminal 1056, local 924, global 528",
		},
		{
			"dragonfly with as many links per pair as fit",
			topology.Dragonfly{P: 1, A: 4, H: 4, LinksPerPair: 5},
			"switch 16, node 16; terminal 16, local 24, global 30",
		},
		{
			"dragonfly of one group",
			topology.Dragonfly{P: 1, A: 3, H: 1, Groups: 1},
			"switch 3, node 3; terminal 3, local 3, global 0",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { graphtest.CheckCounts(t, tt.spec, tt.want) })
	}
}

// diameter is the longest of the shortest paths between vertices below n.
func diameter(g topology.Graph, n int) int32 {
	c := topology.NewCSR(g)
	dist := make([]int32, c.Vertices())
	var queue []int32
	longest := int32(0)
	for v := range n {
		queue = topology.HopDistances(c, v, dist, queue)
		for _, d := range dist[:n] {
			longest = max(longest, d)
		}
	}
	return longest
}
