package machine_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/plenum-planner/plenum/machine/subject"
	"github.com/plenum-planner/plenum/sim/packet"
)

// What networks of published machines take by the defaults, below the latencies that were measured from end to end,
// which have adapters, hosts and software in them: docs/internals/reproduction.md, "End-to-end latencies". All in ns.
func TestDelaysAreBelowPublishedLatencies(t *testing.T) {
	const clos = "topology: {family: fat-tree, nodes: %d, radix: %d, tiers: %d}\n" +
		"packaging: {node: {part: generic-node-1u, per_rack: 32}, switch: {part: %s}}\n"
	for _, c := range []struct {
		name                string
		nodes, radix, tiers int
		part                string
		// Published within a leaf and at most, 0 where nothing is; the planned ones, within a nanosecond.
		leaf, most               float64
		plannedLeaf, plannedMost float64
		long                     bool
	}{
		{"InfiniBand", 2048, 64, 2, "nvidia-qm9700", 2800, 3700, 351.5, 1167.4, false},
		{"RoCE", 2048, 64, 2, "nvidia-sn5600", 3600, 5600, 523.5, 1680.0, false},
		{"256 accelerators", 256, 64, 2, "nvidia-sn5600", 0, 2000, 523.5, 1637.1, false},
		{"2,048 accelerators", 2048, 64, 2, "nvidia-sn5600", 0, 5000, 523.5, 1680.0, false},
		{"131,072 accelerators", 131072, 128, 3, "generic-switch-128x400g", 0, 8000, 621.4, 4611.8, true},
	} {
		if c.long && os.Getenv("PLENUM_LONG") != "1" {
			continue
		}
		p, err := planParsed(fmt.Sprintf(clos, c.nodes, c.radix, c.tiers, c.part))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		s, err := subject.Of(p, &p.Network, packet.Setup{Options: packet.DefaultOptions()}, 1, subject.Options{})
		if err != nil {
			t.Fatal(err)
		}
		planned, err := s.Planned()
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := planned(0, 1)
		if err != nil {
			t.Fatal(err)
		}
		leaf /= float64(s.Clock)
		most := float64(p.Delay.LeastMax)
		if math.Abs(leaf-c.plannedLeaf) > 1 || math.Abs(most-c.plannedMost) > 1 {
			t.Errorf("%s: %.1f ns within a leaf and %.1f at most; docs/internals/reproduction.md says %.1f and %.1f",
				c.name, leaf, most, c.plannedLeaf, c.plannedMost)
		}
		if c.leaf > 0 && leaf >= c.leaf || most >= c.most {
			t.Errorf("%s: %.1f and %.1f ns are not below the %g and %g published", c.name, leaf, most, c.leaf, c.most)
		}
		// Adapters, hosts and software are the same within a leaf and beyond: the difference is that of two switches
		// and two cables.
		if further := c.most - c.leaf; c.name == "InfiniBand" && math.Abs(most-leaf-further) > 0.15*further {
			t.Errorf("two more switches take %.1f ns, published %.1f", most-leaf, further)
		}
	}
}
