package asbuilt

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine"
)

// planFile plans a machine file.
func planFile(t rapid.TB, file string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("test.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// planAfter plans as planFile does a machine that grows out of the plan in a directory, if one is named.
func planAfter(t rapid.TB, file, dir string) *machine.Result {
	t.Helper()
	if dir != "" {
		file += "owned: {plan: " + dir + "}\n"
	}
	return planFile(t, file)
}

// grown plans a machine file whose boxes stand where those of a plan do, as far as it has them.
func grown(t *testing.T, old *machine.Result, file string) *machine.Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), "placement.csv")
	var b bytes.Buffer
	if err := embed.WriteCSV(context.Background(), &b, old.Graph, old.Names, old.Placement); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return planFile(t, file+"\nembedding: {placement: "+path+"}\n")
}

// difference compares two machine files.
func difference(t *testing.T, old, new string, opt Options) *Difference {
	t.Helper()
	d, err := Compare(context.Background(), planFile(t, old), planFile(t, new), opt)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestGrowingPastAHundred: boxes whose names get a digit more are the same boxes.
func TestGrowingPastAHundred(t *testing.T) {
	old := planFile(t, "topology: {family: fat-tree, nodes: 96, radix: 32}")
	d, err := Compare(context.Background(), old, grown(t, old, "topology: {family: fat-tree, nodes: 128, radix: 32}"),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	doc := d.Document()
	if want := (BoxCount{Kept: 106, Added: 34}); doc.Boxes != want {
		t.Errorf("%+v, want %+v", doc.Boxes, want)
	}
}

// Published: Zhang, Niranjan Mysore, Supittayapornpong and Govindan, "Understanding Lifecycle Management Complexity of
// Datacenter Topologies", NSDI 2019. An edge with as many links to the north as to the south may have at most 25 % of
// them drained at a time where 75 % of the capacity have to stay. A Clos that is doubled has half of the links of its
// edge plugged in elsewhere, which takes two such steps; where capacity may degrade by 10 % and by 2.5 %, the ends of
// the range that the paper gives, five steps and twenty.
func TestClosExpansionStepsZhangNSDI2019(t *testing.T) {
	clos := func(nodes, spines string) string {
		return `
topology: {family: leaf-spine, nodes: ` + nodes + `, down: 40, up: 40, spines: ` + spines + `}
packaging:
  node: {part: generic-node-1u, per_rack: 40}
  switch: {part: generic-switch-128x400g, place: network-row, per_rack: 4}
room: {racks_per_row: 30}
cabling: {media: [{use: [fibre]}]}
`
	}
	// 40 leaves with two links to each of 20 spines become 80 with one to each of 40.
	old := planFile(t, clos("1600", "20"))
	dir := carriedOut(t, old)
	defer os.RemoveAll(dir)
	new := planFile(t, clos("3200", "40")+"owned: {plan: "+dir+"}\n")
	for _, c := range []struct {
		capacity float64
		steps    int
	}{{75, 2}, {90, 5}, {97.5, 20}} {
		d, err := Compare(context.Background(), old, new, Options{Capacity: c.capacity})
		if err != nil {
			t.Fatal(err)
		}
		doc := d.Document()
		steps := 0
		for i := range doc.Steps {
			if len(doc.Steps[i].Out) > 0 {
				steps++
			}
		}
		if steps != c.steps || doc.RewiredLinks != 800 || len(doc.Faults)+len(doc.Interrupts) > 0 {
			t.Errorf("%v %%: %d steps, want %d; %d links rewired, want 800; %v", c.capacity, steps, c.steps,
				doc.RewiredLinks,
				doc.Faults)
		}
	}
}

// TestPathsKept: nodes on two rails, all of whose cables are exchanged, keep one of two paths; those on one are
// cut off for a step and named.
func TestPathsKept(t *testing.T) {
	file := func(rails, use string) string {
		return `
topology: {family: leaf-spine, nodes: 16, down: 8, up: 4, spines: 1, rails: ` + rails + `}
cabling: {media: [{levels: [terminal], use: [` + use + `]}, {use: [any]}]}
`
	}
	d := difference(t, file("2", "copper"), file("2", "active-optical"), Options{})
	doc := d.Document()
	if doc.Cables.Exchanged != 32 || len(doc.Interrupts) > 0 || len(doc.Steps) != 2 {
		t.Errorf("two rails: %+v, %d steps, %v", doc.Cables, len(doc.Steps), doc.Interrupts)
	}
	d = difference(t, file("1", "copper"), file("1", "active-optical"), Options{})
	doc = d.Document()
	if doc.Cables.Exchanged != 16 || len(doc.Interrupts) != 16 || doc.Interrupts[0].First != 1 {
		t.Errorf("one rail: %+v, %v", doc.Cables, doc.Interrupts)
	}
	d = difference(t, file("1", "copper"), file("1", "active-optical"), Options{Capacity: 50})
	if doc = d.Document(); len(doc.Steps) != 2 || len(doc.Interrupts) != 16 || len(doc.Steps[0].Out) != 8 ||
		doc.Steps[0].Share != 50 {
		t.Errorf("half of the links: %d steps, %v", len(doc.Steps), doc.Interrupts)
	}
}

// TestWalkRefuses steps that cannot be taken.
func TestWalkRefuses(t *testing.T) {
	d := difference(t, "topology: {family: fat-tree, nodes: 64, radix: 32}",
		"topology: {family: fat-tree, nodes: 96, radix: 32}",
		Options{})
	swap := func(change func(steps []Step) []Step) []Step {
		steps := append([]Step(nil), d.Steps...)
		return change(steps)
	}
	for want, steps := range map[string][]Step{
		"is taken": swap(func(s []Step) []Step { // plugs in before it pulls out
			s[0], s[1] = s[1], s[0]
			s[0].Stand, s[1].Stand = s[1].Stand, nil
			s[0].In, s[0].Out = append(s[0].In, s[1].In...), nil
			return s
		}),
		"does not stand yet": swap(func(s []Step) []Step { s[0].Stand = nil; return s }),
		"where it belongs":   d.Steps[:len(d.Steps)-1],
		"without a path": swap(func(s []Step) []Step {
			for c := range d.pairs.of[0] {
				s[1].Out = append(s[1].Out, int32(c))
			}
			s[1].Out = s[1].Out[len(d.Steps[1].Out):]
			return s
		}),
		"is not there": swap(func(s []Step) []Step { return append(s, s[1]) }),
	} {
		if err := d.walk(steps); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one that says %q", err, want)
		}
	}
}

// TestWalkNamesCables holds that a fault of a cable is reported with the id that the cable has in its plan.
func TestWalkNamesCables(t *testing.T) {
	d := difference(t, "topology: {family: fat-tree, nodes: 64, radix: 32}",
		"topology: {family: fat-tree, nodes: 96, radix: 32}",
		Options{})
	id := func(side int, cable int32) string { return d.inv[side].s.CableID(int64(cable) + 1) }
	with := func(change func(last *Step)) []Step {
		steps := slices.Clone(d.Steps)
		change(&steps[len(steps)-1])
		return steps
	}
	leaves := int32(slices.IndexFunc(d.pairs.of[0], func(f fate) bool { return f != stays }))
	brought := d.Steps[len(d.Steps)-1].In
	missing := brought[len(brought)-1]
	if leaves < 1 || missing < 1 || leaves == missing {
		t.Fatalf("cables %d and %d tell nothing apart", leaves, missing)
	}
	for want, steps := range map[string][]Step{
		"in the end cable " + id(0, leaves) + " of the old plan is not where it belongs": nil,
		"in the end cable " + id(1, missing) + " of the new plan is missing": with(func(last *Step) {
			last.In = brought[:len(brought)-1]
		}),
		fmt.Sprintf("step %d: cable %s is plugged in already", len(d.Steps)+1, id(1, missing)): append(
			slices.Clone(d.Steps), Step{In: []int32{missing}}),
		fmt.Sprintf("step %d: cable %s is not there to be disconnected", len(d.Steps)+1, id(0, leaves)): append(
			slices.Clone(d.Steps), Step{Out: []int32{leaves}}),
	} {
		if err := d.walk(steps); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestOptions are refused out of range.
func TestOptions(t *testing.T) {
	r := planFile(t, "topology: {family: torus, dims: [2, 2]}")
	for _, opt := range []Options{
		{Paths: -1},
		{Paths: MostPaths + 1},
		{Capacity: -1},
		{Capacity: 101},
		{Capacity: math.NaN()},
	} {
		if _, err := Compare(context.Background(), r, r, opt); err == nil {
			t.Errorf("%+v is taken", opt)
		}
	}
}
