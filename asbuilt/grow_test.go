package asbuilt

import (
	"context"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// nested are families whose members have the links of smaller ones between boxes of the same addresses where one
// parameter is larger, so that nothing has to move.
var nested = []string{"mesh", "hyperx", "flattened-butterfly", "bcube", "dcell", "zcube"}

// differing counts the parameters that differ.
func differing(a, b topology.Params) int {
	other := map[string]any{}
	for name, value := range topology.Given(b) {
		other[name] = value.Interface()
	}
	n := 0
	for name, value := range topology.Given(a) {
		if !reflect.DeepEqual(other[name], value.Interface()) {
			n++
		}
	}
	return n
}

// fewerBoxes counts the boxes of all kinds of which the new graph has fewer than the old one.
func fewerBoxes(old, new topology.Graph) int {
	count := map[string]int{}
	for _, k := range new.Kinds() {
		count[k.Name] = k.Count
	}
	fewer := 0
	for _, k := range old.Kinds() {
		fewer += max(0, k.Count-count[k.Name])
	}
	return fewer
}

// TestFamiliesGrow grows a drawn machine of every family, with what is there owned: one or two parameters are larger.
// Links move only where the new topology has fewer between the same two boxes, and never fewer than the bound says; no
// box moves, no cable is exchanged, and no port is used twice.
func TestFamiliesGrow(t *testing.T) {
	most := 3 // each plans two machines
	if graphtest.Long() {
		most = 100
	}
	for _, f := range topology.Families() {
		if f.Name == "file" {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			held := 0
			rapid.Check(t, func(t *rapid.T) {
				if held == most {
					return
				}
				small, _ := graphtest.Member(t, f.Name, 60)
				large, ok := graphtest.Grow(t, small, 120)
				if !ok {
					t.Skip("no larger member is small enough")
				}
				plan := func(p topology.Params, dir string) *machine.Result {
					s := &spec.Spec{Name: "drawn", Topology: topology.Spec{Params: p}}
					s.Room.RacksPerRow = 40
					if dir != "" {
						s.Owned = &spec.Owned{Plan: dir}
					}
					r, err := machine.Plan(context.Background(), s)
					if err != nil {
						t.Skip(err) // no part has so many ports, or those of another part stand otherwise
					}
					return r
				}
				old := plan(small, "")
				dir := carriedOut(t, old)
				defer os.RemoveAll(dir)
				new := plan(large, dir)
				held++
				ports(t, new)
				doc := compare(t, old, new).Document()
				c := doc.Cables
				if doc.Boxes.Replaced > 0 {
					return // they have other ports
				}
				// A tree of larger units may have fewer leaves, whose cables are disconnected.
				fewer := fewerBoxes(old.Graph, new.Graph)
				if doc.Boxes.Removed != fewer || doc.Boxes.Moved > 0 || doc.MovedLinks < doc.LeastMoved {
					t.Errorf("%+v grows to %+v with %d boxes fewer of a kind: %d links move, %d at least, boxes %+v",
						small, large, fewer, doc.MovedLinks, doc.LeastMoved, doc.Boxes)
				}
				if fewer > 0 {
					return // links of the boxes that are removed free ports for others
				}
				if doc.Boxes.Moved+c.Relaid+c.Exchanged > 0 || int64(c.Replugged+c.Removed) != doc.MovedLinks ||
					doc.MovedLinks < doc.LeastMoved {
					t.Errorf("%+v grows to %+v: %d links move, %d at least, cables %+v, boxes %+v", small, large,
						doc.MovedLinks, doc.LeastMoved, c, doc.Boxes)
				}
				if slices.Contains(nested, f.Name) && differing(small, large) == 1 && doc.MovedLinks > 0 {
					t.Errorf("%+v grows to %+v: %d links move", small, large, doc.MovedLinks)
				}
			})
		})
	}
}

// TestLargerUnits: where units of a tree have more nodes, nodes of the last unit are in others. They stay where they
// are, and the leaves and the spine that the new tree does not have are named.
func TestLargerUnits(t *testing.T) {
	tree := func(radix string) string {
		return "topology: {family: fat-tree, nodes: 21, rails: 8, radix: " + radix + "}\nroom: {racks_per_row: 40}\n"
	}
	old := planned(t, tree("16"))
	dir := carriedOut(t, old)
	defer os.RemoveAll(dir)
	new := planned(t, tree("22")+"owned: {plan: "+dir+"}\n")
	doc := compare(t, old, new).Document()
	// Of 24 leaves with 8 links to nodes and 8 to spines there are 16 in the new tree: 8 * 8 links to spines move, and
	// those of the 5 nodes of the last unit.
	if doc.Boxes.Kept != 21+16+11 || doc.Boxes.Moved > 0 || doc.Boxes.Removed != 8+1 || doc.LeastMoved != 64+5*8 ||
		doc.MovedLinks < doc.LeastMoved {
		t.Errorf("%+v; %d links move, %d at least", doc.Boxes, doc.MovedLinks, doc.LeastMoved)
	}
}
