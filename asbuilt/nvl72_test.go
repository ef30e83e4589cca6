package asbuilt

import (
	"context"
	"os"
	"strings"
	"testing"
)

// TestRacksGrow: eight racks of nvl72-8 grow to sixteen, and the four racks of its network to eight. Every box stays
// and every cable keeps its ports; every new rack holds what the others do.
func TestRacksGrow(t *testing.T) {
	text, err := os.ReadFile("../examples/nvl72-8.yaml")
	if err != nil {
		t.Fatal(err)
	}
	old := planFile(t, string(text))
	for _, v := range old.Violations.List() {
		t.Errorf("%s: %s: %s", v.Rule, v.Where, v.Message)
	}
	dir := carriedOut(t, old)
	defer os.RemoveAll(dir)
	larger := strings.NewReplacer("    count: 8", "    count: 16", "    count: 4", "    count: 8").Replace(string(text))
	grown := planFile(t, larger+"owned: {plan: "+dir+"}\n")
	if len(old.Placement.Racks) != 12 || len(grown.Placement.Racks) != 24 {
		t.Errorf("%d racks, then %d", len(old.Placement.Racks), len(grown.Placement.Racks))
	}
	d, err := Compare(context.Background(), old, grown, Options{})
	if err != nil {
		t.Fatal(err)
	}
	doc := d.Document()
	if c := doc.Cables; c.Kept != 3486 || c.Removed+c.Replugged+c.Relaid+c.Exchanged != 0 {
		t.Errorf("%+v", c)
	}
	boxes := map[string]int{}
	for i := range grown.Placement.Racks {
		boxes[grown.Placement.Racks[i].Name]++
		if r := &grown.Placement.Racks[i]; r.Name == "nvl" && (r.Boxes != 40 || r.Used != 41) {
			t.Errorf("%+v", r)
		}
	}
	if boxes["nvl"] != 16 || boxes["net"] != 8 {
		t.Errorf("racks by name: %v", boxes)
	}
}
