package graphio

import (
	"bufio"
	"html"
	"io"
	"strings"
)

// readGML reads one graph of GML (M. Himsolt, "GML: a portable graph file format", 1997), as NetworkX, igraph, yEd
// and the Topology Zoo write it. Of a node, id, label, kind and role count; the numbers and texts of an edge are
// kept, lists are passed over. Edges that have the same ends are parallel, whether the graph says multigraph or
// not.
func readGML(b *reading, r io.Reader) error {
	g := &gml{scanner: scanner{reading: b, in: bufio.NewReaderSize(r, 1<<16), line: 1}}
	b.undirected = true
	err := g.list(0, func(key string) error {
		if key != "graph" {
			return g.skip()
		}
		if g.seen {
			return g.errorf("there is more than one graph")
		}
		g.seen = true
		return g.readNested(1, g.graph)
	})
	switch {
	case err != nil:
		return err
	case !g.seen:
		return b.errorAt(g.line, max(g.column, 1), "there is no graph [ ]")
	}
	if !b.undirected {
		b.direct()
	}
	return b.checkMentions()
}

// gml is a scanner and parser with one token of lookahead.
type gml struct {
	scanner
	token    string
	mark     byte // [ or ], 0 for a word, number or text
	quoted   bool
	ended    bool // the end of the file
	at, from int  // line and column of the token
	seen     bool // a graph
}

func (g *gml) errorf(format string, args ...any) error {
	return g.errorAt(g.at, g.from, format, args...)
}

// next reads the next token.
func (g *gml) next() error {
	var text []byte
	g.mark, g.quoted, g.token = 0, false, ""
	for {
		c, err := g.read()
		if err != nil {
			return err
		}
		g.at, g.from = g.line, g.column
		switch {
		case c == 0:
			g.ended, g.token = true, "end of file"
			return nil
		case c == '\n' || isBlank(c):
			continue
		case c == '#': // a comment
			for c != 0 && c != '\n' {
				if c, err = g.read(); err != nil {
					return err
				}
			}
			continue
		case c == '[' || c == ']':
			g.mark, g.token = c, string(c)
			return nil
		case c == '"':
			g.quoted = true
		default:
			text = append(text, c)
		}
		break
	}
	for {
		c := g.peek()
		switch {
		case g.quoted && c == 0:
			return g.errorf("the text has no end")
		case !g.quoted && (c == 0 || c == '\n' || isBlank(c) || strings.IndexByte(`[]"#`, c) >= 0):
			g.token = string(text)
			return nil
		case len(text) > maxGraphLine:
			return g.errorf("the text is longer than %d MiB", maxGraphLine>>20)
		}
		c, err := g.read()
		if err != nil {
			return err
		}
		if g.quoted && c == '"' {
			g.token = html.UnescapeString(string(text))
			return nil
		}
		text = append(text, c)
	}
}

// list reads keys, for which it calls each with the first token of the value, up to the end of the list, or of the
// file.
func (g *gml) list(depth int, each func(key string) error) error {
	if depth > 32 {
		return g.errorf("lists are nested too deeply")
	}
	for {
		if err := g.next(); err != nil {
			return err
		}
		switch {
		case depth == 0 && g.ended, depth > 0 && g.mark == ']':
			return nil
		case g.ended || g.mark != 0 || g.quoted:
			return g.errorf("expected a key, not %q", g.token)
		}
		key := strings.Clone(g.token)
		if err := g.next(); err != nil {
			return err
		}
		if g.ended || g.mark == ']' {
			return g.errorf("expected the value of %s, not %q", key, g.token)
		}
		if err := each(key); err != nil {
			return err
		}
	}
}

// readNested reads the list that is the value.
func (g *gml) readNested(depth int, each func(key string) error) error {
	if g.mark != '[' {
		return g.errorf("expected [, not %q", g.token)
	}
	return g.list(depth, each)
}

// skip passes over the value.
func (g *gml) skip() error {
	for depth := 0; ; {
		switch {
		case g.ended:
			return g.errorf("the list has no end")
		case g.mark == '[':
			depth++
		case g.mark == ']':
			depth--
		}
		if depth == 0 {
			return nil
		}
		if err := g.next(); err != nil {
			return err
		}
	}
}

// graph reads the value of a key of the graph.
func (g *gml) graph(key string) error {
	switch key {
	case "node", "edge":
		return g.item(key)
	case "directed":
		if g.token != "0" && g.token != "1" {
			return g.errorf("directed must be 0 or 1, not %q", g.token)
		}
		g.undirected = g.token == "0"
	}
	return g.skip()
}

// item reads a node or an edge.
func (g *gml) item(element string) error {
	line, column := g.at, g.from
	attrs := make(map[string]string)
	if err := g.readNested(2, func(key string) error {
		if g.mark == 0 {
			attrs[key] = g.token
		}
		if len(attrs) > maxAttributes {
			return g.errorf("more than %d attributes", maxAttributes)
		}
		return g.skip()
	}); err != nil {
		return err
	}
	take := func(key string) (string, error) {
		s, ok := attrs[key]
		if delete(attrs, key); !ok {
			return "", g.errorAt(line, column, "this %s has no %s", element, key)
		}
		return s, nil
	}
	if element == "node" {
		id, err := take("id")
		if err != nil {
			return err
		}
		v, err := g.declare(id, line, column)
		if err != nil {
			return err
		}
		return g.describe(v, attrs, line, column)
	}
	from, err := take("source")
	if err != nil {
		return err
	}
	to, err := take("target")
	if err != nil {
		return err
	}
	delete(attrs, "key") // tells parallel edges apart
	return g.link(g.mention(from, line, column), g.mention(to, line, column), duplex, attrs, line, column)
}
