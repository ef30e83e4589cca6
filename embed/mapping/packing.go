package mapping

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// mostPacked bounds the places for the packing bound, which takes the square of
// their number.
const mostPacked = 1 << 12

// packingBound returns the packing bound (see LowerBound), 0 for more than mostPacked places.
func (t *instance) packingBound() int64 {
	places := t.costs.places
	if places > mostPacked {
		return 0
	}
	capacity := t.vertexCapacities()
	classes := t.classesUsed()
	cheapest := func(p, q int32) int64 {
		least := int64(math.MaxInt64)
		for _, class := range classes {
			least = min(least, t.costs.arc(class, p, q))
		}
		return least
	}
	kinds := t.vertexKinds()
	nearest := make([]target, places)
	for p := range int32(places) {
		for q := range int32(places) {
			nearest[q] = target{cheapest(p, q), capacity[q]}
		}
		slices.SortFunc(nearest, func(a, b target) int { return cmp.Compare(a.cost, b.cost) })
		// A vertex on p takes up room there itself; as it is not known which of the
		// equally cheap places p is, the cheapest gives way.
		first := nearest[0].capacity
		if nearest[0].cost == cheapest(p, p) {
			first--
		}
		for _, k := range kinds {
			if k.pin < 0 || k.pin == p {
				k.least = min(k.least, k.packedCost(nearest, first))
			}
		}
	}
	twice := int64(0)
	for _, k := range kinds {
		twice += k.count * k.least
	}
	return (twice+1)/2 + t.cheapestLoops()
}

// target is a place as seen from another: what an edge to it costs at least, and
// how many vertices it holds.
type target struct{ cost, capacity int64 }

// vertexKind is vertices with the same weights of arcs and the same pin, which
// have the same bound.
type vertexKind struct {
	weights []int64 // of arcs, parallel ones as one, the heaviest first
	pin     int32
	count   int64
	least   int64 // what the arcs of one cost at least
}

// packedCost returns the cost of the arcs if the heaviest lead to the nearest places, of which the first has room for
// `first` vertices. If the cost is k.least or more, the result is k.least or more, but may be too low.
func (k *vertexKind) packedCost(nearest []target, first int64) int64 {
	sum, i, left := int64(0), 0, first
	for _, w := range k.weights {
		for left <= 0 && i+1 < len(nearest) {
			i++
			left = addSaturated(left, nearest[i].capacity)
		}
		left--
		sum += w * nearest[i].cost
		if sum >= k.least {
			break
		}
	}
	return sum
}

// vertexKinds sorts the vertices into kinds.
func (t *instance) vertexKinds() []*vertexKind {
	var kinds []*vertexKind
	known := make(map[string]*vertexKind)
	var key []byte
	for v := range int32(t.g.Vertices()) {
		pin := int32(-1)
		if t.pinned != nil {
			pin = t.pinned[v]
		}
		weights := t.g.neighbourWeights(v)
		key = binary.LittleEndian.AppendUint32(key[:0], uint32(pin))
		for _, w := range weights {
			key = binary.LittleEndian.AppendUint64(key, uint64(w))
		}
		k := known[string(key)]
		if k == nil {
			k = &vertexKind{weights: weights, pin: pin, least: math.MaxInt64}
			known[string(key)] = k
			kinds = append(kinds, k)
		}
		k.count++
	}
	return kinds
}

// neighbourWeights lists the weights to the neighbours of v, the heaviest first.
// Parallel edges lead to one neighbour.
func (g *Graph) neighbourWeights(v int32) []int64 {
	arcs := make([]int64, 0, g.degree(v))
	for k := g.First[v]; k < g.First[v+1]; k++ {
		arcs = append(arcs, k)
	}
	slices.SortFunc(arcs, func(a, b int64) int { return cmp.Compare(g.To[a], g.To[b]) })
	weights := make([]int64, 0, len(arcs))
	for i, k := range arcs {
		if i > 0 && g.To[k] == g.To[arcs[i-1]] {
			weights[len(weights)-1] += g.weight(k)
			continue
		}
		weights = append(weights, g.weight(k))
	}
	slices.SortFunc(weights, func(a, b int64) int { return cmp.Compare(b, a) })
	return weights
}

// cheapestLoops is what the edges inside groups cost at least.
func (t *instance) cheapestLoops() int64 {
	sum := int64(0)
	for v := range t.loops {
		for _, e := range t.loops[v] {
			least := int64(math.MaxInt64)
			for p := range int32(t.costs.places) {
				least = min(least, t.costs.arc(e.class, p, p))
			}
			sum += least * e.weight
		}
	}
	return sum
}

// vertexCapacities is the number of vertices that fit on each place, were all as small as
// the smallest.
func (t *instance) vertexCapacities() []int64 {
	n := int64(t.g.Vertices())
	room := make([]int64, t.costs.places)
	for p := range room {
		room[p] = n
	}
	for r := range t.resources {
		least := int64(math.MaxInt64)
		for v := range int(n) {
			least = min(least, t.size[v*t.resources+r])
		}
		if least == 0 {
			continue
		}
		for p := range room {
			room[p] = min(room[p], t.capacity[p*t.resources+r]/least)
		}
	}
	return room
}

// classesUsed lists the directed classes of arcs.
func (t *instance) classesUsed() []uint8 {
	if t.g.Class == nil || t.costs.oneClass() {
		return []uint8{0}
	}
	used := slices.Clone(t.g.Class)
	slices.Sort(used)
	return slices.Compact(used)
}
