package verify

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/elevation"
	"github.com/plenum-planner/plenum/render/route"
)

// kinds are those of differences in the order of legends, as drawn has them.
var kinds = []Kind{Missing, Extra, Swapped, Rotated, WrongPort, WrongBox, WrongProduct, "slow", "unclear"}

// drawn is what a kind is called in drawings, which have few colours: links that are slow or have errors, and what has
// to be looked at first, are one each.
func drawn(k Kind) Kind {
	switch k {
	case WrongPolarity:
		return WrongProduct
	case WrongRate, WrongWidth, Degraded:
		return "slow"
	case Conflict, UnknownPort, NotIdentified:
		return "unclear"
	}
	return k
}

// Floor is the differences for a drawing of the floor: of the racks of a room, and none of boxes that the plan does not
// have.
func (r *Result) Floor() *route.Faults {
	s := r.sight
	out := &route.Faults{Count: len(r.Differences), Unknown: r.Unknown, Racks: map[int32]int{}}
	type line struct {
		kind    Kind
		planned bool
		a, b    int32
	}
	at := map[line]int{}
	for i := range r.faults {
		f := &r.faults[i]
		racks := map[int32]bool{}
		add := func(planned bool, a, b int32) {
			pa, pb := s.rack(a), s.rack(b)
			for _, place := range []int32{pa, pb} {
				if place >= 0 {
					racks[place] = true
				}
			}
			if pa < 0 || pb < 0 || planned && s.between(f) { // its line is that of the found one
				return
			}
			key := line{drawn(f.kind), planned, min(pa, pb), max(pa, pb)}
			k, ok := at[key]
			if !ok {
				k = len(out.Lines)
				at[key] = k
				out.Lines = append(out.Lines, route.FaultLine{
					Kind: string(key.kind), Planned: planned, A: key.a, B: key.b,
				})
			}
			out.Lines[k].Links++
		}
		for _, l := range f.plan {
			add(true, s.p.links[l].a, s.p.links[l].b)
		}
		for _, x := range f.found {
			add(false, s.links[x].a, s.links[x].b)
		}
		for _, c := range f.claims {
			add(false, c.a, c.b)
		}
		for place := range racks {
			out.Racks[place]++
		}
	}
	for _, k := range kinds {
		out.Kinds = append(out.Kinds, string(k))
	}
	return out
}

// between reports whether a fault is one link between the planned ports, which is only not made as planned.
func (s *sight) between(f *fault) bool {
	switch f.kind {
	case WrongProduct, WrongPolarity, WrongRate, WrongWidth, Degraded:
		return true
	}
	return false
}

// rack is the rack position of a port, -1 where it has none.
func (s *sight) rack(port int32) int32 {
	l := s.p.schedule.Placement.Layout
	if int(port) >= len(s.p.planned) || l.Room == nil {
		return -1
	}
	return l.Container(layout.RackLevel, s.p.schedule.Placement.Slot[s.p.vertex(port)])
}

// Marks returns a mark for every port that differs, with what is there and what belongs there: rack by rack, in each
// from the top. Boxes without a rack have none. The list is never nil.
func (r *Result) Marks() []elevation.Mark {
	s := r.sight
	out := []elevation.Mark{}
	for i := range r.faults {
		f := &r.faults[i]
		seen := map[int32]bool{}
		for _, port := range f.ports {
			place := s.rack(port)
			if place < 0 || seen[port] {
				continue
			}
			seen[port] = true
			v := s.p.vertex(port)
			e := s.p.end(port)
			out = append(out, elevation.Mark{
				Place: int(place), Unit: s.p.schedule.Placement.Layout.Unit(s.p.schedule.Placement.Slot[v]),
				Box: e.Box, Port: e.Port, Kind: string(f.kind), Text: s.saying(f, port),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b elevation.Mark) int {
		if a.Place != b.Place {
			return a.Place - b.Place
		}
		return b.Unit - a.Unit
	})
	return out
}

// saying says what is in a port of a fault and what belongs there; of a link between the planned ports, how it differs.
func (s *sight) saying(f *fault, port int32) string {
	is, planned := "is empty", "planned: nothing"
	switch f.kind {
	case WrongProduct:
		return fmt.Sprintf("%s: is %s, planned %s", s.p.cableName(f.plan[0]), s.links[f.found[0]].product,
			s.product(f.plan[0]))
	case WrongPolarity:
		return fmt.Sprintf("%s: is of type %s, planned %s", s.p.cableName(f.plan[0]),
			s.typesFound(f.plan[0], f.found[0]), s.p.links[f.plan[0]].polarity)
	case WrongRate, WrongWidth:
		x := &s.links[f.found[0]]
		return fmt.Sprintf("%s: is %g Gb/s over %s, planned %g Gb/s", s.p.cableName(f.plan[0]),
			float64(x.rate)*float64(x.lanes), english.Count(x.lanes, "lane"), float64(s.rate(f.plan[0])))
	case Degraded:
		return fmt.Sprintf("%s: has %s", s.p.cableName(f.plan[0]),
			english.Count(s.links[f.found[0]].errors, "error"))
	case Conflict:
		var said []string
		for _, c := range f.claims {
			if c.a == port || c.b == port {
				far := s.end(c.a + c.b - port)
				said = append(said, far.Box+" "+far.Port)
			}
		}
		is = "is said to be " + english.List(said)
	}
	if x := s.at[port]; x >= 0 {
		far := s.end(s.links[x].other(port))
		is = fmt.Sprintf("is %s %s", far.Box, far.Port)
	}
	if l := s.plannedAt(port); l >= 0 {
		far := s.end(s.p.links[l].other(port))
		planned = fmt.Sprintf("planned %s %s, %s", far.Box, far.Port, s.p.cableName(l))
	}
	return is + "; " + planned
}
