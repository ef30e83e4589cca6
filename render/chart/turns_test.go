package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/render/scene/scenetest"
)

// TestTurnsKeepOffCurves draws break-even charts of all sizes: their words say which machine is the fastest, and cover
// no curve.
func TestTurnsKeepOffCurves(t *testing.T) {
	written := 0
	for _, n := range []int{2, 3, 6} {
		for size, style := range styles() {
			d, err := BreakEven(compared(n, "torus", 1), style)
			if err != nil {
				t.Fatal(err)
			}
			texts, err := scenetest.Texts(d.Scene)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range texts {
				if !strings.HasPrefix(text.Text.Text, "fastest: ") {
					continue
				}
				written++
				x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
				for _, c := range text.Corners {
					x0, y0, x1, y1 = min(x0, c[0]), min(y0, c[1]), max(x1, c[0]), max(y1, c[1])
				}
				if slices.ContainsFunc(d.Data.Rows, func(row []any) bool {
					q := d.panels[0].at(row[1].(float64), row[2].(float64))
					return q[0] > x0 && q[0] < x1 && q[1] > y0 && q[1] < y1
				}) {
					t.Errorf("%d machines, %s: %q covers a curve", n, size, text.Text.Text)
				}
			}
		}
	}
	if written == 0 {
		t.Error("no chart says which machine is the fastest")
	}
}
