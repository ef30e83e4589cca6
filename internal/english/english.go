// Package english writes numbers, nouns and lists for people, in English, the same way everywhere.
package english

import (
	"strconv"
	"strings"
)

// Grouped writes a number with its thousands apart: "12,345".
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural is a noun in the number that n of it take: "cable" for 1, "cables" for 2, "leaves" for no leaf.
func Plural(n int64, noun string) string {
	switch {
	case n == 1:
		return noun
	case noun == "leaf":
		return "leaves"
	case hissing(noun):
		return noun + "es"
	}
	return noun + "s"
}

// hissing tells of nouns that take "es": boxes, switches, classes.
func hissing(noun string) bool {
	for _, end := range []string{"x", "ch", "sh", "ss"} {
		if strings.HasSuffix(noun, end) {
			return true
		}
	}
	return false
}

// Count is a number with its noun: "1 leaf", "3 up ports".
func Count(n int, noun string) string { return strconv.Itoa(n) + " " + Plural(int64(n), noun) }

// GroupedCount is Count with the thousands apart: "12,345 cables".
func GroupedCount(n int64, noun string) string { return Grouped(n) + " " + Plural(n, noun) }

// List joins words for a sentence: "a, b and c".
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
