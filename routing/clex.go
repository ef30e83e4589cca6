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
// Where local networks take the place of cliques, a packet takes a minimal path of the local network to that node.
//
// No deadlock: direct, the class is the number of edges above level 1 taken so
// far, times the diameter of the local networks, and the hops made in the present
// one; recursive, the number of hops made.
type clex struct {
	net       *Network
	n1, count int
	full      bool
	recursive bool
	lanes     []int32 // channels of a link of each level of the topology: its capacity
	local     *local  // nil for cliques
	levels    int     // of the local networks, 1 for cliques
	moved     int     // the ports that a router has on level 1 more than in a clique
	diameter  int     // of the local networks, 1 for cliques
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
	f.levels, f.diameter = 1, 1
	var err error
	if f.local, err = newLocal(n); err != nil {
		return nil, err
	}
	if f.local != nil {
		inner, _ := topology.LocalNetworkOf(g)
		f.levels, f.diameter = len(inner.Levels()), f.local.diameter
		f.moved = inner.Kinds()[0].Ports - f.n1
		if bundled {
			f.moved++
		}
	}
	if recursive && f.count > 6 {
		return nil, fmt.Errorf("the recursive route of %d levels takes up to %d hops; 63 at most", f.count,
			1<<f.count-1)
	}
	if c := f.Classes(); c > 255 {
		return nil, fmt.Errorf("paths through local networks of diameter %d need %d virtual channels; 255 at most",
			f.diameter, c)
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
		inside := 1 << (f.count - 1) // calls of A(1), with a hop of a higher level between every two
		return inside*f.diameter + inside - 1
	}
	if f.full {
		return (f.count + 1) / 2 * f.diameter
	}
	return f.count * f.diameter
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
		class = min(f.class(h, channel), uint8(f.Classes()-1))
	}
	if channel < 0 || !f.net.Works(channel) {
		return hops
	}
	return append(hops, Hop{Channel: channel, Class: class})
}

// class is that of a hop of the direct route.
func (f *clex) class(h *Header, channel int32) uint8 {
	if h.Last < 0 || channel < 0 {
		return 0
	}
	leg := h.Class - h.Class%uint8(f.diameter) // the first class of the local network
	switch {
	case !f.isLocal(h.Last):
		return leg + uint8(f.diameter)
	case f.isLocal(channel):
		return h.Class + 1
	}
	return leg
}

// isLocal reports whether a channel is of level 1.
func (f *clex) isLocal(channel int32) bool { return int(f.net.Level[channel]) < f.levels }

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

// inside is the channel within the clique to the node with lowest digit c, or towards it in the local network, for a
// packet to a node.
func (f *clex) inside(at, c, to int) int32 {
	if f.local != nil {
		return f.local.channel(int32(at), int32(at-at%f.n1+c), int32(to))
	}
	if !f.full && c > at%f.n1 {
		c--
	}
	return f.lane(at, c, 1, to)
}

// lane is that of the channels of a port of level k which packets to a node take.
func (f *clex) lane(at, port, k, to int) int32 {
	level := k - 1
	if k > 1 {
		port, level = port+f.moved, level+f.levels-1
	}
	c := f.net.Out(int32(at), int32(port))
	if lanes := f.lanes[level]; lanes > 1 && c >= 0 {
		c += parallelChannel(int32(to), lanes)
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
		for from != to {
			c := f.inside(from, to%f.n1, to)
			out = append(out, c)
			if c < 0 {
				break // failed; the packet ends there
			}
			from = int(f.net.To[c])
		}
		return out
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
