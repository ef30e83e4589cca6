package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// TestExchangePage: the commands of the page write what they say, and the page has every format that it is about.
func TestExchangePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/exchange.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	shown := map[string]bool{}
	for _, m := range regexp.MustCompile("\\| `plenum (render .*)` \\|").FindAllStringSubmatch(string(page), -1) {
		args := strings.Fields(m[1])
		var stdout, stderr bytes.Buffer
		if status := run(context.Background(), &stdout, &stderr, args); status != cli.ExitDone || stdout.Len() > 0 {
			t.Errorf("%s: status %d\n%s%s", m[1], status, &stdout, &stderr)
		}
		if _, err := os.Stat(args[len(args)-1]); err != nil {
			t.Error(err)
		}
		shown[args[3]] = true
	}
	for _, format := range slices.AppendSeq([]string{changesFormat}, maps.Keys(linkExports)) {
		needs := strings.Contains(string(page), "--format "+format+" --found ") // what other programs know
		if !shown[format] && !needs {
			t.Errorf("the page does not show %s", format)
		}
	}
}
