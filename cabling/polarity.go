package cabling

import (
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
)

// Polarity is how the fibres of a cable with MPO plugs are laid from one end to the other: the types of TIA-568.3, A
// straight (key up at one end, key down at the other), B reversed (key up at both). Transceivers of several lanes send
// on the first fibres and receive on the last, so that between two of them, an odd number of cables has to be of type
// B.
type Polarity string

// The types.
const (
	Straight Polarity = "A"
	Reversed Polarity = "B"
)

// Polarities lists the methods by which links over panels keep their polarity. By method A the trunk and the cord at
// end A of the link are straight and the cord at its end B is reversed; adapters are of type A, key up to key down. By
// method B all three are reversed; adapters are of type B, key up to key up, in which angled plugs do not meet. Method
// C, whose trunks exchange the fibres of pairs, is for duplex links.
func Polarities() []string { return []string{string(Straight), string(Reversed)} }

// MultiFibre reports whether a connector is an MPO plug or another one with a row of fibres, such as MMC.
func MultiFibre(connector string) bool {
	return slices.ContainsFunc(multiFibre, func(family string) bool { return strings.HasPrefix(connector, family) })
}

// isAngled reports whether a connector is polished at an angle.
func isAngled(connector string) bool { return strings.HasSuffix(connector, "-apc") }

// PolarityMethod is the method by which links over a panel keep their polarity where none is asked for: B, by which all
// cables are alike, and A where plugs are angled. The part must be a panel.
func PolarityMethod(panel *catalog.Part) Polarity {
	if isAngled(panel.Panel.Connector) {
		return Straight
	}
	return Reversed
}

// Polarity is the type that the cable of a segment has to be of; "" of cables that have no MPO plugs at both ends.
func (s *Schedule) Polarity(seg *Segment) Polarity {
	if seg.Product < 0 {
		return ""
	}
	c := s.Products[seg.Product].Part.Cable
	if !c.Medium.Fibre() || !MultiFibre(c.Connector) || !MultiFibre(c.FarConnector()) {
		return ""
	}
	a, b := s.Panel(seg.A) >= 0, s.Panel(seg.B) >= 0
	if !a && !b || s.Patching.Method == Reversed || a && !b {
		return Reversed
	}
	return Straight
}
