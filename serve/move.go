package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
)

// movedReply is a text in which a rack stands elsewhere, and the plan of it; or why the machine does not allow it.
type movedReply struct {
	Text     string       `json:"text"` // empty where it is refused
	Plan     *report.Plan `json:"plan"` // null where it is refused
	Error    string       `json:"error"`
	Messages []Message    `json:"messages"`
}

// move answers with a text in which what stands at one rack position stands at another, and what stands there at the
// first, and with the plan of that text. It is refused where the machine does not allow it.
func (s *Server) move(w http.ResponseWriter, r *http.Request) {
	s.rearrange(w, r, func(
		ctx context.Context, _ *machine.Planner, name string, text []byte, from, to string,
	) ([]byte, error) {
		return exchangeRacks(ctx, name, text, from, to)
	})
}

// rearrangement returns a text in which a rack stands elsewhere, or one more.
type rearrangement func(
	ctx context.Context, with *machine.Planner, name string, text []byte, from, to string,
) ([]byte, error)

// rearrange answers with the text that a rearrangement makes, and its plan.
func (s *Server) rearrange(w http.ResponseWriter, r *http.Request, do rearrangement) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	q := r.URL.Query()
	plan := func(work context.Context, with *machine.Planner) (m movedReply, err error) {
		out, err := do(work, with, s.current().Name, text, q.Get("from"), q.Get("to"))
		if err != nil {
			return m, err
		}
		data, err := planPage(work, with, s.current().Name, out)
		if err != nil {
			return m, err
		}
		return movedReply{Text: string(out), Plan: data.Plan, Messages: []Message{}}, nil
	}
	m, err := inTurn(r.Context(), &s.plans, askerOf(r), plan)
	switch why, status := planFailure(err); {
	case status != 0:
		refuse(w, status, why)
	case err != nil:
		answer(w, http.StatusOK, movedReply{Error: firstMessage(err), Messages: messagesOf(s.current().Name, err)})
	default:
		answer(w, http.StatusOK, m)
	}
}

// firstMessage returns the first message of an error, with its suggestion.
func firstMessage(err error) string {
	m := messagesOf("", err)[0]
	words := strings.ReplaceAll(m.Message, "\n", ": ")
	if m.Suggestion != "" {
		return words + ": " + m.Suggestion
	}
	return words
}

// exchangeRacks returns the text of a machine file in which what stands at two rack positions has changed places.
func exchangeRacks(ctx context.Context, name string, text []byte, from, to string) ([]byte, error) {
	s, err := machine.Parse(name, text)
	if err != nil {
		return nil, err
	}
	racks, err := machine.MoveRack(ctx, s, from, to)
	if err != nil {
		return nil, err
	}
	if slices.Equal(racks, s.Embedding.Racks) {
		return text, nil
	}
	out, err := setRacks(text, s.Embedding.Racks, racks)
	if err != nil {
		return nil, err
	}
	if again, err := machine.Parse(name, out); err != nil || !slices.Equal(again.Embedding.Racks, racks) {
		return nil, errLaidOut
	}
	return out, nil
}

// errLaidOut tells that the text has to be changed by hand.
var errLaidOut = errors.New("embedding.racks: write it into the text, which is laid out so that a move cannot")

// setRacks has embedding.racks say other places, and more at its end, while all else in the text stays.
func setRacks(text []byte, old, racks []spec.RackOf) ([]byte, error) {
	var doc yaml.Node
	var before, after any
	if yaml.Load(text, &doc) != nil || doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 ||
		doc.Decode(&before) != nil {
		return nil, errLaidOut
	}
	out := text
	for i := range old { // from the last on, so that what stands before keeps its place
		k := len(old) - 1 - i
		if racks[k] == old[k] {
			continue
		}
		var err error
		steps := []string{"embedding", "racks", strconv.Itoa(k), "at"}
		if out, err = replaceValue(out, doc.Content[0], steps, scalar(racks[k].At)); err != nil {
			return nil, errLaidOut
		}
	}
	var added []string
	for _, r := range racks[len(old):] {
		added = append(added, "{with: "+scalar(r.With)+", at: "+scalar(r.At)+"}")
	}
	if len(added) > 0 {
		var again yaml.Node
		if yaml.Load(out, &again) != nil {
			return nil, errLaidOut
		}
		if out = appendRacks(out, again.Content[0], added); out == nil {
			return nil, errLaidOut
		}
	}
	path := []string{"embedding", "racks"}
	if yaml.Load(out, &after) != nil || !reflect.DeepEqual(with(before, path, nil), with(after, path, nil)) {
		return nil, errLaidOut
	}
	return out, nil
}

// plainText needs no quotes in YAML, unless it is a word that stands for something else.
var plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*$`)

// scalar writes a text as a value.
func scalar(text string) string {
	var read any
	if plainText.MatchString(text) && yaml.Load([]byte(text), &read) == nil && read == text {
		return text
	}
	quoted, _ := json.Marshal(text) // never fails
	return string(quoted)
}

// appendRacks returns the text with more at the end of embedding.racks; nil where that cannot be done.
func appendRacks(text []byte, root *yaml.Node, items []string) []byte {
	if root.Kind != yaml.MappingNode {
		return nil
	}
	embedding := child(root, "embedding")
	if embedding == nil {
		end := "\n"
		if len(text) > 0 && text[len(text)-1] != '\n' {
			end = "\n\n"
		}
		end += "embedding:\n  racks:\n    - " + strings.Join(items, "\n    - ") + "\n"
		return splice(text, len(text), len(text), end)
	}
	racks := child(embedding, "racks")
	inBraces := "[" + strings.Join(items, ", ") + "]"
	switch {
	case embedding.Kind != yaml.MappingNode:
		return nil
	case racks == nil && (embedding.Style&yaml.FlowStyle != 0 || len(embedding.Content) == 0):
		out, err := insertKeys(text, embedding, []string{"racks"}, inBraces, false)
		if err != nil {
			return nil
		}
		return out
	case racks == nil:
		first := embedding.Content[0]
		from, indent := offset(text, first.Line, first.Column), strings.Repeat(" ", first.Column-1)
		if from < 0 {
			return nil
		}
		between := "\n" + indent + "  - "
		return splice(text, from, from, "racks:"+between+strings.Join(items, between)+"\n"+indent)
	}
	return extendList(text, racks, items)
}

// extendList returns the text with more items at the end of a list; nil where that cannot be done.
func extendList(text []byte, list *yaml.Node, items []string) []byte {
	switch {
	case list.Kind != yaml.SequenceNode:
		return nil
	case list.Style&yaml.FlowStyle != 0:
		end := closingBracket(text, list)
		if end < 0 {
			return nil
		}
		more := strings.Join(items, ", ")
		if len(list.Content) > 0 {
			more = ", " + more
		}
		return splice(text, end, end, more)
	}
	return afterLast(text, list, items)
}

// afterLast is the text with more items after the last one of a list in lines.
func afterLast(text []byte, list *yaml.Node, items []string) []byte {
	if len(list.Content) == 0 {
		return nil
	}
	end := past(text, list.Content[len(list.Content)-1])
	if end < 0 {
		return nil
	}
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 { // behind what a comment says of it
		end += i
	} else {
		end = len(text)
	}
	if end > 0 && text[end-1] == '\r' {
		end--
	}
	indent := strings.Repeat(" ", list.Column-1)
	var more strings.Builder
	for _, item := range items {
		more.WriteString("\n" + indent + "- " + inLines(item, indent+"  "))
	}
	return splice(text, end, end, more.String())
}

// longestItem is the most columns of a line that is written into a text, where its value can be divided.
const longestItem = 100

// inLines writes a mapping in braces that would be longer than a line with a line for each key.
func inLines(item, indent string) string {
	var doc yaml.Node
	if len(indent)+len(item) <= longestItem || yaml.Load([]byte(item), &doc) != nil || len(doc.Content) != 1 {
		return item
	}
	m := doc.Content[0]
	if m.Kind != yaml.MappingNode || len(m.Content) == 0 {
		return item
	}
	var lines []string
	for i := 0; i < len(m.Content); i += 2 {
		from, end := offset([]byte(item), 1, m.Content[i].Column), past([]byte(item), m.Content[i+1])
		if from < 0 || end < from {
			return item
		}
		lines = append(lines, item[from:end])
	}
	return strings.Join(lines, "\n"+indent)
}

// past is the end of a node of plain lists, mappings and values in a text; -1 where it is something else.
func past(text []byte, n *yaml.Node) int {
	switch {
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0:
		from, raw := offset(text, n.Line, n.Column), n.Value
		if from < 0 {
			return -1
		}
		for _, quoted := range []string{raw, `'` + raw + `'`, `"` + raw + `"`} {
			if bytes.HasPrefix(text[from:], []byte(quoted)) {
				return from + len(quoted)
			}
		}
		return -1
	case n.Style&yaml.FlowStyle != 0:
		if end := closingBracket(text, n); end >= 0 {
			return end + 1
		}
		return -1
	case len(n.Content) > 0:
		return past(text, n.Content[len(n.Content)-1])
	}
	return -1
}

// closingBracket returns where a list or mapping in brackets is closed.
func closingBracket(text []byte, n *yaml.Node) int {
	at := offset(text, n.Line, n.Column) + 1
	if at <= 0 {
		return -1
	}
	if len(n.Content) > 0 {
		if at = past(text, n.Content[len(n.Content)-1]); at < 0 {
			return -1
		}
	}
	want := byte('}')
	if n.Kind == yaml.SequenceNode {
		want = ']'
	}
	for comment := false; at < len(text); at++ {
		switch c := text[at]; {
		case c == '\n':
			comment = false
		case comment || c == ' ' || c == '\r' || c == '\t' || c == ',':
		case c == '#':
			comment = true
		case c == want:
			return at
		default:
			return -1
		}
	}
	return -1
}
