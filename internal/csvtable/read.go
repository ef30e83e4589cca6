package csvtable

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/diag"
)

// MostColumns is the most columns of a table that is read.
const MostColumns = 256

// Reader reads the rows of a table as csv.Reader does, from a text that Text takes, up to MostColumns fields a row.
// Rows may differ in the number of their fields.
type Reader struct {
	*csv.Reader
	name string
	text *bufio.Reader
}

// NewReader begins a table whose fields are divided by a comma, unless Comma is set to another sign or Header finds it.
func NewReader(name string, r io.Reader) *Reader {
	text := bufio.NewReaderSize(Text(name, r), textBlock)
	in := csv.NewReader(text)
	in.FieldsPerRecord = -1
	return &Reader{in, name, text}
}

// Read reads a row. What is wrong with a text or a table is a *diag.Diagnostic with its place; io.EOF comes after the
// last row.
func (r *Reader) Read() ([]string, error) {
	row, err := r.Reader.Read()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong):
		return row, diag.Position{File: r.name, Line: wrong.Line, Column: wrong.Column}.Errorf("%v", wrong.Err)
	case err == nil && len(row) > MostColumns:
		line, _ := r.FieldPos(0)
		return row, tooMany(diag.Position{File: r.name, Line: line, Column: 1}, len(row))
	}
	return row, err
}

// tooMany refuses a row with too many columns.
func tooMany(at diag.Position, n int) error {
	return at.Errorf("%d columns are more than the %d of a table", n, MostColumns)
}

// Place is where a field of the row that was read last begins; beyond the last field, where that begins.
func (r *Reader) Place(row []string, field int) diag.Position {
	line, column := 1, 1
	if len(row) > 0 {
		line, column = r.FieldPos(max(0, min(field, len(row)-1)))
	}
	return diag.Position{File: r.name, Line: line, Column: column}
}

// Lines reads a table line by line, so that a faulty line does no harm to the others: no value has a line break in it.
type Lines struct {
	Number int  // of the line that was read last, from 1
	Comma  rune // what divides the fields

	name   string
	in     *bufio.Reader
	most   int
	values *csv.Reader
	source strings.Reader // of values
	ended  bool
}

// NewLines begins a table whose lines have at most so many bytes.
func NewLines(name string, r io.Reader, most int) *Lines {
	return &Lines{name: name, in: bufio.NewReaderSize(Text(name, r), most), most: most, Comma: ','}
}

// Next reads a line, without its end. Of a line that is too long the error is a *diag.Diagnostic, and the line after it
// comes next; any other error ends the table, io.EOF behind its last line.
func (l *Lines) Next() (string, error) {
	if l.ended {
		return "", io.EOF
	}
	l.Number++
	line, err := l.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = l.in.ReadSlice('\n')
		}
		l.ended = err != nil
		return "", l.At(1).Errorf("the line is longer than %d bytes", l.most)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		l.ended = true
		return "", err
	}
	l.ended = err != nil
	return strings.TrimRight(string(line), "\r\n"), nil
}

// AtEnd reports whether no line comes after the one that was read last.
func (l *Lines) AtEnd() bool { return l.ended }

// At is a place in the line that was read last, by characters from 1.
func (l *Lines) At(column int) diag.Position {
	return diag.Position{File: l.name, Line: l.Number, Column: column}
}

// Field is a field of a line.
type Field struct {
	Text   string // not guarded against formulas, without blanks around it unless it stands in quotes
	Column int    // where it begins, in characters from 1
}

// Split cuts a line into fields. The error is a *diag.Diagnostic.
func (l *Lines) Split(line string) ([]Field, error) {
	if l.values == nil {
		l.values = csv.NewReader(&l.source)
		l.values.FieldsPerRecord, l.values.ReuseRecord = -1, true
	}
	l.values.Comma = l.Comma
	l.source.Reset(line)
	row, err := l.values.Read()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong):
		return nil, l.quotingError(line, wrong)
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, l.At(1).Errorf("%v", err)
	case len(row) > MostColumns:
		return nil, tooMany(l.At(1), len(row))
	}
	fields := make([]Field, len(row))
	column, counted := 1, 0
	for i, text := range row {
		_, at := l.values.FieldPos(i) // in bytes from 1
		if !strings.HasPrefix(line[at-1:], `"`) {
			text = strings.TrimSpace(text)
		}
		column += utf8.RuneCountInString(line[counted : at-1])
		counted = at - 1
		fields[i] = Field{Unguard(text), column}
	}
	return fields, nil
}

// quotingError says what is wrong with the quotation marks of a line.
func (l *Lines) quotingError(line string, wrong *csv.ParseError) error {
	start := 0 // of the field
	quoted := false
	for i, c := range line[:wrong.Column-1] {
		switch {
		case c == '"':
			quoted = !quoted
		case c == l.Comma && !quoted:
			start = i + 1
		}
	}
	column := utf8.RuneCountInString(line[:start]) + 1
	switch {
	case errors.Is(wrong.Err, csv.ErrBareQuote):
		return l.At(column).Errorf("a quotation mark inside a value\nput the value in quotes and double the mark")
	case wrong.Column <= len(line): // that of the mark which closes the value
		column = utf8.RuneCountInString(line[:wrong.Column]) + 1
		return l.At(column).Errorf("expected %q after the quotation mark", string(l.Comma))
	}
	return l.At(column).Errorf("this quotation mark is never closed")
}
