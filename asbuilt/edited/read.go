package edited

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// Limits that keep a hostile or broken workbook from taking memory and time.
const (
	mostBytes    = 256 << 20 // of the file
	mostUnzipped = 512 << 20
	mostInRAM    = 32 << 20
	mostRows     = 1 << 20 // of a sheet, as spreadsheets have them
	mostMore     = 1 << 16 // rows of a sheet beyond those that it was planned with
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

// has reports whether the sheet has a column.
func (s *sheet) has(column string) bool { _, ok := s.at[column]; return ok }

// book is an open workbook.
type book struct {
	path  string
	f     *excelize.File
	found *diag.List
	most  int // rows of a sheet
}

// options are those of reading a workbook of at most so many bytes unpacked.
func options(most int64) excelize.Options {
	return excelize.Options{UnzipSizeLimit: most, UnzipXMLSizeLimit: min(most, mostInRAM), RawCellValue: true}
}

// fits refuses a path that is not a regular file of at most so many bytes.
func fits(path string, most int64) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case info.Size() > most:
		return fmt.Errorf("%s has more than %d MiB, which is too much for a workbook of this plan", path, most>>20)
	}
	return nil
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
	ok = b.each(name, most, func(_ int, cells []string) bool {
		all = append(all, cells)
		return true
	})
	return all, ok
}

// each hands on the rows of a sheet from 0, at most so many, all of them when 0, until take has enough; not ok where
// they cannot be read.
func (b *book) each(name string, most int, take func(line int, cells []string) bool) (ok bool) {
	at := diag.Position{File: b.path}
	rows, err := b.f.Rows(name)
	if err != nil {
		b.found.Addf(at, "sheet %s: %v", name, err)
		return false
	}
	defer rows.Close()
	for line := 0; (most == 0 || line < most) && rows.Next(); line++ {
		if line >= b.most { // a row may be numbered beyond any sheet, and the library counts up to it
			b.found.Addf(at, "sheet %s: more than %d rows", name, b.most)
			return false
		}
		cells, err := rows.Columns()
		switch {
		case err != nil:
			b.found.Addf(at, "sheet %s, row %d: %v", name, line+1, err)
			return false
		case len(cells) > csvtable.MostColumns:
			b.found.Addf(at, "sheet %s, row %d: more than %d columns", name, line+1, csvtable.MostColumns)
			return false
		case slices.ContainsFunc(cells, func(c string) bool { return len(c) > mostText }):
			b.found.Addf(at, "sheet %s, row %d: a text of more than %d bytes", name, line+1, mostText)
			return false
		}
		if !take(line, cells) {
			return true
		}
	}
	if err := rows.Error(); err != nil {
		b.found.Addf(at, "sheet %s: %v", name, err)
		return false
	}
	return true
}

// same reports whether a cell has the text that the plan has, or the same number.
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
