package names

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
)

// Most bytes of a table and of a line of it.
const (
	maxTable    = 256 << 20
	longestLine = 1 << 16
)

// Columns of a table of names.
const (
	boxColumn  = "box"
	nameColumn = "name"
)

// synonyms are the columns of other tables that say which box a line is about, the surest first: those of
// placement.csv, to which a column of names can be added.
var synonyms = []string{boxColumn, "address", "vertex", "label"}

// Entry is a line of a table of names.
type Entry struct {
	Name string
	At   diag.Position
}

// ReadTable reads a table of names, comma-separated values (RFC 4180) whose first line names the columns: box, which is
// what the box is called in a plan without the table, its label in the notation of the topology or the number of its
// vertex, and name, which it gets. In place of box there may be the columns address, vertex or label of a
// placement.csv; other columns are passed over, and the separator may be a semicolon. Boxes whose name is left empty
// are not in the result. The error is a diag.List with every mistake, up to the limit of such a list, or what reading
// failed with; the result is nil then.
func (n *Names) ReadTable(file string, r io.Reader) (map[int32]Entry, error) {
	limited := &io.LimitedReader{R: r, N: maxTable + 1}
	t := &tableReader{
		names: n, lines: csvtable.NewLines(file, limited, longestLine), out: map[int32]Entry{}, from: map[string]int{},
	}
	for !t.lines.AtEnd() && !t.found.Full() && (t.columns != nil || len(t.found) == 0) {
		line, err := t.lines.Next()
		var wrong *diag.Diagnostic
		if errors.As(err, &wrong) {
			t.found.Add(*wrong)
			continue
		}
		if err != nil {
			return nil, err
		}
		t.readLine(line)
	}
	if limited.N <= 0 {
		t.fail("the file is larger than %d MiB", maxTable>>20)
	}
	if t.columns == nil && len(t.found) == 0 {
		t.lines.Number = 1
		t.fail("the table is empty; its first line names the columns: %s,%s", boxColumn, nameColumn)
	}
	if err := t.found.Err(); err != nil {
		return nil, err
	}
	return t.out, nil
}

// tableReader reads a table line by line.
type tableReader struct {
	names   *Names
	lines   *csvtable.Lines
	columns []string // of the first line
	box     []int    // the columns that say which box it is
	name    int
	out     map[int32]Entry
	from    map[string]int // line of every name
	found   diag.List
}

func (t *tableReader) fail(format string, args ...any) {
	t.found.Addf(t.lines.At(1), format, args...)
}

// readLine reads one line.
func (t *tableReader) readLine(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	if t.columns == nil && !strings.Contains(line, ",") && strings.Contains(line, ";") {
		t.lines.Comma = ';'
	}
	values, err := t.lines.Split(line)
	var wrong *diag.Diagnostic
	if errors.As(err, &wrong) {
		t.found.Add(*wrong)
		return
	}
	fields := make([]string, len(values))
	for i, v := range values {
		fields[i] = strings.TrimSpace(v.Text)
	}
	if t.columns == nil {
		t.header(fields)
		return
	}
	if len(fields) != len(t.columns) {
		t.fail("%d values for %d columns", len(fields), len(t.columns))
		return
	}
	t.row(fields)
}

// header finds the columns.
func (t *tableReader) header(fields []string) {
	for i, f := range fields {
		fields[i] = strings.ToLower(f)
	}
	t.columns, t.name = fields, slices.Index(fields, nameColumn)
	for _, s := range synonyms {
		if at := slices.Index(fields, s); at >= 0 {
			t.box = append(t.box, at)
		}
	}
	if len(t.box) == 0 {
		t.fail("a column %s is needed, which says which box it is: by its present name, its address or the number of "+
			"its vertex", boxColumn)
	}
	if t.name < 0 {
		t.fail("a column %s is needed, with the name that the box gets", nameColumn)
	}
	if len(t.found) > 0 {
		t.columns = nil // nothing can be said of the other lines
	}
}

// row reads the name of a box. Where it is left empty, the box keeps the name it has.
func (t *tableReader) row(fields []string) {
	name := fields[t.name]
	if name == "" {
		return
	}
	v, ok := t.vertex(fields)
	if !ok {
		return
	}
	if err := CheckName(name); err != nil {
		t.fail("%v", err)
		return
	}
	if first, again := t.out[v]; again {
		t.fail("%s has a name on line %d already", t.names.who(int(v)), first.At.Line)
		return
	}
	if first, again := t.from[name]; again {
		t.fail("%q is the name of another box on line %d already", name, first)
		return
	}
	at := t.lines.At(1)
	t.out[v], t.from[name] = Entry{name, at}, at.Line
}

// vertex returns the box of a line by the first column of t.box that gives one; an address that several boxes have is
// passed over. It reports a mistake and returns false if no column does.
func (t *tableReader) vertex(fields []string) (int32, bool) {
	for _, column := range t.box {
		text := fields[column]
		switch t.columns[column] {
		case "vertex":
			n := topology.Vertices(t.names.graph)
			v, err := strconv.Atoi(text)
			if text != "" && (err != nil || v < 0 || v >= n) {
				t.fail("%q is not the number of a vertex: they are 0 to %d", text, n-1)
				return 0, false
			}
			if text != "" {
				return int32(v), true
			}
		case "address":
			if v, ok := t.names.FindByAddress(text); ok {
				return int32(v), true
			}
		default:
			if text == "" {
				continue
			}
			v, err := t.names.Find(text)
			if err != nil {
				t.fail("%v", err)
				return 0, false
			}
			return int32(v), true
		}
	}
	t.fail("the line names no box")
	return 0, false
}
