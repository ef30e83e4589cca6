package examples_test

import (
	"bytes"
	"context"
	"encoding/csv"
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
		systems  int
		plan     *example
		bill     map[string]int64
		fibres   int64 // of the table
		aoc      map[string]int
		uplinks  int64
		products int64
	}{
		{
			8, plan(t, "basepod.yaml"),
			map[string]int64{
				"nvidia-dgx-b200": 8, "generic-server-1u": 5, "generic-pdu-1u": 12,
				"nvidia-qm9700": 2, "nvidia-sn2201": 2, "nvidia-sn4600c": 2,
				"fibre-mm-mpo12-apc": 64, "nvidia-mma4z00-ns-flt": 32, "nvidia-mma4z00-ns": 32, "nvidia-mcp4y10": 16,
				"cat6-rj45": 45, "dac-100g-qsfp28": 2, "aoc-100g-qsfp28": 16 + 4 + 10,
			},
			32,
			map[string]int{"dgx": 16, "server": 10},
			4, 12,
		},
		{
			4, changed(t, "basepod.yaml", "name: dgx, count: 8", "name: dgx, count: 4", "name: pdu, count: 12",
				"name: pdu, count: 8", "peer_links: 32", "peer_links: 16"),
			map[string]int64{
				"nvidia-dgx-b200": 4, "generic-server-1u": 5, "generic-pdu-1u": 8,
				"nvidia-qm9700": 2, "nvidia-sn2201": 1, "nvidia-sn4600c": 2,
				"fibre-mm-mpo12-apc": 32, "nvidia-mma4z00-ns-flt": 16, "nvidia-mma4z00-ns": 16, "nvidia-mcp4y10": 8,
				"cat6-rj45": 29, "dac-100g-qsfp28": 2, "aoc-100g-qsfp28": 8 + 2 + 10,
			},
			16,
			map[string]int{"dgx": 8, "server": 10},
			2, 8,
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
	census, kinds := topology.Count(g), switches(g)
	return tiers{census.Nodes, kinds["leaf"], kinds["spine"], census.ByLevel[0], census.ByLevel[1]}
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
