package fileschema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/machine/spec"
)

// File is a kind of file.
type File struct {
	Title    string
	Language *strictyaml.Language
	Type     reflect.Type // of what a file is read into; the machine is its key machine
	// Fields describes the fields, as a text of names of types and keys, each with its description in indented lines
	// below.
	Fields string
	// AnyOf are keys of which a file has one or more; nil where there are none such.
	AnyOf []string
}

// Of returns the JSON schema (draft 2020-12) of a kind of file. The error names fields without a description.
func Of(file File) ([]byte, error) {
	text, err := spec.Schema()
	if err != nil {
		return nil, err
	}
	var machine jsonschema.Schema
	if err := json.Unmarshal(text, &machine); err != nil {
		return nil, err
	}
	b := &builder{
		file: file, defs: machine.Definitions, described: spec.Descriptions(file.Fields), own: map[string]bool{},
	}
	version := machine.Version
	// A machine is given without what a search or an axis puts there.
	machine.Version, machine.Title, machine.Definitions, machine.AnyOf = "", "", nil, nil
	b.defs["Machine"] = &machine
	root := b.section(file.Type)
	root.Version, root.Title, root.Definitions = version, file.Title, b.defs
	for _, key := range file.AnyOf {
		root.AnyOf = append(root.AnyOf, &jsonschema.Schema{Required: []string{key}})
	}
	if len(b.missing) > 0 {
		return nil, fmt.Errorf("fields without a description: %s", strings.Join(b.missing, ", "))
	}
	out, err := json.MarshalIndent(root, "", "  ")
	return append(out, '\n'), err
}

// builder makes the schema of one kind of file.
type builder struct {
	file      File
	defs      jsonschema.Definitions
	described map[string]string
	own       map[string]bool // names of definitions that are not of machine files
	missing   []string        // fields
}

// anyNode is the type of values that are kept as they stand in the file.
var anyNode = reflect.TypeFor[yaml.Node]()

// section is a mapping.
func (b *builder) section(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema,
	}
	for _, f := range b.file.Language.Fields(t) {
		value := b.value(t, &f)
		if f.Required {
			s.Required = append(s.Required, f.Key)
			if one := uint64(1); f.Type.Kind() == reflect.Slice {
				for _, v := range append(value.AnyOf, value) {
					if v.Type == "array" {
						v.MinItems = &one
					}
				}
			}
		} else if strictyaml.Section(f.Type) {
			value = spec.AnyOf(value, &jsonschema.Schema{Type: "null"})
		}
		name := t.Name() + "." + f.Key
		if value.Description = b.described[name]; value.Description == "" {
			b.missing = append(b.missing, name)
		}
		s.Properties.Set(f.Key, value)
	}
	return s
}

// value describes the values of a field of a type.
func (b *builder) value(of reflect.Type, f *strictyaml.Field) *jsonschema.Schema {
	base := strictyaml.Base(f.Type)
	switch {
	case of == b.file.Type && f.Key == "machine":
		return spec.AnyOf(&jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Ref: "#/$defs/Machine"})
	case base == anyNode && f.Type.Kind() == reflect.Slice:
		return &jsonschema.Schema{Type: "array"}
	case b.numeral(base):
		return spec.AnyOf(&jsonschema.Schema{Type: "integer"}, &jsonschema.Schema{Type: "string"})
	}
	if word, section := wordAndSection(base); section != nil {
		b.define(section)
		return spec.AnyOf(spec.ValueSchema(word, spec.Bounds(f.Rule)), spec.ValueSchema(section, spec.Bounds(f.Rule)))
	}
	if base.Kind() == reflect.Struct && strictyaml.Section(base) {
		b.define(base)
	}
	return spec.ValueSchema(f.Type, spec.Bounds(f.Rule))
}

// define describes the mappings of a type once.
func (b *builder) define(t reflect.Type) {
	name := t.Name()
	if b.own[name] {
		return
	}
	if _, ok := b.defs[name]; ok {
		panic("fileschema: machine files have a section " + name + " as well")
	}
	b.own[name] = true
	b.defs[name] = b.section(t)
}

// numeral reports whether values of a type may be written as a whole number or as text.
func (b *builder) numeral(t reflect.Type) bool {
	for _, n := range b.file.Language.Numerals {
		if n == t {
			return true
		}
	}
	return false
}

// wordAndSection returns the types of a value that is a word or a mapping; nil of any other.
func wordAndSection(t reflect.Type) (word, section reflect.Type) {
	a, ok := reflect.New(t).Interface().(strictyaml.Alternative)
	if !ok {
		return nil, nil
	}
	if target, _ := a.Written("!!str"); target != nil {
		word = reflect.TypeOf(target).Elem()
	}
	if target, _ := a.Written("!!map"); target != nil {
		section = reflect.TypeOf(target).Elem()
	}
	if word == nil || section == nil {
		return nil, nil
	}
	return word, section
}
