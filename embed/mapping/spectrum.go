package mapping

import (
	"context"

	"github.com/plenum-planner/plenum/internal/spectral"
)

// algebraicConnectivity returns a lower bound on the second smallest eigenvalue of the weighted Laplacian of the graph,
// from which spectralBound bounds the cost of placements. It returns 0 if spectral.Fiedler finds no bound.
func (g *Graph) algebraicConnectivity() float64 {
	rng := newRandom(2, 3)
	start := make([]float64, g.Vertices())
	for i := range start {
		start[i] = float64(rng.next()>>11)/(1<<53) - 0.5
	}
	bound, _ := spectral.Fiedler(context.Background(), g.laplacian, start)
	return bound
}

// laplacian sets out to the product of the weighted Laplacian and x.
func (g *Graph) laplacian(out, x []float64) {
	for v := range out {
		sum := 0.0
		for k := g.First[v]; k < g.First[v+1]; k++ {
			sum += float64(float64(g.weight(k)) * (x[v] - x[g.To[k]]))
		}
		out[v] = sum
	}
}
