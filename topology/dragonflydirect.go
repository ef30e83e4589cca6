package topology

import (
	"fmt"
	"iter"
)

// directDragonfly is a dragonfly in which every node is its own switch: p+2
// groups of p+1 fully joined nodes, with s links between every two groups (S.
// Li et al., "Low latency, high bisection-bandwidth networks for exascale
// memory systems", MEMSYS 2016, section 1, Dragonfly and High-Bisection
// Extensions). Each node has p local and s global ports. The diameter is 3, and
// 2 if s = p+1, the "dragonfly limit".
//
// The paper does not say which nodes the links join. Here copy t < s of node a
// in group g leads to group g + 1 + ((a+t) mod (p+1)), modulo p+2, and there to
// node -1-a-2t modulo p+1, whose copy t leads back. Turning the groups round is
// a symmetry, so each number a is an orbit.
//
// The only kind is "node"; the levels are local and global; the grouping is "group". The local ports lead to the other
// nodes of the group in ascending order, the global port p+t is copy t.
type directDragonfly struct {
	local, copies int // p and s
	kinds         []Kind
	levels        []Level
}

var (
	_ Symmetric   = (*directDragonfly)(nil)
	_ Formulas    = (*directDragonfly)(nil)
	_ Grouped     = (*directDragonfly)(nil)
	_ UsualRouter = (*directDragonfly)(nil)
	_ Placeable   = (*directDragonfly)(nil)
	_ WorstCase   = (*directDragonfly)(nil)
)

func newDirectDragonfly(p Dragonfly, m *Mistakes) Graph {
	for _, other := range []struct {
		name string
		v    int
	}{{"p", p.P}, {"a", p.A}, {"h", p.H}, {"groups", p.Groups}} {
		if other.v != 0 {
			m.Add(other.name, "follows from local_ports")
		}
	}
	if p.Arrangement != "" {
		m.Add("arrangement", "does not go with local_ports, which has an arrangement of its own")
	}
	m.Within("local_ports", p.LocalPorts, 1, MaxPorts)
	m.Within("links_per_pair", p.LinksPerPair, 1, MaxPorts)
	if !m.None() {
		return nil
	}
	g := &directDragonfly{local: p.LocalPorts, copies: max(p.LinksPerPair, 1), levels: dragonflyLevels()[1:]}
	if g.copies > g.local+1 {
		m.Add("links_per_pair", "a group of %s has at most as many links to another, not %d",
			plural(g.local+1, "node"), g.copies)
		return nil
	}
	m.Ports("local_ports", int64(g.local+g.copies))
	nodes := int64(g.local+1) * int64(g.local+2)
	m.Vertices("local_ports", nodes)
	if !m.None() {
		return nil
	}
	g.kinds = []Kind{{Name: "node", Count: int(nodes), Role: Node, Ports: g.local + g.copies}}
	return withLocal(g, p.Local, m)
}

func (g *directDragonfly) Family() string  { return "dragonfly" }
func (g *directDragonfly) Kinds() []Kind   { return g.kinds }
func (g *directDragonfly) Levels() []Level { return g.levels }

func (g *directDragonfly) Groupings() []Grouping {
	return []Grouping{{Name: "group", Count: g.local + 2, Of: func(v int) int32 {
		return int32(v / (g.local + 1))
	}}}
}

// Label is the group and the node in it: "(8,3)".
func (g *directDragonfly) Label(v int) string {
	return fmt.Sprintf("(%d,%d)", v/(g.local+1), v%(g.local+1))
}

func (g *directDragonfly) Orbits() []Orbit {
	out := make([]Orbit, g.local+1)
	for a := range out {
		out[a] = Orbit{a, g.local + 2}
	}
	return out
}

func (g *directDragonfly) ClosedForms() ClosedForms {
	groups := g.local + 2
	c := ClosedForms{
		DegreeMin: g.local + g.copies, DegreeMax: g.local + g.copies, Diameter: 3, MeanHops: -1,
		Bisection: float64(g.copies * (groups / 2) * (groups - groups/2)),
		BisectionSource: "s floor(M/2) ceil(M/2), between halves of the M = p+2 groups; about s (p+2)^2/4 in " +
			exascaleSource,
	}
	if g.copies == g.local+1 {
		c.Diameter = 2
	}
	return c
}

// Links yields the local links group by group, then the global links copy by
// copy.
func (g *directDragonfly) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		_ = g.localLinks(yield) && g.otherLinks(yield)
	}
}

func (g *directDragonfly) localLinks(yield func(Link) bool) bool {
	size := g.local + 1
	for first := 0; first < g.kinds[0].Count; first += size {
		for i := range size {
			for j := i + 1; j < size; j++ {
				if !yield(Link{
					A: int32(first + i), B: int32(first + j), PortA: int32(j - 1), PortB: int32(i), Width: 1,
				}) {
					return false
				}
			}
		}
	}
	return true
}

// otherLinks yields the global links.
func (g *directDragonfly) otherLinks(yield func(Link) bool) bool {
	size, groups := g.local+1, g.local+2
	for t := range g.copies {
		l := Link{PortA: int32(g.local + t), PortB: int32(g.local + t), Level: 1, Width: 1}
		for a := range size {
			ahead := 1 + (a+t)%size
			there := (2*size - 1 - a - 2*t%size) % size
			for x := range groups - ahead { // the other groups are joined from their other end
				l.A, l.B = int32(x*size+a), int32((x+ahead)*size+there)
				if !yield(l) {
					return false
				}
			}
		}
	}
	return true
}

// cliqueForm describes the groups.
func (g *directDragonfly) cliqueForm() cliqueForm {
	return cliqueForm{
		param: "local_ports", less: 1, size: g.local + 1, ports: g.local, router: func(v int) int { return v },
	}
}

// RoutingGroups are the groups, every two of which are joined.
func (g *directDragonfly) RoutingGroups() Grouping {
	groupings := g.Groupings()
	return groupings[len(groupings)-1]
}

// UsualRouting is UGAL by the queues of the source.
func (g *directDragonfly) UsualRouting() string { return "ugal-l" }

// PlacementGroups are the groups.
func (g *directDragonfly) PlacementGroups() (strategy string, grouping int) {
	return "groups", len(g.Groupings()) - 1
}

// WorstCaseTraffic sends all traffic of a group to the next one (J. Kim et al., ISCA 2008,
// section 4.2).
func (g *directDragonfly) WorstCaseTraffic() string { return "next-group" }

// LevelChannels returns the links within groups, then those between groups.
func (g *directDragonfly) LevelChannels() []int64 {
	nodes := int64(g.kinds[0].Count)
	return []int64{nodes / 2 * int64(g.local), nodes / 2 * int64(g.copies)}
}

func directDragonflySize(local, perPair int) Size {
	p := Dragonfly{LocalPorts: local}
	if perPair > 1 {
		p.LinksPerPair = perPair
	}
	z := regularSize(p, (local+1)*(local+2), local+perPair, 3)
	if perPair == local+1 {
		z.Diameter = 2
	}
	return z
}
