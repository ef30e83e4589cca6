package render

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/pick"
)

// drawnMachines are machines in rooms: as large as its racks, a hall with columns, and one of listed racks of several
// types.
func drawnMachines(t *testing.T) []*machine.Result {
	t.Helper()
	out := []*machine.Result{plan(t, superPod())}
	for _, file := range []string{"../examples/hall/hall.yaml", "../examples/listed-hall/listed-hall.yaml"} {
		s, err := machine.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, plan(t, s))
	}
	return out
}

func floorDXF(t *testing.T, r *machine.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := FloorDXF(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// millimetre is a point to the millimetre.
func millimetre(p orb.Point) [2]int {
	return [2]int{int(math.Round(p[0] * 1000)), int(math.Round(p[1] * 1000))}
}

// TestDXFHasTheRoom reads what is written with the reader of drawings of buildings, and finds the racks and columns
// where the room has them, and their names.
func TestDXFHasTheRoom(t *testing.T) {
	columns := 0
	for _, r := range drawnMachines(t) {
		name := r.Spec.Name
		d, err := drawing.Read("floor.dxf", floorDXF(t, r), drawing.Options{})
		if err != nil {
			t.Fatal(err)
		}
		corners := map[string]map[[2]int]bool{}
		for _, s := range d.Shapes {
			layer := d.Layers[s.Layer].Name
			if corners[layer] == nil {
				corners[layer] = map[[2]int]bool{}
			}
			for _, p := range s.Points {
				corners[layer][millimetre(p)] = true
			}
		}
		texts := map[string]bool{}
		for _, text := range d.Texts {
			texts[text.Text] = true
		}
		room, racks := r.Room(), rackContents(r)
		sides := map[string]int{} // of racks by layer
		for i, p := range room.Places {
			layer := "racks"
			if racks[i] == empty {
				layer = "free-positions"
			}
			sides[layer] += 5 // with the line along its front
			b := p.Footprint(*room.Spec.Type(p.Type))
			for _, at := range []orb.Point{b.Min, b.Max, {b.Min[0], b.Max[1]}, {b.Max[0], b.Min[1]}} {
				if !corners[layer][millimetre(at)] {
					t.Errorf("%s: %s has no corner at %v", name, room.Name(i), at)
				}
			}
			front := b.Min[1] + 0.05*(b.Max[1]-b.Min[1])
			if p.Turned {
				front = b.Max[1] - 0.05*(b.Max[1]-b.Min[1])
			}
			if !corners[layer][millimetre(orb.Point{b.Min[0], front})] {
				t.Errorf("%s: the front of %s is not at %g m", name, room.Name(i), front)
			}
			if !texts[room.Name(i)] {
				t.Errorf("%s: %s is not written", name, room.Name(i))
			}
		}
		drawn := map[string]int{}
		for _, s := range d.Shapes {
			if s.From.Kind == "LINE" {
				drawn[d.Layers[s.Layer].Name]++
			}
		}
		if drawn["racks"] != sides["racks"] || drawn["free-positions"] != sides["free-positions"] {
			t.Errorf("%s: lines %v, want %v", name, drawn, sides)
		}
		for _, k := range room.KeepOuts {
			if k.Why != layout.Column {
				continue
			}
			columns++
			for _, at := range k.Area[0] {
				if !corners["columns"][millimetre(at)] {
					t.Errorf("%s: column %s has no corner at %v", name, k.Name, at)
				}
			}
		}
	}
	if columns == 0 {
		t.Error("no column was looked for")
	}
}

// TestEzdxfFindsNoFault has ezdxf audit what is written, and read names and contents of the racks from their blocks.
func TestEzdxfFindsNoFault(t *testing.T) {
	python := ""
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import ezdxf").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal("no Python with ezdxf")
		}
		t.Skip("no Python with ezdxf")
	}
	const script = `
import ezdxf, json, sys
d = ezdxf.readfile(sys.argv[1])
a = d.audit()
racks = {}
for e in d.modelspace().query("INSERT"):
    racks[e.get_attrib_text("NAME")] = [e.get_attrib_text("ABOUT"), e.dxf.name, e.dxf.layer, e.dxf.rotation,
        round(e.dxf.insert.x, 3), round(e.dxf.insert.y, 3)]
print(json.dumps({"faults": [f.message for f in a.errors + a.fixes], "racks": racks, "unit": d.units}))
`
	odd := toName(t, `topology: {family: fat-tree, nodes: 32, radix: 16}`)
	odd.Name = "0\nSECTION %%u Größe 𝔸 ^J " + strings.Repeat("long ", 100)
	for _, r := range append(drawnMachines(t), plan(t, odd)) {
		file := filepath.Join(t.TempDir(), "floor.dxf")
		if err := os.WriteFile(file, floorDXF(t, r), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, "-c", script, file).CombinedOutput()
		var got struct {
			Faults []string
			Racks  map[string][6]any
			Unit   int
		}
		if err != nil || json.Unmarshal(out, &got) != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if len(got.Faults) > 0 || got.Unit != 6 {
			t.Errorf("%s: unit %d, faults %q", r.Spec.Name, got.Unit, got.Faults)
		}
		for _, faults := range otherFaults(t, python, script, r) {
			t.Errorf("%s: %s", r.Spec.Name, faults)
		}
		room, racks := r.Room(), rackContents(r)
		blocks := map[any]string{}
		if len(got.Racks) != len(room.Places) {
			t.Errorf("%s: %d racks, want %d", r.Spec.Name, len(got.Racks), len(room.Places))
		}
		for i, p := range room.Places {
			rack := got.Racks[room.Name(i)]
			layer, turn := "racks", 0.0
			if racks[i] == empty {
				layer = "free-positions"
			}
			if p.Turned {
				turn = 180
			}
			at := millimetre(layout.FloorPoint(p.X, p.Y))
			want := [6]any{
				titleByHand(r, racks[i], int32(i)), rack[1], layer, turn, float64(at[0]) / 1000, float64(at[1]) / 1000,
			}
			if rack != want {
				t.Errorf("%s: %s is %v, want %v", r.Spec.Name, room.Name(i), rack, want)
			}
			kind := room.Type(int32(i)).Name
			if was, seen := blocks[rack[1]]; seen && was != kind {
				t.Errorf("%s: %v is a block of racks %q and %q", r.Spec.Name, rack[1], was, kind)
			}
			blocks[rack[1]] = kind
		}
	}
}

// otherFaults are those that ezdxf finds in the plan of the trays and in a floor with cables.
func otherFaults(t *testing.T, python, script string, r *machine.Result) []string {
	t.Helper()
	cables, err := DrawFloorDXF(t.Context(), r, FloorOptions{Cables: chosen(t, r, pick.Filter{Longest: 30})})
	if err != nil {
		t.Fatal(err)
	}
	all, err := DrawFloorDXF(t.Context(), r, FloorOptions{Cables: chosen(t, r, pick.Filter{}), CableColour: "product"})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for name, write := range map[string]func(io.Writer) error{
		"trays":  func(w io.Writer) error { return TrayPlanDXF(t.Context(), w, r) },
		"cables": cables, "all cables": all,
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "drawing.dxf")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command(python, "-c", script, file).CombinedOutput()
		var got struct {
			Faults []string
			Unit   int
		}
		if err != nil || json.Unmarshal(said, &got) != nil || len(got.Faults) > 0 || got.Unit != 6 {
			out = append(out, fmt.Sprintf("%s: unit %d, faults %q (%v)\n%s", name, got.Unit, got.Faults, err, said))
		}
	}
	return out
}

// TestOgrReadsTheDXF has GDAL, a reader of maps, find the outline and the name of every rack where the room has it.
func TestOgrReadsTheDXF(t *testing.T) {
	for _, p := range []string{"ogrinfo", "ogr2ogr"} {
		if _, err := exec.LookPath(p); err != nil {
			if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
				t.Fatal("no ", p)
			}
			t.Skip("no ", p)
		}
	}
	for _, r := range drawnMachines(t) {
		file := filepath.Join(t.TempDir(), "floor.dxf")
		if err := os.WriteFile(file, floorDXF(t, r), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command("ogrinfo", "-ro", "-al", "-so", file).CombinedOutput()
		if err != nil || !bytes.Contains(said, []byte("using driver `DXF' successful")) ||
			bytes.Contains(said, []byte("Warning")) || bytes.Contains(said, []byte("ERROR")) {
			t.Errorf("%s: %v\n%s", r.Spec.Name, err, said)
		}
		out, err := exec.Command("ogr2ogr", "-f", "GeoJSON", "/vsistdout/", file).Output()
		var all struct {
			Features []struct {
				Properties struct{ Layer, Text string }
				Geometry   struct {
					Type        string
					Coordinates json.RawMessage
				}
			}
		}
		if err == nil {
			err = json.Unmarshal(out, &all)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%.500s", r.Spec.Name, err, out)
		}
		outlines, named := map[[4]int]int{}, map[string]int{}
		for _, f := range all.Features {
			if l := f.Properties.Layer; l != "racks" && l != "free-positions" {
				continue
			}
			named[f.Properties.Text]++
			if f.Geometry.Type != "MultiLineString" {
				continue
			}
			var lines [][][]float64
			if err := json.Unmarshal(f.Geometry.Coordinates, &lines); err != nil {
				t.Fatal(err)
			}
			b := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
			for _, line := range lines {
				for _, p := range line {
					b = [4]float64{min(b[0], p[0]), min(b[1], p[1]), max(b[2], p[0]), max(b[3], p[1])}
				}
			}
			outlines[millimetres(b)]++
		}
		room := r.Room()
		for i, p := range room.Places {
			f := p.Footprint(*room.Type(int32(i)))
			if at := millimetres([4]float64{f.Min[0], f.Min[1], f.Max[0], f.Max[1]}); outlines[at] != 1 {
				t.Errorf("%s: %d outlines of %s at %v", r.Spec.Name, outlines[at], room.Name(i), at)
			}
			if named[room.Name(i)] != 1 {
				t.Errorf("%s: %d names %s", r.Spec.Name, named[room.Name(i)], room.Name(i))
			}
		}
	}
}

// millimetres is a box to the millimetre.
func millimetres(b [4]float64) (out [4]int) {
	for i := range b {
		out[i] = int(math.Round(b[i] * 1000))
	}
	return out
}
