package catalog

import (
	"slices"
	"strings"
)

// Closest returns the candidate that a misspelt word most probably means, and
// whether there is one. Words are compared without regard to case by the
// optimal string alignment distance (insertions, deletions, substitutions and
// swaps of neighbours); up to a quarter of the longer word, rounded up, may
// differ. Failing that, a word of four letters or more that stands inside
// exactly one candidate ("qm9700") means that one. Of equally near candidates
// the first in alphabetical order wins.
func Closest(word string, candidates []string) (string, bool) {
	folded := []rune(strings.ToLower(word))
	best, bestDistance := "", -1
	within, inside := "", 0
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		runes := []rune(strings.ToLower(c))
		limit := (max(len(folded), len(runes)) + 3) / 4
		if gap := len(folded) - len(runes); gap <= limit && -gap <= limit {
			d := distance(folded, runes)
			if d <= limit && d < max(len(folded), len(runes)) && (bestDistance < 0 || d < bestDistance) {
				best, bestDistance = c, d
			}
		}
		if len(folded) >= 4 && c != within && strings.Contains(string(runes), string(folded)) {
			within, inside = c, inside+1
		}
	}
	switch {
	case bestDistance >= 0:
		return best, true
	case inside == 1:
		return within, true
	}
	return "", false
}

// distance is the optimal string alignment distance of a and b.
func distance(a, b []rune) int {
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			change := previous[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			current[j] = min(previous[j]+1, current[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
