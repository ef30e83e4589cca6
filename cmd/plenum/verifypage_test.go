package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// TestVerifyPage: the example of the page prints what the page says, and maps of all its forms are read.
func TestVerifyPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	blocks := regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```").FindAllStringSubmatch(string(page), 4)
	for i, name := range []string{"pod.yaml", "site.csv", "map.yaml"} {
		if err := os.WriteFile(name, []byte(blocks[i][2]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	command := regexp.MustCompile(`(?m)^    plenum (verify pod.yaml .*)$`).FindStringSubmatch(string(page))
	if command == nil {
		t.Fatal("no command")
	}
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") } // lines break where they fit
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), &stdout, &stderr, strings.Fields(command[1]))
	if status != cli.ExitBroken || !strings.HasPrefix(words(stdout.String()), words(blocks[3][2])) {
		t.Errorf("status %d\n%s%s", status, &stdout, &stderr)
	}
	forms := 0
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), " | ")
		if len(cells) != 3 || !strings.Contains(cells[1], "`<br>`") && !strings.Contains(cells[0], "map of GUIDs") {
			continue
		}
		var text []string
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
			text = append(text, m[1])
		}
		forms++
		written := strings.NewReplacer("leaf-1", "compute-leaf-1").Replace(strings.Join(text, "\n"))
		if err := os.WriteFile("other.map", []byte(written), 0o666); err != nil {
			t.Fatal(err)
		}
		stderr.Reset()
		args := []string{"verify", "pod.yaml", "site.csv", "--map", "map.yaml", "--map", "other.map"}
		if status := run(context.Background(), &stdout, &stderr, args); status != cli.ExitBroken {
			t.Errorf("%q: status %d, %s", written, status, &stderr)
		}
	}
	if forms != 6 {
		t.Errorf("%d forms of maps", forms)
	}
}
