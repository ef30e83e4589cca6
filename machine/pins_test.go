package machine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// write puts files into a directory and returns the path of the first.
func write(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, files[0])
}

const pinnedRing = `topology: {family: torus, dims: [8]}
packaging: {node: {per_rack: 2}}
room: {rows: 2, racks_per_row: 4}
embedding: {placement: places.csv, effort: quick}
`

// planFile plans a machine file.
func planFile(t *testing.T, path string) (*machine.Result, error) {
	t.Helper()
	spec, err := machine.Load(path)
	if err != nil {
		return nil, err
	}
	return machine.Plan(context.Background(), spec)
}

func TestPlacementFileBesideTheMachine(t *testing.T) {
	r, err := planFile(t, write(t, "m.yaml", pinnedRing, "places.csv",
		"label,container,unit\n(5),row B/rack 4,17\n(0),B04,20\n"))
	if err != nil {
		t.Fatal(err)
	}
	l := r.Placement.Layout
	if a, b := l.Path(r.Placement.Slot[5]), l.Path(r.Placement.Slot[0]); a != "B04/U17" || b != "B04/U20" {
		t.Errorf("5 at %s, 0 at %s", a, b)
	}
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "lists 2 of 8 vertices") {
		t.Errorf("notes %q", r.Notes)
	}
}

func TestPlacementMistakesAreShown(t *testing.T) {
	for _, c := range []struct{ file, places, want string }{
		{pinnedRing, "", "places.csv:1:1: the table is empty"},
		{pinnedRing, "label,container,unit\n(9),A01,1\n(1),Q01,1\n", "places.csv:2:1: there is no vertex (9)"},
		{pinnedRing, "label,container,unit\n(9),A01,1\n(1),Q01,1\n", "places.csv:3:5: row Q: the room has 2 rows"},
		{pinnedRing, "label,container,unit\n(11),A01,1\n", `did you mean (1)?`},
		{strings.Replace(pinnedRing, "places.csv", "none.csv", 1), "", "embedding.placement: open "},
		{strings.Replace(pinnedRing, "places.csv", ".", 1), "", "is not a regular file"},
		{strings.Replace(pinnedRing, "placement: places.csv", "lock: all", 1), "", "embedding.lock: nothing to lock"},
		{
			strings.Replace(pinnedRing, "effort", "lock: [all, node], effort", 1), "label,container,unit\n(1),A01,1\n",
			"embedding.lock[0]: all stands alone",
		},
		{
			strings.Replace(pinnedRing, "effort", "lock: [node, nod], effort", 1), "label,container,unit\n(1),A01,1\n",
			`embedding.lock[1]: the placement lists no vertex "nod"`,
		},
	} {
		_, err := machine.Load(write(t, "m.yaml", c.file, "places.csv", c.places))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "m.yaml:4:") {
			t.Errorf("%s\nwithout %q", err, c.want)
		}
	}
}

// A user's own placement is scored as it is: what is too much for a rack or row
// is said, not refused.
func TestLimitsOfPinnedBoxes(t *testing.T) {
	file := `topology: {family: torus, dims: [4]}
packaging: {node: {part: heavy}}
room: {rows: 1, racks_per_row: 4, rack: small, row_power: 3 kW, row_weight: 300 kg}
embedding: {placement: places.csv}
parts:
  - {id: small, kind: rack, description: r, units: 42, width: 0.6 m, depth: 1 m, height: 2 m,
     rack: {power: 1.5 kW, weight: 150 kg}, source: x, confidence: user}
  - {id: heavy, kind: node, description: n, units: 1, width: 0.4 m, depth: 0.8 m, power: 1 kW, weight: 100 kg,
     source: x, confidence: user,
     ports: [{count: 2, connector: qsfp112, rate: 400G}]}
`
	r, err := planFile(t, write(t, "m.yaml", file, "places.csv",
		"vertex,container,unit\n0,A01,1\n1,A01,2\n2,A02,1\n3,A02,2\n"))
	if err != nil {
		t.Fatal(err)
	}
	for rule, want := range map[*cabling.Rule]int{
		&cabling.RulePower: 2, &cabling.RuleWeight: 2,
		&cabling.RuleRowPower: 1, &cabling.RuleRowWeight: 1,
	} {
		if got := r.Violations.Count(*rule); got != want {
			t.Errorf("%s: %d violations, want %d", rule.ID, got, want)
		}
	}
	// Placed automatically, racks and rows keep to their limits or are refused.
	automatic := strings.Replace(file, "embedding: {placement: places.csv}", "", 1)
	_, err = planFile(t, write(t, "m.yaml", automatic))
	if err == nil || !strings.Contains(err.Error(), "the rows bear no more") {
		t.Error(err)
	}
	loose := strings.NewReplacer("embedding: {placement: places.csv}", "", "rows: 1", "rows: 2").Replace(file)
	if r, err := planFile(t, write(t, "m.yaml", loose)); err != nil ||
		r.Violations.Count(cabling.RuleRowWeight)+r.Violations.Count(cabling.RuleWeight) > 0 {
		t.Error(err)
	}
}

// Containers without counts get those of cubes, and the plan says which.
func TestContainersOfCubes(t *testing.T) {
	file := `topology: {family: clex, clique: 8, levels: 3, bundled: true}
room: {containers: [{name: c, gap: 1 m}, {name: b, gap: 0.4 m}, {name: a, pitch: 0.3 m}]}
packaging: {node: {part: many}}
parts:
  - {id: many, kind: node, description: n, units: 1, width: 0.2 m, depth: 0.2 m, power: 1 kW, weight: 1 kg, source: x,
     confidence: user,
     ports: [{count: 31, connector: qsfp112, rate: 400G}]}
`
	r, err := planFile(t, write(t, "m.yaml", file))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Spec.Room.Containers {
		if len(c.Count) != 3 || c.Count[0] != 2 || c.Count[1] != 2 || c.Count[2] != 2 {
			t.Errorf("%s: %v", c.Name, c.Count)
		}
	}
	// The full form cannot be cabled, but placed.
	full, err := machine.Load(write(t, "m.yaml", strings.Replace(file, ", bundled: true", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := machine.Plan(context.Background(), full); err == nil {
		t.Error("links of one way are planned")
	}
	placed, err := machine.Place(context.Background(), full, nil)
	if err != nil {
		t.Fatal(err)
	}
	if placed.Strategy != embed.Cubes || len(placed.Lengths) != 3 || placed.Lengths[2].Links == 0 ||
		placed.Lengths[2].Mean() <= placed.Lengths[1].Mean() {
		t.Errorf("%s %+v", placed.Strategy, placed.Lengths)
	}
	for _, c := range []struct{ from, to, want string }{
		{
			"clex, clique: 8, levels: 3, bundled: true", "torus, dims: [8, 8, 8]",
			"room.containers: a count is needed: a torus has no copies",
		},
		{"levels: 3", "levels: 2", "3 levels of containers without a count for the 2 levels of copies"},
		{"name: b, gap: 0.4 m", "name: b, pitch: 0.5 m", "room.containers[1].pitch: no box of 8 cells fits this pitch"},
		{
			"name: b, gap: 0.4 m", "name: b, gap: 0.4 m, count: [3, 2, 1]",
			"room.containers[1].count: 6 cells for 8 copies",
		},
		{"room:", "embedding: {strategy: random}\nroom:", "room.containers[0].count: missing"},
	} {
		_, err := machine.Load(write(t, "m.yaml", strings.Replace(file, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwithout %q", err, c.want)
		}
	}
}

// Strategies and folds that do not fit are refused where they stand.
func TestEmbeddingThatDoesNotFit(t *testing.T) {
	for _, c := range []struct{ topology, embedding, want string }{
		{
			"{family: torus, dims: [4, 4]}", "{strategy: rack-pairs}",
			"2:23: embedding.strategy: rack pairs are such as those of a slim-fly, and a torus has none",
		},
		{"{family: dragonfly, p: 2, a: 4, h: 2}", "{strategy: folded}", "auto, hierarchy, groups, hilbert, random"},
		{"{family: torus, dims: [4, 4]}", "{fold: [dim1, dim3]}", "2:26: embedding.fold[1]: the torus has no dim3"},
		{"{family: torus, dims: [4, 4]}", "{fold: x}", `embedding.fold[0]: "x" is not true, false or a dimension`},
		{"{family: dragonfly, p: 2, a: 4, h: 2}", "{fold: [dim1]}", "embedding.fold: dimensions are of lattices"},
		{
			"{family: torus, dims: [4, 4]}", "{strategy: hilbert, blocks: {rack: [2, 2]}}",
			"embedding.blocks: strategy hilbert does not use blocks",
		},
	} {
		_, err := machine.Parse("m.yaml", []byte("topology: "+c.topology+"\nembedding: "+c.embedding+"\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwithout %q", err, c.want)
		}
	}
}

// A machine that has grown is read with its own placement, in which the numbers of
// vertices are those of the smaller one: labels decide, and that is said once.
func TestPlacementOfAMachineThatGrows(t *testing.T) {
	const small = "topology: {family: fat-tree, nodes: 64, radix: 16}\nroom: {rows: 2, racks_per_row: 6}\n"
	before := planText(t, small)
	var table strings.Builder
	if err := embed.WriteCSV(context.Background(), &table, before.Graph, before.Schedule.Naming.Boxes,
		before.Placement); err != nil {
		t.Fatal(err)
	}
	after, err := planFile(t, write(t, "m.yaml", strings.Replace(small, "64", "96", 1)+
		"embedding: {placement: places.csv}\n", "places.csv", table.String()))
	if err != nil {
		t.Fatal(err)
	}
	type spot struct {
		rack string
		unit int
	}
	stands := func(r *machine.Result, v int) spot {
		l, slot := r.Placement.Layout, r.Placement.Slot[v]
		return spot{l.Path(slot), l.Unit(slot)}
	}
	at := map[string]spot{}
	for v := range topology.Vertices(before.Graph) {
		at[before.Graph.Label(v)] = stands(before, v)
	}
	for v := range topology.Vertices(after.Graph) {
		label := after.Graph.Label(v)
		if want, ok := at[label]; ok && stands(after, v) != want {
			t.Errorf("%s does not stand where it was, %v", label, want)
		}
	}
	told := 0
	for _, n := range after.Notes {
		if strings.Contains(n, "have another number in this machine: they were found by label") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("notes %q", after.Notes)
	}
}
