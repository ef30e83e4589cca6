package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
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

// fileSizes are the sizes of files in the list of those that were written.
var fileSizes = regexp.MustCompile(`\([0-9.]+ [kM]?B\)`)

// sameButBreaks is a text without the breaks of the list of files, which depend on their sizes.
func sameButBreaks(text string) string {
	head, files, _ := strings.Cut(text, "written to ")
	return head + strings.Join(strings.Fields(files), " ")
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
	got := fileSizes.ReplaceAllString(out.String(), "(size)") // of files that name the commit
	if want := fileSizes.ReplaceAllString(block(t, string(page), 1),
		"(size)"); sameButBreaks(got) != sameButBreaks(want) {
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
	if want := block(t, string(page), 2); errs.String() != want {
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
