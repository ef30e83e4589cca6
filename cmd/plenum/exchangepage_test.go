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
	page, shown := renderPage(t, "exchange.md")
	for _, format := range slices.AppendSeq([]string{changesFormat}, maps.Keys(linkExports)) {
		needs := strings.Contains(page, "--format "+format+" --found ") // what other programs know
		if !shown[format] && !needs {
			t.Errorf("the page does not show %s", format)
		}
	}
}

// TestSimulatorsPage and TestSchedulersPage do the same with the pages of formats of one network.
func TestSimulatorsPage(t *testing.T) {
	if _, shown := renderPage(t, "simulators.md"); len(shown) != len(simulatorFormats)+1 { // and anynet
		t.Errorf("the page shows %v", shown)
	}
}

func TestSchedulersPage(t *testing.T) {
	page, shown := renderPage(t, "schedulers.md")
	if len(shown) != len(schedulerFormats) {
		t.Errorf("the page shows %v", shown)
	}
	conf, err := os.ReadFile("topology.conf")
	if err != nil || !strings.Contains(page, "```text\n"+string(conf)+"```\n") {
		t.Errorf("the page does not have topology.conf:\n%s", conf)
	}
}

// renderPage runs the commands in the tables of a page in a new directory, and returns the page and the formats that it
// shows.
func renderPage(t *testing.T, name string) (text string, shown map[string]bool) {
	t.Helper()
	page, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	shown = map[string]bool{}
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
	return string(page), shown
}
