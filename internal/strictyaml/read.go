package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/plenum-planner/plenum/diag"
)

// MaxFile is the size in bytes up to which files are read.
const MaxFile = 16 << 20

// Limits that keep a hostile or broken file from taking memory and time. A
// value takes under a kilobyte while it is read, so a file at the limits costs
// a few hundred megabytes and seconds.
const (
	maxValues   = 500_000   // marks that can begin a value: line breaks, colons, commas, ...
	maxDepth    = 64        // nested lists and mappings
	maxAliased  = 100_000   // values that aliases repeat
	maxRepairs  = 20        // syntax errors found in one run,
	maxRepaired = 256 << 10 // in files up to this size
)

// Read reads a file into target, a pointer to a struct. Mistakes are reported by the
// document; what could be read is in target all the same.
func (l *Language) Read(name string, data []byte, target any) *Document {
	doc, root := l.Parse(name, data)
	if root != nil {
		l.decode(doc, root, target)
	}
	return doc
}

// Parse reads the syntax of a file only: its top-level value, nil if there is none, for Decode. What is wrong with the
// syntax is reported by the document.
func (l *Language) Parse(name string, data []byte) (*Document, *yaml.Node) {
	if len(data) > MaxFile {
		doc := newDocument(name, "")
		doc.addf(span{}, "the file is larger than %d MiB", MaxFile>>20)
		return doc, nil
	}
	values := 0
	for _, mark := range []string{",", ":", "\n", "- ", "[", "{"} {
		values += bytes.Count(data, []byte(mark))
	}
	if values > maxValues {
		doc := newDocument(name, "")
		doc.addf(span{}, "the file has more than %d values", maxValues)
		return doc, nil
	}
	text := fileText(data)
	doc := newDocument(name, text)
	if !doc.checkText(text) {
		return doc, nil
	}
	var root *yaml.Node
	if root, doc.Whole = l.parse(doc, text); root == nil {
		doc.Whole = false
		return doc, nil
	}
	return doc, root.Content[0]
}

// Decode reads a value of a file that Parse has read, or one that was made of it, into target, a pointer to a struct.
// The document that it returns has the mistakes of that value, by paths that begin at it. Several goroutines may decode
// values of one file.
func (l *Language) Decode(file *Document, value *yaml.Node, target any) *Document {
	doc := newDocument(file.Name, "")
	doc.lines, doc.Whole = file.lines, file.Whole
	l.decode(doc, value, target)
	return doc
}

// checkText refuses what no text editor shows, at its place.
func (doc *Document) checkText(text string) bool {
	if at := strings.IndexFunc(text, unprintable); at >= 0 || !utf8.ValidString(text) {
		for i, line := range doc.lines {
			for column, r := range []rune(line) {
				here := span{line: i + 1, column: column + 1, length: 1}
				switch {
				case r == utf8.RuneError && !utf8.ValidString(line):
					doc.addf(here, "the file is not UTF-8 text\nsave it in UTF-8")
					return false
				case unprintable(r):
					doc.addf(here, "control character %U\nremove it", r)
					return false
				}
			}
		}
	}
	return true
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r) ||
		r == '\ufeff' || r == '\ufffe' || r == '\uffff'
}

// parse reads the YAML of a single document. After a syntax error it goes on
// without the top-level section in which the error is, so that one slip does
// not hide the mistakes elsewhere.
func (l *Language) parse(doc *Document, text string) (root *yaml.Node, whole bool) {
	lines := append([]string(nil), doc.lines...)
	whole = true
	for range maxRepairs {
		root, next, err := load(text)
		if err == nil {
			if next != nil {
				doc.addf(span{line: next.Line, column: next.Column, length: 3}, "a second document\n%s", l.Second)
			}
			if root != nil && empty(root.Content[0]) {
				root = nil
			}
			if root == nil && whole {
				doc.addf(span{}, "the file is empty\n%s", l.Empty)
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
func (doc *Document) syntaxError(err *yaml.LoadError) span {
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
	doc.add(at, &diag.FieldError{Message: message, Suggestion: suggestion})
	return at
}

// leaveOut blanks the top-level section around a line, counted from 1: from the
// line that begins in the first column to the next such. It reports whether there
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
