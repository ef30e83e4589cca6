package routing

import (
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/names"
)

// MaxChannels is the most directed channels of a Network.
const MaxChannels = 1 << 24

// Network is a topology as packets see it. Routers are the vertices that forward,
// and terminals with other than one link, which take part as routers that forward
// nothing of others. Every link of width w and capacity c gives w*c channels each way,
// those of a port behind each other, a simplex link as many one way. Terminals inject
// and receive; they are the vertices of roles Node and Terminal in order. NewNetwork makes it; a zero Network is not
// usable.
type Network struct {
	Graph  topology.Graph
	Names  *names.Names // of its vertices, in messages
	Vertex []int32      // vertex of each router
	Router []int32      // router of each vertex, -1 for terminals with one link

	First   []int32 // channels out of router r are First[r] ... First[r+1]-1, in the order of its ports
	From    []int32 // router that a channel leaves
	To      []int32 // router that it enters
	Link    []int32 // its link, in the order of Graph.Links
	Level   []int32 // of the link
	Reverse []int32 // the same channel the other way, -1 if there is none

	Home         []int32 // router of each terminal; -1 if it has failed or the link to it has
	Terminal     []int32 // vertex of each terminal
	TerminalLink []int32 // its link to its router, -1 where router and terminal are one vertex
	Ends         []bool  // routers that forward nothing of others; nil if there are none

	// Dead marks channels that have failed; nil if all work. DeadRouter marks
	// routers that have.
	Dead       []bool
	DeadRouter []bool

	ports int     // ports of a router, at most
	out   []int32 // channel out of each port of each router, -1
	in    []int32 // channels ordered by the router that they enter
	inAt  []int32 // those into router r are in[inAt[r]:inAt[r+1]]
}

// NewNetwork builds the network of g. The error says that it has more channels or ports than a Network can have.
func NewNetwork(g topology.Graph) (*Network, error) {
	kinds, vertices := g.Kinds(), topology.Vertices(g)
	n := &Network{Graph: g, Names: names.Of(g), Router: make([]int32, vertices)}
	ports, err := n.addRouters(kinds)
	if err != nil {
		return nil, err
	}
	n.ports = ports
	if cells := int64(len(n.Vertex)) * int64(ports); cells > MaxChannels {
		return nil, fmt.Errorf("routing: %d routers of %d ports are more than %d ports", len(n.Vertex), ports,
			MaxChannels)
	}
	n.number()
	n.join()
	n.home(kinds)
	return n, nil
}

// addRouters numbers the routers and returns the most ports that any has.
func (n *Network) addRouters(kinds []topology.Kind) (int, error) {
	links := make([]uint16, len(n.Router))
	total := int64(0)
	levels := n.Graph.Levels()
	for l := range n.Graph.Links() {
		width := int64(l.Channels(levels))
		total += width
		if total > MaxChannels {
			return 0, fmt.Errorf("routing: more than %d channels", MaxChannels)
		}
		for _, v := range [2]int32{l.A, l.B} {
			if int64(links[v])+width > math.MaxUint16 {
				return 0, fmt.Errorf("routing: more than %d channels at a vertex", math.MaxUint16)
			}
			links[v] += uint16(width)
		}
	}
	ports := 0
	for _, k := range kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			if k.Role == topology.Terminal && links[v] == 1 {
				n.Router[v] = -1
				continue
			}
			n.Router[v] = int32(len(n.Vertex))
			n.Vertex = append(n.Vertex, int32(v))
			ports = max(ports, k.Ports)
			if k.Role == topology.Terminal {
				if n.Ends == nil {
					n.Ends = make([]bool, len(n.Router))
				}
				n.Ends[n.Router[v]] = true
			}
		}
	}
	if n.Ends != nil {
		n.Ends = n.Ends[:len(n.Vertex)]
	}
	return ports, nil
}

// number gives every port that transmits to a router its channels.
func (n *Network) number() {
	n.out = make([]int32, len(n.Vertex)*n.ports)
	levels := n.Graph.Levels()
	for l := range n.Graph.Links() {
		a, b := n.Router[l.A], n.Router[l.B]
		if a < 0 || b < 0 {
			continue
		}
		for w := range l.Width {
			lanes := levels[l.Level].Channels()
			n.out[int(a)*n.ports+int(l.PortA+w)] = lanes
			if !l.Simplex {
				n.out[int(b)*n.ports+int(l.PortB+w)] = lanes
			}
		}
	}
	n.First = make([]int32, len(n.Vertex)+1)
	c := int32(0)
	for r := range n.Vertex {
		row := n.out[r*n.ports : (r+1)*n.ports]
		for p, used := range row {
			row[p] = -1
			if used != 0 {
				row[p] = c
				c += used
			}
		}
		n.First[r+1] = c
	}
}

// join fills in the ends of the channels.
func (n *Network) join() {
	channels := int(n.First[len(n.Vertex)])
	n.From, n.To = make([]int32, channels), make([]int32, channels)
	n.Link, n.Level, n.Reverse = make([]int32, channels), make([]int32, channels), make([]int32, channels)
	link, levels := int32(0), n.Graph.Levels()
	for l := range n.Graph.Links() {
		a, b := n.Router[l.A], n.Router[l.B]
		if a >= 0 && b >= 0 {
			lanes := levels[l.Level].Channels()
			for w := range l.Width * lanes {
				there, back := n.Out(a, l.PortA+w/lanes)+w%lanes, int32(-1)
				if !l.Simplex {
					back = n.Out(b, l.PortB+w/lanes) + w%lanes
					n.From[back], n.To[back], n.Link[back], n.Level[back], n.Reverse[back] = b, a, link, l.Level, there
				}
				n.From[there], n.To[there], n.Link[there], n.Level[there], n.Reverse[there] = a, b, link, l.Level, back
			}
		}
		link++
	}
	n.inAt = make([]int32, len(n.Vertex)+1)
	for _, r := range n.To {
		n.inAt[r+1]++
	}
	for r := range n.Vertex {
		n.inAt[r+1] += n.inAt[r]
	}
	next := append([]int32(nil), n.inAt...)
	n.in = make([]int32, channels)
	for c, r := range n.To {
		n.in[next[r]] = int32(c)
		next[r]++
	}
}

// home finds the router of every terminal.
func (n *Network) home(kinds []topology.Kind) {
	number := make([]int32, len(n.Router))
	for _, k := range kinds {
		if k.Role == topology.Switch {
			continue
		}
		for v := k.First; v < k.First+k.Count; v++ {
			number[v] = int32(len(n.Home))
			n.Home = append(n.Home, n.Router[v])
			n.Terminal = append(n.Terminal, int32(v))
			n.TerminalLink = append(n.TerminalLink, -1)
		}
	}
	link := int32(0)
	for l := range n.Graph.Links() {
		for _, end := range [2][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if v := end[0]; n.Router[v] < 0 {
				n.Home[number[v]], n.TerminalLink[number[v]] = n.Router[end[1]], link
			}
		}
		link++
	}
}

// Routers is the number of routers.
func (n *Network) Routers() int { return len(n.Vertex) }

// Channels is the number of channels between routers.
func (n *Network) Channels() int { return len(n.To) }

// CountForwarding returns the number of routers that forward packets of others, and of channels between these: without
// the terminals that take part as routers. Failed ones are counted.
func (n *Network) CountForwarding() (routers, channels int) {
	if n.Ends == nil {
		return n.Routers(), n.Channels()
	}
	for _, end := range n.Ends {
		if !end {
			routers++
		}
	}
	for c := range n.To {
		if !n.Ends[n.From[c]] && !n.Ends[n.To[c]] {
			channels++
		}
	}
	return routers, channels
}

// Terminals is the number of terminals.
func (n *Network) Terminals() int { return len(n.Home) }

// Out is the first channel that leaves a router by a port, from 0, -1 if there is none. The further channels of a link
// with a capacity above 1 have the numbers after it.
func (n *Network) Out(router, port int32) int32 { return n.out[int(router)*n.ports+int(port)] }

// Into lists the channels that enter a router; the caller must not change them.
func (n *Network) Into(router int32) []int32 { return n.in[n.inAt[router]:n.inAt[router+1]] }

// Works reports whether a channel and the routers at its ends have not failed.
func (n *Network) Works(channel int32) bool {
	return n.Dead == nil || !n.Dead[channel]
}

// Fail returns a copy of the network in which the links listed (by their number in the order of Graph.Links) and the
// vertices listed have failed, besides those that had failed before; links fail with either of their ends. All numbers
// stay as they are. A terminal that has failed, or whose router or link has, has the Home -1. Dead and DeadRouter of
// the copy are never nil, also if nothing is listed, so that functions which need a network without failures refuse it.
func (n *Network) Fail(links, vertices []int32) *Network {
	f := *n
	f.Dead = make([]bool, n.Channels())
	f.DeadRouter = make([]bool, n.Routers())
	f.Home = append([]int32(nil), n.Home...)
	copy(f.Dead, n.Dead)
	copy(f.DeadRouter, n.DeadRouter)
	gone := make(map[int32]bool, len(links))
	for _, l := range links {
		gone[l] = true
	}
	lost := make(map[int32]bool, len(vertices))
	for _, v := range vertices {
		lost[v] = true
		if r := n.Router[v]; r >= 0 {
			f.DeadRouter[r] = true
		}
	}
	for c := range f.Dead {
		if gone[n.Link[c]] || f.DeadRouter[n.From[c]] || f.DeadRouter[n.To[c]] {
			f.Dead[c] = true
		}
	}
	for t, r := range f.Home {
		if r >= 0 && (f.DeadRouter[r] || lost[n.Terminal[t]] || n.TerminalLink[t] >= 0 && gone[n.TerminalLink[t]]) {
			f.Home[t] = -1
		}
	}
	return &f
}
