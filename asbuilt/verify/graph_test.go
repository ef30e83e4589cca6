package verify

import (
	"math/rand/v2"
	"testing"

	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/topology"
)

// TestGraphOfWhatIsLeft has several links between the same boxes, told from either end: they are one link as wide, and
// no port has two of them.
func TestGraphOfWhatIsLeft(t *testing.T) {
	p, _ := planned(t, plan(t, "topology: {family: leaf-spine, nodes: 30, down: 3, up: 6, spines: 3}"), "")
	n := &network{
		p: p, ends: map[int32]bool{}, home: map[int32]bool{}, degree: map[int32]int{}, part: map[int32]int32{},
	}
	width := map[[2]string]int32{}
	for v := range int32(len(p.first) - 1) {
		n.vertices = append(n.vertices, v)
		node := p.kinds[topology.KindOf(p.kinds, int(v))].Role != topology.Switch
		n.ends[v], n.home[v] = node, node
	}
	for i, l := range p.links {
		a, b := p.vertex(l.a), p.vertex(l.b)
		if i%2 == 1 {
			a, b = b, a
		}
		n.links = append(n.links, joint{a: a, b: b})
		n.degree[a]++
		n.degree[b]++
		x, y := p.schedule.Device(min(a, b)), p.schedule.Device(max(a, b))
		width[[2]string{min(x, y), max(x, y)}]++
	}
	rand.Shuffle(len(n.links), func(i, k int) { n.links[i], n.links[k] = n.links[k], n.links[i] })
	g := n.graph()
	ports := map[[2]int32]bool{}
	for l := range g.Links() {
		x, y := g.Label(int(l.A)), g.Label(int(l.B))
		key := [2]string{min(x, y), max(x, y)}
		if l.A >= l.B || l.Width != width[key] || l.Width == 0 {
			t.Errorf("%s to %s: a link of width %d, want %d", x, y, l.Width, width[key])
		}
		delete(width, key)
		for i := range l.Width {
			for _, port := range [][2]int32{{l.A, l.PortA + i}, {l.B, l.PortB + i}} {
				if ports[port] || int(port[1]) >= g.kinds[topology.KindOf(g.kinds, int(port[0]))].Ports {
					t.Errorf("two links at port %d of %s, or none there", port[1], g.Label(int(port[0])))
				}
				ports[port] = true
			}
		}
	}
	if len(width) > 0 || len(ports) != 2*len(p.links) {
		t.Errorf("%v are not joined; %d ports of %d links", width, len(ports), len(p.links))
	}
}

// TestGuesses counts what is identified by the way that links lead, or by numbers alone.
func TestGuesses(t *testing.T) {
	i := Identification{
		Boxes: map[identity.Way]int{identity.ByName: 100, identity.ByStructure: 7, identity.ByNumber: 2},
		Ports: map[identity.Way]int{identity.ByLabel: 200, identity.ByStructure: 30, identity.ByNumber: 5},
	}
	if boxes, ports := i.Guesses(); boxes != 9 || ports != 35 {
		t.Errorf("%d boxes and %d ports, want 9 and 35", boxes, ports)
	}
}
