package embed

import (
	"slices"

	"github.com/plenum-planner/plenum/layout"
)

// order is how strictly racks of a group are kept together when racks get their positions.
type order uint8

const (
	// anywhere: racks only need a free place.
	anywhere order = iota
	// wholeRows: network racks have rows of their own, and a group that fits into a row is in one row.
	wholeRows
	// tidy: moreover, a group that fits into a section of a row between two gaps is in one section.
	tidy
)

// assign returns the rack position of every rack: racks of templates first, then those of blocks, then the others. It
// reports whether all found one.
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
	for i := range free { // also those of blocks, for racks of these
		free[i] = true
	}
	fl.tooClose = !fl.keepApart(room, places, free)
	return places, !fl.tooClose
}

// assignPart gives every rack of the floor's block (0: of no block) one of the free positions, by Problem.Fill, and
// reports whether all found one.
func (fl *floor) assignPart(room *layout.Room, free []bool, places []int32, how order) bool {
	if fl.p.Fill != FillByGroups {
		return fl.assignInTurn(room, free, places)
	}
	return fl.assignTo(room, free, places, how)
}

// assignTo gives every rack of the floor's block one of the free positions: network racks first, then those at the ends
// and in the middle of rows, then the others group by group. It reports whether all found one.
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
	case Groups, RackPairs, Pods: // there and back, so that what follows is near
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
