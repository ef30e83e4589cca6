package sweep

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A line is JSON that any reader understands, and is read back as it was, regardless of what is in its texts.
func TestRowsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := row{number: rapid.IntRange(0, 99).Draw(t, "point")}
		r.add("point", marshal(r.number))
		names := rapid.SliceOfDistinct(rapid.String(), func(s string) string { return s }).Draw(t, "names")
		for _, name := range names {
			if name == "point" || name == "error" {
				continue
			}
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				r.add(name, quoteJSON(rapid.String().Draw(t, "text")))
			case 1:
				r.add(name, marshal(rapid.Float64().Draw(t, "number")))
			case 2:
				r.add(name, "null")
			case 3:
				r.add(name, marshal(rapid.Bool().Draw(t, "truth")))
			}
		}
		line := r.line(nil)
		got, err := parseRow(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if diff := cmp.Diff(r, got, cmp.AllowUnexported(row{}, column{})); diff != "" {
			t.Fatal(diff)
		}
		var any map[string]any
		if err := json.Unmarshal(line, &any); err != nil || len(any) != len(r.cells) {
			t.Fatalf("%s: %v", line, err)
		}
		for _, c := range r.cells {
			if text, ok := any[c.name].(string); ok && text != unquote(c.value) {
				t.Fatalf("%q, %q", text, unquote(c.value))
			}
		}
		cut := rapid.IntRange(0, len(line)-1).Draw(t, "cut")
		if _, err := parseRow(line[:cut]); err == nil {
			t.Fatalf("%s is taken for a row", line[:cut])
		}
	})
}

func marshal(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// What is taken for a row is JSON; nothing ends the program.
func FuzzRow(f *testing.F) {
	f.Add([]byte(`{"point":1,"a":"\"","b":null,"c":-1.5e3,"error":"x"}` + "\n"))
	f.Add([]byte(`{"point":1}x` + "\n"))
	f.Add([]byte("{\"point\":1,\"\x00\":null}\n")) // a control character, which JSON wants escaped
	f.Add([]byte(`{"point":[1]}` + "\n"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if r, err := parseRow(line); err == nil {
			if !json.Valid(line) || !bytes.HasSuffix(line, []byte("\n")) || len(r.cells) == 0 {
				t.Errorf("%q is taken for a row", line)
			}
		}
	})
}
