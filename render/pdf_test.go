package render

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// TestPopplerReadsThePDF has other programs read what is written: all names of racks are texts, racks have their
// colours where they stand at the scale of the page, and there is a layer of them.
func TestPopplerReadsThePDF(t *testing.T) {
	for _, program := range []string{"pdftoppm", "pdftotext", "pdfinfo"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
				t.Fatal(err)
			}
			t.Skip("no ", program)
		}
	}
	odd := toName(t, `topology: {family: fat-tree, nodes: 32, radix: 16}`)
	odd.Name = "(a) \\ <b> Größe 𝔸 )"
	photo := image.NewGray(image.Rect(0, 0, 40, 30)) // black
	hall := drawnMachines(t)[1]
	hall.Drawing = &drawing.Drawing{Picture: photo, At: drawing.Affine{A: 0.1, E: -0.1, C: 12.9, F: 3.3}}
	for _, r := range append(drawnMachines(t), plan(t, odd), plan(t, cubes()), hall) {
		pages, err := FloorSheets(t.Context(), r, FloorOptions{}, spec.DefaultSheet, 0)
		if err != nil {
			t.Fatal(err)
		}
		first := pages[0].Scene
		var b bytes.Buffer
		if err := FloorPDF(context.Background(), &b, r); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "floor.pdf")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		run := func(args ...string) []byte {
			t.Helper()
			cmd := exec.Command(args[0], args[1:]...)
			var out, complaints bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &complaints
			if err := cmd.Run(); err != nil || complaints.Len() > 0 {
				t.Fatalf("%s: %v: %v\n%s", r.Spec.Name, args, err, &complaints)
			}
			return out.Bytes()
		}
		var wide, high float64
		for line := range strings.Lines(string(run("pdfinfo", file))) {
			if size, ok := strings.CutPrefix(line, "Page size:"); ok {
				if _, err := fmt.Sscanf(strings.TrimSpace(size), "%g x %g", &wide, &high); err != nil {
					t.Fatal(err)
				}
			}
		}
		metre := first.Scale * first.Paper * 72 / 25.4 // in points
		if want := first.W * first.Paper * 72 / 25.4; math.Abs(wide-want) > 0.1 {
			t.Errorf("%s: the page is %g points wide, not %g", r.Spec.Name, wide, want)
		}
		const dots = 2 // a point
		img, err := png.Decode(bytes.NewReader(run("pdftoppm", "-png", "-r", "144", "-f", "1", "-l", "1", file)))
		if err != nil {
			t.Fatal(err)
		}
		at := func(x, y float64) color.NRGBA { // of the floor
			px, py := first.X/first.Scale+x, first.Y/first.Scale-y
			return pen.NRGBA(img.At(int(px*metre*dots), int(py*metre*dots)))
		}
		if r == hall { // four by three metres, with 60 % of the floor's light; beside it, there is the aisle
			for point, want := range map[[2]float64]bool{
				{13.2, 3.1}: true, {16.7, 3.1}: true, {13.2, 2.6}: true,
				{12.7, 3.1}: false, {17.1, 3.1}: false, {13.2, 3.45}: false,
			} {
				if col := at(point[0], point[1]); col.R < 0xb0 != want {
					t.Errorf("at %v the picture is %v", point, col)
				}
			}
		}
		checkPDFRacks(t, r, strings.Fields(string(run("pdftotext", file, "-"))), at)
	}
}

// checkPDFRacks looks for racks among the words of a page and in its picture.
func checkPDFRacks(t *testing.T, r *machine.Result, words []string, at func(x, y float64) color.NRGBA) {
	t.Helper()
	if r.Room() == nil {
		return
	}
	written := map[string]bool{}
	for _, word := range words {
		written[word] = true
	}
	found, racks := 0, rackContents(r)
	for i, p := range r.Room().Places {
		if !written[r.Room().Name(i)] {
			t.Errorf("%s: %s is not written", r.Spec.Name, r.Room().Name(i))
		}
		b := p.Footprint(*r.Room().Spec.Type(p.Type))
		want := palette.Behind(contents[racks[i]].col)
		if at(0.7*b.Min[0]+0.3*b.Max[0], 0.28*b.Min[1]+0.72*b.Max[1]) == pen.NRGBA(want) {
			found++
		}
	}
	if n := len(r.Room().Places); found < n*9/10 { // hatches and trays lie over some
		t.Errorf("%s: %d racks of %d have their colours", r.Spec.Name, found, n)
	}
}
