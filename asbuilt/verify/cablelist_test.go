package verify

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/render"
)

// TestCableListOfAWorkbook ticks cables on the sheet for people: those are right and the others missing. As long as
// nothing is ticked, the sheet Cables counts, by which all are right.
func TestCableListOfAWorkbook(t *testing.T) {
	r := plan(t, tree)
	var b bytes.Buffer
	if err := render.Workbook(t.Context(), &b, r); err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(r, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, every := range []int{0, 1, 3} {
		f, err := excelize.OpenReader(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := f.GetRows("Cable list")
		if err != nil {
			t.Fatal(err)
		}
		head := slices.IndexFunc(rows, func(row []string) bool { return slices.Contains(row, "done") })
		column, err := excelize.ColumnNumberToName(slices.Index(rows[head], "done") + 1)
		if err != nil {
			t.Fatal(err)
		}
		ticked := 0
		for i := head + 1; every > 0 && i < len(rows); i += every {
			if err := f.SetCellValue("Cable list", fmt.Sprint(column, i+1), "yes"); err != nil {
				t.Fatal(err)
			}
			ticked++
		}
		var edited bytes.Buffer
		if err := f.Write(&edited); err != nil {
			t.Fatal(err)
		}
		w, err := exchange.ReadCableBook("bom.xlsx", &edited)
		if err != nil {
			t.Fatal(err)
		}
		got := p.Compare([]*exchange.Wiring{w})
		missing := len(got.Differences)
		for _, d := range got.Differences {
			if d.Kind != Missing {
				t.Errorf("every %d is ticked: %v", every, d)
			}
		}
		right, note := ticked, every > 0
		if !note {
			right = len(rows) - head - 1
		}
		if int(got.Right) != right || int(got.Right)+missing != len(rows)-head-1 || strings.Contains(
			strings.Join(w.Notes, "\n"), "are marked as done on the sheet Cable list") != note {
			t.Errorf("every %d is ticked, %d: %d right, %d missing, %q", every, ticked, got.Right, missing, w.Notes)
		}
	}
}
