// Package built tests the command on machines that exist: bought, built, verified, changed, operated.
package built

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m) }

func TestScripts(t *testing.T) { scripttest.Run(t, "script/built", nil) }

// TestCasesFound runs the commands on inputs that were once read wrongly, which lie beside the checkout.
func TestCasesFound(t *testing.T) {
	dir, err := filepath.Abs("../../../../../../shared/data/cases")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the inputs are not beside the checkout: ", err)
	}
	scripttest.Run(t, "cases", map[string]string{"CASES": dir})
}
