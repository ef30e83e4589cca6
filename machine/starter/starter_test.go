package starter_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/starter"
	"github.com/plenum-planner/plenum/topology"
)

// TestEveryMachinePlans plans machines of all rates, ports and sizes that change what is written: one and several
// leaves, two and three tiers, in a room of their own and in one that is given.
func TestEveryMachinePlans(t *testing.T) {
	t.Parallel()
	long := os.Getenv("PLENUM_LONG") == "1"
	for i, rate := range starter.Rates() {
		for ports := 1; ports <= starter.MaxPorts; ports++ {
			for k, nodes := range []int{2, 33, 257} {
				for r, text := range []string{"auto", "40x40"} {
					if !long && ((i+ports+k)%3 > 0 || (i+ports/2+r)%2 > 0) { // each rate and number of ports once
						continue
					}
					m := starter.Default()
					m.Nodes, m.Ports, m.Rate = nodes, ports, rate
					var err error
					if m.Room, err = starter.ParseRoom(text); err != nil {
						t.Fatal(err)
					}
					planned(t, m)
				}
			}
		}
	}
	for i, nodes := range []int{2, 60, 96, 257} {
		planned(t, starter.Machine{
			Name: "two fabrics", Nodes: nodes, Ports: 1 + i%2, Rate: starter.Rates()[i], Management: true,
		})
	}
	for i, nodes := range []int{2, 62, 96, 257} { // with 3 servers, 62 are more than a switch has ports
		planned(t, starter.Machine{
			Name: "storage", Nodes: nodes, Ports: 1 + i%2, Rate: starter.Rates()[i], Management: i%2 > 0,
			Storage: starter.Rates()[3-i], StorageServers: 3 * (i % 3),
		})
	}
	if testing.Short() {
		return
	}
	for _, m := range []starter.Machine{
		{Name: "large", Nodes: 2049, Ports: 1, Rate: "400G"},
		{Name: `"quoted": {`, Nodes: 2, Ports: 1, Rate: "100G"},
	} {
		planned(t, m)
	}
	if long {
		planned(t, starter.Machine{Name: "most", Nodes: starter.MaxNodePorts / 8, Ports: 8, Rate: "800G"})
	}
}

// Few nodes stand in as few racks as a person would take, on one switch while it has a port for each.
func TestSmallMachines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ nodes, ports, racks, switches int }{
		{2, 1, 1, 1}, {32, 1, 1, 1}, {64, 1, 2, 1}, {2, 8, 1, 12}, {9, 4, 1, 6}, {16, 2, 1, 3}, {65, 1, 3, 5},
	} {
		for _, rate := range starter.Rates() {
			m := starter.Machine{Name: "small", Nodes: tt.nodes, Ports: tt.ports, Rate: rate}
			data, err := m.Planned(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			s, err := machine.Parse("x.yaml", data)
			if err != nil {
				t.Fatal(err)
			}
			r, err := machine.Plan(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			switches := topology.Vertices(r.Graph) - tt.nodes
			if racks := len(r.Placement.Racks); racks != tt.racks || switches != tt.switches {
				t.Errorf("%d nodes of %d ports of %s: %d racks and %d switches, want %d and %d", tt.nodes, tt.ports,
					rate, racks, switches, tt.racks, tt.switches)
			}
		}
	}
}

func planned(t *testing.T, m starter.Machine) {
	t.Helper()
	data, err := m.Planned(t.Context())
	if err != nil {
		t.Errorf("%+v: %v", m, err)
		return
	}
	s, err := machine.Parse("x.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != m.Name || s.Topology.String() == "" {
		t.Errorf("%+v: %q %v", m, s.Name, s.Topology)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"20x15": "20 m x 15 m", " 20.5 X 15 M ": "20.5 m x 15 m", "50ft x 15": "15.24 m x 15 m", "AUTO": "auto",
		"20": "", "x": "", "20x": "", "-3x4": "", "0.5x20": "", "1e9x3": "", "NaNx3": "", "infx3": "", "3x4x5": "",
		"": "",
	} {
		r, err := starter.ParseRoom(text)
		if got := fmt.Sprint(r); (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("%q is %q, %v", text, got, err)
		}
		if again, e := starter.ParseRoom(r.String()); err == nil && (e != nil || again != r) {
			t.Errorf("%v is read as %v, %v", r, again, e)
		}
	}
	for text, want := range map[string]string{
		"400G": "400G", "100": "100G", "200g ": "200G", "40G": "", "": "", "4": "",
	} {
		if got, err := starter.ParseRate(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]int{"1,024": 1024, "2": 2, "1": 0, "65537": 0, "ten": 0, "1e3": 0} {
		if got, err := starter.ParseNodes(text); got != want || (err == nil) != (want != 0) {
			t.Errorf("%q is %d, %v", text, got, err)
		}
	}
	if _, err := (starter.Machine{Name: "x", Nodes: 60000, Ports: 2, Rate: "100G"}).File(); err == nil {
		t.Error("more ports than the switches have")
	}
	if _, err := starter.ParseName(" "); err == nil {
		t.Error("a name of nothing")
	}
}

// TestCommentsShowDefaults: what the commented starter shows of lengths and racks are the defaults.
func TestCommentsShowDefaults(t *testing.T) {
	t.Parallel()
	text := string(starter.Commented("x"))
	for _, want := range []string{
		"  cold_aisle: 1.22 m\n", "  # hot_aisle: 0.92 m\n", "  # rack: rack-42u\n", "fixed: 1.5 m ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
