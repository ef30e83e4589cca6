package render

import (
	"bytes"
	"context"
	"image/color"
	"image/png"
	"testing"
)

// The plan of the trays has its numbers in ink of their own, in the half of the racks without names, and none where
// they cannot be read.
func TestTrayPlanIsNumbered(t *testing.T) {
	for _, text := range []string{
		`topology: {family: fat-tree, nodes: 32, radix: 16}`,
		`topology: {family: fat-tree, nodes: 512, radix: 32}
room: {racks_per_row: 12, gaps: [{after: 4, width: 1.2 m}], columns: [{x: 4 m, y: 2.5 m, width: 40 cm, depth: 40 cm}],
  trays: {levels: [{name: copper, height: 2.4 m}, {name: fibre, height: 2.7 m}]}}`,
	} {
		r := plan(t, toName(t, text))
		var b bytes.Buffer
		if err := TrayPlan(context.Background(), &b, r); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		inked := 0
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if color.RGBAModel.Convert(img.At(x, y)) == crossInk {
					inked++
				}
			}
		}
		// A digit has some pixels of full ink, and all others are mixed with the ground.
		if pieces := r.Schedule.Trays.Network.Pieces(); inked < 2*pieces || inked > 40*pieces {
			t.Errorf("%s: %d pixels of numbers for %d pieces", text, inked, pieces)
		}
	}
}
