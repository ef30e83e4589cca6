package edited

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestLeft tells what nobody reads, with sheet and cell: sheets and columns that were put in, renamed or deleted, cells
// beside all columns, and formulas that are others than the plan's.
func TestLeft(t *testing.T) {
	r, _, text := written(t)
	n, _ := row(t, text, "BOM", "rack-42u")
	path := edit(t, text, map[string]any{
		"Racks!N1": "mine", "Racks!N2": 7, "Racks!Q3": "beside", "Boxes!N1": "remark", "Cables!AK1": "checked",
		"Cables!AK2": "yes",
	}, func(f *excelize.File) error {
		_, err := f.NewSheet("Notes")
		value, err2 := f.GetCellValue("Racks", "H3", excelize.Options{RawCellValue: true})
		return errors.Join(err, err2, f.SetSheetName("Trays", "My trays"), f.DeleteSheet("Delay"),
			f.SetCellFormula("BOM", "L"+n, "I"+n+"*K"+n+"*1.1"), // its value is computed later
			f.SetCellValue("Racks", "H3", value))
	})
	e, err := Read(context.Background(), path, r)
	if err != nil {
		t.Fatal(err)
	}
	got := e.String()
	for _, want := range []string{
		`edited.xlsx:Racks!N1: the plan has no column "mine"`,
		`edited.xlsx:Racks!Q3: "beside": nothing beside`,
		`edited.xlsx:Boxes!N1: the plan has no column "remark"`,
		`edited.xlsx:Cables!AK1: the plan has no column "checked"`,
		`edited.xlsx:Notes!A1: the plan has no sheet of this name`,
		`edited.xlsx:My trays!A1: the plan has no sheet of this name`,
		`edited.xlsx: there is no sheet Trays (is it "My trays" now?)`,
		`edited.xlsx: there is no sheet Delay: nothing`,
		`edited.xlsx:BOM!L` + n + `: the formula =I` + n + `*K` + n + `*1.1, the plan has =`,
		`edited.xlsx:Racks!H3: `,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "not taken: "); n != 10 {
		t.Errorf("%d are told, want 10:\n%s", n, got)
	}
}

// TestShape has formulas alike that spreadsheets write in other ways, or that stand in another row, and no others.
func TestShape(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"SUM(BOM!$L$2:$L$9)", "=sum('BOM'!L3 : L10)", true},
		{"_xlfn.IFS(A1,2)", "IFS(A7,2)", true},
		{"F2/G2", "F2/G2*1.1", false},
		{"F2/G2", "F2/H2", false},
		{"F2*2", "F2*3", false},
		{"F2", "", false},
	} {
		if got := shape(c.a) == shape(c.b); got != c.same {
			t.Errorf("%s and %s are alike: %v", c.a, c.b, got)
		}
	}
}

// TestCablesByRow finds cables in any order, and tells what is edited, missing, twice or not of the plan.
func TestCablesByRow(t *testing.T) {
	r, _, text := written(t)
	last := int(r.Schedule.Wired) + 1
	path := edit(t, text, map[string]any{"Cables!G4": 99, "Cables!A6": "C99999", "Cables!A8": "C0007"},
		func(f *excelize.File) error {
			return errors.Join(reverse(f, "Cables", last), f.RemoveRow("Cables", last))
		})
	_, err := Read(context.Background(), path, r)
	if err == nil {
		t.Fatal("all is taken")
	}
	first := r.Schedule.CableID(1)
	for _, want := range []string{
		`"99", but the plan has "`, `the plan has no cable "C99999"`, `the row of cable "` + first + `" is missing`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not in\n%v", want, err)
		}
	}
}
