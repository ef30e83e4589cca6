package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
)

// imported imports a device type with these interfaces, each a mapping in flow style.
func imported(t interface{ Fatal(...any) }, maker string, interfaces []string) (*catalog.Part, string) {
	text := "manufacturer: " + maker + "\nmodel: X\nslug: x\nu_height: 1\nweight: 1\nweight_unit: kg\ninterfaces:\n"
	for _, x := range interfaces {
		text += "  - {" + x + "}\n"
	}
	part, remarks, err := catalog.ImportDevice([]byte(text), "x.yaml", catalog.KindSwitch)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, r := range remarks {
		fmt.Fprintln(&said, r.Error())
	}
	return part, said.String()
}

// series are interfaces of a type with a name for each number.
func series(name string, from, step, count int, kind string) (out []string) {
	for i := range count {
		out = append(out, fmt.Sprintf("name: '"+name+"', type: %s", from+i*step, kind))
	}
	return out
}

// TestImportNames imports the interface names of several systems: as printed names and as those of the operating
// system, by patterns where there are any, with the names of broken out ports where the system is known by them.
func TestImportNames(t *testing.T) {
	const dd, qsfp = "400gbase-x-qsfpdd", "100gbase-x-qsfp28"
	for name, c := range map[string]struct {
		maker      string
		interfaces []string
		want       []catalog.PortGroup
	}{
		"EOS": {"Arista", slices.Concat(
			series("Ethernet%d/1", 1, 1, 4, dd), series("Ethernet%d", 5, 1, 2, "10gbase-x-sfpp"),
			[]string{"name: Management1, type: 1000base-t, mgmt_only: true", "name: Vlan1, type: virtual"},
		), []catalog.PortGroup{
			{
				Count: 4, Connector: "qsfp-dd", Rate: 400, Label: "Ethernet#/1", Interface: []string{"Ethernet#/1"},
				Split: "Ethernet#/{lane/8}", InterfaceSplit: "Ethernet#/{lane/8}",
			},
			{Count: 2, First: 5, Connector: "sfp+", Rate: 10, Label: "Ethernet#", Interface: []string{"Ethernet#"}},
			{
				Name: "management", Count: 1, Connector: "rj45", Rate: 1, ByName: true, Label: "Management1",
				Interface: []string{"Management1"},
			},
		}},
		"EOS in modules": {"Arista", series("Ethernet3/%d/1", 1, 1, 3, dd), []catalog.PortGroup{
			{
				Count: 3, Connector: "qsfp-dd", Rate: 400, Label: "Ethernet3/#/1",
				Interface: []string{"Ethernet3/#/1"}, Split: "Ethernet3/#/{lane/8}",
				InterfaceSplit: "Ethernet3/#/{lane/8}",
			},
		}},
		"NX-OS": {"Cisco", series("Ethernet1/%d", 49, 1, 3, qsfp), []catalog.PortGroup{
			{
				Count: 3, First: 49, Connector: "qsfp28", Rate: 100, Label: "Ethernet1/#",
				Interface: []string{"Ethernet1/#"}, Split: "Ethernet1/#/{lane}",
				InterfaceSplit: "Ethernet1/#/{lane}",
			},
		}},
		"of a maker that is not known": {"Maker", series("Ethernet1/%d", 1, 1, 3, qsfp), []catalog.PortGroup{
			{Count: 3, Connector: "qsfp28", Rate: 100, Label: "Ethernet1/#", Interface: []string{"Ethernet1/#"}},
		}},
		"Junos": {"Juniper", series("et-0/0/%d", 0, 1, 3, dd), []catalog.PortGroup{
			{
				Count: 3, Connector: "qsfp-dd", Rate: 400, Label: "et-0/0/{n0}", Interface: []string{"et-0/0/{n0}"},
				Split: "et-0/0/{n0}:{lane0}", InterfaceSplit: "et-0/0/{n0}:{lane0}",
			},
		}},
		"SR Linux": {"Nokia", series("ethernet-1/%d", 1, 1, 3, dd), []catalog.PortGroup{
			{
				Count: 3, Connector: "qsfp-dd", Rate: 400, Label: "ethernet-1/#",
				Interface: []string{"ethernet-1/#"}, Split: "ethernet-1/#/{lane}",
				InterfaceSplit: "ethernet-1/#/{lane}",
			},
		}},
		"Cumulus": {"NVIDIA", series("swp%d", 1, 1, 3, qsfp), []catalog.PortGroup{
			{
				Count: 3, Connector: "qsfp28", Rate: 100, Label: "swp#", Interface: []string{"swp#"},
				Split: "swp#s{lane0}", InterfaceSplit: "swp#s{lane0}",
			},
		}},
		"SONiC": {"Maker", series("Ethernet%d", 0, 8, 3, dd), []catalog.PortGroup{
			{
				Count: 3, Connector: "qsfp-dd", Rate: 400, Label: "Ethernet{n0*8}",
				Interface: []string{"Ethernet{n0*8}"}, Split: "Ethernet{n0*8+lane0/8}",
				InterfaceSplit: "Ethernet{n0*8+lane0/8}",
			},
		}},
		"with labels": {"Cisco", []string{
			"name: GigabitEthernet0/1, label: '1', type: 10gbase-t",
			"name: GigabitEthernet0/2, label: '2', type: 10gbase-t",
			"name: iDRAC 1, label: mgmt, type: 1000base-t, mgmt_only: true",
		}, []catalog.PortGroup{
			{Count: 2, Connector: "rj45", Rate: 10, Interface: []string{"GigabitEthernet0/#"}},
			{
				Name: "management", Count: 1, Connector: "rj45", Rate: 1, ByName: true, Label: "mgmt",
				Interface: []string{"iDRAC 1"},
			},
		}},
		"with labels that are alike": {"Cisco", []string{
			"name: NIC 1, label: port, type: 10gbase-t", "name: NIC 2, label: port, type: 10gbase-t",
		}, []catalog.PortGroup{
			{Count: 2, Connector: "rj45", Rate: 10, Label: "NIC-#", Interface: []string{"NIC #"}},
		}},
		"two kinds of ports for management": {"Cisco", []string{
			"name: eth0, type: 10gbase-t", "name: m0, type: 1000base-t, mgmt_only: true",
			"name: m1, type: 1000base-x-sfp, mgmt_only: true", "name: m2, type: 1000base-t, mgmt_only: true",
		}, []catalog.PortGroup{
			{Count: 1, Connector: "rj45", Rate: 10, Label: "eth0", Interface: []string{"eth0"}},
			{
				Name: "management", Count: 2, Connector: "rj45", Rate: 1, ByName: true, Label: "m{n0*2}",
				Interface: []string{"m{n0*2}"},
			},
			{
				Name: "management-2", Count: 1, Connector: "sfp", Rate: 1, ByName: true, Label: "m1",
				Interface: []string{"m1"},
			},
		}},
	} {
		part, said := imported(t, c.maker, c.interfaces)
		if diff := cmp.Diff(c.want, part.Ports); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if strings.Contains(said, "incomplete") || strings.Contains(said, "not kept") {
			t.Errorf("%s: %s", name, said)
		}
	}
}

// TestImportOddNames holds that names that cannot be names of ports are said and not made up.
func TestImportOddNames(t *testing.T) {
	part, said := imported(t, "m", []string{
		"name: 'Ethernet{module}/1', type: 10gbase-t", "name: 'eth;1', type: 10gbase-t", "name: eth2, type: 10gbase-t",
		"name: " + strings.Repeat("e", 65) + ", type: 10gbase-t",
	})
	want := []catalog.PortGroup{{Count: 4, Connector: "rj45", Rate: 10, Interface: []string{"", "", "eth2", ""}}}
	if diff := cmp.Diff(want, part.Ports); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{
		"x.yaml:8:5: the name Ethernet{module}/1 depends on the bay of a module and is not kept\n",
		"x.yaml:9:5: the name eth;1 has characters that names of ports do not and is not kept\n",
		" has more than 64 characters and is not kept\n",
	} {
		if !strings.Contains(said, text) {
			t.Errorf("%q is not in\n%s", text, said)
		}
	}
	if strings.Contains(said, "incomplete") {
		t.Error(said)
	}
}

// TestImportPartsBesidePorts holds that the parts of ports are not called as the ports of a later group are.
func TestImportPartsBesidePorts(t *testing.T) {
	part, said := imported(t, "Cisco", []string{
		"name: Ethernet0, type: 100gbase-x-qsfp28", "name: Ethernet4, type: 100gbase-x-qsfp28",
		"name: Ethernet2, type: 10gbase-t", "name: Ethernet3, type: 10gbase-t",
	})
	if strings.Contains(said, "incomplete") {
		t.Error(said)
	}
	for i, g := range part.Ports {
		if g.InterfaceSplit != "" {
			t.Errorf("parts of ports of group %d are called %s", i, g.InterfaceSplit)
		}
	}
}

// TestImportKeepsEveryName holds that every port is called as its interface, however the names are written down.
func TestImportKeepsEveryName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := map[string]string{"100gbase-x-qsfp28": "qsfp28", "400gbase-x-qsfpdd": "qsfp-dd", "10gbase-t": "rj45"}
		form := rapid.SampledFrom([]string{
			"swp%d", "Ethernet%d/1", "Ethernet1/%d", "et-0/0/%d", "Ethernet%d", "p%03d", "a%d b", "%d",
		})
		var interfaces []string
		want := map[string][]string{}
		seen := map[string]bool{}
		name := form.Draw(t, "form") // a system does not call ports by two forms that read as ports and their lanes
		for range rapid.IntRange(1, 4).Draw(t, "runs") {
			kind := rapid.SampledFrom([]string{"100gbase-x-qsfp28", "400gbase-x-qsfpdd", "10gbase-t"}).Draw(t, "kind")
			step := rapid.SampledFrom([]int{1, 1, 2, 4, 8}).Draw(t, "step")
			from := rapid.IntRange(0, 50).Draw(t, "from")
			for i := range rapid.IntRange(1, 9).Draw(t, "count") {
				x := fmt.Sprintf(name, from+i*step)
				if !seen[x] {
					seen[x] = true
					interfaces = append(interfaces, "name: '"+x+"', type: "+kind)
					want[kinds[kind]] = append(want[kinds[kind]], x)
				}
			}
		}
		part, said := imported(t, "Cisco", interfaces)
		if strings.Contains(said, "incomplete") {
			t.Fatal(said)
		}
		for _, g := range part.Ports {
			for i, name := range want[g.Connector] {
				id := g.Identity(i)
				if id.Interface != name || id.Label != strings.ReplaceAll(name, " ", "-") {
					t.Fatalf("port %d of %+v is %+v, want %q", i, g, id, name)
				}
			}
			if len(want[g.Connector]) != g.Count {
				t.Fatalf("%d ports %+v, want %d", g.Count, g, len(want[g.Connector]))
			}
		}
	})
}
