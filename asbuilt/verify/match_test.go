package verify

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
)

// unnamed is a matcher that knows no box of a source by name.
func unnamed(p *Plan, w *exchange.Wiring) *matcher {
	m := &matcher{
		p: p, w: w, found: make([][]arc, len(w.Boxes)), to: slices.Repeat([]int32{-1}, len(w.Boxes)),
		from: slices.Repeat([]int32{-1}, len(p.home)), named: make([]bool, len(w.Boxes)),
	}
	m.graphs()
	return m
}

// TestVotes has links of a box lead to several of the plan, in all orders of their numbers: the box that most lead to
// is ahead by how many more there are than of the next.
func TestVotes(t *testing.T) {
	p, w := planned(t, plan(t, "topology: {family: leaf-spine, nodes: 6, down: 1, up: 6, spines: 6}"), "")
	for _, c := range []struct {
		votes []int // links of a leaf that lead where those of the first, second and third leaf do
		ahead int
	}{
		{[]int{3, 2, 1}, 1},
		{[]int{1, 2, 3}, 1},
		{[]int{2, 3, 1}, 1},
		{[]int{4, 1, 1}, 3},
		{[]int{1, 1, 4}, 3},
		{[]int{1, 4, 1}, 3},
		{[]int{3, 3, 0}, 0},
		{[]int{0, 0, 6}, 6},
		{[]int{0, 1, 5}, 4},
		{[]int{5, 1, 0}, 4},
	} {
		m := unnamed(p, w)
		for spine := range int32(6) { // spines are known, leaves are not
			m.assign(6+spine, 6+spine)
		}
		// Every link of a leaf leads to a spine of its own, at the port of its leaf there.
		leaf, spine := 5, 0
		var arcs []arc
		for v, n := range c.votes {
			for range n {
				i := slices.IndexFunc(m.plan[v], func(a arc) bool { return a.box == int32(6+spine) })
				arcs = append(arcs, m.plan[v][i])
				spine++
			}
		}
		m.found[leaf] = arcs
		most := slices.Max(c.votes)
		if box, ahead := m.vote(int32(leaf)); ahead != c.ahead || c.ahead > 0 && c.votes[box] != most {
			t.Errorf("%v: box %d is ahead by %d, want %d", c.votes, box, ahead, c.ahead)
		}
	}
}

// TestMendsWhatFollowsFromFaults takes two hosts for each other, of which no link is right then: these alone are taken
// back. A box of which half of the links are right stays.
func TestMendsWhatFollowsFromFaults(t *testing.T) {
	p, w := planned(t, plan(t, leaves), "")
	m := unnamed(p, w)
	for x := range m.to {
		m.assign(int32(x), int32(x))
	}
	if m.mend() {
		t.Error("something is mended where all is right")
	}
	m.assign(node1, node2)
	m.assign(node2, node1)
	if !m.mend() || m.mend() {
		t.Error("two hosts that are taken for each other are not mended at once")
	}
	for x, v := range m.to {
		if int(v) != x || int(m.from[v]) != x {
			t.Errorf("box %d is taken for %d", x, v)
		}
	}
	m.assign(node1, node2)
	m.assign(node2, node1)
	m.named[node1], m.named[node2] = true, true
	if m.mend() {
		t.Error("boxes that are known by name are taken back")
	}
}

// TestChoosesWhatMostLookLike lays a mesh down: the first box that looks as most do is in its middle, of which four
// look alike. What is known does not count.
func TestChoosesWhatMostLookLike(t *testing.T) {
	p, w := planned(t, plan(t, "topology: {family: mesh, dims: [4, 4]}"), "")
	m := unnamed(p, w)
	if !m.choose(1) {
		t.Fatal("nothing is chosen")
	}
	want := fmt.Sprintf("%s could be any of 4 boxes that look alike, and was taken for %[1]s", p.schedule.Device(5))
	if len(m.choices) != 1 || m.choices[5] != want {
		t.Errorf("%v, want %q", m.choices, want)
	}
	for x, v := range m.to {
		if int(v) != x {
			t.Errorf("box %d is taken for %d", x, v)
		}
	}
	if m.choose(1) {
		t.Error("a box is chosen where all are known")
	}
	// Where the boxes in the middle are known, most of the others are at the edges.
	p, w = planned(t, plan(t, "topology: {family: mesh, dims: [4, 5]}"), "")
	m = unnamed(p, w)
	look := map[int][]int32{} // boxes by their number of links
	for x := range m.found {
		look[len(m.found[x])] = append(look[len(m.found[x])], int32(x))
	}
	for _, x := range look[4] {
		m.to[x] = 1 << 20 // as if taken for a box that has none of their links
	}
	m.choose(1)
	for x := range m.choices {
		if len(m.found[x]) != 3 {
			t.Errorf("box %d with %d links is chosen", x, len(m.found[x]))
		}
	}
}

// TestLikelyBoxes takes a box for that of the plan which has most of its links by the ports at both ends, if it has
// two more than any other and more than half of those that are found.
func TestLikelyBoxes(t *testing.T) {
	p, w := planned(t, plan(t, "topology: {family: leaf-spine, nodes: 60, down: 10, up: 6, spines: 6}"), "")
	for _, c := range []struct {
		links []int // of a leaf, as those of the first, second and third leaf
		other int   // links between ports that nothing is planned for
		taken int
	}{
		{[]int{4, 1, 1}, 0, 0},
		{[]int{1, 4, 1}, 0, 1},
		{[]int{1, 1, 4}, 0, 2},
		{[]int{3, 2, 1}, 0, -1},
		{[]int{0, 3, 3}, 0, -1},
		{[]int{2, 0, 0}, 1, 0},
		{[]int{2, 0, 0}, 2, -1},
		{[]int{0, 0, 3}, 3, -1},
		{[]int{0, 0, 4}, 3, 2},
		{[]int{1, 0, 0}, 0, -1},
		{[]int{2, 0, 0}, 0, 0},
		{[]int{3, 1, 0}, 0, 0},
	} {
		m := unnamed(p, w)
		for x := range m.found {
			m.found[x] = nil
		}
		spine := 0
		for v, n := range c.links {
			for range n {
				i := slices.IndexFunc(m.plan[v], func(a arc) bool { return a.box == int32(6+spine) })
				m.found[5] = append(m.found[5], m.plan[v][i])
				spine++
			}
		}
		for i := range c.other {
			m.found[5] = append(m.found[5], arc{own: uint64(i), far: uint64(i)})
		}
		m.likely()
		if got := m.to[5]; int(got) != c.taken || got >= 0 && m.from[got] != 5 {
			t.Errorf("%v and %d others: taken for %d, want %d", c.links, c.other, got, c.taken)
		}
	}
}

// TestAnchorsBesideKnownBoxes: in a ring, in which all boxes look alike, those near a box that is known do not.
func TestAnchorsBesideKnownBoxes(t *testing.T) {
	p, w := planned(t, plan(t, "topology: {family: torus, dims: [12]}"), "")
	for _, known := range []int32{0, 1, 7} {
		m := unnamed(p, w)
		m.assign(known, known)
		m.anchors()
		for x, v := range m.to {
			away := min((x-int(known)+12)%12, (int(known)-x+12)%12)
			if (v >= 0) != (away <= rounds) || v >= 0 && int(v) != x {
				t.Errorf("%d is known: box %d is taken for %d", known, x, v)
			}
		}
	}
}

// TestSpreadGoesOn: a box that falls behind after others are taken is heard again, and found by what is left.
func TestSpreadGoesOn(t *testing.T) {
	p, w := planned(t, plan(t, "topology: {family: fat-tree, radix: 8, nodes: 24}"), "")
	for seed := range uint64(5) {
		x := anonymous(w, rand.New(rand.NewPCG(seed, 9)))
		if r := p.Compare([]*exchange.Wiring{x}); !r.OK || len(r.Identified) != len(w.Boxes) {
			t.Errorf("seed %d: %d boxes are identified, %d differences", seed, len(r.Identified), len(r.Differences))
		}
	}
}
