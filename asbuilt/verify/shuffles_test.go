package verify

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
)

// splitPorts is a machine of two planes whose ports of 800G are split in two, with shuffles between them.
const splitPorts = `
boxes: [{name: node, count: 12, part: box, per_rack: 9, breakout: {net: 2}}]
fabrics:
  - {name: p1, topology: {family: leaf-spine, nodes: 12, leaves: 2, up: 4, spines: 2},
     ends: [{boxes: node, ports: net/1}],
     switches: {switch: {part: switch, breakout: 2}}}
  - {name: p2, topology: {family: leaf-spine, nodes: 12, leaves: 2, up: 4, spines: 2},
     ends: [{boxes: node, ports: net/2}],
     switches: {switch: {part: switch, breakout: 2}}}
parts:
  - {id: box, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, source: x, confidence: user,
     ports: [{name: net, count: 1, connector: cage, rate: 800G}]}
  - {id: switch, kind: switch, units: 1, width: 440 mm, depth: 500 mm, power: 1 kW, hop: 300 ns, source: x,
     confidence: user, ports: [{count: 16, connector: cage, rate: 800G}]}
  - {id: optic, kind: optic, source: x, confidence: user, power: 15 W, optic: {form: cage, fibre: single-mode,
     reach: 500 m, end: 10 ns, loss: 3 dB, standard: dr8, plug: mpo16-test, rate: 800G, ports: 1}}
  - {id: cord-16, kind: cable, source: x, confidence: user, weight: 9 g, cable: {medium: single-mode,
     connector: mpo16-test, lengths: [1, 3, 5, 10, 20, 50], diameter: 3 mm, propagation: 5, attenuation: 0.5 dB/km}}
  - {id: shuffle, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, confidence: user,
     panel: {connector: mpo16-test, fibre: single-mode, ports: 48, loss: 0.7 dB, shuffle: 2}}
`

// cords reads the cable schedule of a plan back.
func cords(t *testing.T, p *Plan) *exchange.Wiring {
	t.Helper()
	var b bytes.Buffer
	if err := render.Cables(t.Context(), &b, p.result); err != nil {
		t.Fatal(err)
	}
	w, err := exchange.ReadCables("cables.csv", &b)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestCordsOfShuffles reads the cords of a machine with shuffles: as planned, all links are right. Without the cord of
// a plug, its links are the only ones that are not seen, and a note names where the first of their other
// cords leads. Two
// cords of which the adapters are exchanged carry each other's links.
func TestCordsOfShuffles(t *testing.T) {
	p, _ := planned(t, plan(t, splitPorts), "")
	if len(p.schedule.Patching.Shuffles) == 0 {
		t.Fatal("no shuffles")
	}
	panel := func(w *exchange.Wiring, e exchange.End) bool {
		return p.schedule.Panel(p.device(w.Boxes[e.Box].Name)) >= 0
	}
	w := cords(t, p)
	r := p.Compare([]*exchange.Wiring{w})
	if !r.OK || r.Right != len(p.links) || r.Unknown > 0 || len(r.Notes) > 0 {
		t.Errorf("as planned: %+v", r)
	}
	for i := range w.Links { // either end may be listed first
		w.Links[i].A, w.Links[i].B = w.Links[i].B, w.Links[i].A
	}
	if r = p.Compare([]*exchange.Wiring{w}); !r.OK || r.Right != len(p.links) || len(r.Notes) > 0 {
		t.Errorf("as planned, from the far end: %+v", r)
	}

	links, cords := w.Links, 0
	for i := 0; i < len(links); i += 7 {
		near, at := links[i].A, links[i].B
		if panel(w, near) {
			at = near
		}
		if !panel(w, at) {
			continue // a cable from plug to plug
		}
		cords++
		w.Links = slices.DeleteFunc(slices.Clone(links), func(l exchange.Link) bool { return l.A == at || l.B == at })
		gone := len(links) - len(w.Links) // one a link of the plug
		r = p.Compare([]*exchange.Wiring{w})
		if gone == 0 || r.Right != len(p.links)-gone || len(r.Notes) != 1 ||
			!strings.Contains(r.Notes[0], "ends at a shuffle") {
			t.Errorf("without the cord at %s %s: %d right of %d without %d, %q", w.Boxes[at.Box].Name, at.Port, r.Right,
				len(p.links), gone, r.Notes)
		}
	}

	if cords < 2 {
		t.Errorf("%d cords are left out", cords)
	}

	// Exchange the adapters of two plugs at boxes of the same kind.
	w.Links = slices.Clone(links)
	var at []exchange.End
	for _, l := range links {
		e := l.B
		if !panel(w, e) {
			e = l.A
		}
		if panel(w, e) && !slices.Contains(at, e) {
			at = append(at, e)
		}
	}
	first, last := at[0], at[len(at)-1]
	swap := map[exchange.End]exchange.End{first: last, last: first}
	moved := 0
	for i := range w.Links {
		for _, e := range []*exchange.End{&w.Links[i].A, &w.Links[i].B} {
			if to, ok := swap[*e]; ok {
				*e = to
				moved++
			}
		}
	}
	if r = p.Compare([]*exchange.Wiring{w}); r.OK || r.Right < len(p.links)-2*moved || r.Right > len(p.links)-moved/2 {
		t.Errorf("%d of %d cords exchanged: %d right of %d", moved, len(links), r.Right, len(p.links))
	}

	// An adapter or a port that is not one is not a link, and is reported.
	w.Links = slices.Clone(links)
	l := &w.Links[slices.IndexFunc(links, func(l exchange.Link) bool { return l.A == first || l.B == first })]
	end := &l.A
	if l.B == first {
		end = &l.B
	}
	end.Port = "x"
	if r = p.Compare([]*exchange.Wiring{w}); r.Right != len(p.links)-1 || len(r.Notes) != 1 ||
		!strings.Contains(r.Notes[0], "x is not identified") {
		t.Errorf("an adapter that is not one: %d right of %d, %q", r.Right, len(p.links), r.Notes)
	}
}

// TestCordsOfOctopusCables reads the octopus cables of a plan back: as planned, all links are right. Two legs of one
// cable at each other's adapters are two wrong links, and a link without its leg is the only one that is not seen.
func TestCordsOfOctopusCables(t *testing.T) {
	text := strings.NewReplacer("net: 2", "net: 8", "breakout: 2", "breakout: 8").Replace(splitPorts)
	p, _ := planned(t, plan(t, "cabling: {shuffle: octopus}"+text+`
  - {id: octopus, kind: cable, source: x, confidence: user, weight: 9 g, cable: {medium: single-mode,
     connector: mpo16-test, links: 8, far: {connector: duplex, plugs: 8}, lengths: [1, 3, 5, 10, 20, 50],
     diameter: 3 mm, propagation: 5, attenuation: 0.5 dB/km}}
  - {id: patch, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, confidence: user,
     panel: {connector: duplex, fibre: single-mode, ports: 48, loss: 0.25 dB}}
`), "")
	if !p.schedule.Patching.Octopus {
		t.Fatal("no octopus cables")
	}
	w := cords(t, p)
	r := p.Compare([]*exchange.Wiring{w})
	if !r.OK || r.Right != len(p.links) || r.Unknown > 0 || len(r.Notes) > 0 {
		t.Errorf("as planned: %+v", r)
	}
	panel := func(e exchange.End) bool { return p.schedule.Panel(p.device(w.Boxes[e.Box].Name)) >= 0 }
	links := w.Links
	box := links[0].A
	var at []*exchange.End // of the legs at one box
	w.Links = slices.Clone(links)
	for i := range w.Links {
		if l := &w.Links[i]; l.A.Box == box.Box && panel(l.B) {
			at = append(at, &l.B)
		}
	}
	if len(at) < 2 {
		t.Fatalf("%d legs at %s", len(at), w.Boxes[box.Box].Name)
	}
	*at[0], *at[1] = *at[1], *at[0]
	if r = p.Compare([]*exchange.Wiring{w}); r.OK || r.Right != len(p.links)-2 {
		t.Errorf("two legs exchanged: %d right of %d", r.Right, len(p.links))
	}
	w.Links = slices.DeleteFunc(slices.Clone(links), func(l exchange.Link) bool { return l.A == box })
	if r = p.Compare([]*exchange.Wiring{w}); r.Right != len(p.links)-len(links)+len(w.Links) || len(r.Notes) != 1 {
		t.Errorf("without a leg: %d right of %d, %q", r.Right, len(p.links), r.Notes)
	}
}

// TestPortsByName finds every port with a link by what is printed beside it, and none by another name.
func TestPortsByName(t *testing.T) {
	for _, name := range []string{"panels", "breakout", "hosts"} {
		p, _ := smallPlan(t, name, "")
		s := &sight{p: p}
		for v := range int32(len(p.first) - 1) {
			for i := range p.first[v+1] - p.first[v] {
				if p.planned[p.first[v]+i] < 0 {
					continue
				}
				if got := s.findPort(v, p.portName(v, p.first[v]+i)); got != i {
					t.Errorf("%s: %s %s is port %d, want %d", name, p.schedule.Device(v),
						p.portName(v, p.first[v]+i), got, i)
				}
			}
			if got := s.findPort(v, "none"); got != -1 {
				t.Errorf("%s: port %d is called none", name, got)
			}
		}
	}
}

// TestHeights holds that a box is as high as its part, and everything takes a unit at least.
func TestHeights(t *testing.T) {
	p, _ := planned(t, plan(t, splitPorts), "")
	s := &sight{p: p}
	high := *p.schedule.Patching.Panels[0].Part
	high.Units = 3
	p.schedule.Patching.Panels[0].Part = &high
	for v := range int32(topology.Vertices(p.result.Graph)) {
		units := p.schedule.Boxes[topology.KindOf(p.kinds, int(v))].Part.Units
		if got := s.height(v); got != max(float64(units), 1) {
			t.Errorf("%s is %g units high, its part %v", p.schedule.Device(v), got, units)
		}
	}
	for i := range p.schedule.Patching.Panels {
		part := p.schedule.Patching.Panels[i].Part
		if got := s.height(p.schedule.Patching.Vertex(int32(i))); got != max(float64(part.Units), 1) {
			t.Errorf("panel %d is %g units high, its part %v", i, got, part.Units)
		}
	}
	for unit, want := range map[int]string{0: "A01", 1: "A01/U01", 12: "A01/U12"} {
		if got := position("A01", unit, false); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := position("A01", 7, true); got != "A01/U07.5" {
		t.Errorf("half a unit: %q", got)
	}
}

// TestLanesOfCables pairs ports of which one, both or none are broken out.
func TestLanesOfCables(t *testing.T) {
	p, _ := smallPlan(t, "breakout", "")
	for i, l := range p.links {
		// Both ends by themselves, as one of several, and as both of several.
		a, b := lanesOf(p, l.a), lanesOf(p, l.b)
		if got := p.lanes([]int32{l.a}, []int32{l.b}); !slices.Equal(got, [][2]int32{{l.a, l.b}}) {
			t.Errorf("link %d: %v", i, got)
		}
		if got := p.lanes(a, []int32{l.b}); !slices.Equal(got, [][2]int32{{l.a, l.b}}) {
			t.Errorf("link %d, lanes %v of a: %v", i, a, got)
		}
		if got := p.lanes([]int32{l.a}, b); !slices.Equal(got, [][2]int32{{l.a, l.b}}) {
			t.Errorf("link %d, lanes %v of b: %v", i, b, got)
		}
	}
	for _, c := range []struct {
		a, b []int32
		want [][2]int32
	}{
		{[]int32{1, 2, 3}, []int32{7, 8}, [][2]int32{{1, 7}, {2, 8}}},
		{[]int32{1, 2}, []int32{7, 8, 9, 10}, [][2]int32{{1, 7}, {2, 8}}},
	} {
		if got := p.lanes(c.a, c.b); !slices.Equal(got, c.want) {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// lanesOf are all ports of the cage of a port.
func lanesOf(p *Plan, port int32) []int32 {
	v := p.vertex(port)
	name, _, _ := strings.Cut(p.end(port).Port, "/")
	c := identity.Claim{Text: name}
	if got, _ := p.ports(v, &c); slices.Contains(got, port) {
		return got
	}
	return []int32{port}
}
