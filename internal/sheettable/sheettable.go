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

// Limits of a workbook.
const (
	mostUnzipped   = 512 << 20 // bytes that it unpacks to
	mostSheetInRAM = 32 << 20  // a sheet that unpacks to more is read from a temporary file
	mostSheetRows  = 1 << 20   // as spreadsheets have them
)

// IsBook reports whether a file that begins so is a workbook.
func IsBook(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// Book is an open workbook.
type Book struct {
	path string
	f    *excelize.File
}

// Read opens a workbook, which messages call by its path, and hands it to use. The error is a diag.List where it cannot
// be read, else that of use.
func Read(path string, r io.Reader, use func(b *Book) error) (err error) {
	b := &Book{path: path}
	// The library reads hostile files beyond its care in places.
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

// Errorf makes a mistake about the whole workbook, a diag.List. What the message has after a line break is the
// suggestion.
func (b *Book) Errorf(format string, args ...any) error {
	return diag.List{*diag.Position{File: b.path}.Errorf(format, args...)}
}

// Sheets are the names of the sheets, in their order.
func (b *Book) Sheets() []string { return b.f.GetSheetList() }

// Rows begins the table of a sheet. The error is a diag.List.
func (b *Book) Rows(sheet string) (*Rows, error) {
	in, err := b.f.Rows(sheet)
	if err != nil {
		return nil, diag.List{*diag.Position{File: b.path}.Errorf("sheet %s: %v", sheet, err)}
	}
	return &Rows{in: in, path: b.path, sheet: sheet}, nil
}

// Rows are those of a sheet.
type Rows struct {
	in          *excelize.Rows
	path, sheet string
	line        int // of the row that was read last, from 1
}

// Close ends the reading of a sheet.
func (r *Rows) Close() { r.in.Close() }

// Place is the cell of a field, counted from 0, in the row that was read last.
func (r *Rows) Place(field int) diag.Position {
	return diag.Position{File: r.path, Sheet: r.sheet, Line: max(r.line, 1), Column: max(field, 0) + 1}
}

// Read reads a row, without the empty cells at its end: values as they are, not as they are shown. The error is io.EOF
// behind the last row, else a *diag.Diagnostic with its place.
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

// Header reads up to the row that names the columns, the first under at most csvtable.MostTitles others whose names is
// takes, and returns that row. Where there is none, ok is false, the row is the first that is not empty, and the place
// is the first row. The error is io.EOF for an empty sheet, else as that of Read.
func (r *Rows) Header(is func(heads []string) bool) (row []string, ok bool, err error) {
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
		if is(heads) {
			return row, true, nil
		}
		if strings.Join(heads, "") != "" {
			titles++
			if first == nil {
				first = row
			}
		}
	}
	r.line = 1
	return first, false, nil
}
