package catalog

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
