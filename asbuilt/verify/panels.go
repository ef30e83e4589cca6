package verify

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/exchange"
)

// throughPanels is a wiring in which links lead from box to box: a cord, a position of a trunk and a cord that meet at
// the adapters of patch panels are one. A chain that ends at a panel is no link; a note tells where the first ends.
func (s *sight) throughPanels(w *exchange.Wiring) *exchange.Wiring {
	patching := s.p.schedule.Patching
	if patching == nil {
		return w
	}
	called := map[string]bool{}
	for i := range patching.Panels {
		called[folded(s.p.schedule.Device(patching.Vertex(int32(i))))] = true
	}
	panel := make([]bool, len(w.Boxes))
	for i := range w.Boxes {
		panel[i] = called[folded(w.Boxes[i].Name)]
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
			out.Links = append(out.Links, exchange.Link{A: near, B: far, Rate: l.Rate, Line: l.Line})
		}
	}
	return &out
}

// behind is the other side of an adapter of a panel: 3R is the rear of 3.
func behind(port string) string {
	if front, ok := strings.CutSuffix(strings.ToUpper(port), "R"); ok {
		return front
	}
	return port + "R"
}
