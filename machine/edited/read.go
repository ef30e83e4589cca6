package edited

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
)

// Limits that keep a hostile or broken workbook from taking memory and time.
const (
	mostBytes    = 256 << 20 // of the file
	mostUnzipped = 512 << 20
	mostInRAM    = 32 << 20
	mostRows     = 1 << 20 // of a sheet, as spreadsheets have them
	mostMore     = 1 << 16 // rows of a sheet beyond those that it was planned with
	mostColumns  = 256
	mostText     = 32767
)

// ownedColumn marks what exists, where a person has added it.
const ownedColumn = "owned"

// sheet is a sheet of the workbook: its rows under a head.
type sheet struct {
	file, name string
	at         map[string]int // columns by their names, in small letters
	rows       [][]string     // without the head
}

// where is the place of a cell: row -1 is the head.
func (s *sheet) where(row int, column string) diag.Position {
	return diag.Position{File: s.file, Sheet: s.name, Line: row + 2, Column: s.at[column] + 1}
}

// get is the text of a cell.
func (s *sheet) get(row int, column string) string {
	i, ok := s.at[column]
	if cells := s.rows[row]; ok && i < len(cells) {
		return strings.TrimSpace(cells[i])
	}
	return ""
}

// has tells whether the sheet has a column.
func (s *sheet) has(column string) bool { _, ok := s.at[column]; return ok }

// book is an open workbook.
type book struct {
	path  string
	f     *excelize.File
	found *diag.List
	most  int // rows of a sheet
}

// open opens a workbook of at most so many bytes unpacked.
func open(path string, in io.Reader, most int64, found *diag.List) (*book, error) {
	f, err := excelize.OpenReader(in, excelize.Options{
		UnzipSizeLimit: most, UnzipXMLSizeLimit: min(most, mostInRAM), RawCellValue: true,
	})
	if err != nil {
		return nil, diag.List{*diag.Position{File: path}.Errorf("the workbook cannot be read: %v\n"+
			"save it as .xlsx", err)}
	}
	return &book{path: path, f: f, found: found, most: mostRows}, nil
}

// regular opens a regular file.
func regular(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is not a regular file", path), f.Close())
	}
	return f, nil
}

// sheet reads a sheet: at most so many rows with its head, all of them when 0. It is nil where it cannot be read.
func (b *book) sheet(name string, most int, needed ...string) *sheet {
	if all := b.f.GetSheetList(); !slices.Contains(all, name) {
		b.found.Addf(diag.Position{File: b.path}, "there is no sheet %s\n%s", name,
			diag.Suggest(name, all, "there are "))
		return nil
	}
	rows, ok := b.lines(name, most)
	if !ok {
		return nil
	}
	s := &sheet{file: b.path, name: name, at: map[string]int{}}
	if len(rows) > 0 {
		s.rows = rows[1:]
		for i, c := range rows[0] {
			c = strings.ToLower(strings.TrimSpace(c))
			if _, twice := s.at[c]; twice && c != "" {
				b.found.Addf(diag.Position{File: b.path, Sheet: name, Line: 1, Column: i + 1},
					"the column %q comes twice", c)
			}
			s.at[c] = i
		}
	}
	for len(s.rows) > 0 && len(s.rows[len(s.rows)-1]) == 0 {
		s.rows = s.rows[:len(s.rows)-1]
	}
	for _, c := range needed {
		if !s.has(c) {
			b.found.Addf(diag.Position{File: b.path, Sheet: name, Line: 1, Column: 1},
				"there is no column %q\nleave the heads of the columns as they are", c)
			return nil
		}
	}
	return s
}

// lines are the rows of a sheet, at most so many, all of them when 0; not ok where they cannot be read.
func (b *book) lines(name string, most int) (all [][]string, ok bool) {
	at := diag.Position{File: b.path}
	rows, err := b.f.Rows(name)
	if err != nil {
		b.found.Addf(at, "sheet %s: %v", name, err)
		return nil, false
	}
	defer rows.Close()
	for line := 0; (most == 0 || line < most) && rows.Next(); line++ {
		if line >= b.most { // a row may be numbered beyond any sheet, and the library counts up to it
			b.found.Addf(at, "sheet %s: more than %d rows", name, b.most)
			return nil, false
		}
		cells, err := rows.Columns()
		switch {
		case err != nil:
			b.found.Addf(at, "sheet %s, row %d: %v", name, line+1, err)
			return nil, false
		case len(cells) > mostColumns:
			b.found.Addf(at, "sheet %s, row %d: more than %d columns", name, line+1, mostColumns)
			return nil, false
		case slices.ContainsFunc(cells, func(c string) bool { return len(c) > mostText }):
			b.found.Addf(at, "sheet %s, row %d: a text of more than %d bytes", name, line+1, mostText)
			return nil, false
		}
		all = append(all, cells)
	}
	if err := rows.Error(); err != nil {
		b.found.Addf(at, "sheet %s: %v", name, err)
		return nil, false
	}
	return all, true
}

// same tells whether a cell has the text that the plan has, or the same number.
func same(cell, planned string) bool {
	if cell == planned {
		return true
	}
	a, errA := strconv.ParseFloat(cell, 64)
	b, errB := strconv.ParseFloat(planned, 64)
	return errA == nil && errB == nil && a == b
}

// clip shortens a text for a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}
