package drawing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
)

// DefaultProperty names the layer of a GeoJSON feature.
const DefaultProperty = "layer"

// noLayer is the layer of features that name none.
const noLayer = "(none)"

// geometry is any object of a GeoJSON file: a collection, a feature or a geometry.
type geometry struct {
	Type        string          `json:"type"`
	Features    []feature       `json:"features"`
	Geometry    *geometry       `json:"geometry"`
	Geometries  []geometry      `json:"geometries"`
	Coordinates json.RawMessage `json:"coordinates"`
	Properties  map[string]any  `json:"properties"`
	CRS         *struct {
		Properties struct {
			Name string `json:"name"`
		} `json:"properties"`
	} `json:"crs"`
}

type feature struct {
	Type       string         `json:"type"`
	Geometry   *geometry      `json:"geometry"`
	Properties map[string]any `json:"properties"`
}

// geoReader collects what a GeoJSON file draws.
type geoReader struct {
	d          *Drawing
	property   string
	layers     map[string]int
	properties map[string]bool // of all features
	found      bool            // a feature has the property
	points     int
	faults     diag.List
}

func (d *Drawing) readGeoJSON(data []byte, o Options) error {
	at := diag.Position{File: d.File}
	if o.Pixel != 0 {
		return diag.Fieldf("pixel", "a GeoJSON file has no pixels\nremove it; unit is the scale")
	}
	if len(data) > maxJSON {
		return one(at, "the file is larger than %d MiB\nexport only the layers of the floor", maxJSON>>20)
	}
	var root geometry
	if err := json.Unmarshal(trimMark(data), &root); err != nil {
		return notGeoJSON(at, data, err)
	}
	if root.CRS != nil && geographic(root.CRS.Properties.Name) {
		return one(at, "its coordinates are degrees (%s), which do not lie in a plane\nsave it in a projected "+
			"coordinate "+
			"system, in metres", brief(root.CRS.Properties.Name))
	}
	r := &geoReader{
		d: d, property: o.Property, layers: map[string]int{}, properties: map[string]bool{},
	}
	if r.property == "" {
		r.property = DefaultProperty
	}
	switch root.Type {
	case "FeatureCollection":
		for i := range root.Features {
			r.feature(&root.Features[i], i+1)
		}
	case "Feature":
		r.feature(&feature{root.Type, root.Geometry, root.Properties}, 1)
	default:
		r.feature(&feature{Geometry: &root}, 1)
	}
	if err := r.faults.Err(); err != nil {
		return err
	}
	if !r.found && len(d.Shapes) > 0 {
		names := slices.Sorted(maps.Keys(r.properties))
		hint := "give every feature one"
		if len(names) > 0 {
			hint = diag.Suggest(r.property, names, "its properties are ")
		}
		return diag.Fieldf("property", "no feature of %s has a property %q that names its layer\n%s", d.File,
			r.property,
			hint)
	}
	return d.scale(o, "GeoJSON does not say in which unit it is drawn; by RFC 7946 its coordinates are degrees, "+
		"which do not lie in a plane")
}

// notGeoJSON returns where a file stops being JSON of the right form.
func notGeoJSON(at diag.Position, data []byte, err error) error {
	offset := int64(-1)
	var syntax *json.SyntaxError
	var form *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &form):
		offset = form.Offset
		err = fmt.Errorf("%s cannot be a %s", form.Field, form.Value)
	}
	if offset >= 0 {
		at.Line = 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
	}
	return one(at, "not GeoJSON: %v", err)
}

// geographic reports whether the name of a coordinate system is that of degrees.
func geographic(name string) bool {
	for _, end := range []string{"CRS84", "CRS84h", "::4326", ":4326", "::4979", "::4258", ":4258"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// feature draws a feature, the n-th of the file, counted from 1, on the layer that its property names, else on noLayer.
func (r *geoReader) feature(f *feature, n int) {
	layer := noLayer
	for key, value := range f.Properties {
		if len(r.properties) < 1000 {
			r.properties[layerName(key)] = true
		}
		if key == r.property && value != nil {
			layer, r.found = layerName(fmt.Sprint(value)), true
		}
	}
	if f.Geometry != nil {
		r.draw(f.Geometry, layer, n, 0)
	}
}

// draw draws a geometry of a feature.
func (r *geoReader) draw(g *geometry, layer string, n, depth int) {
	switch g.Type {
	case "Point", "MultiPoint":
		on := &r.d.Layers[r.d.layer(r.layers, layer)]
		if on.Unread == nil {
			on.Unread = map[string]int{}
		}
		on.Unread[g.Type]++
	case "LineString":
		r.lines(g, layer, n, 0, false)
	case "MultiLineString":
		r.lines(g, layer, n, 1, false)
	case "Polygon":
		r.lines(g, layer, n, 1, true)
	case "MultiPolygon":
		r.lines(g, layer, n, 2, true)
	case "GeometryCollection":
		if depth == maxNested {
			r.fault(n, "collections are nested more than %d deep", maxNested)
			return
		}
		for i := range g.Geometries {
			r.draw(&g.Geometries[i], layer, n, depth+1)
		}
	default:
		r.fault(n, "%q is not a geometry of GeoJSON", brief(g.Type))
	}
}

// lines draws lines, or rings, in lists in lists of the given depth.
func (r *geoReader) lines(g *geometry, layer string, n, depth int, rings bool) {
	lists := [][]corners{{nil}}
	var into any = &lists
	switch depth {
	case 0:
		into = &lists[0][0]
	case 1:
		into = &lists[0]
	}
	if err := json.Unmarshal(g.Coordinates, into); err != nil {
		r.fault(n, "the coordinates of the %s are not those of one: %v", g.Type, err)
		return
	}
	for _, list := range lists {
		for _, line := range list {
			r.line(orb.LineString(line), g.Type, layer, n, rings)
		}
	}
}

// corners are the points of a line, of which heights are left out.
type corners orb.LineString

// UnmarshalJSON reads them.
func (c *corners) UnmarshalJSON(text []byte) error {
	var list [][]float64
	if err := json.Unmarshal(text, &list); err != nil {
		return errors.New("they are not lists of positions")
	}
	for _, p := range list {
		if len(p) < 2 {
			return fmt.Errorf("a position has %d numbers", len(p))
		}
		if math.Abs(p[0]) > maxNumber || math.Abs(p[1]) > maxNumber {
			return errors.New("a position is further away than any building")
		}
		*c = append(*c, orb.Point{p[0], p[1]})
	}
	return nil
}

// line draws one line or ring.
func (r *geoReader) line(line orb.LineString, kind, layer string, n int, ring bool) {
	switch {
	case len(line) < 2:
		return
	case ring && (len(line) < 4 || line[0] != line[len(line)-1]):
		r.fault(n, "a ring of the %s is not closed: its last position is not its first", kind)
		return
	case len(r.d.Shapes) == maxShapes || r.points+len(line) > maxPoints:
		r.fault(n, "the drawing has more than %d shapes or %d points\nexport only the layers of the floor", maxShapes,
			maxPoints)
		return
	}
	r.points += len(line)
	on := r.d.layer(r.layers, layer)
	r.d.Layers[on].Shapes++
	closed := len(line) > 3 && line[0] == line[len(line)-1]
	r.d.Shapes = append(r.d.Shapes, Shape{
		Layer: on, Points: line, Closed: closed, Filled: ring, From: Source{Kind: kind, Feature: n},
	})
}

func (r *geoReader) fault(n int, format string, args ...any) {
	if !r.faults.Full() {
		r.faults.Addf(diag.Position{File: r.d.File}, "feature %d: "+format, append([]any{n}, args...)...)
	}
}
