package solid

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// IFC writes a plan as a model of IFC 4 (ISO 16739-1:2018) in a STEP file, in metres.
func IFC(ctx context.Context, w io.Writer, r *machine.Result) error {
	m, err := New(ctx, r, DefaultLimits)
	if err != nil {
		return err
	}
	return m.IFC(w)
}

// class is the IFC class of the solids or lines of a kind.
type class struct {
	entity string
	// predefined is the value of PredefinedType; called is the ObjectType where that is USERDEFINED.
	predefined enum
	called     string
	// hasType is true if all things of one part share an object type, whose entity is this one with TYPE appended.
	hasType bool
}

const userDefined enum = "USERDEFINED"

// classes has the class of each kind of solid with a shape of its own and of each kind of line. IfcFurnitureTypeEnum
// has TECHNICALCABINET from IFC 4.3 on only; in IFC 4, a rack is of a user-defined type of that name.
var classes = [kinds]class{
	Floor:     {entity: "IFCSLAB", predefined: "FLOOR"},
	Wall:      {entity: "IFCWALL", predefined: "NOTDEFINED"},
	Door:      {entity: "IFCBUILDINGELEMENTPROXY", predefined: userDefined, called: "FLOOR BEFORE A DOOR"},
	Column:    {entity: "IFCCOLUMN", predefined: "COLUMN"},
	KeepOut:   {entity: "IFCBUILDINGELEMENTPROXY", predefined: userDefined, called: "KEEP-OUT"},
	Rack:      {entity: "IFCFURNITURE", predefined: userDefined, called: "TECHNICALCABINET", hasType: true},
	Node:      {entity: "IFCCOMMUNICATIONSAPPLIANCE", predefined: "COMPUTER", hasType: true},
	Service:   {entity: "IFCCOMMUNICATIONSAPPLIANCE", predefined: userDefined, called: "SERVICE BOX", hasType: true},
	Switch:    {entity: "IFCCOMMUNICATIONSAPPLIANCE", predefined: "NETWORKAPPLIANCE", hasType: true},
	Panel:     {entity: "IFCCOMMUNICATIONSAPPLIANCE", predefined: userDefined, called: "PATCH PANEL", hasType: true},
	Tray:      {entity: "IFCCABLECARRIERSEGMENT", predefined: "CABLETRAYSEGMENT"},
	FullTray:  {entity: "IFCCABLECARRIERSEGMENT", predefined: "CABLETRAYSEGMENT"},
	Copper:    {entity: "IFCCABLESEGMENT", predefined: "CABLESEGMENT"},
	Fibre:     {entity: "IFCCABLESEGMENT", predefined: "CABLESEGMENT"},
	Mixed:     {entity: "IFCCABLESEGMENT", predefined: "CABLESEGMENT"},
	Container: {entity: "IFCBUILDINGELEMENTPROXY", predefined: userDefined, called: "CONTAINER"},
}

// ifcWriter writes the instances of a model.
type ifcWriter struct {
	*stepFile
	*Model
	body       ref            // the context of shapes
	up         ref            // the placement at the origin
	styles     [kinds]ref     // of the surfaces of each kind that the model has
	maps       []ref          // by shape; 0 before its first use
	ids        map[string]int // how many GlobalIds there are so far of each name
	placements []ref          // of each storey
	contents   [][]ref        // of each storey: the storey itself, then the elements in it
	types      map[string]*typeOf
	order      []string // the keys of types, as they came up
}

// typeOf is the object type of one part, and the elements that have it.
type typeOf struct {
	ref ref
	of  []ref
}

// head begins a file. Its date is always the same: a plan has none, and the same plan gives the same bytes.
const head = `ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('ViewDefinition [DesignTransferView_V1.0]'),'2;1');
FILE_NAME(%s,'1970-01-01T00:00:00',(''),(''),'Plenum %s','Plenum %s','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
`

// IFC writes the model as a file of IFC 4. The file is made in memory and written at once.
func (m *Model) IFC(w io.Writer) error {
	f := &ifcWriter{
		stepFile: &stepFile{one: map[string]ref{}}, Model: m, maps: make([]ref, len(m.Shapes)), ids: map[string]int{},
		contents: make([][]ref, len(m.Storeys)), types: map[string]*typeOf{},
	}
	f.text = fmt.Appendf(f.text, head, stepText(nil, label(m.Name)), machine.Version, machine.Version)
	f.building()
	for i := range m.Solids {
		if s := &m.Solids[i]; s.Shape >= 0 {
			f.element(s.Kind, s.Name, s.Storey, f.placement(s), f.sharedShape(s.Shape), s.Facts)
		}
	}
	for i := range m.Lines {
		l := &m.Lines[i]
		f.element(l.Kind, l.Name, l.Storey, f.placements[l.Storey], f.sweptShape(l), l.Facts)
	}
	f.writeRelations()
	f.text = append(f.text, "ENDSEC;\nEND-ISO-10303-21;\n"...)
	_, err := w.Write(f.text)
	return err
}

// id returns a new GlobalId, derived from the name of the machine, from what a thing is, from its name, and from how
// many things had that name before.
func (f *ifcWriter) id(what, name string) string {
	key := what + "\x00" + name
	n := f.ids[key]
	f.ids[key]++
	return identifier(f.Name, what, name, strconv.Itoa(n))
}

// building writes what contains everything else: project, site, building, storeys, and the space of each storey with
// walls.
func (f *ifcWriter) building() {
	unit := func(of, prefix, name string) ref {
		var p any
		if prefix != "" {
			p = enum(prefix)
		}
		return f.add("IFCSIUNIT", star{}, enum(of), p, enum(name))
	}
	all := f.add("IFCUNITASSIGNMENT", []ref{
		unit("LENGTHUNIT", "", "METRE"), unit("AREAUNIT", "", "SQUARE_METRE"), unit("VOLUMEUNIT", "", "CUBIC_METRE"),
		unit("PLANEANGLEUNIT", "", "RADIAN"), unit("MASSUNIT", "KILO", "GRAM"), unit("POWERUNIT", "", "WATT"),
	})
	f.up = f.axes(layout.Point{})
	model := f.add("IFCGEOMETRICREPRESENTATIONCONTEXT", nil, "Model", 3, 1e-5, f.up, nil)
	f.body = f.add("IFCGEOMETRICREPRESENTATIONSUBCONTEXT", "Body", "Model", star{}, star{}, star{}, star{}, model, nil,
		enum("MODEL_VIEW"), nil)
	for k, used := range f.used() {
		if used {
			f.styles[k] = f.style(Kind(k))
		}
	}
	name := label(f.Name)
	project := f.add("IFCPROJECT", f.id("project", ""), nil, name, nil, nil, nil, nil, []ref{model}, all)
	at := f.add("IFCLOCALPLACEMENT", nil, f.up)
	site := f.add("IFCSITE", f.id("site", ""), nil, "site", nil, nil, at, nil, nil, enum("ELEMENT"),
		nil, nil, nil, nil, nil)
	house := f.add("IFCLOCALPLACEMENT", at, f.up)
	building := f.add("IFCBUILDING", f.id("building", ""), nil, name, nil, nil, house, nil, nil, enum("ELEMENT"),
		nil, nil, nil)
	f.aggregate("site", project, site)
	f.aggregate("building", site, building)
	var storeys []ref
	for i := range f.Storeys {
		s := &f.Storeys[i]
		stand := f.add("IFCLOCALPLACEMENT", house, f.axes(layout.Point{Z: s.At.Z}))
		storey := f.add("IFCBUILDINGSTOREY", f.id("storey", s.Name), nil, label(s.Name), nil, nil, stand, nil, nil,
			enum("ELEMENT"), float64(s.At.Z))
		storeys, f.placements = append(storeys, storey), append(f.placements, stand)
		if s.Height > 0 {
			f.space(s, stand, storey)
		}
	}
	f.aggregate("storeys", building, storeys...)
	for i, storey := range storeys { // the elements follow as they are written
		f.contents[i] = append(f.contents[i], storey)
	}
}

// space writes the space of a storey, from its floor to the top of its walls.
func (f *ifcWriter) space(s *Storey, stand, storey ref) {
	w, d := float64(s.Size[0]), float64(s.Size[1])
	shape := f.add("IFCSHAPEREPRESENTATION", f.body, "Body", "SweptSolid", []ref{
		f.extrude(&Part{Hi: [3]float64{w, d, float64(s.Height)}}),
	})
	space := f.add("IFCSPACE", f.id("space", s.Name), nil, label(s.Name), nil, nil,
		f.add("IFCLOCALPLACEMENT", stand, f.axes(layout.Point{X: s.At.X, Y: s.At.Y})),
		f.add("IFCPRODUCTDEFINITIONSHAPE", nil, nil, []ref{shape}), nil, enum("ELEMENT"), enum("INTERNAL"), nil)
	f.aggregate("space of "+s.Name, storey, space)
}

// aggregate writes that a whole consists of parts.
func (f *ifcWriter) aggregate(name string, whole ref, parts ...ref) {
	f.add("IFCRELAGGREGATES", f.id("aggregate", name), nil, nil, nil, whole, parts)
}

// style writes the style of the surfaces of a kind.
func (f *ifcWriter) style(k Kind) ref {
	c := k.Color()
	share := func(v uint8) float64 { return float64(v) / 255 }
	colour := f.add("IFCCOLOURRGB", nil, share(c.R), share(c.G), share(c.B))
	shading := f.add("IFCSURFACESTYLESHADING", colour, 1-share(c.A))
	return f.add("IFCSURFACESTYLE", k.String(), enum("BOTH"), []ref{shading})
}

func (f *ifcWriter) point(v ...float64) ref { return f.shared("IFCCARTESIANPOINT", v) }

// axes writes a position without rotation, relative to the placement or shape in which it is used.
func (f *ifcWriter) axes(p layout.Point) ref {
	return f.shared("IFCAXIS2PLACEMENT3D", f.point(float64(p.X), float64(p.Y), float64(p.Z)), nil, nil)
}

// placement writes the placement of a solid in its storey, turned as the solid and those that hold it are.
func (f *ifcWriter) placement(s *Solid) ref {
	p, turned := s.At, s.Turned
	for in := s.In; in >= 0; in = f.Solids[in].In {
		h := &f.Solids[in]
		for range h.Turned {
			p.X, p.Y = -p.Y, p.X
		}
		p = layout.Point{X: p.X + h.At.X, Y: p.Y + h.At.Y, Z: p.Z + h.At.Z}
		turned += h.Turned
	}
	p.Z -= f.Storeys[s.Storey].At.Z
	at := f.point(float64(p.X), float64(p.Y), float64(p.Z))
	if turned %= 4; turned == 0 {
		return f.add("IFCLOCALPLACEMENT", f.placements[s.Storey], f.axes(p))
	}
	x := [4][]float64{1: {0, 1, 0}, 2: {-1, 0, 0}, 3: {0, -1, 0}}[turned]
	return f.add("IFCLOCALPLACEMENT", f.placements[s.Storey], f.add("IFCAXIS2PLACEMENT3D", at,
		f.shared("IFCDIRECTION", []float64{0, 0, 1}), f.shared("IFCDIRECTION", x)))
}

// sharedShape returns the shape representation of a solid. It writes the bodies of a shape at its first use only, for
// all solids that have it.
func (f *ifcWriter) sharedShape(shape int32) ref {
	if f.maps[shape] == 0 {
		var items []ref
		parts := f.Shapes[shape].Parts
		for i := range parts {
			item := f.extrude(&parts[i])
			f.add("IFCSTYLEDITEM", item, []ref{f.styles[parts[i].Kind]}, nil)
			items = append(items, item)
		}
		f.maps[shape] = f.add("IFCREPRESENTATIONMAP", f.up,
			f.add("IFCSHAPEREPRESENTATION", f.body, "Body", "SweptSolid", items))
	}
	as := f.shared("IFCCARTESIANTRANSFORMATIONOPERATOR3D", nil, nil, f.point(0, 0, 0), nil, nil)
	item := f.add("IFCMAPPEDITEM", f.maps[shape], as)
	return f.add("IFCSHAPEREPRESENTATION", f.body, "Body", "MappedRepresentation", []ref{item})
}

// extrude writes a block or prism as an area that is moved upwards: the item of a shape representation.
func (f *ifcWriter) extrude(p *Part) ref {
	up := f.shared("IFCDIRECTION", []float64{0, 0, 1})
	if p.Ring == nil {
		w, d := p.Hi[0]-p.Lo[0], p.Hi[1]-p.Lo[1]
		middle := f.shared("IFCAXIS2PLACEMENT2D", f.point(0, 0), nil)
		area := f.shared("IFCRECTANGLEPROFILEDEF", enum("AREA"), nil, middle, w, d)
		at := layout.Point{
			X: units.Length(p.Lo[0] + w/2), Y: units.Length(p.Lo[1] + d/2), Z: units.Length(p.Lo[2]),
		}
		return f.add("IFCEXTRUDEDAREASOLID", area, f.axes(at), up, p.Hi[2]-p.Lo[2])
	}
	var corners []ref
	for _, q := range p.Ring {
		corners = append(corners, f.point(q[0], q[1]))
	}
	area := f.add("IFCARBITRARYCLOSEDPROFILEDEF", enum("AREA"), nil, f.add("IFCPOLYLINE", append(corners, corners[0])))
	return f.add("IFCEXTRUDEDAREASOLID", area, f.axes(layout.Point{Z: units.Length(p.Lo[2])}), up, p.Hi[2]-p.Lo[2])
}

// sweptShape returns the shape representation of a line, as a disc that is moved along it.
func (f *ifcWriter) sweptShape(l *Line) ref {
	var way []ref
	for _, p := range l.Points {
		way = append(way, f.point(float64(p.X), float64(p.Y), float64(p.Z-f.Storeys[l.Storey].At.Z)))
	}
	radius := math.Max(float64(l.Diameter)/2, 1e-4)
	item := f.add("IFCSWEPTDISKSOLID", f.add("IFCPOLYLINE", way), radius, nil, nil, nil)
	f.add("IFCSTYLEDITEM", item, []ref{f.styles[l.Kind]}, nil)
	return f.add("IFCSHAPEREPRESENTATION", f.body, "Body", "AdvancedSweptSolid", []ref{item})
}

// element writes a solid or line with its facts as properties. If its class has a type, the fact that names its part or
// type of rack gives its object type and is not a property.
func (f *ifcWriter) element(k Kind, name string, storey int32, at, shape ref, facts []Fact) {
	c := &classes[k]
	var called any
	if c.called != "" {
		called = c.called
	}
	e := f.add(c.entity, f.id(c.entity, name), nil, label(name), nil, called, at,
		f.add("IFCPRODUCTDEFINITIONSHAPE", nil, nil, []ref{shape}), nil, c.predefined)
	f.contents[storey] = append(f.contents[storey], e)
	var properties []ref
	part := ""
	for i := range facts {
		if key := facts[i].Key; c.hasType && (key == "part" || key == "rack_type") {
			part = facts[i].Text
			continue
		}
		properties = append(properties, f.property(&facts[i]))
	}
	if c.hasType {
		f.addToType(c, part, e)
	}
	if len(properties) > 0 {
		set := f.add("IFCPROPERTYSET", f.id("properties of "+c.entity, name), nil, "Plenum", nil, properties)
		f.add("IFCRELDEFINESBYPROPERTIES", f.id("has properties "+c.entity, name), nil, nil, nil, []ref{e}, set)
	}
}

// addToType adds element e to the object type of a part, which it writes at the first use.
func (f *ifcWriter) addToType(c *class, part string, e ref) {
	if part == "" {
		part = "rack"
	}
	key := c.entity + string(c.predefined) + c.called + "\x00" + part
	t := f.types[key]
	if t == nil {
		var called any
		if c.called != "" {
			called = c.called
		}
		values := []any{f.id("type "+c.entity+c.called, part), nil, label(part), nil, nil, nil, nil, nil, called}
		if c.entity == "IFCFURNITURE" {
			values = append(values, enum("NOTDEFINED")) // AssemblyPlace, which furniture types alone have
		}
		t = &typeOf{ref: f.add(c.entity+"TYPE", append(values, c.predefined)...)}
		f.types[key] = t
		f.order = append(f.order, key)
	}
	t.of = append(t.of, e)
}

// property writes a fact as a single value. Numbers are in the units of the project, and keys name the unit as well.
func (f *ifcWriter) property(x *Fact) ref {
	var v typed
	switch x.Measure {
	case Text:
		v = typed{"IFCTEXT", x.Text}
	case Count:
		v = typed{"IFCINTEGER", int(x.Number)}
	case Watts:
		v = typed{"IFCPOWERMEASURE", x.Number}
	case Kilograms:
		v = typed{"IFCMASSMEASURE", x.Number}
	case Metres:
		v = typed{"IFCLENGTHMEASURE", x.Number}
	case Percent:
		v = typed{"IFCREAL", x.Number}
	}
	return f.shared("IFCPROPERTYSINGLEVALUE", x.Key, nil, v, nil)
}

// writeRelations writes which elements are in each storey and which are of each object type.
func (f *ifcWriter) writeRelations() {
	for i, held := range f.contents {
		if len(held) > 1 {
			f.add("IFCRELCONTAINEDINSPATIALSTRUCTURE", f.id("contained", f.Storeys[i].Name), nil, nil, nil, held[1:],
				held[0])
		}
	}
	for _, key := range f.order {
		f.add("IFCRELDEFINESBYTYPE", f.id("of type", key), nil, nil, nil, f.types[key].of, f.types[key].ref)
	}
}
