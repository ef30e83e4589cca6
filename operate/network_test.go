package operate

import (
	"slices"
	"strconv"
	"strings"
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

// TestPairs: what two things take at once is what a relaxation of the network without both finds; all pairs of few
// things are measured, and the worst is the first of them.
func TestPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawnNetwork(t)
		b := &lossMeter{probe: newProbe(n, 1), names: []string{"link"}, levels: []int{len(n.a)}, most: 3}
		var things []failure
		var alone []int
		for i := range rapid.IntRange(2, 6).Draw(t, "things") {
			one := failure{name: func() string { return strconv.Itoa(i) }}
			one.boxes = rapid.SliceOfN(rapid.Int32Range(0, int32(len(n.node)-1)), 0, 2).Draw(t, "boxes")
			if len(n.a) > 0 {
				one.channels = rapid.SliceOfN(rapid.Int32Range(0, int32(len(n.a)-1)), 0, 3).Draw(t, "channels")
			}
			l := b.measure(nil, one.boxes, one.channels)
			things, alone = append(things, one), append(alone, l.nodes())
		}
		p, err := b.measurePairs(t.Context(), things, alone)
		if err != nil {
			t.Fatal(err)
		}
		if p.Tried != p.Count || int(p.Count) != len(things)*(len(things)-1)/2 {
			t.Fatalf("%d of %d pairs of %d things", p.Tried, p.Count, len(things))
		}
		most, hidden := 0, int64(0)
		for x := range things {
			for y := x + 1; y < len(things); y++ {
				is := slowWithout(n, slices.Concat(things[x].boxes, things[y].boxes),
					slices.Concat(things[x].channels, things[y].channels))
				if is.cut < 0 {
					return // which of two equal pieces is the rest is not told
				}
				most = max(most, is.down+is.cut)
				if alone[x]+alone[y] == 0 && is.down+is.cut > 0 {
					hidden++
				}
			}
		}
		if got := p.Worst[0].nodes(); got != most || p.Hidden != hidden || len(p.Worst) > 3 {
			t.Fatalf("the worst takes %d nodes, want %d; %d hidden, want %d", got, most, p.Hidden, hidden)
		}
		for _, l := range p.Beyond {
			x, y, _ := strings.Cut(l.Name, " + ")
			i, _ := strconv.Atoi(x)
			j, _ := strconv.Atoi(y)
			if l.Beyond != l.nodes()-alone[i]-alone[j] || l.Beyond <= 0 {
				t.Fatalf("%+v, alone %d and %d", l, alone[i], alone[j])
			}
		}
	})
}

// TestChosenPairs: of too many things, those that share a node are paired, and the worst by themselves; none twice.
func TestChosenPairs(t *testing.T) {
	n := &network{fabrics: 1, node: []bool{true, true, false}} // two nodes at one switch, each over 150 channels
	for i := range 300 {
		n.a, n.b = append(n.a, int32(i%2)), append(n.b, 2)
		n.fabric, n.level, n.rate = append(n.fabric, 0), append(n.level, 0), append(n.rate, 1)
	}
	n.finish()
	b := &lossMeter{probe: newProbe(n, 1)}
	var things []failure
	alone := make([]int, 300)
	for i := range alone {
		things = append(things, failure{channels: []int32{int32(i)}})
	}
	alone[298], alone[299] = 2, 1
	pairs := b.choosePairs(things, alone)
	seen := map[[2]int]bool{}
	for _, p := range pairs {
		if p[0] >= p[1] || seen[p] {
			t.Fatalf("pair %v", p)
		}
		seen[p] = true
	}
	if len(pairs) != mostPairs || pairs[0] != [2]int{298, 299} || !seen[[2]int{0, 298}] || !seen[[2]int{200, 202}] {
		t.Fatalf("%d pairs, the first %v", len(pairs), pairs[0])
	}
}

// TestLimits: losses above a limit are counted, and the worst of them listed.
func TestLimits(t *testing.T) {
	none, half := 0, 0.5
	for _, c := range []struct {
		limit *Limit
		loss  Loss
		want  bool
	}{
		{nil, Loss{NodesDown: 9, Share: 1}, false},
		{&Limit{Nodes: &none}, Loss{NodesCutOff: 1}, true},
		{&Limit{Nodes: &none}, Loss{Share: 1}, false},
		{&Limit{Bandwidth: &half}, Loss{NodesDown: 5, Share: 0.5}, false},
		{&Limit{Bandwidth: &half}, Loss{Share: 0.51}, true},
		{&Limit{Nodes: &none, Bandwidth: &half}, Loss{Share: 0.51}, true},
	} {
		if got := c.limit.exceededBy(&c.loss); got != c.want {
			t.Errorf("%+v of %+v: %v", c.loss, c.limit, got)
		}
	}
}
