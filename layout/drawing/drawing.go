package drawing

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/units"
)

// Limits of what is read.
const (
	maxFile   = 64 << 20
	maxShapes = 400_000
	maxPoints = 3_000_000
	maxSteps  = 2_000_000 // entities that inserts repeat, whether or not they draw anything
	maxNested = 32        // blocks in blocks
	maxNames  = 50_000    // layers, and blocks
	maxGroups = 4_000_000 // of one entity of DXF
	maxJSON   = 16 << 20  // bytes of a GeoJSON file, whose reader takes more memory for each byte
	maxMetres = 1e8       // of a coordinate
)

// Options say what a file does not say of itself. With the zero value only the file counts.
type Options struct {
	Unit     string       // of the coordinates, one of UnitNames; overrides the unit that the file states
	Property string       // the property of GeoJSON features that names their layer; "layer" if empty
	Pixel    units.Length // the side of a pixel of a PNG
}

// Drawing is the content of a file: lines and texts on layers, or a picture.
type Drawing struct {
	File   string
	Unit   Unit // of the file's coordinates
	Stated Unit // the unit that the file states, the zero Unit if it states none
	Layers []Layer
	Shapes []Shape
	Texts  []Text

	Picture image.Image // of a PNG, nil of other files
	// At maps pixels of the picture to metres: pixel (i, j) from the upper left begins at At.Of(i, j).
	At Affine

	file Affine // from the file's coordinates to metres
}

// Layer is a layer of a drawing.
type Layer struct {
	Name   string
	Hidden bool           // frozen or switched off
	Shapes int            // on it
	Unread map[string]int // entities on it that are not read, by kind
}

// Shape is a line, or the edge of an area.
type Shape struct {
	Layer  int            // of Drawing.Layers
	Points orb.LineString // at least two; those of a closed shape end where they begin
	Closed bool
	Filled bool   // an area, not just its edge
	From   Source // the entity that draws it
}

// Text is a text that the drawing shows.
type Text struct {
	Layer  int
	At     orb.Point // where its base line begins
	Height float64
	Angle  float64 // of the base line, counter-clockwise, in radians
	Text   string
}

// Source is where in a file a shape comes from.
type Source struct {
	Kind    string // of the entity: LWPOLYLINE, Polygon
	Line    int    // of DXF, where the entity begins
	Feature int    // of GeoJSON, from 1
}

// String names the entity and its place: "LINE at line 120".
func (s Source) String() string {
	if s.Line > 0 {
		return fmt.Sprintf("%s at line %d", s.Kind, s.Line)
	}
	return fmt.Sprintf("%s of feature %d", s.Kind, s.Feature)
}

// Extensions of files that can be read.
var Extensions = []string{".dxf", ".geojson", ".json", ".png"}

// Open reads a file; see Read.
func Open(path string, o Options) (*Drawing, error) {
	f, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	return Read(path, data, o)
}

// Read reads a drawing. The extension of its name says which kind of file it is.
func Read(name string, data []byte, o Options) (*Drawing, error) {
	at := diag.Position{File: name}
	if len(data) > maxFile {
		return nil, one(at, "the file is larger than %d MiB\nexport only the layers that are needed", maxFile>>20)
	}
	d := &Drawing{File: name}
	var err error
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".dxf":
		err = d.readDXF(data, o)
	case ".geojson", ".json":
		err = d.readGeoJSON(data, o)
	case ".png":
		err = d.readPNG(data, o)
	case ".dwg":
		return nil, one(at, "DWG files are not read\nsave the drawing as DXF")
	default:
		return nil, one(at, "a drawing is a .dxf, .geojson or .png file, not %q", ext)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// name returns the base name of the file, for messages that state the path already.
func (d *Drawing) name() string { return filepath.Base(d.File) }

// one returns a list with one error about a place in a file.
func one(at diag.Position, format string, args ...any) error {
	return diag.List{*at.Errorf(format, args...)}
}

// layer returns the index of the layer of the given name, upper and lower case being the same; it adds the layer if it
// is new.
func (d *Drawing) layer(known map[string]int, name string) int {
	key := strings.ToLower(name)
	i, ok := known[key]
	if !ok {
		i = len(d.Layers)
		known[key] = i
		d.Layers = append(d.Layers, Layer{Name: name})
	}
	return i
}

// scale converts coordinates of the file to metres, by the unit of the options or else the stated one. Without either
// it returns an error that begins with missing.
func (d *Drawing) scale(o Options, missing string) error {
	unit := d.Stated
	if o.Unit != "" {
		var ok bool
		if unit, ok = unitNamed(o.Unit); !ok {
			return diag.Fieldf("unit", "%q is not a unit of drawings\n%s", o.Unit,
				diag.Suggest(o.Unit, UnitNames(), "it is one of "))
		}
	}
	if unit.Metres == 0 {
		return diag.Fieldf("unit", "%s%s\ngive the unit of its coordinates%s", missing, d.extent(), d.likely())
	}
	d.Unit = unit
	d.file = Affine{A: unit.Metres, E: unit.Metres}
	d.Move(d.file)
	for i := range d.Shapes {
		for _, p := range d.Shapes[i].Points {
			if !(math.Abs(p[0]) <= maxMetres && math.Abs(p[1]) <= maxMetres) {
				return one(diag.Position{File: d.File, Line: d.Shapes[i].From.Line},
					"the %s lies %.3g m from the origin\nread it in a smaller unit than %s, or remove it",
					d.Shapes[i].From, max(math.Abs(p[0]), math.Abs(p[1])), unit.Name)
			}
		}
	}
	d.Texts = slices.DeleteFunc(d.Texts, func(t Text) bool {
		return !(math.Abs(t.At[0]) <= maxMetres && math.Abs(t.At[1]) <= maxMetres && t.Height <= maxMetres)
	})
	return nil
}

// Bound returns the bounding box of all shapes, empty if there are none.
func (d *Drawing) Bound() orb.Bound {
	b := orb.Bound{Min: orb.Point{1, 1}, Max: orb.Point{-1, -1}}
	for i := range d.Shapes {
		s := d.Shapes[i].Points.Bound()
		if i == 0 {
			b = s
		}
		b = b.Union(s)
	}
	return b
}

// extent returns the size of the drawing in the unit of the file, for a message.
func (d *Drawing) extent() string {
	if len(d.Shapes) == 0 {
		return ""
	}
	b := d.Bound()
	return fmt.Sprintf("; it is %s by %s of them", thousands(b.Max[0]-b.Min[0]), thousands(b.Max[1]-b.Min[1]))
}

// likely lists the units in which the drawing is as large as a building, for a message.
func (d *Drawing) likely() string {
	if len(d.Shapes) == 0 {
		return ""
	}
	b := d.Bound()
	if units := likely(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1], Unit{}); units != "" {
		return ": probably " + units
	}
	return ""
}

// Move maps all shapes, texts and the picture.
func (d *Drawing) Move(m Affine) {
	for i := range d.Shapes {
		for j, p := range d.Shapes[i].Points {
			d.Shapes[i].Points[j] = m.Of(p)
		}
	}
	for i := range d.Texts {
		t := &d.Texts[i]
		t.At = m.Of(t.At)
		t.Height, t.Angle = t.Height*m.height(t.Angle), m.angle(t.Angle)
	}
	d.At = d.At.then(m)
}

// trimMark removes the byte order mark that some editors put before a text.
func trimMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }
