package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine/report"
)

// scored is what the table of docs/deployability.md takes of a comparison.
type scored struct {
	Machines []struct {
		Machine       string
		Nodes         int
		Cost          struct{ Cables, Optics, Panels float64 }
		Deployability report.Deployability
	}
}

// compareScored compares the machines of the page.
func compareScored(t *testing.T, residual string) scored {
	t.Helper()
	files, err := filepath.Glob("../../docs/deployability/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := append([]string{"compare"}, files...)
	args = append(args, "--deployability", "--residual", residual, "--json", "-o", t.TempDir())
	if status := run(context.Background(), &out, &errs, args); status != cli.ExitDone {
		t.Fatalf("status %d: %s", status, &errs)
	}
	var c scored
	if err := json.Unmarshal(out.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// The tables of docs/deployability.md are those of its command.
func TestDeployabilityPage(t *testing.T) {
	page := get(t, "../../docs/deployability.md")
	build := pageTable(t, page, "at 8,192 servers |", 7)
	grow := pageTable(t, page, "growth |", 7)
	if os.Getenv("PLENUM_LONG") == "" {
		t.Skip("set PLENUM_LONG=1: seven plans of 8,192 servers, twice")
	}
	low, high := compareScored(t, "0.75"), compareScored(t, "0.975")
	num := func(n int) string { return english.Grouped(int64(n)) }
	for i, m := range low.Machines {
		d := m.Deployability
		b := d.Bundling
		want := []string{
			num(m.Nodes), num(d.Switches), english.Grouped(b.Links), num(b.Bundles), num(b.Types), num(d.Panels),
			num(b.HarnessKinds), fmt.Sprintf("%.1f %%", 100**b.StandardShare), num(d.Lengths), num(d.Products),
			fmt.Sprintf("%.0f m", float64(d.LongestRun)), english.Grouped(*d.Busiest),
			fmt.Sprintf("%.1f t", float64(d.Weight)/1000),
			fmt.Sprintf("%.1f", (m.Cost.Cables+m.Cost.Optics+m.Cost.Panels)/1e6),
		}
		if got := build[m.Machine]; !slices.Equal(got, want) {
			t.Errorf("the page says %q of %s, not %q", got, m.Machine, want)
		}
		want = []string{"unknown", "unknown", "unknown", "unknown", "unknown", "unknown"}
		if e := d.Expansion; e != nil {
			tight := high.Machines[i].Deployability.Expansion
			steps := func(e *report.Expansion) string {
				if e.Steps == e.LeastSteps {
					return num(e.Steps) + ", the fewest"
				}
				return fmt.Sprintf("%d, at least %d", e.Steps, e.LeastSteps)
			}
			want = []string{
				num(e.Added), english.Grouped(e.Rewired), english.Grouped(e.LeastRewired), steps(e), steps(tight),
				fmt.Sprintf("%.1f; %.1f", *e.PerPanelRack, *tight.PerPanelRack),
			}
		}
		if got := grow[m.Machine]; !slices.Equal(got, want) {
			t.Errorf("the page says %q of the growth of %s, not %q", got, m.Machine, want)
		}
	}
}
