package render

import (
	"bytes"
	"image/png"
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
	if err := Tables(&b, "Search", tables); err != nil {
		t.Fatal(err)
	}
	if err := Tables(&again, "Search", tables); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
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
	if err := Tables(&b, "Search", []Table{{Name: "x", Rows: [][]any{{true}}}}); err == nil {
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

func TestTrade(t *testing.T) {
	chart := TradeChart{
		Title: "Search", X: "cost (USD)", Y: "mean delay (ns)", Note: "two machines",
		Best: []TradePoint{
			{Group: "torus", Label: "1 torus", X: 100, Y: 900}, {Group: "clex", Label: "2 clex", X: 400, Y: 300},
		},
		Beaten:  []TradePoint{{Group: "torus", X: 120, Y: 950}},
		Bounded: []TradePoint{{Group: "hyperx", X: 300, Y: 1000}, {Group: "moore", X: 4000, Y: 1000}},
	}
	far := chart
	far.within()
	if len(far.Bounded) != 1 || far.Note != "two machines; 1 farther away not drawn" {
		t.Errorf("what is far away stays: %+v", far)
	}
	drawn := func(c TradeChart) map[[3]uint32]int {
		var b bytes.Buffer
		if err := Trade(&b, c); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		n := map[[3]uint32]int{}
		for y := img.Bounds().Min.Y; y < 840; y++ { // above the legend
			for x := range img.Bounds().Max.X {
				r, g, b, _ := img.At(x, y).RGBA()
				n[[3]uint32{r >> 8, g >> 8, b >> 8}]++
			}
		}
		return n
	}
	n := drawn(chart)
	for i, least := range []int{250, 200, 5} { // a large and a small disc, a large one, a ring
		c := colour(i)
		if got := n[[3]uint32{uint32(c.R), uint32(c.G), uint32(c.B)}]; got < least {
			t.Errorf("group %d has %d pixels, not %d", i, got, least)
		}
	}
	if n := drawn(TradeChart{Title: "Search", X: "x", Y: "y"}); len(n) < 2 {
		t.Error("an empty chart says nothing")
	}
}
