package strictyaml

import (
	"bytes"
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

// Document is a file that was read: the places of its values, and the mistakes.
type Document struct {
	Name  string // of the file
	Whole bool   // no part of the file had to be left out for its syntax

	lines []string
	at    map[string]span // by path; the key of a section, the text of a value
	keys  map[string]span // by path, of values of mappings with free keys, the key
	bad   map[string]bool // paths of values that could not be read
	above map[string]bool // paths of sections with such a value somewhere inside
	found diag.List
}

func newDocument(name, text string) *Document {
	return &Document{
		Name: name, lines: splitLines(text), at: map[string]span{"": {line: 1, column: 1}},
		keys: map[string]span{}, bad: map[string]bool{}, above: map[string]bool{},
	}
}

// DocumentOf returns the document of a file whose syntax is right, for values of it that were read before.
func DocumentOf(name string, data []byte) *Document {
	doc := newDocument(name, fileText(data))
	doc.Whole = true
	return doc
}

// fileText returns the text of a file without a byte order mark.
func fileText(data []byte) string { return string(bytes.TrimPrefix(data, []byte("\ufeff"))) }

// splitLines cuts a text where YAML readers do.
func splitLines(text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	return strings.Split(text, "\n")
}

// Anew is the document without its mistakes, for what is found wrong later.
func (doc *Document) Anew() *Document {
	anew := *doc
	anew.found = nil
	return &anew
}

// Mistakes returns the mistakes in the order of their places.
func (doc *Document) Mistakes() diag.List {
	found := slices.Clone(doc.found)
	found.Sort()
	return found
}

// Err returns the mistakes as an error, nil if there are none.
func (doc *Document) Err() error { return doc.Mistakes().Err() }

// With returns the mistakes of the document with those in the meaning of its values, as Report places them; nil if
// there are none.
func (doc *Document) With(mistakes diag.FieldErrors) error {
	all := *doc
	all.found = slices.Clone(doc.found)
	for _, e := range mistakes {
		all.Report(e.Path, e)
	}
	return all.Err()
}

// Report records a mistake in the meaning of the value at a path, at its place or that
// of its nearest parent that is in the file. A value that could not be read, as a
// whole or in part, is not reported again, nor is what follows from it.
func (doc *Document) Report(path string, e *diag.FieldError) {
	if doc.Unread(path) || doc.follows(path, e) {
		return
	}
	at := doc.locate(path)
	if key, ok := doc.keys[path]; ok && e.OfKey {
		at = key
	}
	doc.add(at, e)
}

// Has reports whether the file has a value at a path.
func (doc *Document) Has(path string) bool {
	_, ok := doc.at[path]
	return ok
}

// Unread reports whether the value at a path could not be read, as a whole or in part. Values in it whose
// paths, from there, are listed do not count.
func (doc *Document) Unread(path string, without ...string) bool {
	if doc.Lost(path) {
		return true
	}
	if !doc.above[path] || len(without) == 0 {
		return doc.above[path]
	}
	for bad := range doc.bad {
		if below, ok := diag.Below(path, bad); ok && !diag.Within(below, without) {
			return true
		}
	}
	return false
}

// Lost reports whether the value at a path, or one that it is in, could not be read at all.
func (doc *Document) Lost(path string) bool {
	for ; path != ""; path = diag.Parent(path) {
		if doc.bad[path] {
			return true
		}
	}
	return doc.bad[""]
}

// follows reports whether a mistake may result from a value that could not be read: its suggestion names the key of
// such a value in a section around the mistake.
func (doc *Document) follows(at string, e *diag.FieldError) bool {
	words := strings.FieldsFunc(e.Suggestion, func(r rune) bool { return strings.ContainsRune(" :,;()", r) })
	for path := range doc.bad {
		section := diag.Parent(path)
		_, around := diag.Below(section, at)
		if key := strings.TrimPrefix(path[len(section):], "."); around && slices.Contains(words, key) ||
			slices.Contains(words, path) {
			return true
		}
	}
	return false
}

// locate finds the place of path or of its nearest parent.
func (doc *Document) locate(path string) span {
	for {
		if at, ok := doc.at[path]; ok {
			return at
		}
		path = diag.Parent(path)
	}
}

// sourceLine is line n, from 1; empty past the end.
func (doc *Document) sourceLine(n int) string {
	if n < 1 || n > len(doc.lines) {
		return ""
	}
	return doc.lines[n-1]
}

// add records a mistake.
func (doc *Document) add(at span, e *diag.FieldError) {
	if doc.full() {
		doc.found.Miss()
		return
	}
	at.line = max(1, min(at.line, len(doc.lines)))
	source := doc.sourceLine(at.line)
	at = at.trim([]rune(source))
	doc.found.Add(diag.Diagnostic{
		Pos: diag.Position{File: doc.Name, Line: at.line, Column: at.column}, Length: at.length,
		Subject: e.Subject, Path: e.Path, Message: e.Message, Suggestion: e.Suggestion, SourceLine: source,
	})
}

// addf records a mistake in the form of the file; see diag.Fieldf.
func (doc *Document) addf(at span, format string, args ...any) {
	doc.add(at, diag.Fieldf("", format, args...))
}

// full reports whether no more mistakes are kept.
func (doc *Document) full() bool { return doc.found.Full() }

// reject records that a value cannot be read.
func (doc *Document) reject(at span, e *diag.FieldError) {
	doc.add(at, e)
	doc.lose(e.Path)
}

// lose notes that the value at a path is not known.
func (doc *Document) lose(path string) {
	doc.bad[path] = true
	for ; path != ""; path = diag.Parent(path) {
		doc.above[path] = true
	}
}
