package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
)

// The columns by which tables of devices and of racks are known.
var (
	netboxDeviceColumns = []string{"name", "rack", "position", "site"}
	netboxRackColumns   = []string{"name", "site"}
)

func isNetBoxPlaces(head []byte) bool {
	t := newRows("", bytes.NewReader(head), ',')
	if ok, err := t.next(); !ok || err != nil {
		return false
	}
	heads := t.heads()
	return !slices.Contains(numbered(heads, netboxDeviceColumns...), -1) || netboxHeight(heads) >= 0 &&
		!slices.Contains(numbered(heads, netboxRackColumns...), -1)
}

// netboxHeight is the column of the height of racks, as the form and as the list call it.
func netboxHeight(heads []string) int {
	at := numbered(heads, "u_height", "height")
	return max(at[0], at[1])
}

// ReadNetBoxPlaces reads the tables of devices and of racks of NetBox: those of the import forms, or those that it
// exports from its lists.
func ReadNetBoxPlaces(path string, r io.Reader) (*Wiring, error) {
	t, w := newRows(path, r, ','), &Wiring{}
	if _, err := t.next(); err != nil {
		return nil, err
	}
	heads := t.heads()
	devices := numbered(heads, netboxDeviceColumns...)
	height, name := netboxHeight(heads), devices[0]
	if name < 0 {
		_, err := t.columns("name")
		return nil, err
	}
	for {
		more, err := t.next()
		if err != nil {
			return nil, err
		}
		if !more {
			return w, t.found.Err()
		}
		box := t.field(name)
		if box == "" {
			continue // NetBox has devices without names
		}
		if devices[1] < 0 {
			units, ok := netboxUnit(t.field(height))
			if !ok {
				t.wrong(fmt.Sprintf("the height %q", t.field(height)), "expected a number of rack units")
			}
			w.Racks = append(w.Racks, Rack{Name: box, Units: units, Line: t.line()})
			continue
		}
		unit, ok := netboxUnit(t.field(devices[2]))
		if !ok {
			t.wrong(fmt.Sprintf("the position %q", t.field(devices[2])), "expected the number of a rack unit")
		}
		w.Places = append(w.Places, Place{Box: box, Rack: t.field(devices[1]), Unit: unit, Line: t.line()})
	}
}

// netboxUnit is a number of rack units, which NetBox has in halves.
func netboxUnit(text string) (int, bool) {
	text = strings.TrimSpace(strings.TrimSuffix(strings.ToLower(text), "u"))
	if text == "" || text == "—" {
		return 0, true
	}
	n, err := strconv.ParseFloat(text, 64)
	return int(math.Floor(n)), err == nil && n >= 0 && n < 1000
}

// netboxThing is an element of any list: a cable, a device or a rack.
type netboxThing struct {
	Name     string          `json:"name"`
	Rack     netboxText      `json:"rack"`
	Position *float64        `json:"position"`
	Height   *float64        `json:"u_height"`
	Type     json.RawMessage `json:"device_type"`
	A        json.RawMessage `json:"a_terminations"`
	OneA     json.RawMessage `json:"termination_a"`
}

// readNetBoxJSON reads what the REST API of NetBox answers: cables, devices or racks.
func readNetBoxJSON(path string, r io.Reader) (*Wiring, error) {
	data, err := io.ReadAll(csvtable.Text(path, r))
	if err != nil {
		return nil, asMistakes(err)
	}
	w, cables := &Wiring{}, false
	units := func(n *float64) int {
		if n == nil || *n < 0 || *n > 1000 {
			return 0
		}
		return int(*n)
	}
	err = netboxList(path, data, func(x *netboxThing, line int) error {
		switch {
		case x.A != nil || x.OneA != nil:
			cables = true
		case x.Name == "":
		case x.Type != nil:
			w.Places = append(w.Places, Place{
				Box: plainText(x.Name), Rack: plainText(string(x.Rack)), Unit: units(x.Position), Line: line,
			})
		case x.Height != nil:
			w.Racks = append(w.Racks, Rack{Name: plainText(x.Name), Units: units(x.Height), Line: line})
		}
		return nil
	})
	if err != nil || !cables {
		return w, err
	}
	return ReadNetBox(path, bytes.NewReader(data))
}

// plainText is a text without what guards it against formulas.
func plainText(text string) string { return csvtable.Unguard(text) }
