package exchange

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/internal/strictyaml"
)

// The sections of what tt-metal discovers that are read.
const (
	ttHosts  = "compute_node_specs"
	ttLocal  = "local_eth_connections"
	ttGlobal = "global_eth_connections"
)

var (
	ttDiscoveredHead = lazyregexp.New(`(?m)^["']?(` + ttHosts + `|` + ttLocal + `|` + ttGlobal + `)["']?\s*:`)
	yamlSection      = lazyregexp.New(`^["']?(\w+)["']?\s*:(?:\s+(.*))?$`)
)

func isTTDiscovered(head []byte) bool { return ttDiscoveredHead.Match(head) }

// YAML takes much more memory than its letters, so that a section is parsed some entries at a time.
const (
	someEntries = 1 << 16 // bytes of entries after which those at hand are parsed
	mostEntry   = 1 << 20 // bytes of one entry, or of a section that is not an entry a line
)

// ttDiscovered reads what tt-metal discovers: section by section, and of these some entries at a time.
type ttDiscovered struct {
	*lines
	b       *builder
	section string
	text    strings.Builder // entries that are not parsed yet, in their lines
	first   int             // the line where text begins
	begun   bool            // the section has a line with something in it
	indent  int             // of an entry, -1 where entries do not begin a line each
	within  int             // connections within a host
}

// ReadTTDiscovered reads what the validation of a cluster of tt-metal discovers, its global system descriptor (YAML).
// Ports are called as those of ReadTTSystem, and hosts that were visited are listed. Connections within a host are
// passed over, and so are sections and keys that are not known.
func ReadTTDiscovered(path string, r io.Reader) (*Wiring, error) {
	d := &ttDiscovered{lines: newLines(path, r), b: newBuilder()}
	for {
		text, ok := d.next()
		if !ok {
			break
		}
		if !d.readLine(text) {
			return nil, d.end()
		}
	}
	d.parse()
	if err := d.end(); err != nil {
		return nil, err
	}
	d.b.withinHosts(path, d.within)
	return d.b.w, nil
}

// readLine reads a line. It reports whether to go on.
func (d *ttDiscovered) readLine(text string) bool {
	inside := strings.TrimLeft(text, " ")
	switch {
	case inside == "" || inside[0] == '#' || text == "...":
		text, inside = "", ""
	case text == "---" && d.section != "":
		d.wrong(1, "a second document", "expected one description of a system")
		return false
	case text == "---":
		return true
	case !strings.ContainsRune(" \t-[]{},", rune(text[0])):
		d.parse()
		return d.begin(text)
	case d.section == "":
		d.wrong(1, "the line is in no section", "expected "+ttHosts+":")
		return false
	}
	if d.section != ttHosts && d.section != ttLocal && d.section != ttGlobal {
		return true
	}
	if inside == "" && d.text.Len() == 0 {
		return true
	}
	opens := byte(0)
	if inside != "" {
		opens = inside[0]
		if !d.begun {
			d.begun, d.indent = true, len(text)-len(inside)
			if list := opens == '-'; list == (d.section == ttHosts) || opens == '{' || opens == '[' {
				d.indent = -1
			}
		}
	}
	entry := inside != "" && len(text)-len(inside) == d.indent && (d.section == ttHosts || opens == '-')
	if entry && d.text.Len() >= someEntries {
		d.parse()
	}
	d.add(text)
	if d.text.Len() > mostEntry {
		d.wrong(1, fmt.Sprintf("an entry of %s has more than %d bytes", d.section, mostEntry), "")
		return false
	}
	return true
}

// begin begins a section.
func (d *ttDiscovered) begin(text string) bool {
	m := yamlSection.FindStringSubmatchIndex(strings.TrimRight(text, " \r"))
	if m == nil {
		d.wrong(1, "the line begins no section", "expected one such as "+ttHosts+":")
		return false
	}
	d.section, d.begun, d.indent = text[m[2]:m[3]], false, -1
	if m[4] >= 0 && m[4] < m[5] && text[m[4]] != '#' {
		d.begun = true
		d.add(strings.Repeat(" ", m[4]) + text[m[4]:m[5]])
	}
	return true
}

func (d *ttDiscovered) add(text string) {
	if d.text.Len() == 0 {
		d.first = d.line
	}
	d.text.WriteString(text)
	d.text.WriteByte('\n')
}

// parse reads the entries at hand.
func (d *ttDiscovered) parse() {
	text := d.text.String()
	d.text.Reset()
	switch strings.TrimSpace(text) {
	case "", "~", "null":
		return
	}
	if d.section != ttHosts && d.section != ttLocal && d.section != ttGlobal {
		return
	}
	doc, root := new(strictyaml.Language).Parse(d.path, []byte(text))
	if mistakes := doc.Mistakes(); len(mistakes) > 0 {
		for _, m := range mistakes {
			m.Pos.Line, m.Pos.Column = d.first+max(m.Pos.Line, 1)-1, max(m.Pos.Column, 1)
			d.found = append(d.found, m)
		}
		return
	}
	switch {
	case d.section == ttHosts && root.Kind == yaml.MappingNode:
		d.hosts(root)
	case d.section != ttHosts && root.Kind == yaml.SequenceNode:
		for _, n := range root.Content {
			d.connection(n)
		}
	case d.section == ttHosts:
		d.mistake(root, ttHosts+" are not hosts", "expected a mapping by their names")
	default:
		d.mistake(root, d.section+" are not connections", "expected a list")
	}
}

func (d *ttDiscovered) hosts(n *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		name := n.Content[i]
		if name.Kind != yaml.ScalarNode || name.Value == "" {
			d.mistake(name, "a host has no name", "")
			continue
		}
		box := &d.b.w.Boxes[d.b.box(name.Value, name.Value)]
		if box.Listed {
			d.mistake(name, fmt.Sprintf("host %.80q is there twice", name.Value), "")
		}
		box.Listed = true
	}
}

func (d *ttDiscovered) connection(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		d.mistake(n, "the connection has not two ends", "expected a list of two")
		return
	}
	link := Link{Line: d.first + n.Line - 1}
	for i, e := range []*End{&link.A, &link.B} {
		var ok bool
		if *e, ok = d.endpoint(n.Content[i]); !ok {
			return
		}
	}
	if link.A.Box == link.B.Box {
		d.within++
		return
	}
	d.b.link(link)
}

// endpoint is the end of a connection; ok is false where it is wrong, which is reported.
func (d *ttDiscovered) endpoint(n *yaml.Node) (e End, ok bool) {
	if n.Kind != yaml.MappingNode {
		d.mistake(n, "an end of the connection is not a mapping", "expected host_name, tray_id, asic_location and "+
			"chan_id")
		return End{}, false
	}
	var host string
	var numbers [3]uint64
	for i, key := range []string{"host_name", "tray_id", "asic_location", "chan_id"} {
		var value *yaml.Node
		for k := 0; k < len(n.Content); k += 2 {
			if n.Content[k].Value != key {
				continue
			}
			if value != nil {
				d.mistake(n.Content[k], key+" is there twice", "")
				return End{}, false
			}
			value = n.Content[k+1]
		}
		switch {
		case value == nil:
			d.mistake(n, "an end of the connection has no "+key, "")
			return End{}, false
		case value.Kind != yaml.ScalarNode || value.Value == "" || value.ShortTag() == "!!null":
			d.mistake(value, key+" has no value", "")
			return End{}, false
		case i == 0:
			host = value.Value
			continue
		}
		var err error
		if numbers[i-1], err = strconv.ParseUint(value.Value, 10, 32); err != nil {
			d.mistake(value, fmt.Sprintf("%s %.40q", key, value.Value), "expected a whole number")
			return End{}, false
		}
	}
	return End{Box: d.b.box(host, host), Port: ttChannel(numbers[0], numbers[1], numbers[2]), Form: Subnet}, true
}

// mistake is one at a value of the entries at hand.
func (d *ttDiscovered) mistake(n *yaml.Node, message, suggestion string) {
	d.found = append(d.found, diag.Diagnostic{
		Pos:     diag.Position{File: d.path, Line: d.first + n.Line - 1, Column: n.Column},
		Message: message, Suggestion: suggestion,
	})
}
