package graphio

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"strings"
)

// readDOT reads one graph of the DOT language (graphviz.org/doc/info/lang.html).
// Of a node, the attributes kind, role and label count; those of an edge are
// kept. Ports are kept as port_a and port_b. An edge of a digraph is a simplex
// link unless it has dir=both. HTML strings and edges to subgraphs are refused;
// the attributes of graphs are passed over.
func readDOT(b *reading, r io.Reader) error {
	d := &dot{reading: b, in: bufio.NewReaderSize(r, 1<<16), line: 1, column: 0}
	if err := d.next(); err != nil {
		return err
	}
	if d.is("strict") {
		if err := d.next(); err != nil {
			return err
		}
	}
	if !d.is("graph") && !d.is("digraph") {
		return d.errorf("expected graph or digraph, not %q", d.token)
	}
	d.directed = d.is("digraph")
	if err := d.next(); err != nil {
		return err
	}
	if d.kind == dotID {
		if err := d.next(); err != nil {
			return err
		}
	}
	if err := d.body(dotDefaults{}, 0); err != nil {
		return err
	}
	if d.kind != dotEnd {
		return d.errorf("expected the end of the file, not %q", d.token)
	}
	return nil
}

type dotKind uint8

const (
	dotEnd  dotKind = iota
	dotID           // a word, number or quoted string
	dotMark         // one of { } [ ] ; , = : -- ->
)

// dot is a scanner and parser with one token of lookahead.
type dot struct {
	*reading
	in           *bufio.Reader
	line, column int // of the last byte read
	directed     bool
	kind         dotKind
	quoted       bool
	token        string
	at, from     int // line and column of the token
}

// dotDefaults is what node [...] and edge [...] statements set.
type dotDefaults struct{ node, edge map[string]string }

func (d *dot) errorf(format string, args ...any) error {
	return d.errorAt(d.at, d.from, format, args...)
}

func (d *dot) is(keyword string) bool {
	return d.kind == dotID && !d.quoted && strings.EqualFold(d.token, keyword)
}

func (d *dot) mark(s string) bool { return d.kind == dotMark && d.token == s }

// read returns the next byte, 0 at the end.
func (d *dot) read() (byte, error) {
	c, err := d.in.ReadByte()
	if errors.Is(err, io.EOF) {
		return 0, nil
	}
	if err != nil {
		return 0, d.errorAt(d.line, d.column, "%v", err)
	}
	if d.column++; c == 0 {
		return 0, d.errorAt(d.line, d.column, "a zero byte is no text")
	}
	if c == '\n' {
		d.line++
		d.column = 0
	}
	return c, nil
}

// peek returns the next byte without taking it, 0 at the end.
func (d *dot) peek() byte {
	c, err := d.in.Peek(1)
	if err != nil {
		return 0
	}
	return c[0]
}

func wordByte(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// next reads the next token.
func (d *dot) next() error {
	for {
		c, err := d.read()
		if err != nil {
			return err
		}
		d.at, d.from, d.quoted = d.line, d.column, false
		switch {
		case c == 0:
			d.kind, d.token = dotEnd, "end of file"
			return nil
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '#' || c == '/' && d.peek() == '/':
			if err := d.skipLine(c); err != nil {
				return err
			}
		case c == '/' && d.peek() == '*':
			if err := d.comment(); err != nil {
				return err
			}
		case c == '"':
			return d.quote()
		case c == '-' && (d.peek() == '-' || d.peek() == '>'):
			second, err := d.read()
			d.kind, d.token = dotMark, "-"+string(second)
			return err
		case wordByte(c) || c == '-':
			return d.word(c)
		case strings.IndexByte("{}[];,=:", c) >= 0:
			d.kind, d.token = dotMark, string(c)
			return nil
		default:
			return d.errorf("%q is not understood here", c)
		}
	}
}

// skipLine reads the rest of a line that c begins.
func (d *dot) skipLine(c byte) (err error) {
	for c != 0 && c != '\n' {
		if c, err = d.read(); err != nil {
			return err
		}
	}
	return nil
}

// word reads the rest of a word that c begins.
func (d *dot) word(c byte) (err error) {
	text := []byte{c}
	for wordByte(d.peek()) {
		if c, err = d.read(); err != nil {
			return err
		}
		if text = append(text, c); len(text) > maxGraphLine {
			return d.errorf("the word is longer than %d MiB", maxGraphLine>>20)
		}
	}
	d.kind, d.token = dotID, string(text)
	return nil
}

func (d *dot) comment() error {
	if _, err := d.read(); err != nil {
		return err
	}
	for {
		c, err := d.read()
		if err != nil {
			return err
		}
		if c == 0 {
			return d.errorf("the comment has no end")
		}
		if c == '*' && d.peek() == '/' {
			_, err := d.read()
			return err
		}
	}
}

// quote reads a quoted string behind its first quote. \" is a quote, and \\ a backslash, as in labels of Graphviz; a
// backslash before a line's end joins lines, and before all else it stands for itself.
func (d *dot) quote() error {
	var text []byte
	for {
		c, err := d.read()
		if err != nil {
			return err
		}
		switch {
		case c == 0:
			return d.errorf("the string has no end")
		case c == '"':
			d.kind, d.quoted, d.token = dotID, true, string(text)
			return nil
		case c == '\\' && (d.peek() == '"' || d.peek() == '\\' || d.peek() == '\n'):
			if c, err = d.read(); err != nil {
				return err
			}
			if c == '\n' {
				continue
			}
		}
		if text = append(text, c); len(text) > maxGraphLine {
			return d.errorf("the string is longer than %d MiB", maxGraphLine>>20)
		}
	}
}

// expect takes the mark s.
func (d *dot) expect(s string) error {
	if !d.mark(s) {
		return d.errorf("expected %s, not %q", s, d.token)
	}
	return d.next()
}

// body reads statements in braces.
func (d *dot) body(defaults dotDefaults, depth int) error {
	if depth > 32 {
		return d.errorf("subgraphs are nested too deeply")
	}
	if err := d.expect("{"); err != nil {
		return err
	}
	defaults.node, defaults.edge = maps.Clone(defaults.node), maps.Clone(defaults.edge)
	for !d.mark("}") {
		if err := d.statement(&defaults, depth); err != nil {
			return err
		}
	}
	return d.next()
}

func (d *dot) statement(defaults *dotDefaults, depth int) error {
	switch {
	case d.mark(";"):
		return d.next()
	case d.is("subgraph") || d.mark("{"):
		return d.subgraph(*defaults, depth)
	case d.is("node"), d.is("edge"), d.is("graph"):
		word := strings.ToLower(d.token)
		if err := d.next(); err != nil {
			return err
		}
		attrs, err := d.attributes(map[string]map[string]string{"node": defaults.node, "edge": defaults.edge}[word])
		switch word {
		case "node":
			defaults.node = attrs
		case "edge":
			defaults.edge = attrs
		}
		return err
	case d.kind != dotID:
		return d.errorf("expected a statement, not %q", d.token)
	}
	return d.chain(defaults)
}

func (d *dot) subgraph(defaults dotDefaults, depth int) error {
	if d.is("subgraph") {
		if err := d.next(); err != nil {
			return err
		}
		if d.kind == dotID {
			if err := d.next(); err != nil {
				return err
			}
		}
	}
	if err := d.body(defaults, depth+1); err != nil {
		return err
	}
	if d.mark("--") || d.mark("->") {
		return d.errorf("an edge of a subgraph is not understood: name the nodes")
	}
	return nil
}

// dotNode is an end of an edge.
type dotNode struct {
	id, port     string
	line, column int
}

// node reads a node's name and port.
func (d *dot) node() (dotNode, error) {
	n := dotNode{id: d.token, line: d.at, column: d.from}
	if d.kind != dotID || d.is("subgraph") {
		return n, d.errorf("expected a node, not %q", d.token)
	}
	err := d.next()
	for err == nil && d.mark(":") {
		if err = d.next(); err != nil {
			break
		}
		if d.kind != dotID {
			return n, d.errorf("expected a port, not %q", d.token)
		}
		if n.port != "" {
			n.port += ":"
		}
		n.port += d.token
		err = d.next()
	}
	return n, err
}

// chain reads a node, edges, or an attribute of the graph.
func (d *dot) chain(defaults *dotDefaults) error {
	first, err := d.node()
	if err != nil {
		return err
	}
	if d.mark("=") { // of the graph
		if err := d.next(); err != nil {
			return err
		}
		if d.kind != dotID {
			return d.errorf("expected a value, not %q", d.token)
		}
		return d.next()
	}
	nodes := []dotNode{first}
	for d.mark("--") || d.mark("->") {
		if d.mark("->") != d.directed {
			return d.errorf("%s does not belong in this kind of graph", d.token)
		}
		if err := d.next(); err != nil {
			return err
		}
		n, err := d.node()
		if err != nil {
			return err
		}
		nodes = append(nodes, n)
	}
	if len(nodes) == 1 {
		attrs, err := d.attributes(defaults.node)
		if err != nil {
			return err
		}
		return d.describe(d.vertex(first.id), attrs, first.line, first.column)
	}
	given, err := d.attributes(defaults.edge)
	if err != nil {
		return err
	}
	for i, n := range nodes[1:] {
		if err := d.edge(nodes[i], n, given, defaults); err != nil {
			return err
		}
	}
	return nil
}

func (d *dot) edge(from, to dotNode, given map[string]string, defaults *dotDefaults) error {
	ends := [2]int32{}
	for i, n := range []dotNode{from, to} {
		known := d.known(n.id)
		ends[i] = d.vertex(n.id)
		if !known {
			if err := d.describe(ends[i], defaults.node, n.line, n.column); err != nil {
				return err
			}
		}
	}
	attrs := maps.Clone(given)
	if attrs == nil {
		attrs = make(map[string]string)
	}
	for key, port := range map[string]string{"port_a": from.port, "port_b": to.port} {
		if port != "" {
			attrs[key] = port
		}
	}
	simplex := d.directed && attrs["dir"] != "both"
	delete(attrs, "dir")
	return d.link(ends[0], ends[1], simplex, attrs, from.line, from.column)
}

// attributes reads any number of lists [name=value, ...] on top of the
// defaults.
func (d *dot) attributes(defaults map[string]string) (map[string]string, error) {
	if !d.mark("[") {
		return defaults, nil
	}
	attrs := maps.Clone(defaults)
	if attrs == nil {
		attrs = make(map[string]string)
	}
	for d.mark("[") {
		if err := d.next(); err != nil {
			return nil, err
		}
		for !d.mark("]") {
			if d.mark(";") || d.mark(",") {
				if err := d.next(); err != nil {
					return nil, err
				}
				continue
			}
			if d.kind != dotID {
				return nil, d.errorf("expected an attribute, not %q", d.token)
			}
			key := d.token
			if err := d.next(); err != nil {
				return nil, err
			}
			if err := d.expect("="); err != nil {
				return nil, err
			}
			if d.kind != dotID {
				return nil, d.errorf("expected a value, not %q", d.token)
			}
			attrs[key] = d.token
			if len(attrs) > maxAttributes {
				return nil, d.errorf("more than %d attributes", maxAttributes)
			}
			if err := d.next(); err != nil {
				return nil, err
			}
		}
		if err := d.next(); err != nil {
			return nil, err
		}
	}
	return attrs, nil
}
