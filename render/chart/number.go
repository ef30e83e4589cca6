package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// most digits that labels of ticks take beyond those of Short.
const mostMore = 12

// labels writes the values of ticks as Short does or, where that gives two ticks the same
// label, in full: 10.01k and 10.02k, not 10k twice.
func labels(ticks []float64) []string {
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
				differ = false // a digit is cut off yet
			}
		}
	}
	return out
}

// apart writes values as Short does, with as many more digits as tell all of them apart that differ: 224.1k and 224.3k,
// not 224k twice.
func apart(values []float64) (out []string) {
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

// Short writes a number in a few characters: 0.02, 350, 12k, 3.4M, 1.2G.
func Short(v float64) string { return shortened(v, 0) }

// shortened is Short with more digits.
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
