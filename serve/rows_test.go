package serve_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/serve"
	"github.com/plenum-planner/plenum/topology"
)

// TestRowsOneByOneKeepThePlan: of every example with rows, and of a room whose rows are as many as fit between its
// walls, rows one by one give the same plan: the same boxes at the same places, and the same cables.
func TestRowsOneByOneKeepThePlan(t *testing.T) {
	texts := map[string]string{"clusters": clusters}
	walls, err := os.ReadFile("testdata/walls.yaml")
	if err != nil {
		t.Fatal(err)
	}
	texts["walls"] = string(walls)
	entries, err := examples.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := examples.Files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		texts[e.Name()] = string(text)
	}
	stated := 0
	for name, text := range texts {
		s, err := machine.Parse(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		g, _, err := machine.Topology(s, "")
		if err != nil || !topology.AtMostLinks(g, 30000) || len(s.Room.Containers) > 0 || s.Room.RackList != "" ||
			s.Room.Rows.List != nil || s.Embedding.Effort != "" {
			continue
		}
		out, err := serve.StateRows(t.Context(), name, []byte(text))
		if errors.Is(err, serve.ErrRowsElsewhere) || err != nil && strings.Contains(err.Error(), "by hand") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		stated++
		if before, after := planned(t, name, text), planned(t, name, string(out)); !reflect.DeepEqual(before, after) {
			t.Errorf("%s: the rows change the plan: %s", name, out)
		}
	}
	if stated < 10 {
		t.Errorf("rows were stated of %d machines", stated)
	}
}

// planned is what a plan says of places and cables.
func planned(t *testing.T, name, text string) []any {
	t.Helper()
	s, err := machine.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Report()
	length, err := json.Marshal(p.Length)
	if err != nil {
		t.Fatal(err)
	}
	return []any{r.Placement.Slot, r.Placement.Racks, r.Placement.Layout.Room.Places, string(length), p.Cost.Total}
}
