package label

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
)

func plugs(t testing.TB, text string) []render.Plug {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Of(r, Chosen{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const tree = `
topology: {family: fat-tree, radix: 8, nodes: 24}
`

// fullTree has more plugs than any sheet has labels.
const fullTree = `
topology: {family: fat-tree, radix: 16, nodes: 64}
`

// TestCodesAreRead draws sheets of every format as pictures and has zbarimg read all QR codes of a page, and dmtxread
// every Data Matrix: each label has its own. The sheet of most labels is full; PLENUM_LONG=1 fills all.
func TestCodesAreRead(t *testing.T) {
	needs(t, "pdftoppm", "zbarimg", "dmtxread")
	all := plugs(t, fullTree)
	for i := range 2 * len(Formats) {
		f := Formats[i/2]
		f.Kind = Kind(i % 2)
		t.Run(f.Name+" "+Kinds[f.Kind], func(t *testing.T) {
			dir := t.TempDir()
			page := all[:3]
			if i/2 == 0 || os.Getenv("PLENUM_LONG") == "1" {
				page = all[:f.Columns*f.Rows]
			}
			var pdf bytes.Buffer
			if err := Sheets(t.Context(), &pdf, "tree", page, &f); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "labels.pdf")
			if err := os.WriteFile(file, pdf.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			run := exec.CommandContext(t.Context(), "pdftoppm", "-r", "300", "-singlefile", "-png", file,
				filepath.Join(dir, "page"))
			if out, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			program, args := "zbarimg", []string{"--quiet", "--raw", "-Sdisable", "-Sqrcode.enable"}
			if f.Kind == DataMatrix {
				program, args = "dmtxread", []string{"--newline", "--stop-after=1"}
			}
			args = append(args, cut(t, &f, filepath.Join(dir, "page.png"), len(page))...)
			out, err := exec.CommandContext(t.Context(), program, args...).Output()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Fields(string(out))
			var want []string
			for i := range page {
				want = append(want, Code(&page[i]))
				if f.Core > 0 {
					want = append(want, Code(&page[i]))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("read %d codes of %d: %v", len(got), len(want), got)
			}
		})
	}
}

// TestCodesOfAnotherEncoder holds that the codes which zint makes of the texts of labels are read as these texts.
func TestCodesOfAnotherEncoder(t *testing.T) {
	needs(t, "zint", "zbarimg")
	all := plugs(t, tree)
	dir := t.TempDir()
	var want, pictures []string
	for i := range all {
		want = append(want, Code(&all[i]))
		pictures = append(pictures, filepath.Join(dir, fmt.Sprintf("%03d.png", i+1)))
	}
	texts := filepath.Join(dir, "texts")
	if err := os.WriteFile(texts, []byte(strings.Join(want, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	zint := exec.CommandContext(t.Context(), "zint", "--batch", "--barcode=QRCODE", "--scale=2", "--whitesp=4",
		"--vwhitesp=4", "-i", texts, "-o", filepath.Join(dir, "~~~.png"))
	if out, err := zint.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	args := append([]string{"--quiet", "--raw", "-Sdisable", "-Sqrcode.enable"}, pictures...)
	out, err := exec.CommandContext(t.Context(), "zbarimg", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(string(out)); !slices.Equal(got, want) {
		t.Errorf("read %d codes of %d: %v", len(got), len(want), got)
	}
}

// cut makes a picture of every label, or half of one: zbarimg does not find all of many codes in one.
func cut(t *testing.T, f *Format, page string, labels int) []string {
	t.Helper()
	in, err := os.Open(page)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	picture, err := png.Decode(in)
	if err != nil {
		t.Fatal(err)
	}
	dots := float64(picture.Bounds().Dx()) / f.Page[0]
	s := &sheet{Format: f}
	var out []string
	write := func(b pen.Box) {
		part := picture.(interface {
			SubImage(r image.Rectangle) image.Image
		}).SubImage(image.Rect(int(b.X0*dots), int(b.Y0*dots), int(b.X1*dots), int(b.Y1*dots)))
		name := fmt.Sprintf("%s-%d.png", page, len(out))
		var b2 bytes.Buffer
		if err := errors.Join(png.Encode(&b2, part), os.WriteFile(name, b2.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
		out = append(out, name)
	}
	for i := range labels {
		b := s.box(i)
		if f.Core == 0 {
			write(b)
			continue
		}
		middle := (b.X0 + b.X1) / 2
		write(pen.Rect(b.X0, b.Y0, middle, b.Y1))
		write(pen.Rect(middle, b.Y0, b.X1, b.Y1))
	}
	return out
}

// TestEveryPlugHasALabel holds that both ends of every cable are labelled once, the far end of one as the near end of
// the other.
func TestEveryPlugHasALabel(t *testing.T) {
	seen := map[string]*render.Plug{}
	all := plugs(t, tree)
	for i := range all {
		p := &all[i]
		if seen[Code(p)] != nil {
			t.Errorf("%s twice", Code(p))
		}
		seen[Code(p)] = p
	}
	for code, p := range seen {
		q := seen[p.Cable+"/"+string("AB"[strings.Index("BA", p.End)])]
		if q == nil || q.Near != p.Far || q.Far != p.Near {
			t.Errorf("%s: %+v, and the other end %+v", code, p, q)
		}
	}
	if len(all) != 2*48 {
		t.Errorf("%d labels", len(all))
	}
}

func TestSheetsHoldTheirLabels(t *testing.T) {
	for _, f := range Formats {
		s := &sheet{Format: &f}
		first, last := s.box(0), s.box(f.Columns*f.Rows-1)
		if first.X0 < 0 || first.Y0 < 0 || last.X1 > f.Page[0] || last.Y1 > f.Page[1] {
			t.Errorf("%s: %v to %v", f.Name, first, last)
		}
	}
	s := &sheet{Format: &Formats[1]} // the maker's margins: 4.75 mm and 10.7 mm
	if b := s.box(0); b.X0 < 4.74 || b.X0 > 4.76 || b.Y0 < 10.69 || b.Y0 > 10.71 {
		t.Errorf("the first label is at %.2f, %.2f", b.X0, b.Y0)
	}
}

// TestPortsAreNotCut holds that a line that is too long loses its front: boxes and ports are at the end.
func TestPortsAreNotCut(t *testing.T) {
	letters, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	s := &sheet{Canvas: pen.New(letters, 1, 1)}
	long := line{text: strings.Repeat("very-", 20) + "leaf-12-7", tail: true}
	text := s.shortened(long, pen.Letter{Size: smallest}, 15)
	if !strings.HasPrefix(text, "…") || !strings.HasSuffix(text, "leaf-12-7") {
		t.Error(text)
	}
	p := &render.Plug{
		Near: render.PlugEnd{Label: "A03/U12/compute-leaf-12-7"}, Far: render.PlugEnd{Label: "A03/U1/n-1"},
	}
	lines := words(p, 4, func(text string) bool { return len(text) > 20 })
	if len(lines) != 4 || lines[1].text != "A03/U12/" || lines[2].text != "compute-leaf-12-7" || !lines[2].tail {
		t.Errorf("%v", lines)
	}
}

// TestLabelsCanBeRead looks at the sheets of every format as a reader does: every text has at least 6 points and stands
// apart from the others, with short names and with names that no label has room for.
func TestLabelsCanBeRead(t *testing.T) {
	short := plugs(t, tree)
	long := make([]render.Plug, len(short))
	for i, p := range short {
		for _, e := range []*render.PlugEnd{&p.Near, &p.Far} {
			e.Label = "hall-2/row-14/A14/U12/" + strings.Repeat("storage-", 1+i%12) + e.Label
		}
		p.Product = strings.Repeat("fibre-", 9) + p.Product
		long[i] = p
	}
	for _, f := range Formats {
		for _, f.Kind = range []Kind{QR, DataMatrix} {
			for name, some := range map[string][]render.Plug{"short": short, "long": long} {
				pages, err := drawn(t.Context(), some[:min(len(some), 3*f.Columns)], &f)
				if err != nil {
					t.Fatal(err)
				}
				for _, page := range pages {
					for _, fault := range scenetest.Faults(page.Scene, scenetest.Limits{}) {
						t.Errorf("%s, %s: %s", f.Name, name, fault)
					}
				}
				n, err := Shortened(some, &f)
				if err != nil || name == "long" != (n > 0) {
					t.Errorf("%s, %s: %d are shortened, %v", f.Name, name, n, err)
				}
			}
		}
	}
}

// TestLinesOfLabels drops lines in their order where few fit: the product, where the near end is, then the far one.
func TestLinesOfLabels(t *testing.T) {
	p := &render.Plug{
		Cable: "C1", End: "A", Product: "aoc",
		Near: render.PlugEnd{Label: "A03/U12/leaf-12-7"}, Far: render.PlugEnd{Label: "A04/U1/node-1-2"},
	}
	for most, want := range map[int]string{
		6: "C1/A  0 m|A03/U12/|leaf-12-7|> A04/U1/|node-1-2|aoc",
		5: "C1/A  0 m|A03/U12/|leaf-12-7|> A04/U1/|node-1-2",
		4: "C1/A  0 m|leaf-12-7|> A04/U1/|node-1-2",
		3: "C1/A  0 m|leaf-12-7|> A04/U1/node-1-2",
	} {
		var got []string
		for _, l := range words(p, most, func(text string) bool { return len(text) > 12 }) {
			got = append(got, l.text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%d lines: %q", most, got)
		}
	}
}

func TestSameBytes(t *testing.T) {
	all := plugs(t, tree)
	f := &Formats[0]
	write := func() []byte {
		var b bytes.Buffer
		if err := Sheets(t.Context(), &b, "tree", all, f); err != nil {
			t.Fatal(err)
		}
		if err := ZPL(t.Context(), &b, all, f, 203); err != nil {
			t.Fatal(err)
		}
		if err := Table(t.Context(), &b, all); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if !bytes.Equal(write(), write()) {
		t.Error("two runs differ")
	}
}

func TestCommandsInNamesAreText(t *testing.T) {
	p := []render.Plug{{Cable: "^XZ~JA_5E", End: "A", Near: render.PlugEnd{Label: `\&é`}}}
	var b bytes.Buffer
	if err := ZPL(t.Context(), &b, p, &Formats[1], 300); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Count(text, "^XZ") != 1 || !strings.Contains(text, "_5EXZ_7EJA_5F5E/A") ||
		!strings.Contains(text, `_5C&é`) {
		t.Error(text)
	}
}

func TestDataMatrixOfPrinters(t *testing.T) {
	f := Formats[1]
	f.Kind = DataMatrix
	p := []render.Plug{{Cable: "C~1", End: "A"}}
	var b bytes.Buffer
	if err := ZPL(t.Context(), &b, p, &f, 300); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "^BXN,") || !strings.Contains(text, ",200^FH^FDC_7Ed1261/A^FS") {
		t.Error(text)
	}
	p[0].Cable = "é"
	err := Check(p, &f)
	if err == nil || !strings.Contains(err.Error(), "other letters than those of ASCII") {
		t.Error(err)
	}
}

func TestCodesTooFineAreRefused(t *testing.T) {
	p := []render.Plug{{Cable: strings.Repeat("very-long-name-", 8), End: "A"}}
	err := Sheets(t.Context(), &bytes.Buffer{}, "", p, &Formats[0])
	if err == nil || !strings.Contains(err.Error(), "choose a larger format") {
		t.Error(err)
	}
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
				t.Fatal(err)
			}
			t.Skipf("%s is not installed", program)
		}
	}
}
