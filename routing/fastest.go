package routing

import (
	"context"
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// fastest follows one path for each pair of routers: that of the least sum of Options.Delay, and of these one with the
// fewest hops; or, minimal, of the paths with the fewest hops that of the least sum. Where several are left, the pair
// decides.
//
// No deadlock: the class is the number of hops made, as in minimal, or there is one class for the minimal paths of a
// tree.
type fastest struct {
	undecided
	net      *Network
	name     string
	row      []int32  // of each router as a destination
	next     []uint16 // channel of a router towards a destination, from its first one on
	routers  int
	layering layering
	classes  int
}

const nowhere = math.MaxUint16

// delayBits is how finely delays count: in 2^-20 of their unit.
const delayBits = 20

// newFastest searches backwards from every router with terminals (E. W. Dijkstra, Numerische Mathematik 1, 1959).
func newFastest(n *Network, opt Options, minimal bool) (Function, error) {
	to := homes(n)
	if bytes := int64(n.Routers()) * int64(len(to)) * 2; bytes > maxTable {
		return nil, fmt.Errorf("a table for %d routers and %d destinations takes %d MiB; %d MiB at most", n.Routers(),
			len(to), bytes>>20, maxTable>>20)
	}
	over, err := channelCosts(n, opt.Delay, minimal)
	if err != nil {
		return nil, err
	}
	f := &fastest{
		net: n, name: "fastest", routers: n.Routers(), row: make([]int32, n.Routers()),
		next: make([]uint16, n.Routers()*len(to)),
	}
	for r := range f.row {
		f.row[r] = -1
	}
	for i, r := range to {
		f.row[r] = int32(i)
	}
	searches := make([]*backwards, parallel.Cores(len(to)))
	for i := range searches {
		searches[i] = &backwards{net: n, minimal: minimal, over: over, cost: make([]cost, n.Routers())}
	}
	longest := make([]int64, len(to))
	err = parallel.With(context.Background(), searches, len(to), func(_ context.Context, s *backwards, i int) error {
		s.search(to[i])
		longest[i] = s.choose(to[i], f.next[i*f.routers:(i+1)*f.routers])
		return nil
	})
	if err != nil {
		return nil, err
	}
	hops := int64(1)
	for _, h := range longest {
		hops = max(hops, h)
	}
	if minimal {
		f.name = "fastest-minimal"
		f.layering, f.classes, err = layersOf(n, int(hops))
		return f, err
	}
	if f.layering, f.classes = byHops, int(hops); hops > 255 {
		return nil, fmt.Errorf("the fastest paths have up to %d hops and need as many virtual channels; 255 at most: "+
			"fastest-minimal has the fewest hops", hops)
	}
	return f, nil
}

// cost is what a search makes as small as possible: delay and then hops, or hops and then delay.
type cost struct{ first, second int64 }

var unreached = cost{first: math.MaxInt64}

func (c cost) below(d cost) bool {
	return c.first < d.first || c.first == d.first && c.second < d.second
}

func (c cost) plus(d cost) cost { return cost{c.first + d.first, c.second + d.second} }

// channelCosts is the cost of every channel.
func channelCosts(n *Network, delay func(link, vertex int32) float64, minimal bool) ([]cost, error) {
	out := make([]cost, n.Channels())
	most := math.Ldexp(1, 62-delayBits) / float64(max(n.Routers(), 1)) // of a path with every router on it
	for c := range out {
		d := 1.0
		if delay != nil {
			d = delay(n.Link[c], n.Vertex[n.To[c]])
		}
		if !(d >= 0 && d <= most) {
			return nil, fmt.Errorf("a delay of %g from %s to %s; from 0 to %g", d, n.Label(n.From[c]), n.Label(n.To[c]),
				most)
		}
		steps := int64(math.Round(math.Ldexp(d, delayBits)))
		if out[c] = (cost{steps, 1}); minimal {
			out[c] = cost{1, steps}
		}
	}
	return out, nil
}

// backwards is a search for the least cost from every router to one.
type backwards struct {
	net     *Network
	minimal bool   // hops come first in a cost
	over    []cost // of every channel
	cost    []cost // of every router
	heap    []reached
}

// reached is a router that has been reached at a cost.
type reached struct {
	cost   cost
	router int32
}

// search finds the costs to a router.
func (s *backwards) search(to int32) {
	n := s.net
	for r := range s.cost {
		s.cost[r] = unreached
	}
	if n.DeadRouter != nil && n.DeadRouter[to] {
		return
	}
	s.cost[to] = cost{}
	s.heap = append(s.heap[:0], reached{s.cost[to], to})
	for len(s.heap) > 0 {
		at := s.pop()
		if at.cost != s.cost[at.router] || !s.passes(at.router, to) {
			continue
		}
		for _, c := range n.Into(at.router) {
			if !n.Works(c) {
				continue
			}
			from, sum := n.From[c], s.over[c].plus(at.cost)
			if sum.below(s.cost[from]) {
				s.cost[from] = sum
				s.push(reached{sum, from})
			}
		}
	}
}

// passes reports whether a router passes on what is sent to another.
func (s *backwards) passes(router, to int32) bool {
	return router == to || s.net.Ends == nil || !s.net.Ends[router]
}

// choose fills in the channel of every router towards one and returns the most hops of a path.
func (s *backwards) choose(to int32, next []uint16) (most int64) {
	n := s.net
	var best []int32
	for r := range int32(n.Routers()) {
		if next[r] = nowhere; r == to || s.cost[r] == unreached {
			continue
		}
		best = best[:0]
		for c := n.First[r]; c < n.First[r+1]; c++ {
			after := s.cost[n.To[c]]
			if after != unreached && s.over[c].plus(after) == s.cost[r] && n.Works(c) && s.passes(n.To[c], to) {
				best = append(best, c)
			}
		}
		next[r] = uint16(best[pick(r, to, len(best))] - n.First[r])
		hops := s.cost[r].second
		if s.minimal {
			hops = s.cost[r].first
		}
		most = max(most, hops)
	}
	return most
}

func (s *backwards) push(x reached) {
	i := len(s.heap)
	s.heap = append(s.heap, x)
	for ; i > 0; i = (i - 1) / 2 {
		up := (i - 1) / 2
		if !x.cost.below(s.heap[up].cost) {
			break
		}
		s.heap[i] = s.heap[up]
	}
	s.heap[i] = x
}

func (s *backwards) pop() reached {
	top, last := s.heap[0], len(s.heap)-1
	x := s.heap[last]
	s.heap = s.heap[:last]
	for i := 0; last > 0; {
		down := 2*i + 1
		if down+1 < last && s.heap[down+1].cost.below(s.heap[down].cost) {
			down++
		}
		if down >= last || !s.heap[down].cost.below(x.cost) {
			s.heap[i] = x
			break
		}
		s.heap[i], i = s.heap[down], down
	}
	return top
}

func (f *fastest) Name() string { return f.name }
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
	return append(hops, Hop{Channel: f.net.First[at] + int32(port), Class: f.layering.class(h, f.classes)})
}
