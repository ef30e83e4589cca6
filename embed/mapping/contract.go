package mapping

import (
	"math"
	"slices"
)

// contract makes one vertex of each group of p.Together: it sets the graph, sizes, pins, allowed classes and apart
// groups of the instance accordingly. It returns an error if two members are pinned to different places.
func (t *instance) contract(p *Problem) error {
	n := p.Graph.Vertices()
	if !slices.ContainsFunc(p.Together, func(group []int32) bool { return len(group) > 1 }) {
		t.noteApart(n, func(v int32) int32 { return v })
		return nil
	}
	of, m := contractedVertices(n, p.Together)
	t.vertexOf = of
	t.noteApart(m, func(v int32) int32 { return of[v] })
	size := make([]int64, m*t.resources)
	for v, w := range of {
		for r := range t.resources {
			size[int(w)*t.resources+r] += t.size[v*t.resources+r]
		}
	}
	t.size = size
	if p.Allowed != nil {
		t.allowed = slices.Repeat([]uint64{math.MaxUint64}, m)
		for v, mask := range p.Allowed {
			t.allowed[of[v]] &= mask
		}
	}
	if err := t.contractPins(p.Pinned, m); err != nil {
		return err
	}
	return t.contractEdges(p.Graph, m)
}

// contractedVertices numbers the vertices that are left when every group is one,
// and returns how many they are. A group counts as the vertex that it lists first.
func contractedVertices(n int, groups [][]int32) (of []int32, count int) {
	first := make([]int32, n)
	for v := range first {
		first[v] = int32(v)
	}
	for _, group := range groups {
		for _, v := range group {
			first[v] = group[0]
		}
	}
	of = make([]int32, n)
	for v, w := range first {
		if int(w) == v {
			of[v] = int32(count)
			count++
		}
	}
	for v, w := range first {
		of[v] = of[w]
	}
	return of, count
}

// contractPins pins a group to the place to which any of its vertices is pinned; an error if these differ.
func (t *instance) contractPins(pinned []int32, m int) error {
	if pinned == nil {
		return nil
	}
	t.pinned = slices.Repeat([]int32{-1}, m)
	for v, q := range pinned {
		if q < 0 {
			continue
		}
		w := t.vertexOf[v]
		if had := t.pinned[w]; had >= 0 && had != q {
			return infeasible("vertex %d is pinned to place %d, and another of its group to place %d", v, q, had)
		}
		t.pinned[w] = q
	}
	return nil
}

// contractEdges joins the edges of each group to its vertex; edges inside a group
// become loops.
func (t *instance) contractEdges(g *Graph, m int) error {
	var edges []Edge
	loops, some := make([][]loop, m), false
	for v := range g.Vertices() {
		for k := g.First[v]; k < g.First[v+1]; k++ {
			u, class := g.To[k], g.class(k)
			if class&1 == 1 || g.Class == nil && int(u) < v {
				continue // from the other end
			}
			a, b := t.vertexOf[v], t.vertexOf[u]
			if a == b {
				loops[a] = append(loops[a], loop{class, g.weight(k)})
				some = true
				continue
			}
			edges = append(edges, Edge{A: a, B: b, Class: class >> 1, Weight: g.weight(k)})
		}
	}
	if some {
		t.loops = loops
	}
	var err error
	t.g, err = NewGraph(m, edges)
	return err
}

// noteApart notes for each of m vertices the apart groups that it is in, and how
// often; of tells the vertex that one of the problem is part of.
func (t *instance) noteApart(m int, of func(v int32) int32) {
	for i, a := range t.apart {
		for j, v := range a.Vertices {
			times := int32(1)
			if a.Times != nil {
				times = a.Times[j]
			}
			t.addToGroup(of(v), int32(i), times, m)
		}
	}
}

// addToGroup notes that so many members of an apart group are part of vertex v of n.
func (t *instance) addToGroup(v, group, times int32, n int) {
	if t.groups == nil {
		t.groups, t.times = make([][]int32, n), make([][]int32, n)
	}
	if i := slices.Index(t.groups[v], group); i >= 0 {
		t.times[v][i] += times
		return
	}
	t.groups[v] = append(t.groups[v], group)
	t.times[v] = append(t.times[v], times)
}
