package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// change makes one change to the text of a YAML file. Value is one value on one line, in braces or brackets where it
// has several. A path such as cabling.slack.fixed or fabrics.0.media.1.longest is that of
//
//   - a value, which is set: a key that is not there is put in, at the beginning of its mapping, and mappings that are
//     not there are put in at the end of the file;
//   - a list, with ".+" at its end: the value becomes its last element, or its first where there is no list yet;
//   - a value, while value is empty: it is removed with its key, and so are mappings and lists that this leaves empty.
//
// All else stays as it was, comments and layout too. The new text is read again: what it says must be what the old one
// did with the one change.
func change(text []byte, path, value string) ([]byte, error) {
	list, more := strings.CutSuffix(path, ".+")
	steps, err := stepsOf(list)
	if err != nil {
		return nil, err
	}
	if !oneLine(value) {
		return nil, fmt.Errorf("%s: the value %q is not one value on one line", path, value)
	}
	root, before, err := readText(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var set any
	if value != "" && yaml.Load([]byte(value), &set) != nil {
		return nil, fmt.Errorf("%s: the value %q is not one value on one line", path, value)
	}
	at := findNode(root, steps)
	var out []byte
	var want any
	switch {
	case value == "":
		if at == nil {
			return nil, fmt.Errorf("%s: there is nothing in the text", path)
		}
		steps = lonely(root, steps)
		if len(steps) == 0 {
			return nil, fmt.Errorf("%s: it is all that the text has", path)
		}
		want, out = without(before, steps), removePath(text, root, steps)
	case more && (at == nil || valueAt(before, steps) == nil):
		want = with(before, steps, []any{set})
		out, err = replaceValue(text, root, steps, "["+value+"]")
	case more:
		old, ok := valueAt(before, steps).([]any)
		if !ok {
			return nil, fmt.Errorf("%s: there is no list in the text", path)
		}
		want, out = with(before, steps, append(slices.Clone(old), set)), extendList(text, at, []string{value})
	default:
		if at != nil && at.Kind != yaml.ScalarNode && plainValue.MatchString(value) {
			if at.Kind != yaml.SequenceNode || len(at.Content) != 1 {
				return nil, fmt.Errorf("%s: its value in the text is not one number", path)
			}
			steps = append(steps, "0") // one number for all, written as a list
		}
		want = with(before, steps, set)
		out, err = replaceValue(text, root, steps, value)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var after any
	if out == nil || yaml.Load(out, &after) != nil || !reflect.DeepEqual(want, after) {
		return nil, fmt.Errorf("%s: %w", path, errByHand)
	}
	return out, nil
}

// oneLine reports whether a text is empty or one value that may stand behind a key on one line.
func oneLine(value string) bool {
	if value == "" {
		return true
	}
	var doc yaml.Node
	if lineBreak.MatchString(value) || yaml.Load([]byte(value), &doc) != nil || len(doc.Content) != 1 {
		return false
	}
	n := doc.Content[0]
	return past([]byte(value), n) == len(value) && (n.Kind == yaml.ScalarNode || n.Style&yaml.FlowStyle != 0)
}

// valueAt returns what a document that was read says at a path, nil where it says nothing.
func valueAt(in any, steps []string) any {
	for _, step := range steps {
		switch at := in.(type) {
		case map[string]any:
			in = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return nil
			}
			in = at[i]
		default:
			return nil
		}
	}
	return in
}

// lonely are the first steps of a path down to the outermost value that would be empty without the value of the path.
func lonely(root *yaml.Node, steps []string) []string {
	for len(steps) > 0 {
		in := findNode(root, steps[:len(steps)-1])
		each := map[yaml.Kind]int{yaml.MappingNode: 2, yaml.SequenceNode: 1}[in.Kind]
		if len(in.Content) > each {
			return steps
		}
		steps = steps[:len(steps)-1]
	}
	return steps
}

// without is a decoded document without the value at a path.
func without(in any, steps []string) any {
	last := steps[len(steps)-1]
	within := steps[:len(steps)-1]
	switch old := valueAt(in, within).(type) {
	case map[string]any:
		left := map[string]any{}
		for k, v := range old {
			if k != last {
				left[k] = v
			}
		}
		return with(in, within, left)
	case []any:
		i, _ := strconv.Atoi(last)
		return with(in, within, slices.Delete(slices.Clone(old), i, i+1))
	}
	return in
}

// removePath returns the text without what stands at a path, in a mapping or list that has more; nil where that cannot
// be done.
func removePath(text []byte, root *yaml.Node, steps []string) []byte {
	in := findNode(root, steps[:len(steps)-1])
	each, i, last := 1, -1, steps[len(steps)-1]
	if in.Kind == yaml.MappingNode {
		each = 2
	}
	for k := 0; k+each <= len(in.Content); k += each {
		if each == 2 && in.Content[k].Value == last || each == 1 && strconv.Itoa(k) == last {
			i = k
		}
	}
	if i < 0 {
		return nil
	}
	start := func(n *yaml.Node) int { return offset(text, n.Line, n.Column) }
	from, end := start(in.Content[i]), past(text, in.Content[i+each-1])
	if from < 0 || end < from {
		return nil
	}
	switch final := i+each == len(in.Content); {
	case in.Style&yaml.FlowStyle != 0 && !final:
		return splice(text, from, start(in.Content[i+each]), "")
	case in.Style&yaml.FlowStyle != 0:
		before := past(text, in.Content[i-1])
		if before < 0 {
			return nil
		}
		return splice(text, before, end, "")
	}
	line := bytes.LastIndexByte(text[:from], '\n') + 1
	if lead := strings.TrimSpace(string(text[line:from])); lead != "" && (each == 2 || lead != "-") {
		if each == 2 && strings.Trim(lead, "- ") == "" && i+each < len(in.Content) { // the first key of an element
			return splice(text, from, start(in.Content[i+each]), "")
		}
		return nil
	}
	if next := bytes.IndexByte(text[end:], '\n'); next >= 0 {
		return splice(text, line, end+next+1, "")
	}
	return splice(text, line, len(text), "")
}

// values answers with what a text says, without defaults: it may be one that cannot be planned.
func (s *Server) values(w http.ResponseWriter, r *http.Request) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	_, says, err := readText(text)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	if _, err := json.Marshal(says); err != nil { // keys that are not texts
		refuse(w, http.StatusUnprocessableEntity, errByHand.Error())
		return
	}
	answer(w, http.StatusOK, map[string]any{"values": says})
}
