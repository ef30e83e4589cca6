package spectral_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/internal/spectral"
)

// The second eigenvalue of a ring of eight is 2 - 2 cos 45 degrees.
func ExampleFiedler() {
	const n = 8
	ring := func(out, x []float64) {
		for i := range x {
			out[i] = 2*x[i] - x[(i+1)%n] - x[(i+n-1)%n]
		}
	}
	random := rand.New(rand.NewPCG(1, 0))
	start := make([]float64, n)
	for i := range start {
		start[i] = random.NormFloat64()
	}
	bound, _ := spectral.Fiedler(context.Background(), ring, start)
	fmt.Printf("%.4f\n", bound)
	// Output:
	// 0.5858
}
