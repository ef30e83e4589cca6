package chart

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/plenum-planner/plenum/sim/rounds"
)

func TestRemainingChart(t *testing.T) {
	for _, left := range [][]int64{
		nil,
		{0},
		{7},
		{235_000_000, 40_000_000, 1, 0},
		{1 << 60, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0},
	} {
		var b bytes.Buffer
		d, err := Remaining(&rounds.Result{RemainingByPhase: left}, "CLEX", Style{})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.PNG(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(&b); err != nil {
			t.Error(err)
		}
	}
}
