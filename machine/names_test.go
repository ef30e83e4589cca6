package machine_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// Switches of fabrics are named by their kind, written with a dash or a slash, and by what their fabric knows of them.
func TestNamesOfFabrics(t *testing.T) {
	r := buy(t, pod+`
names:
  boxes:
    dgx: "{rack}.{in_rack}"
    compute/leaf: leaf-r{rail+1}
    compute-spine: cs{n}
    switch: "{fabric}-{kind}-{n:02}"
  cables: "{fabric}.{level}.{n:04}"
`)
	for address, want := range map[string]string{
		"dgx-3": "A02.1", "dgx-8": "A08.2", "compute-leaf-3": "leaf-r3", "compute-spine-2": "cs2",
		"in-band-leaf-1": "in-band-in-band-leaf-01", "manager-4": "manager-4",
	} {
		if v, err := r.Names.Find(address); err != nil || r.Names.Name(v) != want {
			t.Errorf("%s is called %s, %v; want %s", address, r.Names.Name(v), err, want)
		}
	}
	compute, err := r.Fabric("compute")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := compute.Names.Find("leaf-r3"); err != nil || compute.Graph.Label(v) != "u0.r2" {
		t.Errorf("leaf-r3 is %d in its fabric, %v", v, err)
	}
	for number, want := range map[int64]string{1: "compute.terminal.0001", r.Schedule.Cables: "oob.uplink."} {
		if id := r.Schedule.CableID(number); !strings.HasPrefix(id, want) || !r.IsCable(id) {
			t.Errorf("cable %d is %s, want %s", number, id, want)
		}
	}
	if b := r.ExplainBox("leaf-r3", ""); b == nil || b.Name != "leaf-r3" || b.Kind != "compute-leaf" {
		t.Errorf("%+v", b)
	}
}

// Boxes are found in tables of places by their names, by their addresses, and as tables of earlier versions call them.
func TestPlacesByName(t *testing.T) {
	const file = `topology: {family: torus, dims: [8]}
packaging: {node: {per_rack: 2}}
room: {rows: 2, racks_per_row: 4}
names: {boxes: {node: "t{x+1:02}"}}
embedding: {placement: places.csv, effort: quick, lock: LOCK}
`
	for _, test := range []struct{ table, lock, wrong string }{
		{"label,container,unit\nt06,row B/rack 4,17\n", "[t06]", ""},
		{"vertex,label,container,unit\n9,t06,B04,17\n", "[(5)]", ""}, // the name decides
		{"vertex,label,container,unit\n5,(5),B04,17\n", "[t06]", ""}, // as earlier versions wrote it
		{"label,container,unit\n(5),B04,17\n", "[t06]", ""},
		{"vertex,label,container,unit,address\n1,gone,B04,17,(5)\n", "[gone]", ""}, // it had another name then
		{"vertex,label,container,unit,address\n1,N2,B04,17,(5)\n", "[t06]", ""},
		{"vertex,label,container,unit\n5,t99,B04,17\n", "all", "places.csv:2:3: vertex 5 is t06, not t99"},
		{"label,container,unit\nt60,B04,17\n", "all", "places.csv:2:1: there is no vertex t60; did you mean t06?"},
		{"address,container,unit\n(9),B04,17\n", "all", "places.csv:2:1: there is no vertex (9); did you mean"},
		{"label,container,unit\nt06,B04,17\n", "[t66]", `lists no vertex "t66"`},
	} {
		path := write(t, "m.yaml", strings.Replace(file, "LOCK", test.lock, 1), "places.csv", test.table)
		r, err := planFile(t, path)
		if test.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%q: %v, want %s", test.table, err, test.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", test.table, err)
			continue
		}
		l := r.Placement.Layout
		if slot := r.Placement.Slot[5]; l.Path(slot) != "B04/U17" {
			t.Errorf("%q: t06 stands at %s", test.table, l.Path(slot))
		}
	}
}

// A table mends what patterns call alike, and may call boxes as patterns do.
func TestTablesBeforePatterns(t *testing.T) {
	r, err := planFile(t, write(t, "m.yaml", `topology: {family: fat-tree, nodes: 16, radix: 16}
names: {boxes: {leaf: leaf, spine: "s{n}"}, table: names.csv}
`, "names.csv", "box,name\nu1.r0,other\ns1,first\n"))
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{"u0.r0": "leaf", "u1.r0": "other", "s0": "first"} {
		if v, err := r.Names.Find(address); err != nil || r.Names.Name(v) != want {
			t.Errorf("%s is called %s, %v; want %s", address, r.Names.Name(v), err, want)
		}
	}
}

// Mistakes in names are reported at their line of the machine file or of the table.
func TestMistakesInNames(t *testing.T) {
	const file = `topology: {family: fat-tree, nodes: 16, radix: 16}
packaging: {node: {per_rack: 4}}
`
	for _, test := range []struct{ names, table, wrong string }{
		{`{table: names.csv}`, "box,name\nN01,a\nN02,a\n", `names.csv:3:1: "a" is the name of another box on line 2`},
		{
			`{boxes: {leaf: "l{n}"}, table: names.csv}`, "box,name\nN01,l1\n",
			`names.csv:2:1: leaf u0.r0 and node u0.n0 are both called "l1"`,
		},
		{`{table: nowhere.csv}`, "", "names.table: open "},
		{`{table: .}`, "", "is not a regular file"},
		{`{boxes: {node: "{rack}"}}`, "", "names.boxes.node: node u0.n0 and node u0.n1 are both called \"B01\""},
		{`{boxes: {node: "{rack}-{cell}"}}`, "", "names.boxes.node: u0.n0 has no {cell}"},
		{`{boxes: {node: "{container}"}}`, "", "names.boxes.node: node has no field {container}"},
		{`{boxes: {node: "{n"}}`, "", "names.boxes.node: \"{n\" has a brace"},
		{`{cables: "{rack}{n}"}`, "", "names.cables: a cable has no field {rack}"},
		{`{cables: "{n-2}"}`, "", "names.cables: {n-2} is below 0"},
		{`{panels: "{rack}"}`, "", "names.panels: would call several panels the same"},
		{`{labels: "{rack}"}`, "", "names.labels: would label several ports the same"},
	} {
		_, err := planFile(t, write(t, "m.yaml", file+"names: "+test.names+"\n", "names.csv", test.table))
		if err == nil || !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %v, want %s", test.names, err, test.wrong)
		}
	}
}

// A topology is called by names without its machine, but for what says where a box stands.
func TestNamesOfTopologies(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(`topology: {family: fat-tree, nodes: 16, radix: 16}
names: {boxes: {node: "{rack}-{in_rack}", leaf: "leaf{n}"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	g, called, err := machine.Topology(s, "")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := called.Find("leaf2"); err != nil || g.Label(v) != "u1.r0" {
		t.Errorf("leaf2 is %d, %v", v, err)
	}
	if last := topology.Vertices(g) - 1; called.NameOrAddress(last) != "N16" {
		t.Errorf("the last node is %s", called.NameOrAddress(last))
	}
}
