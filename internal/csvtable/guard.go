package csvtable

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// marks begin what a spreadsheet takes for a formula. The last is the apostrophe that guards against that: a text that
// begins with one of its own gets another, so that Unguard finds the text again.
const marks = "=+-@＝＋－＠'"

// Guard is a text as it stands in a table: on one line, and with an apostrophe before it where a spreadsheet would take
// it for a formula. That is a text whose first character but for blanks is = + - or @, also in their full width, which
// some programs turn into these; tabs and carriage returns, which some programs drop before they look, are blanks by
// then. A plain number is none: -3.5 stays a number.
//
// The list is that of the OWASP page on CSV injection.
func Guard(text string) string {
	text = OneLine(text)
	if isMarked(text) && !isNumber(text) {
		return "'" + text
	}
	return text
}

// Unguard is the text, as OneLine has it, that a field stands for.
func Unguard(field string) string {
	if text, guarded := strings.CutPrefix(field, "'"); guarded && isMarked(text) {
		return text
	}
	return field
}

// OneLine replaces control characters, and bytes that are not text, by blanks.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
}

// isMarked reports whether the first character of a text but for blanks is a mark.
func isMarked(text string) bool {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	return text != "" && strings.ContainsAny(text[:first(text)], marks)
}

// first is how many bytes the first character takes.
func first(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	return n
}

// isNumber reports whether a text is a decimal number and nothing else.
func isNumber(text string) bool {
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return false // no hexadecimal numbers, and no infinities
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// AppendText appends a text as a field, guarded, in quotes where it needs them.
func AppendText[T string | []byte](b []byte, text T) []byte {
	if Plain(text) {
		return append(b, text...)
	}
	if needsOnlySeparators(text) {
		return append(append(append(b, '"'), text...), '"')
	}
	guarded := Guard(string(text))
	if !strings.ContainsAny(guarded, `,;"`) && strings.TrimSpace(guarded) == guarded {
		return append(b, guarded...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(guarded, `"`, `""`)...)
	return append(b, '"')
}

// Plain reports whether a text is sure to stand as it is, as almost all do: a letter, digit or bracket first, then
// printable ASCII but for separators and quotation marks, and no blank last. What is joined of such texts, by plain
// ones or blanks between them, is one too.
func Plain[T string | []byte](text T) bool {
	if len(text) == 0 {
		return true
	}
	for i := range len(text) {
		if !plain[text[i]] {
			return false
		}
	}
	return text[0] != ' ' && text[len(text)-1] != ' ' && strings.IndexByte(marks, text[0]) < 0
}

// needsOnlySeparators reports whether a text needs quotes for its separators and nothing else, as coordinates do.
func needsOnlySeparators[T string | []byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; !plain[c] && c != ',' && c != ';' {
			return false
		}
	}
	return text[0] != ' ' && text[len(text)-1] != ' ' && strings.IndexByte(marks, text[0]) < 0
}

// plain tells which bytes stand in a plain text.
var plain = func() (of [256]bool) {
	for c := byte(' '); c < 0x7f; c++ {
		of[c] = c != ',' && c != ';' && c != '"'
	}
	return of
}()
