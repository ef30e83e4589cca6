package examples_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
)

// changed plans an example with words of its file replaced, each of which it has once.
func changed(t *testing.T, name string, words ...string) *example {
	t.Helper()
	data, err := examples.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(words); i += 2 {
		if strings.Count(text, words[i]) != 1 {
			t.Fatalf("%s has %q %d times", name, words[i], strings.Count(text, words[i]))
		}
		text = strings.Replace(text, words[i], words[i+1], 1)
	}
	spec, err := machine.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return scheduled(t, r)
}

// scheduled reads the cable schedule of a plan as it is written.
func scheduled(t testing.TB, r *machine.Result) *example {
	t.Helper()
	var out bytes.Buffer
	if err := render.Cables(context.Background(), &out, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	e := &example{Result: r, report: r.Report()}
	for _, fields := range rows[1:] {
		row := map[string]string{}
		for i, column := range rows[0] {
			row[column] = fields[i]
		}
		e.cables = append(e.cables, row)
	}
	return e
}

// products are the pieces of the bill by part, cables of all lengths together, without rooms, labour and spares.
func (e *example) products() map[string]int64 {
	out := map[string]int64{}
	for _, row := range e.report.BOM {
		switch row.Kind {
		case catalog.KindRack, catalog.KindTray, catalog.KindLabour:
			continue
		}
		part, _, _ := strings.Cut(row.Item.String(), "@")
		out[part] += row.Qty
	}
	return out
}

// from counts the cables of a level by the kind of box at their far end.
func (e *example) from(level string) map[string]int {
	out := map[string]int{}
	for _, c := range e.cables {
		if c["level"] == level && c["leg"] == "1" {
			kind := c["b_device"]
			out[kind[:strings.LastIndex(kind, "-")]]++
		}
	}
	return out
}

// TestBasePODHasTheBillOfTheReferenceArchitecture compares the bill with the table, line by line: NVIDIA DGX BasePOD
// reference architecture, RA-11127-001 V5 (2025-08), Table 4.2, for eight and for four systems.
//
// Eight ports of a system are 64 and 32 links, and that many fibres; the table has 32 and 16, as many as twin-port
// transceivers at one end: it counts by cage. AOC are of 30 m from systems and of 10 m else there; lengths here are
// those that the room asks for.
func TestBasePODHasTheBillOfTheReferenceArchitecture(t *testing.T) {
	for _, c := range []struct {
		systems int
		plan    *example
		bill    map[string]int64
		fibres  int64 // of the table
		aoc     map[string]int
		uplinks int64
		racks   int // two systems in one, and two for the rest
	}{
		{
			8, plan(t, "basepod.yaml"),
			map[string]int64{
				"nvidia-dgx-b200": 8, "generic-server-1u": 5, "generic-pdu-0u": 12,
				"nvidia-qm9700": 2, "nvidia-sn2201": 2, "nvidia-sn4600c": 2,
				"fibre-mm-mpo12-apc": 64, "nvidia-mma4z00-ns-flt": 32, "nvidia-mma4z00-ns": 32, "nvidia-mcp4y10": 16,
				"cat6-rj45": 45, "dac-100g-qsfp28": 2, "aoc-100g-qsfp28": 16 + 4 + 10,
			},
			32,
			map[string]int{"dgx": 16, "server": 10},
			4, 6,
		},
		{
			4, changed(t, "basepod.yaml", "name: dgx, count: 8", "name: dgx, count: 4"),
			map[string]int64{
				"nvidia-dgx-b200": 4, "generic-server-1u": 5, "generic-pdu-0u": 8,
				"nvidia-qm9700": 2, "nvidia-sn2201": 1, "nvidia-sn4600c": 2,
				"fibre-mm-mpo12-apc": 32, "nvidia-mma4z00-ns-flt": 16, "nvidia-mma4z00-ns": 16, "nvidia-mcp4y10": 8,
				"cat6-rj45": 29, "dac-100g-qsfp28": 2, "aoc-100g-qsfp28": 8 + 2 + 10,
			},
			16,
			map[string]int{"dgx": 8, "server": 10},
			2, 4,
		},
	} {
		e := c.plan
		if diff := cmp.Diff(c.bill, e.products()); diff != "" {
			t.Errorf("%d systems:\n%s", c.systems, diff)
		}
		equal(t, "fibres by the table", e.qty("fibre-mm-mpo12-apc")/2, c.fibres)
		if diff := cmp.Diff(c.aoc, e.from("in-band/terminal")); diff != "" {
			t.Errorf("%d systems, in-band:\n%s", c.systems, diff)
		}
		equal(t, "links between compute switches", e.links("compute/peer"), [2]int64{
			4 * int64(c.systems),
			2 * int64(c.systems),
		})
		equal(t, "uplinks", e.links("oob/uplink"), [2]int64{c.uplinks, c.uplinks})
		equal(t, "broken", e.Broken(), false)
		equal(t, "racks", e.report.Racks, c.racks)
		sides := map[string]int{} // of every system, to either switch
		for _, row := range e.cables {
			if row["level"] == "compute/terminal" {
				sides[row["a_device"]+" "+row["b_device"]]++
			}
		}
		equal(t, "pairs of a system and a switch", len(sides), 2*c.systems)
		for pair, n := range sides {
			equal(t, pair, n, 4)
		}
	}
}

// TestSuperPODHasTheFabricsOfTheReferenceArchitecture: NVIDIA DGX SuperPOD reference architecture RA-11333-001 (DGX
// H100), Tables 4 and 8, and the data centre design, for four units.
//
// Table 8 prints 2,042 compute cables, and the tiers of Table 4 add up to 2,044. Of the other networks it has totals
// only: 304 in-band, 333 out-of-band and 548 of storage without the partner's. How many switches of storage and in-band
// there are, and how they are joined, the example has chosen; what 11 of the 333 join could not be found out.
func TestSuperPODHasTheFabricsOfTheReferenceArchitecture(t *testing.T) {
	e := plan(t, "superpod-h100-4su.yaml")
	cables := map[string]int64{}
	var names []string
	for _, f := range e.report.Fabrics {
		names = append(names, f.Name)
		cables[f.Name] = f.Cables
	}
	if diff := cmp.Diff([]string{"compute", "storage", "in-band", "oob"}, names); diff != "" {
		t.Error(diff)
	}
	equal(t, "nodes", e.report.Nodes, 127)
	equal(t, "compute leaves", e.count("compute-leaf"), 32)
	equal(t, "compute spines", e.count("compute-spine"), 16)
	equal(t, "fabric managers", e.count("manager")+e.count("storage-manager"), 4)
	equal(t, "management servers", e.count("server"), 5)
	equal(t, "compute cables to nodes and managers", e.links("compute/terminal"), [2]int64{1020, 1020})
	equal(t, "compute cables between leaves and spines", e.links("compute/tier1"), [2]int64{1024, 1024})
	if diff := cmp.Diff(map[string]int{"dgx": 1016, "manager": 4}, e.from("compute/terminal")); diff != "" {
		t.Error(diff)
	}
	uplinks := e.links("oob/uplink")[1]
	equal(t, "compute cables (2,042 in Table 8)", cables["compute"], 2044)
	equal(t, "storage cables (548 in Table 8)", cables["storage"], 546)
	equal(t, "in-band cables", cables["in-band"]+uplinks, 304)
	equal(t, "out-of-band cables (333 in Table 8)", cables["oob"]-uplinks, 322)
	for level, want := range map[string]int{"storage/terminal": 254, "in-band/terminal": 254, "oob/terminal": 127} {
		equal(t, "nodes' cables of "+level, e.from(level)["dgx"], want)
	}
	equal(t, "transceivers in nodes for computing", e.qty("nvidia-mma4z00-ns-flt"), 508)
	cages, managed := map[string]bool{}, map[string]bool{}
	for _, c := range e.cables {
		for _, end := range []string{"a", "b"} {
			if strings.HasPrefix(c[end+"_device"], "compute-") && strings.HasPrefix(c["level"], "compute/") {
				port, err := strconv.Atoi(c[end+"_port"])
				if err != nil {
					t.Fatal(err)
				}
				cages[fmt.Sprint(c[end+"_device"], " ", (port+1)/2)] = true
			}
		}
		if strings.HasPrefix(c["b_device"], "manager-") && c["level"] == "compute/terminal" {
			managed[c["a_device"]] = true
		}
	}
	equal(t, "transceivers in switches for computing", len(cages), 1536)
	equal(t, "leaves with a port of a manager", len(managed), 4)
	nodes, pdus, others := 0, 0, 0
	for name, boxes := range e.racks() {
		switch {
		case boxes["dgx"] == 0:
			others++
			equal(t, "PDUs in rack "+name, boxes["network-pdu"], 2)
		default:
			nodes++
			pdus += boxes["pdu"]
			if boxes["dgx"] > 4 || len(boxes) != 2 {
				t.Errorf("rack %s holds %v", name, boxes)
			}
		}
	}
	equal(t, "racks of nodes", nodes, 32)
	equal(t, "PDUs with nodes", pdus, 96)
	equal(t, "other racks", others, 6)
	equal(t, "racks", e.report.Racks, 38)
}

// TestSuperPODOfFewerUnits: the same, Table 4, one to three units: one system of every machine gives way to the
// managers.
func TestSuperPODOfFewerUnits(t *testing.T) {
	for units, want := range []tiers{{31, 8, 4, 252, 256}, {63, 16, 8, 508, 512}, {95, 24, 16, 764, 768}} {
		e := changed(t, "superpod-h100-4su.yaml", "name: dgx, count: 127", fmt.Sprint("name: dgx, count: ", want.nodes),
			"nodes: 128", fmt.Sprint("nodes: ", want.nodes+1))
		equal(t, "PDUs with nodes", e.count("pdu"), 24*(units+1))
		equal(t, "tiers", tiers{
			e.report.Nodes, e.count("compute-leaf"), e.count("compute-spine"), e.links("compute/terminal")[1],
			e.links("compute/tier1")[1],
		}, want)
		equal(t, "racks", e.report.Racks, 8*(units+1)+6)
	}
}

// TestB200HasTheBoxesOfTheReferenceArchitecture: NVIDIA DGX SuperPOD B200 reference architecture, component counts and
// drawings of racks. Of 128 systems one gives way to the fabric managers. There are two in-band leaves more than drawn,
// and the two SN2201 in-band leaves are left out, for reasons that the example states.
func TestB200HasTheBoxesOfTheReferenceArchitecture(t *testing.T) {
	e := plan(t, "superpod-b200.yaml")
	equal(t, "node to leaf", e.links("compute/terminal"), [2]int64{1024 - 4, 1024 - 4})
	equal(t, "leaf to spine", e.links("compute/tier1"), [2]int64{1024, 1024})
	got := map[string]int{}
	for _, b := range e.report.Boxes {
		got[b.Name] = b.Qty
	}
	if diff := cmp.Diff(map[string]int{
		"dgx": 127, "pdu": 192, "manager": 2, "storage-manager": 2, "server": 7,
		"compute-leaf": 32, "compute-spine": 16, "storage-leaf": 8, "storage-spine": 4,
		"in-band-leaf": 4, "in-band-spine": 2, "oob-leaf": 16,
	}, got); diff != "" {
		t.Error(diff)
	}
	rows := map[string]int{} // racks of nodes in every row
	for name, boxes := range e.racks() {
		if boxes["dgx"] > 0 {
			rows[name[:1]]++
			equal(t, "PDUs in rack "+name, boxes["pdu"], 3)
			if boxes["dgx"] > 2 {
				t.Errorf("rack %s holds %v", name, boxes)
			}
		}
	}
	equal(t, "rows of nodes", len(rows), 8)
	for row, racks := range rows {
		equal(t, "racks of row "+row, racks, 8)
	}
}

// switches counts the kinds of switches of a graph.
func switches(g topology.Graph) map[string]int {
	out := map[string]int{}
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			out[k.Name] = k.Count
		}
	}
	return out
}

// tiers are what a table of scalable units says: nodes, leaves, spines and the cables of both tiers.
type tiers struct {
	nodes, leaves, spines int
	terminal, tier1       int64
}

// tiersOf are those of a topology.
func tiersOf(t *testing.T, p topology.Params) tiers {
	t.Helper()
	g, err := topology.New(p)
	if err != nil {
		t.Fatal(err)
	}
	counts, kinds := topology.Count(g), switches(g)
	return tiers{counts.Nodes, kinds["leaf"], kinds["spine"], counts.ByLevel[0], counts.ByLevel[1]}
}

// TestTiersOfSuperPODTables builds the rows of the tables of component counts: NVIDIA DGX SuperPOD B200, B300 and B300
// (XDR) reference architectures.
//
// Four units of XDR have 18 spines, where 16 have the ports: the 72 uplinks of a leaf divide evenly among 18 only.
// Eighteen units are printed with 9,216 GPUs: 1,296 nodes have 10,368.
func TestTiersOfSuperPODTables(t *testing.T) {
	for _, want := range []tiers{{64, 16, 8, 512, 512}, {128, 32, 16, 1024, 1024}} {
		equal(t, "B200", tiersOf(t, topology.FatTree{Nodes: want.nodes, Radix: 64, Rails: 8}), want)
	}
	for _, want := range []tiers{
		{72, 8, 4, 576, 576},
		{144, 16, 8, 1152, 1152},
		{288, 32, 18, 2304, 2304},
		{576, 64, 36, 4608, 4608},
		{1296, 144, 72, 10368, 10368},
	} {
		equal(t, "B300, XDR", tiersOf(t, topology.FatTree{Nodes: want.nodes, Radix: 144, Rails: 8}), want)
	}
	for units := 1; units <= 16; units *= 2 { // cables count ports of 800 Gb/s, links those of 400 Gb/s
		cables := int64(512 * units)
		equal(t, "B300, Ethernet", tiersOf(t, clusters.LeafSpine{
			Nodes: 64 * units, Rails: 8, Planes: 2, Leaves: 16 * units, Down: 64, Up: 64, Spines: 8 * units,
			Radix: 128, SpineRadix: 128,
		}), tiers{64 * units, 16 * units, 8 * units, 2 * cables, 2 * cables})
	}
}

// TestB300OnTwoPlanesHasTheCountsOfTheReferenceArchitecture: NVIDIA DGX SuperPOD B300 reference architecture, one unit
// on Ethernet, each plane a fabric of its own: every cage of a system has a link to either.
func TestB300OnTwoPlanesHasTheCountsOfTheReferenceArchitecture(t *testing.T) {
	e, one := plan(t, "superpod-b300-planes.yaml"), plan(t, "superpod-b300-ethernet.yaml")
	equal(t, "nodes", e.report.Nodes, 64)
	equal(t, "leaves", e.count("plane-1-leaf")+e.count("plane-2-leaf"), 16)
	equal(t, "spines", e.count("plane-1-spine")+e.count("plane-2-spine"), 8)
	terminal, tier1 := e.links("plane-1/terminal")[1]+e.links("plane-2/terminal")[1],
		e.links("plane-1/tier1")[1]+e.links("plane-2/tier1")[1]
	equal(t, "ports of 800 Gb/s at nodes", terminal/2, 512)
	equal(t, "ports of 800 Gb/s to spines", tier1/2, 512)
	equal(t, "transceivers in nodes for computing", e.qty("optic-2x400g-osfp-rhs-sr4"), 64*8)
	planes, cages := map[string]string{}, map[string]int{} // of every cage of a node; of switches for computing
	for _, c := range e.cables {
		level, compute := strings.CutPrefix(c["level"], "plane-")
		if !compute {
			continue
		}
		for _, end := range []string{"a", "b"} {
			if name := c[end+"_port"]; strings.HasPrefix(c[end+"_device"], "plane-") {
				cages[c[end+"_device"]+" "+name[:len(name)-len("s0")]]++
			}
		}
		if strings.HasSuffix(level, "/terminal") {
			cage, lane, _ := strings.Cut(c["b_port"], "/")
			equal(t, "plane of "+c["b_label"], lane, level[:1])
			planes[c["b_device"]+" "+cage] += level[:1]
		}
	}
	equal(t, "cages of nodes", len(planes), 512)
	for cage, both := range planes {
		equal(t, "planes of "+cage, both, "12")
	}
	equal(t, "transceivers in switches for computing", len(cages), 24*64)
	equal(t, "those of one fabric of two planes", one.qty("nvidia-mma4z00-ns"), 24*64)
	for cage, links := range cages {
		equal(t, "links of "+cage, links, 2)
	}
	// What our judgement adds: whole ports of 800 Gb/s between the switches of a pair.
	for level, want := range map[string][2]int64{"storage/peer": {16, 16}, "in-band/peer": {8, 8}} {
		equal(t, level, e.links(level), want)
	}
	for _, c := range e.cables {
		if strings.HasSuffix(c["level"], "/peer") && strings.Contains(c["a_port"][3:], "s") {
			t.Errorf("%s is plugged into %s, which is broken out", c["cable_id"], c["a_port"])
		}
	}
}

// TestB300HasTheCountsOfTheReferenceArchitectures plans one unit on Ethernet and one on XDR: NVIDIA DGX SuperPOD B300
// and B300 (XDR) reference architectures. A twin-port transceiver serves two links of 400 Gb/s on Ethernet, and on XDR
// two of 800 Gb/s at switches.
func TestB300HasTheCountsOfTheReferenceArchitectures(t *testing.T) {
	e := plan(t, "superpod-b300-ethernet.yaml")
	equal(t, "nodes", e.report.Nodes, 64)
	equal(t, "leaves", e.count("leaf"), 16)
	equal(t, "spines", e.count("spine"), 8)
	equal(t, "ports of 800 Gb/s at nodes", e.links("terminal")[1]/2, 512)
	equal(t, "ports of 800 Gb/s to spines", e.links("tier1")[1]/2, 512)
	equal(t, "transceivers in nodes", e.qty("optic-2x400g-osfp-rhs-sr4"), 64*8)
	equal(t, "transceivers in switches", e.qty("nvidia-mma4z00-ns"), 24*64)
	planes := map[string]map[string]bool{} // of every cage of a node, the leaves that it leads to
	for _, c := range e.cables {
		if c["level"] == "terminal" {
			cage, _, _ := strings.Cut(c["b_port"], "/")
			if planes[c["b_device"]+"/"+cage] == nil {
				planes[c["b_device"]+"/"+cage] = map[string]bool{}
			}
			planes[c["b_device"]+"/"+cage][c["a_device"]] = true
		}
	}
	equal(t, "cages of nodes", len(planes), 512)
	for cage, leaves := range planes {
		equal(t, "leaves of "+cage, len(leaves), 2)
	}

	e = plan(t, "superpod-b300-xdr.yaml")
	equal(t, "nodes", e.report.Nodes, 72)
	equal(t, "leaves", e.count("leaf"), 8)
	equal(t, "spines", e.count("spine"), 4)
	equal(t, "node to leaf", e.links("terminal"), [2]int64{576, 576})
	equal(t, "leaf to spine", e.links("tier1"), [2]int64{576, 576})
	equal(t, "transceivers in nodes", e.qty("optic-800g-osfp-rhs-dr4"), 576)
	equal(t, "transceivers in switches", e.qty("optic-2x800g-osfp-dr4"), 12*72)
	nodes := 0
	for name, boxes := range e.racks() {
		if boxes["node"] > 0 {
			nodes++
			equal(t, "nodes in rack "+name, boxes["node"], 4)
		}
	}
	equal(t, "racks of nodes", nodes, 18)
}
