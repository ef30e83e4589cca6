package topology_test

import (
	"testing"

	"plenum/topology"
)

// BenchmarkLinks generates the links of large members of the families.
func BenchmarkLinks(b *testing.B) {
	tests := []struct {
		name string
		spec topology.Spec
	}{
		{"torus 100x100x100", topology.Spec{Family: "torus", Dims: topology.Ints{100, 100, 100}}},
		{"torus 16^5", topology.Spec{Family: "torus", Dims: topology.Ints{16, 16, 16, 16, 16}}},
		{"torus 2x2x262144", topology.Spec{Family: "torus", Dims: topology.Ints{2, 2, 1 << 18}}},
		{"hypercube 20", topology.Spec{Family: "hypercube", Dims: topology.Ints{20}}},
		{"ibt 30x30x36 <6,12>", topology.Spec{Family: "ibt", Dims: topology.Ints{30, 30, 36}, BypassDims: 3, BypassLengths: topology.Ints{6, 12}}},
		{"ibt 8x8x8x8x8x8 <4,4>", topology.Spec{Family: "ibt", Dims: topology.Ints{8, 8, 8, 8, 8, 8}, BypassDims: 2, BypassLengths: topology.Ints{4, 4}}},
		{"pec 256x128", topology.Spec{Family: "pec", Dims: topology.Ints{256, 128}}},
		{"srt 1024x1024", topology.Spec{Family: "srt", Dims: topology.Ints{1024, 1024}}},
		{"rdt 1024x1024", topology.Spec{Family: "rdt", Dims: topology.Ints{1024, 1024}}},
		{"ccc 16", topology.Spec{Family: "ccc", Dims: topology.Ints{16}}},
		{"barrel-shifter 2^20", topology.Spec{Family: "barrel-shifter", Nodes: 1 << 20}},
		{"de-bruijn 4,10", topology.Spec{Family: "de-bruijn", Base: 4, Digits: 10}},
		{"hybrid-fat-tree 2^20", topology.Spec{Family: "hybrid-fat-tree", Nodes: 1 << 20}},
		{"clex 32,4", topology.Spec{Family: "clex", Clique: 32, Levels: 4}},
		{"clex 32,4 bundled", topology.Spec{Family: "clex", Clique: 32, Levels: 4, Bundled: true}},
		{"hyperx 16x16x16 T=16", topology.Spec{Family: "hyperx", Dims: topology.Ints{16, 16, 16}, Terminals: 16}},
		{"hyperx 1024 T=1", topology.Spec{Family: "hyperx", Dims: topology.Ints{1024}, Terminals: 1}},
		{"thin-tree 16:8,4", topology.Spec{Family: "thin-tree", Down: 16, Up: 8, Levels: 4}},
		{"fat-tree 65536 radix 64", topology.Spec{Family: "fat-tree", Nodes: 65536, Radix: 64, Tiers: 3}},
		{"fat-tree 127x8 radix 64", topology.Spec{Family: "fat-tree", Nodes: 127, Radix: 64, Rails: 8}},
		{"dragonfly 16,32,16", topology.Spec{Family: "dragonfly", P: 16, A: 32, H: 16}},
	}
	for _, tt := range tests {
		b.Run(tt.name, func(b *testing.B) {
			g := mustNew(b, tt.spec)
			links, sum := 0, int64(0)
			b.ReportAllocs()
			for b.Loop() {
				for l := range g.Links() {
					links++
					sum += int64(l.A) ^ int64(l.PortB)
				}
			}
			b.ReportMetric(float64(links)/b.Elapsed().Seconds(), "links/s")
			_ = sum
		})
	}
}
