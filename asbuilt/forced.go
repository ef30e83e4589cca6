package asbuilt

import (
	"fmt"
	"slices"
)

// bear leaves of groups of changes what the capacity allows.
func (s *stepper) bear(groups [][]int32) []int32 {
	var taken []int32
	for _, g := range groups {
		var links []int32
		for _, i := range g {
			links = append(links, s.changes[0][i].links...)
		}
		if s.limit > 0 && !s.capacity.bears(links) {
			continue
		}
		for _, l := range links {
			s.capacity.set(l, -1)
		}
		taken = append(taken, g...)
	}
	for _, i := range taken {
		for _, l := range s.changes[0][i].links {
			s.capacity.set(l, 1)
		}
	}
	return taken
}

// ends chooses ends that have to be cut off, in any order: those that move, and those all of whose links do. They
// are taken at once, as far as nobody else is cut off with them and the capacity allows.
func (s *stepper) ends(exempt [][]bool) []int32 {
	var ends []int32
	for v := range s.boxes {
		if s.isEnd(int32(v)) && s.cutAnyway(int32(v)) {
			ends = append(ends, int32(v))
		}
	}
	for ; len(ends) > 0; ends = ends[:len(ends)/2] {
		taken := map[int32]bool{}
		var groups [][]int32
		for _, v := range ends {
			var g []int32
			for _, i := range s.at[v] {
				if !s.gone[i] && !taken[i] {
					taken[i] = true
					g = append(g, i)
				}
			}
			if len(g) > 0 {
				groups = append(groups, g)
			}
		}
		if !s.alone(slices.Concat(groups...), ends, exempt) {
			continue
		}
		if out := s.bear(groups); len(out) > 0 {
			return out
		}
		return nil
	}
	return nil
}

// isEnd reports whether a box is an end of a network.
func (s *stepper) isEnd(v int32) bool {
	return slices.ContainsFunc(s.networks, func(n *network) bool { return n.isEnd[v] })
}

// cutAnyway reports whether an end moves, or has no link in some network but such as are disconnected.
func (s *stepper) cutAnyway(v int32) bool {
	if len(s.at[v]) == 0 {
		return false
	}
	if f := s.boxes[v].Fate; f == Moved || f == Replaced {
		return !s.removed[v]
	}
	for k, n := range s.networks {
		if n.isEnd[v] && !n.forward[v] && !s.staysLinked[k][v] {
			return true
		}
	}
	return false
}

// alone reports whether nobody but these ends is cut off when changes are out.
func (s *stepper) alone(out, ends []int32, exempt [][]bool) bool {
	is := make([]bool, len(s.boxes))
	for _, v := range ends {
		is[v] = true
	}
	for k, cut := range s.missing(out, exempt) {
		for e, c := range cut {
			if c && !is[s.networks[k].ends[e]] && (exempt[k] == nil || !exempt[k][e]) {
				return false
			}
		}
	}
	return true
}

// goals lists what has to be out for a cable to be plugged in or a box to be moved, the smallest first.
func (s *stepper) goals() [][]int32 {
	var out [][]int32
	add := func(goal []int32) {
		slices.Sort(goal)
		if goal = slices.Compact(goal); len(goal) > 0 {
			out = append(out, goal)
		}
	}
	for _, i := range s.pending[1] {
		add(s.toBring(i))
	}
	for v := range s.boxes {
		add(s.toClear(int32(v), nil))
	}
	for _, i := range s.pending[0] {
		if len(out) == 0 {
			add([]int32{i})
		}
	}
	slices.SortStableFunc(out, func(a, b []int32) int { return len(a) - len(b) })
	return slices.CompactFunc(out, slices.Equal)
}

// reach takes as many goals as hold together.
func (s *stepper) reach(goals [][]int32, paths int, exempt [][]bool) []int32 {
	var out []int32
	taken := map[int32]bool{}
	tries := mostTried
	for _, g := range goals {
		var more []int32
		for _, i := range g {
			if !taken[i] {
				more = append(more, i)
			}
		}
		if len(more) == 0 {
			continue
		}
		if tries--; tries < 0 {
			break
		}
		all := slices.Concat(out, more)
		if len(s.bear([][]int32{all})) == 0 || !s.holds(all, paths, exempt) {
			continue
		}
		out = all
		for _, i := range more {
			taken[i] = true
		}
	}
	return out
}

// force takes the goal that cuts off the fewest, for any capacity.
func (s *stepper) force(goals [][]int32, exempt [][]bool) {
	var best []int32
	var cut [][]bool
	fewest := 0
	for _, g := range goals[:min(mostTried, len(goals))] {
		n := 0
		missing := s.missing(g, exempt)
		for _, all := range missing {
			for _, is := range all {
				if is {
					n++
				}
			}
		}
		if best == nil || n < fewest {
			best, cut, fewest = g, missing, n
		}
	}
	if len(s.bear([][]int32{best})) == 0 {
		s.below = append(s.below, len(s.steps)+1)
	}
	paths := s.paths
	for paths > 1 && !s.holds(best, paths, cut) {
		paths--
	}
	s.step(best, paths, cut)
}

// toBring lists the changes that have to be out before one can be connected.
func (s *stepper) toBring(i int32) []int32 {
	c := &s.changes[1][i]
	var out []int32
	for _, v := range c.boxes {
		out = s.toClear(v, out)
		for _, w := range s.blockers[v] {
			out = s.toClear(w, out)
		}
	}
	for _, cables := range [2][]int32{c.cables, c.trunks} {
		for _, k := range cables {
			for _, e := range s.inv[1].cables[k].ports {
				if old, taken := s.occupied[e]; taken && old >= 0 {
					for _, u := range s.inv[0].cables[old].units {
						if j := s.changeOfUnit[u]; j >= 0 && !s.gone[j] {
							out = append(out, j)
						}
					}
				}
			}
		}
	}
	return out
}

// toClear adds the changes that have to be out before a box can leave its place.
func (s *stepper) toClear(v int32, out []int32) []int32 {
	if b := &s.boxes[v]; b.Fate == Kept || b.From == nil || s.removed[v] {
		return out
	}
	for _, i := range s.at[v] {
		if !s.gone[i] {
			out = append(out, i)
		}
	}
	return out
}

// shortfall says in which steps fewer links stay up than was asked for.
func (s *stepper) shortfall() []string {
	if len(s.below) == 0 {
		return nil
	}
	least := 100.0
	for _, i := range s.below {
		least = min(least, s.steps[i-1].Capacity)
	}
	return []string{fmt.Sprintf("%v %% of the links cannot be kept up: %d of %d steps leave fewer, "+
		"the first of them step %d, at the least %.1f %%", s.limit, len(s.below), len(s.steps), s.below[0], least)}
}
