package drawing

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
)

// dxf reads a DXF file: first its blocks and entities as they are written; expand then draws the blocks where they are
// inserted.
type dxf struct {
	groups
	d      *Drawing
	layers map[string]int // by name in lower case
	blocks map[string]*block
	space  []entity // model space
	points int      // read so far
	buffer []group
}

// block is a named drawing that inserts repeat.
type block struct {
	name     string
	base     orb.Point
	entities []entity
}

// entity is one drawn object: exactly one of shape, text, insert and unread is set.
type entity struct {
	layer  string
	shape  *Shape // its layer is not known yet
	text   *Text
	insert *insert
	unread string // kind of an entity that is not read
}

func (d *Drawing) readDXF(data []byte, o Options) error {
	text := string(trimMark(data))
	at := diag.Position{File: d.File}
	switch {
	case strings.HasPrefix(text, "AutoCAD Binary DXF"):
		return one(at, "binary DXF files are not read\nsave the drawing as DXF in ASCII")
	case strings.HasPrefix(text, "AC10"):
		return one(at, "this is a DWG file\nsave the drawing as DXF in ASCII")
	case o.Pixel != 0:
		return diag.Fieldf("pixel", "a DXF file has no pixels\nremove it; unit is the scale")
	case o.Property != "":
		return diag.Fieldf("property", "a DXF file has layers, not properties\nremove it")
	}
	r := &dxf{
		groups: groups{file: d.File, rest: text}, d: d,
		layers: map[string]int{}, blocks: map[string]*block{},
	}
	if err := r.sections(); err != nil {
		return err
	}
	if err := r.expand(); err != nil {
		return err
	}
	return d.scale(o, "the file does not say in which unit it is drawn ($INSUNITS)")
}

// sections reads the file to its end.
func (r *dxf) sections() error {
	whole := false
	for r.next(); !r.done; {
		switch {
		case r.is(0, "SECTION"):
			if r.next(); r.now.code == 2 && !r.done {
				r.section(strings.TrimSpace(r.now.value))
			}
		case r.is(0, "EOF"):
			whole, r.done = true, true
		default:
			r.next()
		}
		if err := r.tooMuch(); err != nil {
			return err
		}
	}
	if err := r.faults.Err(); err != nil {
		return err
	}
	if !whole {
		return one(diag.Position{File: r.file, Line: r.line}, "the file ends before its end mark (EOF)\n"+
			"it is not whole, or not a DXF file: export it again")
	}
	return nil
}

// tooMuch returns an error if the drawing has more points, layers or blocks than the limits.
func (r *dxf) tooMuch() error {
	at := diag.Position{File: r.file, Line: r.line}
	const hint = "\nexport only the layers that are needed"
	switch {
	case r.points > maxPoints:
		return one(at, "the drawing has more than %d points"+hint, maxPoints)
	case len(r.d.Layers) > maxNames || len(r.blocks) > maxNames:
		return one(at, "the drawing has more than %d layers or blocks"+hint, maxNames)
	}
	return nil
}

// section reads the rest of a section, after its name. Sections other than HEADER, TABLES, BLOCKS and ENTITIES are
// skipped.
func (r *dxf) section(name string) {
	r.next()
	switch name {
	case "HEADER":
		r.header()
	case "TABLES":
		r.tables()
	case "BLOCKS":
		r.readBlocks()
	case "ENTITIES":
		r.space = r.entities(r.space)
	}
	for !r.done && !r.is(0, "ENDSEC") && !r.is(0, "EOF") {
		r.next()
	}
}

// header reads the unit of the drawing ($INSUNITS).
func (r *dxf) header() {
	for ; !r.done && r.now.code != 0; r.next() {
		if r.is(9, "$INSUNITS") {
			r.next()
			if code, err := strconv.Atoi(strings.TrimSpace(r.now.value)); err == nil && r.now.code == 70 {
				r.d.Stated = unitOfCode(code)
			}
		}
	}
}

// tables reads the layers, and whether they are hidden.
func (r *dxf) tables() {
	for !r.done && !r.is(0, "ENDSEC") && !r.is(0, "EOF") && len(r.d.Layers) <= maxNames {
		if !r.is(0, "LAYER") {
			r.next()
			continue
		}
		l := r.record()
		if name := layerName(l.text(2)); name != "" {
			const frozen = 1
			of := &r.d.Layers[r.d.layer(r.layers, name)]
			of.Hidden = l.whole(70, 0)&frozen != 0 || l.whole(62, 7) < 0
		}
	}
}

// record reads the current entity.
func (r *dxf) record() record {
	out := record{kind: strings.TrimSpace(r.now.value), line: r.now.line, in: &r.groups}
	r.buffer = r.fields(r.buffer)
	out.fields = r.buffer
	return out
}

func (r *dxf) readBlocks() {
	for !r.done && !r.is(0, "ENDSEC") && !r.is(0, "EOF") && r.tooMuch() == nil {
		if !r.is(0, "BLOCK") {
			r.next()
			continue
		}
		begin := r.record()
		b := &block{name: layerName(begin.text(2)), base: orb.Point{begin.number(10, 0), begin.number(20, 0)}}
		b.entities = r.entities(nil)
		if key := strings.ToLower(b.name); r.blocks[key] == nil {
			r.blocks[key] = b
		}
	}
}

// entities appends the entities up to the end of a block or section. It skips those in paper space and invisible ones.
func (r *dxf) entities(into []entity) []entity {
	for !r.done && !r.is(0, "ENDSEC") && !r.is(0, "ENDBLK") && !r.is(0, "EOF") && r.points <= maxPoints {
		if r.now.code != 0 { // stray groups
			r.next()
			continue
		}
		rec := r.record()
		if rec.whole(67, 0) == 1 || rec.whole(60, 0) == 1 { // on a sheet of paper, or invisible
			continue
		}
		layer := layerName(rec.text(8))
		if layer == "" {
			layer = "0"
		}
		var out []entity
		if rec.kind == "POLYLINE" {
			out = r.polyline(&rec)
		} else {
			out = rec.read()
		}
		for i := range out {
			out[i].layer = layer
			if s := out[i].shape; s != nil {
				r.points += len(s.Points)
			}
			r.points++ // so that entities without points count against the limit too
		}
		into = append(into, out...)
	}
	return into
}

// decodeText returns a text in UTF-8. Files since AutoCAD 2007 are in UTF-8; older ones are read as Latin-1,
// regardless of their code page. \U+XXXX becomes the character it names.
func decodeText(s string) string {
	s = strings.TrimSpace(s)
	if !utf8.ValidString(s) {
		runes := make([]rune, len(s))
		for i := range len(s) {
			runes[i] = rune(s[i])
		}
		s = string(runes)
	}
	for from := 0; ; {
		i := strings.Index(s[from:], `\U+`)
		if i < 0 || from+i+7 > len(s) {
			return s
		}
		i += from
		if n, err := strconv.ParseUint(s[i+3:i+7], 16, 32); err == nil {
			s = s[:i] + string(rune(n)) + s[i+7:]
		}
		from = i + 1
	}
}

// layerName returns the name of a layer or block, cut to the 255 characters that the format allows.
func layerName(s string) string {
	const most = 255
	if s = decodeText(s); utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most])
	}
	return s
}

// insert repeats a block.
type insert struct {
	block         string
	at            Affine // from coordinates relative to the base point of the block to those of the drawing
	line          int
	rows, columns int
	down, along   float64 // distances of rows and columns
	turn          Affine  // of the distances
}

// expander draws the entities of model space, and the blocks that they insert.
type expander struct {
	*dxf
	steps int
	open  []string // blocks that are being drawn
}

func (r *dxf) expand() error {
	x := expander{dxf: r}
	return x.draw(r.space, identity, "")
}

// draw adds entities to the drawing, mapped by move. Entities on layer 0 of a block go to the layer `on` of its insert;
// on is "" for model space.
func (x *expander) draw(list []entity, move Affine, on string) error {
	for i := range list {
		e := &list[i]
		layer := e.layer
		if on != "" && layer == "0" {
			layer = on
		}
		if x.steps++; x.steps > maxSteps {
			return one(diag.Position{File: x.file}, "blocks repeat more than %d entities\n"+
				"export only the layers that are needed", maxSteps)
		}
		if e.insert != nil {
			if err := x.insert(e.insert, move, layer); err != nil {
				return err
			}
			continue
		}
		if err := x.one(e, move, layer); err != nil {
			return err
		}
	}
	return nil
}

// one adds an entity that is not an insert.
func (x *expander) one(e *entity, move Affine, layer string) error {
	n := x.d.layer(x.layers, layer)
	on := &x.d.Layers[n]
	if len(x.d.Layers) > maxNames {
		return x.tooMuch()
	}
	switch {
	case e.unread != "":
		if on.Unread == nil {
			on.Unread = map[string]int{}
		}
		on.Unread[e.unread]++
	case e.text != nil && len(x.d.Texts) < maxShapes:
		t := *e.text
		t.Layer, t.At = n, move.Of(t.At)
		t.Height, t.Angle = t.Height*move.height(t.Angle), move.angle(t.Angle)
		x.d.Texts = append(x.d.Texts, t)
	case e.shape != nil:
		if x.points += len(e.shape.Points); x.points > 2*maxPoints || len(x.d.Shapes) >= maxShapes {
			return one(diag.Position{File: x.file, Line: e.shape.From.Line}, "the drawing has more than %d shapes or "+
				"%d points\nexport only the layers that are needed", maxShapes, maxPoints)
		}
		s := *e.shape
		s.Layer, s.Points = n, make(orb.LineString, len(s.Points))
		for i, p := range e.shape.Points {
			s.Points[i] = move.Of(p)
		}
		on.Shapes++
		x.d.Shapes = append(x.d.Shapes, s)
	}
	return nil
}

// insert adds a block once for each of the rows and columns of the insert.
func (x *expander) insert(in *insert, move Affine, layer string) error {
	at := diag.Position{File: x.file, Line: in.line}
	key := strings.ToLower(in.block)
	b := x.blocks[key]
	switch {
	case b == nil:
		names := slices.Sorted(maps.Keys(x.blocks))
		return one(at, "the file has no block %q\n%s", brief(in.block),
			diag.Suggest(key, names[:min(len(names), 100)], "its blocks are "))
	case slices.Contains(x.open, key):
		return one(at, "block %q contains itself", brief(b.name))
	case len(x.open) >= maxNested:
		return one(at, "blocks are nested more than %d deep", maxNested)
	}
	x.open = append(x.open, key)
	defer func() { x.open = x.open[:len(x.open)-1] }()
	base := Shift(-b.base[0], -b.base[1])
	for row := range in.rows {
		for column := range in.columns {
			off := in.turn.Of(orb.Point{in.along * float64(column), in.down * float64(row)})
			there := base.then(in.at).then(Shift(off[0], off[1])).then(move)
			if err := x.draw(b.entities, there, layer); err != nil {
				return err
			}
			if x.steps++; x.steps > maxSteps {
				return one(at, "block %q is repeated %s times\nexport only the layers that are needed", brief(b.name),
					fmt.Sprintf("%d x %d", in.rows, in.columns))
			}
		}
	}
	return nil
}
