package asbuilt

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// cooled is a machine of racks with feeds and a loop of coolant. The arguments of its format are counts, places and
// powers.
const cooled = `
boxes: [{name: n, part: n}, {name: pdu, part: pdu, role: service}, {name: cdu, role: service, part: cdu}]
racks:
- {name: hot, count: %d, at: [A1-A%[1]d],
   holds: [{boxes: n, units: 1-%d}, {switch: net, units: 20}, {boxes: pdu, count: 2}]}
- {name: cool, count: %d, at: [%s], holds: [{boxes: cdu, units: 1-4}]}
fabrics:
- {name: net, topology: {family: access}, ends: [{boxes: n}, {boxes: cdu}], switches: {leaf: {part: sw}}}
room: {rows: 1, racks_per_row: 8, feeds: [{name: A}, {name: B}], loops: [{name: l, cdus: cdu, hose: pipe%s}]}
parts:
- {id: n, kind: node, units: 1, power: %d W, liquid: 50 %%, inlets: {c14: 1},
   ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: sw, kind: switch, units: 1, hop: 100, power: 90 W, ports: [{count: 40, connector: rj45, rate: 1G}]}
- {id: pdu, kind: node, zero_u: true, height: 1.8 m, supply: {phases: 3, outlets: [{type: c13, count: 12}]},
   ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: cdu, kind: node, units: 4, cooling: {capacity: 90 kW}, ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: pipe, kind: hose, hose: {inside: 25 mm, lengths: [4 m, 8 m, 16 m]}}
`

// listEnds lists what the cords and hoses of a plan join, in the plainest way, with the boxes of both plans.
func listEnds(d *Difference, side int) (cords, hoses map[string]string) {
	r := [2]*machine.Result{d.Old, d.New}[side]
	box := func(v int32) int32 { return d.inv[side].box[v] }
	cords, hoses = map[string]string{}, map[string]string{}
	for i := range r.Power.Racks {
		rack := &r.Power.Racks[i]
		for _, c := range rack.Cords {
			if c.Supply >= 0 {
				at := fmt.Sprint(box(rack.BoxAt[c.Box]), " inlet ", c.Inlet)
				cords[at] = fmt.Sprint(box(rack.SupplyAt[c.Supply]), " outlet ", c.Outlet)
			}
		}
	}
	for i := range r.Cooling.Loops {
		for _, rack := range r.Cooling.Loops[i].Racks {
			hoses[r.Room().Name(int(rack.Place))] = fmt.Sprint(box(rack.CDU), " ", rack.Piece)
		}
	}
	return cords, hoses
}

// TestDiffOfCordsAndHoses compares plans whose cords and hoses stay, move, come and go, beside the plainest comparison.
func TestDiffOfCordsAndHoses(t *testing.T) {
	plan := func(words ...any) *machine.Result {
		s, err := machine.Parse("machine.yaml", []byte(fmt.Sprintf(cooled, words...)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	base := plan(3, 4, 1, "A8", "", 2000)
	for name, other := range map[string]*machine.Result{
		"nothing":     base,
		"more racks":  plan(5, 4, 1, "A8", "", 2000),
		"fewer boxes": plan(3, 3, 1, "A8", "", 2000),
		"more units":  plan(3, 4, 2, "A8, A7", "", 2000),
		"other unit":  plan(3, 4, 1, "A6", "", 2000),
		"longer":      plan(3, 4, 1, "A8", ", hose_slack: 5 m", 2000),
		"other order": plan(3, 5, 1, "A8", "", 0),
	} {
		for _, plans := range [][2]*machine.Result{{base, other}, {other, base}} {
			d, err := Compare(context.Background(), plans[0], plans[1], Options{Paths: 1})
			if err != nil {
				t.Fatal(err)
			}
			doc := d.Document()
			was, is := [2]map[string]string{}, [2]map[string]string{}
			was[0], was[1] = listEnds(d, 0)
			is[0], is[1] = listEnds(d, 1)
			for i, count := range []*CableCount{doc.PowerCords, doc.Hoses} {
				pieces, changes := 1, doc.CordChanges
				if i == 1 {
					pieces, changes = machine.HosesOfRack, doc.HoseChanges
				}
				want := map[string]int{}
				for at := range was[i] {
					switch to, ok := is[i][at]; {
					case !ok:
						want["removed"] += pieces
					case to != was[i][at]:
						want["elsewhere"] += pieces
					}
				}
				for at := range is[i] {
					if _, ok := was[i][at]; !ok {
						want["added"] += pieces
					}
				}
				got := map[string]int{}
				for _, c := range changes {
					switch c.Change {
					case "relaid": // a box at them moves, and ends stay
					case "added", "removed":
						got[c.Change] += c.Pieces
					default:
						got["elsewhere"] += c.Pieces
					}
				}
				if !maps.Equal(got, want) || count.Added != want["added"] || count.Removed != want["removed"] ||
					count.Kept+count.Elsewhere()+count.Removed != pieces*len(was[i]) {
					t.Errorf("%s: %v, want %v, %+v", name, got, want, *count)
				}
				if other == base && count.Kept != pieces*len(was[i]) {
					t.Errorf("%+v", *count)
				}
			}
			var b bytes.Buffer
			if err := doc.WriteLines(context.Background(), &b, doc.HoseChanges); err != nil ||
				strings.Count(b.String(), "\n") != len(doc.HoseChanges)+1 {
				t.Errorf("%v %s", err, b.String())
			}
		}
	}
	d, err := Compare(context.Background(), base, plan(5, 4, 1, "A8", "", 2000), Options{Paths: 1})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := d.Document().WriteLines(context.Background(), &b, d.Document().HoseChanges); err != nil ||
		!strings.Contains(b.String(), "A04,A04,added,2,,cdu-1,,pipe@4 m,,,,1") {
		t.Errorf("%v %s", err, b.String())
	}
}
