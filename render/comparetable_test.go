package render

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/units"
)

// The CSV and the Parquet file of a comparison have a row for each machine with the same values, those of the table.
func TestComparisonAsTables(t *testing.T) {
	c := compared(t, someTorus, oneNode, someTree)
	var text, binary bytes.Buffer
	if err := CompareCSV(context.Background(), &text, c); err != nil {
		t.Fatal(err)
	}
	if err := CompareParquet(context.Background(), &binary, c); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(lines) != len(c.Machines)+1 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(binary.Bytes()), int64(binary.Len()))
	if err != nil || f.NumRows() != int64(len(c.Machines)) {
		t.Fatal(err)
	}
	rows := make([]parquet.Row, len(c.Machines))
	if n, _ := f.RowGroups()[0].Rows().ReadRows(rows); n != len(rows) {
		t.Fatalf("%d rows", n)
	}
	fields := f.Schema().Fields()
	for k, name := range lines[0] {
		if k >= len(fields) || fields[k].Name() != name {
			t.Fatalf("column %d is not %s", k, name)
		}
		for i := range rows {
			cell, v := lines[i+1][k], rows[i][k]
			if v.IsNull() != (cell == "") {
				t.Errorf("%s of machine %d: %q and %v", name, i, cell, v)
			}
			if x, err := strconv.ParseFloat(cell, 64); err == nil && v.Kind() == parquet.Double && v.Double() != x {
				t.Errorf("%s of machine %d: %v and %v", name, i, x, v)
			}
		}
		for i := range c.Machines {
			m := &c.Machines[i]
			if want, ok := map[string]string{
				"machine": m.Machine, "nodes": strconv.Itoa(m.Nodes),
				"cost": strconv.FormatFloat(m.Cost.Total.Float(), 'g', -1, 64),
			}[name]; ok && csvtable.Unguard(lines[i+1][k]) != want {
				t.Errorf("%s of machine %d: %s, not %s", name, i, lines[i+1][k], want)
			}
		}
	}
}

// All numbers of a row have as many digits behind the point.
func TestOneFormatARow(t *testing.T) {
	for _, test := range []struct {
		values []any
		want   []string
	}{
		{[]any{units.Length(40573.2), units.Length(5935.7)}, []string{"40,573.2", "5,935.7"}},
		{[]any{units.Length(40573.2), units.Length(11594)}, []string{"40,573", "11,594"}},
		{[]any{85.876, 479.6, nil}, []string{"85.876", "479.600", "-"}},
		{[]any{0.0, 34442.2}, []string{"0", "34,442"}},
		{[]any{units.MoneyOf(1455.59), units.MoneyOf(260.63)}, []string{"1,455.59", "260.63"}},
		{[]any{units.MoneyOf(5962080), units.MoneyOf(0)}, []string{"5,962,080", "0"}},
		{[]any{int64(40573), int64(7)}, []string{"40,573", "7"}},
		{[]any{-0.0001, -1234.5, math.Inf(1)}, []string{"0.000", "-1,234.500", "-"}},
	} {
		r := CompareRow{Values: test.values}
		for i, want := range test.want {
			if got := r.Text(i); got != want {
				t.Errorf("%v: %s, want %s", test.values[i], got, want)
			}
		}
	}
}
