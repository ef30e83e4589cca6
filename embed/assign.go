package embed

import (
	"slices"

	"github.com/plenum-planner/plenum/layout"
)

// order is how strictly racks of a group are kept together when racks get their positions.
type order uint8

const (
	// anywhere: racks need no more than a free position of their type in a row that can bear them.
	anywhere order = iota
	// wholeRows: network racks have rows of their own, if there are rows enough, all positions are free and the room
	// has no types of racks; a group that does not fit into the rest of a row starts the next row if it fits there.
	wholeRows
	// tidy: moreover, a group starts at the next section of a row between two gaps that has room for all of it, if
	// there is one. The strategy Hilbert takes tidy as wholeRows.
	tidy
)

// assign returns the position in room.Places of every rack, by rack: racks of templates with stated positions first,
// then those of blocks, then the others. It reports whether all found one and the anti-affinity rules hold. If it
// fails on an anti-affinity rule, tooClose is true; if it fails on a block without rows, cramped is that block.
func (fl *floor) assign(room *layout.Room, how order) ([]int32, bool) {
	free := make([]bool, len(room.Places))
	for i := range free {
		free[i] = true
	}
	places := make([]int32, len(fl.f.racks))
	fl.tooClose = false
	ok := fl.assignFixed(room, free, places) && fl.assignBlocks(room, free, places, how) &&
		fl.assignPart(room, free, places, how)
	if !ok || fl.p.Fill != FillByGroups {
		return places, ok
	}
	for i := range free { // keepApart also moves racks of blocks, within their rows
		free[i] = true
	}
	fl.tooClose = !fl.keepApart(room, places, free)
	return places, !fl.tooClose
}

// assignPart gives every rack of the floor's block (0: of no block) one of the free positions, by Problem.Fill, except
// racks of templates with stated positions. It reports whether all found one; with a Fill other than FillByGroups, also
// whether the anti-affinity rules hold.
func (fl *floor) assignPart(room *layout.Room, free []bool, places []int32, how order) bool {
	if fl.p.Fill != FillByGroups {
		return fl.assignInTurn(room, free, places)
	}
	return fl.assignTo(room, free, places, how)
}

// assignTo gives every rack of the floor's block one of the free positions, except racks of templates with stated
// positions: network racks first, then those at the ends and in the middle of rows, then the others group by group. It
// writes the positions to places, does not change free, and reports whether all racks found one.
func (fl *floor) assignTo(room *layout.Room, free []bool, places []int32, how order) bool {
	taken, positions := make([]bool, len(room.Places)), 0
	for i, is := range free {
		if taken[i] = !is; is {
			positions++
		}
	}
	var network, ends, middles []int32
	for i := range fl.f.racks {
		if fl.f.racks[i].home.block != fl.block || fl.f.placedTemplate(int32(i)) != nil {
			continue
		}
		switch fl.f.racks[i].home.class {
		case NetworkRow:
			network = append(network, int32(i))
		case EndOfRow:
			ends = append(ends, int32(i))
		case MiddleOfRow:
			middles = append(middles, int32(i))
		}
	}
	inRows := len(ends) + len(middles) + len(fl.inRack)
	if positions < len(network)+inRows {
		return false
	}
	whole := how >= wholeRows && positions == len(room.Places) && len(room.Spec.Types) == 0
	own := make([]bool, len(room.Rows))
	for _, racks := range fl.byType(network) {
		if own = fl.placeNetworkRacks(room, racks, places, taken, whole); own == nil {
			return false
		}
	}
	spread := newSpreader(room, places, taken, own, inRows)
	if !fl.distributeRacks(spread, ends, false) || !fl.distributeRacks(spread, middles, true) {
		return false
	}
	rows := freeByRow(room, taken, own)
	if how == anywhere {
		rows = freeByRow(room, taken, nil)
	}
	switch fl.p.EffectiveStrategy() {
	case Hilbert:
		free := slices.Concat(rows...)
		alongHilbert(free, func(i int32) layout.Point { return layout.Point{X: room.Places[i].X, Y: room.Places[i].Y} })
		rows = [][]int32{free}
		how = min(how, wholeRows)
	case Groups, RackPairs, Pods: // there and back: the first rack of a row is near the last of the row before
		for i, row := range rows {
			if i%2 == 1 {
				slices.Reverse(row)
			}
		}
	}
	w := &rowFiller{
		room: room, racks: fl.f.racks, rows: rows, places: places, how: how,
		load: make([]rowLoad, len(room.Rows)),
	}
	for _, list := range [][]int32{network, ends, middles} {
		for _, r := range list {
			w.load[room.Places[places[r]].Row].add(&fl.f.racks[r].state)
		}
	}
	ok := w.placeGroup(fl, 0, len(fl.inRack), len(fl.groups))
	if !ok && how == anywhere && len(room.Spec.Types) > 0 {
		ok = w.placeUngrouped(fl)
	}
	fl.placed = w.placed
	return ok
}
