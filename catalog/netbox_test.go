package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The remarks that real device types hold, in small files of the same form.
func TestImportReportsTraps(t *testing.T) {
	var pairs []string // as the switch names its ports, without the two that it leaves out
	for cage := 1; cage <= 32; cage++ {
		for port := 1; port <= 2; port++ {
			pairs = append(pairs, fmt.Sprintf("swp%d/%d", cage, port))
		}
	}
	pairs = slices.DeleteFunc(pairs, func(name string) bool { return name == "swp17/2" || name == "swp32/1" })
	for name, want := range map[string]struct {
		part    Part
		remarks []string
	}{
		"switch.yaml": {
			Part{
				ID: "example-ex9700", Kind: KindSwitch, Description: "Example EX9700", Maker: "Example",
				Source:     "NetBox device type Example EX9700",
				Confidence: Estimate, Estimated: []string{"connector"}, Units: 1, Weight: 14.515,
				Ports: []PortGroup{
					{Count: 62, Connector: "osfp", Rate: 400, Names: pairs, Interface: pairs},
					{
						Name: "management", Count: 1, Connector: "rj45", Rate: 1, ByName: true, Label: "mgmt0",
						Interface: []string{"mgmt0"},
					},
				}, PartNumber: "EX-9700",
				Inlets: map[string]int{"c14": 2},
			},
			[]string{
				"3:1: taken for a switch by its 62 ports; --kind says otherwise",
				"7:11: the format has no width and no depth",
				"16:3: no power supply has a draw: the power is missing",
				"19:3: the names pair up (swp1/1, swp1/2): where two ports share a cage, write per_cage: 2",
				"19:3: the names swp1/1 to swp32/2 leave out 2 ports: swp17/2, swp32/1",
				"19:3: 62 ports, where the text speaks of 64",
				"19:3: infiniband-ndr does not tell the cage: taken for osfp of one port; switches have twin-port " +
					"cages (per_cage: 2)",
			},
		},
		"node.yaml": {
			Part{
				ID: "example-gpu-a", Kind: KindNode, Description: "Example GPU-A", Maker: "Example",
				Source:     "NetBox device type Example GPU-A",
				Confidence: Estimate, Units: 6, Weight: 123,
				Ports: []PortGroup{
					{Count: 4, Connector: "qsfp56", Rate: 200, Label: "mlx{n0}", Interface: []string{"mlx{n0}"}},
					{
						Name: "management", Count: 1, Connector: "rj45", Rate: 1, ByName: true, Label: "bmc",
						Interface: []string{"bmc"},
					},
				}, Inlets: map[string]int{"c20": 2},
			},
			[]string{
				"3:1: taken for a node by its 4 ports; --kind says otherwise",
				"6:11: the format has no width and no depth",
				"12:3: the power supplies add up to 2.1 kW, and the text speaks of 6.5 kW: the power is left out",
			},
		},
		"half.yaml": {
			Part{
				ID: "example-half-8", Kind: KindNode, Description: "Example Half 8", Maker: "Example",
				Source:     "NetBox device type Example Half 8",
				Confidence: Estimate, Estimated: []string{"power"}, Units: 2, Height: 0.0667, Power: 40,
				Ports: []PortGroup{{
					Count: 3, Connector: "sfp28", Rate: 25, Names: []string{"1", "2", "4"},
					Interface: []string{"1", "2", "4"},
				}}, Inlets: map[string]int{"c14": 1},
			},
			[]string{
				"1:1: slug is missing",
				"1:1: taken for a node by its 3 ports; --kind says otherwise",
				"3:11: 1.5 rack units: it is placed in 2 whole ones",
				"3:11: the format has no width and no depth",
				"5:9: the weight has no unit (weight_unit: kg, g, lb or oz) and is left out",
				`7:1: unknown key "powerports" is passed over; did you mean "power-ports"?`,
				"11:3: 1 module bay: other files describe its modules",
				"13:3: the names 1 to 4 leave out 1 port: 3",
				"15:5: the interface 2 comes twice and is counted once",
				`17:5: 2 interfaces of type "100gbase-x-qsfp29" from here on, which has no cage here ` +
					`("100gbase-x-qsfp28" has): passed over`,
				"19:5: an interface has no name",
			},
		},
		"panel.yaml": {
			Part{
				ID: "example-panel-4", Kind: KindPanel, Description: "Example Panel 4", Maker: "Example",
				Source:     "NetBox device type Example Panel 4",
				Confidence: Estimate, Estimated: []string{"connector", "loss"}, Units: 1,
				Panel: &Panel{Connector: "lc", Fibre: SingleMode, Ports: 3},
			},
			[]string{
				"1:1: weight is missing",
				"4:11: the format has no width and no depth",
				`8:3: 1 front port of type "sc", which has no connector here: passed over`,
				"8:3: the file does not tell the fibre (taken for single-mode), the polish of the plugs or the " +
					"insertion loss",
			},
		},
		"good.yaml": {
			Part{
				ID: "example-good-32", Kind: KindSwitch, Description: "Example GOOD-32", Maker: "Example",
				Source:     "NetBox device type Example GOOD-32",
				Confidence: Estimate, Estimated: []string{"power"}, Units: 1, Weight: 9, Power: 300,
				Ports: []PortGroup{{
					Count: 32, Connector: "qsfp-dd", Rate: 400, Label: "Ethernet1/#",
					Interface: []string{"Ethernet1/#"},
				}}, Inlets: map[string]int{"c14": 1},
			},
			[]string{
				"1:1: taken for a switch by its 32 ports; --kind says otherwise",
				"4:11: the format has no width and no depth",
			},
		},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "netbox", name))
		if err != nil {
			t.Fatal(err)
		}
		part, remarks, err := ImportDevice(data, name, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want.part, *part); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var got []string
		for _, remark := range remarks {
			got = append(got, strings.TrimPrefix(remark.Error(), name+":"))
		}
		if diff := cmp.Diff(want.remarks, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestImportMore(t *testing.T) {
	const head = "manufacturer: A\nmodel: B\nslug: a-b\nu_height: 1\nis_full_depth: true\nweight: 1\nweight_unit: kg\n"
	for _, test := range []struct {
		name, text string
		kind       Kind
		want       string // a remark, or the kind of part
	}{
		{"no interfaces", head, "", "no interfaces: the part has no ports"},
		{"no interfaces, still", head + "interfaces:\n", KindSwitch, "the part is incomplete: ports: missing"},
		{"between node and switch", head + "interfaces:\n" + strings.Repeat("- {name: x, type: 10gbase-t}\n", 1) +
			numbered(12), "", "taken for a node by its 13 ports; --kind says otherwise"},
		{"as told", head + "interfaces:\n" + numbered(12), KindSwitch, "switch"},
		{
			"an odd number", head + "interfaces:\n" + numbered(62), "",
			"62 ports are an unusual number for a switch: some may be missing, or not for data",
		},
		{
			"management only", head + "interfaces:\n- {name: m, type: 1000base-t, mgmt_only: true}\n", "",
			"1 interface, for management only",
		},
		{
			"some supplies silent",
			head + "power-ports:\n- {name: a, maximum_draw: 10}\n- {name: b, maximum_draw: null}\n", "",
			"1 of 2 power supplies have no draw: the power is left out",
		},
		{
			"two supplies", head + "power-ports:\n- {name: a, maximum_draw: 10}\n- {name: b, maximum_draw: 10}\n", "",
			"the power, 20 W, is what 2 supplies draw together: less if some are spare",
		},
		{
			"only the text has power", head + "comments: 1,200 watts\npower-ports:\n- {name: a}\n", "",
			"no power supply has a draw, and the text speaks of 1.2 kW: the power is left out",
		},
		{"no height", "manufacturer: A\nmodel: B\nslug: a-b\n", "", "u_height is missing"},
		{
			"zero height", strings.Replace(head, "u_height: 1", "u_height: 0", 1), "",
			"it takes no rack units: it stands beside them or in another box",
		},
		{
			"a third of a unit", strings.Replace(head, "u_height: 1", "u_height: 0.3", 1), "",
			"0.3 is not a whole number of half rack units",
		},
		{
			"height in words", strings.Replace(head, "u_height: 1", "u_height: one", 1), "",
			`"one" is not a height in rack units`,
		},
		{"interfaces are not list", head + "interfaces: {a: b}\n", "", "interfaces is not a list"},
		{
			"an alias", head + "interfaces:\n- &a {name: x, type: 10gbase-t}\n- *a\n", "",
			"the interface x comes twice and is counted once",
		},
	} {
		part, remarks, err := ImportDevice([]byte(test.text), "f.yaml", test.kind)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		all := string(part.Kind) + "\n"
		for _, remark := range remarks {
			all += remark.Error() + "\n"
		}
		if !strings.Contains(all, test.want+"\n") {
			t.Errorf("%s: %s\nwant %s", test.name, all, test.want)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "a list": "- 1\n", "no YAML": "a: [\n",
		"deep":  strings.Repeat("[", 100) + strings.Repeat("]", 100),
		"large": "# " + strings.Repeat("x", 2<<20) + "\na: b\n",
	} {
		if _, _, err := ImportDevice([]byte(text), "f.yaml", ""); err == nil ||
			!strings.HasPrefix(err.Error(), "f.yaml:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- {name: p%d, type: 10gbase-x-sfpp}\n", i+1)
	}
	return b.String()
}

func FuzzImportDevice(f *testing.F) {
	files, err := filepath.Glob("testdata/netbox/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("a: &a [*a]\ninterfaces: *a\n"))
	f.Add([]byte("interfaces: [{name: p99999999999999999999, type: 10gbase-t}, {name: p1, type: 10gbase-t}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		part, remarks, err := ImportDevice(data, "f.yaml", "")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.yaml:") {
				t.Fatalf("an error without its place: %v", err)
			}
			return
		}
		if !idPattern.MatchString(part.ID) || part.Units < 0 || part.Units > 100 || part.Power < 0 || part.Weight < 0 {
			t.Fatalf("%+v", part)
		}
		for _, remark := range remarks {
			if !place.MatchString(remark.Error()) {
				t.Fatalf("a remark without its place: %v", remark)
			}
		}
	})
}
