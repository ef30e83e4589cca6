package racklist

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/sheettable"
	"github.com/plenum-planner/plenum/units"
)

// Bounds of a list.
const (
	MaxSize  = 4 << 20 // bytes
	MaxRacks = 20_000
)

const (
	longestName               = 64
	longestText               = 200
	longestLine               = 1 << 16 // bytes
	mostPosition              = 10_000
	farthest     units.Length = 10_000
	leastPower   units.Power  = 100 // less is a figure in kilowatts that was meant to have its unit
)

// Column is a column of a list.
type Column int

// The columns, in the order in which they are written.
const (
	Name Column = iota
	Row
	Position
	X
	Y
	Type
	Power
	Weight
	Units
	Turned
	Reserved
	For
	columns
)

var columnNames = [columns]string{
	"name", "row", "position", "x", "y", "type", "power", "weight", "units", "turned", "reserved", "reserved_for",
}

// withUnit are names of columns that state the unit of their values.
var withUnit = map[string]struct {
	column Column
	unit   string
}{
	"x_m": {X, "m"}, "y_m": {Y, "m"}, "x_mm": {X, "mm"}, "y_mm": {Y, "mm"}, "x_cm": {X, "cm"}, "y_cm": {Y, "cm"},
	"x_in": {X, "in"}, "y_in": {Y, "in"}, "x_ft": {X, "ft"}, "y_ft": {Y, "ft"}, "power_w": {
		Power,
		"W",
	}, "power_kw": {Power, "kW"}, "weight_kg": {Weight, "kg"},
}

// Rack is a rack, or a position that stays empty, as it is listed.
type Rack struct {
	Name, Row string
	Position  int           // 0 where it is not given
	X, Y      *units.Length // of its south-western corner, both or neither
	Type      string
	Power     units.Power // most that it supplies; 0 for that of its type, as of all limits
	Weight    units.Mass
	Units     int
	Turned    *bool // front faces north; nil where it is not said
	Reserved  bool
	For       string // what it is reserved for

	outer netboxOuter
	line  int
	at    [columns]int // where the values begin, in characters; 0 for columns that the list does not have
}

// List is a list of racks.
type List struct {
	File   string
	Racks  []Rack
	sheet  string  // of the workbook, "" for a text
	rows   [][]int // the racks of each row, by their numbers, once it is laid out
	netbox bool    // it is a table of racks of NetBox, with columns that say where they stand
}

// Place is where a value of rack i stands, or its line where the list has no such column.
func (l *List) Place(i int, c Column) diag.Position {
	r := &l.Racks[i]
	return diag.Position{File: l.File, Sheet: l.sheet, Line: r.line, Column: max(r.at[c], 1)}
}

// Load reads a list from a file; see Read. The list is nil only if the file cannot be read.
func Load(path string) (*List, error) {
	f, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, err
	}
	return Read(path, data)
}

// Read reads a list from a text, or from a workbook (.xlsx): there from the first sheet that has its columns. The error
// is a diag.List with every mistake. The list is never nil: it then has those racks whose lines are without a mistake,
// and their types may still be wrong.
func Read(name string, data []byte) (*List, error) {
	r := &reader{List: List{File: name}, named: map[string]int{}, stands: map[string]int{}}
	r.all(data)
	return &r.List, r.found.Err()
}

// reader reads a list line by line, so that one faulty line does no harm to the others.
type reader struct {
	List
	found  diag.List
	lines  *csvtable.Lines // nil for a workbook
	line   int
	header []heading      // nil before the first line
	titles int            // rows above the header that were not read yet
	plain  bool           // x or y of a rack have no unit
	named  map[string]int // line of each name
	stands map[string]int // line of each position of a row
	rack   Rack           // of the line at hand
	failed bool
	over   bool // there are more racks than may be
}

// heading is what the header says of a column.
type heading struct {
	column Column // -1 where there is none of the name
	unit   string // of its values, "" where they have their own
	netbox string // the column's name in NetBox, "other" if it is ignored, "" for a column of a list
}

func (r *reader) fail(column int, format string, args ...any) {
	r.failed = true
	r.found.Addf(diag.Position{File: r.File, Sheet: r.sheet, Line: r.line, Column: column}, format, args...)
}

// all reads the whole list, and then judges coordinates without a unit. It reads no lines under a header that is wrong.
func (r *reader) all(data []byte) {
	r.line = 1
	switch {
	case len(data) > MaxSize:
		r.fail(0, "the list is larger than %d MiB", MaxSize>>20)
		return
	case sheettable.IsBook(data):
		r.workbook(data)
	default:
		r.text(data)
	}
	if r.hasWrongHeader() {
		return // lines mean nothing under a header that is wrong
	}
	switch r.line = 1; {
	case len(r.found) > 0:
	case r.header == nil:
		r.fail(1, "the list is empty\nits first line names the columns: %s", strings.Join(columnNames[:], ","))
	case len(r.Racks) == 0:
		r.fail(1, "no rack is listed below the header")
	case r.plain:
		r.metres()
	}
}

// hasWrongHeader reports whether a header was read that has a mistake.
func (r *reader) hasWrongHeader() bool {
	return slices.ContainsFunc(r.header, func(h heading) bool { return h.column < 0 && h.netbox == "" })
}

// text reads a list in a text.
func (r *reader) text(data []byte) {
	r.lines = csvtable.NewLines(r.File, bytes.NewReader(data), longestLine)
	head, _ := io.ReadAll(io.LimitReader(csvtable.Text(r.File, bytes.NewReader(data)), longestLine))
	r.lines.Comma, r.titles, _ = csvtable.Find(head, isHeader)
	for !r.lines.AtEnd() && !r.found.Full() && !r.over && !r.hasWrongHeader() {
		line, err := r.lines.Next()
		r.line = r.lines.Number
		if r.refused(err) {
			continue
		}
		r.read(line)
	}
}

// workbook reads the first sheet of a workbook that has the columns of a list, or else the first that is not empty.
func (r *reader) workbook(data []byte) {
	r.refused(sheettable.Read(r.File, bytes.NewReader(data), func(b *sheettable.Book) error {
		filled := func(heads []string) bool { return strings.Join(heads, "") != "" }
		for _, is := range []func(heads []string) bool{isHeader, filled} {
			for _, name := range b.Sheets() {
				rows, err := b.Rows(name)
				if err != nil {
					continue // a chart
				}
				defer rows.Close()
				if head, ok, err := rows.Header(is); err == nil && ok {
					r.sheet = name
					return r.rows(rows, head)
				}
			}
		}
		return nil
	}))
}

// rows reads the rows of a sheet under the one that names the columns.
func (r *reader) rows(in *sheettable.Rows, head []string) error {
	for row := head; !r.found.Full() && !r.over && !r.hasWrongHeader(); {
		r.line = in.Place(0).Line
		fields := make([]field, len(row))
		for i, text := range row {
			fields[i] = field{strings.TrimSpace(csvtable.Unguard(text)), i + 1}
		}
		for r.header != nil && len(fields) < len(r.header) { // a sheet has no empty cells at the end of a row
			fields = append(fields, field{"", len(fields) + 1})
		}
		r.fields(fields)
		var err error
		if row, err = in.Read(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
	}
	return nil
}

// isHeader reports whether names of columns are those of a list, so that rows above them are titles.
func isHeader(heads []string) bool {
	return csvtable.Has(heads, "name") && slices.ContainsFunc(heads, func(head string) bool {
		_, is := withUnit[head]
		return is || head != "name" && slices.Contains(columnNames[:], head) || isNetBoxTable(heads)
	})
}

// field is one value of a line.
type field struct {
	text string
	at   int // in characters from 1
}

// read reads one line.
func (r *reader) read(line string) {
	if r.titles > 0 && line != "" {
		r.titles--
		return
	}
	if strings.Trim(line, " \t,;") == "" {
		return // spreadsheets write empty rows as commas alone
	}
	r.failed = false
	if fields, ok := r.split(line); ok {
		r.fields(fields)
	}
}

// fields reads the fields of a line.
func (r *reader) fields(fields []field) {
	r.failed = false
	switch {
	case !slices.ContainsFunc(fields, func(f field) bool { return f.text != "" }):
	case r.header == nil:
		r.head(fields)
	case len(fields) != len(r.header):
		r.fail(1, "%d values for %d columns", len(fields), len(r.header))
	case len(r.Racks) == MaxRacks:
		r.fail(1, "more than %d racks", MaxRacks)
		r.over = true
	default:
		r.readRack(fields)
	}
}

// split cuts a line into fields.
func (r *reader) split(line string) ([]field, bool) {
	values, err := r.lines.Split(line)
	if r.refused(err) {
		return nil, false
	}
	fields := make([]field, len(values))
	for i, v := range values {
		fields[i] = field{strings.TrimSpace(v.Text), v.Column}
	}
	return fields, true
}

// refused reports whether err is not nil, and records what it says of a line, the text or the workbook.
func (r *reader) refused(err error) bool {
	if err == nil {
		return false
	}
	r.failed = true
	var wrong *diag.Diagnostic
	var several diag.List
	if errors.As(err, &several) {
		r.found = append(r.found, several...)
	} else if errors.As(err, &wrong) {
		r.found.Add(*wrong)
	} else {
		r.found.Addf(diag.Position{File: r.File, Line: r.line, Column: 1}, "%v", err)
	}
	return true
}

// head reads the names of the columns.
func (r *reader) head(fields []field) {
	r.header = make([]heading, len(fields))
	var first [columns]int
	known := slices.Concat(columnNames[:], slices.Sorted(maps.Keys(withUnit)))
	heads := make([]string, len(fields))
	for i, f := range fields {
		heads[i] = csvtable.Head(f.text)
	}
	r.netbox = isNetBoxTable(heads)
	if r.netbox && !r.hasPlaces(heads) {
		return
	}
	if !r.netbox && !slices.ContainsFunc(heads, func(h string) bool { return slices.Contains(known, h) }) {
		r.fail(1, "no column has the name of one of a list of racks: this line has %s\nthe first line names the "+
			"columns, of which name is needed: %s", clip(strings.Join(heads, ", ")), strings.Join(known, ", "))
		r.header[0].column = -1
		return
	}
	for i, f := range fields {
		name := heads[i]
		h := heading{column: Column(slices.Index(columnNames[:], name))}
		if own, ok := withUnit[name]; ok {
			h = heading{column: own.column, unit: own.unit}
		}
		if r.netbox {
			h = netboxHeading(h, name, heads)
		}
		r.header[i] = h
		switch {
		case h.netbox != "":
		case f.text == "":
			r.fail(f.at, "column %d has no name\nremove it, or name it: %s", i+1, strings.Join(known, ", "))
		case h.column < 0:
			r.fail(f.at, "there is no column %q\n%s", clip(f.text),
				diag.Suggest(name, known, "remove it; the columns are "))
		case first[h.column] > 0:
			r.fail(f.at, "column %d is the %s too", first[h.column], columnNames[h.column])
			r.header[i].column = -1
		default:
			first[h.column] = i + 1
		}
	}
	if first[Name] == 0 && !r.failed {
		r.fail(1, "a column name is missing\nevery rack needs a name of its own")
		r.header[0].column = -1
	}
}

// rackName is what a rack or a row may be called.
var rackName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)

// readRack reads the line of a rack.
func (r *reader) readRack(fields []field) {
	r.rack = Rack{line: r.line}
	for i, f := range fields {
		h := r.header[i]
		if h.netbox != "" {
			r.netboxValue(h, f)
			continue
		}
		r.rack.at[h.column] = f.at
		if f.text != "" {
			r.value(h, f)
		}
	}
	rack := &r.rack
	switch other := r.named[rack.Name]; {
	case rack.Name == "" && !r.failed:
		r.fail(max(rack.at[Name], 1), "the name is missing\nevery rack needs a name of its own")
	case rack.Name == "":
	case other > 0:
		r.fail(rack.at[Name], "line %d is called %s too\nevery rack needs a name of its own", other, rack.Name)
	default:
		r.named[rack.Name] = r.line
	}
	switch {
	case r.failed:
	case rack.X == nil && rack.Y != nil:
		r.fail(max(rack.at[X], 1), "y is given, and x is missing")
	case rack.X != nil && rack.Y == nil:
		r.fail(max(rack.at[Y], 1), "x is given, and y is missing")
	case rack.For != "" && !rack.Reserved:
		r.fail(rack.at[For], "the rack is not reserved\nwrite yes under reserved")
	}
	if rack.Row != "" && rack.Position > 0 {
		at := fmt.Sprint(rack.Row, " ", rack.Position)
		if other := r.stands[at]; other > 0 {
			r.fail(rack.at[Position], "position %d of row %s is on line %d already", rack.Position, rack.Row, other)
		} else {
			r.stands[at] = r.line
		}
	}
	if r.netboxLimits(); !r.failed {
		r.Racks = append(r.Racks, *rack)
	}
}

// commaNumber is a number with a decimal comma, as spreadsheets of some countries write it between semicolons.
var commaNumber = regexp.MustCompile(`^-?[0-9]+,[0-9]+`)

// value reads a value that is not empty.
func (r *reader) value(h heading, f field) {
	rack := &r.rack
	text := f.text
	measured := h.column == X || h.column == Y || h.column == Power || h.column == Weight
	if measured && r.lines != nil && r.lines.Comma != ',' && commaNumber.MatchString(text) {
		text = strings.Replace(text, ",", ".", 1)
	}
	if h.column == X || h.column == Y {
		if _, err := strconv.ParseFloat(text, 64); err == nil && h.unit == "" {
			r.plain = true
		}
	}
	if h.unit != "" {
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			r.fail(f.at, "%q is not a number of %s", clip(text), h.unit)
			return
		}
		text += " " + h.unit
	}
	switch h.column {
	case Name, Row:
		if len(text) > longestName || !rackName.MatchString(text) {
			r.fail(f.at, "%q is not the name of a %s\nuse letters, digits and -._ between them, up to %d", clip(text),
				map[Column]string{Name: "rack", Row: "row"}[h.column], longestName)
		} else if h.column == Name {
			rack.Name = text
		} else {
			rack.Row = text
		}
	case Position:
		rack.Position = r.whole(f, "position of a row", mostPosition)
	case Units:
		rack.Units = r.whole(f, "number of rack units", 256)
	case X:
		rack.X = r.length(f, text)
	case Y:
		rack.Y = r.length(f, text)
	case Type:
		rack.Type = text
	case Power:
		var err error
		if rack.Power, err = units.ParsePower(text); err != nil {
			r.fail(f.at, "%v", err)
		} else if rack.Power < leastPower {
			r.fail(f.at, "%v is less than any rack draws\nwrite the unit, such as 12 kW, or name the column power_kw",
				rack.Power)
		}
	case Weight:
		var err error
		if rack.Weight, err = units.ParseMass(text); err != nil {
			r.fail(f.at, "%v", err)
		} else if rack.Weight <= 0 {
			r.fail(f.at, "a rack that bears nothing\nleave it empty for what its type bears")
		}
	case Turned:
		if is, ok := r.yes(f); ok {
			rack.Turned = &is
		}
	case Reserved:
		rack.Reserved, _ = r.yes(f)
	case For:
		if rack.For = csvtable.OneLine(text); len(text) > longestText {
			r.fail(f.at, "the text is longer than %d bytes", longestText)
		}
	}
}

// whole reads a number from 1 to most.
func (r *reader) whole(f field, what string, most int) int {
	n, err := strconv.Atoi(f.text)
	if err != nil || n < 1 || n > most {
		r.fail(f.at, "%q is not a %s\nwrite a number from 1 to %d", clip(f.text), what, most)
		return 0
	}
	return n
}

// length reads a coordinate.
func (r *reader) length(f field, text string) *units.Length {
	v, err := units.ParseLength(text)
	switch {
	case err != nil:
		r.fail(f.at, "%v", err)
	case v < 0 || v > farthest:
		r.fail(f.at, "%v is not within 0 to %v\nx and y count from the room's south-western corner", v, farthest)
	default:
		return &v
	}
	return nil
}

// yes reads yes or no.
func (r *reader) yes(f field) (is, ok bool) {
	if is, ok := csvtable.Mark(f.text); ok {
		return is, true
	}
	r.fail(f.at, "%q is neither yes nor no", clip(f.text))
	return false, false
}

// clip shortens a text for a message.
func clip(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return fmt.Sprint(string(r[:most]), "...")
	}
	return text
}
