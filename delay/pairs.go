package delay

import (
	"fmt"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Pairs computes the delay, between any two terminals, of the path that a routing function chooses on an idle
// network. It takes 8 bytes for each channel and none for a pair. It may be used by several
// goroutines at once.
type Pairs struct {
	net      *routing.Network
	f        routing.Function
	seed     uint64
	over     []units.Time // delay of every channel, with the router entered
	up, down []units.Time // delay from every terminal to its router, and from the router to it
}

// NewPairs returns the Pairs of a network whose links l has in the order of Graph.Links. Random choices of the
// routing function depend on the seed and the pair of routers only.
func NewPairs(n *routing.Network, f routing.Function, m Model, l Links, seed uint64) (*Pairs, error) {
	kinds := n.Graph.Kinds()
	if err := m.check(kinds, l); err != nil {
		return nil, err
	}
	if links := linksOf(n.Graph); links != l.Count() {
		return nil, fmt.Errorf("delay: %d links and %d lengths", links, l.Count())
	}
	kind, arcs := kindsOf(kinds, topology.Vertices(n.Graph)), m.Arcs(n.Graph, l)
	arc := func(link, to int32) units.Time { return units.Time(arcs(link, to)) }
	p := &Pairs{
		net: n, f: f, seed: seed, over: make([]units.Time, n.Channels()), up: make([]units.Time, n.Terminals()),
		down: make([]units.Time, n.Terminals()),
	}
	for c := range p.over {
		p.over[c] = arc(n.Link[c], n.Vertex[n.To[c]])
	}
	for t, link := range n.TerminalLink {
		p.up[t] = m.Start(int(kind[n.Terminal[t]]))
		if link >= 0 && n.Home[t] >= 0 {
			p.up[t] += arc(link, n.Vertex[n.Home[t]])
			p.down[t] = arc(link, n.Terminal[t])
		}
	}
	return p, nil
}

// Between returns the delay from one terminal to another, 0 from a terminal to itself. The error names the router at
// which the routing function had no next channel, or a terminal without a link.
func (p *Pairs) Between(src, dst int32) (units.Time, error) {
	if src == dst {
		return 0, nil
	}
	from, to := p.net.Home[src], p.net.Home[dst]
	if from < 0 || to < 0 {
		return 0, fmt.Errorf("delay: terminal %d or %d has no link", src, dst)
	}
	sum := p.up[src] + p.down[dst]
	if from == to {
		return sum, nil
	}
	var space [32]int32
	path, err := routing.Path(p.net, p.f, from, to, p.seed, space[:0])
	if err != nil {
		return 0, err
	}
	for _, c := range path {
		sum += p.over[c]
	}
	return sum, nil
}
