package render

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// fabricMachine has several fabrics.
func fabricMachine(t *testing.T) *machine.Result {
	t.Helper()
	return plan(t, toName(t, "fabrics"))
}

// Racks have the colours of what they are coloured by: the most is the darkest, and every rack says its figure.
func TestFloorColours(t *testing.T) {
	r := fabricMachine(t)
	for _, by := range []string{"power", "weight", "cables", "ports"} {
		c, err := DrawFloor(t.Context(), r, FloorOptions{Colour: by, RackPower: true}, true)
		if err != nil {
			t.Fatal(by, err)
		}
		darkest := pen.NRGBA(palette.Heat(1))
		found, said := false, 0
		for i, m := range c.Scene.Marks {
			f, ok := m.(scene.Fill)
			if !ok || f.Name == "" || f.About == contents[empty].text {
				continue
			}
			said++
			if next, ok := c.Scene.Marks[i+1].(scene.Fill); !ok || next.Box != f.Box {
				t.Errorf("%s: %s is not painted", by, f.Name)
			} else if next.Color == darkest {
				found = true
			}
			if f.About == "" || f.About[0] < '0' || f.About[0] > '9' {
				t.Errorf("%s: %s says %q", by, f.Name, f.About)
			}
		}
		if !found || said != len(r.Placement.Racks) {
			t.Errorf("%s: the most is not drawn, or %d racks of %d", by, said, len(r.Placement.Racks))
		}
		for _, k := range r.Placement.Racks {
			if text := strconv.FormatFloat(float64(k.Power)/1e3, 'f', 1, 64); !hasWords(c, "rack-power", text) {
				t.Errorf("%s kW are not printed", text)
			}
		}
	}
	if sum := slices.Max(countRackCables(r)); sum == 0 {
		t.Error("no rack has a cable")
	}
	c, err := DrawFloor(t.Context(), r, FloorOptions{Colour: "fabric"}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range r.Fabrics {
		if !hasWords(c, "sheet", "switches of "+n.Name) {
			t.Errorf("the legend lacks %s", n.Name)
		}
	}
	one := plan(t, toName(t, "topology: {family: torus, dims: [4, 3, 2]}"))
	for by, r := range map[string]*machine.Result{"fabric": one, "power": plan(t, cubes()), "nothing": one} {
		if _, err := DrawFloor(t.Context(), r, FloorOptions{Colour: by}, false); err == nil {
			t.Errorf("%s: racks are coloured", by)
		}
	}
}

// hasWords reports whether a text is on a layer.
func hasWords(c *pen.Canvas, layer, text string) bool {
	on := ""
	for _, m := range c.Scene.Marks {
		switch m := m.(type) {
		case scene.Layer:
			on = string(m)
		case scene.Text:
			if on == layer && m.Text == text {
				return true
			}
		}
	}
	return false
}

// A floor on sheets is to scale on the paper asked for, and every rack is whole on some sheet or cut by an edge of one.
func TestFloorSheets(t *testing.T) {
	r := fabricMachine(t)
	for _, c := range []struct {
		size spec.Paper
		k    int
		want int // sheets, 0 for several
	}{{"A4", 0, 1}, {"A3", 100, 1}, {"A4", 20, 0}, {"A0", 50, 1}, {"ANSI B", 100, 1}} {
		pages, err := FloorSheets(t.Context(), r, FloorOptions{Date: "1 May 2026"}, c.size, c.k)
		if err != nil {
			t.Fatal(err)
		}
		if c.want > 0 && len(pages) != c.want || c.want == 0 && len(pages) < 2 {
			t.Errorf("%s at 1:%d is %d sheets", c.size, c.k, len(pages))
		}
		names := map[string]bool{}
		for i, p := range pages {
			wide, high := c.size.Millimetres()
			sides := []float64{p.W * p.Paper, p.H * p.Paper}
			slices.Sort(sides)
			if math.Abs(sides[0]-wide) > 0.01 || math.Abs(sides[1]-high) > 0.01 {
				t.Errorf("%s is %v", c.size, sides)
			}
			canvas := &pen.Canvas{Scene: p.Scene}
			if !hasWords(canvas, "sheet", "1 May 2026") ||
				c.k > 0 && !hasWords(canvas, "sheet", fmt.Sprintf("1:%d at %s", c.k, c.size)) {
				t.Errorf("%s, sheet %d: the title block lacks date or scale", c.size, i+1)
			}
			for _, m := range p.Marks {
				f, ok := m.(scene.Fill)
				if !ok || f.Name == "" {
					continue
				}
				names[f.Name] = true
				want := float64(r.Room().Spec.Rack.Width) * 1000 / float64(c.k)
				if got := f.Width() * p.Paper; c.k > 0 && math.Abs(got-want) > 0.01 {
					t.Errorf("1:%d: %s is %g mm wide, not %g", c.k, f.Name, got, want)
				}
			}
		}
		if len(names) != len(r.Room().Places) {
			t.Errorf("%s at 1:%d: %d racks of %d", c.size, c.k, len(names), len(r.Room().Places))
		}
	}
	if _, err := FloorSheets(t.Context(), r, FloorOptions{}, "A4", 1); err == nil {
		t.Error("a room at 1:1 is drawn on sheets of A4")
	}
	if _, err := FloorSheets(t.Context(), r, FloorOptions{}, "A7", 0); err == nil {
		t.Error("there is a sheet A7")
	}
}

// A title block has what the machine file states; what it does not state is marked so, and north has an arrow only
// where it is stated.
func TestTitleBlocks(t *testing.T) {
	north := -30.0
	stated := spec.TitleBlock{
		Project: "Hall 3", Author: "J. Doe", Revision: "B", Date: "2026-05-01", Sheet: "ANSI B", North: &north,
	}
	for _, block := range []*spec.TitleBlock{nil, {Revision: "C"}, &stated} {
		for _, s := range []*spec.Spec{superPod(), cubes()} {
			s.Drawing = block
			r := plan(t, s)
			want := block.Stated()
			pages, err := FloorSheets(t.Context(), r, FloorOptions{}, want.Sheet, want.SheetScale())
			if err != nil {
				t.Fatal(err)
			}
			said := map[string]int{}
			for _, m := range pages[0].Marks {
				if text, ok := m.(scene.Text); ok {
					said[text.Text]++
				}
			}
			missing := 0
			for _, text := range []string{want.Project, want.Author, want.Revision, want.Date} {
				if text == "" {
					missing++
				} else if said[text] == 0 {
					t.Errorf("%s: %q is not in the title block", s.Name, text)
				}
			}
			if said[notStated] != missing {
				t.Errorf("%s: %d values are marked as not stated, want %d", s.Name, said[notStated], missing)
			}
			if arrow := said["N"] > 0; arrow != (want.North != nil) || arrow == (said["north: "+notStated] > 0) {
				t.Errorf("%s: north is drawn: %v", s.Name, arrow)
			}
			if said[fmt.Sprintf("1 of %d", len(pages))] == 0 {
				t.Errorf("%s: the sheet does not say that it is the first of %d", s.Name, len(pages))
			}
		}
	}
}

// The arrow to the north points upwards for 0 degrees and to the right for 90.
func TestNorthArrow(t *testing.T) {
	for degrees, want := range map[float64][2]float64{0: {0, -29}, 90: {29, 0}, 180: {0, 29}, -90: {-29, 0}} {
		l, err := pen.NewLetters()
		if err != nil {
			t.Fatal(err)
		}
		c := pen.New(l, 100, 100)
		northArrow(c, 50, 50, 20, degrees)
		for _, m := range c.Scene.Marks {
			text, ok := m.(scene.Text)
			if !ok {
				continue
			}
			const half = 0.35 * 13 // of the letter, above its baseline
			if math.Hypot(text.X-50-want[0], text.Y-half-50-want[1]) > 1e-6 {
				t.Errorf("at %v degrees N is at %v, %v", degrees, text.X-50, text.Y-half-50)
			}
		}
	}
}

// A floor that is too large for one sheet has further sheets on which racks have their names; all sheets are counted.
func TestSheetsShowNames(t *testing.T) {
	r := plan(t, toName(t, `{topology: {family: torus, dims: [8, 8, 8]}, room: {racks_per_row: 60, rows: 16},
packaging: {node: {per_rack: 1}}}`))
	pages, err := FloorSheets(t.Context(), r, FloorOptions{}, "A4", 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for i, p := range pages {
		for _, m := range p.Marks {
			if text, ok := m.(scene.Text); ok {
				names[text.Text] = true
			}
		}
		if !hasWords(&pen.Canvas{Scene: p.Scene}, "sheet", fmt.Sprintf("%d of %d", i+1, len(pages))) {
			t.Errorf("sheet %d does not say its number of %d", i+1, len(pages))
		}
	}
	if len(pages) < 3 {
		t.Fatalf("%d sheets", len(pages))
	}
	for i := range r.Room().Places {
		if !names[r.Room().Name(i)] {
			t.Errorf("rack %s has no name on any sheet", r.Room().Name(i))
		}
	}
}

// Sheets and trays are opened by public programs without a complaint.
func TestDrawingsAreOpened(t *testing.T) {
	r := plan(t, superPod())
	pages, err := FloorSheets(t.Context(), r, FloorOptions{Colour: "power"}, "A4", 50)
	if err != nil {
		t.Fatal(err)
	}
	var sheets, trays bytes.Buffer
	if err := Book(t.Context(), &sheets, r, "floor plan", pages); err != nil {
		t.Fatal(err)
	}
	if err := TrayPlanPDF(t.Context(), &trays, r); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"sheets": sheets.Bytes(), "trays": trays.Bytes()} {
		if _, err := exec.LookPath("pdftotext"); err != nil {
			if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
				t.Fatal("no pdftotext")
			}
			t.Skip("no pdftotext")
		}
		file := filepath.Join(t.TempDir(), name+".pdf")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("pdftotext", file, "-")
		var out, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaints
		if err := cmd.Run(); err != nil || complaints.Len() > 0 || !strings.Contains(out.String(), "A01") {
			t.Errorf("%s: %v\n%s", name, err, &complaints)
		}
	}
}
