package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
)

// throughPanels is a wiring in which links lead from box to box: a cord, a position of a trunk and a cord that meet at
// the adapters of patch panels are one. A chain that ends at a panel is no link; a note tells where the first ends.
func (s *sight) throughPanels(w *exchange.Wiring) *exchange.Wiring {
	patching := s.p.schedule.Patching
	if patching == nil {
		return w
	}
	called := s.panels()
	panel := make([]bool, len(w.Boxes))
	for i := range w.Boxes {
		panel[i] = called[identity.Host(w.Boxes[i].Name)]
	}
	at := map[exchange.End]int{} // the link in a port of a panel
	for i, l := range w.Links {
		for _, e := range []exchange.End{l.A, l.B} {
			if panel[e.Box] {
				at[e] = i
			}
		}
	}
	out := *w
	out.Links = nil
	used := make([]bool, len(w.Links))
	ending := 0
	for i, l := range w.Links {
		near, far := l.A, l.B
		if panel[near.Box] {
			near, far = far, near
		}
		switch {
		case panel[near.Box] || used[i]: // between panels, or the end of a chain
			continue
		case !panel[far.Box]:
			out.Links = append(out.Links, l)
			continue
		}
		used[i] = true
		for panel[far.Box] {
			behind := exchange.End{Box: far.Box, Port: behind(far.Port)}
			next, ok := at[behind]
			if !ok || used[next] {
				if ending++; ending == 1 {
					s.notes = append(s.notes, fmt.Sprintf("%s: what leads from %s %s ends at %s %s", w.Source,
						w.Boxes[near.Box].Name, near.Port, w.Boxes[far.Box].Name, behind.Port))
				}
				break
			}
			used[next] = true
			if far = w.Links[next].A; far == behind {
				far = w.Links[next].B
			}
		}
		if !panel[far.Box] {
			l.A, l.B, l.Product = near, far, ""
			out.Links = append(out.Links, l)
		}
	}
	return &out
}

// together is the sources, those that name panels as one: cords may stand in one file, and trunks in another.
func (s *sight) together(sources []*exchange.Wiring) []*exchange.Wiring {
	patching := s.p.schedule.Patching
	if patching == nil {
		return sources
	}
	called := s.panels()
	var joined *exchange.Wiring
	at := map[string]int{} // boxes of joined, by name
	var out []*exchange.Wiring
	for _, w := range sources {
		if !slices.ContainsFunc(w.Boxes, func(b exchange.Box) bool { return called[identity.Host(b.Name)] }) {
			out = append(out, w)
			continue
		}
		if joined == nil {
			joined = &exchange.Wiring{Source: w.Source}
			out = append(out, joined)
		}
		of := make([]int, len(w.Boxes))
		for i, b := range w.Boxes {
			n, ok := at[identity.Host(b.Name)]
			if !ok {
				n = len(joined.Boxes)
				at[identity.Host(b.Name)] = n
				joined.Boxes = append(joined.Boxes, b)
			}
			joined.Boxes[n].Listed = joined.Boxes[n].Listed || b.Listed
			of[i] = n
		}
		joined.Notes = append(joined.Notes, w.Notes...)
		joined.Places, joined.Racks = append(joined.Places, w.Places...), append(joined.Racks, w.Racks...)
		for _, l := range w.Links {
			l.A.Box, l.B.Box = of[l.A.Box], of[l.B.Box]
			joined.Links = append(joined.Links, l)
		}
		for _, l := range w.Absent {
			l.A.Box, l.B.Box = of[l.A.Box], of[l.B.Box]
			joined.Absent = append(joined.Absent, l)
		}
	}
	return out
}

// panels is the names of patch panels, as folded writes them.
func (s *sight) panels() map[string]bool {
	patching := s.p.schedule.Patching
	called := map[string]bool{}
	for i := range patching.Panels {
		called[identity.Host(s.p.schedule.Device(patching.Vertex(int32(i))))] = true
	}
	return called
}

// behind is the other side of an adapter of a panel: 3R is the rear of 3.
func behind(port string) string {
	if front, ok := strings.CutSuffix(strings.ToUpper(port), "R"); ok {
		return front
	}
	return port + "R"
}
