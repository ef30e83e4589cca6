package mapping

import (
	"math"
	"math/bits"

	"github.com/plenum-planner/plenum/internal/splitmix"
)

// random is a SplitMix64 generator.
type random uint64

// newRandom returns generator number stream of a seed.
func newRandom(seed, stream uint64) *random {
	r := random(seed)
	r = random(r.next() + stream*0xD1342543DE82EF95)
	r = random(r.next())
	return &r
}

func (r *random) next() uint64 {
	return splitmix.Next((*uint64)(r))
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

func (r *random) shuffle(x []int32) {
	for i := len(x) - 1; i > 0; i-- {
		j := r.below(i + 1)
		x[i], x[j] = x[j], x[i]
	}
}

// exponentialQuantiles are those of the exponential distribution: a step that makes things worse by d > 0 is accepted
// at temperature t if d < t times one of them. Steps with d <= 0 are accepted without asking them.
var exponentialQuantiles = func() (e [1 << 12]float64) {
	for i := range e {
		e[i] = -math.Log((float64(i) + 0.5) / float64(len(e)))
	}
	return e
}()
