package sweep

import (
	"context"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/interval"
)

// The files of a summary.
const (
	SummaryCSVName     = "summary.csv"
	SummaryParquetName = "summary.parquet"
)

// What a summary has of a column with numbers, behind its name and a dot: the mean over the repeats that have one, half
// the width of the 95 % confidence interval of the mean by Student's t, which fewer than two do not have, and how many
// repeats have one.
const (
	meanOf  = "mean"
	halfOf  = "half_width"
	countOf = "n"
)

// summary is the table of means over repeats: a row for each combination of values, in the order of these.
type summary struct {
	*Table
	columns []tableColumn
	from    []int // the column of the table that each is of
}

// Columns of a summary that are of no figure: how many repeats there are, and how many have a reason in place of some
// or all figures.
const (
	repeatsColumn = "repeats"
	failedColumn  = "failed"
)

// newSummary plans the columns: the number of the first point, the axes, how many repeats there are, and figures.
// Texts and truth values have one column, empty where repeats differ.
func newSummary(t *Table) *summary {
	s := &summary{Table: t}
	add := func(name string, k kind, from int) {
		s.columns, s.from = append(s.columns, tableColumn{name, k}), append(s.from, from)
	}
	add("point", whole, t.index["point"])
	for _, name := range t.Axes {
		add(name, t.columns[t.index[name]].kind, t.index[name])
	}
	add(repeatsColumn, whole, -1)
	add(failedColumn, whole, -1)
	for i, c := range t.columns[len(fixedColumns())+len(t.Axes):] {
		i += len(fixedColumns()) + len(t.Axes)
		if c.kind != whole && c.kind != decimal {
			add(c.name, c.kind, i)
			continue
		}
		add(c.name+"."+meanOf, decimal, i)
		add(c.name+"."+halfOf, decimal, i)
		add(c.name+"."+countOf, whole, i)
	}
	return s
}

// each calls do with the cells of every row.
func (s *summary) each(ctx context.Context, do func(cells []string) error) error {
	var group []row
	end := func() error {
		if len(group) == 0 {
			return nil
		}
		err := do(s.row(group))
		group = group[:0]
		return err
	}
	err := s.Table.each(ctx, func(r row) error {
		if len(group) > 0 && group[0].number/s.Repeats != r.number/s.Repeats {
			if err := end(); err != nil {
				return err
			}
		}
		group = append(group, r)
		return nil
	})
	if err != nil {
		return err
	}
	return end()
}

// row is the means over some repeats.
func (s *summary) row(group []row) []string {
	cells := make([][]string, len(s.Table.columns)) // of each column, those that are not null
	failed := 0
	for _, r := range group {
		for _, c := range r.cells {
			if c.value != "null" {
				i := s.index[c.name]
				cells[i] = append(cells[i], c.value)
			}
		}
		if r.failed {
			failed++
		}
	}
	out := make([]string, len(s.columns))
	for i, c := range s.columns {
		switch from := s.from[i]; {
		case c.name == repeatsColumn && from < 0:
			out[i] = strconv.Itoa(len(group))
		case c.name == failedColumn && from < 0:
			out[i] = strconv.Itoa(failed)
		case c.name == "point" && i == 0:
			out[i] = strconv.Itoa(group[0].number / s.Repeats * s.Repeats)
		case c.name == s.Table.columns[from].name:
			out[i] = common(cells[from])
		default:
			out[i] = statistic(cells[from], c.name[strings.LastIndexByte(c.name, '.')+1:])
		}
	}
	return out
}

// common is the value that all cells have, null where they differ or there is none.
func common(cells []string) string {
	for _, c := range cells {
		if c != cells[0] {
			return "null"
		}
	}
	if len(cells) == 0 {
		return "null"
	}
	return cells[0]
}

// statistic is one of a figure of repeats, as JSON.
func statistic(cells []string, of string) string {
	if of == countOf {
		return strconv.Itoa(len(cells))
	}
	x := make([]float64, len(cells))
	for i, c := range cells {
		x[i], _ = strconv.ParseFloat(c, 64) // its kind says that it is one
	}
	mean, half := interval.Mean(x)
	v := mean
	if of == halfOf {
		v = half
	}
	if len(x) == 0 || of == halfOf && len(x) < 2 || math.IsInf(v, 0) || math.IsNaN(v) {
		return "null"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// CSV writes the summary. What is null is empty.
func (s *summary) CSV(ctx context.Context, w io.Writer) error {
	return writeCSV(ctx, w, s.columns, s.each)
}

// Parquet writes the summary as Table.Parquet does the table.
func (s *summary) Parquet(ctx context.Context, w io.Writer) error {
	return s.writeParquet(ctx, w, s.columns, s.each)
}
