package main

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// TestWelcome runs the commands that plenum shows by itself in an empty directory each.
func TestWelcome(t *testing.T) {
	status, text, stderr := command(context.Background())
	if status != cli.ExitDone || text != welcome || stderr != "" {
		t.Fatal(status, text, stderr)
	}
	lines, tried := strings.Split(text, "\n"), 0
	if len(lines) > 24 {
		t.Errorf("%d lines are more than a screen", len(lines))
	}
	for _, line := range lines {
		if len(line) > 92 {
			t.Errorf("%q is too long", line)
		}
		if args, ok := strings.CutPrefix(line, "  plenum "); ok {
			t.Chdir(t.TempDir())
			tried++
			if status, _, stderr := command(context.Background(), strings.Fields(args)...); status != cli.ExitDone {
				t.Errorf("%s: status %d, %s", line, status, stderr)
			}
		}
	}
	if tried != 3 {
		t.Errorf("%d commands", tried)
	}
}
