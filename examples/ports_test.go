package examples_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/elevation"
)

// TestPortsAreStable adds nodes to the SuperPOD, one to a leaf that has room and
// then enough for another unit of leaves, and compares the schedules: no cable
// that was there before changes a port at either end.
func TestPortsAreStable(t *testing.T) {
	data, err := examples.Files.ReadFile("superpod-h100-compute.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ends := func(nodes string) map[string]bool {
		// The figures that the rules start from are fixed, as for a machine that grows.
		text := strings.Replace(string(data), "nodes: 127", "down: 32\n  up: 32\n  spines: 16\n  nodes: "+nodes, 1)
		spec, err := machine.Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := render.Cables(context.Background(), &out, r); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column := map[string]int{}
		for i, name := range rows[0] {
			column[name] = i
		}
		set, labels := map[string]bool{}, map[string]bool{}
		for _, row := range rows[1:] {
			var key []string
			for _, name := range []string{"a_device", "a_port", "b_device", "b_port"} {
				key = append(key, row[column[name]])
			}
			set[strings.Join(key, " ")] = true
			labels[row[column["a_label"]]], labels[row[column["b_label"]]] = true, true
		}
		if len(set) != len(rows)-1 || len(labels) != 2*len(set) {
			t.Errorf("%d cables, %d different, %d labels", len(rows)-1, len(set), len(labels))
		}
		return set
	}
	before := ends("100")
	for _, more := range []string{"101", "127"} {
		after := ends(more)
		for cable := range before {
			if !after[cable] {
				t.Errorf("%s nodes: the cable %s is moved", more, cable)
				break
			}
		}
		if len(after) <= len(before) {
			t.Errorf("%s nodes: %d cables, %d before", more, len(after), len(before))
		}
	}
}

// TestRailsTakeTheSamePorts checks the rules that docs/cabling.md states for
// trees, on the SuperPOD: node n of a unit is in port n of each of its leaves,
// rail r is port r of the node and the r-th leaf of the unit, and the uplinks of a
// leaf go to the spines in order.
func TestRailsTakeTheSamePorts(t *testing.T) {
	e := plan(t, "superpod-h100-compute.yaml")
	ports := map[string]map[string]bool{} // of the leaves that a node is on
	last := map[string][2]int{}           // of each leaf: port and spine of the uplink before
	number := func(text string) int {
		n, err := strconv.Atoi(strings.TrimLeft(text, "NLFSP"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range e.cables {
		switch c["level"] {
		case "terminal":
			node, leaf := number(c["b_device"]), number(c["a_device"])
			if ports[c["b_device"]] == nil {
				ports[c["b_device"]] = map[string]bool{}
			}
			ports[c["b_device"]][c["a_port"]] = true
			equal(t, "port of the leaf", number(c["a_port"]), (node-1)%32+1)
			rail := (leaf - 1) % 8 // two ports share a cage
			equal(t, "port of the node", c["b_port"], fmt.Sprintf("OSFP%dP%d", rail/2+1, rail%2+1))
		case "tier1":
			port, spine := number(c["a_port"]), number(c["b_device"])
			if before, ok := last[c["a_device"]]; ok && (port <= before[0] || spine < before[1]) {
				t.Errorf("%s: port %d leads to spine %d after port %d to spine %d", c["a_device"], port, spine,
					before[0], before[1])
			}
			last[c["a_device"]] = [2]int{port, spine}
		}
	}
	for node, on := range ports {
		if len(on) != 1 {
			t.Errorf("%s is in ports %v of its leaves", node, on)
		}
	}
	equal(t, "nodes", len(ports), 127)
	equal(t, "leaves", len(last), 32)
}

// testPorts holds the ports of plan.json and of the drawings of racks against the rows of ports.csv: as many in all,
// and as many with a cable, but for those at the ends of traces.
func (e *example) testPorts(t *testing.T) {
	ports, cabled := portRows(t, e.Result)
	traces := int64(0)
	for i := range e.Schedule.Segments {
		if e.Schedule.Segments[i].Product == cabling.IsTrace {
			traces++
		}
	}
	total, used := int64(0), int64(0)
	for device, n := range ports {
		total, used = total+n, used+cabled[device]
	}
	equal(t, "ports in all", e.report.Ports.Total, total)
	equal(t, "ports in use", e.report.Ports.Used, used+2*traces)
	if e.Room() == nil {
		return
	}
	for _, rack := range elevation.Of(e.Result) {
		for _, m := range rack.Stack {
			if n, listed := ports[m.What]; listed && (int64(m.Ports) != n || int64(m.Used) != cabled[m.What]) {
				t.Errorf("%s is drawn with %d of %d ports in use, and ports.csv lists %d of %d", m.What, m.Used,
					m.Ports, cabled[m.What], n)
			}
		}
	}
}

// portRows counts the rows of ports.csv by device, and those with a cable.
func portRows(t *testing.T, r *machine.Result) (ports, cabled map[string]int64) {
	t.Helper()
	var out bytes.Buffer
	if err := render.Ports(context.Background(), &out, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	device, cable := slices.Index(rows[0], "device"), slices.Index(rows[0], "cable_id")
	ports, cabled = map[string]int64{}, map[string]int64{}
	for _, row := range rows[1:] {
		ports[row[device]]++
		if row[cable] != "" {
			cabled[row[device]]++
		}
	}
	return ports, cabled
}

// TestPortsOfSplitSwitches: a switch whose ports are broken out into two has 128 of them beside three others, of which
// the plan uses those of a few cages, one lane of the last cage not.
func TestPortsOfSplitSwitches(t *testing.T) {
	for _, up := range []int{4, 3} {
		spec, err := machine.Parse("m.yaml", []byte(fmt.Sprintf(`
boxes: [{name: n, count: 8, part: generic-node-1u}]
fabrics:
  - name: eth
    topology: {family: leaf-spine, down: 8, up: %d, spines: 1}
    ends: [{boxes: n}]
    switches: {switch: {part: nvidia-sn5610, breakout: 2}}
`, up)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		ports, cabled := portRows(t, r)
		for device, used := range map[string]int64{"eth-leaf-1": 8 + int64(up), "eth-spine-1": int64(up)} {
			equal(t, "ports of "+device, ports[device], 2*64+3)
			equal(t, "ports in use of "+device, cabled[device], used)
		}
		scheduled(t, r).testPorts(t)
	}
}
