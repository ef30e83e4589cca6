package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/plenum-planner/plenum/catalog"
)

// Diagnostic is one mistake in a file, with its place.
type Diagnostic struct {
	File         string
	Line, Column int    // from 1; columns count characters
	Length       int    // characters marked from Column on, at least 1
	Path         string // of the value: room.columns[2].x; empty for the whole file
	Message      string
	Suggestion   string // what to do about it; may be empty
	SourceLine   string
}

// Diagnostics are the mistakes of a file, in the order of their places.
type Diagnostics []Diagnostic

// Most mistakes of one file that are kept and printed.
const maxDiagnostics = 200

func (ds Diagnostics) Error() string {
	var b strings.Builder
	for i, d := range ds {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.String())
	}
	if len(ds) >= maxDiagnostics {
		fmt.Fprintf(&b, "\nthere may be more than these %d mistakes", len(ds))
	}
	return b.String()
}

// Width of the part of a long source line that is shown.
const shownWidth = 120

// String formats the mistake, the line it is on, and what to do about it under
// the line:
//
//	machine.yaml:14:9: room.rows: "4x" is not a whole number
//	   14 |   rows: 4x
//	      |         ^^
func (d Diagnostic) String() string {
	message := d.Message
	if d.Path != "" {
		message = d.Path + ": " + message
	}
	line := []rune(d.SourceLine)
	start := 0
	if len(line) > shownWidth {
		start = max(0, min(d.Column-1-shownWidth/3, len(line)-shownWidth))
		line = line[start:min(start+shownWidth, len(line))]
	}
	column := min(d.Column-1-start, len(line))
	// Tabs stay in the padding, so that the mark stands under its text.
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(line[:column]))
	mark := strings.Repeat("^", max(1, min(d.Length, len(line)-column)))
	if d.Suggestion != "" {
		mark += " " + d.Suggestion
	}
	return fmt.Sprintf("%s:%d:%d: %s\n%5d | %s\n%5s | %s%s",
		d.File, d.Line, d.Column, message, d.Line, printable(string(line)), "", pad, mark)
}

// printable replaces what a terminal would act on.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

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
	found Diagnostics
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
	same := func(o Diagnostic) bool {
		return o.Line == at.line && o.Column == at.column && o.Message == message
	}
	if slices.ContainsFunc(doc.found, same) {
		return
	}
	doc.found = append(doc.found, Diagnostic{
		File: doc.name, Line: at.line, Column: at.column, Length: at.length, Path: path,
		Message: message, Suggestion: suggestion, SourceLine: source,
	})
}

// full tells whether no more mistakes are kept.
func (doc *document) full() bool { return len(doc.found) >= maxDiagnostics }

// reject records that the value at path cannot be read.
func (doc *document) reject(at span, path, message, suggestion string) {
	doc.add(at, path, message, suggestion)
	doc.bad[path] = true
	for p := path; p != ""; p = parent(p) {
		doc.above[p] = true
	}
}

// report records a mistake in the meaning of the value at path, or of its
// nearest parent that is in the file. What the message has after a line break
// is the suggestion. A value that could not be read, as a whole or in part, is
// not judged again.
func (doc *document) report(path, format string, args ...any) {
	unread := doc.above[path] || doc.full()
	for p := path; p != ""; p = parent(p) {
		unread = unread || doc.bad[p]
	}
	if unread {
		return
	}
	message, suggestion, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	doc.add(doc.locate(path), path, message, suggestion)
}

// locate finds the place of path or of its nearest parent.
func (doc *document) locate(path string) span {
	for {
		if at, ok := doc.at[path]; ok {
			return at
		}
		path = parent(path)
	}
}

// err returns the mistakes in the order of their places, nil if there are none.
func (doc *document) err() error {
	if len(doc.found) == 0 {
		return nil
	}
	sorted := slices.Clone(doc.found)
	slices.SortStableFunc(sorted, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return sorted
}

// The notation of paths: room.columns[2].x, prices.unit["dac@3 m"].

// sub is the path of a key of the mapping at path.
func sub(path, key string) string {
	plain := func(r rune) bool { return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return !plain(r) }) {
		return fmt.Sprintf("%s[%q]", path, key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// elem is the path of an element of the list at path.
func elem(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// parent cuts a path before its last separator. Inside a quoted key that is no
// path at all, which does no harm: no value stands there.
func parent(path string) string { return path[:max(0, strings.LastIndexAny(path, ".["))] }

// suggest words what to write for a misspelt word: the closest candidate or,
// failing that, all of them after the words of otherwise, if there are any.
func suggest(word string, candidates []string, otherwise string) string {
	if best, ok := catalog.Closest(word, candidates); ok {
		return fmt.Sprintf("did you mean %q?", best)
	}
	if otherwise == "" || len(candidates) == 0 {
		return ""
	}
	return otherwise + strings.Join(candidates, ", ")
}
