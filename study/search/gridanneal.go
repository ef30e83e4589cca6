package search

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/plenum-planner/plenum/internal/splitmix"
)

// budget is how long to anneal: a number of steps, or, if that is zero, a time.
type budget struct {
	steps int64
	time  time.Duration
}

// annealed is a graph that annealing has found.
type annealed struct {
	neighbours []int32 // degree for each vertex; a port that is not used has the vertex itself
	sum        int64   // of the distances over ordered pairs
	diameter   int
	connected  bool
	steps      int64
}

// gridAnnealer changes a graph.
type gridAnnealer struct {
	*grid
	distances  *gridDistances
	neighbours []int32
	random     uint64
	undo       []gridChange
	links      int // how many links the change under way has added, less those it took away
}

// A gridChange is a link that was added or taken away.
type gridChange struct {
	v, w  int32
	added bool
}

// anneal makes a graph from a seed and the number of a start.
func (g *grid) anneal(ctx context.Context, seed uint64, start int, b budget, progress func(string, int, int)) annealed {
	a := &gridAnnealer{
		grid: g, distances: newGridDistances(g), neighbours: make([]int32, g.nodes*g.degree),
		random: splitmix.First(splitmix.First(seed) + uint64(start)),
	}
	began := time.Now()
	a.draw()
	sum, diameter := a.distances.sum(a.neighbours, math.MaxInt64)
	best := annealed{neighbours: slices.Clone(a.neighbours), sum: sum, diameter: diameter}
	const between = 256 // steps between two looks at the temperature and the clock
	hot, cold := a.temperatures()
	temperature, shown := hot, 0
	for step := int64(0); ; step++ {
		if step == b.steps && b.steps > 0 {
			best.steps = step
			break
		}
		if step%between == 0 {
			done := float64(step) / float64(max(1, b.steps))
			if b.steps == 0 {
				done = float64(time.Since(began)) / float64(b.time)
			}
			if done >= 1 || ctx.Err() != nil {
				best.steps = step
				break
			}
			temperature = hot * math.Pow(cold/hot, done)
			if percent := int(100 * done); progress != nil && percent > shown {
				shown = percent
				progress("per cent of the search", percent, 100)
			}
		}
		if !a.change() {
			continue
		}
		// The random number comes first, so that a sum that would be refused need not be known to the end.
		limit := sum + int64(-math.Log(1-a.float())*temperature)
		s, d := a.distances.sum(a.neighbours, limit)
		if s > limit {
			a.back()
			continue
		}
		sum, diameter = s, d
		if sum < best.sum || sum == best.sum && diameter < best.diameter {
			best.sum, best.diameter = sum, diameter
			copy(best.neighbours, a.neighbours)
		}
	}
	best.connected = best.diameter > 0 && best.sum < math.MaxInt64 && a.isConnected(best.neighbours)
	return best
}

// temperatures are those at the start and at the end, in hops over ordered pairs. A change is made at as many places as
// the symmetry has turns, and touches the distances of vertices to some others: the factors were found by trial, on
// 100 and 400 racks.
func (a *gridAnnealer) temperatures() (hot, cold float64) {
	places := float64(a.nodes * a.symmetry)
	return 0.2 * places, 0.005 * places
}

func (a *gridAnnealer) float() float64 { return float64(splitmix.Next(&a.random)>>11) / (1 << 53) }

// below is a number from 0 to n-1, n below 2^32.
func (a *gridAnnealer) below(n int) int { return int(splitmix.Next(&a.random) >> 32 * uint64(n) >> 32) }

// draw makes a random graph, in which as many ports are used as random walks of the unused ones can join.
func (a *gridAnnealer) draw() {
	for v := range int32(a.nodes) {
		for i := range a.degree {
			a.neighbours[int(v)*a.degree+i] = v
		}
	}
	unused := make([]int32, 0, a.nodes)
	for range 20 * len(a.neighbours) {
		unused = unused[:0]
		for v := range int32(a.nodes) {
			if a.isLinked(v, v) {
				unused = append(unused, v)
			}
		}
		if len(unused) == 0 {
			break
		}
		v := unused[a.below(len(unused))]
		if len(a.near[v]) == 0 {
			continue
		}
		w := a.near[v][a.below(len(a.near[v]))]
		end := w // an unused port of w, if it has one
		if !a.isLinked(w, w) {
			end = a.neighbours[int(w)*a.degree+a.below(a.degree)]
		}
		a.exchange(v, v, w, end)
	}
}

// change makes a random change and reports whether there was one.
func (a *gridAnnealer) change() bool {
	v := int32(a.below(a.nodes))
	near := a.near[v]
	if len(near) == 0 {
		return false
	}
	w := near[a.below(len(near))]
	return a.exchange(v, a.neighbours[int(v)*a.degree+a.below(a.degree)],
		w, a.neighbours[int(w)*a.degree+a.below(a.degree)])
}

// exchange joins v and w in place of v and v2 and of w and w2, which are joined in turn, and does the same with their
// images; it reports whether that could be done. A port that is not used takes part as one joined to its own rack: two
// of them make a new link, one moves on to another rack.
func (a *gridAnnealer) exchange(v, v2, w, w2 int32) bool {
	crossed := v2 != v && w2 != w
	if v2 == w || w2 == v || v2 == w2 || crossed && a.length(v2, w2) > a.longest || a.isLinked(v, w) ||
		crossed && a.isLinked(v2, w2) {
		return false
	}
	a.undo = a.undo[:0]
	a.links = 0
	a.part(v, v2)
	a.part(w, w2)
	if !a.join(v, w) || crossed && !a.join(v2, w2) || a.links < 0 {
		a.back()
		return false
	}
	return true
}

// part takes a link and its images away.
func (a *gridAnnealer) part(v, w int32) {
	if v == w {
		return
	}
	for i := range a.symmetry {
		x, y := a.orbits[v][i], a.orbits[w][i]
		if a.isLinked(x, y) {
			a.replace(x, y, x)
			a.replace(y, x, y)
			a.undo = append(a.undo, gridChange{x, y, false})
			a.links--
		}
	}
}

// join adds a link and its images and reports whether there were ports for all. Images that are one link are added
// once. A link between two racks without any port left is none: where the two links that have gone were images of each
// other, those that were added first took their places.
func (a *gridAnnealer) join(v, w int32) bool {
	for i := range a.symmetry {
		x, y := a.orbits[v][i], a.orbits[w][i]
		if a.isLinked(x, y) {
			continue
		}
		free, other := a.isLinked(x, x), a.isLinked(y, y)
		if !free && !other && i == 0 {
			return true
		}
		if !free || !other {
			return false
		}
		a.replace(x, x, y)
		a.replace(y, y, x)
		a.undo = append(a.undo, gridChange{x, y, true})
		a.links++
	}
	return true
}

// back takes a change back.
func (a *gridAnnealer) back() {
	for _, c := range slices.Backward(a.undo) {
		if c.added {
			a.replace(c.v, c.w, c.v)
			a.replace(c.w, c.v, c.w)
		} else {
			a.replace(c.v, c.v, c.w)
			a.replace(c.w, c.w, c.v)
		}
	}
}

// isLinked reports whether w is at a port of v; v itself is where a port is not used.
func (a *gridAnnealer) isLinked(v, w int32) bool {
	return slices.Contains(a.neighbours[int(v)*a.degree:][:a.degree], w)
}

// replace puts w in place of old at a port of v.
func (a *gridAnnealer) replace(v, old, w int32) {
	ports := a.neighbours[int(v)*a.degree:][:a.degree]
	ports[slices.Index(ports, old)] = w
}

// isConnected reports whether there are ways between all vertices.
func (a *gridAnnealer) isConnected(neighbours []int32) bool {
	seen := make([]bool, a.nodes)
	seen[0] = true
	queue := []int32{0}
	for i := 0; i < len(queue); i++ {
		for _, w := range neighbours[int(queue[i])*a.degree:][:a.degree] {
			if !seen[w] {
				seen[w] = true
				queue = append(queue, w)
			}
		}
	}
	return len(queue) == a.nodes
}
