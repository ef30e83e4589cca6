package sweep_test

import (
	"testing"

	"github.com/plenum-planner/plenum/study/sweep"
)

// Points a second on one core, of a machine of 64 nodes.
func BenchmarkPoints(b *testing.B) {
	for _, measure := range []string{sweep.MeasurePlan, sweep.MeasureEstimate, sweep.MeasureMetrics} {
		b.Run(measure, func(b *testing.B) {
			s, err := sweep.Parse("sweep.yaml", []byte(`
machine: {topology: {family: torus, dims: [8, 8]}}
axes: [{field: prices.seed, from: 1, to: 100000000, whole: true}]
sample: {points: 100000}
measure: [`+measure+`]
`))
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			for i := range b.N {
				if err := s.Row(b.Context(), i%s.Points); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
