package machine_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// pod is a small machine of three fabrics.
//
//go:embed testdata/fabrics.yaml
var pod string

// TestSeveralFabrics plans them on one floor with one bill.
func TestSeveralFabrics(t *testing.T) {
	r := buy(t, pod)
	doc := r.Report()
	var names []string
	for _, f := range doc.Fabrics {
		names = append(names, f.Name)
	}
	if want := []string{"compute", "in-band", "oob"}; !slices.Equal(names, want) {
		t.Fatalf("fabrics %v, want %v", names, want)
	}
	if doc.Nodes != 8 || doc.Switches != 12+3+1 || doc.Delay != nil {
		t.Errorf("%d nodes, %d switches, delay %v", doc.Nodes, doc.Switches, doc.Delay)
	}
	compute, inBand, oob := doc.Fabrics[0], doc.Fabrics[1], doc.Fabrics[2]
	if compute.Nodes != 8 || compute.Links != 64+256 {
		t.Errorf("compute: %d nodes, %d links", compute.Nodes, compute.Links)
	}
	if inBand.Ends != 13 || inBand.Nodes != 8 || inBand.Levels[0].Links != 2*13 {
		t.Errorf("in-band: %d ends, %d nodes, levels %v", inBand.Ends, inBand.Nodes, inBand.Levels)
	}
	if n := oob.Levels[len(oob.Levels)-1]; oob.Ends != 8+5+8 || n.Level != "uplink" || n.Links != 2 {
		t.Errorf("out-of-band: %d ends, level %s of %d links", oob.Ends, n.Level, n.Links)
	}
	links, cables := int64(0), int64(0)
	for _, f := range doc.Fabrics {
		links, cables = links+f.Links, cables+f.Cables
		if f.Delay == nil || f.Delay.HopsMean <= 0 {
			t.Errorf("%s has no delays", f.Name)
		}
	}
	if links != doc.Links || cables != doc.Cables {
		t.Errorf("%d links and %d cables of the fabrics, %d and %d of the machine", links, cables, doc.Links,
			doc.Cables)
	}
	for _, m := range doc.Media {
		if strings.HasPrefix(m.Product, "cat6") && m.Length > 0 && m.Qty > 0 {
			return
		}
	}
	t.Error("no copper pair in the bill")
}

// TestFabricIsThePlanOfItAlone: a fabric whose boxes have no other ports in use has the figures of a machine that has
// only it.
func TestFabricIsThePlanOfItAlone(t *testing.T) {
	const rest = `
room: {rows: 2, racks_per_row: 8, rack: rack-48u}
rules: {suppress: [{rule: redundancy, reason: small}]}
`
	one := buy(t, `
topology: {family: fat-tree, nodes: 32, radix: 64, rails: 8}
packaging: {node: {part: nvidia-dgx-h100, per_rack: 4}, switch: {part: nvidia-qm9700}}
`+rest).Report()
	several := buy(t, `
boxes: [{name: dgx, count: 32, part: nvidia-dgx-h100, per_rack: 4}]
fabrics:
- {name: compute, topology: {family: fat-tree, radix: 64, rails: 8}, ends: [{boxes: dgx, ports: compute}],
   switches: {switch: {part: nvidia-qm9700}}}
`+rest).Report()
	f := several.Fabrics[0]
	got, want := asJSON(t, f.Delay), asJSON(t, one.Delay)
	if got != want {
		t.Errorf("delays differ\n got %s\nwant %s", got, want)
	}
	if got, want := asJSON(t, f.Levels), asJSON(t, one.Levels); got != want {
		t.Errorf("levels differ\n got %s\nwant %s", got, want)
	}
	if got, want := asJSON(t, several.BOM), asJSON(t, one.BOM); got != want {
		t.Errorf("bills differ\n got %s\nwant %s", got, want)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestFabricMistakes are reported at their lines.
func TestFabricMistakes(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"{boxes: dgx, ports: in-band}", "{boxes: dgx, ports: compute}", "is plugged in at fabrics[0].ends[0] already"},
		{"{boxes: dgx, ports: compute}", "{boxes: dgx, ports: compote}", "fabrics[0].ends[0].ports[0]"},
		{"{boxes: dgx, ports: bmc}", "{boxes: dxg, ports: bmc}", `did you mean "dgx"?`},
		{"{boxes: dgx, ports: bmc}", "{boxes: dgx, ports: bcm}", "nvidia-dgx-h100 has no port or group of ports"},
		{
			"{boxes: dgx, ports: bmc}", "{boxes: dgx}",
			"name a group of ports of nvidia-dgx-h100: compute, storage, in-band",
		},
		{"{boxes: dgx, ports: bmc}", "{boxes: dgx, ports: bmc, first: 9}", "9 of 8 dgxes that there are"},
		{"{boxes: dgx, ports: bmc}", "{boxes: oob/switch, ports: down}", "are not ends of the same"},
		{"{boxes: compute/leaf, ports: management}", "{boxes: in-band/spine, ports: mgnt}", "its groups are"},
		{"to: in-band/leaf", "to: in-band/lief", `there are no switches or boxes "in-band/lief"`},
		{"to: in-band/leaf", "to: oob/switch", "uplinks lead to another fabric"},
		{"each: 2, ports: [up]", "each: 5, ports: [up]", "5 uplinks at every oob-switch, and 4 of its ports are free"},
		{"terminals: 40", "terminals: 20", "the boxes take 21 places, and the topology has 20"},
		{"terminals: 40", "terminals: 53", "a switch of oob has 53 links, and access has 52 for them"},
		{"name: in-band", "name: compute", `fabrics[0] has the name "compute" already`},
		{"levels: [terminal]", "levels: [terminl]", `compute has no level "terminl"`},
		{"switches: {switch: {part: access}}", "switches: {leaf: {part: access}}", "a hyperx has no leaf"},
		{"part: server}", "part: nvidia-qm9700}", "is of kind switch, not node"},
		{"{oob-switch: 1000 ns}", "{oob-leaf: 1000 ns}", "oob-leaf"},
		{"name: dgx, count: 8", "name: compute-leaf, count: 8", "boxes called compute-leaf are of boxes[0] already"},
		{
			"{family: hyperx, dims: [1], terminals: 40}", "{family: hyperx, dims: [32000], terminals: 40}",
			"fabrics[2].topology",
		},
		{"name: pod", "topology: {family: torus, dims: [4]}", "either one topology or fabrics"},
		{"room: {rows: 1, ", "packaging: {node: {part: server}}\nroom: {rows: 1, ", "are listed in boxes"},
	} {
		if !strings.Contains(pod, c.from) {
			t.Fatalf("%q is not there", c.from)
		}
		s, err := machine.Parse("m.yaml", []byte(strings.Replace(pod, c.from, c.to, 1)))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v\nwant %s", c.to, c.from, err, c.want)
		}
	}
}

// TestNodesCountOnce: a node that is plugged into a fabric with two groups of ports, or in two parts, is one node.
func TestNodesCountOnce(t *testing.T) {
	r := buy(t, `
boxes: [{name: dgx, count: 6, part: nvidia-dgx-h100, per_rack: 2}]
fabrics:
- name: all
  topology: {family: access, down: 32}
  ends:
  - {boxes: dgx, ports: Slot1P2}
  - {boxes: dgx, ports: Slot1P1, first: 3}
  switches: {switch: {part: generic-switch-32x400g-osfp}}
  media: [{use: [any]}]
rules: {suppress: [{rule: redundancy, reason: a test}, {rule: reach, reason: a test}, {rule: breakout, reason: a test}]}
`)
	if f := r.Report().Fabrics[0]; f.Nodes != 6 || f.Links != 6+4 {
		t.Errorf("%d nodes, %d links", f.Nodes, f.Links)
	}
}

// TestBoxesApart: boxes that no fabric is plugged into stand in racks, draw power and are on the bill.
func TestBoxesApart(t *testing.T) {
	with := strings.Replace(pod, "fabrics:\n", "- {name: spare, count: 3, role: service, part: server}\nfabrics:\n", 1)
	r, alone := buy(t, with), buy(t, pod)
	if got, want := r.Report().Power, alone.Report().Power; got <= want {
		t.Errorf("%v with three boxes more, %v without", got, want)
	}
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "spare (3)") }) {
		t.Errorf("notes %q", r.Notes)
	}
}

// TestFabricOf finds a fabric by name, and builds the topology of one.
func TestFabricOf(t *testing.T) {
	r := buy(t, pod)
	n, err := r.Fabric("in-band")
	if err != nil || n.Graph.Family() != "fat-tree" || n.Links.Count() == 0 {
		t.Fatalf("%v, %v", n, err)
	}
	for _, name := range []string{"", "in"} {
		if _, err := r.Fabric(name); err == nil || !strings.Contains(err.Error(), "compute, in-band, oob") {
			t.Errorf("fabric %q: %v", name, err)
		}
	}
	s, err := machine.Parse("m.yaml", []byte(pod))
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := machine.Topology(s, "oob")
	if err != nil || topology.Count(g).Links != 21 {
		t.Errorf("%v, %v", g, err)
	}
	boxes := r.Report().Boxes
	if len(boxes) != 7 || boxes[1].Role != spec.Service || boxes[2].Fabric != "compute" {
		t.Errorf("boxes %+v", boxes)
	}
}

// TestFabricCompared: sizes, delays and bisection of a comparison are those of the fabric that is named.
func TestFabricCompared(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(pod))
	if err != nil {
		t.Fatal(err)
	}
	two := []machine.Candidate{{File: "a", Spec: s}, {File: "b", Spec: s}}
	whole, err := machine.Compare(context.Background(), two, machine.CompareOptions{})
	if err != nil || !whole.AllWhole() || whole.Machines[0].Machine != "pod" {
		t.Errorf("compared without a fabric: %v, %v", whole, err)
	}
	c, err := machine.Compare(context.Background(), two, machine.CompareOptions{Fabric: "in-band"})
	if err != nil {
		t.Fatal(err)
	}
	m := c.Machines[0]
	if m.Machine != "pod, in-band" || m.Nodes != 8 || m.Switches != 3 || m.Links != 58 || m.Delay == nil ||
		m.Rate != 100 {
		t.Errorf("%s: %d nodes, %d switches, %d links, delay %v, %v", m.Machine, m.Nodes, m.Switches, m.Links, m.Delay,
			m.Rate)
	}
}

// TestFabricOfAFile keeps a copy of the graph of a fabric with the plan.
func TestFabricOfAFile(t *testing.T) {
	path := write(t, "m.yaml", `
boxes: [{name: pc, count: 3, part: generic-server-1u}]
fabrics:
- name: wire
  topology: {family: file, path: star.dot}
  ends: [{boxes: pc, ports: "1"}]
  switches: {switch: {part: nvidia-sn2700}}
`, "star.dot", `graph {a [kind=node,role=terminal]; b [kind=node,role=terminal]; c [kind=node,role=terminal];
s [kind=switch,role=switch]; a -- s; b -- s; c -- s}`)
	r, err := planFile(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if in := r.Inputs(); len(in) != 1 || !strings.HasSuffix(in[0].Path, "star.dot") || in[0].Copy != "inputs/star.dot" {
		t.Errorf("inputs %v", in)
	}
	if r.Counts.Links != 3 {
		t.Errorf("%d links", r.Counts.Links)
	}
}

// TestFabricsHostile changes a word or two of the file to what no machine has: it is refused or planned, and nothing
// breaks down.
func TestFabricsHostile(t *testing.T) {
	words := regexp.MustCompile(`[A-Za-z0-9_./-]+`)
	at := words.FindAllStringIndex(pod, -1)
	with := []string{
		"0", "1", "2", "-1", "7", "65535", "2147483647", "1e9", "null", "[]", "{}", "x", "dgx", "manager",
		"compute/leaf",
		"oob/switch", "node", "switch", "compute", "torus", "access", "1-4", "4-1", "true", "\"\"",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(pod)
		for range rapid.IntRange(1, 2).Draw(t, "changes") {
			w := rapid.SampledFrom(at).Draw(t, "word")
			text = slices.Concat(text[:w[0]], []byte(rapid.SampledFrom(with).Draw(t, "with")), text[w[1]:])
			if len(text) != len(pod) {
				break // the places of the words are not those of the text any longer
			}
		}
		s, err := machine.Parse("m.yaml", text)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if _, err := machine.PlanWith(ctx, s, machine.Options{Summary: true}); ctx.Err() != nil {
			t.Fatalf("planning takes too long: %v", err)
		}
	})
}

// TestAccessByPlace: boxes of a rack are on one access switch as far as its ports reach, regardless of what kinds they
// are of, and cables are shorter than those of boxes that are plugged in kind by kind.
func TestAccessByPlace(t *testing.T) {
	const text = `
boxes:
- {name: pc, count: 96, part: generic-server-1u, per_rack: 8}
- {name: helper, count: 96, role: service, part: generic-server-1u, per_rack: 8}
fabrics:
- name: data
  topology: {family: leaf-pair, down: 16}
  ends: [{boxes: pc, ports: data}]
  switches: {switch: {part: nvidia-sn4600c}}
- name: oob
  topology: {family: access, down: 48}
  ORDER
  ends: [{boxes: pc, ports: bmc}, {boxes: helper, ports: bmc}]
  switches: {switch: {part: nvidia-sn2201}}
room: {rows: 3, racks_per_row: 14, rack: rack-48u}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`
	plan := func(order string) (*machine.Result, report.Fabric) {
		r := buy(t, strings.Replace(text, "ORDER", order, 1))
		return r, r.Report().Fabrics[1]
	}
	r, near := plan("uplinks: []")
	_, far := plan("order: list")
	if near.Levels[0].Length.Mean >= far.Levels[0].Length.Mean {
		t.Errorf("%v mean by place, %v by list", near.Levels[0].Length.Mean, far.Levels[0].Length.Mean)
	}
	// Switches serve the boxes in the order of places: 48 each, no box before one of the switch before it.
	last := map[int32]int{}
	l := r.Placement.Layout
	at := func(v int32) int {
		p := l.Room.Places[l.Container(layout.RackLevel, r.Placement.Slot[v])]
		return 100*p.Row + p.Number
	}
	first := map[int32]int{}
	served := map[int32]int{}
	for link := range r.Graph.Links() {
		if !strings.HasPrefix(r.Graph.Levels()[link.Level].Name, "oob/") {
			continue
		}
		s, box := link.A, link.B
		if strings.HasPrefix(r.Graph.Label(int(box)), "oob") {
			s, box = box, s
		}
		served[s]++
		if n := at(box); served[s] == 1 || n < first[s] {
			first[s] = n
		}
		last[s] = max(last[s], at(box))
	}
	if len(served) != 4 {
		t.Fatalf("%d switches serve boxes", len(served))
	}
	for s, n := range served {
		if n != 48 {
			t.Errorf("%s serves %d boxes", r.Graph.Label(int(s)), n)
		}
		if before, ok := last[s-1]; ok && first[s] < before {
			t.Errorf("%s serves a box in front of one of the switch before it", r.Graph.Label(int(s)))
		}
	}
}

// TestUplinksOutOfTheRoom: cables that go on behind a panel at the wall are that much longer, in the schedule, on the
// bill and in its delays, and lie on the same trays.
func TestUplinksOutOfTheRoom(t *testing.T) {
	const text = `
boxes:
- {name: pc, count: 32, part: generic-server-1u, per_rack: 8}
- {name: carrier, count: 1, role: service, part: generic-server-1u, place: network-row, beyond: 80 m}
fabrics:
- name: data
  topology: {family: leaf-pair, down: 32}
  ends: [{boxes: pc, ports: data}]
  switches: {switch: {part: nvidia-sn4600c}}
  uplinks: [{to: carrier, each: 1, to_ports: data}]
room: {rows: 1, racks_per_row: 8}
embedding: {effort: none}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`
	for _, effort := range []string{"none", "quick"} {
		for _, route := range []string{"tray", "manhattan", "direct"} {
			machine := strings.Replace(text, "effort: none", "effort: "+effort, 1) + "cabling: {route: " + route + "}\n"
			out := buy(t, machine).Report()
			in := buy(t, strings.Replace(machine, "beyond: 80 m", "beyond: 0 m", 1)).Report()
			a, b := out.Fabrics[0].Levels, in.Fabrics[0].Levels
			up := len(a) - 1
			if a[up].Level != "uplink" || effort == "none" && a[up].Length.Max-b[up].Length.Max != 80 {
				t.Errorf("%s, %s: uplinks of %v m, %v in the room", route, effort, a[up].Length.Max, b[up].Length.Max)
			}
			if a[up].Length.Max < 80 || a[up].Delay.Mean < 80*4 {
				t.Errorf("%s, %s: uplinks of %v m take %v ns", route, effort, a[up].Length.Max, a[up].Delay.Mean)
			}
			if a[0].Length.Max > 40 {
				t.Errorf("%s, %s: links of servers are %v m long", route, effort, a[0].Length.Max)
			}
		}
	}
}

// TestFabricsOfTheFileStay: planning fills defaults into its own copy of a machine.
func TestFabricsOfTheFileStay(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(pod))
	if err != nil {
		t.Fatal(err)
	}
	before := asJSON(t, s)
	if _, err := machine.Plan(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	if after := asJSON(t, s); after != before {
		t.Errorf("the machine was\n%s\nand is\n%s", before, after)
	}
}

// TestFabricOfOneWayLinks is refused at its topology.
func TestFabricOfOneWayLinks(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(`
boxes: [{name: pc, count: 64, part: wide}]
fabrics: [{name: rings, topology: {family: clex, clique: 8, levels: 2}, ends: [{boxes: pc}]}]
parts:
- {id: wide, kind: node, units: 1, width: 440 mm, depth: 700 mm, source: x, confidence: user,
   ports: [{count: 16, connector: qsfp112, rate: 400G}]}
`))
	if err == nil {
		_, err = machine.Plan(context.Background(), s)
	}
	if err == nil || !strings.Contains(err.Error(), "m.yaml:3") ||
		!strings.Contains(err.Error(), "fabrics[0].topology") {
		t.Error(err)
	}
}

// TestOneHopForFabrics: one hop delay is that of every switch of every fabric, and no server has one.
func TestOneHopForFabrics(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(pod))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetHop(1000); err != nil {
		t.Fatal(err)
	}
	s.SetPropagation(0)
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Report().Fabrics {
		if d := f.Delay; math.Abs(float64(d.NsMean)-1000*(d.HopsMean-1)) > 1 { // all hops but the last lead to a switch
			t.Errorf("%s: %v ns over %v hops", f.Name, d.NsMean, d.HopsMean)
		}
	}
}

// TestAllManagedSwitches: a pattern of boxes stands for all kinds that it matches, those of fabrics that come later in
// the file too, but for the switches of its own fabric.
func TestAllManagedSwitches(t *testing.T) {
	named := strings.NewReplacer(
		"- {boxes: compute/leaf, ports: management}",
		"- {boxes: compute/leaf, ports: management}\n  - {boxes: compute/spine, ports: management}\n"+
			"  - {boxes: in-band/leaf, ports: management}\n  - {boxes: in-band/spine, ports: management}",
		"hyperx, dims: [1], terminals: 40}", "access, down: 40}", "delay: {hop: {oob-switch: 1000 ns}}", "",
		"racks_per_row: 8", "racks_per_row: 10",
	).Replace(pod)
	want := buy(t, named).Report()
	pattern := strings.NewReplacer("hyperx, dims: [1], terminals: 40}", "access, down: 40}",
		"- {boxes: compute/leaf, ports: management}", "- {boxes: \"*/*\", ports: management}",
		"delay: {hop: {oob-switch: 1000 ns}}", "", "racks_per_row: 8", "racks_per_row: 10",
	).Replace(pod)
	oob := pattern[strings.Index(pattern, "- name: oob"):strings.Index(pattern, "room:")]
	first := strings.Replace(strings.Replace(pattern, oob, "", 1), "fabrics:\n", "fabrics:\n"+oob, 1)
	both := strings.Replace(pattern, "- {boxes: dgx, ports: bmc}\n  - {boxes: manager, ports: bmc}",
		"- {boxes: \"*\", ports: bmc}", 1)
	for name, text := range map[string]string{"after": pattern, "before": first, "boxes too": both} {
		got := buy(t, text)
		if n := pieces(got)["cat6-rj45"]; n != 8+5+12+3 {
			t.Errorf("%s: %d cables of management", name, n)
		}
		for _, f := range got.Report().Fabrics {
			if f.Name == "oob" && (f.Ends != want.Fabrics[2].Ends || f.Nodes != 8 || f.Ends != 8+5+12+3) {
				t.Errorf("%s: %d ends, %d nodes", name, f.Ends, f.Nodes)
			}
		}
	}
}

// TestPatternsPassOverBoxesWithoutThePorts and say so.
func TestPatternsPassOverBoxesWithoutThePorts(t *testing.T) {
	r := buyAny(t, strings.Replace(pod, "{boxes: compute/leaf, ports: management}",
		"{boxes: \"*/leaf\", ports: management}\n  - {boxes: \"*\", ports: Slot1P1}", 1))
	want := `oob: "*" is without manager (server), which have no such ports`
	if !slices.Contains(r.Notes, want) {
		t.Errorf("notes %q", r.Notes)
	}
	for list, want := range map[string]string{
		`{boxes: "*/*"}`: "name the ports that all boxes",
		`{boxes: "*/*", ports: management, first: 2}`: "first, count and at are of one kind",
		`{boxes: "*/lief", ports: management}`:        `no boxes match "*/lief"`,
		`{boxes: "*/*", ports: mangement}`:            `no port or group of ports "mangement"`,
		`{boxes: "*", ports: bmc}`:                    "is plugged in at fabrics[2].ends[0] already",
		`{boxes: "oob/*", ports: up}`:                 `no boxes match "oob/*"`,
	} {
		s, err := machine.Parse("m.yaml", []byte(strings.Replace(pod, "{boxes: compute/leaf, ports: management}", list,
			1)))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", list, err, want)
		}
	}
}

// TestFabricsThatWaitForEachOther are refused unless one of them has its nodes.
func TestFabricsThatWaitForEachOther(t *testing.T) {
	const text = `
boxes: [{name: pc, count: 8, part: generic-server-1u}]
fabrics:
- name: a
  topology: {family: access, NODES}
  ends: [{boxes: pc, ports: "1"}, {boxes: b/leaf, ports: management}]
  switches: {switch: {part: nvidia-sn2201}}
  media: [{use: [any]}]
- name: b
  topology: {family: access, down: 48}
  ends: [{boxes: pc, ports: bmc}, {boxes: a/leaf, ports: management}]
  switches: {switch: {part: nvidia-sn2201}}
rules: {suppress: [{rule: redundancy, reason: a test}, {rule: reach, reason: a test}, {rule: breakout, reason: a test}]}
`
	_, err := machine.Parse("m.yaml", []byte(strings.Replace(text, "NODES", "down: 48", 1)))
	if err == nil || !strings.Contains(err.Error(), "a and b wait for each other") {
		t.Error(err)
	}
	r := buy(t, strings.Replace(text, "NODES", "nodes: 9, down: 48", 1))
	if f := r.Report().Fabrics; f[0].Ends != 9 || f[1].Ends != 9 {
		t.Errorf("%d and %d ends", f[0].Ends, f[1].Ends)
	}
}

// TestRowsOfRedundancy: a row in which nodes of several kinds have all rails in one piece of tray is listed once.
func TestRowsOfRedundancy(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(strings.Replace(pod, "rule: redundancy", "rule: labels", 1)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	rows, nodes := map[string]int{}, 0
	for _, v := range r.Violations.List() {
		if v.Rule == "redundancy" {
			rows[v.Where]++
			n, _, _ := strings.Cut(v.Message, " ")
			count, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			nodes += count
		}
	}
	if len(rows) == 0 || nodes <= 5 { // there are five managers
		t.Fatalf("%v of %d nodes: want both kinds of boxes", rows, nodes)
	}
	for where, n := range rows {
		if n > 1 {
			t.Errorf("%s is listed %d times", where, n)
		}
	}
}

// TestSeveralPortsOnPlacesOfOne: each port of a group is an end of its own, as if it had been named in one, on any
// topology gives a node one port.
func TestSeveralPortsOnPlacesOfOne(t *testing.T) {
	const text = `
boxes: [{name: dgx, count: 16, part: nvidia-dgx-h100, per_rack: 4}]
fabrics:
- name: all
  topology: TOPOLOGY
  ends: [ENDS]
  switches: {switch: {part: nvidia-qm9700}}
room: {rows: 2, racks_per_row: 8, rack: rack-48u}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`
	for _, family := range []string{"{family: fat-tree, radix: 16}", "{family: access, down: 32}"} {
		plan := func(ends string) *report.Plan {
			return buy(t, strings.Replace(strings.Replace(text, "TOPOLOGY", family, 1), "ENDS", ends, 1)).Report()
		}
		got := plan("{boxes: dgx, ports: [OSFP1P1, OSFP1P2, OSFP2P1, OSFP2P2]}")
		want := plan(`{boxes: dgx, ports: OSFP1P1}, {boxes: dgx, ports: OSFP1P2}, ` +
			`{boxes: dgx, ports: OSFP2P1}, {boxes: dgx, ports: OSFP2P2}`)
		if f := got.Fabrics[0]; f.Nodes != 16 || f.Ends != 16*4 || f.Levels[0].Links != 16*4 {
			t.Errorf("%s: %d nodes, %d ends", family, f.Nodes, f.Ends)
		}
		if a, b := asJSON(t, got.BOM)+asJSON(t, got.Levels), asJSON(t, want.BOM)+asJSON(t, want.Levels); a != b {
			t.Errorf("%s: %s\nwant %s", family, a, b)
		}
	}
	_, err := machine.Parse("m.yaml", []byte(strings.Replace(strings.Replace(text, "TOPOLOGY",
		"{family: fat-tree, radix: 16, rails: 2}", 1), "ENDS",
		"{boxes: dgx, ports: [OSFP1P1, OSFP1P2, OSFP2P1, OSFP2P2]}", 1)))
	if err == nil || !strings.Contains(err.Error(), "4 ports of a dgx, and a node of the topology has 2") {
		t.Error(err)
	}
}

// TestGroupsOfSeveralKinds: the groups of a dragonfly for storage, of other sizes than those for computing, hold the
// boxes that begin at their first place, regardless of what places of the groups before stay empty. Frontier is of this
// kind (S. Atchley et al., SC 2023): full groups of computing but for a few places, and groups of storage and services.
func TestGroupsOfSeveralKinds(t *testing.T) {
	const text = `
boxes:
- {name: node, count: 60, part: generic-node-2u}
- {name: storage, count: 8, role: service, part: generic-storage-2u}
fabrics:
- name: hsn
  topology: {family: cray-dragonfly, dims: [4], terminals: 4, groups: 4,
    other_groups: 2, other_dims: [2], other_terminals: 4, pair_links: [4, 2, 1]}
  ends: [{boxes: node}, {boxes: storage, ports: "1", AT}]
  switches: {switch: {part: generic-switch-64x400g}}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`
	r := buy(t, strings.Replace(text, "AT", "at: 65", 1))
	links := map[string]int64{}
	for _, l := range r.Report().Fabrics[0].Levels {
		links[l.Level] = l.Links
	}
	// six pairs of groups for computing, eight of either kind, and one of storage
	if links["terminal"] != 68 || links["global"] != 6*4+8*2+1 || links["local"] != 4*6+2*1 {
		t.Errorf("links %v", links)
	}
	for l := range r.Graph.Links() {
		a, b := r.Graph.Label(int(l.A)), r.Graph.Label(int(l.B))
		if strings.HasPrefix(a, "storage") {
			a, b = b, a
		}
		if strings.HasPrefix(b, "storage") && a < "hsn-switch-17" {
			t.Errorf("%s is on %s, of a group for computing", b, a)
		}
	}
	for at, want := range map[string]string{
		"at: 60": "the boxes before take 60 places", "at: 90": "place 90 of 80 that the topology has",
		"at: 75": "the boxes take 82 places, and the topology has 80",
	} {
		_, err := machine.Parse("m.yaml", []byte(strings.Replace(text, "AT", at, 1)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", at, err)
		}
	}
	_, err := machine.Parse("m.yaml", []byte(strings.Replace(strings.Replace(text, "AT", "at: 65", 1),
		"  ends:", "  order: place\n  ends:", 1)))
	if err == nil || !strings.Contains(err.Error(), "plugged in by where they stand") {
		t.Error(err)
	}
}
