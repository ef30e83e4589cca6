package traffic

import (
	"errors"
	"fmt"

	"github.com/plenum-planner/plenum/topology"
)

// SlimFlyWorst returns the worst case of minimal routing on a graph of routers
// of diameter 2, built as M. Besta and T. Hoefler build it for the Slim Fly
// ("Slim Fly: a cost effective low-diameter network topology", SC 2014, section
// V-C): routers a - b - c - d on a path such that b is the only router between
// a and c, and c the only one between b and d. The terminals of a exchange
// messages with those of c, and the terminals of b with those of d, each with
// the one in the same place on the other router. With p terminals a router, 2p
// flows share the link b - c in either direction, so that minimal routing stops
// at 1/(2p).
//
// Paths are taken in the order of the routers until none is left. The routers
// left over are paired with one two hops away where there is one, then with any;
// a last single router is silent.
func SlimFlyWorst(g topology.Graph) (Pattern, error) {
	a, err := attach(g)
	if err != nil {
		return nil, err
	}
	m := matching{csr: topology.NewCSR(g), routers: a.routers, peer: make(map[int32]int32, len(a.routers))}
	m.paths()
	m.rest(true)
	m.rest(false)
	f := make(fixed, a.terminals)
	for t := range f {
		f[t] = -1
	}
	for _, r := range a.routers {
		peer, ok := m.peer[r]
		if !ok {
			continue
		}
		mine, theirs := a.on[r], a.on[peer]
		for i, t := range mine {
			f[t] = theirs[i%len(theirs)]
		}
	}
	return f, nil
}

// attachment says which terminals hang on which router.
type attachment struct {
	terminals int
	routers   []int32           // vertices that carry terminals, ascending
	on        map[int32][]int32 // terminals of a router
}

// attach finds the routers of all terminals; a vertex of role Node is its own.
func attach(g topology.Graph) (*attachment, error) {
	a := &attachment{on: make(map[int32][]int32)}
	first := make(map[int]int32) // first terminal of a kind's range
	for i, k := range g.Kinds() {
		if k.Role == topology.Switch {
			continue
		}
		first[i] = int32(a.terminals)
		a.terminals += k.Count
	}
	if a.terminals == 0 {
		return nil, errors.New("the network has no terminals")
	}
	kinds := g.Kinds()
	for i, k := range kinds {
		if k.Role == topology.Node {
			for v := range k.Count {
				a.on[int32(k.First+v)] = []int32{first[i] + int32(v)}
			}
		}
	}
	for l := range g.Links() {
		for _, end := range [2][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if i := topology.KindOf(kinds, int(end[0])); kinds[i].Role == topology.Terminal {
				a.on[end[1]] = append(a.on[end[1]], first[i]+end[0]-int32(kinds[i].First))
			}
		}
	}
	for v := range int32(topology.Vertices(g)) {
		if len(a.on[v]) > 0 {
			a.routers = append(a.routers, v)
		}
	}
	return a, nil
}

// matching pairs routers.
type matching struct {
	csr     *topology.CSR
	routers []int32
	peer    map[int32]int32
}

func (m *matching) free(r int32) bool {
	_, taken := m.peer[r]
	return !taken
}

func (m *matching) pair(a, b int32) { m.peer[a], m.peer[b] = b, a }

// adjacent and onlyBetween look at neighbours in their order; the graphs have
// few of them.
func (m *matching) adjacent(a, b int32) bool {
	for _, n := range m.csr.Neighbours(int(a)) {
		if n == b {
			return true
		}
	}
	return false
}

// onlyBetween reports whether the one way of two hops from a to c is by b.
func (m *matching) onlyBetween(a, b, c int32) bool {
	if a == c || m.adjacent(a, c) {
		return false
	}
	for _, n := range m.csr.Neighbours(int(a)) {
		if n != b && m.adjacent(n, c) {
			return false
		}
	}
	return true
}

func (m *matching) carriers() map[int32]bool {
	set := make(map[int32]bool, len(m.routers))
	for _, r := range m.routers {
		set[r] = true
	}
	return set
}

// paths pairs the routers of disjoint paths a - b - c - d.
func (m *matching) paths() {
	carries := m.carriers()
	for _, b := range m.routers {
		if m.free(b) {
			m.pathFrom(b, carries)
		}
	}
}

func (m *matching) pathFrom(b int32, carries map[int32]bool) {
	for _, c := range m.csr.Neighbours(int(b)) {
		if !carries[c] || !m.free(c) {
			continue
		}
		a := m.farEnd(b, c, -1, carries)
		if a < 0 {
			continue
		}
		if d := m.farEnd(c, b, a, carries); d >= 0 {
			m.pair(a, c)
			m.pair(b, d)
			return
		}
	}
}

// farEnd finds a free neighbour of near, other than not, whose only way to far
// is by near, or -1.
func (m *matching) farEnd(near, far, not int32, carries map[int32]bool) int32 {
	for _, a := range m.csr.Neighbours(int(near)) {
		if a != far && a != not && carries[a] && m.free(a) && m.onlyBetween(a, near, far) {
			return a
		}
	}
	return -1
}

// rest pairs what is left: only routers two hops apart, or any.
func (m *matching) rest(twoHops bool) {
	for i, a := range m.routers {
		for _, b := range m.routers[i+1:] {
			if !m.free(a) {
				break
			}
			if m.free(b) && (!twoHops || !m.adjacent(a, b)) {
				m.pair(a, b)
			}
		}
	}
}

// worstCase returns the pattern that is published as the worst case of minimal routing for the family of g: another
// pattern of ParsePattern, or SlimFlyWorst. The error says that none is published.
func worstCase(g topology.Graph, seed uint64) (Pattern, error) {
	w, ok := g.(topology.WorstCase)
	if !ok || w.WorstCaseTraffic() == "" {
		return nil, fmt.Errorf("worst-case is not for %s, whose sources give no worst case of minimal routing; "+
			"on a torus tornado is the bad case", g.Family())
	}
	switch name := w.WorstCaseTraffic(); name {
	case "two-hop-paths":
		return SlimFlyWorst(g)
	case "worst-case":
		return nil, fmt.Errorf("the worst case of %s is given as itself", g.Family())
	default:
		return ParsePattern(name, g, seed)
	}
}

// groupsOf returns the group of every terminal by the coarsest grouping of the name "group"; -1 for one in no group.
func groupsOf(g topology.Graph) ([]int32, error) {
	var nest *topology.Grouping
	nests := g.Groupings()
	for i := range nests {
		if nests[i].Name == "group" {
			nest = &nests[i]
		}
	}
	if nest == nil {
		return nil, fmt.Errorf("%s has no groups", g.Family())
	}
	var groups []int32
	for _, k := range g.Kinds() {
		if k.Role == topology.Switch {
			continue
		}
		for v := k.First; v < k.First+k.Count; v++ {
			groups = append(groups, nest.Of(v))
		}
	}
	return groups, nil
}
