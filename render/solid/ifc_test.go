package solid

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
)

// ifcOf writes a model as IFC.
func ifcOf(t *testing.T, m *Model) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := m.IFC(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// Every instance refers to instances before it, global identifiers are unique and of 128 bits, the same in every file
// of the machine, and the file is the same twice.
func TestIFC(t *testing.T) {
	for _, name := range []string{"basepod", "superpod-h100-4su", "hall/hall", "torus-4096-cubes"} {
		r := planned(t, name)
		file := ifcOf(t, modelled(t, r, DefaultLimits))
		if !bytes.Equal(file, ifcOf(t, modelled(t, r, DefaultLimits))) {
			t.Errorf("%s: not the same bytes twice", name)
		}
		line := regexp.MustCompile(`^#(\d+)=(IFC[A-Z0-9]+)\((.*)\);$`)
		global := regexp.MustCompile(`^'([0-3][0-9A-Za-z_$]{21})',\$`)
		_, data, _ := strings.Cut(string(file), "DATA;\n")
		data, end, _ := strings.Cut(data, "ENDSEC;\n")
		if end != "END-ISO-10303-21;\n" {
			t.Errorf("%s: ends with %q", name, end)
		}
		seen := map[string]int{}
		for i, text := range strings.Split(strings.TrimSuffix(data, "\n"), "\n") {
			m := line.FindStringSubmatch(text)
			if m == nil || m[1] != strconv.Itoa(i+1) {
				t.Fatalf("%s: line %d: %s", name, i, text)
			}
			for _, ref := range regexp.MustCompile(`#(\d+)`).FindAllStringSubmatch(m[3], -1) {
				if n, _ := strconv.Atoi(ref[1]); n < 1 || n > i {
					t.Errorf("%s: %s refers to #%d", name, text, n)
				}
			}
			if id := global.FindStringSubmatch(m[3]); id != nil {
				seen[id[1]]++
			}
		}
		for id, n := range seen {
			if n > 1 {
				t.Errorf("%s: %s is the identifier of %d things", name, id, n)
			}
		}
		if len(seen) < 10 {
			t.Errorf("%s: %d identifiers", name, len(seen))
		}
	}
}

// Texts are written as ISO 10303-21 asks for.
func TestStepText(t *testing.T) {
	for in, want := range map[string]string{
		"":           "''",
		`it's a \`:   `'it''s a \\'`,
		"Prüfstand":  `'Pr\X2\00FC\X0\fstand'`,
		"日本 1":       `'\X2\65E5672C\X0\ 1'`,
		"a\nb\x7f":   `'a\X2\000A\X0\b\X2\007F\X0\'`,
		"é😀é":        `'\X2\00E9\X0\\X4\0001F600\X0\\X2\00E9\X0\'`,
		"#1=(*,$);":  `'#1=(*,$);'`,
		"bad\xffend": `'bad\X2\FFFD\X0\end'`,
	} {
		if got := string(stepText(nil, in)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[float64]string{
		0: "0.", 1: "1.", -0.000001: "0.", 2.5: "2.5", 1e-5: "0.00001", 1e7: "10000000.",
	} {
		if got := string(stepReal(nil, in)); got != want {
			t.Errorf("%g: %s, want %s", in, got, want)
		}
	}
	if got := len([]rune(label(strings.Repeat("ü", 300)))); got != 255 {
		t.Errorf("a label of %d letters", got)
	}
}

// webIFC prints what web-ifc finds in a file: the number of things of each class, and the box around each by its name.
// What it has to complain of it prints itself.
const webIFC = `
const W = require(process.argv[2])
const api = new W.IfcAPI()
api.Init().then(() => {
  api.SetLogLevel(W.LogLevel.LOG_LEVEL_WARN)
  const id = api.OpenModel(new Uint8Array(require('fs').readFileSync(process.argv[3])))
  const count = {}, boxes = {}
  for (const name of ['IFCFURNITURE', 'IFCCABLECARRIERSEGMENT', 'IFCCABLESEGMENT', 'IFCCOMMUNICATIONSAPPLIANCE',
    'IFCBUILDINGSTOREY', 'IFCSPACE', 'IFCCOLUMN', 'IFCBUILDINGELEMENTPROXY'])
    count[name] = api.GetLineIDsWithType(id, W[name]).size()
  api.StreamAllMeshes(id, mesh => {
    const lo = [1e9, 1e9, 1e9], hi = [-1e9, -1e9, -1e9]
    for (let i = 0; i < mesh.geometries.size(); i++) {
      const placed = mesh.geometries.get(i), t = placed.flatTransformation
      const g = api.GetGeometry(id, placed.geometryExpressID)
      const v = api.GetVertexArray(g.GetVertexData(), g.GetVertexDataSize())
      for (let k = 0; k < v.length; k += 6)
        for (let a = 0; a < 3; a++) {
          const x = t[a] * v[k] + t[4 + a] * v[k + 1] + t[8 + a] * v[k + 2] + t[12 + a]
          lo[a] = Math.min(lo[a], x)
          hi[a] = Math.max(hi[a], x)
        }
    }
    boxes[api.GetLine(id, mesh.expressID).Name.value] = [lo, hi]
  })
  console.log(JSON.stringify({ count, boxes }))
})
`

// web-ifc, a reader that shares no code with the writer, finds as many racks, carriers and cables as the model has, and
// every rack where the room has it, without complaint.
func TestIFCReadByWebIFC(t *testing.T) {
	module := npmPackage(t, "PLENUM_WEB_IFC", "web-ifc")
	script := filepath.Join(t.TempDir(), "read.cjs")
	if err := os.WriteFile(script, []byte(webIFC), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"basepod", "superpod-h100-4su", "hall/hall", "listed-hall/listed-hall", "torus-4096-cubes", "clex-4096",
	} {
		r := planned(t, name)
		m := modelled(t, r, DefaultLimits)
		path := filepath.Join(t.TempDir(), "model.ifc")
		if err := os.WriteFile(path, ifcOf(t, m), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "node", script, module, path).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		var found struct {
			Count map[string]int
			Boxes map[string][2][3]float64
		}
		if err := json.Unmarshal(out, &found); err != nil {
			t.Fatalf("%s: %v in %.2000s", name, err, out)
		}
		has := m.Counted()
		for class, want := range map[string]int{
			"IFCFURNITURE": len(r.Placement.Racks), "IFCCABLECARRIERSEGMENT": has[Tray] + has[FullTray],
			"IFCCABLESEGMENT":            max(len(r.Schedule.Bundles), has[Copper]+has[Fibre]+has[Mixed]),
			"IFCCOMMUNICATIONSAPPLIANCE": has[Node] + has[Switch] + has[Service] + has[Panel],
			"IFCBUILDINGSTOREY":          len(m.Storeys), "IFCCOLUMN": has[Column],
		} {
			if got := found.Count[class]; got != want {
				t.Errorf("%s: %d of %s, want %d", name, got, class, want)
			}
		}
		room := r.Room()
		if room == nil {
			if n := found.Count["IFCBUILDINGELEMENTPROXY"]; n != has[Container] || n < 64 || has[Copper] == 0 {
				t.Errorf("%s: %d containers of %d, %d lines of copper cables", name, n, has[Container], has[Copper])
			}
			continue
		}
		if got := found.Count["IFCSPACE"]; got != len(m.Storeys) {
			t.Errorf("%s: %d spaces of %d halls", name, got, len(m.Storeys))
		}
		for i := range r.Placement.Racks {
			place := r.Placement.Racks[i].Place
			b := found.Boxes[room.Name(int(place))] // y upwards there, z against our y
			f := room.Places[place].Footprint(*room.Type(place))
			for k, side := range [][2]float64{
				{b[0][0], f.Min[0]}, {b[1][0], f.Max[0]}, {-b[1][2], f.Min[1]}, {-b[0][2], f.Max[1]},
			} {
				if math.Abs(side[0]-side[1]) > 1e-3 {
					t.Errorf("%s: side %d of rack %s at %g, want %g", name, k, room.Name(int(place)), side[0], side[1])
				}
			}
		}
	}
}

// What is turned, in something turned, is where turning twice puts it.
func TestIFCPlaced(t *testing.T) {
	m := &Model{Name: "m", Storeys: []Storey{{Name: "hall"}}}
	b := &builder{Model: m, shapes: map[string]int32{}}
	outer := b.add(Solid{
		Kind: Rack, Name: "r", Shape: b.shape(centred(Rack, 1, 1, 0, 1)), In: -1, Turned: 2,
		At: layout.Point{X: 10, Y: 20},
	})
	b.add(Solid{
		Kind: Node, Name: "n", Shape: b.shape(centred(Node, 1, 1, 0, 1)), In: outer, Turned: 2,
		At: layout.Point{X: 0.25, Y: 0.5, Z: 1},
	})
	file := string(ifcOf(t, m))
	if !strings.Contains(file, "IFCCARTESIANPOINT((9.75,19.5,1.))") {
		t.Error("the box is not where its rack has it")
	}
	if n := strings.Count(file, "IFCDIRECTION((-1.,0.,0.))"); n != 1 { // of the rack alone: the box faces as it did
		t.Errorf("%d directions against x", n)
	}
}
