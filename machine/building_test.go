package machine_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// beside writes a machine file beside the drawing of the examples.
func beside(t *testing.T, text string) string {
	t.Helper()
	hall, err := os.ReadFile("../examples/hall/hall.dxf")
	if err != nil {
		t.Fatal(err)
	}
	return write(t, "m.yaml", "topology: {family: fat-tree, nodes: 64, radix: 32}\n"+text, "hall.dxf", string(hall))
}

const inHall = `room:
  drawing:
    file: hall.dxf
    layers: {walls: [A-WALL*], columns: [S-COLS], keep_outs: [M-CRAC], doors: [A-DOOR]}
`

// hallObstacles are what the drawing of the examples has in the room, by hand: columns as boxes, the store and the
// notch.
func hallObstacles() (columns, walls []orb.Bound) {
	for i := 1; i <= 4; i++ {
		for j := 1; j <= 3; j++ {
			x, y, half := 6*float64(i), 5*float64(j), 0.2
			switch {
			case i == 4 && j == 3:
				continue // beyond the walls
			case i == 2 && j == 2:
				half = 0.25 / math.Sqrt2 // a box in the round column
			}
			columns = append(columns, orb.Bound{Min: orb.Point{x - half, y - half}, Max: orb.Point{x + half, y + half}})
		}
	}
	columns[7] = orb.Bound{Min: orb.Point{18 - 0.14, 9.86}, Max: orb.Point{18.14, 10.14}} // in the one that is turned
	walls = []orb.Bound{
		{Min: orb.Point{22, 14}, Max: orb.Point{30, 20}},
		{Min: orb.Point{0, 16.4999}, Max: orb.Point{4, 16.5001}},
		{Min: orb.Point{3.9999, 16.5}, Max: orb.Point{4.0001, 18.6}},
	}
	return columns, walls
}

// TestDrawingThatGDALConverted plans in a hall as GDAL, a reader of maps, writes its DXF as GeoJSON: nothing stands
// elsewhere.
func TestDrawingThatGDALConverted(t *testing.T) {
	if _, err := exec.LookPath("ogr2ogr"); err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip("no ogr2ogr, which converts the drawing")
	}
	path := beside(t, inHall)
	dir := filepath.Dir(path)
	from, to := filepath.Join(dir, "hall.dxf"), filepath.Join(dir, "hall.geojson")
	said, err := exec.Command("ogr2ogr", "-f", "GeoJSON", to, from).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	converted := filepath.Join(dir, "converted.yaml")
	named := strings.Replace(string(text), "file: hall.dxf", "file: hall.geojson\n    property: Layer\n    unit: mm", 1)
	if err := os.WriteFile(converted, []byte(named), 0o600); err != nil {
		t.Fatal(err)
	}
	var rooms [2]*machine.Result
	for i, path := range []string{path, converted} {
		s, err := machine.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if rooms[i], err = machine.Plan(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	a, b := rooms[0].Room(), rooms[1].Room()
	if !slices.Equal(a.Places, b.Places) || len(a.KeepOuts) != len(b.KeepOuts) {
		t.Errorf("%d places and %d keep-outs, want %d and %d", len(b.Places), len(b.KeepOuts), len(a.Places),
			len(a.KeepOuts))
	}
	if !slices.Equal(rooms[0].Placement.Slot, rooms[1].Placement.Slot) {
		t.Error("boxes stand elsewhere")
	}
}

// TestRacksAndTraysInADrawnHall: racks stand clear of what the drawing shows, and trays cross no column and no wall.
func TestRacksAndTraysInADrawnHall(t *testing.T) {
	r, err := planFile(t, "../examples/hall/hall.yaml")
	if err != nil {
		t.Fatal(err)
	}
	room := r.Room()
	if room.Spec.Width != 30 || room.Spec.Depth != 20 || r.Drawing == nil {
		t.Errorf("a room of %v by %v", room.Spec.Width, room.Spec.Depth)
	}
	columns, walls := hallObstacles()
	meet := func(a, b orb.Bound) bool {
		return a.Max[0] > b.Min[0] && b.Max[0] > a.Min[0] && a.Max[1] > b.Min[1] && b.Max[1] > a.Min[1]
	}
	for i, p := range room.Places {
		floor := p.Footprint(room.Spec.Rack)
		for _, c := range columns {
			if meet(floor, c) {
				t.Errorf("%s stands in the column at %v", room.Name(i), c.Min)
			}
		}
		for _, w := range walls {
			if meet(floor, w.Pad(float64(room.Spec.Margin)-1e-3)) {
				t.Errorf("%s stands less than %v from the wall at %v", room.Name(i), room.Spec.Margin, w.Min)
			}
		}
	}
	pieces := 0
	for n := range int32(room.Trays.Pieces()) {
		if p := room.Trays.Piece(n); room.Trays.IsLaid(n) && p.Name != "path" {
			pieces++
			line := orb.MultiPoint{
				layout.FloorPoint(p.From.X, p.From.Y), layout.FloorPoint(p.To.X, p.To.Y),
			}.Bound().Pad(1e-6)
			for _, o := range append(columns, walls...) {
				if meet(line, o) {
					t.Errorf("piece %d from %v to %v crosses what is at %v", n, p.From, p.To, o.Min)
				}
			}
		}
	}
	if pieces < 100 {
		t.Errorf("%d pieces of tray", pieces)
	}
	if in := r.Inputs(); len(in) != 1 || in[0].Copy != "inputs/hall.dxf" {
		t.Errorf("inputs %v", in)
	}
	lost := r.Report().Floor.Lost
	if n := len(lost.Layers); n != 4 || lost.Layers[1].Layer != "S-COLS" || lost.Layers[1].To != "columns" ||
		lost.Layers[1].Positions != lost.Columns || lost.Walls != lost.Layers[2].Positions+lost.Layers[3].Positions {
		t.Errorf("lost: %+v", lost)
	}
}

// TestBudgetNamesLayers: a machine that finds no place in a drawn room gets a message with what its layers take.
func TestBudgetNamesLayers(t *testing.T) {
	_, err := planFile(t, write(t, "m.yaml", strings.Replace(`
topology: {family: fat-tree, nodes: 3000, radix: 64, tiers: 3}
packaging: {node: {part: nvidia-dgx-h100, per_rack: 4}}
`+inHall, "hall.dxf", absolute(t, "../examples/hall/hall.dxf"), 1)))
	if err == nil || !regexp.MustCompile(`\d+ lost to the floor before doors \(\d+ on layer A-DOOR\), `+
		`\d+ lost to columns \(\d+ on layer S-COLS\), `+
		`\d+ lost to walls \(\d+ on layer A-WALL, \d+ on layer A-WALL-PRTN\)`).
		MatchString(err.Error()) {
		t.Error(err)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMistakesAboutADrawing have their line.
func TestMistakesAboutADrawing(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{strings.Replace(inHall, "S-COLS", "S-COL", 1), `5:42: room.drawing.layers.columns[0]: `},
		{strings.Replace(inHall, "S-COLS", "S-COL", 1), `did you mean "S-COLS"?`},
		{strings.Replace(inHall, "hall.dxf", "hall.dxf\n    unit: inch", 1), `5:11: room.drawing.unit: `},
		{
			strings.Replace(inHall, "hall.dxf", "hall.dxf\n    unit: m", 1),
			"room.drawing.unit: the outline on layer A-WALL is " +
				"30,600 m by 20,600 m with coordinates in m: no room is",
		},
		{strings.Replace(inHall, "hall.dxf", "hall.dxf\n    unit: m", 1), "probably mm (30.6 m by 20.6 m)"},
		{
			strings.Replace(inHall, "hall.dxf", "hall.dxf\n    origin: [1, 2]", 1),
			"room.drawing.origin: cannot be combined " +
				"with room.drawing.layers.walls",
		},
		{strings.Replace(inHall, "hall.dxf", "none.dxf", 1), "room.drawing.file: open"},
		{strings.Replace(inHall, "hall.dxf", "m.yaml", 1), `a drawing is a .dxf, .geojson or .png file, not ".yaml"`},
		{inHall + "  halls: [{name: a, rows: 2}]\n", "room.halls: cannot be combined with room.drawing.layers.walls"},
		{
			inHall + "  columns: [{x: 40 m, y: 3 m, width: 0.5 m, depth: 0.5 m}]\n",
			"room.columns[0]: the column is outside the " +
				"room of 30 m x 20 m",
		},
		{
			inHall + "  doors: [{wall: north, at: 31 m, width: 1 m}]\n",
			"room.doors[0].at: the door ends 32 m along a wall of 30 m",
		},
		{inHall + "  rows: 40\n", "room.rows: 40 rows with their aisles"},
		{
			"room:\n  width: 30 m\n  depth: 20 m\n  drawing: {file: hall.dxf, layers: {columns: [S-COLS]}}\n",
			"all that is drawn " +
				"on S-COLS lies outside the room of 30 m by 20 m",
		},
		{
			"room:\n  width: 30 m\n  drawing: {file: hall.dxf, layers: {outline: [A-WALL]}}\n",
			"room.width: cannot be combined " +
				"with room.drawing.layers.outline",
		},
		{
			"room: {drawing: {file: hall.png, pixel: 10 mm, layers: {walls: [x]}}}\n",
			"room.drawing.layers.walls: a picture has " +
				"no layers",
		},
		{"room: {drawing: {file: hall.dxf, pixel: 10 mm}}\n", "room.drawing.pixel: a DXF file has no pixels"},
		{"room: {drawing: {file: hall.dxf, origin: [1]}}\n", "room.drawing.origin: a point has two coordinates, not 1"},
		{"room: {drawing: {unit: mm}}\n", "file"},
		{
			"room: {containers: [{name: a, count: [9, 9, 9]}], drawing: {file: hall.dxf}}\n",
			"room.drawing: cannot be combined " +
				"with room.containers",
		},
	} {
		_, err := machine.Load(beside(t, c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%v\nnot %q", c.text, err, c.want)
		}
	}
}

// TestDrawingInAGivenRoom has layers without an outline count from the origin that is given.
func TestDrawingInAGivenRoom(t *testing.T) {
	r, err := planFile(t, beside(t, `room:
  width: 12 m
  depth: 9 m
  drawing:
    {file: hall.dxf, origin: [121000, 49000], unit: mm, layers: {columns: ["*col*"], walls: [a-wall-prtn, A-WALL]}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var columns int
	for _, k := range r.Room().KeepOuts {
		if k.Why == layout.Column {
			columns++
		}
	}
	if columns != 4 || r.Room().Spec.Width != 12 {
		t.Errorf("%d columns in a room of %v", columns, r.Room().Spec.Width)
	}
}

// TestNotesOfADrawing say what a plan does not take from a drawing as it is.
func TestNotesOfADrawing(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"room: {drawing: {file: hall.dxf}}\n", "nothing of hall.dxf lies where the room is"},
		{"room: {drawing: {file: hall.dxf, origin: [120000, 48000]}}\n", ""},
		{
			strings.Replace(inHall, "hall.dxf", "hall.dxf\n    unit: cm", 1),
			"hall.dxf says that it is drawn in mm ($INSUNITS), " +
				"and is read in cm",
		},
		{strings.Replace(inHall, "hall.dxf", "hall.dxf\n    rotate: 7.5", 1), "runs 7.5 degrees off the rows: " +
			"room.drawing.rotate: 0 lays it along them"},
	} {
		r, err := planFile(t, beside(t, c.text))
		if err != nil {
			t.Errorf("%s%v", c.text, err)
			continue
		}
		notes := strings.Join(r.Notes, "\n")
		if c.want == "" && strings.Contains(notes, "hall.dxf") || !strings.Contains(notes, c.want) {
			t.Errorf("%s%q\nnot %q", c.text, notes, c.want)
		}
	}
}

// TestPlanKeepsItsDrawing has a saved plan find the drawing among its own files.
func TestPlanKeepsItsDrawing(t *testing.T) {
	r, err := planFile(t, beside(t, inHall))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in := r.Inputs()[0]
	text, err := json.Marshal(map[string]any{"spec": r.Spec})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := os.ReadFile(in.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "inputs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"plan.json": text, in.Copy: drawn} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(in.Path); err != nil {
		t.Fatal(err)
	}
	s, err := machine.LoadPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "inputs", "hall.dxf"); s.Room.Drawing.File != want {
		t.Errorf("the drawing is %s, not %s", s.Room.Drawing.File, want)
	}
}
