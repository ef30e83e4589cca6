package identity

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/topology"
)

// Map says which boxes and ports of a plan names of other systems mean: what a customer, a subnet manager or the maker
// of a host calls them.
type Map struct {
	boxes map[string]entry    // by name, GUID, MAC, serial number or address, as mapKey writes them
	ports map[[2]string]entry // by box, "" for all, and text
}

// entry is a name of the plan, and where the map says it.
type entry struct {
	name string
	at   diag.Position
	box  string // of a port: as the map calls it
	// either says that the map does not tell which of two names of a port the plan has.
	either bool
}

// mostMap is the most bytes of a map that are read.
const mostMap = 1 << 26

// LoadMap reads a map from a file; see ReadMap.
func LoadMap(path string) (*Map, error) {
	f, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadMap(path, f)
}

// ReadMap reads a map in one of these forms:
//
//	0x2c9030012340 "leaf-1"        a map of GUIDs to names, as infiniband-diags read it
//	port,hca-name                  a table of the adapters of hosts (hca_mapping), for all hosts
//	name,alias,guid,mac,...        a table: a box of the plan by name, and what others call it: alias, guid, mac,
//	                               serial or address; with port, what they call that port of it: port_alias
//	boxes: {found: name}           YAML with boxes, and ports: {box, or "*" for all: {found: port}}
//
// Mistakes are a diag.List.
func ReadMap(path string, r io.Reader) (*Map, error) {
	data, err := io.ReadAll(io.LimitReader(csvtable.Text(path, r), mostMap+1))
	if err != nil {
		return nil, diag.AsList(err)
	}
	if len(data) > mostMap {
		return nil, fmt.Errorf("%s has more than the %d bytes that are read", path, mostMap)
	}
	m := &Map{boxes: map[string]entry{}, ports: map[[2]string]entry{}}
	first := firstLine(data)
	switch {
	case first == "":
	case guidLine.MatchString(first):
		err = m.guids(path, data)
	case yamlBegins.MatchString(first), strings.Contains(first, ":") && !strings.Contains(first, ","):
		err = m.yaml(path, data)
	default:
		err = m.table(path, data)
	}
	if err != nil {
		return nil, err
	}
	if len(m.boxes)+len(m.ports) == 0 {
		return nil, diag.List{*diag.Position{File: path, Line: 1, Column: 1}.Errorf("the map says nothing")}
	}
	return m, nil
}

// Add adds what another map says, which counts where both say something of a name.
func (m *Map) Add(other *Map) {
	if m.boxes == nil {
		m.boxes, m.ports = map[string]entry{}, map[[2]string]entry{}
	}
	maps.Copy(m.boxes, other.boxes)
	maps.Copy(m.ports, other.ports)
}

// firstLine is the first line that is not a comment and not empty.
func firstLine(data []byte) string {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && string(line) != "---" {
			return string(line)
		}
	}
	return ""
}

// yamlBegins begins a map in YAML, which may have commas in braces.
var yamlBegins = lazyregexp.New(`^["']?(?:boxes|ports)["']?\s*:`)

var guidLine = lazyregexp.New(`^(?:0x)?([0-9a-fA-F]{1,16})\s+"([^"]*)"\s*(?:#.*)?$`)

func (m *Map) guids(path string, data []byte) error {
	var wrong diag.List
	n := 0
	for line := range bytes.Lines(data) {
		n++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		at := diag.Position{File: path, Line: n, Column: 1}
		found := guidLine.FindStringSubmatch(text)
		if found == nil {
			if wrong = append(wrong, *at.Errorf("is not a line of a map of GUIDs\n" +
				`expected a line like: 0x2c9030012340 "leaf-1"`)); len(wrong) >= diag.Most {
				return wrong
			}
			continue
		}
		name, _, _, _ := Description(found[2])
		if name == "" {
			name = found[2]
		}
		m.put(&wrong, guid(found[1]), entry{name: name, at: at})
	}
	return wrong.Err()
}

func (m *Map) yaml(path string, data []byte) error {
	var doc struct {
		Boxes map[string]yaml.Node            `yaml:"boxes"`
		Ports map[string]map[string]yaml.Node `yaml:"ports"`
	}
	in := yaml.NewDecoder(bytes.NewReader(data))
	in.KnownFields(true)
	if err := in.Decode(&doc); err != nil {
		at := diag.Position{File: path, Line: 1, Column: 1}
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
			at.Line, _ = strconv.Atoi(m[1])
		}
		return diag.List{*at.Errorf("%v\n"+
			"expected boxes: {found: name} and ports: {box: {found: port}}", err)}
	}
	var wrong diag.List
	value := func(n yaml.Node) (entry, bool) {
		at := diag.Position{File: path, Line: n.Line, Column: n.Column}
		if n.Kind != yaml.ScalarNode {
			wrong = append(wrong, *at.Errorf("expected a name"))
		}
		return entry{name: n.Value, at: at}, n.Kind == yaml.ScalarNode
	}
	for _, found := range slices.Sorted(maps.Keys(doc.Boxes)) {
		if e, ok := value(doc.Boxes[found]); ok {
			m.put(&wrong, mapKey(found), e)
		}
	}
	for _, box := range slices.Sorted(maps.Keys(doc.Ports)) {
		for _, found := range slices.Sorted(maps.Keys(doc.Ports[box])) {
			if e, ok := value(doc.Ports[box][found]); ok {
				m.addPort(box, found, e)
			}
		}
	}
	return wrong.Err()
}

// yamlLine is where a mistake in YAML is.
var yamlLine = lazyregexp.New(`\bline (\d{1,9})\b`)

// put takes what the map says of a box in. Two names for one box are a mistake.
func (m *Map) put(wrong *diag.List, key string, e entry) {
	if old, ok := m.boxes[key]; ok && old.name != e.name {
		wrong.Addf(e.at, "%q and %q, in line %d, are said of the same box", e.name, old.name, old.at.Line)
		return
	}
	m.boxes[key] = e
}

func (m *Map) addPort(box, found string, e entry) {
	if box == "*" {
		box = ""
	}
	e.box = box
	m.ports[[2]string{Host(box), fold(found)}] = e
}

// mapColumns are what columns of a table are called, words joined by _.
var mapColumns = map[string][]string{
	"name": {"name", "box", "plan", "host", "hostname", "device", "system", "node"},
	"found": {
		"alias", "aliases", "found", "guid", "node_guid", "mac", "mac_address", "serial", "serial_number", "address",
		"ip", "management_address",
	},
	"port":       {"port", "port_name"},
	"port_found": {"port_alias", "hca_name", "interface", "rdma_device", "port_mac", "port_guid"},
}

// columnsOf finds the columns of a table.
func columnsOf(heads []string) map[string][]int {
	at := map[string][]int{}
	words := strings.NewReplacer(" ", "_", "-", "_")
	for i, head := range heads {
		head = words.Replace(strings.ToLower(strings.TrimSpace(csvtable.Unguard(head))))
		for column, names := range mapColumns {
			if slices.Contains(names, head) {
				at[column] = append(at[column], i)
			}
		}
	}
	if len(at["name"]) == 0 && len(at["found"]) > 1 { // GUIDs with aliases, which are the names
		for i, head := range heads {
			if strings.HasPrefix(strings.ToLower(strings.TrimSpace(head)), "alias") {
				at["name"] = []int{i}
				at["found"] = slices.DeleteFunc(at["found"], func(k int) bool { return k == i })
			}
		}
	}
	return at
}

func (m *Map) table(path string, data []byte) error {
	in := csvtable.NewReader(path, bytes.NewReader(data))
	in.Comment = '#'
	if first := firstLine(data); !strings.Contains(first, ",") && strings.Contains(first, ";") {
		in.Comma = ';'
	}
	heads, err := in.Read()
	if err != nil {
		return diag.AsList(err)
	}
	at := columnsOf(heads)
	ports := len(at["port"]) > 0 && len(at["port_found"]) > 0
	if !ports && (len(at["name"]) == 0 || len(at["found"]) == 0) {
		head := in.Place(heads, 0)
		return diag.List{*head.Errorf("the columns say neither what boxes nor what ports are called\n" +
			"expected name and alias, guid, mac, serial or address; or port and port_alias or hca-name")}
	}
	var wrong diag.List
	for !wrong.Full() {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return diag.AsList(err)
		}
		m.row(&wrong, row, at, ports, in.Place(row, 0))
	}
	return wrong.Err()
}

// row takes a row of a table.
func (m *Map) row(wrong *diag.List, row []string, at map[string][]int, ports bool, where diag.Position) {
	get := func(column string) []string {
		var out []string
		for _, i := range at[column] {
			if i < len(row) {
				out = append(out, strings.TrimSpace(csvtable.Unguard(row[i])))
			}
		}
		return out
	}
	first := func(column string) string {
		if all := get(column); len(all) > 0 {
			return all[0]
		}
		return ""
	}
	name, port := first("name"), first("port")
	several := func(r rune) bool { return r == ';' || r == '|' }
	if name != "" {
		for _, cell := range get("found") {
			for _, found := range strings.FieldsFunc(cell, several) {
				if found = strings.TrimSpace(found); found != "" {
					m.put(wrong, mapKey(found), entry{name: name, at: where})
				}
			}
		}
	}
	if !ports || port == "" {
		return
	}
	for _, found := range get("port_found") {
		if found == "" {
			continue
		}
		m.addPort(name, found, entry{name: port, at: where, either: true})
		if _, ok := m.ports[[2]string{Host(name), fold(port)}]; !ok {
			m.addPort(name, port, entry{name: found, at: where, either: true}) // the plan may know the port by either
		}
	}
}

// mapKey is a name, a GUID or an address as maps have it.
func mapKey(text string) string {
	text = strings.TrimSpace(text)
	if digits, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		return guid(digits)
	}
	if wholeGUID.MatchString(text) {
		return guid(strings.ReplaceAll(text, ":", ""))
	}
	return fold(text)
}

// wholeGUID is a GUID without 0x, as UFM and others write it.
var wholeGUID = lazyregexp.New(`^(?:[0-9a-fA-F]{16}|(?:[0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4})$`)

// guid is a GUID as maps have it.
func guid(digits string) string { return "guid " + strings.TrimLeft(strings.ToLower(digits), "0") }

// box is the name of a box in the plan for what a source says of it; name is that in its description.
func (m *Map) box(c *BoxClaim, name string) (string, bool) {
	var keys []string
	for _, g := range c.GUIDs {
		keys = append(keys, guid(g))
	}
	for _, text := range slices.Concat(c.MACs, []string{c.Serial, c.Address, c.Name, name}) {
		keys = append(keys, mapKey(text))
	}
	for _, key := range keys {
		if e, ok := m.boxes[key]; ok && key != "" {
			return e.name, true
		}
	}
	return "", false
}

// check finds boxes and ports of the map that the plan does not have, and returns the ports of the map by vertex, -1
// for all boxes, and text.
func (m *Map) check(n *Names) (map[portOfBox]entry, error) {
	var wrong diag.List
	for _, key := range slices.Sorted(maps.Keys(m.boxes)) {
		if e := m.boxes[key]; n.FindBox(e.name) < 0 {
			wrong.Addf(e.at, "the plan has no box %q, or several that are called so", e.name)
		}
	}
	out := make(map[portOfBox]entry, len(m.ports))
	for _, key := range slices.SortedFunc(maps.Keys(m.ports), func(a, b [2]string) int {
		return slices.Compare(a[:], b[:])
	}) {
		e, v := m.ports[key], int32(-1)
		if key[0] != "" {
			if v = n.FindBox(e.box); v < 0 {
				v = n.FindBox(m.boxes[mapKey(e.box)].name)
			}
			if v < 0 {
				wrong.Addf(e.at, "neither the plan nor the map has a box %q, or the plan several that are called so",
					e.box)
				continue
			}
			if found, _ := n.ports[topology.KindOf(n.kinds, int(v))].exact(e.name, 0); found == nil && !e.either {
				wrong.Addf(e.at, "%s has no port %q", e.box, e.name)
				continue
			}
		}
		out[portOfBox{v, key[1]}] = e
	}
	return out, wrong.Err()
}

// portOfBox is what a map calls a port of a box.
type portOfBox struct {
	v    int32 // -1 for all
	text string
}
