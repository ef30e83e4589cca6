// Package english writes numbers, nouns and lists for people, in English, the same way everywhere.
package english

import (
	"strconv"
	"strings"
)

// Grouped writes a number with commas between its thousands: "12,345".
func Grouped(n int64) string { return GroupedText(strconv.FormatInt(n, 10)) }

// Fixed writes a number with the given number of decimals, and commas between its thousands: "1,042.0".
func Fixed(v float64, places int) string { return GroupedText(strconv.FormatFloat(v, 'f', places, 64)) }

// GroupedText puts commas between the thousands of a number that is written in digits, with a minus sign and a decimal
// point if need be. It returns any other text unchanged.
func GroupedText(number string) string {
	digits := strings.TrimPrefix(number, "-")
	whole, rest, _ := strings.Cut(digits, ".")
	if whole == "" || strings.Trim(whole+rest, "0123456789") != "" {
		return number
	}
	sign := number[:len(number)-len(digits)]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + whole + strings.TrimPrefix(digits, strings.ReplaceAll(whole, ",", ""))
}

// Plural returns the singular of a noun for n = 1, else the plural: "cable" for 1, "cables" for 2, "leaves" for 0.
func Plural(n int64, noun string) string {
	switch {
	case n == 1:
		return noun
	case noun == "leaf":
		return "leaves"
	case takesES(noun):
		return noun + "es"
	}
	return noun + "s"
}

// takesES reports whether the plural of a noun ends in "es": boxes, switches, classes.
func takesES(noun string) bool {
	for _, end := range []string{"x", "ch", "sh", "ss"} {
		if strings.HasSuffix(noun, end) {
			return true
		}
	}
	return false
}

// Count writes a number with commas and its noun: "1 leaf", "12,345 cables".
func Count[N int | int32 | int64](n N, noun string) string {
	return Grouped(int64(n)) + " " + Plural(int64(n), noun)
}

// List joins words with commas and a last "and": "a, b and c"; "" for none.
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
