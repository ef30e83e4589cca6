package verify

import "slices"

// Move is one action on one cable. Result.Moves numbers them over all differences; within a difference their order has
// to be kept, as a move may need the port that an earlier one has freed. Which fields are set depends on Do:
//
//	move      Cable, From, To    the plug in From goes to To; the plug in Other stays
//	unplug    Cable, From        the plug in From is pulled and hangs, to free a port; the plug in Other stays
//	plug      Cable, To          the hanging plug of that Cable goes to To
//	lay       Cable, To          a new cable joins To and Other
//	take-out  From               both plugs are pulled, from From and from Other, and the cable is removed
//	exchange  Cable, From, To    From and To are one port: the planned product replaces the cable between To and Other
//
// Other is always set. Cable is a planned id: that of the cable as it is labelled after the move, not as found. Only a
// removed cable has none.
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

// Do is a kind of move; see Move for the fields that go with each.
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

// kind returns the kind of a fault: the one that it was found with, if any, else the one that follows from its links.
// A path is WrongBox if one of the plugs to move is in another box than planned, else WrongPort.
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
		if j.movesPlug() && !s.sameBox(j.from, j.to) {
			return WrongBox
		}
	}
	return WrongPort
}

// openKind returns the kind of a fault with a port that is not identified: NotIdentified if the box of such a port is
// not identified either, WrongBox if it is another box than planned, else UnknownPort.
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

// mendable reports whether moves can mend a fault: moved plugs, laid, removed or exchanged cables. It is false where
// somebody has to look first: for a wrong rate, width or polarity, counted errors and conflicts, and for a fault with a
// port that is not identified or of which several neighbours are named.
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

// job is what has to be done to one cable, in one of four forms:
//
//	move a plug  found and plan are set, from differs from to
//	exchange     found and plan are set, from equals to
//	disconnect   plan and to are -1; the cable joins from and other
//	lay          found and from are -1; the cable joins to and other
type job struct {
	found, plan int32 // indices into sight.links and Plan.links
	from, to    int32 // the ports that the plug leaves and goes to
	other       int32 // the port of the other plug, which stays if the cable does
}

// movesPlug reports whether a plug goes from one port to another: false for take-outs, new cables and exchanges.
func (j *job) movesPlug() bool { return j.found >= 0 && j.plan >= 0 && j.from != j.to }

// jobs returns the fewest jobs that mend a fault, one for each cable concerned, or nil for a fault that is not
// mendable. A path or ring can be followed from either end; the direction that moves more plugs within their boxes is
// taken, in a tie that of the fault. In a path each job frees the ports of the next.
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

// planJobs returns the jobs of a fault with each cable that is known to be the wrong product for its new place
// disconnected, and another one laid: first what is disconnected, then each job after those that free its ports, last
// what is laid. It reports whether the jobs are a ring, in which no port is free.
func (s *sight) planJobs(f *fault) ([]job, bool) {
	jobs := s.jobs(f)
	unfit := func(j job) bool { return j.movesPlug() && s.wrongProduct(j.plan, j.found) }
	at := slices.IndexFunc(jobs, unfit)
	if at < 0 {
		return jobs, f.ring
	}
	if f.ring { // what is disconnected frees ports of the next
		jobs = slices.Concat(jobs[at:], jobs[:at])
	}
	var gone, moved, laid []job
	for _, j := range jobs {
		switch {
		case unfit(j):
			gone = append(gone, job{found: j.found, plan: -1, from: j.from, to: -1, other: j.other})
			laid = append(laid, job{found: -1, plan: j.plan, from: -1, to: j.to, other: j.other})
		case j.found < 0:
			laid = append(laid, j)
		case j.plan < 0:
			gone = append(gone, j)
		default:
			moved = append(moved, j)
		}
	}
	return slices.Concat(gone, moved, laid), false
}

// moves returns the jobs of a fault as moves, without steps; nil for a fault that is not mendable. In a ring no port is
// free: the plug of the last job is unplugged first and plugged in last, so that there is one move more than cables.
func (s *sight) moves(f *fault) []Move {
	var out []Move
	jobs, ring := s.planJobs(f)
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
		if ring && i == 0 { // its port is taken by the last of the ring
			last := &jobs[len(jobs)-1]
			hanging := s.end(last.from)
			out = append(out, Move{
				Do: Unplug, Cable: s.p.cableName(last.plan), From: &hanging, To: nil, Other: s.end(last.other),
			})
		}
		if ring && i == len(jobs)-1 {
			m.Do, m.From = Plug, nil
		}
		out = append(out, m)
	}
	return out
}

// turned returns the links and ports of a fault in the opposite order, as a new fault. A ring still begins with its
// first planned link, from that link's other end.
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

// within counts the jobs that move a plug from one port of a box to another port of the same box.
func (s *sight) within(jobs []job) int {
	n := 0
	for i := range jobs {
		if jobs[i].movesPlug() && s.sameBox(jobs[i].from, jobs[i].to) {
			n++
		}
	}
	return n
}

// sameBox reports whether two ports are on one box.
func (s *sight) sameBox(a, b int32) bool { return s.end(a).Box == s.end(b).Box }

// jobs returns the jobs that mend a path or ring, from its first link to its last: min(found, planned) cables stay, and
// one of each is moved; left-over cables are disconnected or laid.
func (f *fault) jobs() []job {
	var out []job
	plan, found, ports := f.plan, f.found, f.ports
	if f.foundFirst { // a surplus found link goes; without one the path is followed from its other end
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
