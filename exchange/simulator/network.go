package simulator

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Network is a planned network as simulators have it: hosts that send and receive, switches that forward, and links.
// Hosts are the first vertices. A node that forwards itself, as in a torus, is a host and a switch with a link between
// them. New makes it; a zero Network is not usable.
type Network struct {
	Title string
	// Hosts is the number of hosts.
	Hosts    int
	Vertices []Vertex
	Links    []Link

	graph topology.Graph
	// host and router are the vertices of Vertices that each vertex of graph became, -1 for none.
	host, router []int32
}

// Vertex is a host or a switch.
type Vertex struct {
	Name string
	// Hop is the delay that the vertex adds to a packet whose path it is on.
	Hop units.Time
	// Of is the vertex of the topology.
	Of int32
}

// Link is a link in full duplex, unless it is Simplex.
type Link struct {
	A, B int32 // vertices of the network
	// Of is the number of the link in the topology, -1 of the link between a host and its own switch.
	Of int32
	// Channels is the number of parallel cables, at least 1.
	Channels int32
	Rate     units.Rate // of all channels together, each way
	Cable    units.Time // the delay of a signal in the cable and its ends
	// PortA and PortB are the first ports, which the topology counts from 0.
	PortA, PortB int32
	Simplex      bool // carries from A to B only
}

// New is the network of a fabric of a plan; of a machine with one topology, fabric is empty. The override replaces the
// delays of the machine file.
//
// It returns exchange.ErrSummary for a summary, and an exchange.LimitError if no part states the rate of its ports.
func New(p *machine.Result, fabric string, o delay.Override) (*Network, error) {
	planned, err := p.Fabric(fabric)
	if err != nil {
		return nil, err
	}
	if planned.Links.Count() == 0 {
		return nil, exchange.ErrSummary
	}
	rate := p.PortRate(planned)
	if rate <= 0 {
		return nil, exchange.LimitError("no part states the rate of its ports, and simulators need that of every link")
	}
	seen := planned.Seen() // circuit switches forward nothing
	n := &Network{Title: p.Spec.Name, graph: seen.Graph}
	n.addVertices(seen, o)
	levels, wires := seen.Graph.Levels(), seen.Wires(o)
	for l := range seen.Graph.Links() {
		i := len(n.Links)
		channels := l.Channels(levels)
		n.Links = append(n.Links, Link{
			A: n.end(l.A), B: n.end(l.B), Of: int32(i), Channels: l.Width, Rate: rate * units.Rate(channels),
			Cable: wires[i], PortA: l.PortA, PortB: l.PortB, Simplex: l.Simplex,
		})
	}
	n.addInner(rate)
	return n, nil
}

// addVertices adds the hosts and then the switches.
func (n *Network) addVertices(seen *machine.Network, o delay.Override) {
	g := seen.Graph
	count := topology.Vertices(g)
	n.host, n.router = make([]int32, count), make([]int32, count)
	hop := seen.Model.With(g.Kinds(), o).Hop
	add := func(to []int32, v int, name string, hop units.Time) {
		to[v] = int32(len(n.Vertices))
		n.Vertices = append(n.Vertices, Vertex{Name: name, Hop: hop, Of: int32(v)})
	}
	for _, hosts := range []bool{true, false} {
		for i, k := range g.Kinds() {
			for v := k.First; v < k.First+k.Count; v++ {
				name := seen.Names.Name(v)
				switch {
				case hosts && k.Role == topology.Terminal:
					add(n.host, v, name, hop[i])
				case hosts && k.Role == topology.Node:
					add(n.host, v, name, 0)
				case hosts:
					n.host[v] = -1
				case k.Role == topology.Terminal:
					n.router[v] = -1
				case k.Role == topology.Node:
					add(n.router, v, name+"-router", hop[i])
				default:
					add(n.router, v, name, hop[i])
				}
			}
		}
		if hosts {
			n.Hosts = len(n.Vertices)
		}
	}
}

// end is the vertex that a link of the topology is plugged into.
func (n *Network) end(v int32) int32 {
	if n.router[v] >= 0 {
		return n.router[v]
	}
	return n.host[v]
}

// addInner adds the links between nodes and their own switches, as fast as all links of the node together.
func (n *Network) addInner(rate units.Rate) {
	var sum []units.Rate
	for v := range n.host {
		if n.host[v] < 0 || n.router[v] < 0 {
			continue
		}
		if sum == nil {
			sum = make([]units.Rate, len(n.Vertices))
			for _, l := range n.Links {
				sum[l.A] += l.Rate
				sum[l.B] += l.Rate
			}
		}
		n.Links = append(n.Links, Link{
			A: n.host[v], B: n.router[v], Of: -1, Channels: 1, Rate: max(sum[n.router[v]], rate),
		})
	}
}

// Latency is the delay of a link with its share of the vertices at its ends: half the hop delay of a switch, the whole
// of a host. Latencies along a path add up to the delay of the path.
func (n *Network) Latency(l *Link) units.Time {
	return l.Cable + n.share(l.A) + n.share(l.B)
}

func (n *Network) share(v int32) units.Time {
	if int(v) < n.Hosts {
		return n.Vertices[v].Hop
	}
	return n.Vertices[v].Hop / 2
}

// checkDuplex refuses links that carry one way only.
func (n *Network) checkDuplex(format string) error {
	for i := range n.Links {
		if l := &n.Links[i]; l.Simplex {
			return exchange.LimitError(fmt.Sprintf("%s has no links that carry one way only, and %s - %s is one",
				format, n.Vertices[l.A].Name, n.Vertices[l.B].Name))
		}
	}
	return nil
}

// number writes a figure exactly and as shortly as can be.
func number[T ~float64](x T) string { return strconv.FormatFloat(float64(x), 'f', -1, 64) }

// lines calls write for the links, and looks at the context now and then.
func (n *Network) lines(ctx context.Context, write func(l *Link) error) error {
	for i := range n.Links {
		if i%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := write(&n.Links[i]); err != nil {
			return err
		}
	}
	return nil
}

// milliseconds writes a delay in milliseconds, to a millionth of a nanosecond.
func milliseconds(t units.Time) string {
	text := strconv.FormatFloat(float64(t)/1e6, 'f', 12, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
