package machine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// TestKeptPlans: plans that were saved by earlier versions, which are kept as they were written, open and are planned.
func TestKeptPlans(t *testing.T) {
	kept, err := filepath.Glob("testdata/plans/*.json")
	if err != nil || len(kept) == 0 {
		t.Fatalf("no plans are kept: %v", err)
	}
	for _, path := range kept {
		s, err := machine.LoadPlan(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		p, err := machine.Plan(t.Context(), s)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if p.Schedule.Cables == 0 || s.Name == "" {
			t.Errorf("%s: %q has %d cables", path, s.Name, p.Schedule.Cables)
		}
	}
}

// TestNewerPlan: a plan of a later version is refused in words, regardless of what else it has.
func TestNewerPlan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.json")
	for version, refused := range map[string]bool{
		machine.Version: false, "0.0.9": false, "": false, "unknown": false,
		"0.2.1": true, "0.10": true, "1.0.0-rc1": true, "99999.0.0": true,
	} {
		text := `{"version":"` + version + `","spec":{"topology":{"family":"torus","dims":[4]}}}`
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := machine.LoadPlan(path)
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "newer than this "+machine.Version) {
			t.Errorf("version %q: %v", version, err)
		}
	}
}
