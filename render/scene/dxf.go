package scene

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/decimals"
)

// DXFLayer is a layer of a DXF with its colour, a number of the AutoCAD colour index.
type DXFLayer struct {
	Name   string
	Colour int
}

// dxf writes a scene, in metres.
type dxf struct {
	*bufio.Writer
	*Scene
	layers []DXFLayer
	layer  string // the one that marks are on; empty while they are left out
	stands *Fill  // what stands where the last block was inserted
	groups []Mark // that are open: of a Clip nothing is cut off
	blocks []block
	min    [2]float64
	max    [2]float64
}

// block is a shape that stands in many places: a rectangle about its middle, its front towards -y.
type block struct {
	given, name   string // as the scene has it, and as the file does
	width, height float64
}

// DXF writes the layers of a scene to scale, as a drawing of lines in the ASCII form of release 12, in metres.
// Rectangles that are named as a block are inserts of it, with what they are called as attributes NAME and ABOUT; what
// lies inside one of those is left out, since the block has it. Bars become lines of their width, other areas their
// edges. White areas, which only hide what is behind them, are left out, and so are pictures. What a Clip cuts off is
// written; of what is turned, only texts may be.
//
// The codes are those of Autodesk's DXF Reference.
func DXF(w io.Writer, s *Scene, layers []DXFLayer) error {
	if !(s.Scale > 0) {
		return errors.New("scene: a DXF of what is not to scale")
	}
	o := &dxf{
		Writer: bufio.NewWriterSize(w, 1<<16), Scene: s, layers: layers,
		min: [2]float64{math.Inf(1), math.Inf(1)}, max: [2]float64{math.Inf(-1), math.Inf(-1)},
	}
	o.findBlocks()
	o.tags(999, "Plenum: "+dxfText(s.Name), 999, dxfText(s.About))
	o.tags(0, "SECTION", 2, "HEADER", 9, "$ACADVER", 1, "AC1009")
	if o.min[0] <= o.max[0] {
		o.tags(9, "$EXTMIN", 10, o.min[0], 20, o.min[1], 30, 0.0, 9, "$EXTMAX", 10, o.max[0], 20, o.max[1], 30, 0.0)
	}
	o.tags(9, "$INSUNITS", 70, 6, 9, "$MEASUREMENT", 70, 1, 0, "ENDSEC")
	o.tables()
	o.tags(0, "SECTION", 2, "BLOCKS")
	for _, b := range o.blocks {
		o.block(b)
	}
	o.tags(0, "ENDSEC", 0, "SECTION", 2, "ENTITIES")
	for _, m := range s.Marks {
		if err := o.draw(m); err != nil {
			return err
		}
	}
	o.tags(0, "ENDSEC", 0, "EOF")
	return o.Flush()
}

// findBlocks finds the blocks and how far rectangles reach.
func (o *dxf) findBlocks() {
	for _, m := range o.Marks {
		switch m := m.(type) {
		case Layer:
			o.enter(m)
		case Fill:
			if o.layer == "" {
				continue
			}
			b := o.metres(m.Box)
			o.min = [2]float64{min(o.min[0], b.X0), min(o.min[1], b.Y0)}
			o.max = [2]float64{max(o.max[0], b.X1), max(o.max[1], b.Y1)}
			if m.Block != "" && o.blockOf(m) < 0 {
				name := dxfName(m.Block)
				for n := 2; slices.ContainsFunc(o.blocks, func(b block) bool { return b.name == name }); n++ {
					name = dxfName(m.Block) + "_" + strconv.Itoa(n)
				}
				o.blocks = append(o.blocks, block{m.Block, name, b.X1 - b.X0, b.Y1 - b.Y0})
			}
		}
	}
	o.layer = ""
}

// blockOf is the number of the block of a rectangle, -1 for none. Sides that differ by less than a tenth of a
// millimetre are the same.
func (o *dxf) blockOf(f Fill) int {
	b := o.metres(f.Box)
	return slices.IndexFunc(o.blocks, func(k block) bool {
		return k.given == f.Block && math.Abs(k.width-b.X1+b.X0) < 1e-4 && math.Abs(k.height-b.Y1+b.Y0) < 1e-4
	})
}

// enter goes to a layer.
func (o *dxf) enter(l Layer) {
	o.layer, o.stands = "", nil
	if slices.ContainsFunc(o.layers, func(d DXFLayer) bool { return d.Name == string(l) }) {
		o.layer = string(l)
	}
}

// metres maps a box to the floor: X0 and Y0 are its lower left corner.
func (o *dxf) metres(b Box) Box {
	x0, y1 := o.Metres(b.X0, b.Y0)
	x1, y0 := o.Metres(b.X1, b.Y1)
	return Box{x0, y0, x1, y1}
}

func (o *dxf) tables() {
	o.tags(0, "SECTION", 2, "TABLES",
		0, "TABLE", 2, "LTYPE", 70, 1,
		0, "LTYPE", 2, "CONTINUOUS", 70, 0, 3, "Solid line", 72, 65, 73, 0, 40, 0.0, 0, "ENDTAB",
		0, "TABLE", 2, "LAYER", 70, len(o.layers)+1,
		0, "LAYER", 2, "0", 70, 0, 62, 7, 6, "CONTINUOUS")
	for _, l := range o.layers {
		o.tags(0, "LAYER", 2, l.Name, 70, 0, 62, l.Colour, 6, "CONTINUOUS")
	}
	o.tags(0, "ENDTAB",
		0, "TABLE", 2, "STYLE", 70, 1,
		0, "STYLE", 2, "STANDARD", 70, 0, 40, 0.0, 41, dxfNarrow, 50, 0.0, 71, 0, 42, 0.2, 3, "txt", 4, "",
		0, "ENDTAB", 0, "ENDSEC")
}

// What letters measure: capitals to the size of a font, and widths to those of the program's own letters.
const dxfCapitals, dxfNarrow = 0.72, 0.8

func (o *dxf) block(b block) {
	w, h := b.width/2, b.height/2
	o.tags(0, "BLOCK", 8, "0", 2, b.name, 70, 2, 10, 0.0, 20, 0.0, 30, 0.0, 3, b.name)
	const front = 0.05 // of the depth: where a line along the front stands
	y := -h + float64(2*h*front)
	for _, l := range [][4]float64{{-w, -h, w, -h}, {w, -h, w, h}, {w, h, -w, h}, {-w, h, -w, -h}, {-w, y, w, y}} {
		o.tags(0, "LINE", 8, "0", 10, l[0], 20, l[1], 30, 0.0, 11, l[2], 21, l[3], 31, 0.0)
	}
	for _, tag := range []string{"NAME", "ABOUT"} {
		o.tags(0, "ATTDEF", 8, "0", 10, -w, 20, -h, 30, 0.0, 40, h/5, 1, "", 3, tag, 2, tag, 70, 1)
	}
	o.tags(0, "ENDBLK", 8, "0")
}

// insert writes a rectangle that is a block.
func (o *dxf) insert(f Fill) {
	b := o.metres(f.Box)
	x, y, turn := (b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 0.0
	if f.Turned {
		turn = 180
	}
	o.tags(0, "INSERT", 8, o.layer, 66, 1, 2, o.blocks[o.blockOf(f)].name, 10, x, 20, y, 30, 0.0, 50, turn)
	for _, a := range [][2]string{{"NAME", f.Name}, {"ABOUT", f.About}} {
		o.tags(0, "ATTRIB", 8, o.layer, 10, b.X0, 20, b.Y0, 30, 0.0, 40, (b.Y1-b.Y0)/10, 1, dxfText(a[1]), 2, a[0],
			70, 1)
	}
	o.tags(0, "SEQEND", 8, o.layer)
}

// draw writes one mark.
func (o *dxf) draw(m Mark) error {
	if l, ok := m.(Layer); ok {
		o.enter(l)
		return nil
	}
	switch m.(type) { // groups are followed on all layers
	case Turn, Clip:
		o.groups = append(o.groups, m)
		return nil
	case End:
		o.groups = o.groups[:len(o.groups)-1]
		return nil
	}
	if o.layer == "" {
		return nil
	}
	switch m := m.(type) {
	case Picture: // release 12 has none
	case Fill:
		o.fill(m)
	case Frame:
		if !o.detail(m.Box) {
			o.polyline(o.layer, o.corners(m.inset()), true, m.Width/o.Scale)
		}
	case Path:
		if m.Filled && white(m.Color) {
			return nil
		}
		for _, line := range m.Lines {
			o.polyline(o.layer, o.floor(line), m.Filled, 0)
		}
	case Circle:
		x, y := o.Metres(m.X, m.Y)
		o.tags(0, "CIRCLE", 8, o.layer, 10, x, 20, y, 30, 0.0, 40, m.Radius/o.Scale)
	case Hatch:
		o.polyline(o.layer, o.floor(m.Points), true, 0)
	case Text:
		o.text(m)
	default:
		return fmt.Errorf("scene: no way to write %T on layer %q", m, o.layer)
	}
	return nil
}

func (o *dxf) fill(f Fill) {
	switch b := f.Box; {
	case f.Block != "":
		o.insert(f)
		o.stands = &f
	case o.detail(b) || white(f.Color):
	case f.Bar && b.X1-b.X0 >= b.Y1-b.Y0:
		y := (b.Y0 + b.Y1) / 2
		o.polyline(o.layer, o.floor([][2]float64{{b.X0, y}, {b.X1, y}}), false, (b.Y1-b.Y0)/o.Scale)
	case f.Bar:
		x := (b.X0 + b.X1) / 2
		o.polyline(o.layer, o.floor([][2]float64{{x, b.Y0}, {x, b.Y1}}), false, (b.X1-b.X0)/o.Scale)
	default:
		o.polyline(o.layer, o.corners(b), true, 0)
	}
}

// detail reports whether a box lies inside what the last block stands for.
func (o *dxf) detail(b Box) bool {
	s := o.stands
	return s != nil && b.X0 >= s.X0 && b.Y0 >= s.Y0 && b.X1 <= s.X1 && b.Y1 <= s.Y1
}

func white(c color.NRGBA) bool { return c == color.NRGBA{0xff, 0xff, 0xff, 0xff} }

// corners are those of a box on the floor.
func (o *dxf) corners(b Box) [][2]float64 {
	return o.floor([][2]float64{{b.X0, b.Y1}, {b.X1, b.Y1}, {b.X1, b.Y0}, {b.X0, b.Y0}})
}

// floor maps points to the floor.
func (o *dxf) floor(points [][2]float64) [][2]float64 {
	var out [][2]float64
	for _, p := range points {
		x, y := o.Metres(p[0], p[1])
		out = append(out, [2]float64{x, y})
	}
	return out
}

// polyline writes a line of a width in metres, 0 for one that is as thin as can be.
func (o *dxf) polyline(layer string, points [][2]float64, closed bool, width float64) {
	if n := len(points); closed && n > 1 && points[0] == points[n-1] {
		points = points[:n-1]
	}
	flag := 0
	if closed {
		flag = 1
	}
	o.tags(0, "POLYLINE", 8, layer, 66, 1, 10, 0.0, 20, 0.0, 30, 0.0, 70, flag)
	if width > 0 {
		o.tags(40, width, 41, width)
	}
	for _, p := range points {
		o.tags(0, "VERTEX", 8, layer, 10, p[0], 20, p[1], 30, 0.0)
	}
	o.tags(0, "SEQEND", 8, layer)
}

func (o *dxf) text(t Text) {
	angle := 0.0
	for _, g := range o.groups {
		if g, ok := g.(Turn); ok {
			angle += g.Angle
			sin, cos := math.Sincos(g.Angle)
			x, y := t.X-g.X, t.Y-g.Y
			t.X, t.Y = g.X+float64(x*cos)-float64(y*sin), g.Y+float64(x*sin)+float64(y*cos)
		}
	}
	x, y := o.Metres(t.X, t.Y)
	o.tags(0, "TEXT", 8, o.layer, 10, x, 20, y, 30, 0.0, 40, t.Size*dxfCapitals/o.Scale, 1, dxfText(t.Text),
		41, dxfNarrow, 7, "STANDARD")
	if angle != 0 { // anticlockwise, in degrees
		o.tags(50, -angle*180/math.Pi)
	}
	if t.Align > 0 {
		o.tags(72, int(math.Round(2*t.Align)), 11, x, 21, y, 31, 0.0) // 1 for the middle, 2 for the right end
	}
}

// tags writes codes, each with its value after it: a text, a whole number, or a length in metres.
func (o *dxf) tags(tags ...any) {
	for i := 0; i < len(tags); i += 2 {
		code := tags[i].(int)
		b := o.AvailableBuffer()
		for limit := 100; limit > 1 && code < limit; limit /= 10 { // three columns
			b = append(b, ' ')
		}
		b = append(strconv.AppendInt(b, int64(code), 10), '\n')
		switch v := tags[i+1].(type) {
		case string:
			b = append(b, v...)
		case int:
			b = strconv.AppendInt(b, int64(v), 10)
		case float64:
			from := len(b)
			if b = decimals.AppendRounded(b, v, 6); string(b[from:]) == "-0" { // to a micrometre
				b = append(b[:from], '0')
			}
			if !bytes.Contains(b[from:], []byte{'.'}) {
				b = append(b, ".0"...)
			}
		}
		o.Write(append(b, '\n'))
	}
}

// dxfText writes a text as strings of release 12 have it: in ASCII, with everything else as \U+XXXX, on one line.
func dxfText(s string) string {
	const most = 250 // bytes; readers need not take more than 255
	if strings.Contains(s, "%%") {
		s = strings.ReplaceAll(s, "%", "%%%") // two and a letter are commands; three stand for one
	}
	const cut = "..." // in place of what is left out
	var b strings.Builder
	fits := 0 // bytes of the text before what may have to be left out
	for _, r := range s {
		if b.Len() <= most-len(cut) {
			fits = b.Len()
		}
		text := string(r)
		switch {
		case r == '^':
			text = "^ " // with a letter after it, a control character
		case r < ' ' || r == 0x7f:
			text = " "
		case r > 0xffff:
			text = fmt.Sprintf("<%X>", r)
		case r > 0x7f:
			text = fmt.Sprintf(`\U+%04X`, r)
		}
		if b.Len()+len(text) > most {
			return b.String()[:fits] + cut
		}
		b.WriteString(text)
	}
	return b.String()
}

// dxfName writes a name as names of blocks may be in release 12.
func dxfName(s string) string {
	const most = 24 // of 31, for a number after it
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '$':
			return r
		}
		return '_'
	}, s)
	return name[:min(len(name), most)]
}
