package csvtable

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// checkEvery is the number of rows after which a cancelled context is noticed.
const checkEvery = 1 << 13

// RowEnd ends a row.
const RowEnd = "\r\n"

// piece is how many bytes are written at a time: as many as buffers below take without copying them once more.
const piece = 1 << 18

// Writer writes a table, field by field. The first error ends the writing; End and
// Flush return it.
type Writer struct {
	ctx     context.Context
	out     io.Writer
	columns int
	text    []byte // whole rows that are not written yet, and the row at hand
	fields  int    // of the row
	left    int    // rows before the context is looked at
	err     error
}

// NewWriter writes the names of the columns. The writer stops with the context's
// error soon after the context is cancelled.
func NewWriter(ctx context.Context, w io.Writer, columns []string) *Writer {
	return &Writer{ctx: ctx, out: w, columns: len(columns), text: []byte(strings.Join(columns, ",") + RowEnd)}
}

// next begins as many fields.
func (w *Writer) next(fields int) {
	if w.fields > 0 {
		w.text = append(w.text, ',')
	}
	w.fields += fields
}

// Text adds a field with a text.
func (w *Writer) Text(text string) {
	w.next(1)
	w.text = AppendText(w.text, text)
}

// Texts adds a field for each text.
func (w *Writer) Texts(texts ...string) {
	for _, text := range texts {
		w.Text(text)
	}
}

// Int adds a field with a whole number.
func (w *Writer) Int(n int64) {
	w.next(1)
	w.text = strconv.AppendInt(w.text, n, 10)
}

// Append adds fields that the caller appends to the row: numbers, texts of its own
// making that need no guard, or what AppendText has prepared, with commas between
// them.
func (w *Writer) Append(fields int, add func(row []byte) []byte) {
	w.next(fields)
	w.text = add(w.text)
}

// Rows adds rows that the caller appends, as by Append, with all fields and RowEnd after each. It is for long tables,
// and for few rows at a time.
func (w *Writer) Rows(rows int, add func(b []byte) []byte) error {
	if w.err == nil && w.fields > 0 {
		w.err = fmt.Errorf("csvtable: rows after %d fields of one", w.fields)
	}
	w.text = add(w.text)
	w.pass(rows)
	return w.err
}

// Empty adds empty fields.
func (w *Writer) Empty(fields int) {
	for range fields {
		w.next(1)
	}
}

// End ends a row.
func (w *Writer) End() error {
	if w.err == nil && w.fields != w.columns {
		w.err = fmt.Errorf("csvtable: %d fields for %d columns", w.fields, w.columns)
	}
	w.text = append(w.text, RowEnd...)
	w.fields = 0
	w.pass(1)
	return w.err
}

// pass writes whole pieces of what there is, after so many more rows.
func (w *Writer) pass(rows int) {
	if w.left -= rows; w.left < 0 {
		w.left = checkEvery - 1
		w.noteCancel()
	}
	if w.err != nil {
		w.text = w.text[:0]
		return
	}
	for len(w.text) >= piece && w.err == nil {
		_, w.err = w.out.Write(w.text[:piece])
		w.text = w.text[:copy(w.text, w.text[piece:])]
	}
}

// noteCancel makes the end of the context the error of the writer, if it has none.
func (w *Writer) noteCancel() {
	if w.err == nil && w.ctx.Err() != nil {
		w.err = context.Cause(w.ctx)
	}
}

// Flush writes what is left after the last row.
func (w *Writer) Flush() error {
	if w.noteCancel(); w.err == nil && len(w.text) > 0 {
		_, w.err = w.out.Write(w.text)
		w.text = w.text[:0]
	}
	return w.err
}
