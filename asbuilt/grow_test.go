package asbuilt

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// nested are families whose members have the links of smaller ones between boxes of the same addresses where one
// parameter is larger, so that nothing has to move.
var nested = []string{"mesh", "hyperx", "flattened-butterfly", "bcube", "dcell", "zcube"}

// keepsGroups reports whether a member has the links between groups of its family stay where groups are added.
func keepsGroups(p topology.Params) bool {
	switch p := p.(type) {
	case topology.Dragonfly:
		return p.Arrangement == topology.AbsoluteArrangement
	case topology.DragonflyPlus:
		return p.Arrangement == topology.AbsoluteArrangement
	}
	return false
}

// addsGroups reports whether the larger of two members differs by its number of groups alone.
func addsGroups(small, large topology.Params) bool {
	field := func(p topology.Params) reflect.Value { return reflect.ValueOf(p).FieldByName("Groups") }
	return differing(small, large) == 1 && field(small).IsValid() && field(small).Int() != field(large).Int()
}

// differing counts the parameters that differ.
func differing(a, b topology.Params) int {
	other := map[string]any{}
	for name, value := range topology.GivenParams(b) {
		other[name] = value.Interface()
	}
	n := 0
	for name, value := range topology.GivenParams(a) {
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
				stays := slices.Contains(nested, f.Name) && differing(small, large) == 1 ||
					keepsGroups(small) && addsGroups(small, large)
				if stays && doc.MovedLinks > 0 {
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
	old := planFile(t, tree("16"))
	dir := carriedOut(t, old)
	defer os.RemoveAll(dir)
	new := planFile(t, tree("22")+"owned: {plan: "+dir+"}\n")
	doc := compare(t, old, new).Document()
	// Of 24 leaves with 8 links to nodes and 8 to spines there are 16 in the new tree: 8 * 8 links to spines move, and
	// those of the 5 nodes of the last unit. Of 12 spines with 16 links 11 stay: of any 16 leaves, 8 have a link to
	// the other one.
	if doc.Boxes.Kept != 21+16+11 || doc.Boxes.Moved > 0 || doc.Boxes.Removed != 8+1 || doc.LeastMoved != 64+5*8+8 ||
		doc.MovedLinks < doc.LeastMoved {
		t.Errorf("%+v; %d links move, %d at least", doc.Boxes, doc.MovedLinks, doc.LeastMoved)
	}
}

// TestGrowthIsForetold: a machine whose racks state growth reports as many links that move as do once the racks are
// added to those that exist, with the bound that the comparison has.
func TestGrowthIsForetold(t *testing.T) {
	left, moving := 12, 0 // each plans three machines
	if graphtest.Long() {
		left = 100
	}
	rapid.Check(t, func(t *rapid.T) {
		if left == 0 {
			return
		}
		left--
		leaves := rapid.IntRange(2, 6).Draw(t, "leaves")
		more := rapid.IntRange(1, 6).Draw(t, "more")
		down := rapid.IntRange(6, 16).Draw(t, "down")
		text := func(count int, growth string) string {
			return fmt.Sprintf(`
racks:
  - {name: pod, count: %d%s, holds: [{boxes: server, units: 1-%d}, {switch: net/leaf, units: 41}]}
boxes: [{name: server, part: generic-node-1u}]
fabrics:
  - name: net
    topology: {family: fat-tree, radix: %d}
    ends: [{boxes: server}]
    switches: {switch: {part: generic-switch-64x400g}}
room: {rows: 1, racks_per_row: 20}
`, count, growth, down, 2*down)
		}
		plan := func(text string) *machine.Result {
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
		old := plan(text(leaves, fmt.Sprintf(", growth: {to: %d}", leaves+more)))
		dir := carriedOut(t, old)
		defer os.RemoveAll(dir)
		doc := compare(t, old, plan(text(leaves+more, "")+"owned: {plan: "+dir+"}\n")).Document()
		want := []string{}
		if doc.MovedLinks > 0 {
			moving++
			links := english.Count(doc.MovedLinks, "link")
			want = append(want, fmt.Sprintf("the larger machine lacks %s of this one between the same boxes, which "+
				"move; at least %d in any way", links, doc.LeastMoved))
		}
		got := []string{}
		for _, v := range old.Violations.List() {
			if v.Rule == cabling.RuleGrowth.ID {
				got = append(got, v.Message)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
	if moving == 0 && left == 0 {
		t.Error("no link of any machine moves")
	}
}
