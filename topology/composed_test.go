package topology_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// checkComposed holds a network of local networks against the same network of cliques: it has the same links but those
// of the cliques, in the same order and on the same ports but for a shift, and in place of each clique the links of the
// local network.
func checkComposed(t graphtest.T, outer topology.Params, local *topology.Local, level, size int, g topology.Graph) {
	t.Helper()
	base, err := topology.New(outer)
	if err != nil {
		t.Fatalf("%v", err)
	}
	inner, first := topology.LocalNetworkOf(g)
	if inner == nil || first != level || topology.Vertices(inner) != size || inner.Family() != local.Family() {
		t.Fatalf("local network %v on level %d", inner, first)
	}
	added := len(inner.Levels()) - 1
	var levels []topology.Level
	for _, l := range inner.Levels() {
		levels = append(levels, topology.Level{Name: "local_" + l.Name, Capacity: l.Capacity})
	}
	if want := slices.Replace(slices.Clone(base.Levels()), level, level+1, levels...); !slices.Equal(g.Levels(), want) {
		t.Fatalf("levels %v, expected %v", g.Levels(), want)
	}
	between := func(g topology.Graph, inside func(level int) bool, down int) (links []string) {
		for l := range g.Links() {
			if inside(int(l.Level)) {
				continue
			}
			if int(l.Level) > level {
				l.Level -= int32(down)
			}
			links = append(links, fmt.Sprint(l.A, l.B, l.Level, l.Width, l.Simplex))
		}
		return links
	}
	want := between(base, func(l int) bool { return l == level }, 0)
	got := between(g, func(l int) bool { return l >= level && l <= level+added }, added)
	if !slices.Equal(got, want) {
		t.Fatalf("links between local networks %v, expected %v", got, want)
	}
	count := g.Kinds()[0].Count / size
	seen := make([]map[string]bool, count)
	for l := range g.Links() {
		if int(l.Level) < level || int(l.Level) > level+added {
			continue
		}
		group := int(l.A) / size
		if int(l.B)/size != group {
			t.Fatalf("%+v leaves its local network", l)
		}
		if seen[group] == nil {
			seen[group] = map[string]bool{}
		}
		seen[group][fmt.Sprint(int(l.A)%size, int(l.B)%size, int(l.Level)-level, l.Width)] = true
	}
	for group := range seen {
		links := 0
		for l := range inner.Links() {
			links++
			if !seen[group][fmt.Sprint(l.A, l.B, l.Level, l.Width)] {
				t.Fatalf("local network %d has no link %+v", group, l)
			}
		}
		graphtest.Equal(t, "local links", int64(len(seen[group])), int64(links))
	}
	// A router has the ports of both, without those into the clique.
	inClique := size - 1
	if s, ok := outer.(topology.CLEX); ok && !s.Bundled {
		inClique = size // with that of the loop
	}
	graphtest.Equal(t, "ports", int64(g.Kinds()[0].Ports),
		int64(base.Kinds()[0].Ports-inClique+inner.Kinds()[0].Ports))
	if f := g.(topology.Formulas).ClosedForms(); f.Diameter >= 0 || f.MeanHops >= 0 || f.Bisection >= 0 {
		t.Fatalf("distances and bisection are not known, and stated as %+v", f)
	}
}

func localOf(p topology.Params) *topology.Local {
	return &topology.Local{Spec: topology.Spec{Params: p}}
}

// A HyperX of one dimension is a clique: with it, a network has the links that it has without.
func TestLocalClique(t *testing.T) {
	clique := localOf(topology.HyperX{Dims: topology.Ints{4}})
	for _, pair := range [][2]topology.Params{
		{topology.CLEX{Clique: 4, Levels: 3}, topology.CLEX{Clique: 4, Levels: 3, Local: clique}},
		{
			topology.CLEX{Clique: 4, Levels: 3, Bundled: true},
			topology.CLEX{Clique: 4, Levels: 3, Bundled: true, Local: clique},
		},
		{
			topology.CLEX{Clique: 4, Levels: 2, Bundled: true, Terminals: 2},
			topology.CLEX{Clique: 4, Levels: 2, Bundled: true, Terminals: 2, Local: clique},
		},
		{topology.Dragonfly{P: 2, A: 4, H: 2}, topology.Dragonfly{P: 2, A: 4, H: 2, Local: clique}},
		{topology.Dragonfly{LocalPorts: 3}, topology.Dragonfly{LocalPorts: 3, Local: clique}},
	} {
		var links [2][]string
		for i, p := range pair {
			g, err := topology.New(p)
			if err != nil {
				t.Fatal(err)
			}
			for l := range g.Links() {
				links[i] = append(links[i], fmt.Sprintf("%+v", l))
				if s, ok := p.(topology.CLEX); ok && !s.Bundled {
					l.PortA, l.PortB = 0, 0 // a clique of the full form has a port for the loop
					links[i][len(links[i])-1] = fmt.Sprintf("%+v", l)
				}
			}
		}
		if !slices.Equal(links[0], links[1]) {
			t.Errorf("%v: links %v, with a local clique %v", topology.Spec{Params: pair[0]}, links[0], links[1])
		}
	}
}

func TestLocalNetworksThatDoNotFit(t *testing.T) {
	clex := func(p topology.Params) topology.CLEX {
		return topology.CLEX{Clique: 16, Levels: 2, Bundled: true, Local: localOf(p)}
	}
	square := topology.Torus{Dims: topology.Ints{4, 4}}
	for _, tt := range []struct {
		params topology.Params
		want   string
	}{
		{
			clex(topology.Torus{Dims: topology.Ints{4, 3}}),
			"clex: local: a torus of 12 nodes cannot replace a clique of 16; change its size, or set clique to 12",
		},
		{
			topology.Dragonfly{P: 1, A: 4, H: 1, Local: localOf(square)},
			"dragonfly: local: a torus of 16 nodes cannot replace a clique of 4; change its size, or set a to 16",
		},
		{
			topology.Dragonfly{LocalPorts: 3, Local: localOf(square)},
			"dragonfly: local: a torus of 16 nodes cannot replace a clique of 4; " +
				"change its size, or set local_ports to 15",
		},
		{
			clex(topology.FatTree{Nodes: 16, Radix: 8}),
			"clex: local.family: the nodes of this fat-tree are connected by switches (leaf and spine); a local " +
				"network connects the nodes of a clique directly, as a torus, a mesh, a hypercube or a hyperx does",
		},
		{
			clex(topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 2}),
			"clex: local.terminals: a local network connects the nodes of the clique that it replaces; " +
				"leave terminals out",
		},
		{
			clex(topology.CLEX{Clique: 4, Levels: 2, Local: localOf(square)}),
			"clex: local.local: a local network has no local networks of its own",
		},
		{clex(topology.Torus{}), "clex: local.dims: is missing: the number of points in each dimension"},
		{clex(nil), "clex: local.family: is missing"},
		{
			topology.CLEX{Clique: 16, Levels: 1, Local: localOf(square)},
			"clex: local: the network is a single clique; use the family torus in its place, or more levels",
		},
		{
			topology.Dragonfly{P: 1, A: 1, H: 1, Local: localOf(topology.Torus{Dims: topology.Ints{1}})},
			"dragonfly: local: a clique of one node has no links that a local network could replace",
		},
	} {
		if _, err := topology.New(tt.params); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%+v: %v, expected %s", tt.params, err, tt.want)
		}
	}
}

// A section with a local network is written as it is read.
func TestLocalSection(t *testing.T) {
	s := topology.Spec{Params: topology.CLEX{
		Clique: 16, Levels: 2, Bundled: true, Local: localOf(topology.Torus{Dims: topology.Ints{4, 4}}),
	}}
	want := "{family: clex, clique: 16, bundled: true, levels: 2, local: {family: torus, dims: [4, 4]}}"
	if got := s.String(); got != want {
		t.Errorf("section %s, expected %s", got, want)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back topology.Spec
	if err := json.Unmarshal(text, &back); err != nil || !back.Equal(s) {
		t.Errorf("%s is read as %v: %v", text, back, err)
	}
	if err := json.Unmarshal([]byte(`{"family":"torus","dims":[4],"local":{"family":"torus","dims":[4]}}`),
		&back); err != nil {
		t.Fatal(err)
	}
	if _, err := topology.New(back); err == nil || !strings.Contains(err.Error(), "torus: local: is not a parameter") {
		t.Errorf("a torus with a local network: %v", err)
	}
}
