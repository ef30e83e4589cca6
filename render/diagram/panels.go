package diagram

import (
	"context"
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// MostPanels is the most panels of a drawing.
const MostPanels = 64

// Sizes of a sheet of panels, in pixels.
const (
	panelGap     = 24.0
	panelsAcross = 2100.0 // all panels of a row
	leastPanel   = 480.0
)

// DrawPanels draws several topologies of a machine side by side, each as Draw draws it, with its own vertices and
// legend. One subject is drawn by itself, without the name of the machine above it. More subjects than MostPanels are
// refused.
func DrawPanels(ctx context.Context, name string, subjects []*Subject) (*pen.Canvas, error) {
	if len(subjects) == 1 {
		return Draw(ctx, subjects[0])
	}
	if len(subjects) > MostPanels {
		return nil, fmt.Errorf("%d different fabrics are more than the %d panels of a drawing\n"+
			"--fabric draws one of them", len(subjects), MostPanels)
	}
	l, err := newLetters()
	if err != nil {
		return nil, err
	}
	columns := max(1, int(math.Ceil(math.Sqrt(float64(len(subjects))))))
	side := max(leastPanel, panelsAcross/float64(columns))
	wide, panels := 0.0, make([]*pen.Canvas, len(subjects))
	heights := make([]float64, (len(subjects)+columns-1)/columns)
	for i, s := range subjects {
		panel := *s
		panel.side = side
		if panels[i], err = draw(ctx, l, &panel); err != nil {
			return nil, err
		}
		wide = max(wide, panels[i].Scene.W)
		heights[i/columns] = max(heights[i/columns], panels[i].Scene.H)
	}
	width := margin*2 + float64(columns)*(wide+panelGap) - panelGap
	high := headHeight + margin - panelGap
	for _, h := range heights {
		high += h + panelGap
	}
	title := Subject{Name: name}
	about := fabricsOf(subjects) + ", each drawn by itself with the boxes that are plugged into it"
	c := begin(l, &title, width, high+margin, about)
	y := float64(headHeight + margin)
	for i, p := range panels {
		if i > 0 && i%columns == 0 {
			y += heights[i/columns-1] + panelGap
		}
		x := margin + float64(i%columns)*(wide+panelGap)
		c.Scene.Marks = append(c.Scene.Marks, p.Scene.Moved(x, y)...)
		c.Frame(pen.Rect(x, y, x+wide, y+heights[i/columns]), 1, palette.Outline)
	}
	return c, nil
}

// fabricsOf counts the fabrics that subjects show.
func fabricsOf(subjects []*Subject) string {
	n := 0
	for _, s := range subjects {
		n += 1 + s.alike
	}
	if n == len(subjects) {
		return fmt.Sprintf("%d fabrics", n)
	}
	return fmt.Sprintf("%d fabrics in %d pictures", n, len(subjects))
}
