package verify

import "slices"

// Move is what somebody does to a cable.
type Move struct {
	Step int `json:"step"` // from 1
	// Do is "move" a plug, "unplug" one and leave it hanging, "plug" such a one in, "lay" a new cable, "take-out" one
	// or "exchange" one for another product.
	Do Do `json:"do"`
	// Cable is the id of the planned cable that the moved one becomes; empty for one that is taken out.
	Cable string `json:"cable,omitempty"`
	// From is where the plug is, of a cable that is taken out one of its ends; nothing for one that is laid.
	From *End `json:"from,omitempty"`
	// To is where the plug goes, of a cable that is laid one of its ends; nothing for one that is taken out.
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
	case f.ring && len(f.plan) == 2:
		return Swapped
	case f.ring:
		return Rotated
	}
	for _, m := range s.moves(f) {
		if m.Do == MovePlug && m.From.Box != m.To.Box {
			return WrongBox
		}
	}
	return WrongPort
}

// moves are the fewest that mend a fault. Of the two ways to go along a path or ring, that is taken which moves more
// plugs within their boxes.
func (s *sight) moves(f *fault) []Move {
	if f.kind == WrongProduct {
		l := s.planned(f.plan[0])
		return []Move{{Do: Exchange, Cable: l.Cable, From: &l.A, To: &l.A, Other: l.B}}
	}
	first := s.along(f)
	turned := s.along(f.turned())
	if within(turned) > within(first) {
		return turned
	}
	return first
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
func within(moves []Move) int {
	n := 0
	for _, m := range moves {
		if m.Do == MovePlug && m.From.Box == m.To.Box {
			n++
		}
	}
	return n
}

// along mends a fault from its first link to its last.
func (s *sight) along(f *fault) []Move {
	var out []Move
	plan, found, ports := f.plan, f.found, f.ports
	if f.foundFirst { // the first found link is one too many, or becomes the first planned one
		if len(found) > len(plan) {
			from, other := s.end(ports[0]), s.end(ports[1])
			out = append(out, Move{Do: TakeOut, From: &from, Other: other})
			found, ports = found[1:], ports[1:]
		} else {
			return s.along(f.turned())
		}
	}
	// Now a planned link is first: planned i joins ports 2i and 2i+1, found i joins ports 2i+1 and 2i+2.
	for i := range found {
		from, to := s.end(ports[2*i+2]), s.end(ports[2*i])
		m := Move{Do: MovePlug, Cable: s.p.cableName(plan[i]), From: &from, To: &to, Other: s.end(ports[2*i+1])}
		if f.ring && i == 0 { // its port is taken by the last of the ring
			last := len(found) - 1
			hanging := s.end(ports[0])
			out = append(out, Move{
				Do: Unplug, Cable: s.p.cableName(plan[last]), From: &hanging, To: nil, Other: s.end(ports[2*last+1]),
			})
		}
		if f.ring && i == len(found)-1 {
			m.Do, m.From = Plug, nil
		}
		out = append(out, m)
	}
	if len(plan) > len(found) {
		l := len(plan) - 1
		to := s.end(ports[2*l])
		out = append(out, Move{Do: Lay, Cable: s.p.cableName(plan[l]), To: &to, Other: s.end(ports[2*l+1])})
	}
	return out
}
