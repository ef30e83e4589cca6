package cabling

import (
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
)

// Polarity is how the fibres of a cable are laid from one end to the other. Cables with MPO plugs are of the types of
// TIA-568.3: A straight (key up at one end, key down at the other), B reversed (key up at both), C with the fibres of
// each pair exchanged (key up at one end, key down at the other). Transceivers of several lanes send on the first
// fibres and receive on the last, so that between two of them, an odd number of cables has to be of type B. Duplex
// patch cords are A-to-B, or A-to-A, which does not exchange the fibres of a pair.
type Polarity string

// The types.
const (
	Straight Polarity = "A"
	Reversed Polarity = "B"
	Flipped  Polarity = "C"
	Crossed  Polarity = "A-to-B"
	Parallel Polarity = "A-to-A"
)

// Describe says what a type of MPO cables is like; "" of the types of duplex cords.
func (p Polarity) Describe() string {
	switch p {
	case Straight:
		return "straight, key up to key down"
	case Reversed:
		return "reversed, key up to key up"
	case Flipped:
		return "pairs exchanged, key up to key down"
	}
	return ""
}

// far is the position at the far end of the fibre at a position of the plug at the near end, of n.
func (p Polarity) far(at, n int) int {
	switch p {
	case Reversed, Crossed:
		return n + 1 - at
	case Flipped:
		return (at - 1) ^ 1 + 1
	}
	return at
}

// Polarities lists the methods by which links over panels keep their polarity, in the order of their names. Between MPO
// panels, by method A the trunk and the cord at end A of the link are straight and the cord at its end B is reversed;
// by method B all three are reversed; by method C the trunk and the cord at end A exchange the fibres of pairs, and the
// cord at end B is reversed. Adapters are of type A, key up to key down, by methods A and C, and of type B, key up to
// key up, by method B: angled plugs do not meet in these. Duplex cords are A-to-B, but by method A the cord at end B is
// A-to-A.
func Polarities() []string { return []string{string(Straight), string(Reversed), string(Flipped)} }

// MultiFibre reports whether a connector is an MPO plug or another one with a row of fibres, such as MMC.
func MultiFibre(connector string) bool { return catalog.Positions(connector) > 0 }

// isAngled reports whether a connector is polished at an angle.
func isAngled(connector string) bool { return strings.HasSuffix(connector, "-apc") }

// PolarityMethod is the method by which links over a panel keep their polarity where none is asked for: B, by which all
// cables are alike; where plugs in MPO adapters are angled A, or C where all cords are A-to-B by that. It is one of
// those by which fibres arrive. The part must be a panel.
func PolarityMethod(panel *catalog.Part) Polarity {
	order := []Polarity{Reversed, Flipped, Straight}
	if hasAngled(panel.Panel) {
		order = []Polarity{Straight, Flipped, Reversed}
		if !MultiFibre(panel.Panel.Connector) {
			order = []Polarity{Flipped, Straight, Reversed}
		}
	}
	for _, method := range order {
		if Joins(method, panel.Panel) {
			return method
		}
	}
	return order[0]
}

// hasAngled reports whether angled plugs with a row of fibres meet in the adapters of a panel.
func hasAngled(p *catalog.Panel) bool {
	return slices.ContainsFunc([]string{p.Connector, p.RearConnector()},
		func(c string) bool { return MultiFibre(c) && isAngled(c) })
}

// Joins reports whether the fibres of all adapters of two panels of a part meet by a method: those of an adapter lead
// to one adapter of the other panel, and arrive where the transceiver there receives what they carry.
func Joins(method Polarity, panel *catalog.Panel) bool {
	n := positions(panel.Connector)
	share := n
	if panel.Cassette != nil {
		share = panel.Cassette.Share()
	}
	for front := range panel.Fronts() {
		for lane := 1; lane <= share/2; lane++ {
			p := passage{method: method, panels: [2]*catalog.Panel{panel, panel}, adapter: front}
			at, ok := p.follow(lane)
			if !ok || at[len(at)-1] != n+1-lane || p.adapter != farAdapter(method, panel, front) {
				return false
			}
			p.back = true
			if at, ok = p.follow(lane); !ok || at[len(at)-1] != n+1-lane || p.adapter != front {
				return false
			}
		}
	}
	return true
}

// farAdapter is the adapter, counted like front from the first of a cassette, to which the first fibre of an adapter
// leads from a panel to another one of the same part.
func farAdapter(method Polarity, panel *catalog.Panel, front int) int {
	p := passage{method: method, panels: [2]*catalog.Panel{panel, panel}, adapter: front}
	if _, ok := p.follow(1); !ok {
		return front
	}
	return p.adapter
}

// positions is the number of positions of a plug: two of a plug that has no row of fibres.
func positions(plug string) int {
	if n := catalog.Positions(plug); n > 0 {
		return n
	}
	return 2
}

// cordType is the type of a cord to a panel of some connector by a method, at end A or end B of its link.
func (p *Patching) cordType(atB bool) Polarity {
	panel := p.Part.Panel
	switch {
	case MultiFibre(panel.Connector):
		if atB {
			return Reversed
		}
		return p.Method
	case atB && p.Method == Straight && panel.Cassette != nil:
		return Parallel
	}
	return Crossed
}

// Polarity is the type that the cable of a segment has to be of; "" of cables of which none is meant: those with plugs
// of one kind at one end only, and duplex cords that end at no panel with trunks.
func (s *Schedule) Polarity(seg *Segment) Polarity {
	if seg.Product < 0 {
		return ""
	}
	c := s.Products[seg.Product].Part.Cable
	if !c.Medium.Fibre() {
		return ""
	}
	a, b := s.Panel(seg.A) >= 0, s.Panel(seg.B) >= 0
	trunks := (a || b) && len(s.Patching.Trunks) > 0
	switch {
	case !MultiFibre(c.Connector) && !MultiFibre(c.FarConnector()) && trunks:
		if a && b {
			return Crossed
		}
		return s.Patching.cordType(a)
	case !MultiFibre(c.Connector) || !MultiFibre(c.FarConnector()):
		return ""
	case (a || b) && s.Patching.Octopus:
		if a && isAngled(s.Patching.Part.Panel.Connector) {
			return Reversed
		}
		return Straight
	case !trunks:
		return Reversed
	case a && b:
		return s.Patching.Method
	}
	return s.Patching.cordType(a)
}
