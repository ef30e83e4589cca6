package drawing

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
)

// TestHall finds what the drawing of the examples shows: an L-shaped floor of 30 m by 20 m with a notch of 8 m by 6 m,
// a store walled off in a corner, columns every 6 m by 5 m, cooling units and doors, all in blocks.
func TestHall(t *testing.T) {
	d, err := Open("../../examples/hall/hall.dxf", Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Lay(Placing{}, Roles{
		Walls: {"a-wall*"}, Columns: {"S-COLS"}, KeepOuts: {"M-CRA?"}, Doors: {"*DOOR"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.Width != 30 || f.Depth != 20 || len(f.Beyond) != 1 || !near(planar.Area(f.Beyond[0].Ring), 48) {
		t.Errorf("%v by %v, beyond %v", f.Width, f.Depth, f.Beyond)
	}
	if len(f.Walls) != 3 || f.Walls[0].Outer || f.Walls[0].Layer != "A-WALL-PRTN" {
		t.Errorf("walls %v", f.Walls)
	}
	if len(f.Columns) != 11 || len(f.KeepOuts) != 3 || len(f.Doors) != 3 || f.Notes != nil {
		t.Fatalf("%d columns, %d keep-outs, %d doors, %q", len(f.Columns), len(f.KeepOuts), len(f.Doors), f.Notes)
	}
	for i, want := range []string{
		"[2 0] [4.2 0] 2.2", "[30 6] [30 7.1] 1.1", "none",
	} {
		got := "none"
		if o := f.Doors[i].Opening; o != nil {
			got = fmt.Sprintf("%.4v %.4v %.4v", o[0], o[1], f.Doors[i].Clear)
		}
		if got != want {
			t.Errorf("door %d is %s, not %s", i, got, want)
		}
	}
	area := 0.0
	for _, c := range f.Columns {
		area += planar.Area(c.Ring)
	}
	if !near(area, 10*0.16+math.Pi*0.0625) {
		t.Errorf("the columns take %v m²", area)
	}
}

// TestPocketsFillTheBox holds the floor beyond an edge against points: each of the box lies within the edge or in
// exactly one pocket.
func TestPocketsFillTheBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A star about the middle is simple regardless of what its radii are.
		n := rapid.IntRange(3, 12).Draw(t, "corners")
		ring := make(orb.Ring, 0, n+1)
		for i := range n {
			r := rapid.Float64Range(2, 20).Draw(t, "radius")
			if rapid.Bool().Draw(t, "coarse") {
				r = math.Ceil(r/5) * 5
			}
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			ring = append(ring, orb.Point{r * cos, r * sin})
		}
		b := ring.Bound()
		for i := range ring {
			ring[i] = orb.Point{ring[i][0] - b.Min[0], ring[i][1] - b.Min[1]}
		}
		w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]
		ring = snapToBox(append(ring, ring[0]), w, h)
		all := areasBeyond(ring, w, h)
		for range 200 {
			p := orb.Point{rapid.Float64Range(0, 1).Draw(t, "x") * w, rapid.Float64Range(0, 1).Draw(t, "y") * h}
			if distanceToRing(p, ring) < 1e-6 || min(p[0], p[1], w-p[0], h-p[1]) < 1e-6 {
				continue
			}
			in := 0
			for _, r := range append([]orb.Ring{ring}, all...) {
				if planar.RingContains(r, p) {
					in++
				}
			}
			if in != 1 {
				t.Fatalf("%v lies in %d of %v and %v", p, in, ring, all)
			}
		}
	})
}

// TestEdgesThatCrossThemselves get one area beyond them.
func TestEdgesThatCrossThemselves(t *testing.T) {
	ring := orb.Ring{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}}
	if got := boxMinusRing(ring, 4, 4); planar.Area(got) != 0 {
		t.Errorf("beyond a full box lie %v m²", planar.Area(got))
	}
	ring = orb.Ring{{1, 0}, {3, 0}, {4, 2}, {2, 4}, {0, 2}, {1, 0}}
	if got := boxMinusRing(ring, 4, 4); !near(math.Abs(planar.Area(got)), 16-planar.Area(ring)) {
		t.Errorf("beyond %v lie %v m²", ring, planar.Area(got))
	}
}

const room = "0:LWPOLYLINE 8:FLOOR 90:4 70:1 10:0 20:0 10:12 20:0 10:12 20:8 10:0 20:8 "

// TestLay lays out small drawings.
func TestLay(t *testing.T) {
	for _, c := range []struct {
		name, entities string
		place          Placing
		roles          Roles
		want           string
	}{
		{
			"origin of the outline", "0:LWPOLYLINE 8:FLOOR 70:1 10:100 20:50 10:112 20:50 10:112 20:58 10:100 20:58 " +
				"0:CIRCLE 8:COL 10:102 20:53 40:0.25",
			Placing{},
			Roles{Outline: {"floor"}, Columns: {"col"}},
			"12x8 columns (1.75,2.75)-(2.25,3.25)",
		},
		{
			"turned", "0:LWPOLYLINE 8:FLOOR 70:1 10:0 20:0 10:8 20:0 10:8 20:12 10:0 20:12 0:CIRCLE 8:COL 10:1 " +
				"20:2 40:0.25",
			Placing{Rotate: 90},
			Roles{Outline: {"floor"}, Columns: {"col"}},
			"12x8 columns (9.75,0.75)-(10.25,1.25)",
		},
		{
			"a given room", "0:CIRCLE 8:COL 10:102 20:53 40:0.25 0:CIRCLE 8:COL 10:202 20:53 40:0.25",
			Placing{Origin: &orb.Point{100, 50}, Width: 12, Depth: 8},
			Roles{Columns: {"col"}},
			"0x0 columns (1.75,2.75)-(2.25,3.25)",
		},
		{
			"half outside", "0:LWPOLYLINE 8:PIT 70:1 10:-1 20:-1 10:2 20:-1 10:2 20:3 10:-1 20:3",
			Placing{Width: 12, Depth: 8},
			Roles{KeepOuts: {"pit"}},
			"0x0 keep_outs (0,0)-(2,3)",
		},
		{
			"a column of two crossed lines", room + "0:LINE 8:COL 10:2 20:2 11:3 21:3 0:LINE 8:COL 10:2 20:3 11:3 21:2",
			Placing{},
			Roles{Outline: {"floor"}, Columns: {"col"}},
			"12x8 columns (2,2)-(3,3)",
		},
		{
			"a hole", room + "0:LWPOLYLINE 8:FLOOR 70:1 10:5 20:5 10:6 20:5 10:6 20:6 10:5 20:6",
			Placing{},
			Roles{Outline: {"floor"}},
			"12x8 beyond (5,5)-(6,6)",
		},
		{
			"both faces of a wall",
			room + "0:LWPOLYLINE 8:FLOOR 70:1 10:-0.3 20:-0.3 10:12.3 20:-0.3 10:12.3 20:8.3 10:-0.3 " +
				"20:8.3",
			Placing{},
			Roles{Walls: {"floor"}},
			"12x8",
		},
		{
			"a filled wall", room + "0:SOLID 8:W 10:4 20:0 11:5 21:0 12:4 22:8 13:5 23:8",
			Placing{},
			Roles{Outline: {"floor"}, Walls: {"w"}},
			"12x8 walls (4,0)-(5,8)",
		},
		{
			"a gap in a wall", room + "0:LINE 8:W 10:4 20:0 11:4 21:3 0:LINE 8:W 10:4 20:5 11:4 21:8",
			Placing{},
			Roles{Outline: {"floor"}, Walls: {"w"}},
			"12x8 walls (4,0)-(4,3) (4,5)-(4,8)",
		},
		{
			"a door as a line", room + "0:LINE 8:D 10:2 20:0.1 11:3 21:0.1",
			Placing{},
			Roles{Outline: {"floor"}, Doors: {"d"}},
			"12x8 doors (2,0)-(3,1)",
		},
		{
			"a door within", room + "0:LINE 8:W 10:6 20:0 11:6 21:5 0:LINE 8:D 10:6 20:5 11:6 21:6",
			Placing{},
			Roles{Outline: {"floor"}, Walls: {"w"}, Doors: {"d"}},
			"12x8 walls (6,0)-(6,5) doors (5,5)-(7,6)",
		},
	} {
		d := readEntities(t, "", c.entities)
		f, err := d.Lay(c.place, c.roles)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := written(f); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// written is a floor with the boxes of what is on it, to 5 cm.
func written(f *Floor) string {
	out := fmt.Sprintf("%.4gx%.4g", f.Width, f.Depth)
	add := func(what string, areas []Area) {
		if len(areas) > 0 {
			out += " " + what
		}
		for _, a := range areas {
			b := a.Ring.Bound()
			round := func(v float64) float64 { return math.Round(v*20)/20 + 0 }
			out += fmt.Sprintf(" (%v,%v)-(%v,%v)", round(b.Min[0]), round(b.Min[1]), round(b.Max[0]), round(b.Max[1]))
		}
	}
	add("beyond", f.Beyond)
	var walls, doors []Area
	for _, w := range f.Walls {
		walls = append(walls, w.Area)
	}
	for _, d := range f.Doors {
		doors = append(doors, d.Area)
	}
	add("walls", walls)
	add("columns", f.Columns)
	add("keep_outs", f.KeepOuts)
	add("doors", doors)
	return out
}

// TestWhatCannotBeLaid tells what is wrong with a drawing, or with what is asked of it.
func TestWhatCannotBeLaid(t *testing.T) {
	cols := "0:CIRCLE 8:S-COLS 10:2 20:3 40:0.25 "
	for _, c := range []struct {
		name, entities string
		unit           string
		place          Placing
		roles          Roles
		want           []string
	}{
		{
			"open", "0:LINE 8:W 10:0 20:0 11:12 21:0 0:LINE 8:W 10:12 20:0 11:12 21:8 0:LINE 8:W 10:12 20:8 " +
				"11:0 21:8 0:LINE " +
				"8:W 10:0 20:8 11:0 21:0.35", "",
			Placing{},
			Roles{Outline: {"w"}},
			[]string{"layers.outline: the outline on " +
				"layer W is not closed: the LINE at line 21 of test.dxf ends at (0, 0) m, and the next end, of " +
				"the LINE at line " +
				"57, lies at (0, 0.35), 0.35 m away; close it"},
		},
		{
			"typing", room + cols, "",
			Placing{},
			Roles{Outline: {"floor"}, Columns: {"S-COL"}},
			[]string{`layers.columns[0]: test.dxf has no layer "S-COL"; did you mean "S-COLS"?`},
		},
		{
			"pattern", room + cols, "",
			Placing{},
			Roles{Outline: {"floor"}, Columns: {"B*"}},
			[]string{`no layer of test.dxf is called like "B*"; it has FLOOR and S-COLS`},
		},
		{
			"empty", room + "0:SPLINE 8:S-COLS 10:1", "",
			Placing{},
			Roles{Outline: {"floor"}, Columns: {"S-COLS"}},
			[]string{`nothing that is read is drawn on layer "S-COLS" of test.dxf (1 SPLINE: not read)`},
		},
		{
			"two roles", room, "",
			Placing{},
			Roles{Outline: {"floor"}, Walls: {"*"}},
			[]string{`layers.walls[0]: layer "FLOOR" is among the outline too; a layer has one role`},
		},
		{
			"all at once", room + cols, "",
			Placing{},
			Roles{Outline: {"flor"}, Columns: {"cols"}, Doors: {""}},
			[]string{"layers.outline[0]", "layers.columns[0]", "layers.doors[0]: the name is empty"},
		},
		{
			"millimetres as metres", strings.NewReplacer("12", "24000", ":8", ":18000", "8:FLOOR", "8:FLOOR").
				Replace("0:LWPOLYLINE 8:FLOOR 70:1 10:0 20:0 10:12 20:0 10:12 20:8 10:0 20:8"), "",
			Placing{},
			Roles{Outline: {"*"}},
			[]string{"unit: the outline on layer FLOOR is 24,000 m by 18,000 m with coordinates in m: " +
				"no room is; give the unit in which it is drawn: probably mm (24 m by 18 m) or cm (240 m by 180 m)"},
		},
		{
			"metres as millimetres", room, "mm",
			Placing{},
			Roles{Outline: {"floor"}},
			[]string{"is 0.012 m by 0.008 m with coordinates in mm", "probably m (12 m by 8 m)"},
		},
		{
			"elsewhere", cols, "",
			Placing{Width: 12, Depth: 8, Origin: &orb.Point{100, 100}},
			Roles{Columns: {"s-cols"}},
			[]string{"layers.columns: all that is drawn on S-COLS lies outside the room of 12 m by 8 m: from " +
				"(-98.25, " +
				"-97.25) to (-97.75, -96.75) m from its corner; is the origin the room's south-western corner?"},
		},
		{
			"a grid among columns", room + "0:LINE 8:GRID 10:-1 20:2 11:30 21:2", "",
			Placing{},
			Roles{Outline: {"floor"}, Columns: {"GRID"}},
			[]string{"the LINE at line 45 on layer GRID is 31.01 m by 0.01 m, more " +
				"than any column"},
		},
		{
			"the walls themselves",
			"0:LWPOLYLINE 8:W 70:1 10:0 20:0 10:12 20:0 10:12 20:8 10:0 20:8 10:0 20:1 10:0.2 20:1 " +
				"10:0.2 20:7.8 10:11.8 20:7.8 10:11.8 20:0.2 10:0 20:0.2", "",
			Placing{},
			Roles{Walls: {"w"}},
			[]string{
				"the largest closed line on layer W encloses",
				"these are the walls themselves, open at the doors",
			},
		},
	} {
		d, err := Read("test.dxf", dxfOf(metres, "", c.entities), Options{Unit: c.unit})
		if err == nil {
			_, err = d.Lay(c.place, c.roles)
		}
		if diag.Fields(err) == nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nnot %q", c.name, err, want)
			}
		}
	}
}

// TestAskew notes which turn lays the sides of a floor along the rows.
func TestAskew(t *testing.T) {
	for angle, want := range map[float64]string{
		0: "", 90: "", 18: "runs 18 degrees off the rows: room.drawing.rotate: -18 lays", -20: "rotate: 20 lays",
		100: "rotate: -10 lays", 50: "rotate: 40 lays", 0.02: "",
	} {
		d := readEntities(t, "", room)
		d.Move(Turn(angle))
		f, err := d.Lay(Placing{}, Roles{Outline: {"floor"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(f.Notes, "; "); got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("turned by %v: %q, not %q", angle, got, want)
		}
	}
}

// TestPatterns: * stands for any letters, ? for any one, and case does not matter.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"A-WALL", "a-wall", true},
		{"A-WALL", "A-WALLS", false},
		{"*COL*", "S-COLS", true},
		{"*COL*", "S-CLOS", false},
		{"*", "", true},
		{"S?COL*", "S-COL", true},
		{"S?COL", "SCOL", false},
		{"*a*a*a*b", strings.Repeat("a", 3000), false},
		{"STÜTZ*", "stützen", true},
		{"A$0$*|x[1]", "A$0$WALL|x[1]", true},
	} {
		if matches(c.pattern, c.name) != c.want {
			t.Errorf("%q and %q", c.pattern, c.name)
		}
	}
}

// TestLargeDrawings are refused or read in a moment, regardless of what is drawn.
func TestLargeDrawings(t *testing.T) {
	star := &strings.Builder{}
	for i := range 30_000 {
		sin, cos := math.Sincos(float64(i))
		fmt.Fprintf(star, "0:LINE 8:A 10:0 20:0 11:%v 21:%v ", 9*cos, 9*sin)
	}
	piled := strings.Repeat("0:LINE 8:A 10:0 20:0 11:9 21:9 0:LINE 8:A 10:1 20:0 11:5 21:9 ", 30_000)
	boxes := &strings.Builder{}
	for i := range 20_100 {
		fmt.Fprintf(boxes, "0:CIRCLE 8:A 10:%d 20:%d 40:0.2 ", i%150, i/150)
	}
	for _, entities := range []string{star.String(), piled, boxes.String()} {
		d := readEntities(t, "", "0:LWPOLYLINE 8:FLOOR 70:1 10:0 20:0 10:200 20:0 10:200 20:200 10:0 20:200 "+entities)
		for _, role := range AllRoles { // the drawing lies where the room is and stays there
			roles := Roles{Outline: {"FLOOR"}}
			roles[role] = append(roles[role], "A")
			_, err := d.Lay(Placing{}, roles)
			if err != nil && diag.Fields(err) == nil {
				t.Error(err)
			}
		}
	}
}

func TestPicture(t *testing.T) {
	data, err := os.ReadFile("testdata/hall.png")
	if err != nil {
		t.Fatal(err)
	}
	d, err := Read("hall.png", data, Options{Pixel: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Lay(Placing{Origin: &orb.Point{10, 90}}, nil); err != nil {
		t.Fatal(err)
	}
	if got := d.At.Of(orb.Point{10, 90}); planar.Distance(got, orb.Point{}) > 1e-9 {
		t.Errorf("the origin is at %v", got)
	}
	if got := d.At.Of(orb.Point{110, 40}); planar.Distance(got, orb.Point{10, 5}) > 1e-9 {
		t.Errorf("100 pixels further and 50 higher is %v", got)
	}
	for _, c := range []struct {
		o    Options
		data []byte
		want string
	}{
		{Options{}, data, "pixel: a picture does not say how large what it shows is"},
		{Options{Pixel: 0.1, Unit: "mm"}, data, "unit: a picture has no coordinates"},
		{Options{Pixel: 0.1}, data[:100], "not a whole PNG"},
		{Options{Pixel: 0.1}, []byte("GIF89a"), "not a PNG"},
	} {
		if _, err := Read("hall.png", c.data, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; not %q", err, c.want)
		}
	}
}
