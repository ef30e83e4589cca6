package cli

import (
	"strconv"

	"github.com/plenum-planner/plenum/internal/english"
)

// Digits writes a figure, at least 0, to three digits; whole numbers from 100 on are grouped.
func Digits(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x >= 100:
		return english.Grouped(int64(x + 0.5))
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case x >= 0.1:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}
