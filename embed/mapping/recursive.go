package mapping

import (
	"cmp"
	"context"
	"slices"
)

// region is a set of places and the vertices that will stand on them.
type region struct {
	places, vertices []int32
	centre           []int32 // a few of its places, to measure distances from
}

// recursiveBipartitioning places vertices by dual recursive bipartitioning: places
// are halved along their geometry, vertices by bisection of the graph, and an edge
// that leaves a region draws its inner end towards its outer one (F. Pellegrini and
// J. Roman, "Scotch: a software package for static mapping by dual recursive
// bipartitioning of process and architecture graphs", HPCN 1996). What it gives may
// break rules and be too much for a place. Every cut is the best of several
// bisections.
func (t *instance) recursiveBipartitioning(ctx context.Context, bisections int, seed uint64) []int32 {
	n := t.g.Vertices()
	all := make([]int32, n)
	for v := range all {
		all[v] = int32(v)
	}
	places := t.allPlaces()
	b := &bipartitioner{
		instance: t, size: t.scalarSizes(), capacity: t.scalarCapacities(), bisections: bisections,
		regions:  []*region{{places: places, vertices: all, centre: representatives(places)}},
		regionOf: make([]int32, n), local: make([]int32, n),
	}
	// Breadth first, so that what lies outside a region is known as finely as the
	// region itself.
	for i := 0; i < len(b.regions); i++ {
		if len(b.regions[i].places) > 1 && ctx.Err() == nil {
			b.split(int32(i), newRandom(seed, uint64(i)))
		}
	}
	place := make([]int32, n)
	for _, r := range b.regions {
		for i, v := range r.vertices {
			place[v] = r.places[i%len(r.places)]
		}
	}
	return place
}

// bipartitioner divides places and vertices into regions.
type bipartitioner struct {
	*instance
	size       []int64 // of each vertex, as one number
	capacity   []int64 // of each place, likewise
	bisections int     // bisections made for each cut, of which the best is taken
	regions    []*region
	regionOf   []int32 // of each vertex
	local      []int32 // index of a vertex in its region
}

// scalarSizes is one size for each vertex: that of the only resource, or the
// largest share of any.
func (t *instance) scalarSizes() []int64 {
	n := t.g.Vertices()
	if t.resources == 1 {
		return t.size
	}
	const whole = 1 << 30
	total := make([]float64, t.resources)
	for p := range t.costs.places {
		for r := range total {
			total[r] += float64(t.capacity[p*t.resources+r])
		}
	}
	out := make([]int64, n)
	for v := range out {
		for r := range total {
			if total[r] > 0 {
				out[v] = max(out[v], int64(whole*float64(t.size[v*t.resources+r])/total[r]))
			}
		}
	}
	return out
}

// scalarCapacities is one capacity for each place, in the unit of scalarSizes.
func (t *instance) scalarCapacities() []int64 {
	const whole = 1 << 30
	out := make([]int64, t.costs.places)
	if t.resources == 1 {
		copy(out, t.capacity)
		for p := range out {
			out[p] = min(out[p], 1<<40)
		}
		return out
	}
	total := make([]float64, t.resources)
	for p := range out {
		for r := range total {
			total[r] += float64(t.capacity[p*t.resources+r])
		}
	}
	for p := range out {
		out[p] = whole
		for r := range total {
			if total[r] > 0 {
				out[p] = min(out[p], int64(whole*float64(t.capacity[p*t.resources+r])/total[r]))
			}
		}
	}
	return out
}

// split divides a region in two: its places in halves, its vertices by a cut.
func (b *bipartitioner) split(number int32, rng *random) {
	r := b.regions[number]
	for j, v := range r.vertices {
		b.local[v] = int32(j)
	}
	var halves [2]*region
	for side, places := range b.bisectPlaces(r.places, b.capacity) {
		halves[side] = &region{places: places, centre: representatives(places)}
	}
	h := b.bisectionOf(r, number, halves)
	side := h.bestCut(b.bisections, rng)
	for i, v := range r.vertices {
		half := halves[side[i]]
		half.vertices = append(half.vertices, v)
	}
	for _, half := range halves {
		for _, v := range half.vertices {
			b.regionOf[v] = int32(len(b.regions))
		}
		b.regions = append(b.regions, half)
	}
	r.vertices = nil
}

// bisectionOf is the graph of a region's vertices, to be cut in two for its halves.
// Edges to other regions become a bias towards the half that they cost less from:
// terminal propagation (A. E. Dunlop and B. W. Kernighan, "A procedure for placement
// of standard-cell VLSI circuits", IEEE Trans. CAD 4, 1985).
func (b *bipartitioner) bisectionOf(r *region, number int32, halves [2]*region) *bisection {
	h := &bisection{first: make([]int64, 1, len(r.vertices)+1), size: make([]int64, len(r.vertices))}
	for side, half := range halves {
		for _, p := range half.places {
			h.limit[side] = addSaturated(h.limit[side], b.capacity[p])
		}
	}
	type pair struct {
		class  uint8
		region int32
	}
	known := make(map[pair]int64) // cost from side 1 less that from side 0
	var across [2 * maxClasses]int64
	for class := range across {
		across[class] = -1
	}
	biased := false
	h.bias = make([]int64, len(r.vertices))
	for i, v := range r.vertices {
		h.size[i] = b.size[v]
		for k := b.g.First[v]; k < b.g.First[v+1]; k++ {
			u, class := b.g.To[k], b.g.class(k)
			if b.regionOf[u] == number {
				h.to = append(h.to, b.local[u])
				if across[class] < 0 {
					there := b.meanCost(class, halves[0].centre, halves[1].centre)
					back := b.meanCost(class^1, halves[0].centre, halves[1].centre)
					across[class] = max(1, (there+back)/2)
				}
				h.weight = append(h.weight, b.g.weight(k)*across[class])
				continue
			}
			key := pair{class, b.regionOf[u]}
			d, ok := known[key]
			if !ok {
				out := b.regions[key.region].centre
				d = b.meanCost(class, halves[1].centre, out) - b.meanCost(class, halves[0].centre, out)
				known[key] = d
			}
			h.bias[i] += d * b.g.weight(k)
			biased = biased || d != 0
		}
		h.first = append(h.first, int64(len(h.to)))
	}
	if !biased {
		h.bias = nil
	}
	b.fixSides(h, r.vertices, halves)
	return h
}

// fixSides fixes vertices to the side where their pin or all places allowed to them are. Those with such places on both
// sides, or on neither, stay free.
func (t *instance) fixSides(h *bisection, vertices []int32, halves [2]*region) {
	if t.pinned == nil && t.allowed == nil {
		return
	}
	h.fixed = make([]int8, len(vertices))
	first := make(map[int32]bool, len(halves[0].places))
	for _, p := range halves[0].places {
		first[p] = true
	}
	var classes [2]uint64
	for side, half := range halves {
		for _, p := range half.places {
			if t.allowed != nil {
				classes[side] |= 1 << t.placeClass[p]
			}
		}
	}
	for i, v := range vertices {
		h.fixed[i] = -1
		switch {
		case t.pinned != nil && t.pinned[v] >= 0:
			if h.fixed[i] = 1; first[t.pinned[v]] {
				h.fixed[i] = 0
			}
		case t.allowed == nil:
		case t.allowed[v]&classes[0] != 0 && t.allowed[v]&classes[1] == 0:
			h.fixed[i] = 0
		case t.allowed[v]&classes[1] != 0 && t.allowed[v]&classes[0] == 0:
			h.fixed[i] = 1
		}
	}
}

// representatives is a few places spread over a list.
func representatives(places []int32) []int32 {
	const most = 8
	if len(places) <= most {
		return places
	}
	out := make([]int32, most)
	for i := range out {
		out[i] = places[(2*i+1)*len(places)/(2*most)]
	}
	return out
}

// meanCost is 64 times the mean cost of a directed class between two sets of
// places, to the nearest lower integer.
func (t *instance) meanCost(class uint8, from, to []int32) int64 {
	sum := int64(0)
	for _, p := range from {
		for _, q := range to {
			sum += t.costs.arc(class, p, q)
		}
	}
	return 64 * sum / int64(len(from)*len(to))
}

// bisectPlaces divides places in two of about the same capacity: along the longer axis
// where positions are known, else by which of two distant places is nearer.
func (t *instance) bisectPlaces(places []int32, capacity []int64) [2][]int32 {
	sorted := slices.Clone(places)
	if at := t.costs.positions(); at != nil {
		lo, hi := at[sorted[0]], at[sorted[0]]
		for _, p := range sorted {
			lo, hi = point{min(lo.x, at[p].x), min(lo.y, at[p].y)}, point{max(hi.x, at[p].x), max(hi.y, at[p].y)}
		}
		depth := int32(0)
		if z := t.costs.z; z != nil {
			least, most := z[sorted[0]], z[sorted[0]]
			for _, p := range sorted {
				least, most = min(least, z[p]), max(most, z[p])
			}
			depth = most - least
		}
		wide, deep := hi.x-lo.x >= hi.y-lo.y, depth > max(hi.x-lo.x, hi.y-lo.y)
		slices.SortFunc(sorted, func(p, q int32) int {
			switch {
			case deep:
				return cmp.Or(cmp.Compare(t.costs.z[p], t.costs.z[q]), cmp.Compare(p, q))
			case wide:
				return cmp.Or(cmp.Compare(at[p].x, at[q].x), cmp.Compare(at[p].y, at[q].y), cmp.Compare(p, q))
			}
			return cmp.Or(cmp.Compare(at[p].y, at[q].y), cmp.Compare(at[p].x, at[q].x), cmp.Compare(p, q))
		})
	} else {
		end := t.farthest(sorted, sorted[0])
		other := t.farthest(sorted, end)
		key := func(p int32) int64 { return t.costs.arc(0, end, p) - t.costs.arc(0, other, p) }
		slices.SortFunc(sorted, func(p, q int32) int { return cmp.Or(cmp.Compare(key(p), key(q)), cmp.Compare(p, q)) })
	}
	total, sum := int64(0), int64(0)
	for _, p := range sorted {
		total += capacity[p]
	}
	cut := 0
	for cut < len(sorted)-1 && (cut == 0 || 2*(sum+capacity[sorted[cut]]) <= total) {
		sum += capacity[sorted[cut]]
		cut++
	}
	return [2][]int32{sorted[:cut:cut], sorted[cut:]}
}

// farthest is the place of the list that is farthest from p.
func (t *instance) farthest(places []int32, p int32) int32 {
	best := places[0]
	for _, q := range places {
		if t.costs.arc(0, p, q) > t.costs.arc(0, p, best) {
			best = q
		}
	}
	return best
}

func (t *instance) allPlaces() []int32 {
	all := make([]int32, t.costs.places)
	for p := range all {
		all[p] = int32(p)
	}
	return all
}
