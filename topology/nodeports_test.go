package topology_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// drawSwitched draws a network whose nodes stand on switches.
func drawSwitched(t *rapid.T) (topology.Params, topology.Graph) {
	family := rapid.SampledFrom([]string{"fat-tree", "folded-clos", "thin-tree", "dragonfly", "hyperx", "slim-fly"})
	return graphtest.Member(t, family.Draw(t, "family"), 600)
}

// nodesOf counts the vertices that are not switches, and their most ports.
func nodesOf(g topology.Graph) (count, ports int) {
	for _, k := range g.Kinds() {
		if k.Role != topology.Switch {
			count, ports = count+k.Count, max(ports, k.Ports)
		}
	}
	return count, ports
}

// TestNodePorts gives nodes several ports, and looks at where each of them leads.
func TestNodePorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, one := drawSwitched(t)
		ports := topology.NodePorts{
			PortsPerNode: rapid.IntRange(2, 4).Draw(t, "ports"),
			Attach:       rapid.SampledFrom(topology.Attachments()).Draw(t, "attach"),
		}
		g, err := topology.New(topology.Spec{Params: p, NodePorts: ports})
		if err != nil {
			if ports.Attach != topology.SpreadPorts && !strings.Contains(err.Error(), "pass messages on") {
				t.Fatal(err)
			}
			return // too few switches, or no tree of as many nodes times their ports
		}
		graphtest.Check(t, g)
		if ports.Attach == topology.SpreadPorts {
			checkSpread(t, g, ports.PortsPerNode)
			return
		}
		nodes, each := nodesOf(one)
		if n, all := nodesOf(g); n != nodes || all != each*ports.PortsPerNode {
			t.Fatalf("%d nodes with %d ports, of %d with %d", n, all, nodes, each)
		}
		want := topology.Count(one)
		got := topology.Count(g)
		k := ports.PortsPerNode
		if got.Links != int64(k)*want.Links || got.Switches != k*want.Switches {
			t.Fatalf("%d copies of %+v are %+v", k, want, got)
		}
		checkApart(t, g, each, ports)
	})
}

// checkSpread checks that the ports of every node are on different switches, unless the network has several of its own.
func checkSpread(t *rapid.T, g topology.Graph, ports int) {
	kinds := g.Kinds()
	on := map[int32][]int32{}
	for l := range g.Links() {
		for _, end := range [][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if kinds[topology.KindOf(kinds, int(end[0]))].Role != topology.Switch {
				on[end[0]] = append(on[end[0]], end[1])
			}
		}
	}
	n, each := nodesOf(g)
	if len(on) != n {
		t.Fatalf("%d of %d nodes have links", len(on), n)
	}
	for v, switches := range on {
		slices.Sort(switches)
		if len(switches) != each || len(slices.Compact(switches)) < ports {
			t.Fatalf("node %d of %d ports is on switches %v", v, each, switches)
		}
	}
}

// checkApart checks that the networks share nothing but nodes: ports of a node lead to different ones as the attachment
// says, seen from which switches can be reached from a port through switches alone.
func checkApart(t *rapid.T, g topology.Graph, each int, ports topology.NodePorts) {
	kinds := g.Kinds()
	role := func(v int32) topology.Role { return kinds[topology.KindOf(kinds, int(v))].Role }
	root := make([]int32, topology.Vertices(g))
	for v := range root {
		root[v] = int32(v)
	}
	var find func(int32) int32
	find = func(v int32) int32 {
		if root[v] != v {
			root[v] = find(root[v])
		}
		return root[v]
	}
	for l := range g.Links() {
		if role(l.A) == topology.Switch && role(l.B) == topology.Switch {
			root[find(l.A)] = find(l.B)
		}
	}
	network := map[int32]int32{} // of the switches that hang together
	for l := range g.Links() {
		v, port, s := l.A, l.PortA, l.B
		if role(v) == topology.Switch {
			v, port, s = l.B, l.PortB, l.A
		}
		if role(v) == topology.Switch {
			continue
		}
		want := port / int32(each)
		if ports.Attach == topology.PlanePorts {
			want = port % int32(ports.PortsPerNode)
		}
		if old, seen := network[find(s)]; seen && old != want {
			t.Fatalf("port %d of node %d leads to network %d, and should to %d", port, v, old, want)
		}
		network[find(s)] = want
	}
}

// TestNodeIsNoAdapter: where a family is given the number of nodes, it is that of nodes regardless of their ports.
func TestNodeIsNoAdapter(t *testing.T) {
	for _, attach := range topology.Attachments() {
		g, err := topology.New(topology.Spec{
			Params:    topology.FatTree{Nodes: 64, Radix: 16},
			NodePorts: topology.NodePorts{PortsPerNode: 2, Attach: attach},
		})
		if err != nil {
			t.Fatal(err)
		}
		if n, ports := nodesOf(g); n != 64 || ports != 2 {
			t.Errorf("%s: %d nodes of %d ports", attach, n, ports)
		}
	}
}

// TestFrontierNodes: the computing part of Frontier has 74 groups of 32 switches; each of its 9,472 nodes has four
// adapters, on four switches (S. Atchley et al., "Frontier: exploring exascale", SC 2023).
func TestFrontierNodes(t *testing.T) {
	g, err := topology.New(topology.Spec{
		Params:    topology.Dragonfly{P: 16, A: 32, H: 10, Groups: 74},
		NodePorts: topology.NodePorts{PortsPerNode: 4},
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, ports := nodesOf(g); n != 74*32*16/4 || ports != 4 {
		t.Errorf("%d nodes of %d ports", n, ports)
	}
}

// TestNodePortsMistakes are reported by their keys.
func TestNodePortsMistakes(t *testing.T) {
	tree := topology.FatTree{Nodes: 64, Radix: 16}
	for _, c := range []struct {
		p     topology.Params
		ports topology.NodePorts
		want  string
	}{
		{tree, topology.NodePorts{PortsPerNode: -1}, "ports_per_node"},
		{tree, topology.NodePorts{Attach: topology.RailPorts}, "attach: goes with"},
		{tree, topology.NodePorts{PortsPerNode: 2, Attach: "x"}, "attach: must be spread, rails, planes"},
		{tree, topology.NodePorts{PortsPerNode: 1 << 20}, "ports_per_node"},
		{topology.Torus{Dims: topology.Ints{4, 4}}, topology.NodePorts{PortsPerNode: 2}, "pass messages on"},
		{topology.FatTree{Nodes: 1 << 30, Radix: 1 << 15}, topology.NodePorts{PortsPerNode: 2}, "nodes"},
		{
			topology.HyperX{Dims: topology.Ints{2}, Terminals: 4},
			topology.NodePorts{PortsPerNode: 4},
			"too few switches",
		},
	} {
		if _, err := topology.New(topology.Spec{Params: c.p, NodePorts: c.ports}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %+v: %v, want %q", c.p, c.ports, err, c.want)
		}
	}
}

// TestRailsOfSpreadNodes counts the leaves of each node of a fat tree with rails whose ports are spread, along its links.
func TestRailsOfSpreadNodes(t *testing.T) {
	for _, attach := range topology.Attachments() {
		g, err := topology.New(topology.Spec{
			Params:    topology.FatTree{Nodes: 16, Radix: 32, Rails: 2, Down: 4, Up: 4},
			NodePorts: topology.NodePorts{PortsPerNode: 2, Attach: attach},
		})
		if err != nil {
			t.Fatal(err)
		}
		kinds, leaves := g.Kinds(), map[int32]map[int32]bool{} // of each node
		for l := range g.Links() {
			node, leaf := l.A, l.B
			if kinds[topology.KindOf(kinds, int(node))].Role == topology.Switch {
				node, leaf = leaf, node
			}
			if kinds[topology.KindOf(kinds, int(node))].Role == topology.Switch {
				continue
			}
			if leaves[node] == nil {
				leaves[node] = map[int32]bool{}
			}
			leaves[node][leaf] = true
		}
		for node, on := range leaves {
			if rails := g.(topology.Railed).Rails(); len(on) != rails {
				t.Fatalf("%s: node %d is on %d leaves, Rails says %d", attach, node, len(on), rails)
			}
		}
	}
}
