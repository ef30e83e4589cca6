package catalog

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
)

func TestParseReportsEveryMistakeWithItsPlace(t *testing.T) {
	const text = `parts:
  - id: a
    knid: switch
    units: two
    ports:
      - {count: 1, conector: x, rate: fast}
    cable:
      lengths: [1, x]
price_set: []
`
	_, _, err := Parse([]byte(text), "mine.yaml")
	if err == nil {
		t.Fatal("no error")
	}
	const want = `mine.yaml:3:5: parts[0].knid: unknown key
    3 |     knid: switch
      |     ^^^^ did you mean "kind"?
mine.yaml:4:12: parts[0].units: "two" is not a whole number
    4 |     units: two
      |            ^^^
mine.yaml:6:20: parts[0].ports[0].conector: unknown key
    6 |       - {count: 1, conector: x, rate: fast}
      |                    ^^^^^^^^ did you mean "connector"?
mine.yaml:6:39: parts[0].ports[0].rate: "fast" is not a data rate (a number and one of Gb/s, Tb/s, Mb/s, G, T)
    6 |       - {count: 1, conector: x, rate: fast}
      |                                       ^^^^
mine.yaml:7:5: parts[0].cable.medium: missing
    7 |     cable:
      |     ^^^^^ it is one of passive-copper, active-copper, active-optical, multimode, single-mode
mine.yaml:7:5: parts[0].cable.connector: missing
    7 |     cable:
      |     ^^^^^
mine.yaml:8:20: parts[0].cable.lengths[1]: "x" is not a length (a number and one of mm, cm, km, m, in, ft, U)
    8 |       lengths: [1, x]
      |                    ^
mine.yaml:9:1: price_set: unknown key
    9 | price_set: []
      | ^^^^^^^^^ did you mean "price_sets"?`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
}

// An amount is a number or a range, and is written as it is read.
func TestAmounts(t *testing.T) {
	const head = "price_sets:\n  - {name: s, currency: EUR, date: \"2026\", source: s, prices: [{part: a, unit: "
	const tail = "}]}\n"
	for text, want := range map[string]Amount{
		"5":                               {5, 5, 5},
		"-5.5":                            {-5.5, -5.5, -5.5},
		"{low: 1, likely: 2, high: 3}":    {1, 2, 3},
		"&a {low: 1, likely: 2, high: 3}": {1, 2, 3},
	} {
		_, sets, err := Parse([]byte(head+text+tail), "f.yaml")
		if err != nil || sets[0].Prices[0].Unit != want {
			t.Errorf("%s: %v %v", text, sets, err)
			continue
		}
		out, err := yaml.Dump(want)
		if err != nil {
			t.Fatal(err)
		}
		_, again, err := Parse([]byte(head+flow(out)+tail), "f.yaml")
		if err != nil || again[0].Prices[0].Unit != want {
			t.Errorf("%s is written as %s", text, out)
		}
	}
	const at = "price_sets[0].prices[0].unit"
	for text, want := range map[string]string{
		"cheap":                        at + `: "cheap" is not a number`,
		"{low: 1, likly: 2, high: 3}":  at + `.likly: unknown key; did you mean "likely"?`,
		"{low: 1, high: 3}":            at + ".likely: missing",
		"{low: 1, likely: x, high: 3}": at + `.likely: "x" is not a number`,
	} {
		_, _, err := Parse([]byte(head+text+tail), "f.yaml")
		var found diag.List
		if !errors.As(err, &found) {
			t.Fatal(err)
		}
		var got []string
		for _, d := range found {
			d.Pos, d.Length = diag.Position{}, 0
			got = append(got, d.Error())
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":       "",
		"comment":       "# nothing\n",
		"two documents": "parts: []\n---\nparts: []\n",
		"unclosed list": "parts: [\n",
		"repeated key":  "parts: []\nparts: []\n",
		"unknown tag":   "parts: [{id: !!float x}]\n",
		"a list":        "- 1\n",
	} {
		if _, _, err := Parse([]byte(text), "f.yaml"); err == nil || !located(err) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// flow writes a mapping on one line.
func flow(yaml []byte) string {
	lines := strings.Split(strings.TrimSpace(string(yaml)), "\n")
	if len(lines) == 1 {
		return lines[0]
	}
	return "{" + strings.Join(lines, ", ") + "}"
}

var place = regexp.MustCompile(`^f\.yaml:[1-9]\d*:[1-9]\d*: .`)

// located reports whether every mistake starts with its place.
func located(err error) bool {
	var found diag.List
	if !errors.As(err, &found) {
		return false
	}
	return !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return !place.MatchString(d.Error()) })
}

func FuzzParse(f *testing.F) {
	files, err := data.ReadDir("data")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := data.ReadFile("data/" + file.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(broken))
	f.Add([]byte("parts: [{id: &a [*a]}]"))
	f.Add([]byte("parts: [{<<: 3, id: !!float x}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		parts, sets, err := Parse(text, "f.yaml")
		if err != nil {
			if !located(err) {
				t.Fatalf("an error without its place: %v", err)
			}
			return
		}
		c, err := New(parts, sets)
		if err != nil {
			return
		}
		for _, set := range c.PriceSets() {
			for _, p := range c.Parts() {
				length, _ := p.Stock(1)
				c.PriceSet(set).Quote(&p, length)
			}
		}
	})
}
