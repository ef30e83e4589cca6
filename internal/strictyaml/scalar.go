package strictyaml

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
	"github.com/plenum-planner/plenum/units"
)

// quantity decodes a number with a unit.
func (d *decoder) quantity(n *yaml.Node, v reflect.Value, path string, r Rule) {
	if !d.plain(n, path) {
		return
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(n.Value)); err != nil {
		// A lower limit than that of the type is reported at once, so that a user does not meet one after the other.
		if large, ok := err.(interface{ TooLarge() bool }); ok && large.TooLarge() && r.Max > 0 {
			d.tooLarge(n, path, v, r)
			return
		}
		d.fail(n, path, "%s", clip(err.Error()))
		return
	}
	value := 0.0
	if v.CanFloat() {
		value = v.Float()
	} else {
		value = float64(v.Int())
	}
	if r.Max > 0 && math.Abs(value) > r.Max {
		d.tooLarge(n, path, v, r)
		return
	}
	d.bounds(n, path, value, math.MaxFloat64, r)
}

// tooLarge refuses a quantity beyond the limit of its field, which the message gives in the quantity's unit.
func (d *decoder) tooLarge(n *yaml.Node, path string, v reflect.Value, r Rule) {
	most := reflect.New(v.Type()).Elem()
	if v.CanFloat() {
		most.SetFloat(r.Max)
	} else {
		most.SetInt(int64(r.Max))
	}
	d.fail(n, path, "%s is too large\nit is at most %v%s", clip(n.Value), most.Interface(), inMillimetres(n, v, r))
}

// inMillimetres asks for the unit where a length in metres would be within its limit in millimetres.
func inMillimetres(n *yaml.Node, v reflect.Value, r Rule) string {
	number := strings.TrimSpace(strings.TrimSuffix(n.Value, "m"))
	value, err := strconv.ParseFloat(number, 64)
	q, ok := v.Interface().(interface{ Units() []string })
	if !ok || !slices.Equal(q.Units(), units.Length(0).Units()) || err != nil || math.Abs(value)/1000 > r.Max {
		return ""
	}
	return fmt.Sprintf("; write %s mm if millimetres are meant", number)
}

// manyWords is how many words a message lists where one of them is near.
const manyWords = 12

// scalar decodes text, a number or a truth value.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, path string, r Rule) {
	switch tag := n.ShortTag(); v.Kind() {
	case reflect.String:
		d.text(n, v, path, r)
	case reflect.Bool:
		if tag != "!!bool" {
			d.fail(n, path, "%s is not true or false", quote(n.Value))
			return
		}
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case reflect.Int, reflect.Uint64:
		switch value, err := strconv.ParseFloat(n.Value, 64); {
		case tag == "!!float" && strings.Trim(n.Value, "+-0123456789") == "":
			d.fail(n, path, "%s is too large", clip(n.Value))
		case tag == "!!float" && err == nil && value == math.Trunc(value) && math.Abs(value) <= MaxInt:
			d.fail(n, path, "%s is not written as a whole number\nwrite %.0f", quote(n.Value), value)
		case tag != "!!int":
			d.fail(n, path, "%s is not a whole number%s", quote(n.Value), suggestUnquoted(n))
		case d.plain(n, path):
			d.integer(n, v, path, r)
		}
	case reflect.Float64:
		if tag != "!!int" && tag != "!!float" {
			d.fail(n, path, "%s is not a number%s", quote(n.Value), suggestUnquoted(n))
		} else if d.plain(n, path) {
			value, _ := strconv.ParseFloat(n.Value, 64)
			if d.bounds(n, path, value, math.MaxFloat64, r) {
				v.SetFloat(value)
			}
		}
	default:
		panic("strictyaml: no decoding of " + v.Type().String())
	}
}

// text decodes text, which may have to be one of some words.
func (d *decoder) text(n *yaml.Node, v reflect.Value, path string, r Rule) {
	switch tag := n.ShortTag(); {
	case slices.Contains(d.lang.Numerals, v.Type()) && tag == "!!int" && wholeNumber.MatchString(n.Value):
		v.SetString(n.Value)
	case r.MostLetters > 0 && utf8.RuneCountInString(n.Value) > r.MostLetters:
		d.fail(n, path, "%s has %d characters\nuse at most %d", quote(n.Value), utf8.RuneCountInString(n.Value),
			r.MostLetters)
	case tag != "!!str" && tag != "!!timestamp":
		d.fail(n, path, "%s is not text\nwrite %q", n.Value, n.Value)
	case r.Enum != nil && !slices.Contains(r.Enum, n.Value):
		near := diag.Suggest(n.Value, r.Enum, "")
		if near != "" && len(r.Enum) > manyWords {
			d.fail(n, path, "%s is unknown\n%s", quote(n.Value), near)
			return
		}
		d.fail(n, path, "%s is not one of %s\n%s", quote(n.Value), strings.Join(r.Enum, ", "), near)
	case strings.ContainsFunc(n.Value, func(c rune) bool { return c != '\n' && unprintable(c) }):
		d.fail(n, path, "the text has a control character")
	default:
		v.SetString(n.Value)
	}
}

// MaxInt is the most that a count may be: vertices are numbered in 32 bits.
const MaxInt = math.MaxInt32

// integer decodes decimal digits.
func (d *decoder) integer(n *yaml.Node, v reflect.Value, path string, r Rule) {
	limit := float64(MaxInt)
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
func (d *decoder) bounds(n *yaml.Node, path string, value, limit float64, r Rule) bool {
	switch {
	case value < 0 && !r.Signed && r.Min <= 0:
		d.fail(n, path, "%s is negative", clip(n.Value))
	case value < r.Min && !r.Signed:
		d.fail(n, path, "%s is too small\nit is at least %v", clip(n.Value), r.Min)
	case r.Max > 0 && math.Abs(value) > r.Max:
		d.fail(n, path, "%s is too large\nit is at most %s", clip(n.Value), decimals(r.Max))
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

// suggestUnquoted suggests to take the quotes off a number, as the end of a message.
func suggestUnquoted(n *yaml.Node) string {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 && decimal.MatchString(n.Value) && n.Value != "" {
		return "\nremove the quotes"
	}
	return ""
}
