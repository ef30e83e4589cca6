package asbuilt

import "slices"

// mostTried is how many further batches are tried in a step, and how many single changes are looked at to find out
// which interrupts the fewest.
const mostTried = 64

// next plans and takes one step: as many changes out as the paths and the capacity allow, of those that make room for
// something; or else what lets boxes move and single cables be plugged in.
func (s *stepper) next() {
	exempt := s.missing(nil, nil)
	goals := [][]int32(nil)
	for paths := s.paths; paths >= 1; paths-- {
		if out := s.useful(s.bear(singles(s.batch(paths, exempt)))); len(out) > 0 {
			s.step(out, paths, exempt)
			return
		}
		if goals == nil {
			goals = s.goals()
		}
		if out := s.reach(goals, paths, exempt); len(out) > 0 {
			s.step(out, paths, exempt)
			return
		}
	}
	if out := s.ends(exempt); len(out) > 0 {
		s.step(out, 1, s.missing(out, exempt))
		return
	}
	s.force(goals, exempt)
}

// useful leaves of a batch the changes that make room: whose ports are those of something that can be plugged in then,
// that clear a box which leaves its place, or whose ports nothing waits for.
func (s *stepper) useful(out []int32) []int32 {
	goes := make(map[int32]bool, len(out))
	for _, i := range out {
		goes[i] = true
	}
	clears := func(v int32) bool {
		b := &s.boxes[v]
		return b.Fate != Kept && b.From != nil &&
			!slices.ContainsFunc(s.at[v], func(i int32) bool { return !s.gone[i] && !goes[i] })
	}
	keep := map[int32]bool{}
	waited := map[int32]bool{}
	for _, i := range s.pending[1] {
		needs := s.toBring(i)
		can := !slices.ContainsFunc(needs, func(j int32) bool { return !goes[j] })
		for _, j := range needs {
			waited[j] = true
			keep[j] = keep[j] || can
		}
	}
	var kept []int32
	for _, i := range out {
		if keep[i] || !waited[i] || slices.ContainsFunc(s.changes[0][i].boxes, clears) {
			kept = append(kept, i)
		}
	}
	return kept
}

// singles are groups of one change.
func singles(changes []int32) [][]int32 {
	out := make([][]int32, len(changes))
	for k := range changes {
		out[k] = changes[k : k+1]
	}
	return out
}

// without tells which links are up when changes are out.
func (s *stepper) without(out []int32) func(i int32) bool {
	gone := make([]bool, len(s.changes[0]))
	for _, i := range out {
		gone[i] = true
	}
	return func(i int32) bool {
		return s.up[i] && (s.links[i].levels[1] != none || !gone[s.changeOf[i]])
	}
}

// missing lists for every network the ends without a path when changes are out, on top of those that are exempt.
func (s *stepper) missing(out []int32, exempt [][]bool) [][]bool {
	all := make([][]bool, len(s.networks))
	for k, n := range s.networks {
		var known []bool
		if exempt != nil {
			known = exempt[k]
		}
		cut := n.cut(s.links, s.without(out), known)
		if all[k] = slices.Clone(known); len(cut) > 0 && all[k] == nil {
			all[k] = make([]bool, len(n.ends))
		}
		for _, e := range cut {
			all[k][e] = true
		}
	}
	return all
}

// holds reports whether everybody keeps paths when changes are out.
func (s *stepper) holds(out []int32, paths int, exempt [][]bool) bool {
	up := s.without(out)
	for k, n := range s.networks {
		if len(n.cut(s.links, up, exempt[k])) > 0 || !n.enough(s.links, up, exempt[k], paths) {
			return false
		}
	}
	return true
}

// batch chooses changes to disconnect: all but those that a few forests of links still need, links that stay preferred.
// Such forests keep as many paths between any two boxes as there are of them (Nagamochi and Ibaraki, Algorithmica 7,
// 1992). What the forests do not tell is checked, and the batch is halved until it holds.
func (s *stepper) batch(paths int, exempt [][]bool) []int32 {
	needed := make([]bool, len(s.changes[0]))
	for _, n := range s.networks {
		s.forests(n, paths, needed)
	}
	var out, rest []int32
	for _, i := range s.pending[0] {
		if needed[i] {
			rest = append(rest, i)
		} else {
			out = append(out, i)
		}
	}
	for len(out) > 0 && !s.holds(out, paths, exempt) {
		out, rest = out[:len(out)/2], nil
	}
	tries := mostTried
	return s.extend(out, rest, &tries, paths, exempt)
}

// forests marks the changes that forests of a network need.
func (s *stepper) forests(n *network, paths int, needed []bool) {
	trees := make([]forest, paths)
	for k := range trees {
		trees[k] = newForest(len(s.boxes))
	}
	ports := make(map[int32]int, len(n.ends)) // links of each end that are left
	add := func(i int32) bool {
		l := &s.links[i]
		if n.forward[l.a] && n.forward[l.b] {
			return slices.ContainsFunc(trees, func(f forest) bool { return f.join(l.a, l.b) })
		}
		use := false
		for _, v := range [2]int32{l.a, l.b} {
			if n.isEnd[v] && !n.forward[v] && ports[v] < paths {
				ports[v]++
				use = true
			}
		}
		return use
	}
	for _, i := range n.links {
		if s.up[i] && s.links[i].levels[1] != none {
			add(i)
		}
	}
	for k := len(s.pending[0]) - 1; k >= 0; k-- { // those that would come last are kept
		i := s.pending[0][k]
		for _, l := range s.changes[0][i].links {
			if n.has[l] && add(l) {
				needed[i] = true
			}
		}
	}
}

// extend adds further changes that can be disconnected to a batch, by halves, until so many were tried.
func (s *stepper) extend(out, more []int32, tries *int, paths int, exempt [][]bool) []int32 {
	if len(more) == 0 || *tries == 0 {
		return out
	}
	*tries--
	if all := slices.Concat(out, more); s.holds(all, paths, exempt) {
		return all
	}
	if len(more) == 1 {
		return out
	}
	out = s.extend(out, more[:len(more)/2], tries, paths, exempt)
	return s.extend(out, more[len(more)/2:], tries, paths, exempt)
}
