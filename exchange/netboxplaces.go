package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
)

// The columns by which tables of devices and of racks are known.
var (
	netboxDeviceColumns = []string{"name", "rack", "position", "site"}
	netboxRackColumns   = []string{"name", "site"}
)

// isNetBoxPlace reports whether a table has the columns of devices or of racks.
func isNetBoxPlace(heads []string) bool {
	return csvtable.Has(heads, netboxDeviceColumns...) || netboxHeight(heads) >= 0 &&
		csvtable.Has(heads, netboxRackColumns...) && !slices.Contains(heads, "manufacturer")
}

// netboxHeight is the column of the height of racks, as the form and as the list call it.
func netboxHeight(heads []string) int {
	at := columnNumbers(heads, "u_height", "height")
	return max(at[0], at[1])
}

// ReadNetBoxPlaces reads the tables of devices and of racks of NetBox: those of the import forms, or those that it
// exports from its lists.
func ReadNetBoxPlaces(path string, r io.Reader) (*Wiring, error) {
	return readTable(path, r, isNetBoxPlace, (*builder).netboxPlaces)
}

func (b *builder) netboxPlaces(t *rows, heads []string) error {
	at, err := t.columns(heads, "name")
	if err != nil {
		return err
	}
	name, height := at[0], netboxHeight(heads)
	more := columnNumbers(heads, "rack", "position", "face", "desc_units", "descending_units", "starting_unit")
	devices := csvtable.Has(heads, netboxDeviceColumns...)
	for {
		if more, err := t.next(); !more || err != nil {
			if err == nil {
				err = t.found.Err()
			}
			return err
		}
		box := t.field(name)
		if box == "" {
			continue // NetBox has devices without names
		}
		if !devices {
			units, _, ok := netboxUnit(t.field(height))
			if !ok {
				t.wrongAt(height, fmt.Sprintf("the height %q", t.field(height)), "expected a number of rack units")
			}
			column := max(more[3], more[4])
			top, ok := csvtable.Mark(t.field(column))
			if !ok {
				t.wrongAt(column, fmt.Sprintf("desc_units is %q", t.field(column)), "expected true or false")
			}
			start, _, ok := netboxUnit(t.field(more[5]))
			if !ok {
				t.wrongAt(more[5], fmt.Sprintf("the starting unit %q", t.field(more[5])), "expected the number of a "+
					"unit")
			}
			b.w.Racks = append(b.w.Racks, Rack{Name: box, Units: units, FromTop: top, Start: start, Line: t.line()})
			continue
		}
		unit, half, ok := netboxUnit(t.field(more[1]))
		if !ok {
			t.wrongAt(more[1], fmt.Sprintf("the position %q", t.field(more[1])), "expected the number of a rack unit")
		}
		b.w.Places = append(b.w.Places, Place{
			Box: box, Rack: t.field(more[0]), Unit: unit, Half: half, Face: netboxFace(t.field(more[2])),
			Line: t.line(),
		})
	}
}

// netboxFace is the face of a rack at which a device is mounted.
func netboxFace(text string) string {
	if text = strings.ToLower(text); text == "front" || text == "rear" {
		return text
	}
	return ""
}

// netboxUnit is a number of rack units, which NetBox has in halves.
func netboxUnit(text string) (unit int, half, ok bool) {
	text = strings.TrimSpace(strings.TrimSuffix(strings.ToLower(text), "u"))
	if text == "" || text == "—" {
		return 0, false, true
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n < 1000) {
		return 0, false, false
	}
	return int(n), n != math.Floor(n), true
}

// netboxThing is an element of any list: a cable, a device or a rack. A device has its height with its type, and the
// values of a rack's type, where it has one, count before its own.
type netboxThing struct {
	ID       int64           `json:"id"`
	Name     string          `json:"name"`
	Rack     netboxText      `json:"rack"`
	Position *float64        `json:"position"`
	Face     netboxText      `json:"face"`
	Height   *float64        `json:"u_height"`
	FromTop  *bool           `json:"desc_units"`
	Start    *float64        `json:"starting_unit"`
	RackType *netboxThing    `json:"rack_type"`
	Type     json.RawMessage `json:"device_type"`
	A        json.RawMessage `json:"a_terminations"`
	OneA     json.RawMessage `json:"termination_a"`
	Results  json.RawMessage `json:"results"`
}

// readNetBoxJSON reads what the REST API of NetBox answers: cables, devices or racks.
func readNetBoxJSON(path string, r io.Reader) (*Wiring, error) {
	data, err := io.ReadAll(csvtable.Text(path, r))
	if err != nil {
		return nil, diag.AsList(err)
	}
	w, cables := &Wiring{}, false
	units := func(n *float64) int {
		if n == nil || *n < 0 || *n > 1000 {
			return 0
		}
		return int(*n)
	}
	all, err := netboxList(path, data, func(x *netboxThing, line int) (int64, error) {
		switch {
		case x.Results != nil:
			at := diag.Position{File: path, Line: line, Column: 1}
			return 0, diag.List{*at.Errorf("an answer within a list\ngive every answer of NetBox by itself, or one " +
				"after " +
				"the other")}
		case x.A != nil || x.OneA != nil:
			cables = true
		case x.Name == "":
		case x.Type != nil:
			var of netboxThing
			_ = json.Unmarshal(x.Type, &of) // the type may be a number or a name
			p := Place{
				Box: plainText(x.Name), Rack: plainText(string(x.Rack)), Unit: units(x.Position),
				Face: netboxFace(string(x.Face)), Line: line,
			}
			p.Half = p.Unit > 0 && *x.Position != math.Floor(*x.Position)
			if of.Height != nil && *of.Height > 0 && *of.Height <= 1000 {
				p.Height = *of.Height
			}
			w.Places = append(w.Places, p)
		case x.Height != nil || x.RackType != nil:
			if of := x.RackType; of != nil {
				x.Height, x.FromTop = cmp.Or(of.Height, x.Height), cmp.Or(of.FromTop, x.FromTop)
				x.Start = cmp.Or(of.Start, x.Start)
			}
			w.Racks = append(w.Racks, Rack{
				Name: plainText(x.Name), Units: units(x.Height), FromTop: x.FromTop != nil && *x.FromTop,
				Start: units(x.Start), Line: line,
			})
		}
		return x.ID, nil
	})
	if err != nil {
		return nil, err
	}
	if cables {
		return ReadNetBox(path, bytes.NewReader(data))
	}
	w.setPage(path, all, nil)
	return w, nil
}

// plainText is a text without what guards it against formulas.
func plainText(text string) string { return csvtable.Unguard(text) }
