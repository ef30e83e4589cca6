//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/budget"
)

// giants are what no computer holds, and words of the refusal.
var giants = []struct {
	args []string // the file is machine.yaml
	file string
	want string
}{
	{[]string{"topology", "{family: torus, dims: [1000000000, 1000000000]}"}, "", "would take about 64 EB of memory"},
	{[]string{"topology", "{family: torus, dims: [1000000, 1000000, 1000000]}"}, "", "years"},
	{[]string{"topology", "{family: fat-tree, nodes: 1000000000000000000, radix: 64}"}, "", "nodes"},
	{
		[]string{"topology", "sizes", "--family", "torus", "--nodes", "1000000000000000000"},
		"", "from 1 to 2147483647",
	},
	{
		[]string{"plan", "machine.yaml"},
		"topology: {family: torus, dims: [1000, 1000, 1000]}",
		"would take about 510 GB",
	},
	{
		[]string{"plan", "machine.yaml", "--estimate"},
		"topology: {family: torus, dims: [1000, 1000, 1000]}",
		"can be planned",
	},
	{
		[]string{"plan", "machine.yaml"},
		"topology: {family: torus, dims: [2000000000, 2]}",
		"machine.yaml:1",
	},
	{
		[]string{"plan", "machine.yaml"},
		"topology: {family: torus, dims: 4}\nroom: {racks_per_row: 2147483647}",
		"machine.yaml:2",
	},
	{
		[]string{"plan", "machine.yaml"},
		"topology: {family: torus, dims: 4}\nroom: {containers: [{name: c, count: [1000, 1000, 500], pitch: 1}]}",
		"machine.yaml:2",
	},
	{
		[]string{"sim", "packets", "--topology", "{family: torus, dims: [1000, 1000, 1000]}"},
		"",
		"simulating traffic on a network of 1,000,000,000 vertices would take about 500 GB",
	},
	{
		[]string{"sim", "packets", "--topology", "{family: torus, dims: [100, 100, 100]}", "--max-memory", "2 GB"},
		"",
		"1,000,000 vertices and 3,000,000 links would take about 2.3 GB",
	},
	{
		[]string{
			"sim", "packets", "--topology", "{family: torus, dims: [8, 8]}", "--warmup", "1000000000",
			"--max-time", "10s",
		},
		"", "--max-time allows 10s",
	},
	{
		[]string{"sim", "packets", "machine.yaml"},
		"topology: {family: torus, dims: [1000, 1000, 1000]}",
		"would take about 510 GB",
	},
	{
		[]string{"sim", "flows", "--topology", "{family: torus, dims: [1000, 1000, 1000]}", "--workload", "all"},
		"",
		"would take about 500 GB",
	},
	{
		[]string{
			"sim", "flows", "--topology", "{family: torus, dims: [16, 16]}", "--workload", "all-to-all,ring-all-reduce",
			"--max-time", "1ms",
		},
		"", "--max-time allows 1ms",
	},
	{
		[]string{
			"sim", "packets", "--topology", "{family: torus, dims: [64, 64]}",
			"--workload", "all-to-all:window=4096", "--max-memory", "200 MB",
		},
		"", "the messages of all-to-all:window=4096 would take about 340 MB",
	},
	{
		[]string{"sim", "rounds", "--topology", "{family: clex, clique: 32, levels: 6}"},
		"",
		"simulating 1,073,741,824 messages of 1,073,741,824 nodes would take about 58 GB",
	},
	{
		[]string{"sim", "rounds", "--topology", "{family: clex, clique: 32, levels: 4}", "--load", "2000"},
		"",
		"simulating 2,097,152,000 messages of 1,048,576 nodes would take about 71 GB",
	},
	{
		[]string{"sim", "rounds", "clex-4096", "--load", "100000", "--max-memory", "4 GB"},
		"",
		"would take about",
	},
	{
		[]string{"sim", "flood", "--topology", "{family: torus, dims: [1000, 1000, 1000]}"},
		"",
		"building the trees of 1,000,000,000 vertices would take about 30 GB",
	},
	{
		[]string{"sim", "flood", "--topology", "{family: torus, dims: [200, 200, 200]}"},
		"",
		"trees from 8000000 nodes",
	},
	{
		[]string{
			"sim", "goal", "--topology", "{family: torus, dims: [1000, 1000, 1000]}", "--pattern", "dissemination",
		},
		"",
		"finding paths in a network of 1,000,000,000 vertices would take about 300 GB",
	},
	{
		[]string{
			"sim", "goal", "--latency-ns", "1", "--pattern", "linear-all-to-all", "--ranks", "8000",
			"--max-memory", "8 GB",
		},
		"", "linear-all-to-all of 8000 ranks would take about 13 GB",
	},
	{
		[]string{"embed", "map", "{family: torus, dims: [1000, 1000, 1000]}", "--grid", "10x10"},
		"",
		"mapping 1,000,000,000 vertices would take about 300 GB",
	},
	{
		[]string{"embed", "map", "{family: torus, dims: [100, 100, 100]}", "--grid", "10x10", "--max-memory", "600 MB"},
		"",
		"1,000,000 vertices and 3,000,000 links would take about 900 MB",
	},
	{
		[]string{"embed", "place", "machine.yaml"},
		"topology: {family: torus, dims: [1000, 1000, 1000]}",
		"would take about 510 GB",
	},
	{
		[]string{"embed", "place", "machine.yaml", "--max-memory", "64 MB"},
		"topology: {family: torus, dims: [100, 100, 100]}",
		"placing 1,000,000 boxes would take about 90 MB",
	},
	{
		[]string{"embed", "qap", "machine.yaml"},
		"1000000000",
		"1000000000 objects, expected 1 to 4096",
	},
	{
		[]string{"plan", "machine.yaml", "--max-memory", "64 MB"},
		"topology: {family: torus, dims: [100, 100, 100]}",
		"--max-memory allows 64 MB",
	},
	{
		[]string{"plan", "machine.yaml", "--max-time", "1s"},
		"topology: {family: torus, dims: [100, 100, 100]}",
		"--max-time allows 1s",
	},
}

// TestGiantsRefusedAtOnce holds refusals to what a program that only tells its version takes and 18 MB of memory: 50 MB
// in all on the computer that this was written on. They take less than 0.1 s of processor time; a second is allowed,
// for computers that are slow or busy, as what is refused would take minutes.
func TestGiantsRefusedAtOnce(t *testing.T) {
	p := newProgram(t)
	none := p.run(t, "version")
	for _, g := range giants {
		if err := os.WriteFile(filepath.Join(p.dir, "machine.yaml"), []byte(g.file), 0o666); err != nil {
			t.Fatal(err)
		}
		var e ended
		for range 3 { // other processes may disturb one
			e = p.run(t, g.args...)
			if e.status != 2 || !strings.Contains(e.said, g.want) || len(e.said) > 4096 {
				t.Errorf("%v of %.200s: status %d, %.500s", g.args, g.file, e.status, e.said)
			}
			if e.used < none.used+time.Second {
				break
			}
		}
		if e.used > none.used+time.Second || e.most > none.most+18<<10 {
			t.Errorf("%v of %s: refused after %v and %d kB, where nothing takes %v and %d kB", g.args, g.file, e.used,
				e.most, none.used, none.most)
		}
	}
}

// TestLargeAssignmentIsRefused has a problem whose file is small beside what it takes to solve it.
func TestLargeAssignmentIsRefused(t *testing.T) {
	const n = 1050
	p := newProgram(t) // of its own, as the bound is of all that a process takes
	text := strconv.Itoa(n) + strings.Repeat(" 1", 2*n*n)
	if err := os.WriteFile(filepath.Join(p.dir, "large.dat"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e := p.run(t, "embed", "qap", "large.dat", "--max-memory", "64 MB")
	if e.status != 2 || !strings.Contains(e.said, "the assignment of 1,050 objects would take about 66 MB") {
		t.Errorf("status %d, %.200q", e.status, e.said)
	}
}

// program is the command as a process of its own.
type program struct{ path, dir string }

// ended is how a process ended, and what it used.
type ended struct {
	status int
	said   string
	used   time.Duration // of the processor
	most   int64         // kB of memory at once
}

func newProgram(t *testing.T) *program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "plenum") // what testscript.Main runs as the command
	if err := os.Symlink(self, path); err != nil {
		t.Skip(err)
	}
	return &program{path, dir}
}

// run runs the command to its end.
func (p *program) run(t *testing.T, args ...string) ended {
	t.Helper()
	c := exec.CommandContext(context.WithoutCancel(t.Context()), p.path, args...)
	c.Dir = p.dir
	out, err := c.CombinedOutput()
	s := c.ProcessState
	if s == nil {
		t.Fatal(err)
	}
	return ended{s.ExitCode(), string(out), s.UserTime() + s.SystemTime(), s.SysUsage().(*syscall.Rusage).Maxrss}
}

// TestLimitsEnd checks that a run which takes more than was estimated is ended.
func TestLimitsEnd(t *testing.T) {
	p := newProgram(t)
	for _, flags := range [][]string{{"--max-time", "1ms"}, {"--max-memory", "64MB"}} {
		args := append([]string{"topology", "{family: random-regular, nodes: 60000, degree: 20}"}, flags...)
		if e := p.run(t, args...); e.status != 3 || !strings.Contains(e.said, flags[0]) {
			t.Errorf("%v: status %d, %q", flags, e.status, e.said)
		}
	}
	for flag, values := range map[string][]string{
		"--max-time":   {"0", "-1s", "nan", "9999999999h"},
		"--max-memory": {"", "0", "-4 GB", "1e308 GB", "nan", "\x1b[31m"},
	} {
		for _, v := range values {
			var out, said strings.Builder
			if status := run(t.Context(), &out, &said, []string{"version", flag, v}); status != 2 ||
				!strings.Contains(said.String(), flag) || strings.Contains(said.String(), "\x1b") {
				t.Errorf("%s %q: status %d, %q", flag, v, status, said.String())
			}
		}
	}
	if budget.Machine() == 0 {
		t.Log("the memory of this computer is not known")
	}
}
