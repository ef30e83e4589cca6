package spec

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/units"
)

// Schema returns the JSON schema (draft 2020-12) of machine files, for editors
// and other tools. It follows the reader's own types and rules; what depends on
// more than one value, or on the catalog, only the reader checks.
func Schema() ([]byte, error) {
	r := jsonschema.Reflector{
		Anonymous:      true,
		ExpandedStruct: true,
		FieldNameTag:   "yaml",
		Namer:          schemaName,
		Mapper:         mapLeaf,
	}
	s := r.Reflect(&Spec{})
	for _, section := range []reflect.Type{topologyType, localType} {
		s.Definitions[schemaName(section)] = &jsonschema.Schema{
			Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema,
			Required: []string{"family"},
		}
	}
	s.Title = "Plenum machine file"
	s.AnyOf = []*jsonschema.Schema{given("topology", "object"), given("fabrics", "array")}
	refine(s, s.Definitions, reflect.TypeFor[Spec]())
	for t := range sections {
		delete(s.Definitions, schemaName(t))
	}
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}

// given asks for a key with a value of a type.
func given(key, kind string) *jsonschema.Schema {
	s := &jsonschema.Schema{Required: []string{key}, Properties: jsonschema.NewProperties()}
	s.Properties.Set(key, &jsonschema.Schema{Type: kind})
	return s
}

// schemaName names the definition of a type.
func schemaName(t reflect.Type) string {
	switch t {
	case topologyType:
		return "Topology"
	case localType:
		return "LocalNetwork"
	}
	return t.Name()
}

// mapLeaf keeps named types that are not structs from becoming definitions;
// refine describes them in place.
func mapLeaf(t reflect.Type) *jsonschema.Schema {
	if t == topologyType || t == localType || t.Kind() != reflect.Struct && t.Name() != "" {
		return &jsonschema.Schema{}
	}
	return nil
}

// sections are the types of the sections in values that may also be written without any: rows are a number or a list,
// the end of a path is a rack position or an opening.
var sections = map[reflect.Type]reflect.Type{
	reflect.TypeFor[Rows]():    reflect.TypeFor[Row](),
	reflect.TypeFor[PathEnd](): reflect.TypeFor[HallOpening](),
}

// keyed is the type of the sections in values of a type.
func keyed(t reflect.Type) reflect.Type {
	b := strictyaml.Base(t)
	if section, ok := sections[b]; ok {
		return section
	}
	return b
}

// refine describes the values of a struct type, and of the structs inside it,
// as the reader takes them.
func refine(s *jsonschema.Schema, defs jsonschema.Definitions, t reflect.Type) {
	for _, f := range language.Fields(t) {
		ft := f.Type
		value := ValueSchema(ft, Bounds(f.Rule))
		if f.Required && ft.Kind() == reflect.Slice {
			one := uint64(1)
			for _, v := range append(value.AnyOf, value) {
				if v.Type == "array" {
					v.MinItems = &one
				}
			}
		}
		if !f.Required && strictyaml.Section(ft) {
			value = AnyOf(value, &jsonschema.Schema{Type: "null"})
		}
		value.Description = described(t, &f)
		s.Properties.Set(f.Key, value)
		if b := keyed(ft); b.Kind() == reflect.Struct {
			refine(defs[schemaName(b)], defs, b)
		}
	}
}

// Bounds are which values a field may have.
type Bounds struct {
	Min    float64  // least number
	Max    float64  // largest number; 0 where only the type bounds it
	Signed bool     // numbers may be negative
	Enum   []string // valid words
	// MostItems is the most values of a list, MostLetters the most characters of a text; 0 where nothing bounds them.
	MostItems, MostLetters int
}

// ValueSchema describes the values of a type: a section by a reference to the definition with the name of its type.
func ValueSchema(t reflect.Type, r Bounds) *jsonschema.Schema {
	switch {
	case strictyaml.Quantity(t):
		r.Signed = r.Signed && t != reflect.TypeFor[Excess]() // whose negative numbers are shares
		var most json.Number
		if q, ok := reflect.Zero(t).Interface().(interface{ Most() float64 }); ok {
			most = json.Number(decimals(q.Most()))
		}
		number := bounded("number", r, most)
		text := &jsonschema.Schema{Type: "string", Pattern: quantityPattern(t, r.Signed)}
		if t == reflect.TypeFor[Pitch]() {
			return AnyOf(number, text, &jsonschema.Schema{Type: "string", Enum: []any{fitWord}})
		}
		return AnyOf(number, text)
	case t.Kind() == reflect.Pointer:
		return ValueSchema(t.Elem(), r)
	case t == reflect.TypeFor[[]InStore]():
		file, item := &jsonschema.Schema{Type: "string"}, ValueSchema(t.Elem(), r)
		return AnyOf(file, &jsonschema.Schema{Type: "array", Items: AnyOf(file, item)})
	case t == reflect.TypeFor[Rows]():
		return AnyOf(bounded("integer", r, ""), &jsonschema.Schema{
			Type: "array", Items: ValueSchema(reflect.TypeFor[Row](), Bounds{}),
		})
	case t == reflect.TypeFor[PathEnd]():
		return AnyOf(&jsonschema.Schema{Type: "string"}, ValueSchema(reflect.TypeFor[HallOpening](), Bounds{}))
	case t.Kind() == reflect.Struct:
		return &jsonschema.Schema{Ref: "#/$defs/" + schemaName(t)}
	case t.Kind() == reflect.Slice:
		items := ValueSchema(t.Elem(), r)
		list := &jsonschema.Schema{Type: "array", Items: items, MaxItems: atMost(r.MostItems)}
		if strictyaml.Section(t.Elem()) {
			return list
		}
		if t == reflect.TypeFor[Fold]() {
			return AnyOf(&jsonschema.Schema{Type: "boolean"}, items, list)
		}
		return AnyOf(items, list)
	case t.Kind() == reflect.Map:
		one := uint64(1)
		keys := &jsonschema.Schema{
			Type: "object", PropertyNames: &jsonschema.Schema{MinLength: &one},
			AdditionalProperties: ValueSchema(t.Elem(), r),
		}
		if t == reflect.TypeFor[Breakout]() || t == reflect.TypeFor[RailColours]() {
			return AnyOf(ValueSchema(t.Elem(), r), keys)
		}
		return keys
	case t == reflect.TypeFor[Ports](), t == reflect.TypeFor[Positions]():
		return AnyOf(bounded("integer", r, ""), &jsonschema.Schema{Type: "string"})
	case t.Kind() == reflect.String:
		s := &jsonschema.Schema{Type: "string", MaxLength: atMost(r.MostLetters)}
		for _, word := range r.Enum {
			s.Enum = append(s.Enum, word)
		}
		return s
	case t.Kind() == reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case t.Kind() == reflect.Float64:
		return bounded("number", r, "")
	case t.Kind() == reflect.Uint64:
		return bounded("integer", r, "18446744073709551615")
	}
	return bounded("integer", r, json.Number(strconv.Itoa(strictyaml.MaxInt)))
}

// atMost is a limit of a schema, nil for none.
func atMost(n int) *uint64 {
	if n == 0 {
		return nil
	}
	most := uint64(n)
	return &most
}

// bounded describes a number.
func bounded(kind string, r Bounds, most json.Number) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: kind, Maximum: most}
	if r.Max > 0 {
		s.Maximum = json.Number(decimals(r.Max))
	}
	switch {
	case !r.Signed:
		s.Minimum = json.Number(decimals(r.Min))
	case s.Maximum != "":
		s.Minimum = "-" + s.Maximum
	}
	return s
}

// AnyOf joins alternatives, without nesting those that are alternatives already.
func AnyOf(alternatives ...*jsonschema.Schema) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	for _, a := range alternatives {
		if a.AnyOf != nil {
			s.AnyOf = append(s.AnyOf, a.AnyOf...)
		} else {
			s.AnyOf = append(s.AnyOf, a)
		}
	}
	return s
}

// quantityPattern matches the text of a quantity.
func quantityPattern(t reflect.Type, signed bool) string {
	sign := "[+]?"
	if signed {
		sign = "[-+]?"
	}
	if t == reflect.TypeFor[units.Money]() {
		return `^\s*` + sign + `[0-9][0-9,]*(\.[0-9]*)?\s*$`
	}
	var names []string
	for _, name := range reflect.Zero(t).Interface().(interface{ Units() []string }).Units() {
		names = append(names, regexp.QuoteMeta(name))
	}
	return `^\s*` + sign + `([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?\s*(` + strings.Join(names, "|") + `)?\s*$`
}

// decimals writes a number without an exponent.
func decimals(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
