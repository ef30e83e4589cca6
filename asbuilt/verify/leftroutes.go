package verify

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
)

// mostLanes is how many virtual lanes a network has: those that carry data over InfiniBand are 8 on most switches.
const mostLanes = 8

// mostFollowed is how many pairs have their paths followed, and mostRouters the most boxes of a network for which
// tables are made and bounds of what it carries are sought: both take time with the square of them, and more.
const (
	mostFollowed = 1_000_000
	mostRouters  = 1 << 12
)

// restGraph is a network as a graph: its vertices in order, ports counted anew, and parallel channels as one link.
type restGraph struct {
	of    []int32 // of each vertex, its number in the plan
	label []string
	kinds []topology.Kind
	links []topology.Link
}

func (g *restGraph) Family() string                 { return "what is left" }
func (g *restGraph) Kinds() []topology.Kind         { return g.kinds }
func (g *restGraph) Levels() []topology.Level       { return []topology.Level{{Name: "link"}} }
func (g *restGraph) Groupings() []topology.Grouping { return nil }
func (g *restGraph) Label(v int) string             { return g.label[v] }
func (g *restGraph) Links() iter.Seq[topology.Link] { return slices.Values(g.links) }

// graph makes the graph: nodes that forward, then switches, then those that do not.
func (n *network) graph() *restGraph {
	g := &restGraph{}
	number := make(map[int32]int32, len(n.vertices))
	for _, role := range []topology.Role{topology.Node, topology.Switch, topology.Terminal} {
		k := topology.Kind{Name: role.String(), First: len(number), Role: role}
		for _, v := range n.vertices {
			if n.ends[v] == (role == topology.Terminal) && n.home[v] == (role != topology.Switch) {
				number[v] = int32(len(number))
				g.of = append(g.of, v)
				g.label = append(g.label, n.p.schedule.Device(v))
				k.Count++
				k.Ports = max(k.Ports, n.degree[v])
			}
		}
		if k.Count > 0 {
			g.kinds = append(g.kinds, k)
		}
	}
	for _, j := range n.links {
		a, b := number[j.a], number[j.b]
		g.links = append(g.links, topology.Link{A: min(a, b), B: max(a, b), Width: 1})
	}
	slices.SortFunc(g.links, func(x, y topology.Link) int {
		return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	joined := g.links[:0]
	for _, l := range g.links {
		if last := len(joined) - 1; last >= 0 && joined[last].A == l.A && joined[last].B == l.B {
			joined[last].Width++
		} else {
			joined = append(joined, l)
		}
	}
	g.links = joined
	next := make([]int32, len(number))
	for i := range g.links {
		l := &g.links[i]
		l.PortA, l.PortB = next[l.A], next[l.B]
		next[l.A] += l.Width
		next[l.B] += l.Width
	}
	return g
}

// routes makes tables for a network and follows them.
func (n *network) routes() Routes {
	if len(n.vertices) > mostRouters {
		return Routes{Problem: fmt.Sprintf("tables are made for %d boxes at most; these are %d", mostRouters,
			len(n.vertices))}
	}
	g := n.graph()
	net, err := routing.NewNetwork(g)
	if err != nil {
		return Routes{Problem: err.Error()}
	}
	f, err := routing.New(net, "minimal", routing.Options{VCs: mostLanes})
	if err != nil {
		return Routes{Problem: err.Error()}
	}
	r := Routes{Function: f.Name(), Lanes: f.Classes()}
	in := make([][]int32, net.Routers()) // the parts of the network
	parts := n.parts()
	for at, v := range net.Vertex {
		if in[at] = parts[g.of[v]]; n.forwards(g.of[v]) {
			in[at] = []int32{n.root(g.of[v])}
		}
	}
	r.Followed, err = routing.Follow(net, f, mostFollowed, func(src, dst int32) bool { return meet(in[src], in[dst]) })
	if r.OK = err == nil; err != nil {
		r.Problem = err.Error()
	}
	return r
}
