package render

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/pen"
)

// Sizes of a small floor, in pixels at the size at which a page shows it; its picture has smallTimes as many each way.
const (
	smallWide, smallHigh = 560.0, 760.0 // at most
	smallMargin          = 10.0
	smallTimes           = 2.0
)

// SmallFloor draws a machine from above as a PNG to be shown beside others: as on the report's floor, with a scale bar
// and a legend, and without the title and the figures of a floor plan. A machine without a room is drawn as Floor does.
func SmallFloor(ctx context.Context, w io.Writer, r *machine.Result) error {
	if r.Room() == nil {
		return Floor(ctx, w, r)
	}
	opt, err := FloorOptions{}.withDefaults(r)
	if err != nil {
		return err
	}
	l, err := pen.NewLetters()
	if err != nil {
		return err
	}
	d, err := newRoomDrawing(l, r, opt)
	if err != nil {
		return err
	}
	c := d.drawSmall(ctx, l, newBlock(l, r, ""))
	picture := &pen.Canvas{Letters: l, Scene: c.Scene.Scaled(smallTimes)}
	return picture.PNG(ctx, w)
}

// drawSmall draws the room above its foot.
func (d *roomDrawing) drawSmall(ctx context.Context, l *pen.Letters, b *block) *pen.Canvas {
	wide, high := d.extent()
	inner := smallWide + leftOf + rightOf
	s := sheet{Scale: min(smallWide/wide, smallHigh/high, closest), W: inner + 2*smallMargin}
	planWide, planHigh := wide*s.Scale, high*s.Scale
	x := smallMargin + leftOf + (smallWide-planWide)/2
	s.Head = pen.Rect(smallMargin, smallMargin, s.W-smallMargin, smallMargin)
	s.Plan = pen.Rect(x, smallMargin+above/2, x+planWide, smallMargin+above/2+planHigh)
	for range 2 { // the legend of cables depends on the scale
		d.sheet, b.legend = s, d.legend()
		foot := s.Plan.Y1 + below
		s.Foot = pen.Rect(smallMargin, foot, s.W-smallMargin, foot+b.footHeight(inner))
		s.H = s.Foot.Y1 + smallMargin
	}
	c := d.drawOn(ctx, l, s)
	c.Layer("sheet")
	b.drawFoot(c, &s, "")
	return c
}
