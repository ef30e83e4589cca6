package graphio_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// TestExamplesOfThePage reads the examples of graph files that docs/graph-files.md shows: two servers on a leaf, each.
func TestExamplesOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/graph-files.md")
	if err != nil {
		t.Fatal(err)
	}
	formats := map[string]string{"edges": "edges", "dot": "dot", "csv": "cables"}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile("(?s)```([a-z-]+)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		format, ok := formats[m[1]]
		if !ok {
			continue
		}
		seen[format] = true
		g, err := graphio.Read(m[1], format, strings.NewReader(m[2]))
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		counts := topology.Count(g)
		if counts.Nodes != 2 || counts.Switches < 1 {
			t.Errorf("%s: %d nodes and %d switches", format, counts.Nodes, counts.Switches)
		}
	}
	if len(seen) != len(formats) {
		t.Errorf("the page shows %v", seen)
	}
}
