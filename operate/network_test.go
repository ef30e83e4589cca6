package operate

import (
	"testing"

	"pgregory.net/rapid"
)

// drawnNetwork draws a small network of several fabrics.
func drawnNetwork(t *rapid.T) *network {
	vertices := rapid.IntRange(2, 14).Draw(t, "vertices")
	n := &network{fabrics: rapid.IntRange(1, 2).Draw(t, "fabrics")}
	for range vertices {
		n.node = append(n.node, rapid.Bool().Draw(t, "node"))
	}
	for range rapid.IntRange(0, 24).Draw(t, "channels") {
		a := rapid.IntRange(0, vertices-2).Draw(t, "a")
		n.a = append(n.a, int32(a))
		n.b = append(n.b, int32(rapid.IntRange(a+1, vertices-1).Draw(t, "b")))
		n.fabric = append(n.fabric, int32(rapid.IntRange(0, n.fabrics-1).Draw(t, "fabric")))
		n.level = append(n.level, 0)
		n.rate = append(n.rate, 100)
	}
	n.finish()
	return n
}

// slowWithout is probe.without by relaxing labels over the whole network.
func slowWithout(n *network, boxes, channels []int32) impact {
	gone, lost := make([]bool, len(n.node)), make([]bool, len(n.a))
	for _, v := range boxes {
		gone[v] = true
	}
	for _, c := range channels {
		lost[c] = true
	}
	var out impact
	for v := range gone {
		if gone[v] && n.node[v] {
			out.down++
		}
	}
	labels := func(f int, before bool) []int {
		label := make([]int, len(n.node))
		for v := range label {
			label[v] = v
		}
		for range n.node {
			for c := range n.a {
				if n.fabric[c] != int32(f) || !before && lost[c] {
					continue
				}
				least := min(label[n.a[c]], label[n.b[c]])
				label[n.a[c]], label[n.b[c]] = least, least
			}
		}
		return label
	}
	for c := range n.a {
		if gone[n.a[c]] || gone[n.b[c]] {
			lost[c] = true
		}
		if lost[c] {
			out.links++
			out.gbps += float64(n.rate[c])
		}
	}
	cut := make([]bool, len(n.node))
	ties, sum := 0, 0
	for f := range n.fabrics {
		before, after := labels(f, true), labels(f, false)
		parts := map[int]map[int]int{} // nodes of the pieces of each part
		for v := range n.node {
			if !gone[v] && n.node[v] {
				if parts[before[v]] == nil {
					parts[before[v]] = map[int]int{}
				}
				parts[before[v]][after[v]]++
			}
		}
		for _, pieces := range parts {
			most := 0
			for _, nodes := range pieces {
				sum += nodes
				most = max(most, nodes)
			}
			sum -= most
		}
		for v := range n.node {
			if gone[v] || !n.node[v] {
				continue
			}
			most, of := 0, 0
			for _, nodes := range parts[before[v]] {
				if nodes > most {
					most, of = nodes, 0
				}
				if nodes == most {
					of++
				}
			}
			if own := parts[before[v]][after[v]]; own < most {
				cut[v] = true
			} else if of > 1 {
				ties++
			}
		}
	}
	for v := range cut {
		if cut[v] {
			out.cut++
		}
	}
	if n.fabrics == 1 {
		out.cut = sum
	} else if ties > 0 {
		out.cut = -1 // which of two pieces of a size is the rest decides how many nodes are cut off in both fabrics
	}
	return out
}

// TestWithout holds the floods against relaxation of the whole network.
func TestWithout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawnNetwork(t)
		p := newProbe(n, 1)
		for range 3 {
			boxes := rapid.SliceOfN(rapid.Int32Range(0, int32(len(n.node)-1)), 0, 4).Draw(t, "boxes")
			var channels []int32
			if len(n.a) > 0 {
				channels = rapid.SliceOfN(rapid.Int32Range(0, int32(len(n.a)-1)), 0, 5).Draw(t, "channels")
			}
			got, want := p.without(boxes, channels), slowWithout(n, boxes, channels)
			if want.cut < 0 {
				want.cut = got.cut
			}
			if got != want {
				t.Fatalf("without boxes %v and channels %v: got %+v, want %+v", boxes, channels, got, want)
			}
		}
	})
}
