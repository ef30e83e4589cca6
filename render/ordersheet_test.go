package render

import (
	"errors"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestOrderOfSortedBill exchanges two lines of the bill, and has the order find their prices.
func TestOrderOfSortedBill(t *testing.T) {
	f := workbook(t, plan(t, superPod()))
	const order = "Order (no supplier)"
	raw := excelize.Options{RawCellValue: true}
	want := map[string]string{} // unit costs by cells
	rows, err := f.GetRows(order, raw)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[4:] {
		if len(row) > 7 && row[2] != "" && row[7] != "" {
			want[ref(8, i+5)] = row[7]
		}
	}
	if len(want) < 2 {
		t.Fatalf("%d prices", len(want))
	}
	for _, column := range []int{bomPart, bomUnit} {
		a, err1 := f.GetCellValue(bomSheet, ref(column, 2), raw)
		b, err2 := f.GetCellValue(bomSheet, ref(column, 3), raw)
		if a == b {
			t.Fatalf("both lines have %s", a)
		}
		if err := errors.Join(err1, err2, f.SetCellValue(bomSheet, ref(column, 2), b),
			f.SetCellValue(bomSheet, ref(column, 3), a)); err != nil {
			t.Fatal(err)
		}
	}
	for at, price := range want {
		if got, err := f.CalcCellValue(order, at, raw); err != nil || got != price {
			t.Errorf("%s is %s, want %s: %v", at, got, price, err)
		}
	}
}
