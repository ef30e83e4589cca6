// Package studies tests the command where it compares, searches, sweeps, embeds and simulates.
package studies

import (
	"path/filepath"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m) }

func TestScripts(t *testing.T) {
	traces, err := filepath.Abs("../../../../../sim/workload/testdata")
	if err != nil {
		t.Fatal(err)
	}
	scripttest.Run(t, "script/studies", map[string]string{"TRACES": traces})
}
