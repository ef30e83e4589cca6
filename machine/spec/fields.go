package spec

import (
	"encoding"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/topology"
)

// What the types of Spec and their tags ask of a file: the reader and the
// schema both follow it.

// rule is what a field's tags ask of its value.
type rule struct {
	min    float64  // least number
	max    float64  // largest number; 0 where only the type bounds it
	signed bool     // numbers may be negative
	enum   []string // valid words
}

// field is a struct field that a key of a mapping fills.
type field struct {
	key      string
	index    int // -1 in a topology section
	typ      reflect.Type
	required bool
	rule     rule
}

// typeWords lists the valid words of types that have few.
var typeWords = map[reflect.Type][]string{
	reflect.TypeFor[catalog.Kind]():   words(catalog.Kinds[:slices.Index(catalog.Kinds, catalog.KindFreight)]),
	reflect.TypeFor[embed.Strategy](): words(embed.Strategies()),
	reflect.TypeFor[catalog.Medium](): words(catalog.Media),
	reflect.TypeFor[catalog.Face]():   {string(catalog.Front), string(catalog.Rear)},
	reflect.TypeFor[catalog.Confidence](): words([]catalog.Confidence{
		catalog.Datasheet, catalog.Paper, catalog.Derived,
		catalog.Estimate, catalog.User,
	}),
}

// fieldWords lists the valid words of text, by the type that has the field and its
// key. Where there are two or three they stand in the tag.
var fieldWords = map[string][]string{
	"Box.place":           {InRack, EndOfRow, NetworkRow},
	"Cabling.route":       {Direct, Manhattan, Tray},
	"Cabling.manager":     {string(cabling.Nearest), string(cabling.Left), string(cabling.Right)},
	"Delay.length":        {Routed, Stocked},
	"Embedding.effort":    Efforts(),
	"Embedding.objective": Objectives(),
	"Prices.model":        cost.ModelNames(),
}

// families are the words for topology.family.
func families() []string {
	var names []string
	for _, f := range topology.Families() {
		names = append(names, f.Name)
	}
	return names
}

// topologyType is read and described by the parameters of all families, as those that are
// taken depend on the family.
var topologyType = reflect.TypeFor[topology.Spec]()

// topologyFields lists the keys of a topology section.
func topologyFields() []field {
	out := []field{{
		key: "family", index: -1, typ: reflect.TypeFor[string](), required: true,
		rule: rule{enum: families()},
	}}
	for _, k := range topology.Keys() {
		out = append(out, field{key: k.Name, index: -1, typ: k.Type})
	}
	return out
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// fieldsOf lists the keys of a struct type in order, with their rules.
func fieldsOf(t reflect.Type) []field {
	if t == topologyType {
		return topologyFields()
	}
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		r := rule{signed: f.Tag.Get("signed") == "true", enum: typeWords[base(f.Type)]}
		r.max, _ = strconv.ParseFloat(f.Tag.Get("most"), 64)
		if words, ok := fieldWords[t.Name()+"."+key]; ok && t.PkgPath() == reflect.TypeFor[Spec]().PkgPath() {
			r.enum = words
		}
		for _, tag := range strings.Split(f.Tag.Get("jsonschema"), ",") {
			switch name, value, _ := strings.Cut(tag, "="); name {
			case "minimum":
				r.min, _ = strconv.ParseFloat(value, 64)
			case "enum":
				r.enum = append(r.enum, value)
			}
		}
		out = append(out, field{key, i, f.Type, !strings.Contains(options, "omit"), r})
	}
	return out
}

// base is the type of the values in pointers, lists and maps of any depth.
func base(t reflect.Type) reflect.Type {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	return t
}

var unmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

// quantity tells whether values of the type are read from text with a unit.
func quantity(t reflect.Type) bool { return reflect.PointerTo(t).Implements(unmarshaler) }

// portsType is text that may be written as a number.
var portsType = reflect.TypeFor[Ports]()

// wholeNumber is one in plain decimal digits.
var wholeNumber = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)

// foldType is a list that may be written as a truth value.
var foldType = reflect.TypeFor[Fold]()

// section tells whether values of the type are mappings or lists.
func section(t reflect.Type) bool {
	return base(t).Kind() == reflect.Struct || t.Kind() == reflect.Slice || t.Kind() == reflect.Map
}
