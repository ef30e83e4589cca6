package spec

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
)

// The decoder fills Spec from YAML nodes, strictly, and notes where every value
// stands. It differs from the YAML library's own in that it finds all mistakes,
// and each with its place. What it accepts:
//
//   - Keys must be known and come once. A key without "omitempty" is required.
//   - A list of numbers or words may be written as a single number or word, that
//     of folded dimensions also as true or false.
//   - Whole numbers are decimal digits: 010, 0x10 and 1e3 mean different things
//     to different readers, so they are refused.
//   - Text that YAML takes for a number, true, false or null needs quotes.
//   - Numbers and quantities are not negative, except coordinates (`signed`).
//   - Aliases are followed; merge keys (<<) and tags (!!int) are refused.
//   - A section (mapping or list) without a value counts as left out.
type decoder struct {
	doc    *document
	root   reflect.Type // of what is decoded
	fields map[reflect.Type][]field
	whole  bool // the file lost no section to a syntax error
	inside int  // aliases being followed
	left   int  // values that aliases may still repeat
}

// decode fills target, a pointer to a struct, from a document node.
func decode(doc *document, root *yaml.Node, target any, whole bool) {
	v := reflect.ValueOf(target).Elem()
	d := &decoder{doc: doc, root: v.Type(), fields: map[reflect.Type][]field{}, whole: whole, left: maxAliased}
	d.value(root.Content[0], v, "", rule{})
}

// value decodes a node into v.
func (d *decoder) value(n *yaml.Node, v reflect.Value, path string, r rule) {
	if _, ok := d.doc.at[path]; !ok {
		d.doc.at[path] = spanOf(n)
	}
	if n.Kind == yaml.AliasNode {
		d.inside++
		defer func() { d.inside-- }()
		n = n.Alias
	}
	if d.doc.full() || !d.withinAliases(n, path) {
		return
	}
	if n.Style&yaml.TaggedStyle != 0 {
		d.fail(n, path, "tags such as %s are not allowed\nremove it", n.ShortTag())
		return
	}
	t := v.Type()
	switch {
	case empty(n):
		d.fail(n, path, "has no value\nwrite one or remove the key")
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		d.value(n, v.Elem(), path, r)
	case t.Kind() == reflect.Struct:
		d.structure(n, v, path)
	case t.Kind() == reflect.Map:
		d.mapping(n, v, path, r)
	case t == foldType && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool":
		v.Set(reflect.ValueOf(Fold{strings.ToLower(n.Value)}))
	case t.Kind() == reflect.Slice:
		d.list(n, v, path, r)
	case n.Kind != yaml.ScalarNode:
		d.fail(n, path, "expected %s, found %s", wanted(t, r), found(n))
	case quantity(t):
		d.quantity(n, v, path, r)
	default:
		d.scalar(n, v, path, r)
	}
}

// withinAliases counts the values that aliases bring in, and tells whether there are
// few enough.
func (d *decoder) withinAliases(n *yaml.Node, path string) bool {
	if d.inside == 0 || d.left < 0 {
		return d.inside == 0
	}
	if d.left -= max(1, len(n.Content)); d.left < 0 {
		d.fail(n, path, "aliases repeat more than %d values", maxAliased)
	}
	return d.left >= 0
}

// empty tells whether nothing is written for a value.
func empty(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// structure decodes a mapping with known keys.
func (d *decoder) structure(n *yaml.Node, v reflect.Value, path string) {
	t := v.Type()
	fields, ok := d.fields[t]
	if !ok {
		fields = fieldsOf(t)
		d.fields[t] = fields
	}
	var keys []string
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	target := func(f field) reflect.Value { return v.Field(f.index) }
	if t == topologyType {
		section := newTopologySection(n)
		defer func() { v.Set(reflect.ValueOf(section.spec())) }()
		target = section.target
	}
	given := map[string]bool{}
	ok = d.pairs(n, path, func(key, value *yaml.Node) {
		i := slices.Index(keys, key.Value)
		if i < 0 {
			d.fail(key, diag.Key(path, key.Value), "unknown key\n%s", d.unknownKey(key.Value, keys))
			return
		}
		f := fields[i]
		target := target(f)
		if empty(value) && section(target.Type()) {
			return
		}
		given[f.key] = true
		at := diag.Key(path, f.key)
		if section(target.Type()) {
			d.doc.at[at] = spanOf(key)
		}
		d.value(value, target, at, f.rule)
		if f.required && value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			d.fail(value, at, "needs at least one value")
		}
	})
	for _, f := range fields {
		if ok && f.required && !given[f.key] && (d.whole || path != "") {
			hint := ""
			if f.rule.enum != nil {
				hint = "it is one of " + strings.Join(f.rule.enum, ", ")
			}
			d.doc.reject(d.doc.locate(path), diag.Key(path, f.key), "missing", hint)
		}
	}
}

// topologySection is a topology while it is read: its keys may stand in any order, and the
// family tells into what the others are read.
type topologySection struct {
	*topology.Draft
	family, read string // as it stands in the file, and as it was read
}

func newTopologySection(n *yaml.Node) *topologySection {
	s := &topologySection{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if key.Value == "family" {
			s.family = value.Value
			break
		}
	}
	s.Draft = topology.NewDraft(s.family)
	return s
}

// target is where the value of a key goes.
func (s *topologySection) target(f field) reflect.Value {
	if f.key == "family" {
		return reflect.ValueOf(&s.read).Elem()
	}
	return s.Value(f.key)
}

// spec is what was read, nothing if the family could not be.
func (s *topologySection) spec() topology.Spec {
	if s.read != s.family {
		return topology.Spec{}
	}
	return s.Spec()
}

// unknownKey suggests what to do about a key that the section does not have.
func (d *decoder) unknownKey(key string, keys []string) string {
	if d.root == reflect.TypeFor[Spec]() {
		for i := range d.root.NumField() {
			f := d.root.Field(i)
			belongs := func(g field) bool { return g.key == key }
			if f.Type.Kind() == reflect.Struct && slices.ContainsFunc(fieldsOf(f.Type), belongs) {
				section, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
				return fmt.Sprintf("%s belongs in %s", key, section)
			}
		}
	}
	if _, near := diag.Closest(key, keys); !near {
		key += "s" // the keys of lists are plurals
	}
	return diag.Suggest(key, keys, "the keys here are ")
}

// mapping decodes a mapping with free keys. An entry is kept even if its value
// is wrong, so that a reference to its key is not called wrong as well.
func (d *decoder) mapping(n *yaml.Node, v reflect.Value, path string, r rule) {
	t := v.Type()
	m := reflect.MakeMap(t)
	d.pairs(n, path, func(key, value *yaml.Node) {
		if key.Value == "" {
			d.fail(key, path, "a key is empty")
			return
		}
		e := reflect.New(t.Elem()).Elem()
		at := diag.Key(path, key.Value)
		if section(t.Elem()) {
			d.doc.at[at] = spanOf(key)
		}
		d.value(value, e, at, r)
		m.SetMapIndex(reflect.ValueOf(key.Value).Convert(t.Key()), e)
	})
	if m.Len() > 0 {
		v.Set(m)
	}
}

// pairs yields the keys and values of a mapping. It tells whether it is one.
func (d *decoder) pairs(n *yaml.Node, path string, yield func(key, value *yaml.Node)) bool {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "expected keys with values, found %s", found(n))
		return false
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content) && !d.doc.full(); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch line, again := first[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			d.fail(key, path, "a key cannot be %s", found(key))
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
func (d *decoder) list(n *yaml.Node, v reflect.Value, path string, r rule) {
	elements := n.Content
	if n.Kind != yaml.SequenceNode {
		if section(v.Type().Elem()) || n.Kind != yaml.ScalarNode {
			d.fail(n, path, "expected a list, found %s\nbegin every item with \"- \"", found(n))
			return
		}
		elements = []*yaml.Node{n}
	}
	if len(elements) == 0 {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
	for i, e := range elements {
		d.value(e, v.Index(i), diag.Elem(path, i), r)
	}
}

// quantity decodes a number with a unit.
func (d *decoder) quantity(n *yaml.Node, v reflect.Value, path string, r rule) {
	if !d.plain(n, path) {
		return
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(n.Value)); err != nil {
		d.fail(n, path, "%s", clip(err.Error()))
		return
	}
	value := 0.0
	if v.CanFloat() {
		value = v.Float()
	} else {
		value = float64(v.Int())
	}
	d.bounds(n, path, value, math.MaxFloat64, r)
}

// scalar decodes text, a number or a truth value.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, path string, r rule) {
	switch v.Kind() {
	case reflect.String:
		d.text(n, v, path, r)
	case reflect.Bool:
		if n.ShortTag() != "!!bool" {
			d.fail(n, path, "%s is not true or false", quote(n.Value))
			return
		}
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case reflect.Int, reflect.Uint64:
		d.count(n, v, path, r)
	case reflect.Float64:
		d.number(n, v, path, r)
	default:
		panic("spec: no decoding of " + v.Type().String())
	}
}

// manyWords is how many words a message lists where one of them is near.
const manyWords = 12

// text decodes text, or one of the words of a rule.
func (d *decoder) text(n *yaml.Node, v reflect.Value, path string, r rule) {
	tag := n.ShortTag()
	switch {
	case v.Type() == portsType && tag == "!!int" && wholeNumber.MatchString(n.Value):
		v.SetString(n.Value)
	case tag != "!!str" && tag != "!!timestamp":
		d.fail(n, path, "%s is not text\nwrite %q", n.Value, n.Value)
	case r.enum != nil && !slices.Contains(r.enum, n.Value):
		near := diag.Suggest(n.Value, r.enum, "")
		if near != "" && len(r.enum) > manyWords {
			d.fail(n, path, "%s is unknown\n%s", quote(n.Value), near)
			return
		}
		d.fail(n, path, "%s is not one of %s\n%s", quote(n.Value), strings.Join(r.enum, ", "), near)
	case strings.ContainsFunc(n.Value, func(c rune) bool { return c != '\n' && unprintable(c) }):
		d.fail(n, path, "the text has a control character")
	default:
		v.SetString(n.Value)
	}
}

// count decodes a whole number.
func (d *decoder) count(n *yaml.Node, v reflect.Value, path string, r rule) {
	tag := n.ShortTag()
	switch value, err := strconv.ParseFloat(n.Value, 64); {
	case tag == "!!float" && strings.Trim(n.Value, "+-0123456789") == "":
		d.fail(n, path, "%s is too large", clip(n.Value))
	case tag == "!!float" && err == nil && value == math.Trunc(value) && math.Abs(value) <= maxInt:
		d.fail(n, path, "%s is not written as a whole number\nwrite %.0f", quote(n.Value), value)
	case tag != "!!int":
		d.fail(n, path, "%s is not a whole number%s", quote(n.Value), unquoted(n))
	case d.plain(n, path):
		d.integer(n, v, path, r)
	}
}

// number decodes a number that need not be whole.
func (d *decoder) number(n *yaml.Node, v reflect.Value, path string, r rule) {
	if tag := n.ShortTag(); tag != "!!int" && tag != "!!float" {
		d.fail(n, path, "%s is not a number%s", quote(n.Value), unquoted(n))
	} else if d.plain(n, path) {
		value, _ := strconv.ParseFloat(n.Value, 64)
		if d.bounds(n, path, value, math.MaxFloat64, r) {
			v.SetFloat(value)
		}
	}
}

// Most that a count may be: vertices are numbered in 32 bits.
const maxInt = math.MaxInt32

// integer decodes decimal digits.
func (d *decoder) integer(n *yaml.Node, v reflect.Value, path string, r rule) {
	limit := float64(maxInt)
	if v.CanUint() {
		limit = math.MaxUint64
	}
	value, _ := strconv.ParseFloat(n.Value, 64)
	if !d.bounds(n, path, value, limit, r) {
		return
	}
	if v.CanUint() {
		u, err := strconv.ParseUint(strings.TrimLeft(n.Value, "+-"), 10, 64)
		if err != nil {
			d.fail(n, path, "%s is not a number of 64 bits", clip(n.Value))
		}
		v.SetUint(u)
		return
	}
	v.SetInt(int64(value))
}

// bounds checks a number against its limits.
func (d *decoder) bounds(n *yaml.Node, path string, value, limit float64, r rule) bool {
	switch {
	case value < 0 && !r.signed && r.min <= 0:
		d.fail(n, path, "%s is negative", clip(n.Value))
	case value < r.min && !r.signed:
		d.fail(n, path, "%s is too small\nit is at least %v", clip(n.Value), r.min)
	case r.max > 0 && math.Abs(value) > r.max:
		d.fail(n, path, "%s is too large\nit is at most %s", clip(n.Value), decimals(r.max))
	case math.Abs(value) > limit:
		d.fail(n, path, "%s is too large", clip(n.Value))
	default:
		return true
	}
	return false
}

// decimals writes a number without an exponent.
func decimals(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

var decimal = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][-+]?[0-9]+)?$`)

// plain refuses numbers that are not plain decimal ones, such as 010 and 0x10.
func (d *decoder) plain(n *yaml.Node, path string) bool {
	tag := n.ShortTag()
	if tag != "!!int" && tag != "!!float" || decimal.MatchString(n.Value) {
		return true
	}
	suggestion := ""
	digits := strings.TrimLeft(n.Value, "0")
	if _, err := strconv.ParseUint(digits, 10, 64); err == nil {
		suggestion = "write " + digits
	} else if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
		suggestion = fmt.Sprintf("write %d", i)
	}
	d.fail(n, path, "%s is not a plain decimal number\n%s", quote(n.Value), suggestion)
	return false
}

// unquoted suggests to take the quotes off a number, as the end of a message.
func unquoted(n *yaml.Node) string {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 && decimal.MatchString(n.Value) && n.Value != "" {
		return "\nremove the quotes"
	}
	return ""
}

// wanted words what a scalar of type t is.
func wanted(t reflect.Type, r rule) string {
	switch {
	case r.enum != nil:
		return "one of " + strings.Join(r.enum, ", ")
	case quantity(t):
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

// found words what a node is.
func found(n *yaml.Node) string {
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

// fail records a mistake at a node. What the message has after a line break is
// the suggestion.
func (d *decoder) fail(n *yaml.Node, path, format string, args ...any) {
	message, suggestion, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	d.doc.reject(spanOf(n), path, message, suggestion)
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
