package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWorkloadsPage plays the job that docs/workloads.md shows: the lines that follow are printed.
func TestWorkloadsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/workloads.md")
	if err != nil {
		t.Fatal(err)
	}
	var job string
	var printed []string
	for line := range strings.Lines(string(page)) {
		text, indented := strings.CutPrefix(line, "    ")
		switch {
		case indented && regexp.MustCompile(`^[a-z]+: `).MatchString(text):
			job += text
		case strings.HasPrefix(text, "  step "), strings.HasPrefix(text, "  tokens "):
			printed = append(printed, text)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "job.yaml"), []byte(job), 0o666); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "sim", "goal", "superpod-h100-4su", "--fabric", "compute", "--workload", "job.yaml",
		"--ranks-per-node", "8")
	cmd.Args[0], cmd.Dir, cmd.Stderr = "plenum", dir, os.Stderr
	cmd.Path = filepath.Join(dir, "plenum")
	if err := os.Symlink(self, cmd.Path); err != nil {
		t.Skip(err)
	}
	out, err := cmd.Output()
	if err != nil || len(printed) != 2 {
		t.Fatal(len(printed), err)
	}
	flows := exec.Command(cmd.Path, "sim", "flows", "torus-4096-racks", "--workload", "job.yaml")
	flows.Dir, flows.Stderr = dir, os.Stderr
	shared, err := flows.Output()
	if err != nil {
		t.Fatal(err)
	}
	step := regexp.MustCompile(`a step of ([0-9.]+ s)`).FindSubmatch(shared)
	if step == nil || !strings.Contains(string(page), string(step[1])+" on this torus") {
		t.Errorf("the page does not have the time of %s", shared)
	}
	for _, want := range printed {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s does not have %s", out, want)
		}
	}
}
