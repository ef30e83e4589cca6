package mapping

import (
	"cmp"
	"slices"
)

// legalise turns a preferred place for every vertex into a placement that holds every rule and departs little from it.
// Vertices that find no room where they prefer go to the nearest place that has some; where none has, others make way.
// The error, if none was found, says which vertex was left; unless vertices are interchangeable, there may be a
// placement all the same.
func (t *instance) legalise(preferred []int32, rng *random) ([]int32, error) {
	const orders = 20
	order := t.mostConstrainedFirst()
	var err error
	for try := range orders {
		s := &legaliser{
			instance: t, occupancy: newOccupancy(t),
			place: slices.Repeat([]int32{-1}, len(preferred)), occupants: make([][]int32, t.costs.places),
		}
		if err = s.run(order, preferred); err == nil {
			return s.place, nil
		}
		if try == 0 && t.interchangeable() {
			break // augmenting is exact: another order changes nothing
		}
		if s.failed >= 0 { // what found no room goes first
			i := slices.Index(order, s.failed)
			copy(order[1:i+1], order[:i])
			order[0] = s.failed
		}
		if try > orders/2 {
			rng.shuffle(order)
		}
	}
	return nil, err
}

// interchangeable reports whether vertices are alike but for where they may stand:
// then augmenting finds a placement if there is one.
func (t *instance) interchangeable() bool {
	return t.layers == 1 && t.groups == nil && t.resources == 1 &&
		!slices.ContainsFunc(t.size, func(s int64) bool { return s != t.size[0] })
}

// mostConstrainedFirst orders vertices: those that are pinned first, then those
// with rules, then the largest.
func (t *instance) mostConstrainedFirst() []int32 {
	order := make([]int32, t.g.Vertices())
	for v := range order {
		order[v] = int32(v)
	}
	size := t.scalarSizes()
	rank := func(v int32) int {
		switch {
		case t.pinned != nil && t.pinned[v] >= 0:
			return 0
		case t.groups != nil && t.groups[v] != nil:
			return 1
		case t.allowed != nil && t.allowed[v] != ^uint64(0):
			return 2
		}
		return 3
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(size[b], size[a]))
	})
	return order
}

// legaliser places the vertices of an instance one by one.
type legaliser struct {
	*instance
	occupancy *occupancy
	place     []int32   // -1 for none yet
	occupants [][]int32 // of each place
	failed    int32     // the vertex that found no room, -1 for none
}

func (s *legaliser) run(order, preferred []int32) error {
	s.failed = -1
	for _, v := range order {
		p := preferred[v]
		if s.pinned != nil && s.pinned[v] >= 0 {
			p = s.pinned[v]
			if !s.occupancy.fits(v, p) {
				return infeasible("%s is pinned to place %d, where the other vertices pinned leave no room for it",
					s.name(v), p)
			}
		}
		if !s.occupancy.fits(v, p) {
			p = s.nearest(v, p)
		}
		if p >= 0 {
			s.put(v, p)
			continue
		}
		seen := make([]bool, s.costs.places)
		if !s.augment(v, seen, longestPath) {
			s.failed = v
			return s.noRoom(v)
		}
	}
	return nil
}

func (s *legaliser) put(v, p int32) {
	s.occupancy.add(v, p)
	s.place[v] = p
	s.occupants[p] = append(s.occupants[p], v)
}

// unplace removes vertex v from its place.
func (s *legaliser) unplace(v int32) {
	p := s.place[v]
	s.occupancy.remove(v, p)
	s.place[v] = -1
	s.occupants[p] = slices.DeleteFunc(s.occupants[p], func(u int32) bool { return u == v })
}

// nearest returns the place that is allowed to v and has room, with the lowest cost from p for class 0; -1 if there is
// none.
func (s *legaliser) nearest(v, p int32) int32 {
	best, least := int32(-1), int64(0)
	for q := range int32(s.costs.places) {
		if d := s.costs.arc(0, p, q); (best < 0 || d < least) && s.occupancy.fits(v, q) {
			best, least = q, d
		}
	}
	return best
}

// longestPath bounds how many others make way, one for the other.
const longestPath = 40

// augment finds room for v along an augmenting path: others move out of its way,
// each place being looked at once.
func (s *legaliser) augment(v int32, seen []bool, depth int) bool {
	for p := range int32(s.costs.places) {
		if !seen[p] && s.occupancy.fits(v, p) {
			s.put(v, p)
			return true
		}
	}
	if depth == 0 {
		return false
	}
	for p := range int32(s.costs.places) {
		if seen[p] || !s.isAllowed(v, p) {
			continue
		}
		seen[p] = true
		for _, u := range slices.Clone(s.occupants[p]) {
			if s.pinned != nil && s.pinned[u] >= 0 {
				continue
			}
			s.unplace(u)
			if s.occupancy.fits(v, p) {
				s.put(v, p)
				if s.augment(u, seen, depth-1) {
					return true
				}
				s.unplace(v)
			}
			s.put(u, p)
		}
	}
	return false
}

// noRoom explains that v was left over.
func (s *legaliser) noRoom(v int32) error {
	placed := 0
	for _, p := range s.place {
		if p >= 0 {
			placed++
		}
	}
	why := "no room was found for it, however others made way"
	if s.interchangeable() {
		why = "the places allowed to it and to the others are too few"
	}
	return infeasible("%s: %s (%d of %d placed)", s.name(v), why, placed, len(s.place))
}
