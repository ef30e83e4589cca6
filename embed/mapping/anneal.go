package mapping

import (
	"context"
	"math"
	"slices"
)

// annealer proposes steps and accepts or rejects them (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by
// simulated annealing", Science 220, 1983). A proposal moves a free vertex to a place near its own or near that of a
// neighbour, sometimes to any place, or exchanges it with a vertex there. Every accepted step keeps all rules.
type annealer struct {
	*state
	near          []int32 // places near place p, itself first: neighbourhood elements from p*neighbourhood on
	neighbourhood int
	rng           *random
	best          []int32 // the best placement that keepBest has seen
	least         int64   // its sum
	uphill        int64   // accepted steps that raised the sum

	// grid takes the steps if the instance is onGrid, else it is nil. Of the state, only place and sum are kept up to
	// date then.
	grid *gridAnnealer
}

// neighbourhood is the number of places near one, itself included, that are
// proposed: in a grid those beside it.
const neighbourhood = 5

// newAnnealer returns an annealer that starts at the placement of s. near has, for each place, `size` places near it.
func newAnnealer(s *state, near []int32, size int, rng *random) *annealer {
	w := &annealer{
		state: s, near: near, neighbourhood: size, rng: rng, best: slices.Clone(s.place), least: s.sum,
	}
	if len(s.free) > 0 && s.onGrid() {
		w.grid = newGridAnnealer(s, near, size, rng.next())
	}
	return w
}

// checkEvery is the number of steps between looks at the context.
const checkEvery = 1 << 12

// propose draws a free vertex and a place for it: of 16 proposals one is any place, as are all of a vertex without
// neighbours; of the others, half are near its own place and half near that of a neighbour.
func (w *annealer) propose() (v, p int32) {
	bits := w.rng.next()
	v = w.free[int(uint64(uint32(bits))*uint64(len(w.free))>>32)]
	bits >>= 32
	lo, degree := w.g.First[v], w.g.degree(v)
	if degree == 0 || bits&15 == 0 {
		return v, int32(w.rng.below(w.costs.places))
	}
	bits >>= 4
	if bits&1 == 0 { // a place two steps from its own at most
		p = w.near[int(w.place[v])*w.neighbourhood+int(bits>>8&0xff)*w.neighbourhood>>8]
		return v, w.near[int(p)*w.neighbourhood+int(bits>>16&0xff)*w.neighbourhood>>8]
	}
	bits >>= 8
	u := w.g.To[lo+int64(uint64(bits&0xfff)*uint64(degree)>>12)]
	if degree >= 1<<12 {
		u = w.g.To[lo+int64(w.rng.below(int(degree)))]
	}
	bits >>= 12
	i := int(bits&0xff) * w.neighbourhood >> 8
	return v, w.near[int(w.place[u])*w.neighbourhood+i]
}

// steps tries n steps at a temperature, which has the unit of the sum.
func (w *annealer) steps(temperature float64, n int64) {
	if g := w.grid; g != nil {
		for range n {
			g.step(temperature)
		}
		w.sum, w.uphill = g.sum, g.uphill
		return
	}
	for range n {
		w.step(temperature)
	}
}

// step tries one step at a temperature.
func (w *annealer) step(temperature float64) {
	v, p := w.propose()
	a := w.place[v]
	if p == a {
		return
	}
	occ := w.occupants[p]
	bits := w.rng.next()
	i := int(uint64(uint32(bits)) * uint64(len(occ)+1) >> 32)
	limit := temperature * exponentialQuantiles[bits>>52]
	if i == len(occ) || w.simple && w.load[p] < w.capacity[p] {
		if w.canMove(v, a, p) {
			if d := w.moveDelta(v, p); float64(d) < limit || d <= 0 {
				w.move(v, p, d)
				w.accept(d)
			}
			return
		}
		if len(occ) == 0 {
			return
		}
		i = w.rng.below(len(occ))
	}
	u := occ[i]
	if w.pinned != nil && w.pinned[u] >= 0 || !w.canSwap(v, u, a, p) {
		return
	}
	if d := w.swapDelta(v, u); float64(d) < limit || d <= 0 {
		w.swap(v, u, d)
		w.accept(d)
	}
}

// accept counts an accepted step.
func (w *annealer) accept(delta int64) {
	if delta > 0 {
		w.uphill++
	}
}

// meanAt tries steps at one temperature and returns the mean of the sum, taken after every 16 steps.
func (w *annealer) meanAt(temperature float64, steps int64) float64 {
	mean := 0.0
	const sample = 16
	for left := steps; left > 0; left -= sample {
		n := min(sample, left)
		w.steps(temperature, n)
		mean += float64(float64(n) * float64(w.sum))
	}
	w.keepBest()
	return mean / float64(steps)
}

// keepBest copies the placement to best if its sum is lower than least.
func (w *annealer) keepBest() {
	if w.sum < w.least {
		w.least = w.sum
		copy(w.best, w.place)
	}
}

// schedule is a cooling schedule: temperatures fall geometrically, and at the end
// come steps that never make it worse.
type schedule struct {
	steps    int64
	from, to float64
}

// anneal runs a schedule, leaves the best placement in best and returns the number of steps tried. It goes by rounds of
// checkEvery steps: c.steps are rounded down to whole rounds, two at least. It stops after a round if ctx has ended.
func (w *annealer) anneal(ctx context.Context, c schedule) int64 {
	if len(w.free) == 0 {
		return 0
	}
	rounds := max(2, c.steps/checkEvery)
	cold := max(1, rounds/16)
	t, factor := c.from, math.Pow(c.to/c.from, 1/float64(rounds-cold))
	steps := int64(0)
	for round := range rounds {
		if round >= rounds-cold {
			t = 0
		}
		w.steps(t, checkEvery)
		steps += checkEvery
		if round%4 == 3 || t == 0 {
			w.keepBest()
		}
		t *= factor
		if ctx.Err() != nil {
			break
		}
	}
	w.keepBest()
	return steps
}

// energyCurve is how the mean sum, the energy of annealing, depends on the
// temperature.
type energyCurve struct {
	temperature, mean []float64 // from cold to hot
}

// energyCurve measures the curve by cooling fast from a placement, over all
// temperatures from where most proposals are accepted down to where one in a
// thousand is one that makes it worse.
func (s *search) energyCurve(t *instance, place, near []int32, steps int64, rng *random) energyCurve {
	const temperatures = 64
	w := newAnnealer(newState(t, place), near, neighbourhood, rng)
	var h energyCurve
	if len(w.free) == 0 {
		return h
	}
	hot := 0.0
	for range 1000 {
		v, p := w.propose()
		hot = max(hot, math.Abs(float64(w.moveDelta(v, p))))
	}
	if hot == 0 {
		hot = 1
	}
	each := max(steps/temperatures, 512)
	w.meanAt(4*hot, 4*each)
	for i := range temperatures {
		temperature := 4 * hot * math.Pow(0.5, float64(i)/4)
		before := w.uphill
		h.mean = append(h.mean, w.meanAt(temperature, each))
		h.temperature = append(h.temperature, temperature)
		s.countSteps(each)
		if 1000*(w.uphill-before) <= each && i > 8 || s.ctx.Err() != nil {
			break
		}
	}
	slices.Reverse(h.mean)
	slices.Reverse(h.temperature)
	return h
}

// at returns the temperature at which the mean sum lies a given part, from 0 to 1, of the way from that at the coldest
// temperature measured to that at the hottest; 1 for an empty curve.
func (h energyCurve) at(part float64) float64 {
	if len(h.mean) == 0 {
		return 1
	}
	last := len(h.mean) - 1
	if part == 0 {
		return h.temperature[0]
	}
	want := h.mean[0] + part*(h.mean[last]-h.mean[0])
	for i := 1; i <= last; i++ {
		if h.mean[i] > want {
			x := (want - h.mean[i-1]) / (h.mean[i] - h.mean[i-1])
			return h.temperature[i-1] * math.Pow(h.temperature[i]/h.temperature[i-1], min(1, max(0, x)))
		}
	}
	return h.temperature[last]
}

// fromHot returns a schedule that is so hot at first that the result does not depend on the start.
func (h energyCurve) fromHot(steps int64) schedule {
	return schedule{steps: steps, from: h.at(0.4), to: h.at(0)}
}

// fromWarm returns a schedule that begins just above the temperature at which the mean sum is that of the start, so
// that the large features of the start are kept.
func (h energyCurve) fromWarm(sum, steps int64) schedule {
	c := schedule{steps: steps, from: h.at(0.01), to: h.at(0)}
	if last := len(h.mean) - 1; last > 0 && h.mean[last] > h.mean[0] {
		c.from = min(h.at(max(0, (float64(sum)-h.mean[0])/(h.mean[last]-h.mean[0]))+0.01), h.at(0.4))
	}
	c.to = min(c.to, c.from/2)
	return c
}
