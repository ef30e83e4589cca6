package cabling

import (
	"strconv"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Structured cabling, as TIA-568 and TIA-942 have it: a link between two racks is
// a patch cord from its box to a panel at the top of the rack, a position of a
// trunk from that panel to one in the other rack, and a patch cord to the other
// box. A trunk has several positions, and carries links of one level between the
// same two racks.

// Structured says which links run over panels. They have to leave their rack, and
// the media rule that decides for one cable between their boxes has to allow the
// fibre; links for which it does not, or whose ports take no optic with the plug
// of the panel that reaches so far, keep a cable of their own.
type Structured struct {
	Levels  []string // names of topology levels; any when empty
	Beyond  string   // name of the layout level that the link leaves
	AtLeast int      // links of a level between two racks; fewer keep cables of their own
	// Panel and Trunk are chosen when nil: the panel for which most links have
	// optics that reach, and of those the one with the cheapest; for each pair of
	// racks the smallest trunk that holds its links, else the largest.
	Panel, Trunk *catalog.Part
	// PanelsOf are other panels by the names of racks: what differs from Panel is how the fibres of cassettes lead.
	PanelsOf map[string]*catalog.Part
	// Method is how links keep their polarity, PolarityMethod of the panel when empty.
	Method Polarity
	// Spare is the positions that are kept free in every trunk, in per cent of
	// those that may be used.
	Spare float64
}

// Patching is the panels of a schedule, and the trunks between them or the shuffles in them. Run makes it; a zero
// Patching is not usable, as it has no panel.
type Patching struct {
	Part   *catalog.Part // of all patch panels but Structured.PanelsOf; of the first panel of shuffles
	Method Polarity      // by which links keep their polarity
	Panels []Panel       // by rack, the highest first
	Trunks []Trunk       // by the racks that they join
	// Shuffles are the modules of panels that lead the lanes of plugs to others, in place of trunks, in the order of
	// their first links.
	Shuffles []Shuffle
	// Octopus says that octopus cables meet in the panels, in place of trunks: at the front of an adapter the leg of
	// the one at end A of its link, at the rear that of the one at end B.
	Octopus bool
	Links   int64 // that run over panels
	Kept    int64 // links that were selected and keep cables of their own
	// Loss is the most that a link loses on its fibre and in its panels, of those that state it.
	Loss units.Loss
	// Unstated says that a part of some link states no attenuation, loss or
	// budget, so that what it loses is not known.
	Unstated bool

	// lanes is the number of lanes of each link over trunks, -1 where they differ or it is not known.
	lanes  int
	first  int32 // the number of the first panel, after those of all vertices
	digits int
	boxes  map[*catalog.Part]panelBox
}

// panelBox is where the adapters of a panel are.
type panelBox struct {
	fronts *layout.Box // whose ports are the fronts of the adapters
	middle layout.Point
}

// Panel is a patch panel in a rack.
type Panel struct {
	Rack  int32 // rack position
	Unit  int   // lowest rack unit
	Part  *catalog.Part
	Ports int // adapters at which a trunk ends, or that shuffles take
	Links int // of them in use
}

// Trunk is a cable of several positions between two panels, A in the rack of the
// lower number.
type Trunk struct {
	A, B         int32 // index in Panels
	PortA, PortB uint16
	Part         *catalog.Part
	Links        uint16 // positions in use
	Product      int16
	Cable        int32
	bundle       int32
	length       units.Length
}

// Panel returns the index in Patching.Panels of the panel of that number, -1 for
// a vertex. Panels are numbered after all vertices.
func (s *Schedule) Panel(v int32) int {
	if s.Patching == nil || v < s.Patching.first {
		return -1
	}
	return int(v - s.Patching.first)
}

// MatedPairs returns how many pairs of plugs meet in the panels, and in how many a link meets between its transceivers.
func (p *Patching) MatedPairs() (pairs int64, ofLink int) {
	for i := range p.Panels {
		pairs += int64(p.Panels[i].Links * p.Panels[i].Part.Panel.Passes())
	}
	switch {
	case len(p.Panels) == 0:
	case p.Octopus:
		ofLink = 1
	default: // two panels, or two adapters of a shuffle
		ofLink = 2 * p.Part.Panel.Passes()
	}
	return pairs, ofLink
}

// Vertex is the number of a panel: what Schedule.Panel finds its index from.
func (p *Patching) Vertex(panel int32) int32 { return p.first + panel }

// Positions is the number of links for which a trunk has positions.
func (p *Patching) Positions(trunk *catalog.Part) int { return positionsOf(trunk, p.Part.Panel) }

func positionsOf(trunk *catalog.Part, panel *catalog.Panel) int {
	return trunk.Cable.Legs * panel.Fronts()
}

// Dark is the number of fibres of all trunks, and of those of them that carry no light; -1 where that is not known, as
// transceivers have no fibre for each lane.
func (p *Patching) Dark() (fibres, dark int64) {
	for i := range p.Trunks {
		c := p.Trunks[i].Part.Cable
		n := positions(c.Connector)
		if c.Fibres > 0 {
			n = c.Fibres
		}
		fibres += int64(c.Legs * n)
	}
	if p.lanes <= 0 {
		return fibres, -1
	}
	return fibres, fibres - p.Links*int64(2*p.lanes)
}

// FarPosition is the position at the other end of a trunk, counted from its first adapter there, to which a position at
// one end leads, from 0.
func (p *Patching) FarPosition(position uint16) uint16 {
	panel := p.Part.Panel
	if panel.Cassette == nil {
		return position
	}
	front := int(position) % panel.Fronts()
	return position - uint16(front) + uint16(farAdapter(p.Method, panel, front))
}

// Rear is the port behind an adapter, from 0, where a trunk ends.
func (p *Patching) Rear(adapter uint16) uint16 { return adapter + uint16(p.Part.Panel.Ports) }

// Continues reports whether a segment goes on with the channel of the one before it in the schedule: the trunk and the
// second cord of a link over panels do, and the second cord of one over a shuffle.
func (s *Schedule) Continues(seg *Segment) bool { return s.Panel(seg.A) >= 0 }

// PlugPort is the port by which the plug at a port of a panel is called: that of the first adapter to which it leads
// for those at the rear of cassettes.
func (s *Schedule) PlugPort(v int32, port uint16) uint16 {
	i := s.Panel(v)
	if i < 0 || s.Patching.Part.Panel.Cassette == nil {
		return port
	}
	panel := s.Patching.Panels[i].Part.Panel
	if rear := int(port) - panel.Ports; rear >= 0 {
		return port - uint16(rear%panel.Fronts())
	}
	return port
}

// portName is the name of an adapter of a panel, from 0: its number, with an R
// for its rear, where trunks end.
func (p *Patching) portName(port uint16) string {
	if n := int(port) - p.Part.Panel.Ports; n >= 0 && len(p.Shuffles) == 0 {
		return strconv.Itoa(n+1) + "R"
	}
	return strconv.Itoa(int(port) + 1)
}

// PortNames are the names of the ports of a panel: the fronts of the adapters,
// then their rears. Shuffles have no rears; of several parts, it is the names of the one with the most adapters.
func (p *Patching) PortNames() []string {
	n := 0
	for i := range p.Panels {
		n = max(n, p.Panels[i].Part.Panel.Ports)
	}
	if len(p.Shuffles) == 0 {
		n = 2 * p.Part.Panel.Ports
	}
	out := make([]string, n)
	for i := range out {
		out[i] = p.portName(uint16(i))
	}
	return out
}

// at is where a port of a panel is. A trunk is measured from the middle of the
// panel, where it is held; its legs fan out from there.
func (p *Patching) at(panel int, port uint16) layout.Point {
	part := p.Panels[panel].Part
	box := p.boxes[part]
	if n := part.Panel.Ports; int(port) >= n {
		if p.Octopus {
			return box.fronts.Port(int(port) - n)
		}
		return box.middle
	}
	return box.fronts.Port(int(port))
}
