package cabling

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// drawTree draws containers of a few slots.
func drawTree(t *rapid.T) *layout.Tree {
	var levels []layout.TreeLevel
	n := rapid.IntRange(1, 4).Draw(t, "levels")
	for i := range n {
		l := layout.TreeLevel{Name: fmt.Sprintf("level%d", i)}
		most := 2
		if i < 2 {
			most = 3
		}
		for axis := range 3 {
			l.Count[axis] = rapid.IntRange(1, most).Draw(t, "count")
		}
		l.Gap = units.Length(rapid.IntRange(0, 3).Draw(t, "gap")) / 4
		if i == n-1 {
			l.Pitch = [3]units.Length{0.5, 0.25, 0.75}
		}
		levels = append(levels, l)
	}
	tree, err := layout.NewTree(levels)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// gap is one gap: beyond a cell of a level along an axis.
type gap struct {
	level, axis int
	cell        int32
}

// walker goes from slot to slot.
type walker struct {
	l      *layout.Layout
	along  [3][]units.Length // the coordinates of slots
	slotAt map[[3]units.Length]int32
}

func coordinates(p layout.Point) [3]units.Length { return [3]units.Length{p.X, p.Y, p.Z} }

func newWalker(l *layout.Layout) *walker {
	w := &walker{l: l, slotAt: map[[3]units.Length]int32{}}
	for s := range int32(l.Slots()) {
		p := coordinates(l.Position(s))
		w.slotAt[p] = s
		for axis := range 3 {
			w.along[axis] = append(w.along[axis], p[axis])
		}
	}
	for axis := range 3 {
		slices.Sort(w.along[axis])
		w.along[axis] = slices.Compact(w.along[axis])
	}
	return w
}

// gapsBetween walks from slot to slot, along x, then y, then z, and lists the gaps on
// the way: of the outermost container in which a step leads to another cell, if
// an end is in it.
func (w *walker) gapsBetween(a, b int32) map[gap]bool {
	l := w.l
	out := map[gap]bool{}
	at, to := coordinates(l.Position(a)), coordinates(l.Position(b))
	for axis := range 3 {
		for at[axis] != to[axis] {
			along := w.along[axis]
			i := slices.Index(along, at[axis])
			next := at
			if to[axis] > at[axis] {
				next[axis] = along[i+1]
			} else {
				next[axis] = along[i-1]
			}
			s, z := w.slotAt[at], w.slotAt[next]
			level := l.Common(s, z)
			holds := func(end int32) bool { return l.Container(level, end) == l.Container(level, s) }
			if level < len(l.Levels)-1 && (holds(a) || holds(b)) {
				lower := s
				if next[axis] < at[axis] {
					lower = z
				}
				out[gap{level, axis, l.Container(level+1, lower)}] = true
			}
			at = next
		}
	}
	return out
}

// Cables cross the gaps that a walk from slot to slot crosses.
func TestGapsAgainstWalks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		l := tree.Layout()
		g, walk := newGaps(tree, nil), newWalker(l)
		want := map[gap]GapLoad{}
		bare := make([]int64, len(tree.Levels))
		slot := rapid.IntRange(0, l.Slots()-1)
		for range rapid.IntRange(1, 20).Draw(t, "cables") {
			a, b := int32(slot.Draw(t, "a")), int32(slot.Draw(t, "b"))
			load := GapLoad{Cables: 1, Bare: 1}
			var s *strand
			if rapid.Bool().Draw(t, "made") {
				s = &strand{
					area:   int64(rapid.IntRange(0, 1000).Draw(t, "area")),
					copper: int32(a % 2), bare: int32(b % 2),
				}
				load = GapLoad{1, int64(s.copper), int64(s.bare), s.area}
			}
			g.add(a, b, s)
			levels := map[int]bool{}
			for at := range walk.gapsBetween(a, b) {
				sum := want[at]
				sum.add(&load, 1)
				want[at] = sum
				levels[at.level] = true
			}
			for level := range levels {
				bare[level] += load.Bare
			}
		}
		g.sum()
		for level := range g.loads {
			if g.bare[level] != bare[level] {
				t.Errorf("level %d: %d cables without diameter, want %d", level, g.bare[level], bare[level])
			}
			for axis, loads := range g.loads[level] {
				for cell := range loads {
					at := gap{level, axis, int32(cell)}
					if loads[cell] != want[at] {
						t.Errorf("%+v: %+v, want %+v", at, loads[cell], want[at])
					}
					delete(want, at)
				}
			}
		}
		if len(want) > 0 {
			t.Errorf("crossed too: %v", want)
		}
		checkGapLevels(t, g)
	})
}

// checkGapLevels holds the sums over the gaps of each level against all of them.
func checkGapLevels(t *rapid.T, g *Gaps) {
	byLevel := map[int]GapLevel{}
	for _, l := range g.Levels() {
		byLevel[l.Level] = l
	}
	for level := range g.loads {
		count, size, width := g.Tree.Levels[level].Count, g.Tree.Size(level+1), g.Tree.Gap(level)
		n, over, sum, greatest := int64(0), int64(0), 0.0, 0.0
		for cell := range g.Tree.Cells(0) / g.Tree.Cells(level+1) {
			index := g.Tree.Index(level, cell*g.Tree.Cells(level+1))
			for axis := range 3 {
				if index[axis] == count[axis]-1 {
					continue
				}
				side := math.Inf(1)
				for other := range 3 {
					if other != axis {
						side = min(side, float64(size[other]))
					}
				}
				taken, fill := float64(g.loads[level][axis][cell].area)*1e-9, 0.0
				if taken > 0 {
					fill = taken / (float64(width[axis]) * side)
				}
				n++
				sum += fill
				greatest = max(greatest, fill)
				if fill > g.fill[level] {
					over++
				}
				// The pitch that is named is the smallest, to a tenth of a millimetre.
				if need := g.level(level).Pitch[axis] - size[axis]; taken > float64(need)*side*g.fill[level]+1e-9 {
					t.Errorf("level %d: %v does not hold %v", level, need, taken)
				}
			}
		}
		l := byLevel[level]
		near := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-9*max(1, math.Abs(b)) }
		if l.Gaps != n || l.Overfull != over ||
			n > 0 && (!near(l.Mean, sum/float64(n)) || !near(l.Greatest, greatest)) {
			t.Errorf("level %d: %+v, want %d gaps, %d too full, mean %v, greatest %v",
				level, l, n, over, sum/float64(n),
				greatest)
		}
	}
}

// nested places a graph in containers.
func nested(t testing.TB, g topology.Graph, part *catalog.Part, levels ...layout.TreeLevel) *Problem {
	t.Helper()
	tree, err := layout.NewTree(levels)
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Default()
	p := &Problem{Graph: g, Catalog: c, Quote: c.PriceSet("estimate-2025").Quote, Mode: Manhattan}
	e := &embed.Problem{Graph: g, Strategy: embed.Auto, Fold: true, Tree: tree}
	for range g.Kinds() {
		box := NewBox(part)
		p.Boxes = append(p.Boxes, box)
		e.Kinds = append(e.Kinds, embed.Kind{Box: box.Box})
	}
	if p.Placement, err = embed.Place(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	return p
}

// A schedule counts each jacket once, also where cables carry several links, and
// no trace.
func TestGapsOfSchedules(t *testing.T) {
	for name, p := range map[string]*Problem{
		"cables": nested(t, newGraph(t, topology.Torus{Dims: []int{4, 6}}), catalog.Default().Part("cube-node"),
			layout.TreeLevel{Name: "row", Count: [3]int{2, 1, 1}, Gap: 0.2},
			layout.TreeLevel{Name: "rack", Count: [3]int{2, 3, 1}, Gap: 0.1},
			layout.TreeLevel{
				Name: "board", Count: [3]int{2, 1, 1}, Pitch: [3]units.Length{0.3, 0.3, 0.3}, Traces: true,
			}),
		"several links a cage": nested(t, newGraph(t, topology.HyperX{Dims: []int{4}, Widths: []int{4}, Terminals: 4}),
			catalog.Default().Part("nvidia-qm9700"),
			layout.TreeLevel{Name: "row", Count: [3]int{4, 1, 1}, Gap: 0.2},
			layout.TreeLevel{Name: "rack", Count: [3]int{5, 1, 1}, Pitch: [3]units.Length{0.3, 0.3, 0.3}}),
	} {
		t.Run(name, func(t *testing.T) {
			s := run(t, p)
			legs, want, walk := s.Legs(), map[gap]GapLoad{}, newWalker(p.Placement.Layout)
			jackets := 0
			s.Each(func(_ int64, seg *Segment) bool {
				if !s.Jacket(seg, legs.Next(seg)) {
					return true
				}
				jackets++
				strand := newStrand(&s.Products[seg.Product])
				load := GapLoad{1, int64(strand.copper), int64(strand.bare), strand.area}
				for at := range walk.gapsBetween(p.Placement.Slot[seg.A], p.Placement.Slot[seg.B]) {
					sum := want[at]
					sum.add(&load, 1)
					want[at] = sum
				}
				return true
			})
			if name != "cables" && int64(jackets) == s.Wired {
				t.Fatal("no cable carries several links")
			}
			for level := range s.Gaps.loads {
				for axis, loads := range s.Gaps.loads[level] {
					for cell := range loads {
						if at := (gap{level, axis, int32(cell)}); loads[cell] != want[at] {
							t.Errorf("%+v: %+v, want %+v", at, loads[cell], want[at])
						}
					}
				}
			}
			summary := *p
			summary.Summary = true
			if a, b := fmt.Sprint(s.Gaps.Levels()), fmt.Sprint(run(t, &summary).Gaps.Levels()); a != b {
				t.Errorf("a summary has %s, not %s", b, a)
			}
		})
	}
}

// Pitches that are fitted are the smallest at which the rule is kept.
func TestFitKeepsTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		l := tree.Layout()
		g := newGaps(tree, []float64{0.3})
		slot := rapid.IntRange(0, l.Slots()-1)
		for range rapid.IntRange(1, 30).Draw(t, "cables") {
			g.add(int32(slot.Draw(t, "a")), int32(slot.Draw(t, "b")), &strand{area: 5_000_000})
		}
		g.sum()
		stated, fit := slices.Clone(tree.Levels), make([][3]bool, len(tree.Levels))
		for level := range len(stated) - 1 {
			for axis := range 3 {
				if fit[level][axis] = true; rapid.IntRange(0, 3).Draw(t, "stated") > 0 {
					stated[level].Pitch[axis] = 0
				} else {
					fit[level][axis] = false
					stated[level].Pitch[axis] = units.Length(math.Pow10(5 - level))
				}
			}
			stated[level].Gap = 0
		}
		fitted, err := layout.NewTree(g.Fit(stated, fit, false))
		if err != nil {
			t.Fatal(err)
		}
		after := *g
		after.Tree = fitted
		for _, level := range after.Levels() {
			if level.Overfull > 0 {
				t.Errorf("%+v", level)
			}
			for axis := range 3 {
				if p := fitted.Levels[level.Level].Pitch[axis]; fit[level.Level][axis] &&
					(p-level.Pitch[axis]).Abs() > 1e-9 {
					t.Errorf("level %d: pitch %v, %v would do", level.Level, p, level.Pitch[axis])
				}
			}
		}
	})
}
