package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// step leads from a value of a file to one inside it: a key of a mapping, or an element of a list.
type step struct {
	key   string
	index int // of the element; -1 for a key
}

// steps reads a path in the notation of diag.Key and diag.Elem, in which mistakes are reported as well: topology.dims,
// fabrics[0].topology, prices.unit["dac@3 m"].
func steps(path string) ([]step, error) {
	var out []step
	rest := path
	for first := true; first || rest != ""; first = false {
		if strings.HasPrefix(rest, "[") {
			s, after, err := bracket(rest)
			if err != nil {
				return nil, err
			}
			out, rest = append(out, s), after
			continue
		}
		if !first {
			var dot bool
			if rest, dot = strings.CutPrefix(rest, "."); !dot {
				return nil, fmt.Errorf("expected . or [ before %q", rest)
			}
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if end == 0 {
			return nil, fmt.Errorf("a key is missing")
		}
		out, rest = append(out, step{rest[:end], -1}), rest[end:]
	}
	return out, nil
}

// bracket reads an index or a quoted key in brackets.
func bracket(text string) (step, string, error) {
	if strings.HasPrefix(text, `["`) {
		quoted, err := strconv.QuotedPrefix(text[1:])
		if err != nil || !strings.HasPrefix(text[1+len(quoted):], "]") {
			return step{}, "", fmt.Errorf("the key after [ is not closed by \"]")
		}
		key, err := strconv.Unquote(quoted)
		return step{key, -1}, text[2+len(quoted):], err
	}
	digits, after, closed := strings.Cut(text[1:], "]")
	index, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || !closed {
		return step{}, "", fmt.Errorf("%q is not the number of an element, from 0, nor a key in quotes", digits)
	}
	return step{index: int(index)}, after, nil
}

// put is a value with another one at a place inside it. What is not on the way there is shared with the original, which
// does not change; mappings that are missing on the way are made.
func put(n *yaml.Node, at []step, value *yaml.Node) (*yaml.Node, error) {
	if len(at) == 0 {
		return value, nil
	}
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	s := at[0]
	nothing := n == nil || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
	if s.index >= 0 {
		if nothing || n.Kind != yaml.SequenceNode {
			return nil, fmt.Errorf("there is no list to take element %d of", s.index)
		}
		if s.index >= len(n.Content) {
			return nil, fmt.Errorf("there is no element %d: the list has %d, counted from 0", s.index, len(n.Content))
		}
		own := clone(n)
		var err error
		own.Content[s.index], err = put(n.Content[s.index], at[1:], value)
		return own, err
	}
	if nothing {
		n = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: value.Line, Column: value.Column}
	}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s is not a key of a mapping there", s.key)
	}
	own := clone(n)
	for i := 0; i+1 < len(own.Content); i += 2 {
		if own.Content[i].Value == s.key {
			var err error
			own.Content[i+1], err = put(n.Content[i+1], at[1:], value)
			return own, err
		}
	}
	inner, err := put(nil, at[1:], value)
	if err != nil {
		return nil, err
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s.key, Line: value.Line, Column: value.Column}
	own.Content = append(own.Content, key, inner)
	return own, nil
}

// inside is the value at a place inside another, nil if there is none.
func inside(n *yaml.Node, at []step) *yaml.Node {
	for _, s := range at {
		if n == nil {
			return nil
		}
		n = followAlias(n)
		switch i := 0; {
		case s.index >= 0 && n.Kind == yaml.SequenceNode && s.index < len(n.Content):
			n = n.Content[s.index]
		case s.index < 0 && n.Kind == yaml.MappingNode:
			for i < len(n.Content) && n.Content[i].Value != s.key {
				i += 2
			}
			if i+1 >= len(n.Content) {
				return nil
			}
			n = n.Content[i+1]
		default:
			return nil
		}
	}
	return n
}

// clone copies a node with its list of children, not the children.
func clone(n *yaml.Node) *yaml.Node {
	own := *n
	own.Anchor = "" // an alias of it stays what it was
	own.Content = append(make([]*yaml.Node, 0, len(n.Content)+2), n.Content...)
	return &own
}
