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
			m := newModel(uniform(n))
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

// uniform is a symmetric instance of numbers from 0 to 99.
func uniform(n int) *Instance {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	q := &Instance{N: n, A: make([]int64, n*n), B: make([]int64, n*n)}
	for i := range n {
		for j := range i {
			q.A[i*n+j], q.B[i*n+j] = random.Int64N(100), random.Int64N(100)
			q.A[j*n+i], q.B[j*n+i] = q.A[i*n+j], q.B[i*n+j]
		}
	}
	return q
}
