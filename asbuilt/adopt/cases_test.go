package adopt

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/units"
)

// wiring makes a source of links: "box port box port", with the rate of a lane in Gb/s and how many lanes it has.
type wiring struct {
	exchange.Wiring
	at map[string]int
}

func (w *wiring) box(name, role string) int {
	if w.at == nil {
		w.at = map[string]int{}
	}
	if i, ok := w.at[name]; ok {
		return i
	}
	w.at[name] = len(w.Boxes)
	w.Boxes = append(w.Boxes, exchange.Box{Name: name, Role: role, Listed: true})
	return w.at[name]
}

func (w *wiring) link(a, portA, b, portB string, rate units.Rate, lanes int) {
	role := func(name string) string {
		if strings.HasPrefix(name, "MF0;") {
			return "switch"
		}
		return "adapter"
	}
	w.Links = append(w.Links, exchange.Link{
		A: exchange.End{Box: w.box(a, role(a)), Port: portA, Form: exchange.Subnet},
		B: exchange.End{Box: w.box(b, role(b)), Port: portB, Form: exchange.Subnet}, Line: len(w.Links) + 1,
		LaneRate: rate, Lanes: lanes,
	})
}

// file is the machine file of sources, which have no difference from it.
func file(t *testing.T, sources ...*exchange.Wiring) string {
	t.Helper()
	m, c := adopted(t, sources)
	same(t, t.Name(), m, c)
	return string(m.Files["stands.yaml"])
}

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("no %q in\n%s", p, text)
		}
	}
}

// A fabric of known switches, with the adapters of hosts apart: one box for a host, with a port for each device.
func TestAdaptersOfHosts(t *testing.T) {
	w := &wiring{}
	for _, host := range []string{"gpu-1", "gpu-2"} {
		for i, leaf := range []string{"MF0;leaf-1:MQM9700/U1", "MF0;leaf-2:MQM9700/U1"} {
			w.link(host+" mlx5_"+string(rune('0'+i)), "1", leaf, map[string]string{"gpu-1": "1", "gpu-2": "3"}[host],
				100, 4)
		}
	}
	w.link("MF0;leaf-1:MQM9700/U1", "33", "MF0;leaf-2:MQM9700/U1", "33", 100, 4)
	w.link("MF0;leaf-1:MQM9700/U1", "41", "MF0;leaf-2:MQM9700/U1", "35", 100, 4) // not next to the first
	got := file(t, &w.Wiring)
	has(t, got, "part: nvidia-qm9700", "mlx5_0", "mlx5_1", "node: {part: adopted-node}  # 2 nodes")
}

// Two sources that see a cable each from their side, of hosts called with a domain and without.
func TestSidesOfACable(t *testing.T) {
	host, leaf := &wiring{}, &wiring{}
	host.Source, leaf.Source = "host.json", "leaf.json"
	host.Links = []exchange.Link{{
		A: exchange.End{Box: host.box("n1.example.org", ""), Port: "eth0"},
		B: exchange.End{Box: host.box("leaf1", ""), Port: "0c:42:a1:00:00:01", Form: exchange.Hardware},
	}}
	leaf.Links = []exchange.Link{{
		A: exchange.End{Box: leaf.box("leaf1", ""), Port: "swp3"},
		B: exchange.End{Box: leaf.box("n1", ""), Port: "7", Form: exchange.Untold},
	}}
	m, c := adopted(t, []*exchange.Wiring{&host.Wiring, &leaf.Wiring})
	if m.Links != 1 || m.Boxes != 2 || len(c.Differences) > 0 || c.Unknown > 0 {
		t.Errorf("%d links, %d boxes, %v", m.Links, m.Boxes, c.Differences)
	}
	has(t, string(m.Files["stands.json"]), `"n1.example.org"`, `"port_a": "swp3"`, `"port_b": "eth0"`)
}

// Ports of one name at different rates, and rates for which the catalog has no cable.
func TestRates(t *testing.T) {
	w := &wiring{}
	w.link("n1", "1", "MF0;leaf-1:X/U1", "1", 14, 4)
	w.link("n2", "1", "MF0;leaf-1:X/U1", "2", 25, 4)
	w.link("n3", "1", "MF0;leaf-2:X/U1", "1", 25, 4)
	w.link("n4", "1", "MF0;leaf-2:X/U1", "2", 25, 4)
	has(t, file(t, &w.Wiring), "adopted-cable-56g", "rate: 56G", "rate: 100G", "is one of their links degraded?")
}

// One switch of several planes, each of which has a lane of every cable; a director; links inside switches.
func TestChips(t *testing.T) {
	w := &wiring{}
	for _, chip := range []string{"U1", "U2", "U3", "U4"} {
		w.link("n1 mlx5_0", "1", "MF0;x1:Q3400_RA/"+chip, "5", 200, 1)
		w.link("MF0;x1:Q3400_RA/"+chip, "6", "MF0;x2:Q3400_RA/"+chip, "5", 200, 1)
	}
	w.link("MF0;core-1:CS7500/L03/U1", "20", "MF0;core-1:CS7500/S01/U1", "4", 50, 4) // on the backplane
	w.link("MF0;core-1:CS7500/L03/U1", "1", "MF0;x1:Q3400_RA/U1", "9", 200, 4)
	w.Links[len(w.Links)-1].A.Outer = "7"
	m, c := adopted(t, []*exchange.Wiring{&w.Wiring})
	if m.Links != 3 || m.Boxes != 4 || len(c.Differences) > 0 || c.Unknown > 0 {
		t.Errorf("%d links, %d boxes, %+v, %d unknown\n%s", m.Links, m.Boxes, c.Differences, c.Unknown,
			m.Files["stands.yaml"])
	}
	has(t, string(m.Files["stands.json"]), `"L03/7"`)
}

// What is refused: two cables in a port, and sources without a cable.
func TestRefused(t *testing.T) {
	w := &wiring{}
	w.Source = "a.txt"
	w.link("n1", "1", "MF0;leaf-1:X/U1", "1", 25, 4)
	w.link("n2", "1", "MF0;leaf-1:X/U1", "1", 25, 4)
	for want, source := range map[string]*exchange.Wiring{
		"a.txt:2:1: port 1 of leaf-1 has a cable to n2 here, and one to n1 at a.txt:1": &w.Wiring,
		"no cable between two boxes in b.txt":                                          {Source: "b.txt"},
	} {
		_, err := New(context.Background(), Options{Name: "x", Rate: 400}, []*exchange.Wiring{source})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
}
