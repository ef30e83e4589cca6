package measure

import "math/bits"

// Where every vertex is a source that counts once and every arc has its opposite, distances
// are symmetric (hopNet.halves). Of a block with the sources begin ... end-1 only the pairs
// with vertices from begin on are then counted: once for a vertex below end, since the block
// has both directions of the pair, twice for the others. The last step of a block leaves out
// the vertices below begin, half of all on average; earlier steps need them, as paths lead
// through them.

// pairWeight returns how often a pair of a source of the block and v counts, if all sources
// of the block have the same weight. The weight of v is not included.
func (w *hopWorker) pairWeight(v int32) uint64 {
	switch {
	case !w.halves:
		return w.weight
	case v < w.begin:
		return 0
	case v < w.end:
		return 1
	}
	return 2
}

// firstCounted returns the first vertex of a part whose pairs with the block are counted.
func (w *hopWorker) firstCounted(p *blockPart) int32 {
	if w.halves {
		return max(p.begin, w.begin)
	}
	return p.begin
}

// tally returns the number of pairs of v and the sources in x, with the weights of both.
func (w *hopWorker) tally(v int32, x *line) uint64 {
	var pairs uint64
	if w.weight > 0 {
		pairs = uint64(x.ones()) * w.pairWeight(v)
	} else {
		for k, word := range x {
			pairs += uint64(bits.OnesCount64(word)) * w.each[k]
		}
	}
	if w.weights != nil {
		pairs *= w.weights[v]
	}
	return pairs
}

// step goes one hop further at all vertices at once and counts the pairs at a distance of
// hops. It returns false if no pair is left or settle has counted the rest. Otherwise the
// search goes on: seen then has the sources within hops of each vertex, next those within
// hops-1, and their difference is the frontier. Where nothing is new, w.work is 0.
func (w *hopWorker) step(hops int) bool {
	alike := w.weights == nil && w.weight > 0 // all pairs of one vertex count equally often
	var pairs, lacking uint64
	missing := int64(0)
	w.work = 0
	for i := range w.parts {
		p := &w.parts[i]
		diagonal := w.firstCounted(p)
		above := min(max(diagonal, w.end), p.end)
		for _, rows := range [2][2]int32{{diagonal, above}, {above, p.end}} {
			if rows[0] >= rows[1] {
				continue
			}
			s := step{w.seen, w.next, &p.full, w.in, rows[0], rows[1]}
			did := s.advance()
			w.work += did.work
			missing += did.lacking
			if alike {
				pairs += uint64(did.reached) * w.pairWeight(rows[0])
				lacking += uint64(did.lacking) * w.pairWeight(rows[0])
			}
		}
	}
	if !alike {
		pairs = w.tallyStep()
	}
	w.count(hops, pairs)
	if missing == 0 || w.in == w.out && alike && w.settle(hops, missing, lacking) {
		return false
	}
	if w.halves {
		for i := range w.parts {
			p := &w.parts[i]
			s := step{w.seen, w.next, &p.full, w.in, p.begin, min(p.end, w.begin)}
			w.work += s.advance().work
		}
	}
	w.seen, w.next = w.next, w.seen
	return true
}

// tallyStep returns the number of pairs that met in the step under way, with the weights of
// source and vertex.
func (w *hopWorker) tallyStep() uint64 {
	pairs := uint64(0)
	for _, p := range w.parts {
		for v := p.begin; v < p.end; v++ {
			if fresh := w.next[v].without(&w.seen[v]); fresh != (line{}) {
				pairs += w.tally(v, &fresh)
			}
		}
	}
	return pairs
}

// settle tries to count the last pairs, one vertex after the other, in place of further
// steps: those without a path of up to hops hops after the step under way. missing is their
// number, lacking the same weighted by pairWeight. Every arc has its opposite, so that every
// pair has a path.
//
// A source that has reached a neighbour of v, but not v, is hops+1 away from v. For the
// sources further away, a search goes outwards from v: if the nearest vertex that a source
// had reached before the step, within hops-1, is k hops from v, the source is hops-1+k away.
// settle gives up and returns false where this is more work than another step; it has
// counted nothing then.
func (w *hopWorker) settle(hops int, missing int64, lacking uint64) bool {
	rows, budget := int64(0), int64(0)
	for _, p := range w.parts {
		rows += int64(p.end - w.firstCounted(&p))
		budget += (w.in.first[p.end] - w.in.first[p.begin]) / 4
	}
	part := float64(missing) / float64(rows) / (lineWords * 64)
	if part > w.settled {
		return false
	}
	next := lacking    // weighted pairs at distance hops+1
	var found []uint64 // and at hops+2, hops+3, ...
	for i := range w.parts {
		p := &w.parts[i]
		s := step{w.seen, w.next, &p.full, w.in, w.firstCounted(p), p.end}
		for _, v := range w.rows[:s.uncovered(w.rows)] {
			lack := w.beyond(&s, v, &budget)
			if lack == (line{}) && budget > 0 {
				continue
			}
			next -= w.tally(v, &lack)
			w.ball(v, func(level []int32, far int, arcs int64) bool {
				budget -= arcs
				if far < 3 {
					return true
				}
				before := lack
				for _, u := range level {
					lack = lack.without(&w.seen[u])
				}
				met := before.without(&lack)
				for len(found) <= far-3 {
					found = append(found, 0)
				}
				found[far-3] += w.tally(v, &met)
				return lack != (line{}) && budget > 0
			})
			if budget <= 0 {
				w.settled = part / 8
				return false
			}
		}
	}
	w.count(hops+1, next)
	for i, pairs := range found {
		w.count(hops+2+i, pairs)
	}
	return true
}

// beyond returns the sources more than one hop further from v than step s has gone: neither
// v nor a neighbour has them in next. A neighbour below s.begin has not been advanced yet;
// what its own neighbours had before the step stands for its next, and the arcs looked at
// for that are subtracted from budget.
func (w *hopWorker) beyond(s *step, v int32, budget *int64) line {
	lack := s.full.without(&w.next[v])
	tails := w.in.of(v)
	for i := len(tails) - 1; i >= 0; i-- {
		if u := tails[i]; u >= s.begin {
			lack = lack.without(&w.next[u])
		}
	}
	for _, u := range tails {
		if u >= s.begin {
			continue
		}
		for _, x := range w.in.of(u) {
			lack = lack.without(&w.seen[x])
			*budget--
			if lack == (line{}) {
				return lack
			}
		}
	}
	return lack
}
