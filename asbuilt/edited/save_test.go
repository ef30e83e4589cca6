package edited

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
)

const commented = `# A small machine.
name: small # of ours
topology: {family: fat-tree, nodes: 16, radix: 8}

# Prices as they were quoted.
prices:
  # by the piece
  unit:
    generic-node-1u: 100.50   # each

# The room.
room: {rows: 2,   racks_per_row: 4}
`

// TestSave plans a machine file that was saved with all kinds of edits, and finds the plan that the edits make.
func TestSave(t *testing.T) {
	for name, text := range map[string]string{
		"lines":   commented,
		"windows": strings.ReplaceAll(commented, "\n", "\r\n"),
		"braces": `{name: small, topology: {family: fat-tree, nodes: 16, radix: 8}, ` +
			`room: {rows: 2, racks_per_row: 4}}`,
		"empty": "embedding:\nprices: {}\n" + strings.TrimSpace(small),
		"racks": small + "embedding:\n  racks:\n    - {with: N01, at: B04} # there\n  seed: 3 # ours\n# the end\n",
	} {
		t.Run(name, func(t *testing.T) { saves(t, text) })
	}
}

func saves(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "m.yaml")
	s, err := machine.Parse(path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r := planned(t, s)
	e, err := Read(context.Background(), filepath.Join(dir, editSome(t, r, dir)), r)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Save(filepath.Join(dir, "saved.yaml"), Source{path, []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text) { // comments stay, and what nobody edited
		_, comment, _ := strings.Cut(line, "#")
		lost := !strings.Contains(string(out), strings.TrimSpace(comment)) && !strings.Contains(line, "there")
		if lost || strings.HasPrefix(line, "room: ") && !bytes.Contains(out, []byte(line)) {
			t.Errorf("%q is lost in\n%s", line, out)
		}
	}
	own := *s
	if err := e.Apply(&own); err != nil {
		t.Fatal(err)
	}
	again, err := machine.Parse(filepath.Join(dir, "saved.yaml"), out)
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if a, b := document(t, planned(t, &own)), document(t, planned(t, again)); a != b {
		t.Errorf("the saved file\n%s\nplans otherwise than the edits do", out)
	}
}

// document is a plan with all its figures.
func document(t *testing.T, r *machine.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := render.JSON(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// editSome edits the workbook of a plan in a directory: a price, a place, a name, a lock and a rack.
func editSome(t *testing.T, r *machine.Result, dir string) string {
	t.Helper()
	text := bookOf(t, r)
	node, _ := row(t, text, "BOM", "generic-node-1u")
	first, _ := row(t, text, "Boxes", r.Schedule.Device(0))
	second, _ := row(t, text, "Boxes", r.Schedule.Device(1))
	from := edit(t, text, map[string]any{
		"BOM!K" + node: 1234.5, "Boxes!I" + first: "no: 1", "Boxes!F" + second: 30, "Boxes!J" + first: "yes",
		"Racks!L2": "B01",
	})
	if err := os.Rename(from, filepath.Join(dir, "edited book.xlsx")); err != nil {
		t.Fatal(err)
	}
	return "edited book.xlsx"
}

// TestSaveElsewhere: a machine file that names files beside it is saved beside them, another one anywhere.
func TestSaveElsewhere(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	e := &Edits{Path: filepath.Join(here, "bom.xlsx"), named: true}
	from := Source{filepath.Join(here, "m.yaml"), []byte(small)}
	out, err := e.Save(filepath.Join(there, "m.yaml"), from)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := spec.Read(filepath.Join(there, "m.yaml"), out)
	if s.Names.Table != e.Path {
		t.Errorf("names.table is %s, want %s", s.Names.Table, e.Path)
	}
	for _, more := range []string{"prices: {quote: [q.csv]}", "embedding: {placement: p.csv}"} {
		from.Text = []byte(small + more)
		if _, err := e.Save(filepath.Join(there, "m.yaml"), from); err == nil ||
			!strings.Contains(err.Error(), "save into its directory") {
			t.Errorf("%s: %v", more, err)
		}
	}
}
