package clusters_test

import (
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// basePOD cites the tables of the BasePOD reference architecture.
const basePOD = "NVIDIA DGX BasePOD, RA-11127-001 V5 (2025), Table 4.2: "

// TestLeavesAsBuilt: published counts of networks that are given tier by tier. Channels are counted; a twin-port cable
// has two.
func TestLeavesAsBuilt(t *testing.T) {
	xdr := func(nodes, leaves, spines int) topology.Params {
		return clusters.LeafSpine{
			Nodes: nodes, Leaves: leaves, Rails: 8, Up: 72, Spines: spines, Radix: 144, SpineRadix: 144,
		}
	}
	ethernet := func(units int) topology.Params {
		return clusters.LeafSpine{
			Nodes: 64 * units, Leaves: 16 * units, Rails: 8, Planes: 2, Up: 64, Spines: 8 * units, Radix: 128,
			SpineRadix: 128,
		}
	}
	const b300 = "DGX SuperPOD B300, "
	for _, tt := range []struct {
		name string
		spec topology.Params
		want string
	}{
		{
			basePOD + "compute of 8 nodes: 64 links, 16 twin-port cables between 2 switches",
			clusters.LeafPair{Nodes: 8, Links: 4, PeerLinks: 32, Down: 32},
			"leaf 2, node 8; terminal 64, peer 32",
		},
		{
			basePOD + "compute of 4 nodes: 8 twin-port cables between 2 switches",
			clusters.LeafPair{Nodes: 4, Links: 4, PeerLinks: 16},
			"leaf 2, node 4; terminal 32, peer 16",
		},
		{
			basePOD + "compute of 4 nodes: as many links between switches as to nodes",
			clusters.LeafPair{Nodes: 4, Links: 4, Taper: 1},
			"leaf 2, node 4; terminal 32, peer 16",
		},
		{
			"half as many links as ports for nodes",
			clusters.LeafPair{Nodes: 4, Down: 33, Taper: 2},
			"leaf 2, node 4; terminal 8, peer 17",
		},
		{
			basePOD + "in-band of 8 nodes (16 cables), 5 management servers (10) and 2 out-of-band switches (4); 2 " +
				"links",
			clusters.LeafPair{Nodes: 8 + 5 + 2, PeerLinks: 2, Down: 62},
			"leaf 2, node 15; terminal 30, peer 2",
		},
		{
			basePOD + "out-of-band of 8 nodes: 45 cables on 2 switches of 48 ports",
			clusters.Access{Nodes: 45, Down: 48, Switches: 2, Spread: true},
			"leaf 2, node 45; terminal 45",
		},
		{
			"Frontera, Stanzione et al., PEARC 2020: 182 leaf switches with 18 uplinks each, 3,276 in all, to 6 " +
				"directors of " +
				"800 ports; 44 nodes on the 22 split ports of a leaf",
			clusters.LeafSpine{
				Nodes: 8008, Leaves: 182, Up: 18, Spines: 6, Director: topology.Ints{40, 20, 20},
			},
			"leaf 182, line 240, fabric 120, node 8008; terminal 8008, tier1 3276, backplane 4800",
		},
		{
			"DGX SuperPOD H100, RA-11333-001: 127 nodes, 32 leaves, 16 spines, 1,024 leaf-spine cables",
			clusters.LeafSpine{Nodes: 127, Leaves: 32, Rails: 8, Up: 32, Spines: 16, Radix: 64, SpineRadix: 64},
			"leaf 32, spine 16, node 127; terminal 1016, tier1 1024",
		},
		{b300 + "XDR, 1 unit", xdr(72, 8, 4), "leaf 8, spine 4, node 72; terminal 576, tier1 576"},
		{b300 + "XDR, 2 units", xdr(144, 16, 8), "leaf 16, spine 8, node 144; terminal 1152, tier1 1152"},
		{b300 + "XDR, 4 units", xdr(288, 32, 18), "leaf 32, spine 18, node 288; terminal 2304, tier1 2304"},
		{b300 + "XDR, 8 units", xdr(576, 64, 36), "leaf 64, spine 36, node 576; terminal 4608, tier1 4608"},
		{
			b300 + "XDR, 1,296 nodes (10,368 GPUs; the table misprints 9,216)", xdr(1296, 144, 72),
			"leaf 144, spine 72, node 1296; terminal 10368, tier1 10368",
		},
		{
			b300 + "Ethernet on two planes, 1 unit: 512 and 512 twin-port cables", ethernet(1),
			"leaf 16, spine 8, node 64; terminal 1024, tier1 1024",
		},
		{
			b300 + "Ethernet on two planes, 16 units: 8,192 and 8,192 twin-port cables", ethernet(16),
			"leaf 256, spine 128, node 1024; terminal 16384, tier1 16384",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := graphtest.New(t, tt.spec)
			graphtest.Pieces(t, g)
			if got := graphtest.CountsText(g); got != tt.want {
				t.Errorf("%s, expected %s", got, tt.want)
			}
		})
	}
}

// TestFronteraUplinks: every leaf has three uplinks to each of the six directors, on three of its line cards.
func TestFronteraUplinks(t *testing.T) {
	g := graphtest.New(t, clusters.LeafSpine{
		Nodes: 8008, Leaves: 182, Up: 18, Spines: 6, Director: topology.Ints{40, 20, 20},
	})
	uplinks := make(map[[2]int32]int)
	director := g.Groupings()[0]
	for l := range g.Links() {
		if l.Level == 1 {
			uplinks[[2]int32{l.A, director.Of(int(l.B))}]++
		}
	}
	for pair, n := range uplinks {
		if n != 3 {
			t.Errorf("leaf %d has links to %d line cards of director %d", pair[0], n, pair[1])
		}
	}
	graphtest.Equal(t, "pairs of leaf and director", int64(len(uplinks)), 182*6)
}

// TestPlanes: no switch of one plane is linked to one of another, and both ports of a cage of a node, 2c and 2c+1, are
// on different planes of the same rail.
func TestPlanes(t *testing.T) {
	const planes, rails = 2, 4
	g := graphtest.New(t, clusters.LeafSpine{
		Nodes: 96, Down: 12, Rails: rails, Planes: planes, Up: 6, Pods: 2, Spines: 12, SpineUp: 4, Cores: 6,
	})
	kinds := g.Kinds()
	plane := func(v int32) int { return (int(v) - kinds[topology.KindOf(kinds, int(v))].First) % planes }
	for l := range g.Links() {
		if l.Level > 0 && plane(l.A) != plane(l.B) {
			t.Fatalf("%s and %s are on different planes", g.Label(int(l.A)), g.Label(int(l.B)))
		}
		if rail := int(l.A) / planes % rails; l.Level == 0 && (int(l.PortB)%planes != plane(l.A) ||
			int(l.PortB)/planes != rail) {
			t.Fatalf("port %d of a node is on %s", l.PortB, g.Label(int(l.A)))
		}
	}
}

// TestNotConnected: distances of a graph in pieces are those of the pairs that have a path, and what would be wrong of
// the whole is left out.
func TestNotConnected(t *testing.T) {
	for _, p := range []topology.Params{
		clusters.Access{Nodes: 10, Down: 4},
		clusters.LeafPair{Nodes: 10, Down: 4, PeerLinks: 1},
	} {
		g := graphtest.New(t, p)
		m, err := measure.Measure(t.Context(), g, measure.MeasureOptions{
			Metrics: []measure.Metric{measure.MetricHops, measure.MetricBisection},
		})
		if err != nil {
			t.Fatal(err)
		}
		// Of units of 4, 4 and 2 nodes, 26 ordered pairs share a switch.
		if m.Unreachable != 10*9-26 || *m.Diameter != 2 || *m.HopsMean != 2 || m.HopsOver != "terminals" ||
			m.NetworkCost != nil || m.Efficiency != nil || m.MooreBound != nil || *m.BisectionLower != 0 {
			t.Errorf("%+v: %+v", p, m)
		}
	}
}

// TestLeafMistakes: everything that is wrong is reported in one run, and none takes long.
func TestLeafMistakes(t *testing.T) {
	const huge = math.MaxInt
	type ints = topology.Ints
	for _, tt := range []struct {
		spec topology.Params
		want []string
	}{
		{clusters.Access{Nodes: 5}, []string{"access: down: is missing: give the ports"}},
		{clusters.Access{Nodes: huge, Down: -1, Switches: huge, Uplinks: huge}, []string{
			"nodes: must be", "down: must be", "switches: must be", "uplinks: must be",
		}},
		{clusters.Access{Nodes: 10, Down: 4, Switches: 2}, []string{
			"switches: 10 nodes with 1 uplink each need at least 3 switches of 4 ports, not 2",
		}},
		{clusters.Access{Nodes: 10, Down: 4, Switches: 3, Uplinks: 2}, []string{
			"switches: nodes with 2 uplinks are on as many switches together, and 3 is not a multiple of that",
		}},
		{clusters.Access{Nodes: 10, Down: 4, Switches: 3, Uplinks: 2, Spread: true}, []string{
			"switches: 10 nodes with 2 uplinks each take 7 ports of a switch, not 4",
		}},
		{clusters.Access{Nodes: 10, Switches: 1, Uplinks: 2, Spread: true}, []string{
			"switches: the 2 uplinks of a node are on different switches, of which there are 1",
		}},
		{clusters.Access{Nodes: topology.MaxVertices, Switches: 1}, []string{"switches: leads to 2147483647 ports"}},
		{clusters.Access{Nodes: topology.MaxVertices, Switches: 1, Spread: true}, []string{
			"switches: leads to 2147483647 ports",
		}},
		{clusters.Access{Nodes: topology.MaxVertices, Down: 1, Uplinks: 65535}, []string{"nodes: leads to 1407"}},
		{clusters.LeafPair{Nodes: 8, Links: 4, Down: 3}, []string{
			"leaf-pair: down: 3 ports are too few for the 4 links of a node",
		}},
		{clusters.LeafPair{Nodes: 8, Taper: -1}, []string{"taper: must be above 0"}},
		{clusters.LeafPair{Nodes: 8, Taper: 1, PeerLinks: 2}, []string{"taper: follows from peer_links"}},
		{clusters.LeafPair{Nodes: 9, Down: 4, Pairs: 2}, []string{"pairs: 9 nodes need at least 3 pairs, 4 nodes " +
			"each, not 2"}},
		{clusters.LeafPair{Nodes: huge, PeerLinks: -1}, []string{"nodes: must be", "peer_links: must be"}},
		{clusters.LeafPair{Nodes: topology.MaxVertices}, []string{"nodes: leads to 2147483647 ports"}},
		{clusters.LeafPair{Nodes: topology.MaxVertices, Down: 4}, []string{"nodes: leads to 3221225471 vertices"}},
		{clusters.LeafSpine{Nodes: 8, Up: 2, Spines: 4, Down: 4}, []string{
			"leaf-spine: spines: leaves with 2 uplinks can use at most 3 in a plane of a pod, not 4: of more, not " +
				"every two",
		}},
		{clusters.LeafSpine{Nodes: 8, Up: 2, Spines: 2, Leaves: 3, Rails: 2}, []string{
			"leaves: every node is on 2 of them (rails and planes), and 3 is not a multiple of that",
		}},
		{clusters.LeafSpine{Nodes: 9, Up: 2, Spines: 2, Leaves: 2, Down: 4}, []string{
			"leaves: 9 nodes need at least 3 of 4 down ports, not 2",
		}},
		{clusters.LeafSpine{Nodes: 9, Up: 2, Spines: 3, Down: 4, Planes: 2}, []string{
			"spines: 3 do not divide evenly over 1 pod of 2 planes",
		}},
		{clusters.LeafSpine{Nodes: 9, Up: 2, Spines: 2, Down: 4, Radix: 5}, []string{
			"radix: a leaf of 5 ports has no room for 4 down and 2 up",
		}},
		{clusters.LeafSpine{Nodes: 9, Up: 2, Spines: 2, Down: 4, SpineRadix: 2}, []string{
			"spine_radix: 2 ports are too few for the 3 channels from below",
		}},
		{clusters.LeafSpine{Nodes: 9, Up: 2, Spines: 2, Down: 4, Pods: 2, SpineUp: 3}, []string{
			"pods: is for three tiers; give cores too", "spine_up: is for three tiers",
		}},
		{clusters.LeafSpine{Nodes: 20, Up: 2, Spines: 8, Down: 4, Pods: 4, SpineUp: 1, Cores: 2}, []string{
			"pods: 5 units of leaves, 2 each, leave some of 4 pods empty",
		}},
		{clusters.LeafSpine{Nodes: 20, Up: 2, Spines: 10, Down: 4, Pods: 5, SpineUp: 1, Cores: 4}, []string{
			"cores: pods with 2 uplinks in a plane can use at most 3 there, not 4",
		}},
		{clusters.LeafSpine{Nodes: 9, Up: 2, Spines: 2, Down: 4, Director: ints{2, 1, 2}, SpineRadix: 4}, []string{
			"director[1]: a line card has as many inner ports as outer ones, here 1, too few",
			"spine_radix: follows from the director",
		}},
		{clusters.LeafSpine{Nodes: 90, Up: 2, Spines: 2, Down: 4, Director: ints{2, 4, 2}}, []string{
			"director: 2 line cards of 4 ports are too few for the 23 channels from below",
		}},
		{clusters.LeafSpine{Nodes: 9, Up: 2, Spines: 2, Down: 4, Director: ints{2, 4}}, []string{
			"director: takes three numbers, not 2",
		}},
		{
			clusters.LeafSpine{Nodes: huge, Up: huge, Spines: huge, Down: huge, Director: ints{huge, 0, -1}},
			[]string{
				"nodes: must", "up: must", "spines: must", "down: must", "director[0]", "director[1]",
				"director[2]",
			},
		},
		{
			clusters.LeafSpine{Nodes: topology.MaxVertices, Up: 65535, Spines: 65535, Down: 1, Rails: 65535},
			[]string{"nodes: leads to"},
		},
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

// TestPortsOfPeersStay: nodes that are added take ports that are kept for them, and leave the links of a pair where
// they are (docs/cabling.md).
func TestPortsOfPeersStay(t *testing.T) {
	for nodes := 1; nodes <= 8; nodes++ {
		g := graphtest.New(t, clusters.LeafPair{Nodes: nodes, Links: 2, Down: 16, Taper: 4})
		for l := range g.Links() {
			if l.Level == 1 && (l.PortA != 16 || l.PortB != 16 || l.Width != 4) {
				t.Errorf("%d nodes: %+v", nodes, l)
			}
		}
		if ports := g.Kinds()[0].Ports; ports != 20 {
			t.Errorf("%d ports", ports)
		}
	}
}
