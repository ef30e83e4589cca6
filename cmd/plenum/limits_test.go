package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

// longTexts is a machine file with a text in every field of free text, and names as long as they may be.
func longTexts(t *testing.T, text string) string {
	t.Helper()
	part := func(id, kind string, ports int) map[string]any {
		return map[string]any{
			"id": id, "kind": kind, "description": "d " + text, "maker": "m " + text, "part_number": "p " + text,
			"source": "s " + text, "confidence": "user", "units": 1, "width": "0.45 m", "depth": "0.8 m",
			"power": "500 W", "weight": "20 kg",
			"ports": []any{map[string]any{"count": ports, "connector": "qsfp112", "rate": 400}},
		}
	}
	node, leaf := strings.Repeat("n", 99)+"1", strings.Repeat("n", 99)+"2"
	file, err := json.Marshal(map[string]any{
		"name": "name " + text, "description": "about " + text,
		"topology":  map[string]any{"family": "fat-tree", "nodes": 8, "radix": 8},
		"packaging": map[string]any{"node": map[string]any{"part": node}, "switch": map[string]any{"part": leaf}},
		"parts":     []any{part(node, "node", 1), part(leaf, "switch", 8)},
		"names": map[string]any{
			"boxes": map[string]any{
				"node": strings.Repeat("n", 120) + "{n:03}", "leaf": strings.Repeat("l", 120) + "{n:03}",
				"spine": strings.Repeat("s", 120) + "{n:03}",
			},
			"cables": strings.Repeat("c", 20) + "{n}", "labels": strings.Repeat("x", 100) + "{box}/{port}",
		},
		"rules": map[string]any{"suppress": []any{map[string]any{"rule": "price", "reason": "because " + text}}},
		"room": map[string]any{
			"width": "12 m", "depth": "8 m",
			"rows": []any{map[string]any{
				"name": strings.Repeat("R", 64), "racks": 4, "reserved": []any{"4"}, "reserved_for": "for " + text,
			}},
			"doors": []any{map[string]any{"name": "door " + text, "wall": "south", "at": "1 m", "width": "1 m"}},
			"keep_outs": []any{map[string]any{
				"name":   "area " + text,
				"points": [][]string{{"0.1 m", "0.1 m"}, {"0.4 m", "0.1 m"}, {"0.4 m", "0.4 m"}},
			}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// formatsOf are the formats of plenum render with a file or directory for each.
var formatsOf = map[string]string{
	"ansible": "a.yaml", "checklists": "c.pdf", "dot": "d.dot", "edges": "e.txt", "elevations": "e.pdf",
	"gltf":    "g.glb",
	"graphml": "g.graphml", "ifc": "i.ifc", "floor": "f.dxf", "ibnetdiscover": "i.txt", "json": "j.json",
	"labels-csv": "l.csv", "labels-pdf": "l.pdf", "labels-zpl": "l.zpl", "lldp": "lldp", "ndt": "n.csv",
	"netbox": "netbox", "omnipath": "o.csv", "point-to-point": "p.csv", "progress": "p2.csv", "ptm": "p.dot",
	"pull-sheets": "s.pdf", "racks": "r.csv", "report": "r.html", "sections": "x.pdf", "topo": "topo",
	"topology": "t.svg", "trays": "t.dxf", "tt-metal": "tt", "usd": "u.usda",
}

// TestLimitsOfFormats writes every format of a plan whose texts are longer than any format takes.
func TestLimitsOfFormats(t *testing.T) {
	for name, text := range map[string]string{
		"characters": strings.Repeat("x", 10_000), "lines": strings.Repeat("line\n", 10_000),
		"words": strings.Repeat("word ", 8_000), "wide": strings.Repeat("\U0001f600", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, dir := longTexts(t, text), t.TempDir()
			command := func(args ...string) {
				var out, wrong bytes.Buffer
				if status := run(t.Context(), &out, &wrong, args); status > 1 {
					t.Fatalf("%s: status %d: %.500s", args, status, wrong.String())
				}
			}
			command("plan", file, "-o", dir)
			withinSheets(t, filepath.Join(dir, "bom.xlsx"), text)
			withinDXF(t, filepath.Join(dir, "floor.dxf"))
			for format, to := range formatsOf {
				if name == "characters" || format == "floor" || format == "ifc" || format == "netbox" {
					command("render", file, "--format", format, "-o", filepath.Join(dir, to))
				}
			}
			withinNetBox(t, filepath.Join(dir, "netbox", "devices.csv"))
		})
	}
}

// withinSheets checks a workbook against the limits of Excel, and that no piece of a text is lost.
func withinSheets(t *testing.T, path, text string) {
	t.Helper()
	f, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all strings.Builder
	for _, sheet := range f.GetSheetList() {
		if n := len(utf16.Encode([]rune(sheet))); n > 31 {
			t.Errorf("a sheet's name of %d characters", n)
		}
		rows, err := f.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			if h, err := f.GetRowHeight(sheet, i+1); err != nil || h > 409 {
				t.Errorf("%s: row %d is %v points high: %v", sheet, i+1, h, err)
			}
			for _, c := range row {
				if n := len(utf16.Encode([]rune(c))); n > 32767 {
					t.Errorf("%s: a cell of %d characters", sheet, n)
				}
			}
			if sheet == "Assumptions" && len(row) > 1 && strings.HasPrefix(row[0], "description") {
				all.WriteString(row[1] + " ")
			}
		}
	}
	letters := func(text string) string { return strings.Join(strings.Fields(text), "") }
	if letters(all.String()) != letters("about "+text) {
		t.Error("the description is not whole on the sheet of assumptions")
	}
}

// withinDXF checks the lengths of strings of a DXF file of release 12.
func withinDXF(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		if len(line) > 255+len("Plenum: ") {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

// withinNetBox checks the names of devices and what stands for long ones.
func withinNetBox(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\r\n") {
		name, _, _ := strings.Cut(line, ",")
		if len(name) > 64 || seen[name] {
			t.Errorf("device %q", name)
		}
		if seen[name] = true; i > 0 && !strings.Contains(line, strings.Repeat(name[:1], 120)) {
			t.Errorf("no whole name: %s", line)
		}
	}
	if len(seen) < 9 {
		t.Error(fmt.Sprint(len(seen), " devices"))
	}
}
