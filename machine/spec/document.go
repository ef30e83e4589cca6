package spec

import (
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
)

// span is a stretch of one source line, as far as it is known without looking
// at the line.
type span struct {
	line, column, length int
	anchored             bool // an anchor (&name) stands before the text
	quoted               bool // the text is in quotes, which length does not count
}

// trim fits a span to its source line: to the text itself, and to where the
// line ends.
func (at span) trim(line []rune) span {
	at.column = max(1, min(at.column, len(line)+1))
	if at.anchored {
		for at.column <= len(line) && line[at.column-1] != ' ' {
			at.column++
		}
		for at.column <= len(line) && line[at.column-1] == ' ' {
			at.column++
		}
	}
	rest := line[at.column-1:]
	if at.quoted && len(rest) > 0 {
		at.length = slices.Index(rest[1:], rest[0]) + 2
	}
	at.length = max(1, min(at.length, len(rest)))
	return at
}

// document collects the places of a file's values and the mistakes in them.
type document struct {
	name  string
	lines []string
	at    map[string]span // by path; the key of a section, the text of a value
	bad   map[string]bool // paths of values that could not be read
	above map[string]bool // paths of sections with such a value somewhere inside
	found diag.List
}

func newDocument(name, text string) *document {
	return &document{
		name: name, lines: splitLines(text), at: map[string]span{"": {line: 1, column: 1}},
		bad: map[string]bool{}, above: map[string]bool{},
	}
}

// splitLines cuts a text where YAML readers do.
func splitLines(text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	return strings.Split(text, "\n")
}

// sourceLine is line n, from 1; empty past the end.
func (doc *document) sourceLine(n int) string {
	if n < 1 || n > len(doc.lines) {
		return ""
	}
	return doc.lines[n-1]
}

// add records a mistake. The same words at the same place are said once, even
// where an alias brings the place in twice.
func (doc *document) add(at span, path, message, suggestion string) {
	if doc.full() {
		return
	}
	at.line = max(1, min(at.line, len(doc.lines)))
	source := doc.sourceLine(at.line)
	at = at.trim([]rune(source))
	doc.found.Add(diag.Diagnostic{
		Pos: diag.Position{File: doc.name, Line: at.line, Column: at.column}, Length: at.length,
		Path: path, Message: message, Suggestion: suggestion, SourceLine: source,
	})
}

// full tells whether no more mistakes are kept.
func (doc *document) full() bool { return doc.found.Full() }

// reject records that the value at path cannot be read.
func (doc *document) reject(at span, path, message, suggestion string) {
	doc.add(at, path, message, suggestion)
	doc.bad[path] = true
	for p := path; p != ""; p = diag.Parent(p) {
		doc.above[p] = true
	}
}

// report records a mistake in the meaning of a value, at its place or that of its
// nearest parent that is in the file. A value that could not be read, as a whole
// or in part, is not reported again.
func (doc *document) report(e *diag.FieldError) {
	unread := doc.above[e.Path] || doc.full()
	for p := e.Path; p != ""; p = diag.Parent(p) {
		unread = unread || doc.bad[p]
	}
	if !unread {
		doc.add(doc.locate(e.Path), e.Path, e.Message, e.Suggestion)
	}
}

// locate finds the place of path or of its nearest parent.
func (doc *document) locate(path string) span {
	for {
		if at, ok := doc.at[path]; ok {
			return at
		}
		path = diag.Parent(path)
	}
}

// err returns the mistakes in the order of their places, nil if there are none.
func (doc *document) err() error {
	found := slices.Clone(doc.found)
	found.Sort()
	return found.Err()
}

// Locate returns a diag.List of the mistakes that were found when the spec was read
// from a file, and of those in its fields that are given, with their places in the
// file; nil if there are none. Without a file mistakes stay what they are.
func (s *Spec) Locate(mistakes diag.FieldErrors) error {
	if s.source == nil {
		return mistakes.Err()
	}
	doc := *s.source
	doc.found = slices.Clone(doc.found)
	for _, e := range mistakes {
		doc.report(e)
	}
	return doc.err()
}
