package exchange

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/internal/sheettable"
)

// cableSheets and listSheets name the sheets of a plan's workbook that list cables: as they are planned, and for people
// who lay them.
var (
	cableSheets = lazyregexp.New(`^Cables( \d+)?$`)
	listSheets  = lazyregexp.New(`^Cable list( \d+)?$`)
)

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

// ReadCableBook reads a workbook (.xlsx): its sheets Cables, Cables 2 and so on as ReadCables reads tables, that of a
// plan, as it was filled in on the floor; in their place the sheet Cable list, once a cable is marked as done there,
// and a note says so; or else all sheets that have the columns of such a table, of a point-to-point
// sheet (ReadPointToPoint), of an SHCD (ReadSHCD), of AVD (ReadAVD) or of devices or racks of NetBox
// (ReadNetBoxPlaces).
func ReadCableBook(path string, r io.Reader) (*Wiring, error) {
	b := newBuilder()
	err := sheettable.Read(path, r, func(book *sheettable.Book) error {
		all := book.Sheets()
		sheets := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !cableSheets.MatchString(s) })
		ours := len(sheets) > 0
		lists := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !listSheets.MatchString(s) })
		if ours && slices.ContainsFunc(lists, func(s string) bool { return hasMarks(book, s) }) {
			sheets = lists
			b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s: cables are marked as done on the sheet %s, which is "+
				"read in place of the sheet Cables", filepath.Base(path), lists[0]))
		} else if !ours {
			sheets = all
		}
		read := 0
		for _, sheet := range sheets {
			is, err := b.sheet(book, sheet, ours || len(all) == 1)
			if err != nil {
				return err
			}
			if is {
				read++
			}
		}
		if read == 0 {
			return book.Errorf("there is no sheet Cables, and none with the columns of a table of cables\n%s",
				diag.Suggest("Cables", all, "there are "))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// hasMarks reports whether a table of cables says of any of them that it is laid.
func hasMarks(book *sheettable.Book, sheet string) bool {
	in, err := book.Rows(sheet)
	if err != nil {
		return false
	}
	defer in.Close()
	heads, _, err := in.Header(isCableHead)
	if err != nil {
		return false
	}
	columns := csvtable.DoneColumns(csvtable.Heads(heads))
	for {
		row, err := in.Read()
		if err != nil {
			return false
		}
		for _, at := range columns {
			if at < len(row) {
				if done, known := csvtable.Mark(row[at]); done && known {
					return true
				}
			}
		}
	}
}

// sheet reads a sheet, and reports whether it has a table of a form that is known. One that must have it is read as a
// table of cables otherwise.
func (b *builder) sheet(book *sheettable.Book, sheet string, must bool) (bool, error) {
	in, err := book.Rows(sheet)
	if err != nil {
		return false, err
	}
	defer in.Close()
	read := (*builder).cables
	found := false
	t := &rows{read: in.Read, place: in.Place}
	t.header = func(is func(heads []string) bool) ([]string, error) {
		row, _, err := in.Header(is)
		return csvtable.Heads(row), err
	}
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
