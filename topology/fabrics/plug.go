package fabrics

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/topology"
)

// Ends are boxes of one kind that a fabric is plugged into.
type Ends struct {
	Name  string // of the kind: "dgx"
	Count int
	Ports int // of each box, for this fabric
	// At is the place, from 0, that the first box takes if those before it leave it free, with all places before it
	// that are free staying so; 0 for the next one. It is for boxes that are plugged in kind by kind.
	At int
}

// Places are what a topology has for nodes.
type Places struct {
	Count int // terminals, or nodes where every vertex forwards
	Ports int // of each
	// Forwards tells that nodes forward: boxes take a whole place there.
	Forwards bool
}

// PlacesOf counts the places of a graph.
func PlacesOf(g topology.Graph) Places {
	var p Places
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			continue
		}
		p.Count += k.Count
		p.Ports = max(p.Ports, k.Ports)
		p.Forwards = p.Forwards || k.Role == topology.Node
	}
	return p
}

// A Seat is where a box is plugged in: from a port of a place on.
type Seat struct{ Place, Port int }

// A Box is one of the boxes of Ends: the number of the kind, and that of the box among them.
type Box struct{ Kind, Number int }

// InTurn is the boxes of all kinds, kind after kind.
func InTurn(ends []Ends) []Box {
	n := 0
	for _, e := range ends {
		n += e.Count
	}
	out := make([]Box, 0, n)
	for i, e := range ends {
		for b := range e.Count {
			out = append(out, Box{i, b})
		}
	}
	return out
}

// seats gives boxes their seats in an order. A box with as many ports as a place has takes it whole, as every box
// does where nodes forward. Those with fewer share a place: a fabric manager with one port stands at a port that a
// missing server leaves free. It returns the number of places that are taken, wholly or in part.
func (p Places) seats(ends []Ends, order []Box) ([][]Seat, int) {
	out := make([][]Seat, len(ends))
	for i, e := range ends {
		out[i] = make([]Seat, e.Count)
	}
	place, port := 0, 0
	for _, box := range order {
		ports := ends[box.Kind].Ports
		if at := ends[box.Kind].At; box.Number == 0 && at > place {
			place, port = at, 0
		}
		if port > 0 && (port+ports > p.Ports || ports >= p.Ports || p.Forwards) {
			place, port = place+1, 0
		}
		out[box.Kind][box.Number] = Seat{place, port}
		if port += ports; port >= p.Ports || p.Forwards {
			place, port = place+1, 0
		}
	}
	if port > 0 {
		place++
	}
	return out, place
}

// CountTaken returns the number of places that boxes take in an order, wholly or in part.
func (p Places) CountTaken(ends []Ends, order []Box) int {
	_, n := p.seats(ends, order)
	return n
}

// Plug puts boxes at the places of a graph in an order that has each once. It is the graph itself if they are all of
// one kind, of which every one has as many ports as a place, in turn, and fill it. Otherwise the boxes of every kind
// are a kind of the new graph, before its switches, and links to ports where nothing is plugged in are left out.
//
// There must be places for all, and none may have more ports than a place.
func Plug(g topology.Graph, ends []Ends, order []Box) (topology.Graph, error) {
	p := PlacesOf(g)
	seats, taken := p.seats(ends, order)
	if taken > p.Count {
		return nil, fmt.Errorf("%d places for boxes, and those that are plugged in take %d", p.Count, taken)
	}
	for _, e := range ends {
		if e.Ports > p.Ports {
			return nil, fmt.Errorf("a %s has %d ports to plug in, a place %d", e.Name, e.Ports, p.Ports)
		}
	}
	if len(ends) == 1 && ends[0].Count == p.Count && ends[0].At == 0 && (ends[0].Ports == p.Ports || p.Forwards) &&
		boxKinds(g) == 1 && slices.IsSortedFunc(order, func(a, b Box) int { return a.Number - b.Number }) {
		return g, nil
	}
	return newPlugged(g, p, ends, seats), nil
}

// PlugAt puts boxes at seats that are given: seats[k][n] for box n of kind k, which takes as many ports of the place as
// it has, and all of them where nodes forward. No port of a place may be given twice.
func PlugAt(g topology.Graph, ends []Ends, seats [][]Seat) (topology.Graph, error) {
	p := PlacesOf(g)
	taken := make([]bool, p.Count*p.Ports)
	for k, e := range ends {
		ports := p.PortsTaken(e)
		for _, s := range seats[k] {
			if s.Port+ports > p.Ports {
				return nil, fmt.Errorf("a %s has %d ports to plug in, a place %d from its port %d on", e.Name, ports,
					p.Ports-s.Port, s.Port+1)
			}
			own := taken[s.Place*p.Ports+s.Port:][:ports]
			if slices.Contains(own, true) {
				return nil, fmt.Errorf("two boxes at place %d", s.Place)
			}
			for i := range own {
				own[i] = true
			}
		}
	}
	return newPlugged(g, p, ends, seats), nil
}

// PortsTaken returns the number of ports of its place that each box takes.
func (p Places) PortsTaken(e Ends) int {
	if p.Forwards {
		return p.Ports
	}
	return e.Ports
}

func boxKinds(g topology.Graph) int {
	n := 0
	for _, k := range g.Kinds() {
		if k.Role != topology.Switch {
			n++
		}
	}
	return n
}

// plugged is a graph with boxes of several kinds at its places, or with free ones.
type plugged struct {
	topology.Graph
	kinds []topology.Kind
	// of each vertex of the graph: its number here; of a place, that of the first box there, or -1
	number []int32
	next   []int32 // of each box, the next in the same place, or -1
	first  []int32 // of each box, its first port in its place
	ports  []int32 // of each box, how many it has there
	old    []int32 // of each vertex here, that of the graph
}

// newPlugged numbers the vertices anew: the boxes kind by kind, then the switches.
func newPlugged(g topology.Graph, p Places, ends []Ends, seats [][]Seat) *plugged {
	old := g.Kinds()
	t := &plugged{Graph: g, number: make([]int32, topology.Vertices(g))}
	var places []int32 // vertices
	role := topology.Terminal
	for _, k := range old {
		if k.Role == topology.Switch {
			continue
		}
		role = k.Role
		for v := k.First; v < k.First+k.Count; v++ {
			places = append(places, int32(v))
		}
	}
	for i := range t.number {
		t.number[i] = -1
	}
	for i, e := range ends {
		most := p.PortsTaken(e)
		t.kinds = append(t.kinds, topology.Kind{
			Name: e.Name, First: len(t.old), Count: e.Count, Role: role, Ports: most,
		})
		for _, s := range seats[i] {
			t.seat(places[s.Place], s.Port, most)
		}
	}
	for _, k := range old {
		if k.Role != topology.Switch {
			continue
		}
		k2 := k
		k2.First = len(t.old)
		t.kinds = append(t.kinds, k2)
		for v := k.First; v < k.First+k.Count; v++ {
			t.number[v] = int32(len(t.old))
			t.old = append(t.old, int32(v))
		}
	}
	return t
}

// seat puts the next box at a place.
func (t *plugged) seat(place int32, port, ports int) {
	box := int32(len(t.old))
	t.old = append(t.old, place)
	t.first = append(t.first, int32(port))
	t.ports = append(t.ports, int32(ports))
	t.next = append(t.next, -1)
	if t.number[place] < 0 {
		t.number[place] = box
		return
	}
	before := t.number[place]
	for t.next[before] >= 0 {
		before = t.next[before]
	}
	t.next[before] = box
}

func (t *plugged) Kinds() []topology.Kind { return t.kinds }

// Groupings are those of the graph.
func (t *plugged) Groupings() []topology.Grouping {
	groupings := slices.Clone(t.Graph.Groupings())
	for i := range groupings {
		of := groupings[i].Of
		groupings[i].Of = func(v int) int32 { return of(int(t.old[v])) }
	}
	return groupings
}

// Coordinates are those of the graph.
func (t *plugged) Coordinates() []topology.Coordinate {
	return topology.CoordinatesOf(t.Graph, func(v int) int { return int(t.old[v]) })
}

// Label is that of the graph for a switch and for a box that has a place to itself; of another, its kind and number.
func (t *plugged) Label(v int) string {
	if v >= len(t.first) {
		return t.Graph.Label(int(t.old[v]))
	}
	k := &t.kinds[topology.KindOf(t.kinds, v)]
	return k.Name + strconv.Itoa(v-k.First)
}

// end is the box at a port of a vertex of the graph, and the port counted from its first. It is -1 where nothing is
// plugged in.
func (t *plugged) end(v, port int32) (box, own int32) {
	box = t.number[v]
	if int(box) >= len(t.first) {
		return box, port
	}
	for ; box >= 0; box = t.next[box] {
		if own = port - t.first[box]; own >= 0 && own < t.ports[box] { // boxes of a place are in any order
			return box, own
		}
	}
	return -1, 0
}

// Links yields those of the graph both of whose ports are plugged in. One with several channels that lead to several
// boxes becomes one link for each.
func (t *plugged) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for l := range t.Graph.Links() {
			for c := int32(0); c < l.Width; {
				a, portA := t.end(l.A, l.PortA+c)
				b, portB := t.end(l.B, l.PortB+c)
				run := min(l.Width-c, t.portsLeft(a, portA), t.portsLeft(b, portB))
				if a >= 0 && b >= 0 {
					part := l
					part.A, part.B, part.PortA, part.PortB, part.Width = a, b, portA, portB, run
					if !yield(part) {
						return
					}
				}
				c += run
			}
		}
	}
}

// portsLeft returns the number of ports that a box has from one on; 1 at a port where nothing is plugged in.
func (t *plugged) portsLeft(box, port int32) int32 {
	switch {
	case box < 0:
		return 1
	case int(box) >= len(t.first):
		return 1 << 30
	}
	return t.ports[box] - port
}
