package asbuilt

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/machine"
)

// planText plans the machine of a file.
func planText(t interface{ Fatal(...any) }, text string) *machine.Result {
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Leaves that had their links at u spines and have them at more keep floor or ceiling of them at each: what moves is
// what is above that, as a layer of panels needs no more than that where the links divide evenly.
func TestLayerMovesWhatIsAboveTheNewShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		panels := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "panels")
		up := 12 // divides among 1, 2, 3, 4 and 6 spines
		leaves, spines := rapid.IntRange(1, 4).Draw(t, "leaves"), rapid.SampledFrom([]int{1, 2, 3}).Draw(t, "spines")
		more, grown := rapid.IntRange(0, 2).Draw(t, "more"), rapid.SampledFrom([]int{3, 4, 6}).Draw(t, "grown")
		plan := func(leaves, spines int) *machine.Result {
			text := fmt.Sprintf("{family: leaf-spine, nodes: %d, down: 2, up: %d, spines: %d}", 2*leaves, up, spines)
			return planText(t, "topology: "+text+"\n")
		}
		d, err := Compare(context.Background(), plan(leaves, spines), plan(leaves+more, grown), Options{Panels: panels})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Layers) != 1 {
			t.Fatalf("%d layers", len(d.Layers))
		}
		l, want := d.Layers[0], leaves*spines*max(0, up/spines-up/grown)
		if l.Why != "" || l.Moved != want || l.LeastMoved != want || l.MovedCables != want || l.Links != leaves*up ||
			l.LowerBlocks != [2]int{leaves, leaves + more} || l.UpperBlocks != [2]int{spines, grown} {
			t.Fatalf("%+v; %d move", l, want)
		}
		if (l.Stages > 0) != (want > 0) || !l.Keeps {
			t.Fatalf("%+v", l)
		}
	})
}

// Pods are the blocks where each of their switches has links to some of the cores only; a layer that does not fit says
// why.
func TestLayerOfPods(t *testing.T) {
	plan := func(nodes int) *machine.Result {
		return planText(t, fmt.Sprintf("topology: {family: fat-tree, nodes: %d, radix: 8, tiers: 3}\n", nodes))
	}
	d, err := Compare(context.Background(), plan(64), plan(128), Options{Panels: 4})
	if err != nil {
		t.Fatal(err)
	}
	var known int
	for _, l := range d.Layers {
		if l.Why != "" {
			if !strings.Contains(l.Why, "fewer links than there are switches above") {
				t.Errorf("%s to %s: %s", l.Lower, l.Upper, l.Why)
			}
			continue
		}
		known++
		if l.Block != "pod" || l.LowerBlocks != [2]int{4, 8} || l.UpperBlocks != [2]int{8, 16} || l.Moved != 32 ||
			l.LeastMoved != 32 || l.Links != 64 {
			t.Errorf("%+v", l)
		}
	}
	if known != 1 {
		t.Errorf("%+v", d.Layers)
	}
	if _, err := Compare(context.Background(), plan(64), plan(64), Options{Panels: -1}); err == nil {
		t.Error("a layer of -1 panels is not refused")
	}
}
