package spec

import (
	"regexp"
	"testing"
)

// shown are defaults that a starter shows.
var shown = StarterDefaults{Rack: "rack-42u", ColdAisle: 1.22, HotAisle: 0.92, Slack: 1.5}

func TestStarterIsValid(t *testing.T) {
	for name, want := range map[string]string{
		"perseus": "perseus", "": "", "a: b # c": "a: b # c", `"\`: `"\`, "x\ny\x00\x7fz": "x y  z", "ü\xff": "ü ",
		"NAME": "NAME", "<&>": "<&>",
	} {
		f, err := parse("starter.yaml", Starter(name, shown))
		if err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if f.Spec.Name != want {
			t.Errorf("%q became %q", name, f.Spec.Name)
		}
	}
}

// What the starter shows in comments is valid too, when the marks are removed.
func TestCommentsOfTheStarterAreValid(t *testing.T) {
	text := string(Starter("x", shown))
	code := regexp.MustCompile(`(?m)^( *)# ( *[a-z_-]+:.*| *- \{.*)$`)
	text = code.ReplaceAllString(text, "$1$2")
	f, err := parse("starter.yaml", []byte(text))
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if f.Spec.Embedding.Effort != "normal" || len(f.Spec.Cabling.Media) != 3 {
		t.Errorf("comments are left:\n%s", text)
	}
}
