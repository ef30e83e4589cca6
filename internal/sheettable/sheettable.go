// Package sheettable reads tables in the sheets of workbooks (.xlsx), row by row, as package csvtable reads them in
// texts: with titles above the names of their columns, and within bounds that keep a hostile or broken file from taking
// memory and time.
package sheettable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// Limits of a workbook, besides csvtable.MostColumns.
const (
	mostUnzipped   = 512 << 20 // bytes of all its files, unpacked
	mostSheetInRAM = 32 << 20  // bytes; a larger sheet is not refused, but read from a temporary file
	mostSheetRows  = 1 << 20   // of each sheet, the limit of spreadsheets
)

// IsBook reports whether head, the first bytes of a file, begins a zip archive, which every workbook is.
func IsBook(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// Book is an open workbook.
type Book struct {
	path string
	f    *excelize.File
}

// Read opens the workbook in r, calls use with it and closes it; use must not keep it. Messages name the workbook by
// path, which Read does not open. The error is a diag.List if the workbook cannot be read, else the error of use. A
// panic in use also becomes a diag.List, since the library can panic wherever it reads a hostile file.
func Read(path string, r io.Reader, use func(b *Book) error) (err error) {
	b := &Book{path: path}
	// The library panics on some broken or hostile files.
	defer func() {
		if p := recover(); p != nil {
			err = b.Errorf("the workbook cannot be read: %v", p)
		}
	}()
	f, err := excelize.OpenReader(r, excelize.Options{
		UnzipSizeLimit: mostUnzipped, UnzipXMLSizeLimit: mostSheetInRAM, RawCellValue: true,
	})
	if err != nil {
		return b.Errorf("the workbook cannot be read: %v\nsave it as .xlsx", err)
	}
	defer f.Close()
	b.f = f
	return use(b)
}

// Errorf returns a diag.List with one mistake, about the whole workbook. The text after a line break in the message is
// the suggestion.
func (b *Book) Errorf(format string, args ...any) error {
	return diag.List{*diag.Position{File: b.path}.Errorf(format, args...)}
}

// Sheets returns the names of the sheets in the order of the workbook.
func (b *Book) Sheets() []string { return b.f.GetSheetList() }

// Rows begins to read the table of a sheet; the caller closes it. The error is a diag.List, such as for a sheet that
// does not exist or is a chart.
func (b *Book) Rows(sheet string) (*Rows, error) {
	in, err := b.f.Rows(sheet)
	if err != nil {
		return nil, diag.List{*diag.Position{File: b.path}.Errorf("sheet %s: %v", sheet, err)}
	}
	return &Rows{in: in, path: b.path, sheet: sheet}, nil
}

// Rows reads the rows of a sheet one after the other.
type Rows struct {
	in          *excelize.Rows
	path, sheet string
	line        int // of the row that was read last, from 1
}

// Close ends the reading of a sheet.
func (r *Rows) Close() { r.in.Close() }

// Place returns the position of a field, counted from 0, in the row that was read last. If Header has just returned
// without ok, that is the first row of the sheet.
func (r *Rows) Place(field int) diag.Position {
	return diag.Position{File: r.path, Sheet: r.sheet, Line: max(r.line, 1), Column: max(field, 0) + 1}
}

// Read returns the next row without the empty cells at its end, so that an empty row has length 0. Values are as
// stored, without number formats: 0.5 for a cell that shows 50%. The error is io.EOF after the last row, else a
// *diag.Diagnostic with its place.
func (r *Rows) Read() ([]string, error) {
	if !r.in.Next() {
		if err := r.in.Error(); err != nil {
			return nil, r.Place(0).Errorf("%v", err)
		}
		return nil, io.EOF
	}
	r.line++
	cells, err := r.in.Columns()
	switch {
	case err != nil:
	case r.line > mostSheetRows:
		err = fmt.Errorf("more than %d rows", mostSheetRows)
	case len(cells) > csvtable.MostColumns:
		err = fmt.Errorf("more than %d columns", csvtable.MostColumns)
	}
	if err != nil {
		return nil, r.Place(0).Errorf("%v", err)
	}
	return cells, nil
}

// Header reads up to the row that names the columns and returns it: the first row for whose names, in the form of
// csvtable.Heads, accepts returns true. At most csvtable.MostTitles rows may be above it, empty rows not counted.
//
// If there is no such row, ok is false and Header returns the first row that is not empty. Place then returns positions
// in the first row of the sheet. A later Read continues after the rows that Header has looked at, but Place counts from
// the first row again. The error is io.EOF for a sheet with empty rows only, else the error of Read.
func (r *Rows) Header(accepts func(heads []string) bool) (row []string, ok bool, err error) {
	var first []string
	for titles := 0; titles <= csvtable.MostTitles; {
		row, err := r.Read()
		if err != nil {
			if first != nil && errors.Is(err, io.EOF) {
				break
			}
			return nil, false, err
		}
		heads := csvtable.Heads(row)
		if accepts(heads) {
			return row, true, nil
		}
		if strings.Join(heads, "") != "" {
			titles++
			if first == nil {
				first = row
			}
		}
	}
	r.line = 1 // messages about a missing header point to the top of the sheet
	return first, false, nil
}
