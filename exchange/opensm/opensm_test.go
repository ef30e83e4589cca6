package opensm

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
)

var machines = map[string]string{
	"tree":   "topology: {family: fat-tree, radix: 8, nodes: 24}",
	"hyperx": "topology: {family: hyperx, dims: [3, 3], terminals: 2}",
	"random": "topology: {family: random-regular, nodes: 12, degree: 4, terminals: 2, seed: 3}",
}

const dragonfly = "topology: {family: dragonfly, p: 2, a: 4, h: 2}"

// large is the network for which OpenSM's dfsssp needs nine lanes.
const large = "topology: {family: random-regular, nodes: 512, degree: 16, terminals: 8}"

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
	w, err := exchange.PlannedWiring(r, "")
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
		f.rank()
		f.route()
		tables := f.balancePorts()
		if err := f.check(tables, make([]int, len(f.hops))); err != nil {
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

// TestLanes routes networks over shortest paths in several lanes.
func TestLanes(t *testing.T) {
	for _, c := range []struct {
		name, text  string
		lanes, most int     // given and used
		longer      float64 // at most, of all pairs
	}{
		{"hyperx", machines["hyperx"], 4, 2, 0},
		{"dragonfly", dragonfly, 8, 3, 0},
		{"small random graph", machines["random"], 2, 2, 0.05},
		{"random 512 x 16", large, 8, 8, 0.01},
	} {
		f, _, err := fabricOf(planned(t, c.text))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r, err := f.routeLanes(t.Context(), c.lanes)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := f.check(r.tables, r.lane); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if r.used > c.most || float64(r.longer) > c.longer*float64(r.pairs) {
			t.Errorf("%s: %d lanes, %d of %d pairs over longer paths", c.name, r.used, r.longer, r.pairs)
		}
		t.Logf("%s: %d lanes, %d of %d pairs over longer paths", c.name, r.used, r.longer, r.pairs)
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
	one := make([]int, 3)
	if err := f.check(round, one); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Error(err)
	}
	if err := f.check(round, []int{0, 1, 2}); err != nil {
		t.Errorf("in lanes of their own: %v", err)
	}
	f.rank()
	f.route()
	if err := f.check(f.balancePorts(), one); err != nil {
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
		for _, lanes := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s in %d", name, lanes), func(t *testing.T) { loads(t, planned(t, text), lanes) })
		}
	}
	t.Run("dragonfly", func(t *testing.T) { loads(t, planned(t, dragonfly), 8) })
	t.Run("superpod", func(t *testing.T) {
		text, err := examples.Files.ReadFile("superpod-h100-compute.yaml")
		if err != nil {
			t.Fatal(err)
		}
		loads(t, planned(t, string(text)), 1)
	})
	t.Run("random 512 x 16", func(t *testing.T) {
		if os.Getenv("PLENUM_LONG") == "" {
			t.Skip("PLENUM_LONG is not set")
		}
		loads(t, planned(t, large), 8)
	})
}

// subnet is a fabric that ibsim plays and OpenSM manages.
type subnet struct {
	ctx context.Context
	dir string
}

// play has ibsim play a wiring in a folder of its own and returns what ibnetdiscover finds.
func play(t *testing.T, w *exchange.Wiring) (*subnet, []byte) {
	n := &subnet{dir: t.TempDir()}
	var cancel func()
	n.ctx, cancel = context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	var net bytes.Buffer
	if err := exchange.WriteIBNetDiscover(n.ctx, &net, w); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(n.dir, "fabric.net")
	if err := os.WriteFile(path, net.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	sim := exec.CommandContext(n.ctx, "ibsim", "-s", "-n", "-N", "8192", "-S", "2048", "-P", "200000", path)
	sim.Env = append(os.Environ(), sockets())
	if err := sim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		sim.Process.Kill()
		sim.Wait()
	})
	for n.ctx.Err() == nil { // until the simulator listens
		if found, err := n.command("ibnetdiscover").Output(); err == nil && len(found) > 0 {
			return n, found
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("ibsim does not answer")
	return nil, nil
}

// command is a program inside the simulated fabric.
func (n *subnet) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(n.ctx, "ibsim-run", append([]string{name}, args...)...)
	cmd.Dir = n.dir
	cmd.Env = append(os.Environ(), sockets(), "OSM_TMP_DIR="+n.dir, "OSM_CACHE_DIR="+n.dir)
	return cmd
}

// sockets names the simulator, so that it is not taken for that of another test that runs at the same time.
func sockets() string { return fmt.Sprintf("IBSIM_SOCKNAME=plenum-opensm-%d", os.Getpid()) }

// loads has OpenSM load a routing, and checks that the switches have it, that ibtracert walks it, and that who asks for
// a path gets its lane.
func loads(t *testing.T, w *exchange.Wiring, lanes int) {
	n, found := play(t, w)
	guids, err := Read(bytes.NewReader(found))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Route(n.ctx, w, guids, lanes)
	if err != nil {
		t.Fatal(err)
	}
	var tables, policy, options bytes.Buffer
	for _, err := range []error{r.Tables(n.ctx, &tables), r.Policy(&policy), r.Options(&options)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{
		TablesFile: tables.Bytes(), PolicyFile: policy.Bytes(), OptionsFile: options.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(n.dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(n.dir, "opensm.log")
	args := []string{"-R", "file,no_fallback", "-U", TablesFile}
	if lanes > 1 {
		args = []string{"-F", OptionsFile}
	}
	run := n.command("opensm", append(args, "-f", log, "-D", "0x43", "-d2")...)
	var said bytes.Buffer
	run.Stdout, run.Stderr, run.WaitDelay = &said, &said, time.Second
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		run.Process.Kill()
		run.Wait()
	})
	for logged := ""; !strings.Contains(logged, "SUBNET UP"); {
		data, _ := os.ReadFile(log)
		if logged = string(data); n.ctx.Err() != nil {
			t.Fatalf("%s\n%s", &said, logged)
		}
		time.Sleep(50 * time.Millisecond)
	}
	if data, _ := os.ReadFile(log); strings.Contains(string(data), " ERR ") {
		t.Errorf("OpenSM logs\n%s", data)
	}
	dump, err := os.ReadFile(filepath.Join(n.dir, "opensm-lfts.dump"))
	if err != nil {
		t.Fatal(err)
	}
	set, planned := ports(string(dump)), ports(tables.String())
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
		t.Errorf("%d of %d entries are not set", wrong, len(planned))
	}
	r.sample(t, n, lidsOf(string(dump)))
}

// sample follows paths between some hosts by ibtracert, and asks for their service levels.
func (r *Routing) sample(t *testing.T, n *subnet, lids map[string]string) {
	hosts := r.fabric.hosts
	for i := range min(5, len(hosts)-1) {
		from, to := i, len(hosts)-1-i
		if from == to {
			continue
		}
		a, b := lids[r.guids[from]], lids[r.guids[to]]
		out, err := n.command("ibtracert", "-n", a, b).CombinedOutput()
		if err != nil {
			t.Fatalf("ibtracert: %v\n%s", err, out)
		}
		hops, s := 0, hosts[from].at
		for at := -1; s != hosts[to].at; hops++ {
			port := r.tables[s][to]
			for _, h := range r.fabric.hops[s] {
				if h.port == port {
					at = h.to
				}
			}
			s = at
		}
		if got := strings.Count(string(out), " -> "); got != hops+2 {
			t.Errorf("ibtracert walks %d links from host %d to %d, the tables %d\n%s", got, from, to, hops+2, out)
		}
		out, err = n.command("saquery", "PR", "--src-to-dst", a+":"+b).CombinedOutput()
		if err != nil {
			t.Fatalf("saquery: %v\n%s", err, out)
		}
		level := regexp.MustCompile(`\bsl\.+0x([0-9a-fA-F]+)`).FindStringSubmatch(string(out))
		if want := fmt.Sprintf("%X", r.lane[hosts[to].at]); level == nil || level[1] != want {
			t.Errorf("the path from host %d to %d has service level %q, not %s\n%s", from, to, level, want, out)
		}
	}
}

// lidsOf reads the LIDs of a dump by GUID.
func lidsOf(dump string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(dump) {
		if m := regexp.MustCompile(`^0x([0-9a-f]+) .*portguid 0x([0-9a-fA-F]+)`).FindStringSubmatch(line); m != nil {
			lid, _ := strconv.ParseInt(m[1], 16, 32)
			out[strings.TrimLeft(m[2], "0")] = strconv.Itoa(int(lid))
		}
	}
	return out
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

// TestReadNames finds switches by the name in their description, and says what is wrong where it does not.
func TestReadNames(t *testing.T) {
	const text = `ibwarn: [7] mad_rpc_open_port: a message
switchguid=0x%s(1)
Switch	36 "S-0000000000000001"		# "%s" enhanced port 0 lid 1 lmc 0
[1][ext 7]	"H-0000000000000100"[1](101) 		# "n1 mlx5_0" lid 9 4xNDR
[5]	"S-0000000000000002"[3]		# "x" lid 2 4xNDR

`
	record := func(guid, name string) string { return fmt.Sprintf(text, guid, name) }
	f := &fabric{names: []string{"leaf-1"}, hosts: []host{{0, 1}}}
	for _, tt := range []struct{ text, want string }{
		{record("a1", "MF0;leaf-1:MQM9700/U1"), "[101 a1]"},
		{record("a1", "leaf-1"), "[101 a1]"},
		{record("a1", "leaf-1") + record("a1", "leaf-1"), "[101 a1]"},
		{record("a1", "MF0;Leaf-01.example.org:MQM9700/U1"), "[101 a1]"},
		{record("a1", "LEAF-1.a") + record("a2", "leaf-1.b"), `no switch is called "leaf-1"`},
		{record("a1", "MF0;leaf-2:MQM9700/U1"), `no switch is called "leaf-1"; they are called leaf-2`},
		{
			record("a1", "MF0;leaf-1:CS7500/L01/U1") + record("a2", "MF0;leaf-1:CS7500/S01/U1"),
			`"leaf-1" is several switches or chips, which need tables of their own: MF0;leaf-1:CS7500/L01/U1 ` +
				`(0xa1) and MF0;leaf-1:CS7500/S01/U1 (0xa2)`,
		},
	} {
		g, err := Read(strings.NewReader(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		guids, err := g.of(f)
		if got := fmt.Sprint(guids, err); !strings.Contains(got, tt.want) {
			t.Errorf("%s\n%s, expected %s", tt.text, got, tt.want)
		}
	}
}
