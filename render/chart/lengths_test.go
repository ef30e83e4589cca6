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
	}, 0)
	if want := [][]int64{{15, 6, 0}, {10, 20, 30}}; bin != 1 || !slices.EqualFunc(counts, want, slices.Equal[[]int64]) {
		t.Errorf("bins of %v: %v, not %v", bin, counts, want)
	}
	for _, widths := range [][2]units.Length{{0.5, 1}, {0.2, 0.2}} {
		if bin, _ := binned([]report.Lengths{{BinMetres: widths[0]}, {BinMetres: widths[1]}}, 0); bin != widths[1] {
			t.Errorf("bins of %v become %v wide", widths, bin)
		}
	}
}

// TestLengthsShareScales gives all machines one width of bins and one height, the greatest share of cables that a bin
// of any machine has; a machine with much shorter cables keeps bins of its own.
func TestLengthsShareScales(t *testing.T) {
	machineOf := func(longest, bin units.Length, bins ...int64) report.Compared {
		m := report.Compared{Plan: &report.Plan{Lengths: []report.Lengths{{BinMetres: bin, Bins: bins}}}}
		m.Length.Max = longest
		return m
	}
	c := &report.Comparison{Machines: []report.Compared{
		machineOf(20, 0.25, 1, 1, 2), machineOf(30, 0.5, 1, 9), machineOf(2, 0.1, 5, 5),
		{Plan: &report.Plan{}},
	}}
	s := newLengthScale(c)
	if s.bin != 0.5 || s.share != 90 || s.longest != 30 {
		t.Errorf("bins of %v, shares to %v %%, lengths to %v", s.bin, s.share, s.longest)
	}
	for i, want := range []struct {
		bin  units.Length
		rows [][]int64
	}{{0.5, [][]int64{{2, 2}}}, {0.5, [][]int64{{1, 9}}}, {0.1, [][]int64{{5, 5}}}, {0.5, [][]int64{nil}}} {
		bin, rows := s.of(&c.Machines[i])
		if bin != want.bin || !slices.EqualFunc(rows, want.rows, slices.Equal[[]int64]) {
			t.Errorf("machine %d has bins of %v: %v, want %v of %v", i+1, bin, rows, want.rows, want.bin)
		}
	}
}
