package topology_test

import (
	"fmt"
	"iter"
	"testing"

	"github.com/plenum-planner/plenum/topology"
)

func mustNew(t testing.TB, s topology.Params) topology.Graph {
	t.Helper()
	g, err := topology.New(s)
	if err != nil {
		t.Fatalf("New(%+v): %v", s, err)
	}
	return g
}

// fatal is what checkGraph needs of a test; *testing.T and *rapid.T have it.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkGraph checks what the interface promises of every graph, and that the
// graph is connected.
func checkGraph(t fatal, g topology.Graph) {
	t.Helper()
	kinds, levels := g.Kinds(), g.Levels()
	checkKinds(t, g, kinds)
	checkNests(t, g)

	n := topology.Vertices(g)
	const transmits, receives = 1, 2
	used := make([]map[int32]int, n)
	type pair struct{ a, b, level int32 }
	pairs := make(map[pair]bool)
	union := make([]int, n)
	for v := range n {
		union[v] = v
	}
	find := func(v int) int {
		for union[v] != v {
			union[v] = union[union[v]]
			v = union[v]
		}
		return v
	}
	take := func(v, first int32, l topology.Link, lanes int) {
		k := kinds[topology.KindOf(kinds, int(v))]
		if k.Role == topology.Terminal && levels[l.Level].Name != "terminal" {
			t.Fatalf("%+v touches terminal %d on level %s", l, v, levels[l.Level].Name)
		}
		if used[v] == nil {
			used[v] = make(map[int32]int)
		}
		for p := first; p < first+l.Width; p++ {
			if p < 0 || int(p) >= k.Ports {
				t.Fatalf("%+v: port %d of %s %d, which has %d", l, p, k.Name, v, k.Ports)
			}
			if used[v][p]&lanes != 0 {
				t.Fatalf("%+v: port %d of %s %d is in use", l, p, k.Name, v)
			}
			used[v][p] |= lanes
		}
	}
	var first []topology.Link
	for l := range g.Links() {
		if l.A < 0 || l.B < 0 || int(l.A) >= n || int(l.B) >= n || l.A == l.B {
			t.Fatalf("%+v: ends out of range", l)
		}
		if l.Level < 0 || int(l.Level) >= len(levels) || l.Width < 1 {
			t.Fatalf("%+v: level or width out of range", l)
		}
		p := pair{min(l.A, l.B), max(l.A, l.B), l.Level}
		if pairs[p] {
			t.Fatalf("%+v: the pair is listed twice", l)
		}
		pairs[p] = true
		if l.Simplex {
			take(l.A, l.PortA, l, transmits)
			take(l.B, l.PortB, l, receives)
		} else {
			take(l.A, l.PortA, l, transmits|receives)
			take(l.B, l.PortB, l, transmits|receives)
		}
		union[find(int(l.A))] = find(int(l.B))
		first = append(first, l)
	}
	for v := range n {
		if find(v) != find(0) {
			t.Fatalf("vertex %d (%s) is not connected to vertex 0", v, g.Label(v))
		}
	}

	i := 0
	for l := range g.Links() {
		if l != first[i] {
			t.Fatalf("link %d is %+v, then %+v", i, first[i], l)
		}
		i++
	}
	if i != len(first) {
		t.Fatalf("%d links, then %d", len(first), i)
	}
	for range g.Links() {
		break // a generator that goes on after yield returns false panics
	}
}

func checkKinds(t fatal, g topology.Graph, kinds []topology.Kind) {
	t.Helper()
	next := 0
	for i, k := range kinds {
		if k.First != next || k.Count < 1 {
			t.Fatalf("kind %q covers %d vertices from %d, expected from %d", k.Name, k.Count, k.First, next)
		}
		next += k.Count
		labels := make(map[string]int)
		for v := k.First; v < next; v++ {
			if topology.KindOf(kinds, v) != i {
				t.Fatalf("vertex %d is of kind %d, expected %d", v, topology.KindOf(kinds, v), i)
			}
			if w, ok := labels[g.Label(v)]; ok {
				t.Fatalf("%s %d and %d both have the label %s", k.Name, w, v, g.Label(v))
			}
			labels[g.Label(v)] = v
		}
	}
}

func checkNests(t fatal, g topology.Graph) {
	t.Helper()
	nests := g.Nests()
	for i, nest := range nests {
		seen := make([]bool, nest.Count)
		outer := make([]int32, nest.Count)
		for v := range topology.Vertices(g) {
			of := nest.Of(v)
			if of < -1 || int(of) >= nest.Count {
				t.Fatalf("vertex %d is in %s %d of %d", v, nest.Name, of, nest.Count)
			}
			if of == -1 {
				continue
			}
			if i+1 < len(nests) {
				o := nests[i+1].Of(v)
				if o == -1 || seen[of] && o != outer[of] {
					t.Fatalf("%s %d is not inside one %s", nest.Name, of, nests[i+1].Name)
				}
				outer[of] = o
			}
			seen[of] = true
		}
		for group, ok := range seen {
			if !ok {
				t.Fatalf("%s %d is empty", nest.Name, group)
			}
		}
	}
}

// crowd is a pair of vertices with far too many links.
type crowd struct{ topology.Graph }

func (crowd) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for range int64(topology.MaxLinks) + 1 {
			if !yield(topology.Link{A: 0, B: 1, Width: 1}) {
				return
			}
		}
	}
}

func TestCSROfTooManyLinks(t *testing.T) {
	if !long() {
		t.Skip("counts 2,147,483,648 links; set PLENUM_LONG=1")
	}
	defer func() {
		if what := fmt.Sprint(recover()); what != "topology: NewCSR of 2147483648 links; the most is 2147483647" {
			t.Error(what)
		}
	}()
	topology.NewCSR(crowd{mustNew(t, topology.Torus{Dims: topology.Ints{2}})})
}
