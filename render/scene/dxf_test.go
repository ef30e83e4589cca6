package scene

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pairs reads a DXF into lines "code value", one for each entity: a new one begins with every code 0.
func pairs(t *testing.T, data string) []string {
	t.Helper()
	if data == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(data, "\n"), "\n")
	var out []string
	for i := 0; i+1 < len(lines); i += 2 {
		pair := strings.TrimSpace(lines[i]) + " " + lines[i+1]
		if kind, begins := strings.CutPrefix(pair, "0 "); begins || len(out) == 0 {
			out = append(out, kind)
		} else {
			out[len(out)-1] += ", " + pair
		}
	}
	if len(lines)%2 != 0 {
		t.Errorf("%d lines", len(lines))
	}
	return out
}

// entities writes marks on a floor of 10 units to a metre that begins at 100, 200, and reads what comes after all
// blocks.
func entities(t *testing.T, marks ...Mark) []string {
	t.Helper()
	var b bytes.Buffer
	s := &Scene{W: 300, H: 250, Scale: 10, X: 100, Y: 200, Marks: marks}
	if err := DXF(&b, s, []DXFLayer{{"racks", 5}, {"trays", 3}}); err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(b.String(), "  2\nENTITIES\n")
	return pairs(t, strings.TrimSuffix(after, "  0\nENDSEC\n  0\nEOF\n"))
}

func TestDXFOfMarks(t *testing.T) {
	polyline := func(rest string, vertices ...string) []string {
		out := []string{"POLYLINE, 8 trays, 66 1, 10 0.0, 20 0.0, 30 0.0, 70 " + rest}
		for _, v := range vertices {
			x, y, _ := strings.Cut(v, " ")
			out = append(out, fmt.Sprintf("VERTEX, 8 trays, 10 %s, 20 %s, 30 0.0", x, y))
		}
		return append(out, "SEQEND, 8 trays")
	}
	pale := color.NRGBA{0xff, 0xff, 0xff, 0xff}
	for name, c := range map[string]struct {
		mark Mark
		want []string
	}{
		"area": {
			Fill{Box: Box{100, 180, 106, 200}, Color: red},
			polyline("1", "0.0 0.0", "0.6 0.0", "0.6 2.0", "0.0 2.0"),
		},
		"white": {Fill{Box: Box{100, 180, 106, 200}, Color: pale}, nil},
		"bar along x": {
			Fill{Box: Box{100, 198, 150, 202}, Color: red, Bar: true},
			polyline("0, 40 0.4, 41 0.4", "0.0 0.0", "5.0 0.0"),
		},
		"bar along y": {
			Fill{Box: Box{98, 150, 102, 200}, Color: red, Bar: true},
			polyline("0, 40 0.4, 41 0.4", "0.0 5.0", "0.0 0.0"),
		},
		"frame": {
			Frame{Box{100, 180, 120, 200}, 2, red},
			polyline("1, 40 0.2, 41 0.2", "0.1 0.1", "1.9 0.1", "1.9 1.9", "0.1 1.9"),
		},
		"line": {
			Path{Lines: [][][2]float64{{{100, 200}, {90, 210}}}, Color: red},
			polyline("0", "0.0 0.0", "-1.0 -1.0"),
		},
		"polygon": {
			Path{Lines: [][][2]float64{{{100, 200}, {110, 200}, {110, 190}, {100, 200}}}, Filled: true, Color: red},
			polyline("1", "0.0 0.0", "1.0 0.0", "1.0 1.0"),
		},
		"white ground": {
			Path{Lines: [][][2]float64{{{100, 200}, {110, 200}, {110, 190}}}, Filled: true, Color: pale},
			nil,
		},
		"hatch": {
			Hatch{[][2]float64{{100, 200}, {110, 200}, {110, 190}}, 8, red},
			polyline("1", "0.0 0.0", "1.0 0.0", "1.0 1.0"),
		},
		"circle": {Circle{110, 190, 5, 0, red}, []string{"CIRCLE, 8 trays, 10 1.0, 20 1.0, 30 0.0, 40 0.5"}},
		"text": {Text{Text: "Größe ^ %%u 𝔸\n2", X: 110, Y: 190, Align: 0.5, Size: 10, Color: red}, []string{
			`TEXT, 8 trays, 10 1.0, 20 1.0, 30 0.0, 40 0.72, 1 Gr\U+00F6\U+00DFe ^  %%%%%%u <1D538> 2, ` +
				`41 0.8, 7 STANDARD, 72 1, 11 1.0, 21 1.0, 31 0.0`,
		}},
	} {
		got := entities(t, Layer("trays"), c.mark, Layer("not written"), c.mark)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Things of one kind and size are inserts of one block; details inside them are left out.
func TestDXFOfBlocks(t *testing.T) {
	s := &Scene{Name: "a room", W: 300, H: 250, Scale: 10, X: 100, Y: 200, Marks: []Mark{
		Layer("racks"),
		Fill{Box: Box{100, 180, 106, 200}, Color: red, Name: "A01", About: "full", Block: "a rack", Turned: true},
		Frame{Box{100, 180, 106, 200}, 1, red},
		Fill{Box: Box{100, 180, 106, 181}, Color: grey},
		Fill{Box: Box{106, 180, 112, 200}, Color: red, Name: "A02", Block: "a rack"},
		Fill{Box: Box{112, 180, 120, 200}, Color: red, Name: "A03", Block: "A RACK"},
	}}
	var b bytes.Buffer
	if err := DXF(&b, s, []DXFLayer{{"racks", 5}}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range pairs(t, b.String()) {
		for _, kind := range []string{"INSERT", "BLOCK", "ATTRIB", "POLYLINE"} {
			if strings.HasPrefix(e, kind+",") {
				got = append(got, e)
			}
		}
	}
	want := []string{
		"BLOCK, 8 0, 2 A_RACK, 70 2, 10 0.0, 20 0.0, 30 0.0, 3 A_RACK",
		"BLOCK, 8 0, 2 A_RACK_2, 70 2, 10 0.0, 20 0.0, 30 0.0, 3 A_RACK_2",
		"INSERT, 8 racks, 66 1, 2 A_RACK, 10 0.3, 20 1.0, 30 0.0, 50 180.0",
		"ATTRIB, 8 racks, 10 0.0, 20 0.0, 30 0.0, 40 0.2, 1 A01, 2 NAME, 70 1",
		"ATTRIB, 8 racks, 10 0.0, 20 0.0, 30 0.0, 40 0.2, 1 full, 2 ABOUT, 70 1",
		"INSERT, 8 racks, 66 1, 2 A_RACK, 10 0.9, 20 1.0, 30 0.0, 50 0.0",
		"ATTRIB, 8 racks, 10 0.6, 20 0.0, 30 0.0, 40 0.2, 1 A02, 2 NAME, 70 1",
		"ATTRIB, 8 racks, 10 0.6, 20 0.0, 30 0.0, 40 0.2, 1 , 2 ABOUT, 70 1",
		"INSERT, 8 racks, 66 1, 2 A_RACK_2, 10 1.6, 20 1.0, 30 0.0, 50 0.0",
		"ATTRIB, 8 racks, 10 1.2, 20 0.0, 30 0.0, 40 0.2, 1 A03, 2 NAME, 70 1",
		"ATTRIB, 8 racks, 10 1.2, 20 0.0, 30 0.0, 40 0.2, 1 , 2 ABOUT, 70 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Texts that are turned stand where they are seen, at their angle; what is after a group is not turned.
func TestDXFOfTurnedTexts(t *testing.T) {
	text := Text{Text: "up", X: 120, Y: 200, Size: 10, Color: red}
	got := entities(t, Layer("trays"), Clip{}, Turn{Angle: -math.Pi / 2, X: 110, Y: 200}, text, End{}, text, End{},
		Picture{})
	want := []string{
		"TEXT, 8 trays, 10 1.0, 20 1.0, 30 0.0, 40 0.72, 1 up, 41 0.8, 7 STANDARD, 50 90.0",
		"TEXT, 8 trays, 10 2.0, 20 0.0, 30 0.0, 40 0.72, 1 up, 41 0.8, 7 STANDARD",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDXFRefuses(t *testing.T) {
	layers := []DXFLayer{{"racks", 5}}
	for name, s := range map[string]*Scene{
		"no scale": {Marks: []Mark{Layer("racks")}},
	} {
		if err := DXF(io.Discard, s, layers); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := DXF(io.Discard, &Scene{Scale: 1, Marks: []Mark{Layer("other"), Clip{}, End{}}}, layers); err != nil {
		t.Error(err)
	}
}
