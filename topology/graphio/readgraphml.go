package graphio

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/internal/csvtable"
)

// readGraphML reads one graph of GraphML (U. Brandes et al., "GraphML progress
// report", GD 2001). Attributes of nodes and edges go by the names that their
// keys declare: kind, role and label of a node; level, width, simplex and others
// of an edge. Of what yEd draws, the first label counts. A node that holds a graph
// is a group, not a vertex. An edge that is directed in a graph whose others are not
// is a simplex link. Hyperedges are refused.
func readGraphML(b *reading, r io.Reader) error {
	d := csvtable.XML("", r)
	x := &graphML{reading: b, decoder: d, keys: make(map[string]graphMLKey), groups: make(map[string]bool)}
	for {
		x.line, x.column = d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if !x.seen {
				return b.errorAt(x.line, x.column, "there is no graph element")
			}
			return x.checkEnds()
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
			if x.capture {
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
	keys         map[string]graphMLKey // by their ids
	order        []string              // the ids that have a value where nothing else is given
	path         []string              // open elements
	seen         bool                  // a graph
	arrows       bool                  // edges are directed where they do not say otherwise
	groups       map[string]bool       // nodes that hold a graph
	held         []bool                // of the open elements: a node that holds a graph
	item         struct {              // node or edge that is open
		node, source, target string
		ways                 way
		attrs                map[string]string
		line, column         int
	}
	key     string // of the value that is open
	foreign int    // the open element that holds what is not of GraphML, from 1; 0 for none
	capture bool   // the text counts
	text    strings.Builder
}

// graphMLKey is what a key declares.
type graphMLKey struct {
	name, domain, value string // of the attribute, what it is for, and where nothing else is given
	drawn               bool   // a drawing of yEd
}

func (x *graphML) errorf(format string, args ...any) error {
	return x.errorAt(x.line, x.column, format, args...)
}

// checkEnds refuses edges that end at a group or at no node at all.
func (x *graphML) checkEnds() error {
	for _, m := range x.mentions {
		if v := &x.vertices[m.vertex]; x.groups[v.id] {
			return x.errorAt(int(m.line), int(m.column), "this edge ends at the group %q; draw it to a node", v.id)
		}
	}
	return x.checkMentions()
}

// parents is where elements may stand.
var parents = map[string][]string{
	"graphml": {""}, "key": {"graphml"}, "graph": {"graphml", "node"}, "node": {"graph"}, "edge": {"graph"},
}

// start takes the beginning of an element.
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
	x.path, x.held = append(x.path, name), append(x.held, false)
	if x.foreign > 0 {
		if label := name == "NodeLabel" || name == "EdgeLabel"; name == "default" && parent == "key" || label &&
			x.keys[x.key].drawn && x.item.attrs["label"] == "" {
			x.capture = true
			x.text.Reset()
		}
		return nil
	}
	if want, ok := parents[name]; ok && !slices.Contains(want, parent) {
		return x.errorf("element %s stands in %q, not in %q", name, parent, want[0])
	}
	switch name {
	case "graphml", "desc", "port":
	case "key":
		key := graphMLKey{name: cmp.Or(attr["attr.name"], attr["id"]), domain: attr["for"]}
		key.drawn = attr["yfiles.type"] != ""
		x.key, x.keys[attr["id"]] = attr["id"], key
		x.foreign = len(x.path)
	case "graph":
		return x.graph(parent, attr)
	case "node":
		if attr["id"] == "" {
			return x.errorf("a node has no id")
		}
		x.open(name, attr)
	case "edge":
		x.open(name, attr)
	case "data":
		x.foreign = len(x.path)
		if parent != "node" && parent != "edge" {
			return nil
		}
		key, ok := x.keys[attr["key"]]
		if !ok {
			return x.errorf("there is no key %q", attr["key"])
		}
		x.key, x.capture = attr["key"], !key.drawn
		x.text.Reset()
	default:
		return x.errorf("element %s is not understood", name)
	}
	return nil
}

// graph opens a graph, or one in a node, which is a group of nodes.
func (x *graphML) graph(parent string, attr map[string]string) error {
	if parent == "node" {
		x.held[len(x.held)-2] = true
		x.groups[x.item.node] = true
		return nil
	}
	if x.seen {
		return x.errorf("there is more than one graph")
	}
	x.seen = true
	x.arrows = attr["edgedefault"] == "directed"
	x.undirected = !x.arrows
	return nil
}

// open starts a node or an edge.
func (x *graphML) open(element string, attr map[string]string) {
	item := &x.item
	item.node, item.source, item.target = attr["id"], attr["source"], attr["target"]
	item.attrs = make(map[string]string)
	item.line, item.column = x.line, x.column
	for _, id := range x.order {
		if key := x.keys[id]; key.domain == element || key.domain == "all" || key.domain == "" {
			item.attrs[key.name] = key.value
		}
	}
	switch directed := attr["directed"]; {
	case element == "node":
		return
	case directed == "true" && !x.arrows:
		item.ways = simplex
	case directed == "false" || !x.arrows:
		item.ways = duplex
	default:
		item.ways = arc
	}
	for end, key := range map[string]string{"sourceport": "port_a", "targetport": "port_b"} {
		if attr[end] != "" {
			item.attrs[key] = attr[end]
		}
	}
}

// end takes the end of the innermost element that is open: then what it holds is known.
func (x *graphML) end() error {
	at := len(x.path) - 1
	name, group := x.path[at], x.held[at]
	x.path, x.held = x.path[:at], x.held[:at]
	item := &x.item
	text := ""
	if x.capture {
		text = strings.TrimSpace(x.text.String())
	}
	switch name {
	case "NodeLabel", "EdgeLabel":
		if x.capture && x.keys[x.key].drawn && text != "" {
			item.attrs["label"] = text
			x.capture = false
		}
	case "default":
		if key := x.keys[x.key]; x.foreign > 0 && x.capture && !key.drawn && text != "" {
			key.value = text
			x.keys[x.key] = key
			x.order = append(x.order, x.key)
		}
	case "data":
		if x.capture && at+1 == x.foreign {
			item.attrs[x.keys[x.key].name] = text
		}
	case "graph":
		item.attrs = make(map[string]string) // of the node that holds it
	case "node":
		if group {
			return nil
		}
		v, err := x.declare(item.node, item.line, item.column)
		if err != nil {
			return err
		}
		return x.describe(v, item.attrs, item.line, item.column)
	case "edge":
		return x.link(x.mention(item.source, item.line, item.column), x.mention(item.target, item.line, item.column),
			item.ways, item.attrs, item.line, item.column)
	}
	if x.foreign == 0 || at < x.foreign {
		x.foreign, x.capture = 0, false
	}
	return nil
}
