package main

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// --like sets what section 4.1 of the thin-tree paper says, and flags that are given stay.
func TestLikeSetsTheSwitchesOfAPaper(t *testing.T) {
	wall := regexp.MustCompile(`"wall_s": [^\n]*`)
	run := func(flags ...string) string {
		t.Helper()
		status, stdout, stderr := command(context.Background(), append([]string{
			"sim", "packets", "--json", "--workload", "BU",
			"--topology", "{family: thin-tree, down: 4, up: 3, levels: 2}",
		}, flags...)...)
		if status != cli.ExitDone {
			t.Fatalf("status %d: %s", status, stderr)
		}
		return wall.ReplaceAllString(stdout, "")
	}
	like, plain := run("--like", "thin-trees"), run()
	if like == plain {
		t.Error("--like thin-trees changes nothing")
	}
	if written := run("--select", "room", "--vcs", "1", "--buffer-packets", "4"); like != written {
		t.Errorf("--like thin-trees gives\n%s\nits flags\n%s", like, written)
	}
	if kept := run("--like", "thin-trees", "--select", "idle", "--vcs", "0"); kept != run("--buffer-packets", "4") {
		t.Errorf("--select idle with --like gives\n%s\nwithout\n%s", kept, plain)
	}
	_, _, stderr := command(context.Background(), "sim", "packets", "--like", "thin-tree", "--topology",
		"{family: torus, dims: [4, 4]}")
	if !strings.Contains(stderr, `--like: no reading "thin-tree"; did you mean "thin-trees"?`) {
		t.Error(stderr)
	}
}
