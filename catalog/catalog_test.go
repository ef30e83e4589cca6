package catalog

import (
	"slices"
	"strings"
	"testing"
)

func TestEmbeddedFilesAreClean(t *testing.T) {
	parts, sets, err := parseEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(parts, sets)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range c.Audit() {
		t.Error(err)
	}
}

func TestPartsAreSortedAndFound(t *testing.T) {
	c := Default()
	parts := c.Parts()
	if !slices.IsSortedFunc(parts, func(a, b Part) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("parts are not sorted by id")
	}
	for _, p := range parts {
		if got := c.Part(p.ID); got == nil || got.ID != p.ID {
			t.Errorf("Part(%q) = %v", p.ID, got)
		}
	}
	if got := c.Part("no-such-part"); got != nil {
		t.Errorf("Part of an unknown id = %v", got)
	}
	want := []string{"estimate-2025", "estimate-2026", "perseus-2011", "rewire-2012", "slimfly-2014"}
	if got := c.PriceSets(); !slices.Equal(got, want) {
		t.Errorf("PriceSets() = %v, want %v", got, want)
	}
	if c.PriceSet("no-such-set") != nil {
		t.Error("an unknown price set was found")
	}
}

func TestOverlayLeavesTheReceiverAlone(t *testing.T) {
	c := Default()
	mine := *c.Part("voltaire-4036")
	mine.Power, mine.Source, mine.Confidence = 200, "", ""
	added := mine
	added.ID = "my-switch"
	o, err := c.With([]Part{added, mine})
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Part("voltaire-4036"); got.Power != 200 || got.Confidence != User || got.Source == "" {
		t.Errorf("the replaced part is %+v", got)
	}
	if o.Part("my-switch") == nil {
		t.Error("the added part is missing")
	}
	if c.Part("voltaire-4036").Power == 200 || c.Part("my-switch") != nil {
		t.Error("the receiver changed")
	}
	if got, want := len(o.Parts()), len(c.Parts())+1; got != want {
		t.Errorf("%d parts, want %d", got, want)
	}
	if _, err := c.With([]Part{mine, mine}); err == nil || !strings.Contains(err.Error(), "used twice") {
		t.Errorf("two parts of one id in an overlay: %v", err)
	}
}

func TestSuggest(t *testing.T) {
	c := Default()
	for _, test := range []struct {
		id   string
		kind Kind
		want string
	}{
		{"nvidia-qm9070", KindSwitch, `did you mean "nvidia-qm9700"?`},
		{"qm9700", "", `did you mean "nvidia-qm9700"?`},
		{"rack42u", KindRack, `did you mean "rack-42u"?`},
		{"nvidia-qm9070", KindRack, ""},
		{"zzz", "", ""},
	} {
		if got := c.Suggest(test.id, test.kind); got != test.want {
			t.Errorf("Suggest(%q, %q) = %q, want %q", test.id, test.kind, got, test.want)
		}
	}
}
