package machines_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/topology"
)

// small is a search of some dozens of candidates.
const small = `
machine: {room: {racks_per_row: 4}, packaging: {leaf: {place: in-rack}}}
nodes: 48..49
switch_ports: 24
families: [torus, hypercube, hyperx, fat-tree, dragonfly, slim-fly]
`

func run(t *testing.T, text string, opt machines.Options) *machines.Result {
	t.Helper()
	s, err := machines.Parse("search.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// other is what is known of a candidate on the other axis.
func other(f *machines.Fallen) *float64 {
	if f.LeastMoney != nil {
		return f.LeastMoney
	}
	return f.LeastDelay
}

// The front is that of all candidates, planned one and all, by any objective; and none that bounds have cut has a plan
// that is below its bounds, or better than the front.
func TestTheFrontIsThatOfAllPlans(t *testing.T) {
	cut := 0
	weighted := "{money: 1, power: 3, delay: 200, cables: 10, metres: 5}"
	for _, objective := range append(machines.Objectives(), weighted) {
		for i, limit := range []string{
			"", "diameter: 4\nthroughput: {uniform: 0.9, worst: 0.4}\n",
			"delay: 400 ns\npower: 41 kW\n",
		} {
			if i > 0 && objective != machines.Money && objective != machines.Power {
				continue
			}
			text := small + limit + "objective: " + objective + "\n"
			if objective == machines.StepTime || objective == machines.MoneyPerTokens {
				text += "workload: {file: testdata/job.yaml, ranks_per_node: 2}\n"
			}
			found, all := run(t, text, machines.Options{}), run(t, text, machines.Options{All: true})
			if d := cmp.Diff(all.Front, found.Front, cmpopts.IgnoreUnexported(machines.Entry{})); d != "" {
				t.Errorf("%s %q: the front of all plans differs: %s", objective, limit, d)
			}
			if len(found.Front) < 1 {
				t.Errorf("%s %q: no front", objective, limit)
			}
			plans := map[string]machines.Fallen{}
			for _, f := range all.Fallen {
				plans[f.Topology] = f
			}
			for _, f := range found.Fallen {
				p := plans[f.Topology]
				if f.Reason != machines.ByBounds || p.Least == nil {
					continue
				}
				cut++
				if *f.Least > *p.Least || *other(&f) > *other(&p) {
					t.Errorf("%s: %s is bounded by %v, %v and planned with %v, %v", objective, f.Topology, *f.Least,
						*other(&f), *p.Least, *other(&p))
				}
			}
			if found.Enumerated != len(found.Fallen)+len(found.Front) {
				t.Errorf("%s %q: %d are enumerated, %d fell out and %d are on the front", objective, limit,
					found.Enumerated, len(found.Fallen), len(found.Front))
			}
		}
	}
	if cut < 20 {
		t.Errorf("bounds cut %d candidates in all: the test shows nothing", cut)
	}
}

// A search over families whose routers have different hop delays says so, and holds them equal if it is asked to.
func TestFrontComparesHopDelays(t *testing.T) {
	const text = "machine: {room: {racks_per_row: 8}}\nnodes: 60..66\nfamilies: [torus, hyperx]\nswitch_ports: 24\n" +
		"diameter: 6\n"
	const warning = "the front compares hop delays besides topologies: 100 ns in torus; 500 ns in hyperx; the key equal"
	r := run(t, text, machines.Options{})
	if len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], warning) {
		t.Errorf("warnings %q", r.Warnings)
	}
	all := run(t, text+"equal: {hop: 70 ns}\n", machines.Options{All: true})
	if len(all.Warnings) > 0 {
		t.Errorf("warnings %q with equal hop delays", all.Warnings)
	}
	for _, e := range all.Front {
		router := "switch"
		if strings.Contains(e.Topology, "torus") {
			router = "node"
		}
		given, err := machine.Parse("x.yaml", []byte("{topology: "+e.Topology+
			", room: {racks_per_row: 8}, delay: {hop: {"+router+": 70 ns}}}"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := machine.Plan(t.Context(), given)
		if err != nil {
			t.Fatal(err)
		}
		if want := float64(p.Report().Delay.NsMean); math.Abs(e.Delay-want) > 1e-6 {
			t.Errorf("%s: mean delay %v ns, planned %v", e.Topology, e.Delay, want)
		}
	}
	if one := run(t, strings.Replace(text, "torus, ", "", 1), machines.Options{}); len(one.Warnings) > 0 {
		t.Errorf("warnings %q of one family", one.Warnings)
	}
	for _, wrong := range []string{"{hop: -1 ns}", "{hop: 2 s}", "{switch: generic-switch-64x400g}", "{hop: fast}"} {
		if _, err := machines.Parse("search.yaml", []byte(text+"equal: "+wrong+"\n")); err == nil ||
			!strings.Contains(err.Error(), "search.yaml:6:") {
			t.Errorf("equal: %s: %v", wrong, err)
		}
	}
}

// Lower bounds hold for parts with several ports a cage, cheap long pieces, surcharges and spares as well.
func TestBoundsAreBelowPlans(t *testing.T) {
	bounded := 0.0
	for i, base := range []string{
		"{}",
		"{cabling: {media: [{use: multimode}]}, prices: {spares: {cable: 5}, contingency: 10}}",
		"{packaging: {switch: {part: qm9700}, node: {part: generic-gpu-node-8u}}}",
		"{packaging: {node: {chassis: c}, chassis: {c: {units: 4, slots: 4}}}}",
		"{cabling: {slack: {fixed: 0.1 m}}, delay: {hop: {node: 0 ns}}}",
		"{prices: {unit: {generic-node-1u: 5000}}}",
	} {
		s, err := machines.Parse("search.yaml", fmt.Appendf(nil, "machine: %s\nnodes: 30..32\nobjective: cables\n"+
			"switch_ports: 16\nfamilies: [torus, hyperx, fat-tree, dragonfly]\n", base))
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Run(t.Context(), machines.Options{})
		if err != nil {
			t.Fatal(base, err)
		}
		dir := t.TempDir()
		if err := s.Write(t.Context(), dir, r, chart.Options{}); err != nil || len(r.Front) == 0 {
			t.Fatal(base, err, r.Pruned)
		}
		for _, e := range r.Front {
			given, err := machine.Load(e.File)
			if err != nil {
				t.Fatal(err)
			}
			least, err := machine.LeastOf(t.Context(), given)
			if err != nil {
				t.Fatal(err)
			}
			if least.Money.Float() > e.Cost || float64(least.Power) > e.Power || float64(least.Delay) > e.Delay ||
				least.Cables > e.Cables || float64(least.Metres) > e.Metres || math.Abs(least.Hops-e.Hops) > 1e-6 {
				t.Errorf("%d: %s is bounded by %+v and planned with %+v", i, e.Topology, least, e)
			}
			bounded = max(bounded, least.Money.Float()/e.Cost)
		}
	}
	if bounded < 0.5 {
		t.Errorf("the best bound is %.2f of the cost: the test shows nothing", bounded)
	}
}

// Each machine file of the front, in any way the base is written, plans to the figures of the front.
func TestFilesPlanToTheSameFigures(t *testing.T) {
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "found")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("quote.csv", "part,unit price,currency,date\nrack-42u,1,USD,2026-01-01\n")
	write("base.yaml", "# A hall.\nname: base\nroom: &r {racks_per_row: 4}\ntopology: {family: torus, dims: [2, 2]}\n"+
		"prices: {quote: quote.csv}\npackaging: {leaf: {place: in-rack}}\n")
	write("search.yaml", "machine: base.yaml\nnodes: 48\nswitch_ports: 16\nfamilies: [fat-tree, hyperx]\n")
	s, err := machines.Load(filepath.Join(from, "search.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context(), machines.Options{})
	if err == nil {
		err = s.Write(t.Context(), dir, r, chart.Options{})
	}
	if err != nil || len(r.Front) == 0 {
		t.Fatal(err)
	}
	for _, e := range r.Front {
		given, err := machine.Load(e.File)
		if err != nil {
			t.Fatal(err)
		}
		p, err := machine.Plan(t.Context(), given)
		if err != nil {
			t.Fatal(err)
		}
		d := p.Report()
		got := fmt.Sprint(d.Nodes, d.Switches, d.Cables, d.Cost.Total.Float(), float64(d.Power),
			float64(d.Delay.NsMean), d.Delay.HopsMean, float64(d.Length.Total))
		if want := fmt.Sprint(e.Nodes, e.Switches, e.Cables, e.Cost, e.Power, e.Delay, e.Hops, e.Metres); got != want {
			t.Errorf("%s plans to %s, not %s", e.File, got, want)
		}
		if given.Name != "base" || given.Prices.Quote == nil {
			t.Errorf("%s has lost sections: %+v", e.File, given)
		}
	}
}

// Of a larger search, machines that bounds have cut, drawn at random, are planned by themselves: they keep their
// bounds,
// and are no better than the front.
func TestWhatBoundsCutIsNoBetter(t *testing.T) {
	r := run(t, "machine: {room: {racks_per_row: 8}}\nnodes: 190..210\nswitch_ports: 32\n", machines.Options{})
	var cut []machines.Fallen
	for _, f := range r.Fallen {
		if f.Reason == machines.ByBounds {
			cut = append(cut, f)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		f := cut[random.IntN(len(cut))]
		given, whole := spec.Read("m.yaml", []byte("topology: "+f.Topology+"\nroom: {racks_per_row: 8}\n"))
		if !whole {
			t.Fatal(f.Topology)
		}
		p, err := machine.Plan(t.Context(), given)
		if err != nil {
			continue // the plan of the search would have refused it as well
		}
		d := p.Report()
		money, delay := d.Cost.Total.Float(), float64(d.Delay.NsMean)
		if money < *f.Least || delay < *f.LeastDelay {
			t.Errorf("%s is bounded by %v, %v and planned with %v, %v", f.Topology, *f.Least, *f.LeastDelay, money,
				delay)
		}
		for _, e := range r.Front {
			if money <= e.Cost && delay <= e.Delay && (money < e.Cost || delay < e.Delay) {
				t.Errorf("%s, which is left out, is better than %s", f.Topology, e.Topology)
			}
		}
	}
	if len(cut) < 50 {
		t.Errorf("bounds cut %d only", len(cut))
	}
}

// The figure of every objective follows from the other figures.
func TestScores(t *testing.T) {
	for objective, want := range map[string]func(e *machines.Entry) float64{
		"money":          func(e *machines.Entry) float64 { return e.Cost },
		"power":          func(e *machines.Entry) float64 { return e.Power },
		"delay":          func(e *machines.Entry) float64 { return e.Delay },
		"metres":         func(e *machines.Entry) float64 { return e.Metres },
		"cables":         func(e *machines.Entry) float64 { return float64(e.Cables) },
		"switches":       func(e *machines.Entry) float64 { return float64(e.Switches) },
		"bundle-types":   func(e *machines.Entry) float64 { return float64(*e.BundleTypes) },
		"money-per-node": func(e *machines.Entry) float64 { return e.Cost / float64(e.Nodes) },
		// Ports of 400 Gb/s, one to a node.
		"money-per-throughput": func(e *machines.Entry) float64 {
			return e.Cost / (400 * float64(e.Nodes) * min(1, *e.Throughput))
		},
		"{money: 2, power: 3, delay: 200, cables: 10, metres: 5}": func(e *machines.Entry) float64 {
			return 2*e.Cost + 3*e.Power + 200*e.Delay + 10*float64(e.Cables) + 5*e.Metres
		},
	} {
		r := run(t, "machine: {room: {racks_per_row: 4}}\nnodes: 48\nfamilies: [hyperx, torus]\n"+
			"objective: "+objective+"\n", machines.Options{})
		if len(r.Front) == 0 {
			t.Fatal(objective)
		}
		for i := range r.Front {
			e := &r.Front[i]
			if w := want(e); math.Abs(e.Score-w) > 1e-9*w {
				t.Errorf("%s: %s has %v, not %v", objective, e.Topology, e.Score, w)
			}
		}
	}
}

// The relative bisection of a HyperX is the least K S/(2 T) (J. H. Ahn et al., SC 2009, section 2), for even S.
func TestBisectionOfHyperX(t *testing.T) {
	r := run(t, "machine: {}\nnodes: 48..64\nfamilies: [hyperx]\nbisection: 0.75\n", machines.Options{All: true})
	kept := map[bool]int{}
	check := func(text string, fell bool) {
		given, whole := spec.Read("m.yaml", []byte("topology: "+text+"\n"))
		if !whole {
			t.Fatal(text)
		}
		h := given.Topology.Params.(topology.HyperX)
		share := math.Inf(1)
		for i, side := range h.Dims {
			if side%2 > 0 {
				return
			}
			width := 1
			if h.Widths != nil {
				width = h.Widths[i]
			}
			share = min(share, float64(width*side)/float64(2*h.Terminals))
		}
		kept[!fell]++
		if fell != (share < 0.75) {
			t.Errorf("%s has a relative bisection of %v: it falls out: %v", text, share, fell)
		}
	}
	for _, e := range r.Front {
		check(e.Topology, false)
	}
	for _, f := range r.Fallen {
		check(f.Topology, f.Reason == machines.ByBisection)
	}
	if kept[true] < 3 || kept[false] < 3 {
		t.Errorf("%v: the test shows nothing", kept)
	}
}

// Rates are those of the slowest ports, and several numbers of ports are searched together.
func TestRatesAndPorts(t *testing.T) {
	r := run(t, "machine: {}\nnodes: 48\nfamilies: [torus, fat-tree]\nrate: 401G\n", machines.Options{})
	if len(r.Front) > 0 || len(r.Pruned) != 1 || r.Pruned[0].Reason != machines.ByRate || r.Best != nil {
		t.Errorf("ports of 400 Gb/s meet 401: %+v", r.Pruned)
	}
	names := func(ports string) (out []string) {
		r := run(t, "machine: {}\nnodes: 200\nfamilies: [fat-tree]\nswitch_ports: "+ports+"\n", machines.Options{})
		for _, e := range r.Front {
			out = append(out, e.Topology)
		}
		for _, f := range r.Fallen {
			out = append(out, f.Topology)
		}
		slices.Sort(out)
		return out
	}
	both := append(names("32"), names("64")...)
	slices.Sort(both)
	if d := cmp.Diff(slices.Compact(both), names("[64, 32]")); d != "" {
		t.Error(d)
	}
}

// Parts stand for their ports, and each candidate with switches is there with each part, which its plan uses. Nodes
// with routers in them have no switches to name.
func TestSwitchesAreParts(t *testing.T) {
	const head = "machine: {packaging: {leaf: {place: in-rack}}}\nnodes: 60..64\nfamilies: [torus, fat-tree]\n"
	names := func(r *machines.Result, part string) []string {
		var out []string
		for _, e := range r.Front {
			if e.Switch == part {
				out = append(out, e.Topology)
			}
		}
		for _, f := range r.Fallen {
			if f.Switch == part {
				out = append(out, f.Topology)
			}
		}
		slices.Sort(out)
		return out
	}
	all := machines.Options{All: true}
	parts := run(t, head+"switches: [generic-switch-64x400g, nvidia-qm9700]\nobjective: cables\n", all)
	ports := run(t, head+"switch_ports: 64\nobjective: cables\n", all)
	trees := names(parts, "nvidia-qm9700")
	if len(trees) == 0 || !cmp.Equal(trees, names(parts, "generic-switch-64x400g")) {
		t.Errorf("%v of one part, %v of the other", trees, names(parts, "generic-switch-64x400g"))
	}
	both := append(trees, names(parts, "")...)
	slices.Sort(both)
	if d := cmp.Diff(names(ports, ""), both); d != "" {
		t.Error(d)
	}

	s, err := machines.Parse("search.yaml", []byte("machine: {packaging: {leaf: {place: in-rack}}}\nnodes: 60..64\n"+
		"families: fat-tree\nswitches: nvidia-qm9700\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context(), machines.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := s.Write(t.Context(), dir, r, chart.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, e := range r.Front {
		file, err := machine.Load(filepath.Join(dir, filepath.Base(e.File)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := machine.Plan(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(p.Bill)
		if err != nil {
			t.Fatal(err)
		}
		bill := string(data)
		if strings.Contains(bill, "generic-switch") || !strings.Contains(bill, "nvidia-qm9700") {
			t.Errorf("%s is not built of the part:\n%s", e.File, bill)
		}
	}
}

func TestTheSameOnAnyNumberOfCores(t *testing.T) {
	document := func(cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		data, err := json.Marshal(run(t, small, machines.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if d := cmp.Diff(document(1), document(3)); d != "" {
		t.Error(d)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"machine: {}\n", "nodes"},
		{
			"machine: {room: {rack_per_row: 3}}\nnodes: 5..3\nfamilies: [toros]\nobjective: cost\n",
			"1:18 4:12 3:12 2:8",
		},
		{"machine: {owned: {}}\nnodes: many\n", "1:11 remove 2:8"},
		{"machine: none.yaml\nnodes: 4\n", "none.yaml"},
		{"machine: {}\nnodes: 4\nfamilies: [torus, torus]\n", "torus is there already"},
		{"machine: {}\nnodes: 4\nthroughput: {uniform: 2}\n", "3:"},
		{"machine: {}\nnodes: 4\nobjective: {}\nswitch_ports: [32, 64, 32]\n", "3:12 weight 4:24"},
		{"machine: {}\nnodes: 4\nswitches: [nvidia-qm9701]\n", "3:12 nvidia-qm9700"},
		{"machine: {}\nnodes: 4\nswitches: [nvidia-qm9700, nvidia-qm9700]\n", "3:27 already"},
		{"machine: {}\nnodes: 4\nswitches: generic-node-1u\n", "3:11 switch"},
		{"machine: {}\nnodes: 4\nswitches: nvidia-qm9700\nswitch_ports: 64\n", "4: parts"},
		{
			"machine: {packaging: {leaf: {part: nvidia-qm9700}}}\nnodes: 4\nswitches: nvidia-qm9700\n",
			"1:36 remove",
		},
		{"machine: {}\nnodes: 4\ncapacity: {dim1: [], dim2: [2, 0, 2]}\n", "3:12 empty 3:32 3:35 already"},
		{"machine: {}\nnodes: 4\nload: 1.5\n", "3:7"},
		{"machine: {}\nnodes: 4\nobjective: {money: -1, joy: 1}\n", "3:20 3:24 negative"},
	} {
		_, err := machines.Parse("search.yaml", []byte(c.text))
		if err == nil {
			t.Errorf("%q is taken", c.text)
			continue
		}
		for _, want := range strings.Fields(c.want) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: no %q in %v", c.text, want, err)
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{"machine: {packaging: {spine: {part: qm9700}}}\nnodes: 16\nfamilies: [torus]\n", "1:23 no candidate has such"},
		{"machine: {packaging: {node: {part: serverx}}}\nnodes: 16\nfamilies: [torus]\n", "serverx"},
		{"machine: {}\nnodes: 16\nfamilies: [torus]\ncapacity: {dmi1: 2}\n", "4:12 dim1"},
		{
			"machine: {}\nnodes: 4096\nfamilies: [hypercube]\ncapacity: {dim1: &c [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], " +
				"dim2: *c, dim3: *c, dim4: *c, dim5: 2, dim6: [1, 2]}\n", "3:12 enumerated",
		},
		{"machine: {}\nnodes: 1..1000000\nfamilies: [torus]\n", "3:12 are enumerated"},
		{"machine: {}\nnodes: 1..2000000\nfamilies: [dragonfly-plus]\n", "3:12 are enumerated"},
	} {
		s, err := machines.Parse("search.yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Run(t.Context(), machines.Options{})
		for _, want := range strings.Fields(c.want) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: no %q in %v", c.text, want, err)
			}
		}
	}
}

// Whatever a search file has, reading it ends, and what is taken can be searched.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("machine: {}\nnodes: 1..9\nobjective: {money: 1, delay: 5e3}\nswitch_ports: [4, 8]\nrate: 400G\n"))
	f.Add([]byte("machine: &m {room: {rows: 2}}\nnodes: 64\nfamilies: torus\nthroughput: {uniform: .5}\ndelay: 1 us\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := machines.Parse("search.yaml", data)
		if err != nil {
			return
		}
		if s.MinNodes < 1 || s.MinNodes > s.MaxNodes || len(s.Families) == 0 || s.Objective.String() == "" {
			t.Errorf("%q is read as %+v", data, s.File)
		}
	})
}
