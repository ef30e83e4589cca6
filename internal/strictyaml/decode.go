package strictyaml

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
)

// decoder fills a struct from YAML nodes and notes where every value stands.
type decoder struct {
	doc    *Document
	lang   *Language
	fields map[reflect.Type][]Field
	inside int // aliases being followed
	left   int // values that aliases may still repeat
}

// decode fills target, a pointer to a struct, from the top-level value of a document.
func (l *Language) decode(doc *Document, root *yaml.Node, target any) {
	d := &decoder{doc: doc, lang: l, fields: map[reflect.Type][]Field{}, left: maxAliased}
	d.value(root, reflect.ValueOf(target).Elem(), "", Rule{})
}

// value decodes a node into v.
func (d *decoder) value(n *yaml.Node, v reflect.Value, path string, r Rule) {
	if _, ok := d.doc.at[path]; !ok {
		d.doc.at[path] = spanOf(n)
	}
	if n.Kind == yaml.AliasNode {
		d.inside++
		defer func() { d.inside-- }()
		n = n.Alias
	}
	if !d.withinAliases(n, path) {
		return
	}
	if n.Style&yaml.TaggedStyle != 0 {
		d.fail(n, path, "tags such as %s are not allowed\nremove it", n.ShortTag())
		return
	}
	t := v.Type()
	if empty(n) {
		d.fail(n, path, "has no value\nwrite one or remove the key")
		return
	}
	if t == anyValue {
		v.Set(reflect.ValueOf(*n))
		d.places(n, path)
		return
	}
	if a, ok := v.Addr().Interface().(Alternative); ok {
		if target, take := a.Written(n.ShortTag()); target != nil {
			d.value(n, reflect.ValueOf(target).Elem(), path, r)
			take()
			return
		}
	}
	switch {
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		d.value(n, v.Elem(), path, r)
	case t.Kind() == reflect.Struct:
		d.structure(n, v, path)
	case t.Kind() == reflect.Map:
		d.mapping(n, v, path, r)
	case t.Kind() == reflect.Slice:
		d.list(n, v, path, r)
	case n.Kind != yaml.ScalarNode:
		d.fail(n, path, "expected %s, found %s", describeType(t, r), describeNode(n))
	case Quantity(t):
		d.quantity(n, v, path, r)
	default:
		d.scalar(n, v, path, r)
	}
}

// places notes where everything in a value stands that is kept as it is. Values of aliases stand at the alias.
func (d *decoder) places(n *yaml.Node, path string) {
	if _, ok := d.doc.at[path]; !ok {
		d.doc.at[path] = spanOf(n)
	}
	for i, c := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			d.places(c, diag.Elem(path, i))
		case i%2 == 1:
			d.places(c, diag.Key(path, n.Content[i-1].Value))
		}
	}
}

// withinAliases counts the values that aliases add, and reports whether there are few enough.
func (d *decoder) withinAliases(n *yaml.Node, path string) bool {
	if d.inside == 0 || d.left < 0 {
		return d.inside == 0
	}
	if d.left -= max(1, len(n.Content)); d.left < 0 {
		d.fail(n, path, "aliases repeat more than %d values", maxAliased)
	}
	return d.left >= 0
}

// empty reports whether nothing is written for a value.
func empty(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// structure decodes a mapping with known keys.
func (d *decoder) structure(n *yaml.Node, v reflect.Value, path string) {
	t := v.Type()
	fields, ok := d.fields[t]
	if !ok {
		fields = d.lang.Fields(t)
		d.fields[t] = fields
	}
	var keys []string
	for _, f := range fields {
		keys = append(keys, f.Key)
	}
	suggested := func() []string { return keys }
	target := func(f Field) reflect.Value { return v.Field(f.Index) }
	if variant, ok := d.lang.Variants[t]; ok {
		text := func(key string) string { return textOf(n, key) }
		values, done := variant.Begin(text)
		suggested = func() []string {
			if form := variant.Keys(text); form != nil {
				return form
			}
			return keys
		}
		defer func() { v.Set(reflect.ValueOf(done())) }()
		target = func(f Field) reflect.Value { return values(f.Key) }
	}
	given, meant := map[string]bool{}, map[string]bool{}
	ok = d.pairs(n, path, func(key, value *yaml.Node) {
		i := slices.Index(keys, key.Value)
		if i < 0 && d.doc.full() { // a suggestion takes time
			d.doc.found.Miss()
			return
		}
		if i < 0 {
			suggestion, near := d.unknownKey(key.Value, suggested())
			meant[near] = near != ""
			d.fail(key, diag.Key(path, key.Value), "unknown key\n%s", suggestion)
			return
		}
		f := fields[i]
		target := target(f)
		if empty(value) && Section(target.Type()) {
			return
		}
		given[f.Key] = true
		at := diag.Key(path, f.Key)
		_, alternative := target.Addr().Interface().(Alternative)
		if Section(target.Type()) && (!alternative || value.Kind != yaml.ScalarNode) {
			d.doc.at[at] = spanOf(key)
		}
		d.value(value, target, at, f.Rule)
		if f.Required && value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			d.fail(value, at, "needs at least one value")
		}
	})
	for _, f := range fields {
		if meant[f.Key] && !given[f.Key] {
			given[f.Key] = true
			d.doc.lose(diag.Key(path, f.Key))
		}
		if ok && f.Required && !given[f.Key] && (d.doc.Whole || path != "") {
			hint := ""
			if f.Rule.Enum != nil {
				hint = "it is one of " + strings.Join(f.Rule.Enum, ", ")
			}
			d.doc.reject(d.doc.locate(path), diag.Fieldf(diag.Key(path, f.Key), "missing\n%s", hint))
		}
	}
}

// textOf is the text of the first value of a key of a mapping, empty if there is none.
func textOf(n *yaml.Node, key string) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			value := n.Content[i+1]
			if value.Kind == yaml.AliasNode {
				value = value.Alias
			}
			return value.Value
		}
	}
	return ""
}

// unknownKey suggests what to do about a key that the section does not have. nearest is the key that was probably
// meant, "" if none is near.
func (d *decoder) unknownKey(key string, keys []string) (suggestion, nearest string) {
	nearest, near := diag.Closest(key, keys)
	if !near {
		nearest, near = diag.Closest(key+"s", keys) // the keys of lists are plurals
	}
	if near {
		return diag.DidYouMean(nearest), nearest
	}
	if d.lang.Elsewhere != nil {
		if suggestion := d.lang.Elsewhere(key); suggestion != "" {
			return suggestion, ""
		}
	}
	return diag.Suggest(key, keys, "the keys here are "), ""
}

// mapping decodes a mapping with free keys. An entry is kept even if its value
// is wrong, so that a reference to its key is not called wrong as well.
func (d *decoder) mapping(n *yaml.Node, v reflect.Value, path string, r Rule) {
	t := v.Type()
	m := reflect.MakeMap(t)
	d.pairs(n, path, func(key, value *yaml.Node) {
		if key.Value == "" {
			d.fail(key, path, "a key is empty")
			return
		}
		e := reflect.New(t.Elem()).Elem()
		at := diag.Key(path, key.Value)
		d.doc.keys[at] = spanOf(key)
		if Section(t.Elem()) {
			d.doc.at[at] = spanOf(key)
		}
		d.value(value, e, at, r)
		m.SetMapIndex(reflect.ValueOf(key.Value).Convert(t.Key()), e)
	})
	if m.Len() > 0 {
		v.Set(m)
	}
}

// pairs yields the keys and values of a mapping. It reports whether it is one.
func (d *decoder) pairs(n *yaml.Node, path string, yield func(key, value *yaml.Node)) bool {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "expected keys with values, found %s", describeNode(n))
		return false
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch line, again := first[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			d.fail(key, path, "a key cannot be %s", describeNode(key))
		case key.Tag == "!!merge":
			d.fail(key, path, "merge keys are not supported\nwrite the keys out, or use an alias for a whole section")
		case key.Style&yaml.TaggedStyle != 0:
			d.fail(key, path, "tags such as %s are not allowed\nremove it", key.ShortTag())
		case again:
			d.fail(key, diag.Key(path, key.Value), "the key is on line %d already\nremove one of them", line)
		default:
			first[key.Value] = key.Line
			yield(key, value)
		}
	}
	return true
}

// list decodes a list, or a single value as a list of one where the elements
// are numbers or words.
func (d *decoder) list(n *yaml.Node, v reflect.Value, path string, r Rule) {
	elements := n.Content
	if n.Kind != yaml.SequenceNode {
		if Section(v.Type().Elem()) || n.Kind != yaml.ScalarNode {
			d.fail(n, path, "expected a list, found %s\nbegin every item with \"- \"", describeNode(n))
			return
		}
		elements = []*yaml.Node{n}
	}
	if len(elements) == 0 {
		return
	}
	if r.MostItems > 0 && len(elements) > r.MostItems {
		d.fail(n, path, "%d are more than the %d that there may be", len(elements), r.MostItems)
		return
	}
	r.MostItems = 0 // of lists within
	v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
	for i, e := range elements {
		d.value(e, v.Index(i), diag.Elem(path, i), r)
	}
}

// describeType words what a scalar of type t is.
func describeType(t reflect.Type, r Rule) string {
	switch {
	case r.Enum != nil:
		return "one of " + strings.Join(r.Enum, ", ")
	case Quantity(t):
		return "a " + strings.ToLower(t.Name())
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// describeNode words what a node is.
func describeNode(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys with values"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	if n.Value == "" {
		return "nothing"
	}
	return quote(n.Value)
}

// clip shortens a text for a message.
func clip(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	if r := []rune(s); len(r) > 100 {
		return string(r[:100]) + "..."
	}
	return s
}

func quote(s string) string { return strconv.Quote(clip(s)) }

// fail records that the value at a node cannot be read; see diag.Fieldf.
func (d *decoder) fail(n *yaml.Node, path, format string, args ...any) {
	if d.doc.full() {
		d.doc.reject(span{}, &diag.FieldError{Path: path}) // words take time
		return
	}
	d.doc.reject(spanOf(n), diag.Fieldf(path, format, args...))
}

// spanOf is how much of its line a node takes: a scalar its text, an alias its
// name, anything else the first character.
func spanOf(n *yaml.Node) span {
	at := span{line: n.Line, column: n.Column, length: 1, anchored: n.Anchor != ""}
	switch {
	case n.Kind == yaml.AliasNode:
		at.length = 1 + utf8.RuneCountInString(n.Value)
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0:
		at.length = utf8.RuneCountInString(n.Value)
		at.quoted = n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	}
	return at
}
