package clusters_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// TestCensus: published sizes.
func TestCensus(t *testing.T) {
	tests := []struct {
		name string
		spec topology.Params
		want string
	}{
		{
			"BCube_1 of n = 4, Guo et al. 2009, Fig. 1b",
			clusters.BCube{Radix: 4, Levels: 2},
			"switch 8, node 16; level0 16, level1 16",
		},
		{
			"BCube_3 of n = 8: 4096 servers",
			clusters.BCube{Radix: 8, Levels: 4},
			"switch 2048, node 4096; level0 4096, level1 4096, level2 4096, level3 4096",
		},
		{
			"DCell_1 of n = 4, Guo et al. 2008, Fig. 1",
			clusters.DCell{Radix: 4, Levels: 2},
			"switch 5, node 20; level0 20, level1 10",
		},
		{
			"DCell_3 of n = 6: 3.26 million servers",
			clusters.DCell{Radix: 6, Levels: 4},
			"switch 543907, node 3263442; level0 3263442, level1 1631721, level2 1631721, level3 1631721",
		},
		{
			"DCell_2 of n = 4: 420 servers, Guo et al. 2008",
			clusters.DCell{Radix: 4, Levels: 3},
			"switch 105, node 420; level0 420, level1 210, level2 210",
		},
		{"BCube(32,2), ATOP, SIGCOMM 2025, Table 7, 1024 GPUs: 64 switches of 32 ports, 1024 copper cables and 1024 " +
			"fibres", clusters.BCube{Radix: 32, Levels: 2}, "switch 64, node 1024; level0 1024, level1 1024"},
		{"ZCube(32,2), ATOP, SIGCOMM 2025, Table 7, 1024 GPUs: 64 switches of 64 ports, 1024 copper cables and 2048 " +
			"fibres", clusters.ZCube{Side: 32}, "leaf 32, spine 32, node 1024; terminal 2048, cross 1024"},
		{
			"SpiNNaker, 1200 boards: 20 x 20 triads",
			clusters.HexagonalTorus{Dims: topology.Ints{20, 20}, Triads: true},
			"node 1200; x 1200, y 1200, diagonal 1200",
		},
		{"HammingMesh of 16 x 16 boards of 2 x 2", clusters.HammingMesh{
			Dims:  topology.Ints{16, 16},
			Board: topology.Ints{2, 2},
		}, "switch 64, node 1024; board 1024, row 1024, column 1024"},
		{"HammingMesh of 64 x 64 boards of 2 x 2: 16,384 accelerators", clusters.HammingMesh{Dims: topology.Ints{
			64,
			64,
		}, Board: topology.Ints{2, 2}}, "switch 256, node 16384; board 16384, row 16384, column 16384"},
		{
			"rail-only, ATOP, SIGCOMM 2025, Table 7, 1024 GPUs: 96 switches of 32 ports, 2048 fibres",
			clusters.RailOnly{Nodes: 128, Rails: 8, Radix: 32},
			"leaf 64, spine 32, node 128; terminal 1024, tier1 1024",
		},
		{
			"rail-only, one switch a rail",
			clusters.RailOnly{Nodes: 64, Rails: 8, Radix: 64},
			"leaf 8, node 64; terminal 512",
		},
		{
			"rail-only, two tiers",
			clusters.RailOnly{Nodes: 128, Rails: 8, Radix: 64},
			"leaf 32, spine 16, node 128; terminal 1024, tier1 1024",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { graphtest.CheckCounts(t, tt.spec, tt.want) })
	}
}

// TestServerHops counts hops from server to server, whether by a switch or a
// cable, as the papers on server-centric networks do.
func TestServerHops(t *testing.T) {
	for _, tt := range []struct {
		name     string
		spec     topology.Params
		diameter int
		mean     string
	}{
		{"BCube_3 of n = 8, Guo et al. 2009: diameter k+1", clusters.BCube{Radix: 8, Levels: 4}, 4, "3.50"},
		{"DCell_2 of n = 4, Guo et al. 2008: mean 4.87", clusters.DCell{Radix: 4, Levels: 3}, 7, "4.87"},
		{"DCell_2 of n = 5, Guo et al. 2008: mean 5.22", clusters.DCell{Radix: 5, Levels: 3}, 7, "5.22"},
		{"DCell_2 of n = 6, Guo et al. 2008: mean 5.48", clusters.DCell{Radix: 6, Levels: 3}, 7, "5.48"},
	} {
		g := graphtest.New(t, tt.spec)
		c, first := topology.NewCSR(g), g.Kinds()[1].First
		dist := make([]int, c.Vertices()) // a switch is half way from server to server
		longest, sum := 0, 0
		for from := first; from < len(dist); from++ {
			for v := range dist {
				dist[v] = -1
			}
			dist[from] = 0
			now := []int32{int32(from)}
			for hops := 1; len(now) > 0; hops++ {
				var next []int32
				reach := func(v int32) {
					if dist[v] < 0 {
						dist[v] = hops
						next = append(next, v)
					}
				}
				for _, v := range now {
					for _, w := range c.Neighbours(int(v)) {
						if int(w) >= first {
							reach(w)
							continue
						}
						if dist[w] < 0 {
							dist[w] = hops
							for _, x := range c.Neighbours(int(w)) {
								reach(x)
							}
						}
					}
				}
				now = next
			}
			for _, d := range dist[first:] {
				longest = max(longest, d)
				sum += d
			}
		}
		n := float64(len(dist) - first)
		if mean := fmt.Sprintf("%.2f", float64(sum)/n/(n-1)); longest != tt.diameter || mean != tt.mean {
			t.Errorf("%s: diameter %d, mean %s", tt.name, longest, mean)
		}
	}
}

// Hoefler et al. 2022 give small HammingMeshes of about 1,000 accelerators the
// diameters 4, on boards of 2 x 2, and 8, on boards of 4 x 4.
func TestHammingMeshDiameter(t *testing.T) {
	for boards, want := range map[[2]int]int{{16, 2}: 4, {8, 4}: 8} {
		g := graphtest.New(t, clusters.HammingMesh{
			Dims:  topology.Ints{boards[0], boards[0]},
			Board: topology.Ints{boards[1], boards[1]},
		})
		if h := graphtest.Hops(t, g, measure.Terminals); h.Diameter != want || h.Count != 1024 {
			t.Errorf("%v: diameter %d of %d accelerators, expected %d", boards, h.Diameter, h.Count, want)
		}
	}
}

// TestRails: no switch of one rail is linked to one of another.
func TestRails(t *testing.T) {
	g := graphtest.New(t, clusters.RailOnly{Nodes: 100, Rails: 3, Radix: 16})
	rail := g.Groupings()[0]
	for l := range g.Links() {
		a, b := rail.Of(int(l.A)), rail.Of(int(l.B))
		if b < 0 {
			b = l.PortB // of a node
		}
		if a != b {
			t.Fatalf("%+v joins rails %d and %d", l, a, b)
		}
	}
}

// TestMistakes: everything that is wrong with parameters is reported in one run, and none takes long.
func TestMistakes(t *testing.T) {
	const huge = math.MaxInt
	type ints = topology.Ints
	for _, tt := range []struct {
		spec topology.Params
		want []string
	}{
		{
			clusters.RailOnly{Nodes: 9, Rails: 2, Radix: 8, Tiers: 1, Taper: 2},
			[]string{
				"rail-only: tiers: a rail of one switch with 8 ports has no room for 9 nodes",
				"taper: a rail of one switch has no ports to other switches",
			},
		},
		{clusters.RailOnly{Nodes: 1000, Rails: 2, Radix: 8}, []string{"rail-only: nodes: too many for 3 tiers"}},
		{clusters.BCube{Radix: huge, Levels: huge}, []string{"radix: must be", "levels: must be from 1 to 31"}},
		{clusters.BCube{Radix: 60000, Levels: 31}, []string{"bcube: levels: leads to far too many vertices"}},
		{clusters.DCell{Radix: 60000, Levels: 31}, []string{"dcell: levels: leads to 3600060000 vertices"}},
		{clusters.HammingMesh{Dims: ints{4}, Board: ints{0, huge}}, []string{
			"dims: takes two numbers, not 1",
			"board[0]: must be from 1 to 32767, not 0", "board[1]: must be",
		}},
		{
			clusters.HammingMesh{Dims: ints{30000, 30000}, Board: ints{30000, 30000}},
			[]string{"dims: leads to 810000000000000000 vertices"},
		},
		{clusters.HexagonalTorus{Dims: ints{2, huge}}, []string{
			"dims[0]: must be from 3 to 2147483647, not 2", "dims[1]: must be",
		}},
		{
			clusters.HexagonalTorus{Dims: ints{1 << 30, 1 << 30, 3}, Triads: true},
			[]string{"hexagonal-torus: dims: takes two numbers, not 3"},
		},
		{
			clusters.HexagonalTorus{Dims: ints{1 << 30, 1 << 30}, Triads: true},
			[]string{"hexagonal-torus: dims: leads to 3458764513820540928 vertices"},
		},
		{clusters.ZCube{Side: huge, Links: -1}, []string{"side: must be from 1 to 65535", "links: must be"}},
		{clusters.ZCube{Side: 60000, Links: 3}, []string{
			"zcube: side: leads to 240000 ports", "zcube: side: leads to 3600120000 vertices",
		}},
	} {
		g, err := topology.New(tt.spec)
		if err == nil || g != nil {
			t.Fatalf("New(%+v) returned %v, %v", tt.spec, g, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v\nexpected %s", tt.spec, err, want)
			}
		}
	}
}
