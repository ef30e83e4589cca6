package main

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
)

// thousand is a study of 1,000 points in 100 shards.
const thousand = `
machine: {topology: {family: torus, dims: [2, 2]}}
axes:
  - {field: topology.dims, values: [[2, 2], [2, 3], [0, 1], [3, 3], [2, 2, 2]]}
  - {field: metrics.fail_links, from: 0, to: 0.19, step: 0.01}
repeats: 10
measure: [metrics]
metrics: {figures: [hops]}
points_per_shard: 10
`

// plenum is the command as a program of its own: this test's program by another name, as the scripts have it.
func plenum(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plenum")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// tables reads the merged files of a study.
func tables(t *testing.T, dir string) []byte {
	t.Helper()
	var out []byte
	for _, name := range []string{"results.csv", "results.parquet"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data...)
	}
	return out
}

// sweepTo runs a study in this process.
func sweepTo(t *testing.T, file, dir string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	args = append([]string{"sweep", file, "-o", dir}, args...)
	if status := run(t.Context(), &out, &out, args); status != cli.ExitDone {
		t.Fatalf("status %d: %s", status, out.String())
	}
}

// finishedShards counts those of a study.
func finishedShards(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "shards"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			n++
		}
	}
	return n
}

// A study of 1,000 points that is killed at ten random moments and resumed gives the tables of one that is left alone,
// byte for byte.
func TestSweepKilledTenTimes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "study.yaml")
	if err := os.WriteFile(file, []byte(thousand), 0o666); err != nil {
		t.Fatal(err)
	}
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	sweepTo(t, file, whole)
	random, program := rand.New(rand.NewPCG(1, 2)), plenum(t)
	for range 10 {
		enough := finishedShards(t, killed) + 1 + random.IntN(8)
		cmd := exec.Command(program, "sweep", file, "-o", killed, "--resume")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for finishedShards(t, killed) < enough {
			time.Sleep(time.Duration(random.IntN(2000)) * time.Microsecond)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
			t.Fatalf("it was not killed: %v", err)
		}
	}
	if n := finishedShards(t, killed); n < 10 || n >= 100 {
		t.Errorf("%d shards after ten kills", n)
	}
	sweepTo(t, file, killed, "--resume")
	if !bytes.Equal(tables(t, whole), tables(t, killed)) {
		t.Error("the tables differ")
	}
	left, err := filepath.Glob(filepath.Join(killed, "shards", ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("what was being written when it was killed is still there: %v %v", left, err)
	}
}

// onFullDisk runs a script of the shell with a file system of 200 kB at disk, which nothing else sees.
func onFullDisk(t *testing.T, dir, script string) string {
	t.Helper()
	mount := `mkdir disk && mount -t tmpfs -o size=200k none disk || exit 99; ` + script
	out, err := exec.Command("unshare", "--user", "--map-root-user", "--mount", "true").CombinedOutput()
	if err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatalf("unshare: %v: %s", err, out)
		}
		t.Skipf("no file systems of its own for a test: unshare: %v", err)
	}
	cmd := exec.Command("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(plenum(t))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err = cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// On a full disk a study ends with an error that says so and what to do. No finished shard is lost, no unfinished one
// is
// there; when there is room, it goes on.
func TestSweepFullDisk(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "study.yaml")
	if err := os.WriteFile(file, []byte(thousand), 0o666); err != nil {
		t.Fatal(err)
	}
	sweepTo(t, file, filepath.Join(dir, "whole"))
	out := onFullDisk(t, dir, `
plenum sweep study.yaml -o disk/out; echo status $?
plenum sweep status disk/out
ls -A disk/out/shards | wc -l
ls -A disk/out/shards | grep -c '^[.]'
cp -r disk/out kept
mount -o remount,size=10m disk
plenum sweep study.yaml -o disk/out --resume
diff -r kept/shards disk/out/shards | grep -v '^Only in disk'
cmp whole/results.csv disk/out/results.csv
cmp whole/results.parquet disk/out/results.parquet && echo the same`)
	for _, want := range []string{
		"no space left on device; all shards that were finished are kept: make room at disk/out, then run the sweep " +
			"with --resume\nstatus 3\n",
		"1,000 of 1,000 points are computed, 100 of 100 shards\n", "\nthe same\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "differ") {
		t.Errorf("a shard was changed:\n%s", out)
	}
}
