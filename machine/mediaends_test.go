package machine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
)

// bundled are two kinds of boxes of one part and a fabric of each kind of port.
const bundled = `
boxes:
- {name: pc, count: 12, part: generic-server-1u, per_rack: 12}
- {name: manager, count: 4, role: service, part: generic-server-1u, per_rack: 4}
fabrics:
- name: data
  topology: {family: leaf-pair, down: 24, peer_links: 2}
  ends: [{boxes: pc, ports: data}, {boxes: manager, ports: data}]
  switches: {leaf: {part: nvidia-sn4600c}}
  FABRIC
- name: more
  topology: {family: access, down: 16}
  ends: [{boxes: "*", ports: bmc}]
  switches: {leaf: {part: nvidia-sn2201}}
room: {rows: 1, racks_per_row: 8}
cabling: {slack: {fixed: 0}, media: [MEDIA]}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`

// TestMediaByBoxesAndFabrics: a rule holds for the links of the boxes that it names, and not for those of other boxes
// of the same part.
func TestMediaByBoxesAndFabrics(t *testing.T) {
	for _, c := range []struct{ fabric, media string }{
		{"", "{boxes: [manager], fabrics: [data], use: [aoc-100g-qsfp28]}, {use: [copper]}"},
		{"", "{boxes: [manager], levels: [data/terminal], use: [aoc-100g-qsfp28]}, {use: [copper]}"},
		{"media: [{boxes: [\"man*\"], use: [aoc-100g-qsfp28]}]", "{use: [copper]}"},
		{"", "{boxes: [pc], use: [copper]}, {fabrics: [data], levels: [data/peer], use: [copper]}, " +
			"{fabrics: [more], use: [copper]}, {use: [aoc-100g-qsfp28]}"},
		{"", "{boxes: [\"more/*\", pc], use: [copper]}, {levels: [data/peer], use: [copper]}, {use: [optical]}"},
	} {
		r := buy(t, strings.Replace(strings.Replace(bundled, "FABRIC", c.fabric, 1), "MEDIA", c.media, 1))
		got := map[string]int64{}
		for part, n := range pieces(r) {
			for _, kind := range []string{"aoc", "dac", "cat6"} {
				if strings.HasPrefix(part, kind) {
					got[kind] += n
				}
			}
		}
		if got["aoc"] != 2*4 || got["dac"] != 2*12+2 || got["cat6"] != 16 {
			t.Errorf("%s, %s: %v", c.fabric, c.media, pieces(r))
		}
		for i := range r.Schedule.Segments {
			s := &r.Schedule.Segments[i]
			a, b := r.Graph.Label(int(s.A)), r.Graph.Label(int(s.B))
			if part := r.Schedule.Products[s.Product].Part.ID; strings.HasPrefix(part, "aoc") &&
				!strings.HasPrefix(a, "manager") && !strings.HasPrefix(b, "manager") {
				t.Errorf("%s to %s has %s", a, b, part)
			}
		}
	}
}

// TestMediaByKindOfOneTopology: kinds of vertices are boxes as well.
func TestMediaByKindOfOneTopology(t *testing.T) {
	r := buy(t, `
topology: {family: fat-tree, nodes: 16, radix: 8}
packaging: {node: {part: generic-node-1u}, leaf: {part: generic-switch-64x400g}, spine: {part: generic-switch-64x400g}}
cabling: {media: [{boxes: [spine], use: [optical]}, {use: [copper]}]}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`)
	for i := range r.Schedule.Segments {
		s := &r.Schedule.Segments[i]
		level, medium := r.Graph.Levels()[s.Level].Name, r.Schedule.Products[s.Product].Part.Cable.Medium
		copper := slices.Contains(catalog.MediumAliases["copper"], medium)
		if copper != (level == "terminal") {
			t.Errorf("a %s link of %s", level, medium)
		}
	}
}

// TestMediaEndsMistakes are reported at their names.
func TestMediaEndsMistakes(t *testing.T) {
	for _, c := range []struct{ fabric, media, want string }{
		{"", "{boxes: [mannager], use: [any]}", `did you mean "manager"?`},
		{"", "{fabrics: [dat], use: [any]}", `there is no fabric "dat"`},
		{"", "{fabrics: [data], levels: [more/terminal], use: [any]}", "data has none of these levels"},
		{"media: [{fabrics: [data], use: [any]}]", "{use: [any]}", "are for its own links"},
		{"", "{boxes: [\"*/spine\"], use: [any]}", "there are no boxes"},
	} {
		_, err := machine.Parse("m.yaml",
			[]byte(strings.Replace(strings.Replace(bundled, "FABRIC", c.fabric, 1), "MEDIA", c.media, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v", c.fabric, c.media, err)
		}
	}
	_, err := machine.Parse("m.yaml", []byte("topology: {family: torus, dims: [4]}\n"+
		"cabling: {media: [{fabrics: [x], use: [any]}]}\n"))
	if err == nil || !strings.Contains(err.Error(), "has one topology, and no fabrics") {
		t.Error(err)
	}
}
