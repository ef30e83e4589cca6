package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// OrDash writes a count, or a dash for what there is none of.
func OrDash(n int) string {
	if n == 0 {
		return "-"
	}
	return english.Grouped(int64(n))
}

// NodeRange reads 4096, 1000..100000, 1000.., ..5000 or "..". An end that is
// left out is the least or the most possible.
func NodeRange(text string) (from, to int, ok bool) {
	low, high, ranged := strings.Cut(text, "..")
	if !ranged {
		if low == "" {
			return 0, 0, false
		}
		high = low
	}
	number := func(text string, absent int) int {
		if text = strings.TrimSpace(text); text == "" {
			return absent
		}
		n, err := strconv.Atoi(text)
		if err != nil || n > topology.MaxVertices {
			return 0
		}
		return n
	}
	from, to = number(low, 1), number(high, topology.MaxVertices)
	if from < 1 || to < 1 {
		return 0, 0, false
	}
	return from, to, true
}

// maxGrid bounds the racks of a grid.
const maxGrid = 1 << 20

// ParseGrid reads columns and rows, such as 20x20.
func ParseGrid(s string) (w, h int, err error) {
	a, b, found := strings.Cut(s, "x")
	w, errA := strconv.Atoi(a)
	h, errB := strconv.Atoi(b)
	if !found || errA != nil || errB != nil || w < 1 || h < 1 || w > maxGrid || h > maxGrid || w*h > maxGrid {
		return 0, 0, fmt.Errorf("--grid must be columns x rows, like 16x16, of at most %d racks, not %q", maxGrid, s)
	}
	return w, h, nil
}
