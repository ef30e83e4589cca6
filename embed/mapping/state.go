package mapping

// state is a placement with what it costs, kept up to date step by step.
type state struct {
	*occupancy
	place       []int32
	at          []point // by vertex: where it is; nil unless planar
	planar      bool    // costs are taxicab distances in the plane, all weights 1
	singleClass bool    // all classes cost the same, in both directions
	symmetric   bool    // every class costs the same in both directions
	vertexCost  []int64 // by vertex: cost of its arcs, and of its loops
	sum         int64   // cost of all edges, each once
	occupants   [][]int32
	slot        []int32 // by vertex: its index in the occupants of its place
}

func newState(t *instance, place []int32) *state {
	n := t.g.Vertices()
	s := &state{
		occupancy: newOccupancy(t), place: make([]int32, n), vertexCost: make([]int64, n),
		occupants: make([][]int32, t.costs.places), slot: make([]int32, n),
		planar:      t.costs.tables == nil && t.costs.curves == nil && t.costs.z == nil && t.g.Weight == nil,
		singleClass: t.costs.oneClass(),
		symmetric:   t.costs.symmetric(),
	}
	if s.planar {
		s.at = make([]point, n)
	}
	s.reset(place)
	return s
}

// reset puts every vertex where place says.
func (s *state) reset(place []int32) {
	clear(s.load)
	clear(s.members)
	for p := range s.occupants {
		s.occupants[p] = s.occupants[p][:0]
	}
	copy(s.place, place)
	for v, p := range place {
		s.add(int32(v), p)
		s.slot[v] = int32(len(s.occupants[p]))
		s.occupants[p] = append(s.occupants[p], int32(v))
		if s.planar {
			s.at[v] = s.costs.at[p]
		}
	}
	s.sum = 0
	twice := int64(0)
	for v := range int32(len(place)) {
		s.vertexCost[v] = s.cost(v, place[v])
		twice += s.vertexCost[v]
		if s.loops != nil {
			own := s.loopCost(v, place[v])
			twice -= own
			s.sum += own
		}
	}
	s.sum += twice / 2
}

// loopCost is the cost of the edges inside v on place p.
func (s *state) loopCost(v, p int32) int64 {
	sum := int64(0)
	for _, e := range s.loops[v] {
		sum += s.costs.arc(e.class, p, p) * e.weight
	}
	return sum
}

// cost returns the cost of the arcs and loops of v if v were at p and all others where they are.
func (s *state) cost(v, p int32) int64 {
	lo, hi := s.g.First[v], s.g.First[v+1]
	to := s.g.To[lo:hi]
	if s.planar {
		here := s.costs.at[p]
		sum := int64(0)
		for _, u := range to {
			there := s.at[u]
			sum += int64(abs(here.x-there.x) + abs(here.y-there.y))
		}
		return sum
	}
	sum := int64(0)
	switch {
	case s.costs.tables != nil && s.singleClass:
		row := s.costs.tables[0][int(p)*s.costs.places:][:s.costs.places]
		if s.g.Weight == nil {
			for _, u := range to {
				sum += int64(row[s.place[u]])
			}
			break
		}
		weight := s.g.Weight[lo:hi]
		for i, u := range to {
			sum += int64(row[s.place[u]]) * weight[i]
		}
	default:
		for i, u := range to {
			k := lo + int64(i)
			sum += s.costs.arc(s.g.class(k), p, s.place[u]) * s.g.weight(k)
		}
	}
	if s.loops != nil {
		sum += s.loopCost(v, p)
	}
	return sum
}

// put sets the place of v and nothing else.
func (s *state) put(v, p int32) {
	s.place[v] = p
	if s.planar {
		s.at[v] = s.costs.at[p]
	}
}

// moveDelta returns by how much the sum grows if v goes to p.
func (s *state) moveDelta(v, p int32) int64 { return s.cost(v, p) - s.vertexCost[v] }

// swapDelta returns by how much the sum grows if v and u change places.
func (s *state) swapDelta(v, u int32) int64 {
	a, b := s.place[v], s.place[u]
	s.put(u, a)
	atB := s.cost(v, b)
	s.put(v, b)
	atA := s.cost(u, a)
	s.put(v, a)
	s.put(u, b)
	d := atB - s.vertexCost[v] + atA - s.vertexCost[u]
	if !s.symmetric {
		d -= s.between(v, u, b, a) - s.between(v, u, a, b)
	}
	return d
}

// between returns the cost of the edges between v and u if v were at place a and u at place b.
func (s *state) between(v, u, a, b int32) int64 {
	sum := int64(0)
	for k := s.g.First[v]; k < s.g.First[v+1]; k++ {
		if s.g.To[k] == u {
			sum += s.costs.arc(s.g.class(k), a, b) * s.g.weight(k)
		}
	}
	return sum
}

// move puts v on p; delta is the result of moveDelta.
func (s *state) move(v, p int32, delta int64) {
	a := s.place[v]
	s.remove(v, a)
	s.add(v, p)
	last := len(s.occupants[a]) - 1
	w := s.occupants[a][last]
	s.occupants[a][s.slot[v]] = w
	s.slot[w] = s.slot[v]
	s.occupants[a] = s.occupants[a][:last]
	s.slot[v] = int32(len(s.occupants[p]))
	s.occupants[p] = append(s.occupants[p], v)
	s.shift(v, a, p)
	s.put(v, p)
	s.vertexCost[v] += delta
	s.sum += delta
}

// swap exchanges the places of v and u; delta is the result of swapDelta.
func (s *state) swap(v, u int32, delta int64) {
	a, b := s.place[v], s.place[u]
	if !s.simple {
		s.remove(v, a)
		s.remove(u, b)
		s.add(v, b)
		s.add(u, a)
	}
	i, j := s.slot[v], s.slot[u]
	s.occupants[a][i], s.occupants[b][j] = u, v
	s.slot[v], s.slot[u] = j, i
	s.shift(v, a, b)
	s.put(v, b)
	s.shift(u, b, a)
	s.put(u, a)
	s.vertexCost[v], s.vertexCost[u] = s.cost(v, b), s.cost(u, a)
	s.sum += delta
}

// shift brings the costs of the neighbours of v up to date as v goes from a to
// b.
func (s *state) shift(v, a, b int32) {
	lo, hi := s.g.First[v], s.g.First[v+1]
	to := s.g.To[lo:hi]
	if s.planar {
		from, here := s.costs.at[a], s.costs.at[b]
		for _, u := range to {
			there := s.at[u]
			now := abs(here.x-there.x) + abs(here.y-there.y)
			before := abs(from.x-there.x) + abs(from.y-there.y)
			s.vertexCost[u] += int64(now - before)
		}
		return
	}
	for i, u := range to {
		k := lo + int64(i)
		class, p := s.g.class(k), s.place[u]
		s.vertexCost[u] += (s.costs.arc(class, b, p) - s.costs.arc(class, a, p)) * s.g.weight(k)
	}
}
