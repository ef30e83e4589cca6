// Package mergeorder puts several ordered lists in one order.
package mergeorder

import "slices"

// Merge lists the words of all lists, each once, in an order that agrees with that of every
// list as far as they do not contradict each other. It follows one list until its next word
// comes later in another, and then turns to the first whose next does not. No list has a word
// twice.
func Merge(lists [][]string) []string {
	left := make([][]string, len(lists))
	for i, words := range lists {
		left[i] = slices.Clone(words)
	}
	next := func(i int) bool { // of list i comes in no list later
		return len(left[i]) > 0 &&
			!slices.ContainsFunc(left, func(words []string) bool { return slices.Index(words, left[i][0]) > 0 })
	}
	var out []string
	take := func(i int) {
		word := left[i][0]
		out = append(out, word)
		for j, words := range left {
			if at := slices.Index(words, word); at >= 0 {
				left[j] = slices.Delete(words, at, at+1)
			}
		}
	}
	for {
		i := 0
		for i < len(left) && !next(i) {
			i++
		}
		if i == len(left) { // two lists contradict each other, or all is taken
			i = slices.IndexFunc(left, func(words []string) bool { return len(words) > 0 })
			if i < 0 {
				return out
			}
			take(i)
		}
		for next(i) {
			take(i)
		}
	}
}
