package measure

import (
	"context"
	"slices"

	"github.com/plenum-planner/plenum/internal/bigarray"
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
	depth := 0
	if len(n.sources) > fewSources {
		depth = n.nearDepth()
	}
	for i := range workers {
		workers[i] = newHopWorker(n)
		workers[i].depth = depth
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

	// A block is searched in three ways. Near its sources by lists, one source
	// after the other; then in steps that look at all vertices, as long as that is
	// worth it; then along the arcs out of the vertices that have just been reached.
	depth      int // hops that are searched by lists
	parts      []blockPart
	seen, next []line // sources that have reached each vertex; and with the step under way
	begin, end int32  // of halves: the sources of the block
	weight     uint64 // of every source, 0 if they differ
	each       [lineWords]uint64
	work       int64 // words that pushing the frontier would write
	rows       []int32
	settled    float64 // part of the pairs with which settling is tried again

	pushing
}

// blockPart is vertices that follow each other, and the sources of a block that
// can reach them.
type blockPart struct {
	begin, end int32
	full       line
}

func newHopWorker(n *hopNet) *hopWorker { return &hopWorker{hopNet: n} }

func (w *hopWorker) count(hops int, pairs uint64) {
	if pairs == 0 {
		return
	}
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
		w.count(hops, pairs*s.weight)
		begin = end
	}
}

// nearDepth is how many hops are searched by lists: those for which that is less work
// than to look at all arcs. It is found by trying a few sources.
func (n *hopNet) nearDepth() int {
	const (
		tried = 16
		most  = 8
		cost  = 5 * lineWords * 64 // of a vertex in the lists of a block, measured in arcs of a step
	)
	total := int64(len(n.out.to))
	var scanned [most]int64 // arcs out of the vertices that are hops away
	w := newHopWorker(n)
	w.dist = newDistances(len(n.out.first) - 1)
	for i := range tried {
		s := n.sources[i*len(n.sources)/tried]
		w.ball(s.from, func(_ []int32, hops int, arcs int64) bool {
			scanned[hops] += arcs
			return hops+1 < most && scanned[hops]*cost < total*2*tried
		})
	}
	for hops, arcs := range scanned {
		if arcs*cost >= total*tried {
			return hops
		}
	}
	return most
}

func newDistances(vertices int) []int32 {
	dist := make([]int32, vertices)
	for v := range dist {
		dist[v] = -1
	}
	return dist
}

// ball calls each with the vertices 0, 1, 2 and more hops from v and the number of arcs
// out of them, as long as there are any and it wants more. It needs a dist of -1 and
// leaves it so.
func (w *hopWorker) ball(v int32, each func(level []int32, hops int, arcs int64) bool) {
	w.dist[v] = 0
	w.queue = append(w.queue[:0], v)
	for begin, hops := 0, 0; begin < len(w.queue); hops++ {
		level := w.queue[begin:]
		begin = len(w.queue)
		arcs := int64(0)
		for _, u := range level {
			arcs += w.out.first[u+1] - w.out.first[u]
		}
		if !each(level, hops, arcs) {
			break
		}
		for _, u := range level {
			for _, x := range w.out.of(u) {
				if w.dist[x] < 0 {
					w.dist[x] = 0
					w.queue = append(w.queue, x)
				}
			}
		}
	}
	for _, u := range w.queue {
		w.dist[u] = -1
	}
}

// block searches for up to 512 sources.
func (w *hopWorker) block(words []hopWord) {
	w.start(words)
	if !w.near(words) {
		return
	}
	total := int64(0)
	for _, p := range w.parts {
		total += w.out.first[p.end] - w.out.first[p.begin]
	}
	pushes := false
	for hops := w.depth + 1; ; hops++ {
		if pushes {
			w.count(hops, w.push())
		} else if !w.step(hops) {
			return
		}
		if w.work == 0 {
			return
		}
		// Pushing a word waits for memory, a step hardly does: measured, a word costs
		// some ten times as much as a line.
		if was := pushes; w.work*12 < total != was {
			pushes = !was
			if pushes {
				w.beginPushing()
			}
		}
	}
}

// start makes the block empty.
func (w *hopWorker) start(words []hopWord) {
	vertices := len(w.out.first) - 1
	if w.seen == nil {
		both := bigarray.Make[line](2 * vertices)
		w.seen, w.next = both[:vertices], both[vertices:]
		w.rows = make([]int32, vertices)
		w.dist = newDistances(vertices)
	}
	w.each = [lineWords]uint64{}
	w.weight, w.settled = words[0].weight, 1./8
	w.parts = w.parts[:0]
	for k, word := range words {
		w.each[k] = word.weight
		if word.weight != w.weight {
			w.weight = 0
		}
		for i, s := range word.sources {
			w.partOf(s.from).full[k] |= 1 << i
		}
	}
	last := words[len(words)-1].sources
	w.begin, w.end = words[0].sources[0].from, last[len(last)-1].from+1
	for _, p := range w.parts {
		clear(w.seen[p.begin:p.end])
	}
}

// partOf is the part of the vertices that a source at v can reach.
func (w *hopWorker) partOf(v int32) *blockPart {
	k, found := slices.BinarySearch(w.components, v)
	if found {
		k++
	}
	begin, end := w.components[k-1], w.components[k]
	if last := len(w.parts) - 1; last >= 0 && w.parts[last].begin == begin {
		return &w.parts[last]
	}
	at, found := slices.BinarySearchFunc(w.parts, begin, func(p blockPart, begin int32) int {
		return int(p.begin) - int(begin)
	})
	if !found {
		w.parts = slices.Insert(w.parts, at, blockPart{begin: begin, end: end})
	}
	return &w.parts[at]
}

// near searches the first hops by lists, and reports whether any source can go on.
func (w *hopWorker) near(words []hopWord) bool {
	goesOn := false
	for k, word := range words {
		for i, s := range word.sources {
			bit := uint(i)
			w.seen[s.self][k] |= 1 << bit
			w.seen[s.from][k] |= 1 << bit
			level := append(w.queue[:0], s.from)
			for hops := 1; hops <= w.depth && len(level) > 0; hops++ {
				var pairs uint64
				level, pairs = w.nearLevel(level, k, bit)
				w.count(hops, pairs*word.weight)
			}
			goesOn = goesOn || len(level) > 0
		}
	}
	return goesOn
}

// nearLevel goes one hop further for a source, from the vertices of a level to those of the
// next, which it returns with the number of pairs. It does not branch on whether a vertex
// is new, which would often be foretold wrongly.
func (w *hopWorker) nearLevel(level []int32, k int, bit uint) ([]int32, uint64) {
	from := w.rows[:0]
	from = append(from, level...)
	k &= lineWords - 1
	bit &= 63
	next := w.queue[:0]
	for _, v := range from {
		heads := w.out.of(v)
		n := len(next)
		next = slices.Grow(next, len(heads))[:n+len(heads)]
		for _, u := range heads {
			x := &w.seen[u][k]
			next[n] = u
			n += int(^*x >> bit & 1)
			*x |= 1 << bit
		}
		next = next[:n]
	}
	w.queue = next
	if w.weights == nil {
		return next, uint64(len(next))
	}
	pairs := uint64(0)
	for _, u := range next {
		pairs += w.weights[u]
	}
	return next, pairs
}
