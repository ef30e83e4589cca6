package embed

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// TestEveryStrategyOfEveryFamily places with every strategy that fits, in racks
// and in containers, and reads why the others do not.
func TestEveryStrategyOfEveryFamily(t *testing.T) {
	fitted := map[Strategy][]string{}
	for _, s := range graphtest.Small(t) {
		g := graph(t, s)
		n := topology.Vertices(g)
		tree, err := layout.NewTree([]layout.TreeLevel{
			{Name: "all", Count: [3]int{4, 4, 4}, Gap: 0.5},
			{Name: "some", Count: [3]int{2, 2, 1}, Gap: 0.2},
			{Name: "few", Count: [3]int{2, 2, 1}, Pitch: [3]units.Length{1, 1, 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, strategy := range append(Strategies(), "none") {
			for _, shape := range []*layout.Tree{nil, tree} {
				p := problem(g)
				p.Strategy = strategy
				if p.Tree = shape; shape != nil {
					p.Room = nil
				}
				for i := range p.Kinds {
					p.Kinds[i].PerRack = 6
				}
				missing := strategy.Fits(g, shape)
				pl, err := Place(context.Background(), p)
				if missing != nil {
					in := diag.Fields(err)
					if len(in) != 1 || in[0].Path != "Strategy" || in.Error() != missing.Error() {
						t.Errorf("%s of a %s: %v", strategy, s.Family(), err)
						continue
					}
					_, list, _ := strings.Cut(in[0].Suggestion, "placed by ")
					for other := range strings.SplitSeq(list, ", ") {
						if Strategy(other).Fits(g, shape) != nil {
							t.Errorf("%s of a %s: %q is offered", strategy, s.Family(), other)
						}
					}
					continue
				}
				if err != nil {
					if strategy != Cubes { // copies and containers may be of different numbers
						t.Errorf("%s of a %s: %v", strategy, s.Family(), err)
					}
					continue
				}
				if shape == nil {
					fitted[strategy] = append(fitted[strategy], s.Family())
					checkRacks(t, p, pl)
					continue
				}
				slots := slices.Clone(pl.Slot)
				slices.Sort(slots)
				if len(slices.Compact(slots)) != n || slots[0] < 0 || int(slots[n-1]) >= tree.Cells(0) {
					t.Errorf("%s of a %s: vertices share places", strategy, s.Family())
				}
			}
		}
	}
	if fitted[Cubes] != nil {
		t.Errorf("%s fits %v without containers", Cubes, fitted[Cubes])
	}
	for strategy, want := range map[Strategy]string{
		Folded:    "torus mesh hypercube hyperx flattened-butterfly ibt srt rdt pec hexagonal-torus",
		Groups:    "dragonfly dragonfly-plus fat-clique angelfish flying-fish ocs-torus cray-dragonfly",
		RackPairs: "slim-fly",
		Pods:      "k-ary-n-tree thin-tree fat-tree folded-clos access leaf-pair leaf-spine",
	} {
		for family := range strings.FieldsSeq(want) {
			if !slices.Contains(fitted[strategy], family) {
				t.Errorf("%s does not fit %s", strategy, family)
			}
		}
	}
}

// rackOrder numbers the rack positions there and back: the even rows from left
// to right, the odd ones from right to left.
func rackOrder(room *layout.Room) []int {
	order := make([]int, len(room.Places))
	at := 0
	for i, row := range room.Rows {
		positions := slices.Clone(row.Position)
		if i%2 == 1 {
			slices.Reverse(positions)
		}
		for _, place := range positions {
			if place >= 0 {
				order[place] = at
				at++
			}
		}
	}
	return order
}

// TestGroupsHaveAdjacentRacks checks that no rack holds boxes of two groups and
// that the racks of a group follow each other, for groups of a rack and more.
func TestGroupsHaveAdjacentRacks(t *testing.T) {
	for _, c := range []struct {
		spec     topology.Params
		grouping string
		racks    int // of a group
	}{
		{topology.Dragonfly{P: 2, A: 4, H: 2}, "group", 1},
		{topology.Dragonfly{P: 4, A: 8, H: 4}, "group", 3},
		{topology.DragonflyPlus{P: 3, A: 4, H: 2}, "group", 2},
		{topology.Angelfish{Q: 5}, "subnet", 5},
		{topology.FlyingFish{Side: 5}, "subnet", 2},
		{topology.FlyingFish{Side: 3}, "subnet", 1},
	} {
		g := graph(t, c.spec)
		groupings := g.Groupings()
		named := func(n topology.Grouping) bool { return n.Name == c.grouping }
		grouping := groupings[slices.IndexFunc(groupings, named)]
		p := problem(g)
		p.Strategy = Groups
		p.Room.Rack.Units = 16
		pl := place(t, p)
		order := rackOrder(pl.Layout.Room)
		groupOf := map[int32]int32{}
		racks := map[int32][]int{}
		for v := range topology.Vertices(g) {
			rack, group := pl.Layout.Container(layout.RackLevel, pl.Slot[v]), grouping.Of(v)
			have, known := groupOf[rack]
			if known && have != group {
				t.Fatalf("%s: a rack holds %ss %d and %d", c.spec.Family(), c.grouping, have, group)
			}
			if groupOf[rack] = group; !known {
				racks[group] = append(racks[group], order[rack])
			}
		}
		for group, list := range racks {
			slices.Sort(list)
			if len(list) != c.racks || list[len(list)-1]-list[0] != c.racks-1 {
				t.Errorf("%s: %s %d stands in racks %v, want %d adjacent ones",
					c.spec.Family(), c.grouping, group, list, c.racks)
			}
		}
	}
}

// TestSlimFlyRackPairs is the layout of M. Besta and T. Hoefler (SC 2014,
// section VI.A): q racks, each with the routers (0,x,*) and (1,x,*), and 2q
// cables between any two.
func TestSlimFlyRackPairs(t *testing.T) {
	for _, s := range []topology.SlimFly{{Q: 5}, {Q: 7, Terminals: 1}, {Q: 8}, {Q: 9, Terminals: 1}} {
		g := graph(t, s)
		p := problem(g)
		p.Strategy = RackPairs
		pl := place(t, p)
		if len(pl.Racks) != s.Q {
			t.Errorf("q = %d: %d racks", s.Q, len(pl.Racks))
		}
		router := g.Kinds()[0]
		halves := map[int32][2]int{}
		for v := range router.Count {
			rack := pl.Layout.Container(layout.RackLevel, pl.Slot[v])
			h := halves[rack]
			h[v/(s.Q*s.Q)]++
			halves[rack] = h
		}
		between := map[[2]int32]int{}
		for l := range g.Links() {
			a, b := pl.Layout.Container(layout.RackLevel, pl.Slot[l.A]),
				pl.Layout.Container(layout.RackLevel, pl.Slot[l.B])
			if a != b {
				between[[2]int32{min(a, b), max(a, b)}]++
			}
		}
		for rack, h := range halves {
			if h != [2]int{s.Q, s.Q} {
				t.Errorf("q = %d: rack %d holds %d and %d routers of the halves", s.Q, rack, h[0], h[1])
			}
		}
		if len(between) != s.Q*(s.Q-1)/2 {
			t.Errorf("q = %d: %d pairs of racks are joined", s.Q, len(between))
		}
		for pair, n := range between {
			if n != 2*s.Q {
				t.Errorf("q = %d: %d cables between racks %v, want %d", s.Q, n, pair, 2*s.Q)
			}
		}
	}
}

// TestPods places a three-tier tree with the switches above the pods in the
// middle of the room, at the ends of the rows, and spread over the racks.
func TestPods(t *testing.T) {
	g := graph(t, topology.FatTree{Nodes: 128, Radix: 8, Tiers: 3})
	pod := g.Groupings()[1]
	core := g.Kinds()[2]
	for _, class := range []Class{InRack, EndOfRow, MiddleOfRow, NetworkRow} {
		p := problem(g)
		p.Strategy = Pods
		for i := range p.Kinds {
			p.Kinds[i].PerRack = 12
		}
		p.Kinds[2].Class, p.Kinds[2].PerRack = class, 4
		pl := place(t, p)
		checkRacks(t, p, pl)
		podOf, rowOf := map[int32]int32{}, map[int32]int32{}
		for v := range topology.Vertices(g) {
			of := pod.Of(v)
			if of < 0 {
				continue
			}
			rack, row := pl.Layout.Container(layout.RackLevel, pl.Slot[v]),
				pl.Layout.Container(layout.RowLevel, pl.Slot[v])
			if have, ok := podOf[rack]; ok && have != of {
				t.Fatalf("a rack holds boxes of pods %d and %d", have, of)
			}
			if have, ok := rowOf[of]; ok && have != row {
				t.Fatalf("pod %d stands in rows %d and %d", of, have, row)
			}
			podOf[rack], rowOf[of] = of, row
		}
		racks, rows, ends, middles := map[int32]bool{}, map[int32]bool{}, 0, 0
		room := pl.Layout.Room
		for v := core.First; v < core.First+core.Count; v++ {
			rack, row := pl.Layout.Container(layout.RackLevel, pl.Slot[v]),
				pl.Layout.Container(layout.RowLevel, pl.Slot[v])
			racks[rack], rows[row] = true, true
			if room.Places[rack].Number >= room.Spec.PerRow-1 {
				ends++
			}
			if n := room.Places[rack].Number; 2*n >= room.Spec.PerRow-1 && 2*n <= room.Spec.PerRow+3 {
				middles++
			}
		}
		used := map[int32]bool{}
		for _, row := range rowOf {
			used[row] = true
		}
		switch class {
		case InRack:
			if len(racks) != core.Count {
				t.Errorf("%d core switches in %d racks", core.Count, len(racks))
			}
		case EndOfRow:
			if ends != core.Count || len(rows) < 2 {
				t.Errorf("%d of %d core switches at the ends of %d rows", ends, core.Count, len(rows))
			}
		case MiddleOfRow:
			if middles != core.Count || len(rows) < 2 {
				t.Errorf("%d of %d core switches in the middle of %d rows", middles, core.Count, len(rows))
			}
		case NetworkRow:
			for row := range rows {
				if used[row] || len(rows) != 1 {
					t.Errorf("core switches in rows %v, pods in rows %v", rows, used)
				}
			}
		}
	}
}

// TestDimensionsInContainers maps the dimensions of a HyperX: the first within
// the rack, the second along the row, the third across the rows.
func TestDimensionsInContainers(t *testing.T) {
	g := graph(t, topology.HyperX{Dims: topology.Ints{4, 5, 6}, Terminals: 8})
	p := problem(g)
	p.Blocks = map[string][]int{"rack": {4, 1, 1}, "row": {4, 5, 1}}
	pl := place(t, p)
	if len(pl.Racks) != 30 {
		t.Errorf("%d racks, want 30", len(pl.Racks))
	}
	want := map[string]int{
		"terminal": layout.RackLevel, "dim1": layout.RackLevel, "dim2": layout.RowLevel,
		"dim3": layout.HallLevel,
	}
	for l := range g.Links() {
		name := g.Levels()[l.Level].Name
		if got := pl.Layout.Common(pl.Slot[l.A], pl.Slot[l.B]); got != want[name] {
			t.Fatalf("a link of %s joins boxes of one %s", name, pl.Layout.Levels[got].Name)
		}
	}
	// In a room whose rows are longer, blocks of a row still have their own.
	p.Room.Rows, p.Room.PerRow = 8, 11
	pl = place(t, p)
	for l := range g.Links() {
		if name := g.Levels()[l.Level].Name; pl.Layout.Common(pl.Slot[l.A], pl.Slot[l.B]) != want[name] {
			t.Fatalf("with longer rows, a link of %s joins boxes of one %s",
				name, pl.Layout.Levels[pl.Layout.Common(pl.Slot[l.A], pl.Slot[l.B])].Name)
		}
	}
}

// line places a lattice along a single row of places a metre apart and returns
// the longest link of each level.
func line(t *testing.T, s topology.Params, fold bool, straight ...int) map[string]float64 {
	t.Helper()
	g := graph(t, s)
	tree, err := layout.NewTree([]layout.TreeLevel{{
		Name: "row", Count: [3]int{topology.Vertices(g), 1, 1},
		Pitch: [3]units.Length{1, 1, 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := problem(g)
	p.Room, p.Tree, p.Fold, p.Straight = nil, tree, fold, straight
	lengths, err := Lengths(context.Background(), g, place(t, p))
	if err != nil {
		t.Fatal(err)
	}
	longest := map[string]float64{}
	for _, l := range lengths {
		longest[l.Level] = float64(l.Max)
	}
	return longest
}

// TestBypassRingsFoldToo folds an iBT with one dimension: ring links reach over
// two places and bypasses of length l over 2l, while laid out straight both have
// a link back over almost the whole row.
func TestBypassRingsFoldToo(t *testing.T) {
	s := topology.IBT{Dims: topology.Ints{64}, BypassDims: 1, BypassLengths: topology.Ints{4, 8}}
	folded, straight := line(t, s, true), line(t, s, false)
	for level, want := range map[string][2]float64{"dim1": {2, 63}, "bypass1": {8, 60}, "bypass2": {16, 56}} {
		if folded[level] > want[0] || straight[level] != want[1] {
			t.Errorf("%s: longest %v folded, at most %v wanted, and %v straight, %v wanted",
				level, folded[level], want[0], straight[level], want[1])
		}
	}
}

// TestFoldSomeDimensions folds one dimension of two.
func TestFoldSomeDimensions(t *testing.T) {
	s := topology.Torus{Dims: topology.Ints{8, 6}}
	for _, c := range []struct {
		fold     bool
		straight []int
		want     [2]float64
	}{
		{true, nil, [2]float64{2, 16}},
		{true, []int{0}, [2]float64{7, 16}},
		{true, []int{1}, [2]float64{2, 40}},
		{false, nil, [2]float64{7, 40}},
	} {
		got := line(t, s, c.fold, c.straight...)
		if got["dim1"] != c.want[0] || got["dim2"] != c.want[1] {
			t.Errorf("fold %v but %v: %v, want %v", c.fold, c.straight, got, c.want)
		}
	}
}

// TestBlocksMindBypasses checks that racks of an iBT get the blocks that keep
// bypass links in: 16 nodes of a 16 x 16 torus with bypasses of 6 along the
// first dimension stand in a line along it, those of a torus in a square.
func TestBlocksMindBypasses(t *testing.T) {
	for _, c := range []struct {
		spec topology.Params
		want []int
	}{
		{topology.Torus{Dims: topology.Ints{16, 16}}, []int{4, 4}},
		{topology.IBT{Dims: topology.Ints{16, 16}, BypassDims: 1, BypassLengths: topology.Ints{6}}, []int{16, 1}},
	} {
		l := graph(t, c.spec).(topology.Lattice)
		cut, err := cutLattice(l,
			[]cells{{name: "hall", count: [3]int{1, 1, 1}}, {name: "rack", count: [3]int{17, 1, 1}}}, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := cut.factor[1]; !slices.Equal(got, c.want) {
			t.Errorf("%s: blocks of %v, want %v", c.spec.Family(), got, c.want)
		}
		// What leaves a block, counted link by link.
		for _, block := range [][]int{{16, 1}, {8, 2}, {4, 4}, {1, 16}} {
			leave := 0
			g := l.(topology.Graph)
			home := func(v int32) [2]int { return [2]int{int(v) % 16 / block[0], int(v) / 16 / block[1]} }
			for link := range g.Links() {
				if home(link.A) != home(link.B) {
					leave++
				}
			}
			if got := outgoingLinks(l)(block) * 256; got < float64(leave)-1e-9 || got > float64(leave)*1.0001+1e-9 {
				t.Errorf("%s: %v links leave blocks of %v, want %d", c.spec.Family(), got, block, leave)
			}
		}
	}
}
