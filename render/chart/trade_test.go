package chart

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/plenum-planner/plenum/render/palette"
)

func TestTrade(t *testing.T) {
	chart := TradeChart{
		Title: "Search", X: "cost (USD)", Y: "mean delay (ns)", Note: "Two machines.",
		Best: []TradePoint{
			{Group: "torus", Label: "1 torus", X: 100, Y: 900}, {Group: "clex", Label: "2 clex", X: 400, Y: 300},
		},
		Beaten:  []TradePoint{{Group: "torus", X: 120, Y: 950}},
		Bounded: []TradePoint{{Group: "hyperx", X: 300, Y: 1000}, {Group: "moore", X: 4000, Y: 1000}},
	}
	far := chart
	far.within()
	if len(far.Bounded) != 1 || far.Note != "Two machines. Not drawn: 1 point farther away." {
		t.Errorf("what is far away stays: %+v", far)
	}
	drawn := func(c TradeChart) map[[3]uint32]int {
		var b bytes.Buffer
		d, err := c.Draw(Style{})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.PNG(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		n := map[[3]uint32]int{}
		for y := img.Bounds().Min.Y; y < 880; y++ { // above the legend
			for x := range img.Bounds().Max.X {
				r, g, b, _ := img.At(x, y).RGBA()
				n[[3]uint32{r >> 8, g >> 8, b >> 8}]++
			}
		}
		return n
	}
	n := drawn(chart)
	for i, least := range []int{250, 200, 5} { // a large and a small disc, a large one, a ring
		c := palette.Series(i)
		if got := n[[3]uint32{uint32(c.R), uint32(c.G), uint32(c.B)}]; got < least {
			t.Errorf("group %d has %d pixels, not %d", i, got, least)
		}
	}
	if n := drawn(TradeChart{Title: "Search", X: "x", Y: "y"}); len(n) < 2 {
		t.Error("an empty chart says nothing")
	}
}
