package main

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// The savings of optimising are printed in money and per cent of the bill, which is
// that of the plan without optimising before.
func TestPlanTellsWhatOptimisingSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	const machine = "{topology: {family: torus, dims: [8, 8, 8]}, embedding: {strategy: random}, " +
		"prices: {set: estimate-2025}}"
	if err := os.WriteFile("m.yaml", []byte(machine), 0o666); err != nil {
		t.Fatal(err)
	}
	plan := func(flags ...string) string {
		status, stdout, stderr := command(context.Background(),
			append([]string{"plan", "m.yaml", "--only", "plan.json"},
				flags...)...)
		if status != cli.ExitDone || stderr != "" {
			t.Fatalf("status %d: %s", status, stderr)
		}
		return stdout
	}
	var before, after struct {
		Cost      struct{ Total json.Number }
		Placement struct {
			Before json.Number `json:"cost_before"`
			After  json.Number `json:"cost_after"`
		}
	}
	if err := json.Unmarshal([]byte(plan("--json")), &before); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(plan("--json", "--effort", "quick")), &after); err != nil {
		t.Fatal(err)
	}
	if after.Placement.Before != before.Cost.Total || after.Placement.After != after.Cost.Total {
		t.Errorf("before %s, told %s; after %s, told %s", before.Cost.Total, after.Placement.Before, after.Cost.Total,
			after.Placement.After)
	}
	text := plan("--effort", "quick")
	line := regexp.MustCompile(`bill comes to [\d,]+\.\d\d USD, without optimising to [\d,]+\.\d\d USD: ` +
		`[\d,]+\.\d\d USD \(\d+\.\d %\) saved`)
	if !line.MatchString(strings.Join(strings.Fields(text), " ")) || strings.Contains(text, "e+") {
		t.Errorf("%s", text)
	}
}
