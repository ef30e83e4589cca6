package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// Limits that keep a hostile or broken workbook from taking memory and time.
const (
	mostUnzipped   = 512 << 20
	mostSheetInRAM = 32 << 20 // a sheet that unpacks to more is read from a temporary file
	mostSheetRows  = 1 << 20  // as spreadsheets have them
)

// cableSheets names the sheets of a plan's workbook that list cables.
var cableSheets = lazyregexp.New(`^Cables( \d+)?$`)

// tableForms are the tables that a sheet may have.
var tableForms = []struct {
	is   func(heads []string) bool
	read func(b *builder, t *rows, heads []string) error
}{
	{isCableHead, (*builder).cables},
	{isPointToPoint, (*builder).pointToPoint},
	{isSHCD, (*builder).shcd},
	{isAVD, (*builder).avd},
	{isNetBoxPlace, (*builder).netboxPlaces},
}

func isBook(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// ReadCableBook reads a workbook (.xlsx): its sheets Cables, Cables 2 and so on as ReadCables reads tables, that of a
// plan, as it was filled in on the floor; or else all sheets that have the columns of such a table, of a point-to-point
// sheet (ReadPointToPoint), of an SHCD (ReadSHCD), of AVD (ReadAVD) or of devices or racks of NetBox
// (ReadNetBoxPlaces).
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
	ours := slices.ContainsFunc(all, cableSheets.MatchString)
	b, read := newBuilder(), 0
	for _, sheet := range all {
		if ours && !cableSheets.MatchString(sheet) {
			continue
		}
		is, err := b.sheet(f, path, sheet, ours || len(all) == 1)
		if err != nil {
			return nil, err
		}
		if is {
			read++
		}
	}
	if read == 0 {
		return nil, wrong("there is no sheet Cables, and none with the columns of a table of cables\n%s",
			diag.Suggest("Cables", all, "there are "))
	}
	return b.finish(), nil
}

// sheet reads a sheet, and reports whether it has a table of a form that is known. One that must have it is read as a
// table of cables otherwise.
func (b *builder) sheet(f *excelize.File, path, sheet string, must bool) (bool, error) {
	t, rows, err := sheetRows(f, path, sheet)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	read := (*builder).cables
	found := false
	heads, err := t.heading(func(heads []string) bool {
		for _, form := range tableForms {
			if form.is(heads) {
				read, found = form.read, true
				return true
			}
		}
		return false
	})
	if !found && !must {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, read(b, t, heads)
}

// sheetRows begins the table of a sheet.
func sheetRows(f *excelize.File, path, sheet string) (*rows, *excelize.Rows, error) {
	in, err := f.Rows(sheet)
	if err != nil {
		return nil, nil, diag.List{*diag.Position{File: path}.Errorf("sheet %s: %v", sheet, err)}
	}
	line := 0
	t := &rows{}
	t.place = func(field int) diag.Position {
		return diag.Position{File: path, Sheet: sheet, Line: max(line, 1), Column: max(field, 0) + 1}
	}
	t.read = func() ([]string, error) {
		if !in.Next() {
			if err := in.Error(); err != nil {
				return nil, t.place(0).Errorf("%v", err)
			}
			return nil, io.EOF
		}
		line++
		cells, err := in.Columns()
		switch {
		case err != nil:
		case line > mostSheetRows:
			err = fmt.Errorf("more than %d rows", mostSheetRows)
		case len(cells) > csvtable.MostColumns:
			err = fmt.Errorf("more than %d columns", csvtable.MostColumns)
		}
		if err != nil {
			return nil, t.place(0).Errorf("%v", err)
		}
		return cells, nil
	}
	t.header = func(is func(heads []string) bool) ([]string, error) {
		var first []string
		for titles := 0; titles <= csvtable.MostTitles; {
			row, err := t.read()
			if err != nil {
				if first != nil && errors.Is(err, io.EOF) {
					break
				}
				return nil, err
			}
			heads := csvtable.Heads(row)
			if is(heads) {
				return heads, nil
			}
			if strings.Join(heads, "") != "" {
				titles++
			}
			if first == nil {
				first = heads
			}
		}
		line = 1
		return first, nil
	}
	return t, in, nil
}
