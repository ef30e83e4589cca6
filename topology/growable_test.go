package topology_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// switchPorts is the ports that switches of growing families have.
func switchPorts(p topology.Params) int32 {
	switch p := p.(type) {
	case topology.FatTree:
		return int32(p.Radix)
	case topology.Dragonfly:
		return int32(p.P + p.A - 1 + p.H)
	case topology.FatClique:
		return int32(p.Terminals + p.Switches - 1 + p.SubBlockPorts + p.BlockPorts)
	case topology.RandomRegular:
		return int32(p.Degree + p.Terminals)
	}
	return 0
}

// A network that grows has the nodes that were asked for, and its switches have no more ports.
func TestGrownKeepsPorts(t *testing.T) {
	found := map[string]bool{}
	for _, f := range topology.Families() {
		rapid.Check(t, func(t *rapid.T) {
			p, g := graphtest.Member(t, f.Name, 1000)
			grows, ok := g.(topology.Growable)
			if !ok {
				return
			}
			more := rapid.IntRange(1, 200).Draw(t, "more")
			larger, err := grows.Grown(more)
			if err != nil {
				return
			}
			found[f.Name] = true
			if got, had := topology.Count(larger).Nodes, topology.Count(g).Nodes; got < had+more {
				t.Fatalf("%v: %d nodes from %d, %d more asked for", p, got, had, more)
			}
			if larger.Family() != g.Family() || len(larger.Kinds()) != len(g.Kinds()) {
				t.Fatalf("%v became a %s of kinds %v", p, larger.Family(), larger.Kinds())
			}
			used := make([]int32, topology.Vertices(larger))
			for l := range larger.Links() {
				used[l.A] += l.Width
				used[l.B] += l.Width
			}
			for _, k := range larger.Kinds() {
				for v := k.First; v < k.First+k.Count; v++ {
					if k.Role == topology.Switch && used[v] > switchPorts(p) {
						t.Fatalf("%v: %d of %d ports of %s", p, used[v], switchPorts(p), larger.Label(v))
					}
				}
			}
		})
	}
	for _, name := range []string{"fat-tree", "dragonfly", "fat-clique", "random-regular"} {
		if !found[name] {
			t.Errorf("no %s has grown", name)
		}
	}
}
