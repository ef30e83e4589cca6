package traffic

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
)

// unknownName returns the error for a name that is none of names, with the nearest.
func unknownName(what, name string, names []string) error {
	list := strings.Join(names, ", ")
	if name == "" {
		return fmt.Errorf("the name of the %s is missing: the %ss are %s", what, what, list)
	}
	return fmt.Errorf("there is no %s %q; %s The %ss are %s",
		what, name, diag.DidYouMean(diag.Nearest(name, names)), what, list)
}

// parseDims reads "16x16x4".
func parseDims(s string) ([]int, error) {
	var dims []int
	total := 1
	for part := range strings.SplitSeq(s, "x") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n > math.MaxInt32 {
			return nil, fmt.Errorf("%q is not a side: expected sides like 16x16x4", part)
		}
		if total *= n; total > math.MaxInt32 {
			return nil, fmt.Errorf("the grid %s has more than %d points", s, math.MaxInt32)
		}
		dims = append(dims, n)
	}
	return dims, nil
}
