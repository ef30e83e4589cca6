package render

import (
	"math"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/render/pen"
)

// Sizes of a picture, in pixels.
const (
	largest  = 4000 // the largest width or height of a picture
	smallest = 1600 // the smallest width of a picture
	comfort  = 1900 // the longer side of a drawing, unless readable labels need a larger scale
	margin   = 40   // at each edge of a picture
	// Room beside the drawing, for row names and dimensions.
	leftOf, rightOf, above, below = 120, 40, 40, 100
)

// sheet is where the parts of a picture go, in pixels from its upper left corner: the head, below it the drawing, below
// it the foot. None of them overlaps another.
type sheet struct {
	W, H  float64
	Head  pen.Box
	Plan  pen.Box // the drawing alone, without the dimensions beside it
	Foot  pen.Box
	Scale float64 // pixels to a metre
}

// paper holds the limits of a drawing.
type paper struct {
	label   float64 // the scale at which its labels can be read, in pixels to a metre
	most    float64 // the largest scale, in pixels to a metre
	largest float64 // the largest width or height in pixels; +Inf for vector formats
}

// arrange lays out a picture of a drawing of w by h metres. head and foot return their heights for a width, all in
// pixels. The scale makes the longer side of the drawing comfort pixels, or more if p.label asks for it, within the
// limits of p. A drawing keeps at least 100 pixels of height below a very high head: the picture may exceed p.largest
// then.
func (p paper) arrange(w, h float64, head, foot func(width float64) float64) sheet {
	w, h = max(w, 0.01), max(h, 0.01)
	inner := float64(smallest - 2*margin)
	const rounded = 4 // up to whole pixels
	mostWide := p.largest - rounded - 2*margin - leftOf - rightOf
	mostHigh := max(p.largest-rounded-2*margin-above-below-head(inner)-foot(inner), 100)
	scale := max(min(comfort/w, comfort/h), p.label)
	scale = min(scale, p.most, mostWide/w, mostHigh/h)
	s := sheet{Scale: scale}
	planW, planH := w*scale, h*scale
	if !math.IsInf(p.largest, 1) { // a picture
		planW, planH = math.Ceil(planW), math.Ceil(planH)
	}
	s.W = max(smallest, planW+leftOf+rightOf+2*margin)
	inner = s.W - 2*margin
	s.Head = pen.Rect(margin, margin, s.W-margin, margin+math.Ceil(head(inner)))
	x := math.Floor((s.W+leftOf-rightOf)/2 - planW/2)
	y := s.Head.Y1 + above
	s.Plan = pen.Rect(x, y, x+planW, y+planH)
	y = s.Plan.Y1 + below
	s.Foot = pen.Rect(margin, y, s.W-margin, y+math.Ceil(foot(inner)))
	s.H = s.Foot.Y1 + margin
	return s
}

// at maps a point of the drawing, in metres from its lower left corner and upwards, to pixels of the picture, whose y
// runs downwards.
func (s *sheet) at(x, y float64) (px, py float64) {
	return s.Plan.X0 + float64(x*s.Scale), s.Plan.Y1 - float64(y*s.Scale)
}

// newCanvas returns a canvas whose scene is drawn in metres of the floor; corner is the point of the floor at the lower
// left corner of s.Plan.
func newCanvas(l *pen.Letters, s *sheet, corner orb.Point) *pen.Canvas {
	c := pen.New(l, s.W, s.H)
	c.Scene.Scale = s.Scale
	c.Scene.X, c.Scene.Y = s.Plan.X0-float64(corner[0]*s.Scale), s.Plan.Y1+float64(corner[1]*s.Scale)
	return c
}
