package growth

import (
	"math"
	"math/rand/v2"
	"slices"
)

// groupSearch exchanges the boxes of one kind between vertices, and those of whole groups of vertices, such as groups
// of a dragonfly, by simulated annealing.
type groupSearch struct {
	old    [][]neighbor // links of every box to boxes of the kind, by number in the kind
	links  [][]int32    // links between every two vertices, by number in the kind
	boxAt  []int32      // box at every vertex, -1 for none
	at     []int32      // vertex of every box
	groups [][]int32    // vertices that may be exchanged, by group, groups of several vertices only
	moving []bool       // boxes of the exchange that is tried
}

const (
	annealingSteps = 300_000
	// The temperatures, in links, at which a search begins and ends: exchanges that cost a link are common at the first
	// and rare at the last.
	firstTemperature, lastTemperature = 1.5, 0.05
)

// settleGroups returns positions in which fewer links move than in the given ones, as groups of vertices exchange their
// boxes; nil if it finds none. Boxes with one neighbor, such as nodes, stay at it. Boxes for which free reports false
// stay.
func (g *Growth) settleGroups(kind int32, position []int32, free func(box int32) bool) []int32 {
	s := g.newGroupSearch(kind, position, free)
	if s == nil {
		return nil
	}
	best, kept := slices.Clone(s.at), int64(0)
	r, sum := rand.New(rand.NewPCG(1, 2)), int64(0) // a plan must not depend on chance
	for step := range annealingSteps {
		done := float64(step) / annealingSteps
		temperature := firstTemperature * math.Pow(lastTemperature/firstTemperature, done)
		from, to := s.draw(r)
		gain := s.exchange(from, to)
		if gain < 0 && r.Float64() >= math.Exp(float64(gain)/2/temperature) {
			s.exchange(from, to)
			continue
		}
		if sum += gain; sum > kept {
			kept = sum
			copy(best, s.at)
		}
	}
	out := slices.Clone(position)
	for i, b := range g.boxes[kind] {
		if best[i] >= 0 {
			out[b] = g.ofKind[kind][best[i]]
		}
	}
	g.moveLeaves(kind, out, free)
	if g.Moves(out) < g.Moves(position) {
		return out
	}
	return nil
}

// newGroupSearch returns nil where a kind is large or its vertices form fewer than two groups.
func (g *Growth) newGroupSearch(kind int32, position []int32, free func(box int32) bool) *groupSearch {
	boxes, vertices := g.boxes[kind], g.ofKind[kind]
	if len(boxes) > mostAssigned || len(vertices) > mostAssigned {
		return nil
	}
	number, box := map[int32]int32{}, map[int32]int32{}
	for i, v := range vertices {
		number[v] = int32(i)
	}
	for i, b := range boxes {
		box[b] = int32(i)
	}
	s := &groupSearch{
		old: make([][]neighbor, len(boxes)), boxAt: slices.Repeat([]int32{-1}, len(vertices)),
		at: slices.Repeat([]int32{-1}, len(boxes)), moving: make([]bool, len(boxes)),
	}
	stays := make([]bool, len(vertices))
	for i, b := range boxes {
		hold := !free(b)
		for _, n := range g.old[b] {
			if to, ok := box[n.at]; ok && n.at != b {
				s.old[i] = append(s.old[i], neighbor{to, n.links})
			}
			hold = hold || !free(n.at) && len(g.old[n.at]) == 1
		}
		if v := position[b]; v >= 0 {
			s.at[i], s.boxAt[number[v]], stays[number[v]] = number[v], int32(i), hold
		}
	}
	for _, v := range vertices {
		row := make([]int32, len(vertices))
		for _, n := range g.new[v] {
			if to, ok := number[n.at]; ok {
				row[to] = n.links
			}
		}
		s.links = append(s.links, row)
	}
	for _, group := range closeVertices(s.links) {
		if len(group) > 1 && !slices.ContainsFunc(group, func(v int32) bool { return stays[v] }) {
			s.groups = append(s.groups, group)
		}
	}
	if len(s.groups) < 2 {
		return nil
	}
	return s
}

// closeVertices divides vertices into groups: two that are linked are in the same if at least half of the neighbors of
// either are neighbors of both.
func closeVertices(links [][]int32) [][]int32 {
	group := make([]int32, len(links))
	for v := range group {
		group[v] = -1
	}
	var out [][]int32
	isClose := func(a, b int32) bool {
		common, most := 0, 0
		for v := range links {
			if links[a][v] > 0 && links[b][v] > 0 {
				common++
			}
			most += int(min(links[a][v], 1))
		}
		return links[a][b] > 0 && 2*(common+1) >= most
	}
	for v := range int32(len(links)) {
		if group[v] >= 0 {
			continue
		}
		of := int32(len(out))
		list := []int32{v}
		group[v] = of
		for i := 0; i < len(list); i++ {
			for w := range int32(len(links)) {
				if group[w] < 0 && isClose(list[i], w) && isClose(w, list[i]) {
					group[w], list = of, append(list, w)
				}
			}
		}
		slices.Sort(list)
		out = append(out, list)
	}
	return out
}

// draw returns vertices whose boxes are exchanged: one of a group for another of it, or one group for another of the
// same size.
func (s *groupSearch) draw(r *rand.Rand) (from, to []int32) {
	a := s.groups[r.IntN(len(s.groups))]
	b := s.groups[r.IntN(len(s.groups))]
	if r.IntN(3) == 0 && len(a) == len(b) && a[0] != b[0] {
		return a, b
	}
	i, j := r.IntN(len(a)), r.IntN(len(a)-1)
	if j >= i {
		j++
	}
	return a[i : i+1], a[j : j+1]
}

// exchange exchanges the boxes at vertices, and returns twice the number of links that stay more than before.
func (s *groupSearch) exchange(from, to []int32) int64 {
	var boxes []int32
	for i := range from {
		for _, b := range [2]int32{s.boxAt[from[i]], s.boxAt[to[i]]} {
			if b >= 0 {
				boxes, s.moving[b] = append(boxes, b), true
			}
		}
	}
	before := s.kept(boxes)
	for i := range from {
		a, b := s.boxAt[from[i]], s.boxAt[to[i]]
		s.boxAt[from[i]], s.boxAt[to[i]] = b, a
		if a >= 0 {
			s.at[a] = to[i]
		}
		if b >= 0 {
			s.at[b] = from[i]
		}
	}
	gain := s.kept(boxes) - before
	for _, b := range boxes {
		s.moving[b] = false
	}
	return gain
}

// kept counts the links of moving boxes that stay, those between two of them once and others twice.
func (s *groupSearch) kept(boxes []int32) int64 {
	sum := int64(0)
	for _, b := range boxes {
		for _, n := range s.old[b] {
			if at := s.at[n.at]; at >= 0 {
				stay := int64(min(n.links, s.links[s.at[b]][at]))
				if sum += stay; !s.moving[n.at] {
					sum += stay
				}
			}
		}
	}
	return sum
}

// moveLeaves has boxes whose only neighbor is a box of a kind, and that are free, take positions at that of the
// neighbor, those that they have where they can.
func (g *Growth) moveLeaves(kind int32, position []int32, free func(box int32) bool) {
	taken := map[int32]bool{}
	var leaves, left []int32
	for b, v := range position {
		all := g.old[b]
		if len(all) != 1 || g.OldKind[all[0].at] != kind || v < 0 || g.OldKind[b] == kind || !free(int32(b)) ||
			g.countKept(v, position[all[0].at], 1) > 0 {
			taken[v] = true
			continue
		}
		leaves = append(leaves, int32(b))
	}
	place := func(b int32, vertices []int32) bool {
		for _, v := range vertices {
			if g.NewKind[v] == g.OldKind[b] && !taken[v] {
				position[b], taken[v] = v, true
				return true
			}
		}
		return false
	}
	for _, b := range leaves {
		var near []int32
		if at := position[g.old[b][0].at]; at >= 0 {
			for _, n := range g.new[at] {
				near = append(near, n.at)
			}
		}
		if !place(b, near) {
			left = append(left, b)
		}
	}
	for _, b := range left {
		place(b, g.ofKind[g.OldKind[b]])
	}
}
