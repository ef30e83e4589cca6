package exchange

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// rows reads a table of a text or of a sheet, row by row, and collects its mistakes.
type rows struct {
	// read is the next row, io.EOF behind the last. It is good until the next is read.
	read func() ([]string, error)
	// place is where a field of the row at hand stands.
	place func(field int) diag.Position
	// header goes to the row that names the columns.
	header func(is func(heads []string) bool) ([]string, error)
	row    []string
	found  diag.List
}

// newRows begins a table whose fields are divided by a comma, or by another sign.
func newRows(path string, r io.Reader, comma rune) *rows {
	in := csvtable.NewReader(path, r)
	in.ReuseRecord, in.Comma = true, comma
	t := &rows{read: in.Read, header: in.Header}
	t.place = func(field int) diag.Position { return in.Place(t.row, field) }
	return t
}

// heading goes to the row that names the columns, as csvtable.Find finds it, and returns their names.
func (t *rows) heading(is func(heads []string) bool) ([]string, error) {
	heads, err := t.header(is)
	t.row = heads
	if errors.Is(err, io.EOF) {
		t.wrong("the table is empty", "its first row names the columns")
		return nil, t.found
	}
	return heads, diag.AsList(err)
}

// next goes to the next row; there is none after the last, nor after a text that is not a table.
func (t *rows) next() (bool, error) {
	if len(t.found) >= diag.Most {
		return false, nil
	}
	var err error
	t.row, err = t.read()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, diag.AsList(err)
	}
	return true, nil
}

// line is where the row at hand stands, the first where there is none.
func (t *rows) line() int { return max(1, t.place(0).Line) }

// field is a field of the row, without blanks around it and what guards it against formulas; "" where there is none.
func (t *rows) field(i int) string {
	if i < 0 || i >= len(t.row) {
		return ""
	}
	return strings.TrimSpace(csvtable.Unguard(t.row[i]))
}

// wrong is a mistake in the row at hand.
func (t *rows) wrong(message, suggestion string) { t.wrongAt(0, message, suggestion) }

// wrongAt is a mistake in a field of the row at hand.
func (t *rows) wrongAt(field int, message, suggestion string) {
	t.found = append(t.found, diag.Diagnostic{Pos: t.place(field), Message: message, Suggestion: suggestion})
}

// ends checks that both ends of a link are named in full; a row that names none is not a link.
func (t *rows) ends(fields ...string) bool {
	empty := 0
	for _, f := range fields {
		if f == "" {
			empty++
		}
	}
	if empty > 0 && empty < len(fields) {
		t.wrong("one end of the link is not named in full", "name box and port of both ends")
	}
	return empty == 0
}

// columnNumbers returns the number of each column that is asked for, in order, -1 for one that there is not.
func columnNumbers(heads []string, names ...string) []int {
	out := make([]int, len(names))
	for i, name := range names {
		out[i] = -1
		for k, head := range heads {
			if head == name && out[i] < 0 {
				out[i] = k
			}
		}
	}
	return out
}

// columns finds columns that there must be.
func (t *rows) columns(heads []string, names ...string) ([]int, error) {
	at := columnNumbers(heads, names...)
	for i, k := range at {
		if k < 0 {
			t.wrong(fmt.Sprintf("there is no column %s", names[i]), diag.Suggest(names[i], heads, "they are "))
		}
	}
	return at, t.found.Err()
}
