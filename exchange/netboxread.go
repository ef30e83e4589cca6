package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
)

// NetBoxPort is a port at which a cable of NetBox ends.
type NetBoxPort struct{ Device, Name string }

// NetBoxCable is a cable as NetBox knows it.
type NetBoxCable struct {
	ID          int64 // 0 where the file does not tell
	Label       string
	Status      string // connected, planned or decommissioning; "" where the file does not tell
	Description string
	A, B        []NetBoxPort
	// Unordered says that several ports at a side are in no order, nor the devices with the ports: the table that
	// NetBox exports takes both from sets, each device once.
	Unordered bool
	Line      int
}

// The columns of tables of cables: those of the import form, and those of the list that NetBox exports.
var netboxColumns = [][]string{
	{"side_a_device", "side_a_name", "side_b_device", "side_b_name"},
	{"device_a", "termination_a", "device_b", "termination_b"},
}

func isNetBoxCables(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	line = bytes.ReplaceAll(bytes.ToLower(line), []byte(" "), []byte("_"))
	return slices.ContainsFunc(netboxColumns, func(names []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !bytes.Contains(line, []byte(name)) })
	})
}

func isNetBoxJSON(head []byte) bool {
	head = bytes.TrimSpace(head)
	return len(head) > 0 && (head[0] == '[' || head[0] == '{') &&
		(bytes.Contains(head, []byte(`"a_terminations"`)) || bytes.Contains(head, []byte(`"results"`)) ||
			bytes.Contains(head, []byte(`"device_type"`)))
}

// LoadNetBoxCables reads a file of cables; see ReadNetBoxCables.
func LoadNetBoxCables(path string) ([]NetBoxCable, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > MaxBytes:
		return nil, fmt.Errorf("%s has more than the %d bytes that are read", path, int64(MaxBytes))
	}
	return ReadNetBoxCables(path, data)
}

// ReadNetBoxCables reads cables of NetBox: the table of its import form, the table that it exports from its list of
// cables, with several ports at a side divided by commas and in no order, or the answer of its REST API as JSON.
func ReadNetBoxCables(path string, data []byte) ([]NetBoxCable, error) {
	data, err := io.ReadAll(csvtable.Text(path, bytes.NewReader(data)))
	if err != nil {
		return nil, asMistakes(err)
	}
	if isNetBoxJSON(data) {
		return netboxCablesJSON(path, data)
	}
	t := newRows(path, bytes.NewReader(data), ',')
	if _, err := t.next(); err != nil {
		return nil, err
	}
	heads := t.heads()
	listed := slices.Contains(heads, netboxColumns[1][1])
	names := netboxColumns[0]
	if listed {
		names = netboxColumns[1]
	}
	at, err := t.columns(names...)
	if err != nil {
		return nil, err
	}
	more := numbered(heads, "id", "label", "status", "description")
	var out []NetBoxCable
	for {
		ok, err := t.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return out, t.found.Err()
		}
		var e [4]string
		for i := range e {
			e[i] = t.field(at[i])
		}
		if !t.ends(e[:]...) {
			continue
		}
		c := NetBoxCable{
			Label: t.field(more[1]), Status: strings.ToLower(t.field(more[2])), Description: t.field(more[3]),
			Line: t.line(),
		}
		if id := t.field(more[0]); id != "" {
			if c.ID, err = strconv.ParseInt(id, 10, 64); err != nil || c.ID < 1 {
				t.wrong(fmt.Sprintf("the id %q is no number", id), "")
			}
		}
		for i, side := range []*[]NetBoxPort{&c.A, &c.B} {
			ports, devices := []string{e[2*i+1]}, []string{e[2*i]}
			if listed {
				if ports = divided(e[2*i+1]); len(ports) > 1 {
					devices, c.Unordered = divided(e[2*i]), true
				}
			}
			for k, port := range ports {
				*side = append(*side, NetBoxPort{devices[min(k, len(devices)-1)], port})
			}
		}
		out = append(out, c)
	}
}

func divided(text string) []string {
	parts := strings.Split(text, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// netboxText is a text, or an object with a value, a name or what is displayed.
type netboxText string

func (n *netboxText) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var o struct{ Value, Name, Display *string }
		if err := json.Unmarshal(data, &o); err != nil {
			return err
		}
		for _, text := range []*string{o.Value, o.Name, o.Display} {
			if text != nil && *text != "" {
				*n = netboxText(*text)
				break
			}
		}
		return nil
	}
	var text *string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	if text != nil {
		*n = netboxText(*text)
	}
	return nil
}

// netboxEnd is a termination: an object of its own, or its fields at once.
type netboxEnd struct {
	Device netboxText `json:"device"`
	Name   string     `json:"name"`
	Object *netboxEnd `json:"object"`
}

// netboxCable is a cable of the REST API, now and before NetBox 3.3.
type netboxCable struct {
	ID          int64       `json:"id"`
	Label       string      `json:"label"`
	Status      netboxText  `json:"status"`
	Description string      `json:"description"`
	A           []netboxEnd `json:"a_terminations"`
	B           []netboxEnd `json:"b_terminations"`
	OneA        *netboxEnd  `json:"termination_a"`
	OneB        *netboxEnd  `json:"termination_b"`
}

// netboxList reads the elements of a list, by itself or under "results", with the line at which each begins.
func netboxList[T any](path string, data []byte, each func(x *T, line int) error) error {
	in := json.NewDecoder(bytes.NewReader(data))
	wrong := func(message string) error {
		return diag.List{{Pos: diag.Position{File: path, Line: 1, Column: 1}, Message: message}}
	}
	mistake := func(err error) error {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = fmt.Errorf("the text ends too early")
			at := diag.Position{File: path, Line: 1 + bytes.Count(data, []byte("\n")), Column: 1}
			return diag.List{{Pos: at, Message: err.Error()}}
		}
		return jsonMistake(path, data, err)
	}
	first, err := in.Token()
	if err != nil {
		return mistake(err)
	}
	if first == json.Delim('{') {
		for {
			key, err := in.Token()
			if err != nil {
				return mistake(err)
			}
			if key == json.Delim('}') {
				return wrong(`there is no list "results"`)
			}
			if key == "results" {
				break
			}
			var skipped json.RawMessage
			if err := in.Decode(&skipped); err != nil {
				return mistake(err)
			}
		}
		if first, err = in.Token(); err != nil {
			return mistake(err)
		}
	}
	if first != json.Delim('[') {
		return wrong("expected a list")
	}
	line, counted := 1, 0
	for in.More() {
		var x T
		start := int(in.InputOffset())
		start += len(data[start:]) - len(bytes.TrimLeft(data[start:], ", \t\r\n"))
		if err := in.Decode(&x); err != nil {
			if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
				wrong.Offset += int64(start) // it counts within the element
			}
			return mistake(err)
		}
		line += bytes.Count(data[counted:start], []byte("\n"))
		counted = start
		if err := each(&x, line); err != nil {
			return err
		}
	}
	if _, err := in.Token(); err != nil {
		return mistake(err)
	}
	return nil
}

func netboxCablesJSON(path string, data []byte) ([]NetBoxCable, error) {
	var out []NetBoxCable
	err := netboxList(path, data, func(x *netboxCable, line int) error {
		c := NetBoxCable{
			ID: x.ID, Label: x.Label, Status: string(x.Status), Description: x.Description, Line: line,
		}
		if x.OneA != nil && x.OneB != nil {
			x.A, x.B = append(x.A, *x.OneA), append(x.B, *x.OneB)
		}
		for i, ends := range [][]netboxEnd{x.A, x.B} {
			for _, e := range ends {
				if e.Object != nil {
					e = *e.Object
				}
				if e.Device == "" || e.Name == "" {
					continue // a circuit or a feed of power, or a number alone
				}
				side := []*[]NetBoxPort{&c.A, &c.B}[i]
				*side = append(*side, NetBoxPort{plainText(string(e.Device)), plainText(e.Name)})
			}
		}
		c.Label, c.Description = plainText(c.Label), plainText(c.Description)
		out = append(out, c)
		return nil
	})
	return out, err
}

// ReadNetBox reads cables of NetBox as links; see ReadNetBoxCables for the files. Ports at the two sides of a cable
// belong together in their order; where one side has one port, it is broken out, and its lanes are counted. Cables
// whose ports are in no order are passed over, and their boxes are not listed. Cables that are being decommissioned are
// not there, and planned ones not where others of the file are connected.
func ReadNetBox(path string, r io.Reader) (*Wiring, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	cables, err := ReadNetBoxCables(path, data)
	if err != nil {
		return nil, err
	}
	connected := slices.ContainsFunc(cables, func(c NetBoxCable) bool { return c.Status == "connected" })
	b := newBuilder()
	open, planned, unordered := 0, 0, 0
	for i := range cables {
		c := &cables[i]
		if c.Unordered {
			unordered++
			continue
		}
		there := c.Status != "decommissioning"
		if there && connected && c.Status == "planned" {
			there = false
			planned++
		}
		if len(c.A) == 0 || len(c.B) == 0 {
			open++
		}
		b.netbox(c, there)
	}
	for i := range cables { // what is listed above may have more links
		if c := &cables[i]; c.Unordered {
			for _, p := range slices.Concat(c.A, c.B) {
				b.w.Boxes[b.box(p.Device, p.Device)].Listed = false
			}
		}
	}
	for _, n := range []struct {
		count     int
		one, many string
	}{
		{open, "of which an end is at no device", "of which an end is at no device"},
		{planned, "that is planned only", "that are planned only"},
		{
			unordered, "whose ports at a side the table has in no order, as JSON has them",
			"whose ports at a side the table has in no order, as JSON has them",
		},
	} {
		switch {
		case n.count == 1:
			b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s: passed over is 1 cable %s", filepath.Base(path), n.one))
		case n.count > 1:
			b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s: passed over are %s %s", filepath.Base(path),
				english.Count(n.count, "cable"), n.many))
		}
	}
	return b.w, nil
}

// netbox adds the links of a cable; its boxes are listed even if it is not there.
func (b *builder) netbox(c *NetBoxCable, there bool) {
	box := func(p NetBoxPort) int {
		i := b.box(p.Device, p.Device)
		b.w.Boxes[i].Listed = true
		return i
	}
	count := max(len(c.A), len(c.B))
	lane := func(side []NetBoxPort, i int) End {
		if len(side) == 1 && count > 1 {
			return End{Box: box(side[0]), Port: side[0].Name, Lane: i + 1}
		}
		return End{Box: box(side[i]), Port: side[i].Name}
	}
	if len(c.A) == 0 || len(c.B) == 0 {
		return
	}
	for i := range count {
		if len(c.A) > 1 && i >= len(c.A) || len(c.B) > 1 && i >= len(c.B) {
			break // what has no other end
		}
		l := Link{A: lane(c.A, i), B: lane(c.B, i), Line: c.Line}
		if strings.Contains(c.Description, "@") { // as a plan's products are called
			l.Product = c.Description
		}
		if there {
			b.link(l)
		}
	}
}
