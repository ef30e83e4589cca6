package examples_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// large are the examples whose whole plans take long. Their counts and places are those of plans without schedules and
// delays (sketch); TestLargeExamples makes the whole plans.
var large = []string{
	"deepseek-mpft.yaml", "frontera.yaml", "frontier.yaml", "fugaku.yaml", "hpn-7.yaml", "ironwood.yaml",
	"jupiter.yaml", "mrc-8-planes.yaml", "perlmutter.yaml", "summit.yaml", "tpu-v4.yaml",
}

var sketched = map[string]*machine.Result{}

// sketch plans an example without its cable schedule and path delays; all tests, one after the other, share the plan.
func sketch(t *testing.T, name string) *machine.Result {
	t.Helper()
	if r := sketched[name]; r != nil {
		return r
	}
	data, err := examples.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := machine.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(context.Background(), spec, machine.Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	sketched[name] = r
	return r
}

// alike counts the racks by what they hold: "2 leaf, 18 node".
func alike(r *machine.Result) map[string]int {
	racks := map[int32]map[string]int{}
	l := r.Placement.Layout
	for v, slot := range r.Placement.Slot {
		rack := l.Container(layout.RackLevel, slot)
		if racks[rack] == nil {
			racks[rack] = map[string]int{}
		}
		racks[rack][r.Schedule.Kinds[topology.KindOf(r.Schedule.Kinds, v)].Name]++
	}
	out := map[string]int{}
	for _, held := range racks {
		var text []string
		for kind, n := range held {
			text = append(text, fmt.Sprintf("%d %s", n, kind))
		}
		slices.SortFunc(text, func(a, b string) int { // by kind
			return strings.Compare(a[strings.Index(a, " "):], b[strings.Index(b, " "):])
		})
		out[strings.Join(text, ", ")]++
	}
	return out
}

// TestMachinesThatExist holds counts and racks against what is published.
func TestMachinesThatExist(t *testing.T) {
	type levels map[string][2]int64 // links and cables
	for _, c := range []struct {
		file, source    string
		nodes, switches int
		levels          levels
		racks           map[string]int // by what they hold
	}{
		{
			"frontier.yaml",
			"OLCF, Frontier user guide; S. Atchley et al., Frontier: exploring exascale, SC 2023: 74 groups of 32 " +
				"switches, 9,408 nodes with four adapters, 4 links between any two groups, of 9,472 places",
			9408, 74 * 32,
			levels{
				"slingshot/terminal": {4 * 9408, 4 * 9408},
				"slingshot/local":    {74 * 32 * 31 / 2, 74 * 32 * 31 / 2},
				"slingshot/global":   {10_804, 10_804},
			},
			map[string]int{"128 node, 32 slingshot-switch": 73, "64 node, 32 slingshot-switch": 1},
		},
		{
			"perlmutter.yaml",
			"NERSC, Perlmutter architecture: 1,792 nodes of four adapters, 128 and 32 switches to a cabinet and " +
				"group; 3,072 of one adapter, 256 and 16 switches to a cabinet and group",
			1792 + 3072, 14*32 + 12*16,
			levels{
				"slingshot/terminal": {4*1792 + 3072, 4*1792 + 3072},
				"slingshot/local":    {14*32*31/2 + 12*16*15/2, 14*32*31/2 + 12*16*15/2},
				"slingshot/global":   {4 * 26 * 25 / 2, 4 * 26 * 25 / 2}, // not published
			},
			map[string]int{"128 gpu, 32 slingshot-switch": 14, "256 cpu, 16 slingshot-switch": 12},
		},
		{
			"summit.yaml",
			"WikiChip, Summit; EE Times, Inside the Summit supercomputer, 2018: 256 racks of 18 nodes and two " +
				"switches, 18 racks of directors, nodes with two ports",
			4608, 512 + 18,
			levels{"terminal": {9216, 9216}, "tier1": {9216, 9216}},
			map[string]int{"2 leaf, 18 node": 256, "1 spine": 18},
		},
		{
			"frontera.yaml",
			"TACC, Frontera user guide: 8,008 nodes in 91 racks, two leaves to a rack, 22 of whose ports are split " +
				"for 44 nodes and 18 lead to six core switches",
			8008, 182 + 6,
			levels{"terminal": {8008, 182 * 22}, "tier1": {3276, 3276}},
			map[string]int{"2 leaf, 88 node": 91, "1 spine": 6},
		},
		{
			"tpu-v4.yaml",
			"N. P. Jouppi et al., TPU v4, ISCA 2023, section 2: 64 racks of 64 chips, 48 circuit switches, 96 " +
				"optical links of every rack",
			4096, 48,
			levels{"dim1": {3072, 0}, "dim2": {3072, 3072}, "dim3": {3072, 3072}, "optical": {6144, 6144}},
			map[string]int{"64 node": 64, "6 ocs": 8},
		},
	} {
		t.Run(c.file, func(t *testing.T) {
			r := sketch(t, c.file)
			rep := r.Report()
			equal(t, "nodes", rep.Nodes, c.nodes)
			equal(t, "switches", rep.Switches, c.switches)
			got := levels{}
			for _, l := range rep.Levels {
				got[l.Level] = [2]int64{l.Links, l.Cables}
			}
			if diff := cmp.Diff(c.levels, got); diff != "" {
				t.Errorf("%s:\n%s", c.source, diff)
			}
			if diff := cmp.Diff(c.racks, alike(r)); diff != "" {
				t.Errorf("racks; %s:\n%s", c.source, diff)
			}
			if r.Broken() {
				t.Errorf("%v", rep.Violations)
			}
		})
	}
}

// TestDirectors: every leaf of Frontera has three uplinks to every director, which use 546 of its 800 ports (TACC,
// Frontera user guide: 18 uplinks to six core switches); of Summit one to each of 18, which use 512 of 648.
func TestDirectors(t *testing.T) {
	for _, c := range []struct {
		file             string
		each, used, have int
	}{{"frontera.yaml", 3, 546, 800}, {"summit.yaml", 1, 512, 648}} {
		r := sketch(t, c.file)
		kinds := r.Graph.Kinds()
		leaves, spines := kinds[0], kinds[1]
		used, pairs := map[int32]int{}, 0
		for l := range r.Graph.Links() {
			if int(l.A) < leaves.Count && int(l.B) < leaves.Count+spines.Count {
				equal(t, "links between a leaf and a director", int(l.Width), c.each)
				used[l.B] += int(l.Width)
				pairs++
			}
		}
		equal(t, "pairs of a leaf and a director", pairs, leaves.Count*spines.Count)
		for _, n := range used {
			equal(t, "ports of a director in use", n, c.used)
		}
		equal(t, "ports of a director", r.Schedule.Boxes[1].Part.Ports[0].Count, c.have)
	}
}

// N. Blach et al., "A high-performance design, implementation, deployment, and evaluation of the Slim Fly network",
// NSDI 2024: 50 switches of 36 ports and 200 servers, five racks of two groups, 175 cables between switches, 75 of them
// within racks and ten between any two racks.
func TestSlimFlyHasTheRacksOfBlach2024(t *testing.T) {
	e := plan(t, "slimfly-200.yaml")
	equal(t, "switches", e.report.Switches, 50)
	equal(t, "nodes", e.report.Nodes, 200)
	equal(t, "terminal", e.links("terminal"), [2]int64{200, 200})
	equal(t, "between switches", e.links("local")[1]+e.links("global")[1], 175)
	if diff := cmp.Diff(map[string]int{"40 node, 10 switch": 5}, alike(e.Result)); diff != "" {
		t.Error(diff)
	}
	equal(t, "ports of a switch", e.Schedule.Boxes[0].Part.Ports[0].Count, 36)
	within, between := 0, map[[2]string]int{}
	for _, c := range e.cables {
		a, b := c["a_rack"], c["b_rack"]
		switch {
		case c["level"] == "terminal":
			equal(t, "rack of a server and its switch", a, b)
		case a == b:
			within++
		default:
			between[[2]string{min(a, b), max(a, b)}]++
		}
	}
	equal(t, "within racks", within, 75)
	equal(t, "pairs of racks", len(between), 10)
	for pair, n := range between {
		equal(t, fmt.Sprint("between ", pair), n, 10)
	}
}

// G. Faanes et al., "Cray Cascade", SC 2012: six chassis of 16 routers with four nodes each, three to a cabinet; every
// router has one link to each of 15 in its chassis, which are traces, and three to its peer in each of the five others,
// which share a cable here.
func TestCrayXCGroupIsThatOfFaanes2012(t *testing.T) {
	e := plan(t, "cray-xc-group.yaml")
	equal(t, "routers", e.report.Switches, 96)
	equal(t, "nodes", e.report.Nodes, 384)
	equal(t, "nodes on routers", e.links("terminal"), [2]int64{384, 0})
	equal(t, "within chassis", e.links("local1"), [2]int64{6 * 16 * 15 / 2, 0})
	equal(t, "between chassis", e.links("local2"), [2]int64{3 * 16 * 6 * 5 / 2, 16 * 6 * 5 / 2})
	if diff := cmp.Diff(map[string]int{"192 node, 48 switch": 2}, alike(e.Result)); diff != "" {
		t.Error(diff)
	}
	peers := map[[2]string]int{} // links by the ends
	for _, c := range e.cables {
		peers[[2]string{c["a_device"], c["b_device"]}]++
	}
	equal(t, "pairs of routers", len(peers), 240)
	for pair, n := range peers {
		equal(t, fmt.Sprint("links of ", pair), n, 3)
	}
}

// ATOP, SIGCOMM 2025, Table 7, for 1,024 GPUs: switches, copper cables, fibres and optics of HPN and of ZCube(n,2).
func TestATOPTable7(t *testing.T) {
	for _, c := range []struct {
		file                   string
		gpus                   int // of a node
		switches               int
		copper, fibres, optics int64
	}{
		{"hpn-1024.yaml", 8, 96, 0, 3072, 6144},
		{"zcube-1024.yaml", 1, 64, 1024, 2048, 4096},
	} {
		e := plan(t, c.file)
		var copper, fibres, optics int64
		for _, m := range e.report.Media {
			if m.Medium.Fibre() {
				fibres += m.Qty
			} else {
				copper += m.Qty
			}
		}
		for _, row := range e.report.BOM {
			if row.Kind == catalog.KindOptic {
				optics += row.Qty
			}
		}
		equal(t, c.file+": GPUs", c.gpus*e.report.Nodes, 1024)
		equal(t, c.file+": switches", e.report.Switches, c.switches)
		equal(t, c.file+": ports of a switch", e.Schedule.Boxes[0].Part.Ports[0].Count, 64)
		equal(t, c.file+": copper cables", copper, c.copper)
		equal(t, c.file+": fibres", fibres, c.fibres)
		equal(t, c.file+": optics", optics, c.optics)
	}
}

// TestLargeExamples plans the large examples as a whole: every cable of the bill is in the schedule, none is too short,
// and no rule is broken.
func TestLargeExamples(t *testing.T) {
	if os.Getenv("PLENUM_LONG") != "1" {
		t.Skip("whole plans of large machines; set PLENUM_LONG=1")
	}
	for _, name := range large {
		t.Run(name, func(t *testing.T) {
			r, err := replan(name)
			if err != nil {
				t.Fatal(err)
			}
			rep := r.Report()
			billed := int64(0)
			for _, row := range rep.BOM {
				if row.Kind == catalog.KindCable {
					billed += row.Qty
				}
			}
			equal(t, "cables of the bill", billed, rep.Cables)
			equal(t, "cables of the schedule", r.Schedule.Cables, rep.Cables)
			equal(t, "broken", r.Broken(), false)
		})
	}
}
