package delay

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Stretch of a lattice row by row is that of searching from every source, all of them or a sample.
func TestStretchByRowsEqualsSearches(t *testing.T) {
	for i, g := range []*grid{torus(8, 4, 3), torus(9, 5), lines(10, 3), torus(16, 8, 8)} {
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		l := lengths(g, rng, 50)
		points := make([][3]units.Length, topology.Vertices(g))
		for v := range points {
			points[v] = [3]units.Length{units.Length(rng.IntN(9)), units.Length(rng.IntN(9)), units.Length(rng.IntN(2))}
		}
		at := func(v int) [3]units.Length { return points[v] }
		csr := topology.NewCSR(g)
		for _, opt := range []Options{{}, {Limit: 1, Sources: 7, Seed: 3}} {
			var found [2]*Stretch
			for k, of := range []topology.Graph{g, &g.listed} {
				s, err := MeasureStretch(context.Background(), of, csr, model(g), l, at, opt)
				if err != nil {
					t.Fatal(err)
				}
				found[k] = s
			}
			if d := cmp.Diff(found[1], found[0], close9); d != "" {
				t.Errorf("lattice %v: searches (-) and rows (+) differ:\n%s", g.dims, d)
			}
		}
	}
}

// The stretch of a sample of a tree's sources, measured together, is that of searching from each of them.
func TestStretchOfTreesEqualsSearches(t *testing.T) {
	trees := 0
	rapid.Check(t, func(t *rapid.T) {
		g, csr, m, l := drawnTreeNetwork(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "points"), 10))
		points := make([][3]units.Length, topology.Vertices(g))
		for v := range points {
			points[v] = [3]units.Length{units.Length(rng.IntN(9)), units.Length(rng.IntN(9)), units.Length(rng.IntN(2))}
		}
		at := func(v int) [3]units.Length { return points[v] }
		opt := Options{Limit: 1, Sources: 1 + rng.IntN(40), Seed: rng.Uint64()}
		n, err := compile(g, csr, m, l, true)
		if err != nil {
			t.Fatal(err)
		}
		want, err := n.measureStretch(context.Background(), g, csr.Vertices(), at, opt, false)
		if err != nil {
			t.Fatal(err)
		}
		if n.tree = newTree(n); n.tree == nil {
			return
		}
		trees++
		got, err := n.measureStretch(context.Background(), g, csr.Vertices(), at, opt, false)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, close9); d != "" {
			t.Errorf("searches (-) and the sweep of the tree (+) differ:\n%s", d)
		}
	})
	if trees == 0 {
		t.Error("no tree was drawn")
	}
}
