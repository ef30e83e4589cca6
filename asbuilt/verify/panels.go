package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/topology"
)

// throughPanels is a wiring in which links lead from box to box: a cord, a position of a trunk and a cord that meet at
// the adapters of patch panels are one. A chain that ends at a panel is not a link; a note tells where the first ends.
func (s *sight) throughPanels(w *exchange.Wiring) *exchange.Wiring {
	patching := s.p.schedule.Patching
	if patching == nil {
		return w
	}
	panel := make([]bool, len(w.Boxes))
	for i := range w.Boxes {
		panel[i] = s.panels[identity.Host(w.Boxes[i].Name)]
	}
	if !slices.Contains(panel, true) { // as in all sources but one, of which there may be one for every host
		return w
	}
	if len(patching.Shuffles) > 0 {
		return s.throughShuffles(w, panel)
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
		types := []string{l.Polarity}
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
			types = append(types, w.Links[next].Polarity)
			if far = w.Links[next].A; far == behind {
				far = w.Links[next].B
			}
		}
		if !panel[far.Box] {
			l.A, l.B, l.Product, l.Polarity = near, far, "", strings.Join(types, ",")
			out.Links = append(out.Links, l)
		}
	}
	return &out
}

// together returns the sources in their order, with all that name a panel joined to one in the place of the first, as
// cords may be in one file and trunks in another. It sets panels.
func (s *sight) together(sources []*exchange.Wiring) []*exchange.Wiring {
	patching := s.p.schedule.Patching
	if patching == nil {
		return sources
	}
	s.panels = s.p.panelNames()
	var joined *exchange.Wiring
	at := map[string]int{} // boxes of joined, by name
	var out []*exchange.Wiring
	for _, w := range sources {
		if !slices.ContainsFunc(w.Boxes, func(b exchange.Box) bool { return s.panels[identity.Host(b.Name)] }) {
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

// panelNames are the names of patch panels, as identity.Host writes them.
func (p *Plan) panelNames() map[string]bool {
	patching := p.schedule.Patching
	called := map[string]bool{}
	for i := range patching.Panels {
		called[identity.Host(p.schedule.Device(patching.Vertex(int32(i))))] = true
	}
	return called
}

// behind returns the port on the other side of an adapter of a panel: 3R, the rear, for 3, and 3 for 3R.
func behind(port string) string {
	if front, ok := strings.CutSuffix(strings.ToUpper(port), "R"); ok {
		return front
	}
	return port + "R"
}

// share is a part of the plug of a cord in an adapter of a panel of shuffles.
type share struct {
	panel   int32
	adapter uint16
	part    int
}

// shares finds where each part of each plug at a shuffle leads by the plan, and which part each port of a box is.
func (p *Plan) shares() (leads map[share]share, parts map[[2]int32]int) {
	s := p.schedule
	leads, parts = map[share]share{}, map[[2]int32]int{}
	for i := range s.Segments {
		last := &s.Segments[i]
		if s.Panel(last.A) < 0 {
			continue
		}
		first := &s.Segments[i-1]
		var ends [2]share
		for end, cord := range [2]*cabling.Segment{first, last} {
			part, _ := s.LaneShare(cord)
			v, port, panel, adapter := cord.A, cord.PortA, cord.B, cord.PortB
			if end == 1 {
				v, port, panel, adapter = cord.B, cord.PortB, cord.A, cord.PortA
			}
			ends[end] = share{int32(s.Panel(panel)), adapter, part}
			parts[[2]int32{v, int32(port)}] = part
		}
		leads[ends[0]], leads[ends[1]] = ends[1], ends[0]
	}
	return leads, parts
}

// throughShuffles is a wiring in which two cords that a shuffle joins are one link. A cord whose other end is not
// known, or of which the source does not say in which port of a box it is, is not a link; a note tells of the first.
func (s *sight) throughShuffles(w *exchange.Wiring, panel []bool) *exchange.Wiring {
	leads, parts := s.p.shares()
	out := *w
	out.Links = nil
	at := map[share]int{} // the link whose cord is there
	of := make([]share, len(w.Links))
	ending := 0
	end := func(near exchange.End, why string) {
		if ending++; ending == 1 {
			s.notes = append(s.notes, fmt.Sprintf("%s: what leads from %s %s %s", w.Source, w.Boxes[near.Box].Name,
				near.Port, why))
		}
	}
	near := make([]exchange.End, len(w.Links))
	for i, l := range w.Links {
		of[i].part = -1
		a, b := l.A, l.B
		if panel[a.Box] {
			a, b = b, a
		}
		if panel[a.Box] { // between panels
			continue
		}
		if near[i] = a; !panel[b.Box] {
			out.Links = append(out.Links, l)
			continue
		}
		v, to := s.p.called(w.Boxes[a.Box].Name), s.p.device(w.Boxes[b.Box].Name)
		port := int32(-1)
		if v >= 0 {
			port = s.findPort(v, a.Port)
		}
		part, ok := parts[[2]int32{v, port}]
		adapter, err := strconv.Atoi(b.Port)
		if port < 0 || !ok || err != nil || to < 0 {
			end(a, fmt.Sprintf("to %s %s is not identified", w.Boxes[b.Box].Name, b.Port))
			continue
		}
		of[i] = share{int32(s.p.schedule.Panel(to)), uint16(adapter - 1), part}
		at[of[i]] = i
	}
	for i, l := range w.Links {
		if of[i].part < 0 {
			continue
		}
		to, ok := leads[of[i]]
		other, there := at[to]
		if !ok || !there || leads[of[other]] != of[i] {
			end(near[i], "ends at a shuffle")
			continue
		}
		if i < other {
			l.A, l.B, l.Product = near[i], near[other], ""
			l.Polarity += "," + w.Links[other].Polarity
			out.Links = append(out.Links, l)
		}
	}
	return &out
}

// findPort is the number of the port of a box, from 0 in that box, that has the printed name; -1 where none has it.
func (s *sight) findPort(v int32, name string) int32 {
	box := s.p.schedule.Boxes[topology.KindOf(s.p.kinds, int(v))]
	for i := range box.Ports {
		if identity.Key(box.Ports[i].Name) == identity.Key(name) ||
			identity.Key(box.Ports[i].Identity().Label) == identity.Key(name) {
			return int32(i)
		}
	}
	return -1
}
