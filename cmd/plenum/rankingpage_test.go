package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
)

// rankingPage is the page, and the output that it shows.
func rankingPage(t *testing.T) (page, shown string) {
	t.Helper()
	data, err := os.ReadFile("../../docs/ranking.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data), strings.TrimSpace(block(t, string(data), 1))
}

// TestRankingPage: what the page shows is the money of these machines by what it says that they accept, in order. The
// simulations themselves take minutes: TestRankingOfTheThousand.
func TestRankingPage(t *testing.T) {
	_, shown := rankingPage(t)
	plans := map[string]*report.Plan{}
	for _, name := range []string{"fat-tree", "hyperx", "dragonfly"} {
		s, err := machine.Load(filepath.Join("../../examples/thousand", name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := machine.PlanWith(t.Context(), s, machine.Options{Summary: true})
		if err != nil {
			t.Fatal(err)
		}
		if p.Broken() {
			t.Errorf("%s breaks design rules: %v", name, p.Violations.List())
		}
		plans[p.Spec.Name] = p.Report()
	}
	holdTerms(t, shown)
	rows, before := 0, 0.0
	for line := range strings.Lines(shown) {
		fields := strings.Fields(line)
		if len(fields) < 9 || fields[0] == "rank" {
			before = 0
			continue
		}
		last := fields[len(fields)-6:]
		p := plans[strings.Join(fields[2:len(fields)-6], " ")]
		if p == nil {
			continue
		}
		rows++
		var v [6]float64
		for i, text := range last {
			var err error
			if v[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		network, total, rate, share, most := v[0], v[1], v[2], v[3], v[5]
		gbps := rate * float64(p.Nodes)
		near := func(a, b float64) bool { return math.Abs(a/b-1) < 0.002 }
		if !near(network, p.Cost.Network.Float()/gbps) ||
			!near(total, p.Cost.Total.Float()/gbps) || !near(rate, 200*share) || share > most || network < before {
			t.Errorf("%q: %v for the network, %v in all", line, p.Cost.Network.Float()/gbps, p.Cost.Total.Float()/gbps)
		}
		before = network
	}
	if rows != 6 {
		t.Errorf("%d rows", rows)
	}
}

// holdTerms holds the lines above the rankings, with the terms, against a comparison without traffic.
func holdTerms(t *testing.T, shown string) {
	t.Helper()
	head, _, _ := strings.Cut(shown, "\n\nNetwork cost")
	args := []string{"compare", "-o", t.TempDir()}
	for _, name := range []string{"fat-tree", "hyperx", "dragonfly"} {
		args = append(args, filepath.Join("../../examples/thousand", name+".yaml"))
	}
	if status, stdout, stderr := command(t.Context(), args...); status != cli.ExitDone ||
		!strings.HasPrefix(stdout, head+"\n\n") {
		t.Errorf("status %d, %s; the page begins with\n%s\nbut it is\n%s", status, stderr, head, stdout)
	}
}

// TestWholeMachinesOfRankingPage runs the comparison of whole machines that the page shows.
func TestWholeMachinesOfRankingPage(t *testing.T) {
	page, _ := rankingPage(t)
	_, shown, found := strings.Cut(page, "$ plenum compare superpod-h100-4su superpod-b300-planes\n")
	shown, _, ended := strings.Cut(shown, "```")
	if !found || !ended {
		t.Fatal("the page has no comparison of whole machines")
	}
	status, stdout, stderr := command(t.Context(), "compare", "superpod-h100-4su", "superpod-b300-planes", "-o", "")
	if status != cli.ExitDone {
		t.Fatal(status, stderr)
	}
	if !strings.Contains(stdout, "\n"+shown) {
		t.Errorf("the page shows\n%s\nbut it is\n%s", shown, stdout)
	}
}

// TestRankingOfTheThousand runs the command of the page: minutes of processor time.
func TestRankingOfTheThousand(t *testing.T) {
	if os.Getenv("PLENUM_LONG") == "" {
		t.Skip("set PLENUM_LONG=1: simulates six runs of a thousand nodes; TestRankingPage is the small twin")
	}
	page, shown := rankingPage(t)
	command := page[strings.Index(page, "    plenum compare")+len("    plenum "):]
	command, _, _ = strings.Cut(command, "\n")
	out := t.TempDir()
	t.Chdir("../../examples/thousand")
	var stdout, stderr bytes.Buffer
	args := append(strings.Fields(command), "-o", out)
	if status := run(t.Context(), &stdout, &stderr, args); status != cli.ExitDone {
		t.Fatalf("%v: status %d, %s", args, status, &stderr)
	}
	if !strings.HasPrefix(stdout.String(), shown) {
		t.Errorf("the page shows\n%s\nbut it is\n%s", shown, stdout.String()[:2*len(shown)])
	}
}
