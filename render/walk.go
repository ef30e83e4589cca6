package render

import (
	"cmp"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/layout"
)

// WalkEnd is an end of a link and where an installer finds it.
type WalkEnd struct {
	Rack   int32 // number of the rack, or container, in the order of the room; -1 where there is none
	Unit   int   // 0 where there is none
	Vertex int32
	Port   uint16
}

// Compare orders ends as an installer walks: row by row, rack by rack, from the top of a rack down, by port.
func (e WalkEnd) Compare(other WalkEnd) int {
	return cmp.Or(cmp.Compare(e.Rack, other.Rack), cmp.Compare(other.Unit, e.Unit),
		cmp.Compare(e.Vertex, other.Vertex), cmp.Compare(e.Port, other.Port))
}

// WalkEnds returns both ends of a segment, first the one in the first of its racks, or the upper one where both are in
// one rack. The slots must be those of the placement, with the panels, and the segment must join two of them.
func WalkEnds(l *layout.Layout, slots []int32, seg *cabling.Segment) (first, last WalkEnd) {
	at := func(v int32, port uint16) WalkEnd {
		return WalkEnd{l.Container(l.Stands(), slots[v]), l.Unit(slots[v]), v, port}
	}
	first, last = at(seg.A, seg.PortA), at(seg.B, seg.PortB)
	if last.Rack < first.Rack || last.Rack == first.Rack && last.Unit > first.Unit {
		return last, first
	}
	return first, last
}
