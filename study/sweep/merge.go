package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/outfile"
)

// kind is what the values of a column are; each can hold those of the kinds before it.
type kind int

const (
	empty   kind = iota // null in every row
	truth               // true or false
	whole               // 64 bits
	decimal             // a floating-point number of 64 bits
	text
)

// tableColumn is a column of all rows.
type tableColumn struct {
	name string
	kind kind
}

// Table is the rows of all shards, in the order of the points. Every row is there once, from any shard.
type Table struct {
	Manifest
	Rows, Failed int // how many there are, and of how many the machine was refused or not all was measured
	columns      []tableColumn
	index        map[string]int
	sources      []source
}

// source is a shard and where it is read.
type source struct {
	dir   *Dir
	shard int
}

// An IncompleteError tells that shards are missing.
type IncompleteError struct {
	Path         string
	Done, Shards int
}

// Error says how many and what to do.
func (e *IncompleteError) Error() string {
	return fmt.Sprintf("%s has %d of %d shards: run the sweep with --resume, or merge what is there with --partial",
		e.Path, e.Done, e.Shards)
}

// NewTable finds the rows of a study in one directory, or in several that each have some of its shards. A shard that is
// in more than one must be the same in all. Without partial, all shards must be there: an *IncompleteError. It refuses
// an empty list of directories.
func NewTable(ctx context.Context, dirs []*Dir, partial bool) (*Table, error) {
	if len(dirs) == 0 {
		return nil, errors.New("the table of a study needs a directory with its results")
	}
	t := &Table{Manifest: dirs[0].Manifest, index: map[string]int{}}
	from := make([]*Dir, t.Shards)
	for _, d := range dirs {
		if d.Study != t.Study || d.Version != t.Version {
			return nil, fmt.Errorf("%s and %s have results of different studies, or of different versions of Plenum",
				dirs[0].Path, d.Path)
		}
		done, err := d.DoneShards()
		if err != nil {
			return nil, err
		}
		for _, shard := range done {
			if from[shard] == nil {
				from[shard] = d
			} else if err := same(from[shard].shardPath(shard), d.shardPath(shard)); err != nil {
				return nil, err
			}
		}
	}
	for shard, d := range from {
		if d != nil {
			t.sources = append(t.sources, source{d, shard})
		}
	}
	if len(t.sources) < t.Shards && !partial {
		return nil, &IncompleteError{dirs[0].Path, len(t.sources), t.Shards}
	}
	return t, t.scan(ctx)
}

// same refuses two files of one shard that differ.
func same(a, b string) error {
	x, err := os.ReadFile(a)
	if err != nil {
		return err
	}
	y, err := os.ReadFile(b)
	if err != nil {
		return err
	}
	if !bytes.Equal(x, y) {
		return fmt.Errorf("%s and %s are the same shard and differ: delete one of them", a, b)
	}
	return nil
}

// scan finds the columns and their kinds: what all tables have, the axes, then the figures of each measure, in the
// order in which points bring them in.
func (t *Table) scan(ctx context.Context) error {
	add := func(name string, k kind) {
		i, known := t.index[name]
		if !known {
			i = len(t.columns)
			t.index[name] = i
			t.columns = append(t.columns, tableColumn{name: name})
		}
		t.columns[i].kind = max(t.columns[i].kind, k)
	}
	add("point", whole)
	add("hash", text)
	for _, name := range t.Axes {
		add(name, empty)
	}
	add("repeat", whole)
	add("seed", whole)
	add("error", text)
	fixed := len(t.columns)
	err := t.each(ctx, func(r row) error {
		t.Rows++
		if r.failed {
			t.Failed++
		}
		for _, c := range r.cells {
			add(c.name, kindOf(c.value))
		}
		return nil
	})
	if err != nil {
		return err
	}
	measure := func(c tableColumn) int {
		head, _, _ := strings.Cut(c.name, ".")
		return slices.Index(t.Measured, head)
	}
	slices.SortStableFunc(t.columns[fixed:], func(a, b tableColumn) int { return measure(a) - measure(b) })
	for i, c := range t.columns {
		t.index[c.name] = i
		if c.kind == empty {
			t.columns[i].kind = text
		}
	}
	return nil
}

// kindOf is the least kind that holds a value.
func kindOf(value string) kind {
	switch {
	case value == "null":
		return empty
	case value == "true" || value == "false":
		return truth
	case value[0] == '"':
		return text
	}
	if _, err := strconv.ParseInt(value, 10, 64); err == nil {
		return whole
	}
	return decimal
}

// each calls do for every row, in order.
func (t *Table) each(ctx context.Context, do func(row) error) error {
	for _, s := range t.sources {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := s.dir.rows(s.shard, do); err != nil {
			return err
		}
	}
	return nil
}

// values puts the cells of a row in the order of the columns; those that it does not have are null.
func (t *Table) values(r row, into []string) []string {
	into = into[:0]
	for range t.columns {
		into = append(into, "null")
	}
	for _, c := range r.cells {
		into[t.index[c.name]] = c.value
	}
	return into
}

// rows calls do with the cells of every row, in the order of the columns.
func (t *Table) rows(ctx context.Context, do func(cells []string) error) error {
	var cells []string
	return t.each(ctx, func(r row) error {
		cells = t.values(r, cells)
		return do(cells)
	})
}

// CSV writes the table. What is null is empty.
func (t *Table) CSV(ctx context.Context, w io.Writer) error {
	return writeCSV(ctx, w, t.columns, t.rows)
}

// writeCSV writes a table whose rows each calls do with.
func writeCSV(ctx context.Context, w io.Writer, columns []tableColumn,
	each func(context.Context, func(cells []string) error) error,
) error {
	var names []string
	for _, c := range columns {
		names = append(names, string(csvtable.AppendText(nil, c.name)))
	}
	out := csvtable.NewWriter(ctx, w, names)
	err := each(ctx, func(cells []string) error {
		for _, v := range cells {
			switch {
			case v == "null":
				out.Empty(1)
			case v[0] == '"':
				out.Text(unquote(v))
			default:
				out.Append(1, func(row []byte) []byte { return append(row, v...) })
			}
		}
		return out.End()
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// The files of a merged study.
const (
	CSVName     = "results.csv"
	ParquetName = "results.parquet"
)

// Write writes the table into a directory as CSV and as Parquet, and where points are repeated their means with
// confidence intervals as summary.csv and summary.parquet; each file whole or not at all. It returns their paths, with
// an error those of the files before it.
func (t *Table) Write(ctx context.Context, dir string) ([]string, error) {
	type file struct {
		name  string
		write func(context.Context, io.Writer) error
	}
	files := []file{{CSVName, t.CSV}, {ParquetName, t.Parquet}}
	if t.Repeats > 1 {
		s := newSummary(t)
		files = append(files, file{SummaryCSVName, s.CSV}, file{SummaryParquetName, s.Parquet})
	}
	var paths []string
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		err := outfile.Write(ctx, path, func(w io.Writer) error { return f.write(ctx, w) })
		if err != nil {
			return paths, roomFor(dir, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}
