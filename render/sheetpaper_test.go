package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/internal/csvtable"
)

// TestPaperIsForInstallers: what comes on paper is what a person on site needs, with a head and a foot.
func TestPaperIsForInstallers(t *testing.T) {
	r := plan(t, superPod())
	f := workbook(t, r)
	none := map[string]bool{}
	for _, n := range f.GetDefinedName() {
		if n.Name == "_xlnm.Print_Area" && strings.HasSuffix(n.RefersTo, "!"+lastCell) {
			none[n.Scope] = true
		}
	}
	var printed []string
	for _, sheet := range f.GetSheetList() {
		if !none[sheet] {
			printed = append(printed, sheet)
		}
		texts, err := f.GetHeaderFooter(sheet)
		if err != nil || texts.OddHeader != "&LSuperPOD&R&A" || texts.OddFooter != "&LPlenum&RPage &P of &N" {
			t.Errorf("%s: %+v, %v", sheet, texts, err)
		}
	}
	want := []string{
		"Summary", "BOM", "Racks", "Bundles", "Cable list", "Elevations", "Materials", "Order (no supplier)",
	}
	if !slices.Equal(printed, want) {
		t.Errorf("printed: %q", printed)
	}
}

// TestCableListIsWalked: cables are by the rack of their first end, in the order of the room, and from the top of each
// rack down; every cable has a row, whose done is a list of words that readers take.
func TestCableListIsWalked(t *testing.T) {
	r := plan(t, superPod())
	f := workbook(t, r)
	rows, err := f.GetRows("Cable list", excelize.Options{RawCellValue: true})
	if err != nil || len(rows) != int(r.Schedule.Wired)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	ids, racks := map[string]bool{}, map[string]int{}
	room := r.Room()
	for place := range room.Places {
		racks[room.Name(place)] = place
	}
	for i, row := range rows[1:] {
		ids[row[8]] = true
		first, second := racks[row[0]], racks[row[4]]
		if first > second || first == second && len(row[1]) == len(row[5]) && row[1] < row[5] {
			t.Fatalf("%q begins at its second end", row)
		}
		if i == 0 {
			continue
		}
		last := rows[i]
		if before := racks[last[0]]; before > first ||
			before == first && len(last[1]) == len(row[1]) && last[1] < row[1] {
			t.Fatalf("%q comes after %q", row, last)
		}
	}
	if len(ids) != int(r.Schedule.Cables) {
		t.Errorf("%d of %d cables", len(ids), r.Schedule.Cables)
	}
	for _, word := range csvtable.MarkChoices {
		if _, known := csvtable.Mark(word); !known {
			t.Errorf("%q is not read", word)
		}
	}
	offered, err := f.GetDataValidations("Cable list")
	if words := strings.Join(csvtable.MarkChoices, ","); err != nil || len(offered) != 2 ||
		!strings.Contains(offered[0].Formula1, words) {
		t.Errorf("%+v, %v", offered, err)
	}
}

// TestLinksLeadHome: a link of a rack leads to a cell with its name, one of a part to that part in the bill.
func TestLinksLeadHome(t *testing.T) {
	f := workbook(t, plan(t, superPod()))
	for _, c := range []struct {
		sheet  string
		column int
	}{{"Racks", 1}, {"Cable list", 1}, {"Cable list", 5}, {"Cable list", 10}, {"Boxes", 3}, {"Elevations", 2}} {
		rows, err := f.GetRows(c.sheet)
		if err != nil {
			t.Fatal(err)
		}
		last := min(len(rows), 40)
		if c.sheet == "Racks" || c.sheet == "Boxes" {
			last = 5
		}
		first := 2
		if c.sheet == "Elevations" {
			first, last = 1, 1
		}
		for row := first; row <= last; row++ {
			at := ref(c.column, row)
			is, to, err := f.GetCellHyperLink(c.sheet, at)
			if err != nil || !is {
				t.Errorf("%s!%s leads nowhere: %v", c.sheet, at, err)
				continue
			}
			sheet, cell, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(to, "'", ""), "$", ""), "!")
			there, err := f.GetCellValue(sheet, cell)
			here, _ := f.GetCellValue(c.sheet, at)
			if err != nil || there != here || here == "" {
				t.Errorf("%s!%s has %q and leads to %q at %s: %v", c.sheet, at, here, there, to, err)
			}
		}
	}
}

// TestLinksAreCut: a sheet has no more links than are taken, and cells without one do not look like links.
func TestLinksAreCut(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	g := &grid{name: "Sheet1"}
	for range mostLinks + 1 {
		g.add(text("a").linkTo("Sheet1!A1"))
	}
	if err := g.link(f); err != nil {
		t.Fatal(err)
	}
	if is, _, _ := f.GetCellHyperLink("Sheet1", ref(1, mostLinks)); !is || g.rows[mostLinks-1][0].style != linked {
		t.Error("the last link is missing")
	}
	if is, _, _ := f.GetCellHyperLink("Sheet1", ref(1, mostLinks+1)); is || g.rows[mostLinks][0].style != plain {
		t.Error("there is one link too many")
	}
}

// TestElevationsAreDrawn: every box in units is a cell of its height, of the colour of its kind, and no text is cut.
func TestElevationsAreDrawn(t *testing.T) {
	f := workbook(t, plan(t, superPod()))
	merged, err := f.GetMergeCells("Elevations")
	if err != nil || len(merged) == 0 {
		t.Fatalf("%d boxes of several units, %v", len(merged), err)
	}
	for _, m := range merged {
		id, err := f.GetCellStyle("Elevations", m.GetStartAxis())
		if err != nil {
			t.Fatal(err)
		}
		look, err := f.GetStyle(id)
		if err != nil || m.GetCellValue() == "" || look.Fill.Pattern != 1 || len(look.Border) != 4 ||
			!look.Alignment.WrapText {
			t.Fatalf("%s: %q looks like %+v, %v", m.GetStartAxis(), m.GetCellValue(), look, err)
		}
	}
}
