package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/units"
)

// told writes all that a wiring says in a line a box or a link, without what is not told.
func told(w *Wiring) string {
	var b strings.Builder
	for i, x := range w.Boxes {
		fmt.Fprintf(&b, "%d: %q %s %s", i, x.Name, x.Role, strings.Join(x.GUIDs, " "))
		for _, more := range []struct {
			name string
			is   bool
		}{{"listed", x.Listed}, {x.Serial, x.Serial != ""}, {x.Model, x.Model != ""}} {
			if more.is {
				b.WriteString(" " + more.name)
			}
		}
		b.WriteString("\n")
	}
	end := func(e End) string {
		out := fmt.Sprintf("%d port %s", e.Box, e.Port)
		for _, more := range [][2]string{{"", string(e.Form)}, {"also ", e.Also}, {"outer ", e.Outer}} {
			if more[1] != "" {
				out += " " + more[0] + more[1]
			}
		}
		return out
	}
	for _, l := range w.Links {
		fmt.Fprintf(&b, "%s - %s, %q: %d x %v, line %d", end(l.A), end(l.B), l.Rate, l.Lanes, l.LaneRate, l.Line)
		if l.Down {
			b.WriteString(", down")
		}
		b.WriteString("\n")
	}
	return b.String() + strings.Join(append(w.Notes, ""), "\n")
}

// infiniBandTexts are the texts in testdata, by name.
func infiniBandTexts(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/infiniband/*.txt")
	if err != nil || len(paths) < 12 {
		t.Fatal(len(paths), err)
	}
	texts := map[string][]byte{}
	for _, path := range paths {
		if texts[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// TestInfiniBandForms compares what texts in the forms of InfiniBand's programs say, or why they are refused, with a
// file.
func TestInfiniBandForms(t *testing.T) {
	var got strings.Builder
	for _, name := range slices.Sorted(maps.Keys(infiniBandTexts(t))) {
		fmt.Fprintf(&got, "--- %s\n", name)
		w, err := Read(filepath.Join("testdata/infiniband", name))
		if err != nil {
			fmt.Fprintf(&got, "error: %s\n", filepath.ToSlash(err.Error()))
			continue
		}
		got.WriteString(told(w))
	}
	golden.Compare(t, "infiniband.golden", got.String())
}

func TestInfiniBandRate(t *testing.T) {
	for word, want := range map[string]units.Rate{
		"SDR": 2.5, "ddr": 5, "QDR": 10, "FDR10": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100, "XDR": 200,
		"2.5 Gbps": 2.5, "5.0 Gbps": 5, "10.0 Gbps (FDR10)": 10, "14.0625": 14, "25.78125 Gbps": 25,
		"53.125": 50, "106.25 Gbps": 100, "212.5": 200,
		"100": 100, "200": 200, "": 0, "???": 0, "undefined (7)": 0, "7": 0, "NaN": 0, "Inf": 0,
		"-100": 0,
	} {
		if got := InfiniBandRate(word); got != want {
			t.Errorf("%q: %v, expected %v", word, got, want)
		}
	}
	for text, want := range map[string][2]units.Rate{
		"4xNDR": {4, 100}, "1xSDR": {1, 2.5}, "4X 106.25 Gbps": {4, 100}, "12x QDR": {12, 10}, "2xHDR": {2, 50},
		"4x???": {4, 0}, "??SDR": {0, 0}, "NDR": {0, 100}, "400": {0, 0}, "": {0, 0}, "4x 100": {4, 100},
		"99xSDR": {0, 2.5}, "-1xSDR": {0, 2.5}, "XDR": {0, 200}, "4xXDR": {4, 200}, "4X XDR": {4, 200}, "xdr": {0, 200},
	} {
		if lanes, rate := linkRate(text); units.Rate(lanes) != want[0] || rate != want[1] {
			t.Errorf("%q: %d x %v, expected %v", text, lanes, rate, want)
		}
	}
}

// TestEachFormIsItsOwn holds that no form takes a text of InfiniBand for its own but the first that reads it, and that
// the forms of InfiniBand take no other text.
func TestEachFormIsItsOwn(t *testing.T) {
	own := map[string]string{
		"broken": "ibnetdiscover", "grouped": "ibnetdiscover", "warnings": "ibnetdiscover", "ports": "ibnetdiscover -p",
		"linkinfo": "iblinkinfo", "linkinfo-line": "iblinkinfo", "linkinfo-alike": "iblinkinfo",
		"linkinfo-down":   "iblinkinfo",
		"broken-linkinfo": "iblinkinfo",
		"net_dump":        "ibdiagnet2.net_dump", "db_csv": "ibdiagnet2.db_csv", "no-links-db": "ibdiagnet2.db_csv",
		"broken-db": "ibdiagnet2.db_csv", "lst": "ibdiagnet2.lst", "broken-lst": "ibdiagnet2.lst",
	}
	claimed := func(text []byte) []string {
		head := pastMessages(text)
		var out []string
		for _, form := range formats {
			if form.is(head[:min(len(head), 1<<12)]) {
				out = append(out, form.name)
			}
		}
		return out
	}
	for name, text := range infiniBandTexts(t) {
		if got := claimed(text); len(got) != 1 || got[0] != own[strings.TrimSuffix(name, ".txt")] {
			t.Errorf("%s is %q", name, got)
		}
	}
	others, err := filepath.Glob("testdata/forms/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range others {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range claimed(text) {
			if slices.Contains(slices.Collect(maps.Values(own)), name) {
				t.Errorf("%s is %s", path, name)
			}
		}
	}
}

// TestProgramsInASimulatedSubnet has ibsim play a subnet, and reads what each program prints of it, with its messages.
func TestProgramsInASimulatedSubnet(t *testing.T) {
	for _, tool := range []string{"ibsim", "ibsim-run", "ibnetdiscover", "iblinkinfo"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("PLENUM_REQUIRE_TOOLS") != "" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	x := &Wiring{}
	for i := range 2 {
		x.Boxes = append(x.Boxes, Box{Name: fmt.Sprintf("MF0;leaf-%d:MQM9700/U1", i+1), Role: "switch", Ports: 12})
	}
	for i := range 3 {
		x.Boxes = append(x.Boxes, Box{Name: fmt.Sprintf("node-%d mlx5_0", i+1), Role: "adapter", Ports: 2})
	}
	var want []string
	link := func(a int, portA string, b int, portB string) {
		x.Links = append(x.Links, Link{A: End{Box: a, Port: portA}, B: End{Box: b, Port: portB}})
		names := []string{x.Boxes[a].Name + " " + portA, x.Boxes[b].Name + " " + portB}
		slices.Sort(names)
		want = append(want, fmt.Sprint(names, " 0 x 0G")) // ibsim has no LIDs
	}
	link(0, "1", 2, "1")
	link(0, "2", 3, "1")
	link(1, "1", 3, "2")
	link(1, "12", 4, "2")
	link(0, "7", 1, "3")
	link(0, "8", 1, "4")
	slices.Sort(want)
	dir := t.TempDir()
	net, err := os.Create(filepath.Join(dir, "fabric.net"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(WriteIBNetDiscover(t.Context(), net, x), net.Close()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	name := fmt.Sprintf("plenum-exchange-%d", os.Getpid())
	env := append(os.Environ(), "IBSIM_SOCKNAME="+name)
	sim := exec.CommandContext(ctx, "ibsim", "-s", "-n", net.Name())
	sim.Env = env
	if err := sim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		sim.Process.Kill()
		sim.Wait()
	}()
	for range 100 { // a client that comes before the simulator listens waits for seconds
		if sockets, err := os.ReadFile("/proc/net/unix"); err != nil || strings.Contains(string(sockets), name+":") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, program := range []string{
		"ibnetdiscover", "ibnetdiscover -f", "ibnetdiscover -g", "ibnetdiscover -p", "iblinkinfo", "iblinkinfo -p",
		"iblinkinfo --line", "iblinkinfo --switches-only", "iblinkinfo --line --switches-only",
	} {
		run := exec.CommandContext(ctx, "ibsim-run", strings.Fields(program)...)
		run.Env = env
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", program, err, out)
		}
		path := filepath.Join(dir, "out.txt")
		if err := os.WriteFile(path, out, 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := Read(path)
		if err != nil {
			t.Errorf("%s: %v\n%s", program, err, out)
			continue
		}
		var got []string
		for _, l := range w.Links {
			names := []string{w.Boxes[l.A.Box].Name + " " + l.A.Port, w.Boxes[l.B.Box].Name + " " + l.B.Port}
			slices.Sort(names)
			got = append(got, fmt.Sprintf("%v %d x %v", names, l.Lanes, l.LaneRate))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) || len(w.Boxes) != len(x.Boxes) {
			t.Errorf("%s says %q of %d boxes, not %q\n%s", program, got, len(w.Boxes), want, out)
		}
	}
}

// TestOmniPathBoxesByGUID tells hosts of one description apart.
func TestOmniPathBoxesByGUID(t *testing.T) {
	port := func(guid, number, kind, name string) string {
		return fmt.Sprintf(`<Port id="0x%s:%s"><NodeGUID>0x%s</NodeGUID><PortGUID>0x%s</PortGUID><PortNum>%s</PortNum>`+
			`<NodeType>%s</NodeType><NodeDesc>%s</NodeDesc></Port>`, guid, number, guid, "01"+guid[2:],
			number, kind, name)
	}
	text := `<?xml version="1.0" encoding="utf-8" ?><Report><LinkSummary>`
	for i := range 2 {
		text += "<Link><Rate>100g</Rate>" + port(fmt.Sprintf("001175010000000%d", i), "1", "FI", "localhost hfi1_0") +
			port("0011750102000000", fmt.Sprint(7+i), "SW", "edge") + "</Link>"
	}
	w, err := ReadOmniPathReport("x", strings.NewReader(text+"</LinkSummary></Report>"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `0: "localhost hfi1_0" adapter 0011750100000000 0111750100000000 listed
1: "edge" switch 0011750102000000 0111750102000000 listed
2: "localhost hfi1_0" adapter 0011750100000001 0111750100000001 listed
0 port 1 subnet - 1 port 7 subnet, "100g": 0 x 0G, line 1
2 port 1 subnet - 1 port 8 subnet, "100g": 0 x 0G, line 1
`
	if got := told(w); got != want {
		t.Errorf("got\n%s, expected\n%s", got, want)
	}
}
