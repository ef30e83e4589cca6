package embed

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// A placement as a table, in comma-separated values (RFC 4180) of these
// columns:
//
//	vertex     number of the vertex, from 0
//	label      its address in the notation of its family
//	kind       node, switch, leaf, ...
//	container  rack ("A03"), chassis ("A03/midplane2") or nested container
//	           ("cube4-0.2.3"), as in the cable schedule
//	cell       in the chassis or nested container, from 1, across the width or
//	           along x first
//	unit       lowest rack unit, that of the chassis for a box in one
//	face       front or rear: at which side of the rack the box has its front
//
// Read, a table needs container and one of vertex and label; columns may come
// in any order, others are passed over, and the separator may be a semicolon. A
// rack may be written as row B/rack 3 or row 2/rack 3 too. What a spreadsheet
// would take for a formula has an apostrophe before it.
var tableColumns = []string{"vertex", "label", "kind", "container", "cell", "unit", "face"}

// WriteCSV writes the place of every vertex of g, in their order.
func WriteCSV(ctx context.Context, w io.Writer, g topology.Graph, pl *Placement) error {
	out := bufio.NewWriterSize(w, 1<<16)
	row := append([]byte(strings.Join(tableColumns, ",")), '\r', '\n')
	l := pl.Layout
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			if v%checkEvery == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			slot := pl.Slot[v]
			row = strconv.AppendInt(row, int64(v), 10)
			row = appendCell(append(row, ','), g.Label(v))
			row = appendCell(append(row, ','), k.Name)
			row = appendCell(append(row, ','), l.Innermost(slot))
			row = append(row, ',')
			if cell := l.Cell(slot); cell >= 0 {
				row = strconv.AppendInt(row, int64(cell)+1, 10)
			}
			row = append(row, ',')
			switch {
			case l.Room == nil:
				row = append(row, ',')
			case l.Rear(slot):
				row = append(strconv.AppendInt(row, int64(l.Unit(slot)), 10), ",rear"...)
			default:
				row = append(strconv.AppendInt(row, int64(l.Unit(slot)), 10), ",front"...)
			}
			row = append(row, '\r', '\n')
			if _, err := out.Write(row); err != nil {
				return err
			}
			row = row[:0]
		}
	}
	return out.Flush()
}

// checkEvery is the number of rows after which a cancelled context is noticed.
const checkEvery = 1 << 13

// marks are what a spreadsheet takes for the beginning of a formula. A text
// that begins with one, or with the apostrophe that guards it, gets an
// apostrophe before it.
const marks = "=+-@'"

// oneLine is a text as it stands in a table: without line breaks and other
// control characters.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
}

// appendCell appends a text as a field, in quotes if it needs them.
func appendCell(b []byte, s string) []byte {
	s = oneLine(s)
	if s != "" && strings.IndexByte(marks, s[0]) >= 0 {
		s = "'" + s
	}
	if !strings.ContainsAny(s, `,;"`) && strings.TrimSpace(s) == s {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

// A TableError is a mistake in a table of places.
type TableError struct {
	File         string
	Line, Column int // from 1; columns count characters
	Message      string
}

func (e *TableError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// TableErrors are the mistakes in a table, in the order of its lines.
type TableErrors []*TableError

func (e TableErrors) Error() string {
	var b strings.Builder
	for i, m := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(m.Error())
	}
	if len(e) >= mostTableErrors {
		fmt.Fprintf(&b, "\nthere may be more than these %d mistakes", len(e))
	}
	return b.String()
}

// Limits of a table.
const (
	mostTableErrors = 200
	longestLine     = 1 << 16 // bytes
)

// ReadCSV reads the places of some or all vertices of a problem. The error is
// TableErrors with every mistake of the table, or what reading r failed with:
// vertices and containers that do not exist or come twice, boxes that overlap
// or reach beyond their rack. Whether a keep-out is in the way of a rack, and
// whether racks bear the load, is left to Place. closest, if set, finds the
// word nearest to a misspelt one.
func ReadCSV(name string, r io.Reader, p *Problem, closest func(word string, words []string) (string, bool)) ([]Pin, error) {
	t := &table{name: name, p: p, kinds: p.Graph.Kinds(), closest: closest, line: 1}
	if t.closest == nil {
		t.closest = func(string, []string) (string, bool) { return "", false }
	}
	in := bufio.NewReaderSize(r, longestLine)
	for ; ; t.line++ {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			t.fail(1, "the line is longer than %d bytes", longestLine)
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
			line = nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		t.read(strings.TrimRight(string(line), "\r\n"))
		if err != nil || len(t.found) >= mostTableErrors {
			break
		}
	}
	if t.columns == nil && len(t.found) == 0 {
		t.line = 1
		t.fail(1, "the table is empty; its first line names the columns: %s", strings.Join(tableColumns, ","))
	}
	if len(t.found) > 0 {
		return nil, t.found
	}
	return t.pins, nil
}

// table is a table being read.
type table struct {
	name    string
	p       *Problem
	kinds   []topology.Kind
	closest func(string, []string) (string, bool)

	line      int
	separator byte
	columns   map[string]int // by name; nil before the first line
	labels    map[string]int32
	shared    map[string]bool // labels of several vertices
	names     []string        // of all labels

	pins     []Pin
	found    TableErrors
	listed   []int              // line of each vertex, 0 for none
	slots    []int              // line of each slot of nested containers
	units    map[[2]int][]int   // line of each unit, by row and rack; negative for a chassis
	chassis  map[[4]int]*seated // by row, rack, kind and number
	failures int                // of the line that is being read
}

// seated is a chassis of the table.
type seated struct {
	unit, line int
	cells      map[int]int // line of each
}

func (t *table) fail(column int, format string, args ...any) {
	t.failures++
	if len(t.found) < mostTableErrors {
		t.found = append(t.found, &TableError{t.name, t.line, column, fmt.Sprintf(format, args...)})
	}
}

// field is one value of a line.
type field struct {
	text   string
	column int
}

// read reads one line.
func (t *table) read(line string) {
	if t.line == 1 {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	if strings.TrimSpace(line) == "" {
		return
	}
	if !utf8.ValidString(line) {
		t.fail(1, "the line is not UTF-8 text")
		return
	}
	if t.columns == nil {
		t.header(line)
		return
	}
	t.failures = 0
	fields := t.split(line)
	if t.failures > 0 {
		return
	}
	if len(fields) != t.columns[""] {
		t.fail(1, "%d values for %d columns", len(fields), t.columns[""])
		return
	}
	t.row(fields)
}

// header reads the names of the columns.
func (t *table) header(line string) {
	t.separator = ','
	if !strings.Contains(line, ",") && strings.Contains(line, ";") {
		t.separator = ';'
	}
	fields := t.split(line)
	t.columns = map[string]int{"": len(fields)}
	var others []field
	for i, f := range fields {
		name := strings.ToLower(strings.TrimSpace(f.text))
		if !slices.Contains(tableColumns, name) {
			others = append(others, f)
			continue
		}
		if _, again := t.columns[name]; again {
			t.fail(f.column, "a second column %s", name)
		}
		t.columns[name] = i
	}
	_, vertex := t.columns["vertex"]
	_, label := t.columns["label"]
	_, container := t.columns["container"]
	if vertex || label {
		if container {
			return
		}
	}
	for _, f := range others { // one of them is misspelt, perhaps
		if near, ok := t.closest(f.text, tableColumns); ok {
			t.fail(f.column, "there is no column %q; did you mean %s?", f.text, near)
		}
	}
	if !vertex && !label {
		t.fail(1, "a column vertex or label is needed")
	}
	if !container {
		t.fail(1, "a column container is needed")
	}
}

// split cuts a line into fields.
func (t *table) split(line string) []field {
	var out []field
	for at := 0; ; at++ {
		column := utf8.RuneCountInString(line[:at]) + 1
		text := ""
		if at < len(line) && line[at] == '"' {
			var b strings.Builder
			closed := false
			for at++; at < len(line); at++ {
				if line[at] != '"' {
					b.WriteByte(line[at])
				} else if at+1 < len(line) && line[at+1] == '"' {
					b.WriteByte('"')
					at++
				} else {
					closed = true
					at++
					break
				}
			}
			if !closed {
				t.fail(column, "this quotation mark is never closed")
				return nil
			}
			if at < len(line) && line[at] != t.separator {
				t.fail(utf8.RuneCountInString(line[:at])+1, "expected %q after the quotation mark", string(t.separator))
				return nil
			}
			text = b.String()
		} else {
			end := strings.IndexByte(line[at:], t.separator)
			if end < 0 {
				end = len(line) - at
			}
			text = strings.TrimSpace(line[at : at+end])
			if strings.Contains(text, `"`) {
				t.fail(column, "a quotation mark inside a value: put the value in quotes and double the mark")
				return nil
			}
			at += end
		}
		if len(text) > 1 && text[0] == '\'' && strings.IndexByte(marks, text[1]) >= 0 {
			text = text[1:]
		}
		out = append(out, field{text, column})
		if at >= len(line) {
			return out
		}
	}
}

// row reads a line with the place of a vertex.
func (t *table) row(fields []field) {
	get := func(name string) field {
		if i, ok := t.columns[name]; ok {
			return fields[i]
		}
		return field{"", 1}
	}
	v, ok := t.vertex(get("vertex"), get("label"), get("kind"))
	if !ok {
		return
	}
	pin := Pin{Vertex: v, Line: t.line, Chassis: -1}
	if t.listed == nil {
		t.listed = make([]int, topology.Vertices(t.p.Graph))
	}
	if line := t.listed[v]; line > 0 {
		t.fail(get("vertex").column, "vertex %s is on line %d already", t.p.Graph.Label(int(v)), line)
		return
	}
	t.listed[v] = t.line
	var where func(pin *Pin, container, cell, unit field)
	if t.p.Tree != nil {
		where = t.inTree
		for _, name := range []string{"unit", "face"} {
			if f := get(name); f.text != "" {
				t.fail(f.column, "nested containers have no %s", name)
			}
		}
	} else {
		where = t.inRoom
		switch f := get("face"); strings.ToLower(f.text) {
		case "", "front":
		case "rear":
			pin.Rear = true
		default:
			t.fail(f.column, "%q is not front or rear", f.text)
		}
	}
	where(&pin, get("container"), get("cell"), get("unit"))
	if t.failures == 0 {
		t.pins = append(t.pins, pin)
	}
}

// vertex finds the vertex of a line.
func (t *table) vertex(number, label, kind field) (int32, bool) {
	g := t.p.Graph
	n := topology.Vertices(g)
	v := int32(-1)
	label.text = strings.TrimSpace(label.text)
	switch {
	case number.text != "":
		x, err := strconv.Atoi(number.text)
		if err != nil || x < 0 || x >= n {
			t.fail(number.column, "%q is no number of a vertex: they are 0 to %d", number.text, n-1)
			return 0, false
		}
		v = int32(x)
		if label.text != "" && label.text != written(g.Label(x)) {
			t.fail(label.column, "vertex %d is %s, not %s", x, g.Label(x), label.text)
			return 0, false
		}
	case label.text == "":
		t.fail(label.column, "the line names no vertex")
		return 0, false
	default:
		t.index()
		switch found, ok := t.labels[label.text]; {
		case !ok:
			near := ""
			if best, ok := t.nearest(label.text); ok {
				near = "; did you mean " + best + "?"
			}
			t.fail(label.column, "there is no vertex %s%s", label.text, near)
			return 0, false
		case t.shared[label.text]:
			t.fail(label.column, "several vertices are called %s: give the number in a column vertex", label.text)
			return 0, false
		default:
			v = found
		}
	}
	if have := t.kinds[topology.KindOf(t.kinds, int(v))].Name; kind.text != "" && kind.text != have {
		t.fail(kind.column, "%s is a %s, not a %s", g.Label(int(v)), have, kind.text)
		return 0, false
	}
	return v, true
}

// written is a label as a reader of the table sees it.
func written(label string) string { return strings.TrimSpace(oneLine(label)) }

// index finds vertices by their labels.
func (t *table) index() {
	if t.labels != nil {
		return
	}
	n := topology.Vertices(t.p.Graph)
	t.labels, t.shared = make(map[string]int32, n), map[string]bool{}
	for v := range n {
		label := written(t.p.Graph.Label(v))
		if _, again := t.labels[label]; again {
			t.shared[label] = true
		}
		t.labels[label] = int32(v)
	}
}

// mostSearched is how many labels are compared with a misspelt one, and
// longestSearched how long that may be.
const (
	mostSearched    = 1 << 16
	longestSearched = 100
)

func (t *table) nearest(label string) (string, bool) {
	if len(t.labels) > mostSearched || len(label) > longestSearched || len(t.found) > 20 {
		return "", false
	}
	if t.names == nil {
		for l := range t.labels {
			t.names = append(t.names, l)
		}
		slices.Sort(t.names)
	}
	return t.closest(label, t.names)
}

// number reads a number from 1 to most.
func (t *table) number(f field, what string, most int) (int, bool) {
	n, err := strconv.Atoi(f.text)
	switch {
	case f.text == "":
		t.fail(f.column, "a %s is missing", what)
	case err != nil:
		t.fail(f.column, "%q is no %s", f.text, what)
	case n < 1 || n > most:
		t.fail(f.column, "%s %d: they are 1 to %d", what, n, most)
	default:
		return n, true
	}
	return 0, false
}

// inTree reads a place in nested containers.
func (t *table) inTree(pin *Pin, container, cell, _ field) {
	tree := t.p.Tree
	last := len(tree.Levels) - 1
	at, rest := 0, container.text // number of the container so far
	if last == 0 && rest == tree.Levels[0].Name {
		rest = ""
	}
	for i := 1; i <= last; i++ {
		up := &tree.Levels[i-1]
		prefix := tree.Levels[i].Name + "-"
		if i > 1 {
			prefix = "/" + prefix
		}
		after, ok := strings.CutPrefix(rest, prefix)
		index, tail, more := strings.Cut(after, "/")
		if more {
			tail = "/" + tail
		}
		var x [3]int
		parts := strings.Split(index, ".")
		for a := range x {
			n, err := -1, error(nil)
			if len(parts) == 3 {
				n, err = strconv.Atoi(parts[a])
			}
			ok = ok && err == nil && n >= 0 && n < up.Count[a]
			x[a] = n
		}
		if !ok {
			t.fail(container.column, "%q is no container of the last level: the last is %s", container.text, lastContainer(tree))
			return
		}
		at = at*product(up.Count[:]) + (x[2]*up.Count[1]+x[1])*up.Count[0] + x[0]
		rest = tail
	}
	if rest != "" {
		t.fail(container.column, "%q is no container of the last level: the last is %s", container.text, lastContainer(tree))
		return
	}
	cells := tree.Cells(last)
	n := 1
	if cells > 1 || cell.text != "" {
		var ok bool
		if n, ok = t.number(cell, "cell", cells); !ok {
			return
		}
	}
	pin.Slot = int32(at*cells + n - 1)
	if t.slots == nil {
		t.slots = make([]int, tree.Cells(0))
	}
	if line := t.slots[pin.Slot]; line > 0 {
		t.fail(container.column, "this place is taken by line %d", line)
		return
	}
	t.slots[pin.Slot] = t.line
}

// lastContainer is the name of the last container of the innermost level.
func lastContainer(tree *layout.Tree) string {
	var b strings.Builder
	for i := 1; i < len(tree.Levels); i++ {
		if i > 1 {
			b.WriteByte('/')
		}
		c := tree.Levels[i-1].Count
		fmt.Fprintf(&b, "%s-%d.%d.%d", tree.Levels[i].Name, c[0]-1, c[1]-1, c[2]-1)
	}
	if b.Len() == 0 {
		return tree.Levels[0].Name
	}
	return b.String()
}

// inRoom reads a place in a rack.
func (t *table) inRoom(pin *Pin, container, cell, unit field) {
	rest, ok := t.rack(pin, container)
	if !ok {
		return
	}
	kind := topology.KindOf(t.kinds, int(pin.Vertex))
	k := &t.p.Kinds[kind]
	limit := t.p.Room.Rack.Units
	if k.Chassis < 0 {
		if rest != "" {
			t.fail(container.column, "a %s stands in the rack itself, not in %q", t.kinds[kind].Name, strings.TrimPrefix(rest, "/"))
			return
		}
		if cell.text != "" {
			t.fail(cell.column, "a %s stands in the rack itself, which has no cells", t.kinds[kind].Name)
			return
		}
		if pin.Unit, ok = t.number(unit, "unit", max(limit-k.Box.Units+1, 0)); ok {
			t.occupy(pin, unit, k.Box.Units, false)
		}
		return
	}
	pin.Chassis = k.Chassis
	c := &t.p.Chassis[k.Chassis]
	digits, named := strings.CutPrefix(rest, "/"+c.Name)
	n, err := strconv.Atoi(digits)
	if !named || err != nil || n < 1 || n > limit {
		t.fail(container.column, "a %s stands in a chassis: write its number after the rack, as in A01/%s1", t.kinds[kind].Name, c.Name)
		return
	}
	pin.Number = n
	place, ok := t.number(cell, "cell", c.Cells())
	if !ok {
		return
	}
	pin.Cell = place - 1
	if pin.Unit, ok = t.number(unit, "unit", max(limit-c.Units+1, 0)); !ok {
		return
	}
	if t.chassis == nil {
		t.chassis = map[[4]int]*seated{}
	}
	key := [4]int{pin.Row, pin.Rack, pin.Chassis, pin.Number}
	seat := t.chassis[key]
	if seat == nil {
		seat = &seated{pin.Unit, t.line, map[int]int{}}
		if !t.occupy(pin, unit, c.Units, true) {
			return
		}
		t.chassis[key] = seat
	}
	if seat.unit != pin.Unit {
		t.fail(unit.column, "the chassis is at unit %d on line %d", seat.unit, seat.line)
		return
	}
	if line, again := seat.cells[pin.Cell]; again {
		t.fail(cell.column, "this cell is taken by line %d", line)
		return
	}
	seat.cells[pin.Cell] = t.line
}

// occupy takes units of a rack.
func (t *table) occupy(pin *Pin, at field, height int, chassis bool) bool {
	if t.units == nil {
		t.units = map[[2]int][]int{}
	}
	key := [2]int{pin.Row, pin.Rack}
	if t.units[key] == nil {
		t.units[key] = make([]int, t.p.Room.Rack.Units)
	}
	taken := t.units[key][pin.Unit-1 : pin.Unit-1+height]
	for i, line := range taken {
		if line != 0 {
			what := "box"
			if line < 0 {
				what, line = "chassis", -line
			}
			t.fail(at.column, "unit %d is taken by the %s of line %d", pin.Unit+i, what, line)
			return false
		}
	}
	for i := range taken {
		if taken[i] = t.line; chassis {
			taken[i] = -t.line
		}
	}
	return true
}

// rack reads the rack from the beginning of a container's name and returns the
// rest: A03, row A/rack 3, row 1/rack 3.
func (t *table) rack(pin *Pin, container field) (rest string, ok bool) {
	text := container.text
	row, rack := "", ""
	if after, long := strings.CutPrefix(text, "row "); long {
		var tail string
		row, tail, _ = strings.Cut(after, "/")
		tail, ok = strings.CutPrefix(tail, "rack ")
		if !ok {
			t.fail(container.column, "%q is no rack: write A03 or row A/rack 3", text)
			return "", false
		}
		rack, rest, ok = strings.Cut(tail, "/")
	} else {
		row, rest, ok = strings.Cut(text, "/")
		letters := strings.TrimRight(row, "0123456789")
		row, rack = letters, row[len(letters):]
	}
	if ok {
		rest = "/" + rest
	}
	n := rowNumber(row)
	x, err := strconv.Atoi(rack)
	s := t.p.Room
	switch {
	case n < 0 || err != nil || x < 1:
		t.fail(container.column, "%q is no rack: write A03 or row A/rack 3", text)
	case s.Rows > 0 && n >= s.Rows:
		t.fail(container.column, "row %s: the room has %d rows, the last is %s", row, s.Rows, layout.RowName(s.Rows-1))
	case s.PerRow > 0 && x > s.PerRow:
		t.fail(container.column, "rack %d: a row has %d", x, s.PerRow)
	case n >= mostRow || x > mostRow:
		t.fail(container.column, "%q is beyond the largest room", text)
	default:
		pin.Row, pin.Rack = n, x
		return rest, true
	}
	return "", false
}

// mostRow bounds rows and racks of a row in a room of unknown size.
const mostRow = 1 << 11

// rowNumber is the number from 0 of a row called by letters, as RowName does,
// or by a number from 1; -1 for anything else.
func rowNumber(name string) int {
	if n, err := strconv.Atoi(name); err == nil && n > 0 && n <= layout.MaxPlaces {
		return n - 1
	}
	if name == "" || len(name) > 5 {
		return -1
	}
	n := 0
	for _, c := range name {
		if c < 'A' || c > 'Z' {
			return -1
		}
		n = 26*n + int(c-'A') + 1
	}
	return n - 1
}
