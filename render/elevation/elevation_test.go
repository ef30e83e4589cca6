package elevation

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/scene"
)

// planned plans a machine file.
func planned(t *testing.T, text string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	small = `{name: "Two <levels>", topology: {family: fat-tree, nodes: 32, radix: 16}}`
	large = `{topology: {family: torus, dims: [16, 16, 16]}}`
)

// page lists the marks of a rack's page.
func page(t *testing.T, r *machine.Result, opt Options) string {
	t.Helper()
	c, err := Draw(r, opt)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := scene.List(&b, c.Scene); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), "Plenum "+machine.Version, "Plenum VERSION")
}

// A rack is the marks that it was when it was last looked at.
func TestMarksOfARack(t *testing.T) {
	r := planned(t, small)
	all := Of(r)
	golden.Compare(t, "rack.txt", page(t, r, Options{Racks: []string{all[0].Name}, Date: "1 May 2026"}))
}

// Every box of a rack is drawn with its name on both sides, in the units in which it stands.
func TestBoxesStandInTheirUnits(t *testing.T) {
	r := planned(t, small)
	for _, rack := range Of(r) {
		c, err := Draw(r, Options{Racks: []string{rack.Name}})
		if err != nil {
			t.Fatal(err)
		}
		k, _, _ := scale(&rack)
		unit := unitHeight * 1000 / unitMM / k
		drawn := map[string]int{}
		var lowest float64
		for _, m := range c.Scene.Marks {
			if f, ok := m.(scene.Frame); ok && f.Width == 2 {
				lowest = f.Y1 - 0.05/unitHeight*unit
			}
			f, ok := m.(scene.Fill)
			if !ok || f.Name == "" {
				continue
			}
			drawn[f.Name]++
			for _, b := range rack.Stack {
				if b.What != f.Name {
					continue
				}
				if got := (lowest-f.Y1)/unit + 1; got < float64(b.Unit)-0.01 || got > float64(b.Unit)+0.01 {
					t.Errorf("%s: %s is drawn from unit %g, not %d", rack.Name, b.What, got, b.Unit)
				}
			}
		}
		for _, b := range rack.Stack {
			if b.Kind != Free && drawn[b.What] != 2 {
				t.Errorf("%s: %s is drawn %d times", rack.Name, b.What, drawn[b.What])
			}
		}
	}
}

// TestWeightsThatAreNotStated: the weight and the power of a rack are shown with the number of boxes that they are
// without.
func TestWeightsThatAreNotStated(t *testing.T) {
	const text = `
topology: {family: leaf-spine, nodes: 3, down: 3, up: 1, spines: 1}
packaging: {leaf: {part: sw}, spine: {part: sw}, node: {part: %s, per_rack: 3}}
parts:
  - {id: sw, kind: switch, units: 1, width: 44 cm, depth: 60 cm, hop: 500 ns, weight: 10 kg, power: 1 kW,
     ports: [{count: 8, connector: qsfp28, rate: 100G}]}
  - {id: light, kind: node, units: 1, width: 44 cm, depth: 60 cm, ports: [{count: 1, connector: qsfp28, rate: 100G}]}
  - {id: heavy, kind: node, units: 1, width: 44 cm, depth: 60 cm, weight: 20 kg, power: 1 kW,
     ports: [{count: 1, connector: qsfp28, rate: 100G}]}
`
	for node, want := range map[string]string{"light": "weight: 3 boxes state none", "heavy": ""} {
		r := planned(t, fmt.Sprintf(text, node))
		for _, rack := range Of(r) {
			n := 0
			for i := range rack.Stack {
				if node == "light" && rack.Stack[i].Kind == Node {
					n++
				}
			}
			if rack.Unweighed() != n {
				t.Errorf("%s: %d boxes of %s have no weight, not %d", node, rack.Unweighed(), rack.Name, n)
			}
			marks := page(t, r, Options{Racks: []string{rack.Name}})
			power := strings.Replace(want, "weight", "power", 1)
			if n > 0 != strings.Contains(marks, "state none") ||
				n > 0 && !(strings.Contains(marks, want) && strings.Contains(marks, power)) {
				t.Errorf("%s: %q is not on the page of %s", node, want, rack.Name)
			}
		}
	}
}

// TestPowerOfSupplies: power distribution units and power shelves only pass power on, so that no rack lacks theirs; all
// figures that lack any name the same boxes.
func TestPowerOfSupplies(t *testing.T) {
	text, err := examples.Files.ReadFile("nvl72-8.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := planned(t, string(text))
	unpowered := 0
	for _, rack := range Of(r) {
		unpowered += rack.Unpowered()
		bound := strings.Contains(page(t, r, Options{Racks: []string{rack.Name}}), `"power: `)
		if bound != (rack.Unpowered() > 0) {
			t.Errorf("%s: %d boxes without a power, a lower bound is %v", rack.Name, rack.Unpowered(), bound)
		}
	}
	sum := int64(0)
	for _, o := range r.Bill.PowerUnstated {
		sum += o.Qty
	}
	note := slices.IndexFunc(r.Notes, func(n string) bool {
		return strings.Contains(n, "nvidia-nvlink-tray (72 boxes) and supermicro-cdu-4u-250kw (8 boxes)")
	})
	if unpowered != 80 || sum != 80 || note < 0 {
		t.Errorf("%d boxes of racks and %d of the bill state no power, note %d; all name 80", unpowered, sum, note)
	}
}

// TestNamesOfChassis: a chassis whose names do not fit has the numbers of its first and last box.
func TestNamesOfChassis(t *testing.T) {
	for _, c := range [][3]string{
		{"switches8: slingshot-switch-0029 to slingshot-switch-0032", "", "switches8: 0029 to 0032"},
		{"node-01", "A", "node-01, feed A"},
		{"a1: left to right", "", "a1: left to right"},
	} {
		if m := (&Mounted{What: c[0], Feed: c[1]}); m.shortTitle() != c[2] {
			t.Errorf("%s: %q, not %q", c[0], m.shortTitle(), c[2])
		}
	}
}

// TestPartsDiffer: two parts of switches have two colours, and service boxes the names of the machine file.
func TestPartsDiffer(t *testing.T) {
	text, err := examples.Files.ReadFile("nvl72-8.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := planned(t, string(text))
	d, err := newDrawing(r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.fill(Switch, "nvidia-sn2201") == d.fill(Switch, "nvidia-sn5610") {
		t.Error("two parts of switches have one colour")
	}
	marks := page(t, r, Options{Racks: []string{"A01"}})
	for _, want := range []string{
		"nvsw: 9 boxes", "2 zero-U units", "1 of 1 port used",
		"at least 27 kg of 1500 kg", "weight: 38 boxes state none",
	} {
		if !strings.Contains(marks, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}

// run runs a public program on a file.
func run(t *testing.T, data []byte, program string, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal("no ", program)
		}
		t.Skip("no ", program)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range args {
		if args[i] == "FILE" {
			args[i] = file
		}
	}
	cmd := exec.Command(program, args...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 {
		t.Fatalf("%s: %v\n%s", program, err, &complaints)
	}
	return out.Bytes()
}

// A book has a page for each rack, which a public program finds where floor and index say, and is the same twice.
func TestBook(t *testing.T) {
	r := planned(t, small)
	var one, two bytes.Buffer
	for _, b := range []*bytes.Buffer{&one, &two} {
		if err := Book(t.Context(), b, r, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("two books of one plan differ")
	}
	racks := Of(r)
	text := strings.Split(string(run(t, one.Bytes(), "pdftotext", "-layout", "FILE", "-")), "\f")
	if want := len(racks) + 2; len(text) != want+1 { // the last page ends with a form feed, too
		t.Fatalf("%d pages, want %d", len(text)-1, want)
	}
	for i, rack := range racks {
		n := i + 3
		if !strings.Contains(text[n-1], "Rack "+rack.Name) {
			t.Errorf("page %d is not of rack %s", n, rack.Name)
		}
		found := false
		for line := range strings.Lines(text[1]) {
			words := strings.Fields(line)
			for k := range words {
				found = found || words[k] == rack.Name && strings.Contains(line, fmt.Sprint(n))
			}
		}
		if !found || !strings.Contains(text[0], fmt.Sprint(n)) {
			t.Errorf("index or floor do not have rack %s on page %d", rack.Name, n)
		}
		for _, m := range rack.Stack {
			if m.Kind != Free && !strings.Contains(text[n-1], m.What) {
				t.Errorf("page %d lacks %s", n, m.What)
			}
		}
	}
	if img, err := png.Decode(bytes.NewReader(run(t, one.Bytes(), "pdftoppm", "-png", "-r", "40", "-f", "3", "-l", "3",
		"FILE"))); err != nil || img.Bounds().Dx() < 300 {
		t.Error(err)
	}
}

// A book of many racks is bounded and says what it leaves out; racks that are alike share a page if asked to.
func TestBookOfManyRacks(t *testing.T) {
	r := planned(t, large)
	racks := Of(r)
	if len(racks) < 100 {
		t.Fatalf("%d racks", len(racks))
	}
	if n := Count(r); n != len(racks) {
		t.Errorf("%d racks are counted, %d listed", n, len(racks))
	}
	first, left, err := paged(r, Options{Most: 5})
	if err != nil || left != len(racks)-5 || !reflect.DeepEqual(first, Groups(racks, false)[:5]) {
		t.Errorf("the first five are not those of all: %v", err)
	}
	groups := Groups(racks, true)
	n := 0
	for _, g := range groups {
		for _, k := range g {
			n++
			if k.alike() != g[0].alike() {
				t.Errorf("%s and %s are not alike", k.Name, g[0].Name)
			}
		}
	}
	if n != len(racks) || len(groups) >= len(racks)/2 || len(Groups(racks, false)) != len(racks) {
		t.Errorf("%d racks in %d groups", n, len(groups))
	}
	var b bytes.Buffer
	if err := Book(t.Context(), &b, r, Options{Most: 5}); err != nil {
		t.Fatal(err)
	}
	text := string(run(t, b.Bytes(), "pdftotext", "FILE", "-"))
	pages, said := strings.Count(text, "\f"), fmt.Sprintf("Grey: %d racks without a page; %[1]d racks left out: name "+
		"those to draw, or group those that are alike.", len(racks)-5)
	if pages != 7 || !strings.Contains(strings.Join(strings.Fields(text), " "), said) {
		t.Errorf("%d pages; %q is not said", pages, said)
	}
}

// However a stack is given, it stands from the top down, equals in their order.
func TestStackedIsSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.SliceOfN(rapid.IntRange(0, 8), 0, 8).Draw(t, "units")
		if rapid.Bool().Draw(t, "rising") {
			slices.Sort(units)
		}
		stack := make([]Mounted, len(units))
		for i, u := range units {
			stack[i] = Mounted{Kind: Node, Unit: u, Units: 1, Boxes: i}
		}
		var want []int
		for u := 8; u >= 0; u-- {
			for i := range units {
				if units[i] == u {
					want = append(want, i)
				}
			}
		}
		var got []int
		for _, m := range stacked(stack, 8) {
			if m.Kind != Free {
				got = append(got, m.Boxes)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v stand as %v, expected %v", units, got, want)
		}
	})
}

func TestDrawRefuses(t *testing.T) {
	r := planned(t, small)
	name := Of(r)[0].Name
	for _, opt := range []Options{{Racks: []string{"nowhere", name}}, {}} {
		if _, err := Draw(r, opt); err == nil {
			t.Errorf("%+v is drawn", opt)
		}
	}
	_, err := Chosen(r, Options{Racks: []string{name + "x"}})
	if err == nil || !strings.Contains(err.Error(), "did you mean") {
		t.Error(err)
	}
	if got, err := Chosen(r, Options{Racks: []string{name, name}}); err != nil || len(got) != 1 {
		t.Errorf("%d racks, %v", len(got), err)
	}
}
