package measure

import (
	"context"
	"math/bits"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// hopWord is up to 64 sources of the same weight, which share a word of a
// line.
type hopWord struct {
	sources []hopSource
	weight  uint64
}

// fewSources is the number of sources that are searched one by one.
const fewSources = 12

// search counts the ordered pairs of sources and other vertices by distance,
// with their weights.
func (n *hopNet) search(ctx context.Context) ([]uint64, error) {
	var jobs [][]hopWord
	if len(n.sources) <= fewSources {
		for i, s := range n.sources {
			jobs = append(jobs, []hopWord{{n.sources[i : i+1], s.weight}})
		}
	} else {
		words := n.words()
		for len(words) > 0 {
			k := min(lineWords, len(words))
			jobs = append(jobs, words[:k])
			words = words[k:]
		}
	}
	workers := make([]*hopWorker, parallel.Cores(len(jobs)))
	for i := range workers {
		workers[i] = newHopWorker(n)
	}
	err := parallel.With(ctx, workers, len(jobs), func(_ context.Context, w *hopWorker, job int) error {
		if len(n.sources) <= fewSources {
			w.plain(jobs[job][0].sources[0])
		} else {
			w.block(jobs[job])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var found []uint64
	for _, w := range workers {
		found = addCounts(found, w.found)
	}
	return found, nil
}

// words packs the sources; they come in the order of their weights.
func (n *hopNet) words() []hopWord {
	var out []hopWord
	for rest := n.sources; len(rest) > 0; {
		k := 1
		for k < 64 && k < len(rest) && rest[k].weight == rest[0].weight {
			k++
		}
		out = append(out, hopWord{rest[:k], rest[0].weight})
		rest = rest[k:]
	}
	return out
}

// hopWorker searches for one block of sources at a time.
type hopWorker struct {
	*hopNet
	found []uint64 // by distance

	dist, queue []int32 // of a search for one source

	lines
	mask    []uint8 // words of cur that are not zero
	active  []int32 // vertices whose mask is not zero, if listed
	touched []int32
	listed  bool
	weight  uint64 // of every source, 0 if they differ
	each    [lineWords]uint64

	work int64 // words that pushing the frontier would write
	left int64 // pairs of sources and vertices that have not met
}

func newHopWorker(n *hopNet) *hopWorker { return &hopWorker{hopNet: n} }

func (w *hopWorker) count(hops int, pairs uint64) {
	for len(w.found) <= hops {
		w.found = append(w.found, 0)
	}
	w.found[hops] += pairs
}

// plain searches from one source.
func (w *hopWorker) plain(s hopSource) {
	if w.dist == nil {
		w.dist = make([]int32, len(w.out.first)-1)
	}
	for v := range w.dist {
		w.dist[v] = -1
	}
	w.dist[s.from], w.dist[s.self] = 0, 0
	w.queue = append(w.queue[:0], s.from)
	for begin, hops := 0, 1; begin < len(w.queue); hops++ {
		end := len(w.queue)
		pairs := uint64(0)
		for _, v := range w.queue[begin:end] {
			for _, u := range w.out.of(v) {
				if w.dist[u] < 0 {
					w.dist[u] = int32(hops)
					w.queue = append(w.queue, u)
					if w.weights == nil {
						pairs++
					} else {
						pairs += w.weights[u]
					}
				}
			}
		}
		if pairs > 0 {
			w.count(hops, pairs*s.weight)
		}
		begin = end
	}
}

// block searches for up to 512 sources.
func (w *hopWorker) block(words []hopWord) {
	w.begin(words)
	total := int64(len(w.out.to))
	for hops := 1; ; hops++ {
		var pairs uint64
		// Pushing a word waits for memory, pulling a line hardly does: measured,
		// it costs some ten times as much.
		if w.work*12 < total {
			pairs = w.push()
		} else {
			pairs = w.pull()
		}
		w.cur, w.nxt = w.nxt, w.cur
		w.mask, w.nxtMask = w.nxtMask, w.mask
		if pairs > 0 {
			w.count(hops, pairs)
		}
		if w.work == 0 || w.left == 0 {
			return
		}
	}
}

func (w *hopWorker) begin(words []hopWord) {
	vertices := len(w.out.first) - 1
	if w.seen == nil {
		w.seen = make([]line, vertices)
		w.cur = make([]line, vertices)
		w.nxt = make([]line, vertices)
		w.mask = make([]uint8, vertices)
		w.nxtMask = make([]uint8, vertices)
	} else {
		clear(w.seen)
		clear(w.cur)
		clear(w.nxt)
		clear(w.mask)
		clear(w.nxtMask)
	}
	w.active, w.touched, w.listed = w.active[:0], w.touched[:0], true
	w.full, w.each = line{}, line{}
	w.weight, w.work = words[0].weight, 0
	sources := 0
	for k, word := range words {
		w.each[k] = word.weight
		if word.weight != w.weight {
			w.weight = 0
		}
		sources += len(word.sources)
		for i, s := range word.sources {
			bit := uint64(1) << i
			w.full[k] |= bit
			w.seen[s.from][k] |= bit
			w.seen[s.self][k] |= bit
			w.cur[s.from][k] |= bit
			if w.mask[s.from] == 0 {
				w.active = append(w.active, s.from)
			}
			if w.mask[s.from]&(1<<k) == 0 {
				w.work += w.out.first[s.from+1] - w.out.first[s.from]
			}
			w.mask[s.from] |= 1 << k
		}
	}
	w.left = int64(sources) * int64(vertices-1)
}

// tally counts the sources that have just reached v.
func (w *hopWorker) tally(v int32, fresh *line) uint64 {
	n := onesCount(fresh)
	w.left -= int64(n)
	pairs := uint64(n) * w.weight
	if w.weight == 0 {
		for k, x := range fresh {
			pairs += uint64(bits.OnesCount64(x)) * w.each[k]
		}
	}
	if w.weights != nil {
		pairs *= w.weights[v]
	}
	return pairs
}

// nonZero is the words of x that are not zero, as bits.
func nonZero(x *line) uint8 {
	var m uint8
	for k, word := range x {
		m |= uint8((word|-word)>>63) << k
	}
	return m
}

// push goes along the arcs out of the frontier, word by word.
func (w *hopWorker) push() uint64 {
	if !w.listed {
		w.active = w.active[:0]
		for v, m := range w.mask {
			if m != 0 {
				w.active = append(w.active, int32(v))
			}
		}
		clear(w.nxt)
		clear(w.nxtMask)
		w.listed = true
	}
	touched := w.touched[:0]
	for _, v := range w.active {
		heads := w.out.of(v)
		for m := w.mask[v]; m != 0; m &= m - 1 {
			k := bits.TrailingZeros8(m) & (lineWords - 1)
			x, bit := w.cur[v][k], uint8(1)<<k
			for _, u := range heads {
				if w.nxtMask[u] == 0 {
					touched = append(touched, u)
				}
				w.nxtMask[u] |= bit
				w.nxt[u][k] |= x
			}
		}
		w.cur[v], w.mask[v] = line{}, 0
	}
	w.active = w.active[:0]
	w.work = 0
	pairs := uint64(0)
	for _, u := range touched {
		fresh, seen := &w.nxt[u], &w.seen[u]
		for k := range fresh {
			fresh[k] &^= seen[k]
			seen[k] |= fresh[k]
		}
		m := nonZero(fresh)
		w.nxtMask[u] = m
		if m == 0 {
			continue
		}
		w.active = append(w.active, u)
		w.work += int64(bits.OnesCount8(m)) * (w.out.first[u+1] - w.out.first[u])
		pairs += w.tally(u, fresh)
	}
	w.touched = touched
	return pairs
}

// pull goes along all arcs into vertices that lack a source, a line at a time.
func (w *hopWorker) pull() uint64 {
	w.listed = false
	p := pull(&w.lines, w.in, w.out)
	w.work = p.work
	if w.weights == nil && w.weight > 0 {
		w.left -= p.reached
		return uint64(p.reached) * w.weight
	}
	pairs := uint64(0)
	for v, m := range w.nxtMask {
		if m != 0 {
			pairs += w.tally(int32(v), &w.nxt[v])
		}
	}
	return pairs
}
