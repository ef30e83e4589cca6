package isometric

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/units"
)

// random is a tree with boxes in most of its places.
func random(t *testing.T, r *rand.Rand, alike bool) *Drawing {
	t.Helper()
	var levels []layout.TreeLevel
	for i := range 1 + r.IntN(3) {
		l := layout.TreeLevel{Name: "level", Gap: units.Length(0.1 + r.Float64())}
		for a := range 3 {
			l.Count[a] = 1 + r.IntN(3)
			l.Pitch[a] = units.Length(0.5 + r.Float64())
		}
		if alike {
			l.Count = [3]int{3, 3, 3}
			l.Pitch = [3]units.Length{1, 1, 1}
		}
		if i > 0 {
			l.Pitch = [3]units.Length{}
		}
		levels = append([]layout.TreeLevel{l}, levels...)
	}
	tree, err := layout.NewTree(levels)
	if err != nil {
		t.Fatal(err)
	}
	w, h, corner := Extent(tree)
	free := make([]bool, tree.Cells(0))
	for i := range free {
		free[i] = r.IntN(5) == 0
	}
	d := &Drawing{
		Tree: tree, Shade: func(level int) color.RGBA { return palette.Tint(palette.Sky, 0.1+0.1*float64(level)) },
		Box: func(slot int) (color.RGBA, bool) { return palette.Series(slot), !free[slot] },
	}
	d.Scale = 600 / max(w, h)
	d.Y = (h - corner) * d.Scale
	return d
}

// picture draws a tree.
func picture(t *testing.T, d *Drawing) *image.RGBA {
	t.Helper()
	l, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	c := pen.New(l, 600, 600)
	d.Draw(context.Background(), c)
	img, err := pen.Raster(l, c.Scene)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// seen is the colour of the box that is seen at a point of the drawing, found by following the line of sight: the box
// and the side of it that the line leaves last, towards who looks from the right, the front and above.
func (d *Drawing) seen(l *layout.Layout, px, py float64) (col color.RGBA, is bool) {
	across, up := (px-d.X)/(d.Scale*cos30), (d.Y-py)/d.Scale // x+y and z+(y-x)/2
	at := [3]float64{across / 2, across / 2, up}
	along := [3]float64{1, -1, 1}
	last := math.Inf(-1)
	inner := d.Tree.Levels[len(d.Tree.Levels)-1].Pitch
	cut := func(middle layout.Point, half [3]float64) (from, to float64, side int) {
		from, to = math.Inf(-1), math.Inf(1)
		for a, m := range []units.Length{middle.X, middle.Y, middle.Z} {
			t0, t1 := (float64(m)-half[a]-at[a])/along[a], (float64(m)+half[a]-at[a])/along[a]
			from = max(from, min(t0, t1))
			if far := max(t0, t1); far < to {
				to, side = far, a
			}
		}
		return from, to, side
	}
	for level := range d.Tree.Levels { // the sides behind what they hold
		s := d.Tree.Size(level)
		for n := range d.Tree.Cells(0) / d.Tree.Cells(level) {
			half := [3]float64{float64(s[0] / 2), float64(s[1] / 2), float64(s[2] / 2)}
			middle := d.Tree.Origin(level, int32(n)).Add(layout.Point{X: s[0] / 2, Y: s[1] / 2, Z: s[2] / 2})
			if from, to, _ := cut(middle, half); from < to {
				last = max(last, from)
			}
		}
	}
	for slot := range d.Tree.Cells(0) {
		colour, there := d.Box(slot)
		if !there {
			continue
		}
		half := [3]float64{0.38 * float64(inner[0]), 0.38 * float64(inner[1]), 0.38 * float64(inner[2])}
		if from, to, side := cut(l.Position(int32(slot)), half); from < to && to > last {
			last, is = to, true
			col = shaded(colour, [3]float64{fromRight, fromFront, fromAbove}[side])
		}
	}
	return col, is
}

// What is drawn is what is seen: at points away from edges, the side of the box that is in front of all others.
func TestDrawnIsSeen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	checked := 0
	for round := range 12 {
		d := random(t, r, round%2 == 0)
		img, l := picture(t, d), d.Tree.Layout()
		for range 150 {
			x, y := 20+r.IntN(560), 20+r.IntN(560)
			want, is := d.seen(l, float64(x)+0.5, float64(y)+0.5)
			const near = 2.5
			for _, by := range [][2]float64{{near, 0}, {-near, 0}, {0, near}, {0, -near}, {near, near}, {-near, near}} {
				beside, also := d.seen(l, float64(x)+0.5+by[0], float64(y)+0.5+by[1])
				is = is && also && beside == want
			}
			if !is {
				continue
			}
			got := img.RGBAAt(x, y)
			// The edges of the containers before it are lines of one colour.
			if outline := palette.Outline; got != want && !close(got, outline) && !mixed(got, want, outline) {
				t.Fatalf("round %d: at %d, %d: %v, seen is %v", round, x, y, got, want)
			}
			checked++
		}
	}
	if checked < 300 {
		t.Errorf("only %d points checked", checked)
	}
}

func close(a, b color.RGBA) bool {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return d(a.R, b.R) < 3 && d(a.G, b.G) < 3 && d(a.B, b.B) < 3
}

// mixed reports whether a colour lies between two others.
func mixed(c, a, b color.RGBA) bool {
	between := func(c, a, b uint8) bool { return c >= min(a, b) && c <= max(a, b) }
	return between(c.R, a.R, b.R) && between(c.G, a.G, b.G) && between(c.B, a.B, b.B)
}

// Leaving out what others hide changes no pixel.
func TestHidden(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		d := random(t, r, true)
		few := picture(t, d)
		d.All = true
		if all := picture(t, d); !bytes.Equal(few.Pix, all.Pix) {
			differ := 0
			for i := range few.Pix {
				// Two layers of a half-covered pixel at a silhouette are darker than one.
				if a, b := int(few.Pix[i]), int(all.Pix[i]); max(a-b, b-a) > 90 {
					differ++
				}
			}
			if differ > 0 {
				t.Errorf("%d values differ", differ)
			}
		}
	}
}

// Containers are drawn down to where edges are long enough, and as many as can be distinguished.
func TestDepth(t *testing.T) {
	levels := []layout.TreeLevel{
		{Name: "a", Count: [3]int{16, 16, 16}},
		{Name: "b", Count: [3]int{8, 8, 8}, Pitch: [3]units.Length{1, 1, 1}},
	}
	tree, err := layout.NewTree(levels)
	if err != nil {
		t.Fatal(err)
	}
	d := &Drawing{Tree: tree, Least: 5}
	for scale, want := range map[float64]int{0.1: 0, 1: 1, 4: 1, 6: 1} { // at 6, there are 721 * 169 boxes to be seen
		if d.Scale = scale; d.Depth() != want {
			t.Errorf("scale %g: depth %d, want %d", scale, d.Depth(), want)
		}
	}
	tree.Levels[0].Count = [3]int{2, 2, 2}
	if d.Scale = 6; d.Depth() != 2 {
		t.Errorf("depth %d of few, want 2", d.Depth())
	}
}

// Cubes in cubes, one of them without a box, are the marks that they were when they were last looked at.
func TestMarks(t *testing.T) {
	tree, err := layout.NewTree([]layout.TreeLevel{
		{Name: "outer", Count: [3]int{2, 1, 2}, Gap: 0.5},
		{Name: "inner", Count: [3]int{2, 2, 1}, Pitch: [3]units.Length{1, 1, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w, h, corner := Extent(tree)
	d := &Drawing{
		Tree: tree, Shade: func(level int) color.RGBA { return palette.Tint(palette.Sky, 0.1+0.1*float64(level)) },
		Box:   func(slot int) (color.RGBA, bool) { return palette.Nodes, slot != 5 },
		Scale: 100, Y: (h - corner) * 100,
	}
	l, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	c := pen.New(l, w*100, h*100+100)
	d.Draw(t.Context(), c)
	d.Labels(c, 14, func(level int) string { return tree.Levels[level].Name })
	var b strings.Builder
	if err := scene.List(&b, c.Scene); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "cubes.txt", b.String())
}
