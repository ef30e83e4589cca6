package clusters

import (
	"fmt"
	"iter"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// CircuitSwitched is a graph of cables, some of which end at circuit switches: boxes that join their ports in pairs and
// pass light on, not packets.
type CircuitSwitched interface {
	topology.Graph
	// CircuitKind returns the index in Kinds of the kind of the circuit switches, which is the last. They are the end B
	// of their links.
	CircuitKind() int
	// Circuits yields the table that connects their ports if no other is set.
	Circuits() iter.Seq[Circuit]
}

// Circuit is a line of the table of circuit switches: a vertex, and two of its ports that it joins.
type Circuit struct{ Switch, PortA, PortB int32 }

// through is the graph that packets see: the links of a graph, where a circuit makes one of two.
type through struct {
	topology.Graph
	kinds []topology.Kind
	links []topology.Link // those of circuits
	over  [][2]int32      // the numbers of their cables
}

var _ topology.Logical = (*through)(nil)

// Through returns the graph that packets see if a table sets the circuit switches of g: its other vertices, the links
// between them, and a link for every circuit, which has the level of the cable at the circuit's PortA. A port without a
// circuit has no link. The error names the first circuit, counting from 0, that is not possible: a vertex that is not a
// circuit switch, a port that does not exist, has no cable or is in another circuit, two boxes that another circuit
// connects, a box with itself.
func Through(g CircuitSwitched, table iter.Seq[Circuit]) (topology.Logical, error) {
	kinds := g.Kinds()
	switches := kinds[g.CircuitKind()]
	type end struct {
		vertex, port, level, cable int32
		joined                     bool
	}
	ends := make([]end, switches.Count*switches.Ports)
	for i := range ends {
		ends[i].vertex = -1
	}
	cable := int32(0)
	for l := range g.Links() {
		if int(l.B) >= switches.First {
			for c := range l.Width {
				ends[(int(l.B)-switches.First)*switches.Ports+int(l.PortB+c)] = end{
					l.A, l.PortA + c, l.Level,
					cable, false,
				}
			}
		}
		cable++
	}
	out := &through{Graph: g, kinds: slices.Delete(slices.Clone(kinds), g.CircuitKind(), g.CircuitKind()+1)}
	joined := newPartners(out.kinds)
	number := 0
	for c := range table {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("circuit %d: "+format, append([]any{number}, args...)...)
		}
		at := int(c.Switch) - switches.First
		if at < 0 || at >= switches.Count {
			return nil, fail("vertex %d is not a circuit switch", c.Switch)
		}
		var both [2]*end
		for i, port := range []int32{c.PortA, c.PortB} {
			if port < 0 || int(port) >= switches.Ports {
				return nil, fail("%s has ports 0 to %d, not %d", g.Label(int(c.Switch)), switches.Ports-1, port)
			}
			e := &ends[at*switches.Ports+int(port)]
			if e.vertex < 0 {
				return nil, fail("port %d of %s has no cable", port, g.Label(int(c.Switch)))
			}
			if e.joined {
				return nil, fail("port %d of %s is joined already", port, g.Label(int(c.Switch)))
			}
			e.joined, both[i] = true, e
		}
		a, b := both[0], both[1]
		if a.vertex == b.vertex || !joined.join(a.vertex, a.port, b.vertex) {
			return nil, fail("joins %s to %s, which are joined already or the same", g.Label(int(a.vertex)),
				g.Label(int(b.vertex)))
		}
		joined.join(b.vertex, b.port, a.vertex)
		out.links = append(out.links, topology.Link{
			A: a.vertex, B: b.vertex, PortA: a.port, PortB: b.port, Level: a.level, Width: 1,
		})
		out.over = append(out.over, [2]int32{a.cable, b.cable})
		number++
	}
	return out, nil
}

// partners notes to which box a circuit leads from every port of every box.
type partners struct {
	ports int
	to    []int32 // one more than the box, 0 where there is no circuit
}

func newPartners(kinds []topology.Kind) *partners {
	p := &partners{}
	last := kinds[len(kinds)-1]
	for _, k := range kinds {
		p.ports = max(p.ports, k.Ports)
	}
	p.to = make([]int32, (last.First+last.Count)*p.ports)
	return p
}

// join notes a circuit from a port of a box to another, and reports whether it is the first from the one to the other.
func (p *partners) join(box, port, to int32) bool {
	own := p.to[int(box)*p.ports:][:p.ports]
	if slices.Contains(own, to+1) {
		return false
	}
	own[port] = to + 1
	return true
}

// Kinds are those without the circuit switches.
func (g *through) Kinds() []topology.Kind { return g.kinds }

// Links yields the cables between other boxes than circuit switches, then the circuits in the order of the table.
func (g *through) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for _, l := range g.direct() {
			if !yield(l) {
				return
			}
		}
		for _, l := range g.links {
			if !yield(l) {
				return
			}
		}
	}
}

// direct yields the links of the graph of cables between other boxes than circuit switches, with their numbers.
func (g *through) direct() iter.Seq2[int32, topology.Link] {
	return func(yield func(int32, topology.Link) bool) {
		boxes, number := topology.Vertices(g), int32(0)
		for l := range g.Graph.Links() {
			if int(max(l.A, l.B)) < boxes && !yield(number, l) {
				return
			}
			number++
		}
	}
}

// Cables yields the numbers of the cables of every link.
func (g *through) Cables() iter.Seq[[2]int32] {
	return func(yield func([2]int32) bool) {
		for number := range g.direct() {
			if !yield([2]int32{number, -1}) {
				return
			}
		}
		for _, pair := range g.over {
			if !yield(pair) {
				return
			}
		}
	}
}
