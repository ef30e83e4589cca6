package main

import (
	"fmt"
	"go/types"
	"reflect"
	"regexp"
	"strings"
)

// key is a line of a table: a key with those that lead to it, such as delay.routed[].hops_mean.
type key struct {
	path, kind, text string
}

// elsewhere are the types whose keys are documented on a page of their own, as are those of the files that they are
// read from.
var elsewhere = map[string]string{
	"machine/spec.Spec": "the machine file, with its defaults: [machine-file.md](../machine-file.md)",
	"topology.Spec":     "family and parameters, as in machine files: [machine-file.md](../machine-file.md#topology)",
	"catalog.Part":      "a part, as in catalog files: [catalog.md](../catalog.md)",
	"catalog.PriceSet":  "a price set, as in catalog files: [catalog.md](../catalog.md)",
}

// suffixes are the ends of the keys of quantities, and how their unit is written.
var suffixes = map[string]struct{ end, unit string }{
	"units.Length":      {"m", "m"},
	"units.Diameter":    {"mm", "mm"},
	"units.Area":        {"mm2", "mm²"},
	"units.Time":        {"ns", "ns"},
	"units.Elapsed":     {"s", "s"},
	"units.Frequency":   {"ghz", "GHz"},
	"units.Propagation": {"ns_per_m", "ns/m"},
	"units.Power":       {"w", "W"},
	"units.Energy":      {"kwh", "kWh"},
	"units.Tariff":      {"per_kwh", "currency/kWh"},
	"units.Mass":        {"kg", "kg"},
	"units.Flow":        {"lpm", "l/min"},
	"units.Loss":        {"db", "dB"},
	"units.Rate":        {"gbps", "Gb/s"},
	"units.Money":       {"", "currency"},
}

// usual are the meanings of keys that have the same in every object.
var usual = map[string]string{
	"mean": "the mean", "max": "the greatest", "min": "the least", "total": "the sum", "p10": "the 10 % quantile",
	"p50": "the median", "p90": "the 90 % quantile", "p99": "the 99 % quantile",
}

// walker makes the keys of one document.
type walker struct {
	*source
	keys   []key
	inside []types.Type // of the structs that are being walked
	wrong  []string     // keys that break the rule, or have no meaning
}

// fields lists the keys of a struct; outer are the units that the keys above tell.
func (w *walker) fields(t *types.Struct, path, outer string) {
	for i := range t.NumFields() {
		f := t.Field(i)
		name, options, _ := strings.Cut(reflect.StructTag(t.Tag(i)).Get("json"), ",")
		if name == "-" || !f.Exported() && !f.Embedded() {
			continue
		}
		if name == "" && f.Embedded() {
			if inner, ok := under(f.Type()).(*types.Struct); ok {
				w.fields(inner, path, outer)
				continue
			}
		}
		if name == "" {
			name = f.Name()
		}
		left := ""
		if strings.Contains(options, "omit") {
			left = ", or left out"
		}
		text := cleanComment(w.comments[w.at(f.Pos())], f.Name())
		if text == "" {
			text = usual[name]
		}
		if _, ok := elsewhere[typeName(f.Type())]; !ok && text == "" {
			w.wrong = append(w.wrong, fmt.Sprintf("%s: has no meaning: the field %s of package %s needs a comment",
				join(path, name), f.Name(), f.Pkg().Name()))
		}
		w.value(f.Type(), join(path, name), left, text, name+" "+outer)
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// cleanComment is a field's comment as the page has it: without the field's own name, without the full stop of a single
// sentence, and with links to the pages that it names.
func cleanComment(comment, name string) string {
	for _, verb := range []string{"is", "are"} {
		comment = strings.TrimPrefix(comment, name+" "+verb+" ")
	}
	if !sentences.MatchString(comment) {
		comment = strings.TrimSuffix(comment, ".")
	}
	comment = pages.ReplaceAllString(comment, "[$1](../$1$2)")
	return strings.ReplaceAll(comment, "(../reference/", "(")
}

// sentences finds the end of a sentence that another one follows; initials such as V. G. are none.
var sentences = regexp.MustCompile(`[^A-Z]\. [A-Z]`)

// pages finds the names of pages, with the heading that is meant.
var pages = regexp.MustCompile(`\bdocs/((?:internals/|reference/)?[\w-]+\.md)(#[\w-]+)?`)

// under is the type behind names and pointers.
func under(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying()
}

// value lists a key and those below it. Names are the key's own and those above it, nearest first.
func (w *walker) value(t types.Type, path, left, text, names string) {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
		if left == "" {
			left = ", or null"
		}
	}
	if note, ok := elsewhere[typeName(t)]; ok {
		w.add(path, "object"+left, note)
		return
	}
	if kind := w.plain(t, path, names); kind != "" {
		w.add(path, kind+left, text)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		w.add(path, "object"+left, text)
		for _, other := range w.inside {
			if types.Identical(other, t) {
				return
			}
		}
		w.inside = append(w.inside, t)
		w.fields(u, path, names)
		w.inside = w.inside[:len(w.inside)-1]
	case *types.Slice:
		w.list(u.Elem(), path, left, text, names)
	case *types.Array:
		w.list(u.Elem(), path, left, text, names)
	case *types.Map:
		w.add(path, "object"+left, text)
		w.value(u.Elem(), path+".*", "", "", names)
	default:
		w.add(path, "any"+left, text)
	}
}

// list lists the key of a list; what stands in it has a line of its own where it has keys.
func (w *walker) list(elem types.Type, path, left, text, names string) {
	if kind := w.plain(elem, path, names); kind != "" {
		w.add(path, "list of "+kind+left, text)
		return
	}
	w.add(path, "list"+left, text)
	before := len(w.keys)
	w.value(elem, path+"[]", "", "", names)
	if len(w.keys) > before && w.keys[before].path == path+"[]" && w.keys[before].text == "" {
		w.keys = append(w.keys[:before], w.keys[before+1:]...) // the line of the element itself says nothing
	}
}

func (w *walker) add(path, kind, text string) {
	w.keys = append(w.keys, key{path, kind, text})
}

// plain names the type of a value without keys, with its unit; nothing where it has keys. The unit must follow from
// the end of the nearest key that has a quantity's name.
func (w *walker) plain(t types.Type, path, names string) string {
	if q, ok := suffixes[typeName(t)]; ok {
		if q.end != "" && !tells(names, q.end) {
			w.wrong = append(w.wrong, fmt.Sprintf("%s: is in %s, so that a key must end with _%s", path, q.unit, q.end))
		}
		return "number, " + q.unit
	}
	if typeName(t) == "math/big.Int" {
		return "integer"
	}
	for _, method := range []string{"MarshalText", "MarshalJSON"} {
		if o, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, method); o != nil {
			return "text"
		}
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch info := b.Info(); {
		case info&types.IsString != 0:
			return "text"
		case info&types.IsBoolean != 0:
			return "true or false"
		case info&types.IsInteger != 0:
			return "integer"
		case info&types.IsFloat != 0:
			return "number"
		}
	}
	return ""
}

// tells reports whether one of the keys ends with a unit.
func tells(names, end string) bool {
	for name := range strings.FieldsSeq(names) {
		if name == end || strings.HasSuffix(name, "_"+end) || strings.Contains(name, "_"+end+"_per_") {
			return true
		}
	}
	return false
}
