package mapping

import (
	"context"
	"math"
)

// cooling is a schedule of simulated annealing.
type cooling struct {
	steps    int64
	from, to float64 // temperatures, as parts of the mean change
}

// walker proposes steps and takes them.
type walker struct {
	*state
	near  []int32 // places near each place, itself first, reach of each
	reach int
	rng   *random
	best  []int32
	least int64
	taken int64
}

func newWalker(s *state, near []int32, reach int, rng *random) *walker {
	return &walker{state: s, near: near, reach: reach, rng: rng, best: append([]int32(nil), s.place...), least: s.sum}
}

// checkEvery is the number of steps between looks at the context.
const checkEvery = 1 << 14

// propose picks a vertex and a place for it, guided by its neighbours.
func (w *walker) propose() (v, p int32) {
	bits := w.rng.next()
	v = w.free[int(uint64(uint32(bits))*uint64(len(w.free))>>32)]
	bits >>= 32
	lo, degree := w.g.First[v], w.g.degree(v)
	if degree == 0 || bits&15 == 0 {
		return v, int32(w.rng.below(w.costs.places))
	}
	bits >>= 4
	u := w.g.To[lo+int64(uint64(bits&0xffff)*uint64(degree)>>16)]
	bits >>= 16
	i := int(bits&0xff) * w.reach >> 8
	return v, w.near[int(w.place[u])*w.reach+i]
}

// step tries one step at a temperature.
func (w *walker) step(temperature float64) {
	v, p := w.propose()
	a := w.place[v]
	if p == a {
		return
	}
	occ := w.occ[p]
	bits := w.rng.next()
	i := int(uint64(uint32(bits)) * uint64(len(occ)+1) >> 32)
	limit := temperature * exponentials[bits>>52]
	if i == len(occ) || w.simple && w.load[p] < w.capacity[p] {
		if w.canMove(v, a, p) {
			if d := w.moveDelta(v, p); float64(d) < limit || d <= 0 {
				w.move(v, p, d)
				w.taken++
			}
			return
		}
		if len(occ) == 0 {
			return
		}
		i = int(bits >> 40 & 0xfff * uint64(len(occ)) >> 12)
	}
	u := occ[i]
	if w.pinned != nil && w.pinned[u] >= 0 || !w.canSwap(v, u, a, p) {
		return
	}
	if d := w.swapDelta(v, u); float64(d) < limit || d <= 0 {
		w.swap(v, u, d)
		w.taken++
	}
}

// anneal runs a schedule and leaves the best placement in best.
func (w *walker) anneal(ctx context.Context, c cooling) {
	if len(w.free) == 0 {
		return
	}
	t := c.from
	rounds := max(1, c.steps/checkEvery)
	factor := math.Pow(c.to/c.from, 1/float64(rounds))
	for range rounds {
		for range checkEvery {
			w.step(t)
		}
		if w.sum < w.least {
			w.least = w.sum
			copy(w.best, w.place)
		}
		t *= factor
		if ctx.Err() != nil {
			break
		}
	}
}
