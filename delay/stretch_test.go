package delay

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

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
