package serve

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// plainValue is what a slider sets: a number with a unit or without one, which needs no quotes in YAML.
var plainValue = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?( ?[A-Za-z%]+)?$`)

// maxPath bounds the steps of a path.
const maxPath = 8

// errUnread is that a text with mistakes of syntax cannot be changed in part.
var errUnread = errors.New("the text must be without mistakes before a control can change it")

// errByHand is that a text is laid out in a way that is not changed here.
var errByHand = errors.New("write it into the text, which is laid out so that a control cannot")

// readText reads a text and what it says.
func readText(text []byte) (root *yaml.Node, says any, err error) {
	var doc yaml.Node
	if err := yaml.Load(text, &doc); err != nil || doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, nil, errUnread
	}
	if err := doc.Decode(&says); err != nil {
		return nil, nil, errUnread
	}
	return doc.Content[0], says, nil
}

// stepsOf are the keys and numbers of a path.
func stepsOf(path string) ([]string, error) {
	steps := strings.Split(path, ".")
	if len(steps) > maxPath {
		return nil, fmt.Errorf("the path %q is too long", path)
	}
	for _, s := range steps {
		if s == "" || !pathStep.MatchString(s) {
			return nil, fmt.Errorf("the path %q is not made of keys and numbers", path)
		}
	}
	return steps, nil
}

// pathStep is a key or a number in a path.
var pathStep = regexp.MustCompile(`^[A-Za-z0-9_/*-]+$`)

// findNode returns what stands at a path, nil for nothing.
func findNode(at *yaml.Node, steps []string) *yaml.Node {
	for _, step := range steps {
		if at == nil {
			return nil
		}
		at = child(at, step)
	}
	return at
}

// replaceValue returns the text with the value in it.
func replaceValue(text []byte, at *yaml.Node, steps []string, value string) ([]byte, error) {
	for i, step := range steps {
		next := child(at, step)
		if next == nil {
			if at.Kind != yaml.MappingNode {
				return nil, fmt.Errorf("there is no %s in the text", strings.Join(steps[:i+1], "."))
			}
			return insertKeys(text, at, steps[i:], value, i == 0)
		}
		at = next
	}
	if at.Kind != yaml.ScalarNode && at.Style&yaml.FlowStyle == 0 {
		return nil, fmt.Errorf("its value in the text is not one number")
	}
	from, end := offset(text, at.Line, at.Column), past(text, at)
	if from < 0 || end < from || end > len(text) {
		return nil, fmt.Errorf("its value in the text is not one number")
	}
	return splice(text, from, end, value), nil
}

// insertKeys returns the text with new keys in a mapping that lacks the first of them.
func insertKeys(text []byte, in *yaml.Node, steps []string, value string, root bool) ([]byte, error) {
	made := steps[0] + ": " + nestKeys(steps[1:], value)
	if in.Style&yaml.FlowStyle != 0 {
		from := offset(text, in.Line, in.Column)
		if from < 0 || text[from] != '{' {
			return nil, fmt.Errorf("write it into the text, which has an anchor or a tag there")
		}
		if len(in.Content) > 0 {
			made += ", "
		}
		return splice(text, from+1, from+1, made), nil
	}
	if root {
		end := ""
		if len(text) > 0 && text[len(text)-1] != '\n' {
			end = "\n"
		}
		return splice(text, len(text), len(text), end+"\n"+made+"\n"), nil
	}
	if len(in.Content) == 0 {
		return nil, fmt.Errorf("there is nothing in the text to put it beside")
	}
	first := in.Content[0]
	from := offset(text, first.Line, first.Column)
	if from < 0 {
		return nil, fmt.Errorf("there is nothing in the text to put it beside")
	}
	return splice(text, from, from, made+"\n"+strings.Repeat(" ", first.Column-1)), nil
}

// nestKeys writes a value within keys.
func nestKeys(steps []string, value string) string {
	if len(steps) == 0 {
		return value
	}
	return "{" + steps[0] + ": " + nestKeys(steps[1:], value) + "}"
}

// child is the value of a key or the element of a number, nil without one.
func child(at *yaml.Node, step string) *yaml.Node {
	switch at.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(at.Content); i += 2 {
			if at.Content[i].Value == step {
				return at.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(at.Content) {
			return at.Content[i]
		}
	}
	return nil
}

// lineBreak is what ends a line in YAML as our reader counts them.
var lineBreak = regexp.MustCompile("\r\n|[\r\n\u0085\u2028\u2029]")

// offset is where a line and column, in characters, begin in a text; -1 past its end.
func offset(text []byte, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		found := lineBreak.FindIndex(text[at:])
		if found == nil {
			return -1
		}
		at += found[1]
	}
	for ; column > 1 && at < len(text); column-- {
		_, n := utf8.DecodeRune(text[at:])
		at += n
	}
	if at >= len(text) {
		return -1
	}
	return at
}

func splice(text []byte, from, to int, with string) []byte {
	out := make([]byte, 0, len(text)+len(with))
	out = append(append(out, text[:from]...), with...)
	return append(out, text[to:]...)
}

// with is a decoded document with another value at a path.
func with(in any, steps []string, value any) any {
	if len(steps) == 0 {
		return value
	}
	switch in := in.(type) {
	case []any:
		i, err := strconv.Atoi(steps[0])
		if err != nil || i < 0 || i >= len(in) {
			return in
		}
		out := append([]any{}, in...)
		out[i] = with(in[i], steps[1:], value)
		return out
	case map[string]any:
		out := map[string]any{}
		for k, v := range in {
			out[k] = v
		}
		out[steps[0]] = with(in[steps[0]], steps[1:], value)
		return out
	case map[any]any:
		out := map[any]any{}
		for k, v := range in {
			out[k] = v
		}
		out[steps[0]] = with(in[steps[0]], steps[1:], value)
		return out
	case nil:
		return map[string]any{steps[0]: with(nil, steps[1:], value)}
	}
	return in
}
