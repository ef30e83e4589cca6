package solid

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/layout"
)

// scene is what these tests read of a glTF file.
type scene struct {
	Scenes []struct{ Nodes []int }
	Nodes  []struct {
		Name        string
		Mesh        *int
		Translation []float64
		Rotation    []float64
		Children    []int
		Extras      map[string]any
	}
	Meshes []struct {
		Primitives []struct {
			Attributes        map[string]int
			Indices, Material int
		}
	}
	Materials []struct{ Name string }
	Accessors []struct {
		BufferView, ByteOffset, Count int
		Min, Max                      []float64
	}
	BufferViews []struct{ ByteOffset, ByteLength int }
}

// readGLB reads a binary file of glTF.
func readGLB(t *testing.T, data []byte) (s scene, bin []byte) {
	t.Helper()
	word := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	if string(data[:4]) != "glTF" || word(4) != 2 || word(8) != len(data) {
		t.Fatalf("no binary file of glTF 2.0: % x", data[:12])
	}
	n := word(12)
	if err := json.Unmarshal(data[20:20+n], &s); err != nil {
		t.Fatal(err)
	}
	if word(20+n) != len(data)-28-n || n%4 != 0 {
		t.Errorf("chunks of %d and %d bytes in a file of %d", n, word(20+n), len(data))
	}
	return s, data[28+n:]
}

// The file is the model: every node under one root or group, its figures as extras, and the corners of the whole where
// the room has them, y upwards.
func TestGLTF(t *testing.T) {
	r := planned(t, "superpod-h100-4su")
	m := modelled(t, r, DefaultLimits)
	var file, again bytes.Buffer
	if err := m.GLTF(&file); err != nil {
		t.Fatal(err)
	}
	if err := modelled(t, r, DefaultLimits).GLTF(&again); err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Errorf("not the same bytes twice (%v)", err)
	}
	s, bin := readGLB(t, file.Bytes())
	held := make([]int, len(s.Nodes))
	for _, n := range s.Scenes[0].Nodes {
		held[n]++
	}
	named := map[string]int{}
	for i := range s.Nodes {
		for _, n := range s.Nodes[i].Children {
			held[n]++
		}
		named[s.Nodes[i].Name] = i
	}
	if i := slices.IndexFunc(held, func(n int) bool { return n != 1 }); i >= 0 {
		t.Errorf("node %d is held %d times", i, held[i])
	}
	for i := range r.Placement.Racks {
		rack := &r.Placement.Racks[i]
		node, p := s.Nodes[named[r.Room().Name(int(rack.Place))]], r.Room().Places[rack.Place]
		if got := node.Extras["power_w"].(float64); math.Abs(got-float64(rack.Power)) > 0.06 {
			t.Errorf("%s draws %g W, want %v", node.Name, got, rack.Power)
		}
		if at := node.Translation; math.Abs(at[0]-float64(p.X)) > 1e-5 || math.Abs(at[2]+float64(p.Y)) > 1e-5 {
			t.Errorf("%s at %v, want %v, %v", node.Name, at, p.X, p.Y)
		}
		if len(node.Children) != rack.Boxes {
			t.Errorf("%s has %d boxes, want %d", node.Name, len(node.Children), rack.Boxes)
		}
	}
	floor := s.Meshes[*s.Nodes[named["floor"]].Mesh].Primitives[0]
	a, b := s.Accessors[floor.Attributes["POSITION"]], r.Room().Bound
	if math.Abs(a.Max[0]-(b.Max[0]-b.Min[0])) > 1e-5 || a.Max[1] != 0 ||
		math.Abs(a.Min[2]+(b.Max[1]-b.Min[1])) > 1e-5 {
		t.Errorf("floor %v to %v, want a room of %v", a.Min, a.Max, b)
	}
	for i := range s.Meshes {
		for _, p := range s.Meshes[i].Primitives {
			points, order := s.Accessors[p.Attributes["POSITION"]], s.Accessors[p.Indices]
			view := s.BufferViews[order.BufferView]
			for k := range order.Count {
				at := view.ByteOffset + order.ByteOffset + 4*k
				if n := int(binary.LittleEndian.Uint32(bin[at:])); n >= points.Count {
					t.Fatalf("mesh %d refers to point %d of %d", i, n, points.Count)
				}
			}
		}
	}
}

// Names are quoted as JSON asks for.
func TestGLTFNames(t *testing.T) {
	m := &Model{Name: "a \"b\"\n\\ <ü>\x00"}
	b := &builder{Model: m, shapes: map[string]int32{}}
	b.add(Solid{Kind: Node, Name: "\u2028\xff", Shape: b.shape(centred(Node, 1, 1, 0, 1)), In: -1})
	b.group("of nothing", -1)
	b.Lines = append(b.Lines, Line{Kind: Copper, Name: "c", In: b.group("g", -1), Points: []layout.Point{{}, {X: 1}}})
	var file bytes.Buffer
	if err := m.GLTF(&file); err != nil {
		t.Fatal(err)
	}
	s, _ := readGLB(t, file.Bytes())
	if len(s.Nodes) != 3 || s.Nodes[0].Name != "\u2028\ufffd" || len(s.Nodes[1].Children) != 1 {
		t.Errorf("nodes %+v", s.Nodes)
	}
}

// validator prints what the validator of the Khronos Group finds in a file.
const validator = `
const validator = require(process.argv[2])
const bytes = require('fs').readFileSync(process.argv[3])
validator.validateBytes(new Uint8Array(bytes)).then(r => console.log(JSON.stringify(r)))
`

// npmPackage is the folder of an npm package, which a variable of the environment names.
func npmPackage(t *testing.T, variable, name string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatalf("%s does not name the folder of the npm package %s", variable, name)
		}
		t.Skipf("needs node and the npm package %s; %s names its folder", name, variable)
	}
	return dir
}

// The validator of the Khronos Group finds nothing to say about any machine.
func TestGLTFValidator(t *testing.T) {
	module := npmPackage(t, "PLENUM_GLTF_VALIDATOR", "gltf-validator")
	script := filepath.Join(t.TempDir(), "validate.cjs")
	if err := os.WriteFile(script, []byte(validator), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"basepod", "superpod-h100-4su", "listed-hall/listed-hall", "four-columns/four-columns", "hall/hall",
		"torus-4096-cubes", "clex-4096",
	} {
		for _, limits := range []Limits{DefaultLimits, {}} {
			m := modelled(t, planned(t, name), limits)
			var file bytes.Buffer
			if err := m.GLTF(&file); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "model.glb")
			if err := os.WriteFile(path, file.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), "node", script, module, path).Output()
			if err != nil {
				t.Fatal(err)
			}
			var found struct {
				Issues struct {
					NumErrors, NumWarnings, NumInfos, NumHints int
					Messages                                   []any
				}
				Info struct{ TotalTriangleCount, MaterialCount int }
			}
			if err := json.Unmarshal(out, &found); err != nil {
				t.Fatal(err)
			}
			if i := found.Issues; i.NumErrors+i.NumWarnings+i.NumInfos+i.NumHints > 0 {
				t.Errorf("%s: %v", name, i.Messages)
			}
			if found.Info.TotalTriangleCount == 0 || found.Info.MaterialCount == 0 {
				t.Errorf("%s: nothing in the file: %+v", name, found.Info)
			}
		}
	}
}
