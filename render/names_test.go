package render

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology/graphio"
)

// machinesToName are machines of all forms: trees, lattices, terminals on routers, containers, patch panels, cables of
// several links, fabrics.
var machinesToName = []string{
	`topology: {family: fat-tree, nodes: 32, radix: 16}`,
	`topology: {family: fat-tree, nodes: 32, radix: 64, rails: 2, down: 16}`,
	`topology: {family: torus, dims: [4, 3, 2]}`,
	`topology: {family: hyperx, dims: [3, 3], terminals: 2}`,
	`topology: {family: dragonfly, a: 4, p: 2, h: 2}`,
	`topology: {family: slim-fly, q: 5}`,
	`topology: {family: leaf-pair, nodes: 12, down: 8}`,
	`topology: {family: clex, clique: 4, levels: 2, bundled: true}
room:
  containers: [{name: cube, count: [4, 1, 1], gap: 0.5}, {name: board, count: [2, 2, 1], pitch: [0.5, 0.5, 0.1]}]`,
	`topology: {family: fat-tree, nodes: 20, radix: 64, down: 16, up: 8, spines: 2}
packaging:
  node: {part: generic-node-1u}
  switch: {part: nvidia-sn5600, breakout: 2}`,
	"structured", "fabrics",
}

// toName reads one of them.
func toName(t rapid.TB, text string) *spec.Spec {
	t.Helper()
	var s *spec.Spec
	var err error
	if strings.Contains(text, ":") {
		s, err = machine.Parse("machine.yaml", []byte(text))
	} else {
		s, err = machine.Load("../machine/testdata/" + text + ".yaml")
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// textsOf is all files of a plan but pictures, and its graph, as texts; what is compressed is not.
func textsOf(t rapid.TB, r *machine.Result) map[string]string {
	t.Helper()
	out := tablesOf(t, r, func(string) bool { return true })
	networks := append([]*machine.Network{&r.Network}, r.Fabrics...)
	for _, n := range networks {
		cycles := n.Cycles(1, delay.Override{})
		if cycles == nil {
			continue
		}
		var b bytes.Buffer
		if err := graphio.WriteDOT(&b, Graph(n, cycles)); err != nil {
			t.Fatal(err)
		}
		out["graph.dot "+n.Name] = b.String()
	}
	return out
}

// tablesOf are the texts of the outputs of some names.
func tablesOf(t rapid.TB, r *machine.Result, wanted func(name string) bool) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, o := range outputs {
		if !wanted(o.name) {
			continue
		}
		// A picture has no words, and a PDF is compressed: its drawing is that of floor.svg.
		if ext := path.Ext(o.name); ext == ".png" || ext == ".pdf" || Lacks(r, o.name) != "" {
			continue
		}
		var b bytes.Buffer
		if err := o.write(context.Background(), &b, r); err != nil {
			t.Fatalf("%s: %v", o.name, err)
		}
		out[o.name] = b.String()
		if o.name == "bom.xlsx" {
			out[o.name] = strings.Join(cellTexts(t, b.Bytes()), "\n")
		}
		if o.name == "report.html" {
			out[o.name] = pageTexts(t, b.String())
		}
	}
	return out
}

// packed is a column of a page: its kind, and its elements compressed and in base64.
var packed = regexp.MustCompile(`"([a-z0-9]+):([A-Za-z0-9+/=]*)"`)

// pageTexts are the texts of the data of a page, with those of its columns.
func pageTexts(t rapid.TB, html string) string {
	t.Helper()
	_, data, _ := strings.Cut(html, `id="plenum-data">`)
	data, _, _ = strings.Cut(data, "</script>")
	return packed.ReplaceAllStringFunc(data, func(column string) string {
		m := packed.FindStringSubmatch(column)
		if m[1] != "s" || m[2] == "" {
			return `""`
		}
		raw, err := base64.StdEncoding.DecodeString(m[2])
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		texts, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return string(texts)
	})
}

// word is what a name in a text is.
var word = regexp.MustCompile(`[A-Za-z]+-?[0-9]+|[a-z]+(?:-[a-z]+)*-[0-9]+`)

// Once all kinds have patterns, no output calls a box, a panel or a cable by the name that it would have without.
func TestOutputsHaveTheNamesGiven(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[draw.IntN(len(words))] }
	for i := range 2 * len(machinesToName) {
		text := machinesToName[i%len(machinesToName)]
		s := toName(t, text)
		plain := plan(t, s)
		s.Names = spec.Names{Boxes: map[string]string{}, Cables: "cable.{n:06}", Panels: "panel.{rack}.{in_rack}"}
		s.Names.Labels = pick("", "device", "tia-606", "{box}:{port}")
		forms := []string{"{n:04}", "{n+1000:X}.{kind}", "{rack}.{in_rack}"}
		if len(s.Room.Containers) > 0 {
			s.Names.Labels, forms[2] = pick("", "{box}:{port}"), "{container}.{cell}"
		}
		for _, k := range plain.Graph.Kinds() {
			s.Names.Boxes[k.Name] = "own." + k.Name[:1] + "." + pick(forms...) + "." + k.Name + ".x"
		}
		r := plan(t, s)
		if a, b := plain.Bill.Total, r.Bill.Total; a != b {
			t.Fatalf("%s: names cost %v", text, b-a)
		}
		usual := map[string]bool{}
		for v := range plain.Placement.Slot {
			usual[plain.Names.Name(v)] = true
		}
		for n := range plain.Schedule.Cables {
			usual[plain.Schedule.CableID(n+1)] = true
		}
		if k := plain.Schedule.Patching; k != nil {
			for i := range k.Panels {
				usual[plain.Schedule.Device(k.Vertex(int32(i)))] = true
			}
		}
		for name, out := range textsOf(t, r) {
			words := word.FindAllString(out, -1)
			times := map[string]int{}
			for _, w := range words {
				times[w]++
			}
			for _, w := range words {
				if usual[w] && !excused(name, w, times[w]) {
					at := strings.Index(out, w)
					t.Fatalf("%s, %v: %s: %s\n%s", text, s.Names, name, w, out[max(0, at-200):min(len(out), at+200)])
				}
			}
		}
	}
}

// excused reports whether a word only looks like the name of a box: boxes of several fabrics have addresses by their
// kinds, which placement.csv keeps, and the workbook on its sheet of boxes, each once.
func excused(file, word string, times int) bool {
	return strings.Contains(word, "-") && (file == "placement.csv" || file == "bom.xlsx" && times == 1)
}

// A plan with names of its own, planned again from its own files, comes to the same: with what stands in placement.csv,
// and with a table of names made of it.
func TestNamesReadBack(t *testing.T) {
	for i, text := range machinesToName {
		s := toName(t, text)
		s.Names = spec.Names{Boxes: map[string]string{}, Cables: "c{n}"}
		for _, k := range plan(t, s).Graph.Kinds() {
			s.Names.Boxes[k.Name] = k.Name + "/{n:03}"
			if i%2 == 0 && len(s.Room.Containers) == 0 {
				s.Names.Boxes[k.Name] = k.Name + "@{rack}-{in_rack}"
			}
		}
		first := plan(t, s)
		dir := t.TempDir()
		if _, err := Files(context.Background(), first, dir, Options{Only: []string{"placement.csv"}}); err != nil {
			t.Fatal(err)
		}
		places := filepath.Join(dir, "placement.csv")
		s.Embedding.Placement = places
		second := plan(t, s)
		table := filepath.Join(dir, "names.csv")
		rename(t, places, table)
		s.Names.Boxes, s.Names.Table = nil, table
		third := plan(t, s)
		tables := []string{"cables.csv", "placement.csv", "labels.csv"}
		named := func(name string) bool { return slices.Contains(tables, name) }
		want := tablesOf(t, first, named)
		for j, r := range []*machine.Result{second, third} {
			found := tablesOf(t, r, named)
			if first.Bill.Total != r.Bill.Total {
				t.Errorf("%s: %v, then %v", text, first.Bill.Total, r.Bill.Total)
			}
			for _, name := range tables {
				if got := found[name]; got == "" || got != want[name] {
					t.Errorf("%s: %s of plan %d:\n%s\nwant\n%s", text, name, j+2, got[:min(400, len(got))],
						want[name][:400])
				}
			}
		}
	}
}

// rename makes a table of names of a table of places: vertex and name.
func rename(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("vertex,name\n")
	for _, row := range rows[1:] {
		fmt.Fprintf(&b, "%s,%s\n", row[0], row[1])
	}
	if err := os.WriteFile(to, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Names that a spreadsheet would take for formulas stay texts in every table, and read back.
func TestNamesAreNoFormulas(t *testing.T) {
	s := toName(t, machinesToName[0])
	s.Names = spec.Names{
		Boxes:  map[string]string{"leaf": "=1+{n}", "spine": "@{n}", "node": `-{n}"+cmd|x!{n}`},
		Cables: "+{n}+A1", Labels: "={box}:{port}",
	}
	r := plan(t, s)
	for name, text := range textsOf(t, r) {
		if !strings.HasSuffix(name, ".csv") {
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			for _, field := range row {
				if field != "" && strings.ContainsAny(field[:1], "=+@") {
					t.Fatalf("%s: %q", name, field)
				}
			}
		}
	}
	f := workbook(t, r)
	rows, err := f.GetRows("Cables")
	if err != nil || rows[1][0] != "+1+A1" || rows[1][10] == "" || rows[1][7][0] != '=' {
		t.Errorf("%q %v", rows[1], err)
	}
	for _, cell := range []string{"A2", "H2", "K2"} {
		if formula, err := f.GetCellFormula("Cables", cell); formula != "" || err != nil {
			t.Errorf("%s is the formula %q", cell, formula)
		}
	}
}

// What a port is called stands in the workbook as a text that no spreadsheet makes a date of, and in tables for
// programs as the box prints it.
func TestPortsAsPrinted(t *testing.T) {
	s := toName(t, `topology: {family: fat-tree, nodes: 20, radix: 64, down: 16, up: 8, spines: 2}
parts: [{id: sw, kind: switch, power: 500, units: 1, width: 0.44, depth: 0.5, weight: 9,
  ports: [{count: 64, label: "3/#", connector: qsfp112, rate: 400, face: rear}], source: test, confidence: estimate}]
packaging: {switch: {part: sw}}`)
	r := plan(t, s)
	f := workbook(t, r)
	ports := 0
	for n := 2; n < 20; n++ {
		cell := fmt.Sprintf("L%d", n)
		value, err := f.GetCellValue("Cables", cell)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(value, "3/") {
			t.Fatalf("%s is %q", cell, value)
		}
		id, err := f.GetCellStyle("Cables", cell)
		if err != nil {
			t.Fatal(err)
		}
		if style, err := f.GetStyle(id); err != nil || style.NumFmt != 49 {
			t.Errorf("%s has the format %d, %v", cell, style.NumFmt, err)
		}
		ports++
	}
	if text := textsOf(t, r)["cables.csv"]; ports == 0 || !strings.Contains(text, ",3/1,") {
		t.Errorf("cables.csv has no port 3/1")
	}
}

// labels.csv has both ends of every cable, by rack and by pull order.
func TestLabels(t *testing.T) {
	for _, text := range machinesToName {
		s := toName(t, text)
		if len(s.Room.Containers) == 0 {
			s.Names.Labels = "tia-606"
		}
		r := plan(t, s)
		cables := readTable(t, r, Cables)
		labels := readTable(t, r, Labels)
		ends := map[string]map[string]bool{} // of every cable
		at := map[string]string{}            // the label of an end by the cable's other
		for _, row := range cables {
			if ends[row["cable_id"]] == nil {
				ends[row["cable_id"]] = map[string]bool{}
			}
			ends[row["cable_id"]][row["a_label"]] = true
			ends[row["cable_id"]][row["b_label"]] = true
			at[row["a_label"]], at[row["b_label"]] = row["a_rack"], row["b_rack"]
		}
		seen := map[string]int{}
		racks := map[string]bool{}
		last := ""
		for i, row := range labels {
			id := row["cable_id"]
			seen[id]++
			if !ends[id][row["near"]] || !ends[id][row["far"]] || row["label"] != row["near"]+" / "+row["far"] {
				t.Fatalf("%s: %v, and the cable has %v", text, row, ends[id])
			}
			if at[row["near"]] != row["rack"] || at[row["far"]] != row["far_rack"] {
				t.Fatalf("%s: %v, and its ends are in %s and %s", text, row, at[row["near"]], at[row["far"]])
			}
			if row["rack"] != last {
				if last = row["rack"]; racks[last] {
					t.Fatalf("%s: rack %s comes twice", text, last)
				}
				racks[last] = true
			} else if before := labels[i-1]; pullOf(before) > pullOf(row) {
				t.Fatalf("%s: %v after %v", text, row, before)
			}
		}
		for id := range ends {
			if seen[id] < 2 {
				t.Errorf("%s: %d labels for %s", text, seen[id], id)
			}
		}
	}
}

// pullOf is the pull order of a label, cables without one last.
func pullOf(row map[string]string) int {
	n := 1 << 30
	if row["pull_order"] != "" {
		fmt.Sscan(row["pull_order"], &n)
	}
	return n
}

// The form of ANSI/TIA-606, and patterns of one's own.
func TestFormsOfLabels(t *testing.T) {
	for _, test := range []struct{ labels, want string }{
		{"", `^[AB][0-9]{2}/U[0-9]{2}/(LF|SP|N)[0-9]+-[0-9]+$`},
		{"device", `^[AB][0-9]{2}/U[0-9]{2}/(LF|SP|N)[0-9]+-[0-9]+$`},
		{"tia-606", `^[AB][0-9]{2}-[0-9]{2}:[0-9]+$`},
		{"{rack}-U{u:02}:P{port}", `^[AB][0-9]{2}-U[0-9]{2}:P[0-9]+$`},
	} {
		s := toName(t, machinesToName[0])
		s.Names.Labels = test.labels
		want := regexp.MustCompile(test.want)
		ends := map[string]bool{}
		for _, row := range readTable(t, plan(t, s), Cables) {
			for _, end := range []string{row["a_label"], row["b_label"]} {
				if !want.MatchString(end) {
					t.Fatalf("%q: %s", test.labels, end)
				}
				if ends[end] {
					t.Fatalf("%q: two ends are %s", test.labels, end)
				}
				ends[end] = true
			}
		}
	}
}

// cellTexts reads the texts of all cells of a workbook.
func cellTexts(t rapid.TB, data []byte) []string {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet)
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		for _, row := range rows {
			out = append(out, row...)
		}
	}
	return out
}
