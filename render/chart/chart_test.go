package chart

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/scene"
)

// drawn are charts of all kinds of axes.
func drawn(t *testing.T) map[string]*Drawing {
	t.Helper()
	out := map[string]*Drawing{}
	add := func(name string, d *Drawing, err error) {
		if err != nil {
			t.Fatal(name, err)
		}
		out[name] = d
	}
	d, err := (&CurveChart{
		Title: "Latency, <uniform> traffic", X: "load", Y: "cycles", YMax: 100, Diagonal: true,
		Curves: []Curve{
			{Name: "one", Points: []Point{{X: 0.1, Y: 20}, {X: 0.5, Y: 30}, {X: 0.9, Y: 900}}}, {Name: "two"},
		},
	}).Draw(Style{})
	add("curves", d, err)
	d, err = (&CurveChart{
		X: "nodes", Y: "hops", LogX: true, LogY: true, Groups: []string{"mesh", "torus"},
		Curves: []Curve{{Name: "2D", Group: "torus", Mark: "2D", Points: []Point{{X: 100, Y: 5}, {X: 10000, Y: 50}}}},
	}).Draw(Style{})
	add("logarithms", d, err)
	d, err = TradeChart{
		Title: "Front", X: "cost (USD)", Y: "delay (ns)",
		Best:    []TradePoint{{"torus", "1 torus", 224_100, 900}, {"clex", "2 clex", 224_900, 300}},
		Beaten:  []TradePoint{{Group: "torus", X: 224_500, Y: 950}},
		Bounded: []TradePoint{{Group: "moore", X: 224_300, Y: 800}},
	}.Draw(Style{})
	add("trade", d, err)
	d, err = TradeChart{Title: "Nothing"}.Draw(Style{})
	add("empty", d, err)
	return out
}

// A chart is the marks that it was when it was last looked at.
func TestMarksOfCharts(t *testing.T) {
	for name, d := range drawn(t) {
		var b strings.Builder
		if err := scene.List(&b, d.Scene); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, name+".txt", strings.ReplaceAll(b.String(), "Plenum "+machine.Version, "Plenum VERSION"))
	}
}

// Two charts of the same are the same bytes in all formats, which public programs open without a complaint.
func TestFormatsOfCharts(t *testing.T) {
	again := drawn(t)
	for name, d := range drawn(t) {
		for _, f := range Formats {
			var one, two bytes.Buffer
			if err := d.Write(t.Context(), &one, f); err != nil {
				t.Fatal(err)
			}
			if err := again[name].Write(t.Context(), &two, f); err != nil || !bytes.Equal(one.Bytes(), two.Bytes()) {
				t.Errorf("%s.%s differs from itself, %v", name, f, err)
			}
			judge(t, f, one.Bytes())
		}
	}
}

// judge has a public program draw a file.
func judge(t *testing.T, f Format, data []byte) {
	t.Helper()
	program := map[Format][]string{SVG: {"rsvg-convert"}, PDF: {"pdftoppm", "-png", "-r", "40"}}[f]
	if program == nil {
		return
	}
	if _, err := exec.LookPath(program[0]); err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal("no ", program[0])
		}
		return
	}
	file := filepath.Join(t.TempDir(), "chart")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program[0], append(program[1:], file)...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 || !bytes.HasPrefix(out.Bytes(), []byte("\x89PNG")) {
		t.Errorf("%s: %v\n%s", program[0], err, &complaints)
	}
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]Format{"a.png": PNG, "dir.png/b.SVG": SVG, "c.d.pdf": PDF} {
		if got, err := FormatOf(path); err != nil || got != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	for _, path := range []string{"", "png", "a.jpg", "a.png/b", ".pdf.gz"} {
		if got, err := FormatOf(path); err == nil || !strings.Contains(err.Error(), ".png, .svg or .pdf") {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	got, err := ParseFormats([]string{"svg", "PDF", "svg"})
	if err != nil || len(got) != 2 || got[0] != SVG || got[1] != PDF {
		t.Errorf("%v, %v", got, err)
	}
	for _, names := range [][]string{nil, {"png", "jpeg"}} {
		if got, err := ParseFormats(names); err == nil {
			t.Errorf("%v are taken for %v", names, got)
		}
	}
}
