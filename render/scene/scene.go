// Package scene holds a drawing as a list of marks, from the one behind all to the one before all, so that one drawing
// is written in several formats. It knows what a rectangle is, and no rack.
//
// Lengths are in units of the drawing, y downwards; a drawing that is to scale says how many units a metre has and
// where its floor begins. What draws the marks decides nothing: a rack that is left out is left out of the scene. Marks
// stand on named layers, in the order in which the layers begin.
package scene

import (
	"image"
	"image/color"
)

// Scene is a drawing.
type Scene struct {
	// Name and About say what is drawn.
	Name, About string
	// W and H are the size of the sheet, in units.
	W, H float64
	// Scale is the units to a metre; 0 where nothing is to scale.
	Scale float64
	// Paper is the millimetres of paper that a unit takes; 0 where formats choose by Drafting.
	Paper float64
	// Fonts has SVG carry the letters that it uses, for readers that lack them; PDF always does.
	Fonts bool
	// Bare says that nothing may be noted on it, as on a sheet of labels.
	Bare bool
	// X and Y are where the floor has its origin, in units.
	X, Y float64
	// Marks are the drawing, from behind.
	Marks []Mark
}

// Metres maps a point of the sheet to the floor, whose y runs upwards.
func (s *Scene) Metres(x, y float64) (mx, my float64) {
	return (x - s.X) / s.Scale, (s.Y - y) / s.Scale
}

// Box is an upright rectangle, in units.
type Box struct{ X0, Y0, X1, Y1 float64 }

// Width is its width.
func (b Box) Width() float64 { return b.X1 - b.X0 }

// Height is its height.
func (b Box) Height() float64 { return b.Y1 - b.Y0 }

// Within is the part of b in c.
func (b Box) Within(c Box) Box {
	return Box{max(b.X0, c.X0), max(b.Y0, c.Y0), min(b.X1, c.X1), min(b.Y1, c.Y1)}
}

// Overlaps reports whether two boxes share more than an edge.
func (b Box) Overlaps(c Box) bool {
	return b.X0 < c.X1 && c.X0 < b.X1 && b.Y0 < c.Y1 && c.Y0 < b.Y1
}

// Mark is one thing that is drawn, or changes how those after it are.
type Mark interface{ mark() }

// Layer puts the marks after it on a layer of that name.
type Layer string

// Fill paints a rectangle. Pictures of pixels paint whole ones, one at least each way.
type Fill struct {
	Box
	Color color.NRGBA
	// Name is what stands there, About something of it; empty for nothing in particular.
	Name, About string
	// Block is the kind of thing that stands there, where formats can have one shape in many places. Its front is
	// below, or above where it is Turned.
	Block  string
	Turned bool
	// Bar tells that the rectangle is a line along its longer side.
	Bar bool
}

// Frame paints the edge of a rectangle, on its inside.
type Frame struct {
	Box
	Width float64
	Color color.NRGBA
}

// Path is lines through points, stroked; or polygons, filled.
type Path struct {
	Lines  [][][2]float64
	Filled bool
	Width  float64 // of the stroke
	// Dash is the lengths of strokes and gaps in turn; none for an unbroken line.
	Dash  []float64
	Color color.NRGBA
}

// Circle is a disc, or a ring where Width is above 0.
type Circle struct {
	X, Y, Radius, Width float64
	Color               color.NRGBA
}

// Hatch fills a polygon with slanted lines, and strokes its edge.
type Hatch struct {
	Points [][2]float64
	Gap    float64 // between two lines, along x
	Color  color.NRGBA
}

// Text is a line of text.
type Text struct {
	Text string
	// X is the left end of the text where Align is 0, its middle at 0.5, its right end at 1; Y is the baseline.
	X, Y, Align float64
	Size        float64
	Bold        bool
	Color       color.NRGBA
}

// Picture darkens what is behind it by an image's alpha.
type Picture struct {
	Mask *image.Alpha
	// At maps the pixels of the mask to units: x = At[0]*px + At[1]*py + At[2], y = At[3]*px + At[4]*py + At[5].
	At [6]float64
	// Within is the part of the sheet on which it is drawn.
	Within Box
}

// Link leads from a part of the sheet to a page of a Book, from 1. Other formats have none.
type Link struct {
	Box
	Page int
}

// Turn begins a group that is turned about a point, by an angle in radians, clockwise as it is seen.
type Turn struct{ Angle, X, Y float64 }

// Clip begins a group of which only what is inside the box is drawn.
type Clip struct{ Box }

// End ends the group that began last.
type End struct{}

func (Layer) mark()   {}
func (Fill) mark()    {}
func (Frame) mark()   {}
func (Path) mark()    {}
func (Circle) mark()  {}
func (Hatch) mark()   {}
func (Text) mark()    {}
func (Picture) mark() {}
func (Link) mark()    {}
func (Turn) mark()    {}
func (Clip) mark()    {}
func (End) mark()     {}
