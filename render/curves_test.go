package render

import (
	"bytes"
	"image/png"
	"math"
	"testing"
)

func TestCurvesDrawsEveryCurve(t *testing.T) {
	chart := CurveChart{
		Title: "Latency", X: "load", Y: "cycles", YMax: 100,
		Curves: []Curve{
			{Name: "one", Points: [][2]float64{{0.1, 20}, {0.5, 30}, {0.9, 900}}},
			{Name: "two", Points: [][2]float64{{0.1, 25}, {0.5, math.NaN()}, {0.9, 60}}},
		},
	}
	var b bytes.Buffer
	if err := Curves(&b, chart); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range chart.Curves {
		found := 0
		want := colour(i)
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
	if err := Curves(&b, CurveChart{}); err == nil {
		t.Error("a chart without points is drawn")
	}
}
