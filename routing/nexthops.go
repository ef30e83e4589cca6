package routing

import (
	"context"
	"math/bits"

	"github.com/plenum-planner/plenum/internal/bigarray"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/internal/splitmix"
)

// nextHops is the one channel of a minimal path for each pair of a router and a destination, as its number from the
// router's first channel on. The distances of all neighbours tell the same, but to look at them takes the longer the
// more channels a router has.
type nextHops struct {
	*distances
	ports []uint8 // of destination i at router r: r*columns + i
}

// none stands for no channel.
const none uint8 = 255

// maxNext is the most bytes of all rows. Up to sparse neighbours are looked at as fast as a row.
const maxNext, sparse = 1 << 29, 4

// worthNextHops reports whether next hops are faster than the distances of neighbours, and small enough.
func worthNextHops(n *Network, columns int) bool {
	most := int32(0)
	for r := range n.Routers() {
		most = max(most, n.First[r+1]-n.First[r])
	}
	return most > sparse && most < int32(none) && int64(n.Routers())*int64(columns) <= maxNext
}

// newNextHops finds the channels towards 64 destinations at a time, those of to, the columns of d.
func newNextHops(d *distances, to []int32) (*nextHops, error) {
	t := &nextHops{distances: d, ports: bigarray.Make[uint8](d.net.Routers() * d.columns)}
	blocks := (d.columns + 63) / 64
	err := parallel.With(context.Background(), make([][]uint64, parallel.Cores(blocks)), blocks,
		func(_ context.Context, nearer []uint64, b int) error {
			last := min(64*b+64, d.columns)
			for at := range int32(d.net.Routers()) {
				nearer = d.nearerTo(at, b, nearer[:0])
				row := t.ports[int(at)*d.columns:]
				choosePorts(at, nearer, to[64*b:last], row[64*b:last])
			}
			return nil
		})
	return t, err
}

// choosePorts sets the ports of a router towards the destinations of a block, given which of these each of its channels
// leads nearer to.
func choosePorts(at int32, nearer []uint64, to []int32, ports []uint8) {
	var once, twice uint64
	for _, mask := range nearer {
		twice |= once & mask
		once |= mask
	}
	for i := range ports {
		ports[i] = none
	}
	for c, mask := range nearer {
		for mask &^= twice; mask != 0; mask &= mask - 1 {
			ports[bits.TrailingZeros64(mask)] = uint8(c)
		}
	}
	for ; twice != 0; twice &= twice - 1 {
		i := bits.TrailingZeros64(twice)
		several := 0
		for _, mask := range nearer {
			several += int(mask >> i & 1)
		}
		several = pick(at, to[i], several)
		for c, mask := range nearer {
			if mask>>i&1 == 0 {
				continue
			}
			if several == 0 {
				ports[i] = uint8(c)
				break
			}
			several--
		}
	}
}

// pick is which of several channels from a router towards another the one path takes.
func pick(at, to int32, channels int) int {
	return int(splitmix.First(uint64(at)<<32|uint64(uint32(to))) % uint64(channels))
}

// channel is the one to take from a router towards another, -1 if there is none.
func (t *nextHops) channel(at, to int32) int32 {
	column := t.column[to]
	if column < 0 {
		return -1
	}
	if port := t.ports[int(at)*t.columns+int(column)]; port != none {
		return t.net.First[at] + int32(port)
	}
	return -1
}

// look reads the entry that channel will read.
func (t *nextHops) look(goal, at int32) int32 {
	return int32(t.ports[int(at)*t.columns+int(max(t.column[goal], 0))])
}

// nearerTo appends, for each channel out of a router, the bits of the destinations of a block that it leads nearer to.
func (d *distances) nearerTo(at int32, block int, nearer []uint64) []uint64 {
	n := d.net
	first, last := n.First[at], n.First[at+1]
	if d.nearer != nil {
		row := d.nearer[block*n.Channels():]
		return append(nearer, row[first:last]...)
	}
	from, to := block*n.Routers(), (block+1)*n.Routers()
	one, two, reached := d.planes[0][from:to], d.planes[1][from:to], d.reached[from:to]
	ones, twos := one[at], two[at]
	zeros := reached[at] &^ (ones | twos)
	for c := first; c < last; c++ {
		mask := uint64(0)
		if n.Works(c) {
			r := n.To[c]
			x, y := one[r], two[r]
			mask = (ones&^(x|y) | twos&x | zeros&y) & reached[r]
		}
		nearer = append(nearer, mask)
	}
	return nearer
}
