package identity

import (
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
)

// box is one with ports of a group, broken out into into[i] lanes each, and ports of management.
func box(g catalog.PortGroup, into ...int) *cabling.Box {
	part := &catalog.Part{ID: "x", Ports: []catalog.PortGroup{
		g, {Name: "management", Count: 1, Connector: "rj45", Rate: 1, ByName: true, Label: "mgmt0"},
	}}
	b := cabling.NewBox(part)
	if into != nil {
		b.BreakOut(into)
	}
	return b
}

// TestPortsByTheirNames finds ports by the forms of names of the field, and none by names that prove nothing.
func TestPortsByTheirNames(t *testing.T) {
	group := func(count int, label string, names ...string) catalog.PortGroup {
		return catalog.PortGroup{Count: count, Connector: "osfp", Rate: 1, Label: label, Names: names}
	}
	split := group(4, "swp#")
	for _, c := range []struct {
		name string
		box  *cabling.Box
		is   map[string]int // port by text, from 1; 0 for none
	}{
		{"Cumulus", box(group(16, "swp#")), map[string]int{
			"swp1": 1, "SWP16": 16, "swp07": 7, "swp17": 0, "7": 0, "Ethernet7": 0, "eno7": 0, "eth7": 0, "mgmt0": 17,
			"swp7.665": 7, "swp7.bridge": 0, "swp7s0": 0, "": 0, "swp7s1": 0,
		}},
		{"EOS", box(group(16, "Ethernet#")), map[string]int{
			"Ethernet3": 3, "Et3": 3,
			"Eth3": 3, "et3/1": 3, "Ethernet3/1": 3, "Ethernet3/2": 0, "Management1": 0, "3": 0,
			"ethernet 3": 3, "Ethernet3.100": 3,
		}},
		{"modules", box(group(16, "Ethernet1/#")), map[string]int{
			"Eth1/3": 3, "Et1/3": 3, "Ethernet1/3/1": 3, "Ethernet1/3/4": 0,
		}},
		{"SR Linux", box(group(16, "ethernet-1/#")), map[string]int{"e1-3": 3, "ethernet-1/3": 3, "e1-17": 0}},
		{"numbers", box(group(16, "")), map[string]int{
			"7": 7, "07": 7, "P7": 7, "port 7": 7,
			"Port7": 7, "1/7": 7, "swp7": 7, "Ethernet8": 0, "eth3": 0, "eno1": 0,
			"17": 0, "0": 0, "-7": 0, "1/1/7": 0, "enp65s0np0": 0, "mlx5_3": 0,
		}},
		{"names", box(group(2, "", "enp65s0np0", "ibp220s0")), map[string]int{
			"enp65s0np0": 1, "ibp220s0": 2, "eno1": 0, "eth0": 0, "1": 0, "mgmt0": 3,
		}},
		{"SONiC", box(catalog.PortGroup{
			Count: 4, Connector: "qsfp28", Rate: 1, Label: "#", Interface: []string{"Ethernet{n0*8}"},
			Aliases: [][]string{{"Eth{n}(Port{n})"}},
		}), map[string]int{
			"Ethernet0": 1, "ethernet8": 2, "Eth3(Port3)": 3, "Eth24": 4, "eth0": 0, "Ethernet4": 0, "Eth3(Port4)": 0,
		}},
		{"lanes", box(split, 4, 2, 1, 1), map[string]int{
			"swp1s0": 1, "swp1s3": 4, "swp1:2": 3, "swp1/1": 1, "swp1/4": 4, "swp1s4": 0, "swp2s0": 5, "swp2s1": 6,
			"swp2/5": 6, "swp2/3": 6, "swp2/4": 0, "swp3": 7, "swp3/1": 7, "swp3s1": 0,
		}},
	} {
		p := newPorts(c.box, 0)
		for text, want := range c.is {
			found, way := p.find(&Claim{Text: text})
			if want == 0 && found != nil || want > 0 && !slices.Equal(found, []int32{int32(want - 1)}) {
				t.Errorf("%s: %q is %v by %s, want port %d", c.name, text, found, way, want)
			}
			if (way == Unidentified) != (found == nil) {
				t.Errorf("%s: %q is %v by %q", c.name, text, found, way)
			}
		}
	}
}

// TestLanes finds all lanes of a port by its own name, and the one that a source tells.
func TestLanes(t *testing.T) {
	p := newPorts(box(catalog.PortGroup{Count: 2, Connector: "osfp", Rate: 1, Label: "swp#"}, 2, 2), 0)
	for lane, want := range [][]int32{{2, 3}, {2}, {3}, nil} {
		if found, _ := p.find(&Claim{Text: "swp2", Lane: lane}); !slices.Equal(found, want) {
			t.Errorf("lane %d: %v, want %v", lane, found, want)
		}
	}
}

// TestSubnetsAndAdapters counts ports of a subnet from 1, and adapters as their names do.
func TestSubnetsAndAdapters(t *testing.T) {
	p := newPorts(box(catalog.PortGroup{Count: 8, Connector: "osfp", Rate: 1, Label: "osfp#"}), 0)
	for _, c := range []struct {
		claim Claim
		want  int
		way   Way
	}{
		{Claim{Text: "3", Subnet: true}, 3, BySubnet},
		{Claim{Text: "9", Subnet: true}, 9, BySubnet},
		{Claim{Text: "10", Subnet: true}, 0, Unidentified},
		{Claim{Text: "0", Subnet: true}, 0, Unidentified},
		{Claim{Text: "1", Subnet: true, Device: "mlx5_2"}, 3, ByNumber},
		{Claim{Text: "2", Subnet: true, Device: "mlx5_2"}, 4, ByNumber},
		{Claim{Text: "1", Subnet: true, Device: "HCA-2"}, 2, ByNumber},
		{Claim{Text: "1", Subnet: true, Device: "mlx5_8"}, 0, Unidentified},
		{Claim{Text: "02:00:00:00:00:01", MAC: true, Also: "osfp4"}, 4, ByLabel},
		{Claim{Text: "02:00:00:00:00:01", MAC: true, Also: "to osfp4"}, 0, Unidentified},
		{Claim{Text: "osfp4", Untold: true}, 0, Unidentified},
	} {
		found, way := p.find(&c.claim)
		if way != c.way || c.want > 0 && !slices.Equal(found, []int32{int32(c.want - 1)}) ||
			c.want == 0 && found != nil {
			t.Errorf("%+v: %v by %s", c.claim, found, way)
		}
	}
}

// TestPlacesOnTheBus finds a port by its PCI address.
func TestPlacesOnTheBus(t *testing.T) {
	p := newPorts(box(catalog.PortGroup{Count: 2, Connector: "osfp", Rate: 1}), 0)
	p.by[3][fold("dc:00.0")], p.by[3][fold("aa:00.1")] = []int32{0}, []int32{1}
	p.by[3][fold("0006:03:00.0")] = []int32{1}
	for text, want := range map[string]int{
		"ibp220s0": 1, "enp220s0np0": 1, "rocep220s0": 1,
		"ibp170s0f1": 2, "enp170s0f1np1": 2, "ibp170s0": 0, "ibP6p3s0": 2,
		"ibp3s0": 0, "0000:dc:00.0": 1, "00000000:AA:00.1": 2, "0001:dc:00.0": 0, "0000:dc:00": 0,
	} {
		found := p.onBus(text)
		if want == 0 && found != nil || want > 0 && !slices.Equal(found, []int32{int32(want - 1)}) {
			t.Errorf("%s: %v, want %d", text, found, want)
		}
	}
}

// TestKey: case and leading zeros of numbers do not matter, and a host not for its domain.
func TestKey(t *testing.T) {
	for name, want := range map[string][2]string{
		"N0099": {"n99", "n99"}, "N099": {"n99", "n99"}, "u0.n0": {"u0.n0", "u0"}, "dgx-007": {"dgx-7", "dgx-7"},
		"(3,0,07)": {"(3,0,7)", "(3,0,7)"}, "N1000": {"n1000", "n1000"}, "00": {"0", "0"}, " a ": {"a", "a"},
		"Leaf-01.Example.ORG": {"leaf-1.example.org", "leaf-1"}, "10.0.0.7": {"10.0.0.7", "10.0.0.7"},
	} {
		if got := [2]string{Key(name), Host(name)}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
