package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// mostMore is the largest number of digits of a label beyond those of Short.
const mostMore = 12

// tickLabels returns the labels of ticks as Short writes them. If two ticks have the same label, all labels get as many
// more digits as the values have, up to mostMore: 10.01k and 10.02k, not 10k twice.
func tickLabels(ticks []float64) []string {
	write := func(more int) (out []string, differ bool) {
		seen := map[string]bool{}
		for _, v := range ticks {
			out = append(out, shortened(v, more))
			seen[out[len(out)-1]] = true
		}
		return out, len(seen) == len(ticks)
	}
	out, differ := write(0)
	for more := 1; !differ && more < mostMore; more++ {
		if out, differ = write(more); differ {
			if next, _ := write(more + 1); !slices.Equal(out, next) {
				differ = false // a label is still rounded
			}
		}
	}
	return out
}

// distinctLabels returns values as Short writes them, or with the fewest more digits for all (less than mostMore) with
// which values that differ have different labels: 224.1k and 224.3k, not 224k twice. Unlike those of tickLabels, the
// labels may still be rounded, and values may be equal.
func distinctLabels(values []float64) (out []string) {
	for more := range mostMore {
		out = out[:0]
		alike := false
		value := map[string]float64{}
		for _, v := range values {
			text := shortened(v, more)
			other, seen := value[text]
			alike = alike || seen && other != v
			value[text] = v
			out = append(out, text)
		}
		if !alike {
			break
		}
	}
	return out
}

// Short returns a number with three digits or, between 100 and 9999 without a suffix, rounded to a whole number: 0.02,
// 350, 12k, 3.4M, 1.2G. Suffixes begin at 10k and end with T (10^12). Numbers below 0.001 and from 10^15 on have two
// digits and an exponent.
func Short(v float64) string { return shortened(v, 0) }

// shortened returns a number as Short does, with more digits; zeros at the end of a fraction are left out.
func shortened(v float64, more int) string {
	x := math.Abs(v)
	if x != 0 && x < 1e-3 || x >= 1e15 {
		return strconv.FormatFloat(v, 'g', 2+more, 64)
	}
	suffix := ""
	for _, s := range []string{"k", "M", "G", "T"} {
		if x < 9999.5 && (suffix == "" || x < 999.5) {
			break
		}
		x, v, suffix = x/1e3, v/1e3, s
	}
	digits := 0
	if x < 99.95 && x != 0 {
		digits = max(0, 2-int(math.Floor(math.Log10(x))))
	}
	text := strconv.FormatFloat(v, 'f', digits+more, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + suffix
}
