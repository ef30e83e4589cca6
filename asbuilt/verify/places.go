package verify

import (
	"fmt"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/layout"
)

// Misplaced is a box or a rack of which a source tells something else than the plan.
type Misplaced struct {
	What  string `json:"what"`  // the box or the rack
	Plan  string `json:"plan"`  // where it stands as planned, or how high the rack is
	Found string `json:"found"` // the same in the source
}

// stand holds where boxes stand, and the racks that there are, against the plan. What a source does not tell is right:
// boxes without a rack, and positions of those that have one.
func (s *sight) stand(w *exchange.Wiring) {
	l := s.p.schedule.Placement.Layout
	if l.Room == nil {
		return
	}
	where := func(rack string, unit int) string {
		if unit > 0 {
			return fmt.Sprintf("%s/U%02d", rack, unit)
		}
		return rack
	}
	for _, place := range w.Places {
		v := s.p.device(place.Box)
		if v < 0 {
			s.strange[place.Box] = true
			continue
		}
		slot := s.p.schedule.Placement.Slot[v]
		if l.Container(layout.RackLevel, slot) < 0 {
			continue
		}
		rack, unit := l.ContainerName(layout.RackLevel, l.Container(layout.RackLevel, slot)), l.Unit(slot)
		same := identity.Host(place.Rack) == identity.Host(rack)
		if place.Rack == "" || same && (place.Unit == 0 || place.Unit == unit) {
			continue
		}
		if place.Unit == 0 {
			unit = 0
		}
		s.places = append(s.places, Misplaced{place.Box, where(rack, unit), where(place.Rack, place.Unit)})
	}
	if len(w.Racks) == 0 {
		return
	}
	units := map[string]int{}
	for _, r := range w.Racks {
		units[identity.Host(r.Name)] = max(r.Units, 1)
	}
	seen := map[int32]bool{}
	for _, slot := range s.p.schedule.Placement.Slot {
		c := l.Container(layout.RackLevel, slot)
		if c < 0 || seen[c] {
			continue
		}
		seen[c] = true
		name, planned := l.ContainerName(layout.RackLevel, c), l.Room.Type(c).Units
		switch n, ok := units[identity.Host(name)]; {
		case !ok:
			s.places = append(s.places, Misplaced{name, fmt.Sprintf("%d rack units", planned), "not there"})
		case n > 1 && n != planned:
			s.places = append(s.places, Misplaced{
				name, fmt.Sprintf("%d rack units", planned),
				fmt.Sprintf("%d rack units", n),
			})
		}
	}
}

// device is the box or panel of a name, -1 where there is none.
func (p *Plan) device(name string) int32 {
	if v := p.called(name); v >= 0 {
		return v
	}
	patching := p.schedule.Patching
	if patching == nil {
		return -1
	}
	for i := range patching.Panels {
		if v := patching.Vertex(int32(i)); identity.Host(p.schedule.Device(v)) == identity.Host(name) {
			return v
		}
	}
	return -1
}
