package graphio

import (
	"bufio"
	"cmp"
	"errors"
	"html"
	"io"
	"maps"
	"slices"
	"strings"
)

// readDOT reads one graph of the DOT language (graphviz.org/doc/info/lang.html).
// Of a node, the attributes kind, role and label count; those of an edge are
// kept. Ports are kept as port_a and port_b. An edge whose end is a subgraph or a
// list of nodes is an edge to each of them. Repeated edges of a strict graph are one.
// The attributes of graphs are passed over, and of HTML strings all but the text.
func readDOT(b *reading, r io.Reader) error {
	d := &dot{scanner: scanner{reading: b, in: bufio.NewReaderSize(r, 1<<16), line: 1}, named: map[string]*dotGroup{}}
	if err := d.next(); err != nil {
		return err
	}
	if b.strict = d.is("strict"); b.strict {
		if err := d.next(); err != nil {
			return err
		}
	}
	if !d.is("graph") && !d.is("digraph") {
		return d.errorf("expected graph or digraph, not %q", d.token)
	}
	d.arrows = d.is("digraph")
	b.undirected = !d.arrows
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

// scanner reads bytes and counts lines and columns.
type scanner struct {
	*reading
	in           *bufio.Reader
	line, column int // of the last byte read
}

// dot is a scanner and parser with one token of lookahead.
type dot struct {
	scanner
	arrows   bool // a digraph
	kind     dotKind
	quoted   bool
	token    string
	at, from int                  // line and column of the token
	groups   []*dotGroup          // subgraphs that are open
	named    map[string]*dotGroup // subgraphs that have a name
	members  int                  // nodes of all subgraphs
}

// dotGroup is the nodes of a subgraph.
type dotGroup struct {
	nodes []dotNode
	has   map[int32]bool
}

// add adds a node, and reports whether it was not there.
func (g *dotGroup) add(n dotNode) bool {
	if g.has[n.vertex] {
		return false
	}
	if g.has == nil {
		g.has = make(map[int32]bool)
	}
	g.has[n.vertex] = true
	g.nodes = append(g.nodes, n)
	return true
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
func (d *scanner) read() (byte, error) {
	c, err := d.in.ReadByte()
	if errors.Is(err, io.EOF) {
		return 0, nil
	}
	if err != nil {
		return 0, d.errorAt(d.line, d.column, "%v", err)
	}
	if d.column++; c == 0 {
		return 0, d.errorAt(d.line, d.column, "a zero byte is not a text")
	}
	if c == '\n' {
		d.line++
		d.column = 0
	}
	return c, nil
}

// peek returns the next byte without taking it, 0 at the end.
func (d *scanner) peek() byte {
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
		case c == '<':
			return d.html()
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
			more, err := d.readJoin()
			if err != nil {
				return err
			}
			if more {
				continue
			}
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

// readJoin reads up to the first quote of another string if a plus joins one to the string that has ended.
func (d *dot) readJoin() (bool, error) {
	if d.peekNonBlank() != '+' {
		return false, nil
	}
	for c := byte(0); c != '+'; {
		var err error
		if c, err = d.read(); err != nil {
			return false, err
		}
	}
	if d.peekNonBlank() != '"' {
		return false, d.errorAt(d.line, d.column, "expected a string in quotes after +")
	}
	for c := byte(0); c != '"'; {
		var err error
		if c, err = d.read(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// html reads a string of HTML behind its first bracket. Its text counts, without the elements.
func (d *dot) html() error {
	var text []byte
	for depth := 1; depth > 0; {
		c, err := d.read()
		if err != nil {
			return err
		}
		switch c {
		case 0:
			return d.errorf("the string has no end")
		case '<':
			depth++
		case '>':
			depth--
			c = ' '
		}
		if c == '<' || depth > 1 {
			continue
		}
		if text = append(text, c); len(text) > maxGraphLine {
			return d.errorf("the string is longer than %d MiB", maxGraphLine>>20)
		}
	}
	d.kind, d.quoted = dotID, true
	d.token = strings.Join(strings.Fields(html.UnescapeString(string(text))), " ")
	return nil
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
	case d.kind != dotID && !d.mark("{"):
		return d.errorf("expected a statement, not %q", d.token)
	}
	return d.chain(defaults, depth)
}

// subgraph reads a subgraph and returns its nodes.
func (d *dot) subgraph(defaults dotDefaults, depth int) ([]dotNode, error) {
	group := new(dotGroup)
	if d.is("subgraph") {
		if err := d.next(); err != nil {
			return nil, err
		}
		if d.kind == dotID {
			name := d.token
			if d.named[name] == nil {
				d.named[name] = group
			}
			group = d.named[name]
			if err := d.next(); err != nil {
				return nil, err
			}
			if !d.mark("{") { // the nodes of the subgraph that has this name
				return group.nodes, nil
			}
		}
	}
	d.groups = append(d.groups, group)
	err := d.body(defaults, depth+1)
	d.groups = d.groups[:len(d.groups)-1]
	return group.nodes, err
}

// dotNode is an end of an edge.
type dotNode struct {
	vertex       int32
	port         string
	line, column int
}

// compass are the sides of a node that an edge may end at, which are not ports.
var compass = []string{"n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"}

// node reads a node's name and port.
func (d *dot) node(defaults map[string]string) (dotNode, error) {
	n := dotNode{line: d.at, column: d.from}
	if d.kind != dotID || d.is("subgraph") {
		return n, d.errorf("expected a node, not %q", d.token)
	}
	known := d.hasVertex(d.token)
	n.vertex = d.vertex(d.token)
	if !known {
		if err := d.describe(n.vertex, defaults, n.line, n.column); err != nil {
			return n, err
		}
	}
	err := d.next()
	for parts := 0; err == nil && d.mark(":"); parts++ {
		if err = d.next(); err != nil {
			break
		}
		switch {
		case d.kind != dotID:
			return n, d.errorf("expected a port, not %q", d.token)
		case parts > 0 && !d.quoted && slices.Contains(compass, d.token):
		case parts > 0:
			n.port += ":" + d.token
		default:
			n.port = d.token
		}
		err = d.next()
	}
	return n, err
}

// end reads what stands at an end of an edge: nodes with commas between them, or a subgraph.
func (d *dot) end(defaults *dotDefaults, depth int) ([]dotNode, error) {
	if d.is("subgraph") || d.mark("{") {
		return d.subgraph(*defaults, depth)
	}
	var nodes []dotNode
	for {
		n, err := d.node(defaults.node)
		if err != nil {
			return nil, err
		}
		if nodes = append(nodes, n); !d.mark(",") {
			return nodes, nil
		}
		if err := d.next(); err != nil {
			return nil, err
		}
	}
}

// chain reads nodes, edges, a subgraph, or an attribute of the graph.
func (d *dot) chain(defaults *dotDefaults, depth int) error {
	if d.kind == dotID && d.peekNonBlank() == '=' { // an attribute of the graph
		if err := d.next(); err != nil {
			return err
		}
		if err := d.next(); err != nil {
			return err
		}
		if d.kind != dotID {
			return d.errorf("expected a value, not %q", d.token)
		}
		return d.next()
	}
	group := d.is("subgraph") || d.mark("{")
	first, err := d.end(defaults, depth)
	if err != nil {
		return err
	}
	ends := [][]dotNode{first}
	for d.mark("--") || d.mark("->") {
		if d.mark("->") != d.arrows {
			return d.errorf("%s does not belong in this kind of graph", d.token)
		}
		if err := d.next(); err != nil {
			return err
		}
		nodes, err := d.end(defaults, depth)
		if err != nil {
			return err
		}
		ends = append(ends, nodes)
	}
	if err := d.collect(ends); err != nil {
		return err
	}
	switch {
	case len(ends) > 1:
		return d.edges(ends, defaults)
	case group:
		return nil
	}
	attrs, err := d.attributes(defaults.node)
	for _, n := range first {
		if err == nil {
			err = d.describe(n.vertex, attrs, n.line, n.column)
		}
	}
	return err
}

// collect adds the nodes of a statement to the subgraphs that are open. The ports of edges are not those of a
// subgraph's nodes.
func (d *dot) collect(ends [][]dotNode) error {
	for _, g := range d.groups {
		for _, n := range slices.Concat(ends...) {
			if len(ends) > 1 {
				n.port = ""
			}
			if g.add(n) {
				d.members++
			}
		}
	}
	if d.members > maxGraphLinks {
		return d.errorf("subgraphs have more than %d nodes", maxGraphLinks)
	}
	return nil
}

// edges adds an edge from every node of an end to every node of the next.
func (d *dot) edges(ends [][]dotNode, defaults *dotDefaults) error {
	given, err := d.attributes(defaults.edge)
	if err != nil {
		return err
	}
	for i := range ends[1:] {
		for _, from := range ends[i] {
			for _, to := range ends[i+1] {
				if err := d.edge(from, to, given); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// peekNonBlank returns the next byte that is not blank, which is not taken; 0 at the end.
func (d *dot) peekNonBlank() byte {
	for n := 1; n <= 1<<10; n++ {
		text, err := d.in.Peek(n)
		if err != nil {
			return 0
		}
		if c := text[n-1]; !isBlank(c) && c != '\n' {
			return c
		}
	}
	return 0
}

func (d *dot) edge(from, to dotNode, given map[string]string) error {
	attrs := maps.Clone(given)
	if attrs == nil {
		attrs = make(map[string]string)
	}
	from.port = cmp.Or(from.port, attrs["tailport"])
	to.port = cmp.Or(to.port, attrs["headport"])
	ways, dir := duplex, attrs["dir"]
	if d.arrows && dir != "both" && dir != "none" {
		ways = arc
	}
	if d.arrows && dir == "back" {
		from, to = to, from
	}
	for _, key := range []string{"dir", "tailport", "headport"} {
		delete(attrs, key)
	}
	for key, port := range map[string]string{"port_a": from.port, "port_b": to.port} {
		if port != "" {
			attrs[key] = port
		}
	}
	return d.link(from.vertex, to.vertex, ways, attrs, from.line, from.column)
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
