package graphio

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// readGraphML reads one graph of GraphML (U. Brandes et al., "GraphML progress
// report", GD 2001). Attributes of nodes and edges go by the names that their
// keys declare: kind, role and label of a node; level, width, simplex and others
// of an edge. A directed edge is a simplex link. Nested graphs, hyperedges and
// default values of keys are refused.
func readGraphML(b *reading, r io.Reader) error {
	d := xml.NewDecoder(r)
	d.CharsetReader = nil
	x := &graphML{reading: b, decoder: d, keys: make(map[string]string)}
	for {
		x.line, x.column = d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if !x.seen {
				return b.errorAt(x.line, x.column, "there is no graph element")
			}
			return nil
		}
		if err != nil {
			line, column := d.InputPos()
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				return b.errorAt(syntax.Line, column, "%s", syntax.Msg)
			}
			return b.errorAt(line, column, "%v", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			err = x.start(t)
		case xml.EndElement:
			err = x.end()
		case xml.CharData:
			if x.data != "" {
				if x.text.Len()+len(t) > maxGraphLine {
					return x.errorf("the value is longer than %d MiB", maxGraphLine>>20)
				}
				x.text.Write(t)
			}
		}
		if err != nil {
			return err
		}
	}
}

// graphML is the state of a reader.
type graphML struct {
	*reading
	decoder      *xml.Decoder
	line, column int
	keys         map[string]string // names of attributes by the ids of their keys
	path         []string          // open elements
	seen         bool              // a graph
	directed     bool
	item         struct { // node or edge that is open
		node, source, target string
		directed             bool
		attrs                map[string]string
		line, column         int
	}
	data string // name of the attribute that is open
	text strings.Builder
}

func (x *graphML) errorf(format string, args ...any) error {
	return x.errorAt(x.line, x.column, format, args...)
}

// parents is where elements may stand.
var parents = map[string]string{
	"graphml": "", "key": "graphml", "graph": "graphml", "node": "graph", "edge": "graph",
}

func (x *graphML) start(t xml.StartElement) error {
	attr := make(map[string]string)
	for _, a := range t.Attr {
		attr[a.Name.Local] = a.Value
	}
	name, parent := t.Name.Local, ""
	if len(x.path) > 0 {
		parent = x.path[len(x.path)-1]
	}
	if len(x.path) == 32 {
		return x.errorf("elements are nested too deeply")
	}
	x.path = append(x.path, name)
	if want, ok := parents[name]; ok && want != parent {
		return x.errorf("element %s stands in %q, not in %q", name, parent, want)
	}
	switch name {
	case "graphml", "desc", "port":
	case "key":
		x.keys[attr["id"]] = attr["attr.name"]
		if attr["attr.name"] == "" {
			x.keys[attr["id"]] = attr["id"]
		}
	case "graph":
		if x.seen {
			return x.errorf("there is more than one graph")
		}
		x.seen = true
		x.directed = attr["edgedefault"] == "directed"
	case "node":
		if attr["id"] == "" {
			return x.errorf("a node has no id")
		}
		if x.known(attr["id"]) {
			return x.errorf("node %q is there twice", attr["id"])
		}
		x.open(attr)
	case "edge":
		for _, end := range []string{attr["source"], attr["target"]} {
			if !x.known(end) {
				return x.errorf("there is no node %q before this edge", end)
			}
		}
		x.open(attr)
	case "data":
		if parent != "node" && parent != "edge" {
			return nil
		}
		key, ok := x.keys[attr["key"]]
		if !ok {
			return x.errorf("there is no key %q", attr["key"])
		}
		x.data = key
		x.text.Reset()
	default:
		if x.data == "" && parent != "key" && parent != "data" {
			return x.errorf("element %s is not understood", name)
		}
	}
	return nil
}

// open starts a node or an edge.
func (x *graphML) open(attr map[string]string) {
	x.item.node, x.item.source, x.item.target = attr["id"], attr["source"], attr["target"]
	x.item.directed = x.directed
	if d := attr["directed"]; d != "" {
		x.item.directed = d == "true"
	}
	x.item.attrs = make(map[string]string)
	x.item.line, x.item.column = x.line, x.column
}

func (x *graphML) end() error {
	name := x.path[len(x.path)-1]
	x.path = x.path[:len(x.path)-1]
	item := &x.item
	switch name {
	case "data":
		if x.data != "" {
			item.attrs[x.data] = strings.TrimSpace(x.text.String())
			x.data = ""
		}
	case "node":
		return x.describe(x.vertex(item.node), item.attrs, item.line, item.column)
	case "edge":
		return x.link(x.vertex(item.source), x.vertex(item.target), item.directed, item.attrs, item.line, item.column)
	}
	return nil
}
