// Package parquettable writes flat tables as Apache Parquet files, compressed with Snappy, which all readers know.
// Numbers have 64 bits, and every column may have nulls.
package parquettable

import (
	"context"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/plenum-planner/plenum/internal/provenance"
)

// Kind is what the values of a column are.
type Kind int

// The kinds of columns.
const (
	Text Kind = iota
	Truth
	Whole   // an integer of 64 bits
	Decimal // a floating-point number of 64 bits
)

// node is how a kind is stored.
func (k Kind) node() parquet.Node {
	switch k {
	case Truth:
		return parquet.Optional(parquet.Leaf(parquet.BooleanType))
	case Whole:
		return parquet.Optional(parquet.Int(64))
	case Decimal:
		return parquet.Optional(parquet.Leaf(parquet.DoubleType))
	}
	return parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary)) // texts repeat
}

// Column is a column of a table. Names differ.
type Column struct {
	Name string
	Kind Kind
}

// orderedGroup is a group whose columns stand in our order; parquet.Group sorts them by name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

// Fields lists the columns in order.
func (g *orderedGroup) Fields() []parquet.Field { return g.fields }

// rowsPerGroup bounds the rows that are held in memory.
const rowsPerGroup = 10_000

// Writer takes the rows of a table.
type Writer interface {
	WriteRows([]parquet.Row) (int, error)
	Close() error
}

// NewWriter begins a table. Version and build say which program has made it, its metadata what else there is
// of provenance. Rows have a value of parquet for each
// column, which Value makes.
func NewWriter(ctx context.Context, w io.Writer, name string, columns []Column, version, build string) Writer {
	g := &orderedGroup{Group: parquet.Group{}, fields: make([]parquet.Field, len(columns))}
	at := map[string]int{}
	for i, c := range columns {
		g.Group[c.Name], at[c.Name] = c.Kind.node(), i
	}
	for _, f := range g.Group.Fields() {
		g.fields[at[f.Name()]] = f
	}
	r := provenance.Of(ctx)
	return parquet.NewWriter(w, parquet.NewSchema(name, g), parquet.Compression(&parquet.Snappy),
		parquet.MaxRowsPerRowGroup(rowsPerGroup), parquet.CreatedBy("plenum", version, build),
		parquet.KeyValueMetadata(provenance.Key, r.Line()))
}

// Null is a cell without a value.
func Null(column int) parquet.Value { return parquet.NullValue().Level(0, 0, column) }

// Value is a cell of the column of that number, from 0: a bool, an int64, a float64 or a string, as the column's kind
// is. Anything else is null.
func Value(v any, column int) parquet.Value {
	var out parquet.Value
	switch v := v.(type) {
	case bool:
		out = parquet.BooleanValue(v)
	case int64:
		out = parquet.Int64Value(v)
	case float64:
		out = parquet.DoubleValue(v)
	case string:
		out = parquet.ByteArrayValue([]byte(v))
	default:
		return Null(column)
	}
	return out.Level(0, 1, column)
}
