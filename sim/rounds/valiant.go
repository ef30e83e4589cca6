package rounds

import (
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/diag"
)

// CheckValiant says what is wrong with a text that ParseValiant is to read later,
// when the levels are known.
func CheckValiant(text string) error {
	_, err := ParseValiant(text, math.MaxInt)
	return err
}

// ParseValiant reads the level of the copies within which messages are first sent
// to a random node: "off", which is 0, "full" for the whole machine, "light" for its copies of
// C(2), the cliques if there are two levels or fewer, or a level. The error is a
// diag.FieldError of Options.Valiant.
func ParseValiant(text string, levels int) (int, error) {
	switch text {
	case "off":
		return 0, nil
	case "light":
		return max(1, min(2, levels-1)), nil
	case "full":
		return levels, nil
	}
	k, err := strconv.Atoi(text)
	switch {
	case err != nil || k < 1:
		words := []string{"off", "light", "full"}
		return 0, diag.Fieldf("Valiant", "%q is not off, light, full or a level\n%s", text,
			diag.Suggest(text, words, ""))
	case k > levels:
		return 0, diag.Fieldf("Valiant", "%q is not off, light, full or a level\nthe levels are from 1 to %d", text,
			levels)
	}
	return k, nil
}
