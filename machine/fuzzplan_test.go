package machine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// Whatever a plan.json has, reading it ends, and what is taken is a machine.
func FuzzLoadPlan(f *testing.F) {
	kept, err := os.ReadFile(filepath.Join("testdata", "plans", "0.1.0.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(kept))
	f.Add(`{"version":"9.0.0","spec":{}}`)
	f.Add(`{"spec":{"topology":{"family":"torus","dims":[4]}}}`)
	f.Add(`{"version":1,"spec":null}`)
	path := filepath.Join(f.TempDir(), "plan.json")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "/") {
			t.Skip("files of the system are not its matter")
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := machine.LoadPlan(path)
		if err == nil && s.Topology.Family() == "" && len(s.Fabrics) == 0 {
			t.Errorf("%q is taken for a plan of nothing", text)
		}
		if err != nil && !strings.Contains(err.Error(), "plan.json") {
			t.Errorf("%q: an error without its file: %v", text, err)
		}
	})
}
