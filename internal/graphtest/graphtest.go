// Package graphtest is what the tests of package topology and of those beside it share: random
// members of every family, and checks of what holds for every graph.
package graphtest

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/plenum-planner/plenum/topology"
)

// New makes the graph of parameters that are right.
func New(t testing.TB, s topology.Params) topology.Graph {
	t.Helper()
	g, err := topology.New(s)
	if err != nil {
		t.Fatalf("New(%+v): %v", s, err)
	}
	return g
}

// T is what checks need of a test; *testing.T and *rapid.T have it.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Check checks what the interface promises of every graph, and that the
// graph is connected.
func Check(t T, g topology.Graph) {
	t.Helper()
	if pieces := Pieces(t, g); pieces != 1 {
		t.Fatalf("%s is in %d pieces", g.Family(), pieces)
	}
}

// Pieces checks what the interface promises of every graph, and counts the
// connected pieces.
func Pieces(t T, g topology.Graph) int {
	t.Helper()
	checkKinds(t, g, g.Kinds())
	checkNests(t, g)
	first, pieces := checkLinks(t, g)
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
	return pieces
}

// checkLinks checks the links one by one and that no port is used twice, lists them, and
// counts the pieces that they leave.
func checkLinks(t T, g topology.Graph) (links []topology.Link, pieces int) {
	t.Helper()
	levels := g.Levels()
	n := topology.Vertices(g)
	ports := ports{t, g, make([]map[int32]int, n)}
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
			ports.use(l.A, l.PortA, l, transmits)
			ports.use(l.B, l.PortB, l, receives)
		} else {
			ports.use(l.A, l.PortA, l, transmits|receives)
			ports.use(l.B, l.PortB, l, transmits|receives)
		}
		union[find(int(l.A))] = find(int(l.B))
		links = append(links, l)
	}
	for v := range n {
		if find(v) == v {
			pieces++
		}
	}
	return links, pieces
}

// ports has the lanes of the ports of every vertex that are in use.
type ports struct {
	t     T
	graph topology.Graph
	lanes []map[int32]int
}

const transmits, receives = 1, 2

// use checks and takes lanes of the ports of a link at v.
func (p ports) use(v, first int32, l topology.Link, lanes int) {
	p.t.Helper()
	kinds, level := p.graph.Kinds(), p.graph.Levels()[l.Level].Name
	k := kinds[topology.KindOf(kinds, int(v))]
	if k.Role == topology.Terminal && level != "terminal" {
		p.t.Fatalf("%+v touches terminal %d on level %s", l, v, level)
	}
	if p.lanes[v] == nil {
		p.lanes[v] = make(map[int32]int)
	}
	for port := first; port < first+l.Width; port++ {
		if port < 0 || int(port) >= k.Ports {
			p.t.Fatalf("%+v: port %d of %s %d, which has %d", l, port, k.Name, v, k.Ports)
		}
		if p.lanes[v][port]&lanes != 0 {
			p.t.Fatalf("%+v: port %d of %s %d is in use", l, port, k.Name, v)
		}
		p.lanes[v][port] |= lanes
	}
}

func checkKinds(t T, g topology.Graph, kinds []topology.Kind) {
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

func checkNests(t T, g topology.Graph) {
	t.Helper()
	nests := g.Groupings()
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

// CheckCounts compares the counts of a member of a family with a published one, and checks what every graph promises if
// it is small.
func CheckCounts(t testing.TB, p topology.Params, want string) {
	t.Helper()
	g := New(t, p)
	if topology.Vertices(g) < 10000 {
		Check(t, g)
	}
	if got := CountsText(g); got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

// CountsText describes a graph by its counts: "leaf 32, spine 16, node 127; terminal
// 1016, tier1 1024", links counted as channels.
func CountsText(g topology.Graph) string {
	s, sep := "", ""
	for _, k := range g.Kinds() {
		s += fmt.Sprintf("%s%s %d", sep, k.Name, k.Count)
		sep = ", "
	}
	sep = "; "
	for i, n := range topology.Count(g).ByLevel {
		s += fmt.Sprintf("%s%s %d", sep, g.Levels()[i].Name, n)
		sep = ", "
	}
	return s
}

// Equal checks a number against its closed form.
func Equal(t T, what string, got, want int64) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: %d, expected %d", what, got, want)
	}
}

// Long reports whether tests that take minutes are wanted.
func Long() bool { return os.Getenv("PLENUM_LONG") == "1" }

// Near checks a number against another up to rounding.
func Near(t T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
		t.Fatalf("%s: %v, expected %v", what, got, want)
	}
}
