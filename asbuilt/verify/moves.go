package verify

import "slices"

// Move is what somebody does to a cable.
type Move struct {
	Step int `json:"step"` // from 1
	// Do is "move" a plug, "unplug" one and leave it hanging, "plug" such a one in, "lay" a new cable, "take-out" one
	// or "exchange" one for another product.
	Do Do `json:"do"`
	// Cable is the id of the planned cable that the moved one becomes; empty for one that is disconnected.
	Cable string `json:"cable,omitempty"`
	// From is where the plug is, of a cable that is disconnected one of its ends; nothing for one that is laid.
	From *End `json:"from,omitempty"`
	// To is where the plug goes, of a cable that is laid one of its ends; nothing for one that is disconnected.
	To *End `json:"to,omitempty"`
	// Other is the other end of the cable, which stays where it is.
	Other End `json:"other"`
}

// Do is a kind of move.
type Do string

// The kinds of moves.
const (
	MovePlug Do = "move"
	Unplug   Do = "unplug"
	Plug     Do = "plug"
	Lay      Do = "lay"
	TakeOut  Do = "take-out"
	Exchange Do = "exchange"
)

// kind names a fault.
func (s *sight) kind(f *fault) Kind {
	switch {
	case f.kind != "":
		return f.kind
	case len(f.found) == 0:
		return Missing
	case len(f.plan) == 0:
		return Extra
	case slices.ContainsFunc(f.found, func(x int32) bool { return s.open(&s.links[x]) }):
		return s.openKind(f)
	case f.ring && len(f.plan) == 2:
		return Swapped
	case f.ring:
		return Rotated
	}
	for _, j := range s.jobs(f) {
		if j.moves() && !s.sameBox(j.from, j.to) {
			return WrongBox
		}
	}
	return WrongPort
}

// openKind names a fault with a port that is not identified.
func (s *sight) openKind(f *fault) Kind {
	kind := UnknownPort
	for _, x := range f.found {
		at := max(s.links[x].a, s.links[x].b)
		n := int(at) - len(s.p.planned)
		if n < 0 {
			continue
		}
		near := s.links[x].other(at)
		switch v := s.foreign[n].v; {
		case v < 0:
			return NotIdentified
		case s.p.vertex(s.p.links[s.p.planned[near]].other(near)) != v:
			kind = WrongBox
		}
	}
	return kind
}

// mendable reports whether a fault can be mended by moving plugs: a link at a wrong rate or with a cable of another
// type, a conflict, a port that is not identified and one with several neighbours have to be looked at first.
func (s *sight) mendable(f *fault) bool {
	switch f.kind {
	case WrongPolarity, WrongRate, WrongWidth, Degraded, Conflict:
		return false
	}
	// A port that is empty as far as is known may be the one that is not identified.
	for _, port := range f.ports {
		if int(port) < len(s.p.planned) && s.at[port] < 0 && (s.unclear[port] || s.openAt[s.p.vertex(port)]) {
			return false
		}
	}
	return !slices.ContainsFunc(f.found, func(x int32) bool { return s.open(&s.links[x]) })
}

// job is what becomes of a cable: a found link that becomes a planned one, is disconnected, or is laid. Links are -1
// where there is none, ports where no plug is moved.
type job struct {
	found, plan int32
	from, to    int32 // the ports that a plug leaves and goes to; of a cable disconnected or laid, one of its ends
	other       int32 // where the other plug stays, or is
}

// moves reports whether a plug goes from port to port.
func (j *job) moves() bool { return j.found >= 0 && j.plan >= 0 && j.from != j.to }

// jobs are the fewest that mend a fault. Of the two ways to go along a path or ring, that is taken which moves more
// plugs within their boxes.
func (s *sight) jobs(f *fault) []job {
	if !s.mendable(f) {
		return nil
	}
	if f.kind == WrongProduct {
		return []job{{f.found[0], f.plan[0], f.ports[0], f.ports[0], f.ports[1]}}
	}
	first := f.jobs()
	turned := f.turned().jobs()
	if s.within(turned) > s.within(first) {
		return turned
	}
	return first
}

// moves words the jobs that mend a fault.
func (s *sight) moves(f *fault) []Move {
	var out []Move
	jobs := s.jobs(f)
	for i := range jobs {
		j := &jobs[i]
		m := Move{Other: s.end(j.other)}
		if j.plan >= 0 {
			m.Cable = s.p.cableName(j.plan)
		}
		if j.found >= 0 {
			from := s.end(j.from)
			m.From = &from
		}
		if j.plan >= 0 {
			to := s.end(j.to)
			m.To = &to
		}
		switch {
		case j.plan < 0:
			m.Do = TakeOut
		case j.found < 0:
			m.Do = Lay
		case j.from == j.to:
			m.Do = Exchange
		default:
			m.Do = MovePlug
		}
		if f.ring && i == 0 { // its port is taken by the last of the ring
			last := &jobs[len(jobs)-1]
			hanging := s.end(last.from)
			out = append(out, Move{
				Do: Unplug, Cable: s.p.cableName(last.plan), From: &hanging, To: nil, Other: s.end(last.other),
			})
		}
		if f.ring && i == len(jobs)-1 {
			m.Do, m.From = Plug, nil
		}
		out = append(out, m)
	}
	return out
}

// turned is a fault from its other end; a ring the other way round, from the other end of its first planned link.
func (f *fault) turned() *fault {
	t := &fault{ring: f.ring, plan: slices.Clone(f.plan), found: slices.Clone(f.found), ports: slices.Clone(f.ports)}
	slices.Reverse(t.plan)
	slices.Reverse(t.found)
	slices.Reverse(t.ports)
	if !f.ring {
		t.foundFirst = f.foundFirst == (len(f.plan) != len(f.found))
		return t
	}
	// Backwards the ring begins with its last found link: that goes to the end, so that a planned one is first.
	t.found = append(t.found[1:], t.found[0])
	t.ports = append(t.ports[1:], t.ports[1])
	return t
}

// within counts the plugs that are moved within a box.
func (s *sight) within(jobs []job) int {
	n := 0
	for i := range jobs {
		if jobs[i].moves() && s.sameBox(jobs[i].from, jobs[i].to) {
			n++
		}
	}
	return n
}

// sameBox reports whether two ports are those of one box.
func (s *sight) sameBox(a, b int32) bool { return s.end(a).Box == s.end(b).Box }

// jobs mend a fault from its first link to its last.
func (f *fault) jobs() []job {
	var out []job
	plan, found, ports := f.plan, f.found, f.ports
	if f.foundFirst { // the first found link is one too many, or becomes the first planned one
		if len(found) <= len(plan) {
			return f.turned().jobs()
		}
		out = append(out, job{found: found[0], plan: -1, from: ports[0], to: -1, other: ports[1]})
		found, ports = found[1:], ports[1:]
	}
	// Now a planned link is first: planned i joins ports 2i and 2i+1, found i joins ports 2i+1 and 2i+2.
	for i := range found {
		out = append(out, job{found[i], plan[i], ports[2*i+2], ports[2*i], ports[2*i+1]})
	}
	if len(plan) > len(found) {
		l := len(plan) - 1
		out = append(out, job{found: -1, plan: plan[l], from: -1, to: ports[2*l], other: ports[2*l+1]})
	}
	return out
}
