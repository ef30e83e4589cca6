package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/internal/strictyaml"
)

// Limits of the documents that are kept as a tree, which takes up to 200 bytes for a value.
const (
	mostValues  = 1 << 21
	mostNesting = 64
	mostAliased = 100_000 // values that aliases repeat
)

// Limits of what outlineJSON and jsonKeys keep of a document.
const (
	mostKeys     = 1 << 10 // different keys of a level
	mostLevels   = 8       // objects within objects
	mostKeyBytes = 64
)

// startsJSON reports whether a text begins as a JSON object or list does.
func startsJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// keysByLevel returns the different keys of the objects of a JSON text, level by level: those of the outermost objects
// come first, and lists add no level. It looks at brackets, quotes and colons alone, so that a large text takes little
// time, and ends where the outermost value does.
func keysByLevel(text []byte) [][]string {
	if !startsJSON(text) {
		return nil
	}
	type seenKey struct {
		level int
		key   string
	}
	seen := map[seenKey]bool{}
	var levels [][]string
	var open []byte // the brackets that are not closed
	level := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			open = append(open, c)
			if c == '{' {
				level++
			}
		case '}', ']':
			if c == '}' {
				level--
			}
			if open = open[:len(open)-1]; len(open) == 0 || level < 0 {
				return levels
			}
		case '"':
			start := i
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			inObject := level > 0 && open[len(open)-1] == '{'
			if !inObject || level > mostLevels || i-start > mostKeyBytes+1 || i >= len(text) {
				continue
			}
			after := text[i+1 : min(len(text), i+1+mostKeyBytes)]
			if !bytes.HasPrefix(bytes.TrimLeft(after, " \t\r\n"), []byte(":")) {
				continue
			}
			var key string
			if json.Unmarshal(text[start:i+1], &key) != nil {
				continue
			}
			for len(levels) < level {
				levels = append(levels, nil)
			}
			if id := (seenKey{level, key}); !seen[id] && len(levels[level-1]) < mostKeys {
				seen[id] = true
				if quoted, _ := json.Marshal(key); len(quoted) <= mostKeyBytes+2 { // else an outline would lose it
					levels[level-1] = append(levels[level-1], key)
				}
			}
		}
	}
	return levels
}

// jsonKeys returns the keys of a JSON text, or of the beginning of one, with the lowest level that has each, from 1.
func jsonKeys(head []byte) map[string]int {
	out := map[string]int{}
	for i, keys := range keysByLevel(head) {
		for _, key := range keys {
			if out[key] == 0 {
				out[key] = i + 1
			}
		}
	}
	return out
}

// outlineJSON returns a small JSON document with the keys of a large one, each once in its level. Read takes it for the
// head of the file, so that a form is recognised by keys that come late in the file.
func outlineJSON(text []byte, levels [][]string) []byte {
	var out bytes.Buffer
	open := "{"
	if bytes.TrimLeft(text, " \t\r\n")[0] == '[' {
		open = "[{"
	}
	out.WriteString(open)
	for i, keys := range levels {
		for k, key := range keys {
			if k > 0 {
				out.WriteString(",")
			}
			quoted, _ := json.Marshal(key)
			out.Write(quoted)
			out.WriteString(":0")
		}
		if i+1 < len(levels) {
			if len(keys) > 0 {
				out.WriteString(",")
			}
			out.WriteString(`"":{`)
		}
	}
	out.WriteString(strings.Repeat("}", len(levels)))
	if open == "[{" {
		out.WriteString("]")
	}
	return out.Bytes()
}

// junosEnd is what Junos prints behind a document: the role of the routing engine.
var junosEnd = lazyregexp.New(`^\{[a-z]+[a-z0-9:-]*\}$`)

// readTree reads a JSON document as a tree whose nodes know their places.
func readTree(path string, r io.Reader) (*yaml.Node, error) {
	data, err := io.ReadAll(csvtable.Text(path, r))
	if err != nil {
		return nil, diag.AsList(err)
	}
	return jsonTree(path, data)
}

// readYAML reads a YAML or JSON document likewise. Aliases are replaced by what they repeat.
func readYAML(path string, r io.Reader) (*yaml.Node, error) {
	data, err := io.ReadAll(csvtable.Text(path, r))
	if err != nil {
		return nil, diag.AsList(err)
	}
	if startsJSON(data) {
		if root, err := jsonTree(path, data); err == nil {
			return root, nil
		}
	}
	doc, root := new(strictyaml.Language).Parse(path, data)
	if mistakes := doc.Mistakes(); len(mistakes) > 0 {
		for i := range mistakes {
			mistakes[i].Pos.Line, mistakes[i].Pos.Column = max(mistakes[i].Pos.Line, 1), max(mistakes[i].Pos.Column, 1)
		}
		return nil, diag.List(mistakes)
	}
	if root == nil {
		return nil, mistake(path, nil, "the document is empty", "")
	}
	left := mostAliased
	if !unalias(root, false, &left) {
		return nil, mistake(path, root, fmt.Sprintf("aliases repeat more than %d values", mostAliased), "")
	}
	return root, nil
}

// unalias replaces aliases by what they repeat. It returns false if they repeat more values than are left.
func unalias(n *yaml.Node, inside bool, left *int) bool {
	if inside {
		if *left--; *left < 0 {
			return false
		}
	}
	for i, c := range n.Content {
		within := inside
		if c.Kind == yaml.AliasNode {
			c, within = c.Alias, true
			n.Content[i] = c
		}
		if !unalias(c, within, left) {
			return false
		}
	}
	return true
}

// mistake is one at a node, or in the first line where the node is nil.
func mistake(path string, n *yaml.Node, message, suggestion string) error {
	at := diag.Position{File: path, Line: 1, Column: 1}
	if n != nil {
		at.Line, at.Column = max(n.Line, 1), max(n.Column, 1)
	}
	return diag.List{{Pos: at, Message: message, Suggestion: suggestion}}
}

// jsonReader makes a tree of the tokens of a JSON text.
type jsonReader struct {
	path    string
	data    []byte
	in      *json.Decoder
	counted int // bytes in which lines are counted
	line    int
	began   int // the offset at which the line begins
	values  int
}

func jsonTree(path string, data []byte) (*yaml.Node, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	t := &jsonReader{path: path, data: data, in: json.NewDecoder(bytes.NewReader(data)), line: 1}
	t.in.UseNumber()
	root, err := t.value(0)
	if err != nil {
		return nil, err
	}
	end := int(t.in.InputOffset())
	if rest := bytes.TrimSpace(data[end:]); len(rest) > 0 && !junosEnd.Match(rest) {
		after := &yaml.Node{}
		t.place(after)
		return nil, mistake(path, after, "there is text after the end of the JSON document", "one document is read")
	}
	return root, nil
}

// place notes where the next token stands.
func (t *jsonReader) place(n *yaml.Node) {
	start := int(t.in.InputOffset())
	for start < len(t.data) && strings.IndexByte(" \t\r\n,:", t.data[start]) >= 0 {
		start++
	}
	if lines := bytes.Count(t.data[t.counted:start], []byte("\n")); lines > 0 {
		t.line += lines
		t.began = t.counted + bytes.LastIndexByte(t.data[t.counted:start], '\n') + 1
	}
	t.counted = start
	n.Line, n.Column = t.line, start-t.began+1
}

// value reads the next value, nil at the end of a list or an object.
func (t *jsonReader) value(depth int) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str"}
	t.place(n)
	token, err := t.in.Token()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, mistake(t.path, n, "the text ends too early", "")
	}
	if err != nil {
		// The offsets of mistakes between tokens differ by one from those within.
		if whole := json.NewDecoder(bytes.NewReader(t.data)).Decode(new(json.RawMessage)); whole != nil {
			err = whole
		}
		return nil, jsonMistake(t.path, t.data, err)
	}
	if t.values++; t.values > mostValues {
		return nil, mistake(t.path, n,
			fmt.Sprintf("the document has more than the %d values that are read", mostValues), "")
	}
	switch x := token.(type) {
	case string:
		n.Value = x
	case json.Number:
		n.Value, n.Tag = x.String(), "!!int"
	case bool:
		n.Value, n.Tag = fmt.Sprint(x), "!!bool"
	case json.Delim:
		if x == '}' || x == ']' {
			return nil, nil
		}
		if depth >= mostNesting {
			return nil, mistake(t.path, n, fmt.Sprintf("more than %d levels of nesting", mostNesting), "")
		}
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		if x == '{' {
			n.Kind, n.Tag = yaml.MappingNode, "!!map"
		}
		for {
			child, err := t.value(depth + 1)
			if err != nil {
				return nil, err
			}
			if child == nil {
				break
			}
			n.Content = append(n.Content, child)
		}
	default:
		n.Tag = "!!null"
	}
	return n, nil
}

// jsonMistake gives a mistake in a JSON text its place.
func jsonMistake(path string, data []byte, err error) error {
	at := diag.Position{File: path, Line: 1, Column: 1}
	offset := int64(-1)
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
	}
	if offset > 0 && offset <= int64(len(data)) {
		before := data[:offset-1]
		at.Line = 1 + bytes.Count(before, []byte("\n"))
		at.Column = int(offset) - 1 - bytes.LastIndexByte(before, '\n')
	}
	return diag.List{{Pos: at, Message: err.Error()}}
}

// pairs yields the keys and values of a mapping, or of all mappings in a list.
func pairs(n *yaml.Node) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		for _, x := range items(n) {
			if x.Kind != yaml.MappingNode {
				continue
			}
			for i := 0; i+1 < len(x.Content); i += 2 {
				if !yield(x.Content[i].Value, x.Content[i+1]) {
					return
				}
			}
		}
	}
}

// items returns the elements of a list, or a value alone as the only element.
func items(n *yaml.Node) []*yaml.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.SequenceNode:
		return n.Content
	}
	return []*yaml.Node{n}
}

// get returns the value under keys within keys, nil if there is none. It looks into all mappings of a list.
func get(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		var found *yaml.Node
		for name, value := range pairs(n) {
			if name == key {
				found = value
				break
			}
		}
		if n = found; n == nil {
			return nil
		}
	}
	return n
}

// text returns the text of a scalar, of the first element of a list, or of "value" or "data" of a mapping; "" where
// there is none.
func text(n *yaml.Node) string {
	for range mostLevels {
		switch {
		case n == nil:
			return ""
		case n.Kind == yaml.ScalarNode:
			if n.ShortTag() == "!!null" {
				return ""
			}
			return strings.TrimSpace(n.Value)
		case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
			n = n.Content[0]
		default:
			value := get(n, "value")
			if value == nil {
				value = get(n, "data")
			}
			n = value
		}
	}
	return ""
}

// textOf returns the text of the first of several keys that has one.
func textOf(n *yaml.Node, keys ...string) string {
	for _, key := range keys {
		if t := text(get(n, key)); t != "" {
			return t
		}
	}
	return ""
}

// findAll returns the values under a key anywhere in a document, but not those within another of them.
func findAll(n *yaml.Node, key string) []*yaml.Node {
	var out []*yaml.Node
	for _, x := range items(n) {
		if x.Kind == yaml.SequenceNode {
			out = append(out, findAll(x, key)...)
			continue
		}
		for name, value := range pairs(x) {
			if name == key {
				out = append(out, value)
			} else if value.Kind != yaml.ScalarNode {
				out = append(out, findAll(value, key)...)
			}
		}
	}
	return out
}

// fileHost is the box that a file is about: its name without the ending.
func fileHost(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// hasKeys reports whether all keys are on the first level of a JSON text.
func hasKeys(head []byte, keys ...string) bool {
	at := jsonKeys(head)
	return !slices.ContainsFunc(keys, func(key string) bool { return at[key] != 1 })
}
