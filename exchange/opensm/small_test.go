package opensm

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/golden"
)

// numbersOf gives the switches and hosts of a fabric GUIDs that tell which they are.
func numbersOf(f *fabric) *GUIDs {
	g := &GUIDs{switches: map[string]string{}, behind: map[string]map[int]string{}}
	for s, name := range f.names {
		g.switches[name] = fmt.Sprintf("5000%04x", s)
		g.behind[name] = map[int]string{}
	}
	for _, h := range f.hosts {
		g.behind[f.names[h.at]][h.port] = fmt.Sprintf("a%04x%03x", h.at, h.port)
	}
	return g
}

// TestRoutingOfSmallMachines compares the files of routings with those in testdata, and counts pairs whose path is
// longer than the shortest by following the tables from switch to switch.
func TestRoutingOfSmallMachines(t *testing.T) {
	texts := maps.Clone(machines)
	texts["dragonfly"] = dragonfly
	for name, text := range texts {
		w := planned(t, text)
		f, _, err := fabricOf(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, lanes := range []int{1, 2, 5} {
			r, err := Route(t.Context(), w, numbersOf(f), lanes)
			if err != nil {
				t.Fatal(name, lanes, err)
			}
			pairs, longer := 0, 0
			for d := range f.hops {
				least := f.distances([]int{d})
				for s := range f.hops {
					if s == d || r.tables[s][len(f.hosts)+d] == 0 { // spines do not reach each other
						continue
					}
					hops, at := 0, s
					for ; at != d && hops <= len(f.hops); hops++ {
						port := r.tables[at][len(f.hosts)+d]
						k := slices.IndexFunc(f.hops[at], func(h hop) bool { return h.port == port })
						if k < 0 {
							t.Fatalf("%s: %s sends what is for %s to port %d", name, f.names[at], f.names[d], port)
						}
						at = f.hops[at][k].to
					}
					if pairs++; hops > least[s] {
						longer++
					}
				}
			}
			if r.Pairs != pairs || r.Longer != longer {
				t.Errorf("%s, %d lanes: %d of %d pairs are longer, want %d of %d", name, lanes, r.Longer, r.Pairs,
					longer, pairs)
			}
			if lanes == 2 {
				continue
			}
			var b bytes.Buffer
			fmt.Fprintf(&b, "%d lanes, %d of %d pairs longer\n", r.Lanes, r.Longer, r.Pairs)
			if err := r.Tables(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if err := r.Policy(&b); err != nil {
				t.Fatal(err)
			}
			if err := r.Options(&b); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, fmt.Sprintf("small/%s-%d.txt", name, lanes), b.String())
		}
	}
}

// TestOptionsOfLanes: the code of VLCap is 1, 2, 3, 4 or 5 for up to 1, 2, 4, 8 or 15 lanes.
func TestOptionsOfLanes(t *testing.T) {
	for lanes, code := range []int{1: 1, 2: 2, 3: 3, 4: 3, 5: 4, 8: 4, 9: 5, 15: 5} {
		if code == 0 {
			continue
		}
		var b bytes.Buffer
		if err := (&Routing{Lanes: lanes}).Options(&b); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("max_op_vls %d\nqos_max_vls %d\n", code, lanes); !strings.Contains(b.String(), want) {
			t.Errorf("%d lanes: %s", lanes, b.String())
		}
	}
	w := planned(t, machines["tree"])
	f, _, err := fabricOf(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, lanes := range []int{0, MostLanes + 1} {
		if _, err := Route(t.Context(), w, numbersOf(f), lanes); err == nil {
			t.Errorf("%d lanes are taken", lanes)
		}
	}
	// Of what is not found, ten are named and the others counted: 24 hosts and all switches.
	_, err = Route(t.Context(), w, &GUIDs{}, 1)
	if want := fmt.Sprintf("and %d more", len(f.hosts)+len(f.names)-10); err == nil ||
		!strings.HasSuffix(err.Error(), want) || strings.Count(err.Error(), "\n") != 10 {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestOrderOfFabrics: hosts are in the order of their switches and ports, and links in that of their ports.
func TestOrderOfFabrics(t *testing.T) {
	w := &exchange.Wiring{Boxes: []exchange.Box{
		{Name: "h0"}, {Name: "s0", Role: "switch"}, {Name: "h1"}, {Name: "s1", Role: "switch"}, {Name: "h2"},
	}}
	join := func(a int, portA string, b int, portB string) {
		w.Links = append(w.Links, exchange.Link{
			A: exchange.End{Box: a, Port: portA}, B: exchange.End{Box: b, Port: portB},
		})
	}
	join(3, "9", 0, "1")
	join(3, "10", 1, "4")
	join(2, "1", 3, "2")
	join(4, "1", 1, "5")
	join(1, "3", 3, "1")
	f, _, err := fabricOf(w)
	if err != nil {
		t.Fatal(err)
	}
	if want := []host{{0, 5}, {1, 2}, {1, 9}}; !slices.Equal(f.hosts, want) {
		t.Errorf("hosts %v, want %v", f.hosts, want)
	}
	for s, want := range [][]hop{{{3, 1}, {4, 1}}, {{1, 0}, {10, 0}}} {
		if !slices.Equal(f.hops[s], want) {
			t.Errorf("links of switch %d %v, want %v", s, f.hops[s], want)
		}
	}
}
