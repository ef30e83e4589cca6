package machine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
)

func planText(t *testing.T, text string) *machine.Result {
	t.Helper()
	spec, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	pair = "topology: {family: fat-tree, nodes: 8, radix: 8}\n"
	// twoPorts is a switch whose ports the test words.
	twoPorts = `
packaging: {leaf: {part: box}, spine: {part: box}}
parts:
  - {id: box, kind: switch, units: 1, width: 0.44, depth: DEPTH, hop: 100, ports: [PORTS]}
`
	qsfp = "{count: 32, connector: qsfp112, rate: 400G}"
	// twin has a node and a switch whose cages hold two ports; the eleventh cage
	// of a leaf holds the last node and the first uplink.
	twin = `
topology: {family: fat-tree, nodes: 42, radix: 64, down: 21, up: 11, spines: 1}
packaging:
  node: {part: nvidia-dgx-h100, per_rack: 4}
  leaf: {part: nvidia-qm9700}
  spine: {part: nvidia-qm9700}
room: {rack: rack-48u}
`
	// halls is a ring over two halls.
	halls = `
topology: {family: torus, dims: [8]}
room:
  containers:
    - {name: LEVEL, count: [2, 1, 1], gap: 0.5}
    - {name: hall, count: [4, 1, 1], pitch: 0.5}
`
	// gaps is a torus on two boards, with a cable from each node of one to the same of the other.
	gaps = `
topology: {family: torus, dims: [2, 4, 4]}
packaging: {node: {part: n}}
room:
  containers:
    - {name: machine, count: [2, 1, 1], gap: GAP}
    - {name: board, count: [4, 2, 2], pitch: 0.1 m}
cabling: {media: [{use: [dac-100g-qsfp28]}]}
parts:
  - {id: n, kind: node, units: 1, hop: 100, ports: [{count: 8, connector: qsfp28, rate: 100G}]}
`
	// ring fills the power of its racks with boxes, which its blocks keep there.
	ring = `
topology: {family: torus, dims: [4]}
packaging: {node: {part: n, per_rack: 2}}
embedding: {blocks: {rack: [2]}}
room: {rack: r}
parts:
  - {id: r, kind: rack, units: 42, width: 0.6, depth: 1.2, height: 2, rack: {power: 205 W}}
  - {id: n, kind: node, units: 1, width: 0.44, depth: 0.8, power: 100 W,
     ports: [{count: 2, connector: qsfp112, rate: 400G}]}
`
)

// twoFeeds is two racks of five boxes with two inlets each, and a PDU on each of two feeds.
func twoFeeds(feed, outlets, redundancy string) string {
	return strings.NewReplacer("FEED", feed, "OUTLETS", outlets, "REDUNDANCY", redundancy).Replace(`
boxes: [{name: n, part: n}, {name: pdu, part: pdu, role: service}]
racks:
- {name: pod, count: 2, at: [A01-A02], feeds: [A, B],
   holds: [{boxes: n, units: 1-5}, {switch: net, units: 9}, {boxes: pdu, count: 2}]}
fabrics: [{name: net, topology: {family: access}, ends: [{boxes: n}], switches: {leaf: {part: sw}}}]
names: {boxes: {n: "n{n}", pdu: "pdu{n}"}}
room: {rows: 1, racks_per_row: 2, feeds: [{FEEDname: A}, {FEEDname: B}]}
parts:
- {id: n, kind: node, units: 1, power: 500 W, inlets: {c14: 2}, redundancy: REDUNDANCY,
   ports: [{count: 1, connector: qsfp28, rate: 100G}]}
- {id: sw, kind: switch, units: 1, hop: 100, ports: [{count: 10, connector: qsfp28, rate: 100G}]}
- {id: pdu, kind: node, zero_u: true, height: 1.8 m, supply: {volts: 230 V, outlets: [{type: c13, OUTLETS}]},
   ports: [{count: 1, connector: rj45, rate: 1G}]}
`)
}

func box(depth, ports string) string {
	return strings.NewReplacer("DEPTH", depth, "PORTS", ports).Replace(twoPorts)
}

// brokenElsewhere are the rules without a row in TestDesignRules, each with the test that breaks and keeps it: what no
// machine file can bring about is tested beside the checks.
var brokenElsewhere = map[string]string{
	cabling.RuleLoss.ID: "TestInsertionLoss in render", cabling.RuleTrayFill.ID: "TestRandomTrays in render",
	cabling.RuleSeparation.ID: "TestSeparationIsClear in cabling", cabling.RuleRedundancy.ID: "TestRedundancyOfRails",
	cabling.RuleUnits.ID: "TestRackUnits", cabling.RuleWeight.ID: "TestLimitsOfPinnedBoxes",
	cabling.RuleRowPower.ID: "TestLimitsOfPinnedBoxes", cabling.RuleRowWeight.ID: "TestLimitsOfPinnedBoxes",
	cabling.RulePolarity.ID: "TestPolarityTurnsFibresOnce in render", cabling.RuleGrowth.ID: "TestGrowthOfRacks",
	cabling.RuleStrands.ID:    "TestWrongCassetteIsFound in cabling",
	cabling.RuleMatedPairs.ID: "TestStrandsOverTrunksReachTheirReceivers in cabling",
	cabling.RuleTierLoss.ID:   "TestTiersAreSpread", cabling.RuleCooling.ID: "TestCooling",
}

// Every rule has a machine that breaks it and one, but little different, that keeps it.
func TestDesignRules(t *testing.T) {
	broken := map[string]bool{}
	for _, c := range []struct {
		rule         cabling.Rule
		broken, kept string
		where, what  string // of the first violation
	}{
		{
			cabling.RuleReach,
			"topology: {family: torus, dims: [64]}\npackaging: {node: {per_rack: 1}}\n" +
				"cabling: {slack: {fixed: 4}, media: [{use: [passive-copper]}]}\n",
			"topology: {family: torus, dims: [64]}\npackaging: {node: {per_rack: 1}}\ncabling: {slack: {fixed: 4}}\n",
			"C0001", "needed, the longest cable",
		},
		{
			cabling.RulePorts, pair + box("0.5", strings.Replace(qsfp, "32", "7", 1)), pair + box("0.5", qsfp),
			"leaf", "a leaf has up to 8 links, but box has 7 ports",
		},
		{
			cabling.RuleOptics,
			twin + "cabling: {media: [{levels: [terminal], use: [multimode]}, {use: [single-mode]}]}\n",
			twin + "cabling: {media: [{use: [multimode]}]}\n",
			"", "in one cage",
		},
		{
			cabling.RuleBreakout, pair + box("0.5", strings.Replace(qsfp, "400G", "800G", 1)), pair + box("0.5", qsfp),
			"", "each link runs at 400G",
		},
		{
			cabling.RuleBend, pair + box("1.18", qsfp), pair + box("0.6", qsfp),
			"leaf", "and the rack leaves 10 mm before the ports of box",
		},
		{
			cabling.RuleBend,
			pair + "room: {trays: {part: wire}}\nparts: [{id: wire, kind: tray, width: 2 cm, height: 5 cm, section: " +
				"1}]\n",
			pair + "room: {trays: {part: wire}}\nparts: [{id: wire, kind: tray, width: 20 cm, height: 5 cm, section: " +
				"1}]\n",
			"wire", "and the tray is 20 mm wide",
		},
		{
			cabling.RuleCrossHall, strings.Replace(halls, "LEVEL", "site", 1),
			strings.Replace(halls, "LEVEL", "site", 1) +
				"cabling: {media: [{beyond: hall, use: [optical]}, {use: [any]}]}\n",
			"C0004", "from one hall to another",
		},
		{
			cabling.RuleCrossHall, strings.Replace(halls, "LEVEL", "site", 1),
			strings.NewReplacer("LEVEL", "aisle", "hall", "row").Replace(halls),
			"C0004", "from one hall to another",
		},
		{
			cabling.RuleOutlets, twoFeeds("", "count: 4", "N+1"), twoFeeds("", "count: 5", "N+1"),
			"A01", "2 inlets of type c14 have no outlet (c13 or c39): n5; the rack has 8 of c13 with a feed",
		},
		{ // 2,400 W on one inlet at 230 V are 10.4 A
			cabling.RuleOutlets, strings.Replace(twoFeeds("", "count: 8", "N+1"), "500 W", "2.4 kW", 1),
			strings.Replace(twoFeeds("", "count: 8", "N+1"), "500 W", "2.29 kW", 1),
			"A01", "10.4 A at an inlet c14 without feed A, it takes 10 A: n1, n2, n3 and 2 more",
		},
		{
			cabling.RuleOutlets, twoFeeds("racks: [A01], ", "count: 8", "N+1"),
			twoFeeds("racks: [A], ", "count: 8", "N+1"),
			"A02",
			"pdu3 hangs on no feed: its racks (pod) draw from feed A, which does not have this rack by room.feeds",
		},
		{ // five boxes of 500 W on one feed, 230 V: 10.9 A
			cabling.RuleBreaker, twoFeeds("breaker: 13.5 A, ", "count: 8", "N+1"),
			twoFeeds("breaker: 13.6 A, ", "count: 8", "N+1"),
			"A01", "pdu2 draws 10.87 A without feed A, 80 % of its breaker of 13.5 A are 10.8 A: 0.07 A too much",
		},
		{
			cabling.RuleFeedLoss, twoFeeds("", "count: 8", "N"), twoFeeds("", "count: 8", "2N"),
			"A01", "without feed A, 5 boxes go dark: n1, n2, n3 and 2 more",
		},
		{
			cabling.RuleRowPower, twoFeeds("row_power: 5 kW, ", "count: 8", "N+1"),
			twoFeeds("row_power: 5001 W, ", "count: 8", "N+1"),
			"row A", "feed A gives 5001 W without feed B, it supplies 5 kW to a row",
		},
		{ // 16 cables of 6.5 mm between two boards, whose shorter sides are 0.2 m: 5.31 mm of them
			cabling.RuleGapFill, strings.Replace(gaps, "GAP", "5.3 mm", 1), strings.Replace(gaps, "GAP", "5.4 mm", 1),
			"machine", "between board-0.0.0 and board-1.0.0, 16 cables of 531 mm2 take 50.1 % of 1060 mm2, more than " +
				"the limit of 50 %; 1 of 1 gaps are too full; with a pitch of 0.4054 x 0.2053 x 0.2053 m these " +
				"cables fit",
		},
		{
			cabling.RuleGapFill, strings.Replace(gaps, "GAP", "0 m", 1),
			strings.Replace(gaps, "gap: GAP", "pitch: fit", 1),
			"machine", "16 cables of 531 mm2 have no gap to run in",
		},
		{
			cabling.RuleGapFill, strings.Replace(gaps, "GAP", "5.4 mm, fill: 49.1", 1),
			strings.Replace(gaps, "GAP", "5.4 mm, fill: 49.2", 1), "machine", "more than the limit of 49.1 %",
		},
		{
			cabling.RuleLabels, pair + box("0.5", "{count: 4, connector: qsfp112, rate: 400G}, {count: 16, "+
				"connector: qsfp112, rate: 400G}"),
			pair + box("0.5", "{count: 4, connector: qsfp112, rate: 400G}, {count: 16, first: 5, connector: qsfp112, "+
				"rate: 400G}"),
			"box", "two ports are called 1",
		},
		{
			cabling.RulePower, ring + "cabling: {media: [{use: [active-optical]}]}\n",
			ring + "cabling: {media: [{use: [passive-copper]}]}\n",
			"A01", "including optics, the rack supplies 205 W: ",
		},
		{
			cabling.RuleBusbar, strings.Replace(ring, "{power: 205 W}", "{busbar: {amperes: 4, volts: 50}}", 1),
			strings.Replace(ring, "{power: 205 W}", "{busbar: {amperes: 4, volts: 50, bars: 2}}", 1),
			"A01", " A including optics, a busbar carries 4 A",
		},
		{
			cabling.RuleEntry,
			strings.Replace(ring, "{power: 205 W}", "{openings: [{at: top, width: 1 mm, depth: 1 mm}]}", 1),
			strings.Replace(ring, "{power: 205 W}", "{openings: [{at: top, width: 9 cm, depth: 9 cm}]}", 1),
			"A01", "have a cross-section of 14 mm2, the openings there take 0.5 mm2: 14 mm2 too much",
		},
		{
			cabling.RuleFloorLoad, pair + "room: {floor_load: 228 kg/m2}\n", pair + "room: {floor_load: 229 kg/m2}\n",
			"A02", "on 1.45 m² of floor are ",
		},
		{
			cabling.RuleAisle,
			pair + "room: {rows: 2, racks_per_row: 4, columns: [{x: 2 m, y: 2.8 m, width: 40 cm, depth: 40 cm}]}\n",
			pair + "room: {rows: 2, racks_per_row: 4, aisle_clear: 40 cm, " +
				"columns: [{x: 2 m, y: 2.8 m, width: 40 cm, depth: 40 cm}]}\n",
			"row A to row B", "the column at x 2.00 m, y 2.80 m leaves 0.42 m of the ",
		},
		{
			cabling.RulePrice, pair + "prices: {set: slimfly-2014}\n", pair,
			"", "has no price for",
		},
	} {
		broken[c.rule.ID] = true
		t.Run(c.rule.ID, func(t *testing.T) {
			r := planText(t, c.broken)
			if r.Violations.Count(c.rule) == 0 {
				t.Fatalf("the rule is kept: %+v", r.Violations.List())
			}
			for _, v := range r.Violations.List() {
				if v.Rule == c.rule.ID {
					if v.Severity != c.rule.Severity || c.where != "" && v.Where != c.where ||
						!strings.Contains(v.Message, c.what) {
						t.Errorf("%+v, want %s: %s", v, c.where, c.what)
					}
					break
				}
			}
			if r.Broken() != (c.rule.Severity == diag.Error) && r.Violations.Errors() == 0 {
				t.Errorf("broken %v by a rule of severity %s", r.Broken(), c.rule.Severity)
			}
			if r := planText(t, c.kept); r.Violations.Count(c.rule) > 0 {
				t.Errorf("the rule is broken: %+v", r.Violations.List())
			}
		})
	}
	for _, id := range cabling.RuleIDs() {
		if !broken[id] && brokenElsewhere[id] == "" {
			t.Errorf("no test breaks the rule %s: add a row to the table of this test, or the name of the test that "+
				"does to brokenElsewhere (docs/internals/adding-a-rule.md)", id)
		}
	}
}

// rails has a node with two rails; places says where its leaves stand.
const rails = `
topology: {family: fat-tree, nodes: 2, radix: 8, rails: 2}
packaging: {node: {part: n, place: in-rack}, leaf: {place: in-rack}}
parts:
  - {id: n, kind: node, units: 1, width: 0.44, depth: 0.8, ports: [{count: 2, connector: qsfp112, rate: 400G}]}
embedding: {placement: places.csv}
room: {rows: 1, racks_per_row: 3}
`

// The rails of a node between its leaves share no tray, those of a node at their
// side do.
func TestRedundancyOfRails(t *testing.T) {
	const shared = "row A: 2 of its nodes have all rails in one piece of tray: those of N1 share row A, "
	for places, want := range map[string]string{
		"A02,A02,A01,A03": "",
		"A01,A01,A02,A03": shared + "A01-A02",
		"A01,A01,A01,A03": "", // one rail stays in the rack
		"A03,A02,A01,A01": shared + "A01-A03",
	} {
		racks := strings.Split(places, ",")
		table := "kind,vertex,container,unit\n"
		for i, v := range []string{"node,3", "node,4", "leaf,0", "leaf,1"} {
			table += v + "," + racks[i] + "," + []string{"10", "12", "20", "30"}[i] + "\n"
		}
		r, err := planFile(t, write(t, "m.yaml", rails, "places.csv", table))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, v := range r.Violations.List() {
			if v.Rule == cabling.RuleRedundancy.ID {
				got += v.Where + ": " + v.Message
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", places, got, want)
		}
	}
}

// A rack whose boxes take more units than it has breaks a rule; no machine file
// gets there, as boxes that overlap are refused.
func TestRackUnits(t *testing.T) {
	r := planText(t, ring+"cabling: {media: [{use: [passive-copper]}]}\n")
	if n := r.Violations.Count(cabling.RuleUnits); n > 0 {
		t.Errorf("%d breaches", n)
	}
	r.Placement.Racks[1].Used = 43
	r.Violations.CheckRacks(r.Room(), r.Placement.Racks, []*catalog.Part{r.Catalog.Part(r.Spec.Room.Rack)})
	if v := r.Violations.List(); len(v) == 0 || v[len(v)-1].Rule != "rack-units" ||
		v[len(v)-1].Message != "43 rack units in it, the rack has 42" {
		t.Errorf("%+v", v)
	}
}

// What a machine file suppresses stays listed, and does not break the plan.
func TestSuppression(t *testing.T) {
	broken := ring + "cabling: {media: [{use: [active-optical]}]}\n"
	open := planText(t, broken)
	n := open.Violations.Count(cabling.RulePower)
	if !open.Broken() || n < 2 {
		t.Fatalf("%+v", open.Violations.List())
	}
	all := planText(t, broken+"rules: {suppress: [{rule: rack-power, reason: the busway is being replaced}, {rule: "+
		"reach, where: C1, reason: none}]}\n")
	if all.Broken() || all.Violations.CountSuppressed(cabling.RulePower) != n ||
		all.Violations.Count(cabling.RulePower) != n {
		t.Errorf("%+v", all.Violations.List())
	}
	for _, v := range all.Report().Violations {
		if v.Rule == "rack-power" && v.Suppressed != "the busway is being replaced" {
			t.Errorf("%+v", v)
		}
	}
	if want := "nothing breaks the rule reach at C1, which is suppressed"; !strings.Contains(strings.Join(all.Notes,
		"|"), want) {
		t.Errorf("notes %q, want %q", all.Notes, want)
	}
	one := planText(t, broken+"rules: {suppress: [{rule: rack-power, where: \"*02\", reason: x}]}\n")
	if !one.Broken() || one.Violations.CountSuppressed(cabling.RulePower) != 1 || one.Violations.Errors() != n-1 {
		t.Errorf("%+v", one.Violations.List())
	}
}

// Mistakes in suppressions are shown where they are.
func TestMistakesInSuppressions(t *testing.T) {
	_, err := machine.Parse("m.yaml", []byte("topology: {family: torus, dims: [4]}\nrules:\n  suppress:\n"+
		"    - {rule: tray-fil, reason: x}\n    - {rule: reach, reason: \" \"}\n    - {rule: reach}\n"))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`m.yaml:4:14: rules.suppress[0].rule: there is no rule "tray-fil"`, `did you mean "tray-fill"?`,
		"m.yaml:5:29: rules.suppress[1].reason: a suppression needs a reason", "rules.suppress[2].reason: missing",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
}

// TestManagementIsNoRail: a cable of management does not make a second rail of a node, also where it shares the trays
// of the first; two cables of one rate are rails, in one fabric or in two.
func TestManagementIsNoRail(t *testing.T) {
	const nodes = `
boxes: [{name: n, count: 4, part: n, per_rack: 1}]
fabrics:
  - name: a
    topology: {family: leaf-spine, down: 8, up: 1, spines: 1}
    ends: [{boxes: n, ports: a}]
    switches: {leaf: {place: in-rack}}
  - name: b
    topology: {family: leaf-spine, down: 8, up: 1, spines: 1}
    ends: [{boxes: n, ports: b}]
    switches: {leaf: {place: in-rack}}
parts:
  - id: n
    kind: node
    units: 30
    width: 0.44
    depth: 0.8
    ports:
      - {name: a, count: 1, connector: qsfp112, rate: 400G, by_name: true}
      - {name: b, count: 1, connector: CONNECTOR, rate: RATE, by_name: true}
room: {rows: 1, racks_per_row: 8}
`
	for rate, connector := range map[string]string{"400G": "qsfp112", "200G": "qsfp56"} {
		text := strings.NewReplacer("RATE", rate, "CONNECTOR", connector).Replace(nodes)
		r, err := planFile(t, write(t, "m.yaml", text))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, v := range r.Violations.List() {
			if v.Rule == "redundancy" {
				found++
			}
		}
		if (found > 0) != (rate == "400G") {
			t.Errorf("the second port is of %s: %d violations", rate, found)
		}
	}
}
