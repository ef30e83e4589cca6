package opensm

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
)

var machines = map[string]string{
	"tree":   "topology: {family: fat-tree, radix: 8, nodes: 24}",
	"hyperx": "topology: {family: hyperx, dims: [3, 3], terminals: 2}",
	"random": "topology: {family: random-regular, nodes: 12, degree: 4, terminals: 2, seed: 3}",
}

func planned(t testing.TB, text string) *exchange.Wiring {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	w, err := exchange.Planned(r, "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestTables holds that every pair is joined without a circle of channels, in trees by the shortest way and with the
// same number of hosts at all ways up.
func TestTables(t *testing.T) {
	for name, text := range machines {
		f, _, err := fabricOf(planned(t, text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f.route()
		tables := f.spread()
		if err := f.check(tables); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name != "tree" {
			continue
		}
		for _, h := range f.hosts {
			for s, far := range f.distances([]int{h.at}) {
				if f.far[h.at][s] != far {
					t.Errorf("%s to %s: %d hops, not %d", f.names[s], f.names[h.at], f.far[h.at][s], far)
				}
			}
		}
		for s, table := range tables {
			used := map[int]int{}
			for _, p := range table[:len(f.hosts)] {
				used[p]++
			}
			least, most := len(f.hosts), 0
			for _, h := range f.hops[s] {
				least, most = min(least, used[h.port]), max(most, used[h.port])
			}
			if most-least > 1 {
				t.Errorf("%s sends to %d hosts by one port, to %d by another", f.names[s], most, least)
			}
		}
	}
}

// TestCheckFindsCircles gives the check tables that go round a ring.
func TestCheckFindsCircles(t *testing.T) {
	f := &fabric{names: []string{"a", "b", "c"}}
	for s := range 3 {
		f.hops = append(f.hops, []hop{{1, (s + 1) % 3}, {2, (s + 2) % 3}})
		f.hosts = append(f.hosts, host{s, 3})
	}
	round := [][]int{{3, 1, 1}, {1, 3, 1}, {1, 1, 3}}
	if err := f.check(round); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Error(err)
	}
	f.route()
	if err := f.check(f.spread()); err != nil {
		t.Error(err)
	}
}

var lftLine = regexp.MustCompile(`^0x[0-9a-fA-F]+ (\d+) .*portguid 0x([0-9a-fA-F]+)`)

// ports reads tables: by switch and destination, as GUIDs, the port.
func ports(tables string) map[string]string {
	out, at := map[string]string{}, ""
	head := regexp.MustCompile(`of switch Lid \d+ guid 0x([0-9a-fA-F]+)`)
	for line := range strings.Lines(tables) {
		if m := head.FindStringSubmatch(line); m != nil {
			at = strings.TrimLeft(m[1], "0")
		} else if m := lftLine.FindStringSubmatch(line); m != nil {
			out[at+" "+strings.TrimLeft(m[2], "0")] = m[1]
		}
	}
	return out
}

// TestOpenSM has ibsim play fabrics and OpenSM load the tables, and finds them in the dump of what it has set.
func TestOpenSM(t *testing.T) {
	for _, program := range []string{"ibsim", "ibsim-run", "ibnetdiscover", "opensm"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
				t.Fatal(err)
			}
			t.Skipf("%s is not installed", program)
		}
	}
	for name, text := range machines {
		t.Run(name, func(t *testing.T) { loads(t, planned(t, text)) })
	}
}

func loads(t *testing.T, w *exchange.Wiring) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var net bytes.Buffer
	if err := exchange.WriteIBNetDiscover(ctx, &net, w); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "fabric.net")
	if err := os.WriteFile(path, net.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	sim := exec.CommandContext(ctx, "ibsim", "-s", "-n", "-N", "8192", "-S", "2048", "-P", "200000", path)
	if err := sim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		sim.Process.Kill()
		sim.Wait()
	}()
	var found []byte
	for ctx.Err() == nil { // until the simulator listens
		var err error
		if found, err = exec.CommandContext(ctx, "ibsim-run", "ibnetdiscover").Output(); err == nil && len(found) > 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	guids, err := Read(bytes.NewReader(found))
	if err != nil {
		t.Fatal(err)
	}
	var tables bytes.Buffer
	if err := Write(ctx, &tables, w, guids); err != nil {
		t.Fatal(err)
	}
	file, log := filepath.Join(dir, "lfts"), filepath.Join(dir, "opensm.log")
	if err := os.WriteFile(file, tables.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(ctx, "ibsim-run", "opensm", "-o", "-R", "file,no_fallback", "-U", file, "-f", log,
		"-D", "0x43")
	run.Env = append(os.Environ(), "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir)
	said, err := run.CombinedOutput()
	logged, _ := os.ReadFile(log)
	if err != nil || !strings.Contains(string(logged), "SUBNET UP") {
		t.Fatalf("%v\n%s\n%s", err, said, logged)
	}
	dump, err := os.ReadFile(filepath.Join(dir, "opensm-lfts.dump"))
	if err != nil {
		t.Fatal(err)
	}
	set := ports(string(dump))
	planned := ports(tables.String())
	if len(planned) == 0 {
		t.Fatal("no table was read")
	}
	wrong := 0
	for key, port := range planned {
		if set[key] != port {
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d entries are not set\n%s", wrong, len(planned), fmt.Sprint(string(logged)))
	}
}

func FuzzRead(f *testing.F) {
	f.Add("switchguid=0x200005(200005)\nSwitch 64 \"S-0000000000200005\" # \"LF6\" lid 0\n" +
		"[1]\t\"H-0000000000100028\"[1](100029) # \"N21\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Read(strings.NewReader(text))
		if err == nil && len(g.switches) == 0 {
			t.Error("no switch and no error")
		}
	})
}
