package solid

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// GLTF writes a plan as a model of glTF 2.0 in one binary file (.glb): metres, y upwards, x that of the room and z
// against its y. Racks, boxes, trays and bundles are nodes with their names; their figures are extras.
func GLTF(ctx context.Context, w io.Writer, r *machine.Result) error {
	m, err := New(ctx, r, DefaultLimits)
	if err != nil {
		return err
	}
	return m.GLTF(w)
}

// Numbers of glTF 2.0 (Khronos Group, 2021): the kind of data of accessors and views, and the header of a binary file.
const (
	ofFloats, ofIntegers = 5126, 5125
	asVertices, asOrder  = 34962, 34963
	glbMagic, glbVersion = 0x46546c67, 2
	jsonChunk, binChunk  = 0x4e4f534a, 0x004e4942
)

// gltfWriter makes the two chunks of a binary file: JSON, and the numbers that it refers to.
type gltfWriter struct {
	*Model
	accessors, meshes []byte
	accessor, mesh    int // how many there are
	points, order     []byte
	material          [kinds]int // of each kind in use
}

// GLTF writes the model as a binary file of glTF 2.0.
func (m *Model) GLTF(w io.Writer) error {
	g := &gltfWriter{Model: m}
	materials := 0
	for k, used := range m.used() {
		if g.material[k] = materials; used {
			materials++
		}
	}
	for i := range m.Shapes {
		g.addMesh(m.Shapes[i].meshes())
	}
	for i := range m.Lines {
		g.addMesh([]mesh{m.Lines[i].tube()})
	}
	text := g.document()
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	size := len(g.points) + len(g.order)
	var head []byte
	all := uint32(12 + 8 + len(text) + 8 + size)
	for _, v := range []uint32{glbMagic, glbVersion, all, uint32(len(text)), jsonChunk} {
		head = binary.LittleEndian.AppendUint32(head, v)
	}
	bin := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(size)), binChunk)
	for _, part := range [][]byte{head, text, bin, g.points, g.order} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// axes turns a vector of the model into one of glTF, where y is up.
func axes(v [3]float64) [3]float32 {
	return [3]float32{float32(v[0]), float32(v[2]), float32(0 - v[1])}
}

// addMesh adds a mesh, one primitive for each material.
func (g *gltfWriter) addMesh(parts []mesh) {
	if g.mesh > 0 {
		g.meshes = append(g.meshes, ',')
	}
	g.mesh++
	g.meshes = append(g.meshes, `{"primitives":[`...)
	for i := range parts {
		p := &parts[i]
		at, order := len(g.points), len(g.order)
		lo := [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
		hi := [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
		for k, v := range p.points {
			q := axes(v)
			for a := range 3 {
				lo[a], hi[a] = min(lo[a], q[a]), max(hi[a], q[a])
			}
			g.vector(q)
			g.vector(axes(p.normals[k]))
		}
		for _, k := range p.indices {
			g.order = binary.LittleEndian.AppendUint32(g.order, k)
		}
		g.access(0, at, ofFloats, len(p.points), "VEC3")
		g.accessors = append(g.accessors, `,"min":`...)
		g.accessors = append(vector32(g.accessors, lo), `,"max":`...)
		g.accessors = append(vector32(g.accessors, hi), '}')
		g.access(0, at+12, ofFloats, len(p.points), "VEC3")
		g.accessors = append(g.accessors, '}')
		g.access(1, order, ofIntegers, len(p.indices), "SCALAR")
		g.accessors = append(g.accessors, '}')
		if i > 0 {
			g.meshes = append(g.meshes, ',')
		}
		g.meshes = append(g.meshes, `{"attributes":{"POSITION":`...)
		g.meshes = strconv.AppendInt(g.meshes, int64(g.accessor-3), 10)
		g.meshes = append(g.meshes, `,"NORMAL":`...)
		g.meshes = strconv.AppendInt(g.meshes, int64(g.accessor-2), 10)
		g.meshes = append(g.meshes, `},"indices":`...)
		g.meshes = strconv.AppendInt(g.meshes, int64(g.accessor-1), 10)
		g.meshes = append(g.meshes, `,"material":`...)
		g.meshes = append(strconv.AppendInt(g.meshes, int64(g.material[p.kind]), 10), '}')
	}
	g.meshes = append(g.meshes, `]}`...)
}

func (g *gltfWriter) vector(v [3]float32) {
	for _, x := range v {
		g.points = binary.LittleEndian.AppendUint32(g.points, math.Float32bits(x))
	}
}

// access begins an accessor.
func (g *gltfWriter) access(view, at, of, n int, shape string) {
	if g.accessor > 0 {
		g.accessors = append(g.accessors, ',')
	}
	g.accessor++
	b := append(g.accessors, `{"bufferView":`...)
	b = append(strconv.AppendInt(b, int64(view), 10), `,"byteOffset":`...)
	b = append(strconv.AppendInt(b, int64(at), 10), `,"componentType":`...)
	b = append(strconv.AppendInt(b, int64(of), 10), `,"count":`...)
	b = append(strconv.AppendInt(b, int64(n), 10), `,"type":"`...)
	g.accessors = append(append(b, shape...), '"')
}

// used tells which kinds shapes and lines have.
func (m *Model) used() [kinds]bool {
	var out [kinds]bool
	for i := range m.Shapes {
		for k := range m.Shapes[i].Parts {
			out[m.Shapes[i].Parts[k].Kind] = true
		}
	}
	for i := range m.Lines {
		out[m.Lines[i].Kind] = true
	}
	return out
}

// document is the JSON of the file.
func (g *gltfWriter) document() []byte {
	b := append([]byte(nil), `{"asset":{"version":"2.0","generator":`...)
	b = append(quoted(b, "Plenum "+machine.Version), `},"scene":0,"scenes":[{"name":`...)
	b = append(quoted(b, g.Name), `,"nodes":[`...)
	children, roots := g.children()
	b = append(integers(b, roots), `],"extras":{"machine":`...)
	b = append(quoted(b, g.Name), `,"notes":[`...)
	for i, note := range g.Notes {
		if i > 0 {
			b = append(b, ',')
		}
		b = quoted(b, note)
	}
	b = append(b, `]}}],"nodes":[`...)
	b = g.nodes(b, children)
	b = append(b, `],"meshes":[`...)
	b = append(append(b, g.meshes...), `],"materials":[`...)
	b = g.materials(b)
	b = append(b, `],"accessors":[`...)
	b = append(append(b, g.accessors...), `],"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":`...)
	b = strconv.AppendInt(b, int64(len(g.points)), 10)
	b = append(b, `,"byteStride":24,"target":`...)
	b = append(strconv.AppendInt(b, asVertices, 10), `},{"buffer":0,"byteOffset":`...)
	b = append(strconv.AppendInt(b, int64(len(g.points)), 10), `,"byteLength":`...)
	b = append(strconv.AppendInt(b, int64(len(g.order)), 10), `,"target":`...)
	b = append(strconv.AppendInt(b, asOrder, 10), `}],"buffers":[{"byteLength":`...)
	b = strconv.AppendInt(b, int64(len(g.points)+len(g.order)), 10)
	return append(b, `}]}`...)
}

// children lists what every solid holds, lines after solids, and what nothing holds. Groups of nothing are left out.
func (g *gltfWriter) children() (children [][]int, roots []int) {
	n := len(g.Solids)
	filled := make([]bool, n)
	for i := range g.Lines {
		filled[g.Lines[i].In] = true
	}
	for i := n - 1; i >= 0; i-- {
		s := &g.Solids[i]
		filled[i] = filled[i] || s.Shape >= 0
		if filled[i] && s.In >= 0 {
			filled[s.In] = true
		}
	}
	children = make([][]int, n)
	place := func(in int32, node int) {
		if in < 0 {
			roots = append(roots, node)
		} else {
			children[in] = append(children[in], node)
		}
	}
	node := make([]int, n) // numbers without the groups of nothing
	next := 0
	for i := range g.Solids {
		if !filled[i] {
			node[i] = -1
			continue
		}
		node[i] = next
		next++
		place(g.Solids[i].In, node[i])
	}
	for i := range g.Lines {
		place(g.Lines[i].In, next+i)
	}
	for i := range node {
		if node[i] < 0 {
			children[i] = []int{-1}
		}
	}
	return children, roots
}

// nodes appends solids and lines.
func (g *gltfWriter) nodes(b []byte, children [][]int) []byte {
	first := true
	begin := func(name string) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = quoted(append(b, `{"name":`...), name)
	}
	for i := range g.Solids {
		s := &g.Solids[i]
		if len(children[i]) == 1 && children[i][0] < 0 {
			continue
		}
		begin(s.Name)
		if s.Shape >= 0 {
			b = strconv.AppendInt(append(b, `,"mesh":`...), int64(s.Shape), 10)
		}
		if s.At != (layout.Point{}) {
			b = append(b, `,"translation":[`...)
			for a, v := range []float64{float64(s.At.X), float64(s.At.Z), 0 - float64(s.At.Y)} {
				if a > 0 {
					b = append(b, ',')
				}
				b = decimal(b, v)
			}
			b = append(b, ']')
		}
		if s.Turned > 0 {
			b = append(b, turns[s.Turned%4]...)
		}
		if len(children[i]) > 0 {
			b = append(integers(append(b, `,"children":[`...), children[i]), ']')
		}
		b = append(extras(b, s.Facts), '}')
	}
	for i := range g.Lines {
		begin(g.Lines[i].Name)
		b = strconv.AppendInt(append(b, `,"mesh":`...), int64(len(g.Shapes)+i), 10)
		b = append(extras(b, g.Lines[i].Facts), '}')
	}
	return b
}

// turns are the quaternions of quarter turns about the upright axis.
var turns = [4]string{
	"", `,"rotation":[0,0.70710678,0,0.70710678]`, `,"rotation":[0,1,0,0]`, `,"rotation":[0,0.70710678,0,-0.70710678]`,
}

// materials appends one for every kind in use.
func (g *gltfWriter) materials(b []byte) []byte {
	first := true
	for k, used := range g.used() {
		if !used {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		c := Kind(k).Color()
		b = append(quoted(append(b, `{"name":`...), styles[k].name), `,"pbrMetallicRoughness":{"baseColorFactor":[`...)
		for _, v := range []uint8{c.R, c.G, c.B} {
			b = append(decimal(b, linear(v)), ',')
		}
		b = append(decimal(b, float64(c.A)/255), `],"metallicFactor":0,"roughnessFactor":0.8}`...)
		if c.A < 0xff {
			b = append(b, `,"alphaMode":"BLEND"`...)
		}
		b = append(b, '}')
	}
	return b
}

// linear is the share of light of a colour value of sRGB (IEC 61966-2-1), in which glTF has its colours.
func linear(v uint8) float64 {
	c := float64(v) / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// extras appends facts as the extras of a node.
func extras(b []byte, facts []Fact) []byte {
	if len(facts) == 0 {
		return b
	}
	b = append(b, `,"extras":{`...)
	for i := range facts {
		f := &facts[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(quoted(b, f.Key), ':')
		if f.Measure == Text {
			b = quoted(b, f.Text)
		} else {
			b = decimal(b, f.Number)
		}
	}
	return append(b, '}')
}

// quoted appends a text as JSON has it.
func quoted(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // strings can always be written
		panic(err)
	}
	return append(b, text...)
}

// decimal appends a number with at most five digits after the point: hundredths of a millimetre.
func decimal(b []byte, v float64) []byte {
	const digits = 1e5
	return strconv.AppendFloat(b, math.Round(v*digits)/digits+0, 'f', -1, 64)
}

func vector32(b []byte, v [3]float32) []byte {
	b = append(b, '[')
	for a, x := range v {
		if a > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x), 'f', -1, 32)
	}
	return append(b, ']')
}

func integers(b []byte, list []int) []byte {
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return b
}
