package machine_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
)

// slip is a mistake that a person makes in testdata/faultless.yaml: what is written in place of what, and what is said
// of it at the line of the new text.
type slip struct{ old, new, path, says string }

// slips are mistakes of every stage. No other line of the file becomes wrong with one of them.
var slips = []slip{
	// Values that cannot be read, and keys.
	{"count: 4\n    at: [A1", "count: -4\n    at: [A1", "racks[0].count", "-4 is too small"},
	{"route: tray", "rout: tray", "cabling.rout", "unknown key"},
	{"1500 kg/m2", "1500 kg", "room.floor_load", `"1500 kg" is not a floor load`},
	{
		"name: B, volts: 415 V, breaker: 63 A", "name: B, volts: 415 V, breaker: 63 kA", "room.feeds[1].breaker",
		`"63 kA" is not a current`,
	},
	{"power: 5.2 kW", "power: 5.2 kV", "parts[0].power", "is not a power"},
	{"liquid: 85 %", "liquid: 185 %", "parts[0].liquid", "too large"},
	{"lead_time: 20 weeks", "lead_time: 20 moons", "parts[0].lead_time", "is not a time of delivery"},
	{"freight: 1.5", "freight: -1.5", "prices.freight", "negative"},
	{"rates: {USD: 0.9}", "rates: {USD: zero}", "prices.rates.USD", "is not a number"},
	{"pue: 1.15", "pue: high", "operation.pue", "is not a number"},
	{"family: leaf-spine, leaves: 2", "family: leaf-spin, leaves: 2", "fabrics[1].topology.family", "is unknown"},
	{"count: 4, part: my-mgr", "count: four, part: my-mgr", "boxes[4].count", "is not a whole number"},
	// What the file says of itself.
	{"feeds: [A, B]", "feeds: [A, C]", "racks[0].feeds[1]", `there is no feed "C"`},
	{"growth: {to: 6}", "growth: {to: 3}", "racks[0].growth.to", "not more than the 4"},
	{"count: 2, spare: 1", "count: 2, spare: 2", "room.loops[0].spare", "none cools"},
	{"racks: [lc]", "racks: [lcc]", "room.loops[0].racks[0]", `"lcc" is not`},
	{"fabrics: {fe: orange", "fabrics: {fee: orange", "cabling.colours.fabrics.fee", `there is no fabric "fee"`},
	{"date: 2026-05-01", "date: 2026-13-01", "drawing.date", "is not a date"},
	{"{switch: 4, cable: 3}", "{swich: 4, cable: 3}", "fabrics[0].spares.swich", "is not a kind of part"},
	{"rule: entry", "rule: entri", "rules.suppress[0].rule", "entri"},
	{"wall: south, at: 4 m", "wall: south, at: 40 m", "room.doors[0].at", ""},
	{"{rack}.{u:02}.{box}", "{rack}.{v:02}.{box}", "names.labels", "{v}"},
	// Parts.
	{"type: c19", "type: c99", "parts[2].supply.outlets[1].type", `"c99" is not a type of outlet`},
	{"{c20: 6}, redundancy: N+1", "{c20: 6}, redundancy: 3M", "parts[3].redundancy", `"3M" is not`},
	{"quantity: 2", "quantity: 2, file: x.csv", "stock[0]", ""},
	{"bars: 2", "bars: 0", "parts[6].rack.busbar.bars", "0 is impossible for the bars of a busbar"},
	{
		"{name: A, volts: 415 V, breaker: 63 A}", "{name: A, volts: 415 V, breaker: 0 A}", "room.feeds[0].breaker",
		"0 is impossible for the breaker",
	},
	// Names of parts and price sets.
	{"part: nvidia-sn2201", "part: nvidia-sn2202", "fabrics[2].switches.leaf.part", `there is no part "nvidia-sn2202"`},
	{"part: my-pdu", "part: my-pd", "boxes[3].part", `there is no part "my-pd"`},
	{"hose: my-hose", "hose: my-hosee", "room.loops[0].hose", `there is no part "my-hosee"`},
	{"least_spares: {my-cdu: 1}", "least_spares: {my-cduu: 1}", "prices.least_spares.my-cduu", "neither a kind"},
	{"unit: {my-tray: 180000", "unit: {my-trayy: 180000", "prices.unit.my-trayy", "there is no part"},
	{"set: estimate-2026", "set: estimate-2062", "prices.set", "there is no price set"},
	// Boxes, fabrics and ports.
	{"ports: gpu}", "ports: gpus}", "fabrics[0].ends[0].ports[0]", `"gpus"`},
	{"{boxes: shelf}", "{boxes: shelv}", "fabrics[2].ends[1].boxes", `there are no boxes "shelv"`},
	{"{to: mgr, each", "{to: mgrr, each", "fabrics[2].uplinks[0].to", "there are no switches or boxes"},
	{"hop: {leaf: 300 ns}", "hop: {leav: 300 ns}", "fabrics[1].delay.hop.leav", "has no leav"},
	{"levels: [oob/terminal]", "levels: [oob/terminel]", "cabling.media[0].levels[0]", "has no level"},
	{"down: 24, up: 8", "down: 17, up: 8", "fabrics[1].topology.leaves", "36 nodes need"},
	// Racks and the room.
	{"units: 31-32", "units: 20-21", "racks[2].holds[1].units[0]", "unit 20 is taken by cdu"},
	{"{switch: oob, units: 44}", "{switch: oob, units: 49}", "racks[2].holds[2].units[0]", "a rack cool has 48"},
	{"{boxes: cdu, units: 1-20}", "{boxes: cdu, units: 1-19}", "racks[2].holds[0].units[0]", "takes 20"},
	{"at: [A5-A6]", "at: [A4-A5]", "racks[1].at[0]", "racks lc have positions"},
	{"at: [B1-B2]", "at: [B1]", "racks[2].at", "1 position for 2 racks"},
	{"- {racks: 8, types", "- {x: 90 m, racks: 8, types", "room.rows[0].x", "the room is 16 m wide"},
	// Names and rules of places.
	{`tray: "nac-{rack}`, `tray: "nac-{rak}`, "names.boxes.tray", "has no field {rak}"},
	{`rails-leaf: "rl`, `rails-leav: "rl`, "names.boxes.rails-leav", "there are no boxes called"},
	{"of: mgr, within", "of: mgrr, within", "embedding.apart[0].of", `there is no "mgrr"`},
	{"cdus: cdu", "cdus: cdv", "room.loops[0].cdus", `there are no boxes "cdv"`},
}

// hidden lists, by the path of a mistake, those of the mistakes with which it cannot be known.
var hidden = map[string][]string{
	"racks[0].growth.to":         {"racks[0].count"},
	"fabrics[1].delay.hop.leav":  {"fabrics[1].topology.family", "fabrics[1].topology.leaves"},
	"fabrics[1].topology.leaves": {"fabrics[1].topology.family", "racks[0].count", "boxes[4].count"},
	"racks[2].holds[1].units[0]": {"racks[2].holds[0].units[0]"}, // the unit is free then
	"room.rows[0].x":             {"room.doors[0].at"},
}

// put writes the mistake into a file. It returns the line of the new text, 0 where the old one is not there.
func (s *slip) put(text string) (with string, line int) {
	at := strings.Index(text, s.old)
	if at < 0 {
		return text, 0
	}
	return text[:at] + s.new + text[at+len(s.old):], 1 + strings.Count(text[:at], "\n")
}

func readFaultless(t *testing.T) string {
	text, err := os.ReadFile("testdata/faultless.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mistakesIn are those that a run reports.
func mistakesIn(text string) diag.List {
	_, err := machine.Parse("m.yaml", []byte(text))
	var found diag.List
	errors.As(err, &found)
	return found
}

func TestFaultlessMachine(t *testing.T) {
	s, err := machine.Parse("m.yaml", []byte(readFaultless(t)))
	if err == nil {
		_, err = machine.Plan(context.Background(), s)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestOneMistake(t *testing.T) {
	text := readFaultless(t)
	for _, s := range slips {
		with, line := s.put(text)
		found := mistakesIn(with)
		if len(found) != 1 || found[0].Pos.Line != line || found[0].Path != s.path ||
			!strings.Contains(found[0].Message, s.says) {
			t.Errorf("%s on line %d, which should be %s (%s):\n%v", s.new, line, s.path, s.says, found)
		}
	}
}

// A key that names nothing is marked itself, with the nearest name.
func TestWrongKeyIsMarked(t *testing.T) {
	text := readFaultless(t)
	marked := 0
	for _, s := range slips {
		key := s.path[strings.LastIndexByte(s.path, '.')+1:]
		if len(key) == 1 || strings.Contains(s.old, key) || !strings.Contains(s.new, key+": ") {
			continue // another key or value is wrong
		}
		with, _ := s.put(text)
		for _, d := range mistakesIn(with) {
			line := []rune(d.SourceLine)[d.Pos.Column-1:]
			if got := string(line[:d.Length]); got != key || d.Suggestion == "" {
				t.Errorf("%s: %q is marked, with %q", s.path, got, d.Suggestion)
			}
			marked++
		}
	}
	if marked < 6 {
		t.Errorf("only %d such mistakes", marked)
	}
}

// Mistakes of different stages are reported in one run, each at its line, and nothing that only follows from them.
func TestSeveralMistakes(t *testing.T) {
	text := readFaultless(t)
	rapid.Check(t, func(t *rapid.T) {
		with, put := text, []slip{}
		lines := map[string]int{}
		for _, i := range rapid.Permutation(rapid.SliceOfNDistinct(rapid.IntRange(0, len(slips)-1), 2, 3,
			rapid.ID).Draw(t, "slips")).Draw(t, "order") {
			s := slips[i]
			next, line := s.put(with)
			if line == 0 {
				continue
			}
			with, put = next, append(put, s)
			lines[s.path] = line
		}
		paths := []string{}
		for _, s := range put {
			if !slices.ContainsFunc(put, func(o slip) bool { return slices.Contains(hidden[s.path], o.path) }) {
				paths = append(paths, s.path)
			}
		}
		found := mistakesIn(with)
		got := []string{}
		for _, d := range found {
			got = append(got, d.Path)
			if lines[d.Path] != 0 && d.Pos.Line != lines[d.Path] {
				t.Errorf("%s on line %d, not %d", d.Path, d.Pos.Line, lines[d.Path])
			}
		}
		slices.Sort(paths)
		slices.Sort(got)
		if !slices.Equal(got, paths) {
			t.Fatalf("%v, not %v:\n%v", got, paths, found)
		}
	})
}
