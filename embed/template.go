package embed

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// Template describes racks that hold the same kinds of boxes at the same units. Boxes of a kind take the seats rack by
// rack, in the order of their numbers; a kind in several templates takes the seats of the first template first.
type Template struct {
	Name  string
	Class Class // of the racks, not Beside
	Block int   // index in Problem.Contiguous plus 1; 0 for none
	Racks int   // number of racks; those for which no box is left are omitted
	Seats []Seat
	Types []int // rack types that the racks may have, by number; nil stands for type 0
	// At lists the positions of the racks, which they take in order; nil for any positions.
	At []Span
}

// Seat is the place of a box in every rack of a template.
type Seat struct {
	Kind int  // index in Problem.Kinds
	Unit int  // lowest rack unit, from 1; for class Beside the unit at the height of the box's middle
	Rear bool // the front of the box is at the rear of the rack
}

// home returns the set of the template's racks.
func (t *Template) home() home { return home{t.Class, t.Name, t.Block} }

// types returns the rack types that the racks may have.
func (t *Template) types() []int {
	if t.Types == nil {
		return []int{0}
	}
	return t.Types
}

// holds reports whether racks of the template have a seat for a kind.
func (t *Template) holds(kind int) bool { return t.seats(kind) > 0 }

// seats counts the seats that a rack of the template has for a kind.
func (t *Template) seats(kind int) (n int) {
	for _, s := range t.Seats {
		if s.Kind == kind {
			n++
		}
	}
	return n
}

// hasTemplate reports whether a template has a seat for a kind.
func (p *Problem) hasTemplate(kind int) bool {
	return slices.ContainsFunc(p.Templates, func(t Template) bool { return t.holds(kind) })
}

// templateOf returns the template of the racks of a home, nil for none.
func (p *Problem) templateOf(at home) *Template {
	for i := range p.Templates {
		if p.Templates[i].home() == at {
			return &p.Templates[i]
		}
	}
	return nil
}

// checkTemplates returns an error about the first seat that is not possible: of an unknown kind, of a kind in chassis,
// outside the rack, or at units of another seat.
func (f *filler) checkTemplates() error {
	for i := range f.p.Templates {
		t := &f.p.Templates[i]
		used := make([]layout.UnitSet, f.p.Room.Tallest()+1)
		for j, s := range t.Seats {
			at := diag.Elem(diag.Elem("Templates", i)+".Seats", j)
			switch {
			case s.Kind < 0 || s.Kind >= len(f.p.Kinds):
				return diag.Fieldf(at, "kind %d of %d", s.Kind, len(f.p.Kinds))
			case f.p.Kinds[s.Kind].chassis() >= 0:
				return diag.Fieldf(at, "boxes in chassis have no places in templates of racks")
			}
			height := f.p.Kinds[s.Kind].Box.Units
			if f.p.Kinds[s.Kind].Class == Beside {
				height = 0
			}
			for _, of := range t.types() {
				if s.Unit < 1 || s.Unit+max(height, 1)-1 > f.p.Room.Type(of).Units {
					return diag.Fieldf(at, "unit %d of a rack of %d", s.Unit, f.p.Room.Type(of).Units)
				}
			}
			if used[0].Overlaps(s.Unit, height) {
				return diag.Fieldf(at, "another box stands at unit %d", s.Unit)
			}
			used[0].Add(s.Unit, height)
		}
	}
	return nil
}

// fillTemplates fills the racks of templates.
func (f *filler) fillTemplates() error {
	next := make([]int, len(f.kinds)) // number of boxes of each kind that have a seat
	for i := range f.p.Templates {
		t := &f.p.Templates[i]
		f.home = t.home()
		for range t.Racks {
			f.open = false
			for _, s := range t.Seats {
				k := &f.kinds[s.Kind]
				if next[s.Kind] == k.Count {
					continue
				}
				if !f.open {
					f.openRack(f.nextTypes(f.home)[0])
				}
				f.sit(int32(len(f.racks)-1), int32(k.First+next[s.Kind]), s)
				next[s.Kind]++
			}
		}
		f.open = false
	}
	for i, k := range f.kinds {
		if f.p.hasTemplate(i) && next[i] < k.Count {
			return diag.Fieldf("Templates", "%s of kind %s, and the templates of racks hold %d",
				english.Count(k.Count, "box"), k.Name, next[i])
		}
	}
	return nil
}

// sit places a box at a seat in a rack. It does not apply limits of power and weight, which the design rules check.
func (f *filler) sit(rack, v int32, s Seat) {
	r := &f.racks[rack]
	if f.p.Kinds[s.Kind].Class != Beside {
		r.state.used.Add(s.Unit, f.p.Kinds[s.Kind].Box.Units)
	}
	f.add(&r.state, v, s.Kind)
	f.spots[v] = spot{rack: rack, unit: int16(s.Unit), chassis: -1, rear: s.Rear}
	if r.first < 0 {
		r.first = v
	}
}

// placedTemplate returns the template of a rack if it states positions (Template.At), nil otherwise.
func (f *filler) placedTemplate(rack int32) *Template {
	if t := f.p.templateOf(f.racks[rack].home); t != nil && t.At != nil {
		return t
	}
	return nil
}

// spanPositions lists the rack positions of spans, in their order, without those that are kept free of racks.
func spanPositions(room *layout.Room, spans []Span) []int32 {
	var out []int32
	for _, s := range spans {
		if s.Row >= len(room.Rows) {
			continue
		}
		for k, place := range room.Rows[s.Row].Position {
			if place >= 0 && (s.To == 0 || k+1 >= s.From && k+1 <= s.To) {
				out = append(out, place)
			}
		}
	}
	return out
}

// assignFixed gives each rack of a template with stated positions the next of these that has the rack's type, and
// reports whether there were enough.
func (fl *floor) assignFixed(room *layout.Room, free []bool, places []int32) bool {
	for r := range fl.f.racks {
		t := fl.f.placedTemplate(int32(r))
		if t == nil {
			continue
		}
		at := slices.IndexFunc(spanPositions(room, t.At), func(place int32) bool {
			return free[place] && room.Places[place].Type == fl.f.racks[r].state.of
		})
		if at < 0 {
			return false
		}
		places[r] = spanPositions(room, t.At)[at]
		free[places[r]] = false
	}
	return true
}

// tooFewStated returns an error about a template that states fewer positions of its rack types than it has racks.
func (fl *floor) tooFewStated(room *layout.Room) error {
	for i := range fl.p.Templates {
		t := &fl.p.Templates[i]
		racks, have := 0, 0
		for r := range fl.f.racks {
			if fl.f.racks[r].home == t.home() {
				racks++
			}
		}
		for _, place := range spanPositions(room, t.At) {
			if slices.Contains(t.types(), room.Places[place].Type) {
				have++
			}
		}
		if t.At != nil && have < racks {
			return diag.Fieldf(diag.Elem("Templates", i)+".At", "%s for %s: no more of those stated are for "+
				"racks of this part and not reserved%s", english.Count(have, "position"), english.Count(racks, "rack"),
				lostText(room, t.At))
		}
	}
	return nil
}

// lostText names the positions of spans that are kept free of racks, and what keeps each free; "" for none.
func lostText(room *layout.Room, spans []Span) string {
	var lost []string
	for _, l := range room.Lost {
		if slices.ContainsFunc(spans, func(s Span) bool {
			return s.Row == l.Row && (s.To == 0 || s.From <= l.Number && l.Number <= s.To)
		}) {
			why := "reserved"
			if l.Why != layout.Reserved {
				why = causeNames[l.Why]
			}
			lost = append(lost, fmt.Sprintf("%s (%s)", room.PositionName(l.Row, l.Number), why))
		}
	}
	if lost == nil {
		return ""
	}
	return "; no rack can be at " + english.List(lost)
}

// checkTemplatePlaces returns an error about a rack of a template that is not at a position that the template states.
func (r *filled) checkTemplatePlaces() error {
	for i, place := range r.places {
		if r.f.racks[i].state.boxes == 0 {
			continue
		}
		t := r.f.placedTemplate(int32(i))
		if t == nil || slices.Contains(spanPositions(r.room, t.At), place) {
			continue
		}
		at := slices.IndexFunc(r.f.p.Templates, func(o Template) bool { return o.home() == t.home() })
		return diag.Fieldf(diag.Elem("Templates", at)+".At", "a rack %s stands at %s, as boxes that are given "+
			"places or have to stand apart take it there\nadd %s, or remove the positions", t.Name,
			r.room.Name(int(place)), r.room.Name(int(place)))
	}
	return nil
}

// align moves each rack to the position where most of its boxes are pinned, and racks of templates without pinned boxes
// to positions where no box is pinned. So the boxes of a rack stay together when racks are added to a machine, and new
// boxes fill racks that exist. It moves none without templates where all pinned boxes may be moved.
func (s *pinner) align() {
	locked := slices.ContainsFunc(s.p.Pins, func(p Pin) bool { return p.Locked })
	if len(s.p.Templates) == 0 && !locked || len(s.racks) == 0 {
		return
	}
	type vote struct{ rack, place int32 }
	votes := map[vote]int{}
	pinned := make([]bool, len(s.room.Places))
	for i := range s.p.Pins {
		pin := &s.p.Pins[i]
		place := s.room.Rows[pin.Row].Position[pin.Rack-1]
		pinned[place] = true
		votes[vote{s.spots[pin.Vertex].rack, place}] += s.weight(topology.KindOf(s.kinds, int(pin.Vertex)))
	}
	order := make([]vote, 0, len(votes))
	for v := range votes {
		order = append(order, v)
	}
	slices.SortFunc(order, func(a, b vote) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a.rack, b.rack), cmp.Compare(a.place, b.place))
	})
	stands, taken := make([]bool, len(s.racks)), make([]bool, len(s.room.Places))
	for _, v := range order {
		if !stands[v.rack] && !taken[v.place] && s.room.Places[v.place].Type == s.racks[v.rack].state.of {
			s.exchange(v.rack, v.place)
			stands[v.rack], taken[v.place] = true, true
		}
	}
	for r := range s.racks {
		if !stands[r] && pinned[s.places[r]] && s.p.templateOf(s.racks[r].home) != nil {
			if to := s.vacant(int32(r), pinned); to >= 0 {
				s.exchange(int32(r), to)
			}
		}
	}
}

// weight returns the weight of a pinned box of a kind in the votes of align: hardly any if several templates hold the
// kind, as the box then does not identify the template of its rack.
func (s *pinner) weight(kind int) int {
	n := 0
	for i := range s.p.Templates {
		if s.p.Templates[i].holds(kind) {
			n++
		}
	}
	if n > 1 {
		return 1
	}
	return math.MaxInt16
}

// exchange moves a rack to another position. A rack at that position takes the old one.
func (s *pinner) exchange(r, to int32) {
	from, other := s.places[r], s.rackAt[to]
	s.places[r], s.rackAt[to] = to, r
	if s.rackAt[from] = other; other >= 0 {
		s.places[other] = from
	}
	if other == r {
		s.rackAt[from] = r
	}
}

// vacant returns the free position nearest to a rack that has its type and no pinned box and, for a template with
// stated positions, is one of these; -1 if there is none. It adds rows if the room may grow.
func (s *pinner) vacant(r int32, pinned []bool) int32 {
	for {
		best, least := int32(-1), 0.0
		for place, other := range s.rackAt {
			t := s.placedTemplate(r)
			switch {
			case other >= 0 || place < len(pinned) && pinned[place],
				s.room.Places[place].Type != s.racks[r].state.of,
				t != nil && !slices.Contains(spanPositions(s.room, t.At), int32(place)):
				continue
			}
			away := math.Round(float64(s.room.Trays.Distance(s.places[r], int32(place))) * 1e6)
			if best < 0 || away < least {
				best, least = int32(place), away
			}
		}
		if best >= 0 || !s.grow() {
			return best
		}
	}
}

// seatIn finds a free seat for a kind in a rack of a template.
func (s *pinner) seatIn(r int32, kind int) (Seat, bool) {
	t := s.p.templateOf(s.racks[r].home)
	if t == nil {
		return Seat{}, false
	}
	if s.p.Kinds[kind].Class == Beside && int(s.racks[r].state.count[kind]) >= t.seats(kind) {
		return Seat{}, false
	}
	for _, seat := range t.Seats {
		if seat.Kind == kind && !s.racks[r].state.used.Overlaps(seat.Unit, s.p.Kinds[kind].Box.Units) {
			return seat, true
		}
	}
	return Seat{}, false
}

// firstOf returns the number of the first rack of a home, the number of all racks if there is none.
func (f *filler) firstOf(at home) int {
	if i := slices.IndexFunc(f.racks, func(r filledRack) bool { return r.home == at }); i >= 0 {
		return i
	}
	return len(f.racks)
}

// sitsIn reports whether a vertex may be in racks of a home.
func (f *filler) sitsIn(v int32, at home) bool {
	kind := topology.KindOf(f.kinds, int(v))
	if t := f.p.templateOf(at); t != nil && t.holds(kind) {
		return true
	}
	return f.p.Kinds[kind].home() == at
}
