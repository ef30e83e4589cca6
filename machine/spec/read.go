package spec

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/strictyaml"
	"github.com/plenum-planner/plenum/topology"
)

// MaxSize is the most bytes of a file.
const MaxSize = strictyaml.MaxFile

// inline is the language of topology sections on the command line.
var inline = strictyaml.Language{
	Empty:    "it needs at least a topology; plenum init writes a file to start from",
	Second:   "a machine file is a single document: remove what begins with this ---",
	Enum:     fieldWords,
	Numerals: []reflect.Type{reflect.TypeFor[Ports](), reflect.TypeFor[Positions]()},
	Variants: map[reflect.Type]strictyaml.Variant{
		topologyType: {Fields: topologyFields, Begin: beginTopology, Keys: keysOfFamily},
		localType:    {Fields: localFields, Begin: beginLocal, Keys: keysOfLocal},
	},
}

// language is that of machine files.
var language = func() strictyaml.Language {
	l := inline
	l.Elsewhere = sectionOf
	return l
}()

// Read decodes a machine file; the spec is never nil. It reports whether the file was whole: not so if parts of it had
// to be left out for their syntax, so that nothing can be said of what is missing. Locate returns the mistakes. Paths
// of files start beside the machine file: Read joins them with its directory, except those of quotes and stock, for
// which Beside does so.
func Read(name string, data []byte) (s *Spec, whole bool) {
	s = &Spec{}
	s.source = language.Read(name, data, s)
	s.besideFile()
	return s, s.source.Whole
}

// A Draft is a machine file of which only the syntax was read, to be read with other values in it: by a sweep.
type Draft struct {
	file *strictyaml.Document
	root *yaml.Node
}

// ParseDraft reads the syntax of a machine file. Several goroutines may use a Draft.
func ParseDraft(name string, data []byte) (*Draft, error) {
	file, root := language.Parse(name, data)
	if err := file.Err(); err != nil {
		return nil, err
	}
	return &Draft{file, root}, nil
}

// SectionDraft returns the draft of a machine that is a section of another file: data is the whole file, of which
// section was parsed.
func SectionDraft(name string, data []byte, section *yaml.Node) *Draft {
	return &Draft{strictyaml.DocumentOf(name, data), section}
}

// Root is the mapping of the file, which must not be changed.
func (d *Draft) Root() *yaml.Node { return d.root }

// Read decodes a value that was made of Root as the function Read does the whole file. The places of mistakes, which
// Locate returns, are those of the nodes.
func (d *Draft) Read(root *yaml.Node) *Spec {
	s := &Spec{}
	s.source = language.Decode(d.file, root, s)
	s.besideFile()
	return s
}

// besideFile makes the paths of files that the spec names start beside the machine file.
func (s *Spec) besideFile() {
	name := s.source.Name
	s.Topology = s.Topology.In(filepath.Dir(name))
	for i := range s.Fabrics {
		s.Fabrics[i].Topology = s.Fabrics[i].Topology.In(filepath.Dir(name))
	}
	if p := s.Embedding.Placement; p != "" {
		s.Embedding.Placement = s.Beside(p)
	}
	if p := s.Names.Table; p != "" {
		s.Names.Table = s.Beside(p)
	}
	if d := s.Room.Drawing; d != nil && d.File != "" {
		d.File = s.Beside(d.File)
	}
	if list := s.Room.RackList; list != "" {
		s.Room.RackList = s.Beside(list)
	}
	if s.Owned != nil {
		s.Owned.beside(s)
	}
}

// Beside returns the path of a file that the spec names: a relative one starts in the directory of the machine file, if
// the spec was read from one.
func (s *Spec) Beside(path string) string {
	if s.source == nil || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(s.source.Name), path)
}

// Locate returns a diag.List of the mistakes that were found when the spec was read
// from a file, and of those in its fields that are given, with their places in the
// file; nil if there are none. Without a file mistakes stay what they are.
func (s *Spec) Locate(mistakes diag.FieldErrors) error {
	if s.source == nil {
		return mistakes.Err()
	}
	return s.source.With(mistakes)
}

// Unread reports whether the value at a path of the file could not be read, as a whole or in part, so that nothing can
// be said of what it adds up to. Values in it whose paths, from there, are listed do not count.
func (s *Spec) Unread(path string, without ...string) bool {
	return s.source != nil && s.source.Unread(path, without...)
}

// isGiven reports whether the file has a value at a path.
func (s *Spec) isGiven(path string) bool { return s.source != nil && s.source.Has(path) }

// NamesLost reports whether the name of an element of a list of n could not be read, so that any word may be that name.
func (s *Spec) NamesLost(list string, n int) bool {
	if s.source == nil {
		return false
	}
	lost := s.source.Lost(list)
	for i := range n {
		lost = lost || s.source.Lost(diag.Elem(list, i)+".name")
	}
	return lost
}

// ParseTopology reads a topology section written inline, as on the command
// line: {family: torus, dims: [8, 8]}.
func ParseTopology(text string) (topology.Spec, error) {
	var s topology.Spec
	doc := inline.Read("SPEC", []byte(text), &s)
	return s, doc.Err()
}

// beginTopology has the family say into what the other keys are read, in any order. Of a section
// whose family cannot be read, nothing is kept.
func beginTopology(text func(string) string) (target func(string) reflect.Value, done func() any) {
	family, read := text("family"), ""
	draft := topology.NewDraft(family)
	target = func(key string) reflect.Value {
		if key == "family" {
			return reflect.ValueOf(&read).Elem()
		}
		return draft.Value(key)
	}
	return target, func() any {
		if read != family {
			return topology.Spec{}
		}
		return draft.Spec()
	}
}

// beginLocal is beginTopology of the section of a local network.
func beginLocal(text func(string) string) (target func(string) reflect.Value, done func() any) {
	target, whole := beginTopology(text)
	return target, func() any { return topology.Local{Spec: whole().(topology.Spec)} }
}

// keysOfLocal lists the keys that the section of a local network of its family may have.
func keysOfLocal(text func(string) string) []string {
	return slices.DeleteFunc(keysOfFamily(text), func(key string) bool { return key == "local" })
}

// keysOfFamily lists the keys that a topology section of its family may have.
func keysOfFamily(text func(string) string) []string {
	families := topology.Families()
	name := text("family")
	i := slices.IndexFunc(families, func(f topology.Family) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	keys := []string{"family"}
	for _, p := range families[i].Params {
		keys = append(keys, p.Name)
	}
	for _, k := range topology.CommonKeys() {
		keys = append(keys, k.Name)
	}
	return keys
}

// sectionOf suggests the section that a key belongs in.
func sectionOf(key string) string {
	root := reflect.TypeFor[Spec]()
	for i := range root.NumField() {
		f := root.Field(i)
		belongs := func(g strictyaml.Field) bool { return g.Key == key }
		if f.Type.Kind() == reflect.Struct && slices.ContainsFunc(inline.Fields(f.Type), belongs) {
			section, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			return fmt.Sprintf("%s belongs in %s", key, section)
		}
	}
	return ""
}
