package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// TestSearchPageShowsRealOutput runs the commands of the page, and makes the rows of its table anew.
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
		if status != cli.ExitDone || stdout != shown {
			t.Errorf("plenum %s: status %d %s\n%s\nthe page shows\n%s", line, status, stderr, stdout, shown)
		}
	}
	times := func(n []int) string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(n), "[]"), " ", " x ") }
	rows := 0
	for nodes := 1024; nodes <= 131072; nodes *= 2 {
		for _, ports := range []int{64, 128} {
			row := fmt.Sprintf("| %s | %d |", english.Grouped(int64(nodes)), ports)
			for _, beta := range []float64{0.5, 1} {
				found, err := topology.SmallestHyperX(nodes, ports, beta)
				if err != nil || len(found) != 1 {
					t.Fatal(len(found), err)
				}
				x := found[0]
				widths, switches, between := make([]int, len(x.Dims)), 1, 0
				for d, side := range x.Dims {
					widths[d] = 1
					if len(x.Widths) > 0 {
						widths[d] = x.Widths[d]
					}
					switches *= side
					between += widths[d] * (side - 1)
				}
				row += fmt.Sprintf(" %s | %s | %d | %s | %s |", times(x.Dims), times(widths), x.Terminals,
					english.Grouped(int64(switches)), english.Grouped(int64(switches*between/2)))
			}
			if !strings.Contains(page, "\n"+row+"\n") {
				t.Errorf("the page has no row %s", row)
			}
			rows++
		}
	}
	if len(blocks) != 7 || rows != 16 {
		t.Errorf("%d blocks, %d rows", len(blocks)-1, rows)
	}
}
