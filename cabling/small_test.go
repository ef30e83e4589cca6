package cabling

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling/stock"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// TestExcessIsTold: a load that is a little more than its limit is written with as many decimals as tell the two apart.
func TestExcessIsTold(t *testing.T) {
	for _, c := range []struct {
		power, most  units.Power
		weight, bear units.Mass
		want         []string
	}{
		{
			power: 300, most: 200,
			want: []string{"300 W including optics, the rack supplies 200 W: 100 W too little"},
		},
		{power: 200, most: 200, weight: 50, bear: 50},
		{power: 200, most: 0, weight: 50, bear: 0},
		{power: 200, most: 200.0000005}, // less than rounding
		{
			power: 200.05, most: 200,
			want: []string{"200.05 W including optics, the rack supplies 200 W: 0.05 W too little"},
		},
		{
			power: 200.5, most: 200.375,
			want: []string{"200.5 W including optics, the rack supplies 200.4 W: 0.1 W too little"},
		},
		{
			weight: 50.004, bear: 50,
			want: []string{"50.004 kg in it, the rack bears 50 kg: 0.004 kg too much"},
		},
		{
			power: 1234.5, most: 1234.49, weight: 7, bear: 5,
			want: []string{
				"1234.5 W including optics, the rack supplies 1.2 kW: 0.01 W too little",
				"7 kg in it, the rack bears 5 kg: 2 kg too much",
			},
		},
	} {
		var v Violations
		v.CheckLoad("A01", c.power, c.most, c.weight, c.bear)
		var got []string
		for _, x := range v.List() {
			got = append(got, x.Message)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v of %v, %v of %v:\n%q, want\n%q", c.power, c.most, c.weight, c.bear, got, c.want)
		}
	}
}

// TestPortHint: a name that is like none of the ports is answered with the ports that there are, all of them up to
// eight.
func TestPortHint(t *testing.T) {
	names := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprint("p", i+1))
		}
		return out
	}
	for n, want := range map[int]string{
		2: "its ports are p1, p2",
		8: "its ports are p1, p2, p3, p4, p5, p6, p7, p8",
		9: "its ports are p1 to p9",
	} {
		if got := PortHint("management", names(n)); got != want {
			t.Errorf("of %d ports: %q, want %q", n, got, want)
		}
	}
}

// TestCagesOfBoxes counts cages of groups that do not fill their last one, and finds the ports in them.
func TestCagesOfBoxes(t *testing.T) {
	part := &catalog.Part{ID: "box", Units: 2, Width: 0.4, Depth: 0.6, Ports: []catalog.PortGroup{
		{Count: 5, PerCage: 2, Connector: "a"},
		{Count: 3, Connector: "b"},
		{Count: 9, PerCage: 4, Connector: "c"},
		{Count: 2, Connector: "named", ByName: true},
	}}
	box := NewBox(part)
	var cages []int
	for _, p := range box.Ports {
		cages = append(cages, p.Cage)
	}
	want := []int{0, 0, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8}
	if !slices.Equal(cages, want) || box.Cages() != 9 {
		t.Errorf("cages %v of %d, want %v of 9", cages, box.Cages(), want)
	}
	if whole := NewWholeBox(part); len(whole.Ports) != 19 || whole.Cages() != 11 {
		t.Errorf("%d ports in %d cages with those that are used by name", len(whole.Ports), whole.Cages())
	}
	box.BreakOut(slices.Repeat([]int{2}, len(box.Ports)))
	if len(box.Ports) != 34 || box.Cages() != 9 || box.Ports[9].Cage != 2 || box.Ports[9].Lane != 2 ||
		box.Ports[0].Group.PerCage != 4 || box.Ports[10].Group.PerCage != 2 || box.Ports[0].Group.Count != 10 ||
		box.Ports[10].Group.Count != 6 {
		t.Errorf("%d ports in %d cages, the tenth is %+v of %+v", len(box.Ports), box.Cages(), box.Ports[9],
			box.Ports[9].Group)
	}
}

// TestIdentities holds that ports are called as the part says, whole or broken out, regardless of the order in which
// links are plugged in and regardless of what groups they have become.
func TestIdentities(t *testing.T) {
	part := &catalog.Part{ID: "box", Units: 1, Width: 0.4, Depth: 0.6, Ports: []catalog.PortGroup{
		{
			Count: 3, Connector: "a", Label: "p#", Interface: []string{"Ethernet{n0*8}"}, Device: []string{"mlx5_{n0}"},
			InterfaceSplit: "Ethernet{n0*8+lane0/8}", AliasesSplit: []string{"etp#{letter}"},
		},
		{Count: 2, Connector: "b", First: 4, Interface: []string{"", "eth5"}, Aliases: [][]string{{"x#"}}},
		{Count: 1, Connector: "m", Label: "mgmt", Interface: []string{"eth0"}, ByName: true},
	}}
	box := NewWholeBox(part)
	box.BreakOut([]int{1, 2, 4, 0, 0, 0})
	box.OwnGroups()
	box.Take([]int{9, 8, 7, 6, 2, 1, 0})
	want := []catalog.PortIdentity{
		{Label: "mgmt", Interface: "eth0"},
		{Label: "5", Interface: "eth5", Aliases: []string{"x5"}},
		{Label: "4", Aliases: []string{"x4"}},
		{Label: "p3/4", Interface: "Ethernet22", Aliases: []string{"etp3d"}},
		{Label: "p2/2", Interface: "Ethernet12", Aliases: []string{"etp2b"}},
		{Label: "p2/1", Interface: "Ethernet8", Aliases: []string{"etp2a"}},
		{Label: "p1", Interface: "Ethernet0", Device: "mlx5_0"},
	}
	for i := range want {
		if got := box.Ports[i].Identity(); !reflect.DeepEqual(got, want[i]) || got.Label != box.Ports[i].Name {
			t.Errorf("port %d is %+v, want %+v", i, got, want[i])
		}
	}
	if len(box.Ports) != len(want) {
		t.Errorf("%d ports", len(box.Ports))
	}
}

// TestPortsOfBoxesBesideUnits: a box that takes no units shows its front to the aisle behind the rack, and its ports
// are measured from its lower end, which is half its height below the middle.
func TestPortsOfBoxesBesideUnits(t *testing.T) {
	at := [][]units.Length{{0.01, 0.3}, {0.03, 1.7}}
	part := &catalog.Part{
		ID: "pdu", ZeroU: true, Width: 0.06, Depth: 0.08, Height: 1.8,
		Ports: []catalog.PortGroup{{Count: 2, Connector: "a", Face: catalog.Front, At: at}},
	}
	box := NewBox(part)
	for i, want := range []units.Length{0.3 - 0.9, 1.7 - 0.9} {
		p := box.Box.Port(i)
		if (p.Z-want).Abs() > 1e-9 || p.Y > 0 {
			t.Errorf("port %d is at %v, want it %v from the middle, at the face of lower y", i, p, want)
		}
	}
	part.Ports[0].Face = catalog.Rear
	if p := NewBox(part).Box.Port(0); p.Y < 0 {
		t.Errorf("the rear port is at %v", p)
	}
}

// TestRoundingUp: lengths are the smallest multiples not below the required length.
func TestRoundingUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.IntRange(1, 3000).Draw(t, "step") // tenths of a millimetre
		run := rapid.IntRange(0, 100_000).Draw(t, "run")
		fixed := rapid.IntRange(0, 20_000).Draw(t, "fixed")
		loop := rapid.IntRange(0, 20_000).Draw(t, "loop")
		inRack := rapid.Bool().Draw(t, "in rack")
		s := Slack{
			Fixed: units.Length(fixed) / 1e4, InRack: units.Length(fixed) / 2e4, Loop: units.Length(loop) / 1e4,
			RoundUp: units.Length(step) / 1e4,
		}
		p := Parts{Run: units.Length(run) / 1e4}
		s.Extend(&p, inRack)
		bare := run + fixed + 2*loop
		if inRack {
			bare = run + (fixed+1)/2
		}
		want := (bare + step - 1) / step * step
		got := int(float64(p.Total())*1e4 + 0.5)
		if got != want && !(inRack && fixed%2 == 1) {
			t.Fatalf("%d rounded up to multiples of %d: %d, want %d", bare, step, got, want)
		}
		// A route may grow by what detour says, and the cable is then at most spare longer.
		spare := units.Length(rapid.IntRange(0, 50_000).Draw(t, "spare")) / 1e4
		s.Percent = rapid.Float64Range(0, 20).Draw(t, "percent")
		before := Parts{Run: 5}
		s.Extend(&before, false)
		after := Parts{Run: 5 + s.detour(spare)}
		s.Extend(&after, false)
		if d := s.detour(spare); d > 0 && after.Total() > before.Total()+spare+2e-4 {
			t.Fatalf("%v more of route are %v more of cable, at most %v were asked for", d,
				after.Total()-before.Total(), spare)
		}
		if exact := (spare - s.RoundUp) / units.Length(1+s.Percent/100); (s.detour(spare) - exact).Abs() > 1e-9 {
			t.Fatalf("a detour of %v, want %v", s.detour(spare), exact)
		}
	})
}

// TestSideOfTheRack works out by hand the way of a cable in a rack 0.6 m wide to its side: from ports 0.2 m left and
// 0.1 m right of the middle.
func TestSideOfTheRack(t *testing.T) {
	a, b := face{x: -0.2, front: true}, face{x: 0.1, front: true}
	behind := face{x: -0.1, front: false} // at the same place as b, seen from the rear
	for _, c := range []struct {
		b    face
		side Side
		want units.Length
	}{
		{b, Left, 0.1 + 0.4},
		{b, Right, 0.5 + 0.2},
		{b, Nearest, 0.5},
		{behind, Left, 0.1 + 0.4},
		{behind, Right, 0.5 + 0.2},
		{behind, Nearest, 0.5},
	} {
		if got := manager(a, c.b, c.side, 0.6); (got - c.want).Abs() > 1e-9 {
			t.Errorf("to %s and %+v: %v, want %v", c.side, c.b, got, c.want)
		}
	}
	if got := a.toSide(Nearest, 0.6); (got - 0.1).Abs() > 1e-9 {
		t.Errorf("to the nearer side: %v", got)
	}
	if got := (face{x: 0.4}).toSide(Right, 0.6); got != 0 {
		t.Errorf("from beyond the side: %v", got)
	}
}

// TestTrayLimits works out by hand what trays take: 0.1 m x 0.05 m are 5000 square millimetres.
func TestTrayLimits(t *testing.T) {
	r := TrayRule{Width: 0.1, Depth: 0.05, Fill: 0.4, Count: 3}
	if r.area() != 15_000_000 || r.limit() != 6_000_000 {
		t.Errorf("%d thousandths of a square millimetre, of which %d may be taken", r.area(), r.limit())
	}
	r.Count = 0
	if r.area() != 5_000_000 {
		t.Errorf("%d of one tray", r.area())
	}
	part := &catalog.Part{Weight: 0.0451237, Cable: &catalog.Cable{Diameter: 0.008}}
	// pi / 4 x 8 mm x 8 mm = 50.265 square millimetres
	if got := cableArea(part); got != 50_265 {
		t.Errorf("a cable of %d", got)
	}
	if got := lineWeight(part); got != 45_124 {
		t.Errorf("a metre of %d mg", got)
	}
	if got := inArea(50_265); got < 50.2649 || got > 50.2651 {
		t.Errorf("%v", got)
	}
	s := newStrand(&Product{Part: part, Length: 2.5})
	if s.mass != 45_124*25_000 || s.weight != 45_124 || s.bare != 0 || s.copper != 0 || s.bought != 2.5 {
		t.Errorf("%+v", s)
	}
}

// TestManyHashedKeys compares the numbering of keys, as it grows, with a map.
func TestManyHashedKeys(t *testing.T) {
	var table numbering[rackPair]
	for round := range 2 {
		for i := range int32(5000) {
			n, known := table.find(rackPair{i % 71, i / 71})
			if n != i || known != (round == 1) {
				t.Fatalf("pair %d is number %d, known %v", i, n, known)
			}
		}
	}
	for i := range int32(5000) { // the last one once more
		for range 2 {
			if n, known := table.find(rackPair{i % 71, i / 71}); n != i || !known {
				t.Fatalf("pair %d is number %d", i, n)
			}
		}
	}
	if 4*len(table.keys) > 3*len(table.slots) {
		t.Errorf("%d keys in %d slots", len(table.keys), len(table.slots))
	}
}

// TestSeparationIsClear works out by hand the clear height between trays for power and for data: from the top of the
// lower one to the bottom of the higher.
func TestSeparationIsClear(t *testing.T) {
	for _, c := range []struct {
		power, data TrayHeight
		want        string
	}{
		{TrayHeight{Height: 2.5, Side: 0.1}, TrayHeight{Height: 2.8, Side: 0.15}, ""},
		{TrayHeight{Height: 2.5, Side: 0.11}, TrayHeight{Height: 2.8, Side: 0.15}, "0.19 m of clear height"},
		{TrayHeight{Height: 2.8, Side: 0.1}, TrayHeight{Height: 2.5, Side: 0.1}, ""},
		{TrayHeight{Height: 2.8, Side: 0.1}, TrayHeight{Height: 2.5, Side: 0.15}, "0.15 m of clear height"},
		{TrayHeight{Height: 2.5, Side: 0.1}, TrayHeight{Height: 2.55, Side: 0.1}, "0 m of clear height"},
	} {
		c.power.Power, c.power.Name, c.data.Name = true, "p", "d"
		for _, list := range [][]TrayHeight{{c.power, c.data}, {c.data, c.power}} {
			var v Violations
			v.CheckSeparation(list, 0.2)
			found := v.List()
			if (len(found) == 0) != (c.want == "") || c.want != "" && !strings.HasPrefix(found[0].Message, c.want) {
				t.Errorf("%+v: %+v, want %q", list, found, c.want)
			}
		}
	}
}

// TestFaces: left and right are as seen from the face at which a port is, also in a rack that is turned.
func TestFaces(t *testing.T) {
	room := &layout.Room{Places: []layout.Place{{X: 5, Y: 7}, {X: 5, Y: 7, Turned: true}}}
	for _, c := range []struct {
		rack int32
		at   layout.Point
		want face
	}{
		{0, layout.Point{X: 5.1, Y: 6.5}, face{0.1, true}},
		{0, layout.Point{X: 5.1, Y: 7}, face{0.1, true}},
		{0, layout.Point{X: 5.1, Y: 7.5}, face{-0.1, false}},
		{1, layout.Point{X: 5.1, Y: 7.5}, face{-0.1, true}},
		{1, layout.Point{X: 5.1, Y: 6.5}, face{0.1, false}},
	} {
		if got := faceOf(room, c.rack, c.at); (got.x-c.want.x).Abs() > 1e-9 || got.front != c.want.front {
			t.Errorf("%v in rack %d: %+v, want %+v", c.at, c.rack, got, c.want)
		}
	}
}

// TestDrawnByBoxes: what plugs draw at the boxes of a rack is together what they draw in the rack.
func TestDrawnByBoxes(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.HyperX{Dims: topology.Ints{3}, Terminals: 4}), switchParts,
		func(e *embed.Problem) { e.Kinds[0].PerRack, e.Kinds[1].PerRack = 3, 3 })
	if err != nil {
		t.Fatal(err)
	}
	p.Drawn = true
	checker := NewChecker(p)
	p.Visit = checker.Visit
	p.Media = []MediaRule{
		{Levels: []string{"terminal"}, Media: []catalog.Medium{catalog.PassiveCopper, catalog.ActiveCopper}},
		{Media: []catalog.Medium{catalog.ActiveOptical}},
	}
	s := run(t, p)
	racks := make([]units.Power, len(s.RackPower))
	boxes := make([]units.Power, len(s.Drawn))
	for i := range s.Segments {
		seg := &s.Segments[i]
		near, far := s.Product(seg).Part.EndPower()
		boxes[seg.A] += near
		boxes[seg.B] += far
	}
	total := units.Power(0)
	for v, draws := range s.Drawn {
		if math.Abs(float64(draws-boxes[v])) > 1e-6 {
			t.Errorf("%s draws %v, by hand %v", s.Device(int32(v)), draws, boxes[v])
		}
		racks[p.Placement.Layout.Container(layout.RackLevel, p.Placement.Slot[v])] += draws
		total += draws
	}
	for rack := range racks {
		if math.Abs(float64(racks[rack]-s.RackPower[rack])) > 1e-6 {
			t.Errorf("rack %d draws %v, its boxes %v", rack, s.RackPower[rack], racks[rack])
		}
	}
	// three switches with four terminals and two others each
	if used := checker.PortsUsed(); !slices.Equal(used, []int64{3 * (4 + 2), 12}) {
		t.Errorf("%v ports are used", used)
	}
	if total == 0 {
		t.Error("nothing draws power")
	}
}

// TestGoalsKeepTheirRatio: what an optimiser adds up for a link is in the ratio of what its objective says of money,
// metres and nanoseconds of mean delay, each worked out from what the meter measures.
func TestGoalsKeepTheirRatio(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.HyperX{Dims: topology.Ints{4}, Terminals: 2}), switchParts,
		func(e *embed.Problem) { e.Kinds[0].PerRack, e.Kinds[1].PerRack = 2, 1 })
	if err != nil {
		t.Fatal(err)
	}
	const nodes = 8
	var loads []float64
	for l := range p.Graph.Links() {
		loads = append(loads, 3+float64(l.A+l.B))
	}
	opt := GoalOptions{
		Money: 2, Length: 30, Delay: 4000, Loads: loads, Terminate: 1100,
		Install: []units.Money{5000, 2000, 700}, Wire: func(m *Measured) units.Time { return units.Time(5 * m.Length) },
	}
	g, err := NewGoal(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	meter, err := NewMeter(p)
	if err != nil {
		t.Fatal(err)
	}
	places := int32(len(p.Placement.Layout.Room.Places))
	mean := 0.0
	for _, load := range loads {
		mean += load / float64(len(loads))
	}
	scale, i := 0.0, 0
	for l := range p.Graph.Links() {
		for b := range places {
			m := meter.Between(meter.Class(&l), 0, b)
			money := float64(m.Cost) + float64(opt.Install[m.Within])/100
			if m.Product != nil && m.Product.Part.Cable.Medium.Fibre() {
				money += 11
			}
			want := opt.Money*money + opt.Length*float64(m.Length) +
				opt.Delay*float64(opt.Wire(&m))*loads[i]/(nodes*(nodes-1))
			got := 0.0
			terms := g.Terms(nil, i, &l)
			if w := terms[len(terms)-1].Weight; w != int64(math.Round(1000*loads[i]/mean)) {
				t.Fatalf("link %d of load %v has the weight %d, the mean load %v has 1000", i, loads[i], w, mean)
			}
			for _, term := range terms {
				got += float64(term.Weight) * float64(g.Cost(term.Class, 0, b))
			}
			if scale == 0 {
				scale = got / want
			}
			// weights of delay are rounded to a thousandth of their mean
			if math.Abs(got/want/scale-1) > 2e-3 {
				t.Fatalf("link %d to %d: %v, want %v times %v", i, b, got, want, scale)
			}
		}
		i++
	}
	for what, one := range map[string]GoalOptions{
		"money": {Money: 7, Install: opt.Install}, "length": {Length: 7},
		"delay": {Delay: 7, Wire: opt.Wire, Loads: loads},
	} {
		g, err := NewGoal(p, one)
		if err != nil {
			t.Fatal(err)
		}
		for l := range p.Graph.Links() {
			m := meter.Between(meter.Class(&l), 0, places-1)
			want := map[string]float64{ // in cents, millimetres and picoseconds
				"money":  (float64(m.Cost) + float64(opt.Install[m.Within])/100) * 100,
				"length": float64(m.Length) * 1e3, "delay": float64(opt.Wire(&m)) * 1e3,
			}[what]
			if got := g.Cost(meter.Class(&l), 0, places-1); got != int64(math.Round(want)) {
				t.Errorf("%s: %d, want %.1f", what, got, want)
			}
		}
	}
}

// TestCandidateOfAProduct: what a product was chosen as reaches as far as the nearer of its two transceivers does,
// whichever end that is at, and has them in the order of the class.
func TestCandidateOfAProduct(t *testing.T) {
	near := &catalog.Part{ID: "near", Optic: &catalog.Optic{Reach: 30}}
	far := &catalog.Part{ID: "far", Optic: &catalog.Optic{Reach: 500}}
	for _, c := range []struct{ a, b *catalog.Part }{{near, far}, {far, near}} {
		p := Product{Part: &catalog.Part{Cable: &catalog.Cable{Medium: catalog.SingleMode}}, OpticA: c.a, OpticB: c.b}
		got := p.candidate(&linkClass{})
		if got.opticA != c.a || got.opticB != c.b || got.reach != 30 {
			t.Errorf("%s and %s: %+v", c.a.ID, c.b.ID, got)
		}
		if got = p.candidate(&linkClass{nearB: true}); got.opticA != c.b || got.opticB != c.a || got.reach != 30 {
			t.Errorf("%s and %s, near B: %+v", c.a.ID, c.b.ID, got)
		}
	}
}

// TestMountingsAreShared: ports at the same place of boxes of a kind, in any rack, have one mounting, and others their
// own.
func TestMountingsAreShared(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.Torus{Dims: topology.Ints{7, 8}}), directParts, func(e *embed.Problem) {
		e.Kinds[0].PerRack, e.Kinds[0].Chassis = 8, 1
		e.Kinds[0].Box.Width, e.Kinds[0].Box.Depth = 0.2, 0.4
		e.Chassis = []layout.Chassis{{Name: "blade", Units: 2, Slots: [3]int{2, 2, 1}}}
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Slack.Manager = Left
	w, err := newWorker(p)
	if err != nil {
		t.Fatal(err)
	}
	l := w.layout
	type place struct {
		x, y, z int64 // in tenths of a millimetre from the middle of the rack
		turned  bool
	}
	tenths := func(l units.Length) int64 { return int64(math.Round(float64(l) * 1e4)) }
	found, owner := map[place]int32{}, map[int32]place{}
	racks := map[int32]bool{}
	for v := range int32(7 * 8) {
		slot := w.slot[v]
		rack := l.Container(layout.RackLevel, slot)
		racks[rack] = true
		middle, q := &l.Room.Places[rack], l.Position(slot)
		at := place{tenths(q.X - middle.X), tenths(q.Y - middle.Y), tenths(q.Z), middle.Turned}
		n := w.mountings.at(w, w.kind(v, nil), v, 0)
		if known, ok := found[at]; ok && known != n {
			t.Errorf("vertex %d at %+v has the mounting %d, others there %d", v, at, n, known)
		}
		if other, ok := owner[n]; ok && other != at {
			t.Errorf("vertex %d at %+v has the mounting %d, which is that of %+v", v, at, n, other)
		}
		found[at], owner[n] = n, at
	}
	if len(racks) != 7 || len(found) < 8 {
		t.Errorf("%d racks, %d places in them", len(racks), len(found))
	}
}

// TestManagerOfMountings: the way to the sides is the sum of both ends', unless rounding decides the last digit.
func TestManagerOfMountings(t *testing.T) {
	s := mountings{measured: true}
	for _, c := range []struct {
		a, b units.Length
		sure bool
	}{{0.3, 0.2, true}, {0.30002, 0.20001, true}, {0.30003, 0.20002, false}} {
		got, sure := s.manager(&mounting{side: c.a}, &mounting{side: c.b}, Left)
		if c.sure != sure && (c.a+c.b != 0.50005 || sure) || sure && (got-0.5).Abs() > 1e-4 {
			t.Errorf("%v and %v: %v, %v", c.a, c.b, got, sure)
		}
	}
}

// TestExcessOfTrays adds up by hand what trays hold beyond their limits.
func TestExcessOfTrays(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.Torus{Dims: topology.Ints{12}}), directParts,
		func(e *embed.Problem) { e.Kinds[0].PerRack = 1 })
	if err != nil {
		t.Fatal(err)
	}
	p.Trays = []TrayRule{{Width: 0.02, Depth: 0.01, Fill: 0.02, Count: 1}}
	s := run(t, p)
	want, over := 0.0, 0
	for i := range s.Trays.Loads {
		if x := float64(s.Trays.Loads[i].area)/1e3 - 0.02*200; x > 0 { // square millimetres
			want += x
			over++
		}
	}
	if got := float64(s.excess()); over < 2 || math.Abs(got-want) > 1e-6*want {
		t.Errorf("%v, by hand %v in %d pieces", got, want, over)
	}
}

// TestLimitsOfRows adds up what the racks of a row draw and weigh, and holds it against the row's limits.
func TestLimitsOfRows(t *testing.T) {
	room := &layout.Room{
		Spec: layout.RoomSpec{RowPower: 500, RowWeight: 100, Rack: layout.RackType{Units: 42}},
		Rows: []layout.Row{{Name: "A"}, {Name: "B"}},
		Places: []layout.Place{
			{Row: 0, Number: 1}, {Row: 0, Number: 2}, {Row: 0, Number: 3}, {Row: 1, Number: 1}, {Row: 1, Number: 2},
		},
	}
	racks := []embed.Rack{
		{Place: 0, Power: 300, Weight: 40},
		{Place: 1, Power: 250, Weight: 50},
		{Place: 2, Power: 10, Weight: 30},
		{Place: 3, Power: 250, Weight: 50},
		{Place: 4, Power: 250, Weight: 50},
	}
	var v Violations
	v.CheckRacks(room, racks, []*catalog.Part{{}})
	var got []string
	for _, x := range v.List() {
		got = append(got, x.Rule+" "+x.Where+": "+x.Message)
	}
	if want := []string{
		"row-power row A: 560 W including optics, the row supplies 500 W: 60 W too little",
		"row-weight row A: 120 kg of boxes and cables, the row bears 100 kg: 20 kg too much",
	}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestKeysOfWays: ways that differ in an end of theirs or of a leg have keys that differ.
func TestKeysOfWays(t *testing.T) {
	n := &negotiation{}
	known := map[string]bool{}
	for a := range int32(3) {
		for b := range int32(3) {
			for from := range int32(3) {
				for to := range int32(3) {
					known[n.key(&Way{A: a, B: b}, []layout.TrayLeg{{From: from, To: to}})] = true
				}
			}
		}
	}
	if len(known) != 81 {
		t.Errorf("%d keys of 81 ways", len(known))
	}
}

// TestStockSteps: what serves a need may change at the lengths in stock and where media rules end.
func TestStockSteps(t *testing.T) {
	p := &Problem{Stock: []InStore{{Length: 5}, {Length: 3}, {Length: 5}}}
	got := stockSteps(p, []MediaRule{{}, {Longest: 4}, {Longest: 3}})
	if want := []units.Length{3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestWhyBought holds why cables are bought although there is a store, by the pieces that are in it.
func TestWhyBought(t *testing.T) {
	dear := stock.Saving{Cost: -1}
	use := func(family int, from, upto units.Length, saves stock.Saving) stock.Use {
		return stock.Use{Family: family, From: from, Upto: upto, Saves: saves}
	}
	k := &stockClass{}
	k.key.class.groupA = &catalog.PortGroup{}
	for name, c := range map[string]struct {
		uses  []stock.Use
		piles []stock.Pile
		want  Reason
	}{
		"none in stock": {[]stock.Use{use(1, 2, 0, stock.Saving{})}, []stock.Pile{{Family: 1, Length: 5}}, Misfit},
		"other family": {
			[]stock.Use{use(1, 2, 0, stock.Saving{})}, []stock.Pile{{Family: 2, Length: 5, Quantity: 1}}, Misfit,
		},
		"too short": {
			[]stock.Use{use(1, 2, 0, stock.Saving{})}, []stock.Pile{{Family: 1, Length: 1, Quantity: 1}}, Short,
		},
		"just long enough": {
			[]stock.Use{use(1, 2, 0, stock.Saving{})}, []stock.Pile{{Family: 1, Length: 2, Quantity: 1}}, Taken,
		},
		"longer than is looked at": {
			[]stock.Use{use(1, 2, 4, stock.Saving{})}, []stock.Pile{{Family: 1, Length: 5, Quantity: 1}}, Short,
		},
		"just short enough": {
			[]stock.Use{use(1, 2, 4, stock.Saving{})}, []stock.Pile{{Family: 1, Length: 4, Quantity: 1}}, Taken,
		},
		"dear": {[]stock.Use{use(1, 2, 0, dear)}, []stock.Pile{{Family: 1, Length: 5, Quantity: 1}}, Dear},
		"dear, but saves one without a price": {
			[]stock.Use{use(1, 2, 0, stock.Saving{Unpriced: 1, Cost: -1})},
			[]stock.Pile{{Family: 1, Length: 5, Quantity: 1}},
			Taken,
		},
		"needs one without a price": {
			[]stock.Use{use(1, 2, 0, stock.Saving{Unpriced: -1, Cost: 9})},
			[]stock.Pile{{Family: 1, Length: 5, Quantity: 1}},
			Dear,
		},
		"taken before dear": {
			[]stock.Use{use(1, 2, 0, stock.Saving{}), use(2, 2, 0, dear)},
			[]stock.Pile{{Family: 1, Length: 5, Quantity: 1}, {Family: 2, Length: 5, Quantity: 1}},
			Taken,
		},
		"dear before short": {
			[]stock.Use{use(1, 2, 0, dear), use(2, 2, 0, stock.Saving{})},
			[]stock.Pile{{Family: 1, Length: 5, Quantity: 1}, {Family: 2, Length: 1, Quantity: 1}},
			Dear,
		},
	} {
		if got := (*worker)(nil).whyBought(k, &stock.Class{Uses: c.uses}, c.piles); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestFloorBearsItsLimit: a floor that bears just what a rack weighs on it does, and one that bears less does not.
func TestFloorBearsItsLimit(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.Torus{Dims: topology.Ints{2}}), directParts,
		func(e *embed.Problem) { e.Kinds[0].PerRack = 1 })
	if err != nil {
		t.Fatal(err)
	}
	room := *p.Placement.Layout.Room
	rack := embed.Rack{Weight: 731}
	area := float64(room.Type(0).Width * room.BearingDepth(room.Places[0].Row))
	for share, want := range map[float64]int{1: 0, 1.001: 0, 0.999: 1} {
		var v Violations
		room.Spec.FloorLoad = units.FloorLoad(share * (731 + 120) / area)
		v.checkFloor(&room, []embed.Rack{rack}, []*catalog.Part{{Weight: 120}})
		if got := len(v.List()); got != want {
			t.Errorf("at %v of the weight: %d violations, want %d", share, got, want)
		}
	}
}
