package workorder

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/internal/csvtable"
)

// columns are those of a work order as a table.
var columns = []string{
	"step", "move", "do", "cable", "product", "source",
	"from_rack", "from_unit", "from_device", "from_port", "from_label",
	"to_rack", "to_unit", "to_device", "to_port", "to_label",
	"other_rack", "other_unit", "other_device", "other_port", "other_label",
	"was", "note", "colour",
}

// WriteTable writes the moves of all steps in their order, as comma-separated values (RFC 4180).
func (o *Order) WriteTable(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, columns)
	for i := range o.Steps {
		for k := range o.Steps[i].Moves {
			m := &o.Steps[i].Moves[k]
			out.Int(int64(o.Steps[i].Step))
			out.Int(int64(m.Move))
			out.Texts(string(m.Do), m.Cable, m.Product, m.Source)
			for _, e := range []*End{m.From, m.To, m.Other} {
				if e == nil {
					out.Empty(5)
					continue
				}
				out.Text(e.Rack)
				if e.Unit > 0 {
					out.Int(int64(e.Unit))
				} else {
					out.Empty(1)
				}
				out.Texts(e.Box, e.Port, e.Label)
			}
			out.Texts(m.Was, m.Note, m.Colour)
			if err := out.End(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// WriteLabels writes the labels of the order, as comma-separated values.
func (o *Order) WriteLabels(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{"cable", "end", "near", "far", "why", "colour"})
	for _, l := range o.Labels {
		out.Texts(l.Cable, l.End, l.Near, l.Far, l.Why, l.Colour)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}
