package render

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/officetest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
)

// small is a tree with fibre between its racks, so that there are optics among its parts.
const small = `
topology: {family: fat-tree, nodes: 48, radix: 32}
room: {rows: 1, racks_per_row: 6}
cabling: {media: [{levels: [tier1], use: [fibre]}, {use: [any]}]}
prices: {spares: {cable: 10, switch: 10, optic: 10}}
`

// owning plans a machine whose workbook says what exists.
func owning(t *testing.T, file, workbook string) (*machine.Result, error) {
	t.Helper()
	s, err := machine.Parse("m.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	s.Owned = &spec.Owned{Workbook: workbook}
	return machine.Plan(context.Background(), s)
}

// bookOf writes the workbook of a machine.
func bookOf(t *testing.T, file string) (*machine.Result, string) {
	t.Helper()
	s, err := machine.Parse("m.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	r := plan(t, s)
	dir := t.TempDir()
	if _, err := Files(context.Background(), r, dir, Options{Only: []string{"bom.xlsx"}}); err != nil {
		t.Fatal(err)
	}
	return r, filepath.Join(dir, "bom.xlsx")
}

// nothing checks that a plan asks for nothing, and that all is where it was. Cords and trunks of panels are counted as
// installed anew.
func nothing(t *testing.T, old, new *machine.Result) {
	t.Helper()
	for i := range new.Bill.Rows {
		r := &new.Bill.Rows[i]
		if over := new.Schedule.Patching != nil; r.Buy > 0 && (r.Kind != catalog.KindLabour || !over) {
			t.Errorf("%d of %s are to buy", r.Buy, r.Item)
		}
	}
	for i := range old.Schedule.Segments {
		a, b := old.Schedule.Segments[i], new.Schedule.Segments[i]
		if a.PortA != b.PortA || a.PortB != b.PortB || a.Length != b.Length {
			t.Fatalf("segment %d: %+v, was %+v", i, b, a)
		}
	}
}

// TestWorkbookOwned plans a machine that is there already, as its workbook says: nothing is to be bought.
func TestWorkbookOwned(t *testing.T) {
	for name, file := range map[string]string{
		"tree": small,
		"panels": "topology: {family: leaf-spine, nodes: 64, down: 16, up: 4, spines: 4}\n" +
			"room: {rows: 2, racks_per_row: 6}\n" +
			"cabling: {media: [{use: [fibre]}], structured: {beyond: rack}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			old, workbook := bookOf(t, file)
			again, err := owning(t, file, workbook)
			if err != nil {
				t.Fatal(err)
			}
			nothing(t, old, again)
		})
	}
}

// TestWorkbookOwnedInLibreOffice: the same of a workbook that LibreOffice has saved.
func TestWorkbookOwnedInLibreOffice(t *testing.T) {
	old, workbook := bookOf(t, small)
	dir := t.TempDir()
	officetest.Convert(t, "xlsx", dir, workbook)
	again, err := owning(t, small, filepath.Join(dir, "bom.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	nothing(t, old, again)
}

// TestWorkbookOwnedEdited: a cable whose row was deleted is bought, one that lies in another port stays in it, and a
// box
// that stands in another place stays there.
func TestWorkbookOwnedEdited(t *testing.T) {
	old, workbook := bookOf(t, small)
	f, err := excelize.OpenFile(workbook)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := f.GetRows(cablesSheet)
	if err != nil {
		t.Fatal(err)
	}
	set := func(sheet, cell string, v any) {
		t.Helper()
		if err := f.SetCellValue(sheet, cell, v); err != nil {
			t.Fatal(err)
		}
	}
	product := rows[1][3]
	set(cablesSheet, ref(12, 3), 64) // of the second cable, port 2 of the switch
	if err := f.RemoveRow(cablesSheet, 2); err != nil {
		t.Fatal(err)
	}
	set(cablesSheet, ref(12, 2), 64)
	boxes, err := f.GetRows(boxesSheet)
	if err != nil {
		t.Fatal(err)
	}
	set(boxesSheet, ref(6, len(boxes)), 38)
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	again, err := owning(t, small, workbook)
	if err != nil {
		t.Fatal(err)
	}
	for i := range again.Bill.Rows {
		want := int64(0)
		if r := &again.Bill.Rows[i]; r.Item.String() == product || r.Kind == catalog.KindLabour {
			want = 1
		} else if r.Buy != want {
			t.Errorf("%d of %s are to buy, want %d", r.Buy, r.Item, want)
		}
	}
	last := len(old.Placement.Slot) - 1
	if u := again.Placement.Layout.Unit(again.Placement.Slot[last]); u != 38 {
		t.Errorf("the last box stands in unit %d", u)
	}
	seg := &again.Schedule.Segments[1]
	if port := again.Schedule.PortName(seg.A, seg.PortA); port != "64" {
		t.Errorf("the second cable is in port %s", port)
	}
	// A place that the room does not have is reported by its cell.
	set(boxesSheet, ref(4, 3), "Z09")
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	if _, err := owning(t, small, workbook); err == nil || !strings.Contains(err.Error(), "bom.xlsx:Boxes!D3: ") {
		t.Error(err)
	}
}
