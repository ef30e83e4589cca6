package routing

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// maxTable is the most bytes of a table.
const maxTable = 4 << 30

// distances knows which neighbours are nearer to a destination. In an undirected
// graph the distances of neighbours differ by one at most, so distances modulo 3
// suffice: two bits for each pair of a router and a destination, in two planes
// that hold 64 destinations a word. With links of one direction a neighbour may
// be farther by more, which is why then there is a plane of "exactly one less"
// bits for each channel instead. Destinations are the routers that packets are
// sent to.
type distances struct {
	net      *Network
	column   []int32 // of each router as a destination, -1
	columns  int
	planes   [2][]uint64 // word b*routers + r: distances from r to destinations 64b ...
	nearer   []uint64    // word b*channels + c; nil for undirected graphs
	reached  []uint64    // word b*routers + r: whether there is a path
	diameter int
}

// newDistances finds the distances to all routers listed, the destinations, by searches backwards, 64 at a time. The
// error says that the table would be too large.
func newDistances(n *Network, to []int32) (*distances, error) {
	d := &distances{net: n, column: make([]int32, n.Routers()), columns: len(to)}
	for r := range d.column {
		d.column[r] = -1
	}
	for i, r := range to {
		d.column[r] = int32(i)
	}
	directed := n.Ends != nil // a terminal may be nearer than its router by more than one
	for _, r := range n.Reverse {
		directed = directed || r < 0
	}
	blocks := (len(to) + 63) / 64
	cells := int64(blocks) * int64(n.Routers())
	bytes := cells * 24
	if directed {
		bytes = int64(blocks)*int64(n.Channels())*8 + cells*8
	}
	if bytes > maxTable {
		return nil, fmt.Errorf("a table for %d routers and %d destinations takes %d MiB; %d MiB at most: choose a "+
			"routing that needs none", n.Routers(), len(to), bytes>>20, maxTable>>20)
	}
	d.reached = make([]uint64, cells)
	if directed {
		d.nearer = make([]uint64, blocks*n.Channels())
	} else {
		d.planes = [2][]uint64{make([]uint64, cells), make([]uint64, cells)}
	}
	most := make([]int, blocks)
	searches := make([]*search, parallel.Cores(blocks))
	for i := range searches {
		searches[i] = &search{cur: make([]uint64, n.Routers()), nxt: make([]uint64, n.Routers())}
	}
	err := parallel.With(context.Background(), searches, blocks, func(_ context.Context, s *search, b int) error {
		most[b] = d.search(s, b, to[64*b:min(64*b+64, len(to))])
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, m := range most {
		d.diameter = max(d.diameter, m)
	}
	return d, nil
}

// search is the space of one search.
type search struct{ cur, nxt []uint64 }

// search fills in block b and returns the greatest distance.
func (d *distances) search(s *search, b int, to []int32) int {
	n := d.net
	routers := n.Routers()
	seen := d.reached[b*routers : (b+1)*routers]
	clear(s.cur)
	for i, r := range to {
		if n.DeadRouter == nil || !n.DeadRouter[r] {
			s.cur[r] |= 1 << i
			seen[r] |= 1 << i
		}
	}
	for depth := 1; ; depth++ {
		any := uint64(0)
		for r := range routers {
			var fresh uint64
			for c := n.First[r]; c < n.First[r+1]; c++ {
				next := n.To[c]
				if x := s.cur[next]; x != 0 && n.Works(c) {
					if n.Ends != nil && n.Ends[next] { // it passes nothing on
						x &= d.own(b, next)
					}
					fresh |= x
				}
			}
			fresh &^= seen[r]
			s.nxt[r] = fresh
			any |= fresh
		}
		if any == 0 {
			return depth - 1
		}
		for r, fresh := range s.nxt {
			if fresh == 0 {
				continue
			}
			seen[r] |= fresh
			d.set(b, r, depth, fresh, s.cur)
		}
		s.cur, s.nxt = s.nxt, s.cur
	}
}

// own is the bit of a router as a destination of block b.
func (d *distances) own(b int, r int32) uint64 {
	if c := int(d.column[r]); c >= 0 && c/64 == b {
		return 1 << (c % 64)
	}
	return 0
}

// set records that router r is at a distance from the destinations of fresh; cur
// holds the routers one nearer.
func (d *distances) set(b, r, depth int, fresh uint64, cur []uint64) {
	n := d.net
	if d.nearer == nil {
		i := b*n.Routers() + r
		if depth%3 == 1 {
			d.planes[0][i] |= fresh
		} else if depth%3 == 2 {
			d.planes[1][i] |= fresh
		}
		return
	}
	row := d.nearer[b*n.Channels() : (b+1)*n.Channels()]
	for c := n.First[r]; c < n.First[r+1]; c++ {
		if n.Works(c) {
			x := fresh & cur[n.To[c]]
			if n.Ends != nil && n.Ends[n.To[c]] {
				x &= d.own(b, n.To[c])
			}
			row[c] |= x
		}
	}
}

// has reports whether there is a path.
func (d *distances) has(at, to int32) bool {
	c := int(d.column[to])
	return c >= 0 && d.reached[c/64*d.net.Routers()+int(at)]>>(c%64)&1 != 0
}

// channels appends the working channels out of a router that lead nearer to a destination, by rising number; none where
// there is no path, or the router is not among the destinations.
func (d *distances) channels(at, to int32, out []int32) []int32 {
	n := d.net
	col := int(d.column[to])
	if col < 0 {
		return out
	}
	b, bit := col/64, uint(col%64)
	if d.nearer != nil {
		row := d.nearer[b*n.Channels() : (b+1)*n.Channels()]
		for c := n.First[at]; c < n.First[at+1]; c++ {
			if row[c]>>bit&1 != 0 {
				out = append(out, c)
			}
		}
		return out
	}
	row := b * n.Routers()
	ones, twos := d.planes[0][row:row+n.Routers()], d.planes[1][row:row+n.Routers()]
	reached := d.reached[row : row+n.Routers()]
	if reached[at]>>bit&1 == 0 {
		return out
	}
	// one less, modulo 3
	var wantOne, wantTwo uint64
	switch {
	case ones[at]>>bit&1 != 0:
	case twos[at]>>bit&1 != 0:
		wantOne = 1
	default:
		wantTwo = 1
	}
	for c := n.First[at]; c < n.First[at+1]; c++ {
		r := n.To[c]
		if ones[r]>>bit&1 != wantOne || twos[r]>>bit&1 != wantTwo || reached[r]>>bit&1 == 0 || !n.Works(c) {
			continue
		}
		if n.Ends != nil && n.Ends[r] && r != to {
			continue
		}
		out = append(out, c)
	}
	return out
}

// HopCount counts the hops of a minimal path, -1 if there is none or the second router is not among the destinations.
func (d *distances) HopCount(from, to int32) int {
	if !d.has(from, to) {
		return -1
	}
	n := 0
	var space [1]int32
	for from != to {
		next := d.first(from, to, space[:0])
		from = d.net.To[next]
		n++
	}
	return n
}

func (d *distances) first(at, to int32, space []int32) int32 {
	var more [64]int32
	return d.channels(at, to, append(more[:0], space...))[0]
}
