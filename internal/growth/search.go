package growth

import (
	"cmp"
	"slices"
)

// mostSearched is the most boxes that positions are searched for, mostTried the most positions of single boxes that the
// search tries in all.
const (
	mostSearched = 400
	mostTried    = 400_000
)

// search finds the fewest links that move by trying all positions, depth first, with one more link that may move at a
// time (iterative deepening). It proves a lower bound: more links move than the last number for which it has tried
// everything. It leaves out kinds whose boxes and vertices all have one neighbour, such as nodes at a switch, which can
// only add to the links that move.
type search struct {
	*Growth
	takesPart []bool       // by kind
	order     []int32      // boxes, each linked to ones before it where any is
	before    [][]neighbor // of every box in the order, those before it
	at        []int32      // position of every box, -1 for none
	boxAt     []int32      // box at every vertex, -1 for none
	rem       []int32      // links of every box to boxes without a position
	free      []int32      // links of every vertex to vertices without a box
	// short is how many links from boxes with a position to others move at least, because their vertices have fewer to
	// free ones.
	short int64
	tries int // that are left
	// keeps and lists are scratch space of candidates: links that stay, by vertex, and the list of every box in the
	// order.
	keeps []int32
	lists [][]neighbor
}

// leastBySearch returns a lower bound, at least the given one, on the links that move, and positions with as many
// for the kinds that take part; nil if the search did not end, or does not suit.
func (g *Growth) leastBySearch(least int64) (bound int64, position []int32) {
	s := g.newSearch()
	if s == nil {
		return least, nil
	}
	gone := int64(0) // links of boxes whose kind the network does not have
	for b, all := range g.old {
		for _, n := range all {
			if n.at >= int32(b) && (g.OldKind[b] < 0 || g.OldKind[n.at] < 0) {
				gone += int64(n.links)
			}
		}
	}
	for ; ; least++ {
		switch found := s.try(0, max(0, least-gone)); {
		case found:
			return least, s.at
		case s.tries < 0:
			return least, nil
		}
	}
}

// newSearch returns nil for networks without links within a kind, and where there are too many boxes or fewer vertices
// than boxes.
func (g *Growth) newSearch() *search {
	linked, kinds := false, int32(0)
	for _, k := range g.kindsOfOld {
		if len(g.boxes[k]) > len(g.ofKind[k]) {
			return nil
		}
		linked = linked || g.isLinked(k)
		kinds = max(kinds, k+1)
	}
	if !linked {
		return nil
	}
	s := &search{Growth: g, takesPart: make([]bool, kinds), tries: mostTried}
	several := func(all [][]neighbor, of []int32) bool {
		return slices.ContainsFunc(of, func(v int32) bool { return len(all[v]) > 1 })
	}
	for _, k := range g.kindsOfOld {
		s.takesPart[k] = g.isLinked(k) || several(g.old, g.boxes[k]) || several(g.new, g.ofKind[k])
	}
	s.sort()
	if len(s.order) > mostSearched {
		return nil
	}
	s.at, s.boxAt = slices.Repeat([]int32{-1}, len(g.old)), slices.Repeat([]int32{-1}, len(g.new))
	s.keeps, s.lists = make([]int32, len(g.new)), make([][]neighbor, len(s.order))
	s.rem, s.free = s.links(g.old, g.OldKind), s.links(g.new, g.NewKind)
	return s
}

// counts reports whether a kind takes part.
func (s *search) counts(kind int32) bool {
	return kind >= 0 && int(kind) < len(s.takesPart) && s.takesPart[kind]
}

// links counts the links of each box or vertex to those that take part.
func (s *search) links(all [][]neighbor, kinds []int32) []int32 {
	out := make([]int32, len(all))
	for v := range all {
		for _, n := range all[v] {
			if s.counts(kinds[n.at]) {
				out[v] += n.links
			}
		}
	}
	return out
}

// sort puts the boxes in an order: next is the one with the most links to those before it, of several that with the
// most links.
func (s *search) sort() {
	toEarlier, ordered := make([]int32, len(s.old)), make([]bool, len(s.old))
	all := s.links(s.old, s.OldKind)
	var left []int32
	for b, k := range s.OldKind {
		if s.counts(k) {
			left = append(left, int32(b))
		}
	}
	if len(left) > mostSearched {
		s.order = left
		return
	}
	for len(left) > 0 {
		next := slices.MaxFunc(left, func(a, b int32) int {
			return cmp.Or(cmp.Compare(toEarlier[a], toEarlier[b]), cmp.Compare(all[a], all[b]), cmp.Compare(b, a))
		})
		left = slices.DeleteFunc(left, func(b int32) bool { return b == next })
		var before []neighbor
		for _, n := range s.old[next] {
			if toEarlier[n.at] += n.links; ordered[n.at] {
				before = append(before, n)
			}
		}
		ordered[next] = true
		s.order, s.before = append(s.order, next), append(s.before, before)
	}
}

// try finds positions for the boxes from the i-th of the order on with which at most so many links move. It reports
// whether it found any, and leaves boxes there.
func (s *search) try(i int, most int64) bool {
	if i == len(s.order) {
		return true
	}
	b := s.order[i]
	for _, c := range s.candidates(i, most) {
		if s.tries--; s.tries < 0 {
			return false
		}
		s.put(b, c.at, 1)
		if moved := int64(c.links); s.short <= most-moved && s.try(i+1, most-moved) {
			return true
		}
		s.put(b, c.at, -1)
	}
	return false
}

// candidates lists the vertices that the i-th box of the order may take, with how many of its links to boxes before it
// then move, the fewest first.
func (s *search) candidates(i int, most int64) []neighbor {
	kind, links := s.OldKind[s.order[i]], int32(0)
	out := s.lists[i][:0]
	for _, n := range s.before[i] {
		links += n.links
		for _, to := range s.new[s.at[n.at]] {
			if s.NewKind[to.at] != kind || s.boxAt[to.at] >= 0 {
				continue
			}
			if s.keeps[to.at] == 0 {
				out = append(out, neighbor{at: to.at})
			}
			s.keeps[to.at] += min(n.links, to.links)
		}
	}
	if int64(links) <= most { // any vertex will do
		out = out[:0]
		for _, v := range s.ofKind[kind] {
			if s.boxAt[v] < 0 {
				out = append(out, neighbor{at: v})
			}
		}
	}
	for c := range out {
		out[c].links = links - s.keeps[out[c].at]
		s.keeps[out[c].at] = 0
	}
	out = slices.DeleteFunc(out, func(c neighbor) bool { return int64(c.links) > most })
	slices.SortFunc(out, func(a, b neighbor) int {
		return cmp.Or(cmp.Compare(a.links, b.links), cmp.Compare(a.at, b.at))
	})
	s.lists[i] = out
	return out
}

// put gives a box a vertex, or takes it away again with -1.
func (s *search) put(b, v, sign int32) {
	if sign < 0 {
		s.short -= s.shortAt(v)
		s.at[b], s.boxAt[v] = -1, -1
	}
	for _, n := range s.old[b] {
		s.change(s.rem, n.at, s.at[n.at], -sign*n.links)
	}
	for _, n := range s.new[v] {
		s.change(s.free, n.at, n.at, -sign*n.links)
	}
	if sign > 0 {
		s.at[b], s.boxAt[v] = v, b
		s.short += s.shortAt(v)
	}
}

// change adds to a number of links, of a box or vertex, on which the links that move at a vertex depend, -1 for none.
func (s *search) change(of []int32, i, v, by int32) {
	if v >= 0 {
		s.short -= s.shortAt(v)
	}
	if of[i] += by; v >= 0 {
		s.short += s.shortAt(v)
	}
}

// shortAt is how many links of the box at a vertex to boxes without a position move at least.
func (s *search) shortAt(v int32) int64 {
	b := s.boxAt[v]
	if b < 0 {
		return 0
	}
	return max(0, int64(s.rem[b]-s.free[v]))
}
