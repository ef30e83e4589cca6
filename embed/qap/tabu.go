package qap

import (
	"context"
	"math/bits"
	"math/rand/v2"
)

// tabu is a tabu search: every step exchanges the locations of the two objects
// for which that costs least, for better or worse, unless both would go back to
// where they were a short while ago. How long a while is drawn anew for every
// step, as in E. Taillard, "Robust taboo search for the quadratic assignment
// problem", Parallel Computing 17 (4-5), 1991.
type tabu struct {
	*model
	random *rand.PCG

	p        []int32 // the location of every object
	current  int64   // its cost
	best     []int32
	bestCost int64 // of best

	deltas    deltas  // what every exchange would cost
	entries   []entry // of a row at hand
	tabuUntil []int64 // the step up to which object i is not to go back to location k
	iteration int64

	// Of annealings: what is drawn from for chances; trials[u] is the number of exchanges in rows before u, row where a
	// sweep goes on, and next how many of its exchanges come before the next one that is tried at any cost.
	exponential []float64
	trials      []int64
	next        int64
	row         int

	// tell, if set, hears of steps taken since the last time, and of the least cost since the start; untold are those
	// that it has not heard of.
	tell   func(steps, cost int64)
	untold int64
}

// deltas keeps what every exchange of two objects of a class would cost: the exchange of u and v, v < u, in row u.
type deltas interface {
	// start begins anew from p, which the deltas keep up to date from then on.
	start(p []int32)
	// lowest is the row that may hold the least of all, and at most that.
	lowest() (int, int64)
	// nextRow is the first row of from ... to-1 that may hold less than limit, or to.
	nextRow(from, to int, limit int64) int
	// below adds to a list the entries of row u that are less than limit, from left to right.
	below(list []entry, u int, limit int64) []entry
	// entry is what exchanging u and v costs, v < u.
	entry(u, v int) int64
	// exchange lets r and s change places, and returns what that cost.
	exchange(r, s int) int64
	// save keeps the state, and restore goes back to it.
	save()
	restore()
}

// entry is what exchanging the object of a row with that of a column costs.
type entry struct {
	column int
	cost   int64
}

func newTabu(m *model) *tabu {
	t := &tabu{
		model: m, p: make([]int32, m.n), best: make([]int32, m.n), tabuUntil: make([]int64, m.movable*m.movable),
		exponential: exponential(), trials: make([]int64, m.movable+1),
	}
	for u := range m.movable {
		t.trials[u+1] = t.trials[u] + int64(u-m.begin[u])
	}
	if m.narrow && hasAVX2 {
		t.deltas = newNarrow(m)
	} else {
		t.deltas = newWide(m)
	}
	return t
}

// start begins anew from p.
func (t *tabu) start(p []int32, random *rand.PCG) {
	copy(t.p, p)
	copy(t.best, p)
	t.random, t.iteration, t.untold, t.next, t.row = random, 0, 0, 0, 0
	t.current = t.model.cost(p)
	t.bestCost = t.current
	clear(t.tabuUntil)
	t.deltas.start(t.p)
}

// tellWork is the entries of the delta matrix that are updated between two words of progress, some tenths of a second.
const tellWork = 1 << 27

// run takes steps and reports how many it took; it takes fewer only when the
// context is done.
func (t *tabu) run(ctx context.Context, steps int64) int64 {
	for done := range steps {
		if done&31 == 0 && ctx.Err() != nil {
			return done
		}
		t.took(1)
		r, s := t.choose()
		if r < 0 {
			return steps // nothing can move
		}
		t.forbid(r, s)
		t.move(r, s)
	}
	return steps
}

// took counts steps, and tells of them now and then.
func (t *tabu) took(steps int64) {
	if t.untold += steps; t.tell != nil && t.untold*int64(t.movable*t.movable) >= tellWork {
		t.tell(t.untold, t.bestCost)
		t.untold = 0
	}
}

// move is swap, and keeps the best permutation.
func (t *tabu) move(r, s int) {
	if t.swap(r, s); t.current < t.bestCost {
		t.bestCost = t.current
		copy(t.best, t.p)
	}
}

// choose finds the best exchange that is not forbidden, or leads to a new best; where all are forbidden, any. It
// returns the larger of the two first.
func (t *tabu) choose() (r, s int) {
	if t.movable == 0 {
		return -1, -1
	}
	t.iteration++
	r, s = -1, -1
	found := t.promise()
	first := below(t.random, t.movable)
	for _, rows := range [2][2]int{{first, t.movable}, {0, first}} {
		for u := t.deltas.nextRow(rows[0], rows[1], found); u < rows[1]; u = t.deltas.nextRow(u+1, rows[1], found) {
			if v, d := t.bestBelow(u, found); v < u {
				found, r, s = d, u, v
			}
		}
	}
	if r < 0 {
		r = below(t.random, t.movable)
		s = t.begin[r] + below(t.random, t.end[r]-t.begin[r]-1)
		if s >= r {
			s++
		}
		r, s = max(r, s), min(r, s)
	}
	return r, s
}

// promise is more than what some exchange costs that may be chosen, so that few rows need to be looked through for the
// best one.
func (t *tabu) promise() int64 {
	u, least := t.deltas.lowest()
	for _, limit := range [...]int64{least + 1, infinite} {
		if v, d := t.bestBelow(u, limit); v < u {
			return d + 1
		}
	}
	return infinite
}

// bestBelow is the first of the best exchanges of row u that may be chosen and cost less than limit, and what it costs,
// or u.
func (t *tabu) bestBelow(u int, limit int64) (int, int64) {
	best := u
	t.entries = t.deltas.below(t.entries[:0], u, limit)
	for _, e := range t.entries {
		if e.cost < limit && t.allows(u, e.column, e.cost) {
			best, limit = e.column, e.cost
		}
	}
	return best, limit
}

// allows reports whether an exchange that costs so much may be chosen.
func (t *tabu) allows(u, v int, cost int64) bool {
	return t.current+cost < t.bestCost || t.tabuUntil[u*t.movable+int(t.p[v])] < t.iteration ||
		t.tabuUntil[v*t.movable+int(t.p[u])] < t.iteration
}

// forbid keeps both from going back for a while.
func (t *tabu) forbid(r, s int) {
	t.tabuUntil[r*t.movable+int(t.p[r])] = t.iteration + t.tenure(t.end[r]-t.begin[r])
	t.tabuUntil[s*t.movable+int(t.p[s])] = t.iteration + t.tenure(t.end[r]-t.begin[r])
}

// tenure draws a number of steps for an object of a class of so many.
func (t *tabu) tenure(members int) int64 {
	u := float64(t.random.Uint64()>>11) / (1 << 53)
	return int64(u * u * u * 8 * float64(members))
}

// forget lets every object go back to where it was.
func (t *tabu) forget() { t.iteration += 8*int64(t.movable) + 1 }

// swap exchanges the locations of r and s, of one class.
func (t *tabu) swap(r, s int) { t.current += t.deltas.exchange(r, s) }

// below draws a number from 0 to n-1. rand.Rand promises no fixed sequence.
func below(random *rand.PCG, n int) int {
	high, _ := bits.Mul64(random.Uint64(), uint64(n))
	return int(high)
}
