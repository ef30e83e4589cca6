package qap

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkSteps takes steps of a tabu search on an instance of numbers drawn from 0 to 99, as those of Taillard.
func BenchmarkSteps(b *testing.B) {
	for _, n := range []int{60, 80, 100, 150} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := newModel(randomInstance(n, 1))
			t := newTabu(m)
			p := make([]int32, n)
			for i := range p {
				p[i] = int32(i)
			}
			t.start(p, rand.NewPCG(1, 2))
			b.ResetTimer()
			t.run(b.Context(), int64(b.N))
		})
	}
}
