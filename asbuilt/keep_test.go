package asbuilt

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// TestKeepsNamedFabrics: two equal fabrics double their spines. Where both keep 75 % of their links, each pulls out no
// more than a quarter of them in a step; where one alone does, the other pulls out all that moves in one step.
func TestKeepsNamedFabrics(t *testing.T) {
	text := func(spines int) string {
		net := fmt.Sprintf("{family: leaf-spine, down: 8, up: 8, spines: %d}", spines)
		part := "boxes: [{name: node, count: 32, part: generic-node-2p}]\n" +
			"parts: [{id: generic-node-2p, kind: node, units: 1, ports: " +
			"[{name: a, count: 1, rate: 400G, connector: qsfp112}, " +
			"{name: b, count: 1, rate: 400G, connector: qsfp112}]}]\n"
		return part + "fabrics:\n" +
			"  - {name: compute, ends: [{boxes: node, ports: a}], topology: " + net + "}\n" +
			"  - {name: storage, ends: [{boxes: node, ports: b}], topology: " + net + "}\n"
	}
	old := planFile(t, text(2))
	dir := carriedOut(t, old)
	defer os.RemoveAll(dir)
	new := planFile(t, text(4)+"owned: {plan: "+dir+"}\n")
	for _, c := range []struct {
		keep    []string
		compute int // most cables between leaves and spines that a step pulls out, of 32
		storage int
	}{{nil, 8, 8}, {[]string{"compute"}, 8, 16}, {[]string{"storage"}, 16, 8}, {[]string{"compute", "storage"}, 8, 8}} {
		d, err := Compare(context.Background(), old, new, Options{Capacity: 75, Fabrics: c.keep})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Faults) > 0 {
			t.Fatal(d.Faults)
		}
		most, all := map[string]int{}, map[string]int{}
		for i := range d.Steps {
			out := map[string]int{}
			for _, cable := range d.Steps[i].Out {
				out[fabricOfCable(old, cable+1)]++
			}
			for f, n := range out {
				most[f], all[f] = max(most[f], n), all[f]+n
			}
		}
		if all["compute"] != 16 || all["storage"] != 16 ||
			most["compute"] != c.compute || most["storage"] != c.storage {
			t.Errorf("keeping %v: at most %v cables are out, of %v", c.keep, most, all)
		}
	}
	_, err := Compare(context.Background(), old, new, Options{Fabrics: []string{"computer"}})
	if err == nil || !strings.Contains(err.Error(), "its fabrics are compute and storage") {
		t.Errorf("a fabric that is not there: %v", err)
	}
}

// fabricOfCable is the fabric of a cable, by its number.
func fabricOfCable(r *machine.Result, cable int32) string {
	s := r.Schedule
	for i := range s.Segments {
		if s.Segments[i].Cable == cable {
			name, _, _ := strings.Cut(s.Graph.Levels()[s.Segments[i].Level].Name, "/")
			return name
		}
	}
	return ""
}
