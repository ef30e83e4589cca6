package scene

import "image"

// black returns the picture as an image of its own with the bounds of the mask: black, as opaque as the mask, which is
// not part of a larger image.
func (p Picture) black() *image.NRGBA {
	out := image.NewNRGBA(p.Mask.Rect)
	for i, a := range p.Mask.Pix {
		out.Pix[4*i+3] = a
	}
	return out
}

// local returns At for pixels that are counted from the top left corner of the mask. Products are rounded one by one,
// so that the result is the same on all processors.
func (p Picture) local() [6]float64 {
	m, corner := p.At, p.Mask.Rect.Min
	m[2] += float64(m[0]*float64(corner.X)) + float64(m[1]*float64(corner.Y))
	m[5] += float64(m[3]*float64(corner.X)) + float64(m[4]*float64(corner.Y))
	return m
}
