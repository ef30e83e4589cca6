package owned

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/catalog"
)

// sheets are the rows of a workbook, by sheet.
type sheets map[string][][]any

// plain is a workbook with a switch, two nodes and two cables.
func plain() sheets {
	return sheets{
		BoxesSheet: {
			{"label", "kind", "part", "container", "cell", "unit", "face", "address"},
			{"SW1", "switch", "", "A01", nil, 41, "front", "r0"},
			{"N1", "node", "", "A01", nil, 1, "front", "n0"},
			{"N2", "node", "", "A01", nil, 2, "front", "n1"},
		},
		CablesSheet: {
			{
				"cable_id", "level", "product", "stock_length_m", "a_device", "a_port", "b_device", "b_port", "link",
				"leg",
			},
			{"C1", "terminal", "dac@1 m", 1, "SW1", 1, "N1", "p1", 1, 1},
			{"C2", "terminal", "dac@2.5 m", 2.5, "SW1", 2, "N2", "p1", 2, 1},
		},
		PartsSheet: {
			{"Part", "Kind", "Quantity", "Spares"},
			{"switch-x", "switch", 1, 1},
			{"dac@1 m", "cable", 1, 0},
			{"dac@2.5 m", "cable", 1, 2},
			{"install", "labour", 2, 0},
			{},
			{"Total", "switch", 1, 1},
			{"Grand total", "", "", ""},
			{},
			{"Prices: ours."},
		},
	}
}

// write makes the workbook.
func (s sheets) write(t testing.TB) []byte {
	t.Helper()
	f := excelize.NewFile()
	for name, rows := range s {
		if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			at, err := excelize.CoordinatesToCellName(1, i+1)
			if err == nil {
				err = f.SetSheetRow(name, at, &row)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (s sheets) read(t *testing.T) (*Book, error) {
	t.Helper()
	return readBook("b.xlsx", bytes.NewReader(s.write(t)), mostBookUnzipped)
}

// pieces counts what there is of each part.
func (b *Book) pieces() map[string]int64 {
	out := map[string]int64{}
	for _, p := range b.Parts {
		out[p.Item.String()] += p.Quantity
	}
	return out
}

func TestBook(t *testing.T) {
	b, err := plain().read(t)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Boxes) != 3 || b.Boxes[2].Name != "N2" || b.Boxes[2].Unit != "2" || b.Boxes[2].Pos.Line != 4 {
		t.Errorf("%+v", b.Boxes)
	}
	if len(b.Cables) != 2 || b.Cables[1].Port != [2]string{"2", "p1"} || b.Cables[1].Length != 2.5 {
		t.Errorf("%+v", b.Cables)
	}
	got := b.pieces()
	if got["switch-x"] != 2 || got["dac@1 m"] != 1 || got["dac@2.5 m"] != 3 || len(got) != 3 {
		t.Errorf("%v", got)
	}
}

// TestBookEdited: what was deleted is not there, nor what a column does not mark; of cables those count that are
// listed.
func TestBookEdited(t *testing.T) {
	for _, c := range []struct {
		name   string
		edit   func(s sheets)
		boxes  int
		cables int
		pieces map[string]int64
	}{
		{
			"a cable is gone", func(s sheets) { s[CablesSheet] = s[CablesSheet][:2] }, 3, 1,
			map[string]int64{"dac@2.5 m": 2},
		},
		{"a longer cable lies", func(s sheets) {
			s[CablesSheet][1][2], s[CablesSheet][1][3] = "dac@3 m", 3
		}, 3, 2, map[string]int64{"dac@3 m": 1, "dac@1 m": 0, "dac@2.5 m": 3}},
		{"marked boxes", func(s sheets) {
			for i, mark := range []any{"owned", "yes", "x", "no"} {
				s[BoxesSheet][i] = append(s[BoxesSheet][i], mark)
			}
		}, 2, 1, map[string]int64{"dac@1 m": 1, "dac@2.5 m": 2}},
		{"a leg to a box that is not there", func(s sheets) { // the cable is there for its other leg
			for i, mark := range []any{"owned", "yes", "no", "x"} {
				s[BoxesSheet][i] = append(s[BoxesSheet][i], mark)
			}
			s[CablesSheet][2][0], s[CablesSheet][2][2], s[CablesSheet][2][3] = "C1", "dac@1 m", 1
		}, 2, 1, map[string]int64{"dac@1 m": 1}},
		{"marked cables", func(s sheets) {
			for i, mark := range []any{"Owned", nil, true} {
				s[CablesSheet][i] = append(s[CablesSheet][i], mark)
			}
		}, 3, 1, map[string]int64{"dac@1 m": 0, "dac@2.5 m": 3}},
		{"numbers of parts", func(s sheets) {
			for i, mark := range []any{"owned", 5, 4, "", "no"} {
				s[PartsSheet][i] = append(s[PartsSheet][i], mark)
			}
		}, 3, 2, map[string]int64{"switch-x": 5, "dac@1 m": 4, "dac@2.5 m": 1}},
	} {
		s := plain()
		c.edit(s)
		b, err := s.read(t)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(b.Boxes) != c.boxes || len(b.Cables) != c.cables {
			t.Errorf("%s: %d boxes, %d cables", c.name, len(b.Boxes), len(b.Cables))
		}
		got := b.pieces()
		for part, n := range c.pieces {
			if got[part] != n {
				t.Errorf("%s: %d of %s, want %d", c.name, got[part], part, n)
			}
		}
	}
}

func TestBookFaults(t *testing.T) {
	for want, edit := range map[string]func(s sheets){
		"b.xlsx: there is no sheet Boxes": func(s sheets) { delete(s, BoxesSheet) },
		"b.xlsx:Boxes!A1: there is no column container": func(s sheets) {
			s[BoxesSheet][0][3] = "rack"
		},
		"b.xlsx:Boxes!A4: there are two boxes called \"N1\"": func(s sheets) { s[BoxesSheet][3][0] = "N1" },
		"b.xlsx:Boxes!I2: \"perhaps\" is not a mark; write yes or no": func(s sheets) {
			s[BoxesSheet][0] = append(s[BoxesSheet][0], "owned")
			s[BoxesSheet][1] = append(s[BoxesSheet][1], "perhaps")
		},
		"b.xlsx:Boxes!I1: unknown column \"onwed\"; did you mean \"owned\"?": func(s sheets) {
			s[BoxesSheet][0] = append(s[BoxesSheet][0], "onwed")
		},
		"b.xlsx:Boxes!I1: the column unit comes twice": func(s sheets) {
			s[BoxesSheet][0] = append(s[BoxesSheet][0], "unit")
		},
		"b.xlsx:Cables!G3: there is no box \"N3\" on the sheet Boxes; did you mean": func(s sheets) {
			s[CablesSheet][2][6] = "N3"
		},
		"b.xlsx:Cables!F3: port 1 of SW1 is taken: a cable is plugged into it in Cables!F2": func(s sheets) {
			s[CablesSheet][2][5] = 1
		},
		"b.xlsx:Cables!H2: nothing is named": func(s sheets) { s[CablesSheet][1][7] = "" },
		"b.xlsx:Cables!D2: 3 m, but the product is dac@1 m; write the same length in Cables!C2": func(s sheets) {
			s[CablesSheet][1][3] = 3
		},
		"b.xlsx:Cables!D2: \"long\" is not the length of a cable in metres": func(s sheets) {
			s[CablesSheet][1][3] = "long"
		},
		"b.xlsx:Cables!C2: the product has no length; write dac@1 m": func(s sheets) { s[CablesSheet][1][2] = "dac" },
		"b.xlsx:Cables!I4: the rows of link 1 stand apart": func(s sheets) {
			s[CablesSheet] = append(s[CablesSheet], []any{"C3", "", "dac@1 m", 1, "SW1", 3, "N1", "p2", 1, 1})
		},
		"b.xlsx:Cables!E2: no box and no port: This plan is a summary.": func(s sheets) {
			s[CablesSheet] = append(s[CablesSheet][:1:1], []any{"This plan is a summary."})
		},
		"b.xlsx:BOM!C2: \"many\" is not a number of pieces": func(s sheets) { s[PartsSheet][1][2] = "many" },
		"b.xlsx:BOM!C2: no quantity":                        func(s sheets) { s[PartsSheet][1][2] = nil },
		"b.xlsx:BOM!E3: 0 are fewer than the 1 that lie on the sheet Cables": func(s sheets) {
			s[PartsSheet][0] = append(s[PartsSheet][0], "owned")
			s[PartsSheet][2] = append(s[PartsSheet][2], 0)
		},
		"b.xlsx:Boxes!IW2: more than 256 columns": func(s sheets) {
			s[BoxesSheet][1] = append(s[BoxesSheet][1], make([]any, 300)...)
			s[BoxesSheet][1][280] = "x"
		},
	} {
		s := plain()
		edit(s)
		if _, err := s.read(t); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// TestBookBounds: what unpacks to too much is not unpacked.
func TestBookBounds(t *testing.T) {
	data := plain().write(t)
	if _, err := readBook("b.xlsx", bytes.NewReader(data), 1000); err == nil ||
		!strings.Contains(err.Error(), "limit") {
		t.Error(err)
	}
	if _, err := readBook("b.xlsx", strings.NewReader("no workbook"), mostBookUnzipped); err == nil {
		t.Error("a text is read")
	}
}

// FuzzBook reads hostile sheets: no panic, and either mistakes or boxes, cables and parts that are whole.
func FuzzBook(f *testing.F) {
	data := plain().write(f)
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		f.Fatal(err)
	}
	files := map[string][]byte{}
	for _, z := range archive.File {
		in, err := z.Open()
		if err != nil {
			f.Fatal(err)
		}
		if files[z.Name], err = io.ReadAll(in); err != nil {
			f.Fatal(err)
		}
	}
	for n := 2; n <= 4; n++ { // sheet 1 is empty
		f.Add(n, files[fmt.Sprintf("xl/worksheets/sheet%d.xml", n)])
	}
	f.Add(5, []byte("<sst>"))
	f.Fuzz(func(t *testing.T, n int, sheet []byte) {
		hostile := fmt.Sprintf("xl/worksheets/sheet%d.xml", n)
		if n > 4 {
			hostile = "xl/sharedStrings.xml"
		}
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for name, data := range files {
			if name == hostile {
				data = sheet
			}
			z, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
			if err == nil {
				_, err = z.Write(data)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := readBook("b.xlsx", &out, 1<<20)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "b.xlsx") {
				t.Error(err)
			}
			return
		}
		for _, k := range b.Cables {
			if k.Box[0] == "" || k.Port[1] == "" {
				t.Errorf("%+v", k)
			}
		}
		for _, p := range b.Parts {
			if p.Quantity < 0 || p.Item == (catalog.Item{}) {
				t.Errorf("%+v", p)
			}
		}
	})
}
