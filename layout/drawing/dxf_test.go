package drawing

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/plenum-planner/plenum/diag"
)

// dxfOf writes a DXF file whose sections are given as pairs, code:value, divided by blanks.
func dxfOf(header, blocks, entities string) []byte {
	text := "0:SECTION 2:HEADER " + header + " 0:ENDSEC 0:SECTION 2:BLOCKS " + blocks +
		" 0:ENDSEC 0:SECTION 2:ENTITIES " + entities + " 0:ENDSEC 0:EOF"
	var b strings.Builder
	for pair := range strings.FieldsSeq(text) {
		code, value, _ := strings.Cut(pair, ":")
		fmt.Fprintf(&b, "%3s\r\n%s\r\n", code, value)
	}
	return []byte(b.String())
}

const metres = "9:$INSUNITS 70:6"

// readEntities reads entities drawn in metres.
func readEntities(t *testing.T, blocks, entities string) *Drawing {
	t.Helper()
	d, err := Read("test.dxf", dxfOf(metres, blocks, entities), Options{})
	if err != nil {
		t.Fatalf("%.200s: %v", entities, err)
	}
	return d
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-3*max(1, math.Abs(b)) }

// TestEntities reads an entity of every kind, with the area or length that it has and where it lies.
func TestEntities(t *testing.T) {
	square := "0:POLYLINE 8:A 66:1 70:1 0:VERTEX 10:0 20:0 0:VERTEX 10:2 20:0 0:VERTEX 10:2 20:2 0:VERTEX 10:0 " +
		"20:2 0:SEQEND"
	for _, c := range []struct {
		entities     string
		area, length float64
		bound        [4]float64
	}{
		{"0:LINE 8:A 10:1 20:2 11:4 21:6", 0, 5, [4]float64{1, 2, 4, 6}},
		{"0:LWPOLYLINE 8:A 90:3 70:1 10:0 20:0 10:3 20:0 10:3 20:4", 6, 12, [4]float64{0, 0, 3, 4}},
		{"0:LWPOLYLINE 8:A 90:3 70:0 10:0 20:0 10:3 20:0 10:3 20:4", 0, 7, [4]float64{0, 0, 3, 4}},
		{square, 4, 8, [4]float64{0, 0, 2, 2}},
		// A half circle on the right: counter-clockwise is a positive bulge, 1 a half turn.
		{"0:LWPOLYLINE 8:A 90:2 70:1 10:0 20:0 42:1 10:0 20:2", math.Pi / 2, math.Pi + 2, [4]float64{0, 0, 1, 2}},
		{"0:LWPOLYLINE 8:A 90:2 70:1 10:0 20:0 42:-1 10:0 20:2", math.Pi / 2, math.Pi + 2, [4]float64{-1, 0, 0, 2}},
		{"0:CIRCLE 8:A 10:5 20:5 40:2", 4 * math.Pi, 4 * math.Pi, [4]float64{3, 3, 7, 7}},
		{"0:ARC 8:A 10:0 20:0 40:2 50:270 51:90", 0, 2 * math.Pi, [4]float64{0, -2, 2, 2}},
		{
			"0:ELLIPSE 8:A 10:0 20:0 11:0 21:3 40:0.5 41:0 42:6.283185307179586", 4.5 * math.Pi, 14.5327,
			[4]float64{-1.5, -3, 1.5, 3},
		},
		{"0:SOLID 8:A 10:0 20:0 11:2 21:0 12:0 22:1 13:2 23:1", 2, 6, [4]float64{0, 0, 2, 1}},
		{"0:3DFACE 8:A 10:0 20:0 11:2 21:0 12:2 22:1 13:0 23:1", 2, 6, [4]float64{0, 0, 2, 1}},
		{
			"0:HATCH 8:A 10:0 20:0 30:0 91:1 92:3 72:0 73:1 93:3 10:0 20:0 10:4 20:0 10:0 20:3 97:0 75:0 98:1 " +
				"10:9 20:9",
			6, 12,
			[4]float64{0, 0, 4, 3},
		},
		{
			"0:HATCH 8:A 91:1 92:1 93:2 72:1 10:1 20:0 11:-1 21:0 72:2 10:0 20:0 40:1 50:180 51:360 73:1 97:0 75:0",
			math.Pi / 2, math.Pi + 2,
			[4]float64{-1, -1, 1, 0},
		},
		{
			"0:HATCH 8:A 91:1 92:1 93:2 72:1 10:1 20:0 11:-1 21:0 72:2 10:0 20:0 40:1 50:180 51:360 73:0 97:0 75:0",
			math.Pi / 2, math.Pi + 2,
			[4]float64{-1, 0, 1, 1},
		},
		{ // one span of degree 3: the Bézier curve of four points, 0.75 high
			"0:SPLINE 8:A 70:8 71:3 72:8 73:4 40:0 40:0 40:0 40:0 40:1 40:1 40:1 40:1 10:0 20:0 10:0 20:1 10:1 20:1 " +
				"10:1 20:0", 0, 2, [4]float64{0, 0, 1, 0.75},
		},
		{ // a quarter of a circle, rational of degree 2
			"0:SPLINE 8:A 70:12 71:2 40:0 40:0 40:0 40:1 40:1 40:1 41:1 41:0.70710678 41:1 10:2 20:0 10:2 20:2 10:0 " +
				"20:2", 0, math.Pi, [4]float64{0, 0, 2, 2},
		},
		{ // of degree 1, with a knot that counts twice as much of the parameter: a polyline
			"0:SPLINE 8:A 70:8 71:1 40:0 40:0 40:1 40:3 40:3 10:0 20:0 10:3 20:0 10:3 20:4", 0, 7,
			[4]float64{0, 0, 3, 4},
		},
		{"0:SPLINE 8:A 70:8 71:3 74:2 11:1 21:1 11:4 21:5", 0, 5, [4]float64{1, 1, 4, 5}},
		{"0:SPLINE 8:A 70:8 71:3 74:3 11:0 21:0 11:1 21:0 11:2 21:0", 0, 2, [4]float64{0, 0, 2, 0}},
		{ // natural through three points: x = 3 b, y = 6 b - 2 b³ up to the middle
			"0:SPLINE 8:A 70:8 71:3 74:3 11:0 21:0 11:3 21:4 11:6 21:0", 0, 10.3139, [4]float64{0, 0, 6, 4},
		},
		{
			"0:MLINE 8:A 71:1 72:2 73:1 10:0 20:0 11:0 21:0 12:1 22:0 13:0 23:1 74:2 41:0.1 41:0 75:0 11:5 21:0 12:1 " +
				"22:0 13:0 23:1 74:2 41:0.1 41:0 75:0", 0, 5, [4]float64{0, 0.1, 5, 0.1},
		},
		// Seen from below, x runs the other way; a LINE has the drawing's own coordinates.
		{"0:CIRCLE 8:A 10:5 20:5 40:2 210:0 220:0 230:-1", 4 * math.Pi, 4 * math.Pi, [4]float64{-7, 3, -3, 7}},
		{"0:LINE 8:A 10:1 20:2 11:4 21:6 230:-1", 0, 5, [4]float64{1, 2, 4, 6}},
	} {
		d := readEntities(t, "", c.entities)
		if len(d.Shapes) != 1 {
			t.Errorf("%s: %d shapes", c.entities, len(d.Shapes))
			continue
		}
		s := d.Shapes[0]
		b, area := s.Points.Bound(), 0.0
		if s.Closed {
			area = math.Abs(planar.Area(orb.Ring(s.Points)))
		}
		if !near(area, c.area) || !near(planar.Length(s.Points), c.length) || !near(b.Min[0], c.bound[0]) ||
			!near(b.Min[1], c.bound[1]) || !near(b.Max[0], c.bound[2]) || !near(b.Max[1], c.bound[3]) {
			t.Errorf("%s: area %.4f, length %.4f, from %v to %v", c.entities, area, planar.Length(s.Points), b.Min,
				b.Max)
		}
	}
}

// TestMultilines draws the two sides of walls as MLINE has them: mitred at corners, closed, and cut at a door.
func TestMultilines(t *testing.T) {
	// Three corners of a wall 0.2 m thick: along x, then along y. The mitre of the corner points into it, and is as
	// long as sqrt 2 for each metre of thickness.
	vertex := func(x, y, alongX, alongY, mitreX, mitreY, scale float64, cuts string) string {
		return fmt.Sprintf("11:%g 21:%g 12:%g 22:%g 13:%g 23:%g 74:2 41:%g 41:0 75:0 74:%d 41:%g 41:0 %s 75:0 ", x, y,
			alongX, alongY, mitreX, mitreY, 0.1*scale, 2+strings.Count(cuts, "41:"), -0.1*scale, cuts)
	}
	turn, half := math.Sqrt2, math.Sqrt2/2
	open := vertex(0, 0, 1, 0, 0, 1, 1, "") + vertex(4, 0, 0, 1, -half, half, turn, "") +
		vertex(4, 3, 0, 1, -1, 0, 1, "")
	square := vertex(0, 0, 1, 0, half, half, turn, "") + vertex(4, 0, 0, 1, -half, half, turn, "") +
		vertex(4, 4, -1, 0, -half, -half, turn, "") + vertex(0, 4, 0, -1, half, -half, turn, "")
	for _, c := range []struct {
		name, entity string
		want         []string
	}{
		{"open", "71:1 " + open, []string{"0.0 0.1, 3.9 0.1, 3.9 3.0", "0.0 -0.1, 4.1 -0.1, 4.1 3.0"}},
		{
			"closed", "71:3 " + square,
			[]string{
				"0.1 0.1, 3.9 0.1, 3.9 3.9, 0.1 3.9, 0.1 0.1", "-0.1 -0.1, 4.1 -0.1, 4.1 4.1, -0.1 4.1, -0.1 -0.1",
			},
		},
		{
			"cut", "71:1 " + vertex(0, 0, 1, 0, 0, 1, 1, "41:1.0 41:2.0 ") + vertex(4, 0, 1, 0, 0, 1, 1, ""),
			[]string{"0.0 0.1, 4.0 0.1", "0.0 -0.1, 1.0 -0.1", "2.0 -0.1, 4.0 -0.1"},
		},
	} {
		d := readEntities(t, "", "0:MLINE 8:A "+c.entity)
		var got []string
		for _, s := range d.Shapes {
			var points []string
			for _, p := range s.Points {
				points = append(points, fmt.Sprintf("%.1f %.1f", p[0], p[1]))
			}
			got = append(got, strings.Join(points, ", "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestWallsOfCurves lays out a floor whose walls are an MLINE with a door cut into it and a SPLINE, a quarter of a
// circle of 3 m, as an R2000 file has them.
func TestWallsOfCurves(t *testing.T) {
	d, err := Open("testdata/walls.dxf", Options{})
	if err != nil {
		t.Fatal(err)
	}
	floor, err := d.Lay(Placing{}, Roles{Outline: {"FLOOR"}, Walls: {"A-WALL"}})
	if err != nil {
		t.Fatal(err)
	}
	curved, straight, length := 0, 0.0, 0.0
	for _, w := range floor.Walls {
		b := w.Ring.Bound()
		if w.From.Kind == "SPLINE" {
			curved++
			length += planar.Length(orb.LineString(w.Ring)) / 2
			if far := math.Hypot(center(b)[0], center(b)[1]); math.Abs(far-3) > 0.005 {
				t.Errorf("a piece of the arc is %.3f m from its centre", far)
			}
			continue
		}
		straight += max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1])
		if b.Min[0] > 10.01 && b.Max[0] < 10.99 && b.Min[1] < 5.2 {
			t.Errorf("a wall in the door: %v", b)
		}
	}
	// Two sides of 2.9 + 2.9 m and 3.1 + 3.1 m without 1 m each; the arc is 3/2 pi.
	if math.Abs(straight-10) > 0.05 || curved < 20 || math.Abs(length-1.5*math.Pi) > 0.1 {
		t.Errorf("%.2f m of straight walls, %d pieces of the arc with %.2f m", straight, curved, length)
	}
}

// TestInserts draws blocks where inserts put them: scaled, turned, mirrored, in rows and columns, one in another.
func TestInserts(t *testing.T) {
	// A unit square beside its base point, on layer 0, and a point-sized mark on a layer of its own.
	blocks := "0:BLOCK 8:0 2:SQ 10:1 20:0 0:LWPOLYLINE 8:0 90:4 70:1 10:1 20:0 10:2 20:0 10:2 20:1 10:1 20:1 " +
		"0:LINE 8:MARK 10:1 20:0 11:2 21:1 0:ENDBLK 8:0 " +
		"0:BLOCK 8:0 2:TWO 10:0 20:0 0:INSERT 8:0 2:sq 10:0 20:0 0:INSERT 8:IN 2:SQ 10:5 20:0 0:ENDBLK"
	for _, c := range []struct {
		insert string
		layers string
		bounds [][4]float64 // of the squares
	}{
		{"0:INSERT 8:A 2:SQ 10:10 20:20", "A MARK", [][4]float64{{10, 20, 11, 21}}},
		{"0:INSERT 8:A 2:SQ 10:10 20:20 41:2 42:3", "A MARK", [][4]float64{{10, 20, 12, 23}}},
		{"0:INSERT 8:A 2:SQ 10:10 20:20 50:90", "A MARK", [][4]float64{{9, 20, 10, 21}}},
		{"0:INSERT 8:A 2:SQ 10:10 20:20 41:-1 42:1", "A MARK", [][4]float64{{9, 20, 10, 21}}},
		{"0:INSERT 8:A 2:SQ 10:10 20:20 230:-1", "A MARK", [][4]float64{{-11, 20, -10, 21}}},
		{
			"0:INSERT 8:A 2:SQ 10:0 20:0 70:2 71:2 44:3 45:4", "A MARK",
			[][4]float64{{0, 0, 1, 1}, {3, 0, 4, 1}, {0, 4, 1, 5}, {3, 4, 4, 5}},
		},
		{"0:INSERT 8:A 2:TWO 10:0 20:0 50:180", "A IN MARK", [][4]float64{{-1, -1, 0, 0}, {-6, -1, -5, 0}}},
	} {
		d := readEntities(t, blocks, c.insert)
		var got [][4]float64
		for _, s := range d.Shapes {
			if s.Closed {
				b := s.Points.Bound()
				got = append(got, [4]float64{b.Min[0], b.Min[1], b.Max[0], b.Max[1]})
			}
		}
		names := map[string]bool{}
		for _, l := range d.Layers {
			if l.Shapes > 0 {
				names[l.Name] = true
			}
		}
		for name := range strings.FieldsSeq(c.layers) {
			if !names[name] {
				t.Errorf("%s: nothing on layer %s: %v", c.insert, name, names)
			}
		}
		if fmt.Sprintf("%.6v", got) != fmt.Sprintf("%.6v", c.bounds) {
			t.Errorf("%s: squares at %v, not %v", c.insert, got, c.bounds)
		}
	}
}

// TestLeftOut leaves out what is on paper, invisible or quiet, and counts what it cannot read.
func TestLeftOut(t *testing.T) {
	d := readEntities(t, "", "0:LINE 8:A 67:1 10:0 20:0 11:1 21:1 0:LINE 8:A 60:1 10:0 20:0 11:1 21:1 "+
		"0:DIMENSION 8:A 10:0 20:0 0:SPLINE 8:B 10:0 20:0 0:SPLINE 8:B 10:1 20:0 0:BODY 8:B 0:POLYLINE 8:B "+
		"70:64 0:VERTEX "+
		"10:0 20:0 0:SEQEND 0:CIRCLE 8:B 40:1 210:1 230:0 0:LINE 8:C 10:3 20:3 11:3 21:3 0:TEXT 8:T 10:1 20:2 "+
		"40:0.5 1:Hall")
	if len(d.Shapes) != 0 || len(d.Texts) != 1 || d.Texts[0].Text != "Hall" {
		t.Errorf("shapes %v, texts %v", d.Shapes, d.Texts)
	}
	if got := describeCounts(d.Layers[0].Unread); d.Layers[0].Name != "B" ||
		got != "1 BODY, 1 CIRCLE, 1 POLYLINE and 2 SPLINE" {
		t.Errorf("layer %s: %s", d.Layers[0].Name, got)
	}
}

// TestWordsInDXF decodes layers and texts of files before and after AutoCAD 2007.
func TestWordsInDXF(t *testing.T) {
	for text, want := range map[string]string{
		"St\xfctzen": "Stützen", "Stützen": "Stützen", `St\U+00FCtzen`: "Stützen", ` A-COLS `: "A-COLS",
		`\U+00F`: `\U+00F`,
	} {
		if got := decodeText(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		`{\fArial|b0|i0;HALL}\P12`: "HALL 12", `\H2.5x;a\\b\{c\}`: `a\b{c}`, `\LRoom\l`: "Room",
	} {
		if got := plain(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}

// TestBrokenDXF tells what is wrong, and where.
func TestBrokenDXF(t *testing.T) {
	long := strings.Repeat("0:INSERT 8:A 2:%s 10:0 20:0 ", 100)
	bomb := "0:BLOCK 2:B0 0:LINE 8:0 10:0 20:0 11:1 21:1 0:ENDBLK"
	for i := range 8 {
		bomb += fmt.Sprintf(" 0:BLOCK 2:B%d %s 0:ENDBLK", i+1, strings.ReplaceAll(long, "%s", fmt.Sprint("B", i)))
	}
	empty := strings.ReplaceAll(bomb, "0:LINE 8:0 10:0 20:0 11:1 21:1", "")
	var deep strings.Builder
	for i := range 100 {
		fmt.Fprintf(&deep, "0:BLOCK 2:D%d 0:INSERT 2:D%d 0:ENDBLK ", i, i+1)
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{
			"binary", []byte("AutoCAD Binary DXF\r\n\x1a\x00"),
			"binary DXF files are not read; save the drawing as DXF in ASCII",
		},
		{"dwg", []byte("AC1032\x00\x00"), "this is a DWG file"},
		{"empty", nil, "the file ends before its end mark (EOF)"},
		{"no groups", []byte("hello\nworld\n"), `:1: "hello" is not a group code`},
		{"cut off", dxfOf("", "", "0:LINE 8:A 10:0 20:0 11:1 21:1")[:150], "ends before its end mark"},
		{
			"no number", dxfOf(metres, "", "0:LINE 8:A 10:zero 20:0 11:NaN 21:1e300"),
			`:26: LINE: "zero" is not a coordinate`,
		},
		{"two more", dxfOf(metres, "", "0:LINE 8:A 10:zero 20:0 11:NaN 21:1e300"), `:32: LINE: "1e300" is not`},
		{
			"no block", dxfOf(metres, "0:BLOCK 2:COLUMN 0:ENDBLK", "0:INSERT 8:A 2:COLUMM"),
			`the file has no block "COLUMM"; did you mean "column"?`,
		},
		{
			"itself", dxfOf(metres, "0:BLOCK 2:A 0:INSERT 2:B 0:ENDBLK 0:BLOCK 2:B 0:INSERT 2:A 0:ENDBLK",
				"0:INSERT 2:A"),
			`block "A" contains itself`,
		},
		{"bomb", dxfOf(metres, bomb, "0:INSERT 2:B8"), "the drawing has more than 400000 shapes"},
		{"empty bomb", dxfOf(metres, empty, "0:INSERT 2:B8"), "blocks repeat more than 2000000 entities"},
		{
			"rows", dxfOf(metres, "0:BLOCK 2:A 0:ENDBLK", "0:INSERT 2:A 70:32767 71:32767"),
			"is repeated 32767 x 32767 times",
		},
		{"deep", dxfOf(metres, deep.String(), "0:INSERT 2:D0"), "blocks are nested more than 32 deep"},
		{
			"far", dxfOf(metres, "", "0:LINE 8:A 10:0 20:0 11:9e14 21:1"),
			"the LINE at line 21 lies 9e+14 m from the origin",
		},
		{"far by scale", dxfOf(metres,
			"0:BLOCK 2:A 0:INSERT 2:B 41:1e15 42:1e15 0:ENDBLK 0:BLOCK 2:B 0:LINE 10:1e15 11:5 "+
				"0:ENDBLK", "0:INSERT 2:A 41:1e15"), "m from the origin"},
		{
			"no unit", dxfOf("", "", "0:LINE 8:A 10:0 20:0 11:24000 21:18000"),
			"unit: the file does not say in which unit it is drawn ($INSUNITS); it is 24,000 by 18,000 of them; " +
				"give the unit of its coordinates: probably mm (24 m by 18 m) or cm (240 m by 180 m)",
		},
	} {
		_, err := Read("test.dxf", c.data, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; not %q", c.name, err, c.want)
		}
	}
	for name, want := range map[string]string{
		"hall.dwg": "DWG files are not read; save the drawing as DXF", "hall.pdf": `not ".pdf"`,
	} {
		if _, err := Read(name, nil, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnits(t *testing.T) {
	data := dxfOf("9:$ACADVER 1:AC1015 9:$INSUNITS 70:1", "", "0:LINE 8:A 10:0 20:0 11:100 21:0")
	for unit, want := range map[string]float64{"": 2.54, "mm": 0.1, "ft": 30.48, "us-ft": 30.480061} {
		d, err := Read("test.dxf", data, Options{Unit: unit})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Bound().Max[0]; math.Abs(got-want) > 1e-5 || d.Stated.Name != "in" {
			t.Errorf("%q: %v m, not %v", unit, got, want)
		}
	}
	_, err := Read("test.dxf", data, Options{Unit: "inch"})
	if f := diag.Fields(err); len(f) != 1 || f[0].Path != "unit" {
		t.Error(err)
	}
}

// FuzzDXF reads any bytes, and lays out a floor on what it read.
func FuzzDXF(f *testing.F) {
	hall, err := os.ReadFile("../../examples/hall/hall.dxf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(hall)
	f.Add(dxfOf(metres, "0:BLOCK 2:A 0:INSERT 2:A 0:ENDBLK", "0:INSERT 2:A"))
	f.Add(dxfOf(metres, "",
		"0:HATCH 8:A 91:1 92:1 93:2 72:1 10:1 20:0 11:-1 21:0 72:2 10:0 20:0 40:1 50:180 51:360 73:0"))
	f.Add(dxfOf(metres, "", "0:LWPOLYLINE 8:A-WALL 70:1 10:0 20:0 42:1e9 10:9 20:0 42:-3 10:5 20:9"))
	f.Add(dxfOf(metres, "", "0:SPLINE 8:A-WALL 71:2 40:0 40:0 40:0 40:1 40:1 40:1 41:1 41:0.7 41:1 10:2 20:0 10:2 "+
		"20:2 10:0 20:2 0:SPLINE 8:A-WALL 71:3 11:0 21:0 11:3 21:4 11:6 21:0"))
	f.Add(dxfOf(metres, "", "0:MLINE 8:A-WALL 71:3 11:0 21:0 12:1 22:0 13:-1 23:1 74:4 41:0.1 41:0 41:1 41:2 11:5 "+
		"21:0 12:0 22:1 13:-1 23:-1 74:2 41:0.1 41:0 11:5 21:4 74:1 41:0.1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Read("fuzz.dxf", data, Options{Unit: "m"})
		if err != nil {
			return
		}
		layAll(t, d)
	})
}

// layAll lays out a drawing with its first layers in all roles, and checks what every floor keeps to.
func layAll(t *testing.T, d *Drawing) {
	for _, s := range d.Shapes {
		for _, p := range s.Points {
			if !(math.Abs(p[0]) <= maxMetres && math.Abs(p[1]) <= maxMetres) {
				t.Fatalf("a point at %v", p)
			}
		}
	}
	roles := Roles{}
	for i, l := range d.Layers {
		if l.Name != "" && !strings.ContainsAny(l.Name, "*?") {
			role := AllRoles[i%len(AllRoles)]
			roles[role] = append(roles[role], l.Name)
		}
	}
	floor, err := d.Lay(Placing{Rotate: 30}, roles)
	if err != nil {
		return
	}
	room := orb.Bound{Max: orb.Point{floor.Width, floor.Depth}}.Pad(1e-6)
	for _, areas := range [][]Area{floor.Beyond, floor.Columns, floor.KeepOuts} {
		for _, a := range areas {
			if b := a.Ring.Bound(); floor.Edge != nil && (!room.Contains(b.Min) || !room.Contains(b.Max)) {
				t.Fatalf("%v reaches out of the room of %v by %v", a, floor.Width, floor.Depth)
			}
		}
	}
}
