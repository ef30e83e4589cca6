package qap

import (
	"context"
	"slices"
)

// iterate takes steps like run, in rounds: a round that finds nothing better goes
// back to the best and on from there after exchanging a few pairs at random,
// one pair more each time until something better is found (an iterated tabu
// search: A. Misevicius, "An implementation of the iterated tabu search
// algorithm for the quadratic assignment problem", OR Spectrum 34, 2012). Every
// exchange counts.
func (t *tabu) iterate(ctx context.Context, steps int64) int64 {
	best, cost := slices.Clone(t.best), t.bestCost
	saved := false // that the deltas of best are saved
	const few = 3
	round, many := int64(max(50, t.movable/2)), max(few, t.movable/10)
	pairs := few
	done := int64(0)
	for done < steps && t.movable > 0 {
		done += t.run(ctx, min(round, steps-done))
		if t.bestCost < cost {
			cost, saved, pairs = t.bestCost, false, few
			copy(best, t.best)
			continue
		}
		if ctx.Err() != nil {
			break
		}
		if pairs++; pairs > many {
			pairs = few
		}
		if saved {
			copy(t.p, best)
			t.current = cost
			t.deltas.restore()
		} else {
			done += t.returnTo(best)
			t.deltas.save()
			saved = true
		}
		if t.random.Uint64()>>63 == 0 {
			done += t.exchangeBlocks()
		} else {
			done += t.exchangePairs(pairs)
		}
		t.bestCost = t.current
		copy(t.best, t.p)
		t.forget()
	}
	t.bestCost = cost
	copy(t.best, best)
	return done
}

// exchangePairs exchanges pairs of objects at random.
func (t *tabu) exchangePairs(pairs int) int64 {
	for range pairs {
		r := below(t.random, t.movable)
		s := t.begin[r] + below(t.random, t.end[r]-t.begin[r]-1)
		if s >= r {
			s++
		}
		t.swap(r, s)
	}
	return int64(pairs)
}

// exchangeBlocks exchanges what stands around two locations, or, where it is
// rather the first matrix that holds distances, two sets of objects that are
// near each other: where distances come in clusters, single exchanges hardly
// ever do that.
func (t *tabu) exchangeBlocks() int64 {
	c := below(t.random, t.movable)
	d := t.begin[c] + below(t.random, t.end[c]-t.begin[c]-1)
	if d >= c {
		d++
	}
	from, to := t.nearest[c], t.nearest[d]
	size := min(2+below(t.random, len(from)), len(from))
	from, to = without(from[:size], to[:size]), without(to[:size], from[:size])
	at := t.inverse()
	for i, r := range from {
		s := to[i]
		if !t.distancesFirst {
			r, s = at[r], at[s]
		}
		t.swap(int(r), int(s))
	}
	return int64(len(from))
}

// without is what list holds and other does not.
func without(list, other []int32) []int32 {
	var out []int32
	for _, k := range list {
		if !slices.Contains(other, k) {
			out = append(out, k)
		}
	}
	return out
}

// inverse is the object at each location.
func (t *tabu) inverse() []int32 {
	at := make([]int32, t.movable)
	for i, k := range t.p[:t.movable] {
		at[k] = int32(i)
	}
	return at
}

// returnTo exchanges objects until they stand as in p, and returns how often.
func (t *tabu) returnTo(p []int32) int64 {
	moves := int64(0)
	at := t.inverse()
	for i := range t.movable {
		if t.p[i] == p[i] {
			continue
		}
		j := int(at[p[i]])
		at[t.p[i]], at[p[i]] = int32(j), int32(i)
		t.swap(i, j)
		moves++
	}
	return moves
}
