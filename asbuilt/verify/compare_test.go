package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/units"
)

// TestCut goes through all paths of up to nine links, with and without ports that are not identified at either end. A
// link to such a port and the planned one beside it are a fault, both such links where they share it; all links between
// are another one. No link is lost, and ports stay beside their links.
func TestCut(t *testing.T) {
	for links := 1; links <= 9; links++ {
		for n := range 8 {
			foundFirst, startsOpen, endsOpen := n&1 != 0, n&2 != 0, n&4 != 0
			isFound := func(i int) bool { return foundFirst == (i%2 == 0) }
			if startsOpen && !isFound(0) || endsOpen && !isFound(links-1) || links == 1 && startsOpen && endsOpen {
				continue
			}
			s := &sight{p: &Plan{planned: make([]int32, 100)}}
			f := fault{foundFirst: foundFirst, ports: []int32{10}}
			if startsOpen {
				f.ports[0] = 100
			}
			for i := range links {
				next := int32(11 + i)
				if endsOpen && i == links-1 {
					next = 101
				}
				if isFound(i) {
					f.found = append(f.found, int32(len(s.links)))
					// Which end a source names first says nothing.
					ends := [2]int32{f.ports[i], next}
					s.links = append(s.links, found{a: ends[i/2%2], b: ends[1-i/2%2]})
				} else {
					f.plan = append(f.plan, int32(i))
				}
				f.ports = append(f.ports, next)
			}
			describe := func(f fault) string {
				return fmt.Sprint(f.plan, f.found, f.ports, f.foundFirst, f.ring)
			}
			part := func(from, to int) string { // the links of the path from one to before another
				p := fault{ports: f.ports[from : to+1], foundFirst: isFound(from)}
				for i := from; i < to; i++ {
					if isFound(i) {
						p.found = append(p.found, f.found[i/2])
					} else {
						p.plan = append(p.plan, int32(i))
					}
				}
				return describe(p)
			}
			var want, got []string
			from, to := 0, links
			switch {
			case len(f.plan) == 0:
			case startsOpen && endsOpen && links == 3:
				want, from = append(want, part(0, 3)), 3
			default:
				if startsOpen {
					want, from = append(want, part(0, 2)), 2
				}
				if endsOpen {
					want, to = append(want, part(links-2, links)), links-2
				}
			}
			if from < to {
				want = append(want, part(from, to))
			}
			for _, c := range s.cut(f) {
				got = append(got, describe(c))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d links, found first %v, open %v, %v: %v, want %v", links, foundFirst, startsOpen, endsOpen,
					got, want)
			}
		}
	}
	ring := fault{ring: true, plan: []int32{0}, found: []int32{0}}
	if got := (&sight{}).cut(ring); len(got) != 1 || !got[0].ring {
		t.Errorf("%+v", got)
	}
}

// TestListsTellOfTheirFabrics has a switch of one fabric beside a host that tells of a link of another one: what a
// source with switches does not list is missing from the fabrics of these alone, without switches from those of which
// the host has links.
func TestListsTellOfTheirFabrics(t *testing.T) {
	p, _ := smallPlan(t, "fabrics", "")
	for _, role := range []string{"switch", ""} {
		w := &exchange.Wiring{
			Boxes: []exchange.Box{
				{Name: "compute-leaf-1", Listed: true, Role: role},
				{Name: "dgx-1", Listed: true},
				{Name: "in-band-leaf-1"},
			},
			Links: []exchange.Link{
				{A: exchange.End{Box: 1, Port: "Slot1P2"}, B: exchange.End{Box: 2, Port: "swp1"}},
				// To a port in which nothing is planned.
				{A: exchange.End{Box: 0, Port: "60"}, B: exchange.End{Box: 2, Port: "swp60"}},
			},
		}
		// compute-leaf-1 has three hosts and two uplinks, dgx-1 seven more links to compute leaves; of in-band, the
		// second link of dgx-1 alone is at a box that is listed.
		missing := 12
		if role == "" {
			missing = 1
		}
		got := map[Kind]int{}
		r := p.Compare([]*exchange.Wiring{w})
		for _, d := range r.Differences {
			got[d.Kind]++
		}
		if got[Missing] != missing || got[Extra] != 1 || len(r.Differences) != missing+1 || r.Right != 1 ||
			r.Checked != missing+1 || r.Unknown != len(p.links)-missing-1 {
			t.Errorf("%q: %v, %d right of %d, %d unknown", role, got, r.Right, r.Checked, r.Unknown)
		}
	}
}

// lanesPlan has links between ports of the rates of leaves and nodes.
func lanesPlan(t *testing.T, leaf, node string) *Plan {
	p, _ := planned(t, plan(t, fmt.Sprintf(`
topology: {family: leaf-spine, nodes: 2, down: 2, up: 1, spines: 1}
packaging: {leaf: {part: my-leaf}, spine: {part: my-leaf}, node: {part: my-node}}
parts:
  - {id: my-leaf, kind: switch, units: 1, width: 44 cm, depth: 60 cm, power: 500 W,
     ports: [{count: 4, connector: qsfp28%s}]}
  - {id: my-node, kind: node, units: 1, width: 44 cm, depth: 80 cm, power: 450 W,
     ports: [{count: 1, connector: qsfp28%s}]}
`, leaf, node)), "")
	return p
}

// TestRatesThatArePlanned: a link is as fast as the slower of its ports, and with fewer lanes of the right rate it is
// too narrow, not slow.
func TestRatesThatArePlanned(t *testing.T) {
	const slow, fast = ", rate: 0.3G", ", rate: 400G"
	for _, c := range []struct {
		leaf, node string
		want       float64
	}{
		{slow, fast, 0.3}, {fast, slow, 0.3}, {fast, fast, 400},
	} {
		p := lanesPlan(t, c.leaf, c.node)
		s := p.newSight()
		for l := range p.links {
			if node := p.kinds[2].First; int(p.vertex(p.links[l].b)) < node {
				continue // between switches
			}
			if got := float64(s.rate(int32(l))); got != c.want {
				t.Errorf("leaf%s, node%s: %g Gb/s, want %g", c.leaf, c.node, got, c.want)
			}
		}
	}
	p := lanesPlan(t, slow, slow)
	for _, c := range []struct {
		lanes int
		rate  float64
		want  Kind
	}{
		{3, 0.1, ""},
		{2, 0.1, WrongWidth},
		{1, 0.1, WrongWidth},
		{1, 0.2, WrongRate},
		{1, 0.3, ""},
		{1, 0.298, ""},
		{1, 0.296, WrongRate},
		{4, 0.06, WrongRate},
		{1, 0.075, WrongWidth},
		{0, 0.1, ""},
		{1, 0, ""},
	} {
		w, err := exchange.PlannedWiring(p.result, "")
		if err != nil {
			t.Fatal(err)
		}
		w.Links[0].Lanes, w.Links[0].LaneRate = c.lanes, units.Rate(c.rate)
		r := p.Compare([]*exchange.Wiring{w})
		if c.want == "" && r.OK && r.Right == len(p.links) {
			continue
		}
		if len(r.Differences) != 1 || r.Differences[0].Kind != c.want || r.OK {
			t.Errorf("%d lanes of %g Gb/s: %+v, want %q", c.lanes, c.rate, r.Differences, c.want)
			continue
		}
		marks := r.Marks()
		said := fmt.Sprintf(": is %g Gb/s over %d lane", c.rate*float64(c.lanes), c.lanes)
		if len(marks) != 2 || !strings.Contains(marks[0].Text, said) ||
			!strings.HasSuffix(marks[0].Text, "planned 0.3 Gb/s") {
			t.Errorf("%+v, want %q", marks, said)
		}
	}
}

// TestDifferencesAreAsSureAsTheirBoxes: what is missing is as sure as the boxes at its ends, and links in conflict as
// the least sure of them.
func TestDifferencesAreAsSureAsTheirBoxes(t *testing.T) {
	p, _ := planned(t, plan(t, leaves), "")
	s := p.newSight()
	s.boxWay[p.vertex(p.links[0].a)] = identity.ByStructure
	s.boxWay[p.vertex(p.links[1].b)] = identity.ByNumber
	s.links = []found{{sure: Likely}, {sure: Certain}}
	outside := int32(len(p.planned)) // of the last box, if it were a port of the plan
	s.boxWay[len(s.boxWay)-1] = identity.ByNumber
	for _, c := range []struct {
		f    fault
		want Confidence
	}{
		{fault{ports: []int32{p.links[0].a, p.links[0].b}}, Likely},
		{fault{ports: []int32{p.links[0].a, p.links[1].b}}, Guess},
		{fault{ports: []int32{p.links[4].a, p.links[4].b}}, Certain},
		{fault{ports: []int32{p.links[4].a, outside}}, Certain},
		{fault{found: []int32{0, 1}}, Likely},
		{fault{found: []int32{1, 0}}, Likely},
		{fault{found: []int32{1}}, Certain},
		{fault{claims: []*claim{{sure: Certain}, {sure: Guess}}}, Guess},
		{fault{claims: []*claim{{sure: Guess}, {sure: Likely}}}, Guess},
		{fault{claims: []*claim{{sure: Certain}}}, Certain},
	} {
		if got := s.confidence(&c.f); got != c.want {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
}

// TestPlacesAreDifferences: a result with as many differences as misplaced boxes is not right.
func TestPlacesAreDifferences(t *testing.T) {
	p, w := planned(t, plan(t, leaves), "")
	w.Links = w.Links[1:]
	w.Places = []exchange.Place{{Box: "N1", Rack: "A02", Unit: 9}}
	if r := p.Compare([]*exchange.Wiring{w}); r.OK || len(r.Differences) != 1 || len(r.Places) != 1 {
		t.Errorf("%v, %+v, %+v", r.OK, r.Differences, r.Places)
	}
}

// TestExchangedBoxesOfAFabric exchanges all links of two leaves: they are reported by name, with the number of their
// links, and no pair of which one link alone is exchanged.
func TestExchangedBoxesOfAFabric(t *testing.T) {
	p, w := planned(t, plan(t, "topology: {family: leaf-spine, nodes: 12, down: 3, up: 2, spines: 1}"), "")
	x := *w
	x.Links = slices.Clone(w.Links)
	for i := range x.Links {
		for _, e := range []*exchange.End{&x.Links[i].A, &x.Links[i].B} {
			if e.Box == 1 || e.Box == 2 {
				e.Box = 3 - e.Box
			}
		}
	}
	want := Exchanged{[2]string{p.schedule.Device(1), p.schedule.Device(2)}, 5}
	r := p.Compare([]*exchange.Wiring{&x})
	if !slices.Equal(r.Exchanged, []Exchanged{want}) || len(r.Differences) != 5 {
		t.Errorf("%+v, want %+v; %d differences", r.Exchanged, want, len(r.Differences))
	}
	// One pair of links alone.
	first, second := p.planned[p.first[1]], p.planned[p.first[2]]
	w.Links[first].B, w.Links[second].B = w.Links[second].B, w.Links[first].B
	if r := p.Compare([]*exchange.Wiring{w}); len(r.Exchanged) > 0 || len(r.Differences) != 1 {
		t.Errorf("%+v, %+v", r.Exchanged, r.Differences)
	}
}
