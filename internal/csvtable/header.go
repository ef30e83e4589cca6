package csvtable

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MostTitles is how many rows may stand above the names of the columns, such as a title and a date.
const MostTitles = 20

// separators divide the fields of tables: spreadsheets write semicolons in countries with decimal commas.
const separators = ",;\t"

// Head is the name of a column in small letters, with _ for blanks and signs: "Power (kW)" is power_kw.
func Head(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "_")
}

// Heads are the names of the columns of a row.
func Heads(row []string) []string {
	out := make([]string, len(row))
	for i, text := range row {
		out[i] = Head(text)
	}
	return out
}

// Has reports whether all names are among the names of columns.
func Has(heads []string, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(heads, name) })
}

// Find finds the row that names the columns in the beginning of a text: the first, under at most MostTitles others,
// whose names is takes, with any separator. Row is how many rows stand above it. Where no row is taken, ok is false,
// and the separator is the most frequent in the first row that has any.
func Find(head []byte, is func(heads []string) bool) (comma rune, row int, ok bool) {
	told, above := rune(0), 0
	if told = toldSeparator(head); told != 0 {
		above = 1
		_, head, _ = bytes.Cut(head, []byte("\n"))
	}
	comma = told
	for _, sep := range separators {
		if told != 0 && sep != told && strings.ContainsRune(separators, told) {
			continue
		}
		in := csv.NewReader(bytes.NewReader(head))
		in.Comma, in.LazyQuotes, in.FieldsPerRecord, in.ReuseRecord = sep, true, -1, true
		for n := range MostTitles + 1 {
			fields, err := in.Read()
			if err != nil {
				break
			}
			if len(fields) <= MostColumns && is(Heads(fields)) {
				return sep, above + n, true
			}
		}
	}
	if comma == 0 {
		comma = frequent(head)
	}
	return comma, above, false
}

// toldSeparator is what the first line tells by sep=; as spreadsheets write and read it, 0 where it tells nothing.
func toldSeparator(head []byte) rune {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	text := strings.ToLower(strings.Trim(string(line), " \r\""))
	rest, is := strings.CutPrefix(text, "sep=")
	if comma, n := utf8.DecodeRuneInString(rest); is && n == len(rest) && strings.ContainsRune(separators, comma) {
		return comma
	}
	return 0
}

// frequent is the most frequent separator of the first line that has any.
func frequent(head []byte) rune {
	for line := range bytes.Lines(head) {
		best, most := ',', 0
		for _, sep := range separators {
			if n := bytes.Count(line, []byte(string(sep))); n > most {
				best, most = sep, n
			}
		}
		if most > 0 {
			return best
		}
	}
	return ','
}

// Header reads up to the row that names the columns, as Find finds it, and sets Comma to the separator of the table. It
// returns the names as Head has them. Where Find finds none, they are those of the first row that is not empty. The
// error is io.EOF where there is none, else as that of Read.
func (r *Reader) Header(is func(heads []string) bool) ([]string, error) {
	head, err := r.text.Peek(textBlock)
	if err != nil && len(head) == 0 {
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, err
	}
	comma, above, _ := Find(head, is)
	r.Comma = comma
	lazy := r.LazyQuotes
	r.LazyQuotes = true // titles are not checked
	for range above {
		if _, err := r.Read(); err != nil {
			return nil, err
		}
	}
	r.LazyQuotes = lazy
	for {
		row, err := r.Read()
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(row, func(text string) bool { return strings.TrimSpace(text) != "" }) {
			return Heads(row), nil
		}
	}
}
