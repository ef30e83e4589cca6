package mapping

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Problem asks for a place for every vertex of a graph.
type Problem struct {
	Graph *Graph
	Costs *Costs

	// Resources names what places offer and vertices take, for messages: "rack
	// units", "power (mW)"; one resource "vertices" when nil.
	Resources []string
	// Capacity is how much of resource r place p offers, at p*len(Resources) + r.
	Capacity []int64
	// Size is how much of resource r vertex v takes, at v*len(Resources) + r;
	// 1 of everything when nil.
	Size []int64
	// Layers are further ways to divide the places, each part with a capacity of
	// its own: rows, rooms, power feeds.
	Layers []Layer

	// Pinned is the place where a vertex must stand, negative where it may move.
	// Nil when all may.
	Pinned []int32
	// Vertex v may only stand on places of the classes whose bits are set in
	// Allowed[v]; the class of a place is below 64. Nil when all may stand
	// everywhere.
	Allowed    []uint64
	PlaceClass []uint8
	// Together lists groups of vertices that share a place.
	Together [][]int32
	// Apart lists groups of vertices that must not crowd.
	Apart []Apart

	Objective Objective
}

// Layer divides the places into domains.
type Layer struct {
	Name string  // of a domain, for messages: "row"
	Of   []int32 // domain of each place, counting from 0
	// Capacity is how much of resource r domain d offers, at d*len(Resources) +
	// r; nil when there is no limit.
	Capacity []int64
}

// Apart is a group of which no more than AtMost may stand in one place, or in one
// domain of a layer.
type Apart struct {
	Vertices []int32
	AtMost   int // at least 1
	Layer    int // 0 for places, otherwise 1 + index into Layers
}

// Objective is what is minimised: Sum, the cost of all edges times their weight,
// plus Lambda times the cost of the longest edge; or with LongestFirst the cost
// of the longest edge, then the number of edges that cost as much, then the sum.
type Objective struct {
	Lambda       int64
	LongestFirst bool
}

// Score is what a placement costs.
type Score struct {
	Sum       int64 // cost times weight over all edges
	Longest   int64 // cost of the costliest edge, weight left out
	AtLongest int64 // edges that cost as much
}

// Value is the figure that an objective minimises first.
func (o Objective) Value(s Score) int64 {
	if o.LongestFirst {
		return s.Longest
	}
	return s.Sum + o.Lambda*s.Longest
}

// less tells whether s is better than t.
func (o Objective) less(s, t Score) bool {
	if v, w := o.Value(s), o.Value(t); v != w || !o.LongestFirst {
		return v < w
	}
	if s.AtLongest != t.AtLongest {
		return s.AtLongest < t.AtLongest
	}
	return s.Sum < t.Sum
}

// ScoreOf works out what a placement costs.
func ScoreOf(g *Graph, c *Costs, place []int32) Score {
	var s Score
	for v := range g.Vertices() {
		for k := g.First[v]; k < g.First[v+1]; k++ {
			class := g.class(k)
			u := g.To[k]
			if class&1 == 1 || g.Class == nil && int(u) < v {
				continue // from the other end
			}
			d := c.arc(class, place[v], place[u])
			s.Sum += d * g.weight(k)
			switch {
			case d > s.Longest:
				s.Longest, s.AtLongest = d, 1
			case d == s.Longest:
				s.AtLongest++
			}
		}
	}
	return s
}

// unlimited is a capacity that never runs out.
const unlimited = math.MaxInt64

// task is a problem made ready: checked, and with every group that shares a
// place as one vertex.
type task struct {
	g        *Graph
	self     [][]selfArc // edges inside the groups that share a place; nil if there are none
	costs    *Costs
	vertexOf []int32 // of the problem's vertices; nil if they are the same

	resources int
	names     []string
	size      []int64
	// Containers are the places, then the domains of each layer. within lists
	// those of place p, p itself first, at p*layers.
	layers    int
	within    []int32
	capacity  []int64
	container []string // for messages

	pinned     []int32
	allowed    []uint64
	placeClass []uint8
	apart      []Apart
	groups     [][]int32 // of each vertex, by index into apart; nil if there are none
	times      [][]int32 // how often a vertex counts in each of its groups

	simple bool    // one resource, of which all take 1, and no other rule but pins
	free   []int32 // vertices that may move
}

type selfArc struct {
	class  uint8
	weight int64
}

// ErrInfeasible marks problems that no placement solves, or none that was found.
var ErrInfeasible = errors.New("does not fit")

func infeasible(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInfeasible, fmt.Sprintf(format, args...))
}

// newTask checks p and makes it ready.
func newTask(p *Problem) (*task, error) {
	if p.Graph == nil || p.Costs == nil {
		return nil, errors.New("a problem has a graph and costs")
	}
	if err := p.Graph.check(); err != nil {
		return nil, err
	}
	n, places := p.Graph.Vertices(), p.Costs.places
	t := &task{
		g: p.Graph, costs: p.Costs, names: p.Resources, size: p.Size,
		pinned: p.Pinned, allowed: p.Allowed, placeClass: p.PlaceClass, apart: p.Apart,
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
	t.containers(p)
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
	return t, t.count()
}

func (t *task) checkSizes(p *Problem, n, places int) error {
	r := t.resources
	switch {
	case r == 0:
		return errors.New("there are no resources")
	case len(p.Capacity) != places*r:
		return fmt.Errorf("there are %d capacities; %d places with %d resources need %d", len(p.Capacity), places, r, places*r)
	case len(t.size) != n*r:
		return fmt.Errorf("there are %d sizes; %d vertices with %d resources need %d", len(t.size), n, r, n*r)
	}
	for i, c := range p.Capacity {
		if c < 0 {
			return fmt.Errorf("place %d offers %d %s", i/r, c, t.names[i%r])
		}
	}
	for i, s := range t.size {
		if s < 0 || s > math.MaxInt64/int64(n) {
			return fmt.Errorf("vertex %d takes %d %s", i/r, s, t.names[i%r])
		}
	}
	for l, layer := range p.Layers {
		if len(layer.Of) != places {
			return fmt.Errorf("layer %d tells the domains of %d places; there are %d", l, len(layer.Of), places)
		}
		for q, d := range layer.Of {
			if d < 0 || layer.Capacity != nil && int(d) >= len(layer.Capacity)/r {
				return fmt.Errorf("layer %d: place %d is in domain %d", l, q, d)
			}
		}
		if len(layer.Capacity)%r != 0 {
			return fmt.Errorf("layer %d has %d capacities of %d resources", l, len(layer.Capacity), r)
		}
	}
	return nil
}

func (t *task) checkRules(p *Problem, n, places int) error {
	for _, class := range p.Graph.Class {
		if int(class>>1) >= p.Costs.classes {
			return fmt.Errorf("an edge is of class %d; there are costs for %d", class>>1, p.Costs.classes)
		}
	}
	// Sums over all edges, times the factor of means over places, must not overflow.
	const most = math.MaxInt64 >> 10
	weight := float64(0)
	for k := range p.Graph.To {
		weight += float64(p.Graph.weight(int64(k)))
	}
	if c := p.Costs.largest(); weight*float64(c) > most || p.Objective.Lambda < 0 || float64(p.Objective.Lambda)*float64(c) > most {
		return fmt.Errorf("weights of %.3g in all, costs up to %d and a lambda of %d: such sums cannot be counted", weight, c, p.Objective.Lambda)
	}
	if p.Graph.Class == nil && !p.Costs.oneClass() && !p.Costs.symmetric() {
		return errors.New("costs that depend on the direction need a graph with classes")
	}
	if p.Pinned != nil {
		if len(p.Pinned) != n {
			return fmt.Errorf("there are %d pins; %d vertices need as many", len(p.Pinned), n)
		}
		for v, q := range p.Pinned {
			if int(q) >= places {
				return fmt.Errorf("vertex %d is pinned to place %d; there are %d", v, q, places)
			}
		}
	}
	if p.Allowed != nil {
		if len(p.Allowed) != n || len(p.PlaceClass) != places {
			return fmt.Errorf("there are classes allowed to %d vertices and classes of %d places; there are %d and %d",
				len(p.Allowed), len(p.PlaceClass), n, places)
		}
		for q, class := range p.PlaceClass {
			if class >= 64 {
				return fmt.Errorf("place %d is of class %d; classes are below 64", q, class)
			}
		}
	}
	for i, a := range p.Apart {
		if a.AtMost < 1 || a.Layer < 0 || a.Layer > len(p.Layers) {
			return fmt.Errorf("apart group %d: at most %d in a domain of layer %d", i, a.AtMost, a.Layer)
		}
		if err := checkMembers(a.Vertices, n); err != nil {
			return fmt.Errorf("apart group %d: %w", i, err)
		}
	}
	seen := make([]bool, n)
	for i, group := range p.Together {
		if err := checkMembers(group, n); err != nil {
			return fmt.Errorf("together group %d: %w", i, err)
		}
		for _, v := range group {
			if seen[v] {
				return fmt.Errorf("together group %d: vertex %d is in another group too", i, v)
			}
			seen[v] = true
		}
	}
	return nil
}

func checkMembers(group []int32, n int) error {
	sorted := slices.Sorted(slices.Values(group))
	for i, v := range sorted {
		switch {
		case v < 0 || int(v) >= n:
			return fmt.Errorf("there is no vertex %d", v)
		case i > 0 && v == sorted[i-1]:
			return fmt.Errorf("vertex %d is listed twice", v)
		}
	}
	return nil
}

// containers numbers places and domains.
func (t *task) containers(p *Problem) {
	places := p.Costs.places
	t.layers = 1 + len(p.Layers)
	t.within = make([]int32, places*t.layers)
	t.capacity = slices.Clone(p.Capacity)
	for q := range places {
		t.within[q*t.layers] = int32(q)
		t.container = append(t.container, fmt.Sprintf("place %d", q))
	}
	for l, layer := range p.Layers {
		first := int32(len(t.container))
		domains := slices.Max(append([]int32{-1}, layer.Of...)) + 1
		name := layer.Name
		if name == "" {
			name = "domain"
		}
		for d := range domains {
			t.container = append(t.container, fmt.Sprintf("%s %d", name, d))
			for r := range t.resources {
				c := int64(unlimited)
				if layer.Capacity != nil {
					c = layer.Capacity[int(d)*t.resources+r]
				}
				t.capacity = append(t.capacity, c)
			}
		}
		for q, d := range layer.Of {
			t.within[q*t.layers+1+l] = first + d
		}
	}
}

// contract makes one vertex of each group that shares a place.
func (t *task) contract(p *Problem) error {
	n := p.Graph.Vertices()
	of := make([]int32, n)
	for v := range of {
		of[v] = -1
	}
	whole := true
	for _, group := range p.Together {
		for _, v := range group {
			of[v] = group[0]
			whole = whole && len(group) < 2
		}
	}
	if whole {
		for i, a := range t.apart {
			for _, v := range a.Vertices {
				t.addToGroup(v, int32(i), n)
			}
		}
		return nil
	}
	m := int32(0)
	for v := range of {
		if of[v] < 0 || of[v] == int32(v) {
			of[v] = m
			m++
		} else {
			of[v] = -1 - of[v]
		}
	}
	for v := range of {
		if of[v] < 0 {
			of[v] = of[-1-of[v]]
		}
	}
	// A representative may have a higher number than its group.
	for _, group := range p.Together {
		for _, v := range group {
			of[v] = of[group[0]]
		}
	}
	t.vertexOf = of
	size := make([]int64, int(m)*t.resources)
	for v, w := range of {
		for r := range t.resources {
			size[int(w)*t.resources+r] += t.size[v*t.resources+r]
		}
	}
	t.size = size
	if p.Pinned != nil {
		t.pinned = slices.Repeat([]int32{-1}, int(m))
		for v, q := range p.Pinned {
			if q < 0 {
				continue
			}
			if had := t.pinned[of[v]]; had >= 0 && had != q {
				return infeasible("vertex %d is pinned to place %d, and another of its group to place %d", v, q, had)
			}
			t.pinned[of[v]] = q
		}
	}
	if p.Allowed != nil {
		t.allowed = slices.Repeat([]uint64{math.MaxUint64}, int(m))
		for v, mask := range p.Allowed {
			t.allowed[of[v]] &= mask
		}
	}
	for i, a := range t.apart {
		for _, v := range a.Vertices {
			t.addToGroup(of[v], int32(i), int(m))
		}
	}
	var edges []Edge
	t.self = make([][]selfArc, m)
	some := false
	for v := range n {
		for k := p.Graph.First[v]; k < p.Graph.First[v+1]; k++ {
			u, class := p.Graph.To[k], p.Graph.class(k)
			if class&1 == 1 || p.Graph.Class == nil && int(u) < v {
				continue
			}
			if of[v] == of[u] {
				t.self[of[v]] = append(t.self[of[v]], selfArc{class, p.Graph.weight(k)})
				some = true
				continue
			}
			edges = append(edges, Edge{A: of[v], B: of[u], Class: class >> 1, Weight: p.Graph.weight(k)})
		}
	}
	if !some {
		t.self = nil
	}
	g, err := NewGraph(int(m), edges)
	t.g = g
	return err
}

// addToGroup notes that a member of an apart group is part of vertex v of n.
func (t *task) addToGroup(v, group int32, n int) {
	if t.groups == nil {
		t.groups, t.times = make([][]int32, n), make([][]int32, n)
	}
	if i := slices.Index(t.groups[v], group); i >= 0 {
		t.times[v][i]++
		return
	}
	t.groups[v] = append(t.groups[v], group)
	t.times[v] = append(t.times[v], 1)
}

// may tells whether the class of place p is allowed to v.
func (t *task) may(v, p int32) bool {
	return t.allowed == nil || t.allowed[v]>>t.placeClass[p]&1 == 1
}

// spread turns a placement of the task's vertices into one of the problem's.
func (t *task) spread(at []int32) []int32 {
	if t.vertexOf == nil {
		return slices.Clone(at)
	}
	place := make([]int32, len(t.vertexOf))
	for v, w := range t.vertexOf {
		place[v] = at[w]
	}
	return place
}

// name is a vertex of the task in the problem's numbers, for messages.
func (t *task) name(v int32) string {
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

// count finds what cannot fit by adding up.
func (t *task) count() error {
	n, places := t.g.Vertices(), t.costs.places
	if places == 0 {
		return infeasible("there are no places")
	}
	for r, name := range t.names {
		need, offer := int64(0), int64(0)
		for v := range n {
			s := t.size[v*t.resources+r]
			if need > math.MaxInt64-s {
				return infeasible("the vertices take more %s than can be counted", name)
			}
			need += s
		}
		for p := range places {
			offer = addSaturated(offer, t.capacity[p*t.resources+r])
		}
		if need > offer {
			return infeasible("the vertices take %d %s, the places offer %d", need, name, offer)
		}
		for l := 1; l < t.layers; l++ {
			offer = 0
			for c := range t.domains(l) {
				offer = addSaturated(offer, t.capacity[c*t.resources+r])
			}
			if need > offer {
				return infeasible("the vertices take %d %s, the domains of layer %d offer %d", need, name, l-1, offer)
			}
		}
	}
	empty := newRoom(t)
	for v := range int32(n) {
		if !t.fitsSomewhere(empty, v) {
			return t.nowhere(v)
		}
	}
	members := make([]int, len(t.apart))
	for v := range t.groups {
		for i, group := range t.groups[v] {
			members[group] += int(t.times[v][i])
		}
	}
	for i, a := range t.apart {
		domains := 0
		for range t.domains(a.Layer) {
			domains++
		}
		if members[i] > a.AtMost*domains {
			return infeasible("apart group %d has %d vertices, of which at most %d may share one of %d domains", i, members[i], a.AtMost, domains)
		}
	}
	return nil
}

func addSaturated(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// domains yields the containers of a layer, those of places being layer 0.
func (t *task) domains(layer int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		last := int32(-1)
		seen := make(map[int32]bool)
		for p := range t.costs.places {
			c := t.within[p*t.layers+layer]
			if c == last || seen[c] {
				continue
			}
			last, seen[c] = c, true
			if !yield(int(c)) {
				return
			}
		}
	}
}

// fitsSomewhere tells whether v may stand anywhere.
func (t *task) fitsSomewhere(r *room, v int32) bool {
	if t.pinned != nil && t.pinned[v] >= 0 {
		return r.fits(v, t.pinned[v])
	}
	for p := range int32(t.costs.places) {
		if r.fits(v, p) {
			return true
		}
	}
	return false
}

// nowhere explains why v has no place even when all are empty.
func (t *task) nowhere(v int32) error {
	if t.pinned != nil && t.pinned[v] >= 0 {
		p := t.pinned[v]
		if !t.may(v, p) {
			return infeasible("%s is pinned to place %d, whose class is not allowed to it", t.name(v), p)
		}
		return infeasible("%s is pinned to place %d, which is too small for it", t.name(v), p)
	}
	allowed := false
	for p := range int32(t.costs.places) {
		allowed = allowed || t.may(v, p)
	}
	if !allowed {
		return infeasible("no place is of a class allowed to %s", t.name(v))
	}
	for r, name := range t.names {
		most := int64(0)
		for p := range int32(t.costs.places) {
			if t.may(v, p) {
				most = max(most, t.capacity[int(p)*t.resources+r])
			}
		}
		if s := t.size[int(v)*t.resources+r]; s > most {
			return infeasible("%s takes %d %s, the largest place allowed to it offers %d", t.name(v), s, name, most)
		}
	}
	return infeasible("%s is too large for every place allowed to it", t.name(v))
}

// EdgeCut is the weight of the edges between different places.
func EdgeCut(g *Graph, place []int32) int64 {
	cut := int64(0)
	for v := range g.Vertices() {
		for k := g.First[v]; k < g.First[v+1]; k++ {
			if place[v] != place[g.To[k]] {
				cut += g.weight(k)
			}
		}
	}
	return cut / 2
}
