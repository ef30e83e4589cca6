package asbuilt

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
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
				// Other boxes have other ports, and larger units take boxes of the next ones, which the plan says.
				if doc.Boxes.Replaced > 0 || slices.ContainsFunc(new.Notes, func(note string) bool {
					return strings.HasPrefix(note, "of what exists, this machine does not have")
				}) {
					return
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
