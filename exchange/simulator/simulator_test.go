package simulator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/exchange/simulator"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// members are topologies of several shapes.
var members = []string{
	"{family: torus, dims: [4, 3]}", "{family: torus, dims: [2, 5, 3]}", "{family: mesh, dims: [4, 3], terminals: 2}",
	"{family: leaf-spine, nodes: 12, down: 4, up: 2, spines: 2}", "{family: fat-tree, nodes: 32, radix: 8}",
	"{family: fat-tree, nodes: 48, radix: 16}", "{family: hyperx, dims: [3, 4], terminals: 2}",
	"{family: dragonfly, p: 2, a: 2, h: 2, groups: 5}", "{family: slim-fly, q: 5, terminals: 1}",
	"{family: clex, clique: 4, levels: 2, bundled: true}", "{family: k-ary-n-tree, down: 3, levels: 3}",
}

// uneven is a tree whose last leaf has fewer nodes.
const uneven = "{family: leaf-spine, nodes: 10, down: 4, up: 2, spines: 2}"

func plan(t testing.TB, topologyText string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte("name: drawn\ntopology: "+topologyText+"\n"))
	if err != nil {
		t.Fatal(topologyText, err)
	}
	r, err := machine.PlanWith(context.Background(), s, machine.Options{})
	if err != nil {
		t.Fatal(topologyText, err)
	}
	return r
}

func network(t testing.TB, r *machine.Result) *simulator.Network {
	t.Helper()
	n, err := simulator.New(r, "", delay.Override{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// delays are those from a vertex of a plan to all others by the definition of package delay: Start of the first and Arc
// of every link, over vertices that forward; the least of all paths, or of those with the fewest links.
func delays(r *machine.Result, from int, fewest bool) []units.Time {
	g := r.Graph
	kinds := g.Kinds()
	type arc struct {
		to   int
		cost units.Time
	}
	arcs := make([][]arc, topology.Vertices(g))
	i := 0
	for l := range g.Links() {
		length, medium := r.Links.At(i)
		i++
		a, b := int(l.A), int(l.B)
		arcs[a] = append(arcs[a], arc{b, r.Model.Arc(length, medium, topology.KindOf(kinds, b))})
		arcs[b] = append(arcs[b], arc{a, r.Model.Arc(length, medium, topology.KindOf(kinds, a))})
	}
	out := make([]units.Time, len(arcs))
	for v := range out {
		out[v] = units.Time(math.Inf(1))
	}
	out[from] = r.Model.Start(topology.KindOf(kinds, from))
	const hop = 1e9 // ns, more than any path takes
	hops := 0.0
	if fewest {
		hops = hop
	}
	for range arcs { // Bellman and Ford
		changed := false
		for v := range arcs {
			if v != from && kinds[topology.KindOf(kinds, v)].Role == topology.Terminal {
				continue
			}
			for _, a := range arcs[v] {
				if d := out[v] + a.cost + units.Time(hops); d < out[a.to]-1e-5 {
					out[a.to], changed = d, true
				}
			}
		}
		if !changed {
			break
		}
	}
	for v := range out {
		out[v] = units.Time(math.Mod(float64(out[v]), hop))
	}
	return out
}

// file is a network as a file has it: links between vertices by name, with their latencies in ns and rates in Gb/s.
type file struct {
	links map[[2]string]float64
	rates []float64
	hosts map[string]bool
}

// from is the least latency from a vertex to all others.
func (f *file) from(name string) map[string]float64 {
	out := map[string]float64{name: 0}
	for changed := true; changed; {
		changed = false
		for ends, latency := range f.links {
			if d, ok := out[ends[0]]; ok && (ends[0] == name || !f.hosts[ends[0]]) {
				if e, ok := out[ends[1]]; !ok || d+latency < e-1e-9 {
					out[ends[1]], changed = d+latency, true
				}
			}
		}
	}
	return out
}

func readSimGrid(t testing.TB, data []byte) *file {
	t.Helper()
	var doc struct {
		Zone struct {
			Host, Router []struct {
				ID string `xml:"id,attr"`
			}
			Hosts []struct {
				ID string `xml:"id,attr"`
			} `xml:"host"`
			Links []struct {
				ID        string `xml:"id,attr"`
				Latency   string `xml:"latency,attr"`
				Bandwidth string `xml:"bandwidth,attr"`
			} `xml:"link"`
			Routes []struct {
				From string `xml:"src,attr"`
				To   string `xml:"dst,attr"`
				Over []struct {
					ID string `xml:"id,attr"`
				} `xml:"link_ctn"`
			} `xml:"route"`
		} `xml:"zone"`
	}
	if err := xml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	out := &file{links: map[[2]string]float64{}, hosts: map[string]bool{}}
	for _, h := range doc.Zone.Hosts {
		out.hosts[h.ID] = true
	}
	latency := map[string]float64{}
	for _, l := range doc.Zone.Links {
		latency[l.ID] = figure(t, l.Latency, "ns")
		out.rates = append(out.rates, figure(t, l.Bandwidth, "Gbps"))
	}
	for _, r := range doc.Zone.Routes {
		if len(r.Over) == 0 || out.links[[2]string{r.From, r.To}] != 0 {
			t.Fatal(r)
		}
		for _, l := range r.Over {
			out.links[[2]string{r.From, r.To}] += latency[l.ID]
		}
	}
	return out
}

func figure(t testing.TB, text, unit string) float64 {
	t.Helper()
	digits, ok := strings.CutSuffix(text, unit)
	x, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil {
		t.Fatal(text, err)
	}
	return x
}

func readNS3(t testing.TB, data []byte, n *simulator.Network) *file {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var vertices, switches, links int
	if _, err := fmt.Sscan(lines[0], &vertices, &switches, &links); err != nil {
		t.Fatal(err)
	}
	if vertices != len(n.Vertices) || len(strings.Fields(lines[1])) != switches || len(lines) != links+2 {
		t.Fatal(lines[0])
	}
	out := &file{links: map[[2]string]float64{}, hosts: map[string]bool{}}
	for v := range vertices - switches {
		out.hosts[n.Vertices[v].Name] = true
	}
	for i, id := range strings.Fields(lines[1]) {
		if id != strconv.Itoa(vertices-switches+i) {
			t.Fatal(lines[1])
		}
	}
	for _, line := range lines[2:] {
		f := strings.Fields(line)
		a, _ := strconv.Atoi(f[0])
		b, _ := strconv.Atoi(f[1])
		out.rates = append(out.rates, figure(t, f[2], "Gbps"))
		ends := [2]string{n.Vertices[a].Name, n.Vertices[b].Name}
		latency := figure(t, f[3], "ms") * 1e6
		out.links[ends], out.links[[2]string{ends[1], ends[0]}] = latency, latency
		if f[4] != "0" {
			t.Fatal(line)
		}
	}
	return out
}

// sstStandIn is what the modules of WriteSST use of SST. It prints each router with its ports and each link.
const sstStandIn = `
class Component:
    def __init__(self, name, kind):
        self.name, self.taken, self.params = name, set(), {}
        assert kind == "merlin.hr_router"
    def addParams(self, params):
        self.params.update(params)

class Endpoint:
    def __init__(self, name):
        self.name, self.taken = name, set()

class Link:
    names = set()
    def __init__(self, name):
        assert name not in Link.names
        Link.names.add(name)
    def connect(self, a, b):
        for component, port, latency in (a, b):
            assert port not in component.taken and latency == a[2], (component.name, port)
            component.taken.add(port)
        print("link", a[0].name, b[0].name, a[2])
`

// sstMain builds a network of the stand-in, and checks that the ports of routers are those in use, those to routers
// first.
const sstMain = `
import network, sst
def endpoint(number):
    return sst.Endpoint(network.ENDPOINTS[number][0] + "/" + str(number)), "rtr"
named = []
routers = network.build(endpoint, lambda router, number: named.append(number), {"flit_size": "16B"})
assert named == list(range(len(network.ROUTERS)))
for number, router in enumerate(routers):
    want = {"id": number, "num_ports": len(router.taken), "link_bw": network.RATE, "flit_size": "16B"}
    assert router.params == want, router.params
    assert router.taken == {"port%d" % i for i in range(len(router.taken))}
    inner = [l[i + 1] for l in network.LINKS for i in (0, 2) if l[i] == number]
    assert sorted(inner) == list(range(network.ROUTERS[number][1]))
`

// readSST runs a module of SST with the stand-in; a path between two hosts is the best of their endpoints'. It is nil
// where there is no Python.
func readSST(t testing.TB, data []byte, n *simulator.Network) *file {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		return nil
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"network.py": string(data), "sst.py": sstStandIn, "main.py": sstMain} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.CommandContext(t.Context(), python, "-B", "main.py")
	run.Dir = dir
	text, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	out := &file{links: map[[2]string]float64{}, hosts: map[string]bool{}}
	for v := range n.Hosts {
		out.hosts[n.Vertices[v].Name] = true
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		a, _, _ := strings.Cut(f[1], "/")
		latency := figure(t, f[3], "ns")
		for _, ends := range [][2]string{{a, f[2]}, {f[2], a}} {
			if had, ok := out.links[ends]; ok {
				latency = min(had, latency)
			}
			out.links[ends] = latency
		}
	}
	return out
}

func written(
	t testing.TB, n *simulator.Network, write func(context.Context, io.Writer, *simulator.Network) error,
) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(t.Context(), &b, n); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestDelaysAreThoseOfThePlan adds up latencies along the fastest paths in files and compares them with the plan's
// model of delays, and the mean over all pairs with the plan's own figure.
func TestDelaysAreThoseOfThePlan(t *testing.T) {
	for _, text := range members {
		r := plan(t, text)
		n := network(t, r)
		files := map[string]*file{
			"SimGrid": readSimGrid(t, written(t, n, simulator.WriteSimGrid)),
			"ns-3":    readNS3(t, written(t, n, simulator.WriteNS3), n),
			"SST":     readSST(t, written(t, n, simulator.WriteSST), n),
		}
		for name, f := range files {
			if f == nil {
				continue // without Python
			}
			mean, greatest := r.Delay.FastestMean, r.Delay.FastestMax
			routed := name == "SimGrid" // routes with the fewest links
			if routed {
				mean, greatest = r.Delay.LeastMean, r.Delay.LeastMax
			}
			sum, pairs, most := 0.0, 0, 0.0
			for v := range topology.Vertices(r.Graph) {
				if !f.hosts[r.Names.Name(v)] {
					continue
				}
				want, got := delays(r, v, routed), f.from(r.Names.Name(v))
				for w := range want {
					if w == v || !f.hosts[r.Names.Name(w)] {
						continue
					}
					d := got[r.Names.Name(w)]
					if math.Abs(d-float64(want[w])) > 1e-4 {
						t.Fatalf("%s: %s: %s to %s: %v, want %v", text, name, r.Names.Name(v), r.Names.Name(w), d,
							want[w])
					}
					sum, pairs, most = sum+d, pairs+1, max(most, d)
				}
			}
			if math.Abs(sum/float64(pairs)-float64(mean)) > 1e-3 || math.Abs(most-float64(greatest)) > 1e-3 ||
				int64(pairs) != r.Delay.Pairs {
				t.Errorf("%s: %s: mean %v and greatest %v of %d pairs; the plan has %v, %v, %d", text, name,
					sum/float64(pairs), most, pairs, mean, greatest, r.Delay.Pairs)
			}
		}
	}
}

// TestLargePlatformsHaveHops: beyond the limit of hosts, the platform has a route for each link.
func TestLargePlatformsHaveHops(t *testing.T) {
	r := plan(t, "{family: torus, dims: [24, 24]}")
	data := written(t, network(t, r), simulator.WriteSimGrid)
	f := readSimGrid(t, data)
	if n := 2 * (2*576 + 576); len(f.links) != n || !bytes.Contains(data, []byte(`routing="Dijkstra"`)) {
		t.Fatal(len(f.links), n)
	}
	want, got := delays(r, 5, false), f.from(r.Names.Name(5))
	for v := range want {
		if d := got[r.Names.Name(v)]; v != 5 && math.Abs(d-float64(want[v])) > 1e-3 {
			t.Fatal(v, d, want[v])
		}
	}
}

// TestRates holds the rates of links: parallel channels add up.
func TestRates(t *testing.T) {
	r := plan(t, "{family: leaf-spine, nodes: 8, down: 4, up: 4, spines: 2}") // two channels to each spine
	rate := float64(r.PortRate(&r.Network))
	f := readSimGrid(t, written(t, network(t, r), simulator.WriteSimGrid))
	count := map[float64]int{}
	for _, x := range f.rates {
		count[x/rate]++
	}
	if count[1] != 8 || count[2] != 4 || len(count) != 2 {
		t.Error(count)
	}
	torus := plan(t, "{family: torus, dims: [4, 3]}")
	n := network(t, torus)
	for i := range n.Links {
		if l := &n.Links[i]; l.Of < 0 && l.Rate != 4*torus.PortRate(&torus.Network) {
			t.Error("a node injects", l.Rate)
		}
	}
}

// TestSimGridAgrees asks SimGrid for the delays between drawn pairs.
func TestSimGridAgrees(t *testing.T) {
	const program = `#include <simgrid/s4u.hpp>
#include <cstdio>
int main(int argc, char** argv) {
  simgrid::s4u::Engine e(&argc, argv);
  e.load_platform(argv[1]);
  e.run();
  for (int i = 2; i + 1 < argc; i += 2) {
    std::vector<simgrid::s4u::Link*> links;
    double latency = 0;
    e.host_by_name(argv[i])->route_to(e.host_by_name(argv[i + 1]), links, &latency);
    printf("%.12g\n", latency * 1e9);
  }
}
`
	dir := t.TempDir()
	judge := filepath.Join(dir, "judge")
	if err := os.WriteFile(judge+".cpp", []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("g++", "-o", judge, judge+".cpp", "-lsimgrid").CombinedOutput(); err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Skip("needs g++ and libsimgrid-dev")
	}
	for i, text := range members {
		r := plan(t, text)
		platform := filepath.Join(dir, strconv.Itoa(i)+".xml")
		if err := os.WriteFile(platform, written(t, network(t, r), simulator.WriteSimGrid), 0o666); err != nil {
			t.Fatal(err)
		}
		var nodes []int
		for _, k := range r.Graph.Kinds() {
			for v := k.First; k.Role != topology.Switch && v < k.First+k.Count; v++ {
				nodes = append(nodes, v)
			}
		}
		args := []string{platform}
		var want []units.Time
		for range 10 {
			two := rapid.Custom(func(t *rapid.T) [2]int {
				a := rapid.IntRange(0, len(nodes)-1).Draw(t, "a")
				return [2]int{nodes[a], nodes[(a+rapid.IntRange(1, len(nodes)-1).Draw(t, "b"))%len(nodes)]}
			}).Example()
			args = append(args, r.Names.Name(two[0]), r.Names.Name(two[1]))
			want = append(want, delays(r, two[0], true)[two[1]])
		}
		out, err := exec.Command(judge, args...).Output()
		if err != nil {
			t.Fatal(text, err)
		}
		got := strings.Fields(string(out))
		if len(got) != len(want) {
			t.Fatalf("%s: %s", text, out)
		}
		for i := range got {
			if d := figure(t, got[i], ""); math.Abs(d-float64(want[i])) > 1e-4 {
				t.Errorf("%s: %s to %s: SimGrid has %v, the plan %v", text, args[1+2*i], args[2+2*i], d, want[i])
			}
		}
	}
}

// TestInfraGraphReadsBack reads the infrastructure back: the same links between the same ports.
func TestInfraGraphReadsBack(t *testing.T) {
	for _, text := range members {
		r := plan(t, text)
		data := written(t, network(t, r), simulator.WriteInfraGraph)
		var doc struct {
			Links []struct {
				Name     string
				Physical struct{ Latency struct{ NS float64 } }
			}
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(text, err)
		}
		if len(doc.Links) == 0 || doc.Links[0].Physical.Latency.NS <= 0 {
			t.Error(text, doc.Links)
		}
		w, err := exchange.ReadInfragraph("x.json", bytes.NewReader(data))
		if err != nil {
			t.Fatal(text, err)
		}
		want := map[string]int{}
		kinds := r.Graph.Kinds()
		end := func(v, port int32) string {
			k := &kinds[topology.KindOf(kinds, int(v))]
			return fmt.Sprintf("%s[%d] port[%d]", strings.ReplaceAll(k.Name, " ", "_"), int(v)-k.First, port)
		}
		for l := range r.Graph.Links() {
			for c := range l.Width {
				want[end(l.A, l.PortA+c)+" "+end(l.B, l.PortB+c)]++
			}
		}
		for _, l := range w.Links {
			key := w.Boxes[l.A.Box].Name + " " + l.A.Port + " " + w.Boxes[l.B.Box].Name + " " + l.B.Port
			if want[key]--; want[key] != 0 {
				t.Fatalf("%s: %s is not planned", text, key)
			}
			delete(want, key)
		}
		if len(want) > 0 {
			t.Errorf("%s: missing are %v", text, want)
		}
	}
}

// TestHTSim writes trees, and refuses other networks.
func TestHTSim(t *testing.T) {
	got := string(written(t, network(t, plan(t, "{family: fat-tree, nodes: 32, radix: 8}")), simulator.WriteHTSim))
	for _, want := range []string{
		"Nodes 32\nTiers 2\nPodsize 32\n", "Radix_Down 4\nRadix_Up 4\nOversubscribed 1\n", "\nTier 1\n",
		"Radix_Down 8\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	three := string(written(t, network(t, plan(t, "{family: k-ary-n-tree, down: 3, levels: 3}")), simulator.WriteHTSim))
	if !strings.HasPrefix(three, "Nodes 27\nTiers 3\nPodsize 9\n") {
		t.Error(three)
	}
	for _, text := range []string{members[0], members[6], members[7], uneven} {
		var b bytes.Buffer
		var limit exchange.LimitError
		err := simulator.WriteHTSim(t.Context(), &b, network(t, plan(t, text)))
		if !errors.As(err, &limit) || b.Len() > 0 {
			t.Errorf("%s: %v\n%s", text, err, &b)
		}
	}
}

// TestHTSimDelaysAreThoseOfThePlan adds up latencies in the file along the path between the first and the last host, up
// to the top and down, with cables that all take the same time, for adapters and switches of drawn delays.
func TestHTSimDelaysAreThoseOfThePlan(t *testing.T) {
	var plans []*machine.Result
	for _, i := range []int{3, 4, 10} {
		plans = append(plans, plan(t, members[i]))
	}
	rapid.Check(t, func(t *rapid.T) {
		r := plans[rapid.IntRange(0, len(plans)-1).Draw(t, "plan")]
		for i := range r.Model.Hop {
			r.Model.Hop[i] = units.Time(rapid.IntRange(0, 500).Draw(t, "hop"))
		}
		for i := range r.Model.Media {
			r.Model.Media[i].Propagation, r.Model.Media[i].End = 0, 10
		}
		n, err := simulator.New(r, "", delay.Override{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := simulator.WriteHTSim(t.Context(), &b, n); err != nil {
			t.Fatal(err)
		}
		var hops []float64 // of the switches of each tier
		got := 0.0
		for line := range strings.Lines(b.String()) {
			if fields := strings.Fields(line); len(fields) == 2 {
				switch x, _ := strconv.ParseFloat(fields[1], 64); fields[0] {
				case "Downlink_Latency_ns":
					got += 2 * x
				case "Switch_Latency_ns":
					hops = append(hops, x)
				}
			}
		}
		for i, hop := range hops {
			if got += hop; i+1 < len(hops) {
				got += hop
			}
		}
		if want := delays(r, int(n.Vertices[0].Of), true)[n.Vertices[n.Hosts-1].Of]; got != float64(want) {
			t.Fatalf("%g ns, %g ns in the plan\n%s", got, float64(want), &b)
		}
	})
}

// TestASTRASim holds the dimensions of a torus, a HyperX and trees.
func TestASTRASim(t *testing.T) {
	for text, want := range map[string][2]string{
		members[0]:  {"topology: [ Ring, Ring ]", "npus_count: [ 4, 3 ]"},
		members[6]:  {"topology: [ Switch, FullyConnected, FullyConnected ]", "npus_count: [ 2, 3, 4 ]"},
		members[3]:  {"topology: [ Switch, Switch ]", "npus_count: [ 4, 3 ]"},
		members[10]: {"topology: [ Switch, Switch, Switch ]", "npus_count: [ 3, 3, 3 ]"},
	} {
		r := plan(t, text)
		got := string(written(t, network(t, r), simulator.WriteASTRASim))
		if !strings.Contains(got, want[0]) || !strings.Contains(got, want[1]) {
			t.Errorf("%s:\n%s", text, got)
		}
	}
	// Twice the latency of the last tier is the mean delay up to the top and down.
	r := plan(t, members[3])
	got := string(written(t, network(t, r), simulator.WriteASTRASim))
	_, tail, _ := strings.Cut(got, "latency: [ ")
	list, _, _ := strings.Cut(tail, " ]")
	last := list[strings.LastIndex(list, " ")+1:]
	if x := 2 * figure(t, last, ""); x < float64(r.Delay.LeastMean)*0.8 || x > float64(r.Delay.LeastMax)*1.05 {
		t.Errorf("%v for delays of %v to %v", x, r.Delay.LeastMean, r.Delay.LeastMax)
	}
	for _, text := range []string{members[2], members[7], members[9], uneven} {
		var b bytes.Buffer
		var limit exchange.LimitError
		err := simulator.WriteASTRASim(t.Context(), &b, network(t, plan(t, text)))
		if !errors.As(err, &limit) || b.Len() > 0 {
			t.Errorf("%s: %v\n%s", text, err, &b)
		}
	}
}
