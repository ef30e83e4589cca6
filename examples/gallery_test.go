package examples_test

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render"
)

// galleryEnd is what follows the table of the gallery.
const galleryEnd = "\n<!-- The table is written by PLENUM_UPDATE=1 go test ./examples -run Gallery -->\n"

// floorsEnd is what follows the floors.
const floorsEnd = "\n<!-- The floors are written by PLENUM_UPDATE=1 go test ./examples -run Floors -->\n"

// floors shows the floor of every example, two side by side.
func floors(t *testing.T) string {
	var b strings.Builder
	b.WriteString("\n## Floors\n\nEach as `plenum render NAME --format floor -o floor.png` draws it; a picture leads " +
		"to its whole size.\n\n| | |\n|---|---|\n")
	names := every(t)
	for i, name := range names {
		name = strings.TrimSuffix(name, ".yaml")
		fmt.Fprintf(&b, "| %s<br>[![Floor of %[1]s](img/floors/%[1]s.png)](img/floors/%[1]s.png) ", name)
		if i%2 == 1 || i == len(names)-1 {
			b.WriteString("|\n")
		}
	}
	return b.String()
}

// TestFloors compares the pictures of the gallery with the floors of the small examples, and of all of them in the long
// tests. PLENUM_UPDATE=1 writes all.
func TestFloors(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("pictures are kept as amd64 draws them: other processors round sums of products otherwise")
	}
	update := os.Getenv("PLENUM_UPDATE") == "1"
	for _, name := range every(t) {
		if !update && !graphtest.Long() && !slices.Contains([]string{"basepod.yaml", "slimfly-200.yaml"}, name) {
			continue
		}
		data, err := examples.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := machine.Parse(name, data)
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.PlanWith(t.Context(), s, machine.Options{NoPaths: true})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := render.Floor(t.Context(), &b, r); err != nil {
			t.Fatal(err)
		}
		path := "../docs/img/floors/" + strings.TrimSuffix(name, ".yaml") + ".png"
		picture := fewColours(t, &b)
		if update {
			if err := os.WriteFile(path, picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, picture) {
			t.Errorf("%s is not the floor of %s; run PLENUM_UPDATE=1 go test ./examples -run Floors (%v)", path, name,
				err)
		}
	}
}

// fewColours writes a picture with its 256 most frequent colours, in a third of the bytes: the others are shades at the
// edges of letters and lines, and become the nearest of these.
func fewColours(t *testing.T, r io.Reader) []byte {
	t.Helper()
	m, err := png.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	count := map[color.RGBA]int{}
	bounds := m.Bounds()
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(m.At(x, y)).(color.RGBA) }
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G),
			cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range colours[:min(256, len(colours))] {
		palette = append(palette, c)
	}
	few := image.NewPaletted(bounds, palette)
	index := map[color.RGBA]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := at(x, y)
			i, ok := index[c]
			if !ok {
				i = uint8(palette.Index(c))
				index[c] = i
			}
			few.SetColorIndex(x, y, i)
		}
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, few); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestGallery keeps the table of docs/gallery.md, which has every example. PLENUM_UPDATE=1 writes it.
func TestGallery(t *testing.T) {
	const page = "../docs/gallery.md"
	var b strings.Builder
	b.WriteString("| example | nodes | switches | racks | cables | metres | longest | power | network and racks |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, name := range every(t) {
		var r *report.Plan
		if slices.Contains(large, name) {
			r = sketch(t, name).Report()
		} else {
			r = plan(t, name).report
		}
		fmt.Fprintf(&b, "| [%s](../examples/%s) | %s | %s | %s | %s | %s | %.2f m | %s | %s %s |\n",
			strings.TrimSuffix(name, ".yaml"), name,
			english.Grouped(int64(r.Nodes)), english.Grouped(int64(r.Switches)),
			english.Grouped(int64(r.Racks)), english.Grouped(r.Cables), formatRounded(float64(r.Length.Total)),
			float64(r.Length.Max), r.Power, formatRounded(r.Cost.Total.Float()), r.Currency)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), "| example |")
	_, tail, found := strings.Cut(rest, galleryEnd)
	if !ok || !found {
		t.Fatalf("%s has no table, or does not say what writes it", page)
	}
	_, tail, found = strings.Cut(tail, floorsEnd)
	if !found {
		t.Fatalf("%s has no pictures, or does not say what writes them", page)
	}
	want := head + b.String() + galleryEnd + floors(t) + floorsEnd + tail
	if want == string(data) {
		return
	}
	if os.Getenv("PLENUM_UPDATE") != "1" {
		t.Fatalf("%s does not have the figures of the examples; run PLENUM_UPDATE=1 go test ./examples -run Gallery",
			page)
	}
	if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// formatRounded writes a figure without decimals, as drawings have it.
func formatRounded(v float64) string { return english.Grouped(int64(math.Round(v))) }
