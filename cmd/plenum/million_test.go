package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/outfile"
)

// TestMillionNodesUnderALimit plans a torus of 1,048,576 nodes and 3,145,728 cables, with all its files, in an address
// space of 4 GB: where more is asked for, the system refuses it and the program ends.
func TestMillionNodesUnderALimit(t *testing.T) {
	if os.Getenv("PLENUM_LONG") != "1" {
		t.Skip("it writes 3 GB: set PLENUM_LONG=1")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell whose ulimit could limit it")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "plenum") // what testscript.Main runs as the command
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	const million = "topology: {family: torus, dims: [128, 128, 64]}\ndelay: {samples: 8}\n"
	if err := os.WriteFile(filepath.Join(dir, "million.yaml"), []byte(million), 0o600); err != nil {
		t.Fatal(err)
	}
	limited := func(kilobytes string, args ...string) (string, error) {
		c := exec.CommandContext(t.Context(), "sh", append([]string{
			"-c", `ulimit -v "$1" || exit 77; shift; exec ./plenum plan million.yaml "$@"`, "sh", kilobytes,
		}, args...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if c.ProcessState != nil && c.ProcessState.ExitCode() == 77 {
			t.Skipf("no limit can be set: %s", out)
		}
		return string(out), err
	}
	if out, err := limited("4194304", "-o", "plan"); err != nil || !strings.Contains(out, "1,048,576") {
		t.Fatalf("%v: %s", err, out[:min(len(out), 2000)])
	}
	if c, err := outfile.Check(t.Context(), filepath.Join(dir, "plan")); err != nil || !c.OK {
		t.Errorf("the plan is not whole: %+v, %v", c, err)
	}
	if _, err := limited("524288", "-o", "other"); err == nil { // or the limit means nothing
		t.Error("512 MB are enough")
	}
}
