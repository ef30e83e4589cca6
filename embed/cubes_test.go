package embed

import (
	"context"
	"math"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// nested places a CLEX in cubes whose innermost pitch is a metre and measures
// its links.
func nested(t testing.TB, clique, count int, gap units.Length) (*layout.Tree, []LevelLength) {
	t.Helper()
	g := graph(t, topology.CLEX{Clique: clique, Levels: count})
	levels := make([]layout.TreeLevel, count)
	for i := range levels {
		levels[i] = layout.TreeLevel{Name: "cube" + string(rune('1'+i)), Gap: gap}
	}
	levels[count-1] = layout.TreeLevel{Name: "cube", Pitch: [3]units.Length{1, 1, 1}}
	tree, err := NestCubes(g, levels)
	if err != nil {
		t.Fatal(err)
	}
	p := problem(g)
	p.Strategy, p.Room, p.Tree = Cubes, nil, tree
	lengths, err := Lengths(context.Background(), g, place(t, p))
	if err != nil {
		t.Fatal(err)
	}
	return tree, lengths
}

// TestCLEXLinksGrowGeometrically is the claim of C. Lenzen and R. Wattenhofer
// (arXiv:1607.00298, section III.A): lengths grow by the cube root of the clique
// per level, here 32^(1/3) = 3.17 over the levels of C(4), 1,048,576 nodes.
func TestCLEXLinksGrowGeometrically(t *testing.T) {
	_, lengths := nested(t, 32, 4, 0)
	growth := math.Cbrt(float64(lengths[3].Mean() / lengths[0].Mean()))
	if want := math.Cbrt(32); math.Abs(growth/want-1) > 0.05 {
		t.Errorf("mean lengths grow by %.3f a level, want %.3f", growth, want)
	}
	// 32^4 nodes: half a clique's pairs, then n1 edges a node less those that stay in a
	// clique or are the way back of another.
	for i, want := range []int64{1 << 20 * 31 / 2, 31_997_952, 33_505_792, 33_552_912} {
		if lengths[i].Links != want {
			t.Errorf("%s: %d links, want %d", lengths[i].Level, lengths[i].Links, want)
		}
	}
}

// TestCLEXOf64GrowsByFour is the other system of the paper: cubes of 64, whose mean
// links grow by about 4. Along each axis the longest link of level 1 passes 3 cells, that
// of level 2, from (0, 3) to (3, 3), 12, and that of level 3, from (0, 0, 3) to (3, 3, 0),
// 57: straight lines are the square root of 3 times as long.
func TestCLEXOf64GrowsByFour(t *testing.T) {
	tree, lengths := nested(t, 64, 3, 0)
	if tree.Size(0) != [3]units.Length{64, 64, 64} {
		t.Errorf("size %v", tree.Size(0))
	}
	for i, cells := range []units.Length{3, 12, 57} {
		if want := math.Sqrt(3) * float64(cells); math.Abs(float64(lengths[i].Max)-want) > 0.01 {
			t.Errorf("the longest of %s is %v, want %.3f m", lengths[i].Level, lengths[i].Max, want)
		}
	}
	if growth := float64(lengths[2].Mean() / lengths[1].Mean()); math.Abs(growth/4-1) > 0.1 {
		t.Errorf("the mean of level 3 is %.3f times that of level 2, want 4 to within a tenth", growth)
	}
}

// TestCliquesOf32TakeTurns is the arrangement that makes 32^3 nodes a cube.
func TestCliquesOf32TakeTurns(t *testing.T) {
	tree, _ := nested(t, 32, 3, 0)
	if tree.Size(0) != [3]units.Length{32, 32, 32} {
		t.Errorf("a box of %v, want a cube of 32", tree.Size(0))
	}
	for i, want := range [][3]int{{2, 4, 4}, {4, 2, 4}, {4, 4, 2}} {
		if got := tree.Levels[i].Count; got != want {
			t.Errorf("level %d: %v, want %v", i, got, want)
		}
	}
}

// TestNestCubesIsBest compares with trying all boxes at all levels.
func TestNestCubesIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clique := rapid.SampledFrom([]int{2, 4, 6, 8, 12, 16, 18, 32}).Draw(t, "clique")
		count := rapid.IntRange(2, 3).Draw(t, "levels")
		g, err := topology.New(topology.CLEX{Clique: clique, Levels: count})
		if err != nil {
			t.Fatal(err)
		}
		levels := make([]layout.TreeLevel, count)
		for i := range levels {
			levels[i] = layout.TreeLevel{
				Name: string(rune('a' + i)),
				Gap:  rapid.SampledFrom([]units.Length{0, 0.5, 3}).Draw(t, "gap"),
			}
		}
		levels[count-1].Gap, levels[count-1].Pitch = 0, [3]units.Length{1, 1, 1}
		tree, err := NestCubes(g, levels)
		if err != nil {
			t.Fatal(err)
		}
		// cost is the product over the levels of the root mean square distance
		// between the centres of two cells, by adding up.
		cost := func(tree *layout.Tree) float64 {
			sum := 0.0
			for _, l := range tree.Levels {
				square, pairs := 0.0, 0.0
				cells := product(l.Count[:])
				at := func(i, a int) float64 {
					for b := range a {
						i /= l.Count[b]
					}
					return float64(i%l.Count[a]) * float64(l.Pitch[a])
				}
				for i := range cells {
					for j := range cells {
						for a := range 3 {
							square += (at(i, a) - at(j, a)) * (at(i, a) - at(j, a))
						}
						pairs++
					}
				}
				sum += math.Log(square/pairs) / 2
			}
			return sum
		}
		least := math.Inf(1)
		var try func(i int, chosen []layout.TreeLevel)
		try = func(i int, chosen []layout.TreeLevel) {
			if i == count {
				if tree, err := layout.NewTree(chosen); err == nil {
					least = min(least, cost(tree))
				}
				return
			}
			for a := 1; a <= clique; a++ {
				for b := 1; clique%a == 0 && b <= clique/a; b++ {
					c := clique / a / b
					if clique/a%b == 0 && max(a, b, c) <= 4*min(a, b, c) {
						l := levels[i]
						l.Count = [3]int{a, b, c}
						try(i+1, append(chosen[:i:i], l))
					}
				}
			}
		}
		try(0, nil)
		if got := cost(tree); math.Abs(got-least) > 1e-9 {
			t.Fatalf("%+v costs %.6f, the best %.6f", tree.Levels, got, least)
		}
	})
}

// TestCubesKeepCopiesApart checks that every copy has a container of its own,
// also where a container has cells to spare.
func TestCubesKeepCopiesApart(t *testing.T) {
	g := graph(t, topology.CLEX{Clique: 5, Levels: 3})
	p := problem(g)
	tree, err := NestCubes(g,
		[]layout.TreeLevel{{Name: "a", Gap: 1}, {Name: "b", Gap: 1}, {Name: "c", Pitch: [3]units.Length{1, 1, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	p.Room, p.Tree = nil, tree
	pl := place(t, p)
	if tree.Cells(0) <= 125 {
		t.Fatalf("%d cells leave none to spare", tree.Cells(0))
	}
	for k, grouping := range g.Groupings() { // finest first
		home := map[int32]int32{}
		for v := range 125 {
			c := pl.Layout.Container(2-k, pl.Slot[v])
			if have, ok := home[grouping.Of(v)]; ok && have != c {
				t.Fatalf("%s %d is torn", grouping.Name, grouping.Of(v))
			}
			home[grouping.Of(v)] = c
		}
		seen := map[int32]bool{}
		for _, c := range home {
			if seen[c] {
				t.Fatalf("two copies of %s share a container", grouping.Name)
			}
			seen[c] = true
		}
	}
}

// TestLengthsAddUp compares with one link after the other, on one core and on
// two.
func TestLengthsAddUp(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	g := graph(t, topology.CLEX{Clique: 12, Levels: 3})
	pl := place(t, problem(g))
	want := make([]LevelLength, 3)
	for l := range g.Links() {
		s := &want[l.Level]
		d := pl.Layout.Position(pl.Slot[l.A]).Distance(pl.Layout.Position(pl.Slot[l.B]))
		s.Links += int64(l.Width)
		s.Total += d * units.Length(l.Width)
		s.Max = max(s.Max, d)
	}
	var first []LevelLength
	for _, cores := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(cores)
		got, err := Lengths(context.Background(), g, pl)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i].Links != want[i].Links || got[i].Max != want[i].Max ||
				math.Abs(float64(got[i].Total/want[i].Total)-1) > 1e-12 {
				t.Errorf("%d cores: %+v, want %+v", cores, got[i], want[i])
			}
			if first != nil && got[i] != first[i] {
				t.Errorf("%d cores: %+v, on one core %+v", cores, got[i], first[i])
			}
		}
		if first == nil {
			first = got
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Lengths(ctx, g, pl); err == nil {
		t.Error("cancelled, and no error")
	}
}

// BenchmarkPlaceCLEX places the 1,048,576 nodes of C(4) with cliques of 32.
func BenchmarkPlaceCLEX(b *testing.B) {
	g := graph(b, topology.CLEX{Clique: 32, Levels: 4})
	levels := []layout.TreeLevel{
		{Name: "d", Gap: 4},
		{Name: "c", Gap: 1},
		{Name: "b", Gap: 0.2},
		{Name: "a", Pitch: [3]units.Length{0.1, 0.1, 0.1}},
	}
	p := problem(g)
	p.Room = nil
	for b.Loop() {
		tree, err := NestCubes(g, levels)
		if err != nil {
			b.Fatal(err)
		}
		p.Tree = tree
		place(b, p)
	}
}
