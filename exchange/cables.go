package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// cableColumns are those of cables.csv that a list of what is cabled must have.
var cableColumns = []string{"a_device", "a_port", "b_device", "b_port"}

func isCables(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	for _, name := range cableColumns {
		if !bytes.Contains(line, []byte(name)) {
			return false
		}
	}
	return true
}

// cableRows yields the rows of a table of cables after its head, as they are cut into fields.
type cableRows struct {
	// next is the next row, until io.EOF.
	next func() ([]string, error)
	// place is where the row at hand stands.
	place func() diag.Position
}

// ReadCables reads a table with the columns a_device, a_port, b_device and b_port, and product if there is one: the
// cables.csv of a plan, as it was filled in on the floor. Rows whose ends are both empty are cables that are not there;
// with a column done, those that have nothing there, or a word for no. Columns may stand in any order.
func ReadCables(path string, r io.Reader) (*Wiring, error) {
	in := csvtable.NewReader(path, r)
	in.ReuseRecord = true
	b := newBuilder()
	err := b.cables(cableRows{
		next: func() ([]string, error) {
			row, err := in.Read()
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, asMistakes(err)
			}
			return row, err
		},
		place: func() diag.Position {
			line, _ := in.FieldPos(0)
			return diag.Position{File: path, Line: line, Column: 1}
		},
	})
	if err != nil {
		return nil, err
	}
	return b.w, nil
}

// notDone is what stands in the column done of a cable that is not laid.
var notDone = []string{"", "-", "0", "n", "no", "false"}

// cables adds the cables of a table.
func (b *builder) cables(in cableRows) error {
	header, err := in.next()
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, name := range header {
		at[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, name := range cableColumns {
		if _, ok := at[name]; !ok {
			return diag.List{{
				Pos: in.place(), Message: fmt.Sprintf("there is no column %s", name),
				Suggestion: diag.Suggest(name, header, "they are "),
			}}
		}
	}
	var found diag.List
	for len(found) < diag.Most {
		row, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		field := func(name string) string {
			if i, ok := at[name]; ok && i < len(row) {
				return strings.TrimSpace(csvtable.Unguard(row[i]))
			}
			return ""
		}
		var ends [4]string
		empty := 0
		for i, name := range cableColumns {
			if ends[i] = field(name); ends[i] == "" {
				empty++
			}
		}
		if empty == len(ends) {
			continue
		}
		if empty > 0 {
			found = append(found, diag.Diagnostic{
				Pos: in.place(), Message: "one end of the cable is not named in full",
				Suggestion: "name device and port of both ends, or of none for a cable that is not there",
			})
			continue
		}
		l := Link{
			A: End{Box: b.box(ends[0], ends[0]), Port: ends[1]}, B: End{Box: b.box(ends[2], ends[2]), Port: ends[3]},
			Product: field("product"), Line: in.place().Line,
		}
		b.w.Boxes[l.A.Box].Listed, b.w.Boxes[l.B.Box].Listed = true, true
		if _, marked := at["done"]; !marked || !slices.Contains(notDone, strings.ToLower(field("done"))) {
			b.link(l)
		}
	}
	return found.Err()
}

// asMistakes makes a list of a mistake in the text or the table; any other error stays what it is.
func asMistakes(err error) error {
	if wrong := (*diag.Diagnostic)(nil); errors.As(err, &wrong) {
		return diag.List{*wrong}
	}
	return err
}
