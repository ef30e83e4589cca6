package strictyaml

import (
	"encoding"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Language is what a kind of file may have in it, beside what the types and tags of
// the struct say that it is read into.
type Language struct {
	// Empty and Second say what to do about an empty file and about a second
	// document in it.
	Empty, Second string
	// Enum gives the valid words of a field that has some beside those of its tag;
	// it may be nil.
	Enum func(of reflect.Type, key string) []string
	// Numerals are the types of text that may be written as a whole number.
	Numerals []reflect.Type
	// Variants are the sections whose keys depend on a value among them, by type.
	Variants map[reflect.Type]Variant
	// Elsewhere suggests what to do about a key that its section does not have but
	// the file has in another place; it may be nil.
	Elsewhere func(key string) string
}

// Variant is a section whose keys depend on one of its values, as those of a topology on its family.
type Variant struct {
	// Fields lists the keys that any form of the section has; their Index means nothing.
	Fields func() []Field
	// Begin says where values go. Text gives the text of a scalar as it stands in the file, empty where there is none;
	// target returns where the value of a key is read into, and done what the section is when all are read.
	Begin func(text func(key string) string) (target func(key string) reflect.Value, done func() any)
	// Keys lists the keys of the form that the section has, nil where that is not known: these are suggested in place
	// of a key that no form has.
	Keys func(text func(key string) string) []string
}

// Worded is a type of text with few valid words.
type Worded interface{ Words() []string }

// Alternative is a value that may be written in more than one way. Written returns
// what a value of a YAML tag (!!map, !!seq, !!str, !!bool, !!int, !!float) is read
// into, and takes it over once it is read; a nil pointer means the value's own type.
type Alternative interface {
	Written(tag string) (target any, take func())
}

// Rule is what a field asks of its value.
type Rule struct {
	Min    float64  // least number
	Max    float64  // largest number; 0 where only the type bounds it
	Signed bool     // numbers may be negative
	Enum   []string // valid words
	// MostItems is the most values of a list, MostLetters the most characters of a text; 0 where nothing bounds them.
	MostItems, MostLetters int
}

// Field is a struct field that a key of a mapping fills.
type Field struct {
	Key      string
	Index    int          // of the field in its struct
	Type     reflect.Type // of its value
	Required bool
	Rule     Rule
}

// Fields lists the keys of a struct type in order, with their rules.
func (l *Language) Fields(t reflect.Type) []Field {
	if variant, ok := l.Variants[t]; ok {
		return variant.Fields()
	}
	var out []Field
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		r := Rule{Signed: f.Tag.Get("signed") == "true"}
		r.Max, _ = strconv.ParseFloat(f.Tag.Get("most"), 64)
		r.MostItems, _ = strconv.Atoi(f.Tag.Get("items"))
		r.MostLetters, _ = strconv.Atoi(f.Tag.Get("letters"))
		if w, ok := reflect.Zero(Base(f.Type)).Interface().(Worded); ok {
			r.Enum = w.Words()
		}
		for _, tag := range strings.Split(f.Tag.Get("jsonschema"), ",") {
			switch name, value, _ := strings.Cut(tag, "="); name {
			case "minimum":
				r.Min, _ = strconv.ParseFloat(value, 64)
			case "enum":
				r.Enum = append(r.Enum, value)
			}
		}
		if l.Enum != nil {
			r.Enum = append(r.Enum, l.Enum(t, key)...)
		}
		out = append(out, Field{key, i, f.Type, !strings.Contains(options, "omit"), r})
	}
	return out
}

// Base is the type of the values in pointers, lists and maps of any depth.
func Base(t reflect.Type) reflect.Type {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	return t
}

var (
	// A field of type yaml.Node takes any value, as it stands in the file.
	anyValue    = reflect.TypeFor[yaml.Node]()
	unmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	alternative = reflect.TypeFor[Alternative]()
)

// Quantity reports whether values of the type are read from text, such as a number
// with a unit.
func Quantity(t reflect.Type) bool { return reflect.PointerTo(t).Implements(unmarshaler) }

// Section reports whether values of the type are mappings or lists, however they are
// written.
func Section(t reflect.Type) bool {
	b := Base(t)
	return b != anyValue && b.Kind() == reflect.Struct && !reflect.PointerTo(b).Implements(alternative) ||
		t.Kind() == reflect.Slice || t.Kind() == reflect.Map
}

// wholeNumber is one in plain decimal digits.
var wholeNumber = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
