package verify

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
)

// snapshotPort are the tags that opareport asks for of a port, whose values say nothing of links.
const snapshotPort = "M_Key SubnetPrefix SMLID CapabilityMask CapabilityMask3 DiagCode Lease " +
	"PortState_Int InitReason_Int PhysState_Int PortType_Int LMC Protect_Int LinkWidthEnabled_Int " +
	"LinkWidthSupported_Int LinkWidthActive_Int LinkWidthDowngradeEnabled_Int LinkWidthDowngradeSupported_Int " +
	"LinkWidthDowngradeTxActive_Int LinkWidthDowngradeRxActive_Int PortLinkMode_Int LinkSpeedEnabled_Int " +
	"LinkSpeedSupported_Int LinkSpeedActive_Int MTUSupported SMSL VLsActive_Int VLsSupported_Int VLArbHighLimit " +
	"VLArbHighCap VLArbLowCap VLFlowControlDisabledMask"

// snapshotNode are those of a node, and snapshotSwitch more of a switch.
const snapshotNode = "BaseVersion ClassVersion SystemImageGUID PartitionCap DeviceID Revision VendorID"

const snapshotSwitch = "LinearFDBCap MulticastFDBCap LinearFDBTop MulticastFDBTop LifeTimeValue_Int PortStateChange " +
	"PartitionEnforcementCap U2 CapabilityMask RoutingModeSupported RoutingModeEnabled PortGroupCap PortGroupTop"

// snapshot is a fabric as opareport -o snapshot keeps one: a node for each switch and for each adapter of a box.
func snapshot(w *exchange.Wiring) string {
	type device struct{ box, adapter int }
	guid := func(d device) string { return fmt.Sprintf("0x%08x%08x", d.box+1, d.adapter) }
	tags := func(names string) string {
		var b strings.Builder
		for _, tag := range strings.Fields(names) {
			fmt.Fprintf(&b, "<%s>0</%s>\n", tag, tag)
		}
		return b.String()
	}
	onPort, onNode := tags(snapshotPort), tags(snapshotNode)
	var order []device
	ports := map[device][]string{}
	at := func(e exchange.End) (device, string) {
		d, port := device{e.Box, 0}, e.Port
		if w.Boxes[e.Box].Role != "switch" {
			n, _ := strconv.Atoi(e.Port)
			d.adapter, port = n, "1"
		}
		if ports[d] == nil {
			order = append(order, d)
			if d.adapter == 0 {
				ports[d] = []string{"0"}
			}
		}
		return d, port
	}
	var links strings.Builder
	for _, l := range w.Links {
		a, portA := at(l.A)
		ports[a] = append(ports[a], portA)
		b, portB := at(l.B)
		ports[b] = append(ports[b], portB)
		fmt.Fprintf(&links, "<Link id=\"%s:%s\">\n", guid(a), portA)
		fmt.Fprintf(&links, "<From><NodeGUID>%s</NodeGUID><PortNum>%s</PortNum></From>\n", guid(a), portA)
		fmt.Fprintf(&links, "<To><NodeGUID>%s</NodeGUID><PortNum>%s</PortNum></To>\n</Link>\n", guid(b), portB)
	}
	var out strings.Builder
	out.WriteString(`<?xml version="1.0" encoding="utf-8" ?>
<Snapshot date="Mon Nov 23 05:24:26 2026" unixtime="1795411466" options="" stats="0" routes="0" vltables="0" ` +
		"qosdata=\"0\" mcgroups=\"0\">\n<Nodes>\n")
	for i, d := range order {
		name, kind := w.Boxes[d.box].Name, 2
		if d.adapter > 0 {
			name, kind = fmt.Sprintf("%s hfi1_%d", name, d.adapter-1), 1
		}
		fmt.Fprintf(&out, "<Node id=%q>\n<NodeGUID>%s</NodeGUID>\n<NodeType_Int>%d</NodeType_Int>\n"+
			"<NodeDesc>%s</NodeDesc>\n<NumPorts>%d</NumPorts>\n%s", guid(d), guid(d), kind, name,
			max(w.Boxes[d.box].Ports, 1), onNode)
		if kind == 2 {
			fmt.Fprintf(&out, "<SwitchInfo id=%q>\n<LID>%d</LID>\n%s</SwitchInfo>\n", guid(d), i+1,
				tags(snapshotSwitch))
		}
		for _, port := range ports[d] {
			own, lid := guid(d), i+1
			if d.adapter == 0 && port != "0" {
				own, lid = "0", 0
			}
			fmt.Fprintf(&out, "<PortInfo id=\"%s:%s\">\n<PortNum>%s</PortNum>\n<GUID>%s</GUID>\n"+
				"<EndPortLID>%d</EndPortLID>\n<LID>%d</LID>\n"+
				"<MTUs></MTUs>\n<VLStalls></VLStalls>\n<HoQLifes><HoQLife_Int VL=\"0\">0</HoQLife_Int></HoQLifes>\n"+
				"%s</PortInfo>\n", guid(d), port, port, own, lid, lid, onPort)
		}
		out.WriteString("</Node>\n")
	}
	out.WriteString("</Nodes>\n<Links>\n" + links.String() + "</Links>\n<SMs>\n</SMs>\n</Snapshot>\n")
	return out.String()
}

// TestFaultsInAnOmniPathFabric has opareport and opaextractlink report the links of a fabric with faults, from a
// snapshot of it, and finds these.
func TestFaultsInAnOmniPathFabric(t *testing.T) {
	needs(t, "opareport", "opaextractlink")
	r := plan(t, tree)
	for _, program := range [][]string{
		{"opareport", "-x", "-Q", "-o", "links", "-X"}, {"opaextractlink", "-X"},
	} {
		for seed := range uint64(3) {
			p, w := planned(t, r, "")
			want := inject(p, w, 12, rand.New(rand.NewPCG(seed, 5)))
			dir := t.TempDir()
			path := filepath.Join(dir, "snapshot.xml")
			if err := os.WriteFile(path, []byte(snapshot(w)), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), program[0], append(program[1:], path)...)
			var wrong bytes.Buffer
			cmd.Stderr = &wrong
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%.2000s", err, &wrong)
			}
			path = filepath.Join(dir, "links")
			if err := os.WriteFile(path, out, 0o666); err != nil {
				t.Fatal(err)
			}
			found, err := exchange.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(found.Links) != len(w.Links) {
				t.Fatalf("%s reports %d links of %d", program[0], len(found.Links), len(w.Links))
			}
			got := p.Compare([]*exchange.Wiring{found})
			same(t, got, want, plainly)
			if len(got.Notes)+len(got.Strangers) > 0 {
				t.Error(got.Notes, got.Strangers)
			}
			if program[0] == "opaextractlink" {
				break // a script, which takes seconds
			}
		}
	}
}
