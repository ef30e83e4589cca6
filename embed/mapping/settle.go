package mapping

import (
	"cmp"
	"slices"
)

// settle turns a wish for the place of every vertex into a placement that holds
// every rule and departs little from it. Vertices that find no room where they
// wish go to the nearest place that has some; where none has, others make way.
func (t *task) settle(wish []int32, rng *random) ([]int32, error) {
	const orders = 20
	order := t.hardFirst()
	var err error
	for try := range orders {
		s := &settling{task: t, room: newRoom(t), place: slices.Repeat([]int32{-1}, len(wish)), occ: make([][]int32, t.costs.places)}
		if err = s.run(order, wish); err == nil {
			return s.place, nil
		}
		if try == 0 && t.exact() {
			break // making way is exact: another order changes nothing
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

// exact tells whether vertices are alike but for where they may stand: then
// making way finds a placement if there is one.
func (t *task) exact() bool {
	return t.layers == 1 && t.groups == nil && t.resources == 1 &&
		!slices.ContainsFunc(t.size, func(s int64) bool { return s != t.size[0] })
}

// hardFirst orders vertices: those that are pinned first, then those with rules,
// then the largest.
func (t *task) hardFirst() []int32 {
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

type settling struct {
	*task
	room   *room
	place  []int32
	occ    [][]int32
	failed int32
}

func (s *settling) run(order, wish []int32) error {
	s.failed = -1
	for _, v := range order {
		p := wish[v]
		if s.pinned != nil && s.pinned[v] >= 0 {
			p = s.pinned[v]
			if !s.room.fits(v, p) {
				return infeasible("%s is pinned to place %d, where the other vertices pinned leave no room for it", s.name(v), p)
			}
		}
		if !s.room.fits(v, p) {
			p = s.nearest(v, p)
		}
		if p >= 0 {
			s.put(v, p)
			continue
		}
		seen := make([]bool, s.costs.places)
		if !s.makeWay(v, seen, 40) {
			s.failed = v
			return s.noRoom(v)
		}
	}
	return nil
}

func (s *settling) put(v, p int32) {
	s.room.add(v, p)
	s.place[v] = p
	s.occ[p] = append(s.occ[p], v)
}

func (s *settling) take(v int32) {
	p := s.place[v]
	s.room.remove(v, p)
	s.place[v] = -1
	s.occ[p] = slices.DeleteFunc(s.occ[p], func(u int32) bool { return u == v })
}

// nearest is the place with room for v that costs least to reach from p, -1 if
// there is none.
func (s *settling) nearest(v, p int32) int32 {
	best, least := int32(-1), int64(0)
	for q := range int32(s.costs.places) {
		if d := s.costs.arc(0, p, q); (best < 0 || d < least) && s.room.fits(v, q) {
			best, least = q, d
		}
	}
	return best
}

// makeWay finds room for v by moving others out of its way, each place being
// looked at once.
func (s *settling) makeWay(v int32, seen []bool, depth int) bool {
	for p := range int32(s.costs.places) {
		if !seen[p] && s.room.fits(v, p) {
			s.put(v, p)
			return true
		}
	}
	if depth == 0 {
		return false
	}
	for p := range int32(s.costs.places) {
		if seen[p] || !s.may(v, p) {
			continue
		}
		seen[p] = true
		for _, u := range slices.Clone(s.occ[p]) {
			if s.pinned != nil && s.pinned[u] >= 0 {
				continue
			}
			s.take(u)
			if s.room.fits(v, p) {
				s.put(v, p)
				if s.makeWay(u, seen, depth-1) {
					return true
				}
				s.take(v)
			}
			s.put(u, p)
		}
	}
	return false
}

// noRoom explains that v was left over.
func (s *settling) noRoom(v int32) error {
	placed := 0
	for _, p := range s.place {
		if p >= 0 {
			placed++
		}
	}
	why := "no room was found for it, however others made way"
	if s.exact() {
		why = "the places allowed to it and to the others are too few"
	}
	return infeasible("%s: %s (%d of %d placed)", s.name(v), why, placed, len(s.place))
}
