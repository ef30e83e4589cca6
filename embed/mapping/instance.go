package mapping

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// unlimited is the capacity of a domain without a limit.
const unlimited = math.MaxInt64

// instance is a problem that was checked, with one vertex in place of every group whose members share a place
// (contract).
type instance struct {
	g        *Graph
	loops    [][]loop // of each vertex, the edges inside its group; nil if there are none
	costs    *Costs
	vertexOf []int32 // the instance's vertex of each vertex of the problem; nil if they are the same

	resources int
	names     []string // of resources, for messages
	size      []int64  // of resource r that vertex v takes, at v*resources+r
	// Containers are the places, then the domains of each layer. within lists the containers of place p, p itself
	// first, at p*layers; capacity has resource r of container c at c*resources+r.
	layers   int
	within   []int32
	capacity []int64

	pinned     []int32
	allowed    []uint64
	placeClass []uint8
	apart      []AntiAffinity
	groups     [][]int32 // of each vertex, by index into apart; nil if there are none
	times      [][]int32 // how often a vertex counts in each of its groups

	simple bool    // one resource, of which all take 1, and no other rule but pins
	free   []int32 // vertices that may move
}

// loop is an edge inside a group that is one vertex. Both of its ends are at the same place, and its cost, that of its
// class there, depends on the place.
type loop struct {
	class  uint8
	weight int64
}

// newInstance returns the instance of p. The error says what is wrong with p, or why no placement keeps its rules.
func newInstance(p *Problem) (*instance, error) {
	if p.Graph == nil || p.Costs == nil {
		return nil, errors.New("a problem has a graph and costs")
	}
	if err := p.Graph.check(); err != nil {
		return nil, err
	}
	n, places := p.Graph.Vertices(), p.Costs.places
	t := &instance{
		g: p.Graph, costs: p.Costs, names: p.Resources, size: p.Size,
		pinned: p.Pinned, allowed: p.Allowed, placeClass: p.PlaceClass, apart: p.AntiAffinity,
	}
	if t.names == nil {
		t.names = []string{"vertices"}
	}
	t.resources = len(t.names)
	if t.size == nil {
		t.size = slices.Repeat([]int64{1}, n*t.resources)
	}
	if err := t.checkSizes(p, n, places); err != nil {
		return nil, err
	}
	if err := t.checkRules(p, n, places); err != nil {
		return nil, err
	}
	t.numberContainers(p)
	if err := t.contract(p); err != nil {
		return nil, err
	}
	t.simple = t.resources == 1 && t.layers == 1 && t.allowed == nil && t.groups == nil &&
		!slices.ContainsFunc(t.size, func(s int64) bool { return s != 1 })
	for v := range int32(t.g.Vertices()) {
		if t.pinned == nil || t.pinned[v] < 0 {
			t.free = append(t.free, v)
		}
	}
	return t, t.checkSolvable()
}

// numberContainers numbers places and domains.
func (t *instance) numberContainers(p *Problem) {
	places := p.Costs.places
	t.layers = 1 + len(p.Layers)
	t.within = make([]int32, places*t.layers)
	t.capacity = slices.Clone(p.Capacity)
	for q := range places {
		t.within[q*t.layers] = int32(q)
	}
	first := int32(places) // number of the first domain of a layer
	for l, layer := range p.Layers {
		domains := slices.Max(append([]int32{-1}, layer.Of...)) + 1
		if layer.Capacity != nil {
			t.capacity = append(t.capacity, layer.Capacity[:int(domains)*t.resources]...)
		} else {
			t.capacity = append(t.capacity, slices.Repeat([]int64{unlimited}, int(domains)*t.resources)...)
		}
		for q, d := range layer.Of {
			t.within[q*t.layers+1+l] = first + d
		}
		first += domains
	}
}

// isAllowed reports whether vertex v may be at places of the class of place p.
func (t *instance) isAllowed(v, p int32) bool {
	return t.allowed == nil || t.allowed[v]>>t.placeClass[p]&1 == 1
}

// expand returns the places of the problem's vertices, given those of the instance's vertices.
func (t *instance) expand(at []int32) []int32 {
	if t.vertexOf == nil {
		return slices.Clone(at)
	}
	place := make([]int32, len(t.vertexOf))
	for v, w := range t.vertexOf {
		place[v] = at[w]
	}
	return place
}

// name returns what messages call a vertex of the instance: its vertices in the problem.
func (t *instance) name(v int32) string {
	if t.vertexOf == nil {
		return fmt.Sprintf("vertex %d", v)
	}
	var members []int
	for w, x := range t.vertexOf {
		if x == v {
			members = append(members, w)
		}
	}
	if len(members) == 1 {
		return fmt.Sprintf("vertex %d", members[0])
	}
	if len(members) > 8 {
		return fmt.Sprintf("the group of vertex %d and %d others", members[0], len(members)-1)
	}
	return fmt.Sprintf("the group of vertices %v", members)
}
