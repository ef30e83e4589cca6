package render

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/pick"
	"github.com/plenum-planner/plenum/render/route"
)

// railedFabric is a drawn fabric with rails, and the colours that the machine file states for them.
type railedFabric struct {
	name, topology string
	rails          int
	colours        []string // of its rails by its own list, or by that of all fabrics
}

func drawRailed(rt *rapid.T, name string, nodes int) railedFabric {
	f := railedFabric{name: name, rails: rapid.SampledFrom([]int{1, 2, 4}).Draw(rt, name+" rails")}
	switch rapid.SampledFrom([]string{"leaf-spine", "rail-only", "fat-tree"}).Draw(rt, name+" family") {
	case "rail-only":
		f.topology = fmt.Sprintf("{family: rail-only, rails: %d, nodes: %d, radix: 8}", f.rails, nodes)
	case "fat-tree":
		f.topology = fmt.Sprintf("{family: fat-tree, rails: %d, nodes: %d, radix: 16}", f.rails, nodes)
	default:
		f.topology = fmt.Sprintf("{family: leaf-spine, rails: %d, down: 8, up: 4, spines: 2}", f.rails)
	}
	return f
}

// TestRailColoursOfFabrics plans drawn machines of two fabrics with rails and one without, to which switches of the
// first have a port as well, and compares every cable with the rail that its leaf has by the ports of its nodes.
func TestRailColoursOfFabrics(t *testing.T) {
	left := 8 // each takes a second
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		nodes := rapid.IntRange(2, 20).Draw(rt, "nodes")
		all := []railedFabric{drawRailed(rt, "compute", nodes), drawRailed(rt, "storage", nodes)}
		of := func(what string, least, most int) []string {
			return rapid.SliceOfN(rapid.SampledFrom([]string{"aqua", "violet", "grey", ""}), least, most).Draw(rt, what)
		}
		rails := spec.RailColours{}
		if rapid.Bool().Draw(rt, "one list") {
			rails = spec.RailsOfAll(of("rails", 1, 5)...)
			for i := range all {
				all[i].colours = rails[""]
			}
		} else {
			for i := range all {
				if f := &all[i]; i == 0 || rapid.Bool().Draw(rt, "second list") {
					f.colours = of(f.name, 1, f.rails)
					rails[f.name] = f.colours
				}
			}
		}
		stated, err := json.Marshal(rails)
		if err != nil {
			rt.Fatal(err)
		}
		text := fmt.Sprintf(`
name: colours
boxes: [{name: node, count: %d, part: node}]
fabrics:
  - name: compute
    topology: %s
    ends: [{boxes: node, ports: compute}]
    switches: &switch {switch: {part: nvidia-sn5610}}
    media: &media [{use: [multimode]}]
  - {name: storage, topology: %s, ends: [{boxes: node, ports: storage}], switches: *switch, media: *media}
  - name: oob
    topology: {family: access, down: 48}
    ends: [{boxes: node, ports: bmc}, {boxes: compute/*, ports: management}]
    switches: {leaf: {part: nvidia-sn2201}}
room: {rows: 2, racks_per_row: 12}
cabling: {colours: {fabrics: {storage: white, oob: blue}, rails: %s}}
prices: {set: estimate-2026}
parts:
  - {id: node, kind: node, units: 8, ports: [{name: compute, count: %d, connector: osfp, rate: 800G},
     {name: storage, count: %d, connector: osfp, rate: 800G}, {name: bmc, count: 1, connector: rj45, rate: 1G}]}
`, nodes, all[0].topology, all[1].topology, stated, all[0].rails, all[1].rails)
		s, err := machine.Parse("m.yaml", []byte(text))
		if err != nil {
			rt.Fatal(err, text)
		}
		checkColoursSaved(rt, s, rails)
		r := plan(t, s)
		want := railColoursBySearch(r, all)
		counted := map[string]int64{}
		explained := rapid.Int64Range(1, r.Schedule.Cables).Draw(rt, "explained")
		for _, row := range readCables(t, r) {
			if expected := want[row[0]]; row[cableColour] != expected {
				rt.Fatalf("%q, want %q: %v", row[cableColour], expected, row)
			}
			counted[row[cableColour]]++
		}
		id := r.Schedule.CableID(explained)
		if c, err := r.ExplainCable(context.Background(), id); err != nil || c.Colour != want[id] {
			rt.Fatalf("%s is explained in %v, want %q: %v", id, c, want[id], err)
		}
		checkColoursShown(t, rt, r, counted)
	})
}

// checkColoursSaved reads a machine file back that is written of a spec.
func checkColoursSaved(rt *rapid.T, s *spec.Spec, want spec.RailColours) {
	text, err := s.YAML()
	if err != nil {
		rt.Fatal(err)
	}
	again, err := machine.Parse("m.yaml", text)
	if err != nil || !reflect.DeepEqual(again.Cabling.Colours.Rails, want) {
		rt.Fatalf("%v, want %v: %v\n%s", again.Cabling.Colours, want, err, text)
	}
}

// railColoursBySearch returns the colour of every cable by its id: port r of a node in a fabric is on rail r, which
// gives the rails of leaves and thereby those of links between switches.
func railColoursBySearch(r *machine.Result, all []railedFabric) map[string]string {
	name := func(level uint8) string {
		fabric, _, _ := strings.Cut(r.Graph.Levels()[level].Name, "/")
		return fabric
	}
	node := r.Graph.Kinds()[0].Count
	out := map[string]string{}
	first := 0 // port of the nodes
	for _, f := range all {
		railOf := map[int32]int{}
		for l := range r.Graph.Links() {
			a, b, port := l.A, l.B, l.PortA
			if int(b) < node {
				a, b, port = b, a, l.PortB
			}
			if name(uint8(l.Level)) == f.name && int(a) < node {
				railOf[b] = int(port) - first
			}
		}
		for i := range r.Schedule.Segments {
			seg := &r.Schedule.Segments[i]
			if name(seg.Level) != f.name {
				continue
			}
			rail, ok := railOf[seg.A]
			if other, too := railOf[seg.B]; too {
				rail, ok = other, true
			}
			colour := map[string]string{"storage": "white"}[f.name]
			if ok && rail < len(f.colours) && f.colours[rail] != "" {
				colour = f.colours[rail]
			}
			out[r.Schedule.CableID(int64(seg.Cable))] = colour
		}
		first += f.rails
	}
	for i := range r.Schedule.Segments {
		if seg := &r.Schedule.Segments[i]; name(seg.Level) == "oob" {
			out[r.Schedule.CableID(int64(seg.Cable))] = "blue"
		}
	}
	return out
}

// checkColoursShown compares labels, floor plan and workbook with the cables of each colour.
func checkColoursShown(t *testing.T, rt *rapid.T, r *machine.Result, cables map[string]int64) {
	t.Helper()
	labels := map[string]int64{}
	for _, row := range readTable(t, r, Labels) {
		labels[row["colour"]]++
	}
	for colour, n := range cables {
		if labels[colour] != 2*n {
			rt.Fatalf("%q: %d labels, %d cables", colour, labels[colour], n)
		}
	}
	drawn := map[string]int64{}
	c, err := route.Of(r, chosen(t, r, pick.Filter{}), "stated")
	if err != nil {
		rt.Fatal(err)
	}
	for _, k := range c.Classes {
		drawn[strings.TrimPrefix(k.Name, "no stated colour")] = k.Cables
	}
	if !maps.Equal(drawn, cables) {
		rt.Fatalf("%v on the floor, %v", drawn, cables)
	}
	rows, err := workbook(t, r).GetRows(cablesSheet)
	if err != nil {
		rt.Fatal(err)
	}
	listed := map[string]int64{}
	for _, row := range rows[1:] { // those without a colour may end before it
		listed[strings.Join(row[min(cableColour, len(row)):], "")]++
	}
	if !maps.Equal(listed, cables) {
		rt.Fatalf("%v in the workbook, %v", listed, cables)
	}
}
