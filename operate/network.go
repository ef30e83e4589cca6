package operate

import (
	"slices"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// network is what links what: channels between boxes, each in one fabric. Channels, vertices, fabrics and levels count
// from 0. Traces of boards are channels, too.
type network struct {
	node    []bool // by vertex: a node, neither a switch nor a service box
	fabrics int
	a, b    []int32      // by channel: the boxes at its ends
	fabric  []int32      // by channel
	level   []uint8      // by channel: of the topology
	rate    []units.Rate // by channel: that of the slower port, in Gb/s; 0 where none states one
	total   float64      // of the rates, in Gb/s

	first []int32 // the channels of vertex v are near[first[v]:first[v+1]]
	near  []int32

	part      [][]int32 // by fabric and vertex: the connected part that the vertex is in, -1 for none
	partNodes [][]int   // by fabric and part: how many nodes it has
}

// newNetwork takes the channels of a plan, which must have its segments. Channels count from 0 in the order of the
// segments that begin them.
func newNetwork(plan *machine.Result) *network {
	s := plan.Schedule
	n := &network{node: isNode(plan), fabrics: 1}
	levels := plan.Graph.Levels()
	fabricOf := make([]int32, len(levels))
	if len(plan.Fabrics) > 0 {
		n.fabrics = len(plan.Fabrics)
		for i, l := range levels {
			of := slices.IndexFunc(plan.Fabrics, func(f *machine.Network) bool {
				return machine.InFabric(l.Name, f.Name)
			})
			fabricOf[i] = int32(max(0, of))
		}
	}
	rateAt := func(v int32, port uint16) units.Rate {
		if s.Panel(v) >= 0 {
			return 0
		}
		ports := s.Boxes[topology.KindOf(s.Kinds, int(v))].Ports
		if int(port) >= len(ports) || ports[port].Group == nil {
			return 0
		}
		return ports[port].Group.Rate
	}
	slower := func(x, y units.Rate) units.Rate {
		if x == 0 || y != 0 && y < x {
			return y
		}
		return x
	}
	var ends [][2]int32
	for l := range plan.Graph.Links() {
		ends = append(ends, [2]int32{l.A, l.B})
	}
	for i := range s.Segments {
		seg := &s.Segments[i]
		rate := slower(rateAt(seg.A, seg.PortA), rateAt(seg.B, seg.PortB))
		if s.Continues(seg) {
			last := len(n.rate) - 1
			n.rate[last] = slower(n.rate[last], rate)
			continue
		}
		e := ends[seg.Link]
		n.a, n.b = append(n.a, e[0]), append(n.b, e[1])
		n.fabric, n.level = append(n.fabric, fabricOf[seg.Level]), append(n.level, seg.Level)
		n.rate = append(n.rate, rate)
	}
	n.finish()
	return n
}

// finish lists the channels of every vertex and finds the connected parts of every fabric.
func (n *network) finish() {
	n.total = 0
	for _, r := range n.rate {
		n.total += float64(r)
	}
	n.first = make([]int32, len(n.node)+1)
	for c := range n.a {
		n.first[n.a[c]+1]++
		n.first[n.b[c]+1]++
	}
	for v := range n.node {
		n.first[v+1] += n.first[v]
	}
	n.near = make([]int32, 2*len(n.a))
	at := slices.Clone(n.first)
	for c := range n.a {
		for _, v := range [...]int32{n.a[c], n.b[c]} {
			n.near[at[v]] = int32(c)
			at[v]++
		}
	}
	n.part, n.partNodes = make([][]int32, n.fabrics), make([][]int, n.fabrics)
	for f := range n.part {
		n.part[f] = slices.Repeat([]int32{-1}, len(n.node))
		for v := range n.node {
			if n.part[f][v] < 0 && n.plugged(int32(v), f) {
				n.fill(f, int32(v))
			}
		}
	}
}

// plugged reports whether a box has a channel of fabric f.
func (n *network) plugged(v int32, f int) bool {
	return slices.ContainsFunc(n.channels(v), func(c int32) bool { return n.fabric[c] == int32(f) })
}

// channels returns the channels that end at a vertex, of all fabrics.
func (n *network) channels(v int32) []int32 { return n.near[n.first[v]:n.first[v+1]] }

// other is the vertex at the other end of a channel.
func (n *network) other(c, v int32) int32 { return n.a[c] + n.b[c] - v }

// fill makes a new connected part of a fabric of vertex v and all that it reaches, over nodes as well as over switches,
// and counts its nodes.
func (n *network) fill(f int, v int32) {
	id := int32(len(n.partNodes[f]))
	n.partNodes[f] = append(n.partNodes[f], 0)
	n.part[f][v] = id
	for queue := []int32{v}; len(queue) > 0; {
		v, queue = queue[0], queue[1:]
		if n.node[v] {
			n.partNodes[f][id]++
		}
		for _, c := range n.channels(v) {
			if w := n.other(c, v); n.fabric[c] == int32(f) && n.part[f][w] < 0 {
				n.part[f][w] = id
				queue = append(queue, w)
			}
		}
	}
}

// impact is what the loss of boxes and channels does.
type impact struct {
	down  int     // nodes among the boxes that are lost
	cut   int     // other nodes that are cut off (Loss), each once
	links int     // channels lost, those of lost boxes included
	gbps  float64 // the sum of their rates
}

// probe measures losses of a network, one after the other, each from the whole network. It takes memory once; now and
// turn number the losses and floods, so that nothing has to be cleared between them.
type probe struct {
	*network
	now  int32
	gone []int32 // by vertex: the loss in which it was lost last
	lost []int32 // by channel
	dark []int32 // by vertex: the loss in which it was cut off last

	turn  int32
	seen  []int32 // by vertex: the turn in which a flood has reached it
	owner []int32 // the flood that has reached it
	count []int   // by topology level: channels lost in the last loss
}

func newProbe(n *network, levels int) *probe {
	vertices := len(n.node)
	return &probe{
		network: n, gone: make([]int32, vertices), lost: make([]int32, len(n.a)), dark: make([]int32, vertices),
		seen: make([]int32, vertices), owner: make([]int32, vertices), count: make([]int, levels),
	}
}

// without measures the loss of boxes, with all their channels, and of channels, either of which may be listed twice. It
// leaves the channels lost by level in count.
func (p *probe) without(boxes, channels []int32) impact {
	p.now++
	clear(p.count)
	var out impact
	ends := make([][]int32, p.fabrics) // boxes that are left at the ends of what is lost
	lose := func(c int32) {
		if p.lost[c] == p.now {
			return
		}
		p.lost[c] = p.now
		out.links++
		out.gbps += float64(p.rate[c])
		p.count[p.level[c]]++
		for _, v := range [...]int32{p.a[c], p.b[c]} {
			if p.gone[v] != p.now {
				ends[p.fabric[c]] = append(ends[p.fabric[c]], v)
			}
		}
	}
	var nodes []int32 // that are lost
	for _, v := range boxes {
		if p.gone[v] != p.now && p.node[v] {
			nodes = append(nodes, v)
		}
		p.gone[v] = p.now
	}
	out.down = len(nodes)
	for _, v := range boxes {
		for _, c := range p.channels(v) {
			lose(c)
		}
	}
	for _, c := range channels {
		lose(c)
	}
	for f, at := range ends {
		out.cut += p.cutOff(f, nodes, at)
	}
	return out
}

// flood is what a search from a box has reached so far. It is over when todo is empty: then reached is a whole piece of
// what is left, unless the flood was joined to another one.
type flood struct {
	into          int // the flood that it was joined to; itself where it was not
	reached, todo []int32
	nodes         int // of those reached
}

// cutOff counts the nodes that are cut off in fabric f and were not counted for another fabric in this loss. Down lists
// the lost nodes, and ends the boxes that are left at lost channels, which it sorts. Floods grow in turn from the ends;
// those that meet are joined. When one is left that still grows, all nodes not reached by the others are its own, so
// that the search does not walk through all that is left.
func (p *probe) cutOff(f int, down, ends []int32) int {
	slices.SortFunc(ends, func(a, b int32) int {
		if d := int(p.part[f][a]) - int(p.part[f][b]); d != 0 {
			return d
		}
		return int(a) - int(b)
	})
	ends = slices.Compact(ends)
	cut := 0
	for len(ends) > 0 {
		id := p.part[f][ends[0]]
		n := slices.IndexFunc(ends, func(v int32) bool { return p.part[f][v] != id })
		if n < 0 {
			n = len(ends)
		}
		left := p.partNodes[f][id]
		for _, v := range down {
			if p.part[f][v] == id {
				left--
			}
		}
		cut += p.cutOffPart(f, left, ends[:n])
		ends = ends[n:]
	}
	return cut
}

// cutOffPart is cutOff within one connected part, in which left nodes are not down. The piece with the most nodes is
// kept, in a tie the one that still grows, else the one that begins at the lowest vertex.
func (p *probe) cutOffPart(f, left int, ends []int32) int {
	p.turn++
	floods := make([]flood, len(ends))
	for i, v := range ends {
		floods[i] = flood{into: i, reached: []int32{v}, todo: []int32{v}}
		p.seen[v], p.owner[v] = p.turn, int32(i)
		if p.node[v] {
			floods[i].nodes++
		}
	}
	growing := make([]int, len(floods))
	for i := range growing {
		growing[i] = i
	}
	for len(growing) > 1 {
		still := growing[:0]
		for _, i := range growing {
			if floods[i].into == i && p.grow(f, floods, i) {
				still = append(still, i)
			}
		}
		growing = slices.DeleteFunc(still, func(i int) bool { return floods[i].into != i })
	}
	over, largest := 0, -1
	for i := range floods {
		if floods[i].into != i || slices.Contains(growing, i) {
			continue
		}
		over += floods[i].nodes
		if largest < 0 || floods[i].nodes > floods[largest].nodes {
			largest = i
		}
	}
	if len(growing) == 1 {
		if last := growing[0]; largest >= 0 && floods[largest].nodes > left-over {
			for p.grow(f, floods, last) {
			}
		} else {
			largest = last
		}
	}
	cut := 0
	for i := range floods {
		if floods[i].into != i || i == largest {
			continue
		}
		for _, v := range floods[i].reached {
			if p.node[v] && p.dark[v] != p.now {
				p.dark[v] = p.now
				cut++
			}
		}
	}
	return cut
}

// grow lets a flood reach the neighbours of one more box, and reports whether it has more to do. A flood that it meets
// is joined to it.
func (p *probe) grow(f int, floods []flood, i int) bool {
	own := &floods[i]
	if len(own.todo) == 0 {
		return false
	}
	v := own.todo[0]
	own.todo = own.todo[1:]
	for _, c := range p.channels(v) {
		if p.fabric[c] != int32(f) || p.lost[c] == p.now {
			continue
		}
		w := p.other(c, v)
		if p.seen[w] != p.turn {
			p.seen[w], p.owner[w] = p.turn, int32(i)
			own.reached, own.todo = append(own.reached, w), append(own.todo, w)
			if p.node[w] {
				own.nodes++
			}
			continue
		}
		j := int(p.owner[w])
		for floods[j].into != j {
			floods[j].into = floods[floods[j].into].into
			j = floods[j].into
		}
		if j != i {
			join(own, &floods[j], i)
		}
	}
	return len(own.todo) > 0
}

// join moves all that the flood other has reached into own, whose number is given.
func join(own, other *flood, number int) {
	other.into = number
	own.nodes += other.nodes
	own.reached = append(own.reached, other.reached...)
	own.todo = append(own.todo, other.todo...)
	other.reached, other.todo = nil, nil
}
