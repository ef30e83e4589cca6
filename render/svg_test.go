package render

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// drawnSVG is what is read from an SVG: all texts by layer, rectangles with titles, identifiers and their number.
type drawnSVG struct {
	texts  map[string][]string
	titled map[string]pen.Box // in millimetres of the floor, y downwards
	ids    map[string]int
}

// readSVG reads a drawing with nothing but an XML parser.
func readSVG(t *testing.T, data []byte) drawnSVG {
	t.Helper()
	out := drawnSVG{texts: map[string][]string{}, titled: map[string]pen.Box{}, ids: map[string]int{}}
	d := xml.NewDecoder(bytes.NewReader(data))
	layer, text := "", ""
	var rect pen.Box
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			text = ""
			attrs := map[string]string{}
			for _, a := range token.Attr {
				attrs[a.Name.Local] = a.Value
			}
			if id := attrs["id"]; id != "" {
				out.ids[id]++
			}
			switch token.Name.Local {
			case "g":
				if attrs["id"] != "" {
					layer = attrs["id"]
				}
			case "rect":
				var x, y, w, h float64
				if _, err := fmt.Sscan(attrs["x"]+" "+attrs["y"]+" "+attrs["width"]+" "+attrs["height"],
					&x, &y, &w, &h); err != nil {
					t.Fatal(err)
				}
				rect = pen.Rect(x, y, x+w, y+h)
			case "svg", "title", "desc", "text", "path", "pattern", "defs", "circle", "clipPath", "image",
				"metadata", "RDF", "Description", "provenance":
			default:
				t.Errorf("an element %s", token.Name.Local)
			}
		case xml.CharData:
			text += string(token)
		case xml.EndElement:
			switch token.Name.Local {
			case "text":
				out.texts[layer] = append(out.texts[layer], text)
			case "title":
				out.titled[text] = rect
			}
		}
	}
}

// floorSVG draws a machine.
func floorSVG(t *testing.T, r *machine.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := FloorSVG(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestEveryRackIsInTheSVG finds the racks of rooms in their drawings by their names, where they stand, to the
// millimetre, and all names written, also in a room that is far too large for names in a picture.
func TestEveryRackIsInTheSVG(t *testing.T) {
	hall, err := machine.Load("../examples/hall/hall.yaml")
	if err != nil {
		t.Fatal(err)
	}
	large := toName(t, "topology: {family: fat-tree, nodes: 1024, radix: 64}\nroom: {rows: 100, racks_per_row: 100}\n")
	results := []*machine.Result{plan(t, superPod()), plan(t, hall), plan(t, large)}
	if n := len(results[2].Room().Places); n != 10_000 {
		t.Fatalf("%d racks", n)
	}
	for _, r := range results {
		data := floorSVG(t, r)
		got := readSVG(t, data)
		room, racks := r.Room(), rackContents(r)
		written := map[string]bool{}
		for _, name := range got.texts["rack-names"] {
			written[name] = true
		}
		for i, p := range room.Places {
			name := room.Name(i)
			if !written[name] {
				t.Errorf("%s: %s is not written", r.Spec.Name, name)
			}
			b, ok := got.titled[name+": "+titleByHand(r, racks[i], int32(i))]
			if !ok {
				t.Fatalf("%s: no rack %s", r.Spec.Name, name)
			}
			// The edge is drawn on the inside: half of its width is missing on every side.
			want := p.Footprint(*room.Spec.Type(p.Type))
			edge := b.X0/1000 - want.Min[0]
			for k, off := range []float64{
				edge, b.Y0/-1000 - want.Max[1] + edge, b.X1/1000 - want.Max[0] + edge, b.Y1/-1000 - want.Min[1] - edge,
			} {
				if math.Abs(off) > 0.011 || k > 0 && math.Abs(off) > 0.001 {
					t.Fatalf("%s: rack %s is drawn in %v mm, not in %v m", r.Spec.Name, name, b, want)
				}
			}
		}
		for id, n := range got.ids {
			if n != 1 {
				t.Errorf("%s: %d elements %s", r.Spec.Name, n, id)
			}
		}
		if most := 25_000 + 700*len(room.Places); len(data) > most && r.Drawing == nil {
			t.Errorf("%s: %d bytes for %d racks, at most %d", r.Spec.Name, len(data), len(room.Places), most)
		}
	}
}

// TestSVGHasLayers: a group for each, of those that have anything.
func TestSVGHasLayers(t *testing.T) {
	s, err := machine.Load("../examples/hall/hall.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got := readSVG(t, floorSVG(t, plan(t, s)))
	for _, id := range []string{
		"floor", "building", "racks", "keep-outs", "doors", "columns", "building-walls", "trays",
		"rack-names", "names", "walls", "dimensions", "sheet",
	} {
		if got.ids[id] != 1 {
			t.Errorf("%d layers %s", got.ids[id], id)
		}
	}
	if got := readSVG(t, floorSVG(t, plan(t, superPod()))); got.ids["columns"] != 0 {
		t.Error("a layer of columns without one")
	}
}

// What a machine file says is text, and none of it markup.
func TestSVGEscapesTexts(t *testing.T) {
	const evil = `<script>alert(1)</script> & "x" ]]> 'y'`
	s := toName(t, `topology: {family: fat-tree, nodes: 96, radix: 32}
room: {width: 16 m, depth: 12 m, rows: 2, racks_per_row: 6,
  keep_outs: [{name: '<script>a()</script>', points: [[8, 8], [15, 8], [15, 11], [8, 11]]}]}
`)
	s.Name = evil
	data := floorSVG(t, plan(t, s))
	if bytes.Contains(data, []byte("<script")) {
		t.Error("there is an element script")
	}
	got := readSVG(t, data)
	if _, ok := got.titled[evil]; !ok || got.texts["sheet"][0] != evil {
		t.Errorf("the name is %q", got.texts["sheet"][0])
	}
	if !strings.Contains(strings.Join(got.texts["names"], "\n"), "<script>a()</script>") {
		t.Errorf("the keep-out is not named: %q", got.texts["names"])
	}
}

// TestRsvgDrawsTheSVG has another program draw what is written, which finds the colours of racks where they stand.
func TestRsvgDrawsTheSVG(t *testing.T) {
	program, err := exec.LookPath("rsvg-convert")
	if err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal("no rsvg-convert")
		}
		t.Skip("no rsvg-convert")
	}
	s, err := machine.Load("../examples/hall/hall.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*machine.Result{plan(t, s), plan(t, superPod()), plan(t, torus(2, 2, 2)), plan(t, cubes())} {
		c, err := drawFloor(context.Background(), r, true)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "floor.svg")
		if err := os.WriteFile(file, floorSVG(t, r), 0o600); err != nil {
			t.Fatal(err)
		}
		const width = 1500
		var out, complaints bytes.Buffer
		cmd := exec.Command(program, "-w", fmt.Sprint(width), file)
		cmd.Stdout, cmd.Stderr = &out, &complaints
		if err := cmd.Run(); err != nil || complaints.Len() > 0 {
			t.Fatalf("%s: %v\n%s", r.Spec.Name, err, &complaints)
		}
		img, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(img.Bounds().Dy()) / width; math.Abs(got-c.Scene.H/c.Scene.W) > 0.002 {
			t.Errorf("%s: the sheet is %g as high as wide, not %g", r.Spec.Name, got, c.Scene.H/c.Scene.W)
		}
		if r.Room() == nil {
			continue
		}
		found, racks := 0, rackContents(r)
		for i, p := range r.Room().Places {
			b := p.Footprint(*r.Room().Spec.Type(p.Type))
			at := layout.FloorPoint(p.X, p.Y)
			x := (c.Scene.X + (0.7*b.Min[0]+0.3*b.Max[0])*c.Scene.Scale) * width / c.Scene.W
			y := (c.Scene.Y - (0.55*at[1]+0.45*b.Max[1])*c.Scene.Scale) * width / c.Scene.W // beside the cables
			if pen.NRGBA(img.At(int(x), int(y))) == pen.NRGBA(palette.Behind(contents[racks[i]].col)) {
				found++
			}
		}
		if n := len(r.Room().Places); found < n*9/10 { // hatches and trays lie over some
			t.Errorf("%s: %d racks of %d have their colours", r.Spec.Name, found, n)
		}
	}
}

// TestEveryTrayIsInTheSVG: what has no place in a picture of a large room is in the drawing that can be enlarged.
func TestEveryTrayIsInTheSVG(t *testing.T) {
	large := toName(t, "topology: {family: fat-tree, nodes: 32, radix: 16}\nroom: {rows: 40, racks_per_row: 60}\n")
	r := plan(t, large)
	var b bytes.Buffer
	if err := TrayPlanSVG(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	numbers := map[string]bool{}
	for _, text := range readSVG(t, b.Bytes()).texts["tray-numbers"] {
		number, _, _ := strings.Cut(text, " ")
		numbers[number] = true
	}
	n, rows := r.Schedule.Trays.Network, 0
	for piece := range int32(n.Pieces()) {
		p := n.Piece(piece)
		if !n.IsLaid(piece) || p.From.Y != p.To.Y ||
			p.Length < r.Room().Spec.Rack.Width/2 {
			continue
		}
		rows++
		if !numbers[fmt.Sprint(piece+1)] {
			t.Errorf("piece %d has no number", piece+1)
		}
	}
	if rows < 40*59 {
		t.Errorf("%d pieces of rows", rows)
	}
}

// titleByHand is the text about a rack on floor plans: what it holds, and the first four of its groups.
func titleByHand(r *machine.Result, holds content, place int32) string {
	about := contents[holds].text
	units, group := unitsByHand(r, place)
	for _, g := range units[:min(len(units), 4)] {
		about += ", " + group + " " + strconv.Itoa(g+1)
	}
	if len(units) > 4 {
		about += ", and " + strconv.Itoa(len(units)-4) + " more"
	}
	return about
}

// unitsByHand are the groups of the coarsest nest with boxes at a rack position, ascending: none where there is no
// group but one, or where most racks hold more than four.
func unitsByHand(r *machine.Result, place int32) (groups []int, name string) {
	stripes := stripes(r)
	if stripes == nil {
		return nil, ""
	}
	seen := map[int]bool{}
	for _, n := range r.Graph.Groupings() {
		if n.Count < 2 {
			continue
		}
		clear(seen)
		name = n.Name
		for v, slot := range r.Placement.Slot {
			if g := n.Of(v); g >= 0 && r.Placement.Layout.Container(layout.RackLevel, slot) == place {
				seen[int(g)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen)), name
}
