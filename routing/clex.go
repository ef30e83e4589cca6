package routing

import (
	"fmt"

	"github.com/plenum-planner/plenum/internal/splitmix"
	"github.com/plenum-planner/plenum/topology"
)

// clex routes on CLEX, full or bundled (C. Lenzen and R. Wattenhofer,
// arXiv:1607.00298, section III).
//
// Direct: to set its highest wrong digit, k, a packet goes within its clique to the
// node whose lowest digit is the one wanted, and over an edge of level k from there.
// In the full form it takes the edge that sets digit k - 1 as well, so that it takes
// two hops for two digits, l at most; in the bundled form it takes 2 l - 1 at most.
//
// Recursive: A(l) sends a packet by A(l-1) to a random node of its copy of
// C(l-1) whose edges of level l lead where it wants to go, over a random one of
// these edges, and by A(l-1) on. 2^l - 1 hops at most.
//
// No deadlock: direct, the class is the number of edges above level 1 taken so
// far; recursive, the number of hops made.
type clex struct {
	net       *Network
	n1, count int
	full      bool
	recursive bool
	lanes     []int32 // channels of a link of each level: its capacity
}

func newCLEX(n *Network, recursive bool) (Function, error) {
	g, ok := n.Graph.(topology.CliqueGraph)
	if !ok {
		return nil, fmt.Errorf("%s is not a CLEX", n.Graph.Family())
	}
	if n.Ends != nil {
		return nil, fmt.Errorf("the links of terminals have a capacity above 1, and routing by the digits of a %s is "+
			"for terminals with one channel; minimal and updown take them", n.Graph.Family())
	}
	f := &clex{net: n, recursive: recursive}
	var bundled bool
	f.n1, f.count, bundled = g.Cliques()
	f.full = !bundled
	levels := g.Levels()
	for i := range levels {
		f.lanes = append(f.lanes, levels[i].Channels())
	}
	if recursive && f.count > 6 {
		return nil, fmt.Errorf("the recursive route of %d levels takes up to %d hops; 63 at most", f.count,
			1<<f.count-1)
	}
	return f, nil
}

func power(b, e int) int {
	p := 1
	for range e {
		p *= b
	}
	return p
}

func (f *clex) Name() string {
	if f.recursive {
		return "clex-recursive"
	}
	return "clex"
}

func (f *clex) Classes() int {
	if f.recursive {
		return 1<<f.count - 1
	}
	if f.full {
		return (f.count + 1) / 2
	}
	return f.count
}

// SinglePath implements the interface of that name.
func (f *clex) SinglePath() bool { return true }

// SourceDecided implements the interface of that name.
func (f *clex) SourceDecided() bool { return true }

// Arrive draws the seed of a recursive route.
func (f *clex) Arrive(h *Header, _ int32, state *State) {
	if h.Last < 0 {
		h.Marks = state.bits()
	}
}

func (f *clex) Next(h *Header, at int32, _ *State, hops []Hop) []Hop {
	var channel int32
	var class uint8
	if f.recursive {
		var space [64]int32
		route := f.route(space[:0], int(h.Src), int(h.Dst), f.count, uint64(h.Marks)<<32|uint64(uint32(h.Src^h.Dst)))
		if int(h.Hops) >= len(route) {
			return hops
		}
		channel, class = route[h.Hops], uint8(h.Hops)
	} else {
		channel = f.direct(int(at), int(h.Goal))
		if h.Last >= 0 {
			class = h.Class
			if f.net.Level[h.Last] > 0 {
				class++
			}
		}
		class = min(class, uint8(f.Classes()-1))
	}
	if channel < 0 || !f.net.Works(channel) {
		return hops
	}
	return append(hops, Hop{Channel: channel, Class: class})
}

// digit is digit i_k of a node.
func (f *clex) digit(v, k int) int { return v / power(f.n1, k-1) % f.n1 }

// direct is the channel of the direct route.
func (f *clex) direct(at, to int) int32 {
	for k := f.count; k > 1; k-- {
		want := f.digit(to, k)
		if f.digit(at, k) == want {
			continue
		}
		if at%f.n1 != want {
			return f.inside(at, want, to)
		}
		return f.across(at, k, f.digit(to, k-1), to)
	}
	return f.inside(at, to%f.n1, to)
}

// inside is the channel within the clique to the node with lowest digit c, for a packet to a node.
func (f *clex) inside(at, c, to int) int32 {
	if !f.full && c > at%f.n1 {
		c--
	}
	return f.lane(at, c, 1, to)
}

// lane is that of the channels of a port of level k which packets to a node take.
func (f *clex) lane(at, port, k, to int) int32 {
	c := f.net.Out(int32(at), int32(port))
	if lanes := f.lanes[k-1]; lanes > 1 && c >= 0 {
		c += spread(int32(to), lanes)
	}
	return c
}

// across is the channel of edge e of level k, where digit k differs from the lowest,
// for a packet to a node; the bundled form has one edge only.
func (f *clex) across(at, k, e, to int) int32 {
	if !f.full {
		if k == 2 {
			return f.lane(at, f.n1-1, k, to)
		}
		return f.lane(at, f.n1+2*(k-3), k, to)
	}
	first := f.digit(at, 1) // the edge of the level's first port
	if k%2 == 0 {
		first = f.digit(at, k)
	}
	return f.lane(at, (k-1)*f.n1+(e-first+f.n1)%f.n1, k, to)
}

// route appends the channels of A(k) from one node to another of the same copy
// of C(k).
func (f *clex) route(out []int32, from, to, k int, seed uint64) []int32 {
	if from == to {
		return out
	}
	if k == 1 {
		return append(out, f.inside(from, to%f.n1, to))
	}
	size := power(f.n1, k-1)
	want := f.digit(to, k)
	if f.digit(from, k) == want {
		return f.route(out, from, to, k-1, splitmix.First(seed))
	}
	seed = splitmix.First(seed)
	r := int(seed >> 1 % uint64(size/f.n1))
	gate := from/size*size + r*f.n1 + want
	out = f.route(out, from, gate, k-1, seed+1)
	e := f.digit(from, k)
	if f.full {
		e = int(splitmix.First(seed+2) >> 1 % uint64(f.n1))
	}
	out = append(out, f.across(gate, k, e, to))
	// Digit k of the gate goes, its lowest takes the place, and e comes next; what lies
	// between moves down by a place.
	entry := from/(size*f.n1)*size*f.n1 + want*size + e*(size/f.n1) + gate%size/f.n1
	return f.route(out, entry, to, k-1, seed+3)
}
