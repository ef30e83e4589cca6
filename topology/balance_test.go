package topology_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/topology"
)

// Each rule has a member just in balance and members off it on both sides, where there are two.
func TestUnbalanced(t *testing.T) {
	ints := func(n ...int) topology.Ints { return n }
	for _, c := range []struct {
		params topology.Params
		want   string // in the mark; "" for a balanced member
	}{
		{topology.Dragonfly{P: 4, A: 8, H: 4}, ""},
		{topology.Dragonfly{P: 8, A: 16, H: 8, Groups: 32, LinksPerPair: 4}, ""},
		{topology.Dragonfly{P: 8, A: 8, H: 8}, "a 8, p 8, h 8; balanced a = 2p = 2h"},
		{topology.Dragonfly{P: 4, A: 8, H: 3}, "h 3"},
		{topology.Dragonfly{P: 3, A: 8, H: 4}, "p 3"},
		{topology.Dragonfly{LocalPorts: 7}, ""},
		{topology.DragonflyPlus{P: 16, A: 16, H: 16, Groups: 16, LinksPerPair: 17}, ""},
		{topology.DragonflyPlus{P: 8, A: 16, H: 16}, "p 8 for 16 spines"},
		{topology.DragonflyPlus{P: 16, A: 16, H: 8}, "h 8 for 16 leaves"},
		{topology.DragonflyPlus{P: 8, A: 16, H: 16, Spines: 8}, ""},
		{topology.HyperX{Dims: ints(8, 8), Terminals: 4}, ""},
		{topology.HyperX{Dims: ints(8, 8), Terminals: 8}, ""},
		{topology.HyperX{Dims: ints(8, 8), Terminals: 9}, "relative bisection 0.44"},
		{topology.HyperX{Dims: ints(8, 8), Terminals: 3}, "relative bisection 1.33"},
		{topology.HyperX{Dims: ints(8, 4), Widths: ints(1, 2), Terminals: 8}, ""},
		{topology.HyperX{Dims: ints(8, 4), Terminals: 8}, "relative bisection 0.25"},
		{topology.HyperX{Dims: ints(1), Terminals: 8}, ""},
		{topology.FlattenedButterfly{Dims: ints(4, 4), Terminals: 4}, ""},
		{topology.FlattenedButterfly{Dims: ints(4, 4), Terminals: 8}, "relative bisection 0.25"},
		{topology.SlimFly{Q: 5, Terminals: 4}, ""}, // 7 links: 3.5, rounded up
		{topology.SlimFly{Q: 5, Terminals: 3}, "3 nodes a switch; balanced 4"},
		{topology.SlimFly{Q: 16, Terminals: 8}, "8 nodes a switch; balanced 12"},
		{topology.SlimFly{Q: 5}, ""}, // routers are nodes
		{topology.PolarFly{Q: 5, Terminals: 3}, ""},
		{topology.PolarFly{Q: 5, Terminals: 4}, "4 nodes a switch; balanced 3"},
		{topology.FatTree{Nodes: 64, Radix: 16}, ""},
		{topology.FatTree{Nodes: 64, Radix: 16, Taper: 2}, "tapered"},
		{topology.FoldedClos{Nodes: 64, Radix: 16, Taper: 3}, "tapered"},
		{topology.ThinTree{Down: 4, Up: 4, Levels: 2}, ""},
		{topology.ThinTree{Down: 4, Up: 2, Levels: 2}, "2 ports up for 4 down"},
		{topology.Torus{Dims: ints(4, 4)}, ""},
	} {
		got := topology.DescribeImbalance(c.params)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v is marked %q, not %q", c.params, got, c.want)
		}
		if of := topology.DescribeImbalance(topology.Spec{Params: c.params}); of != got {
			t.Errorf("%+v is marked %q as a section of a file, else %q", c.params, of, got)
		}
	}
}
