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
