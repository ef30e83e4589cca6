package solid

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
)

// usdPrim is a prim as the test reads it.
type usdPrim struct {
	of, name, kind, reference string
	extent                    [2][3]float64
	hasExtent                 bool
	move                      [3]float64
	turn                      float64
	attributes                map[string]string
	children                  []*usdPrim
}

// usdOf writes a model as USD.
func usdOf(t *testing.T, m *Model) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := m.USD(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// usdFloats are the numbers of a value.
func usdFloats(t *testing.T, value string) []float64 {
	t.Helper()
	var out []float64
	for _, text := range regexp.MustCompile(`-?[0-9][0-9.e-]*`).FindAllString(value, -1) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// readUSD reads the prims of a file as this package writes it. Names are different in every prim.
func readUSD(t *testing.T, file []byte) *usdPrim {
	t.Helper()
	_, body, found := strings.Cut(string(file), "\n)\n\n")
	if !found || !strings.HasPrefix(string(file), "#usda 1.0\n") {
		t.Fatalf("the file begins with %.80q", file)
	}
	head := regexp.MustCompile(`^(?:def|class) (\w+) "([A-Za-z_][A-Za-z0-9_]*)"$`)
	value := regexp.MustCompile(`^(?:custom )?(?:uniform )?[a-z0-9]+(?:\[\])? ([A-Za-z:_]+) = (.*)$`)
	root := &usdPrim{}
	open := []*usdPrim{root}
	var next *usdPrim
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		at := open[len(open)-1]
		switch m := head.FindStringSubmatch(line); {
		case m != nil:
			next = &usdPrim{of: m[1], name: m[2], attributes: map[string]string{}}
			for _, c := range at.children {
				if c.name == next.name {
					t.Errorf("%s has two prims %s", at.name, c.name)
				}
			}
			at.children = append(at.children, next)
		case line == "{":
			open = append(open, next)
		case line == "}":
			open = open[:len(open)-1]
		case strings.HasPrefix(line, "references = "):
			next.reference = strings.Trim(strings.TrimPrefix(line, "references = "), "<>")
		default:
			m := value.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			at.attributes[m[1]] = m[2]
			switch m[1] {
			case "plenum:kind":
				at.kind = strings.Trim(m[2], `"`)
			case "extent":
				v := usdFloats(t, m[2])
				at.extent, at.hasExtent = [2][3]float64{[3]float64(v[:3]), [3]float64(v[3:])}, true
			case "xformOp:translate":
				at.move = [3]float64(usdFloats(t, m[2]))
			case "xformOp:rotateZ":
				at.turn = usdFloats(t, m[2])[0]
			}
		}
	}
	if len(open) != 1 {
		t.Fatalf("%d prims have no end", len(open)-1)
	}
	return root
}

// bounds are the least and the greatest coordinates of points.
type bounds [2][3]float64

// with are the bounds of a point more.
func (b bounds) with(p [3]float64) bounds {
	for a := range 3 {
		b[0][a], b[1][a] = min(b[0][a], p[a]), max(b[1][a], p[a])
	}
	return b
}

// empty are the bounds of no points.
func empty() bounds {
	far := math.Inf(1)
	return bounds{{far, far, far}, {-far, -far, -far}}
}

// near reports whether bounds differ by less than a hundredth of a millimetre.
func (b bounds) near(c bounds) bool {
	for i := range 2 {
		for a := range 3 {
			if math.Abs(b[i][a]-c[i][a]) > 1e-5 {
				return false
			}
		}
	}
	return true
}

// TestUSD holds the places, shapes and names of all things, as a reader of the file finds them, against the model.
func TestUSD(t *testing.T) {
	for _, name := range []string{"basepod", "superpod-h100-4su", "hall/hall", "torus-4096-cubes"} {
		m := modelled(t, planned(t, name), DefaultLimits)
		file := usdOf(t, m)
		if !bytes.Equal(file, usdOf(t, modelled(t, planned(t, name), DefaultLimits))) {
			t.Errorf("%s: not the same bytes twice", name)
		}
		root := readUSD(t, file)
		shapes := map[string]*usdPrim{}
		for _, s := range root.children[0].children {
			shapes["/Shapes/"+s.name] = s
		}
		counted := map[string]int{}
		found := map[string][]bounds{} // by kind and name
		var walk func(p *usdPrim, way []*usdPrim)
		walk = func(p *usdPrim, way []*usdPrim) {
			way = append(way, p)
			if p.kind != "" {
				counted[p.kind]++
				box := empty()
				parts := []*usdPrim{p}
				if p.of != "BasisCurves" {
					shape := p.reference
					for _, c := range p.children {
						if c.name == "Shape" {
							shape = c.reference
						}
					}
					if shapes[shape] == nil {
						t.Fatalf("%s: %s has the shape %q", name, p.name, shape)
					}
					parts = shapes[shape].children
				}
				for _, part := range parts {
					for corner := range 8 {
						q := [3]float64{
							part.extent[corner&1][0], part.extent[corner>>1&1][1], part.extent[corner>>2][2],
						}
						for k := len(way) - 1; k >= 0; k-- {
							sin, cos := math.Sincos(way[k].turn * math.Pi / 180)
							q = add([3]float64{q[0]*cos - q[1]*sin, q[0]*sin + q[1]*cos, q[2]}, way[k].move)
						}
						box = box.with(q)
					}
				}
				key := p.kind + " " + p.attributes["plenum:name"]
				found[key] = append(found[key], box)
			}
			for _, c := range p.children {
				walk(c, way)
			}
		}
		walk(root.children[1], nil)
		for k, n := range m.Counted() {
			if counted[k.String()] != n {
				t.Errorf("%s: %d prims of kind %s, want %d", name, counted[k.String()], k, n)
			}
			delete(counted, k.String())
		}
		if len(counted) > 0 {
			t.Errorf("%s: kinds that the model does not have: %v", name, counted)
		}
		take := func(key string, want bounds) {
			all := found[key]
			for i := range all {
				if all[i].near(want) {
					found[key] = append(all[:i:i], all[i+1:]...)
					return
				}
			}
			t.Fatalf("%s: %s is at none of %v; want %v", name, key, all, want)
		}
		for i := range m.Solids {
			if s := &m.Solids[i]; s.Shape >= 0 {
				take(s.Kind.String()+" "+usdString(s.Name), m.bounds(s))
			}
		}
		for i := range m.Lines {
			l := &m.Lines[i]
			box, round := empty(), math.Max(float64(l.Diameter)/2, 1e-4)
			for _, p := range vectors(l.Points) {
				box = box.with(add(p, [3]float64{round, round, round})).with(sub(p, [3]float64{round, round, round}))
			}
			take(l.Kind.String()+" "+usdString(l.Name), box)
		}
	}
}

// bounds are those of a solid in the axes of the machine, from the blocks and prisms of its shape.
func (m *Model) bounds(s *Solid) bounds {
	box := empty()
	for _, p := range m.Shapes[s.Shape].Parts {
		corners := p.Ring
		if corners == nil {
			corners = [][2]float64{{p.Lo[0], p.Lo[1]}, {p.Hi[0], p.Lo[1]}, {p.Hi[0], p.Hi[1]}, {p.Lo[0], p.Hi[1]}}
		}
		for _, c := range corners {
			for _, z := range []float64{p.Lo[2], p.Hi[2]} {
				q := [3]float64{c[0], c[1], z}
				for of := s; ; of = &m.Solids[of.In] {
					for range of.Turned {
						q[0], q[1] = -q[1], q[0]
					}
					q = add(q, vectors([]layout.Point{of.At})[0])
					if of.In < 0 {
						break
					}
				}
				box = box.with(q)
			}
		}
	}
	return box
}

// Facts are attributes with their values, and equal boxes share a shape.
func TestUSDFactsAndShapes(t *testing.T) {
	root := readUSD(t, usdOf(t, modelled(t, planned(t, "basepod"), DefaultLimits)))
	nodes, racks := 0, 0
	shapes := map[string]bool{}
	var walk func(p *usdPrim)
	walk = func(p *usdPrim) {
		switch p.kind {
		case Node.String():
			nodes++
			shapes[p.reference] = true
			if p.attributes["plenum:part"] != `"nvidia-dgx-b200"` {
				t.Errorf("%s has %v", p.name, p.attributes)
			}
		case Rack.String():
			racks++
			if v := usdFloats(t, p.attributes["plenum:power_w"]); len(v) != 1 || v[0] <= 0 {
				t.Errorf("%s has %v", p.name, p.attributes)
			}
		}
		for _, c := range p.children {
			walk(c)
		}
	}
	walk(root)
	if nodes == 0 || racks == 0 || len(shapes) != 1 {
		t.Errorf("%d nodes with %d shapes in %d racks", nodes, len(shapes), racks)
	}
}

// Boxes state the groups of ports of their part, those without a face at the rear.
func TestUSDPorts(t *testing.T) {
	root := readUSD(t, usdOf(t, modelled(t, planned(t, "basepod"), DefaultLimits)))
	seen := map[string]bool{}
	var walk func(p *usdPrim)
	walk = func(p *usdPrim) {
		id, err := strconv.Unquote(cmp.Or(p.attributes["plenum:part"], `""`))
		if err != nil {
			t.Fatal(err)
		}
		if part := catalog.Default().Part(id); part != nil && len(part.Ports) > 0 {
			seen[id] = true
			var names, connectors, faces []string
			var counts, rates []float64
			for _, list := range []struct {
				key string
				to  any
			}{
				{"group", &names},
				{"connector", &connectors},
				{"face", &faces},
				{"count", &counts},
				{"rate_gbps", &rates},
			} {
				if err := json.Unmarshal([]byte(p.attributes["plenum:port_"+list.key]), list.to); err != nil {
					t.Fatalf("%s: port_%s of %v: %v", p.name, list.key, p.attributes, err)
				}
			}
			if n := len(part.Ports); len(names) != n || len(connectors) != n || len(faces) != n || len(counts) != n ||
				len(rates) != n {
				t.Fatalf("%s: %v, and %s has %d groups of ports", p.name, p.attributes, id, n)
			}
			for i, g := range part.Ports {
				if g.Face == "" {
					g.Face = "rear"
				}
				if names[i] != g.Name || connectors[i] != g.Connector || faces[i] != string(g.Face) ||
					counts[i] != float64(g.Count) || rates[i] != float64(g.Rate) {
					t.Errorf("%s: group %d of %v, and %s has %+v", p.name, i, p.attributes, id, g)
				}
			}
		}
		for _, c := range p.children {
			walk(c)
		}
	}
	walk(root)
	if !seen["nvidia-dgx-b200"] || !seen["nvidia-qm9700"] {
		t.Errorf("ports of %v only", seen)
	}
}

// Names of things become names of prims: each its own, and whole in plenum:name.
func TestUSDNames(t *testing.T) {
	n := usdNames{}
	for _, tt := range [][2]string{
		{"a", "a"},
		{"a", "a_1"},
		{"a_1", "a_1_1"},
		{"a", "a_2"},
		{"1/2", "_1_2"},
		{"", "Hall"},
		{"ü\x00", "__"},
		{"a 1", "a_1_2"},
	} {
		if got := n.of(tt[0], "Hall"); got != tt[1] {
			t.Errorf("%q is called %s, want %s", tt[0], got, tt[1])
		}
	}
	if got, want := usdString("a \"b\"\n\\ <ü>\xff"), `"a \"b\" \\ <ü>`+"\ufffd\""; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for v, want := range map[float64]string{0: "0", 1e-9: "0", -1e-9: "0", -1.5: "-1.5", 1234567.25: "1234567.25"} {
		if got := usdNumber(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}

// tinyusdz prints what an independent reader of USD makes of a file.
const tinyusdz = `
const fs = require('fs'), path = require('path'), url = require('url')
process.type = 'renderer'
globalThis.window = globalThis
const dir = process.argv[2]
import(url.pathToFileURL(path.join(dir, 'tinyusdz.js')).href).then(async m => {
  const lib = await m.default({wasmBinary: fs.readFileSync(path.join(dir, 'tinyusdz.wasm'))})
  const usd = new lib.TinyUSDZLoaderNative()
  const ok = usd.loadFromBinary(fs.readFileSync(process.argv[3]), 'plan.usda')
  console.log(JSON.stringify({ok, error: usd.error(), root: ok ? usd.getDefaultRootNode() : null}))
})
`

// TestUSDInTinyUSDZ has another program read the files: all prims are there, at their places.
func TestUSDInTinyUSDZ(t *testing.T) {
	module := npmPackage(t, "PLENUM_TINYUSDZ", "tinyusdz")
	script := filepath.Join(t.TempDir(), "read.cjs")
	if err := os.WriteFile(script, []byte(tinyusdz), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"basepod", "superpod-h100-4su", "hall/hall", "clex-4096"} {
		file := usdOf(t, modelled(t, planned(t, name), DefaultLimits))
		path := filepath.Join(t.TempDir(), "plan.usda")
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "node", script, module, path).Output()
		if err != nil {
			t.Fatal(err)
		}
		type node struct {
			Name     string      `json:"primName"`
			Matrix   [16]float64 `json:"localMatrix"`
			Children []*node     `json:"children"`
		}
		var read struct {
			OK    bool   `json:"ok"`
			Error string `json:"error"`
			Root  *node  `json:"root"`
		}
		if err := json.Unmarshal(out, &read); err != nil {
			t.Fatal(err)
		}
		if !read.OK {
			t.Errorf("%s: %s", name, read.Error)
			continue
		}
		prims := 0
		var same func(p *usdPrim, n *node)
		same = func(p *usdPrim, n *node) {
			prims++
			sin, cos := math.Sincos(p.turn * math.Pi / 180)
			want := [16]float64{cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1, 0, p.move[0], p.move[1], p.move[2], 1}
			for i := range want {
				if math.Abs(n.Matrix[i]-want[i]) > 1e-5 {
					t.Fatalf("%s: %s is at %v, want %v", name, p.name, n.Matrix, want)
				}
			}
			at := map[string]*node{}
			for _, c := range n.Children {
				at[c.Name] = c
			}
			for _, c := range p.children {
				if at[c.name] == nil && c.of != "BasisCurves" { // which it reads and does not show
					t.Fatalf("%s: %s has no %s", name, p.name, c.name)
				} else if at[c.name] != nil {
					same(c, at[c.name])
				}
			}
		}
		same(readUSD(t, file).children[1], read.Root)
		if prims < 10 {
			t.Errorf("%s: %d prims", name, prims)
		}
	}
}
