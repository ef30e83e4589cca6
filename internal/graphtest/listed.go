package graphtest

import (
	"fmt"
	"iter"
	"slices"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
)

// Listed is a graph given by its links.
type Listed struct {
	kinds  []topology.Kind
	levels int
	links  []topology.Link
}

// Family is "listed".
func (g *Listed) Family() string { return "listed" }

// Kinds are those that Add appended.
func (g *Listed) Kinds() []topology.Kind { return g.kinds }

// Groupings are none.
func (g *Listed) Groupings() []topology.Grouping { return nil }

// Label is the number of a vertex.
func (g *Listed) Label(v int) string { return fmt.Sprint(v) }

// Links are in the order of Join.
func (g *Listed) Links() iter.Seq[topology.Link] { return slices.Values(g.links) }

// Levels are level0, level1 and so on.
func (g *Listed) Levels() []topology.Level {
	var out []topology.Level
	for i := range max(g.levels, 1) {
		out = append(out, topology.Level{Name: fmt.Sprintf("level%d", i)})
	}
	return out
}

// Add appends count vertices of a role.
func (g *Listed) Add(role topology.Role, count int) *Listed {
	if count > 0 {
		g.kinds = append(g.kinds,
			topology.Kind{Name: role.String(), First: topology.Vertices(g), Count: count, Role: role})
	}
	return g
}

// Join appends a link, which may be changed.
func (g *Listed) Join(a, b, level int) *topology.Link {
	g.levels = max(g.levels, level+1)
	g.links = append(g.links, topology.Link{A: int32(a), B: int32(b), Level: int32(level), Width: 1})
	return &g.links[len(g.links)-1]
}

// DrawGraph draws a graph that may be in pieces, have simplex links, links on
// two levels between a pair, and terminals with any number of links.
func DrawGraph(t *rapid.T) *Listed {
	g := new(Listed)
	g.Add(topology.Node, rapid.IntRange(0, 12).Draw(t, "nodes"))
	g.Add(topology.Switch, rapid.IntRange(0, 12).Draw(t, "switches"))
	inner := topology.Vertices(g)
	g.Add(topology.Terminal, rapid.IntRange(0, 12).Draw(t, "terminals"))
	all := topology.Vertices(g)
	if inner == 0 {
		g = new(Listed).Add(topology.Switch, 1).Add(topology.Terminal, all)
		inner, all = 1, all+1
	}
	directed := rapid.Bool().Draw(t, "directed")
	seen := make(map[[3]int]bool)
	join := func(a, b, level int) {
		if a == b || seen[[3]int{min(a, b), max(a, b), level}] {
			return
		}
		seen[[3]int{min(a, b), max(a, b), level}] = true
		l := g.Join(a, b, level)
		l.Width = int32(rapid.IntRange(1, 3).Draw(t, "width"))
		l.Simplex = directed && rapid.Bool().Draw(t, "simplex")
	}
	for range rapid.IntRange(0, 3*inner).Draw(t, "links") {
		join(rapid.IntRange(0, inner-1).Draw(t, "a"), rapid.IntRange(0, inner-1).Draw(t, "b"),
			rapid.IntRange(0, 1).Draw(t, "level"))
	}
	most := rapid.IntRange(1, 3).Draw(t, "homes")
	for v := inner; v < all; v++ {
		for range rapid.IntRange(min(1, most-1), most).Draw(t, "links of a terminal") {
			join(rapid.IntRange(0, inner-1).Draw(t, "home"), v, 0)
		}
	}
	if all > inner+1 && rapid.IntRange(0, 3).Draw(t, "joined terminals") == 0 {
		join(inner, all-1, 1)
	}
	return g
}
