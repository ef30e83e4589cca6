package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// block returns the n-th fenced block without a language of a document.
func block(t *testing.T, document string, n int) string {
	t.Helper()
	parts := strings.Split(document, "\n```\n")
	for i := 1; i < len(parts); i++ {
		// A plain fence opens a block unless it closes one with a language.
		if before := parts[i-1]; strings.Contains(before[strings.LastIndex(before, "\n\n")+1:], "```yaml") ||
			strings.Contains(before[strings.LastIndex(before, "\n\n")+1:], "```go") {
			continue
		}
		if n--; n == 0 {
			return parts[i] + "\n"
		}
		i++
	}
	t.Fatal("the document has too few blocks")
	return ""
}

// hasParts reports whether a text has all parts of an excerpt in their order: lines of "..." stand for lines that the
// excerpt leaves out.
func hasParts(text, excerpt string) bool {
	for part := range strings.SplitSeq("\n"+excerpt, "\n...\n") {
		if part = strings.Trim(part, "\n"); part == "" {
			continue // the excerpt ends before the text does
		}
		_, rest, ok := strings.Cut("\n"+text, "\n"+part+"\n")
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// TestReadmeShowsRealOutput runs the README's first command, and one that fails, and compares what they print with the
// page of outputs.
func TestReadmeShowsRealOutput(t *testing.T) {
	page, err := os.ReadFile("../../docs/outputs.md")
	if err != nil {
		t.Fatal(err)
	}
	mistakes, err := filepath.Abs("testdata/mistakes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	if status := run(context.Background(), &out, &errs, []string{"plan"}); status != cli.ExitDone {
		t.Fatalf("status %d: %s", status, &errs)
	}
	if want := block(t, string(page), 1); !hasParts(out.String(), want) {
		t.Errorf("plan prints\n%s\nthe page shows\n%s", &out, want)
	}
	data, err := os.ReadFile(mistakes)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("mistakes.yaml", data, 0o666); err != nil {
		t.Fatal(err)
	}
	errs.Reset()
	if status := run(context.Background(), &out, &errs, []string{"plan", "mistakes.yaml"}); status != cli.ExitInput {
		t.Errorf("status %d", status)
	}
	if want := block(t, string(page), 2); !hasParts(errs.String(), want) {
		t.Errorf("plan prints\n%s\nthe page shows\n%s", &errs, want)
	}
}

// TestReadmeCommands runs the commands of the README.
func TestReadmeCommands(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	n := 0
	for line := range strings.Lines(string(readme)) {
		args, ok := strings.CutPrefix(line, "    go run ./cmd/plenum ")
		if !ok {
			continue
		}
		n++
		if status, _, stderr := command(t.Context(), strings.Fields(args)...); status != cli.ExitDone {
			t.Errorf("plenum %s: status %d: %s", strings.TrimSpace(args), status, stderr)
		}
	}
	if n != 2 {
		t.Errorf("%d commands", n)
	}
}
