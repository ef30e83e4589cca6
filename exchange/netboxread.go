package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/infile"
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
	// Profile says how the positions of both sides belong together; "" where the file does not tell.
	Profile string
	// NoNetwork says that an end of it is not a port of a network but one of power, of a console or of a circuit. Such
	// ends are left out.
	NoNetwork bool
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

func isNetBoxCable(heads []string) bool {
	return csvtable.Has(heads, netboxColumns[0]...) || csvtable.Has(heads, netboxColumns[1]...)
}

func isNetBoxJSON(head []byte) bool {
	head = bytes.TrimSpace(head)
	return len(head) > 0 && (head[0] == '[' || head[0] == '{') &&
		(bytes.Contains(head, []byte(`"a_terminations"`)) || bytes.Contains(head, []byte(`"results"`)) ||
			bytes.Contains(head, []byte(`"device_type"`)))
}

// LoadNetBoxCables reads a file of all cables; see ReadNetBoxCables. A page of an answer is refused.
func LoadNetBoxCables(path string) ([]NetBoxCable, error) {
	f, err := infile.OpenArgument(path)
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
	cables, p, err := readNetBoxCables(path, data)
	if err == nil && p.isPart() {
		at := diag.Position{File: path, Line: 1, Column: 1}
		err = diag.List{{Pos: at, Message: p.String(), Suggestion: allPages}}
	}
	return cables, err
}

// ReadNetBoxCables reads cables of NetBox: the table of its import form, the table that it exports from its list of
// cables, with several ports at a side divided by commas and in no order, or the answer of its REST API as JSON.
func ReadNetBoxCables(path string, data []byte) ([]NetBoxCable, error) {
	cables, _, err := readNetBoxCables(path, data)
	return cables, err
}

// readNetBoxCables also tells what part of an answer the cables are.
func readNetBoxCables(path string, data []byte) ([]NetBoxCable, *page, error) {
	data, err := io.ReadAll(csvtable.Text(path, bytes.NewReader(data)))
	if err != nil {
		return nil, nil, diag.AsList(err)
	}
	if isNetBoxJSON(data) {
		return netboxCablesJSON(path, data)
	}
	cables, err := netboxCablesTable(newRows(path, bytes.NewReader(data), ','))
	return cables, &page{}, err
}

func netboxCablesTable(t *rows) ([]NetBoxCable, error) {
	heads, err := t.heading(isNetBoxCable)
	if err != nil {
		return nil, err
	}
	listed := slices.Contains(heads, netboxColumns[1][1])
	names := netboxColumns[0]
	if listed {
		names = netboxColumns[1]
	}
	at, err := t.columns(heads, names...)
	if err != nil {
		return nil, err
	}
	more := columnNumbers(heads, "id", "label", "status", "description", "type", "profile",
		"side_a_type", "side_b_type")
	var out []NetBoxCable
	for {
		ok, err := t.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return out, t.found.Err()
		}
		c := NetBoxCable{
			Label: t.field(more[1]), Status: strings.ToLower(t.field(more[2])), Description: t.field(more[3]),
			Profile: t.field(more[5]), Line: t.line(),
		}
		if isPower(t.field(more[4])) || !isNetworkPort(t.field(more[6])) || !isNetworkPort(t.field(more[7])) {
			c.NoNetwork = true
			out = append(out, c)
			continue
		}
		var e [4]string
		for i := range e {
			e[i] = t.field(at[i])
		}
		if !t.ends(e[:]...) {
			continue
		}
		if id := t.field(more[0]); id != "" {
			if c.ID, err = strconv.ParseInt(id, 10, 64); err != nil || c.ID < 1 {
				t.wrong(fmt.Sprintf("the id %q is not a number", id), "")
			}
		}
		for i, side := range []*[]NetBoxPort{&c.A, &c.B} {
			ports, devices := []string{e[2*i+1]}, []string{e[2*i]}
			if listed {
				if ports = splitList(e[2*i+1]); len(ports) > 1 {
					devices, c.Unordered = splitList(e[2*i]), true
				}
			}
			for k, port := range ports {
				*side = append(*side, NetBoxPort{devices[min(k, len(devices)-1)], port})
			}
		}
		out = append(out, c)
	}
}

func splitList(text string) []string {
	parts := strings.Split(text, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// isNetworkPort reports whether a type of terminations is that of ports of a network: interfaces, and the front and
// rear ports of panels. A file that does not tell types has such ports alone.
func isNetworkPort(kind string) bool {
	kind = strings.ReplaceAll(csvtable.Head(kind), "_", "")
	return kind == "" || strings.HasSuffix(kind, "interface") || strings.HasSuffix(kind, "frontport") ||
		strings.HasSuffix(kind, "rearport")
}

// isPower reports whether a type of cables is that of power cables.
func isPower(kind string) bool { return strings.EqualFold(kind, "power") }

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
	Kind   string     `json:"object_type"`
	Device netboxText `json:"device"`
	Name   string     `json:"name"`
	Object *netboxEnd `json:"object"`
}

// netboxCable is a cable of the REST API, now and before NetBox 3.3.
type netboxCable struct {
	ID          int64       `json:"id"`
	Type        netboxText  `json:"type"`
	Profile     netboxText  `json:"profile"`
	KindA       string      `json:"termination_a_type"`
	KindB       string      `json:"termination_b_type"`
	Label       string      `json:"label"`
	Status      netboxText  `json:"status"`
	Description string      `json:"description"`
	A           []netboxEnd `json:"a_terminations"`
	B           []netboxEnd `json:"b_terminations"`
	OneA        *netboxEnd  `json:"termination_a"`
	OneB        *netboxEnd  `json:"termination_b"`
}

// netboxList reads the elements of a list, by itself or under "results", with the line at which each begins. Each
// returns the id of an element. Several answers may follow each other, as pages do.
func netboxList[T any](path string, data []byte, each func(x *T, line int) (int64, error)) (*page, error) {
	l := &answers[T]{in: json.NewDecoder(bytes.NewReader(data)), data: data, path: path, line: 1, each: each}
	for {
		first, err := l.in.Token()
		if err == io.EOF && l.read > 0 {
			return &l.page, nil
		}
		if err != nil {
			return nil, l.mistake(err)
		}
		l.read++
		switch first {
		case json.Delim('['):
			err = l.list()
		case json.Delim('{'):
			err = l.answer()
		default:
			err = l.wrong("expected a list")
		}
		if err != nil {
			return nil, err
		}
	}
}

// answers reads answers of the REST API.
type answers[T any] struct {
	page
	in            *json.Decoder
	data          []byte
	path          string
	line, counted int // the line at which the bytes end that were counted
	each          func(x *T, line int) (int64, error)
}

func (l *answers[T]) wrong(message string) error {
	return diag.List{{Pos: diag.Position{File: l.path, Line: 1, Column: 1}, Message: message}}
}

func (l *answers[T]) mistake(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		at := diag.Position{File: l.path, Line: 1 + bytes.Count(l.data, []byte("\n")), Column: 1}
		return diag.List{{Pos: at, Message: "the text ends too early"}}
	}
	return jsonMistake(l.path, l.data, err)
}

// answer reads the keys of an answer.
func (l *answers[T]) answer() error {
	found := false
	for {
		key, err := l.in.Token()
		if err != nil {
			return l.mistake(err)
		}
		if key == json.Delim('}') {
			if !found {
				return l.wrong(`there is no list "results"`)
			}
			return nil
		}
		if key == "results" {
			found = true
			if first, err := l.in.Token(); err != nil {
				return l.mistake(err)
			} else if first != json.Delim('[') {
				return l.wrong("expected a list")
			}
			if err := l.list(); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := l.in.Decode(&value); err != nil {
			return l.mistake(err)
		}
		l.about(key, value)
	}
}

// list reads the elements of a list whose bracket was read.
func (l *answers[T]) list() error {
	for l.in.More() {
		var x T
		start := int(l.in.InputOffset())
		start += len(l.data[start:]) - len(bytes.TrimLeft(l.data[start:], ", \t\r\n"))
		if err := l.in.Decode(&x); err != nil {
			if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
				wrong.Offset += int64(start) // it counts within the element
			}
			return l.mistake(err)
		}
		l.line += bytes.Count(l.data[l.counted:start], []byte("\n"))
		l.counted = start
		id, err := l.each(&x, l.line)
		if err != nil {
			return err
		}
		l.add(id)
	}
	if _, err := l.in.Token(); err != nil {
		return l.mistake(err)
	}
	return nil
}

func netboxCablesJSON(path string, data []byte) ([]NetBoxCable, *page, error) {
	var out []NetBoxCable
	all, err := netboxList(path, data, func(x *netboxCable, line int) (int64, error) {
		c := NetBoxCable{
			ID: x.ID, Label: plainText(x.Label), Status: string(x.Status), Description: plainText(x.Description),
			Profile: string(x.Profile), NoNetwork: isPower(string(x.Type)), Line: line,
		}
		if x.OneA != nil && x.OneB != nil {
			x.OneA.Kind, x.OneB.Kind = cmp.Or(x.OneA.Kind, x.KindA), cmp.Or(x.OneB.Kind, x.KindB)
			x.A, x.B = append(x.A, *x.OneA), append(x.B, *x.OneB)
		}
		for i, ends := range [][]netboxEnd{x.A, x.B} {
			for _, e := range ends {
				if !isNetworkPort(e.Kind) {
					c.NoNetwork = true
					continue
				}
				if e.Object != nil {
					e = *e.Object
				}
				if e.Device == "" || e.Name == "" {
					continue // a number alone
				}
				side := []*[]NetBoxPort{&c.A, &c.B}[i]
				*side = append(*side, NetBoxPort{plainText(string(e.Device)), plainText(e.Name)})
			}
		}
		if c.NoNetwork {
			c.A, c.B = nil, nil
		}
		out = append(out, c)
		return x.ID, nil
	})
	return out, all, err
}

// ReadNetBox reads cables of NetBox as links; see ReadNetBoxCables for the files. Ports at the two sides of a cable
// belong together in their order, or as its profile says; where one side has one port, it is broken out, and its lanes
// are counted. Cables whose ports are in no order are passed over, and their boxes are not listed; so are those of
// power, consoles and circuits. Cables that are being decommissioned are not there, and planned ones not where others
// of the file are connected. Boxes of a page of an answer are not listed.
func ReadNetBox(path string, r io.Reader) (*Wiring, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	cables, all, err := readNetBoxCables(path, data)
	if err != nil {
		return nil, err
	}
	w := netboxWiring(filepath.Base(path), cables)
	w.setPage(path, all, cables)
	return w, nil
}

// netboxWiring is what cables of NetBox say.
func netboxWiring(source string, cables []NetBoxCable) *Wiring {
	connected := slices.ContainsFunc(cables, func(c NetBoxCable) bool {
		return c.Status == "connected" &&
			!c.NoNetwork
	})
	b := newBuilder()
	open, planned, unordered, unpaired, other := 0, 0, 0, 0, 0
	for i := range cables {
		c := &cables[i]
		if c.NoNetwork {
			other++
			continue
		}
		if c.Unordered {
			unordered++
			continue
		}
		if c.Unordered = c.lanes() == nil; c.Unordered {
			unpaired++
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
		count int
		which string
	}{
		{other, "of power, of consoles or of circuits"},
		{open, "of which an end is at no device"},
		{planned, map[bool]string{true: "that is planned only", false: "that are planned only"}[planned == 1]},
		{unordered, "whose ports at a side the table has in no order, as JSON has them"},
		{unpaired, "with fewer ports than its profile joins"},
	} {
		switch {
		case n.count == 1:
			b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s: passed over is 1 cable %s", source, n.which))
		case n.count > 1:
			b.w.Notes = append(b.w.Notes, fmt.Sprintf("%s: passed over are %s %s", source,
				english.Count(n.count, "cable"), n.which))
		}
	}
	return b.w
}

// shuffles are the profiles that do not join connector to connector: for every connector and position at side A, in
// order, the connector and the position at side B. They are those of NetBox 4.6.
var shuffles = map[string]struct {
	a, b, positions int // connectors at both sides, and positions of each at side A
	far             [][2]int
}{
	"trunk-2c4p-shuffle": {2, 2, 4, [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}},
	"trunk-4c4p-shuffle": {4, 4, 4, [][2]int{
		{1, 1},
		{2, 1},
		{3, 1},
		{4, 1},
		{1, 2},
		{2, 2},
		{3, 2},
		{4, 2},
		{1, 3},
		{2, 3},
		{3, 3},
		{4, 3},
		{1, 4},
		{2, 4},
		{3, 4},
		{4, 4},
	}},
	"breakout-2c4p-8c1p-shuffle": {2, 8, 4, [][2]int{{1, 0}, {2, 0}, {5, 0}, {6, 0}, {3, 0}, {4, 0}, {7, 0}, {8, 0}}},
}

// cableLane is a link of a cable: the port at each side, by its number, and the lane of it, 0 for all of it.
type cableLane struct{ a, laneA, b, laneB int }

// lanes are the links of a cable, nil where its ports do not tell which of them belong together.
func (c *NetBoxCable) lanes() []cableLane {
	out := []cableLane{}
	if s, ok := shuffles[c.Profile]; ok {
		if len(c.A) != s.a || len(c.B) != s.b {
			return nil
		}
		for i, far := range s.far {
			out = append(out, cableLane{i / s.positions, i%s.positions + 1, far[0] - 1, far[1]})
		}
		return out
	}
	count := max(len(c.A), len(c.B))
	if len(c.A) == 0 || len(c.B) == 0 {
		return out
	}
	for i := range count {
		l := cableLane{a: i, b: i}
		if len(c.A) == 1 && count > 1 {
			l.a, l.laneA = 0, i+1
		}
		if len(c.B) == 1 && count > 1 {
			l.b, l.laneB = 0, i+1
		}
		if l.a >= len(c.A) || l.b >= len(c.B) {
			break // what has no other end
		}
		out = append(out, l)
	}
	return out
}

// netbox adds the links of a cable; its boxes are listed even if it is not there.
func (b *builder) netbox(c *NetBoxCable, there bool) {
	end := func(p NetBoxPort, lane int) End {
		i := b.box(p.Device, p.Device)
		b.w.Boxes[i].Listed = true
		return End{Box: i, Port: p.Name, Lane: lane}
	}
	for _, n := range c.lanes() {
		l := Link{A: end(c.A[n.a], n.laneA), B: end(c.B[n.b], n.laneB), Line: c.Line}
		if strings.Contains(c.Description, "@") { // as a plan's products are called
			l.Product = c.Description
		}
		if there {
			b.link(l)
		} else {
			b.w.Absent = append(b.w.Absent, l)
		}
	}
}
