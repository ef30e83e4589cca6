package chart

import (
	"bytes"
	"image/png"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/render/palette"
)

func TestCurvesDrawsEveryCurve(t *testing.T) {
	chart := CurveChart{
		Title: "Latency", X: "load", Y: "cycles", YMax: 100,
		Curves: []Curve{
			{Name: "one", Points: []Point{{X: 0.1, Y: 20}, {X: 0.5, Y: 30}, {X: 0.9, Y: 900}}},
			{Name: "two", Points: []Point{{X: 0.1, Y: 25}, {X: 0.5, Y: math.NaN()}, {X: 0.9, Y: 60}}},
		},
	}
	var b bytes.Buffer
	d, err := chart.Draw(Style{})
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
	for i := range chart.Curves {
		found := 0
		want := palette.Series(i)
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				r, g, b, _ := img.At(x, y).RGBA()
				if uint8(r>>8) == want.R && uint8(g>>8) == want.G && uint8(b>>8) == want.B {
					found++
				}
			}
		}
		if found < 1000 {
			t.Errorf("curve %d has %d pixels", i, found)
		}
	}
}

func TestCurvesOfAGroupShareAColour(t *testing.T) {
	chart := CurveChart{
		X: "nodes", Y: "hops", LogX: true, LogY: true, Groups: []string{"mesh", "torus"},
		Curves: []Curve{
			{Name: "2D", Group: "torus", Mark: "2D", Points: []Point{{X: 100, Y: 5}, {X: 10000, Y: 50}}},
			{Name: "3D", Group: "torus", Mark: "3D", Points: []Point{{X: 100, Y: 4}, {X: 10000, Y: 20}}},
			{Name: "other", Points: []Point{{X: 100, Y: 3}, {X: 10000, Y: 10}}},
		},
	}
	styles, legend := chart.styles()
	if styles[0] != 1 || styles[1] != 1 || styles[2] != 2 {
		t.Errorf("styles %v", styles)
	}
	if len(legend) != 2 || legend[0].Text != "torus" || legend[1].Text != "other" {
		t.Errorf("legend %v", legend)
	}
	if _, err := chart.Draw(Style{}); err != nil {
		t.Fatal(err)
	}
	chart.Curves[2].Points[0].Y = 0
	if _, err := chart.Draw(Style{}); err == nil {
		t.Error("0 is drawn on a logarithmic axis")
	}
}
