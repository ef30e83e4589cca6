package chart

import (
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// TestLengthsHaveBinsOfOneWidth: bins of several widths become the narrowest that holds whole bins of each, with every
// cable in the bin of its length.
func TestLengthsHaveBinsOfOneWidth(t *testing.T) {
	bin, counts := binned([]report.Lengths{
		{BinMetres: 0.2, Bins: []int64{1, 2, 3, 4, 5, 6}}, // to 1.2 m
		{BinMetres: 0.5, Bins: []int64{10, 0, 20, 0, 30}}, // to 2.5 m
	})
	if want := [][]int64{{15, 6, 0}, {10, 20, 30}}; bin != 1 || !slices.EqualFunc(counts, want, slices.Equal[[]int64]) {
		t.Errorf("bins of %v: %v, not %v", bin, counts, want)
	}
	for _, widths := range [][2]units.Length{{0.5, 1}, {0.2, 0.2}} {
		if bin, _ := binned([]report.Lengths{{BinMetres: widths[0]}, {BinMetres: widths[1]}}); bin != widths[1] {
			t.Errorf("bins of %v become %v wide", widths, bin)
		}
	}
}
