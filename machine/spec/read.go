package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/plenum-planner/plenum/topology"
)

// Limits that keep a hostile or broken file from taking memory and time. A
// value takes under a kilobyte while it is read, so a file at the limits costs
// a few hundred megabytes and seconds.
const (
	// MaxSize is the most bytes of a file.
	MaxSize     = 16 << 20
	maxValues   = 500_000   // marks that can begin a value: line breaks, colons, commas, ...
	maxDepth    = 64        // nested lists and mappings
	maxAliased  = 100_000   // values that aliases repeat
	maxRepairs  = 20        // syntax errors found in one run,
	maxRepaired = 256 << 10 // in files up to this size
)

// Read decodes a machine file. It tells whether the file was whole: not so if parts
// of it had to be left out for their syntax, so that nothing can be said of what
// is missing. What is wrong in it, Locate tells. The paths of files that the spec
// names are made to start beside the machine file.
func Read(name string, data []byte) (s *Spec, whole bool) {
	s = &Spec{}
	s.source, whole = read(name, data, s)
	s.Topology = s.Topology.In(filepath.Dir(name))
	if p := s.Embedding.Placement; p != "" {
		s.Embedding.Placement = s.Beside(p)
	}
	return s, whole
}

// Beside is the path of a file that the spec names, which stands beside the
// machine file.
func (s *Spec) Beside(path string) string {
	if s.source == nil || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(s.source.name), path)
}

// ParseTopology reads a topology section written inline, as on the command
// line: {family: torus, dims: [8, 8]}.
func ParseTopology(text string) (topology.Spec, error) {
	var s topology.Spec
	doc, _ := read("SPEC", []byte(text), &s)
	return s, doc.err()
}

// read decodes a file into target, a pointer to a struct. It tells whether the
// file was whole: not so if parts of it had to be left out for their syntax.
func read(name string, data []byte, target any) (doc *document, whole bool) {
	if len(data) > MaxSize {
		doc = newDocument(name, "")
		doc.add(span{}, "", fmt.Sprintf("the file is larger than %d MiB", MaxSize>>20), "")
		return doc, false
	}
	values := 0
	for _, mark := range []string{",", ":", "\n", "- ", "[", "{"} {
		values += bytes.Count(data, []byte(mark))
	}
	if values > maxValues {
		doc = newDocument(name, "")
		doc.add(span{}, "", fmt.Sprintf("the file has more than %d values", maxValues), "")
		return doc, false
	}
	text := string(bytes.TrimPrefix(data, []byte("\ufeff")))
	doc = newDocument(name, text)
	if !doc.checkText(text) {
		return doc, false
	}
	root, whole := doc.parse(text)
	if root == nil {
		return doc, false
	}
	decode(doc, root, target, whole)
	return doc, whole
}

// checkText refuses what no text editor shows, at its place.
func (doc *document) checkText(text string) bool {
	if at := strings.IndexFunc(text, unprintable); at >= 0 || !utf8.ValidString(text) {
		for i, line := range doc.lines {
			for column, r := range []rune(line) {
				switch {
				case r == utf8.RuneError && !utf8.ValidString(line):
					doc.add(span{line: i + 1, column: column + 1, length: 1}, "", "the file is not UTF-8 text",
						"save it in UTF-8")
					return false
				case unprintable(r):
					doc.add(span{line: i + 1, column: column + 1, length: 1}, "",
						fmt.Sprintf("control character %U", r), "remove it")
					return false
				}
			}
		}
	}
	return true
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r) || r == '\ufeff' || r == '\ufffe' ||
		r == '\uffff'
}

// parse reads the YAML of a single document. After a syntax error it goes on
// without the top-level section in which the error is, so that one slip does
// not hide the mistakes elsewhere.
func (doc *document) parse(text string) (root *yaml.Node, whole bool) {
	lines := append([]string(nil), doc.lines...)
	whole = true
	for range maxRepairs {
		root, next, err := load(text)
		if err == nil {
			if next != nil {
				doc.add(span{line: next.Line, column: next.Column, length: 3}, "", "a second document",
					"a machine file is a single document: remove what begins with this ---")
			}
			if root != nil && empty(root.Content[0]) {
				root = nil
			}
			if root == nil && whole {
				doc.add(span{}, "", "the file is empty", "it needs at least a topology; plenum init writes a file to "+
					"start from")
			}
			return root, whole
		}
		if !whole && err.Stage == yaml.ComposerStage {
			return nil, false // an alias whose anchor was left out
		}
		whole = false
		at := doc.syntaxError(err)
		if len(text) > maxRepaired || !leaveOut(lines, at.line) {
			return nil, false
		}
		text = strings.Join(lines, "\n")
	}
	return nil, false
}

// load reads the first document and, if there is one, the start of the second.
func load(text string) (first, second *yaml.Node, err *yaml.LoadError) {
	depth := func(depth int, _ *yaml.DepthContext) error {
		if depth > maxDepth {
			return fmt.Errorf("more than %d levels of nesting", maxDepth)
		}
		return nil
	}
	loader, e := yaml.NewLoader(strings.NewReader(text), yaml.WithV4Defaults(),
		yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthFunc(depth))))
	for _, doc := range []**yaml.Node{&first, &second} {
		node := new(yaml.Node)
		if e == nil {
			e = loader.Load(node)
		}
		if errors.Is(e, io.EOF) {
			return first, second, nil
		}
		if e != nil {
			if !errors.As(e, &err) {
				err = &yaml.LoadError{Message: e.Error()}
			}
			return nil, nil, err
		}
		*doc = node
	}
	return first, second, nil
}

// syntaxError records an error of the YAML reader in plain words and returns
// its place.
func (doc *document) syntaxError(err *yaml.LoadError) span {
	at := span{line: err.Mark.Line, column: err.Mark.Column, length: 1}
	start := span{line: err.ContextMark.Line, column: err.ContextMark.Column, length: 1}
	message, suggestion := strings.Replace(err.Message, "did not find expected", "expected", 1), ""
	char := ""
	if line := []rune(doc.sourceLine(at.line)); at.column >= 1 && at.column <= len(line) {
		char = string(line[at.column-1])
	}
	switch {
	case strings.Contains(err.ContextMsg, "flow") && start.line != at.line:
		at, message = start, "this bracket is never closed"
	case strings.Contains(err.ContextMsg, "quoted scalar") && strings.Contains(message, "end of stream"):
		at, message = start, "this quotation mark is never closed"
	case strings.Contains(message, "expected node content") && char == "":
		message = "the text ends where a value or a closing bracket is missing"
	case strings.Contains(message, "expected node content"):
		message = fmt.Sprintf("expected a value, not %q", char)
	case strings.Contains(message, "could not find expected ':'"):
		at, message, suggestion = start, "expected a key and a value", "write key: value"
	case strings.Contains(message, "cannot start any token") && char == "\t":
		message, suggestion = "a tab in the indentation", "use spaces"
	case strings.Contains(message, "cannot start any token"):
		message, suggestion = fmt.Sprintf("a value cannot begin with %q", char), "put it in quotes"
	case strings.Contains(message, "mapping values are not allowed"):
		message, suggestion = `":" is not allowed here`, "check the indentation; a text with a colon needs quotes"
	case strings.Contains(message, "unknown anchor"):
		at.length = 1 + len([]rune(err.Message)) - len("unknown anchor '' referenced")
	}
	doc.add(at, "", message, suggestion)
	return at
}

// leaveOut blanks the top-level section around a line, counted from 1: from the
// line that begins in the first column to the next such. It tells whether there
// was anything left to blank.
func leaveOut(lines []string, line int) bool {
	heads := func(i int) bool { return lines[i] != "" && !strings.ContainsAny(lines[i][:1], " \t#-]}") }
	from := min(max(line, 1), len(lines)) - 1
	for from > 0 && !heads(from) {
		from--
	}
	any := false
	for i := from; i < len(lines) && (i == from || !heads(i)); i++ {
		any = any || strings.TrimSpace(lines[i]) != ""
		lines[i] = ""
	}
	return any
}
