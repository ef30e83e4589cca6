package catalog

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
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
	want := []string{
		`mine.yaml:3:5: unknown key "knid"; did you mean "kind"?`,
		"mine.yaml:4:12: cannot construct !!str `two` into int",
		`mine.yaml:6:20: unknown key "conector"; did you mean "connector"?`,
		`mine.yaml:6:39: "fast" is not a data rate (a number and one of Gb/s, Tb/s, Mb/s, G, T)`,
		`mine.yaml:8:20: "x" is not a length (a number and one of mm, cm, km, m, in, ft, U)`,
		`mine.yaml:9:1: unknown key "price_set"; did you mean "price_sets"?`,
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Error(diff)
	}
}

// An amount is a number or a range, and is written as it is read.
func TestAmounts(t *testing.T) {
	const head = "price_sets:\n  - name: s\n    prices:\n      - part: a\n        unit: "
	for text, want := range map[string]Amount{
		"5":                               {5, 5, 5},
		"-5.5":                            {-5.5, -5.5, -5.5},
		"{low: 1, likely: 2, high: 3}":    {1, 2, 3},
		"&a {low: 1, likely: 2, high: 3}": {1, 2, 3},
	} {
		_, sets, err := Parse([]byte(head+text+"\n"), "f.yaml")
		if err != nil || sets[0].Prices[0].Unit != want {
			t.Errorf("%s: %v %v", text, sets, err)
			continue
		}
		out, err := yaml.Dump(want)
		if err != nil {
			t.Fatal(err)
		}
		var again Amount
		if err := yaml.Load(out, &again); err != nil || again != want {
			t.Errorf("%s is written as %s", text, out)
		}
	}
	for text, want := range map[string]string{
		"cheap":                        "f.yaml:5:15: cannot construct !!str `cheap` into float64",
		"{low: 1, likly: 2, high: 3}":  `f.yaml:5:15: unknown key "likly"; a range has low, likely and high`,
		"{low: 1, high: 3}":            "f.yaml:5:15: a range has low, likely and high; likely is missing",
		"{low: 1, likely: x, high: 3}": "f.yaml:5:32: cannot construct !!str `x` into float64",
	} {
		if _, _, err := Parse([]byte(head+text+"\n"), "f.yaml"); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
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

var place = regexp.MustCompile(`^f\.yaml:[1-9]\d*:[1-9]\d*: .`)

// located tells whether every error that err joins starts with its place.
func located(err error) bool {
	var many interface{ Unwrap() []error }
	if !errors.As(err, &many) {
		return place.MatchString(err.Error())
	}
	for _, e := range many.Unwrap() {
		if !place.MatchString(e.Error()) {
			return false
		}
	}
	return true
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
