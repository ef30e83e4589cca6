package serve_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/serve"
)

func TestSetRacks(t *testing.T) {
	a, b := spec.RackOf{With: "a", At: "A01"}, spec.RackOf{With: "b", At: "B02"}
	odd := spec.RackOf{With: "(0,1)", At: "true"}
	long := strings.Repeat("long", 25)
	a2 := spec.RackOf{With: "a", At: "C03"}
	for _, tt := range []struct {
		name, text string
		old, racks []spec.RackOf
		want       string
	}{
		{
			"new section", "x: 1 # one", nil,
			[]spec.RackOf{a, odd},
			"x: 1 # one\n\nembedding:\n  racks:\n    - {with: a, at: A01}\n    - {with: \"(0,1)\", at: \"true\"}\n",
		},
		{
			"new in lines", "embedding:\n   # why\n   seed: 1\n", nil,
			[]spec.RackOf{a},
			"embedding:\n   # why\n   racks:\n     - {with: a, at: A01}\n   seed: 1\n",
		},
		{
			"new in braces", "embedding: {seed: 1} # x\n", nil,
			[]spec.RackOf{a, b},
			"embedding: {racks: [{with: a, at: A01}, {with: b, at: B02}], seed: 1} # x\n",
		},
		{"new in empty braces", "embedding: {}\n", nil, []spec.RackOf{a}, "embedding: {racks: [{with: a, at: A01}]}\n"},
		{
			"another place",
			"embedding:\n  racks: # moved\n    - with: 'a'  # the first\n      at: A01    # by the door\n",
			[]spec.RackOf{a},
			[]spec.RackOf{a2, b},
			"embedding:\n  racks: # moved\n    - with: 'a'  # the first\n      at: C03    # by the door\n" +
				"    - {with: b, at: B02}\n",
		},
		{
			"more in lines", "embedding:\n  racks:\n  - {with: a, at: A01}   # the first\n  seed: 2\n",
			[]spec.RackOf{a},
			[]spec.RackOf{a, b},
			"embedding:\n  racks:\n  - {with: a, at: A01}   # the first\n  - {with: b, at: B02}\n  seed: 2\n",
		},
		{
			"more in brackets", "embedding: {racks: [{with: a, at: A01} ], seed: 1}\n",
			[]spec.RackOf{a},
			[]spec.RackOf{a, b},
			"embedding: {racks: [{with: a, at: A01} , {with: b, at: B02}], seed: 1}\n",
		},
		{
			"a rack that is longer than a line", "embedding:\n  racks:\n    - {with: a, at: A01}\n",
			[]spec.RackOf{a},
			[]spec.RackOf{a, {With: long, At: "B02"}},
			"embedding:\n  racks:\n    - {with: a, at: A01}\n    - with: " + long + "\n      at: B02\n",
		},
		{"empty list", "embedding: {racks: []}\n", nil, []spec.RackOf{a}, "embedding: {racks: [{with: a, at: A01}]}\n"},
		{
			"lines of Windows", "embedding:\r\n  racks:\r\n    - {with: a, at: A01}\r\n",
			[]spec.RackOf{a},
			[]spec.RackOf{a, b},
			"embedding:\r\n  racks:\r\n    - {with: a, at: A01}\n    - {with: b, at: B02}\r\n",
		},
		{"no list", "embedding: {racks: }\n", nil, []spec.RackOf{a}, ""},
		{"alias", "x: &e {seed: 1}\nembedding: *e\n", nil, []spec.RackOf{a}, ""},
		{"syntax", "embedding: {\n", nil, []spec.RackOf{a}, ""},
	} {
		got, err := serve.SetRacks([]byte(tt.text), tt.old, tt.racks)
		if (err != nil) != (tt.want == "") || string(got) != tt.want {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
}

// However the places of racks are laid out in the text, moves one after the other leave its comments and say what they
// should.
func TestMovesInAnyText(t *testing.T) {
	name := rapid.SampledFrom([]string{"a", "(0,1)", "N 1", "true", "12", "ä", "x: y", "- q", "#"})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{
			"x: 1 # X\n", "embedding: {seed: 1} # X\n", "embedding: # X\n  seed: 1\n", "embedding: {} # X\ny: 2\n",
			"embedding:\n  seed: 1\n  fill: rows # X\ny: [1, 2]\n",
		}).Draw(t, "text")
		var racks []spec.RackOf
		for range rapid.IntRange(1, 4).Draw(t, "moves") {
			next := slices.Clone(racks)
			if len(next) > 0 && rapid.Bool().Draw(t, "again") {
				next[rapid.IntRange(0, len(next)-1).Draw(t, "which")].At = name.Draw(t, "at")
			} else {
				next = append(next, spec.RackOf{With: name.Draw(t, "with"), At: name.Draw(t, "at")})
			}
			out, err := serve.SetRacks([]byte(text), racks, next)
			if err != nil {
				t.Fatalf("%q, %v to %v: %v", text, racks, next, err)
			}
			if text, racks = string(out), next; strings.Count(text, "# X") != 1 {
				t.Fatalf("%q", text)
			}
			if got := racksOf(t, out); !slices.Equal(got, racks) {
				t.Fatalf("%q says %v, want %v", text, got, racks)
			}
		}
	})
}

// racksOf is what a text says of places of racks.
func racksOf(t *rapid.T, text []byte) []spec.RackOf {
	var doc struct {
		Embedding struct{ Racks []spec.RackOf }
	}
	if err := yaml.Load(text, &doc); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return doc.Embedding.Racks
}

func TestMove(t *testing.T) {
	v := run(t, small)
	ask := func(text, from, to string) (reply, int) {
		a := v.ask("POST", "/api/move?"+url.Values{"from": {from}, "to": {to}}.Encode(), text, nil)
		return a.reply(t), a.status
	}
	first, status := ask(small, "A01", "B02")
	if status != 200 || first.Text != small+"\nembedding:\n  racks:\n    - {with: N1, at: B02}\n" {
		t.Fatal(status, first.Error, first.Text)
	}
	back, status := ask(first.Text, "B02", "A01")
	if status != 200 || back.Text != strings.Replace(first.Text, "at: B02", "at: A01", 1) {
		t.Error(status, back.Error, back.Text)
	}
	for _, c := range []struct{ text, from, to, want string }{
		{small, "A01", "Z09", `there is no rack position "Z09"`},
		{small, "Z09", "A01", `there is no rack position "Z09"`},
		{small, "", "", `there is no rack position ""`},
		{strings.Replace(small, "rows: 2", "rows: 3", 1), "C02", "A01", "nothing stands at C02"},
		{strings.Replace(small, "rows: 2", "rows: x", 1), "A02", "A01", `not a whole number`},
		{small + "embedding: &x {seed: 1}\n", "A01", "B02", "write it into the text"},
		{
			strings.Replace(small, "racks_per_row: 2", "racks_per_row: 4", 1) + "embedding: {fill: rows}\n",
			"A02", "B02", "leave rack position A02 free between racks",
		},
	} {
		got, status := ask(c.text, c.from, c.to)
		if status != 200 || !strings.Contains(got.Error, c.want) || got.Text != "" {
			t.Errorf("%s to %s: %d %s %s", c.from, c.to, status, got.Error, got.Text)
		}
	}
}

// A rack of every example moves to where another stands, or is refused in words.
func TestMovesInExamples(t *testing.T) {
	entries, err := examples.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, e := range entries {
		text, err := examples.Files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		s, err := machine.Parse(e.Name(), text)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Room.Containers) > 0 || len(text) > 6000 {
			continue
		}
		out, err := serve.Moved(t.Context(), e.Name(), text, "A01", "A02")
		if err != nil {
			t.Logf("%s: %v", e.Name(), err)
			continue
		}
		done++
		if again, err := machine.Parse(e.Name(), out); err != nil || len(again.Embedding.Racks) == 0 {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
	if done < 5 {
		t.Errorf("only %d examples could have a rack moved", done)
	}
}
