package render

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Words keep clear of what crosses them: what is over a box is found among all, the widest free part is that of a scan
// by quarters of a unit, and a word that fits lies in its box and on nothing.
func TestWordsKeepClear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(-40, 160)
		u := &uprights{}
		for range rapid.IntRange(0, 6).Draw(t, "uprights") {
			x, y := float64(at.Draw(t, "x")), float64(at.Draw(t, "y"))
			k := pen.Rect(x, y, x+float64(rapid.IntRange(1, 30).Draw(t, "wide")), y+float64(at.Draw(t, "high")+41))
			u.boxes, u.widest = append(u.boxes, k), max(u.widest, k.Width())
		}
		slices.SortFunc(u.boxes, func(a, b pen.Box) int { return cmp.Compare(a.X0+a.X1, b.X0+b.X1) })
		b := pen.Rect(0, 40, float64(rapid.IntRange(10, 120).Draw(t, "across")), 60)
		over := 0
		for _, k := range u.boxes {
			if k.Overlaps(b) {
				over++
			}
		}
		if got := len(u.over(b)); got != over {
			t.Fatalf("%d are over the box, not %d", got, over)
		}
		const step = 0.25
		widest, now := 0.0, 0.0
		for x := b.X0; x < b.X1; x += step {
			if now += step; slices.ContainsFunc(u.boxes, pen.Rect(x, b.Y0, x+step, b.Y1).Overlaps) {
				now = 0
			}
			widest = max(widest, now)
		}
		clear := u.clear(b)
		if len(u.over(clear)) > 0 && clear.Width() > 0 || clear.Width() > widest || clear.Width() < widest-4-step {
			t.Fatalf("%v is clear, of at most %g", clear, widest)
		}
		wide := float64(rapid.IntRange(1, 60).Draw(t, "word"))
		x, fits := u.wordAt(b, wide)
		word := pen.Rect(x-wide/2, b.Y0, x+wide/2, b.Y1)
		if fits && (len(u.over(word)) > 0 || word.Width() < b.Width() && (word.X0 < b.X0 || word.X1 > b.X1)) {
			t.Fatalf("a word is at %v, in %v", word, b)
		}
		if !fits && (x != (b.X0+b.X1)/2 || widest-4-step >= wide+6) {
			t.Fatalf("no place for %g in %g", wide, widest)
		}
	})
}

// Names of racks and captions of aisles lie on no cables, unless a fill is between them.
func TestNamesAreNotCrossed(t *testing.T) {
	for _, text := range []string{
		`{topology: {family: fat-tree, nodes: 512, radix: 32}, room: {racks_per_row: 8}}`,
		`{topology: {family: torus, dims: [16, 16, 8]}, room: {racks_per_row: 8},
packaging: {node: {part: generic-torus-node-1u, per_rack: 32}}, cabling: {route: manhattan}}`,
	} {
		r := planText(t, text)
		c, err := DrawFloor(t.Context(), r, FloorOptions{}, true)
		if err != nil {
			t.Fatal(err)
		}
		l, err := pen.NewLetters()
		if err != nil {
			t.Fatal(err)
		}
		var bars, fills []pen.Box
		names, crossed, layer := 0, 0, ""
		for _, m := range c.Scene.Marks {
			switch m := m.(type) {
			case scene.Layer:
				layer = string(m)
			case scene.Fill:
				switch {
				case m.Bar && layer != "cable-edges":
					bars = append(bars, m.Box)
				case layer == "rack-names":
					fills = append(fills, m.Box)
				}
			case scene.Text:
				if layer != "rack-names" {
					continue
				}
				names++
				w := l.Width(m.Text, pen.Letter{Size: m.Size})
				b := pen.Rect(m.X-w/2, m.Y-0.7*m.Size, m.X+w/2, m.Y)
				if slices.ContainsFunc(bars, b.Overlaps) {
					crossed++
					if !slices.ContainsFunc(fills, b.Overlaps) {
						t.Errorf("%s at %v is crossed", m.Text, b)
					}
				}
			}
		}
		if names == 0 || len(bars) == 0 {
			t.Errorf("%d names, %d bands: nothing was checked", names, len(bars))
		}
		t.Logf("%d of %d names are over cables", crossed, names)
	}
}
