package netbox

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// forms are the import forms of a release of NetBox, as testdata/forms.txt has them.
type forms struct {
	fields map[string]map[string]bool // true of those that must be filled in
	words  map[string][]string
}

func readForms(t *testing.T) forms {
	data, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := forms{map[string]map[string]bool{}, map[string][]string{}}
	for entry := range strings.SplitSeq(strings.ReplaceAll(string(data), "\n    ", " "), "\n") {
		words := strings.Fields(entry)
		switch {
		case len(words) > 2 && words[0] == "form":
			f.fields[words[1]] = map[string]bool{}
			for _, field := range words[2:] {
				name, must := strings.CutPrefix(field, "*")
				f.fields[words[1]][name] = must
			}
		case len(words) > 2 && words[0] == "words":
			f.words[words[1]] = words[2:]
		}
	}
	return f
}

// check holds a row against its form.
func (f forms) check(t *testing.T, form string, row map[string]string) {
	t.Helper()
	for field, must := range f.fields[form] {
		if must && row[field] == "" {
			t.Fatalf("%s: %s is empty in %v", form, field, row)
		}
	}
	for field, value := range row {
		if _, ok := f.fields[form][field]; !ok {
			t.Fatalf("%s: NetBox has no field %s", form, field)
		}
		if words := f.words[form+"."+field]; value != "" && words != nil && !slices.Contains(words, value) {
			t.Fatalf("%s: %s is %q, which is none of its words", form, field, value)
		}
	}
}

// tally is what importing found.
type tally struct {
	racks, devices, cables, several, ends int
	power                                 int                          // cords
	types                                 map[string]map[string]string // ports of each model, with their form
	documents                             map[string]string            // of each model
	notes                                 []string
}

// written is the files of a plan.
func written(t *testing.T, r *machine.Result, fabric string) (map[string][]byte, []string) {
	t.Helper()
	x, err := New(r, fabric)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for name, write := range x.Files(context.Background()) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		out[name] = b.Bytes()
	}
	return out, x.Notes
}

// imported imports the files of a plan, in their order, as NetBox would: every name has to be there when it is used,
// every unit of a rack and every port is taken once.
func imported(t *testing.T, r *machine.Result, fabric string) tally {
	t.Helper()
	f := readForms(t)
	files, notes := written(t, r, fabric)
	out := tally{types: map[string]map[string]string{}, documents: map[string]string{}, notes: notes}
	table := func(name string) []map[string]string {
		records, err := csv.NewReader(bytes.NewReader(files[name])).ReadAll()
		if err != nil {
			t.Fatal(name, err)
		}
		var rows []map[string]string
		for _, record := range records[1:] {
			row := map[string]string{}
			for i, field := range record {
				row[records[0][i]] = field
			}
			f.check(t, name, row)
			rows = append(rows, row)
		}
		return rows
	}
	there := map[string]bool{}
	add := func(kind, name string) {
		if there[kind+"\n"+strings.ToLower(name)] {
			t.Fatalf("the %s %q comes twice", kind, name)
		}
		there[kind+"\n"+strings.ToLower(name)] = true
	}
	need := func(kind, name string) {
		if !there[kind+"\n"+strings.ToLower(name)] {
			t.Fatalf("there is no %s %q", kind, name)
		}
	}
	for file, kind := range map[string]string{Sites: "site", Manufacturers: "manufacturer", Roles: "role"} {
		for _, row := range table(file) {
			add(kind, row["name"])
			add(kind+" slug", row["slug"])
		}
	}
	heights := map[string]int{}
	decoder := yaml.NewDecoder(bytes.NewReader(files[Types]))
	for {
		var d map[string]any
		if err := decoder.Decode(&d); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		model := out.deviceType(t, f, d)
		need("manufacturer", d["manufacturer"].(string))
		add("type", d["manufacturer"].(string)+"/"+model)
		add("type slug", d["slug"].(string))
		heights[model] = d["u_height"].(int)
	}
	unitsOf := map[string]int{}
	if files[Racks] != nil {
		for _, row := range table(Racks) {
			need("site", row["site"])
			add("rack", row["name"])
			unitsOf[row["name"]], _ = strconv.Atoi(row["u_height"])
			out.racks++
		}
	}
	models := map[string]string{}
	for _, row := range table(Devices) {
		need("site", row["site"])
		need("role", row["role"])
		need("type", row["manufacturer"]+"/"+row["device_type"])
		if row["rack"] != "" {
			need("rack", row["rack"])
		}
		add("device", row["name"])
		models[row["name"]] = row["device_type"]
		if at, err := strconv.Atoi(row["position"]); err == nil {
			for u := at; u < at+heights[row["device_type"]]; u++ {
				if u < 1 || u > unitsOf[row["rack"]] {
					t.Fatalf("%v: the rack has %d units", row, unitsOf[row["rack"]])
				}
				add("unit", fmt.Sprint(row["rack"], u))
			}
		}
		out.devices++
	}
	lanes := map[[2]string]bool{}
	if files[Interfaces] != nil {
		for _, row := range table(Interfaces) {
			need("device", row["device"])
			if out.types[models[row["device"]]][row["name"]] != "" || lanes[[2]string{row["device"], row["name"]}] {
				t.Fatalf("%v is there", row)
			}
			lanes[[2]string{row["device"], row["name"]}] = true
		}
	}
	plug := func(e termination) {
		need("device", e.Device)
		got := out.types[models[e.Device]][e.Name]
		if lanes[[2]string{e.Device, e.Name}] {
			got = "dcim.interface"
		}
		if got != e.Type {
			t.Fatalf("%v: the port is a %q", e, got)
		}
		add(e.Type, e.Device+"\n"+e.Name)
		out.ends++
	}
	for _, row := range table(Cables) {
		plug(termination{row["side_a_type"], row["side_a_device"], row["side_a_name"]})
		plug(termination{row["side_b_type"], row["side_b_device"], row["side_b_name"]})
		add("cable", row["label"])
		out.cables++
	}
	ends := out.ends
	if files[PowerCables] != nil {
		for _, row := range table(PowerCables) {
			plug(termination{row["side_a_type"], row["side_a_device"], row["side_a_name"]})
			plug(termination{row["side_b_type"], row["side_b_device"], row["side_b_name"]})
			add("cable", row["label"])
			out.power++
		}
	}
	out.ends = ends
	var several []cable
	if data := files[SeveralEnds]; data != nil {
		if err := json.Unmarshal(data, &several); err != nil || len(several) == 0 {
			t.Fatal(len(several), err)
		}
	}
	for _, c := range several {
		f.check(t, Cables, map[string]string{
			"side_a_type": c.A[0].Type, "side_a_name": c.A[0].Name,
			"side_b_type": c.B[0].Type, "side_b_name": c.B[0].Name,
			"type": c.Type, "status": c.Status, "length_unit": c.Unit,
		})
		if len(c.A) < 2 && len(c.B) < 2 {
			t.Fatalf("%v has one end at each side", c)
		}
		for _, e := range slices.Concat(c.A, c.B) {
			plug(e)
		}
		add("cable", c.Label)
		out.several++
	}
	return out
}

// deviceType holds a device type against its forms and returns its model.
func (y *tally) deviceType(t *testing.T, f forms, d map[string]any) string {
	t.Helper()
	model := d["model"].(string)
	y.types[model] = map[string]string{}
	top := map[string]string{}
	for key, value := range d {
		list, ok := value.([]any)
		if !ok {
			top[key] = fmt.Sprint(value)
			continue
		}
		for _, item := range list {
			row := map[string]string{}
			for k, v := range item.(map[string]any) {
				row[k] = fmt.Sprint(v)
			}
			f.check(t, key, row)
			kind := map[string]string{
				"interfaces": "dcim.interface", "front-ports": "dcim.frontport", "rear-ports": "dcim.rearport",
				"power-ports": "dcim.powerport", "power-outlets": "dcim.poweroutlet",
			}[key]
			if kind == "" {
				continue
			}
			if y.types[model][row["name"]] != "" {
				t.Fatalf("%s has two ports %q", model, row["name"])
			}
			y.types[model][row["name"]] = kind
		}
	}
	f.check(t, Types, top)
	data, err := yaml.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	y.documents[model] = string(data)
	return model
}

func planOf(t *testing.T, path string) *machine.Result {
	t.Helper()
	s, err := machine.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// slow are the examples that take more than a second of processor time, but for torus-4096-cubes: PLENUM_LONG=1 has
// them imported, too.
var slow = []string{
	"bluegene-l.yaml", "clex-4096-racks.yaml", "clex-4096.yaml", "clex-torus.yaml", "frontier.yaml", "fugaku.yaml",
	"ibt/hypercube.yaml",
	"ibt/ibt.yaml", "ibt/torus-4d.yaml", "mrc-8-planes.yaml", "torus-4096-racks.yaml", "tpu-v4.yaml",
}

// TestNetBoxImportsPlans imports the files of every example that has a list of cables: every box and every cable is
// there, and nothing twice. Some have ports that are broken out, some panels.
func TestNetBoxImportsPlans(t *testing.T) {
	examples, err := filepath.Glob("../../examples/*.yaml")
	folders, err2 := filepath.Glob("../../examples/*/*.yaml")
	if err := errors.Join(err, err2); err != nil || len(examples) == 0 || len(folders) == 0 {
		t.Fatal(len(examples), len(folders), err)
	}
	examples = append(examples, folders...)
	// Those of searches and comparisons are not machines, but for some of 4,096 nodes that take seconds. What is held
	// here of a CLEX of a quarter of a million nodes takes more than 14 GB: examples of that size are left out.
	examples = slices.DeleteFunc(examples, func(path string) bool {
		return strings.Contains(path, "/searches/") || strings.Contains(path, "/comparing/") ||
			strings.Contains(path, "/quarter-million/")
	})
	for _, name := range slow {
		if !slices.Contains(examples, "../../examples/"+name) {
			t.Errorf("there is no example %s", name)
		}
	}
	several, panels := 0, 0
	for _, path := range append(examples, "../../machine/testdata/structured.yaml",
		"../../cabling/testdata/plans/shuffles.yaml") {
		name, _ := strings.CutPrefix(path, "../../examples/")
		t.Run(name, func(t *testing.T) {
			if os.Getenv("PLENUM_LONG") != "1" && slices.Contains(slow, name) {
				t.Skip("it takes seconds; PLENUM_LONG=1 has it imported")
			}
			r := planOf(t, path)
			if r.Schedule.Segments == nil {
				t.Skip("the plan is a summary")
			}
			got := wholeImport(t, r)
			several += got.several
			panels += got.devices - topology.Vertices(r.Graph)
		})
	}
	if several == 0 || panels == 0 {
		t.Errorf("%d cables of several ends and %d panels are in the examples, which should have both", several, panels)
	}
}

// wholeImport imports the files of a plan and holds that nothing of the plan is missing.
func wholeImport(t *testing.T, r *machine.Result) tally {
	t.Helper()
	got := imported(t, r, "")
	boxes := topology.Vertices(r.Graph)
	if r.Schedule.Patching != nil {
		boxes += len(r.Schedule.Patching.Panels)
	}
	if got.devices != boxes || int64(got.cables+got.several) != r.Schedule.Cables {
		t.Errorf("%d devices for %d boxes, %d and %d cables for %d", got.devices, boxes, got.cables,
			got.several, r.Schedule.Cables)
	}
	if (got.racks > 0) != (r.Room() != nil) {
		t.Errorf("%d racks", got.racks)
	}
	t.Logf("%d racks, %d devices, %d cables, %d of several ends\n%s", got.racks, got.devices, got.cables,
		got.several, strings.Join(got.notes, "\n"))
	// The importer of parts finds the ports again.
	for model, d := range got.documents {
		part, _, err := catalog.ImportDevice([]byte(d), "type.yaml", "")
		if err != nil {
			t.Fatal(err)
		}
		panel, rears := 0, 0
		for _, kind := range got.types[model] {
			switch kind {
			case "dcim.frontport":
				panel++
			case "dcim.rearport":
				rears++
			}
		}
		if panel == 0 { // a panel of shuffles
			panel = rears
		}
		known := strings.Count(d, "type: ") - strings.Count(d, "type: other") -
			strings.Count(d, "mgmt_only: true") - strings.Count(d, "type: iec-") - strings.Count(d, "type: dc-terminal")
		if part.Panel == nil && part.PortCount() != known || part.Panel != nil && part.Panel.Ports != panel {
			t.Errorf("%s came back with %d ports of %d:\n%s", model, part.PortCount(), known, d)
		}
	}
	return got
}

// The fabrics of a machine divide its cables.
func TestFabricsDivideCables(t *testing.T) {
	r := planOf(t, "../../examples/basepod.yaml")
	all, sum := imported(t, r, ""), 0
	for _, f := range r.Fabrics {
		one := imported(t, r, f.Name)
		if one.devices > all.devices || one.cables+one.several == 0 {
			t.Errorf("%s: %d devices of %d, %d cables", f.Name, one.devices, all.devices, one.cables+one.several)
		}
		sum += one.cables + one.several
	}
	if sum != all.cables+all.several {
		t.Errorf("the fabrics have %d cables of %d", sum, all.cables+all.several)
	}
}

func parsed(t *testing.T, text string) *machine.Result {
	t.Helper()
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

// No name of a machine begins a formula, and a name that is guarded is so wherever it stands.
func TestNamesAreNoFormulas(t *testing.T) {
	r := parsed(t, `
name: "=cmd()"
topology: {family: fat-tree, nodes: 8, radix: 4}
parts:
  - {id: box, kind: node, maker: "@maker", description: "=1+1", units: 1, width: 0.44 m, depth: 0.7 m, power: 300 W,
     ports: [{count: 1, connector: osfp, rate: 400}]}
packaging: {node: {part: box}}
`)
	imported(t, r, "")
	files, _ := written(t, r, "")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for line := range strings.SplitSeq(string(files[name]), "\n") {
			for field := range strings.SplitSeq(line, ",") {
				if field = strings.TrimLeft(field, `"`); field != "" && strings.ContainsRune("=@+", rune(field[0])) {
					t.Errorf("%s has the formula %s", name, field)
				}
			}
		}
	}
}

func TestWhatNetBoxRefuses(t *testing.T) {
	r := parsed(t, `
topology: {family: fat-tree, nodes: 8, radix: 4}
names: {boxes: {node: "a-name-that-is-so-long-that-it-is-longer-than-the-sixty-four-characters-{n}"}}
`)
	x, err := New(r, "")
	told := func(n string) bool { return strings.Contains(n, "64 characters") }
	if err != nil || !slices.ContainsFunc(x.Notes, told) {
		t.Fatal(err, x)
	}
	names := map[string]bool{}
	for _, d := range x.devices {
		names[d.name] = true
		if len(d.name) > 64 {
			t.Errorf("a device of %d characters", len(d.name))
		}
	}
	if len(names) != len(x.devices) {
		t.Errorf("%d names of %d devices", len(names), len(x.devices))
	}
	s := r.Schedule.Segments
	r.Schedule.Segments = nil
	if _, err := New(r, ""); err != exchange.ErrSummary {
		t.Error(err)
	}
	r.Schedule.Segments = s
}

func TestInterfaceTypesAreWordsOfNetBox(t *testing.T) {
	f := readForms(t)
	for _, p := range catalog.Default().Parts() {
		for _, g := range p.Ports {
			if kind := catalog.InterfaceType(g.Connector, g.Rate); !slices.Contains(f.words["interfaces.type"], kind) {
				t.Errorf("%s: %s at %v is %q", p.ID, g.Connector, g.Rate, kind)
			}
		}
		if p.Cable != nil && !slices.Contains(f.words["cables.csv.type"], cableType(p.Cable)) {
			t.Errorf("%s is a %q", p.ID, cableType(p.Cable))
		}
		if p.Panel == nil {
			continue
		}
		word, family := portType(p.Panel.Connector), strings.TrimSuffix(p.Panel.Connector, "-apc")
		unknown := slices.Contains([]string{"mmc16", "snmt16"}, family) // NetBox has no word for these plugs
		if !slices.Contains(f.words["front-ports.type"], word) || (word == "other") != unknown {
			t.Errorf("%s has %q", p.ID, word)
		}
	}
}

// TestPowerTypesAreWordsOfNetBox: all types that parts may state are words of NetBox, those of IEC 60320 that NetBox
// has are called by their own.
func TestPowerTypesAreWordsOfNetBox(t *testing.T) {
	f := readForms(t)
	ports, outlets := f.words["power-ports.type"], f.words["power-outlets.type"]
	if len(ports) != 106 || len(outlets) != 100 {
		t.Fatalf("%d and %d words in testdata/forms.txt", len(ports), len(outlets))
	}
	if inletType(catalog.Busbar) != "dc-terminal" || outletType("c39") != "eaton-c39" {
		t.Errorf("%s, %s", inletType(catalog.Busbar), outletType("c39"))
	}
	for n := range 100 {
		kind := fmt.Sprintf("c%d", n)
		for _, test := range []struct {
			got   string
			words []string
		}{{inletType(kind), ports}, {outletType(kind), outlets}} {
			own := "iec-60320-" + kind
			if !slices.Contains(test.words, test.got) || slices.Contains(test.words, own) != (test.got == own) {
				t.Errorf("%s is called %q", kind, test.got)
			}
		}
	}
}

// TestPowerIsExported: every cord of the power schedule that leads to an outlet is a cable between a power port and an
// outlet of the device types, and a fabric has those between its own boxes alone.
func TestPowerIsExported(t *testing.T) {
	s, err := machine.Parse("power.yaml", []byte(`
name: power
boxes:
  - {name: server, part: server}
  - {name: pdu, role: service, part: apc-ap8886}
racks: [{name: pod, part: rack-42u, count: 2, feeds: [A, B], holds: [{boxes: server, units: [1-10]},
         {switch: oob, units: 42}, {boxes: pdu, count: 2}]}]
fabrics:
  - name: oob
    topology: {family: access}
    ends: [{boxes: server, ports: bmc}]
    switches: {leaf: {part: nvidia-sn2201}}
room: {feeds: [{name: A}, {name: B}]}
cabling: {colours: {feeds: {A: red}}}
parts:
  - {id: server, kind: node, units: 1, power: 800 W, inlets: {c14: 2}, redundancy: N+1,
     ports: [{name: bmc, count: 1, connector: rj45, rate: 1G}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	cords := 0
	for i := range r.Power.Racks {
		for _, c := range r.Power.Racks[i].Cords {
			if c.Supply >= 0 {
				cords++
			}
		}
	}
	if got := imported(t, r, ""); got.power != cords || cords < 40 {
		t.Fatalf("%d cords of %d", got.power, cords)
	}
	files, notes := written(t, r, "oob")
	if files[PowerCables] != nil || !strings.Contains(strings.Join(notes, "\n"), "power cord") {
		t.Fatalf("PDUs are in no fabric: %v", notes)
	}
	files, _ = written(t, r, "")
	if n := strings.Count(string(files[PowerCables]), "feed A, red"); n != cords/2 {
		t.Fatalf("%d red cords of %d", n, cords)
	}
}
