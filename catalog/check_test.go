package catalog

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// broken has one mistake of every sort; each must be reported in one run.
const broken = `
parts:
  - {id: a switch, kind: swich, confidence: sure, estimated: [colour], width: -1}
  - {id: bare, kind: switch, source: s, confidence: estimate}
  - {id: twin, kind: adapter, source: s, confidence: estimate, ports: [{count: 2, connector: x, rate: 1}]}
  - {id: twin, kind: adapter, source: s, confidence: estimate, ports: [{count: 2, connector: x, rate: 1}]}
  - {id: node, kind: node, source: s, confidence: estimate, units: 1, adapter: twim,
     ports: [{count: 3, connector: x, rate: 1}]}
  - {id: odd, kind: node, source: s, confidence: estimate, units: 1, adapter: twin,
     ports: [{count: 3, connector: x, rate: 1}]}
  - {id: other, kind: node, source: s, confidence: estimate, units: 1, adapter: twin,
     ports: [{count: 2, connector: y, rate: 1}]}
  - {id: ports, kind: switch, source: s, confidence: estimate, units: 1, adapter: twin,
     ports: [{count: 0, connector: "", rate: 0, rows: -1, face: side}, {count: 3, connector: x, rate: 1, per_cage: 2},
     {count: 70000, connector: x, rate: 1}]}
  - {id: cable, kind: cable, source: s, confidence: estimate, cable: {medium: trace, connector: z}}
  - {id: ladder, kind: cable, source: s, confidence: estimate,
     cable: {medium: passive-copper, connector: x, rate: 1, propagation: 4.5, lengths: [0, 2, 2, 1]}}
  - {id: block, kind: cable, source: s, confidence: estimate,
     optic: {form: x, standard: s, fibre: multimode, plug: p, rate: 1, reach: 1}}
  - {id: optic, kind: optic, source: s, confidence: estimate,
     optic: {form: nothing, standard: "", fibre: trace, plug: p, rate: 0, reach: 0}}
  - {id: rack, kind: rack, source: s, confidence: estimate, units: 42, height: 1 m, rack: {weight: -1}}
  - {id: tray, kind: tray, source: s, confidence: estimate, rack: {}}
price_sets:
  - name: set
    currency: dollars
    labour: {in_rack: -1}
    prices:
      - {part: twjn, unit: 1, confidence: paper}
      - {part: twin, unit: -1, confidence: paper}
      - {part: twin, per_metre: -1, confidence: paper}
      - {part: "a*b*", unit: .inf, confidence: paper}
      - {part: ladder, confidence: paper}
      - {part: "l*", unit: 1, by_length: {1 m: 2, 2 m: 1, 100 cm: 2, x: 1, 3 m: 0, -1: 1}}
  - {name: set, currency: USD, date: "2026", source: s}
`

func TestABrokenCatalogReportsEveryMistake(t *testing.T) {
	f := ParseFile([]byte(broken), "broken.yaml")
	parts, sets := f.Parts, f.Sets
	// What the reader refuses, a program can make all the same.
	parts[0].Kind, parts[0].Confidence, parts[0].Width = "swich", "sure", -1
	parts[7].Ports[0].Rows, parts[7].Ports[0].Face = -1, "side"
	parts[8].Cable.Medium, parts[11].Optic.Fibre, parts[12].Rack.Weight = Trace, Trace, -1
	sets[0].Labour.InRack, sets[0].Prices[3].Unit = -1, Exactly(units.Price(math.Inf(1)))
	_, err := New(parts, sets)
	if err == nil {
		t.Fatal("a broken catalog was accepted")
	}
	want := strings.Split(strings.TrimSpace(`
part "a switch": id: an id is a word of up to 100 letters, digits and . _ + - that begins with a letter or digit
part "a switch": kind: "swich" is unknown; did you mean "switch"?
part "a switch": confidence: "sure" is unknown (one of datasheet, paper, derived, estimate, user)
part "a switch": source: missing
part "a switch": estimated: "colour" is unknown (one of units, width, depth, height, power, weight, inlets, `+
		`redundancy, supply, ports, names, hop, section, connector, rate, links, far, legs, lengths, `+
		`made_to_measure, diameter, bend, `+
		`propagation, end, reach, attenuation, loss, base, inside)
part "a switch": width: must not be negative or infinite
part "bare": units: a box needs units or a height; write units, or height
part "bare": ports: missing
part "block": cable: missing
part "block": optic: does not belong to a part of kind "cable"
part "block": optic.plug: no multimode cable ends in "p"
part "cable": cable.medium: "trace" is unknown (one of passive-copper, active-copper, active-optical, `+
		`multimode, single-mode)
part "cable": cable.rate: must be stated and greater than 0
part "cable": cable.lengths: neither lengths nor made_to_measure is stated
part "cable": cable.propagation: must be stated and greater than 0
part "cable": cable.connector: no port or optic takes "z"
part "ladder": cable.lengths: 0 m is not a length of a cable
part "ladder": cable.lengths: 2 m stands after 2 m: lengths must ascend
part "ladder": cable.lengths: 1 m stands after 2 m: lengths must ascend
part "node": adapter: there is no adapter "twim"; did you mean "twin"?
part "odd": adapter: 3 ports are not a whole number of "twin" with 2
part "optic": optic.fibre: "trace" is unknown (one of multimode, single-mode)
part "optic": optic.rate: must be stated and greater than 0
part "optic": optic.reach: must be stated and greater than 0
part "optic": optic.standard: missing
part "optic": optic.form: no port takes "nothing"
part "optic": optic.plug: no trace cable ends in "p"
part "other": adapter: "twin" has no port like ports[0]: y at 1G
part "ports": ports[0].count: must be stated and greater than 0
part "ports": ports[0].rate: must be stated and greater than 0
part "ports": ports[0].rows: must not be negative or infinite
part "ports": ports[0].connector: missing
part "ports": ports[0].face: "side" is unknown (one of front, rear)
part "ports": ports[1].per_cage: 3 ports do not fill cages of 2
part "ports": ports[2].count: 70000 ports are more than any box has (65536)
part "ports": adapter: only a node has an adapter
part "rack": height: 1 m is too low for 42 units, which end at 1.867 m
part "rack": rack.weight: must not be negative or infinite
part "tray": rack: does not belong to a part of kind "tray"
part "tray": section: must be stated and greater than 0
part "twin": id: used twice
price set "set": currency: "dollars" is not an ISO 4217 code
price set "set": date: missing
price set "set": source: missing
price set "set": prices[0].part: there is no part "twjn"; did you mean "twin"?
price set "set": prices[1].unit: must not be negative or infinite
price set "set": prices[2].part: "twin" is priced twice
price set "set": prices[2].per_metre: must not be negative or infinite
price set "set": prices[3].part: must be an id, or the beginning of one and a *
price set "set": prices[3].unit: must not be negative or infinite
price set "set": prices[4]: states no price for "ladder"
price set "set": prices[5].confidence: missing (one of datasheet, paper, derived, estimate, user)
price set "set": prices[5].by_length: stands beside unit, per_metre or per_port
price set "set": prices[5].by_length: "-1" is not a length of a cable
price set "set": prices[5].by_length: the price at "3 m" must be greater than 0
price set "set": prices[5].by_length: "x" is not a length (a number and one of mm, cm, km, m, in, ft, U)
price set "set": prices[5].by_length: 1 m is priced twice
price set "set": prices[5].by_length: 2 m costs less than 1 m
price set "set": labour.in_rack: must not be negative or infinite
price set "set": labour.source: missing
price set "set": labour.confidence: missing (one of datasheet, paper, derived, estimate, user)
price set "set": name: used twice

`), "\n")
	got := strings.Split(err.Error(), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var fault *Fault
	if !errors.As(err, &fault) || fault.Part != "a switch" || fault.Path != "id" {
		t.Errorf("the first fault is %+v", fault)
	}
}

// A file tells what cannot be read and what makes no sense in one run. What could not
// be read is not judged.
func TestABrokenFileReportsEveryMistake(t *testing.T) {
	found := Default().CheckFiles([]*File{ParseFile([]byte(broken), "broken.yaml")})
	var got []string
	for _, d := range found {
		got = append(got, strings.Replace(d.Error(), "\n", " | ", 1))
	}
	for _, want := range []string{
		`broken.yaml:3:10: part "a switch": id: an id is a word of up to 100 letters`,
		`broken.yaml:3:26: parts[0].kind: "swich" is unknown`,
		`broken.yaml:14:55: parts[7].ports[0].rows: -1 is negative`,
		`broken.yaml:26:5: price_sets[0].date: missing`,
		`broken.yaml:30:16: price set "set": prices[0].part: there is no part "twjn"`,
		`broken.yaml:36:5: price_sets[1].prices: missing`,
	} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("not found: %s", want)
		}
	}
	if len(got) < 60 || strings.Contains(found.Error(), `"a switch": kind`) {
		t.Errorf("%d mistakes:\n%v", len(got), found)
	}
	if !slices.IsSortedFunc(found, func(a, b diag.Diagnostic) int { return a.Pos.Compare(b.Pos) }) {
		t.Error("not in the order of the lines")
	}
}

func TestCheckOfAGoodCatalogIsEmpty(t *testing.T) {
	if errs := Default().Check(); len(errs) > 0 {
		t.Error(errs)
	}
}

// Only nodes stand beside the units of racks, and they take none of them.
func TestZeroU(t *testing.T) {
	for text, want := range map[string]string{
		"kind: node":           "",
		"kind: node, units: 2": "zero_u: a part of 2 units takes them; leave out units or zero_u",
		"kind: switch":         "zero_u: only a node stands beside the units of a rack",
	} {
		parts, sets, err := Parse([]byte("parts:\n- {id: pdu, zero_u: true, source: s, confidence: user, "+
			"ports: [{count: 1, connector: rj45, rate: 1G}], "+text+"}\n"), "p.yaml")
		if err == nil {
			_, err = New(parts, sets)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
