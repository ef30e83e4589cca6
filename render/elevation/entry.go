package elevation

import (
	"fmt"
	"image/color"
	"math"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/units"
)

// Entry is openings of a rack at one of its sides, or its cable managers, with the cables in them.
type Entry struct {
	Openings []catalog.Opening // all of one place
	Cables   int
	Bare     int        // of them, of parts that state no diameter: with any, Area is a lower bound
	Area     units.Area // of their cross-sections
	Limit    units.Area // that they may have
}

// At is where the openings are.
func (e *Entry) At() catalog.OpeningAt { return e.Openings[0].At }

// share is how much of the limit the cables take.
func (e *Entry) share() float64 {
	if e.Limit <= 0 {
		return 0
	}
	return float64(e.Area / e.Limit)
}

// fill is the colour of the share that cables take.
func (e *Entry) fill() color.RGBA {
	if e.share() > 1 {
		return palette.Vermillion
	}
	return palette.Blue
}

// entriesOf finds the openings that the part of a rack states, from those at the top to the cable managers, with the
// cables that leave the rack. Cable managers have those of the top or those of the bottom, as the rule entry takes
// them.
func entriesOf(part *catalog.Part, leaving []cabling.Entry) []Entry {
	if part == nil || part.Rack == nil {
		return nil
	}
	var out []Entry
	for _, at := range []catalog.OpeningAt{catalog.AtTop, catalog.AtBottom, catalog.AtManager} {
		e := Entry{Limit: cabling.OpeningLimit(part.Rack, at)}
		for _, o := range part.Rack.Openings {
			if o.At == at {
				e.Openings = append(e.Openings, o)
			}
		}
		for i := range leaving {
			if l := &leaving[i]; (l.At == at || at == catalog.AtManager) && l.Area >= e.Area {
				e.Cables, e.Bare, e.Area = l.Cables, l.Bare, l.Area
			}
		}
		if e.Openings != nil {
			out = append(out, e)
		}
	}
	return out
}

// leaving returns the cables that leave each rack of a plan, none where no rack part states openings.
func leaving(r *machine.Result) map[int32][]cabling.Entry {
	stated := false
	for place := range r.Room().Places {
		part := r.RackPart(int32(place))
		stated = stated || part != nil && part.Rack != nil && part.Rack.Openings != nil
	}
	out := map[int32][]cabling.Entry{}
	if !stated {
		return out
	}
	for _, e := range r.Schedule.Entries() {
		out[e.Rack] = append(out[e.Rack], e)
	}
	return out
}

// openings draws the openings of the top and bottom of a rack in its frame, as wide as they are and filled from the
// left, and its cable managers beside the units, filled from below.
func (v *view) openings(x float64, rear bool) {
	for i := range v.r.Entries {
		e := &v.r.Entries[i]
		rim := 0.05 * v.metre // above the highest unit and below the lowest
		switch {
		case e.At() == catalog.AtManager && !rear: // what is beside the units is drawn in the rear view
			v.managers(x, e)
		case e.At() == catalog.AtTop && v.part.hi == v.r.Units:
			v.row(x, v.y+0.15*rim, 0.7*rim, e)
		case e.At() == catalog.AtBottom && v.part.lo == 1:
			v.row(x, v.y+v.high-0.85*rim, 0.7*rim, e)
		}
	}
}

// row draws openings side by side.
func (v *view) row(x, y, high float64, e *Entry) {
	n, wide := 0, 0.0
	for i := range e.Openings {
		n += max(e.Openings[i].Count, 1)
		wide += float64(e.Openings[i].Width) * float64(max(e.Openings[i].Count, 1)) * v.metre
	}
	const least = 3
	shrink := min(1, (v.wide-least*float64(n+1))/wide) // those behind one another are drawn side by side
	gap := (v.wide - wide*shrink) / float64(n+1)
	x += gap
	for i := range e.Openings {
		w := float64(e.Openings[i].Width) * v.metre * shrink
		for range max(e.Openings[i].Count, 1) {
			v.opening(pen.Rect(x, y, x+w, y+high), e, pen.Rect(x, y, x+w*min(e.share(), 1), y+high))
			x += w + gap
		}
	}
}

// managers draws a cable manager at each side, all of which carry alike.
func (v *view) managers(x float64, e *Entry) {
	wide := v.left - x - 6
	if wide < 6 {
		return
	}
	n := 0
	for i := range e.Openings {
		n += max(e.Openings[i].Count, 1)
	}
	for _, left := range []float64{x + 3, v.right + 3}[:min(n, 2)] {
		top, bottom := v.at(v.part.hi), v.at(v.part.lo-1)
		v.opening(pen.Rect(left, top, left+wide, bottom), e,
			pen.Rect(left, bottom-(bottom-top)*min(e.share(), 1), left+wide, bottom))
	}
}

// opening draws one, with the share of it that is full.
func (v *view) opening(b pen.Box, e *Entry, full pen.Box) {
	v.c.Fill(b, palette.White)
	if e.share() > 0 {
		v.c.Fill(full, e.fill())
	}
	v.c.Frame(b, 1, palette.Outline)
}

// words returns two lines about the openings, short enough for the list: the cables and where they are, and their
// cross-section against the limit.
func (e *Entry) words() (first, second string) {
	where := string(e.At())
	if e.At() == catalog.AtManager {
		where = "managers"
	}
	least := ""
	if e.Bare > 0 {
		least = "at least "
	}
	return english.Count(e.Cables, "cable") + ", " + where,
		fmt.Sprintf("%s%s of %s mm2, %.0f %%", least, inMM2(e.Area), inMM2(e.Limit), 100*e.share())
}

func inMM2(a units.Area) string { return english.Grouped(int64(math.Round(float64(a)))) }
