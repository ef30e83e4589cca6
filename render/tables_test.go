package render

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

var someTable = Table{
	Name: "Front", Columns: []string{"family", "nodes", "cost", "better"},
	Rows: [][]any{
		{"torus", int64(4096), 2420550.5, nil},
		{"=1+1", int64(64), 0.25, "a, b"},
	},
	Notes: []string{"A cable has no price."},
}

func TestTables(t *testing.T) {
	var b, again bytes.Buffer
	tables := []Table{someTable, {Name: "Fallen", Columns: []string{"family"}}}
	if err := Tables(t.Context(), &b, "Search", tables); err != nil {
		t.Fatal(err)
	}
	if err := Tables(t.Context(), &again, "Search", tables); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("a workbook differs from itself", err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"Front", "Fallen"}, f.GetSheetList()); d != "" {
		t.Error(d)
	}
	for at, want := range map[string]string{
		"A1": "family", "A2": "torus", "B2": "4,096", "C2": "2,420,551", "A3": "=1+1", "C3": "0.250", "D2": "",
		"D3": "a, b", "A5": "A cable has no price.",
	} {
		if got, err := f.GetCellValue("Front", at); err != nil || got != want {
			t.Errorf("%s is %q, not %q (%v)", at, got, want, err)
		}
	}
	if formula, err := f.GetCellFormula("Front", "A3"); err != nil || formula != "" {
		t.Errorf("a text is the formula %q (%v)", formula, err)
	}
	if err := Tables(t.Context(), &b, "Search", []Table{{Name: "x", Rows: [][]any{{true}}}}); err == nil {
		t.Error("a table takes a value of another type")
	}
}

func TestTableCSV(t *testing.T) {
	var b bytes.Buffer
	if err := TableCSV(t.Context(), &b, someTable); err != nil {
		t.Fatal(err)
	}
	want := "family,nodes,cost,better\r\ntorus,4096,2420550.5,\r\n'=1+1,64,0.25,\"a, b\"\r\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	if err := TableCSV(t.Context(), &b, Table{Columns: []string{"a", "b"}, Rows: [][]any{{"a"}}}); err == nil {
		t.Error("a row of one value is taken for two columns")
	}
}
