package graphtest

import (
	"testing"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
)

// small lists members, of up to 100 vertices, of every family but file; of some families several forms.
var small = []topology.Params{
	topology.Torus{Dims: topology.Ints{4, 3, 2}},
	topology.Torus{Dims: topology.Ints{5, 6}},
	topology.Torus{Dims: topology.Ints{9, 4}},
	topology.Mesh{Dims: topology.Ints{8, 3}},
	topology.Mesh{Dims: topology.Ints{3, 4, 2}},
	topology.Hypercube{Dims: topology.Ints{5}},
	topology.Torus{Dims: topology.Ints{4, 3}, Terminals: 2},
	topology.Mesh{Dims: topology.Ints{3, 4}, Terminals: 1},
	topology.CLEX{Clique: 3, Levels: 3, Bundled: true, Terminals: 2},
	topology.IBT{Dims: topology.Ints{8, 8}, BypassDims: 2, BypassLengths: topology.Ints{4}, Terminals: 1},
	clusters.HexagonalTorus{Dims: topology.Ints{3, 2}, Triads: true, Terminals: 2},
	topology.IBT{Dims: topology.Ints{8, 8}, BypassDims: 2, BypassLengths: topology.Ints{4}},
	topology.SRT{Dims: topology.Ints{8, 8}},
	topology.RDT{Dims: topology.Ints{8, 8}},
	topology.PEC{Dims: topology.Ints{8, 8}},
	topology.CCC{Dims: topology.Ints{3}},
	topology.BarrelShifter{Nodes: 16},
	topology.HybridFatTree{Nodes: 16},
	topology.DeBruijn{Base: 2, Digits: 4},
	topology.CLEX{Clique: 3, Levels: 3, Bundled: true},
	topology.CLEX{Clique: 4, Levels: 2, Bundled: true},
	topology.HyperX{Dims: topology.Ints{3, 3}, Terminals: 2},
	topology.FlattenedButterfly{Dims: topology.Ints{3, 3}, Terminals: 2},
	topology.KAryNTree{Down: 3, Levels: 2},
	topology.ThinTree{Down: 4, Up: 2, Levels: 2},
	topology.FatTree{Nodes: 16, Radix: 4, Tiers: 3},
	topology.FoldedClos{Nodes: 16, Radix: 4},
	topology.Dragonfly{P: 2, A: 4, H: 1},
	topology.DragonflyPlus{P: 2, A: 2, H: 2},
	topology.FatClique{Switches: 2, SubBlocks: 2, Blocks: 3, SubBlockPorts: 1, BlockPorts: 1, Terminals: 2},
	topology.Moore{Graph: "petersen"},
	topology.SlimFly{Q: 3, Terminals: 2},
	topology.PolarFly{Q: 3, Terminals: 1},
	topology.Angelfish{Subnet: "pentagon"},
	topology.FlyingFish{Side: 2},
	topology.RandomRegular{Nodes: 20, Degree: 3, Seed: 1, Terminals: 1},
	clusters.RailOnly{Nodes: 8, Rails: 2, Radix: 8},
	clusters.BCube{Radix: 3, Levels: 1},
	clusters.DCell{Radix: 3, Levels: 1},
	clusters.HammingMesh{Dims: topology.Ints{2, 2}, Board: topology.Ints{2, 2}},
	clusters.ZCube{Side: 3, Links: 2},
	clusters.HexagonalTorus{Dims: topology.Ints{3, 2}, Triads: true},
	clusters.Access{Nodes: 10, Down: 12, Uplinks: 2},
	clusters.LeafPair{Nodes: 10, Links: 2, PeerLinks: 2},
	clusters.OCSTorus{Dims: topology.Ints{4, 4}, Side: 2},
	clusters.CrayDragonfly{Dims: topology.Ints{3, 2}, Terminals: 1, Groups: 3, LinksPerPair: 2},
	clusters.LeafSpine{Nodes: 16, Down: 4, Up: 3, Spines: 2, Director: topology.Ints{2, 3, 2}},
	topology.Torus{Dims: topology.Ints{4, 6}},
	topology.Mesh{Dims: topology.Ints{4, 3, 2}},
	topology.HyperX{Dims: topology.Ints{4, 3}, Terminals: 2},
	topology.FlattenedButterfly{Dims: topology.Ints{4, 4}, Terminals: 3},
	topology.CCC{Dims: topology.Ints{4}},
	topology.BarrelShifter{Nodes: 32},
	topology.DeBruijn{Base: 2, Digits: 5},
	topology.CLEX{Clique: 4, Levels: 3},
	topology.CLEX{Clique: 6, Levels: 2, Bundled: true, Local: local(topology.HyperX{Dims: topology.Ints{3, 2}})},
	topology.CLEX{Clique: 4, Levels: 3, Bundled: true, Local: local(topology.Torus{Dims: topology.Ints{4}})},
	topology.KAryNTree{Down: 3, Levels: 3},
	topology.ThinTree{Down: 4, Up: 2, Levels: 3},
	topology.FatTree{Nodes: 60, Radix: 8, Tiers: 3},
	topology.FoldedClos{Nodes: 40, Radix: 6},
	topology.Dragonfly{P: 2, A: 4, H: 2},
	topology.Dragonfly{P: 1, A: 6, H: 1, Groups: 6, Local: local(topology.Mesh{Dims: topology.Ints{3, 2}})},
	topology.DragonflyPlus{P: 2, A: 3, H: 2},
	topology.FatClique{Switches: 3, SubBlocks: 3, Blocks: 4, SubBlockPorts: 2, BlockPorts: 2, Terminals: 1},
	topology.DragonflyPlus{
		P: 1, A: 2, H: 8, Spines: 3, Groups: 2, LocalWidth: 2, OtherGroups: topology.Ints{1, 1},
		OtherA: topology.Ints{3, 2}, OtherSpines: topology.Ints{2, 4},
	},
	topology.SlimFly{Q: 5, Terminals: 2},
	topology.PolarFly{Q: 5},
	topology.Angelfish{Q: 3},
	topology.RandomRegular{Nodes: 40, Degree: 3},
	clusters.RailOnly{Nodes: 20, Rails: 4, Radix: 16},
	clusters.BCube{Radix: 4, Levels: 2},
	clusters.DCell{Radix: 4, Levels: 2},
	clusters.HammingMesh{Dims: topology.Ints{3, 3}, Board: topology.Ints{2, 2}},
	clusters.ZCube{Side: 4},
	clusters.HexagonalTorus{Dims: topology.Ints{5, 4}},
	clusters.Access{Nodes: 30, Down: 8},
	clusters.LeafPair{Nodes: 20, Down: 6, PeerLinks: 2},
	clusters.LeafSpine{Nodes: 40, Down: 6, Up: 4, Spines: 2, Director: topology.Ints{4, 4, 2}},
	clusters.OCSTorus{Dims: topology.Ints{4, 4, 2}, Side: 2},
	clusters.CrayDragonfly{Dims: topology.Ints{3, 2}, Terminals: 2, Groups: 4, OtherGroups: topology.Ints{1}},
}

// local returns a local network of the given family.
func local(p topology.Params) *topology.Local { return &topology.Local{Spec: topology.Spec{Params: p}} }

// Small returns all members in small: at least one of every family but file. It fails the test if a family has none.
func Small(t testing.TB) []topology.Params {
	t.Helper()
	have := map[string]bool{"file": true}
	for _, p := range small {
		have[p.Family()] = true
	}
	for _, f := range topology.Families() {
		if !have[f.Name] {
			t.Errorf("internal/graphtest/small.go has no small member of the family %s; add one", f.Name)
		}
	}
	return small
}
