package machine_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
)

// templated is a machine of two templates of racks, whose switches are of one kind.
const templated = `
boxes:
- {name: pc, count: 12, part: generic-storage-2u}
- {name: helper, part: generic-server-1u, role: service}
- {name: pdu, part: pdu, role: service}
- {name: guest, count: 3, part: generic-server-1u, role: service, racks: one}
racks:
- name: one
  count: 2
  holds:
  - {boxes: pc, units: [1-8, 11]}
  - {boxes: helper, units: 20-22, face: rear}
  - {switch: oob, units: 42}
  - {boxes: pdu, count: 2}
- name: two
  count: 1
  holds:
  - {boxes: pc, units: 5-8}
  - {switch: oob/leaf, units: 1}
fabrics:
- name: data
  topology: {family: leaf-spine, down: 8, up: 2, spines: 2}
  ends: [{boxes: pc, ports: data}]
  switches: {switch: {part: nvidia-sn5610}}
- name: oob
  topology: {family: access}
  ends: [{boxes: pc, ports: bmc}, {boxes: helper, ports: bmc}, {boxes: guest, ports: bmc}, {boxes: pdu},
         {boxes: data/leaf, ports: management}]
  switches: {leaf: {part: nvidia-sn2201}}
room: {rows: 2, racks_per_row: 6, rack: rack-42u}
parts:
- {id: pdu, kind: node, zero_u: true, width: 56 mm, depth: 60 mm, height: 1.8 m, power: 15 W, weight: 11 kg,
   ports: [{count: 1, connector: rj45, rate: 1G, label: net, at: [[28 mm, 0.9 m]]}]}
- {id: generic-storage-2u, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 500 W, weight: 20 kg,
   ports: [{name: data, count: 1, connector: osfp, rate: 800G},
           {name: bmc, count: 1, connector: rj45, rate: 1G, by_name: true, label: bmc}]}
`

// seatsOf lists where boxes of a kind stand: name of the racks, number of the rack in the order of places, unit, and
// whether the front is at the rear.
func seatsOf(r *machine.Result, kind string) []string {
	var out []string
	rack := map[int32]string{}
	for i := range r.Placement.Racks {
		rack[r.Placement.Racks[i].Place] = r.Placement.Racks[i].Name
	}
	l := r.Placement.Layout
	for _, k := range r.Graph.Kinds() {
		for v := k.First; v < k.First+k.Count && k.Name == kind; v++ {
			slot := r.Placement.Slot[v]
			place := l.Container(layout.RackLevel, slot)
			side := ""
			if l.Rear(slot) {
				side = " rear"
			}
			out = append(out, fmt.Sprintf("%s %s %d%s", rack[place], r.Room().Name(int(place)), l.Unit(slot), side))
		}
	}
	return out
}

// TestTemplatesHoldBoxesAtTheirUnits: every box stands at the unit and face that its template says, rack by rack; boxes
// that share the racks by name take free units; boxes beside the units stand in every rack; switches of a kind that two
// templates hold stand in the first racks first.
func TestTemplatesHoldBoxesAtTheirUnits(t *testing.T) {
	r := buyAny(t, templated)
	for kind, want := range map[string]string{
		"pc": "one B01 1, one B01 3, one B01 5, one B01 7, one B01 11, one B02 1, one B02 3, one B02 5, one B02 7, " +
			"one B02 11, two B03 5, two B03 7",
		"helper": "one B01 20 rear, one B01 21 rear, one B01 22 rear, one B02 20 rear, one B02 21 rear, " +
			"one B02 22 rear",
		"oob-leaf": "one B01 42, one B02 42, two B03 1",
		"pdu":      "one B01 21 rear, one B01 21 rear, one B02 21 rear, one B02 21 rear",
		"guest":    "one B01 9, one B01 10, one B01 13",
	} {
		if got := strings.Join(seatsOf(r, kind), ", "); got != want {
			t.Errorf("%s stand at\n%s, want\n%s", kind, got, want)
		}
	}
	ownSwitches(t, r, "oob")
	for _, place := range []string{"end-of-row", "network-row", "middle-of-row"} {
		other := buyAny(t, strings.Replace(templated, "  count: 2\n", "  count: 2\n  place: "+place+"\n", 1))
		if got := seatsOf(other, "helper"); len(got) != 6 || !strings.HasSuffix(got[0], " 20 rear") {
			t.Errorf("%s: %v", place, got)
		}
	}
	at := buyAny(t, strings.Replace(templated, "  count: 2\n", "  count: 2\n  at: [B05, A02-A04]\n", 1))
	if got := seatsOf(at, "oob-leaf"); !slices.Equal(got, []string{"one B05 42", "one A02 42", "two A01 1"}) {
		t.Errorf("racks with positions: %v", got)
	}
}

// testingT is what tests of the testing package and of rapid have in common.
type testingT interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// ownSwitches checks that boxes in racks with a switch of a fabric are plugged into one of these.
func ownSwitches(t testingT, r *machine.Result, fabric string) {
	t.Helper()
	l, levels := r.Placement.Layout, r.Graph.Levels()
	rackOf := func(v int32) int32 { return l.Container(layout.RackLevel, r.Placement.Slot[v]) }
	kinds, has := r.Graph.Kinds(), map[int32]bool{}
	for _, k := range kinds {
		for v := k.First; v < k.First+k.Count && strings.HasPrefix(k.Name, fabric+"-"); v++ {
			has[rackOf(int32(v))] = true
		}
	}
	for link := range topology.Cables(r.Graph) {
		if !strings.HasPrefix(levels[link.Level].Name, fabric+"/") {
			continue
		}
		a, b := link.A, link.B
		if strings.HasPrefix(kinds[topology.KindOf(kinds, int(a))].Name, fabric+"-") {
			a, b = b, a
		}
		if has[rackOf(a)] && rackOf(a) != rackOf(b) {
			t.Errorf("%s is plugged in in rack %s, and stands in %s", r.Schedule.Naming.Boxes.Name(int(a)),
				r.Room().Name(int(rackOf(b))), r.Room().Name(int(rackOf(a))))
		}
	}
}

// TestTemplatesAreRefused: what cannot be is refused at its place, with what to write.
func TestTemplatesAreRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{
			"units: 42", "units: 43",
			"m.yaml:13:26: racks[0].holds[2].units[0]: oob/leaf reaches up to unit 43, and a rack " +
				"one has 42",
		},
		{"units: 20-22, face", "units: 7-9, face", "m.yaml:12:28: racks[0].holds[1].units[0]: unit 7 is taken by pc\n" +
			"give every box units of its own"},
		{"units: [1-8, 11]", "units: [1-7, 11]", "racks[0].holds[0].units[0]: 7 rack units, and a box of kind pc " +
			"(generic-storage-2u) takes 2\nwrite 1-8"},
		{"units: [1-8, 11]", "units: [1-8, x]", `racks[0].holds[0].units[1]: "x" is not a rack unit, nor a range`},
		{"boxes: pc, units: [", "boxes: pv, units: [", "racks[0].holds[0].boxes: there are no boxes \"pv\"\n" +
			"did you mean \"pc\"?"},
		{"switch: oob,", "switch: oop,", "racks[0].holds[2].switch: there are no boxes \"oop\"\ndid you mean \"oob\"?"},
		{"switch: oob,", "switch: pc,", "racks[0].holds[2].switch: pc is not a kind of switches\nwrite boxes: pc"},
		{"switch: oob,", "switch: data,", "racks[0].holds[2].switch: data has several kinds of switches\n" +
			"write an entry for each: data/leaf, data/spine"},
		{"count: 12,", "count: 13,", "racks[1]: there are 13 of kind pc, and 12 places for them in racks\n" +
			"write a larger count of racks, or more units"},
		{"count: 12,", "count: 10,", ""},
		{"  count: 1\n", "  count: 2\n", ""},
		{
			"count: 12, part", "count: 12, per_rack: 5, part",
			"boxes[0].per_rack: racks[0] (one) says at which units pc " +
				"stands\nremove per_rack, or leave pc out of racks",
		},
		{
			"{leaf: {part: nvidia-sn2201}}", "{leaf: {part: nvidia-sn2201, racks: net}}",
			"fabrics[1].switches.leaf.racks: " +
				"racks[0] (one) says at which units oob/leaf stands",
		},
		{"  count: 2\n", "", "boxes[1].count: missing\nwrite it, or how many racks one there are (count)"},
		{"  count: 2\n", "  count: 3\n  at: A01-A02\n", "racks[0].at: 2 positions for 3 racks"},
		{"height: 1.8 m", "height: 4 m", "boxes[2].part: pdu stands upright and is 4 m tall, a "},
		{
			"  count: 2\n", "  count: 2\n  at: [A01-A02, A2]\n",
			"racks[0].at[1]: racks one have positions of row A there " +
				"already: A02",
		},
		{"  count: 2\n", "  count: 2\n  at: [A01-A09]\n", "racks[0].at[0]: row A has only 6 rack positions"},
		{"  count: 2\n", "  count: 2\n  at: [here]\n", "racks[0].at[0]: \"here\" is not a row, rack position or range"},
		{
			"  count: 2\n", "  count: 2\n  part: rack-48u\n",
			"racks[0].part: no position of the room has a rack-48u: they " +
				"are of rack-42u\nwrite it as room.rack",
		},
		{"  count: 2\n", "  count: 2\n  part: rack-48\n", "racks[0].part: there is no part \"rack-48\""},
		{"name: two", "name: one", "racks[1].name: racks[0] has the name \"one\" already"},
		{"name: two", "name: a b", "racks[1].name: \"a b\" has blanks, commas or slashes"},
		{"{boxes: pdu, count: 2}", "{boxes: pdu, units: 3}", "racks[0].holds[3].units: pdu stands beside the units"},
		{
			"boxes: helper, units: 20-22, face: rear", "boxes: helper, count: 3",
			"racks[0].holds[1].count: is for boxes " +
				"beside the units",
		},
		{
			"boxes: helper, units: 20-22, face: rear", "boxes: helper",
			"racks[0].holds[1]: the units of helper are missing",
		},
		{"switch: oob,", "switch: oob, boxes: pc,", "racks[0].holds[2].switch: the entry is of boxes pc already"},
		{"count: 3, part", "count: 60, part", "boxes[3].racks: the racks one have no free units left for 60 boxes of " +
			"kind guest"},
	} {
		text := strings.Replace(templated, c.old, c.new, 1)
		s, err := machine.Parse("m.yaml", []byte(text))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.new, err)
			}
			continue
		}
		if !says(err, c.want) {
			t.Errorf("%s: %v\nwant %s", c.new, err, c.want)
		}
	}
}

// says reports whether an error has all lines of a text.
func says(err error, text string) bool {
	return err != nil && !slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
		return !strings.Contains(err.Error(), line)
	})
}

// TestTemplatesCountRacks: without a number of racks there are as many as boxes need; without boxes for all racks the
// number of racks is refused.
func TestTemplatesCountRacks(t *testing.T) {
	one := `
boxes: [{name: pc, count: 10, part: generic-server-1u}]
racks: [{name: r, holds: [{boxes: pc, units: 1-4}, {switch: oob, units: 42}]}]
fabrics:
- name: oob
  topology: {family: access, switches: 3}
  ends: [{boxes: pc, ports: bmc}]
  switches: {leaf: {part: nvidia-sn2201}}
`
	r := buyAny(t, one)
	if got := seatsOf(r, "pc"); r.Placement.RackCount() != 3 || !strings.HasSuffix(got[9], " 2") {
		t.Errorf("%d racks, %v", r.Placement.RackCount(), got)
	}
	s, err := machine.Parse("m.yaml", []byte(strings.Replace(one, "name: r,", "name: r, count: 4,", 1)))
	if !says(err, "racks[0].count: boxes fill 3 racks of 4\nwrite count: 3, or more") {
		t.Error(s, err)
	}
	_, err = machine.Parse("m.yaml", []byte(strings.NewReplacer("count: 10, ", "", "access, switches: 3", "access").
		Replace(one)))
	if !says(err, "boxes[0].count: missing\nwrite it, or how many racks r there are\n"+
		"fabrics[0].topology.switches: "+
		"missing") {
		t.Error(err)
	}
	tree := buyAny(t, `
topology: {family: fat-tree, nodes: 32, radix: 32}
racks: [{name: r, holds: [{boxes: node, units: 1-16}, {switch: leaf, units: 40}]}]
room: {rack: rack-48u}
`)
	if got := seatsOf(tree, "leaf"); len(got) != 2 || !strings.HasSuffix(got[1], " 40") {
		t.Errorf("leaves of a tree: %v", got)
	}
	_, err = machine.Parse("m.yaml", []byte(`
topology: {family: torus, dims: [4, 4]}
racks: [{name: r, holds: [{boxes: node, units: 1-4}]}]
room: {containers: [{name: cube, count: [4, 4, 1], pitch: 1 m}]}
`))
	if err == nil || !strings.Contains(err.Error(), "racks: containers have no racks") {
		t.Error(err)
	}
}

// TestTemplatesStandInRacksOfTheirPart: racks of a template take the positions of types of their part, which others
// keep out of, also in a list of racks.
func TestTemplatesStandInRacksOfTheirPart(t *testing.T) {
	text := strings.NewReplacer("  count: 1\n", "  count: 1\n  part: rack-48u\n",
		"room: {rows: 2, racks_per_row: 6, rack: rack-42u}", `room:
  rack: rack-42u
  rack_types: [{name: tall, part: rack-48u}]
  rows: [{racks: 6, types: [{positions: 1-3, type: tall}]}, {racks: 6}]`).Replace(templated)
	r := buyAny(t, text)
	for _, kind := range []string{"pc", "data-spine", "oob-leaf"} {
		for _, at := range seatsOf(r, kind) {
			name := strings.Fields(at)
			tall := strings.Contains("A01 A02 A03", name[len(name)-2])
			if tall != (name[0] == "two") {
				t.Errorf("%s stands at %s", kind, at)
			}
		}
	}
	// A kind that several types are for stands in any of them.
	several := buyAny(t, `
topology: {family: fat-tree, nodes: 32, radix: 32}
packaging: {node: {per_rack: 8}}
room:
  rack_types: [{name: a, part: rack-48u, for: [node, leaf]}, {name: b, part: rack-52u, for: [node, leaf]}]
  rows: [{racks: 8, types: [{positions: 2-3, type: a}, {positions: 6-7, type: b}]}]
`)
	types := map[int]int{}
	for _, rack := range several.Placement.Racks {
		if rack.Class == embed.InRack {
			types[several.Room().Places[rack.Place].Type]++
		}
	}
	if types[1] != 2 || types[2] != 2 || len(types) != 2 {
		t.Errorf("racks of nodes by type: %v", types)
	}
}

// TestRandomTemplates draws templates, places them with and without optimising, and grows them: every box stands at the
// next seat of its template, rack by rack; boxes are plugged into switches of their rack; what exists keeps its places,
// and every cable its ports.
func TestRandomTemplates(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		m := drawTemplates(t)
		effort := rapid.SampledFrom([]string{"none", "none", "quick"}).Draw(t, "effort")
		old := m.plan(t, m.text(1)+"embedding: {effort: "+effort+"}\n")
		m.check(t, old, 1)
		ownSwitches(t, old, "oob")
		carryOut(t, old, dir)
		times := rapid.IntRange(1, 3).Draw(t, "times")
		grown := m.plan(t, m.text(times)+"owned: {placement: "+dir+"/placement.csv, cables: "+dir+"/cables.csv}\n")
		m.checkGrown(t, old, grown, times)
		ownSwitches(t, grown, "oob")
	})
}

// drawn is a machine of templates that was drawn.
type drawn struct {
	racks   []int   // of each template
	units   [][]int // of its boxes
	mounted []int   // the unit of its switch
	rear    bool
	place   string
	beside  []int // boxes beside the units in a rack of each template, all of one kind; nil for none
}

func drawTemplates(t *rapid.T) *drawn {
	m := &drawn{rear: rapid.Bool().Draw(t, "rear")}
	m.place = rapid.SampledFrom([]string{"in-rack", "middle-of-row", "end-of-row", "network-row"}).Draw(t, "place")
	for range rapid.IntRange(1, 2).Draw(t, "templates") {
		m.racks = append(m.racks, rapid.IntRange(1, 4).Draw(t, "racks"))
		all := rapid.SliceOfNDistinct(rapid.IntRange(1, 42), 2, 12, rapid.ID[int]).Draw(t, "units")
		m.mounted = append(m.mounted, all[0])
		m.units = append(m.units, all[1:])
	}
	if rapid.Bool().Draw(t, "beside") {
		for range m.racks {
			m.beside = append(m.beside, rapid.IntRange(1, 3).Draw(t, "beside a rack"))
		}
	}
	return m
}

// text is the machine with so many times the racks.
func (m *drawn) text(times int) string {
	var b strings.Builder
	b.WriteString("boxes:\n")
	for i := range m.racks {
		fmt.Fprintf(&b, "- {name: box%d, part: generic-server-1u}\n", i)
	}
	if m.beside != nil {
		b.WriteString("- {name: pdu, role: service, part: apc-ap8886}\n")
	}
	b.WriteString("racks:\n")
	for i, n := range m.racks {
		face := "front"
		if m.rear {
			face = "rear"
		}
		fmt.Fprintf(&b, "- name: t%d\n  count: %d\n  place: %s\n  holds:\n  - {boxes: box%d, units: [%s], face: %s}\n"+
			"  - {switch: oob, units: %d}\n", i, n*times, m.place, i,
			strings.Trim(strings.ReplaceAll(fmt.Sprint(m.units[i]), " ", ", "), "[]"), face, m.mounted[i])
		if m.beside != nil {
			fmt.Fprintf(&b, "  - {boxes: pdu, count: %d}\n", m.beside[i])
		}
	}
	b.WriteString("fabrics:\n- name: oob\n  topology: {family: access}\n  ends:\n")
	for i := range m.racks {
		fmt.Fprintf(&b, "  - {boxes: box%d, ports: bmc}\n", i)
	}
	b.WriteString("  switches: {leaf: {part: nvidia-sn2201}}\nroom: {rows: 3, racks_per_row: 9}\n")
	return b.String()
}

func (m *drawn) plan(t *rapid.T, text string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("m.yaml", []byte(text))
	if err == nil {
		var r *machine.Result
		if r, err = machine.Plan(context.Background(), s); err == nil {
			return r
		}
	}
	t.Fatalf("%s\n%v", text, err)
	return nil
}

// checkBeside checks that every rack has the boxes beside its units that its template holds.
func (m *drawn) checkBeside(t *rapid.T, r *machine.Result, times int) {
	t.Helper()
	if m.beside == nil {
		return
	}
	inRack := map[string]int{}
	for _, at := range seatsOf(r, "pdu") {
		words := strings.Fields(at)
		inRack[words[0]+" "+words[1]]++
	}
	racks := 0
	for i, want := range m.beside {
		racks += m.racks[i] * times
		for rack, n := range inRack {
			if strings.HasPrefix(rack, fmt.Sprintf("t%d ", i)) && n != want {
				t.Errorf("%d boxes beside the units of rack %s, want %d", n, rack, want)
			}
		}
	}
	if len(inRack) != racks {
		t.Errorf("%d of %d racks have boxes beside their units", len(inRack), racks)
	}
}

// check compares places with those that the templates say.
func (m *drawn) check(t *rapid.T, r *machine.Result, times int) {
	t.Helper()
	m.checkBeside(t, r, times)
	for i := range m.racks {
		got := seatsOf(r, fmt.Sprintf("box%d", i))
		if len(got) != m.racks[i]*times*len(m.units[i]) {
			t.Fatalf("%d boxes", len(got))
		}
		racks := map[string]int{}
		for n, at := range got {
			words := strings.Fields(at)
			want, racksOf := fmt.Sprint(m.units[i][n%len(m.units[i])]), fmt.Sprintf("t%d", i)
			if words[2] != want || words[0] != racksOf || (len(words) == 4) != m.rear {
				t.Errorf("box %d of template %d stands at %s, want unit %s", n, i, at, want)
			}
			if first := n / len(m.units[i]); n%len(m.units[i]) == 0 {
				racks[words[1]] = first
			} else if racks[words[1]] != first {
				t.Errorf("box %d of template %d stands in %s", n, i, words[1])
			}
		}
		if len(racks) != m.racks[i]*times {
			t.Errorf("%d racks of template %d", len(racks), i)
		}
	}
}

// checkGrown compares places as a set, as names stay with what exists, and checks that all cables keep their ports.
func (m *drawn) checkGrown(t *rapid.T, old, grown *machine.Result, times int) {
	t.Helper()
	m.checkBeside(t, grown, times)
	for i := range m.racks {
		kind := fmt.Sprintf("box%d", i)
		got, before := seatsOf(grown, kind), seatsOf(old, kind)
		for _, at := range before {
			if !slices.Contains(got, at) {
				t.Errorf("nothing stands at %s any more", at)
			}
		}
		inRack := map[string][]string{}
		for _, at := range got {
			words := strings.Fields(at)
			inRack[words[1]] = append(inRack[words[1]], words[2])
		}
		if len(inRack) != m.racks[i]*times {
			t.Errorf("%d racks of template %d, want %d: %v", len(inRack), i, m.racks[i]*times, inRack)
		}
		for rack, units := range inRack {
			want := strings.Fields(strings.Trim(fmt.Sprint(m.units[i]), "[]"))
			slices.Sort(units)
			if slices.Sort(want); !slices.Equal(units, want) {
				t.Errorf("rack %s has boxes at %v, want %v", rack, units, want)
			}
		}
	}
	lies := endsOf(grown)
	for _, ends := range endsOf(old) {
		if !slices.Contains(lies, ends) {
			t.Errorf("the cable %s is gone", ends)
		}
	}
}

// endsOf lists the ends of all cables by box and port, numbers of boxes without leading zeros.
func endsOf(r *machine.Result) []string {
	plain := func(name string) string {
		at := strings.LastIndexByte(name, '-') + 1
		return name[:at] + strings.TrimLeft(name[at:], "0")
	}
	var out []string
	for i := range r.Schedule.Segments {
		s := &r.Schedule.Segments[i]
		out = append(out, fmt.Sprint(plain(r.Schedule.Naming.Boxes.Name(int(s.A))), s.PortA,
			plain(r.Schedule.Naming.Boxes.Name(int(s.B))), s.PortB))
	}
	return out
}

// carryOut writes the tables of a plan that a larger machine owns.
func carryOut(t *rapid.T, r *machine.Result, dir string) {
	t.Helper()
	for name, write := range map[string]render.Writer{"placement.csv": render.Placement, "cables.csv": render.Cables} {
		var b bytes.Buffer
		err := write(context.Background(), &b, r)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600)
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
	}
}

// TestTemplatesOfUnknownBoxes: a name that no boxes have is reported although the boxes that were meant have no count
// then.
func TestTemplatesOfUnknownBoxes(t *testing.T) {
	_, err := machine.Parse("m.yaml", []byte(`
boxes: [{name: server, part: generic-server-1u}]
racks: [{name: pod, part: rack-42u, count: 2, holds: [{boxes: servr, units: 1-10}, {switch: ob, units: 42}]}]
fabrics:
  - {name: oob, topology: {family: access}, ends: [{boxes: server, ports: bmc}],
     switches: {leaf: {part: nvidia-sn2201}}}
`))
	for _, want := range []string{
		`m.yaml:3:63: racks[0].holds[0].boxes: there are no boxes "servr"`, `did you mean "server"?`,
		`m.yaml:3:93: racks[0].holds[1].switch: there are no boxes "ob"`, `did you mean "oob"?`,
	} {
		if !says(err, want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// Boxes in racks without a switch of their own are plugged in at the nearest rack with one, not at all racks' switches
// in turn: those at the end of a row at the last rack before them.
func TestBoxesWithoutSwitchesOfTheirRack(t *testing.T) {
	r := planText(t, `
boxes: [{name: srv, part: generic-server-1u}, {name: store, part: generic-storage-2u, role: service}]
racks:
- {name: pod, part: rack-42u, count: 5, at: A01-A05, holds: [{boxes: srv, units: 1-9}, {switch: oob, units: 42}]}
- {name: far, part: rack-42u, count: 2, at: [A07, A08], holds: [{boxes: store, units: 1-8}]}
fabrics:
- {name: oob, topology: {family: access}, ends: [{boxes: srv, ports: bmc}, {boxes: store, ports: bmc}],
   switches: {leaf: {part: nvidia-sn2201}}}
room: {rows: 1, racks_per_row: 8}
`)
	s, room := r.Schedule, r.Room()
	for i := range s.Segments {
		a, b := s.Segments[i].A, s.Segments[i].B
		at := func(v int32) string {
			return room.Name(int(r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])))
		}
		racks := []string{at(a), at(b)}
		slices.Sort(racks)
		if racks[1] >= "A07" && racks[0] != "A05" {
			t.Errorf("a box at %s is plugged in at %s", racks[1], racks[0])
		}
	}
}

// TestUplinksIntoSwitchesOfTemplates: access switches of templates keep as many ports free as uplinks lead to them,
// whichever of the two fabrics is first in the file.
func TestUplinksIntoSwitchesOfTemplates(t *testing.T) {
	const low = `
  - name: oob
    topology: {family: access}
    ends: [{boxes: mgr, ports: bmc}]
    switches: {leaf: {part: nvidia-sn2201}}
    uplinks: [{to: agg/leaf, each: 2, ports: up}]`
	const high = `
  - name: agg
    topology: {family: access}
    ends: [{boxes: mgr, ports: 1}]
    switches: {leaf: {part: nvidia-sn4600c}}`
	for _, fabrics := range []string{low + high, high + low} {
		r := planText(t, `
boxes: [{name: mgr, part: generic-server-1u}]
racks:
  - {name: adm, part: rack-42u, count: 2, holds: [{boxes: mgr, units: 1-10}, {switch: oob, units: 40},
     {switch: agg, units: 41-42}]}
fabrics:`+fabrics)
		up := 0
		for l := range topology.Cables(r.Graph) {
			if strings.HasSuffix(r.Graph.Levels()[l.Level].Name, "uplink") {
				up += int(l.Width)
			}
		}
		if up != 4 {
			t.Errorf("%d links lead up, want 4:%s", up, fabrics)
		}
	}
}
