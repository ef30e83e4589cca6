package drawing

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
)

const plan = `{"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"layer": "floor", "name": "hall"}, "geometry":
 {"type": "Polygon", "coordinates":
  [[[100, 50, 3], [112, 50, 3], [112, 58, 3], [100, 58, 3], [100, 50, 3]],
   [[105, 55], [106, 55], [106, 56], [105, 55]]]}},
 {"type": "Feature", "properties": {"layer": "columns"}, "geometry": {"type": "MultiPolygon", "coordinates":
  [[[[102, 53], [102.5, 53], [102.5, 53.5], [102, 53]]], [[[108, 53], [108.5, 53], [108.5, 53.5], [108, 53]]]]}},
 {"type": "Feature", "properties": {"layer": "walls"}, "geometry": {"type": "GeometryCollection", "geometries": [
  {"type": "LineString", "coordinates": [[104, 50], [104, 53]]},
  {"type": "MultiLineString", "coordinates": [[[104, 54], [104, 58]]]}, {"type": "Point", "coordinates": [104, 53]}]}},
 {"type": "Feature", "properties": null, "geometry": null}
]}`

// TestGeoJSON reads geometries of every kind, with the layers of their features.
func TestGeoJSON(t *testing.T) {
	d, err := Read("hall.geojson", []byte(plan), Options{Unit: "m"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Lay(Placing{}, Roles{Outline: {"floor"}, Columns: {"columns"}, Walls: {"walls"}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "12x8 beyond (5,5)-(6,6) walls (4,0)-(4,3) (4,4)-(4,8) columns (2,3)-(2.5,3.5) (8,3)-(8.5,3.5)"
	if got := written(f); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "layer walls of hall.geojson (walls) has 1 Point, not read") {
		t.Errorf("notes %q", f.Notes)
	}
	if d, err = Read("p.json", []byte(strings.ReplaceAll(plan, "layer", "storey")), Options{
		Unit: "ft", Property: "storey",
	}); err != nil || d.Bound().Max[0] != 112*0.3048 {
		t.Errorf("%v: %v", d, err)
	}
}

// TestBrokenGeoJSON tells what is wrong, and where.
func TestBrokenGeoJSON(t *testing.T) {
	line := func(coordinates string) string {
		return `{"type": "Feature", "properties": {"layer": "a"}, "geometry": {"type": "LineString", "coordinates": ` +
			coordinates + `}}`
	}
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{plan, Options{}, "unit: GeoJSON does not say in which unit it is drawn; by RFC 7946 its coordinates are " +
			"degrees"},
		{
			plan,
			Options{Unit: "m", Property: "lyer"},
			`property: no feature of test.geojson has a property "lyer" that ` +
				`names its layer; did you mean "layer"?`,
		},
		{plan, Options{Unit: "m", Pixel: 1}, "pixel: a GeoJSON file has no pixels"},
		{"{\n\"type\": [}", Options{}, "test.geojson:2: not GeoJSON: invalid character"},
		{`{"type": 7}`, Options{}, "not GeoJSON: type cannot be a number"},
		{"", Options{}, "not GeoJSON: unexpected end"},
		{`{"type": "Topology"}`, Options{}, `feature 1: "Topology" is not a geometry of GeoJSON`},
		{`{"type": "LineString", "coordinates": [[0, 0], [1]]}`, Options{}, "a position has 1 numbers"},
		{line(`[[0, 0], [1e300, 0]]`), Options{}, "a position is further away than any building"},
		{line(`[[0, 0], [1e999, 0]]`), Options{}, "they are not lists of positions"},
		{line(`[[0, 0], [1e14, 0]]`), Options{Unit: "m"}, "lies 1e+14 m from the origin"},
		{
			strings.Replace(line(`[[[0, 0], [1, 0], [1, 1]]]`), "LineString", "Polygon", 1),
			Options{},
			"a ring of the Polygon is not closed",
		},
		{
			`{"type": "FeatureCollection", "crs": {"properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}}`,
			Options{Unit: "m"},
			"its coordinates are degrees (urn:ogc:def:crs:OGC:1.3:CRS84)",
		},
		{
			strings.Repeat(`{"type": "GeometryCollection", "geometries": [`, 100) + strings.Repeat("]}", 100),
			Options{},
			"collections are nested more than 32 deep",
		},
	} {
		_, err := Read("test.geojson", []byte(c.text), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s: %v; not %q", c.text, err, c.want)
		}
	}
	// Degrees that are taken for metres make a room of no size.
	degrees := strings.NewReplacer("112", "100.0001", "58", "50.0001", "106", "100.00005", "105",
		"100.00003").Replace(plan)
	d, err := Read("test.geojson", []byte(degrees), Options{Unit: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = d.Lay(Placing{}, Roles{Outline: {"floor"}}); diag.Fields(err) == nil {
		t.Error(err)
	}
}

// FuzzGeoJSON reads any bytes, and lays out a floor on what it read.
func FuzzGeoJSON(f *testing.F) {
	f.Add([]byte(plan))
	f.Add([]byte(`{"type": "LineString", "coordinates": [[0, 0], [1, 0]]}`))
	f.Add([]byte(`{"type": "Feature", "properties": {"layer": 3}, "geometry":
		{"type": "MultiLineString", "coordinates": []}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, err := Read("fuzz.geojson", data, Options{Unit: "m"}); err == nil {
			layAll(t, d)
		}
	})
}
