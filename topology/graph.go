package topology

import (
	"iter"
	"math"
)

// Role is what a vertex does with packets: whether it injects, forwards and receives them.
type Role uint8

const (
	// Node injects, forwards and receives: node and router are one vertex, as
	// in a torus.
	Node Role = iota
	// Switch only forwards.
	Switch
	// Terminal injects and receives and never forwards.
	Terminal
)

// String returns the role's name, as in reports: "node", "switch" or "terminal".
func (r Role) String() string { return [...]string{"node", "switch", "terminal"}[r] }

// Kind is a contiguous range of vertices that play the same part, such as the
// leaves of a fat tree. Its name is what a machine file's packaging refers to.
type Kind struct {
	Name         string // "node", "switch", "leaf", "spine", "core", ...
	First, Count int    // vertices First ... First+Count-1
	Role         Role
	Ports        int // highest number of ports that a vertex of the kind uses; ports are numbered from 0
}

// Level is a class of links: a dimension, a tier, local or global.
//
// The capacity of a level is the bandwidth of a channel of its links in each direction, in units of the rate of a port.
// New sets it, from the family and from the key `capacity` of the machine file. A channel of capacity
// c counts as c parallel channels in routing, in simulators, and in bounds of bisection and throughput. A plan decides
// how it is built: with one port and one cable of at least c times the rate if the parts have such a port, else with
// several ports and cables (see the field Cables).
type Level struct {
	Name string // "dim1", "tier1", "local", "global", "terminal", ...
	// Capacity is that of a channel; 0 stands for 1. The method Channels returns it.
	Capacity int32
	// Cables is the number of cables that a channel takes in a plan, and of ports at each of its ends; 0 stands for 1.
	// The method Ports returns it. Package machine sets it. Graph.Links and Graph.Kinds do not depend on it; the
	// functions Cables and CabledKinds do.
	Cables int32
}

// Link is an edge of the topology with Width parallel channels. Channel c
// joins port PortA+c of A to port PortB+c of B. No two links use the same port
// and no pair of vertices is listed twice on one level.
type Link struct {
	A, B         int32 // vertices
	PortA, PortB int32 // first port at each end, counting from 0
	Level        int32 // index into Levels
	Width        int32 // parallel channels, at least 1
	// Simplex is true if the link carries packets from A to B only. Its port at A only transmits, its port at B only
	// receives.
	Simplex bool
}

// Grouping is one way in which the vertices of a family fall into groups that a layout may want to keep together: a
// leaf block, a pod, a dragonfly group.
type Grouping struct {
	Name  string            // "block", "unit", "pod", "group"
	Count int               // number of groups
	Of    func(v int) int32 // group of a vertex, from 0; -1 if it does not belong to any
}

// Graph is a member of a topology family. Vertices are numbered from 0; kinds cover them in order without gaps. Links
// are generated and not stored, so that memory grows with the vertices and not with the links.
type Graph interface {
	// Family is the name of the family in a machine file: "torus".
	Family() string
	// Kinds covers the vertices in order, without gaps.
	Kinds() []Kind
	// Levels returns the levels of links, in the order in which they are reported. Every call returns the same slice:
	// New and package machine write capacities and numbers of cables into it.
	Levels() []Level
	// Groupings lists the groupings of vertices, finest first; each group of a grouping lies inside one group of the
	// next. May be empty.
	Groupings() []Grouping
	// Links yields every link once, in an order that never changes for the same
	// parameters.
	Links() iter.Seq[Link]
	// Label returns a vertex's address in the family's own notation: "(3,0,7)".
	Label(v int) string
}

// Lattice is a Graph whose forwarding vertices are the points of a grid.
// Router r has coordinates r = c0 + dims[0]*(c1 + dims[1]*(c2 + ...)): the
// first dimension runs fastest. Routers are the vertices of the first kind.
type Lattice interface {
	Graph
	// Dims returns the number of points in each dimension.
	Dims() []int
	// Wraps reports whether dimension d is a ring of neighbours.
	Wraps(d int) bool
	// TerminalsPerRouter returns the number of terminals attached to each router; terminal vertices follow the routers,
	// those of router 0 first.
	TerminalsPerRouter() int
}

// Gridded is a Graph that is not a Lattice but is placed like one: its forwarding vertices are the points of a grid,
// with the same numbers as those of a Lattice, and its links lead to points near by.
type Gridded interface {
	Graph
	// Grid returns the graph as a Lattice, nil if this graph is not placed like one. The levels of the Lattice need not
	// correspond to its dimensions.
	Grid() Lattice
}

// GridOf returns the lattice by which a graph is placed: the graph itself if it is a Lattice, or the Grid of a Gridded;
// nil for other graphs.
func GridOf(g Graph) Lattice {
	switch g := g.(type) {
	case Lattice:
		return g
	case Gridded:
		return g.Grid()
	}
	return nil
}

// Orbit is a set of vertices that are equivalent by symmetry: some automorphism of the graph, which need not keep the
// widths of links, maps any of them to any other. Any two vertices of an orbit have the same distribution of distances
// to all vertices.
type Orbit struct {
	Vertex int // one vertex of the orbit
	Size   int // number of vertices
}

// Symmetric is a Graph that can list its orbits. Orbits covers each vertex that forwards (kinds of role Node and
// Switch) once. Vertices that are equivalent may be in different orbits where the family does not know it.
type Symmetric interface {
	Graph
	Orbits() []Orbit
}

// ClosedForms holds the figures for which a family's source has formulas; a negative or NaN value means that it has
// none. Distances follow the convention of HopStats: over the vertices that forward for direct networks, over terminals
// for trees.
type ClosedForms struct {
	DegreeMin, DegreeMax int     // links of a vertex that forwards, without those to terminals
	Diameter             int     // hops
	MeanHops             float64 // over ordered pairs without self pairs
	Bisection            float64 // channels, by the formula of the family's source
	BisectionSource      string  // the formula and where it is published
	// SingleLinks is true if no link has more than one channel.
	SingleLinks bool
	// CostDegree is the degree that the source multiplies by the diameter for the network cost; 0 stands for DegreeMax.
	CostDegree float64
}

// Formulas is a Graph whose source gives closed forms.
type Formulas interface {
	Graph
	ClosedForms() ClosedForms
}

// HopCounts is a Graph whose distances between routers have a closed form.
type HopCounts interface {
	Graph
	// HopCounts returns the number of ordered pairs of routers at every distance, entry 0 the pairs of a router with
	// itself, or nil if this member of the family has no closed form.
	HopCounts() []uint64
}

// Vertices returns the number of vertices of g.
func Vertices(g Graph) int {
	k := g.Kinds()
	if len(k) == 0 {
		return 0
	}
	last := k[len(k)-1]
	return last.First + last.Count
}

// KindOf returns the index in kinds, which are all kinds of a graph, of the kind of v; -1 for a number above those of
// the vertices.
func KindOf(kinds []Kind, v int) int {
	for i := range kinds {
		if v < kinds[i].First+kinds[i].Count {
			return i
		}
	}
	return -1
}

// KindNear returns the same as KindOf. It is faster if the kind is the one at index last, such as that of the previous
// link at the same end. last is at least 0.
func KindNear(kinds []Kind, last, v int) int {
	if last >= len(kinds) {
		return KindOf(kinds, v)
	}
	if k := &kinds[last]; v >= k.First && v < k.First+k.Count {
		return last
	}
	return KindOf(kinds, v)
}

// LinksBetween returns the numbers, from 0 in the order of Links, of the links between two vertices in either
// direction; nil if there are none. It goes through all links.
func LinksBetween(g Graph, a, b int) []int32 {
	var out []int32
	number := int32(0)
	for l := range g.Links() {
		if int(l.A) == a && int(l.B) == b || int(l.A) == b && int(l.B) == a {
			out = append(out, number)
		}
		number++
	}
	return out
}

// Counts counts a graph's vertices by role and its links by level.
type Counts struct {
	Nodes    int     // vertices that inject: nodes and terminals
	Switches int     // vertices that only forward
	Links    int64   // channels: a link counts its width times Level.Ports, but not its capacity
	ByLevel  []int64 // the same for each level
	Simplex  int64   // channels of simplex links
}

// Count counts the vertices and links of g. It goes through all links once.
func Count(g Graph) Counts {
	c := Counts{ByLevel: make([]int64, len(g.Levels()))}
	for _, k := range g.Kinds() {
		if k.Role == Switch {
			c.Switches += k.Count
		} else {
			c.Nodes += k.Count
		}
	}
	levels := g.Levels()
	for l := range g.Links() {
		n := int64(l.Width) * int64(levels[l.Level].Ports())
		c.ByLevel[l.Level] += n
		c.Links += n
		if l.Simplex {
			c.Simplex += n
		}
	}
	return c
}

// MaxVertices is the largest number of vertices a graph may have: vertex
// numbers are int32.
const MaxVertices = math.MaxInt32

// MaxPorts is the largest number of ports that a vertex may have.
const MaxPorts = math.MaxUint16
