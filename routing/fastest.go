package routing

import (
	"context"
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// fastest follows one path of the least sum of weights, such as the latencies of
// links, for each pair of routers, and of these one with the fewest hops: what
// BookSim's anynet does.
//
// No deadlock: the class is the number of hops made, as in minimal.
type fastest struct {
	undecided
	net     *Network
	row     []int32  // of each router as a destination
	next    []uint16 // channel of a router towards a destination, from its first one on
	routers int
	classes int
}

const nowhere = math.MaxUint16

// newFastest searches backwards from every router with terminals (E. W. Dijkstra,
// Numerische Mathematik 1, 1959, with a bucket for each sum, R. B. Dial, CACM 12
// (11), 1969).
func newFastest(n *Network, opt Options) (Function, error) {
	to := homes(n)
	if bytes := int64(n.Routers()) * int64(len(to)) * 2; bytes > maxTable {
		return nil, fmt.Errorf("a table for %d routers and %d destinations takes %d MiB; %d MiB at most", n.Routers(),
			len(to), bytes>>20, maxTable>>20)
	}
	most := int32(1)
	for _, w := range opt.Weights {
		if w < 0 || w > 1<<22 {
			return nil, fmt.Errorf("a weight of %d; from 0 to %d", w, 1<<22)
		}
		most = max(most, w)
	}
	f := &fastest{
		net: n, routers: n.Routers(), row: make([]int32, n.Routers()),
		next: make([]uint16, n.Routers()*len(to)),
	}
	for r := range f.row {
		f.row[r] = -1
	}
	for i, r := range to {
		f.row[r] = int32(i)
	}
	weight := make([]int32, n.Channels())
	for c, l := range n.Link {
		weight[c] = 1
		if len(opt.Weights) > 0 {
			weight[c] = max(opt.Weights[l], 1)
		}
	}
	searches := make([]*dial, parallel.Cores(len(to)))
	for i := range searches {
		searches[i] = newDial(n.Routers(), most)
	}
	longest := make([]int32, len(to))
	err := parallel.With(context.Background(), searches, len(to), func(_ context.Context, s *dial, i int) error {
		longest[i] = s.search(n, to[i], weight, f.next[i*f.routers:(i+1)*f.routers])
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, hops := range longest {
		f.classes = max(f.classes, int(hops), 1)
	}
	if f.classes > 255 {
		return nil, fmt.Errorf("paths of %d hops need as many virtual channels; 255 at most", f.classes)
	}
	return f, nil
}

// dial is the state of a search.
type dial struct {
	dist, hops []int32
	buckets    [][]int32 // routers by distance, modulo their number
}

func newDial(routers int, most int32) *dial {
	return &dial{dist: make([]int32, routers), hops: make([]int32, routers), buckets: make([][]int32, most+1)}
}

// search fills in the channels towards a destination and returns the most hops.
func (s *dial) search(n *Network, to int32, weight []int32, next []uint16) int32 {
	for r := range s.dist {
		s.dist[r], next[r] = math.MaxInt32, nowhere
	}
	if n.DeadRouter != nil && n.DeadRouter[to] {
		return 0
	}
	s.dist[to], s.hops[to] = 0, 0
	s.buckets[0] = append(s.buckets[0], to)
	waiting, most := 1, int32(0)
	for d := int32(0); waiting > 0; d++ {
		slot := int(d) % len(s.buckets)
		for i := 0; i < len(s.buckets[slot]); i++ {
			r := s.buckets[slot][i]
			waiting--
			if s.dist[r] != d || n.Ends != nil && n.Ends[r] && r != to {
				continue
			}
			most = max(most, s.hops[r])
			for _, c := range n.Into(r) {
				from := n.From[c]
				sum, hops := d+weight[c], s.hops[r]+1
				if !n.Works(c) || sum > s.dist[from] || sum == s.dist[from] && hops >= s.hops[from] {
					continue
				}
				if sum < s.dist[from] {
					b := int(sum) % len(s.buckets)
					s.buckets[b] = append(s.buckets[b], from)
					waiting++
				}
				s.dist[from], s.hops[from], next[from] = sum, hops, uint16(c-n.First[from])
			}
		}
		s.buckets[slot] = s.buckets[slot][:0]
	}
	for r := range next {
		if next[r] != nowhere {
			most = max(most, s.hops[r])
		}
	}
	return most
}

func (f *fastest) Name() string { return "fastest" }
func (f *fastest) Classes() int { return f.classes }

// SinglePath implements the interface of that name.
func (f *fastest) SinglePath() bool { return true }

func (f *fastest) Next(h *Header, at int32, _ *State, hops []Hop) []Hop {
	i := f.row[h.Goal]
	if i < 0 {
		return hops
	}
	port := f.next[int(i)*f.routers+int(at)]
	if port == nowhere {
		return hops
	}
	return append(hops, Hop{Channel: f.net.First[at] + int32(port), Class: uint8(min(int(h.Hops), f.classes-1))})
}
