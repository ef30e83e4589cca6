package strictyaml_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/units"
)

// A small language with everything that a language may have.
type (
	garden struct {
		Name   string          `yaml:"name"`
		Beds   []bed           `yaml:"beds,omitempty"`
		Plants map[string]span `yaml:"plants,omitempty"`
		Doors  []door          `yaml:"doors,omitempty"`
	}
	bed struct {
		Width units.Length `yaml:"width"`
		Rows  int          `yaml:"rows,omitempty" jsonschema:"minimum=2"`
		Slope float64      `yaml:"slope,omitempty" signed:"true"`
		Soil  soil         `yaml:"soil,omitempty"`
		Sunny *bool        `yaml:"sunny,omitempty"`
	}
	soil string
	door string
	span struct{ from, to float64 }
	ends struct {
		From float64 `yaml:"from"`
		To   float64 `yaml:"to"`
	}
)

func (soil) Words() []string { return []string{"clay", "loam", "sand"} }

func (s *span) Written(tag string) (any, func()) {
	if tag == "!!map" {
		e := new(ends)
		return e, func() { s.from, s.to = e.From, e.To }
	}
	x := new(float64)
	return x, func() { s.from, s.to = *x, *x }
}

var language = strictyaml.Language{
	Empty: "it needs a name", Second: "write one garden a file",
	Numerals: []reflect.Type{reflect.TypeFor[door]()},
	Elsewhere: func(key string) string {
		if key == "width" {
			return "width belongs in beds"
		}
		return ""
	},
}

func TestRead(t *testing.T) {
	var got garden
	doc := language.Read("g.yaml", []byte(`
name: home
beds:
  - &b {width: 120 cm, rows: 3, slope: -2.5, soil: loam, sunny: true}
  - *b
plants: {bean: 4, pea: {from: 1, to: 2}}
doors: [1, north]
`), &got)
	if err := doc.Err(); err != nil {
		t.Fatal(err)
	}
	sunny := true
	want := garden{
		Name: "home", Plants: map[string]span{"bean": {4, 4}, "pea": {1, 2}}, Doors: []door{"1", "north"},
		Beds: []bed{{1.2, 3, -2.5, "loam", &sunny}, {1.2, 3, -2.5, "loam", &sunny}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(span{})); diff != "" {
		t.Error(diff)
	}
}

// Every mistake of a file, as line:column+length path: message; suggestion.
func TestMistakes(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "1:1+1 the file is empty; it needs a name"},
		{"two documents", "name: x\n---\nname: y\n", "2:1+3 a second document; write one garden a file"},
		{"a missing key", "beds: []", "1:1+1 name: missing"},
		{
			"several missing keys", "name: x\nplants: {a: {}}",
			"2:13+1 plants.a.from: missing\n2:13+1 plants.a.to: missing",
		},
		{"an unknown key", "nmae: x", "1:1+4 nmae: unknown key; did you mean \"name\"?"},
		{"a key of another section", "name: x\nwidth: 1", "2:1+5 width: unknown key; width belongs in beds"},
		{"a key like one of the section", "name: x\nnames: 1", `2:1+5 names: unknown key; did you mean "name"?`},
		{"a key twice", "name: x\nname: y", "2:1+4 name: the key is on line 1 already; remove one of them"},
		{"no text", "name: 5", `1:7+1 name: 5 is not text; write "5"`},
		{
			"an unknown word", "name: x\nbeds: [{width: 1, soil: sandy}]",
			"2:25+5 beds[0].soil: \"sandy\" is not one of clay, loam, sand; did you mean \"sand\"?",
		},
		{"too small", "name: x\nbeds: [{width: 1, rows: 1}]", "2:25+1 beds[0].rows: 1 is too small; it is at least 2"},
		{"negative", "name: x\nbeds: [{width: -1}]", "2:16+2 beds[0].width: -1 is negative"},
		{"a tag", "name: !!str 5", "1:7+1 name: tags such as !!str are not allowed; remove it"},
		{
			"either form is wrong", "name: x\nplants: {a: b, c: {from: 1, to: x}}",
			"2:13+1 plants.a: \"b\" is not a number\n2:33+1 plants.c.to: \"x\" is not a number",
		},
		{
			"a slip does not hide the rest", "name: [\nbeds: [{width: x}]",
			"1:7+1 this bracket is never closed\n" +
				"2:16+1 beds[0].width: \"x\" is not a length (a number and one of mm, cm, km, m, in, ft, U)",
		},
	} {
		var found diag.List
		if err := language.Read("g.yaml", []byte(test.text), new(garden)).Err(); !errors.As(err, &found) {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, brief(found)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func brief(found diag.List) string {
	var lines []string
	for _, d := range found {
		at := fmt.Sprintf("%d:%d+%d ", d.Pos.Line, d.Pos.Column, d.Length)
		d.Pos, d.Length = diag.Position{}, 0
		lines = append(lines, at+d.Error())
	}
	return strings.Join(lines, "\n")
}

// What is found wrong later points at its line, or at the nearest section that is in
// the file; a value that could not be read is not judged again.
func TestReport(t *testing.T) {
	doc := language.Read("g.yaml", []byte("name: x\nbeds:\n  - {width: 1}\n  - {width: x}\n"), new(garden)).Anew()
	doc.Report("beds[0].width", diag.Fieldf("beds[0].width", "too narrow\nat least 2 m"))
	doc.Report("beds[0].rows", diag.Fieldf("beds[0].rows", "too few"))
	doc.Report("beds[1].width", diag.Fieldf("beds[1].width", "too narrow"))
	const want = "3:5+1 beds[0].rows: too few\n3:13+1 beds[0].width: too narrow; at least 2 m"
	if diff := cmp.Diff(want, brief(doc.Mistakes())); diff != "" {
		t.Error(diff)
	}
}
