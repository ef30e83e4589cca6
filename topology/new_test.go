package topology_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
)

// strange is parameters of a family that is not registered.
type strange string

func (s strange) Family() string                          { return string(s) }
func (s strange) Build(*topology.Mistakes) topology.Graph { return nil }

// read reads a topology section.
func read(t *testing.T, text string) topology.Spec {
	t.Helper()
	var s topology.Spec
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMistakes also shows that absurd parameters cost no time or memory.
func TestMistakes(t *testing.T) {
	type spec = topology.Params
	type ints = topology.Ints
	const huge = math.MaxInt
	tests := []struct {
		spec spec
		want []string // each error with what it says
	}{
		{topology.Spec{}, []string{"family: is missing; the families are torus, mesh"}},
		{strange("Tours"), []string{`family: there is no family "Tours"; did you mean "torus"?`}},
		{strange("fattree"), []string{`did you mean "fat-tree"?`}},
		{strange("dragon-fly"), []string{`did you mean "dragonfly"?`}},
		{topology.Torus{}, []string{"torus: dims: is missing: the number of points in each dimension"}},
		{topology.Torus{Dims: ints{}}, []string{"torus: dims: is missing"}},
		{
			read(t, `{"family": "torus", "dims": [4, 0, -2], "tiers": 3, "radix": 5}`),
			[]string{
				"torus: radix: is not a parameter",
				"torus: tiers: is not a parameter of this family, which takes dims",
				"torus: dims[1]: a side has at least 1 point, not 0",
				"torus: dims[2]: a side has at least 1 point, not -2",
			},
		},
		{
			topology.Mesh{Dims: ints{1 << 16, 1 << 15}},
			[]string{
				"mesh: dims: leads to 2147483648 vertices, which would take about 140 GB of memory and 1.8 minutes; " +
					"the most possible is 2147483647",
			},
		},
		{topology.Torus{Dims: ints{huge, huge, huge}}, []string{"torus: dims: leads to far too many vertices"}},

		{
			topology.Hypercube{Dims: ints{31}},
			[]string{"hypercube: dims[0]: a hypercube has from 1 to 30 dimensions, not 31"},
		},
		{topology.Hypercube{Dims: ints{2, 2}}, []string{"hypercube: dims: a hypercube takes one number"}},

		{
			topology.IBT{Dims: ints{30, 30, 36}, BypassDims: 3, BypassLengths: ints{6, 9}},
			[]string{"ibt: bypass_lengths[1]: bypass length 9 is not divisible by bypass_dims x number of lengths = 6"},
		},
		{
			topology.IBT{Dims: ints{30, 32, 7}, BypassDims: 2, BypassLengths: ints{4, 8}},
			[]string{"ibt: dims[0]: side 30 is not divisible by bypass_dims x number of lengths = 4"},
		},
		{
			topology.IBT{Dims: ints{32, 32}, BypassDims: 2, BypassLengths: ints{32}},
			[]string{"ibt: bypass_lengths[0]: must be from 2 to 2 less than the shortest side with bypass rings, " +
				"which is 32, not 32"},
		},
		{topology.IBT{Dims: ints{32}, BypassDims: 1, BypassLengths: ints{huge, -4, 0}}, []string{
			"ibt: dims[0]: side 32",
			"ibt: bypass_lengths[0]: bypass length 9223372036854775807", "ibt: bypass_lengths[1]: bypass length -4",
			"bypass_lengths[2]: must be",
		}},
		{
			topology.IBT{Dims: ints{32}, BypassDims: huge, BypassLengths: ints{4}},
			[]string{"ibt: bypass_dims: must be from 1 to the 1 dimension, not 9223372036854775807"},
		},
		{topology.IBT{Dims: ints{huge, 4}, BypassDims: -1}, []string{
			"bypass_lengths: is missing",
			"dims: leads to far too many", "bypass_dims: must be from 1 to the 2 dimensions, not -1",
		}},
		{topology.SRT{Dims: ints{128, 64}}, []string{"srt: dims: the two sides must be equal, not 128 and 64"}},
		{
			topology.SRT{Dims: ints{huge, 3}},
			[]string{"srt: dims[0]: must be a power of two from 4 to 32768", "srt: dims[1]"},
		},
		{topology.SRT{Dims: ints{8, 8, 8}}, []string{"srt: dims: takes two sides, not 3"}},
		{
			topology.PEC{Dims: ints{128, 256}},
			[]string{"pec: dims: the first side must be equal to the second or twice it, not 128 to 256"},
		},
		{
			topology.RDT{Dims: ints{6, 0}},
			[]string{"rdt: dims[1]: a side has at least 1 point", "rdt: dims[0]: side 6 is not divisible by 4"},
		},
		{topology.RDT{Dims: ints{8}}, []string{"rdt: dims: takes two sides, not 1"}},
		{
			topology.CCC{Dims: ints{27}},
			[]string{"ccc: dims[0]: cube-connected cycles have from 3 to 26 dimensions, not 27"},
		},
		{topology.CCC{Dims: ints{3, 3}}, []string{"ccc: dims: takes one number"}},
		{
			topology.BarrelShifter{Nodes: huge},
			[]string{"barrel-shifter: nodes: must be a power of two from 2 to 1073741824, not 9223372036854775807"},
		},
		{topology.BarrelShifter{Nodes: -1}, []string{"barrel-shifter: nodes: must be a power of two"}},
		{
			read(t, `{"family": "hybrid-fat-tree", "nodes": 12, "radix": 4}`),
			[]string{
				"hybrid-fat-tree: radix: is not a parameter of this family, which takes nodes",
				"hybrid-fat-tree: nodes: must be a power of two",
			},
		},
		{topology.HybridFatTree{Nodes: 1}, []string{"hybrid-fat-tree: nodes: must be a power of two"}},
		{
			topology.DeBruijn{Base: huge, Digits: huge},
			[]string{"de-bruijn: base: must be from 2 to 32767", "de-bruijn: digits: must be from 1 to 30"},
		},
		{topology.DeBruijn{Base: 4, Digits: 16}, []string{"de-bruijn: digits: leads to 4294967296 vertices"}},
		{topology.CLEX{Clique: 32, Levels: huge}, []string{"clex: levels: must be from 1 to 30"}},
		{topology.CLEX{Clique: 32, Levels: 7}, []string{"clex: levels: leads to 34359738368 vertices"}},
		{topology.CLEX{Clique: 40000, Levels: 2}, []string{"clex: clique: leads to 80000 ports"}},
		{
			read(t, `{"family": "torus", "dims": [4], "bundled": true}`),
			[]string{"torus: bundled: is not a parameter of this family"},
		},

		{topology.HyperX{}, []string{
			"hyperx: dims: is missing",
			"hyperx: terminals: is missing: the number of nodes on each switch, at least 1",
		}},
		{
			topology.HyperX{Dims: ints{4, 4}, Widths: ints{0}, Terminals: -1},
			[]string{
				"hyperx: terminals: must be from 1 to 65535, not -1",
				"hyperx: widths: has 1 number for 2 dimensions",
				"hyperx: widths[0]: must be from 1 to 65535, not 0",
			},
		},
		{
			topology.HyperX{Dims: ints{70000}, Terminals: 1},
			[]string{"hyperx: dims: leads to 70000 ports on one vertex; the most possible is 65535"},
		},
		{
			topology.HyperX{Dims: ints{40000, 50000}, Terminals: 2},
			[]string{"ports on one vertex", "hyperx: terminals: leads to 6000000000 vertices"},
		},
		{
			read(t, `{"family": "flattened-butterfly", "dims": [4], "terminals": 1, "widths": [2]}`),
			[]string{"flattened-butterfly: widths: is not a parameter of this family, which takes dims and terminals"},
		},

		{
			read(t, `{"family": "k-ary-n-tree", "down": 4, "up": 4, "levels": 2}`),
			[]string{"k-ary-n-tree: up: is not a parameter"},
		},
		{
			topology.KAryNTree{Down: 1, Levels: huge},
			[]string{"down: must be from 2 to 65535, not 1", "levels: must be from 1 to 2147483647"},
		},
		{
			topology.KAryNTree{Down: 2, Levels: math.MaxInt32},
			[]string{"k-ary-n-tree: levels: leads to far too many vertices"},
		},
		{
			topology.ThinTree{Down: 4, Up: 5, Levels: 2},
			[]string{"thin-tree: up: must be from 1 to the 4 down ports, not 5"},
		},
		{topology.ThinTree{Down: 40000, Up: 40000, Levels: 2}, []string{"thin-tree: down: leads to 80000 ports"}},
		{topology.ThinTree{Down: 2, Up: 2, Levels: 30}, []string{"thin-tree: levels: leads to 17179869184 vertices"}},

		{topology.FatTree{}, []string{"fat-tree: nodes: is missing", "fat-tree: radix: is missing"}},
		{
			topology.FatTree{
				Nodes: huge, Radix: huge, Tiers: huge, Taper: math.NaN(), Down: huge, Up: -1, Rails: huge,
				Spines: huge, Cores: huge, PodUnits: huge,
			},
			[]string{
				"nodes: must be", "radix: must be", "tiers: must be from 2 to 3", "taper: must be above 0",
				"taper: follows from down and up",
				"down: must be", "up: must be", "rails: must be", "spines: must be", "cores: must be",
				"pod_units: must be",
			},
		},
		{
			topology.FatTree{Nodes: 9, Radix: 8, Cores: 1, PodUnits: 1},
			[]string{"cores: only a fat tree of 3 tiers", "pod_units: only"},
		},
		{
			topology.FatTree{Nodes: 9, Radix: 8, Down: 5, Up: 4},
			[]string{"fat-tree: down: a leaf of 8 ports has no room for 5 down and 4 up ports"},
		},
		{
			topology.FatTree{Nodes: 9, Radix: 8, Up: 8},
			[]string{"fat-tree: up: leaves no down port on a leaf of 8 ports"},
		},
		{
			topology.FatTree{Nodes: 9, Radix: 8, Taper: 0.1},
			[]string{"fat-tree: taper: leaves no down port on a leaf of 8 ports"},
		},
		{topology.FatTree{Nodes: 9, Radix: 65535, Taper: 1e-300}, []string{"fat-tree: taper: leaves no down port"}},
		{
			topology.FatTree{Nodes: 1000, Radix: 8},
			[]string{"fat-tree: nodes: too many for 2 tiers: 250 leaves with 4 up ports each need 125 spines of 8 " +
				"ports"},
		},
		{
			topology.FatTree{Nodes: 32, Radix: 8, Spines: 3},
			[]string{"fat-tree: spines: 8 leaves with 4 up ports each need at least 4 spines of 8 ports, not 3"},
		},
		{
			topology.FatTree{Nodes: 32, Radix: 8, Spines: 8},
			[]string{"fat-tree: spines: 8 leaves with 4 up ports each can use at most 7 spines, not 8"},
		},
		{
			topology.FatTree{Nodes: math.MaxInt32, Radix: 2, Rails: 65535},
			[]string{"fat-tree: nodes: leads to 140737488289792 vertices"},
		},
		{
			topology.FatTree{Nodes: math.MaxInt32, Radix: 65535, Tiers: 3},
			[]string{"fat-tree: nodes: leads to 2147549186 vertices"},
		},
		{
			topology.FatTree{Nodes: 64, Radix: 8, Tiers: 3, Spines: 5},
			[]string{"fat-tree: spines: a leaf with 4 up ports can reach at most 4 spines, not 5"},
		},
		{
			topology.FatTree{Nodes: 64, Radix: 8, Tiers: 3, PodUnits: 8},
			[]string{"fat-tree: pod_units: a pod of 8 leaves is too large for spines of 8 ports"},
		},
		{
			topology.FatTree{Nodes: 64, Radix: 8, Tiers: 3, PodUnits: math.MaxInt32, Rails: 65535},
			[]string{"fat-tree: pod_units: leads to 140735340806145 vertices"},
		},
		{
			topology.FatTree{Nodes: 64, Radix: 8, Tiers: 3, Rails: 9},
			[]string{"fat-tree: rails: a pod of 9 leaves is too large for spines of 8 ports"},
		},
		{
			topology.FatTree{Nodes: 64, Radix: 8, Tiers: 3, PodUnits: 4, Spines: 2},
			[]string{"fat-tree: spines: a pod of 4 leaves with 4 up ports each needs at least 3 spines of 8 ports, " +
				"not 2"},
		},
		{
			topology.FatTree{Nodes: 64, Radix: 8, Tiers: 3, Cores: 7},
			[]string{"fat-tree: cores: 16 spines with 4 up ports each need at least 8 cores of 8 ports, not 7"},
		},
		{
			topology.FatTree{Nodes: 64, Radix: 8, Tiers: 3, Cores: 32},
			[]string{"fat-tree: cores: a pod of 4 spines with 4 up ports each can use at most 31 cores, not 32"},
		},
		{
			topology.FatTree{Nodes: 1000, Radix: 8, Tiers: 3},
			[]string{"fat-tree: nodes: too many for 3 tiers: 252 spines in 63 pods with 4 up ports each need 126 " +
				"cores of 8 ports"},
		},

		{topology.Dragonfly{}, []string{
			"dragonfly: p: is missing", "dragonfly: a: is missing",
			"dragonfly: h: is missing",
		}},
		{
			topology.Dragonfly{P: huge, A: -1, H: huge, Groups: huge, LinksPerPair: huge},
			[]string{"p: must be", "a: must be", "h: must be", "groups: must be", "links_per_pair: must be"},
		},
		{
			topology.Dragonfly{P: 2, A: 4, H: 2, Groups: 10},
			[]string{"dragonfly: groups: a group has 8 global ports, too few for 1 link to each of 9 other groups"},
		},
		{
			topology.Dragonfly{P: 2, A: 4, H: 2, Groups: 5, LinksPerPair: 3},
			[]string{"dragonfly: links_per_pair: a group has 8 global ports, too few for 3 links to each of 4 other " +
				"groups"},
		},
		{
			topology.Dragonfly{P: 2, A: 4, H: 2, LinksPerPair: 9},
			[]string{"dragonfly: links_per_pair: a group has 8 global ports, too few for 9 links to another group"},
		},
		{topology.Dragonfly{LocalPorts: 3, LinksPerPair: 5, P: 1}, []string{"dragonfly: p: follows from local_ports"}},
		{
			topology.Dragonfly{LocalPorts: 3, LinksPerPair: 5},
			[]string{"dragonfly: links_per_pair: a group of 4 nodes has at most as many links to another, not 5"},
		},
		{
			topology.Dragonfly{LocalPorts: 50000, LinksPerPair: 20000},
			[]string{
				"dragonfly: local_ports: leads to 70000 ports",
				"dragonfly: local_ports: leads to 2500150002 vertices",
			},
		},
		{
			topology.DragonflyPlus{P: huge, A: -1, H: huge, Spines: huge, Groups: huge, LinksPerPair: huge},
			[]string{
				"p: must be", "a: must be", "spines: must be", "h: must be", "groups: must be",
				"links_per_pair: must be",
			},
		},
		{
			topology.DragonflyPlus{P: 60000, A: 60000, H: 60000},
			[]string{"p: leads to 120000 ports", "a: leads to 120000 ports"},
		},
		{
			topology.Moore{Graph: "peterson"},
			[]string{`moore: graph: must be one of pentagon, petersen and hoffman-singleton, not "peterson"; ` +
				`did you mean "petersen"?`},
		},
		{
			topology.Moore{Graph: "57"},
			[]string{`moore: graph: must be one of pentagon, petersen and hoffman-singleton, not "57"`},
		},
		{
			topology.SlimFly{Q: 6, Terminals: -1},
			[]string{"slim-fly: q: must be a power of a prime, not 6", "slim-fly: terminals: must be"},
		},
		{topology.SlimFly{Q: huge}, []string{"slim-fly: q: must be from 3 to 32768"}},
		{
			topology.SlimFly{Q: 32768, Terminals: 60000},
			[]string{"slim-fly: terminals: leads to 109152 ports", "slim-fly: q: leads to 128851166363648 vertices"},
		},
		{topology.PolarFly{Q: 1}, []string{"polarfly: q: must be from 2 to 32768, not 1"}},
		{topology.Angelfish{}, []string{"angelfish: q: is missing, and so is subnet: give one of them"}},
		{
			topology.Angelfish{Q: 5, Subnet: "petersen", Variant: "heavy"},
			[]string{
				"angelfish: subnet: is given, and so is q",
				"angelfish: variant: must be one of full, lite, mesh and l-mesh",
			},
		},
		{topology.Angelfish{Q: 32749}, []string{"angelfish: q: leads to 4600"}},
		{
			topology.FlyingFish{Side: huge, Variant: "mesh"},
			[]string{"flying-fish: side: must be from 2 to 65535", "variant: must be one of full and lite"},
		},
		{topology.FlyingFish{Side: 65535}, []string{"flying-fish: side: leads to far too many vertices"}},
		{
			topology.FatClique{Switches: 2, SubBlocks: 1, Blocks: 6, SubBlockPorts: 1, BlockPorts: 1},
			[]string{"fat-clique: p_c: joins nothing where s_b is 1; leave it out"},
		},
		{
			topology.FatClique{Switches: 2, SubBlocks: 4, Blocks: 20, BlockPorts: 2},
			[]string{
				"fat-clique: p_c: 2 switches of a sub-block with 0 ports each are too few for a link to each of 3",
				"p_b: 8 switches of a block with 2 ports each are too few for a link to each of 19 other blocks",
			},
		},
		{
			topology.RandomRegular{Nodes: 9, Degree: 9},
			[]string{"random-regular: degree: must be below the number of nodes, 9, not 9"},
		},
		{
			topology.RandomRegular{Nodes: 9, Degree: 3},
			[]string{"degree: 9 nodes of 3 ports leave a port over: one of the two must be even"},
		},
		{topology.RandomRegular{Nodes: 8, Degree: 1}, []string{"degree: 1 link on each cannot connect 8 nodes"}},
		{
			topology.RandomRegular{Nodes: math.MaxInt32, Degree: 60000},
			[]string{"degree: leads to 64424509410000 links; the most that can be drawn is 16777216"},
		},
		{topology.FoldedClos{Nodes: huge, Radix: 1, Tiers: -2, Taper: -1}, []string{
			"nodes: must be",
			"radix: must be from 2", "tiers: must be from 1 to 31", "taper: must be above 0",
		}},
		{
			topology.FoldedClos{Nodes: 100, Radix: 3},
			[]string{"folded-clos: radix: 100 nodes cannot be joined by switches of 3 ports at this taper, by any " +
				"number of tiers"},
		},
		{
			topology.FoldedClos{Nodes: 100, Radix: 8, Tiers: 2},
			[]string{"folded-clos: tiers: 2 tiers of switches with 8 ports have room for 32 nodes, not 100"},
		},
		{
			topology.FoldedClos{Nodes: 100, Radix: 8, Taper: .1},
			[]string{"folded-clos: taper: leaves no down port on a leaf of 8 ports"},
		},
		{topology.FoldedClos{Nodes: 1 << 30, Radix: 4, Tiers: 31}, []string{"folded-clos: nodes: leads to"}},
		{
			topology.Dragonfly{P: 2, A: 60000, H: 60000},
			[]string{"dragonfly: h: leads to 120001 ports", "dragonfly: groups: leads to 648000000180000 vertices"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.want[0], func(t *testing.T) {
			g, err := topology.New(tt.spec)
			if err == nil || g != nil {
				t.Fatalf("New returned %v, %v", g, err)
			}
			found := diag.Fields(err)
			lines := strings.Split(err.Error(), "\n")
			if len(found) != len(tt.want) || len(lines) != len(tt.want) {
				t.Fatalf("%d mistakes, expected %d:\n%v", len(found), len(tt.want), err)
			}
			for i, want := range tt.want {
				if !strings.Contains(lines[i], want) || found[i].Error() != lines[i] {
					t.Errorf("mistake %d: %s\nexpected %s", i, lines[i], want)
				}
			}
		})
	}
}

// TestLargest builds graphs near the limits; only New is called.
func TestLargest(t *testing.T) {
	for _, s := range []topology.Params{
		topology.Torus{Dims: topology.Ints{topology.MaxVertices}},
		topology.Hypercube{Dims: topology.Ints{30}},
		topology.IBT{Dims: topology.Ints{1 << 15, 1 << 15}, BypassDims: 2, BypassLengths: topology.Ints{1 << 14, 4}},
		topology.SRT{Dims: topology.Ints{1 << 15, 1 << 15}},
		topology.RDT{Dims: topology.Ints{1 << 15, 1<<16 - 4}},
		topology.CCC{Dims: topology.Ints{26}},
		topology.BarrelShifter{Nodes: 1 << 30},
		topology.HybridFatTree{Nodes: 1 << 30},
		topology.DeBruijn{Base: 2, Digits: 30},
		topology.CLEX{Clique: 40000, Levels: 2, Bundled: true},
		topology.CLEX{Clique: 2, Levels: 30},
		topology.HyperX{Dims: topology.Ints{32767, 2}, Terminals: 32766},
		topology.KAryNTree{Down: 2, Levels: 26},
		topology.FatTree{Nodes: 1 << 30, Radix: 4096, Tiers: 3},
		topology.FoldedClos{Nodes: 1 << 30, Radix: 4096},
		topology.FoldedClos{Nodes: 7, Radix: 4, Tiers: 20},
		topology.Dragonfly{P: 65, A: 130, H: 65},
		topology.Dragonfly{P: 1, A: 30000, H: 30000, Groups: 2, LinksPerPair: 30000 * 30000},
	} {
		if _, err := topology.New(s); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestFamilies checks that the documentation of the parameters agrees with the struct that
// holds them.
func TestFamilies(t *testing.T) {
	for _, f := range topology.Families() {
		if f.Doc == "" || f.Source == "" || len(f.Params) == 0 {
			t.Errorf("%s: incomplete", f.Name)
		}
		if f.Zero.Family() != f.Name {
			t.Errorf("%s: its parameters are of %q", f.Name, f.Zero.Family())
		}
		fields, taken := make(map[string]bool), make(map[string]bool)
		params := reflect.TypeOf(f.Zero)
		for i := range params.NumField() {
			tag := params.Field(i).Tag
			name, _, _ := strings.Cut(tag.Get("yaml"), ",")
			fields[name] = true
			if tag.Get("yaml") != name+",omitempty" || tag.Get("json") != tag.Get("yaml") {
				t.Errorf("%s: tags of %s: %s", f.Name, params.Field(i).Name, tag)
			}
		}
		for _, p := range f.Params {
			if p.Doc == "" {
				t.Errorf("%s: parameter %q is not documented", f.Name, p.Name)
			}
			taken[p.Name] = true
		}
		if diff := cmp.Diff(fields, taken); diff != "" {
			t.Errorf("%s: fields (-) and parameters documented (+):\n%s", f.Name, diff)
		}
	}
}

// TestKeys checks that the order of all parameters is that of every family, and that those of
// one name have one type.
func TestKeys(t *testing.T) {
	at := make(map[string]int)
	keys := topology.Keys()
	for i, k := range keys {
		at[k.Name] = i
	}
	if len(at) != len(keys) {
		t.Errorf("%d keys of %d names", len(keys), len(at))
	}
	for _, f := range topology.Families() {
		last := -1
		params := reflect.TypeOf(f.Zero)
		for i := range params.NumField() {
			name, _, _ := strings.Cut(params.Field(i).Tag.Get("yaml"), ",")
			k, ok := at[name]
			if !ok || k < last || keys[k].Type != params.Field(i).Type {
				t.Errorf("%s: %s is key %d after %d", f.Name, name, k, last)
			}
			last = k
		}
	}
}

func TestIntsJSON(t *testing.T) {
	tests := []struct {
		text string
		want topology.Ints // nil for an error
	}{
		{"[4,5]", topology.Ints{4, 5}},
		{" [] ", topology.Ints{}},
		{"7", topology.Ints{7}},
		{`"7"`, nil},
		{"1.5", nil},
		{`[1,"x"]`, nil},
	}
	for _, tt := range tests {
		var s topology.Spec
		err := json.Unmarshal([]byte(`{"family":"torus","dims":`+tt.text+`}`), &s)
		if (err == nil) != (tt.want != nil) || err == nil &&
			!cmp.Equal(s.Params, topology.Params(topology.Torus{Dims: tt.want})) {
			t.Errorf("%s: %v, %v", tt.text, s, err)
		}
	}
	var s topology.Spec
	if err := json.Unmarshal([]byte(`{"family":"torus","dims":null}`), &s); err != nil ||
		s.Params.(topology.Torus).Dims != nil {
		t.Errorf("null: %v, %v", s, err)
	}
}

func TestIntsYAML(t *testing.T) {
	// decode stands in for a YAML decoder at a node with the given value.
	decode := func(value any) func(any) error {
		return func(to any) error {
			text, err := json.Marshal(value)
			return errors.Join(err, json.Unmarshal(text, to))
		}
	}
	tests := []struct {
		value any
		want  topology.Ints // nil for an error
	}{
		{[]int{4, 5}, topology.Ints{4, 5}},
		{7, topology.Ints{7}},
		{"x", nil},
		{[]any{1, "x"}, nil},
	}
	for _, tt := range tests {
		var n topology.Ints
		err := n.UnmarshalYAML(decode(tt.value))
		if (err == nil) != (tt.want != nil) || err == nil && !cmp.Equal(n, tt.want) {
			t.Errorf("%v: %v, %v", tt.value, n, err)
		}
	}
}
