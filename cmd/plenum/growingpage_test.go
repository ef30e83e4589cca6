package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/graphtest"
)

// TestGrowingPageShowsRealOutput edits machine files as the page does, and runs its commands.
func TestGrowingPageShowsRealOutput(t *testing.T) {
	data, err := os.ReadFile("../../docs/growing.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	ran := 0
	for block := range strings.SplitSeq(string(data), "\n```") {
		if hunks, ok := strings.CutPrefix(block, "diff\n"); ok {
			edit(t, hunks)
		}
		for piece := range strings.SplitSeq(strings.TrimPrefix(block, "console\n"), "\n$ plenum ") {
			line, shown, _ := strings.Cut(strings.TrimPrefix(piece, "$ plenum "), "\n")
			switch {
			case !strings.HasPrefix(block, "console\n"):
				continue
			case strings.HasPrefix(line, "diff") && !graphtest.Long():
				continue // half of the time
			}
			ran++
			status, stdout, stderr := command(context.Background(), strings.Fields(line)...)
			if status != cli.ExitDone {
				t.Fatalf("plenum %s: status %d %s", line, status, stderr)
			}
			for part := range strings.SplitSeq("\n"+shown+"\n", "\n...\n") {
				_, rest, ok := strings.Cut("\n"+stdout, "\n"+strings.Trim(part, "\n"))
				if !ok {
					t.Errorf("plenum %s\n%s\nthe page shows\n%s", line, stdout, part)
				}
				stdout = rest
			}
		}
	}
	if ran < 4 {
		t.Errorf("%d commands", ran)
	}
}

// edit makes a file of another by the changes of a block, in the form of unified differences without numbers of lines.
func edit(t *testing.T, block string) {
	t.Helper()
	parts := strings.Split(block, "\n@@\n")
	var from, to string
	for line := range strings.SplitSeq(parts[0], "\n") {
		if name, ok := strings.CutPrefix(line, "--- "); ok {
			from = name
		} else if name, ok := strings.CutPrefix(line, "+++ "); ok {
			to = name
		}
	}
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, hunk := range parts[1:] {
		var old, new strings.Builder
		for line := range strings.SplitSeq(strings.TrimSuffix(hunk, "\n"), "\n") {
			if line[0] != '+' {
				old.WriteString("\n" + line[1:])
			}
			if line[0] != '-' {
				new.WriteString("\n" + line[1:])
			}
		}
		if strings.Count("\n"+text, old.String()) != 1 {
			t.Fatalf("%s does not have these lines once:%s", from, old.String())
		}
		text = strings.TrimPrefix(strings.Replace("\n"+text, old.String(), new.String(), 1), "\n")
	}
	if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
