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

// recursive places vertices by dual recursive bipartitioning: places are halved
// along their geometry, vertices by bisection of the graph, and an edge that
// leaves a region draws its inner end towards its outer one (F. Pellegrini and J.
// Roman, "Scotch: a software package for static mapping by dual recursive
// bipartitioning of process and architecture graphs", HPCN 1996). What it gives
// may break rules and be too much for a place. Every cut is the best of several
// bisections.
func (t *task) recursive(ctx context.Context, bisections int, seed uint64) []int32 {
	n := t.g.Vertices()
	weight := t.scalarSizes()
	offer := t.scalarCapacities()
	all := make([]int32, n)
	for v := range all {
		all[v] = int32(v)
	}
	// Breadth first, so that what lies outside a region is known as finely as the
	// region itself.
	places := t.allPlaces()
	regions := []*region{{places: places, vertices: all, centre: sample(places)}}
	regionOf := make([]int32, n)
	local := make([]int32, n) // index of a vertex in its region
	for i := 0; i < len(regions); i++ {
		r := regions[i]
		if len(r.places) < 2 || ctx.Err() != nil {
			continue
		}
		for j, v := range r.vertices {
			local[v] = int32(j)
		}
		a, b := t.divide(r, int32(i), regions, regionOf, local, weight, offer, bisections, newRandom(seed, uint64(i)))
		for _, half := range [2]*region{a, b} {
			for _, v := range half.vertices {
				regionOf[v] = int32(len(regions))
			}
			regions = append(regions, half)
		}
		r.vertices = nil
	}
	place := make([]int32, n)
	for _, r := range regions {
		for i, v := range r.vertices {
			place[v] = r.places[i%len(r.places)]
		}
	}
	return place
}

// scalarSizes is one size for each vertex: that of the only resource, or the
// largest share of any.
func (t *task) scalarSizes() []int64 {
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
func (t *task) scalarCapacities() []int64 {
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

// divide halves the places of a region and cuts its vertices in two.
func (t *task) divide(r *region, self int32, regions []*region, regionOf, local []int32, weight, offer []int64, bisections int, rng *random) (a, b *region) {
	pa, pb := t.halve(r.places, offer)
	a = &region{places: pa, centre: sample(pa)}
	b = &region{places: pb, centre: sample(pb)}
	h := &halves{first: make([]int64, 1, len(r.vertices)+1), size: make([]int64, len(r.vertices))}
	for _, p := range pa {
		h.limit[0] = addSaturated(h.limit[0], offer[p])
	}
	for _, p := range pb {
		h.limit[1] = addSaturated(h.limit[1], offer[p])
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
		h.size[i] = weight[v]
		for k := t.g.First[v]; k < t.g.First[v+1]; k++ {
			u, class := t.g.To[k], t.g.class(k)
			if regionOf[u] == self {
				h.to = append(h.to, local[u])
				if across[class] < 0 {
					both := t.between(class, a.centre, b.centre) + t.between(class^1, a.centre, b.centre)
					across[class] = max(1, both/2)
				}
				h.weight = append(h.weight, t.g.weight(k)*across[class])
				continue
			}
			key := pair{class, regionOf[u]}
			d, ok := known[key]
			if !ok {
				out := regions[key.region].centre
				d = t.between(class, b.centre, out) - t.between(class, a.centre, out)
				known[key] = d
			}
			h.bias[i] += d * t.g.weight(k)
			biased = biased || d != 0
		}
		h.first = append(h.first, int64(len(h.to)))
	}
	if !biased {
		h.bias = nil
	}
	t.fix(h, r, a, b)
	side := h.bestCut(bisections, rng)
	for i, v := range r.vertices {
		if side[i] == 0 {
			a.vertices = append(a.vertices, v)
		} else {
			b.vertices = append(b.vertices, v)
		}
	}
	return a, b
}

// fix holds vertices to the only side where a place is allowed to them.
func (t *task) fix(h *halves, r, a, b *region) {
	if t.pinned == nil && t.allowed == nil {
		return
	}
	h.fixed = make([]int8, len(r.vertices))
	inA := make(map[int32]bool, len(a.places))
	var classes [2]uint64
	for _, p := range a.places {
		inA[p] = true
		if t.allowed != nil {
			classes[0] |= 1 << t.placeClass[p]
		}
	}
	if t.allowed != nil {
		for _, p := range b.places {
			classes[1] |= 1 << t.placeClass[p]
		}
	}
	for i, v := range r.vertices {
		h.fixed[i] = -1
		switch {
		case t.pinned != nil && t.pinned[v] >= 0:
			if h.fixed[i] = 1; inA[t.pinned[v]] {
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

// sample is a few places spread over a list.
func sample(places []int32) []int32 {
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

// between is 64 times the mean cost of a directed class between two sets of
// places, to the nearest lower integer.
func (t *task) between(class uint8, from, to []int32) int64 {
	sum := int64(0)
	for _, p := range from {
		for _, q := range to {
			sum += t.costs.arc(class, p, q)
		}
	}
	return 64 * sum / int64(len(from)*len(to))
}

// halve divides places in two of about the same capacity: along the longer axis
// where positions are known, else by which of two distant places is nearer.
func (t *task) halve(places []int32, offer []int64) (a, b []int32) {
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
		total += offer[p]
	}
	cut := 0
	for cut < len(sorted)-1 && (cut == 0 || 2*(sum+offer[sorted[cut]]) <= total) {
		sum += offer[sorted[cut]]
		cut++
	}
	return sorted[:cut:cut], sorted[cut:]
}

// farthest is the place of the list that is farthest from p.
func (t *task) farthest(places []int32, p int32) int32 {
	best := places[0]
	for _, q := range places {
		if t.costs.arc(0, p, q) > t.costs.arc(0, p, best) {
			best = q
		}
	}
	return best
}

func (t *task) allPlaces() []int32 {
	all := make([]int32, t.costs.places)
	for p := range all {
		all[p] = int32(p)
	}
	return all
}
