package embed

import (
	"slices"

	"github.com/plenum-planner/plenum/layout"
)

// spreader places racks at the ends or in the middle of rows that other racks fill.
type spreader struct {
	room   *layout.Room
	places []int32 // position of each rack: the result
	taken  []bool  // positions that are taken
	own    []bool  // rows that are for network racks alone
	used   int     // number of the other rows that will be in use
}

// newSpreader returns a spreader for the first rows that have room for the given number of racks, which includes those
// to be placed at ends and middles.
func newSpreader(room *layout.Room, places []int32, taken, own []bool, racks int) *spreader {
	s := &spreader{room: room, places: places, taken: taken, own: own}
	have := 0
	for _, row := range freeByRow(room, taken, own) {
		if have >= racks {
			break
		}
		have += len(row)
		s.used++
	}
	return s
}

// distributeType distributes racks of type `of` evenly over the rows that will be in use, at the end of each or in its
// middle. Racks for which rows are too short get the first free positions. It reports whether there was room for all.
func (s *spreader) distributeType(racks []int32, middle bool, of int) bool {
	left := racks
	stand := func(place int32) {
		s.places[left[0]], s.taken[place] = place, true
		left = left[1:]
	}
	for i, row := range freeByRow(s.room, s.taken, s.own)[:s.used] {
		row = slices.DeleteFunc(row, func(place int32) bool { return s.room.Places[place].Type != of })
		quota := min((len(left)+s.used-i-1)/(s.used-i), len(row)) // what is left, spread over the rows that are left
		first := len(row) - quota
		if middle {
			first /= 2
		}
		for k := range quota {
			if !middle {
				k = quota - 1 - k // the first at the very end
			}
			stand(row[first+k])
		}
	}
	for i := range s.room.Places { // rows too short for their share
		if len(left) > 0 && !s.taken[i] && s.room.Places[i].Type == of {
			stand(int32(i))
		}
	}
	return len(left) == 0
}
