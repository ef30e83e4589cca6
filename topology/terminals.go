package topology

import (
	"iter"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/internal/arith"
)

// WithTerminals puts nodes on the routers of a direct network, so that it can use the same switches as a network of
// another family: the vertices of role Node, its only kind, become switches, each with the given number of terminals.
// It returns g itself for 0 terminals, for nil, and if m has a mistake already; nil if there are too many ports or
// vertices, which it reports to m as a mistake of the parameter terminals.
//
// The kinds are "switch" and "node": the terminals follow the switches, those of switch 0 first. The level "terminal"
// follows the levels of g, and the terminals are on the ports after those of g, so that the links of g keep their
// levels and ports. The finest grouping is "block", a switch with its nodes. What g knows of itself holds for the
// switches: orbits, closed forms, distances, dimensions, routing.
//
// A family of direct networks calls it at the end of its Build, and has TerminalsParam among its parameters.
func WithTerminals(g Graph, terminals int, m *Mistakes) Graph {
	m.Within("terminals", terminals, 1, MaxPorts)
	if g == nil || terminals == 0 || !m.None() {
		return g
	}
	kinds := g.Kinds()
	routers := kinds[0].Count
	m.Ports("terminals", int64(kinds[0].Ports)+int64(terminals))
	m.Vertices("terminals", arith.Times(int64(routers), 1+int64(terminals)))
	if !m.None() {
		return nil
	}
	h := hosted{Graph: g, routers: routers, terminals: terminals, first: int32(kinds[0].Ports)}
	h.kinds = []Kind{
		{Name: "switch", Count: routers, Role: Switch, Ports: kinds[0].Ports + terminals},
		{Name: "node", First: routers, Count: routers * terminals, Role: Terminal, Ports: 1},
	}
	h.levels = append(slices.Clone(g.Levels()), Level{Name: "terminal"})
	forms, ok := g.(Formulas)
	if !ok {
		return &h
	}
	formed := hostedForms{h, forms}
	if c, ok := g.(*composedCLEX); ok {
		return &hostedComposed{formed, c}
	}
	symmetric, ok := g.(Symmetric)
	if !ok {
		return &formed
	}
	even := hostedSymmetric{formed, symmetric}
	switch g := g.(type) {
	case PlainLattice:
		return &hostedPlain{hostedLattice{even, g}, g}
	case Lattice:
		return &hostedLattice{even, g}
	case CliqueGraph:
		return &hostedCLEX{even, g}
	}
	return &even
}

// TerminalsParam is the parameter terminals of families whose routers may be nodes.
func TerminalsParam() Param { return optionalTerminals }

// hosted is a direct network whose routers have terminals. It implements optional interfaces of this package that the
// network inside may lack; their methods then return the value that stands for unknown.
type hosted struct {
	Graph
	routers, terminals int
	first              int32 // port of the first terminal
	kinds              []Kind
	levels             []Level
}

// hostedForms is a hosted network with closed forms, hostedSymmetric one that also lists its orbits.
type (
	hostedForms struct {
		hosted
		forms Formulas
	}
	hostedSymmetric struct {
		hostedForms
		symmetric Symmetric
	}
	hostedLattice struct {
		hostedSymmetric
		lattice Lattice
	}
	hostedPlain struct {
		hostedLattice
		plain PlainLattice
	}
	hostedCLEX struct {
		hostedSymmetric
		cliques CliqueGraph
	}
	hostedComposed struct {
		hostedForms
		clex *composedCLEX
	}
)

var (
	_ Counted        = (*hosted)(nil)
	_ LevelSymmetric = (*hosted)(nil)
	_ UsualRouter    = (*hosted)(nil)
	_ WorstCase      = (*hosted)(nil)
	_ Placeable      = (*hosted)(nil)
	_ Gridded        = (*hosted)(nil)
	_ Formulas       = (*hostedForms)(nil)
	_ Symmetric      = (*hostedSymmetric)(nil)
	_ Lattice        = (*hostedLattice)(nil)
	_ PlainLattice   = (*hostedPlain)(nil)
	_ CliqueGraph    = (*hostedCLEX)(nil)
	_ HopCounts      = (*hostedCLEX)(nil)
	_ CliqueGraph    = (*hostedComposed)(nil)
	_ Composed       = (*hostedComposed)(nil)
)

func (g *hosted) Kinds() []Kind   { return g.kinds }
func (g *hosted) Levels() []Level { return g.levels }

// router is the router of a vertex: itself, or that of a terminal.
func (g *hosted) router(v int) int {
	if v < g.routers {
		return v
	}
	return (v - g.routers) / g.terminals
}

// Label is that of the network, of a node with its number at its switch: "(3,0,7):5".
func (g *hosted) Label(v int) string {
	label := g.Graph.Label(g.router(v))
	if v < g.routers {
		return label
	}
	return label + ":" + strconv.Itoa((v-g.routers)%g.terminals)
}

// Groupings are the switches with their nodes, and those of the network.
func (g *hosted) Groupings() []Grouping {
	groupings := append([]Grouping{blocks(g.routers, g.terminals)}, g.Graph.Groupings()...)
	for i := range groupings[1:] {
		of := groupings[1+i].Of
		groupings[1+i].Of = func(v int) int32 { return of(g.router(v)) }
	}
	return groupings
}

// Coordinates are those of the network, of a node those of its switch.
func (g *hosted) Coordinates() []Coordinate { return CoordinatesOf(g.Graph, g.router) }

// Links yields those of the network, then the terminals.
func (g *hosted) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for l := range g.Graph.Links() {
			if !yield(l) {
				return
			}
		}
		level := int32(len(g.levels) - 1)
		terminalLinks(g.routers, g.terminals, func(l Link) bool {
			l.PortA += g.first
			l.Level = level
			return yield(l)
		})
	}
}

// LevelChannels are those of the network and of the terminals, nil if the network does not count its own.
func (g *hosted) LevelChannels() []int64 {
	c, ok := g.Graph.(Counted)
	if !ok {
		return nil
	}
	channels := c.LevelChannels()
	if len(channels) != len(g.levels)-1 {
		return nil
	}
	return append(slices.Clone(channels), int64(g.routers)*int64(g.terminals))
}

// SameLevels holds where it does for the network: its symmetries take the terminals along.
func (g *hosted) SameLevels() bool {
	s, ok := g.Graph.(LevelSymmetric)
	return ok && s.SameLevels()
}

// UsualRouting is that of the network, "" where it has none.
func (g *hosted) UsualRouting() string {
	if r, ok := g.Graph.(UsualRouter); ok {
		return r.UsualRouting()
	}
	return ""
}

// WorstCaseTraffic is that of the network, "" where no source gives one.
func (g *hosted) WorstCaseTraffic() string {
	if w, ok := g.Graph.(WorstCase); ok {
		return w.WorstCaseTraffic()
	}
	return ""
}

// PlacementGroups are those of the network, whose groupings follow the blocks.
func (g *hosted) PlacementGroups() (strategy string, grouping int) {
	strategy, grouping = placementGroups(g.Graph)
	if grouping >= 0 {
		grouping++
	}
	return strategy, grouping
}

// Advice is that of the network.
func (g *hosted) Advice() []string { return adviceOf(g.Graph) }

// Grid is that of a network that is laid out like a lattice, with the terminals; nil for others.
func (g *hosted) Grid() Lattice {
	of, ok := g.Graph.(Gridded)
	if !ok {
		return nil
	}
	grid := of.Grid()
	h := *g
	h.Graph = grid
	forms, _ := grid.(Formulas)
	symmetric, _ := grid.(Symmetric)
	return &hostedLattice{hostedSymmetric{hostedForms{h, forms}, symmetric}, grid}
}

// ClosedForms are those of the network; of one switch with its terminals, those of a star. The minimum cut of an odd
// number of switches need not be that of the network, for the nodes of the odd one may be divided.
func (g *hostedForms) ClosedForms() ClosedForms {
	if g.routers == 1 {
		return starForms(g.terminals)
	}
	c := g.forms.ClosedForms()
	if g.routers%2 == 1 {
		c.Bisection, c.BisectionSource = -1, ""
	}
	return c
}

// Orbits are those of the network.
func (g *hostedSymmetric) Orbits() []Orbit { return g.symmetric.Orbits() }

// Dims are those of the network.
func (g *hostedLattice) Dims() []int { return g.lattice.Dims() }

// Wraps is that of the network.
func (g *hostedLattice) Wraps(d int) bool { return g.lattice.Wraps(d) }

// TerminalsPerRouter is the terminals of each switch.
func (g *hostedLattice) TerminalsPerRouter() int { return g.terminals }

// DimensionPorts are those of the network.
func (g *hostedPlain) DimensionPorts(d int) DimensionPorts { return g.plain.DimensionPorts(d) }

// Cliques are those of the network; the levels do not count the terminals.
func (g *hostedCLEX) Cliques() (size, levels int, bundled bool) { return g.cliques.Cliques() }

// HopCounts are those of the network.
func (g *hostedCLEX) HopCounts() []uint64 {
	if counts, ok := g.Graph.(HopCounts); ok {
		return counts.HopCounts()
	}
	return nil
}

// Cliques are those of the network.
func (g *hostedComposed) Cliques() (size, levels int, bundled bool) { return g.clex.Cliques() }

// LocalNetwork is that of the network.
func (g *hostedComposed) LocalNetwork() (local Graph, level int) { return g.clex.LocalNetwork() }
