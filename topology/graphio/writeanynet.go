package graphio

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"github.com/plenum-planner/plenum/topology"
)

// WriteAnynet writes a BookSim network file: the vertices that forward are
// routers, terminals and vertices of role Node are nodes. A latency that the
// graph does not keep is 1 cycle. The format has neither simplex links nor
// parallel channels nor nodes on several routers; graphs with them are refused.
func WriteAnynet(w io.Writer, g topology.Graph) error {
	a := newAnynet(g)
	if err := a.checkLinks(); err != nil {
		return err
	}
	a.adjacency = topology.NewCSR(g)
	if err := a.checkParallel(); err != nil {
		return err
	}
	a.keepLatencies()
	out := bufio.NewWriter(w)
	var text []byte
	for v := range a.router {
		if a.router[v] < 0 {
			continue
		}
		text = a.appendRouter(text[:0], v)
		if _, err := out.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// anynet is a graph with the numbers that the format gives to its vertices.
type anynet struct {
	graph        topology.Graph
	router, node []int32 // of every vertex, -1 for none
	adjacency    *topology.CSR

	// Of graphs that keep attributes: the cycles of every link from its first end and back, and
	// its first end.
	latency [][2]string
	from    []int32
}

func newAnynet(g topology.Graph) *anynet {
	n := topology.Vertices(g)
	a := &anynet{graph: g, router: make([]int32, n), node: make([]int32, n)}
	routers, nodes := int32(0), int32(0)
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			a.router[v], a.node[v] = -1, -1
			if k.Role != topology.Terminal {
				a.router[v] = routers
				routers++
			}
			if k.Role != topology.Switch {
				a.node[v] = nodes
				nodes++
			}
		}
	}
	return a
}

// checkLinks finds, one by one, links that the format cannot have.
func (a *anynet) checkLinks() error {
	g := a.graph
	levels, attached := g.Levels(), make([]bool, len(a.router))
	links := 0
	for l := range g.Links() {
		switch {
		case l.Simplex:
			return fmt.Errorf("anynet has no simplex links, and %s - %s is one", g.Label(int(l.A)), g.Label(int(l.B)))
		case l.Channels(levels) > 1:
			return fmt.Errorf("anynet has no parallel channels, and %s - %s has %d", g.Label(int(l.A)),
				g.Label(int(l.B)), l.Channels(levels))
		case a.router[l.A] < 0 && a.router[l.B] < 0:
			return fmt.Errorf("anynet joins no nodes to each other, and %s - %s does", g.Label(int(l.A)),
				g.Label(int(l.B)))
		}
		for _, v := range []int32{l.A, l.B} {
			if a.router[v] < 0 {
				if attached[v] {
					return fmt.Errorf("anynet has a node on one router, and %s is on several", g.Label(int(v)))
				}
				attached[v] = true
			}
		}
		links++
	}
	if links > topology.MaxLinks {
		return fmt.Errorf("anynet lists links by router, and %d links are too many for that; the most is %d", links,
			topology.MaxLinks)
	}
	return nil
}

// checkParallel finds two links, on different levels, between the same vertices.
func (a *anynet) checkParallel() error {
	c := a.adjacency
	last := make([]int, c.Vertices()) // 1 + the vertex that had it last
	for v := range last {
		for _, to := range c.Neighbours(v) {
			if last[to] == v+1 {
				return fmt.Errorf("anynet has no parallel channels, and %s - %s has several", a.graph.Label(v),
					a.graph.Label(int(to)))
			}
			last[to] = v + 1
		}
	}
	return nil
}

// keepLatencies reads the latencies of a graph that keeps attributes.
func (a *anynet) keepLatencies() {
	attributed, ok := a.graph.(Attributed)
	if !ok {
		return
	}
	for l := range a.graph.Links() {
		attrs := attributed.EdgeAttributes(len(a.from))
		there := cmp.Or(attrs["latency"], "1")
		a.latency = append(a.latency, [2]string{there, cmp.Or(attrs["latency_back"], there)})
		a.from = append(a.from, l.A)
	}
}

// cycles is the latency of a link from one of its ends.
func (a *anynet) cycles(link, from int32) string {
	switch {
	case a.latency == nil:
		return "1"
	case a.from[link] == from:
		return a.latency[link][0]
	}
	return a.latency[link][1]
}

// appendRouter appends the line of a router: its node, if it is one, and what it is joined to.
func (a *anynet) appendRouter(text []byte, v int) []byte {
	text = appendInt(append(text, "router "...), a.router[v])
	if a.node[v] >= 0 {
		text = appendInt(append(text, " node "...), a.node[v])
	}
	c := a.adjacency
	for arc := c.First[v]; arc < c.First[v+1]; arc++ {
		to := c.To[arc]
		if a.router[to] < 0 {
			text = appendInt(append(text, " node "...), a.node[to])
			continue
		}
		text = appendInt(append(text, " router "...), a.router[to])
		text = append(text, ' ')
		text = append(text, a.cycles(c.Link[arc], int32(v))...)
	}
	return text
}
