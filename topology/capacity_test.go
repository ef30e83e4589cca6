package topology_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// drawCapacity draws a capacity for some levels.
func drawCapacity(t *rapid.T, levels []topology.Level, most int) map[string]int {
	out := map[string]int{}
	for _, l := range levels {
		if rapid.Bool().Draw(t, "given") {
			out[l.Name] = rapid.IntRange(1, most).Draw(t, "capacity")
		}
	}
	return out
}

// usualCapacity is the capacity of a level that is not given one: that of the ports of a clique on the upper levels of
// a bundled CLEX, which may be a local network.
func usualCapacity(p topology.Params, level string) int {
	if name, ok := strings.CutPrefix(level, "local_"); ok {
		var local *topology.Local
		switch p := p.(type) {
		case topology.CLEX:
			local = p.Local
		case topology.Dragonfly:
			local = p.Local
		}
		return usualCapacity(local.Params, name)
	}
	if clex, ok := p.(topology.CLEX); ok && clex.Bundled && level != "level1" && level != "terminal" {
		return clex.Clique
	}
	return 1
}

// Every family takes a capacity for each of its levels, and links, kinds and counts stay as they are.
func TestCapacityOfAnyMember(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p, plain := graphtest.Member(t, f.Name, 1000)
				given := drawCapacity(t, plain.Levels(), topology.MaxCapacity)
				g, err := topology.New(topology.Spec{
					Params: p, LevelCapacity: topology.LevelCapacity{Capacity: given},
				})
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range g.Levels() {
					want, ok := given[l.Name]
					if !ok {
						want = usualCapacity(p, l.Name)
					}
					if int(l.Channels()) != want || l.Ports() != 1 {
						t.Fatalf("%s: capacity %d, %d cables; given %d", l.Name, l.Channels(), l.Ports(), want)
					}
				}
				if !slices.Equal(slices.Collect(g.Links()), slices.Collect(topology.Cables(plain))) {
					t.Fatal("the links differ")
				}
				if !slices.Equal(topology.Count(g).ByLevel, topology.Channels(plain)) {
					t.Fatal("the counts differ")
				}
			})
		})
	}
}

// cabled is a graph as its cables are plugged in.
type cabled struct{ topology.Graph }

func (c cabled) Kinds() []topology.Kind         { return topology.CabledKinds(c.Graph) }
func (c cabled) Links() iter.Seq[topology.Link] { return topology.Cables(c.Graph) }

// Where channels take several cables, no two share a port, and counts follow.
func TestCablesOfAnyMember(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				_, g := graphtest.Member(t, f.Name, 250)
				before := topology.Channels(g)
				links := slices.Collect(g.Links())
				pieces := graphtest.Pieces(t, g)
				for i := range g.Levels() {
					g.Levels()[i].Cables = int32(rapid.IntRange(0, 3).Draw(t, "cables"))
				}
				c := cabled{g}
				if graphtest.Pieces(t, c) != pieces { // checks that ports are in range, and none is used twice
					t.Fatal("other pieces")
				}
				at := 0
				for l := range c.Links() {
					own := links[at]
					if l.A != own.A || l.B != own.B || l.Level != own.Level || l.Simplex != own.Simplex ||
						l.Width != own.Width*max(1, g.Levels()[l.Level].Cables) {
						t.Fatalf("%+v of %+v", l, own)
					}
					at++
				}
				counted := topology.Count(g).ByLevel
				for i, n := range topology.Channels(g) {
					if n != before[i]*int64(max(1, g.Levels()[i].Cables)) || counted[i] != n {
						t.Fatalf("%d cables of %d links", n, before[i])
					}
				}
			})
		})
	}
}

func TestMistakesInCapacity(t *testing.T) {
	for _, c := range []struct {
		params   topology.Params
		capacity map[string]int
		wants    []string
	}{
		{
			topology.CLEX{Clique: 4, Levels: 2, Bundled: true},
			map[string]int{"levle2": 2},
			[]string{`capacity.levle2: a clex has no level "levle2"; did you mean "level2"?`},
		},
		{
			topology.Torus{Dims: topology.Ints{4, 4}},
			map[string]int{"dim3": 2, "dim1": 0},
			[]string{
				`capacity.dim3: a torus has no level "dim3"; did you mean "dim`,
				"capacity.dim1: must be from 1 to 65535 times the rate of a port, not 0",
			},
		},
		{
			topology.Torus{Dims: topology.Ints{4, 4}},
			map[string]int{"dim1": -3, "dim2": 1 << 40},
			[]string{"capacity.dim1: must be from 1", "capacity.dim2: must be from 1"},
		},
		{
			topology.KAryNTree{Down: 2, Levels: 2},
			map[string]int{"spine": 2},
			[]string{"its levels are terminal, tier1"},
		},
	} {
		_, err := topology.New(topology.Spec{
			Params: c.params, LevelCapacity: topology.LevelCapacity{Capacity: c.capacity},
		})
		for _, want := range c.wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v; want %s", c.capacity, err, want)
			}
		}
	}
}

func TestCapacityIsWritten(t *testing.T) {
	s := topology.Spec{
		Params:        topology.CLEX{Clique: 4, Levels: 3, Bundled: true},
		LevelCapacity: topology.LevelCapacity{Capacity: map[string]int{"level3": 2, "level2": 7}},
	}
	want := "{family: clex, clique: 4, bundled: true, levels: 3, capacity: {level2: 7, level3: 2}}"
	if got := fmt.Sprint(s); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	text, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var back topology.Spec
	if err := back.UnmarshalJSON(text); err != nil || !back.Equal(s) {
		t.Errorf("%s is read as %v: %v", text, back, err)
	}
}
