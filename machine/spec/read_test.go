package spec

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// mistakes parses a file and lists its mistakes, each as
// "line:column+length path: message | suggestion".
func mistakes(t *testing.T, text string) []string {
	t.Helper()
	_, err := parse("machine.yaml", []byte(text))
	return brief(t, err)
}

func brief(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var ds diag.List
	if !errors.As(err, &ds) {
		t.Fatalf("%T is not a diag.List: %v", err, err)
	}
	var out []string
	for _, d := range ds {
		s := fmt.Sprintf("%d:%d+%d %s: %s", d.Pos.Line, d.Pos.Column, d.Length, d.Path, d.Message)
		if d.Suggestion != "" {
			s += " | " + d.Suggestion
		}
		out = append(out, s)
	}
	return out
}

const head = "topology: {family: torus, dims: [4, 4]}\n"

// Every class of mistake. The lines follow a line with a good topology.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key, near", "room: {rwos: 4}", `2:8+4 room.rwos: unknown key | did you mean "rows"?`},
		{
			"unknown key of another section", "racks_per_row: 4",
			`2:1+13 racks_per_row: unknown key | racks_per_row belongs in room`,
		},
		{
			"a key like one of the section", "packaging: {nodes: {units: 1}}",
			`2:13+5 packaging.nodes: unknown key | did you mean "node"?`,
		},
		{
			"unknown key, none near", "room:\n  gaps:\n  - {after: 1, width: 1, zzz: 1}",
			`4:26+3 room.gaps[0].zzz: unknown key | the keys here are after, width`,
		},
		{"key twice", "room: {rows: 1, rows: 2}", `2:17+4 room.rows: the key is on line 2 already | remove one of ` +
			`them`},
		{
			"free key twice", "prices:\n  spares:\n    cable: 1\n    \"cable\": 2",
			`5:5+7 prices.spares.cable: the key is on line 4 already | remove one of them`,
		},
		{"missing key", "room:\n  gaps:\n  - after: 3", `4:5+1 room.gaps[0].width: missing`},
		{
			"missing key in a named section", "packaging:\n  chassis:\n    blade: {units: 3}",
			`4:5+5 packaging.chassis.blade.slots: missing`,
		},
		{"missing word", "parts: [{id: a}]", `2:9+1 parts[0].kind: missing | it is one of node, switch, adapter, ` +
			`cable, optic, panel, midplane, chassis, frame, rack, tray, hose, labour`},
		{"empty key", "prices: {spares: {'': 1}}", `2:19+2 prices.spares: a key is empty`},
		{"list as key", "room: {? [a] : 1}", `2:10+1 room: a key cannot be a list`},

		{"text for a whole number", "room: {rows: 4x}", `2:14+2 room.rows: "4x" is not a whole number`},
		{"quoted whole number", "room: {rows: '4'}", `2:14+3 room.rows: "4" is not a whole number | remove the quotes`},
		{"fraction", "room: {rows: 1.5}", `2:14+3 room.rows: "1.5" is not a whole number`},
		{"exponent", "room: {rows: 1e3}", `2:14+3 room.rows: "1e3" is not written as a whole number | write 1000`},
		{"leading zero", "room: {rows: 010}", `2:14+3 room.rows: "010" is not a plain decimal number | write 10`},
		{"hexadecimal", "room: {rows: 0x10}", `2:14+4 room.rows: "0x10" is not a plain decimal number | write 16`},
		{"underscore", "room: {rows: 1_000}", `2:14+5 room.rows: "1_000" is not a plain decimal number | write 1000`},
		{
			"length with a leading zero", "room: {margin: 01}",
			`2:16+2 room.margin: "01" is not a plain decimal number | write 1`,
		},
		{"yes for a whole number", "room: {rows: yes}", `2:14+3 room.rows: "yes" is not a whole number`},
		{
			"yes for a truth value", "embedding: {fold: yes}",
			`2:19+3 embedding.fold[0]: "yes" is not true, false or a dimension | write dim1 for the first`,
		},
		{"text for a number", "cabling: {slack: {percent: 5%}}", `2:28+2 cabling.slack.percent: "5%" is not a number`},
		{
			"infinity", "cabling: {slack: {percent: .inf}}",
			`2:28+4 cabling.slack.percent: ".inf" is not a plain decimal number`,
		},
		{"number for text", "name: 42", `2:7+2 name: 42 is not text | write "42"`},
		{"truth value for text", "name: true", `2:7+4 name: true is not text | write "true"`},
		{"nothing for text", "name:", `2:6+1 name: has no value | write one or remove the key`},
		{"nothing for a pointer", "room: {margin: }", `2:16+1 room.margin: has no value | write one or remove the key`},
		{"nothing in a list", "parts:\n-", `3:2+1 parts[0]: has no value | write one or remove the key`},
		{"list for a mapping", "room: [1]", `2:7+1 room: expected keys with values, found a list`},
		{"scalar for a mapping", "room: big", `2:7+3 room: expected keys with values, found "big"`},
		{"mapping for a list", "parts: {id: a}", `2:8+1 parts: expected a list, found keys with values | begin every ` +
			`item with "- "`},
		{"scalar for a list of mappings", "parts: a", `2:8+1 parts: expected a list, found "a" | begin every item ` +
			`with "- "`},
		{
			"list for a whole number", "room: {racks_per_row: [1]}",
			`2:23+1 room.racks_per_row: expected a whole number, found a list`,
		},
		{
			"list for a word", "cabling: {route: [tray]}",
			`2:18+1 cabling.route: expected one of direct, manhattan, tray, found a list`,
		},
		{
			"mapping for a length", "room: {margin: {m: 1}}",
			`2:16+1 room.margin: expected a length, found keys with values`,
		},
		{
			"empty required list", "cabling: {media: [{use: []}]}",
			`2:25+1 cabling.media[0].use: needs at least one value`,
		},

		{"no quantity", "room: {margin: 1 yard}", `2:16+6 room.margin: "1 yard" is not a length (a number and one of ` +
			`mm, cm, km, m, in, ft, U)`},
		{"no amount", "prices: {unit: {x: cheap}}", `2:20+5 prices.unit.x: "cheap" is not an amount of money`},
		{"negative length", "room: {margin: -1 m}", `2:16+4 room.margin: -1 m is negative`},
		{"negative number", "prices: {spares: {cable: -1}}", `2:26+2 prices.spares.cable: -1 is negative`},
		{
			"below the minimum", "packaging: {node: {per_rack: 0}}",
			`2:30+1 packaging.node.per_rack: 0 is too small | it is at least 1`,
		},
		{
			"element below the minimum", "packaging: {node: {units: [0, 4]}}",
			`2:28+1 packaging.node.units[0]: 0 is too small | it is at least 1`,
		},
		{
			"large whole number", "room: {rows: 3000000000}",
			`2:14+10 room.rows: 3000000000 is too large | it is at most 10000`,
		},
		{
			"very large whole number", "room: {rows: 99999999999999999999}",
			`2:14+20 room.rows: 99999999999999999999 is too large`,
		},
		{
			"infinite length", "room: {margin: 1e308 km}",
			`2:16+8 room.margin: 1e308 km is too large | it is at most 10000 m`,
		},
		{
			"a time that no switch takes", "delay: {hop: {switch: 1e300}}",
			`2:23+5 delay.hop.switch: "1e300" is too large for a time: the most is 1000000000 ns`,
		},
		{
			"a power beyond that of a plant", "room: {row_power: 2000 MW}",
			`2:19+7 room.row_power: "2000 MW" is too large for a power: the most is 1000 MW`,
		},
		{
			"a propagation that no medium has", "delay: {propagation: {copper: 1e300}}",
			`2:31+5 delay.propagation.copper: "1e300" is too large for a propagation delay: the most is 1000 ns/m`,
		},
		{
			"a slack of many routes", "cabling: {slack: {percent: 1e308}}",
			`2:28+5 cabling.slack.percent: 1e308 is too large | it is at most 1000`,
		},
		{
			"a row without end", "room: {racks_per_row: 2147483647}",
			`2:23+10 room.racks_per_row: 2147483647 is too large | it is at most 10000`,
		},
		{
			"a rate of a part", "parts: [{id: a, kind: switch, ports: [{count: 1, connector: x, rate: 1e300}]}]",
			`2:70+5 parts[0].ports[0].rate: "1e300" is too large for a data rate: the most is 1000000G`,
		},
		{
			"a width of a part", "parts: [{id: a, kind: switch, width: 1 km}]",
			`2:38+4 parts[0].width: 1 km is too large | it is at most 100 m`,
		},
		{"bad word", "cabling: {route: try}", `2:18+3 cabling.route: "try" is not one of direct, manhattan, tray | ` +
			`did you mean "tray"?`},
		{
			"bad word of a part", "parts: [{id: a, kind: swich}]",
			`2:23+5 parts[0].kind: "swich" is unknown | did you mean "switch"?`,
		},

		{"tag", "room: {rows: !!int 4}", `2:14+1 room.rows: tags such as !!int are not allowed | remove it`},
		{"merge key", "room:\n  <<: {rows: 1}", `3:3+2 room: merge keys are not supported | write the keys out, or ` +
			`use an alias for a whole section`},
		{
			"alias of the wrong type", "room: {gaps: &g [{after: 1, width: 1}], racks_per_row: *g}",
			`2:17+1 room.racks_per_row: expected a whole number, found a list`,
		},
		{"alias of nothing", "room: *r", `2:7+2 : unknown anchor 'r' referenced`},

		{"tab", "room:\n\trows: 4", "3:1+1 : a tab in the indentation | use spaces"},
		{"colon in text", "name: a: b", `2:8+1 : ":" is not allowed here | check the indentation; a text with a ` +
			`colon needs quotes`},
		{"open bracket", "room: {gaps: [1, 2\nname: x", "2:14+1 : this bracket is never closed"},
		{"wrong bracket", "room: {rows: 1]", "2:15+1 : expected ',' or '}'"},
		{"open quote", "name: \"x\n", "2:7+1 : this quotation mark is never closed"},
		{"no key", "name\nroom: {}", "2:1+1 : expected a key and a value | write key: value"},
		{"reserved character", "name: @x", `2:7+1 : a value cannot begin with "@" | put it in quotes`},
		{"second document", "---\nname: x", "2:1+3 : a second document | a machine file is a single document: remove " +
			"what begins with this ---"},
		{"control character", "name: \"a\x01\"", "2:9+1 : control character U+0001 | remove it"},
		{"escaped control character", `name: "a\e"`, "2:7+5 name: the text has a control character"},
		{"Latin-1", "name: caf\xe9", "2:10+1 : the file is not UTF-8 text | save it in UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(mistakes(t, head+c.text), "\n")
			if got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestWholeFileMistakes(t *testing.T) {
	const starting = "it needs at least a topology; plenum init writes a file to start from"
	for _, c := range []struct{ text, want string }{
		{"", "1:1+1 : the file is empty | " + starting},
		{"# nothing\n", "1:1+1 : the file is empty | " + starting},
		{"---\n", "1:1+1 : the file is empty | " + starting},
		{"name: x\n", "1:1+1 topology: missing"},
		{"topology:\n", "1:1+1 topology: missing"},
		{"- topology\n", "1:1+1 : expected keys with values, found a list"},
		{"topology", `1:1+8 : expected keys with values, found "topology"`},
		{"\xff\xfet\x00", "1:1+1 : the file is not UTF-8 text | save it in UTF-8"},
		{"\ufefftopology: {}\n", "1:1+8 topology.family: missing | it is one of " + strings.Join(families(), ", ")},
		{"topology: {family: tours}\n", `1:20+5 topology.family: "tours" is unknown | did you mean "torus"?`},
	} {
		if got := strings.Join(mistakes(t, c.text), "\n"); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// A syntax error hides its own section only.
func TestSyntaxErrorsDoNotHideOtherMistakes(t *testing.T) {
	got := mistakes(t, "name: 4\ntopology: {family: torus\nroom:\n  rows: x\ncabling:\n  route: a: b\n"+
		"delay: {samples: 1}\n")
	want := []string{
		`1:7+1 name: 4 is not text | write "4"`,
		"2:11+1 : this bracket is never closed",
		`4:9+1 room.rows: "x" is not a whole number`,
		`6:11+1 : ":" is not allowed here | check the indentation; a text with a colon needs quotes`,
		"7:18+1 delay.samples: 1 is too small | it is at least 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAccepted(t *testing.T) {
	fixed := units.Length(0)
	for _, c := range []struct {
		text string
		want Spec
	}{
		{"name: \"\"\nroom:\nprices: ~\nparts: []\n", Spec{}},
		{"name: 2024-01-01\n", Spec{Name: "2024-01-01"}},
		{"name: yes\n", Spec{Name: "yes"}},
		{"\"name\": |\n  a\n  b\n", Spec{Name: "a\nb\n"}},
		{"packaging: {node: {units: 3}, leaf: {}}\n", Spec{Packaging: Packaging{
			Node: &Box{Units: []int{3}},
			Leaf: &Box{},
		}}},
		{"cabling: {slack: {fixed: 0, percent: 1e1}, media: [{use: copper}]}\n", Spec{Cabling: Cabling{
			Slack: Slack{Fixed: &fixed, Percent: 10}, Media: []MediaRule{{Use: []string{"copper"}}},
		}}},
		{"room: {containers: [{name: c, count: +4, pitch: 1 ft}]}\n", Spec{Room: Room{Containers: []Container{
			{Name: "c", Count: []int{4}, Pitch: []Pitch{0.3048}},
		}}}},
		{
			"room: {columns: [{x: -1, y: -2 m, width: 1e0, depth: '1'}]}\n",
			Spec{Room: Room{Columns: []Rect{{-1, -2, 1, 1}}}},
		},
		{"embedding: {seed: 18446744073709551615, fold: False, blocks: {row: 8}}\n", Spec{Embedding: Embedding{
			Seed: 1<<64 - 1, Fold: Fold{"false"}, Blocks: map[string]topology.Ints{"row": {8}},
		}}},
		{
			"prices: {unit: {123: \"1,250.00\", x: 52.5}}\n",
			Spec{Prices: Prices{Unit: map[string]units.Money{"123": 125000, "x": 5250}}},
		},
		{"room: {gaps: [&g {after: 1, width: 1}]}\ndelay: {hop: {node: &t 5, switch: *t}}\n", Spec{
			Room: Room{Gaps: []Gap{{1, 1}}}, Delay: Delay{Hop: map[string]units.Time{"node": 5, "switch": 5}},
		}},
		{"room: {rows: 4}\r\nname: x\r\n", Spec{Name: "x", Room: Room{Rows: Rows{Count: 4}}}},
	} {
		f, err := parse("machine.yaml", []byte(head+c.text))
		if err != nil {
			t.Errorf("%s%v", c.text, err)
			continue
		}
		c.want.Topology = topology.Spec{Params: topology.Torus{Dims: topology.Ints{4, 4}}}
		if diff := cmp.Diff(c.want, f.Spec, cmpopts.IgnoreUnexported(Spec{})); diff != "" {
			t.Errorf("%s%s", c.text, diff)
		}
	}
}

func TestParseTopology(t *testing.T) {
	s, err := ParseTopology("{family: hypercube, dims: 9}")
	if err != nil || !cmp.Equal(s, topology.Spec{Params: topology.Hypercube{Dims: topology.Ints{9}}}) {
		t.Error(s, err)
	}
	_, err = ParseTopology("{family: torus, dim: [8, 8]}")
	want := "SPEC:1:17: dim: unknown key\n" +
		"    1 | {family: torus, dim: [8, 8]}\n" +
		"      |                 ^^^ did you mean \"dims\"?"
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Error(diff)
	}
}

// TestParseTopologyOfAnything gives what is not a topology, each with its mistakes.
func TestParseTopologyOfAnything(t *testing.T) {
	for text, want := range map[string][]string{
		"": {"1:1+1 : the file is empty | it needs at least a topology; plenum init writes " +
			"a file to start from"},
		"{}":                         {"1:1+1 family: missing | it is one of torus, mesh, "},
		"[]":                         {"1:1+1 : expected keys with values, found a list"},
		"torus":                      {`1:1+5 : expected keys with values, found "torus"`},
		"{":                          {"1:1+1 : the text ends where a value or a closing bracket is missing"},
		"[":                          {"1:1+1 : the text ends where a value or a closing bracket is missing"},
		"}":                          {`1:1+1 : expected a value, not "}"`},
		"{family: torus, dims: [2,}": {`1:26+1 : expected a value, not "}"`},
		"{family: [torus]}":          {"1:10+1 family: expected one of torus, mesh, "},
		"{family: tours}":            {`1:10+5 family: "tours" is unknown | did you mean "torus"?`},
		"{family: thin-tree, width: 2}": {
			"1:21+5 width: unknown key | the keys here are family, down, up, levels, ports_per_node, attach, capacity",
		},
		"{dims: x, q: {}}": {
			"1:1+1 family: missing", "1:8+1 dims[0]: \"x\" is not a whole number",
			"1:14+1 q: expected a whole number",
		},
		"\x00": {"1:1+1 : control character U+0000 | remove it"},
	} {
		_, err := ParseTopology(text)
		got := brief(t, err)
		for i, w := range want {
			if len(got) != len(want) || !strings.HasPrefix(got[i], w) {
				t.Errorf("%q: %q\nexpected %q", text, got, want)
				break
			}
		}
	}
}

// Mistakes found later are shown where the value stands, or its nearest parent.
func TestAt(t *testing.T) {
	f, err := parse("machine.yaml", []byte("topology:\n  family: torus\n  dims: [4,\n    5]\nroom:\n  rows: 2\n"+
		"prices: {unit: {\"dac@3 m\": 1}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	f.At(diag.Key("prices.unit", "dac@3 m"), "unknown\nadd it")
	f.At("topology.dims[1]", "is %d", 5)
	f.At("topology.dims", "two")
	f.At("topology.radix", "missing")
	f.At("room.trays.cross[3]", "none")
	f.At("name", "none")
	want := []string{
		"1:1+8 topology.radix: missing",
		"1:1+1 name: none",
		"3:3+4 topology.dims: two",
		"4:5+1 topology.dims[1]: is 5",
		"5:1+4 room.trays.cross[3]: none",
		`7:28+1 prices.unit["dac@3 m"]: unknown | add it`,
	}
	if diff := cmp.Diff(want, brief(t, f.Err())); diff != "" {
		t.Error(diff)
	}
}

// A value that could not be read is not judged a second time.
func TestAtOfAValueWithAMistake(t *testing.T) {
	f, err := parse("machine.yaml", []byte("topology: {family: torus, dims: [4, x]}\n"))
	if err == nil {
		t.Fatal("no error")
	}
	f.At("topology.dims[1]", "too small")
	if ds := brief(t, f.Err()); len(ds) != 1 {
		t.Error(ds)
	}
}

// Hostile files cost little.
func TestHostileFiles(t *testing.T) {
	bomb := "name: x\nparts: &l0 [a, a, a, a, a, a, a, a, a]\n"
	for i := 1; i < 10; i++ {
		bomb += fmt.Sprintf("x%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d, ", i-1), 9),
			", "))
	}
	points := "topology: {family: torus}\nroom:\n  keep_outs:\n  - points: &p [&q [" + strings.Repeat("0,", 999) +
		"0]" + strings.Repeat(", *q", 500) + "]\n"
	keys := ""
	for i := range 20_000 {
		keys += fmt.Sprintf("x%d: 1,", i)
	}
	many := "topology: {family: torus}\nroom:\n  gaps:\n" + strings.Repeat("  - {after: x, width: y}\n", 1000)
	for name, text := range map[string]string{
		"aliases of unknown keys": bomb,
		"aliases of values":       points,
		"aliases of wrong keys": "topology: {family: torus}\nroom:\n  gaps: [&g {" + keys + "}" +
			strings.Repeat(", *g", 10_000) + "]\n",
		"many wrong keys": "topology: {family: torus}\n" + strings.ReplaceAll(keys, ",", "\n"),
		"long line of aliases": "topology: {family: torus}\nroom:\n  keep_outs:\n  - points: [&q [0, 0], " +
			strings.Repeat("*q, ", 100_000) + "1]\n",
		"alias of itself":  "parts: &a [*a]\n",
		"deep brackets":    "parts: " + strings.Repeat("[", 100_000),
		"deep indentation": "parts:\n" + strings.Repeat("- ", 100_000),
		"many mistakes":    many,
		"many values":      "topology: {family: torus, dims: [" + strings.Repeat("1,", 500_000) + "]}",
		"too large":        strings.Repeat("#", MaxSize+1),
	} {
		got := mistakes(t, text)
		if len(got) == 0 || len(got) > diag.Most {
			t.Errorf("%s: %d mistakes", name, len(got))
		}
	}
	if got := mistakes(t, points); !strings.Contains(strings.Join(got, "\n"),
		"aliases repeat more than 100000 values") {
		t.Errorf("%.300q", got)
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range append(files, "../testdata/mistakes.yaml", "../testdata/structured.yaml",
		"../testdata/fabrics.yaml") {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(Starter("x", shown))
	breaks := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := parse("f", data)
		if err == nil {
			text, err := file.Spec.YAML()
			if err != nil {
				t.Fatal(err)
			}
			again, err := parse("f", text)
			if err != nil {
				t.Fatalf("%s%v", text, err)
			}
			if diff := cmp.Diff(file.Spec, again.Spec, cmpopts.IgnoreUnexported(Spec{})); diff != "" {
				t.Fatalf("%s%s", text, diff)
			}
			return
		}
		_ = err.Error()
		for _, d := range err.(diag.List) {
			lines, at := strings.Split(breaks.Replace(strings.TrimPrefix(string(data), "\ufeff")), "\n"), d.Pos
			if at.Line < 1 || at.Line > len(lines) || at.Column < 1 || at.Column > len([]rune(lines[at.Line-1]))+1 ||
				d.Length < 1 || d.Message == "" {
				t.Errorf("%+v", d)
			}
		}
	})
}

// file is a machine file that was read and checked without parts and topology,
// as its own tests want it.
type file struct {
	Spec Spec
	doc  *strictyaml.Document
}

func parse(name string, data []byte) (*file, error) {
	f := &file{}
	if f.doc = language.Read(name, data, &f.Spec); f.doc.Whole {
		f.Spec.Check(f.At)
	}
	return f, f.Err()
}

func (f *file) At(path, format string, args ...any) {
	e := diag.Fieldf(path, format, args...)
	f.doc.Report(e.Path, e)
}
func (f *file) Err() error { return f.doc.Err() }
