package clusters

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/trees"
	"github.com/plenum-planner/plenum/topology"
)

func (g *leafSpine) Family() string           { return leafSpineFamily.Name }
func (g *leafSpine) Kinds() []topology.Kind   { return g.kinds }
func (g *leafSpine) Levels() []topology.Level { return g.levels }

// Rails is the number of leaves that each node is on, those of all planes.
func (g *leafSpine) Rails() int { return g.rails * g.planes }

// middle is the spines of three tiers; of two tiers it is empty and stands behind the leaves.
func (g *leafSpine) middle() topology.Kind {
	if g.cores > 0 {
		return g.kinds[1]
	}
	return topology.Kind{First: g.kinds[0].Count}
}

// top is the first vertex of the highest tier: of its line cards, if these are directors, which the fabric cards
// follow.
func (g *leafSpine) top() int { return g.middle().First + g.middle().Count }

// node is the kind of the nodes.
func (g *leafSpine) node() topology.Kind { return g.kinds[len(g.kinds)-1] }

// A part is what a vertex is: a leaf, a spine of three tiers, a switch of the highest tier or card of a director, a
// node.
type part uint8

const (
	partLeaf part = iota
	partMiddle
	partTop
	partLine
	partFabric
	partNode
)

// partOf is the part of a vertex, and its number there: of a card, that among all cards of the kind.
func (g *leafSpine) partOf(v int) (part, int) {
	switch top, node := g.top(), g.node().First; {
	case v < g.middle().First:
		return partLeaf, v
	case v < top:
		return partMiddle, v - g.middle().First
	case v >= node:
		return partNode, v - node
	case g.line == 0:
		return partTop, v - top
	case v < top+g.tops*g.line:
		return partLine, v - top
	default:
		return partFabric, v - top - g.tops*g.line
	}
}

// director is the number of a card's director.
func (g *leafSpine) director(p part, i int) int {
	if p == partLine {
		return i / g.line
	}
	return i / g.fabric
}

// Groupings are the units and, in three tiers, the pods, which contain their spines. In each, directors follow.
func (g *leafSpine) Groupings() []topology.Grouping {
	directors := 0
	if g.line > 0 {
		directors = g.tops
	}
	unit := func(v int) int {
		switch p, i := g.partOf(v); p {
		case partLeaf:
			return i / (g.rails * g.planes)
		case partNode:
			return i / g.perUnit
		case partLine, partFabric:
			return g.units + g.director(p, i)
		default:
			return -1
		}
	}
	out := []topology.Grouping{{
		Name: "unit", Count: g.units + directors, Of: func(v int) int32 { return int32(unit(v)) },
	}}
	if g.cores == 0 {
		return out
	}
	return append(out, topology.Grouping{Name: "pod", Count: g.pods + directors, Of: func(v int) int32 {
		if p, i := g.partOf(v); p == partMiddle {
			return int32(i / (g.spines / g.pods))
		}
		switch u := unit(v); {
		case u >= g.units:
			return int32(u - g.units + g.pods)
		case u >= 0:
			return int32(u / g.podUnits)
		}
		return -1
	}})
}

// Coordinates are the rail and the plane of a leaf, and the director of a card.
func (g *leafSpine) Coordinates() []topology.Coordinate {
	only := func(of func(p part, i int) int) func(v int) int32 {
		return func(v int) int32 { p, i := g.partOf(v); return int32(of(p, i)) }
	}
	out := []topology.Coordinate{{Name: "rail", Of: only(func(p part, i int) int {
		if p == partLeaf {
			return i / g.planes % g.rails
		}
		return -1
	})}}
	if g.planes > 1 {
		out = append(out, topology.Coordinate{Name: "plane", Of: only(func(p part, i int) int {
			if p == partLeaf {
				return i % g.planes
			}
			return -1
		})})
	}
	if g.line > 0 {
		out = append(out, topology.Coordinate{Name: "director", Of: only(func(p part, i int) int {
			if p == partLine || p == partFabric {
				return g.director(p, i)
			}
			return -1
		})})
	}
	return out
}

// Label names leaves and nodes by unit ("u3.r0", with planes "u3.r0.p1"; "u3.n17"), spines by number or by pod ("s4",
// "p2.s4"), cores by number ("c5") and cards by director ("d2.l0", "d2.f1").
func (g *leafSpine) Label(v int) string {
	switch p, i := g.partOf(v); p {
	case partLeaf:
		rail := i / g.planes
		name := fmt.Sprintf("u%d.r%d", rail/g.rails, rail%g.rails)
		if g.planes > 1 {
			name += fmt.Sprintf(".p%d", i%g.planes)
		}
		return name
	case partMiddle:
		each := g.spines / g.pods
		return fmt.Sprintf("p%d.s%d", i/each, i%each)
	case partLine:
		return fmt.Sprintf("d%d.l%d", i/g.line, i%g.line)
	case partFabric:
		return fmt.Sprintf("d%d.f%d", i/g.fabric, i%g.fabric)
	case partNode:
		return fmt.Sprintf("u%d.n%d", i/g.perUnit, i%g.perUnit)
	default:
		if g.cores > 0 {
			return fmt.Sprintf("c%d", i)
		}
		return fmt.Sprintf("s%d", i)
	}
}

// Links yields the terminals node by node, then tier1 pod by pod and plane by plane, then tier2 and the backplanes.
func (g *leafSpine) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		_ = g.terminals(yield) && g.tier1(yield) && g.tier2(yield) && g.backplanes(yield)
	}
}

func (g *leafSpine) terminals(yield func(topology.Link) bool) bool {
	each := g.rails * g.planes
	for n := range g.nodes {
		for j := range each {
			if !yield(topology.Link{
				A: int32(n/g.perUnit*each + j), PortA: int32(n % g.perUnit * g.links),
				B: int32(g.node().First + n), PortB: int32(j * g.links), Width: int32(g.links),
			}) {
				return false
			}
		}
	}
	return true
}

func (g *leafSpine) tier1(yield func(topology.Link) bool) bool {
	for pod := range g.pods {
		for plane := range g.planes {
			first, spine := pod*g.podLeaves()*g.planes+plane, pod*g.podSpines()*g.planes+plane
			d := dealing{
				lower: first, step: g.planes, up: g.up, lowerPort: g.down, level: 1,
				lowers: min(g.podLeaves(), g.units*g.rails-pod*g.podLeaves()),
			}
			if g.cores > 0 {
				d.uppers = g.podSpines()
				d.upper = func(i int) int { return g.middle().First + spine + i*g.planes }
			} else {
				g.onTops(&d, g.podSpines(), func(i int) int { return spine + i*g.planes })
			}
			if !d.links(yield) {
				return false
			}
		}
	}
	return true
}

func (g *leafSpine) tier2(yield func(topology.Link) bool) bool {
	if g.cores == 0 {
		return true
	}
	groups, cores := g.coreGroups(), g.coresOf()
	for plane := range g.planes {
		for j := range groups {
			d := dealing{
				lower: g.middle().First + j*g.planes + plane, step: groups * g.planes,
				lowers: g.pods * g.podSpines() / groups, up: g.spineUp,
				lowerPort: g.middle().Ports - g.spineUp, level: 2,
			}
			g.onTops(&d, cores, func(i int) int { return (j*cores+i)*g.planes + plane })
			if !d.links(yield) {
				return false
			}
		}
	}
	return true
}

// onTops deals out to n switches of the highest tier, whose numbers are given, and in directors to their line cards.
func (g *leafSpine) onTops(d *dealing, n int, number func(i int) int) {
	d.uppers = n
	d.upper = func(i int) int { return g.top() + number(i) }
	if g.line > 0 {
		d.uppers = n * g.line
		d.upper = func(i int) int { return g.top() + number(i%n)*g.line + i/n }
	}
}

// backplanes yields the links between the cards of the directors, whose ports on line cards follow the outer ones.
func (g *leafSpine) backplanes(yield func(topology.Link) bool) bool {
	if g.line == 0 {
		return true
	}
	line, fabric := g.top(), g.top()+g.tops*g.line
	for director := range g.tops {
		d := dealing{
			lower: line + director*g.line, step: 1, lowers: g.line, up: g.ports,
			lowerPort: g.kinds[len(g.kinds)-3].Ports - g.ports, uppers: g.fabric, level: int32(len(g.levels) - 1),
			upper: func(i int) int { return fabric + director*g.fabric + i },
		}
		if !d.links(yield) {
			return false
		}
	}
	return true
}

// dealing joins the up ports of lower switches to upper ones in turn: channel k of the i-th lower switch goes to upper
// switch (i*up + k) mod uppers.
type dealing struct {
	lower, step, lowers int // first lower switch, distance between them, their number
	up, lowerPort       int // channels of a lower switch, its first port
	upper               func(i int) int
	uppers              int // upper switches; their first port is 0
	level               int32
}

func (d *dealing) links(yield func(topology.Link) bool) bool {
	width, wider := d.up/d.uppers, d.up%d.uppers
	for i := range d.lowers {
		l := topology.Link{A: int32(d.lower + i*d.step), PortA: int32(d.lowerPort), Level: d.level}
		to, port := i*d.up%d.uppers, i*d.up/d.uppers
		for k := range min(d.up, d.uppers) {
			l.Width = int32(width)
			if k < wider {
				l.Width++
			}
			l.B, l.PortB = int32(d.upper(to)), int32(port)
			if !yield(l) {
				return false
			}
			l.PortA += l.Width
			if to++; to == d.uppers {
				to, port = 0, port+1
			}
		}
	}
	return true
}

// even reports whether every leaf has channels of the same width to every spine of its plane and pod, and every spine
// to every core of its group; all pods have as many leaves.
func (g *leafSpine) even() bool {
	if g.line > 0 || g.up%g.podSpines() != 0 || g.units%g.podUnits != 0 {
		return false
	}
	return g.cores == 0 || g.spineUp%g.coresOf() == 0
}

// EvenTiers holds if besides all units are full.
func (g *leafSpine) EvenTiers() bool { return g.even() && g.units*g.perUnit == g.nodes }

// Orbits are the tiers of an even tree. In another every switch stands alone.
func (g *leafSpine) Orbits() []topology.Orbit {
	var out []topology.Orbit
	if g.EvenTiers() {
		for _, k := range g.kinds[:len(g.kinds)-1] {
			out = append(out, topology.Orbit{Vertex: k.First, Size: k.Count})
		}
		return out
	}
	return alone(g.node().First)
}

// LevelChannels: all ports of all nodes, all uplinks, and the inner ports of all line cards.
func (g *leafSpine) LevelChannels() []int64 {
	out := []int64{
		int64(g.nodes) * int64(g.rails*g.planes*g.links), int64(g.kinds[0].Count) * int64(g.up),
	}
	if g.cores > 0 {
		out = append(out, int64(g.spines)*int64(g.spineUp))
	}
	if g.line > 0 {
		out = append(out, int64(g.tops)*int64(g.line)*int64(g.ports))
	}
	return out
}

// ClosedForms has the distances without directors, as any two leaves of a plane share a spine, or any two pods a core.
// Half the channels of a tier are the bisection if the tree is even, its units are full, and they, or the pods, make
// two halves.
func (g *leafSpine) ClosedForms() topology.ClosedForms {
	c := noForms()
	if g.line > 0 {
		return c
	}
	tiers := []trees.Tier{{Size: g.perUnit, Hops: 2}, {Size: g.perUnit * g.podUnits, Hops: 4}}
	if g.pods > 1 {
		tiers = append(tiers, trees.Tier{Size: g.nodes, Hops: 6})
	}
	c.Diameter, c.MeanHops = trees.Distances(g.nodes, tiers)
	c.SingleLinks = g.links == 1 && g.up <= g.podSpines() && (g.cores == 0 || g.spineUp <= g.coresOf())
	if !g.even() {
		return c
	}
	spine := g.podLeaves() // links of a spine
	least, most := min(g.podSpines(), spine), max(g.podSpines(), spine)
	if g.cores > 0 {
		spine += g.coresOf()
		core := g.pods * g.podSpines() / g.coreGroups()
		least, most = min(g.podSpines(), spine, core), max(g.podSpines(), spine, core)
	}
	c.DegreeMin, c.DegreeMax = least, most
	if !g.EvenTiers() || g.pods == 1 && g.units%2 != 0 || g.pods > 1 && g.pods%2 != 0 {
		return c
	}
	all := g.LevelChannels()
	channels := min(all[0], all[1])
	if g.pods > 1 {
		channels = min(channels, all[2])
	}
	c.Bisection = float64(channels) / 2
	c.BisectionSource = "half the channels of the tier with the fewest; of the highest tier in J. Navaridas et al., " +
		"Parallel Computing 36, 2010, equation 4"
	return c
}

// TurnsOnce holds without directors: between two of their line cards, the way over a leaf has as few hops as that over
// a fabric card.
func (g *leafSpine) TurnsOnce() bool { return g.line == 0 }

// UsualRouting goes up by any port and down to the node.
func (g *leafSpine) UsualRouting() string {
	if g.TurnsOnce() {
		return "tree"
	}
	return "min-adaptive"
}

// PlacementGroups are the largest parts below the highest switches.
func (g *leafSpine) PlacementGroups() (strategy string, grouping int) {
	return "pods", len(g.Groupings()) - 1
}
