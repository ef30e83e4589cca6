package exchange

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// rows reads a table of a text, row by row, and collects its mistakes.
type rows struct {
	in    *csvtable.Reader
	path  string
	row   []string
	found diag.List
}

// newRows begins a table whose fields are divided by a comma, or by another sign.
func newRows(path string, r io.Reader, comma rune) *rows {
	in := csvtable.NewReader(path, r)
	in.ReuseRecord, in.Comma = true, comma
	return &rows{in: in, path: path}
}

// next goes to the next row; there is none after the last, nor after a text that is no table.
func (t *rows) next() (bool, error) {
	if len(t.found) >= diag.Most {
		return false, nil
	}
	var err error
	t.row, err = t.in.Read()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, asMistakes(err)
	}
	return true, nil
}

// line is where the row at hand stands, the first where there is none.
func (t *rows) line() int {
	if len(t.row) == 0 {
		return 1
	}
	line, _ := t.in.FieldPos(0)
	return line
}

// field is a field of the row, without blanks around it and what guards it against formulas; "" where there is none.
func (t *rows) field(i int) string {
	if i < 0 || i >= len(t.row) {
		return ""
	}
	return strings.TrimSpace(csvtable.Unguard(t.row[i]))
}

// heads is the row as the names of columns: in small letters, words joined by _.
func (t *rows) heads() []string {
	var out []string
	for _, name := range t.row {
		name = strings.TrimPrefix(name, "#Fields:")
		out = append(out, strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "_"))
	}
	return out
}

// wrong is a mistake in the row at hand.
func (t *rows) wrong(message, suggestion string) {
	t.found = append(t.found, diag.Diagnostic{
		Pos:     diag.Position{File: t.path, Line: t.line(), Column: 1},
		Message: message, Suggestion: suggestion,
	})
}

// ends checks that both ends of a link are named in full; a row that names none is no link.
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

// numbered is the number of each column that is asked for, in order, -1 for one that there is not.
func numbered(heads []string, names ...string) []int {
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
func (t *rows) columns(names ...string) ([]int, error) {
	heads := t.heads()
	at := numbered(heads, names...)
	for i, k := range at {
		if k < 0 {
			t.wrong(fmt.Sprintf("there is no column %s", names[i]), diag.Suggest(names[i], heads, "they are "))
		}
	}
	return at, t.found.Err()
}
