package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// TestSnippetsOfPages: every piece of YAML that a page shows is part of a machine
// file that can be planned, or of a catalog file.
func TestSnippetsOfPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	snippets := map[string]string{}
	yaml := regexp.MustCompile("(?s)```yaml\n(.*?)```")
	for _, name := range append(pages, "../../README.md") {
		if strings.HasPrefix(filepath.Base(name), "tutorial") { // TestTutorials does what they say
			continue
		}
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range yaml.FindAllStringSubmatch(string(page), -1) {
			snippets[fmt.Sprintf("%s %d", filepath.Base(name), i+1)] = m[1]
		}
	}
	hall, err := os.ReadFile("../../examples/hall/hall.dxf")
	if err != nil {
		t.Fatal(err)
	}
	if len(snippets) < 10 {
		t.Fatalf("%d snippets", len(snippets))
	}
	t.Chdir(t.TempDir())
	quote := "part,min qty,unit price,currency,date\ndac-400g-qsfp112@1 m,1,95.50,USD,2025-06-01\n"
	store := "part,quantity\ndac-400g-qsfp112@1 m,5\n"
	for name, text := range map[string]string{"quote.csv": quote, "store.csv": store, "hall.dxf": string(hall)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := "topology: {family: fat-tree, nodes: 64, radix: 32}\nroom: {rows: 1, racks_per_row: 6}\n"
	if err := os.WriteFile("before.yaml", []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"plan", "before.yaml", "-o", "before", "--only", "placement.csv,cables.csv,bom.csv"}
	if status := run(context.Background(), &bytes.Buffer{}, &bytes.Buffer{}, args); status != cli.ExitDone {
		t.Fatalf("the plan that is owned: status %d", status)
	}
	args = strings.Fields("search graph --grid 10x10 --degree 4 --steps 100 -o net.edges --places places.csv")
	if status := run(context.Background(), &bytes.Buffer{}, &bytes.Buffer{}, args); status != cli.ExitDone {
		t.Fatalf("the graph that is searched: status %d", status)
	}
	for name, text := range snippets {
		args := []string{"plan", "snippet.yaml", "--summary", "--only", "plan.json"}
		switch {
		case strings.HasPrefix(text, "- id:"):
			text = "parts:\n" + text
			fallthrough
		case strings.HasPrefix(text, "price_sets:"):
			args = []string{"catalog", "check", "snippet.yaml"}
		case strings.Contains("\n"+text, "\naxes:"):
			if !strings.Contains("\n"+text, "\nmachine:") {
				text = "machine: {topology: {family: torus, dims: [8, 8]}}\n" + text
			}
			args = []string{"sweep", "snippet.yaml", "--dry-run"}
		case strings.Contains("\n"+text, "\nnodes: "):
			args = []string{"search", "snippet.yaml"}
		case !strings.Contains("\n"+text, "\ntopology:") && !strings.Contains("\n"+text, "\nfabrics:"):
			text = "topology: {family: fat-tree, nodes: 64, radix: 16}\n" + text
		}
		if err := os.WriteFile("snippet.yaml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if status := run(context.Background(), &out, &errs, args); status != cli.ExitDone {
			t.Errorf("%s: status %d\n%s", name, status, &errs)
		}
	}
}
