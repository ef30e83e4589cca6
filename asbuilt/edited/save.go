package edited

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/machine/spec"
)

// Source is a machine file as it was read.
type Source struct {
	Name string // its path
	Text []byte
}

// Save is the text of a machine file at a path that says what was edited: the sections that say so are written anew
// with their comments, all others stay as they are, to the byte. A text in braces, or with anchors, is written anew as
// a whole. The text is read again: it must say what the machine file did with the edits, no more and no less. Files
// that it names relative to itself have to stand there from where it is saved, too.
func (e *Edits) Save(path string, from Source) ([]byte, error) {
	if err := sameFiles(path, from); err != nil {
		return nil, err
	}
	book, err := relative(filepath.Dir(path), e.Path)
	if err != nil {
		return nil, err
	}
	out, err := rewritten(from.Text, e.changes(book))
	if err != nil {
		return nil, err
	}
	want, _ := spec.Read(path, from.Text)
	own := *e
	own.Path = want.Beside(book)
	if err := own.Apply(want); err != nil {
		return nil, err
	}
	got, whole := spec.Read(path, out)
	wanted, err1 := want.YAML()
	gotten, err2 := got.YAML()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if !whole || !bytes.Equal(wanted, gotten) {
		return nil, fmt.Errorf("%s is laid out so that the edits cannot be written into it\n"+
			"write its sections prices, names, owned and embedding as keys in lines", from.Name)
	}
	return out, nil
}

// relative is how a file in dir names another file.
func relative(dir, path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if out, err := filepath.Rel(from, to); err == nil {
		return filepath.ToSlash(out), nil
	}
	return to, nil
}

// sameFiles refuses another directory for a machine file that names files relative to its own.
func sameFiles(path string, from Source) error {
	a, err1 := os.Stat(filepath.Dir(path))
	b, err2 := os.Stat(filepath.Dir(from.Name))
	if err1 == nil && err2 == nil && os.SameFile(a, b) {
		return nil
	}
	here, _ := spec.Read("m.yaml", from.Text)
	there, _ := spec.Read(filepath.Join("there", "m.yaml"), from.Text)
	one, err1 := here.YAML()
	other, err2 := there.YAML()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	files := slices.Clone(here.Prices.Quote)
	for i := range here.Stock {
		if file := here.Stock[i].File; file != "" {
			files = append(files, file)
		}
	}
	if bytes.Equal(one, other) && !slices.ContainsFunc(files, func(f string) bool { return !filepath.IsAbs(f) }) {
		return nil
	}
	return fmt.Errorf("%s names files that stand beside it\nsave into its directory, %s", from.Name,
		filepath.Dir(from.Name))
}

// change sets a value in a machine file, or removes one.
type change struct {
	path  []string
	value any // nil removes it
}

// changes are what Apply does to a spec, as values of a machine file that calls the workbook so.
func (e *Edits) changes(book string) []change {
	var out []change
	for _, part := range slices.Sorted(maps.Keys(e.prices)) {
		price := yaml.Node{Kind: yaml.ScalarNode, Value: e.prices[part].Decimal()} // a number, as people write it
		out = append(out, change{[]string{"prices", "unit", part}, &price})
	}
	if e.named {
		out = append(out, change{[]string{"names", "table"}, book})
	}
	if e.owned {
		out = append(out, change{[]string{"owned", "workbook"}, book})
	}
	if e.placed {
		out = append(out, change{[]string{"embedding", "placement"}, book},
			change{[]string{"embedding", "lock"}, e.locked()})
	}
	switch racks := []string{"embedding", "racks"}; {
	case e.racks != nil:
		out = append(out, change{racks, e.racks})
	case e.placed:
		out = append(out, change{racks, nil})
	}
	return out
}

// rewritten is the text of a YAML file with changes.
func rewritten(text []byte, changes []change) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Load(text, &doc); err != nil {
		return nil, err
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("the machine file is not a mapping of keys to values")
	}
	out := text
	for first := 0; first < len(changes); {
		last := first + 1
		for last < len(changes) && changes[last].path[0] == changes[first].path[0] {
			last++
		}
		next, err := section(out, changes[first:last])
		if err != nil { // in braces, or with names of values elsewhere
			return dumped(&doc, changes)
		}
		out, first = next, last
	}
	return out, nil
}

// dumped writes a whole document anew.
func dumped(doc *yaml.Node, changes []change) ([]byte, error) {
	for _, c := range changes {
		if err := set(doc.Content[0], c.path, c.value); err != nil {
			return nil, err
		}
	}
	return yaml.Dump(doc)
}

// errWhole tells that a section cannot be written by itself.
var errWhole = errors.New("the section does not stand by itself")

// section is the text with changes in one section, which is made at the end where there is none.
func section(text []byte, changes []change) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Load(text, &doc); err != nil {
		return nil, err
	}
	root, name := doc.Content[0], changes[0].path[0]
	if root.Style&yaml.FlowStyle != 0 {
		return nil, errWhole
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	from, to := len(lines), len(lines)
	for i := 0; i < len(root.Content); i += 2 {
		switch key := root.Content[i]; {
		case key.Column != 1:
			return nil, errWhole
		case from < len(lines) && key.Line-1 > from:
			to = min(to, key.Line-1)
		case key.Value == name:
			from = key.Line - 1
		}
	}
	for to > from && (len(bytes.TrimSpace(lines[to-1])) == 0 || lines[to-1][0] == '#') {
		to-- // what stands before the next section is of that
	}
	before, after := bytes.Join(lines[:from], nil), bytes.Join(lines[to:], nil)
	own := yaml.Node{
		Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}},
	}
	if from < to {
		if err := yaml.Load(bytes.Join(lines[from:to], nil), &own); err != nil {
			return nil, err
		}
	} else if len(before) > 0 {
		if before[len(before)-1] != '\n' {
			before = append(before, '\n')
		}
		before = append(before, '\n')
	}
	made, err := dumped(&own, changes)
	if err != nil {
		return nil, err
	}
	out := slices.Concat(before, made, after)
	if bytes.Contains(text, []byte("\r\n")) {
		out = bytes.ReplaceAll(bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	}
	return out, nil
}

// set changes a value in a mapping, making those around it.
func set(in *yaml.Node, path []string, value any) error {
	if in.Kind == yaml.ScalarNode && in.Tag == "!!null" {
		*in = yaml.Node{Kind: yaml.MappingNode, HeadComment: in.HeadComment, FootComment: in.FootComment}
	}
	if in.Kind != yaml.MappingNode {
		return fmt.Errorf("%s is not a mapping of keys to values in the machine file", strings.Join(path, "."))
	}
	at := -1
	for i := 0; i < len(in.Content); i += 2 {
		if in.Content[i].Value == path[0] {
			at = i
		}
	}
	switch {
	case at < 0 && value == nil:
		return nil
	case at >= 0 && value == nil && len(path) == 1:
		in.Content = slices.Delete(in.Content, at, at+2)
		return nil
	case at < 0:
		var key yaml.Node
		key.SetString(path[0])
		in.Content = append(in.Content, &key, &yaml.Node{Kind: yaml.MappingNode, Style: in.Style & yaml.FlowStyle})
		at = len(in.Content) - 2
	}
	if len(path) > 1 {
		return set(in.Content[at+1], path[1:], value)
	}
	var made yaml.Node
	if err := made.Encode(value); err != nil {
		return err
	}
	old := in.Content[at+1]
	made.HeadComment, made.LineComment, made.FootComment = old.HeadComment, old.LineComment, old.FootComment
	for _, item := range made.Content { // an item on a line, single words on one
		if item.Kind == yaml.ScalarNode {
			made.Style = yaml.FlowStyle
		}
		item.Style |= yaml.FlowStyle & ^made.Style
	}
	in.Content[at+1] = &made
	return nil
}
