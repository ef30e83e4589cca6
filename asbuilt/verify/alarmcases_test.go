package verify

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
)

// TestSuperPODByDeviceNames finds every link of the SuperPOD's compute fabric in a discovery with the names of the
// adapters of a DGX by what they are called, as the fabric writes it and shuffled by hosts.
func TestSuperPODByDeviceNames(t *testing.T) {
	r := planFile(t, "../../examples/superpod-h100-compute.yaml")
	p, err := NewPlan(r, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := exchange.PlannedAdapters(r, "")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := exchange.WriteIBNetDiscover(t.Context(), &text, w); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "fabric.txt")
	records := strings.Split(strings.TrimSpace(text.String()), "\n\n")
	if !strings.Contains(text.String(), ` mlx5_11"`) {
		t.Errorf("no adapter is called after its device")
	}
	for range 2 {
		if err := os.WriteFile(path, []byte(strings.Join(records, "\n\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		found, err := exchange.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		got := p.Compare([]*exchange.Wiring{found})
		boxes, ports := got.Identification.Guesses()
		if !asPlanned(p, got) || boxes+ports > 0 || len(got.Moves) > 0 || got.Identification.Unidentified > 0 ||
			got.Identification.Ports[identity.ByDevice] != 1016 {
			t.Errorf("%d right of %d, %d differences, %+v", got.Right, len(p.links), len(got.Differences),
				got.Identification)
		}
		slices.Reverse(records)
	}
}

// TestCablesThatAreNotLaid has a table of which no cable is laid: all of them are missing, and of what the table does
// not list nothing is known. So are cables of NetBox that are being decommissioned.
func TestCablesThatAreNotLaid(t *testing.T) {
	p := alarmPlan(t, alarmSystem(alarmSystems["Ethernet#"]))
	rows := [][]string{{"a_device", "a_port", "b_device", "b_port", "done"}}
	cables := [][]string{{
		"side_a_device", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name", "status",
	}}
	listed := 0
	for i := range p.links {
		a, b := p.end(p.links[i].a), p.end(p.links[i].b)
		if a.Box == "leaf-01" || b.Box == "leaf-01" {
			listed++
			rows = append(rows, []string{a.Box, a.Port, b.Box, b.Port, "not yet"})
			cables = append(cables, []string{
				a.Box, "dcim.interface", a.Port, b.Box, "dcim.interface", b.Port, "decommissioning",
			})
		}
	}
	for name, text := range map[string]string{"undone.csv": table(',', rows), "cables.csv": table(',', cables)} {
		m := newBuilt(p, 1)
		got := p.Compare(m.read(t, t.TempDir(), map[string]string{name: text}))
		// The spines and hosts of the table are listed as well, and so are all of their links.
		missing := 0
		for _, d := range got.Differences {
			if d.Kind != Missing || d.Confidence != Certain {
				t.Errorf("%+v", d)
			}
			missing++
		}
		if got.Right != 0 || got.OK || missing < listed || missing+got.Unknown != len(p.links) {
			t.Errorf("%s: %d missing of %d, %d unknown of %d", name, missing, listed, got.Unknown, len(p.links))
		}
	}
}

// TestLinksWithoutPorts has sources that tell boxes and no port at either end: as many of the planned links are there
// as a source tells, and no more, whether the far end tells the same again or not.
func TestLinksWithoutPorts(t *testing.T) {
	p := alarmPlan(t, `
topology: {family: leaf-spine, nodes: 4, down: 2, up: 4, spines: 2}
names: {boxes: {leaf: "leaf_{n}", spine: "spine_{n}", node: "gpu_{n}"}}
`)
	var lines []string
	for i := range p.links {
		lines = append(lines, "- "+p.end(p.links[i].a).Box+"-"+p.end(p.links[i].b).Box)
	}
	text := func(lines []string) string {
		out := "provider: clab\nnodes:\n"
		for v := range int32(len(p.first) - 1) {
			out += "  " + p.schedule.Device(v) + ": {}\n"
		}
		return out + "links:\n" + strings.Join(lines, "\n") + "\n"
	}
	m := newBuilt(p, 1)
	all := m.read(t, t.TempDir(), map[string]string{"a.yml": text(lines)})
	for _, sources := range [][]*exchange.Wiring{all, append(all, all...)} {
		if got := p.Compare(sources); !got.OK || got.Right != len(p.links) || got.Unknown > 0 || len(got.Moves) > 0 {
			t.Errorf("%d right of %d, %+v, %v", got.Right, len(p.links), got.Differences, got.Notes)
		}
	}
	less := m.read(t, t.TempDir(), map[string]string{"a.yml": text(slices.Clone(lines[:len(lines)-1]))})
	got := p.Compare(less)
	if got.Right != len(p.links)-1 || !got.OK || got.Unknown != 1 { // which it is stays unknown
		t.Errorf("%d right of %d, %+v", got.Right, len(p.links), got.Differences)
	}
}

// TestNamesOfOtherPorts has hosts tell of a link to the right box from a port that the plan does not have, or by
// nothing that names a port, and of the switch its address alone: it is as planned where no name says otherwise,
// and unknown where one does, never right or missing.
func TestNamesOfOtherPorts(t *testing.T) {
	const machine = `
topology: {family: leaf-spine, nodes: 2, down: 2, up: 1, spines: 1}
packaging: {node: {part: host}, leaf: {part: switch}, spine: {part: switch}}
names: {boxes: {leaf: "leaf-{n:03}", spine: "spine-{n:03}", node: "gpu-{n:03}"}}
parts:
  - {id: host, kind: node, units: 1, width: 44 cm, depth: 80 cm, power: 450 W,
     ports: [{count: 1, connector: qsfp28, rate: 100G%s}]}
  - {id: switch, kind: switch, units: 1, width: 44 cm, depth: 60 cm, power: 500 W, hop: 500 ns,
     ports: [{count: 32, connector: qsfp28, rate: 100G}]}
`
	for _, c := range []struct {
		names, port string
		right       bool
	}{
		{", interface: [enp65s0np0]", "enp65s0np0", true},
		{", interface: [enp65s0np0]", "enp3s0f0", false},
		{", interface: [enp65s0np0]", "1", true}, // the label
		{", interface: [enp65s0np0]", "2", false},
		{", device: [mlx5_0]", "enp3s0f0", false},
		{`, label: "OSFP#"`, "enp3s0f0", false},
		{"", "enp3s0f0", true}, // nothing on the box has a name
		{"", "1", true},
		{"", "2", false},
	} {
		p := alarmPlan(t, fmt.Sprintf(machine, c.names))
		text := `{"lldp": {"interface": {"` + c.port + `": {"chassis": {"leaf-001": {}},
			"port": {"id": {"type": "mac", "value": "02:00:00:00:00:01"}}}}}}`
		got := p.Compare([]*exchange.Wiring{read(t, "gpu-001.json", text)})
		right := map[bool]int{true: 1}[c.right]
		if !got.OK || got.Right != right || got.Unknown != len(p.links)-right || len(got.Moves) > 0 {
			t.Errorf("%q with port %q: %d right, %d unknown, %+v", c.names, c.port, got.Right, got.Unknown,
				got.Differences)
		}
	}
}
