package routing_test

import (
	"testing"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
)

// TestForwarding counts switches, and the channels between them, of networks whose terminals have one port or several.
func TestForwarding(t *testing.T) {
	for _, p := range []topology.Params{
		topology.FatTree{Nodes: 16, Radix: 8},
		topology.FatTree{Nodes: 16, Radix: 8, Rails: 2},
		topology.FatTree{Nodes: 12, Radix: 8, Rails: 3},
		topology.Torus{Dims: topology.Ints{4, 3}},
	} {
		g, err := topology.New(p)
		if err != nil {
			t.Fatal(err)
		}
		n, err := routing.NewNetwork(g)
		if err != nil {
			t.Fatal(err)
		}
		kinds := g.Kinds()
		wantRouters, wantChannels := 0, 0
		for _, k := range kinds {
			if k.Role != topology.Terminal {
				wantRouters += k.Count
			}
		}
		for l := range g.Links() {
			a, b := kinds[topology.KindOf(kinds, int(l.A))], kinds[topology.KindOf(kinds, int(l.B))]
			if a.Role != topology.Terminal && b.Role != topology.Terminal {
				wantChannels += 2 * int(l.Width)
			}
		}
		if routers, channels := n.CountForwarding(); routers != wantRouters || channels != wantChannels {
			t.Errorf("%+v: %d routers and %d channels, want %d and %d", p, routers, channels, wantRouters, wantChannels)
		}
	}
}
