package cost_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// packed is a drawn level of containers.
type packed struct {
	name, role, part string
	trace            bool
	count            [3]int
}

// enclosureParts are the parts that drawn levels may name: kind, power in W, weight in kg, price in cents.
var enclosureParts = map[string]struct {
	kind   catalog.Kind
	power  units.Power
	weight units.Mass
	price  units.Money
}{
	"my-chassis":  {catalog.KindChassis, 40, 12, 50_000},
	"my-midplane": {catalog.KindMidplane, 7, 3, 90_000},
	"my-frame":    {catalog.KindFrame, 0, 30, 11_111},
	"my-rack":     {catalog.KindRack, 0, 150, 200_000},
}

// drawPackaging draws the levels of a machine of n nodes, outermost first.
func drawPackaging(t *rapid.T, n int) []packed {
	roles := []string{"hall", "row", "rack"}
	levels := make([]packed, rapid.IntRange(1, 5).Draw(t, "levels"))
	left := n
	for i := range levels {
		l := &levels[i]
		l.name = fmt.Sprintf("l%d", i)
		if len(roles) > 0 && rapid.Bool().Draw(t, "has role") {
			k := rapid.IntRange(0, len(roles)-1).Draw(t, "role")
			l.role, roles = roles[k], roles[k+1:]
		}
		parts := []string{"", "none", "my-chassis", "my-midplane", "my-frame"}
		if l.role == "rack" {
			parts = append(parts, "my-rack")
		}
		l.part = rapid.SampledFrom(parts).Draw(t, "part")
		l.trace = rapid.IntRange(0, 4).Draw(t, "trace") == 0
		for a := range 3 {
			l.count[a] = rapid.IntRange(1, 3).Draw(t, "count")
		}
		cells := l.count[0] * l.count[1] * l.count[2]
		left = (left + cells - 1) / cells
	}
	levels[len(levels)-1].count[0] *= left // so that there is a place for every node
	return levels
}

// packagingText is a machine file of a ring of n nodes in levels of packaging.
func packagingText(n int, levels []packed, strategy string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "topology: {family: torus, dims: [%d]}\npackaging: {node: {part: cube-node}}\nparts:\n", n)
	for _, id := range slices.Sorted(maps.Keys(enclosureParts)) {
		p := enclosureParts[id]
		fmt.Fprintf(&b, "  - {id: %s, kind: %s, power: %g, weight: %g", id, p.kind, float64(p.power), float64(p.weight))
		if p.kind == catalog.KindRack {
			b.WriteString(", units: 42")
		}
		b.WriteString(", source: a test, confidence: estimate}\n")
	}
	b.WriteString("prices: {unit: {install-in-rack: 1, install-in-row: 2, install-cross-row: 3, " +
		"install-between-racks: 4")
	for _, id := range slices.Sorted(maps.Keys(enclosureParts)) {
		fmt.Fprintf(&b, ", %s: %s", id, enclosureParts[id].price.Decimal())
	}
	fmt.Fprintf(&b, "}}\nembedding: {strategy: %s}\nroom:\n  containers:\n", strategy)
	for i, l := range levels {
		fmt.Fprintf(&b, "    - {name: %s, count: [%d, %d, %d]", l.name, l.count[0], l.count[1], l.count[2])
		if i == len(levels)-1 {
			b.WriteString(", pitch: 0.3 m")
		} else {
			b.WriteString(", gap: 0.2 m")
		}
		if l.role != "" {
			fmt.Fprintf(&b, ", is: %s", l.role)
		}
		if l.part != "" {
			fmt.Fprintf(&b, ", part: %s", l.part)
		}
		if l.trace {
			b.WriteString(", links: trace")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// holders are the names of the containers that hold a slot, outermost first, by the path that is printed.
func holders(l *layout.Layout, slot int32) []string {
	out := []string{l.Levels[0].Name}
	if path := l.Path(slot); len(l.Levels) > 1 {
		steps := strings.Split(path, "/")
		for i := range steps {
			out = append(out, strings.Join(steps[:i+1], "/"))
		}
	}
	return out
}

// installed is the labour of a cable between two slots by the containers that hold both, in the words of docs/cost.md.
func installed(levels []packed, a, b []string) string {
	shared, rows := map[string]bool{}, false
	for i := range levels {
		rows = rows || levels[i].role == "row"
		if a[i] == b[i] {
			shared[levels[i].role] = true
		}
	}
	switch {
	case shared["rack"]:
		return "install-in-rack"
	case !rows:
		return "install-between-racks"
	case shared["row"]:
		return "install-in-row"
	}
	return "install-cross-row"
}

// TestPackagingByHand compares the labour, the enclosures, their power and weight, and the levels that are not in the
// bill with counts over the printed places of all boxes.
func TestPackagingByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "nodes")
		levels := drawPackaging(t, n)
		r := plan(t, packagingText(n, levels, rapid.SampledFrom([]string{"auto", "random"}).Draw(t, "strategy")))
		l, slots := r.Placement.Layout, r.Placement.Slot

		labour := map[string]int64{}
		for i := range r.Schedule.Segments {
			seg := &r.Schedule.Segments[i]
			if seg.Cable <= 0 {
				continue
			}
			id := installed(levels, holders(l, slots[seg.A]), holders(l, slots[seg.B]))
			labour[id]++
			if seg.Cable%7 != 1 { // explaining takes a walk over all links
				continue
			}
			e, err := r.ExplainCable(context.Background(), r.Schedule.CableID(int64(seg.Cable)))
			if err != nil || e.Labour.Part != id {
				t.Fatalf("cable %d is %s by hand, and explained as %+v (%v)", seg.Cable, id, e, err)
			}
		}
		parts, wantLeft := map[string]int64{}, []cost.NotInBill{}
		var power units.Power
		racks := 0
		for i, level := range levels {
			names := map[string]bool{}
			for _, slot := range slots {
				names[holders(l, slot)[i]] = true
			}
			if level.role == "rack" {
				racks = len(names)
			}
			switch {
			case level.part == "none" || level.part == "" && (level.role == "row" || level.role == "hall"):
			case level.part == "":
				wantLeft = append(wantLeft, cost.NotInBill{Level: level.name, Count: len(names)})
			default:
				parts[level.part] += int64(len(names))
				if p := enclosureParts[level.part]; p.kind != catalog.KindRack {
					power += p.power * units.Power(len(names))
				}
			}
		}
		gotLabour, gotParts, network := map[string]int64{}, map[string]int64{}, units.Money(0)
		for _, row := range r.Bill.Rows {
			switch _, ours := enclosureParts[row.Item.Part]; {
			case row.Kind == catalog.KindLabour:
				gotLabour[row.Item.Part] = row.Qty
			case ours:
				gotParts[row.Item.Part] = row.Qty
				want := enclosureParts[row.Item.Part]
				if row.Kind != want.kind || *row.Cost != want.price.Times(row.Qty) {
					t.Fatalf("%+v, expected kind and price of %+v", row, want)
				}
			}
			if row.HasCost() && slices.Contains(cost.NetworkKinds, row.Kind) {
				network += *row.Cost
			}
		}
		doc := r.Report()
		for _, c := range []struct {
			what      string
			got, want any
		}{
			{"labour", gotLabour, labour},
			{"enclosures", gotParts, parts},
			{"not in the bill", doc.Cost.NotInBill, wantLeft},
			{"power of enclosures", r.Bill.Power.Enclosures, power},
			{"racks", doc.Racks, racks},
			{"network", doc.Cost.Network, network},
			{"midplanes", doc.Cost.Midplanes, enclosureParts["my-midplane"].price.Times(parts["my-midplane"])},
		} {
			if diff := cmp.Diff(c.want, c.got); diff != "" {
				t.Fatalf("%s: %s\n%s", c.what, diff, packagingText(n, levels, "auto"))
			}
		}
		checkLoads(t, r, levels)
	})
}

// checkLoads compares what containers hold with sums over the boxes and enclosures whose places begin with their name.
func checkLoads(t *rapid.T, r *machine.Result, levels []packed) {
	l, node := r.Placement.Layout, r.Schedule.Boxes[0].Part
	for level := range levels {
		want := map[string]units.Mass{}
		seen := map[string]bool{}
		for _, slot := range r.Placement.Slot {
			path := holders(l, slot)
			want[path[level]] += node.Weight
			for inner := level + 1; inner < len(levels); inner++ {
				if !seen[path[inner]] {
					seen[path[inner]] = true
					want[path[level]] += enclosureParts[levels[inner].part].weight
				}
			}
		}
		for c, load := range r.Loads(level) {
			if name := l.ContainerName(level, int32(c)); (load.Weight - want[name]).String() != "0 kg" {
				t.Fatalf("%s weighs %v, by hand %v", name, load.Weight, want[name])
			}
		}
	}
}

// TestChassisInRacks counts chassis of a room, and holds their weight against what a rack bears: a chassis of 20 kg
// with two nodes of 8 kg fits once into a rack that bears 60 kg.
func TestChassisInRacks(t *testing.T) {
	text := `
topology: {family: torus, dims: [8]}
packaging:
  node: {part: n, chassis: box}
  chassis: {box: {units: 2, slots: [2], links: cable PART}}
room: {rack: r}
prices: {unit: {c: 100}}
parts:
  - {id: n, kind: node, height: 0.05, width: 0.2, depth: 0.4, power: 100, weight: 8,
     ports: [{count: 2, connector: qsfp28, rate: 100G}], source: a test, confidence: estimate}
  - {id: c, kind: chassis, power: 30, weight: 20, source: a test, confidence: estimate}
  - {id: r, kind: rack, units: 42, width: 0.6, depth: 1.2, height: 2, rack: {weight: 60 kg},
     source: a test, confidence: estimate}
`
	without := plan(t, strings.Replace(text, "PART", "", 1))
	if got := len(without.Placement.Racks); got != 2 { // three chassis of 16 kg and one
		t.Errorf("%d racks without the weight of chassis, expected 2", got)
	}
	if got := without.Report().Cost.NotInBill; !slices.Equal(got, []cost.NotInBill{{Level: "box", Count: 4}}) {
		t.Errorf("not in the bill: %v, expected 4 of box", got)
	}
	with := plan(t, strings.Replace(text, "PART", ", part: c", 1))
	if got := len(with.Placement.Racks); got != 4 {
		t.Errorf("%d racks of a chassis of 36 kg each, expected 4", got)
	}
	cables := with.Schedule.RackCables()
	for i, k := range with.Placement.Racks {
		if want := 36 + cables[i].Weight; math.Abs(float64(k.Weight-want)) > 1e-9 || k.Power < 230 {
			t.Errorf("a rack weighs %v and draws %v, expected %v and at least 230 W", k.Weight, k.Power, want)
		}
	}
	if r := row(t, with.Bill, "c"); r.Qty != 4 || *r.Cost != 40_000 || r.Kind != catalog.KindChassis {
		t.Errorf("chassis: %+v, expected 4 of 100.00", r)
	}
	if got := with.Report(); len(got.Cost.NotInBill) != 0 || got.PowerBy.Enclosures != 120 || got.Cost.Racks < 40_000 {
		t.Errorf("%v not in the bill, %v of enclosures, racks %v", got.Cost.NotInBill, got.PowerBy.Enclosures,
			got.Cost.Racks)
	}
	none := plan(t, strings.Replace(text, "PART", ", part: none", 1))
	if got := none.Report().Cost.NotInBill; len(got) != 0 {
		t.Errorf("not in the bill: %v, although no part is wanted", got)
	}
}

// TestNestedRackLimits breaks what a rack among containers bears and supplies, by a little.
func TestNestedRackLimits(t *testing.T) {
	for limits, want := range map[string]string{
		"weight: 20 kg, power: 1 kW": "", "weight: 19.9 kg, power: 1 kW": "rack-weight",
		"weight: 1 t, power: 70 W": "rack-power",
	} {
		r := plan(t, `
topology: {family: torus, dims: [4]}
packaging: {node: {part: n}}
room:
  containers:
    - {name: hall, is: hall, count: [2, 1, 1], gap: 1}
    - {name: cabinet, is: rack, part: r, count: [1, 1, 1], gap: 0.1}
    - {name: shelf, part: f, count: [2, 1, 1], pitch: 0.3}
parts:
  - {id: n, kind: node, height: 0.05, width: 0.2, depth: 0.2, power: 40, weight: 8,
     ports: [{count: 2, connector: qsfp28, rate: 100G}], source: a test, confidence: estimate}
  - {id: f, kind: frame, weight: 4, source: a test, confidence: estimate}
  - {id: r, kind: rack, units: 42, rack: {`+limits+`}, source: a test, confidence: estimate}
`)
		got := map[string]bool{}
		for _, v := range r.Violations.List() {
			if strings.HasPrefix(v.Where, "cabinet-") {
				got[v.Rule] = true
			}
		}
		if want == "" && len(got) > 0 || want != "" && !got[want] {
			t.Errorf("%s: violations %v, expected %q", limits, got, want)
		}
	}
}
