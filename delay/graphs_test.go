package delay

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// listed is a graph given by its links.
type listed struct {
	kinds  []topology.Kind
	levels int
	links  []topology.Link
}

var _ topology.Graph = (*listed)(nil)

func (g *listed) Family() string                 { return "listed" }
func (g *listed) Kinds() []topology.Kind         { return g.kinds }
func (g *listed) Groupings() []topology.Grouping { return nil }
func (g *listed) Label(v int) string             { return fmt.Sprint(v) }

func (g *listed) Links() iter.Seq[topology.Link] { return slices.Values(g.links) }

func (g *listed) Levels() []topology.Level {
	var out []topology.Level
	for i := range max(g.levels, 1) {
		out = append(out, topology.Level{Name: fmt.Sprintf("level%d", i)})
	}
	return out
}

// kind appends count vertices of a role.
func (g *listed) kind(role topology.Role, count int) *listed {
	g.kinds = append(g.kinds, topology.Kind{Name: role.String(), First: topology.Vertices(g), Count: count, Role: role})
	return g
}

func (g *listed) link(a, b, level int) {
	g.levels = max(g.levels, level+1)
	g.links = append(g.links, topology.Link{A: int32(a), B: int32(b), Level: int32(level), Width: 1})
}

// grid is a torus, a ring in every dimension.
type grid struct {
	listed
	dims []int
}

var _ topology.Lattice = (*grid)(nil)

func (g *grid) Dims() []int             { return g.dims }
func (g *grid) Wraps(int) bool          { return true }
func (g *grid) TerminalsPerRouter() int { return 0 }

func torus(dims ...int) *grid {
	size := 1
	for _, d := range dims {
		size *= d
	}
	g := &grid{dims: dims}
	g.kind(topology.Node, size)
	for v := range size {
		stride := 1
		for level, d := range dims {
			x := v / stride % d
			if to := v + ((x+1)%d-x)*stride; d > 2 || d == 2 && x == 0 {
				g.link(v, to, level)
			}
			stride *= d
		}
	}
	return g
}

// lines is a mesh: a torus without the links that close its rings.
func lines(dims ...int) *grid {
	g := torus(dims...)
	g.links = slices.DeleteFunc(g.links, func(l topology.Link) bool { return l.B < l.A })
	return g
}

// leafSpine is a two-tier fat tree; every node has a link to rails leaves.
func leafSpine(leaves, spines, perLeaf, rails int) *listed {
	nodes := leaves / rails * perLeaf
	g := new(listed).kind(topology.Terminal, nodes).kind(topology.Switch, leaves).kind(topology.Switch, spines)
	for t := range nodes {
		for r := range rails {
			g.link(t, nodes+t/perLeaf*rails+r, 0)
		}
	}
	for l := range leaves {
		for s := range spines {
			g.link(nodes+l, nodes+leaves+s, 1)
		}
	}
	return g
}

// hyperX is a square of switches, complete in rows and columns.
func hyperX(side, terminals int) *listed {
	switches := side * side
	g := new(listed).kind(topology.Switch, switches).kind(topology.Terminal, switches*terminals)
	for v := range switches {
		for x := v%side + 1; x < side; x++ {
			g.link(v, v-v%side+x, 0)
		}
		for y := v/side + 1; y < side; y++ {
			g.link(v, v%side+y*side, 1)
		}
		for t := range terminals {
			g.link(v, switches+v*terminals+t, 2)
		}
	}
	return g
}

// randomGraph has nodes, switches and terminals, some of them with several
// links, with links to each other or without any.
func randomGraph(rng *rand.Rand) *listed {
	g := new(listed).kind(topology.Node, rng.IntN(4)).kind(topology.Switch, 1+rng.IntN(5)).kind(topology.Terminal,
		rng.IntN(7))
	inner := g.kinds[2].First
	all := topology.Vertices(g)
	seen := map[[3]int]bool{}
	join := func(a, b, level int) {
		if a == b || seen[[3]int{min(a, b), max(a, b), level}] {
			return
		}
		seen[[3]int{min(a, b), max(a, b), level}] = true
		g.link(a, b, level)
	}
	for range rng.IntN(3 * inner) {
		join(rng.IntN(inner), rng.IntN(inner), rng.IntN(2))
	}
	for t := inner; t < all; t++ {
		for range []int{0, 1, 1, 1, 1, 2, 3}[rng.IntN(7)] {
			join(t, rng.IntN(inner), rng.IntN(2))
		}
	}
	if rng.IntN(4) == 0 {
		join(rng.IntN(all), rng.IntN(all), 0)
	}
	return g
}

// model has two media and a hop delay per kind.
func model(g topology.Graph) Model {
	m := Model{Media: []Medium{{"copper", 4.3, 0}, {"optic", 4.9, 2.5}}}
	for i := range g.Kinds() {
		m.Hop = append(m.Hop, []units.Time{90, 110, 0}[i%3])
	}
	return m
}

// lengths gives the links of g random lengths and media.
func lengths(g topology.Graph, rng *rand.Rand, choices int) Links {
	var l Links
	for range g.Links() {
		l.length = append(l.length, float32(rng.IntN(choices))*0.35+0.6)
		l.medium = append(l.medium, uint8(rng.IntN(2)))
	}
	return l
}

// racked gives a torus of three dimensions the lengths that it has in racks of
// 2 x 4 x 4 nodes: up to the ladder, along it to the next but one rack of a folded
// ring, which is closer at its ends, and down.
func racked(g *grid) Links {
	block := [3]int{2, 4, 4}
	var l Links
	for _, link := range g.links {
		var x [3]int
		for d, v := 0, int(link.A); d < 3; d++ {
			x[d] = v % g.dims[d]
			v /= g.dims[d]
		}
		d := int(link.Level)
		if (x[d]+1)%block[d] != 0 {
			l.Add(0.3+0.15*units.Length(d), 0)
			continue
		}
		up := units.Length(x[1]%4+4*(x[2]%4)) * 0.09
		over := []units.Length{1.2, 3.6, 19.2}[d]
		if racks := g.dims[d] / block[d]; (x[d]/block[d]+1)%(racks/2) == 0 {
			over /= 2
		}
		l.Add(1.5+2*up+over, 1)
	}
	return l
}
