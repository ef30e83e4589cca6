package asbuilt

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
)

// carriedOut writes the tables of a plan into a new directory.
func carriedOut(t interface {
	Fatal(args ...any)
}, r *machine.Result,
) string {
	dir, err := os.MkdirTemp("", "owned")
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]render.Writer{
		"placement.csv": render.Placement, "cables.csv": render.Cables, "bom.csv": render.BOM,
	} {
		var b bytes.Buffer
		if err := write(context.Background(), &b, r); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestOwnedSuperPOD grows the compute network of a DGX SuperPOD from four scalable units to five. Nothing that exists
// moves, the bill is the difference, and two steps of a quarter of the links between leaves and spines lead there, in
// which all systems keep two paths.
func TestOwnedSuperPOD(t *testing.T) {
	file, err := examples.Files.ReadFile("superpod-h100-compute.yaml")
	if err != nil {
		t.Fatal(err)
	}
	grow(t, string(file), func(s *spec.Spec) {
		s.Topology.Params, s.Room.Rows.Count = topology.WithNodes(s.Topology.Params, 159), 7
	}, func(d *Difference, doc *Document) {
		if want := (BoxCount{Kept: 175, Added: 56}); doc.Boxes != want {
			t.Errorf("boxes %+v, want %+v", doc.Boxes, want)
		}
		// Half of the 1,024 links to spines go to the 16 new ones, some with the cables that they have.
		c := doc.Cables
		if c.Kept != 1528 || c.Replugged+c.Removed != 512 || c.Replugged+c.Added != 1024 || c.Relaid+c.Exchanged > 0 ||
			doc.RewiredLinks != 512 {
			t.Errorf("cables %+v, %d rewired", c, doc.RewiredLinks)
		}
		if len(doc.Steps) != 3 || len(doc.Interrupts)+len(doc.Faults) > 0 {
			t.Errorf("%d steps, %v, %v", len(doc.Steps), doc.Interrupts, doc.Faults)
		}
		for i := range doc.Steps {
			if st := &doc.Steps[i]; st.Paths != 2 || st.Share < 75 {
				t.Errorf("step %d keeps %d paths and %v %% of the links", st.Step, st.Paths, st.Share)
			}
		}
	})
}

// TestOwnedFabrics grows a whole SuperPOD, whose systems are on four networks: nothing that exists moves.
func TestOwnedFabrics(t *testing.T) {
	file, err := examples.Files.ReadFile("superpod-h100-4su.yaml")
	if err != nil {
		t.Fatal(err)
	}
	grow(t, string(file), func(s *spec.Spec) {
		s.Boxes[0].Count = 159
		s.Boxes[1].Count = 120
		s.Fabrics[0].Topology.Params = topology.WithNodes(s.Fabrics[0].Topology.Params, 160)
		s.Fabrics[3].Topology.Params = clusters.Access{Switches: 10}
		s.Room.Rows.Count = 8
	}, func(d *Difference, doc *Document) {
		if doc.Boxes.Moved+doc.Boxes.Removed+doc.Boxes.Replaced > 0 || doc.Boxes.Kept != 326 {
			t.Errorf("boxes %+v", doc.Boxes)
		}
		for _, i := range doc.Interrupts {
			t.Errorf("%s is cut off on %s", i.Box, i.Fabric)
		}
		if len(doc.Faults) > 0 {
			t.Error(doc.Faults)
		}
	})
}

// TestSeveralPathsOnLargeMachines: in a torus of 1,728 nodes, all plugged in differently, all keep four paths while it
// grows by half.
func TestSeveralPathsOnLargeMachines(t *testing.T) {
	old := planFile(t, "topology: {family: torus, dims: [12, 12, 8]}\n")
	dir := carriedOut(t, old)
	defer os.RemoveAll(dir)
	new := planFile(t, "topology: {family: torus, dims: [12, 12, 12]}\nowned: {plan: "+dir+"}\n")
	d, err := Compare(context.Background(), old, new, Options{Paths: 4})
	if err != nil {
		t.Fatal(err)
	}
	doc := d.Document()
	for i := range doc.Steps {
		if st := &doc.Steps[i]; st.Paths != 4 {
			t.Errorf("step %d keeps %d paths", st.Step, st.Paths)
		}
	}
	if doc.Cables.Removed+doc.Cables.Replugged == 0 || len(doc.Interrupts) > 0 {
		t.Errorf("%+v, %v", doc.Cables, doc.Interrupts)
	}
}

// TestOwnedNames: boxes keep their names when numbers get a digit more, and those that the tables give them; a new box
// that would be called like one that exists gets the name that is left over.
func TestOwnedNames(t *testing.T) {
	old := planFile(t, "topology: {family: fat-tree, nodes: 64, radix: 32}")
	dir := carriedOut(t, old)
	defer os.RemoveAll(dir)
	for name, word := range map[string][2]string{
		"placement.csv": {",LF1,", ",LF8,"},
		"cables.csv":    {",LF1,", ",LF8,"},
	} {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.ReplaceAll(data, []byte(word[0]), []byte(word[1])), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	new := planFile(t, "topology: {family: fat-tree, nodes: 128, radix: 32}\nowned: {plan: "+dir+"}\n")
	names := map[string]string{}
	for v := range topology.Vertices(new.Graph) {
		if other, twice := names[new.Names.Name(v)]; twice {
			t.Errorf("%s and %s are called %s", new.Graph.Label(v), other, new.Names.Name(v))
		}
		names[new.Names.Name(v)] = new.Graph.Label(v)
	}
	for name, address := range map[string]string{
		"LF8": "u0.r0", "LF2": "u1.r0", "LF1": "u7.r0", "N01": "u0.n0", "N64": "u3.n15", "N065": "u4.n0",
	} {
		if names[name] != address {
			t.Errorf("%s is %s, want %s", name, names[name], address)
		}
	}
	// A table of names goes before, and a name that says where a box stands is reported by its place.
	table := filepath.Join(dir, "names.csv")
	if err := os.WriteFile(table, []byte("address,name\nu0.r0,first\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	new = planFile(t, "topology: {family: fat-tree, nodes: 128, radix: 32}\nowned: {plan: "+dir+"}\n"+
		"names: {table: "+table+", boxes: {node: \"{rack}-u{u:02}\"}}\n")
	if got := []string{new.Names.Name(0), new.Names.Name(topology.Vertices(new.Graph) - 1)}; got[0] != "first" ||
		!strings.Contains(got[1], "-u") {
		t.Errorf("%q", got)
	}
}

// grow plans a machine, carries the plan out, and plans it once more as changed with what exists. The bill has to ask
// for what the plans differ by, and cables keep all ports that they can.
func grow(t *testing.T, file string, change func(s *spec.Spec), check func(d *Difference, doc *Document)) {
	t.Helper()
	old := planFile(t, file)
	dir := carriedOut(t, old)
	defer os.RemoveAll(dir)
	s, err := machine.Parse("test.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	change(s)
	s.Owned = &spec.Owned{Plan: dir}
	new, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Compare(context.Background(), old, new, Options{Paths: 2, Capacity: 75})
	if err != nil {
		t.Fatal(err)
	}
	doc := d.Document()
	check(d, doc)
	asked := map[string]int64{}
	for i := range new.Bill.Rows {
		asked[new.Bill.Rows[i].Item.String()] = new.Bill.Rows[i].Buy
	}
	for i := range doc.Parts {
		if p := &doc.Parts[i]; p.Buy != asked[p.Item.String()] {
			t.Errorf("%s: the bill asks for %d, the plans differ by %d", p.Item, asked[p.Item.String()], p.Buy)
		}
	}
}

// TestPanelsOwned grows a tree over patch panels: the bill installs the cords and trunks that do not stay, no others.
func TestPanelsOwned(t *testing.T) {
	for nodes, stays := range map[int]bool{16: true, 24: false} {
		grow(t, smallFile(t, "panels"), func(s *spec.Spec) {
			s.Topology.Params = topology.WithNodes(s.Topology.Params, nodes)
		}, func(d *Difference, doc *Document) {
			installs := 0
			for i := range d.New.Bill.Rows {
				if r := &d.New.Bill.Rows[i]; strings.HasPrefix(r.Item.Part, "install-") {
					installs += int(r.Qty)
				}
			}
			c := &doc.Cables
			if want := c.Added + c.Replugged + c.Exchanged; installs != want || stays != (want == 0) || c.Kept == 0 {
				t.Errorf("%d nodes: %d cables are installed, want %d", nodes, installs, want)
			}
		})
	}
}

// TestRandomOwned plans drawn machines with what exists. Of the very machine nothing is to be done and nothing to be
// bought; another one, into which as much as possible is kept, is reached by steps in which no port is used twice.
func TestRandomOwned(t *testing.T) {
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		if held == 20 { // each plans four machines
			return
		}
		old, s := drawPlanOf(t)
		dir := carriedOut(t, old)
		defer os.RemoveAll(dir)
		own := *s
		own.Owned = &spec.Owned{Plan: dir}
		again, err := machine.Plan(context.Background(), &own)
		if err != nil {
			t.Fatal(err)
		}
		if doc := compare(t, old, again).Document(); len(doc.Steps) > 0 || doc.Cables.Kept != int(old.Schedule.Cables) {
			t.Fatalf("the same machine: %d steps, cables %+v", len(doc.Steps), doc.Cables)
		}
		for i := range again.Bill.Rows {
			if r := &again.Bill.Rows[i]; pieces(r.Kind) && r.Buy > 0 {
				t.Errorf("the same machine: %d of %s are bought", r.Buy, r.Item)
			}
			if r := &again.Bill.Rows[i]; r.Kind == catalog.KindLabour {
				t.Errorf("the same machine: %d of %s", r.Qty, r.Item)
			}
		}
		_, other := drawPlanOf(t)
		other.Owned = &spec.Owned{Plan: dir}
		grown, err := machine.Plan(context.Background(), other)
		if err != nil {
			t.Skip(err) // where boxes stand is not in the room
		}
		compare(t, old, grown)
		ports(t, grown)
		held++
	})
}

// TestAccessGrows grows networks of family access, whose boxes are plugged in by where they stand: with more boxes, of
// one kind or two, on more switches or on the free ports of those that are there. No cable that exists is touched, no
// box moves, and a new box in a rack with a switch of its own is plugged in there.
func TestAccessGrows(t *testing.T) {
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		if held++; held > 25 {
			return
		}
		n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		perRack, uplinks := n("per rack", 1, 8), n("uplinks", 1, 2)
		racks, more := n("racks", 1, 4), n("more racks", 0, 3)
		boxes, pdus := n("boxes", 1, perRack*racks), n("pdus", 0, 3)
		units := n("units", 1, racks)
		place := rapid.SampledFrom([]string{"in-rack", "end-of-row", "middle-of-row"}).Draw(t, "place")
		file := func(boxes, pdus, units int) string {
			out := fmt.Sprintf("boxes:\n  - {name: srv, count: %d, part: generic-server-1u, per_rack: %d}\n", boxes,
				perRack)
			ends := "{boxes: srv, ports: bmc}"
			if uplinks == 2 {
				out = strings.ReplaceAll(out, "generic-server-1u", "two")
				ends = "{boxes: srv}"
			}
			if pdus > 0 && uplinks == 1 {
				out += fmt.Sprintf("  - {name: meter, count: %d, part: one, role: service}\n", pdus)
				ends += ", {boxes: meter}"
			}
			return out + "fabrics:\n  - name: oob\n" +
				fmt.Sprintf("    topology: {family: access, switches: %d, uplinks: %d}\n", units*uplinks, uplinks) +
				"    ends: [" + ends + "]\n    switches: {switch: {part: nvidia-sn2201, place: " + place +
				", per_rack: 2}}\n" +
				"parts:\n  - {id: one, kind: node, units: 1, ports: [{count: 1, connector: rj45, rate: 1G}]}\n" +
				"  - {id: two, kind: node, units: 1, ports: [{count: 2, connector: rj45, rate: 1G}]}\n" +
				"room: {rows: 2, racks_per_row: 12}\n"
		}
		old := planFile(t, file(boxes, pdus, units))
		dir := carriedOut(t, old)
		defer os.RemoveAll(dir)
		added := n("more boxes", 0, perRack*more+perRack)
		new := planAfter(t, file(boxes+added, pdus+n("more pdus", 0, 2)*min(pdus, 1), units+n("more units", 0, more)),
			dir)
		d := compare(t, old, new)
		doc := d.Document()
		if c := doc.Cables; c.Kept != int(old.Schedule.Cables) || doc.Boxes.Moved > 0 {
			t.Errorf("cables %+v of %d, boxes %+v", c, old.Schedule.Cables, doc.Boxes)
		}
		ports(t, new)
	})
}

// TestRacksOfSeveralKindsGrow grows racks of three kinds of boxes by odd numbers, so that the last rack stays partly
// filled each time. New boxes fill it before they open others: no stage takes more racks than its boxes need. All boxes
// are plugged into the switch of their rack, and no cable that exists is touched.
func TestRacksOfSeveralKindsGrow(t *testing.T) {
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		if held++; held > 8 {
			return
		}
		dir, trays := "", 0
		var old *machine.Result
		for range 3 {
			trays += rapid.IntRange(1, 40).Draw(t, "trays")
			racks := (trays + 11) / 12
			r := planAfter(t, fmt.Sprintf(`
boxes:
  - {name: tray, count: %d, part: tray, per_rack: 12}
  - {name: crossbar, count: %d, part: box, per_rack: 5, role: service}
  - {name: shelf, count: %d, part: box, per_rack: 4, role: service}
fabrics:
  - name: oob
    topology: {family: access, switches: %d}
    ends: [{boxes: tray, ports: bmc}, {boxes: crossbar}, {boxes: shelf}]
    switches: {switch: {part: nvidia-sn2201, place: in-rack, per_rack: 1}}
  - name: data
    topology: {family: access, down: 24}
    ends: [{boxes: tray, ports: data}]
    switches: {switch: {part: nvidia-sn2201, place: middle-of-row, per_rack: 1}}
parts:
  - {id: box, kind: node, units: 1, ports: [{name: bmc, count: 1, connector: rj45, rate: 1G}]}
  - {id: tray, kind: node, units: 1, ports: [{name: bmc, count: 1, connector: rj45, rate: 1G},
                                             {name: data, count: 1, connector: rj45, rate: 1G}]}
room: {rows: 2, racks_per_row: 10}
`, trays, max(1, trays*5/12), 4*racks, racks), dir)
			l, slot := r.Placement.Layout, r.Placement.Slot
			kinds := r.Graph.Kinds()
			used := map[string]bool{}
			for v, at := range slot {
				if k := &kinds[topology.KindOf(kinds, v)]; k.Role != topology.Switch {
					used[l.Rack(at)] = true
				}
			}
			if len(used) != racks {
				t.Errorf("%d trays stand in %d racks, and need %d", trays, len(used), racks)
			}
			levels := r.Graph.Levels()
			for i := range r.Schedule.Segments {
				seg := &r.Schedule.Segments[i]
				if levels[seg.Level].Name == "oob/terminal" && l.Rack(slot[seg.A]) != l.Rack(slot[seg.B]) {
					t.Errorf("%s to %s leaves its rack", r.Names.Name(int(seg.A)), r.Names.Name(int(seg.B)))
				}
			}
			if old != nil {
				doc := compare(t, old, r).Document()
				if c := doc.Cables; c.Kept != int(old.Schedule.Cables) || doc.Boxes.Moved > 0 {
					t.Errorf("cables %+v of %d, boxes %+v", c, old.Schedule.Cables, doc.Boxes)
				}
			}
			old, dir = r, carriedOut(t, r)
			defer os.RemoveAll(dir)
		}
	})
}

// TestEndsOfSeveralKindsGrow grows fabrics into which two kinds of boxes are plugged in the order of their list or by
// where they stand: the second from a place of its own on, or with fewer ports than a place, so that boxes share
// places, or dealt out to switches of which there are more in each step. No cable that exists moves.
func TestEndsOfSeveralKindsGrow(t *testing.T) {
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		if held++; held > 15 {
			return
		}
		draw := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		topologyOf := rapid.SampledFrom([]string{
			"leaf-spine, down: 6, up: 6, spines: 6", "leaf-spine, rails: 2, down: 5, up: 4, spines: 4",
			"access, down: 12", "access, down: 12, uplinks: 2", "access, spread: true", "access, spread: true, down: 9",
		}).Draw(t, "topology")
		order := rapid.SampledFrom([]string{"list", "place"}).Draw(t, "order")
		number, others, spread := 1, 1, strings.Contains(topologyOf, "spread")
		if spread {
			number = draw("uplinks", 1, 3)
			topologyOf += fmt.Sprint(", uplinks: ", number)
			others = draw("ports of others", 1, number)
		} else if strings.Contains(topologyOf, "2") && !strings.HasSuffix(topologyOf, "12") {
			number, others = 2, draw("ports of others", 1, 2)
		}
		at := ""
		if order == "list" && !spread && draw("with at", 0, 1) > 0 {
			at = fmt.Sprint(", at: ", draw("at", 90, 120))
			topologyOf += ", nodes: 160"
		}
		trays, disks, switches := 0, 0, 5
		dir := ""
		var old *machine.Result
		for range 3 {
			trays += draw("trays", 1, 25)
			disks += draw("disks", 1, 9)
			sized := topologyOf
			if spread && !strings.Contains(sized, "down") {
				switches += draw("switches", 0, 3)
				sized += fmt.Sprint(", switches: ", switches)
			}
			r := planAfter(t, fmt.Sprintf(`
boxes:
  - {name: tray, count: %d, part: tray, per_rack: 12}
  - {name: disk, count: %d, part: disk, per_rack: 5, role: service}
fabrics:
  - name: data
    topology: {family: %s}
    order: %s
    ends: [{boxes: tray}, {boxes: disk%s}]
    switches: {switch: {part: generic-switch-64x400g, place: network-row}}
parts:
  - {id: tray, kind: node, units: 1, ports: [{count: %d, connector: qsfp112, rate: 400G}]}
  - {id: disk, kind: node, units: 1, ports: [{count: %d, connector: qsfp112, rate: 400G}]}
room: {rows: 3, racks_per_row: 14}
`, trays, disks, sized, order, at, number, others), dir)
			if old != nil {
				doc := compare(t, old, r).Document()
				if c := doc.Cables; c.Kept != int(old.Schedule.Cables) || doc.Boxes.Moved > 0 {
					t.Errorf("cables %+v of %d, boxes %+v", c, old.Schedule.Cables, doc.Boxes)
				}
			}
			ports(t, r)
			if spread && !strings.Contains(sized, "down") { // one new switch may have all free ports
				dealt(t, r, max(number, others))
			}
			old, dir = r, carriedOut(t, r)
			defer os.RemoveAll(dir)
		}
	})
}

// dealt checks that the ports of every box are plugged into different switches.
func dealt(t *rapid.T, r *machine.Result, most int) {
	pairs, of := map[[2]int32]bool{}, map[int32]int{}
	for l := range topology.Cables(r.Graph) {
		if of[l.B]++; l.Width > 1 || pairs[[2]int32{l.A, l.B}] || of[l.B] > most {
			t.Errorf("several cables lead from %s to %s", r.Names.Name(int(l.A)), r.Names.Name(int(l.B)))
		}
		pairs[[2]int32{l.A, l.B}] = true
	}
}

// ports checks that no port is used twice, and each is of a box.
func ports(t *rapid.T, r *machine.Result) {
	used := map[string]bool{}
	for i := range r.Schedule.Segments {
		seg := &r.Schedule.Segments[i]
		for _, label := range []string{r.Schedule.Label(seg.A, seg.PortA), r.Schedule.Label(seg.B, seg.PortB)} {
			if used[label] {
				t.Fatalf("%s is used twice", label)
			}
			used[label] = true
		}
	}
}

// TestSwitchesKeepOffNewServers: where servers take the middle of the row that the larger room would have for
// switches, a new switch goes to the rack of the switches that exist.
func TestSwitchesKeepOffNewServers(t *testing.T) {
	file := func(servers, switches int) string {
		return fmt.Sprintf(`
boxes: [{name: srv, count: %d, part: generic-server-1u, per_rack: 10}]
fabrics:
  - name: oob
    topology: {family: access, switches: %d}
    ends: [{boxes: srv, ports: bmc}]
    switches: {switch: {part: nvidia-sn2201, place: middle-of-row}}
room: {rows: [{racks: 7}, {racks: 7}]}
`, servers, switches)
	}
	dir := carriedOut(t, planFile(t, file(40, 2)))
	defer os.RemoveAll(dir)
	new := planFile(t, file(70, 3)+"owned: {plan: "+dir+"}\n")
	racks := map[int32]bool{}
	for v := 70; v < topology.Vertices(new.Graph); v++ {
		racks[new.Placement.Layout.Container(layout.RackLevel, new.Placement.Slot[v])] = true
	}
	if len(racks) != 1 {
		t.Errorf("the switches stand in %d racks", len(racks))
	}
}
