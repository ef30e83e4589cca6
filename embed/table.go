package embed

import (
	"context"
	"io"
	"strconv"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
	"github.com/plenum-planner/plenum/units"
)

// A placement as a table, in comma-separated values (RFC 4180) of these
// columns:
//
//	vertex     number of the vertex, from 0
//	label      name of its box, as in every output
//	kind       node, switch, leaf, ...
//	container  rack ("A03"), chassis ("A03/midplane2") or container
//	           ("cube4-0.2.3"), as in the cable schedule
//	cell       in the chassis or container, from 1, across the width or
//	           along x first
//	unit       lowest rack unit, that of the chassis for a box in one
//	face       front or rear: at which side of the rack the box has its front
//	address    the vertex in the notation of its family, where the box is called
//	           otherwise
//	x_m, y_m, z_m
//	           the position of the box in metres, from the lower left corner of the
//	           room or of the outermost container: in a rack the centre of its
//	           footprint at its bottom, in containers the centre of its place
//
// A table that is read needs the column container and one of vertex, label and address; a label may be an address too,
// as in tables of earlier versions. The position follows from the container and is not read. Columns may be in any
// order, unknown columns are ignored, and the separator may be a semicolon. A rack may also be written as row B/rack 3
// or row 2/rack 3. A value that a spreadsheet would take for a formula has an apostrophe before it (see package
// csvtable).
var tableColumns = [tableColumnCount]string{
	vertexColumn: "vertex", labelColumn: "label", kindColumn: "kind",
	containerColumn: "container", cellColumn: "cell", unitColumn: "unit", faceColumn: "face",
	addressColumn: "address", xColumn: "x_m", yColumn: "y_m", zColumn: "z_m",
}

// tableColumn is an index in tableColumns.
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
	xColumn
	yColumn
	zColumn
	tableColumnCount
)

// WriteCSV writes the place of every vertex of g, by number. The label of a box is its name in called; nil stands for
// names.Of(g).
func WriteCSV(ctx context.Context, w io.Writer, g topology.Graph, called *names.Names, pl *Placement) error {
	if called == nil {
		called = names.Of(g)
	}
	out := csvtable.NewWriter(ctx, w, tableColumns[:])
	l := pl.Layout
	for _, k := range g.Kinds() {
		kind := csvtable.AppendText(nil, k.Name)
		for v := k.First; v < k.First+k.Count; v++ {
			err := out.Rows(1, func(b []byte) []byte {
				slot, address := pl.Slot[v], called.Address(v)
				b = append(strconv.AppendInt(b, int64(v), 10), ',')
				from := len(b)
				b = called.Append(b, v)
				if address == string(b[from:]) {
					address = ""
				}
				if !csvtable.Plain(b[from:]) {
					b = csvtable.AppendText(b[:from], string(b[from:]))
				}
				b = append(append(append(b, ','), kind...), ',')
				b = append(csvtable.AppendText(b, l.Innermost(slot)), ',')
				if cell := l.Cell(slot); cell >= 0 {
					b = strconv.AppendInt(b, int64(cell)+1, 10)
				}
				b = append(b, ',')
				if l.Room == nil {
					b = append(b, ',')
				} else {
					b = strconv.AppendInt(b, int64(l.Unit(slot)), 10)
					b = append(b, faceOf[l.Rear(slot)]...)
				}
				b = csvtable.AppendText(append(b, ','), address)
				p := l.Position(slot)
				for _, at := range [3]units.Length{p.X, p.Y, p.Z} {
					b = strconv.AppendFloat(append(b, ','), float64(at.Round4()), 'f', -1, 64)
				}
				return append(b, csvtable.RowEnd...)
			})
			if err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// faceOf has the field of column face with the comma before it, by whether the front of a box is at the rear.
var faceOf = map[bool]string{false: ",front", true: ",rear"}
