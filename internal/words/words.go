// Package words has what de Bruijn graphs need of words of digits.
package words

// RenamedReversal is a word read backwards, its digits renamed so that new ones
// appear in ascending order. Digits are below 30.
func RenamedReversal(word []int) []int {
	back := make([]int, 0, len(word))
	var names [30]int // new name of each digit, plus 1
	next := 0
	for i := len(word) - 1; i >= 0; i-- {
		name := &names[word[i]]
		if *name == 0 {
			next++
			*name = next
		}
		back = append(back, *name-1)
	}
	return back
}
