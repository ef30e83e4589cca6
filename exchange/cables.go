package exchange

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
)

// cableColumns are those of cables.csv that a list of what is cabled must have.
var cableColumns = []string{"a_device", "a_port", "b_device", "b_port"}

func isCableHead(heads []string) bool { return csvtable.Has(heads, cableColumns...) }

// ReadCables reads a table with the columns a_device, a_port, b_device and b_port, and product and polarity if there
// are such: the cables.csv of a plan, as it was filled in on the floor. Rows whose ends are both empty are cables that
// are not there; with a column done, or one of a name that means as much (csvtable.DoneColumns), those that have
// nothing there, or a word for no; see csvtable.Mark. Columns may stand in any order, under titles, with any separator.
// Ports that a spreadsheet has made dates of, as 01-Jan of 1/1, are read as what they were, and a note says so; where
// day and month may be exchanged, they are refused.
func ReadCables(path string, r io.Reader) (*Wiring, error) {
	return readTable(path, r, isCableHead, (*builder).cables)
}

// cables adds the cables of a table.
func (b *builder) cables(t *rows, heads []string) error {
	at, err := t.columns(heads, cableColumns...)
	if err != nil {
		return err
	}
	more := columnNumbers(heads, "product", "a_rack", "a_unit", "b_rack", "b_unit", "polarity")
	marks := newDoneMarks(heads)
	printed := map[int]bool{}
	rows, laid := 0, 0
	for {
		if ok, err := t.next(); !ok || err != nil {
			if err == nil {
				err = t.found.Err()
			}
			if rows > 0 && laid == 0 {
				b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s: no cable is done of the %s that it lists",
					filepath.Base(t.place(0).File), english.Grouped(int64(rows))))
			}
			return err
		}
		var ends [4]string
		empty := 0
		for i := range ends {
			if ends[i] = t.field(at[i]); ends[i] == "" {
				empty++
			}
		}
		if empty == len(ends) || slices.Equal(csvtable.Heads(ends[:]), cableColumns) { // names of columns on every page
			continue
		}
		if empty > 0 {
			t.wrong("one end of the cable is not named in full",
				"name device and port of both ends, or of none for a cable that is not there")
			continue
		}
		done, known := marks.read(t)
		if !known {
			continue
		}
		portA, okA := b.port(t, at[1])
		portB, okB := b.port(t, at[3])
		if !okA || !okB {
			continue
		}
		polarity, known := polarityIn(t.field(more[5]))
		if !known {
			t.wrongAt(more[5], fmt.Sprintf("polarity is %q, which is not a type of cable", clip(t.field(more[5]))),
				"types are A, B and C, of duplex cords A-to-B and A-to-A")
			continue
		}
		l := Link{
			A: End{Box: b.box(ends[0], ends[0]), Port: portA}, B: End{Box: b.box(ends[2], ends[2]), Port: portB},
			Product: t.field(more[0]), Polarity: string(polarity), Line: t.line(),
		}
		b.w.Boxes[l.A.Box].Listed, b.w.Boxes[l.B.Box].Listed = true, true
		for i, box := range []int{l.A.Box, l.B.Box} {
			if rack := t.field(more[1+2*i]); rack != "" && !printed[box] {
				printed[box] = true
				unit, _ := strconv.Atoi(t.field(more[2+2*i])) // 0 for none
				b.w.Printed = append(b.w.Printed, Place{Box: ends[2*i], Rack: rack, Unit: max(unit, 0), Line: t.line()})
			}
		}
		if rows++; done {
			laid++
			b.link(l)
		} else {
			b.w.Absent = append(b.w.Absent, l)
		}
	}
}

// polarityIn reads the type of a cable as people write it: b, Type B, A to B; "" where a field says nothing.
func polarityIn(text string) (cabling.Polarity, bool) {
	plain := strings.TrimPrefix(strings.ToLower(text), "type")
	plain = strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '/' {
			return -1
		}
		return r
	}, plain)
	switch plain {
	case "", "na":
		return "", true
	case "atob", "ab":
		return cabling.Crossed, true
	case "atoa", "aa":
		return cabling.Parallel, true
	}
	for _, p := range cabling.Polarities() {
		if plain == strings.ToLower(p) {
			return cabling.Polarity(p), true
		}
	}
	return "", false
}

// doneMarks are the columns of a table that say of each cable whether it is laid.
type doneMarks struct {
	at    []int
	heads []string
}

func newDoneMarks(heads []string) *doneMarks {
	return &doneMarks{csvtable.DoneColumns(heads), heads}
}

// read reports whether the cable of the row at hand is laid, which it is where the table has no such column. Columns
// that say nothing, or contradict each other, are a mistake; then ok is false.
func (d *doneMarks) read(t *rows) (done, ok bool) {
	first := -1 // the column that counts, of which the others may be empty
	for _, at := range d.at {
		text := t.field(at)
		is, known := csvtable.Mark(text)
		switch {
		case !known:
			t.wrongAt(at, fmt.Sprintf("%s is %q, which says neither that the cable is laid nor that it is not",
				d.heads[at], clip(text)), csvtable.MarkWords)
			return false, false
		case text == "":
		case first >= 0 && is != done:
			t.wrongAt(at, fmt.Sprintf("%s is %q and %s %q: one says that the cable is laid, the other that it is not",
				d.heads[first], clip(t.field(first)), d.heads[at], clip(text)), "correct one, or name a column done")
			return false, false
		default:
			first, done = at, is
		}
	}
	return done || len(d.at) == 0, true
}

// port is the port in a field. One that a spreadsheet has made a date of is what it was before; it is refused where
// that may be one of two.
func (b *builder) port(t *rows, field int) (string, bool) {
	text := t.field(field)
	first, second, order, dated := csvtable.NumbersOfDate(text)
	if !dated {
		return text, true
	}
	port := fmt.Sprintf("%d/%d", first, second)
	if !order {
		t.wrongAt(field, fmt.Sprintf("%q is a date, which a spreadsheet has made of port %s or %d/%d", text, port,
			second,
			first), "write the port again, in a column whose format is text")
		return "", false
	}
	if b.dates++; b.dates == 1 {
		b.dated = fmt.Sprintf("%s: line %d: %q is a date, which a spreadsheet has made of port %s; it is read as "+
			"that port",
			filepath.Base(t.place(0).File), t.line(), text, port)
	}
	return port, true
}

// clip shortens a text for a message.
func clip(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}

// readTable reads the rows of a table of a text, whose columns is knows.
func readTable(
	path string, r io.Reader, is func(heads []string) bool, read func(b *builder, t *rows, heads []string) error,
) (*Wiring, error) {
	t, b := newRows(path, r, ','), newBuilder()
	heads, err := t.heading(is)
	if err != nil {
		return nil, err
	}
	if err := read(b, t, heads); err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// finish returns the wiring, with what was passed over.
func (b *builder) finish() *Wiring {
	switch {
	case b.dates == 1:
		b.w.Notes = append(b.w.Notes, b.dated)
	case b.dates > 1:
		b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s; so are %s more", b.dated, english.Grouped(int64(b.dates-1))))
	}
	return b.w
}
