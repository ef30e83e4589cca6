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

// mostShown is the most characters of a line that a terminal is given.
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

// truncate returns a text of at most most characters as it is, and of a longer one its beginning and how many follow.
func truncate(text string, most int) string {
	text, more := cut(text, most)
	return text + more
}

// cut parts a text behind so many characters; more says how many there are, "" where none are.
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

// mostAlike is how many mistakes that differ in names and numbers only are reported
// one by one.
const mostAlike = 20

// particular is what differs between mistakes of one kind: what stands in quotes,
// and numbers.
var particular = regexp.MustCompile(`"[^"]*"|\d+`)

// summary words mistakes one after the other. Of many that are alike it gives the first ones, followed by the number of
// the others.
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
