package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
)

// TestStrangersAmongNamedBoxes: a box with a name of its own and one link is a stranger where a source has others of
// its kind by their names, and found by its link where it has none of them.
func TestStrangersAmongNamedBoxes(t *testing.T) {
	p, planned := planned(t, plan(t, leaves), "")
	const node, leaf = 4, 0 // boxes of the source
	for _, c := range []struct {
		renamed    []int
		strangers  []string
		identified int
	}{
		{[]int{node}, []string{"other-4"}, 0},
		{[]int{leaf}, nil, 1}, // eight links say which it is
		{[]int{leaf, node}, []string{"other-4"}, 1},
		{[]int{4, 5, 6, 7, 8, 9, 10, 11}, nil, 8},
	} {
		w := *planned
		w.Boxes = slices.Clone(planned.Boxes)
		for _, i := range c.renamed {
			w.Boxes[i].Name = "other-" + string(rune('0'+i))
		}
		r := p.Compare([]*exchange.Wiring{&w})
		if !slices.Equal(r.Strangers, c.strangers) || len(r.Identified) != c.identified ||
			r.Right != len(p.links)-len(c.strangers) || len(r.Differences) != len(c.strangers) {
			t.Errorf("%v: strangers %v, %+v, %+v", c.renamed, r.Strangers, r.Identified, r.Differences)
		}
	}
}

// TestAdaptersOfBoxes tells which adapters are the only ones of their boxes, and of which the ports are counted over
// the whole box: of those with more than two ports, by what the source says or by a link at either end.
func TestAdaptersOfBoxes(t *testing.T) {
	p, _ := planned(t, plan(t, leaves), "")
	end := func(box int, port string) exchange.End {
		return exchange.End{Box: box, Port: port, Form: exchange.Subnet}
	}
	w := &exchange.Wiring{
		Boxes: []exchange.Box{
			{Name: "LF1", Role: "switch"},
			{Name: "N1 mlx5_0", Role: "adapter"},
			{Name: "N2 mlx5_0", Role: "adapter", Ports: 2},
			{Name: "N3 mlx5_0", Role: "adapter", Ports: 3},
			{Name: "N4 mlx5_0"},
			{Name: "N5 mlx5_0", Role: "adapter"},
			{Name: "N6 mlx5_0", Role: "adapter"},
			{Name: "N7 mlx5_0", Role: "adapter"},
			{Name: "N8 mlx5_0", Role: "adapter"},
			{Name: "N8 mlx5_1", Role: "adapter", Ports: 4},
		},
		Links: []exchange.Link{
			{A: end(5, "3"), B: end(0, "9")},
			{A: end(0, "9"), B: end(6, "4")},
			{A: end(7, "2"), B: end(0, "1")},
			{A: end(0, "1"), B: end(1, "2")},
			{A: end(8, "x7"), B: end(0, "2")},
		},
	}
	var all, only []int
	for i, b := range p.newSight().meant(w) {
		if b.all {
			all = append(all, i)
		}
		if b.only {
			only = append(only, i)
		}
	}
	if !slices.Equal(all, []int{0, 3, 4, 5, 6, 9}) || !slices.Equal(only, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("ports of whole boxes are those of %v; the only adapters are %v", all, only)
	}
}

// TestSurerWays: of two ways the surer is the better one, in either order, and what several ways say is as sure as the
// least sure of them.
func TestSurerWays(t *testing.T) {
	for i, x := range identity.Ways {
		for k, y := range identity.Ways {
			if got := better(x, y); got != identity.Ways[min(i, k)] {
				t.Errorf("%s is better than %s and %s", got, x, y)
			}
			sure := func(w identity.Way) Confidence {
				return map[identity.Way]Confidence{identity.ByStructure: 1, identity.ByNumber: 2}[w]
			}
			want := [...]Confidence{Certain, Likely, Guess}[max(sure(x), sure(y))]
			if got := confidence(x, y); got != want {
				t.Errorf("%s and %s are %v, want %v", x, y, got, want)
			}
		}
		if better(x, identity.Unidentified) != x || better(identity.Unidentified, x) != x {
			t.Errorf("what is not identified is better than %s", x)
		}
	}
}

// at is the end of a link at a port of the plan; of a port that the source does not tell, port is -1.
func (p *Plan) at(v int32, port int) spot {
	s := spot{v: v, sure: Certain, text: "?"}
	if v < 0 {
		s.box = "stranger"
	}
	if port >= 0 {
		s.ports = []int32{p.first[v] + int32(port)}
	}
	return s
}

const ( // boxes of leaves
	leaf1, leaf2, spine1, spine2, node1, node2, node3, node5 = 0, 1, 2, 3, 4, 5, 6, 8
	nobody                                                   = -1
)

// TestChoiceOfNeighbours: of several neighbours of a port the planned one is taken, else the only one of which both
// ports are known, else the only one of which both boxes are, and else none.
func TestChoiceOfNeighbours(t *testing.T) {
	p, _ := planned(t, plan(t, leaves), "")
	type pair [2]spot
	sets := []struct {
		all  []pair
		keep int // -1 for none
	}{
		{
			[]pair{
				{p.at(leaf1, 0), p.at(node2, 0)},
				{p.at(leaf1, 0), p.at(node1, 0)},
				{p.at(leaf1, 0), p.at(leaf2, 9)},
			},
			1,
		},
		// The port alone is known, of one end or the other.
		{[]pair{{p.at(leaf1, 1), p.at(node1, 0)}, {p.at(leaf1, 1), p.at(node2, -1)}}, 1},
		{[]pair{{p.at(node3, -1), p.at(leaf1, 2)}, {p.at(node2, 0), p.at(leaf1, 2)}}, 0},
		// Several are between known ports, and none is planned: the box that is planned, in another port, does not do.
		{[]pair{{p.at(leaf1, 2), p.at(node1, 0)}, {p.at(leaf1, 2), p.at(leaf2, 60)}}, -1},
		{[]pair{{p.at(leaf1, 4), p.at(spine1, 9)}, {p.at(leaf1, 4), p.at(nobody, -1)}}, 0},
		// A port in which nothing is planned.
		{[]pair{{p.at(leaf1, 60), p.at(node5, -1)}, {p.at(leaf1, 60), p.at(leaf2, 60)}}, 1},
		{[]pair{{p.at(leaf2, 60), p.at(leaf1, 60)}, {p.at(leaf2, -1), p.at(leaf1, 60)}}, 0},
		{[]pair{{p.at(leaf1, 60), p.at(node5, -1)}, {p.at(leaf1, 60), p.at(nobody, -1)}}, 0},
		{[]pair{{p.at(nobody, -1), p.at(leaf1, 60)}, {p.at(spine2, -1), p.at(leaf1, 60)}}, 1},
		{[]pair{{p.at(leaf1, 60), p.at(node5, -1)}, {p.at(leaf1, 60), p.at(node1, -1)}}, -1},
		{[]pair{{p.at(nobody, -1), p.at(leaf1, 0)}, {p.at(leaf1, 0), p.at(nobody, -1)}}, -1},
		// One alone is always taken.
		{[]pair{{p.at(leaf1, 60), p.at(nobody, -1)}}, 0},
	}
	s := p.newSight()
	add := func(x pair, choice [2]int, line int) {
		s.facts = append(s.facts, fact{a: x[0], b: x[1], choice: choice, link: &exchange.Link{Line: line}})
	}
	var want []int
	for i, set := range sets {
		for k, x := range set.all {
			add(x, [2]int{i % 2, i + 1}, 10*i+k)
			if k == set.keep {
				want = append(want, 10*i+k)
			}
		}
	}
	for i := range 2 { // links by themselves
		add(pair{p.at(leaf1, 60), p.at(nobody, -1)}, [2]int{1, 0}, 1000+i)
		want = append(want, 1000+i)
	}
	s.choose()
	var got []int
	for i := range s.facts {
		got = append(got, s.facts[i].link.Line)
	}
	if !slices.Equal(got, want) {
		t.Errorf("kept are %v, want %v", got, want)
	}
	if len(s.notes) != 1 || !strings.HasPrefix(s.notes[0], "not looked at: 3 ports with several neighbours") {
		t.Errorf("%q", s.notes)
	}
	for port, unclear := range s.unclear {
		if want := slices.Contains([]int32{0, 2, 60}, int32(port)-p.first[leaf1]); unclear != want {
			t.Errorf("port %d: whether it is unclear what is in it is %v", port, unclear)
		}
	}
	s.facts, s.notes = nil, nil
	if s.choose(); len(s.notes) > 0 {
		t.Errorf("%q", s.notes)
	}
}

// TestUnclearNeighboursAreUnknown: where a port hears several neighbours and none is as planned, its link is unknown,
// and nothing is laid into it.
func TestUnclearNeighboursAreUnknown(t *testing.T) {
	p, w := planned(t, plan(t, leaves), "")
	l := w.Links[0]
	w.Links = append(w.Links[1:],
		exchange.Link{A: l.A, B: exchange.End{Box: w.Links[len(w.Links)-1].B.Box, Port: "9"}, Choice: 1},
		exchange.Link{A: l.A, B: exchange.End{Box: w.Links[len(w.Links)-2].B.Box, Port: "9"}, Choice: 1})
	r := p.Compare([]*exchange.Wiring{w})
	if r.Unknown != 1 || len(r.Moves) > 0 || len(r.Differences) > 0 || len(r.Notes) != 1 {
		t.Errorf("%d unknown, moves %v, differences %v, notes %q", r.Unknown, r.Moves, r.Differences, r.Notes)
	}
}

// settled makes links of facts, and writes them by the numbers of planned ones; others are -1.
func settled(t *testing.T, p *Plan, pairs ...[2]spot) (s *sight, right []int, others int) {
	t.Helper()
	s = p.newSight()
	for _, x := range pairs {
		s.facts = append(s.facts, fact{a: x[0], b: x[1], link: &exchange.Link{}})
	}
	s.settle()
	for i := range s.links {
		x := &s.links[i]
		if l := s.plannedAt(x.a); l >= 0 && l == s.plannedAt(x.b) {
			right = append(right, int(l))
		} else {
			others++
		}
	}
	slices.Sort(right)
	return s, right, others
}

// TestCountsOfUntoldPorts: between two boxes as many planned links are there as a source tells, regardless of what it
// tells of the other boxes of either, which end it names first, and of how many links the ports are known at one end.
func TestCountsOfUntoldPorts(t *testing.T) {
	p, _ := planned(t, plan(t, leaves), "")
	_, right, others := settled(t, p,
		[2]spot{p.at(leaf1, -1), p.at(spine1, -1)},                                             // 8
		[2]spot{p.at(leaf1, -1), p.at(spine2, -1)}, [2]spot{p.at(spine2, -1), p.at(leaf1, -1)}, // 10 and 11
		[2]spot{p.at(leaf2, -1), p.at(spine1, -1)}, [2]spot{p.at(spine1, -1), p.at(leaf2, -1)}, // 12 and 13
		[2]spot{p.at(spine1, -1), p.at(leaf2, -1)}, // more than are planned
		[2]spot{p.at(leaf2, -1), p.at(nobody, -1)},
	)
	if !slices.Equal(right, []int{8, 10, 11, 12, 13}) || others != 0 {
		t.Errorf("%v, and %d others", right, others)
	}
	// The port of a cable of two lanes is known at one end: its first lane is there, and the other link by its number.
	p, _ = smallPlan(t, "breakout", "")
	lf1, sp1 := p.called("LF1"), p.called("SP1")
	lanes := p.at(lf1, 8)
	lanes.ports = append(lanes.ports, lanes.ports[0]+1)
	_, right, others = settled(t, p, [2]spot{lanes, p.at(sp1, -1)}, [2]spot{p.at(sp1, -1), p.at(lf1, -1)})
	if !slices.Equal(right, []int{16, 17}) || others != 0 {
		t.Errorf("%v, and %d others", right, others)
	}
	// Both ends are known: two links of the three that are reported.
	far := p.at(sp1, 0)
	far.ports = append(far.ports, far.ports[0]+1)
	_, right, others = settled(t, p, [2]spot{lanes, far}, [2]spot{p.at(sp1, -1), p.at(lf1, -1)})
	if !slices.Equal(right, []int{16, 17, 18}) || others != 0 {
		t.Errorf("%v, and %d others", right, others)
	}
}

// TestLanesThatBelongElsewhere: of a port of two lanes none of which leads to the port at the other end, it is not told
// which lane is meant, and the other port is as planned.
func TestLanesThatBelongElsewhere(t *testing.T) {
	p, _ := smallPlan(t, "breakout", "")
	lanes := p.at(p.called("LF1"), 0) // to N1 and N2
	lanes.ports = append(lanes.ports, lanes.ports[0]+1)
	n3 := p.at(p.called("N3"), 0) // is planned in port 2 of LF1
	for _, x := range [][2]spot{{lanes, n3}, {n3, lanes}} {
		if _, right, others := settled(t, p, x); !slices.Equal(right, []int{4}) || others != 0 {
			t.Errorf("%v, and %d others", right, others)
		}
	}
}

// TestHalvesOfLinks takes links of which the port of one end is known. One to the planned box is right and comes before
// others, in any order of the reports; what is already known of a port stays.
func TestHalvesOfLinks(t *testing.T) {
	p, _ := planned(t, plan(t, leaves), "")
	facts := [][2]spot{
		{p.at(node1, 0), p.at(leaf1, -1)},   // link 0
		{p.at(spine1, -1), p.at(leaf1, 0)},  // in a port that is known better
		{p.at(leaf1, 60), p.at(node3, -1)},  // nothing is planned there
		{p.at(leaf1, 61), p.at(nobody, -1)}, // neither here, and nobody knows the other end
		{p.at(leaf1, 5), p.at(nobody, -1)},  // a stranger in place of a spine
	}
	for range 2 {
		s, right, others := settled(t, p, facts...)
		if !slices.Equal(right, []int{0}) || others != 2 {
			t.Errorf("%v, and %d others", right, others)
		}
		for port, want := range map[int32]End{60: {Box: "N3", Port: "?"}, 5: {Box: "stranger", Port: "?"}} {
			x := s.at[port]
			if x < 0 {
				t.Errorf("nothing is in port %d", port)
			} else if got := s.end(s.links[x].other(port)); got != want {
				t.Errorf("port %d leads to %v, want %v", port, got, want)
			}
		}
		if s.at[61] >= 0 {
			t.Error("a link between a port that is not planned and nobody counts")
		}
		slices.Reverse(facts)
	}
}
