package serve_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/serve"
)

func TestChange(t *testing.T) {
	for _, tt := range []struct{ name, text, path, value, want string }{
		{"first of a list in lines", "a:\n  c: 2 # x\n", "a.b.+", "{x: 1 m}", "a:\n  b: [{x: 1 m}]\n  c: 2 # x\n"},
		{"first of a list in a new section", "a: 1\n", "b.c.+", "{x: 1}", "a: 1\n\nb: {c: [{x: 1}]}\n"},
		{"first of an empty list", "a: [] # x\n", "a.+", "1", "a: [1] # x\n"},
		{"more in brackets", "a: {b: [{x: 1}]} # x\n", "a.b.+", "{x: 2}", "a: {b: [{x: 1}, {x: 2}]} # x\n"},
		{
			"more in lines", "a:\n  - x: 1 # one\n# end\nb: 1\n", "a.+", "{x: 2}",
			"a:\n  - x: 1 # one\n  - {x: 2}\n# end\nb: 1\n",
		},
		{"more of what is not a list", "a: {b: 1}\n", "a.b.+", "1", ""},
		{"list for a list", "a: [1, 2] # x\n", "a", "[3, 4]", "a: [3, 4] # x\n"},
		{"remove in braces", "a: {b: 1, c: 2, d: 3} # x\n", "a.c", "", "a: {b: 1, d: 3} # x\n"},
		{"remove the last in braces", "a: {b: 1, c: [2, 3]} # x\n", "a.c", "", "a: {b: 1} # x\n"},
		{"remove in brackets", "a: [{x: 1}, {x: 2}]\n", "a.0", "", "a: [{x: 2}]\n"},
		{"remove a line", "# 1\na: 1\n# 2\nb: 2 # x\n# 3\nc: 3\n", "b", "", "# 1\na: 1\n# 2\n# 3\nc: 3\n"},
		{
			"remove an element in lines", "a:\n  - x: 1\n    y: 2\n  # two\n  - x: 2\n", "a.0", "",
			"a:\n  # two\n  - x: 2\n",
		},
		{"remove the last element", "a:\n- 1\n- 2", "a.1", "", "a:\n- 1\n"},
		{"remove the first key of an element", "a:\n  - x: 1\n    y: 2\n", "a.0.x", "", "a:\n  - y: 2\n"},
		{"remove all of a section", "a: 1\nb:\n  c:\n    - {x: 1}\n# end\n", "b.c.0", "", "a: 1\n# end\n"},
		{"remove all", "a: 1\n", "a", "", ""},
		{"remove nothing", "a: 1\n", "b", "", ""},
		{"remove what an alias needs", "a: &x 1\nb: *x\n", "a", "", ""},
		{"value of two lines", "a: 1\n", "a", "x\nb: 2", ""},
		{"value with a comment", "a: 1\n", "a", "2 # x", ""},
		{"value of a mapping without braces", "a: 1\n", "a", "b: 2", ""},
		{"value that ends a list", "a: [1]\n", "a.0", "2], b: [3", ""},
		{"value with a comma in braces", "a: {b: 1}\n", "a.b", "x, c: 2", ""},
	} {
		got, err := serve.Change([]byte(tt.text), tt.path, tt.value)
		if (err != nil) != (tt.want == "") || string(got) != tt.want {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
}

// TestChangesMeanWhatTheySay changes drawn documents, which must then say what a decoded copy of them with the same
// change says, and keep every comment that is not within what was removed.
func TestChangesMeanWhatTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := []string{"a", "b", "c"}
		var lines []string
		comments := 0
		within := map[int]string{} // the list in which a comment stands
		comment := func(indent, key string) {
			if rapid.Bool().Draw(t, "comment") {
				within[comments] = key
				lines = append(lines, fmt.Sprintf("%s# comment %d", indent, comments))
				comments++
			}
		}
		doc := map[string]any{}
		for _, key := range keys {
			comment("", "")
			n := rapid.IntRange(1, 3).Draw(t, "elements")
			list := []any{}
			var flow []string
			for i := range n {
				list = append(list, map[string]any{"x": i, "y": 7})
				flow = append(flow, fmt.Sprintf("{x: %d, y: 7}", i))
			}
			doc[key] = list
			if rapid.Bool().Draw(t, "in brackets") {
				lines = append(lines, key+": ["+strings.Join(flow, ", ")+"]")
				continue
			}
			lines = append(lines, key+":")
			for i := range n {
				comment("  ", key)
				if rapid.Bool().Draw(t, "in braces") {
					lines = append(lines, "  - "+flow[i])
				} else {
					lines = append(lines, fmt.Sprintf("  - x: %d", i), "    y: 7")
				}
			}
		}
		text := strings.Join(lines, "\n") + "\n"
		key := rapid.SampledFrom(keys).Draw(t, "key")
		list := doc[key].([]any)
		i := rapid.IntRange(0, len(list)-1).Draw(t, "index")
		path, value := key+".+", "{x: 9}"
		switch rapid.IntRange(0, 2).Draw(t, "what") {
		case 0:
			doc[key] = append(list, map[string]any{"x": 9})
		case 1:
			path, value = fmt.Sprintf("%s.%d", key, i), ""
			if doc[key] = append(append([]any{}, list[:i]...), list[i+1:]...); len(list) == 1 {
				delete(doc, key)
			}
		case 2:
			path, value = fmt.Sprintf("%s.%d.y", key, i), "8"
			list[i].(map[string]any)["y"] = 8
		}
		out, err := serve.Change([]byte(text), path, value)
		if err != nil {
			t.Fatalf("%s = %q: %v in\n%s", path, value, err, text)
		}
		var got any
		if err := yaml.Load(out, &got); err != nil || !reflect.DeepEqual(got, any(doc)) {
			t.Fatalf("%s = %q gives\n%s\n%v", path, value, out, err)
		}
		for k := range comments {
			if doc[key] == nil && within[k] == key {
				continue // it was in what was removed
			}
			if !strings.Contains(string(out), fmt.Sprintf("# comment %d\n", k)) {
				t.Fatalf("%s = %q: comment %d is gone:\n%s", path, value, k, out)
			}
		}
	})
}
