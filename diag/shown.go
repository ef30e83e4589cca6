package diag

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plenum-planner/plenum/internal/english"
)

// mostShown is the highest number of characters of a line that Escape keeps.
const mostShown = 2000

// Escape returns a text that is safe to print on a terminal: control
// characters other than line breaks and tabs are escaped as in Go, and lines are
// cut after two thousand characters.
func Escape(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		line, more := cut(line, mostShown)
		for _, r := range line {
			if unicode.IsControl(r) && r != '\t' {
				quoted := strconv.QuoteRuneToASCII(r)
				b.WriteString(quoted[1 : len(quoted)-1])
			} else {
				b.WriteRune(r)
			}
		}
		b.WriteString(more)
	}
	return b.String()
}

// truncate returns the first `most` characters of a text and, if it is longer, the number of the following ones.
func truncate(text string, most int) string {
	text, more := cut(text, most)
	return text + more
}

// cut returns the first `most` characters of a text, and a text with the number of the following ones, "" if there are
// none.
func cut(text string, most int) (begins, more string) {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text, ""
	}
	n := 0
	for at := range text {
		if n == most {
			left := utf8.RuneCountInString(text[at:])
			return text[:at], fmt.Sprintf("... (and %s characters)", english.Grouped(int64(left)))
		}
		n++
	}
	return text, ""
}

// mostAlike is the number of mistakes that are printed of those that differ only in names and numbers.
const mostAlike = 20

// particular matches the texts in which mistakes of the same kind differ: quoted texts and numbers.
var particular = regexp.MustCompile(`"[^"]*"|\d+`)

// summary returns n mistakes one after the other, with the text that words returns for each. Of many that differ only
// in names and numbers, it has the first ones, followed by the number of the others. message returns the text that is
// compared.
func summary(n int, message func(i int) string, words func(i int) string) string {
	alike := map[string]int{}
	kind := make([]string, n)
	for i := range n {
		kind[i] = particular.ReplaceAllString(message(i), "#")
		alike[kind[i]]++
	}
	var lines []string
	told := map[string]int{}
	for i := range n {
		k := kind[i]
		if told[k]++; told[k] > mostAlike {
			continue
		}
		lines = append(lines, words(i))
		if more := alike[k] - mostAlike; told[k] == mostAlike && more > 0 {
			lines = append(lines, fmt.Sprintf("and %s more of the same kind", english.Grouped(int64(more))))
		}
	}
	return strings.Join(lines, "\n")
}
