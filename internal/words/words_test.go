package words_test

import (
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/internal/words"
)

func TestRenamedReversal(t *testing.T) {
	for _, tt := range [][2][]int{
		{{}, {}},
		{{7}, {0}},
		{{0, 1, 2}, {0, 1, 2}},
		{{0, 1, 1, 2}, {0, 1, 1, 2}},
		{{0, 1, 2, 2, 0}, {0, 1, 1, 2, 0}},
		{{3, 3, 1}, {0, 1, 1}},
	} {
		if got := words.RenamedReversal(tt[0]); !slices.Equal(got, tt[1]) {
			t.Errorf("%v: %v, expected %v", tt[0], got, tt[1])
		}
	}
}
