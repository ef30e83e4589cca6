package graphio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readJSON reads an object with the nodes and links of a graph, in the form that WriteJSON writes (vertices, and
// links from a to b with their attributes) and in the node-link form of NetworkX and D3 (nodes, and links or edges
// from source to target, whose other members are attributes; directed). Of a node, id, label or name, kind and role
// count. A link of D3 may name its ends by their index.
func readJSON(b *reading, r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return b.textError(err)
	}
	j := &jsonGraph{reading: b, text: text, in: json.NewDecoder(bytes.NewReader(text)), line: 1}
	j.in.UseNumber()
	b.undirected = true
	if err := j.document(); err != nil {
		return err
	}
	if !b.undirected {
		b.direct()
	}
	return b.checkMentions()
}

type jsonGraph struct {
	*reading
	text         []byte
	in           *json.Decoder
	passed       int // bytes of the text whose lines are counted
	line, column int
	nodes, links bool
	ids          []string // of the nodes that have no id, which links name by their index
}

// here finds line and column of where the decoder has come to.
func (j *jsonGraph) here() {
	at := int(j.in.InputOffset())
	for at < len(j.text) && (isBlank(j.text[at]) || strings.IndexByte("\n,:", j.text[at]) >= 0) {
		at++
	}
	j.moveTo(at)
}

func (j *jsonGraph) moveTo(at int) {
	if at < j.passed {
		j.passed, j.line = 0, 1
	}
	j.line += bytes.Count(j.text[j.passed:at], []byte("\n"))
	j.passed = at
	j.column = at - bytes.LastIndexByte(j.text[:at], '\n')
}

func (j *jsonGraph) errorf(format string, args ...any) error {
	return j.errorAt(j.line, j.column, format, args...)
}

// wrong places what the decoder refuses.
func (j *jsonGraph) wrong(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		j.moveTo(min(len(j.text), max(j.passed, int(syntax.Offset)-1)))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		j.moveTo(len(j.text))
		err = errors.New("the text ends within the graph")
	}
	return j.errorf("%v", err)
}

func (j *jsonGraph) expect(mark json.Delim) error {
	j.here()
	token, err := j.in.Token()
	if err != nil {
		return j.wrong(err)
	}
	if token != mark {
		return j.errorf("expected %v, not %v", mark, token)
	}
	return nil
}

// document reads the object of a file; members that are not known are passed over.
func (j *jsonGraph) document() error {
	if err := j.expect('{'); err != nil {
		return err
	}
	for j.in.More() {
		token, err := j.in.Token()
		if err != nil {
			return j.wrong(err)
		}
		j.here()
		switch token {
		case "nodes", "vertices":
			j.nodes = true
			err = j.each(j.node)
		case "links", "edges":
			j.links = true
			err = j.each(j.edge)
		case "directed":
			var directed bool
			if err = j.in.Decode(&directed); err != nil {
				return j.errorf("directed must be true or false")
			}
			j.undirected = !directed
		default:
			var skipped json.RawMessage
			if err = j.in.Decode(&skipped); err != nil {
				return j.wrong(err)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := j.expect('}'); err != nil {
		return err
	}
	if !j.nodes || !j.links {
		return j.errorf("expected an object with nodes (or vertices) and links (or edges)")
	}
	return nil
}

// each reads the objects of a list.
func (j *jsonGraph) each(read func(members map[string]any) error) error {
	if err := j.expect('['); err != nil {
		return err
	}
	for j.in.More() {
		j.here()
		var members map[string]any
		if err := j.in.Decode(&members); err != nil {
			var wrongType *json.UnmarshalTypeError
			if errors.As(err, &wrongType) {
				return j.errorf("expected an object, not a %s", wrongType.Value)
			}
			return j.wrong(err)
		}
		if err := read(members); err != nil {
			return err
		}
	}
	return j.expect(']')
}

// value is the text of a member; empty for null and for what is not there.
func value(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

func (j *jsonGraph) node(members map[string]any) error {
	attrs := make(map[string]string)
	for _, key := range []string{"label", "name", "kind", "role"} {
		attrs[key] = value(members[key])
	}
	id := value(members["id"])
	if _, given := members["id"]; !given {
		id = strconv.Itoa(len(j.ids))
		j.ids = append(j.ids, id)
	}
	v, err := j.declare(id, j.line, j.column)
	if err != nil {
		return err
	}
	return j.describe(v, attrs, j.line, j.column)
}

// edge takes a link between source and target, or a and b as WriteJSON has them. It changes members.
func (j *jsonGraph) edge(members map[string]any) error {
	own := members["a"] != nil && members["b"] != nil
	from, to := value(members["source"]), value(members["target"])
	if own {
		from, to = value(members["a"]), value(members["b"])
		if kept, ok := members["attributes"].(map[string]any); ok {
			for k, v := range kept {
				if members[k] == nil || k == "port_a" || k == "port_b" {
					members[k] = v
				}
			}
		}
		for _, key := range []string{"a", "b", "attributes"} {
			delete(members, key)
		}
		for _, key := range []string{"port_a", "port_b"} {
			if _, number := members[key].(json.Number); number { // given out by the writer
				delete(members, key)
			}
		}
	}
	if from == "" || to == "" {
		return j.errorf("this link has no source or no target")
	}
	attrs := make(map[string]string, len(members))
	for k, v := range members {
		if k != "source" && k != "target" && k != "key" && v != nil { // the key tells parallel links apart
			attrs[k] = value(v)
		}
	}
	if own && attrs["level"] == "link" {
		delete(attrs, "level")
	}
	line, column := j.line, j.column
	return j.link(j.mention(from, line, column), j.mention(to, line, column), duplex, attrs, line, column)
}
