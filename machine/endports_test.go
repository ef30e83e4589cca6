package machine_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// endsOnOneGroup has an end on a part whose ports are left to the test.
const endsOnOneGroup = `
name: ends without ports
boxes:
- {name: srv, count: 2, part: generic-server-1u}
- {name: cdu, count: 2, part: cdu, role: service}
fabrics:
- name: oob
  topology: {family: access, switches: 1}
  ends: [{boxes: srv, ports: bmc}, {boxes: cdu}]
  switches: {switch: {part: nvidia-sn2201, place: in-rack}}
parts:
- {id: cdu, kind: node, units: 10, width: 44 cm, depth: 80 cm, power: 1 kW, PORTS}
`

// TestEndsOnTheOnlyGroup: the mark by_name of a part's only group of ports changes nothing, on any type of part.
func TestEndsOnTheOnlyGroup(t *testing.T) {
	same := func(plain, marked *machine.Result) {
		t.Helper()
		got := strings.ReplaceAll(asJSON(t, marked.Report()), `"by_name":true,`, "")
		if got = strings.ReplaceAll(got, `,"by_name":true`, ""); got != asJSON(t, plain.Report()) {
			t.Error("by_name makes another plan")
		}
	}
	for _, name := range []string{"", "name: mgmt, "} {
		group := "ports: [{" + name + "count: 1, connector: rj45, rate: 1G, label: mgmt"
		plain := buy(t, strings.Replace(endsOnOneGroup, "PORTS", group+"}]", 1))
		marked := buy(t, strings.Replace(endsOnOneGroup, "PORTS", group+", by_name: true}]", 1))
		if links := marked.Report().Links; links != 4 {
			t.Errorf("%d links, want 4", links)
		}
		same(plain, marked)
	}
	const one = `
topology: {family: leaf-spine, nodes: 8, down: 8, up: 2, spines: 1}
packaging: {node: {part: n, per_rack: 4}}
parts:
- {id: n, kind: node, units: 1, width: 44 cm, depth: 80 cm, ports: [{count: 1, connector: qsfp112, rate: 400G MARK}]}
`
	same(buy(t, strings.Replace(one, "MARK", "", 1)), buy(t, strings.Replace(one, "MARK", ", by_name: true", 1)))
}

// TestEndsWithoutPorts: an end that reaches no port is a mistake at its line.
func TestEndsWithoutPorts(t *testing.T) {
	group := func(more string) string { return "{count: 1, connector: rj45, rate: 1G, by_name: true" + more + "}" }
	for _, c := range []struct{ ports, hint string }{
		{"ports: [" + group("") + ", " + group(", first: 2") + "]", "every group of ports of cdu has by_name"},
		{
			"ports: [" + group(", name: a") + ", " + group(", name: b, first: 2") + "]",
			"name a group of ports of cdu: a and b",
		},
	} {
		_, err := machine.Parse("m.yaml", []byte(strings.Replace(endsOnOneGroup, "PORTS", c.ports, 1)))
		const at = "m.yaml:9:36: fabrics[0].ends[1].ports: missing"
		if err == nil || !strings.Contains(err.Error(), at) || !strings.Contains(err.Error(), c.hint) {
			t.Errorf("%s:\n%v\nwant %s, %s", c.ports, err, at, c.hint)
		}
	}
}

// TestCountsLeftOutBesideOwned: boxes beside the units of racks without a count are as many as the racks of the plan
// take, regardless of what stands there already and wherever it stands.
func TestCountsLeftOutBesideOwned(t *testing.T) {
	plan := func(t *rapid.T, text string) *machine.Result {
		s, err := machine.Parse("m.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		return r
	}
	path, unsettled := filepath.Join(t.TempDir(), "placement.csv"), 0
	defer func() {
		if unsettled > 10 {
			t.Errorf("%d plans whose boxes have to be counted by hand", unsettled)
		}
	}()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(what string, least, most int) int { return rapid.IntRange(least, most).Draw(t, what) }
		network := rapid.Bool().Draw(t, "racks of the network")
		text := func(when string, pdus, mgmt bool) string {
			racks, pdu, end := "", "", "{boxes: srv, ports: bmc}"
			if network {
				racks = "racks: net, "
			}
			if pdus {
				pdu = "- {name: pdu, role: service, part: generic-pdu-0u, per_rack: 2}\n"
				if mgmt && network {
					pdu += "- {name: net-pdu, role: service, part: generic-pdu-0u, racks: net, per_rack: 1}\n"
				}
				end += `, {boxes: "*", ports: network}`
			}
			return fmt.Sprintf(`
boxes:
- {name: srv, count: %d, part: generic-server-1u, per_rack: %d}
%sfabrics:
- name: oob
  topology: {family: access, down: 10}
  ends: [%s]
  switches: {switch: {part: nvidia-sn2201, %sper_rack: %d}}
`, draw("servers "+when, 1, 20), draw("per rack "+when, 1, 8), pdu, end, racks, draw("switches "+when, 1, 3))
		}
		mgmt := rapid.Bool().Draw(t, "own kind for the network")
		old := plan(t, text("before", rapid.Bool().Draw(t, "PDUs before"), mgmt))
		var table bytes.Buffer
		if err := embed.WriteCSV(context.Background(), &table, old.Graph, old.Schedule.Naming.Boxes,
			old.Placement); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, table.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := machine.Parse("m.yaml", []byte(text("after", true, mgmt)+"owned: {placement: "+path+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			if strings.Contains(err.Error(), "no number of boxes fits that of the racks") {
				unsettled++
				return
			}
			t.Fatalf("%v", err)
		}
		count := map[int32]map[string]int{}
		for _, k := range r.Schedule.Kinds {
			for v := k.First; v < k.First+k.Count; v++ {
				rack := r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])
				if count[rack] == nil {
					count[rack] = map[string]int{}
				}
				count[rack][k.Name]++
			}
		}
		for _, rack := range r.Placement.Racks {
			n := count[rack.Place]
			if !(n["pdu"] == 2 && n["net-pdu"] == 0 || n["pdu"] == 0 && n["net-pdu"] == 1) {
				t.Errorf("rack at %d, %q, has %v; %v", rack.Place, rack.Name, n, count)
			}
		}
	})
}

// TestPortsByNameAreTold: a node whose ports are all used by name only has none for a topology, and the violation names
// the groups that were left out.
func TestPortsByNameAreTold(t *testing.T) {
	const text = `
topology: {family: torus, dims: 4}
packaging: {node: {part: n}}
parts:
  - {id: n, kind: node, units: 1, ports: [{name: a, count: 2, connector: qsfp112, rate: 400G, by_name: true},
     {name: b, count: 2, connector: qsfp112, rate: 400G, by_name: true}]}
`
	all := buyAny(t, text).Violations.List()
	want := "a node has up to 2 links, but n has 0 ports besides those of a and b, which are by_name: used only where" +
		" the machine file names them under ports"
	if len(all) == 0 || all[0].Message != want {
		t.Errorf("got %+v, want %s", all, want)
	}
}
