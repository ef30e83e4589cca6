package embed

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/topology"
)

// longestLine is the highest number of bytes in a line of a table.
const longestLine = 1 << 16

// ReadCSV reads the places of some or all vertices of a problem, as pins in the order of the lines, none of them
// locked. The error is that of reading r, or a diag.List with every mistake of the table: vertices and containers that
// do not exist or come twice, boxes that overlap or reach beyond their rack. Place checks whether a keep-out covers a
// rack position and whether racks can bear their load. A problem without a graph is an error.
func ReadCSV(name string, r io.Reader, p *Problem) ([]Pin, error) {
	if p.Graph == nil {
		return nil, errors.New("embed: no graph whose vertices could have places")
	}
	t := &tableReader{p: p, kinds: p.Graph.Kinds(), lines: csvtable.NewLines(name, r, longestLine)}
	t.vertexFinder = &vertexFinder{tableReader: t, names: p.vertexNames()}
	for !t.lines.AtEnd() && !t.found.Full() {
		line, err := t.lines.Next()
		if t.reportMistake(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.line = t.lines.Number
		t.read(line)
	}
	if t.header == nil && len(t.found) == 0 {
		t.lines.Number = 1
		t.fail(1, "the table is empty; its first line names the columns: %s", strings.Join(tableColumns[:xColumn], ","))
	}
	if err := t.found.Err(); err != nil {
		return nil, err
	}
	return t.pins, nil
}

// tableReader reads a table line by line. After a mistake in a line, it goes on with the next line.
type tableReader struct {
	p     *Problem
	kinds []topology.Kind
	lines *csvtable.Lines

	line   int          // the number of the present line
	header *tableHeader // nil before the first line
	*vertexFinder

	pins     []Pin
	found    diag.List
	listed   []int                        // line that lists each vertex, 0 for none
	slots    []int                        // line that takes each slot of containers, 0 for none
	units    map[rackKey][]int            // line that takes each unit, negative for a chassis, 0 for none
	chassis  map[chassisKey]*tableChassis // by place
	failures int                          // mistakes in the present line
}

// tableHeader has the order of the columns.
type tableHeader struct {
	fields int
	at     [tableColumnCount]int // index of the field of each column, -1 for a column that the table does not have
}

// has reports whether the table has a column.
func (h *tableHeader) has(c tableColumn) bool { return h.at[c] >= 0 }

// rackKey is a rack position: row from 0, number in the row from 1.
type rackKey struct{ row, rack int }

// chassisKey is a chassis of a kind in a rack.
type chassisKey struct {
	rackKey
	chassis, number int
}

// tableChassis is a chassis of the table.
type tableChassis struct {
	unit, line int
	cells      map[int]int // line that takes each cell
}

// fail reports a mistake in a column of the present line.
func (t *tableReader) fail(column int, format string, args ...any) {
	t.failures++
	t.found.Addf(t.lines.At(column), format, args...)
}

// reportMistake reports err if it is a mistake in the text of the table, and returns whether it is one.
func (t *tableReader) reportMistake(err error) bool {
	var wrong *diag.Diagnostic
	if !errors.As(err, &wrong) {
		return false
	}
	t.failures++
	t.found.Add(*wrong)
	return true
}

// tableField is one value of a line.
type tableField struct {
	text   string
	column int // of its first character in the line, from 1
}

// read reads one line.
func (t *tableReader) read(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	if t.header == nil {
		t.readHeader(line)
		return
	}
	t.failures = 0
	fields := t.split(line)
	if t.failures > 0 {
		return
	}
	if len(fields) != t.header.fields {
		t.fail(1, "%d values for %d columns", len(fields), t.header.fields)
		return
	}
	t.row(fields)
}

// readHeader reads the names of the columns.
func (t *tableReader) readHeader(line string) {
	if !strings.Contains(line, ",") && strings.Contains(line, ";") {
		t.lines.Comma = ';'
	}
	fields := t.split(line)
	t.header = &tableHeader{fields: len(fields)}
	for c := range t.header.at {
		t.header.at[c] = -1
	}
	var others []tableField
	for i, f := range fields {
		name := strings.ToLower(strings.TrimSpace(f.text))
		c := tableColumn(slices.Index(tableColumns[:], name))
		if c < 0 {
			others = append(others, f)
			continue
		}
		if t.header.has(c) {
			t.fail(f.column, "a second column %s", name)
		}
		t.header.at[c] = i
	}
	named := t.header.has(vertexColumn) || t.header.has(labelColumn) || t.header.has(addressColumn)
	if named && t.header.has(containerColumn) {
		return
	}
	for _, f := range others { // one of them is misspelt, perhaps
		if near, ok := diag.Closest(f.text, tableColumns[:xColumn]); ok {
			t.fail(f.column, "there is no column %q\ndid you mean %s?", f.text, near)
		}
	}
	if !named {
		t.fail(1, "a column vertex or label is needed")
	}
	if !t.header.has(containerColumn) {
		t.fail(1, "a column container is needed")
	}
}

// split cuts a line into fields.
func (t *tableReader) split(line string) []tableField {
	fields, err := t.lines.Split(line)
	if t.reportMistake(err) {
		return nil
	}
	out := make([]tableField, len(fields))
	for i, f := range fields {
		out[i] = tableField{f.Text, f.Column}
	}
	return out
}

// row reads a line with the place of a vertex.
func (t *tableReader) row(fields []tableField) {
	get := func(c tableColumn) tableField {
		if t.header.has(c) {
			return fields[t.header.at[c]]
		}
		return tableField{"", 1}
	}
	label := get(labelColumn)
	label.text = strings.TrimSpace(label.text)
	v, renumbered, ok := t.vertex(get(vertexColumn), label, get(addressColumn), get(kindColumn))
	if !ok {
		return
	}
	pin := Pin{Vertex: v, Renumbered: renumbered, Line: t.line, Label: label.text, Chassis: -1}
	if t.listed == nil {
		t.listed = make([]int, topology.Vertices(t.p.Graph))
	}
	if line := t.listed[v]; line > 0 {
		t.fail(get(vertexColumn).column, "%s is on line %d already", t.names.Name(int(v)), line)
		return
	}
	t.listed[v] = t.line
	var where func(pin *Pin, container, cell, unit tableField)
	if t.p.Tree != nil {
		where = t.inTree
		for _, c := range []tableColumn{unitColumn, faceColumn} {
			if f := get(c); f.text != "" {
				t.fail(f.column, "containers have no %s", tableColumns[c])
			}
		}
	} else {
		where = t.inRoom
		switch f := get(faceColumn); strings.ToLower(f.text) {
		case "", "front":
		case "rear":
			pin.Rear = true
		default:
			t.fail(f.column, "%q is not front or rear", f.text)
		}
	}
	where(&pin, get(containerColumn), get(cellColumn), get(unitColumn))
	if t.failures == 0 {
		t.pins = append(t.pins, pin)
	}
}
