package solid

import (
	"math"
	"math/bits"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// lanes keeps bundles on one tray beside and above each other: each takes the first lane that is free on all pieces of
// its way.
type lanes struct {
	b     *builder
	taken [][]uint64 // of each piece: a bit for each lane
	pitch float64    // that of the thickest bundle
	used  []uint64
}

func newLanes(b *builder) *lanes {
	l := &lanes{b: b, pitch: thinnest}
	s := b.r.Schedule
	if s.Trays == nil {
		return l
	}
	l.taken = make([][]uint64, s.Trays.Network.Pieces())
	for i := range s.Bundles {
		l.pitch = max(l.pitch, float64(s.Bundles[i].Diameter()))
	}
	return l
}

// takeLane takes the lowest lane that is free on all pieces of a route, and returns its position across the tray, from
// the middle, and above the bottom.
func (l *lanes) takeLane(level int, legs []layout.TrayLeg) (across, up units.Length) {
	clear(l.used)
	for _, leg := range legs {
		leg.Pieces(func(piece int32) {
			for i, word := range l.taken[piece] {
				if i == len(l.used) {
					l.used = append(l.used, 0)
				}
				l.used[i] |= word
			}
		})
	}
	lane := 64 * len(l.used)
	for i, word := range l.used {
		if word != math.MaxUint64 {
			lane = 64*i + bits.TrailingZeros64(^word)
			break
		}
	}
	for _, leg := range legs {
		leg.Pieces(func(piece int32) {
			for len(l.taken[piece]) <= lane/64 {
				l.taken[piece] = append(l.taken[piece], 0)
			}
			l.taken[piece][lane/64] |= 1 << (lane % 64)
		})
	}
	width, _ := l.b.section(level)
	columns := max(1, int((width-2*metal)/l.pitch))
	column := lane % columns // from the middle outwards, at both sides in turn
	side := float64((column + 1) / 2)
	if column%2 == 1 {
		side = -side
	}
	if columns%2 == 0 {
		side += 0.5
	}
	return units.Length(side * l.pitch), units.Length(metal + l.pitch*(float64(lane/columns)+0.5))
}
