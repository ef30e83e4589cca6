package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// drawnHall draws the example in a hall, from its racks down to the drawing of the building.
func drawnHall(t *testing.T) *roomDrawing {
	t.Helper()
	s, err := machine.Load("../examples/hall/hall.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := plan(t, s)
	l, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	none := func(float64) float64 { return 50 }
	d := &roomDrawing{room: r.Room(), racks: rackContents(r), building: r.Drawing}
	bound := d.room.Bound
	d.sheet = paper{50, closest, largest}.arrange(bound.Max[0], bound.Max[1], none, none)
	d.Canvas = newCanvas(l, &d.sheet, bound.Min)
	return d
}

// painted is the picture of what has been drawn.
func painted(t *testing.T, c *pen.Canvas) *image.RGBA {
	t.Helper()
	img, err := pen.Raster(c.Letters, c.Scene)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestUnderlayIsToScale finds the lines of the building's drawing in the picture where they are drawn in the file, and
// none of layers that are hidden there.
func TestUnderlayIsToScale(t *testing.T) {
	d := drawnHall(t)
	d.Fill(d.Plan, palette.Ground)
	d.underlay()
	img := painted(t, d.Canvas)
	dark := func(p orb.Point) bool {
		x, y := d.point(p)
		for dx := -2; dx <= 2; dx++ {
			for dy := -2; dy <= 2; dy++ {
				if c := img.RGBAAt(int(math.Round(x))+dx, int(math.Round(y))+dy); c.R < palette.Ground.R-30 {
					return true
				}
			}
		}
		return false
	}
	for _, p := range []orb.Point{
		{22, 17}, {26, 14}, // the notch
		{5.8, 5.1}, {12.2, 14.9}, // sides of columns
		{12, 10.25},                      // the round one
		{18.2828, 10}, {18 - 0.2828, 10}, // corners of the one that is turned
		{2000.0 / 1000, 1}, {2 + 1.1*math.Sqrt2/2, 0.7778}, // a door and how it opens
		{8, 19.5}, {29.9 - 0.9, 10}, // cooling units
		{4, 17}, // a wall of the store
	} {
		if !dark(p) {
			t.Errorf("nothing is drawn at %v", p)
		}
	}
	for _, p := range []orb.Point{{6, 1}, {18, 12.5}, {10, 10}, {20, 17}} {
		if dark(p) {
			t.Errorf("something is drawn at %v", p)
		}
	}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			p := d.Plan
			in := float64(x) >= p.X0-1 && float64(x) <= p.X1 && float64(y) >= p.Y0-1 && float64(y) <= p.Y1
			if !in && img.RGBAAt(x, y) != (color.RGBA{255, 255, 255, 255}) {
				t.Fatalf("the drawing reaches out of the room, to %d, %d", x, y)
			}
		}
	}
}

// TestRacksStandOnTheUnderlay: racks are drawn over it.
func TestRacksStandOnTheUnderlay(t *testing.T) {
	d := drawnHall(t)
	d.paint()
	img := painted(t, d.Canvas)
	for i, p := range d.room.Places {
		b := d.boxOf(p.Footprint(d.room.Spec.Rack))
		for _, y := range []float64{b.Y0 + b.Height()*0.45, b.Y0 + b.Height()*0.55} {
			if got := img.RGBAAt(int(b.X0)+4, int(y)); got != contents[d.racks[i]].col {
				t.Errorf("rack %s is %v at %v", d.room.Name(i), got, y)
			}
		}
	}
	x, y := d.point(orb.Point{26, 17})
	if got := img.RGBAAt(int(x), int(y)); got != palette.Beyond {
		t.Errorf("beyond the walls it is %v", got)
	}
}

// TestPictureUnderneath darkens the floor where the picture is dark, and nothing beside it.
func TestPictureUnderneath(t *testing.T) {
	d := drawnHall(t)
	photo := image.NewGray(image.Rect(0, 0, 40, 30))
	for i := range photo.Pix {
		photo.Pix[i] = 255
	}
	photo.SetGray(25, 9, color.Gray{}) // from the upper left
	photo.SetGray(26, 9, color.Gray{})
	// Half a metre a pixel: the pixels lie at 12.5 m to 13.5 m and, from below, at 10 m to 10.5 m.
	d.building = &drawing.Drawing{Picture: photo, At: drawing.Affine{A: 0.5, E: -0.5, F: 15}}
	d.Fill(d.Plan, palette.Ground)
	d.underlay()
	img := painted(t, d.Canvas)
	for p, want := range map[orb.Point]bool{
		{13, 10.25}: true, {12, 10.25}: false, {14, 10.25}: false, {13, 9.5}: false, {13, 11.2}: false, {25, 18}: false,
	} {
		x, y := d.point(p)
		if got := img.RGBAAt(int(x), int(y)).R < 200; got != want {
			t.Errorf("dark at %v: %v", p, got)
		}
	}
}
