package topology

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// NodePorts gives every node of a family whose nodes stand on switches several ports.
type NodePorts struct {
	// PortsPerNode is how many times the ports that the family gives a node; once when 0.
	PortsPerNode int `yaml:"ports_per_node,omitempty" json:"ports_per_node,omitempty"`
	// Attach says where they lead: one of Attachments, SpreadPorts when empty.
	Attach string `yaml:"attach,omitempty" json:"attach,omitempty"`
}

// Values of NodePorts.Attach.
const (
	// SpreadPorts puts the ports of a node on different switches of one network, next to each other in the order of
	// switches and, where there are enough, in one group of the finest groups.
	SpreadPorts = "spread"
	// RailPorts gives every port a network of its own: the ports of the first network come first.
	RailPorts = "rails"
	// PlanePorts gives every port a network of its own, in turn: ports that follow each other, such as the lanes of a
	// cage, are on different networks.
	PlanePorts = "planes"
)

// Attachments lists the values of NodePorts.Attach.
func Attachments() []string { return []string{SpreadPorts, RailPorts, PlanePorts} }

// commonKeys are the keys of a topology section that every family takes.
var commonKeys = slices.Concat(keysOf(reflect.TypeFor[NodePorts]()), keysOf(reflect.TypeFor[LevelCapacity]()))

// CommonKeys are the keys of a topology section that every family takes: those of NodePorts and LevelCapacity.
func CommonKeys() []Key { return slices.Clone(commonKeys) }

// mostPortsPerNode bounds the copies of a network.
const mostPortsPerNode = 1024

// check finds what is wrong with the keys themselves.
func (p *NodePorts) check(m *Mistakes) {
	if p.PortsPerNode != 0 {
		m.Within("ports_per_node", p.PortsPerNode, 1, mostPortsPerNode)
	} else if p.Attach != "" {
		m.Add("attach", "goes with ports_per_node, which is missing")
	}
	if p.Attach != "" && !slices.Contains(Attachments(), p.Attach) {
		m.Add("attach", "must be %s, not %q", strings.Join(Attachments(), ", "), p.Attach)
	}
}

// scaleNodes multiplies the parameter nodes, if it is given, by the ports of a node, if these are spread over one
// network: each port takes the place of a node of the family, and the user asked for nodes. It reports too many nodes.
func (p *NodePorts) scaleNodes(params Params, m *Mistakes) Params {
	if p.PortsPerNode <= 1 || p.Attach != "" && p.Attach != SpreadPorts {
		return params
	}
	n, ok := Nodes(params)
	switch {
	case !ok || n <= 0:
		return params
	case n > MaxVertices/p.PortsPerNode:
		m.Add("nodes", "%d nodes with %d ports each are too many", n, p.PortsPerNode)
		return params
	}
	return WithNodes(params, n*p.PortsPerNode)
}

// attach returns a graph like g whose nodes have several ports; g itself if they have one. The error is a
// *diag.FieldError: nodes that forward, too many ports or vertices, or too few switches to spread the ports of a node.
func (p *NodePorts) attach(g Graph) (Graph, error) {
	if p.PortsPerNode <= 1 {
		return g, nil
	}
	for _, k := range g.Kinds() {
		switch {
		case k.Role == Node:
			return nil, diag.Fieldf("ports_per_node",
				"the nodes of a %s pass messages on: several ports are for nodes on "+
					"switches", g.Family())
		case k.Role == Terminal && k.Ports*p.PortsPerNode > MaxPorts:
			return nil, diag.Fieldf("ports_per_node", "a node would have %d ports, and the most is %d",
				k.Ports*p.PortsPerNode, MaxPorts)
		}
	}
	if p.Attach == RailPorts || p.Attach == PlanePorts {
		if int64(Vertices(g))*int64(p.PortsPerNode) > MaxVertices {
			return nil, diag.Fieldf("ports_per_node", "%d networks have more than %d vertices", p.PortsPerNode,
				MaxVertices)
		}
		return newCopies(g, p.PortsPerNode, p.Attach == PlanePorts), nil
	}
	return newSpread(g, p.PortsPerNode)
}

// copies is several equal networks over the same nodes: every node has its ports on each of them.
type copies struct {
	Graph
	count  int
	planes bool
	kinds  []Kind // here
	old    []Kind // of one network
}

func newCopies(g Graph, count int, planes bool) *copies {
	c := &copies{Graph: g, count: count, planes: planes, old: g.Kinds()}
	first := 0
	for _, k := range c.old {
		k.First = first
		if k.Role == Switch {
			k.Count *= count
		} else {
			k.Ports *= count
		}
		c.kinds = append(c.kinds, k)
		first += k.Count
	}
	return c
}

func (c *copies) Kinds() []Kind { return c.kinds }

// Rails is the number of leaves that each node is on.
func (c *copies) Rails() int { return c.count * railsOf(c.Graph) }

// LevelChannels counts those of all networks, nil if the graph of one does not count its own.
func (c *copies) LevelChannels() []int64 {
	g, ok := c.Graph.(Counted)
	if !ok {
		return nil
	}
	out := slices.Clone(g.LevelChannels())
	for i := range out {
		out[i] *= int64(c.count)
	}
	return out
}

// one returns the vertex of a single network that v stands for, and the number of that network, from 0; 0 for nodes.
func (c *copies) one(v int) (vertex, network int) {
	i := KindOf(c.kinds, v)
	at := v - c.kinds[i].First
	if c.old[i].Role != Switch {
		return c.old[i].First + at, 0
	}
	return c.old[i].First + at%c.old[i].Count, at / c.old[i].Count
}

// Coordinates are those of one network, and the number of the network of a switch.
func (c *copies) Coordinates() []Coordinate {
	name := "rail"
	if c.planes {
		name = "plane"
	}
	out := []Coordinate{{name, func(v int) int32 {
		own, network := c.one(v)
		if c.old[KindOf(c.old, own)].Role != Switch {
			return -1
		}
		return int32(network)
	}}}
	return append(out, CoordinatesOf(c.Graph, func(v int) int { own, _ := c.one(v); return own })...)
}

// Groupings are those of one network: a group holds its switches of all.
func (c *copies) Groupings() []Grouping {
	groupings := slices.Clone(c.Graph.Groupings())
	for i := range groupings {
		of := groupings[i].Of
		groupings[i].Of = func(v int) int32 {
			own, _ := c.one(v)
			return of(own)
		}
	}
	return groupings
}

// Label is that of one network, for a switch with the number of the network from 1.
func (c *copies) Label(v int) string {
	own, network := c.one(v)
	if c.old[KindOf(c.old, own)].Role != Switch {
		return c.Graph.Label(own)
	}
	return c.Graph.Label(own) + ":" + strconv.Itoa(network+1)
}

// Links yields those of one network after the other. Channels to a node become links of their own where its ports
// belong to the networks in turn.
func (c *copies) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		a, b := 0, 0 // kinds of the ends
		for n := range int32(c.count) {
			for l := range c.Graph.Links() {
				a, b = KindNear(c.old, a, int(l.A)), KindNear(c.old, b, int(l.B))
				toNode := c.old[a].Role != Switch || c.old[b].Role != Switch
				own := l
				own.A, own.PortA = c.end(a, n, l.A, l.PortA)
				own.B, own.PortB = c.end(b, n, l.B, l.PortB)
				if !toNode || !c.planes || l.Width == 1 {
					if !yield(own) {
						return
					}
					continue
				}
				// Its ports are not next to each other, so that these are links of a channel each.
				for i := range l.Width {
					part := own
					_, part.PortA = c.end(a, n, l.A, l.PortA+i)
					_, part.PortB = c.end(b, n, l.B, l.PortB+i)
					part.Width = 1
					if !yield(part) {
						return
					}
				}
			}
		}
	}
}

// end returns the vertex, and its port, that vertex v of a kind of network n has here.
func (c *copies) end(kind int, n, v, port int32) (vertex, own int32) {
	k := &c.old[kind]
	at := v - int32(k.First)
	switch {
	case k.Role == Switch:
		return int32(c.kinds[kind].First) + n*int32(k.Count) + at, port
	case c.planes:
		return int32(c.kinds[kind].First) + at, port*int32(c.count) + n
	}
	return int32(c.kinds[kind].First) + at, n*int32(k.Ports) + port
}

// spreadNodes is a network in which each node takes several of the places that the network inside has for nodes.
type spreadNodes struct {
	Graph
	ports int     // places of a node
	kinds []Kind  // here
	node  []int32 // by vertex of the network: the vertex here, -1 for a place that is left out
	slot  []int32 // by vertex of the network: which place of its node it is, from 0
	old   []int32 // by vertex here: the vertex of the network; of a node, its first place
	each  int32   // ports of a place
	free  int     // places that are left out
}

// newSpread returns a graph in which each node takes several places for nodes of g, on different switches. Places that
// are left over have no links. The error is that there are too few switches with places, or too few places.
func newSpread(g Graph, ports int) (Graph, error) {
	s := &spreadNodes{Graph: g, ports: ports}
	on := s.switches(g)
	places, blocks := s.blocks(g, on)
	nodes := [][]int32{} // the places of each node
	for _, block := range blocks {
		n := len(block) / ports
		for i := range n {
			own := make([]int32, 0, ports)
			for j := range ports {
				v := block[i+j*n]
				if slices.ContainsFunc(own, func(u int32) bool { return on[u] == on[v] }) {
					return nil, diag.Fieldf("ports_per_node",
						"a node has %d ports, and there are too few switches that "+
							"nodes stand on to spread them", ports)
				}
				own = append(own, v)
			}
			nodes = append(nodes, own)
		}
	}
	if len(nodes) == 0 {
		return nil, diag.Fieldf("ports_per_node", "%d places for nodes are fewer than the %d ports of one", places,
			ports)
	}
	s.free = places - len(nodes)*ports
	s.number(nodes)
	return s, nil
}

// blocks lists the places of every run of switches over which nodes are spread, switch by switch, and counts them; on
// is the switch of each place. A run has as many switches as a node has ports, the last of a group up to one less than
// twice as many; a run may have fewer if there are fewer switches in all.
func (s *spreadNodes) blocks(g Graph, on []int32) (places int, blocks [][]int32) {
	kinds := g.Kinds()
	var order []int32 // switches with places, in order
	held := map[int32][]int32{}
	for _, k := range kinds {
		if k.Role == Switch {
			continue
		}
		for v := k.First; v < k.First+k.Count; v++ {
			if _, ok := held[on[v]]; !ok {
				order = append(order, on[v])
			}
			held[on[v]] = append(held[on[v]], int32(v))
			places++
		}
	}
	slices.Sort(order)
	for _, group := range s.groups(g, order) {
		for len(group) > 0 {
			n := s.ports
			if len(group) < 2*n {
				n = len(group)
			}
			var block []int32
			for _, v := range group[:n] {
				block = append(block, held[v]...)
			}
			blocks = append(blocks, block)
			group = group[n:]
		}
	}
	return places, blocks
}

// switches returns the switch of every place, by vertex of g.
func (s *spreadNodes) switches(g Graph) []int32 {
	kinds := g.Kinds()
	on := make([]int32, Vertices(g))
	for l := range g.Links() {
		if kinds[KindOf(kinds, int(l.A))].Role != Switch {
			on[l.A] = l.B
		} else if kinds[KindOf(kinds, int(l.B))].Role != Switch {
			on[l.B] = l.A
		}
	}
	return on
}

// groups divides switches by the finest grouping of g in which every group has at least as many of them as a node has
// ports; if there is none, all are one group.
func (s *spreadNodes) groups(g Graph, order []int32) [][]int32 {
	for _, grouping := range g.Groupings() {
		var out [][]int32
		at := map[int32]int{}
		for _, v := range order {
			of := grouping.Of(int(v))
			i, ok := at[of]
			if !ok || of < 0 {
				i = len(out)
				at[of] = i
				out = append(out, nil)
			}
			out[i] = append(out[i], v)
		}
		if !slices.ContainsFunc(out, func(group []int32) bool { return len(group) < s.ports }) {
			return out
		}
	}
	return [][]int32{order}
}

// number numbers the vertices: the nodes take the numbers of the first kind with places, other vertices stay in order.
func (s *spreadNodes) number(nodes [][]int32) {
	n := Vertices(s.Graph)
	s.node, s.slot = make([]int32, n), make([]int32, n)
	for v := range s.node {
		s.node[v] = -1
	}
	done := false
	for _, k := range s.Graph.Kinds() {
		first := len(s.old)
		if k.Role == Switch {
			for v := k.First; v < k.First+k.Count; v++ {
				s.node[v] = int32(len(s.old))
				s.old = append(s.old, int32(v))
			}
			k.First = first
			s.kinds = append(s.kinds, k)
			continue
		}
		s.each = max(s.each, int32(k.Ports))
		if done {
			continue // all nodes are of the first kind of places
		}
		done = true
		for _, places := range nodes {
			for j, v := range places {
				s.node[v], s.slot[v] = int32(len(s.old)), int32(j)
			}
			s.old = append(s.old, places[0])
		}
		k.First, k.Count = first, len(nodes)
		s.kinds = append(s.kinds, k)
	}
	for i := range s.kinds {
		if s.kinds[i].Role != Switch {
			s.kinds[i].Ports = int(s.each) * s.ports
		}
	}
}

func (s *spreadNodes) Kinds() []Kind { return s.kinds }

// Rails returns the number of leaves that each node is on.
func (s *spreadNodes) Rails() int { return s.ports * railsOf(s.Graph) }

// railsOf returns the number of leaves that each node of a graph is on.
func railsOf(g Graph) int {
	if g, ok := g.(Railed); ok {
		return g.Rails()
	}
	return 1
}

// Advice tells of places that are left out, beside what the network has to say.
func (s *spreadNodes) Advice() []string {
	out := adviceOf(s.Graph)
	if s.free > 0 {
		out = append(out, fmt.Sprintf("%s of switches for nodes stay free: the switches of a group cannot be divided "+
			"among nodes of %d ports each", english.Grouped(int64(s.free))+" ports", s.ports))
	}
	return out
}

// Advice is that of one network.
func (c *copies) Advice() []string { return adviceOf(c.Graph) }

func adviceOf(g Graph) []string {
	if a, ok := g.(Advised); ok {
		return slices.Clone(a.Advice())
	}
	return nil
}

// LevelChannels is that of the network, if no place of it is left out.
func (s *spreadNodes) LevelChannels() []int64 {
	if g, ok := s.Graph.(Counted); ok && s.free == 0 {
		return g.LevelChannels()
	}
	return nil
}

// Groupings are those of the network.
func (s *spreadNodes) Groupings() []Grouping {
	groupings := slices.Clone(s.Graph.Groupings())
	for i := range groupings {
		of := groupings[i].Of
		groupings[i].Of = func(v int) int32 { return of(int(s.old[v])) }
	}
	return groupings
}

// Coordinates are those of the network.
func (s *spreadNodes) Coordinates() []Coordinate {
	return CoordinatesOf(s.Graph, func(v int) int { return int(s.old[v]) })
}

// Label is that of the network, of a node that of its first place.
func (s *spreadNodes) Label(v int) string { return s.Graph.Label(int(s.old[v])) }

// Links yields those of the network but for those to places that are left out.
func (s *spreadNodes) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for l := range s.Graph.Links() {
			a, b := s.node[l.A], s.node[l.B]
			if a < 0 || b < 0 {
				continue
			}
			l.PortA += s.slot[l.A] * s.each
			l.PortB += s.slot[l.B] * s.each
			l.A, l.B = a, b
			if !yield(l) {
				return
			}
		}
	}
}

// PlacementGroups are those of the network; strategies see to it that the groups of others fit.
func (s *spreadNodes) PlacementGroups() (strategy string, grouping int) {
	return placementGroups(s.Graph)
}

// PlacementGroups are those of one network.
func (c *copies) PlacementGroups() (strategy string, grouping int) { return placementGroups(c.Graph) }

func placementGroups(g Graph) (strategy string, grouping int) {
	if p, ok := g.(Placeable); ok {
		return p.PlacementGroups()
	}
	return "", -1
}
