package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/examples"
)

// TestSearchPageShowsRealOutput runs the commands of the page.
func TestSearchPageShowsRealOutput(t *testing.T) {
	data, err := os.ReadFile("../../docs/search.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	_, file, _ := strings.Cut(page, "```yaml\n")
	file, _, _ = strings.Cut(file, "```")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("cheap.yaml", []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	ports, err := examples.Searches.ReadFile("searches/ports-to-levels.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("ports-to-levels.yaml", ports, 0o666); err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(page, "```console\n$ plenum ")
	for _, b := range blocks[1:] {
		line, rest, _ := strings.Cut(b, "\n")
		shown, _, _ := strings.Cut(rest, "```")
		status, stdout, stderr := command(context.Background(), strings.Fields(line)...)
		if status != cli.ExitDone || !shows(strings.Split(shown, "\n"), strings.Split(stdout, "\n")) {
			t.Errorf("plenum %s: status %d %s\n%s\nthe page shows\n%s", line, status, stderr, stdout, shown)
		}
	}
	if len(blocks) != 5 {
		t.Errorf("%d blocks", len(blocks)-1)
	}
}
