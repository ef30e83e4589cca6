package exchange

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// Limits that keep a hostile or broken workbook from taking memory and time.
const (
	mostUnzipped   = 512 << 20
	mostSheetInRAM = 32 << 20 // a sheet that unpacks to more is read from a temporary file
	mostSheetRows  = 1 << 20  // as spreadsheets have them
)

// cableSheets names the sheets of a plan's workbook that list cables.
var cableSheets = regexp.MustCompile(`^Cables( \d+)?$`)

func isBook(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// ReadCableBook reads a workbook (.xlsx) whose sheets Cables, Cables 2 and so on, or whose only sheet, is a table as
// ReadCables reads it: that of a plan, as it was filled in on the floor.
func ReadCableBook(path string, r io.Reader) (w *Wiring, err error) {
	wrong := func(format string, args ...any) error {
		return diag.List{*diag.Position{File: path}.Errorf(format, args...)}
	}
	// The library reads hostile files beyond its care in places.
	defer func() {
		if p := recover(); p != nil {
			w, err = nil, wrong("the workbook cannot be read: %v", p)
		}
	}()
	f, err := excelize.OpenReader(r, excelize.Options{
		UnzipSizeLimit: mostUnzipped, UnzipXMLSizeLimit: mostSheetInRAM, RawCellValue: true,
	})
	if err != nil {
		return nil, wrong("the workbook cannot be read: %v\nsave it as .xlsx", err)
	}
	defer f.Close()
	all := f.GetSheetList()
	sheets := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !cableSheets.MatchString(name) })
	if len(sheets) == 0 {
		if len(all) != 1 {
			return nil, wrong("there is no sheet Cables\n%s", diag.Suggest("Cables", all, "there are "))
		}
		sheets = all
	}
	b := newBuilder()
	for _, sheet := range sheets {
		if err := b.sheet(f, path, sheet); err != nil {
			return nil, err
		}
	}
	return b.w, nil
}

// sheet adds the cables of a sheet.
func (b *builder) sheet(f *excelize.File, path, sheet string) error {
	at := diag.Position{File: path, Sheet: sheet, Column: 1}
	rows, err := f.Rows(sheet)
	if err != nil {
		return diag.List{*diag.Position{File: path}.Errorf("sheet %s: %v", sheet, err)}
	}
	defer rows.Close()
	return b.cables(cableRows{
		next: func() ([]string, error) {
			if !rows.Next() {
				if err := rows.Error(); err != nil {
					return nil, diag.List{*at.Errorf("%v", err)}
				}
				if at.Line == 0 {
					at.Line = 1
					return nil, nil // so that the columns are missed
				}
				return nil, io.EOF
			}
			at.Line++
			cells, err := rows.Columns()
			switch {
			case err != nil:
			case at.Line > mostSheetRows:
				err = fmt.Errorf("more than %d rows", mostSheetRows)
			case len(cells) > csvtable.MostColumns:
				err = fmt.Errorf("more than %d columns", csvtable.MostColumns)
			}
			if err != nil {
				return nil, diag.List{*at.Errorf("%v", err)}
			}
			return cells, nil
		},
		place: func() diag.Position { return at },
	})
}
