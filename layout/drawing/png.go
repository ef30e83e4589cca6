package drawing

import (
	"bytes"
	"image/png"

	"github.com/plenum-planner/plenum/diag"
)

// maxPixels is the largest number of pixels of a picture.
const maxPixels = 32 << 20

// readPNG reads a picture, whose lower left corner is the origin. Options have to give the side of a pixel, and no
// unit.
func (d *Drawing) readPNG(data []byte, o Options) error {
	at := diag.Position{File: d.File}
	switch {
	case o.Pixel <= 0:
		return diag.Fieldf("pixel", "a picture does not say how large what it shows is\n"+
			"give the side of a pixel, such as 10 mm")
	case o.Unit != "":
		return diag.Fieldf("unit", "a picture has no coordinates\nremove it; pixel is the scale")
	}
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return one(at, "not a PNG: %v", err)
	}
	if c.Width > maxPixels/max(c.Height, 1) {
		return one(at, "the picture has %d x %d pixels, more than %d million\nmake it smaller",
			c.Width, c.Height, maxPixels>>20)
	}
	if d.Picture, err = png.Decode(bytes.NewReader(data)); err != nil {
		return one(at, "not a whole PNG: %v", err)
	}
	side := float64(o.Pixel)
	d.At = Affine{A: side, E: -side, F: side * float64(c.Height)}
	d.file = d.At
	return nil
}
