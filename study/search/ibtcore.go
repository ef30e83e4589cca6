package search

import (
	"math/bits"

	"github.com/plenum-planner/plenum/topology"
)

// measureCore computes distances in a network all of whose dimensions have bypasses, from a node of every orbit. It
// gives up, and returns false, once the mean is known to be above limit; no source's mean is below bound.
func measureCore(p topology.IBT, bound, limit float64) (coreDistances, bool) {
	g, err := topology.New(p)
	if err != nil {
		panic(err) // sides and lengths are made to fit
	}
	w := newCoreWalk(p)
	n := float64(w.points)
	var d coreDistances
	left := n // sources not searched from
	for _, o := range g.(topology.Symmetric).Orbits() {
		sum, farthest := w.from(o.Vertex)
		d.mean += float64(sum) / n * (float64(o.Size) / n)
		d.diameter = max(d.diameter, farthest)
		left -= float64(o.Size)
		if d.mean+bound*left/n > limit {
			return coreDistances{}, false
		}
	}
	return d, true
}

// coreWalk walks a network all of whose dimensions have bypasses, all nodes at one distance at a time: they are a set
// of bits, and a step along a dimension moves all of the set by as many places, but for those that go round.
type coreWalk struct {
	points               int
	moves                []coreMove
	front, next, reached []uint64
}

// A coreMove takes the nodes of a set by some places up or down.
type coreMove struct {
	from   []uint64 // the nodes that it holds for
	places int      // up, or down where negative
}

func newCoreWalk(p topology.IBT) *coreWalk {
	w := &coreWalk{points: 1}
	for _, side := range p.Dims {
		w.points *= side
	}
	words := (w.points + 63) / 64
	w.front, w.next, w.reached = make([]uint64, words), make([]uint64, words), make([]uint64, words)
	all := make([]uint64, words)
	fill(all, 0, w.points)
	classes := w.classes(p)
	stride := 1
	for d, side := range p.Dims {
		w.steps(all, stride, side, 1)
		for h, length := range p.BypassLengths {
			w.steps(classes[h*len(p.Dims)+d], stride, side, length)
		}
		stride *= side
	}
	return w
}

// classes are the nodes whose coordinates sum to each remainder of the period.
func (w *coreWalk) classes(p topology.IBT) [][]uint64 {
	period := len(p.Dims) * len(p.BypassLengths)
	out := make([][]uint64, period)
	for s := range out {
		out[s] = make([]uint64, len(w.front))
	}
	at := make([]int, len(p.Dims))
	sum := 0
	for row := 0; row < w.points; row += p.Dims[0] {
		for x := range p.Dims[0] {
			v := row + x
			out[(sum+x)%period][v/64] |= 1 << (v % 64)
		}
		for d := 1; d < len(at); d++ {
			sum++
			if at[d]++; at[d] < p.Dims[d] {
				break
			}
			sum, at[d] = sum-at[d], 0
		}
	}
	return out
}

// steps adds the moves by a length up and down a dimension.
func (w *coreWalk) steps(nodes []uint64, stride, side, length int) {
	for _, up := range [2]int{length, side - length} { // round the ring, down is up by the rest
		inside, round := make([]uint64, len(nodes)), make([]uint64, len(nodes))
		for line := 0; line < w.points; line += side * stride {
			fill(inside, line, line+(side-up)*stride)
		}
		for i, n := range nodes {
			round[i], inside[i] = n&^inside[i], n&inside[i]
		}
		w.moves = append(w.moves, coreMove{inside, up * stride}, coreMove{round, (up - side) * stride})
		if 2*length == side {
			break
		}
	}
}

// fill sets the bits from a to before b.
func fill(set []uint64, a, b int) {
	for a < b {
		n := min(64-a%64, b-a)
		set[a/64] |= (^uint64(0) >> (64 - n)) << (a % 64)
		a += n
	}
}

// from searches breadth first: the sum of the distances, and the greatest.
func (w *coreWalk) from(source int) (sum int64, farthest int) {
	clear(w.front)
	clear(w.reached)
	w.front[source/64] |= 1 << (source % 64)
	w.reached[source/64] |= 1 << (source % 64)
	for hops := 1; ; hops++ {
		clear(w.next)
		for _, m := range w.moves {
			m.apply(w.front, w.next)
		}
		found := 0
		for i, n := range w.next {
			n &^= w.reached[i]
			w.next[i] = n
			w.reached[i] |= n
			found += bits.OnesCount64(n)
		}
		if found == 0 {
			return sum, farthest
		}
		sum, farthest = sum+int64(found)*int64(hops), hops
		w.front, w.next = w.next, w.front
	}
}

// apply adds what the move makes of a set. The move takes no node out of the network.
func (m coreMove) apply(set, to []uint64) {
	if m.places >= 0 {
		words, by := m.places/64, uint(m.places%64)
		for i, f := range m.from {
			f &= set[i]
			if f == 0 {
				continue
			}
			to[i+words] |= f << by
			if over := f >> (64 - by); over != 0 {
				to[i+words+1] |= over
			}
		}
		return
	}
	words, by := -m.places/64, uint(-m.places%64)
	for i, f := range m.from {
		f &= set[i]
		if f == 0 {
			continue
		}
		if down := f >> by; down != 0 {
			to[i-words] |= down
		}
		if over := f << (64 - by); over != 0 {
			to[i-words-1] |= over
		}
	}
}
