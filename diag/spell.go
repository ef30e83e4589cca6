package diag

import (
	"fmt"
	"slices"
	"strings"
)

// Suggest returns a suggestion for a misspelt word: the closest candidate or, if none is close, otherwise followed by
// all candidates; "" if otherwise is "" or there are no candidates.
func Suggest(word string, candidates []string, otherwise string) string {
	if best, ok := Closest(word, candidates); ok {
		return DidYouMean(best)
	}
	if otherwise == "" || len(candidates) == 0 {
		return ""
	}
	return otherwise + strings.Join(candidates, ", ")
}

// DidYouMean returns the suggestion to write a word.
func DidYouMean(word string) string { return fmt.Sprintf("did you mean %q?", word) }

// Closest returns the candidate that a misspelt word most probably means, and
// whether there is one. Words are compared by Distance without regard to case; up
// to a quarter of the longer word, rounded up, may differ. A word of four letters or
// more at the beginning of a candidate ("superpod-h100") counts as one difference.
// Failing that, such a word that stands inside exactly one candidate ("qm9700") means
// that one. Of equally near candidates the first in alphabetical order wins.
func Closest(word string, candidates []string) (string, bool) {
	if len(word) > mostFolded {
		return "", false // too long for a misspelt word, and to compare
	}
	folded := []rune(strings.ToLower(word))
	best, bestDistance := "", -1
	within, inside := "", 0
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		runes := []rune(strings.ToLower(c))
		limit := (max(len(folded), len(runes)) + 3) / 4
		if gap := len(folded) - len(runes); gap <= limit && -gap <= limit {
			d := distance(folded, runes)
			if d <= limit && len(folded) >= 4 && strings.HasPrefix(string(runes), string(folded)) {
				d = min(d, 1)
			}
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

// mostFolded is the highest number of bytes of a word that Closest compares.
const mostFolded = 1000

// mostCompared is the highest number of characters of a word that Nearest compares, as the time of
// a comparison grows with the product of two lengths.
const mostCompared = 100

// Nearest returns the candidate with the smallest Distance from a word, however large it is, without regard to case; of
// equally near ones the first, and "" if there are no candidates.
func Nearest(word string, candidates []string) string {
	folded := []rune(strings.ToLower(word))
	folded = folded[:min(len(folded), mostCompared)]
	nearest, least := "", -1
	for _, c := range candidates {
		if d := distance(folded, []rune(strings.ToLower(c))); least < 0 || d < least {
			nearest, least = c, d
		}
	}
	return nearest
}

// Distance returns the minimum number of insertions, deletions and substitutions of characters and swaps of
// neighbouring ones that turn a into b, without changing a character twice: the optimal string alignment distance (F.
// J. Damerau, A technique for computer detection and correction of spelling errors, CACM 7(3), 1964,
// doi:10.1145/363958.363994, except that it considers single errors only).
func Distance(a, b string) int { return distance([]rune(a), []rune(b)) }

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
