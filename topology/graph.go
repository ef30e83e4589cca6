package topology

import (
	"iter"
	"math"
)

// Role says what a vertex does with packets.
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

// String is the role's name, as in reports: "node", "switch" or "terminal".
func (r Role) String() string { return [...]string{"node", "switch", "terminal"}[r] }

// Kind is a contiguous range of vertices that play the same part, such as the
// leaves of a fat tree. Its name is what a machine file's packaging refers to.
type Kind struct {
	Name         string // "node", "switch", "leaf", "spine", "core", ...
	First, Count int    // vertices First ... First+Count-1
	Role         Role
	Ports        int // most ports that any vertex of the kind uses; ports count from 0
}

// Level is a class of links: a dimension, a tier, local or global.
//
// The capacity of a level is what a channel of its links carries each way, in units of the rate of a port. Package
// topology owns it: New takes it from the family and from the key `capacity` of the machine file. A channel of capacity
// c counts as c parallel channels in routing, in simulators, and in bounds of bisection and throughput. Only a plan
// knows what it is bought as: one port and one cable of at least c times the rate where the parts have one, otherwise
// several ports and cables; see Cables.
type Level struct {
	Name string // "dim1", "tier1", "local", "global", "terminal", ...
	// Capacity is that of a channel; 0 stands for 1. Channels returns it.
	Capacity int32
	// Cables is the cables that a channel takes in a plan, and the ports at each of its ends; 0 stands for 1. Ports
	// returns it. What package machine resolves sets it; Links and Kinds do not follow it, but Cables and CabledKinds.
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
	// Simplex says that the link carries from A to B only. Its port at A only
	// transmits, that at B only receives.
	Simplex bool
}

// Nest is one way in which the vertices of a family fall into groups that a
// layout may want to keep together: a leaf block, a pod, a dragonfly group.
type Nest struct {
	Name  string            // "block", "unit", "pod", "group"
	Count int               // number of groups
	Of    func(v int) int32 // group of a vertex, -1 where it belongs to none
}

// Graph is a member of a topology family. Vertices count from 0; kinds cover
// them in order without gaps. Links are streamed: nothing is stored, so memory
// grows with the vertices and not with the links.
type Graph interface {
	// Family is the name of the family in a machine file: "torus".
	Family() string
	// Kinds covers the vertices in order, without gaps.
	Kinds() []Kind
	// Levels names the levels of links, in the order in which they are reported. The slice is the graph's own, the
	// same at every call: New and a plan write the capacities and cables of the levels into it.
	Levels() []Level
	// Nests lists the groupings of vertices, finest first; each group of a nest
	// lies inside one group of the next. May be empty.
	Nests() []Nest
	// Links yields every link once, in an order that never changes for the same
	// parameters.
	Links() iter.Seq[Link]
	// Label is a vertex's address in the family's own notation: "(3,0,7)".
	Label(v int) string
}

// Lattice is a Graph whose forwarding vertices are the points of a grid.
// Router r has coordinates r = c0 + dims[0]*(c1 + dims[1]*(c2 + ...)): the
// first dimension runs fastest. Routers are the vertices of the first kind.
type Lattice interface {
	Graph
	// Dims is the number of points in each dimension.
	Dims() []int
	// Wraps reports whether dimension d is a ring of neighbours.
	Wraps(d int) bool
	// TerminalsPerRouter is the number of terminals attached to each router;
	// terminal vertices follow the routers, those of router 0 first.
	TerminalsPerRouter() int
}

// Gridded is a Graph that is not a Lattice but is laid out like one: its forwarding vertices are the points of a grid,
// with the numbers that those of a Lattice would have, and its links lead to points near by.
type Gridded interface {
	Graph
	// Grid is the graph as a Lattice. Its levels need not be those of its dimensions.
	Grid() Lattice
}

// GridOf is the lattice by which a graph is laid out: itself if it is one, the grid of a Gridded. It is nil for others.
func GridOf(g Graph) Lattice {
	switch g := g.(type) {
	case Lattice:
		return g
	case Gridded:
		return g.Grid()
	}
	return nil
}

// Orbit is a set of vertices that look the same: some symmetry of the graph
// takes any of them to any other. Two vertices of one orbit have the same
// distances to everything.
type Orbit struct {
	Vertex int // one of them
	Size   int // how many there are
}

// Symmetric is a Graph that knows its orbits. Orbits covers the vertices that
// forward (kinds of role Node and Switch); a vertex-transitive direct network
// has one.
type Symmetric interface {
	Graph
	Orbits() []Orbit
}

// ClosedForms holds what a family's source states in formulas; a negative or
// NaN value means that it states none. Distances follow the convention of
// HopStats: over the vertices that forward for direct networks, over terminals
// for trees.
type ClosedForms struct {
	DegreeMin, DegreeMax int     // links of a vertex that forwards, those to terminals left out
	Diameter             int     // hops
	MeanHops             float64 // over ordered pairs without self pairs
	Bisection            float64 // channels, by the formula of the family's source
	BisectionSource      string  // the formula and where it stands
	// SingleLinks says that no link is wider than one channel.
	SingleLinks bool
	// CostDegree is the degree that the source multiplies by the diameter for
	// the network cost; 0 where it is the greatest.
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
	// HopCounts returns the number of ordered pairs at every distance, as in
	// HopStats.Histogram, or nil if this member of the family has no closed
	// form.
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

// KindOf returns the index in Kinds of the kind of v.
func KindOf(kinds []Kind, v int) int {
	for i := range kinds {
		if v < kinds[i].First+kinds[i].Count {
			return i
		}
	}
	return -1
}

// KindNear is KindOf where the kind is likely to be the given one: that of the link before is, at the same end.
func KindNear(kinds []Kind, last, v int) int {
	if last >= len(kinds) {
		return KindOf(kinds, v)
	}
	if k := &kinds[last]; v >= k.First && v < k.First+k.Count {
		return last
	}
	return KindOf(kinds, v)
}

// LinksBetween returns the numbers of the links between two vertices, in the order
// of Links, either way round.
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
	Links    int64   // channels: every link counts its width, and a channel of several cables counts as many times
	ByLevel  []int64 // likewise of each level
	Simplex  int64   // channels that carry one way only
}

// Count walks the links of g once.
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
