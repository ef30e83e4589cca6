package embed

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// A placement as a table, in comma-separated values (RFC 4180) of these
// columns:
//
//	vertex     number of the vertex, from 0
//	label      name of its box, as in every output
//	kind       node, switch, leaf, ...
//	container  rack ("A03"), chassis ("A03/midplane2") or nested container
//	           ("cube4-0.2.3"), as in the cable schedule
//	cell       in the chassis or nested container, from 1, across the width or
//	           along x first
//	unit       lowest rack unit, that of the chassis for a box in one
//	face       front or rear: at which side of the rack the box has its front
//	address    the vertex in the notation of its family, where the box is called
//	           otherwise
//
// Read, a table needs container and one of vertex, label and address; a label may
// be an address too, as in tables of earlier versions. Columns may come
// in any order, others are passed over, and the separator may be a semicolon. A
// rack may be written as row B/rack 3 or row 2/rack 3 too. What a spreadsheet
// would take for a formula has an apostrophe before it (see package csvtable).
var tableColumns = [tableColumnCount]string{
	vertexColumn: "vertex", labelColumn: "label", kindColumn: "kind",
	containerColumn: "container", cellColumn: "cell", unitColumn: "unit", faceColumn: "face",
	addressColumn: "address",
}

// tableColumn is a column of a table of places.
type tableColumn int

const (
	vertexColumn tableColumn = iota
	labelColumn
	kindColumn
	containerColumn
	cellColumn
	unitColumn
	faceColumn
	addressColumn
	tableColumnCount
)

// WriteCSV writes the place of every vertex of g, in their order. Boxes have the given names, those of names.Of if nil.
func WriteCSV(ctx context.Context, w io.Writer, g topology.Graph, called *names.Names, pl *Placement) error {
	if called == nil {
		called = names.Of(g)
	}
	out := csvtable.NewWriter(ctx, w, tableColumns[:])
	var name []byte
	l := pl.Layout
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			slot, address := pl.Slot[v], called.Address(v)
			name = called.Append(name[:0], v)
			out.Int(int64(v))
			out.Append(1, func(row []byte) []byte { return csvtable.AppendText(row, name) })
			out.Texts(k.Name, l.Innermost(slot))
			if cell := l.Cell(slot); cell >= 0 {
				out.Int(int64(cell) + 1)
			} else {
				out.Empty(1)
			}
			switch {
			case l.Room == nil:
				out.Empty(2)
			case l.Rear(slot):
				out.Int(int64(l.Unit(slot)))
				out.Text("rear")
			default:
				out.Int(int64(l.Unit(slot)))
				out.Text("front")
			}
			if address == string(name) {
				address = ""
			}
			out.Text(address)
			if err := out.End(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
