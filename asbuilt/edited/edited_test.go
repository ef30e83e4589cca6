package edited

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/officetest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
)

const small = `
name: small
topology: {family: fat-tree, nodes: 16, radix: 8}
room: {rows: 2, racks_per_row: 4}
`

func planned(t testing.TB, s *spec.Spec) *machine.Result {
	t.Helper()
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// written plans a machine and writes its workbook.
func written(t testing.TB) (*machine.Result, *spec.Spec, []byte) {
	t.Helper()
	s, err := machine.Parse("m.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	r := planned(t, s)
	return r, s, bookOf(t, r)
}

// bookOf is the workbook of a plan.
func bookOf(t testing.TB, r *machine.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := render.Workbook(context.Background(), &b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// edit sets cells, or does more to a workbook, and saves it.
func edit(t *testing.T, text []byte, set map[string]any, more ...func(f *excelize.File) error) string {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for at, v := range set {
		sheet, cell, _ := strings.Cut(at, "!")
		err = errors.Join(err, f.SetCellValue(sheet, cell, v))
	}
	for _, m := range more {
		err = errors.Join(err, m(f))
	}
	path := filepath.Join(t.TempDir(), "edited.xlsx")
	if err := errors.Join(err, f.SaveAs(path)); err != nil {
		t.Fatal(err)
	}
	return path
}

// row finds the row of a sheet whose first cell has a text, from 1.
func row(t *testing.T, text []byte, sheet, first string) (number string, cells []string) {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if len(r) > 0 && r[0] == first {
			name, _ := excelize.CoordinatesToCellName(1, i+1)
			return name[1:], r
		}
	}
	t.Fatalf("%s has no row %s", sheet, first)
	return "", nil
}

func TestNothingEdited(t *testing.T) {
	r, _, text := written(t)
	e, err := Read(context.Background(), edit(t, text, nil), r)
	if err != nil || len(e.Changes)+len(e.Left) != 0 || e.placed || e.named || e.owned {
		t.Fatalf("%+v, %v", e, err)
	}
}

// TestEdits plans again with a price, a place, a name and a lock, and finds them in the plan and its bill.
func TestEdits(t *testing.T) {
	r, s, text := written(t)
	part := r.Bill.Rows[len(r.Bill.Rows)-1].Item.String()
	for i := range r.Bill.Rows {
		if row := &r.Bill.Rows[i]; row.Kind == "switch" {
			part = row.Item.String()
		}
	}
	price, _ := row(t, text, "BOM", part)
	first, _ := row(t, text, "Boxes", r.Schedule.Device(0))
	second, cells := row(t, text, "Boxes", r.Schedule.Device(1))
	unit := "30"
	if cells[5] == unit {
		t.Fatal("the box stands there already")
	}
	path := edit(t, text, map[string]any{
		"BOM!K" + price: 1234.5, "Boxes!I" + first: "=login", "Boxes!F" + second: 30, "Boxes!J" + first: "yes",
	})
	e, err := Read(context.Background(), path, r)
	if err != nil {
		t.Fatal(err)
	}
	listed := e.String()
	for _, want := range []string{
		"BOM!K" + price + ": price of " + part + ": 1234.50, was ", "Boxes!I" + first + ": name of ",
		"Boxes!F" + second + ": unit of ", "Boxes!J" + first + ": ",
	} {
		if strings.Count(listed, want) != 1 {
			t.Errorf("%q is not in\n%s", want, listed)
		}
	}
	own := *s
	if err := e.Apply(&own); err != nil {
		t.Fatal(err)
	}
	if s.Prices.Unit != nil || s.Names.Table != "" || s.Embedding.Placement != "" {
		t.Error("the spec that was given has changed")
	}
	again := planned(t, &own)
	for i := range again.Bill.Rows {
		if b := &again.Bill.Rows[i]; b.Item.String() == part && b.UnitCost.Decimal() != "1234.50" {
			t.Errorf("%s costs %v", part, b.UnitCost)
		}
	}
	if got := again.Schedule.Device(0); got != "=login" {
		t.Errorf("the first box is called %q", got)
	}
	for v := range r.Placement.Slot {
		want := r.Placement.Layout.Unit(r.Placement.Slot[v])
		if v == 1 {
			want = 30
		}
		if got := again.Placement.Layout.Unit(again.Placement.Slot[v]); got != want {
			t.Errorf("box %d stands in unit %d, want %d", v, got, want)
		}
	}
	if len(own.Embedding.Lock) != 2 {
		t.Errorf("locked: %q", own.Embedding.Lock)
	}
}

// TestOwnedMarks takes a column that marks what exists.
func TestOwnedMarks(t *testing.T) {
	r, s, text := written(t)
	path := edit(t, text, map[string]any{"Boxes!K1": "owned", "Boxes!K2": "x"})
	e, err := Read(context.Background(), path, r)
	if err != nil || !e.owned || e.placed {
		t.Fatalf("%+v, %v", e, err)
	}
	own := *s
	if err := e.Apply(&own); err != nil || own.Owned == nil || own.Owned.Workbook != path {
		t.Errorf("%+v, %v", own.Owned, err)
	}
	own.Owned = &spec.Owned{Plan: "before"}
	if err := e.Apply(&own); err == nil {
		t.Error("two books of what is owned are taken")
	}
}

// TestRefused has every edit that cannot be taken told with its cell.
func TestRefused(t *testing.T) {
	r, _, text := written(t)
	box := r.Schedule.Device(0)
	for name, c := range map[string]struct {
		set  map[string]any
		want string
	}{
		"price":     {map[string]any{"BOM!K2": "cheap"}, `BOM!K2: "cheap" is not a price`},
		"negative":  {map[string]any{"BOM!K3": -1}, `BOM!K3: "-1" is not a price`},
		"quantity":  {map[string]any{"BOM!D2": 999}, `BOM!D2: "999", but the plan takes `},
		"part":      {map[string]any{"BOM!A2": "generic-node-1v"}, `did you mean "generic-node-1u"?`},
		"label":     {map[string]any{"Boxes!A2": box + "9"}, `Boxes!A2: the plan has no box`},
		"kind":      {map[string]any{"Boxes!B2": "spines"}, `Boxes!B2: "spines", but the plan has `},
		"container": {map[string]any{"Boxes!D2": "Z09"}, `Boxes!D2: there is no place called "Z09"`},
		"lock":      {map[string]any{"Boxes!J2": "maybe"}, `Boxes!J2: "maybe" is not a mark`},
		"name": {
			map[string]any{"Boxes!I2": "new", "Boxes!I3": "new"},
			`Boxes!I3: "new" is the new name of another box`,
		},
		"taken": {map[string]any{"Boxes!I3": box}, `is a box of the plan already`},
		"head":  {map[string]any{"Boxes!D1": "rack"}, `there is no column "container"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(context.Background(), edit(t, text, c.set), r)
			if !errors.As(err, new(diag.List)) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	without := edit(t, text, nil, func(f *excelize.File) error { return f.DeleteSheet("BOM") })
	_, err := Read(context.Background(), without, r)
	if err == nil || !strings.Contains(err.Error(), "there is no sheet BOM") {
		t.Error(err)
	}
	if _, err := Read(context.Background(), t.TempDir(), r); err == nil {
		t.Error("a directory is read")
	}
}

// far is a workbook whose sheet of parts has a row of an impossible number.
func far(t testing.TB, text []byte, number string) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, e := range in.File {
		r, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if e.Name == "xl/worksheets/sheet2.xml" {
			part = bytes.Replace(part, []byte(`<row r="3"`), []byte(`<row r="`+number+`"`), 1)
		}
		w, err := out.Create(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readIn reads a workbook of at most so many bytes unpacked, without the sheets that are only compared.
func readIn(plan *machine.Result, path string, text []byte, most int64) (*Edits, error) {
	r := &reader{plan: plan, asPlanned: func() (*excelize.File, error) { return nil, nil }}
	return r.read(context.Background(), path, func() (*excelize.File, error) {
		return excelize.OpenReader(bytes.NewReader(text), options(most))
	})
}

// TestBombs refuses what would take time and memory.
func TestBombs(t *testing.T) {
	r, _, text := written(t)
	bad := far(t, text, "1000000000000000000")
	if _, err := readIn(r, "far.xlsx", bad, mostUnzipped); err == nil ||
		!strings.Contains(err.Error(), "sheet BOM: ") {
		t.Error(err)
	}
	if _, err := readIn(r, "large.xlsx", text, 1000); err == nil ||
		!strings.Contains(err.Error(), "cannot be read") {
		t.Error(err)
	}
}

// TestNothingEditedInLibreOffice: a workbook that LibreOffice has saved is as it was planned.
func TestNothingEditedInLibreOffice(t *testing.T) {
	r, _, text := written(t)
	dir, saved := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bom.xlsx"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	officetest.Convert(t, "xlsx", saved, filepath.Join(dir, "bom.xlsx"))
	e, err := Read(context.Background(), filepath.Join(saved, "bom.xlsx"), r)
	if err != nil || len(e.Changes)+len(e.Left) != 0 {
		t.Fatalf("%v, %v", e, err)
	}
}
