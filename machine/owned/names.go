package owned

import (
	"encoding/csv"
	"errors"
	"os"
	"strings"
	"unicode"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
)

// nameColumn has the new names of boxes.
const nameColumn = "name"

// ReadNames reads the column name of the sheet Boxes of a workbook: a table of addresses and names in comma-separated
// values, which has the line of the sheet for every box, and a function that has mistakes in it tell the cells of the
// workbook. The error is a diag.List, or that of reading.
func ReadNames(path string) (table string, onSheet func(error) error, err error) {
	r := &bookReader{Book: Book{path: path}}
	defer func() {
		if p := recover(); p != nil {
			err = diag.List{*diag.Position{File: path}.Errorf("the workbook cannot be read: %v", p)}
		}
	}()
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > mostBookBytes {
		return "", nil, errors.Join(err, diag.List{*diag.Position{File: path}.Errorf("not a workbook")}.Err())
	}
	f, err := excelize.OpenFile(path, excelize.Options{
		UnzipSizeLimit: mostBookUnzipped, UnzipXMLSizeLimit: mostSheetInRAM, RawCellValue: true,
	})
	if err != nil {
		return "", nil, diag.List{*diag.Position{File: path}.Errorf("the workbook cannot be read: %v", err)}
	}
	defer f.Close()
	r.f = f
	t, end := r.sheet(BoxesSheet, []string{"address", nameColumn}, boxReads...)
	if t == nil {
		return "", nil, r.found.Err()
	}
	defer end()
	var b strings.Builder
	out := csv.NewWriter(&b)
	_ = out.Write([]string{"address", nameColumn})
	lines := 1
	for t.next() {
		name := t.get(nameColumn)
		switch {
		case strings.ContainsFunc(name+t.get("address"), unicode.IsControl):
			t.fail(nameColumn, "a name or address with a control character")
			continue
		case name == "" || name == t.get("label"): // the box stays what it is
			continue
		}
		out.Flush()
		for ; lines < t.place(0).Line-1; lines++ { // of boxes that keep their names
			b.WriteString("\n")
		}
		_ = out.Write([]string{t.get("address"), name})
		lines++
	}
	out.Flush()
	column := t.at[nameColumn] + 1
	return b.String(), func(err error) error {
		var found diag.List
		if errors.As(err, &found) {
			for i := range found {
				found[i].Pos = diag.Position{File: path, Sheet: BoxesSheet, Line: found[i].Pos.Line, Column: column}
			}
			return found
		}
		return err
	}, r.found.Err()
}
