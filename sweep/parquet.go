package sweep

import (
	"context"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// orderedGroup is a group whose columns stand in our order; parquet.Group sorts them by name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

// Fields lists the columns in order.
func (g *orderedGroup) Fields() []parquet.Field { return g.fields }

// node is how a kind is stored. Every column may have nulls.
func (k kind) node() parquet.Node {
	switch k {
	case truth:
		return parquet.Optional(parquet.Leaf(parquet.BooleanType))
	case whole:
		return parquet.Optional(parquet.Int(64))
	case decimal:
		return parquet.Optional(parquet.Leaf(parquet.DoubleType))
	}
	return parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary)) // texts repeat
}

// schema is that of a table: flat, its columns in order.
func schema(columns []tableColumn) *parquet.Schema {
	g := &orderedGroup{Group: parquet.Group{}}
	index := map[string]int{}
	for i, c := range columns {
		g.Group[c.name], index[c.name] = c.kind.node(), i
	}
	g.fields = make([]parquet.Field, len(columns))
	for _, f := range g.Group.Fields() {
		g.fields[index[f.Name()]] = f
	}
	return parquet.NewSchema("sweep", g)
}

// rowsPerGroup bounds the rows that are held in memory.
const rowsPerGroup = 10_000

// Parquet writes the table as an Apache Parquet file, compressed with Snappy, which all readers know. Numbers have 64
// bits, whole ones where all of a column are; other values are texts or truth values.
func (t *Table) Parquet(ctx context.Context, w io.Writer) error {
	return t.writeParquet(ctx, w, t.columns, t.rows)
}

// writeParquet writes a table about the study, whose rows each calls do with.
func (t *Table) writeParquet(ctx context.Context, w io.Writer, columns []tableColumn,
	each func(context.Context, func(cells []string) error) error,
) error {
	out := parquet.NewWriter(w, schema(columns), parquet.Compression(&parquet.Snappy),
		parquet.MaxRowsPerRowGroup(rowsPerGroup), parquet.CreatedBy("plenum", t.Version, t.Study))
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

// value is a cell of a column of the kind.
func (k kind) value(cell string, column int) parquet.Value {
	if cell == "null" {
		return parquet.NullValue().Level(0, 0, column)
	}
	var v parquet.Value
	switch k {
	case truth:
		v = parquet.BooleanValue(cell == "true")
	case whole:
		n, _ := strconv.ParseInt(cell, 10, 64) // its kind says that it is one
		v = parquet.Int64Value(n)
	case decimal:
		x, _ := strconv.ParseFloat(cell, 64)
		v = parquet.DoubleValue(x)
	default:
		v = parquet.ByteArrayValue([]byte(unquoted(cell)))
	}
	return v.Level(0, 1, column)
}
