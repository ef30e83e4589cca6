package render

import (
	"context"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/provenance"
	"github.com/plenum-planner/plenum/internal/sheetzip"
)

// Table is a sheet of a workbook, or a file of comma-separated values: a row of names and rows of values, each a
// string, an int64, a float64 or nil, where it is not known. Values of other types are an error when it is written.
type Table struct {
	Name    string // of the sheet
	Columns []string
	Rows    [][]any
	Notes   []string // sentences under the rows of a sheet
	// Shaded is the column, from 1, from which on the fields of a sheet are coloured by their numbers, so that the
	// sheet shows what happens when; 0 for none.
	Shaded int
}

// Tables writes a workbook with a sheet for each table.
func Tables(ctx context.Context, w io.Writer, title string, tables []Table) (err error) {
	f := excelize.NewFile()
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	ids, err := newStyles(f, "")
	if err != nil {
		return err
	}
	for _, t := range tables {
		g, err := t.grid()
		if err != nil {
			return err
		}
		if err := g.write(f, ids); err != nil {
			return err
		}
	}
	types := f.ContentTypes.Defaults
	sort.Slice(types, func(i, j int) bool { return types[i].Extension < types[j].Extension })
	if err := f.SetAppProps(&excelize.AppProperties{Application: "Plenum"}); err != nil {
		return err
	}
	err = f.SetDocProps(&excelize.DocProperties{
		Title: titleText(title), Creator: "Plenum", LastModifiedBy: "Plenum",
		Description: madeBy(ctx), Created: documentDate, Modified: documentDate,
	})
	if err != nil {
		return err
	}
	return (&sheetzip.Archive{}).Write(w, f)
}

// grid is the table as a sheet.
func (t *Table) grid() (*grid, error) {
	g := &grid{name: t.Name, frozen: 1, filterTop: 1, filter: len(t.Rows) + 1, shaded: t.Shaded}
	g.add(heads(t.Columns...)...)
	for _, values := range t.Rows {
		var row []cell
		for _, v := range values {
			switch v := v.(type) {
			case nil:
				row = append(row, cell{})
			case string:
				row = append(row, text(v))
			case int64:
				row = append(row, whole(v))
			case float64:
				row = append(row, cell{value: v, style: styleOf(v)})
			default:
				return nil, fmt.Errorf("render: a table with a %T", v)
			}
		}
		g.add(row...)
	}
	if len(t.Notes) > 0 {
		g.add()
	}
	for _, n := range t.Notes {
		g.add(text(n).as(note))
	}
	return g, nil
}

// styleOf shows the more digits behind the point, the smaller a number is.
func styleOf(v float64) style {
	switch a := math.Abs(v); {
	case a >= 1e5:
		return count
	case a >= 100:
		return decimal
	}
	return fine
}

// TableCSV writes a table as comma-separated values, without its notes.
func TableCSV(ctx context.Context, w io.Writer, t Table) error {
	out := csvtable.NewWriter(ctx, w, t.Columns)
	for _, values := range t.Rows {
		for _, v := range values {
			switch v := v.(type) {
			case nil:
				out.Empty(1)
			case string:
				out.Text(v)
			case int64:
				out.Int(v)
			case float64:
				out.Append(1, func(row []byte) []byte { return strconv.AppendFloat(row, v, 'f', -1, 64) })
			default:
				return fmt.Errorf("render: a table with a %T", v)
			}
		}
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// madeBy describes a workbook for its properties: the version, and the provenance as one line of JSON.
func madeBy(ctx context.Context) string {
	r := provenance.Of(ctx)
	return "Made by Plenum " + r.Version + "\n" + provenance.Key + ": " + r.Line()
}
