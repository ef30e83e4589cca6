package verify

import (
	"fmt"

	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/identity"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// Misplaced is a box that a source has at another place than the plan, or a rack that is missing or of another height.
type Misplaced struct {
	What  string `json:"what"`  // the box or the rack
	Plan  string `json:"plan"`  // its rack and unit as planned, or the height of the rack
	Found string `json:"found"` // the same in the source
}

// comparePlaces compares the places of boxes, and the racks, with the plan of a room; in containers it does nothing.
// What a source leaves out counts as right: boxes without a rack, and positions of those that have one. Racks and boxes
// may be in different sources; of a rack in several, the last counts.
func (s *sight) comparePlaces(sources []*exchange.Wiring) {
	l := s.p.schedule.Placement.Layout
	if l.Room == nil {
		return
	}
	racks := map[string]*exchange.Rack{}
	partial := false
	for _, w := range sources {
		partial = partial || w.Partial && len(w.Racks) > 0
		for i := range w.Racks {
			racks[identity.Host(w.Racks[i].Name)] = &w.Racks[i]
		}
	}
	for _, w := range sources {
		for i := range w.Places {
			s.standsAt(&w.Places[i], racks)
		}
	}
	if len(racks) > 0 {
		s.compareRacks(racks, partial)
	}
}

// standsAt adds to places where a box is in another rack, unit or face than planned. A box that the plan does not have
// is a stranger. Racks, by name, say from which end the source counts units.
func (s *sight) standsAt(place *exchange.Place, racks map[string]*exchange.Rack) {
	l := s.p.schedule.Placement.Layout
	v := s.p.device(place.Box)
	if v < 0 {
		s.strange[place.Box] = true
		return
	}
	c, unit, rear := s.plannedPlace(v)
	if place.Rack == "" || c < 0 {
		return
	}
	rack := l.ContainerName(layout.RackLevel, c)
	at, half := place.Unit, place.Half
	if r := racks[identity.Host(place.Rack)]; r != nil {
		height := place.Height
		if height == 0 {
			height = s.height(v)
		}
		at, half = place.FromFloor(r, height)
	}
	face := ""
	if place.Face != "" && rear != (place.Face == "rear") {
		face = place.Face
	}
	same := identity.Host(place.Rack) == identity.Host(rack)
	if same && (at == 0 || at == unit && !half && face == "") {
		return
	}
	if at == 0 {
		unit = 0
	}
	planned, found := position(rack, unit, false), position(place.Rack, at, half)
	if same && at == unit && !half {
		planned, found = planned+" "+otherFace[face], found+" "+face
	}
	s.places = append(s.places, Misplaced{place.Box, planned, found})
}

// otherFace is the face of a rack that is not the one named.
var otherFace = map[string]string{"front": "rear", "rear": "front"}

// position returns the text of a place in a rack, "A03/U12"; unit 0 is the rack alone.
func position(rack string, unit int, half bool) string {
	switch {
	case unit == 0:
		return rack
	case half:
		return fmt.Sprintf("%s/U%02d.5", rack, unit)
	}
	return fmt.Sprintf("%s/U%02d", rack, unit)
}

// plannedPlace returns the number of the rack, the lowest unit and the face of a box or a panel in the plan; the rack
// is -1 for a box in none.
func (s *sight) plannedPlace(v int32) (rack int32, unit int, rear bool) {
	if i := s.p.schedule.Panel(v); i >= 0 {
		panel := &s.p.schedule.Patching.Panels[i]
		return panel.Rack, panel.Unit, false
	}
	l, slot := s.p.schedule.Placement.Layout, s.p.schedule.Placement.Slot[v]
	return l.Container(layout.RackLevel, slot), l.Unit(slot), l.Rear(slot)
}

// height returns how many rack units a box or a panel takes, at least 1.
func (s *sight) height(v int32) float64 {
	schedule := s.p.schedule
	if i := schedule.Panel(v); i >= 0 {
		return max(float64(schedule.Patching.Panels[i].Part.Units), 1)
	}
	return max(float64(schedule.Boxes[topology.KindOf(s.p.kinds, int(v))].Part.Units), 1)
}

// compareRacks adds to places the planned racks with boxes that the sources do not have, or have with another height.
// If partial, the sources list some racks only, and none is missing.
func (s *sight) compareRacks(racks map[string]*exchange.Rack, partial bool) {
	l := s.p.schedule.Placement.Layout
	seen := map[int32]bool{}
	for _, slot := range s.p.schedule.Placement.Slot {
		c := l.Container(layout.RackLevel, slot)
		if c < 0 || seen[c] {
			continue
		}
		seen[c] = true
		name, planned := l.ContainerName(layout.RackLevel, c), l.Room.Type(c).Units
		switch r := racks[identity.Host(name)]; {
		case r == nil && !partial:
			s.places = append(s.places, Misplaced{name, fmt.Sprintf("%d rack units", planned), "not there"})
		case r != nil && r.Units > 1 && r.Units != planned:
			s.places = append(s.places, Misplaced{
				name, fmt.Sprintf("%d rack units", planned), fmt.Sprintf("%d rack units", r.Units),
			})
		}
	}
}

// device returns the vertex of the box or panel with a name, -1 if there is none.
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
