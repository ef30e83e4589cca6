package render

import (
	"context"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/parquet-go/parquet-go"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/parquettable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// figureTable is the table of a comparison as other programs read it: a row for each machine, a column for each figure.
type figureTable struct {
	columns []parquettable.Column
	rows    [][]any // texts, int64, float64, or nil
}

// newFigureTable turns the rows of a comparison into columns, whose names are the figures with their units:
// mean_cable_m. Figures of the same name have their heading before it.
func newFigureTable(c *report.Comparison) *figureTable {
	t := &figureTable{
		columns: []parquettable.Column{{Name: "machine"}, {Name: "file"}},
		rows:    make([][]any, len(c.Machines)),
	}
	for i := range c.Machines {
		t.rows[i] = []any{c.Machines[i].Machine, c.Machines[i].File}
	}
	seen := map[string]bool{"machine": true, "file": true}
	heading := ""
	for _, r := range CompareRows(c) {
		if r.Values == nil {
			heading = r.Figure
			continue
		}
		name := columnName(r.Figure + " " + r.Unit)
		if seen[name] {
			name = columnName(heading + " " + r.Figure + " " + r.Unit)
		}
		for n, first := 2, name; seen[name]; n++ {
			name = first + "_" + strconv.Itoa(n)
		}
		seen[name] = true
		kind := parquettable.Whole
		for i, v := range r.Values {
			cell := plainValue(v)
			switch cell.(type) {
			case string:
				kind = parquettable.Text
			case float64:
				if kind == parquettable.Whole {
					kind = parquettable.Decimal
				}
			}
			t.rows[i] = append(t.rows[i], cell)
		}
		t.columns = append(t.columns, parquettable.Column{Name: name, Kind: kind})
	}
	return t
}

// plainValue is a value as other programs read it: money in its currency, other quantities in the unit of the row.
func plainValue(v any) any {
	switch v := inUnit(v).(type) {
	case units.Money:
		return v.Float()
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return v
	case string, int64:
		return v
	}
	return nil
}

// columnName is a figure as the name of a column: words in small letters, joined by underscores.
func columnName(figure string) string {
	figure = strings.NewReplacer("ns/m", "ns_per_m", "Gb/s", "gbps", "±", "half_width", "%", "percent").Replace(figure)
	words := strings.FieldsFunc(strings.ToLower(figure), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.'
	})
	return strings.Join(words, "_")
}

// CompareCSV writes the table of a comparison with a row for each machine.
func CompareCSV(ctx context.Context, w io.Writer, c *report.Comparison) error {
	t := newFigureTable(c)
	var names []string
	for _, column := range t.columns {
		names = append(names, column.Name)
	}
	out := csvtable.NewWriter(ctx, w, names)
	for _, row := range t.rows {
		for _, cell := range row {
			switch v := cell.(type) {
			case string:
				out.Text(v)
			case int64:
				out.Int(v)
			case float64:
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

// CompareParquet writes the table of CompareCSV as an Apache Parquet file.
func CompareParquet(ctx context.Context, w io.Writer, c *report.Comparison) error {
	t := newFigureTable(c)
	out := parquettable.NewWriter(ctx, w, "comparison", t.columns, machine.Version, "")
	for _, row := range t.rows {
		record := make(parquet.Row, len(row))
		for i, v := range row {
			if n, ok := v.(int64); ok && t.columns[i].Kind == parquettable.Decimal {
				v = float64(n)
			}
			record[i] = parquettable.Value(v, i)
		}
		if _, err := out.WriteRows([]parquet.Row{record}); err != nil {
			return err
		}
	}
	return out.Close()
}

// digits are how many digits behind the point a value needs so that three or four count; negative for what is not a
// fraction.
func digits(v any) int {
	switch v := inUnit(v).(type) {
	case units.Money:
		switch {
		case v == 0:
			return 0
		case v >= 1e5 || v <= -1e5:
			return 0
		}
		return 2
	case float64:
		switch x := math.Abs(v); {
		case math.IsNaN(v) || x >= 1e4 || x == 0:
			return 0
		case x >= 100:
			return 1
		}
		return 3
	}
	return -1
}

// Text is a value for people; a dash stands for none. All numbers of a row have as many digits behind the point: as
// many as the one needs that needs the most.
func (r *CompareRow) Text(i int) string {
	most := 0
	for _, v := range r.Values {
		most = max(most, digits(v))
	}
	switch v := inUnit(r.Values[i]).(type) {
	case string:
		return v
	case int64:
		return grouped(v)
	case units.Money:
		return fixedDigits(v.Float(), most)
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return fixedDigits(v, most)
		}
	}
	return "-"
}

// fixedDigits writes a number with its thousands apart and as many digits behind the point as given.
func fixedDigits(v float64, digits int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	whole, rest, _ := strings.Cut(text, ".")
	if len(whole) < 19 {
		n, _ := strconv.ParseInt(whole, 10, 64) // it has digits only
		whole = grouped(n)
	}
	if rest != "" {
		whole += "." + rest
	}
	if v < 0 && strings.Trim(text, "0.") != "" {
		whole = "-" + whole
	}
	return whole
}
