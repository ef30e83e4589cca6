package serve_test

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/serve"
)

func TestSetValue(t *testing.T) {
	for _, tt := range []struct{ name, text, path, value, want string }{
		{"in braces", "a: {b: 1 m, c: 2} # x\n", "a.b", "3.5 m", "a: {b: 3.5 m, c: 2} # x\n"},
		{"in lines", "a:\n  b: 1 m   # why\n  c: 2\n", "a.b", "3 m", "a:\n  b: 3 m   # why\n  c: 2\n"},
		{"quoted", "a: {b: '1 m', c: \"2\"}\n", "a.c", "3", "a: {b: '1 m', c: 3}\n"},
		{"new in braces", "a: {c: 2}\n", "a.b", "3", "a: {b: 3, c: 2}\n"},
		{"new in empty braces", "a: {}\n", "a.b.c", "3", "a: {b: {c: 3}}\n"},
		{"new in lines", "x: 1\na:\n    c: 2\n", "a.b", "3", "x: 1\na:\n    b: 3\n    c: 2\n"},
		{"new section", "a: 1\n", "b.c.d", "3 m", "a: 1\n\nb: {c: {d: 3 m}}\n"},
		{"new section without a last line feed", "a: 1", "b.c", "3", "a: 1\n\nb: {c: 3}\n"},
		{"element", "a:\n  - {u: x}\n  - {u: y, v: 1 m}\n", "a.1.v", "2 m", "a:\n  - {u: x}\n  - {u: y, v: 2 m}\n"},
		{"new in an element", "a:\n  - u: x\n    w: 1\n", "a.0.v", "2", "a:\n  - v: 2\n    u: x\n    w: 1\n"},
		{"after letters of two bytes", "ä: {ö: 1, b: ü, c: 2}\n", "ä.c", "", ""},
		{"umlauts in front", "a: {n: Müller, c: 2}\n", "a.c", "3", "a: {n: Müller, c: 3}\n"},
		{"lines of Windows", "a:\r\n  b: 1\r\n", "a.b", "2", "a:\r\n  b: 2\r\n"},
		{"lines of old Macs", "a:\r  c: 2\r  b: 1\r", "a.b", "2", "a:\r  c: 2\r  b: 2\r"},
		{"line of Unicode", "a: {n: x\u2028 y,\n b: 1}\n", "a.b", "2", "a: {n: x\u2028 y,\n b: 2}\n"},
		{"no element", "a: [1]\n", "a.4", "2", ""},
		{"not a mapping", "a: 1\n", "a.b", "2", ""},
		{"empty section", "a:\nb: 1\n", "a.b", "2", ""},
		{"list in its place", "a: [1, 2]\n", "a", "2", ""},
		{"list of one", "a: [1] # x\n", "a", "2", "a: [2] # x\n"},
		{"alias", "a: &x {b: 1}\nc: *x\n", "c.b", "2", ""},
		{"value with an anchor", "a: &x 1\nc: *x\n", "a", "2", ""},
		{"syntax", "a: {b: 1\n", "a.b", "2", ""},
		{"more than a number", "a: 1\n", "a", "1, b: 2", ""},
		{"text", "a: 1\n", "a", "x", "a: x\n"},
		{"strange path", "a: 1\n", "a: {", "1", ""},
		{"two documents", "a: 1\n---\nb: 1\n", "c.d", "1", ""},
	} {
		got, err := serve.Change([]byte(tt.text), tt.path, tt.value)
		if (err != nil) != (tt.want == "") || string(got) != tt.want {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
}

// What sliders set in the examples, their reader finds there.
func TestSlidersSetExamples(t *testing.T) {
	entries, err := examples.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := examples.Files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"cabling.slack.fixed", "cabling.slack.percent"} {
			value := map[bool]string{true: "7", false: "7 m"}[strings.HasSuffix(path, "percent")]
			out, err := serve.Change(text, path, value)
			if err != nil {
				t.Errorf("%s: %v", e.Name(), err)
				continue
			}
			s, err := machine.Parse(e.Name(), out)
			if err != nil {
				t.Errorf("%s: %v", e.Name(), err)
				continue
			}
			if k := s.Cabling.Slack; (k.Fixed == nil || *k.Fixed != 7) && k.Percent != 7 {
				t.Errorf("%s: %s is not in the spec", e.Name(), path)
			}
		}
	}
}

// Whatever the text, all that changes is the one value.
func FuzzSetValue(f *testing.F) {
	f.Add("a: {b: 1}\n", "a.b")
	f.Add("a:\n  - b: 1\n", "a.0.c")
	f.Fuzz(func(t *testing.T, text, path string) {
		out, err := serve.Change([]byte(text), path, "3 m")
		if err != nil || strings.HasSuffix(path, ".+") {
			return
		}
		var n any
		if err := yaml.Load(out, &n); err != nil {
			t.Errorf("%q at %q gives %q: %v", text, path, out, err)
		}
		again, err := serve.Change(out, path, "3 m")
		if err != nil || string(again) != string(out) {
			t.Errorf("%q at %q gives %q, and then %q: %v", text, path, out, again, err)
		}
	})
}
