package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/plenum-planner/plenum/internal/english"
)

// Severity is the severity of a mistake in a file or of a violation of a rule.
type Severity string

const (
	// Error has to be corrected. It is the severity of a mistake that states none.
	Error Severity = "error"
	// Warning may be intended.
	Warning Severity = "warning"
)

// Position is a place in a file. Fields that are not known are zero.
type Position struct {
	File         string
	Sheet        string // of a workbook; line and column are those of a cell
	Line, Column int    // from 1; columns count characters
}

// String returns file:line:column, as far as they are known, or file:sheet!cell.
func (p Position) String() string {
	place := p.Place()
	if p.File == "" || place == "" {
		return p.File + place
	}
	return p.File + ":" + place
}

// Place returns the place within the file: line:column, or sheet!cell; "" if it is not known.
func (p Position) Place() string {
	switch {
	case p.Line == 0:
		return ""
	case p.Column == 0:
		return strconv.Itoa(p.Line)
	case p.Sheet == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	letters := "" // 1 is A, 27 is AA
	for c := p.Column; c > 0; c = (c - 1) / 26 {
		letters = string(rune('A'+(c-1)%26)) + letters
	}
	return fmt.Sprintf("%s!%s%d", p.Sheet, letters, p.Line)
}

// Compare compares places of one file by line and column, as cmp.Compare does.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Errorf returns a mistake at the place. The text after the first line break of the message is
// the suggestion.
func (p Position) Errorf(format string, args ...any) *Diagnostic {
	message, suggestion, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	return &Diagnostic{Pos: p, Message: message, Suggestion: suggestion}
}

// Diagnostic is a mistake in a file.
type Diagnostic struct {
	Pos        Position
	Length     int    // number of characters to mark from the column on; with 0, the line is not printed
	Subject    string // the object that Path is in, in words: part "x"; may be empty
	Path       string // of the value: room.columns[2].x; empty for the whole file
	Message    string
	Suggestion string   // what to do about it; may be empty
	Severity   Severity // Error if empty
	SourceLine string   // the line of Pos
	More       int      // of the last element of a full List: number of further mistakes, which were not kept
}

// shownWidth is the number of characters of a long source line that are printed.
const shownWidth = 120

// Error returns the mistake in the form of the package comment.
func (d Diagnostic) Error() string {
	severity := ""
	if d.Severity == Warning {
		severity = string(d.Severity)
	}
	message := join(d.Pos.String(), severity, d.Subject, d.Path, d.Message)
	if d.Length == 0 {
		return advise(message, d.Suggestion)
	}
	line := []rune(d.SourceLine)
	start := 0
	if len(line) > shownWidth {
		start = max(0, min(d.Pos.Column-1-shownWidth/3, len(line)-shownWidth))
		line = line[start:min(start+shownWidth, len(line))]
	}
	column := max(0, min(d.Pos.Column-1-start, len(line)))
	// Tabs are kept in the padding, so that the mark is under its text.
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(line[:column]))
	mark := strings.Repeat("^", max(1, min(d.Length, len(line)-column)))
	if d.Suggestion != "" {
		mark += " " + truncate(d.Suggestion, mostPart)
	}
	return fmt.Sprintf("%s\n%5d | %s\n%5s | %s%s", message, d.Pos.Line, printable(string(line)), "", pad, mark)
}

// join joins the parts of a message that are not empty with colons.
func join(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	for i, p := range parts {
		parts[i] = truncate(p, mostPart)
	}
	return strings.Join(parts, ": ")
}

// mostPart is the highest number of characters of a part of a message, which may quote the user's text. So a whole
// message has less than four thousand.
const mostPart = 900

// advise appends a suggestion, if there is one, to a message on the same line.
func advise(message, suggestion string) string {
	if suggestion == "" {
		return message
	}
	return message + "; " + truncate(suggestion, mostPart)
}

// printable replaces control characters, except tabs, which a terminal could interpret.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// List is an error with every mistake that was found in one run.
type List []Diagnostic

// Most is the highest number of mistakes that a List keeps.
const Most = 200

// Full reports whether the list keeps no more mistakes.
func (l List) Full() bool { return len(l) >= Most }

// Add adds a mistake to the list; a full list only counts it. The same message about the same
// key at the same place is added once, even if an alias of YAML refers to the place twice.
func (l *List) Add(d Diagnostic) {
	key := func(path string) string { return path[len(Parent(path)):] }
	same := func(o Diagnostic) bool {
		return o.Pos == d.Pos && o.Subject == d.Subject && key(o.Path) == key(d.Path) && o.Message == d.Message
	}
	if l.Full() {
		l.Miss()
		return
	}
	if slices.ContainsFunc(*l, same) {
		return
	}
	*l = append(*l, d)
}

// Miss counts a mistake that a full list does not keep. The list must not be empty.
func (l *List) Miss() { (*l)[len(*l)-1].More++ }

// Addf adds a mistake at a place; see Position.Errorf.
func (l *List) Addf(at Position, format string, args ...any) { l.Add(*at.Errorf(format, args...)) }

// Sort sorts mistakes of one file by their places.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int { return a.Pos.Compare(b.Pos) })
}

// Err returns the mistakes, nil if there are none.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// AsList returns a List of one element for an error that is, or wraps, a Diagnostic; it returns other errors unchanged.
func AsList(err error) error {
	if wrong := (*Diagnostic)(nil); errors.As(err, &wrong) {
		return List{*wrong}
	}
	return err
}

// Error returns the mistakes one after the other; of many that differ only in names and numbers, only the
// first ones.
func (l List) Error() string {
	words := summary(len(l), func(i int) string { return l[i].Message }, func(i int) string { return l[i].Error() })
	more := 0
	for i := range l {
		more += l[i].More
	}
	switch {
	case more > 0:
		words += fmt.Sprintf("\nand %s more mistakes", english.Grouped(int64(more)))
	case l.Full():
		words += fmt.Sprintf("\nthere may be more than these %d mistakes", len(l))
	}
	return words
}
