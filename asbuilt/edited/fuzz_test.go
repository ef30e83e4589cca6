package edited

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/owned"
)

// bare is a workbook of nothing but sheets, not compressed, so that the reader has little to do besides them.
func bare(t testing.TB, sheets ...[]byte) []byte {
	t.Helper()
	const head = `<?xml version="1.0" encoding="UTF-8"?>`
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	const packages = "http://schemas.openxmlformats.org/package/2006/"
	names := []string{owned.PartsSheet, owned.BoxesSheet, racksSheet}
	var listed, related strings.Builder
	for i := range sheets {
		fmt.Fprintf(&listed, `<sheet name="%s" sheetId="%d" r:id="r%[2]d"/>`, names[i], i+1)
		fmt.Fprintf(&related, `<Relationship Id="r%d" Type="%s/worksheet" Target="worksheets/sheet%[1]d.xml"/>`, i+1,
			office)
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	add := func(name string, text []byte) {
		w, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("[Content_Types].xml", []byte(head+`<Types xmlns="`+packages+`content-types"/>`))
	add("_rels/.rels", []byte(head+`<Relationships xmlns="`+packages+`relationships"><Relationship Id="r1" Type="`+
		office+`/officeDocument" Target="xl/workbook.xml"/></Relationships>`))
	add("xl/workbook.xml", []byte(head+`<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" `+
		`xmlns:r="`+office+`"><sheets>`+listed.String()+`</sheets></workbook>`))
	add("xl/_rels/workbook.xml.rels",
		[]byte(head+`<Relationships xmlns="`+packages+`relationships">`+related.String()+`</Relationships>`))
	for i, s := range sheets {
		add(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), s)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// plain is a sheet of a workbook, its texts in their cells.
func plain(t testing.TB, text []byte, sheet string) []byte {
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
	var b bytes.Buffer
	b.WriteString(`<worksheet><sheetData>`)
	for i, row := range rows {
		fmt.Fprintf(&b, `<row r="%d">`, i+1)
		for j, c := range row {
			if c == "" {
				continue
			}
			at, nameErr := excelize.CoordinatesToCellName(j+1, i+1)
			fmt.Fprintf(&b, `<c r="%s" t="str"><v>`, at)
			if err := errors.Join(nameErr, xml.EscapeText(&b, []byte(c))); err != nil {
				t.Fatal(err)
			}
			b.WriteString(`</v></c>`)
		}
		b.WriteString(`</row>`)
	}
	b.WriteString(`</sheetData></worksheet>`)
	return b.Bytes()
}

// mostFuzzed is the most bytes of a sheet that is fuzzed: what is larger is no other case, but slow.
const mostFuzzed = 1 << 16

// FuzzRead reads any sheets as those of an edited workbook: they are refused, or their edits can be taken and saved.
func FuzzRead(f *testing.F) {
	source := Source{"m.yaml", []byte("topology: {family: torus, dims: [4]}\nroom: {rows: 1, racks_per_row: 2}\n")}
	s, err := machine.Parse(source.Name, source.Text)
	if err != nil {
		f.Fatal(err)
	}
	r := planned(f, s)
	text := bookOf(f, r)
	parts, boxes := plain(f, text, owned.PartsSheet), plain(f, text, owned.BoxesSheet)
	racks := plain(f, text, racksSheet)
	if e, err := readIn(r, "bare.xlsx", bare(f, parts, boxes, racks), mostUnzipped); err != nil || len(e.Changes) > 0 {
		f.Fatal(e, err)
	}
	f.Add(parts, boxes, racks)
	f.Add(parts, bytes.Replace(boxes, []byte(`r="3"`), []byte(`r="1048577"`), 1), racks)
	f.Fuzz(func(t *testing.T, parts, boxes, racks []byte) {
		if max(len(parts), len(boxes), len(racks)) > mostFuzzed {
			return
		}
		e, err := readIn(r, "fuzz.xlsx", bare(t, parts, boxes, racks), 4<<20)
		if (e == nil) == (err == nil) {
			t.Fatalf("%v, %v", e, err)
		}
		if e == nil {
			return
		}
		own := *s
		if err := e.Apply(&own); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Save("saved.yaml", source); err != nil {
			t.Fatal(err)
		}
	})
}
