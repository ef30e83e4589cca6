package measure

import (
	"context"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/internal/spectral"
)

// fiedler returns a lower bound of the second smallest eigenvalue of the
// Laplacian of the vertices that weigh 1, and the vector that goes with it, 0 and
// nil where none was found.
func (p *cutGraph) fiedler(ctx context.Context) (bound float64, vector []float64) {
	index := make([]int32, 0, p.total) // vertices that weigh 1
	for v, w := range p.weight {
		if w == 1 {
			index = append(index, int32(v))
		}
	}
	rng := rand.New(rand.NewPCG(2, 3))
	start := make([]float64, len(index))
	for i := range start {
		start[i] = rng.NormFloat64()
	}
	full := make([]float64, p.vertices())
	bound, found := spectral.Fiedler(ctx, func(out, x []float64) { p.laplacian(out, x, index, full) }, start)
	if found == nil {
		return 0, nil
	}
	vector = make([]float64, p.vertices())
	for i, v := range index {
		vector[v] = found[i]
	}
	return bound, vector
}

// laplacian sets out to the Laplacian times x.
func (p *cutGraph) laplacian(out, x []float64, index []int32, full []float64) {
	for i, v := range index {
		full[v] = x[i]
	}
	for i, v := range index {
		sum := 0.0
		for k := p.first[v]; k < p.first[v+1]; k++ {
			sum += float64(float64(p.width[k]) * (x[i] - full[p.to[k]]))
		}
		out[i] = sum
	}
}
