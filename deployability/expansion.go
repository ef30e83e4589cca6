package deployability

import (
	"errors"
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/internal/growth"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/topology"
)

// notGrown says why the growth of a family is unknown.
var notGrown = map[string]string{
	"torus": "it grows by whole layers of a dimension, for each of which a link of every ring of the dimension is " +
		"moved; layers are not modelled",
	"hyperx":   "it takes ports of every switch, where others keep theirs",
	"slim-fly": "a network of another size is another graph",
}

// expand returns the figures of an expansion of a graph by at least the share of its nodes in opt. The error says why
// no expansion is known.
func expand(g topology.Graph, opt Options) (*report.Expansion, error) {
	grows, ok := g.(topology.Growable)
	if !ok {
		text := "no growth is known that leaves the boxes of the family " + g.Family() + " their ports"
		if why := notGrown[g.Family()]; why != "" {
			text = "the growth of the family " + g.Family() + " is not counted: " + why
		}
		return nil, errors.New(text)
	}
	nodes := topology.Count(g).Nodes
	larger, err := grows.Grown(max(1, int(math.Ceil(float64(nodes)*opt.growth()-1e-9))))
	if err != nil {
		return nil, fmt.Errorf("no larger network on switches of as many ports: %w", err)
	}
	e := stepsTo(g, larger, opt.residual())
	e.Added = topology.Count(larger).Nodes - nodes
	return e, nil
}

// pair is two boxes, the lower first.
type pair struct{ a, b int32 }

// channels counts the channels between every two vertices, and lists the pairs in the order of their first links.
func channels(g topology.Graph) (order []pair, count map[pair]int) {
	count = map[pair]int{}
	levels := g.Levels()
	for l := range g.Links() {
		p := pair{min(l.A, l.B), max(l.A, l.B)}
		if count[p] == 0 {
			order = append(order, p)
		}
		count[p] += int(l.Width * levels[l.Level].Ports())
	}
	return order, count
}

// stepsTo counts the links that are rewired to expand a network to a larger one, and the steps that this takes if every
// switch keeps the residual share of its capacity in each step. Boxes are matched by their labels, unless another
// match rewires fewer links.
func stepsTo(g, larger topology.Graph, residual float64) *report.Expansion {
	position := samePlaces(g, larger)
	order, old := channels(g)
	_, new := channels(larger)
	moves := growth.New(kinds(g, larger), kinds(larger, larger), repeat(old, order), repeatAll(larger))
	position = moves.Settle(position, func(int32) bool { return true })
	e := &report.Expansion{Residual: residual, Rewired: moves.Moves(position)}
	if e.Rewired > 0 {
		e.LeastRewired = moves.Least()
	}
	var pulled [][2]int32
	for _, p := range order {
		kept := 0
		if v, w := position[p.a], position[p.b]; v >= 0 && w >= 0 {
			kept = new[pair{min(v, w), max(v, w)}]
		}
		for range old[p] - kept {
			pulled = append(pulled, [2]int32{p.a, p.b})
		}
	}
	most := drainable(g, residual)
	moved := make([]bool, len(most))
	for _, l := range pulled {
		moved[l[0]], moved[l[1]] = true, true
	}
	for v := range most {
		if most[v] < 1 {
			most[v] = 1
			if moved[v] {
				e.BelowResidual++
			}
		}
	}
	var round []int32
	round, e.LeastSteps = growth.Rounds(most, pulled)
	for _, r := range round {
		e.Steps = max(e.Steps, int(r)+1)
	}
	return e
}

// drainable returns the number of links that can be disconnected from every vertex while it keeps the residual share of
// its capacity. The capacity of a switch is the number of its links, but at most the number of its links to nodes if it
// has any; links to nodes are not disconnected.
func drainable(g topology.Graph, residual float64) []int {
	kinds := g.Kinds()
	links, toNodes := make([]int, topology.Vertices(g)), make([]int, topology.Vertices(g))
	levels := g.Levels()
	for l := range g.Links() {
		n := int(l.Width * levels[l.Level].Ports())
		a, b := isTerminal(kinds, l.A), isTerminal(kinds, l.B)
		for _, e := range [2]struct {
			v           int32
			from, other bool
		}{{l.A, a, b}, {l.B, b, a}} {
			if e.other && !e.from {
				toNodes[e.v] += n
			} else {
				links[e.v] += n
			}
		}
	}
	for v := range links {
		needed := links[v]
		if toNodes[v] > 0 {
			needed = min(needed, toNodes[v])
		}
		links[v] -= int(math.Ceil(float64(needed)*residual - 1e-9))
	}
	return links
}

// isTerminal reports whether v is a terminal.
func isTerminal(kinds []topology.Kind, v int32) bool {
	return kinds[topology.KindOf(kinds, int(v))].Role == topology.Terminal
}

// kinds returns, for every vertex of g, the index in named.Kinds of the kind with the same name; -1 if there is none.
func kinds(g, named topology.Graph) []int32 {
	out := make([]int32, topology.Vertices(g))
	for _, k := range g.Kinds() {
		number := int32(-1)
		for i, other := range named.Kinds() {
			if other.Name == k.Name {
				number = int32(i)
			}
		}
		for v := k.First; v < k.First+k.Count; v++ {
			out[v] = number
		}
	}
	return out
}

// samePlaces returns, for every vertex of g, the vertex of the larger graph with the same kind and label, -1 for none.
func samePlaces(g, larger topology.Graph) []int32 {
	at := map[string]int32{}
	for _, k := range larger.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			at[k.Name+"\n"+larger.Label(v)] = int32(v)
		}
	}
	out := make([]int32, topology.Vertices(g))
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			w, ok := at[k.Name+"\n"+g.Label(v)]
			if !ok {
				w = -1
			}
			out[v] = w
		}
	}
	return out
}

// repeatAll lists every channel of a graph as a link of its own.
func repeatAll(g topology.Graph) [][2]int32 {
	order, count := channels(g)
	return repeat(count, order)
}

// repeat lists the pairs of order, each as often as it is counted.
func repeat(count map[pair]int, order []pair) [][2]int32 {
	var out [][2]int32
	for _, p := range order {
		for range count[p] {
			out = append(out, [2]int32{p.a, p.b})
		}
	}
	return out
}
