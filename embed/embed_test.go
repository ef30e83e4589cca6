package embed

import (
	"context"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/units"
)

func rackType() layout.RackType {
	return layout.RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2}
}

func graph(t testing.TB, s topology.Params) topology.Graph {
	t.Helper()
	g, err := topology.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// problem puts every kind of g into boxes of one unit in an open room.
func problem(g topology.Graph) *Problem {
	p := &Problem{Graph: g, Strategy: Auto, Fold: true, Room: &layout.RoomSpec{
		Rack: rackType(), Cold: 1.2, Hot: 0.9,
		Alternate: true, Margin: 1.2, Trays: layout.TraySpec{Height: 2.3},
	}}
	for range g.Kinds() {
		p.Kinds = append(p.Kinds, Kind{Box: layout.NewBox(1, 0.44, 0.8, nil)})
	}
	return p
}

func place(t testing.TB, p *Problem) *Placement {
	t.Helper()
	pl, err := Place(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return pl
}

// drawGraph draws a small member of any family.
func drawGraph(t *rapid.T) topology.Graph {
	small := rapid.IntRange(2, 5)
	var s topology.Params
	switch rapid.SampledFrom([]string{
		"torus", "mesh", "hypercube", "hyperx", "thin-tree", "fat-tree", "dragonfly",
		"rail-only",
	}).Draw(t, "family") {
	case "torus":
		s = topology.Torus{Dims: rapid.SliceOfN(rapid.IntRange(1, 6), 1, 4).Draw(t, "dims")}
	case "mesh":
		s = topology.Mesh{Dims: rapid.SliceOfN(rapid.IntRange(1, 6), 1, 4).Draw(t, "dims")}
	case "hypercube":
		s = topology.Hypercube{Dims: topology.Ints{rapid.IntRange(1, 7).Draw(t, "dims")}}
	case "hyperx":
		s = topology.HyperX{Dims: rapid.SliceOfN(small, 1, 3).Draw(t, "dims"), Terminals: small.Draw(t, "terminals")}
	case "thin-tree":
		k := small.Draw(t, "down")
		s = topology.ThinTree{
			Down: k, Up: rapid.IntRange(1, k).Draw(t, "up"),
			Levels: rapid.IntRange(1, 3).Draw(t, "levels"),
		}
	case "fat-tree":
		s = topology.FatTree{
			Nodes: rapid.IntRange(1, 60).Draw(t, "nodes"), Radix: 16,
			Rails: rapid.IntRange(1, 3).Draw(t, "rails"),
		}
	case "rail-only": // its nodes are in no grouping
		s = clusters.RailOnly{
			Nodes: rapid.IntRange(1, 40).Draw(t, "nodes"),
			Rails: rapid.IntRange(1, 3).Draw(t, "rails"), Radix: 16,
		}
	case "dragonfly":
		s = topology.Dragonfly{P: small.Draw(t, "p"), A: small.Draw(t, "a"), H: rapid.IntRange(1, 3).Draw(t, "h")}
	}
	g, err := topology.New(s)
	if err != nil {
		t.Skip(err)
	}
	return g
}

// TestRacksHoldWhatTheyCan draws machines and checks every limit by adding up
// from the placement alone.
func TestRacksHoldWhatTheyCan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		p := problem(g)
		p.Strategy = rapid.SampledFrom([]Strategy{Auto, Hierarchy, Hilbert, Random}).Draw(t, "strategy")
		p.Seed = rapid.Uint64().Draw(t, "seed")
		if rapid.IntRange(0, 99).Draw(t, "optimised") == 77 { // takes its time
			p.Optimizer = shortest(mapping.Quick)
		}
		p.Room.Rack.Units = rapid.SampledFrom([]int{42, 64, 65, 200}).Draw(t, "rack")
		p.Room.Rack.Power = 10000
		p.Room.Rack.Weight = 900
		if rapid.Bool().Draw(t, "chassis") {
			p.Chassis = []layout.Chassis{{
				Name: "enclosure", Units: 4, Slots: [3]int{2, 1, 2}, PerRack: 3,
				Power:  units.Power(rapid.IntRange(0, 2000).Draw(t, "chassis power")),
				Weight: units.Mass(rapid.IntRange(0, 100).Draw(t, "chassis weight")),
			}}
		}
		for i := range p.Kinds {
			k := &p.Kinds[i]
			k.Box = layout.NewBox(rapid.IntRange(1, 9).Draw(t, "units"), 0.44, 0.8, nil)
			k.Power = units.Power(rapid.IntRange(0, 3000).Draw(t, "power"))
			k.Weight = units.Mass(rapid.IntRange(0, 200).Draw(t, "weight"))
			k.PerRack = rapid.IntRange(0, 10).Draw(t, "perRack")
			if g.Kinds()[i].Role == topology.Switch {
				k.Class = rapid.SampledFrom([]Class{InRack, EndOfRow, MiddleOfRow, NetworkRow}).Draw(t, "class")
			} else if len(p.Chassis) > 0 {
				k.Chassis = 1
			}
			k.Racks = rapid.SampledFrom([]string{"", "", "x", "y"}).Draw(t, "racks")
		}
		if last := len(p.Kinds) - 1; last > 0 && rapid.IntRange(0, 3).Draw(t, "beside") == 0 {
			p.Kinds[last] = Kind{Box: layout.NewBox(0, 0.06, 0.06, nil), Class: Beside, PerRack: 1000}
		}
		p.Room.RowPower = rapid.SampledFrom([]units.Power{0, 20000}).Draw(t, "rowPower")
		p.Room.RowWeight = rapid.SampledFrom([]units.Mass{0, 2000}).Draw(t, "rowWeight")
		if rapid.Bool().Draw(t, "keepOut") {
			p.Room.KeepOuts = []layout.KeepOut{{Area: orb.Bound{
				Min: orb.Point{1.5, 1.5},
				Max: orb.Point{2.5, 2},
			}.ToPolygon()}}
		}
		pl, err := Place(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		checkRacks(t, p, pl)
	})
}

func checkRacks(t rapid.TB, p *Problem, pl *Placement) {
	l := pl.Layout
	kinds := p.Graph.Kinds()
	type load struct {
		units  map[int]string
		power  units.Power
		weight units.Mass
		count  map[int]int
		cells  map[layout.Point]bool
		home   home

		chassis map[int32]bool
	}
	racks := map[int32]*load{}
	slots := map[int32]bool{}
	for v := range topology.Vertices(p.Graph) {
		slot := pl.Slot[v]
		if slots[slot] {
			t.Fatalf("two boxes in slot %d", slot)
		}
		slots[slot] = true
		kind := topology.KindOf(kinds, v)
		k := &p.Kinds[kind]
		rack := l.Container(layout.RackLevel, slot)
		r := racks[rack]
		if r == nil {
			r = &load{
				units: map[int]string{}, count: map[int]int{}, cells: map[layout.Point]bool{}, home: k.home(),
				chassis: map[int32]bool{},
			}
			racks[rack] = r
		}
		if r.home.class == Beside {
			r.home = k.home()
		}
		if r.home != k.home() && k.Class != Beside {
			t.Fatalf("rack %d holds boxes of two classes or names", rack)
		}
		r.power += k.Power
		r.weight += k.Weight
		r.count[kind]++
		who, height, first := l.Path(slot)+kinds[kind].Name, k.Box.Units, l.Unit(slot)
		if k.Chassis > 0 {
			c := l.Container(layout.RackLevel+1, slot)
			who, height = l.ContainerName(layout.RackLevel+1, c), p.Chassis[0].Units
			if !r.chassis[c] {
				r.chassis[c] = true
				r.power += p.Chassis[0].Power
				r.weight += p.Chassis[0].Weight
			}
			if r.cells[l.Position(slot)] {
				t.Fatalf("two boxes in one cell of %s", who)
			}
			r.cells[l.Position(slot)] = true
		} else {
			who += string(rune('0' + v%10))
		}
		for u := first; u < first+height; u++ {
			if u < 1 || u > p.Room.Rack.Units {
				t.Fatalf("unit %d in a rack of %d", u, p.Room.Rack.Units)
			}
			if other, ok := r.units[u]; ok && (other != who || k.Chassis == 0) {
				t.Fatalf("unit %d of rack %d holds %s and %s", u, rack, other, who)
			}
			r.units[u] = who
		}
	}
	rowPower, rowWeight := map[int]units.Power{}, map[int]units.Mass{}
	for place, r := range racks {
		row := l.Room.Places[place].Row
		rowPower[row] += r.power
		rowWeight[row] += r.weight
	}
	for place, r := range racks { // network racks go where they belong, regardless of the limits
		row, limit := l.Room.Places[place].Row, p.Room
		if r.home.class == InRack && (limit.RowPower > 0 && rowPower[row] > limit.RowPower || limit.RowWeight > 0 &&
			rowWeight[row] > limit.RowWeight) {
			t.Fatalf("row %d draws %v and weighs %v", row, rowPower[row], rowWeight[row])
		}
	}
	if len(pl.Racks) != len(racks) {
		t.Fatalf("%d racks listed, %d in use", len(pl.Racks), len(racks))
	}
	for _, r := range pl.Racks {
		have := racks[r.Place]
		if have == nil || r.Used != len(have.units) || r.Power != have.power ||
			(home{class: r.Class, name: r.Name}) != have.home {
			t.Fatalf("rack %d is listed as %+v and holds %+v", r.Place, r, have)
		}
		if have.power > p.Room.Rack.Power || have.weight > p.Room.Rack.Weight {
			t.Fatalf("rack %d draws %v and carries %v", r.Place, have.power, have.weight)
		}
		for kind, n := range have.count {
			if limit := p.Kinds[kind].PerRack; limit > 0 && n > limit {
				t.Fatalf("rack %d holds %d of a kind limited to %d", r.Place, n, limit)
			}
		}
	}
}

// TestCutIsAnOrder draws lattices and containers and checks that the order of
// the cut visits every router once, and that groups are blocks.
func TestCutIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := topology.Ints(rapid.SliceOfN(rapid.IntRange(1, 8), 1, 4).Draw(t, "dims"))
		grids := []topology.Params{topology.Torus{Dims: dims}, topology.Mesh{Dims: dims}}
		g, err := topology.New(rapid.SampledFrom(grids).Draw(t, "family"))
		if err != nil {
			t.Fatal(err)
		}
		levels := []cells{{name: "hall", count: [3]int{1, 1, 1}}}
		for range rapid.IntRange(0, 3).Draw(t, "levels") {
			level := cells{
				name:  "x",
				count: [3]int{rapid.IntRange(1, 9).Draw(t, "cx"), rapid.IntRange(1, 3).Draw(t, "cy"), 1},
			}
			if rapid.Bool().Draw(t, "given") { // blocks that need not divide the sides
				for _, side := range dims {
					level.fixed = append(level.fixed, rapid.IntRange(1, side).Draw(t, "block"))
				}
			}
			levels = append(levels, level)
		}
		c, err := cutLattice(g.(topology.Lattice), levels, rapid.Bool().Draw(t, "fold"), nil)
		if err != nil { // blocks that are given do not fit into each other
			t.Skip(err)
		}
		order, at := c.routers()
		for i := 1; i < len(at); i++ {
			if at[i] <= at[i-1] {
				t.Fatalf("positions %v", at)
			}
		}
		sorted := slices.Clone(order)
		slices.Sort(sorted)
		for i, r := range sorted {
			if int(r) != i {
				t.Fatalf("router %d is missing in %v", i, order)
			}
		}
		for i := 1; i < len(levels); i++ {
			if got := product(c.factor[i]); got > levels[i].total() && levels[i].fixed == nil {
				t.Fatalf("a container of %d cells holds a block of %d", levels[i].total(), got)
			}
		}
	})
}

// TestFoldedRing is the order 0, 2, 4, ..., 5, 3, 1 of a folded torus: ring
// neighbours are at most two places apart.
func TestFoldedRing(t *testing.T) {
	for n := 1; n < 20; n++ {
		seen := make([]bool, n)
		for x := range n {
			p := foldedPosition(x, n)
			if seen[p] {
				t.Fatalf("ring of %d: place %d taken twice", n, p)
			}
			seen[p] = true
			q := foldedPosition((x+1)%n, n)
			if d := p - q; d > 2 || d < -2 {
				t.Errorf("ring of %d: neighbours %d and %d stand %d apart", n, x, (x+1)%n, d)
			}
		}
	}
	var places []int
	for x := range 6 {
		places = append(places, foldedPosition(x, 6))
	}
	if want := []int{0, 2, 4, 5, 3, 1}; !slices.Equal(places, want) {
		t.Errorf("places %v, want %v", places, want)
	}
}

// TestBlueGeneBlocks checks that midplanes hold blocks of 8 x 8 x 8, so that
// one link in eight of every dimension leaves its midplane (Adiga et al., IBM
// J. Res. Dev. 49, 2005: 24,576 of 196,608 links).
func TestBlueGeneBlocks(t *testing.T) {
	g := graph(t, topology.Torus{Dims: topology.Ints{64, 32, 32}})
	p := problem(g)
	p.Chassis = []layout.Chassis{{Name: "midplane", Units: 20, Slots: [3]int{8, 8, 8}, PerRack: 2}}
	p.Kinds[0].Chassis = 1
	p.Room.Rows, p.Room.PerRow = 8, 8
	pl := place(t, p)
	if len(pl.Racks) != 64 {
		t.Errorf("%d racks, want 64", len(pl.Racks))
	}
	leaving := 0
	for l := range g.Links() {
		if pl.Layout.Common(pl.Slot[l.A], pl.Slot[l.B]) < layout.RackLevel+1 {
			leaving++
		}
	}
	if leaving != 24576 {
		t.Errorf("%d links leave their midplane, want 24,576", leaving)
	}
}

// TestCubesMapToCubes checks that a 16^3 torus in cubes of 4^3 keeps blocks of
// 4^3 and folds the cubes, not the nodes inside.
func TestCubesMapToCubes(t *testing.T) {
	g := graph(t, topology.Torus{Dims: topology.Ints{16, 16, 16}})
	tree, err := layout.NewTree([]layout.TreeLevel{
		{Name: "cube16", Count: [3]int{4, 4, 4}, Gap: 0.4},
		{Name: "cube4", Count: [3]int{4, 4, 4}, Pitch: [3]units.Length{0.3, 0.3, 0.3}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := problem(g)
	p.Room, p.Tree = nil, tree
	pl := place(t, p)
	between := 0
	for l := range g.Links() {
		a, b := pl.Slot[l.A], pl.Slot[l.B]
		if pl.Layout.Common(a, b) == 0 {
			between++
			continue
		}
		if d := pl.Layout.Position(a).Distance(pl.Layout.Position(b)); d > 0.3+1e-9 {
			t.Fatalf("neighbours inside a cube stand %v apart", d)
		}
	}
	if want := 3 * 16 * 16 * 16 / 4; between != want {
		t.Errorf("%d links between cubes, want %d", between, want)
	}
}

// TestGroupsStayTogether checks that a group that fits into a rack is never
// torn.
func TestGroupsStayTogether(t *testing.T) {
	g := graph(t, topology.Dragonfly{P: 4, A: 8, H: 4})
	pl := place(t, problem(g))
	groupings := g.Groupings()
	group := groupings[len(groupings)-1]
	rackOf := map[int32]int32{}
	for v := range topology.Vertices(g) {
		rack := pl.Layout.Container(layout.RackLevel, pl.Slot[v])
		if have, ok := rackOf[group.Of(v)]; ok && have != rack {
			t.Fatalf("group %d stands in two racks", group.Of(v))
		}
		rackOf[group.Of(v)] = rack
	}
	if len(pl.Racks) != 33 {
		t.Errorf("%d racks, want 33", len(pl.Racks))
	}
}

// TestNetworkRow checks that switches in a network row stand in rows of their
// own between those of the nodes.
func TestNetworkRow(t *testing.T) {
	g := graph(t, topology.FatTree{Nodes: 127, Radix: 64, Rails: 8})
	p := problem(g)
	p.Kinds[0].Class, p.Kinds[1].Class = NetworkRow, NetworkRow
	p.Kinds[0].PerRack, p.Kinds[1].PerRack, p.Kinds[2].PerRack = 8, 8, 4
	p.Room.Rows, p.Room.PerRow = 5, 8
	pl := place(t, p)
	rows := map[Class]map[int]bool{InRack: {}, NetworkRow: {}}
	for _, r := range pl.Racks {
		rows[r.Class][pl.Layout.Room.Places[r.Place].Row] = true
	}
	if len(pl.Racks) != 38 || len(rows[NetworkRow]) != 1 || !rows[NetworkRow][2] || len(rows[InRack]) != 4 ||
		rows[InRack][2] {
		t.Errorf("%d racks; network in rows %v, nodes in rows %v", len(pl.Racks), rows[NetworkRow], rows[InRack])
	}
}

// TestSpinesSpread checks that switches of no group are spread over the racks.
func TestSpinesSpread(t *testing.T) {
	g := graph(t, topology.FatTree{Nodes: 176, Radix: 36, Down: 22, Up: 8, Rails: 2, Spines: 8})
	p := problem(g)
	p.Kinds[0].Units, p.Kinds[1].Units = []int{18, 24}, []int{1}
	pl := place(t, p)
	if len(pl.Racks) != 8 {
		t.Fatalf("%d racks, want 8", len(pl.Racks))
	}
	have := map[int32]int{}
	for v := g.Kinds()[1].First; v < g.Kinds()[1].First+8; v++ {
		have[pl.Layout.Container(layout.RackLevel, pl.Slot[v])]++
		if u := pl.Layout.Unit(pl.Slot[v]); u != 1 {
			t.Errorf("a spine at U%d", u)
		}
	}
	if len(have) != 8 {
		t.Errorf("spines in %d racks, want 8", len(have))
	}
}

// TestOptimizerNeverLengthens compares the metres between racks before and after
// optimising, summed over every link: more effort is never worse.
func TestOptimizerNeverLengthens(t *testing.T) {
	for _, s := range []topology.Params{
		topology.Torus{Dims: topology.Ints{6, 4}},
		topology.FatTree{Nodes: 30, Radix: 16, Rails: 2},
		topology.Dragonfly{P: 1, A: 2, H: 2},
		topology.HyperX{Dims: topology.Ints{4, 3}, Terminals: 2},
	} {
		t.Run(s.Family(), func(t *testing.T) {
			g := graph(t, s)
			p := problem(g)
			p.Strategy, p.Seed = Random, 5
			for i := range p.Kinds {
				p.Kinds[i].PerRack = 3
			}
			sum := func(o *Optimizer) int64 {
				p.Optimizer = o
				pl := place(t, p)
				checkRacks(t, p, pl)
				goal, sum := metres{pl.Layout}, int64(0)
				for l := range g.Links() {
					a, b := pl.Layout.Container(layout.RackLevel, pl.Slot[l.A]),
						pl.Layout.Container(layout.RackLevel, pl.Slot[l.B])
					sum += int64(l.Width) * goal.Cost(0, a, b)
				}
				if o != nil && (pl.Optimized.After.Sum != sum || pl.Optimized.After.Sum > pl.Optimized.Before.Sum) {
					t.Errorf("%d mm, told %+v", sum, pl.Optimized)
				}
				return sum
			}
			before, quick := sum(nil), sum(shortest(mapping.Quick))
			if quick >= before {
				t.Errorf("%d mm, after quick effort %d mm", before, quick)
			}
			if testing.Short() {
				return
			}
			if more := sum(shortest(mapping.Normal)); more > quick {
				t.Errorf("after quick effort %d mm, after normal %d mm", quick, more)
			}
		})
	}
}

func TestErrorsNameTheInput(t *testing.T) {
	g := graph(t, topology.Torus{Dims: topology.Ints{4, 4}})
	tooTall := problem(g)
	tooTall.Kinds[0].Box = layout.NewBox(50, 0.4, 0.8, nil)
	tooFew := problem(g)
	tooFew.Kinds[0].PerRack = 1
	tooFew.Room.Rows, tooFew.Room.PerRow = 1, 2
	tooHot := problem(g)
	tooHot.Kinds[0].Power, tooHot.Room.Rack.Power = 2000, 1000
	badBlock := problem(g)
	badBlock.Blocks = map[string][]int{"rack": {5, 4}}
	notLattice := problem(graph(t, topology.Dragonfly{P: 2, A: 4, H: 2}))
	notLattice.Strategy = Folded
	tree, err := layout.NewTree([]layout.TreeLevel{{Name: "cube", Count: [3]int{2, 2, 2}, Gap: 1}})
	if err != nil {
		t.Fatal(err)
	}
	noPlace := problem(g)
	noPlace.Room, noPlace.Tree = nil, tree
	for path, p := range map[string]*Problem{
		"Kinds[0]":       tooTall,
		"Room":           tooFew,
		"Kinds[0].Power": tooHot,
		"Blocks.rack[0]": badBlock,
		"Strategy":       notLattice,
		"Tree":           noPlace,
	} {
		_, err := Place(context.Background(), p)
		in := diag.Fields(err)
		if len(in) != 1 || in[0].Path != path {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func BenchmarkPlaceTorus(b *testing.B) {
	g := graph(b, topology.Torus{Dims: topology.Ints{64, 32, 32}})
	for b.Loop() {
		place(b, problem(g))
	}
	b.ReportMetric(float64(b.N)*65536/b.Elapsed().Seconds(), "vertices/s")
}

// TestLargeGroupsAreSpread checks that a group too large for a rack fills the
// racks it needs about evenly, its blocks whole.
func TestLargeGroupsAreSpread(t *testing.T) {
	g := graph(t, topology.Dragonfly{P: 4, A: 8, H: 4})
	p := problem(g)
	p.Kinds[0].Box = layout.NewBox(2, 0.44, 0.8, nil) // 48 units a group
	pl := place(t, p)
	if len(pl.Racks) != 66 {
		t.Fatalf("%d racks, want 66", len(pl.Racks))
	}
	for _, r := range pl.Racks {
		if r.Boxes != 20 {
			t.Errorf("rack %d holds %d boxes, want 20", r.Place, r.Boxes)
		}
	}
}
