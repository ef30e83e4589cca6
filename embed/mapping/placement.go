package mapping

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// placementColumns are the columns of a placement on a grid.
var placementColumns = []string{"vertex", "label", "x", "y"}

// WriteGrid writes a placement on a grid of width w as comma-separated values: a
// row for each vertex with its number, its label, and the column and row of its
// place, counting from 0.
func WriteGrid(out io.Writer, w int, place []int32, label func(v int) string) error {
	t := csvtable.NewWriter(context.Background(), out, placementColumns)
	for v, p := range place {
		t.Int(int64(v))
		t.Text(label(v))
		t.Int(int64(p) % int64(w))
		t.Int(int64(p) / int64(w))
		if err := t.End(); err != nil {
			return err
		}
	}
	return t.Flush()
}

// ReadGrid reads a placement of n vertices on a w x h grid as WriteGrid writes it. Rows may come in any order; labels
// are not checked, nor is how many vertices are on a place. Mistakes are a diag.List, of about 20 at most, with name,
// line and column; an error of in itself is joined to it. With an error, the placement must not be used.
func ReadGrid(name string, in io.Reader, n, w, h int) ([]int32, error) {
	const most = 20
	c := csvtable.NewReader(name, in)
	c.ReuseRecord = true
	var mistakes diag.List
	bad := func(field int, format string, args ...any) {
		line, column := c.FieldPos(field)
		mistakes.Addf(diag.Position{File: name, Line: line, Column: column}, format, args...)
	}
	place := make([]int32, n)
	for v := range place {
		place[v] = -1
	}
	number := func(row []string, field, limit int) int {
		x, err := strconv.Atoi(row[field])
		if err != nil || x < 0 || x >= limit {
			bad(field, "%s must be from 0 to %d, not %q", placementColumns[field], limit-1, row[field])
			return -1
		}
		return x
	}
	rows, placed := 0, 0
	for ; len(mistakes) < most; rows++ {
		row, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			var wrong *diag.Diagnostic
			if !errors.As(err, &wrong) {
				return nil, errors.Join(mistakes.Err(), fmt.Errorf("%s: %w", name, err))
			}
			mistakes.Add(*wrong)
			break
		}
		if rows == 0 {
			if got := strings.Join(row, ","); got != strings.Join(placementColumns, ",") {
				bad(0, "the first line must be %s, not %q", strings.Join(placementColumns, ","), got)
				break
			}
			continue
		}
		if len(row) != len(placementColumns) {
			bad(0, "a row has %d fields: %s; this has %d",
				len(placementColumns), strings.Join(placementColumns, ","), len(row))
			continue
		}
		v, x, y := number(row, 0, n), number(row, 2, w), number(row, 3, h)
		switch {
		case v < 0 || x < 0 || y < 0:
		case place[v] >= 0:
			bad(0, "vertex %d is placed twice", v)
		default:
			place[v] = int32(x + w*y)
			placed++
		}
	}
	switch {
	case len(mistakes) > 0:
	case rows == 0:
		mistakes.Addf(diag.Position{File: name, Line: 1, Column: 1}, "the file is empty\nexpected %s",
			strings.Join(placementColumns, ","))
	case placed < n:
		mistakes.Addf(diag.Position{File: name}, "%d of %d vertices have no place, the first is %d",
			n-placed, n, slices.Index(place, -1))
	}
	return place, mistakes.Err()
}
