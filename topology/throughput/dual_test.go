package throughput

import (
	"context"
	"math/rand/v2"
	"testing"
)

// The prices prove that no permutation is worse: every pair costs at least its weight, and all prices together are the
// weight that was found. On large networks that is the twin of trying all permutations.
func TestPricesProveTheWorst(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, side := range []int{20, 63, 64, 65, 150, 400} {
		net, apart := &network{}, &matrix{side: side, of: make([]uint8, side*side)}
		for range side {
			net.ends = append(net.ends, end{ports: 5 + r.Int64N(3)})
		}
		for i := range apart.of {
			if i%(side+1) != 0 {
				apart.of[i] = uint8(1 + min(r.IntN(4), r.IntN(6)))
			}
		}
		a, err := worstAssignment(context.Background(), net, apart)
		if err != nil {
			t.Fatal(err)
		}
		prices := int64(0)
		for u := range side {
			prices += a.row[u] + a.column[u]
			for v := range side {
				if a.row[u]+a.column[v] < a.weight(u, v) || a.row[u] < 0 || a.column[v] < 0 {
					t.Fatalf("%d ends: prices %d and %d of a pair of weight %d", side, a.row[u], a.column[v],
						a.weight(u, v))
				}
			}
		}
		if sum := a.sum(); sum != prices*a.unit {
			t.Errorf("%d ends: a permutation of %d, prices of %d", side, sum, prices*a.unit)
		}
	}
}
