package cabling

import (
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/topology"
)

// Strand is one fibre of a link from its transmitter to its receiver.
type Strand struct {
	Lane int  // of the link, from 1
	Back bool // it leads from B to A
	// At are the positions of the fibre in the plugs and adapters that it passes, from that of the transmitter to that
	// of the receiver: one for each end of each cable of the link.
	At []int
	// Lost says where the fibre leads in place of the receiver; "" of one that arrives. At ends there.
	Lost string
}

// A transceiver with an MPO plug of n fibres sends lane k by fibre k and receives it by fibre n+1-k: four lanes of
// twelve fibres send by 1 to 4 and receive by 12 to 9 (IEEE Std 802.3, figure of the MDI of DR4 and SR4).

// Strands follows every fibre of a link from end to end: way is its segments in order, as Explanation.Ways has them. It
// lists for each lane the fibre from A to B, then that back. It is nil where plugs have no fibres of their own for each
// lane, where the ends differ in lanes, and where a cable is missing.
func (s *Schedule) Strands(way []Segment) []Strand {
	if len(way) == 3 {
		return s.overTrunk(way)
	}
	first, last := &way[0], &way[len(way)-1]
	if first.Product < 0 || last.Product < 0 {
		return nil
	}
	opticA, opticB := s.Products[first.Product].OpticA, s.Products[last.Product].OpticB
	if opticA == nil || opticB == nil {
		return nil
	}
	n := catalog.Positions(opticA.Optic.Plug)
	laneA, lanes := s.lanesOf(first.A, first.PortA, opticA)
	laneB, lanesB := s.lanesOf(last.B, last.PortB, opticB)
	if n == 0 || n != catalog.Positions(opticB.Optic.Plug) || lanes != lanesB || lanes == 0 ||
		2*opticA.Optic.Lanes() > n {
		return nil
	}
	var out []Strand
	for lane := range lanes {
		a, b := laneA+lane+1, laneB+lane+1
		forward, ok := s.follow(way, a, n, a, b, lanes, false)
		if !ok {
			return nil
		}
		back, ok := s.follow(way, b, n, a, b, lanes, true)
		if !ok {
			return nil
		}
		out = append(out, Strand{Lane: lane + 1, At: forward}, Strand{Lane: lane + 1, Back: true, At: back})
	}
	return out
}

// DarkPositions lists the positions, from 1, of the plug of the transceiver at end A of a way that carry no light:
// those between what it sends and what it receives by. It is nil where there are none, or no transceiver.
func (s *Schedule) DarkPositions(way []Segment) []int {
	first := &way[0]
	if first.Product < 0 || s.Products[first.Product].OpticA == nil {
		return nil
	}
	o := s.Products[first.Product].OpticA.Optic
	n, lanes := catalog.Positions(o.Plug), o.Lanes()
	var out []int
	for at := lanes + 1; lanes > 0 && at <= n-lanes; at++ {
		out = append(out, at)
	}
	return out
}

// Positions of the fibres of a duplex plug. A transceiver's lane is sent by position A of the leg of an octopus cable
// and received by B; adapters join A to B, as TIA-568.3 has duplex links.
const (
	sentBy     = 1
	receivedBy = 2
)

// followOctopus lists the positions of a fibre of n through two octopus cables that meet at an adapter of a panel. Legs
// with a row of fibres have the lanes of their link as a transceiver has: sent by the first positions, received by the
// last. Angled ones meet key up to key down, and are reversed at end B.
func (s *Schedule) followOctopus(at, n, a, b, lanes int, back bool) ([]int, bool) {
	from, to := a, b
	if back {
		from, to = b, a
	}
	if at != from {
		return nil, false
	}
	plug := s.Patching.Part.Panel.Connector
	if !MultiFibre(plug) {
		return []int{at, sentBy, receivedBy, n + 1 - to}, true
	}
	leg := (from-1)%lanes + 1
	far := positions(plug) + 1 - leg
	if isAngled(plug) {
		if far = leg; back {
			leg = positions(plug) + 1 - leg
			far = leg
		}
	}
	return []int{at, leg, far, n + 1 - to}, true
}

// follow lists the positions of a fibre of n from one end of a way on. Its link has lane a of the plug at A and lane b
// of that at B, from 1.
func (s *Schedule) follow(way []Segment, at, n, a, b, lanes int, back bool) ([]int, bool) {
	if len(way) == 2 && s.Patching.Octopus {
		return s.followOctopus(at, n, a, b, lanes, back)
	}
	out := []int{at}
	for i := range way {
		seg := &way[i]
		if back {
			seg = &way[len(way)-1-i]
		}
		if seg.Product < 0 {
			return nil, false
		}
		if i > 0 {
			if s.endsAtShuffle(seg) {
				from, to := a, b
				if back {
					from, to = b, a
				}
				switch at {
				case n + 1 - from: // what the near end sends comes by this fibre, as cords are reversed
					at = to
				case from:
					at = n + 1 - to
				default:
					return nil, false
				}
			}
			out = append(out, at)
		}
		if s.Polarity(seg) == Reversed {
			at = n + 1 - at
		}
		out = append(out, at)
	}
	return out, true
}

// endsAtShuffle reports whether a segment ends at a shuffle.
func (s *Schedule) endsAtShuffle(seg *Segment) bool {
	for _, v := range [2]int32{seg.A, seg.B} {
		if i := s.Panel(v); i >= 0 && s.Patching.Panels[i].Part.Panel.Shuffle > 0 {
			return true
		}
	}
	return false
}

// LaneShare returns which part of the plug of its transceiver the port at the outer end of a cord to a shuffle is, from
// 0, and into how many the plug is split; 0 and 0 where there is no product or the lanes are not known.
func (s *Schedule) LaneShare(seg *Segment) (part, of int) {
	if seg.Product < 0 {
		return 0, 0
	}
	p, v, port := &s.Products[seg.Product], seg.A, seg.PortA
	optic := p.OpticA
	if s.Panel(seg.A) >= 0 {
		v, port, optic = seg.B, seg.PortB, p.OpticB
	}
	if optic == nil {
		return 0, 0
	}
	first, lanes := s.lanesOf(v, port, optic)
	if lanes == 0 {
		return 0, 0
	}
	return first / lanes, optic.Optic.Lanes() / lanes
}

// lanesOf is the first lane, from 0, of the link at a port in the plug of its transceiver, and how many it has.
func (s *Schedule) lanesOf(v int32, port uint16, optic *catalog.Part) (first, lanes int) {
	box := s.Boxes[topology.KindOf(s.Kinds, int(v))]
	if int(port) >= len(box.Ports) {
		return 0, 0
	}
	p := &box.Ports[port]
	each := max(perCage(p.Group)/max(optic.Optic.Ports, 1), 1)
	lanes = optic.Optic.Lanes() / each
	return p.inCage() % each * lanes, lanes
}
