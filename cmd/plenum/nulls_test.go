package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/examples"
)

// figures are the keys that are null where there is no figure.
var figures = []string{
	"unit_cost", "cost", "injection_gbps", "bisection_gbps", "diameter", "delay", "ports_max", "growth", "growth_max",
	"placement_file", "alpha_by_beta_mean_m", "alpha_by_beta_max_m", "alpha_by_beta_to_m",
	"modified", // whether the build's tree was, where the build has no record
}

// slowExamples take seconds each: what they print has nothing that others lack.
var slowExamples = []string{
	"fugaku.yaml", "bluegene-l.yaml", "mrc-8-planes.yaml", "jupiter.yaml", "deepseek-mpft.yaml", "hpn-7.yaml",
	"summit.yaml",
}

// nulls lists where a document has a null that is not a figure.
func nulls(v any, path string) (out []string) {
	switch v := v.(type) {
	case nil:
		return []string{path}
	case []any:
		for _, x := range v {
			out = append(out, nulls(x, path+"[]")...)
		}
	case map[string]any:
		for key, x := range v {
			if x != nil || !slices.Contains(figures, key) {
				out = append(out, nulls(x, path+"."+key)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestNoListIsNull runs every command that prints JSON. The short form plans some examples, others in every run.
func TestNoListIsNull(t *testing.T) {
	files, err := fs.Glob(examples.Files, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	torus := "{family: torus, dims: [3, 3]}"
	for name, text := range map[string]string{
		"torus.yaml": "topology: " + torus + "\n",
		"tiny.dat":   "3\n\n0 1 2\n1 0 3\n2 3 0\n\n0 5 4\n5 0 6\n4 6 0\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	commands := [][]string{
		{"plan", "torus.yaml", "-o", "out"},
		{"plan", "--estimate", torus},
		{"plan", "--rules"},
		{"plan", "--rules", "torus.yaml"},
		{"compare", "torus.yaml", "torus.yaml", "-o", "compared"},
		{"diff", "torus.yaml", "torus.yaml"},
		{"explain", "out", "C0001"},
		{"explain", "out", "rack-42u"},
		{"explain", "reach"},
		{"topology", torus, "--metrics", "all"},
		{"topology", torus, "--from", "0", "--to", "4"},
		{"topology", "list"},
		{"topology", "sizes", "--family", "slim-fly", "--nodes", "2..3"},
		{"embed", "place", "torus.yaml"},
		{"embed", "map", torus, "--grid", "3x3", "--effort", "quick"},
		{"embed", "qap", "tiny.dat"},
		{"catalog", "list"},
		{"catalog", "show", "rack-42u"},
		{"sim", "torus.yaml", "--warmup", "100", "--batches", "2", "--batch", "100"},
		{"sim", "torus.yaml", "--workload", "W2", "--reference", torus},
		{
			"sim", "--topology", torus, "--saturation", "--tolerance", "0.5", "--warmup", "100", "--batches", "2",
			"--batch", "100",
		},
		{"sim", "--topology", "{family: clex, clique: 4, levels: 2}"},
		{"sim", "--topology", torus, "--model", "flood"},
	}
	if os.Getenv("PLENUM_LONG") != "1" {
		files = slices.DeleteFunc(files, func(file string) bool { return slices.Contains(slowExamples, file) })
		files = sample(t, files, 8)
	}
	for _, file := range files {
		commands = append(commands, []string{"plan", strings.TrimSuffix(file, ".yaml"), "--summary", "-o", file})
	}
	for _, args := range commands {
		var out, errs bytes.Buffer
		if status := run(context.Background(), &out, &errs, append(args, "--json")); status != cli.ExitDone {
			t.Errorf("%v: status %d: %s", args, status, &errs)
			continue
		}
		var document any
		if err := json.Unmarshal(out.Bytes(), &document); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		if at := nulls(document, ""); len(at) > 0 {
			t.Errorf("%v: null at %s", args, strings.Join(at, ", "))
		}
	}

	// Plans of earlier versions have null for no notes.
	plan, err := os.ReadFile("out/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	earlier := regexp.MustCompile(`"notes": \[[^\]]*\]`).ReplaceAll(plan, []byte(`"notes": null`))
	if bytes.Equal(plan, earlier) {
		t.Fatal("the plan has no list of notes")
	}
	if err := os.WriteFile("earlier.json", earlier, 0o666); err != nil {
		t.Fatal(err)
	}
	var now, before, errs bytes.Buffer
	if run(context.Background(), &now, &errs, []string{"explain", "out", "C0001"}) != cli.ExitDone ||
		run(context.Background(), &before, &errs, []string{"explain", "earlier.json", "C0001"}) != cli.ExitDone ||
		now.String() != before.String() {
		t.Errorf("an earlier plan is read as\n%s\ninstead of\n%s%s", &before, &now, &errs)
	}
}
