package topology_test

import (
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
)

// large is a large member of every family that computes its links, and further
// ones of other shapes.
var large = []struct {
	name string
	spec topology.Params
}{
	{"torus 100x100x100", topology.Torus{Dims: topology.Ints{100, 100, 100}}},
	{"torus 16^5", topology.Torus{Dims: topology.Ints{16, 16, 16, 16, 16}}},
	{"torus 2x2x262144", topology.Torus{Dims: topology.Ints{2, 2, 1 << 18}}},
	{"mesh 100x100x100", topology.Mesh{Dims: topology.Ints{100, 100, 100}}},
	{"hypercube 18", topology.Hypercube{Dims: topology.Ints{18}}},
	{
		"ibt 120x120x72 <6,12>",
		topology.IBT{Dims: topology.Ints{120, 120, 72}, BypassDims: 3, BypassLengths: topology.Ints{6, 12}},
	},
	{
		"ibt 8x8x8x8x8x8 <4,4>",
		topology.IBT{Dims: topology.Ints{8, 8, 8, 8, 8, 8}, BypassDims: 2, BypassLengths: topology.Ints{4, 4}},
	},
	{"pec 1024x1024", topology.PEC{Dims: topology.Ints{1024, 1024}}},
	{"srt 1024x1024", topology.SRT{Dims: topology.Ints{1024, 1024}}},
	{"rdt 1024x1024", topology.RDT{Dims: topology.Ints{1024, 1024}}},
	{"ccc 16", topology.CCC{Dims: topology.Ints{16}}},
	{"barrel-shifter 2^18", topology.BarrelShifter{Nodes: 1 << 18}},
	{"de-bruijn 4,10", topology.DeBruijn{Base: 4, Digits: 10}},
	{"hybrid-fat-tree 2^20", topology.HybridFatTree{Nodes: 1 << 20}},
	{"clex 32,3", topology.CLEX{Clique: 32, Levels: 3}},
	{"clex 16,5 bundled", topology.CLEX{Clique: 16, Levels: 5, Bundled: true}},
	{"hyperx 32x32x32 T=16", topology.HyperX{Dims: topology.Ints{32, 32, 32}, Terminals: 16}},
	{"hyperx 2048 T=1", topology.HyperX{Dims: topology.Ints{2048}, Terminals: 1}},
	{"flattened-butterfly 32^3", topology.FlattenedButterfly{Dims: topology.Ints{32, 32, 32}, Terminals: 32}},
	{"k-ary-n-tree 64,3", topology.KAryNTree{Down: 64, Levels: 3}},
	{"thin-tree 32:16,4", topology.ThinTree{Down: 32, Up: 16, Levels: 4}},
	{"fat-tree 524288 radix 128", topology.FatTree{Nodes: 1 << 19, Radix: 128, Tiers: 3}},
	{"fat-tree 127x8 radix 64", topology.FatTree{Nodes: 127, Radix: 64, Rails: 8}},
	{"dragonfly 16,32,16", topology.Dragonfly{P: 16, A: 32, H: 16}},
	{"dragonfly 200 local ports", topology.Dragonfly{LocalPorts: 200, LinksPerPair: 20}},
	{"dragonfly-plus 16,32,32", topology.DragonflyPlus{P: 16, A: 32, H: 32}},
	{"moore hoffman-singleton", topology.Moore{Graph: "hoffman-singleton"}},
	{"slim-fly 127 T=95", topology.SlimFly{Q: 127, Terminals: 95}},
	{"slim-fly 128", topology.SlimFly{Q: 128}},
	{"polarfly 211 T=100", topology.PolarFly{Q: 211, Terminals: 100}},
	{"polarfly 243", topology.PolarFly{Q: 243}},
	{"angelfish 23", topology.Angelfish{Q: 23}},
	{"angelfish 25 lite", topology.Angelfish{Q: 25, Variant: "lite"}},
	{"angelfish 5 mesh", topology.Angelfish{Q: 5, Variant: "mesh"}},
	{"flying-fish 20", topology.FlyingFish{Side: 20}},
	{"flying-fish 30 lite", topology.FlyingFish{Side: 30, Variant: "lite"}},
	{"random-regular 2^18 x 16", topology.RandomRegular{Nodes: 1 << 18, Degree: 16}},
	{"rail-only 32768x8 radix 64", clusters.RailOnly{Nodes: 1 << 15, Rails: 8, Radix: 64}},
	{"rail-only 128x512 radix 128", clusters.RailOnly{Nodes: 128, Rails: 512, Radix: 128}},
	{"bcube 32,4", clusters.BCube{Radix: 32, Levels: 4}},
	{"bcube 2,18", clusters.BCube{Radix: 2, Levels: 18}},
	{"dcell 6,4", clusters.DCell{Radix: 6, Levels: 4}},
	{"hammingmesh 256x256 4x4", clusters.HammingMesh{Dims: topology.Ints{256, 256}, Board: topology.Ints{4, 4}}},
	{"hammingmesh 1024x1024 1x1", clusters.HammingMesh{Dims: topology.Ints{1024, 1024}, Board: topology.Ints{1, 1}}},
}

// BenchmarkLinks generates the links of large members of the families, which
// should be at least 20 million links a second.
func BenchmarkLinks(b *testing.B) {
	left := make(map[string]bool)
	for _, f := range topology.Families() {
		left[f.Name] = f.Name != "file"
	}
	for _, tt := range large {
		left[tt.spec.Family()] = false
		b.Run(tt.name, func(b *testing.B) {
			g := graphtest.New(b, tt.spec)
			links, sum := 0, int64(0)
			b.ReportAllocs()
			for b.Loop() {
				for l := range g.Links() {
					links++
					sum += int64(l.A) ^ int64(l.PortB)
				}
			}
			b.ReportMetric(float64(links)/b.Elapsed().Seconds(), "links/s")
			b.ReportMetric(float64(links)/float64(b.N), "links")
			_ = sum
		})
	}
	for name, missing := range left {
		if missing {
			b.Errorf("%s: no benchmark", name)
		}
	}
}
