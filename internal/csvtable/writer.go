package csvtable

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// checkEvery is the number of rows after which a cancelled context is noticed.
const checkEvery = 1 << 13

// Writer writes a table, field by field. The first error ends the writing; End and
// Flush return it.
type Writer struct {
	ctx     context.Context
	out     *bufio.Writer
	columns int
	row     []byte
	fields  int // of the row
	rows    int
	err     error
}

// NewWriter writes the names of the columns. The writer stops with the context's
// error soon after the context is cancelled.
func NewWriter(ctx context.Context, w io.Writer, columns []string) *Writer {
	t := &Writer{ctx: ctx, out: bufio.NewWriterSize(w, 1<<17), columns: len(columns)}
	_, t.err = t.out.WriteString(strings.Join(columns, ",") + "\r\n")
	return t
}

// next begins as many fields.
func (w *Writer) next(fields int) {
	if w.fields > 0 {
		w.row = append(w.row, ',')
	}
	w.fields += fields
}

// Text adds a field with a text.
func (w *Writer) Text(text string) {
	w.next(1)
	w.row = AppendText(w.row, text)
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
	w.row = strconv.AppendInt(w.row, n, 10)
}

// Append adds fields that the caller appends to the row: numbers, texts of its own
// making that need no guard, or what AppendText has prepared, with commas between
// them.
func (w *Writer) Append(fields int, add func(row []byte) []byte) {
	w.next(fields)
	w.row = add(w.row)
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
	if w.rows++; w.rows%checkEvery == 1 {
		w.cancelled()
	}
	if w.err == nil {
		_, w.err = w.out.Write(append(w.row, '\r', '\n'))
	}
	w.row, w.fields = w.row[:0], 0
	return w.err
}

// cancelled notes that the context is.
func (w *Writer) cancelled() {
	if w.err == nil && w.ctx.Err() != nil {
		w.err = context.Cause(w.ctx)
	}
}

// Flush writes what is left after the last row.
func (w *Writer) Flush() error {
	if w.cancelled(); w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}
