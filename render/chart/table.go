package chart

import (
	"context"
	"io"
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/internal/csvtable"
)

// Table is the data behind a chart. A cell is a text, a float64, an int64, a bool, or nil where there is none.
type Table struct {
	Head []string
	Rows [][]any
}

func (t *Table) add(cells ...any) { t.Rows = append(t.Rows, cells) }

// CSV writes the table as all tables of Plenum are written. Numbers have all their digits; one that is not finite is
// empty, as is a cell without a value.
func (t *Table) CSV(w io.Writer) error {
	var head []string
	for _, name := range t.Head {
		head = append(head, string(csvtable.AppendText(nil, name)))
	}
	out := csvtable.NewWriter(context.Background(), w, head)
	for _, row := range t.Rows {
		for _, cell := range row {
			switch v := cell.(type) {
			case string:
				out.Text(v)
			case int64:
				out.Int(v)
			case bool:
				out.Text(strconv.FormatBool(v))
			case float64:
				if math.IsNaN(v) || math.IsInf(v, 0) {
					out.Empty(1)
					continue
				}
				out.Append(1, func(b []byte) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) })
			default:
				out.Empty(1)
			}
		}
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}
