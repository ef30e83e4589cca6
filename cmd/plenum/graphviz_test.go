package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
)

// hostileNames is a machine whose names mean something to the DOT language, one of them at the end of a string.
const hostileNames = `name: 'a "ring" \'
topology: {family: torus, dims: 6}
names: {boxes: {node: 'n "{n}" -- \N \'}}
`

// TestGraphvizReadsGraphs has Graphviz read every graph that is written in its language: it finds the vertices and
// links that were written, and draws small ones.
func TestGraphvizReadsGraphs(t *testing.T) {
	for _, program := range []string{"gvpr", "dot"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
				t.Fatal(err)
			}
			t.Skipf("%s of Graphviz is not installed", program)
		}
	}
	dir := t.TempDir()
	hostile := filepath.Join(dir, "hostile.yaml")
	simplex := filepath.Join(dir, "simplex.yaml")
	for name, text := range map[string]string{
		hostile: hostileNames, simplex: "topology: {family: file, path: simplex.dot, format: dot}\n",
		filepath.Join(dir, "simplex.dot"): `digraph { a -> b [dir=both]; b -> c; c -> a }`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"topology", "{family: torus, dims: [4, 3, 2]}", "--export", "dot"},
		{"topology", "{family: hyperx, dims: [4, 3], widths: [2, 1], terminals: 1}", "--export", "dot"},
		{"topology", "{family: fat-tree, nodes: 12, radix: 8, rails: 2}", "--export", "dot"},
		{"topology", "{family: clex, clique: 3, levels: 3}", "--export", "dot"},
		{"topology", hostile, "--export", "dot"},
		{"topology", simplex, "--export", "dot"},
		{"topology", "tsubame2-hyperx", "--export", "dot"},
		{"render", hostile, "--format", "dot"},
		{"render", hostile, "--format", "ptm"},
		{"render", "basepod", "--format", "dot", "--fabric", "compute"},
		{"render", "basepod", "--format", "ptm"},
		{"render", "basepod", "--format", "ptm", "--fabric", "oob"},
		{"render", "dragonfly-1056", "--format", "dot"},
		{"render", "dragonfly-1056", "--format", "ptm"},
		{"render", "superpod-h100-4su", "--format", "ptm", "--fabric", "compute"},
		{"render", "superpod-b300-planes", "--format", "ptm"},
		{"render", "torus-4096-cubes", "--format", "ptm"},
	} {
		t.Run(strings.ReplaceAll(strings.Join(args, " "), dir+"/", ""), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "graph.dot")
			commandOutput(t, append(args, "-o", file)...)
			vertices, links := graphOf(t, args)
			out, err := exec.CommandContext(t.Context(), "gvpr", `BEG_G { printf("%d %d", nNodes($G), nEdges($G)) }`,
				file).CombinedOutput()
			if want := fmt.Sprint(vertices, links); err != nil || string(out) != want {
				t.Errorf("Graphviz found %s vertices and links, not %s: %v", out, want, err)
			}
			if links > 100 {
				return
			}
			svg, err := exec.CommandContext(t.Context(), "dot", "-Tsvg", file).Output()
			if err != nil || bytes.Count(svg, []byte(`class="node"`)) != vertices ||
				bytes.Count(svg, []byte(`class="edge"`)) != links {
				t.Errorf("drawn: %v\n%s", err, svg)
			}
		})
	}
}

// commandOutput is what a command that succeeds prints.
func commandOutput(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if status := run(context.WithoutCancel(t.Context()), &out, &errs, args); status != cli.ExitDone {
		t.Fatalf("%v: status %d: %s", args, status, &errs)
	}
	return out.Bytes()
}

// graphOf counts what a command should write: boxes with links, and links, of a plan; vertices and links of a topology.
func graphOf(t *testing.T, args []string) (vertices, links int) {
	t.Helper()
	if args[0] == "topology" {
		var got struct{ Vertices, Links []any }
		if err := json.Unmarshal(commandOutput(t, "topology", args[1], "--export", "json"), &got); err != nil {
			t.Fatal(err)
		}
		return len(got.Vertices), len(got.Links)
	}
	path := args[1]
	if !filepath.IsAbs(path) {
		path = "../../examples/" + path + ".yaml"
	}
	s, err := machine.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	fabric := ""
	if len(args) > 4 {
		fabric = args[5]
	}
	if args[3] == "dot" {
		n, err := r.Fabric(fabric)
		if err != nil {
			t.Fatal(err)
		}
		for range n.Graph.Links() {
			links++
		}
		for _, k := range n.Graph.Kinds() {
			vertices += k.Count
		}
		return vertices, links
	}
	boxes := map[int32]bool{}
	for l := range exchange.PlannedLinks(r, "") {
		if fabric == "" || r.Fabrics[l.Fabric].Name == fabric {
			boxes[l.A], boxes[l.B] = true, true
			links++
		}
	}
	return len(boxes), links
}
