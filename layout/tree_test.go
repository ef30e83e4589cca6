package layout

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

func drawTree(t *rapid.T) *Tree {
	var levels []TreeLevel
	for i := range rapid.IntRange(1, 3).Draw(t, "levels") {
		l := TreeLevel{Name: string(rune('a' + i)), Gap: units.Length(rapid.Float64Range(0.1, 1).Draw(t, "gap"))}
		for a := range 3 {
			l.Count[a] = rapid.IntRange(1, 4).Draw(t, "count")
		}
		levels = append(levels, l)
	}
	tree, err := NewTree(levels)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestTreePositions compares every slot's position with a walk down the tree,
// and its containers with the boxes that they are.
func TestTreePositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		l := tree.Layout()
		slot := 0
		var walk func(level int, origin Point)
		walk = func(level int, origin Point) {
			if level == len(tree.Levels) {
				last := tree.Levels[level-1].Pitch
				want := origin.Add(Point{last[0] / 2, last[1] / 2, last[2] / 2})
				if got := l.Position(int32(slot)); got.Distance(want) > 1e-9 {
					t.Fatalf("slot %d at %v, want %v", slot, got, want)
				}
				slot++
				return
			}
			g := tree.Levels[level]
			for z := range g.Count[2] {
				for y := range g.Count[1] {
					for x := range g.Count[0] {
						cell := [3]units.Length{units.Length(x), units.Length(y), units.Length(z)}
						offset := Point{cell[0] * g.Pitch[0], cell[1] * g.Pitch[1], cell[2] * g.Pitch[2]}
						walk(level+1, origin.Add(offset))
					}
				}
			}
		}
		walk(0, Point{})
		if slot != l.Slots() {
			t.Fatalf("%d slots, want %d", l.Slots(), slot)
		}
		names := map[string]bool{}
		for level := range tree.Levels {
			for s := range l.Slots() {
				c := l.Container(level, int32(s))
				o, size, p := tree.Origin(level, c), tree.Size(level), l.Position(int32(s))
				for a, d := range []units.Length{p.X - o.X, p.Y - o.Y, p.Z - o.Z} {
					if d < 0 || d > size[a] {
						t.Fatalf("slot %d lies outside its container %s", s, l.ContainerName(level, c))
					}
				}
				if s%tree.Cells(level) == 0 {
					name := l.ContainerName(level, c)
					if names[name] {
						t.Fatalf("two containers are called %s", name)
					}
					names[name] = true
				}
			}
		}
	})
}

// TestCommon compares the lowest common container with a search of all levels.
func TestCommon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawTree(t).Layout()
		pick := rapid.Int32Range(0, int32(l.Slots()-1))
		a, b := pick.Draw(t, "a"), pick.Draw(t, "b")
		want := 0
		for level := range l.Levels {
			if l.Container(level, a) == l.Container(level, b) {
				want = level
			}
		}
		if got := l.Common(a, b); got != want {
			t.Fatalf("common level %d, want %d", got, want)
		}
	})
}

// TestCubesGrow is the nesting of the CLEX paper (arXiv 1607.00298): the side of
// a cube of cubes is the sum of the sides and gaps within.
func TestCubesGrow(t *testing.T) {
	tree, err := NewTree([]TreeLevel{
		{Name: "cube16", Count: [3]int{4, 4, 4}, Gap: 0.4},
		{Name: "cube4", Count: [3]int{4, 4, 4}, Pitch: [3]units.Length{0.3, 0.3, 0.3}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := tree.Size(1)[0]; (got - 1.2).Abs() > 1e-9 {
		t.Errorf("side of the small cube %v, want 1.2", got)
	}
	if got := tree.Size(0)[2]; (got - (4*1.2 + 3*0.4)).Abs() > 1e-9 {
		t.Errorf("side of the large cube %v, want 6", got)
	}
}

func TestTreeRefusesNonsense(t *testing.T) {
	for name, levels := range map[string][]TreeLevel{
		"no pitch":   {{Name: "a", Count: [3]int{1, 1, 1}}},
		"zero count": {{Name: "a", Count: [3]int{1, 0, 1}, Gap: 1}},
		"overlapping": {
			{Name: "a", Count: [3]int{2, 2, 2}, Pitch: [3]units.Length{1, 1, 1}},
			{Name: "b", Count: [3]int{4, 4, 4}, Gap: 1},
		},
		"too many": {{Name: "a", Count: [3]int{1 << 12, 1 << 12, 1 << 12}, Gap: 1}},
	} {
		if _, err := NewTree(levels); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestChassisCells(t *testing.T) {
	c := Chassis{Name: "midplane", Units: 20, Slots: [3]int{8, 8, 8}}
	rack := RackType{Units: 42, Width: 0.91, Depth: 0.91, Height: 2}
	seen := map[Point]bool{}
	for i := range c.Cells() {
		p := c.Cell(i, rack)
		if p.X.Abs() > 0.455 || p.Y.Abs() > 0.455 || p.Z < 0 || p.Z > 20*0.04445 {
			t.Fatalf("cell %d at %v is outside the chassis", i, p)
		}
		seen[p] = true
	}
	if len(seen) != 512 {
		t.Errorf("%d different cells, want 512", len(seen))
	}
}
