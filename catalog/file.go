package catalog

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
)

// File is a catalog file that was read. It remembers where its values stand.
type File struct {
	Name  string
	Parts []Part
	Sets  []PriceSet
	root  *yaml.Node
}

// ParseFile reads a catalog file as Parse does.
func ParseFile(data []byte, name string) (*File, error) {
	parts, sets, err := Parse(data, name)
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, Parts: parts, Sets: sets}
	var document yaml.Node
	if err := yaml.Load(data, &document); err != nil {
		return nil, err
	}
	f.root = &document
	if document.Kind == yaml.DocumentNode && len(document.Content) > 0 {
		f.root = document.Content[0]
	}
	return f, nil
}

var step = regexp.MustCompile(`^([^.\[]*)(?:\[(\d+)\])?$`)

// locate returns the place of a fault in the file: of its field or, where that is
// missing, of the nearest mapping above it. There is none if the file does not
// have the faulty part or price set.
func (f *File) locate(fault *Fault) (at diag.Position, ok bool) {
	list, key, name := "parts", "id", fault.Part
	if fault.Set != "" {
		list, key, name = "price_sets", "name", fault.Set
	}
	n := child(f.root, list)
	if n == nil {
		return at, false
	}
	left := fault.nth
	for _, entry := range n.Content {
		entry = aliased(entry)
		id := child(entry, key)
		if id == nil || id.Value != name {
			continue
		}
		if left--; left >= 0 {
			continue
		}
		value := entry
		for part := range strings.SplitSeq(fault.Path, ".") {
			m := step.FindStringSubmatch(part)
			if m == nil {
				break
			}
			next := child(value, m[1])
			if i, err := strconv.Atoi(m[2]); err == nil && next != nil && i < len(next.Content) {
				next = aliased(next.Content[i])
			}
			if next == nil {
				break
			}
			value = next
		}
		return diag.Position{File: f.Name, Line: value.Line, Column: value.Column}, true
	}
	return at, false
}

// count is the number of parts or price sets of the file that a fault may be
// about.
func (f *File) count(fault *Fault) int {
	n := 0
	for i := range f.Parts {
		if fault.Set == "" && f.Parts[i].ID == fault.Part {
			n++
		}
	}
	for i := range f.Sets {
		if fault.Set != "" && f.Sets[i].Name == fault.Set {
			n++
		}
	}
	return n
}

// CheckFiles audits the catalog with the parts and price sets of files, which
// replace those of the same id or name. Faults in the files come first, each as a
// *diag.Diagnostic with its place, in the order of the places.
func (c *Catalog) CheckFiles(files []*File) []error {
	var parts []Part
	var sets []PriceSet
	for _, f := range files {
		parts, sets = append(parts, f.Parts...), append(sets, f.Sets...)
	}
	inFiles := make([]diag.List, len(files))
	var others []error
	for _, err := range c.overlaid(parts, sets).Audit() {
		if i, d := placed(err.(*Fault), files); d != nil {
			inFiles[i] = append(inFiles[i], *d)
		} else {
			others = append(others, err)
		}
	}
	var errs []error
	for _, found := range inFiles {
		found.Sort()
		for i := range found {
			errs = append(errs, &found[i])
		}
	}
	return append(errs, others...)
}

// placed is a fault with its place, and the number of its file; nil if it is in
// none of the files.
func placed(fault *Fault, files []*File) (int, *diag.Diagnostic) {
	sought := *fault
	for i, f := range files {
		if at, ok := f.locate(&sought); ok {
			return i, at.Errorf("%v", fault)
		}
		sought.nth -= f.count(&sought)
	}
	return 0, nil
}

// child is the value of a key of a mapping, nil if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n = aliased(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return aliased(n.Content[i+1])
		}
	}
	return nil
}

// aliased follows an alias.
func aliased(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
