package drawing

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestWhatEzdxfWrites reads drawings that ezdxf has written, in all versions of DXF from R12 to R2018, and finds what
// is
// on each layer where ezdxf itself finds it: blocks in blocks, turned, mirrored and scaled, arcs, ellipses and hatches.
func TestWhatEzdxfWrites(t *testing.T) {
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
	out, err := exec.Command(python, "testdata/draw.py", t.TempDir()).Output()
	if err != nil {
		t.Fatal(err)
	}
	const flatter = 0.002 // metres: polygons stand for curves here and there
	files := 0
	for line := range bytes.Lines(out) {
		var want struct {
			File  string
			Boxes map[string][4]float64
		}
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		files++
		var o Options
		if strings.HasSuffix(want.File, "R12.dxf") {
			o.Unit = "mm" // it has no $INSUNITS
		}
		d, err := Open(want.File, o)
		if err != nil {
			t.Error(err)
			continue
		}
		got := map[string][4]float64{}
		for _, s := range d.Shapes {
			name, b := d.Layers[s.Layer].Name, s.Points.Bound()
			box, ok := got[name]
			if !ok {
				box = [4]float64{b.Min[0], b.Min[1], b.Max[0], b.Max[1]}
			}
			got[name] = [4]float64{
				min(box[0], b.Min[0]), min(box[1], b.Min[1]), max(box[2], b.Max[0]), max(box[3], b.Max[1]),
			}
		}
		if len(got) != len(want.Boxes) || len(got) != 6 {
			t.Errorf("%s: layers %v, not %v", want.File, got, want.Boxes)
		}
		for name, box := range want.Boxes {
			for i, v := range box {
				if math.Abs(got[name][i]-v/1000) > flatter {
					t.Errorf("%s: layer %s lies in %v, not in %v mm", want.File, name, got[name], box)
					break
				}
			}
		}
	}
	if files != 7 || strings.Count(string(out), "\n") != 7 {
		t.Errorf("%d files", files)
	}
}
