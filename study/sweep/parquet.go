package sweep

import (
	"context"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/plenum-planner/plenum/internal/parquettable"
)

// parquetKind returns the type of a Parquet column for values of the kind.
func (k kind) parquetKind() parquettable.Kind {
	switch k {
	case truth:
		return parquettable.Truth
	case whole:
		return parquettable.Whole
	case decimal:
		return parquettable.Decimal
	}
	return parquettable.Text
}

// Parquet writes the table as an Apache Parquet file. A column of whole numbers has 64-bit integers, one of other
// numbers 64-bit floats; other columns have texts or booleans.
func (t *Table) Parquet(ctx context.Context, w io.Writer) error {
	return t.writeParquet(ctx, w, t.columns, t.rows)
}

// writeParquet writes a table with the given columns. each calls its argument with the cells of every row; the file
// also names the study and the version of Plenum.
func (t *Table) writeParquet(ctx context.Context, w io.Writer, columns []tableColumn,
	each func(context.Context, func(cells []string) error) error,
) error {
	stored := make([]parquettable.Column, len(columns))
	for i, c := range columns {
		stored[i] = parquettable.Column{Name: c.name, Kind: c.kind.parquetKind()}
	}
	out := parquettable.NewWriter(ctx, w, "sweep", stored, t.Version, t.Study)
	record := make(parquet.Row, len(columns))
	err := each(ctx, func(cells []string) error {
		for i, v := range cells {
			record[i] = columns[i].kind.value(v, i)
		}
		_, err := out.WriteRows([]parquet.Row{record})
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// value returns a cell of a column of the kind. The cell is written as in JSON: the text null is a missing value.
func (k kind) value(cell string, column int) parquet.Value {
	if cell == "null" {
		return parquettable.Null(column)
	}
	switch k {
	case truth:
		return parquettable.Value(cell == "true", column)
	case whole:
		n, _ := strconv.ParseInt(cell, 10, 64) // cannot fail: a column of this kind has whole numbers only
		return parquettable.Value(n, column)
	case decimal:
		x, _ := strconv.ParseFloat(cell, 64)
		return parquettable.Value(x, column)
	}
	return parquettable.Value(unquote(cell), column)
}
