package machine

import (
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/budget"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

const (
	// mostEmpty is the most rack positions of a room all of which are laid out, however few boxes stand there.
	mostEmpty = 1 << 13
	// emptyPerBox is how many positions for each box are laid out of a larger room.
	emptyPerBox = 8
)

// positionNeed is what a rack position takes in drawings and tables, as it was measured on an empty room of 250,000.
var positionNeed = budget.Need{Bytes: 2500, Seconds: 40e-6}

// cropRoom leaves rows and positions out of a room that has many more than boxes could ever take: they would only cost
// time and memory. A room in which something refers to positions stays as it is.
func (r *resolved) cropRoom() {
	s, room, e := r.room, &r.spec.Room, &r.spec.Embedding
	if s == nil || s.Rows == 0 || s.PerRow == 0 || s.List != nil || s.Rows > layout.MaxPlaces/s.PerRow {
		return
	}
	boxes := topology.Vertices(r.graph)
	if s.Rows*s.PerRow <= max(mostEmpty, 2*emptyPerBox*boxes) {
		return
	}
	named := len(r.pins) > 0 || len(r.moved) > 0 || len(e.Apart) > 0 || len(e.Contiguous) > 0 ||
		len(room.Feeds) > 0 || len(room.Halls) > 0 || room.Drawing != nil || r.spec.Owned != nil ||
		len(s.Trays.Cross) > 0 || len(s.Trays.Paths) > 0
	if named {
		return
	}
	wanted := emptyPerBox * boxes
	for side := math.Sqrt(float64(wanted)); ; side *= 1.5 {
		small := *s
		small.PerRow = min(s.PerRow, int(math.Ceil(side)))
		small.Rows = min(s.Rows, max(int(math.Ceil(side)), wanted/small.PerRow+1))
		if s.RowPower > 0 || s.RowWeight > 0 { // a row may bear a single rack
			small.Rows = min(s.Rows, max(small.Rows, boxes))
		}
		small.Gaps = nil
		for _, g := range s.Gaps {
			if g.After < small.PerRow {
				small.Gaps = append(small.Gaps, g)
			}
		}
		complete := small.Complete()
		if small.Rows == s.Rows && small.PerRow == s.PerRow {
			return
		}
		if len(complete.Survey().Places) < wanted/2 { // columns and keep-outs stand in them
			continue
		}
		r.cropped = fmt.Sprintf("of the %s rack positions of the room, %d rows of %d are laid out; the others "+
			"stay free",
			english.Grouped(int64(s.Rows)*int64(s.PerRow)), small.Rows, small.PerRow)
		r.room = &small
		return
	}
}
