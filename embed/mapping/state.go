package mapping

// state is a placement with what it costs, kept up to date step by step.
type state struct {
	*room
	place []int32
	at    []point // of each vertex, where plane holds
	plane bool    // costs are taxicab distances in the plane, all weights 1
	one   bool    // one class, no direction
	sym   bool    // no direction
	cur   []int64 // cost of the arcs of each vertex
	sum   int64   // cost of all edges
	occ   [][]int32
	slot  []int32 // index of each vertex in occ
}

func newState(t *task, place []int32) *state {
	n := t.g.Vertices()
	s := &state{
		room: newRoom(t), place: make([]int32, n), cur: make([]int64, n),
		occ: make([][]int32, t.costs.places), slot: make([]int32, n),
		plane: t.costs.tables == nil && t.costs.curves == nil && t.costs.z == nil && t.g.Weight == nil,
		one:   t.costs.oneClass(),
		sym:   t.costs.symmetric(),
	}
	if s.plane {
		s.at = make([]point, n)
	}
	s.reset(place)
	return s
}

// reset puts every vertex where place says.
func (s *state) reset(place []int32) {
	clear(s.load)
	clear(s.crowd)
	for p := range s.occ {
		s.occ[p] = s.occ[p][:0]
	}
	copy(s.place, place)
	for v, p := range place {
		s.add(int32(v), p)
		s.slot[v] = int32(len(s.occ[p]))
		s.occ[p] = append(s.occ[p], int32(v))
		if s.plane {
			s.at[v] = s.costs.at[p]
		}
	}
	s.sum = 0
	twice := int64(0)
	for v := range int32(len(place)) {
		s.cur[v] = s.cost(v, place[v])
		twice += s.cur[v]
		if s.self != nil {
			own := s.inside(v, place[v])
			twice -= own
			s.sum += own
		}
	}
	s.sum += twice / 2
}

// inside is the cost of the edges inside v on place p.
func (s *state) inside(v, p int32) int64 {
	sum := int64(0)
	for _, e := range s.self[v] {
		sum += s.costs.arc(e.class, p, p) * e.weight
	}
	return sum
}

// cost is what the arcs of v would cost if v stood on p and all others where
// they are.
func (s *state) cost(v, p int32) int64 {
	lo, hi := s.g.First[v], s.g.First[v+1]
	to := s.g.To[lo:hi]
	if s.plane {
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
	case s.costs.tables != nil && s.one:
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
	if s.self != nil {
		sum += s.inside(v, p)
	}
	return sum
}

// put sets the place of v and nothing else.
func (s *state) put(v, p int32) {
	s.place[v] = p
	if s.plane {
		s.at[v] = s.costs.at[p]
	}
}

// moveDelta is how much the sum changes if v goes to p.
func (s *state) moveDelta(v, p int32) int64 { return s.cost(v, p) - s.cur[v] }

// swapDelta is how much the sum changes if v and u change places.
func (s *state) swapDelta(v, u int32) int64 {
	a, b := s.place[v], s.place[u]
	s.put(u, a)
	atB := s.cost(v, b)
	s.put(v, b)
	atA := s.cost(u, a)
	s.put(v, a)
	s.put(u, b)
	d := atB - s.cur[v] + atA - s.cur[u]
	if !s.sym {
		d -= s.between(v, u, b, a) - s.between(v, u, a, b)
	}
	return d
}

// between is the cost of the edges from v on place a to u on place b.
func (s *state) between(v, u, a, b int32) int64 {
	sum := int64(0)
	for k := s.g.First[v]; k < s.g.First[v+1]; k++ {
		if s.g.To[k] == u {
			sum += s.costs.arc(s.g.class(k), a, b) * s.g.weight(k)
		}
	}
	return sum
}

// move takes v to p; delta is what moveDelta says.
func (s *state) move(v, p int32, delta int64) {
	a := s.place[v]
	s.remove(v, a)
	s.add(v, p)
	last := len(s.occ[a]) - 1
	w := s.occ[a][last]
	s.occ[a][s.slot[v]] = w
	s.slot[w] = s.slot[v]
	s.occ[a] = s.occ[a][:last]
	s.slot[v] = int32(len(s.occ[p]))
	s.occ[p] = append(s.occ[p], v)
	s.shift(v, a, p)
	s.put(v, p)
	s.cur[v] += delta
	s.sum += delta
}

// swap lets v and u change places; delta is what swapDelta says.
func (s *state) swap(v, u int32, delta int64) {
	a, b := s.place[v], s.place[u]
	if !s.simple {
		s.remove(v, a)
		s.remove(u, b)
		s.add(v, b)
		s.add(u, a)
	}
	i, j := s.slot[v], s.slot[u]
	s.occ[a][i], s.occ[b][j] = u, v
	s.slot[v], s.slot[u] = j, i
	s.shift(v, a, b)
	s.put(v, b)
	s.shift(u, b, a)
	s.put(u, a)
	s.cur[v], s.cur[u] = s.cost(v, b), s.cost(u, a)
	s.sum += delta
}

// shift brings the costs of the neighbours of v up to date as v goes from a to
// b.
func (s *state) shift(v, a, b int32) {
	lo, hi := s.g.First[v], s.g.First[v+1]
	to := s.g.To[lo:hi]
	if s.plane {
		from, here := s.costs.at[a], s.costs.at[b]
		for _, u := range to {
			there := s.at[u]
			s.cur[u] += int64(abs(here.x-there.x) + abs(here.y-there.y) - abs(from.x-there.x) - abs(from.y-there.y))
		}
		return
	}
	for i, u := range to {
		k := lo + int64(i)
		class, p := s.g.class(k), s.place[u]
		s.cur[u] += (s.costs.arc(class, b, p) - s.costs.arc(class, a, p)) * s.g.weight(k)
	}
}
