package machine_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
)

// The machines of this file are such as people tried to buy.

// buy plans a machine that breaks no rule.
func buy(t *testing.T, text string) *machine.Result {
	t.Helper()
	spec, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Violations.List() {
		if v.Suppressed != "" {
			continue
		}
		t.Errorf("%s: %s: %s", v.Rule, v.Where, v.Message)
	}
	return r
}

// TestSideOfTwoTakesOnePort: a node of a 4 x 4 x 2 torus has five links, so that five ports will do.
func TestSideOfTwoTakesOnePort(t *testing.T) {
	for _, topology := range []string{
		"{family: torus, dims: [4, 4, 2]}", "{family: mesh, dims: [3, 3, 2]}",
		"{family: ibt, dims: [8, 8], bypass_dims: 2, bypass_lengths: [4]}",
	} {
		r := buy(t, "topology: "+topology+`
parts:
- {id: five, kind: node, units: 1, width: 440 mm, depth: 800 mm, source: x, confidence: user,
   ports: [{count: 5, connector: qsfp112, rate: 400G}]}
packaging: {node: {part: five}}
`)
		if used, total := r.Schedule.PortsUsed.Node, int64(5*r.Graph.Kinds()[0].Count); used > total {
			t.Errorf("%s: %d of %d ports are used", topology, used, total)
		}
	}
}

// quoted is a machine whose cables are priced by a quote.
func quoted(t *testing.T, topology, quote string) *machine.Result {
	t.Helper()
	r, err := planFile(t, write(t, "m.yaml", "topology: "+topology+`
room: {racks_per_row: 4}
cabling: {route: direct, media: [{use: [aoc-400g-qsfp112]}]}
prices: {quote: q.csv}
`, "q.csv", "part,min qty,unit price,currency,date\n"+quote))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// boughtOf lists the items of a part in a bill, with how many there are.
func boughtOf(r *machine.Result, part string) map[string]int64 {
	out := map[string]int64{}
	for _, row := range r.Bill.Rows {
		if row.Item.Part == part {
			out[row.Item.String()] = row.Qty
		}
	}
	return out
}

// TestLongerCableThatCostsLess: where a quote asks less for a longer cable, that one is bought.
func TestLongerCableThatCostsLess(t *testing.T) {
	const ring = "{family: torus, dims: [16]}"
	dear := quoted(t, ring, "aoc-400g-qsfp112,1,500,USD,2025-06-01\n")
	cheap := quoted(t, ring, "aoc-400g-qsfp112,1,500,USD,2025-06-01\naoc-400g-qsfp112@10 m,1,56,USD,2025-06-01\n")
	if got := boughtOf(dear, "aoc-400g-qsfp112"); got["aoc-400g-qsfp112@10 m"] != 0 || len(got) == 0 {
		t.Errorf("without the cheap length: %v", got)
	}
	want := map[string]int64{"aoc-400g-qsfp112@10 m": 16}
	if got := boughtOf(cheap, "aoc-400g-qsfp112"); !maps.Equal(got, want) {
		t.Errorf("with the cheap length: %v", got)
	}
}

// TestPriceOfTheQuantityDecides: 10 m is dear by the piece and cheap from 10 pieces on; 16 links take it, and 4 do not.
func TestPriceOfTheQuantityDecides(t *testing.T) {
	const quote = "aoc-400g-qsfp112,1,100,USD,2025-06-01\naoc-400g-qsfp112@10 m,1,120,USD,2025-06-01\n" +
		"aoc-400g-qsfp112@10 m,10,56,USD,2025-06-01\n"
	many := boughtOf(quoted(t, "{family: torus, dims: [16]}", quote), "aoc-400g-qsfp112")
	if want := map[string]int64{"aoc-400g-qsfp112@10 m": 16}; !maps.Equal(many, want) {
		t.Errorf("16 links: %v", many)
	}
	few := boughtOf(quoted(t, "{family: torus, dims: [4]}", quote), "aoc-400g-qsfp112")
	if few["aoc-400g-qsfp112@10 m"] != 0 || len(few) == 0 {
		t.Errorf("4 links: %v", few)
	}
}

// TestTwinPortCageTakesOneTransceiver: links of about 50 m, where multimode fibre ends, meet in twin-port cages.
func TestTwinPortCageTakesOneTransceiver(t *testing.T) {
	r := buy(t, `
topology: {family: fat-tree, nodes: 128, radix: 64, rails: 8}
packaging:
  node:  {part: nvidia-dgx-b200, per_rack: 1}
  leaf:  {part: nvidia-qm9700, place: network-row, per_rack: 8}
  spine: {part: nvidia-qm9700, place: network-row, per_rack: 8}
room: {racks_per_row: 16}
cabling: {slack: {fixed: 38 m}, media: [{use: [fibre]}]}
rules: {suppress: [{rule: redundancy, reason: of no interest}]}
`)
	for _, part := range []string{"nvidia-mma4z00-ns-flt", "nvidia-mms4x00-ns-flt"} {
		if len(boughtOf(r, part)) == 0 {
			t.Errorf("no %s: the test is too easy", part)
		}
	}
}

// TestSwitchesOf144Ports: where no generic switch has the ports, one of the catalog does, for all tiers alike, and an
// estimate prices the cables that only links of a cage together have.
func TestSwitchesOf144Ports(t *testing.T) {
	spec, err := machine.Parse("m.yaml", []byte("topology: {family: fat-tree, nodes: 288, radix: 144}\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := machine.Estimate(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if cost := e.Levels[0].Cost; cost == nil || *cost == 0 {
		t.Errorf("cables of terminals cost nothing: %v", e.Cost.Excludes)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range r.Graph.Kinds() {
		if box := r.Schedule.Boxes[i].Part.ID; k.Name != "node" && box != "nvidia-q3400" {
			t.Errorf("a %s is a %s", k.Name, box)
		}
	}
}

// unmeasured is a machine of parts that state neither a hop delay nor, but for the ones that stay in a rack, a
// diameter.
const unmeasured = `
topology: {family: torus, dims: [4, 4, 4]}
parts:
- {id: box, kind: node, units: 8, width: 440 mm, depth: 800 mm, source: x, confidence: user,
   ports: [{count: 6, connector: plug, rate: 400G}]}
- {id: bare, kind: cable, source: x, confidence: user,
   cable: {medium: passive-copper, connector: plug, rate: 400G, lengths: [3, 10, 20, 40], propagation: 4.5 ns/m}}
packaging: {node: {part: box}}
`

// TestMissingPhysicsIsNoZero: what no part states is not taken for nothing, but makes lower bounds that are called
// that.
func TestMissingPhysicsIsNoZero(t *testing.T) {
	r := buyAny(t, unmeasured)
	d := r.Report().Delay
	want := []report.Unstated{{Part: "box", Count: 64}}
	if all := r.Report().HopUnstated; !slices.Equal(d.HopUnstated, want) || !slices.Equal(all, want) {
		t.Errorf("hop_unstated: %v of paths, %v of links", d.HopUnstated, all)
	}
	if d.Definition.Alpha != nil || d.Definition.NsMean != nil || d.Definition.NsMax != nil {
		t.Errorf("%+v", d.Definition)
	}
	between := int64(0)
	for _, l := range r.Report().LayoutLevels {
		if l.Level != "rack" {
			between += l.Cables
		}
	}
	trays := r.Report().Trays
	if want := []report.Unstated{{Part: "bare", Count: between}}; between == 0 ||
		!slices.Equal(trays.DiameterUnstated, want) {
		t.Errorf("diameter_unstated: %v of %d", trays.DiameterUnstated, between)
	}
	notes := strings.Join(r.Notes, "; ")
	for _, want := range []string{"delays are lower bounds: 64 of box", "cables between racks state no diameter"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %s", want, notes)
		}
	}
	told := buyAny(t, unmeasured+"delay: {hop: {node: 0 ns}}\n").Report().Delay
	if len(told.HopUnstated) > 0 || told.Definition.Alpha == nil || told.NsMean != d.NsMean {
		t.Errorf("hop of 0 ns: %+v", told)
	}
}

// buyAny plans a machine regardless of what rules it breaks.
func buyAny(t *testing.T, text string) *machine.Result {
	t.Helper()
	spec, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPricesOfTheQuantityBeforeOptimising: the bill without optimising is that of the plan without it, and the search
// goes by the same prices.
func TestPricesOfTheQuantityBeforeOptimising(t *testing.T) {
	plan := func(embedding string) *machine.Result {
		r, err := planFile(t, write(t, "m.yaml", `
topology: {family: torus, dims: [4, 4]}
room: {racks_per_row: 4}
packaging: {node: {per_rack: 4}}
cabling: {route: direct, media: [{use: [aoc-400g-qsfp112]}]}
prices: {quote: q.csv}
`+embedding, "q.csv", "part,min qty,unit price,currency,date\naoc-400g-qsfp112,1,500,USD,2025-06-01\n"+
			"aoc-400g-qsfp112@10 m,1,520,USD,2025-06-01\naoc-400g-qsfp112@10 m,10,56,USD,2025-06-01\n"))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	plain := plan("").Bill.Total
	p := plan("embedding: {effort: quick, objective: money}").Report().Placement
	if p.CostBefore == nil || *p.CostBefore != plain {
		t.Errorf("before: %v, without optimising: %v", p.CostBefore, plain)
	}
	if p.Before > plain.Float() {
		t.Errorf("the search began at %v, of a bill of %v", p.Before, plain)
	}
}
