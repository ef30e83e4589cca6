package cabling

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// messages lists violations as "rule place: message".
func messages(v *Violations) []string {
	var out []string
	for _, x := range v.List() {
		out = append(out, x.Rule+" "+x.Where+": "+x.Message)
	}
	return out
}

// TestRatesOfPorts: ports that run at different rates are reported once for each two groups, with the lesser rate.
func TestRatesOfPorts(t *testing.T) {
	const G = 1
	box := func(id string, rates ...units.Rate) *Box {
		p := &catalog.Part{ID: id, Units: 1, Width: 0.4, Depth: 0.6}
		for _, r := range rates {
			p.Ports = append(p.Ports, catalog.PortGroup{Count: 1, Rate: r, Connector: fmt.Sprint(r)})
		}
		return NewBox(p)
	}
	c := &Checker{
		boxes: []*Box{box("a", 2*G, 4*G), box("b", 4*G, 2*G, 1*G)},
		rate:  [][]units.Rate{{2 * G, 4 * G}, {4 * G, 2 * G, 1 * G}}, rates: map[ratePair]bool{},
	}
	s := &Schedule{}
	for _, p := range [][2]uint16{{0, 1}, {1, 0}, {2, 0}, {0, 3}, {0, 0}, {0, 0}, {1, 1}, {0, 0}, {1, 2}} {
		c.compare(s, &Segment{PortA: p[0], PortB: p[1]}, 0, 1)
	}
	c.compare(s, &Segment{PortA: 2, PortB: 1}, 1, 0)
	want := []string{
		"breakout a to b: a 2G port on a 4G port: each link runs at 2G",
		"breakout a to b: a 4G port on a 2G port: each link runs at 2G",
		"breakout a to b: a 4G port on a 1G port: each link runs at 1G",
		"breakout b to a: a 1G port on a 4G port: each link runs at 1G",
	}
	if got := messages(&s.Violations); !slices.Equal(got, want) {
		t.Errorf("%q, want\n%q", got, want)
	}
}

// TestOpticsOfProducts holds plugs against transceivers, and the transceivers at both ends against each other.
func TestOpticsOfProducts(t *testing.T) {
	c, far := opticOf("at-c", "c", 1), opticOf("at-far", "far", 1)
	other := opticOf("other", "c", 1)
	other.Optic.Standard = "lr"
	unlike, splitter := cableOf("unlike", catalog.SingleMode), cableOf("splitter", catalog.SingleMode)
	unlike.Cable.Far, splitter.Cable.Far = &catalog.FarEnd{Connector: "far"}, &catalog.FarEnd{Connector: "c", Plugs: 2}
	straight := cableOf("straight", catalog.SingleMode)
	for i, x := range []struct {
		p        Product
		patching bool
		want     []string
	}{
		{Product{Part: straight, OpticA: c, OpticB: c}, false, nil},
		{Product{Part: straight}, false, nil},
		{
			Product{Part: straight, OpticA: c, OpticB: other},
			false,
			[]string{"optics straight: at-c does not talk to other"},
		},
		{Product{Part: splitter, OpticA: c, OpticB: other}, false, nil},
		{Product{Part: straight, OpticA: c}, false, []string{"optics straight: an optic at one end only"}},
		{Product{Part: straight, OpticB: c}, false, []string{"optics straight: an optic at one end only"}},
		{Product{Part: straight, OpticA: c}, true, nil},
		{Product{Part: straight, OpticB: c}, true, nil},
		{
			Product{Part: straight, OpticA: c, OpticB: other},
			true,
			[]string{"optics straight: at-c does not talk to other"},
		},
		{Product{Part: unlike, OpticA: c, OpticB: far}, false, nil},
		{Product{Part: unlike, OpticA: far, OpticB: c, NearB: true}, false, nil},
		{Product{Part: unlike, OpticA: far, OpticB: c}, false, []string{
			"optics unlike: its c plug does not fit at-far, which takes far",
			"optics unlike: its far plug does not fit at-c, which takes c",
		}},
	} {
		s := &Schedule{Products: []Product{x.p}}
		s.Products[0].Length = 1
		if x.patching {
			s.Patching = &Patching{}
		}
		(&Checker{}).optics(s)
		if got := messages(&s.Violations); !slices.Equal(got, x.want) {
			t.Errorf("case %d: %q, want %q", i, got, x.want)
		}
	}
}

// TestPortsInUse counts ports with links, and tells a port with two.
func TestPortsInUse(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.Torus{Dims: topology.Ints{5, 7}}), directParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := run(t, p)
	c := NewChecker(p)
	first := c.kinds[0].First
	for _, x := range []struct {
		v    int
		port uint16
	}{{0, 0}, {0, 3}, {1, 0}, {34, 3}, {17, 2}, {17, 3}, {34, 4}, {34, 9}, {0, 3}} {
		c.mark(s, 0, int32(first+x.v), x.port) // a torus of two dimensions has four ports
	}
	if got := c.PortsUsed(); !slices.Equal(got, []int64{6}) {
		t.Errorf("%v ports in use", got)
	}
	if got := messages(&s.Violations); len(got) != 1 || got[0] != "ports "+s.Label(int32(first),
		3)+": two links at one port" {
		t.Errorf("%q", got)
	}
}

// TestWaysOfNodes lists again the ways of the cables of every vertex.
func TestWaysOfNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawMachine(t)
		p.Mode = Tray
		s, err := Run(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Kinds {
			k := &s.Kinds[i]
			ways := railWays(s, k)
			for v := range k.Count {
				var want []int32
				for j := range s.Segments {
					way, _ := s.WayOf(&s.Segments[j])
					for _, end := range []int32{s.Segments[j].A, s.Segments[j].B} {
						if int(end) == k.First+v {
							want = append(want, way)
						}
					}
				}
				if got := ways.of(v); !slices.Equal(got, want) {
					t.Fatalf("%s has the ways %v, want %v", s.Device(int32(k.First+v)), got, want)
				}
			}
		}
	})
}

// TestCommonStretches: what two lists of stretches share, a single piece too.
func TestCommonStretches(t *testing.T) {
	a, b := []stretch{{1, 5}, {9, 9}}, []stretch{{0, 1}, {3, 7}, {6, 8}, {9, 12}}
	if got, want := common(a, b), []stretch{{1, 1}, {3, 5}, {9, 9}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := stretches([]layout.TrayLeg{{From: 7, To: 4}, {From: 2, To: 3}}), []stretch{{4, 7}, {
		2,
		3,
	}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestChannelsAreNumbered: channels are numbered link by link, cages box by box.
func TestChannelsAreNumbered(t *testing.T) {
	g := newGraph(t, topology.HyperX{Dims: topology.Ints{3}, Widths: topology.Ints{3}, Terminals: 2})
	p, err := machineOf(g, map[string]string{"node": "generic-node-1u", "switch": "nvidia-qm9700"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorker(p)
	if err != nil {
		t.Fatal(err)
	}
	next, n := int64(0), int32(0)
	w.channels(func(c *channel, pa, pb *Port) {
		if c.portA == c.link.PortA {
			if c.first != next {
				t.Errorf("a link begins at channel %d, want %d", c.first, next)
			}
			next += int64(c.link.Width)
			n = 0
		}
		if c.portA != c.link.PortA+n || c.portB != c.link.PortB+n || pa != &c.a.box.Ports[c.portA] ||
			pb != &c.b.box.Ports[c.portB] {
			t.Errorf("channel %d of a link is at ports %d and %d", n, c.portA, c.portB)
		}
		n++
	})
	want := map[int32]bool{}
	all := int64(0)
	for i := range w.kinds {
		e := &w.kinds[i]
		for v := e.first; v <= e.last; v++ {
			for j := range e.box.Ports {
				want[e.cageOf(v, &e.box.Ports[j])] = true
			}
			all += int64(e.cages)
		}
	}
	if int64(len(want)) != all || w.cageCount() != all || want[-1] || want[int32(all)] || next != 3*2+3*3 {
		t.Errorf("%d cages of %d, by hand %d; %d channels", len(want), w.cageCount(), all, next)
	}
}

// TestRacksAround: racks come by their distance along the axes, of which a floor up or down counts twice.
func TestRacksAround(t *testing.T) {
	room := &layout.Room{Rows: []layout.Row{{Z: 3}, {Z: 5}, {Z: 2.5}}}
	far := []units.Length{ // from the first, which stands at 5, 5 on a floor of 3 m
		0, 1, 1.9, 2.1, 3, 3.5, 4,
	}
	room.Places = []layout.Place{
		{X: 5, Y: 5}, {X: 5, Y: 5, Row: 2}, {X: 6.9, Y: 5}, {X: 5, Y: 2.9}, {X: 3.5, Y: 6.5}, {X: 8.5, Y: 5}, {
			X: 5,
			Y: 5, Row: 1,
		},
	}
	var racks []embed.Rack
	for _, n := range rand.Perm(len(far)) {
		racks = append(racks, embed.Rack{Place: int32(n)})
	}
	k := &shuffler{w: &worker{
		p:      &Problem{Placement: &embed.Placement{Racks: racks}},
		layout: &layout.Layout{Room: room},
	}}
	for range 2 {
		if got := k.around(0); !slices.Equal(got, []int32{0, 1, 2, 3, 4, 5, 6}) {
			t.Errorf("racks in the order %v, whose distances are %v", got, far)
		}
	}
	if got := k.around(6)[:2]; !slices.Equal(got, []int32{6, 0}) {
		t.Errorf("around the last: %v", got)
	}
}

// TestSharesOfModules: the i-th share of plug j leads to the j-th share of plug i, regardless of the order in which
// links and plugs come in; where one link leads elsewhere, no module on sale will do.
func TestSharesOfModules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const each = 8 // links of a plug
		parallel := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "links between two plugs")
		n := each / parallel
		k := sharers(int32(2*n), each)
		plugs := rapid.Permutation(numbers(2*n)).Draw(t, "plugs")
		left := rapid.IntRange(2, n).Draw(t, "plugs in use") // of the near side
		var links []laneLink
		for i := range left {
			for j := range n {
				for s := range parallel {
					l := laneLink{plugs[i], plugs[n+j], uint8(j*parallel + s), uint8(i*parallel + s)}
					if rapid.Bool().Draw(t, "the other way") {
						l = laneLink{l.b, l.a, l.laneB, l.laneA}
					}
					links = append(links, l)
				}
			}
		}
		links = rapid.Permutation(links).Draw(t, "links")
		group := func() *group {
			g := &group{links: slices.Clone(links), near: slices.Clone(plugs[:left]), far: slices.Clone(plugs[n:])}
			slices.Sort(g.near)
			slices.Sort(g.far)
			for i := range k.place {
				k.place[i] = noPlace
			}
			return g
		}
		g := group()
		k.share(g)
		want := [2][]int32{slices.Repeat([]int32{-1}, n), plugs[n:]}
		copy(want[0], plugs[:left])
		if g.adapters == nil || !slices.Equal(g.adapters[0], want[0]) || !slices.Equal(g.adapters[1], want[1]) {
			t.Fatalf("%+v, want %v", g.adapters, want)
		}
		if p := (&catalog.Panel{Shuffle: n}); g.size(p) != 2*n {
			t.Fatalf("%d adapters", g.size(p))
		}
		if p := (&catalog.Panel{ToOrder: true}); g.size(p) != left+n {
			t.Fatalf("%d adapters of a module to order", g.size(p))
		}
		// exchange two lanes of one plug
		g = group()
		a := rapid.IntRange(0, len(links)-1).Draw(t, "a link")
		b := rapid.IntRange(0, len(links)-1).Draw(t, "another")
		x, y := &g.links[a], &g.links[b]
		switch {
		case a == b:
		case x.a == y.a:
			x.laneA, y.laneA = y.laneA, x.laneA
		case x.b == y.b:
			x.laneB, y.laneB = y.laneB, x.laneB
		case x.a == y.b:
			x.laneA, y.laneB = y.laneB, x.laneA
		case x.b == y.a:
			x.laneB, y.laneA = y.laneA, x.laneB
		}
		if k.share(g); !slices.Equal(g.links, links) && g.adapters != nil {
			t.Fatalf("%+v and %+v after lanes were exchanged, and a module is still found", *x, *y)
		}
	})
	// two plugs of a side with the same place
	k := sharers(4, 2)
	for i := range k.place {
		k.place[i] = noPlace
	}
	g := &group{links: []laneLink{{0, 2, 0, 0}, {1, 3, 0, 0}}, near: []int32{0, 1}, far: []int32{2, 3}}
	if k.share(g); g.adapters != nil {
		t.Errorf("%v", *g.adapters)
	}
	// a plug with another number of links
	k = sharers(2, 4)
	k.place[0], k.place[1] = noPlace, noPlace
	k.cages = [][]*catalog.PortGroup{{{}}, {{}}}
	k.w.kinds = []ends{{last: 0, cages: 1}, {first: 1, last: 1, cages: 1, cageBase: 1}}
	k.ports = map[*catalog.PortGroup]*splitPorts{k.cages[0][0]: {each: 4}, k.cages[1][0]: {each: 2}}
	g = &group{links: []laneLink{{0, 1, 0, 0}}, near: []int32{0}, far: []int32{1}}
	if k.share(g); g.adapters != nil {
		t.Errorf("%v", *g.adapters)
	}
	for plug, each := range []int{4, 2} {
		if v, ports := k.locate(int32(plug)); v != int32(plug) || ports.each != each {
			t.Errorf("plug %d is at vertex %d with %d links", plug, v, ports.each)
		}
	}
}

func numbers(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// sharers is a shuffler of boxes with a cage each, which holds one plug of so many links.
func sharers(boxes int32, each int) *shuffler {
	cage := &catalog.PortGroup{}
	return &shuffler{
		w: &worker{kinds: []ends{{last: boxes - 1, cages: 1}}}, most: 1, cages: [][]*catalog.PortGroup{{cage}},
		ports: map[*catalog.PortGroup]*splitPorts{cage: {each: each}}, place: make([]int16, boxes),
	}
}

// TestPricesOfPieces works out by hand what a bundle of 50 pays for pieces of 1000 tenths of a millimetre of which 100
// may be taken, as often as it is congested.
func TestPricesOfPieces(t *testing.T) {
	n := &negotiation{
		s:     &Schedule{Bundles: []Bundle{{area: 30}, {area: 30}}, Ways: make([]Way, 3)},
		limit: []int64{100, 100, 100, 100, 0}, length: []int64{1000, 1000, 1000, 1000, 1000},
		load: []int64{80, 50, 51, 101, 999}, history: []float64{0.5, 0.5, 0, 0, 7}, present: 2, size: 50,
		legs: [][]layout.TrayLeg{{{From: 2, To: 1}}, {{From: 3, To: 3}, {From: 4, To: 4}}, {{From: 0, To: 1}}},
		way:  []int32{0, 1}, base: []int32{0, 0}, area: []int64{10, 20},
	}
	for piece, want := range []struct{ price, capped, over int64 }{
		{1000 + 5500 + 2*3*1100, layout.NoRoute, 0}, // 30 of 100 too much
		{1000 + 5500, 1000, 0},
		{1000 + 2*110, layout.NoRoute, 0},
		{1000 + 2*51*110, layout.NoRoute, 1},
		{1000, 1000, 0}, // no limit
	} {
		p := int32(piece)
		if n.price(p) != want.price || n.cappedPrice(p) != want.capped || n.over(p) != want.over {
			t.Errorf("piece %d: %d, %d, %d; want %+v", piece, n.price(p), n.cappedPrice(p), n.over(p), want)
		}
	}
	if n.total() != 1 || n.overfull(0) || !n.overfull(1) {
		t.Errorf("%d too much, on the ways of the bundles %v and %v", n.total(), n.overfull(0), n.overfull(1))
	}
	// off the first way, on which it is 10, to the third, on which it is 30; the second back to its base
	n.put(0, 2)
	n.put(1, 1)
	n.put(1, 0)
	if want := []int64{80 + 30, 50 - 10 + 30 + 20, 51 - 10 + 20, 101 - 30, 999 - 30}; !slices.Equal(n.load, want) {
		t.Errorf("loads %v, want %v", n.load, want)
	}
	if n.way[0] != 2 || n.way[1] != 0 || n.areaOf(0) != 30 || n.areaOf(1) != 20 {
		t.Errorf("ways %v", n.way)
	}
	if got := n.run4(n.legs[0]); got != 0.2 {
		t.Errorf("two pieces of 0.1 m are %v m", got)
	}
}

// TestIDsOfPieces: ids have zeros up to a number of digits, routes the ids of their first and last pieces.
func TestIDsOfPieces(t *testing.T) {
	ids := &Trays{digits: 4}
	for piece, want := range map[int32]string{
		0: "T0001", 8: "T0009", 9: "T0010", 99: "T0100", 998: "T0999",
		999: "T1000", 9999: "T10000",
	} {
		if got := ids.ID(piece); got != want {
			t.Errorf("piece %d is %s, want %s", piece, got, want)
		}
	}
	legs := []layout.TrayLeg{{From: 16, To: 2}, {From: 119, To: 119}}
	if got, want := string(ids.AppendRoute(nil, legs)), "T0017-T0003 T0120"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// shuffleParts are transceivers of two kinds for cages of four and of two ports, cords for them and shuffles.
const shuffleParts = `parts:
  - {id: b, kind: node, units: 1, width: 0.4, depth: 0.6, source: x, confidence: user, ports: [
      {count: 8, connector: big, rate: 100G, per_cage: 4},
      {count: 4, connector: small, rate: 100G, per_cage: 2, first: 9}]}
  - {id: big-one, kind: optic, source: x, confidence: user,
      optic: {form: big, standard: dr4, fibre: single-mode, plug: mpo12-x, rate: 400G, reach: 30 m, end: 1}}
  - {id: big-two, kind: optic, source: x, confidence: user,
      optic: {form: big, standard: dr2, fibre: single-mode, plug: mpo12-x, rate: 200G, ports: 2, reach: 30 m, end: 1}}
  - {id: small-one, kind: optic, source: x, confidence: user,
      optic: {form: small, standard: dr4, fibre: single-mode, plug: mpo12-x, rate: 400G, reach: 30 m, end: 1}}
  - {id: small-two, kind: optic, source: x, confidence: user,
      optic: {form: small, standard: dr2, fibre: single-mode, plug: mpo12-x, rate: 200G, reach: 30 m, end: 1}}
  - {id: cord, kind: cable, source: x, confidence: user,
      cable: {medium: single-mode, connector: mpo12-x, lengths: [3, 9], propagation: 5}}
  - {id: few, kind: panel, units: 1, width: 0.4, depth: 0.3, source: x, confidence: user,
     panel: {connector: mpo12-x, fibre: single-mode, ports: 16, loss: 0.7 dB, shuffle: 4}}
  - {id: many, kind: panel, units: 1, width: 0.4, depth: 0.3, source: x, confidence: user,
     panel: {connector: mpo12-x, fibre: single-mode, ports: 32, loss: 0.7 dB, shuffle: 4}}
  - {id: other, kind: panel, units: 1, width: 0.4, depth: 0.3, source: x, confidence: user,
     panel: {connector: mpo12-x, fibre: single-mode, ports: 16, loss: 0.7 dB, shuffle: 2}}
  - {id: order, kind: panel, units: 1, width: 0.4, depth: 0.3, source: x, confidence: user,
     panel: {connector: mpo12-x, fibre: single-mode, ports: 16, loss: 0.7 dB, shuffle: 5, to_order: true}}
`

// TestPartsOfShuffles chooses by hand the kind of transceiver of a set of ports, the transceiver of a kind, and the
// panel of a shuffle.
func TestPartsOfShuffles(t *testing.T) {
	parts, _, err := catalog.Parse([]byte(shuffleParts), "parts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Default().With(parts)
	if err != nil {
		t.Fatal(err)
	}
	price := map[string]units.Money{}
	quote := func(p *catalog.Part, _ units.Length) catalog.Quote {
		return catalog.Quote{Unit: price[p.ID], Priced: price[p.ID] > 0}
	}
	box := NewBox(c.Part("b"))
	w := &worker{
		p: &Problem{Catalog: c, Shuffle: &Shuffling{}}, kinds: []ends{{box: box, cages: 1}},
		buyer: buyer{catalog: c, quote: quote, rules: []MediaRule{{Media: catalog.Media}}},
	}
	big, small := box.Ports[0].Group, box.Ports[8].Group
	one := laneKind{"dr", catalog.SingleMode, "mpo12-x", 400e9, 4, 0}
	two := laneKind{"dr", catalog.SingleMode, "mpo12-x", 200e9, 2, 0}
	one.rate, two.rate = c.Part("big-one").Optic.Rate, c.Part("big-two").Optic.Rate
	for i, x := range []struct {
		prices             [4]units.Money // big-one, small-one, big-two, small-two
		reachOne, reachTwo units.Length
		longest            units.Length
		want               laneKind
	}{
		{[4]units.Money{100, 300, 200, 240}, 30, 30, 5, two}, // 25 + 150 a link against 50 + 120
		{[4]units.Money{100, 300, 200, 260}, 30, 30, 5, one}, // 25 + 150 against 50 + 130
		{[4]units.Money{100, 300, 100, 300}, 30, 30, 5, one}, // as much: fewer cords
		{[4]units.Money{100, 300, 1, 0}, 30, 30, 5, one},     // without a price
		{[4]units.Money{100, 300, 1, 1}, 30, 14, 5, one},     // too short
		{[4]units.Money{100, 300, 1, 1}, 30, 15, 5, two},     // just long enough
		{[4]units.Money{1, 1, 100, 300}, 16, 30, 7, two},     // too short
		{[4]units.Money{1, 1, 100, 300}, 13, 14, 7, two},     // neither reaches: the farther one
		{[4]units.Money{100, 300, 1, 1}, 14, 13, 7, one},
	} {
		price["big-one"], price["small-one"], price["big-two"], price["small-two"] = x.prices[0], x.prices[1],
			x.prices[2], x.prices[3]
		var optics []*catalog.Part
		for _, id := range []string{"big-one", "small-one", "big-two", "small-two"} {
			o := *c.Part(id)
			reach := new(*o.Optic)
			if reach.Reach = x.reachOne; strings.HasSuffix(id, "two") {
				reach.Reach = x.reachTwo
			}
			o.Optic = reach
			optics = append(optics, &o)
		}
		set := &splitSet{kinds: []laneKind{two, one}, longest: x.longest}
		k := &shuffler{w: w, ports: map[*catalog.PortGroup]*splitPorts{
			big:   {set: set, optics: []*catalog.Part{optics[0], optics[2]}, ports: 4},
			small: {set: set, optics: []*catalog.Part{optics[1], optics[3]}, ports: 2},
		}}
		k.choose(set)
		each := 4
		if x.want == two {
			each = 2
		}
		if set.kind != x.want || set.none || k.ports[big].each != each || k.ports[small].each != 2 {
			t.Errorf("case %d: %+v, want %+v; %d and %d links of a plug", i, set.kind, x.want, k.ports[big].each,
				k.ports[small].each)
		}
	}
	k := &shuffler{w: w, most: 1}
	optic := func(id string, reach units.Length) *catalog.Part {
		o := *c.Part("big-one")
		o.ID, o.Optic = id, new(*o.Optic)
		o.Optic.Reach = reach
		return &o
	}
	price["dear"], price["cheap"], price["any"] = 9, 5, 7
	for i, x := range []struct {
		optics []*catalog.Part
		want   string
	}{
		{[]*catalog.Part{optic("dear", 10), optic("cheap", 11)}, "cheap"},
		{[]*catalog.Part{optic("cheap", 9), optic("dear", 10)}, "dear"},
		{[]*catalog.Part{optic("dear", 10), optic("cheap", 9)}, "dear"},
		{[]*catalog.Part{optic("cheap", 8), optic("dear", 9)}, "dear"},
		{[]*catalog.Part{optic("dear", 9), optic("cheap", 8)}, "dear"},
		{[]*catalog.Part{optic("dear", 10), optic("any", 0)}, "any"},
		{[]*catalog.Part{optic("none", 10), optic("any", 10)}, "any"},
		{[]*catalog.Part{c.Part("big-two"), optic("dear", 8)}, "dear"},
	} {
		if got := k.cheapest(&splitPorts{optics: x.optics}, one, 10); got.ID != x.want {
			t.Errorf("case %d: %s, want %s", i, got.ID, x.want)
		}
	}
	set := &splitSet{kind: one}
	k.ports, k.cages = map[*catalog.PortGroup]*splitPorts{big: {set: set}}, [][]*catalog.PortGroup{{big}}
	shared := &group{
		links: []laneLink{{}}, near: []int32{0}, far: []int32{1, 2, 3, 4},
		adapters: &[2][]int32{{0, -1, -1, -1}, {1, 2, 3, 4}},
	}
	free := &group{links: []laneLink{{}}, near: []int32{0}, far: []int32{1, 2, 3, 4}}
	wide := &group{links: []laneLink{{}}, near: []int32{0}, far: []int32{1, 2, 3, 4, 5, 6}}
	price["order"], price["other"] = 1000, 1
	for i, x := range []struct {
		g                *group
		few, many, order units.Money
		want             string
	}{
		{shared, 100, 140, 1000, "many"}, // 8 of 16 for 50, 8 of 32 for 35
		{shared, 100, 220, 1000, "few"},
		{shared, 100, 140, 90, "order"}, // 5 of 16 for 28
		{shared, 100, 140, 0, "many"},   // without a price
		{free, 100, 140, 1000, "order"},
		{wide, 100, 140, 90, ""},
	} {
		price["few"], price["many"], price["order"] = x.few, x.many, x.order
		got := k.part(x.g)
		if x.want == "" && got == nil {
			continue
		}
		if got == nil || got.ID != x.want {
			t.Errorf("case %d: %v, want %s", i, got, x.want)
		}
	}
	if fewest := (&Port{of: big, number: 6, Lane: 2, into: 2}).inCage(); fewest != 2*2+1 {
		t.Errorf("the second part of the third port of a cage is number %d there", fewest)
	}
	if whole := (&Port{of: big, number: 7}).inCage(); whole != 3 {
		t.Errorf("the fourth port of a cage is number %d there", whole)
	}
}
