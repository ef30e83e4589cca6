package solid

import (
	"cmp"
	"context"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// USD writes a plan as a model of OpenUSD in its text form (.usda): metres, z upwards, coordinates as in the room.
// Equal racks and boxes are instances of one shape; trays are meshes, bundles of cables are BasisCurves. Names and
// figures of things are attributes plenum:*.
func USD(ctx context.Context, w io.Writer, r *machine.Result) error {
	m, err := New(ctx, r, DefaultLimits)
	if err != nil {
		return err
	}
	return m.USD(w)
}

// usdWriter writes prims.
type usdWriter struct {
	*Model
	text  []byte
	deep  int
	held  [][]int32 // the solids in each solid
	lines [][]int32 // the lines in each solid
}

// The names of the prim that has all things, and of the one that has their shapes.
const (
	usdRoot   = "Machine"
	usdShapes = "Shapes"
)

// USD writes the model as a text file of OpenUSD.
func (m *Model) USD(w io.Writer) error {
	f := &usdWriter{Model: m, held: make([][]int32, len(m.Solids)), lines: make([][]int32, len(m.Solids))}
	f.put("#usda 1.0\n(\n    customLayerData = {\n        string creator = ")
	f.put(usdString("Plenum "+machine.Version), "\n")
	for i, note := range m.Notes {
		f.put("        string note", strconv.Itoa(i+1), " = ", usdString(note), "\n")
	}
	f.put("    }\n    defaultPrim = \"", usdRoot, "\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n\n")
	f.begin("class", "Scope", usdShapes, "")
	for i := range m.Shapes {
		f.begin("def", "Xform", usdShape(int32(i)), "")
		parts := m.Shapes[i].meshes()
		for k := range parts {
			f.mesh("Part"+strconv.Itoa(k+1), &parts[k])
		}
		f.end()
	}
	f.end()
	f.put("\n")
	top, loose := make([][]int32, len(m.Storeys)), make([][]int32, len(m.Storeys))
	for i := range m.Solids {
		if s := &m.Solids[i]; s.In >= 0 {
			f.held[s.In] = append(f.held[s.In], int32(i))
		} else {
			top[s.Storey] = append(top[s.Storey], int32(i))
		}
	}
	for i := range m.Lines {
		if l := &m.Lines[i]; l.In >= 0 {
			f.lines[l.In] = append(f.lines[l.In], int32(i))
		} else {
			loose[l.Storey] = append(loose[l.Storey], int32(i))
		}
	}
	f.begin("def", "Xform", usdRoot, "kind = \"assembly\"")
	f.attribute("string", "name", usdString(m.Name))
	seen := usdNames{}
	for i := range m.Storeys {
		s := &m.Storeys[i]
		f.begin("def", "Xform", seen.of(s.Name, "Hall"), "kind = \"group\"")
		f.attribute("string", "name", usdString(s.Name))
		f.things(top[i], loose[i], usdNames{})
		f.end()
	}
	f.end()
	_, err := w.Write(f.text)
	return err
}

// put adds text.
func (f *usdWriter) put(texts ...string) {
	for _, t := range texts {
		f.text = append(f.text, t...)
	}
}

// line adds a line of text.
func (f *usdWriter) line(texts ...string) {
	for range f.deep {
		f.text = append(f.text, "    "...)
	}
	f.put(texts...)
	f.put("\n")
}

// begin begins a prim, with metadata if there are any; end ends it.
func (f *usdWriter) begin(specifier, of, name string, metadata ...string) {
	f.line(specifier, " ", of, " \"", name, "\"")
	some := false
	for _, m := range metadata {
		if m == "" {
			continue
		}
		if !some {
			f.line("(")
		}
		some = true
		f.line("    ", m)
	}
	if some {
		f.line(")")
	}
	f.line("{")
	f.deep++
}

func (f *usdWriter) end() {
	f.deep--
	f.line("}")
}

// attribute adds an attribute that says something of a thing.
func (f *usdWriter) attribute(of, name, value string) {
	f.line("custom ", of, " plenum:", name, " = ", value)
}

// usdShape is the name of the prim of a shape.
func usdShape(shape int32) string { return "Shape" + strconv.Itoa(int(shape)) }

// things adds solids and lines that are in the same prim.
func (f *usdWriter) things(solids, lines []int32, names usdNames) {
	for _, i := range solids {
		f.solid(i, names)
	}
	for _, i := range lines {
		f.curve(&f.Lines[i], names)
	}
}

// solid adds a solid with all that it holds. One that holds nothing is an instance of its shape; the shape of another
// is a prim in it.
func (f *usdWriter) solid(i int32, names usdNames) {
	s := &f.Solids[i]
	instance := [2]string{"instanceable = true", "references = </" + usdShapes + "/" + usdShape(s.Shape) + ">"}
	leaf := len(f.held[i])+len(f.lines[i]) == 0
	name := names.of(s.Name, s.Kind.String())
	if leaf && s.Shape >= 0 {
		f.begin("def", "Xform", name, instance[:]...)
	} else {
		f.begin("def", "Xform", name)
	}
	if s.Shape >= 0 {
		f.line("custom uniform token plenum:kind = ", usdString(s.Kind.String()))
	}
	f.known(s.Name, s.Facts)
	f.ports(s.Ports)
	f.place(s.At, s.Turned)
	inside := usdNames{}
	if !leaf && s.Shape >= 0 {
		f.begin("def", "Xform", inside.of("Shape", ""), instance[:]...)
		f.end()
	}
	f.things(f.held[i], f.lines[i], inside)
	f.end()
}

// ports adds the groups of ports of a box, as lists with a value for each group.
func (f *usdWriter) ports(groups []catalog.PortGroup) {
	if len(groups) == 0 {
		return
	}
	list := func(of, name string, value func(*catalog.PortGroup) string) {
		values := make([]string, len(groups))
		for i := range groups {
			values[i] = value(&groups[i])
		}
		f.attribute(of+"[]", name, "["+strings.Join(values, ", ")+"]")
	}
	list("string", "port_group", func(g *catalog.PortGroup) string { return usdString(g.Name) })
	list("string", "port_connector", func(g *catalog.PortGroup) string { return usdString(g.Connector) })
	list("int", "port_count", func(g *catalog.PortGroup) string { return strconv.Itoa(g.Count) })
	list("double", "port_rate_gbps", func(g *catalog.PortGroup) string { return usdNumber(float64(g.Rate)) })
	list("string", "port_face", func(g *catalog.PortGroup) string {
		return usdString(string(cmp.Or(g.Face, catalog.Rear)))
	})
}

// place moves and turns a prim.
func (f *usdWriter) place(p layout.Point, turned Turn) {
	moved := p != layout.Point{}
	switch {
	case moved && turned > 0:
		f.line(`uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"]`)
	case moved:
		f.line(`uniform token[] xformOpOrder = ["xformOp:translate"]`)
	case turned > 0:
		f.line(`uniform token[] xformOpOrder = ["xformOp:rotateZ"]`)
	}
	if moved {
		f.line("double3 xformOp:translate = ", usdPoint(vectors([]layout.Point{p})[0]))
	}
	if turned > 0 {
		f.line("float xformOp:rotateZ = ", strconv.Itoa(90*int(turned)))
	}
}

// known adds the name and the facts of a thing.
func (f *usdWriter) known(name string, facts []Fact) {
	f.attribute("string", "name", usdString(name))
	for i := range facts {
		x := &facts[i]
		switch x.Measure {
		case Text:
			f.attribute("string", x.Key, usdString(x.Text))
		case Count:
			f.attribute("int64", x.Key, strconv.FormatInt(int64(x.Number), 10))
		default:
			f.attribute("double", x.Key, usdNumber(x.Number))
		}
	}
}

// mesh adds triangles.
func (f *usdWriter) mesh(name string, m *mesh) {
	f.begin("def", "Mesh", name)
	var order []byte
	for i, k := range m.indices {
		if i > 0 {
			order = append(order, ", "...)
		}
		order = strconv.AppendUint(order, uint64(k), 10)
	}
	var counts []byte
	for i := range len(m.indices) / 3 {
		if i > 0 {
			counts = append(counts, ", "...)
		}
		counts = append(counts, '3')
	}
	f.extent(m.points, 0)
	f.line("int[] faceVertexCounts = [", string(counts), "]")
	f.line("int[] faceVertexIndices = [", string(order), "]")
	f.line("point3f[] points = ", usdPoints(m.points))
	f.colour(m.kind)
	f.line(`uniform token subdivisionScheme = "none"`)
	f.end()
}

// curve adds a line.
func (f *usdWriter) curve(l *Line, names usdNames) {
	points, width := vectors(l.Points), math.Max(float64(l.Diameter), 2e-4)
	f.begin("def", "BasisCurves", names.of(l.Name, l.Kind.String()))
	f.line("custom uniform token plenum:kind = ", usdString(l.Kind.String()))
	f.known(l.Name, l.Facts)
	f.extent(points, width/2)
	f.line("int[] curveVertexCounts = [", strconv.Itoa(len(points)), "]")
	f.line("point3f[] points = ", usdPoints(points))
	f.colour(l.Kind)
	f.line(`uniform token type = "linear"`)
	f.line("float[] widths = [", usdNumber(width), "] (interpolation = \"constant\")")
	f.end()
}

// extent adds the corners of what holds all points with a distance round them.
func (f *usdWriter) extent(points [][3]float64, round float64) {
	lo := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	hi := [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		for a := range 3 {
			lo[a], hi[a] = min(lo[a], p[a]-round), max(hi[a], p[a]+round)
		}
	}
	if len(points) > 0 {
		f.line("float3[] extent = ", usdPoints([][3]float64{lo, hi}))
	}
}

// colour adds the colour of a kind.
func (f *usdWriter) colour(k Kind) {
	c := k.Color()
	share := func(v uint8) float64 { return float64(v) / 255 }
	f.line("color3f[] primvars:displayColor = ",
		usdPoints([][3]float64{{share(c.R), share(c.G), share(c.B)}}))
	if c.A < 0xff {
		f.line("float[] primvars:displayOpacity = [", usdNumber(share(c.A)), "]")
	}
}

// usdNumber is a number with at most six digits behind the point: micrometres.
func usdNumber(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6+0, 'f', -1, 64) }

// usdPoint is a tuple.
func usdPoint(p [3]float64) string {
	return "(" + usdNumber(p[0]) + ", " + usdNumber(p[1]) + ", " + usdNumber(p[2]) + ")"
}

// usdPoints is a list of tuples.
func usdPoints(points [][3]float64) string {
	b := []byte{'['}
	for i, p := range points {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, usdPoint(p)...)
	}
	return string(append(b, ']'))
}

// usdString is a text in quotes, without control characters.
func usdString(text string) string {
	b := []byte{'"'}
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ' || c == 0x7f:
			b = append(b, ' ')
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return string(append(b, '"'))
}

// usdNames are the names that are taken in a prim, each with how often it was to be taken again.
type usdNames map[string]int

// of is a name for a prim by that of a thing, or by another where the thing has none: letters, digits and underscores,
// no digit first, and different from all others in the prim.
func (n usdNames) of(name, otherwise string) string {
	if name == "" {
		name = otherwise
	}
	b := []byte{}
	for _, c := range name {
		switch {
		case c >= '0' && c <= '9' && len(b) == 0:
			b = append(b, '_', byte(c))
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			b = append(b, byte(c))
		default:
			b = append(b, '_')
		}
	}
	if len(b) == 0 {
		b = append(b, '_')
	}
	called := string(b)
	for _, taken := n[called]; taken; _, taken = n[called] {
		n[string(b)]++
		called = string(b) + "_" + strconv.Itoa(n[string(b)])
	}
	n[called] = 0
	return called
}
