package render

import (
	"context"
	"math"
	"slices"

	"plenum/cabling"
	"plenum/layout"
	"plenum/machine"
)

// usage is the number of cables on every piece of the trays of a room.
type usage struct {
	stops []float64 // along x, of every row: above the racks and at the cross trays
	rows  [][]int64 // rows[r][i]: cables on row r between stops i and i+1
	cross [][]int64 // cross[c][r]: cables on cross tray c between rows r and r+1
	most  int64
}

// stopTolerance is far less than racks and trays are apart, in metres.
const stopTolerance = 1e-6

// trayUsage counts the cables of a schedule along their ways. It is nil for a
// plan without a schedule, and where cables do not run on trays.
func trayUsage(ctx context.Context, r *machine.Result) (*usage, error) {
	room, s := r.Room(), r.Schedule
	if s.Segments == nil || !onTrays(r) {
		return nil, nil
	}
	u := &usage{stops: slices.Clone(room.Trays.Crosses)}
	for _, p := range room.Places {
		if len(u.stops) == 0 || u.stops[len(u.stops)-1] != p.X {
			u.stops = append(u.stops, p.X)
		}
	}
	slices.Sort(u.stops)
	u.stops = slices.CompactFunc(u.stops, func(a, b float64) bool { return math.Abs(a-b) < stopTolerance })
	for range room.Rows {
		u.rows = append(u.rows, make([]int64, len(u.stops)+1))
	}
	for range room.Trays.Crosses {
		u.cross = append(u.cross, make([]int64, len(room.Rows)+1))
	}
	pairs := rackPairs(s)
	for i := 0; i < len(pairs); {
		j := i
		for j < len(pairs) && pairs[j] == pairs[i] {
			j++
		}
		u.add(room, room.Trays.Way(pairs[i][0], pairs[i][1]), int64(j-i))
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		i = j
	}
	u.sum()
	return u, nil
}

func onTrays(r *machine.Result) bool { return r.Spec.Cabling.Route == machine.Tray }

// rackPairs lists the racks of the two ends of every cable between racks, in
// order.
func rackPairs(s *cabling.Schedule) [][2]int32 {
	var pairs [][2]int32
	l, slot := s.Placement.Layout, s.Placement.Slot
	legs := s.Legs()
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		if leg := legs.Next(seg); leg > 1 && (leg-1)%s.Products[seg.Product].PerPlug() != 0 {
			return true // in the jacket of another link
		}
		a, b := l.Container(layout.RackLevel, slot[seg.A]), l.Container(layout.RackLevel, slot[seg.B])
		if a != b {
			pairs = append(pairs, [2]int32{min(a, b), max(a, b)})
		}
		return true
	})
	slices.SortFunc(pairs, func(x, y [2]int32) int {
		if x[0] != y[0] {
			return int(x[0]) - int(y[0])
		}
		return int(x[1]) - int(y[1])
	})
	return pairs
}

// add puts n cables on a way. Until sum, the counts are differences from piece
// to piece.
func (u *usage) add(room *layout.Room, way []layout.Segment, n int64) {
	for _, piece := range way {
		from, to := rowAt(room, piece.From.Y), rowAt(room, piece.To.Y)
		counts, i, j := u.rows[from], u.stop(piece.From.X), u.stop(piece.To.X)
		if from != to {
			cross := nearest(len(room.Trays.Crosses), piece.From.X, func(i int) float64 { return room.Trays.Crosses[i] })
			counts, i, j = u.cross[cross], from, to
		}
		counts[min(i, j)] += n
		counts[max(i, j)] -= n
	}
}

func (u *usage) stop(x float64) int {
	return nearest(len(u.stops), x, func(i int) float64 { return u.stops[i] })
}

func rowAt(room *layout.Room, y float64) int {
	return nearest(len(room.Rows), y, func(i int) float64 { return room.Rows[i].Y })
}

// nearest returns which of n ascending values is at v.
func nearest(n int, v float64, value func(i int) float64) int {
	lo, hi := 0, n-1
	for lo < hi {
		mid := (lo + hi) / 2
		if value(mid) < v-stopTolerance {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// sum turns differences into counts.
func (u *usage) sum() {
	for _, lines := range [][][]int64{u.rows, u.cross} {
		for _, line := range lines {
			n := int64(0)
			for i := range line {
				n += line[i]
				line[i] = n
				u.most = max(u.most, n)
			}
		}
	}
}
