package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/outfile"
)

// writing are commands that write files, and what they write into.
var writing = [][]string{
	{"plan", "ring.yaml", "-o", "plan"},
	{"plan", "ring.yaml", "-o", "plan", "--only", "cables.csv,plan.json"},
	{"compare", "ring.yaml", "other.yaml", "-o", "compared"},
	{"diff", "ring.yaml", "other.yaml", "-o", "changes"},
	{"render", "ring.yaml", "--format", "dot", "-o", "graph.dot"},
	{"render", "ring.yaml", "--format", "netbox", "-o", "netbox"},
	{"topology", "{family: torus, dims: [4, 4]}", "--export", "json", "-o", "graph.json"},
	{"embed", "place", "ring.yaml", "-o", "places.csv"},
	{"embed", "map", "{family: torus, dims: [4, 4]}", "--grid", "4x4", "-o", "map.csv"},
	{"sim", "packets", "ring.yaml", "--load", "0.1,0.2", "--warmup", "100", "--batch", "100", "-o", "charts"},
	{"search", "graph", "--grid", "4x4", "--degree", "4", "--longest", "2", "--seconds", "0.1", "-o", "found.edges"},
	{"sweep", "study.yaml", "-o", "study", "--resume"},
	{"init", "fresh"},
}

const killedStudy = `machine: {topology: {family: torus, dims: 8}}
axes: [{field: topology.dims, values: [8, 9, 10, 11]}]
`

// TestKilled kills commands that write at random moments, and lets them run again: every file is whole, what is mixed
// does not pass for one plan, and nothing is left over in the end.
func TestKilled(t *testing.T) {
	kills := len(writing)
	if os.Getenv("PLENUM_LONG") == "1" {
		kills = 500
	}
	if testing.Short() {
		t.Skip("it runs commands for seconds")
	}
	t.Parallel()
	program := linked(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ring.yaml":  "name: Ring\ntopology: {family: torus, dims: 8}\n",
		"other.yaml": "name: Other\ntopology: {family: torus, dims: 9}\n", "study.yaml": killedStudy,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	start := func(args []string) (*exec.Cmd, *strings.Builder) {
		c := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
		var out strings.Builder
		c.Dir, c.Stdout, c.Stderr = dir, &out, &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, &out
	}
	took := map[string]time.Duration{}
	whole := map[string]map[string]string{} // the files of an undisturbed run
	for _, args := range writing {
		begun := time.Now()
		c, out := start(args)
		if err := c.Wait(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		took[fmt.Sprint(args)] = time.Since(begun)
	}
	whole["all"] = everyFile(t, dir)
	random := rand.New(rand.NewPCG(1, 2))
	hit := 0
	for n := range kills {
		args := writing[n%len(writing)]
		if args[0] == "init" {
			os.Remove(filepath.Join(dir, "fresh.yaml"))
		}
		c, _ := start(args)
		time.Sleep(time.Duration(random.Float64() * float64(took[fmt.Sprint(args)])))
		signal := []os.Signal{syscall.SIGKILL, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}[n%5]
		_ = c.Process.Signal(signal) // it may have ended already
		if c.Wait() != nil {
			hit++
		}
		for name, text := range everyFile(t, dir) {
			if strings.HasSuffix(name, ".tmp") {
				if signal != syscall.SIGKILL && strings.Contains(name, fmt.Sprintf("-%d-", c.Process.Pid)) {
					t.Errorf("%v leaves %s of %v", signal, name, args)
				}
				continue
			}
			want, known := whole["all"][name]
			if known && text != want && !strings.HasPrefix(name, "study") {
				t.Errorf("%v in %v: %s has %d bytes, not %d", signal, args, name, len(text), len(want))
			}
		}
	}
	for _, args := range writing { // after every kill, the same command again does all of its work
		if args[0] == "init" {
			os.Remove(filepath.Join(dir, "fresh.yaml"))
		}
		if c, out := start(args); c.Wait() != nil {
			t.Errorf("%v again: %s", args, out)
		}
	}
	for name := range everyFile(t, dir) {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s is left over", name)
		}
	}
	if c, err := outfile.Check(t.Context(), filepath.Join(dir, "plan")); err != nil || !c.OK {
		t.Errorf("the plan is not whole: %+v, %v", c, err)
	}
	t.Logf("%d of %d signals came before the command had ended", hit, kills)
	if hit < kills/4 {
		t.Errorf("only %d of %d signals came in time", hit, kills)
	}
}

// everyFile reads the files below a directory.
func everyFile(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// linked returns a link to this program by which it is the command, as testscript.Main has it.
func linked(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "plenum")
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	return program
}

// A command that reads a large table ends soon after a signal, as an interrupt and not as a mistake in the table.
func TestInterruptEndsReading(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads a large table")
	}
	t.Parallel()
	program, dir := linked(t), t.TempDir()
	var boxes strings.Builder
	boxes.WriteString("label,kind,container,unit\n")
	for i := range 1_500_000 {
		fmt.Fprintf(&boxes, "n%d,node,A%d,1\n", i, i)
	}
	boxes.WriteString("\x00,node,A1,1\n") // a mistake, which only a run that reads to the end finds
	for name, text := range map[string]string{
		"boxes.csv":  boxes.String(),
		"cables.csv": "a_device,a_port,b_device,b_port,product\n",
		"parts.csv":  "part,quantity\n",
		"ring.yaml": "topology: {family: torus, dims: 8}\n" +
			"owned: {placement: boxes.csv, cables: cables.csv, parts: parts.csv}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for wait := 150 * time.Millisecond; ; wait *= 2 {
		c := exec.CommandContext(context.WithoutCancel(t.Context()), program, "plan", "ring.yaml", "--summary")
		var out strings.Builder
		c.Dir, c.Stdout, c.Stderr = dir, &out, &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
		if c.ProcessState.ExitCode() < 0 && wait < time.Minute {
			continue // it had not begun to listen to signals
		}
		if c.ProcessState.ExitCode() != cli.ExitFault || !strings.Contains(out.String(), "plenum: interrupted") {
			t.Errorf("after %v: status %d\n%.400s", wait, c.ProcessState.ExitCode(), &out)
		}
		return
	}
}
