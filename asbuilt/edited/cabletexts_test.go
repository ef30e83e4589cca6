package edited

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/machine"
)

// TestCableTexts has the cells of cables as a workbook has them, row by row: with splitters, panels and names of their
// own as well.
func TestCableTexts(t *testing.T) {
	for _, r := range plansOfCables(t) {
		f, err := excelize.OpenReader(bytes.NewReader(bookOf(t, r)))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := f.GetRows("Cables", excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		c := newCableTexts(r)
		if c.count() != len(rows)-1 || c.count() == 0 {
			t.Fatalf("%d rows, the workbook has %d", c.count(), len(rows)-1)
		}
		for i := c.count() - 1; i >= 0; i-- {
			want := rows[i+1]
			leg, _ := strconv.Atoi(want[c.legs()])
			if got := c.find(want[0], leg); got != i {
				t.Fatalf("cable %s, leg %d: row %d, want %d", want[0], leg, got, i)
			}
			for j, got := range c.row(i) {
				text := ""
				if j < len(want) {
					text = want[j]
				}
				x, errX := strconv.ParseFloat(got, 64)
				y, errY := strconv.ParseFloat(text, 64)
				if got != text && (errX != nil || errY != nil || x != y) {
					t.Fatalf("row %d, %s: %q, want %q", i, c.heads[j], got, text)
				}
			}
		}
		if c.find("C", 1) >= 0 || c.find(rows[1][0], 99) >= 0 || c.find("C00000000", 1) >= 0 {
			t.Error("cables that are none are found")
		}
		f.Close()
	}
}

// plansOfCables are machines whose cables carry one link, several, and parts of one, some with names of their own.
func plansOfCables(t *testing.T) []*machine.Result {
	t.Helper()
	var out []*machine.Result
	for _, path := range []string{
		"../../examples/superpod-h100-4su.yaml", "../../machine/testdata/structured.yaml",
		"../../examples/clex-4096.yaml",
	} {
		s, err := machine.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, planned(t, s))
	}
	s, err := machine.Parse("m.yaml", []byte(small+"names: {cables: '{level}-{n:05}'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return append(out, planned(t, s))
}
